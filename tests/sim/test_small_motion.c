/* test_small_motion.c -- a vibration that is small against the accuracy: positions keep what was promised, so it is remarked, not
 * doubted, and the accuracy that the remark names does better. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/diagnosis/diagnosis.h"
#include "sim_rig.h"
#include "sim/access.h"

static fb_model* flexible(void) {
  static const char* const NAMES[] = {"hull", "boom"};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = NAMES[i];
    body.parent = i ? "hull" : NULL;
    body.joint.type = i ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    body.joint.axis[2] = i;
    body.joint.axis[0] = !i;
    body.joint.at[0] = 0.3 * i;
    body.joint.stiffness[0] = 200 * i;
    body.mass = i ? 1 : 10;
    body.com[0] = 0.4 * i;
    for (int k = 0; k < 3; k++) body.inertia[k] = i ? 0.05 : 1;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static fb_sim* vibrate(const fb_model* m, double amplitude, double accuracy) {
  fb_sim_options options = fb_default_sim_options();
  double q[8];
  options.method = FB_METHOD_DOPRI5;
  options.step = 0;
  options.accuracy = accuracy;
  options.rtol = options.atol = 0;
  fb_neutral(m, q);
  q[7] = amplitude;
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, NULL);
  run_or_fail(sim, 10);
  return sim;
}

static void small_vibrations_are_remarked_and_not_doubted(void** unused) {
  (void)unused;
  fb_model* m = flexible();
  fb_sim* sim = vibrate(m, 1e-4, 1e-6);
  char text[400];
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  assert_true(l.worst > 1e-3);
  if (fb_sim_warning(sim, text, sizeof text)) fail_msg("%s", text);
  assert_true(fb_sim_remark_small(sim, 1, text, sizeof text));
  print_message("%s\n", text);
  const char* named = strstr(text, "give integrator.accuracy ");
  assert_non_null(named);
  double accuracy = strtod(named + strlen("give integrator.accuracy "), NULL);
  fb_sim_free(sim);
  sim = vibrate(m, 1e-4, accuracy);
  fb_sim_ledger(sim, &l);
  assert_true(l.worst < 1e-3);
  assert_false(fb_sim_remark_small(sim, 1, text, sizeof text));
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_vibrations_are_remarked_and_not_doubted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
