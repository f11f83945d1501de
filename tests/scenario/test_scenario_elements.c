/* test_scenario_elements.c -- springs, tethers and bushings of a scenario: what is read, explained, logged and set by
 * events, and which method and step auto takes for them. What is refused is in test_scenario_malformed.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "near.h"
#include "scenario_rig.h"
#include "sim/sim.h"
#include "signal/signal_value.h"
#include "sim/access.h"

/* Two floating bodies of 2 kg and 6 kg, 3 m apart, and a damped hinge on the world; `what` is more of the scenario. */
#define PAIR(damping, what)                                                                        \
  "scenario: 1\nmodel:\n  bodies:\n"                                                               \
  "  - {name: hull, mass: 6, inertia: [2, 2, 2, 0, 0, 0], frames: [{name: eye, at: [1, 0, 0]}]}\n" \
  "  - {name: pod, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}\n"                                        \
  "  - {name: flap, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: hinge, type: revolute, "   \
  "axis: [0, 0, 1], damping: " damping                                                             \
  "}}\n"                                                                                           \
  "start: {bases: {pod: {at: [3, 0, 0]}}}\n" what

#define SPRING "forces: [{name: s, type: spring, a: eye, b: pod, "

static fb_scenario* parse_pair(const char* text) {
  fb_scenario* s = parse(text);
  assert_int_equal(s->nblock, 1);
  return s;
}

static void an_element_is_explained_in_one_line(void** state) {
  (void)state;
  static const struct {
    const char *text, *phrase;
  } ROWS[] = {
      {PAIR("0", SPRING "stiffness: 2 kN/m, damping: 3}]\n"),
       "s: spring between eye and pod: 2000 N/m, damping 3 N s/m, length as at the start\n"},
      {PAIR("0", SPRING "stiffness: 2, length: 50 cm, slack: true}]\n"),
       "s: tether between eye and pod: 2 N/m, length 0.5 m\n"},
      {PAIR("0", "forces: [{type: bushing, a: world, b: pod, stiffness: [1, 2, 3, 4 N m/rad, 5, 6]}]\n"),
       "forces[0]: bushing between world and pod: [1, 2, 3] N/m and [4, 5, 6] N m/rad, damping [0, 0, 0] N "
       "s/m and "
       "[0, 0, 0] N m s/rad\n"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_scenario* s = parse_pair(ROWS[i].text);
    char* text;
    size_t size;
    assert_int_equal(fb_scenario_explain(s, &text, &size, NULL), FB_OK);
    if (!strstr(text, ROWS[i].phrase)) fail_msg("'%s' is not in\n%s", ROWS[i].phrase, text);
    free(text);
    fb_scenario_free(s);
  }
}

static void what_an_element_gives_is_logged_and_drawn(void** state) {
  (void)state;
  static const char* const LOGGED[] = {"s.force", "s.length", "force.pod.x"};
  fb_scenario* s = parse_pair(PAIR("0", SPRING "stiffness: 8, length: 1}]\nlog: {signals: [s]}\n"));
  fb_signal* signals;
  fb_error error;
  int count;
  if (fb_scenario_logged(s, &signals, &count, &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < sizeof LOGGED / sizeof *LOGGED; i++) {
    int found = 0;
    for (int k = 0; k < count; k++) {
      fb_signal_info info;
      fb_scenario_signal_info(s, signals[k], &info);
      found += strcmp(info.name, LOGGED[i]) == 0;
    }
    if (found != 1) fail_msg("%s is logged %d times", LOGGED[i], found);
  }
  fb_sim* sim = make_sim(s);
  double values[2];
  if (fb_signal_eval(sim, 0, sim->y, signals, 2, values, &error)) fail_msg("%s", error.text);
  assert_near("force and length", values, (const double[]){8, 2}, 2, 1e-15);
  fb_sim_free(sim);
  free(signals);
  fb_scenario_free(s);
}

/* Reduced mass 1.5 kg; the pull goes through both centres of mass. */
static void an_event_winds_a_tether_and_the_ledger_books_the_work(void** state) {
  (void)state;
  fb_scenario* s = parse_pair(
      PAIR("0", SPRING "stiffness: 6, slack: true}]\n"
                       "events: [{at: 1, do: [{set: {block: s, parameter: length, value: 150 cm}}]}]\n"));
  fb_sim* sim = run(s, 1.5);
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  double gap =
      fb_sim_q(sim)[fb_joint_q_index(s->model, 2)] - fb_sim_q(sim)[fb_joint_q_index(s->model, 1)] - 1;
  assert_near("distance", &gap, &(double){1.5 + 0.5 * cos(2 * 0.5)}, 1, 1e-7);
  assert_near("work", &l.external, &(double){0.5 * 6 * 0.25}, 1, 1e-12);
  assert_near("energy", &(double){l.kinetic + l.potential}, &l.external, 1, 1e-7);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* The implicit method knows the slopes of joints, and none of elements. */
static void auto_leaves_elements_to_dopri5(void** state) {
  (void)state;
  static const struct {
    const char* text;
    fb_method method;
    double step;
  } ROWS[] = {{PAIR("0", SPRING "stiffness: 6}]\n"), FB_METHOD_DOPRI5, 0},
              {PAIR("0", SPRING "stiffness: 6e10}]\n"), FB_METHOD_DOPRI5, 0},
              {PAIR("0", SPRING "stiffness: 0, damping: 1.5e4}]\n"), FB_METHOD_DOPRI5, 0},
              {PAIR("1e6", SPRING "stiffness: 6e4}]\n"), FB_METHOD_IMPLICIT, 0},
              {PAIR("1e6", SPRING "stiffness: 6e10}]\n"), FB_METHOD_DOPRI5, 0},
              {PAIR("1e8", SPRING "stiffness: 6e10}]\n"), FB_METHOD_DOPRI5, 0},
              {PAIR("0", SPRING "stiffness: 6e10}]\nintegrator: {step: 1 ms}\n"), FB_METHOD_RK4, 1e-3}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_scenario* s = parse_pair(ROWS[i].text);
    assert_int_equal(s->options.method, ROWS[i].method);
    assert_near(ROWS[i].text, &s->options.step, &ROWS[i].step, 1, 1e-9);
    fb_scenario_free(s);
  }
}

static void advice_names_the_element_that_a_step_is_too_long_for(void** state) {
  (void)state;
  static const char* const METHODS[] = {"rk4", "implicit", "semi_implicit"};
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    char scenario[1000], text[400];
    snprintf(scenario, sizeof scenario,
             PAIR("0", SPRING "stiffness: 6e6}]\nintegrator: {method: %s, step: 10 ms}\n"), METHODS[i]);
    fb_scenario* s = parse_pair(scenario);
    assert_true(fb_scenario_stiffness(s, text, sizeof text));
    if (!strstr(text, "with element 's', whose rate is 2e+03 1/s") || !strstr(text, "take dopri5 or cvode"))
      fail_msg("%s", text);
    fb_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_is_explained_in_one_line),
      cmocka_unit_test(what_an_element_gives_is_logged_and_drawn),
      cmocka_unit_test(an_event_winds_a_tether_and_the_ledger_books_the_work),
      cmocka_unit_test(auto_leaves_elements_to_dopri5),
      cmocka_unit_test(advice_names_the_element_that_a_step_is_too_long_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
