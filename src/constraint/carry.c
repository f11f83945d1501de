/* carry.c -- a state of one model in another of the same bodies: fb_model_state_carry. See freebody/join.h.
 *
 * A joint continues when both models have it, by name, between the same two bodies and with the same numbers, from
 * whichever side: then q and v are copied. Others are found from where the two bodies are and how they move:
 *
 *   T_pb = T_wp^-1 T_wb,   w = R^T (w_b - w_p),   v = R^T (v_e - v_p - w_p x (p_e - p_p))
 *
 * with e the frame after the joint's last link and R the joint frame's axes in the world (model/definition/joint_path.h). */
#include <freebody/join.h>

#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "constraint/rebuild.h"
#include "math/vector3.h"
#include "model/definition/joint_path.h"

static int same_list(const double* a, const double* b, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

/* Axes by their direction: those of a model that was read from a file are of unit length. */
static int same_numbers(const fb_joint_def* a, const fb_joint_def* b) {
  fb_joint_def seen = *b;
  seen.reversed = a->reversed;
  fb_joint_path x = fb_joint_path_of(a), y = fb_joint_path_of(&seen);
  int same = (a->pitch == b->pitch || !fb_joint_type_has_pitch(a->type)) && same_list(a->at, b->at, 3) &&
             same_list(a->R, b->R, 9) && same_list(a->child_at, b->child_at, 3) &&
             same_list(a->child_R, b->child_R, 9);
  for (int i = 0; i < x.nlink && same; i++) same = same_list(x.link[i].axis, y.link[i].axis, 3);
  return same;
}

int fb_joint_from(const fb_model* from, const fb_model* to, int body, int* turned) {
  int was = fb_model_find_joint(from, fb_joint_name(to, body));
  if (was <= 0) return -1;
  const fb_joint_def *a = &fb_model_def_body(from->def, was)->joint,
                     *b = &fb_model_def_body(to->def, body)->joint;
  int up = fb_body_parent(from, was), now_up = fb_body_parent(to, body);
  *turned = !a->reversed != !b->reversed;
  int same_bodies = *turned ? was == now_up && up == body : was == body && up == now_up;
  return a->type == b->type && same_bodies && same_numbers(a, b) ? was : -1;
}

/* The same, for joints whose coordinates are the same numbers on both sides. */
static int copied_from(const fb_model* from, const fb_model* to, int body) {
  int turned, was = fb_joint_from(from, to, body, &turned);
  return was > 0 && turned && fb_joint_kinds[fb_joint_type_of(to, body)].quats > 0 ? -1 : was;
}

int fb_model_coordinate_from(const fb_model* from, const fb_model* to, int k) {
  int body = fb_coordinate_body(to, k), was = body > FB_WORLD ? copied_from(from, to, body) : -1;
  return was < 0 ? -1 : fb_joint_v_index(from, was) + k - fb_joint_v_index(to, body);
}

/* A state that goes from one model to the other; v and v_to may be NULL. */
typedef struct carriage {
  const fb_model* from;
  const fb_data* d;
  const double *q, *v;
  const fb_model* to;
  double *q_to, *v_to;
} carriage;

static void find_coordinates(const carriage* c, int body, const fb_joint_path* path) {
  fb_pose parent, child, relative;
  fb_frame_pose(c->from, c->d, fb_body_parent(c->to, body), parent.p, parent.R);
  fb_frame_pose(c->from, c->d, body, child.p, child.R);
  fb_pose_between(&parent, &child, &relative);
  fb_joint_path_fit(path, &relative, c->q_to + fb_joint_q_index(c->to, body));
}

/* The motion of the joint's last link relative to its parent, in the axes of the joint frame. */
static void relative_motion(const carriage* c, int body, const fb_joint_path* path, double w[3],
                            double v[3]) {
  int up = fb_body_parent(c->to, body);
  double p[3], R[9], p_b[3], R_b[9], v_p[3], w_p[3], v_b[3], w_b[3], arm[3], offset[3], swing[3];
  fb_pose back;
  fb_frame_pose(c->from, c->d, up, p, R);
  fb_frame_pose(c->from, c->d, body, p_b, R_b);
  fb_frame_velocity(c->from, c->d, up, v_p, w_p);
  fb_frame_velocity(c->from, c->d, body, v_b, w_b);
  fb_pose_inverse(&path->tail, &back);
  fb_rot_apply(R_b, back.p, arm); /* from the body's origin to the frame after the last link */
  for (int i = 0; i < 3; i++) {
    offset[i] = p_b[i] - p[i] + arm[i];
    w[i] = w_b[i] - w_p[i];
  }
  cross3(w_b, arm, v);
  cross3(w_p, offset, swing);
  for (int i = 0; i < 3; i++) v[i] += v_b[i] - v_p[i] - swing[i];
  fb_rot_multiply(R, path->place.R, R);
  fb_rot_apply_transpose(R, w, w);
  fb_rot_apply_transpose(R, v, v);
}

static void find_joint(const carriage* c, int body) {
  fb_joint_path path = fb_joint_path_of(&fb_model_def_body(c->to->def, body)->joint);
  double w[3], v[3];
  find_coordinates(c, body, &path);
  if (!c->v) return;
  relative_motion(c, body, &path, w, v);
  fb_joint_path_fit_rates(&path, c->q_to + fb_joint_q_index(c->to, body), w, v,
                          c->v_to + fb_joint_v_index(c->to, body));
}

static void copy_joint(const carriage* c, int was, int body) {
  memcpy(c->q_to + fb_joint_q_index(c->to, body), c->q + fb_joint_q_index(c->from, was),
         (size_t)fb_joint_nq(c->to, body) * sizeof *c->q_to);
  if (c->v)
    memcpy(c->v_to + fb_joint_v_index(c->to, body), c->v + fb_joint_v_index(c->from, was),
           (size_t)fb_joint_nv(c->to, body) * sizeof *c->v_to);
}

/* A spherical joint seen from its other end: the conjugate, so that twice gives the same bits. */
static void turn_spherical(const carriage* c, int was, int body) {
  const double* quat = c->q + fb_joint_q_index(c->from, was);
  double R[9];
  fb_quat_conjugate(quat, c->q_to + fb_joint_q_index(c->to, body));
  if (!c->v) return;
  double* w = c->v_to + fb_joint_v_index(c->to, body);
  fb_rot_from_quat(quat, R);
  fb_rot_apply_transpose(R, c->v + fb_joint_v_index(c->from, was), w);
  for (int i = 0; i < 3; i++) w[i] = 0 - w[i];
}

static fb_status check_same_bodies(const fb_model* from, const fb_model* to, fb_error* error) {
  int same = fb_model_nbody(from) == fb_model_nbody(to);
  for (int b = 1; b < fb_model_nbody(from) && same; b++)
    same = strcmp(fb_body_name(from, b), fb_body_name(to, b)) == 0;
  return same ? FB_OK
              : fb_fail(error, FB_ERR_ARG,
                        "a state is carried only between models of the same bodies in the same order");
}

fb_status fb_model_state_carry(const fb_model_state* first, const fb_model_state* second, fb_error* error) {
  const fb_model *from = first->model, *to = second->model;
  fb_status status = check_same_bodies(from, to, error);
  if (!status) status = fb_model_check_state(from, first->q, first->v, error);
  if (status) return status;
  carriage c = {from, first->data, first->q, first->v, to, second->q, second->v};
  fb_kinematics(from, first->data, first->q, first->v, NULL);
  for (int b = 1; b < fb_model_nbody(to); b++) {
    int turned, was = fb_joint_from(from, to, b, &turned);
    fb_joint_type type = fb_joint_type_of(to, b);
    if (was > 0 && (!turned || fb_joint_kinds[type].quats == 0))
      copy_joint(&c, was, b);
    else if (was > 0 && type == FB_JOINT_SPHERICAL)
      turn_spherical(&c, was, b);
    else
      find_joint(&c, b);
  }
  fb_kinematics(to, second->data, second->q, first->v ? second->v : NULL, NULL);
  return FB_OK;
}
