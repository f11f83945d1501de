/* jump.c -- velocities that jump: locks, releases, bounces
 *
 *   H dv = S^T impulse,   dv_k given for the coordinates that jump, impulse zero for the others
 *
 * which is mixed dynamics at zero velocity without gravity (seed 002 section 5): O(n), momentum of a floating tree
 * stays, and the kinetic energy that goes or comes is booked as `jumped`. */
#include <math.h>
#include <string.h>

#include <freebody/momentum.h>
#include <freebody/kinematics.h>

#include "base/error.h"
#include "sim/sim.h"

void fb_sim_forget(fb_sim* s) {
  if (s->stepper.reset) s->stepper.reset(s->stepper.self, s);
}

static double kinetic(fb_sim* s) {
  fb_kinematics(s->m, s->d, s->y, s->y + s->nq, NULL);
  return fb_kinetic_energy(s->m, s->d, s->y + s->nq);
}

fb_status fb_sim_jump(fb_sim* s, const unsigned char* prescribed, double* dv, fb_error* error) {
  fb_loads none = fb_default_loads();
  none.passive = 0;
  double before = kinetic(s), *v = fb_y_v(s, s->y);
  /* Velocity products vanish at rest: total_tau is the rest, then the impulse. */
  memset(s->total_tau, 0, (size_t)s->nv * sizeof(double));
  memset(s->tau, 0, (size_t)s->nv * sizeof(double));
  fb_mixed_dynamics(s->m, s->d, s->y, s->total_tau, prescribed, &none, dv, s->tau);
  fb_status status = fb_check_pivots(s->m, s->d, error);
  if (status) return status;
  for (int k = 0; k < s->nv; k++) v[k] += dv[k];
  s->head->jumped += kinetic(s) - before;
  s->head->momentum_known = 0;
  fb_sim_forget(s);
  return FB_OK;
}

static int needs_jump(const fb_sim* s) {
  for (int k = 0; k < s->nv; k++)
    if (s->motion[k] != FB_MOTION_FORCE && s->y[s->nq + k] != fb_motion_rate(s, k, s->head->t)) return 1;
  return 0;
}

/* All moved coordinates take the velocities of their motions; the others follow. */
static fb_status take_up_motions(fb_sim* s, fb_error* error) {
  if (!s->started) return FB_OK;
  s->head->nmoved = 0;
  for (int k = 0; k < s->nv; k++) {
    s->prescribed[k] = s->motion[k] != FB_MOTION_FORCE;
    s->vdot[k] = s->prescribed[k] ? fb_motion_rate(s, k, s->head->t) - s->y[s->nq + k] : 0;
    s->head->nmoved += s->prescribed[k];
  }
  s->head->momentum_known = 0;
  fb_sim_forget(s);
  fb_status status = needs_jump(s) ? fb_sim_jump(s, s->prescribed, s->vdot, error) : FB_OK;
  if (!status) fb_flow_place(s, s->head->t, s->y);
  return status;
}

/* A path may be taken up in motion only where it passes the coordinate: positions do not jump. */
static fb_status check_path(const fb_sim* s, int k, const fb_spline* path, fb_error* error) {
  static const double SLACK = 1e-6;
  double at, is = s->y[s->chart.coordinate_q[k]];
  fb_spline_at(path, s->head->t, &at, NULL, NULL);
  if (fabs(at - is) <= SLACK) return FB_OK;
  return fb_fail(error, FB_ERR_STATE,
                 "coordinate %d is at %.9g and its path at %.9g at t = %.9g s; a path must begin where the "
                 "coordinate is, to %g",
                 k, is, at, s->head->t, SLACK);
}

static fb_status check_motion(const fb_sim* s, int k, int motion, fb_error* error) {
  if (k < 0 || k >= s->nv)
    return fb_fail(error, FB_ERR_ARG, "there is no coordinate %d; the model has 0 to %d", k, s->nv - 1);
  if (motion < FB_MOTION_LOCKED || motion >= s->nmotion)
    return fb_fail(error, FB_ERR_ARG, "there is no motion %d; %d were added", motion, s->nmotion);
  if (motion >= 0 && s->motions[motion].kind == FB_BY_PATH && s->chart.coordinate_q[k] < 0)
    return fb_fail(error, FB_ERR_ARG,
                   "coordinate %d is part of an attitude, which cannot follow a path; "
                   "give it a rate or lock it",
                   k);
  if (s->started && motion >= 0 && s->motions[motion].kind == FB_BY_PATH)
    return check_path(s, k, s->motions[motion].path, error);
  return FB_OK;
}

/* FB_MOTION_FORCE, also for a motion of that kind. */
static int motion_as_set(const fb_sim* s, int motion) {
  if (motion < 0) return motion;
  if (s->motions[motion].kind == FB_BY_FORCE) return FB_MOTION_FORCE;
  return s->motions[motion].kind == FB_LOCKED ? FB_MOTION_LOCKED : motion;
}

fb_status fb_sim_move(fb_sim* s, int k, int motion, fb_error* error) {
  fb_status status = check_motion(s, k, motion, error);
  if (status) return status;
  s->motion[k] = motion_as_set(s, motion);
  return take_up_motions(s, error);
}

fb_status fb_sim_move_joint(fb_sim* s, int body, int motion, fb_error* error) {
  if (body < 1 || body >= s->m->top.nbody)
    return fb_fail(error, FB_ERR_ARG, "there is no body %d; the model has 1 to %d", body,
                   s->m->top.nbody - 1);
  int first = fb_joint_v_at(s->m, body), end = first + fb_joint_nv(s->m, body);
  for (int k = first; k < end; k++) {
    fb_status status = check_motion(s, k, motion, error);
    if (status) return status;
  }
  for (int k = first; k < end; k++) s->motion[k] = motion_as_set(s, motion);
  return take_up_motions(s, error);
}

fb_motion_kind fb_sim_motion(const fb_sim* s, int k) {
  int id = k >= 0 && k < s->nv ? s->motion[k] : FB_MOTION_FORCE;
  return id == FB_MOTION_FORCE ? FB_BY_FORCE : id == FB_MOTION_LOCKED ? FB_LOCKED : s->motions[id].kind;
}

/* Whether coordinate k, thrown back at v, would come back within about one step: it has come to rest. */
static int comes_to_rest(fb_sim* s, int k, double incoming, fb_error* error) {
  double step = s->options.step > 0 ? s->options.step : s->head->t - s->t0;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  return !status && s->vdot[k] * incoming > 0 && fabs(s->y[s->nq + k]) <= fabs(s->vdot[k]) * step;
}

fb_status fb_sim_bounce(fb_sim* s, int k, double restitution, fb_error* error) {
  if (k < 0 || k >= s->nv)
    return fb_fail(error, FB_ERR_ARG, "there is no coordinate %d; the model has 0 to %d", k, s->nv - 1);
  if (!(restitution >= 0 && restitution <= 1))
    return fb_fail(error, FB_ERR_ARG, "restitution is %g; it lies between 0 and 1", restitution);
  double incoming = s->y[s->nq + k];
  for (int i = 0; i < s->nv; i++) {
    s->prescribed[i] = i == k || s->motion[i] != FB_MOTION_FORCE;
    s->vdot[i] = i == k ? -(1 + restitution) * incoming : 0;
  }
  fb_status status = fb_sim_jump(s, s->prescribed, s->vdot, error);
  if (!status && comes_to_rest(s, k, incoming, error)) status = fb_sim_move(s, k, FB_MOTION_LOCKED, error);
  return status;
}
