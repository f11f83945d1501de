/* dopri5.c -- Dormand-Prince 5(4) on the configuration group, with error control and dense output
 *
 *   seven stages, the last of them the first of the next step; y_1 of order 5, and the estimate
 *   err = h sum e_i k_i of order 4, in the norm of sim/accuracy/tolerance.c
 *
 * Attitudes go by rotation vectors (runge_kutta.c). The step follows the error by a PI controller. Dense output is
 * the interpolant of order 4. Of the ledger, work and impulses are in the error, measured by the energies and momenta
 * of their tree (fb_ledger_sizes). Where stability bounds the step, h |lambda| stays near 3.3, lambda estimated from
 * the last two stages, both at the end of the step; the simulation is then marked as stiff (Hairer, Wanner, Solving
 * Ordinary Differential Equations II, IV.2). Dormand, Prince 1980; Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I, II.4-II.6. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "sim/diagnosis/diagnosis.h"
#include "sim/accuracy/error_control.h"
#include "sim/stepper/runge_kutta.h"
#include "sim/stepper/variation.h"
#include "sim/flow.h"
#include "sim/accuracy/turning.h"

enum { STAGES = 7 };
/* clang-format off */
static const double A[] = { /* a row for each stage after the first */
    1.0 / 5,
    3.0 / 40, 9.0 / 40,
    44.0 / 45, -56.0 / 15, 32.0 / 9,
    19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729,
    9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656,
    35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
/* clang-format on */
static const double B[] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
static const double C[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
/* b of order 5 less b of order 4. */
static const double E[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                           -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double DENSE[] = {-12715105075.0 / 11282082432,  0,
                               87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                               701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                               69997945.0 / 29380423};
static const fb_tableau DOPRI5 = {STAGES, FB_CHART_ROTATION, A, B, C};
static const fb_tableau WITHOUT_LAST = {STAGES - 1, FB_CHART_ROTATION, A, B, C}; /* which y_1 does not need */
static const fb_variation VARIATION = {&DOPRI5, {0, 2, 3, 6}};
/* Of the stages of the variation, and of the method's own. */
static const fb_powers QUICK = {
    {0, 2, 3, 6}, {125.0 / 24, -25.0 / 3, 25.0 / 8, 0}, {-221.0 / 48, 185.0 / 21, -125.0 / 16, 101.0 / 28}};
static const fb_powers WHOLE_STEP = {
    {0, 1, 2, 3}, {100.0 / 9, -100.0 / 3, 200.0 / 9, 0}, {-125.0 / 36, 125.0 / 3, -400.0 / 9, 25.0 / 4}};

typedef struct fb_dopri5 {
  double h_last;    /* length of the step that the stages belong to */
  int first_known;  /* stage 0 holds the rate at the start of the next step */
  int stages_known; /* stages belong to the step last made */
  int stiff, loose; /* steps in a row, or nearly, that stability bounded, and that it did not */
  long long marked; /* the steps made at t_marked (check_progress) */
  double t_marked;
  int crawls; /* steps in a row that were a part of a turn of a joint that runs away */
  int leaps;  /* steps as short as time can be told, near the instant t_leapt (may_leap) */
  double t_leapt;
} fb_dopri5;

/* The same, or another step, made aside (growth.c). At the start of the step, and of the group, its first stage is
 * known. */
static fb_status step_aside(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                            fb_error* error) {
  const double* first = y0 == s->error.group_y ? s->error.group_rate : fb_stage(s, FB_MAX_STAGES);
  int known = y0 == s->y || y0 == s->y0 || y0 == s->error.group_y;
  if (known) memcpy(fb_stage(s, 0), first, (size_t)s->ny * sizeof *y0);
  return fb_tableau_step(s, (const fb_tableau*)self, known, t, y0, h, y1, error);
}

static fb_status start(void* self, fb_sim* s, fb_error* error) {
  (void)self;
  const fb_growth_map step_map = {step_aside, (void*)(uintptr_t)&WITHOUT_LAST};
  s->error.growth = (fb_growth){.followed = step_map,
                                .sampled = step_map,
                                .cut = step_map,
                                .exact = {step_aside, (void*)(uintptr_t)&fb_order_8},
                                .order = 5,
                                .interpolates = 1};
  s->stepper.self = calloc(1, sizeof(fb_dopri5));
  return s->stepper.self ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "no memory for the integrator");
}

/* States inside the last step are still available. */
static void reset(void* self, fb_sim* s) {
  (void)s;
  fb_dopri5* o = (fb_dopri5*)self;
  *o = (fb_dopri5){.h_last = o->h_last,
                   .stages_known = o->stages_known,
                   .marked = o->marked,
                   .t_marked = o->t_marked,
                   .leaps = o->leaps,
                   .t_leapt = o->t_leapt};
}

/* A first step from the sizes of y' and of its change (Hairer, Norsett, Wanner II.4). Stage 0 is known. */
static fb_status first_step(fb_sim* s, double span, fb_error* error) {
  static const double ONE = 1;
  double longest = fb_sim_longest_step(s), limit = longest > 0 ? fmin(longest, span) : span;
  if (s->options.step > 0) {
    s->error.head->step_next = fmin(s->options.step, limit);
    return FB_OK;
  }
  double *k0 = fb_stage(s, 0), *k1 = fb_stage(s, 1);
  double d0 = fb_weigh(s, s->y, s->y, s->y), d1 = fb_weigh(s, k0, s->y, s->y);
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  h0 = fmin(h0, limit);
  fb_stage_combine(s, FB_CHART_ROTATION, s->y, h0, &ONE, 1, s->nq + s->nv + s->nx, s->y_stage, s->chart.xi);
  fb_flow_place(s, s->head->t + h0, s->y_stage);
  fb_status status = fb_stage_rate(s, FB_CHART_ROTATION, 1, s->head->t + h0, s->y_stage, s->chart.xi, error);
  if (fb_is_too_long(status)) {
    fb_error_clear(error);
    s->error.head->step_next = h0;
    return FB_OK; /* the step itself will be shortened */
  }
  if (status) return status;
  for (int i = 0; i < s->ny; i++) k1[i] -= k0[i];
  double d2 = fmax(d1, fb_weigh(s, k1, s->y, s->y) / h0);
  double h1 = d2 <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / d2, 0.2);
  s->error.head->step_next = fmin(fmin(100 * h0, h1), limit);
  return FB_OK;
}

static double weighed_error(fb_sim* s, double h, const double* weights, const double* y1, int jumps) {
  double* err = s->y_stage;
  fb_stage_sum(s, h, weights, STAGES, s->ny, err);
  return fb_worse(fb_weigh(s, err, s->y, y1), fb_weigh_ledger(s, err, s->y, y1, jumps));
}

/* In units of the tolerance. Where bodies have met, a step begins with a force that grows as t^1.5 (meeting.c): sum b
 * c^1.5 is off by 4.5e-4, but sum e c^1.5 is 4e-5; and a force that the second stage alone meets, before it throws the
 * bodies apart, has no weight in either. So the second difference of the first three stages counts there, as 5e-4. */
static double step_error(fb_sim* s, double h, const double* y1, int jumps) {
  static const double BEGINS[STAGES] = {1.0 / 120, -1.0 / 40, 1.0 / 60};
  double err = weighed_error(s, h, E, y1, jumps);
  if (s->contact.head->met_t != s->head->t) return err;
  return fb_worse(err, weighed_error(s, h, BEGINS, y1, jumps));
}

/* The factor by which the next step is longer, and whether this one is accepted. */
static int accept(fb_sim* s, double err, double* factor) {
  static const double BETA = 0.04, SAFETY = 0.9, SHRINK = 0.2;
  const double GROW = fb_growth_follows(s) ? 2.5 : 5; /* not far beyond the region of stability at once */
  double shaped = pow(fmax(err, 1e-10), 0.2 - 0.75 * BETA);
  if (!(err <= 1)) {
    *factor = isfinite(err) ? fmax(SHRINK, SAFETY / shaped) : 0.1;
    return 0;
  }
  *factor = fmin(GROW, fmax(SHRINK, SAFETY * pow(s->error.head->step_err, BETA) / shaped));
  s->error.head->step_err = fmax(err, 1e-4);
  return 1;
}

/* How far the states of the last two stages are apart, both at the end of the step, in entry j. */
static double apart(const double* stages, size_t ny, int j) {
  const double* last_row = A + 10;
  double sum = 0;
  for (size_t i = 0; i < STAGES - 1; i++)
    sum += (B[i] - (i < STAGES - 2 ? last_row[i] : 0)) * stages[i * ny + (size_t)j];
  return sum;
}

/* h |lambda| of the step: how much the rates of the last two stages differ, over how much their states do. */
static double stability(const fb_sim* s) {
  const double *k6 = fb_stage(s, STAGES - 2), *k7 = fb_stage(s, STAGES - 1);
  double rates = 0, states = 0;
  for (int j = s->nq; j < s->nq + s->nv; j++) {
    double x = apart(s->stages, (size_t)s->ny, j);
    rates += (k7[j] - k6[j]) * (k7[j] - k6[j]);
    states += x * x;
  }
  return states > 0 ? sqrt(rates / states) : 0;
}

/* Steps are kept inside the region of stability where the error of the whole run is followed: beyond it a decay that
 * has fallen below all tolerances grows again, unnoticed until it reaches them, and the estimate grows with it. */
static void stay_stable(fb_sim* s, double h, const fb_powers* powers) {
  static const double STABLE = 2.6, FORGET = 0.93, LEAST = 1e-3;
  double* rate = &s->error.head->step_rate;
  *rate = powers ? fmax(fb_powers_rate(powers, s, h), FORGET * *rate) : 0;
  double most = *rate > 0 ? STABLE / *rate : INFINITY;
  if (most > LEAST * h)
    s->error.head->step_next = fmin(s->error.head->step_next, most); /* else it is a jump */
}

/* Fifteen such steps, not interrupted by six others, mark the simulation as stiff. Tested now and then, until then. */
static void watch_stiffness(fb_dopri5* o, fb_sim* s, double t, double h) {
  static const double BOUND = 3.25, FOLLOWED = 2.2;
  if (isfinite(s->error.stiff_since) || (s->head->steps % 100 != 0 && o->stiff == 0)) return;
  if (fb_growth_follows(s) ? h * s->error.head->step_rate > FOLLOWED : stability(s) > BOUND) {
    o->loose = 0;
    if (++o->stiff == 15) s->error.stiff_since = t;
  } else if (o->stiff > 0 && ++o->loose == 6) {
    o->stiff = o->loose = 0;
  }
}

/* The last stage is the next step's first, once attitudes are measured from there. */
static void hand_on(fb_sim* s, const double* y) {
  double* k = fb_stage(s, 0);
  memcpy(k, fb_stage(s, STAGES - 1), (size_t)s->ny * sizeof *k);
  for (int r = 0; r < s->chart.nquat; r++)
    memcpy(k + s->chart.quat_q[r], y + s->nq + s->chart.quat_v[r], 3 * sizeof *k);
}

static fb_status first_stage(fb_dopri5* o, fb_sim* s, fb_error* error) {
  if (o->first_known) {
    hand_on(s, s->y);
    o->first_known = 0;
    return FB_OK;
  }
  return fb_stage_rate(s, FB_CHART_ROTATION, 0, s->head->t, s->y, NULL, error);
}

static fb_status give_up(double t, double h, double err, fb_error* error) {
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the step shrank to %.3g s, with an error of %.3g times the tolerance; look "
                 "for something that jumps there, as a law that switches, or take fixed steps",
                 t, h, err);
}

