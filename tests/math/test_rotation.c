/* test_rotation.c -- rotations: every spelling there and back at every attitude, and the group laws.
 *
 * Tolerances are in ulp of 1 (DBL_EPSILON): the products of three matrices and a handful of sines leave
 * a few ulp, wherever the attitude lies. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/rotation.h>

#include "math/axis.h"
#include "near.h"
#include "random.h"

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

static const double PI = 3.14159265358979323846;
static const double FEW_ULP = 12 * DBL_EPSILON;

/* One spelling: its name, its size, to and from a matrix. */
static void axis_angle_from(const double x[4], double R[9]) {
  fb_rot_from_axis_angle(x, x[3], R);
}

static void axis_angle_to(const double R[9], double x[4]) {
  fb_rot_to_axis_angle(R, x, &x[3]);
}

/* The rotation vector through quaternions only. */
static void log_quat_from(const double r[3], double R[9]) {
  double q[4];
  fb_quat_from_rotvec(r, q);
  fb_rot_from_quat(q, R);
}

static void log_quat_to(const double R[9], double r[3]) {
  double q[4];
  fb_rot_to_quat(R, q);
  fb_quat_to_rotvec(q, r);
}

typedef struct {
  const char* name;
  void (*from)(const double* x, double R[9]);
  void (*to)(const double R[9], double* x);
} spelling;

static const spelling SPELLINGS[] = {
    {"rpy", fb_rot_from_rpy, fb_rot_to_rpy},
    {"euler_xyz", fb_rot_from_euler_xyz, fb_rot_to_euler_xyz},
    {"euler_zxz", fb_rot_from_euler_zxz, fb_rot_to_euler_zxz},
    {"quat", fb_rot_from_quat, fb_rot_to_quat},
    {"axis_angle", axis_angle_from, axis_angle_to},
    {"rotvec", fb_rot_from_rotvec, fb_rot_to_rotvec},
    {"rotvec by quaternions", log_quat_from, log_quat_to},
};

/* Matrix -> spelling -> matrix, for all of them; the numbers of the spelling must be finite. */
static void check_round_trips(const char* attitude, const double R[9], double tol) {
  for (int k = 0; k < COUNT(SPELLINGS); k++) {
    char what[160];
    double x[4] = {0, 0, 0, 0}, back[9];
    SPELLINGS[k].to(R, x);
    SPELLINGS[k].from(x, back);
    snprintf(what, sizeof what, "%s of %s (%.17g %.17g %.17g %.17g)", SPELLINGS[k].name, attitude, x[0], x[1],
             x[2], x[3]);
    assert_near(what, back, R, 9, tol);
  }
}

static void test_every_spelling_comes_back_at_random_attitudes(void** state) {
  (void)state;
  fb_random random = random_seed(1);
  for (int k = 0; k < 5000; k++) {
    double q[4], R[9];
    char name[32];
    random_quat(&random, q);
    fb_rot_from_quat(q, R);
    snprintf(name, sizeof name, "attitude %d", k);
    check_round_trips(name, R, FEW_ULP);
  }
}

static void test_every_spelling_comes_back_close_to_singular_attitudes(void** state) {
  (void)state;
  fb_random random = random_seed(2);
  static const double middle[] = {0, 1, -1, 0.5, -0.5}; /* times pi */
  for (int k = 0; k < 5000; k++) {
    const double off = pow(10, random_in(&random, -17, -3)) * (k % 2 ? 1 : -1);
    const double base = middle[random_index(&random, COUNT(middle))] * PI;
    const double angles[3] = {random_in(&random, -PI, PI), base + off, random_in(&random, -PI, PI)};
    char name[80];
    double R[9];
    for (int s = 0; s < 3; s++) {
      SPELLINGS[s].from(angles, R);
      snprintf(name, sizeof name, "%s %.17g %.17g %.17g", SPELLINGS[s].name, angles[0], angles[1], angles[2]);
      check_round_trips(name, R, FEW_ULP);
    }
  }
}

