/* moreau.c -- Moreau and Jean's time stepping: impulses of hard contacts over whole steps
 *
 *   q_m = q + h/2 v                                          what touches there takes part
 *   v+ = v + h H^-1 (forces at t + h/2, q_m, v_m) + H^-1 J^T P         v_m = v, then once more with (v + v+) / 2
 *   P: the cones of contacts, limits and stiction on the velocities v+ (impulse.c), at q+ (step_end.c)
 *   q+ = q_m + h/2 v+,  then out of what penetration is left (hard_project.c)
 *
 * A step in which all that touches are new impacts is divided where they take place, at t + a h, instead of in its middle: a
 * follows from how deep and how fast the points are in the middle. Positions of contacts are those of q + a h v; with
 * p = H^-1 J^T P, v_m = (v + v+) / 2 + (1/2 - a) p and q+ = q + h v_m. So bounces are of second order too, and do not end in
 * penetration. Where other points last, impacts pass through them, and what of their impulses belongs to the impact is not
 * known: a = 1/2.
 *
 * Wherever velocities jump, by points or limits, accelerations are a times those of v and 1 - a times those of v+: terms that are
 * quadratic in the velocity would be off by the first order at v_m, and loops would open.
 *
 * Velocities may jump at any instant, as often as they like: no instant is looked for, and impacts that come ever faster
 * cost nothing. First order where contacts change, second between. Moreau 1988; Jean 1999; Acary and Brogliato, Numerical
 * Methods for Nonsmooth Dynamical Systems, 2008, chapter 10. The ledger takes forces at q_m times v_m, dampers times the
 * velocities before and after impacts, and impacts times the mean of the velocities around them: at constant H that is exactly the
 * change of the kinetic energy. */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "math/vector3.h"
#include "dynamics/loads.h"
#include "ledger/conserve.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static const double SLOWEST = 0; /* [m/s] restitution of any approach */

static int limit_takes_part(const fb_sim* s, int i, const double* y) {
  return fb_limit_is_within(s, i, y, fb_touch_slack(s, y));
}

static int sticks(const fb_sim* s, int k) {
  return fb_stiction(s, k) > 0 && s->motion[k] == FB_MOVE_BY_FORCE;
}

static int joints_take_part(const fb_sim* s, const double* y) {
  for (int i = 0; i < s->nlimit; i++)
    if (limit_takes_part(s, i, y)) return 1;
  for (int k = 0; k < s->nv; k++)
    if (sticks(s, k)) return 1;
  return 0;
}

/* Limits that are reached in the middle of the step, and stiction of joints. */
static void pose_joints(fb_sim* s, const double* y, double h) {
  const fb_cone normal = {FB_CONE_NORMAL, 0, 0, 0};
  for (int i = 0; i < s->nlimit; i++)
    if (limit_takes_part(s, i, y))
      fb_touch_pose_coordinate(s, s->limits[i].coordinate, -s->limits[i].side, normal, i);
  for (int k = 0; k < s->nv; k++) {
    double level = h * fb_stiction(s, k);
    if (sticks(s, k)) fb_touch_pose_coordinate(s, k, 1, (fb_cone){FB_CONE_BOX, 0, -level, level}, -1);
  }
}

/* Whether a point comes faster than finite forces bring it within a step, and is stopped. */
static int approaches(const fb_touching* w, int row) {
  return w->before[row] < -FB_TOUCH_SLOW && w->before[row] < -fabs(w->gained[row]) && w->P[row] > 0;
}

static int is_run_into(const fb_sim* s, int i, int row) {
  return approaches(s->touch, row) && !fb_touch_lasts(s, &s->touch->points[i]);
}

static int any_is_run_into(const fb_sim* s) {
  const fb_touching* w = s->touch;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    if (is_run_into(s, i, row)) return 1;
  return 0;
}

static int any_stop_is_run_into(const fb_sim* s) {
  const fb_touching* w = s->touch;
  for (int row = 0; row < w->nrow; row++)
    if (w->limit_of[row] >= 0 && approaches(w, row)) return 1;
  return 0;
}

