/* write.c -- writes a definition in the native format, as JSON or YAML with the same calls. Defaults are
 * left out. Numbers read back bit for bit; rotations are spelled so that the matrix comes back the same. */
#include <math.h>
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/rotation.h>

#include "format/native/native.h"
#include "math/vector3.h"

/* --- rotations --- */

static int is_same(const double A[9], const double B[9]) {
  for (int i = 0; i < 9; i++)
    if (A[i] != B[i]) return 0;
  return 1;
}

/* A number, the same rounded (numbers written by hand have few digits), and its neighbours. */
enum { CHOICES = 6 };

static void list_choices(double x, double choice[CHOICES]) {
  choice[0] = nearbyint(x * 1e12) / 1e12;
  choice[1] = x;
  choice[2] = nextafter(x, INFINITY);
  choice[3] = nextafter(x, -INFINITY);
  choice[4] = nextafter(choice[2], INFINITY);
  choice[5] = nextafter(choice[3], -INFINITY);
}

/* Searches for numbers near x that make R to the last bit; 0 when there are none. */
static int find_exact(const double R[9], void (*make)(const double* x, double R[9]), double* x, int count,
                      int choices) {
  double choice[4][CHOICES], tried[4], back[9];
  int all = 1;
  for (int i = 0; i < count; i++) {
    list_choices(x[i], choice[i]);
    all *= choices;
  }
  for (int k = 0; k < all; k++) {
    for (int i = 0, rest = k; i < count; i++, rest /= choices) tried[i] = choice[i][rest % choices];
    make(tried, back);
    if (!is_same(R, back)) continue;
    memcpy(x, tried, (size_t)count * sizeof *x);
    return 1;
  }
  return 0;
}

/* The other angles of the same rotation, with the middle one beyond a right angle. */
static void turn_over(double angles[3]) {
  static const double pi = 3.14159265358979323846;
  for (int i = 0; i < 3; i++)
    angles[i] = (i == 1 || angles[i] > 0 ? -1 : 1) * pi + (i == 1 ? -1 : 1) * angles[i];
  angles[1] += angles[1] < -pi ? 2 * pi : 0;
}

/* Axes turned into axes: quarter turns, whose angles a matrix does not tell at a pitch of a right angle. */
static int find_quarter_turns(const double R[9], double angles[3]) {
  static const double half = 1.57079632679489661923;
  double tried[3], back[9];
  for (int i = 0; i < 9; i++)
    if (fabs(R[i] - nearbyint(R[i])) > 1e-12) return 0;
  for (int k = 0; k < 125; k++) {
    static const int order[5] = {0, 1, -1, 2, -2};
    for (int i = 0, rest = k; i < 3; i++, rest /= 5) tried[i] = order[rest % 5] * half;
    fb_rot_from_rpy(tried, back);
    if (!is_same(R, back)) continue;
    memcpy(angles, tried, sizeof tried);
    return 1;
  }
  return 0;
}

static int find_angles(const double R[9], void (*make)(const double* x, double R[9]), double angles[3]) {
  if (find_exact(R, make, angles, 3, CHOICES)) return 1;
  turn_over(angles);
  return find_exact(R, make, angles, 3, CHOICES);
}

/* The first spelling that reads back as the same matrix; the matrix itself does for every rotation. */
static void write_rotation(const double R[9], fb_json* json) {
  if (is_identity3x3(R)) return;
  double rpy[3], xyz[3], q[4];
  fb_rot_to_rpy(R, rpy);
  fb_rot_to_euler_xyz(R, xyz);
  fb_rot_to_quat(R, q);
  if (find_quarter_turns(R, rpy) || find_angles(R, fb_rot_from_rpy, rpy)) {
    fb_json_put_numbers(json, "rpy", rpy, 3);
  } else if (find_exact(R, fb_rot_from_quat, q, 4, 4)) {
    fb_json_put_numbers(json, "quat", q, 4);
  } else if (find_angles(R, fb_rot_from_euler_xyz, xyz)) {
    fb_json_put_numbers(json, "euler_xyz", xyz, 3);
  } else {
    fb_json_put_matrix(json, "dcm", R, 3, 3);
  }
}

/* --- parts --- */

static void write_text(fb_json* json, const char* key, const char* text) {
  if (!text || !text[0]) return;
  fb_json_put_string(json, key, text);
}

static void write_vector_unless_zero(fb_json* json, const char* key, const double x[3]) {
  if (!is_zero3(x)) fb_json_put_numbers(json, key, x, 3);
}

static int all_are(const double* x, int count, double value) {
  for (int i = 0; i < count; i++)
    if (x[i] != value) return 0;
  return 1;
}

/* A number for one-degree joints, a list for the others; nothing when every entry is the default. */
static void write_coordinates(fb_json* json, const char* key, const double* x, int nv, double fallback) {
  if (all_are(x, nv, fallback)) return;
  fb_json_key(json, key);
  if (nv == 1)
    fb_json_number(json, x[0]);
  else
    fb_json_numbers(json, x, nv); /* an infinite entry becomes null: none */
}

