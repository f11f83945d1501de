/* test_scenario_idle.c -- joints that have nothing to move, of URDFs as they are found: which are held, through modes and
 * laws, in runs that are extended, and in runs that begin with the state of another. */
#include "run_command.h"

#define MASS(name, mass)                               \
  "<link name='" name "'><inertial><mass value='" mass \
  "'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
#define JOINT(name, parent, child)                                                          \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child \
  "'/><origin xyz='1 0 0'/><axis xyz='0 0 1'/></joint>\n"

/* A base, an arm, and a finger without mass. */
#define HAND                                                                                   \
  "<robot name='hand'>\n" MASS("base", "10") MASS("arm", "1") "<link name='finger'/>\n" JOINT( \
      "elbow", "base", "arm") JOINT("knuckle", "arm", "finger") "</robot>\n"
#define EMPTY \
  "<robot name='empty'><link name='base'/><link name='arm'/>" JOINT("elbow", "base", "arm") "</robot>\n"

#define AXIS(name, type, parent, child, axis)                                             \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
  "'/><axis xyz='" axis "'/><limit effort='1' velocity='1'/><dynamics damping='1'/></joint>"
#define FLOATING                                                                                     \
  "<robot name='floating'><link name='root'/><link name='x'/><link name='y'/><link name='z'/><link " \
  "name='a'/><link "                                                                                 \
  "name='b'/>" MASS("block", "1") AXIS("tx", "prismatic", "root", "x", "1 0 0")                      \
      AXIS("ty", "prismatic", "x", "y", "0 1 0") AXIS("tz", "prismatic", "y", "z", "0 0 1")          \
          AXIS("rx", "continuous", "z", "a", "1 0 0") AXIS("ry", "continuous", "a", "b", "0 1 0")    \
              AXIS("rz", "continuous", "b", "block", "0 0 1") "</robot>\n"

#define SCENARIO(more) "scenario: 1\nmodel: hand.urdf\nduration: 1 s\nlog: {period: 100 ms}\n" more
#define PD(name, mode) \
  "{name: " name ", type: joint_pd, joints: [elbow, knuckle], kp: 5, kd: 1, mode: " mode "}"

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  spill("hand.urdf", HAND);
  spill("empty.urdf", EMPTY);
  spill("floating.urdf", FLOATING);
  spill("plain.yaml", SCENARIO("start: {joints: {knuckle: 0.3}, rates: {elbow: 1}}\n"));
  spill("scene.yaml",
        "scenario: 1\nduration: 1 s\nmodels:\n- {name: u, model: hand.urdf}\n"
        "- {name: n, model: wire.yaml, at: [5, 0, 0]}\n");
  spill("wire.yaml",
        "freebody: 1\nbodies: [{name: hub, mass: 5, inertia: [1, 1, 1, 0, 0, 0]}, {name: wire, parent: hub, "
        "mass: 0, joint: {name: twist, type: revolute, axis: [0, 0, 1]}}]\n");
  spill("rate.yaml", SCENARIO("start: {rates: {elbow: 1, knuckle: 2}}\n"));
  spill("turned.yaml", SCENARIO("motions: [{name: turn, joint: knuckle, value: 0.5}]\n"));
  spill("locked.yaml", SCENARIO("motions: [{name: stay, joint: knuckle, lock: true}]\n"));
  spill("moved.yaml", SCENARIO("motions: [{name: go, joint: knuckle, value: 0.1}]\n"));
  spill("law.yaml", SCENARIO("control: [{name: law, type: joint_pd, kp: 5, kd: 1}]\n"));
  spill("later.yaml", SCENARIO("modes: [wait, grip]\ncontrol: [" PD(
                          "law", "grip") "]\n"
                                         "events: [{at: 0.5 s, do: [{mode: grip}]}]\n"));
  spill("first.yaml", SCENARIO("modes: [grip, wait]\ncontrol: [" PD(
                          "law", "grip") "]\n"
                                         "events: [{at: 0.5 s, do: [{mode: wait}]}]\n"));
  spill("both.yaml", SCENARIO("modes: [grip, wait]\ncontrol: [" PD("law", "grip") ", " PD(
                         "other", "wait") "]\n"
                                          "events: [{at: 0.5 s, do: [{mode: wait}]}]\n"));
  return 0;
}

#define HELD "1 joint is held at the start, with nothing to move: 'knuckle'"

static void joints_with_nothing_to_move_are_held_and_named(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run plain.yaml -o plain --quiet", 0, "", HELD ";"},
      {"$FB check plain.yaml", 0, "held.knuckle: knuckle is locked, from the start", HELD ";"},
      {"$FB run plain.yaml -o n --inertia strict", 2, "", "joint \"knuckle\" has nothing to move"},
      {"$FB run rate.yaml -o rate --quiet", 0, "", HELD " (rates at the start are left out);"},
      {"$FB run empty.urdf -o empty --quiet", 0, "",
       "2 joints are held at the start, with nothing to move: 'elbow', 'base'"},
      {"$FB run --resume plain --duration 2 --quiet && $FB run plain.yaml -o long --quiet --duration 2 "
       "--set checkpoint=0.05 && $FB compare plain long --tolerance 0",
       0, "the runs agree to 0", NULL},
  };
  CHECK_CASES(cases);
}