static void test_every_spelling_comes_back_for_angles_near_zero_and_pi(void** state) {
  (void)state;
  fb_random random = random_seed(3);
  for (int k = 0; k < 5000; k++) {
    const double off = pow(10, random_in(&random, -17, -3));
    const double angle = k % 2 ? off : (k % 4 ? PI - off : PI + off);
    double axis[3], R[9];
    char name[80];
    random_fill(&random, -1, 1, 3, axis);
    if (k % 3 == 0) axis[k % 9 / 3] = 0;
    fb_rot_from_axis_angle(axis, angle, R);
    snprintf(name, sizeof name, "angle %.17g", angle);
    check_round_trips(name, R, FEW_ULP);
  }
}

static void test_every_spelling_comes_back_at_quarter_turns(void** state) {
  (void)state;
  /* All 24 rotations that permute axes, as exact matrices: identity and half turns are among them. */
  static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int p = 0; p < 6; p++) {
    for (int signs = 0; signs < 8; signs++) {
      double R[9] = {0};
      char name[48];
      int parity = p < 3 ? 1 : -1;
      for (int i = 0; i < 3; i++) {
        const int sign = signs >> i & 1 ? -1 : 1;
        R[3 * i + permutations[p][i]] = sign;
        parity *= sign;
      }
      if (parity < 0) continue;
      snprintf(name, sizeof name, "permutation %d signs %d", p, signs);
      check_round_trips(name, R, FEW_ULP);
    }
  }
}

/* Angles there and back: the ones inside the range of each spelling return as they went. */
static void test_angles_inside_their_range_return(void** state) {
  (void)state;
  fb_random random = random_seed(4);
  for (int k = 0; k < 2000; k++) {
    double x[3], back[3], R[9];
    random_fill(&random, -3.1, 3.1, 3, x);
    x[1] *= 0.5; /* |pitch| below pi/2 - 0.02 */
    for (int s = 0; s < 3; s++) {
      double in[3] = {x[0], s == 2 ? fabs(x[1]) + 0.02 : x[1], x[2]};
      SPELLINGS[s].from(in, R);
      SPELLINGS[s].to(R, back);
      assert_near(SPELLINGS[s].name, back, in, 3, 1e-13);
    }
  }
}

typedef struct {
  const char* name;
  int spelling; /* in SPELLINGS */
  double in[3], want[3];
} singular_case;

static const double HALF_PI = 1.57079632679489661923;

static void test_singular_attitudes_put_the_named_angle_at_zero(void** state) {
  (void)state;
  const singular_case cases[] = {
      {"pitch up", 0, {0.3, HALF_PI, 0.5}, {0, HALF_PI, 0.2}},
      {"pitch down", 0, {0.3, -HALF_PI, 0.5}, {0, -HALF_PI, 0.8}},
      {"b up", 1, {0.3, HALF_PI, 0.5}, {0.8, HALF_PI, 0}},
      {"b down", 1, {0.3, -HALF_PI, 0.5}, {-0.2, -HALF_PI, 0}},
      {"theta 0", 2, {0.3, 0, 0.5}, {0.8, 0, 0}},
      {"theta pi", 2, {0.3, PI, 0.5}, {-0.2, PI, 0}},
      {"identity rpy", 0, {0, 0, 0}, {0, 0, 0}},
      {"identity zxz", 2, {0, 0, 0}, {0, 0, 0}},
      {"half turn about z", 2, {PI, 0, 0}, {PI, 0, 0}},
  };
  for (int k = 0; k < COUNT(cases); k++) {
    double R[9], back[3];
    SPELLINGS[cases[k].spelling].from(cases[k].in, R);
    SPELLINGS[cases[k].spelling].to(R, back);
    assert_near(cases[k].name, back, cases[k].want, 3, FEW_ULP);
    const int named = cases[k].spelling == 0 ? 0 : 2;
    assert_true(back[named] == 0);
  }
}

