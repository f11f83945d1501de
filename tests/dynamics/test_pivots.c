/* test_pivots.c -- bodies without mass or inertia: all that does not need any computes, and what does is refused with
 * the name of the joint, at every attitude. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/freebody.h>

#include "near.h"
#include "random_tree.h"

static fb_model* model_of(const fb_body_def* bodies, int count, int keeps) {
  fb_model_def* def = fb_model_def_new();
  fb_model* m;
  fb_error error;
  for (int i = 0; i < count; i++) fb_model_def_add_body(def, &bodies[i], NULL, NULL);
  fb_model_def_set_keeps_inertia(def, keeps);
  if (fb_model_build(def, NULL, &m, &error)) fail_msg("%s", error.text);
  fb_model_def_free(def);
  return m;
}

static fb_body_def body(const char* name, const char* parent, fb_joint_type type, double mass) {
  fb_body_def b = fb_default_body_def();
  b.name = name;
  b.parent = parent;
  b.joint.type = type;
  b.joint.axis[2] = 1;
  b.joint.axis2[0] = 1;
  b.joint.at[0] = parent ? 0.5 : 0;
  b.mass = mass;
  for (int i = 0; i < 3; i++) b.inertia[i] = mass;
  return b;
}

/* What forward dynamics at q says of the joints; "" when it has a solution, which is finite. */
static const char* idle_joint(const fb_model* m, const double* q, const unsigned char* prescribed,
                              fb_error* error) {
  double vdot[64] = {0}, tau[64], v[64];
  fb_data* d = fb_data_new(m);
  for (int k = 0; k < fb_model_nv(m); k++) {
    v[k] = 0.1;
    tau[k] = 1;
  }
  fb_mixed_dynamics(m, d, q, v, prescribed, NULL, vdot, tau);
  fb_status status = fb_model_check_pivots(m, d, error);
  fb_data_free(d);
  if (status) return error->text;
  assert_true(isfinite(worst_of(vdot, fb_model_nv(m))));
  assert_true(isfinite(worst_of(tau, fb_model_nv(m))));
  return "";
}

/* --- massless bodies --- */

typedef struct massless_case {
  const char* name;
  fb_joint_type base, tip; /* a base, an arm on it by a revolute joint, a tip on that */
  double mass[3];
  double armature;    /* of the tip */
  const char* wanted; /* the joint that is named; NULL: none */
  int prescribed;     /* this body's joint; 0: none */
} massless_case;

enum { ALL = 3 };
static const massless_case MASSLESS[] = {
    {"all have mass", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {9, 1, 1}, 0, NULL, 0},
    {"a massless tip", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {9, 1, 0}, 0, "tip", 0},
    {"its joint has armature", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {9, 1, 0}, 0.1, NULL, 0},
    {"its motion is prescribed", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {9, 1, 0}, 0, NULL, 3},
    {"it is fixed", FB_JOINT_FREE, FB_JOINT_FIXED, {9, 1, 0}, 0, NULL, 0},
    {"it slides", FB_JOINT_FREE, FB_JOINT_PRISMATIC, {9, 1, 0}, 0, "tip", 0},
    {"it slides and turns", FB_JOINT_FREE, FB_JOINT_CYLINDRICAL, {9, 1, 0}, 0, "tip", 0},
    {"it is on a ball", FB_JOINT_FREE, FB_JOINT_SPHERICAL, {9, 1, 0}, 0, "tip", 0},
    {"it is on a ball, prescribed", FB_JOINT_FREE, FB_JOINT_SPHERICAL, {9, 1, 0}, 0, NULL, 3},
    {"it is on a ball with armature", FB_JOINT_FREE, FB_JOINT_SPHERICAL, {9, 1, 0}, 0.1, NULL, 0},
    {"it floats", FB_JOINT_FREE, FB_JOINT_FREE, {9, 1, 0}, 0, "tip", 0},
    {"it floats, prescribed", FB_JOINT_FREE, FB_JOINT_FREE, {9, 1, 0}, 0, NULL, 3},
    {"a massless arm that carries mass", FB_JOINT_FREE, FB_JOINT_SPHERICAL, {9, 0, 1}, 0, NULL, 0},
    {"a massless base that carries a ball", FB_JOINT_FREE, FB_JOINT_FIXED, {0, 0, 1}, 0, "base", 0},
    {"a massless base, prescribed", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {0, 1, 1}, 0, NULL, 1},
    {"a massless base on the world", FB_JOINT_FIXED, FB_JOINT_REVOLUTE, {0, 1, 1}, 0, NULL, 0},
    {"a massless robot on the world", FB_JOINT_FIXED, FB_JOINT_REVOLUTE, {0, 0, 0}, 0, "tip", 0},
    {"a massless robot that floats", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {0, 0, 0}, 0, "tip", 0},
    {"a massless robot with armature", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {0, 0, 0}, 0.1, "arm", 0},
};

