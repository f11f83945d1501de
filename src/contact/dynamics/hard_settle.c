/* hard_settle.c -- at an instant: impacts, then which points stick, slip or separate
 *
 * Impacts of all points that approach or rest are solved simultaneously (instant_impact.c); below 1e-6 m/s without
 * restitution, so that accumulating bounces end. Points that neither approach nor separate are then resolved by their
 * accelerations,
 *
 *   u_T = 0    0 <= a_N _|_ f_N >= 0,  |f_T| <= mu f_N,  f_T against a_T
 *   u_T != 0   0 <= a_N _|_ f_N >= 0,  f_T = -mu f_N u_T / |u_T|
 *
 * which is one problem in cones. Where it has no solution (Painleve), an impact without approach follows: the limit
 * of the impulses of time stepping as the step goes to zero. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "math/vector3.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static const double AT_REST = 1e-9; /* rates below this are rounding, or bracket errors [m/s] */

/* ---- impacts ---- */

static int any_approaches(const fb_hard_contacts* w) {
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].rate[0] < -AT_REST) return 1;
  return 0;
}

static void find_points(fb_sim* s) {
  fb_hard_find(s, s->y, s->y + s->nq, 10 * fb_hard_slack(s, s->y));
}

/* Accelerations along three rows of every point, then along `joints` coordinates that are candidates for rest,
 * without contact forces: into w->u. The sign of coordinates that are pushed from above is reversed. */
static fb_status find_accelerations(fb_sim* s, int joints, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  int npoint = w->npoint;
  s->contact.head->nclosed = 0;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  w->npoint = npoint;
  if (status) return status;
  fb_hard_kinematics(s, s->y, s->y + s->nq);
  fb_hard_pose_all(s);
  fb_hard_bias(s, s->y, s->y + s->nq, w->gained);
  for (int i = 0; i < joints; i++) {
    const fb_stops_work* j = s->limit.work;
    const double side = isinf(j->lo[i]) ? -1 : 1;
    const fb_cone cone = {FB_CONE_BOX, 0, side > 0 ? j->lo[i] : -j->hi[i], side > 0 ? j->hi[i] : INFINITY};
    w->gained[w->nrow] = 0;
    fb_hard_pose_coordinate(s, j->at[i], side, cone.lo < 0 ? cone : (fb_cone){FB_CONE_NORMAL, 0, 0, 0}, -1);
  }
  fb_hard_row_accelerations(s, s->y, w->u);
  fb_hard_responses(s, s->y);
  return FB_OK;
}

/* The slowest approach with a rebound: far from the origin no bounce is lower than the rounding of positions. */
static fb_status find_slowest(fb_sim* s, double* slow, fb_error* error) {
  static const double NEAR = 100; /* [m] below, the rounding of positions does not matter */
  fb_hard_contacts* w = s->contact.hard;
  double far = fb_hard_far(s, s->y);
  *slow = FB_HARD_SLOW;
  if (far < NEAR || !any_approaches(w)) return FB_OK;
  fb_status status = find_accelerations(s, 0, error);
  for (int i = 0; i < w->npoint; i++)
    *slow = fmax(*slow, sqrt(2 * fmax(0, -w->u[3 * i]) * 8 * DBL_EPSILON * far));
  return status;
}

/* Separating points take no part in an impact, however small their gap: otherwise the rebound of a light body from
 * one side would drive a heavy body on the other. They take part in a later round if that drives them together. Rates
 * that closed points may have count as rest. */
static void leave_out_parting(fb_hard_contacts* w) {
  static const double RESTS = 2 * FB_HARD_SLOW;
  int n = 0;
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].rate[0] <= RESTS) w->points[n++] = w->points[i];
  w->npoint = n;
}

/* Whether a limit is approached that is part of the impact of the points. */
static int meets_stops(fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  return w->npoint > 0 && fb_stops_approach(s) && (any_approaches(w) || fb_hard_impacts_move_stops(s));
}

/* Single impacts one after the other, in the order of almost closed gaps. Where these have no end nothing of the
 * approach remains in the limit: a last impact without restitution over all points and limits gives that. */
