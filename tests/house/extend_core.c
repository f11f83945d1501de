/* extend_core.c -- a method and joint kinds that were added as rows work everywhere: extend_core.sh adds those of
 * docs/extending.md,
 *   ROW(FB_JOINT_GIMBAL, "gimbal", FB_LINK(REVOLUTE, X) FB_LINK(REVOLUTE, Y) FB_LINK(REVOLUTE, Z))
 *   ROW(FB_JOINT_TELESCOPE, "telescope", FB_LINK(SPHERICAL, NONE) FB_LINK(PRISMATIC, AXIS))
 * and compiles this with them. A robot with such a joint, read from a native file, is held against the same robot with
 * simple joints and massless bodies between them: both have the same coordinates. The part of the page keeps the largest speeds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/dynamics.h>
#include <freebody/inverse_kinematics.h>
#include <freebody/kinematics.h>
#include <freebody/sim.h>
#include <freebody/trim.h>

#include "document/document.h"
#include "format/native/native.h"
#include "sim/sim.h"

enum { NQ = 12, NV = 10 }; /* at most */

#define BASE "{freebody: 1, bodies: [{name: base, mass: 10, com: [0.1, 0, 0], inertia: [2, 3, 4, 0.1, 0, 0]}"
#define HAND                                                                                               \
  "mass: 3, com: [0.2, 0.1, -0.3], inertia: [0.3, 0.2, 0.4, 0.01, 0.02, 0], frames: [{name: tip, at: [1, " \
  "0, 0]}]"
#define AT "at: [0.5, 0.1, 0.2], rpy: [0.3, -0.4, 0.5]"

typedef struct robot_pair {
  const char *joint, *chain; /* the robot with the new joint; with simple ones */
} robot_pair;

static const robot_pair PAIRS[] = {
    {BASE ", {name: hand, parent: base, " HAND ", joint: {name: wrist, type: gimbal, " AT
          ", stiffness: [1, 2, 3], rest: [0.1, 0, 5 deg], damping: [0.1, 0.2, 0.3], "
          "armature: [0.01, 0.02, 0.03], limits: [[-2, 2], null, [-90 deg, 90 deg]]}}]}",
     BASE ", {name: outer, parent: base, mass: 0, joint: {type: revolute, axis: [1, 0, 0], " AT
          ", stiffness: 1, rest: 0.1, damping: 0.1, armature: 0.01, limits: [-2, 2]}}"
          ", {name: inner, parent: outer, mass: 0, joint: {type: revolute, axis: [0, 1, 0], stiffness: 2, "
          "damping: 0.2, armature: 0.02}}"
          ", {name: hand, parent: inner, " HAND ", joint: {type: revolute, axis: [0, 0, 1], stiffness: 3, "
          "rest: 5 deg, damping: 0.3, armature: 0.03, limits: [-90 deg, 90 deg]}}]}"},
    {BASE ", {name: hand, parent: base, " HAND ", joint: {name: wrist, type: telescope, axis: [1, 2, 2], " AT
          ", damping: [0.1, 0.2, 0.3, 0.4], armature: [0, 0, 0, 0.2]}}]}",
     BASE ", {name: ball, parent: base, mass: 0, joint: {type: spherical, " AT ", damping: [0.1, 0.2, 0.3]}}"
          ", {name: hand, parent: ball, " HAND
          ", joint: {type: prismatic, axis: [1, 2, 2], damping: 0.4, armature: 0.2}}]}"},
};
enum { NPAIR = sizeof PAIRS / sizeof PAIRS[0] };

static int failed;

static void need(int is_true, const char* what) {
  if (is_true) return;
  printf("extend_core: not so: %s\n", what);
  failed = 1;
}

static void check(fb_status status, const fb_error* error) {
  if (!status) return;
  printf("extend_core: %s\n", error->text);
  exit(1);
}

/* Rounding in another order: the chain of links is the same, but bodies between have frames of their own. */
static void near(const char* what, const double* x, const double* y, int count) {
  double scale = 0;
  for (int i = 0; i < count; i++) scale = fmax(scale, fabs(y[i]));
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i] - y[i]) <= 1e-12 * scale)) {
      printf("extend_core: %s[%d] is %.17g with the new joint, %.17g with simple ones\n", what, i, x[i],
             y[i]);
      failed = 1;
    }
}

/* --- models --- */

static fb_model_def* def_of(const char* text, size_t size) {
  fb_error error;
  fb_doc* doc;
  fb_model_def* def;
  check(fb_doc_parse(text, size, "model", &doc, &error), &error);
  check(fb_native_read(fb_doc_root(doc), NULL, &def, &error), &error);
  fb_doc_free(doc);
  return def;
}

