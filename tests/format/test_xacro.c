/* test_xacro.c -- when the program xacro is run, and when not: with --no-plugins, and where a run goes on from another, what it made
 * for that one is taken. A stand-in for it leaves a line in the file `ran`. */
#include <sys/stat.h>

#include "run_command.h"

#define NOT_RUN \
  { "cat ran 2>/dev/null | wc -l", 0, "0", "" }
#define NEEDS "this file needs the program xacro"
#define TAKEN "is taken as xacro made it for the other run"

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  mkdir("bin", 0777);
  spill("bin/xacro",
        "#!/bin/sh\necho ran >> ran\necho '<robot name=\"made\"><link name=\"base\"><inertial><mass "
        "value=\"1\"/>"
        "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link></robot>'\n");
  if (chmod("bin/xacro", 0755)) return -1;
  spill("arm.xacro", "<robot name='r' xmlns:xacro='x'><xacro:a/></robot>");
  spill("s.yaml", "scenario: 1\nmodel: arm.xacro\nduration: 0.2 s\n");
  char* path = getenv("PATH");
  char more[8192], here[4096];
  snprintf(more, sizeof more, "%s/bin:%s", getcwd(here, sizeof here), path ? path : "");
  return setenv("PATH", more, 1);
}

static void xacro_runs_once_for_a_new_run_and_not_for_one_that_goes_on(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run s.yaml -o one --duration 0.1 --quiet", 0, "", NULL},
      {"$FB run arm.xacro -o bare --duration 0.1 --quiet", 0, "", NULL},
      {"wc -l < ran; rm ran", 0, "2", ""},
      {"$FB run --resume one --duration 0.2 --quiet", 0, "", ""},
      {"$FB run --resume bare --duration 0.2 --quiet", 0, "", ""},
      {"$FB run --resume s.yaml -o one --duration 0.3 --quiet", 0, "", TAKEN},
      {"cp -r bare arm.run && $FB run --resume arm.xacro --duration 0.3 --quiet", 0, "", TAKEN},
      {"$FB run s.yaml -o two --from one --quiet", 0, "", TAKEN},
      {"$FB run s.yaml -o three --from one@0.1 --quiet", 0, "", TAKEN},
      {"$FB run arm.xacro -o four --from bare --duration 0.1 --quiet", 0, "", TAKEN},
      {"$FB run s.yaml -o five --replay one --quiet", 1, "", TAKEN}, /* which has nothing to replay */
      {"$FB view one -o one.glb", 0, NULL, NULL},
      {"$FB export one -o one.csv", 0, NULL, NULL},
      NOT_RUN,
  };
  CHECK_CASES(cases);
}

static void xacro_does_not_run_with_no_plugins(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"rm -f ran; $FB run s.yaml -o no --no-plugins", 2, "", NEEDS},
      {"$FB run arm.xacro -o no --no-plugins", 2, "", NEEDS},
      {"$FB check s.yaml --no-plugins", 2, "", NEEDS},
      {"$FB check arm.xacro --no-plugins", 2, "", NEEDS},
      NOT_RUN,
  };
  CHECK_CASES(cases);
}

/* A folder of a stranger, in which a copy has xacro in it. */
static void a_copy_in_a_run_folder_is_never_given_to_xacro(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run s.yaml -o evil --duration 0.1 --quiet", 0, "", NULL},
      {"rm ran; cp arm.xacro evil/inputs/1-arm.xacro; $FB run --resume evil --duration 0.2", 2, "",
       "is not what the run was begun with"},
      {"$FB run s.yaml -o no --from evil", 2, "", "there is xacro in it"},
      {"$FB run --replay evil -o no", 2, "", "is not what the run was begun with"},
      {"$FB view evil -o evil.glb", 0, NULL, NULL},
      {"rm evil/inputs/1-arm.xacro; $FB run s.yaml -o no --from evil", 2, "", NEEDS},
      NOT_RUN,
  };
  CHECK_CASES(cases);
}

/* Two files of one name, and one that has changed: what was made of another is not taken. */
static void what_was_made_of_another_text_is_not_taken(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"mkdir -p other; cp arm.xacro other; echo ' ' >> other/arm.xacro; $FB run s.yaml -o first --duration "
       "0.1 --quiet",
       0, "", NULL},
      {"rm -f ran; printf 'scenario: 1\\nmodel: other/arm.xacro\\nduration: 0.2 s\\n' > o.yaml; $FB run "
       "o.yaml -o no --from first",
       2, "", "made of another file of this name"},
      NOT_RUN,
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xacro_runs_once_for_a_new_run_and_not_for_one_that_goes_on),
      cmocka_unit_test(xacro_does_not_run_with_no_plugins),
      cmocka_unit_test(a_copy_in_a_run_folder_is_never_given_to_xacro),
      cmocka_unit_test(what_was_made_of_another_text_is_not_taken),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
