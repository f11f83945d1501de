/* momentum_method.c -- the momentum-preserving method: variational midpoint rule on the configuration group
 *
 * One velocity v serves the whole step of length h:
 *
 *   q_mid = q_0 + h/2 v,  q_1 = q_0 + h v                        on the group
 *   H(q_mid) v = mu(v; p_0, g),  g = dT/dq(q_mid, v) + forces    in the middle (momentum_rule.h)
 *   p_1 from mu and g,  v_1 = H(q_1)^-1 p_1                      what is seen at the end
 *
 * These are the discrete Euler-Lagrange equations of h (T - V)(q_mid, v) with forces as in d'Alembert's principle,
 * so that momentum is kept and energy does not drift (Marsden, West 2001). Solved by fixed-point iteration
 * v <- H(q_mid)^-1 mu(v) to round-off; H^-1 is forward dynamics at rest, O(n).
 *
 * p is carried from step to step, never found again from v: of floating bases as P and L about a point near them,
 * which change by outer forces only, so that rounding does not add up either. The point stays until the base is a
 * metre away: L - x cross P of a base far out would lose its spin. Coordinates moved
 * by a motion have their mean velocity over the step; the force that this takes follows from their momenta.
 * Derivation and measurements: docs/theory/momentum_method.md. Cost: iterations (3 to 6) of about 1.6 forward
 * dynamics, and one more. */
#include "sim/momentum_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/instances.h"
#include "math/vector3.h"
#include "sim/sim.h"

enum { PAST = 8, MAX_ROUNDS = 60 };

typedef struct fb_momentum_method {
  /* The step being made, or last made; [nv] unless said. */
  double *v, *v_before;           /* its velocity, and that of the round before */
  double *p0, *p1, *mu;           /* momenta at its ends, and in its middle */
  double* slope;                  /* dT/dq */
  double* force;                  /* all forces but those that move moved coordinates */
  double* given;                  /* those, as mu tells; zero elsewhere */
  double* known;                  /* velocities of moved coordinates; zero elsewhere */
  double* rest;                   /* zeros, at least 3 */
  double* y_mid;                  /* [ny] */
  double *x_rate, *x_rate_before; /* [nx] */
  double* z_rate;                 /* [nz] */
  double *change, *size; /* [nbody] of each tree, at its base: squares of the last change, of speeds */
  /* Momenta as they are kept (kept_size): plain, but P and L of floating bases; and the arms of L. */
  double *start, *end, *aside; /* of the step last made; at the end of one made aside */
  double *y_end, *y_aside;     /* [nq + nv] the states that `end` and `aside` belong to */
  double *v_end, t_mid;        /* velocity and middle of its step */
  int pending;                 /* 1: the simulation has not taken `end` over yet */
  /* Velocities of past steps, newest first, and the times of their middles. */
  double* past[PAST];
  double past_t[PAST];
  int npast;
  int* base; /* [nv] the body that the coordinate's tree starts with */
  int* root; /* [nv] index of the floating base that the coordinate belongs to, or -1 */
} fb_momentum_method;

/* ---- momenta as they are kept ---- */

/* Whether all of a floating base gives way, so that outer forces alone change P and L. */
static int floats(const fb_sim* s, const fb_float_root* root) {
  for (int k = 0; k < 6; k++)
    if (s->motion[root->v_at + k] != FB_MOTION_FORCE) return 0;
  return 1;
}

/* Kept momenta end with the arm of each floating base: from the point that its L is about to its origin, joint axes. */
static size_t kept_size(const fb_sim* s) {
  return (size_t)(s->nv + 3 * s->nroot) * sizeof(double);
}

/* Adds sign arm cross P to L. */
static void move_moment(const double* arm, const double* P, double sign, double* L) {
  double moment[3];
  cross3(arm, P, moment);
  for (int i = 0; i < 3; i++) L[i] += sign * moment[i];
}

static void to_canonical(const fb_sim* s, const double* kept, double* p) {
  memcpy(p, kept, (size_t)s->nv * sizeof *p);
  for (int i = 0; i < s->nroot; i++) {
    int k = s->roots[i].v_at;
    move_moment(kept + s->nv + 3 * i, p + k, -1, p + k + 3);
  }
}

