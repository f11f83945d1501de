/* event.c -- events: their instants and actions
 *
 * Time events end a step by themselves (step.c). Crossings are searched after each step, inside it too (crossing.c).
 * The step then ends at the far end of the bracket of the first root, where the signal has just passed. The side is
 * stored, so that a root is not found twice. A signal that jumps over its level, at an edge, a tick or by another
 * event's action, has passed it at that instant. A signal that starts on its level passes it when it leaves in a
 * direction that counts. */
#include <float.h>
#include <math.h>

#include <freebody/status.h>

#include "model/joint_kind.h"
#include "sim/event/chatter.h"
#include "sim/event/crossing.h"
#include "sim/accuracy/error_control.h"
#include "signal/signal_kind.h"
#include "regroup/change.h"
#include "contact/dynamics/step_contact.h"
#include "sim/event/event.h"
#include "sim/part.h"
#include "sim/access.h"

/* fb_sim.side of a signal that starts on its level, whose first departure counts whatever its direction. */
enum { ON_LEVEL = 2 };
/* fb_events.due of an event that may have happened because of an error. */
enum { BY_ERROR = 2 };

double fb_event_next_time(const fb_sim* s, int event) {
  const fb_event* e = &s->event.list[event];
  if (e->kind != FB_TRIGGER_TIME || (s->event.fired[event] > 0 && (e->once || !(e->period > 0))))
    return INFINITY;
  return e->time + (double)s->event.fired[event] * e->period;
}

static int watches(const fb_sim* s, int event) {
  const fb_event* e = &s->event.list[event];
  return e->kind == FB_TRIGGER_CROSSING && !(e->once && s->event.fired[event] > 0);
}

/* Positions are sums over a tree: how large their terms are. [m] */
static double size_of(const fb_sim* s, const fb_signal* signal) {
  double size = 0;
  if (signal->kind == FB_SIGNAL_P || signal->kind == FB_SIGNAL_COM_P)
    for (int i = 0; i < s->tree.count; i++) size = fmax(size, s->tree.list[i].size);
  return size;
}

/* The signal of an event, from its level. A position is on it where its side is decided by rounding: a signal at rest
 * there does not pass. */
static fb_status level_at(fb_sim* s, int event, double t, const double* y, double* out, fb_error* error) {
  const fb_event* e = &s->event.list[event];
  double size = size_of(s, &e->signal);
  fb_status status = fb_signal_eval(s, t, y, &e->signal, 1, out, error);
  *out -= e->level;
  if (size > 0 && fabs(*out) <= 4 * DBL_EPSILON * (fabs(e->level) + size)) *out = 0;
  return status;
}

/* Whether the event's signal at x has passed its level in a direction that counts. */
static int passed(const fb_sim* s, int event, double x) {
  int now = fb_sign(x), before = s->event.side[event], direction = s->event.list[event].direction;
  return now != 0 && before != 0 && now != before && (direction == 0 || direction == now);
}

/* Which signals depend on more than t and q. */
static int is_dynamic(int kind) {
  switch (kind) {
    case FB_SIGNAL_T:
    case FB_SIGNAL_Q:
    case FB_SIGNAL_P:
    case FB_SIGNAL_QUAT:
    case FB_SIGNAL_RPY:
    case FB_SIGNAL_COM_P:
    case FB_SIGNAL_COM_BODY:
    case FB_SIGNAL_JOINT:
    case FB_SIGNAL_LOOP_ERROR:
    case FB_SIGNAL_POTENTIAL:
      return 0;
    default:
      return 1;
  }
}

/* The body with which a signal turns. */
static int body_of(const fb_sim* s, const fb_signal* signal) {
  if (signal->kind == FB_SIGNAL_OUTPUT) return FB_ALL_BODIES;
  const fb_signal_kind* kind = &fb_signal_kinds[signal->kind];
  if (kind->over == FB_OVER_BODIES) return signal->index;
  if (signal->kind == FB_SIGNAL_JOINT)
    return fb_body_parent(s->m, signal->index); /* its frame is fixed there */
  if (kind->over == FB_OVER_FRAMES) return fb_frame_body(s->m, signal->index);
  if (signal->kind == FB_SIGNAL_T) return FB_WORLD;
  if (kind->over == FB_OVER_Q || kind->over == FB_OVER_V)
    return fb_original_continues(s, signal->index) ? FB_WORLD : signal->index;
  return FB_ALL_BODIES;
}

