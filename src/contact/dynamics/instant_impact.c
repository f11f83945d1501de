/* instant_impact.c -- an impact at an instant: of all points that touch, and of the joints on their way
 *
 *   H dv = J^T P + S^T p,   P: the cones of the points (impulse.c),   0 <= p  _|_  u+ >= 0 for limits that touch
 *
 * Finite forces are negligible in an impact: joints that stick are let go, and so are those that rest on limits, whose rows are part of
 * the problem. What is moved stays moved, and what moves it does work. What pushes in the solution gets exactly the rate that
 * it should, by mixed dynamics, so that joints at rest are at rest. Those that an impact does not reach, but for rounding,
 * go on as they are. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"

/* Forces along points that hardly any motion moves are as large as rounding makes them, and throw bodies anywhere. */
static fb_status say_thrown(fb_sim* s, fb_error* error) {
  char names[FB_TOUCH_NAMES_SIZE];
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s an impact cannot be solved, because hardly any motion of the joints "
                 "separates what touches: "
                 "%s; leave out of them what overlaps at a joint, or change its shapes",
                 s->head->t, fb_touch_names(s, names));
}

/* ---- the problem ---- */

/* Joints that are held without a limit, since a bounce of theirs has come to rest: s->stops->before has the motions. */
static int is_left_there(const fb_sim* s, int k) {
  if (s->stops->before[k] != FB_MOTION_STOPPED) return 0;
  for (int i = 0; i < s->nlimit; i++)
    if (s->limits[i].coordinate == k && fb_limit_touches(s, i)) return 0;
  return s->held_side[k] != 0;
}

static void pose_stop(fb_sim* s, int coordinate, double sign, int limit) {
  fb_touch_pose_coordinate(s, coordinate, sign, (fb_cone){FB_CONE_NORMAL, 0, 0, 0}, limit);
}

/* Rows of the limits that touch; those that rested before, or would not be left for long, have no restitution. */
static void pose_limits(fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++)
    if (fb_limit_touches(s, i))
      pose_stop(s, s->limits[i].coordinate, -s->limits[i].side, s->soft[i] ? -1 : i);
}

/* Lets go of the joints that are held; rows of what stops them. */
static void pose_stops(fb_sim* s) {
  fb_stops_let_go(s);
  pose_limits(s);
  for (int k = 0; k < s->nv; k++)
    if (is_left_there(s, k)) pose_stop(s, k, s->held_side[k], -1);
}

static int first_stop(const fb_touching* w) {
  int row = 0;
  for (int i = 0; i < w->npoint; i++) row += fb_cone_rows(&w->cones[i]);
  return row;
}

/* Rates before; `gained`: what they would change by next, [3 npoint], or NULL. */
static void pose_rates(fb_sim* s, const double* gained) {
  fb_touching* w = s->touch;
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
  fb_touching* w = s->touch;
  memset(w->works, 0, 2 * (size_t)w->ncontact * sizeof *w->works);
  for (int i = 0; i < w->npoint; i++) memset(w->points[i].force, 0, sizeof w->points[i].force);
  fb_touch_pose(s, 0);
  if (s->stops) memcpy(s->stops->before, s->motion, (size_t)s->nv * sizeof *s->motion);
  if (s->stops && !gained) pose_stops(s);
  pose_rates(s, gained);
  for (int k = 0; k < s->nv; k++) s->prescribed[k] = s->motion[k] != FB_MOVE_BY_FORCE || s->by_block[k];
  fb_touch_responses(s, s->y);
}

/* ---- what follows from its solution ---- */

/* Twice the kinetic energy that the impulses would give to bodies at rest. */
static double size_of(const fb_touching* w) {
  double size = 0;
  for (int i = 0; i < w->nrow; i++) size += w->P[i] * (w->u[i] - w->before[i]);
  return fabs(size);
}

/* Coordinates whose change is known: those that are moved have none, nor have those that nothing reaches; limits that push
 * have that of the solution. Into w->dv; returns who they are, or NULL. */
static const unsigned char* find_known(fb_sim* s) {
  static const double NOTHING = 1e-12, REST = 1e-9;
  fb_touching* w = s->touch;
  size_t n = (size_t)w->nrow;
  double size = size_of(w);
  memset(w->dv, 0, (size_t)s->nv * sizeof *w->dv);
  if (!s->stops) return s->head->nmoved + s->nmoving > 0 ? s->prescribed : NULL;
  unsigned char* known = s->stops->prescribed;
  int any = 0;
  memcpy(known, s->prescribed, (size_t)s->nv);
  fb_touch_respond(s, w->P, w->x);
  for (int k = 0; k < s->nv; k++)
    if (s->y[s->nq + k] == 0 && s->heft[k] > 0 && sqrt(s->heft[k]) * fabs(w->x[k]) <= NOTHING * sqrt(size))
      known[k] = 1; /* it was held */
  for (size_t row = (size_t)first_stop(w); row < n; row++) {
    int k = w->rows[row].coordinate, rests = w->u[row] <= REST * sqrt(size * w->A[row * (n + 1)]);
    if (known[k] || !(rests || w->P[row] > 0)) continue;
    known[k] = 1;
    w->dv[k] = (rests ? 0 : w->sign[row] * w->u[row]) - s->y[s->nq + k];
  }
  for (int k = 0; k < s->nv; k++) any |= known[k];
  return any ? known : NULL;
}

