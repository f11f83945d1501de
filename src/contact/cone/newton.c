/* newton.c -- semismooth Newton on Alart and Curnier's equations, for all cones together
 *
 *   F_N = P_N - max(0, x),   x = P_N - u_N            (boxes: their clamp)
 *   F_T = P_T - proj(y; |y| <= m),   y = P_T - u_T,   m = mu (max(0, x) + lo)
 *
 *   F' = G + H (A + e 1),  G and H block diagonal:
 *     open    x <= 0, m = 0:  G = 1,  H = 0
 *     stick   |y| <= m:       G = 0,  H = 1
 *     slip    else:  F_N = u_N,  F_T = P_T - m t,  t = y/|y|,  T = m / |y| (1 - t t^T):
 *             F_T' = dP_T - mu t (dP_N - du_N) - T (dP_T - du_T)
 *
 * The proximal term e makes singular A regular; since F does not contain it, it slows the convergence and does not move the
 * solution. Open contacts drop out of the system. Steps are halved while |F| grows; modes that were found right are
 * solved in one or two steps, whatever the mass ratio. [Alart and Curnier 1991]. Cost 2 m^3/3 a step, m the rows that
 * are not open. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "math/lu.h"

/* The friction of a Coulomb contact with the bound m = mu (max(0, x) + lo): rows 1 and 2 of F, G and H. */
static void friction_model(double mu, double bound, int pressed, const double* P, const double* u, double* F,
                           double* G, double* H) {
  const double y[2] = {P[1] - u[1], P[2] - u[2]}, along = norm2(y[0], y[1]);
  for (int k = 0; k < 2; k++) {
    if (along <= bound) {
      F[k + 1] = u[k + 1];
      H[4 * (k + 1)] = 1;
      continue;
    }
    const double t = y[k] / along;
    F[k + 1] = P[k + 1] - bound * t;
    G[3 * (k + 1)] = pressed ? -mu * t : 0;
    H[3 * (k + 1)] = pressed ? mu * t : 0;
    for (int l = 0; l < 2; l++) {
      const double T = bound / along * ((k == l) - t * y[l] / along);
      G[3 * (k + 1) + l + 1] = (k == l) - T;
      H[3 * (k + 1) + l + 1] = T;
    }
  }
}

/* F of one cone, its G and H (rows x rows, stride 3). Returns whether it is not open. */
static int equations(const fb_cones* p, int i, const double* P, const double* u, double* F, double* G,
                     double* H) {
  const fb_cone* cone = &p->cones[i];
  const double x = P[0] - u[0];
  memset(G, 0, 9 * sizeof *G);
  memset(H, 0, 9 * sizeof *H);
  if (cone->kind != FB_CONE_COULOMB) {
    int inside = x > p->lo[i] && x < p->hi[i];
    F[0] = inside ? u[0] : P[0] - fmin(p->hi[i], fmax(p->lo[i], x));
    G[0] = !inside;
    H[0] = inside;
    return inside;
  }
  const double bound = cone->mu * (fmax(0, x) + p->lo[i]);
  F[0] = x > 0 ? u[0] : P[0];
  G[0] = !(x > 0);
  H[0] = x > 0;
  if (bound > 0) {
    friction_model(cone->mu, bound, x > 0, P, u, F, G, H);
  } else {
    for (int k = 1; k < 3; k++) F[k] = P[k], G[4 * k] = 1;
  }
  return x > 0 || bound > 0;
}

static double merit(const fb_cones* p, const double* P, const double* u) {
  double sum = 0, F[3], G[9], H[9];
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    equations(p, i, P + at, u + at, F, G, H);
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) sum += F[k] * F[k];
  }
  return sqrt(sum);
}

/* Rows of F' of one cone, over the m columns in p->list, into J. */
static void fill_rows(const fb_cones* p, int i, const double* G, const double* H, double proximal, int m,
                      int place, double* J) {
  int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  for (int k = 0; k < rows; k++) {
    double* row = J + (size_t)(place + k) * (size_t)m;
    memset(row, 0, (size_t)m * sizeof *row);
    for (int l = 0; l < rows; l++) {
      const double* A = p->A + (size_t)(at + l) * (size_t)p->n;
      const double h = H[3 * k + l];
      if (h == 0) continue;
      for (int j = 0; j < m; j++) row[j] += h * A[p->list[j]];
    }
    for (int l = 0; l < rows; l++) row[place + l] += G[3 * k + l] + proximal * H[3 * k + l];
  }
}

/* The Newton step into p->step; 0 where the system is singular. */
static int find_step(fb_cones* p, const double* P, const double* u, double proximal) {
  double F[3], G[9], H[9], *right = p->trial;
  int m = 0, place = 0;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    int moves = equations(p, i, P + at, u + at, F, G, H);
    for (int k = 0; k < rows; k++) {
      p->step[at + k] = moves ? 0 : -F[k];
      if (moves) p->list[m++] = at + k;
    }
  }
  /* What leaves the open contacts changes the velocities of the others. */
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    if (!equations(p, i, P + at, u + at, F, G, H)) continue;
    fill_rows(p, i, G, H, proximal, m, place, p->square);
    double du[3];
    for (int k = 0; k < rows; k++) {
      const double* A = p->A + (size_t)(at + k) * (size_t)p->n;
      du[k] = 0;
      for (int j = 0; j < p->n; j++) du[k] += A[j] * p->step[j];
    }
    for (int k = 0; k < rows; k++) {
      right[place + k] = -F[k];
      for (int l = 0; l < rows; l++) right[place + k] -= H[3 * k + l] * du[l];
    }
    place += rows;
  }
  if (m > 0 && fb_lu_factor(p->square, m, p->rows) == 0) return 0;
  fb_lu_solve(p->square, m, p->rows, right, p->kept);
  for (int j = 0; j < m; j++) p->step[p->list[j]] = right[j];
  return 1;
}

/* P += t step with the t that lowers |F| most among 1, 1/2 .. 1/32; the first that lowers it. */
static void advance(fb_cones* p, double* P, double before) {
  double best = INFINITY, best_t = 1, t = 1;
  for (int halved = 0; halved < 6; halved++, t *= 0.5) {
    for (int i = 0; i < p->n; i++) p->trial[i] = P[i] + t * p->step[i];
    fb_cones_velocity(p, p->trial, p->u);
    double now = merit(p, p->trial, p->u);
    if (now < best) best = now, best_t = t;
    if (now < (1 - 0.1 * t) * before) break;
  }
  for (int i = 0; i < p->n; i++) P[i] += best_t * p->step[i];
}

void fb_cones_newton(fb_cones* p, double* P, int steps) {
  const double size = fmax(1e-300, fb_array_largest(p->c, p->n));
  fb_cones_keep(p, P, p->u, 0);
  int idle = 0;
  for (int i = 0; i < steps && p->limit > 0 && idle < 4 && !fb_cones_done(p); i++) {
    double before = p->best_residual, now = merit(p, P, p->u);
    if (!find_step(p, P, p->u, fmin(1e-3, fmax(1e-11, now / size)))) return;
    advance(p, P, now);
    if (!isfinite(fb_cones_keep(p, P, p->u, 1))) return;
    idle = p->best_residual < 0.9 * before ? 0 : idle + 1;
  }
}
