/* export_guard.c -- HDF5 files are written in a child process: HDF5 1.10 may crash, or call exit, when memory runs out, and
 * the command should say so and leave nothing behind. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "run/export.h"
#include "guard.h"

/* The temporary file of a process that has died; output.c names it. */
static void remove_temporary(const char* file, long process) {
  enum { MOST = 8 };                          /* names that were taken by others before */
  char target[PATH_MAX], name[PATH_MAX + 48]; /* there may be no memory left */
  if (!realpath(file, target)) snprintf(target, sizeof target, "%s", file);
  for (int i = 0; i < MOST; i++) {
    snprintf(name, sizeof name, "%s.%ld-%d.tmp", target, process, i);
    unlink(name);
  }
}

int cmd_export_guard(const cmd_app* app, const char* file, int (*work)(void* user), void* user) {
  cmd_guard_end end;
  fb_error error;
  char words[96];
  if (!cmd_ends_in(file, ".h5") && !cmd_ends_in(file, ".hdf5")) return work(user);
  if (!cmd_guard(app, work, user, &end)) return FB_EXIT_FAILED;
  if (end.in_order) return end.code;
  remove_temporary(file, end.child);
  if (cmd_guard_ended_on_request(&end)) return cmd_guard_code(&end);
  fb_fail(&error, FB_ERR_IO,
          "no file was written: the HDF5 library %s. It does so when memory runs out: free some, or export "
          "to .csv",
          cmd_guard_words(&end, words));
  fb_error_set_place(&error, file, NULL, (fb_place){0, 0});
  cmd_print_error(app, &error);
  return FB_EXIT_FAILED;
}
