/* test_plugin_run.c -- the command and plugins that go wrong in the middle of a run: it survives them, says what happened,
 * where, what is kept, and marks the run; signals reach the run as if there were one process. */
#include "run_command.h"

#include <signal.h>
#include <time.h>

#include "plugins/faults.h"

/* What the store says of how the run ended. */
#define STATUS_OF_RUN                                                                         \
  "python3 -c \"import sqlite3; print(*sqlite3.connect('x.run/run.db').execute('SELECT text " \
  "FROM meta WHERE key = \\\"status\\\"'))\""

/* The pendulum, with the good plugin and a fault of it. Sanitizers leave its crashes alone. */
static int open_all(void** state) {
  if (setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1)) return -1;
  if (setenv("TSAN_OPTIONS", "handle_segv=0:handle_abort=0", 1)) return -1;
  if (setenv("UBSAN_OPTIONS", "handle_segv=0:handle_abort=0", 1)) return -1;
  if (scratch_open(state)) return -1;
  spill("law.yaml",
        "scenario: 1\n"
        "model:\n"
        "  bodies:\n"
        "    - {name: bob, mass: 1 kg, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1, 0, 0, 0],\n"
        "       joint: {name: hinge, type: revolute, axis: [0, 1, 0]}}\n"
        "gravity: [0, 0, -9.81]\n"
        "start: {joints: {hinge: 60 deg}}\n"
        "duration: 1 s\n"
        "checkpoint: 0.05 s\n"
        "integrator: {method: rk4, step: 5 ms}\n"
        "log: {period: 10 ms, signals: [q, energy]}\n"
        "control:\n"
        "  - {name: law, type: plugin, file: " FB_PLUGINS
        "/good.so, parameters: {kp: 40, ki: 10, kd: 8, fault: 0}}\n");
  return 0;
}

/* Runs law.yaml with a fault, into x.run; `more` are options. */
static outcome run_fault(int which, const char* more) {
  char line[400];
  snprintf(line, sizeof line,
           "rm -rf x.run; $FB run law.yaml -o x.run --set control[0].parameters.fault=%d %s", which, more);
  return run(line);
}

