/* step.c -- the step loop
 *
 *   1. the step may go to the next tick, time event, edge of a block or the caller's limit, whichever comes first;
 *      fixed-step methods go to the next multiple of their step if that is before
 *   2. the integrator makes the step
 *   3. crossings inside it, of signals (event.c) and of limits (limit/limit.c), shorten it to the first of them
 *   4. at its end, what is due happens: impacts, events, then ticks
 * Multiples of steps and periods are products, not sums, so that time does not drift. */
#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "regroup/change.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/accuracy/error_control.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"
#include "sim/flow.h"
#include "sim/part.h"
#include "sim/event/event.h"

static double tick_time(const fb_sim* s, int block) {
  return s->block.list[block].tick ? (double)s->block.ticks[block] * s->block.list[block].period : INFINITY;
}

/* The first edge after t. */
static double next_edge(const fb_sim* s, double t) {
  double edge = INFINITY;
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* b = &s->block.list[i];
    if (b->next_edge)
      edge = fmin(edge, b->next_edge(b->user, s->block.memory + s->block.memory_offset[i], t));
  }
  for (int k = 0; s->motion.head->nmoved > 0 && k < s->nv; k++)
    edge = fmin(edge, fb_motion_next_knot(s, k, t));
  return edge;
}

/* The first instant after the present, and not after t_limit, at which something is due; whether it is an edge. Edges
 * that differ by rounding only are passed together: the step ends on the last of them. */
static double next_stop(const fb_sim* s, double t_limit, int* is_edge) {
  double t = s->head->t, stop = t_limit, edge = next_edge(s, t);
  for (int i = 0; i < s->block.count; i++) stop = fmin(stop, tick_time(s, i));
  for (int i = 0; i < s->event.count; i++) stop = fmin(stop, fb_event_next_time(s, i));
  *is_edge = isfinite(edge) && edge <= stop + fb_time_slack(edge);
  if (!*is_edge) return stop;
  stop = edge;
  for (int i = 0; i < 100 && (edge = next_edge(s, stop)) <= stop + fb_time_slack(stop); i++) stop = edge;
  return stop;
}

/* The next multiple of a fixed step. */
static double next_multiple(double t, double h) {
  double n = nearbyint(t / h);
  if (fabs(n * h - t) > fb_time_slack(t)) n = floor(t / h);
  return (n + 1) * h;
}

/* The tick of block i at a state y. */
static fb_status tick_block(fb_sim* s, int i, double t, double* y, fb_error* error) {
  const fb_block* b = &s->block.list[i];
  fb_status status = b->ninput > 0 ? fb_ports_fill(s, t, y, error) : FB_OK;
  if (status) return status;
  fb_context context = fb_flow_context(s, t, y);
  context.inputs = s->block.in + s->block.in_offset[i];
  status = b->tick(b->user, &context, s->block.memory + s->block.memory_offset[i],
                   fb_y_x(s, y) + s->block.state_offset[i], error);
  return status ? fb_block_failed(b, t, status, error) : FB_OK;
}

/* The same at the neighbouring state (growth.c). */
static fb_status tick_neighbour(fb_sim* s, int i, double t) {
  fb_error none;
  double* memory = s->block.memory;
  s->block.memory = s->error.memory_neighbour;
  fb_status status = tick_block(s, i, t, s->error.y_neighbour, &none);
  s->block.memory = memory;
  return status;
}

static fb_status make_ticks(fb_sim* s, int* acted, fb_error* error) {
  double t = s->head->t, sigma = -1; /* not known yet */
  fb_status neighbour = FB_OK;
  for (int n = 0; n < s->block.count; n++) {
    int i = s->block.order[n];
    if (!(tick_time(s, i) <= s->head->t + fb_time_slack(s->head->t))) continue;
    if (sigma < 0) sigma = fb_growth_neighbour(s);
    s->block.ticks[i]++;
    *acted = 1;
    if (!fb_block_acts(s, i)) continue;
    if (sigma > 0 && !neighbour) neighbour = tick_neighbour(s, i, t);
    fb_status status = tick_block(s, i, t, s->y, error);
    if (status) return status;
  }
  fb_growth_tick_end(s, sigma, neighbour);
  return FB_OK;
}

