/* test_command.c -- the freebody command from outside: help, exit codes, messages, streams, conversion. */
#define _XOPEN_SOURCE 700
#include "run_command.h"

#include <fcntl.h>

static const char INSPECTOR[] =
    "freebody: 1\n"
    "name: inspector\n"
    "bodies:\n"
    "  - name: base\n"
    "    mass: 2550\n"
    "    inertia: [6200, 3540, 7090, 48.2, 78.5, -29.2]\n"
    "    shapes: [{kind: box, size: [2.2, 2.1, 2.0], color: \"#c9b037\"}]\n"
    "  - name: upper\n"
    "    parent: base\n"
    "    joint: {name: shoulder, type: revolute, axis: [0, 0, 1], at: [0.8, 0, 1.0], limits: [-3, 3],\n"
    "            damping: 0.1, effort: 200}\n"
    "    mass: 35\n"
    "    com: [0.3, 0, 0]\n"
    "    inertia: [0.5, 1.7, 1.7, 0, 0, 0]\n"
    "    frames: [{name: tool, at: [0.6, 0, 0]}]\n";

static const char BALL[] =
    "freebody: 1\n"
    "name: ball\n"
    "bodies:\n"
    "  - name: post\n"
    "    joint: {type: fixed}\n"
    "    mass: 1\n"
    "    inertia: [1, 1, 1, 0, 0, 0]\n"
    "  - name: bob\n"
    "    parent: post\n"
    "    joint: {type: spherical}\n"
    "    mass: 2\n"
    "    inertia: [1, 1, 1, 0, 0, 0]\n";

static const char ROBOT[] =
    "<robot name=\"twig\">\n"
    "  <link name=\"trunk\"><inertial><mass value=\"10\"/>\n"
    "    <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <link name=\"leaf\"><inertial><mass value=\"1\"/>\n"
    "    <inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <joint name=\"stem\" type=\"revolute\"><parent link=\"trunk\"/><child link=\"leaf\"/>\n"
    "    <origin xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" "
    "velocity=\"2\"/>\n"
    "  </joint>\n"
    "</robot>\n";

/* Legal, but everything looks wrong. */
static const char ODD[] =
    "freebody: 1\n"
    "name: odd\n"
    "bodies:\n"
    "  - name: base\n"
    "    mass: 5.0e+7\n"
    "    inertia: [1.0e+7, 1.0e+7, 1.0e+7, 0, 0, 0]\n"
    "  - name: point\n"
    "    parent: base\n"
    "    joint: {type: revolute, axis: [0, 0, 1], limits: [-180, 180], effort: 0}\n"
    "    mass: 1\n"
    "    inertia: [0, 0, 0, 0, 0, 0]\n"
    "  - name: far\n"
    "    parent: base\n"
    "    joint: {type: prismatic, axis: [0, 0, 1], limits: [1, 2], speed: 0}\n"
    "    mass: 1\n"
    "    com: [300, 0, 0]\n"
    "    inertia: [0.01, 0.01, 0.01, 0, 0, 0]\n";

static int open_with_models(void** state) {
  if (scratch_open(state)) return -1;
  unsetenv("NO_COLOR");
  spill("inspector.yaml", INSPECTOR);
  spill("ball.yaml", BALL);
  spill("robot.urdf", ROBOT);
  spill("odd.yaml", ODD);
  spill("bad.yaml", "freebody: 1\nbodies:\n  - name: base\n    mass: -3\n");
  spill("empty.yaml", "");
  return 0;
}

static void help_and_version_print_and_exit_0(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB --version", 0, "freebody 0.", ""},
      {"$FB --help", 0, "convert", ""},
      {"$FB -h", 0, "eval", ""},
      {"$FB help", 0, "schema", ""},
      {"$FB help convert", 0, "--force", ""},
      {"$FB info --help", 0, "Example:", ""},
      {"$FB check --help", 0, "Example:", ""},
      {"$FB convert --help", 0, "Example:", ""},
      {"$FB eval --help", 0, "Example:", ""},
      {"$FB schema --help", 0, "Example:", ""},
      {"$FB eval nofile.json --help", 0, "Usage: freebody eval", ""},
  };
  CHECK_CASES(cases);
}

