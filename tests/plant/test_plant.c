/* test_plant.c -- scenarios as plants (freebody/plant.h), and the inputs from outside that they have. */
#include "run_command.h"

#include <math.h>

#include <freebody/lua.h>
#include <freebody/plant.h>
#include <freebody/version.h>

#include "document/document.h"

#define HEAD                                                                                               \
  "scenario: 1\n"                                                                                          \
  "model:\n"                                                                                               \
  "  bodies:\n"                                                                                            \
  "    - {name: hub, joint: {type: free}, mass: 10, inertia: [1, 1, 1, 0, 0, 0]}\n"                        \
  "    - {name: arm, parent: hub, joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, 1]},\n" \
  "       mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}\n"                                \
  "    - {name: eye, parent: arm, joint: {name: ball, type: spherical, at: [0, 0, 1]}, mass: 0.5,\n"       \
  "       inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n"                                                         \
  "duration: 2 s\n"                                                                                        \
  "integrator: {method: rk4, step: 5 ms}\n"

static int open_scratch(void** state) {
  if (scratch_open(state)) return -1;
  spill("small.so", "not a library, but quickly packed");
  if (setenv("FREEBODY_FMU", "small.so", 1)) return -1;
  spill("plain.yaml", HEAD "log: {signals: [q.elbow, omega.hub]}\n");
  spill("law.yaml", HEAD
        "control: [{name: hold, type: joint_pd, joints: elbow, kp: 5, kd: 1}]\n"
        "log: {signals: [q.elbow, hold.error.elbow, hold]}\n");
  spill("event.yaml", HEAD
        "control: [{name: hold, type: joint_pd, joints: elbow, kp: 5, kd: 1}]\n"
        "events: [{at: 1 s, do: [{set: {block: hold, parameter: elbow.kp, value: 7}}]}]\n");
  spill("both.yaml", HEAD
        "control:\n"
        "  - {name: hold, type: joint_pd, joints: elbow, kp: 5, kd: 1}\n"
        "  - {name: hand, type: input, joints: ball, frames: [arm], axes: frame, values: {wish: 3}}\n"
        "log: {signals: [q.elbow, hand, com]}\n");
  return 0;
}

static void must(fb_status status, const fb_error* error) {
  char line[2000];
  if (status != FB_OK) fail_msg("%s", fb_error_format(error, line, sizeof line));
}

static fb_plant* read_plant(const char* file, const fb_plant_options* options) {
  fb_error error;
  fb_plant* plant;
  must(fb_plant_read(file, options, &plant, &error), &error);
  return plant;
}

static double get(fb_plant* plant, const char* name) {
  fb_error error;
  int index = fb_plant_find(plant, name);
  double value = NAN;
  if (index < 0) fail_msg("there is no variable %s", name);
  must(fb_plant_get(plant, &index, 1, &value, &error), &error);
  return value;
}

static void set(fb_plant* plant, const char* name, double value) {
  fb_error error;
  int index = fb_plant_find(plant, name);
  if (index < 0) fail_msg("there is no variable %s", name);
  must(fb_plant_set(plant, &index, 1, &value, &error), &error);
}

static void advance(fb_plant* plant, double t) {
  fb_error error;
  must(fb_plant_step(plant, t, &error), &error);
}

static void same(double a, double b) {
  if (!(a == b)) fail_msg("%.17g is not %.17g", a, b);
}

/* --- inputs --- */

