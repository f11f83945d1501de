/* fuzz_store.c -- changes to the store of a run: bytes, SQL, and checksums that fit again (docs/run-store.md). */
#include "fuzz_store.h"

#include <sqlite3.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

void fuzz_store_patch(char* file, size_t size, const uint8_t* records, size_t left) {
  while (left > 4) {
    size_t at = (size_t)records[0] | (size_t)records[1] << 8 | (size_t)records[2] << 16, count = records[3];
    records += 4;
    left -= 4;
    if (count > left) count = left;
    for (size_t i = 0; i < count; i++) file[(at + i) % size] = (char)records[i];
    records += count;
    left -= count;
  }
}

/* --- checksums --- */

static uLong add_number(uLong sum, char letter, uint64_t bits) {
  Bytef bytes[9] = {(Bytef)letter};
  for (int i = 0; i < 8; i++) bytes[i + 1] = (Bytef)(bits >> (8 * i));
  return crc32(sum, bytes, sizeof bytes);
}

static uLong add_value(uLong sum, sqlite3_value* value) {
  double real = sqlite3_value_double(value);
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) return add_number(sum, 'i', (uint64_t)sqlite3_value_int64(value));
  if (type == SQLITE_FLOAT) return add_number(sum, 'r', bits);
  if (type == SQLITE_NULL) return add_number(sum, 'n', 0);
  const Bytef* data = (const Bytef*)sqlite3_value_blob(value);
  int size = sqlite3_value_bytes(value);
  sum = add_number(sum, type == SQLITE_TEXT ? 't' : 'b', (uint64_t)size);
  return size > 0 && data ? crc32(sum, data, (uInt)size) : sum;
}

/* row_sum(value, ...) */
static void row_sum(sqlite3_context* context, int count, sqlite3_value** values) {
  uLong sum = 0;
  for (int i = 0; i < count; i++) sum = add_value(sum, values[i]);
  sqlite3_result_int64(context, (sqlite3_int64)sum);
}

/* data_sum(data) */
static void data_sum(sqlite3_context* context, int count, sqlite3_value** values) {
  (void)count;
  const Bytef* data = (const Bytef*)sqlite3_value_blob(values[0]);
  int size = sqlite3_value_bytes(values[0]);
  sqlite3_result_int64(context, data ? (sqlite3_int64)crc32(0, data, (uInt)size) : 0);
}

/* column_sums(count, data): one for each column of `count` numbers. */
static void column_sums(sqlite3_context* context, int count, sqlite3_value** values) {
  enum { MOST = 1024 };
  Bytef sums[4 * MOST];
  (void)count;
  sqlite3_int64 rows = sqlite3_value_int64(values[0]);
  const Bytef* data = (const Bytef*)sqlite3_value_blob(values[1]);
  int size = sqlite3_value_bytes(values[1]), n = 0;
  if (rows > 0 && rows <= size / 8)
    for (int at = 0, step = (int)rows * 8; n < MOST && at + step <= size; at += step, n++) {
      uLong sum = crc32(0, data + at, (uInt)step);
      for (int i = 0; i < 4; i++) sums[4 * n + i] = (Bytef)(sum >> (8 * i));
    }
  sqlite3_result_blob(context, sums, 4 * n, SQLITE_TRANSIENT);
}

/* --- SQL --- */

static const char* const FORGE[] = {
    "UPDATE block SET data_sums = column_sums(count, data)",
    "UPDATE checkpoint SET data_sum = data_sum(data)",
    "UPDATE mesh SET data_sum = data_sum(data)",
    "UPDATE exchange SET data_sum = data_sum(data)",
    "UPDATE total SET signals = (SELECT count(*) FROM signal), samples = (SELECT total(count) FROM block),"
    " events = (SELECT count(*) FROM event), texts = (SELECT count(*) FROM meta),"
    " meshes = (SELECT count(*) FROM mesh), checkpoint = (SELECT coalesce(max(id), 0) FROM checkpoint)",
    "UPDATE meta SET sum = row_sum(key, text)",
    "UPDATE meta_before SET sum = row_sum(checkpoint, key, text)",
    "UPDATE signal SET sum = row_sum(id, name, unit, axes, meaning, epoch)",
    "UPDATE block SET sum = row_sum(first, count, t_first, t_last, epoch, data_sums)",
    "UPDATE event SET sum = row_sum(id, t, name, text, epoch)",
    "UPDATE checkpoint SET sum = row_sum(id, t, samples, events, epoch, data_sum)",
    "UPDATE mesh SET sum = row_sum(name, data_sum)",
    "UPDATE exchange SET sum = row_sum(controller, first, count, inputs, t_first, t_last, data_sum)",
    "UPDATE total SET sum = row_sum(id, signals, samples, events, texts, meshes, checkpoint)",
};

static int stop(void* user) {
  return --*(int*)user < 0;
}

/* What the SQL does is the stranger's affair, only that it ends. */
void fuzz_store_sql(const char* path, const char* sql, int forge) {
  sqlite3* db = NULL;
  int patience = 100;
  fuzz_check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK, "cannot open %s", path);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler(db, 1000, stop, &patience);
  sqlite3_exec(db, "PRAGMA writable_schema = ON; PRAGMA max_page_count = 256", NULL, NULL, NULL);
  sqlite3_exec(db, sql, NULL, NULL, NULL);
  patience = 100;
  sqlite3_create_function(db, "row_sum", -1, SQLITE_UTF8, NULL, row_sum, NULL, NULL);
  sqlite3_create_function(db, "data_sum", 1, SQLITE_UTF8, NULL, data_sum, NULL, NULL);
  sqlite3_create_function(db, "column_sums", 2, SQLITE_UTF8, NULL, column_sums, NULL, NULL);
  for (size_t i = 0; forge && i < sizeof FORGE / sizeof *FORGE; i++)
    sqlite3_exec(db, FORGE[i], NULL, NULL, NULL);
  sqlite3_close(db);
}
