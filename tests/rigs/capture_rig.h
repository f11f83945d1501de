/* capture_rig.h -- two random floating robots whose frames meet, and the momenta of bodies. Include after near.h. */
#ifndef FB_TESTS_CAPTURE_RIG_H
#define FB_TESTS_CAPTURE_RIG_H

#include "random_tree.h"

#include "constraint/rebuild.h"
#include "model/definition/joint_path.h"

/* A model at a state. */
typedef struct moving {
  fb_model* m;
  fb_data* d;
  double *q, *v;
} moving;

static inline moving moving_of(fb_model* m) {
  moving s = {m, fb_data_new(m), numbers_new(fb_model_nq(m) + 1), numbers_new(fb_model_nv(m) + 1)};
  assert_non_null(s.d);
  return s;
}

static inline void moving_free(moving* s) {
  fb_data_free(s->d);
  fb_model_free(s->m);
  free(s->q);
  free(s->v);
}

/* No friction and no uneven numbers on joints with quaternions: those are refused when a join reverses them. */
static inline void make_even(fb_joint_def* joint) {
  if (fb_joint_type_quat_index(joint->type) < 0) return;
  for (int i = 0; i < FB_JOINT_MAX_NV; i++) {
    joint->damping[i] = joint->type == FB_JOINT_FREE ? 0 : joint->damping[0];
    joint->armature[i] = joint->armature[0];
    joint->friction[i] = 0;
  }
}

/* Random robots a and b of n bodies each, one tree each, on free joints; every body has the frame NAME_grip. */
static inline fb_model* two_robots(fb_random* r, int n, double decades, int b_floats) {
  fb_model_def* def = fb_model_def_new();
  assert_non_null(def);
  for (int i = 0; i < 2 * n; i++) {
    char name[16], parent[16], grip[24];
    int at = i % n, id, up = at == 0 ? 0 : random_index(r, 3) ? at - 1 : random_index(r, at);
    fb_body_def body = fb_default_body_def();
    fb_frame_def frame = fb_default_frame_def();
    snprintf(name, sizeof name, "%c%d", i < n ? 'a' : 'b', at);
    snprintf(parent, sizeof parent, "%c%d", i < n ? 'a' : 'b', up);
    snprintf(grip, sizeof grip, "%s_grip", name);
    body.name = name;
    body.parent = at ? parent : NULL;
    body.joint = random_joint(r, !at);
    if (random_index(r, 3) == 0) random_passive(r, &body.joint);
    if (!at) body.joint.type = i == 0 || b_floats ? FB_JOINT_FREE : FB_JOINT_FIXED;
    if (!at) memset(body.joint.armature, 0, sizeof body.joint.armature);
    if (!at) memset(body.joint.stiffness, 0, sizeof body.joint.stiffness);
    if (!at) memset(body.joint.rest, 0, sizeof body.joint.rest);
    make_even(&body.joint);
    body.mass = pow(10, random_in(r, -decades / 2, decades / 2));
    random_fill(r, -0.3, 0.3, 3, body.com);
    random_inertia(r, body.mass, body.inertia);
    assert_int_equal(fb_model_def_add_body(def, &body, &id, NULL), FB_OK);
    frame.name = grip;
    random_fill(r, -0.5, 0.5, 3, frame.at);
    random_rotation(r, frame.R);
    assert_int_equal(fb_model_def_add_frame(def, id, &frame, NULL), FB_OK);
  }
  fb_build_options options = fb_default_build_options();
  options.merge_fixed = random_index(r, 4) > 0;
  fb_model* m = build_or_fail(def, &options);
  fb_model_def_free(def);
  return m;
}

static inline void pose_of_frame(const moving* s, int frame, fb_pose* T) {
  fb_frame_pose(s->m, s->d, frame, T->p, T->R);
}

