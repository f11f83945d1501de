/* test_scenario_force_control.c -- impedance, force_position and task_qp in scenarios: how they are read, what they do against
 * contacts, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "scenario_rig.h"

static double value(fb_sim* sim, const char* name) {
  fb_signal signal;
  fb_error error;
  double x;
  int count;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* --- reading --- */

static void test_laws_are_read_with_their_units(void** state) {
  (void)state;
  fb_scenario* s = parse(
      SATELLITE
      "control:\n"
      "  - {type: impedance, frame: hand, rows: position, kp: 2 N/mm, kd: [1, 2, 3], axes: frame, decay: 4}\n"
      "  - {type: impedance, frame: hand, kp: [1, 2, 3, 4 N m/deg, 5, 6], kd: [1, 2, 3, 4, 5, 6]}\n"
      "  - {type: force_position, frame: hand, kp: 4, press: [{direction: [0, 0, 2], axes: link2, force: 1 "
      "kN}]}\n"
      "  - {type: task_qp, joints: [joint1, joint2], thrust: bus, decay: 3, tasks: [{frame: hand, axes: [x, "
      "rz], "
      "priority: 2, weight: 3, kp: 9}, {com: link2}, {joints: joint1, kp: 4, target: [90 deg]}], contacts: "
      "[{frame: hand, normal: [0, 1, 0], most: 20 N, path: {times: [0, 1], forces: [1, 2]}}]}\n");
  const fb_impedance* soft = (const fb_impedance*)s->blocks[0].settings;
  assert_near("kp", soft->stiffness, (const double[]){2000, 2000, 2000}, 3, 1e-15);
  assert_near("kd", soft->damping, (const double[]){1, 2, 3}, 3, 0);
  assert_true(soft->in_frame_axes == 1 && soft->decay == 4 && soft->task.rows == 3);
  soft = (const fb_impedance*)s->blocks[1].settings;
  assert_near("kp", soft->stiffness, (const double[]){1, 2, 3, 4 * 180 / PI, 5, 6}, 6, 1e-15);
  const fb_force_position* press = (const fb_force_position*)s->blocks[2].settings;
  assert_true(press->count == 1 && press->task.kd == 4 && press->force_axes[0].axes_of > 0);
  double force;
  fb_spline_eval(press->force_axes[0].force, 0.3, &force, NULL, NULL);
  assert_near("force", &force, (const double[]){1000}, 1, 0);
  const fb_task_qp* law = (const fb_task_qp*)s->blocks[3].settings; /* its first member */
  assert_true(law->ntask == 3 && law->ncontact == 1 && law->ncoordinate == 8 && law->decay == 3 &&
              isnan(law->effort));
  assert_true(law->tasks[0].axes == 33 && law->tasks[0].priority == 2 && law->tasks[0].weight == 3);
  assert_true(law->tasks[0].kd == 6 && law->tasks[1].kind == FB_QP_TASK_CENTRE_OF_MASS &&
              law->tasks[1].axes == 7);
  assert_near("target", &law->tasks[2].joints[0].target, (const double[]){PI / 2}, 1, 1e-15);
  assert_true(law->tasks[2].joints[0].kd == 4 && law->contacts[0].most && law->contacts[0].force);
  fb_sim_free(run(s, 0.02));
  fb_scenario_free(s);
}

/* --- against contacts --- */