/* Of all coordinates, or of all but bases that float; the others are about where they are. */
static void to_kept(const fb_momentum_method* o, const fb_sim* s, const double* p, int all, double* kept) {
  for (int k = 0; k < s->nv; k++)
    if (o->root[k] < 0) kept[k] = p[k];
  for (int i = 0; i < s->nroot; i++) {
    if (!all && floats(s, &s->roots[i])) continue;
    memcpy(kept + s->roots[i].v_at, p + s->roots[i].v_at, 6 * sizeof *kept);
    memset(kept + s->nv + 3 * i, 0, 3 * sizeof *kept);
  }
}

/* Bases that have gone far get a new point for their L: where they are. */
static void move_points(const fb_sim* s, double* kept) {
  static const double FAR = 1; /* [m] */
  for (int i = 0; i < s->nroot; i++) {
    double *arm = kept + s->nv + 3 * i, *P = kept + s->roots[i].v_at;
    if (fabs(arm[0]) + fabs(arm[1]) + fabs(arm[2]) < FAR) continue;
    move_moment(arm, P, -1, P + 3);
    memset(arm, 0, 3 * sizeof *arm);
  }
}

/* ---- the middle of the step ---- */

/* Forces that the blocks, passive joints, gravity and wrenches exert at y_mid. */
static void find_forces(fb_momentum_method* o, fb_sim* s) {
  fb_loads outer = s->loads;
  outer.nwrench = s->nwrench;
  outer.passive = 0;
  if (outer.nwrench > 0 || !is_zero3(outer.gravity_w)) {
    fb_gravity_compensation(s->m, s->d, o->y_mid, &outer, o->force);
    for (int k = 0; k < s->nv; k++) o->force[k] = -o->force[k];
  } else {
    memset(o->force, 0, (size_t)s->nv * sizeof *o->force);
  }
  if (s->m->top.has_passive && s->loads.passive != 0) {
    fb_passive_forces(s->m, o->y_mid, o->v, s->loads.passive, s->total_tau);
    for (int k = 0; k < s->nv; k++) o->force[k] += s->total_tau[k];
  }
  for (int k = 0; k < s->nv; k++)
    if (s->motion[k] == FB_MOTION_FORCE) o->force[k] += s->tau[k];
}

/* Rotors have no gyroscopic moment of their own (armature adds to H alone): takes out what the rule gives them. */
static void still_rotors(fb_momentum_method* o, const fb_sim* s) {
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    const double *w = o->v + k, *a = s->m->par.armature + k;
    const double spin[3] = {a[0] * w[0], a[1] * w[1], a[2] * w[2]};
    double moment[3];
    cross3(spin, w, moment);
    for (int j = 0; j < 3; j++) o->slope[k + j] += moment[j];
  }
}

/* g of the three coordinates of an attitude. */
static void push3(const fb_momentum_method* o, int k, double g[3]) {
  for (int j = 0; j < 3; j++) g[j] = o->slope[k + j] + o->force[k + j] + o->given[k + j];
}

/* mu(v). */
static void find_middle_momenta(fb_momentum_method* o, const fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++)
    o->mu[k] = fb_middle_momentum(h, o->p0[k], o->slope[k] + o->force[k] + o->given[k]);
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double g[3];
    push3(o, k, g);
    fb_middle_momentum3(h, o->v + k, o->p0 + k, g, o->mu + k);
  }
}

/* All that the middle of the step holds, with its velocity as it is known now. */
static fb_status evaluate(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                          fb_error* error) {
  memcpy(o->y_mid, y0, (size_t)s->ny * sizeof *o->y_mid);
  memcpy(fb_y_v(s, o->y_mid), o->v, (size_t)s->nv * sizeof *o->v);
  fb_integrate(s->m, y0, o->v, 0.5 * h, o->y_mid);
  double* x = fb_y_x(s, o->y_mid);
  for (int i = 0; i < s->nx; i++) x[i] += 0.5 * h * o->x_rate[i];
  if (s->nx > 0) memcpy(o->x_rate_before, o->x_rate, (size_t)s->nx * sizeof *o->x_rate);
  fb_status status = fb_flow_drive(s, t + 0.5 * h, o->y_mid, o->x_rate, error);
  if (status) return status;
  s->head->evaluations++;
  find_forces(o, s);
  s->m->kernels->momenta(s->m, s->d, o->y_mid, o->v, o->mu, o->slope);
  still_rotors(o, s);
  find_middle_momenta(o, s, h);
  return FB_OK;
}

