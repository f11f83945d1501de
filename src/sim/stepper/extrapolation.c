/* extrapolation.c -- error control for a method of second order, by extrapolation of its steps
 *
 *   y_n: n steps of h/n, n = 1, 2, 3, which end at y + a h^2 / n^2 + b h^3 / n^3 + ...
 *
 *   y_1 = y_(1) / 12 - 4 y_(2) / 3 + 9 y_(3) / 4                               of order four, in one step to h^5
 *   err = y_1 - (9 y_(3) - 4 y_(2)) / 5                                        of order h^4: that of the last two alone
 *
 * so the step is controlled by the error of a solution that is less exact than the continued one, as in dopri5. For a
 * stiff decay, where all of them go to zero, y_1 does too. Differences of attitudes are rotation vectors. Forces that
 * begin or end after the last stage are searched separately. Six steps of the method for each, twelve forward
 * dynamics with the implicit midpoint rule; two steps, of h and h/2 twice, made 2.5 to 6 times as many steps.
 * Deuflhard 1983; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9; Hairer, Wanner II, IV.9. */
#include "sim/stepper/extrapolation.h"
#include "ledger/conserve.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/response.h>
#include <freebody/status.h>

#include "contact/dynamics/step_contact.h"
#include "contact/pair.h"
#include "kernel/instances.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/flow.h"
#include "sim/accuracy/turning.h"

/* y_1 is more exact than the solution of err, by about this factor; and stiff components lose their errors. */
static const double MORE_EXACT = 10;
/* Of the ends: y_1 and err. */
enum { LEVELS = 3, LAST = LEVELS - 1 };
static const double WEIGHTS[] = {1.0 / 12, -4.0 / 3, 9.0 / 4};
static const double ERROR[] = {1.0 / 12, -8.0 / 15, 9.0 / 20};

/* The weighted sum of the first ends, less the last with the same weights, in the chart: attitudes as rotation
 * vectors. */
static void sum_ends(const fb_extrapolation* o, const fb_sim* s, const double* weights, double* sum) {
  const double* last = o->ends[LAST];
  memset(sum, 0, (size_t)s->ny * sizeof *sum);
  for (int n = 0; n < LAST; n++)
    for (int i = 0; i < s->ny; i++) sum[i] += weights[n] * (o->ends[n][i] - last[i]);
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    const double back[4] = {last[at], -last[at + 1], -last[at + 2], -last[at + 3]};
    memset(sum + at, 0, 4 * sizeof *sum);
    for (int n = 0; n < LAST; n++) {
      double turn[4], x[3];
      fb_quat_multiply(o->ends[n] + at, back, turn);
      fb_quat_to_rotvec(turn, x);
      for (int j = 0; j < 3; j++) sum[at + j] += weights[n] * x[j];
    }
  }
}

/* The end at t that the first ends extrapolate to. */
static void extrapolate(const fb_extrapolation* o, fb_sim* s, double t, double* y) {
  const double* last = o->ends[LAST];
  sum_ends(o, s, WEIGHTS, o->more);
  for (int i = 0; i < s->ny; i++) y[i] = last[i] + o->more[i];
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    double turn[4];
    fb_quat_from_rotvec(o->more + at, turn);
    fb_quat_multiply(turn, last + at, y + at);
  }
  fb_flow_place(s, t, y);
  fb_sim_project(s, t, y);
  fb_conserve_extrapolate(s, (const double* const*)o->ends, WEIGHTS, LEVELS, y);
}

/* The end of a step by `count` steps of the method; that of the first of two stays in o->middle. */
static fb_status step_by(fb_extrapolation* o, fb_sim* s, double t, const double* y0, double h, int count,
                         fb_error* error) {
  double part = h / count;
  for (int i = 0; i < count; i++) {
    double* to = i == count - 1 ? o->ends[count - 1] : count == 2 ? o->middle : o->between[i % 2];
    fb_status status = o->map.step(o->map.self, s, t + i * part, y0, part, to, error);
    if (status) return status;
    y0 = to;
  }
  return FB_OK;
}

static fb_status find_ends(fb_extrapolation* o, fb_sim* s, double t, const double* y0, double h,
                           fb_error* error) {
  fb_status status = FB_OK;
  for (int count = 1; count <= LEVELS && !status; count++) status = step_by(o, s, t, y0, h, count, error);
  return status;
}