/* The planar robot of [Hu 2015] in front of the wall y = 0, its tip on it. */
#define ROBOT                                                                                               \
  "scenario: 1\nmodel:\n  freebody: 1\n  bodies:\n"                                                         \
  "    - {name: base, joint: {type: planar}, mass: 1000, inertia: [600, 600, 601.667, 0, 0, 0]}\n"          \
  "    - {name: link1, parent: base, joint: {type: revolute, axis: [0, 0, 1], at: [0, -1, 0]}, mass: 30, "  \
  "com: "                                                                                                   \
  "[0, -0.5, 0], inertia: [2.5, 0, 2.5, 0, 0, 0]}\n"                                                        \
  "    - {name: link2, parent: link1, joint: {type: revolute, axis: [0, 0, 1], at: [0, -1, 0]}, mass: 20, " \
  "com: "                                                                                                   \
  "[0, -0.35, 0], inertia: [0.8, 0, 0.8, 0, 0, 0]}\n"                                                       \
  "    - {name: link3, parent: link2, joint: {type: revolute, axis: [0, 0, 1], at: [0, -0.7, 0]}, mass: "   \
  "10, "                                                                                                    \
  "com: [0, -0.25, 0], inertia: [0.2, 0, 0.2, 0, 0, 0], frames: [{name: tip, at: [0, -0.5, 0]}]}\n"         \
  "start: {joints: {base: [0, 2.5, 0], link1: 60 deg, link2: -60 deg, link3: 0.9272952180016123}}\n"        \
  "surfaces: [{name: wall, kind: plane, normal: [0, 1, 0]}]\n"

