/* test_run_struck.c -- what an impact does to joints: those that are moved, those that stick, and those on their limits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include <freebody/run.h>

#include "run/job/job.h"
#include "scenario_rig.h"

/* Methods that locate impacts, and the one that steps over them. */
static const char* const METHODS[] = {"dopri5", "rk4", "rkmk4", "semi_implicit", "moreau"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

#define SLIDER "joint: {type: prismatic, axis: [1, 0, 0]"
#define BOX(x, y, z) \
  "inertia: [0.01, 0.01, 0.01, 0, 0, 0], shapes: [{kind: box, size: [" x ", " y ", " z "]}]}"
#define BALL \
  "{name: ball, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, radius: 0.1}]}"

/* The run of a scenario by a method. */
static fb_run* start_by(const char* scene, const char* method) {
  char text[2000];
  fb_error error;
  fb_run* run = NULL;
  snprintf(text, sizeof text, "scenario: 1\n%sintegrator: {method: %s, step: 0.5 ms}\n", scene, method);
  fb_scenario* s = parse(text);
  if (fb_run_create(s, NULL, NULL, &run, &error)) fail_msg("%s: %s", method, error.text);
  return run;
}

/* To its end; its ledger must close. */
static void finish(fb_run* run, const char* method, fb_run_summary* summary) {
  fb_error error;
  if (fb_run_until(run, INFINITY, INFINITY, &error)) fail_msg("%s: %s", method, error.text);
  fb_run_summarise(run, summary);
  if (summary->warning[0]) fail_msg("%s: %s", method, summary->warning);
}

static fb_run* run_by(const char* scene, const char* method, fb_run_summary* summary) {
  fb_run* run = start_by(scene, method);
  finish(run, method, summary);
  return run;
}

static void end_run(fb_run* run) {
  fb_scenario* s = (fb_scenario*)(uintptr_t)run->scenario;
  fb_run_free(run);
  fb_scenario_free(s);
}

static void assert_about(double value, double expected, double tolerance, const char* what,
                         const char* method) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%s, %s: %.9g, not %.9g", what, method, value, expected);
}

/* ---- joints that are moved ---- */

static void what_moves_a_joint_that_is_struck_does_work(void** state) {
  (void)state;
  static const struct {
    const char *what, *scene;
    double work, impacts; /* of all contacts */
  } CASES[] = {
      /* 1 m/s becomes -1.2 m/s */
      {"a ball thrown back by a plate",
       "model: {bodies: [{name: plate, mass: 1, " SLIDER ", at: [1, 0, 0]}, " BOX(
           "0.1", "1", "1") ", " BALL
                            "]}\ngravity: none\nmotions: [{joint: plate, rate: -0.1}]\nduration: 1\n"
                            "contacts: [{name: c, a: ball, b: plate, restitution: 1}]\n"
                            "start: {bases: {ball: {velocity: [1, 0, 0]}}}\n",
       0.22, 0},
      /* it falls by 10 cm, and is brought to 0.5 m/s: half of the work is lost in friction */
      {"a box that falls on a conveyor",
       "model: {bodies: [{name: belt, mass: 1, " SLIDER
       "}, " BOX("2", "2", "0.1") ", {name: box, mass: 1, " BOX(
           "0.2", "0.2",
           "0.2") "]}\ngravity: [0, 0, -10]\nmotions: [{joint: belt, rate: 0.5}]\nduration: 0.3\n"
                  "contacts: [{name: c, a: box, b: belt, friction: 0.5}]\n"
                  "start: {bases: {box: {at: [0, 0, 0.25]}}}\n",
       0.25, -1.125},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int k = 0; k < METHOD_COUNT; k++) {
      fb_run_summary summary;
      end_run(run_by(CASES[i].scene, METHODS[k], &summary));
      const fb_ledger* l = &summary.ledger;
      assert_about(l->work, CASES[i].work, 1e-6, CASES[i].what, METHODS[k]);
      assert_about(l->normal + l->friction, CASES[i].impacts, 0.02, CASES[i].what, METHODS[k]);
      assert_about(l->world_residual, 0, 0.01, CASES[i].what, METHODS[k]);
    }
}

/* ---- joints at rest ---- */

/* The arm is a rod of 1 kg with 1/3 kg m^2 about its hinge, struck at 0.8 m by a ball of 1 kg; the slider has 2 kg. */
#define ARM(friction)                                                                                   \
  "model: {bodies: [{name: arm, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.083333333333333333, "      \
  "0.083333333333333333, 0, 0, 0], joint: {type: revolute, axis: [0, 0, 1], friction: " friction        \
  "}, shapes: [{kind: capsule, radius: 0.02, length: 1, at: [0.5, 0, 0], rpy: [0, 90 deg, 0]}]}, " BALL \
  "]}\n"                                                                                                \
  "friction_law: stiction\ngravity: none\n"
#define CAR(limits, x, v)                                                                               \
  "model: {bodies: [{name: car, mass: 2, " SLIDER ", limits: " limits "}, " BOX(                        \
      "0.2", "0.2", "0.2") ", " BALL                                                                    \
                           "]}\nlimits: contact\ngravity: [-0.5, 0, 0]\nstart: {bases: {ball: {at: [" x \
                           ", 0, 0], velocity: [" v ", 0, 0]}}}\n"
#define STRIKES "contacts: [{name: c, a: ball, b: "
#define SHORT "}]\nduration: 50 ms\n"

