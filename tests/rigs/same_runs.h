/* same_runs.h -- runs of the command that shall have the same samples and summaries, and one that is interrupted. Define
 * _XOPEN_SOURCE before. */
#ifndef FB_TESTS_SAME_RUNS_H
#define FB_TESTS_SAME_RUNS_H

#include "run_command.h"

#include <signal.h>
#include <time.h>

#include <freebody/store.h>

/* The whole of two files is the same, and they are not empty. */
static inline void assert_same_files(const char* a, const char* b) {
  char *x = slurp(a), *y = slurp(b);
  assert_true(strlen(x) > 0);
  if (strcmp(x, y) != 0) fail_msg("%s and %s differ", a, b);
  free(x);
  free(y);
}

/* summary.json without what depends on the clock. */
static inline char* summary_of(const char* folder) {
  char file[256];
  snprintf(file, sizeof file, "%s/summary.json", folder);
  char* text = slurp(file);
  char* wall = strstr(text, "\"wall\"");
  assert_non_null(wall);
  *wall = '\0';
  return text;
}

static inline void assert_same_runs(const char* a, const char* b) {
  char line[512];
  snprintf(line, sizeof line, "$FB export %s -o a.csv && $FB export %s -o b.csv", a, b);
  outcome o = run(line);
  if (o.code != 0) fail_msg("%s: exit %d: %s", line, o.code, o.err);
  outcome_free(&o);
  assert_same_files("a.csv", "b.csv");
  char *x = summary_of(a), *y = summary_of(b);
  assert_string_equal(x, y);
  free(x);
  free(y);
}

static inline void check_line(const char* line, int code) {
  shell_case c = {line, code, NULL, NULL};
  check_cases(&c, 1);
}

/* Whether a run has as many samples committed. */
static inline int has_samples(const char* folder, long long count) {
  fb_store* r = NULL;
  fb_error error;
  if (fb_store_open(folder, &r, &error) != FB_OK) return 0;
  int enough = fb_store_nsample(r) >= count;
  fb_store_close(r, &error);
  return enough;
}

/* Starts a shell line, waits for samples in the folder, then sends a signal; the line's exit code, its standard
 * error in stderr.txt. A run paced by the clock lasts long enough for this. */
static inline int interrupt(const char* line, const char* folder, int signal) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60); /* whatever happens, it ends */
    if (!freopen("stderr.txt", "w", stderr)) _exit(127);
    execl("/bin/sh", "sh", "-c", line, (char*)NULL);
    _exit(127);
  }
  const struct timespec moment = {0, 10000000};
  int status = -1;
  while (!has_samples(folder, 10) && waitpid(child, &status, WNOHANG) == 0) nanosleep(&moment, NULL);
  kill(child, signal);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