/* v = H(q)^-1 p, moved coordinates at their known velocities; their p is filled. */
static void find_velocities(fb_momentum_method* o, fb_sim* s, const double* q, double* p, double* v) {
  const fb_kernels* kernels = s->m->kernels;
  if (s->head->nmoved == 0)
    kernels->aba(s->m, s->d, q, o->rest, p, o->rest, NULL, v);
  else
    kernels->mixed(s->m, s->d, q, o->rest, p, o->known, s->prescribed, o->rest, NULL, v, p);
}

/* ---- the iteration ---- */

/* How much the last round changed, of what there is: the most of all trees, and of the blocks' states. Speeds are
 * weighed by what they move, the pivots of the solution. NaN when something is not a number. */
static double last_change(fb_momentum_method* o, const fb_sim* s, double h) {
  size_t size = (size_t)s->m->top.nbody * sizeof(double);
  double worst = 0, change = 0, most = 0;
  memset(o->change, 0, size);
  memset(o->size, 0, size);
  for (int k = 0; k < s->nv; k++) {
    double dv = o->v[k] - o->v_before[k], weight = 1 / s->d->D[k];
    o->change[o->base[k]] += weight * dv * dv;
    o->size[o->base[k]] += weight * o->v[k] * o->v[k];
  }
  for (int b = 1; b < s->m->top.nbody; b++) {
    if (o->change[b] == 0) continue;
    double part = sqrt(o->change[b] / o->size[b]);
    if (isnan(part)) return part;
    worst = fmax(worst, part);
  }
  const double* x = o->y_mid + s->nq + s->nv;
  for (int i = 0; i < s->nx; i++) {
    change = fmax(change, fabs(0.5 * h * (o->x_rate[i] - o->x_rate_before[i])));
    most = fmax(most, fabs(x[i]));
  }
  return change > 0 ? fmax(worst, change / most) : worst;
}

/* Whether another round would change nothing but the last bits: this one changed nothing, the next one will not,
 * going by the last two, or rounding is all that still changes. */
static int converged(double change, double before) {
  static const double ROUND_OFF = 0x1p-53, SMALL = 1e-9;
  if (change <= ROUND_OFF || isinf(before)) return change <= ROUND_OFF;
  return change * change <= ROUND_OFF * before || (change <= SMALL && change >= before);
}

/* A joint that moves nothing where the step begins, or a step that is too long. */
static fb_status did_not_converge(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                                  fb_error* error) {
  fb_error pivot;
  find_velocities(o, s, y0, o->p0, o->p1);
  if (fb_check_pivots(s->m, s->d, &pivot))
    return fb_fail(error, FB_ERR_NO_SOLUTION, "after t = %.9g s: %s", t, pivot.text);
  int worst = 0;
  double most = -1;
  for (int b = 1; b < s->m->top.nbody; b++)
    for (int i = 0; i < fb_joint_nv(s->m, b); i++) {
      int k = fb_joint_v_at(s->m, b) + i;
      double off = fabs(o->v[k] - o->v_before[k]) / sqrt(fabs(s->d->D[k]));
      if (off <= most || isnan(most)) continue; /* a number that is none is the worst */
      most = off;
      worst = b;
    }
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the momentum method finds no end to its step of %.3g s: its rounds do not "
                 "settle, joint \"%s\" least; shorten the step, or soften what acts on that joint",
                 t, h, fb_joint_name(s->m, worst));
}

/* Forces of moved coordinates, by what mu lacks; they turn the momenta of the attitude that they belong to. */
static void find_given(fb_momentum_method* o, const fb_sim* s, double h, const double* mu_before) {
  for (int k = 0; k < s->nv; k++)
    if (s->motion[k] != FB_MOTION_FORCE) o->given[k] += 2 / h * (o->mu[k] - mu_before[k]);
}

