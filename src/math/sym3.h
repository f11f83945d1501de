/* sym3.h -- symmetric 3x3 matrices as xx yy zz xy xz yz. */
#ifndef FB_MATH_SYM3_H
#define FB_MATH_SYM3_H

/* Eigenvalues in ascending order, by Jacobi's rotations; accurate to a few ulp of the largest. */
void fb_sym3_eigenvalues(const double A[6], double values[3]);

#endif
