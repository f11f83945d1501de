/* test_from.c -- `freebody run --from RUN@TIME` begins with the state of another run: of its joints, blocks and mode. */
#define _XOPEN_SOURCE 700
#include "run_scenarios.h"
#include "same_runs.h"

#include <math.h>

#include <freebody/run.h>

#include "scenario/build/build.h"

/* Nothing depends on time, but much on the law's integral and on the mode, so that a run in two parts ends as one in one
 * only if both are taken over. */
static const char HELD[] =
    "scenario: 1\n"
    "name: held\n"
    "model:\n"
    "  bodies:\n"
    "    - name: bob\n"
    "      joint: {name: hinge, type: revolute, axis: [0, 1, 0], damping: 0.05}\n"
    "      mass: 1\n"
    "      com: [0, 0, -1]\n"
    "      inertia: [0.004, 0.004, 0.004, 0, 0, 0]\n"
    "    - {name: ball, parent: bob, joint: {name: pivot, type: spherical, at: [0, 0, -1]}, mass: 1, com: "
    "[0.1, 0, 0],"
    " inertia: [0.1, 0.2, 0.3, 0, 0, 0]}\n"
    "gravity: [0, 0, -9.81]\n"
    "modes: [idle, hold]\n"
    "start: {joints: {hinge: 20 deg}, rates: {pivot: [0.1, 2, 0.3]}}\n"
    "control: [{name: law, type: joint_pid, joints: [hinge], kp: 40, ki: 30, kd: 5, target: [60 deg], mode: "
    "hold}]\n"
    "events: [{name: take, when: q.hinge, crosses: 0, do: [{mode: hold}], once: true}]\n"
    "duration: 4 s\n"
    "checkpoint: 0.5 s\n"
    "integrator: {method: dopri5}\n"
    "log: {period: 20 ms, signals: [q, v]}\n";

