/* choose.c -- the method that a model takes
 *
 * With a step that is given, rk4, which is stable while h |s| < 2.78 on the real and 2.83 on the imaginary axis; beyond that
 * the implicit method, if joints are the reason: elements between frames have no slopes that it could take.
 * Without one, steps follow the error. dopri5 makes some 10 to 100 steps a second for most motions; stability asks for
 * |s| / 3.3, so that a stiff joint would cost many times what its motion is worth. The implicit method, whose order is lower,
 * needs some hundred to thousand steps a second, whatever the stiffness: it takes over where stability asks for more. */
#include <math.h>

#include <freebody/sim.h>

static const double RK4_REACH = 2.7;
static const double STIFF = 4000; /* rates at which both cost about the same [1/s] */

fb_method fb_method_choose(const fb_rates* rates, double* step) {
  int joints = rates->between < rates->fastest;
  if (*step > 0) return joints && *step * rates->fastest > RK4_REACH ? FB_METHOD_IMPLICIT : FB_METHOD_RK4;
  *step = 0;
  return joints && rates->fastest > STIFF && rates->between < STIFF ? FB_METHOD_IMPLICIT : FB_METHOD_DOPRI5;
}
