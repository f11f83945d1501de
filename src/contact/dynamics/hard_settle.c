/* hard_settle.c -- at an instant: impacts, then which points hold, slip or part
 *
 * Points that approach are thrown back, all that touch together (instant_impact.c); below 1e-6 m/s without restitution, so that
 * bounces that come ever faster end. Points that neither approach nor part are then settled by their accelerations,
 *
 *   u_T = 0    0 <= a_N _|_ f_N >= 0,  |f_T| <= mu f_N,  f_T against a_T
 *   u_T != 0   0 <= a_N _|_ f_N >= 0,  f_T = -mu f_N u_T / |u_T|
 *
 * which is one problem in cones. Where it has no solution (Painleve), an impact follows without any approach: the limit of
 * the impulses that time stepping would find as its step goes to zero. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "math/vector3.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static const double AT_REST = 1e-9; /* rates below this are rounding, or what a bracket leaves [m/s] */

/* ---- impacts ---- */

static int any_approaches(const fb_touching* w) {
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].rate[0] < -AT_REST) return 1;
  return 0;
}

static void find_touching(fb_sim* s) {
  fb_touch_find(s, s->y, s->y + s->nq, 10 * fb_touch_slack(s, s->y));
}

/* Accelerations along three rows of every point, without contact forces: into w->u. */
static fb_status find_accelerations(fb_sim* s, fb_error* error) {
  fb_touching* w = s->touch;
  int npoint = w->npoint;
  s->head->nclosed = 0;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  w->npoint = npoint;
  if (status) return status;
  fb_touch_kinematics(s, s->y, s->y + s->nq);
  fb_touch_pose_all(s);
  fb_touch_bias(s, s->y, s->y + s->nq, w->gained);
  fb_touch_rates(s, s->y, s->vdot, w->u);
  for (int i = 0; i < w->nrow; i++) w->u[i] += w->gained[i];
  fb_touch_responses(s, s->y);
  return FB_OK;
}

/* The slowest approach that bounces: far from the origin no bounce is lower than positions are rounded. */
static fb_status find_slowest(fb_sim* s, double* slow, fb_error* error) {
  static const double NEAR = 100; /* [m] below, the rounding of positions does not matter */
  fb_touching* w = s->touch;
  double far = fb_touch_far(s, s->y);
  *slow = FB_TOUCH_SLOW;
  if (far < NEAR || !any_approaches(w)) return FB_OK;
  fb_status status = find_accelerations(s, error);
  for (int i = 0; i < w->npoint; i++)
    *slow = fmax(*slow, sqrt(2 * fmax(0, -w->u[3 * i]) * 8 * DBL_EPSILON * far));
  return status;
}

fb_status fb_touch_throw_back(fb_sim* s, fb_error* error) {
  enum { MOST = 100 };
  fb_touching* w = s->touch;
  double slow = FB_TOUCH_SLOW;
  find_touching(s);
  fb_status status = fb_touch_check_room(s, s->head->t, error);
  int met =
      !status && w->npoint > 0 && fb_stops_approach(s) && (any_approaches(w) || fb_touch_reach_stops(s));
  if (met) status = fb_stops_find_rebounds(s, error);
  if (met) find_touching(s);
  if (!status) status = find_slowest(s, &slow, error);
  for (int round = 0; !status && (any_approaches(w) || (met && round == 0)) && round < MOST; round++) {
    status = fb_touch_hit(s, round < MOST / 2 ? slow : INFINITY, error);
    find_touching(s);
  }
  return status;
}

/* ---- who holds ---- */

/* Whether the slip of a point began at the last event, and counts as rest at this one. */
static int has_ended(const fb_sim* s, const fb_touch_point* p) {
  const fb_touch_memory* m = fb_touch_remembered(s, p);
  return m && m->state == FB_CONTACT_SLIPS && !m->moves && !fb_touch_moves(s, p);
}

/* Keeps the points that do not part, or part slower than `slow`; where they slip, their way. */
static void keep_closed(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  int n = 0;
  for (int i = 0; i < w->npoint; i++) {
    fb_touch_point* p = &w->points[i];
    if (p->rate[0] > slow) continue;
    double rest = fb_touch_crawls(s) && has_ended(s, p) ? INFINITY : AT_REST;
    int slips = fb_touch_find_way(p, rest) > rest;
    p->state = slips || !fb_touch_rubs(s, p) ? FB_CONTACT_SLIPS : FB_CONTACT_STICKS;
    w->points[n++] = *p;
  }
  w->npoint = n;
}

