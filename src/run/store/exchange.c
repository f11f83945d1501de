/* exchange.c -- what remote controllers sent to a run: every exchange, in rows of up to 1024 of them, so that the run can
 * be resumed and replayed without the controller. Rows of a controller follow one another without a gap. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run/store/store.h"

static size_t width_of(const fb_store_exchanges* e) {
  return (size_t)e->ninput + FB_EXCHANGE_INPUTS;
}

fb_status fb_store_add_exchanges(fb_store* run, const char* controller, const fb_store_exchanges* e,
                                 fb_error* error) {
  size_t width = width_of(e), count = width * (size_t)e->count;
  fb_status status = fb_store_check_writing(run, error);
  if (status == FB_OK) status = fb_store_begin(run, error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_store_prepare(run,
                              "INSERT INTO exchange(controller, first, count, inputs, t_first, t_last, "
                              "data_sum, sum, data) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              &statement, error);
  if (status != FB_OK) return status;
  double t_first = e->numbers[0], t_last = e->numbers[count - width];
  fb_store_little_endian(e->numbers, count);
  fb_store_row row = fb_store_row_begin(statement);
  fb_store_row_text(&row, controller);
  fb_store_row_int(&row, e->first);
  fb_store_row_int(&row, e->count);
  fb_store_row_int(&row, e->ninput);
  fb_store_row_real(&row, t_first);
  fb_store_row_real(&row, t_last);
  fb_store_row_int(&row, fb_store_sum(e->numbers, count * sizeof(double)));
  status = fb_store_row_write(run, &row, e->numbers, count * sizeof(double), "write what a controller sent",
                              error);
  fb_store_little_endian(e->numbers, count);
  sqlite3_finalize(statement);
  return status;
}

/* --- reading --- */

static fb_status copy_numbers(fb_store* run, sqlite3_stmt* data, const char* controller, uint32_t sum,
                              fb_store_exchanges* out, fb_error* error) {
  size_t size = width_of(out) * (size_t)out->count * sizeof(double);
  const void* bytes = sqlite3_column_blob(data, 0);
  if (sqlite3_column_type(data, 0) != SQLITE_BLOB || (size_t)sqlite3_column_bytes(data, 0) != size)
    return fb_store_damaged(run, error, "exchange %lld of controller '%.60s' has the wrong size", out->first,
                            controller);
  if (!bytes) return fb_store_no_memory(error);
  if (fb_store_sum(bytes, size) != sum)
    return fb_store_damaged(run, error, "exchange %lld of controller '%.60s' does not fit its checksum",
                            out->first, controller);
  out->numbers = malloc(size);
  if (!out->numbers) return fb_store_no_memory(error);
  memcpy(out->numbers, bytes, size);
  fb_store_little_endian(out->numbers, size / sizeof(double));
  return FB_OK;
}

static fb_status read_data(fb_store* run, const char* controller, uint32_t sum, fb_store_exchanges* out,
                           fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(run, "SELECT data FROM exchange WHERE controller = ? AND first = ?",
                                      &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_text(statement, 1, controller, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, out->first);
  if (sqlite3_step(statement) == SQLITE_ROW)
    status = copy_numbers(run, statement, controller, sum, out, error);
  else
    status = fb_store_fail(run, "read what a controller sent", error);
  sqlite3_finalize(statement);
  return status;
}

/* The row that begins at `number` or before it, `count` 0 when there is none; what follows is in `sum`. */
static fb_status read_row(fb_store* run, const char* controller, long long number, fb_store_exchanges* out,
                          uint32_t* sum, fb_error* error) {
  sqlite3_stmt* statement;
  int more = 0;
  fb_status status = fb_store_select_rows(
      run, "exchange", "controller, first, count, inputs, t_first, t_last, data_sum",
      "WHERE controller = ? AND first <= ? ORDER BY first DESC LIMIT 1", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_text(statement, 1, controller, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, number);
  status = fb_store_next_row(run, statement, "exchange", "tiiirri", &more, error);
  long long count = 0, ninput = 0;
  if (status == FB_OK && more) {
    out->first = sqlite3_column_int64(statement, 1);
    count = sqlite3_column_int64(statement, 2);
    ninput = sqlite3_column_int64(statement, 3);
    *sum = (uint32_t)sqlite3_column_int64(statement, 6);
    if (out->first < 0 || count < 1 || count > FB_STORE_EXCHANGES || ninput < 0 || ninput > INT_MAX / 2)
      status = fb_store_damaged(run, error, "exchange %lld of controller '%.60s' has impossible counts",
                                out->first, controller);
  }
  sqlite3_finalize(statement);
  if (status != FB_OK) return status;
  out->count = (int)count;
  out->ninput = (int)ninput;
  return FB_OK;
}

fb_status fb_store_read_exchanges(fb_store* run, const char* controller, long long number,
                                  fb_store_exchanges* out, fb_error* error) {
  uint32_t sum = 0;
  free(out->numbers);
  *out = (fb_store_exchanges){0};
  fb_status status = read_row(run, controller, number, out, &sum, error);
  if (status == FB_OK && out->count > 0 && number >= out->first + out->count) out->count = 0;
  if (status == FB_OK && out->count > 0) status = read_data(run, controller, sum, out, error);
  if (status != FB_OK) out->count = 0;
  return status;
}