static void write_pair(fb_json* json, double lower, double upper) {
  double pair[2] = {lower, upper};
  if (isfinite(lower) || isfinite(upper))
    fb_json_numbers(json, pair, 2);
  else
    fb_json_null(json);
}

static void write_limits(fb_json* json, const fb_joint_def* joint, int nv) {
  int any = 0;
  for (int i = 0; i < nv; i++) any |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
  if (!any) return;
  fb_json_key(json, "limits");
  if (nv == 1) {
    write_pair(json, joint->lower[0], joint->upper[0]);
    return;
  }
  fb_json_begin_list(json);
  for (int i = 0; i < nv; i++) write_pair(json, joint->lower[i], joint->upper[i]);
  fb_json_end_list(json);
}

static void write_passive(fb_json* json, const fb_joint_def* joint, int nv) {
  write_limits(json, joint, nv);
  write_coordinates(json, "stiffness", joint->stiffness, nv, 0);
  write_coordinates(json, "rest", joint->rest, nv, 0);
  write_coordinates(json, "damping", joint->damping, nv, 0);
  write_coordinates(json, "friction", joint->friction, nv, 0);
  if (nv > 0 && joint->friction_speed != fb_default_joint_def().friction_speed)
    fb_json_put_number(json, "friction_speed", joint->friction_speed);
  write_coordinates(json, "armature", joint->armature, nv, 0);
  write_coordinates(json, "effort", joint->effort, nv, INFINITY);
  write_coordinates(json, "speed", joint->speed, nv, INFINITY);
}

/* What a join left in it. */
static void write_ends(fb_json* json, const fb_joint_def* joint) {
  if (!is_zero3(joint->child_at) || !is_identity3x3(joint->child_R)) {
    fb_json_put_map(json, "child");
    write_vector_unless_zero(json, "at", joint->child_at);
    write_rotation(joint->child_R, json);
    fb_json_end_map(json);
  }
  if (!joint->reversed) return;
  fb_json_put_bool(json, "reversed", 1);
}

static void write_joint(fb_json* json, const char* key, const fb_joint_def* joint) {
  fb_json_put_map(json, key);
  write_text(json, "name", joint->name);
  write_text(json, "type", fb_joint_type_name(joint->type));
  if (fb_joint_type_naxis(joint->type) > 0) fb_json_put_numbers(json, "axis", joint->axis, 3);
  if (fb_joint_type_naxis(joint->type) > 1) fb_json_put_numbers(json, "axis2", joint->axis2, 3);
  if (fb_joint_type_has_pitch(joint->type)) fb_json_put_number(json, "pitch", joint->pitch);
  write_vector_unless_zero(json, "at", joint->at);
  write_rotation(joint->R, json);
  write_passive(json, joint, fb_joint_type_nv(joint->type));
  write_ends(json, joint);
  fb_json_end_map(json);
}

/* Nonzero when the joint is what the reader assumes without one. */
static int joint_is_default(const fb_body_def* body) {
  const fb_joint_def* joint = &body->joint;
  if (body->parent || joint->type != FB_JOINT_FREE || joint->name || !is_identity3x3(joint->R)) return 0;
  return is_zero3(joint->at) && all_are(joint->damping, FB_JOINT_MAX_NV, 0) &&
         all_are(joint->friction, FB_JOINT_MAX_NV, 0) && all_are(joint->effort, FB_JOINT_MAX_NV, INFINITY) &&
         all_are(joint->speed, FB_JOINT_MAX_NV, INFINITY) &&
         joint->friction_speed == fb_default_joint_def().friction_speed;
}