static fb_model* massless_model(const massless_case* c) {
  fb_body_def bodies[ALL] = {body("base", NULL, c->base, c->mass[0]),
                             body("arm", "base", FB_JOINT_REVOLUTE, c->mass[1]),
                             body("tip", "arm", c->tip, c->mass[2])};
  for (int i = 0; i < fb_joint_type_nv(c->tip); i++) bodies[2].joint.armature[i] = c->armature;
  return model_of(bodies, ALL, 0);
}

static void a_massless_joint_is_named_only_where_it_is_driven_by_force(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof MASSLESS / sizeof *MASSLESS; i++) {
    const massless_case* c = &MASSLESS[i];
    fb_model* m = massless_model(c);
    unsigned char prescribed[64] = {0};
    for (int k = 0; c->prescribed && k < fb_joint_nv(m, c->prescribed); k++)
      prescribed[fb_joint_v_index(m, c->prescribed) + k] = 1;
    for (uint64_t seed = 0; seed < 20; seed++) {
      double q[64];
      char wanted[64] = "";
      fb_error error;
      fb_random_q(m, seed, q);
      const char* found = idle_joint(m, q, c->prescribed ? prescribed : NULL, &error);
      if (c->wanted)
        snprintf(wanted, sizeof wanted, "joint \"%s\" has nothing to move: its pivot is", c->wanted);
      if (!c->wanted != !found[0] || !strstr(found, wanted))
        fail_msg("%s: \"%s\", wanted \"%s\"", c->name, found, wanted);
      if (found[0] && !strstr(found, "prescribe its motion or fix it")) fail_msg("%s", found);
    }
    fb_model_free(m);
  }
}

/* Poses, Jacobians, inverse dynamics, momentum, energy and centre of mass need no mass. */
static void kinematics_and_inverse_dynamics_need_no_mass(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof MASSLESS / sizeof *MASSLESS; i++) {
    fb_model* m = massless_model(&MASSLESS[i]);
    fb_data* d = fb_data_new(m);
    int nv = fb_model_nv(m);
    double q[64], v[64], tau[64], J[6 * 64], com[3], com_v[3], linear[3], angular[3], H[64 * 64];
    const double loads_g[3] = {0, 0, -9.81};
    fb_loads loads = fb_default_loads();
    memcpy(loads.environment.gravity_w, loads_g, sizeof loads_g);
    fb_random_q(m, 3, q);
    fb_random_v(m, 3, v);
    fb_inverse_dynamics(m, d, q, v, v, &loads, tau);
    fb_inertia_matrix(m, d, q, H);
    fb_kinematics(m, d, q, v, v);
    fb_centre_of_mass(m, d);
    fb_frame_jacobian(m, d, 3, J);
    fb_subtree_com(m, d, FB_WORLD, com, com_v, NULL);
    fb_momentum(m, d, com, linear, angular);
    double sum = worst_of(tau, nv) + worst_of(J, 6 * nv) + worst_of(com, 3) + worst_of(com_v, 3) +
                 worst_of(linear, 3) + worst_of(angular, 3) + worst_of(H, nv * nv) +
                 fb_kinetic_energy(m, d, v) + fb_potential_energy(m, d, q, &loads);
    if (!isfinite(sum)) fail_msg("%s", MASSLESS[i].name);
    fb_data_free(d);
    fb_model_free(m);
  }
}

