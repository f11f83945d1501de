/* test_convert.c -- what `freebody convert` writes holds what was read, and can be read again. */
#include "run_command.h"

#include <freebody/io.h>

static const char EVAL[] =
    "{\"format\": \"freebody-eval\", \"gravity\": [0, 0, -9.81], \"cases\": [],\n"
    " \"model\": {\"freebody\": 1, \"bodies\": [{\"name\": \"base\", \"mass\": 1,\n"
    "  \"inertia\": [1, 1, 1, 0, 0, 0]}]}}\n";

static void check_line(const char* line, int code, const char* out, const char* err) {
  const shell_case row = {line, code, out[0] ? out : NULL, err[0] ? err : NULL};
  check_cases(&row, 1);
}

static void gravity_of_an_evaluation_file_goes_where_the_format_has_a_place(void** state) {
  (void)state;
  spill("states.json", EVAL);
  check_line("$FB convert --to urdf states.json -", 0, "<freebody gravity=\"0 0 -9.81\"/>", "nothing lost");
  check_line("$FB convert states.json a.spacedyn.json", 0, "",
             "states.json (evaluation file, native model) -> a.spacedyn.json: 1 body");
  check_line("$FB convert --to urdf a.spacedyn.json -", 0, "<freebody gravity=\"0 0 -9.81\"/>", "");
  check_line("$FB convert --to yaml states.json -", 0,
             "bodies:", "lost: gravity [0, 0, -9.81] m/s^2; the native format has no key for it");
  check_line("$FB convert --to yaml states.json -", 0, "", "1 thing lost");
}

static void gravity_of_a_named_model_stands_unless_the_evaluation_file_has_its_own(void** state) {
  (void)state;
  spill("states.json", EVAL);
  check_line("$FB convert states.json named.urdf --force", 0, "", "nothing lost");
  spill("plain.json", "{\"format\": \"freebody-eval\", \"model\": \"named.urdf\", \"cases\": []}");
  spill(
      "moon.json",
      "{\"format\": \"freebody-eval\", \"gravity\": [0, 0, -1.6], \"model\": \"named.urdf\", \"cases\": []}");
  check_line("$FB convert --to urdf plain.json -", 0, "<freebody gravity=\"0 0 -9.81\"/>",
             "(evaluation file, model in another file)");
  check_line("$FB convert --to urdf moon.json -", 0, "<freebody gravity=\"0 0 -1.6\"/>", "");
}

static void huge_gravity_is_refused_where_it_stands(void** state) {
  (void)state;
  spill("huge.json",
        "{\"format\": \"freebody-eval\",\n \"gravity\": [0, 0, 1e40], \"model\": {}, \"cases\": []}");
  check_line("$FB check huge.json", 2, "", "huge.json:2:20: gravity[2]: gravity is 1e+40, beyond 1e+30");
  check_line("$FB info huge.json", 2, "", "huge.json:2:20: gravity[2]: gravity is 1e+40, beyond 1e+30");
}

/* A URDF of one link with one shape. */
static void spill_shape(const char* attributes, const char* geometry, const char* more) {
  char text[1000];
  snprintf(text, sizeof text,
           "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/>\n<inertia ixx=\"1\" iyy=\"1\" "
           "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\n"
           "<visual%s><geometry>%s</geometry>%s</visual></link></robot>",
           attributes, geometry, more);
  spill("shape.urdf", text);
}

