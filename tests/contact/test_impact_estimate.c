/* test_impact_estimate.c -- moreau's error estimate counts every impact, also where several follow one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/hard_problem.h"

static const double SIDE = 0.1;

/* A cube with e = 1 that falls on the ground with one corner, and with the next one 0.9 ms later at 30 m/s. */
static fb_sim* cube(const fb_model* m, fb_method method, double step, double speed) {
  const fb_collider box = shape_on(1, FB_COLLIDER_BOX, SIDE, SIDE, SIDE),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&box, &ground, FB_CONTACT_HARD, 0, 0, 0);
  fb_sim_options options = heavy_options(0, -G);
  fb_error error;
  fb_sim* sim;
  contact.restitution = 1;
  options.method = method;
  options.adaptive = method == FB_METHOD_DOPRI5;
  options.step = step;
  options.rtol = options.atol = 1e-10;
  const double q[7] = {0, 0, 0.1166, -0.548819, 0.752250, -0.245272, 0.269739}, v[6] = {0, 0, -speed};
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error) ||
      fb_sim_start(sim, q, v, &error))
    fail_msg("%s", error.text);
  return sim;
}

/* Steps after which impacts were samples. */
static int count_samples(fb_sim* sim, double until) {
  fb_error error;
  int count = 0;
  while (fb_sim_time(sim) < until - 1e-9) {
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    count += sim->contact.hard->sampled == 2;
  }
  return count;
}

static void impacts_in_successive_steps_are_samples_and_their_error_is_named(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, 1, SIDE * SIDE / 6);
  fb_sim *exact = cube(m, FB_METHOD_DOPRI5, 0, 30), *sim = cube(m, FB_METHOD_MOREAU, 1e-3, 30);
  char text[400];
  run_or_fail(exact, 8e-3);
  assert_int_equal(count_samples(sim, 8e-3), 2);
  const double off = worst_difference(fb_sim_v(sim) + 3, fb_sim_v(exact) + 3, 3);
  assert_true(off > 3 && off < 10);
  run_or_fail(sim, 0.1);
  assert_int_equal(fb_sim_warning(sim, text, sizeof text), 1);
  if (!strstr(text, "steps of 0.001 s are long for these contacts")) fail_msg("%s", text);
  fb_sim_free(exact);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* At 1 m/s, and in shorter steps, the same error is negligible. */
static void harmless_impacts_are_not_named(void** unused) {
  (void)unused;
  static const double STEPS[] = {1e-3, 1e-6}, SPEEDS[] = {1, 30}, TIMES[] = {0.3, 8e-3};
  fb_model* m = one_body(FB_JOINT_FREE, 1, SIDE * SIDE / 6);
  char text[400];
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = cube(m, FB_METHOD_MOREAU, STEPS[i], SPEEDS[i]);
    run_or_fail(sim, TIMES[i]);
    if (fb_sim_warning(sim, text, sizeof text)) fail_msg("%s", text);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_in_successive_steps_are_samples_and_their_error_is_named),
      cmocka_unit_test(harmless_impacts_are_not_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
