/* test_urdf_write.c -- URDF written and read again says the same; what it cannot hold is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <freebody/freebody.h>

#include "near.h"
#include "same_def.h"
#include "urdf_files.h"

static char* print_ok(const fb_model_def* def, const fb_io_options* options, size_t* size) {
  fb_error error;
  char* text;
  if (fb_urdf_print(def, options, &text, size, &error)) fail_msg("%s", error.text);
  assert_int_equal(strlen(text), *size);
  return text;
}

/* Writes and reads; fails with the text when that cannot be read. */
static fb_model_def* round_trip(const fb_model_def* def) {
  fb_error error;
  fb_model_def* again;
  size_t size;
  char* text = print_ok(def, NULL, &size);
  if (fb_urdf_read(text, size, "again", NULL, &again, &error))
    fail_msg("line %d: %s in\n%s", error.place.line, error.text, text);
  free(text);
  return again;
}

static void assert_round_trip(const fb_model_def* def) {
  fb_model_def* again = round_trip(def);
  assert_same_def(again, def, 2e-15);
  assert_string_equal(fb_model_def_name(again), fb_model_def_name(def));
  fb_model_def_free(again);
}

static void every_good_file_survives_writing(void** state) {
  (void)state;
  for (int i = 0; i < GOOD_COUNT; i++) {
    fb_model_def* def = read_urdf(GOOD_FILES[i], NULL);
    assert_round_trip(def);
    fb_model_def_free(def);
  }
}

static fb_model_def* read_reference(const char* file) {
  char path[600];
  fb_error error;
  fb_model_def* def;
  snprintf(path, sizeof path, "%s/reference/%s", FB_TEST_DATA, file);
  if (fb_model_def_read(path, NULL, &def, &error)) fail_msg("%s: %s", path, error.text);
  return def;
}

static void native_models_of_one_tree_survive_with_every_joint_type(void** state) {
  (void)state;
  static const char* const files[] = {
      "joints/j01_spherical.json",       "joints/j02_universal.json",
      "joints/j03_cylindrical.json",     "joints/j04_helical.json",
      "joints/j05_planar.json",          "joints/j06_free_inside.json",
      "joints/j07_fixed_arm7.json",      "joints/j08_sled.json",
      "joints/j10_mixed15.json",         "joints/j11_fixed_inside.json",
      "joints/j12_passive.json",         "spacedyn/m4_dual_arm_paddle.json",
      "spacedyn/m6_random_tree_12.json", "spacedyn/m7_gravity_tree_7.json",
  };
  for (int i = 0; i < COUNT(files); i++) {
    fb_model_def* def = read_reference(files[i]);
    assert_round_trip(def);
    fb_model_def_free(def);
  }
}

static void several_floating_trees_are_refused_by_name(void** state) {
  (void)state;
  fb_error error;
  char* text;
  size_t size;
  fb_model_def* def = read_reference("joints/j09_forest3.json");
  assert_int_equal(fb_urdf_print(def, NULL, &text, &size, &error), FB_ERR_UNSUPPORTED);
  assert_null(text);
  assert_non_null(strstr(error.text, "this model has 3: 'station', 'chaser', 'target'"));
  fb_model_def_free(def);
  def = fb_model_def_new();
  assert_int_equal(fb_urdf_print(def, NULL, &text, &size, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "no bodies"));
  fb_model_def_free(def);
}

/* A definition with a bit of everything that is easily lost. */
static fb_model_def* make_full(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def tip = fb_default_body_def(), base = tip;
  fb_shape_def shape = fb_default_shape_def();
  tip.name = "tip <\"&'> \xc3\xa9\tend";
  tip.parent = "base";
  tip.joint.name = "a & b";
  tip.joint.type = FB_JOINT_REVOLUTE;
  tip.joint.axis[1] = 1;
  tip.joint.upper[0] = 0.1;
  tip.joint.effort[0] = 1.0 / 3;
  tip.joint.friction[0] = 0.5;
  tip.joint.friction_speed = 0.25;
  tip.joint.armature[0] = 1e-300;
  tip.mass = 0.1 + 0.2;
  base.name = "base";
  base.joint.name = "float";
  base.joint.type = FB_JOINT_FREE;
  base.joint.damping[4] = 2;
  base.mass = 7;
  base.com[2] = -1e-17;
  assert_int_equal(fb_model_def_add_body(def, &tip, NULL, NULL), FB_OK); /* the child first */
  assert_int_equal(fb_model_def_add_body(def, &base, NULL, NULL), FB_OK);
  static const char* const colors[] = {"#A0b0C0", "#01020304", "#010203ff", "tomato", NULL};
  static const fb_shape_use uses[] = {FB_SHAPE_USE_BOTH, FB_SHAPE_USE_CONTACT, FB_SHAPE_USE_VISUAL};
  for (int kind = FB_SHAPE_BOX; kind <= FB_SHAPE_MESH; kind++) {
    for (int use = 0; use < 3; use++) {
      shape.kind = (fb_shape_kind)kind;
      shape.use = uses[use];
      shape.name = use == 1 ? "named" : NULL;
      shape.color = colors[(kind + use) % 5];
      shape.file = kind == FB_SHAPE_MESH ? "some folder/part.stl" : NULL;
      shape.size[0] = 0.1;
      shape.size[1] = kind == FB_SHAPE_SPHERE ? 0 : 0.2;
      shape.size[2] =
          kind == FB_SHAPE_SPHERE || kind == FB_SHAPE_CYLINDER || kind == FB_SHAPE_CAPSULE ? 0 : 0.3;
      shape.at[0] = use;
      fb_rot_from_rpy(NUMBERS(0.1 * kind, 0.2 * use, 3), shape.R);
      assert_int_equal(fb_model_def_add_shape(def, 1, &shape, NULL), FB_OK);
    }
  }
  fb_model_def_set_gravity(def, NUMBERS(0, 0, -9.81));
  assert_int_equal(fb_model_def_set_name(def, "<full>"), FB_OK);
  return def;
}

