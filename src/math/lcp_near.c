/* lcp_near.c -- a linear complementarity problem whose solution is guessed
 *
 *   a = {i : z_i > 0} of the guess,   M_aa z_a = -q_a,   z = 0 elsewhere
 *
 * by Gaussian elimination with row exchanges, refined once with residuals from M itself. It is a solution if z_a >= 0 and
 * w >= 0; if not, or if M_aa is singular, Lemke's method begins anew. Cost |a|^3 / 3. */
#include <math.h>

#include "math/lcp.h"

typedef struct system {
  int size;
  double *A, *x; /* [size * size], [size] */
  int* row;      /* [size]: of A, in the order of elimination */
} system;

static double* row_of(const system* s, int i) {
  return s->A + (size_t)s->row[i] * (size_t)s->size;
}

/* L and U in place; 0 when it is singular up to rounding. */
static int factorise(system* s) {
  int n = s->size;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(row_of(s, i)[k]) > fabs(row_of(s, best)[k])) best = i;
    int swap = s->row[k];
    s->row[k] = s->row[best];
    s->row[best] = swap;
    const double* from = row_of(s, k);
    if (!(fabs(from[k]) > 0) || !isfinite(1 / from[k])) return 0;
    for (int i = k + 1; i < n; i++) {
      double *row = row_of(s, i), factor = row[k] / from[k];
      row[k] = factor;
      for (int j = k + 1; j < n && factor != 0; j++) row[j] -= factor * from[j];
    }
  }
  return 1;
}

/* x = A^-1 b, with b in x and in the order of the rows of A; y: [size]. */
static void solve(const system* s, double* y) {
  int n = s->size;
  for (int i = 0; i < n; i++) {
    y[i] = s->x[s->row[i]];
    for (int j = 0; j < i; j++) y[i] -= row_of(s, i)[j] * y[j];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) y[i] -= row_of(s, i)[j] * y[j];
    y[i] /= row_of(s, i)[i];
  }
  for (int i = 0; i < n; i++) s->x[i] = y[i];
}

/* The entries that are positive: their number, and which they are. */
static int find_positive(int n, const double* z, int* a) {
  int count = 0;
  for (int i = 0; i < n; i++)
    if (z[i] > 0) a[count++] = i;
  return count;
}

/* Adds to z what makes w_a zero: the first time that is the solution, the second time its refinement. */
static double improve(const system* s, const int* a, int n, const double* M, const double* q, double* z,
                      double* w, double* y) {
  for (int i = 0; i < s->size; i++) s->x[i] = -w[a[i]];
  solve(s, y);
  for (int i = 0; i < s->size; i++) z[a[i]] = fmax(0, z[a[i]] + s->x[i]);
  double rounding, found = fb_lcp_measure(n, M, q, z, w, &rounding);
  return fmax(found, rounding);
}

/* 1 when the guess leads to a solution. */
static int try_guess(int n, const double* M, const double* q, double* z, double* w, double* work, int* ints,
                     double* residual) {
  int* a = ints;
  int count = find_positive(n, z, a);
  system s = {count, work + 2 * n, work, ints + n};
  double size = 0;
  if (count == 0) return 0;
  for (int i = 0; i < count; i++) {
    s.row[i] = i;
    for (int j = 0; j < count; j++) s.A[i * count + j] = M[(size_t)a[i] * (size_t)n + (size_t)a[j]];
  }
  if (!factorise(&s)) return 0;
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    w[i] = q[i];
    if (fabs(q[i]) > size) size = fabs(q[i]);
  }
  improve(&s, a, n, M, q, z, w, work + n);
  double worst = improve(&s, a, n, M, q, z, w, work + n);
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