static void wrong_usage_exits_2_and_suggests(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB", 2, "", "Usage"},
      {"$FB ''", 2, "", "no command ''"},
      {"$FB inof", 2, "", "did you mean 'info'"},
      {"$FB qqqqqqqqq", 2, "", "freebody --help"},
      {"$FB --vresion", 2, "", "did you mean '--version'"},
      {"$FB help chekc", 2, "", "did you mean 'check'"},
      {"$FB info", 2, "", "which MODEL"},
      {"$FB info ''", 2, "", "empty file name"},
      {"$FB info --jsn inspector.yaml", 2, "", "did you mean '--json'"},
      {"$FB info -j inspector.yaml", 2, "", "two dashes"},
      {"$FB info --json=1 inspector.yaml", 2, "", "takes no value"},
      {"$FB info inspector.yaml ball.yaml", 2, "", "unexpected argument"},
      {"$FB info --color=pink inspector.yaml", 2, "", "always, never or auto"},
      {"$FB check", 2, "", "which FILE"},
      {"$FB check - -", 2, "", "standard input can be read once"},
      {"$FB --color", 2, "", "always, never or auto"},
      {"$FB --color=never", 2, "", "which COMMAND"},
      {"$FB --colour=never info inspector.yaml", 2, "", "did you mean '--color'"},
      {"$FB info --base loose robot.urdf", 2, "", "--base takes free or fixed"},
      {"$FB convert inspector.yaml", 2, "", "IN and OUT"},
      {"$FB convert a b c", 2, "", "unexpected argument"},
      {"$FB convert --to ymal inspector.yaml out.yaml", 2, "", "did you mean 'yaml'"},
      {"$FB convert --package nothing robot.urdf out.yaml", 2, "", "NAME=DIR"},
      {"$FB convert inspector.yaml -", 2, "", "--to"},
      {"$FB eval", 2, "", "which FILE"},
      {"$FB eval --indent 99 x.json", 2, "", "from 0 to 8"},
      {"$FB eval --only", 2, "", "needs a value"},
      {"$FB eval --only a --only b x.json", 2, "", "separated by commas"},
      {"$FB eval --only= x.json", 2, "", "needs a value"},
      {"$FB eval a.json b.json", 2, "", "unexpected argument"},
      {"$FB lcp", 2, "", "which FILE"},
      {"$FB lcp --indent 9 x.json", 2, "", "from 0 to 8"},
      {"$FB lcp a.json b.json", 2, "", "unexpected argument"},
      {"$FB schema", 2, "", "which schema"},
      {"$FB schema modle", 2, "", "did you mean 'model'"},
      {"$FB schema model model", 2, "", "unexpected argument"},
  };
  CHECK_CASES(cases);
}

static void bad_files_exit_2_and_say_where(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info nowhere.yaml", 2, "", "nowhere.yaml"},
      {"$FB info .", 2, "", NULL},
      {"$FB info bad.yaml", 2, "", "bad.yaml:"},
      {"$FB info empty.yaml", 2, "", "empty.yaml"},
      {"$FB eval inspector.yaml", 2, "", "this is a model, not an evaluation file; see freebody info"},
      {"$FB eval robot.urdf", 2, "", "robot.urdf:1:1: this is XML: a model, not an evaluation file"},
      {"$FB eval nowhere.json", 2, "", "nowhere.json"},
      {"$FB lcp nowhere.json", 2, "", "nowhere.json"},
      {"$FB lcp robot.urdf", 2, "", "robot.urdf:1:1: a file of complementarity problems is an object"},
      {"$FB lcp inspector.yaml", 2, "", "inspector.yaml:1:1: the key 'problems' is missing"},
      {"echo '{\"problems\": [3]}' | $FB lcp -", 2, "",
       "standard input:1:15: problems[0]: a problem is an object"},
      {"echo '{\"problems\": []}' | $FB lcp --indent 0 -", 0, "{\"problems\": []}", ""},
      {"$FB convert bad.yaml out.urdf", 2, "", "bad.yaml:"},
      {"test ! -e out.urdf", 0, "", ""},
      {"printf 'freebody: 1\\nbodies: [' | $FB check -", 2, "", NULL},
      {"printf '\\033[31m\\000\\377' | $FB check -", 2, "", NULL},
  };
  CHECK_CASES(cases);
}

static void check_goes_on_after_a_bad_file(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check inspector.yaml", 0, "inspector.yaml: ok (inspector: 2 bodies, 7 degrees of freedom)\n", ""},
      {"$FB check bad.yaml ball.yaml", 2, "ball.yaml: ok (ball: 2 bodies, 3 degrees of freedom)",
       "bad.yaml:"},
      {"$FB check --quiet inspector.yaml ball.yaml", 0, "", ""},
      {"$FB check robot.urdf", 0, "robot.urdf: ok (twig: 2 bodies, 7 degrees of freedom)", ""},
      {"$FB check -- inspector.yaml", 0, "ok", ""},
      {"$FB check " FB_TEST_DATA "/reference/joints/j01_spherical.json", 0, "case", NULL},
      {"$FB check " FB_TEST_DATA "/reference/spacedyn/m1_single_body.json", 0, "6 cases", ""},
      {"cat inspector.yaml | $FB check -", 0, "standard input: ok (inspector", ""},
  };
  CHECK_CASES(cases);
}

