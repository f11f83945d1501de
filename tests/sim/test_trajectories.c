/* test_trajectories.c -- the reference trajectories of SpaceDyn: rk4, euler, and the exact solution by dopri5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "document/document.h"
#include "format/spacedyn/spacedyn.h"
#include "near.h"
#include "random_tree.h"
#include "spacedyn_files.h"
#include "worst.h"

static const char* const FILES[] = {
    "m1_single_body.json",     "m2_planar_2link.json", "m3_ets7_6dof.json",
    "m4_dual_arm_paddle.json", "m5_chain_rp.json",     "m6_random_tree_12.json",
    "m7_gravity_tree_7.json",  "m8_gravity_ets7.json", "m9_gravity_single_body.json",
    "m10_one_prismatic.json",
};

/* What acts during a trajectory, all constant: base, joints, end-points. */
typedef struct push {
  int nv, nwrench;
  double tau[64];
  fb_wrench wrenches[16];
} push;

static fb_status push_act(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  const push* p = (const push*)user;
  (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  for (int k = 0; k < p->nv; k++) action->tau[k] += p->tau[k];
  for (int i = 0; i < p->nwrench; i++) *fb_action_add_wrench(action) = p->wrenches[i];
  return FB_OK;
}

static void read_numbers(const fb_node* map, const char* key, int count, double* out) {
  fb_error error;
  if (count > 0 && fb_node_numbers(fb_map_get(map, key), FB_Q_NONE, count, out, &error))
    fail_msg("%s", error.text);
}

/* A state of the file as q, v. */
static void read_state(const fb_node* map, int n, double* q, double* v) {
  double A0[9];
  fb_error error;
  read_numbers(map, "R0", 3, q);
  assert_int_equal(fb_node_matrix(fb_map_get(map, "A0"), 3, 3, A0, &error), FB_OK);
  fb_rot_to_quat(A0, q + 3);
  read_numbers(map, "q", n, q + 7);
  read_numbers(map, "v0", 3, v);
  read_numbers(map, "w0", 3, v + 3);
  read_numbers(map, "qd", n, v + 6);
}

static push read_push(const fb_model* m, const fb_node* in) {
  int n = fb_model_nv(m) - 6;
  push p = {.nv = n + 6};
  read_numbers(in, "F0", 3, p.tau);
  read_numbers(in, "T0", 3, p.tau + 3);
  read_numbers(in, "tau", n, p.tau + 6);
  for (int frame = fb_model_nbody(m); frame < fb_model_nframe(m); frame++) {
    int link = fb_frame_body(m, frame) - 2;
    fb_wrench* w = &p.wrenches[p.nwrench++];
    fb_error error;
    w->frame = frame;
    assert_int_equal(
        fb_node_numbers(fb_node_item(fb_map_get(in, "Fe"), link), FB_Q_NONE, 3, w->force, &error), FB_OK);
    assert_int_equal(
        fb_node_numbers(fb_node_item(fb_map_get(in, "Te"), link), FB_Q_NONE, 3, w->torque, &error), FB_OK);
  }
  return p;
}

/* The state against the file's, R0, A0, q, v0, w0, qd: absolute, or relative where it is large. */
static void compare_state(const char* what, const fb_node* want, const double* q, const double* v, int n,
                          double tolerance) {
  double *wq = numbers_new(n + 7), *wv = numbers_new(n + 6), A0[9], R[9];
  fb_error error;
  read_state(want, n, wq, wv);
  assert_int_equal(fb_node_matrix(fb_map_get(want, "A0"), 3, 3, A0, &error), FB_OK);
  fb_rot_from_quat(q + 3, R);
  compare(what, R, A0, 9, tolerance);
  compare(what, q, wq, 3, tolerance);
  compare(what, q + 7, wq + 7, n, tolerance);
  compare(what, v, wv, n + 6, tolerance);
  free(wq);
  free(wv);
}

static int follow(const char* what, const fb_model* m, const fb_node* trajectory, const char* key,
                  fb_sim_options options, double tolerance) {
  int n = fb_model_nv(m) - 6;
  const fb_node *in = fb_map_get(trajectory, "inputs"), *samples = fb_map_get(trajectory, key);
  double *q = numbers_new(n + 7), *v = numbers_new(n + 6);
  fb_error error;
  fb_sim* sim;
  push p = read_push(m, in);
  fb_block block = fb_default_block();
  block.name = "push";
  block.user = &p;
  block.act = push_act;
  block.nwrench = p.nwrench;
  read_state(in, n, q, v);
  if (fb_node_number(fb_map_get(trajectory, "dt"), FB_Q_TIME, &options.step, &error))
    fail_msg("%s", error.text);
  double dt = options.step;
  fb_model_def_gravity(fb_model_definition(m), options.environment.gravity_w);
  if (options.method == FB_METHOD_DOPRI5) options.step = 0;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_block(sim, &block, NULL, &error) ||
      fb_sim_start(sim, q, v, &error))
    fail_msg("%s", error.text);
  for (int i = 0; i < fb_node_count(samples); i++) {
    const fb_node* sample = fb_node_item(samples, i);
    int step;
    assert_int_equal(fb_node_int(fb_map_get(sample, "step"), &step, &error), FB_OK);
    if (fb_sim_run_until(sim, step * dt, &error)) fail_msg("%s", error.text);
    compare_state(what, sample, fb_sim_q(sim), fb_sim_v(sim), n, tolerance);
  }
  fb_sim_free(sim);
  free(q);
  free(v);
  return fb_node_count(samples);
}

static void follow_all(const char* what, const char* key, fb_sim_options options, double tolerance) {
  int count = 0;
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
    fb_doc* doc = read_document(FILES[i]);
    fb_model_def* def;
    fb_error error;
    if (fb_spacedyn_read(fb_map_get(fb_doc_root(doc), "model"), NULL, &def, &error))
      fail_msg("%s", error.text);
    fb_model* m = build_or_fail(def, NULL);
    const fb_node* trajectories = fb_map_get(fb_doc_root(doc), "trajectories");
    for (int k = 0; k < fb_node_count(trajectories); k++)
      count += follow(what, m, fb_node_item(trajectories, k), key, options, tolerance);
    fb_model_def_free(def);
    fb_model_free(m);
    fb_doc_free(doc);
  }
  assert_true(count > 20);
}

static void rk4_is_that_of_spacedyn(void** unused) {
  (void)unused;
  fb_sim_options options = fb_default_sim_options();
  follow_all("rk4", "rk4", options, 1e-9);
}

static void euler_is_that_of_spacedyn(void** unused) {
  (void)unused;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_EULER;
  follow_all("int_eu2", "int_eu2", options, 1e-11);
}

static void dopri5_finds_the_exact_solution(void** unused) {
  (void)unused;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.rtol = options.atol = 1e-12;
  follow_all("exact by dopri5", "exact", options, 1e-9);
}

static void rkmk4_comes_as_near_to_the_exact_solution_as_rk4(void** unused) {
  (void)unused;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_RKMK4;
  follow_all("exact by rkmk4", "exact", options, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rk4_is_that_of_spacedyn),
      cmocka_unit_test(euler_is_that_of_spacedyn),
      cmocka_unit_test(dopri5_finds_the_exact_solution),
      cmocka_unit_test(rkmk4_comes_as_near_to_the_exact_solution_as_rk4),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