static void test_quaternion_has_unit_norm_and_largest_component_positive(void** state) {
  (void)state;
  fb_random random = random_seed(5);
  for (int k = 0; k < 2000; k++) {
    double q[4], R[9], got[4], norm = 0;
    random_quat(&random, q);
    if (k % 5 == 0) q[k % 20 / 5] = 0;
    fb_rot_from_quat(q, R);
    fb_rot_to_quat(R, got);
    int largest = 0;
    for (int i = 0; i < 4; i++) {
      norm += got[i] * got[i];
      if (fabs(got[i]) > fabs(got[largest])) largest = i;
    }
    assert_true(got[largest] > 0);
    assert_near("norm", &norm, (const double[]){1}, 1, FEW_ULP);
  }
}

static void test_small_rotation_vectors_keep_relative_accuracy(void** state) {
  (void)state;
  for (int e = -3; e >= -300; e -= 3) {
    const double s = pow(10, e), r[3] = {0.6 * s, -0.7 * s, 0.2 * s};
    double R[9], q[4], back[3];
    fb_rot_from_rotvec(r, R);
    fb_rot_to_rotvec(R, back);
    for (int i = 0; i < 3; i++) assert_true(fabs(back[i] - r[i]) <= 1e-13 * s);
    fb_quat_from_rotvec(r, q);
    fb_quat_to_rotvec(q, back);
    for (int i = 0; i < 3; i++) assert_true(fabs(back[i] - r[i]) <= 1e-15 * s);
  }
}

static void test_rotation_vectors_near_pi_return(void** state) {
  (void)state;
  for (int e = -1; e >= -15; e--) {
    const double angle = PI - pow(10, e), r[3] = {angle * 2 / 7, angle * 3 / 7, -angle * 6 / 7};
    double R[9], back[3], axis[3], found;
    fb_rot_from_rotvec(r, R);
    fb_rot_to_rotvec(R, back);
    assert_near("rotvec near pi", back, r, 3, FEW_ULP);
    fb_rot_to_axis_angle(R, axis, &found);
    assert_near("angle near pi", &found, &angle, 1, FEW_ULP);
    assert_near("axis near pi", axis, (const double[]){2.0 / 7, 3.0 / 7, -6.0 / 7}, 3, FEW_ULP);
  }
}

static void test_axis_of_no_rotation_is_x(void** state) {
  (void)state;
  double R[9], axis[3], angle;
  fb_rot_identity(R);
  fb_rot_to_axis_angle(R, axis, &angle);
  assert_true(angle == 0 && axis[0] == 1 && axis[1] == 0 && axis[2] == 0);
}

static void test_quaternions_form_a_group_that_matches_matrices(void** state) {
  (void)state;
  fb_random random = random_seed(6);
  const double one[4] = {1, 0, 0, 0};
  for (int k = 0; k < 1000; k++) {
    double a[4], b[4], c[4], left[4], right[4], A[9], B[9], AB[9], got[9];
    random_quat(&random, a);
    random_quat(&random, b);
    random_quat(&random, c);
    fb_quat_multiply(a, b, left);
    fb_rot_from_quat(left, got);
    fb_rot_from_quat(a, A);
    fb_rot_from_quat(b, B);
    fb_rot_multiply(A, B, AB);
    assert_near("R(ab) = R(a) R(b)", got, AB, 9, FEW_ULP);
    fb_quat_multiply(left, c, left);
    fb_quat_multiply(b, c, right);
    fb_quat_multiply(a, right, right);
    assert_near("(ab)c = a(bc)", left, right, 4, FEW_ULP);
    fb_quat_conjugate(a, left);
    fb_rot_from_quat(left, got);
    fb_rot_transpose(A, B);
    assert_near("conjugate is the transpose", got, B, 9, FEW_ULP);
    fb_quat_multiply(a, left, left);
    assert_near("q q* = 1", left, one, 4, FEW_ULP);
  }
}

