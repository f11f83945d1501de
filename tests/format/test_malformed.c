/* test_malformed.c -- golden errors: each file of tests/data/malformed is refused with exit code 2, its place and
 * its own message, by the command and by the library, without a crash or a leak. */
#include "run_command.h"

#include <freebody/io.h>

typedef enum subcommand { CHECK, EVAL } subcommand;

typedef struct malformed_case {
  subcommand command;
  const char* file;
  int line;         /* that the message must point to; 0: any */
  const char* text; /* part of the message */
} malformed_case;

static const malformed_case CASES[] = {
    {CHECK, "empty.yaml", 1, "the file is empty"},
    {CHECK, "only_comments.yaml", 1, "only blanks or comments"},
    {CHECK, "two_documents.yaml", 7, "a second document begins"},
    {CHECK, "tabs.yaml", 3, "a tab character is not allowed here; indent with spaces"},
    {CHECK, "truncated.json", 3, "the file ends inside the list that begins in line 3, column 14"},
    {CHECK, "truncated_string.json", 2, "this quote is never closed; is the closing quote missing?"},
    {CHECK, "missing_comma.json", 3, "a comma or the closing brace '}' is missing"},
    {CHECK, "bad_indent.yaml", 4, "the keys of an item in the column of its first key"},
    {CHECK, "nested_colon.yaml", 2, "a second ': ' on one line"},
    {CHECK, "binary.dat", 1, "not a text file"},
    {CHECK, "zero_byte.yaml", 2, "0x00"},
    {CHECK, "latin1.yaml", 2, "not valid UTF-8"},
    {CHECK, "duplicate_key.yaml", 6, "the key 'mass' is given twice (first in line 5)"},
    {CHECK, "alias_bomb.yaml", 6, "the aliases up to here stand for more than 200000 values"},
    {CHECK, "tag.yaml", 5, "tags"},
    {CHECK, "list_as_key.yaml", 2, "cannot be the key of a map"},
    {CHECK, "deep_block.yaml", 66, "more than 64 levels deep"},
    {CHECK, "list_at_root.yaml", 1, "expected a model"},
    {CHECK, "scalar_at_root.yaml", 1, "expected a model"},
    {CHECK, "no_format.yaml", 1, "nor one of the model formats"},
    {CHECK, "unknown_format.json", 1, "'freebody-scene' is not known"},
    {CHECK, "version_2.yaml", 1, "version 2"},
    {CHECK, "version_text.yaml", 1, "expected a whole number"},
    {CHECK, "xacro.urdf", 3, "Run xacro first"},
    {CHECK, "mesh.dae", 2, "COLLADA"},
    {CHECK, "broken.urdf", 4, "not well-formed XML"},
    {CHECK, "no_robot.urdf", 2, "<robot>"},
    {CHECK, "unknown_link.urdf", 5, "no link 'ghost'"},
    {CHECK, "spacedyn_short.json", 1, "missing"},
    {CHECK, "bodies_missing.yaml", 1, "needs the key 'bodies'"},
    {CHECK, "bodies_map.yaml", 3, "expected a list of bodies, but found a map"},
    {CHECK, "body_is_text.yaml", 7, "expected a body"},
    {CHECK, "unknown_key_model.yaml", 7, "a model has no key 'gravity'"},
    {CHECK, "unknown_key_body.yaml", 6, "did you mean 'inertia'?"},
    {CHECK, "unknown_key_joint.yaml", 10, "did you mean 'damping'?"},
    {CHECK, "unknown_key_frame.yaml", 7, "a frame has no key 'pos'; its keys are"},
    {CHECK, "unknown_joint_type.yaml", 9, "did you mean 'revolute'?"},
    {CHECK, "name_missing.yaml", 3, "needs the key 'name'"},
    {CHECK, "name_number.yaml", 4, "put it in quotes"},
    {CHECK, "name_empty.yaml", 4, "'name' is empty"},
    {CHECK, "name_list.yaml", 4, "expected text, but found a list of 1"},
    {CHECK, "mass_missing.yaml", 4, "needs the key 'mass'"},
    {CHECK, "mass_list.yaml", 5, "expected a mass, as 3 or '3 kg', but found a list of 1"},
    {CHECK, "mass_text.yaml", 5, "but found the text 'heavy'"},
    {CHECK, "mass_null.yaml", 5, "but found nothing"},
    {CHECK, "mass_bool.yaml", 5, "the truth value 'true'"},
    {CHECK, "mass_quoted.yaml", 5, "text because of its quotes"},
    {CHECK, "mass_unit.yaml", 5, "'3 m' is a length, but a mass is expected; its units are kg, t, g, mg"},
    {CHECK, "mass_unknown_unit.yaml", 5, "'stone' is not a unit of a mass"},
    {CHECK, "mass_comma.yaml", 5, "but found the text '3,5'"},
    {CHECK, "mass_nan.yaml", 5, "'.nan' is not finite"},
    {CHECK, "inertia_nan.json", 3, "'NaN' is not finite"},
    {CHECK, "com_inf.yaml", 7, "'-.inf' is not finite"},
    {CHECK, "mass_huge.yaml", 5, "too large for a double"},
    {CHECK, "mass_beyond.yaml", 0, "beyond 1e30"},
    {CHECK, "com_short.yaml", 7, "expected a list of 3 numbers, but found a list of 2"},
    {CHECK, "inertia_matrix.yaml", 6, "in the order [ixx, iyy, izz, ixy, ixz, iyz], but found a list of 3"},
    {CHECK, "inertia_missing.yaml", 4, "has mass but no inertia"},
    {CHECK, "mass_negative.yaml", 5, "-10, but must not be negative"},
    {CHECK, "triangle.yaml", 4, "triangle inequality"},
    {CHECK, "inertia_indefinite.yaml", 4, "not positive"},
    {CHECK, "self_parent.yaml", 7, "arm -> arm"},
    {CHECK, "cycle.yaml", 5, "c -> b -> a -> c"},
    {CHECK, "unknown_parent.yaml", 8,
     "there is no body called 'bass' for 'arm' to hang on; did you mean 'base'?"},
    {CHECK, "joint_missing.yaml", 7, "hangs on 'base' but has no joint"},
    {CHECK, "same_body_name.yaml", 7, "the name \"base\" is given twice"},
    {CHECK, "same_frame_name.yaml", 0, "the name \"base\" is given twice"},
    {CHECK, "same_joint_name.yaml", 0, "the name \"j\" is given twice"},
    {CHECK, "body_world.yaml", 4, "named \"world\""},
    {CHECK, "two_rotations.yaml", 9, "the rotation is given twice, as 'rpy' and as 'quat'"},
    {CHECK, "dcm_mirror.yaml", 9, "mirror image"},
    {CHECK, "dcm_skew.yaml", 9, "orthonormal to 1e-6"},
    {CHECK, "dcm_flat.yaml", 9, "expected a list of 3 rows of 3 numbers, but found a list of 9"},
    {CHECK, "quat_zero.yaml", 9, "the quaternion is zero"},
    {CHECK, "rpy_unit.yaml", 9, "'10 mm' is a length, but an angle is expected"},
    {CHECK, "axis_zero.yaml", 9, "'axis' is zero"},
    {CHECK, "axis_missing.yaml", 9, "a prismatic joint needs the key 'axis'"},
    {CHECK, "axis_on_spherical.yaml", 9, "a spherical joint cannot have 'axis'"},
    {CHECK, "axis2_parallel.yaml", 9, "'axis2' is parallel to 'axis'"},
    {CHECK, "axis2_missing.yaml", 9, "a universal joint needs the key 'axis2'"},
    {CHECK, "pitch_missing.yaml", 9, "a helical joint needs the key 'pitch'"},
    {CHECK, "scalar_for_list.yaml", 9, "a list of 2 numbers is expected, but found the number '0.1'"},
    {CHECK, "list_for_scalar.yaml", 9,
     "one velocity coordinate, so a number is expected, but found a list of 2"},
    {CHECK, "list_too_long.yaml", 9, "a planar joint has 3 velocity coordinates"},
    {CHECK, "limits_reversed.yaml", 9, "lower limit 1 is above the upper limit -1"},
    {CHECK, "limits_on_spherical.yaml", 9, "a spherical joint cannot have 'limits'"},
    {CHECK, "limits_number.yaml", 9, "limits are a pair [low, high]"},
    {CHECK, "limits_one_pair.yaml", 9, "a list of 2 pairs [low, high] is expected, but found a list of 2"},
    {CHECK, "rest_on_free.yaml", 9, "a free joint cannot have 'rest'"},
    {CHECK, "armature_on_free.yaml", 9, "a free joint cannot have 'armature'"},
    {CHECK, "armature_negative.yaml", 9, "must not be negative"},
    {CHECK, "rotor_on_universal.yaml", 9, "a universal joint cannot have 'rotor'"},
    {CHECK, "rotor_and_armature.yaml", 9, "keep one of them"},
    {CHECK, "friction_speed_zero.yaml", 9, "must be more than 0"},
    {CHECK, "damping_unit.yaml", 9, "is an angular damping, but a damping is expected"},
    {CHECK, "shape_kind.yaml", 7, "'cube' is not a kind of a shape"},
    {CHECK, "shape_size.yaml", 7, "a sphere cannot have 'size'"},
    {CHECK, "shape_negative.yaml", 7, "must be more than 0"},
    {CHECK, "shape_color.yaml", 8, "a color is"},
    {CHECK, "shape_color_comment.yaml", 10, "# begins a comment"},
    {EVAL, "state_q_short.json", 8, "`q` has 3 numbers; it needs 8"},
    {EVAL, "state_v_missing.json", 8, "the key 'v' is missing"},
    {EVAL, "state_not_unit.json", 8, "norm 1.00498756"},
    {EVAL, "state_nan.json", 9, "not finite"},
    {EVAL, "state_text.json", 9, "`v` must be a list of 7 numbers"},
    {EVAL, "state_huge.json", 9, "too large"},
    {EVAL, "state_unknown_key.json", 9, "did you mean 'tau'?"},
    {EVAL, "state_prescribed.json", 9, "no joint called 'knee'"},
    {EVAL, "state_prescribed_fixed.json", 9, "'plate' is fixed"},
    {EVAL, "state_wrench_frame.json", 9, "no frame or body called 'tol'"},
    {EVAL, "state_wrench_short.json", 9, "expected a list of 3 numbers"},
    {EVAL, "state_no_inputs.json", 8, "did you mean 'inputs'?"},
    {EVAL, "state_model_bad.json", 3, "the text 'heavy'"},
    {EVAL, "state_no_model.json", 1, "the key 'model' is missing"},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/* Nonzero when the message names the file, and the line where one is expected. */
static int points_to(const char* message, const char* file, int line) {
  char place[300];
  if (line > 0)
    snprintf(place, sizeof place, "%s:%d:", file, line);
  else
    snprintf(place, sizeof place, "%s:", file);
  return strstr(message, place) != NULL;
}

static void test_command_refuses_each_with_place_and_message(void** state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < CASE_COUNT; i++) {
    const malformed_case* c = &CASES[i];
    char line[600];
    snprintf(line, sizeof line, "\"$FB\" %s '%s/malformed/%s'", c->command == EVAL ? "eval" : "check",
             FB_TEST_DATA, c->file);
    outcome o = run(line);
    if (o.code != 2 || !points_to(o.err, c->file, c->line) || !strstr(o.err, c->text)) {
      print_error("%s: exit %d, expected line %d and '%s', got: %s\n", c->file, o.code, c->line, c->text,
                  o.err);
      wrong++;
    }
    outcome_free(&o);
  }
  assert_int_equal(wrong, 0);
}

