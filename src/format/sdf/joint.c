/* joint.c -- <joint> of SDF: which link it carries, its type, axes, limits and friction.
 *
 * Links are placed by themselves, at zero coordinates. The joint frame J is relative to the child, so with poses in the world
 *   at, R = X_parent^-1 X_J      child = X_J^-1 X_child
 * A second joint to a link closes a loop. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/words.h>

#include "format/notes.h"
#include "format/sdf/reader.h"
#include "math/vector3.h"

static const struct {
  const char* name;
  fb_joint_type type;
  int loop; /* an fb_loop_type, or -1 */
} TYPES[] = {{"revolute", FB_JOINT_REVOLUTE, FB_LOOP_REVOLUTE},
             {"continuous", FB_JOINT_REVOLUTE, FB_LOOP_REVOLUTE},
             {"prismatic", FB_JOINT_PRISMATIC, FB_LOOP_PRISMATIC},
             {"fixed", FB_JOINT_FIXED, FB_LOOP_WELD},
             {"ball", FB_JOINT_SPHERICAL, FB_LOOP_POINT},
             {"universal", FB_JOINT_UNIVERSAL, FB_LOOP_UNIVERSAL},
             {"revolute2", FB_JOINT_UNIVERSAL, -1},
             {"screw", FB_JOINT_HELICAL, -1}};
enum { NTYPE = sizeof TYPES / sizeof TYPES[0] };

static fb_status find_type(const fb_sdf_reader* r, int e, int* out) {
  const char* type;
  const char* names[NTYPE + 1] = {NULL};
  char near[FB_SUGGESTION_SIZE];
  fb_status status = fb_xml_need_attribute(r->xml, e, "type", &type, r->error);
  for (*out = 0; !status && *out < NTYPE; ++*out) {
    if (strcmp(TYPES[*out].name, type) == 0) return FB_OK;
    names[*out] = TYPES[*out].name;
  }
  if (status) return status;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED, "the joint type '%.60s' is not read%s", type,
                     fb_suggestion_or_list(type, names, "those that are: ", near));
}

/* --- ends --- */

/* A link, frame, model or joint that a joint names; *item is -1 for the world. */
static fb_status find_end(const fb_sdf_reader* r, int e, int model, const char* tag, int* item) {
  char trimmed[1000];
  if (!fb_sdf_word(r, e, tag, trimmed))
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT, "<joint> needs <%s>", tag);
  *item = -1;
  if (strcmp(trimmed, "world") == 0) return FB_OK;
  *item = fb_sdf_find(r, model, trimmed);
  if (*item >= 0) return FB_OK;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                     "<%s> of the joint is '%.100s', but there is no such link or frame", tag, trimmed);
}

/* Calls `use` for each joint, with the link that its child moves with. */
static fb_status each_joint(fb_sdf_reader* r, fb_status (*use)(fb_sdf_reader* r, int joint, int child)) {
  for (int i = 0; i < (int)r->nitem; i++) {
    int e = r->items[i].element, child;
    if (r->items[i].kind != 'j') continue;
    fb_status status = find_end(r, e, r->items[i].model, "child", &child);
    if (!status && child < 0)
      status = fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED,
                           "the child of this joint is the world; swap <parent> and <child>");
    if (status) return status;
    child = fb_sdf_link_of(r, child);
    if (child < 0)
      return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                         "the child of this joint does not move with any link");
    status = use(r, i, child);
    if (status) return status;
  }
  return FB_OK;
}

static fb_status carry(fb_sdf_reader* r, int joint, int child) {
  if (r->items[child].joint < 0) r->items[child].joint = joint; /* a later one closes a loop */
  return FB_OK;
}

fb_status fb_sdf_find_carriers(fb_sdf_reader* r) {
  return each_joint(r, carry);
}

/* --- axes --- */

/* <axis> into the joint frame. Before 1.5 it was in the axes of the model, since then it may be, and since 1.7 in any. */
static fb_status read_axis(fb_sdf_reader* r, int e, int model, const char* tag, const fb_pose* J,
                           double out[3]) {
  int axis = fb_xml_child(r->xml, e, tag), from = -2;
  double x[3] = {0, 0, 1}, version = model >= 0 ? r->items[model].version : r->version;
  if (axis == FB_XML_NONE)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT, "this type of joint needs <%s>", tag);
  fb_status status = fb_sdf_numbers(r, axis, "xyz", 3, x, NULL);
  int xyz = fb_xml_child(r->xml, axis, "xyz");
  const char* in = xyz != FB_XML_NONE ? fb_xml_attribute(r->xml, xyz, "expressed_in") : NULL;
  if (status) return status;
  if (!(norm3(x) > 1e-14))
    return fb_xml_fail(r->xml, axis, r->error, FB_ERR_JOINT, "the axis of the joint is zero");
  if (in && *in)
    from = fb_sdf_find(r, model, in);
  else if (version < 1.5 || fb_sdf_is_true(r, axis, "use_parent_model_frame"))
    from = model;
  if (from >= 0) {
    status = fb_sdf_settle(r, from);
    if (status) return status;
    fb_rot_apply(r->items[from].pose_w.R, x, x);
    fb_rot_apply_transpose(J->R, x, x);
  } else if (from == -1 && strcmp(in, "world") != 0) {
    return fb_xml_fail(r->xml, xyz, r->error, FB_ERR_CONTENT,
                       "expressed_in=\"%.100s\": there is no such frame", in);
  } else if (from == -1) {
    fb_rot_apply_transpose(J->R, x, x);
  }
  for (int i = 0; i < 3; i++) out[i] = x[i] / norm3(x);
  return FB_OK;
}

