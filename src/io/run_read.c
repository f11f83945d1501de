/* run_read.c -- reading a run, also while it is written: a reader sees what was committed when it opened
 * the run. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "io/run_store.h"

/* --- opening --- */

static int has_journal(const char* path) {
  size_t size = strlen(path) + 5;
  char* name = (char*)malloc(size);
  struct stat info;
  if (!name) return 1;
  memcpy(name, path, size - 5);
  memcpy(name + size - 5, "-wal", 5);
  int found = stat(name, &info) == 0 && info.st_size > 0;
  free(name);
  return found;
}

/* One transaction, so that signals, samples and events belong together. */
static fb_status load(fb_run* run, fb_error* error) {
  fb_status status = fb_run_exec(run, "BEGIN", "read the run", error);
  if (status == FB_OK) status = fb_run_check_version(run, error);
  if (status == FB_OK) status = fb_run_load_signals(run, error);
  if (status == FB_OK) status = fb_run_load(run, error);
  if (status == FB_OK) status = fb_run_exec(run, "COMMIT", "read the run", error);
  return status;
}

/* SQLite reads a database in WAL mode with the help of files beside it, which a connection that may write
 * removes when it closes. Where none can be made, a run that ended in order is read as a file that nobody
 * changes. */
static fb_status try_open(const char* path, int immutable, fb_run** run, int* cannot_open, fb_error* error) {
  fb_run* opened = fb_run_new(path);
  if (!opened) return fb_run_no_memory(error);
  fb_status status =
      fb_run_connect(opened, immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, immutable, error);
  if (status == FB_OK) status = fb_run_exec(opened, "PRAGMA query_only = ON", "read the run", error);
  if (status == FB_OK) status = load(opened, error);
  int code = opened->db ? sqlite3_errcode(opened->db) & 0xff : SQLITE_OK;
  *cannot_open =
      code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR || code == SQLITE_FULL;
  if (status == FB_OK)
    *run = opened;
  else
    fb_run_free(opened);
  return status;
}

fb_status fb_run_open(const char* folder, fb_run** run, fb_error* error) {
  *run = NULL;
  char* path;
  fb_status status = fb_run_locate(folder, &path, error);
  if (status != FB_OK) return status;
  int cannot_open = 0;
  status = try_open(path, 0, run, &cannot_open, error);
  if (status != FB_OK && cannot_open) {
    if (access(path, R_OK) != 0)
      status = fb_run_fail_at(path, error, FB_ERR_IO, "cannot read the run: %s", strerror(errno));
    else if (has_journal(path))
      status = fb_run_fail_at(
          path, error, FB_ERR_IO,
          "this run was stopped in the midst of writing and lies where nothing can be written, which "
          "reading it needs: make room or change the permissions, or read a copy");
    else
      status = try_open(path, 1, run, &cannot_open, error);
  }
  free(path);
  return status;
}

/* --- what it holds --- */

/* The text handed out before for the key, when it still is the same; else it is kept from now on. */
static const char* keep_text(fb_run* run, const char* key, const char* text) {
  for (size_t i = 0; i < run->ntext; i++)
    if (strcmp(run->texts[i].key, key) == 0 && strcmp(run->texts[i].text, text) == 0)
      return run->texts[i].text;
  if (!fb_grow(&run->texts, run->ntext, 1, &run->text_room, sizeof *run->texts)) return NULL;
  fb_run_kept kept = {strdup(key), strdup(text)};
  if (!kept.key || !kept.text) {
    free(kept.key);
    free(kept.text);
    return NULL;
  }
  run->texts[run->ntext++] = kept;
  return kept.text;
}

const char* fb_run_text(fb_run* run, const char* key) {
  sqlite3_stmt* statement = NULL;
  const char* found = NULL;
  if (sqlite3_prepare_v2(run->db, "SELECT text FROM meta WHERE key = ?", -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char* text = sqlite3_column_text(statement, 0);
      if (text) found = keep_text(run, key, (const char*)text);
    }
  }
  sqlite3_finalize(statement);
  return found;
}

int fb_run_nsignal(const fb_run* run) {
  return run->nsignal;
}

fb_run_signal fb_run_signal_at(const fb_run* run, int index) {
  fb_run_signal none = {"", "", "", ""};
  return index >= 0 && index < run->nsignal ? run->signals[index] : none;
}

int fb_run_find(const fb_run* run, const char* name) {
  for (int i = 0; i < run->nsignal; i++)
    if (strcmp(run->signals[i].name, name) == 0) return i;
  return -1;
}

long long fb_run_nsample(const fb_run* run) {
  return run->nsample + run->nrow;
}

int fb_run_nevent(const fb_run* run) {
  return run->nevent > INT_MAX ? INT_MAX : (int)run->nevent;
}

fb_run_event fb_run_event_at(const fb_run* run, int index) {
  fb_run_event none = {0, "", ""};
  return index >= 0 && (size_t)index < run->nevent ? run->events[index] : none;
}

/* --- samples --- */

/* What is asked of the blocks. */
typedef struct wish {
  const int* signals;
  int nsignal;
  long long first, count;
  double* values; /* signal after signal, `count` each */
} wish;

static fb_status fail_block(fb_run* run, long long first, fb_error* error) {
  return fb_run_fail_at(
      run->path, error, FB_ERR_IO,
      "the samples from number %lld on are damaged or gone; if the run was resumed or replaced "
      "meanwhile, read it again",
      first);
}

