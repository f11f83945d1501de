/* create.c -- a new run: run.db is created atomically.
 *
 * The database is made whole as run.db.tmp and then renamed, so a run.db is always a run. An old run is
 * removed only after that, when its replacement is known to fit on the disk. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/version.h>

#include "model/definition/name_index.h"
#include "run/store/folder.h"
#include "text/files.h"

/* Pages of 16 KiB: a block of samples is some 10 to 1000 KiB, and few large pages chain up better than
 * many small ones. secure_delete off: old checkpoints need not be overwritten with zeros. There is nothing to lose
 * yet, so that no journal is needed, nor left over when a call fails or the program is killed. */
static const char PRAGMAS_NEW[] =
    "PRAGMA page_size = 16384;PRAGMA secure_delete = OFF;PRAGMA journal_mode = MEMORY;PRAGMA synchronous = "
    "OFF;";

/* A signal is found by its name, so each has one of its own. */
static fb_status check_signals(const fb_store_signal* signals, int count, fb_error* error) {
  if (count < 0 || (count > 0 && !signals)) return fb_fail(error, FB_ERR_ARG, "a run with %d signals", count);
  fb_name* names = malloc(((size_t)count + 1) * sizeof *names);
  if (!names) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && status == FB_OK; i++) {
    names[i] = (fb_name){signals[i].name, i};
    if (!names[i].text || !names[i].text[0])
      status = fb_fail(error, FB_ERR_NAME, "signal %d of the run has no name", i);
  }
  if (status == FB_OK) fb_names_sort(names, count);
  int twice = status == FB_OK ? fb_names_repeated(names, count) : 0;
  if (twice)
    status = fb_fail(error, FB_ERR_NAME, "two signals of the run are called '%s'; each needs its own name",
                     names[twice].text);
  free(names);
  return status;
}

/* A database with its journal. */
static void remove_database(const char* path) {
  static const char* const endings[] = {"", "-wal", "-shm", "-journal"};
  char name[4200];
  for (int i = 0; i < 4; i++)
    if (snprintf(name, sizeof name, "%s%s", path, endings[i]) < (int)sizeof name) unlink(name);
}

/* The whole database under a temporary name; closed again, so that one file holds it. */
static fb_status write_new(const char* path, const fb_store_signal* signals, int count, fb_error* error) {
  fb_store* run = fb_store_new(path);
  if (!run) return fb_store_no_memory(error);
  static const char doing[] = "make the run";
  remove_database(path); /* left by one that was killed */
  fb_status status = fb_store_connect(run, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 0, error);
  if (status == FB_OK) status = fb_store_exec(run, PRAGMAS_NEW, doing, error);
  if (status == FB_OK) status = fb_store_exec(run, "BEGIN", doing, error);
  if (status == FB_OK) status = fb_store_make_tables(run, error);
  if (status == FB_OK) status = fb_store_put_text(run, "freebody", FB_VERSION_TEXT, error);
  if (status == FB_OK) status = fb_store_put_signals(run, signals, count, error);
  if (status == FB_OK) status = fb_store_put_total(run, count, error);
  if (status == FB_OK) status = fb_store_exec(run, "COMMIT", doing, error);
  /* From MEMORY to WAL is a change in the header of the file; the first to read or write makes a journal. */
  if (status == FB_OK) status = fb_store_exec(run, "PRAGMA journal_mode = WAL", doing, error);
  fb_store_free(run);
  return status;
}

/* Under the lock: the new database beside the old run, then in its place. */
static fb_status make(const char* folder, const char* path, const fb_store_signal* signals, int count,
                      int replace, fb_error* error) {
  int exists = fb_store_exists(path);
  if (exists && !replace)
    return fb_file_fail(path, error, FB_ERR_IO,
                        "this folder already contains a run; resume it, replace it, or choose another "
                        "folder. Nothing was changed");
  fb_status status = fb_store_check_writable(folder, error);
  if (status != FB_OK) return status;
  char* fresh = fb_store_path(folder, "run.db.tmp");
  if (!fresh) return fb_store_no_memory(error);
  status = write_new(fresh, signals, count, error);
  /* What was written for the temporary name says nothing to the user. */
  if (status != FB_OK && error && error->file[0]) fb_error_set_place(error, path, NULL, (fb_place){0, 0});
  if (status == FB_OK && exists) status = fb_store_remove_files(folder, error);
  /* A journal without its database would be taken for the new one's. */
  if (status == FB_OK) remove_database(path);
  if (status == FB_OK && rename(fresh, path) != 0)
    status = fb_file_fail(path, error, FB_ERR_IO, "cannot make the run: %s", strerror(errno));
  if (status != FB_OK) remove_database(fresh);
  free(fresh);
  return status;
}

static fb_status open_new(fb_store* run, fb_error* error) {
  fb_status status = fb_store_connect(run, SQLITE_OPEN_READWRITE, 0, error);
  if (status == FB_OK) status = fb_store_use_journal(run, error);
  if (status == FB_OK) status = fb_store_check_tables(run, error);
  if (status == FB_OK) status = fb_store_load(run, error);
  if (status == FB_OK) status = fb_store_start_writing(run, error);
  return status;
}

fb_status fb_store_create(const char* folder, const fb_store_signal* signals, int count, int replace,
                          fb_store** run, fb_error* error) {
  *run = NULL;
  if (!folder || !folder[0]) return fb_fail(error, FB_ERR_ARG, "a run needs the name of a folder");
  fb_status status = check_signals(signals, count, error);
  if (status == FB_OK) status = fb_store_make_folder(folder, error);
  if (status != FB_OK) return status;
  char* path = fb_store_path(folder, "run.db");
  fb_store* made = path ? fb_store_new(path) : NULL;
  if (!made) {
    free(path);
    return fb_store_no_memory(error);
  }
  status = fb_store_lock(folder, path, &made->lock, error);
  if (status == FB_OK) status = make(folder, path, signals, count, replace, error);
  if (status == FB_OK) status = open_new(made, error);
  free(path);
  if (status == FB_OK)
    *run = made;
  else
    fb_store_free(made);
  return status;
}
