/* task_rig.h -- robots, paths and simulations for the tests of frame tasks. Include after cmocka.h. */
#ifndef FB_TESTS_TASK_RIG_H
#define FB_TESTS_TASK_RIG_H

#include "sim_rig.h"

enum { RIG_NQ = 24, RIG_NV = 23, ARM = 6 };

/* A robot, the frame at its hand, and where it starts: at rest unless a test says otherwise. */
typedef struct task_rig {
  fb_model* m;
  fb_data* d;
  int hand, nq, nv;
  int first; /* the arm's first coordinate in v; q has one more where the base floats */
  double q[RIG_NQ], v[RIG_NV];
} task_rig;

static inline task_rig rig_of(fb_model* m, const char* hand) {
  task_rig r = {.m = m, .d = fb_data_new(m), .nq = fb_model_nq(m), .nv = fb_model_nv(m)};
  r.hand = fb_model_find_frame(m, hand);
  assert_true(r.d && r.hand > 0 && r.nq <= RIG_NQ && r.nv <= RIG_NV);
  fb_neutral(m, r.q);
  return r;
}

static inline void rig_free(task_rig* r) {
  fb_data_free(r->d);
  fb_model_free(r->m);
}

/* The satellite of scenarios/ets7 with its arm bent, far from singular poses. */
static inline task_rig ets7(void) {
  static const double bent[ARM] = {0.2, -1.9, -0.6, 1.4, 0.65, 0.05};
  fb_model* m;
  fb_error error;
  if (fb_model_load(FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf", &m, &error)) fail_msg("%s", error.text);
  task_rig r = rig_of(m, "hand");
  memcpy(r.q + 7, bent, sizeof bent);
  r.first = 6;
  return r;
}

/* A base, an arm of `joints` (to 9) revolute joints, bent, axes z, y, x, z ..., and sprung paddles of one and three (a ball)
 * coordinates when asked for. The hand is the last body, "a6" of six. */
static inline task_rig chain(fb_joint_type base, int joints, int paddles) {
  static const double axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, origin[3] = {0.1, -0.2, 0.3},
                      next[3] = {0.1, 0.05, 0.5}, left[3] = {0, 0.6, 0}, right[3] = {0, -0.6, 0};
  static const double bent[9] = {-0.4, 1.5, 1.3, -0.8, 0.1, 0.7, 0.5, -0.4, 0.3};
  fb_model_def* def = fb_model_def_new();
  char name[8] = "base", parent[8];
  add_body(def, "base", NULL, base, 60, axes[0], origin, 0);
  if (paddles) add_body(def, "left", "base", FB_JOINT_REVOLUTE, 3, axes[2], left, 1);
  for (int i = 1; i <= joints; i++) {
    memcpy(parent, name, sizeof parent);
    snprintf(name, sizeof name, "a%d", i % 100);
    add_body(def, name, parent, FB_JOINT_REVOLUTE, 6.0 / i, axes[(i - 1) % 3], next, 0);
  }
  if (paddles) add_body(def, "right", "base", FB_JOINT_SPHERICAL, 3, axes[0], right, 1);
  task_rig r = rig_of(build_or_fail(def, NULL), name);
  fb_model_def_free(def);
  int floats = base == FB_JOINT_FREE;
  r.first = (floats ? 6 : 0) + (paddles ? 1 : 0);
  memcpy(r.q + r.first + floats, bent, (size_t)joints * sizeof *bent);
  return r;
}

/* --- paths --- */

static const double LINE[3] = {-0.3, -0.4, 0}; /* 0.5 m */

typedef struct line {
  fb_spline* along[3];
} line;

/* Positions from the start on: LINE times `part`, in T, at rest at both ends. */
static inline line line_new(double part, double T) {
  line l;
  for (int i = 0; i < 3; i++)
    assert_int_equal(fb_spline_new_cubic(2, (const double[]){0, T}, (const double[]){0, part * LINE[i]},
                                         &l.along[i], NULL),
                     FB_OK);
  return l;
}

static inline void line_free(line* l) {
  for (int i = 0; i < 3; i++) fb_spline_free(l->along[i]);
}

static inline fb_spline* constant(double value) {
  fb_spline* s = NULL;
  assert_int_equal(fb_spline_new_cubic(1, (const double[]){0}, &value, &s, NULL), FB_OK);
  return s;
}

static inline fb_frame_task task_along(const task_rig* r, const line* l) {
  fb_frame_task task = fb_default_frame_task();
  task.frame = r->hand;
  task.by_motion = 1;
  task.path.from_start = 1;
  for (int i = 0; l && i < 3; i++) task.path.position[i] = l->along[i];
  return task;
}

/* --- simulations --- */

static inline fb_block task_block(const task_rig* r, const fb_frame_task* task) {
  fb_block block;
  fb_error error;
  if (fb_block_new_frame_task(r->m, "hand", task, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* Started, with the task as its only block. */
static inline fb_sim* task_sim(const task_rig* r, const fb_frame_task* task, const fb_sim_options* options) {
  fb_sim* sim = sim_or_fail(r->m, options);
  fb_block block = task_block(r, task);
  block_or_fail(sim, &block);
  start_or_fail(sim, r->q, r->v);
  return sim;
}

static inline void pose_at(const task_rig* r, const double* q, int frame, double p[3], double R[9]) {
  fb_kinematics(r->m, r->d, q, NULL, NULL);
  fb_frame_pose(r->m, r->d, frame, p, R);
}

static inline double length3(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static inline double apart3(const double a[3], const double b[3]) {
  return length3((const double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

/* How far a frame at q is from where the line has it at t, when it began at p0. */
static inline double off_line(const task_rig* r, const line* l, const double p0[3], const double* q,
                              double t) {
  double p[3], want[3];
  pose_at(r, q, r->hand, p, NULL);
  for (int i = 0; i < 3; i++) {
    fb_spline_eval(l->along[i], t, &want[i], NULL, NULL);
    want[i] += p0[i];
  }
  return apart3(p, want);
}

/* How far a frame is turned from R0 [rad]. */
static inline double turned(const task_rig* r, const double* q, int frame, const double R0[9]) {
  double R[9], e[3];
  pose_at(r, q, frame, NULL, R);
  fb_rot_difference(R, R0, e);
  return length3(e);
}

/* --- one call, without a simulation --- */

typedef struct call {
  double memory[32], vdot[RIG_NV], tau[RIG_NV];
  unsigned char moved[RIG_NV];
} call;

static inline void call_start(const task_rig* r, const fb_block* b, call* c) {
  fb_context context = {.model = r->m, .data = r->d, .q = r->q, .v = r->v};
  memset(c, 0, sizeof *c);
  assert_true(b->nmemory <= 32);
  assert_int_equal(b->start(b->user, &context, c->memory, NULL, NULL), FB_OK);
}

static inline fb_status call_act(const task_rig* r, const fb_block* b, double t, call* c, fb_error* error) {
  fb_context context = {.model = r->m, .data = r->d, .t = t, .q = r->q, .v = r->v};
  fb_action action = {c->tau, c->vdot, c->moved, NULL, 0, 0};
  return b->act(b->user, &context, c->memory, NULL, &action, NULL, error);
}

#endif
