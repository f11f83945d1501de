/* fault.h -- the preload library that makes one call of a program fail: what its files share.
 *
 * LD_PRELOAD=libfault.so FAULT_KIND=alloc FAULT_AT=k COMMAND fails the k-th allocation of COMMAND, counted from 1
 * where main begins. FAULT_MODE says how: `once` (the default), `on` (the k-th and all after it), or `kill`, `int`,
 * `term`: the call works, and the process gets that signal first. FAULT_TRACE=FILE gets the backtrace of the call, and
 * of the crash if there is one; FAULT_COUNT=FILE how many such calls there were.
 *
 * Calls of processes that COMMAND forks are counted with its own. */
#ifndef FB_TESTS_FAULT_H
#define FB_TESTS_FAULT_H

#include <stdatomic.h>

/* Classes of calls; a kind of fault covers one or several. */
enum {
  FAULT_ALLOC = 1,
  FAULT_READ = 2,
  FAULT_WRITE = 4,
  FAULT_SYNC = 8,
  FAULT_NAME = 16, /* rename, link, unlink, mkdir, truncate, chmod */
  FAULT_OPEN = 32,
  FAULT_CLOSE = 64,
  FAULT_LOCK = 128,
  FAULT_LOOK = 256 /* stat, access, lseek */
};

typedef struct fault_kind {
  const char* name;
  int calls; /* classes */
  int error; /* errno of the call that fails; 0: it transfers half of what was asked */
} fault_kind;

typedef enum fault_mode { FAULT_ONCE, FAULT_ON, FAULT_KILL, FAULT_INT, FAULT_TERM } fault_mode;

/* In memory shared with forked processes. */
typedef struct fault_tally {
  atomic_long seen; /* calls of the kind so far */
  atomic_int fired; /* whether the fault came */
} fault_tally;

/* ---- fault.c: what fails when ---- */

/* Takes kind, number and mode from their words; 0 when one is wrong. The kind `none` never fails. */
int fault_plan(const char* kind, const char* at, const char* mode);
const fault_kind* fault_planned(void);
/* From here on calls count. */
void fault_arm(void);
/* Counts a call of these classes; whether it is to fail. Sends the signal of the modes that do. */
int fault_due(int calls);
const fault_tally* fault_counted(void);
void fault_reset(void);
/* While it is not 0, calls of this thread are the library's own. */
extern _Thread_local int fault_inside;

/* ---- fault_trace.c: where it was ---- */

/* Opens the file of backtraces (NULL: none) and catches crashes. */
void fault_trace_open(const char* file);
/* Writes a line and the backtrace under it. */
void fault_trace(const char* line);

/* ---- fault_calls.c: system calls ---- */

/* Sends the system calls of the planned kind through fault_due; 0 when this system cannot. */
int fault_calls_catch(void);

/* ---- fault_server.c: many faults from one start ---- */

/* Forks one execution per line read from standard input, "KIND AT MODE SECONDS FOLDER PREFIX"; returns in the forked
 * processes alone, which run in FOLDER and write to PREFIX.out, .err and .trace. */
void fault_serve(void);

#endif
