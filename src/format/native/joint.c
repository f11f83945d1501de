/* joint.c -- reads a joint of the native format.
 *
 * One-degree joints take numbers, the others lists with one entry for each velocity coordinate; an entry null
 * means none. The unit of each entry follows from whether its coordinate is an angle or a length. */
#include <stddef.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/native/parts.h"
#include "math/axis.h"

static fb_quantity quantity_of(const fb_field* field, fb_joint_type type, int i) {
  return fb_joint_type_is_length(type, i) ? field->quantity : field->angular;
}

/* One number of a list; null leaves the default. */
static fb_status read_entry(const fb_node* node, const fb_field* field, fb_quantity quantity, double* out,
                            fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_NULL) return FB_OK;
  return fb_field_number(node, field, quantity, out, error);
}

static fb_status need_list(const fb_node* node, int pairs, fb_joint_type type, fb_error* error) {
  int nv = fb_joint_type_nv(type);
  int fits = fb_node_get_kind(node) == FB_NODE_LIST && fb_node_count(node) == nv;
  for (int i = 0; i < nv && fits && pairs; i++) { /* a plain [low, high] has numbers where pairs should be */
    fb_node_kind kind = fb_node_get_kind(fb_node_item(node, i));
    fits = kind == FB_NODE_LIST || kind == FB_NODE_NULL;
  }
  if (fits) return FB_OK;
  return fb_node_unexpected(node, error,
                            "a %s joint has %d velocity coordinates, so a list of %d %s is expected",
                            fb_joint_type_name(type), nv, nv, pairs ? "pairs [low, high]" : "numbers");
}

static fb_status read_coordinates(const fb_node* node, const fb_field* field, fb_joint_type type, double* out,
                                  fb_error* error) {
  int nv = fb_joint_type_nv(type);
  if (nv == 1 && fb_node_get_kind(node) == FB_NODE_LIST)
    return fb_node_fail(
        node, error, FB_ERR_CONTENT,
        "a %s joint has one velocity coordinate, so a number is expected, but found a list of %d",
        fb_joint_type_name(type), fb_node_count(node));
  if (nv == 1) return fb_field_number(node, field, quantity_of(field, type, 0), out, error);
  fb_status status = need_list(node, 0, type, error);
  for (int i = 0; i < nv && !status; i++)
    status = read_entry(fb_node_item(node, i), field, quantity_of(field, type, i), &out[i], error);
  return status;
}

static fb_status read_pair(const fb_node* node, const fb_field* field, fb_quantity quantity, double* lower,
                           double* upper, fb_error* error) {
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != 2)
    return fb_node_unexpected(node, error, "limits are a pair [low, high]");
  fb_status status = read_entry(fb_node_item(node, 0), field, quantity, lower, error);
  if (!status) status = read_entry(fb_node_item(node, 1), field, quantity, upper, error);
  if (status || *lower <= *upper) return status;
  return fb_node_fail(node, error, FB_ERR_JOINT, "the lower limit %g is above the upper limit %g; swap them",
                      *lower, *upper);
}

static int is_list_of_lists(const fb_node* node) {
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) == 0) return 0;
  return fb_node_get_kind(fb_node_item(node, 0)) == FB_NODE_LIST;
}

static fb_status read_limits(const fb_node* node, const fb_field* field, fb_joint_def* joint,
                             fb_error* error) {
  fb_joint_type type = joint->type;
  int nv = fb_joint_type_nv(type);
  if (nv == 1 && !is_list_of_lists(node))
    return read_pair(node, field, quantity_of(field, type, 0), &joint->lower[0], &joint->upper[0], error);
  fb_status status = need_list(node, 1, type, error);
  for (int i = 0; i < nv && !status; i++) {
    const fb_node* pair = fb_node_item(node, i);
    if (fb_node_get_kind(pair) == FB_NODE_NULL) continue;
    status = read_pair(pair, field, quantity_of(field, type, i), &joint->lower[i], &joint->upper[i], error);
  }
  return status;
}

typedef struct rotor {
  double inertia, ratio;
} rotor;

static fb_status read_rotor(const fb_node* map, const fb_fields* joint_values, fb_joint_def* joint,
                            fb_error* error) {
  if (fb_fields_value(joint_values, "armature"))
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "'rotor' is another way to write 'armature'; keep one of them");
  fb_fields values;
  rotor r = {0, 0};
  fb_status status = fb_fields_open(map, &fb_native_schema, FB_NATIVE_ROTOR, &values, &r, error);
  if (!status) joint->armature[0] = r.inertia * r.ratio * r.ratio;
  return status;
}

static fb_status read_child(const fb_node* map, fb_joint_def* joint, fb_error* error) {
  fb_fields values;
  fb_frame_def child = fb_default_frame_def();
  fb_status status = fb_fields_open(map, &fb_native_schema, FB_NATIVE_CHILD, &values, &child, error);
  if (!status) status = fb_fields_rotation(&values, child.R, error);
  memcpy(joint->child_at, child.at, sizeof child.at);
  memcpy(joint->child_R, child.R, sizeof child.R);
  return status;
}

/* friction_speed is one number for all coordinates: it has a unit where they are all of one kind. */
static fb_status read_friction_speed(const fb_node* node, const fb_field* field, fb_joint_def* joint,
                                     fb_error* error) {
  int nv = fb_joint_type_nv(joint->type), lengths = 0;
  for (int i = 0; i < nv; i++) lengths += fb_joint_type_is_length(joint->type, i);
  fb_quantity quantity = lengths == 0 ? field->angular : lengths == nv ? field->quantity : FB_Q_NONE;
  return fb_field_number(node, field, quantity, &joint->friction_speed, error);
}

