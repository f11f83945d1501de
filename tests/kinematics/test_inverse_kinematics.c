/* test_inverse_kinematics.c -- frames put where they should be, and honest reports when they cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "document/document.h"
#include "format/spacedyn/spacedyn.h"
#include "near.h"
#include "random_tree.h"
#include "spacedyn_files.h"

/* --- a model with its solver's memory --- */

typedef struct rig {
  fb_model* m;
  fb_data* d;
  void* work;
  size_t size;
  double* q;
} rig;

static rig rig_new(fb_model* m, int ntarget) {
  rig r = {
      .m = m, .d = fb_data_new(m), .size = fb_ik_work_size(m, ntarget), .q = numbers_new(fb_model_nq(m))};
  r.work = aligned_alloc(64, r.size);
  fb_neutral(m, r.q);
  return r;
}

static void rig_free(rig* r) {
  free(r->work);
  free(r->q);
  fb_data_free(r->d);
  fb_model_free(r->m);
}

static fb_status solve(rig* r, const fb_ik_target* targets, int ntarget, const fb_ik_options* options,
                       fb_ik_report* report) {
  fb_error error;
  fb_ik_options within = options ? *options : fb_default_ik_options();
  within.work = r->work;
  within.work_size = r->size;
  return fb_inverse_kinematics(r->m, r->d, targets, ntarget, &within, r->q, report, &error);
}

/* The target that a frame stands at when the configuration is q. */
static fb_ik_target target_at(rig* r, int frame, const double* q) {
  fb_ik_target target = fb_default_ik_target();
  target.frame = frame;
  fb_kinematics(r->m, r->d, q, NULL, NULL);
  fb_frame_pose(r->m, r->d, frame, target.p_wf, target.R_wf);
  return target;
}

/* --- SpaceDyn's i_kine --- */

