/* instant_impact.c -- an impact at an instant: of all contact points, and of the joints that respond
 *
 *   H dv = J^T P + S^T p,   P: the cones of the points (impulse.c),   0 <= p  _|_  u+ >= 0 for limits that touch
 *
 * Finite forces are negligible in an impact: joints that stick are released, and so are those that rest on limits,
 * whose rows are part of the problem. Prescribed motions continue, and do work. Rows that push in the solution get
 * their rate exactly, by mixed dynamics, so that joints at rest are exactly at rest. Joints that an impact affects by
 * rounding only do not change. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "limit/limit.h"
#include "contact/dynamics/hard_problem.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"

/* Forces along points with almost no response are arbitrarily large by rounding, and must not move bodies. */
static fb_status say_thrown(fb_sim* s, fb_error* error) {
  char names[FB_HARD_NAMES_SIZE];
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "at t = %.9g s an impact cannot be solved, because hardly any motion of the joints separates what "
      "touches: %s; leave out of them what overlaps at a joint, or change its shapes",
      s->head->t, fb_hard_names(s, names));
}

/* ---- the problem ---- */

/* Joints that are held without a limit, after a bounce that came to rest: s->limit.work->before has the motions. */
static int is_left_there(const fb_sim* s, int k) {
  if (s->limit.work->before[k] != FB_MOTION_STOPPED) return 0;
  for (int i = 0; i < s->limit.count; i++)
    if (s->limit.list[i].coordinate == k && fb_limit_can_push(s, i)) return 0;
  return s->limit.held_side[k] != 0;
}

static void pose_stop(fb_sim* s, int coordinate, double sign, int limit) {
  fb_hard_pose_coordinate(s, coordinate, sign, (fb_cone){FB_CONE_NORMAL, 0, 0, 0}, limit);
}

/* Rows of the limits that touch and are not being left (hard_settle.c, leave_out_parting); those that rested before, or would not be
 * left for long, have no restitution. */
static void pose_limits(fb_sim* s) {
  for (int i = 0; i < s->limit.count; i++)
    if (fb_limit_can_push(s, i) && fb_limit_rate(s, i, s->y + s->nq) <= FB_IDLE_RATE)
      pose_stop(s, s->limit.list[i].coordinate, -s->limit.list[i].side, s->limit.soft[i] ? -1 : i);
}

/* Releases held joints; adds rows of what stops them. */
static void pose_stops(fb_sim* s) {
  fb_stops_let_go(s);
  pose_limits(s);
  for (int k = 0; k < s->nv; k++)
    if (is_left_there(s, k)) pose_stop(s, k, s->limit.held_side[k], -1);
}

static int first_stop(const fb_hard_contacts* w) {
  int row = 0;
  for (int i = 0; i < w->npoint; i++) row += fb_cone_rows(&w->cones[i]);
  return row;
}

/* Rates before; `gained`: their next change, [3 npoint], or NULL. */
static void pose_rates(fb_sim* s, const double* gained) {
  fb_hard_contacts* w = s->contact.hard;
  int row = 0;
  for (int i = 0; i < w->npoint; i++)
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++, row++) {
      w->before[row] = w->points[i].rate[k];
      w->gained[row] = gained ? gained[3 * i + k] : 0;
    }
  for (; row < w->nrow; row++) {
    w->before[row] = w->sign[row] * s->y[s->nq + w->rows[row].coordinate];
    w->gained[row] = 0;
  }
}

static void pose(fb_sim* s, const double* gained) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->works, 0, 2 * (size_t)w->ncontact * sizeof *w->works);
  for (int i = 0; i < w->npoint; i++) memset(w->points[i].force, 0, sizeof w->points[i].force);
  fb_hard_pose(s, 0);
  if (s->limit.work) memcpy(s->limit.work->before, s->motion.of, (size_t)s->nv * sizeof *s->motion.of);
  if (s->limit.work && !gained) pose_stops(s);
  pose_rates(s, gained);
  for (int k = 0; k < s->nv; k++)
    s->motion.prescribed[k] = s->motion.of[k] != FB_MOTION_FORCE || s->motion.by_block[k];
  fb_hard_responses(s, s->y);
}