static fb_status solve(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                       fb_error* error) {
  static const double HOPELESS = 0.5;
  double before = INFINITY;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    fb_status status = evaluate(o, s, t, y0, h, error);
    if (status) return status;
    memcpy(o->v_before, o->v, (size_t)s->nv * sizeof *o->v);
    if (s->head->nmoved > 0) memcpy(o->p1, o->mu, (size_t)s->nv * sizeof *o->mu);
    find_velocities(o, s, o->y_mid, o->mu, o->v);
    if (s->head->nmoved > 0) find_given(o, s, h, o->p1);
    double change = last_change(o, s, h);
    if (converged(change, before)) return evaluate(o, s, t, y0, h, error);
    if (!(change < HOPELESS) && round > 7) break;
    before = change;
  }
  return did_not_converge(o, s, t, y0, h, error);
}

/* ---- the end of the step ---- */

/* p_1 of all coordinates that give way. */
static void find_end_momenta(fb_momentum_method* o, const fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++) o->p1[k] = o->p0[k] + h * (o->slope[k] + o->force[k]);
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double g[3];
    push3(o, k, g);
    fb_end_momentum3(h, o->v + k, o->mu + k, g, o->p1 + k);
  }
}

/* How far a base goes in a step: by its position, which the world's view of L then agrees with to round-off; but far
 * out, where positions are coarse, by its velocity. */
static void find_way(const double x0[3], const double x1[3], const double v[3], double h, double way[3]) {
  static const double FAR_OUT = 1000; /* [m] */
  int coarse = fabs(x0[0]) + fabs(x0[1]) + fabs(x0[2]) > FAR_OUT;
  for (int j = 0; j < 3; j++) way[j] = coarse ? h * v[j] : x1[j] - x0[j];
}

/* P and L of bases that float change by what comes from outside: in exact arithmetic the same as above. */
static void push_bases(fb_momentum_method* o, const fb_sim* s, double h, const double* q0, const double* q1,
                       const double* kept, double* kept_end) {
  for (int i = 0; i < s->nroot; i++) {
    int k = s->roots[i].v_at;
    const double *force = o->force + k, *arm = kept + s->nv + 3 * i;
    double *after = kept_end + k, *p = o->p1 + k, *arm_end = kept_end + s->nv + 3 * i;
    double way[3], middle[3], impulse[3];
    if (!floats(s, &s->roots[i])) continue;
    find_way(q0 + s->roots[i].q_at, q1 + s->roots[i].q_at, o->v + k, h, way);
    for (int j = 0; j < 3; j++) {
      impulse[j] = h * force[j];
      middle[j] = arm[j] + 0.5 * way[j];
      arm_end[j] = arm[j] + way[j];
    }
    for (int j = 0; j < 6; j++) after[j] = kept[k + j] + h * force[j];
    move_moment(middle, impulse, 1, after + 3);
    memcpy(p, after, 6 * sizeof *p);
    move_moment(arm_end, p, -1, p + 3);
  }
}

/* Forces that moved coordinates took, for the ledger: p' - w x p - g. */
static void find_moving_forces(fb_momentum_method* o, fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++)
    if (s->motion[k] != FB_MOTION_FORCE) s->tau[k] = (o->p1[k] - o->p0[k]) / h - o->slope[k] - o->force[k];
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double turning[3];
    cross3(o->v + k, o->mu + k, turning);
    for (int j = 0; j < 3; j++)
      if (s->motion[k + j] != FB_MOTION_FORCE) s->tau[k + j] -= turning[j];
  }
}

/* Moved coordinates: known velocities are those of v, or zero where coordinates give way. */
static void know(fb_momentum_method* o, const fb_sim* s, const double* v) {
  for (int k = 0; k < s->nv; k++) o->known[k] = s->motion[k] == FB_MOTION_FORCE ? 0 : v[k];
}

