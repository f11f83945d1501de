/* test_native.c -- the native model format: what is read, that writing and reading back changes nothing, the
 * documentation printed from the schema table, and which format a text is. */
#include "run_command.h"

#include <math.h>
#include <sys/stat.h>

#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/rotation.h>

#include "document/document.h"
#include "format/native/schema.h"
#include "random.h"

#define PI 3.14159265358979323846

static fb_model_def* read_def(const char* file) {
  fb_model_def* def = NULL;
  fb_error error;
  char message[1400];
  if (fb_model_def_read(file, NULL, &def, &error))
    fail_msg("%s", fb_error_format(&error, message, sizeof message));
  return def;
}

static fb_model_def* parse_def(const char* text, const char* name) {
  fb_model_def* def = NULL;
  fb_error error;
  char message[1400];
  if (fb_model_def_parse(text, strlen(text), name, NULL, &def, &error))
    fail_msg("%s\n%s", fb_error_format(&error, message, sizeof message), text);
  return def;
}

static void assert_close(double got, double want) {
  if (!(fabs(got - want) <= 4e-16 * fabs(want))) fail_msg("got %.17g, want %.17g", got, want);
}

/* --- reading --- */

static void test_a_model_is_read_in_full(void** state) {
  (void)state;
  fb_model_def* def = read_def(FB_TEST_DATA "/models/inspector.yaml");
  assert_string_equal(fb_model_def_name(def), "inspector");
  assert_string_equal(fb_model_def_source(def), FB_TEST_DATA "/models/inspector.yaml");
  assert_int_equal(fb_model_def_nbody(def), 5);
  const fb_body_def* base = fb_model_def_body(def, 1);
  assert_null(base->parent);
  assert_int_equal(base->joint.type, FB_JOINT_FREE);
  assert_true(base->mass == 2550 && base->com[2] == 0.01 && base->inertia[5] == -29.2);
  const fb_joint_def* shoulder = &fb_model_def_body(def, 2)->joint;
  assert_string_equal(shoulder->name, "shoulder");
  assert_int_equal(shoulder->type, FB_JOINT_REVOLUTE);
  assert_close(shoulder->lower[0], -170 * PI / 180);
  assert_close(shoulder->upper[0], 170 * PI / 180);
  assert_close(shoulder->armature[0], 2.0);
  assert_close(shoulder->friction_speed, 0.1 * PI / 180);
  assert_close(shoulder->speed[0], PI / 6);
  assert_true(shoulder->effort[0] == 200 && shoulder->damping[0] == 0.1 && shoulder->friction[0] == 0.5);
  const fb_joint_def* elbow = &fb_model_def_body(def, 3)->joint;
  assert_true(elbow->lower[0] == -2 && elbow->upper[0] == 2);
  assert_true(elbow->lower[1] == -INFINITY && elbow->upper[1] == INFINITY);
  assert_true(elbow->effort[1] == INFINITY && elbow->friction_speed == 1e-3);
  const fb_frame_def* camera = fb_model_def_frame(def, 1, 0);
  assert_close(camera->R[2], 1); /* rpy [0, 90 deg, 0]: the frame's z is the body's x */
  assert_close(fb_model_def_frame(def, 1, 1)->R[3], 1);
  const fb_shape_def* mesh = fb_model_def_shape(def, 1, 2);
  assert_string_equal(mesh->file, "meshes/bus.stl");
  assert_string_equal(mesh->color, "#ffffff80");
  assert_true(mesh->size[2] == 0.001 && mesh->use == FB_SHAPE_USE_VISUAL);
  const fb_shape_def* tank = fb_model_def_shape(def, 1, 1);
  assert_true(tank->kind == FB_SHAPE_CYLINDER && tank->size[0] == 0.4 && tank->size[1] == 0.9);
  fb_model_def_free(def);
}

