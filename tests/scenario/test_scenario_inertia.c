/* test_scenario_inertia.c -- impossible inertias and massless joints through the command: in scenarios, runs that are
 * resumed, viewed and exported, and conversions. */
#include "run_command.h"

#include <math.h>

#include <freebody/run.h>
#include <freebody/scenario.h>

#define LINK(name, mass, inertia) \
  "<link name='" name "'><inertial><mass value='" mass "'/><inertia " inertia "/></inertial></link>\n"
#define BALL "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'"
#define LONG "ixx='1' iyy='1' izz='5' ixy='0' ixz='0' iyz='0'"
#define JOINT(name, parent, child)                                                          \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child \
  "'/>"                                                                                     \
  "<origin xyz='1 0 0'/><axis xyz='0 0 1'/></joint>\n"
#define ROBOT(arm)                                                    \
  "<robot name='r'>\n" LINK("base", "10", BALL) LINK("arm", "1", arm) \
      JOINT("elbow", "base", "arm") "</robot>\n"

/* Base, arm, and a tip without mass on a wrist. */
#define TIP(joint)                                                                                          \
  "freebody: 1\nbodies:\n"                                                                                  \
  "- {name: base, mass: 10, inertia: [1, 1, 1, 0, 0, 0]}\n"                                                 \
  "- {name: arm, parent: base, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: elbow, type: revolute, " \
  "axis: [0, 0, 1], at: [1, 0, 0]}}\n"                                                                      \
  "- {name: tip, parent: arm, mass: 0, joint: {name: wrist, type: revolute, axis: [0, 1, 0], at: [1, 0, "   \
  "0]" joint "}, frames: [{name: hand, at: [1, 0, 0]}]}\n"

#define SCENARIO(model, more) \
  "scenario: 1\n" model "start: {rates: {elbow: 1}}\nduration: 1 s\nlog: {period: 100 ms}\n" more

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  spill("long.urdf", ROBOT(LONG));
  spill("tip.yaml", TIP(""));
  spill("rotor.yaml", TIP(", armature: 0.1"));
  spill("damped.yaml", TIP(", damping: 0.1"));
  spill("plain.yaml", SCENARIO("model: long.urdf\n", ""));
  spill("kept.yaml", SCENARIO("model: long.urdf\ninertia: keep\n", ""));
  spill("strict.yaml", SCENARIO("model: long.urdf\ninertia: strict\n", ""));
  spill("bad.yaml", SCENARIO("model: long.urdf\ninertia: loose\n", ""));
  spill("parts.yaml",
        "scenario: 1\nduration: 1 s\ninertia: strict\nmodels:\n"
        "- {model: long.urdf, name: a, inertia: keep}\n"
        "- {model: long.urdf, name: b, at: [5, 0, 0], inertia: repair}\n");
  spill("strict_part.yaml",
        "scenario: 1\nduration: 1 s\ninertia: keep\nmodels:\n"
        "- {model: long.urdf, name: a}\n"
        "- {model: long.urdf, name: b, at: [5, 0, 0], inertia: strict}\n");
  spill("e.yaml",
        "format: freebody-eval\nmodel: tip.yaml\ncases: [{inputs: {q: [0, 0, 0, 1, 0, 0, 0, 0, 0],\n"
        "  v: [0, 0, 0, 0, 0, 0, 1, 1], vdot: [0, 0, 0, 0, 0, 0, 1, 1]}}]\n");
  spill("free_tip.yaml", SCENARIO("model: tip.yaml\n", ""));
  spill("locked_tip.yaml",
        SCENARIO("model: tip.yaml\n", "motions: [{name: hold, joint: wrist, lock: true, at_start: true}]\n"));
  spill("moved_tip.yaml",
        SCENARIO("model: tip.yaml\n", "motions: [{name: swing, joint: wrist, rate: 2, at_start: true}]\n"));
  spill("released_tip.yaml", SCENARIO("model: tip.yaml\n",
                                      "motions: [{name: hold, joint: wrist, lock: true, at_start: true}]\n"
                                      "events: [{name: go, at: 0.5 s, do: [{release: wrist}]}]\n"));
  return 0;
}

