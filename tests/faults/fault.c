/* fault.c -- which call fails, the allocations among them, and the start of main, where counting begins. */
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const fault_kind KINDS[] = {
    {"none", 0, 0},
    {"alloc", FAULT_ALLOC, ENOMEM},
    {"read", FAULT_READ, EIO},
    {"write", FAULT_WRITE, EIO},
    {"full", FAULT_WRITE, ENOSPC},
    {"short", FAULT_READ | FAULT_WRITE, 0},
    {"sync", FAULT_SYNC, EIO},
    {"name", FAULT_NAME, EIO},
    {"open", FAULT_OPEN, EMFILE},
    {"close", FAULT_CLOSE, EIO},
    {"lock", FAULT_LOCK, EIO},
    {"look", FAULT_LOOK, EIO},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static const char* const MODES[] = {"once", "on", "kill", "int", "term"};
enum { MODE_COUNT = sizeof MODES / sizeof MODES[0] };

static const fault_kind* planned = &KINDS[0];
static long planned_at;
static fault_mode planned_mode;
static int armed;
static fault_tally* tally;

_Thread_local int fault_inside;

int fault_plan(const char* kind, const char* at, const char* mode) {
  int k = 0, m = 0;
  char* end;
  while (k < KIND_COUNT && strcmp(KINDS[k].name, kind) != 0) k++;
  while (m < MODE_COUNT && strcmp(MODES[m], mode) != 0) m++;
  planned_at = strtol(at, &end, 10);
  if (k == KIND_COUNT || m == MODE_COUNT || *end || planned_at < 0) return 0;
  planned = &KINDS[k];
  planned_mode = (fault_mode)m;
  return 1;
}

const fault_kind* fault_planned(void) {
  return planned;
}

const fault_tally* fault_counted(void) {
  return tally;
}

void fault_reset(void) {
  tally->seen = 0;
  tally->fired = 0;
}

void fault_arm(void) {
  armed = 1;
}

static void say_where(long n) {
  char line[64];
  snprintf(line, sizeof line, "fault %s %ld\n", planned->name, n);
  fault_trace(line);
}

int fault_due(int calls) {
  if (!armed || fault_inside || !(planned->calls & calls)) return 0;
  long n = ++tally->seen;
  if (n != planned_at && (planned_mode != FAULT_ON || n < planned_at || planned_at == 0)) return 0;
  tally->fired = 1;
  if (n == planned_at) {
    int kept = errno;
    fault_inside = 1;
    say_where(n);
    if (planned_mode == FAULT_KILL) raise(SIGKILL);
    fault_inside = 0;
    if (planned_mode == FAULT_INT) raise(SIGINT);
    if (planned_mode == FAULT_TERM) raise(SIGTERM);
    errno = kept;
  }
  return planned_mode == FAULT_ONCE || planned_mode == FAULT_ON;
}

/* --- allocations; libc's own go through these too --- */

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static int no_memory(void) {
  if (!fault_due(FAULT_ALLOC)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return no_memory() ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return no_memory() ? NULL : __libc_calloc(count, size);
}

/* realloc to nothing frees, and cannot fail. */
void* realloc(void* memory, size_t size) {
  return (!memory || size) && no_memory() ? NULL : __libc_realloc(memory, size);
}

void* reallocarray(void* memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return errno = ENOMEM, NULL;
  return realloc(memory, bytes);
}

void* memalign(size_t alignment, size_t size) {
  return no_memory() ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  void* found = memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

/* --- nobody waits: SQLite sleeps up to ten seconds before it gives a lock up --- */

int usleep(useconds_t time) {
  (void)time;
  return 0;
}

int nanosleep(const struct timespec* time, struct timespec* left) {
  (void)time;
  (void)left;
  return 0;
}

/* --- from the start of main to the end of the process --- */

static int (*program_main)(int, char**, char**);
static pid_t program;
static char count_file[4096];

static void keep_count(void) {
  if (!count_file[0] || getpid() != program) return;
  fault_inside = 1;
  FILE* file = fopen(count_file, "w");
  if (file) fprintf(file, "%ld\n", (long)tally->seen), fclose(file);
  fault_inside = 0;
}

static const char* word(const char* name, const char* otherwise) {
  const char* text = getenv(name);
  return text && text[0] ? text : otherwise;
}

static void wrong(const char* text) {
  fprintf(stderr, "libfault: %s\n", text);
  _exit(99);
}

static void plan_from_environment(void) {
  if (!fault_plan(word("FAULT_KIND", "none"), word("FAULT_AT", "0"), word("FAULT_MODE", "once")))
    wrong("FAULT_KIND, FAULT_AT or FAULT_MODE is not one that fault.h knows");
  snprintf(count_file, sizeof count_file, "%s", word("FAULT_COUNT", ""));
  fault_trace_open(word("FAULT_TRACE", NULL));
}

static int main_with_faults(int argc, char** argv, char** environment) {
  tally = (fault_tally*)mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tally == MAP_FAILED) wrong("no memory to count in");
  if (getenv("FAULT_SERVER"))
    fault_serve();
  else
    plan_from_environment();
  /* Programs that are started from here are none of ours. */
  unsetenv("LD_PRELOAD");
  program = getpid();
  if (planned->calls & ~FAULT_ALLOC && !fault_calls_catch())
    wrong("seccomp filters, by which system calls are made to fail, cannot be used here");
  atexit(keep_count);
  fault_arm();
  return program_main(argc, argv, environment);
}

typedef int (*start_function)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                              void (*)(void), void*);

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end);

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  start_function start;
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = main;
  return start(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}
