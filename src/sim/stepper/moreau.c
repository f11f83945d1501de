/* moreau.c -- Moreau and Jean's time stepping: impulses of hard contacts over whole steps
 *
 *   q_m = q + h/2 v                                          points that touch there are active (moreau_points.c)
 *   v+ = v + h H^-1 (forces at t + h/2, q_m, v_m) + H^-1 J^T P         v_m = v, then once more with (v + v+) / 2
 *   P: the cones of contacts, limits and stiction on the velocities v+ (impulse.c), at q+ (moreau_end.c)
 *   q+ = q_m + h/2 v+,  then out of the remaining penetration (hard_project.c)
 *
 * A step whose active points are all new impacts is divided at the impact, t + a h, instead of in its middle: a
 * follows from the depth and rate of the points in the middle. Positions of contacts are those of q + a h v; with p =
 * H^-1 J^T P, v_m = (v + v+) / 2 + (1/2 - a) p and q+ = q + h v_m. So bounces are of second order too, and do not end
 * in penetration. Lasting points transmit impacts, and the part of their impulses that belongs to the impact is not
 * known: there a = 1/2.
 *
 * Wherever velocities jump, by points or limits, accelerations are a times those of v and 1 - a times those of v+: terms that are
 * quadratic in the velocity would be off by the first order at v_m, and loops would open (moreau_jump.c).
 *
 * Velocities may jump at any instant, any number of times: no instant is searched, and accumulating impacts cost
 * nothing. First order where contacts change, second between. Moreau 1988; Jean 1999; Acary and Brogliato, Numerical
 * Methods for Nonsmooth Dynamical Systems, 2008, chapter 10. The ledger takes forces at q_m times v_m, dampers times
 * the velocities before and after impacts, and impacts times the mean of the velocities around them: at constant H
 * that is exactly the change of the kinetic energy. */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "contact/dynamics/step_contact.h"
#include "ledger/conserve.h"
#include "math/vector3.h"
#include "sim/flow.h"
#include "sim/stepper/moreau.h"

static const double SLOWEST = 0; /* [m/s] restitution of any approach */

/* Whether a point approaches faster than finite forces could accelerate it within a step, and is stopped. */
static int approaches(const fb_hard_contacts* w, int row) {
  return w->before[row] < -FB_HARD_SLOW && w->before[row] < -fabs(w->gained[row]) && w->P[row] > 0;
}

static int is_run_into(const fb_sim* s, int i, int row) {
  return approaches(s->contact.hard, row) && !fb_hard_lasts(s, &s->contact.hard->points[i]);
}

static int any_is_run_into(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    if (is_run_into(s, i, row)) return 1;
  return 0;
}

static int any_stop_is_run_into(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int row = 0; row < w->nrow; row++)
    if (w->limit_of[row] >= 0 && approaches(w, row)) return 1;
  return 0;
}

/* Whether velocities jump in the step, by its first pass. */
static int velocities_jump(const fb_sim* s) {
  return s->contact.hard->nrow > 0 &&
         (fb_hard_is_divided(s->contact.hard) || any_is_run_into(s) || any_stop_is_run_into(s));
}

/* Whether a point takes part in an impact: it approaches, or transmits the impact of another, with an impulse far
 * above that of forces alone, in this step and in the last. */
static int is_hit(const fb_sim* s, int i, int row, int some, double h) {
  const fb_hard_contacts* w = s->contact.hard;
  const fb_hard_point* p = &w->points[i];
  if (!some || is_run_into(s, i, row)) return some && is_run_into(s, i, row);
  const fb_hard_memory* m = fb_hard_remembered(s, p);
  double pushed = m ? h * dot3(m->load, p->point.normal) : 0;
  return w->P[row] > 2 * pushed && w->P[row] * fb_hard_response(w, row, row) > 2 * fabs(w->gained[row]);
}

