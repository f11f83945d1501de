/* long_run.c -- what momentum and energy come to when a satellite tumbles for an hour, method by method.
 *
 * The model is sat12 of the registry: a free base of 2500 kg, a 6-joint arm and two paddle chains, all joints loose, so
 * that the arm whips about at tens of rad/s. Beside the momentum-preserving method stand two other ways to keep
 * momentum (long_run_candidates.c), RK4, RKMK4 and dopri5; the latter also at equal cost.
 *
 *   bench_long_run [--seconds S] [--step H] [--check]
 *     --seconds S   how long it tumbles, 3600
 *     --step H      step of the methods that are compared at the same step [s], 0.01
 *     --check       the momentum-preserving method alone; fails when momentum changed by more than 1e-12, or the trend
 *                   of energy by more than 1e-5
 *
 * Momenta: the largest change, of sum m |v| and of sum |L_i|. Energy: the largest change, its root mean square, and
 * its trend over the whole run (slope of the line through all changes, times the duration, with the standard error
 * from the means of a hundred stretches), of the kinetic energy at the start. Cost: forward dynamics a step and a
 * simulated second, measured by time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/configuration.h>
#include <freebody/dynamics.h>
#include <freebody/sim.h>

#include "../tests/rigs/keep_nan.h"
#include "bench_own.h"
#include "long_run_candidates.h"

typedef struct run {
  const char* name;
  fb_method method;
  double step;                     /* 0: adaptive */
  double rtol;                     /* of dopri5 */
  fb_stepper (*candidate)(double); /* with FB_METHOD_CUSTOM */
} run;

typedef struct outcome {
  double linear, angular; /* largest, of the scales */
  double energy;          /* largest, of the kinetic energy at the start */
  double scatter;         /* its root mean square about the line below */
  double trend, error;    /* slope of the line through all changes, times the duration; its standard error */
  double seconds;         /* of CPU time */
  long long steps;
} outcome;

static fb_model* model;
static double q_start[64], v_start[64];

static void stop_with(const char* what, const fb_error* error) {
  fprintf(stderr, "bench_long_run: %s: %s\n", what, error->text);
  exit(1);
}

