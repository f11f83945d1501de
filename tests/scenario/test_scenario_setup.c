/* test_scenario_setup.c -- what a program adds to the simulations of a scenario, before they start. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/run.h>
#include <freebody/scenario.h>

#include "base/cookie.h"

/* Its own motion, limit and event; what is added must not take their places. */
static const char TEXT[] =
    "scenario: 1\n"
    "model:\n"
    "  bodies:\n"
    "    - {name: rod, joint: {name: pin, type: revolute, axis: [0, 1, 0], limits: [-1, 1]}, mass: 1,\n"
    "       inertia: [1, 1, 1, 0, 0, 0]}\n"
    "    - {name: fan, joint: {name: spin, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, "
    "0, 0]}\n"
    "limits: contact\n"
    "motions: [{name: turn, joint: spin, rate: 0.5}]\n"
    "events: [{name: end, at: 0.5 s, do: [{stop: true}]}]\n"
    "duration: 2 s\n";

static fb_scenario* parsed(void) {
  fb_scenario* s = NULL;
  fb_error error;
  if (fb_scenario_parse(TEXT, strlen(TEXT), "text.yaml", NULL, &s, &error)) fail_msg("%s", error.text);
  return s;
}

typedef struct counts {
  int setups, events;
} counts;

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += 2; /* on the pin, whose inertia is 1 */
  return FB_OK;
}

static fb_status count(void* user, fb_sim* sim, fb_error* error) {
  (void)sim, (void)error;
  ((counts*)user)->events++;
  return FB_OK;
}

static fb_status add(void* user, fb_sim* sim, fb_error* error) {
  fb_block push = fb_default_block();
  const fb_limit wall = {.coordinate = 0, .side = 1, .level = 0.9, .cookie_ = FB_COOKIE};
  const fb_motion slow = {.kind = FB_MOTION_RATE, .rate = 0.1, .cookie_ = FB_COOKIE};
  const fb_event often = {.name = "often",
                          .kind = FB_TRIGGER_TIME,
                          .time = 0.1,
                          .period = 0.1,
                          .act = count,
                          .user = user,
                          .cookie_ = FB_COOKIE};
  push.name = "push";
  push.act = act;
  ((counts*)user)->setups++;
  fb_status status = fb_sim_add_block(sim, &push, NULL, error);
  if (!status) status = fb_sim_add_motion(sim, &slow, NULL, error);
  if (!status) status = fb_sim_add_limit(sim, &wall, NULL, error);
  return status ? status : fb_sim_add_event(sim, &often, NULL, error);
}

static void a_scenario_with_additions_has_both_kinds_of_events_and_motions(void** state) {
  (void)state;
  fb_scenario* s = parsed();
  fb_run* run = NULL;
  fb_error error;
  counts seen = {0, 0};
  fb_run_summary summary;
  fb_scenario_set_setup(s, add, &seen);
  assert_int_equal(fb_run_create(s, NULL, NULL, &run, &error), FB_OK);
  assert_int_equal(fb_run_until(run, INFINITY, INFINITY, &error), FB_OK);
  fb_run_summarise(run, &summary);
  assert_int_equal(summary.state, FB_RUN_STOPPED); /* by the event of the file */
  assert_true(fabs(summary.t - 0.5) < 1e-12);
  assert_true(seen.events == 4 || seen.events == 5); /* the last falls on the stop */
  assert_int_equal(seen.setups, 1);
  fb_run_free(run);

  fb_sim* sim = NULL;
  assert_int_equal(fb_sim_build(s, &sim, &error), FB_OK);
  assert_int_equal(fb_sim_run_until(sim, 0.4, &error), FB_OK);
  assert_true(fabs(fb_sim_q(sim)[0] - 0.16) < 1e-9); /* 2 t^2 / 2 */
  assert_true(fabs(fb_sim_v(sim)[1] - 0.5) < 1e-12); /* the motion of the file, not the one added */
  fb_sim_free(sim);

  fb_scenario_set_setup(s, NULL, NULL);
  assert_int_equal(fb_sim_build(s, &sim, &error), FB_OK);
  assert_int_equal(fb_sim_run_until(sim, 0.4, &error), FB_OK);
  assert_true(fabs(fb_sim_q(sim)[0]) < 1e-12);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static fb_status refuse(void* user, fb_sim* sim, fb_error* error) {
  (void)user, (void)sim;
  return fb_fail(error, FB_ERR_UNSUPPORTED, "not today");
}

static void an_addition_that_fails_leaves_no_simulation(void** state) {
  (void)state;
  fb_scenario* s = parsed();
  fb_sim* sim = NULL;
  fb_error error;
  fb_scenario_set_setup(s, refuse, NULL);
  assert_int_equal(fb_sim_build(s, &sim, &error), FB_ERR_UNSUPPORTED);
  assert_null(sim);
  assert_string_equal(error.text, "not today");
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scenario_with_additions_has_both_kinds_of_events_and_motions),
      cmocka_unit_test(an_addition_that_fails_leaves_no_simulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
