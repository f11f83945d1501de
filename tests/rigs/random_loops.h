/* random_loops.h -- random trees with up to three loops of any type, whose frames are put so that the loops are closed. Include
 * after cmocka.h. */
#ifndef FB_TESTS_RANDOM_LOOPS_H
#define FB_TESTS_RANDOM_LOOPS_H

#include <math.h>

#include <freebody/loop.h>

#include "math/vector3.h"
#include "model/data.h"
#include "model/model.h"
#include "random_tree.h"

enum { MOST_LOOPS = 3, MOST_ROWS = 6 * MOST_LOOPS };

typedef struct looped {
  fb_model* m;
  fb_data* d;
  double *q, *v, *tau;
  int nloop;
  int frame[MOST_LOOPS][2];
} looped;

/* Where frame b is relative to a, so that a loop of this type is closed. */
static inline void closed_place(fb_random* r, fb_loop_type type, const double axis[3], double at[3],
                                double R[9]) {
  double angle = random_in(r, -2, 2), x[3];
  memset(at, 0, 3 * sizeof *at);
  fb_rot_identity(R);
  if (type == FB_LOOP_POINT || type == FB_LOOP_DISTANCE) random_rotation(r, R);
  if (type == FB_LOOP_DISTANCE) random_fill(r, 0.2, 1, 3, at);
  if (type == FB_LOOP_REVOLUTE) fb_rot_from_axis_angle(axis, angle, R);
  if (type == FB_LOOP_UNIVERSAL) { /* turned about x, then about y */
    double second[9];
    fb_rot_x(angle, R);
    fb_rot_y(random_in(r, -1, 1), second);
    fb_rot_multiply(R, second, R);
  }
  if (type == FB_LOOP_PRISMATIC)
    for (int i = 0; i < 3; i++) at[i] = angle * axis[i];
  if (type != FB_LOOP_PLANAR) return;
  fb_rot_z(angle, R);
  random_fill(r, -1, 1, 2, x);
  memcpy(at, x, 2 * sizeof *at);
}

/* A frame on `body` that is at (p, R) in the world. */
static inline void add_frame_at(fb_model_def* def, const fb_model* m, fb_data* d, int body, const char* name,
                                const double p[3], const double R[9]) {
  fb_frame_def frame = fb_default_frame_def();
  double p_b[3], R_b[9], Rt[9], away[3];
  fb_frame_pose(m, d, body, p_b, R_b);
  for (int i = 0; i < 3; i++) away[i] = p[i] - p_b[i];
  fb_rot_apply_transpose(R_b, away, frame.at);
  fb_rot_transpose(R_b, Rt);
  fb_rot_multiply(Rt, R, frame.R);
  frame.name = name;
  assert_int_equal(fb_model_def_add_frame(def, body, &frame, NULL), FB_OK);
}

static inline int add_gear(fb_random* r, fb_model_def* def, const fb_model* m, const double* q,
                           const char* name) {
  const char* joints[2];
  double ratios[2], at[3];
  int count = 0;
  for (int i = 1; i < fb_model_nbody(m) && count < 3; i++) {
    if (fb_joint_nv(m, i) != 1) continue;
    at[count] = q[fb_joint_q_index(m, i)];
    if (count > 0) joints[count - 1] = fb_joint_name(m, i);
    count++;
  }
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_GEAR);
  if (count < 2) return 0;
  for (int i = 1; i < fb_model_nbody(m) && !loop.a; i++)
    if (fb_joint_nv(m, i) == 1) loop.a = fb_joint_name(m, i);
  random_fill(r, 0.5, 2, 2, ratios);
  loop.name = name;
  loop.njoint = count - 1;
  loop.joints = joints;
  loop.ratios = ratios;
  loop.offset = at[0];
  for (int i = 1; i < count; i++) loop.offset -= ratios[i - 1] * at[i];
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  return 1;
}

/* One more loop of a random type between two bodies, either of which may be the world. */
static inline int add_loop(fb_random* r, fb_model_def* def, const fb_model* m, fb_data* d, const double* q,
                           int i) {
  fb_loop_type type = (fb_loop_type)random_index(r, FB_LOOP_TYPE_COUNT);
  char names[3][24];
  snprintf(names[0], sizeof names[0], "loop%d", i);
  if (type == FB_LOOP_GEAR) return add_gear(r, def, m, q, names[0]);
  int a = 1 + random_index(r, fb_model_nbody(m) - 1), b = 1 + random_index(r, fb_model_nbody(m) - 1);
  if (m->top.body_link[a] == m->top.body_link[b]) return 0;
  fb_loop_def loop = fb_default_loop_def(type);
  double p[3], R[9], at[3], turn[9], axis[3], length;
  random_fill(r, -1, 1, 3, axis);
  length = norm3(axis);
  for (int k = 0; k < 3; k++) axis[k] /= length;
  if (type == FB_LOOP_REVOLUTE || type == FB_LOOP_PRISMATIC) memcpy(loop.axis, axis, sizeof axis);
  closed_place(r, type, axis, at, turn);
  snprintf(names[1], sizeof names[1], "loop%d_a", i);
  snprintf(names[2], sizeof names[2], "loop%d_b", i);
  fb_frame_pose(m, d, fb_model_com_frame(m, a), p, R);
  add_frame_at(def, m, d, a, names[1], p, R);
  fb_rot_apply(R, at, at);
  for (int k = 0; k < 3; k++) p[k] += at[k];
  fb_rot_multiply(R, turn, R);
  add_frame_at(def, m, d, b, names[2], p, R);
  loop.name = names[0];
  loop.a = names[1];
  loop.b = names[2];
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  return 1;
}

/* passive: some joints have springs, dampers, friction and rotors. */
static inline looped random_looped_with(uint64_t seed, int passive) {
  fb_random r = {seed, 0};
  fb_model_def* def = random_forest(&r, 4 + random_index(&r, 12), 0, passive);
  fb_model* tree = NULL;
  looped x = {0};
  assert_int_equal(fb_model_build(def, NULL, &tree, NULL), FB_OK);
  fb_data* d = fb_data_new(tree);
  int nq = fb_model_nq(tree), nv = fb_model_nv(tree);
  x.q = calloc((size_t)nq + 1, sizeof(double));
  x.v = calloc((size_t)nv + 1, sizeof(double));
  x.tau = calloc((size_t)nv + 1, sizeof(double));
  fb_random_q(tree, seed, x.q);
  fb_random_v(tree, seed, x.v);
  random_fill(&r, -5, 5, nv, x.tau);
  fb_kinematics(tree, d, x.q, NULL, NULL);
  for (int tries = 0; tries < 6 && x.nloop < 1 + (int)(seed % MOST_LOOPS); tries++)
    x.nloop += add_loop(&r, def, tree, d, x.q, x.nloop);
  assert_int_equal(fb_model_build(def, NULL, &x.m, NULL), FB_OK);
  x.d = fb_data_new(x.m);
  fb_loops_measure(x.m, x.d, x.q);
  fb_data_free(d);
  fb_model_free(tree);
  fb_model_def_free(def);
  return x;
}

static inline looped random_looped(uint64_t seed) {
  return random_looped_with(seed, 1);
}

static inline void free_looped(looped* x) {
  fb_data_free(x->d);
  fb_model_free(x->m);
  free(x->q);
  free(x->v);
  free(x->tau);
}

#endif
