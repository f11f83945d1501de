/* locate.c -- the instant at which a step must end because a limit is reached, a coordinate is released or one comes
 * to rest
 *
 * Watched are the gaps of limits, the margins of the reactions of held coordinates, the rates of sliding ones and of
 * those whose stop follows them, and the phases of soft stops and tethers; the first that passes zero ends the step
 * (crossing.c). Only the first root is needed. So the limit that a straight line through the ends of the step meets
 * first is searched first, and later roots are not refined. Margins take one evaluation of the flow for all held
 * coordinates at each state that is sampled. */

#include "sim/event/crossing.h"
#include "limit/limit.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "sim/flow.h"

/* ---- what is watched ---- */

static fb_status gap_at(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = fb_limit_gap(s, limit, y);
  return FB_OK;
}

/* How far the reaction of a held coordinate is from its bounds, after an evaluation of the flow. */
static double margin_of(const fb_sim* s, int k) {
  double lo, hi, force = fabs(s->limit.reaction[k]) + fabs(s->limit.actuator[k]) + fb_hold_around(s);
  fb_hold_bounds(s, k, &lo, &hi);
  double margin = fmin(s->limit.reaction[k] - lo, hi - s->limit.reaction[k]) +
                  fb_hold_tolerance(s, k, force, s->limit.effective_inertia[k], fb_stops_fastest(s, k));
  if (s->limit.support[k] == FB_CARRIES) return margin;
  double shared = fb_share_margin(s, k);
  return s->limit.support[k] == FB_SHARES ? fmin(margin, shared) : shared;
}

/* The index of y among the states at which all values of a step are sampled; -1: one that belongs to a single value. */
static int shared_state(const fb_sim* s, const double* y) {
  const double* const states[] = {s->y0, s->y1, fb_probe_neighbour(s, 0), fb_probe_neighbour(s, 1)};
  for (int i = 0; i < 4; i++)
    if (y == states[i]) return i;
  for (int i = 0; i < FB_INSIDE; i++)
    if (y == s->probe.inside + (size_t)i * (size_t)s->ny) return 4 + i;
  return -1;
}

static fb_status margin_at(fb_sim* s, int k, double t, const double* y, double* x, fb_error* error) {
  int state = shared_state(s, y);
  double* margins = s->limit.margins + (size_t)(state < 0 ? 0 : state) * (size_t)s->nv;
  if (state >= 0 && s->limit.margins_known >> state & 1) {
    *x = margins[k];
    return FB_OK;
  }
  fb_status status = fb_flow(s, t, y, s->y_probe, error);
  *x = margin_of(s, k);
  if (status || state < 0) return status;
  for (int i = 0; i < s->nv; i++)
    if (fb_is_held(s->motion.of[i])) margins[i] = margin_of(s, i);
  s->limit.margins_known |= 1u << state;
  return FB_OK;
}

static fb_status slide_at(fb_sim* s, int k, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = s->limit.slide[k] * y[s->nq + k] + s->limit.slip_tolerance[k];
  return FB_OK;
}

/* Whether the coordinate of limit i can have come near it in the step, at twice the larger speed at its ends. */
static int may_meet(const fb_sim* s, int i, double h) {
  if (fb_crossing_is_dense(s)) return 1; /* longer steps may hide faster motion */
  double u0 = fb_limit_rate(s, i, s->y0 + s->nq), u1 = fb_limit_rate(s, i, s->y1 + s->nq);
  double nearest = fmin(fb_limit_gap(s, i, s->y0), fb_limit_gap(s, i, s->y1));
  return nearest <= 2 * h * fmax(fabs(u0), fabs(u1));
}

/* The first instant at which the watched value falls below zero. */
fb_status fb_stops_search(fb_sim* s, fb_watch watch, double t1, double* first, double* root,
                          fb_error* error) {
  watch.side = +1;
  watch.direction = -1;
  if (*first < t1 && !watch.dynamic) {
    watch.until = *first;
    watch.y_until = s->limit.y_first;
  }
  fb_status status = fb_crossing_find(s, &watch, t1, root, error);
  if (status || !(*root < *first)) return status;
  s->error.zero = (fb_zero){watch.value, watch.index};
  *first = *root;
  return *first < t1 ? s->stepper.eval(s->stepper.self, s, *first, s->limit.y_first, error) : FB_OK;
}

