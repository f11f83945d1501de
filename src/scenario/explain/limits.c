/* limits.c -- describes events at the limits of joints, and names the limits that nothing enforces. */
#include <math.h>

#include "scenario/kinds/kinds.h"
#include "model/model.h"

enum { MAX_NAMED = 8 };

typedef int (*joint_fn)(const fb_scenario* s, int body, const void* user);

/* "3 joints (a, b, c)"; how many they are. */
static int add_joints(fb_text* out, const fb_scenario* s, joint_fn is_chosen, const void* user) {
  int count = 0, shown = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++) count += is_chosen(s, body, user) != 0;
  fb_text_printf(out, "%d joint%s (", count, count == 1 ? "" : "s");
  for (int body = 1; body < fb_model_nbody(s->model) && shown < MAX_NAMED; body++)
    if (is_chosen(s, body, user))
      fb_text_printf(out, "%s%s", shown++ ? ", " : "", fb_joint_name(s->model, body));
  if (count > shown) fb_text_printf(out, " and %d more", count - shown);
  fb_text_add(out, ")");
  return count;
}

/* Whether an event of the group is at a limit of this joint. */
static int is_in_group(const fb_scenario* s, int body, const void* user) {
  const char* group = (const char*)user;
  for (int i = 0; i < s->nevent; i++)
    if (s->events[i].group == group && s->events[i].event.signal.index == body) return 1;
  return 0;
}

/* group: NULL for one limit alone; the limits of several joints may have both units. */
static void add_softness(fb_text* out, const fb_scenario* s, const fb_limit* limit, const char* group) {
  static const char* const units[3][2] = {
      {"N m/rad", "N m s/rad"}, {"N/m", "N s/m"}, {"N m/rad or N/m", "N m s/rad or N s/m"}};
  int kind = fb_coordinate_is_length(s->model, limit->coordinate);
  for (int i = 0; group && i < s->nevent; i++)
    if (s->events[i].group == group &&
        fb_coordinate_is_length(s->model, s->limits[s->events[i].event.limit].coordinate) !=
            fb_coordinate_is_length(s->model, limit->coordinate))
      kind = 2;
  fb_text_printf(out, "stiffness %.6g %s, damping %.6g %s", limit->stiffness, units[kind][0], limit->damping,
                 units[kind][1]);
}

static void add_group(fb_text* out, const fb_scenario* s, int index) {
  const fb_scenario_event* event = &s->events[index];
  const fb_limit* limit = event->event.kind == FB_TRIGGER_LIMIT ? &s->limits[event->event.limit] : NULL;
  fb_text_printf(out, "%s: ", event->group);
  if (!limit) fb_text_add(out, event->event.once ? "the first time that each of " : "when one of ");
  int one = add_joints(out, s, is_in_group, event->group) == 1;
  if (!limit) {
    fb_text_add(out, " passes a limit");
  } else if (limit->stiffness > 0) {
    fb_text_printf(out, " %s pushed back beyond %s limits: ", one ? "is" : "are", one ? "its" : "their");
    add_softness(out, s, limit, event->group);
  } else {
    fb_text_printf(out, " cannot pass %s limits: restitution %g", one ? "its" : "their", limit->restitution);
  }
  if (!limit && event->count == 0) fb_text_add(out, ", only logged");
  fb_scenario_add_group_actions(out, s, index);
}

static void add_stop(fb_text* out, const fb_scenario* s, int index) {
  const fb_event* event = &s->events[index].event;
  const fb_limit* limit = &s->limits[event->limit];
  int soft = limit->stiffness > 0, up = event->direction > 0;
  fb_signal_info info;
  fb_scenario_signal_info(s, event->signal, &info);
  fb_text_printf(out, "%s: %s %s ", event->name, info.name,
                 soft ? (up ? "is pushed back above" : "is pushed back below")
                      : (up ? "cannot exceed" : "cannot fall below"));
  fb_scenario_add_number(out, event->level, info.unit);
  fb_text_add(out, ": ");
  if (soft) {
    add_softness(out, s, limit, NULL);
    fb_scenario_add_group_actions(out, s, index);
  } else {
    fb_scenario_add_actions(out, s, index, 1);
  }
}

void fb_scenario_add_limit_event(fb_text* out, const fb_scenario* s, int index) {
  if (s->events[index].group)
    add_group(out, s, index);
  else
    add_stop(out, s, index);
  fb_text_add(out, "\n");
}

/* Which limits of this joint the blocks respect. */
static int kept(const fb_scenario* s, int body) {
  int bits = 0;
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    if (block->limited) bits |= FB_KEEPS_EFFORT;
    if (block->kind->keeps) bits |= block->kind->keeps(s, block, body);
  }
  return bits;
}

static int is_ignored(const fb_scenario* s, int body, const void* user) {
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(s->model), body)->joint;
  int kind = *(const int*)user, given = 0;
  for (int i = 0; i < fb_joint_nv(s->model, body); i++)
    given |= kind == FB_IGNORED_LIMITS   ? isfinite(joint->lower[i]) || isfinite(joint->upper[i])
             : kind == FB_IGNORED_SPEEDS ? isfinite(joint->speed[i])
                                         : isfinite(joint->effort[i]);
  if (!given) return 0;
  if (kind == FB_IGNORED_LIMITS) return !(s->given[body] & FB_GIVEN_LIMIT);
  return !(kept(s, body) & (kind == FB_IGNORED_SPEEDS ? FB_KEEPS_SPEED : FB_KEEPS_EFFORT));
}

const char* const fb_ignored_heads[FB_IGNORED_COUNT] = {"limits", "speeds", "efforts"};

int fb_scenario_has_ignored(const fb_scenario* s, int kind) {
  int count = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++) count += is_ignored(s, body, &kind);
  return count > 0;
}

void fb_scenario_add_ignored(fb_text* out, const fb_scenario* s, int kind) {
  static const char* const reasons[FB_IGNORED_COUNT] = {
      "'limits: contact' would make them rigid stops, and an event can say what else happens there",
      "only the wheels of attitude laws keep to them",
      "no law of joints drives these, and no other law has limit: true"};
  fb_text_add(out, "of ");
  add_joints(out, s, is_ignored, &kind);
  fb_text_printf(out, " are not enforced: %s\n", reasons[kind]);
}