/* Whether it is an impact, or no more than the closing of points that rounding had left open. */
static int is_impact(const fb_touching* w) {
  for (int row = 0; row < w->nrow; row++)
    if (w->P[row] > 0 && w->before[row] < -FB_TOUCH_SLOW) return 1;
  return 0;
}

/* Impulses of the points, as wrenches. */
static fb_loads find_impulses(fb_sim* s, int jammed) {
  fb_touching* w = s->touch;
  fb_loads impulses = fb_default_loads();
  const fb_data* d = fb_touch_kinematics(s, s->y, s->y + s->nq);
  int impact = jammed || is_impact(w);
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_touch_point* p = &w->points[i];
    int rubs = w->cones[i].kind == FB_CONE_COULOMB;
    const double P[3] = {w->P[row], rubs ? w->P[row + 1] : 0, rubs ? w->P[row + 2] : 0};
    fb_touch_take_force(p, P, 1);
    if (impact && P[0] > 0) fb_touch_note_impact(s, p, p->force, w->before[row]);
  }
  s->nwrench = 0;
  fb_touch_push(s, d);
  impulses.passive = 0;
  impulses.wrenches = s->wrenches;
  impulses.nwrench = s->nwrench;
  return impulses;
}

/* What moves coordinates takes its part of an impact at their rates, which do not change: work. Limits take theirs as in any
 * impact: it is returned. tau: the impulses. */
static double book_joints(fb_sim* s, const double* tau) {
  double *z = fb_y_z(s, s->y), stops = 0;
  for (int k = 0; k < s->nv; k++) {
    double work = tau[k] * (s->y[s->nq + k] + 0.5 * s->touch->dv[k]);
    if (!s->prescribed[k]) {
      stops += work;
      continue;
    }
    z[k] += work;
    z[s->nv + FB_Z_GROSS] += fabs(work);
  }
  return stops;
}

/* Joints that were left where a bounce ended, and are there still. */
static void leave_there(fb_sim* s) {
  for (int k = 0; s->stops && k < s->nv; k++)
    if (s->motion[k] == FB_MOVE_BY_FORCE && s->y[s->nq + k] == 0 && is_left_there(s, k))
      fb_stops_set_motion(s, k, FB_MOTION_STOPPED);
}

static void report_limits(fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++)
    if (fb_limit_touches(s, i) && fb_limit_rate(s, i, s->y + s->nq) < 0) s->phases[i] |= 1 << FB_LIMIT_HIT;
}

/* The velocities jump by the impulses in w->P. */
static fb_status jump(fb_sim* s, int jammed, fb_error* error) {
  fb_touching* w = s->touch;
  const unsigned char* known = find_known(s);
  fb_loads impulses = find_impulses(s, jammed);
  memset(s->total_tau, 0, (size_t)s->nv * sizeof *s->total_tau);
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  fb_constrained_dynamics(s->m, s->d, s->y, s->total_tau, known, &impulses, w->dv, s->tau);
  if (fb_check_pivots(s->m, s->d, error)) return say_thrown(s, error);
  double impacts = s->head->impacts, stops = book_joints(s, s->tau);
  fb_wrench_forces(s->m, s->d, s->wrenches, s->nwrench, s->push);
  for (int k = 0; k < s->nv; k++) s->tau[k] += s->push[k];
  fb_ledger_jump_begin(s);
  fb_ledger_push(s, s->tau);
  fb_ledger_push_loops(s);
  for (int k = 0; k < s->nv; k++) {
    s->y[s->nq + k] += w->dv[k];
    if (w->dv[k] != 0) s->reversed[k] = 0;
  }
  fb_ledger_jump_end(s);
  s->head->contact_impacts += s->head->impacts - impacts - stops;
  s->head->momentum_known = 0;
  fb_touch_add_works(s, s->y);
  fb_sim_forget(s);
  s->stops_due = 1;
  return FB_OK;
}

int fb_touch_reach_stops(fb_sim* s) {
  static const double NOTHING = 1e-12;
  fb_touching* w = s->touch;
  fb_touch_pose(s, 0);
  int points = w->nrow;
  pose_limits(s);
  for (int k = 0; k < s->nv; k++) s->prescribed[k] = !fb_sim_gives_way(s, k);
  fb_touch_responses(s, s->y);
  const size_t n = (size_t)w->nrow;
  for (int i = points; i < w->nrow; i++) {
    const double* row = w->A + (size_t)i * n;
    if (!(w->sign[i] * s->y[s->nq + w->rows[i].coordinate] < 0)) continue;
    for (int j = 0; j < points; j++)
      if (fabs(row[j]) > NOTHING * sqrt(row[i] * w->A[(size_t)j * (n + 1)])) return 1;
  }
  return 0;
}

/* ---- both ---- */

static fb_status say_pressed(const fb_sim* s, fb_error* error) {
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "at t = %.9g s an impact has no solution: bodies are pressed together by prescribed motions; "
      "release what is prescribed, or take method: moreau",
      s->head->t);
}

fb_status fb_touch_hit(fb_sim* s, double slow, fb_error* error) {
  pose(s, NULL);
  if (fb_touch_impulses(s, slow) == FB_CONES_NONE) return say_pressed(s, error);
  report_limits(s);
  fb_status status = jump(s, 0, error);
  leave_there(s);
  return status;
}

fb_status fb_touch_hit_jammed(fb_sim* s, const double* gained, fb_error* error) {
  pose(s, gained);
  return fb_touch_jam(s) == FB_CONES_NONE ? say_pressed(s, error) : jump(s, 1, error);
}
