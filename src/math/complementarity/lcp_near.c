/* lcp_near.c -- a linear complementarity problem whose solution is guessed
 *
 *   a = {i : z_i > 0} of the guess,   M_aa z_a = -q_a,   z = 0 elsewhere
 *
 * by Gaussian elimination with row exchanges, refined once with residuals from M itself. It is a solution if z_a >= 0 and
 * w >= 0; if not, or if M_aa is singular, Lemke's method begins again. Cost |a|^3 / 3. */
#include <math.h>

#include <freebody/lcp.h>

#include "math/lu.h"

/* 1 when the guess leads to a solution. */
static int try_guess(int n, const double* M, const double* q, double* z, double* w, double* work, int* ints,
                     double* residual) {
  int *a = ints, *rows = ints + n, count = 0;
  double *x = work, *solving = work + n, *A = work + 2 * n, size = 0, worst = INFINITY;
  for (int i = 0; i < n; i++)
    if (z[i] > 0) a[count++] = i;
  if (count == 0) return 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) A[i * count + j] = M[(size_t)a[i] * (size_t)n + (size_t)a[j]];
  if (fb_lu_factor(A, count, rows) == 0) return 0;
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    w[i] = q[i];
    if (fabs(q[i]) > size) size = fabs(q[i]);
  }
  /* Adds to z what makes w_a zero: the first time that is the solution, the second time its refinement. */
  for (int round = 0; round < 2; round++) {
    double rounding;
    for (int i = 0; i < count; i++) x[i] = -w[a[i]];
    fb_lu_solve(A, count, rows, x, solving);
    for (int i = 0; i < count; i++) z[a[i]] = fmax(0, z[a[i]] + x[i]);
    worst = fb_lcp_measure(n, M, q, z, w, &rounding);
    worst = fmax(worst, rounding);
  }
  *residual = worst / size;
  return worst <= 1e-12 * size;
}

fb_lcp_result fb_lcp_solve_near(int n, const double* M, const double* q, double* z, double* w, double* work,
                                int* basis, double* residual) {
  double found;
  if (!try_guess(n, M, q, z, w, work, basis, &found))
    return fb_lcp_solve(n, M, q, z, w, work, basis, residual);
  if (residual) *residual = found;
  return FB_LCP_SOLVED;
}
