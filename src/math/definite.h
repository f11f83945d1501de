/* definite.h -- whether an inertia, as a symmetric matrix, is positive by more than rounding, whatever its axes. */
#ifndef FB_MATH_DEFINITE_H
#define FB_MATH_DEFINITE_H

enum { FB_DEFINITE_MOST = 6 };

/* Rounding: below this part of what it came from a number means nothing. */
#define FB_ROUNDING 1e-13

/* A, n x n, row major, lower triangle read, n <= 6; scale[i] is the size of what A[i][i] came from. *least is the least
 * pivot met. A is overwritten. */
int fb_definite(double* A, int n, const double* scale, double* least);

/* Of a free body: 6x6, linear part first. */
int fb_definite6(const double M[36], double* least);

#endif
