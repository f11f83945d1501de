/* test_run_join.c -- runs whose events join and part trees: what the store, the summary and the log have of it; kill -9 at
 * moments around a capture, resumed to the same bytes; files and events that are refused. */
#define _XOPEN_SOURCE 700
#include "run_command.h"
#include "run_rows.h"
#include "same_runs.h"

#include <math.h>

#include <freebody/freebody.h>
#include <freebody/run.h>
#include <freebody/store.h>

/* A chaser with an arm, a target with a mast; PD laws, one of them sampled with delay and noise, and thrusters. */
static const char CAPTURE[] =
    "scenario: 1\n"
    "name: capture\n"
    "model:\n"
    "  freebody: 1\n"
    "  bodies:\n"
    "    - {name: chaser, joint: {type: free}, mass: 100, inertia: [20, 22, 24, 0, 0, 0]}\n"
    "    - {name: upper, parent: chaser, mass: 5, inertia: [0.2, 0.5, 0.5, 0, 0, 0],\n"
    "       joint: {name: shoulder, type: revolute, axis: [0, 1, 0], at: [1, 0, 0], damping: 0.5}}\n"
    "    - {name: fore, parent: upper, mass: 4, inertia: [0.2, 0.5, 0.5, 0, 0, 0],\n"
    "       joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [1, 0, 0], limits: [-1, 0.01]},\n"
    "       frames: [{name: hand, at: [1, 0, 0]}]}\n"
    "    - {name: target, joint: {type: free}, mass: 40, inertia: [4, 5, 6, 0, 0, 0]}\n"
    "    - {name: antenna, parent: target, mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0],\n"
    "       joint: {name: mast, type: revolute, axis: [0, 0, 1], at: [1, 0, 0]},\n"
    "       frames: [{name: grip, at: [0.5, 0, 0]}]}\n"
    "start:\n"
    "  bases: {target: {at: [1.5, 0, 0], velocity: [0.1, 0.02, 0], angular_velocity: [0.05, 0.1, 0.2]}}\n"
    "control:\n"
    "  - {name: arm, type: joint_pd, joints: [shoulder, elbow], kp: 5, kd: 10, ki: 1}\n"
    "  - {name: sampled, type: joint_pd, joints: [mast], kp: 2, kd: 1,\n"
    "     sample: {period: 20 ms, delay: 30 ms, noise: {rate: 1e-3}}}\n"
    "  - {name: script, type: lua, period: 20 ms, text: \"local k = joint('shoulder') state = {n = 0} \\n\\\n"
    "     function tick(t, q, v) state.n = state.n + 1 \\n\\\n"
    "     local f = {} for i = 1, nv do f[i] = 0 end f[k] = -0.3 * v[k] + 0.01 * state.n return f end\"}\n"
    "  - {name: hold, type: attitude, body: chaser, kp: 4, kd: 20}\n"
    "  - {name: own, type: attitude, body: target, kp: 1, kd: 2}\n"
    "events:\n"
    "  - {name: stops, limit: elbow, do: [{bounce: {restitution: 0.2}}]}\n"
    "  - {name: capture, at: 0.503, do: [{join: {name: grasp, frame: grip, to: hand, force: true}}]}\n"
    "  - {name: let_go, at: 0.8, do: [{part: grasp}, {part: mast}]}\n"
    "duration: 1 s\n"
    "checkpoint: 0.1 s\n"
    "integrator: {method: rk4, step: 2 ms}\n"
    "log: {period: 10 ms, signals: [q, v, a, tau, work, energy, momentum, p.grip]}\n";

static fb_scenario* read_capture(const char* method) {
  fb_scenario* s = NULL;
  fb_error error;
  const char* set[] = {method, NULL};
  fb_scenario_options options = fb_default_scenario_options();
  options.set = set;
  spill("capture.yaml", CAPTURE);
  if (fb_scenario_read("capture.yaml", &options, &s, &error)) fail_msg("%s: %s", error.path, error.text);
  return s;
}

static void finish(fb_run* run) {
  fb_error error;
  if (fb_run_until(run, INFINITY, INFINITY, &error)) fail_msg("%s", error.text);
  if (fb_run_finish(run, &error)) fail_msg("%s", error.text);
  fb_run_free(run);
}

