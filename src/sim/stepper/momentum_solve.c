/* momentum_solve.c -- the middle of a step, and the iteration that finds its velocity
 *
 *   v <- H(q_mid)^-1 mu(v; p_0, g),   q_mid = q_0 + h/2 v,   g = dT/dq(q_mid, v) + forces
 *
 * until another iteration would change the last bits only. H^-1 is forward dynamics at rest. Floating trees are
 * solved in the frame of their centre of mass (momentum_frame.c), whose acceleration and the rates of the blocks'
 * states take part in the iteration. Cost: 3 to 6 iterations of about 1.6 forward dynamics. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "kernel/instances.h"
#include "math/vector3.h"
#include "sim/stepper/momentum_method.h"
#include "sim/stepper/momentum_rule.h"
#include "sim/flow.h"

enum { MAX_ITERATIONS = 50 };

/* ---- the middle ---- */

/* Forces that blocks, passive joints, gravity and wrenches exert at y_mid. Uniform gravity does nothing to the
 * attitude and joints of floating trees. */
static void find_forces(fb_momentum_method* o, fb_sim* s) {
  fb_loads outer = s->loads;
  outer.nwrench = s->wrench.count;
  outer.passive = 0;
  double* gravity_w = outer.environment.gravity_w;
  if (o->all_float) memset(gravity_w, 0, 3 * sizeof *gravity_w);
  if (outer.nwrench > 0 || s->has_field || !is_zero3(gravity_w)) {
    fb_gravity_compensation(s->m, s->d, o->y_mid, &outer, o->force);
    for (int k = 0; k < s->nv; k++) o->force[k] = -o->force[k];
  } else {
    memset(o->force, 0, (size_t)s->nv * sizeof *o->force);
  }
  if (s->d->par->has_passive[0] != 0 && s->loads.passive != 0) {
    fb_passive_forces(s->m, s->d, o->y_mid, fb_y_v(s, o->y_mid), s->loads.passive, s->total_tau);
    for (int k = 0; k < s->nv; k++) o->force[k] += s->total_tau[k];
  }
  if (s->options.friction_law == FB_FRICTION_STICTION)
    for (int k = 0; k < s->nv; k++) o->force[k] += s->limit.friction[k];
  for (int k = 0; s->limit.nsoft > 0 && k < s->nv; k++) o->force[k] += s->limit.stop_force[k];
  for (int k = 0; k < s->nv; k++)
    if (s->motion.of[k] == FB_MOTION_FORCE) o->force[k] += s->tau[k];
  fb_momentum_split_force(o, s);
}

/* Rotors have no gyroscopic moment of their own (armature adds to H alone): removes that of the rule. */
static void still_rotors(fb_momentum_method* o, const fb_sim* s) {
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    const double *w = o->v + k, *a = s->d->par->armature + k;
    const double spin[3] = {a[0] * w[0], a[1] * w[1], a[2] * w[2]};
    double moment[3];
    cross3(spin, w, moment);
    for (int j = 0; j < 3; j++) o->slope[k + j] += moment[j];
  }
}

void fb_momentum_turning_force(const fb_momentum_method* o, int k, double g[3]) {
  for (int j = 0; j < 3; j++) g[j] = o->slope[k + j] + o->force[k + j] + o->given[k + j];
}

/* mu(v). */
static void find_middle_momenta(fb_momentum_method* o, const fb_sim* s, double h) {
  for (int k = 0; k < s->nv; k++)
    o->mu[k] = fb_middle_momentum(h, o->p0[k], o->slope[k] + o->force[k] + o->given[k]);
  for (int i = 0; i < s->chart.nquat; i++) {
    int k = s->chart.quat_v[i];
    double g[3];
    fb_momentum_turning_force(o, k, g);
    fb_middle_momentum3(h, o->v + k, o->p0 + k, g, o->mu + k);
  }
}

/* Evaluates the middle of the step at the present velocity. placed: also the positions of bases, for blocks and the
 * ledger. */
static fb_status evaluate(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h, int placed,
                          fb_error* error) {
  memcpy(o->y_mid, y0, (size_t)s->ny * sizeof *o->y_mid);
  memcpy(fb_y_v(s, o->y_mid), o->v, (size_t)s->nv * sizeof *o->v);
  fb_integrate(s->m, y0, o->v, 0.5 * h, o->y_mid);
  s->m->kernels->momenta(&s->m->top, s->d->par, s->d, o->y_mid, o->v, o->mu, o->slope);
  still_rotors(o, s);
  fb_momentum_place_middle(o, s, h, placed);
  double* x = fb_y_x(s, o->y_mid);
  for (int i = 0; i < s->nx; i++) x[i] += 0.5 * h * o->x_rate[i];
  if (s->nx > 0) memcpy(o->x_rate_before, o->x_rate, (size_t)s->nx * sizeof *o->x_rate);
  fb_status status = fb_flow_drive(s, t + 0.5 * h, o->y_mid, o->x_rate, error);
  if (status) return status;
  s->head->evaluations++;
  find_forces(o, s);
  find_middle_momenta(o, s, h);
  return FB_OK;
}

