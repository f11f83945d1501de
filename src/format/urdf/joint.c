/* joint.c -- reads <joint>: type, placement, axis, limits, dynamics, and what <freebody> adds.
 *
 * A URDF planar joint moves in the plane through the joint frame's origin whose normal is the axis n;
 * ours moves in the joint frame's x-y plane. With Z the shortest rotation that takes z to n,
 *   L = J Z (x, y, 0) Rz(theta) Zt,
 * so the joint frame becomes J Z, and the body frame is the link frame turned by Z: what the link
 * holds is rotated by Zt. Exact for every n; nothing turns when n is z. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/words.h>

#include "format/notes.h"
#include "format/urdf/urdf.h"
#include "format/urdf/reader.h"
#include "math/axis.h"

/* URDF's names of joint types and ours. */
typedef struct type_row {
  const char* name;
  fb_joint_type type;
} type_row;

static const type_row TYPES[] = {
    {"fixed", FB_JOINT_FIXED},         {"revolute", FB_JOINT_REVOLUTE}, {"continuous", FB_JOINT_REVOLUTE},
    {"prismatic", FB_JOINT_PRISMATIC}, {"planar", FB_JOINT_PLANAR},     {"floating", FB_JOINT_FREE},
};
enum { NTYPE = sizeof TYPES / sizeof TYPES[0] };

const char* fb_urdf_type_name(fb_joint_type type) {
  for (int i = 0; i < NTYPE; i++)
    if (TYPES[i].type == type) return TYPES[i].name;
  return NULL;
}

static fb_status read_type(const fb_urdf_reader* r, int element, const char** name, fb_joint_type* type) {
  fb_status status = fb_xml_need_attribute(r->xml, element, "type", name, r->error);
  if (status) return status;
  const char* names[NTYPE + 1] = {NULL};
  for (int i = 0; i < NTYPE; i++) {
    names[i] = TYPES[i].name;
    if (strcmp(*name, TYPES[i].name) != 0) continue;
    *type = TYPES[i].type;
    return FB_OK;
  }
  char list[128], near[FB_SUGGESTION_SIZE];
  int ours = fb_joint_type_find(*name) >= 0;
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_JOINT, "'%s' is not a joint type of URDF (%s)%s%s",
                     *name, fb_words_join(names, "", list, sizeof list), fb_suggestion(*name, names, near),
                     ours ? ". Write it as <freebody type=\"...\"/> inside a floating joint." : "");
}

/* <axis>, of unit length; (1, 0, 0) when absent, as URDF has it. */
static fb_status read_axis(const fb_urdf_reader* r, int element, double axis[3]) {
  int e;
  axis[0] = 1, axis[1] = 0, axis[2] = 0;
  fb_status status = fb_xml_child(r->xml, element, "axis", &e, r->error);
  if (status || e == FB_XML_NONE) return status;
  const char* text;
  status = fb_xml_need_attribute(r->xml, e, "xyz", &text, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "xyz", 3, axis, r->error);
  if (status) return status;
  if (fb_axis_normalise(axis)) return FB_OK;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_JOINT,
                     "the axis of joint '%s' is zero; give it a direction, as xyz=\"0 0 1\"",
                     fb_xml_attribute(r->xml, element, "name"));
}

/* The largest double stands for no limit, because URDF has no other word for it. */
static void drop_huge(double* x, double none) {
  if (fabs(*x) >= DBL_MAX) *x = none;
}

