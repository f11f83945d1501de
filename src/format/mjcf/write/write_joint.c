/* write_joint.c -- a joint as hinges, slides, a ball or a free joint of MuJoCo.
 *
 * MuJoCo's body frame at zero coordinates is the joint frame, followed by `child`. Its axes and points are given in it:
 * axis_b = R_child^T axis, and a point of the joint frame is at -R_child^T p_child. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/reader.h"
#include "format/mjcf/write/writer.h"
#include "format/notes.h"
#include "format/xml/xml.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"
#include "model/pose.h"

void fb_mjcf_body_pose(const fb_joint_def* joint, fb_pose* pose) {
  const fb_pose place = fb_pose_of(joint->R, joint->at), child = fb_pose_of(joint->child_R, joint->child_at);
  if (is_zero3(child.p) && is_identity3x3(child.R))
    *pose = place; /* to the last digit */
  else
    fb_pose_multiply(&place, &child, pose);
}

int fb_mjcf_needs_carrier(const fb_joint_def* joint) {
  return fb_joint_type_quat_index(joint->type) >= 0 && !is_identity3x3(joint->child_R);
}

/* --- one part --- */

/* A part of a joint: what MuJoCo calls a joint. */
typedef struct part {
  char kind; /* h, s, b or f */
  const double* axis;
  int at, count; /* its coordinates in v */
} part;

static int all_same(const double* x, int count) {
  for (int i = 1; i < count; i++)
    if (x[i] != x[0]) return 0;
  return 1;
}

static double smallest(const double* x, int count) {
  double least = x[0];
  for (int i = 1; i < count; i++) least = fmin(least, x[i]);
  return least;
}

/* Dampers of a ball that differ between its axes act through actuators along the axes of the joint frame. */
static void write_dampers(fb_mjcf_writer* w, const char* ball, const double d[3]) {
  for (int i = 0; i < 3; i++) {
    if (d[i] == 0) continue;
    fb_mjcf_begin(&w->actuators, 2, "<general");
    fb_mjcf_attribute(w, &w->actuators, "jointinparent", ball);
    fb_text_printf(&w->actuators, " gear=\"%d %d %d 0 0 0\" gainprm=\"0\" biastype=\"affine\"", i == 0,
                   i == 1, i == 2);
    double bias[3] = {0, 0, -d[i]};
    fb_xml_add_numbers(&w->actuators, "biasprm", bias, 3);
    fb_text_add(&w->actuators, "/>\n");
  }
}

static void write_passive(fb_mjcf_writer* w, const fb_joint_def* joint, const part* p, const char* name) {
  fb_text* t = &w->text;
  const double *k = joint->stiffness + p->at, *d = joint->damping + p->at, *f = joint->friction + p->at,
               *a = joint->armature + p->at;
  if (p->count == 1 && k[0] != 0) fb_mjcf_number(t, "stiffness", k[0]);
  if (p->count == 1 && joint->rest[p->at] != 0) fb_mjcf_number(t, "springref", joint->rest[p->at]);
  if (all_same(d, p->count) && d[0] != 0) fb_mjcf_number(t, "damping", d[0]);
  if (!all_same(d, p->count)) write_dampers(w, name, d);
  double friction = smallest(f, p->count), armature = smallest(a, p->count);
  if (friction != 0) fb_mjcf_number(t, "frictionloss", friction);
  if (armature != 0) fb_mjcf_number(t, "armature", armature);
  w->friction |= friction != 0;
  if (!all_same(f, p->count))
    fb_io_note(w->options, "lost: the friction of '%.60s' beyond the smallest of its axes", name);
  if (!all_same(a, p->count))
    fb_io_note(w->options,
               "lost: the armature of '%.60s' beyond the smallest of its axes; MuJoCo has one for a ball",
               name);
}