/* Whether a signal is a coordinate, a rate or the time. Attitudes are normalised, and no polynomials. */
static int is_polynomial(const fb_sim* s, const fb_signal* signal) {
  if (signal->kind == FB_SIGNAL_T) return 1;
  if (signal->kind != FB_SIGNAL_Q && signal->kind != FB_SIGNAL_V) return 0;
  if (!fb_original_continues(s, signal->index)) return 0; /* it follows from the poses of bodies */
  return signal->kind == FB_SIGNAL_V ||
         fb_joint_type_v_of(fb_joint_type_of(s->regroup.original, signal->index), signal->component) >= 0;
}

static fb_watch watch_of(const fb_sim* s, int event) {
  const fb_event* e = &s->event.list[event];
  return (fb_watch){.value = level_at,
                    .index = event,
                    .side = s->event.side[event] == ON_LEVEL ? 0 : s->event.side[event],
                    .direction = e->direction,
                    .dynamic = is_dynamic(e->signal.kind),
                    .polynomial = is_polynomial(s, &e->signal),
                    .body = body_of(s, &e->signal),
                    .scale = fabs(e->level) + size_of(s, &e->signal),
                    .end = &s->event.ends[event]};
}

fb_status fb_events_locate(fb_sim* s, double* t1, fb_error* error) {
  double first = INFINITY;
  for (int i = 0; i < s->event.count; i++) {
    if (!watches(s, i)) continue;
    fb_watch watch = watch_of(s, i);
    fb_status status = fb_crossing_find(s, &watch, *t1, &s->event.root[i], error);
    if (status) return status;
    if (s->event.root[i] < first) s->error.zero = (fb_zero){watch.value, i};
    first = fmin(first, s->event.root[i]);
  }
  if (isinf(first)) return FB_OK;
  /* One that passed its level in the other direction earlier in this step has changed its side. */
  for (int i = 0; i < s->event.count; i++)
    if (watches(s, i) && s->event.root[i] == first && s->event.list[i].direction != 0)
      s->event.side[i] = -s->event.list[i].direction;
  if (first >= *t1) return FB_OK;
  *t1 = first;
  return s->stepper.eval(s->stepper.self, s, first, s->y1, error);
}

/* An event acts where a signal passes its level, possibly because of an error: a signal that rests on its level, and
 * has drifted from it by less than its error, returns to it when the rest ends. */
static fb_status act(fb_sim* s, int event, fb_error* error) {
  unsigned before = s->step.epoch;
  fb_status status = s->event.list[event].act(s->event.list[event].user, s, error);
  if (s->event.due[event] == BY_ERROR && s->step.epoch != before) fb_growth_doubt_event(s, event);
  return status;
}

static fb_status happen(fb_sim* s, int event, int* acted, fb_error* error) {
  const fb_event* e = &s->event.list[event];
  s->event.fired[event]++;
  s->event.happened[event] = 1;
  s->event.records[s->event.nrecord++] = (fb_event_record){event, s->head->t};
  if (!e->act) return FB_OK;
  *acted = 1;
  if (fb_chatter_note(s, event, error)) return FB_ERR_NO_SOLUTION;
  fb_status status = act(s, event, error);
  if (!status || !error) return status;
  fb_error cause = *error;
  fb_fail(error, status, "at t = %.9g s, event \"%s\": %s", s->head->t, e->name, cause.text);
  fb_error_set_place(error, cause.file, cause.path, cause.place);
  return status;
}

