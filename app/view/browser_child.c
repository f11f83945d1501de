/* browser_child.c -- starts child processes without a shell: a browser and an encoder. Each leads a process
 * group of its own, so that all it started ends with it, and Ctrl-C is ours to answer. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"
#include "view/browser.h"

extern char** environ;

/* Where a program leaves things: its temporary files, and what it wants to find again the next time. */
static const char* const PLACES[] = {"TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"};
enum { PLACE_COUNT = sizeof PLACES / sizeof PLACES[0] };

static int names_place(const char* entry) {
  for (int i = 0; i < PLACE_COUNT; i++) {
    size_t length = strlen(PLACES[i]);
    if (strncmp(entry, PLACES[i], length) == 0 && entry[length] == '=') return 1;
  }
  return 0;
}

/* The environment with all places in one folder; free() it and its texts, or NULL when out of memory. */
static char** environment(const char* folder, char** texts) {
  size_t n = 0, m = 0, size = strlen(folder) + 24;
  while (environ[n]) n++;
  char** copy = malloc((n + PLACE_COUNT + 1) * sizeof *copy);
  *texts = malloc(PLACE_COUNT * size);
  for (size_t i = 0; i < n && copy; i++)
    if (!names_place(environ[i])) copy[m++] = environ[i];
  for (size_t i = 0; i < PLACE_COUNT && copy && *texts; i++) {
    copy[m++] = *texts + i * size;
    snprintf(*texts + i * size, size, "%s=%s", PLACES[i], folder);
  }
  if (copy) copy[m] = NULL;
  return copy;
}

static int start(char* const argv[], const cmd_child_end* ends, int nend, char* const env[], pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int i = 0; i < nend; i++) posix_spawn_file_actions_adddup2(&actions, ends[i].ours, ends[i].theirs);
  /* We ignore SIGPIPE; they need not know. */
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  int reason = posix_spawnp(pid, argv[0], &actions, &attributes, argv, env);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

int cmd_child_start(char* const argv[], const cmd_child_end* ends, int nend, const char* folder, pid_t* pid) {
  if (!folder) return start(argv, ends, nend, environ, pid);
  char *texts = NULL, **env = environment(folder, &texts);
  int reason = env && texts ? start(argv, ends, nend, env, pid) : ENOMEM;
  free(env);
  free(texts);
  return reason;
}

int cmd_child_pipe(int ends[2]) {
  enum { ABOVE = 10 }; /* children get 0 to 4 */
  int low[2];
  if (pipe(low) != 0) return errno;
  ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, ABOVE);
  ends[1] = fcntl(low[1], F_DUPFD_CLOEXEC, ABOVE);
  int reason = ends[0] < 0 || ends[1] < 0 ? errno : 0;
  close(low[0]);
  close(low[1]);
  if (reason && ends[0] >= 0) close(ends[0]);
  if (reason && ends[1] >= 0) close(ends[1]);
  return reason;
}

int cmd_child_wait(pid_t pid, double seconds, int* code) {
  double until = cmd_wall_now() + seconds;
  for (;;) {
    pid_t ended = waitpid(pid, code, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return 1;
    if (cmd_wall_now() >= until) return 0;
    struct timespec moment = {0, 5000000};
    nanosleep(&moment, NULL);
  }
}

void cmd_child_kill(pid_t pid, double seconds) {
  int code;
  /* Left as it is until its group is gone too, so that its number can be nobody else's. */
  for (double until = cmd_wall_now() + seconds; cmd_wall_now() < until;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid) break;
    struct timespec moment = {0, 5000000};
    nanosleep(&moment, NULL);
  }
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  while (waitpid(pid, &code, 0) < 0 && errno == EINTR) {
  }
}

char* cmd_child_words(int log, char* text, size_t size) {
  off_t length = lseek(log, 0, SEEK_END);
  off_t begin = length > (off_t)size - 1 ? length - (off_t)(size - 1) : 0;
  ssize_t n = length > 0 ? pread(log, text, size - 1, begin) : 0;
  text[n > 0 ? n : 0] = '\0';
  /* Whole lines only, where the log was longer. */
  char* line = begin > 0 ? strchr(text, '\n') : NULL;
  if (line && line[1]) memmove(text, line + 1, strlen(line));
  for (size_t i = strlen(text); i > 0 && (text[i - 1] == '\n' || text[i - 1] == ' '); i--) text[i - 1] = '\0';
  for (char* c = text; *c; c++)
    if (*c == '\n') *c = ' ';
  return cmd_text_clean(text);
}

int cmd_child_write(int descriptor, const void* data, size_t size) {
  const char* at = (const char*)data;
  while (size > 0) {
    ssize_t n = write(descriptor, at, size);
    if (n < 0 && errno == EINTR && !cmd_interrupt_requested()) continue;
    if (n < 0) return errno;
    at += n;
    size -= (size_t)n;
  }
  return 0;
}
