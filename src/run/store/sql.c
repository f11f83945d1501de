/* sql.c -- SQLite for the run store: connections, statements, and its errors in words. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/store/folder.h"
#include "text/files.h"

/* --- errors --- */

fb_status fb_store_damaged(const fb_store* run, fb_error* error, const char* format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "the run is damaged: %s; restore run.db from a copy, or run the scenario again", text);
}

/* The system's own reason, which SQLite keeps with the connection, the database's file or the journal's. */
static int system_reason(sqlite3* db) {
  int reason = sqlite3_system_errno(db);
  int code = sqlite3_errcode(db) & 0xff;
  if (reason || (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)) return reason;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &reason) == SQLITE_OK && reason)
    return reason;
  sqlite3_file* journal = NULL;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, (void*)&journal) == SQLITE_OK &&
      journal && journal->pMethods)
    journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &reason);
  return reason;
}

/* What to do, by what SQLite says. */
static fb_status explain(fb_store* run, const char* doing, fb_error* error) {
  sqlite3* db = run->db;
  int code = sqlite3_errcode(db) & 0xff, reason = system_reason(db);
  if (code == SQLITE_NOMEM) return fb_store_no_memory(error);
  int failed = code == SQLITE_IOERR && (reason == ENOSPC || reason == EDQUOT || reason == EFBIG);
  if (code == SQLITE_FULL || failed)
    return fb_file_fail(run->path, error, FB_ERR_IO,
                        "cannot %s: the disk is full%s; what was committed before is safe. Make room%s",
                        doing, reason == EFBIG ? " (a limit on the size of files is reached)" : "",
                        run->writing ? ", then resume the run" : "");
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    return fb_file_fail(run->path, error, FB_ERR_IO,
                        "cannot %s: another process is writing this run; wait until it ends, or stop it",
                        doing);
  if (code == SQLITE_READONLY || code == SQLITE_PERM || reason == EACCES || reason == EROFS)
    return fb_file_fail(run->path, error, FB_ERR_IO,
                        "cannot %s: no permission to write this file or its folder; choose another "
                        "folder, or change the permissions",
                        doing);
  if (code == SQLITE_NOTADB)
    return fb_file_fail(
        run->path, error, FB_ERR_IO,
        "this file is not a database, so it is no run of Freebody; name the folder that 'freebody run' made");
  if (code == SQLITE_CORRUPT)
    return fb_file_fail(
        run->path, error, FB_ERR_IO,
        "cannot %s: the file is damaged (%s); restore it from a copy, or run the scenario again", doing,
        sqlite3_errmsg(db));
  if (code == SQLITE_INTERRUPT)
    return fb_store_damaged(run, error, "to %s takes more work than a file of its size can need", doing);
  return fb_file_fail(run->path, error, FB_ERR_IO, "cannot %s: %s%s%s", doing, sqlite3_errmsg(db),
                      reason ? ": " : "", reason ? strerror(reason) : "");
}

/* After a failed write the transaction is lost, in SQLite's eyes or in ours: what was committed stands. */
void fb_store_give_up(fb_store* run, const fb_error* why) {
  if (!run->writing || run->failure.status != FB_OK) return;
  run->failure = *why;
  if (!sqlite3_get_autocommit(run->db)) sqlite3_exec(run->db, "ROLLBACK", NULL, NULL, NULL);
  run->in_write = 0;
}

fb_status fb_store_fail(fb_store* run, const char* doing, fb_error* error) {
  fb_error cause;
  fb_status status = explain(run, doing, &cause);
  fb_store_give_up(run, &cause);
  if (error) *error = cause;
  return status;
}

/* --- statements --- */

fb_status fb_store_exec(fb_store* run, const char* sql, const char* doing, fb_error* error) {
  return sqlite3_exec(run->db, sql, NULL, NULL, NULL) == SQLITE_OK ? FB_OK : fb_store_fail(run, doing, error);
}

