/* limit.c -- events at the limits of joints: of which joints, and whether the limits become stops; and `limits: contact`,
 * which makes stops of all that are left.
 *
 * `limit` is a joint, a list of joints, or all; a name that ends with * stands for all joints that begin so. Every limit
 * becomes an event of its own: NAME.lower, or NAME.JOINT.lower where there may be several joints. A joint gets one stop:
 * `all` and patterns leave out joints that have one already, or that another event names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "scenario/explain/explain.h"
#include "scenario/read/event.h"
#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "model/model.h"

typedef struct limit_reader {
  fb_scenario* s;
  const fb_fields* values; /* of the event; NULL: rigid stops without rebound */
  const fb_scenario_event* event;
  int several;     /* joints are chosen by a list, a pattern or all, and stand in the names of their events */
  int makes_stops; /* the limits become stops */
  int added;
} limit_reader;

/* ---- which joints ---- */

static const fb_joint_def* joint_of(const fb_scenario* s, int body) {
  return &fb_model_def_body(fb_model_definition(s->model), body)->joint;
}

static int has_limits(const fb_scenario* s, int body) {
  const fb_joint_def* joint = joint_of(s, body);
  for (int i = 0; i < fb_joint_nv(s->model, body); i++)
    if (isfinite(joint->lower[i]) || isfinite(joint->upper[i])) return 1;
  return 0;
}

/* How many characters a joint's name must begin with; -1 when the word is one joint's name. A joint may be called all. */
static int stem_of(const fb_scenario* s, const char* word) {
  size_t size = strlen(word);
  if (fb_model_find_joint(s->model, word) >= 0) return -1;
  if (strcmp(word, "all") == 0) return 0;
  return size > 0 && size < 1000 && word[size - 1] == '*' ? (int)size - 1 : -1;
}

static int makes_stops(const fb_node* event) {
  const fb_node* list = fb_map_get(event, "do");
  if (fb_map_get(event, "stiffness")) return 1;
  for (int i = 0; list && fb_node_get_kind(list) == FB_NODE_LIST && i < fb_node_count(list); i++) {
    const fb_node* action = fb_node_item(list, i);
    if (fb_node_get_kind(action) == FB_NODE_MAP && fb_map_get(action, "bounce")) return 1;
  }
  return 0;
}

static void note_named(fb_scenario* s, const fb_node* name) {
  int body =
      fb_node_get_kind(name) == FB_NODE_SCALAR ? fb_model_find_joint(s->model, fb_node_text(name)) : -1;
  if (body > 0) s->given[body] |= FB_NAMED_STOP;
}

void fb_scenario_find_named_limits(fb_scenario* s, const fb_node* events) {
  for (int i = 0; i < fb_node_count(events); i++) {
    const fb_node *event = fb_node_item(events, i),
                  *limit = fb_node_get_kind(event) == FB_NODE_MAP ? fb_map_get(event, "limit") : NULL;
    if (!limit || !makes_stops(event)) continue;
    int list = fb_node_get_kind(limit) == FB_NODE_LIST;
    for (int k = 0; k < (list ? fb_node_count(limit) : 1); k++)
      note_named(s, list ? fb_node_item(limit, k) : limit);
  }
}

/* ---- one limit ---- */

static fb_status read_soft(const limit_reader* r, int body, int at, fb_limit* limit, fb_error* error) {
  static const char* const keys[] = {"stiffness", "damping"};
  double* out[] = {&limit->stiffness, &limit->damping};
  fb_status status = FB_OK;
  for (int i = 0; i < 2 && !status; i++) {
    const fb_node* node = fb_fields_value(r->values, keys[i]);
    if (node)
      status = fb_scenario_number(r->s, node, fb_fields_row(r->values, keys[i]), body, at, out[i], error);
  }
  if (!status || !r->several || !error) return status;
  fb_error cause = *error;
  fb_fail(error, status, "for the joint '%.60s': %s", fb_joint_name(r->s->model, body), cause.text);
  fb_error_set_place(error, cause.file, cause.path, cause.place);
  return status;
}