/* The generalized Jacobian of a tree whose base has no response is no number, and the flag of it is read. */
static void a_floating_tree_without_mass_has_no_generalized_jacobian(void** unused) {
  (void)unused;
  const massless_case robot = {"", FB_JOINT_FREE, FB_JOINT_REVOLUTE, {0, 0, 0}, 0, NULL, 0};
  fb_model* m = massless_model(&robot);
  fb_floating* f;
  double q[64], J[6 * 64], rates[64], velocity[6] = {1, 0, 0, 0, 0, 0};
  assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
  fb_neutral(m, q);
  fb_floating_update(f, q, NULL);
  fb_floating_jacobian(f, 3, J);
  assert_true(isnan(J[0]));
  assert_true(isnan(fb_floating_resolved_rate(f, 3, velocity, NULL, 0, rates)));
  assert_true(isnan(fb_floating_manipulability(f, 3, NULL)));
  assert_true(isnan(fb_floating_coupling(f)));
  fb_floating_free(f);
  fb_model_free(m);
}

/* --- mass 0 with inertia: a rotor --- */

/* A body of no mass is the limit of one that gets lighter, at the same inertia. */
static void an_inertia_without_mass_turns_as_a_rotor_does(void** unused) {
  (void)unused;
  double vdot[3];
  for (int i = 0; i < 3; i++) {
    fb_body_def wheel = body("wheel", NULL, FB_JOINT_REVOLUTE, 0);
    double q = 0.3, v = 0, tau = 1;
    wheel.mass = i == 0 ? 1e-9 : 0;
    if (i < 2)
      wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = 0.25;
    else
      wheel.joint.armature[0] = 0.25;
    fb_model* m = model_of(&wheel, 1, 0);
    fb_data* d = fb_data_new(m);
    fb_forward_dynamics(m, d, &q, &v, &tau, NULL, &vdot[i]);
    assert_int_equal(fb_model_check_pivots(m, d, NULL), FB_OK);
    fb_data_free(d);
    fb_model_free(m);
  }
  assert_near("rotor", vdot, ((const double[]){4, 4, 4}), 3, 1e-15);
}

/* --- every attitude --- */

/* Turns that bring the rod's own axis, x, onto a world axis but for a small angle. */
static void near_axis(fb_random* r, double angle, double quat[4]) {
  static const double onto[3][4] = {{1, 0, 0, 0},
                                    {0.70710678118654752, 0, 0, 0.70710678118654752},
                                    {0.70710678118654752, 0, 0.70710678118654752, 0}};
  double axis[3], small[4], turned[4];
  random_fill(r, -1, 1, 3, axis);
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  small[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) small[1 + i] = axis[i] / length * sin(angle / 2);
  fb_quat_multiply(small, onto[random_index(r, 3)], turned);
  memcpy(quat, turned, sizeof turned);
}

/* Rods and points, free or on a ball, near world axes by 1 to 1e-9 and exactly on them: where pivots vanish one after
 * another, and the last is rounding magnified. A thin body that is none at the same attitudes has a solution. */
static void a_rod_is_told_from_a_thin_body_at_every_attitude(void** unused) {
  (void)unused;
  fb_random r = random_seed(21);
  for (int i = 0; i < 4000; i++) {
    const int ball = i % 2, thin = i / 2 % 2;
    fb_body_def rod = body("rod", NULL, ball ? FB_JOINT_SPHERICAL : FB_JOINT_FREE, 1);
    double q[7] = {0};
    fb_error error;
    rod.inertia[0] = thin ? 1e-7 : 0; /* the least of what is told from none is 1e-13 */
    rod.com[0] = i / 4 % 2 ? random_in(&r, -1, 1) : 0;
    fb_model* m = model_of(&rod, 1, 0);
    near_axis(&r, i % 20 == 0 ? 0 : pow(10, -random_in(&r, 0, 9)), q + (ball ? 0 : 3));
    const char* found = idle_joint(m, q, NULL, &error);
    if (!thin == !found[0]) fail_msg("%d, %s: \"%s\"", i, thin ? "thin" : "rod", found);
    fb_model_free(m);
  }
}

/* --- random trees --- */

/* The least pivot of the force-driven part of H by elimination that takes the largest diagonal first, as a part of the
 * largest: small just when that part is singular. */