/* The same without a second process, so that valgrind and the sanitizers watch the library itself. */
static void test_library_refuses_each_model(void** state) {
  (void)state;
  for (int i = 0; i < CASE_COUNT; i++) {
    const malformed_case* c = &CASES[i];
    if (c->command == EVAL) continue;
    char file[512], message[1400];
    snprintf(file, sizeof file, "%s/malformed/%s", FB_TEST_DATA, c->file);
    fb_model* model = NULL;
    fb_error error;
    fb_status status = fb_model_load(file, &model, &error);
    if (status == FB_OK) fail_msg("%s was accepted", c->file);
    assert_null(model);
    assert_int_equal(status, error.status);
    fb_error_format(&error, message, sizeof message);
    if (!points_to(message, c->file, c->line) || !strstr(message, c->text)) fail_msg("%s", message);
  }
}

static fb_status parse(const char* text, size_t size, fb_error* error) {
  fb_model_def* def = NULL;
  fb_status status = fb_model_def_parse(text, size, "made", NULL, &def, error);
  fb_model_def_free(def);
  return status;
}

/* `piece` repeated a million times. */
static char* repeat(const char* piece, size_t* size) {
  size_t n = strlen(piece), count = 1000000;
  char* text = (char*)malloc(n * count + 1);
  assert_non_null(text);
  for (size_t i = 0; i < count; i++) memcpy(text + i * n, piece, n);
  text[n * count] = '\0';
  *size = n * count;
  return text;
}