fb_status fb_sim_due(fb_sim* s, fb_error* error) {
  int acted = 0;
  if (s->event.count > 0) memset(s->event.happened, 0, (size_t)s->event.count);
  /* A signal that passes the level of a stop passes it before the stop moves the joint back. */
  fb_status status = fb_events_act(s, &acted, error);
  s->limit.due |= acted;
  if (!status) status = fb_stops_settle(s, error);
  if (!status && (s->limit.count > 0 || s->contact.hard)) status = fb_events_act(s, &acted, error);
  if (!status) status = make_ticks(s, &acted, error);
  while (!status && acted) { /* as often as there are events at most: each happens once an instant */
    fb_sim_forget(s);
    acted = 0;
    s->limit.due = 1;
    status = fb_stops_settle(s, error);
    if (!status) status = fb_events_act(s, &acted, error);
  }
  fb_parts_clear(s);
  return status;
}

static fb_status check_limit(const fb_sim* s, double t_limit, fb_error* error) {
  fb_error_clear(error); /* blocks need not fill all of it */
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "fb_sim_start comes before the first step");
  if (isnan(t_limit)) return fb_fail(error, FB_ERR_ARG, "the time to step to is not a number");
  return FB_OK;
}

/* A fixed step again, shorter, where a stage was in a pose in which loops have fewer rows. */
static fb_status avoid_pose(fb_sim* s, double t, double* t1, fb_error* error) {
  fb_status status = FB_OK;
  double h;
  for (int i = 0; !status && (h = fb_sim_shorter_step(s, *t1 - t, i)) > fb_time_slack(t); i++) {
    s->step.t_left = INFINITY;
    s->loop.ranks.count = 0;
    if (s->stepper.reset) s->stepper.reset(s->stepper.self, s);
    status = s->stepper.step(s->stepper.self, s, t + h, t1, s->y1, error);
  }
  return status;
}

/* The stepper's step into s->y1, to *t1. A stepper of the caller may end it anywhere. Results of a step that is
 * repeated are discarded. */
static fb_status make_step(fb_sim* s, double t, double limit, double* t1, fb_error* error) {
  s->loop.ranks.count = 0;
  fb_status status = s->stepper.step(s->stepper.self, s, limit, t1, s->y1, error);
  while (!status && fb_refine_again(s, limit - t)) {
    double shorter = next_multiple(t, fb_refine_step(s));
    if (!(shorter < limit - fb_time_slack(t))) continue; /* it ended earlier */
    limit = shorter;
    s->step.t_left = INFINITY;
    if (s->stepper.reset) s->stepper.reset(s->stepper.self, s);
    status = s->stepper.step(s->stepper.self, s, limit, t1, s->y1, error);
  }
  if (!status && !s->stepper.traits.adaptive) status = avoid_pose(s, t, t1, error);
  if (!status && *t1 == t) status = fb_failure_stuck(s, error);
  if (status == FB_OK && !(*t1 > t && *t1 <= limit + fb_time_slack(limit)))
    return fb_fail(
        error, FB_ERR_ARG,
        "stepper \"%s\" made a step from %.9g to %.9g s; it must end after its start, and not after %.9g s",
        s->stepper.name, t, *t1, limit);
  if (status || !fb_sim_is_finite(s, s->y1)) return fb_failure_explain(s, limit, status, error);
  return s->m->top.nloop > 0 ? fb_sim_check_loops(s, *t1, error) : FB_OK;
}

static fb_status advance(fb_sim* s, double t_limit, fb_error* error) {
  fb_status status = FB_OK;
  double t = s->head->t, slack = fb_time_slack(t);
  int is_edge;
  double stop = next_stop(s, t_limit, &is_edge), limit = stop;
  if (!s->stepper.traits.adaptive) {
    if (s->options.refine) fb_refine_begin(s);
    double multiple = next_multiple(t, s->options.refine ? fb_refine_step(s) : s->options.step);
    if (multiple < limit - slack) limit = multiple;
  }
  if (s->contact.by_rescue) limit = fb_rescue_limit(s, limit);
  s->step.t_left = is_edge && limit >= stop ? stop - fb_time_slack(stop) : INFINITY;

  double t1 = limit;
  fb_tolerance_begin(s);
  fb_share_begin_step(s);
  s->error.zero = (fb_zero){NULL, 0};
  s->step.t0 = t;
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  status = make_step(s, t, limit, &t1, error);
  double whole = t1;
  if (!status && s->event.count > 0) status = fb_events_locate(s, &t1, error);
  if (!status && s->contact.ncompliant > 0) status = fb_meetings_locate(s, &t1, error);
  if (!status && (s->limit.work || s->contact.hard) && !fb_hard_by_steps(s))
    status = fb_stops_locate(s, &t1, error);
  /* Again, so that the last point stored by the stepper is that of the end. */
  if (!status && (t1 < whole || fb_hard_has_strayed(s, t1)))
    status = s->stepper.eval(s->stepper.self, s, t1, s->y1, error);
  s->step.t_left = INFINITY;
  if (status) return status;
  fb_growth_accept(s, t1, t1 < whole);
  memcpy(s->y, s->y1, (size_t)s->ny * sizeof *s->y);
  s->head->t = t1;
  s->head->steps++;
  fb_parts_follow(s);
  fb_failure_remember(s);
  s->step.unsettled = 1;
  s->step.cut = t1 < whole;
  s->step.at_edge = is_edge && t1 >= stop;
  return FB_OK;
}

