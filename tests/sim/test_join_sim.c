/* test_join_sim.c -- a running simulation joins trees and parts them: momentum and ledger across the impact, with every
 * method; what continues; snapshots across joins; signals of joints that have gone; laws whose joint has gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/join.h>
#include <freebody/kinematics.h>

#include "base/checksum.h"
#include "base/cookie.h"
#include "contact_rig.h"
#include "sim/sim.h"

enum { MOST = 64 };

static int add(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
               const double at[3], double mass) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  int id;
  body.name = name;
  body.parent = parent;
  body.joint.name = name;
  body.joint.type = type;
  body.joint.axis[1] = type == FB_JOINT_REVOLUTE;
  memcpy(body.joint.at, at, sizeof body.joint.at);
  body.mass = mass;
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.1 * mass * (1 + 0.1 * k);
  if (fb_model_def_add_body(def, &body, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static void add_frame(fb_model_def* def, int body, const char* name, double x) {
  fb_frame_def frame = fb_default_frame_def();
  fb_error error;
  frame.name = name;
  frame.at[0] = x;
  if (fb_model_def_add_frame(def, body, &frame, &error)) fail_msg("%s", error.text);
}

/* A chaser with an arm of two joints along x, and a target with an antenna, whose grip is where the hand is at q = 0. */
static fb_model_def* define(void) {
  fb_model_def* def = fb_model_def_new();
  const double none[3] = {0, 0, 0}, out[3] = {1, 0, 0};
  add(def, "chaser", NULL, FB_JOINT_FREE, none, 100);
  add(def, "upper", "chaser", FB_JOINT_REVOLUTE, out, 5);
  int hand = add(def, "fore", "upper", FB_JOINT_REVOLUTE, out, 4);
  add_frame(def, hand, "hand", 1);
  add(def, "target", NULL, FB_JOINT_FREE, none, 40);
  int antenna = add(def, "antenna", "target", FB_JOINT_REVOLUTE, out, 2);
  add_frame(def, antenna, "grip", 0.5);
  return def;
}