/* Whether velocities jump in the step, by its first pass. */
static int velocities_jump(const fb_sim* s) {
  return s->touch->nrow > 0 &&
         (fb_touch_is_divided(s->touch) || any_is_run_into(s) || any_stop_is_run_into(s));
}

/* Whether a point takes part in an impact: it is run into, or passes on what another one gets, far more than forces alone
 * need and needed in the last step. */
static int is_hit(const fb_sim* s, int i, int row, int some, double h) {
  const fb_touching* w = s->touch;
  const fb_touch_point* p = &w->points[i];
  if (!some || is_run_into(s, i, row)) return some && is_run_into(s, i, row);
  const fb_touch_memory* m = fb_touch_remembered(s, p);
  double pushed = m ? h * dot3(m->force, p->touch.normal) : 0;
  double response = w->A[(size_t)row * ((size_t)w->nrow + 1)];
  return w->P[row] > 2 * pushed && w->P[row] * response > 2 * fabs(w->gained[row]);
}

/* What a point does that has the impulse P. At the edge of the cone it sticks as long as nothing moves. */
static fb_contact_state state_of(const fb_touching* w, int i, int row, const double P[3], double slip) {
  double rates = 0, level = w->cones[i].mu * P[0];
  if (!(P[0] > 0)) return FB_CONTACT_OPEN;
  if (w->cones[i].kind != FB_CONE_COULOMB) return FB_CONTACT_SLIPS;
  for (int k = 0; k < 3; k++) rates = fmax(rates, fabs(w->before[row + k]) + fabs(w->gained[row + k]));
  int inside = hypot(P[1], P[2]) <= level * (1 - 1e-9);
  return slip <= (inside ? 1e-7 : 1e-10 * rates) ? FB_CONTACT_STICKS : FB_CONTACT_SLIPS;
}

/* Whether a point leaves with a rate of its own, not that of its offsets or rounding: it has no state between two steps. */
static int leaves(const fb_touching* w, int row) {
  double rates = fabs(w->before[row]) + fabs(w->gained[row]);
  return w->u[row] + w->closing[row] > FB_TOUCH_SLOW + 1e-6 * rates;
}

/* Impulses become forces over the step. */
static void take_forces(fb_sim* s, double h) {
  fb_touching* w = s->touch;
  int row = 0, some = any_is_run_into(s);
  memset(s->friction, 0, (size_t)s->nv * sizeof *s->friction);
  for (int i = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_touch_point* p = &w->points[i];
    int rubs = w->cones[i].kind == FB_CONE_COULOMB;
    const double P[3] = {w->P[row], rubs ? w->P[row + 1] : 0, rubs ? w->P[row + 2] : 0};
    double aimed = rubs ? hypot(w->u[row + 1] + w->closing[row + 1], w->u[row + 2] + w->closing[row + 2]) : 0;
    for (int k = 1; rubs && k < 3; k++) p->rate[k] = w->u[row + k] + w->bend[row + k];
    fb_touch_find_way(p, 0);
    p->state = (int)state_of(w, i, row, P, aimed);
    p->leaves = leaves(w, row);
    fb_touch_take_force(p, P, 1 / h);
    if (is_hit(s, i, row, some, h)) {
      double impulse[3];
      for (int k = 0; k < 3; k++) impulse[k] = h * p->force[k];
      fb_touch_note_impact(s, p, impulse, w->before[row]);
    }
  }
  fb_touch_note_stops(s);
  w->pushed = row < w->nrow;
  for (; row < w->nrow; row++) s->friction[w->rows[row].coordinate] += w->sign[row] * w->P[row] / h;
}

/* Nothing has been done yet in this step. */
static void clear(fb_sim* s) {
  fb_touching* w = s->touch;
  memset(w->works, 0, 2 * (size_t)w->ncontact * sizeof *w->works);
  fb_touch_clear_impacts(s);
  w->gains = 0;
  memset(w->more, 0, (size_t)w->nrow * sizeof *w->more);
  if (s->nlimit > 0) memset(w->stops, 0, (size_t)s->nlimit);
  w->off = 0;
}

