/* sim_rig.h -- small models and simulations for the tests of src/sim. Include after cmocka.h. */
#ifndef FB_TESTS_SIM_RIG_H
#define FB_TESTS_SIM_RIG_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "near.h"
#include "random_tree.h"

/* Every method of the core, with the order that it must show. */
static const fb_method METHODS[] = {FB_METHOD_EULER,   FB_METHOD_SEMI_IMPLICIT, FB_METHOD_RK4,
                                    FB_METHOD_RKMK4,   FB_METHOD_DOPRI5,        FB_METHOD_MOMENTUM,
                                    FB_METHOD_IMPLICIT};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

static inline int is_second_order(fb_method method) {
  return fb_method_traits(method).order == 2;
}

/* A body on a parent, with a joint and a full inertia; its joint damped, rubbing and sprung when `passive`. */
static inline void add_body(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                            double mass, const double axis[3], const double at[3], int passive) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  memcpy(body.joint.axis, axis, sizeof body.joint.axis);
  memcpy(body.joint.at, at, sizeof body.joint.at);
  for (int i = 0; passive && i < fb_joint_type_nv(type); i++) {
    body.joint.damping[i] = 0.4;
    body.joint.friction[i] = 0.2;
    body.joint.friction_speed = 0.5;
    if (fb_joint_type_nv(type) == 1) body.joint.stiffness[i] = 10;
  }
  body.mass = mass;
  const double com[3] = {0.05, -0.02, 0.3}, inertia[6] = {0.11, 0.1, 0.05, 0.01, -0.005, 0.004};
  memcpy(body.com, com, sizeof com);
  for (int i = 0; i < 6; i++) body.inertia[i] = inertia[i] * mass;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

/* A satellite with two arms of three joints, one of them a ball: floating (FREE) or bolted (FIXED). */
static inline fb_model* tree6(fb_joint_type base, int passive) {
  static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, SKEW[3] = {1, 2, -1};
  static const double ORIGIN[3] = {0, 0, 0}, LEFT[3] = {0.3, 0.4, 0.2}, RIGHT[3] = {-0.3, -0.4, 0.2},
                      NEXT[3] = {0, 0.05, 0.6};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "base", NULL, base, 20, X, ORIGIN, passive);
  add_body(def, "a1", "base", FB_JOINT_REVOLUTE, 3, Z, LEFT, passive);
  add_body(def, "a2", "a1", FB_JOINT_REVOLUTE, 2, Y, NEXT, passive);
  add_body(def, "a3", "a2", FB_JOINT_REVOLUTE, 1, SKEW, NEXT, passive);
  add_body(def, "b1", "base", FB_JOINT_REVOLUTE, 3, X, RIGHT, passive);
  add_body(def, "b2", "b1", FB_JOINT_PRISMATIC, 2, Z, NEXT, passive);
  add_body(def, "b3", "b2", FB_JOINT_SPHERICAL, 1, X, NEXT, passive);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A point mass on a light rod of one metre, hinged about y at the world's origin; q = 0 hangs down. */
static inline fb_model* pendulum(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "bob";
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[1] = 1;
  body.joint.lower[0] = -0.5;
  body.joint.upper[0] = 0.5;
  body.mass = 1;
  body.com[2] = -1;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* One free body with principal moments 1, 2, 3 kg m^2 and 10 kg. */
static inline fb_model* free_body(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "hull";
  body.joint.type = FB_JOINT_FREE;
  body.mass = 10;
  for (int i = 0; i < 3; i++) body.inertia[i] = i + 1;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static inline fb_sim_options options_of(fb_method method, double step) {
  fb_sim_options options = fb_default_sim_options();
  options.method = method;
  options.step = step;
  options.adaptive = 0;
  return options;
}

static inline fb_sim* sim_or_fail(const fb_model* m, const fb_sim_options* options) {
  fb_sim* sim;
  fb_error error;
  if (fb_sim_new(m, options, &sim, &error)) fail_msg("%s", error.text);
  return sim;
}

static inline void start_or_fail(fb_sim* sim, const double* q, const double* v) {
  fb_error error;
  if (fb_sim_start(sim, q, v, &error)) fail_msg("%s", error.text);
}

static inline void run_or_fail(fb_sim* sim, double t) {
  fb_error error;
  if (fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
}

static inline int event_or_fail(fb_sim* sim, const fb_event* event) {
  int id;
  fb_error error;
  if (fb_sim_add_event(sim, event, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static inline fb_signal signal_or_fail(const fb_model* m, const char* name) {
  fb_signal signal;
  int count;
  fb_error error;
  if (fb_signal_find(m, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  assert_int_equal(count, 1);
  return signal;
}

static inline int block_or_fail(fb_sim* sim, const fb_block* block) {
  int id;
  fb_error error;
  if (fb_sim_add_block(sim, block, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static inline fb_sampling sampling_of(double period, double delay) {
  fb_sampling sampling = fb_default_sampling();
  sampling.period = period;
  sampling.delay = delay;
  return sampling;
}

/* The block, sampled, in its own place. */
static inline fb_block sampled_or_fail(const fb_model* m, fb_block block, const fb_sampling* sampling) {
  fb_error error;
  if (fb_block_new_sampled(m, &block, sampling, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* Root mean square of how far (q, v) is from (q1, v1), on the group. */
static inline double distance(const fb_model* m, const double* q, const double* v, const double* q1,
                              const double* v1) {
  int nv = fb_model_nv(m);
  double *d = numbers_new(nv), sum = 0;
  fb_difference(m, q1, q, d);
  for (int k = 0; k < nv; k++) sum += d[k] * d[k] + (v[k] - v1[k]) * (v[k] - v1[k]);
  free(d);
  return sqrt(sum / (2 * nv));
}

#endif
