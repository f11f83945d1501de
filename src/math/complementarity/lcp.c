/* lcp.c -- linear complementarity problems  w = M z + q,  0 <= w _|_ z >= 0:  scaling, attempts, refinement
 *
 * Each attempt follows a path of Lemke's method (lemke.c) and, where it ends with a solution, refines that by the inverse
 * basis which the tableau contains, with residuals from M and q themselves. Attempts differ by scaling and by the covering
 * vector c of z0, hence by path: some problems are solved by one and not by another, because of rounding, because a path
 * would take 2^n pivots (Murty, Fathi), or because it ends on a ray. The first is scaled symmetrically, d_i M_ij d_j with d_i
 * near |M_ii|^-1/2, which makes the path independent of units. All scales are powers of two, so that scaling rounds nothing.
 * Positive semidefinite matrices end with a solution where there is one. docs/theory/complementarity.md. */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <freebody/lcp.h>

#include "base/random.h"
#include "math/array.h"
#include "math/complementarity/lemke.h"

static const double GOOD = 1e-10; /* residual of a solution */
static const double FINE = 1e-14; /* residual that is not refined any more */
static const double FAR = 0x1p46; /* scales do not differ by more: what is so small is rounding of zero */

typedef struct problem {
  int n;
  const double *M, *q;
  double size;           /* max |q_i| */
  double *d, *cover;     /* scale; covering vector */
  double *trial, *image; /* z and w of an attempt */
  double* step;          /* [n + 1]: of the refinement */
  fb_lemke tableau;
} problem;

/* What an attempt is: its scaling, its covering vector, and the pivots it may take for n unknowns. */
typedef struct attempt {
  int scaled;
  int cover;    /* 0: ones; else the seed of a random one */
  double small; /* pivots below this are taken for rounding */
  int base, each;
} attempt;

static const attempt ATTEMPTS[] = {
    {1, 0, 1e-11, 100, 50}, {0, 0, 1e-11, 100, 50}, {1, 1, 1e-9, 100, 50},
    {1, 2, 1e-8, 100, 50},  {0, 3, 1e-8, 100, 50},  {1, 4, 1e-10, 5000, 100},
};
enum { ATTEMPT_COUNT = sizeof ATTEMPTS / sizeof ATTEMPTS[0] };

size_t fb_lcp_work_size(int n) {
  return fb_lemke_double_size(n) + 5 * (size_t)n + 1;
}

size_t fb_lcp_basis_size(int n) {
  return fb_lemke_int_size(n);
}

static void pose(problem* p, int n, const double* M, const double* q, double* work, int* ints) {
  p->n = n;
  p->M = M;
  p->q = q;
  p->d = work;
  p->cover = p->d + n;
  p->trial = p->cover + n;
  p->image = p->trial + n;
  p->step = p->image + n;
  fb_lemke_place(&p->tableau, n, p->step + n + 1, ints);
}

/* ---- scaling --------------------------------------------------------------------------------------------- */

/* 2^k with k near -log2(x) / 2 (root) or -log2(x), from the exponent of x; 1 for zero and what is not finite. */
static double reciprocal_power(double x, int root) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0 || exponent == 0x7ff) return 1;
  int k = root ? (1023 - exponent) / 2 : 1023 - exponent;
  bits = (uint64_t)(1023 + (k < -1022 ? -1022 : k)) << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A diagonal that is zero says nothing: such a row is scaled by what couples it to the others, unless that is rounding. */
static void scale_by_coupling(problem* p, int i, double least) {
  double largest = 0;
  const double *row = p->M + (size_t)i * (size_t)p->n, *column = p->M + i;
  for (int j = 0; j < p->n; j++, column += p->n) {
    if (!(p->d[j] > 0)) continue;
    double a = fabs(row[j]), b = fabs(*column), coupling = (a > b ? a : b) * p->d[j];
    if (coupling > largest) largest = coupling;
  }
  double scale = reciprocal_power(largest, 0);
  p->d[i] = scale > FAR * least ? -least : -scale;
}