static void test_places_of_bodies_joints_frames_and_shapes_are_kept(void** state) {
  (void)state;
  fb_model_def* def = parse_def(
      "freebody: 1\nbodies:\n  - name: a\n    mass: 0\n    joint: {type: fixed}\n    frames:\n      - name: "
      "f\n"
      "    shapes:\n      - {kind: sphere, radius: 1}\n  - {name: b, mass: 0}\n",
      "t");
  assert_int_equal(fb_model_def_body(def, 1)->place.line, 3);
  assert_int_equal(fb_model_def_body(def, 1)->joint.place.line, 5);
  assert_int_equal(fb_model_def_body(def, 1)->joint.place.column, 12);
  assert_int_equal(fb_model_def_frame(def, 1, 0)->place.line, 7);
  assert_int_equal(fb_model_def_shape(def, 1, 0)->place.line, 9);
  assert_int_equal(fb_model_def_body(def, 2)->joint.place.line, 10);
  fb_model_def_free(def);
}

static void test_the_four_spellings_of_a_rotation_agree(void** state) {
  (void)state;
  /* 90 degrees about z, written in every way the format knows, then a repaired matrix */
  const char* spellings[] = {"rpy: [0, 0, 90 deg]",
                             "euler_xyz: [0, 0, 90 deg]",
                             "quat: [5, 0, 0, 5]",
                             "quat: [-1e200, 0, 0, -1e200]",
                             "dcm: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
                             "dcm: [[1e-8, -1, 0], [1, 0, 0], [0, 0, 1.00000001]]"};
  const double want[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    char text[300];
    snprintf(text, sizeof text, "{freebody: 1, bodies: [{name: a, mass: 0, joint: {type: fixed, %s}}]}",
             spellings[i]);
    fb_model_def* def = parse_def(text, "t");
    const double* R = fb_model_def_body(def, 1)->joint.R;
    for (int k = 0; k < 9; k++) assert_true(fabs(R[k] - want[k]) < (i == 5 ? 1e-7 : 3e-16));
    double row = R[0] * R[0] + R[1] * R[1] + R[2] * R[2];
    assert_true(fabs(row - 1) < 2e-15);
    fb_model_def_free(def);
  }
}

/* --- writing and reading back --- */

static void assert_same_text(const char* a, const char* b) {
  if (!a || !b)
    assert_true(a == b);
  else
    assert_string_equal(a, b);
}

static void assert_same_rotation(const double A[9], const double B[9]) {
  for (int i = 0; i < 9; i++)
    if (A[i] != B[i]) fail_msg("R[%d] is %.17g and was %.17g", i, B[i], A[i]);
}

#define SAME(a, b, member) assert_memory_equal(&(a)->member, &(b)->member, sizeof(a)->member)

static void assert_same_joint(const fb_joint_def* a, const fb_joint_def* b) {
  assert_same_text(a->name, b->name);
  assert_int_equal(a->type, b->type);
  SAME(a, b, axis);
  SAME(a, b, axis2);
  SAME(a, b, pitch);
  SAME(a, b, at);
  assert_same_rotation(a->R, b->R);
  SAME(a, b, lower);
  SAME(a, b, upper);
  SAME(a, b, stiffness);
  SAME(a, b, rest);
  SAME(a, b, damping);
  SAME(a, b, friction);
  SAME(a, b, friction_speed);
  SAME(a, b, armature);
  SAME(a, b, effort);
  SAME(a, b, speed);
}

static void assert_same_parts(const fb_model_def* a, const fb_model_def* b, int body) {
  assert_int_equal(fb_model_def_nframe(a, body), fb_model_def_nframe(b, body));
  for (int i = 0; i < fb_model_def_nframe(a, body); i++) {
    const fb_frame_def *x = fb_model_def_frame(a, body, i), *y = fb_model_def_frame(b, body, i);
    assert_string_equal(x->name, y->name);
    SAME(x, y, at);
    assert_same_rotation(x->R, y->R);
  }
  assert_int_equal(fb_model_def_nshape(a, body), fb_model_def_nshape(b, body));
  for (int i = 0; i < fb_model_def_nshape(a, body); i++) {
    const fb_shape_def *x = fb_model_def_shape(a, body, i), *y = fb_model_def_shape(b, body, i);
    assert_same_text(x->name, y->name);
    assert_same_text(x->file, y->file);
    assert_same_text(x->color, y->color);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->use, y->use);
    SAME(x, y, size);
    SAME(x, y, at);
    assert_same_rotation(x->R, y->R);
  }
}

