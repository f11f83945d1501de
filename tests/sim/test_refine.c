/* test_refine.c -- fixed steps that become shorter where the motion is too fast for them, and only there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_rig.h"

static fb_status twist(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  action->tau[fb_model_nv(context->model) - 1] += *(const double*)user;
  return FB_OK;
}

static fb_sim* twisted(const fb_model* m, fb_method method, int refine, double* torque) {
  fb_sim_options options = options_of(method, 0.01);
  options.refine = refine;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block block = fb_default_block();
  double q[32], v[32] = {0};
  block.name = "twist";
  block.act = twist;
  block.user = torque;
  block_or_fail(sim, &block);
  fb_neutral(m, q);
  v[fb_model_nv(m) - 2] = 0.1;
  start_or_fail(sim, q, v);
  return sim;
}

/* A satellite of 20 kg; on it two light links, the last of which is twisted until it turns at hundreds of rad/s. */
static fb_model* fingers(void) {
  static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, ORIGIN[3] = {0, 0, 0},
                      NEXT[3] = {0, 0.05, 0.1};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "base", NULL, FB_JOINT_FREE, 20, X, ORIGIN, 0);
  add_body(def, "knuckle", "base", FB_JOINT_REVOLUTE, 0.05, Y, NEXT, 0);
  add_body(def, "finger", "knuckle", FB_JOINT_REVOLUTE, 0.02, Z, NEXT, 0);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void a_motion_that_becomes_too_fast_is_followed_by_shorter_steps(void** unused) {
  (void)unused;
  static const fb_method METHODS_HERE[] = {FB_METHOD_RK4, FB_METHOD_RKMK4, FB_METHOD_IMPLICIT};
  fb_model* m = fingers();
  for (int i = 0; i < 3; i++) {
    double torque = 0.5;
    fb_error error;
    fb_ledger l;
    fb_sim *coarse = twisted(m, METHODS_HERE[i], 0, &torque), *fine = twisted(m, METHODS_HERE[i], 1, &torque);
    fb_status lost = fb_sim_run_until(coarse, 3, &error);
    fb_sim_ledger(coarse, &l);
    double worst = lost ? INFINITY : l.worst;
    run_or_fail(fine, 3);
    fb_sim_ledger(fine, &l);
    print_message("%-8s: %lld steps of 300, off by %.1e; without refinement %.1e; shorter since %.3g s\n",
                  fb_method_name(METHODS_HERE[i]), fb_sim_nstep(fine), l.worst, worst,
                  fb_sim_refined_since(fine));
    assert_true(l.worst < 2e-2 && worst > 5 * l.worst);
    assert_true(fb_sim_refined_since(fine) > 0 && fb_sim_nstep(fine) > 300);
    fb_sim_free(coarse);
    fb_sim_free(fine);
  }
  fb_model_free(m);
}

static void what_is_slow_or_closes_its_ledger_keeps_its_steps_to_the_bit(void** unused) {
  (void)unused;
  static const double Z[3] = {0, 0, 1}, ORIGIN[3] = {0, 0, 0};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "hull", NULL, FB_JOINT_FREE, 50, Z, ORIGIN, 0);
  fb_body_def wheel = fb_default_body_def();
  wheel.name = "wheel";
  wheel.parent = "hull";
  wheel.joint.type = FB_JOINT_REVOLUTE;
  wheel.joint.axis[2] = 1;
  wheel.mass = 2;
  wheel.inertia[0] = wheel.inertia[1] = 0.01;
  wheel.inertia[2] = 0.02;
  assert_int_equal(fb_model_def_add_body(def, &wheel, NULL, NULL), FB_OK);
  fb_model *spun = build_or_fail(def, NULL), *tree = tree6(FB_JOINT_FREE, 1);
  for (int i = 0; i < 2; i++) {
    const fb_model* m = i ? spun : tree;
    double torque = i ? 1 : 0.1; /* the wheel ends at 250 rad/s, 2.5 rad a step */
    fb_sim *a = twisted(m, FB_METHOD_RK4, 0, &torque), *b = twisted(m, FB_METHOD_RK4, 1, &torque);
    run_or_fail(a, 5);
    run_or_fail(b, 5);
    assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)fb_model_nq(m) * sizeof(double));
    assert_int_equal(fb_sim_nstep(b), 500);
    assert_true(isinf(fb_sim_refined_since(b)));
    fb_sim_free(a);
    fb_sim_free(b);
  }
  fb_model_def_free(def);
  fb_model_free(spun);
  fb_model_free(tree);
}

