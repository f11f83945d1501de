/* event.c -- events of a scenario: when, and what happens then. */
#include <string.h>

#include "base/grow.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/event.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

enum {
  TIME = BIT(FB_EVENT_TIME),
  CROSSING = BIT(FB_EVENT_CROSSING),
  LIMIT = BIT(FB_EVENT_LIMIT),
  CONTACT = BIT(FB_EVENT_CONTACT)
};
const char* const fb_event_words[] = {"time", "crossing", "limit", "contact", NULL};
/* In the order of fb_contact_change. */
const char* const fb_change_words[] = {"hits", "opens", "slips", "sticks", NULL};
static const char* const DIRECTIONS[] = {"either", "rising", "falling", NULL};

typedef struct fb_event_row {
  const char *name, *when;
  double at, every;
  int once;
} fb_event_row;
typedef struct fb_action_row {
  const char *lock, *release, *move, *mode, *part;
  int stop;
} fb_action_row;
typedef struct fb_bounce_row {
  const char* joint;
  int coordinate;
  double restitution;
} fb_bounce_row;
typedef struct fb_setting_row {
  const char *block, *parameter;
} fb_setting_row;

static const fb_field FIELDS[] = {
    PLAIN(EVENT, "name", TEXT, EVERY, NEVER, AT(fb_event_row, name), "as events[0]", "its name in the log"),
    UNIT(EVENT, "at", NUMBER, TIME, NOT_NEGATIVE, TIME, NEVER, AT(fb_event_row, at),
         "the first period, with `every`; one of `at`, `every`, `when`, `limit`, `contact` is required",
         "time of the event"),
    UNIT(EVENT, "every", NUMBER, TIME, POSITIVE, TIME, NEVER, AT(fb_event_row, every), "once",
         "repeats it with this period, from `at` on"),
    PLAIN(EVENT, "when", TEXT, CROSSING, CROSSING, AT(fb_event_row, when),
          "one of `at`, `every`, `when`, `limit`, `contact` is required",
          "a signal, such as p.hand.z: the event occurs when it crosses the level `crosses`"),
    PLAIN(EVENT, "crosses", NUMBER, CROSSING, CROSSING, -1, NULL, "the level, in the signal's unit"),
    WORD(EVENT, "direction", DIRECTIONS, CROSSING, "either", "direction of the crossing"),
    PLAIN(EVENT, "limit", NAMES, LIMIT, LIMIT, -1,
          "one of `at`, `every`, `when`, `limit`, `contact` is required",
          "a joint, a list of joints, or all: the event occurs when one of them reaches one of its limits; a "
          "name that ends with * selects all joints that begin so"),
    BOTH(EVENT, "stiffness", NUMBER, STIFFNESS, ANGULAR_STIFFNESS, POSITIVE, LIMIT, NEVER, "none",
         "makes the limits soft stops: springs that push back a joint beyond its limit, and never pull"),
    BOTH(EVENT, "damping", NUMBER, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, LIMIT, NEVER, "0",
         "damping of soft stops"),
    PLAIN(EVENT, "contact", TEXT, CONTACT, CONTACT, -1,
          "one of `at`, `every`, `when`, `limit`, `contact` is required",
          "a hard contact: the event occurs when `change` happens to it"),
    WORD(EVENT, "change", fb_change_words, CONTACT, "hits",
         "hits: an impact; opens: it parts; slips, sticks: it touches and begins to slip, or to stick or "
         "roll; slips also where its slip reverses"),
    PLAIN(EVENT, "once", BOOL, CROSSING | LIMIT | CONTACT, NEVER, AT(fb_event_row, once), "false",
          "true: it occurs at most once"),
    INNER(EVENT, "do", LIST, ACTION, "it is only logged", "the actions, in order"),

    PLAIN(ACTION, "lock", TEXT, EVERY, NEVER, AT(fb_action_row, lock), "each action has one key",
          "hold this joint at its current position"),
    PLAIN(ACTION, "release", TEXT, EVERY, NEVER, AT(fb_action_row, release), "",
          "drive this joint by force again"),
    PLAIN(ACTION, "move", TEXT, EVERY, NEVER, AT(fb_action_row, move), "", "start this motion"),
    INNER(ACTION, "bounce", MAP, BOUNCE, "",
          "reverse the rate of a joint: with `limit` the limit becomes a rigid stop, otherwise one bounce"),
    PLAIN(ACTION, "mode", TEXT, EVERY, NEVER, AT(fb_action_row, mode), "", "switch to this mode"),
    INNER(ACTION, "set", MAP, SETTING, "", "set a parameter of a block"),
    INNER(ACTION, "join", MAP, JOIN, "", "join two trees at two frames by a new joint"),
    PLAIN(ACTION, "part", TEXT, EVERY, NEVER, AT(fb_action_row, part), "",
          "undo the join of this name, or open this joint of the model: its child then floats"),
    PLAIN(ACTION, "stop", BOOL, EVERY, NEVER, AT(fb_action_row, stop), "", "true: end the run"),

    PLAIN(BOUNCE, "joint", TEXT, EVERY, NEVER, AT(fb_bounce_row, joint), "the joint of the event's `limit`",
          "which joint"),
    PLAIN(BOUNCE, "coordinate", INDEX, EVERY, NEVER, AT(fb_bounce_row, coordinate), "the one at its limit",
          "which coordinate, from 0, of a joint with several"),
    UNIT(BOUNCE, "restitution", NUMBER, NONE, NOT_NEGATIVE, EVERY, EVERY, AT(fb_bounce_row, restitution),
         NULL, "ratio of the rate after to the rate before: 0 to 1"),

    PLAIN(SETTING, "block", TEXT, EVERY, EVERY, AT(fb_setting_row, block), NULL,
          "name of a control law, spring or bushing"),
    PLAIN(SETTING, "parameter", TEXT, EVERY, EVERY, AT(fb_setting_row, parameter), NULL,
          "for joint laws JOINT.kp, JOINT.kd, JOINT.ki, JOINT.target, JOINT.effort; for others kp, kd, "
          "effort, or the script's or plugin's own; for a spring stiffness, damping, length; for a bushing "
          "stiffness.0 to stiffness.5, damping.0 to damping.5"),
    PLAIN(SETTING, "value", NUMBER, EVERY, EVERY, -1, NULL, "the new value"),
};