/* The part of one block that is asked for. */
static fb_status read_block(fb_run* run, sqlite3_blob* blob, long long block_first, long long block_count,
                            const wish* w, fb_error* error) {
  long long size = sqlite3_blob_bytes(blob);
  if (size != block_count * (run->nsignal + 1) * 8) return fail_block(run, block_first, error);
  long long from = w->first > block_first ? w->first : block_first;
  long long end = w->first + w->count, block_end = block_first + block_count;
  long long n = (end < block_end ? end : block_end) - from;
  for (int i = 0; i < w->nsignal; i++) {
    double* out = w->values + (long long)i * w->count + (from - w->first);
    long long offset = ((long long)(w->signals[i] + 1) * block_count + (from - block_first)) * 8;
    if (sqlite3_blob_read(blob, out, (int)(n * 8), (int)offset) != SQLITE_OK)
      return fb_run_fail(run, "read samples", error);
    fb_run_little_endian(out, (size_t)n);
  }
  return FB_OK;
}

static fb_status read_blocks(fb_run* run, sqlite3_stmt* blocks, const wish* w, fb_error* error) {
  sqlite3_blob* blob = NULL;
  long long next = w->first, end = w->first + w->count;
  fb_status status = FB_OK;
  while (status == FB_OK && next < end) {
    int code = sqlite3_step(blocks);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      status = fb_run_fail(run, "read samples", error);
      break;
    }
    long long first = sqlite3_column_int64(blocks, 0), count = sqlite3_column_int64(blocks, 1);
    if (code == SQLITE_DONE || first > next || first + count <= next) {
      status = fail_block(run, next, error);
      break;
    }
    code = blob ? sqlite3_blob_reopen(blob, first)
                : sqlite3_blob_open(run->db, "main", "block", "data", first, 0, &blob);
    status = code == SQLITE_OK ? read_block(run, blob, first, count, w, error)
                               : fb_run_fail(run, "read samples", error);
    next = first + count;
  }
  sqlite3_blob_close(blob);
  return status;
}

fb_status fb_run_read_many(fb_run* run, const int* signals, int nsignal, long long first, long long count,
                           double* values, fb_error* error) {
  if (run->writing && run->nrow > 0) {
    fb_status status = run->failure.status ? run->failure.status : fb_run_close_block(run, error);
    if (status != FB_OK) return status;
  }
  if (first < 0 || count < 0 || first > run->nsample || count > run->nsample - first)
    return fb_run_fail_at(run->path, error, FB_ERR_ARG, "samples %lld to %lld of a run that has %lld", first,
                          first + count - 1, run->nsample);
  for (int i = 0; i < nsignal; i++)
    if (signals[i] < -1 || signals[i] >= run->nsignal)
      return fb_run_fail_at(run->path, error, FB_ERR_ARG, "signal number %d of a run that has %d", signals[i],
                            run->nsignal);
  if (count == 0) return FB_OK;
  sqlite3_stmt* blocks;
  fb_status status = fb_run_prepare(run,
                                    "SELECT first, count FROM block WHERE first >= (SELECT max(first) FROM "
                                    "block WHERE first <= ?) ORDER BY first",
                                    &blocks, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(blocks, 1, first);
  const wish w = {signals, nsignal, first, count, values};
  status = read_blocks(run, blocks, &w, error);
  sqlite3_finalize(blocks);
  return status;
}

fb_status fb_run_read(fb_run* run, int index, long long first, long long count, double* values,
                      fb_error* error) {
  return fb_run_read_many(run, &index, 1, first, count, values, error);
}

/* --- times --- */

/* The number of samples before the time t, or up to it with those at t itself. */
static fb_status count_before(fb_run* run, double t, int with_t, long long* before, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status =
      fb_run_prepare(run,
                     with_t ? "SELECT first, count FROM block WHERE t_last > ? ORDER BY first LIMIT 1"
                            : "SELECT first, count FROM block WHERE t_last >= ? ORDER BY first LIMIT 1",
                     &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_double(statement, 1, t);
  int code = sqlite3_step(statement);
  long long first = run->nsample, count = 0;
  if (code == SQLITE_ROW) {
    first = sqlite3_column_int64(statement, 0);
    count = sqlite3_column_int64(statement, 1);
  }
  sqlite3_finalize(statement);
  *before = first;
  if (code == SQLITE_DONE || first >= run->nsample) {
    *before = run->nsample;
    return FB_OK;
  }
  if (code != SQLITE_ROW || count < 1) return fb_run_fail(run, "read samples", error);
  double* times = (double*)malloc((size_t)count * sizeof *times);
  if (!times) return fb_run_no_memory(error);
  status = fb_run_read(run, -1, first, count, times, error);
  for (long long i = 0; status == FB_OK && i < count && (with_t ? times[i] <= t : times[i] < t); i++)
    ++*before;
  free(times);
  return status;
}

fb_status fb_run_range(fb_run* run, double from, double to, long long* first, long long* count,
                       fb_error* error) {
  long long end = 0;
  *first = *count = 0;
  fb_status status = run->writing ? fb_run_close_block(run, error) : FB_OK;
  if (status == FB_OK) status = count_before(run, from, 0, first, error);
  if (status == FB_OK) status = count_before(run, to, 1, &end, error);
  if (status == FB_OK && end > *first) *count = end - *first;
  return status;
}
