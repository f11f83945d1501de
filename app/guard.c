/* guard.c -- runs a part of the command in a child process: fork, signals, exit status.
 *
 * A signal that requests the end reaches the parent, the child or both, depending on the sender. So the
 * child's handlers do nothing, and the parent alone decides: it counts, in memory that both share, and wakes the child
 * by a signal of its own. Since it counts before it wakes, a signal that is merged with one that is pending already
 * loses nothing. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, strsignal */
#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP};
enum { COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

/* What parent and child both see. */
typedef struct shared {
  volatile sig_atomic_t listening; /* the child is asked first */
  volatile sig_atomic_t interrupted;
  volatile sig_atomic_t in_order;
} shared;

static shared* mine; /* in a child: with its parent */

/* In a parent, for its handlers. */
static shared* theirs;
static volatile pid_t child;
static volatile sig_atomic_t requested_by;

void* cmd_guard_share(size_t size) {
  void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) cmd_out_of_memory();
  return memory;
}

/* --- the child --- */

int cmd_guard_listen(int on) {
  if (!mine) return 0;
  if (on) mine->interrupted = 0;
  mine->listening = on;
  return 1;
}

int cmd_guard_end_requested(void) {
  return mine && mine->interrupted;
}

void cmd_guard_exit(int code) {
  if (!mine) exit(code);
  fflush(NULL);
  mine->in_order = 1;
  _exit(code); /* without the exit handlers of code that is not ours */
}

/* Ends a wait, and no more. */
static void wake(int signal) {
  (void)signal;
}

static void die_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(FB_EXIT_FAILED); /* it died before it could be watched */
}

/* --- signals --- */

static void set_handler(int signal, void (*handler)(int), struct sigaction* before) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  sigaction(signal, NULL, before);
  /* Who started the program may have it ignore a signal (nohup): so it stays. */
  if (before->sa_handler != SIG_IGN) sigaction(signal, &action, NULL);
}

static void pass_on(int signal) {
  int kept = errno;
  if (theirs->listening && !theirs->interrupted) {
    theirs->interrupted = 1;
    kill(child, signal);
  } else {
    requested_by = signal;
    kill(child, SIGKILL);
  }
  errno = kept;
}

static void stop_both(int signal) {
  int kept = errno;
  (void)signal;
  kill(child, SIGSTOP);
  raise(SIGSTOP);
  kill(child, SIGCONT);
  errno = kept;
}

static void set_handlers(void (*ends)(int), void (*stops)(int), struct sigaction before[COUNT]) {
  for (int i = 0; i < COUNT; i++) set_handler(SIGNALS[i], SIGNALS[i] == SIGTSTP ? stops : ends, &before[i]);
}

_Noreturn static void be_child(const cmd_app* app, int (*work)(void*), void* user, shared* both, pid_t parent,
                               const sigset_t* mask) {
  struct sigaction unused[COUNT];
  mine = both;
  set_handlers(wake, SIG_DFL, unused);
  die_with(parent);
  sigprocmask(SIG_SETMASK, mask, NULL);
  int code = work(user);
  cmd_guard_exit(cmd_finish_output(app, code));
}

/* --- the parent --- */

static void wait_for(shared* both, const sigset_t* mask, cmd_guard_end* end) {
  struct sigaction before[COUNT];
  siginfo_t info;
  int status = 0;
  theirs = both;
  requested_by = 0;
  set_handlers(pass_on, stop_both, before);
  sigprocmask(SIG_SETMASK, mask, NULL);
  /* Its process id is its own until the handlers are gone. */
  while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
  for (int i = 0; i < COUNT; i++) sigaction(SIGNALS[i], &before[i], NULL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  end->in_order = both->in_order;
  end->code = WIFEXITED(status) ? WEXITSTATUS(status) : FB_EXIT_FAILED;
  end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->requested_by = requested_by;
}

int cmd_guard(const cmd_app* app, int (*work)(void* user), void* user, cmd_guard_end* end) {
  shared* both = (shared*)cmd_guard_share(sizeof *both);
  sigset_t all, mask;
  memset(end, 0, sizeof *end);
  fflush(NULL); /* or a child that calls exit writes what is buffered here once more */
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask);
  pid_t parent = getpid(), made = fork();
  if (made == 0) be_child(app, work, user, both, parent, &mask);
  int reason = errno;
  if (made > 0) {
    end->child = child = made;
    wait_for(both, &mask, end);
  } else {
    sigprocmask(SIG_SETMASK, &mask, NULL);
    fprintf(stderr, "freebody %s: there is no process to run foreign code in: %s\n", app->command->name,
            strerror(reason));
  }
  munmap(both, sizeof *both);
  return made > 0;
}

/* Sent by people and shells, not by code that goes wrong; 0: neither. */
static int request_signal(const cmd_guard_end* end) {
  static const int outside[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  int signal = end->requested_by ? end->requested_by : end->signal;
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
    if (signal == outside[i]) return signal;
  return 0;
}

int cmd_guard_ended_on_request(const cmd_guard_end* end) {
  return request_signal(end) != 0;
}

int cmd_guard_code(const cmd_guard_end* end) {
  int signal = request_signal(end);
  if (end->in_order) return end->code;
  if (!signal) return FB_EXIT_FAILED;
  struct sigaction action = {0};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, NULL);
  fflush(NULL);
  raise(signal);
  return FB_EXIT_FAILED; /* it is blocked */
}

const char* cmd_guard_words(const cmd_guard_end* end, char text[96]) {
  if (end->signal == SIGKILL)
    snprintf(text, 96, "was killed (signal 9), by somebody or because memory ran out");
  else if (end->signal)
    snprintf(text, 96, "crashed: signal %d, %s", end->signal, strsignal(end->signal));
  else
    snprintf(text, 96, "ended its process with exit code %d", end->code);
  return text;
}
