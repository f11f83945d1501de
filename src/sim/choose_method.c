/* choose_method.c -- the choice of the method for a model
 *
 * With a step that is given, rk4, which is stable while h |s| < 2.78 on the real and 2.83 on the imaginary axis;
 * beyond that the implicit method, if joints are the reason: it has no slopes of elements between frames. Without
 * one, steps follow the error. dopri5 makes some 10 to 100 steps a second for most motions; stability requires |s| /
 * 3.3, so that a stiff joint would cost many times what its motion needs. The implicit method, whose order is lower,
 * needs some hundred to thousand steps a second, whatever the stiffness: it is chosen where stability requires more,
 * except where an element vibrates nearly as fast: following that takes some 170 steps of the implicit method for
 * each radian, and 10 of dopri5. */
#include <math.h>

#include <freebody/sim.h>

static const double RK4_STABLE = 2.7;
static const double STIFF = 4000; /* rates at which both cost about the same [1/s] */
static const double NEAR = 20;    /* likewise: fastest over between */

fb_method fb_method_choose(const fb_stiffness* rates, double* step) {
  int joints = rates->between < rates->fastest;
  if (*step > 0) return joints && *step * rates->fastest > RK4_STABLE ? FB_METHOD_IMPLICIT : FB_METHOD_RK4;
  *step = 0;
  int vibrates = rates->between > STIFF || NEAR * rates->between > rates->fastest;
  return joints && rates->fastest > STIFF && !vibrates ? FB_METHOD_IMPLICIT : FB_METHOD_DOPRI5;
}

fb_method fb_method_for_contacts(int hard) {
  return hard ? FB_METHOD_MOREAU : FB_METHOD_DOPRI5;
}
