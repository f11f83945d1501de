/* doubling.c -- steps made twice: error control for a method of second order
 *
 *   y_w: a step of h,   y_h: two of h/2,   err = (y_h - y_w) / 3,   y_1 = y_h + err
 *
 * err is the error of y_h up to h^4, so y_1 is of third order, and the step follows the error of a solution that is less
 * exact than the one that goes on, as in dopri5. For a stiff decay, where both go to zero, y_1 does too. Attitudes differ by
 * rotation vectors. Forces that jump after the last stage are looked for apart. Three steps of the method for each, six forward dynamics with the implicit midpoint rule.
 * Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4. */
#include "sim/stepper/doubling.h"
#include "ledger/conserve.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/response.h>
#include <freebody/status.h>

#include "kernel/instances.h"
#include "sim/diagnosis.h"
#include "sim/flow.h"

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

void fb_doubling_start(fb_doubling* o, fb_sim* s, fb_growth_map map, const fb_parameters* lifted,
                       double* room) {
  size_t ny = (size_t)s->ny;
  *o = (fb_doubling){.map = map,
                     .whole = room,
                     .middle = room + ny,
                     .halves = room + 2 * ny,
                     .err = room + 3 * ny,
                     .mapped = room + 4 * ny,
                     .pushes = {room + 5 * ny, room + 6 * ny, room + 7 * ny},
                     .unseen = room + 8 * ny,
                     .lifted = lifted};
  s->growth = (fb_growth){map, {step_beside, o}, 3};
}

/* What block i pushes at the start, the middle and the end of the step: the second difference of its forces, or of accelerations
 * where it moves joints, into the first. 0: it failed, or pushes evenly. */
static int bends(fb_doubling* o, fb_sim* s, int i, double t, double h, const double* y0) {
  const double* const states[] = {y0, o->middle, o->halves};
  int moves = s->blocks[i].moves, found = 0;
  for (int j = 0; j < 3; j++)
    if (!fb_probe_ask(s, i, t + 0.5 * j * h, states[j], moves ? s->tau : o->pushes[j],
                      moves ? o->pushes[j] : s->vdot))
      return 0;
  for (int k = 0; k < s->nv; k++) {
    o->pushes[0][k] += o->pushes[2][k] - 2 * o->pushes[1][k];
    found |= o->pushes[0][k] != 0;
  }
  return found;
}

/* Velocities that the bends make, into x. */
static void respond(fb_doubling* o, fb_sim* s, int moves, double* x) {
  const fb_parameters* own = s->d->par;
  if (moves) {
    memcpy(x, o->pushes[0], (size_t)s->nv * sizeof *x);
    return;
  }
  for (int k = 0; k < s->nv; k++) s->prescribed[k] = s->motion[k] != FB_MOVE_BY_FORCE;
  s->d->par = o->lifted;
  fb_response_begin(s->m, s->d, o->halves, s->prescribed);
  s->m->kernels->response(&s->m->top, s->d->par, s->d, o->pushes[0], NULL, s->prescribed, x);
  s->d->par = own;
}

/* The last stage is at 3/4 of the step: what scripts and plugins begin after it, without announcing it, no step sees, nor does the
 * next one. Simpson's rule has the end of the step, and differs from the midpoint rule by h/6 of the second difference. */
static double unseen(fb_doubling* o, fb_sim* s, double t, double h, const double* y0) {
  double worst = 0, *x = o->pushes[1];
  for (int i = 0; i < s->nblock; i++) {
    if (!(s->blocks[i].longest_step > 0) || !s->blocks[i].act || !fb_block_acts(s, i)) continue;
    if (!bends(o, s, i, t, h, y0)) continue;
    respond(o, s, s->blocks[i].moves, x);
    memset(o->unseen, 0, (size_t)s->ny * sizeof *o->unseen);
    for (int k = 0; k < s->nv; k++) o->unseen[s->nq + k] = h / 6 * x[k];
    worst = fb_worse(worst, fb_weigh(s, o->unseen, y0, o->halves));
  }
  return worst / MORE_EXACT;
}

static double size_of(const fb_doubling* o, fb_sim* s, const double* y0, int jumps) {
  return fb_worse(fb_weigh(s, o->err, y0, o->halves), fb_weigh_ledger(s, o->err, y0, o->halves, jumps)) /
         MORE_EXACT;
}

/* The error of the step from s->y, in units of its tolerance. */
static double error_of(fb_doubling* o, fb_sim* s, double t, double h, int jumps) {
  return fb_worse(size_of(o, s, s->y, jumps), unseen(o, s, t, h, s->y));
}

/* The step to try next after one of length h with this error. */
static double next_step(const fb_sim* s, double h, double err) {
  static const double SAFETY = 0.85, SHRINK = 0.2, GROW = 5;
  double factor = isfinite(err) ? SAFETY * pow(fmax(err, 1e-10), -1.0 / 3) : 0.1;
  double next = h * fmin(GROW, fmax(SHRINK, factor));
  double longest = fb_sim_longest_step(s);
  return longest > 0 ? fmin(next, longest) : next;
}

fb_status fb_doubling_advance(fb_doubling* o, fb_sim* s, double t_limit, double* t_next, double* y_next,
                              fb_error* error) {
  static const double FIRST = 1e-4;
  double t = s->head->t, span = t_limit - t, *next = &s->head->step_next;
  if (*next <= 0) *next = FIRST;
  int rejected = 0, jumps = 0;
  for (double h = *next;; h = *next) {
    int last = h >= span * (1 - 1e-12);
    if (last) h = span;
    fb_status status = double_step(o, s, t, s->y, h, error);
    if (status && !fb_is_too_long(status)) return status;
    double err = status ? INFINITY : error_of(o, s, t, h, jumps);
    double wanted = next_step(s, h, err);
    int stands = err <= 1;
    if (!stands || !last || wanted > *next) *next = wanted;
    if (stands) {
      *t_next = last ? t_limit : t + h;
      extrapolate(o, s, *t_next, y_next);
      memcpy(o->mapped, o->whole, (size_t)s->ny * sizeof *o->whole);
      fb_growth_step(s, t, h, s->y, o->mapped, y_next, err, rejected);
      return FB_OK;
    }
    s->head->rejected++;
    rejected = 1;
    jumps |= !status && !(err < FB_JUMPS);
    if (*next < fb_time_slack(t) && status) return status;
    if (status) fb_error_clear(error);
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