/* Points that touch, and those near by that touched in the last step: a body that turns on a corner lifts it by a little in
 * every step, and would be let fall in every other; one that rocks would fall from corner to corner. Others near by follow
 * after them. */
static void find_points(fb_sim* s, const double* y) {
  static const double NEAR = 1e-2; /* [m] */
  fb_touching* w = s->touch;
  double slack = fb_touch_slack(s, y);
  int n = 0, others = 0;
  fb_touch_find(s, y, y + s->nq, s->head->ntouch > 0 ? NEAR : slack);
  if (w->full) fb_touch_find(s, y, y + s->nq, slack);
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    if (p->touch.gap <= slack || fb_touch_remembered(s, p))
      w->points[n++] = *p;
    else
      w->spare[others++] = *p;
  }
  memcpy(w->points + n, w->spare, (size_t)others * sizeof *w->points);
  w->npoint = n;
  w->nnear = others;
}

/* ---- where a step with impacts is divided ---- */

/* How long ago points came into contact that did not touch before, in steps; 0 where none did, or others take part too. */
static double since_impacts(const fb_sim* s, double h, const double* y) {
  const fb_touching* w = s->touch;
  double since = 0, weights = 0; /* each weighted by its rate */
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    if (!(p->touch.gap < 0 && p->rate[0] < -FB_TOUCH_SLOW) || fb_touch_remembered(s, p)) return 0;
    since += fmin(-p->rate[0], -p->touch.gap / h);
    weights -= p->rate[0];
  }
  return weights > 0 && !joints_take_part(s, y) ? since / weights : 0;
}

static fb_touch_point* find_among(fb_touch_point* points, int n, const fb_touch_point* p) {
  for (int i = 0; i < n; i++)
    if (fb_is_of_pair(p, points[i].contact, points[i].a, points[i].b) &&
        points[i].touch.feature == p->touch.feature)
      return &points[i];
  return NULL;
}

/* The points of the middle as they are at y, a time `since` earlier, with the gaps of the middle. 0: not all were found. */
static int find_again(fb_sim* s, double since, const double* y) {
  fb_touching* w = s->touch;
  fb_touch_point *middle = w->points, *p;
  double reach = 0;
  int count = w->npoint, n = 0;
  for (int i = 0; i < count; i++)
    reach = fmax(reach, fabs(middle[i].touch.gap) + since * fabs(middle[i].rate[0]));
  w->points = w->spare;
  w->spare = middle;
  fb_touch_find(s, y, y + s->nq, 2 * reach);
  for (int i = 0; i < w->npoint; i++) {
    if (!(p = find_among(middle, count, &w->points[i]))) continue;
    w->points[n] = w->points[i];
    w->points[n++].touch.gap = p->touch.gap;
  }
  w->npoint = n;
  return n == count;
}

static void place_at(fb_sim* s, double t, double h, double part, const double* y0, double* y) {
  fb_integrate(s->m, y0, y0 + s->nq, part * h, y);
  fb_flow_place(s, t + part * h, y);
}

/* The end of a step without impacts, with the velocity there. */
static void place_at_end(fb_sim* s, double t, double h, const double* y0, double* y) {
  double* v = y + s->nq;
  for (int k = 0; k < s->nv; k++) v[k] = y0[s->nq + k] + 0.5 * h * s->vdot[k];
  fb_integrate(s->m, y0, v, h, y);
  for (int k = 0; k < s->nv; k++) v[k] += 0.5 * h * s->vdot[k];
  fb_flow_place(s, t + h, y);
}

/* y: moved from the middle of the step to its impacts, if any; also to those in its second half, where nothing else touches. */
static void divide_at_impacts(fb_sim* s, double t, double h, const double* y0, double* y) {
  fb_touching* w = s->touch;
  double since, from = 0.5;
  memset(w->later, 0, (size_t)s->nv * sizeof *w->later);
  w->early = 0.5;
  w->h = h;
  if (w->npoint == 0) {
    from = 1;
    place_at_end(s, t, h, y0, y);
    fb_touch_find(s, y, y + s->nq, 0);
  }
  since = since_impacts(s, h, y);
  if (from == 0.5 && since == 0) return;
  memcpy(y + s->nq, y0 + s->nq, (size_t)s->nv * sizeof *y);
  w->early = since > 0 ? from - since : 0.5;
  place_at(s, t, h, w->early, y0, y);
  if (since > 0 && find_again(s, since * h, y)) return;
  w->early = 0.5;
  place_at(s, t, h, 0.5, y0, y);
  w->npoint = 0;
  if (from == 0.5) find_points(s, y);
}

