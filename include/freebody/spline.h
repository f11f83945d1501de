/* spline.h -- piecewise polynomial functions of time through given points.
 *
 *   cubic       twice continuously differentiable, at rest at both ends
 *   quintic     at rest at every knot, least jerk between (10 s^3 - 15 s^4 + 6 s^5)
 *   trapezoid   at rest at every knot; constant acceleration, constant speed, constant deceleration between
 *
 * Before the first knot and after the last the value is constant. A spline of one knot is a constant. */
#ifndef FREEBODY_SPLINE_H
#define FREEBODY_SPLINE_H

#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_spline fb_spline;

FB_BEGIN_DECLS

/* Times must increase. Allocates once; *spline is NULL on failure. */
FB_API fb_status fb_spline_new_cubic(int count, const double* times, const double* values, fb_spline** spline,
                                     fb_error* error);
FB_API fb_status fb_spline_new_quintic(int count, const double* times, const double* values,
                                       fb_spline** spline, fb_error* error);
/* ramp: the fraction of each leg's time spent accelerating, and again decelerating, 0 < ramp <= 0.5; the top speed of a
 * leg is its mean speed / (1 - ramp). */
FB_API fb_status fb_spline_new_trapezoid(int count, const double* times, const double* values, double ramp,
                                         fb_spline** spline, fb_error* error);
/* Input shaping (Singer, Seering 1990): the path convolved with impulses that leave a vibration of this natural
 * (undamped) frequency [Hz] and damping ratio, 0 to below 1, at rest. robust 0: ZV, two impulses, half a damped period
 * longer; 1: ZVD, three, a whole period. */
FB_API fb_status fb_spline_new_shaped(const fb_spline* path, double frequency, double damping, int robust,
                                      fb_spline** spline, fb_error* error);
FB_API fb_spline* fb_spline_copy(const fb_spline* spline); /* NULL when out of memory, or if spline is */
FB_API void fb_spline_free(fb_spline* spline);
/* Value, rate and acceleration at t; any may be NULL. */
FB_API void fb_spline_eval(const fb_spline* spline, double t, double* x, double* xdot, double* xddot);
/* The next knot after t, INFINITY after the last. */
FB_API double fb_spline_next_knot(const fb_spline* spline, double t);

FB_END_DECLS

#endif
