/* test_scenario_defaults.c -- scenarios that name no integrator: what is chosen for them, and that they end where exact runs do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "scenario_rig.h"

#define EXACT "integrator: {method: dopri5, rtol: 1e-10, atol: 1e-12}\n"

/* Coordinate k at the end of the run, and how many steps it made. */
static double end_of(const char* text, double t, int k, long long* steps) {
  fb_scenario* s = parse(text);
  print_message("%s: %s\n", fb_scenario_integrator(s), fb_scenario_integrator_reason(s));
  fb_sim* sim = run(s, t);
  double q = fb_sim_q(sim)[k];
  if (steps) *steps = fb_sim_nstep(sim);
  fb_sim_free(sim);
  fb_scenario_free(s);
  return q;
}

static void assert_end(const char* what, double found, double expected, double tolerance) {
  if (!(fabs(found - expected) <= tolerance))
    fail_msg("%s: %.10g instead of %.10g, off by %.2e", what, found, expected, found - expected);
}

/* ---- jumps of the force ---- */

#define BALL                                                                                       \
  "scenario: 1\nduration: 0.6 s\ngravity: [0, 0, -9.81]\nmodel:\n  bodies:\n"                      \
  "  - {name: a, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], joint: {name: f, type: free}, " \
  "shapes: [{kind: sphere, radius: 0.1}]}\n"                                                       \
  "start: {base: {at: [0, 0, 1], velocity: [1, 0, 0]}}\n"                                          \
  "surfaces: [{name: ground, kind: plane}]\n"                                                      \
  "contacts: [{name: c, a: a, b: ground, law: spring, stiffness: 1e4, friction: 0.5, damping: "

/* The ball does not turn before: its angular momentum was compared with that of the step alone, which goes with the step as its error
 * does. */
