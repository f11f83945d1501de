/* random_tree.h -- random forests for tests: every joint type, bodies in any order, frames, physical
 * inertias. Include after cmocka.h. */
#ifndef FB_TESTS_RANDOM_TREE_H
#define FB_TESTS_RANDOM_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "random.h"

static inline void random_rotation(fb_random* r, double R[9]) {
  double q[4];
  random_quat(r, q);
  fb_rot_from_quat(q, R);
}

/* Inertia about the centre of mass of `mass` spread over a few tenths of a metre: by construction
 * there is a mass distribution that has it. */
static inline void random_inertia(fb_random* r, double mass, double inertia[6]) {
  double R[9], second[3], J[9] = {0};
  random_rotation(r, R);
  for (int i = 0; i < 3; i++) second[i] = mass * random_in(r, 0.001, 0.1);
  const double moment[3] = {second[1] + second[2], second[0] + second[2], second[0] + second[1]};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) J[3 * i + j] += R[3 * i + k] * moment[k] * R[3 * j + k];
  const int at[6] = {0, 4, 8, 1, 2, 5};
  for (int i = 0; i < 6; i++) inertia[i] = J[at[i]];
}

static inline fb_joint_def random_joint(fb_random* r, int under_world) {
  fb_joint_def joint = fb_default_joint_def();
  joint.type =
      under_world && random_index(r, 3) ? FB_JOINT_FREE : (fb_joint_type)random_index(r, FB_JOINT_TYPE_COUNT);
  random_fill(r, -1, 1, 3, joint.axis);
  random_fill(r, -1, 1, 3, joint.axis2);
  joint.pitch = random_in(r, -0.3, 0.3);
  random_fill(r, -0.6, 0.6, 3, joint.at);
  random_rotation(r, joint.R);
  if (under_world && joint.at[0] > 0.2) fb_rot_identity(joint.R); /* kernels have a way of their own for it */
  return joint;
}

/* Springs, dampers, friction and rotors on some joints, where their type allows. */
static inline void random_passive(fb_random* r, fb_joint_def* joint) {
  int plain = joint->type != FB_JOINT_SPHERICAL && joint->type != FB_JOINT_FREE;
  for (int i = 0; i < fb_joint_type_nv(joint->type); i++) {
    joint->damping[i] = random_in(r, 0, 2);
    joint->friction[i] = random_in(r, 0, 1);
    if (joint->type != FB_JOINT_FREE) joint->armature[i] = random_in(r, 0, 0.5);
    if (!plain) continue;
    joint->stiffness[i] = random_in(r, 0, 30);
    joint->rest[i] = random_in(r, -1, 1);
  }
}

/* A forest of nbody bodies (the world not counted), listed in random order. Masses spread over `decades`
 * powers of ten; every fourth joint has passive forces when `passive`. */
static inline fb_model_def* random_forest(fb_random* r, int nbody, double decades, int passive) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def* bodies = (fb_body_def*)malloc((size_t)nbody * sizeof *bodies);
  char(*names)[16] = (char(*)[16])malloc((size_t)nbody * sizeof *names);
  assert_non_null(def);
  assert_non_null(bodies);
  assert_non_null(names);
  for (int i = 0; i < nbody; i++) {
    snprintf(names[i], sizeof names[i], "b%d", i);
    int parent = i == 0 || random_index(r, 12) == 0 ? -1 : random_index(r, 3) ? i - 1 : random_index(r, i);
    bodies[i] = fb_default_body_def();
    bodies[i].name = names[i];
    bodies[i].parent = parent < 0 ? NULL : names[parent];
    bodies[i].joint = random_joint(r, parent < 0);
    if (passive && random_index(r, 4) == 0) random_passive(r, &bodies[i].joint);
    bodies[i].mass = decades > 0 ? pow(10, random_in(r, -decades / 2, decades / 2)) : random_in(r, 0.1, 20);
    random_fill(r, -0.3, 0.3, 3, bodies[i].com);
    random_inertia(r, bodies[i].mass, bodies[i].inertia);
  }
  for (int i = nbody - 1; i > 0; i--) { /* shuffle: children may stand before parents */
    int k = random_index(r, i + 1);
    fb_body_def swap = bodies[i];
    bodies[i] = bodies[k];
    bodies[k] = swap;
  }
  for (int i = 0; i < nbody; i++) {
    assert_int_equal(fb_model_def_add_body(def, &bodies[i], NULL, NULL), FB_OK);
    for (int k = random_index(r, 3); k > 0; k--) {
      char name[32];
      fb_frame_def frame = fb_default_frame_def();
      snprintf(name, sizeof name, "%s_f%d", bodies[i].name, k);
      frame.name = name;
      random_fill(r, -0.5, 0.5, 3, frame.at);
      random_rotation(r, frame.R);
      assert_int_equal(fb_model_def_add_frame(def, i + 1, &frame, NULL), FB_OK);
    }
  }
  free(bodies);
  free(names);
  return def;
}

