/* extend_joint.c -- a joint kind that was added as a row of FB_JOINT_LIST works everywhere: extend_joint.sh adds
 *   ROW(FB_JOINT_GIMBAL, "gimbal", FB_LINK(REVOLUTE, X) FB_LINK(REVOLUTE, Y) FB_LINK(REVOLUTE, Z))
 * and compiles this with it. A robot with a gimbal, read from a native file, is held against the same robot with
 * three revolute joints and massless bodies between them: both have the same coordinates. */
#include <float.h>
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

enum { NQ = 10, NV = 9 };

#define BASE "{freebody: 1, bodies: [{name: base, mass: 10, com: [0.1, 0, 0], inertia: [2, 3, 4, 0.1, 0, 0]}"
#define HAND                                                                                               \
  "mass: 3, com: [0.2, 0.1, -0.3], inertia: [0.3, 0.2, 0.4, 0.01, 0.02, 0], frames: [{name: tip, at: [1, " \
  "0, 0]}]"
#define AT "at: [0.5, 0.1, 0.2], rpy: [0.3, -0.4, 0.5]"

static const char GIMBAL[] = BASE
    ", {name: hand, parent: base, " HAND ", joint: {name: wrist, type: gimbal, " AT
    ", stiffness: [1, 2, 3], rest: [0.1, 0, 5 deg], damping: [0.1, 0.2, 0.3], armature: [0.01, 0.02, 0.03], "
    "limits: [[-2, 2], null, [-90 deg, 90 deg]]}}]}";
static const char REVOLUTES[] =
    BASE ", {name: outer, parent: base, mass: 0, joint: {type: revolute, axis: [1, 0, 0], " AT
         ", stiffness: 1, rest: 0.1, damping: 0.1, armature: 0.01, limits: [-2, 2]}}"
         ", {name: inner, parent: outer, mass: 0, joint: {type: revolute, axis: [0, 1, 0], stiffness: 2, "
         "damping: 0.2, "
         "armature: 0.02}}"
         ", {name: hand, parent: inner, " HAND
         ", joint: {type: revolute, axis: [0, 0, 1], stiffness: 3, "
         "rest: 5 deg, damping: 0.3, armature: 0.03, limits: [-90 deg, 90 deg]}}]}";

static int failed;

static void need(int is_true, const char* what) {
  if (is_true) return;
  printf("extend_joint: not so: %s\n", what);
  failed = 1;
}

static void check(fb_status status, const fb_error* error) {
  if (!status) return;
  printf("extend_joint: %s\n", error->text);
  exit(1);
}

