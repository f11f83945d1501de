/* keep_nan.h -- accumulates the largest or smallest of many numbers without losing a NaN.
 *
 * fmax and fmin return the other number when one is a NaN, and a comparison with a NaN is false, so that an error
 * that was not a number would be forgotten at the next one. Here a NaN is worse than every number and stays. */
#ifndef FB_TESTS_KEEP_NAN_H
#define FB_TESTS_KEEP_NAN_H

#include <math.h>

/* The larger of two numbers; a NaN if there is one. */
static inline double worse_of(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

/* The smaller of two numbers; a NaN if there is one. */
static inline double lesser_of(double a, double b) {
  return isnan(a) || a <= b ? a : b;
}

/* max |x_i|, zero for n = 0; a NaN if there is one. */
static inline double worst_of(const double* x, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) worst = worse_of(worst, fabs(x[i]));
  return worst;
}

/* max |x_i - y_i|, zero for n = 0; a NaN if there is one. */
static inline double worst_difference(const double* x, const double* y, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) worst = worse_of(worst, fabs(x[i] - y[i]));
  return worst;
}

#endif
