/* joint.c -- reads <joint>: type, placement, axis, limits, dynamics, and what <freebody> adds.
 *
 * A URDF planar joint moves in the plane through the joint frame's origin whose normal is the axis n;
 * ours moves in the joint frame's x-y plane. With Z the shortest rotation that takes z to n,
 *   L = J Z (x, y, 0) Rz(theta) Zt,
 * so the joint frame becomes J Z, and the body frame is the link frame turned by Z: what the link
 * holds is rotated by Zt. Exact for every n; nothing turns when n is z. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/words.h>

#include "format/urdf/reader.h"
#include "format/urdf/urdf.h"
#include "math/axis.h"
#include "model/definition/check.h"

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

/* Whether two names are equal but for the case of letters and blanks around the first. */
static int is_type(const char* text, const char* name) {
  text += strspn(text, " \t");
  for (; *name; text++, name++)
    if ((*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) != *name) return 0;
  return text[strspn(text, " \t")] == '\0';
}

/* Types that are no URDF, but whose meaning is plain: spherical and ball, and words in capitals. */
static const char* plain_type(const char* text, fb_joint_type* type) {
  for (int i = 0; i < NTYPE; i++)
    if (is_type(text, TYPES[i].name)) {
      *type = TYPES[i].type;
      return TYPES[i].name;
    }
  if (!is_type(text, "spherical") && !is_type(text, "ball")) return NULL;
  *type = FB_JOINT_SPHERICAL;
  return "spherical";
}

static fb_status unknown_type(const fb_urdf_reader* r, int element, const char* name) {
  const char* names[NTYPE + 1] = {NULL};
  for (int i = 0; i < NTYPE; i++) names[i] = TYPES[i].name;
  char list[128], near[FB_SUGGESTION_SIZE];
  int ours = fb_joint_type_find(name) >= 0 || strcmp(name, "screw") == 0;
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_JOINT, "'%s' is not a joint type of URDF (%s)%s%s",
                     name, fb_words_join(names, "", list, sizeof list), fb_suggestion(name, names, near),
                     ours ? ". Write it as <freebody type=\"...\"/> inside a floating joint." : "");
}

/* *name is the type as URDF spells it. */
static fb_status read_type(fb_urdf_reader* r, int element, const char* joint, const char** name,
                           fb_joint_type* type) {
  const char* text = fb_xml_attribute(r->xml, element, "type");
  *name = "fixed";
  *type = FB_JOINT_FIXED;
  if (!text || !text[0]) return fb_urdf_add_slip(r, FB_SLIP_NO_TYPE, element, "'%.60s'", joint);
  *name = plain_type(text, type);
  if (!*name) return unknown_type(r, element, text);
  if (strcmp(text, *name) != 0 || *type == FB_JOINT_SPHERICAL)
    fb_urdf_add_slip(r, FB_SLIP_TYPE, element, "'%.60s' (%.20s, read as %s)", joint, text, *name);
  return FB_OK;
}

/* <axis>, of unit length; (1, 0, 0) when absent, as URDF has it. A joint that has none to move along is fixed. */
static fb_status read_axis(fb_urdf_reader* r, int element, fb_joint_def* joint) {
  double* axis = joint->axis;
  int e = fb_xml_child(r->xml, element, "axis");
  axis[0] = 1, axis[1] = 0, axis[2] = 0;
  if (e == FB_XML_NONE) return FB_OK;
  if (!fb_xml_number_count(r->xml, e, "xyz")) fb_urdf_add_slip(r, FB_SLIP_NO_AXIS, e, "'%.60s'", joint->name);
  fb_status status = fb_xml_numbers(r->xml, e, "xyz", 3, axis, r->error);
  if (status || fb_axis_normalise(axis)) return status;
  fb_urdf_add_slip(r, FB_SLIP_ZERO_AXIS, e, "'%.60s'", joint->name);
  joint->type = FB_JOINT_FIXED;
  memset(axis, 0, 3 * sizeof *axis);
  return FB_OK;
}

/* --- limits --- */