/* Limits beyond 1e15 mean none. */
static fb_status read_motion(fb_sdf_reader* r, int e, const char* tag, int i, fb_joint_def* joint) {
  int axis = fb_xml_child(r->xml, e, tag);
  if (axis == FB_XML_NONE) return FB_OK;
  int limit = fb_xml_child(r->xml, axis, "limit"), dynamics = fb_xml_child(r->xml, axis, "dynamics");
  double low = -INFINITY, high = INFINITY, effort = -1, speed = -1, damping = 0, friction = 0;
  fb_status status = FB_OK;
  if (limit != FB_XML_NONE) {
    status = fb_sdf_limit(r, limit, "lower", &low);
    if (!status) status = fb_sdf_limit(r, limit, "upper", &high);
    if (!status) status = fb_sdf_limit(r, limit, "effort", &effort);
    if (!status) status = fb_sdf_limit(r, limit, "velocity", &speed);
  }
  if (!status && dynamics != FB_XML_NONE) {
    status = fb_sdf_numbers(r, dynamics, "damping", 1, &damping, NULL);
    if (!status) status = fb_sdf_numbers(r, dynamics, "friction", 1, &friction, NULL);
    if (!status) status = fb_sdf_numbers(r, dynamics, "spring_stiffness", 1, &joint->stiffness[i], NULL);
    if (!status) status = fb_sdf_numbers(r, dynamics, "spring_reference", 1, &joint->rest[i], NULL);
  }
  if (low > -1e15 && low <= high) joint->lower[i] = low;
  if (high < 1e15 && low <= high) joint->upper[i] = high;
  if (effort >= 0 && effort < 1e15) joint->effort[i] = effort;
  if (speed >= 0 && speed < 1e15) joint->speed[i] = speed;
  joint->damping[i] = fmax(damping, 0);
  joint->friction[i] = fmax(friction, 0);
  return status;
}

/* An advance for each turn [m], 1 by default, or the older number, -2 pi divided by it. */
static fb_status read_pitch(fb_sdf_reader* r, int e, double* pitch) {
  const double turn = 6.283185307179586;
  double advance = 1, old = 0;
  int given, old_given;
  fb_status status = fb_sdf_numbers(r, e, "screw_thread_pitch", 1, &advance, &given);
  if (!status) status = fb_sdf_numbers(r, e, "thread_pitch", 1, &old, &old_given);
  if (status) return status;
  *pitch = given ? advance / turn : old_given && old != 0 ? -1 / old : 1 / turn;
  return FB_OK;
}

static int has_child(const fb_sdf_reader* r, int e, const char* tag) {
  return fb_xml_child(r->xml, e, tag) != FB_XML_NONE;
}

/* Without any <axis>, two axes are x and y: SDF's default for both is z, about which they would turn together. */
static fb_status read_axes(fb_sdf_reader* r, int e, int model, const fb_pose* J, fb_joint_def* joint) {
  int axes = fb_joint_type_naxis(joint->type);
  if (joint->type == FB_JOINT_SPHERICAL && has_child(r, e, "axis"))
    fb_unread_add(&r->unread, e,
                  "lost: <axis> of a ball joint is not read, with its limits, damping and friction");
  if (axes == 0) return FB_OK;
  if (axes == 2 && !has_child(r, e, "axis") && !has_child(r, e, "axis2")) {
    fb_unread_add(&r->unread, e, "a joint has neither <axis> nor <axis2>; they are x and y");
    memcpy(joint->axis, (const double[]){1, 0, 0}, sizeof joint->axis);
    memcpy(joint->axis2, (const double[]){0, 1, 0}, sizeof joint->axis2);
    return FB_OK;
  }
  fb_status status = read_axis(r, e, model, "axis", J, joint->axis);
  if (!status && axes > 1) status = read_axis(r, e, model, "axis2", J, joint->axis2);
  if (!status) status = read_motion(r, e, "axis", 0, joint);
  if (!status && axes > 1) status = read_motion(r, e, "axis2", 1, joint);
  return status;
}

static fb_status read_type(fb_sdf_reader* r, int e, int model, int row, const fb_pose* J,
                           fb_joint_def* joint) {
  joint->type = TYPES[row].type;
  fb_status status = read_axes(r, e, model, J, joint);
  if (!status && joint->type == FB_JOINT_HELICAL) status = read_pitch(r, e, &joint->pitch);
  if (strcmp(TYPES[row].name, "continuous") == 0) {
    joint->lower[0] = -INFINITY;
    joint->upper[0] = INFINITY;
  }
  return status;
}

