/* stop.c -- events at which a joint bounces at a level of its own coordinate, or is pushed back: stops.
 *
 * A stop holds whatever pushes later, so such an event becomes a limit of the simulation (freebody/sim.h) and three events:
 * NAME when the joint runs into it, with the event's other actions, NAME rests, which soft stops do not have, and NAME
 * leaves. With `once` a bounce remains an event: one reflection. */
#include <stdio.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/read/event.h"
#include "model/model.h"

fb_status fb_scenario_coordinate_signal(const fb_scenario* s, int body, int at, fb_signal* signal,
                                        fb_error* error) {
  char name[FB_SIGNAL_NAME_SIZE];
  int count;
  if (fb_joint_nv(s->model, body) > 1)
    snprintf(name, sizeof name, "q.%s.%d", fb_joint_name(s->model, body), at);
  else
    snprintf(name, sizeof name, "q.%s", fb_joint_name(s->model, body));
  return fb_signal_find(s->model, name, signal, 1, &count, error);
}

/* The bounce that makes the event a stop: of the coordinate whose level it watches. NULL when there is none. */
static const fb_scenario_action* find_bounce(const fb_scenario* s, const fb_scenario_event* event) {
  if (event->event.kind != FB_TRIGGER_CROSSING || event->event.once) return NULL;
  for (int i = 0; i < event->count; i++) {
    const fb_scenario_action* action = &event->actions[i];
    fb_signal signal;
    fb_error ignored;
    if (action->kind != FB_ACT_BOUNCE) continue;
    int at = action->index - fb_joint_v_index(s->model, action->body);
    if (fb_scenario_coordinate_signal(s, action->body, at, &signal, &ignored) == FB_OK &&
        memcmp(&signal, &event->event.signal, sizeof signal) == 0)
      return action;
  }
  return NULL;
}

/* Without a direction the stop is beyond where the joint starts. */
static int side_of(const fb_scenario* s, const fb_scenario_action* bounce, const fb_event* event) {
  int at = fb_coordinate_q_index(s->model, bounce->index);
  return event->direction != 0 ? event->direction : at < 0 || s->q[at] <= event->level ? +1 : -1;
}

static fb_status add_phase(fb_scenario* s, const fb_scenario_event* stop, fb_limit_phase phase,
                           const char* word, fb_error* error) {
  fb_scenario_event event = *stop;
  event.event.phase = phase;
  event.event.name = fb_scenario_print(s, "%.200s %s", stop->event.name, word);
  event.count = 0;
  return fb_scenario_add_event(s, &event, error);
}

fb_status fb_scenario_add_stop(fb_scenario* s, const fb_limit* limit, const fb_scenario_event* event,
                               fb_error* error) {
  fb_scenario_event stop = *event;
  if (!fb_grow(&s->limits, (size_t)s->nlimit, 1, &s->limit_room, sizeof *s->limits))
    return fb_scenario_no_memory(error);
  s->limits[s->nlimit] = *limit;
  stop.event.kind = FB_TRIGGER_LIMIT;
  stop.event.limit = s->nlimit++;
  stop.event.direction = limit->side;
  stop.event.phase = FB_LIMIT_HIT;
  s->given[fb_coordinate_body(s->model, limit->coordinate)] |= FB_GIVEN_LIMIT | FB_GIVEN_STOP;
  fb_status status = fb_scenario_add_event(s, &stop, error);
  if (!status && limit->stiffness == 0) status = add_phase(s, &stop, FB_LIMIT_RESTS, "rests", error);
  if (!status) status = add_phase(s, &stop, FB_LIMIT_LEAVES, "leaves", error);
  return status;
}

fb_status fb_scenario_add_watch(fb_scenario* s, const fb_scenario_event* event, fb_error* error) {
  const fb_scenario_action* bounce = find_bounce(s, event);
  if (!bounce) return fb_scenario_add_event(s, event, error);
  fb_limit limit = fb_default_limit();
  limit.coordinate = bounce->index;
  limit.side = side_of(s, bounce, &event->event);
  limit.level = event->event.level;
  limit.restitution = bounce->number;
  return fb_scenario_add_stop(s, &limit, event, error);
}