/* The state of a point with the impulse P. At the edge of the cone it sticks as long as nothing moves. */
static fb_contact_state state_of(const fb_hard_contacts* w, int i, int row, const double P[3], double slip) {
  double rates = 0, level = w->cones[i].mu * P[0];
  if (!(P[0] > 0)) return FB_CONTACT_OPEN;
  if (w->cones[i].kind != FB_CONE_COULOMB) return FB_CONTACT_SLIPS;
  for (int k = 0; k < 3; k++) rates = fmax(rates, fabs(w->before[row + k]) + fabs(w->gained[row + k]));
  int inside = norm2(P[1], P[2]) <= level * (1 - 1e-9);
  return slip <= (inside ? 1e-7 : 1e-10 * rates) ? FB_CONTACT_STICKS : FB_CONTACT_SLIPS;
}

/* Whether a point separates with a rate beyond that of its offsets or of rounding: it has no state between two steps. */
static int leaves(const fb_hard_contacts* w, int row) {
  double rates = fabs(w->before[row]) + fabs(w->gained[row]);
  return w->u[row] + w->closing[row] > FB_HARD_SLOW + 1e-6 * rates;
}

/* A point that lasts, but stops an approach that is as fast as the bodies turn or move, may be another one: a corner that came after
 * the last. */
static int is_stopped_late(const fb_hard_contacts* w, int row) {
  static const double FAST = 0.05; /* of the pace */
  return w->aside.reach_time > 0 && w->P[row] > 0 && w->before[row] < -FAST * w->aside.pace &&
         w->before[row] < -FB_HARD_SLOW;
}

/* Impulses become forces over the step. */
static void take_forces(fb_sim* s, double h) {
  fb_hard_contacts* w = s->contact.hard;
  int row = 0, some = any_is_run_into(s);
  memset(s->limit.friction, 0, (size_t)s->nv * sizeof *s->limit.friction);
  for (int i = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    fb_hard_point* p = &w->points[i];
    int has_friction = w->cones[i].kind == FB_CONE_COULOMB;
    const double P[3] = {w->P[row], has_friction ? w->P[row + 1] : 0, has_friction ? w->P[row + 2] : 0};
    double aimed =
        has_friction ? norm2(w->u[row + 1] + w->closing[row + 1], w->u[row + 2] + w->closing[row + 2]) : 0;
    for (int k = 1; has_friction && k < 3; k++) p->rate[k] = w->u[row + k] + w->bend[row + k];
    fb_hard_find_slip_direction(p, 0);
    p->state = (int)state_of(w, i, row, P, aimed);
    p->leaves = leaves(w, row);
    w->aside.reaches |= is_stopped_late(w, row);
    fb_hard_take_force(p, P, 1 / h);
    p->hit = is_hit(s, i, row, some, h);
    if (p->hit) {
      double impulse[3];
      for (int k = 0; k < 3; k++) impulse[k] = h * p->force[k];
      fb_hard_note_impact(s, p, impulse, w->before[row]);
    }
  }
  fb_hard_note_stops(s);
  w->pushed = row < w->nrow;
  for (; row < w->nrow; row++) s->limit.friction[w->rows[row].coordinate] += w->sign[row] * w->P[row] / h;
}

/* Resets the results of the step. */
static void clear(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->works, 0, 2 * (size_t)w->ncontact * sizeof *w->works);
  fb_hard_clear_impacts(s);
  w->gains = 0;
  memset(w->more, 0, (size_t)w->nrow * sizeof *w->more);
  if (s->limit.count > 0) memset(w->stops, 0, (size_t)s->limit.count);
  w->off = 0;
}

/* ---- the step ---- */

/* Applies the impulses: the accelerations in s->vdot become those with them. In the first pass nothing else is
 * needed. */
