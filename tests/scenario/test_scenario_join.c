/* test_scenario_join.c -- events that join and part trees whose joints are locked or moved, or that loops tie to other
 * trees and to the world: what stays locked, what is refused, what of it is logged, and the
 * ledger across the impact. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/sundials.h>

#include "near.h"
#include "scenario_rig.h"
#include "signal_rig.h"
#include "sim/sim.h"

/* A chaser, a target with a mast on a joint of the given type, and a buoy; `what` is more of the scenario. */
#define SCENE(mast, what)                                                                                \
  "scenario: 1\nmodel:\n  bodies:\n"                                                                     \
  "  - {name: chaser, mass: 60, inertia: [6, 7, 8, 0, 0, 0], frames: [{name: hook, at: [1, 0.2, 0]}]}\n" \
  "  - {name: target, mass: 40, inertia: [4, 5, 6, 0, 0, 0], frames: [{name: eye, at: [0, 1, 0]}]}\n"    \
  "  - {name: mast, parent: target, mass: 3, inertia: [0.3, 0.3, 0.2, 0, 0, 0], com: [-0.3, 0, 0],\n"    \
  "     joint: {name: swivel, type: " mast                                                               \
  ", at: [-1, 0, 0]}, frames: [{name: grip, at: [-0.8, 0, 0]}]}\n"                                       \
  "  - {name: buoy, mass: 10, inertia: [1, 1, 1, 0, 0, 0]}\n" what                                       \
  "start: {bases: {chaser: {velocity: [0.1, 0, 0.02], angular_velocity: [0.1, 0.2, 0.3]},\n"             \
  "  target: {at: [3, 0, 0]}, buoy: {at: [3, 4, 0]}}}\n"                                                 \
  "integrator: {method: rk4, step: 5 ms}\n"

#define JOIN "{join: {name: grasp, frame: grip, to: hook, force: true}}"

/* The ledger closes to rounding and the error of the method. */
static void assert_closed(fb_sim* sim, const char* name) {
  fb_ledger x;
  fb_sim_ledger(sim, &x);
  if (!(x.worst < 1e-8)) fail_msg("%s: energy is off by %g", name, x.worst);
  if (!(x.momentum_worst < 1e-8)) fail_msg("%s: momentum is off by %g", name, x.momentum_worst);
  for (int k = 0; k < 3; k++) {
    double linear = x.linear[k] - x.linear_0[k] - x.impulse[k];
    double angular = x.angular[k] - x.angular_0[k] - x.impulse[3 + k];
    if (!(fabs(linear) < 1e-7)) fail_msg("%s: linear momentum %d in the world is off by %g", name, k, linear);
    if (!(fabs(angular) < 1e-7))
      fail_msg("%s: angular momentum %d in the world is off by %g", name, k, angular);
  }
}