/* Detects a joint, or a base, that runs away, and is followed turn by turn. */
static fb_status give_up_runaway(fb_sim* s, double t, fb_error* error) {
  char what[420];
  return fb_runaway_ends(s, what, sizeof what)
             ? fb_fail(error, FB_ERR_NO_SOLUTION, "at t = %.9g s: %s", t, what)
             : FB_OK;
}

/* Advises to sample laws. */
static const char* sample_advice(const fb_sim* s) {
  for (int i = 0; i < s->block.count; i++)
    if (s->block.list[i].act && !s->block.list[i].tick && !s->block.list[i].kind_)
      return "give the law a sample, ";
  return "";
}

/* Detects a law that switches back and forth on a surface, such as a relay: steps become ever shorter, or very many
 * make no progress. */
static fb_status check_progress(fb_dopri5* o, fb_sim* s, double t, double h, fb_error* error) {
  enum { MANY = 40000, CRAWLS = 1000 };
  static const double LITTLE = 4e-4, HIDDEN = 2e-2; /* [s]; where scripts act, which may switch */
  if (h < fb_time_slack(t)) return give_up(t, h, s->error.head->step_err, error);
  o->crawls = fb_runaway_is_fast(s, h) ? o->crawls + 1 : 0;
  fb_status runaway = o->crawls >= CRAWLS ? give_up_runaway(s, t, error) : FB_OK;
  if (runaway) return runaway;
  if (o->crawls >= CRAWLS) o->crawls = 0; /* a base that no sampled law pushes: asked again later */
  if (s->head->steps - o->marked < MANY && s->head->steps >= o->marked && t >= o->t_marked) return FB_OK;
  double elapsed = t - o->t_marked;
  int stuck = s->head->steps - o->marked >= MANY && elapsed < (fb_sim_longest_step(s) > 0 ? HIDDEN : LITTLE);
  o->marked = s->head->steps;
  o->t_marked = t;
  if (!stuck) return FB_OK;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the last %d steps together made %.3g s: something jumps back and forth "
                 "there, as a law that switches; make the switch smooth, %sor take fixed steps",
                 t, MANY, elapsed, sample_advice(s));
}

