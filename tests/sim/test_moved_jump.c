/* test_moved_jump.c -- locks and bounces beside laws that move joints: what a law moves keeps its velocity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "task_rig.h"

enum { ARM_END = 6 };

/* A satellite with an arm of `joints`, whose hand follows a line, and two sprung paddles, bent and let go. */
typedef struct scene {
  task_rig r;
  line l;
  fb_sim* sim;
  int left, right; /* the paddles: one coordinate; a ball */
} scene;

static fb_sim_options two_modes(void) {
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.005);
  options.nmode = 2;
  return options;
}

/* The robot with its paddles bent and swinging, and where its hand shall go; not yet a simulation. */
static scene scene_before(int joints) {
  scene s = {.r = chain(FB_JOINT_FREE, joints, 1), .l = line_new(0.4, 5)};
  s.left = fb_model_find_body(s.r.m, "left");
  s.right = fb_model_find_body(s.r.m, "right");
  s.r.q[fb_joint_q_index(s.r.m, s.left)] = 0.7;
  s.r.v[fb_joint_v_index(s.r.m, s.right) + 1] = 0.4;
  return s;
}

static scene scene_of(int joints, int rows, const fb_sampling* sampling, unsigned modes) {
  scene s = scene_before(joints);
  fb_sim_options options = two_modes();
  fb_frame_task task = task_along(&s.r, &s.l);
  fb_error error;
  task.rows = rows;
  s.sim = sim_or_fail(s.r.m, &options);
  fb_block block = task_block(&s.r, &task);
  if (sampling && fb_block_new_sampled(s.r.m, &block, sampling, &block, &error)) fail_msg("%s", error.text);
  block.modes = modes;
  block_or_fail(s.sim, &block);
  start_or_fail(s.sim, s.r.q, s.r.v);
  return s;
}

static void scene_free(scene* s) {
  fb_sim_free(s->sim);
  line_free(&s->l);
  rig_free(&s->r);
}

/* What happens to the paddles, each an impulse on the satellite. */
typedef enum kick { LOCK_LEFT, LOCK_BALL, BOUNCE_LEFT, KICKS } kick;

static void kick_or_fail(scene* s, kick what) {
  fb_error error;
  fb_status status =
      what == BOUNCE_LEFT
          ? fb_sim_bounce(s->sim, fb_joint_v_index(s->r.m, s->left), 0.6, &error)
          : fb_sim_set_joint_motion(s->sim, what == LOCK_LEFT ? s->left : s->right, FB_MOTION_LOCKED, &error);
  if (status) fail_msg("%s", error.text);
}

/* How much the rates of the arm and of the base change in an instant. */
static void jump_of(scene* s, kick what, int joints, double* arm, double* base) {
  double before[RIG_NV];
  memcpy(before, fb_sim_v(s->sim), (size_t)s->r.nv * sizeof *before);
  kick_or_fail(s, what);
  *arm = *base = 0;
  for (int k = 0; k < joints; k++)
    *arm = worse_of(*arm, fabs(fb_sim_v(s->sim)[s->r.first + k] - before[s->r.first + k]));
  for (int k = 0; k < 6; k++) *base = worse_of(*base, fabs(fb_sim_v(s->sim)[k] - before[k]));
}

static void a_joint_that_a_law_moves_keeps_its_velocity_when_another_locks_or_bounces(void** unused) {
  (void)unused;
  for (int what = 0; what < KICKS; what++)
    for (int sampled = 0; sampled < 2; sampled++) {
      fb_sampling sampling = fb_default_sampling();
      sampling.period = 0.02;
      sampling.delay = 0.03;
      scene s = scene_of(6, 6, sampled ? &sampling : NULL, 0);
      double p0[3], arm, base;
      fb_ledger ledger;
      pose_at(&s.r, s.r.q, s.r.hand, p0, NULL);
      run_or_fail(s.sim, 1.3);
      fb_sim_ledger(s.sim, &ledger);
      double linear = length3(ledger.linear), angular = length3(ledger.angular);
      jump_of(&s, (kick)what, ARM_END, &arm, &base);
      assert_true(arm == 0 && base > 1e-4);
      fb_sim_ledger(s.sim, &ledger); /* the impulse is one inside the satellite */
      assert_near("linear", (const double[]){length3(ledger.linear)}, &linear, 1, 1e-9);
      assert_near("angular", (const double[]){length3(ledger.angular)}, &angular, 1, 1e-9);
      run_or_fail(s.sim, 12);
      double off = off_line(&s.r, &s.l, p0, fb_sim_q(s.sim), 12);
      print_message("kick %d%s: base jumps by %.2g, hand %.2g m off in the end\n", what,
                    sampled ? ", sampled" : "", base, off);
      assert_true(off < (sampled ? 1e-3 : 1e-4)); /* errors die out as t exp(-t) */
      scene_free(&s);
    }
}

