/* selection.h -- a part of a run: chosen signals over a span of time, to export or to draw. */
#ifndef FB_RUN_EXPORT_SELECTION_H
#define FB_RUN_EXPORT_SELECTION_H

#include <freebody/store.h>

typedef struct fb_store_part {
  const int* signals;
  int nsignal;
  long long first, count; /* samples */
  double from, to;        /* the events between these times [s] */
} fb_store_part;

/* ---- run/store/read.c ---- */

/* Samples first .. first+count-1 of several signals (-1: time), signal after signal. */
fb_status fb_store_read_many(fb_store* run, const int* signals, int nsignal, long long first, long long count,
                             double* values, fb_error* error);
/* The samples with from <= t <= to. */
fb_status fb_store_range(fb_store* run, double from, double to, long long* first, long long* count,
                         fb_error* error);

/* ---- run/export/selection.c ---- */

/* Adds to signals[nsignal of the run] those that a name stands for and that are not there yet: a signal,
 * what names begin with up to a dot ("p.hand" for p.hand.x, .y, .z, "p" for all positions), or the beginning
 * of names before a "*". FB_ERR_NAME with the nearest known name when there is none. */
fb_status fb_store_select(const fb_store* run, const char* name, int* signals, int* count, fb_error* error);

/* ---- run/export/export.c ---- */

/* fb_store_export of a part. */
fb_status fb_store_export_part(fb_store* run, const char* file, const fb_store_part* part, fb_error* error);
/* FB_OK when the file's ending is one that can be written. */
fb_status fb_store_export_check(const char* file, fb_error* error);

#endif