static void test_quaternion_of_any_norm_gives_a_rotation(void** state) {
  (void)state;
  static const double norms[] = {5e-324, 1e-300, 1e-160, 1e-3, 7, 1e160, 1e300};
  double unit[9], R[9];
  fb_rot_from_quat((const double[]){1, 1, 1, 1}, unit);
  for (int k = 0; k < COUNT(norms); k++) {
    double q[4] = {norms[k], norms[k], norms[k], norms[k]};
    fb_rot_from_quat(q, R);
    assert_near("scaled quaternion", R, unit, 9, FEW_ULP);
    const double found = fb_quat_normalise(q);
    assert_true(fabs(found - 2 * norms[k]) <= 1e-15 * found);
    assert_near("normalised", q, (const double[]){0.5, 0.5, 0.5, 0.5}, 4, FEW_ULP);
  }
}

static void test_quaternion_without_direction_becomes_identity(void** state) {
  (void)state;
  const double bad[][4] = {{0, 0, 0, 0}, {NAN, 0, 0, 0}, {1, INFINITY, 0, 0}, {0, 0, -INFINITY, NAN}};
  for (int k = 0; k < COUNT(bad); k++) {
    double q[4];
    memcpy(q, bad[k], sizeof q);
    const double norm = fb_quat_normalise(q);
    assert_true(!(norm > 0) || !isfinite(norm));
    assert_near("identity", q, (const double[]){1, 0, 0, 0}, 4, 0);
  }
}

static void test_axis_angle_takes_axes_of_any_length(void** state) {
  (void)state;
  static const double lengths[] = {1e-300, 1e-10, 3, 1e300};
  double want[9], R[9];
  fb_rot_y(0.7, want);
  for (int k = 0; k < COUNT(lengths); k++) {
    fb_rot_from_axis_angle((const double[]){0, lengths[k], 0}, 0.7, R);
    assert_near("about y", R, want, 9, FEW_ULP);
  }
}

/* fb_rot_update(R, w, dt) = exp(w~ dt) R, with exp as its power series. */
static void test_rodrigues_update_is_the_exponential(void** state) {
  (void)state;
  fb_random random = random_seed(7);
  for (int k = 0; k < 200; k++) {
    double q[4], R[9], w[3], E[9], term[9], W[9] = {0}, want[9], got[9];
    const double dt = random_in(&random, 0, 1.5);
    random_quat(&random, q);
    fb_rot_from_quat(q, R);
    random_fill(&random, -1, 1, 3, w);
    W[1] = -w[2] * dt, W[2] = w[1] * dt, W[5] = -w[0] * dt;
    W[3] = w[2] * dt, W[6] = -w[1] * dt, W[7] = w[0] * dt;
    fb_rot_identity(E);
    fb_rot_identity(term);
    for (int n = 1; n < 40; n++) {
      fb_rot_multiply(term, W, term);
      for (int i = 0; i < 9; i++) E[i] += (term[i] /= n);
    }
    fb_rot_multiply(E, R, want);
    fb_rot_update(R, w, dt, got);
    assert_near("update", got, want, 9, 4 * FEW_ULP);
    fb_rot_update(R, w, dt, R);
    assert_near("update in place", R, got, 9, 0);
  }
}

static void test_differences_lead_from_one_attitude_to_the_other(void** state) {
  (void)state;
  fb_random random = random_seed(8);
  for (int k = 0; k < 1000; k++) {
    double q[4], A[9], B[9], d[3], s[3], got[9];
    random_quat(&random, q);
    fb_rot_from_quat(q, A);
    random_quat(&random, q);
    fb_rot_from_quat(q, B);
    fb_rot_difference(A, B, d);
    fb_rot_update(B, d, 1, got);
    assert_near("A = exp(diff~) B", got, A, 9, 2 * FEW_ULP);
    fb_rot_small_difference(A, B, s);
    const double angle = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; i++) d[i] *= sin(angle) / angle;
    assert_near_of(1, "sin(angle) axis", s, d, 3, 2 * FEW_ULP); /* differences of entries of A and B */
  }
}

