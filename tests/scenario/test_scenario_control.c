/* test_scenario_control.c -- the control laws of scenarios: each type as it is read and as it acts, with its paths. The
 * laws themselves have tests of their own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/lua.h>
#include <freebody/rotation.h>

#include "scenario_rig.h"

#define STEP "integrator: {step: 20 ms}\n"

static int v_at(const fb_scenario* s, const char* joint) {
  return fb_joint_v_index(fb_scenario_model(s), fb_model_find_joint(fb_scenario_model(s), joint));
}

static double q_of(const fb_sim* sim, const char* joint) {
  const fb_model* m = fb_sim_model(sim);
  return fb_sim_q(sim)[fb_joint_q_index(m, fb_model_find_joint(m, joint))];
}

static double v_of(const fb_sim* sim, const char* joint) {
  const fb_model* m = fb_sim_model(sim);
  return fb_sim_v(sim)[fb_joint_v_index(m, fb_model_find_joint(m, joint))];
}

static void assert_within(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.12g is not %.12g +- %g", x, expected, tolerance);
}

static void pose(const fb_model* m, const double* q, const char* frame, double p[3], double R[9]) {
  fb_data* d = fb_data_new(m);
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, frame), p, R);
  fb_data_free(d);
}

/* How far a frame went from where it started: its shift and its turn as a vector, world axes. */
static void went(const fb_scenario* s, const fb_sim* sim, const char* frame, double shift[3],
                 double turn[3]) {
  double p[2][3], R[2][9];
  pose(fb_scenario_model(s), fb_scenario_q(s), frame, p[0], R[0]);
  pose(fb_scenario_model(s), fb_sim_q(sim), frame, p[1], R[1]);
  for (int i = 0; i < 3; i++) shift[i] = p[1][i] - p[0][i];
  fb_rot_difference(R[1], R[0], turn);
}

/* --- joints --- */