/* Rows of the points, their rates before, and how they respond. */
static void pose(fb_sim* s, double h, const double* y, const double* v) {
  fb_touching* w = s->touch;
  fb_touch_pose(s, h);
  pose_joints(s, y, h);
  if (w->nrow == 0) return;
  fb_touch_bend(s, y, v, (1 - w->early) * h);
  fb_touch_rates(s, y, v, w->before);
  fb_touch_find_lasting(s, h, fb_touch_slack(s, y));
  fb_touch_responses(s, y);
}

/* What touches in the middle of the step. */
static void find_touching(fb_sim* s, double t, double h, const double* y0, double* y) {
  fb_touching* w = s->touch;
  w->npoint = w->nnear = w->pushed = 0;
  w->result = (fb_cones_result){FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0};
  find_points(s, y);
  divide_at_impacts(s, t, h, y0, y);
  pose(s, h, y, y0 + s->nq);
}

static int bounces(const fb_sim* s) {
  for (int i = 0; i < s->touch->ncontact; i++)
    if (fb_touch_block_memory(s, i)[FB_HARD_RESTITUTION] > 0) return 1;
  return 0;
}

/* Points near by that would be reached in the second half of the step take part as well, where bodies bounce: they would end in
 * penetration, which lifts what is above, and take part in the next step only. 1: there are some. */
static int find_reached(fb_sim* s, double h, const double* y, const double* v1) {
  fb_touching* w = s->touch;
  int n = w->npoint;
  if (w->nnear == 0 || fb_touch_is_divided(w) || !bounces(s)) return 0;
  const fb_data* d = fb_touch_kinematics(s, y, v1);
  for (int i = n; i < n + w->nnear; i++) {
    fb_touch_point* p = &w->points[i];
    fb_touch_find_rates(s, d, p);
    if (!(p->rate[0] < -FB_TOUCH_SLOW && p->touch.gap + 0.5 * h * p->rate[0] < 0)) continue;
    p->touch.gap = 0;
    w->points[w->npoint++] = *p;
  }
  w->nnear = 0;
  return w->npoint > n;
}

/* ---- a step that is divided ---- */

/* w->later = (1/2 - a) H^-1 J^T P */
static void respond_later(fb_sim* s) {
  fb_touching* w = s->touch;
  fb_touch_respond(s, w->P, w->later);
  for (int k = 0; k < s->nv; k++) w->later[k] *= 0.5 - w->early;
}

static const double* accelerate_at(fb_sim* s, double* y, const double* v) {
  memcpy(y + s->nq, v, (size_t)s->nv * sizeof *v);
  fb_flow_accelerate(s, y, NULL);
  return s->vdot;
}

static void find_losses(fb_sim* s, const double* y, const double* v, double* losses) {
  fb_passive_forces(s->m, s->d, y, v, s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION), losses);
}

/* Forces that follow from the accelerations, of what is moved and of loops, into x. */
static void take_reactions(const fb_sim* s, double* x) {
  size_t size = (size_t)s->nv * sizeof *x;
  memcpy(x, s->tau, size);
  if (s->m->top.nloop == 0) return;
  memcpy(x + s->nv, s->loop_force, size);
  memcpy(x + 2 * s->nv, s->d->row_force, (size_t)s->m->top.nrow * sizeof *x);
}

/* Those last found have the impulses in them, which are kept apart, and become those of the whole step. */
static void complete_reactions(fb_sim* s) {
  fb_touching* w = s->touch;
  const double* x = w->reaction_more;
  take_reactions(s, w->passed);
  for (int i = 0; i < w->nreaction; i++) w->passed[i] -= w->reactions[i];
  for (int k = 0; k < s->nv; k++) s->tau[k] += x[k];
  for (int k = 0; s->m->top.nloop > 0 && k < s->nv; k++) s->loop_force[k] += x[s->nv + k];
  for (int i = 0; i < s->m->top.nrow; i++) s->d->row_force[i] += x[2 * s->nv + i];
}