/* Frictionless, so that the planned force is the whole of it: the tip slides 0.2786 m and presses as it shall. */
static void test_tip_presses_a_hard_wall_while_it_slides(void** state) {
  (void)state;
  fb_scenario* s = parse(
      ROBOT
      "contacts: [{name: tip, a: tip, b: wall, law: hard}]\n"
      "integrator: {method: moreau, step: 1 ms}\n"
      "control:\n"
      "  - name: plan\n"
      "    type: task_qp\n"
      "    tasks:\n"
      "      - {frame: base, axes: [x, y, rz], kp: 4}\n"
      "      - {frame: tip, axes: [x, rz], kp: 36, from_start: true, position: {times: [0, 2], x: [0, "
      "0.2786]}}\n"
      "      - {frame: tip, axes: y, kp: 25}\n"
      "    contacts: [{frame: tip, normal: [0, 1, 0], friction: 0, stance: false, path: {times: [0, 2], "
      "forces: [3, 6]}}]\n");
  fb_sim* sim = run(s, 0);
  double start = value(sim, "p.tip.x");
  fb_error error;
  for (double t = 0.2; t < 2.05; t += 0.2) {
    if (fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
    double planned = value(sim, "plan.force.tip.y"), pressed = value(sim, "contact.tip.normal");
    assert_near("force", &pressed, &planned, 1, 1e-3); /* first order, steps of 1 ms: measured 3e-4 */
    assert_true(fabs(value(sim, "contact.tip.gap")) < 1e-6 && value(sim, "plan.status") == 0);
  }
  double moved = value(sim, "p.tip.x") - start;
  assert_near("path", &moved, (const double[]){0.2786}, 1, 1e-3); /* likewise */
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* Feedback finds the force in spite of friction, of which the law does not know. */
static void test_measured_force_is_the_desired_one(void** state) {
  (void)state;
  fb_scenario* s = parse(
      ROBOT
      "motions: [{joint: base, lock: true}]\n"
      "contacts: [{name: tip, a: tip, b: wall, law: spring, stiffness: 2e4, damping: 400, friction: 0.3}]\n"
      "integrator: {method: rk4, step: 1 ms}\n"
      "control:\n"
      "  - {name: hold, type: force_position, frame: tip, rows: position, kp: 25, press: [{direction: [0, "
      "-1, "
      "0], force: 5 N, measured: contact.tip.normal, ki: 4}]}\n");
  fb_sim* sim = run(s, 4);
  double pressed = value(sim, "contact.tip.normal");
  assert_near("force", &pressed, (const double[]){5}, 1, 1e-4); /* the integral decays as exp(-4 t) */
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* Sways, is pushed, and stands again; its feet stay where they are. */
static void test_walker_stands_on_hard_ground(void** state) {
  (void)state;
  fb_scenario* s = NULL;
  fb_error error;
  if (fb_scenario_read(FOLDER "stand.yaml", NULL, &s, &error)) fail_msg("%s", error.text);
  fb_sim* sim = run(s, 0);
  double x[4], lowest = INFINITY, pushed = 0;
  char name[40];
  for (int i = 0; i < 4; i++) snprintf(name, sizeof name, "p.foot%d.x", i), x[i] = value(sim, name);
  for (double t = 0.1; t < 3.05; t += 0.1) {
    if (fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
    lowest = fmin(lowest, value(sim, "p.trunk.z"));
    pushed = fmax(pushed, value(sim, "p.trunk.y"));
  }
  assert_near("lowest", &lowest, (const double[]){0.35}, 1, 5e-3); /* sampled at 100 Hz: measured 2e-3 */
  assert_true(pushed > 0.01 && fabs(value(sim, "p.trunk.y")) < 0.005);
  double weight = 0;
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "p.foot%d.x", i);
    assert_true(fabs(value(sim, name) - x[i]) < 1e-3);
    snprintf(name, sizeof name, "contact.foot%d.normal", i);
    weight += value(sim, name);
  }
  assert_near("weight", &weight, (const double[]){27.6 * 9.81}, 1, 1e-2); /* it still settles a little */
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* --- joins --- */

/* The base that task_qp drives goes when it is captured, and comes back; forces stay finite, and momentum is kept. */
static void test_laws_go_on_through_a_capture(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel:\n  freebody: 1\n  bodies:\n"
      "    - {name: chaser, joint: {type: free}, mass: 100, inertia: [10, 10, 10, 0, 0, 0]}\n"
      "    - {name: arm, parent: chaser, joint: {type: revolute, axis: [0, 0, 1], at: [0.5, 0, 0]}, mass: 5, "
      "inertia: [0.2, 0.2, 0.2, 0, 0, 0]}\n"
      "    - {name: hand, parent: arm, joint: {type: revolute, axis: [0, 0, 1], at: [0.5, 0, 0]}, mass: 5, "
      "inertia: [0.2, 0.2, 0.2, 0, 0, 0], frames: [{name: hook, at: [0.5, 0, 0]}]}\n"
      "    - {name: target, joint: {type: free}, mass: 40, inertia: [4, 4, 4, 0, 0, 0]}\n"
      "start: {joints: {arm: 40 deg, hand: -80 deg}, bases: {target: {at: [2, 0, 0]}}}\n"
      "control:\n"
      "  - {name: plan, type: task_qp, thrust: target, tasks: [{frame: hook, axes: [x, y]}, {frame: target, "
      "axes: "
      "pose, priority: 2, from_start: true, position: {times: [0, 3], x: [0, 0.3]}}]}\n"
      "  - {name: soft, type: impedance, frame: hook, rows: position, kp: 2, kd: 2}\n"
      "  - {name: press, type: force_position, frame: hook, rows: position, kp: 1, press: [{direction: [1, "
      "0, 0], "
      "axes: target, force: 0.1 N}]}\n"
      "events:\n"
      "  - {at: 1 s, do: [{join: {name: grasp, frame: target, to: hook, force: true}}]}\n"
      "  - {at: 2 s, do: [{part: grasp}]}\n");
  fb_sim* sim = make_sim(s);
  fb_error error;
  static const double times[] = {0.9, 1.5, 2.5, 3};
  for (int i = 0; i < 4; i++) {
    if (fb_sim_run_until(sim, times[i], &error)) fail_msg("%s", error.text);
    /* Captured, the target is driven by the arm alone, which cannot do both. */
    assert_true(value(sim, "plan.status") == (i == 1 ? 1 : 0));
    assert_true(isfinite(value(sim, "soft.force.x")) && isfinite(value(sim, "press.force.x")));
  }
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* --- what is refused --- */

/* What follows is line 3. */
#define CASE "scenario: 1\nmodel: satellite.yaml\n"

static const malformed CASES[] = {
    {CASE "control: [{type: impedance, frame: hand, kp: 1}]\n", 3, 11,
     "an impedance controller needs the key 'kd'"},
    {CASE "control: [{type: impedance, frame: hand, kp: 1, kd: 1}]\n", 3, 46,
     "'kp' of a pose is a list of six numbers"},
    {CASE "control: [{type: impedance, frame: hand, rows: position, kp: [1, 2], kd: 1}]\n", 3, 62,
     "'kp' of a position is one number, or three along x, y, z"},
    {CASE "control: [{type: impedance, frame: hand, rows: position, kp: 1, kd: -1}]\n", 3, 69,
     "'kd' is -1, but must not be negative"},
    {CASE "control: [{type: impedance, frame: hand, rows: position, kp: 1 N m/rad, kd: 1}]\n", 3, 62,
     "'1 N m/rad' is an angular stiffness, but a stiffness is expected"},
    {CASE "control: [{type: impedance, frame: hand, rows: position, kp: 1, kd: 1, axes: hand}]\n", 3, 78,
     "'hand' is not"},
    {CASE "control: [{type: force_position, frame: hand, kp: 1}]\n", 3, 11,
     "a force_position controller needs the key 'press'"},
    {CASE "control: [{type: force_position, frame: hand, kp: 1, press: []}]\n", 3, 61,
     "0 directions of force"},
    {CASE "control: [{type: force_position, frame: hand, kp: 1, press: [{direction: [0, 0, 1]}]}]\n", 3, 62,
     "a press needs 'force', such as 5 N, or 'path'"},
    {CASE
     "control: [{type: force_position, frame: hand, kp: 1, press: [{direction: [0, 0, 0], force: 1}]}]\n",
     3, 74, "'direction' is zero, so it has no direction"},
    {CASE "control: [{type: force_position, frame: hand, kp: 1, press: [{direction: [0, 0, 1], force: 1, ki: "
          "2}]}]\n",
     3, 61, "ki and the measured force belong together"},
    {CASE
     "control: [{type: force_position, frame: hand, kp: 1, press: [{direction: [0, 0, 1], force: 1, path: "
     "{times: [0], forces: [1]}}]}]\n",
     3, 101, "'force' and 'path' are both there"},
    {CASE "control: [{type: task_qp}]\n", 3, 11, "a task_qp controller needs the key 'tasks'"},
    {CASE "control: [{type: task_qp, tasks: []}]\n", 3, 34, "give at least one task"},
    {CASE "control: [{type: task_qp, tasks: [{kp: 1}]}]\n", 3, 35,
     "a task needs one of 'frame', 'com' and 'joints', and has 0 of them"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand, com: bus}]}]\n", 3, 35, "and has 2 of them"},
    {CASE "control: [{type: task_qp, tasks: [{com: bus, axes: pose}]}]\n", 3, 52,
     "a centre of mass has no attitude"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand, axes: w}]}]\n", 3, 55, "'w'"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand, target: 1}]}]\n", 3, 57, "cannot have 'target'"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hnd}]}]\n", 3, 43, "did you mean 'hand'?"},
    {CASE "control: [{type: task_qp, joints: [joint1, joint1], tasks: [{frame: hand}]}]\n", 3, 44,
     "the joint 'joint1' is named twice"},
    {CASE "control: [{type: task_qp, thrust: link2, tasks: [{frame: hand}]}]\n", 3, 35,
     "'link2' is no floating base"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand}], contacts: [{frame: hand, friction: -1}]}]\n", 3,
     86, "'friction' is -1, but must not be negative"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand}], contacts: [{frame: hand}, {frame: hand}]}]\n", 3,
     34, "contacts 0 and 1 have the same frame"},
    {CASE "control: [{type: task_qp, tasks: [{frame: hand, weight: 0}]}]\n", 3, 57,
     "'weight' is 0, but must be more than 0"},
};

static void test_every_mistake_is_told_with_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_refused(&CASES[i], "case.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_laws_are_read_with_their_units),
      cmocka_unit_test(test_tip_presses_a_hard_wall_while_it_slides),
      cmocka_unit_test(test_measured_force_is_the_desired_one),
      cmocka_unit_test(test_walker_stands_on_hard_ground),
      cmocka_unit_test(test_laws_go_on_through_a_capture),
      cmocka_unit_test(test_every_mistake_is_told_with_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
