/* test_environment.c -- gravity that is not uniform: a central field keeps energy and angular momentum and turns a rod as
 * it should, the ledger closes whatever the field has to say of itself, and a field that is uniform is uniform gravity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

/* ---- a centre that attracts, at the world's origin or where `user` says ---- */

static const double MU = 40; /* [m^3/s^2] */

/* From the centre to p; its length. */
static double arm_to(const void* user, const double p[3], double arm[3]) {
  const double* centre = (const double*)user;
  for (int i = 0; i < 3; i++) arm[i] = p[i] - (centre ? centre[i] : 0);
  return sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
}

static void central(void* user, double t, const double p[3], double a[3]) {
  (void)t;
  double arm[3], r = arm_to(user, p, arm);
  for (int i = 0; i < 3; i++) a[i] = -MU * arm[i] / (r * r * r);
}

static void central_gradient(void* user, double t, const double p[3], double G[9]) {
  (void)t;
  double arm[3], r = arm_to(user, p, arm), r3 = r * r * r;
  for (int i = 0; i < 9; i++) G[i] = MU * (3 * arm[i / 3] * arm[i % 3] / (r * r) - (i % 4 == 0)) / r3;
}

static double central_potential(void* user, const double p[3]) {
  double arm[3];
  return -MU / arm_to(user, p, arm);
}

static void swaying(void* user, double t, const double p[3], double a[3]) {
  (void)user;
  for (int i = 0; i < 3; i++) a[i] = sin(3 * t + i) - 0.2 * p[i];
}

static fb_environment environment_of(int gradient, int potential) {
  fb_environment e = fb_default_environment();
  e.acceleration = central;
  if (gradient) e.gradient = central_gradient;
  if (potential) e.potential = central_potential;
  return e;
}

/* ---- the field by itself ---- */

/* A rod along the unit vector e: T = 3 mu/r^3 u x (I u) with u the direction to the rod, I = J (1 - e e^T). */
static void a_rod_is_turned_as_the_closed_form_says(void** unused) {
  (void)unused;
  static const double AXES[][3] = {{1, 0, 0}, {0.6, 0.8, 0}, {0, 0.6, -0.8}, {0.48, 0.64, 0.6}};
  static const double J = 2.5, p[3] = {3, -1, 2};
  fb_environment e = environment_of(1, 1);
  double r = sqrt(14), u[3] = {3 / r, -1 / r, 2 / r};
  for (size_t i = 0; i < sizeof AXES / sizeof AXES[0]; i++) {
    const double* a = AXES[i];
    double along = u[0] * a[0] + u[1] * a[1] + u[2] * a[2], scale = -3 * MU / (r * r * r) * J * along;
    const double I[6] = {J * (1 - a[0] * a[0]), J * (1 - a[1] * a[1]), J * (1 - a[2] * a[2]),
                         -J * a[0] * a[1],      -J * a[0] * a[2],      -J * a[1] * a[2]};
    const double want[3] = {scale * (u[1] * a[2] - u[2] * a[1]), scale * (u[2] * a[0] - u[0] * a[2]),
                            scale * (u[0] * a[1] - u[1] * a[0])};
    double got[3];
    fb_environment_torque(&e, 0, p, I, got);
    assert_near("torque", got, want, 3, 1e-14);
  }
}

/* A free body gets it from forward dynamics too: its Euler equations at rest. */
static void dynamics_turn_a_body_by_the_torque(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  fb_data* d = fb_data_new(m);
  fb_loads loads = fb_default_loads();
  const double q[7] = {3, -1, 2, 1, 0, 0, 0}, zero[6] = {0}, I[6] = {1, 2, 3, 0, 0, 0};
  double vdot[6], a[3], torque[3], reaction[12];
  loads.environment = environment_of(1, 1);
  fb_forward_dynamics(m, d, q, zero, zero, &loads, vdot);
  fb_environment_acceleration(&loads.environment, 0, 1, q, a);
  fb_environment_torque(&loads.environment, 0, q, I, torque);
  for (int i = 0; i < 3; i++) torque[i] /= I[i];
  assert_near("acceleration", vdot, a, 3, 1e-15);
  assert_near("angular acceleration", vdot + 3, torque, 3, 1e-15);
  fb_kinematics(m, d, q, zero, vdot);
  fb_joint_reactions(m, d, &loads, reaction);
  for (int i = 6; i < 12; i++) assert_true(fabs(reaction[i]) < 1e-13); /* what falls is held by nothing */
  fb_data_free(d);
  fb_model_free(m);
}