static void check_advises_on_what_is_legal_but_odd(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check odd.yaml", 0, "8 pieces of advice", "no inertia"},
      {"$FB check odd.yaml", 0, "ok", "are these degrees?"},
      {"$FB check odd.yaml", 0, "ok", "effort limit of 0"},
      {"$FB check odd.yaml", 0, "ok", "speed limit of 0"},
      {"$FB check odd.yaml", 0, "ok", "leave out zero"},
      {"$FB check odd.yaml", 0, "ok", "centre of mass of body 'far'"},
      {"$FB check odd.yaml", 0, "ok", "5.0e+07 times in mass: results may lose about 8 of their 16 digits"},
      {"$FB check odd.yaml", 0, "ok", "odd.yaml:7:"},
      {"$FB check --strict odd.yaml", 2, "not accepted", "advice"},
      {"$FB check --strict inspector.yaml", 0, "ok", ""},
      {"$FB check --quiet odd.yaml", 0, "", ""},
  };
  CHECK_CASES(cases);
}

static void info_shows_the_model(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info inspector.yaml", 0, "inspector\n", ""},
      {"$FB info inspector.yaml", 0, "7 (nq 8, nv 7)", ""},
      {"$FB info inspector.yaml", 0, "2585 kg", ""},
      {"$FB info inspector.yaml", 0, "\xe2\x94\x94\xe2\x94\x80 base", ""},
      {"$FB info --ascii inspector.yaml", 0, "`- base", ""},
      {"$FB info inspector.yaml", 0, "[-3, 3]", ""},
      {"$FB info inspector.yaml", 0, "1.4 0 1", ""},
      {"cat robot.urdf | $FB info -", 0, "twig", ""},
      {"$FB info robot.urdf", 0, "URDF", ""},
      {"$FB info --json inspector.yaml", 0, "\"nv\": 7", ""},
      {"$FB info --json --spacedyn inspector.yaml", 0, "\"Se\": [1]", ""},
      {"$FB info --spacedyn inspector.yaml", 0, "SpaceDyn topology", ""},
      {"$FB info " FB_TEST_DATA "/reference/joints/j09_forest3.json", 0, "chaser, target and station", ""},
      {"$FB info --spacedyn " FB_TEST_DATA "/reference/joints/j09_forest3.json", 0,
       "cannot represent this model as it is: it has 3 trees", ""},
      {"$FB info --spacedyn " FB_TEST_DATA "/urdf/fixed_inside.urdf", 0,
       "'freebody convert' makes them part of what carries them, so it writes", ""},
      {"$FB info --json --spacedyn inspector.yaml", 0, "\"fits\": true", ""},
      {"$FB info --json --spacedyn ball.yaml", 0, "\"fits\": false", ""},
      {"$FB info --full inspector.yaml", 0, "6200 3540 7090 48.2 78.5 -29.2", ""},
      {"$FB info --json inspector.yaml", 0, "\"inertia\": [0.5, 1.7, 1.7, 0, 0, 0]", ""},
      {"$FB info --json inspector.yaml", 0, "\"at\": [0.8, 0, 1]", ""},
      {"$FB info --json inspector.yaml", 0, "\"lower\": [-3]", ""},
      {"sed 's/0, 0, 1\\], at/0, 0, 5], at/' inspector.yaml | $FB info -", 0, "0 0 1  1    35", ""},
      {"$FB info " FB_TEST_DATA "/reference/joints/j09_forest3.json", 0, "(evaluation file, native model)",
       ""},
      {"$FB info " FB_TEST_DATA "/reference/spacedyn/m4_dual_arm_paddle.json", 0, "19 (nq 20, nv 19)", ""},
      {"LC_ALL=de_DE.UTF-8 $FB info inspector.yaml", 0, "1.4 0 1", ""},
  };
  CHECK_CASES(cases);
}

static void output_that_does_not_arrive_exits_1(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info inspector.yaml >/dev/full", 1, "", "cannot write"},
      {"$FB --version >/dev/full", 1, "", "cannot write"},
      {"$FB info inspector.yaml >&-", 1, "", "cannot write"},
      {"$FB schema model >/dev/full", 1, "", "No space left on device"},
      {"$FB schema model --json >/dev/full", 1, "", "No space left on device"},
      {"$FB convert inspector.yaml nofolder/out.yaml", 1, "", "nofolder/out.yaml"},
      {"$FB info inspector.yaml | true", 0, "", ""},
      {"$FB info - <&-", 2, "", NULL},
  };
  CHECK_CASES(cases);
}