/* Rates of the joint and of the ball, along which it came, just after the impact: e = 0.5. */
static void an_impact_moves_joints_that_stick_or_rest_on_a_limit(void** state) {
  (void)state;
  static const double INERTIA = 1.0 / 3, AT = 0.8;
  const double arm = 3 * AT / (INERTIA + AT * AT), car = 3.0 / 3;
  const struct {
    const char *what, *scene;
    int ball; /* its coordinate */
    double joint_rate, ball_rate;
  } CASES[] = {
      {"an arm that sticks",
       ARM("0.1") "start: {bases: {ball: {at: [0.8, -0.16, 0], velocity: [0, 2, 0]}}}\n" STRIKES
                  "arm, restitution: 0.5" SHORT,
       2, arm, 2 - arm * INERTIA / AT},
      {"a slider on its limit", CAR("[0, 1]", "-0.26", "2") STRIKES "car, restitution: 0.5" SHORT, 1, car, 0},
      {"a slider pushed into its limit", CAR("[0, 1]", "0.26", "-2") STRIKES "car, restitution: 0.5" SHORT, 1,
       0, 1},
      {"a slider out of reach", CAR("[0, 1]", "0.26", "2") STRIKES "car, restitution: 0.5" SHORT, 1, 0, 2},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int k = 0; k < METHOD_COUNT; k++) {
      fb_run_summary summary;
      fb_run* run = run_by(CASES[i].scene, METHODS[k], &summary);
      const double* v = fb_sim_v(run->sim);
      assert_about(v[0], CASES[i].joint_rate, 0.06, CASES[i].what, METHODS[k]); /* forces act as well */
      assert_about(v[CASES[i].ball], CASES[i].ball_rate, 0.06, CASES[i].what, METHODS[k]);
      assert_about(summary.ledger.world_residual, 0, 0.001, CASES[i].what, METHODS[k]);
      end_run(run);
    }
}

/* A bounce that a program asks for holds its joint as a limit does, where there is none. */
static void an_impact_moves_a_joint_that_a_bounce_left_at_rest_only_away_from_it(void** state) {
  (void)state;
  static const struct {
    const char *what, *scene;
    double joint_rate, ball_rate;
  } CASES[] = {
      {"away", CAR("[-9, 9]", "-0.26", "2") STRIKES "car, restitution: 0.5" SHORT, 1, 0},
      {"back", CAR("[-9, 9]", "0.26", "-2") STRIKES "car, restitution: 0.5" SHORT, 0, 1},
  };
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) { /* methods of order one lose more than the bounce */
      fb_run_summary summary;
      fb_error error;
      fb_run* run = start_by(CASES[i].scene, METHODS[k]);
      assert_int_equal(fb_run_until(run, 1e-3, INFINITY, &error), FB_OK);
      assert_int_equal(fb_sim_bounce(run->sim, 0, 0, &error), FB_OK);
      assert_true(fb_sim_rests(run->sim, 0));
      finish(run, METHODS[k], &summary);
      assert_about(fb_sim_v(run->sim)[0], CASES[i].joint_rate, 0.06, CASES[i].what, METHODS[k]);
      assert_about(fb_sim_v(run->sim)[1], CASES[i].ball_rate, 0.06, CASES[i].what, METHODS[k]);
      assert_int_equal(fb_sim_rests(run->sim, 0), i == 1);
      end_run(run);
    }
}

/* ---- limits that are run into ---- */

/* Two boxes of 2 and 1 kg that go at 1 m/s, the slider ahead, until it reaches its limit. */
#define TRAIN(restitution, friction) \
  "model: {bodies: [{name: car, mass: 2, " SLIDER ", limits: [-1, 0.1]}, " BOX("0.2", "0.2", "0.2") ", {name: "  \
  "box, mass: 1, " BOX("0.2", "0.2", "0.2") "]}\ngravity: none\nduration: 0.2\n"                                 \
  "events: [{name: stops, limit: all, do: [{bounce: {restitution: " restitution "}}]}]\n"                        \
  "contacts: [{name: c, a: box, b: car, friction: " friction "}]\n"                                              \
  "start: {rates: {car: 1}, bases: {box: {at: [-0.2, 0, 0], velocity: [1, 0, 0]}}}\n"

static void what_pushes_from_behind_is_stopped_with_a_joint_that_reaches_its_limit(void** state) {
  (void)state;
  static const struct {
    const char *what, *scene;
    double rate; /* of both afterwards */
    double stop; /* work of the limit */
  } CASES[] = {
      {"no friction, no rebound", TRAIN("0", "0"), 0, -1.5},
      {"friction, no rebound", TRAIN("0", "0.3"), 0, -1.5},
      {"a rebound by half", TRAIN("0.5", "0.3"), -0.5, -1.125},
      {"a full rebound", TRAIN("1", "0"), -1, 0},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int k = 0; k < METHOD_COUNT; k++) {
      fb_run_summary summary;
      fb_run* run = run_by(CASES[i].scene, METHODS[k], &summary);
      const fb_ledger* l = &summary.ledger;
      const double* v = fb_sim_v(run->sim);
      assert_about(v[0], CASES[i].rate, 1e-9, CASES[i].what, METHODS[k]);
      assert_about(v[1], CASES[i].rate, 1e-9, CASES[i].what, METHODS[k]);
      assert_about(l->impacts - l->dissipated, CASES[i].stop, 1e-9, CASES[i].what, METHODS[k]);
      assert_about(l->world_residual, 0, 1e-9, CASES[i].what, METHODS[k]);
      end_run(run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_moves_a_joint_that_is_struck_does_work),
      cmocka_unit_test(an_impact_moves_joints_that_stick_or_rest_on_a_limit),
      cmocka_unit_test(an_impact_moves_a_joint_that_a_bounce_left_at_rest_only_away_from_it),
      cmocka_unit_test(what_pushes_from_behind_is_stopped_with_a_joint_that_reaches_its_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