static void a_plant_without_inputs_of_its_own_gets_all_joints_but_the_base(void** state) {
  (void)state;
  fb_plant* plant = read_plant("plain.yaml", NULL);
  static const char* const names[] = {"input.tau.elbow", "input.tau.ball.0", "input.tau.ball.2", "q.elbow",
                                      "omega.hub.z",     "start.q.elbow",    "start.v.elbow"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (fb_plant_find(plant, names[i]) < 0) fail_msg("there is no %s", names[i]);
  assert_int_equal(fb_plant_nvariable(plant), 4 + 4 + 2);
  assert_int_equal(fb_plant_find(plant, "input.tau.hub"), -1);
  set(plant, "input.tau.elbow", 1);
  advance(plant, 1);
  assert_true(get(plant, "q.elbow") > 0.01);
  fb_plant_free(plant);
}

/* How often a document was parsed: linked with -Wl,--wrap. */
static int parsed;
fb_status __real_fb_doc_parse(const char* text, size_t size, const char* file, fb_doc** doc, fb_error* error);
fb_status __wrap_fb_doc_parse(const char* text, size_t size, const char* file, fb_doc** doc, fb_error* error);
fb_status __wrap_fb_doc_parse(const char* text, size_t size, const char* file, fb_doc** doc,
                              fb_error* error) {
  parsed += strstr(text, "scenario: 1") != NULL;
  return __real_fb_doc_parse(text, size, file, doc, error);
}

static void a_document_is_parsed_once_though_it_is_read_twice(void** state) {
  (void)state;
  parsed = 0;
  fb_plant_free(read_plant("plain.yaml", NULL));
  assert_int_equal(parsed, 1);
}

static void inputs_can_be_asked_for_by_joint_and_by_frame(void** state) {
  (void)state;
  static const char* const inputs[] = {"tau.elbow", "wrench.hub", "eye", NULL};
  static const char* const outputs[] = {"com.v", "momentum.angular", NULL};
  fb_plant_options options = fb_default_plant_options();
  options.inputs = inputs;
  options.outputs = outputs;
  fb_plant* plant = read_plant("plain.yaml", &options);
  assert_true(fb_plant_find(plant, "input.torque.hub.x") >= 0 &&
              fb_plant_find(plant, "input.force.eye.z") >= 0);
  assert_int_equal(fb_plant_find(plant, "input.tau.ball.0"), -1);
  set(plant, "input.force.hub.y", 11.5);
  advance(plant, 1);
  double speed = get(plant, "com.v.y"), wish = 11.5 / 11.5; /* F t / m */
  assert_true(fabs(speed - wish) < 1e-12);
  fb_plant_free(plant);
}

static void an_input_acts_in_the_axes_of_its_frame_where_it_is_told_to(void** state) {
  (void)state;
  fb_plant_options options = fb_default_plant_options();
  options.control = FB_PLANT_DROP; /* the law would turn the arm back */
  fb_plant* plant = read_plant("both.yaml", &options);
  fb_plant_variable v;
  assert_int_equal(fb_plant_get_variable(plant, fb_plant_find(plant, "hand.force.arm.x"), &v, NULL), FB_OK);
  assert_string_equal(v.unit, "N");
  assert_int_equal(v.role, FB_PLANT_INPUT);
  same(get(plant, "hand.wish"), 3);
  set(plant, "start.q.elbow", 1.5707963267948966);
  set(plant, "hand.force.arm.z", 1); /* along x of the world */
  advance(plant, 0.1);
  assert_true(get(plant, "com.v.x") > 0.008 && fabs(get(plant, "com.v.z")) < 0.2 * get(plant, "com.v.x"));
  fb_plant_free(plant);
}

static void control_laws_are_dropped_or_kept_as_asked(void** state) {
  (void)state;
  fb_plant_options options = fb_default_plant_options();
  fb_plant* plant = read_plant("law.yaml", NULL);
  assert_int_equal(fb_plant_controlled(plant), 0);
  assert_int_equal(fb_plant_find(plant, "hold.error.elbow"), -1); /* nor the signals of the law */
  fb_plant_free(plant);
  options.control = FB_PLANT_KEEP;
  plant = read_plant("law.yaml", &options);
  assert_int_equal(fb_plant_controlled(plant), 1);
  assert_true(fb_plant_find(plant, "hold.error.elbow") >= 0);
  same(get(plant, "parameter.hold.elbow.kp"), 5);
  fb_plant_free(plant);
  options.control = FB_PLANT_DROP;
  plant = read_plant("both.yaml", &options);
  assert_int_equal(fb_plant_controlled(plant), 0);
  assert_true(fb_plant_find(plant, "hand.wish") >= 0); /* inputs stay */
  fb_plant_free(plant);
}

static void what_cannot_be_a_plant_is_refused_in_words(void** state) {
  (void)state;
  static const struct {
    const char *file, *input, *output, *set, *phrase;
  } cases[] = {
      {"plain.yaml", "tau.elbwo", NULL, NULL, "there is no input \"tau.elbwo\"; did you mean 'elbow'?"},
      {"plain.yaml", "tau.hub_", NULL, NULL, "there is no input"},
      {"plain.yaml", NULL, "q.elbwo", NULL, "q.elbow"},
      {"event.yaml", NULL, NULL, NULL, "without the scenario's control laws"},
      {"nowhere.yaml", NULL, NULL, NULL, "no such file"},
      {"plain.yaml", NULL, NULL, "control[+]={type: input, joints: [elbow, elbow]}", "named twice"},
      {"plain.yaml", NULL, NULL, "control[+]={type: input, joints: []}", "at least one entry"},
      {"plain.yaml", NULL, NULL, "control[+]={type: input, frames: world}", "the world does not move"},
      {"plain.yaml", NULL, NULL, "control[+]={type: input, values: {a: no}}", "number"},
      {"plain.yaml", NULL, NULL, "control[+]={type: input, kp: 3}", "kp"},
      {"both.yaml", NULL, NULL, "control[+]={name: p, type: plugin, file: p.so}", "plugin"},
      {"both.yaml", NULL, NULL,
       "control[+]={name: r, type: remote, address: 'udp://127.0.0.1:9', period: 0.1, timeout: 1, joints: "
       "[elbow]}",
       "in another process"},
      {"plain.yaml", NULL, NULL, "duration[+]=3", "[+] needs a list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_plant* plant = NULL;
    fb_error error;
    fb_plant_options options = fb_default_plant_options();
    const char *inputs[] = {cases[i].input, NULL}, *outputs[] = {cases[i].output, NULL},
               *sets[] = {cases[i].set, NULL};
    options.inputs = cases[i].input ? inputs : NULL;
    options.outputs = cases[i].output ? outputs : NULL;
    options.scenario.set = sets;
    if (fb_plant_read(cases[i].file, &options, &plant, &error) == FB_OK) fail_msg("case %zu was accepted", i);
    assert_null(plant);
    if (!strstr(error.text, cases[i].phrase))
      fail_msg("\"%s\" is not in \"%s\"", cases[i].phrase, error.text);
  }
}

/* --- folders, states --- */

static void a_plant_is_made_again_from_its_folder_alone(void** state) {
  (void)state;
  fb_error error;
  fb_plant *plant = read_plant("both.yaml", NULL), *again = NULL;
  char a[FB_PLANT_TOKEN_SIZE], b[FB_PLANT_TOKEN_SIZE];
  must(fb_plant_write(plant, "folder", &error), &error);
  assert_int_equal(system("mkdir -p elsewhere && rm -rf elsewhere/f && mv folder elsewhere/f"), 0);
  must(fb_plant_open("elsewhere/f", &again, &error), &error);
  assert_string_equal(fb_plant_token(plant, a), fb_plant_token(again, b));
  assert_int_equal(fb_plant_nvariable(plant), fb_plant_nvariable(again));
  set(plant, "hand.tau.ball.1", 0.2);
  set(again, "hand.tau.ball.1", 0.2);
  advance(plant, 1);
  advance(again, 1);
  same(get(plant, "q.elbow"), get(again, "q.elbow"));
  fb_plant_free(again);
  spill("elsewhere/f/plant.json", "{\"plant\": 9}");
  assert_int_equal(fb_plant_open("elsewhere/f", &again, &error), FB_ERR_CONTENT);
  static const char* const wrong[][2] = {
      {"\"base\": 99, \"set\": [], \"file\": \"x\", \"duration\": 1", "base is 99; it must be 0 to 2"},
      {"\"base\": 0, \"set\": [], \"file\": \"x\", \"duration\": -1", "longer than 0 s"},
      {"\"base\": 0, \"set\": \"x\", \"file\": \"x\", \"duration\": 1", "must be a list of texts"},
      {"\"base\": 0, \"set\": [[1]], \"file\": \"x\", \"duration\": 1", "must be a text"},
      {"\"base\": 0, \"set\": [], \"file\": {}, \"duration\": 1", "must be the name of a file"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "{\"plant\": 1, \"freebody\": \"%s\", \"inertia\": 0, \"mimic\": 0, \"without_control\": 1, %s}",
             fb_version(), wrong[i][0]);
    spill("elsewhere/f/plant.json", text);
    assert_int_equal(fb_plant_open("elsewhere/f", &again, &error), FB_ERR_CONTENT);
    if (!strstr(error.text, wrong[i][1])) fail_msg("%s", error.text);
  }
  spill("elsewhere/f/plant.json", "{\"plant\": 1, \"freebody\": \"0.0.0\"}");
  assert_int_equal(fb_plant_open("elsewhere/f", &again, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "0.0.0"));
  fb_plant_free(plant);
}

static void a_state_survives_a_capture(void** state) {
  (void)state;
  static const char* const outputs[] = {"q", "momentum", "epoch", NULL};
  fb_error error;
  void* bytes;
  size_t size;
  fb_plant_options options = fb_default_plant_options();
  options.control = FB_PLANT_KEEP;
  options.outputs = outputs;
  fb_plant* plant = read_plant(FB_SOURCE_DIR "/scenarios/capture/capture.yaml", &options);
  double end = fb_scenario_duration(fb_plant_scenario(plant));
  must(fb_plant_save(plant, &bytes, &size, &error), &error);
  advance(plant, 0.75 * end);
  double x = get(plant, "momentum.angular.z"), t = fb_plant_time(plant);
  assert_true(get(plant, "epoch") >= 1);
  must(fb_plant_restore(plant, bytes, size, &error), &error);
  same(fb_plant_time(plant), 0);
  advance(plant, 0.75 * end);
  same(get(plant, "momentum.angular.z"), x);
  same(fb_plant_time(plant), t);
  fb_free(bytes);
  must(fb_plant_reset(plant, &error), &error);
  same(fb_plant_time(plant), 0);
  fb_plant_free(plant);
}

static void a_state_brings_its_start_values_along(void** state) {
  (void)state;
  static const char* const outputs[] = {"q.elbow", "ledger", NULL};
  fb_error error;
  void* bytes;
  size_t size;
  fb_plant_options options = fb_default_plant_options();
  options.outputs = outputs;
  fb_plant *plant = read_plant("plain.yaml", &options), *other = read_plant("plain.yaml", &options);
  set(plant, "start.v.elbow", 1.5);
  set(plant, "input.tau.elbow", 0.1);
  advance(plant, 0.5);
  must(fb_plant_save(plant, &bytes, &size, &error), &error);
  advance(plant, 1);
  advance(other, 0.3);
  ((char*)bytes)[size - 9] ^= 1;
  assert_int_equal(fb_plant_restore(other, bytes, size, &error), FB_ERR_STATE);
  same(fb_plant_time(other), 0.3);
  same(get(other, "start.v.elbow"), 0);
  ((char*)bytes)[size - 9] ^= 1;
  must(fb_plant_restore(other, bytes, size, &error), &error);
  same(get(other, "start.v.elbow"), 1.5);
  advance(other, 1);
  static const char* const names[] = {"q.elbow", "ledger.work", "ledger.residual", "ledger.relative"};
  for (int i = 0; i < 4; i++) same(get(other, names[i]), get(plant, names[i]));
  assert_true(get(plant, "ledger.relative") < 1e-6);
  fb_free(bytes);
  fb_plant_free(plant);
  fb_plant_free(other);
}

static void a_state_with_a_bit_turned_is_refused_and_changes_nothing(void** state) {
  (void)state;
  fb_error error;
  void* bytes;
  size_t size;
  fb_plant* plant = read_plant("plain.yaml", NULL);
  set(plant, "start.v.elbow", 1.5);
  set(plant, "input.tau.elbow", 0.1);
  must(fb_plant_save(plant, &bytes, &size, &error), &error);
  advance(plant, 0.3);
  for (size_t at = 0; at < size; at++) {
    char bit = (char)(1 << at % 8);
    ((char*)bytes)[at] ^= bit;
    if (fb_plant_restore(plant, bytes, size, &error) != FB_ERR_STATE) fail_msg("byte %zu of %zu", at, size);
    ((char*)bytes)[at] ^= bit;
  }
  same(fb_plant_time(plant), 0.3);
  same(get(plant, "input.tau.elbow"), 0.1);
  must(fb_plant_restore(plant, bytes, size, &error), &error);
  same(fb_plant_time(plant), 0);
  fb_free(bytes);
  fb_plant_free(plant);
}

static void a_plant_cannot_go_back_or_to_nowhere(void** state) {
  (void)state;
  fb_error error;
  fb_plant* plant = read_plant("plain.yaml", NULL);
  advance(plant, 0.5);
  assert_int_equal(fb_plant_step(plant, 0.4, &error), FB_ERR_ARG);
  assert_int_equal(fb_plant_step(plant, NAN, &error), FB_ERR_ARG);
  assert_int_equal(fb_plant_step(plant, INFINITY, &error), FB_ERR_ARG);
  advance(plant, 0.5);
  same(fb_plant_time(plant), 0.5);
  fb_plant_free(plant);
}

static void a_script_reads_the_numbers_of_an_input(void** state) {
  (void)state;
  if (!fb_lua_available()) return; /* built without it: refused elsewhere */
  spill("script.yaml", HEAD
        "control:\n"
        "  - {name: hand, type: input, values: {wish: 0}}\n"
        "  - name: follow\n"
        "    type: lua\n"
        "    text: |\n"
        "      inputs = {['hand.wish'] = 1}\n"
        "      local elbow = joint('elbow')\n"
        "      local tau = {}\n"
        "      for k = 1, nv do tau[k] = 0 end\n"
        "      function act(t, q, v, inputs) tau[elbow] = inputs['hand.wish']; return tau end\n"
        "log: {signals: [q.elbow, tau.elbow]}\n");
  fb_plant* plant = read_plant("script.yaml", NULL);
  set(plant, "hand.wish", 0.25);
  advance(plant, 0.5);
  same(get(plant, "tau.elbow"), 0.25);
  fb_plant_free(plant);
}

/* --- the command --- */

static void the_command_lists_writes_and_refuses(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB fmu --list plain.yaml", 0, "input.tau.ball.2  input", ""},
      {"$FB fmu plain.yaml", 0, "", "plain.yaml -> plain.fmu: FMI 3.0, 4 inputs, 4 outputs, 2 parameters"},
      {"$FB fmu plain.yaml", 2, "", "plain.fmu exists already; add --force"},
      {"$FB fmu --force --fmi 2 --name 'my robot' plain.yaml && python3 -m zipfile -l 'my robot.fmu'", 0,
       "my_robot.so", "FMI 2.0"},
      {"$FB fmu --control keep -o kept.fmu law.yaml", 0, "", "with the scenario's control laws"},
      {"$FB fmu --control no law.yaml", 2, "", "--control takes keep or drop"},
      {"$FB fmu --fmi 4 law.yaml", 2, "", "from 2 to 3"},
      {"$FB fmu --inputs elbow,nose law.yaml", 2, "", "there is no input \"nose\""},
      {"$FB fmu event.yaml", 2, "", "event.yaml:12:39: events[0].do[0].set.block: there is no block 'hold'"},
      {"$FB fmu", 2, "", "which SCENARIO"},
      {"$FB fmu -o no/where.fmu plain.yaml", 1, "", "no/where.fmu"},
      {"FREEBODY_FMU=/nowhere.so $FB fmu -o x.fmu plain.yaml", 1, "", "is not at /nowhere.so"},
      {"$FB sfunction --inputs elbow -o s plain.yaml && ls s", 0, "plain_sfun.c", "1 input"},
      {"$FB sfunction -o s plain.yaml", 2, "", "s exists already"},
      {"$FB fmu -o in.fmu - <plain.yaml", 0, "", "standard input -> in.fmu"},
  };
  CHECK_CASES(cases);
}

/* What `freebody run` makes of inputs: nobody sets them, unless events do. */
static void a_run_holds_inputs_at_their_values(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run both.yaml --quiet -o held --set "
       "'events[+]={at: 1 s, do: [{set: {block: hand, parameter: tau.ball.1, value: 2 mN m}}]}'",
       0, "", ""},
      {"$FB export held --signals hand.wish -o - | tail -n 1", 0, "2,3\n", ""},
      {"$FB export held --signals hand.tau.ball.1 --to 0.5 -o - | tail -n 1", 0, "0.5,0\n", ""},
      {"$FB export held --signals hand.tau.ball.1 -o - | tail -n 1", 0, "2,0.002\n", ""},
      {"$FB check both.yaml", 0, "hand: set from outside: 3 joint forces, 1 wrench, 1 number\n", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plant_without_inputs_of_its_own_gets_all_joints_but_the_base),
      cmocka_unit_test(a_document_is_parsed_once_though_it_is_read_twice),
      cmocka_unit_test(inputs_can_be_asked_for_by_joint_and_by_frame),
      cmocka_unit_test(an_input_acts_in_the_axes_of_its_frame_where_it_is_told_to),
      cmocka_unit_test(control_laws_are_dropped_or_kept_as_asked),
      cmocka_unit_test(what_cannot_be_a_plant_is_refused_in_words),
      cmocka_unit_test(a_plant_is_made_again_from_its_folder_alone),
      cmocka_unit_test(a_state_survives_a_capture),
      cmocka_unit_test(a_state_brings_its_start_values_along),
      cmocka_unit_test(a_state_with_a_bit_turned_is_refused_and_changes_nothing),
      cmocka_unit_test(a_plant_cannot_go_back_or_to_nowhere),
      cmocka_unit_test(a_script_reads_the_numbers_of_an_input),
      cmocka_unit_test(the_command_lists_writes_and_refuses),
      cmocka_unit_test(a_run_holds_inputs_at_their_values),
  };
  return cmocka_run_group_tests(tests, open_scratch, scratch_close);
}