static fb_model* chaser_and_target(void) {
  fb_model_def* def = define();
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* The same with loops: a strut holds the antenna at a distance, and a gear couples the joints of the arm. */
static fb_model* with_loops(void) {
  static const char* const joints[] = {"upper"};
  static const double ratios[] = {-1}, at[3] = {1, 0, 0.5};
  fb_model_def* def = define();
  fb_error error;
  int strut = add(def, "strut", "target", FB_JOINT_SPHERICAL, at, 1);
  add_frame(def, strut, "end", 0.4);
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_DISTANCE), gear = fb_default_loop_def(FB_LOOP_GEAR);
  loop.name = "stay";
  loop.a = "end";
  loop.b = "grip";
  gear.name = "gear";
  gear.a = "fore";
  gear.njoint = 1;
  gear.joints = joints;
  gear.ratios = ratios;
  if (fb_model_def_add_loop(def, &loop, &error) || fb_model_def_add_loop(def, &gear, &error))
    fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* Target at x = 1.5: its antenna's grip at 3, where the hand is. */
static void state_at_grasp(const fb_model* m, double* q, double* v) {
  fb_neutral(m, q);
  fb_random_v(m, 5, v);
  q[fb_joint_q_index(m, fb_model_find_body(m, "target"))] = 1.5;
}

static fb_sim* started(const fb_model* m, int method) {
  double q[MOST], v[MOST];
  fb_sim* sim = sim_by(method, m, 1e-3, fb_default_sim_options());
  state_at_grasp(m, q, v);
  start_or_fail(sim, q, v);
  return sim;
}

static fb_join_def grasp(fb_joint_type type) {
  fb_join_def how = fb_default_join_def();
  how.name = "grasp";
  how.frame = "grip";
  how.to = "hand";
  how.type = type;
  return how;
}

static void join_or_fail(fb_sim* sim, const fb_join_def* how) {
  fb_error error;
  if (fb_sim_join(sim, how, &error)) fail_msg("%s", error.text);
}

static void part_or_fail(fb_sim* sim, const char* joint) {
  fb_error error;
  if (fb_sim_part(sim, joint, &error)) fail_msg("%s", error.text);
}

/* Momentum stays over the join, and the ledger explains all that follows, with every method. */
static void test_momentum_and_ledger_go_on(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  for (int method = 0; method < method_count(); method++) {
    fb_sim* sim = started(m, method);
    fb_join_def how = grasp(FB_JOINT_FIXED);
    fb_ledger before, after, end;
    fb_sim_ledger(sim, &before);
    how.force = 1;
    join_or_fail(sim, &how);
    fb_sim_ledger(sim, &after);
    assert_int_equal(fb_sim_epoch(sim), 1);
    for (int k = 0; k < 3; k++) {
      if (fabs(after.linear[k] - before.linear[k]) > 1e-12) fail_msg("%s: linear %d", NAMES[method], k);
      if (fabs(after.angular[k] - before.angular[k]) > 1e-12) fail_msg("%s: angular %d", NAMES[method], k);
    }
    fb_sim_change change;
    assert_int_equal(fb_sim_get_change(sim, 0, &change, NULL), FB_OK);
    assert_true(change.impulse.energy > 0);
    double lost = before.kinetic - after.kinetic;
    if (fabs(lost - change.impulse.energy) > 1e-11 * before.kinetic)
      fail_msg("%s: lost %.17g, said %.17g", NAMES[method], lost, change.impulse.energy);
    assert_true(fabs(after.impacts + lost) < 1e-11 * before.kinetic);
    assert_true(fabs(after.residual) < 1e-11 * before.kinetic);
    assert_true(after.linear_residual < 1e-11 && after.angular_residual < 1e-11);
    run_or_fail(sim, 0.2);
    fb_sim_ledger(sim, &end);
    double allowed = is_coarse(method) ? 0.05 : is_middling(method) ? 1e-3 : 1e-6;
    if (!(end.relative < allowed && end.momentum_worst < allowed))
      fail_msg("%s: residual %g, momentum %g", NAMES[method], end.relative, end.momentum_worst);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Joined and parted 100 times at one instant: the state is what it was after the first join. */
static void test_joining_and_parting_returns_the_state(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = started(m, 2);
  fb_join_def how = grasp(FB_JOINT_REVOLUTE);
  double q[MOST], v[MOST];
  join_or_fail(sim, &how);
  part_or_fail(sim, "grasp");
  memcpy(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
  memcpy(v, fb_sim_v(sim), (size_t)fb_model_nv(m) * sizeof *v);
  for (int i = 0; i < 100; i++) {
    join_or_fail(sim, &how);
    part_or_fail(sim, "grasp");
  }
  assert_int_equal(fb_model_nq(fb_sim_model(sim)), fb_model_nq(m));
  assert_int_equal(fb_sim_epoch(sim), 202);
  for (int i = 0; i < fb_model_nq(m); i++) assert_true(fabs(fb_sim_q(sim)[i] - q[i]) < 1e-12);
  for (int i = 0; i < fb_model_nv(m); i++) assert_true(fabs(fb_sim_v(sim)[i] - v[i]) < 1e-12);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- signals --- */

static double read_signal(fb_sim* sim, const char* name) {
  double x;
  fb_signal signal = signal_or_fail(fb_sim_original_model(sim), name);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* The first model's coordinates are logged on: positions do not jump, those of the joint that has gone neither. */
static void test_signals_of_the_first_model_go_on(void** state) {
  static const char* const names[] = {"q.chaser", "q.upper", "q.fore", "q.target", "q.antenna"};
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = started(m, 2);
  run_or_fail(sim, 1e-3);
  double before[MOST], after[MOST], later[MOST];
  fb_signal signals[MOST];
  int n = 0;
  for (int i = 0; i < 5; i++) {
    int count;
    assert_int_equal(fb_signal_find(m, names[i], signals + n, MOST - n, &count, NULL), FB_OK);
    n += count;
  }
  assert_int_equal(n, fb_model_nq(m));
  fb_join_def how = grasp(FB_JOINT_SPHERICAL);
  how.force = 1;
  fb_sim_signal_values(sim, signals, n, before);
  join_or_fail(sim, &how);
  fb_sim_signal_values(sim, signals, n, after);
  for (int i = 0; i < n; i++)
    if (!(fabs(after[i] - before[i]) < 1e-13)) fail_msg("entry %d: %g, then %g", i, before[i], after[i]);
  assert_true(read_signal(sim, "epoch") == 1);
  /* A second on: a quaternion that went on is near what it was a step before, sign and all. */
  for (double t = 0.01; t < 3; t += 0.01) {
    run_or_fail(sim, t);
    fb_sim_signal_values(sim, signals, n, later);
    for (int i = 0; i < n; i++)
      if (!(fabs(later[i] - after[i]) < 0.2))
        fail_msg("t = %g, entry %d: %g, then %g", t, i, after[i], later[i]);
    memcpy(after, later, sizeof after);
  }
  /* Rates are those of the body. */
  assert_true(fabs(read_signal(sim, "v.target.3") - read_signal(sim, "omega.target.x")) < 1e-14);
  assert_true(fabs(read_signal(sim, "v.target.1") - read_signal(sim, "vel.target.y")) < 1e-14);
  assert_true(fabs(read_signal(sim, "a.target.1") - read_signal(sim, "acc.target.y")) < 1e-12);
  part_or_fail(sim, "grasp");
  fb_sim_signal_values(sim, signals, n, later);
  for (int i = 0; i < n; i++)
    if (!(fabs(later[i] - after[i]) < 1e-12))
      fail_msg("parted, entry %d: %g, then %g", i, after[i], later[i]);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- snapshots --- */

static void same_ends(fb_sim* a, fb_sim* b) {
  assert_int_equal(fb_sim_ny(a), fb_sim_ny(b));
  assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)fb_sim_ny(a) * sizeof(double));
}

/* Saved before, between and after a join and a parting; restored into a fresh simulation, and back into one that has gone
 * on: the same bits. */
static void test_snapshots_restore_across_joins(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_join_def how = grasp(FB_JOINT_UNIVERSAL);
  how.force = 1;
  for (int method = 0; method < method_count(); method++) {
    fb_sim* sim = started(m, method);
    void* saved[3];
    size_t size[3];
    fb_error error;
    for (int i = 0; i < 3; i++) {
      run_or_fail(sim, 0.02 * (i + 1));
      if (i == 1) join_or_fail(sim, &how);
      if (i == 2) part_or_fail(sim, "grasp");
      size[i] = fb_sim_snapshot_size(sim);
      saved[i] = malloc(size[i]);
      fb_sim_save(sim, saved[i]);
    }
    run_or_fail(sim, 0.08);
    for (int i = 2; i >= 0; i--) {
      fb_sim* other = started(m, method);
      if (fb_sim_restore(other, saved[i], size[i], &error))
        fail_msg("%s, %d: %s", NAMES[method], i, error.text);
      assert_int_equal(fb_sim_epoch(other), i);
      for (int k = i + 1; k < 3; k++) {
        run_or_fail(other, 0.02 * (k + 1));
        if (k == 1) join_or_fail(other, &how);
        if (k == 2) part_or_fail(other, "grasp");
        void* again = malloc(fb_sim_snapshot_size(other));
        fb_sim_save(other, again); /* as the first one did, which forgets the integrator's history */
        assert_int_equal(fb_sim_snapshot_size(other), size[k]);
        assert_memory_equal(again, saved[k], size[k]);
        free(again);
      }
      run_or_fail(other, 0.08);
      same_ends(sim, other);
      /* And back, from its end to where it was. */
      if (fb_sim_restore(other, saved[0], size[0], &error)) fail_msg("%s", error.text);
      assert_int_equal(fb_sim_epoch(other), 0);
      assert_true(fb_sim_time(other) == 0.02);
      fb_sim_free(other);
    }
    for (int i = 0; i < 3; i++) free(saved[i]);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- what continues --- */

/* All coordinates of the first model. */
static int all_q(const fb_model* m, fb_signal* signals) {
  int count;
  fb_error error;
  if (fb_signal_find(m, "q", signals, MOST, &count, &error)) fail_msg("%s", error.text);
  return count;
}

/* A law, a sampled one, a limit, a lock and a path, on joints that a join of the chaser turns round. */
static fb_sim* busy(const fb_model* m, double step) {
  fb_sim_options options = options_of(FB_METHOD_RK4, step);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_pd_joint joint = fb_default_pd_joint();
  fb_block block;
  fb_error error;
  int upper = fb_joint_v_index(m, fb_model_find_joint(m, "upper")), fore = upper + 1;
  int antenna = fb_joint_v_index(m, fb_model_find_joint(m, "antenna"));
  const fb_limit stop = {
      .coordinate = fore, .side = 1, .level = 0.02, .restitution = 0.5, .cookie_ = FB_COOKIE};
  const fb_motion sweep = {.kind = FB_MOTION_RATE, .rate = 0.1, .cookie_ = FB_COOKIE};
  int motion;
  joint.coordinate = upper;
  joint.kp = 20;
  joint.kd = 5;
  if (fb_block_new_joint_pd(m, "pd", &joint, 1, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
  joint.coordinate = fore;
  if (fb_block_new_computed_torque(m, "torque", &joint, 1, &block, &error)) fail_msg("%s", error.text);
  const fb_sampling sampling = sampling_of(0.01, 0.015);
  block = sampled_or_fail(m, block, &sampling);
  if (fb_block_new_limited(m, &block, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
  if (fb_sim_add_limit(sim, &stop, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_add_motion(sim, &sweep, &motion, &error)) fail_msg("%s", error.text);
  if (fb_sim_set_motion(sim, antenna, motion, &error)) fail_msg("%s", error.text);
  double q[MOST], v[MOST];
  state_at_grasp(m, q, v);
  start_or_fail(sim, q, v);
  return sim;
}

/* Whether the target is hung on the hand or the chaser on the grip, the motion is the same: reversed joints, their laws,
 * limits and motions mean what they did. */
static void test_either_tree_may_be_captured(void** state) {
  static const fb_joint_type types[] = {FB_JOINT_FIXED, FB_JOINT_REVOLUTE, FB_JOINT_SPHERICAL};
  (void)state;
  fb_model* m = chaser_and_target();
  fb_signal signals[MOST];
  int n = all_q(m, signals);
  static const char* const carried[] = {"reaction.upper.force",
                                        "reaction.upper.torque",
                                        "reaction.fore",
                                        "joint.fore",
                                        "joint.upper",
                                        "a.upper",
                                        "a.fore",
                                        "com.fore"};
  for (size_t i = 0; i < sizeof carried / sizeof carried[0]; i++) {
    int count;
    assert_int_equal(fb_signal_find(m, carried[i], signals + n, MOST - n, &count, NULL), FB_OK);
    n += count;
  }
  for (int i = 0; i < 3; i++) {
    double ends[2][MOST];
    for (int turned = 0; turned < 2; turned++) {
      fb_sim* sim = busy(m, 5e-4);
      fb_join_def how = grasp(types[i]);
      how.frame = turned ? "hand" : "grip";
      how.to = turned ? "grip" : "hand";
      join_or_fail(sim, &how);
      assert_string_equal(fb_sim_change_notes(sim), "");
      run_or_fail(sim, 0.5);
      fb_sim_signal_values(sim, signals, n, ends[turned]);
      fb_ledger ledger;
      fb_sim_ledger(sim, &ledger);
      if (!(ledger.worst < 1e-4))
        fail_msg("type %d, turned %d: residual %g", (int)types[i], turned, ledger.worst);
      fb_sim_free(sim);
    }
    for (int k = 0; k < n; k++)
      if (!(fabs(ends[0][k] - ends[1][k]) < 1e-6 * fmax(1, fabs(ends[0][k]))))
        fail_msg("type %d, entry %d: %.12g and %.12g", (int)types[i], k, ends[0][k], ends[1][k]);
  }
  fb_model_free(m);
}

/* A joint that is locked stays so through the join, and one that moves at a rate keeps it. */
static void test_locks_hold_through_the_impact(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = busy(m, 1e-3);
  fb_join_def how = grasp(FB_JOINT_FIXED);
  fb_error error;
  int upper = fb_joint_v_index(m, fb_model_find_joint(m, "upper"));
  int antenna = fb_joint_v_index(m, fb_model_find_joint(m, "antenna"));
  how.force = 1;
  how.frame = "hand"; /* the chaser is re-rooted: its joints get other places */
  how.to = "grip";
  assert_int_equal(fb_sim_set_motion(sim, upper, FB_MOTION_LOCKED, &error), FB_OK);
  double held = read_signal(sim, "q.upper");
  join_or_fail(sim, &how);
  assert_int_equal(fb_sim_motion(sim, fb_sim_coordinate_now(sim, upper)), FB_MOTION_LOCKED);
  assert_int_equal(fb_sim_motion(sim, fb_sim_coordinate_now(sim, antenna)), FB_MOTION_RATE);
  assert_true(read_signal(sim, "v.upper") == 0 && read_signal(sim, "v.antenna") == 0.1);
  run_or_fail(sim, 0.1);
  assert_true(read_signal(sim, "q.upper") == held);
  assert_true(fabs(read_signal(sim, "q.antenna") - 0.01) < 1e-12);
  part_or_fail(sim, "grasp");
  assert_int_equal(fb_sim_motion(sim, upper), FB_MOTION_LOCKED);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* A law on the free joint of what is captured does nothing, says so once, and goes on when the joint is back. */
static void test_a_law_whose_joint_has_gone_does_nothing(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_attitude_task task = fb_default_attitude_task();
  fb_block block;
  fb_error error;
  task.body = fb_model_find_body(m, "target");
  task.kp = 5;
  if (fb_block_new_attitude(m, "hold", &task, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
  double q[MOST], v[MOST];
  state_at_grasp(m, q, v);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.01);
  double work = read_signal(sim, "work.target.3");
  fb_join_def how = grasp(FB_JOINT_FIXED);
  how.force = 1;
  join_or_fail(sim, &how);
  assert_non_null(strstr(fb_sim_change_notes(sim), "block \"hold\": joint \"target\" has gone"));
  fb_ledger before, after;
  fb_sim_ledger(sim, &before);
  run_or_fail(sim, 0.1);
  fb_sim_ledger(sim, &after);
  for (int k = 0; k < 3; k++) assert_true(fabs(after.angular[k] - before.angular[k]) < 1e-9);
  assert_true(after.work == before.work && read_signal(sim, "work.target.3") == work && work != 0);
  assert_true(read_signal(sim, "tau.target.3") == 0);
  part_or_fail(sim, "grasp");
  assert_string_equal(fb_sim_change_notes(sim), "");
  assert_true(read_signal(sim, "work.target.3") == work);
  run_or_fail(sim, 0.2);
  fb_sim_ledger(sim, &after);
  assert_true(after.work != before.work && fabs(after.residual) < 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* A joint of the model that is opened has no values; its child floats, and the ledger goes on. */
static void test_a_joint_of_the_model_parts(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = started(m, 2);
  fb_ledger before, after;
  run_or_fail(sim, 0.01);
  fb_sim_ledger(sim, &before);
  part_or_fail(sim, "fore");
  fb_sim_ledger(sim, &after);
  assert_true(isnan(read_signal(sim, "q.fore")) && isnan(read_signal(sim, "v.fore")));
  assert_true(isnan(read_signal(sim, "a.fore")) && isnan(read_signal(sim, "tau.fore")));
  assert_int_equal(fb_model_ntree(fb_sim_model(sim)), 3);
  assert_true(fabs(after.kinetic - before.kinetic) < 1e-12 * before.kinetic);
  for (int k = 0; k < 3; k++) assert_true(fabs(after.angular[k] - before.angular[k]) < 1e-12);
  run_or_fail(sim, 0.5);
  fb_sim_ledger(sim, &after);
  assert_true(after.worst < 1e-8 && after.momentum_worst < 1e-8);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Loops stay closed through the impact, momentum too is as it was, and the ledger explains the motion. */
static void test_loops_stay_closed(void** state) {
  (void)state;
  fb_model* m = with_loops();
  fb_sim* sim = started(m, 3);
  fb_join_def how = grasp(FB_JOINT_FIXED);
  fb_ledger before, after, end;
  fb_sim_change change;
  how.frame = "hand"; /* the chaser with its gear is turned round */
  how.to = "grip";
  fb_sim_ledger(sim, &before);
  join_or_fail(sim, &how);
  fb_sim_ledger(sim, &after);
  assert_true(fabs(read_signal(sim, "v.fore") + read_signal(sim, "v.upper")) < 1e-11);
  for (int k = 0; k < 3; k++) {
    assert_true(fabs(after.linear[k] - before.linear[k]) < 1e-10);
    assert_true(fabs(after.angular[k] - before.angular[k]) < 1e-10);
  }
  assert_int_equal(fb_sim_get_change(sim, 0, &change, NULL), FB_OK);
  double lost = before.kinetic - after.kinetic;
  if (!(fabs(lost - change.impulse.energy) < 1e-10 * before.kinetic))
    fail_msg("lost %.12g, said %.12g", lost, change.impulse.energy);
  run_or_fail(sim, 0.2);
  fb_sim_ledger(sim, &end);
  if (!(end.worst < 1e-6 && end.momentum_worst < 1e-9)) fail_msg("%g, %g", end.worst, end.momentum_worst);
  assert_true(fabs(read_signal(sim, "q.fore") + read_signal(sim, "q.upper")) < 1e-10);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- refusals --- */

static fb_status refuse(void* user, const fb_model* m, fb_error* error) {
  const fb_model* first = (const fb_model*)user;
  return m == first ? FB_OK : fb_fail(error, FB_ERR_UNSUPPORTED, "it will not");
}

/* Everything that is refused leaves the simulation as it was, to the last byte of its snapshot. */
static void test_what_is_refused_changes_nothing(void** state) {
  static const struct {
    const char *name, *frame, *to, *part;
    fb_status status;
  } rows[] = {{"grasp", "grip", "hand", NULL, FB_ERR_JOINT}, {"grasp", "grip", "target", NULL, FB_ERR_TREE},
              {"grasp", "grip", "grip", NULL, FB_ERR_TREE},  {"fore", "grip", "hand", NULL, FB_ERR_NAME},
              {"grasp", "grap", "hand", NULL, FB_ERR_NAME},  {"grasp", "chaser", "hand", NULL, FB_ERR_TREE},
              {NULL, NULL, NULL, "grasp", FB_ERR_NAME},      {NULL, NULL, NULL, "target", FB_ERR_TREE}};
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = busy(m, 1e-3);
  run_or_fail(sim, 0.3); /* the frames are apart */
  size_t size = fb_sim_snapshot_size(sim);
  char *before = malloc(size), *after = malloc(size);
  fb_sim_save(sim, before);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fb_join_def how = fb_default_join_def();
    fb_error error;
    how.name = rows[i].name;
    how.frame = rows[i].frame;
    how.to = rows[i].to;
    fb_status status = rows[i].part ? fb_sim_part(sim, rows[i].part, &error) : fb_sim_join(sim, &how, &error);
    if (status != rows[i].status) fail_msg("row %d: %s: %s", (int)i, fb_status_name(status), error.text);
    assert_int_equal(fb_sim_epoch(sim), 0);
    fb_sim_save(sim, after);
    assert_memory_equal(before, after, size);
  }
  free(before);
  free(after);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void test_a_block_may_refuse_the_model(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim *sim = sim_or_fail(m, &options), *other = started(m, 2);
  fb_block block = fb_default_block();
  fb_error error;
  double q[MOST], v[MOST];
  block.name = "stubborn";
  block.user = m;
  block.rebind = refuse;
  block_or_fail(sim, &block);
  state_at_grasp(m, q, v);
  start_or_fail(sim, q, v);
  fb_join_def how = grasp(FB_JOINT_FIXED);
  assert_int_equal(fb_sim_join(sim, &how, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "block \"stubborn\" cannot go on"));
  run_or_fail(sim, 0.05);
  run_or_fail(other, 0.05);
  same_ends(sim, other);
  fb_sim_free(sim);
  fb_sim_free(other);
  fb_model_free(m);
}

/* --- events, and starting again --- */

static fb_status join_now(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_join(sim, (const fb_join_def*)user, error);
}

/* An event joins at the start; started again, the simulation has its first model, and does the same. */
static void test_a_simulation_starts_again_with_its_first_model(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_join_def how = grasp(FB_JOINT_CYLINDRICAL);
  fb_event event = {
      .name = "grasp", .kind = FB_TRIGGER_TIME, .act = join_now, .user = &how, .cookie_ = FB_COOKIE};
  double q[MOST], v[MOST], end[MOST];
  event_or_fail(sim, &event);
  state_at_grasp(m, q, v);
  for (int i = 0; i < 2; i++) {
    start_or_fail(sim, q, v);
    assert_int_equal(fb_sim_epoch(sim), 1);
    assert_ptr_equal(fb_sim_original_model(sim), m);
    run_or_fail(sim, 0.05);
    size_t size = (size_t)fb_model_nq(fb_sim_model(sim)) * sizeof(double);
    if (i == 0) memcpy(end, fb_sim_q(sim), size);
    assert_memory_equal(end, fb_sim_q(sim), size);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- far out --- */

/* At 7000 km and 7.5 km/s the ledger closes as well as at the origin. */
static void test_captures_far_out_and_fast(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_join_def how = grasp(FB_JOINT_FIXED);
  double q[MOST], v[MOST];
  int at = fb_joint_q_index(m, fb_model_find_body(m, "target")),
      v_at = fb_joint_v_index(m, fb_model_find_body(m, "target"));
  state_at_grasp(m, q, v);
  q[0] += 7e6;
  q[at] += 7e6;
  v[1] += 7500;
  v[v_at + 1] += 7500;
  how.force = 1;
  start_or_fail(sim, q, v);
  join_or_fail(sim, &how);
  run_or_fail(sim, 0.2);
  fb_ledger ledger;
  fb_sim_ledger(sim, &ledger);
  if (!(ledger.worst < 1e-6 && ledger.momentum_worst < 1e-6))
    fail_msg("energy %g, momentum %g", ledger.worst, ledger.momentum_worst);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- altered snapshots --- */

/* A snapshot that was altered, checksum and all, is refused or goes on, and never reads or writes where it must not. */
static void test_altered_histories_are_refused_or_go_on(void** state) {
  (void)state;
  fb_model* m = chaser_and_target();
  fb_sim* sim = busy(m, 1e-3);
  fb_join_def how = grasp(FB_JOINT_REVOLUTE);
  fb_random random = random_seed(11);
  how.force = 1;
  run_or_fail(sim, 0.02);
  join_or_fail(sim, &how);
  part_or_fail(sim, "fore");
  size_t size = fb_sim_snapshot_size(sim), state_size = sim->state_size;
  char *saved = malloc(size), *altered = malloc(size);
  fb_sim_save(sim, saved);
  for (int i = 0; i < 400; i++) {
    fb_sim_head head;
    fb_error error;
    memcpy(altered, saved, size);
    for (int k = 0; k <= i % 3; k++)
      altered[state_size + (size_t)random_index(&random, (int)(size - state_size))] ^=
          (char)(1 << random_index(&random, 8));
    memcpy(&head, altered, sizeof head);
    head.checksum = 0;
    uint64_t sum = fb_checksum(0, &head, sizeof head);
    head.checksum = fb_checksum(sum, altered + sizeof head, size - sizeof head);
    memcpy(altered, &head, sizeof head);
    if (!fb_sim_restore(sim, altered, size, &error)) fb_sim_step(sim, 1, &error);
    if (fb_sim_restore(sim, saved, size, &error)) fail_msg("case %d: %s", i, error.text);
  }
  for (size_t cut = 0; cut < size; cut += 1 + size / 97)
    assert_int_equal(fb_sim_restore(sim, saved, cut, NULL), FB_ERR_STATE);
  run_or_fail(sim, 0.05);
  free(saved);
  free(altered);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_momentum_and_ledger_go_on),
      cmocka_unit_test(test_joining_and_parting_returns_the_state),
      cmocka_unit_test(test_signals_of_the_first_model_go_on),
      cmocka_unit_test(test_snapshots_restore_across_joins),
      cmocka_unit_test(test_either_tree_may_be_captured),
      cmocka_unit_test(test_locks_hold_through_the_impact),
      cmocka_unit_test(test_a_law_whose_joint_has_gone_does_nothing),
      cmocka_unit_test(test_a_joint_of_the_model_parts),
      cmocka_unit_test(test_loops_stay_closed),
      cmocka_unit_test(test_what_is_refused_changes_nothing),
      cmocka_unit_test(test_a_block_may_refuse_the_model),
      cmocka_unit_test(test_a_simulation_starts_again_with_its_first_model),
      cmocka_unit_test(test_captures_far_out_and_fast),
      cmocka_unit_test(test_altered_histories_are_refused_or_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
