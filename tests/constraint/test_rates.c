/* test_rates.c -- the fastest motions of joints, and the method that they ask for.
 *
 * Second method: the eigenvalues of H^-1 C by bisection on the inertia of lambda H - C (Sylvester), with H from the composite
 * bodies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <freebody/sim.h>

#include "math/ldl.h"
#include "random_tree.h"

/* Whether lambda H - diag(c) is positive definite: lambda is above all eigenvalues. */
static int is_above(const double* H, const double* c, int nv, double lambda) {
  double M[64 * 64];
  for (int i = 0; i < nv * nv; i++) M[i] = lambda * H[i] - (i % (nv + 1) == 0 ? c[i / (nv + 1)] : 0);
  if (fb_ldl_factor(M, nv)) return 0;
  for (int i = 0; i < nv; i++)
    if (!(M[i * (nv + 1)] > 0)) return 0;
  return 1;
}

static double largest_eigenvalue(const double* H, const double* c, int nv) {
  double low = 0, high = 1;
  while (!is_above(H, c, nv, high)) high *= 2;
  for (int i = 0; i < 60; i++) *(is_above(H, c, nv, (low + high) / 2) ? &high : &low) = (low + high) / 2;
  return high;
}

static void decays_and_vibrations_of_random_trees_are_the_eigenvalues(void** unused) {
  (void)unused;
  double worst = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    fb_random r = random_seed(seed);
    fb_model_def* def = random_forest(&r, 8, 0, 0);
    fb_model* m = build_or_fail(def, NULL);
    int nv = fb_model_nv(m);
    fb_data* d = fb_data_new(m);
    double q[64], H[64 * 64], zero[64] = {0}, c[64] = {0};
    fb_stiffness damped, sprung;
    assert_true(nv <= 60);
    fb_random_q(m, seed, q);
    for (int k = 0; k < nv; k++) c[k] = random_in(&r, 0, 1) * pow(10, random_in(&r, -2, 2));
    fb_inertia_matrix(m, d, q, H);
    double want = largest_eigenvalue(H, c, nv);
    fb_model_stiffness(m, d, q, NULL, zero, c, &damped);
    fb_model_stiffness(m, d, q, NULL, c, zero, &sprung);
    worst = fmax(worst, fmax(fabs(damped.decay / want - 1), fabs(sprung.vibration / sqrt(want) - 1)));
    assert_true(damped.coordinate >= 0 && c[damped.coordinate] > 0 && damped.coordinate == sprung.coordinate);
    assert_true(damped.fastest == damped.decay && sprung.fastest == sprung.vibration);
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
  print_message("off by at most %.1e\n", worst);
  assert_true(worst < 0.03);
}

/* A wheel of 2 kg m^2, and on it a pointer of `mass` at 1 m; each with a damper and a spring. */
static fb_model* wheel(double mass, double damping, double stiffness) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def wheel = fb_default_body_def(), pointer = fb_default_body_def();
  wheel.name = "wheel";
  pointer.name = "pointer";
  pointer.parent = "wheel";
  wheel.joint.type = pointer.joint.type = FB_JOINT_REVOLUTE;
  wheel.joint.axis[2] = pointer.joint.axis[0] = 1;
  wheel.joint.damping[0] = pointer.joint.damping[0] = damping;
  wheel.joint.stiffness[0] = pointer.joint.stiffness[0] = stiffness;
  wheel.mass = 1;
  wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = 2;
  pointer.mass = mass;
  pointer.com[2] = 1;
  fb_model_def_add_body(def, &wheel, NULL, NULL);
  fb_model_def_add_body(def, &pointer, NULL, NULL);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void rates_of_one_joint_are_those_of_its_characteristic_equation(void** unused) {
  (void)unused;
  static const struct {
    double damping, stiffness, fastest, vibration;
  } CASES[] = {
      {3, 0, 30, 0},       /* decays */
      {0, 40, 20, 20},     /* vibrates */
      {2, 40, 20, 20},     /* vibrates, damped */
      {5, 40, 25 + 15, 0}, /* overdamped: s^2 + 50 s + 400 */
      {0, 0, 0, 0},        /* free */
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_model* m = wheel(0.1, CASES[i].damping, CASES[i].stiffness);
    fb_data* d = fb_data_new(m);
    const unsigned char held[2] = {0, 1};
    const double q[2] = {0, 0};
    fb_stiffness rates;
    fb_model_stiffness(m, d, q, NULL, NULL, NULL, &rates);
    assert_true(fabs(rates.fastest - CASES[i].fastest) <= 0.01 * CASES[i].fastest);
    assert_true(fabs(rates.vibration - CASES[i].vibration) <= 0.01 * CASES[i].vibration);
    assert_int_equal(rates.coordinate, CASES[i].fastest > 0 ? 1 : -1);
    fb_model_stiffness(m, d, q, held, NULL, NULL, &rates); /* the wheel's alone */
    assert_true(rates.fastest <= CASES[i].fastest && rates.coordinate <= 0);
    fb_data_free(d);
    fb_model_free(m);
  }
}

