/* lcp.h -- the linear complementarity problem:  w = M z + q,  w >= 0,  z >= 0,  w . z = 0. */
#ifndef FB_MATH_LCP_H
#define FB_MATH_LCP_H

#include <stddef.h>

typedef enum fb_lcp_result {
  FB_LCP_SOLVED,
  FB_LCP_RAY,    /* Lemke's path runs off to infinity: no solution was found, and there may be none */
  FB_LCP_INEXACT /* a solution was found, but rounding spoiled it: see the residual */
} fb_lcp_result;

/* Memory for problems of up to n unknowns: so many doubles, so many ints. */
size_t fb_lcp_work_size(int n);
size_t fb_lcp_basis_size(int n);

/* Solves for z and w (n each); M is n x n, row major, and any matrix. The residual, max |min(z_i, (M z + q)_i)| over
 * max |q_i|, is filled unless it is NULL. Allocates nothing. */
fb_lcp_result fb_lcp_solve(int n, const double* M, const double* q, double* z, double* w, double* work,
                           int* basis, double* residual);

#endif
