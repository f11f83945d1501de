/* trapezoid.c -- from rest to rest with constant acceleration, speed and deceleration
 *
 *   a leg of length h, r = ramp h:   top speed  v = (x_i+1 - x_i) / (h - r),   acceleration  a = +-v / r
 *
 *   [0, r)       x_i + a u^2 / 2
 *   [r, h - r)   x_i + v r / 2 + v u             (none when ramp is 0.5)
 *   [h - r, h)   x_i + v (h - 3 r / 2) + v u - a u^2 / 2
 * with u counted from the beginning of each part. */
#include "path/spline.h"

#include <freebody/status.h>

/* The knots of the leg from (t0, x0) to (t1, x1), the last one left out. */
static void add_leg(fb_spline* s, double ramp, double t0, double x0, double t1, double x1) {
  double h = t1 - t0, r = ramp * h, speed = (x1 - x0) / (h - r), half = speed / r / 2;
  double* c = fb_spline_add_knot(s, t0, x0);
  c[2] = half;
  if (ramp < 0.5 && t0 + r < t1 - r) {
    c = fb_spline_add_knot(s, t0 + r, x0 + speed * r / 2);
    c[1] = speed;
  }
  c = fb_spline_add_knot(s, t1 - r, x1 - speed * r / 2);
  c[1] = speed;
  c[2] = -half;
}

fb_status fb_spline_new_trapezoid(int count, const double* times, const double* values, double ramp,
                                  fb_spline** spline, fb_error* error) {
  *spline = NULL;
  fb_status status = fb_spline_check_points(count, times, values, error);
  if (status) return status;
  if (!(ramp > 0 && ramp <= 0.5))
    return fb_fail(error, FB_ERR_ARG,
                   "the ramp of a trapezoid is %g; it is the part of each leg spent speeding up, above 0 and "
                   "at most 0.5",
                   ramp);
  int legs = count - 1;
  fb_spline* s = fb_spline_room(3 * legs + 1, error);
  if (!s) return FB_ERR_MEMORY;
  for (int i = 0; i < legs; i++) {
    double r = ramp * (times[i + 1] - times[i]);
    if (!(times[i] + r > times[i] && times[i + 1] - r < times[i + 1])) {
      fb_spline_free(s);
      return fb_fail(error, FB_ERR_ARG,
                     "the ramp of a trapezoid, %g of the leg from %.9g s to %.9g s, is too short for "
                     "floating point; give a longer one",
                     ramp, times[i], times[i + 1]);
    }
    add_leg(s, ramp, times[i], values[i], times[i + 1], values[i + 1]);
  }
  fb_spline_add_knot(s, times[legs], values[legs]);
  return fb_spline_finish(s, count, times, values, spline, error);
}
