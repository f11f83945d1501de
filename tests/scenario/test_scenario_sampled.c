/* test_scenario_sampled.c -- sampled laws that are too slow for their gains are told before the run, exactly where the motion grows; a
 * joint that runs away is named with its law; events that only repeat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scenario_rig.h"
#include "sim_rig.h"

/* A joint that moves 0.5 kg m^2, with a sampled law. */
#define LAW                                                                                            \
  "scenario: 1\nmodel: {bodies: [{name: arm, joint: {type: revolute, axis: [0, 0, 1], damping: 0.2}, " \
  "mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}]}\nduration: 3\nstart: {joints: {arm: 1e-3}}\n"             \
  "control: [{name: c, type: %s, joints: arm, kp: %g, kd: %g, target: {arm: 0}%s, "                    \
  "sample: {rate: 100 Hz, delay: %g ms}}]\n"

static fb_scenario* parse_or_fail(const char* text) {
  fb_scenario* s;
  fb_error error;
  if (fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error)) fail_msg("%s", error.text);
  return s;
}

static void keep_sampled(void* user, fb_place place, const char* text) {
  (void)place;
  if (strstr(text, "is sampled every")) snprintf((char*)user, 400, "%s", text);
}

/* The amplitude after 3 s of an oscillation at omega, and at the start. */
static double run_for(const fb_scenario* s, double omega, double* begun) {
  fb_sim* sim;
  fb_error error;
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  *begun = fabs(fb_sim_q(sim)[0]);
  double late = fb_sim_run_until(sim, 3, &error) ? INFINITY : 0;
  if (late == 0) late = hypot(fb_sim_q(sim)[0], fb_sim_v(sim)[0] / omega);
  fb_sim_free(sim);
  return late;
}

static void advice_is_given_where_the_motion_grows_and_only_there(void** unused) {
  (void)unused;
  static const double KP[] = {20, 200, 600, 1500, 4000}, DAMPED[] = {0.05, 0.7, 2}, DELAYS[] = {0, 4, 13};
  int grown = 0, calm = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        for (int computed = 0; computed < 2; computed++) {
          char text[1024], advice[400] = "";
          double begun, inertia = computed ? 1 : 0.5, kd = 2 * DAMPED[j] * sqrt(KP[i] * inertia);
          snprintf(text, sizeof text, LAW, computed ? "computed_torque" : "joint_pd", KP[i], kd, "",
                   DELAYS[k]);
          fb_scenario* s = parse_or_fail(text);
          fb_scenario_advise(s, keep_sampled, advice);
          double late = run_for(s, sqrt(KP[i] / inertia), &begun);
          if (late > 3 * begun && !advice[0]) fail_msg("%sgrew to %g without advice", text, late);
          if (late < 0.7 * begun && advice[0]) fail_msg("%sshrank to %g: %s", text, late, advice);
          if (advice[0])
            grown++;
          else
            calm++;
          fb_scenario_free(s);
        }
  print_message("%d grow, %d do not\n", grown, calm);
  assert_true(grown > 20 && calm > 20);
}

/* The fastest that the satellite turns between two times; INFINITY where the run ends. */
static double fastest(fb_sim* sim, double from, double to) {
  double most = 0;
  fb_error error;
  if (fb_sim_run_until(sim, from, &error)) return INFINITY;
  for (double t = from; t <= to; t += (to - from) / 100) {
    if (fb_sim_run_until(sim, t, &error)) return INFINITY;
    for (int i = 3; i < 6; i++) most = fmax(most, fabs(fb_sim_v(sim)[i]));
  }
  return most;
}

