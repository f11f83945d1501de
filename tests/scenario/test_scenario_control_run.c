/* test_scenario_control_run.c -- how control laws of scenarios are run: sampled and bounded, several together, with
 * parameters that events set, explained in words, copied, and taken up again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/lua.h>

#include "scenario_rig.h"

static double v_of(const fb_sim* sim, const char* joint) {
  const fb_model* m = fb_sim_model(sim);
  return fb_sim_v(sim)[fb_joint_v_index(m, fb_model_find_joint(m, joint))];
}

static void assert_within(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.12g is not %.12g +- %g", x, expected, tolerance);
}

/* --- how laws are run --- */

static void test_samples_are_read(void** state) {
  (void)state;
  fb_scenario* s =
      parse(SATELLITE
            "control:\n"
            "  - {name: a, type: joint_pd, joints: joint1, kp: 9, limit: true,\n"
            "     sample: {rate: 50 Hz, delay: 30 ms, noise: {position: 1e-4, rate: 2e-4}, seed: 7}}\n"
            "  - {name: b, type: resolved_rate, frame: hand, sample: {period: 5 ms}}\n"
            "  - {name: c, type: joint_pd, joints: joint2, kp: 9}\n");
  const fb_scenario_block* block = &s->blocks[0];
  assert_true(block->sampled && block->limited);
  assert_within(block->sampling.period, 0.02, 1e-16);
  assert_within(block->sampling.delay, 0.03, 1e-16);
  assert_within(block->sampling.noise_q, 1e-4, 0);
  assert_within(block->sampling.noise_v, 2e-4, 0);
  assert_int_equal(block->sampling.seed, 7);
  assert_within(s->blocks[1].sampling.period, 0.005, 1e-16);
  assert_true(!s->blocks[2].sampled && !s->blocks[2].limited);
  assert_within(s->blocks[0].period, 0.02, 1e-16);
  assert_within(s->blocks[2].period, 0, 0);
  fb_sim* sim = run(s, 0.1);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* Outputs are logged, and watched, by name; of a sampled law they cost memory only where they are. */
static void test_outputs_of_laws_are_signals(void** state) {
  (void)state;
  static const char control[] =
      "control:\n"
      "  - {name: a, type: joint_pd, joints: joint1, kp: 9, sample: {rate: 50 Hz}}\n"
      "  - {name: b, type: frame_tracking, frame: hand, kp: 1}\n";
  char text[600];
  snprintf(text, sizeof text, SATELLITE "%s", control);
  fb_scenario* s = parse(text);
  assert_int_equal(s->blocks[0].noutput, 1);
  fb_block plain, told;
  assert_int_equal(fb_scenario_make_block(s, &s->blocks[0], &plain, NULL), FB_OK);
  fb_scenario_free(s);
  snprintf(text, sizeof text,
           SATELLITE
           "%slog: {signals: [a.error, b.position_error]}\n"
           "events: [{when: b.position_error.x, crosses: 1 mm}]\n",
           control);
  s = parse(text);
  fb_signal_info info;
  assert_int_equal(fb_scenario_nsignal(s), 4);
  fb_scenario_signal_info(s, fb_scenario_signals(s)[0], &info);
  assert_string_equal(info.name, "a.error.joint1");
  assert_string_equal(info.unit, "rad");
  assert_within(s->events[0].event.level, 1e-3, 0);
  assert_int_equal(fb_scenario_make_block(s, &s->blocks[0], &told, NULL), FB_OK);
  assert_true(plain.noutput == 0 && told.noutput == 1 && told.nmemory > plain.nmemory);
  plain.free(plain.user);
  told.free(told.user);
  fb_sim_free(run(s, 0.1));
  fb_scenario_free(s);
}

/* Before its delay has passed a law does nothing; a law without limit gives what the model's wheel could not. */
static void test_delays_and_limits_are_felt(void** state) {
  (void)state;
  static const struct {
    const char* keys;
    double v; /* of the wheel after 0.1 s, pushed by 4 N m: I = 0.05, limit 0.4 N m */
  } cases[] = {
      {"", 0.1 * 4 / 0.05},
      {"limit: true", 0.1 * 0.4 / 0.05},
      {"limit: false", 0.1 * 4 / 0.05},
      {"sample: {rate: 100 Hz, delay: 60 ms}", 0.04 * 4 / 0.05},
      {"limit: true, sample: {rate: 100 Hz, delay: 60 ms}", 0.04 * 0.4 / 0.05},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "scenario: 1\nmodel: satellite.yaml\nmotions: [{joint: bus, lock: true}]\n"
             "control: [{type: joint_pd, joints: wheel_x, kp: 4e-6, target: [1e6], effort: 4, %s}]\n",
             cases[i].keys);
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 0.1);
    assert_within(v_of(sim, "wheel_x"), cases[i].v, 1e-4 * cases[i].v);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* --- several laws --- */

static void test_forces_of_several_laws_add(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel: satellite.yaml\nmotions: [{joint: bus, lock: true}]\n"
      "control: [{type: joint_pd, joints: wheel_x, kp: 1e-6, target: [1e5]}, {type: joint_pd, joints: "
      "wheel_x, "
      "kp: 2e-6, target: [1e5]}]\n");
  fb_sim* sim = run(s, 0.1);
  assert_within(v_of(sim, "wheel_x"), 0.1 * 0.3 / 0.05, 1e-4);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void test_laws_by_motion_share_a_joint_in_different_modes_only(void** state) {
  (void)state;
  static const struct {
    const char *first, *second;
    int refused;
  } cases[] = {
      {"type: resolved_rate, frame: hand", "type: resolved_rate, frame: link3", 1},
      {"type: resolved_rate, frame: hand", "type: reaction_null, frame: hand, mode: b", 1},
      {"type: resolved_rate, frame: hand, mode: [a, b]", "type: reaction_null, frame: hand, mode: b", 1},
      {"type: resolved_rate, frame: hand, mode: a", "type: reaction_null, frame: hand, mode: b", 0},
      {"type: resolved_rate, frame: hand", "type: frame_tracking, kp: 1, frame: hand", 0},
      {"type: resolved_rate, frame: hand", "type: resolved_rate, frame: rotor_x", 0},
      {"type: resolved_rate, frame: hand, from: link3", "type: resolved_rate, frame: link3", 0},
      {"type: resolved_rate, frame: hand, from: link3", "type: resolved_rate, frame: link4", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    fb_scenario* s;
    fb_error error;
    snprintf(text, sizeof text,
             SATELLITE "modes: [a, b]\ncontrol:\n  - {name: one, %s}\n  - {name: two, %s}\n", cases[i].first,
             cases[i].second);
    fb_status status = fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error);
    if ((status != FB_OK) != cases[i].refused) fail_msg("%s and %s", cases[i].first, cases[i].second);
    if (status) {
      assert_int_equal(error.place.line, 7);
      assert_non_null(strstr(error.text, "the law 'one' moves the joint 'joint"));
    }
    fb_scenario_free(s);
  }
}

/* --- parameters --- */

static void test_events_set_the_parameters_of_every_type(void** state) {
  (void)state;
  static const struct {
    const char *law, *parameter, *value;
    double number;
  } cases[] = {
      {"type: joint_pid, joints: joint1, kp: 1, ki: 1", "joint1.ki", "180 N m/(deg s)", 180 * 180 / PI},
      {"type: joint_pd, joints: joint1, kp: 1", "joint1.kd", "3 N m s/rad", 3},
      {"type: computed_torque, joints: joint1, kp: 1", "joint1.kp", "7", 7},
      {"type: computed_torque, joints: joint1, kp: 1", "joint1.target", "90 deg", PI / 2},
      {"type: computed_torque, joints: joint1, kp: 1, sample: {rate: 10 Hz}, limit: true", "joint1.effort",
       "2 N m", 2},
      {"type: frame_tracking, frame: hand, kp: 1", "kp", "4", 4},
      {"type: resolved_rate, frame: hand", "kd", "4", 4},
      {"type: reaction_null, frame: hand", "kp", "4", 4},
      {"type: attitude, kp: 1", "kp", "180 N m/deg", 180 * 180 / PI},
      {"type: attitude, kp: 1", "kd", "5 N m s/rad", 5},
      {"type: attitude, kp: 1, wheels: wheel_x", "effort", "5 mN m", 0.005},
      {"type: lua, file: brake.lua, period: 0.1", "gain", "9", 9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    if (!fb_lua_available() && strstr(cases[i].law, "lua")) continue;
    snprintf(text, sizeof text,
             SATELLITE
             "control: [{name: a, %s}]\nevents: [{at: 0.01, do: [{set: {block: a, parameter: %s, "
             "value: %s}}]}]\n",
             cases[i].law, cases[i].parameter, cases[i].value);
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 0.02);
    int block = fb_sim_find_block(sim, "a"), at = fb_sim_find_parameter(sim, block, cases[i].parameter);
    assert_true(at >= 0);
    assert_within(fb_sim_memory(sim, block)[at], cases[i].number, 1e-12 * cases[i].number);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* --- words --- */

static void test_every_law_is_explained(void** state) {
  (void)state;
  static const char* const phrases[] = {
      "pid: joint PID to targets: joint1 17.1887 deg\n",
      "torque: computed torque along paths: joint2; to targets: joint3 -80.2141 deg, within the model's "
      "efforts\n",
      "track: frame link2 stays where it starts, position and attitude, by the forces of 2 joints, each "
      "within 9 N m or N\n",
      "rate: frame hand follows a path, its position only, by the motion of 7 joints, as if the base stayed "
      "where "
      "it is, in mode a\n",
      "null: frame hand follows a path, its position only, by the motion of 7 joints, which keeps the base's "
      "attitude, in mode b\n",
      "jets: the attitude of bus is kept, by torque from outside, each within 2 N m, sampled every 0.1 s, 50 "
      "ms "
      "late, with noise of 0.0572958 deg or 0.001 m, 0 deg/s or 0 m/s\n",
      "wheels: the attitude of bus follows a turn, by 2 wheels, each within 3 N m, scaled together\n",
  };
  fb_scenario* s = parse(
      SATELLITE
      "modes: [a, b]\ncontrol:\n"
      "  - {name: pid, type: joint_pid, joints: joint1, kp: 1, ki: 1}\n"
      "  - {name: torque, type: computed_torque, joints: [joint2, joint3], kp: 1, limit: true, path: {times: "
      "[0, 1], values: {joint2: [0, 1]}}}\n"
      "  - {name: track, type: frame_tracking, frame: link2, kp: 1, effort: 9}\n"
      "  - {name: rate, type: resolved_rate, frame: hand, rows: position, jacobian: plain, mode: a, "
      "position: {times: [0], x: [1]}}\n"
      "  - {name: 'null', type: reaction_null, frame: hand, mode: b, position: {times: [0], x: [1]}}\n"
      "  - {name: jets, type: attitude, kp: 1, effort: 2, sample: {rate: 10, delay: 50 ms, noise: "
      "{position: 1e-3}}}\n"
      "  - {name: wheels, type: attitude, kp: 1, effort: 3, saturate: direction, wheels: [wheel_x, wheel_y], "
      "axis: [0, 0, 1], turn: "
      "{times: [0, 1], angles: [0, 1]}}\n");
  char* text;
  assert_int_equal(fb_scenario_explain(s, &text, NULL, NULL), FB_OK);
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    if (!strstr(text, phrases[i])) fail_msg("'%s' is not in\n%s", phrases[i], text);
  free(text);
  fb_scenario_free(s);
}

/* What check says of steps counts ticks, delays and paths of all laws. */
static void test_ticks_that_cut_steps_are_foretold(void** state) {
  (void)state;
  static const struct {
    const char* law;
    int more;
  } cases[] = {
      {"type: joint_pd, joints: joint1, kp: 1, sample: {rate: 50 Hz}", 0},
      {"type: joint_pd, joints: joint1, kp: 1, sample: {rate: 300 Hz}", 1},
      {"type: joint_pd, joints: joint1, kp: 1, sample: {rate: 50 Hz, delay: 15 ms}", 1},
      {"type: resolved_rate, frame: hand, position: {times: [0, 1], x: [0, 1]}", 0},
      {"type: resolved_rate, frame: hand, position: {times: [0, 1.005], x: [0, 1]}", 1},
      {"type: attitude, kp: 1, axis: [1, 0, 0], turn: {times: [0, 1.005], angles: [0, 1]}", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text, SATELLITE "integrator: {step: 10 ms}\ncontrol: [{%s}]\n", cases[i].law);
    fb_scenario* s = parse(text);
    if (fb_scenario_more_steps(s) != cases[i].more) fail_msg("%s", cases[i].law);
    fb_scenario_free(s);
  }
}

/* --- taking a run up again --- */

/* The laws of laws.yaml, and the script where there is Lua. Plugins need a program that shows its names; the command
 * is one (test_scenario_command.c). To be freed. */
static char* print_everything(void) {
  static const char script[] =
      "  - {name: brake, type: lua, file: brake.lua, period: 130 ms, parameters: {gain: 0.02}, sample: "
      "{period: 65 "
      "ms}}\n";
  char* text;
  size_t size;
  fb_error error;
  assert_int_equal(fb_file_read(FOLDER "laws.yaml", &text, &size, &error), FB_OK);
  char *all = (char*)malloc(size + sizeof script), *events = strstr(text, "events:");
  assert_true(all && events);
  snprintf(all, size + sizeof script, "%.*s%s%s", (int)(events - text), text,
           fb_lua_available() ? script : "", events);
  free(text);
  return all;
}

static void test_a_run_of_every_type_is_taken_up_from_its_copies_bit_for_bit(void** state) {
  (void)state;
  char folder[] = FB_BINARY_DIR "/control-XXXXXX", path[600];
  fb_error error;
  assert_non_null(mkdtemp(folder));
  char* text = print_everything();
  fb_scenario* s = parse(text);
  free(text);
  assert_int_equal(fb_scenario_write(s, folder, &error), FB_OK);
  static const double halves[] = {0.65, 1.25}; /* before the event, and after it */
  for (int i = 0; i < 2; i++) {
    fb_sim* whole = run(s, halves[i]);
    size_t size = fb_sim_snapshot_size(whole);
    void* snapshot = malloc(size);
    assert_non_null(snapshot);
    fb_sim_save(whole, snapshot);
    assert_int_equal(fb_sim_run_until(whole, 2, &error), FB_OK);
    fb_scenario_options options = fb_default_scenario_options();
    options.inputs = folder;
    fb_scenario* again;
    if (fb_scenario_read("gone/case.yaml", &options, &again, &error)) fail_msg("%s", error.text);
    fb_sim* rest = NULL;
    assert_int_equal(fb_sim_build(again, &rest, &error), FB_OK);
    if (fb_sim_restore(rest, snapshot, size, &error)) fail_msg("%s", error.text);
    assert_int_equal(fb_sim_run_until(rest, 2, &error), FB_OK);
    assert_int_equal(fb_sim_ny(whole), fb_sim_ny(rest));
    assert_memory_equal(fb_sim_y(whole), fb_sim_y(rest), (size_t)fb_sim_ny(whole) * sizeof(double));
    free(snapshot);
    fb_sim_free(rest);
    fb_sim_free(whole);
    fb_scenario_free(again);
  }
  for (size_t i = 0; i < s->input_count; i++)
    assert_int_equal(unlink(fb_scenario_copy_name(folder, (int)i, s->inputs[i].file, path, sizeof path)), 0);
  assert_int_equal(rmdir(folder), 0);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples_are_read),
      cmocka_unit_test(test_outputs_of_laws_are_signals),
      cmocka_unit_test(test_delays_and_limits_are_felt),
      cmocka_unit_test(test_forces_of_several_laws_add),
      cmocka_unit_test(test_laws_by_motion_share_a_joint_in_different_modes_only),
      cmocka_unit_test(test_events_set_the_parameters_of_every_type),
      cmocka_unit_test(test_every_law_is_explained),
      cmocka_unit_test(test_ticks_that_cut_steps_are_foretold),
      cmocka_unit_test(test_a_run_of_every_type_is_taken_up_from_its_copies_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