/* Loops are closed to 1e-13 at the end of every step, which moves coordinates coupled to a stop. */
static fb_watch watch_gap(const fb_sim* s, int limit) {
  static const double CLOSED = 1e3; /* of this size its rounding is 1e-12 [m or rad] */
  double scale = fmax(fabs(s->limit.stop_position[limit]), s->m->top.nloop > 0 ? CLOSED : 0);
  return (fb_watch){.value = gap_at, .index = limit, .polynomial = 1, .scale = scale};
}

/* Whether the stop of a limit follows its coordinate, which began beyond the level: it is where the step begins. */
static int follows(const fb_sim* s, int limit) {
  return s->limit.stop_position[limit] != s->limit.list[limit].level;
}

/* The inward rate of a coordinate whose stop follows it: where it reverses, the stop is reached. */
static fb_status return_at(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = fb_limit_rate(s, limit, y + s->nq);
  return FB_OK;
}

/* How far beyond the level of its limit a coordinate is that began there. */
static fb_status beyond_at(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  const fb_limit* l = &s->limit.list[limit];
  *x = l->side * (y[s->m->top.coordinate_q[l->coordinate]] - l->level);
  return FB_OK;
}

/* Whether the gap of a limit may close; a soft one that is active has none. */
static int is_watched(const fb_sim* s, int limit) {
  int k = s->limit.list[limit].coordinate;
  if (k < 0) return 0;
  if (fb_limit_is_soft(&s->limit.list[limit])) return s->limit.stop_phase[limit] == FB_STOP_CLEAR;
  return s->motion.of[k] == FB_MOTION_FORCE && fb_sim_coordinate_responds(s, k);
}

/* While all coordinates are held steps grow, whatever the forces: the longest interval between samples of reactions.
 * [s] */
static const double LONGEST_INTERVAL = 0.1;

/* The instant at which an active soft stop is left, or changes between pushing and slack. */
static fb_status search_soft(fb_sim* s, int i, double end, double* first, fb_error* error) {
  double root;
  if (s->limit.stop_phase[i] == FB_STOP_CLEAR) return FB_OK;
  fb_status status = fb_stops_search(
      s,
      (fb_watch){
          .value = fb_soft_stop_depth, .index = i, .polynomial = 1, .scale = fabs(s->limit.stop_position[i])},
      end, first, &root, error);
  if (status || s->limit.list[i].damping == 0) return status;
  return fb_stops_search(s,
                         (fb_watch){.value = fb_soft_stop_margin, .index = i, .dynamic = 1, .polynomial = 1},
                         end, first, &root, error);
}

/* The limit whose gap closes first if it changes evenly; -1 when none has closed at the end of the step. */
static int guess_first(const fb_sim* s) {
  int best = -1;
  double least = INFINITY;
  for (int i = 0; i < s->limit.count; i++) {
    double at_start = fb_limit_gap(s, i, s->y0), at_end = fb_limit_gap(s, i, s->y1);
    if (!is_watched(s, i) || !(at_start > 0 && at_end < 0) || !(at_start / (at_start - at_end) < least))
      continue;
    least = at_start / (at_start - at_end);
    best = i;
  }
  return best;
}

/* A coordinate whose stop follows it reaches the stop where it reverses; the stop stays behind at the level. */
static fb_status search_following(fb_sim* s, int i, double end, double* first, fb_error* error) {
  double root;
  fb_watch turn = {.value = return_at, .index = i, .dynamic = 1, .polynomial = 1};
  fb_watch level = {.value = beyond_at, .index = i, .polynomial = 1};
  fb_status status = fb_stops_search(s, turn, end, first, &root, error);
  return status ? status : fb_stops_search(s, level, end, first, &root, error);
}