static void policies_of_scenarios_and_of_the_command_line(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check long.urdf", 0, "1 piece of advice",
       "long.urdf:3: advice: body 'arm': no body has the principal moments 1, 1, 5 kg m^2; the nearest "
       "possible are "
       "taken: 2, 2, 4"},
      {"$FB check --strict long.urdf", 2, "not accepted", "nearest possible"},
      {"$FB check --inertia strict long.urdf", 2, "",
       "long.urdf:3:1: body \"arm\": inertia breaks the triangle"},
      {"$FB check --inertia keep long.urdf", 0, "1 piece of advice", "body 'arm' keeps a mass of 1 kg and"},
      {"$FB check --inertia=loose long.urdf", 2, "", "--inertia takes strict, repair or keep, not 'loose'"},
      {"$FB info long.urdf", 0, "notes               1: run freebody check", ""},
      {"$FB info --inertia strict long.urdf", 2, "", "triangle inequality"},
      {"$FB info --full --inertia keep long.urdf", 0, "5", ""},
      {"$FB check plain.yaml", 0, "ok", "the nearest possible are taken: 2, 2, 4"},
      {"$FB check kept.yaml", 0, "ok", "keeps a mass"},
      {"$FB check strict.yaml", 2, "", "long.urdf:3:1: body \"arm\": inertia breaks"},
      {"$FB check bad.yaml", 2, "", "'loose'"},
      {"$FB check --inertia keep strict.yaml", 0, NULL, "keeps a mass"}, /* the command line goes first */
      {"$FB check parts.yaml", 0, NULL, "body 'a_arm' keeps"},
      {"$FB check parts.yaml", 0, NULL, "body 'arm': no body has"},
      {"$FB check --inertia keep parts.yaml", 0, NULL,
       "body 'arm': no body has"}, /* a part's own goes before */
      {"$FB check strict_part.yaml", 2, "", "inertia breaks the triangle"},
      {"$FB run plain.yaml --quiet -o quiet.run", 0, "", "1 note on the model"},
      {"$FB run plain.yaml -o plain.run", 0, "finished",
       "freebody run: 1 note on the model; freebody check plain.yaml lists them"},
      {"$FB run strict.yaml -o strict.run; test ! -e strict.run && exit 7", 7, "", "triangle inequality"},
  };
  CHECK_CASES(cases);
}

static void a_kept_inertia_survives_the_run_and_all_that_reads_it(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run kept.yaml -o kept.run --export csv", 0, "finished", NULL},
      {"$FB run plain.yaml --inertia keep -o asked.run --export csv", 0, "finished", NULL},
      {"cmp kept.run/log.csv asked.run/log.csv", 0, "", ""},
      {"$FB run parts.yaml -o parts.run", 0, "finished", NULL},
      {"for r in kept asked parts; do $FB view $r.run -o $r.html && $FB view $r.run -o $r.glb || exit 1; "
       "done",
       0, NULL, NULL},
      {"$FB plot kept.run energy -o kept.svg", 0, NULL, NULL},
      {"$FB export asked.run -o - --signals energy | head -1", 0, "energy", ""},
      {"$FB convert --inertia keep long.urdf long.yaml && $FB check long.yaml", 0, "ok", "keeps a mass"},
      {"grep -c 'inertia: keep' long.yaml", 0, "1", ""},
      {"$FB convert long.yaml long.json && grep -c keep long.json", 0, "1", NULL},
      {"$FB check --inertia strict long.json", 2, "", "triangle inequality"},
      {"$FB convert long.json back.urdf", 0, NULL, "1 body has a mass or an inertia that no body can have"},
      {"$FB convert --inertia keep back.urdf again.yaml && cmp long.yaml again.yaml", 0, NULL, NULL},
      {"$FB convert back.urdf fixed.yaml && ! grep keep fixed.yaml && $FB check fixed.yaml", 0, "ok", NULL},
  };
  CHECK_CASES(cases);
}

