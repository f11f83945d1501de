/* inverse_kinematics.c -- damped least squares on the configuration group
 *
 *   e = [w_p (p* - p); w_r log(R* R^T)] over all targets      J = its Jacobian, movable columns only
 *   step = J^T (J J^T + mu E)^-1 e,   q <- q (+) step
 *
 * (Levenberg-Marquardt; mu falls with the error after Sugihara 2011, so convergence is quadratic). A
 * coordinate at a limit that would be pushed beyond it leaves the step; others are clamped. A start
 * that sits on a saddle is nudged. The error angle goes up to pi, so a 180 degree error counts as one.
 * Cost of an iteration O(k nv depth + (6k)^2 nv) for k targets. */
#include <freebody/inverse_kinematics.h>

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "base/fields.h"
#include "base/random.h"
#include "math/ldl.h"
#include "math/vector3.h"
#include "model/data.h"
#include "model/joint_kind.h"
#include "model/model.h"

enum { MAX_NUDGES = 3 };
static const double MAX_TURN = 1.0; /* of one angle in one iteration [rad] */

#define FB_IK_FIELDS(FIELD)                                                 \
  FIELD(double, J, rows* nv, "weighted, columns that cannot move are zero") \
  FIELD(double, A, rows* rows, "")                                          \
  FIELD(double, e, rows, "weighted error at q")                             \
  FIELD(double, y, rows, "")                                                \
  FIELD(double, step, nv, "")                                               \
  FIELD(double, q_try, m->top.nq, "")                                       \
  FIELD(double, q_best, m->top.nq, "of one start")                          \
  FIELD(double, q_start, m->top.nq, "of a restart")                         \
  FIELD(unsigned char, movable, nv, "by the options")                       \
  FIELD(unsigned char, held, nv, "at a limit in this iteration")

typedef struct solver {
  const fb_model* m;
  fb_data* d;
  const fb_ik_target* targets;
  const fb_ik_options* options;
  int ntarget, rows;
  FB_IK_FIELDS(FB_FIELD_DECLARE)
  double position_error, rotation_error;
  fb_random random;
} solver;

fb_ik_options fb_default_ik_options(void) {
  return (fb_ik_options){.max_iterations = 200,
                         .seed = 1,
                         .position_tolerance = 1e-10,
                         .rotation_tolerance = 1e-10,
                         .cookie_ = FB_COOKIE};
}

fb_ik_target fb_default_ik_target(void) {
  fb_ik_target target = {.position_weight = 1, .rotation_weight = 1, .cookie_ = FB_COOKIE};
  fb_rot_identity(target.R_wf);
  return target;
}

/* --- memory --- */

static void lay_out(const fb_model* m, int ntarget, solver* to, fb_arena* scratch) {
  size_t rows = 6 * (size_t)ntarget, nv = (size_t)m->top.nv;
  FB_IK_FIELDS(FB_FIELD_IN_SCRATCH)
}

size_t fb_ik_work_size(const fb_model* m, int ntarget) {
  solver measure;
  fb_arena a = {0};
  lay_out(m, ntarget > 0 ? ntarget : 0, &measure, &a);
  return a.used;
}

/* --- error and Jacobian --- */

/* NaN counts as larger than anything: an unknown error is not a small one. */
static void keep_larger(double* largest, double x) {
  if (!(x <= *largest)) *largest = x;
}

/* Fills e and the two largest errors at q; returns |e|^2. */
static double measure(solver* s, const double* q) {
  double cost = 0;
  s->position_error = s->rotation_error = 0;
  fb_kinematics(s->m, s->d, q, NULL, NULL);
  for (int t = 0; t < s->ntarget; t++) {
    const fb_ik_target* target = &s->targets[t];
    double p[3], R[9], dp[3], dr[3];
    fb_frame_pose(s->m, s->d, target->frame, p, R);
    for (int i = 0; i < 3; i++) dp[i] = target->p_wf[i] - p[i];
    fb_rot_difference(target->R_wf, R, dr);
    if (target->position_weight > 0) keep_larger(&s->position_error, norm3(dp));
    if (target->rotation_weight > 0) keep_larger(&s->rotation_error, norm3(dr));
    for (int i = 0; i < 3; i++) {
      s->e[6 * t + i] = target->position_weight * dp[i];
      s->e[6 * t + 3 + i] = target->rotation_weight * dr[i];
    }
    for (int i = 0; i < 6; i++) cost += s->e[6 * t + i] * s->e[6 * t + i];
  }
  return cost;
}

static int within_tolerance(const solver* s) {
  return s->position_error <= s->options->position_tolerance &&
         s->rotation_error <= s->options->rotation_tolerance;
}

