/* momentum_method.c -- the momentum-preserving method: variational midpoint rule on the configuration group
 *
 * One velocity v serves the whole step of length h:
 *
 *   q_mid = q_0 + h/2 v,  q_1 = q_0 + h v                        on the group
 *   H(q_mid) v = mu(v; p_0, g),  g = dT/dq(q_mid, v) + forces    in the middle (momentum_rule.h, momentum_solve.c)
 *   p_1 from mu and g,  v_1 = H(q_1)^-1 p_1                      what is seen at the end
 *
 * These are the discrete Euler-Lagrange equations of h (T - V)(q_mid, v) with forces as in d'Alembert's principle, so
 * that momentum is kept and energy does not drift (Marsden, West 2001). Floating trees are stepped about their centre
 * of mass, which makes the step the same for every observer (momentum_frame.c). p is carried from step to step and
 * never computed from v, so that rounding does not add up either. Coordinates moved by a motion have their mean
 * velocity over the step; the force that this takes follows from their momenta. Derivation and measurements:
 * docs/theory/momentum_method.md. */
#include "sim/stepper/momentum_method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "kernel/instances.h"
#include "math/vector3.h"
#include "sim/stepper/momentum_rule.h"
#include "sim/flow.h"

enum { PAST = FB_MOMENTUM_PAST };

/* ---- the end of the step ---- */

/* p_1 of all coordinates driven by force. */
static void find_end_momenta(fb_momentum_method* o, const fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++) o->p1[k] = o->p0[k] + h * (o->slope[k] + o->force[k]);
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double g[3];
    fb_momentum_turning_force(o, k, g);
    fb_end_momentum3(h, o->v + k, o->mu + k, g, o->p1 + k);
  }
}

/* Forces that moved coordinates took, for the ledger: p' - w x p - g. */
static void find_moving_forces(fb_momentum_method* o, fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++)
    if (s->motion.of[k] != FB_MOTION_FORCE) s->tau[k] = (o->p1[k] - o->p0[k]) / h - o->slope[k] - o->force[k];
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double turning[3];
    cross3(o->v + k, o->mu + k, turning);
    for (int j = 0; j < 3; j++)
      if (s->motion.of[k + j] != FB_MOTION_FORCE) s->tau[k + j] -= turning[j];
  }
}

/* Moved coordinates: known velocities are those of v, or zero for coordinates driven by force. */
static void know(fb_momentum_method* o, const fb_sim* s, const double* v) {
  for (int k = 0; k < s->nv; k++) o->known[k] = s->motion.of[k] == FB_MOTION_FORCE ? 0 : v[k];
}

/* State, kept momenta and ledger at the end. */
static void finish(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h, double* y1,
                   double* kept_end) {
  double *v1 = fb_y_v(s, y1), *x1 = fb_y_x(s, y1), *z1 = fb_y_z(s, y1);
  memcpy(y1, y0, (size_t)s->ny * sizeof *y1);
  fb_integrate(s->m, y0, o->v, h, y1);
  fb_flow_move_bases(s, y0, o->v, h, y1);
  for (int i = 0; i < s->nx; i++) x1[i] += h * o->x_rate[i];
  fb_flow_place(s, t + h, y1);
  if (s->motion.head->nmoved > 0) know(o, s, v1);
  find_end_momenta(o, s, h);
  fb_momentum_push_bases(o, s, h);
  fb_momentum_find_velocities(o, s, y1, o->p1, v1);
  fb_momentum_place_end(o, s, h, y1, kept_end);

  if (s->motion.head->nmoved > 0) find_moving_forces(o, s, h);
  s->m->kernels->kinematics(&s->m->top, s->d->par, s->d, o->y_mid, o->y_mid + s->nq, NULL);
  fb_flow_ledger(s, o->y_mid, o->z_rate);
  for (int i = 0; i < s->nz; i++) z1[i] += h * o->z_rate[i];
}

/* ---- start of the iteration ---- */

/* The polynomial through past velocities; where it would magnify rounding, or there are none, the velocity at the
 * start of the step. */
static void guess(fb_momentum_method* o, fb_sim* s, double t_mid, const double* y0) {
  static const double MUCH = 100;
  double weight[PAST], most = 0;
  for (int i = 0; i < o->npast; i++) {
    weight[i] = 1;
    for (int j = 0; j < o->npast; j++)
      if (j != i) weight[i] *= (t_mid - o->past_t[j]) / (o->past_t[i] - o->past_t[j]);
    most = fmax(most, fabs(weight[i]));
  }
  if (o->npast == 0 || !(most <= MUCH)) {
    memcpy(o->v, y0 + s->nq, (size_t)s->nv * sizeof *o->v);
    if (s->tree.nroot > 0) fb_momentum_leave_drift(o, s, y0, o->v, o->p1);
    return;
  }
  memset(o->v, 0, (size_t)s->nv * sizeof *o->v);
  for (int i = 0; i < o->npast; i++)
    for (int k = 0; k < s->nv; k++) o->v[k] += weight[i] * o->past[i][k];
}

/* Moved coordinates have their mean velocity. */
static void set_moved(fb_momentum_method* o, const fb_sim* s, double t, const double* q0, double h) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] == FB_MOTION_FORCE) continue;
    double to = NAN;
    fb_motion_at(s, k, t + h, &to, &o->v[k], NULL);
    if (!isnan(to)) o->v[k] = (to - q0[s->m->top.coordinate_q[k]]) / h;
  }
  know(o, s, o->v);
}