fb_status fb_hard_throw_back(fb_sim* s, fb_error* error) {
  enum { MOST = 1000, LAST = 10 };
  fb_hard_contacts* w = s->contact.hard;
  double slow = FB_HARD_SLOW;
  find_points(s);
  fb_status status = fb_hard_check_room(s, s->head->t, error);
  int plastic = meets_stops(s) && fb_stops_chatters(s);
  for (int round = 0; !status && round < MOST + LAST; round++) {
    int met = meets_stops(s), last = plastic || round >= MOST;
    if (!met && !any_approaches(w)) break;
    if (met) status = fb_stops_find_rebounds(s, error);
    if (met) find_points(s);
    if (!status && round == 0) status = find_slowest(s, &slow, error);
    if (status) break;
    if (!last) leave_out_parting(w);
    status = fb_hard_hit(s, last ? INFINITY : slow, error);
    find_points(s);
  }
  return status;
}

/* ---- which points hold ---- */

/* Whether the slip of a point began at the last event, and counts as rest at this one. */
static int has_ended(const fb_sim* s, const fb_hard_point* p) {
  const fb_hard_memory* m = fb_hard_remembered(s, p);
  return m && m->state == FB_CONTACT_SLIPS && !m->moves && !fb_hard_moves(s, p);
}

/* Keeps the points that do not separate, or separate slower than `slow`; with the direction of those that slip. */
static void keep_closed(fb_sim* s, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  int n = 0;
  for (int i = 0; i < w->npoint; i++) {
    fb_hard_point* p = &w->points[i];
    if (p->rate[0] > slow) continue;
    double rest = fb_hard_steps_are_short(s) && has_ended(s, p) ? INFINITY : AT_REST;
    int slips = fb_hard_find_slip_direction(p, rest) > rest;
    p->state = slips || !fb_hard_rubs(s, p) ? FB_CONTACT_SLIPS : FB_CONTACT_STICKS;
    w->points[n++] = *p;
  }
  w->npoint = n;
}

/* Whether a point separates, after find_accelerations: by more than the rounding of gaps, before forces bring it
 * back. Two points that rock in turn would otherwise collide without end, each gap too small to be detected. For
 * points that were closed, rates up to twice the bound of hard_locate.c may be left from the end of a step: they have
 * opened if they rise higher than drift can lift them. */
static int parts(const fb_sim* s, int i) {
  static const double ROUNDING = 1e-14, DRIFT = 1e-11; /* [m] */
  const fb_hard_contacts* w = s->contact.hard;
  const fb_hard_point* p = &w->points[i];
  int drifts = p->rate[0] <= 2 * FB_HARD_SLOW && fb_hard_remembered(s, p) != NULL;
  return p->rate[0] > AT_REST &&
         p->rate[0] * p->rate[0] > 2 * (drifts ? DRIFT : ROUNDING) * fmax(0, -w->u[3 * i]);
}

/* Keeps the points that do not separate, and finds their accelerations. The remainder of a slip that has ended is set
 * to zero first: it turns with the bodies, and where no motion in that direction is possible the rate of its turning
 * would look like the onset of slip. */
static fb_status find_closed(fb_sim* s, fb_error* error) {
  static const double SLOW = 1e-5; /* [m/s] faster separation is not tested */
  fb_hard_contacts* w = s->contact.hard;
  keep_closed(s, SLOW);
  if (w->npoint == 0) return FB_OK;
  int n = 0, before = w->npoint;
  fb_status status = find_accelerations(s, 0, error);
  for (int i = 0; i < before && !status; i++)
    if (!parts(s, i)) w->points[n++] = w->points[i];
  if (status) return status;
  w->npoint = n;
  int changed = fb_hard_end_slips(s) || n < before;
  return n > 0 && changed ? find_accelerations(s, 0, error) : FB_OK;
}