static void test_nearest_rotation_undoes_a_stretch(void** state) {
  (void)state;
  fb_random random = random_seed(9);
  for (int k = 0; k < 1000; k++) {
    double q[4], R[9], U[9], Ut[9], P[9] = {0}, M[9], got[9];
    random_quat(&random, q);
    fb_rot_from_quat(q, R);
    random_quat(&random, q);
    fb_rot_from_quat(q, U);
    for (int i = 0; i < 3; i++) P[4 * i] = pow(10, random_in(&random, k % 2 ? -6 : -0.1, 0.1));
    fb_rot_transpose(U, Ut);
    fb_rot_multiply(P, Ut, P);
    fb_rot_multiply(U, P, P); /* symmetric positive */
    fb_rot_multiply(R, P, M);
    assert_true(fb_rot_nearest(M, got) > 0);
    /* The factor is as sensitive as the two smallest stretches are small. */
    assert_near("polar factor", got, R, 9, k % 2 ? 1e-9 : 2 * FEW_ULP);
    fb_rot_transpose(got, Ut);
    fb_rot_multiply(got, Ut, P);
    fb_rot_identity(U);
    assert_near("orthonormal", P, U, 9, FEW_ULP);
  }
}

static void test_nearest_rotation_keeps_a_rotation_and_reports_the_defect(void** state) {
  (void)state;
  double R[9], M[9], got[9];
  fb_rot_from_rpy((const double[]){0.1, -0.7, 2}, R);
  assert_true(fb_rot_nearest(R, got) < FEW_ULP);
  assert_near("kept", got, R, 9, FEW_ULP);
  for (int i = 0; i < 9; i++) M[i] = R[i] * 1.001;
  const double defect = fb_rot_nearest(M, M);
  assert_near_of(1, "defect of a stretch", &defect, (const double[]){1.001 * 1.001 - 1}, 1, FEW_ULP);
  assert_near("in place", M, R, 9, FEW_ULP);
}

static void test_nearest_rotation_refuses_reflections_and_garbage(void** state) {
  (void)state;
  const double bad[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, -1},
                           {0, 0, 0, 0, 0, 0, 0, 0, 0},
                           {1, 0, 0, 0, 1, 0, 0, 0, 0},
                           {1, 0, 0, 0, NAN, 0, 0, 0, 1},
                           {1, 0, 0, 0, 1, 0, 0, INFINITY, 1}};
  double identity[9], R[9];
  fb_rot_identity(identity);
  for (int k = 0; k < COUNT(bad); k++) {
    assert_true(fb_rot_nearest(bad[k], R) < 0);
    assert_near("identity instead", R, identity, 9, 0);
  }
}

static void test_products_may_overwrite_their_inputs(void** state) {
  (void)state;
  double A[9], B[9], AB[9], T[9], x[3] = {1, 2, 3}, y[3];
  fb_rot_from_rpy((const double[]){0.1, 0.2, 0.3}, A);
  fb_rot_from_rpy((const double[]){-1, 0.5, 2}, B);
  fb_rot_multiply(A, B, AB);
  memcpy(T, A, sizeof T);
  fb_rot_multiply(T, B, T);
  assert_near("A = A B", T, AB, 9, 0);
  memcpy(T, B, sizeof T);
  fb_rot_multiply(A, T, T);
  assert_near("B = A B", T, AB, 9, 0);
  fb_rot_transpose(T, T);
  fb_rot_transpose(T, T);
  assert_near("transpose twice", T, AB, 9, 0);
  fb_rot_apply(A, x, y);
  fb_rot_apply(A, x, x);
  assert_near("x = R x", x, y, 3, 0);
  fb_rot_apply_transpose(A, x, x);
  assert_near("back", x, (const double[]){1, 2, 3}, 3, FEW_ULP);
}

/* The turn is by the angle between z and the axis, about what is normal to both: no other rotation that takes z to the
 * axis turns by less. Axes all over the sphere, those of the equator from both sides, and near and at -z. */
