/* test_loop_laws.c -- laws that use the model take its loops into account: a driven crank carries the whole mechanism. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mechanism_rig.h"

#include <freebody/control.h>

static const double ANGLE = 1.1; /* of the cranks at the start [rad] */

/* Holds the first crank, in gravity, for a second; how far it has moved. The law is freed with the simulation. */
static double sag(const fb_model* m, const fb_block* law) {
  fb_sim_options options = options_of(FB_METHOD_RK4, 5e-3);
  double q[3], v[3];
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  block_or_fail(sim, law);
  n_four_bar_start(m, ANGLE, 0, q, v);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 1);
  double moved = fabs(fb_sim_q(sim)[0] + ANGLE);
  fb_sim_free(sim);
  return moved;
}

static void a_crank_under_computed_torque_carries_the_other_rods(void** state) {
  (void)state;
  fb_model* m = n_four_bar(1, FB_LOOP_POINT);
  fb_pd_joint crank = fb_default_pd_joint();
  fb_block law;
  fb_error error;
  crank.coordinate = fb_joint_v_index(m, fb_model_find_joint(m, "crank0"));
  crank.kp = 100;
  crank.kd = 20;
  crank.target = -ANGLE;
  if (fb_block_new_computed_torque(m, "hold", &crank, 1, &law, &error)) fail_msg("%s", error.text);
  assert_true(sag(m, &law) <= 1e-12);
  fb_model_free(m);
}

static void a_frame_on_a_path_carries_the_other_rods(void** state) {
  (void)state;
  fb_model* m = n_four_bar(1, FB_LOOP_POINT);
  fb_frame_task task = fb_default_frame_task();
  fb_block law;
  fb_error error;
  task.frame = fb_model_find_frame(m, "crank0_tip");
  task.kp = 100;
  task.kd = 20;
  if (fb_block_new_frame_task(m, "hold", &task, &law, &error)) fail_msg("%s", error.text);
  assert_true(sag(m, &law) <= 1e-12);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crank_under_computed_torque_carries_the_other_rods),
      cmocka_unit_test(a_frame_on_a_path_carries_the_other_rods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
