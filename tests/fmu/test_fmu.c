/* test_fmu.c -- co-simulation units do what the scenario does: both versions of FMI, loaded from their archives. */
#include "run_command.h"

#include "fmu_rig.h"

#include <freebody/scenario.h>
#include <freebody/sim.h>

#define PENDULUM FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml"
#define ETS7 FB_SOURCE_DIR "/scenarios/ets7/ets7.yaml"

/* Two joints, a law with parameters, a base that a script reads numbers for, and an end by an event. */
static const char ARM[] =
    "scenario: 1\n"
    "model:\n"
    "  bodies:\n"
    "    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0, 0, "
    "-0.5],\n"
    "       inertia: [0.2, 0.2, 0.01, 0, 0, 0]}\n"
    "    - {name: lower, parent: upper, joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, "
    "-1]},\n"
    "       mass: 1, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}\n"
    "gravity: [0, 0, -9.81]\n"
    "start: {joints: {shoulder: 0.5}}\n"
    "control:\n"
    "  - {name: hold, type: joint_pd, joints: elbow, kp: 40, kd: 4}\n"
    "  - {name: drive, type: input, joints: shoulder, frames: lower}\n"
    "events: [{name: over, when: q.shoulder, crosses: 1.5, direction: rising, do: [{stop: true}]}]\n"
    "integrator: {method: rk4, step: 2 ms}\n"
    "duration: 2 s\n"
    "log: {signals: [q, v, a, tau, p.lower, hold]}\n";

static package pendulum[2], arm[2]; /* FMI 2 and FMI 3 */

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  spill("arm.yaml", ARM);
  pendulum[0] = open_package(PENDULUM, NULL, 2, "pendulum2");
  pendulum[1] = open_package(PENDULUM, NULL, 3, "pendulum3");
  arm[0] = open_package("arm.yaml", NULL, 2, "arm2");
  arm[1] = open_package("arm.yaml", NULL, 3, "arm3");
  return 0;
}

static int close_all(void** state) {
  for (int v = 0; v < 2; v++) {
    close_package(&pendulum[v]);
    close_package(&arm[v]);
  }
  return scratch_close(state);
}

static fb_sim* make_sim(const char* file, fb_scenario** s) {
  fb_error error;
  fb_sim* sim;
  must(fb_scenario_read(file, NULL, s, &error), &error);
  must(fb_sim_build(*s, &sim, &error), &error);
  return sim;
}

static void same(double a, double b) {
  if (!(a == b)) fail_msg("%.17g is not %.17g", a, b); /* NaN is not itself */
}

/* --- the motion --- */

