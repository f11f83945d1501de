/* test_turning.c -- wheels that are not quite balanced: error control sees them turn, balanced ones take steps of any length, and
 * a ledger that does not close because of one names it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_rig.h"

enum { WHEELS = 3 };
static const double RATES[WHEELS] = {600, -300, 200};

/* A satellite of 100 kg with three wheels of 1 kg, their centres of mass off by `off` along each axis [m], their inertias across
 * the axis different by `across` [kg m^2]. */
static fb_model* satellite(double off, double across) {
  static const char* const NAMES[] = {"w0", "w1", "w2"};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  fb_body_def hull = fb_default_body_def();
  hull.name = "hull";
  hull.joint.type = FB_JOINT_FREE;
  hull.mass = 100;
  for (int i = 0; i < 3; i++) hull.inertia[i] = 10 + 2 * i;
  hull.inertia[3] = 0.3;
  if (fb_model_def_add_body(def, &hull, NULL, &error)) fail_msg("%s", error.text);
  for (int i = 0; i < WHEELS; i++) {
    fb_body_def wheel = fb_default_body_def();
    wheel.name = NAMES[i];
    wheel.parent = "hull";
    wheel.joint.type = FB_JOINT_REVOLUTE;
    for (int k = 0; k < 3; k++) {
      wheel.joint.axis[k] = k == i;
      wheel.com[k] = off;
      wheel.inertia[k] = k == i ? 0.02 : 0.01;
    }
    wheel.inertia[(i + 1) % 3] += across;
    wheel.joint.at[0] = 0.1 * i;
    wheel.mass = 1;
    if (fb_model_def_add_body(def, &wheel, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static fb_sim* start(const fb_model* m, fb_method method, double step, double max_step, double accuracy) {
  fb_sim_options options = fb_default_sim_options();
  double q[7 + WHEELS], v[6 + WHEELS] = {0, 0, 0, 0.001, 0.002, 0};
  options.method = method;
  options.adaptive = step == 0;
  options.step = step;
  options.max_step = max_step;
  options.accuracy = accuracy;
  options.rtol = options.atol = 0;
  fb_neutral(m, q);
  memcpy(v + 6, RATES, sizeof RATES);
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, v);
  return sim;
}

/* Bounds by what is measured with the bound, 1e-9, and without it, 1e-2 and more. */
static void error_control_sees_slightly_unbalanced_wheels_turn(void** unused) {
  (void)unused;
  static const struct {
    double off, across;
    fb_method method;
  } CASES[] = {{1e-6, 0, FB_METHOD_DOPRI5}, {1e-5, 0, FB_METHOD_DOPRI5}, {0, 1e-3, FB_METHOD_DOPRI5}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_model* m = satellite(CASES[i].off, CASES[i].across);
    fb_sim *sim = start(m, CASES[i].method, 0, 0, 1e-6), *exact = start(m, FB_METHOD_DOPRI5, 0, 2e-4, 1e-10);
    double off = 0;
    fb_ledger l;
    char text[512];
    run_or_fail(sim, 10);
    run_or_fail(exact, 10);
    for (int k = 0; k < fb_model_nq(m); k++) off = worse_of(off, fabs(fb_sim_q(sim)[k] - fb_sim_q(exact)[k]));
    fb_sim_ledger(sim, &l);
    print_message("%d: off by %.1e, momentum by %.1e kg m/s, %d steps\n", (int)i, off, l.linear_residual,
                  (int)fb_sim_nstep(sim));
    assert_true(off < 1e-5);
    assert_true(l.linear_residual < 1e-5);
    if (fb_sim_warning(sim, text, sizeof text)) fail_msg("%s", text);
    fb_sim_free(sim);
    fb_sim_free(exact);
    fb_model_free(m);
  }
}

/* 10 s are 6000 rad of the fastest. */
static void balanced_wheels_take_long_steps(void** unused) {
  (void)unused;
  fb_model* m = satellite(0, 0);
  fb_sim* sim = start(m, FB_METHOD_DOPRI5, 0, 0, 1e-6);
  run_or_fail(sim, 10);
  print_message("%d steps\n", (int)fb_sim_nstep(sim));
  assert_true(fb_sim_nstep(sim) < 600);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Momentum that comes from nothing is compared with what the parts carry, not with the energy that wheels have by spinning. */
static void a_ledger_off_by_an_unbalanced_wheel_names_it(void** unused) {
  (void)unused;
  fb_model* m = satellite(1e-4, 0);
  fb_sim* sim = start(m, FB_METHOD_RK4, 0.0107, 0, 1e-6);
  fb_ledger l;
  char text[512] = "";
  run_or_fail(sim, 10);
  fb_sim_ledger(sim, &l);
  print_message("linear %.1e of %g\n", l.linear_residual, l.linear_scale);
  assert_true(l.linear_scale < 100);
  assert_true(fb_sim_warning(sim, text, sizeof text));
  print_message("%s\n", text);
  assert_non_null(strstr(text, "\"w0\" turns unevenly, by 6.4 rad in a step"));
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_control_sees_slightly_unbalanced_wheels_turn),
      cmocka_unit_test(balanced_wheels_take_long_steps),
      cmocka_unit_test(a_ledger_off_by_an_unbalanced_wheel_names_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
