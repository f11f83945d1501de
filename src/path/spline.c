/* spline.c -- what every spline has: storage, evaluation, the search for its knots
 *
 *   x(t) = sum over k of c_ik (t - t_i)^k,  k = 0 .. 5,   in [t_i, t_i+1)
 *
 * cubic.c, quintic.c, trapezoid.c and shaped.c make them. A value costs O(log knots). */
#include "path/spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

fb_status fb_spline_check_points(int count, const double* times, const double* values, fb_error* error) {
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

fb_spline* fb_spline_room(int knots, fb_error* error) {
  size_t n = (size_t)knots;
  fb_spline* s = calloc(1, sizeof *s + n * (1 + FB_SPLINE_TERMS) * sizeof(double));
  if (!s) {
    fb_fail(error, FB_ERR_MEMORY, "out of memory for a spline of %d knots", knots);
    return NULL;
  }
  s->t = s->memory;
  s->coefficients = (double(*)[FB_SPLINE_TERMS])(s->memory + n);
  return s;
}

double* fb_spline_add_knot(fb_spline* spline, double t, double value) {
  int i = spline->count++;
  spline->t[i] = t;
  spline->coefficients[i][0] = value;
  return spline->coefficients[i];
}

/* Points that are too close for numbers of their size overflow, or leave no room for knots between them. */
static fb_status check_finite(const fb_spline* s, int count, const double* times, const double* values,
                              fb_error* error) {
  for (int i = 0, leg = 0; i < s->count - 1; i++) {
    double sum = 0;
    for (int k = 0; k < FB_SPLINE_TERMS; k++) sum += 0 * s->coefficients[i][k];
    while (leg < count - 2 && times[leg + 1] <= s->t[i]) leg++;
    if (sum == 0 && s->t[i + 1] > s->t[i]) continue;
    return fb_fail(error, FB_ERR_NOT_FINITE,
                   "a spline from (%.9g s, %.9g) to (%.9g s, %.9g), points %d and %d, is too steep for "
                   "floating point; move the points apart",
                   times[leg], values[leg], times[leg + 1], values[leg + 1], leg + 1, leg + 2);
  }
  return FB_OK;
}

fb_status fb_spline_finish(fb_spline* made, int count, const double* times, const double* values,
                           fb_spline** spline, fb_error* error) {
  fb_status status = check_finite(made, count, times, values, error);
  if (status)
    fb_spline_free(made);
  else
    *spline = made;
  return status;
}

fb_spline* fb_spline_copy(const fb_spline* spline) {
  fb_spline* copy = spline ? fb_spline_room(spline->count, NULL) : NULL;
  if (!copy) return NULL;
  size_t n = (size_t)spline->count;
  copy->count = spline->count;
  memcpy(copy->t, spline->t, n * sizeof *copy->t);
  memcpy(copy->coefficients, spline->coefficients, n * sizeof *copy->coefficients);
  return copy;
}

void fb_spline_free(fb_spline* spline) {
  free(spline);
}

int fb_times_until(const double* times, int count, double t) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (times[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void fb_spline_eval(const fb_spline* spline, double t, double* x, double* xdot, double* xddot) {
  int i = fb_times_until(spline->t, spline->count, t) - 1;
  if (i < 0 || i == spline->count - 1) { /* outside, where it stays; at the last knot too */
    if (x) *x = spline->coefficients[i < 0 ? 0 : i][0];
    if (xdot) *xdot = 0;
    if (xddot) *xddot = 0;
    return;
  }
  const double* c = spline->coefficients[i];
  double u = t - spline->t[i];
  if (x) *x = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))));
  if (xdot) *xdot = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])));
  if (xddot) *xddot = 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]));
}

double fb_spline_next_knot(const fb_spline* spline, double t) {
  int i = fb_times_until(spline->t, spline->count, t);
  return i < spline->count ? spline->t[i] : INFINITY;
}