/* A joint whose axes are those of the parent, in another order or direction, as most are that people write. */
static inline void square_joint(fb_random* r, fb_joint_def* joint) {
  static const double R[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                 {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                 {1, 0, 0, 0, -1, 0, 0, 0, -1},
                                 {0, 0, -1, -1, 0, 0, 0, 1, 0}};
  int along = random_index(r, 3), sign = random_index(r, 2) ? 1 : -1;
  for (int k = 0; k < 3; k++) {
    joint->axis[k] = k == along ? sign : 0;
    joint->axis2[k] = k == (along + 1) % 3 ? sign : 0;
  }
  memcpy(joint->R, R[random_index(r, 4)], sizeof joint->R);
}

/* A floating or fixed robot of nbody bodies with long arms, listed in order: mostly revolute joints about axes that are
 * mostly those of the parent, now and then a branch or a joint of another kind. Kernels have ways of their own for such
 * stretches of links. */
static inline fb_model_def* random_arms(fb_random* r, int nbody, double decades) {
  fb_model_def* def = fb_model_def_new();
  assert_non_null(def);
  for (int i = 0; i < nbody; i++) {
    char name[16], parent[16];
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", i == 0 || random_index(r, 8) ? i - 1 : random_index(r, i));
    body.name = name;
    body.parent = i == 0 || random_index(r, 30) == 0 ? NULL : parent;
    body.joint = random_joint(r, !body.parent);
    if (body.parent && random_index(r, 12)) body.joint.type = FB_JOINT_REVOLUTE;
    if (random_index(r, 4)) square_joint(r, &body.joint);
    if (random_index(r, 3) == 0) random_passive(r, &body.joint);
    body.mass = decades > 0 ? pow(10, random_in(r, -decades / 2, decades / 2)) : random_in(r, 0.1, 20);
    random_fill(r, -0.3, 0.3, 3, body.com);
    random_inertia(r, body.mass, body.inertia);
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  return def;
}

static inline fb_model_def* random_tree(fb_random* r, int nbody) {
  return random_forest(r, nbody, 0, 0);
}

/* Builds, or fails the test with the model's own message. The def stays the caller's. */
static inline fb_model* build_or_fail(const fb_model_def* def, const fb_build_options* options) {
  fb_error error;
  fb_model* m = NULL;
  if (fb_model_build(def, options, &m, &error) != FB_OK) fail_msg("model: %s", error.text);
  return m;
}

static inline fb_model* random_model(uint64_t seed, int nbody) {
  fb_random r = random_seed(seed);
  fb_model_def* def = random_tree(&r, nbody);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* Doubles aligned to 64 bytes, set to zero. */
static inline double* numbers_new(int count) {
  size_t size = ((size_t)count * sizeof(double) / 64 + 1) * 64;
  double* x = (double*)aligned_alloc(64, size);
  assert_non_null(x);
  memset(x, 0, size);
  return x;
}

/* A random state of a model with room for results of one frame. */
typedef struct state {
  double *q, *v, *vdot, *J, *Jdot;
} state;

static inline state state_new(const fb_model* m, uint64_t seed) {
  int nv = fb_model_nv(m);
  state s = {numbers_new(fb_model_nq(m)), numbers_new(nv), numbers_new(nv), numbers_new(6 * nv),
             numbers_new(6 * nv)};
  fb_random_q(m, seed, s.q);
  fb_random_v(m, seed, s.v);
  fb_random_v(m, seed + 77, s.vdot);
  return s;
}

static inline void state_free(state* s) {
  free(s->q);
  free(s->v);
  free(s->vdot);
  free(s->J);
  free(s->Jdot);
}

#endif
