/* test_sfunction.c -- S-functions as `freebody sfunction` writes them, compiled and run with a stand-in for Simulink's headers
 * (tests/fmu/mock/). They were never run in Simulink. */
#include "run_command.h"

#include <math.h>

#include <freebody/plant.h>

#define PENDULUM FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml"
#define COMPILE                                                                                   \
  FB_CC " " FB_USER_CFLAGS                                                                        \
        " -std=c17 -D_POSIX_C_SOURCE=200809L -DMATLAB_MEX_FILE -Wall -Wextra -Wpedantic -Werror " \
        "-I" FB_SOURCE_DIR "/tests/fmu/mock -I" FB_SOURCE_DIR "/include "
#define LINK " " FB_ALL_LIBRARY " -Wl,-rpath," FB_ALL_FOLDER " -lm"

static int open_compiled(void** state) {
  if (scratch_open(state)) return -1;
  outcome o = run("$FB sfunction -o out " PENDULUM " && " COMPILE "out/pendulum_sfun.c -o sfun" LINK);
  if (o.code != 0) print_error("%s%s\n", o.out, o.err);
  int code = o.code;
  outcome_free(&o);
  return code;
}

static void must(fb_status status, const fb_error* error) {
  if (status != FB_OK) fail_msg("%s", error->text);
}

static void an_s_function_moves_as_its_plant_bit_for_bit(void** state) {
  (void)state;
  fb_plant* plant;
  fb_error error;
  must(fb_plant_open("out/pendulum_plant", &plant, &error), &error);
  outcome o = run("./sfun out/pendulum_plant 0.01 100");
  assert_int_equal(o.code, 0);
  const int input = fb_plant_find(plant, "input.tau.hinge");
  assert_true(input >= 0);
  int outputs[64], count = 0;
  for (int i = 0; i < fb_plant_nvariable(plant); i++) {
    fb_plant_variable v;
    must(fb_plant_get_variable(plant, i, &v, &error), &error);
    if (v.role == FB_PLANT_OUTPUT) outputs[count++] = i;
  }
  assert_true(count > 3);
  char* at = o.out;
  for (int n = 0; n < 100; n++) {
    double values[64], u = 2 * sin(n * 0.01);
    must(fb_plant_get(plant, outputs, count, values, &error), &error);
    for (int i = 0; i < count; i++) {
      double printed = strtod(at, &at);
      if (!(printed == values[i]))
        fail_msg("sample %d, output %d: %.17g is not %.17g", n, i, printed, values[i]);
    }
    must(fb_plant_set(plant, &input, 1, &u, &error), &error);
    must(fb_plant_step(plant, n * 0.01 + 0.01, &error), &error);
  }
  outcome_free(&o);
  fb_plant_free(plant);
}

static void what_is_wrong_is_said_by_the_s_function(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"./sfun nowhere 0.01 10", 1, "error: nowhere/plant.json", NULL},
      {"./sfun out/pendulum_plant 0 10", 1, "error: the second parameter must be the sample time", NULL},
      {"./sfun out/pendulum_plant nan 10", 1, "error: the second parameter must be the sample time", NULL},
      {"./sfun out/pendulum_plant 0.01 10 5", 1, "error: the plant begins at t = 0", NULL},
      {"cp -r out/pendulum_plant other && echo '# more' >>other/0-pendulum.yaml && ./sfun other 0.01 10", 1,
       "do not belong together", NULL},
      {"$FB sfunction -o stops --set 'events[+]={at: 0.055, do: [{stop: true}]}' " PENDULUM " && " COMPILE
       "stops/pendulum_sfun.c -o stops/sfun" LINK " && stops/sfun stops/pendulum_plant 0.01 100 | tail -n 1",
       0, "stopped", NULL},
      {"grep -c . out/README.txt && grep 'p.tip  width 3, m, axes world' out/README.txt", 0, "p.tip", NULL},
  };
  CHECK_CASES(cases);
}

/* With trigraphs ??/ is a backslash. */
static void names_with_signs_that_mean_something_to_c_are_plain_text(void** state) {
  (void)state;
  spill("odd.yaml",
        "scenario: 1\nname: odd\nduration: 1 s\nmodel:\n  bodies:\n"
        "    - {name: bob, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0],\n"
        "       joint: {name: 'h?"
        "?/\"\\', type: revolute, axis: [0, 1, 0]}}\n");
  static const shell_case cases[] = {
      {"$FB sfunction -o odd odd.yaml && grep -F 'input.tau.h?"
       "?/\"\\  width' odd/README.txt",
       0, "width", NULL},
      {COMPILE "-trigraphs odd/odd_sfun.c -o oddly" LINK " && ./oddly odd/odd_plant 0.01 10", 0, NULL, NULL},
      {"strings -n 5 oddly | grep -F 'input.tau.h?"
       "?/\"\\'",
       0, "input", NULL},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_s_function_moves_as_its_plant_bit_for_bit),
      cmocka_unit_test(what_is_wrong_is_said_by_the_s_function),
      cmocka_unit_test(names_with_signs_that_mean_something_to_c_are_plain_text),
  };
  return cmocka_run_group_tests(tests, open_compiled, scratch_close);
}
