/* test_momentum_rest.c -- the momentum method where joints come to rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_rig.h"

/* There is no speed left to compare changes with: rounding of positions and forces is all that moves. */
static void a_joint_settles_under_a_load_and_at_a_target(void** unused) {
  (void)unused;
  static const struct {
    double stiffness, damping, load, kp, target, step;
  } ROWS[] = {
      {100, 20, 10, 0, 0, 0.005},  {100, 20, 10, 0, 0, 0.001},   {0, 0, 0, 100, 0.62, 0.003},
      {0, 0, 0, 1e4, 0.62, 0.003}, {0, 0, 10, 1e3, 0.62, 0.009}, {0, 0, 10, 1e4, 18.62, 0.001},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_model_def* def = fb_model_def_new();
    fb_body_def cart = fb_default_body_def();
    fb_error error;
    fb_block block;
    cart.name = "cart";
    cart.joint.type = FB_JOINT_PRISMATIC;
    cart.joint.axis[2] = 1;
    cart.joint.stiffness[0] = ROWS[i].stiffness;
    cart.joint.damping[0] = ROWS[i].damping;
    cart.mass = 1;
    assert_int_equal(fb_model_def_add_body(def, &cart, NULL, NULL), FB_OK);
    fb_model* m = build_or_fail(def, NULL);
    fb_sim_options options = options_of(FB_METHOD_MOMENTUM, ROWS[i].step);
    options.environment.gravity_w[2] = ROWS[i].load;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_pd_joint law = fb_default_pd_joint();
    law.coordinate = 0;
    law.kp = ROWS[i].kp;
    law.kd = 1.4 * sqrt(law.kp);
    law.target = ROWS[i].target;
    assert_int_equal(fb_block_new_joint_pd(m, "law", &law, 1, &block, &error), FB_OK);
    block_or_fail(sim, &block);
    start_or_fail(sim, (const double[]){0}, (const double[]){0});
    run_or_fail(sim, 10);
    double stiffness = law.kp + ROWS[i].stiffness, at = (law.kp * law.target + ROWS[i].load) / stiffness;
    assert_true(fabs(fb_sim_q(sim)[0] - at) < 1e-12 * (1 + at));
    fb_sim_free(sim);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_settles_under_a_load_and_at_a_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