static fb_model* read_model(const char* name) {
  fb_doc* doc = read_document(name);
  fb_model_def* def;
  fb_error error;
  if (fb_spacedyn_read(fb_map_get(fb_doc_root(doc), "model"), NULL, &def, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_doc_free(doc);
  return m;
}

static void read_numbers(const fb_node* map, const char* key, int count, double* out) {
  fb_error error;
  if (fb_node_numbers(fb_map_get(map, key), FB_Q_NONE, count, out, &error)) fail_msg("%s", error.text);
}

static void check_reference_case(rig* r, const fb_node* c) {
  int n = fb_model_nv(r->m) - 6, link;
  double A0[9], solution[32];
  char name[16];
  fb_error error;
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  read_numbers(c, "R0", 3, r->q);
  assert_int_equal(fb_node_matrix(fb_map_get(c, "A0"), 3, 3, A0, &error), FB_OK);
  fb_rot_to_quat(A0, r->q + 3);
  read_numbers(c, "q_init", n, r->q + 7);
  read_numbers(c, "q_solution", n, solution);
  read_numbers(c, "POS_e", 3, target.p_wf);
  assert_int_equal(fb_node_matrix(fb_map_get(c, "ORI_e"), 3, 3, target.R_wf, &error), FB_OK);
  assert_int_equal(fb_node_int(fb_map_get(c, "link"), &link, &error), FB_OK);
  snprintf(name, sizeof name, "end%d", link);
  target.frame = fb_model_find_frame(r->m, name);
  assert_true(target.frame > 0);
  assert_int_equal(solve(r, &target, 1, NULL, &report), FB_OK);
  assert_true(report.solved && report.starts == 1);
  assert_near("q_solution", r->q + 7, solution, n, 1e-11);
}

static void reference_solutions_of_i_kine_are_found(void** unused) {
  (void)unused;
  fb_doc* doc = read_document("inverse_kinematics.json");
  const fb_node* groups = fb_map_get(fb_doc_root(doc), "groups");
  int cases = 0;
  for (int g = 0; g < fb_node_count(groups); g++) {
    const fb_node* group = fb_node_item(groups, g);
    rig r = rig_new(read_model(fb_node_text(fb_map_get(group, "model_file"))), 1);
    const fb_node* list = fb_map_get(group, "cases");
    for (int i = 0; i < fb_node_count(list); i++, cases++) check_reference_case(&r, fb_node_item(list, i));
    rig_free(&r);
  }
  assert_true(cases >= 4);
  fb_doc_free(doc);
}

/* --- arms made by calls --- */

/* A fixed-base arm of n revolute joints, axes z, y, z, y ..., links of 1 m along x, frame "tip". */
static fb_model* arm(int n, double limit, int planar) {
  fb_model_def* def = fb_model_def_new();
  char name[16], parent[16] = "";
  for (int i = 0; i < n; i++) {
    fb_body_def b = fb_default_body_def();
    snprintf(name, sizeof name, "l%d", i);
    b.name = name;
    b.parent = i ? parent : NULL;
    b.mass = 1;
    b.joint.type = FB_JOINT_REVOLUTE;
    b.joint.axis[planar || i % 2 == 0 ? 2 : 1] = 1;
    b.joint.at[0] = i ? 1 : 0;
    b.joint.lower[0] = -limit;
    b.joint.upper[0] = limit;
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
    memcpy(parent, name, sizeof parent);
  }
  fb_frame_def tip = fb_default_frame_def();
  tip.name = "tip";
  tip.at[0] = 1;
  assert_int_equal(fb_model_def_add_frame(def, n, &tip, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void a_redundant_arm_reaches_random_poses(void** unused) {
  (void)unused;
  rig r = rig_new(arm(7, 3, 0), 1);
  int tip = fb_model_find_frame(r.m, "tip");
  fb_ik_options options = fb_default_ik_options();
  options.restarts = 20;
  double* goal = numbers_new(fb_model_nq(r.m));
  for (uint64_t i = 0; i < 100; i++) {
    fb_random_q(r.m, i, goal);
    fb_ik_target target = target_at(&r, tip, goal);
    fb_ik_report report;
    fb_random_q(r.m, i + 1000, r.q);
    assert_int_equal(solve(&r, &target, 1, &options, &report), FB_OK);
    fb_ik_target reached = target_at(&r, tip, r.q);
    assert_near("position", reached.p_wf, target.p_wf, 3, 1e-9);
    assert_near("attitude", reached.R_wf, target.R_wf, 9, 1e-9);
    for (int k = 0; k < 7; k++) assert_true(fabs(r.q[k]) <= 3);
  }
  free(goal);
  rig_free(&r);
}

static void an_unreachable_target_is_reported_with_its_distance(void** unused) {
  (void)unused;
  rig r = rig_new(arm(3, INFINITY, 1), 1);
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  target.frame = fb_model_find_frame(r.m, "tip");
  target.p_wf[0] = 3;
  target.p_wf[1] = 4; /* 5 m away, the arm is 3 m long */
  target.rotation_weight = 0;
  for (int k = 0; k < 3; k++) r.q[k] = 0.3;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_NO_SOLUTION);
  assert_false(report.solved);
  assert_near("2 m short", &report.position_error, (const double[1]){2}, 1, 1e-6);
  double sum = r.q[0] + r.q[1] + r.q[2];
  assert_near("stretched towards it", &sum, (const double[1]){atan2(4, 3)}, 1, 1e-3);
  rig_free(&r);
}

static void a_half_turn_error_is_not_solved(void** unused) {
  (void)unused;
  rig r = rig_new(arm(1, INFINITY, 1), 1);
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  target.frame = fb_model_find_frame(r.m, "tip");
  target.p_wf[0] = 1;
  fb_rot_x(3.14159265358979323846, target.R_wf); /* about an axis the joint does not have */
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_NO_SOLUTION);
  assert_true(report.rotation_error > 3.14);

  fb_rot_z(3.14159265358979323846, target.R_wf); /* about the joint's own axis: reachable */
  target.p_wf[0] = -1;
  r.q[0] = 0;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_OK);
  assert_near("half a turn", &(double){fabs(r.q[0])}, (const double[1]){3.14159265358979323846}, 1, 1e-9);
  rig_free(&r);
}

static void limits_are_kept_and_counted(void** unused) {
  (void)unused;
  rig r = rig_new(arm(2, 0.5, 1), 1);
  fb_ik_target target = fb_default_ik_target();
  fb_ik_options options = fb_default_ik_options();
  fb_ik_report report;
  target.frame = fb_model_find_frame(r.m, "tip");
  target.p_wf[1] = 1.2; /* straight up: far beyond what half a radian allows */
  target.rotation_weight = 0;
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_ERR_NO_SOLUTION);
  assert_true(fabs(r.q[0]) <= 0.5 && fabs(r.q[1]) <= 0.5);
  assert_true(report.at_limit >= 1);
  options.ignore_limits = 1;
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_OK);
  assert_true(fabs(r.q[0]) > 0.5 || fabs(r.q[1]) > 0.5);
  rig_free(&r);
}

static void a_straight_arm_leaves_its_singular_start(void** unused) {
  (void)unused;
  rig r = rig_new(arm(3, INFINITY, 1), 1);
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  target.frame = fb_model_find_frame(r.m, "tip");
  target.p_wf[0] = 1.5; /* on the arm's own line, where the gradient is zero */
  target.rotation_weight = 0;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_OK);
  rig_free(&r);
}

/* --- several targets, floating bases --- */