/* The same weights as for accelerations: of forces before and after impacts, and by how much their mean is more than what it
 * would be at the mean of the velocities. */
static void weigh_reactions(fb_sim* s) {
  fb_touching* w = s->touch;
  for (int i = 0; i < w->nreaction; i++) {
    w->reaction_change[i] -= w->reaction_more[i];
    w->reaction_more[i] += (1 - w->early) * w->reaction_change[i] - w->reactions[i];
  }
}

/* Accelerations s->vdot at the velocities in y become the weighted ones of v0 and v1, by w->dv more: where velocities jump,
 * terms that are quadratic in them differ by the first order of the step. w->around: by how much the mean of the velocities
 * around the impacts is more than that of v0 and v1. */
static void weigh_accelerations(fb_sim* s, double h, double* y, const double* v0, const double* v1) {
  fb_touching* w = s->touch;
  size_t size = (size_t)s->nv * sizeof *y;
  memcpy(w->v, y + s->nq, size);
  memcpy(w->dv, s->vdot, size);
  memcpy(w->around, accelerate_at(s, y, v0), size);
  take_reactions(s, w->reaction_more);
  accelerate_at(s, y, v1);
  take_reactions(s, w->reaction_change);
  weigh_reactions(s);
  for (int k = 0; k < s->nv; k++) {
    double early = w->early * w->around[k], late = (1 - w->early) * s->vdot[k];
    s->vdot[k] = early + late;
    w->dv[k] = s->vdot[k] - w->dv[k];
    w->around[k] = 0.5 * h * (early - late);
  }
  memcpy(y + s->nq, w->v, size);
  find_losses(s, y, v0, w->loss);
  find_losses(s, y, v1, w->loss_change);
  for (int k = 0; k < s->nv; k++) {
    w->loss_change[k] -= w->loss[k];
    w->loss[k] += (1 - w->early) * w->loss_change[k];
  }
}

/* Powers at the velocities in y. */
static void book_reactions(fb_sim* s, const double* x, const double* y, double* zdot) {
  const double* v = y + s->nq;
  for (int k = 0; k < s->nv; k++) {
    zdot[k] += x[k] * v[k];
    zdot[s->nv + FB_Z_GROSS] += fabs(x[k] * v[k]);
  }
  fb_flow_ledger_forces(s, x, y, zdot);
  if (s->m->top.nloop > 0) *fb_z_loops(s, zdot) += fb_flow_ledger_forces(s, x + s->nv, y, zdot);
}

static void book_losses(fb_sim* s, const double* losses, const double* y, double* zdot) {
  double power = fb_flow_ledger_forces(s, losses, y, zdot);
  zdot[s->nv + FB_Z_DISSIPATED] -= power;
  zdot[s->nv + FB_Z_GROSS] += fabs(power);
}

/* Impulses do work at the mean of the velocities around them, finite forces at those in y: but dampers, friction, loops and what
 * moves joints change with the velocities, and what they are before impacts belongs to those before. With p = H^-1 J^T P and
 * forces f that change by df it is a f . v_- + (1 - a) (f + df) . v_+ = (mean of f) . v_m + a (1 - a) df . p. Loops and moved
 * joints pass impulses on: w->passed. */
static void book_impacts(fb_sim* s, double* y, double* zdot) {
  fb_touching* w = s->touch;
  double by = w->early * (1 - w->early);
  for (int k = 0; k < s->nv; k++) y[s->nq + k] = w->around[k] - w->later[k];
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  fb_wrench_forces(s->m, s->d, s->wrenches + w->first, s->nwrench - w->first, s->push);
  fb_flow_ledger_forces(s, s->push, y, zdot);
  book_reactions(s, w->passed, y, zdot);
  if (w->pushed) book_losses(s, s->friction, y, zdot);
  w->stop_work += fb_touch_stop_work(s, y + s->nq);
  fb_touch_respond(s, w->P, w->x);
  for (int k = 0; k < s->nv; k++) y[s->nq + k] = by * w->x[k];
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  book_losses(s, w->loss_change, y, zdot);
  book_reactions(s, w->reaction_change, y, zdot);
}

