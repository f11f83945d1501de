/* dot.h -- sums of products of long vectors
 *
 * Four partial sums in a fixed order: compilers put them into vectors of any width, with the same result. */
#ifndef FB_MATH_DOT_H
#define FB_MATH_DOT_H

static inline double fb_dot(const double* x, const double* y, int n) {
  double sum[4] = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += x[i + k] * y[i + k];
  for (; i < n; i++) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