/* ---- results ---- */

/* Twice the kinetic energy that the impulses would give to bodies at rest. */
static double size_of(const fb_hard_contacts* w) {
  double size = 0;
  for (int i = 0; i < w->nrow; i++) size += w->P[i] * (w->u[i] - w->before[i]);
  return fabs(size);
}

/* Coordinates whose change is known: zero for moved ones and for those without a response; that of the solution for
 * limits that push. Into w->dv; returns which they are, or NULL. */
static const unsigned char* find_known(fb_sim* s) {
  static const double NOTHING = 1e-12, REST = 1e-9;
  fb_hard_contacts* w = s->contact.hard;
  double size = size_of(w);
  memset(w->dv, 0, (size_t)s->nv * sizeof *w->dv);
  if (!s->limit.work) return fb_sim_moves_any(s) ? s->motion.prescribed : NULL;
  unsigned char* known = s->limit.work->prescribed;
  int any = 0;
  memcpy(known, s->motion.prescribed, (size_t)s->nv);
  fb_hard_respond(s, w->P, w->x);
  for (int k = 0; k < s->nv; k++)
    if (s->y[s->nq + k] == 0 && s->limit.effective_inertia[k] > 0 &&
        sqrt(s->limit.effective_inertia[k]) * fabs(w->x[k]) <= NOTHING * sqrt(size))
      known[k] = 1; /* it was held */
  for (int row = first_stop(w); row < w->nrow; row++) {
    int k = w->rows[row].coordinate, rests = w->u[row] <= REST * sqrt(size * fb_hard_response(w, row, row));
    if (known[k] || !(rests || w->P[row] > 0)) continue;
    known[k] = 1;
    w->dv[k] = (rests ? 0 : w->sign[row] * w->u[row]) - s->y[s->nq + k];
  }
  for (int k = 0; k < s->nv; k++) any |= known[k];
  return any ? known : NULL;
}

/* The slowest approach that is an impact: a closed point may have drifted to just above FB_HARD_SLOW (hard_locate.c). */
static double slowest_impact(const fb_sim* s, const fb_hard_point* p) {
  return fb_hard_remembered(s, p) ? 2 * FB_HARD_SLOW : FB_HARD_SLOW;
}

/* Whether it is an impact, or only the closing of points left open by rounding, or by drift. */
static int is_impact(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  int row = 0;
  for (int i = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    if (w->P[row] > 0 && w->before[row] < -slowest_impact(s, &w->points[i])) return 1;
  for (; row < w->nrow; row++)
    if (w->P[row] > 0 && w->before[row] < -FB_HARD_SLOW) return 1;
  return 0;
}

/* The least normal impulse of a point that is not rounding. */
static double least_impulse(const fb_hard_contacts* w) {
  static const double ROUNDING = 1e-12;
  double most = 0;
  for (int row = 0; row < w->nrow; row++) most = fmax(most, fabs(w->P[row]));
  return ROUNDING * most;
}

/* Impulses of the points, as wrenches. */
static fb_loads find_impulses(fb_sim* s, int jammed) {
  fb_hard_contacts* w = s->contact.hard;
  fb_loads impulses = fb_default_loads();
  const fb_data* d = fb_hard_kinematics(s, s->y, s->y + s->nq);
  int impact = jammed || is_impact(s);
  const double least = least_impulse(w);
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_hard_point* p = &w->points[i];
    int rubs = w->cones[i].kind == FB_CONE_COULOMB;
    const double P[3] = {w->P[row], rubs ? w->P[row + 1] : 0, rubs ? w->P[row + 2] : 0};
    fb_hard_take_force(p, P, 1);
    if (impact && P[0] > least) fb_hard_note_impact(s, p, p->force, w->before[row]);
  }
  s->wrench.count = 0;
  fb_hard_push(s, d);
  impulses.passive = 0;
  impulses.wrenches = s->wrench.list;
  impulses.nwrench = s->wrench.count;
  return impulses;
}