/* ---- the step ---- */

/* It pushes: the accelerations in s->vdot become those with its impulses. In the rough pass nothing else is needed. */
static fb_status touch(fb_sim* s, double t, double h, const double* y, const double* v1, fb_error* error) {
  fb_touching* w = s->touch;
  clear(s);
  if (w->nrow == 0) return FB_OK;
  if (!w->rough) fb_touch_bend(s, y, v1, (1 - w->early) * h);
  fb_touch_aim_at_end(s);
  fb_touch_rates(s, y, s->vdot, w->gained);
  for (int i = 0; i < w->nrow; i++) w->gained[i] *= h;
  for (int i = 0; i < w->nrow && w->rough; i++) w->more[i] = (w->early - 0.5) * w->gained[i];
  if (w->weighed && !w->rough) fb_touch_rates(s, y, w->around, w->more);
  if (fb_touch_impulses(s, SLOWEST) == FB_CONES_NONE)
    return fb_fail(
        error, FB_ERR_NO_SOLUTION,
        "at t = %.9g s the contacts have no solution: forces are not finite, or bodies are pressed "
        "together by prescribed motions; take a shorter step, or release what is prescribed",
        t);
  if (w->rough) {
    fb_touch_respond(s, w->P, w->x);
    for (int k = 0; k < s->nv; k++) s->vdot[k] += w->x[k] / h;
    return FB_OK;
  }
  take_forces(s, h);
  w->first = s->nwrench;
  fb_touch_push(s, fb_touch_poses(s)); /* the poses of y, whatever velocities were asked for last */
  fb_flow_accelerate(s, y, NULL);
  if (!w->weighed) return FB_OK;
  for (int k = 0; k < s->nv; k++) s->vdot[k] += w->dv[k];
  complete_reactions(s);
  return FB_OK;
}

/* Everything at the middle of the step, with the velocities in y. */
static fb_status push(fb_sim* s, double t, double h, const double* y, double* xdot, fb_error* error) {
  s->touch->pushed = 0;
  fb_status status = fb_flow_drive(s, t + 0.5 * h, y, xdot, error);
  if (!status) fb_flow_accelerate(s, y, NULL);
  return status;
}

/* Trees that push each other in this step keep their momentum together, and their rates along the contacts. */
static void begin_conserving(fb_sim* s, const double* y0) {
  const fb_touching* w = s->touch;
  if (s->nfloat == 0) return;
  fb_conserve_start(s);
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    if (!is_zero3(p->force)) fb_conserve_unite(s, fb_point_a(s, p)->frame, fb_point_b(s, p)->frame);
  }
  s->y_noted[0] = NAN; /* the groups of the last step may have been others */
  fb_conserve_begin(s, y0);
}

