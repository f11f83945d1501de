/* write.c -- writing a run: samples gather in memory, blocks, events and checkpoints go into one
 * transaction, and a commit makes all of it visible at once.
 *
 * SQLite in WAL mode with synchronous = NORMAL: a killed process loses what was not committed and no more;
 * when the power fails the last commits may go too, but the file stays sound.
 *
 * What is written is remembered in memory first: when memory runs out nothing has been written yet, and when the write
 * fails nothing is committed any more, so that the two never differ in what is committed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/store/folder.h"
#include "text/files.h"

fb_status fb_store_check_writing(fb_store* run, fb_error* error) {
  if (!run->writing)
    return fb_file_fail(run->path, error, FB_ERR_ARG, "this run was opened for reading, not for writing");
  /* A failed write stays failed: whoever asks again hears the same. */
  if (run->failure.status != FB_OK && error) *error = run->failure;
  return run->failure.status;
}

fb_status fb_store_use_journal(fb_store* run, fb_error* error) {
  run->writing = 1;
  return fb_store_exec(run,
                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;",
                       "open the run for writing", error);
}

fb_status fb_store_start_writing(fb_store* run, fb_error* error) {
  enum { MOST_NUMBERS = 8 << 20 }; /* in a block: 64 MiB */
  size_t width = (size_t)run->nsignal + 1;
  size_t rows = MOST_NUMBERS / width;
  run->max_rows = rows > FB_STORE_BLOCK_SAMPLES ? (int)FB_STORE_BLOCK_SAMPLES : rows < 1 ? 1 : (int)rows;
  run->rows = malloc(width * (size_t)run->max_rows * sizeof(double));
  run->columns = malloc(width * (size_t)run->max_rows * sizeof(double));
  run->column_sums = malloc(4 * width);
  if (!run->rows || !run->columns || !run->column_sums) return fb_store_no_memory(error);
  run->most = 0; /* from here on the work is our own */
  fb_status status = fb_store_note_place(run, error);
  if (status == FB_OK)
    status = fb_store_prepare(run,
                              "INSERT INTO block(first, count, t_first, t_last, epoch, data_sums, sum, data) "
                              "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                              &run->insert_block, error);
  if (status == FB_OK)
    status =
        fb_store_prepare(run, "INSERT INTO event(id, t, name, text, epoch, sum) VALUES(?, ?, ?, ?, ?, ?)",
                         &run->insert_event, error);
  return status;
}

fb_status fb_store_begin(fb_store* run, fb_error* error) {
  if (run->in_write) return FB_OK;
  fb_status status = fb_store_exec(run, "BEGIN IMMEDIATE", "write the run", error);
  if (status == FB_OK) run->in_write = 1;
  return status;
}

/* --- samples --- */

/* The rows as columns in the file's order of bytes, with the sum of each. */
static void turn_rows(fb_store* run) {
  size_t width = (size_t)run->nsignal + 1, n = (size_t)run->nrow;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < width; j++) run->columns[j * n + i] = run->rows[i * width + j];
  fb_store_little_endian(run->columns, width * n);
  for (size_t j = 0; j < width; j++) {
    uint32_t sum = fb_store_sum(run->columns + j * n, n * sizeof(double));
    for (size_t k = 0; k < 4; k++) run->column_sums[4 * j + k] = (unsigned char)(sum >> (8 * k));
  }
}

fb_status fb_store_close_block(fb_store* run, fb_error* error) {
  if (run->nrow == 0) return FB_OK;
  size_t width = (size_t)run->nsignal + 1, n = (size_t)run->nrow;
  const fb_store_block block = {run->nsample, run->nrow, run->rows[0], run->t_last};
  turn_rows(run);
  fb_status status = fb_store_begin(run, error);
  if (status == FB_OK) status = fb_store_keep_block(run, block, error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(run->insert_block);
  fb_store_row_int(&row, block.first);
  fb_store_row_int(&row, block.count);
  fb_store_row_real(&row, block.t_first);
  fb_store_row_real(&row, block.t_last);
  fb_store_row_int(&row, run->epoch);
  fb_store_row_blob(&row, run->column_sums, 4 * width);
  status = fb_store_row_write(run, &row, run->columns, width * n * sizeof(double), "write samples", error);
  if (status == FB_OK) run->nrow = 0;
  return status;
}

fb_status fb_store_set_epoch(fb_store* run, int epoch, fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status == FB_OK && epoch < 0)
    status = fb_fail(error, FB_ERR_ARG, "the epoch of a run is %d; they count from 0", epoch);
  if (status == FB_OK && epoch != run->epoch) status = fb_store_close_block(run, error);
  if (status == FB_OK) run->epoch = epoch;
  return status;
}