static double least_pivot(const fb_model* m, const double* q, const unsigned char* prescribed) {
  enum { MOST = 80 };
  int nv = fb_model_nv(m), left[MOST], n = 0;
  static double H[MOST * MOST];
  double largest = 0, least = INFINITY;
  fb_data* d = fb_data_new(m);
  fb_inertia_matrix(m, d, q, H);
  fb_data_free(d);
  for (int k = 0; k < nv; k++)
    if (!prescribed[k]) left[n++] = k;
  for (; n > 0; n--) {
    int at = 0;
    for (int i = 1; i < n; i++)
      if (H[left[i] * nv + left[i]] > H[left[at] * nv + left[at]]) at = i;
    const int p = left[at];
    const double pivot = H[p * nv + p];
    largest = fmax(largest, pivot);
    least = fmin(least, pivot);
    left[at] = left[n - 1];
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1 && pivot > 0; j++)
        H[left[i] * nv + left[j]] -= H[left[i] * nv + p] * H[p * nv + left[j]] / pivot;
  }
  return largest > 0 ? least / largest : least == INFINITY;
}

/* Bodies without mass, rods, points and rotors at random, coordinates prescribed at random. */
static void joints_are_named_just_where_the_inertia_matrix_is_singular(void** unused) {
  (void)unused;
  fb_random r = random_seed(22);
  int named = 0, solved = 0;
  for (int i = 0; i < 1500; i++) {
    fb_model_def* def = random_forest(&r, 1 + i % 8, 0, i % 2);
    for (int b = 1; b < fb_model_def_nbody(def); b++) {
      const double none[6] = {0}, rod[6] = {0, 1, 1, 0, 0, 0}, ball[6] = {1, 1, 1, 0, 0, 0};
      const int what = random_index(&r, 9);
      if (what < 2) fb_model_def_set_inertia(def, b, 0, none);
      if (what == 2) fb_model_def_set_inertia(def, b, 1, none);
      if (what == 3) fb_model_def_set_inertia(def, b, 1, rod);
      if (what == 4) fb_model_def_set_inertia(def, b, 0, ball);
    }
    fb_model* m = build_or_fail(def, NULL);
    unsigned char prescribed[80] = {0};
    double q[80];
    fb_error error;
    for (int k = 0; k < fb_model_nv(m); k++) prescribed[k] = i % 3 && random_index(&r, 3) == 0;
    fb_random_q(m, (uint64_t)i, q);
    const double least = least_pivot(m, q, prescribed);
    const char* found = idle_joint(m, q, prescribed, &error);
    if ((least < 1e-14 && !found[0]) || (least > 1e-8 && found[0]))
      fail_msg("%d: %g, \"%s\"", i, least, found);
    if (found[0] && strstr(found, "nan")) fail_msg("%d: %s", i, found);
    named += found[0] != 0;
    solved += !found[0];
    fb_model_free(m);
    fb_model_def_free(def);
  }
  assert_true(named > 200 && solved > 200);
}

/* --- inertias that are kept as given --- */

static void a_kept_inertia_computes_while_its_pivot_is_positive(void** unused) {
  (void)unused;
  for (int negative = 0; negative < 2; negative++) {
    fb_body_def wheel = body("wheel", NULL, FB_JOINT_REVOLUTE, 1);
    double q = 0;
    fb_error error;
    wheel.inertia[2] = negative ? -0.5 : 7; /* beyond 1 + 1 */
    fb_model* m = model_of(&wheel, 1, 1);
    const char* found = idle_joint(m, &q, NULL, &error);
    if (negative)
      assert_non_null(strstr(found, "joint \"wheel\" has nothing to move: its pivot is -0.5"));
    else
      assert_string_equal(found, "");
    fb_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_massless_joint_is_named_only_where_it_is_driven_by_force),
      cmocka_unit_test(kinematics_and_inverse_dynamics_need_no_mass),
      cmocka_unit_test(a_floating_tree_without_mass_has_no_generalized_jacobian),
      cmocka_unit_test(an_inertia_without_mass_turns_as_a_rotor_does),
      cmocka_unit_test(a_rod_is_told_from_a_thin_body_at_every_attitude),
      cmocka_unit_test(joints_are_named_just_where_the_inertia_matrix_is_singular),
      cmocka_unit_test(a_kept_inertia_computes_while_its_pivot_is_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
