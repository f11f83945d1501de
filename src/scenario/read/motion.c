/* motion.c -- coordinates with prescribed motion: locked, at a rate, at a value, along a path. */
#include <string.h>

#include "base/grow.h"
#include "scenario/read/path.h"
#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

typedef struct fb_motion_row {
  const char *name, *joint;
  int coordinate, lock, at_start;
} fb_motion_row;

static const fb_field FIELDS[] = {
    PLAIN(MOTION, "name", TEXT, EVERY, NEVER, AT(fb_motion_row, name), "as motions[0]",
          "its name, by which events start it"),
    PLAIN(MOTION, "joint", TEXT, EVERY, EVERY, AT(fb_motion_row, joint), NULL, "the joint that is moved"),
    PLAIN(MOTION, "coordinate", INDEX, EVERY, NEVER, AT(fb_motion_row, coordinate), "all of them",
          "which one, from 0, of a joint with several"),
    PLAIN(MOTION, "lock", BOOL, EVERY, NEVER, AT(fb_motion_row, lock), "one of these four is required",
          "true: held at its current position"),
    BOTH(MOTION, "rate", COORDINATES, SPEED, RATE, ANY, EVERY, NEVER, "one of these four is required",
         "moved at a constant rate"),
    BOTH(MOTION, "value", COORDINATES, LENGTH, ANGLE, ANY, EVERY, NEVER, "one of these four is required",
         "held at this coordinate"),
    INNER(MOTION, "path", MAP, PATH, "one of these four is required", "moved along a smooth path"),
    PLAIN(MOTION, "at_start", BOOL, EVERY, NEVER, AT(fb_motion_row, at_start), "true",
          "false: only an event starts it"),
};

const fb_schema_rows fb_rows_motion = FB_ROWS(FIELDS);

static fb_status read_lock(const fb_node* node, const fb_motion_row* row, fb_scenario_motion* out,
                           fb_error* error) {
  if (!row->lock)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'lock' is true, or is left out; false would say nothing");
  for (int i = 0; i < out->count; i++) out->motions[i].kind = FB_MOTION_LOCKED;
  return FB_OK;
}

/* One number for the coordinate chosen, or what the joint takes: numbers[count]. */
static fb_status read_numbers(const fb_scenario* s, const fb_node* node, const fb_field* field,
                              const fb_motion_row* row, const fb_scenario_motion* out, double* numbers,
                              fb_error* error) {
  if (row->coordinate >= 0)
    return fb_scenario_number(s, node, field, out->body, row->coordinate, numbers, error);
  return fb_scenario_coordinates(s, node, field, out->body, numbers, error);
}

/* Paths and values are for coordinates that are plain angles and lengths. */
static fb_status check_plain(const fb_scenario* s, const fb_node* node, const fb_scenario_motion* out,
                             fb_error* error) {
  int v_at = fb_joint_v_index(s->model, out->body);
  for (int i = 0; i < out->count; i++)
    if (fb_coordinate_q_index(s->model, out->first + i) < 0)
      return fb_node_fail(node, error, FB_ERR_JOINT,
                          "coordinate %d of the %s joint '%.60s' belongs to an attitude, which can be locked "
                          "or turned at a rate only",
                          out->first + i - v_at, fb_joint_type_name(fb_joint_type_of(s->model, out->body)),
                          fb_joint_name(s->model, out->body));
  return FB_OK;
}

static fb_status read_rate(const fb_scenario* s, const fb_fields* values, const fb_motion_row* row,
                           fb_scenario_motion* out, fb_error* error) {
  double rates[FB_JOINT_MAX_NV];
  fb_status status =
      read_numbers(s, fb_fields_value(values, "rate"), fb_fields_row(values, "rate"), row, out, rates, error);
  for (int i = 0; i < out->count && !status; i++) out->motions[i].rate = rates[i];
  return status;
}

static fb_status read_value(fb_scenario* s, const fb_fields* values, const fb_motion_row* row,
                            fb_scenario_motion* out, fb_error* error) {
  double numbers[FB_JOINT_MAX_NV];
  const fb_node* node = fb_fields_value(values, "value");
  fb_status status = check_plain(s, node, out, error);
  if (!status && !row->at_start)
    status = fb_node_fail(node, error, FB_ERR_CONTENT,
                          "a motion that begins later cannot put its coordinate elsewhere at once; lock it, "
                          "or give a rate or a path");
  if (!status) status = read_numbers(s, node, fb_fields_row(values, "value"), row, out, numbers, error);
  for (int i = 0; i < out->count && !status; i++) {
    out->motions[i].kind = FB_MOTION_PATH;
    status = fb_scenario_constant(s, numbers[i], &out->motions[i].path, error);
  }
  return status;
}

