/* test_quintic.c -- polynomials of degree 5: the fit goes through its points, extrema are where they were put. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "math/quintic.h"
#include "random.h"

static void a_fit_gives_back_its_polynomial(void** unused) {
  (void)unused;
  fb_random r = random_seed(5);
  for (int n = 0; n < 1000; n++) {
    double c[6], values[6], back[6];
    random_fill(&r, -1, 1, 6, c);
    for (int i = 0; i < 6; i++) values[i] = fb_quintic_at(c, -cos(acos(-1) * i / 5));
    fb_quintic_fit(values, back);
    for (int i = 0; i < 6; i++)
      if (!(fabs(back[i] - c[i]) < 1e-13))
        fail_msg("%g instead of %g", back[i], c[i]); /* condition about 100 */
  }
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Slopes with four given roots: those inside are the extrema. */
static void extrema_are_the_roots_of_the_slope(void** unused) {
  (void)unused;
  fb_random r = random_seed(6);
  for (int n = 0; n < 1000; n++) {
    double roots[4], slope[5] = {1}, c[6] = {random_in(&r, -1, 1)}, x[4], gap = INFINITY;
    random_fill(&r, -1.5, 1.5, 4, roots);
    qsort(roots, 4, sizeof *roots, by_size);
    for (int i = 1; i < 4; i++) gap = fmin(gap, roots[i] - roots[i - 1]);
    for (int i = 0; i < 4; i++) gap = fmin(gap, fabs(fabs(roots[i]) - 1));
    if (gap < 1e-2) continue; /* double roots come and go with rounding */
    for (int i = 0; i < 4; i++)
      for (int k = i + 1; k >= 0; k--)
        slope[k] = (k > 0 ? slope[k - 1] : 0) - (k <= i ? roots[i] * slope[k] : 0);
    for (int i = 0; i < 5; i++) c[i + 1] = slope[i] / (i + 1);
    int count = fb_quintic_extrema(c, x), want = 0;
    for (int i = 0; i < 4; i++) {
      if (fabs(roots[i]) >= 1) continue;
      assert_true(want < count);
      if (!(fabs(x[want] - roots[i]) < 1e-9)) fail_msg("%.12g instead of %.12g", x[want], roots[i]);
      want++;
    }
    assert_int_equal(count, want);
  }
}

static void lines_and_constants_have_no_extrema(void** unused) {
  (void)unused;
  const double line[6] = {1, -2}, constant[6] = {3}, parabola[6] = {1, 0.5, 1};
  double x[4];
  assert_int_equal(fb_quintic_extrema(line, x), 0);
  assert_int_equal(fb_quintic_extrema(constant, x), 0);
  assert_int_equal(fb_quintic_extrema(parabola, x), 1);
  assert_true(fabs(x[0] + 0.25) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fit_gives_back_its_polynomial),
      cmocka_unit_test(extrema_are_the_roots_of_the_slope),
      cmocka_unit_test(lines_and_constants_have_no_extrema),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
