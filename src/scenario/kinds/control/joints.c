/* joints.c -- the laws of joints, coordinate by coordinate: joint_pd, joint_pid, computed_torque.
 *
 * Gains of computed_torque are accelerations, so they carry no unit of force: kp in 1/s^2, kd in 1/s. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/kinds/kinds.h"

static const fb_joint_law* law_of(const fb_scenario_block* block) {
  return (const fb_joint_law*)block->settings;
}

/* Its gains are accelerations, without units of force. */
static int is_computed_torque(const fb_scenario_block* block) {
  return block->kind == &fb_kind_control_computed_torque;
}

static int is_plain(const fb_model* m, int body) {
  return fb_joint_type_quat_index(fb_joint_type_of(m, body)) < 0 && fb_joint_nv(m, body) > 0;
}

/* --- which joints --- */

static void add_joint(const fb_scenario* s, int body, fb_joint_law* out) {
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(s->model), body)->joint;
  for (int i = 0; i < fb_joint_nv(s->model, body); i++) {
    fb_pd_joint* added = &out->joints[out->count++];
    *added = fb_default_pd_joint();
    added->coordinate = fb_joint_v_index(s->model, body) + i;
    added->target = s->q[fb_joint_q_index(s->model, body) + i];
    added->effort = joint->effort[i];
  }
}

static int has_joint(const fb_scenario* s, const fb_joint_law* law, int body) {
  for (int i = 0; i < law->count; i++)
    if (fb_coordinate_body(s->model, law->joints[i].coordinate) == body) return 1;
  return 0;
}

static fb_status read_joint(const fb_scenario* s, const fb_node* node, const char* type, fb_joint_law* out,
                            fb_error* error) {
  int body;
  fb_status status = fb_scenario_joint(s, node, &body, error);
  if (status) return status;
  if (!is_plain(s->model, body))
    return fb_node_fail(node, error, FB_ERR_JOINT,
                        "%s is for angles and lengths; the %s joint '%.60s' has an attitude", type,
                        fb_joint_type_name(fb_joint_type_of(s->model, body)), fb_joint_name(s->model, body));
  if (has_joint(s, out, body))
    return fb_node_fail(node, error, FB_ERR_NAME, "the joint '%.60s' is named twice",
                        fb_joint_name(s->model, body));
  add_joint(s, body, out);
  return FB_OK;
}

static fb_status read_joints(fb_scenario* s, const fb_fields* values, const fb_node* node, const char* type,
                             fb_joint_law* out, fb_error* error) {
  out->joints = fb_scenario_alloc(s, (size_t)fb_model_nv(s->model), sizeof *out->joints);
  if (!out->joints) return fb_scenario_no_memory(error);
  if (node && fb_node_get_kind(node) == FB_NODE_LIST) {
    fb_status status = FB_OK;
    for (int i = 0; i < fb_node_count(node) && !status; i++)
      status = read_joint(s, fb_node_item(node, i), type, out, error);
    if (!status && out->count == 0)
      status = fb_node_fail(node, error, FB_ERR_CONTENT, "the list of joints is empty");
    return status;
  }
  if (node && strcmp(fb_node_text(node), "all") != 0) return read_joint(s, node, type, out, error);
  for (int i = 1; i < fb_model_nbody(s->model); i++)
    if (is_plain(s->model, i)) add_joint(s, i, out);
  if (out->count > 0) return FB_OK;
  return fb_node_fail(node ? node : values->map, error, FB_ERR_CONTENT,
                      "no joint of this scene has an angle or a length to control");
}

/* --- numbers for each coordinate --- */

