/* mesh.c -- the meshes of a run's model, kept whole in the store, so that its pictures need no other file. */
#include <stdlib.h>
#include <string.h>

#include "run/store/store.h"

/* --- writing --- */

fb_status fb_store_add_mesh(fb_store* run, const char* name, const void* data, size_t size, fb_error* error) {
  fb_status status = fb_store_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!name || !name[0]) return fb_fail(error, FB_ERR_ARG, "a mesh of a run needs a name");
  uint32_t data_sum = fb_store_sum(data, size);
  status = fb_store_begin(run, error);
  if (status == FB_OK) status = fb_store_keep_mesh(run, name, 0, data_sum, error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_store_prepare(
        run, "INSERT OR REPLACE INTO mesh(name, data_sum, sum, data) VALUES(?, ?, ?, ?)", &statement, error);
  if (status != FB_OK) return status;
  fb_store_row row = fb_store_row_begin(statement);
  fb_store_row_text(&row, name);
  fb_store_row_int(&row, data_sum);
  status = fb_store_row_write(run, &row, size ? data : "", size, "write a mesh", error);
  if (status == FB_OK) fb_store_find_mesh(run, name)->row = sqlite3_last_insert_rowid(run->db);
  sqlite3_finalize(statement);
  return status;
}

/* --- reading --- */

static fb_status copy_data(fb_store* run, sqlite3_stmt* statement, const fb_store_mesh* mesh, void** data,
                           size_t* size, fb_error* error) {
  const void* bytes = sqlite3_column_blob(statement, 0);
  size_t count = (size_t)sqlite3_column_bytes(statement, 0);
  if (!bytes && count > 0) return fb_store_no_memory(error);
  if (sqlite3_column_type(statement, 0) != SQLITE_BLOB || fb_store_sum(bytes, count) != mesh->data_sum)
    return fb_store_damaged(run, error, "its mesh '%.60s' does not fit its checksum", mesh->name);
  *data = malloc(count + 1);
  if (!*data) return fb_store_no_memory(error);
  if (count > 0) memcpy(*data, bytes, count);
  *size = count;
  return FB_OK;
}

fb_status fb_store_read_mesh(fb_store* run, const char* name, void** data, size_t* size, fb_error* error) {
  *data = NULL;
  *size = 0;
  const fb_store_mesh* mesh = fb_store_find_mesh(run, name);
  sqlite3_stmt* statement;
  if (!mesh) return FB_OK;
  fb_status status = fb_store_prepare(run, "SELECT data FROM mesh WHERE rowid = ?", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, mesh->row);
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    status = copy_data(run, statement, mesh, data, size, error);
  else if (code == SQLITE_DONE)
    status = fb_store_damaged(run, error, "its mesh '%.60s' is gone", name);
  else
    status = fb_store_fail(run, "read a mesh", error);
  sqlite3_finalize(statement);
  return status;
}
