/* export.h -- what `freebody export` and `freebody plot` share: a part of a run from the words of the
 * command line. */
#ifndef FB_APP_RUN_EXPORT_H
#define FB_APP_RUN_EXPORT_H

#include "command.h"
#include "run/export/selection.h"

/* --from and --to [s]. */
typedef struct fb_span {
  double from, to;
} fb_span;

fb_span fb_span_all(void);
/* Whether from <= to, else a usage error has been printed. */
int fb_span_check(const fb_app* app, const fb_span* span);
/* The samples of the span; FB_ERR_ARG when there is none, with the times that there are. */
fb_status fb_span_find(fb_run* run, const char* name, const fb_span* span, fb_run_part* part,
                       fb_error* error);
/* Adds the signals of a name, or of names between commas. */
fb_status fb_part_add(fb_run* run, const char* names, int* signals, int* count, fb_error* error);
/* "1001 samples from 0 to 10 s" into buffer. */
fb_status fb_part_words(fb_run* run, const fb_run_part* part, char* buffer, size_t size, fb_error* error);
/* Opens a run; prints the error and returns NULL when it cannot, *code then being the exit code. */
fb_run* fb_open_run(const fb_app* app, const char* folder, int* code);
/* Calls work, which writes the file and returns an exit code; in a child process where HDF5 writes it, which may crash or
 * call exit when memory runs out. What such a child leaves is removed. */
int fb_export_guard(const fb_app* app, const char* file, int (*work)(void* user), void* user);
/* The exit code of a status, after the error has been printed. */
int fb_exit_code(const fb_app* app, fb_status status, const fb_error* error);

#endif