/* One number for all coordinates, or a list with one for each; `at`: the offset of its double in fb_pd_joint. */
static fb_status read_each(const fb_scenario* s, const fb_node* node, const fb_field* field,
                           const fb_joint_law* law, size_t at, fb_error* error) {
  int list = fb_node_get_kind(node) == FB_NODE_LIST;
  if (list && fb_node_count(node) != law->count)
    return fb_node_fail(
        node, error, FB_ERR_CONTENT,
        "'%s' has %d numbers, but %d coordinates are controlled; give one for each, or one for all",
        field->key, fb_node_count(node), law->count);
  fb_status status = FB_OK;
  for (int i = 0; i < law->count && !status; i++) {
    int k = law->joints[i].coordinate, body = fb_coordinate_body(s->model, k);
    double* number = (double*)(void*)((char*)&law->joints[i] + at);
    status = fb_scenario_number(s, list ? fb_node_item(node, i) : node, field, body,
                                k - fb_joint_v_index(s->model, body), number, error);
  }
  return status;
}

/* The joint that the key of a map names, which must be one of the block's; *first is its first coordinate. */
static fb_status controlled_joint(const fb_scenario* s, const fb_node* map, int index,
                                  const fb_joint_law* law, int* body, int* first, fb_error* error) {
  fb_status status = fb_scenario_key_joint(s, map, index, body, error);
  if (status) return status;
  for (*first = 0; *first < law->count; ++*first)
    if (law->joints[*first].coordinate == fb_joint_v_index(s->model, *body)) return FB_OK;
  return fb_map_key_fail(map, index, error, FB_ERR_NAME,
                         "the joint '%.60s' is not among the joints that this law controls",
                         fb_map_key(map, index));
}

static fb_status read_targets(const fb_scenario* s, const fb_node* node, const fb_field* field,
                              const fb_joint_law* law, fb_error* error) {
  if (fb_node_get_kind(node) != FB_NODE_MAP)
    return read_each(s, node, field, law, offsetof(fb_pd_joint, target), error);
  fb_status status = FB_OK;
  for (int i = 0, body, first; i < fb_node_count(node) && !status; i++) {
    double numbers[FB_JOINT_MAX_NV];
    status = controlled_joint(s, node, i, law, &body, &first, error);
    if (!status) status = fb_scenario_coordinates(s, fb_map_value(node, i), field, body, numbers, error);
    for (int k = 0; !status && k < fb_joint_nv(s->model, body); k++)
      law->joints[first + k].target = numbers[k];
  }
  return status;
}

/* A list of values; for a joint of several coordinates a list of such lists. */
static fb_status read_joint_path(fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                                 const fb_scenario_path* path, fb_pd_joint* joints, fb_error* error) {
  int nv = fb_joint_nv(s->model, body);
  if (nv == 1) return fb_scenario_spline(s, node, field, body, 0, path, &joints[0].path, error);
  fb_status status = fb_node_need_list(node, "lists, one for each coordinate", error);
  if (!status && fb_node_count(node) != nv)
    status = fb_node_fail(node, error, FB_ERR_CONTENT,
                          "the joint '%.60s' has %d coordinates, so %d lists are expected, but found %d",
                          fb_joint_name(s->model, body), nv, nv, fb_node_count(node));
  for (int i = 0; i < nv && !status; i++)
    status = fb_scenario_spline(s, fb_node_item(node, i), field, body, i, path, &joints[i].path, error);
  return status;
}

static fb_status read_paths(fb_scenario* s, const fb_node* map, const fb_node* target, fb_joint_law* law,
                            fb_error* error) {
  fb_fields values;
  fb_scenario_path path;
  fb_status status = fb_scenario_path_of(s, map, FB_SCENARIO_PATHS, &values, &path, error);
  if (status) return status;
  const fb_node* paths = fb_fields_value(&values, "values");
  status = fb_node_need_map(paths, "a map from joints to lists", error);
  for (int i = 0, body, first; i < fb_node_count(paths) && !status; i++) {
    status = controlled_joint(s, paths, i, law, &body, &first, error);
    if (!status && target &&
        (fb_node_get_kind(target) != FB_NODE_MAP || fb_map_get(target, fb_map_key(paths, i))))
      status = fb_map_key_fail(paths, i, error, FB_ERR_CONTENT,
                               "the joint '%.60s' has a target and a path; keep one of them",
                               fb_map_key(paths, i));
    if (!status)
      status = read_joint_path(s, fb_map_value(paths, i), fb_fields_row(&values, "values"), body, &path,
                               &law->joints[first], error);
  }
  return status;
}