static fb_status read_position_limits(const fb_urdf_reader* r, int joint, int e, fb_joint_def* out) {
  int lower = fb_xml_attribute(r->xml, e, "lower") != NULL;
  int upper = fb_xml_attribute(r->xml, e, "upper") != NULL;
  if (!lower && !upper) {
    fb_io_note(r->options,
               "line %d: the <limit> of joint '%s' has neither lower nor upper; it is read as no limit "
               "(URDF's defaults of 0 would lock the joint)",
               fb_xml_place(r->xml, e).line, fb_xml_attribute(r->xml, joint, "name"));
    return FB_OK;
  }
  out->lower[0] = out->upper[0] = 0; /* URDF's defaults */
  fb_status status = fb_xml_limits(r->xml, e, "lower", 1, out->lower, r->error);
  if (!status) status = fb_xml_limits(r->xml, e, "upper", 1, out->upper, r->error);
  if (status) return status;
  drop_huge(out->lower, -INFINITY);
  drop_huge(out->upper, INFINITY);
  if (out->lower[0] <= out->upper[0]) return FB_OK;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_JOINT,
                     "the lower limit %g of joint '%s' is above the upper %g", out->lower[0],
                     fb_xml_attribute(r->xml, joint, "name"), out->upper[0]);
}

static fb_status read_limit(fb_urdf_reader* r, int joint, const char* type, fb_joint_def* out) {
  int e;
  fb_status status = fb_xml_child(r->xml, joint, "limit", &e, r->error);
  if (status || e == FB_XML_NONE || fb_joint_type_nv(out->type) == 0) return status;
  if (fb_joint_type_nv(out->type) != 1) {
    fb_urdf_pass_over(r, e); /* as for <dynamics> */
    return FB_OK;
  }
  if (strcmp(type, "continuous") != 0) status = read_position_limits(r, joint, e, out);
  if (!status) status = fb_xml_limits(r->xml, e, "effort", 1, out->effort, r->error);
  if (!status) status = fb_xml_limits(r->xml, e, "velocity", 1, out->speed, r->error);
  drop_huge(out->effort, INFINITY);
  drop_huge(out->speed, INFINITY);
  return status;
}

static fb_status read_dynamics(fb_urdf_reader* r, int joint, fb_joint_def* out) {
  int e;
  fb_status status = fb_xml_child(r->xml, joint, "dynamics", &e, r->error);
  if (status || e == FB_XML_NONE) return status;
  if (fb_joint_type_nv(out->type) != 1) {
    fb_urdf_pass_over(r, e); /* one number cannot serve several coordinates; <freebody> takes lists */
    return FB_OK;
  }
  status = fb_xml_numbers(r->xml, e, "damping", 1, out->damping, r->error);
  return status ? status : fb_xml_numbers(r->xml, e, "friction", 1, out->friction, r->error);
}

static fb_status refuse_mimic(const fb_urdf_reader* r, int joint) {
  int e;
  fb_status status = fb_xml_child(r->xml, joint, "mimic", &e, r->error);
  if (status || e == FB_XML_NONE) return status;
  const char* other = fb_xml_attribute(r->xml, e, "joint");
  return fb_xml_fail(
      r->xml, e, r->error, FB_ERR_UNSUPPORTED,
      "joint '%s' mimics joint '%s'; coupled joints are not supported. Delete <mimic> to leave "
      "the joint free, or make it fixed.",
      fb_xml_attribute(r->xml, joint, "name"), other ? other : "?");
}

/* --- <freebody> --- */

/* Lists of the extension, one number for each velocity coordinate. */
typedef struct list_row {
  const char* name;
  size_t offset; /* in fb_joint_def */
} list_row;

static const list_row LISTS[] = {
    {"lower", offsetof(fb_joint_def, lower)},         {"upper", offsetof(fb_joint_def, upper)},
    {"stiffness", offsetof(fb_joint_def, stiffness)}, {"rest", offsetof(fb_joint_def, rest)},
    {"damping", offsetof(fb_joint_def, damping)},     {"friction", offsetof(fb_joint_def, friction)},
    {"armature", offsetof(fb_joint_def, armature)},   {"effort", offsetof(fb_joint_def, effort)},
    {"speed", offsetof(fb_joint_def, speed)},
};

