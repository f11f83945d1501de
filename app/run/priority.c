/* priority.c -- `--priority`: the loop of a run in real time goes before other programs (SCHED_FIFO), and its memory stays
 * in place (mlockall), so that it wakes in time. Where the system does not permit one of them, the run continues without
 * it, and what is missing is said with how to get it. */
#define _GNU_SOURCE /* RLIMIT_RTPRIO, SCHED_RESET_ON_FORK */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "run/run.h"

enum { IPC_LOCK = 14, SYS_NICE = 23 }; /* numbers of capabilities, linux/capability.h */

/* Whether the process has a capability: the line "CapEff: 000001ffffffffff" of its status. */
static int is_capable(int capability) {
  char line[256];
  unsigned long long bits = 0;
  FILE* file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "CapEff:", 7) == 0) bits = strtoull(line + 7, NULL, 16);
  if (file) fclose(file);
  return (int)(bits >> capability & 1);
}

static int take_level(int level) {
  const struct sched_param wanted = {.sched_priority = level};
  struct rlimit limit = {0, 0};
  if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) == 0) return 1;
  int why = errno;
  getrlimit(RLIMIT_RTPRIO, &limit);
  if (why == EPERM && !is_capable(SYS_NICE) && limit.rlim_cur < (rlim_t)level)
    cmd_message(
        "freebody run: priority %d is not permitted: the limit RLIMIT_RTPRIO is %llu, and the capability "
        "CAP_SYS_NICE is missing. Raise the limit ('ulimit -r %d', 'rtprio %d' in /etc/security/limits.conf, "
        "LimitRTPRIO=%d of systemd), or grant both capabilities: setcap cap_sys_nice,cap_ipc_lock+ep on the "
        "program. The run goes on without it",
        level, (unsigned long long)limit.rlim_cur, level, level, level);
  else
    cmd_message("freebody run: the system refuses priority %d: %s%s. The run goes on without it", level,
                strerror(why),
                why == EPERM ? "; containers and control groups need real-time runtime for it (docker: "
                               "--cap-add sys_nice, --cpu-rt-runtime)"
                             : "");
  return 0;
}

/* With a limit, locking may succeed now and let allocations fail later: then it is left. */
static int lock_memory(void) {
  struct rlimit limit = {0, 0};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur != RLIM_INFINITY && !is_capable(IPC_LOCK)) {
    cmd_message(
        "freebody run: memory is not locked: the limit RLIMIT_MEMLOCK is %llu KiB, and the capability "
        "CAP_IPC_LOCK is missing. Raise the limit ('ulimit -l unlimited', 'memlock unlimited' in "
        "/etc/security/limits.conf, LimitMEMLOCK=infinity of systemd), or grant the capability. The run goes "
        "on without it",
        (unsigned long long)limit.rlim_cur / 1024);
    return 0;
  }
  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return 1;
  cmd_message("freebody run: memory is not locked: %s. The run goes on without it", strerror(errno));
  return 0;
}

void cmd_priority_take(int level, int* handled, int* locked) {
  *locked = level > 0 && lock_memory();
  *handled = level > 0 && take_level(level) ? level : 0;
}

void cmd_priority_drop(int handled, int locked) {
  const struct sched_param usual = {.sched_priority = 0};
  if (handled > 0) sched_setscheduler(0, SCHED_OTHER, &usual);
  if (locked) munlockall();
}
