/* failure.c -- why a step failed: the law, the field or the joint that caused it
 *
 * Numbers that are not finite have one of four causes, tested in this order:
 *   1. a block gave them: the step is repeated, and every block is checked
 *   2. a gravity field gave them
 *   3. a joint moves no inertia: a pivot vanishes at the start of the step
 *   4. the step is too long for something stiff. A diverging motion soon spreads to all bodies, most to the floating
 *      base; so the slopes of all dampers, springs, friction, elements and laws are compared at the last state that was still
 *      ordinary, each with the inertia that its joint moves, and the fastest is named. If none is fast, it is the motion
 *      itself. A law of a frame whose joints are near a singular pose is named with that (singular.c): shorter steps do not help. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "dynamics/loads.h"
#include "dynamics/pivots.h"
#include "math/array.h"
#include "sim/diagnosis/diagnosis.h"
#include "element/element.h"
#include "contact/dynamics/hard_contact.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

int fb_sim_is_finite(const fb_sim* s, const double* y) {
  return fb_array_is_finite(y, s->nq + s->nv + s->nx);
}

/* ---- 1. blocks ---- */

/* States of a motion that has not diverged yet: a law is not the cause of what follows from others. */
static int is_ordinary(const double* x, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) < 1e12)) return 0;
  return 1;
}

/* A plausible force or acceleration; 1e100 is none, and its square overflows. */
static int is_bounded(double x) {
  return fabs(x) < 1e100;
}

fb_status fb_failure_watch(fb_sim* s, const fb_block* block, const fb_context* context,
                           const fb_action* action, int first_wrench, const double* rates, fb_error* error) {
  if (!is_ordinary(context->q, s->nq) || !is_ordinary(context->v, s->nv)) return FB_OK;
  for (int k = 0; k < s->nv; k++) {
    int moves = block->moves && action->moved[k];
    double given = moves ? action->vdot[k] : action->tau[k];
    if (is_bounded(given)) continue;
    s->failure.watching = 2;
    return fb_fail(error, FB_ERR_NOT_FINITE, "it gives joint \"%s\" %s of %g; %s",
                   fb_coordinate_joint_name(s->m, k), moves ? "an acceleration" : "a force", given,
                   isfinite(given) ? "that is beyond what can be computed with"
                                   : "look for a division by zero or the root of a negative number");
  }
  for (int w = first_wrench; w < action->nwrench; w++)
    for (int i = 0; i < 3; i++)
      if (!is_bounded(action->wrenches[w].force[i]) || !is_bounded(action->wrenches[w].torque[i])) {
        s->failure.watching = 2;
        return fb_fail(error, FB_ERR_NOT_FINITE,
                       "it gives a wrench on \"%s\" that is not finite, or beyond 1e100",
                       fb_frame_name(s->m, action->wrenches[w].frame));
      }
  for (int i = 0; i < block->nstate; i++)
    if (!isfinite(rates[i])) {
      s->failure.watching = 2;
      return fb_fail(error, FB_ERR_NOT_FINITE, "it gives its state %d a rate of %g", i, rates[i]);
    }
  return FB_OK;
}

/* Repeats the step and checks its blocks. 1: one of them is the cause, and error says which. */
static int is_by_block(fb_sim* s, double limit, fb_status* status, fb_error* error) {
  static const double LONGER =
      10; /* than a step that is too short to be tried: about the last one that was */
  double t1 = limit, *next = &s->error.head->step_next;
  if (*next < fb_time_slack(s->step.t0)) *next *= LONGER;
  s->failure.watching = 1;
  if (s->stepper.reset) s->stepper.reset(s->stepper.self, s);
  fb_status found = s->stepper.step(s->stepper.self, s, limit, &t1, s->y1, error);
  int guilty = s->failure.watching == 2 && found;
  s->failure.watching = 0;
  if (guilty) *status = found;
  return guilty;
}

/* ---- 2. fields ---- */

/* Whether the field on a body is not finite at t; d holds the poses. */
static int is_hole(fb_sim* s, const fb_data* d, double t, int body, fb_error* error) {
  double push[6];
  fb_body_field(s->m, d, &s->loads.environment, t, body, push);
  for (int i = 0; i < 6; i++)
    if (!isfinite(push[i])) {
      fb_fail(error, FB_ERR_NOT_FINITE, "at t = %.9g s the gravity field gives %g on body \"%s\"", t, push[i],
              fb_body_name(s->m, body));
      return 1;
    }
  return 0;
}

/* From where the step began, at both of its times. */
static int is_by_field(fb_sim* s, double limit, fb_error* error) {
  if (!s->has_field || !is_ordinary(s->y0, s->nq + s->nv)) return 0;
  const fb_data* d = fb_sim_kinematics_at(s, s->y0);
  for (int b = 1; b < s->m->top.nbody; b++)
    if (is_hole(s, d, s->step.t0, b, error) || is_hole(s, d, limit, b, error)) return 1;
  return 0;
}