static void advice_is_given_of_attitudes_too(void** unused) {
  (void)unused;
  static const double KP[] = {5, 50, 300}, DAMPED[] = {0.1, 0.7, 3}, PERIODS[] = {0.05, 0.3, 1};
  int grown = 0, calm = 0;
  for (int i = 0; i < 27; i++) {
    char text[1024], advice[400] = "";
    fb_error error;
    fb_sim* sim;
    double kp = KP[i / 9], kd = 2 * DAMPED[i / 3 % 3] * sqrt(10 * kp), period = PERIODS[i % 3];
    snprintf(text, sizeof text,
             "scenario: 1\nmodel: {bodies: [{name: hull, joint: {type: free}, mass: 100, com: [0.1, 0, 0], "
             "inertia: "
             "[10, 12, 15, 0, 0, 0]}]}\nstart: {base: {angular_velocity: [1e-4, 2e-4, 1e-4]}}\ncontrol: "
             "[{name: c, "
             "type: attitude, kp: %g, kd: %g, sample: {period: %g, delay: %g}}]\n",
             kp, kd, period, 0.4 * period);
    fb_scenario* s = parse_or_fail(text);
    fb_scenario_advise(s, keep_sampled, advice);
    if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
    double begun = 2e-4, late = fastest(sim, 100 * period, 150 * period);
    if (late > 3 * begun && !advice[0]) fail_msg("%sgrew to %g without advice", text, late);
    if (late < 0.5 * begun && advice[0]) fail_msg("%sshrank to %g: %s", text, late, advice);
    if (advice[0])
      grown++;
    else
      calm++;
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
  print_message("%d grow, %d do not\n", grown, calm);
  assert_true(grown > 5 && calm > 5);
}

static void a_joint_that_runs_away_is_named_with_its_law(void** unused) {
  (void)unused;
  static const char* const WORDS[] = {"\"arm\" runs away", "law \"c\" pushes it", "30 ms apart",
                                      "smaller gains"};
  fb_sim* sim;
  fb_error error;
  fb_scenario* s = parse_or_fail(
      "scenario: 1\nmodel: {bodies: [{name: base, joint: {type: free}, mass: 10, inertia: [1, 1, 1, 0, 0, "
      "0]}, "
      "{name: arm, parent: base, joint: {type: revolute, axis: [0, 0, 1], at: [0.3, 0, 0]}, mass: 1, com: "
      "[0.4, 0, 0], "
      "inertia: [0.01, 0.05, 0.05, 0, 0, 0]}]}\ncontrol: [{name: c, type: joint_pd, joints: arm, kp: 5000, "
      "kd: 100, "
      "target: {arm: 0.5}, sample: {period: 30 ms, delay: 13 ms}}]\n");
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_sim_run_until(sim, 8, &error), FB_ERR_NO_SOLUTION);
  print_message("%s\n", error.text);
  for (int i = 0; i < 4; i++) assert_non_null(strstr(error.text, WORDS[i]));
  assert_true(fb_sim_nstep(sim) < 200000);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* The run went on with ever shorter steps, and did not end. */
static void a_satellite_that_its_sampled_law_throws_about_is_named_with_the_law(void** unused) {
  (void)unused;
  static const char* const WORDS[] = {"\"hull\" runs away", "law \"att\" pushes it", "100 ms apart",
                                      "smaller gains"};
  fb_sim* sim;
  fb_error error;
  fb_scenario* s = parse_or_fail(
      "scenario: 1\nmodel: {bodies: [{name: hull, joint: {type: free}, mass: 100, inertia: [10, 12, 15, 0, "
      "0, "
      "0]}]}\nstart: {base: {angular_velocity: [0.01, 0.02, 0]}}\n"
      "control: [{name: att, type: attitude, kp: 50, kd: 400, sample: {period: 100 ms, delay: 50 ms}}]\n");
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_sim_run_until(sim, 6, &error), FB_ERR_NO_SOLUTION);
  print_message("%s\n", error.text);
  for (int i = 0; i < 4; i++) assert_non_null(strstr(error.text, WORDS[i]));
  assert_true(fb_sim_nstep(sim) < 50000);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void an_event_with_every_alone_begins_after_its_first_period(void** unused) {
  (void)unused;
  fb_sim* sim;
  fb_error error;
  fb_scenario* s = parse_or_fail(
      "scenario: 1\nmodel: robot.yaml\nduration: 10\nevents: [{name: beat, every: 2 s, do: [{stop: "
      "true}]}]\n");
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  run_or_fail(sim, 10);
  assert_true(fb_sim_stopped(sim));
  assert_true(fabs(fb_sim_time(sim) - 2) < 1e-12);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(advice_is_given_where_the_motion_grows_and_only_there),
      cmocka_unit_test(advice_is_given_of_attitudes_too),
      cmocka_unit_test(a_joint_that_runs_away_is_named_with_its_law),
      cmocka_unit_test(a_satellite_that_its_sampled_law_throws_about_is_named_with_the_law),
      cmocka_unit_test(an_event_with_every_alone_begins_after_its_first_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
