/* export.h -- what `freebody export` and `freebody plot` share: a part of a run from the words of the
 * command line. */
#ifndef FB_APP_RUN_EXPORT_H
#define FB_APP_RUN_EXPORT_H

#include <freebody/store.h>

#include "command.h"

/* --from and --to [s]. */
typedef struct cmd_span {
  double from, to;
} cmd_span;

cmd_span cmd_span_all(void);
/* Whether from <= to, else a usage error has been printed. */
int cmd_span_check(const cmd_app* app, const cmd_span* span);
/* The samples of the span; FB_ERR_ARG when there is none, with the times that there are. */
fb_status cmd_span_find(fb_store* run, const char* name, const cmd_span* span, fb_store_part* part,
                        fb_error* error);
/* The times of the first and last of `count` samples. */
fb_status cmd_part_ends(fb_store* run, long long first, long long count, double ends[2], fb_error* error);

/* Adds the signals of a name, or of names between commas. */
fb_status cmd_part_add(fb_store* run, const char* names, int* signals, int* count, fb_error* error);
/* "1001 samples from 0 to 10 s" into buffer. */
fb_status cmd_part_words(fb_store* run, const fb_store_part* part, char* buffer, size_t size,
                         fb_error* error);
/* Opens a run; prints the error and returns NULL when it cannot, *code then being the exit code. */
fb_store* cmd_open_run(const cmd_app* app, const char* folder, int* code);
/* Calls work, which writes the file and returns an exit code; in a child process where HDF5 writes it, which may crash or
 * call exit when memory runs out. What such a child leaves is removed. */
int cmd_export_guard(const cmd_app* app, const char* file, int (*work)(void* user), void* user);
/* The exit code of a status, after the error has been printed. */
int cmd_exit_code(const cmd_app* app, fb_status status, const fb_error* error);

#endif