static fb_status refuse_time(fb_store* run, double t, fb_error* error) {
  if (!isfinite(t))
    return fb_file_fail(run->path, error, FB_ERR_NOT_FINITE, "a sample at the time %g s; it must be finite",
                        t);
  return fb_file_fail(run->path, error, FB_ERR_ARG,
                      "a sample at %.17g s after one at %.17g s; time must not go back", t, run->t_last);
}

fb_status fb_store_append(fb_store* run, double t, const double* values, fb_error* error) {
  if (!run->writing || run->failure.status != FB_OK) return fb_store_check_writing(run, error);
  int first = run->nsample + run->nrow == 0;
  if (!isfinite(t) || (!first && t < run->t_last)) return refuse_time(run, t, error);
  double* row = run->rows + (size_t)run->nrow * ((size_t)run->nsignal + 1);
  row[0] = t;
  if (run->nsignal > 0) memcpy(row + 1, values, (size_t)run->nsignal * sizeof *values);
  run->t_last = t;
  run->nrow++;
  return run->nrow == run->max_rows ? fb_store_close_block(run, error) : FB_OK;
}

/* --- signals, texts, events, checkpoints --- */

fb_status fb_store_put_signals(fb_store* run, const fb_store_signal* signals, int count, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(
      run, "INSERT INTO signal(id, name, unit, axes, meaning, epoch, sum) VALUES(?, ?, ?, ?, ?, ?, ?)",
      &statement, error);
  for (int i = 0; i < count && status == FB_OK; i++) {
    const char* texts[] = {signals[i].name, signals[i].unit, signals[i].axes, signals[i].meaning};
    fb_store_row row = fb_store_row_begin(statement);
    fb_store_row_int(&row, i);
    for (int j = 0; j < 4; j++) fb_store_row_text(&row, texts[j] ? texts[j] : "");
    fb_store_row_int(&row, 0);
    status = fb_store_row_write(run, &row, NULL, 0, "write the run's signals", error);
  }
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_store_put_text(fb_store* run, const char* key, const char* text, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_keep_text(run, key, text, error);
  if (status != FB_OK) return status;
  status = fb_store_prepare(run,
                            "INSERT INTO meta(key, text, sum) VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET "
                            "text = excluded.text, sum = excluded.sum",
                            &statement, error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(statement);
  fb_store_row_text(&row, key);
  fb_store_row_text(&row, text);
  status = fb_store_row_write(run, &row, NULL, 0, "write a text of the run", error);
  sqlite3_finalize(statement);
  return status;
}

/* What a text was at the last checkpoint is kept, once, so that a resumed run has it again. */
static fb_status keep_before(fb_store* run, const char* key, fb_error* error) {
  sqlite3_stmt* statement;
  if (run->checkpoint == 0) return FB_OK;
  fb_status status = fb_store_prepare(
      run, "INSERT OR IGNORE INTO meta_before(checkpoint, key, text, sum) VALUES(?, ?, ?, ?)", &statement,
      error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(statement);
  fb_store_row_int(&row, run->checkpoint);
  fb_store_row_text(&row, key);
  fb_store_row_text(&row, fb_store_get_text(run, key));
  status = fb_store_row_write(run, &row, NULL, 0, "write a text of the run", error);
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_store_set_text(fb_store* run, const char* key, const char* text, fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!key || !text) return fb_fail(error, FB_ERR_ARG, "a text of a run needs a key and a text");
  status = fb_store_begin(run, error);
  if (status == FB_OK) status = keep_before(run, key, error);
  return status == FB_OK ? fb_store_put_text(run, key, text, error) : status;
}

fb_status fb_store_add_event(fb_store* run, double t, const char* name, const char* text, fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!isfinite(t))
    return fb_fail(error, FB_ERR_NOT_FINITE, "an event at the time %g s; it must be finite", t);
  long long id = (long long)run->nevent;
  status = fb_store_begin(run, error);
  if (status == FB_OK) status = fb_store_keep_event(run, t, name ? name : "", text ? text : "", error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(run->insert_event);
  fb_store_row_int(&row, id);
  fb_store_row_real(&row, t);
  fb_store_row_text(&row, name ? name : "");
  fb_store_row_text(&row, text ? text : "");
  fb_store_row_int(&row, run->epoch);
  return fb_store_row_write(run, &row, NULL, 0, "write an event", error);
}

/* The last two stay: the one before the last is there should the last one's be found wanting. */
static fb_status forget_old_checkpoints(fb_store* run, fb_error* error) {
  static const char* const sql[] = {"DELETE FROM checkpoint WHERE id < ? - 1",
                                    "DELETE FROM meta_before WHERE checkpoint < ? - 1"};
  fb_status status = FB_OK;
  for (int i = 0; i < 2 && status == FB_OK; i++)
    status = fb_store_exec_number(run, sql[i], run->checkpoint, "remove an old checkpoint", error);
  return status;
}

fb_status fb_store_add_checkpoint(fb_store* run, double t, const void* snapshot, size_t size,
                                  fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!isfinite(t) || t < 0)
    return fb_fail(error, FB_ERR_ARG, "a checkpoint at the time %g s; it must be zero or more", t);
  status = fb_store_close_block(run, error);
  if (status == FB_OK) status = fb_store_begin(run, error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_store_prepare(run,
                              "INSERT INTO checkpoint(id, t, samples, events, epoch, data_sum, sum, data) "
                              "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                              &statement, error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(statement);
  fb_store_row_int(&row, run->checkpoint + 1);
  fb_store_row_real(&row, t);
  fb_store_row_int(&row, run->nsample);
  fb_store_row_int(&row, (long long)run->nevent);
  fb_store_row_int(&row, run->epoch);
  fb_store_row_int(&row, fb_store_sum(snapshot, size));
  status = fb_store_row_write(run, &row, size ? snapshot : "", size, "write a checkpoint", error);
  sqlite3_finalize(statement);
  if (status != FB_OK) return status;
  run->checkpoint++;
  return forget_old_checkpoints(run, error);
}

/* --- the end of a transaction, and of the run --- */

fb_status fb_store_put_total(fb_store* run, int nsignal, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(run,
                                      "INSERT OR REPLACE INTO total(id, signals, samples, events, texts, "
                                      "meshes, checkpoint, sum) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                                      &statement, error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(statement);
  const long long counts[] = {0,
                              nsignal,
                              run->nsample,
                              (long long)run->nevent,
                              (long long)run->nkey,
                              (long long)run->nmesh,
                              run->checkpoint};
  for (int i = 0; i < 7; i++) fb_store_row_int(&row, counts[i]);
  status = fb_store_row_write(run, &row, NULL, 0, "commit the run", error);
  sqlite3_finalize(statement);
  return status;
}

/* Fails for good, as a write does. */
static fb_status check_place(fb_store* run, fb_error* error) {
  fb_error cause;
  fb_status status = fb_store_check_place(run, &cause);
  if (status == FB_OK) return FB_OK;
  fb_store_give_up(run, &cause);
  if (error) *error = cause;
  return status;
}

fb_status fb_store_commit(fb_store* run, fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status == FB_OK) status = fb_store_close_block(run, error);
  if (status != FB_OK || !run->in_write) return status;
  status = check_place(run, error);
  if (status == FB_OK) status = fb_store_put_total(run, run->nsignal, error);
  if (status == FB_OK) status = fb_store_exec(run, "COMMIT", "commit the run", error);
  if (status == FB_OK) run->in_write = 0;
  return status;
}

fb_status fb_store_close(fb_store* run, fb_error* error) {
  if (!run) return FB_OK;
  fb_status status = run->writing && fb_store_is_here(run) ? fb_store_commit(run, error) : FB_OK;
  fb_store_free(run);
  return status;
}