static void test_the_turn_from_z_to_an_axis_is_the_shortest(void** state) {
  (void)state;
  static const double special[][3] = {{0, 0, 1},     {0, 0, -1},    {1, 0, 0},        {0, -1, 0},
                                      {1, 2, -2},    {-3, 1, -0.5}, {1, 2, -0.0},     {1, 2, -1e-17},
                                      {1, 2, 1e-17}, {1e-9, 0, -1}, {1e-9, 2e-9, -1}, {-1e-160, 1e-160, -1}};
  enum { SPECIAL = sizeof special / sizeof special[0] };
  fb_random random = random_seed(17);
  for (int k = 0; k < 3000; k++) {
    double axis[3], R[9], got[3], turn[3], column[3];
    char name[80];
    if (k < SPECIAL)
      memcpy(axis, special[k], sizeof axis);
    else
      random_fill(&random, -1, 1, 3, axis);
    if (k >= SPECIAL && k % 3 == 0) axis[2] = -1 / random_in(&random, 0, 1e-3); /* near -z */
    assert_true(fb_axis_normalise(axis));
    fb_axis_from_z(axis, R);
    snprintf(name, sizeof name, "axis %.17g %.17g %.17g", axis[0], axis[1], axis[2]);
    for (int i = 0; i < 3; i++) column[i] = R[3 * i + 2];
    assert_near(name, column, axis, 3, 0);
    double product[9], transpose[9];
    fb_rot_transpose(R, transpose);
    fb_rot_multiply(R, transpose, product);
    assert_near(name, product, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9, FEW_ULP);
    fb_rot_to_rotvec(R, got);
    /* angle(z, axis) (-y, x, 0) / |(x, y)|, and at -z itself pi about x */
    double r = hypot(axis[0], axis[1]), angle = atan2(r, axis[2]);
    turn[0] = r > 0 ? -axis[1] / r * angle : angle;
    turn[1] = r > 0 ? axis[0] / r * angle : 0;
    turn[2] = 0;
    if (angle > PI - 1e-12 && got[0] * turn[0] + got[1] * turn[1] < 0) /* the same half turn */
      for (int i = 0; i < 3; i++) got[i] = -got[i];
    assert_near(name, got, turn, 3, 8 * FEW_ULP);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_spelling_comes_back_at_random_attitudes),
      cmocka_unit_test(test_every_spelling_comes_back_close_to_singular_attitudes),
      cmocka_unit_test(test_every_spelling_comes_back_for_angles_near_zero_and_pi),
      cmocka_unit_test(test_every_spelling_comes_back_at_quarter_turns),
      cmocka_unit_test(test_angles_inside_their_range_return),
      cmocka_unit_test(test_singular_attitudes_put_the_named_angle_at_zero),
      cmocka_unit_test(test_quaternion_has_unit_norm_and_largest_component_positive),
      cmocka_unit_test(test_small_rotation_vectors_keep_relative_accuracy),
      cmocka_unit_test(test_rotation_vectors_near_pi_return),
      cmocka_unit_test(test_axis_of_no_rotation_is_x),
      cmocka_unit_test(test_quaternions_form_a_group_that_matches_matrices),
      cmocka_unit_test(test_quaternion_of_any_norm_gives_a_rotation),
      cmocka_unit_test(test_quaternion_without_direction_becomes_identity),
      cmocka_unit_test(test_axis_angle_takes_axes_of_any_length),
      cmocka_unit_test(test_rodrigues_update_is_the_exponential),
      cmocka_unit_test(test_differences_lead_from_one_attitude_to_the_other),
      cmocka_unit_test(test_nearest_rotation_undoes_a_stretch),
      cmocka_unit_test(test_nearest_rotation_keeps_a_rotation_and_reports_the_defect),
      cmocka_unit_test(test_nearest_rotation_refuses_reflections_and_garbage),
      cmocka_unit_test(test_products_may_overwrite_their_inputs),
      cmocka_unit_test(test_the_turn_from_z_to_an_axis_is_the_shortest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