static void fill_jacobian(solver* s) {
  int nv = s->m->top.nv;
  for (int t = 0; t < s->ntarget; t++) {
    const fb_ik_target* target = &s->targets[t];
    double* J = s->J + (size_t)(6 * t) * (size_t)nv;
    fb_frame_jacobian(s->m, s->d, target->frame, J);
    for (int row = 0; row < 6; row++)
      for (int k = 0; k < nv; k++)
        J[row * nv + k] *= !s->movable[k] ? 0 : row < 3 ? target->position_weight : target->rotation_weight;
  }
}

/* --- one step --- */

/* step = J^T (J J^T + mu E)^-1 e without the held columns. */
static void solve_step(solver* s, double mu) {
  int nv = s->m->top.nv, rows = s->rows;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? mu : 0;
      for (int k = 0; k < nv; k++)
        if (!s->held[k]) sum += s->J[i * nv + k] * s->J[j * nv + k];
      s->A[i * rows + j] = sum;
    }
  memcpy(s->y, s->e, (size_t)rows * sizeof *s->y);
  memset(s->step, 0, (size_t)nv * sizeof *s->step);
  if (fb_ldl_factor(s->A, rows)) return;
  fb_ldl_solve(s->A, rows, s->y);
  for (int k = 0; k < nv; k++)
    for (int i = 0; i < rows && !s->held[k]; i++) s->step[k] += s->J[i * nv + k] * s->y[i];
}

static void clamp(const solver* s, double* q) {
  const fb_parameters* par = s->d->par;
  for (int k = 0; k < s->m->top.nv && !s->options->ignore_limits; k++) {
    int at = s->m->top.coordinate_q[k]; /* quaternions have no limits */
    if (at >= 0 && s->movable[k]) q[at] = fmin(fmax(q[at], par->lower[k]), par->upper[k]);
  }
}

/* Holds coordinates that stand at a limit and would be pushed beyond it. */
static void hold_at_limits(solver* s, const double* q) {
  const fb_parameters* par = s->d->par;
  for (int k = 0; k < s->m->top.nv && !s->options->ignore_limits; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0 && ((q[at] <= par->lower[k] && s->step[k] < 0) || (q[at] >= par->upper[k] && s->step[k] > 0)))
      s->held[k] = 1;
  }
}

static int count_held(const solver* s) {
  int count = 0;
  for (int k = 0; k < s->m->top.nv; k++) count += s->held[k];
  return count;
}

/* Shortens the turns of a step together so that none exceeds MAX_TURN. Lengths may go as far as they
 * like: they act linearly. */
static void limit_turns(solver* s) {
  double largest = 0;
  for (int k = 0; k < s->m->top.nv; k++)
    if (!fb_coordinate_is_length(s->m, k)) largest = fmax(largest, fabs(s->step[k]));
  for (int k = 0; k < s->m->top.nv && largest > MAX_TURN; k++)
    if (!fb_coordinate_is_length(s->m, k)) s->step[k] *= MAX_TURN / largest;
}

/* The step at q for this damping, with limits; q_try is where it leads. */
static void try_step(solver* s, double* q, double mu) {
  int held = -1;
  memset(s->held, 0, (size_t)s->m->top.nv);
  while (count_held(s) > held) {
    held = count_held(s);
    solve_step(s, mu);
    hold_at_limits(s, q);
  }
  limit_turns(s);
  fb_integrate(s->m, q, s->step, 1, s->q_try);
  clamp(s, s->q_try);
}

/* --- one start --- */

/* A small random step of the movable coordinates, to leave a saddle. */
static double nudge(solver* s, double* q) {
  for (int k = 0; k < s->m->top.nv; k++)
    s->step[k] = s->movable[k] ? fb_random_uniform(&s->random, -0.2, 0.2) : 0;
  fb_integrate(s->m, q, s->step, 1, q);
  clamp(s, q);
  return measure(s, q);
}

/* Iterates from q until solved or stuck; leaves the best of this start in q and returns its |e|^2. */
static double iterate(solver* s, double* q, fb_ik_report* report) {
  double cost = measure(s, q), best = cost, factor = 1e-3;
  int nudges = 0, polish = 0;
  memcpy(s->q_best, q, (size_t)s->m->top.nq * sizeof *q);
  for (int iteration = 0; iteration < s->options->max_iterations && polish < 3;
       iteration++, report->iterations++) {
    if (within_tolerance(s)) polish++; /* quadratic convergence: two more steps reach round-off */
    fill_jacobian(s);
    try_step(s, q, factor * cost + 1e-24);
    double before = cost, tried = measure(s, s->q_try);
    if (tried < cost) {
      memcpy(q, s->q_try, (size_t)s->m->top.nq * sizeof *q);
      cost = tried;
      factor = fmax(0.2 * factor, 1e-6);
    } else {
      factor *= 10;
      cost = measure(s, q); /* bring poses and errors back to q */
    }
    if (cost < best) {
      best = cost;
      memcpy(s->q_best, q, (size_t)s->m->top.nq * sizeof *q);
    }
    int stuck = factor > 1e12 || (tried < before && before - tried < 1e-10 * before);
    if (!stuck || within_tolerance(s)) continue;
    if (nudges++ == MAX_NUDGES) break;
    cost = nudge(s, q);
    factor = 1e-3;
  }
  memcpy(q, s->q_best, (size_t)s->m->top.nq * sizeof *q);
  return measure(s, q);
}