/* A limit of at least FB_HUGE_NUMBER is none: exporters write the largest double, or 1e30, or an infinity. */
static int is_no_limit(double x) {
  return fabs(x) >= FB_HUGE_NUMBER;
}

fb_status fb_urdf_read_number(fb_urdf_reader* r, int e, const char* attribute, double* out) {
  fb_error why;
  fb_status status = fb_xml_limits(r->xml, e, attribute, 1, out, &why);
  if (status == FB_ERR_CONTENT) {
    *out = NAN;
    return FB_OK;
  }
  if (status && r->error) *r->error = why;
  return status;
}

static void note_odd_limit(fb_urdf_reader* r, int e, const char* attribute, const fb_joint_def* joint) {
  fb_urdf_add_slip(r, FB_SLIP_ODD_LIMIT, e, "of '%.60s' (%s=\"%.20s\")", joint->name, attribute,
                   fb_xml_attribute(r->xml, e, attribute));
}

static fb_status read_position_limit(fb_urdf_reader* r, int e, const char* attribute, double none,
                                     fb_joint_def* joint, double* out) {
  *out = 0; /* URDF's default */
  fb_status status = fb_urdf_read_number(r, e, attribute, out);
  if (isnan(*out)) note_odd_limit(r, e, attribute, joint);
  if (isnan(*out) || is_no_limit(*out)) *out = none;
  return status;
}

static fb_status read_position_limits(fb_urdf_reader* r, int e, fb_joint_def* joint) {
  if (!fb_xml_number_count(r->xml, e, "lower") && !fb_xml_number_count(r->xml, e, "upper"))
    return fb_urdf_add_slip(r, FB_SLIP_EMPTY_LIMIT, e, "'%.60s'", joint->name);
  double *lower = joint->lower, *upper = joint->upper;
  fb_status status = read_position_limit(r, e, "lower", -INFINITY, joint, lower);
  if (!status) status = read_position_limit(r, e, "upper", INFINITY, joint, upper);
  if (status || lower[0] <= upper[0]) return status;
  fb_urdf_add_slip(r, FB_SLIP_REVERSED_LIMIT, e, "'%.60s' (%.6g above %.6g)", joint->name, lower[0],
                   upper[0]);
  lower[0] = -INFINITY;
  upper[0] = INFINITY;
  return FB_OK;
}

/* Of effort or velocity. */
static fb_status read_amount(fb_urdf_reader* r, int e, const char* attribute, const fb_joint_def* joint,
                             double* out) {
  fb_status status = fb_urdf_read_number(r, e, attribute, out);
  if (!(*out >= 0)) note_odd_limit(r, e, attribute, joint);
  if (!(*out >= 0) || is_no_limit(*out)) *out = INFINITY;
  return status;
}

/* A joint that may move at no speed would be fixed: exporters write zeros when nobody entered a limit. */
static void drop_zeros(fb_urdf_reader* r, int e, fb_joint_def* joint) {
  if (joint->speed[0] != 0) return;
  fb_urdf_add_slip(r, FB_SLIP_ZERO_LIMIT, e, "'%.60s'", joint->name);
  joint->speed[0] = INFINITY;
  if (joint->effort[0] == 0) joint->effort[0] = INFINITY;
  if (joint->lower[0] != 0 || joint->upper[0] != 0) return;
  joint->lower[0] = -INFINITY;
  joint->upper[0] = INFINITY;
}

