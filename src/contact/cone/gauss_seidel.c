/* gauss_seidel.c -- cones one by one, each exactly with all others fixed, until nothing changes [Jean 1999]. Cost 2
 * n^2 a sweep. Quick where contacts are weakly coupled; the number of sweeps grows with the mass ratio, so it ends
 * when its progress shows that it will not converge. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "math/sym3.h"

static void invert_block(fb_cones* p, int i) {
  double A[9];
  fb_cones_block(p, i, A);
  const double W[6] = {A[0], A[4], A[8], A[1], A[2], A[5]};
  double values[3], R[9], *out = p->inverse + 9 * (size_t)i;
  fb_sym3_axes(W, values, R);
  double largest = fmax(values[0], fmax(values[1], values[2]));
  memset(out, 0, 9 * sizeof *out);
  for (int k = 0; k < 3; k++)
    if (values[k] > 1e-13 * largest)
      for (int j = 0; j < 9; j++) out[j] += R[3 * (j / 3) + k] * R[3 * (j % 3) + k] / values[k];
}

static void invert_blocks(fb_cones* p) {
  for (int i = 0; i < p->ncone && !p->inverted; i++)
    if (p->cones[i].kind == FB_CONE_COULOMB) invert_block(p, i);
  p->inverted = 1;
}

/* The velocities of cone i at P_i = 0, from the motions of its bodies in p->push. */
static void rates_without(const fb_cones* p, int i, const double* P, double* b) {
  double W[9];
  const int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  fb_cones_block(p, i, W);
  for (int k = 0; k < rows; k++) {
    b[k] = fb_cones_rate_of_bodies(p, at + k, p->push) + p->c[at + k];
    for (int l = 0; l < rows; l++) b[k] -= W[rows * k + l] * P[at + l];
  }
}

/* One cone; returns how much the natural map was off before. */
static double visit(fb_cones* p, int i, double* P) {
  int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  double b[3], next[3], off = 0;
  if (p->bodies) rates_without(p, i, P, b);
  for (int k = 0; k < rows; k++) {
    next[k] = P[at + k];
    if (p->bodies) continue;
    const double* row = p->A + (size_t)(at + k) * (size_t)p->n;
    double sum = 0;
    for (int j = 0; j < at; j++) sum += row[j] * P[j];
    for (int j = at + rows; j < p->n; j++) sum += row[j] * P[j];
    b[k] = sum + p->c[at + k];
  }
  if (!fb_cones_solve_block(p, i, b, next)) return INFINITY;
  for (int k = 0; k < rows; k++) {
    off = fmax(off, fabs(next[k] - P[at + k]));
    if (p->bodies) fb_cones_push_row(p, at + k, next[k] - P[at + k], p->push);
    P[at + k] = next[k];
  }
  return off * p->scale[at] / p->size;
}

void fb_cones_gauss_seidel(fb_cones* p, double* P, int sweeps, int may_give_up) {
  enum { STRIDE = 10 };
  double before = INFINITY;
  int since = 0;
  fb_cones_find_blocks(p);
  invert_blocks(p);
  for (int sweep = 1; sweep <= sweeps && p->limit > since; sweep++) {
    double off = 0;
    if (p->bodies) fb_cones_push_bodies(p, P, p->push);
    for (int i = 0; i < p->ncone; i++) off = fmax(off, visit(p, i, P));
    since++;
    /* A residual costs as much as a sweep, so it is evaluated when the changes indicate that it may be small. */
    if (off > p->goal && sweep % STRIDE != 0 && sweep != sweeps) continue;
    double residual = fb_cones_keep(p, P, p->u, since);
    since = 0;
    if (fb_cones_done(p) || off == 0) return;
    if (sweep % STRIDE != 0) continue;
    /* At this rate it would not converge within another 5 strides. */
    if (may_give_up && residual * pow(fmin(1, residual / before), 5) > p->goal && before < INFINITY) return;
    before = residual;
  }
}
