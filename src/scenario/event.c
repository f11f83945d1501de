/* event.c -- events of a scenario: when, and what happens then. */
#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/kinds.h"

/* --- what happens --- */

static fb_status read_bounce(const fb_action_reader* r, const fb_node* map, fb_scenario_action* out,
                             fb_error* error) {
  fb_fields values;
  fb_bounce_row row = {.coordinate = -1};
  int body = r->limit_body;
  const fb_model* m = r->s->model;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_BOUNCE, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (!status && row.joint) status = fb_scenario_joint(r->s, fb_fields_value(&values, "joint"), &body, error);
  if (status) return status;
  if (row.restitution > 1)
    return fb_node_fail(fb_fields_value(&values, "restitution"), error, FB_ERR_CONTENT,
                        "restitution is %g, but lies between 0 and 1", row.restitution);
  if (body < 0) return fb_node_fail(map, error, FB_ERR_CONTENT, "which joint bounces? Add joint: NAME");
  int at = row.coordinate >= 0 ? row.coordinate : body == r->limit_body ? r->limit_at : 0;
  if (row.coordinate < 0 && body != r->limit_body && fb_joint_nv(m, body) > 1)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "the joint '%.60s' has %d coordinates; say which one with 'coordinate'",
                        fb_joint_name(m, body), fb_joint_nv(m, body));
  status = fb_scenario_check_coordinate(r->s, fb_fields_value(&values, "coordinate"), body, at, error);
  *out = (fb_scenario_action){
      .kind = FB_ACT_BOUNCE, .body = body, .index = fb_joint_v_at(m, body) + at, .number = row.restitution};
  return status;
}

/* Whether a parameter bounds what a law gives: "effort", "elbow.effort". */
static int is_bound(const char* parameter) {
  size_t size = strlen(parameter), end = strlen("effort");
  return size >= end && strcmp(parameter + size - end, "effort") == 0;
}

static fb_status read_setting(const fb_action_reader* r, const fb_node* map, fb_scenario_action* out,
                              fb_error* error) {
  fb_fields values;
  fb_setting_row row = {NULL, NULL};
  int block;
  fb_quantity quantity = FB_Q_NONE;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_SETTING, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (!status) status = fb_scenario_block_of(r->s, fb_fields_value(&values, "block"), &block, error);
  if (!status)
    status = fb_scenario_parameter(r->s, &r->s->blocks[block], fb_fields_value(&values, "parameter"),
                                   &quantity, error);
  *out = (fb_scenario_action){.kind = FB_ACT_SET, .block = row.block, .parameter = row.parameter};
  const fb_node* value = fb_fields_value(&values, "value");
  if (!status) status = fb_node_number(value, quantity, &out->number, error);
  out->quantity = quantity;
  if (!status && is_bound(row.parameter) && out->number < 0)
    status = fb_node_fail(value, error, FB_ERR_CONTENT, "'%.60s' is a bound; it must not be negative",
                          row.parameter);
  if (status) return status;
  const fb_field parameter = {.key = row.parameter, .range = r->s->blocks[block].kind->parameters};
  return fb_field_check_range(value, &parameter, out->number, error);
}

static fb_status read_stop(const fb_node* node, int stop, fb_error* error) {
  if (stop) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'stop' is true, or is left out; false would say nothing");
}

static fb_status read_action(const fb_action_reader* r, const fb_node* map, fb_scenario_action* out,
                             fb_error* error) {
  static const char* const keys[] = {"lock", "release", "move", "bounce", "mode",
                                     "set",  "join",    "part", "stop"};
  fb_fields values;
  fb_action_row row = {.stop = 1};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_ACTION, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (status) return status;
  if (fb_node_count(map) != 1)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "an action has one key, but this one has %d; write each as an item of its own",
                        fb_node_count(map));
  int kind = 0;
  while (!fb_fields_value(&values, keys[kind])) kind++;
  const fb_node* node = fb_fields_value(&values, keys[kind]);
  *out = (fb_scenario_action){.kind = (fb_action_kind)kind};
  switch (out->kind) {
    case FB_ACT_LOCK:
    case FB_ACT_RELEASE:
      return fb_scenario_joint(r->s, node, &out->body, error);
    case FB_ACT_MOVE:
      return fb_scenario_motion_of(r->s, node, &out->index, error);
    case FB_ACT_BOUNCE:
      return read_bounce(r, node, out, error);
    case FB_ACT_MODE:
      return fb_scenario_mode_of(r->s, node, &out->index, error);
    case FB_ACT_SET:
      return read_setting(r, node, out, error);
    case FB_ACT_JOIN:
      return fb_scenario_read_join(r->s, node, out, error);
    case FB_ACT_PART:
      out->join.name = row.part;
      out->node = node;
      return FB_OK;
    default:
      return read_stop(node, row.stop, error);
  }
}