/* ---- 3. pivots ---- */

static int is_by_pivot(fb_sim* s, fb_error* error) {
  fb_error idle;
  double pivot;
  if (!is_ordinary(s->y0, s->nq + s->nv) || fb_flow(s, s->step.t0, s->y0, s->y_probe, NULL)) return 0;
  if (fb_pivots_find_idle(s->m, s->d, &pivot) == FB_WORLD || isnan(pivot))
    return 0; /* a diverged state, whose pivots are not numbers, gives no information */
  fb_model_check_pivots(s->m, s->d, &idle);
  fb_fail(error, FB_ERR_NO_SOLUTION, "after t = %.9g s: %s", s->step.t0, idle.text);
  return 1;
}

/* ---- 4. stiffness ---- */

/* Joint speeds at which the motion does not yet look divergent. */
void fb_failure_remember(fb_sim* s) {
  static const double FAST = 1e3;
  const double* v = s->y + s->nq;
  for (int k = 0; k < s->nv; k++)
    if (!s->chart.is_free[k] && !(fabs(v[k]) < FAST)) return;
  memcpy(s->failure.y_ordinary, s->y, (size_t)(s->nq + s->nv + s->nx) * sizeof *s->y);
  s->failure.t_ordinary = s->head->t;
}

typedef struct culprit {
  const char* what; /* "damper"; NULL: a law's */
  const char* law;
  int coordinate; /* -1: none */
  double rate;    /* by which its force moves the coordinate [1/s] */
} culprit;

static void add_suspect(culprit* c, const char* what, const char* law, int k, double rate) {
  if (rate > c->rate) *c = (culprit){what, law, k, rate};
}

/* The inverse inertia of one coordinate when all others follow: 0 when it is moved. The pivots of fb_response_begin
 * are in s->d. */
static double mobility(const fb_sim* s, int k) {
  return s->motion.of[k] == FB_MOTION_FORCE && !s->motion.by_block[k] ? fmax(0, s->d->D[k]) : 0;
}

static void accuse_passive(fb_sim* s, culprit* c) {
  const fb_parameters* par = s->d->par;
  int kinds = s->loads.passive;
  for (int k = 0; k < s->nv; k++) {
    double v = fabs(s->failure.y_ordinary[s->nq + k]), ease = mobility(s, k),
           speed = fmax(v, par->friction_speed[k]);
    if (kinds & FB_PASSIVE_SPRINGS)
      add_suspect(c, "spring", NULL, k, sqrt(fmax(0, par->stiffness[k]) * ease));
    if (kinds & FB_PASSIVE_DAMPERS) add_suspect(c, "damper", NULL, k, par->damping[k] * ease);
    if (kinds & FB_PASSIVE_FRICTION) add_suspect(c, "friction", NULL, k, par->friction[k] / speed * ease);
  }
}

/* Soft stops that are active where the motion fails. */
static void accuse_soft_stops(const fb_sim* s, culprit* c) {
  for (int i = 0; s->limit.nsoft > 0 && i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (s->limit.stop_phase[i] == FB_STOP_CLEAR) continue;
    double ease = mobility(s, l->coordinate);
    add_suspect(c, "soft stop", NULL, l->coordinate, fmax(sqrt(l->stiffness * ease), l->damping * ease));
  }
}

static void accuse_pairs(fb_sim* s, culprit* c) {
  for (int i = 0; i < s->element.count; i++) {
    const fb_block* block = &s->block.list[s->element.block[i]];
    int k;
    double rate =
        fb_pair_rate(s->m, s->d, NULL, fb_pair_of(block),
                     s->block.memory + s->block.memory_offset[s->element.block[i]], s->total_tau, &k);
    add_suspect(c, NULL, block->name, k, rate);
  }
}

/* Its slopes by differences, coordinate by coordinate. Blocks use s->d, so the inverse inertias are computed before,
 * in ease. */
static void accuse_block(fb_sim* s, int i, const double* ease, culprit* c) {
  static const double SMALL = 1e-6;
  double *y = s->probe.y_root, *before = s->total_tau, *after = s->tau;
  memcpy(y, s->failure.y_ordinary, (size_t)(s->nq + s->nv + s->nx) * sizeof *y);
  if (!fb_probe_forces(s, i, s->failure.t_ordinary, y, before, s->vdot)) return;
  for (int k = 0; k < s->nv; k++) {
    int at[2] = {s->nq + k, s->m->top.coordinate_q[k]};
    for (int spring = 0; spring < 2 && at[spring] >= 0; spring++) {
      double was = y[at[spring]], by = SMALL * (1 + fabs(was));
      y[at[spring]] = was + by;
      double slope = fb_probe_forces(s, i, s->failure.t_ordinary, y, after, s->vdot)
                         ? fabs(after[k] - before[k]) / by
                         : 0;
      y[at[spring]] = was;
      add_suspect(c, NULL, s->block.list[i].name, k, spring ? sqrt(slope * ease[k]) : slope * ease[k]);
    }
  }
}

