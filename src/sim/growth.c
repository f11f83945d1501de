/* growth.c -- how far a run has gone from the true motion: errors of steps, carried along with the motion
 *
 *   e_1 = (S(y_0 + sigma e_0) - S(y_0)) / sigma + err          S a step of the method, err its estimated error
 *
 * Error control bounds the error of each step. What becomes of it depends on the motion: a brake forgets it, in free
 * flight it grows with time, and arms that swing freely may multiply it by ten in every half second, whatever the method
 * is. e is an estimate of the difference to the true motion, to first order: [nv] positions, attitudes as rotation vectors in
 * the axes of the joint's place, [nv] velocities, [nx] states and [nmemory] memory of the blocks. sigma makes it so
 * small that S is linear, and so large that rounding does not matter.
 * Laws that tick see the motion beside the computed one too, if they may be asked twice (fb_block.tick_aside_); with others,
 * with hard contacts, and where rtol and atol are given, nothing is estimated. Events and impacts leave e as it is.
 * While the estimate is far below what is promised, only every fourth step is followed, and its growth counts four times.
 * Cost: a quarter of a step more for each, a whole one for motions that multiply errors. It is part of the state, so that a resumed run ends with the same verdict. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "sim/error_control.h"

/* The solution that goes on is of higher order than the one whose error is estimated, and more exact: by 2 to 100 times. */
static const double SHARE = 0.2;
static const double FAR = 1e-3; /* times what is promised: an estimate below it may be less exact */
enum { SELDOM = 4 };
static const double BESIDE = 1e-6; /* how far the motion beside is, in units of the sizes of the motion */

static int noff(const fb_sim* s) {
  return 2 * s->nv + s->nx + s->nmemory;
}

int fb_growth_follows(const fb_sim* s) {
  return s->follows && !s->head->error_lost;
}

void fb_growth_begin(fb_sim* s) {
  s->follows = s->options.rtol == 0 && s->stepper.traits.adaptive && !s->touch;
  for (int i = 0; i < s->nblock; i++)
    if (s->blocks[i].tick && !s->blocks[i].tick_aside_) s->follows = 0;
  s->head->error_t = INFINITY;
}

/* ---- between e and states ---- */

/* y moved by sigma e. */
static void displace(const fb_sim* s, const double* y, double sigma, double* beside) {
  const double* e = s->off;
  memcpy(beside, y, (size_t)s->ny * sizeof *y);
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) beside[at] += sigma * e[k];
    beside[s->nq + k] += sigma * e[s->nv + k];
  }
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* turn = e + s->chart.quat_v[r];
    const double x[3] = {sigma * turn[0], sigma * turn[1], sigma * turn[2]};
    double by[4], *quat = beside + s->chart.quat_q[r];
    fb_quat_from_rotvec(x, by);
    fb_quat_multiply(by, y + s->chart.quat_q[r], quat);
    fb_quat_normalise(quat);
  }
  for (int i = 0; i < s->nx; i++) beside[s->nq + s->nv + i] += sigma * e[2 * s->nv + i];
  for (int i = 0; i < s->nmemory; i++) s->memory_beside[i] = s->memory[i] + sigma * e[2 * s->nv + s->nx + i];
}

/* What beside differs from y by, over sigma. */
static void take_difference(fb_sim* s, const double* y, const double* beside, double sigma) {
  double* e = s->off;
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) e[k] = (beside[at] - y[at]) / sigma;
    e[s->nv + k] = (beside[s->nq + k] - y[s->nq + k]) / sigma;
  }
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* quat = y + s->chart.quat_q[r];
    const double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
    double turn[4], *x = e + s->chart.quat_v[r];
    fb_quat_multiply(beside + s->chart.quat_q[r], back, turn);
    for (int j = 0; j < 3; j++) x[j] = (turn[0] < 0 ? -2 : 2) * turn[1 + j] / sigma;
  }
  for (int i = 0; i < s->nx; i++)
    e[2 * s->nv + i] = (beside[s->nq + s->nv + i] - y[s->nq + s->nv + i]) / sigma;
}

/* The estimate of a step's error, as charts have it (runge_kutta.h). */
static void add_error(fb_sim* s, const double* err) {
  double* e = s->off;
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) e[k] += SHARE * err[at];
    e[s->nv + k] += SHARE * err[s->nq + k];
  }
  for (int r = 0; r < s->chart.nquat; r++)
    for (int j = 0; j < 3; j++) e[s->chart.quat_v[r] + j] += SHARE * err[s->chart.quat_q[r] + j];
  for (int i = 0; i < s->nx; i++) e[2 * s->nv + i] += SHARE * err[s->nq + s->nv + i];
}