static void assert_same_def(const fb_model_def* a, const fb_model_def* b) {
  assert_string_equal(fb_model_def_name(a), fb_model_def_name(b));
  assert_int_equal(fb_model_def_nbody(a), fb_model_def_nbody(b));
  for (int i = 1; i < fb_model_def_nbody(a); i++) {
    const fb_body_def *x = fb_model_def_body(a, i), *y = fb_model_def_body(b, i);
    assert_string_equal(x->name, y->name);
    assert_same_text(x->parent, y->parent);
    assert_same_joint(&x->joint, &y->joint);
    SAME(x, y, mass);
    SAME(x, y, com);
    SAME(x, y, inertia);
    assert_same_parts(a, b, i);
  }
}

static void assert_survives_writing(const fb_model_def* def) {
  static const fb_format formats[] = {FB_FORMAT_YAML, FB_FORMAT_JSON};
  for (int i = 0; i < 2; i++) {
    fb_io_options options = fb_default_io_options();
    options.format = formats[i];
    char* text;
    size_t size;
    assert_int_equal(fb_model_def_print(def, &options, &text, &size, NULL), FB_OK);
    assert_int_equal(strlen(text), size);
    fb_model_def* back = parse_def(text, "written");
    assert_same_def(def, back);
    fb_model_def_free(back);
    free(text);
  }
}

static void test_every_model_survives_writing_and_reading(void** state) {
  (void)state;
  static const char* const files[] = {"models/inspector.yaml",
                                      "models/every_joint.yaml",
                                      "j01_spherical",
                                      "j02_universal",
                                      "j03_cylindrical",
                                      "j04_helical",
                                      "j05_planar",
                                      "j06_free_inside",
                                      "j07_fixed_arm7",
                                      "j08_sled",
                                      "j09_forest3",
                                      "j10_mixed15",
                                      "j11_fixed_inside",
                                      "j12_passive",
                                      "j13_child_first"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char file[512];
    snprintf(file, sizeof file, files[i][0] == 'j' ? "%s/reference/joints/%s.json" : "%s/%s", FB_TEST_DATA,
             files[i]);
    fb_model_def* def = read_def(file);
    assert_survives_writing(def);
    fb_model_def_free(def);
  }
}

/* Rotations of every origin: angles with few digits and with many, quaternions, half turns. */
static fb_model_def* make_rotations(int count) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "body";
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  fb_random random = random_seed(7);
  for (int i = 0; i < count; i++) {
    char name[24];
    double x[4];
    fb_frame_def frame = fb_default_frame_def();
    snprintf(name, sizeof name, "f%d", i);
    frame.name = name;
    random_fill(&random, -3.2, 3.2, 4, x);
    for (int k = 0; k < 4 && i % 4 == 0; k++) x[k] = floor(1000 * x[k]) / 1000;
    for (int k = 0; k < 4 && i % 4 == 1; k++) x[k] = floor((x[k] + 0.2) / 1.6) * (PI / 2);
    if (i % 4 == 3)
      fb_rot_from_quat(x, frame.R);
    else
      fb_rot_from_rpy(x, frame.R);
    assert_int_equal(fb_model_def_add_frame(def, 1, &frame, NULL), FB_OK);
  }
  return def;
}

