/* joint.c -- a <joint> or <freejoint> of MJCF.
 *
 * Coordinates are MuJoCo's qpos: a hinge or slide has `ref` where the file draws it, so the joint frame is turned or
 * moved back by it. `pos` is a point of the body, which the caller takes into account. */
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/reader.h"
#include "format/mjcf/write/writer.h"
#include "math/vector3.h"

enum { FREE, BALL, SLIDE, HINGE };
static const char* const TYPES[] = {"free", "ball", "slide", "hinge", NULL};
static const char* const LIMITED[] = {"false", "true", "auto", NULL};

static fb_status number(fb_mjcf_reader* r, int node, const char* attribute, double* out) {
  return fb_mjcf_numbers(r, node, "joint", attribute, 1, out, NULL);
}

static fb_status read_axis(fb_mjcf_reader* r, int node, fb_joint_def* joint) {
  double axis[3] = {0, 0, 1};
  fb_status status = fb_mjcf_numbers(r, node, "joint", "axis", 3, axis, NULL);
  if (status) return status;
  double length = norm3(axis);
  if (!(length > 1e-14))
    return fb_mjcf_fail(r, node, FB_ERR_JOINT, "the axis of the joint is zero; give it a direction");
  for (int i = 0; i < 3; i++) joint->axis[i] = axis[i] / length;
  return FB_OK;
}

/* A limit of MJCF is a range that counts when `limited` says so, or by itself. */
static fb_status read_range(fb_mjcf_reader* r, int node, int type, double unit, fb_joint_def* joint) {
  double range[2] = {0, 0};
  int limited = 2, given = 0;
  fb_status status = fb_mjcf_word(r, node, "joint", "limited", LIMITED, &limited);
  if (!status) status = fb_mjcf_numbers(r, node, "joint", "range", 2, range, &given);
  if (status) return status;
  if (limited == 2) limited = given && r->set.autolimits;
  if (!limited || r->set.no_limits) return FB_OK;
  if (type == BALL || type == FREE)
    return fb_unread_add(&r->unread, node, "lost: the limit of a %s joint", TYPES[type]);
  if (range[0] >= range[1])
    return fb_unread_add(&r->unread, node,
                         "lost: a range whose low end is not below the high one; the joint has no limit");
  if (range[0] > -FB_MJCF_FAR) joint->lower[0] = range[0] * unit;
  if (range[1] < FB_MJCF_FAR) joint->upper[0] = range[1] * unit;
  return FB_OK;
}

/* The largest force of the actuators, where it is given with the joint. */
static fb_status read_effort(fb_mjcf_reader* r, int node, int type, fb_joint_def* joint) {
  double range[2] = {0, 0};
  int limited = 2, given = 0;
  fb_status status = fb_mjcf_word(r, node, "joint", "actuatorfrclimited", LIMITED, &limited);
  if (!status) status = fb_mjcf_numbers(r, node, "joint", "actuatorfrcrange", 2, range, &given);
  if (status || !given || limited == 0 || (type != HINGE && type != SLIDE)) return status;
  if (-range[0] != range[1] || !(range[1] > 0))
    return fb_unread_add(&r->unread, node, "lost: an actuatorfrcrange that is not symmetric");
  joint->effort[0] = range[1];
  return FB_OK;
}

static fb_status read_spring(fb_mjcf_reader* r, int node, int type, double unit, fb_joint_def* joint) {
  double k[3] = {0}, rest = 0, pair[2] = {0, 0};
  int count = 0, given = 0;
  fb_status status = fb_mjcf_some(r, node, "joint", "stiffness", 3, k, &count);
  if (!status) status = number(r, node, "springref", &rest);
  if (!status) status = fb_mjcf_numbers(r, node, "joint", "springdamper", 2, pair, &given);
  if (status || r->set.no_springs) return status;
  if (given && pair[0] > 0 && pair[1] > 0)
    fb_unread_add(&r->unread, node,
                  "lost: springdamper, which depends on the inertia; give stiffness and damping");
  if (count > 1) fb_unread_add(&r->unread, node, "lost: the terms of a spring beyond the linear one");
  if (k[0] == 0) return FB_OK;
  if (type == BALL || type == FREE)
    return fb_unread_add(&r->unread, node, "lost: the spring of a %s joint", TYPES[type]);
  joint->stiffness[0] = k[0];
  joint->rest[0] = rest * unit;
  return FB_OK;
}