static void test_a_million_levels_are_refused(void** state) {
  (void)state;
  static const char* const pieces[] = {"[", "{", "{\"a\":", "{\"a\":[", "- ", "? ", "a: ", "[{a: ", "<a>"};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    size_t size;
    char* text = repeat(pieces[i], &size);
    fb_error error;
    assert_int_not_equal(parse(text, size, &error), FB_OK);
    assert_string_equal(error.file, "made");
    assert_int_equal(error.place.line, 1);
    assert_true(strlen(error.text) > 10);
    free(text);
  }
}

static void test_command_refuses_a_million_brackets(void** state) {
  (void)state;
  size_t size;
  char* text = repeat("[", &size);
  spill("deep.json", text);
  free(text);
  outcome o = run("\"$FB\" check deep.json");
  assert_int_equal(o.code, 2);
  assert_non_null(strstr(o.err, "deep.json:1:"));
  outcome_free(&o);
}

static void test_garbage_never_passes(void** state) {
  (void)state;
  static const char letters[] = "{}[]:,-#&*!|>'\"%@`ab01.e \n\t";
  unsigned long long seed = 12345;
  for (int round = 0; round < 4000; round++) {
    char text[64];
    for (size_t i = 0; i < sizeof text; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      unsigned pick = (unsigned)(seed >> 40);
      text[i] = round % 4 == 0 ? (char)pick : letters[pick % (sizeof letters - 1)];
    }
    fb_error error;
    assert_int_not_equal(parse(text, sizeof text, &error), FB_OK);
  }
}

