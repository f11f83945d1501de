/* spline.h -- inside a spline: polynomials of degree 5 or less between knots, and what all ways to make one share.
 *
 *   x(t) = sum over k of coefficients[i][k] (t - t_i)^k   in [t_i, t_i+1)
 *
 * Before the first knot and from the last one on it stays at coefficients[.][0]. */
#ifndef FB_PATH_SPLINE_H
#define FB_PATH_SPLINE_H

#include <freebody/spline.h>

enum { FB_SPLINE_TERMS = 6 };

struct fb_spline {
  int count; /* knots */
  double* t; /* [count] */
  double (*coefficients)[FB_SPLINE_TERMS];
  double memory[];
};

/* How many of the rising times are at t or before it. */
int fb_times_until(const double* times, int count, double t);
/* FB_OK when there is a point, times rise and all numbers are finite. */
fb_status fb_spline_check_points(int count, const double* times, const double* values, fb_error* error);
/* Room for so many knots, zeroed, with count 0; NULL when out of memory, with the error filled. */
fb_spline* fb_spline_room(int knots, fb_error* error);
/* The next knot of one that has room left; its coefficients are zero but for the value. Returns them. */
double* fb_spline_add_knot(fb_spline* spline, double t, double value);
/* After all knots are in: hands the spline over, or frees it when a polynomial is not finite or knots fall together;
 * points are those that it was asked to pass. */
fb_status fb_spline_finish(fb_spline* made, int count, const double* times, const double* values,
                           fb_spline** spline, fb_error* error);

#endif
