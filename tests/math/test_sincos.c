/* test_sincos.c -- the kernels' own sine and cosine against libm, and at the quadrant borders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/quat.inl"
#include "near.h"
#include "random.h"

/* Largest absolute difference from libm over random arguments in [-range, range]. */
static double worst_in(double range, int count) {
  fb_random r = random_seed(11);
  double worst = 0;
  for (int i = 0; i < count; i++) {
    double x = random_in(&r, -range, range), s, c;
    fb_sincos(x, &s, &c);
    worst = worse_of(worst, worse_of(fabs(s - sin(x)), fabs(c - cos(x))));
  }
  return worst;
}

static void sine_and_cosine_are_libms_to_two_ulp(void** unused) {
  (void)unused;
  static const double RANGES[] = {1e-8, 0.1, 0.785, 3.2, 20, 1e3, 1e6};
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
    assert_true(worst_in(RANGES[i], 200000) <= 2 * 0x1p-53 * 1.01);
}

static void beyond_a_million_the_error_grows_as_the_argument_is_worth(void** unused) {
  (void)unused;
  static const double RANGES[] = {1e8, 1e10, 1e12};
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
    assert_true(worst_in(RANGES[i], 20000) <= 2 * RANGES[i] * 0x1p-52);
}

static void quadrant_borders_are_right(void** unused) {
  (void)unused;
  for (int k = -40; k <= 40; k++)
    for (int ulp = -3; ulp <= 3; ulp++) {
      double x = k * (1.5707963267948966 / 2), s, c;
      for (int i = 0; i < ulp; i++) x = nextafter(x, INFINITY);
      for (int i = 0; i > ulp; i--) x = nextafter(x, -INFINITY);
      fb_sincos(x, &s, &c);
      assert_true(fabs(s - sin(x)) <= 0x1p-52 && fabs(c - cos(x)) <= 0x1p-52);
    }
}

static void zero_gives_exactly_zero_and_one(void** unused) {
  (void)unused;
  double s, c;
  fb_sincos(0, &s, &c);
  assert_true(s == 0 && c == 1);
}

static void exponential_is_smooth_where_the_series_hands_over(void** unused) {
  (void)unused;
  static const double LENGTHS[] = {0, 1e-300, 1e-20, 1e-6, 0.00999999, 0.01, 0.01000001, 0.1, 3, 6.2};
  for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
    double n = LENGTHS[i];
    fb_quat q = fb_quat_exp(fb_v3_make(0.6 * n, 0, -0.8 * n));
    double got[4] = {q.w, q.x, q.y, q.z};
    double want[4] = {cos(n / 2), 0.6 * sin(n / 2), 0, -0.8 * sin(n / 2)};
    assert_near("exp", got, want, 4, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sine_and_cosine_are_libms_to_two_ulp),
      cmocka_unit_test(beyond_a_million_the_error_grows_as_the_argument_is_worth),
      cmocka_unit_test(quadrant_borders_are_right),
      cmocka_unit_test(zero_gives_exactly_zero_and_one),
      cmocka_unit_test(exponential_is_smooth_where_the_series_hands_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