const fb_schema_rows fb_rows_event = FB_ROWS(FIELDS);

/* --- what happens --- */

static fb_status read_bounce(const fb_action_reader* r, const fb_node* map, fb_scenario_action* out,
                             fb_error* error) {
  fb_fields values;
  fb_bounce_row row = {.coordinate = -1};
  int body = r->limit_body;
  const fb_model* m = r->s->model;
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_BOUNCE, &values, &row, error);
  if (!status && row.joint) status = fb_scenario_joint(r->s, fb_fields_value(&values, "joint"), &body, error);
  if (status) return status;
  if (row.restitution > 1)
    return fb_node_fail(fb_fields_value(&values, "restitution"), error, FB_ERR_CONTENT,
                        "restitution is %g, but lies between 0 and 1", row.restitution);
  if (body < 0) return fb_node_fail(map, error, FB_ERR_CONTENT, "which joint bounces? Add joint: NAME");
  int at = row.coordinate >= 0 ? row.coordinate : body == r->limit_body ? r->limit_coordinate : 0;
  if (row.coordinate < 0 && body != r->limit_body && fb_joint_nv(m, body) > 1)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "the joint '%.60s' has %d coordinates; say which one with 'coordinate'",
                        fb_joint_name(m, body), fb_joint_nv(m, body));
  status = fb_scenario_check_coordinate(r->s, fb_fields_value(&values, "coordinate"), body, at, error);
  *out = (fb_scenario_action){.kind = FB_ACT_BOUNCE,
                              .body = body,
                              .index = fb_joint_v_index(m, body) + at,
                              .number = row.restitution};
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
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_SETTING, &values, &row, error);
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
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_ACTION, &values, &row, error);
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
  fb_status status = fb_node_need_list(list, "actions, as [{lock: elbow}]", error);
  if (status) return status;
  out->count = fb_node_count(list);
  out->actions = fb_scenario_alloc(r->s, (size_t)out->count, sizeof *out->actions);
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
  if (!status) status = fb_fields_get_word(values, "direction", &direction, error);
  event->direction = signs[direction];
  return status;
}

/* The variant by the key that says when; -1 after an error. */
static int which_variant(const fb_fields* values, fb_error* error) {
  static const char* const keys[] = {"at", "when", "limit", "contact"};
  for (int i = 0; i < 4; i++)
    if (fb_fields_value(values, keys[i])) return i;
  if (fb_fields_value(values, "every")) return FB_EVENT_TIME;
  fb_node_fail(values->map, error, FB_ERR_CONTENT,
               "an event needs 'at', a time, or 'every', a period, or 'when', a signal, or 'limit', a joint "
               "or all, or 'contact', a contact");
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
  fb_scenario_event event = {.scenario = s, .event = fb_default_event()};
  fb_action_reader reader = {s, -1, 0};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_EVENT, &values, error);
  if (status) return status;
  int variant = which_variant(&values, error);
  if (variant < 0) return FB_ERR_CONTENT;
  status = fb_fields_read(&values, variant, &row, error);
  if (!status) status = check_every(s, &values, row.every, error);
  if (status) return status;
  event.event.name = row.name ? row.name : fb_scenario_print(s, "events[%d]", index);
  event.event.time = fb_fields_value(&values, "at") ? row.at : row.every;
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
  if (list && fb_node_get_kind(list) == FB_NODE_LIST) fb_scenario_find_named_limits(s, list);
  fb_status status = fb_scenario_read_list(s, values, "events", "events", NULL, read_event, error);
  if (!status) status = fb_scenario_check_parts(s, error);
  return status ? status : fb_scenario_check_names(list, NULL, "event", error);
}
