/* resume.c -- going on with a run from its last committed checkpoint.
 *
 * Blocks close at checkpoints, so what came after one goes in whole blocks. All of it happens in the
 * transaction that the first commit ends: until then the run is what it was. */
#include <math.h>
#include <stdlib.h>

#include "run/store/folder.h"

/* --- going back --- */

static const char DROP[] = "drop what came after the last checkpoint";

/* Forgets the blocks from sample `samples` on. A block ends at every checkpoint. */
static fb_status drop_blocks(fb_store* run, long long samples, fb_error* error) {
  while (run->nblock > 0 && run->blocks[run->nblock - 1].first >= samples) run->nblock--;
  const fb_store_block* end = run->nblock > 0 ? &run->blocks[run->nblock - 1] : NULL;
  run->nsample = end ? end->first + end->count : 0;
  run->t_last = end ? end->t_last : 0;
  if (run->nsample != samples)
    return fb_store_damaged(run, error, "its last checkpoint is after %lld samples, where no block ends",
                            samples);
  return fb_store_exec_number(run, "DELETE FROM block WHERE first >= ?", samples, DROP, error);
}

static fb_status drop_events(fb_store* run, long long events, fb_error* error) {
  if (events < 0 || events > (long long)run->nevent)
    return fb_store_damaged(run, error, "its last checkpoint is after %lld events of %zu", events,
                            run->nevent);
  run->nevent = (size_t)events;
  for (; run->nkept > run->nevent; run->nkept--) {
    free((void*)run->events[run->nkept - 1].name);
    free((void*)run->events[run->nkept - 1].text);
  }
  return fb_store_exec_number(run, "DELETE FROM event WHERE id >= ?", events, DROP, error);
}

/* One text as it was, or gone. */
static fb_status restore_text(fb_store* run, const char* key, const char* text, fb_error* error) {
  sqlite3_stmt* statement;
  if (text) return fb_store_put_text(run, key, text, error);
  fb_store_forget_text(run, key);
  fb_status status = fb_store_prepare(run, "DELETE FROM meta WHERE key = ?", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  status = fb_store_step(run, statement, DROP, error);
  sqlite3_finalize(statement);
  return status;
}

static fb_status restore_texts(fb_store* run, long long checkpoint, fb_error* error) {
  sqlite3_stmt* statement;
  int more = 1;
  fb_status status = fb_store_select_rows(run, "meta_before", "checkpoint, key, text",
                                          "NOT INDEXED WHERE checkpoint = ?", &statement, error);
  if (status == FB_OK) sqlite3_bind_int64(statement, 1, checkpoint);
  while (status == FB_OK && more) {
    status = fb_store_next_row(run, statement, "meta_before", "itn", &more, error);
    if (status != FB_OK || !more) break;
    const char* key = (const char*)sqlite3_column_text(statement, 1);
    const char* text = (const char*)sqlite3_column_text(statement, 2);
    if (!key || (!text && sqlite3_column_type(statement, 2) != SQLITE_NULL))
      status = fb_store_no_memory(error);
    else
      status = restore_text(run, key, text, error);
  }
  sqlite3_finalize(statement);
  if (status != FB_OK) return status;
  return fb_store_exec_number(run, "DELETE FROM meta_before WHERE checkpoint = ?", checkpoint, DROP, error);
}

/* --- opening --- */

/* In the transaction that the first commit ends. */
static fb_status load_last(fb_store* run, fb_store_checkpoint* last, fb_error* error) {
  fb_status status = fb_store_check_tables(run, error);
  if (status == FB_OK) status = fb_store_load(run, error);
  if (status == FB_OK) status = fb_store_read_checkpoint(run, INFINITY, last, error);
  if (status == FB_OK) status = fb_store_start_writing(run, error);
  /* Without a checkpoint all samples and events go; texts stay, they say what the run is. */
  if (status == FB_OK) status = drop_blocks(run, last->samples, error);
  if (status == FB_OK) status = drop_events(run, last->events, error);
  return status == FB_OK ? restore_texts(run, last->id, error) : status;
}

/* Locked, in a transaction that the first commit ends. */
static fb_status open_to_write(fb_store* run, fb_error* error) {
  char* folder = fb_store_folder_of(run->path);
  if (!folder) return fb_store_no_memory(error);
  fb_status status = fb_store_lock(folder, run->path, &run->lock, error);
  free(folder);
  if (status == FB_OK) status = fb_store_check_links(run, error);
  if (status == FB_OK) status = fb_store_connect(run, SQLITE_OPEN_READWRITE, 0, error);
  /* A database of somebody else is not touched, not even its journal mode. */
  if (status == FB_OK) status = fb_store_check_tables(run, error);
  if (status == FB_OK) status = fb_store_use_journal(run, error);
  return status == FB_OK ? fb_store_begin(run, error) : status;
}

static fb_status find(const char* folder, fb_store** run, fb_error* error) {
  char* path;
  fb_status status = fb_store_locate(folder, &path, error);
  if (status != FB_OK) return status;
  *run = fb_store_new(path);
  free(path);
  return *run ? FB_OK : fb_store_no_memory(error);
}

fb_status fb_store_resume(const char* folder, double* t, void** snapshot, size_t* size, fb_store** run,
                          fb_error* error) {
  *t = -1;
  *snapshot = NULL;
  *size = 0;
  *run = NULL;
  fb_store* opened;
  fb_store_checkpoint last = {0};
  fb_status status = find(folder, &opened, error);
  if (status != FB_OK) return status;
  status = open_to_write(opened, error);
  if (status == FB_OK) status = load_last(opened, &last, error);
  if (status != FB_OK) {
    free(last.data);
    fb_store_free(opened);
    return status;
  }
  if (last.id > 0) *t = last.t;
  *snapshot = last.data;
  *size = last.size;
  *run = opened;
  return FB_OK;
}

/* Going on would drop what came after the last checkpoint; this leaves it. */
fb_status fb_store_mark(const char* folder, const char* key, const char* text, fb_error* error) {
  fb_store* run;
  fb_status status = find(folder, &run, error);
  if (status != FB_OK) return status;
  status = open_to_write(run, error);
  if (status == FB_OK) status = fb_store_load(run, error);
  if (status == FB_OK) status = fb_store_start_writing(run, error);
  if (status == FB_OK) status = fb_store_set_text(run, key, text, error);
  if (status == FB_OK) status = fb_store_commit(run, error);
  fb_store_free(run);
  return status;
}
