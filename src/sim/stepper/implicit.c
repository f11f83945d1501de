/* implicit.c -- a linearly implicit midpoint rule for stiff joints, of second order
 *
 *   k_1 = f(y_0) + g A k_1
 *   k_2 = f(y_0 + h/2 k_1) + g A (k_2 - k_1)         g = gamma h,  gamma = 1 - 1/sqrt(2)
 *   y_1 = y_0 + h k_2
 *
 * A is the part of the Jacobian that makes a joint stiff: q' = v, and the slopes of springs, dampers, friction and
 * declared gains, all of them diagonal (slopes.c). Written out, a stage is one forward dynamics whose pivots are larger:
 *
 *   (H + g D + g^2 K) k_1v = F(q_0, v_0) - g K v_0                            k_1q = v_0 + g k_1v
 *   (H + g D + g^2 K) k_2v = F(q_m, v_m) + g (D + (2 g - h/2) K) k_1v         k_2q = v_m + g (k_2v - k_1v)
 *
 * so D and K join the armature, nothing is factored, and the cost is O(n): two forward dynamics a step.
 * Second order for any A, also when its two values differ, because A enters y_1 only by k_2 - k_1 = O(h). Where A is the
 * whole stiffness, the step is L-stable for this gamma; where forces have no slope in A, its determinant is 1 for a
 * linear oscillator, so a pendulum keeps its energy. [Verwer 1999], [Hairer 1996] IV.7; docs/theory/implicit.md.
 *
 * Friction, f tanh(v / v_s), is stiff near rest and flat away from it. It counts by its secant, f tanh(v / v_s) / v,
 * which brings a joint to rest where the tangent would overshoot; by the tangent where the joint gains speed, so
 * that it can break away; and where it would come to rest within the step, as a damper of the first secant
 * throughout.
 *
 * The ledger has the forces that the step applied, at the slopes' end, times the mean of the velocities at both ends:
 * with constant H the kinetic energy changes by just that, however stiff the dampers are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "kernel/instances.h"
#include "ledger/conserve.h"
#include "sim/stepper/extrapolation.h"
#include "sim/stepper/runge_kutta.h"
#include "sim/flow.h"

static const double GAMMA = 0.29289321881345247559915564; /* 1 - 1/sqrt(2) */

typedef struct friction_slope {
  double slope; /* counts in the damping */
  double less;  /* the part of the friction at y_m that the step leaves out */
} friction_slope;

typedef struct implicit {
  fb_parameters* lifted;      /* the simulation's, D and K of the stage added to the armature */
  fb_slopes passive, blocks;  /* at the stage last evaluated */
  friction_slope* friction;   /* [nv] likewise */
  double* more;               /* [nv] terms of the right side that are no forces */
  double* u;                  /* [nv] the velocity by which q moves */
  double* loss;               /* [nv] forces of dampers and friction over the step */
  unsigned char* compensated; /* [nv] by laws: no slopes */
  double* room;               /* for error control */
  fb_extrapolation extrapolation;
} implicit;

static double loss_slope(const implicit* o, int k) {
  return o->passive.damping[k] + o->friction[k].slope;
}

static double damping(const implicit* o, int k) {
  return loss_slope(o, k) + o->blocks.damping[k];
}

static double stiffness(const implicit* o, int k) {
  return o->passive.stiffness[k] + o->blocks.stiffness[k];
}

/* ---- friction ---- */

static double secant(double level, double speed, double v) {
  double x = fabs(v) / speed;
  return x < 1e-4 ? level / speed : level * tanh(x) / fabs(v);
}

static double tangent(double level, double speed, double v) {
  double c = cosh(fmin(fabs(v) / speed, 300));
  return level / speed / (c * c);
}

/* Of one coordinate, at v_m, with v_0 the velocity at the start of the step and k_1v its acceleration; at v_0 when
 * v_m is NULL. */
static friction_slope friction_of(double level, double speed, double v0, const double* v_mid, double k1v) {
  double first = secant(level, speed, v0);
  if (!v_mid) return (friction_slope){first, 0};
  double v = *v_mid;
  if (k1v * v0 >= 0) return (friction_slope){tangent(level, speed, v), 0};
  if (v * v0 > 0 && fabs(v) >= 0.5 * fabs(v0)) return (friction_slope){secant(level, speed, v), 0};
  return (friction_slope){first, level * tanh(v / speed) - first * v};
}

