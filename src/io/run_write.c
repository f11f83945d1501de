/* run_write.c -- writing a run: samples gather in memory, blocks, events and checkpoints go into one
 * transaction, and a commit makes all of it visible at once.
 *
 * SQLite in WAL mode with synchronous = NORMAL: a killed process loses what was not committed and no more;
 * when the power fails the last commits may go too, but the file stays sound. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/run_store.h"

/* A failed write stays failed: whoever asks again hears the same. */
static int has_failed(const fb_run* run, fb_error* error) {
  if (run->failure.status == FB_OK) return 0;
  if (error) *error = run->failure;
  return 1;
}

fb_status fb_run_check_writing(fb_run* run, fb_error* error) {
  if (!run->writing)
    return fb_run_fail_at(run->path, error, FB_ERR_ARG, "this run was opened for reading, not for writing");
  return has_failed(run, error) ? run->failure.status : FB_OK;
}

fb_status fb_run_start_writing(fb_run* run, fb_error* error) {
  run->writing = 1;
  enum { MOST_NUMBERS = 8 << 20 }; /* in a block: 64 MiB */
  size_t width = (size_t)run->nsignal + 1;
  size_t rows = MOST_NUMBERS / width;
  run->max_rows = rows > FB_RUN_BLOCK_SAMPLES ? (int)FB_RUN_BLOCK_SAMPLES : rows < 1 ? 1 : (int)rows;
  run->rows = (double*)malloc(width * (size_t)run->max_rows * sizeof(double));
  run->columns = (double*)malloc(width * (size_t)run->max_rows * sizeof(double));
  if (!run->rows || !run->columns) return fb_run_no_memory(error);
  static const char doing[] = "open the run for writing";
  fb_status status =
      fb_run_exec(run, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;",
                  doing, error);
  if (status != FB_OK) return status;
  return fb_run_prepare(run, "INSERT INTO block VALUES(?, ?, ?, ?, 0, ?)", &run->insert_block, error);
}

fb_status fb_run_begin(fb_run* run, fb_error* error) {
  if (run->in_write) return FB_OK;
  fb_status status = fb_run_exec(run, "BEGIN IMMEDIATE", "write the run", error);
  if (status == FB_OK) run->in_write = 1;
  return status;
}

/* --- samples --- */

fb_status fb_run_close_block(fb_run* run, fb_error* error) {
  if (run->nrow == 0) return FB_OK;
  size_t width = (size_t)run->nsignal + 1, n = (size_t)run->nrow;
  double t_first = run->rows[0];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < width; j++) run->columns[j * n + i] = run->rows[i * width + j];
  fb_run_little_endian(run->columns, width * n);
  fb_status status = fb_run_begin(run, error);
  if (status != FB_OK) return status;
  sqlite3_stmt* insert = run->insert_block;
  sqlite3_bind_int64(insert, 1, run->nsample);
  sqlite3_bind_int(insert, 2, run->nrow);
  sqlite3_bind_double(insert, 3, t_first);
  sqlite3_bind_double(insert, 4, run->t_last);
  sqlite3_bind_blob64(insert, 5, run->columns, width * n * sizeof(double), SQLITE_STATIC);
  status = fb_run_step(run, insert, "write samples", error);
  if (status != FB_OK) return status;
  run->nsample += run->nrow;
  run->nrow = 0;
  return FB_OK;
}

static fb_status refuse_time(fb_run* run, double t, fb_error* error) {
  if (!isfinite(t))
    return fb_run_fail_at(run->path, error, FB_ERR_NOT_FINITE, "a sample at the time %g s; it must be finite",
                          t);
  return fb_run_fail_at(run->path, error, FB_ERR_ARG,
                        "a sample at %.17g s after one at %.17g s; time must not go back", t, run->t_last);
}

fb_status fb_run_append(fb_run* run, double t, const double* values, fb_error* error) {
  if (!run->writing || run->failure.status != FB_OK) return fb_run_check_writing(run, error);
  int first = run->nsample + run->nrow == 0;
  if (!isfinite(t) || (!first && t < run->t_last)) return refuse_time(run, t, error);
  double* row = run->rows + (size_t)run->nrow * ((size_t)run->nsignal + 1);
  row[0] = t;
  if (run->nsignal > 0) memcpy(row + 1, values, (size_t)run->nsignal * sizeof *values);
  run->t_last = t;
  run->nrow++;
  return run->nrow == run->max_rows ? fb_run_close_block(run, error) : FB_OK;
}

/* --- texts, events, checkpoints --- */

