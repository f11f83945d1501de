/* join.c -- the actions `join` and `part` of events: read, checked as far as the file alone allows, and done. */
#include <string.h>

#include "constraint/rebuild.h"
#include "math/axis.h"
#include "scenario/read/event.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

/* Of joins, in the order of fb_join_words: all have an axis but weld, spherical and planar. */
enum { AXIAL = BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5), HELICAL = BIT(3), UNIVERSAL = BIT(5) };

static const fb_field FIELDS[] = {
    PLAIN(JOIN, "name", TEXT, EVERY, EVERY, AT(fb_join_def, name), NULL, "name of the joint that is made"),
    PLAIN(JOIN, "frame", TEXT, EVERY, EVERY, AT(fb_join_def, frame), NULL,
          "a frame or body of one tree; this tree is re-rooted when it floats, otherwise that of `to`"),
    PLAIN(JOIN, "to", TEXT, EVERY, EVERY, AT(fb_join_def, to), NULL,
          "a frame or body of another tree, or world; their origins must coincide to 1e-6 m"),
    WORD(JOIN, "type", fb_join_words, EVERY, "weld",
         "the joint; weld holds the attitude of that instant; for revolute, prismatic, helical and "
         "cylindrical the axes must be parallel to 1e-6 rad"),
    UNIT(JOIN, "axis", AXIS, NONE, ANY, AXIAL, NEVER, AT(fb_join_def, axis), "z; of universal x",
         "the joint's axis, in the axes of both frames"),
    UNIT(JOIN, "axis2", AXIS, NONE, ANY, UNIVERSAL, NEVER, AT(fb_join_def, axis2), "y",
         "second axis, in the axes of `frame`"),
    UNIT(JOIN, "pitch", NUMBER, LENGTH_PER_ANGLE, ANY, HELICAL, NEVER, AT(fb_join_def, pitch), "0",
         "advance along the axis per radian"),
    PLAIN(JOIN, "force", BOOL, EVERY, NEVER, AT(fb_join_def, force), "false",
          "true: join frames that are apart or askew; the offset of that instant is kept"),
};

const fb_schema_rows fb_rows_join = FB_ROWS(FIELDS);

/* In the order of the words of the schema. */
static const fb_joint_type TYPES[] = {FB_JOINT_FIXED,     FB_JOINT_REVOLUTE,    FB_JOINT_PRISMATIC,
                                      FB_JOINT_HELICAL,   FB_JOINT_CYLINDRICAL, FB_JOINT_UNIVERSAL,
                                      FB_JOINT_SPHERICAL, FB_JOINT_PLANAR};
const char* const fb_join_words[] = {"weld",      "revolute",  "prismatic", "helical", "cylindrical",
                                     "universal", "spherical", "planar",    NULL};

const char* fb_scenario_join_word(fb_joint_type type) {
  for (int i = 0; fb_join_words[i]; i++)
    if (TYPES[i] == type) return fb_join_words[i];
  return "";
}

/* A frame or body; "world" too, where that is allowed. */
static fb_status read_frame(const fb_scenario* s, const fb_fields* values, const char* key, int world,
                            const char** name, fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  int frame;
  fb_status status = fb_node_string(node, name, error);
  if (status || (world && fb_model_find_frame(s->model, *name) == FB_WORLD)) return status;
  return fb_scenario_frame(s, node, &frame, error);
}

static fb_status check_name(const fb_scenario* s, const fb_node* node, const char* name, fb_error* error) {
  if (!*name) return fb_node_fail(node, error, FB_ERR_NAME, "the joint of a join needs a name");
  if (fb_model_find_joint(s->model, name) < 0) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_NAME,
                      "the model has a joint '%.60s' already; give the joint of the join another name", name);
}

/* Both frames on bodies that no event can bring apart from each other would close a loop; on one body it is plain. */
static fb_status check_apart(const fb_scenario* s, const fb_fields* values, const fb_join_def* how,
                             fb_error* error) {
  int a = fb_frame_body(s->model, fb_model_find_frame(s->model, how->frame)),
      b = fb_frame_body(s->model, fb_model_find_frame(s->model, how->to));
  if (a != b) return FB_OK;
  return fb_node_fail(fb_fields_value(values, "to"), error, FB_ERR_TREE,
                      "'%.60s' and '%.60s' are on one body, '%.60s'; join frames of two trees", how->frame,
                      how->to, fb_body_name(s->model, a));
}