/* A hanging arm, 2 kg at 0.5 m, held out at 90 deg under gravity: kp alone sags, the integral takes it back. */
static void test_the_integral_of_joint_pid_takes_the_sag_away(void** state) {
  (void)state;
  static const struct {
    const char* law;
    double sag, tolerance; /* [rad] */
  } cases[] = {
      {"type: joint_pd, kp: 100, kd: 20", 0.0976, 1e-3}, /* 100 x = 9.81 cos x */
      {"type: joint_pd, kp: 100, kd: 20, ki: 200", 0, 1e-3},
      {"type: joint_pid, kp: 100, kd: 20, ki: [200 N m/(rad s)]", 0, 1e-3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "scenario: 1\nmodel: arm.yaml\ngravity: [0, 0, -9.81]\nstart: {joints: {hinge: -90 deg}}\n"
             "control: [{name: a, %s}]\n",
             cases[i].law);
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 5);
    assert_within(fabs(q_of(sim, "hinge") + PI / 2), cases[i].sag, cases[i].tolerance);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* A slip in the list of a kind would leave a key without effect. */
static void test_every_key_that_a_kind_lists_is_a_row(void** state) {
  (void)state;
  for (const fb_schema_registry* r = fb_registries; r->kinds; r++)
    for (int k = 0; r->kinds[k]; k++) {
      char keys[400];
      snprintf(keys, sizeof keys, "%s", r->kinds[k]->keys);
      for (char* key = strtok(keys, " !"); key; key = strtok(NULL, " !")) {
        int found = 0;
        const fb_field* field;
        for (int i = 0; (field = fb_schema_field(&fb_scenario_schema, r->object, i)) != NULL; i++)
          found += strcmp(field->key, key) == 0 && fb_field_is_by_kind(field);
        if (found != 1)
          fail_msg("%s: %d rows are called '%s'", fb_schema_variant(&fb_scenario_schema, r->object, k), found,
                   key);
      }
    }
}

/* e'' + kd e' + kp e = 0 from rest, kd = 2 sqrt(kp): e = e_0 (1 + w t) exp(-w t), also with gravity and a base
 * that floats. */
static void test_computed_torque_gives_the_errors_their_own_law(void** state) {
  (void)state;
  fb_scenario* s = parse(SATELLITE
                         "gravity: [0, 0, -2]\ncontrol:\n"
                         "  - {name: a, type: computed_torque, joints: [joint1, joint2, joint3], kp: 4,\n"
                         "     target: {joint2: 1.2 rad}}\n");
  assert_within(joint_law(s, 0)->joints[0].kd, 4, 1e-14);
  fb_sim* sim = run(s, 1);
  assert_within(q_of(sim, "joint2"), 1.2 - 0.5 * 3 * exp(-2), 1e-7);
  assert_within(q_of(sim, "joint1"), 0.3, 1e-7);
  assert_true(fabs(q_of(sim, "joint5") - 0.7) > 1e-4); /* not named: it gives way */
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* --- paths --- */

/* A path from 0 to 1 rad between 1 s and 3 s: where it is and how fast at t. */
static void test_paths_take_their_shape(void** state) {
  (void)state;
  static const struct {
    const char* keys;
    double t, x, v;
  } cases[] = {
      {"", 2, 0.5, 0.75}, /* 3 u^2 - 2 u^3 */
      {"shape: cubic", 1.5, 0.15625, 0.5625},
      {"shape: quintic", 2, 0.5, 15.0 / 16},
      {"shape: quintic", 1.5, 0.103515625, 0.52734375}, /* 10 u^3 - 15 u^4 + 6 u^5 at 1/4 */
      {"shape: trapezoid", 2, 0.5, 0.5 / 0.75},
      {"shape: trapezoid, ramp: 0.5", 2, 0.5, 1},
      {"shape: trapezoid, ramp: 0.1", 1.4, 0.5 * 0.2 / 1.8 + 0.2 / 1.8, 1 / 1.8},
      /* Shaped, undamped, period 2 s: ZV is the mean of the path now and 1 s ago; ZVD of three, weights 1, 2, 1. */
      {"shaping: {frequency: 500 mHz, robust: false}", 2, 0.25, 0.375},
      {"shaping: {frequency: 0.5 Hz}", 2, 0.125, 0.1875},
      {"shaping: {frequency: 0.5 Hz, damping: 0, robust: true}", 3, 0.25 + 0.25, 0.375},
      {"shape: quintic, shaping: {frequency: 0.5, damping: 0.3}", 6, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "scenario: 1\nmodel: satellite.yaml\n"
        "motions: [{joint: joint1, path: {times: [1, 3], values: [0, 1], %s}}]\n"
        "control:\n"
        "  - {name: a, type: joint_pd, joints: joint2, kp: 1, path: {times: [1, 3], values: {joint2: [0, "
        "1]}, "
        "%s}}\n"
        "  - {name: b, type: frame_tracking, frame: hand, kp: 1, position: {times: [1, 3], y: [0, 1], %s}}\n"
        "  - {name: c, type: attitude, kp: 1, axis: [0, 0, 2], turn: {times: [1, 3], angles: [0, 1 rad], "
        "%s}}\n",
        cases[i].keys, cases[i].keys, cases[i].keys, cases[i].keys);
    fb_scenario* s = parse(text);
    const fb_spline* paths[] = {s->motions[0].motions[0].path, joint_law(s, 0)->joints[0].path,
                                ((const fb_frame_task*)s->blocks[1].settings)->path.position[1],
                                ((const fb_attitude_task*)s->blocks[2].settings)->turn};
    for (int k = 0; k < 4; k++) {
      double x, v;
      fb_spline_eval(paths[k], cases[i].t, &x, &v, NULL);
      if (!(fabs(x - cases[i].x) <= 1e-12 && fabs(v - cases[i].v) <= 1e-12))
        fail_msg("%s: path %d is at %.12g, %.12g/s, not %.12g, %.12g/s", cases[i].keys, k, x, v, cases[i].x,
                 cases[i].v);
    }
    fb_scenario_free(s);
  }
}

/* --- frames --- */

/* Where the hand and the bus are after a path of (-10 cm, 5 cm, 10 cm) in 2 s. */
static void test_frames_follow_their_paths(void** state) {
  (void)state;
#define STRAIGHT "from_start: true, position: {times: [0, 2], x: [0, -10 cm], y: [0, 5 cm], z: [0, 10 cm]}"
  static const struct {
    const char* law;
    double miss;        /* of the hand at most [m] */
    double least, most; /* turn of the bus [rad] */
    double turned;      /* of the hand about z [rad]; NAN: whatever */
  } cases[] = {
      {"type: resolved_rate, rows: position, " STRAIGHT, 1e-6, 1e-4, 1, NAN},
      {"type: resolved_rate, gain: 2, " STRAIGHT, 1e-6, 1e-4, 1, 0},
      {"type: resolved_rate, axis: [0, 0, 1], turn: {times: [0, 2], angles: [0, 20 deg]}, " STRAIGHT, 1e-6,
       1e-4, 1, PI / 9},
      {"type: reaction_null, " STRAIGHT, 1e-6, 0, 1e-6, NAN},
      {"type: frame_tracking, kp: 4, " STRAIGHT, 1e-6, 1e-4, 1, 0},
      {"type: frame_tracking, kp: 4, kd: 4, rows: position, damping: 1e-4, effort: 100 N m, limit: "
       "true, " STRAIGHT,
       1e-4, 1e-4, 1, NAN},
      {"type: frame_tracking, kp: 4, rows: position, from: link1, " STRAIGHT, 1e-6, 1e-4, 1, NAN},
      {"type: frame_tracking, kp: 4, from_start: true, position: {times: [0, 2], "
       "points: [[0, 0, 0], [-10 cm, 50 mm, 0.1]], shape: quintic}",
       1e-6, 1e-4, 1, 0},
  };
#undef STRAIGHT
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[900];
    snprintf(text, sizeof text, SATELLITE STEP "control: [{name: a, frame: hand, %s}]\n", cases[i].law);
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 2.4);
    double shift[3], turn[3], unused[3], bus[3];
    went(s, sim, "hand", shift, turn);
    went(s, sim, "bus", unused, bus);
    double miss = hypot(hypot(shift[0] + 0.1, shift[1] - 0.05), shift[2] - 0.1);
    double swung = hypot(hypot(bus[0], bus[1]), bus[2]);
    if (!(miss <= cases[i].miss && swung >= cases[i].least && swung <= cases[i].most))
      fail_msg("%s: the hand misses by %g m, the bus turns by %g rad", cases[i].law, miss, swung);
    if (!isnan(cases[i].turned)) assert_within(turn[2], cases[i].turned, 1e-5);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* Believing that the base stays, the hand misses by what the base does. */
static void test_a_plain_jacobian_misses_by_what_the_base_moves(void** state) {
  (void)state;
  fb_scenario* s = parse(SATELLITE STEP
                         "control: [{name: a, type: resolved_rate, frame: hand, jacobian: plain, from_start: "
                         "true, position: {times: [0, 2], x: [0, -20 cm]}}]\n");
  fb_sim* sim = run(s, 2.4);
  double shift[3], turn[3];
  went(s, sim, "hand", shift, turn);
  assert_true(hypot(hypot(shift[0] + 0.2, shift[1]), shift[2]) > 1e-3);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* --- attitudes --- */

static void test_attitudes_follow_their_turns(void** state) {
  (void)state;
  static const char* const laws[] = {
      "kp: 40, kd: 90",
      "kp: 40 N m/rad, kd: 90 N m s/rad, body: bus, effort: 5 N m",
      "kp: 40, kd: 90, wheels: [wheel_x, rotor_y, wheel_z]",
  };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char text[700];
    snprintf(
        text, sizeof text,
        "scenario: 1\nmodel: satellite.yaml\nintegrator: {step: 50 ms}\ncontrol:\n"
        "  - {name: a, type: attitude, axis: [0, 1, 0], turn: {times: [0, 10], angles: [0, 10 deg]}, %s}\n"
        "  - {name: b, type: computed_torque, joints: [joint1, joint2, joint3, joint4, joint5, joint6, "
        "joint7], kp: 4}\n",
        laws[i]);
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 20);
    double shift[3], turn[3];
    went(s, sim, "bus", shift, turn);
    assert_within(turn[1], PI / 18, 0.02 * PI / 18);
    assert_true(fabs(turn[0]) < 2e-3 && fabs(turn[2]) < 2e-3);
    if (i == 2) assert_true(q_of(sim, "wheel_y") < -10); /* it turns the other way, and far */
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* The base turns at (0.04, 0.01, 0) rad/s, and the wheels shall stop it with 0.01 N m at most: with the direction kept, the
 * base's rate keeps its own, and each axis by itself y stops first. An event that takes all effort away ends it. */
static void test_wheels_keep_their_bounds_and_the_torque_its_direction(void** state) {
  (void)state;
  for (int direction = 0; direction < 2; direction++) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "scenario: 1\nmodel:\n  freebody: 1\n  name: ball\n  bodies:\n"
        "    - {name: hull, mass: 50, inertia: [2, 2, 2, 0, 0, 0]}\n"
        "    - {name: wx, parent: hull, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], joint: {type: "
        "revolute, axis: [1, 0, 0], speed: 6}}\n"
        "    - {name: wy, parent: hull, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], joint: {type: "
        "revolute, axis: [0, 1, 0], speed: 6}}\n"
        "start: {rates: {hull: [0, 0, 0, 0.04, 0.01, 0]}}\n"
        "control: [{name: a, type: attitude, kp: 0, kd: 10, wheels: [wx, wy], effort: 0.01, saturate: %s}]\n"
        "events: [{at: 3, do: [{set: {block: a, parameter: effort, value: 0}}]}]\n",
        direction ? "direction" : "axis");
    fb_scenario* s = parse(text);
    fb_sim* sim = run(s, 2);
    const double* v = fb_sim_v(sim);
    if (direction)
      assert_within(v[4], v[3] / 4, 1e-5);
    else
      assert_true(v[3] > 0.025 && v[4] < 0.002);
    fb_sim_free(sim);
    sim = run(s, 3.5);
    double later[2] = {fb_sim_v(sim)[6], fb_sim_v(sim)[7]};
    fb_sim_free(sim);
    sim = run(s, 60);
    assert_within(fb_sim_v(sim)[6], later[0], 0.02 * fabs(later[0])); /* nothing drives them any more */
    fb_sim_free(sim);
    fb_scenario_free(s);
    /* without that event the wheel on x comes to its limit, and the base goes on turning */
    char* events = strstr(text, "events:");
    *events = '\0';
    s = parse(text);
    sim = run(s, 60);
    assert_within(fabs(fb_sim_v(sim)[6]), 6, 0.06);
    assert_true(fb_sim_v(sim)[3] > 0.005);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* --- Lua --- */

static void test_scripts_act_or_are_refused_where_there_is_no_lua(void** state) {
  (void)state;
  static const char* const sources[] = {
      "file: brake.lua, period: 0.1, parameters: {gain: 3}",
      "text: \"function act(t, q, v)\\n local tau = {}\\n for i = 1, #v do tau[i] = i > 6 and -3 * v[i] or 0 "
      "end\\n return tau\\nend\", most_seconds: 500 ms, most_instructions: 100000, most_memory: 8",
  };
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    char text[700];
    snprintf(text, sizeof text,
             SATELLITE "motions: [{joint: bus, lock: true}]\ncontrol: [{name: a, type: lua, %s}]\n",
             sources[i]);
    if (!fb_lua_available()) {
      fb_scenario* s;
      fb_error error;
      assert_int_equal(fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error),
                       FB_ERR_UNSUPPORTED);
      assert_int_equal(error.place.line, 5);
      continue;
    }
    fb_scenario* s = parse(text);
    fb_sim* sim = NULL;
    fb_error error;
    /* A wheel that turns about its own axis: I v' = -3 v, with the bus held. */
    int k = v_at(s, "wheel_x");
    double* v = (double*)calloc((size_t)fb_model_nv(fb_scenario_model(s)), sizeof *v);
    assert_non_null(v);
    v[k] = 1;
    assert_int_equal(fb_sim_build(s, &sim, &error), FB_OK);
    assert_int_equal(fb_sim_start(sim, fb_scenario_q(s), v, &error), FB_OK);
    if (fb_sim_run_until(sim, 0.02, &error)) fail_msg("%s", error.text);
    assert_within(v_of(sim, "wheel_x"), exp(-3 * 0.02 / 0.05), 2e-2);
    free(v);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void test_mistakes_in_scripts_are_told_with_their_own_lines(void** state) {
  (void)state;
  static const struct {
    const char *script, *file, *phrase;
    int line;
  } cases[] = {
      {"file: brake.lua, period: 1, parameters: {gian: 1}", "", "gian", 0},
      {"file: brake.lua", "case.yaml", "no period", 4},
      {"text: \"\\n\\nfunction act(\"", "text", "", 3},
      {"text: \"x = 1\"", "", "act", 0},
  };
  for (size_t i = 0; fb_lua_available() && i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    fb_scenario* s;
    fb_error error;
    snprintf(text, sizeof text, SATELLITE "control: [{name: a, type: lua, %s}]\n", cases[i].script);
    assert_int_not_equal(fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error), FB_OK);
    if (!strstr(error.file, cases[i].file) || !strstr(error.text, cases[i].phrase) ||
        (cases[i].line && error.place.line != cases[i].line))
      fail_msg("%s: found %s:%d: %s", cases[i].script, error.file, error.place.line, error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_integral_of_joint_pid_takes_the_sag_away),
      cmocka_unit_test(test_every_key_that_a_kind_lists_is_a_row),
      cmocka_unit_test(test_computed_torque_gives_the_errors_their_own_law),
      cmocka_unit_test(test_paths_take_their_shape),
      cmocka_unit_test(test_frames_follow_their_paths),
      cmocka_unit_test(test_a_plain_jacobian_misses_by_what_the_base_moves),
      cmocka_unit_test(test_attitudes_follow_their_turns),
      cmocka_unit_test(test_wheels_keep_their_bounds_and_the_torque_its_direction),
      cmocka_unit_test(test_scripts_act_or_are_refused_where_there_is_no_lua),
      cmocka_unit_test(test_mistakes_in_scripts_are_told_with_their_own_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
