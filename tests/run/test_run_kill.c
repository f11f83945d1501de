/* test_run_kill.c -- runs that are killed or interrupted at random moments and resumed end bit for bit like one that
 * was not.
 *
 * FB_KILLS kills and FB_SIGNALS interruptions (SIGINT and SIGTERM in turn) over the methods, at moments drawn evenly
 * from a little more than the time that a whole run takes, start of the program included. Those that come after the end
 * do not count. The environment may ask for other numbers. What must agree: exported samples and events, the last
 * checkpoints, the summary. tests/faults kills at every write instead, in a shorter run. */
#define _XOPEN_SOURCE 700
#include "run_command.h"
#include "run_rows.h"
#include "run_scenarios.h"
#include "same_runs.h"
#include "sample.h"

#include <signal.h>
#include <time.h>

#include <freebody/store.h>

static const struct {
  const char *name, *integrator, *checkpoint;
} METHODS[] = {
    {"rk4", "integrator={method: rk4, step: 0.5 ms}", "checkpoint=0.2"},
    {"dopri5", "integrator={method: dopri5, max_step: 1 ms}", "checkpoint=0.2"},
    {"momentum", "integrator={method: momentum, step: 1 ms}", "checkpoint=0.25"},
#ifdef FB_SUNDIALS
    {"cvode", "integrator={method: cvode, max_step: 2 ms}", "checkpoint=0.2"},
    {"arkode", "integrator={method: arkode, max_step: 20 ms}", "checkpoint=0.2"},
#endif
};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

/* A push, and elements between frames: a tether that is now taut, now loose, and a spring whose length is that at the start. */
static const char FORCES[] =
    "forces=[{name: puff, frame: hull, force: [1, 2, 0], from: 0.9 s, to: 1.3 s},"
    " {name: cord, type: spring, a: hand, b: hull, stiffness: 60, damping: 1, length: 1.4 m, slack: true},"
    " {name: tie, type: spring, a: panel, b: world, stiffness: 3}]";

static unsigned long long seed = 20260417;

static double draw(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(seed >> 11) / 9007199254740992.0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static pid_t start_run(int method, const char* folder) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(120); /* whatever happens, it ends */
    execl(getenv("FB"), "freebody", "run", "floater.yaml", "--output", folder, "--resume", "--quiet",
          "--duration", "10", "--set", METHODS[method].integrator, "--set", METHODS[method].checkpoint,
          "--set", FORCES, (char*)NULL);
    _exit(127);
  }
  assert_true(child > 0);
  return child;
}

/* Runs to the end; returns how long it took [s]. */
static double run_to_end(int method, const char* folder) {
  double begin = now();
  int status = -1;
  waitpid(start_run(method, folder), &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s: status %d", METHODS[method].name, status);
  return now() - begin;
}

/* Whether the signal came before the end. A run that is interrupted says so by exit code 1; before it listens, the
 * signal ends it. */
static int run_and_signal(int method, const char* folder, int number, double after) {
  pid_t child = start_run(method, folder);
  const struct timespec wait = {(time_t)after, (long)(1e9 * (after - (double)(time_t)after))};
  nanosleep(&wait, NULL);
  kill(child, number);
  int status = -1;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == number) return 1;
  int interrupted = number != SIGKILL && WIFEXITED(status) && WEXITSTATUS(status) == 1;
  if (!interrupted && status != 0) fail_msg("%s: status %d", METHODS[method].name, status);
  return interrupted;
}

/* --- what a run left --- */

/* Checkpoints as hexadecimal text, one a line. */
static char* checkpoints_of(const char* folder) {
  static const char sql[] =
      "SELECT group_concat(id || ' ' || t || ' ' || samples || ' ' || events || ' ' || hex(data), char(10)) "
      "FROM "
      "(SELECT * FROM checkpoint ORDER BY id)";
  return query_run(folder, sql);
}

static char* events_of(fb_store* r) {
  char* text = (char*)calloc((size_t)fb_store_nevent(r) + 1, 200);
  assert_non_null(text);
  for (int i = 0; i < fb_store_nevent(r); i++) {
    fb_store_event event = fb_store_get_event(r, i);
    snprintf(text + strlen(text), 200, "%a %.60s %.90s\n", event.t, event.name, event.text);
  }
  return text;
}