static void a_snapshot_goes_on_with_the_same_steps(void** unused) {
  (void)unused;
  fb_model* m = fingers();
  double torque = 0.5;
  fb_error error;
  fb_sim *a = twisted(m, FB_METHOD_RK4, 1, &torque), *b = twisted(m, FB_METHOD_RK4, 1, &torque);
  run_or_fail(a, 1.5037); /* inside a step, where it is halved */
  void* snapshot = malloc(fb_sim_snapshot_size(a));
  assert_non_null(snapshot);
  fb_sim_save(a, snapshot);
  assert_int_equal(fb_sim_restore(b, snapshot, fb_sim_snapshot_size(a), &error), FB_OK);
  run_or_fail(a, 2);
  run_or_fail(b, 2);
  assert_true(isfinite(fb_sim_refined_since(a)));
  assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)(fb_model_nq(m) + fb_model_nv(m)) * sizeof(double));
  assert_int_equal(fb_sim_nstep(a), fb_sim_nstep(b));
  free(snapshot);
  fb_sim_free(a);
  fb_sim_free(b);
  fb_model_free(m);
}

/* How late its ticks were. */
typedef struct clock_of {
  double period, latest;
  long long count;
} clock_of;

static fb_status note_tick(void* user, const fb_context* context, double* memory, double* state,
                           fb_error* error) {
  (void)memory, (void)state, (void)error;
  clock_of* o = (clock_of*)user;
  o->latest = fmax(o->latest, fabs(context->t - (double)o->count++ * o->period));
  return FB_OK;
}

static void halved_steps_end_at_ticks_at_edges_and_where_the_caller_says(void** unused) {
  (void)unused;
  static const double ENDS[] = {0.0731, 0.07361, 0.1313};
  fb_model* m = fingers();
  int halved = 0;
  for (int i = 0; i < METHOD_COUNT; i++) {
    double torque = 0.5, q[32], v[32] = {0};
    clock_of clock = {.period = 0.0013};
    fb_sim_options options = options_of(METHODS[i], 0.01);
    options.refine = 1;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_block block = fb_default_block();
    block.name = "twist";
    block.act = twist;
    block.user = &torque;
    block_or_fail(sim, &block);
    block = fb_default_block();
    block.name = "clock";
    block.tick = note_tick;
    block.period = clock.period;
    block.user = &clock;
    block_or_fail(sim, &block);
    fb_neutral(m, q);
    v[fb_model_nv(m) - 1] = 300;
    v[fb_model_nv(m) - 2] = 40;
    start_or_fail(sim, q, v);
    for (int e = 0; e < 3; e++) {
      run_or_fail(sim, ENDS[e]);
      assert_true(fabs(fb_sim_time(sim) - ENDS[e]) < 1e-12);
    }
    halved += isfinite(fb_sim_refined_since(sim)) != 0;
    assert_true(clock.count > 90);
    if (clock.latest > 1e-12) fail_msg("%s: a tick is %g s late", fb_method_name(METHODS[i]), clock.latest);
    fb_sim_free(sim);
  }
  assert_true(halved > 3);
  fb_model_free(m);
}

/* What a rejected step leaves in the integrator must not enter the one that follows. */
static void a_halved_step_is_that_of_a_simulation_with_short_steps(void** unused) {
  (void)unused;
  fb_model* m = fingers();
  int nq = fb_model_nq(m), nv = fb_model_nv(m);
  for (int i = 0; i < METHOD_COUNT; i++) {
    double torque = 0.5, q[32], v[32] = {0};
    fb_error error;
    fb_sim* fine = twisted(m, METHODS[i], 1, &torque);
    fb_neutral(m, q);
    v[nv - 1] = 300; /* too fast for the first step */
    v[nv - 2] = 40;
    start_or_fail(fine, q, v);
    assert_int_equal(fb_sim_step(fine, 1, &error), FB_OK);
    double h = fb_sim_time(fine);
    assert_true(h < 0.01);
    fb_sim* same = twisted(m, METHODS[i], 0, &torque);
    start_or_fail(same, q, v);
    assert_int_equal(fb_sim_step(same, h, &error), FB_OK);
    if (memcmp(fb_sim_y(fine), fb_sim_y(same), (size_t)(nq + nv) * sizeof(double)) != 0)
      fail_msg("%s: a step of %g s differs", fb_method_name(METHODS[i]), h);
    fb_sim_free(fine);
    fb_sim_free(same);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motion_that_becomes_too_fast_is_followed_by_shorter_steps),
      cmocka_unit_test(what_is_slow_or_closes_its_ledger_keeps_its_steps_to_the_bit),
      cmocka_unit_test(a_snapshot_goes_on_with_the_same_steps),
      cmocka_unit_test(halved_steps_end_at_ticks_at_edges_and_where_the_caller_says),
      cmocka_unit_test(a_halved_step_is_that_of_a_simulation_with_short_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