/* Cones and matrix of the accelerations: points that slip have one row, others with friction three. */
static void pose_accelerations(fb_sim* s, const double* a, int* at) {
  fb_hard_contacts* w = s->contact.hard;
  const int joints = w->nrow - 3 * w->npoint;
  int n = 0;
  memmove(w->cones + w->npoint, w->cones, (size_t)joints * sizeof *w->cones); /* posed by themselves so far */
  w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
    int held = p->state == FB_CONTACT_STICKS && mu > 0;
    w->cones[w->ncone++] = (fb_cone){held ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    for (int k = 0; k < (held ? 3 : 1); k++) at[n++] = 3 * i + k;
  }
  for (int i = 0; i < joints; i++) at[n++] = 3 * w->npoint + i;
  w->ncone += joints;
  for (int r = 0; r < n; r++) {
    w->c[r] = a[at[r]];
    w->P[r] = 0;
    for (int c = 0; c < n; c++) {
      double k = w->K[r * n + c] = fb_hard_response(w, at[r], at[c]);
      if (at[c] >= 3 * w->npoint) continue;
      const fb_hard_point* p = &w->points[at[c] / 3];
      double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
      for (int t = 0; p->state == FB_CONTACT_SLIPS && t < 2; t++)
        k -= mu * dot3(p->slip_direction, p->tangent[t]) * fb_hard_response(w, at[r], at[c] + 1 + t);
      w->K[r * n + c] = k;
    }
  }
  w->nrow = n;
}

/* The state of every point, from the forces in w->P and the remaining accelerations. */
static void take_modes(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  int n = w->nrow;
  double most = 0, noise = fb_hard_noise(s, s->y);
  for (int i = 0; i < n; i++) most = fmax(most, fabs(w->P[i]));
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_hard_point* p = &w->points[i];
    int held = w->cones[i].kind == FB_CONE_COULOMB;
    double leaves = w->c[row], mu = w->cones[i].mu, a[2] = {0, 0};
    for (int c = 0; c < n; c++) leaves += w->K[row * n + c] * w->P[c];
    if (!(w->P[row] > 1e-12 * most) && leaves > 1e-10 * fabs(w->c[row]) + noise) {
      p->state = FB_CONTACT_OPEN;
      continue;
    }
    if (!held) continue;
    const double* f = w->P + row;
    if (norm2(f[1], f[2]) < mu * f[0] * (1 - 1e-7)) continue;
    for (int t = 0; t < 2; t++) {
      a[t] = w->c[row + 1 + t];
      for (int c = 0; c < n; c++) a[t] += w->K[(row + 1 + t) * n + c] * w->P[c];
    }
    double size = norm2(a[0], a[1]);
    if (!(size > 1e-11 * (fabs(w->c[row + 1]) + fabs(w->c[row + 2]) + fabs(w->c[row])) + noise))
      continue; /* just holds */
    p->state = FB_CONTACT_SLIPS;
    for (int k = 0; k < 3; k++)
      p->slip_direction[k] = (a[0] * p->tangent[0][k] + a[1] * p->tangent[1][k]) / size;
  }
}

static fb_cones_status solve_accelerations(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  const fb_cones_problem problem = {
      .ncone = w->ncone, .n = w->nrow, .cones = w->cones, .A = w->K, .c = w->c, .tolerance = 1e-12};
  w->result = fb_cones_solve(&problem, w->P, w->work, w->ints + w->room_rows);
  return w->result.status == FB_CONES_INEXACT && w->result.residual > 1e-7 ? FB_CONES_NONE : w->result.status;
}

/* Contribution of springs with the compliance SOFT to the accelerations at w->P: into x. */
static void find_give(const fb_hard_contacts* w, const double* idle, int count, double soft, double* x) {
  const int n = w->nrow;
  memset(x, 0, (size_t)n * sizeof *x);
  for (int j = 0; j < count; j++, idle += n) {
    double along = 0;
    for (int i = 0; i < n; i++) along += idle[i] * w->P[i];
    for (int i = 0; i < n; i++) x[i] += soft * along * idle[i];
  }
}

/* The same where points slip and loads are redundant: those of springs, as between events (load_share.c), since the
 * states depend on them. Springs of a small compliance give nearly those loads; a second solution about them removes
 * the other effects of the compliance. */
