/* test_loops.c -- loops of a definition: what is refused, and what a model keeps of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <freebody/model.h>

/* Two pendulums on the world, with a frame at each tip. */
static fb_model_def* two_pendulums(void) {
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    fb_frame_def tip = fb_default_frame_def();
    body.name = i ? "right" : "left";
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.joint.type = FB_JOINT_REVOLUTE;
    body.joint.axis[1] = 1;
    body.joint.at[0] = i;
    tip.name = i ? "right_tip" : "left_tip";
    tip.at[2] = -1;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
    assert_int_equal(fb_model_def_add_frame(def, i + 1, &tip, NULL), FB_OK);
  }
  return def;
}

static fb_loop_def distance_between_tips(void) {
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_DISTANCE);
  loop.name = "rod";
  loop.a = "left_tip";
  loop.b = "right_tip";
  return loop;
}

static void expect_refusal(const fb_loop_def* loop, const char* text) {
  fb_model_def* def = two_pendulums();
  fb_model* m = NULL;
  fb_error error = {0};
  assert_int_equal(fb_model_def_add_loop(def, loop, &error), FB_OK);
  assert_int_not_equal(fb_model_build(def, NULL, &m, &error), FB_OK);
  assert_null(m);
  if (!strstr(error.text, text)) fail_msg("\"%s\" does not say \"%s\"", error.text, text);
  fb_model_def_free(def);
}

static void loops_that_cannot_be_are_refused_by_name(void** state) {
  (void)state;
  fb_loop_def loop = distance_between_tips();
  loop.a = "left_tp";
  expect_refusal(&loop, "did you mean 'left_tip'?");
  loop = distance_between_tips();
  loop.b = "left";
  expect_refusal(&loop, "on one rigid body");
  loop = distance_between_tips();
  loop.length = 0;
  expect_refusal(&loop, "length is 0 m");
  loop = distance_between_tips();
  loop.b = NULL;
  expect_refusal(&loop, "'b' is missing");
  loop = distance_between_tips();
  loop.name = "";
  expect_refusal(&loop, "has no name");
  loop = distance_between_tips();
  loop.type = FB_LOOP_REVOLUTE;
  loop.axis[2] = 0;
  expect_refusal(&loop, "no direction");
  const char* joints[] = {"right", "right"};
  const double ratios[] = {1, 2, 0};
  loop = fb_default_loop_def(FB_LOOP_GEAR);
  loop.name = "gear";
  loop.a = "left";
  expect_refusal(&loop, "needs the joint");
  loop.joints = joints;
  loop.ratios = ratios;
  loop.njoint = 2;
  expect_refusal(&loop, "named twice");
  loop.ratios = ratios + 2;
  loop.njoint = 1;
  expect_refusal(&loop, "ratio of 'right' is 0");
}

static void a_model_knows_its_loops_by_name(void** state) {
  (void)state;
  fb_model_def* def = two_pendulums();
  fb_loop_def loop = distance_between_tips();
  fb_model* m = NULL;
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  assert_int_equal(fb_model_build(def, NULL, &m, NULL), FB_OK);
  assert_int_equal(fb_model_nloop(m), 1);
  assert_string_equal(fb_loop_name(m, 0), "rod");
  assert_int_equal(fb_loop_type_of(m, 0), FB_LOOP_DISTANCE);
  assert_int_equal(fb_model_find_loop(m, "rod"), 0);
  assert_int_equal(fb_model_find_loop(m, "rope"), -1);
  assert_null(fb_loop_name(m, 1));
  fb_model_free(m);
  fb_model_def_free(def);
}

static void an_attached_model_brings_its_loops_with_the_prefix(void** state) {
  (void)state;
  fb_model_def *def = two_pendulums(), *part = two_pendulums();
  fb_loop_def loop = distance_between_tips();
  fb_attach_def how = fb_default_attach_def();
  fb_error error = {0};
  how.prefix = "b";
  assert_int_equal(fb_model_def_add_loop(part, &loop, NULL), FB_OK);
  assert_int_equal(fb_model_def_attach(def, part, &how, &error), FB_OK);
  assert_string_equal(fb_model_def_loop(def, 0)->name, "b_rod");
  assert_string_equal(fb_model_def_loop(def, 0)->a, "b_left_tip");
  loop.b = "world";
  how.prefix = "c";
  how.at[0] = 1;
  assert_int_equal(fb_model_def_add_loop(part, &loop, NULL), FB_OK);
  assert_int_equal(fb_model_def_attach(def, part, &how, &error), FB_ERR_TREE);
  assert_non_null(strstr(error.text, "joins the world"));
  fb_model_def_free(def);
  fb_model_def_free(part);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_that_cannot_be_are_refused_by_name),
      cmocka_unit_test(a_model_knows_its_loops_by_name),
      cmocka_unit_test(an_attached_model_brings_its_loops_with_the_prefix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
