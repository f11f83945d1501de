/* lcp.h -- the linear complementarity problem:  w = M z + q,  w >= 0,  z >= 0,  w . z = 0, by Lemke's method.
 *
 * docs/theory/complementarity.md describes it. In caller's memory:
 *
 *   double* work = malloc(fb_lcp_work_size(n) * sizeof *work);
 *   int* basis = malloc(fb_lcp_basis_size(n) * sizeof *basis);
 *   if (fb_lcp_solve(n, M, q, z, w, work, basis, NULL) == FB_LCP_SOLVED) ... */
#ifndef FREEBODY_LCP_H
#define FREEBODY_LCP_H

#include <stddef.h>

#include <freebody/export.h>

typedef enum fb_lcp_result {
  FB_LCP_SOLVED,
  FB_LCP_RAY,    /* Lemke's path runs off to infinity: no solution was found, and there may be none */
  FB_LCP_INEXACT /* the best z found does not reach the tolerance (see the residual), or M or q is not finite */
} fb_lcp_result;

FB_BEGIN_DECLS

/* Memory for problems of up to n unknowns: so many doubles, so many ints. */
FB_API size_t fb_lcp_work_size(int n);
FB_API size_t fb_lcp_basis_size(int n);

/* Solves for z and w (n each); M is n x n, row major, and any matrix. Solved means that the residual, max |min(z_i,
 * (M z + q)_i)| over max |q_i|, is at most 1e-10, rounding of the sums included; it is filled unless it is NULL. On a
 * ray z and w are zero and the residual is infinite. Where no q is negative, z = 0 and M is not read. Allocates
 * nothing. */
FB_API fb_lcp_result fb_lcp_solve(int n, const double* M, const double* q, double* z, double* w, double* work,
                                  int* basis, double* residual);
/* The same from a guess in z: when its positive entries are those of a solution, one factorisation finds it. */
FB_API fb_lcp_result fb_lcp_solve_near(int n, const double* M, const double* q, double* z, double* w,
                                       double* work, int* basis, double* residual);

/* w = M z + q; returns max |min(z_i, w_i)|, infinite when a number is not finite. *rounding, unless it is NULL: by how much
 * the sums may change when they are taken in another order. */
FB_API double fb_lcp_measure(int n, const double* M, const double* q, const double* z, double* w,
                             double* rounding);

FB_END_DECLS

#endif
