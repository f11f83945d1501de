/* test_attach.c -- fb_model_def_attach: a model on a body or frame of another is the model that one would have written
 * by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <freebody/model.h>
#include <freebody/rotation.h>

#include "near.h"
#include "same_def.h"

static fb_body_def body_of(const char* name, const char* parent, fb_joint_type type) {
  fb_body_def body = fb_default_body_def();
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis[2] = 1;
  body.mass = 2;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  return body;
}

static void add_body(fb_model_def* def, const fb_body_def* body) {
  assert_int_equal(fb_model_def_add_body(def, body, NULL, NULL), FB_OK);
}

static void add_frame(fb_model_def* def, int body, const char* name, double x, double yaw) {
  fb_frame_def frame = fb_default_frame_def();
  frame.name = name;
  frame.at[0] = x;
  fb_rot_z(yaw, frame.R);
  assert_int_equal(fb_model_def_add_frame(def, body, &frame, NULL), FB_OK);
}

/* base (free, at 0.5 m on the world) - link, with the frame hand and a mesh. */
static fb_model_def* new_arm(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = body_of("base", NULL, FB_JOINT_FREE), link = body_of("link", "base", FB_JOINT_REVOLUTE);
  base.joint.at[0] = 0.5;
  link.joint.name = "elbow";
  add_body(def, &base);
  add_body(def, &link);
  add_frame(def, 2, "hand", 0.3, 0);
  fb_shape_def shape = fb_default_shape_def();
  shape.kind = FB_SHAPE_MESH;
  shape.file = "link.stl";
  shape.size[0] = shape.size[1] = shape.size[2] = 1;
  assert_int_equal(fb_model_def_add_shape(def, 2, &shape, NULL), FB_OK);
  return def;
}

static fb_model_def* new_bus(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def bus = body_of("bus", NULL, FB_JOINT_FREE);
  add_body(def, &bus);
  add_frame(def, 1, "port", 1, 1.5707963267948966);
  return def;
}

static void attach(fb_model_def* def, const fb_model_def* part, const fb_attach_def* how) {
  fb_error error;
  if (fb_model_def_attach(def, part, how, &error)) fail_msg("%s", error.text);
}

static void test_a_part_on_a_frame_is_the_model_written_by_hand(void** state) {
  (void)state;
  fb_model_def *whole = new_bus(), *arm = new_arm(), *want = new_bus();
  fb_attach_def how = fb_default_attach_def();
  how.prefix = "left";
  how.parent = "port";
  how.at[0] = 0.25;
  how.file = "arms/arm.yaml";
  attach(whole, arm, &how);
  fb_body_def base = body_of("left_base", "bus", FB_JOINT_FIXED);
  fb_body_def link = body_of("left_link", "left_base", FB_JOINT_REVOLUTE);
  base.joint.at[0] = 1; /* the frame; its x axis is the bus's y axis */
  base.joint.at[1] = 0.25 + 0.5;
  fb_rot_z(1.5707963267948966, base.joint.R);
  link.joint.name = "left_elbow";
  add_body(want, &base);
  add_body(want, &link);
  add_frame(want, 3, "left_hand", 0.3, 0);
  fb_shape_def shape = *fb_model_def_shape(arm, 2, 0);
  shape.file = "arms/link.stl";
  assert_int_equal(fb_model_def_add_shape(want, 3, &shape, NULL), FB_OK);
  assert_same_def(whole, want, 1e-15); /* products of at most three rotations */
  fb_model_def_free(whole), fb_model_def_free(arm), fb_model_def_free(want);
}