/* Whether a point parts, after find_accelerations: higher than gaps are rounded, before forces bring it back. Two points that
 * rock in turn would otherwise hit without end, each too low to be seen. Of points that were closed, rates up to twice the bound of
 * hard_locate.c may be what the end of a step has left: they have opened if they rise higher than drift can lift them. */
static int parts(const fb_sim* s, int i) {
  static const double ROUNDING = 1e-14, DRIFT = 1e-11; /* [m] */
  const fb_touching* w = s->touch;
  const fb_touch_point* p = &w->points[i];
  int drifts = p->rate[0] <= 2 * FB_TOUCH_SLOW && fb_touch_remembered(s, p) != NULL;
  return p->rate[0] > AT_REST &&
         p->rate[0] * p->rate[0] > 2 * (drifts ? DRIFT : ROUNDING) * fmax(0, -w->u[3 * i]);
}

/* Keeps the points that do not part, and finds their accelerations. What is left of a slip that has ended is taken away first: it
 * turns with the bodies, and where nothing can move along that way the rate of its turning would look like a beginning of slip. */
static fb_status find_closed(fb_sim* s, fb_error* error) {
  static const double SLOW = 1e-5; /* [m/s] what parts faster is not asked about */
  fb_touching* w = s->touch;
  keep_closed(s, SLOW);
  if (w->npoint == 0) return FB_OK;
  int n = 0, before = w->npoint;
  fb_status status = find_accelerations(s, error);
  for (int i = 0; i < before && !status; i++)
    if (!parts(s, i)) w->points[n++] = w->points[i];
  if (status) return status;
  w->npoint = n;
  int changed = fb_touch_end_slips(s) || n < before;
  return n > 0 && changed ? find_accelerations(s, error) : FB_OK;
}

/* Cones and matrix of the accelerations: points that slip have one row, the others three where they rub. */
static void pose_accelerations(fb_sim* s, const double* a, int* at) {
  fb_touching* w = s->touch;
  size_t all = (size_t)w->nrow;
  int n = 0;
  w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
    int held = p->state == FB_CONTACT_STICKS && mu > 0;
    w->cones[w->ncone++] = (fb_cone){held ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    for (int k = 0; k < (held ? 3 : 1); k++) at[n++] = 3 * i + k;
  }
  for (int r = 0; r < n; r++) {
    const double* row = w->A + (size_t)at[r] * all;
    w->c[r] = a[at[r]];
    w->P[r] = 0;
    for (int c = 0; c < n; c++) {
      const fb_touch_point* p = &w->points[at[c] / 3];
      double k = row[at[c]], mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
      for (int t = 0; p->state == FB_CONTACT_SLIPS && t < 2; t++)
        k -= mu * dot3(p->way, p->tangent[t]) * row[at[c] + 1 + t];
      w->K[r * n + c] = k;
    }
  }
  w->nrow = n;
}

/* What the forces in w->P, and the accelerations that are left, say of every point. */
static void take_modes(fb_sim* s) {
  fb_touching* w = s->touch;
  int n = w->nrow;
  double most = 0, noise = fb_touch_noise(s, s->y);
  for (int i = 0; i < n; i++) most = fmax(most, fabs(w->P[i]));
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_touch_point* p = &w->points[i];
    int held = w->cones[i].kind == FB_CONE_COULOMB;
    double leaves = w->c[row], mu = w->cones[i].mu, a[2] = {0, 0};
    for (int c = 0; c < n; c++) leaves += w->K[row * n + c] * w->P[c];
    if (!(w->P[row] > 1e-12 * most) && leaves > 1e-10 * fabs(w->c[row]) + noise) {
      p->state = FB_CONTACT_OPEN;
      continue;
    }
    if (!held) continue;
    const double* f = w->P + row;
    if (hypot(f[1], f[2]) < mu * f[0] * (1 - 1e-7)) continue;
    for (int t = 0; t < 2; t++) {
      a[t] = w->c[row + 1 + t];
      for (int c = 0; c < n; c++) a[t] += w->K[(row + 1 + t) * n + c] * w->P[c];
    }
    double size = hypot(a[0], a[1]);
    if (!(size > 1e-11 * (fabs(w->c[row + 1]) + fabs(w->c[row + 2]) + fabs(w->c[row])) + noise))
      continue; /* just holds */
    p->state = FB_CONTACT_SLIPS;
    for (int k = 0; k < 3; k++) p->way[k] = (a[0] * p->tangent[0][k] + a[1] * p->tangent[1][k]) / size;
  }
}