static void scale(problem* p, int scaled) {
  int n = p->n, bare = 0;
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    double diagonal = p->M[(size_t)i * (size_t)n + (size_t)i], d = scaled ? reciprocal_power(diagonal, 1) : 1;
    if (scaled && diagonal == 0) d = 0;
    p->d[i] = d;
    bare |= d == 0;
    if (d > 0 && d < least) least = d;
    if (d > most) most = d;
  }
  if (!bare && most <= FAR * least) return;
  for (int i = 0; i < n; i++)
    if (p->d[i] > FAR * least) p->d[i] = 0;
  /* Those that are done here are marked by their sign until all are done. */
  for (int i = 0; i < n; i++)
    if (p->d[i] == 0) scale_by_coupling(p, i, least);
  for (int i = 0; i < n; i++) p->d[i] = fabs(p->d[i]);
}

static void start(problem* p, const attempt* a) {
  scale(p, a->scaled);
  fb_random random = {(uint64_t)a->cover, 0};
  for (int i = 0; a->cover && i < p->n; i++) p->cover[i] = fb_random_uniform(&random, 0.5, 2);
  p->tableau.small = a->small;
  fb_lemke_fill(&p->tableau, p->M, p->q, p->d, a->cover ? p->cover : NULL);
}

/* ---- residual and refinement ------------------------------------------------------------------------------- */

/* sum a_j b_j, and sum |a_j b_j| into *size. Four sums at a time: one would wait for itself at every term. */
static inline double dot(int n, const double* a, const double* b, double* size) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 0, t1 = 0;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    double x0 = a[j] * b[j], x1 = a[j + 1] * b[j + 1], x2 = a[j + 2] * b[j + 2], x3 = a[j + 3] * b[j + 3];
    s0 += x0;
    s1 += x1;
    s2 += x2;
    s3 += x3;
    t0 += fabs(x0) + fabs(x1);
    t1 += fabs(x2) + fabs(x3);
  }
  for (; j < n; j++) {
    double x = a[j] * b[j];
    s0 += x;
    t0 += fabs(x);
  }
  *size = t0 + t1;
  return (s0 + s1) + (s2 + s3);
}

double fb_lcp_measure(int n, const double* M, const double* q, const double* z, double* w, double* rounding) {
  double worst = 0, most = 0, size;
  int finite = 1;
  for (int i = 0; i < n; i++) {
    w[i] = q[i] + dot(n, M + (size_t)i * (size_t)n, z, &size);
    double off = fabs(z[i] < w[i] ? z[i] : w[i]);
    if (off > worst) worst = off;
    if (size > most) most = size;
    finite &= off <= DBL_MAX; /* no NaN, which the comparisons before pass over */
  }
  if (rounding) *rounding = 0x1p-53 * most;
  return finite ? worst : INFINITY;
}

static double positive(double x) {
  return x > 0 ? x : 0;
}

