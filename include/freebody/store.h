/* store.h -- the run store: a folder with run.db, in which the results of a simulation are saved (libfreebody_io).
 *
 * run.db is SQLite in WAL mode (docs/run-store.md describes its tables): signals with units and axes, samples in
 * blocks, events, checkpoints, texts. Commits are atomic: a killed run keeps everything up to its last commit.
 * Every record has an epoch: the number of joins and partings before it. */
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

/* A part of a run: selected signals over a time span, to export or to plot. */
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

/* Creates the folder and run.db in it. If the folder already contains a run: FB_ERR_IO saying what to do, unless
 * replace is 1; then only the files of the run are removed. */
FB_API fb_status fb_store_create(const char* folder, const fb_store_signal* signals, int count, int replace,
                                 fb_store** store, fb_error* error);
/* A text by its key: "scenario", "model", "status", ... */
FB_API fb_status fb_store_set_text(fb_store* store, const char* key, const char* text, fb_error* error);
/* One sample: values in the order of the signals. */
FB_API fb_status fb_store_append(fb_store* store, double t, const double* values, fb_error* error);
/* Samples, events and checkpoints from now on belong to this epoch: so many joins and partings were made (sim.h). The
 * model of an epoch after the first is the text "model.EPOCH". */
FB_API fb_status fb_store_set_epoch(fb_store* store, int epoch, fb_error* error);
FB_API fb_status fb_store_add_event(fb_store* store, double t, const char* name, const char* text,
                                    fb_error* error);
FB_API fb_status fb_store_add_checkpoint(fb_store* store, double t, const void* snapshot, size_t size,
                                         fb_error* error);
/* Adds a mesh of the model, byte for byte; name: the file name in the model's shape. */
FB_API fb_status fb_store_add_mesh(fb_store* store, const char* name, const void* data, size_t size,
                                   fb_error* error);
FB_API fb_status fb_store_commit(fb_store* store, fb_error* error);
/* Opens a run to continue it: returns its last checkpoint and drops everything after it. *t < 0 when there is no
 * checkpoint; then all samples and events are dropped, and the texts are kept. Free *snapshot with fb_free. Dropped
 * data are deleted by the first commit. */
FB_API fb_status fb_store_resume(const char* folder, double* t, void** snapshot, size_t* size,
                                 fb_store** store, fb_error* error);
/* Commits and closes. store may be NULL. After a failed write, this and all other calls return its error. */
FB_API fb_status fb_store_close(fb_store* store, fb_error* error);

/* Sets a text of a run whose writer has died, and commits it; unlike fb_store_resume it drops nothing. FB_ERR_IO when
 * another process is writing the run. */
FB_API fb_status fb_store_mark(const char* folder, const char* key, const char* text, fb_error* error);

/* ---- reading, also while the run is being written ---- */

/* Opens what has been committed so far; open it again to see later data. folder may also name run.db itself. FB_ERR_IO
 * for a store of another version, a damaged one, or no store. Every row has a checksum, which is checked here; those
 * of samples and meshes are checked when they are read. */
FB_API fb_status fb_store_open(const char* folder, fb_store** store, fb_error* error);
FB_API const char* fb_store_get_text(
    const fb_store* store, const char* key); /* NULL when there is none; valid until the run is closed */
FB_API const char* fb_store_key(const fb_store* store,
                                int index); /* keys of the texts: index 0, 1 ...; NULL after the last */
FB_API int fb_store_nsignal(const fb_store* store);
FB_API fb_store_signal fb_store_get_signal(const fb_store* store, int index);
FB_API int fb_store_find(const fb_store* store, const char* name); /* index, or -1 */
FB_API long long fb_store_nsample(const fb_store* store);
/* Samples first .. first+count-1 of one signal; index -1 is time. */
FB_API fb_status fb_store_read_signal(fb_store* store, int index, long long first, long long count,
                                      double* values, fb_error* error);
/* The same for several signals, one after the other. */
FB_API fb_status fb_store_read_signals(fb_store* store, const int* signals, int nsignal, long long first,
                                       long long count, double* values, fb_error* error);
/* The samples with from <= t <= to. */
FB_API fb_status fb_store_range(fb_store* store, double from, double to, long long* first, long long* count,
                                fb_error* error);
/* Adds to signals[nsignal of the run] the signals that a name refers to and that are not in it yet. The name is that
 * of a signal, a prefix up to a dot ("p.hand" for p.hand.x, .y, .z, "p" for all positions), or any prefix followed by
 * "*". FB_ERR_NAME with the nearest known name when there is none. */
FB_API fb_status fb_store_select(const fb_store* store, const char* name, int* signals, int* count,
                                 fb_error* error);
/* Reads a mesh of the model into *data; free it with fb_free. NULL when the run has no mesh of that name. */
FB_API fb_status fb_store_read_mesh(fb_store* store, const char* name, void** data, size_t* size,
                                    fb_error* error);
FB_API int fb_store_nevent(const fb_store* store);
/* Its name is empty when there is no such event. While a run is being written, only the first 1000 are available. */
FB_API fb_store_event fb_store_get_event(const fb_store* store, int index);

/* Exports signals (indices; NULL: all) in the format of the file's extension: .csv, .h5. "-" is standard output, CSV.
 * The same run gives the same bytes. HDF5 1.10 may crash or call exit when memory runs out; for this reason the
 * freebody command writes .h5 in a child process. */
FB_API fb_status fb_store_export(fb_store* store, const char* file, const int* signals, int count,
                                 fb_error* error);
/* The same for a part of the run. */
FB_API fb_status fb_store_export_part(fb_store* store, const char* file, const fb_store_part* part,
                                      fb_error* error);
/* FB_OK if the file's extension is a supported format. */
FB_API fb_status fb_store_export_check(const char* file, fb_error* error);

FB_END_DECLS

#endif