static void convert_keeps_the_model_and_never_overwrites_unasked(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB convert inspector.yaml a.json", 0, "", "2 bodies, 7 degrees of freedom, nothing lost"},
      {"$FB convert a.json b.yaml && $FB convert b.yaml c.json && cmp a.json c.json", 0, "", NULL},
      {"$FB convert inspector.yaml a.json", 2, "", "--force"},
      {"$FB convert --force inspector.yaml a.json", 0, "", "nothing lost"},
      {"echo mine >kept.urdf; $FB convert inspector.yaml kept.urdf; cat kept.urdf", 0, "mine\n", "exists"},
      {"$FB convert robot.urdf r.yaml && $FB convert r.yaml r2.urdf && $FB check r2.urdf", 0,
       "r2.urdf: ok (twig: 2 bodies, 7 degrees of freedom)", NULL},
      {"$FB convert --to urdf inspector.yaml - | $FB check -", 0, "standard input: ok (inspector: 2 bodies",
       NULL},
      {"$FB convert --to json --from yaml - - <inspector.yaml", 0, "\"shoulder\"", "nothing lost"},
      {"$FB convert inspector.yaml s.spacedyn.json", 0, "", "lost: "},
      {"$FB check s.spacedyn.json", 0, "2 bodies, 7 degrees of freedom", ""},
      {"$FB convert ball.yaml ball.spacedyn.json", 1, "", NULL},
      {"test ! -e ball.spacedyn.json", 0, "", ""},
      {"$FB convert ball.yaml ball.urdf", 0, "", "note: joint 'bob' is spherical, which URDF lacks"},
      {"$FB convert inspector.yaml out.unknown", 2, "", NULL},
      {"$FB convert --from urdf inspector.yaml x.json", 2, "", "inspector.yaml"},
  };
  CHECK_CASES(cases);
}

static void schema_prints_the_format(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB schema model", 0, "friction_speed", ""},
      {"$FB schema model --json", 0, "\"$schema\"", ""},
      {"$FB schema --json model", 0, "\"bodies\"", ""},
  };
  CHECK_CASES(cases);
}

static void colour_is_only_written_when_wanted(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info inspector.yaml | grep -c \"$(printf '\\033')\"", 1, "0\n", ""},
      {"$FB info --color=always inspector.yaml", 0, "\033[1m", ""},
      {"$FB --color=always info inspector.yaml", 0, "\033[1m", ""},
      {"$FB --color always info inspector.yaml", 0, "\033[1m", ""},
      {"$FB info --color=never inspector.yaml | grep -c \"$(printf '\\033')\"", 1, "0\n", ""},
      {"$FB info --color auto --color always inspector.yaml", 0, "\033[", ""},
      {"$FB check --color=always bad.yaml", 2, "", "\033[31m"},
  };
  CHECK_CASES(cases);
}

/* What the command prints when its standard output is a terminal. */
static void run_on_terminal(char* text, size_t size) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(master >= 0);
  assert_int_equal(grantpt(master), 0);
  assert_int_equal(unlockpt(master), 0);
  int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  assert_true(slave >= 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(slave, STDOUT_FILENO);
    execl(getenv("FB"), "freebody", "info", "inspector.yaml", (char*)NULL);
    _exit(127);
  }
  close(slave);
  size_t used = 0;
  /* Reading ends with an error once the child has closed the other side. */
  for (ssize_t got; used + 1 < size && (got = read(master, text + used, size - 1 - used)) > 0;)
    used += (size_t)got;
  text[used] = 0;
  int status = 0;
  waitpid(child, &status, 0);
  close(master);
  assert_int_equal(status, 0);
}

static void a_terminal_gets_colour_unless_NO_COLOR_is_set(void** state) {
  (void)state;
  static char text[1 << 16];
  setenv("TERM", "xterm", 1);
  run_on_terminal(text, sizeof text);
  assert_non_null(strstr(text, "\033["));
  setenv("NO_COLOR", "1", 1);
  run_on_terminal(text, sizeof text);
  unsetenv("NO_COLOR");
  assert_non_null(strstr(text, "inspector"));
  assert_null(strstr(text, "\033["));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(help_and_version_print_and_exit_0),
      cmocka_unit_test(wrong_usage_exits_2_and_suggests),
      cmocka_unit_test(bad_files_exit_2_and_say_where),
      cmocka_unit_test(check_goes_on_after_a_bad_file),
      cmocka_unit_test(check_advises_on_what_is_legal_but_odd),
      cmocka_unit_test(info_shows_the_model),
      cmocka_unit_test(output_that_does_not_arrive_exits_1),
      cmocka_unit_test(convert_keeps_the_model_and_never_overwrites_unasked),
      cmocka_unit_test(schema_prints_the_format),
      cmocka_unit_test(colour_is_only_written_when_wanted),
      cmocka_unit_test(a_terminal_gets_colour_unless_NO_COLOR_is_set),
  };
  return cmocka_run_group_tests(tests, open_with_models, scratch_close);
}