void fb_momentum_find_velocities(fb_momentum_method* o, fb_sim* s, const double* q, double* p, double* v) {
  const fb_kernels* kernels = s->m->kernels;
  const fb_topology* top = &s->m->top;
  const fb_parameters* par = s->d->par;
  int moved = s->motion.head->nmoved != 0;
  kernels->outward(top, par, s->d, NULL, q, o->rest, moved ? o->known : NULL);
  if (moved)
    kernels->mixed(top, par, s->d, NULL, p, o->known, s->motion.prescribed, v, p);
  else
    kernels->aba(top, par, s->d, NULL, p, v);
}

/* ---- the iteration ---- */

/* The unknowns of the iteration: velocities, accelerations of centres of mass, rates of the blocks' states. */
enum { SPEEDS, DRIFT, STATES, KINDS };

/* Per tree: squares of the last change of its speeds, weighted by the pivots of the solution, and of the size of its
 * speeds and of the forces on its centre of mass. Drift itself does not count. */
static void sum_changes(fb_momentum_method* o, const fb_sim* s, double h) {
  size_t size = (size_t)s->m->top.nbody * sizeof(double);
  memset(o->change, 0, size);
  memset(o->change_drift, 0, size);
  memset(o->size, 0, size);
  for (int k = 0; k < s->nv; k++) {
    double dv = o->v[k] - o->v_before[k], weight = 1 / s->d->D[k];
    o->change[o->base[k]] += weight * dv * dv;
    o->size[o->base[k]] += weight * o->v[k] * o->v[k];
  }
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    int base = s->tree.roots[i].body;
    for (int k = t->v_at; k < t->v_at + 3; k++) {
      double dv = 0.5 * h * o->com_a[k], ddv = 0.5 * h * (o->com_a[k] - o->com_a_before[k]);
      o->change_drift[base] += t->mass * ddv * ddv;
      o->size[base] += t->mass * dv * dv;
    }
  }
}

/* The larger, or NaN when one of them is. */
static double worse(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

/* The relative change of the last iteration: the largest of all trees, and of the blocks' states. */
static void find_changes(fb_momentum_method* o, const fb_sim* s, double h, double change[KINDS]) {
  const double* x = o->y_mid + s->nq + s->nv;
  double most = 0;
  memset(change, 0, KINDS * sizeof *change);
  sum_changes(o, s, h);
  for (int b = 1; b < s->m->top.nbody; b++) {
    if (o->change[b] != 0) change[SPEEDS] = worse(change[SPEEDS], sqrt(o->change[b] / o->size[b]));
    if (o->change_drift[b] != 0) change[DRIFT] = worse(change[DRIFT], sqrt(o->change_drift[b] / o->size[b]));
  }
  for (int i = 0; i < s->nx; i++) {
    change[STATES] = worse(change[STATES], fabs(0.5 * h * (o->x_rate[i] - o->x_rate_before[i])));
    most = fmax(most, fabs(x[i]));
  }
  if (change[STATES] != 0) change[STATES] /= most;
}

/* The next change is predicted from the last two of the same kind. */
static int is_last(double change, double before) {
  static const double ROUND_OFF = 0x1p-53;
  return change <= ROUND_OFF || (!isinf(before) && change * change <= ROUND_OFF * before);
}

/* The possible effect, through blocks, of the rounding of a base's position and velocity on its tree's speeds: far
 * from the origin it is large. */
static double rounding_seen(const fb_momentum_method* o, const fb_sim* s, double h) {
  static const double FEW_BITS = 0x1p-48;
  double most = 0;
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    double seen = (norm3(o->y_mid + t->q_at) + norm3(t->arm)) / h + norm3(fb_y_v(s, o->y_mid) + t->v_at);
    if (t->floats) most = worse(most, FEW_BITS * seen * sqrt(t->mass / o->size[s->tree.roots[i].body]));
  }
  return most;
}

/* Whether another iteration would change the last bits only: this one changed nothing, the next one will not, or only
 * rounding still changes. */
static int converged(const double change[KINDS], const double before[KINDS], double rounding) {
  double most = 0, most_before = 0;
  int last = 1;
  for (int i = 0; i < KINDS; i++) {
    last &= is_last(change[i], before[i]);
    most = worse(most, change[i]);
    most_before = worse(most_before, before[i]);
  }
  return last || (most <= rounding && most >= most_before);
}