static void find_friction(implicit* o, const fb_sim* s, const double* v0, const double* v_mid,
                          const double* k1v) {
  const fb_parameters* par = s->d->par;
  int moved = fb_sim_moves_any(s);
  memset(o->friction, 0, (size_t)s->nv * sizeof *o->friction);
  if (par->has_passive[0] == 0 || !(s->loads.passive & FB_PASSIVE_FRICTION)) return;
  for (int k = 0; k < s->nv; k++)
    if (par->friction[k] > 0 && !s->chart.is_free[k] && !(moved && s->motion.prescribed[k]))
      o->friction[k] = friction_of(par->friction[k], par->friction_speed[k], v0[k], v_mid ? &v_mid[k] : NULL,
                                   v_mid ? k1v[k] : 0);
}

/* ---- the stages ---- */

/* The slopes at y, on the diagonal; those of friction are known. A law that cancels a damper leaves no slope: with
 * that of only one of the two the joint would lag. */
static void lift(implicit* o, fb_sim* s, double t, const double* y, double g) {
  const double* armature = s->d->par->armature;
  fb_slopes_compensated(s, t, y, o->compensated);
  fb_slopes_passive(s, o->compensated, &o->passive);
  fb_slopes_blocks(s, t, y, &o->blocks);
  for (int k = 0; k < s->nv; k++)
    if (o->compensated[k]) o->friction[k] = (friction_slope){0, 0};
  for (int k = 0; k < s->nv; k++)
    o->lifted->armature[k] = armature[k] + g * (damping(o, k) + g * stiffness(o, k));
}

/* The accelerations of a stage, `more` included, into k; s->tau are the actuators' forces there. */
static void accelerate(implicit* o, fb_sim* s, const double* y, double* k) {
  const fb_parameters* saved = s->d->par;
  s->d->par = o->lifted;
  fb_flow_accelerate(s, y, o->more);
  s->d->par = saved;
  memcpy(fb_y_v(s, k), s->vdot, (size_t)s->nv * sizeof *k);
}

static fb_status first_stage(implicit* o, fb_sim* s, double t, const double* y0, double h, fb_error* error) {
  double *k1 = fb_stage(s, 0), g = GAMMA * h;
  const double *v0 = y0 + s->nq, *k1v = fb_y_v(s, k1);
  fb_status status = fb_flow_drive(s, t, y0, fb_y_x(s, k1), error);
  if (status) return status;
  find_friction(o, s, v0, NULL, NULL);
  lift(o, s, t, y0, g);
  for (int k = 0; k < s->nv; k++) o->more[k] = -g * stiffness(o, k) * v0[k];
  accelerate(o, s, y0, k1);
  for (int k = 0; k < s->nv; k++) o->u[k] = v0[k] + g * k1v[k];
  fb_stage_q_rate(s, FB_CHART_ROTATION, y0, o->u, NULL, k1);
  return FB_OK;
}

/* At y_m in s->y_stage. */
static fb_status second_stage(implicit* o, fb_sim* s, double t_mid, const double* v0, double h,
                              fb_error* error) {
  double *k1 = fb_stage(s, 0), *k2 = fb_stage(s, 1), g = GAMMA * h;
  const double *v_mid = s->y_stage + s->nq, *k1v = fb_y_v(s, k1), *k2v = fb_y_v(s, k2);
  fb_status status = fb_flow_drive(s, t_mid, s->y_stage, fb_y_x(s, k2), error);
  if (status) return status;
  find_friction(o, s, v0, v_mid, k1v);
  lift(o, s, t_mid, s->y_stage, g);
  for (int k = 0; k < s->nv; k++)
    o->more[k] = g * (damping(o, k) + (2 * g - h / 2) * stiffness(o, k)) * k1v[k] + o->friction[k].less;
  accelerate(o, s, s->y_stage, k2);
  for (int k = 0; k < s->nv; k++) o->u[k] = v_mid[k] + g * (k2v[k] - k1v[k]);
  fb_stage_q_rate(s, FB_CHART_ROTATION, s->y_stage, o->u, s->chart.xi, k2);
  return FB_OK;
}

/* The remainder of a force that the slopes cancel is rounding: set to zero. */
static double sum_of(double force, double a, double b) {
  static const double ROUNDING = 1e-13;
  double sum = force + a + b;
  return fabs(sum) > ROUNDING * (fabs(force) + fabs(a) + fabs(b)) ? sum : 0;
}

/* The forces that moved the robot in this step: those at y_m, and what the slopes added to them. */
static void find_step_forces(implicit* o, fb_sim* s, double h) {
  const double *k1v = fb_y_v(s, fb_stage(s, 0)), *k2v = fb_y_v(s, fb_stage(s, 1));
  double g = GAMMA * h;
  fb_passive_forces(s->m, s->d, s->y_stage, s->y_stage + s->nq,
                    s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION), o->loss);
  for (int k = 0; k < s->nv; k++) {
    double change = k1v[k] - k2v[k], bend = (2 * g - h / 2) * k1v[k] - g * k2v[k];
    s->tau[k] = sum_of(s->tau[k], g * o->blocks.damping[k] * change, g * o->blocks.stiffness[k] * bend);
    o->loss[k] = sum_of(o->loss[k], g * loss_slope(o, k) * change, o->friction[k].less);
  }
}

