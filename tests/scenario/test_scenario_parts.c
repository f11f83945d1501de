/* test_scenario_parts.c -- scenes of models that carry one another, and --set that reaches into model files. */
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

#include "near.h"
#include "same_def.h"
#include "scenario_rig.h"

#define MODELS "scenario: 1\nmodels:\n"

static const fb_model_def* def_of(const fb_scenario* s) {
  return fb_model_definition(fb_scenario_model(s));
}

static void test_two_of_the_same_arm_are_on_a_satellite(void** state) {
  (void)state;
  static const char text[] = MODELS
      "- {name: left, model: arm.yaml, parent: rim, at: [0, 0.2, 0], joint: {type: universal, axis: [0, 0, "
      "1], axis2: [0, 1, 0]}}\n"
      "- {model: debris.yaml}\n"
      "- {name: right, model: arm.yaml, parent: base, rpy: [0, 0, 90 deg]}\n"
      "- {name: load, model: debris.yaml, parent: left_tip}\n";
  fb_scenario* s = parse(text);
  const fb_model* m = fb_scenario_model(s);
  int base = fb_model_find_body(m, "base"), left = fb_model_find_joint(m, "left_link");
  assert_true(left > base); /* after the one that carries it, whatever the list says */
  assert_string_equal(fb_body_name(m, fb_body_parent(m, left)), "base");
  assert_int_equal(fb_joint_type_of(m, left), FB_JOINT_UNIVERSAL);
  assert_int_equal(fb_joint_type_of(m, fb_model_find_joint(m, "right_hinge")),
                   FB_JOINT_REVOLUTE);                                                       /* as it was */
  assert_int_equal(fb_joint_type_of(m, fb_model_find_body(m, "load_base")), FB_JOINT_FIXED); /* floated */
  const fb_joint_def* joint = &fb_model_def_body(def_of(s), left)->joint;
  assert_near("at the rim", joint->at, NUMBERS(0, 0.2, 0.5), 3, 0);
  assert_string_equal(fb_body_name(m, fb_body_parent(m, fb_model_find_body(m, "load_base"))),
                      fb_body_name(m, fb_frame_body(m, fb_model_find_frame(m, "left_tip"))));
  char* words;
  size_t size;
  assert_int_equal(fb_scenario_explain(s, &words, &size, NULL), FB_OK);
  assert_non_null(strstr(words, "parts       right is on base by a revolute joint\n"));
  assert_non_null(strstr(words, "              left is on rim by a universal joint\n"));
  assert_non_null(strstr(words, "              load is on left_tip by a fixed joint\n"));
  free(words);
  fb_scenario_free(s);
}

/* A part with a massless base could not float, but it can be carried. */
static void test_a_part_is_judged_as_it_is_carried(void** state) {
  (void)state;
  fb_scenario* s = parse(MODELS
                         "- {model: debris.yaml}\n"
                         "- {name: a, parent: base, model: {bodies: [{name: seat, mass: 0}]}}\n");
  assert_int_equal(fb_model_nv(fb_scenario_model(s)), 6);
  fb_scenario_free(s);
}

static void test_wrong_parents_and_joints_are_told(void** state) {
  (void)state;
#define ARM "- {name: a, model: arm.yaml, "
  static const malformed cases[] = {
      {MODELS "- {model: debris.yaml}\n" ARM "parent: bse}\n", 4, 38,
       "there is no body or frame 'bse' to put the model on; did you mean 'base'?"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: a_tip}\n", 4, 38,
       "'a_tip' belongs to this model itself"},
      {MODELS ARM "parent: b_base}\n- {name: b, model: debris.yaml, parent: a_tip}\n", 3, 38,
       "'b_base' belongs to a model that is carried by this one, directly or through others"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: 3}\n", 4, 38,
       "expected text, but found the number '3'"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: ''}\n", 4, 38, "'parent' is empty"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: base, base: fixed}\n", 4, 50,
       "with 'parent' or 'joint' use joint: {type: ...}"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: base, joint: {}}\n", 4, 51, "needs the key 'type'"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: base, joint: fixed}\n", 4, 51, "expected a joint"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: base, joint: {type: revolut}}\n", 4, 58,
       "did you mean 'revolute'?"},
      {MODELS "- {model: debris.yaml}\n" ARM "parent: base, joint: {type: fixed, at: [1, 0, 0]}}\n", 4, 69,
       "the joint of a part has no 'at'; write it beside the part's `joint`"},
      {MODELS "- {model: debris.yaml}\n" ARM
              "parent: base, joint: {type: revolute, axis: [0, 0, 1], limits: [2, 1]}}\n",
       4, 93, "the lower limit 2 is above the upper limit 1"},
      {MODELS "- {model: debris.yaml}\n"
              "- {name: a, parent: base, joint: {type: fixed}, model: {bodies: [{name: x, mass: 0},\n"
              "   {name: y, mass: 0}]}}\n",
       4, 34, "the model has 2 bodies on the world, not one"},
      {MODELS "- {model: debris.yaml}\n- {model: debris.yaml, parent: base}\n", 3, 1,
       "the name \"base\" is given twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_refused(&cases[i], "case.yaml");
}