/* Work of prescribed motions in an impact, at their constant rates. Returns that of limits. tau: the impulses. */
static double enter_joints(fb_sim* s, const double* tau) {
  double *z = fb_y_z(s, s->y), stops = 0;
  for (int k = 0; k < s->nv; k++) {
    double work = tau[k] * (s->y[s->nq + k] + 0.5 * s->contact.hard->dv[k]);
    if (!s->motion.prescribed[k]) {
      stops += work;
      continue;
    }
    z[k] += work;
    z[s->nv + FB_Z_GROSS] += fabs(work);
  }
  return stops;
}

/* Joints at rest where a bounce ended. */
static void leave_there(fb_sim* s) {
  for (int k = 0; s->limit.work && k < s->nv; k++)
    if (s->motion.of[k] == FB_MOTION_FORCE && s->y[s->nq + k] == 0 && is_left_there(s, k))
      fb_stops_set_motion(s, k, FB_MOTION_STOPPED);
}

static void report_limits(fb_sim* s) {
  for (int i = 0; i < s->limit.count; i++)
    if (fb_limit_can_push(s, i) && fb_limit_rate(s, i, s->y + s->nq) < 0)
      s->limit.phases[i] |= 1 << FB_LIMIT_HIT;
}

/* The velocities jump by the impulses in w->P. */
static fb_status jump(fb_sim* s, int jammed, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  const unsigned char* known = find_known(s);
  fb_loads impulses = find_impulses(s, jammed);
  memset(s->total_tau, 0, (size_t)s->nv * sizeof *s->total_tau);
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  fb_constrained_dynamics(s->m, s->d, s->y, s->total_tau, known, &impulses, w->dv, s->tau);
  if (fb_model_check_pivots(s->m, s->d, error)) return say_thrown(s, error);
  double impacts = s->ledger.head->impacts, stops = enter_joints(s, s->tau);
  fb_wrench_forces(s->m, s->d, s->wrench.list, s->wrench.count, s->ledger.push);
  for (int k = 0; k < s->nv; k++) s->tau[k] += s->ledger.push[k];
  fb_ledger_jump_begin(s);
  fb_ledger_push(s, s->tau);
  fb_ledger_push_loops(s);
  for (int k = 0; k < s->nv; k++) {
    s->y[s->nq + k] += w->dv[k];
    if (w->dv[k] != 0) s->limit.reversed[k] = 0;
  }
  fb_ledger_jump_end(s);
  s->contact.head->impacts += s->ledger.head->impacts - impacts - stops;
  s->head->momentum_known = 0;
  fb_hard_add_works(s, s->y);
  fb_sim_forget(s);
  s->limit.due = 1;
  return FB_OK;
}

int fb_hard_impacts_move_stops(fb_sim* s) {
  static const double NOTHING = 1e-12;
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_pose(s, 0);
  int points = w->nrow;
  pose_limits(s);
  for (int k = 0; k < s->nv; k++) s->motion.prescribed[k] = !fb_sim_coordinate_responds(s, k);
  fb_hard_responses(s, s->y);
  for (int i = points; i < w->nrow; i++) {
    const double own = fb_hard_response(w, i, i);
    if (!(w->sign[i] * s->y[s->nq + w->rows[i].coordinate] < 0)) continue;
    for (int j = 0; j < points; j++)
      if (fabs(fb_hard_response(w, i, j)) > NOTHING * sqrt(own * fb_hard_response(w, j, j))) return 1;
  }
  return 0;
}

/* ---- both ---- */

static fb_status say_pressed(const fb_sim* s, fb_error* error) {
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s an impact has no solution: bodies are pressed together by prescribed "
                 "motions; release what is prescribed, or take method: moreau",
                 s->head->t);
}

fb_status fb_hard_hit(fb_sim* s, double slow, fb_error* error) {
  pose(s, NULL);
  if (fb_hard_impulses(s, slow) == FB_CONES_NONE) return say_pressed(s, error);
  report_limits(s);
  fb_status status = jump(s, 0, error);
  leave_there(s);
  return status;
}

fb_status fb_hard_hit_jammed(fb_sim* s, const double* gained, fb_error* error) {
  pose(s, gained);
  return fb_hard_jam(s) == FB_CONES_NONE ? say_pressed(s, error) : jump(s, 1, error);
}
