/* run_command.h -- runs the built `freebody` command from a test, in a folder of its own, and holds what
 * it printed. The shell variable $FB is the command. */
#ifndef FB_TESTS_RUN_COMMAND_H
#define FB_TESTS_RUN_COMMAND_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct outcome {
  int code; /* exit code; -1 when a signal ended it */
  char *out, *err;
} outcome;

/* The test's own folder: made by scratch_open, removed by scratch_close. */
static char scratch_folder[512];

static inline int scratch_open(void** state) {
  (void)state;
  snprintf(scratch_folder, sizeof scratch_folder, "%s/scratch-XXXXXX", FB_BINARY_DIR);
  if (!mkdtemp(scratch_folder)) return -1;
  if (setenv("FB", FB_BINARY_DIR "/bin/freebody", 1)) return -1;
  return chdir(scratch_folder);
}

static inline int scratch_close(void** state) {
  (void)state;
  char line[600];
  if (chdir(FB_BINARY_DIR)) return -1;
  snprintf(line, sizeof line, "rm -rf '%s'", scratch_folder);
  return system(line);
}

static inline char* slurp(const char* file) {
  FILE* f = fopen(file, "rb");
  assert_non_null(f);
  size_t size = 0, capacity = 1 << 16;
  char* text = (char*)malloc(capacity + 1);
  assert_non_null(text);
  for (size_t got; (got = fread(text + size, 1, capacity - size, f)) > 0;) {
    size += got;
    if (size < capacity) continue;
    capacity *= 2;
    text = (char*)realloc(text, capacity + 1);
    assert_non_null(text);
  }
  fclose(f);
  text[size] = 0;
  return text;
}

static inline void spill(const char* file, const char* text) {
  FILE* f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
  assert_int_equal(fclose(f), 0);
}

/* Runs a shell line with its output kept in files; what the line redirects itself stays redirected. */
static inline outcome run(const char* line) {
  size_t size = strlen(line) + 64;
  char* full = (char*)malloc(size);
  assert_non_null(full);
  snprintf(full, size, "{ %s\n} >stdout.txt 2>stderr.txt", line);
  fflush(NULL);
  int status = system(full);
  free(full);
  outcome o = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp("stdout.txt"), slurp("stderr.txt")};
  return o;
}

static inline void outcome_free(outcome* o) {
  free(o->out);
  free(o->err);
}

/* A line, and what it must do. */
typedef struct shell_case {
  const char* line; /* of the shell */
  int code;
  const char* out; /* must be in standard output; "" nothing may be there; NULL anything */
  const char* err;
} shell_case;

static inline void check_text(const char* line, const char* stream, const char* text, const char* want) {
  if (want && want[0] ? !strstr(text, want) : want && text[0])
    fail_msg("%s: expected '%s' in %s, found '%.1500s'", line, want, stream, text);
}

static inline void check_cases(const shell_case* cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    outcome o = run(cases[i].line);
    if (o.code != cases[i].code)
      fail_msg("%s: exit %d, expected %d; it printed '%.800s' '%.800s'", cases[i].line, o.code, cases[i].code,
               o.out, o.err);
    check_text(cases[i].line, "standard output", o.out, cases[i].out);
    check_text(cases[i].line, "standard error", o.err, cases[i].err);
    outcome_free(&o);
  }
}

#define CHECK_CASES(table) check_cases(table, sizeof(table) / sizeof(table)[0])

#endif