/* All of it from another state (growth.c). */
static fb_status step_neighbour(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                                fb_error* error) {
  fb_extrapolation* o = (fb_extrapolation*)self;
  fb_status status = find_ends(o, s, t, y0, h, error);
  if (!status) extrapolate(o, s, t + h, y1);
  return status;
}

void fb_extrapolation_start(fb_extrapolation* o, fb_sim* s, fb_growth_map map, const fb_parameters* lifted,
                            double* room) {
  size_t ny = (size_t)s->ny;
  *o = (fb_extrapolation){.map = map,
                          .ends = {room, room + ny, room + 2 * ny},
                          .middle = room + 3 * ny,
                          .between = {room + 4 * ny, room + 5 * ny},
                          .err = room + 6 * ny,
                          .more = room + 7 * ny,
                          .pushes = {room + 8 * ny, room + 9 * ny, room + 10 * ny},
                          .unseen = room + 11 * ny,
                          .lifted = lifted};
  const fb_growth_map own = {step_neighbour, o};
  s->error.growth = (fb_growth){.followed = own, .sampled = own, .cut = own, .order = 4};
}

/* Forces of block i at the start, the middle and the end of the step, or accelerations where it moves joints: their
 * second difference, into the first. 0: it failed, or the difference is zero. */
static int bends(fb_extrapolation* o, fb_sim* s, int i, double t, double h, const double* y0) {
  const double* const states[] = {y0, o->middle, o->ends[LAST]};
  int moves = s->block.list[i].moves, found = 0;
  for (int j = 0; j < 3; j++)
    if (!fb_probe_forces(s, i, t + 0.5 * j * h, states[j], moves ? s->tau : o->pushes[j],
                         moves ? o->pushes[j] : s->vdot))
      return 0;
  for (int k = 0; k < s->nv; k++) {
    o->pushes[0][k] += o->pushes[2][k] - 2 * o->pushes[1][k];
    found |= o->pushes[0][k] != 0;
  }
  return found;
}

/* The velocities that result from the second differences, into x. */
static void respond(fb_extrapolation* o, fb_sim* s, int moves, double* x) {
  const fb_parameters* saved = s->d->par;
  if (moves) {
    memcpy(x, o->pushes[0], (size_t)s->nv * sizeof *x);
    return;
  }
  for (int k = 0; k < s->nv; k++) s->motion.prescribed[k] = s->motion.of[k] != FB_MOTION_FORCE;
  s->d->par = o->lifted;
  fb_response_begin(s->m, s->d, o->ends[LAST], s->motion.prescribed);
  s->m->kernels->response(&s->m->top, s->d->par, s->d, 1, s->m->top.nlink, o->pushes[0], NULL,
                          s->motion.prescribed, x);
  s->d->par = saved;
}

/* The velocities that the forces of block i in o->pushes[0] give in a time, in units of the tolerance. */
static double weigh_forces(fb_extrapolation* o, fb_sim* s, int i, double time, const double* y0) {
  double* x = o->pushes[1];
  respond(o, s, s->block.list[i].moves, x);
  memset(o->unseen, 0, (size_t)s->ny * sizeof *o->unseen);
  for (int k = 0; k < s->nv; k++) o->unseen[s->nq + k] = time * x[k];
  return fb_weigh(s, o->unseen, y0, o->ends[LAST]);
}

/* Points of contact i with a force at (t, y). */
static int pushing(fb_extrapolation* o, fb_sim* s, int i, double t, const double* y) {
  const fb_contact_block* contact = (const fb_contact_block*)s->block.list[i].user;
  return fb_probe_forces(s, i, t, y, o->pushes[0], s->vdot) ? contact->pushing : -1;
}

/* Whether forces at points of contact i begin or end where the stages, the last of which is at 5/6 of the step, may
 * have missed it. After the steps themselves. */
static int begins_or_ends(fb_extrapolation* o, fb_sim* s, int i, double t, double h, const double* y0) {
  int last = ((const fb_contact_block*)s->block.list[i].user)->pushing;
  return pushing(o, s, i, t + h, o->ends[LAST]) != last || pushing(o, s, i, t, y0) != last;
}

/* The weight with which the forces of block i at the ends of the step count as an error; 0: none. */
static double doubt_of(fb_extrapolation* o, fb_sim* s, int i, double t, double h, const double* y0) {
  const fb_block* block = &s->block.list[i];
  if (!block->act || !fb_block_acts(s, i)) return 0;
  if (block->longest_step > 0) return 1 / MORE_EXACT;
  return fb_block_is(block, &FB_BLOCK_COMPLIANT_CONTACT) && begins_or_ends(o, s, i, t, h, y0);
}

