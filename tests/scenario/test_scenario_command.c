/* test_scenario_command.c -- the command on scenarios: new, check, schema, plugins, and runs of all control laws that are
 * interrupted and taken up. */
#include "run_command.h"

#include <freebody/lua.h>

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
      {"$FB new a b", 2, "", "unexpected argument"},
      {"$FB new --help", 0, "Example:", ""},
      {"$FB help", 0, "create a scenario to start from", ""},
  };
  CHECK_CASES(cases);
}

static void new_makes_a_scenario_with_a_contact_that_runs(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB new --contact fall", 0, "fall is ready; see what it does with: freebody check fall/drop.yaml",
       ""},
      {"$FB check --strict fall/drop.yaml fall/ball.yaml", 0,
       "floor: ball touches ground: hard, friction 0.1", ""},
      {"test $(wc -l <fall/drop.yaml) -le 20 && test -s fall/README.md", 0, "", ""},
      {"$FB run -o fall.run fall/drop.yaml && ! grep -q warning fall.run/summary.json", 0, "drop: finished",
       ""},
      {"$FB run --quiet -o exact.run --set integrator.method=dopri5 fall/drop.yaml", 0, "", ""},
      {"$FB run --quiet -o high.run --set contacts.floor.restitution=0.9 fall/drop.yaml", 0, "", ""},
      {"$FB new --contact fall", 1, "", "fall/drop.yaml: this file is there already"},
      {"$FB new --contact --force fall && test ! -e fall/pendulum.yaml", 0, "ready", ""},
      {"$FB new --contact --plugin both; test $? -eq 2 && test ! -e both", 0, "", "give one of them"},
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

/* A swing with limits, with the settings under test put in. */
#define SWING_HEAD                                                                                     \
  "scenario: 1\\nmodel: {bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0], " \
  "frames: [{name: tip}], joint: {name: hinge, type: revolute, axis: [0, 1, 0], limits: [-1, "         \
  "1]}}]}\\ngravity: [0, 0, -9.81]\\n"
#define SWING(settings) "printf '" SWING_HEAD settings "' >s.yaml; $FB check s.yaml"

static void check_advises_on_scenarios(void** state) {
  (void)state;
  const shell_case cases[] = {
      {SWING("duration: 1\\n"), 0,
       "limits      of 1 joint (hinge) are not enforced: 'limits: contact' would make them rigid stops", ""},
      {SWING("start: {joints: {hinge: 60 deg}}\\n"), 0, "1 piece of advice",
       "s.yaml:4:17: advice: the joint 'hinge' starts at 60 deg, outside its limits of -57.2958 to 57.2958"},
      {SWING("surfaces: [{name: g, kind: plane, at: [0, 0, 0.5]}]\\ncontacts: [{name: c, a: tip, b: g}]\\n"),
       0, "1 piece of advice",
       "s.yaml:5:11: advice: the contact 'c' starts with its sides 0.5 m inside each other"},
      /* A run says the same before it begins. */
      {"printf '" SWING_HEAD
       "start: {joints: {hinge: 60 deg}}\\nduration: 0.1\\n' >s.yaml; $FB run s.yaml -o s.run --quiet",
       0, "", "freebody run: the joint 'hinge' starts at 60 deg, outside its limits of -57.2958 to 57.2958"},
      {"printf '" SWING_HEAD "surfaces: [{name: g, kind: plane, at: [0, 0, 0.01]}]\\ncontacts: [{name: c, a: "
       "tip, b: g, law: spring, "
       "stiffness: 1}]\\nduration: 0.1\\n' >s.yaml; $FB run s.yaml -o s.run --force --quiet",
       0, "", "freebody run: the contact 'c' starts with its sides 0.01 m inside each other"},
      {SWING("events: [{name: late, at: 40 s}]\\nduration: 30 s\\n"), 0, "ok",
       "the event 'late' at 40 s never happens: the run ends at 30 s"},
      {SWING("integrator: {step: 10 ms}\\nlog: {period: 1 ms}\\n"), 0, "1001 samples",
       "the log's period of 1 ms is shorter than the step of 10 ms"},
      {SWING("integrator: {step: 10 ms}\\nlog: {period: 25 ms}\\n"), 0, "401 samples",
       "the log's period of 25 ms is no multiple of the step of 10 ms"},
      {SWING("integrator: {step: 20 s}\\nlog: {period: 20 s}\\n"), 0,
       "rk4, 10 s (20 s was asked for): 1 step\n",
       "the step of 20 s is longer than the run, which lasts 10 s"},
      {SWING("integrator: {step: 1 s}\\nlog: {period: 1 s}\\ncheckpoint: 0.5\\n"), 0,
       "rk4, 0.5 s (1 s was asked for): 20 steps",
       "the step of 1 s is cut by checkpoints, which come every 0.5 s"},
      {SWING("integrator: {step: 1 us}\\nduration: 2e3\\n"), 0, "ok", "takes 2e+09 steps: days of computing"},
      {SWING("integrator: {method: dopri5}\\nlog: {period: 1 us}\\nduration: 1e3\\n"), 0, "ok",
       "1e+09 samples"},
      /* What follows from the step and the duration alone looks as it was meant. */
      {SWING("integrator: {step: 7 ms}\\nduration: 33.3\\n"), 0, "a checkpoint every 1.666 s", ""},
      {SWING("integrator: {step: 10 ms}\\nevents: [{limit: hinge}, {at: 10 s}]\\nstart: {joints: {hinge: "
             "1}}\\n"),
       0, "1000 steps, and more where events and edges cut them", ""},
      {SWING("start: {joints: {hinge: 60 deg}}\\n") " --strict", 2, "not accepted", "advice"},
      {"grep -v bodies s.yaml >t.yaml; echo 'model: " DATA
       "robot.yaml' >>t.yaml; echo 'start: {zero_momentum: true}' "
       ">>t.yaml; sed -i /^start:.*hinge/d t.yaml; $FB check t.yaml",
       0, "floating trees start with zero momentum", NULL},
  };
  CHECK_CASES(cases);
}

