/* ellipsoid.c -- the point of an ellipsoid nearest to a given point, and the curvature there.
 *
 *   y_i = r_i^2 x_i / (r_i^2 + t),   S(t) = sum (r_i x_i / (r_i^2 + t))^2 = 1
 *
 * has one root above t = -r_min^2, outside (t > 0) and inside; y is the nearest point, and x - y = t (y_i / r_i^2).
 * Newton's method on 1 - 1/sqrt(S) converges from the left, without overshooting, and quadratically [Hebden 1973]; s
 * = t + r_min^2 is the unknown, so that digits are kept near the pole. Inside, near the plane of the two longer axes,
 * S(-r_min^2) may be below 1: there t = -r_min^2 and the component along the shortest axis follows from the surface.
 *
 * Curvature: the support function h(n) = |D n|, D = diag(r), has the radii of curvature as the eigenvalues of its Hessian
 * (D^2 - D^2 n (D^2 n)^T / h^2) / h across n. */
#include <float.h>

#include "contact/shape/shape.h"
#include "math/vector3.h"

enum { ROUNDS = 100 }; /* some 6 suffice, 40 at needles of 1 : 1e6 */

static int shortest_axis(const double r[3]) {
  const int i = r[1] < r[0];
  return r[2] < r[i] ? 2 : i;
}

/* S - 1 > 0 at the start; above[i] = r_i^2 - r_min^2. */
static double find_root(const double r[3], const double above[3], const double x[3]) {
  double s = 0;
  for (int i = 0; i < 3; i++) s = fmax(s, r[i] * fabs(x[i]) - above[i]);
  for (int k = 0; k < ROUNDS; k++) {
    double S = 0, Q = 0;
    for (int i = 0; i < 3; i++) {
      if (x[i] == 0) continue;
      const double f = r[i] * x[i] / (s + above[i]);
      S += f * f;
      Q += f * f / (s + above[i]);
    }
    const double step = S / Q * (sqrt(S) - 1);
    if (!(step > DBL_EPSILON * s)) break;
    s += step;
  }
  return s;
}

/* Whether S(-r_min^2) < 1: then the nearest point has t = -r_min^2. y of the other axes. */
static int is_in_middle(const double r[3], const double above[3], const double x[3], int shortest,
                        double y[3]) {
  double S = 0;
  for (int i = 0; i < 3; i++) {
    y[i] = 0;
    if (x[i] == 0) continue;
    if (above[i] == 0) return 0;
    const double f = r[i] * x[i] / above[i];
    y[i] = r[i] * f;
    S += f * f;
  }
  if (S >= 1) return 0;
  y[shortest] = r[shortest] * sqrt(1 - S);
  return 1;
}

void fb_ellipsoid_nearest(const double r[3], const double x[3], fb_nearest* n) {
  const int shortest = shortest_axis(r);
  double above[3];
  for (int i = 0; i < 3; i++) above[i] = (r[i] - r[shortest]) * (r[i] + r[shortest]);
  if (!is_in_middle(r, above, x, shortest, n->point)) {
    const double s = find_root(r, above, x);
    for (int i = 0; i < 3; i++) n->point[i] = x[i] == 0 ? 0 : r[i] * r[i] * x[i] / (s + above[i]);
  }
  for (int i = 0; i < 3; i++) n->normal[i] = n->point[i] / r[i] / r[i];
  const double length = norm3(n->normal);
  for (int i = 0; i < 3; i++) n->normal[i] /= length;
  const double away[3] = {x[0] - n->point[0], x[1] - n->point[1], x[2] - n->point[2]};
  n->gap = dot3(away, n->normal);
  fb_curvature curvature;
  fb_ellipsoid_curvature(r, n->normal, &curvature);
  for (int i = 0; i < 2; i++) n->curvature[i] = curvature.k[i];
}

/* Two unit vectors across n. */
void fb_across(const double n[3], double u[3], double v[3]) {
  const int least =
      fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  double e[3] = {0, 0, 0};
  e[least] = 1;
  cross3(n, e, u);
  const double length = norm3(u);
  for (int i = 0; i < 3; i++) u[i] /= length;
  cross3(n, u, v);
}

void fb_ellipsoid_curvature(const double r[3], const double n[3], fb_curvature* curvature) {
  double t[2][3], g[3], M[2][2];
  fb_across(n, t[0], t[1]);
  const double h = norm3((const double[3]){r[0] * n[0], r[1] * n[1], r[2] * n[2]});
  for (int i = 0; i < 3; i++) g[i] = r[i] * r[i] * n[i] / h;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      M[i][j] = -dot3(g, t[i]) * dot3(g, t[j]);
      for (int k = 0; k < 3; k++) M[i][j] += t[i][k] * r[k] * r[k] * t[j][k];
      M[i][j] /= h;
    }
  const double mean = (M[0][0] + M[1][1]) / 2, half = norm2((M[0][0] - M[1][1]) / 2, M[0][1]);
  const double angle = atan2(2 * M[0][1], M[0][0] - M[1][1]) / 2, c = cos(angle), d = sin(angle);
  curvature->k[1] = 1 / (mean + half);
  const double gauss = h / r[0] * (h / r[1]) * (h / r[2]); /* the product of both is its square over h^2 */
  curvature->k[0] = fmax(curvature->k[1], gauss / h * (mean + half) * (gauss / h));
  for (int i = 0; i < 3; i++) {
    curvature->t[1][i] = c * t[0][i] + d * t[1][i];
    curvature->t[0][i] = -d * t[0][i] + c * t[1][i];
  }
}
