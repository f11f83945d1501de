/* qp_rig.h -- robots for the tests of task_qp: the planar robot of the contact references and a walker on four legs. Include
 * after cmocka.h. */
#ifndef FB_TESTS_QP_RIG_H
#define FB_TESTS_QP_RIG_H

#include "mechanism_rig.h"
#include "robot_rig.h"

enum { QP_NQ = 24, QP_NV = 23, QP_MEMORY = 200, QP_OUTPUTS = 40 };

typedef struct qp_rig {
  fb_model* m;
  fb_data* d;
  int nv;
  double q[QP_NQ], v[QP_NV];
  fb_environment environment;
} qp_rig;

static inline qp_rig qp_rig_of(fb_model* m) {
  qp_rig r = {.m = m, .d = fb_data_new(m), .nv = fb_model_nv(m), .environment = fb_default_environment()};
  assert_true(r.d && fb_model_nq(m) <= QP_NQ && r.nv <= QP_NV);
  fb_neutral(m, r.q);
  return r;
}

static inline void qp_rig_free(qp_rig* r) {
  fb_data_free(r->d);
  fb_model_free(r->m);
}

/* A body whose centre of mass is half its length below its joint. */
static inline int add_part(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                           const double axis[3], const double at[3], double mass, double length,
                           double moment) {
  const double com[3] = {0, 0, -length / 2}, moments[3] = {moment, moment, moment};
  return put_body(def, name, parent, type, axis, at, mass, com, moments);
}

static inline void add_point(fb_model_def* def, const char* name, int body, int axis, double at) {
  fb_frame_def frame = fb_default_frame_def();
  fb_error error;
  frame.name = name;
  frame.at[axis] = at;
  if (fb_model_def_add_frame(def, body, &frame, &error)) fail_msg("%s", error.text);
}

/* The robot of the contact references, where it starts. */
static inline qp_rig planar_arm(void) {
  static const double m[4] = {1000, 30, 20, 10}, l[4] = {1, 1, 0.7, 0.5};
  static const double q0[6] = {0, 2.5, 0, 1.0471975511965976, -1.0471975511965976, 0.9272952180016123};
  qp_rig r = qp_rig_of(robot_model(m, l, 601.667));
  memcpy(r.q, q0, sizeof q0);
  return r;
}

static const char* const FEET[4] = {"foot0", "foot1", "foot2", "foot3"};
static const double STANDING = 0.4; /* hips above the feet [m] */

/* A trunk of 20 kg on four legs of three joints, knees bent, feet at z = 0. */
static inline qp_rig walker(void) {
  static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0};
  static const char* const names[4][3] = {
      {"h0", "t0", "s0"}, {"h1", "t1", "s1"}, {"h2", "t2", "s2"}, {"h3", "t3", "s3"}};
  fb_model_def* def = fb_model_def_new();
  add_part(def, "trunk", NULL, FB_JOINT_FREE, X, (const double[]){0, 0, 0}, 20, 0, 0.8);
  for (int i = 0; i < 4; i++) {
    const double hip[3] = {i < 2 ? 0.3 : -0.3, i % 2 ? 0.15 : -0.15, 0}, knee[3] = {0, 0, -0.25};
    add_part(def, names[i][0], "trunk", FB_JOINT_REVOLUTE, X, hip, 0.5, 0, 0.001);
    add_part(def, names[i][1], names[i][0], FB_JOINT_REVOLUTE, Y, (const double[]){0, 0, 0}, 1, 0.25, 0.006);
    int shin = add_part(def, names[i][2], names[i][1], FB_JOINT_REVOLUTE, Y, knee, 0.4, 0.25, 0.003);
    add_point(def, FEET[i], shin, 2, -0.25);
  }
  qp_rig r = qp_rig_of(build_or_fail(def, NULL));
  fb_model_def_free(def);
  double bend = acos(STANDING / 0.5);
  r.q[2] = STANDING;
  for (int i = 0; i < 4; i++) {
    r.q[7 + 3 * i + 1] = bend;
    r.q[7 + 3 * i + 2] = -2 * bend;
  }
  r.environment.gravity_w[2] = -9.81;
  return r;
}

/* --- one call, without a simulation --- */

typedef struct qp_call {
  double memory[QP_MEMORY], tau[QP_NV], outputs[QP_OUTPUTS];
} qp_call;

static inline fb_context qp_context(const qp_rig* r, double t) {
  return (fb_context){
      .model = r->m, .data = r->d, .t = t, .q = r->q, .v = r->v, .environment = &r->environment};
}

static inline qp_call qp_evaluate(const qp_rig* r, const fb_block* b, double t) {
  qp_call c;
  double vdot[QP_NV] = {0};
  unsigned char moved[QP_NV] = {0};
  fb_action action = {c.tau, vdot, moved, NULL, 0, 0};
  fb_context context = qp_context(r, t);
  memset(&c, 0, sizeof c);
  assert_true(b->nmemory <= QP_MEMORY && fb_port_width(b->outputs, b->noutput) <= QP_OUTPUTS);
  assert_int_equal(b->start(b->user, &context, c.memory, NULL, NULL), FB_OK);
  assert_int_equal(b->act(b->user, &context, c.memory, NULL, &action, NULL, NULL), FB_OK);
  assert_int_equal(b->output(b->user, &context, c.memory, NULL, c.outputs, NULL), FB_OK);
  return c;
}

static inline fb_block qp_block(const qp_rig* r, const fb_task_qp* law) {
  fb_block block;
  fb_error error;
  if (fb_block_new_task_qp(r->m, "law", law, &block, &error)) fail_msg("%s", error.text);
  return block;
}

#endif
