/* test_run_contact.c -- contacts in runs: what the log says of impacts, and when a summary warns. */
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
#include "contact/dynamics/hard_problem.h"

/* A ball of 10 cm over the ground; %s: the height of its centre, its contact, and more. */
static fb_scenario* ball(const char* height, const char* contact, const char* more) {
  char text[1200];
  snprintf(
      text, sizeof text,
      "scenario: 1\nmodel: {bodies: [{name: ball, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: "
      "[{kind: sphere, radius: 0.1}, {kind: cylinder, radius: 0.1, length: 0.05, rpy: [90 deg, 0, 0], name: "
      "wheel}]}]}\n"
      "gravity: [0, 0, -10]\nstart: {base: {at: [0, 0, %s]}}\nsurfaces: [{name: ground, kind: plane}]\n"
      "contacts: [{name: floor, b: ground, %s}]\nduration: 0.3 s\n%s",
      height, contact, more);
  return parse(text);
}

typedef struct heard {
  int hits;
  char text[200]; /* of the first impact */
} heard;

static void hear(void* user, double t, const char* name, const char* text) {
  heard* h = (heard*)user;
  (void)t;
  if (strcmp(name, "contact.floor.hits") == 0 && h->hits++ == 0)
    snprintf(h->text, sizeof h->text, "%s", text);
}

/* A run of the whole scenario, which is in memory only. */
static fb_run* make_run(fb_scenario* s, heard* h) {
  fb_error error;
  fb_run* run = NULL;
  fb_run_options options = fb_default_run_options();
  options.event = h ? hear : NULL;
  options.user = h;
  if (fb_run_create(s, NULL, &options, &run, &error) || fb_run_until(run, INFINITY, INFINITY, &error))
    fail_msg("%s", error.text);
  return run;
}

static fb_run_summary summary_of(fb_scenario* s) {
  fb_run_summary summary;
  fb_run* run = make_run(s, NULL);
  fb_run_summarise(run, &summary);
  fb_run_free(run);
  fb_scenario_free(s);
  return summary;
}

/* ---- events ---- */

/* It falls by 20 cm at 10 m/s^2: 2 m/s. Without rebound its impulse is 2 N s; time stepping adds that of its weight. */
static void an_impact_is_logged_with_its_impulse_and_its_speed(void** state) {
  (void)state;
  static const char* const METHODS[] = {"moreau", "rk4", "dopri5"};
  for (int i = 0; i < 3; i++) {
    char integrator[60];
    double impulse = 0, speed = 0;
    heard h = {0};
    snprintf(integrator, sizeof integrator, "integrator: {method: %s}\n", METHODS[i]);
    fb_scenario* s = ball("0.3", "a: ball/0", integrator);
    fb_run_free(make_run(s, &h));
    fb_scenario_free(s);
    assert_int_equal(h.hits, 1);
    if (sscanf(h.text, "impulse %lf N s, approach %lf m/s", &impulse, &speed) != 2)
      fail_msg("%s: '%s'", METHODS[i], h.text);
    assert_true(fabs(impulse - 2) <= (i == 0 ? 0.02 : 1e-6));
    assert_true(fabs(speed - 2) <= (i == 0 ? 0.02 : 1e-6));
  }
}

/* 1 kg at 1 m/s strikes 1 kg, with e = 0: 0.5 N s. The impact is over when the two are joined, which makes a new model. */
static void an_impact_that_makes_a_joint_is_logged_like_any_other(void** state) {
  (void)state;
  static const char* const METHODS[] = {"moreau", "rk4", "dopri5"};
  for (int i = 0; i < 3; i++) {
    char text[1200];
    heard h = {0};
    snprintf(text, sizeof text,
             "scenario: 1\nmodel:\n  bodies:\n"
             "    - {name: probe, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, "
             "radius: 0.1}], frames: [{name: tip, at: [0.1, 0, 0]}]}\n"
             "    - {name: port, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, "
             "radius: 0.1}], frames: [{name: rim, at: [-0.1, 0, 0]}]}\n"
             "gravity: none\nstart: {bases: {probe: {at: [-0.3, 0, 0], velocity: [1, 0, 0]}}}\n"
             "contacts: [{name: floor, a: probe, b: port}]\nduration: 0.3 s\nintegrator: {method: %s}\n"
             "events: [{name: dock, contact: floor, change: hits, do: [{join: {name: weld, frame: tip, to: "
             "rim, force: true}}]}]\n",
             METHODS[i]);
    fb_scenario* s = parse(text);
    fb_run_free(make_run(s, &h));
    fb_scenario_free(s);
    assert_int_equal(h.hits, 1);
    assert_string_equal(h.text, "impulse 0.5 N s, approach 1 m/s");
  }
}

