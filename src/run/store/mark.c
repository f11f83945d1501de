/* mark.c -- a text of a run whose writer has died, as why it did. Resuming would drop what came after the last
 * checkpoint; this leaves it. */
#include <stdlib.h>

#include "run/store/store.h"

static fb_status mark(fb_store* run, const char* folder, const char* key, const char* text, fb_error* error) {
  fb_status status = fb_store_lock(folder, run->path, &run->lock, error);
  if (status == FB_OK) status = fb_store_connect(run, SQLITE_OPEN_READWRITE, 0, error);
  if (status == FB_OK) status = fb_store_check_tables(run, error);
  if (status == FB_OK) status = fb_store_use_journal(run, error);
  if (status == FB_OK) status = fb_store_begin(run, error);
  if (status == FB_OK) status = fb_store_load(run, error);
  if (status == FB_OK) status = fb_store_start_writing(run, error);
  if (status == FB_OK) status = fb_store_set_text(run, key, text, error);
  return status == FB_OK ? fb_store_commit(run, error) : status;
}

fb_status fb_store_mark(const char* folder, const char* key, const char* text, fb_error* error) {
  char* path;
  fb_status status = fb_store_locate(folder, &path, error);
  if (status != FB_OK) return status;
  fb_store* run = fb_store_new(path);
  free(path);
  if (!run) return fb_store_no_memory(error);
  status = mark(run, folder, key, text, error);
  fb_store_free(run);
  return status;
}
