/* row.c -- rows of the store, each with a checksum of its contents.
 *
 * Of each value: the letter of its type, i r t b (n for NULL), then 8 bytes of a number (little endian) or the length
 * in 8 bytes and the bytes of a text or blob; over all of them CRC-32. It finds any change of up to four neighbouring
 * bytes for certain. `data`, which may be large, is not in it: that has sums of its own, which are. */
#include <string.h>
#include <zlib.h>

#include "run/store/store.h"

static uint32_t add(uint32_t sum, const void* data, size_t size) {
  return (uint32_t)crc32_z(sum, (const Bytef*)data, size);
}

uint32_t fb_store_sum(const void* data, size_t size) {
  return add(0, data, size);
}

static uint32_t add_bits(uint32_t sum, char type, uint64_t bits) {
  unsigned char bytes[9] = {(unsigned char)type};
  for (int i = 0; i < 8; i++) bytes[i + 1] = (unsigned char)(bits >> (8 * i));
  return add(sum, bytes, sizeof bytes);
}

static uint32_t add_real(uint32_t sum, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return add_bits(sum, 'r', bits);
}

static uint32_t add_bytes(uint32_t sum, char type, const void* data, size_t size) {
  sum = add_bits(sum, type, size);
  return size > 0 ? add(sum, data, size) : sum;
}

/* --- writing --- */

fb_store_row fb_store_row_begin(sqlite3_stmt* statement) {
  return (fb_store_row){statement, 1, SQLITE_OK, 0};
}

static void bound(fb_store_row* row, int code) {
  if (row->code == SQLITE_OK) row->code = code;
  row->column++;
}

void fb_store_row_int(fb_store_row* row, long long x) {
  row->sum = add_bits(row->sum, 'i', (uint64_t)x);
  bound(row, sqlite3_bind_int64(row->statement, row->column, x));
}

void fb_store_row_real(fb_store_row* row, double x) {
  row->sum = add_real(row->sum, x);
  bound(row, sqlite3_bind_double(row->statement, row->column, x));
}

void fb_store_row_text(fb_store_row* row, const char* text) {
  row->sum = text ? add_bytes(row->sum, 't', text, strlen(text)) : add_bits(row->sum, 'n', 0);
  bound(row, text ? sqlite3_bind_text(row->statement, row->column, text, -1, SQLITE_STATIC)
                  : sqlite3_bind_null(row->statement, row->column));
}

static int bind_blob(fb_store_row* row, const void* data, size_t size) {
  return sqlite3_bind_blob64(row->statement, row->column, size ? data : "", size, SQLITE_STATIC);
}

void fb_store_row_blob(fb_store_row* row, const void* data, size_t size) {
  row->sum = add_bytes(row->sum, 'b', data, size);
  bound(row, bind_blob(row, data, size));
}

fb_status fb_store_row_write(fb_store* run, fb_store_row* row, const void* data, size_t size,
                             const char* doing, fb_error* error) {
  bound(row, sqlite3_bind_int64(row->statement, row->column, row->sum));
  if (data) bound(row, bind_blob(row, data, size));
  if (row->code == SQLITE_OK) return fb_store_step(run, row->statement, doing, error);
  return fb_store_fail(run, doing, error);
}

/* --- reading --- */

fb_status fb_store_select_rows(fb_store* run, const char* table, const char* columns, const char* rest,
                               sqlite3_stmt** statement, fb_error* error) {
  *statement = NULL;
  char* sql = sqlite3_mprintf("SELECT %s, sum FROM %s %s", columns, table, rest);
  if (!sql) return fb_store_no_memory(error);
  fb_status status = fb_store_prepare(run, sql, statement, error);
  sqlite3_free(sql);
  return status;
}

/* Whether a value is of the type that its letter says. */
static int fits(sqlite3_stmt* statement, int column, char letter) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return letter == 'i';
    case SQLITE_FLOAT:
      return letter == 'r';
    case SQLITE_TEXT:
      return letter == 't' || letter == 'n';
    case SQLITE_BLOB:
      return letter == 'b';
    default:
      return letter == 'n';
  }
}

/* Adds a value to a sum; 0 without memory. */
static int add_column(uint32_t* sum, sqlite3_stmt* statement, int column) {
  const void* bytes;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      *sum = add_bits(*sum, 'i', (uint64_t)sqlite3_column_int64(statement, column));
      return 1;
    case SQLITE_FLOAT:
      *sum = add_real(*sum, sqlite3_column_double(statement, column));
      return 1;
    case SQLITE_TEXT:
      bytes = sqlite3_column_text(statement, column);
      *sum = add_bytes(*sum, 't', bytes, bytes ? (size_t)sqlite3_column_bytes(statement, column) : 0);
      return bytes != NULL;
    case SQLITE_BLOB:
      bytes = sqlite3_column_blob(statement, column);
      *sum = add_bytes(*sum, 'b', bytes, bytes ? (size_t)sqlite3_column_bytes(statement, column) : 0);
      return bytes || sqlite3_column_bytes(statement, column) == 0;
    default:
      *sum = add_bits(*sum, 'n', 0);
      return 1;
  }
}

/* What the first column calls the row. */
static fb_status damaged_row(fb_store* run, sqlite3_stmt* statement, const char* table, const char* what,
                             fb_error* error) {
  const unsigned char* key = sqlite3_column_text(statement, 0);
  return fb_store_damaged(run, error, "row '%.40s' of its table '%s' %s", key ? (const char*)key : "", table,
                          what);
}

/* Rows of a forged file may share what they hold, or be met again and again: a small file would fill all memory. */
static int holds_too_much(fb_store* run, sqlite3_stmt* statement, int count) {
  for (int i = 0; i < count; i++)
    if (sqlite3_column_type(statement, i) == SQLITE_TEXT) run->text += sqlite3_column_bytes(statement, i);
  return run->most > 0 && run->text > run->most_text;
}

fb_status fb_store_next_row(fb_store* run, sqlite3_stmt* statement, const char* table, const char* types,
                            int* more, fb_error* error) {
  *more = 0;
  int code = sqlite3_step(statement);
  if (code == SQLITE_DONE) return FB_OK;
  if (code != SQLITE_ROW) return fb_store_fail(run, "read the run", error);
  int count = (int)strlen(types);
  for (int i = 0; i < count; i++)
    if (!fits(statement, i, types[i]))
      return damaged_row(run, statement, table, "contains a value of the wrong type", error);
  if (holds_too_much(run, statement, count))
    return fb_store_damaged(run, error, "its table '%s' claims more than a file of its size can contain",
                            table);
  *more = 1;
  uint32_t sum = 0;
  for (int i = 0; i < count; i++)
    if (!add_column(&sum, statement, i)) return fb_store_no_memory(error);
  if (sqlite3_column_type(statement, count) != SQLITE_INTEGER ||
      sqlite3_column_int64(statement, count) != (long long)sum)
    return damaged_row(run, statement, table, "does not fit its checksum", error);
  return FB_OK;
}

char* fb_store_copy_text(sqlite3_stmt* statement, int column) {
  const unsigned char* text = sqlite3_column_text(statement, column);
  return text ? strdup((const char*)text) : NULL;
}
