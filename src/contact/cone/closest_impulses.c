/* closest_impulses.c -- the impulses closest to given ones among those inside their cones that leave no velocity
 *
 *   min |P - P0|^2 / 2,   A P + c = 0,   P in its cones
 *
 * A need not be symmetric, and is singular where there is a choice. With the multipliers y of the equations
 *
 *   P = proj(P0 + A^T y),   phi(y) = |P|^2 / 2 + c . y -> min,   phi' = A P + c,   phi'' = A proj' A^T
 *
 * phi is convex and once differentiable; Newton's method with a proximal term and halved steps finds its least value, which is
 * minus infinity where no such impulses exist. The answer is unique, and continuous in c and P0. Cost 3 n^3 a step. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "math/lu.h"

/* The derivative of the projection of cone i at z, rows x rows with the stride 3. */
static void derivative(const fb_cones* p, int i, const double* z, double* D) {
  memset(D, 0, 9 * sizeof *D);
  if (p->cones[i].kind != FB_CONE_COULOMB) {
    D[0] = z[0] > p->lo[i] && z[0] < p->hi[i];
    return;
  }
  const double mu = p->cones[i].mu, along = norm2(z[1], z[2]);
  if (along <= mu * z[0]) {
    D[0] = D[4] = D[8] = 1;
    return;
  }
  const double normal = (z[0] + mu * along) / (1 + mu * mu);
  if (!(normal > 0)) return;
  const double edge[3] = {1, mu * z[1] / along, mu * z[2] / along}; /* of length sqrt(1 + mu^2) */
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) D[3 * k + l] = edge[k] * edge[l] / (1 + mu * mu);
  for (int k = 1; k < 3; k++)
    for (int l = 1; l < 3; l++)
      D[3 * k + l] += mu * normal / along * ((k == l) - z[k] * z[l] / (along * along));
}

/* P at the multipliers y, and phi' there; returns phi. z: P0 + A^T y. */
static double evaluate(const fb_cones* p, const double* P0, const double* y, double* z, double* P,
                       double* slope) {
  double sum = 0;
  memcpy(z, P0, (size_t)p->n * sizeof *z);
  for (int j = 0; j < p->n; j++)
    for (int k = 0; k < p->n; k++) z[k] += p->A[(size_t)j * (size_t)p->n + (size_t)k] * y[j];
  for (int i = 0; i < p->ncone; i++) fb_cones_project(p, i, z + p->first[i], P + p->first[i]);
  fb_cones_velocity(p, P, slope);
  for (int i = 0; i < p->n; i++) sum += 0.5 * P[i] * P[i] + p->c[i] * y[i];
  return sum;
}

/* A proj' A^T + e 1 into p->square. */
static void fill(const fb_cones* p, const double* z, double proximal) {
  const size_t n = (size_t)p->n;
  double D[9];
  memset(p->square, 0, n * n * sizeof *p->square);
  for (size_t r = 0; r < n; r++) p->square[r * (n + 1)] = proximal;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    derivative(p, i, z + at, D);
    for (size_t r = 0; r < n; r++) {
      const double* a = p->A + r * n + (size_t)at;
      double left[3] = {0, 0, 0};
      for (int k = 0; k < rows; k++)
        for (int l = 0; l < rows; l++) left[l] += a[k] * D[3 * k + l];
      for (size_t c = 0; c < n; c++)
        for (int l = 0; l < rows; l++) p->square[r * n + c] += left[l] * p->A[c * n + (size_t)(at + l)];
    }
  }
}

/* y += t step with the first t among 1, 1/2 ... that lowers phi; 0 where none does. */
static int advance(const fb_cones* p, const double* P0, const double* step, double before, double* z,
                   double* P, double* slope, double* y) {
  static const double ROUNDING = 1e-14;
  enum { HALVES = 25 };
  double along = 0, t = 1, *trial = p->trial;
  for (int i = 0; i < p->n; i++) along += slope[i] * step[i];
  for (int half = 0; half < HALVES; half++, t *= 0.5) {
    for (int i = 0; i < p->n; i++) trial[i] = y[i] + t * step[i];
    if (!(evaluate(p, P0, trial, z, P, slope) <= before + 1e-4 * t * along + ROUNDING * fabs(before)))
      continue;
    memcpy(y, trial, (size_t)p->n * sizeof *y);
    return 1;
  }
  return 0;
}

int fb_cones_find_closest(fb_cones* p, double* P) {
  enum { STEPS = 40 };
  static const double CLOSE = 1e-11, ENOUGH = 1e-9; /* of c; the latter where rounding ends the search */
  double *P0 = p->kept, *y = p->dual, *z = p->other, *slope = p->u, *step = p->step;
  const double size = fmax(1e-300, fb_array_largest(p->c, p->n));
  memcpy(P0, P, (size_t)p->n * sizeof *P);
  memset(y, 0, (size_t)p->n * sizeof *y);
  double phi = evaluate(p, P0, y, z, P, slope);
  for (int i = 0; i < STEPS; i++) {
    const double off = fb_array_largest(slope, p->n) / size;
    if (off <= CLOSE) return 1;
    fill(p, z, fmin(1e-3, fmax(1e-13, 1e-3 * off)));
    if (fb_lu_factor(p->square, p->n, p->rows) == 0) return 0;
    for (int k = 0; k < p->n; k++) step[k] = -slope[k];
    fb_lu_solve(p->square, p->n, p->rows, step, p->trial);
    int lower = advance(p, P0, step, phi, z, P, slope, y);
    phi = evaluate(p, P0, y, z, P, slope);
    if (!lower) return off <= ENOUGH;
  }
  return 0;
}
