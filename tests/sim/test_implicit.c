/* test_implicit.c -- the implicit method on stiff joints: springs, dampers, friction and declared gains far beyond what
 * an explicit step of the same length takes. Its order on everything else is measured in test_second_order.c.
 *
 * Second methods: closed forms of one joint; dopri5 with tight tolerances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>

#include "sim_rig.h"

/* One joint that turns 2 kg m^2 about its own axis: nothing depends on its angle. */
static fb_model* wheel(double stiffness, double damping, double friction) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "wheel";
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[2] = 1;
  body.joint.stiffness[0] = stiffness;
  body.joint.damping[0] = damping;
  body.joint.friction[0] = friction;
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 2;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static fb_sim* begin(const fb_model* m, fb_method method, double step, const double* q, const double* v) {
  fb_sim_options options = options_of(method, step);
  options.adaptive = method == FB_METHOD_DOPRI5;
  options.rtol = options.atol = 1e-11;
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, v);
  return sim;
}

/* The same motion by dopri5, far below all tolerances. */
static fb_sim* begin_pendulum(const fb_model* m, const double* q, const double* v) {
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0);
  options.adaptive = 1;
  options.rtol = options.atol = 1e-12;
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, v);
  return sim;
}

/* --- one joint, closed forms --- */

/* v' = -lambda v: one step multiplies v by R(-h lambda), which goes to 0 as h lambda grows. */
static void a_damper_of_any_size_brings_its_joint_to_rest_and_the_books_close(void** unused) {
  (void)unused;
  static const double RATES[] = {1, 30, 1e3, 1e6, 1e12}; /* h lambda from 0.01 to 1e10 */
  for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
    const double h = 0.01, g = 1 - sqrt(0.5), z = -h * RATES[i], q = 0, v = 3;
    double R = (1 + (1 - 2 * g) * z + (0.5 - 2 * g + g * g) * z * z) / ((1 - g * z) * (1 - g * z));
    fb_model* m = wheel(0, 2 * RATES[i], 0);
    fb_sim* sim = begin(m, FB_METHOD_IMPLICIT, h, &q, &v);
    fb_ledger l;
    run_or_fail(sim, h);
    assert_true(fabs(fb_sim_v(sim)[0] - R * v) <= 1e-12 * v);
    run_or_fail(sim, 1);
    fb_sim_ledger(sim, &l);
    print_message("h lambda %.0e: v(h) = %.3g, residual %.1e of %.3g J\n", -z, R * v, l.worst, l.dissipated);
    assert_true(l.worst <
                1e-13 - 1e-15 * z); /* the damper's force is a difference, lost to rounding as 1/z */
    assert_true(RATES[i] < 10 || fabs(l.dissipated - 9) < 1e-8 - 1e-14 * z); /* all of I v^2 / 2 */
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Stiff and well damped: the joint follows its load quasi-statically, though h omega is 1e4. */
static void a_stiff_spring_carries_its_load_without_ringing(void** unused) {
  (void)unused;
  const double q = 0.01, v = 0;
  fb_model* m = wheel(2e12, 2e7, 0);
  fb_sim* sim = begin(m, FB_METHOD_IMPLICIT, 0.01, &q, &v);
  run_or_fail(sim, 0.1);
  assert_true(fabs(fb_sim_q(sim)[0]) < 1e-9 && fabs(fb_sim_v(sim)[0]) < 1e-6);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Friction of any size stops the joint within the time that it takes; speeds only shrink. */
static void friction_stops_a_joint_and_does_not_chatter(void** unused) {
  (void)unused;
  static const double LEVELS[] = {1, 10, 1e3, 1e6};
  for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++) {
    const double q = 0, v = 1;
    fb_model* m = wheel(0, 0, LEVELS[i]);
    fb_sim* sim = begin(m, FB_METHOD_IMPLICIT, 0.01, &q, &v);
    fb_ledger l;
    double last = v, after = 2 / LEVELS[i] + 0.05;
    for (int n = 1; n <= 400; n++) {
      run_or_fail(sim, 0.01 * n);
      double now = fb_sim_v(sim)[0];
      if (!(fabs(now) < fabs(last) + 1e-12 && now > -0.21 * v)) /* the least of R is -0.207 */
        fail_msg("friction %g: v goes from %g to %g", LEVELS[i], last, now);
      assert_true(0.01 * n < after || fabs(now) < 0.02);
      last = now;
    }
    fb_sim_ledger(sim, &l);
    print_message("friction %.0e: ends at %.1e rad/s, residual %.1e\n", LEVELS[i], last, l.worst);
    assert_true(l.worst < 1e-12);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Without slopes the step is area-preserving for small swings: energy does not drift. */
static void a_pendulum_keeps_its_energy(void** unused) {
  (void)unused;
  const double q = 0.3, v = 0;
  fb_model* m = pendulum();
  fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0.02);
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_ledger l;
  start_or_fail(sim, &q, &v);
  run_or_fail(sim, 10);
  fb_sim_ledger(sim, &l);
  double soon = l.worst;
  run_or_fail(sim, 400);
  fb_sim_ledger(sim, &l);
  print_message("pendulum: residual %.2e in 10 s, %.2e in 400 s\n", soon, l.worst);
  assert_true(l.worst < 1.5 * soon && soon < 1e-3);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Steps of the extrapolated method follow an error of h^4: at most ten times as many for 1e4 times the accuracy; of h^3 it
 * would be 21. */
static void extrapolated_steps_are_of_fourth_order(void** unused) {
  (void)unused;
  const double q = 0.3, v = 0;
  fb_model* m = pendulum();
  long long steps[2];
  for (int i = 0; i < 2; i++) {
    fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0);
    options.environment.gravity_w[2] = -9.81;
    options.rtol = options.atol = 0;
    options.accuracy = i == 0 ? 1e-4 : 1e-8;
    options.adaptive = 1;
    fb_sim *sim = sim_or_fail(m, &options), *exact = begin_pendulum(m, &q, &v);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 4);
    run_or_fail(exact, 4);
    steps[i] = fb_sim_nstep(sim);
    print_message("accuracy %.0e: %d steps, off by %.1e\n", options.accuracy, (int)steps[i],
                  fabs(fb_sim_q(sim)[0] - fb_sim_q(exact)[0]));
    assert_true(fabs(fb_sim_q(sim)[0] - fb_sim_q(exact)[0]) < options.accuracy);
    fb_sim_free(sim);
    fb_sim_free(exact);
  }
  assert_true(steps[1] < 14 * steps[0]);
  fb_model_free(m);
}

/* --- many joints --- */

/* --- a robot --- */

typedef struct arm_case {
  const char* what;
  double damping, stiffness, friction;
} arm_case;

/* A satellite with two arms whose joints are as the case says. */
static fb_model* stiff_satellite(const arm_case* c) {
  static const double AXES[][3] = {{0, 0, 1}, {0, 1, 0}, {1, 2, -1}, {1, 0, 0}};
  static const char* const NAMES[] = {"base", "a1", "a2", "a3", "b1"};
  static const double ORIGIN[3] = {0, 0, 0}, NEXT[3] = {0.1, 0.05, 0.6};
  fb_model_def *def = fb_model_def_new(), *stiff = fb_model_def_new();
  add_body(def, "base", NULL, FB_JOINT_FREE, 20, AXES[3], ORIGIN, 0);
  for (int i = 1; i < 5; i++)
    add_body(def, NAMES[i], i == 4 ? "base" : NAMES[i - 1], FB_JOINT_REVOLUTE, 3, AXES[i - 1], NEXT, 0);
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    fb_body_def body = *fb_model_def_body(def, b);
    body.joint.damping[0] = b > 1 ? c->damping : 0;
    body.joint.stiffness[0] = b > 1 ? c->stiffness : 0;
    body.joint.friction[0] = b > 1 ? c->friction : 0;
    fb_error error;
    if (fb_model_def_add_body(stiff, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(stiff, NULL);
  fb_model_def_free(def);
  fb_model_def_free(stiff);
  return m;
}

static void turn(const fb_model* m, double* q, double* v) {
  fb_neutral(m, q);
  memset(v, 0, (size_t)fb_model_nv(m) * sizeof *v);
  for (int k = 3; k < 6; k++) v[k] = 0.1 * k;
  for (int k = 6; k < fb_model_nv(m); k++) v[k] = 0.5 - 0.1 * k;
}

/* rk4 diverges on each of these at the same step; the motion that is left over is the satellite's, as a rigid one. */
static void a_satellite_with_stiff_joints_turns_as_a_rigid_one_does(void** unused) {
  (void)unused;
  static const arm_case CASES[] = {{"dampers", 1e4, 0, 0},
                                   {"dampers, 1e8", 1e8, 0, 0},
                                   {"springs and dampers", 1e5, 1e8, 0},
                                   {"friction", 0, 0, 1e4},
                                   {"everything", 1e3, 1e4, 1e3}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_model* m = stiff_satellite(&CASES[i]);
    double q[16], v[16], end = 0;
    fb_ledger l;
    turn(m, q, v);
    fb_sim* sim = begin(m, FB_METHOD_IMPLICIT, 0.01, q, v);
    run_or_fail(sim, 5);
    fb_sim_ledger(sim, &l);
    for (int k = 6; k < 10; k++) end = fmax(end, fabs(fb_sim_v(sim)[k]));
    print_message("%-20s joints at %.1e rad/s, energy residual %.1e, momentum %.1e\n", CASES[i].what, end,
                  l.worst, l.momentum_worst);
    /* What a spring of h omega >> 1 held is lost within a step: the method's own loss, which no damper is charged with. */
    assert_true(end < 1e-2 && l.worst < (CASES[i].stiffness > 0 ? 0.2 : 2e-3) && l.momentum_worst < 2e-3);
    fb_sim_free(sim);
    fb_error error;
    sim = begin(m, FB_METHOD_RK4, 0.01, q, v);
    if (CASES[i].friction == 0) assert_int_not_equal(fb_sim_run_until(sim, 5, &error), FB_OK);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* --- gains --- */

static fb_sim* servo(const fb_model* m, double kp, double kd, double effort, double target, int declared) {
  fb_pd_joint joints[4];
  fb_block block;
  fb_error error;
  double q[16], v[16];
  for (int i = 0; i < 4; i++) {
    joints[i] = fb_default_pd_joint();
    joints[i].coordinate = 6 + i;
    joints[i].kp = kp;
    joints[i].kd = kd;
    joints[i].effort = effort;
    joints[i].target = target;
  }
  fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  if (fb_block_new_joint_pd(m, "servo", joints, 4, &block, &error)) fail_msg("%s", error.text);
  if (!declared) block.gains = NULL;
  if (fb_sim_add_block(sim, &block, NULL, &error)) fail_msg("%s", error.text);
  turn(m, q, v);
  start_or_fail(sim, q, v);
  return sim;
}

static void declared_gains_may_be_stiff_and_undeclared_ones_may_not(void** unused) {
  (void)unused;
  static const struct {
    double kp, kd, effort, target, after;
  } CASES[] = {{1e4, 1e3, INFINITY, 0.3, 2}, {1e8, 1e6, INFINITY, 0, 1}, {1e6, 1e4, 20, 0.3, 3}};
  const arm_case smooth = {"", 0, 0, 0};
  fb_model* m = stiff_satellite(&smooth);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_sim* sim = servo(m, CASES[i].kp, CASES[i].kd, CASES[i].effort, CASES[i].target, 1);
    fb_ledger l;
    double off = 0;
    run_or_fail(sim, CASES[i].after);
    fb_sim_ledger(sim, &l);
    for (int k = 0; k < 4; k++) off = fmax(off, fabs(fb_sim_q(sim)[7 + k] - CASES[i].target));
    print_message("kp %.0e kd %.0e effort %g: off by %.1e rad, residual %.1e\n", CASES[i].kp, CASES[i].kd,
                  CASES[i].effort, off, l.worst);
    assert_true(off < 1e-3 && l.worst < 5e-2);
    fb_sim_free(sim);
  }
  fb_error error;
  fb_sim* sim = servo(m, 1e8, 1e6, INFINITY, 0, 0);
  assert_int_not_equal(fb_sim_run_until(sim, 1, &error), FB_OK);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_damper_of_any_size_brings_its_joint_to_rest_and_the_books_close),
      cmocka_unit_test(a_stiff_spring_carries_its_load_without_ringing),
      cmocka_unit_test(friction_stops_a_joint_and_does_not_chatter),
      cmocka_unit_test(a_pendulum_keeps_its_energy),
      cmocka_unit_test(extrapolated_steps_are_of_fourth_order),
      cmocka_unit_test(a_satellite_with_stiff_joints_turns_as_a_rigid_one_does),
      cmocka_unit_test(declared_gains_may_be_stiff_and_undeclared_ones_may_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