/* In another mode, and before the first output of a sampled law takes effect, nobody moves them: they give way. */
static void joints_give_way_where_the_law_does_not_act(void** unused) {
  (void)unused;
  fb_sampling late = fb_default_sampling();
  late.period = 0.02;
  late.delay = 1.5;
  for (int c = 0; c < 3; c++) {
    scene s = scene_of(6, 6, c == 0 ? &late : NULL, c == 0 ? 0 : 1);
    double arm, base;
    fb_error error;
    if (c > 0) assert_int_equal(fb_sim_set_mode(s.sim, 1, &error), FB_OK);
    run_or_fail(s.sim, 1.3);
    if (c == 2) assert_int_equal(fb_sim_set_mode(s.sim, 0, &error), FB_OK);
    jump_of(&s, LOCK_LEFT, ARM_END, &arm, &base);
    assert_true(c == 2 ? arm == 0 : arm > 1e-4);
    scene_free(&s);
  }
}

/* --- laws that know of locks and motions --- */

static void lock_or_fail(fb_sim* sim, int k) {
  fb_error error;
  if (fb_sim_set_motion(sim, k, FB_MOTION_LOCKED, &error)) fail_msg("%s", error.text);
}

/* Coordinates locked at 1.3 s: after that the hand comes back to its line, by motion and by force. All that the law must
 * know is in b and A; were it wrong the hand would stay off by as much as that disturbs it. */
static void the_hand_comes_back_to_its_line_whatever_is_locked(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int joints, rows;
    int locked[7]; /* coordinates; -1 ends: 0-5 the base, 6 a paddle, 7 on the arm, then the ball */
  } cases[] = {
      {"a joint of its own of seven", 7, 6, {10, -1}},
      {"three of six, position only", 6, 3, {8, 10, 12, -1}},
      {"the base", 6, 6, {0, 1, 2, 3, 4, 5, -1}},
      {"the base along y and about z", 6, 6, {1, 5, -1}},
      {"the base about x, a paddle, an own joint", 7, 6, {3, 6, 11, -1}},
      {"one direction of the ball", 6, 6, {14, -1}},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    for (int by_motion = 0; by_motion < 2; by_motion++) {
      scene s = scene_before(cases[c].joints);
      fb_sim_options options = two_modes();
      fb_frame_task task = task_along(&s.r, &s.l);
      double p0[3];
      task.rows = cases[c].rows;
      task.by_motion = by_motion;
      s.sim = task_sim(&s.r, &task, &options);
      pose_at(&s.r, s.r.q, s.r.hand, p0, NULL);
      run_or_fail(s.sim, 1.3);
      for (int i = 0; i < 7 && cases[c].locked[i] >= 0; i++) lock_or_fail(s.sim, cases[c].locked[i]);
      run_or_fail(s.sim, 12);
      double off = off_line(&s.r, &s.l, p0, fb_sim_q(s.sim), 12);
      print_message("%s, by %s: %.2g m off\n", cases[c].name, by_motion ? "motion" : "force", off);
      if (!(off < 1e-4)) fail_msg("%s", cases[c].name);
      scene_free(&s);
    }
}

/* A paddle, or a joint of the arm itself, follows a path of its own from the start on: the hand never leaves its line. */
static void the_hand_stays_on_its_line_beside_joints_of_motions(void** unused) {
  (void)unused;
  static const int coordinates[] = {6, 10};
  for (int c = 0; c < 2; c++)
    for (int by_motion = 0; by_motion < 2; by_motion++) {
      scene s = scene_before(7);
      fb_sim_options options = two_modes();
      fb_frame_task task = task_along(&s.r, &s.l);
      fb_error error;
      int k = coordinates[c], id;
      double p0[3], worst = 0, q0 = s.r.q[k + 1];
      fb_spline* path = NULL;
      assert_int_equal(
          fb_spline_new_quintic(2, (const double[]){0, 4}, (const double[]){q0, q0 + 0.5}, &path, NULL),
          FB_OK);
      memset(s.r.v, 0, sizeof s.r.v);
      task.by_motion = by_motion;
      s.sim = sim_or_fail(s.r.m, &options);
      fb_block block = task_block(&s.r, &task);
      block_or_fail(s.sim, &block);
      fb_motion motion = {.kind = FB_MOTION_PATH, .path = path, .cookie_ = FB_COOKIE};
      if (fb_sim_add_motion(s.sim, &motion, &id, &error)) fail_msg("%s", error.text);
      if (fb_sim_set_motion(s.sim, k, id, &error)) fail_msg("%s", error.text);
      start_or_fail(s.sim, s.r.q, s.r.v);
      pose_at(&s.r, s.r.q, s.r.hand, p0, NULL);
      for (int i = 1; i <= 60; i++) {
        run_or_fail(s.sim, 0.1 * i);
        worst = worse_of(worst, off_line(&s.r, &s.l, p0, fb_sim_q(s.sim), fb_sim_time(s.sim)));
      }
      print_message("coordinate %d on a path, by %s: %.2g m off\n", k, by_motion ? "motion" : "force", worst);
      assert_true(worst < 1e-8); /* rk4 on paddles of 0.7 Hz */
      scene_free(&s);
      fb_spline_free(path);
    }
}

