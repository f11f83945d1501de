/* test_captured.c -- models that joins have made, in use: the native format holds them to the last bit, others say why they
 * cannot; attached to others; with wheels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "capture_rig.h"
#include "same_def.h"

#include "control/attitude_wheels.h"

/* Two robots, joined by a joint of this type between bodies in the middle of them. */
static moving joined_robots(uint64_t seed, fb_joint_type type) {
  fb_random r = random_seed(seed);
  moving s = moving_of(two_robots(&r, 5, 2, 1));
  fb_join_def how = fb_default_join_def();
  fb_model* m;
  fb_error error;
  how.name = "grasp";
  how.frame = seed % 2 ? "b4_grip" : "b2";
  how.to = "a3_grip";
  how.type = type;
  how.force = 1;
  how.pitch = 0.2;
  fb_random_q(s.m, seed, s.q);
  if (fb_model_join(s.m, &how, s.q, &m, &error)) fail_msg("%s", error.text);
  moving to = moving_of(m);
  assert_int_equal(fb_model_state_carry(&(fb_model_state){s.m, s.d, s.q, s.v},
                                        &(fb_model_state){m, to.d, to.q, to.v}, &error),
                   FB_OK);
  moving_free(&s);
  return to;
}

static char* printed(const fb_model* m, fb_format format) {
  char* text;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  if (fb_model_def_print(fb_model_definition(m), &options, &text, NULL, &error)) fail_msg("%s", error.text);
  return text;
}

static void the_native_format_holds_a_joined_model_to_the_last_bit(void** unused) {
  (void)unused;
  static const fb_format formats[] = {FB_FORMAT_YAML, FB_FORMAT_JSON};
  for (uint64_t i = 0; i < 2 * FB_JOINT_FREE; i++) {
    moving s = joined_robots(i, (fb_joint_type)(i / 2));
    fb_model_def* def;
    fb_error error;
    char *text = printed(s.m, formats[i % 2]), *again;
    fb_io_options options = fb_default_io_options();
    if (fb_model_def_parse(text, strlen(text), "joined", &options, &def, &error))
      fail_msg("%s\n%s", error.text, text);
    assert_same_def(fb_model_definition(s.m), def, 0);
    fb_model* m = build_or_fail(def, NULL);
    for (int k = 0; k < fb_model_nv(m); k++) assert_int_equal(fb_model_coordinate_from(s.m, m, k), k);
    again = printed(m, formats[i % 2]);
    assert_string_equal(text, again);
    free(text);
    free(again);
    fb_model_def_free(def);
    fb_model_free(m);
    moving_free(&s);
  }
}

static void a_joined_model_that_was_read_can_be_parted(void** unused) {
  (void)unused;
  moving s = joined_robots(3, FB_JOINT_UNIVERSAL);
  char* text = printed(s.m, FB_FORMAT_YAML);
  fb_model_def* def;
  fb_model *m, *parts;
  fb_io_options options = fb_default_io_options();
  assert_int_equal(fb_model_def_parse(text, strlen(text), "joined", &options, &def, NULL), FB_OK);
  m = build_or_fail(def, NULL);
  assert_int_equal(fb_model_part(m, "grasp", &parts, NULL), FB_OK);
  int b0 = fb_model_find_body(parts, "b0");
  assert_true(fb_body_floats(parts, b0));
  for (int b = 1; b < fb_model_nbody(parts); b++) {
    assert_int_equal(fb_model_def_body(fb_model_definition(parts), b)->joint.reversed, 0);
    assert_int_equal(fb_body_base(parts, b), fb_body_name(parts, b)[0] == 'b' ? b0 : 1);
  }
  free(text);
  fb_model_def_free(def);
  fb_model_free(m);
  fb_model_free(parts);
  moving_free(&s);
}

static fb_model_def* attached(const fb_model_def* part) {
  fb_model_def* def = fb_model_def_new();
  fb_attach_def how = fb_default_attach_def();
  how.prefix = "p";
  how.at[0] = 3;
  fb_rot_z(0.5, how.R);
  assert_int_equal(fb_model_def_attach(def, part, &how, NULL), FB_OK);
  return def;
}

static void a_joined_model_within_a_scene_can_be_parted(void** unused) {
  (void)unused;
  moving s = joined_robots(2, FB_JOINT_CYLINDRICAL);
  fb_model *parted, *again, *m;
  assert_int_equal(fb_model_part(s.m, "grasp", &parted, NULL), FB_OK);
  fb_model_def *joined = attached(fb_model_definition(s.m)), *want = attached(fb_model_definition(parted));
  m = build_or_fail(joined, NULL);
  assert_int_equal(fb_model_part(m, "p_grasp", &again, NULL), FB_OK);
  assert_same_def(fb_model_definition(again), want, 0);
  fb_model_def_free(joined);
  fb_model_def_free(want);
  fb_model_free(m);
  fb_model_free(parted);
  fb_model_free(again);
  moving_free(&s);
}

/* The axis about which a unit of a body's coordinate turns it, in the axes of another. */
static void axis_seen_from(const moving* s, int wheel, int base, double axis[3]) {
  double p[3], R[9], v[3];
  memset(s->v, 0, (size_t)fb_model_nv(s->m) * sizeof *s->v);
  s->v[fb_joint_v_index(s->m, wheel)] = 1;
  fb_kinematics(s->m, s->d, s->q, s->v, NULL);
  fb_frame_velocity(s->m, s->d, wheel, v, axis);
  fb_frame_pose(s->m, s->d, base, p, R);
  fb_rot_apply_transpose(R, axis, axis);
}