static int is_hopeless(const double change[KINDS], double rounding) {
  static const double MUCH = 0.5;
  for (int i = 0; i < KINDS; i++)
    if (!(change[i] < fmax(MUCH, rounding))) return 1;
  return 0;
}

/* Forces on coordinate k, without regard to their signs: forces that cancel leave their rounding. */
static double gross_force(const fb_momentum_method* o, const fb_sim* s, int k) {
  return fabs(o->force[k]) + fabs(s->tau[k]) + fabs(o->slope[k]);
}

/* A change of speed too small to change q in the middle of the step, and so springs and laws. */
static double hidden_speed(const fb_momentum_method* o, const fb_sim* s, int k, double h) {
  int at = s->m->top.coordinate_q[k];
  if (s->chart.is_free[k]) return 0; /* rounding_seen */
  return (at >= 0 ? fabs(o->y_mid[at]) : 1) / h;
}

/* Whether the last iteration changed no more than the rounding of positions and forces does. A joint that settles
 * under a load, or at the target of a law, has almost no speed to compare with. Used only where the iteration would
 * fail otherwise. */
static int is_rounding_at_rest(fb_momentum_method* o, const fb_sim* s, double h, const double change[KINDS]) {
  static const double FEW_BITS = 0x1p-48, SMALL = 1e-9;
  memset(o->size, 0, (size_t)s->m->top.nbody * sizeof(double));
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] != FB_MOTION_FORCE) continue;
    double ease = s->d->D[k], dv = 0.5 * h * ease * gross_force(o, s, k) + hidden_speed(o, s, k, h);
    o->size[o->base[k]] += FEW_BITS * dv * (FEW_BITS * dv) / ease;
  }
  for (int b = 1; b < s->m->top.nbody; b++)
    if (!(o->change[b] + o->change_drift[b] <= o->size[b])) return 0;
  return change[STATES] <= SMALL;
}

/* A joint that moves nothing where the step begins, or a step that is too long. */
static fb_status did_not_converge(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                                  int iterations, fb_error* error) {
  fb_error pivot;
  fb_momentum_find_velocities(o, s, y0, o->p0, o->p1);
  if (fb_model_check_pivots(s->m, s->d, &pivot))
    return fb_fail(error, FB_ERR_NO_SOLUTION, "after t = %.9g s: %s", t, pivot.text);
  int worst = 0;
  double most = -1;
  for (int b = 1; b < s->m->top.nbody; b++)
    for (int i = 0; i < fb_joint_nv(s->m, b); i++) {
      int k = fb_joint_v_index(s->m, b) + i;
      double off = fabs(o->v[k] - o->v_before[k]) / sqrt(fabs(s->d->D[k]));
      if (off <= most || isnan(most)) continue; /* NaN is the worst */
      most = off;
      worst = b;
    }
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the momentum method's step of %.3g s did not converge after %d iterations; "
                 "joint \"%s\" changes most; shorten the step, or soften what acts on that joint",
                 t, h, iterations, fb_joint_name(s->m, worst));
}

fb_status fb_momentum_solve(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                            fb_error* error) {
  static const double SMALL = 1e-9;
  double before[KINDS] = {INFINITY, INFINITY, INFINITY}, change[KINDS];
  int iterations = 0;
  while (iterations < MAX_ITERATIONS) {
    fb_status status = evaluate(o, s, t, y0, h, s->block.count > 0 || s->has_field, error);
    if (status) return status;
    memcpy(o->v_before, o->v, (size_t)s->nv * sizeof *o->v);
    if (s->motion.head->nmoved > 0) memcpy(o->p1, o->mu, (size_t)s->nv * sizeof *o->mu);
    fb_momentum_find_velocities(o, s, o->y_mid, o->mu, o->v);
    /* Forces of moved coordinates, from the missing part of mu: they turn the momenta of the attitude that they belong to. */
    for (int k = 0; s->motion.head->nmoved > 0 && k < s->nv; k++)
      if (s->motion.of[k] != FB_MOTION_FORCE) o->given[k] += 2 / h * (o->mu[k] - o->p1[k]);
    iterations++;
    find_changes(o, s, h, change);
    int late = iterations > 8;
    double rounding = late && s->block.count > 0 ? fmax(SMALL, rounding_seen(o, s, h)) : SMALL;
    if (converged(change, before, rounding)) return evaluate(o, s, t, y0, h, 1, error);
    if (late && is_hopeless(change, rounding)) break;
    memcpy(before, change, sizeof change);
  }
  if (is_rounding_at_rest(o, s, h, change)) return evaluate(o, s, t, y0, h, 1, error);
  return did_not_converge(o, s, t, y0, h, iterations, error);
}