static void the_ledger_books_what_locks_and_loops_pass_on(void** state) {
  (void)state;
  static const struct {
    const char *name, *text;
  } ROWS[] = {
      {"the base that captures is locked",
       SCENE("spherical",
             "forces: [{frame: target, force: [1, 0, 0]}]\n"
             "events: [{at: 0.5, do: [{lock: chaser}]}, {at: 1, do: [" JOIN "]},\n"
             "  {at: 1.5, do: [{part: grasp}]}, {at: 1.8, do: [{release: chaser}]}]\n")},
      {"a strut ties a third tree to the target",
       SCENE("spherical",
             "  loops: [{name: strut, type: distance, a: eye, b: buoy}]\n"
             "events: [{at: 1, do: [" JOIN "]}, {at: 1.5, do: [{part: grasp}]}]\n")},
      {"a pivot holds the target on the world",
       SCENE("spherical",
             "  loops: [{name: pivot, type: distance, a: world, b: eye}]\n"
             "events: [{at: 1, do: [" JOIN "]}, {at: 1.5, do: [{part: grasp}]}]\n")},
      {"a strut ties the target to a third tree, and the capture is by the world",
       SCENE("spherical",
             "  loops: [{name: strut, type: distance, a: eye, b: buoy}]\n"
             "forces: [{frame: target, force: [1, 0, 0]}]\n"
             "events: [{at: 1, do: [{join: {name: grasp, frame: grip, to: world, force: true}}]},\n"
             "  {at: 1.5, do: [{part: grasp}]}]\n")},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_scenario* s = parse(ROWS[i].text);
    fb_sim* sim = run(s, 2);
    assert_closed(sim, ROWS[i].name);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* Rates (v) or accelerations (a) of the swivel: six or three, their number. */
static int read_swivel(fb_sim* sim, char kind, double* x) {
  const fb_model* m = fb_sim_original_model(sim);
  int count = fb_joint_nv(m, fb_model_find_joint(m, "swivel"));
  for (int k = 0; k < count; k++) {
    char name[32];
    snprintf(name, sizeof name, "%c.swivel.%d", kind, k);
    const fb_signal signal = signal_or_fail(m, name);
    fb_sim_signal_values(sim, &signal, 1, &x[k]);
  }
  return count;
}

static double fastest(fb_sim* sim) {
  double v[6], most = 0;
  int count = read_swivel(sim, 'v', v);
  for (int k = 0; k < count; k++) most = fmax(most, fabs(v[k]));
  return most;
}

/* A capture turns the swivel round; its lock stays, and events lock and release it as before. */
static void a_ball_joint_stays_locked_through_a_capture(void** state) {
  (void)state;
  static const char* const TYPES[] = {
      SCENE("spherical", "events: [{at: 0.5, do: [{lock: swivel}]}, {at: 1, do: [" JOIN "]},\n"
                         "  {at: 1.5, do: [{release: swivel}]}, {at: 1.7, do: [{lock: swivel}]},\n"
                         "  {at: 2, do: [{part: grasp}]}, {at: 2.5, do: [{release: swivel}]}]\n"),
      SCENE("free", "events: [{at: 0.5, do: [{lock: swivel}]}, {at: 1, do: [" JOIN "]},\n"
                    "  {at: 1.5, do: [{release: swivel}]}, {at: 1.7, do: [{lock: swivel}]},\n"
                    "  {at: 2, do: [{part: grasp}]}, {at: 2.5, do: [{release: swivel}]}]\n")};
  static const struct {
    double t;
    int moves;
  } TIMES[] = {{1.2, 0}, {1.6, 1}, {1.9, 0}, {2.3, 0}};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    fb_scenario* s = parse(TYPES[i]);
    fb_sim* sim = make_sim(s);
    for (size_t k = 0; k < sizeof TIMES / sizeof *TIMES; k++) {
      fb_error error;
      if (fb_sim_run_until(sim, TIMES[k].t, &error)) fail_msg("%s", error.text);
      double rate = fastest(sim);
      if (TIMES[k].moves ? !(rate > 1e-7) : !(rate < 1e-12))
        fail_msg("type %zu at %g s: the swivel moves at %g", i, TIMES[k].t, rate);
    }
    assert_closed(sim, "ball joint");
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void a_joint_that_was_turned_round_has_its_acceleration(void** state) {
  (void)state;
  static const char* const TYPES[] = {SCENE("spherical", "events: [{at: 1, do: [" JOIN "]}]\n"),
                                      SCENE("free", "events: [{at: 1, do: [" JOIN "]}]\n")};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    fb_scenario* s = parse(TYPES[i]);
    double before[6], after[6], a[6], difference[6];
    fb_sim* sim = run(s, 1.499);
    read_swivel(sim, 'v', before);
    assert_int_equal(fb_sim_run_until(sim, 1.5, NULL), FB_OK);
    int count = read_swivel(sim, 'a', a);
    assert_int_equal(fb_sim_run_until(sim, 1.501, NULL), FB_OK);
    read_swivel(sim, 'v', after);
    for (int k = 0; k < count; k++) difference[k] = (after[k] - before[k]) / 0.002;
    assert_near("acceleration", a, difference, count, 1e-6);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void a_join_that_would_end_a_lock_or_a_motion_is_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *phrase;
  } ROWS[] = {
      {SCENE("spherical", "events: [{at: 0.5, do: [{lock: target}]}, {at: 1, do: [" JOIN "]}]\n"),
       "joint 'target' is locked, which the join would end because it re-roots the tree; release the joint "
       "first, "
       "or exchange 'frame' and 'to'"},
      {SCENE("spherical",
             "motions: [{joint: swivel, rate: [0.1, 0, 0]}]\nevents: [{at: 1, do: [" JOIN "]}]\n"),
       "joint 'swivel' is moved, which the join would end because it re-roots the tree; release the joint "
       "first"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_scenario* s = parse(ROWS[i].text);
    fb_sim* sim = make_sim(s);
    fb_error error;
    assert_int_equal(fb_sim_run_until(sim, 2, &error), FB_ERR_STATE);
    if (!strstr(error.text, ROWS[i].phrase)) fail_msg("%s", error.text);
    assert_int_equal(fb_sim_epoch(sim), 0);
    assert_true(fb_sim_time(sim) == 1);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* What the file alone shows to be wrong. */
static void actions_that_cannot_be_done_are_refused_in_the_file(void** state) {
  (void)state;
  static const malformed CASES[] = {
      {SCENE("spherical",
             "events: [{at: 1, do: [{join: {name: g, frame: grip, to: hook, type: universal, "
             "axis: [0, 2, 0]}}]}]\n"),
       9, 86, "'axis2', by default y, is parallel to 'axis'"},
      {SCENE("spherical",
             "events: [{at: 1, do: [{join: {name: g, frame: grip, to: hook, type: universal, "
             "axis2: [-1, 0, 0]}}]}]\n"),
       9, 87, "'axis2' is parallel to 'axis'"},
      {SCENE("spherical",
             "events: [{at: 1, do: [{join: {name: g, frame: grip, to: hook, type: helical, "
             "pitch: 3 kg}}]}]\n"),
       9, 85, "kg"},
      {SCENE("revolute, axis: [0, 0, 1]",
             "  - {name: fin, parent: buoy, mass: 1, inertia: [1, 1, 1, 0, 0, 0], "
             "joint: {name: flap, type: revolute, axis: [0, 0, 1]}}\n"
             "  loops: [{name: train, type: gear, a: swivel, b: flap, ratio: 2}]\n"
             "events: [{at: 1, do: [{part: flap}]}]\n"),
       11, 30, "joint \"flap\" cannot be parted: the gear \"train\" couples it"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_refused(&CASES[i], "case.yaml");
}

static void a_pitch_has_a_unit(void** state) {
  (void)state;
  fb_scenario* s = parse(SCENE("spherical",
                               "events: [{at: 1, do: [{join: {name: g, frame: grip, to: hook, "
                               "type: helical, pitch: 50 mm/rad}}]}]\n"));
  assert_true(fabs(s->events[0].actions[0].join.pitch - 0.05) < 1e-15);
  fb_scenario_free(s);
}

/* The note names what has gone: here a wheel, while the base that the law turns is where it was. */
static void a_law_names_the_wheel_that_has_gone(void** state) {
  (void)state;
  fb_scenario* s =
      parse(SCENE("revolute, axis: [1, 0, 0]",
                  "control: [{name: turn, type: attitude, body: target, kp: 1, kd: 1, wheels: swivel}]\n"
                  "events: [{at: 1, do: [{part: swivel}]}]\n"));
  fb_sim* sim = run(s, 1);
  assert_string_equal(
      fb_sim_change_notes(sim),
      "block \"turn\": joint \"swivel\" has gone, so the block does nothing there until it is back");
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* Trees that something pushes, with error control, whose scales follow from the trees of the present model. */
static void a_restored_run_goes_on_to_the_same_bits(void** state) {
  (void)state;
  static const char* const METHODS[] = {"integrator.method=dopri5", "integrator.method=cvode",
                                        "integrator.method=arkode"};
  const char* text = SCENE("spherical",
                           "forces: [{frame: target, axes: frame, force: [3, 1, 0], torque: [0, 0, 2]}]\n"
                           "events: [{at: 0.5, do: [" JOIN "]}, {at: 1, do: [{part: grasp}]}]\n");
  for (int i = 0; i < (fb_sundials_available() ? 3 : 1); i++) {
    fb_scenario_options options = fb_default_scenario_options();
    const char* const set[] = {METHODS[i], "integrator.step=1 ms", NULL};
    fb_scenario* s = NULL;
    fb_error error;
    options.set = set;
    if (fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", &options, &s, &error))
      fail_msg("%s", error.text);
    fb_sim *sim = run(s, 1.2), *other = make_sim(s);
    size_t size = fb_sim_snapshot_size(sim);
    void* saved = malloc(size);
    fb_sim_save(sim, saved);
    if (fb_sim_restore(other, saved, size, &error)) fail_msg("%s", error.text);
    assert_int_equal(fb_sim_run_until(sim, 2, NULL), FB_OK);
    assert_int_equal(fb_sim_run_until(other, 2, NULL), FB_OK);
    if (memcmp(fb_sim_y(sim), fb_sim_y(other), (size_t)fb_sim_ny(sim) * sizeof(double)) != 0)
      fail_msg("%s: other bits", METHODS[i]);
    free(saved);
    fb_sim_free(sim);
    fb_sim_free(other);
    fb_scenario_free(s);
  }
}

/* From rest the first residuals are compared with what is exchanged later. So they are when the tree comes to stand on the
 * world, where there is no momentum to compare with. */
static void first_residuals_stay_small_when_a_tree_comes_to_stand_on_the_world(void** state) {
  (void)state;
  static const char TEXT[] =
      "scenario: 1\nmodel:\n  bodies:\n"
      "  - {name: hull, mass: 3, inertia: [1, 1.2, 1.4, 0, 0, 0], com: [0.1, 0, 0.2]}\n"
      "  - {name: pod, parent: hull, mass: 2, inertia: [1, 1, 1, 0, 0, 0], com: [0, 0.3, 0],\n"
      "     joint: {name: loose, type: free, at: [1, 0, 0]}}\n"
      "  - {name: buoy, mass: 4, inertia: [1, 1, 1, 0, 0, 0], com: [0.2, 0.1, 0]}\n"
      "  loops: [{name: strut, type: distance, a: pod, b: buoy}]\n"
      "start: {bases: {buoy: {at: [3, 1, 0]}}}\n"
      "forces: [{frame: hull, axes: frame, force: [1, 0.5, 0], torque: [0, 0.2, 0.1]}]\n"
      "events:\n"
      "  - {at: 0.1, do: [{join: {name: grasp, frame: hull, to: buoy, force: true}}]}\n"
      "  - {at: 0.45, do: [{join: {name: stand, frame: hull, to: world, force: true, type: universal}}]}\n"
      "integrator: {method: dopri5}\n";
  fb_scenario* s = parse(TEXT);
  fb_sim* sim = run(s, 0.5);
  assert_int_equal(fb_sim_epoch(sim), 2);
  assert_closed(sim, "on the world");
  fb_sim_free(sim);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ledger_books_what_locks_and_loops_pass_on),
      cmocka_unit_test(a_ball_joint_stays_locked_through_a_capture),
      cmocka_unit_test(a_joint_that_was_turned_round_has_its_acceleration),
      cmocka_unit_test(actions_that_cannot_be_done_are_refused_in_the_file),
      cmocka_unit_test(a_pitch_has_a_unit),
      cmocka_unit_test(a_law_names_the_wheel_that_has_gone),
      cmocka_unit_test(a_restored_run_goes_on_to_the_same_bits),
      cmocka_unit_test(first_residuals_stay_small_when_a_tree_comes_to_stand_on_the_world),
      cmocka_unit_test(a_join_that_would_end_a_lock_or_a_motion_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
