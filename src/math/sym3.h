/* sym3.h -- symmetric 3x3 matrices as xx yy zz xy xz yz. */
#ifndef FB_MATH_SYM3_H
#define FB_MATH_SYM3_H

#include <freebody/export.h>

/* Eigenvalues in ascending order, by Jacobi's rotations; accurate to a few ulp of the largest. */
void fb_sym3_eigenvalues(const double A[6], double values[3]);
/* The same in no order, A = R diag(values) R^T with a rotation R. A matrix that is diagonal keeps its axes: R is 1. */
FB_API void fb_sym3_axes(const double A[6], double values[3], double R[9]);

#endif
