/* cone.c -- the scaled problem: velocities, projections, the natural map, blocks.
 *
 *   natural map   P - proj_K(P - u - s),   s = mu |u_T| on the normal of a Coulomb contact, else 0
 *
 * zero where P and u are complementary [De Saxce 1998]. Undoing the scaling multiplies it by s, into the unit of u. */
#include "contact/cone/cones.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/dot.h"

void fb_cones_product(const fb_cones* p, const double* x, double* out) {
  const double* row = p->A;
  if (p->bodies) {
    fb_cones_push_bodies(p, x, p->dv);
    fb_cones_rates_of_bodies(p, p->dv, out);
    return;
  }
  for (int i = 0; i < p->n; i++, row += p->n) out[i] = fb_dot(row, x, p->n);
}

void fb_cones_velocity(const fb_cones* p, const double* P, double* u) {
  fb_cones_product(p, P, u);
  for (int i = 0; i < p->n; i++) u[i] += p->c[i];
}

/* Onto |P_T| <= mu (P_N + offset), P_N >= 0: onto the cone whose tip is at -offset, and where that leaves P_N < 0, onto the
 * disk at P_N = 0. */
static void project_coulomb(double mu, double offset, const double x[3], double out[3]) {
  const double along = norm2(x[1], x[2]), total = x[0] + offset;
  double normal = x[0], most = along;
  if (!(along <= mu * total)) {
    most = mu * fmax(0, (total + mu * along) / (1 + mu * mu));
    normal = fmax(0, (total + mu * along) / (1 + mu * mu)) - offset;
  }
  if (normal < 0) {
    normal = 0;
    most = fmin(along, mu * offset);
  }
  out[0] = normal;
  for (int i = 1; i < 3; i++) out[i] = most < along ? most / along * x[i] : x[i];
}

static void project(const fb_cone* cone, const double* x, double* out) {
  if (cone->kind == FB_CONE_COULOMB)
    project_coulomb(cone->mu, cone->lo, x, out);
  else
    out[0] = fmin(cone->hi, fmax(cone->lo, x[0]));
}

/* The cone with scaled bounds, those of a normal included. */
static fb_cone scaled(const fb_cones* p, int i) {
  return (fb_cone){p->cones[i].kind, p->cones[i].mu, p->lo[i], p->hi[i]};
}

void fb_cones_project(const fb_cones* p, int i, const double* x, double* out) {
  const fb_cone cone = scaled(p, i);
  project(&cone, x, out);
}

double fb_cone_natural(const fb_cone* cone, const double* P, const double* u) {
  int rows = fb_cone_rows(cone);
  double x[3], worst = 0;
  for (int k = 0; k < rows; k++) x[k] = P[k] - u[k];
  if (rows == 3) x[0] -= cone->mu * norm2(u[1], u[2]);
  project(cone, x, x);
  for (int k = 0; k < rows; k++)
    if (!(fabs(P[k] - x[k]) <= worst)) worst = fabs(P[k] - x[k]);
  return worst;
}

double fb_cones_natural(const fb_cones* p, const double* P, const double* u) {
  double worst = 0;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    const fb_cone cone = scaled(p, i);
    double off = p->scale[at] * fb_cone_natural(&cone, P + at, u + at);
    if (!(off <= worst)) worst = off;
  }
  return worst / p->size;
}

/* The same of bodies: of the sums of impulses on each, and of those of motions along a row. */
static double rounding_of_bodies(const fb_cones* p, const double* P) {
  double worst = 0, *sum = p->push;
  memset(sum, 0, 6 * (size_t)p->bodies->nbody * sizeof *sum);
  for (int i = 0; i < 2 * p->n; i++) {
    const int body = p->bodies->ends[i];
    for (int k = 0; body >= 0 && k < 6; k++) sum[6 * body + k] += fabs(p->J[6 * i + k] * P[i / 2]);
  }
  for (int i = 0; i < p->n; i++) {
    double all = 0;
    for (int e = 0; e < 2; e++) {
      const int body = p->bodies->ends[2 * i + e];
      for (int k = 0; body >= 0 && k < 6; k++) all += fabs(p->J[12 * i + 6 * e + k]) * sum[6 * body + k];
    }
    worst = fmax(worst, all * p->scale[i]);
  }
  return DBL_EPSILON * worst / p->size;
}

/* The rounding of u, relative to p->size as residuals are. */
static double rounding(const fb_cones* p, const double* P) {
  const double* row = p->A;
  double worst = 0;
  if (p->bodies) return rounding_of_bodies(p, P);
  for (int i = 0; i < p->n; i++, row += p->n) {
    double sum = 0;
    for (int j = 0; j < p->n; j++) sum += fabs(row[j] * P[j]);
    worst = fmax(worst, sum * p->scale[i]);
  }
  return DBL_EPSILON * worst / p->size;
}

/* No residual above this counts as rounding. */
static const double COARSE = 1e-8;

double fb_cones_keep(fb_cones* p, const double* P, double* u, int iterations) {
  fb_cones_velocity(p, P, u);
  double residual = fb_cones_natural(p, P, u);
  p->used += iterations;
  p->limit -= iterations;
  if (!(residual < p->best_residual)) return residual;
  /* Enormous impulses that cancel can have a small residual by chance. */
  double floor = rounding(p, P);
  if (!(fmax(floor, residual) < p->best_residual)) return residual;
  p->best_residual = fmax(floor, residual);
  p->best_floor = fmin(COARSE, 4 * floor);
  p->found = p->method;
  if (P != p->best) memcpy(p->best, P, (size_t)p->n * sizeof *P);
  return residual;
}

int fb_cones_done(const fb_cones* p) {
  return p->best_residual <= fmax(p->goal, p->best_floor);
}

int fb_cones_solve_block(const fb_cones* p, int i, const double* b, double* P) {
  double W[9];
  fb_cones_block(p, i, W);
  if (p->cones[i].kind == FB_CONE_COULOMB)
    return fb_coulomb_solve(W, p->inverse + 9 * (size_t)i, p->cones[i].mu, p->lo[i], b, P);
  if (W[0] > 0) {
    double x = -b[0] / W[0];
    fb_cones_project(p, i, &x, P);
    return isfinite(P[0]);
  }
  /* This row has no response: its impulse is zero, or at the bound to which the velocity drives it. */
  P[0] = fmin(p->hi[i], fmax(p->lo[i], 0));
  return b[0] == 0 || (b[0] > 0 ? p->lo[i] : p->hi[i]) == P[0];
}
