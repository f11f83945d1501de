/* doubling.c -- steps made twice: error control for a method of second order
 *
 *   y_w: a step of h,   y_h: two of h/2,   err = (y_h - y_w) / 3,   y_1 = y_h + err
 *
 * err is the error of y_h up to h^4, so y_1 is of third order, and the step follows the error of a solution that is less
 * exact than the one that goes on, as in dopri5. For a stiff decay, where both go to zero, y_1 does too. Attitudes differ by
 * rotation vectors. Three steps of the method for each, six forward dynamics with the implicit midpoint rule.
 * Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4. */
#include "sim/stepper/doubling.h"
#include "sim/conserve.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

/* y_1 is more exact than y_h, whose error is estimated, by about this; and what is stiff forgets errors. */
static const double MORE_EXACT = 10;

/* err from whole and halves, as charts have it. */
static void find_error(fb_doubling* o, const fb_sim* s) {
  for (int i = 0; i < s->ny; i++) o->err[i] = (o->halves[i] - o->whole[i]) / 3;
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    const double *w = o->whole + at, back[4] = {w[0], -w[1], -w[2], -w[3]};
    double turn[4], x[3];
    fb_quat_multiply(o->halves + at, back, turn);
    fb_quat_to_rotvec(turn, x);
    for (int j = 0; j < 3; j++) o->err[at + j] = x[j] / 3;
    o->err[at + 3] = 0;
  }
}

static void extrapolate(const fb_doubling* o, fb_sim* s, double t, double* y) {
  for (int i = 0; i < s->ny; i++) y[i] = o->halves[i] + o->err[i];
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    double turn[4];
    fb_quat_from_rotvec(o->err + at, turn);
    fb_quat_multiply(turn, o->halves + at, y + at);
  }
  fb_flow_place(s, t, y);
  fb_sim_project(s, t, y);
  fb_conserve_extrapolate(s, o->whole, o->halves, y);
}

/* Whole, halves and their difference, from (t, y0). */
static fb_status double_step(fb_doubling* o, fb_sim* s, double t, const double* y0, double h,
                             fb_error* error) {
  const fb_growth_map* map = &o->map;
  fb_status status = map->step(map->self, s, t, y0, h, o->whole, error);
  if (!status) status = map->step(map->self, s, t, y0, 0.5 * h, o->middle, error);
  if (!status) status = map->step(map->self, s, t + 0.5 * h, o->middle, 0.5 * h, o->halves, error);
  if (!status) find_error(o, s);
  return status;
}

/* All of it from another state (growth.c). */
static fb_status step_beside(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                             fb_error* error) {
  fb_doubling* o = (fb_doubling*)self;
  fb_status status = double_step(o, s, t, y0, h, error);
  if (!status) extrapolate(o, s, t + h, y1);
  return status;
}

void fb_doubling_start(fb_doubling* o, fb_sim* s, fb_growth_map map, double* room) {
  size_t ny = (size_t)s->ny;
  *o = (fb_doubling){map, room, room + ny, room + 2 * ny, room + 3 * ny, room + 4 * ny};
  s->growth = (fb_growth){map, {step_beside, o}, 3};
}

static double size_of(const fb_doubling* o, const fb_sim* s, const double* y0) {
  double motion = fb_weigh(s, o->err, y0, o->halves), ledger = fb_weigh_ledger(s, o->err, y0, o->halves);
  return (ledger <= motion ? motion : ledger) / MORE_EXACT; /* a number that is none is larger than all */
}

/* The step to try next after one of length h with this error. */
static double next_step(const fb_sim* s, double h, double err) {
  static const double SAFETY = 0.85, SHRINK = 0.2, GROW = 5;
  double factor = isfinite(err) ? SAFETY * pow(fmax(err, 1e-10), -1.0 / 3) : 0.1;
  double next = h * fmin(GROW, fmax(SHRINK, factor));
  return s->options.max_step > 0 ? fmin(next, s->options.max_step) : next;
}

fb_status fb_doubling_advance(fb_doubling* o, fb_sim* s, double t_limit, double* t_next, double* y_next,
                              fb_error* error) {
  static const double FIRST = 1e-4;
  double t = s->head->t, span = t_limit - t, *next = &s->head->step_next;
  if (*next <= 0) *next = FIRST;
  int jumps = 0;
  for (double h = *next;; h = *next) {
    int last = h >= span * (1 - 1e-12);
    if (last) h = span;
    fb_status status = double_step(o, s, t, s->y, h, error);
    if (status) return status;
    double err = size_of(o, s, s->y), wanted = next_step(s, h, err);
    int stands = err <= 1;
    if (!stands || !last || wanted > *next) *next = wanted;
    if (stands) {
      *t_next = last ? t_limit : t + h;
      extrapolate(o, s, *t_next, y_next);
      memcpy(o->mapped, o->whole, (size_t)s->ny * sizeof *o->whole);
      fb_growth_step(s, t, h, s->y, o->mapped, y_next, jumps);
      return FB_OK;
    }
    s->head->rejected++;
    jumps |= !(err < FB_JUMPS);
    if (*next < fb_time_slack(t))
      return fb_fail(
          error, FB_ERR_NO_SOLUTION,
          "at t = %.9g s the step shrank to %.3g s and the error is still %.3g times the tolerance; "
          "lower the accuracy, give a fixed step, or look for something that jumps there",
          t, *next, err);
  }
}

fb_status fb_doubling_at(fb_doubling* o, fb_sim* s, double t, double* y, fb_error* error) {
  fb_status status = double_step(o, s, s->t0, s->y0, t - s->t0, error);
  if (!status) extrapolate(o, s, t, y);
  return status;
}