static fb_status search_limit(fb_sim* s, int i, double end, double* first, fb_error* error) {
  double root;
  fb_status status = FB_OK;
  if (is_watched(s, i) && follows(s, i))
    status = search_following(s, i, end, first, error);
  else if (is_watched(s, i) && may_meet(s, i, end - s->step.t0))
    status = fb_stops_search(s, watch_gap(s, i), end, first, &root, error);
  return status ? status : search_soft(s, i, end, first, error);
}

/* The instant at which a tether becomes taut or loose, or changes between pulling and following. */
static fb_status search_tether(fb_sim* s, int i, double end, double* first, fb_error* error) {
  double root;
  if (!fb_pair_is_watched(s, i)) return FB_OK;
  fb_watch gap = {.value = fb_pair_gap, .index = i, .body = FB_ALL_BODIES, .scale = fb_pair_length(s, i)};
  fb_status status = fb_stops_search(s, gap, end, first, &root, error);
  if (status || !fb_pair_has_margin(s, i)) return status;
  fb_watch margin = {.value = fb_pair_margin, .index = i, .dynamic = 1, .body = FB_ALL_BODIES};
  return fb_stops_search(s, margin, end, first, &root, error);
}

/* A coordinate that is held, or slides. */
static fb_status search_coordinate(fb_sim* s, int k, double end, double* first, fb_error* error) {
  double root;
  fb_status status = FB_OK;
  s->limit.reversed[k] = 0;
  if (fb_is_held(s->motion.of[k]) && !(s->motion.of[k] == FB_MOTION_STOPPED && s->limit.held_side[k] == 0))
    status = fb_stops_search(
        s,
        (fb_watch){
            .value = margin_at, .index = k, .dynamic = 1, .body = FB_ALL_BODIES, .longest = LONGEST_INTERVAL},
        end, first, &root, error);
  if (status || s->motion.of[k] != FB_MOTION_FORCE || s->limit.slide[k] == 0 || fb_stiction(s, k) == 0)
    return status;
  status = fb_stops_search(s, (fb_watch){.value = slide_at, .index = k, .dynamic = 1, .polynomial = 1}, end,
                           first, &root, error);
  s->limit.reversed[k] = isfinite(root) != 0;
  return status;
}

static fb_status cut_once(fb_sim* s, double* t1, fb_error* error) {
  double first = INFINITY, end = *t1;
  int guessed = guess_first(s);
  s->limit.margins_known = 0;
  fb_status status = guessed < 0 ? FB_OK : search_limit(s, guessed, end, &first, error);
  for (int i = 0; i < s->limit.count && !status; i++)
    if (i != guessed) status = search_limit(s, i, end, &first, error);
  for (int i = 0; i < s->element.count && !status; i++) status = search_tether(s, i, end, &first, error);
  for (int k = 0; k < s->nv && !status; k++) status = search_coordinate(s, k, end, &first, error);
  if (s->contact.hard && !status) status = fb_hard_locate(s, end, &first, error);
  if (status || isinf(first)) return status;
  s->limit.due = 1;
  if (first < end) status = s->stepper.eval(s->stepper.self, s, first, s->y1, error);
  *t1 = fmin(first, end);
  return status;
}

/* Whether a coordinate is beyond a limit at the end of the step, by more than what a bracket leaves. */
static int any_beyond(const fb_sim* s) {
  for (int i = 0; i < s->limit.count; i++)
    if (is_watched(s, i) && fb_limit_gap(s, i, s->y1) < -1e-10) return 1;
  return 0;
}

fb_status fb_stops_locate(fb_sim* s, double* t1, fb_error* error) {
  fb_status status;
  int tries = 0;
  /* A step that was cut may show what was hidden in the whole one. */
  do status = cut_once(s, t1, error);
  while (!status && any_beyond(s) && ++tries < 100);
  /* Only what has turned by now. */
  for (int k = 0; k < s->nv; k++) s->limit.reversed[k] &= s->limit.slide[k] * s->y1[s->nq + k] <= 0;
  return status;
}