static culprit find_culprit(fb_sim* s) {
  culprit c = {NULL, NULL, -1, 0};
  fb_kinematics(s->m, s->d, s->failure.y_ordinary, NULL, NULL);
  fb_response_begin(s->m, s->d, s->failure.y_ordinary, NULL);
  accuse_passive(s, &c);
  accuse_soft_stops(s, &c);
  accuse_pairs(s, &c);
  for (int k = 0; k < s->nv; k++) s->ledger.local_v[k] = mobility(s, k);
  for (int i = 0; i < s->block.count; i++)
    if (s->block.list[i].act && fb_block_acts(s, i)) accuse_block(s, i, s->ledger.local_v, &c);
  return c;
}

/* "10 ms", "0.37 ms". */
static const char* time_text(double seconds, char buffer[32]) {
  int micro = seconds < 1e-4;
  snprintf(buffer, 32, "%.3g %s", seconds * (micro ? 1e6 : 1e3), micro ? "us" : "ms");
  return buffer;
}

/* The coordinate of the same joint that moves fastest. */
static int fastest_beside(const fb_sim* s, int coordinate) {
  const double* v = s->y0 + s->nq;
  int body = fb_coordinate_body(s->m, coordinate), first = fb_joint_v_index(s->m, body), fastest = coordinate;
  for (int k = first; k < first + fb_joint_nv(s->m, body); k++)
    if (fabs(v[k]) > fabs(v[fastest])) fastest = k;
  return fastest;
}

static fb_status say_stiff(fb_sim* s, double h, const culprit* c, fb_error* error) {
  char force[96], time[32], fast[32];
  int k = fastest_beside(s, c->coordinate), implicit = s->stepper.traits.takes_slopes;
  const fb_block* block = c->law ? &s->block.list[fb_sim_find_block(s, c->law)] : NULL;
  int element = block && fb_block_is(block, &FB_BLOCK_ELEMENT),
      contact = block && fb_block_is_contact(block); /* implicit does not know elements */
  if (c->law)
    snprintf(force, sizeof force, "%s \"%.60s\"", element ? "element" : "block", c->law);
  else
    snprintf(force, sizeof force, "its %s", c->what);
  return fb_fail(error, FB_ERR_NOT_FINITE,
                 "after t = %.9g s joint \"%s\" moves without bound, at %.3g %s: a step of %s is too long "
                 "for %s, which acts within %s; use %sa shorter step%s",
                 s->step.t0, fb_coordinate_joint_name(s->m, k), s->y0[s->nq + k],
                 s->chart.is_length[k] ? "m/s" : "rad/s", time_text(h, time), force,
                 time_text(1 / c->rate, fast),
                 s->contact.hard       ? "" /* neither takes hard contacts */
                 : implicit || element ? "cvode, or "
                                       : "the methods implicit or cvode, or ",
                 element   ? ""
                 : contact ? ", or a softer contact"
                 : c->law  ? ", or smaller gains"
                           : "");
}

/* With fixed steps a joint has exceeded any plausible speed before: further failures follow from it. */
static int has_grown(const fb_sim* s) {
  static const double BEYOND = 1e6;
  int beyond = 0;
  for (int k = 0; k < s->nv; k++) beyond |= !s->chart.is_free[k] && !(fabs(s->y0[s->nq + k]) < BEYOND);
  return beyond && s->failure.t_ordinary < s->step.t0 && !s->stepper.traits.adaptive;
}

/* Nothing is stiff: it turns too fast. */
static fb_status say_fast(fb_sim* s, double h, fb_error* error) {
  const double* v = s->y0 + s->nq;
  int fastest = 0;
  for (int k = 1; k < s->nv; k++) {
    int turns = !s->chart.is_length[k] && v[k] != 0, slid = s->chart.is_length[fastest] || v[fastest] == 0;
    if ((turns && slid) || (turns == !slid && fabs(v[k]) > fabs(v[fastest]))) fastest = k;
  }
  char time[32];
  return fb_fail(error, FB_ERR_NOT_FINITE,
                 "after t = %.9g s joint \"%s\" moves without bound, at %.3g %s: that is too fast for a step "
                 "of %s; shorten the step, or use dopri5",
                 s->step.t0, fb_coordinate_joint_name(s->m, fastest), v[fastest],
                 s->chart.is_length[fastest] ? "m/s" : "rad/s", time_text(h, time));
}