/* A good model cut at every byte, and with every byte spoilt in turn: an error or a model, never a crash. */
static void test_cut_and_spoilt_models_do_no_harm(void** state) {
  (void)state;
  static const char good[] =
      "freebody: 1\nname: cut\nbodies:\n  - name: base\n    mass: 1 kg\n    inertia: [1, 1, 1, 0, 0, 0]\n"
      "    frames: [{name: \"tool\", at: [0, 0.5, 1e-3], quat: [1, 0, 0, 0]}]\n    shapes:\n"
      "      - {kind: box, size: [1, 2, 3], color: '#aabbcc'}\n";
  fb_error error;
  assert_int_equal(parse(good, sizeof good - 1, &error), FB_OK);
  for (size_t n = 0; n < sizeof good - 1; n++) {
    parse(good, n, &error);
    for (const char* c = "[]{}:\"'\n\t \x80#&*"; *c; c++) {
      char text[sizeof good];
      memcpy(text, good, sizeof good);
      text[n] = *c;
      parse(text, sizeof good - 1, &error);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_command_refuses_each_with_place_and_message),
      cmocka_unit_test(test_library_refuses_each_model),
      cmocka_unit_test(test_a_million_levels_are_refused),
      cmocka_unit_test(test_command_refuses_a_million_brackets),
      cmocka_unit_test(test_garbage_never_passes),
      cmocka_unit_test(test_cut_and_spoilt_models_do_no_harm),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
