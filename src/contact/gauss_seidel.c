/* gauss_seidel.c -- cones one by one, each exactly with all others fixed, until nothing changes [Jean 1999]. Cost 2
 * n^2 a sweep. Quick where contacts disturb one another little; the number of sweeps grows with the mass ratio, so
 * that it may give up when its progress says that it will not arrive. */
#include "contact/cones.h"

#include <math.h>

/* One cone; returns how much the natural map was off before. */
static double visit(fb_cones* p, int i, double* P) {
  int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  double b[3], next[3], off = 0;
  for (int k = 0; k < rows; k++) {
    const double* row = p->A + (size_t)(at + k) * (size_t)p->n;
    double sum = 0;
    for (int j = 0; j < at; j++) sum += row[j] * P[j];
    for (int j = at + rows; j < p->n; j++) sum += row[j] * P[j];
    b[k] = sum + p->c[at + k];
    next[k] = P[at + k];
  }
  if (!fb_cones_solve_block(p, i, b, next)) return INFINITY;
  for (int k = 0; k < rows; k++) {
    off = fmax(off, fabs(next[k] - P[at + k]));
    P[at + k] = next[k];
  }
  return off * p->scale[at] / p->size;
}

void fb_cones_gauss_seidel(fb_cones* p, double* P, int sweeps, int may_give_up) {
  enum { STRIDE = 10 };
  double before = INFINITY;
  int since = 0;
  for (int sweep = 1; sweep <= sweeps && p->limit > since; sweep++) {
    double off = 0;
    for (int i = 0; i < p->ncone; i++) off = fmax(off, visit(p, i, P));
    since++;
    /* A residual costs as much as a sweep, so it is measured when the changes say that it may be small. */
    if (off > p->goal && sweep % STRIDE != 0 && sweep != sweeps) continue;
    double residual = fb_cones_keep(p, P, p->u, since);
    since = 0;
    if (fb_cones_done(p) || off == 0) return;
    if (sweep % STRIDE != 0) continue;
    /* At this rate it would not arrive within another 5 strides. */
    if (may_give_up && residual * pow(fmin(1, residual / before), 5) > p->goal && before < INFINITY) return;
    before = residual;
  }
}