static fb_status contact_impulses(fb_sim* s, double t, double h, const double* y, const double* v1,
                                  fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  clear(s);
  if (w->nrow == 0) return FB_OK;
  if (!w->rough) fb_hard_bend(s, y, v1, (1 - w->early) * h);
  fb_hard_set_end_rates(s);
  fb_hard_rates(s, y, s->vdot, w->gained);
  for (int i = 0; i < w->nrow; i++) w->gained[i] *= h;
  for (int i = 0; i < w->nrow && w->rough; i++) w->more[i] = (w->early - 0.5) * w->gained[i];
  if (w->weighed && !w->rough) fb_hard_rates(s, y, w->around, w->more);
  if (fb_hard_impulses(s, SLOWEST) == FB_CONES_NONE)
    return fb_fail(
        error, FB_ERR_NO_SOLUTION,
        "at t = %.9g s the contacts have no solution: forces are not finite, or bodies are pressed together "
        "by prescribed motions; take a shorter step, or release what is prescribed",
        t);
  if (w->rough) {
    fb_hard_respond(s, w->P, w->x);
    for (int k = 0; k < s->nv; k++) s->vdot[k] += w->x[k] / h;
    return FB_OK;
  }
  take_forces(s, h);
  w->first = s->wrench.count;
  fb_hard_push(s, fb_hard_poses(s)); /* the poses of y, whatever the velocities of the last evaluation */
  fb_flow_accelerate(s, y, NULL);
  if (!w->weighed) return FB_OK;
  for (int k = 0; k < s->nv; k++) s->vdot[k] += w->dv[k];
  fb_moreau_complete_reactions(s);
  return FB_OK;
}

/* Everything at the middle of the step, with the velocities in y. */
static fb_status push(fb_sim* s, double t, double h, const double* y, double* xdot, fb_error* error) {
  s->contact.hard->pushed = 0;
  fb_status status = fb_flow_drive(s, t + 0.5 * h, y, xdot, error);
  if (!status) fb_flow_accelerate(s, y, NULL);
  return status;
}

/* Trees with contact forces between them in this step keep their common momentum, and their rates along the contacts. */
static void begin_conserving(fb_sim* s, const double* y0) {
  const fb_hard_contacts* w = s->contact.hard;
  if (s->tree.nfloat == 0) return;
  fb_conserve_start(s);
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (!is_zero3(p->force)) fb_conserve_unite(s, fb_point_a(s, p)->frame, fb_point_b(s, p)->frame);
  }
  s->ledger.y_noted[0] = NAN; /* the groups of the last step may have been others */
  fb_conserve_begin(s, y0);
}

fb_status fb_moreau_step(fb_sim* s, double t, const double* y0, double h, double* y1, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  double *y = w->mean, *zdot = s->stages, *xdot = fb_y_x(s, zdot), *v1 = y1 + s->nq;
  const double* v0 = y0 + s->nq;
  memcpy(y, y0, (size_t)s->ny * sizeof *y);
  fb_moreau_place(s, t, h, 0.5, y0, y);
  fb_status status = push(s, t, h, y, xdot, error);
  if (status) return status;
  fb_moreau_find_closed(s, t, h, y0, y);
  status = fb_hard_check_room(s, t, error);
  int again = 0;
  for (int pass = 0; pass < 2 && !status; pass++) {
    if (pass > 0 || again) status = push(s, t, h, y, xdot, error);
    fb_moreau_take_reactions(s, w->reactions);
    w->weighed = pass > 0 && !status && velocities_jump(s);
    if (w->weighed) fb_moreau_weigh_accelerations(s, h, y, v0, v1);
    w->rough = pass == 0;
    for (int i = 0; i < w->nisland; i++) w->islands[i].settled = pass == 0 || w->islands[i].used == 0;
    if (!status) status = contact_impulses(s, t, h, y, v1, error);
    if (fb_hard_is_divided(w)) fb_moreau_respond_later(s);
    for (int k = 0; k < s->nv; k++) {
      v1[k] = v0[k] + h * s->vdot[k];
      y[s->nq + k] = 0.5 * (v0[k] + v1[k]) + w->later[k];
    }
    again = pass == 0 && fb_moreau_find_reached(s, h, y, v1);
    if (!again) continue;
    fb_moreau_pose(s, h, y, v0);
    status = fb_hard_check_room(s, t, error);
    memcpy(y + s->nq, v0, (size_t)s->nv * sizeof *y);
    pass = -1;
  }
  w->rough = 0;
  if (status) return status;
  for (int k = 0; k < s->nv; k++) w->x[k] = y[s->nq + k] - w->early * v0[k];
  fb_integrate(s->m, y, w->x, h, y1);
  fb_flow_move_bases(s, y0, y + s->nq, h, y1);
  for (int i = 0; i < s->nx; i++) fb_y_x(s, y1)[i] = y0[s->nq + s->nv + i] + h * xdot[i];
  begin_conserving(s, y0);
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  s->ledger.loss = w->weighed ? w->loss : NULL;
  fb_flow_ledger(s, y, fb_y_z(s, zdot));
  s->ledger.loss = NULL;
  fb_conserve_middle(s, y, fb_y_z(s, zdot));
  if (fb_hard_is_divided(w)) fb_conserve_move_middle(s, (0.5 - w->early) * h);
  w->stop_work = fb_hard_stop_work(s, y + s->nq);
  if (w->weighed) fb_moreau_enter_impacts(s, y, fb_y_z(s, zdot));
  for (int i = s->nq + s->nv + s->nx; i < s->ny - s->nrest; i++) y1[i] = y0[i] + h * zdot[i];
  fb_y_z(s, y1)[s->nv + FB_Z_DISSIPATED] += w->stop_work; /* it counts as impacts */
  fb_hard_add_works(s, y1);
  fb_flow_close(s, t + h, y1);
  fb_conserve_end(s, h, y0, y1);
  w->cut = h;
  if (w->ncontact + s->limit.count == 0) return FB_OK;
  w->cut = fb_moreau_find_next(s, h, y0, y1);
  fb_hard_project(s, t + h, y1);
  return fb_hard_check_depth(s, t + h, error);
}

