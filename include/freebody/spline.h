/* spline.h -- a number as a smooth function of time through given points.
 *
 * Cubic between knots, twice continuously differentiable, at rest at both ends; before the first knot and
 * after the last it stays. One knot is a constant. */
#ifndef FREEBODY_SPLINE_H
#define FREEBODY_SPLINE_H

#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_spline fb_spline;

FB_BEGIN_DECLS

/* Times must rise. Allocates once; NULL in *spline on failure. */
FB_API fb_status fb_spline_new(int count, const double* times, const double* values, fb_spline** spline,
                               fb_error* error);
FB_API void fb_spline_free(fb_spline* spline);
/* Value, rate and acceleration at t; any may be NULL. */
FB_API void fb_spline_at(const fb_spline* spline, double t, double* x, double* xdot, double* xddot);
/* The next knot after t, INFINITY after the last. */
FB_API double fb_spline_next_knot(const fb_spline* spline, double t);

FB_END_DECLS

#endif
