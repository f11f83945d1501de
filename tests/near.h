/* near.h -- the tests' comparison of arrays of numbers.
 *
 * Every element within tol times max(1, max|want|), as the reference files ask. Include after cmocka.h. */
#ifndef FB_TESTS_NEAR_H
#define FB_TESTS_NEAR_H

#include "keep_nan.h"

/* assert_near(what, got, want, n, tol); variadic because `want` may be a compound literal. */
#define assert_near(...) near_check(__FILE__, __LINE__, __VA_ARGS__)

/* 0 when near; otherwise 1 + the index of the first element that is off (NaN is off). */
static inline int near_find(const double* got, const double* want, int n, double tol, double* scale) {
  *scale = 1;
  for (int i = 0; i < n; i++) *scale = fmax(*scale, fabs(want[i]));
  for (int i = 0; i < n; i++) {
    if (!(fabs(got[i] - want[i]) <= tol * *scale)) return i + 1;
  }
  return 0;
}

static inline void near_check(const char* file, int line, const char* what, const double* got,
                              const double* want, int n, double tol) {
  double scale;
  const int off = near_find(got, want, n, tol, &scale);
  if (off == 0) return;
  print_error("%s: element %d is %.17g, wanted %.17g: off by %.3g, allowed %.3g\n", what, off - 1,
              got[off - 1], want[off - 1], fabs(got[off - 1] - want[off - 1]), tol * scale);
  _fail(file, line);
}

#endif
