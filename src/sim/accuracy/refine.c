/* refine.c -- fixed steps that are halved where the motion has become too fast for them
 *
 * A joint under a constant torque, or a light finger, may reach speeds of radians in a step that was short enough at
 * the start. Where something turns by more than 0.3 rad in a step, the ledger of the step is checked first: if the
 * error in energy or momentum is too large, the step is repeated with half its length, down to 1/4096. The halves
 * stay on the grid of the whole steps, at each of which the whole step is tried again; so no state is needed, and a
 * resumed run takes the same steps. Slow motions are not checked, and fast ones that the method follows (a wheel
 * about its axis of symmetry) keep their steps. */
#include <math.h>

#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "ledger/ledger.h"

enum { DEEPEST = 12 };
static const double TURN = 0.3;    /* rad in a step */
static const double JUMP = 1e-2;   /* growth of the residual, relative to its scale, that no step may have */
static const double OFF = 1e-3;    /* a ledger beyond this does not close any more, and then */
static const double GROWTH = 1e-5; /* a step may add no more than this */

double fb_refine_step(const fb_sim* s) {
  return ldexp(s->options.step, -s->error.level);
}

void fb_refine_begin(fb_sim* s) {
  double t = s->head->t, n = nearbyint(t / s->options.step);
  if (fabs(n * s->options.step - t) <= fb_time_slack(t)) s->error.level = 0;
}

static double fastest_turn(const fb_sim* s, const double* v) {
  double most = 0;
  for (int k = 0; k < s->nv; k++)
    if (!s->chart.is_length[k] && fabs(v[k]) > most) most = fabs(v[k]);
  return most;
}

/* Whether the step to y1 is too long. */
static int is_coarse(fb_sim* s, double h) {
  if (!fb_sim_is_finite(s, s->y1)) return 1;
  if (h * fmax(fastest_turn(s, s->y0 + s->nq), fastest_turn(s, s->y1 + s->nq)) < TURN) return 0;
  double before = fb_ledger_off(s, s->y0), after = fb_ledger_off(s, s->y1), growth = after - before;
  return !(growth <= JUMP) || (s->error.level > 0 && growth > GROWTH) || (after > OFF && growth > GROWTH);
}

int fb_refine_again(fb_sim* s, double h) {
  if (!s->options.refine || s->stepper.traits.adaptive || s->error.level >= DEEPEST || !is_coarse(s, h))
    return 0;
  if (s->error.refined_since > s->step.t0) s->error.refined_since = s->step.t0;
  s->error.level++;
  s->head->rejected++;
  return 1;
}