/* What check foretells of steps, samples and signals is what run does. */
static void check_counts_right(void** state) {
  (void)state;
  static const char* const settings[] = {
      "duration: 3\\nintegrator: {step: 10 ms}\\n",
      "duration: 1.003\\nintegrator: {step: 10 ms}\\n",
      "duration: 3\\nintegrator: {step: 7 ms}\\nlog: {period: 20 ms}\\n",
      "duration: 3\\nintegrator: {step: 7 ms}\\ncheckpoint: 0.1\\n",
      "duration: 3\\nintegrator: {step: 1 s}\\ncheckpoint: 0.1\\n",
      "duration: 3\\nintegrator: {step: 10 s}\\n",
      "duration: 3\\nlog: {period: 1 ms, signals: [q]}\\nintegrator: {step: 10 ms}\\n",
      "duration: 3\\nlog: {period: 14 ms, signals: [q, ledger.work]}\\nintegrator: {step: 10 ms}\\n",
      ("duration: 3\\nevents: [{at: 1, every: 0.5}]\\nlog: {period: 0.7, signals: t}\\n"
       "integrator: {step: 10 ms}\\n"),
  };
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    char line[2000];
    snprintf(
        line, sizeof line,
        "printf '" SWING_HEAD
        "%s' >s.yaml; $FB check s.yaml 2>/dev/null | sed -n "
        "'s/.*: \\([0-9]*\\) steps*$/\\1 steps/p; s/.*log  *\\([0-9]* signals\\) every.*: \\([0-9]* "
        "samples\\)/\\1 "
        "\\2/p' >foretold; $FB run s.yaml -o r --force 2>/dev/null | sed -n 's/.*steps  *\\([0-9]*\\),.*/\\1 "
        "steps/p; s/.*log  *\\([0-9]* samples\\) of \\([0-9]* signals\\)/\\2 \\1/p' >came; "
        "test $(wc -l <came) -eq 2 && diff foretold came",
        settings[i]);
    shell_case c = {line, 0, "", ""};
    check_cases(&c, 1);
  }
}

