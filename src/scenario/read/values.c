/* values.c -- numbers of a scenario whose unit depends on the joint. */
#include <string.h>

#include <freebody/rotation.h>

#include "scenario/read/values.h"
#include "model/joint_kind.h"

int fb_texts_count(const fb_node* node) {
  return !node ? 0 : fb_node_get_kind(node) == FB_NODE_LIST ? fb_node_count(node) : 1;
}

const fb_node* fb_texts_item(const fb_node* node, int index) {
  return fb_node_get_kind(node) == FB_NODE_LIST ? fb_node_item(node, index) : node;
}

fb_status fb_scenario_read_list(
    fb_scenario* s, const fb_fields* values, const char* key, const char* what, const char* item,
    fb_status (*read)(fb_scenario* s, const fb_node* map, int index, fb_error* error), fb_error* error) {
  const fb_node* list = fb_fields_value(values, key);
  if (!list) return FB_OK;
  fb_status status = fb_node_need_list(list, what, error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = fb_scenario_go_on(s, read(s, fb_node_item(list, i), i, error), error);
  return status || !item ? status : fb_scenario_check_names(list, NULL, item, error);
}

fb_quantity fb_scenario_quantity(const fb_scenario* s, const fb_field* field, int body, int i) {
  return fb_joint_type_is_length(fb_joint_type_of(s->model, body), i) ? field->quantity : field->angular;
}

fb_status fb_scenario_number(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                             int i, double* out, fb_error* error) {
  return fb_field_number(node, field, fb_scenario_quantity(s, field, body, i), out, error);
}

/* A list of `count` for a joint that has so many coordinates. */
static fb_status need_count(const fb_scenario* s, const fb_node* node, int body, int count, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_LIST && fb_node_count(node) == count) return FB_OK;
  return fb_node_unexpected(
      node, error, "the %s joint '%.60s' has %d coordinates, so a list of %d numbers is expected",
      fb_joint_type_name(fb_joint_type_of(s->model, body)), fb_joint_name(s->model, body), count, count);
}

fb_status fb_scenario_coordinates(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                                  double* numbers, fb_error* error) {
  int nv = fb_joint_nv(s->model, body);
  if (nv == 1 && fb_node_get_kind(node) == FB_NODE_LIST)
    return fb_node_fail(
        node, error, FB_ERR_CONTENT,
        "the %s joint '%.60s' has one coordinate, so a number is expected, but found a list of %d",
        fb_joint_type_name(fb_joint_type_of(s->model, body)), fb_joint_name(s->model, body),
        fb_node_count(node));
  if (nv == 1) return fb_scenario_number(s, node, field, body, 0, numbers, error);
  fb_status status = need_count(s, node, body, nv, error);
  for (int i = 0; i < nv && !status; i++)
    status = fb_scenario_number(s, fb_node_item(node, i), field, body, i, &numbers[i], error);
  return status;
}

fb_status fb_scenario_one(const fb_fields* values, const char* key, fb_quantity quantity, double* out,
                          fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  return node ? fb_field_number(node, fb_fields_row(values, key), quantity, out, error) : FB_OK;
}

fb_status fb_scenario_parameters(fb_scenario* s, const fb_node* map, fb_plugin_parameter** parameters,
                                 int* count, fb_error* error) {
  if (!map) return FB_OK;
  fb_status status = fb_node_need_map(map, "a map from names to numbers", error);
  if (status) return status;
  *count = fb_node_count(map);
  *parameters = fb_scenario_alloc(s, (size_t)*count, sizeof **parameters);
  if (!*parameters) return fb_scenario_no_memory(error);
  for (int i = 0; i < *count && !status; i++) {
    (*parameters)[i].name = fb_map_key(map, i);
    status = fb_node_number(fb_map_value(map, i), FB_Q_NONE, &(*parameters)[i].value, error);
  }
  return status;
}

/* {at: .., rpy: ..}: what spherical and free joints take. Numbers before the quaternion are the position. */
static fb_status read_pose(const fb_node* map, int quat, double* q, fb_error* error) {
  fb_fields values;
  fb_base_row row = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  double R[9];
  fb_rot_identity(R);
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_POSE, &values, &row, error);
  if (!status) status = fb_fields_rotation(&values, R, error);
  if (status) return status;
  if (quat == 0 && fb_fields_value(&values, "at"))
    return fb_node_fail(fb_fields_value(&values, "at"), error, FB_ERR_CONTENT,
                        "a spherical joint turns and does not move; leave 'at' out");
  memcpy(q, row.at, (size_t)quat * sizeof *q);
  fb_rot_to_quat(R, q + quat);
  return FB_OK;
}

/* A quaternion inside q, as numbers. */
static fb_status read_quaternion(const fb_node* list, int first, double q[4], fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < 4 && !status; i++)
    status = fb_node_number(fb_node_item(list, first + i), FB_Q_NONE, &q[i], error);
  if (status) return status;
  double norm = fb_quat_normalise(q);
  if (norm > 1e-6 && norm < 1e100) return FB_OK;
  return fb_node_fail(list, error, FB_ERR_CONTENT,
                      "the quaternion has the length %g, so it is no rotation; the identity is [1, 0, 0, 0]",
                      norm);
}

fb_status fb_scenario_position(const fb_scenario* s, const fb_node* node, int body, double* q,
                               fb_error* error) {
  static const fb_field coordinate = {.key = "joints", .quantity = FB_Q_LENGTH, .angular = FB_Q_ANGLE};
  fb_joint_type type = fb_joint_type_of(s->model, body);
  int quat = fb_joint_type_quat_index(type), nq = fb_joint_nq(s->model, body),
      nv = fb_joint_nv(s->model, body);
  if (quat < 0) return fb_scenario_coordinates(s, node, &coordinate, body, q, error);
  int is_pose = fb_joint_kinds[type].nlink == 1;
  if (is_pose && fb_node_get_kind(node) == FB_NODE_MAP) return read_pose(node, quat, q, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != nq)
    return fb_node_unexpected(node, error, "the %s joint '%.60s' takes %s%s, %d numbers",
                              fb_joint_type_name(type), fb_joint_name(s->model, body),
                              is_pose ? "a map as {rpy: [0, 0, 90 deg]}, or " : "",
                              quat == 0 ? "a quaternion w, x, y, z" : "position and quaternion", nq);
  fb_status status = read_quaternion(node, quat, q + quat, error);
  for (int i = 0; i < nv && !status; i++) {
    int at = fb_joint_type_q_of(type, i);
    if (at >= 0) status = fb_scenario_number(s, fb_node_item(node, at), &coordinate, body, i, &q[at], error);
  }
  return status;
}

fb_status fb_scenario_check_coordinate(const fb_scenario* s, const fb_node* node, int body, int coordinate,
                                       fb_error* error) {
  int nv = fb_joint_nv(s->model, body);
  if (coordinate < nv) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_CONTENT, "the %s joint '%.60s' has no coordinate %d; it has %d, counted from 0",
      fb_joint_type_name(fb_joint_type_of(s->model, body)), fb_joint_name(s->model, body), coordinate, nv);
}