static fb_cones_status solve_shared(fb_sim* s) {
  static const double SOFT = 1e-6; /* of the response of a row */
  fb_hard_contacts* w = s->contact.hard;
  const int n = w->nrow;
  double* idle;
  int count = fb_hard_any_rubs_along(s) ? fb_hard_find_idle(s, n, NULL, &idle) : 0;
  if (count == 0) return solve_accelerations(s);
  fb_hard_add_idle(idle, count, n, SOFT, w->K);
  fb_cones_status status = solve_accelerations(s);
  if (status != FB_CONES_NONE) {
    find_give(w, idle, count, SOFT, w->soon);
    for (int i = 0; i < n; i++) w->c[i] -= w->soon[i];
    status = solve_accelerations(s);
    for (int i = 0; i < n; i++) w->c[i] += w->soon[i];
  }
  fb_hard_add_idle(idle, count, n, -SOFT, w->K);
  if (status != FB_CONES_NONE) return status;
  memset(w->P, 0, (size_t)n * sizeof *w->P);
  return solve_accelerations(s);
}

/* No forces balance the accelerations: an impact without approach. */
static fb_status jam(fb_sim* s, fb_error* error) {
  static const double SOON = 1e-8; /* [s] */
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < 3 * w->npoint; i++) w->soon[i] = SOON * w->u[i];
  return fb_hard_hit_jammed(s, w->soon, error);
}

/* ---- resting joints ---- */

/* The acceleration that the solution leaves row i. */
static double left_of(const fb_hard_contacts* w, int i) {
  double a = w->c[i];
  for (int j = 0; j < w->nrow; j++) a += w->K[i * w->nrow + j] * w->P[j];
  return a;
}

/* The direction in which a candidate with row i begins to move; 0: none. */
static int begins(const fb_hard_contacts* w, const fb_cone* cone, int i, double most, double noise) {
  static const double NOTHING = 1e-12;
  const double a = left_of(w, i), slack = 1e-10 * fabs(w->c[i]) + noise;
  const double lo = cone->kind == FB_CONE_BOX ? cone->lo : 0,
               hi = cone->kind == FB_CONE_BOX ? cone->hi : INFINITY;
  if (w->P[i] <= lo + NOTHING * most && a > slack) return 1;
  return w->P[i] >= hi - NOTHING * most && a < -slack ? -1 : 0;
}

/* Joints that leave a stop so slowly that forces may return them at once are candidates like those at rest: j->dv has
 * their rates. */
static void pause_at_stops(fb_sim* s) {
  double* paused = s->limit.work->dv;
  for (int i = 0; i < s->limit.count; i++) {
    const int k = s->limit.list[i].coordinate;
    if (!fb_limit_can_push(s, i) || !(fabs(s->y[s->nq + k]) <= FB_HARD_SLOW)) continue;
    paused[k] = s->y[s->nq + k];
    s->y[s->nq + k] = 0;
  }
}

/* Those that are held after all come to rest by an impulse; *changed: there are some. */
static fb_status rest_at_stops(fb_sim* s, int* changed, fb_error* error) {
  static const double ROUNDING = 1e-15; /* [m/s] or [rad/s] */
  fb_stops_work* j = s->limit.work;
  *changed = 0;
  for (int k = 0; k < s->nv; k++) {
    const int held = fb_is_held(s->motion.of[k]);
    if (fabs(j->dv[k]) > ROUNDING || !held) s->y[s->nq + k] += j->dv[k];
    j->dv[k] = held ? -s->y[s->nq + k] : 0;
    j->prescribed[k] = held || !fb_sim_coordinate_responds(s, k);
    *changed |= j->dv[k] != 0;
  }
  return *changed ? fb_sim_jump(s, j->prescribed, j->dv, error) : FB_OK;
}

/* Joints at rest on stops, or that stick, and the points that touch depend on each other: which joints are held is
 * decided together with the points in one problem, in which leaving joints do so for half the shortest hop. Where it
 * has no solution they do not change. *changed: joints have come to rest. */
