/* interrupt.c -- Ctrl-C and similar signals during a run: the first requests a clean stop, the second ends the
 * program at once, for its handler is gone by then. In a child process (guard.c) the parent counts them. */
#include <signal.h>

#include "guard.h"
#include "run/run.h"

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
enum { COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

static volatile sig_atomic_t interrupted;
static struct sigaction before[COUNT];

static void on_signal(int signal) {
  (void)signal;
  interrupted = 1;
}

void cmd_interrupt_watch(void) {
  interrupted = 0;
  if (cmd_guard_listen(1)) return;
  for (int i = 0; i < COUNT; i++) {
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGNALS[i], NULL, &before[i]);
    /* Who started the program may have it ignore a signal (nohup): so it stays. */
    if (before[i].sa_handler != SIG_IGN) sigaction(SIGNALS[i], &action, NULL);
  }
}

void cmd_interrupt_unwatch(void) {
  if (cmd_guard_listen(0)) return;
  for (int i = 0; i < COUNT; i++) sigaction(SIGNALS[i], &before[i], NULL);
}

int cmd_interrupt_requested(void) {
  return interrupted || cmd_guard_end_requested();
}
