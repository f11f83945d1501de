/* run_resume.c -- going on with a run from its last committed checkpoint.
 *
 * Blocks close at checkpoints, so what came after one goes in whole blocks. All of it happens in the
 * transaction that the first commit ends: until then the run is what it was. */
#include <stdlib.h>
#include <string.h>

#include "io/run_store.h"

/* The last checkpoint, as read. */
typedef struct last_checkpoint {
  long long id, samples, events; /* id 0: there is none */
  double t;
  void* data;
  size_t size;
} last_checkpoint;

static fb_status read_checkpoint(fb_run* run, last_checkpoint* last, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_run_prepare(
      run, "SELECT id, t, samples, events, data FROM checkpoint ORDER BY id DESC LIMIT 1", &statement, error);
  if (status != FB_OK) return status;
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    last->id = sqlite3_column_int64(statement, 0);
    last->t = sqlite3_column_double(statement, 1);
    last->samples = sqlite3_column_int64(statement, 2);
    last->events = sqlite3_column_int64(statement, 3);
    const void* data = sqlite3_column_blob(statement, 4);
    last->size = (size_t)sqlite3_column_bytes(statement, 4);
    last->data = malloc(last->size + 1);
    if (!last->data)
      status = fb_run_no_memory(error);
    else if (last->size)
      memcpy(last->data, data, last->size);
  } else if (code != SQLITE_DONE) {
    status = fb_run_fail(run, "read the last checkpoint", error);
  }
  sqlite3_finalize(statement);
  return status;
}

static fb_status run_with_number(fb_run* run, const char* sql, long long number, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_run_prepare(run, sql, &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, number);
  status = fb_run_step(run, statement, "drop what came after the last checkpoint", error);
  sqlite3_finalize(statement);
  return status;
}

/* Without a checkpoint all samples and events go; texts stay, they say what the run is. */
static fb_status drop_later(fb_run* run, const last_checkpoint* last, fb_error* error) {
  static const char* const texts[] = {
      "DELETE FROM meta WHERE key IN (SELECT key FROM meta_before WHERE checkpoint = ?1)",
      "INSERT INTO meta SELECT key, text FROM meta_before WHERE checkpoint = ?1 AND text IS NOT NULL",
      "DELETE FROM meta_before WHERE checkpoint = ?1",
  };
  fb_status status = run_with_number(run, "DELETE FROM block WHERE first >= ?1", last->samples, error);
  if (status == FB_OK) status = run_with_number(run, "DELETE FROM event WHERE id >= ?1", last->events, error);
  for (int i = 0; i < 3 && status == FB_OK; i++) status = run_with_number(run, texts[i], last->id, error);
  return status;
}

static fb_status go_back(fb_run* run, last_checkpoint* last, fb_error* error) {
  fb_status status = fb_run_start_writing(run, error);
  if (status == FB_OK) status = fb_run_begin(run, error);
  if (status == FB_OK) status = fb_run_check_version(run, error);
  if (status == FB_OK) status = read_checkpoint(run, last, error);
  if (status == FB_OK) status = drop_later(run, last, error);
  return status;
}

static char* folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  char* folder = strdup(slash ? path : ".");
  if (folder && slash) folder[slash == path ? 1 : slash - path] = '\0';
  return folder;
}

static fb_status open_last(fb_run* run, last_checkpoint* last, fb_error* error) {
  char* folder = folder_of(run->path);
  if (!folder) return fb_run_no_memory(error);
  fb_status status = fb_run_lock(folder, run->path, &run->lock, error);
  free(folder);
  if (status == FB_OK) status = fb_run_connect(run, SQLITE_OPEN_READWRITE, 0, error);
  /* A database of somebody else is not touched, not even its journal mode. */
  if (status == FB_OK) status = fb_run_check_version(run, error);
  if (status == FB_OK) status = fb_run_load_signals(run, error);
  if (status == FB_OK) status = go_back(run, last, error);
  if (status == FB_OK) status = fb_run_load(run, error);
  run->checkpoint = last->id;
  return status;
}

fb_status fb_run_resume(const char* folder, double* t, void** snapshot, size_t* size, fb_run** run,
                        fb_error* error) {
  *t = -1;
  *snapshot = NULL;
  *size = 0;
  *run = NULL;
  char* path;
  fb_status status = fb_run_locate(folder, &path, error);
  if (status != FB_OK) return status;
  fb_run* opened = fb_run_new(path);
  free(path);
  if (!opened) return fb_run_no_memory(error);
  last_checkpoint last = {0, 0, 0, 0, NULL, 0};
  status = open_last(opened, &last, error);
  if (status != FB_OK) {
    free(last.data);
    fb_run_free(opened);
    return status;
  }
  if (last.id > 0) *t = last.t;
  *snapshot = last.data;
  *size = last.size;
  *run = opened;
  return FB_OK;
}