/* A floating base with two arms of six joints each and a tip on each. */
static fb_model* two_arms(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.mass = 100;
  base.joint.type = FB_JOINT_FREE;
  fb_model_def_add_body(def, &base, NULL, NULL);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 6; i++) {
      char name[16], parent[16];
      fb_body_def b = fb_default_body_def();
      snprintf(name, sizeof name, "a%d_%d", side, i);
      snprintf(parent, sizeof parent, "a%d_%d", side, i - 1);
      b.name = name;
      b.parent = i ? parent : "base";
      b.mass = 5;
      b.joint.type = FB_JOINT_REVOLUTE;
      b.joint.axis[(i + 2) % 3] = 1;
      b.joint.at[0] = i ? 0.5 : 0;
      b.joint.at[1] = i ? 0.1 : side ? 1 : -1;
      fb_model_def_add_body(def, &b, NULL, NULL);
    }
  for (int side = 0; side < 2; side++) {
    fb_frame_def tip = fb_default_frame_def();
    tip.name = side ? "right" : "left";
    tip.at[0] = 0.3;
    fb_model_def_add_frame(def, side ? 13 : 7, &tip, NULL);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void two_hands_reach_their_targets_while_the_base_stays(void** unused) {
  (void)unused;
  rig r = rig_new(two_arms(), 2);
  fb_ik_options options = fb_default_ik_options();
  options.restarts = 20;
  double* goal = numbers_new(fb_model_nq(r.m));
  fb_random_q(r.m, 4, goal);
  fb_random_q(r.m, 9, r.q);
  memcpy(r.q, goal, 7 * sizeof *goal);
  fb_ik_target targets[2] = {target_at(&r, fb_model_find_frame(r.m, "left"), goal),
                             target_at(&r, fb_model_find_frame(r.m, "right"), goal)};
  fb_ik_report report;
  assert_int_equal(solve(&r, targets, 2, &options, &report), FB_OK);
  assert_near("base untouched", r.q, goal, 7, 1e-15);
  free(goal);
  rig_free(&r);
}

static void a_base_that_may_move_brings_the_hand_anywhere(void** unused) {
  (void)unused;
  rig r = rig_new(two_arms(), 1);
  fb_ik_options options = fb_default_ik_options();
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  target.frame = fb_model_find_frame(r.m, "left");
  target.p_wf[0] = 5000; /* out of the arm's reach */
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_ERR_NO_SOLUTION);
  options.move_base = 1;
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_OK);
  rig_free(&r);
}

static void coordinates_that_may_not_move_stay(void** unused) {
  (void)unused;
  rig r = rig_new(arm(4, INFINITY, 1), 1);
  fb_ik_options options = fb_default_ik_options();
  const unsigned char movable[4] = {1, 0, 1, 1};
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  options.movable = movable;
  target.frame = fb_model_find_frame(r.m, "tip");
  target.rotation_weight = 0;
  target.p_wf[0] = 1.3;
  target.p_wf[1] = 1.9;
  for (int k = 0; k < 4; k++) r.q[k] = 0.4;
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_OK);
  assert_true(r.q[1] == 0.4);
  rig_free(&r);
}

/* --- arguments --- */

static void bad_arguments_are_refused(void** unused) {
  (void)unused;
  rig r = rig_new(arm(2, 1, 1), 1);
  fb_ik_target target = fb_default_ik_target();
  fb_ik_report report;
  fb_ik_options options = fb_default_ik_options();
  assert_int_equal(solve(&r, &target, 0, NULL, &report), FB_ERR_ARG);
  target.frame = 999;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_ARG);
  target.frame = 1;
  target.p_wf[0] = NAN;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_ARG);
  target = fb_default_ik_target();
  target.R_wf[0] = -1;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_ARG);
  target = fb_default_ik_target();
  r.size -= 1;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_MEMORY);
  r.size += 1;
  r.q[0] = INFINITY;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_STATE);
  r.q[0] =
      1e12; /* valid, but its poses mean little: whatever comes out, it must not be called solved wrongly */
  target.p_wf[0] = 100;
  assert_int_equal(solve(&r, &target, 1, NULL, &report), FB_ERR_NO_SOLUTION);
  target.p_wf[0] = 0;
  r.q[0] = 0;
  options.max_iterations = -5;
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_ERR_ARG);
  memset(&options, 0, sizeof options);
  assert_int_equal(solve(&r, &target, 1, &options, &report), FB_ERR_ARG);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_solutions_of_i_kine_are_found),
      cmocka_unit_test(a_redundant_arm_reaches_random_poses),
      cmocka_unit_test(an_unreachable_target_is_reported_with_its_distance),
      cmocka_unit_test(a_half_turn_error_is_not_solved),
      cmocka_unit_test(limits_are_kept_and_counted),
      cmocka_unit_test(a_straight_arm_leaves_its_singular_start),
      cmocka_unit_test(two_hands_reach_their_targets_while_the_base_stays),
      cmocka_unit_test(a_base_that_may_move_brings_the_hand_anywhere),
      cmocka_unit_test(coordinates_that_may_not_move_stay),
      cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