static double now(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void set_up(void) {
  static const double BASE[6] = {0.02, -0.01, 0.03, 0.2, 0.25, -0.3};
  bench_model table;
  fb_error error = {.text = "no memory"};
  if (!bench_model_open(bench_model_find("sat12"), &table)) stop_with("sat12", &error);
  model = bench_own_build(&table, &error);
  bench_model_close(&table);
  if (!model) stop_with("sat12", &error);
  fb_neutral(model, q_start);
  fb_random_v(model, 3, v_start);
  for (int k = 6; k < fb_model_nv(model); k++) v_start[k] *= 0.3;
  for (int k = 7; k < fb_model_nq(model); k++) q_start[k] = 0.3 * sin(k);
  memcpy(v_start, BASE, sizeof BASE);
}

static fb_sim* begin(const run* r) {
  fb_error error;
  fb_sim* sim = NULL;
  fb_stepper stepper;
  fb_sim_options options = fb_default_sim_options();
  options.method = r->method;
  options.step = r->step;
  options.adaptive = r->step == 0;
  if (r->rtol > 0) options.rtol = options.atol = r->rtol;
  if (r->candidate) {
    stepper = r->candidate(r->step);
    options.stepper = &stepper;
  }
  if (fb_sim_new(model, &options, &sim, &error) || fb_sim_start(sim, q_start, v_start, &error))
    stop_with(r->name, &error);
  return sim;
}

/* Sums for the line through (t, x). */
typedef struct line {
  double n, t, tt, x, tx, xx;
} line;

static void line_add(line* l, double t, double x) {
  l->n++;
  l->t += t;
  l->tt += t * t;
  l->x += x;
  l->tx += t * x;
  l->xx += x * x;
}

static double line_slope(const line* l) {
  return (l->n * l->tx - l->t * l->x) / (l->n * l->tt - l->t * l->t);
}

static double line_scatter(const line* l) {
  double slope = line_slope(l), level = (l->x - slope * l->t) / l->n;
  return sqrt(worse_of(0, (l->xx - slope * l->tx - level * l->x) / l->n));
}

/* The slope's standard error, were the points independent. */
static double line_error(const line* l) {
  return line_scatter(l) / sqrt(worse_of(1, l->n - 2) * (l->tt / l->n - l->t * l->t / (l->n * l->n)));
}

/* A sample ten times a second; time spent on them does not count. */
static outcome tumble(const run* r, double duration) {
  enum { RATE = 10, STRETCHES = 100 };
  fb_sim* sim = begin(r);
  fb_error error;
  fb_ledger l;
  outcome out = {0};
  line all = {0}, stretches = {0}, stretch = {0};
  long samples = lround(duration * RATE);
  for (long i = 1; i <= samples; i++) {
    double t0 = now(), t = (double)i / RATE;
    if (fb_sim_run_until(sim, t, &error)) stop_with(r->name, &error);
    out.seconds += now() - t0;
    fb_sim_ledger(sim, &l);
    double energy = l.residual / l.kinetic_0;
    out.linear = worse_of(out.linear, l.linear_residual / l.linear_scale);
    out.angular = worse_of(out.angular, l.angular_residual / l.angular_scale);
    out.energy = worse_of(out.energy, fabs(energy));
    line_add(&all, t, energy);
    line_add(&stretch, t, energy);
    if (i * STRETCHES / samples == (i - 1) * STRETCHES / samples) continue;
    line_add(&stretches, stretch.t / stretch.n, stretch.x / stretch.n);
    stretch = (line){0};
  }
  out.scatter = line_scatter(&all);
  out.trend = line_slope(&all) * duration;
  out.error = line_error(&stretches) * duration;
  out.steps = fb_sim_nstep(sim);
  fb_sim_free(sim);
  return out;
}

/* Seconds of CPU time of one forward dynamics. */
static double time_forward_dynamics(void) {
  enum { CALLS = 200000 };
  double tau[64] = {0}, vdot[64], best = INFINITY;
  fb_data* d = fb_data_new(model);
  if (!d) exit(1);
  for (int trial = 0; trial < 3; trial++) {
    double t0 = now();
    for (int i = 0; i < CALLS; i++) fb_forward_dynamics(model, d, q_start, v_start, tau, NULL, vdot);
    best = fmin(best, (now() - t0) / CALLS);
  }
  fb_data_free(d);
  return best;
}

static outcome report(const run* r, double duration, double unit) {
  outcome out = tumble(r, duration);
  printf("%-20s %6.3g %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e %6.1f %6.0f\n", r->name,
         1000 * duration / (double)out.steps, out.linear, out.angular, out.energy, out.scatter, out.trend,
         out.error, out.seconds / (double)out.steps / unit, out.seconds / duration / unit);
  fflush(stdout);
  return out;
}

/* The tolerance at which dopri5 costs as much a simulated second, by halving on a short run. */
static double equal_tolerance(double cost, double duration) {
  double low = -12, high = -3;
  for (int i = 0; i < 12; i++) {
    double middle = 0.5 * (low + high);
    run r = {"dopri5", FB_METHOD_DOPRI5, 0, pow(10, middle), NULL};
    *(tumble(&r, duration).seconds / duration > cost ? &low : &high) = middle;
  }
  return pow(10, 0.5 * (low + high));
}

/* 0 when momentum and energy are kept as promised. */
static int check(outcome o) {
  int kept = o.linear <= 1e-12 && o.angular <= 1e-12 && fabs(o.trend) <= 1e-5;
  printf("\n%s\n", kept ? "kept" : "NOT kept: momentum to 1e-12, trend of energy to 1e-5");
  return !kept;
}

int main(int argc, char** argv) {
  double duration = 3600, step = 0.01;
  int check_only = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      check_only = 1;
      continue;
    }
    double* to = strcmp(argv[i], "--seconds") == 0 ? &duration
                 : strcmp(argv[i], "--step") == 0  ? &step
                                                   : NULL;
    if (!to || i + 1 == argc || !((*to = atof(argv[++i])) > 0)) {
      fprintf(stderr, "usage: bench_long_run [--seconds S] [--step H] [--check]\n");
      return 2;
    }
  }
  set_up();
  double unit = time_forward_dynamics();
  printf("sat12 tumbling for %g s; forward dynamics %.0f ns\n\n", duration, 1e9 * unit);
  static const char* const HEAD[2][10] = {
      {"method", "step", "linear", "angular", "energy", "energy", "energy", "", "cost", "cost"},
      {"", "ms", "momentum", "momentum", "largest", "rms", "trend", "+-", "a step", "a s"}};
  for (int i = 0; i < 2; i++)
    printf("%-20s %6s %9s %9s %9s %9s %9s %9s %6s %6s\n", HEAD[i][0], HEAD[i][1], HEAD[i][2], HEAD[i][3],
           HEAD[i][4], HEAD[i][5], HEAD[i][6], HEAD[i][7], HEAD[i][8], HEAD[i][9]);
  const run momentum = {"momentum", FB_METHOD_MOMENTUM, step, 0, NULL};
  const run same[] = {{"midpoint in (q, v)", FB_METHOD_CUSTOM, step, 0, candidate_midpoint},
                      {"reduction, RKMK4", FB_METHOD_CUSTOM, step, 0, candidate_reduction},
                      {"rk4", FB_METHOD_RK4, step, 0, NULL},
                      {"rkmk4", FB_METHOD_RKMK4, step, 0, NULL}};
  outcome ours = report(&momentum, duration, unit), last = ours;
  if (check_only) {
    fb_model_free(model);
    return check(ours);
  }
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) last = report(&same[i], duration, unit);
  double cost = ours.seconds / duration;
  double shorter = step * fmin(1, last.seconds / ours.seconds);
  const run equal[] = {
      {"rk4, equal cost", FB_METHOD_RK4, shorter, 0, NULL},
      {"dopri5, equal cost", FB_METHOD_DOPRI5, 0, equal_tolerance(cost, fmin(duration, 300)), NULL}};
  for (size_t i = 0; i < sizeof equal / sizeof equal[0]; i++) report(&equal[i], duration, unit);
  printf("\ndopri5 with rtol = atol = %.1e\n", equal[1].rtol);
  fb_model_free(model);
  return 0;
}