/* A step, by the rescue where one is under way (rescue.c). */
static fb_status advance_by(fb_sim* s, double t_limit, fb_error* error) {
  s->contact.by_rescue = s->contact.head->rescue_steps > 0;
  if (s->contact.by_rescue) fb_rescue_begin(s);
  fb_status status = advance(s, t_limit, error);
  if (s->contact.by_rescue) fb_rescue_end(s);
  return status;
}

fb_status fb_sim_begin_step(fb_sim* s, double t_limit, fb_error* error) {
  fb_status status = check_limit(s, t_limit, error);
  if (!status) status = fb_sim_end_step(s, error);
  if (!status) status = fb_stops_settle(s, error); /* of what was changed between steps */
  if (status) return status;
  s->event.nrecord = 0;
  if (s->head->stopped || t_limit <= s->head->t + fb_time_slack(s->head->t)) return FB_OK;
  status = advance_by(s, t_limit, error);
  if (status != FB_ERR_NO_SOLUTION || !fb_rescue_is_stuck(s) || !fb_rescue_request(s)) return status;
  fb_error_clear(error);
  return advance_by(s, t_limit, error);
}

fb_status fb_sim_end_step(fb_sim* s, fb_error* error) {
  if (!s->step.unsettled) return FB_OK;
  fb_error_clear(error);
  s->step.unsettled = 0;
  fb_growth_event_begin(s);
  if (s->step.at_edge || s->step.cut) fb_sim_forget(s);
  if (s->step.at_edge) s->limit.due = 1;
  fb_parts_arrive(s);
  fb_status status = s->event.count + s->block.count > 0 || s->limit.work ? fb_sim_due(s, error) : FB_OK;
  fb_growth_event_end(s);
  return status;
}

fb_status fb_sim_step(fb_sim* s, double t_limit, fb_error* error) {
  fb_status status = fb_sim_begin_step(s, t_limit, error);
  return status ? status : fb_sim_end_step(s, error);
}

fb_status fb_sim_run_until(fb_sim* s, double t, fb_error* error) {
  fb_status status = check_limit(s, t, error);
  if (!status && isinf(t)) return fb_fail(error, FB_ERR_ARG, "the time to run to must be finite");
  while (!status && !s->head->stopped && s->head->t < t - fb_time_slack(t)) status = fb_sim_step(s, t, error);
  return status;
}

fb_status fb_sim_eval_state(fb_sim* s, double t, double* q, double* v, fb_error* error) {
  const double* y = s->y;
  fb_status status = check_limit(s, t, error);
  if (status) return status;
  if (!(t >= s->step.t0 && t <= s->head->t))
    return fb_fail(error, FB_ERR_ARG, "t = %.9g s is not inside the step last made, %.9g to %.9g s", t,
                   s->step.t0, s->head->t);
  if (t == s->step.t0) y = s->y0;
  if (t > s->step.t0 && t < s->head->t) {
    if (s->contact.by_rescue)
      fb_rescue_at(s, t, s->probe.y_root);
    else {
      s->error.aside = 1; /* only coordinates and rates are needed */
      status = s->stepper.eval(s->stepper.self, s, t, s->probe.y_root, error);
      s->error.aside = 0;
    }
    y = s->probe.y_root;
  }
  if (!status && q) memcpy(q, y, (size_t)s->nq * sizeof *q);
  if (!status && v) memcpy(v, y + s->nq, (size_t)s->nv * sizeof *v);
  return status;
}
