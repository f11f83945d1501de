/* test_rotation_rates.c -- rates of every spelling: against differences of the attitude itself, there and
 * back, and at the singular attitudes. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/rotation.h>

#include "near.h"
#include "random.h"

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

static const double PI = 3.14159265358979323846;
static const double HALF_PI = 1.57079632679489661923;

static int rotvec_rate(const double r[3], const double w[3], double rate[3]) {
  fb_rotvec_rate(r, w, rate);
  return 0;
}

typedef struct {
  const char* name;
  void (*from)(const double x[3], double R[9]);
  int (*rate)(const double x[3], const double w[3], double rate[3]);
  void (*to_w)(const double x[3], const double rate[3], double w[3]);
  double largest; /* of the middle number in the random tests, clear of the singular attitudes */
  double shift;   /* added to it */
} spelling;

static const spelling SPELLINGS[] = {
    {"rpy", fb_rot_from_rpy, fb_rpy_rate, fb_rpy_rate_to_w, 1.5, 0},
    {"euler_xyz", fb_rot_from_euler_xyz, fb_euler_xyz_rate, fb_euler_xyz_rate_to_w, 1.5, 0},
    {"euler_zxz", fb_rot_from_euler_zxz, fb_euler_zxz_rate, fb_euler_zxz_rate_to_w, 1.5, 1.5707},
    {"rotvec", fb_rot_from_rotvec, rotvec_rate, fb_rotvec_rate_to_w, 3.5, 0},
};

/* Coordinates of a spelling and a rate, each within a comfortable range. */
static void random_point(fb_random* random, const spelling* s, double x[3], double rate[3]) {
  random_fill(random, -3.5, 3.5, 3, x);
  x[1] = random_in(random, -s->largest, s->largest) + s->shift;
  random_fill(random, -1, 1, 3, rate);
}

/* w by differences: log(R(x + h rate) R(x - h rate)t) / 2h, then without its h^2 term. */
static void difference_w(const spelling* s, const double x[3], const double rate[3], double h, double w[3]) {
  double estimate[2][3];
  for (int k = 0; k < 2; k++) {
    const double step = h * (k + 1);
    double ahead[3], behind[3], A[9], B[9];
    for (int i = 0; i < 3; i++) {
      ahead[i] = x[i] + step * rate[i];
      behind[i] = x[i] - step * rate[i];
    }
    s->from(ahead, A);
    s->from(behind, B);
    fb_rot_difference(A, B, estimate[k]);
    for (int i = 0; i < 3; i++) estimate[k][i] /= 2 * step;
  }
  for (int i = 0; i < 3; i++) w[i] = (4 * estimate[0][i] - estimate[1][i]) / 3;
}

static void test_angular_velocity_is_the_derivative_of_the_attitude(void** state) {
  (void)state;
  fb_random random = random_seed(11);
  for (int s = 0; s < COUNT(SPELLINGS); s++) {
    for (int k = 0; k < 1000; k++) {
      double x[3], rate[3], w[3], want[3];
      random_point(&random, &SPELLINGS[s], x, rate);
      SPELLINGS[s].to_w(x, rate, w);
      difference_w(&SPELLINGS[s], x, rate, 1e-3, want);
      assert_near(SPELLINGS[s].name, w, want, 3, 1e-10);
    }
  }
}

static void test_rates_and_angular_velocity_invert_each_other(void** state) {
  (void)state;
  fb_random random = random_seed(12);
  for (int s = 0; s < COUNT(SPELLINGS); s++) {
    for (int k = 0; k < 1000; k++) {
      double x[3], rate[3], w[3], back[3];
      random_point(&random, &SPELLINGS[s], x, rate);
      SPELLINGS[s].to_w(x, rate, w);
      assert_int_equal(SPELLINGS[s].rate(x, w, back), 0);
      assert_near(SPELLINGS[s].name, back, rate, 3, 1e-11);
      assert_int_equal(SPELLINGS[s].rate(x, w, w), 0);
      assert_near("in place", w, back, 3, 0);
    }
  }
}