/* z_1; y_stage becomes the point at which powers are taken. */
static void enter(implicit* o, fb_sim* s, const double* y0, double h, double* y1) {
  double *mid = s->y_stage, *z1 = fb_y_z(s, y1), *rate = fb_y_z(s, fb_stage(s, 1));
  if (s->error.aside && s->tree.nfloat == 0) { /* momenta of floating trees are those of the ledger */
    memcpy(z1, y0 + s->nq + s->nv + s->nx, (size_t)s->nz * sizeof *z1);
    return;
  }
  find_step_forces(o, s, h);
  for (int k = s->nq; k < s->nq + s->nv; k++) mid[k] = 0.5 * (y0[k] + y1[k]);
  if (s->tree.nfloat > 0) s->m->kernels->kinematics(&s->m->top, s->d->par, s->d, mid, mid + s->nq, NULL);
  s->ledger.loss = o->loss;
  fb_flow_ledger(s, mid, rate);
  s->ledger.loss = NULL;
  fb_conserve_middle(s, mid, rate);
  memcpy(z1, y0 + s->nq + s->nv + s->nx, (size_t)s->nz * sizeof *z1);
  for (int i = 0; i < s->nz; i++) z1[i] += h * rate[i];
}

static fb_status step(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                      fb_error* error) {
  static const double HALF = 0.5, LAST[] = {0, 1};
  implicit* o = (implicit*)self;
  int motion = s->nq + s->nv + s->nx;
  fb_status status = first_stage(o, s, t, y0, h, error);
  if (status) return status;
  fb_conserve_begin(s, y0);
  fb_stage_combine(s, FB_CHART_ROTATION, y0, h, &HALF, 1, motion, s->y_stage, s->chart.xi);
  fb_flow_place(s, t + h / 2, s->y_stage);
  status = second_stage(o, s, t + h / 2, y0 + s->nq, h, error);
  if (status) return status;
  fb_stage_combine(s, FB_CHART_ROTATION, y0, h, LAST, 2, motion, y1, s->chart.xi);
  fb_flow_place(s, t + h, y1);
  enter(o, s, y0, h, y1);
  fb_flow_close(s, t + h, y1);
  fb_conserve_end(s, h, y0, y1);
  return FB_OK;
}

/* ---- the stepper ---- */

static void implicit_free(void* self) {
  implicit* o = (implicit*)self;
  if (!o) return;
  fb_parameters_free(o->lifted);
  free(o->friction);
  free(o->compensated);
  free(o->more);
  free(o->room);
  free(o);
}

static fb_status start(void* self, fb_sim* s, fb_error* error) {
  (void)self;
  size_t nv = (size_t)s->nv;
  implicit* o = calloc(1, sizeof *o);
  if (o) o->lifted = fb_parameters_copy(s->d->par);
  if (o) o->more = calloc(7 * nv + 1, sizeof *o->more);
  if (o) o->friction = calloc(nv + 1, sizeof *o->friction);
  if (o) o->compensated = calloc(nv + 1, 1);
  if (o) o->room = calloc((size_t)FB_EXTRAPOLATION_ROOM * (size_t)s->ny + 1, sizeof *o->room);
  if (!o || !o->lifted || !o->more || !o->friction || !o->compensated || !o->room) {
    implicit_free(o);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for the integrator");
  }
  o->u = o->more + nv;
  o->loss = o->u + nv;
  o->passive = (fb_slopes){o->loss + nv, o->loss + 2 * nv};
  o->blocks = (fb_slopes){o->loss + 3 * nv, o->loss + 4 * nv};
  s->stepper.self = o;
  fb_extrapolation_start(&o->extrapolation, s, (fb_growth_map){step, o}, o->lifted, o->room);
  return FB_OK;
}

static fb_status advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  if (s->stepper.traits.adaptive)
    return fb_extrapolation_advance(&((implicit*)self)->extrapolation, s, t_limit, t_next, y_next, error);
  *t_next = t_limit;
  return step(self, s, s->head->t, s->y, t_limit - s->head->t, y_next, error);
}

/* A shorter step from the same start. */
static fb_status at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  if (s->stepper.traits.adaptive)
    return fb_extrapolation_at(&((implicit*)self)->extrapolation, s, t, y, error);
  return step(self, s, s->step.t0, s->y0, t - s->step.t0, y, error);
}

fb_stepper fb_stepper_implicit(void) {
  return (fb_stepper){.start = start, .step = advance, .eval = at, .free = implicit_free};
}