/* The neighbouring motion: by the variation where steps are short compared with the fastest decay seen in the step. */
static const fb_powers* step_neighbour(fb_sim* s, double t, double h, const double* y_next, double err,
                                       int rejected) {
  static const double SHORT = 0.7;
  int quick = h * s->error.head->step_rate < SHORT;
  const fb_growth_map step_map = s->error.growth.sampled,
                      variation = {fb_variation_step, (void*)(uintptr_t)&VARIATION};
  s->error.growth.followed = quick ? variation : step_map;
  if (!fb_growth_step(s, t, h, s->y, y_next, err, rejected)) return NULL;
  return quick ? &QUICK : &WHOLE_STEP;
}

/* Accepts a step of length h. */
static void keep_step(fb_dopri5* o, fb_sim* s, double t, double h, const double* y_next, double err,
                      int rejected) {
  o->h_last = h;
  o->stages_known = 1;
  o->first_known = s->m->top.nloop == 0; /* closed loops moved the end of the step */
  if (!s->stepper.traits.adaptive) return;
  stay_stable(s, h, step_neighbour(s, t, h, y_next, err, rejected));
  watch_stiffness(o, s, t, h);
}

/* Whether a jump may be passed by a step of the shortest length, whose error is the jump times that length: the force of a damped
 * contact begins with one, to which steps converge where tolerances are tight. What jumps again and again gives up. */