static void a_unit_moves_as_its_scenario_bit_for_bit(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    fb_scenario* s;
    fb_error error;
    fb_sim* sim = make_sim(PENDULUM, &s);
    instantiate(&pendulum[v], &i);
    initialize(&i);
    same(get(&i, "q.hinge"), fb_sim_q(sim)[0]);
    for (int k = 0; k < 200; k++) {
      step(&i, k * 0.02, 0.02);
      must(fb_sim_run_until(sim, k * 0.02 + 0.02, &error), &error);
      same(get(&i, "q.hinge"), fb_sim_q(sim)[0]);
      same(get(&i, "v.hinge"), fb_sim_v(sim)[0]);
      same(get(&i, "time"), fb_sim_time(sim));
    }
    assert_true(fabs(get(&i, "q.hinge") - get(&i, "start.q.hinge")) > 0.01);
    assert_int_equal(call(&i, "Terminate"), OK);
    free_instance(&i);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void steps_of_any_length_end_where_they_were_asked_to(void** state) {
  (void)state;
  static const double STEPS[] = {0.0013, 0.02, 1e-5, 0.1, 0.0307, 1.0 / 3};
  for (int v = 0; v < 2; v++) {
    instance i;
    fb_scenario* s;
    fb_error error;
    fb_sim* sim = make_sim(PENDULUM, &s);
    double t = 0;
    instantiate(&pendulum[v], &i);
    initialize(&i);
    for (int k = 0; k < 30; k++) {
      step(&i, t, STEPS[k % 6]);
      t += STEPS[k % 6];
      must(fb_sim_run_until(sim, t, &error), &error);
      same(get(&i, "time"), t);
      same(get(&i, "q.hinge"), fb_sim_q(sim)[0]);
    }
    free_instance(&i);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* An input as it varies over time. */
static double torque(int k) {
  return 3 * sin(0.3 * k);
}

static void inputs_act_on_the_motion_as_parameters_of_the_block_do(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    fb_scenario* s;
    fb_error error;
    fb_sim* sim = make_sim("arm.yaml", &s);
    int drive = fb_sim_find_block(sim, "drive"), tau = fb_sim_find_parameter(sim, drive, "tau.shoulder"),
        push = fb_sim_find_parameter(sim, drive, "force.lower.x");
    instantiate(&arm[v], &i);
    initialize(&i);
    for (int k = 0; k < 100; k++) {
      assert_int_equal(set(&i, "drive.tau.shoulder", torque(k)), OK);
      assert_int_equal(set(&i, "drive.force.lower.x", 0.1 * k), OK);
      must(fb_sim_set_parameter(sim, drive, tau, torque(k), &error), &error);
      must(fb_sim_set_parameter(sim, drive, push, 0.1 * k, &error), &error);
      same(get(&i, "drive.tau.shoulder"), torque(k));
      step(&i, k * 0.01, 0.01);
      must(fb_sim_run_until(sim, k * 0.01 + 0.01, &error), &error);
      same(get(&i, "q.shoulder"), fb_sim_q(sim)[0]);
      same(get(&i, "q.elbow"), fb_sim_q(sim)[1]);
    }
    free_instance(&i);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void outputs_follow_an_input_before_the_next_step(void** state) {
  (void)state;
  instance i;
  instantiate(&arm[1], &i);
  assert_int_equal(enter(&i, 0, 0, 0), OK);
  double before = get(&i, "a.shoulder");
  assert_int_equal(set(&i, "drive.tau.shoulder", 5), OK);
  assert_true(get(&i, "a.shoulder") > before + 0.1);
  same(get(&i, "tau.shoulder"), 5);
  free_instance(&i);
}

/* Its files are gone when the unit is instantiated: all that it needs is in the archive. */
static void the_whole_of_ets7_moves_as_its_scenario_with_its_laws_kept(void** state) {
  (void)state;
  static const char* const signals[] = {"q", "p.hand", NULL};
  fb_plant_options options = fb_default_plant_options();
  fb_error error;
  options.control = FB_PLANT_KEEP;
  options.outputs = signals;
  assert_int_equal(system("mkdir there && cp " FB_SOURCE_DIR "/scenarios/ets7/* there"), 0);
  package p = open_package("there/ets7.yaml", &options, 3, "ets7");
  assert_int_equal(system("rm -r there"), 0);
  assert_int_equal(fb_plant_controlled(p.plant), 1);
  instance i;
  fb_scenario* s;
  fb_sim* sim = make_sim(ETS7, &s);
  fb_signal hand[3];
  int count;
  must(fb_sim_find_signal(sim, "p.hand", hand, 3, &count, &error), &error);
  instantiate(&p, &i);
  initialize(&i);
  for (int k = 0; k < 20; k++) {
    double at[3];
    step(&i, k * 0.1, 0.1);
    must(fb_sim_run_until(sim, k * 0.1 + 0.1, &error), &error);
    fb_sim_signal_values(sim, hand, 3, at);
    same(get(&i, "p.hand.x"), at[0]);
    same(get(&i, "p.hand.z"), at[2]);
  }
  free_instance(&i);
  fb_sim_free(sim);
  fb_scenario_free(s);
  close_package(&p);
}

/* --- parameters and ends --- */

static void parameters_and_start_values_act(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance soft, stiff;
    instantiate(&arm[v], &soft);
    instantiate(&arm[v], &stiff);
    assert_int_equal(set(&stiff, "parameter.hold.elbow.kp", 4000), OK);
    assert_int_equal(set(&stiff, "start.q.shoulder", 0.25), OK);
    assert_int_equal(enter(&stiff, 0, 0, 0), OK);
    same(get(&stiff, "q.shoulder"), 0.25);
    same(get(&stiff, "parameter.hold.elbow.kp"), 4000);
    assert_int_equal(set(&stiff, "start.q.shoulder", 0.5), OK);
    assert_int_equal(call(&stiff, "ExitInitializationMode"), OK);
    initialize(&soft);
    step(&soft, 0, 0.2);
    step(&stiff, 0, 0.2);
    assert_true(fabs(get(&stiff, "q.elbow")) < 0.2 * fabs(get(&soft, "q.elbow")));
    assert_int_equal(set(&stiff, "start.q.shoulder", 0), ERROR);
    assert_non_null(strstr(stiff.log, "start"));
    assert_int_equal(set(&stiff, "parameter.hold.elbow.kp", 40), OK); /* tunable */
    free_instance(&soft);
    free_instance(&stiff);
  }
}

static void an_event_that_stops_the_scenario_ends_the_unit(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    int ended = 0, k = 0, status = OK;
    instantiate(&arm[v], &i);
    initialize(&i);
    assert_int_equal(set(&i, "drive.tau.shoulder", 60), OK);
    for (; k < 100 && !ended; k++) status = step_to(&i, 0.05 * k, 0.05, &ended);
    assert_true(ended && k < 100);
    assert_int_equal(status, v == 0 ? DISCARD : OK);
    assert_true(get(&i, "time") > 0.05 * (k - 1) && get(&i, "time") < 0.05 * k);
    assert_true(fabs(get(&i, "q.shoulder") - 1.5) < 1e-6);
    assert_int_equal(step_to(&i, get(&i, "time"), 0.05, &ended), ERROR);
    assert_non_null(strstr(i.log, "ended"));
    free_instance(&i);
  }
}

static void the_same_plant_makes_the_same_archive(void** state) {
  (void)state;
  write_unit(arm[1].plant, 3, "arm3", "again.fmu");
  assert_int_equal(system("cmp arm3.fmu again.fmu"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_unit_moves_as_its_scenario_bit_for_bit),
      cmocka_unit_test(steps_of_any_length_end_where_they_were_asked_to),
      cmocka_unit_test(inputs_act_on_the_motion_as_parameters_of_the_block_do),
      cmocka_unit_test(outputs_follow_an_input_before_the_next_step),
      cmocka_unit_test(the_whole_of_ets7_moves_as_its_scenario_with_its_laws_kept),
      cmocka_unit_test(parameters_and_start_values_act),
      cmocka_unit_test(an_event_that_stops_the_scenario_ends_the_unit),
      cmocka_unit_test(the_same_plant_makes_the_same_archive),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