fb_status fb_store_prepare(fb_store* run, const char* sql, sqlite3_stmt** statement, fb_error* error) {
  *statement = NULL;
  run->work = run->text = 0;
  if (sqlite3_prepare_v2(run->db, sql, -1, statement, NULL) == SQLITE_OK) return FB_OK;
  return fb_store_fail(run, run->writing ? "write the run" : "read the run", error);
}

fb_status fb_store_step(fb_store* run, sqlite3_stmt* statement, const char* doing, fb_error* error) {
  int code = sqlite3_step(statement);
  fb_status status = code == SQLITE_DONE || code == SQLITE_ROW ? FB_OK : fb_store_fail(run, doing, error);
  sqlite3_reset(statement);
  return status;
}

fb_status fb_store_exec_number(fb_store* run, const char* sql, long long number, const char* doing,
                               fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(run, sql, &statement, error);
  if (status != FB_OK) return status;
  sqlite3_bind_int64(statement, 1, number);
  status = fb_store_step(run, statement, doing, error);
  sqlite3_finalize(statement);
  return status;
}

/* --- connections --- */

/* A name that SQLite takes for a file whatever it looks like: as a path, or as a URI that says immutable. */
static char* name_for_sqlite(const char* path, int immutable) {
  char* name = malloc(3 * strlen(path) + 32);
  if (!name) return NULL;
  char* end = name;
  if (immutable) end += sprintf(end, "file:");
  if (path[0] != '/') end += sprintf(end, "./");
  for (const char* c = path; *c; c++) {
    if (immutable && strchr("%?#", *c))
      end += sprintf(end, "%%%02x", (unsigned)(unsigned char)*c);
    else
      *end++ = *c;
  }
  *end = '\0';
  if (immutable) strcpy(end, "?immutable=1");
  return name;
}

/* SQLite asks every so many operations whether to continue. */
enum { OPERATIONS = 100000 };

static int count_work(void* user) {
  fb_store* run = (fb_store*)user;
  run->work += OPERATIONS;
  return run->most > 0 && run->work > run->most;
}

/* The bytes of a file, with its holes: few, or they are there to pretend a size. */
static double size_of(const char* path, const char* ending) {
  struct stat info;
  char name[4200];
  if (snprintf(name, sizeof name, "%s%s", path, ending) >= (int)sizeof name || stat(name, &info) != 0)
    return 0;
  return fmin((double)info.st_size, 64.0 * 512 * (double)info.st_blocks);
}

/* The file may be a stranger's: no SQL that it holds is run, and no statement of ours runs for ever on it. */
static fb_status protect(fb_store* run, fb_error* error) {
  static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
  double size = size_of(run->path, "") + size_of(run->path, "-wal");
  int code = SQLITE_OK;
  for (size_t i = 0; i < sizeof settings / sizeof *settings && code == SQLITE_OK; i++)
    code = sqlite3_db_config(run->db, settings[i][0], settings[i][1], (int*)NULL);
  if (code != SQLITE_OK) return fb_store_fail(run, "open the run", error);
  /* A row takes some 50 operations, and 10 bytes at least. */
  run->most = 1e7 + 50 * size;
  run->most_text =
      64e6 + 2 * size; /* in another encoding a text may be shorter; a journal may grow meanwhile */
  sqlite3_progress_handler(run->db, OPERATIONS, count_work, run);
  return fb_store_exec(run, "PRAGMA cell_size_check = ON", "open the run", error);
}

fb_status fb_store_connect(fb_store* run, int flags, int immutable, fb_error* error) {
  fb_status status = fb_store_check_beside(run, error);
  if (status != FB_OK) return status;
  char* name = name_for_sqlite(run->path, immutable);
  if (!name) return fb_store_no_memory(error);
  if (immutable) flags |= SQLITE_OPEN_URI;
  int code = sqlite3_open_v2(name, &run->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
  free(name);
  if (!run->db) return fb_store_no_memory(error);
  if (code != SQLITE_OK) return fb_store_fail(run, "open the run", error);
  sqlite3_busy_timeout(run->db, FB_STORE_BUSY_MS);
  return protect(run, error);
}
