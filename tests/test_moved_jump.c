/* test_moved_jump.c -- locks and bounces beside laws that move joints: what a law moves keeps its velocity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
  fb_sim_options options = options_of(FB_RK4, 0.005);
  options.nmode = 2;
  return options;
}

static scene scene_of(int joints, int rows, const fb_sampling* sampling, unsigned modes) {
  scene s = {.r = chain(FB_JOINT_FREE, joints, 1), .l = line_new(0.4, 5)};
  fb_sim_options options = two_modes();
  fb_frame_task task = task_along(&s.r, &s.l);
  fb_error error;
  task.rows = rows;
  s.left = fb_model_find_body(s.r.m, "left");
  s.right = fb_model_find_body(s.r.m, "right");
  s.r.q[fb_joint_q_at(s.r.m, s.left)] = 0.7;
  s.r.v[fb_joint_v_at(s.r.m, s.right) + 1] = 0.4;
  s.sim = sim_or_fail(s.r.m, &options);
  fb_block block = task_block(&s.r, &task);
  if (sampling && fb_block_sampled(s.r.m, &block, sampling, &block, &error)) fail_msg("%s", error.text);
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
  fb_status status = what == BOUNCE_LEFT ? fb_sim_bounce(s->sim, fb_joint_v_at(s->r.m, s->left), 0.6, &error)
                                         : fb_sim_move_joint(s->sim, what == LOCK_LEFT ? s->left : s->right,
                                                             FB_MOTION_LOCKED, &error);
  if (status) fail_msg("%s", error.text);
}

/* How much the rates of the arm and of the base change in an instant. */
static void jump_of(scene* s, kick what, int joints, double* arm, double* base) {
  double before[RIG_NV];
  memcpy(before, fb_sim_v(s->sim), (size_t)s->r.nv * sizeof *before);
  kick_or_fail(s, what);
  *arm = *base = 0;
  for (int k = 0; k < joints; k++)
    *arm = fmax(*arm, fabs(fb_sim_v(s->sim)[s->r.first + k] - before[s->r.first + k]));
  for (int k = 0; k < 6; k++) *base = fmax(*base, fabs(fb_sim_v(s->sim)[k] - before[k]));
}

static void a_joint_that_a_law_moves_keeps_its_velocity_when_another_locks_or_bounces(void** unused) {
  (void)unused;
  for (int what = 0; what < KICKS; what++)
    for (int sampled = 0; sampled < 2; sampled++) {
      fb_sampling sampling = fb_default_sampling();
      sampling.period = 0.02;
      sampling.delay = 0.03;
      scene s = scene_of(6, 6, sampled ? &sampling : NULL, 0);
      double arm, base;
      fb_ledger ledger;
      run_or_fail(s.sim, 1.3);
      fb_sim_ledger(s.sim, &ledger);
      double linear = length3(ledger.linear), angular = length3(ledger.angular);
      jump_of(&s, (kick)what, ARM_END, &arm, &base);
      assert_true(arm == 0 && base > 1e-4);
      fb_sim_ledger(s.sim, &ledger); /* the impulse is one inside the satellite */
      assert_near("linear", (const double[]){length3(ledger.linear)}, &linear, 1, 1e-9);
      assert_near("angular", (const double[]){length3(ledger.angular)}, &angular, 1, 1e-9);
      run_or_fail(s.sim, 2);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_that_a_law_moves_keeps_its_velocity_when_another_locks_or_bounces),
      cmocka_unit_test(joints_give_way_where_the_law_does_not_act),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
