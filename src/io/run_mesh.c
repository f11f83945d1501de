/* run_mesh.c -- the meshes of a run's model, kept whole in the store, so that its pictures need no other file. */
#include <stdlib.h>
#include <string.h>

#include "io/run_store.h"

/* --- writing --- */

fb_status fb_run_add_mesh(fb_run* run, const char* name, const void* data, size_t size, fb_error* error) {
  fb_status status = fb_run_check_writing(run, error);
  if (status != FB_OK) return status;
  if (!name || !name[0]) return fb_fail(error, FB_ERR_ARG, "a mesh of a run needs a name");
  status = fb_run_begin(run, error);
  /* A run that is taken up may be of a time when stores had no meshes. */
  if (status == FB_OK) status = fb_run_exec(run, FB_RUN_MESH_TABLE, "write a mesh", error);
  sqlite3_stmt* statement = NULL;
  if (status == FB_OK)
    status = fb_run_prepare(run, "INSERT OR REPLACE INTO mesh VALUES(?, ?)", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
  sqlite3_bind_blob64(statement, 2, size ? data : "", size, SQLITE_STATIC);
  status = fb_run_step(run, statement, "write a mesh", error);
  sqlite3_finalize(statement);
  return status;
}

/* --- reading --- */

static fb_status has_meshes(fb_run* run, int* found, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_run_prepare(
      run, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'mesh'", &statement, error);
  if (status != FB_OK) return status;
  if (sqlite3_step(statement) == SQLITE_ROW)
    *found = sqlite3_column_int(statement, 0) > 0;
  else
    status = fb_run_fail(run, "read a mesh", error);
  sqlite3_finalize(statement);
  return status;
}

static fb_status copy_data(sqlite3_stmt* statement, void** data, size_t* size, fb_error* error) {
  const void* bytes = sqlite3_column_blob(statement, 0);
  size_t count = (size_t)sqlite3_column_bytes(statement, 0);
  *data = malloc(count + 1);
  if (!*data) return fb_run_no_memory(error);
  if (count > 0) memcpy(*data, bytes, count);
  *size = count;
  return FB_OK;
}

fb_status fb_run_read_mesh(fb_run* run, const char* name, void** data, size_t* size, fb_error* error) {
  *data = NULL;
  *size = 0;
  int found = 0;
  fb_status status = has_meshes(run, &found, error);
  if (status != FB_OK || !found) return status;
  sqlite3_stmt* statement;
  status = fb_run_prepare(run, "SELECT data FROM mesh WHERE name = ?", &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    status = copy_data(statement, data, size, error);
  else if (code != SQLITE_DONE)
    status = fb_run_fail(run, "read a mesh", error);
  sqlite3_finalize(statement);
  return status;
}
