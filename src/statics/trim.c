/* trim.c -- static equilibrium by Newton steps on the configuration group
 *
 *   r(q) = tau - gravity_compensation(q)      unbalanced force of the movable coordinates
 *   K = -dr/dq                                stiffness, by central differences along the group
 * Downhill: step = (sym K + shift E)^-1 r with the smallest shift that makes the matrix positive definite,
 * shortened until the forces do positive work along it (Simpson's rule; r is minus the gradient of the
 * potential). It ends at stable equilibria. Nearest: step = (K^T K + mu E)^-1 K^T r, mu falling with |r|
 * (Levenberg, Marquardt), ends at equilibria of any kind, or where |r| has a minimum.
 * Cost of an iteration O(k n) for the 2k forces and O(k^3), k movable coordinates. */
#include <freebody/trim.h>

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "base/fields.h"
#include "base/random.h"
#include "dynamics/loads.h"
#include "math/array.h"
#include "math/ldl.h"
#include "model/joint_kind.h"
#include "model/model.h"

enum { MAX_PUSHES = 3, MAX_HALVINGS = 40 };
static const double DIFFERENCE = 6e-6; /* step of the differences [rad or m]: cube root of the rounding */
static const double MAX_TURN = 1, MAX_MOVE = 1e3; /* of one coordinate in one step [rad], [m] */
static const double SOFT = 1e-7;                  /* of the largest stiffness: taken as zero */

#define FB_TRIM_FIELDS(FIELD)                                         \
  FIELD(int, at, nv, "[k] indices in v of the coordinates that move") \
  FIELD(unsigned char, movable, nv, "by the options")                 \
  FIELD(double, need, nv, "")                                         \
  FIELD(double, step_v, nv, "")                                       \
  FIELD(double, r, nv, "[k]")                                         \
  FIELD(double, r_try, nv, "[k]")                                     \
  FIELD(double, step, nv, "[k]")                                      \
  FIELD(double, g, nv, "[k]")                                         \
  FIELD(double, K, nv* nv, "[k][k]")                                  \
  FIELD(double, A, nv* nv, "[k][k]")                                  \
  FIELD(double, q_try, m->top.nq, "")                                 \
  FIELD(double, q_half, m->top.nq, "")                                \
  FIELD(double, q_start, m->top.nq, "")                               \
  FIELD(double, q_best, m->top.nq, "")                                \
  FIELD(unsigned char, held, nv, "[k] at a limit, and out of the step")

typedef struct solver {
  const fb_model* m;
  fb_data* d;
  const double* tau;
  const fb_loads* loads;
  const fb_trim_options* options;
  int k; /* movable coordinates */
  FB_TRIM_FIELDS(FB_FIELD_DECLARE)
  double scale;
  double best; /* largest residual at q_best */
  fb_random random;
} solver;

fb_trim_options fb_default_trim_options(void) {
  return (fb_trim_options){.max_iterations = 200, .seed = 1, .tolerance = 1e-10, .cookie_ = FB_COOKIE};
}

/* --- memory --- */

static void lay_out(const fb_model* m, solver* to, fb_arena* scratch) {
  size_t nv = (size_t)m->top.nv;
  FB_TRIM_FIELDS(FB_FIELD_IN_SCRATCH)
}

size_t fb_trim_work_size(const fb_model* m) {
  solver measure;
  fb_arena a = {0};
  lay_out(m, &measure, &a);
  return a.used;
}

/* --- forces --- */

static void residual(solver* s, const double* q, double* r) {
  fb_gravity_compensation(s->m, s->d, q, s->loads, s->need);
  for (int i = 0; i < s->k; i++) r[i] = (s->tau ? s->tau[s->at[i]] : 0) - s->need[s->at[i]];
}

/* q (+) factor step of the movable coordinates. */
static void move(solver* s, const double* q, const double* step, double factor, double* q_next) {
  memset(s->step_v, 0, (size_t)s->m->top.nv * sizeof *s->step_v);
  for (int i = 0; i < s->k; i++) s->step_v[s->at[i]] = step[i];
  fb_integrate(s->m, q, s->step_v, factor, q_next);
}

static void fill_stiffness(solver* s, const double* q) {
  for (int j = 0; j < s->k; j++) {
    memset(s->g, 0, (size_t)s->k * sizeof *s->g);
    s->g[j] = 1;
    move(s, q, s->g, DIFFERENCE, s->q_half);
    residual(s, s->q_half, s->r_try);
    for (int i = 0; i < s->k; i++) s->K[i * s->k + j] = -s->r_try[i] / (2 * DIFFERENCE);
    move(s, q, s->g, -DIFFERENCE, s->q_half);
    residual(s, s->q_half, s->r_try);
    for (int i = 0; i < s->k; i++) s->K[i * s->k + j] += s->r_try[i] / (2 * DIFFERENCE);
  }
}

