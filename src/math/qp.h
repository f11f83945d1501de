/* qp.h -- least squares by priority subject to linear inequalities
 *
 *   level 1:  min |A_1 x - b_1|^2  subject to  C x <= d
 *   level k:  min |A_k x - b_k|^2  subject to the same, and to A_j x as the levels before have left it
 *
 * so that no level costs the ones before it anything, and the inequalities hold always. */
#ifndef FB_MATH_QP_H
#define FB_MATH_QP_H

#include <stddef.h>

/* A is rows x n, row major. */
typedef struct fb_qp_level {
  int rows;
  const double *A, *b;
} fb_qp_level;

typedef struct fb_qp {
  int n, nlevel, nbound;
  const fb_qp_level* levels;
  const double *C, *d; /* nbound x n, row major; nbound */
} fb_qp;

typedef struct fb_qp_result {
  int solved; /* 0: stopped at the limit of iterations, or numbers are not finite; x is feasible all the same */
  int iterations; /* of all levels */
  int active;     /* inequalities that x touches at the end */
} fb_qp_result;

/* Doubles and ints of scratch for problems of up to n unknowns, nbound inequalities and so many rows of a level. */
size_t fb_qp_work_size(int n, int nbound, int rows);
size_t fb_qp_int_size(int n, int nbound, int rows);
/* x (n): on entry a point with C x <= d, best inside; on return the solution. What the last level leaves open is as near to
 * the entry as the levels before permit. Allocates nothing. */
fb_qp_result fb_qp_solve(const fb_qp* problem, double* x, double* work, int* ints);

#endif