/* ---- signals ---- */

static void the_solver_has_signals_with_compliant_contacts_too_and_they_are_zero(void** state) {
  (void)state;
  fb_scenario* s = ball("0.11", "a: ball/0, law: spring, stiffness: 1e4", "log: {signals: [solver]}\n");
  fb_run* run = make_run(s, NULL);
  const double* values = fb_run_sample(run, NULL);
  for (int i = 0; i < FB_SOLVER_COUNT; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(s, run->signals[i], &info);
    assert_int_equal(strncmp(info.name, "solver.", 7), 0);
    assert_true(values[i] == 0);
  }
  fb_run_free(run);
  fb_scenario_free(s);
}

/* As it could before, and as no hard contact needs the name. */
static void a_law_may_be_called_solver_where_all_contacts_are_compliant(void** state) {
  (void)state;
  fb_scenario* s = ball("0.11", "a: ball/0, law: spring, stiffness: 1e4",
                        "forces: [{name: solver, frame: ball, force: [1, 0, 0]}]\n");
  fb_run_free(make_run(s, NULL));
  fb_scenario_free(s);
}

/* ---- the ledger ---- */

static void a_compliant_contact_may_give_what_it_had_stored_at_the_start(void** state) {
  (void)state;
  static const struct {
    const char* law;
    double least, most; /* stored [J] */
  } ROWS[] = {
      {"a: ball/0, law: spring, stiffness: 1e4, damping: 5", 12.5, 12.5}, /* k d^2 / 2, d = 5 cm */
      {"a: ball/0, law: hertz, stiffness: 1e5", 22.36, 22.37},            /* k d^2.5 / 2.5 */
      {"a: ball/0, law: hunt_crossley, stiffness: 1e5, damping: 0.5", 22.36, 22.37},
      {"a: ball/wheel, law: soil, soil: dry_sand", 1, 1000},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_run_summary summary = summary_of(ball("0.05", ROWS[i].law, ""));
    if (summary.warning[0]) fail_msg("%s: %s", ROWS[i].law, summary.warning);
    assert_true(summary.ledger.normal > 0.1); /* it was thrown up */
    assert_true(summary.ledger.stored_0 >= ROWS[i].least * (1 - 1e-9) &&
                summary.ledger.stored_0 <= ROWS[i].most * (1 + 1e-9));
  }
  fb_run_summary above = summary_of(ball("0.15", ROWS[0].law, ""));
  assert_true(above.ledger.stored_0 == 0 && !above.warning[0]);
}

/* What lies 5 nm above the ground counts as touching, and is put on it. */
static void a_gap_that_is_closed_at_the_start_is_booked(void** state) {
  (void)state;
  static const char* const METHODS[] = {"integrator: {method: rk4}\n", "integrator: {method: dopri5}\n"};
  for (int i = 0; i < 2; i++) {
    fb_run_summary summary = summary_of(ball("0.100000005", "a: ball/0", METHODS[i]));
    if (summary.warning[0]) fail_msg("%s: %s", METHODS[i], summary.warning);
    assert_true(fabs(summary.ledger.projection + 5e-8) <= 1e-13);
    assert_true(fabs(summary.ledger.world_residual) <= 1e-13);
  }
}

/* ---- the solver ---- */