static void run_whole(const char* method, const char* folder) {
  fb_run_options options = fb_default_run_options();
  fb_run* run;
  fb_error error;
  fb_scenario* s = read_capture(method);
  options.replace = 1;
  if (fb_run_create(s, folder, &options, &run, &error)) fail_msg("%s", error.text);
  finish(run);
  fb_scenario_free(s);
}

/* A process that begins the run, or resumes it, and kills itself where it has come to t. */
static void run_and_die(const char* method, const char* folder, double t, int resumes) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    fb_run_options options = fb_default_run_options();
    fb_run* run = NULL;
    fb_error error;
    options.commit_period = 1e-9; /* whenever it looks at the clock */
    options.replace = 1;
    fb_status status = resumes ? fb_run_resume(folder, NULL, &options, &run, &error)
                               : fb_run_create(read_capture(method), folder, &options, &run, &error);
    if (status || fb_run_until(run, t, INFINITY, &error)) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) fail_msg("at %g s: status %d", t, status);
}

static void resume(const char* folder) {
  fb_run* run = NULL;
  fb_error error;
  if (fb_run_resume(folder, NULL, NULL, &run, &error)) fail_msg("%s", error.text);
  assert_non_null(run);
  finish(run);
}

/* Texts, checkpoints and epochs of samples and events, as one text. */
static char* rows_of(const char* folder) {
  static const char sql[] =
      "SELECT group_concat(x, char(10)) FROM (SELECT key || text AS x FROM (SELECT * FROM meta WHERE key "
      "LIKE "
      "'model%' ORDER BY key) UNION ALL SELECT id || t || name || text || epoch FROM event UNION ALL SELECT "
      "id || "
      "t || samples || events || epoch || hex(data) FROM checkpoint UNION ALL SELECT epoch || ' ' || "
      "sum(count) "
      "FROM block GROUP BY epoch)";
  return query_run(folder, sql);
}

static void runs_killed_around_a_capture_resume_to_the_same_bytes(void** state) {
  static const char* const methods[] = {"integrator={method: rk4, step: 2 ms}",
                                        "integrator={method: dopri5, max_step: 5 ms}",
                                        "integrator={method: implicit, step: 2 ms}"};
  static const double moments[] = {0,     0.1,   0.3,   0.4,  0.45, 0.49, 0.498, 0.5,   0.502, 0.503,
                                   0.505, 0.507, 0.509, 0.52, 0.55, 0.6,  0.7,   0.799, 0.801, 0.9};
  (void)state;
  for (int m = 0; m < 3; m++) {
    run_whole(methods[m], "whole");
    char* whole = rows_of("whole");
    for (size_t i = (size_t)m; i < sizeof moments / sizeof moments[0]; i += m == 0 ? 1 : 4) {
      run_and_die(methods[m], "killed", moments[i], 0);
      if (i % 3 == 0) run_and_die(methods[m], "killed", moments[i] + 0.02, 1); /* and once more */
      resume("killed");
      char* killed = rows_of("killed");
      if (strcmp(whole, killed) != 0) fail_msg("%s, killed at %g s: rows differ", methods[m], moments[i]);
      free(killed);
      assert_same_runs("whole", "killed");
    }
    free(whole);
  }
}

/* --- what is said, and what is refused --- */

#define JOIN(what) \
  "$FB run capture.yaml -o refused --force --quiet --set 'events.capture.do=[{join: {" what "}}]'"
#define PART(what) \
  "$FB run capture.yaml -o refused --force --quiet --set 'events.let_go.do=[{part: " what "}]'"