/* Read, written and read again. */
static fb_model* model_of(const char* text) {
  fb_error error;
  size_t size;
  fb_model* m;
  fb_model_def* def = def_of(text, strlen(text));
  fb_json* json = fb_json_new(2);
  fb_native_write(def, json);
  char* again = fb_json_finish(json, &size);
  fb_model_def_free(def);
  def = def_of(again, size);
  check(fb_model_build(def, NULL, &m, &error), &error);
  fb_model_def_free(def);
  free(again);
  return m;
}

/* --- comparisons --- */

typedef struct results {
  double tau[NV], vdot[NV], H[NV * NV], p[3], R[9], q_end[NQ], v_end[NV], q_ik[NQ], q_trim[NQ];
} results;

static void simulate(const fb_model* m, const double* q, const double* v, results* out) {
  fb_error error;
  fb_sim* sim;
  fb_sim_options options = fb_default_sim_options();
  check(fb_sim_new(m, &options, &sim, &error), &error);
  check(fb_sim_start(sim, q, v, &error), &error);
  check(fb_sim_run_until(sim, 1, &error), &error);
  memcpy(out->q_end, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof(double));
  memcpy(out->v_end, fb_sim_v(sim), (size_t)fb_model_nv(m) * sizeof(double));
  fb_sim_free(sim);
}

/* Turns the hand back to where q has it, and finds where the springs are slack. */
static void solve(const fb_model* m, fb_data* d, const double* q, const double* v, results* out) {
  fb_error error;
  fb_ik_report ik_report;
  fb_trim_report trim_report;
  fb_ik_options ik = fb_default_ik_options();
  fb_trim_options trim = fb_default_trim_options();
  fb_ik_target target = fb_default_ik_target();
  target.frame = fb_model_find_frame(m, "tip");
  target.position_weight = 0;
  memcpy(target.R_wf, out->R, sizeof out->R);
  fb_integrate(m, q, v, 0.1, out->q_ik);
  memcpy(out->q_ik, q, 7 * sizeof *q); /* the base stays */
  memcpy(out->q_trim, q, (size_t)fb_model_nq(m) * sizeof *q);
  check(fb_inverse_kinematics(m, d, &target, 1, &ik, out->q_ik, &ik_report, &error), &error);
  check(fb_trim(m, d, NULL, NULL, &trim, out->q_trim, &trim_report, &error), &error);
}

static void compute(const fb_model* m, const double* q, const double* v, results* out) {
  fb_data* d = fb_data_new(m);
  double zero[NV] = {0};
  fb_forward_dynamics(m, d, q, v, zero, NULL, out->vdot);
  fb_inverse_dynamics(m, d, q, v, zero, NULL, out->tau);
  fb_inertia_matrix(m, d, q, out->H);
  fb_kinematics(m, d, q, v, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, "tip"), out->p, out->R);
  solve(m, d, q, v, out);
  fb_data_free(d);
  simulate(m, q, v, out);
}

static void compare(const fb_model* joint, const fb_model* chain) {
  int nq = fb_model_nq(joint), nv = fb_model_nv(joint);
  double q[NQ], v[NV];
  need(fb_model_nq(chain) == nq && fb_model_nv(chain) == nv, "both have the same coordinates");
  for (uint64_t seed = 0; seed < 10; seed++) {
    results a = {0}, b = {0};
    fb_random_q(joint, seed, q);
    fb_random_v(joint, seed, v);
    compute(joint, q, v, &a);
    compute(chain, q, v, &b);
    near("vdot", a.vdot, b.vdot, nv);
    near("tau", a.tau, b.tau, nv);
    near("H", a.H, b.H, nv * nv);
    near("p", a.p, b.p, 3);
    near("R", a.R, b.R, 9);
    near("q after 1 s", a.q_end, b.q_end, nq);
    near("v after 1 s", a.v_end, b.v_end, nv);
    near("q of inverse kinematics", a.q_ik, b.q_ik, nq);
    near("q of trim", a.q_trim, b.q_trim, nq);
    fb_difference(joint, q, a.q_end, a.vdot);
    fb_difference(chain, q, b.q_end, b.vdot);
    near("difference", a.vdot, b.vdot, nv);
  }
}

/* --- what is said about it --- */

/* The units of q.wrist and of v.wrist, one after the other. */
static void check_units(const fb_model* m, const char* signal, const char* const* want, int count) {
  fb_signal signals[NQ];
  fb_error error;
  int found;
  check(fb_signal_find(m, signal, signals, NQ, &found, &error), &error);
  need(found == count, "its signals are as many as its coordinates");
  for (int i = 0; i < found && i < count; i++)
    need(strcmp(fb_signal_unit(m, signals[i]), want[i]) == 0, "every signal has the unit of its coordinate");
}