static fb_cones_status solve_accelerations(fb_sim* s) {
  fb_touching* w = s->touch;
  const fb_cones_problem problem = {
      .ncone = w->ncone, .n = w->nrow, .cones = w->cones, .A = w->K, .c = w->c, .tolerance = 1e-12};
  w->result = fb_cones_solve(&problem, w->P, w->work, w->ints + w->room_rows);
  return w->result.status == FB_CONES_INEXACT && w->result.residual > 1e-7 ? FB_CONES_NONE : w->result.status;
}

/* What springs of the compliance SOFT add to the accelerations at w->P: into x. */
static void find_give(const fb_touching* w, const double* idle, int count, double soft, double* x) {
  const int n = w->nrow;
  memset(x, 0, (size_t)n * sizeof *x);
  for (int j = 0; j < count; j++, idle += n) {
    double along = 0;
    for (int i = 0; i < n; i++) along += idle[i] * w->P[i];
    for (int i = 0; i < n; i++) x[i] += soft * along * idle[i];
  }
}

/* The same where points slip and loads are redundant: those of springs, as forces between events are (load_share.c), since it
 * depends on them who holds. Springs of a small compliance give nearly those loads; once more about them the compliance does
 * nothing else. */
static fb_cones_status solve_shared(fb_sim* s) {
  static const double SOFT = 1e-6; /* of the response of a row */
  fb_touching* w = s->touch;
  const int n = w->nrow;
  double* idle;
  int count = fb_touch_any_rubs_along(s) ? fb_touch_find_idle(s, n, NULL, &idle) : 0;
  if (count == 0) return solve_accelerations(s);
  fb_touch_add_idle(idle, count, n, SOFT, w->K);
  fb_cones_status status = solve_accelerations(s);
  if (status != FB_CONES_NONE) {
    find_give(w, idle, count, SOFT, w->soon);
    for (int i = 0; i < n; i++) w->c[i] -= w->soon[i];
    status = solve_accelerations(s);
    for (int i = 0; i < n; i++) w->c[i] += w->soon[i];
  }
  fb_touch_add_idle(idle, count, n, -SOFT, w->K);
  if (status != FB_CONES_NONE) return status;
  memset(w->P, 0, (size_t)n * sizeof *w->P);
  return solve_accelerations(s);
}

/* No forces balance the accelerations: the impact that follows of itself. */
static fb_status jam(fb_sim* s, fb_error* error) {
  static const double SOON = 1e-8; /* [s] */
  fb_touching* w = s->touch;
  for (int i = 0; i < 3 * w->npoint; i++) w->soon[i] = SOON * w->u[i];
  return fb_touch_hit_jammed(s, w->soon, error);
}

static fb_status hold(fb_sim* s, int* jammed, fb_error* error) {
  fb_touching* w = s->touch;
  *jammed = 0;
  fb_status status = find_closed(s, error);
  if (status || w->npoint == 0) return status;
  pose_accelerations(s, w->u, w->ints);
  if (solve_shared(s) == FB_CONES_NONE) {
    *jammed = 1;
    return jam(s, error);
  }
  take_modes(s);
  return FB_OK;
}

/* Which joints stick or rest on their limits, after impacts; the points that touch are found again. */
static fb_status hold_joints(fb_sim* s, fb_error* error) {
  if (!s->stops || !s->stops_due) return FB_OK;
  s->stops_due = 0;
  fb_status status = fb_stops_hold(s, error);
  find_touching(s);
  return status;
}

fb_status fb_touch_settle(fb_sim* s, fb_error* error) {
  enum { MOST = 5 };
  int jammed = 1;
  fb_status status = FB_OK;
  s->stops_due = 0;
  s->head->touch_step = s->head->steps;
  s->touch->result = (fb_cones_result){FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0}; /* where nothing touches */
  for (int round = 0; !status && jammed && round < MOST; round++) {
    status = fb_touch_throw_back(s, error);
    if (!status) status = hold_joints(s, error);
    if (!status) status = hold(s, &jammed, error);
  }
  if (status) return status;
  fb_touch_note_turns(s);
  fb_touch_remember(s);
  fb_touch_close_at_event(s);
  fb_sim_forget(s);
  status = fb_flow(s, s->head->t, s->y, s->y_probe, error); /* forces of the new states, for the outputs */
  if (status) return status;
  fb_touch_accept(s);
  fb_touch_accept_solution(s);
  s->touch->off = 0;
  fb_touch_aim(s);
  fb_touch_remember(s);
  return FB_OK;
}
