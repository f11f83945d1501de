/* test_scenario_held.c -- joints of URDFs that have nothing to move: they are held at the start, and named; strict and keep
 * refuse them. */
#include "run_command.h"

#define BALL \
  "<inertial><mass value='10'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LINK(name, inertial) "<link name='" name "'>" inertial "</link>\n"
#define JOINT(name, parent, child, axis, more)                                              \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child \
  "'/><origin xyz='1 0 0'/><axis xyz='" axis "'/>" more "</joint>\n"

/* Base, arm, and a finger without mass. */
#define HAND(base, arm, more)                                                        \
  "<robot name='r'>\n" LINK("base", base) LINK("arm", arm) LINK("finger", "") JOINT( \
      "elbow", "base", "arm", "0 0 1", "") JOINT("knuckle", "arm", "finger", "0 1 0", more) "</robot>\n"

/* A gripper whose fingers have no mass; the right one mimics the left one. `more` and `other` stand in their joints. */
#define FINGER(name, axis, link, more)                                                                   \
  "<joint name='" name "' type='prismatic'><parent link='arm'/><child link='" link "'/><axis xyz='" axis \
  "'/><limit lower='0' upper='0.04' effort='20' velocity='0.2'/>" more "</joint>\n"
#define DAMPED "<dynamics damping='0.3'/>"
#define GRIPPER(more, other, extra)                                                            \
  "<robot name='g'>\n" LINK("base", BALL) LINK("arm", BALL) LINK("left", "") LINK("right", "") \
      JOINT("elbow", "base", "arm", "0 0 1", "") FINGER("grip", "0 1 0", "left", more)         \
          FINGER("follow", "0 -1 0", "right", "<mimic joint='grip'/>" other) extra "</robot>\n"

#define SCENARIO(model, more) "scenario: 1\nmodel: " model "\nduration: 1 s\nlog: {period: 100 ms}\n" more

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  spill("hand.urdf", HAND(BALL, BALL, ""));
  spill("damped.urdf", HAND(BALL, BALL, "<dynamics damping='0.1'/>"));
  spill("bolted.urdf", HAND("", BALL, ""));
  spill("nothing.urdf", HAND("", "", ""));
  spill("gripper.urdf", GRIPPER("", "", ""));
  spill("damped_gripper.urdf", GRIPPER(DAMPED, DAMPED, ""));
  spill("half_damped_gripper.urdf", GRIPPER(DAMPED, "", ""));
  spill("apart.urdf", GRIPPER("", "", LINK("tip", "") JOINT("swivel", "arm", "tip", "0 1 0", DAMPED)));
  spill("grip.yaml", SCENARIO("gripper.urdf",
                              "control: [{type: joint_pd, joints: [grip], kp: 50, kd: 5, target: 0.03}]\n"));
  spill("drawn.yaml", SCENARIO("gripper.urdf", "motions: [{joint: grip, rate: 0.03}]\n"));
  spill("push.yaml", SCENARIO("hand.urdf", "forces: [{joint: elbow, tau: 1}, {joint: knuckle, tau: 1}]\n"));
  spill("gains.yaml",
        SCENARIO("hand.urdf", "control: [{type: joint_pd, joints: [knuckle], kp: 5, kd: 1, target: 0.3}]\n"));
  spill("moved.yaml", SCENARIO("hand.urdf", "motions: [{joint: knuckle, rate: 2}]\n"));
  spill("kept.yaml", SCENARIO("hand.urdf", "inertia: keep\n"));
  spill("later.yaml", SCENARIO("hand.urdf", "events: [{name: free, at: 0.5, do: [{release: knuckle}]}]\n"));
  return 0;
}

#define HELD(count, names) count " held at the start, with nothing to move: " names ";"
#define REFUSED "joint \"knuckle\" has nothing to move"
static void what_has_nothing_to_move_is_held_and_named(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run push.yaml -o push --export csv", 0, "finished", HELD("1 joint is", "'knuckle'")},
      {"tail -n 1 push/log.csv | grep -ci nan; true", 0, "0", ""},
      {"$FB check push.yaml", 0, "2 pieces of advice", HELD("1 joint is", "'knuckle'")},
      {"$FB run bolted.urdf --duration 1 -o bolted", 0, "finished",
       HELD("2 joints are", "'knuckle', 'base'")},
      {"$FB run nothing.urdf --duration 1 -o nothing", 0, "finished",
       HELD("3 joints are", "'knuckle', 'elbow', 'base'")},
      {"$FB run moved.yaml -o moved", 0, "finished", ""},
  };
  CHECK_CASES(cases);
}