/* Of events without a signal. */
static unsigned char is_due(const fb_sim* s, int event, double t) {
  const fb_event* e = &s->event.list[event];
  if (e->kind == FB_TRIGGER_LIMIT && !(e->once && s->event.fired[event] > 0))
    return s->limit.phases[e->limit] >> e->phase & 1;
  if (e->kind == FB_TRIGGER_CONTACT && !(e->once && s->event.fired[event] > 0))
    return fb_hard_happened(s, e->contact, e->change);
  return e->kind == FB_TRIGGER_TIME && fb_event_next_time(s, event) <= t + fb_time_slack(t);
}

/* Which events are due now, and on which side every watched signal is. */
static fb_status find_due(fb_sim* s, fb_error* error) {
  double t = s->head->t, x;
  for (int i = 0; i < s->event.count; i++) {
    s->event.due[i] = is_due(s, i, t);
    if (!watches(s, i)) continue;
    fb_status status = level_at(s, i, t, s->y, &x, error);
    if (status) return status;
    int before = s->event.side[i], pass = passed(s, i, x);
    s->event.due[i] = pass && s->event.sure[i] == FB_SURE_NO ? BY_ERROR : (unsigned char)pass;
    if (fb_sign(x) != 0) s->event.side[i] = fb_sign(x);
    if (pass || s->event.happened[i]) /* it is on its level still */
      s->event.sure[i] = FB_SURE_UNKNOWN;
    else if (s->event.sure[i] != FB_SURE_YES || s->event.side[i] != before)
      s->event.sure[i] = fb_growth_is_sure(s, &(fb_zero){level_at, i}, x) ? FB_SURE_YES : FB_SURE_NO;
    /* A start on the level: as if it had just reached it. */
    if (s->event.side[i] == 0)
      s->event.side[i] = s->event.list[i].direction != 0 ? -s->event.list[i].direction : ON_LEVEL;
  }
  return FB_OK;
}

fb_status fb_events_act(fb_sim* s, int* acted, fb_error* error) {
  fb_status status = find_due(s, error);
  for (int i = 0; i < s->event.count && !status; i++)
    if (s->event.due[i] && !s->event.happened[i]) status = happen(s, i, acted, error); /* once an instant */
  return status;
}

/* ---- as a part ---- */

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_events* to = &s->event;
  FB_EVENTS_STATE(FB_FIELD_IN_STATE)
  FB_EVENTS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static fb_status begin(fb_sim* s, fb_error* error) {
  (void)error;
  s->event.nrecord = 0;
  fb_chatter_begin(s);
  return FB_OK;
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  for (int i = 0; i < s->event.count; i++) {
    const fb_event* e = &s->event.list[i];
    long long fired = fb_snapshot_count(snapshot, &s->event.fired[i]);
    int repeats = e->kind == FB_TRIGGER_TIME && !e->once && e->period > 0;
    if (!fb_snapshot_is_count(fired) ||
        (repeats && !fb_snapshot_is_up_to_date(snapshot, e->time + (double)fired * e->period, e->period)))
      return 0;
  }
  return fb_snapshot_ints_are(snapshot, s->event.side, s->event.count, -1, 2) &&
         fb_snapshot_ints_are(snapshot, s->event.sure, s->event.count, FB_SURE_UNKNOWN, FB_SURE_NO) &&
         fb_snapshot_ints_are(snapshot, &s->error.head->unsure, 1, 0, s->event.count);
}

/* Also what an event that acts is in the middle of. */
static void carry(fb_sim* s, const fb_sim* old) {
  int count = s->event.count;
  fb_copy(s->event.side, old->event.side, count, sizeof *s->event.side);
  fb_copy(s->event.sure, old->event.sure, count, sizeof *s->event.sure);
  fb_copy(s->event.fired, old->event.fired, count, sizeof *s->event.fired);
  fb_copy(s->event.due, old->event.due, count, sizeof *s->event.due);
  fb_copy(s->event.happened, old->event.happened, count, sizeof *s->event.happened);
  fb_copy(s->event.records, old->event.records, s->event.nrecord, sizeof *s->event.records);
}

const fb_part fb_part_event = {
    .place = place, .begin = begin, .is_sound = is_sound, .restore = fb_chatter_begin, .carry = carry};
