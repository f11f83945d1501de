/* join.c -- the model in which two trees have become one: fb_model_join. See freebody/join.h.
 *
 * With G the frame `to` and F the other, and X the pose of F in G at the instant, the new joint leads from the body of G
 * to the body of F as  T = T_G M(q) O : q are the coordinates nearest to X, and O = M(q)^-1 X T_F^-1 is what is left, so
 * that nothing moves. When the tree of `to` is the one that is re-rooted, the same joint is reversed. */
#include <freebody/join.h>

#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "base/cookie.h"
#include "constraint/rebuild.h"
#include "math/axis.h"
#include "math/vector3.h"
#include "model/definition/attach.h"
#include "model/definition/joint_path.h"
#include "model/definition/reroot.h"

static const double NEAR = 1e-6; /* m and rad: what counts as coinciding */

fb_join_def fb_default_join_def(void) {
  return (fb_join_def){.type = FB_JOINT_FIXED, .axis = {0, 0, 1}, .axis2 = {0, 1, 0}, .cookie_ = FB_COOKIE};
}

/* One of the two frames: its body, and its pose there. */
typedef struct end {
  const char* name;
  int body;
  fb_pose in_body;
} end;

typedef struct joining {
  const fb_model* m;
  const fb_join_def* how;
  end frame, to;
  fb_pose X;          /* of frame in to */
  fb_joint_def joint; /* from the body of `to` to that of `frame` */
} joining;

/* --- the request --- */

static fb_status find_end(const fb_model* m, const char* name, end* e, fb_error* error) {
  e->name = name;
  e->in_body = fb_pose_identity();
  e->body = FB_WORLD;
  if (strcmp(name, "world") == 0) return FB_OK;
  if (fb_attach_find(m->def, name, &e->body, e->in_body.p, e->in_body.R)) return FB_OK;
  return fb_no_such_name(m, 0, name, error);
}

static fb_status check_request(const fb_model* m, const fb_join_def* how, fb_error* error) {
  if (fb_cookie_check(how->cookie_, "join_def", error)) return FB_ERR_ARG;
  if (!how->name || !how->name[0] || !how->frame || !how->to)
    return fb_fail(error, FB_ERR_NAME, "a join needs a name for its joint, a frame, and what that goes to");
  if ((unsigned)how->type >= FB_JOINT_TYPE_COUNT || how->type == FB_JOINT_FREE)
    return fb_fail(error, FB_ERR_JOINT,
                   "the join \"%s\" is of type %s, which joins nothing; choose fixed (a weld), revolute, "
                   "prismatic, helical, cylindrical, universal, spherical or planar",
                   how->name, fb_joint_type_name(how->type));
  for (int b = 1; b < fb_model_nbody(m); b++) {
    const fb_joint_def* floated = fb_model_def_floated(m->def, b);
    const char* former = floated ? (floated->name ? floated->name : fb_body_name(m, b)) : NULL;
    if (strcmp(fb_joint_name(m, b), how->name) == 0 || (former && strcmp(former, how->name) == 0))
      return fb_fail(error, FB_ERR_NAME,
                     "the join \"%s\" has the name of a joint that the model has already; choose another",
                     how->name);
  }
  return FB_OK;
}

static fb_status check_trees(const joining* j, fb_error* error) {
  int base = fb_body_base(j->m, j->frame.body), other = fb_body_base(j->m, j->to.body);
  if (j->frame.body == FB_WORLD)
    return fb_fail(error, FB_ERR_TREE,
                   "the join \"%s\" would capture the world; write the world as `to`, and the frame that "
                   "goes there as `frame`",
                   j->how->name);
  if (base == other)
    return fb_fail(error, FB_ERR_TREE,
                   "the join \"%s\": '%s' and '%s' are on one tree already, that of \"%s\", so that a joint "
                   "between them would close a loop; part them first, or give the model a loop instead",
                   j->how->name, j->frame.name, j->to.name, fb_body_name(j->m, base));
  if (!fb_body_floats(j->m, base) && !fb_body_floats(j->m, other))
    return fb_fail(error, FB_ERR_TREE,
                   "the join \"%s\": neither the tree of '%s' nor that of '%s' floats, so that a joint "
                   "between them would close a loop through the world; give the model a loop instead",
                   j->how->name, j->frame.name, j->to.name);
  return FB_OK;
}

/* --- the geometry of the instant --- */

static void frame_in_world(const fb_model* m, const fb_data* d, const end* e, fb_pose* T) {
  fb_pose body;
  fb_frame_pose(m, d, e->body, body.p, body.R);
  fb_pose_multiply(&body, &e->in_body, T);
}

static fb_status find_offset(joining* j, const double* q, fb_error* error) {
  fb_data* d = fb_data_new(j->m);
  if (!d) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the poses of the join");
  fb_pose F, G;
  fb_kinematics(j->m, d, q, NULL, NULL);
  frame_in_world(j->m, d, &j->frame, &F);
  frame_in_world(j->m, d, &j->to, &G);
  fb_data_free(d);
  fb_pose_between(&G, &F, &j->X);
  return FB_OK;
}

