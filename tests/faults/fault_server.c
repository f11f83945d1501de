/* fault_server.c -- many faults from one start of the program: linking it takes ten times as long as a short command
 * works, so that a sweep starts it once, stops where main begins, and forks an execution for every fault. */
#define _GNU_SOURCE
#include "fault.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct request {
  char kind[16], at[24], mode[16];
  unsigned seconds; /* after which it is ended by SIGALRM */
  char folder[1024], prefix[1024];
} request;

static void open_as(int descriptor, const char* prefix, const char* ending) {
  char name[1100];
  snprintf(name, sizeof name, "%s.%s", prefix, ending);
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(98);
  close(file);
}

/* The forked process: where it works, what it reads and writes, and what fails. */
static void become(const request* r) {
  char trace[1100];
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0 || chdir(r->folder) != 0) _exit(98);
  close(nothing);
  open_as(1, r->prefix, "out");
  open_as(2, r->prefix, "err");
  snprintf(trace, sizeof trace, "%s.trace", r->prefix);
  unlink(trace);
  fault_trace_open(trace);
  if (!fault_plan(r->kind, r->at, r->mode)) _exit(98);
  alarm(r->seconds);
}

void fault_serve(void) {
  request r;
  char line[2200], reply[64];
  /* Replies by a descriptor of their own; executions write to files. */
  int replies = fcntl(1, F_DUPFD_CLOEXEC, 910);
  FILE* requests = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 911), "r");
  if (replies < 0 || !requests) _exit(98);
  while (fgets(line, sizeof line, requests)) {
    if (sscanf(line, "%15s %23s %15s %u %1023s %1023s", r.kind, r.at, r.mode, &r.seconds, r.folder,
               r.prefix) != 6)
      _exit(98);
    fault_reset();
    pid_t child = fork();
    if (child == 0) {
      close(replies);
      close(fileno(requests));
      become(&r);
      return;
    }
    int status = -1;
    waitpid(child, &status, 0);
    int n = snprintf(reply, sizeof reply, "%d %ld %d\n", status, (long)fault_counted()->seen,
                     (int)fault_counted()->fired);
    if (write(replies, reply, (size_t)n) != n) _exit(98);
  }
  _exit(0);
}
