/* soft_stop.c -- soft joint limits: a one-sided spring and damper beyond the level
 *
 *   x = side (q - level),   force = -side f,   f = max(0, k x + d x')   for x > 0,   else 0
 *
 * It only pushes. The spring stores k x^2 / 2, which is part of the potential energy; the difference to the work of f
 * is dissipated: d x'^2 while it pushes, -k x x' while the coordinate leaves faster than the damper allows the stop
 * to follow.
 *
 * f has kinks, and with damping a jump at x = 0. So each stop has a phase, which is constant during a step: clear
 * (f = 0), pushing (f = k x + d x') or slack (f = 0 inside). Steps end where a phase does, located as an event, so that
 * integrators see a smooth function. The phase is a function of the state where a step begins, and needs no memory. */
#include "limit/limit.h"

#include "model/joint_kind.h"
#include "sim/event/crossing.h"
#include "limit/stops.h"

/* How far a coordinate is beyond the level. */
static double depth_at(const fb_sim* s, int limit, const double* y) {
  return -fb_limit_gap(s, limit, y);
}

static double push_at(const fb_sim* s, int limit, const double* y) {
  const fb_limit* l = &s->limit.list[limit];
  return l->stiffness * depth_at(s, limit, y) - l->damping * fb_limit_rate(s, limit, y + s->nq);
}

static int phase_at(const fb_sim* s, int limit, const double* y) {
  if (!(depth_at(s, limit, y) > 0)) return FB_STOP_CLEAR;
  return push_at(s, limit, y) > 0 ? FB_STOP_PUSHES : FB_STOP_SLACK;
}

fb_status fb_soft_stop_check(const fb_model* m, const fb_limit* l, fb_error* error) {
  int body = fb_coordinate_body(m, l->coordinate);
  if (!(l->stiffness >= 0 && l->damping >= 0 && isfinite(l->stiffness) && isfinite(l->damping)))
    return fb_fail(error, FB_ERR_ARG,
                   "the limit of joint \"%s\" has a stiffness of %g and a damping of %g; both must be "
                   "finite, and 0 or more",
                   fb_joint_name(m, body), l->stiffness, l->damping);
  if (l->stiffness == 0 && l->damping > 0)
    return fb_fail(error, FB_ERR_ARG,
                   "the limit of joint \"%s\" has damping and no stiffness; a soft stop needs a stiffness",
                   fb_joint_name(m, body));
  if (l->stiffness > 0 && l->restitution > 0)
    return fb_fail(error, FB_ERR_ARG,
                   "the limit of joint \"%s\" has a stiffness and a restitution; a soft stop bounces by its "
                   "spring and damper, so leave the restitution 0",
                   fb_joint_name(m, body));
  if (l->stiffness > 0 && fb_joint_kinds[fb_joint_type_of(m, body)].is_free)
    return fb_fail(error, FB_ERR_JOINT,
                   "joint \"%s\" is free, and free joints have no springs; its limit must be rigid",
                   fb_joint_name(m, body));
  return FB_OK;
}

int fb_soft_stops_update(fb_sim* s) {
  int changed = 0;
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++) {
    if (!fb_limit_is_soft(&s->limit.list[i])) continue;
    int phase = phase_at(s, i, s->y);
    changed |= phase != s->limit.stop_phase[i];
    s->limit.stop_phase[i] = (unsigned char)phase;
  }
  return changed;
}

void fb_soft_stops_follow(fb_sim* s) {
  if (fb_soft_stops_update(s)) fb_sim_forget(s);
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++) {
    int is_on_stop = s->limit.stop_phase[i] != FB_STOP_CLEAR;
    if (!fb_limit_is_soft(&s->limit.list[i]) || is_on_stop == s->limit.resting[i]) continue;
    s->limit.phases[i] |= (unsigned char)(1 << (is_on_stop ? FB_LIMIT_HIT : FB_LIMIT_LEAVES));
    s->limit.resting[i] = is_on_stop;
  }
}

/* Soft stops that push, or are slack. */
static int acts(const fb_sim* s, int limit) {
  return s->limit.stop_phase[limit] != FB_STOP_CLEAR;
}

int fb_soft_stops_act(const fb_sim* s) {
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++)
    if (acts(s, i)) return 1;
  return 0;
}

void fb_soft_stops_push(fb_sim* s, const double* y) {
  for (int k = 0; k < s->nv; k++) s->limit.stop_force[k] = 0;
  for (int i = 0; i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (s->limit.stop_phase[i] == FB_STOP_PUSHES)
      s->limit.stop_force[l->coordinate] -= l->side * push_at(s, i, y);
  }
}

void fb_soft_stops_add_losses(const fb_sim* s, const double* q, double* force) {
  for (int k = 0; k < s->nv; k++) force[k] += s->limit.stop_force[k];
  for (int i = 0; i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (acts(s, i)) force[l->coordinate] += l->side * l->stiffness * depth_at(s, i, q);
  }
}

double fb_soft_stop_energy(const fb_sim* s, int limit, const double* q) {
  double depth = depth_at(s, limit, q);
  return depth > 0 ? 0.5 * s->limit.list[limit].stiffness * depth * depth
                   : 0; /* rigid ones have no stiffness */
}

double fb_soft_stops_energy(const fb_sim* s, const double* q) {
  double sum = 0;
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++) sum += fb_soft_stop_energy(s, i, q);
  return sum;
}

void fb_soft_stops_add_gains(const fb_sim* s, double* stiffness, double* damping) {
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (s->limit.stop_phase[i] != FB_STOP_PUSHES) continue;
    stiffness[l->coordinate] += l->stiffness;
    damping[l->coordinate] += l->damping;
  }
}

fb_status fb_soft_stop_depth(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = depth_at(s, limit, y);
  return FB_OK;
}

fb_status fb_soft_stop_margin(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  double push = push_at(s, limit, y);
  *x = s->limit.stop_phase[limit] == FB_STOP_PUSHES ? push : -push;
  return FB_OK;
}