/* Dampers and gains take the place of the inertia, by the implicit method. */
static void what_is_damped_or_driven_by_gains_moves(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run damped.urdf --duration 1 -o damped", 0,
       "implicit, accuracy 1e-06 (auto, for joint 'knuckle', which has a damper but moves no inertia)", ""},
      {"$FB run gains.yaml -o gains --export csv", 0, "implicit, accuracy 1e-06", ""},
      {"$FB export gains --signals q.knuckle -o - | tail -n 1 | cut -c 1-6", 0, "1,0.29", ""},
  };
  CHECK_CASES(cases);
}

/* Fingers without mass, coupled by <mimic>: held without anything that moves them; else they move together. A damped joint elsewhere
 * is judged by itself. */
static void fingers_without_mass_are_held_or_move_together(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run gripper.urdf --duration 1 -o gripper", 0, "finished", HELD("1 joint is", "'grip'")},
      {"$FB run damped_gripper.urdf --duration 1 -o damped_gripper", 0,
       "implicit, accuracy 1e-06 (auto, for joint 'grip'", NULL},
      {"$FB run half_damped_gripper.urdf --duration 1 -o half_damped", 0,
       "implicit, accuracy 1e-06 (auto, for joint 'grip'", NULL},
      {"$FB run apart.urdf --duration 1 -o apart", 0, "implicit, accuracy 1e-06 (auto, for joint 'swivel'",
       HELD("1 joint is", "'grip'")},
      {"$FB run grip.yaml -o grip", 0, "implicit, accuracy 1e-06", NULL},
      {"$FB export grip --signals q.grip,q.follow -o - | tail -n 1 | grep -c '^1,0.02999[0-9]*,0.02999'", 0,
       "1", ""},
      {"$FB run drawn.yaml -o drawn", 0, "finished", NULL},
      {"$FB export drawn --signals q.follow -o - | tail -n 1 | grep -cE '^1,0.0(3|29999|300000)'", 0, "1",
       ""},
      {"$FB run damped_gripper.urdf --duration 1 -o explicit --set integrator.method=rk4", 0, "rk4",
       HELD("1 joint is", "'grip'")},
  };
  CHECK_CASES(cases);
}

#define WOULD "'freebody run' would refuse this model: " REFUSED
static void check_of_a_model_says_what_a_run_of_it_would_refuse(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check hand.urdf --inertia keep", 0, "ok", WOULD},
      {"$FB check hand.urdf --inertia strict --strict", 2, NULL, WOULD},
      {"$FB check hand.urdf 2>&1 | grep -c refuse; true", 0, "0", ""},
      {"$FB check gripper.urdf 2>&1 | grep -c refuse; true", 0, "0", ""},
  };
  CHECK_CASES(cases);
}

static void strict_and_keep_refuse_and_a_release_fails_by_name(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run push.yaml --inertia strict -o no", 2, "", REFUSED},
      {"$FB run hand.urdf --inertia keep -o no", 2, "", REFUSED},
      {"$FB run kept.yaml -o no", 2, "", REFUSED},
      {"$FB run later.yaml -o later", 1, NULL, REFUSED},
  };
  CHECK_CASES(cases);
}

static void a_run_with_held_joints_is_resumed_to_the_byte(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run push.yaml -o half --duration 0.5 --set checkpoint=0.1 --quiet", 0, "", NULL},
      {"$FB run --resume half --duration 1 --export csv --quiet", 0, "", ""},
      {"$FB run push.yaml -o whole --set checkpoint=0.1 --export csv --quiet", 0, "", NULL},
      {"cmp half/log.csv whole/log.csv", 0, "", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_has_nothing_to_move_is_held_and_named),
      cmocka_unit_test(what_is_damped_or_driven_by_gains_moves),
      cmocka_unit_test(fingers_without_mass_are_held_or_move_together),
      cmocka_unit_test(check_of_a_model_says_what_a_run_of_it_would_refuse),
      cmocka_unit_test(strict_and_keep_refuse_and_a_release_fails_by_name),
      cmocka_unit_test(a_run_with_held_joints_is_resumed_to_the_byte),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
