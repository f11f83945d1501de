/* admm.c -- alternating directions: all cones together, by one factorisation
 *
 *   x = (A + r 1)^-1 (r z - y - c - s)
 *   z = proj_K(x^ + y / r),   x^ = 1.6 x - 0.6 z
 *   y = y + r (x^ - z)
 *
 * -y goes to u + s, and s = mu |u_T| on the normals, which makes the cone Coulomb's [De Saxce 1998], follows it. r is
 * changed, and A + r 1 factored again, when the two residuals differ by a factor of ten [Boyd 2011] 3.4.1, [Tasora
 * 2021]. Every few steps Newton's method is tried from z: it ends the iteration as soon as the modes are right. Cost 2
 * n^3/3 a factorisation, 2 n^2 a step. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "math/lu.h"

typedef struct admm {
  double *x, *y, *z; /* [n] */
  double r;
  double primal, dual; /* the residuals of the last step */
} admm;

static int factor(fb_cones* p, double r) {
  if (p->bodies) {
    memset(p->weight, 0, 9 * (size_t)p->ncone * sizeof *p->weight);
    for (int i = 0; i < p->ncone; i++)
      for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) p->weight[9 * i + 4 * k] = 1 / r;
    return fb_cones_condense(p, 1);
  }
  memcpy(p->square, p->A, (size_t)p->n * (size_t)p->n * sizeof *p->A);
  for (int i = 0; i < p->n; i++) p->square[(size_t)i * (size_t)p->n + (size_t)i] += r;
  return fb_lu_factor(p->square, p->n, p->rows) > 0;
}

/* (A + r 1)^-1 x in place, of bodies. */
static void solve_of_bodies(fb_cones* p, double r, double* x) {
  for (int i = 0; i < p->n; i++) x[i] /= r;
  fb_cones_pass_bodies(p, x, p->trial);
  for (int i = 0; i < p->n; i++) x[i] -= p->trial[i] / r;
}

static void step(fb_cones* p, admm* a) {
  static const double RELAX = 1.6;
  for (int i = 0; i < p->n; i++) a->x[i] = a->r * a->z[i] - a->y[i] - p->c[i];
  for (int i = 0; i < p->ncone; i++)
    if (p->cones[i].kind == FB_CONE_COULOMB) {
      int at = p->first[i];
      a->x[at] -= p->cones[i].mu * norm2(a->y[at + 1], a->y[at + 2]);
    }
  if (p->bodies)
    solve_of_bodies(p, a->r, a->x);
  else
    fb_lu_solve(p->square, p->n, p->rows, a->x, p->trial);
  a->primal = a->dual = 0;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    double mixed[3], next[3];
    for (int k = 0; k < rows; k++) {
      mixed[k] = RELAX * a->x[at + k] + (1 - RELAX) * a->z[at + k];
      next[k] = mixed[k] + a->y[at + k] / a->r;
    }
    fb_cones_project(p, i, next, next);
    for (int k = 0; k < rows; k++) {
      a->primal = fmax(a->primal, fabs(a->x[at + k] - next[k]));
      a->dual = fmax(a->dual, a->r * fabs(next[k] - a->z[at + k]));
      a->y[at + k] += a->r * (mixed[k] - next[k]);
      a->z[at + k] = next[k];
    }
  }
}

/* What the two residuals are small against: the impulses and the velocities. */
static double balance(const fb_cones* p, const admm* a) {
  double impulses = 1e-300, velocities = 1e-300;
  for (int i = 0; i < p->n; i++) {
    impulses = fmax(impulses, fmax(fabs(a->x[i]), fabs(a->z[i])));
    velocities = fmax(velocities, fmax(fabs(a->y[i]), fabs(p->c[i])));
  }
  return sqrt((a->primal / impulses + 1e-300) / (a->dual / velocities + 1e-300));
}

void fb_cones_admm(fb_cones* p, double* P, int steps) {
  enum { STRIDE = 10, NEWTON_FIRST = 20 };
  admm a = {.x = p->step, .y = p->dual, .z = P, .r = 0.1};
  int next_newton = NEWTON_FIRST;
  fb_cones_velocity(p, P, p->u);
  for (int i = 0; i < p->n; i++) a.y[i] = -p->u[i];
  if (!factor(p, a.r)) return;
  for (int i = 1; i <= steps && p->limit > 0; i++) {
    step(p, &a);
    if (i % STRIDE != 0 && i != steps) continue;
    fb_cones_keep(p, a.z, p->u, i % STRIDE ? i % STRIDE : STRIDE);
    if (fb_cones_done(p)) return;
    double change = balance(p, &a);
    int refactor = (change > 3 || change < 1.0 / 3) && a.r * change > 1e-12 && a.r * change < 1e6;
    if (refactor) a.r *= fmin(100, fmax(0.01, change));
    if (i == next_newton) {
      next_newton *= 2;
      memcpy(p->other, a.z, (size_t)p->n * sizeof *a.z);
      fb_cones_newton(p, p->other, 10);
      if (fb_cones_done(p)) return;
      refactor = 1;
    }
    if (refactor && !factor(p, a.r)) return;
  }
}
