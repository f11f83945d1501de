/* interior_cone.c -- Lorentz cones for the interior-point method: Nesterov and Todd's scaling, in the form of
 * [Vandenberghe 2010] 4.2. */
#include "contact/cone/interior.h"

#include <math.h>

#include "math/vector3.h"

static double dot_tail(const double a[3], const double b[3]) {
  return a[1] * b[1] + a[2] * b[2];
}

/* x_N^2 - |x_T|^2, without loss near the boundary. */
static double determinant(const double x[3]) {
  const double tail = norm2(x[1], x[2]);
  return (x[0] - tail) * (x[0] + tail);
}

/* y of  a o y = x. */
static void divide(const double a[3], const double x[3], double y[3]) {
  y[0] = (a[0] * x[0] - dot_tail(a, x)) / determinant(a);
  for (int k = 1; k < 3; k++) y[k] = (x[k] - y[0] * a[k]) / a[0];
}

static void product(const double a[3], const double b[3], double out[3]) {
  const double first = a[0] * b[0] + dot_tail(a, b);
  for (int k = 1; k < 3; k++) out[k] = a[0] * b[k] + b[0] * a[k];
  out[0] = first;
}

static void apply(const double M[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = M[3 * i] * x[0] + M[3 * i + 1] * x[1] + M[3 * i + 2] * x[2];
}

/* size [v0, sign v1^T; sign v1, 1 + v1 v1^T / (1 + v0)] */
static void fill(const double v[3], double sign, double size, double out[9]) {
  out[0] = size * v[0];
  for (int k = 1; k < 3; k++) {
    out[k] = out[3 * k] = size * sign * v[k];
    for (int l = 1; l < 3; l++) out[3 * k + l] = size * ((k == l) + v[k] * v[l] / (1 + v[0]));
  }
}

fb_lorentz fb_lorentz_scaling(const double p[3], const double w[3]) {
  fb_lorentz s;
  const double of_p = sqrt(determinant(p)), of_w = sqrt(determinant(w)), size = sqrt(of_w / of_p);
  double inner = 0, v[3];
  for (int k = 0; k < 3; k++) inner += p[k] / of_p * (w[k] / of_w);
  const double gamma = sqrt(0.5 * (1 + inner));
  for (int k = 0; k < 3; k++) v[k] = (w[k] / of_w + (k == 0 ? 1 : -1) * p[k] / of_p) / (2 * gamma);
  fill(v, 1, size, s.T);
  fill(v, -1, 1 / size, s.inverse);
  apply(s.T, p, s.l);
  return s;
}

void fb_lorentz_heading(const fb_lorentz* s, double target, const double dp[3], const double dw[3],
                        double d[3]) {
  double a[3], b[3], both[3], square[3];
  apply(s->T, dp, a);
  apply(s->inverse, dw, b);
  product(a, b, both);
  product(s->l, s->l, square);
  for (int k = 0; k < 3; k++) both[k] = (k == 0 ? target : 0) - square[k] - both[k];
  divide(s->l, both, d);
}

double fb_lorentz_step_limit(const double x[3], const double dx[3]) {
  const double a = dx[0] * dx[0] - dot_tail(dx, dx), b = x[0] * dx[0] - dot_tail(x, dx), c = determinant(x);
  const double under = b * b - a * c;
  if (under < 0) return 1;
  const double below = -b + sqrt(under);
  return below > c ? c / below : 1;
}