static fb_status step(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                      const double* kept, double* y1, double* kept_end, fb_error* error) {
  fb_momentum_enter(o, s, kept);
  guess(o, s, t + 0.5 * h, y0);
  memset(o->given, 0, (size_t)s->nv * sizeof *o->given);
  if (s->nx > 0) memset(o->x_rate, 0, (size_t)s->nx * sizeof *o->x_rate);
  if (s->motion.head->nmoved > 0) set_moved(o, s, t, y0, h);
  fb_status status = fb_momentum_solve(o, s, t, y0, h, error);
  if (!status) finish(o, s, t, y0, h, y1, kept_end);
  return status;
}

/* ---- the stepper ---- */

static void remember(fb_momentum_method* o, const fb_sim* s) {
  double* oldest = o->past[PAST - 1];
  memmove(o->past + 1, o->past, (PAST - 1) * sizeof *o->past);
  memmove(o->past_t + 1, o->past_t, (PAST - 1) * sizeof *o->past_t);
  o->past[0] = oldest;
  o->past_t[0] = o->t_mid;
  memcpy(oldest, o->v_end, (size_t)s->nv * sizeof *oldest);
  if (o->npast < PAST) o->npast++;
}

static int is_at(const fb_sim* s, const double* y_end) {
  return memcmp(s->y, y_end, (size_t)(s->nq + s->nv) * sizeof *s->y) == 0;
}

/* The simulation continued from the end of the last step, from where an event cut it, or from another state. */
static void take_over(fb_momentum_method* o, fb_sim* s) {
  if (!o->pending) return;
  o->pending = 0;
  int at_end = is_at(s, o->y_end), cut = !at_end && is_at(s, o->y_aside);
  if (!at_end && !cut) s->head->momentum_known = 0;
  if (!s->head->momentum_known) return;
  memcpy(s->step.momentum, at_end ? o->end : o->aside, fb_momentum_kept_size(s));
  if (at_end) remember(o, s);
}

static void find_momentum(fb_momentum_method* o, fb_sim* s) {
  if (s->head->momentum_known) return;
  fb_momentum_measure(o, s, s->step.momentum);
  s->head->momentum_known = 1;
}

static void reset(void* self, fb_sim* s) {
  fb_momentum_method* o = (fb_momentum_method*)self;
  if (s->step.t0 == s->head->t) o->pending = 0; /* started or restored: with its momentum, if known */
  take_over(o, s);
  o->npast = 0;
}

static fb_status advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  fb_momentum_method* o = (fb_momentum_method*)self;
  double t = s->head->t, h = t_limit - t;
  take_over(o, s);
  find_momentum(o, s);
  memcpy(o->start, s->step.momentum, fb_momentum_kept_size(s));
  fb_status status = step(o, s, t, s->y, h, o->start, y_next, o->end, error);
  if (status) return status;
  *t_next = t_limit;
  o->pending = 1;
  o->t_mid = t + 0.5 * h;
  memcpy(o->y_end, y_next, (size_t)(s->nq + s->nv) * sizeof *y_next);
  memcpy(o->v_end, o->v, (size_t)s->nv * sizeof *o->v);
  return FB_OK;
}

/* A shorter step from the same start. */
static fb_status at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  fb_momentum_method* o = (fb_momentum_method*)self;
  fb_status status = step(o, s, s->step.t0, s->y0, t - s->step.t0, o->start, y, o->aside, error);
  if (!status) memcpy(o->y_aside, y, (size_t)(s->nq + s->nv) * sizeof *y);
  return status;
}

/* ---- set-up ---- */

static void lay_out(fb_momentum_method* to, const fb_sim* s, fb_arena* scratch) {
  fb_arena_take(scratch, sizeof *to);
  FB_MOMENTUM_FIELDS(FB_FIELD_IN_SCRATCH)
  for (int i = 0; i < PAST; i++) to->past[i] = fb_arena_take(scratch, (size_t)s->nv * sizeof(double));
}

static fb_status start(void* self, fb_sim* s, fb_error* error) {
  fb_momentum_method measure;
  fb_arena a = {0};
  free(self); /* of a start that failed */
  lay_out(&measure, s, &a);
  a = (fb_arena){aligned_alloc(FB_ALIGN, a.used), 0};
  fb_momentum_method* o = (fb_momentum_method*)(void*)a.base;
  s->stepper.self = o;
  if (!o) return fb_fail(error, FB_ERR_MEMORY, "no memory for the integrator");
  lay_out(&measure, s, &a);
  memset(a.base, 0, a.used);
  *o = measure;
  o->pending = o->npast = 0;
  fb_momentum_frame_set_up(o, s);
  for (int b = 1; b < s->m->top.nbody; b++)
    for (int i = 0; i < fb_joint_nv(s->m, b); i++)
      o->base[fb_joint_v_index(s->m, b) + i] = fb_body_base(s->m, b);
  return FB_OK;
}

fb_stepper fb_stepper_momentum(void) {
  return (fb_stepper){.start = start, .reset = reset, .step = advance, .eval = at, .free = free};
}