/* The forces that act, torques and lengths taken as over arms of 1 m. */
static double force_scale(solver* s, const double* q) {
  const fb_loads* loads = s->loads;
  double sum = 0, p[3], g[3];
  fb_kinematics(s->m, s->d, q, NULL, NULL);
  for (int b = 1; loads && b < s->m->top.nbody; b++) {
    fb_frame_pose(s->m, s->d, fb_model_com_frame(s->m, b), p, NULL);
    fb_environment_acceleration(&loads->environment, loads->t, b, p, g);
    sum += s->d->par->body_mass[b] * sqrt(fb_array_dot(g, g, 3));
  }
  for (int i = 0; loads && i < loads->nwrench; i++)
    sum += fb_array_largest(loads->wrenches[i].force, 3) + fb_array_largest(loads->wrenches[i].torque, 3);
  memset(s->step_v, 0, (size_t)s->m->top.nv * sizeof *s->step_v);
  fb_passive_forces(s->m, s->d, q, s->step_v, loads ? loads->passive : FB_PASSIVE_ALL, s->need);
  sum += fb_array_largest(s->need, s->m->top.nv);
  for (int i = 0; s->tau && i < s->k; i++) sum = fmax(sum, fabs(s->tau[s->at[i]]));
  return sum;
}

static int is_balanced(const solver* s, const double* r) {
  return fb_array_largest(r, s->k) <= s->options->tolerance * s->scale;
}

/* --- limits --- */

static void clamp(const solver* s, double* q) {
  for (int i = 0; i < s->k && !s->options->ignore_limits; i++) {
    int v = s->at[i], at = s->m->top.coordinate_q[v];
    if (at >= 0) q[at] = fmin(fmax(q[at], s->d->par->lower[v]), s->d->par->upper[v]);
  }
}

/* -1 at the lower limit, 1 at the upper, 0 between. */
static int limit_side(const solver* s, const double* q, int i) {
  int v = s->at[i], at = s->m->top.coordinate_q[v];
  if (at < 0) return 0;
  return q[at] <= s->d->par->lower[v] ? -1 : q[at] >= s->d->par->upper[v] ? 1 : 0;
}

/* Coordinates that `push` drives against a limit leave the step. Returns how many more there are now. */
static int hold_at_limits(solver* s, const double* q, const double* push) {
  int more = 0;
  for (int i = 0; i < s->k && !s->options->ignore_limits; i++) {
    if (s->held[i] || limit_side(s, q, i) * push[i] <= 0) continue;
    s->held[i] = 1;
    more++;
  }
  return more;
}

static void shorten(solver* s) {
  double excess = 1;
  for (int i = 0; i < s->k; i++)
    excess = fmax(excess, fabs(s->step[i]) / (fb_coordinate_is_length(s->m, s->at[i]) ? MAX_MOVE : MAX_TURN));
  for (int i = 0; i < s->k; i++) s->step[i] /= excess;
}

/* --- steps --- */

/* Where a step may not go the matrix becomes diagonal and the right side zero. */
static void leave_out_held(solver* s, double diagonal, double* A, double* b) {
  for (int i = 0; i < s->k; i++) {
    if (!s->held[i]) continue;
    for (int j = 0; j < s->k; j++) A[i * s->k + j] = A[j * s->k + i] = 0;
    A[i * s->k + i] = diagonal;
    b[i] = 0;
  }
}

static void symmetric_part(const solver* s, double shift, double* A) {
  for (int i = 0; i < s->k; i++)
    for (int j = 0; j < s->k; j++)
      A[i * s->k + j] = 0.5 * (s->K[i * s->k + j] + s->K[j * s->k + i]) + (i == j ? shift : 0);
}

static int is_positive(const solver* s, const double* A, double least) {
  for (int i = 0; i < s->k; i++)
    if (!(A[i * s->k + i] > least)) return 0;
  return 1;
}

/* step = (sym K + shift E)^-1 r; returns the shift it took. */
static double downhill_step(solver* s) {
  double stiffest = fb_array_largest(s->K, s->k * s->k), shift = 0;
  if (!(stiffest > 0)) stiffest = s->scale;
  for (int i = 0; i<40; i++, shift = shift> 0 ? 10 * shift : 10 * SOFT * stiffest) {
    symmetric_part(s, shift, s->A);
    memcpy(s->step, s->r, (size_t)s->k * sizeof *s->r);
    leave_out_held(s, stiffest, s->A, s->step);
    if (!fb_ldl_factor(s->A, s->k) && is_positive(s, s->A, SOFT * stiffest)) break;
  }
  fb_ldl_solve(s->A, s->k, s->step);
  shorten(s);
  return shift;
}