/* State, kept momenta and ledger at the end. */
static void finish(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h, const double* kept,
                   double* y1, double* kept_end) {
  double *v1 = fb_y_v(s, y1), *x1 = fb_y_x(s, y1), *z1 = fb_y_z(s, y1);
  memcpy(y1, y0, (size_t)s->ny * sizeof *y1);
  fb_integrate(s->m, y0, o->v, h, y1);
  for (int i = 0; i < s->nx; i++) x1[i] += h * o->x_rate[i];
  fb_flow_place(s, t + h, y1);
  if (s->head->nmoved > 0) know(o, s, v1);
  find_end_momenta(o, s, h);
  push_bases(o, s, h, y0, y1, kept, kept_end);
  find_velocities(o, s, y1, o->p1, v1);
  to_kept(o, s, o->p1, 0, kept_end);

  if (s->head->nmoved > 0) find_moving_forces(o, s, h);
  s->m->kernels->kinematics(s->m, s->d, o->y_mid, NULL, NULL);
  fb_flow_ledger(s, o->y_mid, o->z_rate);
  for (int i = 0; i < s->nz; i++) z1[i] += h * o->z_rate[i];
}

/* ---- where the iteration starts ---- */

/* The polynomial through past velocities; where it would magnify rounding, or nothing is past, the velocity at the
 * start of the step. */
static void guess(fb_momentum_method* o, const fb_sim* s, double t_mid, const double* v0) {
  static const double MUCH = 100;
  double weight[PAST], most = 0;
  for (int i = 0; i < o->npast; i++) {
    weight[i] = 1;
    for (int j = 0; j < o->npast; j++)
      if (j != i) weight[i] *= (t_mid - o->past_t[j]) / (o->past_t[i] - o->past_t[j]);
    most = fmax(most, fabs(weight[i]));
  }
  if (o->npast == 0 || !(most <= MUCH)) {
    memcpy(o->v, v0, (size_t)s->nv * sizeof *o->v);
    return;
  }
  memset(o->v, 0, (size_t)s->nv * sizeof *o->v);
  for (int i = 0; i < o->npast; i++)
    for (int k = 0; k < s->nv; k++) o->v[k] += weight[i] * o->past[i][k];
}

/* Moved coordinates go at their mean velocity. */
static void set_moved(fb_momentum_method* o, const fb_sim* s, double t, const double* q0, double h) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion[k] == FB_MOTION_FORCE) continue;
    double to = NAN;
    fb_motion_at(s, k, t + h, &to, &o->v[k], NULL);
    if (!isnan(to)) o->v[k] = (to - q0[s->chart.coordinate_q[k]]) / h;
  }
  know(o, s, o->v);
}

static fb_status step(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                      const double* kept, double* y1, double* kept_end, fb_error* error) {
  to_canonical(s, kept, o->p0);
  guess(o, s, t + 0.5 * h, y0 + s->nq);
  memset(o->given, 0, (size_t)s->nv * sizeof *o->given);
  if (s->nx > 0) memset(o->x_rate, 0, (size_t)s->nx * sizeof *o->x_rate);
  if (s->head->nmoved > 0) set_moved(o, s, t, y0, h);
  fb_status status = solve(o, s, t, y0, h, error);
  if (!status) finish(o, s, t, y0, h, kept, y1, kept_end);
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

/* The simulation went on from the end of the last step, from where an event cut it, or from somewhere else. */
static void take_over(fb_momentum_method* o, fb_sim* s) {
  if (!o->pending) return;
  o->pending = 0;
  int at_end = is_at(s, o->y_end), cut = !at_end && is_at(s, o->y_aside);
  if (!at_end && !cut) s->head->momentum_known = 0;
  if (!s->head->momentum_known) return;
  memcpy(s->momentum, at_end ? o->end : o->aside, kept_size(s));
  move_points(s, s->momentum);
  if (at_end) remember(o, s);
}

static void find_momentum(fb_momentum_method* o, fb_sim* s) {
  if (s->head->momentum_known) return;
  s->m->kernels->momenta(s->m, s->d, s->y, s->y + s->nq, o->p0, NULL);
  to_kept(o, s, o->p0, 1, s->momentum);
  s->head->momentum_known = 1;
}

static void reset(void* self, fb_sim* s) {
  fb_momentum_method* o = (fb_momentum_method*)self;
  if (s->t0 == s->head->t)
    o->pending = 0; /* started or restored: its momentum came with it, if it is known */
  take_over(o, s);
  o->npast = 0;
}

static fb_status advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  fb_momentum_method* o = (fb_momentum_method*)self;
  double t = s->head->t, h = t_limit - t;
  take_over(o, s);
  find_momentum(o, s);
  memcpy(o->start, s->momentum, kept_size(s));
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
  fb_status status = step(o, s, s->t0, s->y0, t - s->t0, o->start, y, o->aside, error);
  if (!status) memcpy(o->y_aside, y, (size_t)(s->nq + s->nv) * sizeof *y);
  return status;
}