/* The same in two halves. Points of the first are not remembered in the second. */
static fb_status make_halves(fb_sim* s, double t, const double* y0, double h, double** y, int* hits) {
  fb_error none;
  fb_rank_watch ranks = s->loop.ranks;
  double* middle = s->contact.hard->halves;
  *y = middle + s->ny;
  fb_status status = fb_moreau_step(s, t, y0, 0.5 * h, middle, &none);
  *hits = fb_hard_any_hits(s);
  if (!status) status = fb_moreau_step(s, t + 0.5 * h, middle, 0.5 * h, *y, &none);
  *hits |= fb_hard_any_hits(s);
  s->loop.ranks = ranks;
  return status;
}

/* A step; its error is estimated where it is one of a sample, or has impacts. */
static fb_status moreau_sample(fb_sim* s, double t, const double* y0, double h, double* y1, fb_error* error) {
  double* halves;
  fb_beside_step(s, t, y0, h);
  int hits = 0, wanted = fb_hard_is_sampled(s), known = wanted && !make_halves(s, t, y0, h, &halves, &hits);
  fb_status status = fb_moreau_step(s, t, y0, h, y1, error);
  s->contact.hard->sampled = 0;
  if (!status && !wanted && fb_hard_is_worth_a_sample(s)) {
    known = !make_halves(s, t, y0, h, &halves, &hits);
    status = fb_moreau_step(s, t, y0, h, y1, error); /* its results are those of the whole step */
  }
  if (!status && known) fb_hard_note_sample(s, y1, halves, hits || fb_hard_any_hits(s));
  if (!status) fb_beside_compare(s, y1);
  return status;
}

/* The step ends where bodies meet after an impact in it, so that every impact of a chain is one of its own. */
static fb_status moreau_advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                                fb_error* error) {
  (void)self;
  enum { MOST = 4 };
  fb_hard_contacts* w = s->contact.hard;
  const double t = s->head->t;
  double h = t_limit - t;
  *t_next = t_limit;
  fb_status status = moreau_sample(s, t, s->y, h, y_next, error);
  for (int i = 0; i < MOST && !status && w->cut < h && fb_moreau_may_cut(s, t_limit); i++) {
    h = w->cut;
    *t_next = t + h;
    status = moreau_sample(s, t, s->y, h, y_next, error);
  }
  w->end = *t_next;
  return status;
}

static fb_status moreau_at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  (void)self;
  s->contact.hard->sampled = 0;
  s->contact.hard->aside.made = FB_BESIDE_NONE;
  if (y == s->y1)
    fb_beside_step(s, s->step.t0, s->y0, t - s->step.t0); /* the end of the step, which is accepted */
  fb_status status = fb_moreau_step(s, s->step.t0, s->y0, t - s->step.t0, y, error);
  if (!status && y == s->y1) fb_beside_compare(s, y);
  s->contact.hard->end = t;
  return status;
}

fb_stepper fb_stepper_moreau(void) {
  return (fb_stepper){.step = moreau_advance, .eval = moreau_at};
}