/* Half of a run, that --inertia keep was asked for. */
static void run_half(const char* folder) {
  fb_scenario_options options = fb_default_scenario_options();
  fb_run_options how = fb_default_run_options();
  fb_scenario* scenario;
  fb_run* half;
  fb_error error;
  options.io.inertia = FB_INERTIA_KEEP;
  if (fb_scenario_read("plain.yaml", &options, &scenario, &error)) fail_msg("%s", error.text);
  if (fb_run_create(scenario, folder, &how, &half, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_run_until(half, 0.5, INFINITY, &error), FB_OK);
  assert_int_equal(fb_run_finish(half, &error), FB_OK);
  fb_run_free(half);
  fb_scenario_free(scenario);
}

static void a_kept_inertia_survives_a_resumed_run(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run plain.yaml --inertia keep -o whole.run --export csv --quiet", 0, "", ""},
      {"$FB run --resume half.run --inertia keep", 2, "", "leave out --set, --from, --base, --inertia"},
      {"$FB run --resume plain.yaml --inertia repair -o half.run", 2, "",
       "the inertias (--inertia) are not read as when this run was begun"},
      {"$FB run --resume half.run --export csv", 0, "finished", NULL},
      {"cmp half.run/log.csv whole.run/log.csv", 0, "", ""},
  };
  run_half("half.run");
  CHECK_CASES(cases);
}

#define NAMED                                                                                                \
  "joint \"wrist\" has nothing to move: its pivot is 0; give what it carries mass and inertia or the joint " \
  "armature, prescribe its motion or fix it"
static void a_massless_joint_is_refused_only_where_it_is_driven_by_force(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check tip.yaml", 0, "2 pieces of advice",
       "tip.yaml:5:3: advice: body 'tip' and all it carries are massless: unless its motion is prescribed, "
       "joint "
       "'wrist' needs mass and inertia, or armature, or damping and the implicit method"},
      {"$FB info tip.yaml", 0, "advice              1: run freebody check", ""},
      {"$FB check rotor.yaml", 0, "ok", ""},
      {"$FB check free_tip.yaml", 2, "", NAMED},
      {"$FB run free_tip.yaml -o no.run; test ! -e no.run && exit 7", 7, "", NAMED},
      {"$FB run tip.yaml -o no.run", 2, "", NAMED},
      {"$FB run rotor.yaml -o rotor.run", 0, "finished", ""},
      {"$FB run damped.yaml -o damped.run --set integrator.method=implicit", 0, "finished", NULL},
      {"$FB run damped.yaml -o no.run --set integrator.method=rk4", 2, "", NAMED},
      {"$FB run locked_tip.yaml -o locked.run --export csv", 0, "finished", ""},
      {"$FB run moved_tip.yaml -o moved.run --export csv", 0, "finished", ""},
      {"grep -ci nan locked.run/log.csv moved.run/log.csv; true", 0,
       "locked.run/log.csv:0\nmoved.run/log.csv:0", ""},
      {"$FB run released_tip.yaml -o released.run", 1, NULL, NAMED},
      {"for m in rk4 euler momentum dopri5 cvode; do "
       "$FB run moved_tip.yaml --set integrator.method=$m -o $m.run --quiet || exit 1; done",
       0, "", ""},
      {"$FB eval --only frames.J,bodies.p,inverse,H,com e.yaml | grep -ci 'nan\\|null'", 1, "0", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(policies_of_scenarios_and_of_the_command_line),
      cmocka_unit_test(a_kept_inertia_survives_the_run_and_all_that_reads_it),
      cmocka_unit_test(a_kept_inertia_survives_a_resumed_run),
      cmocka_unit_test(a_massless_joint_is_refused_only_where_it_is_driven_by_force),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