static void test_rotations_are_spelled_to_the_last_bit_and_files_are_stable(void** state) {
  (void)state;
  static const fb_format formats[] = {FB_FORMAT_JSON, FB_FORMAT_YAML, FB_FORMAT_JSON};
  fb_model_def* def = make_rotations(800);
  assert_survives_writing(def);
  char *text[3], *dcm = NULL;
  for (int i = 0; i < 3; i++) {
    fb_io_options options = fb_default_io_options();
    options.format = formats[i];
    assert_int_equal(fb_model_def_print(def, &options, &text[i], NULL, NULL), FB_OK);
    fb_model_def_free(def);
    def = parse_def(text[i], "written");
  }
  assert_string_equal(text[0], text[2]);
  int matrices = 0;
  for (dcm = text[0]; (dcm = strstr(dcm, "\"dcm\"")) != NULL; dcm++) matrices++;
  assert_in_range(matrices, 0, 120); /* most have a shorter spelling */
  for (int i = 0; i < 3; i++) free(text[i]);
  fb_model_def_free(def);
}

static void test_odd_names_survive_writing(void** state) {
  (void)state;
  static const char* const names[] = {
      "42",  "true", "no",    "null", "~",           "a: b", "a #b",        "#x",   "-",    "- a", "[x]",
      "{x}", "it's", "\"q\"", "a\nb", " a",          "a ",   "&a",          "*a",   "!a",   "%a",  "@a",
      "`a",  "a,b",  ".inf",  "1e3",  "caf\xc3\xa9", "a\tb", "back\\slash", "0x1f", "1:30", "?"};
  fb_model_def* def = fb_model_def_new();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = names[i];
    body.parent = i ? names[i - 1] : NULL;
    body.joint.name = names[i];
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  assert_survives_writing(def);
  fb_model_def_free(def);
}

static void test_written_yaml_is_readable(void** state) {
  (void)state;
  fb_model_def* def = parse_def(
      "{\"freebody\": 1, \"name\": \"arm\", \"bodies\": [{\"name\": \"base\", \"mass\": 10, \"inertia\": [1, "
      "1, 1, 0, 0, "
      "0]}, {\"name\": \"link\", \"parent\": \"base\", \"joint\": {\"type\": \"revolute\", \"axis\": [0, 0, "
      "1], \"at\": [0.5, "
      "0, 0], \"rpy\": [0.1, 0, 0]}, \"mass\": 0, \"frames\": [{\"name\": \"tool\"}]}]}",
      "t");
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_YAML;
  char* text;
  assert_int_equal(fb_model_def_print(def, &options, &text, NULL, NULL), FB_OK);
  assert_string_equal(
      text,
      "freebody: 1\nname: arm\nbodies:\n  - name: base\n    mass: 10\n    inertia: [1, 1, 1, 0, 0, 0]\n"
      "  - name: link\n    parent: base\n"
      "    joint: {type: revolute, axis: [0, 0, 1], at: [0.5, 0, 0], rpy: [0.1, 0, 0]}\n"
      "    mass: 0\n    frames:\n      - {name: tool}\n");
  free(text);
  fb_model_def_free(def);
}

static void count_note(void* user, const char* text) {
  assert_non_null(strstr(text, "gravity [0, 0, -9.81] m/s^2"));
  ++*(int*)user;
}

static void test_gravity_that_cannot_be_written_is_noted(void** state) {
  (void)state;
  const double g[3] = {0, 0, -9.81};
  fb_model_def* def = fb_model_def_new();
  int notes = 0;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_YAML;
  options.note = count_note;
  options.note_user = &notes;
  char* text;
  assert_int_equal(fb_model_def_print(def, &options, &text, NULL, NULL), FB_OK);
  assert_int_equal(notes, 0);
  free(text);
  fb_model_def_set_gravity(def, g);
  assert_int_equal(fb_model_def_print(def, &options, &text, NULL, NULL), FB_OK);
  assert_int_equal(notes, 1);
  free(text);
  fb_model_def_free(def);
}

/* --- formats --- */

