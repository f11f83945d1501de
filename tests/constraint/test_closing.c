/* test_closing.c -- fb_loops_close: a start at which the loops are closed, from any subset of coordinates. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/loop.h>

enum { CRANK, COUPLER, ROCKER, BARS };
static const double GROUND = 1.5; /* between the axes of crank and rocker; all bars have 1 m */

static void add_bar(fb_model_def* def, const char* name, const char* parent, double x) {
  fb_body_def bar = fb_default_body_def();
  fb_frame_def tip = fb_default_frame_def();
  char tip_name[32];
  int id;
  bar.name = name;
  bar.parent = parent;
  bar.joint.type = FB_JOINT_REVOLUTE;
  bar.joint.axis[1] = 1;
  bar.joint.at[0] = x;
  snprintf(tip_name, sizeof tip_name, "%s_tip", name);
  tip.name = tip_name;
  tip.at[0] = 1;
  assert_int_equal(fb_model_def_add_body(def, &bar, &id, NULL), FB_OK); /* massless: closing needs none */
  assert_int_equal(fb_model_def_add_frame(def, id, &tip, NULL), FB_OK);
}

static void add_loop(fb_model_def* def, const char* name, fb_loop_type type, double length) {
  fb_loop_def loop = fb_default_loop_def(type);
  loop.name = name;
  loop.a = "rocker_tip";
  loop.b = "coupler_tip";
  loop.length = length;
  if (type == FB_LOOP_REVOLUTE) memcpy(loop.axis, (double[3]){0, 1, 0}, sizeof loop.axis);
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
}

static fb_model_def* bars(void) {
  fb_model_def* def = fb_model_def_new();
  add_bar(def, "crank", NULL, 0);
  add_bar(def, "coupler", "crank", 1);
  add_bar(def, "rocker", NULL, GROUND);
  return def;
}

static fb_model* built(fb_model_def* def) {
  fb_model* m = NULL;
  assert_int_equal(fb_model_build(def, NULL, &m, NULL), FB_OK);
  fb_model_def_free(def);
  return m;
}

static fb_model* four_bar(fb_loop_type type) {
  fb_model_def* def = bars();
  add_loop(def, "close", type, NAN);
  return built(def);
}

/* The distance of the tips of coupler and rocker, which both are at 1 m. */
static double gap(const double q[BARS]) {
  double x = cos(q[CRANK]) + cos(q[CRANK] + q[COUPLER]) - GROUND - cos(q[ROCKER]);
  double z = sin(q[CRANK]) + sin(q[CRANK] + q[COUPLER]) - sin(q[ROCKER]);
  return hypot(x, z);
}

static void what_is_held_stays_and_the_rest_is_solved(void** state) {
  (void)state;
  static const fb_loop_type TYPES[] = {FB_LOOP_REVOLUTE, FB_LOOP_POINT};
  for (int type = 0; type < 2; type++)
    for (int held = 0; held < BARS; held++) {
      fb_model* m = four_bar(TYPES[type]);
      fb_data* d = fb_data_new(m);
      unsigned char mask[BARS] = {0};
      double q[BARS] = {0}, v[BARS] = {0};
      fb_error error = {0};
      mask[held] = 1;
      q[held] = (double[BARS]){-1.1, 0.9, -2}[held];
      v[held] = 0.7;
      double given = q[held];
      if (fb_loops_close(m, d, mask, q, v, &error)) fail_msg("%s", error.text);
      assert_true(q[held] == given && v[held] == 0.7);
      assert_true(gap(q) < 1e-12);
      double later[BARS], h = 1e-6;
      for (int k = 0; k < BARS; k++) later[k] = q[k] + h * v[k];
      assert_true(gap(later) < 1e-10); /* second order in h */
      fb_data_free(d);
      fb_model_free(m);
    }
}

