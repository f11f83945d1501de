/* jump.c -- velocities that jump: locks, releases, bounces
 *
 *   H dv = S^T impulse,   dv_k given for the coordinates that jump and those that are moved, impulse zero for the others
 *
 * which is mixed dynamics at zero velocity without gravity ([Meng 2007] section 5): O(n), momentum of a floating tree
 * is conserved unless its base itself jumps, which is an external impulse; the change of kinetic energy is part of
 * `impacts`. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "sim/accuracy/error_control.h"
#include "limit/limit.h"
#include "limit/stops.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

void fb_sim_forget(fb_sim* s) {
  s->step.epoch++;
  s->error.level = 0;
  s->error.head->group = 0;
  if (s->stepper.reset) s->stepper.reset(s->stepper.self, s);
}

/* The dv of all from those that are given; s->tau is the impulse. Velocity products vanish at rest: total_tau is the rest. */
static void find_jump(fb_sim* s, const double* y, const unsigned char* prescribed, double* dv) {
  fb_loads none = fb_default_loads();
  none.passive = 0;
  memset(s->total_tau, 0, (size_t)s->nv * sizeof(double));
  memset(s->tau, 0, (size_t)s->nv * sizeof(double));
  fb_constrained_dynamics(s->m, s->d, y, s->total_tau, prescribed, &none, dv, s->tau);
}

fb_status fb_sim_jump(fb_sim* s, const unsigned char* prescribed, double* dv, fb_error* error) {
  double *v = fb_y_v(s, s->y), *neighbour = s->error.off_next;
  double sigma = fb_growth_jump_begin(s, prescribed, dv, neighbour);
  if (sigma > 0) find_jump(s, s->error.y_neighbour, prescribed, neighbour);
  find_jump(s, s->y, prescribed, dv);
  fb_status status = fb_model_check_pivots(s->m, s->d, error);
  if (status) return status;
  fb_ledger_jump_begin(s);
  fb_ledger_push(s, s->tau); /* it is the impulse now */
  fb_ledger_push_loops(s);
  fb_growth_jump_end(s, sigma, dv, neighbour);
  for (int k = 0; k < s->nv; k++) v[k] += dv[k];
  fb_ledger_jump_end(s);
  s->head->momentum_known = 0;
  fb_sim_forget(s);
  return FB_OK;
}

int fb_sim_coordinate_responds(const fb_sim* s, int k) {
  return !s->motion.by_block[k] && (s->motion.of[k] == FB_MOTION_FORCE || fb_is_held(s->motion.of[k]));
}

void fb_sim_responses(fb_sim* s, const fb_row* rows, int count, double* A) {
  for (int k = 0; k < s->nv; k++)
    s->motion.prescribed[k] = s->motion.of[k] != FB_MOTION_FORCE || s->motion.by_block[k];
  fb_constrained_responses(s->m, s->d, s->y, s->motion.prescribed, rows, count, A);
}

/* How much the velocity of a moved coordinate has to change now. */
static double lacking(const fb_sim* s, int k) {
  double rate;
  fb_motion_at(s, k, s->head->t, NULL, &rate, NULL);
  return rate - s->y[s->nq + k];
}

fb_status fb_sim_take_up_motions(fb_sim* s, fb_error* error) {
  if (!s->started) return FB_OK;
  int jumps = 0;
  fb_status status = fb_flow_find_moved(s, error);
  if (status) return status;
  s->motion.head->nmoved = s->motion.head->nheld = 0;
  for (int k = 0; k < s->nv; k++) {
    int by_motion = s->motion.of[k] != FB_MOTION_FORCE;
    s->motion.prescribed[k] = !fb_sim_coordinate_responds(s, k);
    /* Coordinates moved by a block keep their velocity; held ones have none. */
    s->vdot[k] = by_motion && s->motion.prescribed[k] ? lacking(s, k) : 0;
    s->motion.head->nmoved += by_motion;
    s->motion.head->nheld += fb_is_held(s->motion.of[k]);
    if (!fb_is_held(s->motion.of[k])) fb_share_forget(s, k);
    jumps |= s->vdot[k] != 0;
  }
  s->head->momentum_known = 0;
  s->limit.due = 1;
  fb_sim_forget(s);
  if (jumps) fb_stops_let_go(s);
  if (jumps) status = fb_sim_jump(s, s->motion.prescribed, s->vdot, error);
  if (!status) fb_flow_place(s, s->head->t, s->y);
  return status;
}

static fb_status check_motion(const fb_sim* s, int k, int motion, fb_error* error) {
  if (k < 0 || k >= s->nv)
    return fb_fail(error, FB_ERR_ARG, "there is no coordinate %d; the model has 0 to %d", k, s->nv - 1);
  if (motion < FB_MOTION_LOCKED || motion >= s->motion.count)
    return fb_fail(error, FB_ERR_ARG, "there is no motion %d; %d were added", motion, s->motion.count);
  if (motion >= 0 && s->motion.list[motion].kind == FB_MOTION_PATH && s->m->top.coordinate_q[k] < 0)
    return fb_fail(
        error, FB_ERR_ARG,
        "coordinate %d is part of an attitude, which cannot follow a path; give it a rate or lock it", k);
  return FB_OK;
}