/* What is set in a model that is a file leaves the rest of it as it was read. */
static void overrides_of_a_urdf_leave_other_joints_held(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run plain.yaml -o set --force --quiet --set model.bodies.arm.mass=3", 0, "", HELD},
      {"$FB run hand.urdf -o set --force --quiet --duration 1 --set model.bodies.arm.mass=3", 0, "", HELD},
      {"$FB run plain.yaml -o n --quiet --set model.bodies.arm.mass=-1", 2, "", "must not be negative"},
      {"$FB run plain.yaml -o n --quiet --set model.bodies.arm.inertia=[1,1,5,0,0,0]", 2, "",
       "triangle inequality"},
      {"$FB run --resume set --quiet --duration 2", 0, "", ""},
      {"$FB run plain.yaml -o set --force --quiet --set model.bodies.finger.joint.armature=0.1", 0, "", ""},
      {"$FB run plain.yaml -o set --force --quiet --set model.bodies.arm.mass=3 --inertia strict", 2, "",
       "joint \"knuckle\" has nothing to move"},
      {"$FB run plain.yaml -o set --force --quiet --set model.inertia=strict", 2, "",
       "joint \"knuckle\" has nothing to move"},
  };
  CHECK_CASES(cases);
}

/* Each part of a scene is as it was read. */
static void joints_of_strict_parts_are_not_held(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run scene.yaml -o s --quiet", 2, "", "joint \"n_twist\" has nothing to move"},
      {"$FB run scene.yaml -o s --quiet --set models.n.model.bodies.wire.joint.armature=1", 0, "",
       "1 joint is held at the start, with nothing to move: 'u_knuckle'"},
      {"$FB run scene.yaml -o s --force --quiet --set models.n.inertia=repair", 0, "",
       "2 joints are held at the start, with nothing to move: 'n_twist', 'u_knuckle'"},
  };
  CHECK_CASES(cases);
}

static void a_law_counts_in_the_modes_in_which_it_acts(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run law.yaml -o law --quiet", 0, "", ""},
      {"$FB run both.yaml -o both --quiet", 0, "", ""},
      {"$FB run law.yaml -o law --force --quiet --set integrator.method=implicit", 0, "", ""},
      {"$FB run law.yaml -o law --force --quiet --set integrator.method=rk4", 0, "",
       "leave the method to auto"},
      {"$FB run law.yaml -o law --force --quiet --set integrator.method=dopri5", 0, "", HELD},
      {"$FB run law.yaml -o law --force --quiet --set integrator.method=[rk4]", 2, "", "integrator.method"},
      {"$FB run law.yaml -o law --force --quiet --set integrator=rk4", 2, "", "integrator"},
      {"$FB run later.yaml -o later --quiet", 0, "", HELD},
      {"$FB run first.yaml -o first --quiet", 0, "", HELD},
  };
  CHECK_CASES(cases);
}

/* Not the joint that carries it, whose pivot is spoilt by its own; but one that moves nothing because all joints beyond it
 * give way, such as a base without mass that carries a block by three slides and three hinges. */
static void the_method_is_chosen_for_the_joint_that_moves_no_inertia(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check law.yaml", 0, "(auto, for joint 'knuckle', which has a damper but moves no inertia)", NULL},
      {"$FB run floating.urdf -o floating --quiet --duration 1", 0, "", NULL},
      {"printf 'scenario: 1\nmodel: floating.urdf\n' > f.yaml; $FB check f.yaml", 0,
       "implicit, accuracy 1e-06 (auto, for joint 'tx', which has a damper but moves no inertia)", NULL},
      {"$FB run f.yaml -o f --quiet --set integrator.method=rk4", 0, "",
       "1 joint is held at the start, with nothing to move: 'root'"},
  };
  CHECK_CASES(cases);
}

#define KNUCKLE(run) "$FB export " run " -o - --signals q.knuckle --to 0 | tail -n 1"

static void a_locked_joint_begins_where_the_other_run_had_it(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run turned.yaml -o turned --quiet", 0, "", ""},
      {"$FB run plain.yaml -o a --from turned@1 --quiet 2> err && " KNUCKLE("a"), 0, "0,0.5\n", NULL},
      {"grep 'begin where their motions do' err", 1, "", ""},
      {"$FB run locked.yaml -o b --from turned@1 --quiet && " KNUCKLE("b"), 0, "0,0.5\n", ""},
      {"$FB run moved.yaml -o c --from turned@1 --quiet && " KNUCKLE("c"), 0, "0,0.1\n",
       "begin where their motions do: knuckle\n"},
      {"$FB run plain.yaml -o d --from turned@1 --set start.joints.knuckle=0.7 --quiet && " KNUCKLE("d"), 0,
       "0,0.7\n", NULL},
      {"$FB run empty.urdf -o none --quiet --duration 1 && $FB run empty.urdf -o e --from none@0.5 "
       "--duration 1",
       0, "finished", "begins with the state of none at t = 0.5 s: 2 joints\n"},
      {"$FB run --resume a --duration 2 --quiet && $FB export a -o - --signals q.knuckle --from 2 | tail -n "
       "1",
       0, "2,0.5\n", NULL},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_with_nothing_to_move_are_held_and_named),
      cmocka_unit_test(overrides_of_a_urdf_leave_other_joints_held),
      cmocka_unit_test(joints_of_strict_parts_are_not_held),
      cmocka_unit_test(a_law_counts_in_the_modes_in_which_it_acts),
      cmocka_unit_test(the_method_is_chosen_for_the_joint_that_moves_no_inertia),
      cmocka_unit_test(a_locked_joint_begins_where_the_other_run_had_it),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
