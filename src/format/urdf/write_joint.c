/* write_joint.c -- writes <joint>. Joint types that URDF lacks become the nearest that it has, and
 * <freebody> says what they really are. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "format/notes.h"
#include "format/urdf/urdf.h"
#include "format/urdf/writer.h"
#include "model/definition/name_index.h"

/* What stands for each of our types in URDF. Of those that it lacks, a joint of one degree becomes one that turns
 * about its axis, and the others may move in every way. */
static const char* urdf_type(const fb_joint_def* joint) {
  int limited = isfinite(joint->lower[0]) || isfinite(joint->upper[0]);
  if (joint->type == FB_JOINT_REVOLUTE && !limited) return "continuous";
  const char* name = fb_urdf_type_name(joint->type);
  return name ? name : fb_joint_type_nv(joint->type) == 1 ? "continuous" : "floating";
}

int fb_urdf_is_plain_root(const fb_body_def* body) {
  const fb_joint_def* j = &body->joint;
  fb_joint_def plain = fb_default_joint_def();
  if (j->type != FB_JOINT_FREE || !fb_urdf_is_identity(j->at, j->R)) return 0;
  if (j->name && strcmp(j->name, body->name) != 0) return 0;
  if (j->friction_speed != plain.friction_speed) return 0;
  for (int i = 0; i < FB_JOINT_MAX_NV; i++)
    if (j->damping[i] != 0 || j->friction[i] != 0 || isfinite(j->effort[i]) || isfinite(j->speed[i]))
      return 0;
  return 1;
}

/* The largest double stands for none: URDF demands all four numbers and has no infinity. */
static void add_limit(fb_urdf_writer* w, const char* name, double x) {
  double number = isfinite(x) ? x : x < 0 ? -DBL_MAX : DBL_MAX;
  fb_urdf_add_numbers(w, name, &number, 1);
}

static void write_limit(fb_urdf_writer* w, const fb_joint_def* joint) {
  int continuous = strcmp(urdf_type(joint), "continuous") == 0;
  if (continuous && !isfinite(joint->effort[0]) && !isfinite(joint->speed[0])) return;
  fb_text_add(&w->text, "    <limit");
  if (!continuous) {
    add_limit(w, "lower", joint->lower[0]);
    add_limit(w, "upper", joint->upper[0]);
  }
  add_limit(w, "effort", joint->effort[0]);
  add_limit(w, "velocity", joint->speed[0]);
  fb_text_add(&w->text, "/>\n");
}

static void write_dynamics(fb_urdf_writer* w, const fb_joint_def* joint) {
  if (joint->damping[0] == 0 && joint->friction[0] == 0) return;
  fb_text_add(&w->text, "    <dynamics");
  fb_urdf_add_numbers(w, "damping", joint->damping, 1);
  fb_urdf_add_numbers(w, "friction", joint->friction, 1);
  fb_text_add(&w->text, "/>\n");
}

/* A list of the extension, unless every number is the default. */
static void add_list(fb_urdf_writer* w, const char* name, const double* x, int count, double usual) {
  for (int i = 0; i < count; i++) {
    if (x[i] == usual) continue;
    fb_urdf_add_numbers(w, name, x, count);
    return;
  }
}

static void write_extension(fb_urdf_writer* w, const fb_joint_def* joint) {
  int nv = fb_joint_type_nv(joint->type);
  size_t start = w->text.size;
  fb_text_add(&w->text, "    <freebody");
  size_t empty = w->text.size;
  if (!fb_urdf_type_name(joint->type)) fb_urdf_add_attribute(w, "type", fb_joint_type_name(joint->type));
  if (fb_joint_type_naxis(joint->type) > 1) fb_urdf_add_numbers(w, "axis2", joint->axis2, 3);
  if (fb_joint_type_has_pitch(joint->type)) fb_urdf_add_numbers(w, "pitch", &joint->pitch, 1);
  if (!fb_urdf_may_follow(joint->type)) {
    add_list(w, "lower", joint->lower, nv, -INFINITY);
    add_list(w, "upper", joint->upper, nv, INFINITY);
    add_list(w, "effort", joint->effort, nv, INFINITY);
    add_list(w, "speed", joint->speed, nv, INFINITY);
    add_list(w, "damping", joint->damping, nv, 0);
    add_list(w, "friction", joint->friction, nv, 0);
  }
  add_list(w, "stiffness", joint->stiffness, nv, 0);
  add_list(w, "rest", joint->rest, nv, 0);
  add_list(w, "armature", joint->armature, nv, 0);
  add_list(w, "friction_speed", &joint->friction_speed, nv > 0, fb_default_joint_def().friction_speed);
  if (w->text.size == empty && !w->text.failed) { /* nothing to say */
    w->text.size = start;
    w->text.data[start] = '\0';
    return;
  }
  fb_text_add(&w->text, "/>\n");
}

void fb_urdf_write_joint(fb_urdf_writer* w, int id) {
  static const double z[3] = {0, 0, 1};
  const fb_body_def* body = fb_model_def_body(w->def, id);
  const fb_joint_def* joint = &body->joint;
  const char* name = fb_def_joint_name(body);
  if (!fb_urdf_type_name(joint->type))
    fb_io_note(w->options,
               "joint '%s' is %s, which URDF lacks; it is written as %s with a <freebody> element, which "
               "other readers will not see",
               name, fb_joint_type_name(joint->type), urdf_type(joint));
  fb_text_add(&w->text, "  <joint");
  fb_urdf_add_attribute(w, "name", name);
  fb_urdf_add_attribute(w, "type", urdf_type(joint));
  fb_text_add(&w->text, ">\n");
  fb_urdf_add_origin(w, 4, joint->at, joint->R);
  fb_text_add(&w->text, "    <parent");
  fb_urdf_add_attribute(w, "link", body->parent ? body->parent : "world");
  fb_text_add(&w->text, "/>\n    <child");
  fb_urdf_add_attribute(w, "link", body->name);
  fb_text_add(&w->text, "/>\n");
  if (fb_urdf_has_axis(joint->type)) {
    fb_text_add(&w->text, "    <axis");
    fb_urdf_add_numbers(w, "xyz", joint->type == FB_JOINT_PLANAR ? z : joint->axis, 3);
    fb_text_add(&w->text, "/>\n");
  }
  if (fb_urdf_may_follow(joint->type)) {
    write_limit(w, joint);
    write_dynamics(w, joint);
  }
  fb_urdf_write_mimic(w, id);
  write_extension(w, joint);
  fb_text_add(&w->text, "  </joint>\n");
}
