/* run_rows.h -- rows of a run's database as one text. For tests that link SQLite; include after cmocka.h. */
#ifndef FB_TESTS_RUN_ROWS_H
#define FB_TESTS_RUN_ROWS_H

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* The first column of the first row that a query gives; free() it. */
static inline char* query_run(const char* folder, const char* sql) {
  char path[256];
  sqlite3* db = NULL;
  sqlite3_stmt* rows = NULL;
  snprintf(path, sizeof path, "%s/run.db", folder);
  assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
  const char* text = (const char*)sqlite3_column_text(rows, 0);
  assert_non_null(text);
  char* copy = strdup(text);
  sqlite3_finalize(rows);
  sqlite3_close(db);
  return copy;
}

#endif
