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
#include "contact/cone/body_matrix.h"
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

int fb_cones_invert_block(const double* M, int rows, double* out) {
  memset(out, 0, 9 * sizeof *out);
  if (rows == 1) {
    out[0] = 1 / M[0];
    return M[0] != 0;
  }
  double det = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[3 * i + j] = M[3 * a + c] * M[3 * b + d] - M[3 * a + d] * M[3 * b + c];
    }
  for (int j = 0; j < 3; j++) det += M[j] * out[3 * j];
  for (int k = 0; k < 9; k++) out[k] /= det;
  return det != 0;
}

/* dP = k - K du of one cone: K and k, with (G + e H) dP = -F - H du. */
static int condense(const double* F, const double* G, const double* H, double proximal, int rows, double* K,
                    double* k) {
  double M[9], inverse[9];
  for (int i = 0; i < 9; i++) M[i] = G[i] + proximal * H[i];
  if (!fb_cones_invert_block(M, rows, inverse)) return 0;
  memset(K, 0, 9 * sizeof *K);
  for (int i = 0; i < rows; i++) {
    k[i] = 0;
    for (int j = 0; j < rows; j++) {
      k[i] -= inverse[3 * i + j] * F[j];
      for (int l = 0; l < rows; l++) K[3 * i + l] += inverse[3 * i + j] * H[3 * j + l];
    }
  }
  return 1;
}

/* out = x - K y, cone by cone. */
static void subtract_weighed(const fb_cones* p, const double* x, const double* y, double* out) {
  for (int i = 0; i < p->ncone; i++) {
    const int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    for (int k = 0; k < rows; k++) {
      double sum = x[at + k];
      for (int l = 0; l < rows; l++) sum -= p->weight[9 * i + 3 * k + l] * y[at + l];
      out[at + k] = sum;
    }
  }
}

enum { CORRECTIONS = 1 };

/* Removes the rounding of the factors: what J^T dP is more than dv, with both found so far, is solved for again. p->trial: J dv;
 * p->kept: k. */
static void correct_step(fb_cones* p) {
  const int size = 6 * p->bodies->nbody;
  fb_cones_push_bodies(p, p->step, p->push);
  for (int k = 0; k < size; k++) p->push[k] -= p->motion[k];
  fb_body_matrix_solve(p->bodies->matrix, p->push);
  for (int k = 0; k < size; k++) p->motion[k] += p->push[k];
  fb_cones_rates_of_bodies(p, p->motion, p->trial);
  subtract_weighed(p, p->kept, p->trial, p->step);
}

/* The same step over the bodies: du = J dv, (1 + J^T K J) dv = J^T k. */
static int find_step_of_bodies(fb_cones* p, const double* P, const double* u, double proximal) {
  double F[3], G[9], H[9];
  for (int i = 0; i < p->ncone; i++) {
    const int at = p->first[i];
    equations(p, i, P + at, u + at, F, G, H);
    if (!condense(F, G, H, proximal, fb_cone_rows(&p->cones[i]), p->weight + 9 * (size_t)i, p->kept + at))
      return 0;
  }
  if (!fb_cones_condense(p, 1)) return 0;
  fb_cones_pass_bodies(p, p->kept, p->trial);
  memcpy(p->motion, p->push, 6 * (size_t)p->bodies->nbody * sizeof *p->motion);
  subtract_weighed(p, p->kept, p->trial, p->step);
  for (int i = 0; i < CORRECTIONS; i++) correct_step(p);
  return 1;
}

/* The proximal term: less where the solution is near. Condensed, a part of its inverse is rounding. */
static double proximal_of(const fb_cones* p, double off) {
  return p->bodies ? fmin(1e-3, fmax(1e-8, 0.1 * off)) : fmin(1e-3, fmax(1e-11, off));
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
    const double proximal = proximal_of(p, now / size);
    if (!(p->bodies ? find_step_of_bodies : find_step)(p, P, p->u, proximal)) return;
    advance(p, P, now);
    if (!isfinite(fb_cones_keep(p, P, p->u, 1))) return;
    idle = p->best_residual < 0.9 * before ? 0 : idle + 1;
  }
}