/* Between the lines of the axis in the two frames [rad]. */
static double angle_of_axes(const joining* j) {
  double axis[3] = {j->how->axis[0], j->how->axis[1], j->how->axis[2]}, moved[3];
  fb_axis_normalise(axis);
  fb_rot_apply(j->X.R, axis, moved);
  return asin(fmin(fb_axis_sine(axis, moved), 1));
}

static fb_status check_near(const joining* j, fb_error* error) {
  double distance = norm3(j->X.p);
  int has_line = fb_joint_type_naxis(j->how->type) == 1;
  double angle = has_line ? angle_of_axes(j) : 0;
  if (j->how->force || (distance <= NEAR && angle <= NEAR)) return FB_OK;
  if (distance > NEAR)
    return fb_fail(error, FB_ERR_JOINT,
                   "the join \"%s\": '%s' and '%s' are %.6g m apart, more than %g m%s; bring them together, "
                   "or join them with force, which keeps the offset",
                   j->how->name, j->frame.name, j->to.name, distance, NEAR,
                   angle > NEAR ? ", and their axes are askew" : "");
  return fb_fail(
      error, FB_ERR_JOINT,
      "the join \"%s\": the axes of '%s' and '%s' are %.6g rad askew, more than %g rad; a %s joint needs "
      "them parallel. Turn one of them, or join them with force, which keeps the angle",
      j->how->name, j->frame.name, j->to.name, angle, NEAR, fb_joint_type_name(j->how->type));
}

static fb_status check_axis(const joining* j, const char* what, const double axis[3], fb_error* error) {
  double unit[3] = {axis[0], axis[1], axis[2]};
  if (fb_axis_normalise(unit)) return FB_OK;
  return fb_fail(error, FB_ERR_JOINT, "the join \"%s\": its %s is [%g, %g, %g], of no direction",
                 j->how->name, what, axis[0], axis[1], axis[2]);
}

static fb_status check_axes(const joining* j, fb_error* error) {
  int naxis = fb_joint_type_naxis(j->how->type);
  fb_status status = naxis > 0 ? check_axis(j, "axis", j->how->axis, error) : FB_OK;
  if (!status && naxis > 1) status = check_axis(j, "axis2", j->how->axis2, error);
  return status;
}

/* The joint from the body of `to`; what its coordinates leave over goes into the place of the child. */
static void make_joint(joining* j) {
  fb_joint_def* joint = &j->joint;
  double q[FB_JOINT_MAX_NQ];
  fb_pose M, rest, back;
  *joint = fb_default_joint_def();
  joint->name = j->how->name;
  joint->type = j->how->type;
  joint->pitch = j->how->pitch;
  memcpy(joint->axis, j->how->axis, sizeof joint->axis);
  memcpy(joint->axis2, j->how->axis2, sizeof joint->axis2);
  fb_axis_normalise(joint->axis);
  fb_axis_normalise(joint->axis2);
  fb_joint_path path = fb_joint_path_of(joint);
  fb_joint_path_fit(&path, &j->X, q);
  fb_joint_path_motion(&path, q, &M);
  fb_pose_between(&M, &j->X, &rest);
  fb_pose_inverse(&j->frame.in_body, &back);
  fb_pose_multiply(&rest, &back, &M);
  fb_rot_nearest(M.R, joint->child_R);
  memcpy(joint->child_at, M.p, sizeof M.p);
  memcpy(joint->R, j->to.in_body.R, sizeof joint->R);
  memcpy(joint->at, j->to.in_body.p, sizeof joint->at);
}

/* --- the new tree --- */

static fb_status rehang(joining* j, fb_model_def* def, fb_error* error) {
  int frame_floats = fb_body_floats(j->m, fb_body_base(j->m, j->frame.body));
  const end *child = frame_floats ? &j->frame : &j->to, *parent = frame_floats ? &j->to : &j->frame;
  int root = fb_body_base(j->m, child->body);
  const char* name = parent->body == FB_WORLD ? NULL : fb_body_name(j->m, parent->body);
  j->joint.reversed = !frame_floats;
  fb_status status =
      fb_model_def_set_floated(def, root, &fb_model_def_body(j->m->def, root)->joint, j->how->name, error);
  return status ? status : fb_reroot(def, &j->m->top, root, child->body, &j->joint, name, error);
}

fb_status fb_model_join(const fb_model* m, const fb_join_def* how, const double* q, fb_model** joined,
                        fb_error* error) {
  joining j = {.m = m, .how = how};
  *joined = NULL;
  fb_status status = check_request(m, how, error);
  if (!status) status = find_end(m, how->frame, &j.frame, error);
  if (!status) status = find_end(m, how->to, &j.to, error);
  if (!status) status = check_trees(&j, error);
  if (!status) status = check_axes(&j, error);
  if (!status) status = fb_model_check_state(m, q, NULL, error);
  if (!status) status = find_offset(&j, q, error);
  if (!status) status = check_near(&j, error);
  if (status) return status;
  make_joint(&j);
  fb_model_def* def = fb_model_def_copy(m->def);
  status = def ? rehang(&j, def, error) : fb_fail(error, FB_ERR_MEMORY, "out of memory for the joined model");
  if (!status) status = fb_rebuild(m, def, joined, error);
  fb_model_def_free(def);
  return status;
}
