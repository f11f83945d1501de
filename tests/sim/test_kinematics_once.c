/* test_kinematics_once.c -- blocks, the ledger, signals and callers read poses and velocities of one computation a state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/model.h"
#include "sim_rig.h"

/* The model's kernels, with kinematics counted. */
static fb_kernels counting;
static void (*true_kinematics)(const fb_topology*, const fb_parameters*, fb_data*, const double*,
                               const double*, const double*);
static int count;

static void counted(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                    const double* v, const double* vdot) {
  count++;
  true_kinematics(top, par, d, q, v, vdot);
}

static void count_kinematics(fb_model* m) {
  counting = *m->kernels;
  true_kinematics = counting.kinematics;
  counting.kinematics = counted;
  m->kernels = &counting;
}

typedef struct witness {
  fb_data* own;
  int asked;
} witness;

/* Poses and velocities of the context are those of its state, and stay when the block uses its data. */
static fb_status look(void* user, const fb_context* context, const double* memory, const double* state,
                      fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)action, (void)state_rate, (void)error;
  witness* w = (witness*)user;
  const fb_model* m = context->model;
  int before = count, frame = fb_model_find_frame(m, "b3");
  double p[3], u[3], p_own[3], u_own[3], bias[32];
  const fb_data* d = fb_context_kinematics(context);
  fb_loads loads = fb_context_loads(context);
  fb_bias(m, context->data, context->q, context->v, &loads, bias);
  assert_ptr_equal(fb_context_kinematics(context), d);
  assert_true(count - before <= 1);
  before = count;
  fb_kinematics(m, w->own, context->q, context->v, NULL);
  count = before; /* the witness's own does not count */
  fb_frame_pose(m, d, frame, p, NULL);
  fb_frame_velocity(m, d, frame, u, NULL);
  fb_frame_pose(m, w->own, frame, p_own, NULL);
  fb_frame_velocity(m, w->own, frame, u_own, NULL);
  assert_memory_equal(p, p_own, sizeof p);
  assert_memory_equal(u, u_own, sizeof u);
  w->asked++;
  return FB_OK;
}

static fb_block looker(const char* name, witness* w) {
  fb_block block = fb_default_block();
  block.name = name;
  block.user = w;
  block.act = look;
  return block;
}

/* Three blocks, and one that is sampled with noise when `noisy`. */
static fb_sim* sim_with(const fb_model* m, fb_method method, witness* w, int noisy) {
  fb_sim_options options = options_of(method, 0.01);
  static const char* const NAMES[] = {"one", "two", "three"};
  fb_sim* sim = sim_or_fail(m, &options);
  double q[32], v[32];
  for (int i = 0; i < 3; i++) {
    fb_block block = looker(NAMES[i], w);
    block_or_fail(sim, &block);
  }
  if (noisy) {
    fb_sampling sampling = sampling_of(0.01, 0);
    sampling.noise_q = sampling.noise_v = 1e-3;
    fb_block block = sampled_or_fail(m, looker("noisy", w), &sampling);
    block_or_fail(sim, &block);
  }
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  start_or_fail(sim, q, v);
  return sim;
}

static void blocks_read_the_poses_of_the_state_that_they_are_shown(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  for (int i = 0; i < METHOD_COUNT; i++) {
    witness w = {.own = fb_data_new(m)};
    fb_sim* sim = sim_with(m, METHODS[i], &w, 1);
    run_or_fail(sim, 0.05);
    assert_true(w.asked > 20);
    fb_sim_free(sim);
    fb_data_free(w.own);
  }
  fb_model_free(m);
}

static void kinematics_are_computed_once_a_stage_for_all(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  count_kinematics(m);
  witness w = {.own = fb_data_new(m)};
  fb_sim* sim = sim_with(m, FB_METHOD_RK4, &w, 0);
  fb_signal signals[3] = {signal_or_fail(m, "p.b3.x"), signal_or_fail(m, "omega.a1.y"),
                          signal_or_fail(m, "momentum.linear.z")};
  double values[3], p[3];
  fb_error error;
  for (int step = 0; step < 3; step++) {
    count = 0;
    if (fb_sim_step(sim, 1, &error)) fail_msg("%s", error.text);
    /* The first stage is at the end of the step before: three more, and the end of this one for the ledger. */
    assert_int_equal(count, 4);
    fb_frame_pose(m, fb_sim_kinematics(sim), fb_model_find_frame(m, "b3"), p, NULL);
    fb_sim_signal_values(sim, signals, 3, values);
    assert_int_equal(count, 4);
    assert_true(values[0] == p[0]);
  }
  fb_sim_free(sim);
  fb_data_free(w.own);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_read_the_poses_of_the_state_that_they_are_shown),
      cmocka_unit_test(kinematics_are_computed_once_a_stage_for_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