/* One step from z with w = M z + q: brings w_j of the columns to zero. */
static void refine(const problem* p, const double* z, const double* w, double* out) {
  const fb_lemke* t = &p->tableau;
  int n = p->n;
  for (int c = 0; c <= n; c++) {
    int j = t->column_of[c];
    p->step[c] = j < n ? p->d[j] * w[j] : 0;
  }
  memcpy(out, z, (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++) {
    int k = t->row_of[i] - n;
    if (k < 0 || k >= n) continue;
    double size, sum = dot(n + 1, fb_lemke_row(t, i), p->step, &size);
    out[k] = positive(z[k] + p->d[k] * sum);
  }
}

/* What the path ended with, refined as long as that helps; goes to z and w when it is better than *best, their residual. */
static void take(problem* p, double* z, double* w, double* best) {
  enum { ROUNDS = 4 };
  int n = p->n;
  double *trial = isinf(*best) ? z : p->trial, *image = isinf(*best) ? w : p->image, before = INFINITY;
  fb_lemke_read(&p->tableau, trial);
  for (int i = 0; i < n; i++) trial[i] *= p->d[i];
  for (int round = 0; round < ROUNDS; round++) {
    double rounding, found = fb_lcp_measure(n, p->M, p->q, trial, image, &rounding);
    double residual = found > rounding ? found : rounding;
    if (residual < *best) {
      *best = residual;
      if (trial != z) memcpy(z, trial, (size_t)n * sizeof *z);
      if (trial != z) memcpy(w, image, (size_t)n * sizeof *w);
    }
    if (found <= rounding || residual <= FINE * p->size || !(residual < 0.5 * before)) return;
    if (round == 0) fb_lemke_finish(&p->tableau);
    before = residual;
    refine(p, trial, image, p->trial);
    trial = p->trial;
    image = p->image;
  }
}

/* Whether the ray proves that there is no solution: with y along it, M^T y <= 0 and q . y < 0 contradict y . (M z + q) >= 0
 * (Farkas). Up to rounding: what is above zero in M^T y would need a z 1e12 times as large as q. */
static int is_proof(const problem* p) {
  int n = p->n;
  double *y = p->trial, *sum = p->image, gain = 0, worst = 0;
  fb_lemke_read_ray(&p->tableau, y);
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (int i = 0; i < n; i++) {
    if (y[i] == 0) continue;
    y[i] *= p->d[i];
    gain -= y[i] * p->q[i];
    for (int j = 0; j < n; j++) sum[j] += y[i] * p->M[(size_t)i * (size_t)n + (size_t)j];
  }
  for (int j = 0; j < n; j++) worst = sum[j] * p->d[j] > worst ? sum[j] * p->d[j] : worst;
  return gain > 0 && worst * p->tableau.size <= 1e-12 * gain;
}

/* No attempt reached the tolerance: a ray, unless something near a solution was found. */
static fb_lcp_result end_without(const problem* p, int rays, double* z, double* w, double* best) {
  static const double NEAR = 1e-5;
  if (*best <= (rays ? NEAR * p->size : DBL_MAX)) return FB_LCP_INEXACT;
  memset(z, 0, (size_t)p->n * sizeof *z);
  memset(w, 0, (size_t)p->n * sizeof *w);
  *best = INFINITY;
  return rays && fb_array_is_finite(p->M, p->n * p->n) ? FB_LCP_RAY : FB_LCP_INEXACT;
}

static fb_lcp_result follow(problem* p, double* z, double* w, double* best) {
  int rays = 0;
  for (int i = 0; i < ATTEMPT_COUNT && !(*best <= GOOD * p->size); i++) {
    const attempt* a = &ATTEMPTS[i];
    start(p, a);
    fb_lemke_end end = fb_lemke_follow(&p->tableau, a->base + a->each * p->n);
    rays += end == FB_LEMKE_RAY;
    if (end == FB_LEMKE_RAY && is_proof(p)) break;
    /* On a ray, too: rounding may have made one of the end of the path, where z0 is almost zero. */
    if (end != FB_LEMKE_LIMIT) take(p, z, w, best);
  }
  return *best <= GOOD * p->size ? FB_LCP_SOLVED : end_without(p, rays, z, w, best);
}

fb_lcp_result fb_lcp_solve(int n, const double* M, const double* q, double* z, double* w, double* work,
                           int* basis, double* residual) {
  double best = INFINITY, size = 0;
  int negative = 0, finite = 1;
  for (int i = 0; i < n; i++) {
    if (fabs(q[i]) > size) size = fabs(q[i]);
    if (q[i] < 0) negative = 1;
    finite &= fabs(q[i]) <= DBL_MAX;
  }
  fb_lcp_result result;
  if (negative && finite) {
    problem p;
    pose(&p, n, M, q, work, basis);
    p.size = size;
    result = follow(&p, z, w, &best);
  } else {
    for (int i = 0; i < n; i++) {
      z[i] = 0;
      w[i] = q[i];
    }
    best = finite ? 0 : INFINITY;
    result = finite ? FB_LCP_SOLVED : FB_LCP_INEXACT;
  }
  if (residual) *residual = best > 0 && best <= DBL_MAX ? best / size : best;
  return result;
}
