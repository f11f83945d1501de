/* mark.c -- a text of a run whose writer has died, as why it did. Resuming would drop what came after the last
 * checkpoint; this leaves it. */
#include "run/store/mark.h"

#include <stdlib.h>

#include "run/store/store.h"

static fb_status mark(fb_run* run, const char* folder, const char* key, const char* text, fb_error* error) {
  fb_status status = fb_run_lock(folder, run->path, &run->lock, error);
  if (status == FB_OK) status = fb_run_connect(run, SQLITE_OPEN_READWRITE, 0, error);
  if (status == FB_OK) status = fb_run_check_tables(run, error);
  if (status == FB_OK) status = fb_run_use_journal(run, error);
  if (status == FB_OK) status = fb_run_begin(run, error);
  if (status == FB_OK) status = fb_run_load(run, error);
  if (status == FB_OK) status = fb_run_start_writing(run, error);
  if (status == FB_OK) status = fb_run_set_text(run, key, text, error);
  return status == FB_OK ? fb_run_commit(run, error) : status;
}

fb_status fb_run_mark(const char* folder, const char* key, const char* text, fb_error* error) {
  char* path;
  fb_status status = fb_run_locate(folder, &path, error);
  if (status != FB_OK) return status;
  fb_run* run = fb_run_new(path);
  free(path);
  if (!run) return fb_run_no_memory(error);
  status = mark(run, folder, key, text, error);
  fb_run_free(run);
  return status;
}