/* One number for all coordinates of the joint. A negative one, which MuJoCo takes, is none here. */
static fb_status read_all(fb_mjcf_reader* r, int node, const char* attribute, double* out, int count) {
  double x[3] = {0};
  int given = 0;
  fb_status status = fb_mjcf_some(r, node, "joint", attribute, 3, x, &given);
  if (status) return status;
  if (given > 1) fb_unread_add(&r->unread, node, "lost: the terms of %s beyond the linear one", attribute);
  if (x[0] < 0) return fb_unread_add(&r->unread, node, "lost: a negative %s", attribute);
  for (int i = 0; i < count; i++) out[i] = x[0];
  return FB_OK;
}

static fb_status read_passive(fb_mjcf_reader* r, int node, int type, double unit, fb_joint_def* joint) {
  int nv = fb_joint_type_nv(joint->type);
  double none[6] = {0};
  fb_status status = read_spring(r, node, type, unit, joint);
  if (!status) status = read_all(r, node, "damping", r->set.no_springs ? none : joint->damping, nv);
  if (!status) status = read_all(r, node, "frictionloss", r->set.no_friction ? none : joint->friction, nv);
  if (!status) status = read_all(r, node, "armature", joint->armature, nv);
  return status;
}

fb_status fb_mjcf_read_joint(fb_mjcf_reader* r, int node, fb_joint_def* joint, double pos[3], double* ref) {
  static const fb_joint_type types[] = {FB_JOINT_FREE, FB_JOINT_SPHERICAL, FB_JOINT_PRISMATIC,
                                        FB_JOINT_REVOLUTE};
  int type = HINGE;
  *joint = fb_default_joint_def();
  *ref = 0;
  memset(pos, 0, 3 * sizeof *pos);
  joint->place = fb_xml_place(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element);
  if (fb_mjcf_is(&r->tree, node, "freejoint")) {
    joint->type = FB_JOINT_FREE;
    return FB_OK;
  }
  fb_status status = fb_mjcf_word(r, node, "joint", "type", TYPES, &type);
  if (status) return status;
  joint->type = types[type];
  double unit = type == SLIDE ? 1 : r->set.angle;
  if (type == HINGE || type == SLIDE) status = read_axis(r, node, joint);
  if (!status && type != FREE) status = fb_mjcf_numbers(r, node, "joint", "pos", 3, pos, NULL);
  if (!status) status = read_range(r, node, type, unit, joint);
  if (!status) status = read_effort(r, node, type, joint);
  if (!status) status = read_passive(r, node, type, unit, joint);
  if (!status && (type == HINGE || type == SLIDE)) status = number(r, node, "ref", ref);
  *ref *= unit;
  /* Turned or moved back by the coordinate at which the file draws the body, and in the frames around the joint. */
  fb_rot_apply(r->pose[node].R, joint->axis, joint->axis);
  if (*ref != 0 && joint->type == FB_JOINT_REVOLUTE) fb_rot_from_axis_angle(joint->axis, -*ref, joint->R);
  for (int i = 0; i < 3 && *ref != 0 && joint->type != FB_JOINT_REVOLUTE; i++)
    joint->at[i] = -*ref * joint->axis[i];
  fb_rot_apply(r->pose[node].R, pos, pos);
  for (int i = 0; i < 3; i++) pos[i] += r->pose[node].p[i];
  return status;
}