/* --- the whole --- */

static void choose_movable(solver* s) {
  for (int k = 0; k < s->m->top.nv; k++)
    s->movable[k] = s->options->movable
                        ? s->options->movable[k] != 0
                        : s->options->move_base || !fb_body_floats(s->m, fb_coordinate_body(s->m, k));
}

static fb_status check_arguments(const solver* s, const double* q, fb_error* error) {
  if (fb_cookie_check(s->options->cookie_, "ik_options", error)) return FB_ERR_ARG;
  if (s->options->max_iterations < 1 || s->options->restarts < 0 || !(s->options->position_tolerance > 0) ||
      !(s->options->rotation_tolerance > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "max_iterations and the tolerances must be above zero, restarts zero or more");
  if (s->ntarget < 1) return fb_fail(error, FB_ERR_ARG, "%d targets; give at least one", s->ntarget);
  for (int t = 0; t < s->ntarget; t++) {
    const fb_ik_target* target = &s->targets[t];
    if (fb_cookie_check(target->cookie_, "ik_target", error)) return FB_ERR_ARG;
    if (target->frame < 0 || target->frame >= s->m->top.nsite)
      return fb_fail(error, FB_ERR_ARG, "target %d: there is no frame %d", t, target->frame);
    double nearest[9], off = fb_rot_nearest(target->R_wf, nearest);
    if (!isfinite(norm3(target->p_wf)) || !(target->position_weight >= 0) ||
        !(target->rotation_weight >= 0) || !(off >= 0 && off <= 1e-6))
      return fb_fail(error, FB_ERR_ARG, "target %d: position, rotation or weight is not valid", t);
  }
  return fb_model_check_state(s->m, q, NULL, error);
}

/* The first start from q, then as many random ones as allowed; the best ends in q. */
static void search(solver* s, double* q, fb_ik_report* report) {
  double best = iterate(s, q, report);
  report->starts = 1;
  for (; !within_tolerance(s) && report->starts <= s->options->restarts; report->starts++) {
    fb_random_q_of(s->m, s->d->par, s->options->seed + (uint64_t)report->starts, s->movable, q, s->q_start);
    double cost = iterate(s, s->q_start, report);
    if (cost >= best) continue;
    best = cost;
    memcpy(q, s->q_start, (size_t)s->m->top.nq * sizeof *q);
  }
  measure(s, q);
}

static fb_status fill_report(solver* s, const double* q, fb_ik_report* report, fb_error* error) {
  for (int k = 0; k < s->m->top.nv; k++) {
    int at = s->m->top.coordinate_q[k];
    report->at_limit +=
        at >= 0 && s->movable[k] && (q[at] <= s->d->par->lower[k] || q[at] >= s->d->par->upper[k]);
  }
  report->solved = within_tolerance(s);
  report->position_error = s->position_error;
  report->rotation_error = s->rotation_error;
  if (report->solved) return FB_OK;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "not reached after %d iterations from %d start(s): still %.3g m and %.3g rad away, %d "
                 "coordinate(s) at a limit; try another start, more restarts, or a nearer target",
                 report->iterations, report->starts, report->position_error, report->rotation_error,
                 report->at_limit);
}

fb_status fb_inverse_kinematics(const fb_model* m, fb_data* d, const fb_ik_target* targets, int ntarget,
                                const fb_ik_options* options, double* q, fb_ik_report* report,
                                fb_error* error) {
  assert(fb_data_fits(d, m));
  fb_ik_options defaults = fb_default_ik_options();
  fb_ik_report local;
  if (!report) report = &local;
  memset(report, 0, sizeof *report);
  solver s = {.m = m,
              .d = d,
              .targets = targets,
              .ntarget = ntarget,
              .rows = 6 * ntarget,
              .options = options ? options : &defaults};
  void *work, *own;
  fb_status status = check_arguments(&s, q, error);
  if (!status)
    status =
        fb_work_take(s.options->work, s.options->work_size, fb_ik_work_size(m, ntarget), &work, &own, error);
  if (status) return status;
  fb_arena arena = {.base = (char*)work};
  lay_out(m, ntarget, &s, &arena);
  choose_movable(&s);
  s.random.seed = s.options->seed;
  fb_normalise(m, q);
  clamp(&s, q);
  search(&s, q, report);
  status = fill_report(&s, q, report, error);
  free(own);
  return status;
}