static int may_leap(fb_dopri5* o, const fb_sim* s, double t, double err) {
  enum { MANY = 32 };
  static const double NEAR = 1e3; /* of the shortest steps */
  if (s->contact.ncompliant == 0 || !isfinite(err)) return 0;
  if (!(fabs(t - o->t_leapt) <= NEAR * fb_time_slack(t))) o->leaps = 0;
  if (o->leaps == 0) o->t_leapt = t;
  return o->leaps++ < MANY;
}

static fb_status advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  fb_dopri5* o = (fb_dopri5*)self;
  int adaptive = s->stepper.traits.adaptive, rejected = 0, jumps = 0, leaps = 0;
  double t = s->head->t, span = t_limit - t, longest = fb_sim_longest_step(s);
  o->stages_known = 0;
  fb_status status = first_stage(o, s, error);
  if (!status && adaptive && s->error.head->step_next <= 0) status = first_step(s, span, error);
  double h = adaptive ? fb_turning_bound(s, s->y, s->error.head->step_next, NULL) : span;
  if (h < fb_time_slack(t) && h < span && may_leap(o, s, t, h)) h = fb_time_slack(t);
  if (!status && adaptive && h < span) status = check_progress(o, s, t, h, error);
  while (!status) {
    int last = h >= span * (1 - 1e-12);
    if (last) h = span;
    status = fb_tableau_step(s, &DOPRI5, 1, t, s->y, h, y_next, error);
    if (status && !(adaptive && fb_is_too_long(status))) break;
    double factor = 1, err = status ? INFINITY : adaptive ? step_error(s, h, y_next, jumps) : 0;
    int stands = accept(s, err, &factor) || (leaps && isfinite(err));
    /* A step cut short by the limit says little about the next one. */
    double wanted = h * factor;
    if (longest > 0) wanted = fmin(wanted, longest);
    if (!stands || !last || wanted > s->error.head->step_next) s->error.head->step_next = wanted;
    if (leaps) s->error.head->step_next = fmax(s->error.head->step_next, 2 * h);
    if (stands) {
      *t_next = last ? t_limit : t + h;
      keep_step(o, s, t, h, y_next, err, rejected + jumps);
      return FB_OK;
    }
    s->head->rejected++;
    rejected = 1;
    jumps |= !status && !(err < FB_JUMPS);
    h = s->error.head->step_next;
    if (h < fb_time_slack(t)) {
      if (leaps || !may_leap(o, s, t, err)) return status ? status : give_up(t, h, err, error);
      leaps = 1;
      h = fb_time_slack(t);
    }
    if (status) fb_error_clear(error);
    status = FB_OK;
  }
  return status;
}

/* Between the ends: the interpolant; for attitudes that of the rotation vector. */
static fb_status at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  fb_dopri5* o = (fb_dopri5*)self;
  if (!o->stages_known) return fb_fail(error, FB_ERR_ARG, "t = %.9g s is not inside the step last made", t);
  double theta = (t - s->step.t0) / o->h_last, rest = 1 - theta, w[STAGES];
  for (int i = 0; i < STAGES; i++)
    w[i] = theta * (B[i] + rest * ((i == 0) - B[i] +
                                   theta * (2 * B[i] - (i == 0) - (i == STAGES - 1) + rest * DENSE[i])));
  fb_stage_combine(s, FB_CHART_ROTATION, s->y0, o->h_last, w, STAGES, s->ny, y, s->chart.xi);
  fb_flow_close(s, t, y);
  return FB_OK;
}

fb_stepper fb_stepper_dopri5(void) {
  return (fb_stepper){.start = start, .reset = reset, .step = advance, .eval = at, .free = free};
}