static void test_formats_are_told_by_content(void** state) {
  (void)state;
  const struct {
    const char* text;
    const char* name; /* of the first body, or NULL when refused */
  } rows[] = {
      {"freebody: 1\nbodies: [{name: yaml, mass: 0}]", "yaml"},
      {" \n{\"freebody\": 1, \"bodies\": [{\"name\": \"json\", \"mass\": 0}]}", "json"},
      {"{format: freebody-eval, model: {freebody: 1, bodies: [{name: inner, mass: 0}]}}", "inner"},
      {"\n  <robot name='r'><link name='xml'/></robot>", "xml"},
      {"\xef\xbb\xbf<robot name='r'><link name='marked'/></robot>", "marked"},
      {"<robot name='r' xmlns:xacro='x'><xacro:include/></robot>", NULL},
      {"<mujoco/>", NULL},
      {"<sdf/>", NULL},
      {"{format: freebody-eval}", NULL},
      {"{format: other, model: {}}", NULL},
      {"{links: []}", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_model_def* def = NULL;
    fb_error error;
    fb_status status = fb_model_def_parse(rows[i].text, strlen(rows[i].text), "t", NULL, &def, &error);
    if (rows[i].name) {
      if (status) fail_msg("%s: %s", rows[i].text, error.text);
      assert_string_equal(fb_model_def_body(def, 1)->name, rows[i].name);
    } else {
      assert_int_not_equal(status, FB_OK);
      assert_null(def);
    }
    fb_model_def_free(def);
  }
  assert_string_equal(fb_format_name(FB_FORMAT_URDF), "URDF");
  assert_string_equal(fb_format_name((fb_format)99), "unknown format");
}

static void test_spacedyn_is_told_by_its_keys(void** state) {
  (void)state;
  fb_model_def* def = read_def(FB_TEST_DATA "/reference/spacedyn/m2_planar_2link.json");
  assert_string_equal(fb_model_def_body(def, 1)->name, "base");
  fb_model_def_free(def);
}

static void test_files_are_written_by_their_ending(void** state) {
  (void)state;
  const struct {
    const char *file, *begins;
  } rows[] = {{"a.yaml", "freebody: 1\n"},
              {"a.yml", "freebody: 1\n"},
              {"a.json", "{\n \"freebody\": 1"},
              {"a.urdf", "<?xml"},
              {"a.xml", "<?xml"}};
  fb_model_def* def =
      parse_def("freebody: 1\nbodies: [{name: base, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]", "t");
  fb_error error;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (fb_model_def_write(def, rows[i].file, NULL, &error)) fail_msg("%s: %s", rows[i].file, error.text);
    char* text = slurp(rows[i].file);
    assert_memory_equal(text, rows[i].begins, strlen(rows[i].begins));
    free(text);
  }
  assert_int_equal(fb_model_def_write(def, "a.spacedyn.json", NULL, &error), FB_OK);
  fb_model_def* back = read_def("a.spacedyn.json");
  fb_model_def_free(back);
  assert_int_equal(fb_model_def_write(def, "a.txt", NULL, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, ".yaml, .json, .urdf, .xml (MJCF) or .spacedyn.json"));
  assert_int_equal(fb_model_def_write(def, "-", NULL, &error), FB_ERR_ARG);
  assert_int_equal(fb_model_def_write(def, "none/a.yaml", NULL, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "the folder 'none' does not exist"));
  fb_model_def_free(def);
}

static void test_a_failed_write_leaves_the_old_file(void** state) {
  (void)state;
  fb_model_def* def = read_def(FB_TEST_DATA "/models/every_joint.yaml"); /* SpaceDyn cannot hold it */
  spill("old.spacedyn.json", "precious");
  fb_error error;
  assert_int_not_equal(fb_model_def_write(def, "old.spacedyn.json", NULL, &error), FB_OK);
  char* text = slurp("old.spacedyn.json");
  assert_string_equal(text, "precious");
  free(text);
  assert_int_equal(mkdir("folder.yaml", 0777), 0);
  assert_int_equal(fb_model_def_write(def, "folder.yaml", NULL, &error), FB_ERR_IO);
  fb_model_def_free(def);
}

static void test_options_that_were_not_made_are_refused(void** state) {
  (void)state;
  fb_io_options options = {.format = FB_FORMAT_AUTO};
  fb_model_def* def = NULL;
  fb_error error;
  assert_int_equal(fb_model_def_parse("a: 1", 4, "t", &options, &def, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "fb_default_io_options"));
}

