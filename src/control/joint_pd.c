/* joint_pd.c -- the PD and PID law of joints, one coordinate at a time
 *
 *   tau = kp e + kd e' + ki x,  held within +- effort,   e = target - q,  e' = target' - v
 *   x'  = e;  0 while tau is at its bound and ki e would push it further (no wind-up)
 *
 * Over the last hundredth before the bound x' fades from e to 0: a rate that jumped would have the integral chatter
 * along the bound, and the integrator with it. Gains, bound and, where there is no path, the target are parameters
 * in memory; x is a state, only where ki was given. Outputs: e of each coordinate. Cost O(coordinates). */
#include <freebody/control.h>

#include <math.h>

#include "control/joint_gains.h"

static const double FADE = 0.01; /* part of the effort */

/* push: what the integral would add to tau a second. */
static double integral_rate(double tau, double effort, double push, double error) {
  if (tau * push <= 0) return error; /* it leads away from the bound */
  if (!(fabs(tau) < effort)) return 0;
  return error * fmin(1, (1 - fabs(tau) / effort) / FADE);
}

/* Before it is held within the effort. */
static double wanted_force(const fb_gain_coordinate* c, const fb_gain_error* e, const double* memory,
                           const double* state) {
  const double* p = memory + c->memory_at;
  double tau = p[FB_GAIN_KP] * e->place + p[FB_GAIN_KD] * e->rate;
  return c->state_at >= 0 ? tau + memory[c->ki_at] * state[c->state_at] : tau;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)error;
  const fb_joint_gains* gains = (const fb_joint_gains*)user;
  for (int i = 0; i < gains->count; i++) {
    const fb_gain_coordinate* c = &gains->coordinates[i];
    const double* p = memory + c->memory_at;
    if (c->given.coordinate < 0) continue; /* its joint has gone */
    fb_gain_error e = fb_joint_gains_error(c, context, memory);
    double tau = wanted_force(c, &e, memory, state), effort = fmax(p[FB_GAIN_EFFORT], 0);
    if (c->state_at >= 0)
      state_rate[c->state_at] = integral_rate(tau, effort, memory[c->ki_at] * e.place, e.place);
    action->tau[c->given.coordinate] += fmin(fmax(tau, -effort), effort);
  }
  return FB_OK;
}

/* At the bound they shrink with what is held back, so that the law stays a spring and damper towards its target. */
static void slopes(void* user, const fb_context* context, const double* memory, const double* state,
                   double* stiffness, double* damping) {
  const fb_joint_gains* gains = (const fb_joint_gains*)user;
  for (int i = 0; i < gains->count; i++) {
    const fb_gain_coordinate* c = &gains->coordinates[i];
    const double* p = memory + c->memory_at;
    if (c->given.coordinate < 0) continue; /* its joint has gone */
    fb_gain_error e = fb_joint_gains_error(c, context, memory);
    double tau = wanted_force(c, &e, memory, state), effort = fmax(p[FB_GAIN_EFFORT], 0);
    double part = fabs(tau) > effort ? effort / fabs(tau) : 1;
    stiffness[c->given.coordinate] += fmax(0, part * p[FB_GAIN_KP]);
    damping[c->given.coordinate] += fmax(0, part * p[FB_GAIN_KD]);
  }
}

fb_status fb_block_new_joint_pd(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                                fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_joint_gains* gains;
  fb_status status = fb_joint_gains_new(m, "joint_pd", name, joints, count, &gains, error);
  if (status) return status;
  fb_joint_gains_fill(gains, block);
  block->act = act;
  block->gains = slopes;
  return FB_OK;
}
