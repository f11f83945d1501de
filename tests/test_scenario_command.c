/* test_scenario_command.c -- the command on scenarios: new, check, schema. */
#include "run_command.h"

#define DATA FB_TEST_DATA "/scenario/"

static void new_makes_a_scenario_that_is_sound(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB new swing", 0, "swing is ready", ""},
      {"$FB check --strict swing/pendulum.yaml swing/rods.yaml", 0, "control     hold: joint PD", ""},
      {"test $(wc -l <swing/pendulum.yaml) -le 20 && test -s swing/README.md", 0, "", ""},
      {"$FB new swing", 1, "", "swing/pendulum.yaml: this file is there already; nothing was written"},
      {"rm swing/pendulum.yaml && echo mine >swing/rods.yaml && $FB new swing", 1, "",
       "swing/rods.yaml: this file"},
      {"test ! -e swing/pendulum.yaml && cat swing/rods.yaml", 0, "mine", ""},
      {"$FB new --force swing && $FB check swing/pendulum.yaml", 0, "ok", ""},
      {"mkdir empty && $FB new empty/", 0, "ready", ""},
      {"$FB new a/b/c", 1, "", "does not exist"},
      {"echo x >file && $FB new file", 1, "", "there is a file of this name"},
      {"$FB new", 2, "", "which DIR"},
      {"$FB new a b", 2, "", "too many"},
      {"$FB new --help", 0, "Example:", ""},
      {"$FB help", 0, "make a folder with a scenario", ""},
  };
  CHECK_CASES(cases);
}

static void check_explains_scenarios(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB check " DATA "full.yaml", 0, "full.yaml: ok (robot: 7 bodies", ""},
      {"$FB check " DATA "full.yaml", 0, "beat: at 1 s and every 2 s after it", ""},
      {"$FB check --quiet " DATA "full.yaml", 0, "", ""},
      {"$FB check - <" DATA "scene.yaml", 2, "", "robot.yaml' cannot be read"},
      {"cd " DATA " && $FB check - <scene.yaml", 0, "standard input: ok", ""},
      {"printf 'scenario: 1\\nmodel: x.yaml\\n' >bad.yaml; $FB check bad.yaml", 2, "",
       "bad.yaml:2:8: model: "},
      {"printf 'scenario: 1\\nmodel: [' >bad.yaml; $FB check bad.yaml", 2, "", "bad.yaml:2:"},
      {"$FB info " DATA "full.yaml", 2, "", "this is a scenario, and here a model is expected"},
  };
  CHECK_CASES(cases);
}

static void schema_prints_scenarios_too(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB schema scenario", 0, "### integrator", ""},
      {"$FB schema scenario --json", 0, "Freebody scenario, version 1", ""},
      {"$FB schema scenari", 2, "", "did you mean 'scenario'"},
      {"$FB schema", 2, "", "'model' and 'scenario'"},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_makes_a_scenario_that_is_sound),
      cmocka_unit_test(check_explains_scenarios),
      cmocka_unit_test(schema_prints_scenarios_too),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