/* What the text was at the last checkpoint is kept, once, so that a resumed run has it again. */
static const char KEEP_TEXT[] =
    "INSERT OR IGNORE INTO meta_before VALUES(?1, ?2, (SELECT text FROM meta WHERE key = ?2))";
static const char SET_TEXT[] =
    "INSERT INTO meta VALUES(?2, ?3) ON CONFLICT(key) DO UPDATE SET text = excluded.text";

fb_status fb_run_set_text(fb_run* run, const char* key, const char* text, fb_error* error) {
  fb_status status = fb_run_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!key || !text) return fb_fail(error, FB_ERR_ARG, "a text of a run needs a key and a text");
  status = fb_run_begin(run, error);
  const char* const steps[] = {run->checkpoint ? KEEP_TEXT : NULL, SET_TEXT};
  for (int i = 0; i < 2 && status == FB_OK; i++) {
    if (!steps[i]) continue;
    sqlite3_stmt* statement;
    status = fb_run_prepare(run, steps[i], &statement, error);
    if (status != FB_OK) break;
    sqlite3_bind_int64(statement, 1, run->checkpoint);
    sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
    if (steps[i] == SET_TEXT) sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
    status = fb_run_step(run, statement, "write a text of the run", error);
    sqlite3_finalize(statement);
  }
  return status;
}

fb_status fb_run_add_event(fb_run* run, double t, const char* name, const char* text, fb_error* error) {
  fb_status status = fb_run_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!isfinite(t))
    return fb_fail(error, FB_ERR_NOT_FINITE, "an event at the time %g s; it must be finite", t);
  status = fb_run_begin(run, error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_run_prepare(run, "INSERT INTO event VALUES(?, ?, ?, ?, 0)", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, (sqlite3_int64)run->nevent);
  sqlite3_bind_double(statement, 2, t);
  sqlite3_bind_text(statement, 3, name ? name : "", -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 4, text ? text : "", -1, SQLITE_STATIC);
  status = fb_run_step(run, statement, "write an event", error);
  sqlite3_finalize(statement);
  if (status != FB_OK) return status;
  return fb_run_keep_event(run, t, name ? name : "", text ? text : "", error);
}

/* The last two stay: the one before the last is there should the last one's be found wanting. */
static fb_status forget_old_checkpoints(fb_run* run, fb_error* error) {
  static const char* const sql[] = {"DELETE FROM checkpoint WHERE id < ? - 1",
                                    "DELETE FROM meta_before WHERE checkpoint < ? - 1"};
  for (int i = 0; i < 2; i++) {
    sqlite3_stmt* statement;
    fb_status status = fb_run_prepare(run, sql[i], &statement, error);
    if (status != FB_OK) return status;
    sqlite3_bind_int64(statement, 1, run->checkpoint);
    status = fb_run_step(run, statement, "remove an old checkpoint", error);
    sqlite3_finalize(statement);
    if (status != FB_OK) return status;
  }
  return FB_OK;
}

fb_status fb_run_add_checkpoint(fb_run* run, double t, const void* snapshot, size_t size, fb_error* error) {
  fb_status status = fb_run_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!isfinite(t) || t < 0)
    return fb_fail(error, FB_ERR_ARG, "a checkpoint at the time %g s; it must be zero or more", t);
  status = fb_run_close_block(run, error);
  if (status == FB_OK) status = fb_run_begin(run, error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_run_prepare(run, "INSERT INTO checkpoint VALUES(?, ?, ?, ?, 0, ?)", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, run->checkpoint + 1);
  sqlite3_bind_double(statement, 2, t);
  sqlite3_bind_int64(statement, 3, run->nsample);
  sqlite3_bind_int64(statement, 4, (sqlite3_int64)run->nevent);
  sqlite3_bind_blob64(statement, 5, size ? snapshot : "", size, SQLITE_STATIC);
  status = fb_run_step(run, statement, "write a checkpoint", error);
  sqlite3_finalize(statement);
  if (status != FB_OK) return status;
  run->checkpoint++;
  return forget_old_checkpoints(run, error);
}

/* --- the end of a transaction, and of the run --- */

fb_status fb_run_commit(fb_run* run, fb_error* error) {
  fb_status status = fb_run_check_writing(run, error);
  if (status == FB_OK) status = fb_run_close_block(run, error);
  if (status != FB_OK || !run->in_write) return status;
  status = fb_run_exec(run, "COMMIT", "commit the run", error);
  if (status == FB_OK) run->in_write = 0;
  return status;
}

fb_status fb_run_close(fb_run* run, fb_error* error) {
  if (!run) return FB_OK;
  fb_status status = run->writing ? fb_run_commit(run, error) : FB_OK;
  fb_run_free(run);
  return status;
}
