/* near.h -- the tests' comparison of arrays of numbers.
 *
 * An error is measured against a scale: the largest element that is wanted, so that small quantities are compared as
 * sharply as large ones; or one that the test gives, where the result is a small difference of larger numbers. A
 * wanted zero without a scale is compared exactly. NaN and infinity are never near. Include after cmocka.h. */
#ifndef FB_TESTS_NEAR_H
#define FB_TESTS_NEAR_H

#include "keep_nan.h"

/* assert_near(what, got, want, n, tol): each element within tol times max|want|.
 * assert_near_of(scale, what, got, want, n, tol): within tol times scale, or max|want| where that is larger.
 * Variadic because `want` may be a compound literal. */
#define assert_near(...) near_check(__FILE__, __LINE__, 0, __VA_ARGS__)
#define assert_near_of(...) near_check(__FILE__, __LINE__, __VA_ARGS__)

/* The largest error over the larger of scale and max|want|: what assert_near_of compares with tol. */
static inline double relative_error(double scale, const double* got, const double* want, int n) {
  const double error = worst_difference(got, want, n);
  return error == 0 ? 0 : error / worse_of(scale, worst_of(want, n));
}

/* 0 when near; otherwise 1 + the index of the first element that is off. */
static inline int near_find(double scale, const double* got, const double* want, int n, double tol,
                            double* allowed) {
  *allowed = tol * worse_of(scale, worst_of(want, n));
  for (int i = 0; i < n; i++)
    if (!isfinite(got[i]) || !isfinite(want[i]) || !(fabs(got[i] - want[i]) <= *allowed)) return i + 1;
  return 0;
}

static inline void near_check(const char* file, int line, double scale, const char* what, const double* got,
                              const double* want, int n, double tol) {
  double allowed;
  const int off = near_find(scale, got, want, n, tol, &allowed);
  if (off == 0) return;
  print_error("%s: element %d is %.17g, wanted %.17g: off by %.3g, allowed %.3g\n", what, off - 1,
              got[off - 1], want[off - 1], fabs(got[off - 1] - want[off - 1]), allowed);
  _fail(file, line);
}

#endif
