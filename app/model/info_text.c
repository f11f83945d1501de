/* info_text.c -- the tables of `freebody info`: joints with what they carry, bodies, frames, loops. */
#include <math.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "model/info.h"

/* Smaller numbers are rounding noise of poses of about a metre; shown as zero. */
static const double NOISE = 1e-12;

char* cmd_info_vector(const double* x, int count, char* buffer, size_t size) {
  size_t used = 0;
  buffer[0] = 0;
  for (int i = 0; i < count && used < size; i++)
    used +=
        (size_t)snprintf(buffer + used, size - used, "%s%.6g", i ? " " : "", fabs(x[i]) < NOISE ? 0.0 : x[i]);
  return buffer;
}

/* The list, or nothing when every number is the one that means "none". */
static void add_list(cmd_table* table, const double* x, int count, double none) {
  char text[128] = "";
  int any = 0;
  for (int i = 0; i < count; i++) any |= x[i] != none;
  cmd_table_cells(table, "%s", any ? cmd_info_vector(x, count, text, sizeof text) : "");
}

static void add_limits(cmd_table* table, const fb_joint_def* joint, int count) {
  char text[256] = "";
  size_t used = 0;
  int any = 0;
  for (int i = 0; i < count; i++) any |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
  for (int i = 0; any && i < count && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.6g, %.6g]", i ? " " : "", joint->lower[i],
                             joint->upper[i]);
  cmd_table_cells(table, "%s", text);
}

/* "3", "3..5", or nothing for a joint without coordinates. */
static void add_range(cmd_table* table, int at, int count) {
  if (count == 0)
    cmd_table_cells(table, "%s", "");
  else if (count == 1)
    cmd_table_cells(table, "%d", at);
  else
    cmd_table_cells(table, "%d..%d", at, at + count - 1);
}

void cmd_info_print_joints(const cmd_info* info) {
  static const char* const headers[] = {"joint",    "type",      "pitch", "q",       "v",
                                        "limits",   "stiffness", "rest",  "damping", "friction",
                                        "armature", "effort",    "speed"};
  enum { COLUMNS = sizeof headers / sizeof headers[0] };
  const fb_model* m = info->model;
  cmd_table* table = cmd_table_new(COLUMNS, headers);
  for (int b = 1; b < fb_model_nbody(m); b++) {
    const fb_joint_def* joint = &fb_model_def_body(info->def, b)->joint;
    int nv = fb_joint_nv(m, b);
    cmd_table_cells(table, "%s\t%s", fb_joint_name(m, b), fb_joint_type_name(joint->type));
    add_list(table, &joint->pitch, fb_joint_type_has_pitch(joint->type), 0);
    add_range(table, fb_joint_q_index(m, b), fb_joint_nq(m, b));
    add_range(table, fb_joint_v_index(m, b), nv);
    add_limits(table, joint, nv);
    add_list(table, joint->stiffness, nv, 0);
    add_list(table, joint->rest, nv, 0);
    add_list(table, joint->damping, nv, 0);
    add_list(table, joint->friction, nv, 0);
    add_list(table, joint->armature, nv, 0);
    add_list(table, joint->effort, nv, INFINITY);
    add_list(table, joint->speed, nv, INFINITY);
  }
  cmd_table_end(table, stdout, info->app->color_out);
}

void cmd_info_print_frames(const cmd_info* info) {
  static const char* const headers[] = {"frame", "body", "position [m]", "roll pitch yaw [rad]"};
  const fb_model* m = info->model;
  cmd_table* table = cmd_table_new(4, headers);
  for (int f = fb_model_nbody(m); f < fb_model_nframe(m); f++) {
    double p[3], R[9], rpy[3];
    char at[96], turned[96];
    fb_frame_pose(m, info->data, f, p, R);
    fb_rot_to_rpy(R, rpy);
    cmd_table_cells(table, "%s\t%s\t%s\t%s", fb_frame_name(m, f), fb_body_name(m, fb_frame_body(m, f)),
                    cmd_info_vector(p, 3, at, sizeof at), cmd_info_vector(rpy, 3, turned, sizeof turned));
  }
  cmd_table_end(table, stdout, info->app->color_out);
}

/* The joints of a gear with their ratios, "-2 elbow + 0.5236"; of other loops frame b. */
static void add_other_end(cmd_table* table, const fb_loop_def* loop) {
  char text[256] = "";
  size_t used = 0;
  for (int i = 0; i < loop->njoint && used + 8 < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g %s", i ? " + " : "", loop->ratios[i],
                             loop->joints[i]);
  if (loop->njoint && loop->offset != 0 && used < sizeof text)
    snprintf(text + used, sizeof text - used, " + %.6g", loop->offset);
  cmd_table_cells(table, "%s", loop->njoint ? text : loop->b);
}

void cmd_info_print_loops(const cmd_info* info) {
  static const char* const headers[] = {"loop", "type", "rows", "a", "b"};
  cmd_table* table = cmd_table_new(5, headers);
  for (int i = 0; i < fb_model_def_nloop(info->def); i++) {
    const fb_loop_def* loop = fb_model_def_loop(info->def, i);
    cmd_table_cells(table, "%s\t%s\t%d\t%s", loop->name, fb_loop_type_name(loop->type),
                    fb_loop_type_nrow(loop->type), loop->a);
    add_other_end(table, loop);
  }
  cmd_table_end(table, stdout, info->app->color_out);
}

void cmd_info_print_bodies(const cmd_info* info) {
  static const char* const headers[] = {"body",         "com [m]",   "ixx iyy izz ixy ixz iyz [kg m^2]",
                                        "joint at [m]", "rpy [rad]", "shapes"};
  const fb_model* m = info->model;
  cmd_table* table = cmd_table_new(6, headers);
  for (int b = 1; b < fb_model_nbody(m); b++) {
    const fb_body_def* def = fb_model_def_body(info->def, b);
    double rpy[3];
    char text[4][160];
    fb_rot_to_rpy(def->joint.R, rpy);
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%d", fb_body_name(m, b),
                    cmd_info_vector(def->com, 3, text[0], sizeof text[0]),
                    cmd_info_vector(def->inertia, 6, text[1], sizeof text[1]),
                    cmd_info_vector(def->joint.at, 3, text[2], sizeof text[2]),
                    cmd_info_vector(rpy, 3, text[3], sizeof text[3]), fb_model_def_nshape(info->def, b));
  }
  cmd_table_end(table, stdout, info->app->color_out);
}