static fb_status read_limit(fb_urdf_reader* r, int element, const char* type, fb_joint_def* joint) {
  int e = fb_xml_child(r->xml, element, "limit"), continuous = strcmp(type, "continuous") == 0;
  fb_status status = FB_OK;
  if (fb_joint_type_nv(joint->type) == 0) return FB_OK;
  if (fb_joint_type_nv(joint->type) != 1) {
    if (e != FB_XML_NONE) fb_urdf_pass_over(r, e); /* as for <dynamics> */
    return FB_OK;
  }
  if (e == FB_XML_NONE) {
    if (!continuous && fb_urdf_type_name(joint->type))
      fb_urdf_add_slip(r, FB_SLIP_NO_LIMIT, element, "'%.60s'", joint->name);
    return FB_OK;
  }
  fb_joint_def ignored = *joint; /* what a continuous joint says of its position */
  fb_joint_def* into = continuous ? &ignored : joint;
  if (!continuous || fb_xml_number_count(r->xml, e, "lower") || fb_xml_number_count(r->xml, e, "upper"))
    status = read_position_limits(r, e, into);
  if (continuous && (isfinite(into->lower[0]) || isfinite(into->upper[0])) &&
      (into->lower[0] != 0 || into->upper[0] != 0))
    fb_urdf_add_slip(r, FB_SLIP_CONTINUOUS_LIMIT, e, "'%.60s'", joint->name);
  if (!status) status = read_amount(r, e, "effort", joint, joint->effort);
  if (!status) status = read_amount(r, e, "velocity", joint, joint->speed);
  if (!status) drop_zeros(r, e, joint);
  return status;
}

static fb_status read_dynamics(fb_urdf_reader* r, int element, fb_joint_def* joint) {
  int e = fb_xml_child(r->xml, element, "dynamics");
  if (e == FB_XML_NONE) return FB_OK;
  if (fb_joint_type_nv(joint->type) != 1) {
    fb_urdf_pass_over(r, e); /* one number cannot serve several coordinates; <freebody> takes lists */
    return FB_OK;
  }
  fb_status status = fb_xml_numbers(r->xml, e, "damping", 1, joint->damping, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "friction", 1, joint->friction, r->error);
  if (joint->damping[0] < 0 || joint->friction[0] < 0)
    fb_urdf_add_slip(r, FB_SLIP_DAMPING, e, "'%.60s'", joint->name);
  joint->damping[0] = fmax(joint->damping[0], 0);
  joint->friction[0] = fmax(joint->friction[0], 0);
  return status;
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

static fb_status read_axis2(const fb_urdf_reader* r, int e, fb_joint_def* out) {
  const char* text;
  fb_status status = fb_xml_need_attribute(r->xml, e, "axis2", &text, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "axis2", 3, out->axis2, r->error);
  if (status || fb_axis_normalise(out->axis2)) return status;
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_JOINT, "the second axis of joint '%s' is zero", out->name);
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
  *e = fb_xml_child(r->xml, joint, "freebody");
  return *e == FB_XML_NONE ? FB_OK : fb_xml_check_attributes(r->xml, *e, known, r->error);
}

static fb_status read_extension(const fb_urdf_reader* r, int e, fb_joint_def* out) {
  fb_status status = FB_OK;
  if (fb_joint_type_naxis(out->type) > 1) status = read_axis2(r, e, out);
  if (!status && fb_joint_type_has_pitch(out->type))
    status = fb_xml_need_number(r->xml, e, "pitch", &out->pitch, r->error);
  return status ? status : read_extension_lists(r, e, out);
}

/* --- the joint --- */

fb_status fb_urdf_read_joint(fb_urdf_reader* r, int element, const char* name, fb_joint_def* joint,
                             double turn[9]) {
  const char* type;
  int e = FB_XML_NONE;
  *joint = fb_default_joint_def();
  joint->name = name;
  joint->place = fb_xml_place(r->xml, element);
  fb_rot_identity(turn);
  fb_status status = read_type(r, element, name, &type, &joint->type);
  if (!status) status = find_extension(r, element, &e);
  if (!status && e != FB_XML_NONE) status = read_extension_type(r, e, joint);
  if (!status) status = fb_urdf_read_origin(r, element, joint->at, joint->R);
  if (!status && fb_urdf_has_axis(joint->type)) status = read_axis(r, element, joint);
  if (!status) status = read_limit(r, element, type, joint);
  if (!status) status = read_dynamics(r, element, joint);
  if (!status && e != FB_XML_NONE) status = read_extension(r, e, joint);
  if (!status) status = fb_urdf_read_mimic(r, element, joint);
  if (status) return status;
  if (joint->type == FB_JOINT_PLANAR) {
    fb_axis_from_z(joint->axis, turn);
    fb_rot_multiply(joint->R, turn, joint->R);
    memset(joint->axis, 0, sizeof joint->axis);
  }
  return FB_OK;
}