static void a_stretched_mechanism_closes_too(void** state) {
  (void)state;
  fb_model* m = four_bar(FB_LOOP_REVOLUTE);
  fb_data* d = fb_data_new(m);
  double q[BARS] = {0}, v[BARS] = {0}; /* all bars in one line: no direction leads to a closed loop */
  assert_int_equal(fb_loops_close(m, d, NULL, q, v, NULL), FB_OK);
  assert_true(gap(q) < 1e-12);
  fb_data_free(d);
  fb_model_free(m);
}

static void expect_refusal(fb_model* m, const unsigned char* held, const double* start, const char* text) {
  fb_data* d = fb_data_new(m);
  double q[BARS];
  fb_error error = {0};
  memcpy(q, start, sizeof q);
  assert_int_equal(fb_loops_close(m, d, held, q, NULL, &error), FB_ERR_NO_SOLUTION);
  if (!strstr(error.text, text)) fail_msg("\"%s\" does not say \"%s\"", error.text, text);
  fb_data_free(d);
  fb_model_free(m);
}

static void loops_that_cannot_close_are_named(void** state) {
  (void)state;
  static const double ZERO[BARS] = {0};
  fb_model_def* def = bars();
  add_loop(def, "short", FB_LOOP_DISTANCE, 0.3);
  add_loop(def, "long", FB_LOOP_DISTANCE, 0.5);
  expect_refusal(built(def), NULL, ZERO, "\"short\", \"long\" cannot close together");
  expect_refusal(four_bar(FB_LOOP_POINT), (const unsigned char[BARS]){1, 1, 1}, ZERO,
                 "\"close\" cannot close");
  def = bars();
  add_loop(def, "far", FB_LOOP_DISTANCE, 100);
  expect_refusal(built(def), NULL, ZERO, "\"far\" cannot close");
}

static void a_distance_without_a_length_takes_that_of_the_start(void** state) {
  (void)state;
  fb_model* m = four_bar(FB_LOOP_DISTANCE);
  fb_data* d = fb_data_new(m);
  double q[BARS] = {-1, 0.4, -0.7}, v[BARS] = {1, 0, 0}, error, before = gap(q);
  assert_int_equal(fb_loops_close(m, d, NULL, q, v, NULL), FB_OK);
  assert_true(q[CRANK] == -1 && q[COUPLER] == 0.4 && q[ROCKER] == -0.7);
  fb_loop_errors(m, d, q, &error);
  assert_true(error < 1e-14 && fabs(gap(q) - before) == 0);
  double later[BARS], h = 1e-6;
  for (int k = 0; k < BARS; k++) later[k] = q[k] + h * v[k];
  assert_true(fabs(gap(later) - before) < 1e-10);
  fb_data_free(d);
  fb_model_free(m);
}

static void least_change_is_the_nearest_of_all_rates(void** state) {
  (void)state;
  fb_model* m = four_bar(FB_LOOP_POINT);
  fb_data* d = fb_data_new(m);
  double q[BARS] = {-1, 0, 0}, v[BARS] = {1, 2, 3}, none[BARS] = {0};
  assert_int_equal(fb_loops_close(m, d, (const unsigned char[BARS]){1, 0, 0}, q, none, NULL), FB_OK);
  assert_int_equal(fb_loops_close(m, d, NULL, q, v, NULL), FB_OK);
  /* One motion is left: v is along it, and what was taken away is at right angles to it. */
  double along = 0, change[BARS] = {v[0] - 1, v[1] - 2, v[2] - 3};
  for (int k = 0; k < BARS; k++) along += change[k] * v[k];
  assert_true(fabs(along) < 1e-10);
  fb_data_free(d);
  fb_model_free(m);
}