static void shapes_without_extent_are_left_out_of_a_urdf(void** state) {
  (void)state;
  static const struct {
    const char *geometry, *more;
  } rows[] = {
      {"<sphere radius=\"-1\"/>", ""},
      {"<box size=\"1 0 1\"/>", ""},
      {"<cylinder radius=\"1\" length=\"-3\"/>", ""},
      {"<capsule radius=\"0\" length=\"1\"/>", ""},
      {"<mesh filename=\"a.stl\" scale=\"1 0 1\"/>", ""},
      {"<sphere radius=\"1\"/>", "<freebody kind=\"ellipsoid\" radii=\"1 1 0\"/>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    spill_shape("", rows[i].geometry, rows[i].more);
    check_line("$FB check shape.urdf", 0, "ok",
               "shape.urdf:3: advice: shape of 'a' has no extent and is left out");
  }
  spill_shape("", "<box size=\"1 1 1\"/>", "<freebody color=\"red\"/>");
  check_line("$FB check shape.urdf", 2, "", "shape.urdf:3:1: body \"a\"");
  check_line("$FB check shape.urdf", 2, "", "the color 'red'; write #rrggbb or #rrggbbaa");
}

static void shapes_without_a_name_and_mirrored_meshes_survive(void** state) {
  (void)state;
  spill_shape(" name=\"\"", "<mesh filename=\"a.stl\" scale=\"1 -1 1\"/>", "");
  check_line("$FB convert shape.urdf shape.yaml && $FB check shape.yaml && cat shape.yaml", 0,
             "scale: [1, -1, 1]", "nothing lost");
  spill_shape(" name=\"\"", "<box size=\"1 1 1\"/>", "<freebody color=\"#c9B037\"/>");
  check_line("$FB convert --force shape.urdf shape.yaml && $FB check --strict shape.yaml", 0, "ok", "");
}

static void a_joint_without_a_type_is_free_on_the_world_and_wrong_elsewhere(void** state) {
  (void)state;
  spill("world.yaml",
        "freebody: 1\nbodies:\n"
        "  - {name: a, joint: {name: j, at: [1, 2, 3]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
        "  - {name: b, parent: world, joint: {damping: [1, 1, 1, 1, 1, 1]}, mass: 1, inertia: [1, 1, 1, 0, "
        "0, 0]}\n");
  check_line("$FB check world.yaml", 0, "2 bodies, 12 degrees of freedom", "");
  check_line("$FB convert --to yaml world.yaml -", 0, "name: j", "");
  check_line("$FB convert --to yaml world.yaml -", 0, "type: free", "");
  spill("body.yaml",
        "freebody: 1\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
        "  - {name: b, parent: a, joint: {name: j}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n");
  check_line("$FB check body.yaml", 2, "", "body.yaml:4:33: bodies[1].joint: a joint needs the key 'type'");
  spill("axis.yaml",
        "freebody: 1\nbodies:\n"
        "  - {name: a, joint: {axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n");
  check_line("$FB check axis.yaml", 2, "", "a free joint cannot have 'axis'");
}

static void axes_and_quaternions_may_have_any_length_but_zero(void** state) {
  (void)state;
  static const struct {
    const char *joint, *want;
    int code;
  } rows[] = {
      {"{type: revolute, axis: [1e-13, 0, 0]}", "", 0},
      {"{type: revolute, axis: [0, 5e-324, 0]}", "", 0},
      {"{type: universal, axis: [1e200, 0, 0], axis2: [0, 1e200, 0]}", "", 0},
      {"{type: universal, axis: [1e-200, 0, 0], axis2: [0, 1e-200, 0]}", "", 0},
      {"{type: universal, axis: [1e200, 0, 0], axis2: [1e200, 0, 0]}", "'axis2' is parallel to 'axis'", 2},
      {"{type: revolute, axis: [0, -0.0, 0]}", "'axis' is zero", 2},
      {"{type: free, quat: [1e-200, 0, 0, 1e-200]}", "", 0},
      {"{type: free, quat: [0, 0, 0, 0]}", "the quaternion is zero", 2},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[300];
    snprintf(
        text, sizeof text,
        "freebody: 1\nbodies:\n  - name: a\n    joint: %s\n    mass: 1\n    inertia: [1, 1, 1, 0, 0, 0]\n",
        rows[i].joint);
    spill("axes.yaml", text);
    check_line("$FB check axes.yaml", rows[i].code, rows[i].code ? "" : "axes.yaml: ok", rows[i].want);
  }
}

/* What stands in the texts of a file says nothing about its format; its keys do. */
static void the_format_is_the_one_that_was_read(void** state) {
  (void)state;
  spill("words.yaml",
        "freebody: 1\nname: num_q J_type freebody-eval spacedyn-reference\n"
        "bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n");
  check_line("$FB info words.yaml", 0, "words.yaml (native YAML)", "");
  check_line("$FB convert --to json words.yaml words.json", 0, "", "words.yaml (native YAML) -> words.json");
  check_line("$FB info --json words.json", 0, "\"format\": \"native JSON\"", "");
  check_line("$FB convert --from spacedyn words.json x.yaml", 0, "", "words.json (native JSON) -> x.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gravity_of_an_evaluation_file_goes_where_the_format_has_a_place),
      cmocka_unit_test(gravity_of_a_named_model_stands_unless_the_evaluation_file_has_its_own),
      cmocka_unit_test(huge_gravity_is_refused_where_it_stands),
      cmocka_unit_test(shapes_without_extent_are_left_out_of_a_urdf),
      cmocka_unit_test(shapes_without_a_name_and_mirrored_meshes_survive),
      cmocka_unit_test(a_joint_without_a_type_is_free_on_the_world_and_wrong_elsewhere),
      cmocka_unit_test(axes_and_quaternions_may_have_any_length_but_zero),
      cmocka_unit_test(the_format_is_the_one_that_was_read),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
