/* quintic.c -- from rest to rest with the least jerk
 *
 *   x = x_i + (x_i+1 - x_i) (10 s^3 - 15 s^4 + 6 s^5),   s = (t - t_i) / (t_i+1 - t_i)
 *
 * Speed and acceleration are zero at every knot; of all such motions the integral of the squared jerk is the least
 * (Flash, Hogan 1985). Top speed 15/8 of the mean, at the middle; top acceleration 10/sqrt(3) (x_i+1 - x_i) / h^2. */
#include "path/spline.h"

fb_status fb_spline_new_quintic(int count, const double* times, const double* values, fb_spline** spline,
                                fb_error* error) {
  *spline = NULL;
  fb_status status = fb_spline_check_points(count, times, values, error);
  if (status) return status;
  fb_spline* s = fb_spline_room(count, error);
  if (!s) return FB_ERR_MEMORY;
  for (int i = 0; i < count; i++) {
    double* c = fb_spline_add_knot(s, times[i], values[i]);
    if (i == count - 1) break;
    double h = times[i + 1] - times[i], third = (values[i + 1] - values[i]) / h / h / h;
    c[3] = 10 * third;
    c[4] = -15 * third / h;
    c[5] = 6 * third / h / h;
  }
  return fb_spline_finish(s, count, times, values, spline, error);
}
