/* event.c -- events: their instants and actions
 *
 * Time events end a step by themselves (step.c). A crossing is looked for after each step, inside it too (crossing.c).
 * The step then ends at the far end of the bracket of the first root, where the signal has just passed. The side is
 * remembered, so that a root is not found twice. A signal that jumps over its level, at an edge, a tick or by another
 * event's action, has passed it too, at that instant. A signal that starts on its level passes it when it leaves in a
 * direction that counts. */
#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "model/joint_kind.h"
#include "sim/chatter.h"
#include "sim/crossing.h"
#include "signal/signal_kind.h"
#include "regroup/change.h"
#include "contact/dynamics/step_contact.h"
#include "signal/signal_value.h"
#include "sim/event.h"

/* fb_sim.side of a signal that starts on its level, whose first departure counts whatever its direction. */
enum { ON_LEVEL = 2 };

double fb_event_next_time(const fb_sim* s, int event) {
  const fb_event* e = &s->events[event];
  if (e->kind != FB_TRIGGER_TIME || (s->fired[event] > 0 && (e->once || !(e->period > 0)))) return INFINITY;
  return e->time + (double)s->fired[event] * e->period;
}

static int watches(const fb_sim* s, int event) {
  const fb_event* e = &s->events[event];
  return e->kind == FB_TRIGGER_CROSSING && !(e->once && s->fired[event] > 0);
}

/* The signal of an event, from its level. */
static fb_status level_at(fb_sim* s, int event, double t, const double* y, double* out, fb_error* error) {
  fb_status status = fb_signal_eval(s, t, y, &s->events[event].signal, 1, out, error);
  *out -= s->events[event].level;
  return status;
}

/* Whether the event's signal at x has passed its level in a direction that counts. */
static int passed(const fb_sim* s, int event, double x) {
  int now = fb_sign(x), before = s->side[event], direction = s->events[event].direction;
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
    return fb_first_continues(s, signal->index) ? FB_WORLD : signal->index;
  return FB_ALL_BODIES;
}

/* Whether a signal is a coordinate, a rate or the time. Attitudes are normalised, and no polynomials. */
static int is_polynomial(const fb_sim* s, const fb_signal* signal) {
  if (signal->kind == FB_SIGNAL_T) return 1;
  if (signal->kind != FB_SIGNAL_Q && signal->kind != FB_SIGNAL_V) return 0;
  if (!fb_first_continues(s, signal->index)) return 0; /* it follows from the poses of bodies */
  return signal->kind == FB_SIGNAL_V ||
         fb_joint_type_v_of(fb_joint_type_of(s->first_m, signal->index), signal->component) >= 0;
}

static fb_watch watch_of(const fb_sim* s, int event) {
  const fb_event* e = &s->events[event];
  return (fb_watch){.value = level_at,
                    .index = event,
                    .side = s->side[event] == ON_LEVEL ? 0 : s->side[event],
                    .direction = e->direction,
                    .dynamic = is_dynamic(e->signal.kind),
                    .polynomial = is_polynomial(s, &e->signal),
                    .body = body_of(s, &e->signal),
                    .scale = fabs(e->level),
                    .end = &s->ends[event]};
}

fb_status fb_events_locate(fb_sim* s, double* t1, fb_error* error) {
  double first = INFINITY;
  for (int i = 0; i < s->nevent; i++) {
    if (!watches(s, i)) continue;
    fb_watch watch = watch_of(s, i);
    fb_status status = fb_crossing_find(s, &watch, *t1, &s->root[i], error);
    if (status) return status;
    if (s->root[i] < first) s->zero = (fb_zero){watch.value, i};
    first = fmin(first, s->root[i]);
  }
  if (isinf(first)) return FB_OK;
  /* One that passed its level the other way first, earlier in this step, has changed its side. */
  for (int i = 0; i < s->nevent; i++)
    if (watches(s, i) && s->root[i] == first && s->events[i].direction != 0)
      s->side[i] = -s->events[i].direction;
  if (first >= *t1) return FB_OK;
  *t1 = first;
  return s->stepper.at(s->stepper.self, s, first, s->y1, error);
}

static fb_status happen(fb_sim* s, int event, int* acted, fb_error* error) {
  const fb_event* e = &s->events[event];
  s->fired[event]++;
  s->happened[event] = 1;
  s->records[s->nrecord++] = (fb_event_record){event, s->head->t};
  if (!e->act) return FB_OK;
  *acted = 1;
  if (fb_chatter_note(s, event, error)) return FB_ERR_NO_SOLUTION;
  fb_status status = e->act(e->user, s, error);
  if (!status || !error) return status;
  fb_error own = *error;
  fb_fail(error, status, "at t = %.9g s, event \"%s\": %s", s->head->t, e->name, own.text);
  fb_error_set_place(error, own.file, own.path, own.place);
  return status;
}

/* Of events that watch no signal. */
static unsigned char is_due(const fb_sim* s, int event, double t) {
  const fb_event* e = &s->events[event];
  if (e->kind == FB_TRIGGER_LIMIT && !(e->once && s->fired[event] > 0))
    return s->phases[e->limit] >> e->phase & 1;
  if (e->kind == FB_TRIGGER_CONTACT && !(e->once && s->fired[event] > 0))
    return fb_touch_happened(s, e->contact, e->change);
  return e->kind == FB_TRIGGER_TIME && fb_event_next_time(s, event) <= t + fb_time_slack(t);
}

/* Which events are due now, and on which side every watched signal is. */
static fb_status find_due(fb_sim* s, fb_error* error) {
  double t = s->head->t, x;
  for (int i = 0; i < s->nevent; i++) {
    s->due[i] = is_due(s, i, t);
    if (!watches(s, i)) continue;
    fb_status status = level_at(s, i, t, s->y, &x, error);
    if (status) return status;
    s->due[i] = passed(s, i, x) != 0;
    if (fb_sign(x) != 0) s->side[i] = fb_sign(x);
    /* A start on the level: as if it came to it. */
    if (s->side[i] == 0) s->side[i] = s->events[i].direction != 0 ? -s->events[i].direction : ON_LEVEL;
  }
  return FB_OK;
}

fb_status fb_events_act(fb_sim* s, int* acted, fb_error* error) {
  fb_status status = find_due(s, error);
  for (int i = 0; i < s->nevent && !status; i++)
    if (s->due[i] && !s->happened[i]) status = happen(s, i, acted, error); /* once an instant */
  return status;
}