static void test_rotation_vector_rates_hold_at_any_small_angle(void** state) {
  (void)state;
  const double w[3] = {0.3, -0.8, 0.5};
  for (int e = 0; e >= -300; e--) {
    const double s = pow(10, e), r[3] = {0.6 * s, -0.7 * s, 0.2 * s};
    double rate[3], back[3];
    fb_rotvec_rate(r, w, rate);
    fb_rotvec_rate_to_w(r, rate, back);
    assert_near("there and back", back, w, 3, 8 * DBL_EPSILON);
  }
  /* On both sides of the switch from the series to the closed form. */
  for (int k = -50; k <= 50; k++) {
    const double r[3] = {0, 5e-3 * (1 + k * 1e-3), 0}, n = r[1];
    double rate[3];
    const double want[3] = {n / 2 / tan(n / 2) * w[0] - n / 2 * w[2], w[1],
                            n / 2 / tan(n / 2) * w[2] + n / 2 * w[0]};
    fb_rotvec_rate(r, w, rate);
    assert_near("about y", rate, want, 3, 8 * DBL_EPSILON);
  }
}

static void test_matrix_and_quaternion_rates_are_derivatives(void** state) {
  (void)state;
  fb_random random = random_seed(13);
  const double h = 1e-3;
  for (int k = 0; k < 1000; k++) {
    double q[4], R[9], w[3], Rdot[9], qdot[4], back[3], want[9], wantq[4] = {0}, step[4], moved[4];
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
    random_quat(&random, q);
    random_fill(&random, -1, 1, 3, w);
    fb_rot_from_quat(q, R);
    memset(want, 0, sizeof want);
    for (int j = 0; j < 4; j++) {
      const double r[3] = {w[0] * h * at[j], w[1] * h * at[j], w[2] * h * at[j]};
      double next[9];
      fb_rot_update(R, w, h * at[j], next);
      fb_quat_from_rotvec(r, step);
      fb_quat_multiply(step, q, moved);
      for (int i = 0; i < 9; i++) want[i] += weight[j] / h * next[i];
      for (int i = 0; i < 4; i++) wantq[i] += weight[j] / h * moved[i];
    }
    fb_rot_rate(R, w, Rdot);
    assert_near("Rdot", Rdot, want, 9, 1e-11);
    fb_quat_rate(q, w, qdot);
    assert_near("qdot", qdot, wantq, 4, 1e-11);
    fb_quat_rate_to_w(q, qdot, back);
    assert_near("back to w", back, w, 3, 8 * DBL_EPSILON);
    fb_rot_rate(R, w, R);
    assert_near("in place", R, Rdot, 9, 0);
  }
}

typedef struct {
  const char* name;
  int spelling;
  double middle;
  double null[3]; /* the combination of rates that moves nothing */
} singular_case;

static void test_singular_attitudes_give_the_least_rates_of_the_nearest_velocity(void** state) {
  (void)state;
  const singular_case cases[] = {
      {"pitch up", 0, HALF_PI, {1, 0, 1}}, {"pitch down", 0, -HALF_PI, {1, 0, -1}},
      {"b up", 1, HALF_PI, {1, 0, -1}},    {"b down", 1, -HALF_PI, {1, 0, 1}},
      {"theta zero", 2, 0, {1, 0, -1}},    {"theta pi", 2, PI, {1, 0, 1}},
  };
  fb_random random = random_seed(14);
  for (int k = 0; k < 60; k++) {
    const singular_case* c = &cases[k % COUNT(cases)];
    const spelling* s = &SPELLINGS[c->spelling];
    const double x[3] = {random_in(&random, -3, 3), c->middle, random_in(&random, -3, 3)};
    double w[3], rate[3], got[3], still[3], zero[3] = {0, 0, 0};
    random_fill(&random, -1, 1, 3, w);
    assert_int_equal(s->rate(x, w, rate), 1);
    s->to_w(x, c->null, still);
    assert_near_of(1, c->name, still, zero, 3, 8 * DBL_EPSILON);
    const double along_null = c->null[0] * rate[0] + c->null[2] * rate[2];
    assert_near_of(1, "least norm", &along_null, zero, 1, 8 * DBL_EPSILON);
    /* Nearest: what is missed is orthogonal to what each rate can give. */
    s->to_w(x, rate, got);
    for (int i = 0; i < 3; i++) {
      double unit[3] = {0, 0, 0}, column[3], overlap = 0;
      unit[i] = 1;
      s->to_w(x, unit, column);
      for (int j = 0; j < 3; j++) overlap += (w[j] - got[j]) * column[j];
      assert_near_of(1, "nearest", &overlap, zero, 1, 8 * DBL_EPSILON);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_angular_velocity_is_the_derivative_of_the_attitude),
      cmocka_unit_test(test_rates_and_angular_velocity_invert_each_other),
      cmocka_unit_test(test_rotation_vector_rates_hold_at_any_small_angle),
      cmocka_unit_test(test_matrix_and_quaternion_rates_are_derivatives),
      cmocka_unit_test(test_singular_attitudes_give_the_least_rates_of_the_nearest_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