/* Gives coordinate k its motion; a path begins where the coordinate is, now. */
static void set_motion(fb_sim* s, int k, int motion) {
  const fb_motion* m = motion >= 0 ? &s->motion.list[motion] : NULL;
  s->motion.of[k] = !m                            ? motion
                    : m->kind == FB_MOTION_FORCE  ? FB_MOTION_FORCE
                    : m->kind == FB_MOTION_LOCKED ? FB_MOTION_LOCKED
                                                  : motion;
  if (!s->started || !m || m->kind != FB_MOTION_PATH) return;
  double first;
  fb_spline_eval(m->path, 0, &first, NULL, NULL);
  s->motion.begun[k] = s->head->t;
  s->motion.shift[k] = s->y[s->m->top.coordinate_q[k]] - first;
}

fb_status fb_sim_set_motion(fb_sim* s, int k, int motion, fb_error* error) {
  fb_status status = check_motion(s, k, motion, error);
  if (status) return status;
  set_motion(s, k, motion);
  return fb_sim_take_up_motions(s, error);
}

fb_status fb_sim_set_joint_motion(fb_sim* s, int body, int motion, fb_error* error) {
  if (body < 1 || body >= s->m->top.nbody)
    return fb_fail(error, FB_ERR_ARG, "there is no body %d; the model has 1 to %d", body,
                   s->m->top.nbody - 1);
  int first = fb_joint_v_index(s->m, body), end = first + fb_joint_nv(s->m, body);
  for (int k = first; k < end; k++) {
    fb_status status = check_motion(s, k, motion, error);
    if (status) return status;
  }
  for (int k = first; k < end; k++) set_motion(s, k, motion);
  return fb_sim_take_up_motions(s, error);
}

fb_motion_kind fb_sim_motion(const fb_sim* s, int k) {
  int id = k >= 0 && k < s->nv ? s->motion.of[k] : FB_MOTION_FORCE;
  return id == FB_MOTION_LOCKED ? FB_MOTION_LOCKED : id < 0 ? FB_MOTION_FORCE : s->motion.list[id].kind;
}

/* The time until coordinate k reverses again after a rebound; INFINITY when no force pushes it back. */
static double rising_time(fb_sim* s, int k, double incoming) {
  if (fb_flow(s, s->head->t, s->y, s->y_probe, NULL) || !(s->vdot[k] * incoming > 0)) return INFINITY;
  return fabs(s->y[s->nq + k] / s->vdot[k]);
}

/* The rate of coordinate k jumps by dv, and those of the others that respond with it. */
static fb_status jump_by(fb_sim* s, int k, double dv, fb_error* error) {
  for (int i = 0; i < s->nv; i++) {
    s->motion.prescribed[i] = i == k || !fb_sim_coordinate_responds(s, i);
    s->vdot[i] = i == k ? dv : 0;
  }
  return fb_sim_jump(s, s->motion.prescribed, s->vdot, error);
}

/* Coordinate k stays at rest after a bounce, until it is pulled back in the direction it came from. */
static fb_status come_to_rest(fb_sim* s, int k, double incoming, fb_error* error) {
  fb_status status = jump_by(s, k, -s->y[s->nq + k], error);
  s->limit.held_side[k] = incoming > 0 ? -1 : 1;
  if (s->m->top.coordinate_q[k] >= 0) s->motion.shift[k] = s->y[s->m->top.coordinate_q[k]];
  fb_stops_set_motion(s, k, FB_MOTION_STOPPED);
  s->limit.due = 1;
  return status;
}

fb_status fb_sim_bounce(fb_sim* s, int k, double restitution, fb_error* error) {
  if (k < 0 || k >= s->nv)
    return fb_fail(error, FB_ERR_ARG, "there is no coordinate %d; the model has 0 to %d", k, s->nv - 1);
  if (!(restitution >= 0 && restitution <= 1))
    return fb_fail(error, FB_ERR_ARG, "restitution is %g; it lies between 0 and 1", restitution);
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "fb_sim_start comes before fb_sim_bounce");
  if (s->motion.of[k] == FB_MOTION_LOCKED) return FB_OK; /* it does not move */
  if (!fb_sim_coordinate_responds(s, k))
    return fb_fail(error, FB_ERR_STATE, "coordinate %d is moved; release it before it bounces", k);
  /* It has no rate to reverse. If it were released, its motion would depend on whether rounding made the event
   * happen. */
  if (fb_is_held(s->motion.of[k])) return FB_OK;
  double incoming = s->y[s->nq + k];
  fb_status status = fb_flow_find_moved(s, error);
  if (status) return status;
  fb_stops_let_go(s);
  status = jump_by(s, k, -(1 + restitution) * incoming, error);
  if (status) return status;
  double rising = rising_time(s, k, incoming);
  s->limit.due = 1;
  return 2 * rising < fb_stops_shortest_rebound(
                          s, s->m->top.coordinate_q[k] < 0 ? 0 : s->y[s->m->top.coordinate_q[k]], s->vdot[k])
             ? come_to_rest(s, k, incoming, error)
             : FB_OK;
}