/* Two wheels, geared 2 : 1. */
static const char GEARED[] =
    "scenario: 1\n"
    "model:\n"
    "  bodies:\n"
    "    - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "    - {name: b, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "  loops: [{name: belt, type: gear, a: a, b: b, ratio: 2}]\n"
    "start: {joints: {b: 0.5}, rates: {b: 1}}\n"
    "duration: 0.5 s\n";

static int open_with_scenarios(void** state) {
  if (scratch_open(state)) return -1;
  spill("swing.yaml", SWING);
  spill("floater.yaml", FLOATER);
  spill("held.yaml", HELD);
  spill("geared.yaml", GEARED);
  return 0;
}

/* The signals of a run at its first sample (last 0) or at its last one. */
static void read_state(const char* folder, double t, double* values, int room) {
  fb_store* run = NULL;
  fb_error error;
  long long first, count;
  int signals[64], n = 0;
  if (fb_store_open(folder, &run, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_store_select(run, "q", signals, &n, &error), FB_OK);
  assert_int_equal(fb_store_select(run, "v", signals, &n, &error), FB_OK);
  assert_true(n <= room);
  assert_int_equal(fb_store_range(run, t - 1e-9, t + 1e-9, &first, &count, &error), FB_OK);
  assert_int_equal(count, 1);
  if (fb_store_read_signals(run, signals, n, first, 1, values, &error)) fail_msg("%s", error.text);
  fb_store_close(run, NULL);
}

static void check_near(const char* a, double ta, const char* b, double tb, double most) {
  double x[64] = {0}, y[64] = {0};
  read_state(a, ta, x, 64);
  read_state(b, tb, y, 64);
  for (int i = 0; i < 64; i++)
    if (!(fabs(x[i] - y[i]) <= most))
      fail_msg("%s at %g, %s at %g: number %d is %.17g, %.17g", a, ta, b, tb, i, x[i], y[i]);
}

/* Long before the checkpoints that are kept, between them, and at the end; bit for bit where steps end. */
static void a_run_begins_with_the_state_of_another(void** state) {
  (void)state;
  static const struct {
    const char *scenario, *from;
    double t, most;
  } rows[] = {
      {"swing.yaml", "0.5", 0.5, 0},
      {"swing.yaml", "2.94s", 2.94, 0},
      {"swing.yaml", "end", 3, 0},
      {"swing.yaml", "0", 0, 0},
      {"floater.yaml --set log.signals=[q,v]", "1.5", 1.5,
       1e-15},                           /* inside a step, its attitude normalised again */
      {"held.yaml", "2.5", 2.5, 0},      /* a checkpoint, where the step ends */
      {"held.yaml", "2.68", 2.68, 1e-9}, /* inside a step */
      {"held.yaml", "4", 4, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[400];
    snprintf(line, sizeof line,
             "rm -rf a b; $FB run %s -o a --quiet && $FB run %s -o b --duration 0.1 --quiet --from a@%s",
             rows[i].scenario, rows[i].scenario, rows[i].from);
    check_line(line, 0);
    check_near("a", rows[i].t, "b", 0, rows[i].most);
  }
}

static void states_of_blocks_and_the_mode_go_on(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run held.yaml -o whole --quiet", 0, "", ""},
      {"$FB run held.yaml -o second --duration 2.5s --from whole@1.5", 0, "finished",
       "freebody run: begins with the state of whole at t = 1.5 s: 2 joints, states of 1 block\n"},
      {"$FB run held.yaml -o third --duration 1 --quiet --from second@1.5", 0, "",
       ""}, /* of one that did so itself */
  };
  CHECK_CASES(cases);
  check_near("whole", 4, "second", 2.5, 1e-7);
  check_near("whole", 4, "third", 1, 1e-7);
}

static void what_is_taken_and_what_is_not_is_said(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run floater.yaml -o f --quiet --duration 1 && $FB run swing.yaml -o s --quiet", 0, "", NULL},
      {"sed 's/elbow/wrist/g; s/type: spherical/type: revolute, axis: [1, 0, 0]/' floater.yaml > "
       "other.yaml; $FB "
       "run other.yaml "
       "--quiet -o o --duration 0.1 --from f",
       0, "", "has no joints of these names, which begin as the scenario says: wrist\n"},
      {"$FB run other.yaml -o o2 --duration 0.1 --from f", 0, "finished", "which the other run has: elbow\n"},
      {"$FB run other.yaml -o o3 --duration 0.1 --from f", 0, "finished",
       "of another kind than in the other run, and begin as the scenario says: drive\n"},
      {"$FB run swing.yaml -o n --from f", 2, "", "f: the other run has no joint of this scenario"},
      {"test ! -e n", 0, "", ""},
      {"$FB run swing.yaml -o n --from s@3.1", 2, "",
       "s: there is no state at t = 3.1 s: this run is from 0 to 3 s"},
      {"$FB run swing.yaml -o n --from s@-1", 2, "", "s: there is no state at t = -1 s"},
      {"$FB run swing.yaml -o n --from s@soon", 2, "", "--from RUN@TIME takes a time"},
      {"$FB run swing.yaml -o n --from nowhere@1", 2, "", "nowhere: there is no such folder"},
      {"$FB run swing.yaml -o n --from swing.yaml", 2, "", "swing.yaml"},
      {"$FB run --resume s --from f", 2, "",
       "leave out --set, --from, --base, --inertia, --mimic and --package"},
      {"$FB run swing.yaml -o n --from s --set 'start={joints: {hinge: 1}}'", 2, "",
       "conflicts with a start"},
      {"cp -r s bare; rm -r bare/inputs; $FB run swing.yaml -o n --from bare", 2, "", "bare/inputs"},
      {"$FB run swing.yaml -o q --quiet --duration 0.1 --from s", 0, "", ""},
      {"cp -r s s@1; $FB run swing.yaml -o at --quiet --duration 0.1 --from s@1 && grep -c '\"t\": 0.1,' "
       "at/summary.json",
       0, "1", ""},
      {"$FB run swing.yaml -o s --force --quiet --duration 1 --from s", 0, "",
       ""}, /* from what it replaces */
  };
  CHECK_CASES(cases);
}

/* A single value may be changed; the rest comes from the run. */
static void overrides_of_joints_hold(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run swing.yaml -o a --quiet --duration 0.5 && $FB run swing.yaml -o b --quiet --duration 0.1 "
       "--from a --set "
       "start.rates.hinge=0.25",
       0, "", ""},
      {"$FB export b -o - --signals v --to 0 | tail -n 1", 0, "0,0.25\n", ""},
      {"test \"$($FB export b -o - --signals q --to 0 | tail -n 1 | cut -d, -f2)\" = \"$($FB export a -o - "
       "--signals q "
       "--from 0.5 | tail -n 1 | cut -d, -f2)\"",
       0, "", ""},
  };
  CHECK_CASES(cases);
}

