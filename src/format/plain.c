/* plain.c -- moves the frames of bodies to their joints: see format/plain.h.
 *
 * The joint moves frame N, and the body frame is at X = (child_R, child_at) in it. With N for the body's frame, all that
 * is given in the body goes by X: p_N = R_X p + p_X. The coordinates stay as they are. */
#include "format/plain.h"

#include <string.h>

#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "format/notes.h"
#include "math/vector3.h"
#include "model/definition/forest.h"
#include "model/definition/name_index.h"
#include "model/pose.h"

static int has_child(const fb_joint_def* joint) {
  return !is_zero3(joint->child_at) || !is_identity3x3(joint->child_R);
}

static void move(const fb_pose* X, double at[3], double R[9]) {
  fb_pose old = fb_pose_of(R, at), moved;
  fb_pose_multiply(X, &old, &moved);
  memcpy(at, moved.p, sizeof moved.p);
  memcpy(R, moved.R, sizeof moved.R);
}

static void move_mass(const fb_pose* X, fb_body_def* body) {
  fb_pose turn = *X;
  fb_spatial_inertia local = {0}, turned;
  double none[9];
  memset(turn.p, 0, sizeof turn.p);
  memcpy(local.moments, body->inertia, sizeof local.moments);
  fb_spatial_inertia_to_parent(&turn, &local, &turned);
  memcpy(body->inertia, turned.moments, sizeof turned.moments);
  fb_rot_identity(none);
  move(X, body->com, none);
}

/* A body with the frame of the parent it hangs on, and its own, moved. */
static fb_status add_body(const fb_model_def* def, int b, const fb_joint_def* parent, fb_model_def* out,
                          fb_error* error) {
  fb_body_def body = *fb_model_def_body(def, b);
  fb_pose local = fb_pose_of(body.joint.child_R, body.joint.child_at);
  int moved = has_child(&body.joint);
  if (parent && has_child(parent)) {
    fb_pose X = fb_pose_of(parent->child_R, parent->child_at);
    move(&X, body.joint.at, body.joint.R);
  }
  if (moved) move_mass(&local, &body);
  memset(body.joint.child_at, 0, sizeof body.joint.child_at);
  fb_rot_identity(body.joint.child_R);
  fb_status status = fb_model_def_add_body(out, &body, NULL, error);
  for (int i = 0; i < fb_model_def_nframe(def, b) && !status; i++) {
    fb_frame_def frame = *fb_model_def_frame(def, b, i);
    if (moved) move(&local, frame.at, frame.R);
    status = fb_model_def_add_frame(out, b, &frame, error);
  }
  for (int i = 0; i < fb_model_def_nshape(def, b) && !status; i++) {
    fb_shape_def shape = *fb_model_def_shape(def, b, i);
    if (moved) move(&local, shape.at, shape.R);
    status = fb_model_def_add_shape(out, b, &shape, error);
  }
  return status;
}

/* A loop that ends at a moved body's own frame would end elsewhere. */
static fb_status check_loops(const fb_model_def* def, const char* format, fb_error* error) {
  for (int i = 0; i < fb_model_def_nloop(def); i++) {
    const fb_loop_def* loop = fb_model_def_loop(def, i);
    for (int b = 1; b < fb_model_def_nbody(def) && loop->type != FB_LOOP_GEAR; b++) {
      const fb_body_def* body = fb_model_def_body(def, b);
      if (!has_child(&body->joint) || (strcmp(body->name, loop->a) != 0 && strcmp(body->name, loop->b) != 0))
        continue;
      return fb_fail(error, FB_ERR_UNSUPPORTED,
                     "loop '%s' ends at body '%s', whose joint ends apart from the frame of its body, for "
                     "which %s has no words; give the loop a frame, or write the native format (.yaml)",
                     loop->name, body->name, format);
    }
  }
  return FB_OK;
}

static fb_status check_joints(const fb_model_def* def, const char* format, int* count, fb_error* error) {
  *count = 0;
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    const fb_body_def* body = fb_model_def_body(def, b);
    *count += has_child(&body->joint);
    if (body->joint.reversed)
      return fb_fail(error, FB_ERR_UNSUPPORTED,
                     "joint '%s' was left by a join: it is reversed, for which %s has no words; write the "
                     "native format (.yaml), or part the join first",
                     fb_def_joint_name(body), format);
  }
  return FB_OK;
}

static fb_status fill(const fb_model_def* def, const fb_forest* tree, fb_model_def* out, fb_error* error) {
  double g[3];
  fb_status status = FB_OK;
  for (int b = 1; b < fb_model_def_nbody(def) && !status; b++) {
    int parent = tree->parent[b];
    status = add_body(def, b, parent ? &fb_model_def_body(def, parent)->joint : NULL, out, error);
  }
  for (int i = 0; i < fb_model_def_nloop(def) && !status; i++)
    status = fb_model_def_add_loop(out, fb_model_def_loop(def, i), error);
  fb_model_def_gravity(def, g);
  fb_model_def_set_gravity(out, g);
  fb_model_def_set_keeps_inertia(out, fb_model_def_keeps_inertia(def));
  if (!status && (fb_model_def_set_name(out, fb_model_def_name(def)) ||
                  fb_model_def_set_source(out, fb_model_def_source(def))))
    status = fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was written");
  return status;
}

fb_status fb_model_def_plain(const fb_model_def* def, const char* format, const fb_io_options* options,
                             fb_model_def** plain, fb_error* error) {
  int count;
  fb_forest tree;
  *plain = NULL;
  fb_status status = check_joints(def, format, &count, error);
  if (status || count == 0) return status;
  status = check_loops(def, format, error);
  if (!status) status = fb_forest_make(def, &tree, error);
  if (status) return status;
  *plain = fb_model_def_new();
  status = *plain ? fill(def, &tree, *plain, error)
                  : fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was written");
  fb_forest_free(&tree);
  if (status) {
    fb_model_def_free(*plain);
    *plain = NULL;
  } else {
    fb_io_note(options,
               "%d bod%s: the frame is moved to the joint, as %s has it there, with all that is on it", count,
               count == 1 ? "y" : "ies", format);
  }
  return status;
}