/* The law that was nearest to a singular pose: when the motion was still ordinary, where the step begins, and where
 * the ledger did not close before. */
static fb_singular find_singular(fb_sim* s) {
  fb_singular x = s->failure.singular;
  fb_singular_probe(s, s->failure.t_ordinary, s->failure.y_ordinary, &x);
  if (is_ordinary(s->y0, s->nq + s->nv)) fb_singular_probe(s, s->step.t0, s->y0, &x);
  return x;
}

/* A law of a frame that demands unbounded accelerations: the fastest cause found is that law itself, or nothing is
 * fast, or it is so near a singular pose that nothing else matters. */
static int is_by_singular(const fb_sim* s, double h, const culprit* c, const fb_singular* x) {
  static const double VERY_NEAR = 1e-3;
  if (!(x->part < FB_SINGULAR_PART)) return 0;
  return c->rate * h <= 1 || x->part < VERY_NEAR ||
         (c->law && strcmp(c->law, s->block.list[x->block].name) == 0);
}

/* what: how the motion failed. */
static fb_status say_singular(const fb_sim* s, const fb_singular* x, const char* what, fb_error* error) {
  return fb_fail(error, FB_ERR_NOT_FINITE,
                 "after t = %.9g s %s: law \"%.60s\" is near a singular pose, at t = %.6g s its smallest "
                 "singular value is %.2g, %.1e of the largest (signals singular_value, conditioning); lead "
                 "its path past that pose, give the law damping, or bound its effort",
                 s->step.t0, what, s->block.list[x->block].name, x->t, x->value, x->part);
}

static fb_status say_thrown(const fb_sim* s, const fb_singular* x, fb_error* error) {
  const double* v = s->y0 + s->nq;
  char what[160];
  int k = 0;
  for (int i = 1; i < s->nv; i++)
    if (fabs(v[i]) > fabs(v[k])) k = i;
  snprintf(what, sizeof what, "joint \"%.80s\" moves without bound, at %.3g %s",
           fb_coordinate_joint_name(s->m, k), v[k], s->chart.is_length[k] ? "m/s" : "rad/s");
  return say_singular(s, x, what, error);
}

fb_status fb_failure_stuck(fb_sim* s, fb_error* error) {
  fb_singular x = find_singular(s);
  if (!(x.part < FB_SINGULAR_PART)) return FB_OK;
  return say_singular(s, &x, "no step is short enough", error);
}

/* The block whose state is not finite, where all coordinates are; -1: none. */
static int find_lost_state(const fb_sim* s) {
  if (!fb_array_is_finite(s->y1, s->nq + s->nv)) return -1;
  for (int i = 0; i < s->block.count; i++)
    if (!fb_array_is_finite(s->y1 + s->nq + s->nv + s->block.state_offset[i], s->block.list[i].nstate))
      return i;
  return -1;
}

fb_status fb_failure_explain(fb_sim* s, double limit, fb_status status, fb_error* error) {
  if (status && status != FB_ERR_NOT_FINITE && status != FB_ERR_NO_SOLUTION) return status;
  fb_error spare = {0}, *e = error ? error : &spare;
  const fb_error given = *e;
  int lost = status ? -1 : find_lost_state(s);
  if (status && has_grown(s)) {
    culprit c = find_culprit(s);
    if (c.rate * (limit - s->step.t0) > 1) return say_stiff(s, limit - s->step.t0, &c, e);
  }
  if (is_by_block(s, limit, &status, e)) return status;
  if (is_by_field(s, limit, e)) return e->status;
  if (is_by_pivot(s, e)) return e->status;
  if (status && fb_failure_stuck(s, e)) return e->status;
  if (status == FB_ERR_NO_SOLUTION && fb_rescue_is_stuck(s)) return fb_rescue_say_stuck(s, e);
  if (status) {
    *e = given;
    return status;
  }
  if (lost >= 0 &&
      !fb_block_is_contact(&s->block.list[lost])) /* contacts sum up work, which is beyond bounds first */
    return fb_fail(e, FB_ERR_NOT_FINITE, "after t = %.9g s the state of block \"%.60s\" is not finite",
                   s->step.t0, s->block.list[lost].name);
  culprit c = find_culprit(s);
  double h =
      s->options.refine ? s->options.step : limit - s->step.t0; /* before halving, which did not help */
  fb_singular near = find_singular(s);
  if (is_by_singular(s, h, &c, &near)) return say_thrown(s, &near, e);
  return c.rate * h > 1 ? say_stiff(s, h, &c, e) : say_fast(s, h, e);
}
