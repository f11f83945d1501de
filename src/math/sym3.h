/* sym3.h -- symmetric 3x3 matrices as xx yy zz xy xz yz. */
#ifndef FB_MATH_SYM3_H
#define FB_MATH_SYM3_H

#include <freebody/export.h>

/* Eigenvalues in ascending order, by Jacobi's rotations; accurate to a few ulp of the largest. */
void fb_sym3_eigenvalues(const double A[6], double values[3]);
/* The same in no order, A = R diag(values) R^T with a rotation R. A matrix that is diagonal keeps its axes: R is 1. */
FB_API void fb_sym3_axes(const double A[6], double values[3], double R[9]);

/* A x. */
static inline void fb_sym3_apply(const double A[6], const double x[3], double out[3]) {
  out[0] = A[0] * x[0] + A[3] * x[1] + A[4] * x[2];
  out[1] = A[3] * x[0] + A[1] * x[1] + A[5] * x[2];
  out[2] = A[4] * x[0] + A[5] * x[1] + A[2] * x[2];
}

#endif
