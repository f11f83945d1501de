/* ldl.h -- factors and solves a small dense symmetric positive definite system, A = L D L^T. */
#ifndef FB_MATH_LDL_H
#define FB_MATH_LDL_H

/* In place, row major, lower triangle read and written: L below the diagonal, D on it. Returns 0, or
 * 1 + the index of the first pivot that is not positive. */
int fb_ldl_factor(double* A, int n);

/* Overwrites b with the solution. */
void fb_ldl_solve(const double* A, int n, double* b);

#endif