static void write_range(fb_mjcf_writer* w, const fb_joint_def* joint, int at) {
  double range[2] = {fmax(joint->lower[at], -FB_MJCF_FAR), fmin(joint->upper[at], FB_MJCF_FAR)};
  if (range[0] == -FB_MJCF_FAR && range[1] == FB_MJCF_FAR) return;
  if (!(range[0] < range[1])) {
    w->limits++;
    return;
  }
  fb_text_add(&w->text, " limited=\"true\"");
  fb_xml_add_numbers(&w->text, "range", range, 2);
}

static void write_part(fb_mjcf_writer* w, const fb_joint_def* joint, const part* p, const char* name,
                       int depth) {
  static const double zero[3] = {0, 0, 0};
  const char* type = p->kind == 'h' ? "hinge" : p->kind == 's' ? "slide" : p->kind == 'b' ? "ball" : "free";
  double axis[3], pos[3];
  fb_mjcf_begin(&w->text, depth, "<joint");
  fb_mjcf_attribute(w, &w->text, "name", name);
  fb_mjcf_attribute(w, &w->text, "type", type);
  int apart = !fb_mjcf_needs_carrier(joint) && !is_zero3(joint->child_at);
  fb_rot_apply_transpose(joint->child_R, apart ? joint->child_at : zero, pos);
  for (int i = 0; i < 3; i++) pos[i] = pos[i] == 0 ? 0 : -pos[i];
  if (!is_zero3(pos)) fb_xml_add_numbers(&w->text, "pos", pos, 3);
  if (p->axis) {
    fb_rot_apply_transpose(joint->child_R, p->axis, axis);
    fb_xml_add_numbers(&w->text, "axis", axis, 3);
  }
  if (p->count == 1) write_range(w, joint, p->at);
  write_passive(w, joint, p, name);
  fb_text_add(&w->text, "/>\n");
}

/* --- the parts of a joint --- */

/* Kinds and axes of the parts, a letter each: a and b are the joint's own axes. The slide of a screw has no coordinate of its
 * own, so its numbers are those at the end. */
static int list_parts(const fb_joint_def* joint, int free_inside, part parts[4]) {
  static const struct {
    fb_joint_type type;
    int inside;
    const char *kinds, *axes;
  } rows[] = {{FB_JOINT_REVOLUTE, 0, "h", "a"},    {FB_JOINT_PRISMATIC, 0, "s", "a"},
              {FB_JOINT_HELICAL, 0, "hs", "aa"},   {FB_JOINT_CYLINDRICAL, 0, "hs", "aa"},
              {FB_JOINT_UNIVERSAL, 0, "hh", "ab"}, {FB_JOINT_SPHERICAL, 0, "b", "-"},
              {FB_JOINT_PLANAR, 0, "ssh", "xyz"},  {FB_JOINT_FREE, 0, "f", "-"},
              {FB_JOINT_FREE, 1, "sssb", "xyz-"}};
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int inside = joint->type == FB_JOINT_FREE && free_inside, count = 0, at = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].type != joint->type || rows[i].inside != inside) continue;
    for (; rows[i].kinds[count]; count++, at += parts[count - 1].count) {
      char kind = rows[i].kinds[count], axis = rows[i].axes[count];
      parts[count] = (part){.kind = kind, .at = at, .count = kind == 'f' ? 6 : kind == 'b' ? 3 : 1};
      if (axis >= 'x') parts[count].axis = unit[axis - 'x'];
      if (axis == 'a') parts[count].axis = joint->axis;
      if (axis == 'b') parts[count].axis = joint->axis2;
      if (joint->type == FB_JOINT_HELICAL && count == 1) parts[count].at = 5;
    }
  }
  return count;
}

/* MuJoCo's free joint is one of a body in the world whose frame starts there, with one damper for all coordinates. */
static int is_free_inside(const fb_mjcf_writer* w, int body) {
  const fb_joint_def* j = &fb_model_def_body(w->def, body)->joint;
  return w->tree.parent[body] != 0 || !is_zero3(j->at) || !is_identity3x3(j->R) || !all_same(j->damping, 6) ||
         !all_same(j->friction, 6);
}