/* No problem is known that it leaves so badly solved: the residual is put in its place. */
static void impulses_that_are_not_exact_are_counted_and_warned_of(void** state) {
  (void)state;
  fb_run_summary summary;
  fb_scenario* s = ball("0.1", "a: ball/0", "");
  fb_run* run = make_run(s, NULL);
  run->sim->contact.hard->off = 1e-9; /* as exact as other errors */
  fb_hard_accept_solution(run->sim);
  fb_run_summarise(run, &summary);
  assert_string_equal(summary.warning, "");
  for (int i = 0; i < 2; i++) {
    run->sim->contact.hard->off = i ? 1e-4 : 2e-3;
    fb_hard_accept_solution(run->sim);
  }
  fb_run_summarise(run, &summary);
  assert_non_null(
      strstr(summary.warning,
             "hard contacts were not solved exactly in 2 steps: velocities are off by up to 2.0e-03 "
             "of their scale at t = 0.3 s"));
  fb_run_free(run);
  fb_scenario_free(s);
}

/* Kane's double pendulum [Kane and Levinson 1985]: two rods of 1 m and 1 kg at 20 and 30 degrees strike the ground with the
 * tip. Newton's restitution with friction gains energy there, since the slip reverses; Poisson's does not. */
static fb_scenario* double_pendulum(const char* law, double restitution, const char* method) {
  char text[1400];
  snprintf(
      text, sizeof text,
      "scenario: 1\nmodel:\n  bodies:\n"
      "    - {name: upper, joint: {name: s, type: revolute, axis: [0, -1, 0], at: [0, 0, %.17g]}, mass: 1, "
      "com: [0, "
      "0, -0.5], inertia: [0.083333333333333333, 0.083333333333333333, 1e-4, 0, 0, 0]}\n"
      "    - {name: lower, parent: upper, joint: {name: k, type: revolute, axis: [0, -1, 0], at: [0, 0, "
      "-1]}, mass: "
      "1, com: [0, 0, -0.5], inertia: [0.083333333333333333, 0.083333333333333333, 1e-4, 0, 0, 0], frames: "
      "[{name: "
      "tip, at: [0, 0, -1]}]}\n"
      "start: {joints: {s: 20 deg, k: 10 deg}, rates: {s: -0.1, k: -0.1}}\ngravity: none\n"
      "surfaces: [{name: ground, kind: plane}]\nduration: 2 ms\nintegrator: {method: %s, step: 0.1 ms}\n"
      "contacts: [{name: floor, a: tip, b: ground, friction: 0.5, restitution: %g, restitution_law: %s}]\n"
      "log: {signals: [solver.gains]}\n",
      cos(20 * PI / 180) + cos(30 * PI / 180), method, restitution, law);
  return parse(text);
}

static void newtons_restitution_gains_where_slip_reverses_and_that_is_counted(void** state) {
  (void)state;
  static const char* const METHODS[] = {"moreau", "rk4"};
  for (int i = 0; i < 4; i++) {
    int newton = i < 2;
    fb_run_summary summary;
    fb_scenario* s = double_pendulum(newton ? "newton" : "poisson", 0.7, METHODS[i % 2]);
    fb_run* run = make_run(s, NULL);
    fb_run_summarise(run, &summary);
    const fb_ledger* l = &summary.ledger;
    assert_true(fb_run_sample(run, NULL)[0] == newton);
    assert_true(newton ? l->friction > 0.05 : l->friction < 0);
    assert_true(newton ? l->kinetic > 2 * l->kinetic_0 : l->kinetic < l->kinetic_0);
    if (newton)
      assert_non_null(strstr(summary.warning,
                             "contacts gave 0.0407 J to the scene: Newton's restitution with "
                             "friction gained energy in 1 impact"));
    else
      assert_string_equal(summary.warning, "");
    fb_run_free(run);
    fb_scenario_free(s);
  }
}