/* Rounding in another order: the chain of links is the same, but bodies between have frames of their own. */
static void near(const char* what, const double* x, const double* y, int count) {
  double scale = 0;
  for (int i = 0; i < count; i++) scale = fmax(scale, fabs(y[i]));
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i] - y[i]) <= 1e-12 * scale)) {
      printf("extend_joint: %s[%d] is %.17g with a gimbal, %.17g with revolute joints\n", what, i, x[i],
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
  double tau[NV], vdot[NV], H[NV * NV], p[3], R[9], energy[1], q_end[NQ], v_end[NV], q_ik[NQ], q_trim[NQ];
} results;

static void simulate(const fb_model* m, const double* q, const double* v, results* out) {
  fb_error error;
  fb_sim* sim;
  fb_sim_options options = fb_default_sim_options();
  check(fb_sim_new(m, &options, &sim, &error), &error);
  check(fb_sim_start(sim, q, v, &error), &error);
  check(fb_sim_run_to(sim, 1, &error), &error);
  memcpy(out->q_end, fb_sim_q(sim), sizeof out->q_end);
  memcpy(out->v_end, fb_sim_v(sim), sizeof out->v_end);
  fb_sim_free(sim);
}

/* Turns the hand back to where q has it, and finds where the springs are slack. */
static void solve(const fb_model* m, fb_data* d, const double* q, results* out) {
  fb_error error;
  fb_ik_report ik_report;
  fb_trim_report trim_report;
  fb_ik_options ik = fb_default_ik_options();
  fb_trim_options trim = fb_default_trim_options();
  size_t ik_size = fb_ik_work_size(m, 1), trim_size = fb_trim_work_size(m);
  void* work = aligned_alloc(64, (ik_size + trim_size + 63) / 64 * 64);
  fb_ik_target target = {.frame = fb_model_find_frame(m, "tip"), .rotation_weight = 1};
  memcpy(target.R_wf, out->R, sizeof out->R);
  memcpy(out->q_ik, q, sizeof out->q_ik);
  for (int i = 0; i < 3; i++) out->q_ik[7 + i] *= 0.9;
  memcpy(out->q_trim, q, sizeof out->q_trim);
  check(fb_inverse_kinematics(m, d, &target, 1, &ik, work, ik_size, out->q_ik, &ik_report, &error), &error);
  check(fb_trim(m, d, NULL, NULL, &trim, work, trim_size, out->q_trim, &trim_report, &error), &error);
  free(work);
}

static void compute(const fb_model* m, const double* q, const double* v, results* out) {
  fb_data* d = fb_data_new(m);
  double zero[NV] = {0};
  fb_forward_dynamics(m, d, q, v, zero, NULL, out->vdot);
  fb_inverse_dynamics(m, d, q, v, zero, NULL, out->tau);
  fb_inertia_matrix(m, d, q, out->H);
  fb_kinematics(m, d, q, v, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, "tip"), out->p, out->R);
  solve(m, d, q, out);
  fb_data_free(d);
  simulate(m, q, v, out);
}

/* --- what is said about it --- */

static void check_names(const fb_model* m) {
  int type = fb_joint_type_find("gimbal"), wrist = fb_model_find_joint(m, "wrist"), count;
  fb_signal signals[3];
  fb_error error;
  char name[FB_SIGNAL_NAME];
  need(type >= 0 && (int)fb_joint_type_of(m, wrist) == type, "a gimbal is a joint type");
  need(fb_joint_nq(m, wrist) == 3 && fb_joint_nv(m, wrist) == 3, "it has three coordinates");
  need(fb_joint_type_quat_at((fb_joint_type)type) == -1, "it has no quaternion");
  need(!fb_joint_type_is_length((fb_joint_type)type, 1), "its coordinates are angles");
  check(fb_signal_find(m, "q.wrist", signals, 3, &count, &error), &error);
  need(count == 3 && strcmp(fb_signal_name(m, signals[1], name), "q.wrist.1") == 0, "q.wrist.1 is a signal");
  need(strcmp(fb_signal_unit(m, signals[1]), "rad") == 0, "q.wrist.1 is in rad");
}

int main(void) {
  fb_model *gimbal = model_of(GIMBAL), *revolutes = model_of(REVOLUTES);
  double q[NQ], v[NV];
  results a, b;
  need(fb_model_nq(gimbal) == NQ && fb_model_nv(gimbal) == NV, "both have the same coordinates");
  check_names(gimbal);
  for (uint64_t seed = 0; seed < 10; seed++) {
    fb_random_q(gimbal, seed, q);
    fb_random_v(gimbal, seed, v);
    compute(gimbal, q, v, &a);
    compute(revolutes, q, v, &b);
    near("vdot", a.vdot, b.vdot, NV);
    near("tau", a.tau, b.tau, NV);
    near("H", a.H, b.H, NV * NV);
    near("p", a.p, b.p, 3);
    near("R", a.R, b.R, 9);
    near("q after 1 s", a.q_end, b.q_end, NQ);
    near("v after 1 s", a.v_end, b.v_end, NV);
    near("q of inverse kinematics", a.q_ik, b.q_ik, NQ);
    near("q of trim", a.q_trim, b.q_trim, NQ);
  }
  fb_model_free(gimbal);
  fb_model_free(revolutes);
  if (!failed) printf("extend_joint: a gimbal equals three revolute joints\n");
  return failed;
}
