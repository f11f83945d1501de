/* action.c -- what an event of a scenario does, in words: for its explanation and for the log. */
#include "scenario/build/build.h"
#include "scenario/explain/explain.h"
#include "scenario/read/event.h"

#include <string.h>

#include <freebody/support/text.h>

/* A number as it is in the log, or with its unit. */
static void add_value(fb_text* out, const fb_scenario_action* action, int units) {
  char unit[96];
  fb_quantity_units(action->quantity, unit, sizeof unit);
  unit[strcspn(unit, ",")] = '\0'; /* the first is SI */
  if (units)
    fb_scenario_add_number(out, action->number, unit);
  else
    fb_text_printf(out, "%g", action->number);
}

static void add_action(fb_text* out, const fb_scenario* s, const fb_scenario_action* action, int units) {
  const fb_model* m = s->model;
  switch (action->kind) {
    case FB_ACT_LOCK:
      fb_text_printf(out, "joint '%s' is locked", fb_joint_name(m, action->body));
      break;
    case FB_ACT_RELEASE:
      fb_text_printf(out, "joint '%s' is released", fb_joint_name(m, action->body));
      break;
    case FB_ACT_MOVE:
      fb_text_printf(out, "motion '%s' begins", s->motions[action->index].name);
      break;
    case FB_ACT_BOUNCE:
      fb_text_printf(out, "joint '%s' bounces", fb_joint_name(m, action->body));
      if (fb_joint_nv(m, action->body) > 1)
        fb_text_printf(out, " in coordinate %d", action->index - fb_joint_v_index(m, action->body));
      fb_text_printf(out, ", restitution %g", action->number);
      break;
    case FB_ACT_MODE:
      fb_text_printf(out, "mode '%s' begins",
                     s->modes && s->modes[action->index] ? s->modes[action->index] : "");
      break;
    case FB_ACT_SET:
      fb_text_printf(out, "%s of '%s' is set to ", action->parameter, action->block);
      add_value(out, action, units);
      break;
    case FB_ACT_JOIN:
      fb_text_printf(out, "'%s' joins '%s' by the %s%s '%s'", action->join.frame, action->join.to,
                     fb_scenario_join_word(action->join.type),
                     action->join.type == FB_JOINT_FIXED ? "" : " joint", action->join.name);
      break;
    case FB_ACT_PART:
      fb_text_printf(out, "joint '%s' parts", action->join.name);
      break;
    case FB_ACT_STOP:
      fb_text_add(out, "the run ends");
  }
}

static int is_soft_hit(const fb_scenario* s, const fb_event* event) {
  return event->kind == FB_TRIGGER_LIMIT && event->phase == FB_LIMIT_HIT &&
         s->limits[event->limit].stiffness > 0;
}

/* What a stop says when nothing else is done there. */
static void add_phase(fb_text* out, const fb_scenario* s, const fb_event* event) {
  if (event->phase == FB_LIMIT_HIT && !is_soft_hit(s, event)) return;
  fb_scenario_add_coordinate_name(out, s->model, s->limits[event->limit].coordinate);
  fb_text_add(out, event->phase == FB_LIMIT_HIT     ? " is pushed back"
                   : event->phase == FB_LIMIT_RESTS ? " rests"
                                                    : " leaves");
}

void fb_scenario_add_group_actions(fb_text* out, const fb_scenario* s, int index) {
  const fb_scenario_event* event = &s->events[index];
  const char* between = event->event.kind == FB_TRIGGER_LIMIT ? "; " : ": ";
  for (int i = 0; i < event->count; i++) {
    if (fb_scenario_is_of_stop(event, &event->actions[i])) continue;
    fb_text_add(out, between);
    add_action(out, s, &event->actions[i], 1);
    between = "; ";
  }
}

void fb_scenario_add_actions(fb_text* out, const fb_scenario* s, int event, int units) {
  if (s->events[event].event.kind == FB_TRIGGER_LIMIT) add_phase(out, s, &s->events[event].event);
  const char* between = is_soft_hit(s, &s->events[event].event) ? "; " : "";
  for (int i = 0; i < s->events[event].count; i++, between = "; ") {
    fb_text_add(out, between);
    add_action(out, s, &s->events[event].actions[i], units);
  }
}