/* --- a law --- */

/* The row of a gain; where gains are accelerations without unit. */
static fb_field gain_row(const fb_fields* values, const char* key, int accelerates) {
  fb_field row = *fb_fields_row(values, key);
  if (accelerates && strcmp(key, "effort") != 0) row.quantity = row.angular = FB_Q_NONE;
  return row;
}

static fb_status read_numbers(const fb_scenario* s, const fb_fields* values, int accelerates,
                              const fb_joint_law* law, fb_error* error) {
  static const struct {
    const char* key;
    size_t at;
  } gains[] = {{"kp", offsetof(fb_pd_joint, kp)},
               {"kd", offsetof(fb_pd_joint, kd)},
               {"ki", offsetof(fb_pd_joint, ki)},
               {"effort", offsetof(fb_pd_joint, effort)}};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof gains / sizeof *gains && !status; i++) {
    const fb_node* node = fb_fields_value(values, gains[i].key);
    if (!node) continue;
    fb_field row = gain_row(values, gains[i].key, accelerates);
    status = read_each(s, node, &row, law, gains[i].at, error);
  }
  if (!fb_fields_value(values, "kd") && accelerates) /* critical damping */
    for (int i = 0; i < law->count; i++) law->joints[i].kd = 2 * sqrt(law->joints[i].kp);
  return status;
}

fb_status fb_scenario_joint_law(fb_scenario* s, const fb_fields* values, const char* type, int accelerates,
                                fb_joint_law* law, fb_error* error) {
  const fb_node *target = fb_fields_value(values, "target"), *path = fb_fields_value(values, "path");
  fb_status status = read_joints(s, values, fb_fields_value(values, "joints"), type, law, error);
  for (int i = 0; i < law->count; i++) law->joints[i].kp = 1;
  if (!status) status = read_numbers(s, values, accelerates, law, error);
  if (!status && target) status = read_targets(s, target, fb_fields_row(values, "target"), law, error);
  if (!status && path) status = read_paths(s, path, target, law, error);
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  return fb_scenario_joint_law(s, values, fb_node_text(fb_fields_value(values, "type")),
                               is_computed_torque(block), (fb_joint_law*)block->settings, error);
}

/* --- parameters --- */

static fb_quantity quantity(const fb_scenario* s, const fb_scenario_block* block, const char* name) {
  static const struct {
    const char* ending;
    fb_field field;
  } kinds[] = {{".kp", {.quantity = FB_Q_STIFFNESS, .angular = FB_Q_ANGULAR_STIFFNESS}},
               {".kd", {.quantity = FB_Q_DAMPING, .angular = FB_Q_ANGULAR_DAMPING}},
               {".ki", {.quantity = FB_Q_INTEGRAL_GAIN, .angular = FB_Q_ANGULAR_INTEGRAL_GAIN}},
               {".target", {.quantity = FB_Q_LENGTH, .angular = FB_Q_ANGLE}},
               {".effort", {.quantity = FB_Q_FORCE, .angular = FB_Q_TORQUE}}};
  for (int i = 0; i < law_of(block)->count; i++) {
    int k = law_of(block)->joints[i].coordinate, body = fb_coordinate_body(s->model, k),
        at = k - fb_joint_v_index(s->model, body);
    for (size_t e = 0; e < sizeof kinds / sizeof *kinds; e++) {
      char text[400];
      if (fb_joint_nv(s->model, body) > 1)
        snprintf(text, sizeof text, "%s.%d%s", fb_joint_name(s->model, body), at, kinds[e].ending);
      else
        snprintf(text, sizeof text, "%s%s", fb_joint_name(s->model, body), kinds[e].ending);
      if (strcmp(text, name) != 0) continue;
      int plain = e < 3 && is_computed_torque(block);
      return plain ? FB_Q_NONE : fb_scenario_quantity(s, &kinds[e].field, body, at);
    }
  }
  return FB_Q_NONE;
}

