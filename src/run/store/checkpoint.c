/* checkpoint.c -- reads a checkpoint of a run: its last one, or the last one before some time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/store/store.h"

static fb_status copy_snapshot(fb_store* run, sqlite3_stmt* statement, fb_store_checkpoint* c,
                               fb_error* error) {
  const void* data = sqlite3_column_blob(statement, 0);
  c->size = (size_t)sqlite3_column_bytes(statement, 0);
  if (!data && c->size > 0) return fb_store_no_memory(error);
  if (fb_store_sum(data, c->size) != c->data_sum)
    return fb_store_damaged(run, error, "its checkpoint %lld at t = %.9g s does not fit its checksum", c->id,
                            c->t);
  c->data = malloc(c->size + 1);
  if (!c->data) return fb_store_no_memory(error);
  if (c->size) memcpy(c->data, data, c->size);
  return FB_OK;
}

static fb_status read_snapshot(fb_store* run, fb_store_checkpoint* c, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(run, "SELECT data FROM checkpoint WHERE id = ?", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, c->id);
  if (sqlite3_step(statement) == SQLITE_ROW)
    status = copy_snapshot(run, statement, c, error);
  else
    status = fb_store_fail(run, "read a checkpoint", error);
  sqlite3_finalize(statement);
  return status;
}

static fb_status read_row(fb_store* run, double t, fb_store_checkpoint* c, fb_error* error) {
  sqlite3_stmt* statement;
  int more = 0;
  fb_status status = fb_store_select_rows(run, "checkpoint", "id, t, samples, events, epoch, data_sum",
                                          "WHERE t <= ? ORDER BY id DESC LIMIT 1", &statement, error);
  if (status == FB_OK) sqlite3_bind_double(statement, 1, t);
  if (status == FB_OK) status = fb_store_next_row(run, statement, "checkpoint", "iriiii", &more, error);
  if (more) {
    c->id = sqlite3_column_int64(statement, 0);
    c->t = sqlite3_column_double(statement, 1);
    c->samples = sqlite3_column_int64(statement, 2);
    c->events = sqlite3_column_int64(statement, 3);
    c->data_sum = (uint32_t)sqlite3_column_int64(statement, 5);
  }
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_store_read_checkpoint(fb_store* run, double t, fb_store_checkpoint* c, fb_error* error) {
  memset(c, 0, sizeof *c);
  if (run->checkpoint == 0) return FB_OK;
  fb_status status = read_row(run, t, c, error);
  if (status != FB_OK) return status;
  if (t == INFINITY && c->id != run->checkpoint)
    return fb_store_damaged(run, error, "its checkpoint %lld is gone", run->checkpoint);
  if (!(isfinite(c->t) && c->t >= 0))
    return fb_store_damaged(run, error, "its checkpoint %lld is at the time %g s", c->id, c->t);
  return c->id > 0 ? read_snapshot(run, c, error) : FB_OK;
}
