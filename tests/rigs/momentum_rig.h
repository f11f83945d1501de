/* momentum_rig.h -- models, and simulations of them, for the tests of the momentum-preserving method. */
#ifndef FB_TESTS_MOMENTUM_RIG_H
#define FB_TESTS_MOMENTUM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>
#include <freebody/sim.h>

#include "near.h"
#include "random_tree.h"

/* A case: a model at a state, and what is added to its simulation. */
typedef struct scene {
  fb_model* m;
  double *q, *v;
  fb_sim_options options;
  void (*add)(fb_sim* sim); /* or NULL */
} scene;

static inline scene scene_new(fb_model_def* def, uint64_t seed) {
  scene c = {.m = build_or_fail(def, NULL), .options = fb_default_sim_options()};
  fb_model_def_free(def);
  c.q = numbers_new(fb_model_nq(c.m));
  c.v = numbers_new(fb_model_nv(c.m));
  fb_random_q(c.m, seed, c.q);
  fb_random_v(c.m, seed, c.v);
  c.options.method = FB_METHOD_MOMENTUM;
  return c;
}

static inline void scene_free(scene* c) {
  free(c->q);
  free(c->v);
  fb_model_free(c->m);
}

#define check(call) check_ok((call), &error, __FILE__, __LINE__)
static inline void check_ok(fb_status status, const fb_error* error, const char* file, int line) {
  if (status == FB_OK) return;
  print_error("%s\n", error->text);
  _fail(file, line);
}

static inline fb_sim* begin(const scene* c, fb_method method, double step) {
  fb_error error;
  fb_sim* sim = NULL;
  fb_sim_options options = c->options;
  options.method = method;
  options.step = step;
  options.rtol = options.atol = 1e-11;
  check(fb_sim_new(c->m, &options, &sim, &error));
  if (c->add) c->add(sim);
  check(fb_sim_start(sim, c->q, c->v, &error));
  return sim;
}

static inline void run_to(fb_sim* sim, double t) {
  fb_error error;
  check(fb_sim_run_until(sim, t, &error));
}

/* --- models --- */

static inline fb_body_def body(const char* name, const char* parent, fb_joint_type type, double mass) {
  fb_body_def b = fb_default_body_def();
  b.name = name;
  b.parent = parent;
  b.joint.type = type;
  b.joint.axis[1] = 1;
  b.mass = mass;
  const double inertia[6] = {0.3 * mass, 0.22 * mass, 0.14 * mass, 0.01 * mass, -0.02 * mass, 0.015 * mass};
  const double com[3] = {0.1, -0.05, 0.2}, at[3] = {0.2, 0.3, 0.5};
  memcpy(b.inertia, inertia, sizeof inertia);
  memcpy(b.com, com, sizeof com);
  if (parent) memcpy(b.joint.at, at, sizeof at);
  return b;
}

static inline void add_body(fb_model_def* def, const fb_body_def* b) {
  assert_int_equal(fb_model_def_add_body(def, b, NULL, NULL), FB_OK);
}

/* A base that floats and an arm of n revolute joints. */
static inline fb_model_def* free_flyer(int n) {
  static const char* const NAMES[] = {"base", "j1", "j2", "j3", "j4", "j5", "j6"};
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = body(NAMES[0], NULL, FB_JOINT_FREE, 40);
  add_body(def, &base);
  for (int i = 1; i <= n; i++) {
    fb_body_def link = body(NAMES[i], NAMES[i - 1], FB_JOINT_REVOLUTE, 4);
    const double axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
    memcpy(link.joint.axis, axis, sizeof axis);
    add_body(def, &link);
  }
  return def;
}

static inline fb_model_def* lone_body(fb_joint_type type) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def b = body("top", NULL, type, 5);
  add_body(def, &b);
  return def;
}

/* Springs, dampers and rotors, all smooth. */
static inline void soften(fb_random* r, fb_joint_def* joint) {
  int plain = joint->type != FB_JOINT_SPHERICAL && joint->type != FB_JOINT_FREE;
  for (int i = 0; i < fb_joint_type_nv(joint->type); i++) {
    joint->damping[i] = random_in(r, 0, 0.5);
    if (joint->type != FB_JOINT_FREE) joint->armature[i] = random_in(r, 0, 0.5);
    if (plain) joint->stiffness[i] = random_in(r, 0, 10);
  }
}

/* A base on `root`, and `type` joints below it one on another. */
static inline fb_model_def* chain_of(fb_joint_type root, fb_joint_type type, int soft, uint64_t seed) {
  static const char* const NAMES[] = {"base", "a", "b", "c"};
  fb_random r = random_seed(seed);
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 4; i++) {
    fb_body_def b = body(NAMES[i], i == 0 ? NULL : NAMES[i - 1], i == 0 ? root : type, i == 0 ? 20 : 5);
    random_fill(&r, -1, 1, 3, b.joint.axis);
    random_fill(&r, -1, 1, 3, b.joint.axis2);
    random_rotation(&r, b.joint.R);
    b.joint.pitch = 0.2;
    if (i > 0 && soft) soften(&r, &b.joint);
    add_body(def, &b);
  }
  return def;
}

/* --- forces --- */

/* Torques and wrenches that depend on time, place and speed. */
static inline fb_status push(void* user, const fb_context* context, const double* memory, const double* state,
                             fb_action* action, double* state_rate, fb_error* error) {
  (void)user;
  (void)memory;
  (void)error;
  int nv = fb_model_nv(context->model);
  for (int k = 0; k < nv; k++) action->tau[k] += sin(2 * context->t + k) + state[0] - 0.1 * context->v[k];
  fb_wrench* w = fb_action_add_wrench(action);
  w->frame = fb_model_nbody(context->model) - 1;
  w->in_frame_axes = 1;
  w->force[0] = 2 * cos(context->t);
  w->torque[1] = 0.5;
  state_rate[0] = cos(3 * context->t) + context->v[nv - 1] - 2 * state[0];
  return FB_OK;
}

static inline void add_push(fb_sim* sim) {
  fb_error error;
  fb_block block = fb_default_block();
  block.name = "push";
  block.nstate = 1;
  block.nwrench = 1;
  block.act = push;
  check(fb_sim_add_block(sim, &block, NULL, &error));
}

#endif
