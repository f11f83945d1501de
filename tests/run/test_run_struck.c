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

/* The run of a scenario by a method, to its end; its ledger must close. */
static fb_run* run_by(const char* scene, const char* method, fb_run_summary* summary) {
  char text[2000];
  fb_error error;
  fb_run* run = NULL;
  snprintf(text, sizeof text, "scenario: 1\n%sintegrator: {method: %s, step: 1 ms}\n", scene, method);
  fb_scenario* s = parse(text);
  if (fb_run_create(s, NULL, NULL, &run, &error) || fb_run_advance(run, INFINITY, INFINITY, &error))
    fail_msg("%s: %s", method, error.text);
  fb_run_summarise(run, summary);
  if (summary->warning[0]) fail_msg("%s: %s", method, summary->warning);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_moves_a_joint_that_is_struck_does_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