/* The event at one end of a coordinate's range. */
static fb_status add_end(limit_reader* r, int body, int at, double level, int side, fb_error* error) {
  fb_scenario* s = r->s;
  fb_scenario_event event = *r->event;
  fb_action_reader actions = {s, body, at};
  fb_limit limit = fb_default_limit();
  limit.coordinate = fb_joint_v_index(s->model, body) + at;
  limit.side = side;
  limit.level = level;
  char index[16] = "";
  if (!isfinite(level)) return FB_OK;
  fb_status status = fb_scenario_coordinate_signal(s, body, at, &event.event.signal, error);
  if (!status && r->values)
    status = fb_scenario_read_actions(&actions, fb_fields_value(r->values, "do"), &event, error);
  if (!status && r->values) status = read_soft(r, body, at, &limit, error);
  if (status) return status;
  if (fb_joint_nv(s->model, body) > 1) snprintf(index, sizeof index, ".%d", at);
  event.event.name =
      fb_scenario_print(s, "%.200s%s%s%s.%s", r->event->event.name, r->several ? "." : "",
                        r->several ? fb_joint_name(s->model, body) : "", index, side > 0 ? "upper" : "lower");
  event.group = r->several ? r->event->event.name : NULL;
  event.event.kind = FB_TRIGGER_CROSSING;
  event.event.level = level;
  event.event.direction = side;
  r->added++;
  return !r->values || limit.stiffness > 0 ? fb_scenario_add_stop(s, &limit, &event, error)
                                           : fb_scenario_add_watch(s, &event, error);
}

/* Once an event, however many of its words select it. */
static fb_status add_joint(limit_reader* r, int body, fb_error* error) {
  const fb_joint_def* joint = joint_of(r->s, body);
  fb_status status = FB_OK;
  if (r->s->given[body] & FB_THIS_EVENT) return FB_OK;
  r->s->given[body] |= FB_GIVEN_LIMIT | FB_THIS_EVENT;
  for (int i = 0; i < fb_joint_nv(r->s->model, body) && !status; i++) {
    status = add_end(r, body, i, joint->lower[i], -1, error);
    if (!status) status = add_end(r, body, i, joint->upper[i], +1, error);
  }
  return status;
}

/* ---- all that a word stands for ---- */

static fb_status add_named(limit_reader* r, const fb_node* node, fb_error* error) {
  int body;
  fb_status status = fb_scenario_joint(r->s, node, &body, error);
  if (status) return status;
  if (!has_limits(r->s, body))
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the joint '%.60s' has no limits in its model",
                        fb_joint_name(r->s->model, body));
  return add_joint(r, body, error);
}

static fb_status add_matching(limit_reader* r, const fb_node* node, const char* word, int stem,
                              fb_error* error) {
  const fb_scenario* s = r->s;
  int before = r->added, limited = 0, matching = 0;
  fb_status status = FB_OK;
  for (int body = 1; body < fb_model_nbody(s->model) && !status; body++) {
    if (fb_joint_nv(s->model, body) == 0 || strncmp(fb_joint_name(s->model, body), word, (size_t)stem) != 0)
      continue;
    matching++;
    if (!has_limits(s, body)) continue;
    limited++;
    if (r->makes_stops && s->given[body] & (FB_NAMED_STOP | FB_GIVEN_STOP)) continue;
    status = add_joint(r, body, error);
  }
  if (status || r->added > before) return status;
  if (limited > 0 && r->added > 0) return FB_OK; /* named before, by this event */
  if (limited > 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "every joint that '%.60s' selects has a stop by another event already", word);
  if (matching > 0 || stem == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "none of the joints that '%.60s' selects has limits",
                        word);
  return fb_node_fail(node, error, FB_ERR_NAME, "there is no joint whose name begins with '%.*s'", stem,
                      word);
}