/* A bus, and a plate with a wheel, which is joined to it by the plate or by the wheel. */
static void wheels_of_captured_bodies_turn_about_their_axes(void** unused) {
  (void)unused;
  static const char* const names[] = {"bus", "plate", "wheel"};
  for (int by_wheel = 0; by_wheel < 2; by_wheel++) {
    fb_random r = random_seed(4);
    fb_model_def* def = fb_model_def_new();
    for (int i = 0; i < 3; i++) {
      fb_body_def body = fb_default_body_def();
      body.name = names[i];
      body.parent = i == 2 ? "plate" : NULL;
      body.joint = random_joint(&r, 0);
      body.joint.type = i == 2 ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
      body.mass = 1;
      random_inertia(&r, 1, body.inertia);
      assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
    }
    moving s = moving_of(build_or_fail(def, NULL));
    fb_model* m;
    fb_wheels wheels;
    fb_error error;
    fb_join_def how = fb_default_join_def();
    how.name = "weld";
    how.frame = names[1 + by_wheel];
    how.to = "bus";
    how.force = 1;
    fb_random_q(s.m, 1, s.q);
    assert_int_equal(fb_model_join(s.m, &how, s.q, &m, NULL), FB_OK);
    moving t = moving_of(m);
    fb_model_state_carry(&(fb_model_state){s.m, s.d, s.q, NULL}, &(fb_model_state){m, t.d, t.q, NULL}, NULL);
    int wheel = by_wheel ? 2 : 3;
    double want[3];
    if (fb_wheels_init(m, "law", 1, &wheel, 1, &wheels, &error)) fail_msg("%s", error.text);
    axis_seen_from(&t, wheel, 1, want);
    assert_near("axis", wheels.axis[0], want, 3, 1e-14);
    fb_wheels_free(&wheels);
    fb_model_def_free(def);
    moving_free(&s);
    moving_free(&t);
  }
}

static void formats_of_others_say_why_they_cannot(void** unused) {
  (void)unused;
  static const struct {
    fb_format format;
    const char* text;
  } rows[] = {{FB_FORMAT_URDF, "for which URDF has no words; write the native format"},
              {FB_FORMAT_SPACEDYN, "for which SpaceDyn has no words; write the native format"}};
  moving s = joined_robots(1, FB_JOINT_REVOLUTE);
  for (int i = 0; i < 2; i++) {
    char* text;
    fb_error error;
    fb_io_options options = fb_default_io_options();
    options.format = rows[i].format;
    assert_int_equal(fb_model_def_print(fb_model_definition(s.m), &options, &text, NULL, &error),
                     FB_ERR_UNSUPPORTED);
    assert_null(text);
    if (!strstr(error.text, "was left by a join") || !strstr(error.text, rows[i].text))
      fail_msg("%s", error.text);
  }
  moving_free(&s);
}

static void what_a_join_cannot_have_written_is_refused_at_its_line(void** unused) {
  (void)unused;
  static const struct {
    const char *keys, *text;
    int line;
  } rows[] = {
      {"    floated_until: grasp\n", "but 'floated' is missing", 7},
      {"    floated: {type: revolute, axis: [0, 0, 1]}\n",
       "a body floats by a free joint only, but this one is revolute", 7},
      {"    joint: {type: fixed, reversed: true}\n", "its joint is reversed, but its parent is the world", 7},
      {"    joint: {type: free, child: {at: [1, 0, 0]}}\n", "'child'", 7},
      {"    joint: {type: fixed, child: {at: [.nan, 0, 0]}}\n", "nan", 7},
      {"    joint: {type: fixed, child: {dcm: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}}\n", "", 7},
      {"    joint: {type: fixed, child: {where: 1}}\n", "where", 7},
      {"    joint: {type: fixed, reversed: 3}\n", "true or false", 7},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[600];
    fb_model_def* def = NULL;
    fb_model* m = NULL;
    fb_error error;
    fb_io_options options = fb_default_io_options();
    snprintf(text, sizeof text,
             "freebody: 1\nbodies:\n  - name: a\n    mass: 1\n    inertia: [1, 1, 1, 0, 0, 0]\n    com: [0, "
             "0, 0]\n%s",
             rows[i].keys);
    fb_status status = fb_model_def_parse(text, strlen(text), "file", &options, &def, &error);
    if (!status) status = fb_model_build(def, NULL, &m, &error);
    if (!status || !strstr(error.text, rows[i].text) || error.place.line != rows[i].line)
      fail_msg("row %zu: %d, line %d: %s", i, status, error.place.line, error.text);
    fb_model_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_native_format_holds_a_joined_model_to_the_last_bit),
      cmocka_unit_test(a_joined_model_that_was_read_can_be_parted),
      cmocka_unit_test(a_joined_model_within_a_scene_can_be_parted),
      cmocka_unit_test(wheels_of_captured_bodies_turn_about_their_axes),
      cmocka_unit_test(formats_of_others_say_why_they_cannot),
      cmocka_unit_test(what_a_join_cannot_have_written_is_refused_at_its_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