static fb_status hold_with_joints(fb_sim* s, int pause, int* changed, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  fb_stops_work* j = s->limit.work;
  *changed = 0;
  if (!j || s->m->top.nloop > 0) return FB_OK;
  memset(j->dv, 0, (size_t)s->nv * sizeof *j->dv);
  if (pause) pause_at_stops(s);
  memcpy(j->before, s->motion.of, (size_t)s->nv * sizeof *j->before);
  const int joints = fb_stops_find_candidates(s);
  fb_status status = joints > 0 ? find_accelerations(s, joints, error) : FB_OK;
  if (status) return status;
  if (joints == 0) return rest_at_stops(s, changed, error);
  const int first = 3 * w->npoint;
  for (int i = 0; i < joints; i++) {
    const double shortest_rebound = fb_stops_shortest_rebound(s, 0, 0);
    j->a[i] = fb_hard_response(w, first + i, first + i);
    w->u[first + i] += 2 / shortest_rebound * w->sign[first + i] * j->dv[j->at[i]];
  }
  pose_accelerations(s, w->u, w->ints);
  const int solved = solve_accelerations(s) != FB_CONES_NONE;
  double most = 0, noise = fb_hard_noise(s, s->y);
  for (int i = 0; i < w->nrow; i++) most = fmax(most, fabs(w->P[i]));
  for (int i = 0; i < joints; i++) {
    const int row = w->nrow - joints + i, turned = isinf(j->lo[i]) ? -1 : 1;
    const int side =
        solved ? begins(w, &w->cones[w->npoint + i], row, most, noise) : !fb_is_held(j->before[j->at[i]]);
    fb_stops_place_candidate(s, i, turned * side, fabs(left_of(w, row)), j->a[i]);
  }
  if (memcmp(j->before, s->motion.of, (size_t)s->nv * sizeof *j->before) != 0) s->head->momentum_known = 0;
  status = rest_at_stops(s, changed, error);
  return status || *changed ? status : find_accelerations(s, 0, error);
}

/* *again: velocities have jumped; pause: they may, because of stops that are left very slowly. */
static fb_status hold(fb_sim* s, int pause, int* again, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  *again = 0;
  fb_status status = find_closed(s, error);
  if (status || w->npoint == 0) return status;
  status = hold_with_joints(s, pause, again, error);
  if (status || *again) return status;
  pose_accelerations(s, w->u, w->ints);
  if (solve_shared(s) == FB_CONES_NONE) {
    *again = 1;
    return jam(s, error);
  }
  take_modes(s);
  return FB_OK;
}

/* Which joints stick or rest on their limits, after impacts; the points that touch are found again. */
static fb_status hold_joints(fb_sim* s, fb_error* error) {
  if (!s->limit.work || !s->limit.due) return FB_OK;
  s->limit.due = 0;
  fb_status status = fb_stops_hold(s, error);
  find_points(s);
  return status;
}

fb_status fb_hard_settle(fb_sim* s, fb_error* error) {
  enum { MOST = 5, PAUSES = 3 };
  int again = 1;
  fb_status status = FB_OK;
  s->limit.due = 0;
  s->contact.head->hard_step = s->head->steps;
  s->contact.hard->result =
      (fb_cones_result){FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0}; /* where nothing touches */
  for (int round = 0; !status && again && round < MOST; round++) {
    status = fb_hard_throw_back(s, error);
    if (!status) status = hold_joints(s, error);
    if (!status) status = hold(s, round < PAUSES, &again, error);
  }
  if (status) return status;
  fb_hard_note_turns(s);
  fb_hard_remember(s);
  fb_hard_close_at_event(s);
  fb_sim_forget(s);
  status = fb_flow(s, s->head->t, s->y, s->y_probe, error); /* forces of the new states, for the outputs */
  if (status) return status;
  fb_hard_accept(s);
  fb_hard_accept_solution(s);
  s->contact.hard->off = 0;
  fb_hard_predict_slip(s);
  fb_hard_remember(s);
  return FB_OK;
}
