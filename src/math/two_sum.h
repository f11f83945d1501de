/* two_sum.h -- a sum and what rounding leaves of it (Knuth, The Art of Computer Programming 2, 4.2.2). */
#ifndef FB_MATH_TWO_SUM_H
#define FB_MATH_TWO_SUM_H

/* x + rest as the nearest number, and what it lacks. */
static inline void fb_add_with_rest(double* x, double* rest) {
  double sum = *x + *rest, part = sum - *x;
  *rest = (*x - (sum - part)) + (*rest - part);
  *x = sum;
}

#endif
