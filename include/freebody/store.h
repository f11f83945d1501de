/* store.h -- the run store: a folder with run.db, which keeps what a simulation did (libfreebody_io).
 *
 * run.db is SQLite in WAL mode (docs/run-store.md has its tables): signals with units and axes, samples in
 * blocks, events, checkpoints, texts. Everything given between two commits appears at once or not at all,
 * so a killed run keeps all but what came after its last commit. Every record carries a topology epoch, 0
 * for now. */
#ifndef FREEBODY_STORE_H
#define FREEBODY_STORE_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_store fb_store;

typedef struct fb_store_signal {
  const char* name;    /* "p.hand.x" */
  const char* unit;    /* "m" */
  const char* axes;    /* "world", or "" */
  const char* meaning; /* "position of a frame" */
} fb_store_signal;

/* A part of a run: chosen signals over a span of time, to export or to draw. */
typedef struct fb_store_part {
  const int* signals; /* indices; -1 is time */
  int nsignal;
  long long first, count; /* samples */
  double from, to;        /* the events between these times [s] */
} fb_store_part;

typedef struct fb_store_event {
  double t; /* [s] */
  const char* name;
  const char* text; /* what it did */
} fb_store_event;

FB_BEGIN_DECLS

/* ---- writing ---- */

/* Makes the folder, and run.db in it. When there is a run already: FB_ERR_IO saying what to do, unless
 * replace is 1, and then only what a run consists of is removed. */
FB_API fb_status fb_store_create(const char* folder, const fb_store_signal* signals, int count, int replace,
                                 fb_store** run, fb_error* error);
/* A text by its key: "scenario", "model", "status", ... */
FB_API fb_status fb_store_set_text(fb_store* run, const char* key, const char* text, fb_error* error);
/* One sample: values in the order of the signals. */
FB_API fb_status fb_store_append(fb_store* run, double t, const double* values, fb_error* error);
FB_API fb_status fb_store_add_event(fb_store* run, double t, const char* name, const char* text,
                                    fb_error* error);
FB_API fb_status fb_store_add_checkpoint(fb_store* run, double t, const void* snapshot, size_t size,
                                         fb_error* error);
/* A mesh of the model, byte for byte; name: as the model's shape calls its file. */
FB_API fb_status fb_store_add_mesh(fb_store* run, const char* name, const void* data, size_t size,
                                   fb_error* error);
FB_API fb_status fb_store_commit(fb_store* run, fb_error* error);
/* Opens a run to go on with it, and drops all that came after its last checkpoint, which is returned: *t <
 * 0 when there is none; then all samples and events go, and the texts stay. fb_free *snapshot. What
 * was dropped is gone with the first commit. */
FB_API fb_status fb_store_resume(const char* folder, double* t, void** snapshot, size_t* size, fb_store** run,
                                 fb_error* error);
/* Commits and closes. run may be NULL. After a write that failed, this and all other calls return its
 * error. */
FB_API fb_status fb_store_close(fb_store* run, fb_error* error);

/* Sets a text of a run whose writer has died, and commits it; unlike resuming, this leaves all that was committed. FB_ERR_IO
 * when another process writes the run. */
FB_API fb_status fb_store_mark(const char* folder, const char* key, const char* text, fb_error* error);

/* ---- reading: while it is being written too ---- */

/* Opens what is committed by now; to see more, open it again. folder may also name run.db itself. A store of
 * another version, a damaged one, or no store: FB_ERR_IO that says so. Every row has a checksum, which is checked here;
 * those of samples and meshes are checked when they are read. */
FB_API fb_status fb_store_open(const char* folder, fb_store** run, fb_error* error);
FB_API const char* fb_store_text(const fb_store* run,
                                 const char* key); /* NULL when there is none; lives with the run */
FB_API const char* fb_store_key(const fb_store* run,
                                int index); /* of the texts: 0, 1 ...; NULL after the last */
FB_API int fb_store_nsignal(const fb_store* run);
FB_API fb_store_signal fb_store_signal_at(const fb_store* run, int index);
FB_API int fb_store_find(const fb_store* run, const char* name); /* index, or -1 */
FB_API long long fb_store_nsample(const fb_store* run);
/* Samples first .. first+count-1 of one signal; index -1 is time. */
FB_API fb_status fb_store_read(fb_store* run, int index, long long first, long long count, double* values,
                               fb_error* error);
/* The same of several signals, one after the other. */
FB_API fb_status fb_store_read_many(fb_store* run, const int* signals, int nsignal, long long first,
                                    long long count, double* values, fb_error* error);
/* The samples with from <= t <= to. */
FB_API fb_status fb_store_range(fb_store* run, double from, double to, long long* first, long long* count,
                                fb_error* error);
/* Adds to signals[nsignal of the run] those that a name stands for and that are not there yet: a signal, what names
 * begin with up to a dot ("p.hand" for p.hand.x, .y, .z, "p" for all positions), or the beginning of names before a
 * "*". FB_ERR_NAME with the nearest known name when there is none. */
FB_API fb_status fb_store_select(const fb_store* run, const char* name, int* signals, int* count,
                                 fb_error* error);
/* A mesh of the model: *data, to be freed by fb_free; NULL when the run has none of that name. */
FB_API fb_status fb_store_read_mesh(fb_store* run, const char* name, void** data, size_t* size,
                                    fb_error* error);
FB_API int fb_store_nevent(const fb_store* run);
/* Nameless where there is none. A run that is being written has only its first 1000 at hand. */
FB_API fb_store_event fb_store_event_at(const fb_store* run, int index);

/* Exports signals (indices; NULL: all) by the file's ending: .csv, .h5. "-" is standard output, CSV. The
 * same run gives the same bytes. HDF5 1.10 may crash or call exit when memory runs out; the freebody command
 * writes .h5 in a child process for that reason. */
FB_API fb_status fb_store_export(fb_store* run, const char* file, const int* signals, int count,
                                 fb_error* error);
/* The same of a part. */
FB_API fb_status fb_store_export_part(fb_store* run, const char* file, const fb_store_part* part,
                                      fb_error* error);
/* FB_OK when the file's ending is one that can be written. */
FB_API fb_status fb_store_export_check(const char* file, fb_error* error);

FB_END_DECLS

#endif