/* ---- set-up ---- */

static void lay_out(fb_momentum_method* o, const fb_sim* s, fb_arena* a) {
  double** per_coordinate[] = {&o->v,     &o->v_before, &o->p0,    &o->p1,    &o->mu,
                               &o->slope, &o->force,    &o->given, &o->known, &o->v_end};
  size_t coordinates = (size_t)s->nv * sizeof(double);
  fb_arena_take(a, sizeof *o);
  for (size_t i = 0; i < sizeof per_coordinate / sizeof per_coordinate[0]; i++)
    *per_coordinate[i] = (double*)fb_arena_take(a, coordinates);
  for (int i = 0; i < PAST; i++) o->past[i] = (double*)fb_arena_take(a, coordinates);
  o->rest = (double*)fb_arena_take(a, coordinates + 3 * sizeof(double));
  o->y_mid = (double*)fb_arena_take(a, (size_t)s->ny * sizeof(double));
  o->y_end = (double*)fb_arena_take(a, (size_t)(s->nq + s->nv) * sizeof(double));
  o->y_aside = (double*)fb_arena_take(a, (size_t)(s->nq + s->nv) * sizeof(double));
  o->start = (double*)fb_arena_take(a, kept_size(s));
  o->end = (double*)fb_arena_take(a, kept_size(s));
  o->aside = (double*)fb_arena_take(a, kept_size(s));
  o->x_rate = (double*)fb_arena_take(a, (size_t)s->nx * sizeof(double));
  o->x_rate_before = (double*)fb_arena_take(a, (size_t)s->nx * sizeof(double));
  o->z_rate = (double*)fb_arena_take(a, (size_t)s->nz * sizeof(double));
  o->change = (double*)fb_arena_take(a, (size_t)s->m->top.nbody * sizeof(double));
  o->size = (double*)fb_arena_take(a, (size_t)s->m->top.nbody * sizeof(double));
  o->base = (int*)fb_arena_take(a, (size_t)s->nv * sizeof(int));
  o->root = (int*)fb_arena_take(a, (size_t)s->nv * sizeof(int));
}

static fb_status start(void* self, fb_sim* s, fb_error* error) {
  fb_momentum_method measure;
  fb_arena a = {0};
  free(self); /* of a start that failed */
  lay_out(&measure, s, &a);
  a = (fb_arena){(char*)aligned_alloc(FB_ALIGN, a.used), 0};
  fb_momentum_method* o = (fb_momentum_method*)(void*)a.base;
  s->stepper.self = o;
  if (!o) return fb_fail(error, FB_ERR_MEMORY, "no memory for the integrator");
  lay_out(&measure, s, &a);
  memset(a.base, 0, a.used);
  *o = measure;
  o->pending = o->npast = 0;
  for (int b = 1; b < s->m->top.nbody; b++)
    for (int i = 0; i < fb_joint_nv(s->m, b); i++) {
      o->base[fb_joint_v_at(s->m, b) + i] = fb_body_base(s->m, b);
      o->root[fb_joint_v_at(s->m, b) + i] = -1;
    }
  for (int i = 0; i < s->nroot; i++)
    for (int k = 0; k < 6; k++) o->root[s->roots[i].v_at + k] = i;
  return FB_OK;
}

fb_stepper fb_momentum_stepper(void) {
  return (fb_stepper){"momentum", NULL, start, reset, advance, at, free};
}