static fb_status check_axes(const fb_fields* values, const fb_join_def* how, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "axis2");
  if (how->type != FB_JOINT_UNIVERSAL || fb_axis_sine(how->axis, how->axis2) > 1e-9) return FB_OK;
  return fb_node_fail(node ? node : fb_fields_value(values, "axis"), error, FB_ERR_JOINT,
                      "'axis2'%s is parallel to 'axis'; the two axes of a universal joint must differ",
                      node ? "" : ", by default y,");
}

fb_status fb_scenario_read_join(const fb_scenario* s, const fb_node* map, fb_scenario_action* out,
                                fb_error* error) {
  fb_fields values;
  fb_join_def how = fb_default_join_def();
  int word = 0;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_JOIN, &values, error);
  if (!status) status = fb_fields_get_word(&values, "type", &word, error);
  how.type = TYPES[word];
  if (!status) status = fb_fields_read(&values, word, &how, error);
  if (!status) status = read_frame(s, &values, "frame", 0, &how.frame, error);
  if (!status) status = read_frame(s, &values, "to", 1, &how.to, error);
  if (status) return status;
  if (how.type == FB_JOINT_UNIVERSAL && !fb_fields_value(&values, "axis")) how.axis[0] = 1, how.axis[2] = 0;
  out->join = how;
  status = check_name(s, fb_fields_value(&values, "name"), how.name, error);
  if (!status) status = check_axes(&values, &how, error);
  return status ? status : check_apart(s, &values, &how, error);
}

/* The join that makes a joint of this name; NULL when no event does. */
static const fb_join_def* find_join(const fb_scenario* s, const char* name) {
  for (int i = 0; i < s->nevent; i++)
    for (int k = 0; k < s->events[i].count; k++) {
      const fb_scenario_action* action = &s->events[i].actions[k];
      if (action->kind == FB_ACT_JOIN && strcmp(action->join.name, name) == 0) return &action->join;
    }
  return NULL;
}

static fb_status check_part(const fb_scenario* s, const fb_scenario_action* action, fb_error* error) {
  const char* name = action->join.name;
  int body = fb_model_find_joint(s->model, name);
  if (body < 0 && find_join(s, name)) return FB_OK;
  if (body < 0) return fb_scenario_joint(s, action->node, &body, error);
  if (fb_body_floats(s->model, body))
    return fb_node_fail(action->node, error, FB_ERR_JOINT,
                        "'%.60s' is the free joint of a floating base, which is not joined to anything",
                        name);
  fb_error cause;
  fb_status status = fb_part_check_gears(s->model, body, &cause);
  return status ? fb_node_fail(action->node, error, status, "%s", cause.text) : FB_OK;
}

fb_status fb_scenario_check_parts(fb_scenario* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nevent; i++)
    for (int k = 0; k < s->events[i].count && !status; k++) {
      const fb_scenario_action* action = &s->events[i].actions[k];
      s->has_changes |= action->kind == FB_ACT_JOIN || action->kind == FB_ACT_PART;
      if (action->kind == FB_ACT_PART) status = fb_scenario_go_on(s, check_part(s, action, error), error);
    }
  return status;
}

int fb_scenario_parts_body(const fb_scenario* s, int body) {
  for (int i = 0; i < s->nevent; i++)
    for (int k = 0; k < s->events[i].count; k++) {
      const fb_scenario_action* action = &s->events[i].actions[k];
      if (action->kind == FB_ACT_PART && fb_model_find_joint(s->model, action->join.name) == body) return 1;
    }
  return 0;
}

int fb_scenario_event_changes(const fb_scenario* s, int event) {
  int count = 0;
  for (int k = 0; k < s->events[event].count; k++)
    count +=
        s->events[event].actions[k].kind == FB_ACT_JOIN || s->events[event].actions[k].kind == FB_ACT_PART;
  return count;
}