static void check_gimbal(const fb_model* m) {
  static const char* const q[] = {"rad", "rad", "rad"};
  need(strcmp(fb_joint_type_name(fb_joint_type_of(m, 2)), "gimbal") == 0, "a gimbal is a joint type");
  need(fb_joint_type_quat_index(fb_joint_type_of(m, 2)) == -1, "a gimbal has no quaternion");
  check_units(m, "q.wrist", q, 3);
}

static void check_telescope(const fb_model* m) {
  static const char* const q[] = {"1", "1", "1", "1", "m"};
  static const char* const v[] = {"rad/s", "rad/s", "rad/s", "m/s"};
  need(fb_joint_type_quat_index(fb_joint_type_of(m, 2)) == 0, "a telescope has a quaternion");
  need(fb_coordinate_q_index(m, 8) == -1 && fb_coordinate_q_index(m, 9) == 11,
       "its length is the last entry of q");
  check_units(m, "q.wrist", q, 5);
  check_units(m, "v.wrist", v, 4);
}

/* --- the method --- */

/* The coordinates after a second of swinging. */
static void swing(const fb_model* m, fb_method method, double step, double* q) {
  fb_sim_options options = fb_default_sim_options();
  double v[NV];
  fb_sim* sim;
  fb_error error;
  options.method = method;
  options.step = step;
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  check(fb_sim_new(m, &options, &sim, &error), &error);
  check(fb_sim_start(sim, q, v, &error), &error);
  check(fb_sim_run_until(sim, 1, &error), &error);
  memcpy(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
  fb_sim_free(sim);
}

static void check_heun(const fb_model* m) {
  double exact[NQ], got[NQ], error[2] = {0, 0};
  swing(m, FB_METHOD_RK4, 1e-3, exact);
  for (int i = 0; i < 2; i++) {
    swing(m, FB_METHOD_HEUN, i ? 2.5e-3 : 5e-3, got);
    for (int k = 0; k < fb_model_nq(m); k++) error[i] = fmax(error[i], fabs(got[k] - exact[k]));
  }
  double order = log2(error[0] / error[1]);
  printf("extend_core: heun has order %.2f (errors %.1e, %.1e)\n", order, error[0], error[1]);
  need(order > 1.9 && order < 2.1, "heun is of order 2");
  need(fb_method_find("heun") == (int)FB_METHOD_HEUN && fb_method_traits(FB_METHOD_HEUN).order == 2,
       "heun is found by its name, with its traits");
}

/* A pendulum that falls from the side is fastest at the bottom: 9.81 m/s^2 2 l = v^2 there, which a snapshot keeps. */
static void check_peak(void) {
  static const char PENDULUM[] =
      "{freebody: 1, bodies: [{name: bob, mass: 1, com: [1, 0, 0], inertia: [0, 0, 0, 0, 0, 0], joint: "
      "{type: revolute, axis: "
      "[0, 1, 0]}}]}";
  fb_model* m = model_of(PENDULUM);
  fb_error error;
  fb_sim* sim;
  fb_sim_options options = fb_default_sim_options();
  options.environment.gravity_w[2] = -9.81;
  check(fb_sim_new(m, &options, &sim, &error), &error);
  check(fb_sim_start(sim, NULL, NULL, &error), &error);
  check(fb_sim_run_until(sim, 1, &error), &error);
  need(fabs(sim->peak.speed[0] - sqrt(2 * 9.81)) < 1e-3, "the part keeps the largest speed");
  void* snapshot = malloc(fb_sim_snapshot_size(sim));
  double peak = sim->peak.speed[0];
  fb_sim_save(sim, snapshot);
  sim->peak.speed[0] = 0;
  check(fb_sim_restore(sim, snapshot, fb_sim_snapshot_size(sim), &error), &error);
  need(sim->peak.speed[0] == peak, "a snapshot has the state of the part");
  free(snapshot);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  static void (*const said[NPAIR])(const fb_model*) = {check_gimbal, check_telescope};
  for (int i = 0; i < NPAIR; i++) {
    fb_model *joint = model_of(PAIRS[i].joint), *chain = model_of(PAIRS[i].chain);
    compare(joint, chain);
    said[i](joint);
    if (i == 0) check_heun(joint);
    fb_model_free(joint);
    fb_model_free(chain);
  }
  check_peak();
  if (!failed) printf("extend_core: %d new joint kinds equal chains of simple joints\n", NPAIR);
  return failed;
}