#define ROPE                                                                                       \
  "model: {bodies: [{name: u, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, {name: w, mass: 1, inertia: " \
  "[1, 1, 1, 0, 0, 0]}], loops: [{name: rope, type: distance, a: u, b: %s, length: 1}]}"

static void test_loops_of_parts_have_the_prefixes_and_set_reaches_them(void** state) {
  (void)state;
  static const char* const set[] = {"models[1].model.loops.rope.length=2", NULL};
  char text[1000];
  fb_scenario* s;
  fb_error error;
  fb_scenario_options options = fb_default_scenario_options();
  options.set = set;
  snprintf(text, sizeof text, MODELS "- {name: a, " ROPE "}\n- {name: b, at: [0, 0, 1], " ROPE "}\n", "world",
           "w");
  if (fb_scenario_parse(text, strlen(text), "case.yaml", &options, &s, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_def_nloop(def_of(s)), 2);
  const fb_loop_def *first = fb_model_def_loop(def_of(s), 0), *second = fb_model_def_loop(def_of(s), 1);
  assert_string_equal(first->name, "a_rope");
  assert_string_equal(first->a, "a_u");
  assert_string_equal(first->b, "world");
  assert_string_equal(second->name, "b_rope");
  assert_string_equal(second->b, "b_w");
  assert_near("as written, and as set", NUMBERS(first->length, second->length), NUMBERS(1, 2), 2, 0);
  fb_scenario_free(s);
}

#define TWO_ARMS MODELS "- {name: a, model: arm.yaml}\n- {name: b, model: arm.yaml, at: [0, 3, 0]}\n"
#define GEAR "loops: [{name: belt, type: gear, a: a_hinge, b: b_hinge}]\n"

static void test_loops_of_the_scenario_join_its_models(void** state) {
  (void)state;
  static const struct {
    const char *start, *name;
    double a, b;
  } cases[] = {
      {"", "from zero", 0, 0},
      {"start: {joints: {a_hinge: 0.4}}\n", "one given", 0.4, 0.4},
      {"start: {near: {a_hinge: 0.4}}\n", "from near by", 0.2, 0.2}, /* the least change of both */
      {"start: {joints: {b_hinge: 0.1}, near: {a_hinge: 3}}\n", "what is given is held", 0.1, 0.1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text, TWO_ARMS GEAR "%s", cases[i].start);
    fb_scenario* s = parse(text);
    const fb_model* m = fb_scenario_model(s);
    int a = fb_joint_q_index(m, fb_model_find_joint(m, "a_hinge")),
        b = fb_joint_q_index(m, fb_model_find_joint(m, "b_hinge"));
    assert_int_equal(fb_model_nloop(m), 1);
    const double q[] = {fb_scenario_q(s)[a], fb_scenario_q(s)[b]};
    assert_near(cases[i].name, q, NUMBERS(cases[i].a, cases[i].b), 2, 1e-12);
    fb_scenario_free(s);
  }
}

static void test_bases_are_held_where_the_start_places_them_only(void** state) {
  (void)state;
  static const struct {
    const char* start;
    double a, b;
  } cases[] = {{"a: {at: [20, 0, 0]}, b: {velocity: [0, 0, 1]}", 20, 11},
               {"a: {angular_velocity: [0, 0, 1]}, b: {at: [-5, 0, 0], rpy: [1, 0, 0]}", 4, -5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "scenario: 1\nmodel:\n  bodies:\n"
             "    - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
             "    - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
             "  loops: [{name: rod, type: distance, a: a, b: b, length: 9}]\n"
             "start: {bases: {%s}}\n",
             cases[i].start);
    fb_scenario* s = parse(text);
    assert_near(cases[i].start, NUMBERS(fb_scenario_q(s)[0], fb_scenario_q(s)[7]),
                NUMBERS(cases[i].a, cases[i].b), 2, 1e-12);
    fb_scenario_free(s);
  }
}

static void test_wrong_loops_and_places_near_them_are_told(void** state) {
  (void)state;
  static const malformed cases[] = {
      {TWO_ARMS
       "loops: [{name: x, type: point, a: a_tip, b: b_tip}, {name: y, type: point, a: a_tip, b: c_tip}]\n",
       5, 53, "loop \"y\": there is no frame or body 'c_tip'"},
      {TWO_ARMS "loops: [{name: x, type: gear, a: a_hinge, b: b_hing}]\n", 5, 9, "'b_hing'"},
      {TWO_ARMS "loops: {name: x}\n", 5, 8, "expected a list of loops, but found a map of 1 key"},
      {TWO_ARMS "loops: [7]\n", 5, 9, "expected a loop"},
      {TWO_ARMS "start: {near: {a_hinge: 1}}\n", 5, 15, "the model has no loops"},
      {TWO_ARMS GEAR "start: {near: {a_hinge: 1}, joints: {a_hinge: 1}}\n", 6, 16,
       "gives the joint 'a_hinge' already"},
      {TWO_ARMS GEAR "start: {near: {a_hing: 1}}\n", 6, 16, "did you mean 'a_hinge'?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_refused(&cases[i], "case.yaml");
}

static void test_a_loop_with_the_world_is_refused_in_a_part_that_is_moved(void** state) {
  (void)state;
  char text[1000];
  snprintf(text, sizeof text, MODELS "- {name: a, at: [0, 0, 1], " ROPE "}\n", "world");
  assert_refused(&(malformed){text, 3, 3, "loop \"rope\" joins the world, but its model is put elsewhere"},
                 "case.yaml");
}

static void test_a_scene_of_bases_in_a_row_is_the_same_in_any_order(void** state) {
  (void)state;
  fb_scenario *forth =
                  parse(MODELS
                        "- {name: a, model: debris.yaml}\n- {name: b, model: debris.yaml, parent: a_rim}\n"
                        "- {name: c, model: debris.yaml, parent: b_rim}\n"),
              *back =
                  parse(MODELS
                        "- {name: c, model: debris.yaml, parent: b_rim}\n"
                        "- {name: b, model: debris.yaml, parent: a_rim}\n- {name: a, model: debris.yaml}\n");
  assert_same_def(def_of(forth), def_of(back), 0);
  fb_scenario_free(forth);
  fb_scenario_free(back);
}

/* --- --set --- */

static fb_status set(const char* text, const char* file, const char* a, const char* b, fb_scenario** s,
                     fb_error* error) {
  const char* list[] = {a, b, NULL};
  fb_scenario_options options = fb_default_scenario_options();
  options.set = list;
  return text ? fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", &options, s, error)
              : fb_scenario_read(file, &options, s, error);
}

static double mass_of(const fb_scenario* s, const char* body) {
  const fb_model* m = fb_scenario_model(s);
  return fb_model_def_body(def_of(s), fb_model_find_body(m, body))->mass;
}

static void test_set_reaches_into_model_files(void** state) {
  (void)state;
  fb_scenario* s;
  fb_error error;
  assert_int_equal(set("{scenario: 1, model: robot.yaml}", NULL, "model.bodies.upper.mass=7 kg",
                       "model.bodies[0].inertia[2]=25", &s, &error),
                   FB_OK);
  assert_true(mass_of(s, "upper") == 7 && mass_of(s, "lower") == 3);
  assert_true(fb_model_def_body(def_of(s), 1)->inertia[2] == 25);
  fb_scenario_free(s);
  /* one of two that come from one file; a part is found by its name or its number */
  static const char two[] = MODELS "- {name: a, model: debris.yaml}\n- {name: b, model: debris.yaml}\n";
  assert_int_equal(
      set(two, NULL, "models.b.model.bodies.base.mass=50", "models[0].model.bodies.base.mass=41", &s, &error),
      FB_OK);
  assert_true(mass_of(s, "a_base") == 41 && mass_of(s, "b_base") == 50);
  fb_scenario_free(s);
  /* the file itself may be changed by another --set, before or after */
  assert_int_equal(set("{scenario: 1, model: robot.yaml}", NULL, "model.bodies.base.mass=50",
                       "model=debris.yaml", &s, &error),
                   FB_OK);
  assert_true(mass_of(s, "base") == 50);
  fb_scenario_free(s);
  /* a bare model */
  assert_int_equal(set(NULL, FOLDER "robot.yaml", "model.bodies.upper.mass=7", NULL, &s, &error), FB_OK);
  assert_true(mass_of(s, "upper") == 7);
  fb_scenario_free(s);
}

static void test_set_reaches_into_models_of_other_formats_by_the_same_names(void** state) {
  (void)state;
  static const char* const files[] = {FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fb_scenario *was, *s;
    fb_error error;
    assert_int_equal(set(NULL, files[i], NULL, NULL, &was, &error), FB_OK);
    assert_int_equal(set(NULL, files[i], "model.bodies.link1.mass=123", "model.name=other", &s, &error),
                     FB_OK);
    assert_true(mass_of(s, "link1") == 123 && mass_of(was, "link1") != 123);
    assert_string_equal(fb_model_name(fb_scenario_model(s)), "other");
    assert_string_equal(fb_model_def_source(def_of(s)), fb_model_def_source(def_of(was)));
    fb_scenario_free(s);
    /* nothing else differs */
    char mass[64];
    snprintf(mass, sizeof mass, "model.bodies.link1.mass=%.17g", mass_of(was, "link1"));
    assert_int_equal(set(NULL, files[i], mass, NULL, &s, &error), FB_OK);
    assert_same_def(def_of(s), def_of(was), 0);
    fb_scenario_free(s);
    fb_scenario_free(was);
  }
}

static void test_wrong_changes_of_model_files_are_told(void** state) {
  (void)state;
  static const struct {
    const char *set, *file, *path, *phrase;
  } cases[] = {
      {"model.bodies.uper.mass=7", "--set", "bodies",
       "no item named 'uper'; did you mean 'upper'? (in the model file '" FOLDER "robot.yaml')"},
      {"model.bodies.upper.mas=7", "--set", "bodies[1].mas",
       "a body has no key 'mas'; did you mean 'mass'? (in the model file '" FOLDER "robot.yaml')"},
      {"model.bodies.upper.mass=7 s", "--set", "bodies[1].mass", "a mass is expected"},
      {"model.bodies[9].mass=7", "--set", "bodies", "there is no item [9] in this list of 7"},
      {"model.bodies.upper.mass.x=7", "--set", "bodies[1].mass", "there is no key 'x' here"},
      {"model.freebody=2", "--set", "freebody", "version 2"},
      {"model.bodies.upper.mass=[", "--set", "bodies.upper.mass", "not valid YAML"},
      {"model.bodies.upper.inertia=[1, 2, 9, 0, 0, 0]", FOLDER "robot.yaml", "", "triangle inequality"},
      {"model.=1", "--set", "", "expected KEY=VALUE"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_scenario* s;
    fb_error error;
    assert_int_not_equal(set("{scenario: 1, model: robot.yaml}", NULL, cases[i].set, NULL, &s, &error),
                         FB_OK);
    if (!strstr(error.text, cases[i].phrase) || strcmp(error.path, cases[i].path) != 0 ||
        strcmp(error.file, cases[i].file) != 0)
      fail_msg("%s: expected %s: %s: %s, found %s: %s: %s", cases[i].set, cases[i].file, cases[i].path,
               cases[i].phrase, error.file, error.path, error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_of_the_same_arm_are_on_a_satellite),
      cmocka_unit_test(test_a_part_is_judged_as_it_is_carried),
      cmocka_unit_test(test_wrong_parents_and_joints_are_told),
      cmocka_unit_test(test_loops_of_parts_have_the_prefixes_and_set_reaches_them),
      cmocka_unit_test(test_loops_of_the_scenario_join_its_models),
      cmocka_unit_test(test_bases_are_held_where_the_start_places_them_only),
      cmocka_unit_test(test_wrong_loops_and_places_near_them_are_told),
      cmocka_unit_test(test_a_loop_with_the_world_is_refused_in_a_part_that_is_moved),
      cmocka_unit_test(test_a_scene_of_bases_in_a_row_is_the_same_in_any_order),
      cmocka_unit_test(test_set_reaches_into_model_files),
      cmocka_unit_test(test_set_reaches_into_models_of_other_formats_by_the_same_names),
      cmocka_unit_test(test_wrong_changes_of_model_files_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