/* Takes a step down the potential; 0 when there is none. */
static int go_downhill(solver* s, double* q, double* unused) {
  (void)unused;
  memset(s->held, 0, (size_t)s->k);
  hold_at_limits(s, q, s->r);
  double shift = downhill_step(s), slope = fb_array_dot(s->r, s->step, s->k),
         before = fb_array_largest(s->r, s->k);
  double factor = 1;
  for (int i = 0; i < MAX_HALVINGS && slope > 0; i++, factor /= 2) {
    move(s, q, s->step, factor / 2, s->q_half);
    residual(s, s->q_half, s->r_try);
    double work = slope + 4 * fb_array_dot(s->r_try, s->step, s->k);
    move(s, q, s->step, factor, s->q_try);
    residual(s, s->q_try, s->r_try);
    work += fb_array_dot(s->r_try, s->step, s->k);
    if (work < 6e-3 * slope && (shift > 0 || fb_array_largest(s->r_try, s->k) > 0.5 * before)) continue;
    memcpy(q, s->q_try, (size_t)s->m->top.nq * sizeof *q);
    return 1;
  }
  return 0;
}

/* step = (K^T K + mu E)^-1 K^T r; 0 when the matrix cannot be factored. */
static int nearest_step(solver* s, double mu) {
  for (int a = 0; a < s->k; a++) {
    s->step[a] = 0;
    for (int b = 0; b < s->k; b++) {
      double sum = a == b ? mu : 0;
      for (int c = 0; c < s->k; c++) sum += s->K[c * s->k + a] * s->K[c * s->k + b];
      s->A[a * s->k + b] = sum;
      s->step[a] += s->K[b * s->k + a] * s->r[b];
    }
  }
  leave_out_held(s, mu, s->A, s->step);
  if (fb_ldl_factor(s->A, s->k)) return 0;
  fb_ldl_solve(s->A, s->k, s->step);
  shorten(s);
  return 1;
}

/* Takes a step that lessens |r|; 0 when there is none. factor: of the damping, kept from step to step. */
static int go_nearest(solver* s, double* q, double* factor) {
  double before = fb_array_dot(s->r, s->r, s->k), unit = before / fmax(s->scale * s->scale, 1e-300);
  double stiffest = fb_array_largest(s->K, s->k * s->k);
  for (int i = 0; i < MAX_HALVINGS && stiffest > 0; i++, *factor *= 10) {
    double mu = (*factor * unit + 1e-24) * stiffest * stiffest;
    int ok = 1;
    memset(s->held, 0, (size_t)s->k);
    do ok = nearest_step(s, mu);
    while (ok && hold_at_limits(s, q, s->step) > 0);
    if (!ok) continue;
    move(s, q, s->step, 1, s->q_try);
    clamp(s, s->q_try);
    residual(s, s->q_try, s->r_try);
    if (!(fb_array_dot(s->r_try, s->r_try, s->k) < before)) continue;
    memcpy(q, s->q_try, (size_t)s->m->top.nq * sizeof *q);
    *factor = fmax(0.1 * *factor, 1e-6);
    return 1;
  }
  return 0;
}

/* --- stability --- */

static int stability(solver* s, const double* q) {
  if (s->k == 0) return 1;
  fill_stiffness(s, q);
  double soft = SOFT * fb_array_largest(s->K, s->k * s->k);
  if (soft <= 1e-16 * s->scale) return 0;
  symmetric_part(s, soft, s->A);
  if (fb_ldl_factor(s->A, s->k)) return -1;
  symmetric_part(s, -soft, s->A);
  return fb_ldl_factor(s->A, s->k) ? 0 : 1;
}

/* --- the search --- */

typedef int (*step_fn)(solver* s, double* q, double* memory);

static void keep_best(solver* s, const double* q) {
  double size = fb_array_largest(s->r, s->k);
  if (!(size < s->best)) return;
  s->best = size;
  memcpy(s->q_best, q, (size_t)s->m->top.nq * sizeof *q);
}

static void push(solver* s, double* q) {
  for (int i = 0; i < s->k; i++) s->step[i] = fb_random_uniform(&s->random, -0.1, 0.1);
  move(s, q, s->step, 1, q);
  clamp(s, q);
  residual(s, q, s->r);
}

/* Iterates until balanced to round-off, or stuck. Returns whether an acceptable equilibrium was found, which is
 * then in q_best. */