static void slips_of_syntax_get_a_word_of_advice(void** state) {
  (void)state;
  static const struct {
    const char *text, *err;
  } cases[] = {
      {"scenario: 1\nmodel:x\nname: y\n", "is a colon missing after a key, or the space after a colon?"},
      {"scenario: 1\nduration 5\nname: x\n",
       ":2:1: this is not valid YAML or JSON: this key has no ': ' after it; is a colon missing"},
      {"name: \"x\nscenario: 1\n", "is the closing quote missing?"},
      {"scenario: 1\nlog:\n\tperiod: 1\n", "; indent with spaces"},
      {"scenario: 1\nname: a: b\n", "; a value with ': ' in it needs quotes"},
      {"scenario: 1\nname: @x\n", "; put the value in quotes"},
      {"duration: 5\n", "this looks like a scenario, but has no key 'scenario'; begin it with scenario: 1"},
      {"start: {}\n", "begin it with scenario: 1"},
      {"name: x\nbodies: []\n", "begin it with freebody: 1"},
      {"foo: 1\n",
       "neither a scenario, which has the key 'scenario: 1', nor one of the model formats: the native one "
       "has 'freebody: 1'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spill("slip.yaml", cases[i].text);
    const shell_case both[] = {{"$FB check slip.yaml", 2, "", cases[i].err},
                               {"$FB run slip.yaml", 2, "", cases[i].err}};
    check_cases(both, 2);
  }
}

static void check_reports_all_errors_of_a_file(void** state) {
  (void)state;
  enum { SIZE = 100000, MANY = 30, MOST = 5000 };
  char* text = malloc(SIZE);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, SIZE, "scenario: 1\nmodel: robot.yaml\nlog: {signals: [");
  for (int i = 0; i < MANY; i++) n += (size_t)snprintf(text + n, SIZE - n, "q.x%d, ", i);
  snprintf(text + n, SIZE - n, "]}\n");
  spill("many.yaml", text);
  n = (size_t)snprintf(text, SIZE, "scenario: 1\nmodel: robot.yaml\n");
  for (int i = 0; i < MOST; i++) n += (size_t)snprintf(text + n, SIZE - n, "key%d: 1\n", i);
  spill("most.yaml", text);
  free(text);
  const shell_case cases[] = {
      {"cp " DATA
       "robot.yaml . && printf 'scenario: 1\\nmodel: robot.yaml\\ncheckpoint: 1 m\\nduraton: 5\\n' >two.yaml",
       0, "", ""},
      {"$FB check two.yaml 2>&1", 2,
       "two.yaml:3:13: checkpoint: '1 m' is a length, but a time is expected; its units are s, ms, us, min, "
       "h, day\n"
       "two.yaml:4:1: duraton: a scenario has no key 'duraton'; did you mean 'duration'?\n"
       "two.yaml: 2 errors\n",
       ""},
      {"$FB run two.yaml 2>&1", 2,
       "two.yaml:4:1: duraton: a scenario has no key 'duraton'; did you mean 'duration'?\n", ""},
      {"$FB check many.yaml 2>&1 | tail -1", 0, "many.yaml: 30 errors, of which 20 are shown\n", ""},
      {"$FB check many.yaml 2>&1 | wc -l | tr -d ' '", 0, "21\n", ""},
      {"$FB check most.yaml 2>&1 | tail -1", 0, "most.yaml: 100 errors or more, of which 20 are shown\n", ""},
  };
  CHECK_CASES(cases);
}

/* Killed in the middle and taken up when the originals are gone, a run ends with the bytes of one that was not. */
#define TAKE_UP(file, more, gone)                                                                            \
  "$FB run " file " --quiet --export csv -o whole " more                                                     \
  "; "                                                                                                       \
  "$FB run " file " --quiet --realtime -o part " more                                                        \
  " & for i in $(seq 100); do test -e part/run.db || sleep 0.1; done; sleep 0.4; kill -9 $!; wait $!; " gone \
  "; "                                                                                                       \
  "test -s whole/log.csv && $FB run --resume part --quiet --export csv && cmp whole/log.csv part/log.csv "   \
  "&& "                                                                                                      \
  "rm -r whole part"

static void runs_of_every_law_are_taken_up(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"mkdir laws && cp " DATA "laws.yaml " DATA "satellite.yaml laws/", 0, "", ""},
      {TAKE_UP("laws/laws.yaml", "", "rm -r laws"), 0, "", NULL},
      /* models on one another, changed in their files */
      {"cp -r " FB_SOURCE_DIR "/scenarios/two_arms .", 0, "", ""},
      {TAKE_UP(
           "two_arms/two_arms.yaml",
           "--duration 2 --set models.left.model.bodies.palm.mass=3 --set models[1].model.bodies[1].mass=11",
           "rm -r two_arms"),
       0, "", NULL},
      {"cp " FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf .", 0, "", ""},
      {TAKE_UP("ets7.urdf", "--duration 2 --set start.rates.joint1=0.2 --set model.bodies.link2.mass=50",
               "rm ets7.urdf"),
       0, "", NULL},
  };
  CHECK_CASES(cases);
  if (!fb_lua_available()) return;
  const shell_case lua[] = {
      {"cp " DATA "brake.lua " DATA
       "satellite.yaml . && printf 'scenario: 1\\nmodel: satellite.yaml\\nduration: 2\\n"
       "start: {rates: {joint1: 0.3}}\\ncontrol: [{name: b, type: lua, file: brake.lua, period: 30 ms}]\\n' "
       ">l.yaml",
       0, "", ""},
      {"$FB check l.yaml", 0, "b: the Lua script brake.lua, which ticks every 30 ms", ""},
      {TAKE_UP("l.yaml", "--set control.b.parameters.gain=0.1", "rm brake.lua"), 0, "", NULL},
      {"$FB check l.yaml", 2, "", "l.yaml:5:38: control[0].file: the script 'brake.lua' cannot be read"},
  };
  CHECK_CASES(lua);
}

