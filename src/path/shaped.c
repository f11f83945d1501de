/* shaped.c -- input shaping: a path without residual vibration
 *
 *   y(t) = sum over j of A_j x(t - T_j)
 *
 *   K = exp(-zeta pi / sqrt(1 - zeta^2)),   T = half the damped period = 1 / (2 f sqrt(1 - zeta^2))
 *   ZV    A = (1, K) / (1 + K)          at 0, T         no vibration is left
 *   ZVD   A = (1, 2 K, K^2) / (1 + K)^2   at 0, T, 2 T    nor does it grow in first order when f is wrong
 *
 * Singer, Seering 1990 (Preshaping Command Inputs to Reduce System Vibration). The amplitudes add up to one, so the
 * path still ends where it did. A sum of polynomials is one, so the shaped path is exact: its knots are those of all
 * the delayed copies together. Cost O(knots). */
#include "path/spline.h"

#include <float.h>
#include <math.h>

#include <freebody/status.h>

enum { MOST = 3 };
static const double PI = 3.14159265358979323846;

/* A delayed copy of the path, read from its first knot to the last. */
typedef struct copy {
  double amplitude, delay;
  int passed; /* knots at or before the moment reached */
} copy;

static double next_knot(const fb_spline* path, const copy* c) {
  return c->passed < path->count ? path->t[c->passed] + c->delay : INFINITY;
}

/* The copy's polynomial about t: c_k' = sum over n >= k of binomial(n, k) c_n u^(n - k). */
static void expand(const fb_spline* path, const copy* c, double t, double out[FB_SPLINE_TERMS]) {
  int i = c->passed - 1, outside = i < 0 || i == path->count - 1;
  const double* from = path->coefficients[i < 0 ? 0 : i];
  double u = outside ? 0 : t - c->delay - path->t[i];
  for (int k = 0; k < FB_SPLINE_TERMS; k++) out[k] = outside && k > 0 ? 0 : from[k];
  for (int k = 0; k < FB_SPLINE_TERMS && !outside; k++) /* Horner's scheme, again and again */
    for (int n = FB_SPLINE_TERMS - 2; n >= k; n--) out[n] += u * out[n + 1];
}

/* The knot at t. The value is counted from the first copy's, so that it is exact where all copies rest. */
static void add_sum(fb_spline* made, const fb_spline* path, const copy* copies, int count, double t) {
  double first[FB_SPLINE_TERMS], term[FB_SPLINE_TERMS];
  expand(path, &copies[0], t, first);
  double* sum = fb_spline_add_knot(made, t, first[0]);
  for (int j = 0; j < count; j++) {
    expand(path, &copies[j], t, term);
    sum[0] += copies[j].amplitude * (term[0] - first[0]);
    for (int k = 1; k < FB_SPLINE_TERMS; k++) sum[k] += copies[j].amplitude * term[k];
  }
}

/* Knots of different copies that only rounding parts become one: no step should have to end between them. */
static void merge(fb_spline* made, const fb_spline* path, copy* copies, int count) {
  double last = fabs(path->t[path->count - 1]) + copies[count - 1].delay;
  double slack = 16 * DBL_EPSILON * fmax(fabs(path->t[0]), last);
  for (;;) {
    double t = INFINITY;
    for (int j = 0; j < count; j++) t = fmin(t, next_knot(path, &copies[j]));
    if (isinf(t)) return;
    for (int j = 0; j < count; j++)
      if (next_knot(path, &copies[j]) <= t + slack) copies[j].passed++;
    add_sum(made, path, copies, count, t);
  }
}

static fb_status check(double frequency, double damping, fb_error* error) {
  if (!(frequency > DBL_MIN) || !isfinite(frequency)) /* below, periods overflow */
    return fb_fail(error, FB_ERR_ARG,
                   "input shaping for a vibration of %g Hz: give a frequency above 0, in Hz", frequency);
  if (!(damping >= 0 && damping < 1))
    return fb_fail(error, FB_ERR_ARG,
                   "input shaping for a vibration of damping ratio %g: only one from 0 to below 1 vibrates",
                   damping);
  return FB_OK;
}

fb_status fb_spline_new_shaped(const fb_spline* path, double frequency, double damping, int robust,
                               fb_spline** spline, fb_error* error) {
  *spline = NULL;
  fb_status status = check(frequency, damping, error);
  if (status) return status;
  double root = sqrt(1 - damping * damping), K = exp(-damping * PI / root), T = 0.5 / frequency / root;
  double zv = 1 + K, zvd = zv * zv;
  copy copies[MOST] = {{1 / zv, 0, 0}, {K / zv, T, 0}};
  if (robust) {
    copies[0].amplitude = 1 / zvd;
    copies[1].amplitude = 2 * K / zvd;
    copies[2] = (copy){K * K / zvd, 2 * T, 0};
  }
  int count = robust ? MOST : 2;
  fb_spline* made = fb_spline_room(count * path->count, error);
  if (!made) return FB_ERR_MEMORY;
  merge(made, path, copies, count);
  *spline = made;
  return FB_OK;
}