static int iterate(solver* s, double* q, step_fn step, fb_trim_report* report) {
  double memory = 1e-3;
  int pushes = 0, polish = 0;
  residual(s, q, s->r);
  for (int i = 0; i < s->options->max_iterations && isfinite(fb_array_largest(s->r, s->k)); i++) {
    int balanced = is_balanced(s, s->r);
    keep_best(s, q);
    if (balanced && (polish++ == 2 || s->best == 0)) {
      if (!s->options->leave_unstable || stability(s, s->q_best) >= 0) return 1;
      if (pushes++ == MAX_PUSHES || step != go_downhill) return 0;
      s->best = INFINITY;
      polish = 0;
      push(s, q);
      continue;
    }
    report->iterations++;
    fill_stiffness(s, q);
    if (!step(s, q, &memory)) {
      if (!balanced) return 0;
      polish = 2;
    }
    clamp(s, q);
    residual(s, q, s->r);
  }
  return isfinite(s->best) && s->best <= s->options->tolerance * s->scale && !s->options->leave_unstable;
}

static int search(solver* s, const double* q, fb_trim_report* report) {
  size_t size = (size_t)s->m->top.nq * sizeof *q;
  for (report->starts = 1;; report->starts++) {
    for (int attempt = 0; attempt < 2; attempt++) {
      memcpy(s->q_start, q, size);
      if (report->starts > 1)
        fb_random_q_of(s->m, s->d->par, s->options->seed + (uint64_t)(report->starts - 1), s->movable, q,
                       s->q_start);
      if (iterate(s, s->q_start, attempt == 0 ? go_downhill : go_nearest, report)) return 1;
    }
    if (report->starts > s->options->restarts) return 0;
  }
}

/* --- the whole --- */

static void choose_movable(solver* s) {
  const unsigned char* movable = s->options->movable;
  s->k = 0;
  for (int v = 0; v < s->m->top.nv; v++) {
    s->movable[v] = movable ? movable[v] != 0
                            : s->options->move_base || !fb_body_floats(s->m, fb_coordinate_body(s->m, v));
    if (s->movable[v]) s->at[s->k++] = v;
  }
}

static fb_status check_arguments(const solver* s, const double* q, fb_error* error) {
  const fb_trim_options* o = s->options;
  if (fb_cookie_check(o->cookie_, "trim_options", error)) return FB_ERR_ARG;
  if (o->max_iterations < 1 || o->restarts < 0 || !(o->tolerance > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "max_iterations (%d) and tolerance (%g) must be above zero, restarts (%d) zero or more",
                   o->max_iterations, o->tolerance, o->restarts);
  return fb_model_check_state(s->m, q, NULL, error);
}

static fb_status fill_report(solver* s, const double* q, fb_trim_report* report, fb_error* error) {
  residual(s, q, s->r);
  report->worst = -1;
  for (int i = 0; i < s->k; i++) {
    report->at_limit += limit_side(s, q, i) != 0;
    if (report->worst >= 0 && fabs(s->r[i]) <= report->residual) continue;
    report->residual = fabs(s->r[i]);
    report->worst = s->at[i];
  }
  report->scale = s->scale;
  report->stability = stability(s, q);
  if (report->solved) return FB_OK;
  if (is_balanced(s, s->r))
    return fb_fail(error, FB_ERR_NO_SOLUTION,
                   "only unstable equilibria found after %d iterations from %d start(s); q is at one of them",
                   report->iterations, report->starts);
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "no equilibrium found after %d iterations from %d start(s): joint \"%s\" still lacks %.3g N "
                 "or N m, where the loads come to %.3g; %d coordinate(s) are at a limit; try another start, "
                 "restarts, or hold what nothing can balance",
                 report->iterations, report->starts, fb_coordinate_joint_name(s->m, report->worst),
                 report->residual, report->scale, report->at_limit);
}

fb_status fb_trim(const fb_model* m, fb_data* d, const double* tau, const fb_loads* loads,
                  const fb_trim_options* options, double* q, fb_trim_report* report, fb_error* error) {
  assert(fb_data_fits(d, m));
  fb_trim_options defaults = fb_default_trim_options();
  fb_trim_report local;
  if (!report) report = &local;
  memset(report, 0, sizeof *report);
  solver s = {
      .m = m, .d = d, .tau = tau, .loads = loads, .options = options ? options : &defaults, .best = INFINITY};
  void *work, *own;
  fb_status status = check_arguments(&s, q, error);
  if (!status)
    status = fb_work_take(s.options->work, s.options->work_size, fb_trim_work_size(m), &work, &own, error);
  if (status) return status;
  fb_arena arena = {.base = (char*)work};
  lay_out(m, &s, &arena);
  choose_movable(&s);
  s.random.seed = s.options->seed;
  fb_normalise(m, q);
  clamp(&s, q);
  memcpy(s.q_best, q, (size_t)m->top.nq * sizeof *q);
  s.scale = force_scale(&s, q);
  report->solved = search(&s, q, report);
  memcpy(q, s.q_best, (size_t)m->top.nq * sizeof *q);
  status = fill_report(&s, q, report, error);
  free(own);
  return status;
}