static fb_status read_axis2(const fb_urdf_reader* r, int joint, int e, fb_joint_def* out) {
  const char* text;
  fb_status status = fb_xml_need_attribute(r->xml, e, "axis2", &text, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "axis2", 3, out->axis2, r->error);
  if (status || fb_axis_normalise(out->axis2)) return status;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_JOINT, "the second axis of joint '%s' is zero",
                     fb_xml_attribute(r->xml, joint, "name"));
}

static fb_status read_extension_type(const fb_urdf_reader* r, int e, fb_joint_def* out) {
  const char* name = fb_xml_attribute(r->xml, e, "type");
  if (!name) return FB_OK;
  int type = fb_joint_type_find(name);
  if (type >= 0) {
    out->type = (fb_joint_type)type;
    return FB_OK;
  }
  const char* names[FB_JOINT_TYPE_COUNT + 1] = {NULL};
  for (int i = 0; i < FB_JOINT_TYPE_COUNT; i++) names[i] = fb_joint_type_name((fb_joint_type)i);
  char near[FB_SUGGESTION_SIZE];
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_JOINT, "'%s' is not a joint type%s", name,
                     fb_suggestion(name, names, near));
}

static fb_status read_extension_lists(const fb_urdf_reader* r, int e, fb_joint_def* out) {
  int nv = fb_joint_type_nv(out->type);
  fb_status status = fb_xml_numbers(r->xml, e, "friction_speed", 1, &out->friction_speed, r->error);
  for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0] && !status; i++) {
    double* list = (double*)(void*)((char*)out + LISTS[i].offset);
    status = fb_xml_limits(r->xml, e, LISTS[i].name, nv, list, r->error);
  }
  return status;
}

static fb_status find_extension(const fb_urdf_reader* r, int joint, int* e) {
  static const char* const known[] = {"type",      "axis2", "pitch",          "lower",    "upper",
                                      "stiffness", "rest",  "damping",        "friction", "armature",
                                      "effort",    "speed", "friction_speed", NULL};
  fb_status status = fb_xml_child(r->xml, joint, "freebody", e, r->error);
  if (status || *e == FB_XML_NONE) return status;
  return fb_xml_check_attributes(r->xml, *e, known, r->error);
}

static fb_status read_extension(const fb_urdf_reader* r, int joint, int e, fb_joint_def* out) {
  fb_status status = FB_OK;
  if (fb_joint_type_naxis(out->type) > 1) status = read_axis2(r, joint, e, out);
  if (!status && fb_joint_type_has_pitch(out->type))
    status = fb_xml_need_number(r->xml, e, "pitch", &out->pitch, r->error);
  return status ? status : read_extension_lists(r, e, out);
}

/* --- the joint --- */

fb_status fb_urdf_read_joint(fb_urdf_reader* r, int element, fb_joint_def* joint, double turn[9]) {
  const char* type;
  int e = FB_XML_NONE;
  *joint = fb_default_joint_def();
  joint->name = fb_xml_attribute(r->xml, element, "name");
  joint->place = fb_xml_place(r->xml, element);
  fb_rot_identity(turn);
  fb_status status = read_type(r, element, &type, &joint->type);
  if (!status) status = refuse_mimic(r, element);
  if (!status) status = find_extension(r, element, &e);
  if (!status && e != FB_XML_NONE) status = read_extension_type(r, e, joint);
  if (!status) status = fb_urdf_read_origin(r, element, joint->at, joint->R);
  if (!status && fb_urdf_has_axis(joint->type)) status = read_axis(r, element, joint->axis);
  if (!status) status = read_limit(r, element, type, joint);
  if (!status) status = read_dynamics(r, element, joint);
  if (!status && e != FB_XML_NONE) status = read_extension(r, element, e, joint);
  if (status) return status;
  if (joint->type == FB_JOINT_PLANAR) {
    fb_axis_from_z(joint->axis, turn);
    fb_rot_multiply(joint->R, turn, joint->R);
    memset(joint->axis, 0, sizeof joint->axis);
  }
  return FB_OK;
}