static void test_the_joint_of_the_base_is_replaced_where_one_is_given(void** state) {
  (void)state;
  static const struct {
    const char* parent;
    fb_joint_type was;
    int given;
    fb_joint_type is;
  } rows[] = {
      {"bus", FB_JOINT_FREE, 0, FB_JOINT_FIXED},     {"bus", FB_JOINT_REVOLUTE, 0, FB_JOINT_REVOLUTE},
      {"bus", FB_JOINT_FREE, 1, FB_JOINT_UNIVERSAL}, {"bus", FB_JOINT_FIXED, 1, FB_JOINT_UNIVERSAL},
      {NULL, FB_JOINT_FREE, 0, FB_JOINT_FREE},       {NULL, FB_JOINT_FREE, 1, FB_JOINT_UNIVERSAL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_model_def *whole = new_bus(), *part = fb_model_def_new();
    fb_body_def base = body_of("base", NULL, rows[i].was);
    fb_joint_def joint = fb_default_joint_def();
    joint.type = FB_JOINT_UNIVERSAL;
    joint.name = "wrist";
    joint.axis[0] = joint.axis2[1] = 1;
    base.joint.at[1] = 3;
    add_body(part, &base);
    fb_attach_def how = fb_default_attach_def();
    how.parent = rows[i].parent;
    how.prefix = "p";
    if (rows[i].given) how.joint = &joint;
    attach(whole, part, &how);
    const fb_joint_def* made = &fb_model_def_body(whole, 2)->joint;
    assert_int_equal(made->type, rows[i].is);
    assert_string_equal(made->name ? made->name : "none", rows[i].given ? "p_wrist" : "none");
    assert_true(made->at[1] == 3);
    fb_model* model;
    fb_error error;
    if (fb_model_build(whole, NULL, &model, &error)) fail_msg("%s", error.text);
    fb_model_free(model);
    fb_model_def_free(whole), fb_model_def_free(part);
  }
}

static void test_a_model_can_be_put_on_itself(void** state) {
  (void)state;
  fb_model_def* arm = new_arm();
  fb_attach_def how = fb_default_attach_def();
  for (int i = 0; i < 5; i++) { /* 2, 4, 8 ... bodies */
    char prefix[2] = {(char)('a' + i), '\0'};
    how.prefix = prefix;
    how.parent = "hand";
    attach(arm, arm, &how);
  }
  fb_model* model;
  fb_error error;
  if (fb_model_build(arm, NULL, &model, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_nbody(model), 1 + 64);
  assert_int_equal(fb_model_nv(model), 6 + 32);
  fb_model_free(model);
  fb_model_def_free(arm);
}

static void test_what_cannot_be_attached_is_refused_and_changes_nothing(void** state) {
  (void)state;
  fb_model_def *whole = new_bus(), *arm = new_arm();
  fb_attach_def how = fb_default_attach_def();
  fb_joint_def joint = fb_default_joint_def();
  fb_error error;
  how.parent = "prt";
  assert_int_equal(fb_model_def_attach(whole, arm, &how, &error), FB_ERR_NAME);
  assert_string_equal(error.text,
                      "there is no body or frame 'prt' to put the model on; did you mean 'port'?");
  fb_body_def other = body_of("other", NULL, FB_JOINT_FREE);
  add_body(arm, &other);
  how.parent = "port";
  how.joint = &joint;
  assert_int_equal(fb_model_def_attach(whole, arm, &how, &error), FB_ERR_JOINT);
  assert_string_equal(error.text,
                      "a joint was given for the base, but the model has 2 bodies on the world, not one");
  how.cookie_ = 0;
  assert_int_equal(fb_model_def_attach(whole, arm, &how, &error), FB_ERR_ARG);
  assert_int_equal(fb_model_def_set_joint(whole, 7, &joint, &error), FB_ERR_ARG);
  assert_int_equal(fb_model_def_nbody(whole), 2);
  fb_model_def_free(whole), fb_model_def_free(arm);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_part_on_a_frame_is_the_model_written_by_hand),
      cmocka_unit_test(test_the_joint_of_the_base_is_replaced_where_one_is_given),
      cmocka_unit_test(test_a_model_can_be_put_on_itself),
      cmocka_unit_test(test_what_cannot_be_attached_is_refused_and_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