static void the_method_and_step_follow_from_the_rates(void** unused) {
  (void)unused;
  static const struct {
    const char* what;
    double fastest, vibration, wanted;
    fb_method method;
    double step;
  } CASES[] = {
      {"nothing moves by itself", 0, 0, 0, FB_METHOD_DOPRI5, 0},
      {"slow", 100, 100, 0, FB_METHOD_DOPRI5, 0},
      {"a decay that dopri5 just takes", 3999, 0, 0, FB_METHOD_DOPRI5, 0},
      {"a stiff decay", 4001, 0, 0, FB_METHOD_IMPLICIT, 0},
      {"a stiff decay, a slow vibration", 1e6, 10, 0, FB_METHOD_IMPLICIT, 0},
      {"rk4 just takes a step that was given", 269, 269, 0.01, FB_METHOD_RK4, 0.01},
      {"it does not any more", 271, 271, 0.01, FB_METHOD_IMPLICIT, 0.01},
      {"a step that was given stays", 500, 500, 0.02, FB_METHOD_IMPLICIT, 0.02},
      {"a short step was given", 500, 500, 0.005, FB_METHOD_RK4, 0.005},
      {"massless with a damper", INFINITY, 0, 0, FB_METHOD_IMPLICIT, 0},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const fb_stiffness rates = {.fastest = CASES[i].fastest, .vibration = CASES[i].vibration};
    double step = CASES[i].wanted;
    fb_method method = fb_method_choose(&rates, &step);
    if (method != CASES[i].method || fabs(step - CASES[i].step) > 1e-12)
      fail_msg("%s: %s, %g s", CASES[i].what, fb_method_name(method), step);
  }
}

/* A slider on the world or on the one before. */
static void add_slider(fb_model_def* def, int number, int on, double mass, double damping) {
  fb_body_def body = fb_default_body_def();
  char name[16], parent[16];
  snprintf(name, sizeof name, "s%d", number);
  snprintf(parent, sizeof parent, "s%d", on);
  body.name = name;
  body.parent = on < 0 ? NULL : parent;
  body.joint.type = FB_JOINT_PRISMATIC;
  body.joint.axis[0] = 1;
  body.joint.damping[0] = damping;
  body.mass = mass;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
}

static double fastest_of(fb_model_def* def) {
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  double q[256] = {0};
  fb_stiffness rates;
  fb_model_stiffness(m, d, q, NULL, NULL, NULL, &rates);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
  return rates.fastest;
}

/* auto has 3 % between what it takes and what rk4 can take. */
static void rates_are_found_of_light_joints_among_heavy_ones_and_of_long_chains(void** unused) {
  (void)unused;
  enum { LONG = 200 };
  fb_model_def *apart = fb_model_def_new(), *chain = fb_model_def_new();
  add_slider(apart, 0, -1, 10, 1000);
  add_slider(apart, 1, -1, 1e-8, 3e-6);
  assert_true(fabs(fastest_of(apart) / 300 - 1) < 0.01);
  for (int i = 0; i < LONG; i++) add_slider(chain, i, i - 1, 1, 100);
  double cosine = cos(acos(-1) / (2 * LONG + 1));
  assert_true(fabs(fastest_of(chain) / (400 * cosine * cosine) - 1) < 0.01);
}

/* A light pinion of 1e-4 kg m^2 on a spring, geared 1 : 3 to a wheel of 2 kg m^2: omega^2 = k / (I + 9 I_wheel). */
static void a_geared_pinion_vibrates_with_its_wheel(void** unused) {
  (void)unused;
  static const char* const PINION[] = {"pinion"};
  static const double RATIO[] = {3};
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_loop_def gear = fb_default_loop_def(FB_LOOP_GEAR);
  double q[2] = {0, 0}, stiffness[2] = {50, 0}, none[2] = {0, 0};
  fb_stiffness rates;
  fb_error error;
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[2] = 1;
  for (int i = 0; i < 2; i++) {
    body.name = i == 0 ? "pinion" : "wheel";
    for (int k = 0; k < 3; k++) body.inertia[k] = i == 0 ? 1e-4 : 2;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  gear.name = "gear";
  gear.a = "wheel";
  gear.joints = PINION;
  gear.ratios = RATIO;
  gear.njoint = 1;
  if (fb_model_def_add_loop(def, &gear, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  fb_model_stiffness(m, d, q, NULL, stiffness, none, &rates);
  assert_true(fabs(rates.fastest / sqrt(50 / (1e-4 + 9 * 2)) - 1) < 1e-3);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decays_and_vibrations_of_random_trees_are_the_eigenvalues),
      cmocka_unit_test(rates_are_found_of_light_joints_among_heavy_ones_and_of_long_chains),
      cmocka_unit_test(rates_of_one_joint_are_those_of_its_characteristic_equation),
      cmocka_unit_test(a_geared_pinion_vibrates_with_its_wheel),
      cmocka_unit_test(the_method_and_step_follow_from_the_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
