/* lu.h -- factors and solves a dense system that need not be symmetric, P A = L U. */
#ifndef FB_MATH_LU_H
#define FB_MATH_LU_H

/* In place, row major, rows exchanged: L below the diagonal, U on and above it. rows[i] is the row of A that came to
 * place i. Returns the least pivot in magnitude over the largest entry of A; 0 where A is singular or not finite, and then
 * the factors are of no use. */
double fb_lu_factor(double* A, int n, int* rows);

/* Overwrites b with the solution; work: [n]. */
void fb_lu_solve(const double* A, int n, const int* rows, double* b, double* work);

#endif