static fb_status add_word(limit_reader* r, const fb_node* node, fb_error* error) {
  const char* word;
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  int stem = stem_of(r->s, word);
  if (stem < 0) return add_named(r, node, error);
  r->several = 1;
  return add_matching(r, node, word, stem, error);
}

/* ---- the event ---- */

static fb_status check_soft(const fb_fields* values, int once, fb_error* error) {
  const fb_node *stiffness = fb_fields_value(values, "stiffness"),
                *damping = fb_fields_value(values, "damping"), *actions = fb_fields_value(values, "do");
  if (damping && !stiffness)
    return fb_node_fail(damping, error, FB_ERR_CONTENT,
                        "damping without stiffness; a soft stop needs both, or stiffness alone");
  if (!stiffness) return FB_OK;
  if (once)
    return fb_node_fail(fb_fields_value(values, "once"), error, FB_ERR_CONTENT,
                        "a soft stop pushes whenever a joint is beyond its limit; leave 'once' out");
  for (int i = 0; actions && fb_node_get_kind(actions) == FB_NODE_LIST && i < fb_node_count(actions); i++) {
    const fb_node *action = fb_node_item(actions, i),
                  *bounce = fb_node_get_kind(action) == FB_NODE_MAP ? fb_map_get(action, "bounce") : NULL;
    if (bounce)
      return fb_node_fail(bounce, error, FB_ERR_CONTENT,
                          "a soft stop bounces by its stiffness and damping; leave out 'bounce', or those");
  }
  return FB_OK;
}

fb_status fb_scenario_read_limits(fb_scenario* s, const fb_fields* values, const fb_scenario_event* event,
                                  fb_error* error) {
  const fb_node* node = fb_fields_value(values, "limit");
  limit_reader r = {.s = s, .values = values, .event = event, .makes_stops = makes_stops(values->map)};
  fb_status status = check_soft(values, event->event.once, error);
  for (int b = 1; b < fb_model_nbody(s->model); b++) s->given[b] &= (unsigned char)~FB_THIS_EVENT;
  if (status || fb_node_get_kind(node) != FB_NODE_LIST) return status ? status : add_word(&r, node, error);
  if (fb_node_count(node) == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the list of joints is empty; all selects every joint");
  for (int i = 0; i < fb_node_count(node) && !status; i++) {
    r.several = 1;
    status = fb_scenario_check_once(node, i, "joint", error);
    if (!status) status = add_word(&r, fb_node_item(node, i), error);
  }
  return status;
}

/* ---- the key of the scenario ---- */

/* Says which limits are left, for the summary of a run. */
static fb_status note_unenforced(fb_scenario* s, fb_error* error) {
  fb_text out = {0};
  if (!fb_scenario_has_ignored(s, FB_IGNORED_LIMITS)) return FB_OK;
  fb_scenario_add_ignored(&out, s, FB_IGNORED_LIMITS);
  char* text = fb_text_take(&out, NULL);
  if (!text || !fb_scenario_own(s, text, free)) return fb_scenario_no_memory(error);
  text[strcspn(text, "\n")] = '\0';
  s->unenforced = text;
  return FB_OK;
}

fb_status fb_scenario_read_stops(fb_scenario* s, const fb_fields* values, fb_error* error) {
  int contact = 0;
  fb_scenario_event event = {.scenario = s, .event = fb_default_event()};
  event.event.name = "limits";
  limit_reader r = {.s = s, .event = &event, .several = 1, .makes_stops = 1};
  if (!fb_fields_value(values, "limits")) return note_unenforced(s, error);
  fb_status status = fb_fields_word(values, "limits", &contact, error);
  for (int body = 1; body < fb_model_nbody(s->model) && contact && !status; body++) {
    s->given[body] &= (unsigned char)~FB_THIS_EVENT;
    if (!(s->given[body] & FB_GIVEN_STOP) && has_limits(s, body)) status = add_joint(&r, body, error);
  }
  return status;
}
