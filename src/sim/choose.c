/* choose.c -- the method and the step that a model takes
 *
 * rk4 is stable while h |s| < 2.78 on the real and 2.83 on the imaginary axis. Where the fastest motion of the joints is
 * within that, it stays; where a vibration is beyond it, the step is shortened until the vibration is resolved; where
 * only a decay is, or the step is given, the implicit method takes over. Its midpoint rule takes elements between frames
 * as explicit methods do, and excites a vibration by (h omega)^4 / 8 a step: it is not chosen for their sake, and where it is
 * chosen for that of joints, its step is short for them. */
#include <math.h>

#include <freebody/sim.h>

static const double RK4_REACH = 2.7;
static const double PER_VIBRATION = 0.5; /* h omega: a dozen steps a period */
static const double SHORTEST =
    1e-4; /* beyond that, a vibration is left to the implicit method, which damps it [s] */
static const double PER_ELEMENT = 0.05; /* h rate of elements, where the implicit method carries them along */

/* The largest of 1, 2, 5 times a power of ten that is not above x. */
static double round_down(double x) {
  double power = pow(10, floor(log10(x))), part = x / power;
  return (part >= 5 ? 5 : part >= 2 ? 2 : 1) * power;
}

fb_method fb_method_choose(const fb_rates* rates, double* step) {
  double usual = fb_default_sim_options().step, h = *step > 0 ? *step : usual;
  int too_fast = h * rates->fastest > RK4_REACH;
  if (too_fast && *step <= 0 && h * rates->vibration > PER_VIBRATION)
    h = fmin(h, fmax(SHORTEST, round_down(PER_VIBRATION / rates->vibration)));
  if (*step <= 0 && h * rates->between > PER_VIBRATION) h = round_down(PER_VIBRATION / rates->between);
  int implicit = h * rates->fastest > RK4_REACH && rates->between < rates->fastest;
  if (implicit && *step <= 0 && h * rates->between > PER_ELEMENT)
    h = round_down(PER_ELEMENT / rates->between);
  *step = h;
  return implicit && h * rates->fastest > RK4_REACH ? FB_METHOD_IMPLICIT : FB_METHOD_RK4;
}