static void runs_survive_plugins_that_end_their_process(void** unused) {
  (void)unused;
  static const struct {
    int which;
    const char* text;
  } cases[] = {
      {CRASH_LATE, "good.so', block \"law\": in the block's act it crashed: signal 11"},
      {ABORT_LATE, "good.so', block \"law\": in the block's act it crashed: signal 6"},
      {STACK_LATE, "good.so', block \"law\": in the block's act it crashed: signal 11"},
      {EXIT_ACT, "good.so', block \"law\": in the block's act it ended its process with exit code 0"},
      {EXIT_HARD, "good.so', block \"law\": in the block's act it ended its process with exit code 0"},
      {EXIT_TICK, "good.so', block \"law\": in the block's tick it ended its process with exit code 0"},
      {EXIT_EDGE, "good.so', block \"law\": in the block's next_edge it ended its process with exit code 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome o = run_fault(cases[i].which, "--quiet");
    if (o.code != 1) fail_msg("fault %d: exit %d, not 1: '%s'", cases[i].which, o.code, o.err);
    check_text("run", "standard error", o.err, cases[i].text);
    check_text("run", "standard error", o.err, "freebody run: at t = 0.");
    check_text("run", "standard error", o.err, "What was computed until t = 0.1");
    check_text("run", "standard error", o.err, "is kept in x.run; to look at it: freebody plot x.run energy");
    check_text("run", "standard error", o.err, "run the scenario again with --force");
    outcome_free(&o);
    /* what was committed is there, and the store says why there is no more */
    const shell_case after[] = {
        {"$FB export x.run -o - | wc -l | sed 's/^ *//'", 0, cases[i].which == EXIT_TICK ? "17" : "12", ""},
        {STATUS_OF_RUN, 0, "failed: at t = 0.", ""},
        {"ls x.run", 0, "run.db", ""},
        {"test ! -e x.run/summary.json", 0, "", ""},
    };
    CHECK_CASES(after);
  }
}

/* A resumed run has the copy of the plugin, so it fails again, from the last checkpoint on. */
static void runs_that_a_plugin_ended_can_be_resumed(void** unused) {
  (void)unused;
  outcome o = run_fault(CRASH_LATE, "--quiet");
  outcome_free(&o);
  const shell_case cases[] = {
      {"$FB run --resume x.run --quiet", 1, "", "at t = 0.1025 s: plugin 'x.run/inputs/"},
      {"$FB run --resume x.run --quiet", 1, "", "in the block's act it crashed: signal 11"},
      {"$FB run law.yaml -o whole --quiet && $FB run law.yaml -o x.run --force --quiet && "
       "$FB export whole -o - >a && $FB export x.run -o - >b && cmp a b",
       0, "", ""},
  };
  CHECK_CASES(cases);
}

static void plugins_that_crash_at_the_start_are_refused(void** unused) {
  (void)unused;
  const shell_case cases[] = {
      {"$FB run law.yaml -o never --set control[0].parameters.fault=20", 1, "",
       "freebody run: plugin '" FB_PLUGINS
       "/good.so', block \"law\": in the block's act it crashed: signal 11"},
      {"test ! -e never", 0, "", ""},
      {"sed 's/fault: 0/fault: 20/' law.yaml >away.yaml; $FB check away.yaml", 2, "",
       "good.so', block \"law\": in the block's act it crashed: signal 11"},
      {"$FB check law.yaml away.yaml law.yaml", 2, "law.yaml: ok", "signal 11"},
      {"$FB check law.yaml", 0, "law.yaml: ok", ""},
  };
  assert_int_equal(CRASH_AWAY, 20);
  CHECK_CASES(cases);
}

/* The run is whole by then. */
static void plugin_that_crashes_when_it_is_freed_leaves_the_run_whole(void** unused) {
  (void)unused;
  outcome o = run_fault(CRASH_FREE, "");
  assert_int_equal(o.code, 1);
  check_text("run", "standard output", o.out, "law: finished");
  check_text("run", "standard error", o.err, "in the block's free it crashed: signal 11");
  check_text("run", "standard error", o.err, "The run had ended by then, and is kept in x.run");
  outcome_free(&o);
  const shell_case cases[] = {{"$FB run --resume x.run", 0, "this run is complete", ""}};
  CHECK_CASES(cases);
}

/* --- signals --- */

/* A run that goes on, and the process inside. */
typedef struct running {
  pid_t command, child;
} running;

static void nap(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
}

static int child_of(pid_t parent) {
  char line[64];
  int child = 0;
  snprintf(line, sizeof line, "pgrep -P %d", (int)parent);
  FILE* f = popen(line, "r");
  assert_non_null(f);
  if (fscanf(f, "%d", &child) != 1) child = 0;
  pclose(f);
  return child;
}

static void become_command(int ignored, const char* first, const char* folder, int which) {
  char fault[64];
  snprintf(fault, sizeof fault, "control[0].parameters.fault=%d", which);
  alarm(60); /* whatever happens, it ends */
  if (!freopen("stdout.txt", "w", stdout) || !freopen("stderr.txt", "w", stderr)) _exit(126);
  if (ignored) signal(ignored, SIG_IGN);
  if (folder)
    execl(getenv("FB"), "freebody", "run", first, "-o", folder, "--duration", "1000", "--realtime", "--force",
          "--set", fault, (char*)NULL);
  else
    execl(getenv("FB"), "freebody", "run", "--resume", first, "--realtime", (char*)NULL);
  _exit(127);
}

/* Starts law.yaml with a fault (which < 0: takes x.run up), and waits until it computes. */
static running begin(int which, int ignored) {
  const char* ready = which < 0 ? STATUS_OF_RUN " | grep -q running"
                                : "$FB export x.run -o - 2>/dev/null | grep -q '^0\\.[1-9]'";
  running r = {0};
  if (which >= 0) unlink("x.run/run.db");
  fflush(NULL);
  r.command = fork();
  if (r.command == 0)
    become_command(ignored, which < 0 ? "x.run" : "law.yaml", which < 0 ? NULL : "x.run", which);
  assert_true(r.command > 0);
  for (int i = 0; i < 500 && !r.child; i++, nap(0.02))
    if (access("x.run/run.db", F_OK) == 0) r.child = child_of(r.command);
  assert_true(r.child > 0);
  for (int i = 0; i < 500 && system(ready) != 0; i++) nap(0.02);
  if (which == HANG_LATE) nap(0.5);
  return r;
}

/* How it ended: the exit code, or 128 and the signal; and that nobody is left. */
static int end_of(const running* r) {
  int status = 0;
  assert_int_equal(waitpid(r->command, &status, 0), r->command);
  for (int i = 0; i < 200 && kill(r->child, 0) == 0; i++) nap(0.02);
  if (kill(r->child, 0) == 0) fail_msg("the child is still there");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void check_status(const char* want) {
  const shell_case cases[] = {{STATUS_OF_RUN, 0, want, ""}};
  CHECK_CASES(cases);
}

static void check_said(const char* want) {
  char* err = slurp("stderr.txt");
  check_text("run", "standard error", err, want);
  free(err);
}

/* A signal to the command, to its child or to both, as the terminal sends it, asks for the end once. */
static void signals_reach_a_run_with_plugins_once(void** unused) {
  (void)unused;
  static const struct {
    int which, signal, to_command, to_child, ignored;
  } cases[] = {
      {NO_FAULT, SIGINT, 1, 0, 0}, {NO_FAULT, SIGINT, 1, 1, 0},       {-1, SIGTERM, 1, 1, 0}, /* resumed */
      {NO_FAULT, SIGHUP, 1, 1, 0}, {NO_FAULT, SIGTERM, 1, 0, SIGHUP},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    running r = begin(cases[i].which, cases[i].ignored);
    if (cases[i].ignored) kill(r.command, cases[i].ignored);
    if (cases[i].to_child) kill(r.child, cases[i].signal);
    if (cases[i].to_command) kill(r.command, cases[i].signal);
    assert_int_equal(end_of(&r), 1);
    check_said("freebody run: interrupted at t = ");
    check_said("to go on: freebody run --resume x.run");
    check_status("interrupted");
  }
}

static void second_signal_ends_a_plugin_that_hangs(void** unused) {
  (void)unused;
  static const int signals[] = {SIGINT, SIGTERM};
  for (int i = 0; i < 2; i++) {
    running r = begin(HANG_LATE, 0);
    kill(r.child, signals[i]);
    kill(r.command, signals[i]);
    nap(0.2);
    assert_int_equal(waitpid(r.command, NULL, WNOHANG), 0);
    kill(r.command, signals[i]);
    assert_int_equal(end_of(&r), 128 + signals[i]);
    check_said("in the block's act of plugin '" FB_PLUGINS "/good.so', block \"law\"");
    check_said("What was logged is kept in x.run; to go on: freebody run --resume x.run");
    check_status("running");
  }
}

static void child_dies_with_the_command_and_the_command_outlives_the_child(void** unused) {
  (void)unused;
  running r = begin(NO_FAULT, 0);
  kill(r.command, SIGKILL);
  assert_int_equal(end_of(&r), 128 + SIGKILL);
  r = begin(-1, 0);
  kill(r.child, SIGKILL);
  assert_int_equal(end_of(&r), 1);
  check_said("was killed (signal 9), by somebody or because memory ran out");
  check_said("to go on: freebody run --resume x.run");
  check_status("failed: at t = ");
}

/* Ctrl-Z reaches both; a signal to the command alone stops the child, too. */
static void stopping_stops_both(void** unused) {
  (void)unused;
  char line[200];
  running r = begin(NO_FAULT, 0);
  snprintf(line, sizeof line, "ps -o stat= -p %d -p %d | cut -c 1 | tr -d '\\n'", (int)r.command,
           (int)r.child);
  kill(r.command, SIGTSTP);
  nap(0.2);
  outcome stopped = run(line);
  kill(r.command, SIGCONT);
  nap(0.2);
  outcome gone_on = run(line);
  kill(r.command, SIGINT);
  assert_int_equal(end_of(&r), 1);
  assert_string_equal(stopped.out, "TT");
  assert_null(strchr(gone_on.out, 'T'));
  outcome_free(&stopped);
  outcome_free(&gone_on);
}

static void plugins_are_not_loaded_where_they_are_not_wanted(void** unused) {
  (void)unused;
  /* One that crashes as soon as it is loaded would be told as such. */
  spill("bad.yaml",
        "scenario: 1\nmodel: {bodies: [{name: b, mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0], joint: {name: j, "
        "type: prismatic, axis: [1, 0, "
        "0]}}]}\n"
        "control: [{name: law, type: plugin, file: " FB_PLUGINS "/crash_loading.so}]\n");
  static const shell_case cases[] = {
      {"$FB check bad.yaml", 2, "", "it crashed while it was loaded"},
      {"$FB check --no-plugins bad.yaml", 2, "", "--no-plugins was given"},
      {"$FB run --no-plugins bad.yaml -o y.run; e=$?; test ! -e y.run && exit $e", 2, "",
       "--no-plugins was given"},
      {"mkfifo p.so; sed 's|file: .*}]|file: p.so}]|' bad.yaml >pipe.yaml; timeout 20 $FB check pipe.yaml", 2,
       "", "pipe"},
  };
  CHECK_CASES(cases);
}

static void output_of_a_run_with_plugins_is_as_of_any_other(void** unused) {
  (void)unused;
  const shell_case cases[] = {
      {"$FB run law.yaml -o y.run", 0, "law: finished", ""},
      {"$FB run law.yaml -o y.run", 2, "", "already contains a run"},
      {"$FB run law.yaml -o y.run --force >/dev/full", 1, "", "cannot write all of the output"},
      {"$FB run - -o z.run --quiet <law.yaml && $FB export y.run -o - >a && $FB export z.run -o - >b && cmp "
       "a b",
       0, "", ""},
      {"$FB run law.yaml -o y.run --force --export csv,h5 --quiet && ls y.run", 0, "log.csv\nlog.h5", ""},
      {"$FB run law.yaml -o y.run --force --duration", 2, "", "--duration needs a value"},
      {"$FB run law.yaml -o /dev/null/y", 1, "", "a run needs a folder"},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_survive_plugins_that_end_their_process),
      cmocka_unit_test(runs_that_a_plugin_ended_can_be_resumed),
      cmocka_unit_test(plugins_that_crash_at_the_start_are_refused),
      cmocka_unit_test(plugin_that_crashes_when_it_is_freed_leaves_the_run_whole),
      cmocka_unit_test(signals_reach_a_run_with_plugins_once),
      cmocka_unit_test(second_signal_ends_a_plugin_that_hangs),
      cmocka_unit_test(child_dies_with_the_command_and_the_command_outlives_the_child),
      cmocka_unit_test(stopping_stops_both),
      cmocka_unit_test(plugins_are_not_loaded_where_they_are_not_wanted),
      cmocka_unit_test(output_of_a_run_with_plugins_is_as_of_any_other),
  };
  return cmocka_run_group_tests_name("plugin_run", tests, open_all, scratch_close);
}
