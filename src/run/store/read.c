/* read.c -- reading a run, also while it is written: a reader sees what was committed when it opened
 * the run. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/copy_text.h"
#include "run/store/folder.h"
#include "text/files.h"

/* --- opening --- */

static int has_journal(const char* path) {
  char* name = fb_join_texts(path, "-wal", "");
  struct stat info;
  if (!name) return 1;
  int found = stat(name, &info) == 0 && info.st_size > 0;
  free(name);
  return found;
}

/* One transaction, so that signals, samples and events belong together. */
static fb_status load(fb_store* run, fb_error* error) {
  fb_status status = fb_store_exec(run, "BEGIN", "read the run", error);
  if (status == FB_OK) status = fb_store_check_tables(run, error);
  if (status == FB_OK) status = fb_store_load(run, error);
  if (status == FB_OK) status = fb_store_exec(run, "COMMIT", "read the run", error);
  return status;
}

/* SQLite reads a database in WAL mode with the help of files beside it, which a connection that may write
 * removes when it closes. Where none can be made, a run that ended in order is read as a file that nobody
 * changes. */
static fb_status try_open(const char* path, int immutable, fb_store** run, int* cannot_open,
                          fb_error* error) {
  fb_store* opened = fb_store_new(path);
  if (!opened) return fb_store_no_memory(error);
  fb_status status =
      fb_store_connect(opened, immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, immutable, error);
  if (status == FB_OK) status = fb_store_exec(opened, "PRAGMA query_only = ON", "read the run", error);
  if (status == FB_OK) status = load(opened, error);
  int code = opened->db ? sqlite3_errcode(opened->db) & 0xff : SQLITE_OK;
  *cannot_open =
      code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR || code == SQLITE_FULL;
  if (status == FB_OK)
    *run = opened;
  else
    fb_store_free(opened);
  return status;
}

fb_status fb_store_open(const char* folder, fb_store** run, fb_error* error) {
  *run = NULL;
  char* path;
  fb_status status = fb_store_locate(folder, &path, error);
  if (status != FB_OK) return status;
  int cannot_open = 0;
  status = try_open(path, 0, run, &cannot_open, error);
  if (status != FB_OK && cannot_open) {
    if (access(path, R_OK) != 0)
      status = fb_file_fail(path, error, FB_ERR_IO, "cannot read the run: %s", strerror(errno));
    else if (has_journal(path))
      status = fb_file_fail(
          path, error, FB_ERR_IO,
          "this run was stopped in the midst of writing and lies where nothing can be written, which reading "
          "it needs: make room or change the permissions, or read a copy");
    else
      status = try_open(path, 1, run, &cannot_open, error);
  }
  free(path);
  return status;
}

/* --- what it holds --- */

const char* fb_store_get_text(const fb_store* run, const char* key) {
  for (size_t i = run->ntext; i > 0; i--)
    if (strcmp(run->texts[i - 1].key, key) == 0) return run->texts[i - 1].text;
  return NULL;
}

/* Whether an earlier text has the same key. */
static int is_repeated(const fb_store* run, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (strcmp(run->texts[i].key, run->texts[index].key) == 0) return 1;
  return 0;
}

/* Only a writer has several texts of one key. */
const char* fb_store_key(const fb_store* run, int index) {
  size_t i = 0, left = index < 0 ? run->nkey : (size_t)index;
  if (left >= run->nkey) return NULL;
  if (run->nkey == run->ntext) return run->texts[left].key;
  while (is_repeated(run, i) || left-- > 0) i++;
  return run->texts[i].key;
}

int fb_store_nsignal(const fb_store* run) {
  return run->nsignal;
}

fb_store_signal fb_store_get_signal(const fb_store* run, int index) {
  fb_store_signal none = {"", "", "", ""};
  return index >= 0 && index < run->nsignal ? run->signals[index] : none;
}

int fb_store_find(const fb_store* run, const char* name) {
  for (int i = 0; i < run->nsignal; i++)
    if (strcmp(run->signals[i].name, name) == 0) return i;
  return -1;
}

long long fb_store_nsample(const fb_store* run) {
  return run->nsample + run->nrow;
}

int fb_store_nevent(const fb_store* run) {
  return run->nevent > INT_MAX ? INT_MAX : (int)run->nevent;
}

fb_store_event fb_store_get_event(const fb_store* run, int index) {
  fb_store_event none = {0, "", ""};
  return index >= 0 && (size_t)index < run->nkept ? run->events[index] : none;
}

/* --- samples --- */

/* What is asked of the blocks. */
typedef struct wish {
  const int* signals;
  int nsignal;
  long long first, count;
  double* values; /* signal after signal, `count` each */
} wish;

static fb_status fail_block(fb_store* run, long long first, fb_error* error) {
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "the samples from number %lld on are damaged or gone; if the run was resumed or "
                      "replaced meanwhile, read it again, else restore run.db from a copy",
                      first);
}