static void loops_that_the_state_leaves_open_are_closed_and_it_is_said(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run geared.yaml -o a --quiet && $FB run geared.yaml -o b --quiet --from a", 0, "", ""},
      {"$FB run geared.yaml -o c --quiet --from a --set 'model.loops[0].offset=3'", 0, "",
       "this state leaves the loop \"belt\" open by 3 (m or rad); joints are moved until it is closed\n"},
      {"$FB run geared.yaml -o d --quiet --from a --set start.joints.b=-1 --set start.rates.b=2", 0, "",
       NULL},
      {"$FB export d -o - --signals q,v --to 0 | tail -n 1", 0, "0,-2,-1,4,2\n", ""},
  };
  CHECK_CASES(cases);
}

/* Also before its first checkpoint, when it begins again; and without the run that its state is of. */
static void such_a_run_is_resumed_to_the_same_end(void** state) {
  (void)state;
  check_line(
      "$FB run held.yaml -o a --quiet && $FB run held.yaml -o uncut --quiet --from a@1.5 --set checkpoint=9s",
      0);
  assert_int_equal(
      interrupt("exec $FB run held.yaml -o cut --quiet --realtime --from a@1.5 --set checkpoint=9s", "cut",
                SIGKILL),
      -1);
  static const shell_case cases[] = {
      {"$FB run held.yaml -o cut --resume --from a@1.6", 2, "",
       "(--from) is not the one that this run was begun with"},
      {"cp -r cut again; $FB run held.yaml -o again --resume --quiet --from a@1.5", 0, "", ""},
      {"rm -r a; $FB run --resume cut --quiet", 0, "", ""},
  };
  CHECK_CASES(cases);
  assert_same_runs("uncut", "cut");
  assert_same_runs("uncut", "again");
}

/* The text is that of a run folder, which may come from a stranger. */
static void states_that_no_run_has_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *want;
  } rows[] = {
      {"", ""},
      {"7", ""},
      {"[]", ""},
      {"{}", "joints"},
      {"{joints: 3}", "no joint of this scenario"},
      {"{joints: [3]}", ""},
      {"{joints: [{name: hinge}]}", "'q'"},
      {"{joints: [{name: [hinge], q: [1], v: [0]}]}", ""},
      {"{joints: [{name: hinge, q: [.nan], v: [0]}]}", ""},
      {"{joints: [{name: hinge, q: [x], v: [0]}]}", ""},
      {"{joints: [{name: hinge, q: [1, 2], v: [0]}]}", "no joint of this scenario"},
      {"{joints: [{name: pivot, q: [0, 0, 0, 0], v: [0, 0, 0]}]}", ""},
      {"{joints: [{name: hinge, q: [1], v: [0]}], blocks: [{name: law, state: [.inf]}]}", ""},
      {"{joints: [{name: hinge, q: [1], v: [0]}], blocks: {law: 3}, mode: [hold], t: {}, run: []}", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_scenario* s = NULL;
    fb_error error;
    fb_error_clear(&error);
    if (fb_scenario_read("held.yaml", NULL, &s, &error)) fail_msg("%s", error.text);
    fb_status status = fb_scenario_use_state(s, rows[i].text, NULL, NULL, &error);
    if ((status == FB_OK) != !rows[i].want) fail_msg("%s: %d %s", rows[i].text, (int)status, error.text);
    if (rows[i].want && !strstr(error.text, rows[i].want)) fail_msg("%s: %s", rows[i].text, error.text);
    fb_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, open_with_scenarios, scratch_close)
      T(a_run_begins_with_the_state_of_another),
      T(states_of_blocks_and_the_mode_go_on),
      T(what_is_taken_and_what_is_not_is_said),
      T(overrides_of_joints_hold),
      T(such_a_run_is_resumed_to_the_same_end),
      T(states_that_no_run_has_are_refused),
      T(loops_that_the_state_leaves_open_are_closed_and_it_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
