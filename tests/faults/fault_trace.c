/* fault_trace.c -- backtraces of the call that failed and of a crash, into one file. */
#define _GNU_SOURCE
#include "fault.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int trace = -1;

void fault_trace(const char* line) {
  enum { DEPTH = 64 };
  void* frames[DEPTH];
  if (trace < 0) return;
  if (write(trace, line, strlen(line)) < 0) return;
  backtrace_symbols_fd(frames, backtrace(frames, DEPTH), trace);
}

static void crashed(int number) {
  char line[32];
  fault_inside = 1;
  snprintf(line, sizeof line, "crash %d\n", number);
  fault_trace(line);
  raise(number); /* SA_RESETHAND: now by default */
}

static void catch_crashes(void) {
  static char stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND;
  sigaltstack(&other, NULL);
  const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) sigaction(numbers[i], &action, NULL);
}

void fault_trace_open(const char* file) {
  void* frame[1];
  backtrace(frame, 1); /* loads what it needs now, not in the middle of a fault */
  catch_crashes();
  if (!file) return;
  int opened = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  trace = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 900);
  close(opened);
}
