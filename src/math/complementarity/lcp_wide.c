/* lcp_wide.c -- linear complementarity problems whose numbers have very different sizes
 *
 *   w' = R w,  z = C z':   w' = R M C z' + R q,  0 <= w' _|_ z' >= 0      R, C diagonal and positive
 *
 * lcp.c takes what is below 2^-92 of the largest number for rounding of zero, as it is in a simulation, and ends on a ray where
 * only such numbers would lead to a solution. A ray of a problem with numbers so small is therefore examined again, with rows
 * and columns scaled apart: once so that all q are of size one, and once so that M is. That keeps the set of solutions, but no
 * symmetry, hence the second place. Scales are powers of two and round nothing. What is found counts by its residual in the
 * problem as it was given; a ray stays one if no scaling leads elsewhere. */
#include "math/complementarity/lcp_wide.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const double GOOD = 1e-10; /* residual of a solution */

enum { WIDE = 92, ROUNDS = 4 }; /* in binary places; of rows and columns in turn */

typedef struct scaled {
  int n;
  const double *M, *q;
  double *A, *b, *z, *w, *work; /* R M C, R q, z', w' */
  int *rows, *columns;          /* exponents of R and C */
} scaled;

size_t fb_lcp_wide_work_size(int n) {
  size_t m = (size_t)n;
  return m * m + 4 * m + fb_lcp_work_size(n); /* the integers take no more than the doubles would */
}

/* The exponent of x; `none` for zero and what is not finite. */
static int exponent_of(double x, int none) {
  int e;
  if (x == 0 || !(fabs(x) <= DBL_MAX)) return none;
  frexp(x, &e);
  return e;
}

/* Whether a number other than zero is so much smaller than another that it may have been taken for zero. */
static int is_wide(int n, const double* M, const double* q) {
  const int none = INT_MIN;
  int least = 0, most = none;
  for (int i = 0; i < n * n + n; i++) {
    int e = exponent_of(i < n * n ? M[i] : q[i - n * n], none);
    if (e == none) continue;
    least = most == none || e < least ? e : least;
    most = e > most ? e : most;
  }
  return most != none && most - least > WIDE;
}

/* The largest exponent in a row or column of R M C. */
static int largest(const scaled* p, int at, int is_row) {
  const int none = INT_MIN;
  int most = none, n = p->n;
  for (int k = 0; k < n; k++) {
    int i = is_row ? at : k, j = is_row ? k : at,
        e = exponent_of(p->M[(size_t)i * (size_t)n + (size_t)j], none);
    if (e == none) continue;
    e += p->rows[i] + p->columns[j];
    most = e > most ? e : most;
  }
  return most == none ? 0 : most;
}

static void scale_by_q(scaled* p) {
  for (int i = 0; i < p->n; i++) p->rows[i] = -exponent_of(p->q[i], 0);
  for (int j = 0; j < p->n; j++) p->columns[j] -= largest(p, j, 0);
}

static void scale_by_matrix(scaled* p) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < p->n; i++) p->rows[i] -= largest(p, i, 1);
    for (int j = 0; j < p->n; j++) p->columns[j] -= largest(p, j, 0);
  }
}

/* Solves the scaled problem; takes z and w as they were given when they are better than *best, their residual. 1: they are a
 * solution. *rays: whether this was one as well. */
static int attempt(scaled* p, int by_q, double* z, double* w, int* basis, double* best, int* rays) {
  int n = p->n;
  double size = 0, rounding;
  memset(p->rows, 0, (size_t)n * sizeof *p->rows);
  memset(p->columns, 0, (size_t)n * sizeof *p->columns);
  if (by_q)
    scale_by_q(p);
  else
    scale_by_matrix(p);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) p->A[i * n + j] = ldexp(p->M[i * n + j], p->rows[i] + p->columns[j]);
    p->b[i] = ldexp(p->q[i], p->rows[i]);
    size = fmax(size, fabs(p->q[i]));
  }
  fb_lcp_result result = fb_lcp_solve(n, p->A, p->b, p->z, p->w, p->work, basis, NULL);
  *rays &= result == FB_LCP_RAY;
  if (result == FB_LCP_RAY) return 0;
  for (int i = 0; i < n; i++) p->z[i] = ldexp(p->z[i], p->columns[i]);
  double residual = fb_lcp_measure(n, p->M, p->q, p->z, p->w, &rounding);
  if (!(residual < *best)) return 0;
  *best = residual;
  memcpy(z, p->z, (size_t)n * sizeof *z);
  memcpy(w, p->w, (size_t)n * sizeof *w);
  return fmax(residual, rounding) <= GOOD * size;
}

fb_lcp_result fb_lcp_solve_wide(int n, const double* M, const double* q, double* z, double* w, double* work,
                                int* basis) {
  size_t m = (size_t)n;
  fb_lcp_result result = fb_lcp_solve(n, M, q, z, w, work, basis, NULL);
  if (result != FB_LCP_RAY || !is_wide(n, M, q)) return result;
  scaled p = {.n = n, .M = M, .q = q, .A = work, .b = work + m * m};
  p.z = p.b + m;
  p.w = p.z + m;
  p.rows = (int*)(p.w + m);
  p.columns = p.rows + m;
  p.work = p.w + 2 * m;
  double best = INFINITY;
  int rays = 1;
  for (int by_q = 1; by_q >= 0; by_q--)
    if (attempt(&p, by_q, z, w, basis, &best, &rays)) return FB_LCP_SOLVED;
  return rays ? FB_LCP_RAY : FB_LCP_INEXACT;
}