/* --- its block --- */

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const fb_joint_law* law = law_of(block);
  if (is_computed_torque(block))
    return fb_block_new_computed_torque(s->model, block->name, law->joints, law->count, out, error);
  return fb_block_new_joint_pd(s->model, block->name, law->joints, law->count, out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  double next = INFINITY;
  for (int i = 0; i < law_of(block)->count; i++)
    if (law_of(block)->joints[i].path)
      next = fmin(next, fb_spline_next_knot(law_of(block)->joints[i].path, t));
  return next;
}

static double gains(const fb_scenario_block* block, double* stiffness, double* damping) {
  double fastest = 0;
  for (int i = 0; i < law_of(block)->count; i++) {
    const fb_pd_joint* joint = &law_of(block)->joints[i];
    double square = joint->kd * joint->kd / 4 - joint->kp;
    if (is_computed_torque(block)) {
      fastest = fmax(fastest, square > 0 ? joint->kd / 2 + sqrt(square) : sqrt(joint->kp));
    } else {
      stiffness[joint->coordinate] += joint->kp;
      damping[joint->coordinate] += joint->kd;
    }
  }
  return fastest;
}

/* --- in words --- */

/* The coordinates of a law that follow paths, or those that have targets; nothing when there are none. */
static int add_followers(fb_text* out, const fb_scenario* s, const fb_joint_law* law, int paths,
                         const char* words) {
  enum { MAX_SHOWN = 8 };
  int shown = 0, more = 0;
  for (int i = 0; i < law->count; i++) {
    const fb_pd_joint* joint = &law->joints[i];
    int body = fb_coordinate_body(s->model, joint->coordinate);
    if ((joint->path != NULL) != paths || (shown == MAX_SHOWN && ++more)) continue;
    fb_text_add(out, shown++ ? ", " : words);
    fb_scenario_add_coordinate_name(out, s->model, joint->coordinate);
    if (paths) continue;
    fb_text_add(out, " ");
    fb_scenario_add_coordinate(out, s->model, body, joint->coordinate - fb_joint_v_index(s->model, body),
                               joint->target, 0);
  }
  if (more) fb_text_printf(out, " and %d more", more);
  return shown;
}

static int has_integral(const fb_joint_law* law) {
  for (int i = 0; i < law->count; i++)
    if (law->joints[i].ki > 0) return 1;
  return 0;
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_joint_law* law = law_of(block);
  fb_text_add(out, is_computed_torque(block) ? "computed torque"
                   : has_integral(law)       ? "joint PID"
                                             : "joint PD");
  int paths = add_followers(out, s, law, 1, " along paths: ");
  add_followers(out, s, law, 0, paths ? "; to targets: " : " to targets: ");
}

/* Its joints have the model's effort, or one of the law's own. */
static int keeps(const fb_scenario* s, const fb_scenario_block* block, int body) {
  return has_joint(s, law_of(block), body) ? FB_KEEPS_EFFORT : 0;
}

#define JOINT_KIND(list)                                                                               \
  {                                                                                                    \
    .schema = {.keys = list}, .heading = "control", .size = sizeof(fb_joint_law), .blame = {"joints"}, \
    .read = read, .make = make, .explain = explain, .quantity = quantity, .next_edge = next_edge,      \
    .gains = gains, .keeps = keeps                                                                     \
  }

const fb_kind fb_kind_control_joint_pd = JOINT_KIND("joints kp! kd ki target path effort limit");
const fb_kind fb_kind_control_joint_pid = JOINT_KIND("joints kp! kd ki! target path effort limit");
const fb_kind fb_kind_control_computed_torque = JOINT_KIND("joints kp! kd target path effort limit");