static void write_frames(fb_json* json, const fb_model_def* def, int body) {
  int count = fb_model_def_nframe(def, body);
  if (count == 0) return;
  fb_json_put_list(json, "frames");
  for (int i = 0; i < count; i++) {
    const fb_frame_def* frame = fb_model_def_frame(def, body, i);
    fb_json_begin_map(json);
    write_text(json, "name", frame->name);
    write_vector_unless_zero(json, "at", frame->at);
    write_rotation(frame->R, json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void write_scale(fb_json* json, const double scale[3]) {
  if (scale[0] == 1 && scale[1] == 1 && scale[2] == 1) return;
  fb_json_key(json, "scale");
  if (scale[0] == scale[1] && scale[0] == scale[2])
    fb_json_number(json, scale[0]);
  else
    fb_json_numbers(json, scale, 3);
}

static void write_size(fb_json* json, const fb_shape_def* shape) {
  switch (shape->kind) {
    case FB_SHAPE_BOX:
      fb_json_put_numbers(json, "size", shape->size, 3);
      break;
    case FB_SHAPE_ELLIPSOID:
      fb_json_put_numbers(json, "radii", shape->size, 3);
      break;
    case FB_SHAPE_MESH:
      write_text(json, "file", shape->file);
      write_scale(json, shape->size);
      break;
    default:
      fb_json_put_number(json, "radius", shape->size[0]);
      if (shape->kind == FB_SHAPE_SPHERE) break;
      fb_json_put_number(json, "length", shape->size[1]);
  }
}

static void write_shapes(fb_json* json, const fb_model_def* def, int body) {
  static const char* const uses[] = {NULL, "visual", "contact"};
  int count = fb_model_def_nshape(def, body);
  if (count == 0) return;
  fb_json_put_list(json, "shapes");
  for (int i = 0; i < count; i++) {
    const fb_shape_def* shape = fb_model_def_shape(def, body, i);
    fb_json_begin_map(json);
    write_text(json, "kind", fb_schema_variant(&fb_native_schema, FB_NATIVE_SHAPE, (int)shape->kind));
    write_text(json, "name", shape->name);
    write_size(json, shape);
    write_vector_unless_zero(json, "at", shape->at);
    write_rotation(shape->R, json);
    write_text(json, "color", shape->color);
    write_text(json, "use", uses[shape->use]);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void write_body(fb_json* json, const fb_model_def* def, int id) {
  const fb_body_def* body = fb_model_def_body(def, id);
  fb_json_begin_map(json);
  write_text(json, "name", body->name);
  write_text(json, "parent", body->parent);
  if (!joint_is_default(body)) write_joint(json, "joint", &body->joint);
  if (fb_model_def_floated(def, id)) write_joint(json, "floated", fb_model_def_floated(def, id));
  write_text(json, "floated_until", fb_model_def_floated_until(def, id));
  fb_json_put_number(json, "mass", body->mass);
  write_vector_unless_zero(json, "com", body->com);
  if (body->mass != 0 || !all_are(body->inertia, 6, 0))
    fb_json_put_numbers(json, "inertia", body->inertia, 6);
  write_frames(json, def, id);
  write_shapes(json, def, id);
  fb_json_end_map(json);
}

/* The joints b of a gear and their ratios: lists where there are several. */
static void write_gear(fb_json* json, const fb_loop_def* loop) {
  fb_json_key(json, "b");
  if (loop->njoint != 1) fb_json_begin_list(json);
  for (int i = 0; i < loop->njoint; i++) fb_json_string(json, loop->joints[i]);
  if (loop->njoint != 1) fb_json_end_list(json);
  fb_json_key(json, "ratio");
  if (loop->njoint == 1)
    fb_json_number(json, loop->ratios[0]);
  else
    fb_json_numbers(json, loop->ratios, loop->njoint);
  if (loop->offset == 0) return;
  fb_json_put_number(json, "offset", loop->offset);
}

static void write_loop(fb_json* json, const fb_loop_def* loop) {
  fb_loop_def usual = fb_default_loop_def(loop->type);
  fb_json_begin_map(json);
  write_text(json, "name", loop->name);
  write_text(json, "type", fb_loop_type_name(loop->type));
  write_text(json, "a", loop->a);
  if (loop->type == FB_LOOP_GEAR)
    write_gear(json, loop);
  else
    write_text(json, "b", loop->b);
  if (fb_loop_naxis(loop->type) > 0 && memcmp(loop->axis, usual.axis, sizeof usual.axis) != 0)
    fb_json_put_numbers(json, "axis", loop->axis, 3);
  if (fb_loop_naxis(loop->type) > 1 && memcmp(loop->axis2, usual.axis2, sizeof usual.axis2) != 0)
    fb_json_put_numbers(json, "axis2", loop->axis2, 3);
  if (loop->type == FB_LOOP_DISTANCE && !isnan(loop->length))
    fb_json_put_number(json, "length", loop->length);
  fb_json_end_map(json);
}

static void write_loops(fb_json* json, const fb_model_def* def) {
  int count = fb_model_def_nloop(def);
  if (count == 0) return;
  fb_json_put_list(json, "loops");
  for (int i = 0; i < count; i++) write_loop(json, fb_model_def_loop(def, i));
  fb_json_end_list(json);
}

void fb_native_write(const fb_model_def* def, fb_json* json) {
  fb_json_begin_map(json);
  fb_json_put_int(json, "freebody", FB_NATIVE_VERSION);
  if (*fb_model_def_name(def)) write_text(json, "name", fb_model_def_name(def));
  if (fb_model_def_keeps_inertia(def)) write_text(json, "inertia", fb_inertia_policy_name(FB_INERTIA_KEEP));
  fb_json_put_list(json, "bodies");
  for (int i = 1; i < fb_model_def_nbody(def); i++) write_body(json, def, i);
  fb_json_end_list(json);
  write_loops(json, def);
  fb_json_end_map(json);
}