/* Of a contact whose force changes sides within the step, it is not known where: what the force is worth over the step
 * counts as an error. 0: it does not. */
static double changing_sides(fb_extrapolation* o, fb_sim* s, int i, double t, double h, const double* y0) {
  const double times[] = {t, t + h / 2, t + h};
  const double* const states[] = {y0, o->middle, o->ends[LAST]};
  double worst = 0;
  if (!fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT) || !fb_block_acts(s, i)) return 0;
  if (!fb_meetings_change_sides(s, i, 3, times, states)) return 0;
  for (int k = 0; k < 3; k++)
    if (fb_probe_forces(s, i, times[k], states[k], o->pushes[0], s->vdot))
      worst = fb_worse(worst, weigh_forces(o, s, i, h, y0));
  return worst;
}

/* The last stage is at 5/6 of the step: forces of scripts, plugins and contacts that begin after it, unannounced, are
 * seen neither by this step nor by the next. Simpson's rule has the ends of the step, and differs from the midpoint
 * rule by h/6 of the second difference. Of a contact that begins or ends within the step, the solution that continues
 * is no more exact than the others. */
static double unseen(fb_extrapolation* o, fb_sim* s, double t, double h, const double* y0) {
  double worst = 0;
  for (int i = 0; i < s->block.count; i++) {
    double doubt = doubt_of(o, s, i, t, h, y0);
    if (doubt > 0 && bends(o, s, i, t, h, y0))
      worst = fb_worse(worst, doubt * weigh_forces(o, s, i, h / 6, y0));
    worst = fb_worse(worst, changing_sides(o, s, i, t, h, y0));
  }
  return worst;
}

static double size_of(const fb_extrapolation* o, fb_sim* s, const double* y0, int jumps) {
  sum_ends(o, s, ERROR, o->err);
  return fb_worse(fb_weigh(s, o->err, y0, o->ends[LAST]),
                  fb_weigh_ledger(s, o->err, y0, o->ends[LAST], jumps)) /
         MORE_EXACT;
}

/* The step to try next after one of length h with this error. */
static double next_step(const fb_sim* s, double h, double err, int rejected) {
  static const double SAFETY = 0.85, SHRINK = 0.2;
  const double GROW = rejected ? 1 : 2.5;
  double factor = isfinite(err) ? SAFETY * pow(fmax(err, 1e-10), -1.0 / 4) : 0.1;
  double next = h * fmin(GROW, fmax(SHRINK, factor));
  double longest = fb_sim_longest_step(s);
  return longest > 0 ? fmin(next, longest) : next;
}

fb_status fb_extrapolation_advance(fb_extrapolation* o, fb_sim* s, double t_limit, double* t_next,
                                   double* y_next, fb_error* error) {
  static const double FIRST = 1e-4;
  double t = s->head->t, span = t_limit - t, *next = &s->error.head->step_next;
  if (*next <= 0) *next = FIRST;
  int rejected = 0, jumps = 0;
  for (double h = fb_turning_bound(s, s->y, *next, NULL);; h = *next) {
    int last = h >= span * (1 - 1e-12);
    if (last) h = span;
    fb_status status = find_ends(o, s, t, s->y, h, error);
    if (status && !fb_is_too_long(status)) return status;
    double err = status ? INFINITY : fb_worse(size_of(o, s, s->y, jumps), unseen(o, s, t, h, s->y));
    double wanted = next_step(s, h, err, rejected);
    int stands = err <= 1;
    if (!stands || !last || wanted > *next) *next = wanted;
    if (stands) {
      *t_next = last ? t_limit : t + h;
      extrapolate(o, s, *t_next, y_next);
      fb_growth_step(s, t, h, s->y, y_next, err, rejected);
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
          "at t = %.9g s the step shrank to %.3g s and the error is still %.3g times the tolerance; lower "
          "the accuracy, give a fixed step, or look for something that jumps there",
          t, *next, err);
  }
}

fb_status fb_extrapolation_at(fb_extrapolation* o, fb_sim* s, double t, double* y, fb_error* error) {
  fb_status status = find_ends(o, s, s->step.t0, s->y0, t - s->step.t0, error);
  if (!status) extrapolate(o, s, t, y);
  return status;
}