enum { PARTS = 4 };

/* Samples, events, checkpoints, summary. */
static void take_parts(const char* folder, char* parts[PARTS]) {
  fb_store* r = NULL;
  fb_error error;
  if (fb_store_open(folder, &r, &error) != FB_OK) fail_msg("%s: %s", folder, error.text);
  assert_int_equal(fb_store_export(r, "samples.csv", NULL, 0, &error), FB_OK);
  parts[0] = slurp("samples.csv");
  parts[1] = events_of(r);
  assert_int_equal(fb_store_close(r, &error), FB_OK);
  parts[2] = checkpoints_of(folder);
  parts[3] = summary_of(folder);
}

static void assert_same_parts(int method, const char* folder, char* whole[PARTS]) {
  static const char* const names[PARTS] = {"samples", "events", "checkpoints", "summary"};
  char* parts[PARTS];
  take_parts(folder, parts);
  for (int i = 0; i < PARTS; i++) {
    if (strcmp(parts[i], whole[i]) != 0)
      fail_msg("%s: the %s of a run that was stopped differ", METHODS[method].name, names[i]);
    free(parts[i]);
  }
}

/* Whether the last leg of a run began at a checkpoint. */
static int went_on(const char* folder) {
  char file[256];
  snprintf(file, sizeof file, "%s/summary.json", folder);
  char* text = slurp(file);
  int from_start = strstr(text, "\"from\": 0,") != NULL;
  free(text);
  return !from_start;
}

static void remove_folder(const char* folder) {
  char line[256];
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  assert_int_equal(system(line), 0);
}

/* Sends signals of these numbers in turn until `wanted` of them have come before the end of a run. */
static void stop_and_resume(int method, const int numbers[2], int wanted) {
  char* whole[PARTS];
  double took = run_to_end(method, "whole");
  take_parts("whole", whole);
  int resumed = 0, stopped = 0;
  /* Where few are asked for, all may fall before the first checkpoint: then some more. */
  for (int runs = 0; stopped < wanted || (resumed == 0 && runs < 50); runs++) {
    /* A few a run, as they come, then it may end. */
    for (int i = 0; i < 3 && (stopped < wanted || resumed == 0); i++)
      stopped += run_and_signal(method, "killed", numbers[(runs + i) % 2], 1.1 * took * draw());
    run_to_end(method, "killed");
    assert_same_parts(method, "killed", whole);
    resumed += went_on("killed");
    remove_folder("killed");
  }
  remove_folder("whole");
  for (int i = 0; i < PARTS; i++) free(whole[i]);
  assert_true(resumed > 0);
}

static void stop_over_methods(const int numbers[2], const char* name, int otherwise) {
  const char* text = getenv(name);
  int count = text ? atoi(text) : otherwise;
  spill("floater.yaml", FLOATER);
  for (int i = 0; i < METHOD_COUNT; i++)
    stop_and_resume(i, numbers, (i + 1) * count / METHOD_COUNT - i * count / METHOD_COUNT);
}

static void killed_runs_resume_to_the_same_bits(void** state) {
  (void)state;
  stop_over_methods((const int[2]){SIGKILL, SIGKILL}, "FB_KILLS", sample(5, 12));
}

static void interrupted_runs_resume_to_the_same_bits(void** state) {
  (void)state;
  stop_over_methods((const int[2]){SIGINT, SIGTERM}, "FB_SIGNALS", sample(4, 5));
}

/* In memory where that is possible: a kill is no power failure, and a disk would only make it slow. */
static char memory_folder[64];

static int open_in_memory(void** state) {
  if (scratch_open(state)) return -1;
  strcpy(memory_folder, "/dev/shm/freebody-XXXXXX");
  if (!mkdtemp(memory_folder)) memory_folder[0] = '\0';
  return memory_folder[0] ? chdir(memory_folder) : 0;
}

static int close_in_memory(void** state) {
  int failed = scratch_close(state);
  if (memory_folder[0]) remove_folder(memory_folder);
  return failed;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed_runs_resume_to_the_same_bits),
                                     cmocka_unit_test(interrupted_runs_resume_to_the_same_bits)};
  return cmocka_run_group_tests(tests, open_in_memory, close_in_memory);
}