/* sigma for the present e, 0 where there is none. */
static double scale_of(const fb_sim* s, const double* y) {
  double size = fb_weigh_off(s, s->off, y, 0);
  return size > 0 && isfinite(size) ? BESIDE / size : 0;
}

static void lose(fb_sim* s) {
  s->head->error_lost = 1;
  memset(s->off, 0, (size_t)noff(s) * sizeof *s->off);
}

static void keep_worst(fb_sim* s, double t, const double* y1) {
  double error = fb_weigh_off(s, s->off, y1, 1);
  if (!isfinite(error)) lose(s);
  if (error > s->head->error) s->head->error = error;
  if (error > FB_PROMISED * s->options.accuracy && t < s->head->error_t) s->head->error_t = t;
}

/* ---- steps ---- */

/* e after the step that map made from y0 to y1; 0 when it came to nothing. */
static int step_beside(fb_sim* s, double t, double h, const double* y0, const double* y1, double sigma,
                       fb_growth_map map, void* self) {
  double *stages = s->stages, *memory = s->memory;
  fb_error none;
  fb_rank_watch ranks = s->ranks;
  displace(s, y0, sigma, s->y_beside);
  s->stages = s->stages_beside;
  s->memory = s->memory_beside;
  s->aside = 1;
  fb_status status = map(self, s, t, s->y_beside, h, s->y_beside_1, &none);
  s->aside = 0;
  s->memory = memory;
  s->stages = stages;
  s->ranks = ranks;
  if (!status) take_difference(s, y1, s->y_beside_1, sigma);
  return !status;
}

/* Steps between those that are followed grow as these do. */
static void count_again(fb_sim* s, const double* y1, double before) {
  double growth = fb_weigh_off(s, s->off, y1, 0) / before, factor = 1;
  for (int i = 1; i < SELDOM; i++) factor *= growth;
  for (int i = 0; factor > 1 && i < noff(s); i++) s->off[i] *= factor;
}

static int is_seldom(const fb_sim* s, const double* y0) {
  return fb_weigh_off(s, s->off, y0, 1) < FAR * FB_PROMISED * s->options.accuracy;
}

int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y1, fb_growth_map map,
                   void* self, const double* err) {
  if (!fb_growth_follows(s)) return 0;
  int seldom = is_seldom(s, y0), skip = seldom && s->head->steps % SELDOM != 0;
  memcpy(s->off_err, err, (size_t)s->ny * sizeof *err);
  double sigma = skip ? 0 : scale_of(s, y0);
  if (sigma > 0 && !step_beside(s, t, h, y0, y1, sigma, map, self)) {
    lose(s);
    return 0;
  }
  if (sigma > 0 && seldom) count_again(s, y1, BESIDE / sigma);
  add_error(s, s->off_err);
  keep_worst(s, t + h, y1);
  return sigma > 0;
}

/* ---- ticks ---- */

double fb_growth_tick_begin(fb_sim* s) {
  double sigma = fb_growth_follows(s) ? scale_of(s, s->y) : 0;
  if (sigma > 0) displace(s, s->y, sigma, s->y_beside);
  return sigma;
}

void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status) {
  if (!(sigma > 0)) return;
  if (status) {
    lose(s);
    return;
  }
  double* e = s->off + 2 * s->nv;
  for (int i = 0; i < s->nx; i++) e[i] = (s->y_beside[s->nq + s->nv + i] - s->y[s->nq + s->nv + i]) / sigma;
  for (int i = 0; i < s->nmemory; i++) /* some of it may be infinite: times that never come */
    e[s->nx + i] = s->memory_beside[i] == s->memory[i] ? 0 : (s->memory_beside[i] - s->memory[i]) / sigma;
}

/* ---- joins and partings ---- */

void fb_growth_carry(fb_sim* s) {
  double size = s->head->error / s->options.accuracy;
  for (int k = 0; k < s->nv; k++) s->off[k] = size * s->options.accuracy;
}

double fb_sim_error_estimate(const fb_sim* s, double* since) {
  int known = s->started && fb_growth_follows(s);
  if (since) *since = known ? s->head->error_t : INFINITY;
  return known ? s->head->error : NAN;
}