static void names_colours_uses_order_and_gravity_survive(void** state) {
  (void)state;
  fb_model_def* def = make_full();
  assert_round_trip(def);
  fb_model_def* again = round_trip(def);
  assert_near("every digit", &fb_model_def_body(again, 1)->mass, NUMBERS(0.1 + 0.2), 1, 0);
  assert_near("every digit", &fb_model_def_body(again, 2)->com[2], NUMBERS(-1e-17), 1, 0);
  assert_true(fb_model_def_body(again, 2)->com[2] == -1e-17);
  assert_true(fb_model_def_body(again, 1)->joint.armature[0] == 1e-300);
  fb_model_def_free(again);
  fb_model_def_free(def);
}

static void plain_readers_find_plain_urdf(void** state) {
  (void)state;
  static const char* const wanted[] = {
      "<joint name=\"socket\" type=\"floating\">",
      "<joint name=\"thread\" type=\"continuous\">",
      "<joint name=\"spring\" type=\"revolute\">",
      "<limit lower=\"-1\" upper=\"1\" effort=\"3\" velocity=\"2\"/>",
      "<freebody type=\"helical\" pitch=\"0.002\" speed=\"9\"/>",
      "<freebody stiffness=\"12\" rest=\"0.3\" armature=\"0.05\"/>",
      "<geometry><cylinder radius=\"0.2\" length=\"0.9\"/></geometry>",
      "<geometry><sphere radius=\"3\"/></geometry>",
      "<frame name=\"camera\" xyz=\"1 0 0\" rpy=\"0 0.5 0\"/>",
      "<freebody gravity=\"0 0 -1.62\"/>",
  };
  char notes[NOTES];
  size_t size;
  fb_io_options options = noting(notes);
  fb_model_def* def = read_urdf("extensions.urdf", NULL);
  char* text = print_ok(def, &options, &size);
  for (int i = 0; i < COUNT(wanted); i++)
    if (!strstr(text, wanted[i])) fail_msg("no '%s' in\n%s", wanted[i], text);
  assert_null(strstr(text, "world"));
  assert_non_null(strstr(notes, "joint 'socket' is spherical, which URDF lacks; it is written as floating"));
  free(text);
  fb_model_def_free(def);
}

static void characters_beyond_xml_are_refused(void** state) {
  (void)state;
  fb_error error;
  char* text;
  size_t size;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "bell\a";
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  assert_int_equal(fb_urdf_print(def, NULL, &text, &size, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "control character"));
  fb_model_def_free(def);
}

static void definitions_that_are_no_tree_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *name1, *parent1, *name2, *parent2, *message;
  } cases[] = {
      {"a", "b", "b", "a", "parents go round in a circle and never reach the world: b -> a -> b"},
      {"a", NULL, "b", "c", "body \"b\": its parent \"c\" does not exist"},
      {"a", NULL, "a", "a", "the name \"a\" is given twice"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    fb_error error;
    char* text;
    size_t size;
    fb_model_def* def = fb_model_def_new();
    fb_body_def body = fb_default_body_def();
    body.name = cases[i].name1;
    body.parent = cases[i].parent1;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
    body.name = cases[i].name2;
    body.parent = cases[i].parent2;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
    assert_int_not_equal(fb_urdf_print(def, NULL, &text, &size, &error), FB_OK);
    assert_non_null(strstr(error.text, cases[i].message));
    fb_model_def_free(def);
  }
}

static void the_etsvii_model_is_as_its_table_says(void** state) {
  (void)state;
  fb_error error;
  fb_model_def* def;
  fb_model* model;
  if (fb_model_def_read(FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf", NULL, &def, &error))
    fail_msg("%s", error.text);
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_nv(model), 12);
  assert_near("mass", NUMBERS(fb_model_mass(model)), NUMBERS(2550 + 140.4), 1, 1e-15);
  assert_near("base", fb_model_def_body(def, 1)->inertia, NUMBERS(6200, 3540, 7090, 48.2, 78.5, -29.2), 6, 0);
  for (int id = 2; id <= 7; id++)
    assert_near("axis", fb_model_def_body(def, id)->joint.axis, NUMBERS(0, 0, 1), 3, 0);
  /* the hand at rest: sums of the table's offsets, turned by its angles */
  fb_data* data = fb_data_new(model);
  double q[13] = {0, 0, 0, 1}, p[3];
  fb_kinematics(model, data, q, NULL, NULL);
  fb_frame_pose(model, data, fb_model_find_frame(model, "hand"), p, NULL);
  assert_near("hand", p, NUMBERS(0.37, -0.275, 2.5), 3, 1e-12);
  assert_round_trip(def);
  fb_data_free(data);
  fb_model_free(model);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_good_file_survives_writing),
      cmocka_unit_test(native_models_of_one_tree_survive_with_every_joint_type),
      cmocka_unit_test(several_floating_trees_are_refused_by_name),
      cmocka_unit_test(names_colours_uses_order_and_gravity_survive),
      cmocka_unit_test(plain_readers_find_plain_urdf),
      cmocka_unit_test(characters_beyond_xml_are_refused),
      cmocka_unit_test(definitions_that_are_no_tree_are_refused),
      cmocka_unit_test(the_etsvii_model_is_as_its_table_says),
  };
  return cmocka_run_group_tests_name("urdf_write", tests, NULL, NULL);
}