static fb_status read_row(const fb_fields* values, int row, fb_joint_def* joint, fb_error* error) {
  const fb_node* node = values->value[row];
  const fb_field* field = values->fields[row];
  switch (field->kind) {
    case FB_FIELD_COORDINATES:
      return read_coordinates(node, field, joint->type, (double*)(void*)((char*)joint + field->offset),
                              error);
    case FB_FIELD_LIMITS:
      return read_limits(node, field, joint, error);
    case FB_FIELD_MAP:
      return field->inner == FB_NATIVE_CHILD ? read_child(node, joint, error)
                                             : read_rotor(node, values, joint, error);
    case FB_FIELD_NUMBER:
      return field->offset < 0 ? read_friction_speed(node, field, joint, error) : FB_OK;
    default:
      return FB_OK;
  }
}

static fb_status check_axes(const fb_fields* values, const fb_joint_def* joint, fb_error* error) {
  if (fb_joint_type_naxis(joint->type) < 2 || fb_axis_sine(joint->axis, joint->axis2) > 1e-9) return FB_OK;
  return fb_node_fail(fb_fields_value(values, "axis2"), error, FB_ERR_JOINT,
                      "'axis2' is parallel to 'axis'; the two axes of a %s joint must differ",
                      fb_joint_type_name(joint->type));
}

/* Keys that say what dh and mdh say. */
static fb_status refuse_both(const fb_fields* values, const char* key, fb_error* error) {
  static const char* const others[] = {"at", "rpy", "euler_xyz", "quat", "dcm", "axis", "child", "reversed"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (fb_fields_value(values, others[i]))
      return fb_node_fail(fb_fields_value(values, others[i]), error, FB_ERR_CONTENT,
                          "'%s' and '%s' both place the joint; keep one of them", key, others[i]);
  return FB_OK;
}

/* --- places by the numbers a, alpha, d, theta [m, rad, m, rad] of Denavit and Hartenberg ---
 *
 *   classic   T = Rz(theta) Tz(d) Tx(a) Rx(alpha)   J. Denavit, R. S. Hartenberg, J. Appl. Mech. 22, 1955
 *   modified  T = Rx(alpha) Tx(a) Rz(theta) Tz(d)   J. J. Craig, Introduction to Robotics, (3.6)
 *
 * The coordinate of a joint adds to theta when it turns and to d when it slides. Both stand beside the motion along z,
 * with which they commute: classic T comes wholly after the motion, modified T wholly before it. */

/* Where the frame of a link is in the frame before it. */
static void dh_classic(const double x[4], double at[3], double R[9]) {
  double turn[9];
  fb_rot_z(x[3], R);
  at[0] = x[0] * R[0];
  at[1] = x[0] * R[3];
  at[2] = x[2];
  fb_rot_x(x[1], turn);
  fb_rot_multiply(R, turn, R);
}

/* The joint moves along z of this frame itself. */
static void dh_modified(const double x[4], double at[3], double R[9]) {
  double turn[9];
  fb_rot_x(x[1], R);
  at[0] = x[0];
  at[1] = x[2] * R[5];
  at[2] = x[2] * R[8];
  fb_rot_z(x[3], turn);
  fb_rot_multiply(R, turn, R);
}

static fb_status read_dh(const fb_fields* values, fb_joint_def* joint, fb_error* error) {
  const fb_node *dh = fb_fields_value(values, "dh"), *mdh = fb_fields_value(values, "mdh");
  const fb_node* node = dh ? dh : mdh;
  double x[4];
  if (!node) return FB_OK;
  if (dh && mdh)
    return fb_node_fail(mdh, error, FB_ERR_CONTENT, "'dh' and 'mdh' both place the joint; keep one of them");
  fb_status status = refuse_both(values, dh ? "dh" : "mdh", error);
  if (status) return status;
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != 4)
    return fb_node_unexpected(node, error, "expected a list of 4 numbers, [a, alpha, d, theta]");
  for (int i = 0; i < 4 && !status; i++)
    status = fb_node_number(fb_node_item(node, i), i % 2 ? FB_Q_ANGLE : FB_Q_LENGTH, &x[i], error);
  if (status) return status;
  if (fb_joint_type_naxis(joint->type) > 0) joint->axis[2] = 1;
  if (dh)
    dh_classic(x, joint->child_at, joint->child_R);
  else
    dh_modified(x, joint->at, joint->R);
  return FB_OK;
}

fb_status fb_native_read_joint(const fb_node* map, int on_world, fb_joint_def* joint, fb_error* error) {
  fb_fields values;
  int type = FB_JOINT_FREE;
  joint->place = fb_node_place(map);
  fb_status status = fb_fields_collect(map, &fb_native_schema, FB_NATIVE_JOINT, &values, error);
  if (!status && (!on_world || fb_fields_value(&values, "type")))
    status = fb_fields_word(&values, "type", &type, error);
  if (status) return status;
  joint->type = (fb_joint_type)type;
  status = fb_fields_read(&values, type, joint, error);
  if (!status) status = fb_fields_rotation(&values, joint->R, error);
  if (!status) status = read_dh(&values, joint, error);
  if (!status) status = check_axes(&values, joint, error);
  for (int i = 0; i < values.count && !status; i++)
    if (values.value[i]) status = read_row(&values, i, joint, error);
  return status;
}
