/* test_scenario_law_rates.c -- the default method counts laws that declare no gains: their motion stays bounded, or it is said that
 * it will not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "scenario_rig.h"

#define ARM                                                                                                \
  "scenario: 1\nduration: 0.5 s\nmodel:\n  freebody: 1\n  bodies:\n"                                       \
  "    - {name: l1, joint: {name: j1, type: revolute, axis: [0, 0, 1]}, mass: 5, com: [0.5, 0, 0], "       \
  "inertia: [0.01, 0.4, 0.4, 0, 0, 0]}\n"                                                                  \
  "    - {name: l2, parent: l1, joint: {name: j2, type: revolute, axis: [0, 0, 1], at: [1, 0, 0]}, mass: " \
  "4, com: [0.5, 0, 0], inertia: [0.01, 0.3, 0.3, 0, 0, 0]}\n"                                             \
  "    - {name: l3, parent: l2, joint: {name: j3, type: revolute, axis: [0, 1, 0], at: [1, 0, 0]}, mass: " \
  "1, com: [0.25, 0, 0], inertia: [0.01, 0.03, 0.03, 0, 0, 0], frames: [{name: tip, at: [0.5, 0, 0]}]}\n"  \
  "start: {joints: {j1: 0.2, j2: 1.2}, rates: {j1: 0.1}}\n"

#define IMPEDANCE "  - {name: hand, type: impedance, frame: tip, kp: 1e6 N/m, kd: 1e3, rows: position"
#define SCRIPT                                                                                               \
  "  - name: script\n    type: lua\n    text: |\n      local tau = {0, 0, 0}\n      function act(t, q, v)\n" \
  "        for k = 1, 3 do tau[k] = -3e5 * (q[k] - 0.2) - 10 * v[k] end\n        return tau\n      end\n"
#define TRACKING "  - {name: track, type: frame_tracking, frame: tip, kp: 1e6, kd: 100, rows: position}\n"
#define QP                                                                                                \
  "  - {name: plan, type: task_qp, joints: [j1, j2, j3], effort: 1e9, tasks: [{frame: tip, axes: [x, y, " \
  "z], kp: 1e6, kd: 100}]}\n"

static void check_law(const char* text, const char* law) {
  fb_scenario* s = parse(text);
  const char* reason = fb_scenario_integrator_reason(s);
  print_message("%s: %s\n", fb_scenario_integrator(s), reason);
  if (!strstr(reason, law)) fail_msg("%s is not named: %s", law, reason);
  fb_sim* sim = run(s, 0.5);
  for (int k = 0; k < fb_model_nv(fb_sim_model(sim)); k++) assert_true(fabs(fb_sim_v(sim)[k]) < 100);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void auto_counts_laws_that_declare_no_gains(void** unused) {
  (void)unused;
  check_law(ARM "control:\n" IMPEDANCE "}\n", "law 'hand'");
  check_law(ARM "control:\n" SCRIPT, "law 'script'");
  check_law(ARM "control:\n" TRACKING, "law 'track'");
  check_law(ARM "control:\n" QP, "law 'plan'");
}

/* A law of another mode counts too: the event that brings it does not change the step. */
static void auto_counts_the_laws_of_every_mode(void** unused) {
  (void)unused;
  check_law(ARM "modes: [rest, work]\ncontrol:\n" IMPEDANCE
                ", mode: work}\nevents: [{at: 0.1 s, do: [{mode: work}]}]\n",
            "law 'hand'");
}

static void a_step_too_long_for_such_a_law_is_said_before_the_run(void** unused) {
  (void)unused;
  char text[400];
  fb_scenario* s = parse(ARM "integrator: {method: rk4, step: 10 ms}\ncontrol:\n" IMPEDANCE "}\n");
  assert_true(fb_scenario_stiffness(s, text, sizeof text));
  assert_non_null(strstr(text, "steps of 10 ms are too long for rk4 with law 'hand'"));
  fb_scenario_free(s);
  s = parse(ARM "integrator: {method: rk4, step: 10 ms}\ncontrol:\n" IMPEDANCE ", sample: {rate: 100 Hz}}\n");
  assert_false(fb_scenario_stiffness(s, text, sizeof text)); /* it holds its force: no spring */
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_counts_laws_that_declare_no_gains),
      cmocka_unit_test(auto_counts_the_laws_of_every_mode),
      cmocka_unit_test(a_step_too_long_for_such_a_law_is_said_before_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