/* The number of the block with a sample. */
static size_t find_block(const fb_store* run, long long sample) {
  size_t low = 0, high = run->nblock;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (run->blocks[middle].first <= sample)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* A column of a block, whole, into run->column, whose sum is one of `sums`. */
static fb_status read_column(fb_store* run, sqlite3_blob* blob, const fb_store_block* block, int column,
                             const unsigned char* sums, fb_error* error) {
  int size = 8 * block->count;
  if (sqlite3_blob_read(blob, run->column, size, column * size) != SQLITE_OK)
    return fb_store_fail(run, "read samples", error);
  const unsigned char* s = sums + 4 * (size_t)column;
  uint32_t sum = s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
  if (fb_store_sum(run->column, (size_t)size) != sum) return fail_block(run, block->first, error);
  fb_store_little_endian(run->column, (size_t)block->count);
  return FB_OK;
}

/* The part of one block that is requested. */
static fb_status read_block(fb_store* run, sqlite3_blob* blob, const fb_store_block* block,
                            const unsigned char* sums, const wish* w, fb_error* error) {
  long long from = w->first > block->first ? w->first : block->first;
  long long end = w->first + w->count, block_end = block->first + block->count;
  long long n = (end < block_end ? end : block_end) - from;
  if (sqlite3_blob_bytes(blob) != 8LL * block->count * (run->nsignal + 1))
    return fail_block(run, block->first, error);
  for (int i = 0; i < w->nsignal; i++) {
    fb_status status = read_column(run, blob, block, w->signals[i] + 1, sums, error);
    if (status != FB_OK) return status;
    memcpy(w->values + (long long)i * w->count + (from - w->first), run->column + (from - block->first),
           (size_t)n * sizeof(double));
  }
  return FB_OK;
}

/* The row of a block must be what it was when the run was opened; *sums: of its columns. */
static fb_status check_block(fb_store* run, sqlite3_stmt* rows, const fb_store_block* block,
                             const unsigned char** sums, fb_error* error) {
  int more;
  fb_status status = fb_store_next_row(run, rows, "block", FB_STORE_BLOCK_TYPES, &more, error);
  if (status != FB_OK) return status;
  if (!more || sqlite3_column_int64(rows, 0) != block->first || sqlite3_column_int64(rows, 1) != block->count)
    return fail_block(run, block->first, error);
  *sums = (const unsigned char*)sqlite3_column_blob(rows, 5);
  if (sqlite3_column_bytes(rows, 5) != 4 * (run->nsignal + 1)) return fail_block(run, block->first, error);
  return *sums ? FB_OK : fb_store_no_memory(error);
}

static fb_status read_blocks(fb_store* run, sqlite3_stmt* rows, size_t at, const wish* w, fb_error* error) {
  sqlite3_blob* blob = NULL;
  fb_status status = FB_OK;
  for (; status == FB_OK && at < run->nblock && run->blocks[at].first < w->first + w->count; at++) {
    const fb_store_block* block = &run->blocks[at];
    const unsigned char* sums = NULL;
    status = check_block(run, rows, block, &sums, error);
    if (status != FB_OK) break;
    int code = blob ? sqlite3_blob_reopen(blob, block->first)
                    : sqlite3_blob_open(run->db, "main", "block", "data", block->first, 0, &blob);
    status = code == SQLITE_OK ? read_block(run, blob, block, sums, w, error)
                               : fb_store_fail(run, "read samples", error);
  }
  sqlite3_blob_close(blob);
  return status;
}

static fb_status check_wish(fb_store* run, const wish* w, fb_error* error) {
  if (w->first < 0 || w->count < 0 || w->first > run->nsample || w->count > run->nsample - w->first)
    return fb_file_fail(run->path, error, FB_ERR_ARG,
                        "%lld samples from number %lld on, of a run that has %lld", w->count, w->first,
                        run->nsample);
  for (int i = 0; i < w->nsignal; i++)
    if (w->signals[i] < -1 || w->signals[i] >= run->nsignal)
      return fb_file_fail(run->path, error, FB_ERR_ARG, "signal number %d of a run that has %d",
                          w->signals[i], run->nsignal);
  return FB_OK;
}

fb_status fb_store_read_signals(fb_store* run, const int* signals, int nsignal, long long first,
                                long long count, double* values, fb_error* error) {
  fb_status status = run->failure.status;
  if (run->writing && run->nrow > 0 && !status) status = fb_store_close_block(run, error);
  if (run->failure.status && error) *error = run->failure;
  if (status != FB_OK) return status;
  const wish w = {signals, nsignal, first, count, values};
  status = check_wish(run, &w, error);
  if (status != FB_OK || count == 0) return status;
  size_t at = find_block(run, first);
  sqlite3_stmt* rows;
  status = fb_store_select_rows(run, "block", FB_STORE_BLOCK_COLUMNS, "WHERE first >= ? ORDER BY first",
                                &rows, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(rows, 1, run->blocks[at].first);
  status = read_blocks(run, rows, at, &w, error);
  sqlite3_finalize(rows);
  return status;
}

fb_status fb_store_read_signal(fb_store* run, int index, long long first, long long count, double* values,
                               fb_error* error) {
  return fb_store_read_signals(run, &index, 1, first, count, values, error);
}

/* --- times --- */

/* The number of samples before the time t, or up to it with those at t itself. */
static fb_status count_before(fb_store* run, double t, int with_t, long long* before, fb_error* error) {
  size_t at = 0;
  while (at < run->nblock && (with_t ? run->blocks[at].t_last <= t : run->blocks[at].t_last < t)) at++;
  *before = at < run->nblock ? run->blocks[at].first : run->nsample;
  if (at == run->nblock) return FB_OK;
  double times[FB_STORE_BLOCK_SAMPLES];
  int count = run->blocks[at].count;
  fb_status status = fb_store_read_signal(run, -1, *before, count, times, error);
  for (int i = 0; status == FB_OK && i < count && (with_t ? times[i] <= t : times[i] < t); i++) ++*before;
  return status;
}

fb_status fb_store_range(fb_store* run, double from, double to, long long* first, long long* count,
                         fb_error* error) {
  long long end = 0;
  *first = *count = 0;
  fb_status status = run->writing ? fb_store_close_block(run, error) : FB_OK;
  if (status == FB_OK) status = count_before(run, from, 0, first, error);
  if (status == FB_OK) status = count_before(run, to, 1, &end, error);
  if (status == FB_OK && end > *first) *count = end - *first;
  return status;
}
