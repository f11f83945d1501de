/* run_store.h -- the inside of the run store: what its files share. Tables: run_schema in run_create.c and
 * docs/run-store.md. */
#ifndef FB_IO_RUN_STORE_H
#define FB_IO_RUN_STORE_H

#include <sqlite3.h>
#include <stddef.h>

#include <freebody/run.h>

#include "base/error.h"
#include "io/run_part.h"

enum {
  FB_RUN_APPLICATION = 0x4662726e, /* "Fbrn": a database of ours */
  FB_RUN_VERSION = 1,              /* of the tables */
  FB_RUN_BLOCK_SAMPLES = 1024,
  FB_RUN_BUSY_MS = 1000 /* how long to wait for a tool that holds the database */
};

/* Stores of version 1 did not have it from the first; one without it has no meshes. */
#define FB_RUN_MESH_TABLE \
  "CREATE TABLE IF NOT EXISTS mesh(name TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL);"

typedef struct fb_run_kept {
  char *key, *text;
} fb_run_kept;

struct fb_run {
  sqlite3* db;
  char* path;   /* of run.db, as messages name it */
  int lock;     /* descriptor of the locked folder while writing, else -1 */
  int writing;  /* opened by create or resume */
  int in_write; /* a transaction is open */

  fb_run_signal* signals;
  int nsignal;
  long long nsample; /* in closed blocks */

  /* Writing: the block being filled, sample after sample (t first), and as it is stored, column after
   * column. */
  double *rows, *columns;
  int nrow, max_rows;
  double t_last;
  long long checkpoint; /* id of the last, 0 without one */
  sqlite3_stmt* insert_block;

  fb_run_event* events;
  size_t nevent, event_room;
  fb_run_kept* texts; /* those handed out, which live as long as the run */
  size_t ntext, text_room;

  fb_error failure; /* the first write that failed; nothing is written after it */
};

/* ---- run_sql.c: SQLite with our messages ---- */

/* What went wrong in SQLite, in words; `doing` completes "cannot ...". */
fb_status fb_run_fail(fb_run* run, const char* doing, fb_error* error);
/* An error about run.db or its folder. */
fb_status fb_run_fail_at(const char* path, fb_error* error, fb_status status, const char* format, ...)
    FB_PRINTF(4, 5);
static inline fb_status fb_run_no_memory(fb_error* error) {
  fb_fail(error, FB_ERR_MEMORY, "out of memory while working on a run");
  return FB_ERR_MEMORY;
}
fb_status fb_run_exec(fb_run* run, const char* sql, const char* doing, fb_error* error);
fb_status fb_run_prepare(fb_run* run, const char* sql, sqlite3_stmt** statement, fb_error* error);
/* Runs a statement that returns no rows, and resets it. */
fb_status fb_run_step(fb_run* run, sqlite3_stmt* statement, const char* doing, fb_error* error);
/* Opens run->path; immutable: a file that nobody changes, in a folder that cannot be written. */
fb_status fb_run_connect(fb_run* run, int flags, int immutable, fb_error* error);
/* Is it a database, a run, of our version? */
fb_status fb_run_check_version(fb_run* run, fb_error* error);
fb_status fb_run_load_signals(fb_run* run, fb_error* error);
/* How many samples there are, and the events. */
fb_status fb_run_load(fb_run* run, fb_error* error);
fb_run* fb_run_new(const char* path);
/* Closes the database and frees everything; nothing is committed. */
void fb_run_free(fb_run* run);
/* Remembers an event in run->events. */
fb_status fb_run_keep_event(fb_run* run, double t, const char* name, const char* text, fb_error* error);

/* Numbers of this machine to those of the file, and back. */
void fb_run_little_endian(double* x, size_t count);

/* ---- run_folder.c: the folder around run.db ---- */

/* "folder/name", malloc'd. */
char* fb_run_path(const char* folder, const char* name);
/* run.db of what the user named: a folder, or run.db itself. FB_ERR_IO when there is none. */
fb_status fb_run_locate(const char* named, char** path, fb_error* error);
/* Locks the folder against other writers as long as the descriptor is open. FB_ERR_IO when a name in it that a run
 * writes is a link; the descriptor is open then, too. */
fb_status fb_run_lock(const char* folder, const char* path, int* lock, fb_error* error);
/* Makes the folder and the ones above it. */
fb_status fb_run_make_folder(const char* folder, fb_error* error);
/* SQLite says only that there is no file when it may not make one. */
fb_status fb_run_check_writable(const char* folder, fb_error* error);
/* Removes what a run consists of, run.db last. */
fb_status fb_run_remove_files(const char* folder, fb_error* error);
int fb_run_exists(const char* path);

/* ---- run_write.c ---- */

/* Is it open for writing, and did all writes go well so far? */
fb_status fb_run_check_writing(fb_run* run, fb_error* error);
fb_status fb_run_start_writing(fb_run* run, fb_error* error);
/* Begins the transaction that the next commit ends, if none is open. */
fb_status fb_run_begin(fb_run* run, fb_error* error);
/* Closes the block being filled. */
fb_status fb_run_close_block(fb_run* run, fb_error* error);

#endif