static void a_law_whose_joints_are_all_locked_goes_on(void** unused) {
  (void)unused;
  for (int damped = 0; damped < 2; damped++)
    for (int by_motion = 0; by_motion < 2; by_motion++) {
      scene s = scene_before(6);
      fb_sim_options options = two_modes();
      fb_frame_task task = task_along(&s.r, &s.l);
      task.by_motion = by_motion;
      task.damping = damped * 0.1;
      s.sim = task_sim(&s.r, &task, &options);
      run_or_fail(s.sim, 1);
      for (int k = 7; k < 13; k++) lock_or_fail(s.sim, k);
      run_or_fail(s.sim, 3);
      for (int k = 7; k < 13; k++) assert_true(fb_sim_v(s.sim)[k] == 0);
      fb_ledger ledger;
      fb_sim_ledger(s.sim, &ledger);
      assert_true(ledger.relative < 1e-6);
      scene_free(&s);
    }
}

static void assert_held(const scene* s, const fb_pd_joint* joints) {
  for (int i = 0; i < ARM_END; i++)
    if (i != 2) /* t exp(-2 t) */
      assert_near("joint", &fb_sim_q(s->sim)[s->r.first + 1 + i], &joints[i].target, 1, 1e-7);
}

/* Computed torque holds the arm where it starts; the satellite's paddles swing, and one is locked. Were its spring still
 * thought to push the base, the joints would be held off by as much as that takes. */
static void computed_torque_knows_of_locks_and_releases(void** unused) {
  (void)unused;
  scene s = scene_before(6);
  fb_sim_options options = two_modes();
  fb_pd_joint joints[ARM_END];
  fb_block block;
  fb_error error;
  for (int i = 0; i < ARM_END; i++)
    joints[i] = (fb_pd_joint){.coordinate = s.r.first + i,
                              .kp = 4,
                              .kd = 4,
                              .target = s.r.q[s.r.first + 1 + i],
                              .effort = INFINITY,
                              .cookie_ = FB_COOKIE};
  if (fb_block_new_computed_torque(s.r.m, "arm", joints, ARM_END, &block, &error)) fail_msg("%s", error.text);
  s.sim = sim_or_fail(s.r.m, &options);
  block_or_fail(s.sim, &block);
  start_or_fail(s.sim, s.r.q, s.r.v);
  run_or_fail(s.sim, 1.3);
  kick_or_fail(&s, LOCK_LEFT);
  lock_or_fail(s.sim, s.r.first + 2); /* and one of its own */
  run_or_fail(s.sim, 12);
  assert_held(&s, joints);
  /* Released, the paddle swings, and what held it until then is not taken for a force on it. */
  assert_int_equal(fb_sim_set_joint_motion(s.sim, s.left, FB_MOTION_FORCE, &error), FB_OK);
  for (double t = 12.5; t < 16; t += 0.5) {
    run_or_fail(s.sim, t);
    assert_held(&s, joints);
  }
  scene_free(&s);
}

/* Released, a joint is the law's again. */
static void a_released_joint_is_moved_again(void** unused) {
  (void)unused;
  scene s = scene_of(7, 6, NULL, 0);
  fb_error error;
  run_or_fail(s.sim, 1);
  lock_or_fail(s.sim, 9);
  run_or_fail(s.sim, 2);
  assert_true(fb_sim_v(s.sim)[9] == 0);
  assert_int_equal(fb_sim_set_motion(s.sim, 9, FB_MOTION_FORCE, &error), FB_OK);
  run_or_fail(s.sim, 3);
  assert_true(fabs(fb_sim_v(s.sim)[9]) > 1e-3);
  scene_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_that_a_law_moves_keeps_its_velocity_when_another_locks_or_bounces),
      cmocka_unit_test(joints_give_way_where_the_law_does_not_act),
      cmocka_unit_test(the_hand_comes_back_to_its_line_whatever_is_locked),
      cmocka_unit_test(the_hand_stays_on_its_line_beside_joints_of_motions),
      cmocka_unit_test(a_law_whose_joints_are_all_locked_goes_on),
      cmocka_unit_test(computed_torque_knows_of_locks_and_releases),
      cmocka_unit_test(a_released_joint_is_moved_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