/* A plugin is copied with its scenario; the copy is what a run that is taken up loads. */
static void plugins_run_and_are_taken_up(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"cp " FB_BINARY_DIR "/tests/plugins/good.so law.so && cp " DATA
       "arm.yaml . && printf 'scenario: 1\\nmodel: arm.yaml\\nduration: 2\\ngravity: [0, 0, -9.81]\\nstart: "
       "{joints: "
       "{hinge: 0.5}}\\ncontrol: [{name: p, type: plugin, file: law.so, parameters: {kp: 30, ki: 20, kd: "
       "9}}]\\n"
       "events: [{at: 1.5, do: [{set: {block: p, parameter: kp, value: 40}}]}]\\n' >p.yaml",
       0, "", ""},
      {"$FB check p.yaml", 0, "p: the plugin law.so with 3 parameters", ""},
      {"$FB run p.yaml --set control.p.file=lwa.so", 2, "",
       "control[0].file: plugin 'lwa.so': there is no such file; did you mean 'law.so'?"},
      {"$FB run p.yaml --set events[0].do[0].set.parameter=kq", 2, "",
       "there is no parameter 'kq'; did you mean"},
      {TAKE_UP("p.yaml", "", "rm law.so"), 0, "", NULL},
      {"test -e law.so", 1, "", ""},
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

/* A rod, and what follows. */
#define ROD                                                                                              \
  "printf 'scenario: 1\\nmodel: {freebody: 1, bodies: [{name: a, mass: 1, com: [0, 0, -0.5], inertia: "  \
  "[0.1, 0.1, 0.01, 0, 0, 0], "                                                                          \
  "joint: {name: j, type: revolute, axis: [0, 1, 0]}}]}\\ngravity: [0, 0, -9.81]\\nstart: {joints: {j: " \
  "1}}\\n'"

static void steps_follow_what_scripts_do(void** state) {
  (void)state;
  static const shell_case cases[] = {
      /* A pulse of 12 ms that nothing announces is not passed over. */
      {ROD
       " > pulse.yaml; printf 'duration: 10\\ncontrol: [{name: l, type: lua, text: \"function act(t, q, v) "
       "return {t > 5.0003 and t < 5.0123 and 100 or 0} end\"}]\\n' >> pulse.yaml; "
       "$FB run pulse.yaml -o pulse --quiet --set gravity=[0,0,0] --set start.joints.j=0; "
       "$FB export pulse -o - --signals v.j --from 10 | tail -1 | awk -F, '{print ($2 > 3)}'",
       0, "1\n", NULL},
      /* A relay ends, and says why. */
      {ROD
       " > relay.yaml; printf 'duration: 10\\ncontrol: [{name: l, type: lua, text: \"function act(t, q, v) "
       "return {v[1] > 0 and -1 or 1} end\"}]\\n' >> relay.yaml; $FB run relay.yaml -o relay --quiet",
       1, "", "jumps"},
      {ROD " > bound.yaml; printf 'duration: 1\\nintegrator: {max_step: 1 ms}\\n' >> bound.yaml; "
           "$FB run bound.yaml -o bound --quiet; grep -c '\"steps\": 10..' bound/summary.json",
       0, "1\n", ""},
      {"$FB run bound.yaml -o both --quiet --set integrator.step=1ms", 2, "", "leave one of them out"},
  };
  CHECK_CASES(cases);
}

static void gears_and_screws_may_have_to_turn_far(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"printf 'scenario: 1\\nduration: 0.1\\nmodel: {freebody: 1, bodies: [{name: nut, mass: 1, com: [0, 0, "
       "0], inertia: [1, 1, 1, "
       "0, 0, 0], joint: {name: slide, type: prismatic, axis: [1, 0, 0]}}, {name: screw, mass: 1, com: [0, "
       "0, 0], inertia: [1, 1, "
       "1, 0, 0, 0], joint: {name: turn, type: revolute, axis: [1, 0, 0]}}], loops: [{name: g, type: gear, "
       "a: turn, b: slide, "
       "ratio: 6283.185}]}\\nstart: {joints: {slide: 0.2}}\\n' > screw.yaml; $FB run screw.yaml -o screw "
       "--quiet; "
       "$FB export screw -o - --signals q.turn --to 0 | tail -1 | cut -c1-8",
       0, "0,1256.6\n", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_makes_a_scenario_that_is_sound),
      cmocka_unit_test(new_makes_a_scenario_with_a_contact_that_runs),
      cmocka_unit_test(check_explains_scenarios),
      cmocka_unit_test(check_advises_on_scenarios),
      cmocka_unit_test(check_counts_right),
      cmocka_unit_test(slips_of_syntax_get_a_word_of_advice),
      cmocka_unit_test(schema_prints_scenarios_too),
      cmocka_unit_test(check_reports_all_errors_of_a_file),
      cmocka_unit_test(runs_of_every_law_are_taken_up),
      cmocka_unit_test(plugins_run_and_are_taken_up),
      cmocka_unit_test(steps_follow_what_scripts_do),
      cmocka_unit_test(gears_and_screws_may_have_to_turn_far),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
