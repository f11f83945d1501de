/* lcp.c -- Lemke's method for  w = M z + q,  0 <= w _|_ z >= 0
 *
 *   w - M z - 1 z0 = q,   z0 enters for the most negative q and the complement of what left enters next, until z0
 *   itself leaves.
 *
 * Ties in the ratio test are broken lexicographically, on the rows of the inverse basis, so that no problem cycles;
 * but where z0 is among them it leaves, since that ends the path: without it most problems with friction end on a
 * ray that is none. The problem is scaled symmetrically, d_i M_ij d_j with d_i = |M_ii|^-1/2, and tried unscaled when that
 * ends on a ray; q is scaled to size one. Positive semidefinite matrices always end with a solution where there is one.
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, 4.4, 4.9. Cost O(n^2) a pivot, about n
 * pivots. */
#include "math/lcp.h"

#include <math.h>
#include <string.h>

/* Columns of the tableau: w (n), z (n), z0, right-hand side. */
static int width(int n) {
  return 2 * n + 2;
}

size_t fb_lcp_work_size(int n) {
  return (size_t)n * (size_t)width(n) + (size_t)n;
}

size_t fb_lcp_basis_size(int n) {
  return (size_t)n;
}

static double* row_of(double* tableau, int n, int i) {
  return tableau + (size_t)i * (size_t)width(n);
}

/* [1, -D M D, -1 | D q / size] */
static void fill(double* tableau, int n, const double* M, const double* q, const double* d, double size,
                 int* basis) {
  for (int i = 0; i < n; i++) {
    double* row = row_of(tableau, n, i);
    memset(row, 0, (size_t)width(n) * sizeof *row);
    row[i] = 1;
    for (int j = 0; j < n; j++) row[n + j] = -d[i] * M[(size_t)i * (size_t)n + (size_t)j] * d[j];
    row[2 * n] = -1;
    row[2 * n + 1] = d[i] * q[i] / size;
    basis[i] = i;
  }
}

static void pivot(double* tableau, int n, int leaving, int entering, int* basis) {
  double* from = row_of(tableau, n, leaving);
  double reciprocal = 1 / from[entering];
  for (int j = 0; j < width(n); j++) from[j] *= reciprocal;
  from[entering] = 1;
  for (int i = 0; i < n; i++) {
    double *row = row_of(tableau, n, i), factor = row[entering];
    if (i == leaving || factor == 0) continue;
    for (int j = 0; j < width(n); j++) row[j] -= factor * from[j];
    row[entering] = 0;
  }
  basis[leaving] = entering;
}

/* Whether row a, divided by its entry in the column, comes before row b: by the right-hand side, then by the columns of
 * the inverse basis. */
static int comes_before(const double* a, const double* b, int n, int column) {
  static const double SAME = 1e-12;
  for (int j = -1; j < n; j++) {
    int at = j < 0 ? 2 * n + 1 : j;
    double x = a[at] / a[column], y = b[at] / b[column];
    if (fabs(x - y) > SAME * (fabs(x) + fabs(y) + 1e-3)) return x < y;
  }
  return 0;
}

static int same_ratio(const double* a, const double* b, int n, int column) {
  double x = a[2 * n + 1] / a[column], y = b[2 * n + 1] / b[column];
  return fabs(x - y) <= 1e-12 * (fabs(x) + fabs(y) + 1e-3);
}

/* The row that leaves when `entering` grows; -1 on a ray. */
static int find_leaving(double* tableau, int n, int entering, const int* basis) {
  static const double SMALL = 1e-11; /* pivots below this are rounding: rows are of size one */
  int best = -1, z0 = -1;
  for (int i = 0; i < n; i++) {
    const double* row = row_of(tableau, n, i);
    if (!(row[entering] > SMALL)) continue;
    if (basis[i] == 2 * n) z0 = i;
    if (best < 0 || comes_before(row, row_of(tableau, n, best), n, entering)) best = i;
  }
  if (z0 >= 0 && same_ratio(row_of(tableau, n, z0), row_of(tableau, n, best), n, entering)) return z0;
  return best;
}

/* z0 enters where the right-hand side is most negative; lexicographically, with its column taken as 1. */
static int find_first(double* tableau, int n) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    const double *a = row_of(tableau, n, i), *b = row_of(tableau, n, best);
    /* Rows of the identity: of two that are equal the later one comes first. */
    if (a[2 * n + 1] <= b[2 * n + 1]) best = i;
  }
  return best;
}

/* 1 when z0 has left the basis. */
static int follow_path(double* tableau, int n, int* basis) {
  int leaving = find_first(tableau, n), entering = 2 * n;
  if (row_of(tableau, n, leaving)[2 * n + 1] >= 0) return 1;
  for (int i = 0; i < 50 * n + 100; i++) {
    int left = basis[leaving];
    pivot(tableau, n, leaving, entering, basis);
    if (left == 2 * n) return 1;
    entering = left < n ? left + n : left - n;
    leaving = find_leaving(tableau, n, entering, basis);
    if (leaving < 0) return 0;
  }
  return 0;
}

static double residual_of(int n, const double* M, const double* q, const double* z, double* w) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    w[i] = q[i];
    for (int j = 0; j < n; j++) w[i] += M[(size_t)i * (size_t)n + (size_t)j] * z[j];
    double off = fabs(z[i] < w[i] ? z[i] : w[i]);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}

static int try_scaled(int n, const double* M, const double* q, const double* d, double size, double* z,
                      double* tableau, int* basis) {
  fill(tableau, n, M, q, d, size, basis);
  if (!follow_path(tableau, n, basis)) return 0;
  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 0; i < n; i++)
    if (basis[i] >= n && basis[i] < 2 * n)
      z[basis[i] - n] = fmax(0, row_of(tableau, n, i)[2 * n + 1]) * d[basis[i] - n] * size;
  return 1;
}

fb_lcp_result fb_lcp_solve(int n, const double* M, const double* q, double* z, double* w, double* work,
                           int* basis, double* residual) {
  static const double GOOD = 1e-9;
  double *d = work, *tableau = work + n, size = 0, best = INFINITY;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(q[i]));
  memset(z, 0, (size_t)n * sizeof *z);
  if (size == 0) size = 1;
  for (int attempt = 0; attempt < 2 && !(best <= GOOD); attempt++) {
    for (int i = 0; i < n; i++) {
      double diagonal = fabs(M[(size_t)i * (size_t)n + (size_t)i]);
      d[i] = attempt == 0 && diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    }
    if (try_scaled(n, M, q, d, size, z, tableau, basis)) best = residual_of(n, M, q, z, w) / size;
  }
  if (residual) *residual = best;
  return best <= GOOD ? FB_LCP_SOLVED : isinf(best) ? FB_LCP_RAY : FB_LCP_INEXACT;
}
