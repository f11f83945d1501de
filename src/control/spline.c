/* spline.c -- the clamped cubic spline through given points
 *
 *   between knots   the cubic with the values x_i, x_i+1 and the slopes s_i, s_i+1 at its ends (Hermite)
 *   inner knots     the second derivative is continuous, h_i = t_i+1 - t_i, d_i = (x_i+1 - x_i) / h_i:
 *                   h_i s_i-1 + 2 (h_i-1 + h_i) s_i + h_i-1 s_i+1 = 3 (h_i d_i-1 + h_i-1 d_i)
 *   ends            s_0 = s_n-1 = 0
 * The matrix has three diagonals and a dominant middle one, so elimination without pivots is stable (de Boor,
 * A Practical Guide to Splines, ch. IV). Set-up O(n), a value O(log n). */
#include <freebody/spline.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct fb_spline {
  int count;
  const double *t, *x, *slope; /* [count] */
  double memory[];
};

static fb_status check_points(int count, const double* times, const double* values, fb_error* error) {
  if (count < 1)
    return fb_fail(error, FB_ERR_ARG, "a spline needs at least one point; it was given %d", count);
  for (int i = 0; i < count; i++) {
    if (!isfinite(times[i]) || !isfinite(values[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE,
                     "point %d of %d of a spline is (%g s, %g); times and values must be finite", i + 1,
                     count, times[i], values[i]);
    if (i > 0 && !(times[i] > times[i - 1]))
      return fb_fail(error, FB_ERR_ARG,
                     "times of a spline must rise: point %d is at %.17g s, point %d at %.17g s", i,
                     times[i - 1], i + 1, times[i]);
  }
  return FB_OK;
}

/* Elimination downwards, with `upper` as the scaled upper diagonal, then back. */
static void solve_slopes(int count, const double* t, const double* x, double* slope, double* upper) {
  slope[0] = upper[0] = 0;
  for (int i = 1; i < count - 1; i++) {
    double before = t[i] - t[i - 1], after = t[i + 1] - t[i], span = before + after;
    double a = after / span, b = before / span; /* the row divided by its span: no product can overflow */
    double pivot = 2 - a * upper[i - 1];
    double right = 3 * (a * ((x[i] - x[i - 1]) / before) + b * ((x[i + 1] - x[i]) / after));
    upper[i] = b / pivot;
    slope[i] = (right - a * slope[i - 1]) / pivot;
  }
  slope[count - 1] = 0;
  for (int i = count - 2; i > 0; i--) slope[i] -= upper[i] * slope[i + 1];
}

/* Between knots i and i + 1, u after knot i: x_i + s_i u + c2 u^2 + c3 u^3. */
typedef struct cubic {
  double c2, c3;
} cubic;

static cubic cubic_of(const fb_spline* s, int i) {
  double h = s->t[i + 1] - s->t[i], d = (s->x[i + 1] - s->x[i]) / h;
  double s0 = s->slope[i], s1 = s->slope[i + 1];
  return (cubic){(3 * d - 2 * s0 - s1) / h, (s0 + s1 - 2 * d) / h / h};
}

/* Points that are too close for numbers of their size overflow. */
static fb_status check_finite(const fb_spline* s, fb_error* error) {
  for (int i = 0; i < s->count - 1; i++) {
    cubic c = cubic_of(s, i);
    if (isfinite(s->slope[i]) && isfinite(c.c2) && isfinite(c.c3)) continue;
    return fb_fail(
        error, FB_ERR_NOT_FINITE,
        "a spline from (%.9g s, %.9g) to (%.9g s, %.9g), points %d and %d, is too steep for floating "
        "point; move the points apart",
        s->t[i], s->x[i], s->t[i + 1], s->x[i + 1], i + 1, i + 2);
  }
  return FB_OK;
}

fb_status fb_spline_new(int count, const double* times, const double* values, fb_spline** spline,
                        fb_error* error) {
  *spline = NULL;
  fb_status status = check_points(count, times, values, error);
  if (status) return status;
  size_t n = (size_t)count;
  fb_spline* s = (fb_spline*)malloc(sizeof *s + 4 * n * sizeof(double));
  if (!s) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a spline of %d points", count);
  double *t = s->memory, *x = t + n, *slope = x + n;
  memcpy(t, times, n * sizeof *t);
  memcpy(x, values, n * sizeof *x);
  solve_slopes(count, t, x, slope, slope + n);
  s->count = count;
  s->t = t;
  s->x = x;
  s->slope = slope;
  status = check_finite(s, error);
  if (status)
    fb_spline_free(s);
  else
    *spline = s;
  return status;
}

void fb_spline_free(fb_spline* spline) {
  free(spline);
}

/* How many knots are at t or before it. */
static int knots_until(const fb_spline* s, double t) {
  int low = 0, high = s->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (s->t[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void fb_spline_at(const fb_spline* spline, double t, double* x, double* xdot, double* xddot) {
  int i = knots_until(spline, t) - 1;
  if (i < 0 || i == spline->count - 1) { /* outside, where it stays; at the last knot too */
    if (x) *x = spline->x[i < 0 ? 0 : i];
    if (xdot) *xdot = 0;
    if (xddot) *xddot = 0;
    return;
  }
  cubic c = cubic_of(spline, i);
  double u = t - spline->t[i];
  if (x) *x = spline->x[i] + u * (spline->slope[i] + u * (c.c2 + u * c.c3));
  if (xdot) *xdot = spline->slope[i] + u * (2 * c.c2 + u * 3 * c.c3);
  if (xddot) *xddot = 2 * c.c2 + 6 * c.c3 * u;
}

double fb_spline_next_knot(const fb_spline* spline, double t) {
  int i = knots_until(spline, t);
  return i < spline->count ? spline->t[i] : INFINITY;
}