static void test_loading_builds_the_model(void** state) {
  (void)state;
  fb_model* model = NULL;
  fb_error error;
  if (fb_model_load(FB_TEST_DATA "/models/inspector.yaml", &model, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_nbody(model), 5);
  assert_int_equal(fb_model_nv(model), 6 + 1 + 2 + 1);
  fb_model_free(model);
  assert_int_equal(fb_model_load("nowhere.yaml", &model, &error), FB_ERR_IO);
  assert_null(model);
}

/* --- documentation --- */

static void test_the_page_holds_the_printed_key_tables(void** state) {
  (void)state;
  char* page = slurp(FB_SOURCE_DIR "/docs/model-format.md");
  char* tables = fb_schema_markdown(&fb_native_schema, NULL);
  assert_non_null(tables);
  if (!strstr(page, tables))
    fail_msg(
        "docs/model-format.md is behind the schema; put the output of `freebody schema model` under "
        "Keys:\n%s",
        tables);
  free(tables);
  free(page);
}

static void test_the_examples_of_the_page_load(void** state) {
  (void)state;
  char* page = slurp(FB_SOURCE_DIR "/docs/model-format.md");
  int count = 0;
  for (char* at = page; (at = strstr(at, "```yaml\n")) != NULL; count++) {
    at += strlen("```yaml\n");
    char* end = strstr(at, "```");
    assert_non_null(end);
    *end = '\0';
    fb_model_def* def = parse_def(at, "docs/model-format.md");
    fb_model* model = NULL;
    fb_error error;
    if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
    assert_survives_writing(def);
    fb_model_free(model);
    fb_model_def_free(def);
    at = end + 1;
  }
  assert_true(count >= 3);
  free(page);
}

static void test_the_json_schema_is_json_and_complete(void** state) {
  (void)state;
  size_t size;
  char* text = fb_schema_json(&fb_native_schema, &size);
  assert_non_null(text);
  fb_doc* doc = NULL;
  fb_error error;
  if (fb_doc_parse(text, size, "schema", &doc, &error)) fail_msg("%s", error.text);
  for (int object = FB_NATIVE_BODY; object < FB_NATIVE_OBJECT_COUNT; object++) {
    const fb_node* defs = fb_map_get(fb_doc_root(doc), "$defs");
    const fb_node* entry = fb_map_get(defs, fb_native_schema.objects[object].name);
    assert_non_null(entry);
    int count = 0;
    for (const fb_field* field; (field = fb_schema_field(&fb_native_schema, object, count)) != NULL; count++)
      assert_non_null(fb_map_get(fb_map_get(entry, "properties"), field->key));
    assert_in_range(count, 1, FB_SCHEMA_MAX_KEYS);
  }
  fb_doc_free(doc);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_model_is_read_in_full),
      cmocka_unit_test(test_places_of_bodies_joints_frames_and_shapes_are_kept),
      cmocka_unit_test(test_the_four_spellings_of_a_rotation_agree),
      cmocka_unit_test(test_every_model_survives_writing_and_reading),
      cmocka_unit_test(test_rotations_are_spelled_to_the_last_bit_and_files_are_stable),
      cmocka_unit_test(test_odd_names_survive_writing),
      cmocka_unit_test(test_written_yaml_is_readable),
      cmocka_unit_test(test_gravity_that_cannot_be_written_is_noted),
      cmocka_unit_test(test_formats_are_told_by_content),
      cmocka_unit_test(test_spacedyn_is_told_by_its_keys),
      cmocka_unit_test(test_files_are_written_by_their_ending),
      cmocka_unit_test(test_a_failed_write_leaves_the_old_file),
      cmocka_unit_test(test_options_that_were_not_made_are_refused),
      cmocka_unit_test(test_loading_builds_the_model),
      cmocka_unit_test(test_the_page_holds_the_printed_key_tables),
      cmocka_unit_test(test_the_examples_of_the_page_load),
      cmocka_unit_test(test_the_json_schema_is_json_and_complete),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