static fb_status moreau_step(fb_sim* s, double t, const double* y0, double h, double* y1, fb_error* error) {
  fb_touching* w = s->touch;
  double *y = w->mean, *zdot = s->stages, *xdot = fb_y_x(s, zdot), *v1 = y1 + s->nq;
  const double* v0 = y0 + s->nq;
  memcpy(y, y0, (size_t)s->ny * sizeof *y);
  place_at(s, t, h, 0.5, y0, y);
  fb_status status = push(s, t, h, y, xdot, error);
  if (status) return status;
  find_touching(s, t, h, y0, y);
  status = fb_touch_check_room(s, t, error);
  int again = 0;
  for (int pass = 0; pass < 2 && !status; pass++) {
    if (pass > 0 || again) status = push(s, t, h, y, xdot, error);
    take_reactions(s, w->reactions);
    w->weighed = pass > 0 && !status && velocities_jump(s);
    if (w->weighed) weigh_accelerations(s, h, y, v0, v1);
    w->rough = pass == 0;
    w->settled = pass == 0 || w->result.iterations == 0;
    if (!status) status = touch(s, t, h, y, v1, error);
    if (fb_touch_is_divided(w)) respond_later(s);
    for (int k = 0; k < s->nv; k++) {
      v1[k] = v0[k] + h * s->vdot[k];
      y[s->nq + k] = 0.5 * (v0[k] + v1[k]) + w->later[k];
    }
    again = pass == 0 && find_reached(s, h, y, v1);
    if (!again) continue;
    pose(s, h, y, v0);
    memcpy(y + s->nq, v0, (size_t)s->nv * sizeof *y);
    pass = -1;
  }
  w->rough = w->settled = 0;
  if (status) return status;
  for (int k = 0; k < s->nv; k++) w->x[k] = y[s->nq + k] - w->early * v0[k];
  fb_integrate(s->m, y, w->x, h, y1);
  for (int i = 0; i < s->nx; i++) fb_y_x(s, y1)[i] = y0[s->nq + s->nv + i] + h * xdot[i];
  begin_conserving(s, y0);
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  s->loss = w->weighed ? w->loss : NULL;
  fb_flow_ledger(s, y, fb_y_z(s, zdot));
  s->loss = NULL;
  fb_conserve_middle(s, y, fb_y_z(s, zdot));
  if (fb_touch_is_divided(w)) fb_conserve_move_middle(s, (0.5 - w->early) * h);
  w->stop_work = fb_touch_stop_work(s, y + s->nq);
  if (w->weighed) book_impacts(s, y, fb_y_z(s, zdot));
  for (int i = s->nq + s->nv + s->nx; i < s->ny; i++) y1[i] = y0[i] + h * zdot[i];
  fb_y_z(s, y1)[s->nv + FB_Z_DISSIPATED] += w->stop_work; /* it counts as impacts */
  fb_touch_add_works(s, y1);
  fb_flow_close(s, t + h, y1);
  fb_conserve_end(s, h, y0, y1);
  if (w->ncontact + s->nlimit == 0) return FB_OK;
  fb_touch_project(s, t + h, y1);
  return fb_touch_check_depth(s, t + h, error);
}

/* The same in two halves. What touches after the first is not remembered in the second. */
static fb_status make_halves(fb_sim* s, double t, const double* y0, double h, double** y, int* hits) {
  fb_error none;
  fb_rank_watch ranks = s->ranks;
  double* middle = s->touch->halves;
  *y = middle + s->ny;
  fb_status status = moreau_step(s, t, y0, 0.5 * h, middle, &none);
  *hits = fb_touch_any_hits(s->touch);
  if (!status) status = moreau_step(s, t + 0.5 * h, middle, 0.5 * h, *y, &none);
  *hits |= fb_touch_any_hits(s->touch);
  s->ranks = ranks;
  return status;
}

/* A step; its error is estimated where it is one of a sample, or has impacts. */
static fb_status moreau_sample(fb_sim* s, double t, const double* y0, double h, double* y1, fb_error* error) {
  double* halves;
  int hits = 0, wanted = fb_touch_is_sampled(s), known = wanted && !make_halves(s, t, y0, h, &halves, &hits);
  fb_status status = moreau_step(s, t, y0, h, y1, error);
  s->touch->sampled = 0;
  if (!status && !wanted && fb_touch_is_worth_a_sample(s)) {
    known = !make_halves(s, t, y0, h, &halves, &hits);
    status = moreau_step(s, t, y0, h, y1, error); /* what it leaves behind is the whole step's */
  }
  if (!status && known) fb_touch_note_sample(s, y1, halves, hits || fb_touch_any_hits(s->touch));
  return status;
}

static fb_status moreau_advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                                fb_error* error) {
  (void)self;
  *t_next = t_limit;
  fb_status status = moreau_sample(s, s->head->t, s->y, t_limit - s->head->t, y_next, error);
  s->touch->end = t_limit;
  return status;
}

static fb_status moreau_at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  (void)self;
  s->touch->sampled = 0;
  fb_status status = moreau_step(s, s->t0, s->y0, t - s->t0, y, error);
  s->touch->end = t;
  return status;
}

fb_stepper fb_stepper_moreau(void) {
  return (fb_stepper){.advance = moreau_advance, .at = moreau_at};
}