static void a_ball_thrown_onto_a_damped_spring_slides_on(void** unused) {
  (void)unused;
  static const char* const rows[][2] = {{BALL "50}]\n", BALL "50}]\n" EXACT},
                                        {BALL "500}]\n", BALL "500}]\n" EXACT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_end("x of the ball", end_of(rows[i][0], 0.6, 0, NULL), end_of(rows[i][1], 0.6, 0, NULL), 1e-6);
}

static void a_step_that_is_given_fixes_the_steps_with_compliant_contacts(void** unused) {
  (void)unused;
  fb_scenario* s = parse(BALL "50}]\nintegrator: {step: 0.2 ms}\n");
  assert_string_equal(fb_scenario_integrator(s), "rk4, 0.2 ms");
  fb_sim* sim = run(s, 0.6);
  assert_int_equal(fb_sim_nstep(sim), 3000);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* ---- laws that compensate dampers ---- */

#define LINK                                                                                                \
  "scenario: 1\nduration: 1 s\ngravity: [0, 0, -9.81]\nmodel:\n  bodies:\n"                                 \
  "  - {name: a, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.002, 0, 0, 0], joint: {name: j, "    \
  "type: "                                                                                                  \
  "revolute, axis: [0, 1, 0], damping: 3e4, stiffness: 1e5, friction: 2}, frames: [{name: tip, at: [0, 0, " \
  "-1]}]}\n"
#define COMPUTED LINK "control: [{type: computed_torque, name: p, kp: 25, target: [0.5]}]\n"
#define BOUNDED LINK "control: [{type: computed_torque, name: p, kp: 25, target: [0.5], effort: 3e3}]\n"
#define TASK                                                                                               \
  LINK "control: [{type: task_qp, name: p, joints: [j], effort: 1e9, tasks: [{frame: tip, axes: [x], kp: " \
       "25, kd: 10}]}]\n"

/* e'' + 10 e' + 25 e = 0, whatever the joint has. */
static double angle_at(double t) {
  return 0.5 - 0.5 * (1 + 5 * t) * exp(-5 * t);
}

static void a_joint_whose_damper_is_compensated_takes_few_steps(void** unused) {
  (void)unused;
  static const char* const rows[] = {COMPUTED, COMPUTED "integrator: {step: 5 ms}\n",
                                     COMPUTED "integrator: {method: implicit}\n",
                                     COMPUTED "integrator: {method: implicit, step: 1 ms}\n"};
  static const int most[] = {200, 200, 3000, 1000};
  static const double tolerance[] = {1e-7, 1e-7, 1e-6, 1e-6};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    long long steps;
    assert_end("angle", end_of(rows[i], 1, 0, &steps), angle_at(1), tolerance[i]);
    print_message("%lld steps\n", steps);
    assert_true(steps <= most[i]);
  }
}

/* At its bound the law compensates nothing, and the damper is there. */
static void a_law_at_its_bound_leaves_the_joint_stiff(void** unused) {
  (void)unused;
  long long steps;
  double end = end_of(BOUNDED, 0.2, 0, &steps);
  print_message("%lld steps\n", steps);
  assert_true(steps < 4000);
  assert_end("angle", end, end_of(BOUNDED EXACT, 0.2, 0, NULL), 1e-6);
}

static void a_law_of_a_frame_that_compensates_dampers_is_not_called_stiff(void** unused) {
  (void)unused;
  char text[400];
  long long steps;
  fb_scenario* s = parse(TASK);
  assert_false(fb_scenario_stiffness(s, text, sizeof text));
  fb_scenario_free(s);
  end_of(TASK, 1, 0, &steps);
  print_message("%lld steps\n", steps);
  assert_true(steps < 400);
  s = parse(TASK "integrator: {method: implicit, step: 1 ms}\n");
  assert_true(fb_scenario_stiffness(s, text, sizeof text));
  assert_non_null(strstr(text, "not that law 'p' compensates them"));
  fb_scenario_free(s);
}

/* Friction has no slope where the joint moves, and all of it in the rate of the joint. */
static void nor_where_a_joint_with_friction_moves_at_the_start(void** unused) {
  (void)unused;
  static const char arm[] =
      "scenario: 1\nduration: 2 s\ngravity: [0, 0, -9.81]\nmodel:\n  bodies:\n"
      "  - {name: u, joint: {name: j1, type: revolute, axis: [0, 1, 0], damping: 50}, mass: 3, com: [0.2, 0, "
      "0], "
      "inertia: [0.01, 0.05, 0.05, 0, 0, 0]}\n"
      "  - {name: l, parent: u, joint: {name: j2, type: revolute, axis: [0, 1, 0], at: [0.4, 0, 0], damping: "
      "50, "
      "friction: 1}, mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03, 0, 0, 0], "
      "frames: [{name: tip, at: [0.4, 0, 0]}]}\n"
      "start: {joints: {j1: 0.3, j2: 1}, rates: {j1: 0.5, j2: 0.5}}\n"
      "control: [{name: p, type: impedance, frame: tip, rows: position, kp: 200, kd: 20, from_start: true, "
      "position: {times: [0, 0.5], x: [0, 0.1], z: [0, 0.05]}}]\n"
      "integrator: {step: 5 ms}\n";
  fb_scenario* s = parse(arm);
  assert_string_equal(fb_scenario_integrator(s), "rk4, 5 ms");
  fb_scenario_free(s);
}

/* ---- pushes that nobody announces ---- */

#define TWO                                                                                               \
  "scenario: 1\nduration: 0.5 s\nmodel:\n  bodies:\n"                                                     \
  "  - {name: a, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.002, 0, 0, 0], joint: {name: i, "  \
  "type: revolute, axis: [0, 1, 0], damping: 3e3}}\n"                                                     \
  "  - {name: b, parent: a, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.002, 0, 0, 0], joint: " \
  "{name: j, type: revolute, axis: [0, 1, 0], at: [0, 0, -1]}}\n"                                         \
  "control:\n  - name: s\n    type: lua\n    text: |\n      function act(t, q, v)\n"                      \
  "        if t > 0.2037 and t < 0.2573 then return {0, 3} end\n        return {0, 0}\n      end\n"

/* In steps of 10 ms the joint would be off by 3 N m for up to 2.5 ms at either end. */
static void a_script_beside_a_stiff_joint_pushes_as_long_as_it_says(void** unused) {
  (void)unused;
  fb_scenario* s = parse(TWO);
  assert_non_null(strstr(fb_scenario_integrator(s), "implicit"));
  fb_scenario_free(s);
  assert_end("angle", end_of(TWO, 0.5, 1, NULL), end_of(TWO EXACT, 0.5, 1, NULL), 1e-6);
}

#define REST                                                                                                 \
  "scenario: 1\nduration: 100 s\nmodel:\n  bodies:\n"                                                        \
  "  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: j, type: revolute, axis: [0, 0, 1]}}\n" \
  "control:\n  - name: s\n    type: lua\n    text: |\n      function act(t, q, v)\n"                         \
  "        if t > 51.2 and t < 51.3 then return {2} end\n        return {0}\n      end\n"

/* Whatever the method is called: the block itself says how long steps may be. */
static void no_method_with_error_control_passes_over_a_push_of_a_script(void** unused) {
  (void)unused;
  static const char* const methods[] = {"", "integrator: {method: dopri5}\n",
                                        "integrator: {method: implicit}\n"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    char text[1000];
    strcpy(text, REST);
    assert_end(methods[i], end_of(strcat(text, methods[i]), 100, 0, NULL), 0.2 * (100 - 51.25), 1e-4);
  }
}

/* ---- vibrations ---- */

/* A stiff damper beside a spring that rings at 1000 1/s: implicit would make 170 steps for each radian. */
static void a_spring_that_rings_beside_a_stiff_joint_takes_dopri5(void** unused) {
  (void)unused;
  static const char* const text =
      "scenario: 1\nduration: 0.1 s\nmodel:\n  bodies:\n"
      "  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: {name: i, type: revolute, axis: [0, "
      "0, 1], damping: 1e3}}\n"
      "  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: {name: j, type: prismatic, axis: [1, "
      "0, 0]}}\n"
      "start: {joints: {j: 1 m}, rates: {j: 1}}\n"
      "forces: [{type: spring, name: s, a: world, b: b, stiffness: 1e6, length: 1}]\n";
  long long steps;
  double end = end_of(text, 0.1, 1, &steps);
  print_message("%lld steps\n", steps);
  assert_true(steps < 2000);
  assert_end("place", end, 1 + 1e-3 * sin(100), 1e-5);
}

/* ---- hard contacts ---- */

#define LEG                                                                                                \
  "scenario: 1\nduration: 0.05 s\ngravity: [0, 0, -9.81]\nmodel:\n  bodies:\n"                             \
  "  - {name: t, mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: {name: z, type: prismatic, axis: [0, " \
  "0, 1]}}\n"                                                                                              \
  "  - {name: a, parent: t, mass: 0.5, com: [0, 0, -0.15], inertia: [4e-3, 4e-3, 1e-4, 0, 0, 0], joint: "  \
  "{name: hip, "                                                                                           \
  "type: revolute, axis: [0, 1, 0]}}\n"                                                                    \
  "  - {name: b, parent: a, mass: 0.3, com: [0, 0, -0.15], inertia: [2e-3, 2e-3, 1e-4, 0, 0, 0], joint: "  \
  "{name: knee, "                                                                                          \
  "type: revolute, axis: [0, 1, 0], at: [0, 0, -0.3]}, frames: [{name: foot, at: [0, 0, -0.3]}]}\n"        \
  "start: {joints: {z: 0.55, hip: 0.5, knee: -1}}\nsurfaces: [{name: ground, kind: plane}]\n"              \
  "contacts: [{name: c, a: foot, b: ground, friction: 0.7}]\n"
#define STIFF_LEG LEG "control: [{type: joint_pd, name: p, joints: [hip, knee], kp: 3e4, kd: 300}]\n"
#define SCRIPTED_LEG                                                                                \
  LEG "control:\n  - {name: p, type: lua, text: \"function act(t, q, v) return {0, 1e4*(0.5-q[2])-" \
      "1e3*v[2], 1e4*(-1-q[3])-1e3*v[3]} end\"}\n"

static void the_step_of_moreau_follows_stiff_gains(void** unused) {
  (void)unused;
  assert_end("hip", end_of(STIFF_LEG, 0.05, 1, NULL), 0.5, 0.02);
  assert_end("hip", end_of(SCRIPTED_LEG, 0.05, 1, NULL), 0.5, 0.02);
}

/* What the contacts, or a script, make of a motion beyond bounds is not the reason. */
static void a_law_too_stiff_for_moreau_is_named(void** unused) {
  (void)unused;
  static const char* const rows[] = {
      STIFF_LEG "integrator: {step: 1 ms}\n", STIFF_LEG "integrator: {step: 62.5 us}\n",
      SCRIPTED_LEG "integrator: {step: 62.5 us}\n", SCRIPTED_LEG "integrator: {step: 30 us}\n"};
  int failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_scenario* s = parse(rows[i]);
    fb_sim* sim = make_sim(s);
    fb_error error;
    if (fb_sim_run_until(sim, 0.05, &error)) {
      print_message("%s\n", error.text);
      assert_non_null(strstr(error.text, "is too long for block \"p\""));
      assert_null(strstr(error.text, "implicit")); /* which takes no hard contacts */
      failed++;
    }
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
  assert_true(failed >= 2); /* some may bear it for as long */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_thrown_onto_a_damped_spring_slides_on),
      cmocka_unit_test(a_step_that_is_given_fixes_the_steps_with_compliant_contacts),
      cmocka_unit_test(a_joint_whose_damper_is_compensated_takes_few_steps),
      cmocka_unit_test(a_law_at_its_bound_leaves_the_joint_stiff),
      cmocka_unit_test(a_law_of_a_frame_that_compensates_dampers_is_not_called_stiff),
      cmocka_unit_test(nor_where_a_joint_with_friction_moves_at_the_start),
      cmocka_unit_test(a_script_beside_a_stiff_joint_pushes_as_long_as_it_says),
      cmocka_unit_test(no_method_with_error_control_passes_over_a_push_of_a_script),
      cmocka_unit_test(a_spring_that_rings_beside_a_stiff_joint_takes_dopri5),
      cmocka_unit_test(the_step_of_moreau_follows_stiff_gains),
      cmocka_unit_test(a_law_too_stiff_for_moreau_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