static void joins_that_cannot_be_are_refused(void** state) {
  (void)state;
  spill("capture.yaml", CAPTURE);
  const shell_case cases[] = {
      {JOIN("name: grasp, frame: grap, to: hand"), 2, NULL, "there is no frame 'grap'; did you mean 'grip'?"},
      {JOIN("name: grasp, frame: world, to: hand"), 2, NULL, "the world does not move"},
      {JOIN("name: grasp, frame: grip, to: antenna"), 2, NULL, "are on one body, 'antenna'"},
      {JOIN("name: mast, frame: grip, to: hand"), 2, NULL, "the model has a joint 'mast' already"},
      {JOIN("name: grasp, frame: grip, to: hand, type: welt"), 2, NULL, "did you mean 'weld'?"},
      {JOIN("name: grasp, frame: grip, to: hand, type: free"), 2, NULL, "is not a type of a join"},
      {JOIN("name: grasp, frame: grip, to: hand, axis: [1, 0, 0]"), 2, NULL, "cannot have 'axis'"},
      {JOIN("frame: grip, to: hand"), 2, NULL, "needs the key 'name'"},
      {PART("grosp"), 2, NULL, "there is no joint 'grosp'"},
      {PART("antenna"), 2, NULL, "its joint is 'mast'"},
      {PART("target"), 2, NULL, "the free joint of a floating base"},
      {JOIN("name: grasp, frame: grip, to: hand"), 1, NULL, "m apart, more than 1e-06 m"},
      {JOIN("name: grasp, frame: grip, to: target"), 1, NULL, "close a loop; part them first, or give"},
      {JOIN("name: grasp, frame: antenna, to: target, force: true"), 1, NULL, "close a loop"},
      {"$FB run capture.yaml -o refused --force --quiet --set events.capture.at=0.9", 1, NULL,
       "event \"let_go\": there is no joint 'grasp'"},
      {"$FB run capture.yaml -o refused --force --quiet --set 'events.let_go.do=[{part: mast}, {lock: "
       "mast}]'",
       1, NULL, "joint 'mast' has gone"},
      {"test -f refused/run.db && $FB export refused -o kept.csv", 0, NULL, NULL}, /* the log is kept */
      {"$FB run capture.yaml -o drawn --force --quiet && $FB view drawn -o drawn.glb", 0, NULL, NULL},
      {"$FB run capture.yaml -o noted --force", 0, "joined: impulse",
       "block \"own\": joint \"target\" has gone"},
      {"$FB run capture.yaml -o whole --force --quiet && $FB run capture.yaml -o next --force --quiet --from "
       "whole@0.7",
       0, NULL, NULL},
      {"$FB run capture.yaml -o next --force --from whole@0.7 2>&1 | grep -c 'has parted'", 1, "0", NULL},
      {"$FB run capture.yaml -o next --force --from whole@0.9", 0, NULL,
       "the other run has parted these joints, which are closed at the start and hold their bodies where the "
       "scenario says: mast\n"},
      {"sed 's/mast, type: revolute, axis: .0, 0, 1., at/mast, type: fixed, at/; /name: sampled/,+1d' "
       "capture.yaml > fixed.yaml; $FB run fixed.yaml -o fixed --force --quiet && $FB run fixed.yaml -o next "
       "--force --from fixed@0.9",
       0, NULL, "has parted these joints"},
  };
  check_cases(cases, sizeof cases / sizeof cases[0]);
}

/* The store has the model of each epoch, which can be read, and the summary has the joins. */
static void the_store_keeps_the_models_of_all_epochs(void** state) {
  (void)state;
  fb_store* store;
  fb_error error;
  run_whole("integrator={method: rk4, step: 2 ms}", "whole");
  assert_int_equal(fb_store_open("whole", &store, &error), FB_OK);
  for (int epoch = 1; epoch <= 3; epoch++) {
    char key[24];
    fb_model_def* def = NULL;
    snprintf(key, sizeof key, "model.%d", epoch);
    const char* text = fb_store_get_text(store, key);
    assert_non_null(text);
    if (fb_model_def_parse(text, strlen(text), "model.json", NULL, &def, &error)) fail_msg("%s", error.text);
    fb_model* m = NULL;
    if (fb_model_build(def, NULL, &m, &error)) fail_msg("%s", error.text);
    assert_int_equal(fb_model_ntree(m), epoch == 1 ? 1 : epoch == 2 ? 2 : 3);
    fb_model_free(m);
    fb_model_def_free(def);
  }
  assert_null(fb_store_get_text(store, "model.4"));
  fb_store_close(store, &error);
  char* summary = summary_of("whole");
  assert_non_null(strstr(summary, "\"join\": \"grasp\""));
  assert_non_null(strstr(summary, "\"part\": \"mast\""));
  assert_non_null(strstr(summary, "\"energy_lost\""));
  free(summary);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_killed_around_a_capture_resume_to_the_same_bytes),
      cmocka_unit_test(joins_that_cannot_be_are_refused),
      cmocka_unit_test(the_store_keeps_the_models_of_all_epochs),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
