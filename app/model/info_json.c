/* info_json.c -- `freebody info --json`: the same data as JSON. */
#include <stdlib.h>

#include <freebody/support/json.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "model/info.h"

/* A list over the joint's velocity coordinates; an infinite entry, which means none, becomes null. */
static void put_coordinates(fb_json* json, const fb_joint_def* joint) {
  const struct {
    const char* key;
    const double* x;
  } rows[] = {
      {"lower", joint->lower},       {"upper", joint->upper},     {"stiffness", joint->stiffness},
      {"rest", joint->rest},         {"damping", joint->damping}, {"friction", joint->friction},
      {"armature", joint->armature}, {"effort", joint->effort},   {"speed", joint->speed},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    fb_json_put_numbers(json, rows[i].key, rows[i].x, fb_joint_type_nv(joint->type));
}

/* What a join has left in it. */
static void put_ends(fb_json* json, const fb_joint_def* joint) {
  double rpy[3];
  fb_rot_to_rpy(joint->child_R, rpy);
  int at_frame = 1;
  for (int i = 0; i < 3; i++) at_frame &= joint->child_at[i] == 0 && rpy[i] == 0;
  if (!at_frame) fb_json_put_numbers(json, "child_at", joint->child_at, 3);
  if (!at_frame) fb_json_put_numbers(json, "child_rpy", rpy, 3);
  if (joint->reversed) fb_json_put_bool(json, "reversed", 1);
}

static void put_joint(const cmd_info* info, int body, fb_json* json) {
  const fb_model* m = info->model;
  const fb_joint_def* joint = &fb_model_def_body(info->def, body)->joint;
  fb_json_put_map(json, "joint");
  fb_json_put_string(json, "name", fb_joint_name(m, body));
  fb_json_put_string(json, "type", fb_joint_type_name(joint->type));
  fb_json_put_int(json, "q_at", fb_joint_q_index(m, body));
  fb_json_put_int(json, "nq", fb_joint_nq(m, body));
  fb_json_put_int(json, "v_at", fb_joint_v_index(m, body));
  fb_json_put_int(json, "nv", fb_joint_nv(m, body));
  double axis[3], axis2[3], rpy[3];
  int axes = fb_joint_axes(m, body, axis, axis2);
  if (axes > 0) fb_json_put_numbers(json, "axis", axis, 3);
  if (axes > 1) fb_json_put_numbers(json, "axis2", axis2, 3);
  if (fb_joint_type_has_pitch(joint->type)) fb_json_put_number(json, "pitch", joint->pitch);
  fb_rot_to_rpy(joint->R, rpy);
  fb_json_put_numbers(json, "at", joint->at, 3);
  fb_json_put_numbers(json, "rpy", rpy, 3);
  put_ends(json, joint);
  if (fb_joint_nv(m, body) > 0) {
    put_coordinates(json, joint);
    fb_json_put_number(json, "friction_speed", joint->friction_speed);
  }
  fb_json_end_map(json);
}

/* Of a frame, in the world at the neutral configuration. */
static void put_pose(const cmd_info* info, int frame, fb_json* json) {
  double p[3], R[9];
  fb_frame_pose(info->model, info->data, frame, p, R);
  fb_json_put_numbers(json, "p", p, 3);
  fb_json_put_matrix(json, "R", R, 3, 3);
}

static void put_bodies(const cmd_info* info, fb_json* json) {
  const fb_model* m = info->model;
  fb_json_put_list(json, "bodies");
  for (int b = 1; b < fb_model_nbody(m); b++) {
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", fb_body_name(m, b));
    fb_json_put_string(json, "parent", fb_body_name(m, fb_body_parent(m, b)));
    put_joint(info, b, json);
    fb_json_put_number(json, "mass", fb_body_mass(m, b));
    fb_json_put_numbers(json, "com", fb_model_def_body(info->def, b)->com, 3);
    fb_json_put_numbers(json, "inertia", fb_model_def_body(info->def, b)->inertia, 6);
    fb_json_put_int(json, "shapes", fb_model_def_nshape(info->def, b));
    put_pose(info, b, json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_frames(const cmd_info* info, fb_json* json) {
  const fb_model* m = info->model;
  fb_json_put_list(json, "frames");
  for (int f = fb_model_nbody(m); f < fb_model_nframe(m); f++) {
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", fb_frame_name(m, f));
    fb_json_put_string(json, "body", fb_body_name(m, fb_frame_body(m, f)));
    put_pose(info, f, json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* b is a list of joints in a gear, and a frame otherwise. */
static void put_loop(fb_json* json, const fb_loop_def* loop) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", loop->name);
  fb_json_put_string(json, "type", fb_loop_type_name(loop->type));
  fb_json_put_int(json, "rows", fb_loop_type_nrow(loop->type));
  fb_json_put_string(json, "a", loop->a);
  if (loop->type == FB_LOOP_GEAR) {
    fb_json_put_list(json, "b");
    for (int i = 0; i < loop->njoint; i++) fb_json_string(json, loop->joints[i]);
    fb_json_end_list(json);
    fb_json_put_numbers(json, "ratio", loop->ratios, loop->njoint);
    fb_json_put_number(json, "offset", loop->offset);
  } else {
    fb_json_put_string(json, "b", loop->b);
  }
  fb_json_end_map(json);
}

static void put_summary(const cmd_info* info, fb_json* json) {
  const fb_model* m = info->model;
  double com[3];
  fb_subtree_com(m, info->data, FB_WORLD, com, NULL, NULL);
  fb_json_put_string(json, "name", fb_model_name(m));
  fb_json_put_string(json, "file", cmd_shown_name(info->file));
  fb_json_put_string(json, "format", info->loaded->format);
  fb_json_put_int(json, "notes", info->loaded->notes);
  fb_json_put_int(json, "nbody", fb_model_nbody(m) - 1);
  fb_json_put_int(json, "ntree", fb_model_ntree(m));
  fb_json_put_int(json, "nq", fb_model_nq(m));
  fb_json_put_int(json, "nv", fb_model_nv(m));
  fb_json_put_number(json, "mass", fb_model_mass(m));
  fb_json_put_numbers(json, "com", com, 3);
}

fb_status cmd_info_print_json(const cmd_info* info, fb_error* error) {
  fb_json* json = fb_json_new(1);
  if (!json) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  fb_json_begin_map(json);
  put_summary(info, json);
  put_bodies(info, json);
  put_frames(info, json);
  fb_json_put_list(json, "loops");
  for (int i = 0; i < fb_model_def_nloop(info->def); i++) put_loop(json, fb_model_def_loop(info->def, i));
  fb_json_end_list(json);
  if (info->spacedyn) {
    cmd_info_spacedyn spacedyn;
    cmd_info_spacedyn_make(info->model, &spacedyn);
    cmd_info_put_spacedyn(&spacedyn, json);
    cmd_info_spacedyn_free(&spacedyn);
  }
  fb_json_end_map(json);
  size_t size = 0;
  char* text = fb_json_finish(json, &size);
  if (!text) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  cmd_print_text(text, size);
  free(text);
  return FB_OK;
}