/* Where a joint is in the world: the pose P of its parent's link (-1: the world itself), and its own, J. */
typedef struct joint_place {
  int child, parent; /* the item that it names, a link */
  fb_pose P, J;
} joint_place;

static fb_status place(fb_sdf_reader* r, int joint, int link, joint_place* out) {
  int e = r->items[joint].element, model = r->items[joint].model;
  fb_status status = find_end(r, e, model, "parent", &out->parent);
  if (!status) status = find_end(r, e, model, "child", &out->child);
  if (!status) status = fb_sdf_pose_in(r, model, e, out->child, &out->J);
  out->P = fb_pose_identity();
  if (status || out->parent < 0) return status;
  out->parent = fb_sdf_link_of(r, out->parent);
  if (out->parent < 0) return FB_OK;
  if (out->parent == link)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_TREE, "the joint is between a link and itself");
  status = fb_sdf_settle(r, out->parent);
  out->P = r->items[out->parent].pose_w;
  return status;
}

fb_status fb_sdf_joint(fb_sdf_reader* r, int link, fb_joint_def* joint, const char** parent) {
  int item = r->items[link].joint, e = r->items[item].element, row;
  joint_place at;
  fb_status status = find_type(r, e, &row);
  if (!status) status = place(r, item, link, &at);
  if (!status) status = read_type(r, e, r->items[item].model, row, &at.J, joint);
  if (status) return status;
  joint->name = fb_name_set_make(&r->joints, r->items[item].name);
  if (!joint->name) return fb_sdf_no_memory(r);
  joint->place = fb_xml_place(r->xml, e);
  *parent = at.parent >= 0 ? r->items[at.parent].name : NULL;
  fb_sdf_pose_between(&at.P, &at.J, joint->at, joint->R);
  if (at.child != link || has_child(r, e, "pose")) /* else it ends at the link, to the last digit */
    fb_sdf_pose_between(&at.J, &r->items[link].pose_w, joint->child_at, joint->child_R);
  return fb_sdf_read_mimic(r, item, joint);
}

/* --- loops --- */

static fb_status add_end(fb_sdf_reader* r, int link, const fb_pose* W, const fb_pose* J, const char* loop,
                         int which, const char** name) {
  if (link < 0 && is_zero3(J->p) && is_identity3x3(J->R)) {
    *name = "world";
    return FB_OK;
  }
  *name = fb_name_set_join(&r->names, loop, "_", which == 1 ? "1" : "2");
  if (!*name) return fb_sdf_no_memory(r);
  if (link >= 0) {
    fb_frame_def frame = fb_default_frame_def();
    frame.name = *name;
    fb_sdf_pose_between(W, J, frame.at, frame.R);
    return fb_model_def_add_frame(r->def, r->items[link].body, &frame, r->error);
  }
  fb_body_def fixed = fb_default_body_def();
  fixed.name = *name;
  fb_sdf_pose_between(W, J, fixed.joint.at, fixed.joint.R);
  return fb_model_def_add_body(r->def, &fixed, NULL, r->error);
}

static fb_status close_loop(fb_sdf_reader* r, int item, int child) {
  int row, e = r->items[item].element;
  const char* name = r->items[item].given;
  joint_place at;
  if (r->items[child].joint == item) return FB_OK;
  fb_status status = find_type(r, e, &row);
  if (!status) status = place(r, item, child, &at);
  if (status) return status;
  if (TYPES[row].loop < 0)
    return fb_io_note(r->options, "lost: line %d: joint '%.60s' closes a loop and is of type %s",
                      fb_xml_place(r->xml, e).line, name, TYPES[row].name);
  for (int i = 0; i < 2; i++) {
    int axis = fb_xml_child(r->xml, e, i ? "axis2" : "axis");
    if (axis != FB_XML_NONE &&
        (has_child(r, axis, "limit") || has_child(r, axis, "dynamics") || has_child(r, axis, "mimic")))
      fb_unread_add(&r->unread, e,
                    "lost: <limit>, <dynamics> and <mimic> of a joint that closes a loop are not read");
  }
  fb_joint_def joint = fb_default_joint_def();
  fb_loop_def loop = fb_default_loop_def((fb_loop_type)TYPES[row].loop);
  loop.name = fb_name_set_make(&r->loops, name);
  if (!loop.name) return fb_sdf_no_memory(r);
  loop.place = fb_xml_place(r->xml, e);
  status = read_type(r, e, r->items[item].model, row, &at.J, &joint);
  if (fb_joint_type_naxis(joint.type) > 0) memcpy(loop.axis, joint.axis, sizeof loop.axis);
  if (fb_joint_type_naxis(joint.type) > 1) memcpy(loop.axis2, joint.axis2, sizeof loop.axis2);
  if (!status) status = add_end(r, at.parent, &at.P, &at.J, loop.name, 1, &loop.a);
  if (!status) status = add_end(r, child, &r->items[child].pose_w, &at.J, loop.name, 2, &loop.b);
  return status ? status : fb_model_def_add_loop(r->def, &loop, r->error);
}

fb_status fb_sdf_add_loops(fb_sdf_reader* r) {
  return each_joint(r, close_loop);
}