static void environments_that_make_no_sense_are_refused(void** unused) {
  (void)unused;
  fb_environment none = {.cookie_ = 0}, infinite = fb_default_environment(), half = environment_of(1, 0),
                 on_bob = fb_default_environment();
  static const double nowhere[] = {NAN, NAN, NAN, 0, 0, NAN};
  infinite.gravity_w[1] = INFINITY;
  half.acceleration = NULL;
  on_bob.body_gravity_w = nowhere;
  const struct {
    fb_environment e;
    const char* text;
  } cases[] = {{none, "was not made by fb_default_environment"},
               {infinite, "gravity is not finite"},
               {on_bob, "gravity on body \"bob\" is not finite"},
               {half, "no acceleration"}};
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_sim_options options = fb_default_sim_options();
    fb_sim* sim;
    fb_error error;
    options.environment = cases[i].e;
    assert_true(fb_sim_new(m, &options, &sim, &error) != FB_OK);
    assert_non_null(strstr(error.text, cases[i].text));
  }
  fb_model_free(m);
}

/* ---- in simulations ---- */

/* A satellite with two arms, or one that is bolted to the world away from the centre, in a field; its ledger after 2 s. */
static fb_ledger orbit(fb_joint_type base, fb_environment e, fb_method method, double step) {
  fb_model* m = tree6(base, 0);
  fb_sim_options options = options_of(method, step);
  fb_ledger ledger;
  double q[32], v[32];
  double aside[3] = {-4, 1, 0};
  options.environment = e;
  if (base == FB_JOINT_FIXED && e.acceleration == central) options.environment.user = aside;
  options.adaptive = step == 0;
  options.rtol = 1e-11;
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] *= 0.5;
  for (int i = 0; i < 3 && base == FB_JOINT_FREE; i++) {
    q[i] = i == 0 ? 4 : 0.5;
    v[i] = i == 1 ? 3 : 0.1;
  }
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 2);
  fb_sim_ledger(sim, &ledger);
  fb_sim_free(sim);
  fb_model_free(m);
  return ledger;
}

static void a_central_field_keeps_energy_and_angular_momentum(void** unused) {
  (void)unused;
  static const struct {
    fb_method method;
    double step, tolerance;
  } cases[] = {{FB_METHOD_DOPRI5, 0, 1e-9}, {FB_METHOD_RK4, 1e-3, 1e-9}, {FB_METHOD_MOMENTUM, 2e-3, 1e-4}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_ledger l = orbit(FB_JOINT_FREE, environment_of(0, 1), cases[i].method, cases[i].step);
    double tolerance = cases[i].tolerance;
    print_message("%-9s worst %.1e, momentum %.1e, potential from %g to %g J\n",
                  fb_method_name(cases[i].method), l.worst, l.momentum_worst, l.potential_0, l.potential);
    assert_true(l.external == 0 && fabs(l.potential - l.potential_0) > 1);
    assert_true(fabs(l.kinetic + l.potential - l.kinetic_0 - l.potential_0) < tolerance * l.peak_kinetic);
    assert_near("angular momentum", l.angular, l.angular_0, 3, tolerance);
    assert_true(l.worst < tolerance && l.momentum_worst < tolerance);
  }
}