static fb_status read_path(fb_scenario* s, const fb_node* map, fb_scenario_motion* out, fb_error* error) {
  fb_fields values;
  fb_scenario_path path;
  fb_status status = fb_scenario_path_of(s, map, FB_SCENARIO_PATH, &values, &path, error);
  if (!status && out->count > 1)
    status = fb_node_fail(map, error, FB_ERR_CONTENT,
                          "the %s joint '%.60s' has %d coordinates; say which one with 'coordinate'",
                          fb_joint_type_name(fb_joint_type_of(s->model, out->body)),
                          fb_joint_name(s->model, out->body), out->count);
  if (!status) status = check_plain(s, map, out, error);
  if (status) return status;
  out->motions[0].kind = FB_MOTION_PATH;
  return fb_scenario_spline(s, fb_fields_value(&values, "values"), fb_fields_row(&values, "values"),
                            out->body, out->first - fb_joint_v_index(s->model, out->body), &path,
                            &out->motions[0].path, error);
}

/* The key among lock, rate, value and path that stands there; NULL after an error. */
static const char* which_kind(const fb_fields* values, fb_error* error) {
  static const char* const keys[] = {"lock", "rate", "value", "path"};
  const char* found = NULL;
  for (int i = 0; i < 4; i++) {
    const fb_node* node = fb_fields_value(values, keys[i]);
    if (node && found) {
      fb_node_fail(node, error, FB_ERR_CONTENT,
                   "a motion has one of lock, rate, value and path, not '%s' and '%s'", found, keys[i]);
      return NULL;
    }
    if (node) found = keys[i];
  }
  if (!found)
    fb_node_fail(values->map, error, FB_ERR_CONTENT,
                 "a motion needs one of lock, rate, value and path, as lock: true");
  return found;
}

static fb_status read_kind(fb_scenario* s, const fb_fields* values, const fb_motion_row* row,
                           fb_scenario_motion* out, fb_error* error) {
  const char* kind = which_kind(values, error);
  if (!kind) return FB_ERR_CONTENT;
  if (strcmp(kind, "lock") == 0) return read_lock(fb_fields_value(values, kind), row, out, error);
  if (strcmp(kind, "rate") == 0) return read_rate(s, values, row, out, error);
  if (strcmp(kind, "value") == 0) return read_value(s, values, row, out, error);
  return read_path(s, fb_fields_value(values, kind), out, error);
}

static fb_status read_motion(fb_scenario* s, const fb_node* map, int index, fb_scenario_motion* out,
                             fb_error* error) {
  fb_fields values;
  fb_motion_row row = {.coordinate = -1, .at_start = 1};
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_MOTION, &values, &row, error);
  if (!status) status = fb_scenario_joint(s, fb_fields_value(&values, "joint"), &out->body, error);
  if (!status)
    status = fb_scenario_check_coordinate(s, fb_fields_value(&values, "coordinate"), out->body,
                                          row.coordinate, error);
  if (status) return status;
  out->name = row.name ? row.name : fb_scenario_print(s, "motions[%d]", index);
  if (!out->name) return fb_scenario_no_memory(error);
  int one = row.coordinate >= 0;
  out->first = fb_joint_v_index(s->model, out->body) + (one ? row.coordinate : 0);
  out->count = one ? 1 : fb_joint_nv(s->model, out->body);
  out->at_start = row.at_start;
  return read_kind(s, &values, &row, out, error);
}

/* Two motions cannot begin with the same coordinate. */
static fb_status check_alone(const fb_scenario* s, const fb_node* map, const fb_scenario_motion* it,
                             fb_error* error) {
  for (int i = 0; i < s->nmotion && it->at_start; i++) {
    const fb_scenario_motion* other = &s->motions[i];
    if (other->at_start && other->first < it->first + it->count && it->first < other->first + other->count)
      return fb_node_fail(map, error, FB_ERR_CONTENT,
                          "the motion '%.60s' moves the joint '%.60s' already; let one of them begin by an "
                          "event, with at_start: false",
                          other->name, fb_joint_name(s->model, it->body));
  }
  return FB_OK;
}

/* The start state that the motion requires. */
static void apply(fb_scenario* s, const fb_scenario_motion* it) {
  for (int i = 0; i < it->count && it->at_start; i++) {
    int k = it->first + i, at = fb_coordinate_q_index(s->model, k);
    const fb_motion* motion = &it->motions[i];
    s->v[k] = motion->kind == FB_MOTION_RATE ? motion->rate : 0;
    if (motion->kind == FB_MOTION_PATH) fb_spline_eval(motion->path, 0, &s->q[at], &s->v[k], NULL);
  }
}

static fb_status add_motion(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_scenario_motion motion = {.name = NULL};
  for (int i = 0; i < FB_JOINT_MAX_NV; i++) motion.motions[i] = fb_default_motion();
  fb_status status = read_motion(s, map, index, &motion, error);
  if (!status) status = check_alone(s, map, &motion, error);
  if (status) return status;
  if (!fb_grow(&s->motions, (size_t)s->nmotion, 1, &s->motion_room, sizeof *s->motions))
    return fb_scenario_no_memory(error);
  apply(s, &motion);
  s->motions[s->nmotion++] = motion;
  return FB_OK;
}

fb_status fb_scenario_read_motions(fb_scenario* s, const fb_fields* values, fb_error* error) {
  return fb_scenario_read_list(s, values, "motions", "motions", "motion", add_motion, error);
}
