/* array.h -- what is often done with arrays of numbers. */
#ifndef FB_MATH_ARRAY_H
#define FB_MATH_ARRAY_H

#include <math.h>

static inline double fb_array_dot(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

static inline double fb_array_largest(const double* x, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

static inline int fb_array_is_finite(const double* x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

static inline void fb_array_swap(double* a, double* b, int count) {
  for (int i = 0; i < count; i++) {
    double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

#endif