/* Moves the floating tree of `frame` so that the frame is at X in `to`. */
static inline void bring_to(moving* s, int frame, int to, const fb_pose* X) {
  int root = fb_body_base(s->m, fb_frame_body(s->m, frame));
  fb_pose F, G, W, wanted, back, placed, own;
  fb_kinematics(s->m, s->d, s->q, NULL, NULL);
  pose_of_frame(s, frame, &F);
  pose_of_frame(s, to, &G);
  pose_of_frame(s, root, &W);
  fb_pose_between(&F, &W, &back); /* of the root in the frame */
  fb_pose_multiply(&G, X, &wanted);
  fb_pose_multiply(&wanted, &back, &placed);
  fb_joint_path path = fb_joint_path_of(&fb_model_def_body(fb_model_definition(s->m), root)->joint);
  own = placed;
  fb_joint_path_fit(&path, &own, s->q + fb_joint_q_index(s->m, root));
}

/* A random pose that a joint of this type can have with its origins together. */
static inline void random_meeting(fb_random* r, const fb_join_def* how, fb_pose* X) {
  fb_joint_def joint = fb_default_joint_def();
  double q[FB_JOINT_MAX_NQ];
  joint.type = how->type;
  memcpy(joint.axis, how->axis, sizeof joint.axis);
  memcpy(joint.axis2, how->axis2, sizeof joint.axis2);
  fb_joint_path path = fb_joint_path_of(&joint);
  random_fill(r, -3, 3, FB_JOINT_MAX_NQ, q);
  if (how->type == FB_JOINT_SPHERICAL) random_quat(r, q);
  fb_joint_path_motion(&path, q, X);
  memset(X->p, 0, sizeof X->p);
  if (how->type == FB_JOINT_FIXED || how->type == FB_JOINT_PLANAR) random_rotation(r, X->R);
}

/* The largest difference of two configurations, quaternions up to their sign, and of two lists of rates. */
static inline double state_distance(const fb_model* m, const double* q, const double* v, const double* q_want,
                                    const double* v_want) {
  int nv = fb_model_nv(m);
  double *dq = numbers_new(nv + 1), worst;
  fb_difference(m, q_want, q, dq);
  worst = worse_of(worst_of(dq, nv), worst_difference(v, v_want, nv));
  free(dq);
  return worst;
}

/* Linear and angular momentum about the world's origin of the marked bodies (NULL: of all), the sum of the sizes of each,
 * and the kinetic energy, without rotors. */
typedef struct momenta {
  double p[3], L[3], size_p, size_L, kinetic;
} momenta;

static inline momenta momenta_of(const moving* s, const unsigned char* marked) {
  momenta sum = {.kinetic = 0};
  fb_kinematics(s->m, s->d, s->q, s->v, NULL);
  for (int b = 1; b < fb_model_nbody(s->m); b++) {
    const fb_body_def* def = fb_model_def_body(fb_model_definition(s->m), b);
    double c[3], R[9], v[3], w[3], own[3], L[3], p[3];
    if (marked && !marked[b]) continue;
    fb_frame_pose(s->m, s->d, fb_model_com_frame(s->m, b), c, R);
    fb_frame_velocity(s->m, s->d, fb_model_com_frame(s->m, b), v, w);
    fb_rot_apply_transpose(R, w, own);
    const double* I = def->inertia;
    const double spin[3] = {I[0] * own[0] + I[3] * own[1] + I[4] * own[2],
                            I[3] * own[0] + I[1] * own[1] + I[5] * own[2],
                            I[4] * own[0] + I[5] * own[1] + I[2] * own[2]};
    fb_rot_apply(R, spin, L);
    for (int i = 0; i < 3; i++) p[i] = def->mass * v[i];
    for (int i = 0; i < 3; i++) sum.kinetic += 0.5 * (p[i] * v[i] + L[i] * w[i]);
    for (int i = 0; i < 3; i++) L[i] += c[(i + 1) % 3] * p[(i + 2) % 3] - c[(i + 2) % 3] * p[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
      sum.p[i] += p[i];
      sum.L[i] += L[i];
    }
    sum.size_p += sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    sum.size_L += sqrt(L[0] * L[0] + L[1] * L[1] + L[2] * L[2]);
  }
  return sum;
}

#endif
