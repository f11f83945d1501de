/* test_eval_model.c -- evaluation files that name the file of their model, and files of which check and eval must
 * say the same. */
#include "run_command.h"

static const char MODEL[] =
    "freebody: 1\nname: cube\nbodies:\n  - name: cube\n    mass: 3\n    inertia: [1, 1, 1, 0, 0, 0]\n";
static const char ROBOT[] =
    "<robot name=\"twig\"><link name=\"twig\"><inertial><mass value=\"4\"/><inertia ixx=\"1\" iyy=\"1\" "
    "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><plugin/></robot>\n";

#define EVAL(model) "{\"format\": \"freebody-eval\", \"model\": " model ", \"cases\": []}"
#define STATE "[0, 0, 0, 1, 0, 0, 0]"
#define CASE(inputs) \
  "{\"format\": \"freebody-eval\", \"model\": \"cube.yaml\",\n\"cases\": [{\"inputs\": " inputs "}]}"

static int open_with_files(void** state) {
  if (scratch_open(state) || system("mkdir models")) return -1;
  spill("models/cube.yaml", MODEL);
  spill("models/twig.urdf", ROBOT);
  spill("models/eval.json", CASE("{\"q\": " STATE ", \"v\": [0, 0, 0, 0, 0, 0]}"));
  spill("models/still.json", CASE("{\"q\": " STATE "}"));
  spill("urdf.json", EVAL("\"models/twig.urdf\""));
  spill("round.json", EVAL("\"models/eval.json\""));
  spill("gone.json", EVAL("\"models/nowhere.yaml\""));
  spill("empty.json", EVAL("\"\""));
  spill("stdin.json", EVAL("\"-\""));
  spill("models/bad.yaml", "freebody: 1\nbodies: [{name: a, mass: -1}]\n");
  spill("bad.json", EVAL("\"models/bad.yaml\""));
  spill("caseless.json", "{\"format\": \"freebody-eval\", \"model\": {\"freebody\": 1, \"bodies\": []}}");
  spill("caseless2.json", "{\"format\": \"spacedyn-reference\", \"model\": {}}");
  spill("only.json", CASE("{\"q\": " STATE "}"));
  return 0;
}

static void a_model_file_is_found_beside_the_evaluation_file(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB eval models/eval.json", 0, "\"mass\": 3", NULL},
      {"$FB eval models/eval.json", 0, "\"model\": \"cube.yaml\"", NULL},
      {"cd models && $FB eval - <eval.json", 0, "\"mass\": 3", NULL},
      {"sed \"s|cube.yaml|$PWD/models/cube.yaml|\" models/eval.json | $FB eval -", 0, "\"mass\": 3", NULL},
      {"$FB check models/eval.json", 0, "models/eval.json: ok (cube: 1 body, 6 degrees of freedom, 1 case)",
       NULL},
      {"$FB check urdf.json", 0, "1 piece of advice", "models/twig.urdf:1: advice: <plugin> is not read"},
      {"$FB info urdf.json", 0, "evaluation file, model in another file", NULL},
      {"$FB info --base fixed urdf.json", 0, "0 (nq 0, nv 0)", NULL},
  };
  CHECK_CASES(cases);
}

static void a_model_file_that_will_not_do_is_refused(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB eval gone.json", 2, NULL,
       "gone.json:1:38: model: the model file 'models/nowhere.yaml' cannot be read"},
      {"$FB eval round.json", 2, NULL, "'models/eval.json' is an evaluation file itself"},
      {"$FB info round.json", 2, NULL, "'models/eval.json' is an evaluation file itself"},
      {"$FB eval empty.json", 2, NULL, "the name of a model file"},
      {"$FB eval stdin.json", 2, NULL, "the name of a model file"},
      {"$FB check bad.json", 2, NULL, "models/bad.yaml:2:"},
  };
  CHECK_CASES(cases);
}

static void check_and_eval_refuse_the_same_files(void** state) {
  (void)state;
  static const char* const files[] = {"caseless.json", "caseless2.json", "gone.json", "models/still.json"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char line[200];
    snprintf(line, sizeof line, "$FB check %s 2>a.txt; $FB eval %s 2>b.txt; test -s a.txt && cmp a.txt b.txt",
             files[i], files[i]);
    outcome o = run(line);
    if (o.code != 0) fail_msg("%s: %s%s", files[i], o.out, o.err);
    outcome_free(&o);
  }
}

static void a_missing_velocity_points_to_the_choice_of_outputs(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB eval models/still.json", 2, NULL, "choose outputs that need no velocities with --only"},
      {"$FB eval --only bodies.p,frames.J models/still.json", 0, "\"p\": [0, 0, 0]", NULL},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_file_is_found_beside_the_evaluation_file),
      cmocka_unit_test(a_model_file_that_will_not_do_is_refused),
      cmocka_unit_test(check_and_eval_refuse_the_same_files),
      cmocka_unit_test(a_missing_velocity_points_to_the_choice_of_outputs),
  };
  return cmocka_run_group_tests(tests, open_with_files, scratch_close);
}