/* What a field does not store counts as external work. */
static void the_ledger_closes_in_every_field(void** unused) {
  (void)unused;
  fb_environment swing = fb_default_environment();
  swing.acceleration = swaying;
  swing.gravity_w[0] = 0.7;
  static const double EACH[8][3] = {{0},       {0, 0, -1}, {0, 0, -2}, {1, 0, 0},
                                    {0, 3, 0}, {0, 0, 1},  {2, 0, 1},  {1, 1, 1}};
  fb_environment vectors = fb_default_environment(), all = environment_of(1, 0);
  vectors.body_gravity_w = all.body_gravity_w = EACH[0];
  const struct {
    const char* name;
    fb_environment e;
    int external;
  } cases[] = {{"a potential", environment_of(0, 1), 0},
               {"none", environment_of(0, 0), 1},
               {"a gradient", environment_of(1, 1), 1},
               {"both but the potential", environment_of(1, 0), 1},
               {"in time", swing, 1},
               {"a vector per body", vectors, 0},
               {"vectors and a field", all, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int fixed = 0; fixed < 2; fixed++) {
      fb_ledger l = orbit(fixed ? FB_JOINT_FIXED : FB_JOINT_FREE, cases[i].e, FB_METHOD_DOPRI5, 0);
      double off = l.kinetic + l.potential - l.kinetic_0 - l.potential_0 - l.external;
      print_message("%-22s %s: worst %.1e, momentum %.1e, external %g J\n", cases[i].name,
                    fixed ? "fixed" : "free", l.worst, l.momentum_worst, l.external);
      assert_true((l.external != 0) == cases[i].external);
      assert_true(fabs(off) < 1e-8 * l.peak_kinetic);
      assert_true(l.worst < 1e-8 && l.momentum_worst < 1e-8);
    }
}

static void flat(void* user, double t, const double p[3], double a[3]) {
  (void)t, (void)p;
  memcpy(a, user, 3 * sizeof *a);
}

static double flat_potential(void* user, const double p[3]) {
  const double* g = (const double*)user;
  return -(g[0] * p[0] + g[1] * p[1] + g[2] * p[2]);
}

static void a_field_that_is_uniform_is_uniform_gravity(void** unused) {
  (void)unused;
  double g[3] = {0.3, -1, -2};
  fb_environment plain = fb_default_environment(), field = plain;
  memcpy(plain.gravity_w, g, sizeof g);
  field.acceleration = flat;
  field.potential = flat_potential;
  field.user = g;
  for (int fixed = 0; fixed < 2; fixed++) {
    fb_joint_type base = fixed ? FB_JOINT_FIXED : FB_JOINT_FREE;
    fb_ledger a = orbit(base, plain, FB_METHOD_RK4, 1e-2), b = orbit(base, field, FB_METHOD_RK4, 1e-2);
    const double got[] = {b.kinetic, b.potential, b.external}, want[] = {a.kinetic, a.potential, 0};
    assert_near("energies", got, want, 3, 1e-11);
    assert_near("momentum", b.angular, a.angular, 3, 1e-10);
    assert_near("impulse", b.impulse, a.impulse, 6, 1e-10);
  }
}

/* A law that counts with gravity holds a pendulum still in a field. */
static void laws_see_the_field(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  const fb_pd_joint joint = {.kp = 4, .kd = 4, .target = 0.3, .effort = INFINITY, .cookie_ = FB_COOKIE};
  const double q = 0.3, v = 0;
  fb_block law;
  fb_error error;
  options.environment = environment_of(1, 1);
  if (fb_block_new_computed_torque(m, "law", &joint, 1, &law, &error)) fail_msg("%s", error.text);
  fb_sim* sim = sim_or_fail(m, &options);
  block_or_fail(sim, &law);
  start_or_fail(sim, &q, &v);
  run_or_fail(sim, 1);
  assert_true(fabs(fb_sim_q(sim)[0] - q) < 1e-12);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_is_turned_as_the_closed_form_says),
      cmocka_unit_test(dynamics_turn_a_body_by_the_torque),
      cmocka_unit_test(environments_that_make_no_sense_are_refused),
      cmocka_unit_test(a_central_field_keeps_energy_and_angular_momentum),
      cmocka_unit_test(the_ledger_closes_in_every_field),
      cmocka_unit_test(a_field_that_is_uniform_is_uniform_gravity),
      cmocka_unit_test(laws_see_the_field),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
