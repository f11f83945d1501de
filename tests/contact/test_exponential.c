/* test_exponential.c -- exponential and logarithm of loops that vectorise, against libm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contact/law/exponential.h"
#include "near.h"
#include "random.h"

/* Largest relative difference of e^x - 1 from libm over random arguments in [-range, range]. */
static double worst_expm1(double range) {
  fb_random r = random_seed(11);
  double worst = 0;
  for (int i = 0; i < 200000; i++) {
    double x = random_in(&r, -range, range), wanted = expm1(x);
    worst = worse_of(worst, fabs(fb_expm1(x) - wanted) / fabs(wanted));
  }
  return worst;
}

static void exponential_less_one_is_libms_to_two_ulp(void** unused) {
  (void)unused;
  static const double RANGES[] = {1e-300, 1e-12, 1e-3, 0.34, 0.36, 1, 20, 700};
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
    assert_true(worst_expm1(RANGES[i]) <= 2 * 0x1p-52);
  assert_true(fb_expm1(0) == 0);
  assert_true(fb_expm1(-50) == -1);
}

static void logarithm_is_libms_to_two_ulp(void** unused) {
  (void)unused;
  fb_random r = random_seed(12);
  for (int i = 0; i < 200000; i++) {
    double x = exp(random_in(&r, -700, 700)), wanted = log(x);
    assert_true(fabs(fb_log(x) - wanted) <= 2 * 0x1p-52 * fabs(wanted));
  }
}

static void logarithm_near_one_is_worth_its_argument(void** unused) {
  (void)unused;
  for (int k = 0; k < 50; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double x = 1 + sign * ldexp(0.4, -k), wanted = log(x);
      assert_true(fabs(fb_log(x) - wanted) <= 2 * 0x1p-52 * fabs(wanted));
    }
  assert_true(fb_log(1) == 0);
}

static void borders_of_the_mantissa_are_right(void** unused) {
  (void)unused;
  for (int e = -1020; e <= 1020; e++) {
    double x = ldexp(0.70710678118654752, e);
    for (int ulp = 0; ulp < 4; ulp++, x = nextafter(x, INFINITY))
      assert_true(fabs(fb_log(x) - log(x)) <= 0x1p-51 * fmax(1, fabs(log(x))));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponential_less_one_is_libms_to_two_ulp),
      cmocka_unit_test(logarithm_is_libms_to_two_ulp),
      cmocka_unit_test(logarithm_near_one_is_worth_its_argument),
      cmocka_unit_test(borders_of_the_mantissa_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
