/* mechanism_rig.h -- mechanisms with closed loops, built by calls. Include after cmocka.h.
 *
 * tests/data/mechanisms/README.md describes the published ones and where their numbers come from. */
#ifndef FB_TESTS_MECHANISM_RIG_H
#define FB_TESTS_MECHANISM_RIG_H

#include <freebody/io.h>

#include "sim_rig.h"

static const double AXIS_X[3] = {1, 0, 0}, AXIS_Y[3] = {0, 1, 0};

static inline void put_frame(fb_model_def* def, int body, const char* name, double x, double y, double z) {
  fb_frame_def frame = fb_default_frame_def();
  fb_error error;
  frame.name = name;
  frame.at[0] = x, frame.at[1] = y, frame.at[2] = z;
  if (fb_model_def_add_frame(def, body, &frame, &error)) fail_msg("%s", error.text);
}

static inline void put_loop(fb_model_def* def, fb_loop_type type, const char* name, const char* a,
                            const char* b, const double axis[3]) {
  fb_loop_def loop = fb_default_loop_def(type);
  fb_error error;
  loop.name = name;
  loop.a = a;
  loop.b = b;
  if (axis) memcpy(loop.axis, axis, sizeof loop.axis);
  if (fb_model_def_add_loop(def, &loop, &error)) fail_msg("%s", error.text);
}

/* A body on a joint with one axis; its id. */
static inline int put_body(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                           const double axis[3], const double at[3], double mass, const double com[3],
                           const double moments[3]) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  int id = 0;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  memcpy(body.joint.axis, axis, sizeof body.joint.axis);
  memcpy(body.joint.at, at, sizeof body.joint.at);
  memcpy(body.com, com, sizeof body.com);
  memcpy(body.inertia, moments, 3 * sizeof *moments);
  body.mass = mass;
  if (fb_model_def_add_body(def, &body, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* A thin rod of 1 m and 1 kg along `way`, one of the axes or its opposite, with a frame NAME_tip at its end. */
static inline int put_rod(fb_model_def* def, const char* name, const char* parent, const double axis[3],
                          const double at[3], const double way[3]) {
  double com[3], moments[3];
  char tip[40];
  for (int i = 0; i < 3; i++) {
    com[i] = way[i] / 2;
    moments[i] = (1 - way[i] * way[i]) / 12;
  }
  int id = put_body(def, name, parent, FB_JOINT_REVOLUTE, axis, at, 1, com, moments);
  snprintf(tip, sizeof tip, "%s_tip", name);
  put_frame(def, id, tip, way[0], way[1], way[2]);
  return id;
}

static inline fb_model* built(fb_model_def* def) {
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* n parallelograms in a row: cranks 1 m apart on the world and couplers between their tips, all in the x-z plane. */
static inline fb_model* n_four_bar(int n, fb_loop_type type) {
  fb_model_def* def = fb_model_def_new();
  char crank[24], coupler[24], before[24], name[24], a[32], b[32];
  for (int i = 0; i <= n; i++) {
    snprintf(crank, sizeof crank, "crank%d", i);
    put_rod(def, crank, NULL, AXIS_Y, (double[3]){i, 0, 0}, AXIS_X);
  }
  for (int i = 1; i <= n; i++) {
    snprintf(coupler, sizeof coupler, "coupler%d", i);
    snprintf(before, sizeof before, "crank%d", i - 1);
    put_rod(def, coupler, before, AXIS_Y, AXIS_X, AXIS_X);
    snprintf(name, sizeof name, "close%d", i);
    snprintf(a, sizeof a, "crank%d_tip", i);
    snprintf(b, sizeof b, "coupler%d_tip", i);
    put_loop(def, type, name, a, b, AXIS_Y);
  }
  return built(def);
}

/* Cranks at `angle` above the x axis, their tips moving at `speed` towards where the angle falls. */
static inline void n_four_bar_start(const fb_model* m, double angle, double speed, double* q, double* v) {
  int n = (fb_model_nbody(m) - 2) / 2;
  for (int k = 0; k < fb_model_nv(m); k++) {
    q[k] = k <= n ? -angle : angle;
    v[k] = k <= n ? speed : -speed;
  }
}

/* A published mechanism, from its file. */
static inline fb_model* mechanism(const char* name) {
  char file[256];
  fb_model* m = NULL;
  fb_error error;
  snprintf(file, sizeof file, "%s/mechanisms/%s.yaml", FB_TEST_DATA, name);
  if (fb_model_load(file, &m, &error)) fail_msg("%s", error.text);
  return m;
}

/* How far the loops are open in a simulation, the worst of them. */
static inline double worst_opening(const fb_model* m, fb_data* d, const double* q) {
  double error[64];
  assert_true(fb_model_nloop(m) <= 64);
  fb_loop_errors(m, d, q, error);
  return worst_of(error, fb_model_nloop(m));
}

static inline double energy_of(fb_sim* sim) {
  fb_ledger ledger;
  fb_sim_ledger(sim, &ledger);
  return ledger.kinetic + ledger.potential;
}

static inline void put_spring(fb_sim* sim, const char* name, const char* a, const char* b, double stiffness,
                              double damping, double length) {
  fb_spring spring = fb_default_spring();
  fb_error error;
  spring.name = name;
  spring.a = fb_model_find_frame(fb_sim_model(sim), a);
  spring.b = fb_model_find_frame(fb_sim_model(sim), b);
  spring.stiffness = stiffness;
  spring.damping = damping;
  spring.length = length;
  if (fb_sim_add_spring(sim, &spring, NULL, &error)) fail_msg("%s", error.text);
}

#endif