static const char* part_name(fb_mjcf_writer* w, const fb_joint_def* joint, const char* whole, int i) {
  const fb_mjcf_parts* row = fb_mjcf_parts_table;
  while (row->type != joint->type && row->type != FB_JOINT_TYPE_COUNT) row++;
  const char* end = row->type == joint->type ? row->ends[i] : ".?";
  return fb_name_set_join(&w->joints, whole, end, "");
}

static void write_tendon(fb_mjcf_writer* w, const char* name, const char* const names[4], double pitch) {
  fb_text* t = &w->tendons;
  fb_mjcf_begin(t, 2, "<fixed");
  fb_mjcf_attribute(w, t, "name", name);
  fb_text_add(t, "><joint");
  fb_mjcf_attribute(w, t, "joint", names[1]);
  fb_text_add(t, " coef=\"1\"/><joint");
  fb_mjcf_attribute(w, t, "joint", names[0]);
  fb_mjcf_number(t, "coef", -pitch);
  fb_text_add(t, "/></fixed>\n");
}

/* The advance of a screw follows its turn: x = slide - pitch turn = 0. Two tendons have this length, and the equality
 * says x = -1e6 x of them: (1 + 1e6) times what is wanted, beside which the softness, which MuJoCo takes from the tendons
 * alone, is nothing. The tendons have the names of the two parts. */
static void write_screw(fb_mjcf_writer* w, const char* const names[4], double pitch) {
  fb_text* e = &w->equalities;
  w->stiff = 1;
  write_tendon(w, names[0], names, pitch);
  write_tendon(w, names[1], names, pitch);
  fb_mjcf_begin(e, 2, "<tendon");
  fb_mjcf_attribute(w, e, "tendon1", names[0]);
  fb_mjcf_attribute(w, e, "tendon2", names[1]);
  fb_text_add(e, " polycoef=\"0 -1000000 0 0 0\" solimp=\"0.9999 0.9999 0.001\"/>\n");
}

static void count_losses(fb_mjcf_writer* w, const fb_body_def* body) {
  const fb_joint_def* j = &body->joint;
  int nv = fb_joint_type_nv(j->type), efforts = 0, speeds = 0, friction = 0;
  for (int i = 0; i < nv; i++) {
    efforts |= isfinite(j->effort[i]);
    speeds |= isfinite(j->speed[i]);
    friction |= j->friction[i] != 0;
  }
  w->efforts += efforts;
  w->speeds += speeds;
  w->friction_speeds += friction && j->friction_speed != fb_default_joint_def().friction_speed;
  w->fixed_names += j->type == FB_JOINT_FIXED && j->name && strcmp(j->name, body->name) != 0;
}

fb_status fb_mjcf_write_joint(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  const fb_body_def* body = fb_model_def_body(w->def, id);
  const char *whole = fb_def_joint_name(body), *names[4] = {whole, NULL, NULL, NULL};
  part parts[4];
  int count = list_parts(&body->joint, is_free_inside(w, id), parts);
  if (count == 0 && body->joint.type != FB_JOINT_FIXED)
    return fb_fail(error, FB_ERR_UNSUPPORTED, "joint '%s' is of type %s, which is not written to MJCF", whole,
                   fb_joint_type_name(body->joint.type));
  count_losses(w, body);
  for (int i = 0; i < count; i++) {
    if (count > 1) names[i] = part_name(w, &body->joint, whole, i);
    if (!names[i]) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the MJCF was written");
    write_part(w, &body->joint, &parts[i], names[i], depth);
  }
  if (body->joint.type == FB_JOINT_HELICAL) {
    write_screw(w, names, body->joint.pitch);
    fb_io_note(w->options,
               "joint '%.60s' is a screw, which MuJoCo does not have: it becomes a hinge and a slide, held "
               "together by an equality; set both coordinates, d = pitch * angle",
               whole);
  }
  return FB_OK;
}