/* Two bodies on a rod of 9 m, the second of which begins at the origin. */
static void a_body_is_fetched_from_afar(void** state) {
  (void)state;
  static const double FAR[] = {10, 1e3, 1e5};
  fb_model_def* def = fb_model_def_new();
  fb_loop_def rod = fb_default_loop_def(FB_LOOP_DISTANCE);
  fb_body_def body = fb_default_body_def();
  const unsigned char held[12] = {1, 1, 1, 1, 1, 1};
  fb_error error;
  body.joint.type = FB_JOINT_FREE;
  body.mass = 1;
  for (int k = 0; k < 3; k++) body.inertia[k] = 1;
  for (int i = 0; i < 2; i++) {
    body.name = i == 0 ? "here" : "there";
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  rod.name = "rod";
  rod.a = "here";
  rod.b = "there";
  rod.length = 9;
  assert_int_equal(fb_model_def_add_loop(def, &rod, NULL), FB_OK);
  fb_model* m = built(def);
  fb_data* d = fb_data_new(m);
  for (int i = 0; i < 3; i++) {
    double q[14];
    fb_neutral(m, q);
    q[0] = FAR[i];
    if (fb_loops_close(m, d, held, q, NULL, &error)) fail_msg("%g m: %s", FAR[i], error.text);
    assert_true(q[0] == FAR[i] && fabs(q[0] - q[7] - 9) <= 1e-9);
  }
  fb_data_free(d);
  fb_model_free(m);
}

/* A spindle of 0.1 mm a turn moves its nut by 5 m: 314 159 rad. */
static void a_screw_turns_as_far_as_its_nut_needs(void** state) {
  (void)state;
  static const char* const SPINDLE[] = {"spindle"};
  const double ratio = 1e-4 / (2 * acos(-1));
  fb_model_def* def = fb_model_def_new();
  add_bar(def, "spindle", NULL, 0);
  fb_body_def nut = fb_default_body_def();
  nut.name = "nut";
  nut.joint.type = FB_JOINT_PRISMATIC;
  nut.joint.axis[1] = 1;
  assert_int_equal(fb_model_def_add_body(def, &nut, NULL, NULL), FB_OK);
  fb_loop_def gear = fb_default_loop_def(FB_LOOP_GEAR);
  gear.name = "screw";
  gear.a = "nut";
  gear.joints = SPINDLE;
  gear.ratios = &ratio;
  gear.njoint = 1;
  assert_int_equal(fb_model_def_add_loop(def, &gear, NULL), FB_OK);
  fb_model* m = built(def);
  double q[2] = {0, 5};
  const unsigned char held[2] = {0, 1};
  fb_data* d = fb_data_new(m);
  assert_int_equal(fb_loops_close(m, d, held, q, NULL, NULL), FB_OK);
  assert_true(q[1] == 5 && fabs(q[0] * ratio - 5) < 1e-9);
  fb_data_free(d);
  fb_model_free(m);
}

static void rates_that_open_a_loop_name_it(void** state) {
  (void)state;
  fb_model* m = four_bar(FB_LOOP_POINT);
  fb_data* d = fb_data_new(m);
  const unsigned char held[BARS] = {1, 1, 1};
  double q[BARS] = {0.7, 0, 2}, v[BARS] = {1, 0, 0};
  fb_error error;
  assert_int_equal(fb_loops_close(m, d, NULL, q, NULL, &error), FB_OK);
  assert_int_equal(fb_loops_close(m, d, held, q, v, &error), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(error.text, "open the loop \"close\" at"));
  fb_data_free(d);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_held_stays_and_the_rest_is_solved),
      cmocka_unit_test(a_stretched_mechanism_closes_too),
      cmocka_unit_test(loops_that_cannot_close_are_named),
      cmocka_unit_test(a_distance_without_a_length_takes_that_of_the_start),
      cmocka_unit_test(a_body_is_fetched_from_afar),
      cmocka_unit_test(a_screw_turns_as_far_as_its_nut_needs),
      cmocka_unit_test(rates_that_open_a_loop_name_it),
      cmocka_unit_test(least_change_is_the_nearest_of_all_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
