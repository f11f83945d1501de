/* plugin_exit.c -- a plugin that calls exit in the middle of a run
 *
 * exit would end the program with the plugin's own code, as if the run were over and well. While one of its functions
 * runs, a handler stands by that says what happened and ends the program with a failure. exit calls it on the thread
 * that called exit, so each thread knows its own plugin. */
#define _GNU_SOURCE /* _exit */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "adapters/plugin_inside.h"

static _Thread_local struct {
  const char *file, *block, *function; /* function: NULL while no plugin runs */
} running;

static void refuse_exit(void) {
  if (!running.function) return;
  fprintf(stderr,
          "freebody: plugin '%s', block \"%s\": its %s called exit, which ends the whole program; a plugin "
          "returns a status and never calls exit\n",
          running.file, running.block, running.function);
  fflush(NULL); /* what the run has written is kept */
  _exit(1);
}

void fb_plugin_enter(const char* file, const char* block, const char* function) {
  static atomic_flag stands_by = ATOMIC_FLAG_INIT;
  if (!running.function && !atomic_flag_test_and_set_explicit(&stands_by, memory_order_relaxed))
    atexit(refuse_exit);
  running.file = file;
  running.block = block;
  running.function = function;
}

void fb_plugin_leave(void) {
  running.function = NULL;
}