fb_status fb_scenario_read_actions(const fb_action_reader* r, const fb_node* list, fb_scenario_event* out,
                                   fb_error* error) {
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "actions, as [{lock: elbow}]", error);
  if (status) return status;
  out->count = fb_node_count(list);
  out->actions = fb_scenario_take(r->s, (size_t)out->count, sizeof *out->actions);
  if (!out->actions) return fb_scenario_no_memory(error);
  for (int i = 0; i < out->count && !status; i++)
    status = read_action(r, fb_node_item(list, i), &out->actions[i], error);
  return status;
}

/* --- when --- */

fb_status fb_scenario_add_event(fb_scenario* s, const fb_scenario_event* event, fb_error* error) {
  if (!event->event.name || !fb_grow(&s->events, (size_t)s->nevent, 1, &s->event_room, sizeof *s->events))
    return fb_scenario_no_memory(error);
  s->events[s->nevent++] = *event;
  return FB_OK;
}

/* One signal that is one number. */
static fb_status read_signal(fb_scenario* s, const fb_node* node, fb_signal* signal, fb_error* error) {
  const char* name;
  int count;
  fb_status status = fb_node_string(node, &name, error);
  if (status) return status;
  status = fb_scenario_find_signals(s, name, signal, 1, &count, error);
  if (status) {
    fb_node_place_error(node, error);
    return status;
  }
  if (count == 1) return FB_OK;
  fb_signal_info one;
  fb_scenario_signal_info(s, *signal, &one);
  return fb_node_fail(node, error, FB_ERR_NAME, "'%.60s' matches %d signals; choose one of them, such as %s",
                      name, count, one.name);
}

static fb_status read_crossing(fb_scenario* s, const fb_fields* values, fb_event* event, fb_error* error) {
  static const int signs[] = {0, 1, -1};
  int direction = 0;
  event->kind = FB_TRIGGER_CROSSING;
  fb_status status = read_signal(s, fb_fields_value(values, "when"), &event->signal, error);
  if (status) return status;
  fb_signal_info info;
  fb_scenario_signal_info(s, event->signal, &info);
  fb_quantity quantity = fb_unit_quantity(info.unit);
  status = fb_node_number(fb_fields_value(values, "crosses"), quantity, &event->level, error);
  if (!status && fb_fields_value(values, "direction"))
    status = fb_fields_word(values, "direction", &direction, error);
  event->direction = signs[direction];
  return status;
}

/* The variant by the key that says when; -1 after an error. */
static int which_variant(const fb_fields* values, fb_error* error) {
  static const char* const keys[] = {"at", "when", "limit", "contact"};
  for (int i = 0; i < 4; i++)
    if (fb_fields_value(values, keys[i])) return i;
  fb_node_fail(
      values->map, error, FB_ERR_CONTENT,
      "an event needs 'at', a time, or 'when', a signal, or 'limit', a joint or all, or 'contact', a "
      "contact");
  return -1;
}

static fb_status check_every(const fb_scenario* s, const fb_fields* values, double every, fb_error* error) {
  if (every == 0 || every > 1e-9 * s->duration) return FB_OK;
  return fb_node_fail(fb_fields_value(values, "every"), error, FB_ERR_CONTENT,
                      "an event each %g s of %g s are more than 1e9; choose a longer time", every,
                      s->duration);
}

static fb_status read_event(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  fb_event_row row = {.name = NULL};
  fb_scenario_event event = {.scenario = s};
  fb_action_reader reader = {s, -1, 0};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_EVENT, &values, error);
  if (status) return status;
  int variant = which_variant(&values, error);
  if (variant < 0) return FB_ERR_CONTENT;
  status = fb_fields_read(&values, variant, &row, error);
  if (!status) status = check_every(s, &values, row.every, error);
  if (status) return status;
  event.event.name = row.name ? row.name : fb_scenario_print(s, "events[%d]", index);
  event.event.time = row.at;
  event.event.period = row.every;
  event.event.once = row.once;
  if (!event.event.name) return fb_scenario_no_memory(error);
  if (variant == FB_EVENT_LIMIT) return fb_scenario_read_limits(s, &values, &event, error);
  event.event.kind = FB_TRIGGER_TIME;
  if (variant == FB_EVENT_CROSSING) status = read_crossing(s, &values, &event.event, error);
  if (variant == FB_EVENT_CONTACT) status = fb_scenario_read_change(s, &values, &event.event, error);
  if (!status) status = fb_scenario_read_actions(&reader, fb_fields_value(&values, "do"), &event, error);
  return status ? status : fb_scenario_add_watch(s, &event, error);
}

fb_status fb_scenario_read_events(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* list = fb_fields_value(values, "events");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "events", error);
  if (!status) fb_scenario_find_named_limits(s, list);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = fb_scenario_go_on(s, read_event(s, fb_node_item(list, i), i, error), error);
  if (!status) status = fb_scenario_check_parts(s, error);
  return status ? status : fb_scenario_check_names(list, NULL, "event", error);
}