/* 0.7: contacts give more than they take, and the run warns. 0.38: they take more, and a note is enough. 0.3: slip stops. */
static void an_impact_in_which_friction_gives_energy_says_so(void** state) {
  (void)state;
  static const char* const METHODS[] = {"moreau", "rk4", "dopri5"};
  static const struct {
    double restitution, gained;
    int warns;
  } CASES[] = {{0.7, 0.0591950337, 1}, {0.38, 0.0107521454, 0}, {0.3, 0, 0}};
  for (int i = 0; i < 9; i++) {
    double impulse, speed, gained = 0;
    heard h = {0};
    fb_run_summary summary;
    fb_scenario* s = double_pendulum("newton", CASES[i / 3].restitution, METHODS[i % 3]);
    fb_run* run = make_run(s, &h);
    fb_run_summarise(run, &summary);
    int found =
        sscanf(h.text, "impulse %lf N s, approach %lf m/s, friction work +%lf J (Newton's restitution)",
               &impulse, &speed, &gained);
    if (found != (CASES[i / 3].gained > 0 ? 3 : 2) || !(fabs(gained - CASES[i / 3].gained) < 1e-5))
      fail_msg("%s: '%s'", METHODS[i % 3], h.text);
    assert_int_equal(strstr(summary.warning, "gained energy in 1 impact") != NULL, CASES[i / 3].warns);
    assert_int_equal(strstr(summary.note, "in 1 impact friction gave energy") != NULL,
                     CASES[i / 3].gained > 0 && !CASES[i / 3].warns);
    assert_true(summary.note[0] == '\0' || summary.warning[0] == '\0');
    fb_run_free(run);
    fb_scenario_free(s);
  }
}

/* ---- overlaps ---- */

/* Two capsules that reach over the joint between them, or a ball about it: %s is the shape of each. */
static fb_status make_leg(const char* shape, const char* friction, const char* method, fb_run** run,
                          fb_scenario** s, fb_error* error) {
  char text[1200];
  snprintf(
      text, sizeof text,
      "scenario: 1\nmodel:\n  bodies:\n"
      "    - {name: thigh, mass: 5, inertia: [1, 1, 1, 0, 0, 0], shapes: [{%s}]}\n"
      "    - {name: shin, parent: thigh, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: knee, type: "
      "revolute, axis: [0, 1, 0]}, shapes: [{%s}]}\n"
      "start: {joints: {knee: 20 deg}}\n"
      "contacts: [{name: self, a: thigh, b: shin, friction: %s}]\nduration: 0.1 s\nintegrator: {method: %s, "
      "step: 1 ms}\n",
      shape, shape, friction, method);
  fb_status status = fb_scenario_parse(text, strlen(text), "case.yaml", NULL, s, error);
  if (!status) status = fb_run_create(*s, NULL, NULL, run, error);
  return status ? status : fb_run_until(*run, INFINITY, INFINITY, error);
}

/* Capsules that cross at the joint are refused. Of balls about it no motion changes the depth, and without friction no force
 * comes of them: they are left alone. */
static void links_that_overlap_for_good_are_refused_by_name(void** state) {
  (void)state;
  static const char* const METHODS[] = {"moreau", "rk4", "dopri5"};
  for (int i = 0; i < 6; i++) {
    fb_error error;
    fb_scenario* s = NULL;
    fb_run* run = NULL;
    int refused = i < 3;
    fb_status status =
        make_leg(refused ? "kind: capsule, radius: 0.05, length: 0.4" : "kind: sphere, radius: 0.05",
                 refused ? "0.5" : "0", METHODS[i % 3], &run, &s, &error);
    assert_int_equal(status, refused ? FB_ERR_NO_SOLUTION : FB_OK);
    if (refused &&
        !strstr(error.text,
                "contact \"self\": \"thigh\" and \"shin\" overlap by 0.1 m at the start, and no motion of "
                "the joints separates them; leave the pair out of the contacts"))
      fail_msg("%s: %s", METHODS[i % 3], error.text);
    if (!refused && run) assert_true(fabs(fb_sim_q(run->sim)[7] - 20 * PI / 180) < 1e-12);
    fb_run_free(run);
    fb_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_is_logged_with_its_impulse_and_its_speed),
      cmocka_unit_test(an_impact_that_makes_a_joint_is_logged_like_any_other),
      cmocka_unit_test(the_solver_has_signals_with_compliant_contacts_too_and_they_are_zero),
      cmocka_unit_test(a_law_may_be_called_solver_where_all_contacts_are_compliant),
      cmocka_unit_test(a_compliant_contact_may_give_what_it_had_stored_at_the_start),
      cmocka_unit_test(a_gap_that_is_closed_at_the_start_is_booked),
      cmocka_unit_test(impulses_that_are_not_exact_are_counted_and_warned_of),
      cmocka_unit_test(newtons_restitution_gains_where_slip_reverses_and_that_is_counted),
      cmocka_unit_test(an_impact_in_which_friction_gives_energy_says_so),
      cmocka_unit_test(links_that_overlap_for_good_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
