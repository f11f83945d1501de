/* run_sql.c -- SQLite for the run store: connections, statements, and its errors in words. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "io/run_store.h"

/* --- errors --- */

fb_status fb_run_fail_at(const char* path, fb_error* error, fb_status status, const char* format, ...) {
  char text[700];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fb_fail(error, status, "%s", text);
  fb_error_set_place(error, path, NULL, (fb_place){0, 0});
  return status;
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

static int disk_is_full(int code, int reason) {
  if (code == SQLITE_FULL) return 1;
  return code == SQLITE_IOERR && (reason == ENOSPC || reason == EDQUOT || reason == EFBIG);
}

/* What to do, by what SQLite says. */
static fb_status explain(fb_run* run, const char* doing, fb_error* error) {
  sqlite3* db = run->db;
  int code = sqlite3_errcode(db) & 0xff, reason = system_reason(db);
  if (code == SQLITE_NOMEM) return fb_run_no_memory(error);
  if (disk_is_full(code, reason))
    return fb_run_fail_at(run->path, error, FB_ERR_IO,
                          "cannot %s: the disk is full%s; what was committed before is safe. Make room%s",
                          doing, reason == EFBIG ? " (a limit on the size of files is reached)" : "",
                          run->writing ? ", then resume the run" : "");
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    return fb_run_fail_at(run->path, error, FB_ERR_IO,
                          "cannot %s: another process is writing this run; wait until it ends, or stop it",
                          doing);
  if (code == SQLITE_READONLY || code == SQLITE_PERM || reason == EACCES || reason == EROFS)
    return fb_run_fail_at(
        run->path, error, FB_ERR_IO,
        "cannot %s: no permission to write this file or its folder; choose another folder, or "
        "change the permissions",
        doing);
  if (code == SQLITE_NOTADB)
    return fb_run_fail_at(run->path, error, FB_ERR_IO,
                          "this file is not a database, so it is no run of Freebody; name the folder that "
                          "'freebody run' made");
  if (code == SQLITE_CORRUPT)
    return fb_run_fail_at(
        run->path, error, FB_ERR_IO,
        "cannot %s: the file is damaged (%s); restore it from a copy, or run the scenario again", doing,
        sqlite3_errmsg(db));
  return fb_run_fail_at(run->path, error, FB_ERR_IO, "cannot %s: %s%s%s", doing, sqlite3_errmsg(db),
                        reason ? ": " : "", reason ? strerror(reason) : "");
}

fb_status fb_run_fail(fb_run* run, const char* doing, fb_error* error) {
  fb_error own;
  fb_status status = explain(run, doing, &own);
  if (run->writing && run->failure.status == FB_OK) {
    /* After a failed write the transaction is lost, in SQLite's eyes or in ours: what was committed
     * stands. */
    run->failure = own;
    if (!sqlite3_get_autocommit(run->db)) sqlite3_exec(run->db, "ROLLBACK", NULL, NULL, NULL);
    run->in_write = 0;
  }
  if (error) *error = own;
  return status;
}

/* --- statements --- */

fb_status fb_run_exec(fb_run* run, const char* sql, const char* doing, fb_error* error) {
  return sqlite3_exec(run->db, sql, NULL, NULL, NULL) == SQLITE_OK ? FB_OK : fb_run_fail(run, doing, error);
}

fb_status fb_run_prepare(fb_run* run, const char* sql, sqlite3_stmt** statement, fb_error* error) {
  *statement = NULL;
  if (sqlite3_prepare_v2(run->db, sql, -1, statement, NULL) == SQLITE_OK) return FB_OK;
  return fb_run_fail(run, run->writing ? "write the run" : "read the run", error);
}

fb_status fb_run_step(fb_run* run, sqlite3_stmt* statement, const char* doing, fb_error* error) {
  int code = sqlite3_step(statement);
  fb_status status = code == SQLITE_DONE || code == SQLITE_ROW ? FB_OK : fb_run_fail(run, doing, error);
  sqlite3_reset(statement);
  return status;
}

/* --- connections --- */

/* A name that SQLite takes for a file whatever it looks like: as a path, or as a URI that says immutable. */
static char* name_for_sqlite(const char* path, int immutable) {
  char* name = (char*)malloc(3 * strlen(path) + 32);
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

fb_status fb_run_connect(fb_run* run, int flags, int immutable, fb_error* error) {
  char* name = name_for_sqlite(run->path, immutable);
  if (!name) return fb_run_no_memory(error);
  if (immutable) flags |= SQLITE_OPEN_URI;
  int code = sqlite3_open_v2(name, &run->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
  free(name);
  if (!run->db) return fb_run_no_memory(error);
  if (code != SQLITE_OK) return fb_run_fail(run, "open the run", error);
  sqlite3_busy_timeout(run->db, FB_RUN_BUSY_MS);
  return FB_OK;
}

static fb_status read_pragma(fb_run* run, const char* sql, int* value, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_run_prepare(run, sql, &statement, error);
  if (status == FB_OK && sqlite3_step(statement) != SQLITE_ROW)
    status = fb_run_fail(run, "read the run", error);
  if (status == FB_OK) *value = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_run_check_version(fb_run* run, fb_error* error) {
  int application = 0, version = 0;
  fb_status status = read_pragma(run, "PRAGMA application_id", &application, error);
  if (status == FB_OK) status = read_pragma(run, "PRAGMA user_version", &version, error);
  if (status != FB_OK) return status;
  if (application != FB_RUN_APPLICATION)
    return fb_run_fail_at(run->path, error, FB_ERR_IO,
                          "this database is not a run of Freebody; name the folder that 'freebody run' made");
  if (version < FB_RUN_VERSION)
    return fb_run_fail_at(
        run->path, error, FB_ERR_IO,
        "an older Freebody wrote this run (store version %d, this one has %d); read it with that "
        "Freebody, or run the scenario again",
        version, (int)FB_RUN_VERSION);
  if (version > FB_RUN_VERSION)
    return fb_run_fail_at(
        run->path, error, FB_ERR_IO,
        "a newer Freebody wrote this run (store version %d, this one has %d); update Freebody to "
        "read it",
        version, (int)FB_RUN_VERSION);
  return FB_OK;
}

/* --- the object --- */

void fb_run_little_endian(double* x, size_t count) {
  const uint16_t probe = 1;
  unsigned char low;
  memcpy(&low, &probe, 1);
  if (low == 1) return;
  for (size_t i = 0; i < count; i++) {
    unsigned char bytes[8], swapped[8];
    memcpy(bytes, &x[i], 8);
    for (int j = 0; j < 8; j++) swapped[j] = bytes[7 - j];
    memcpy(&x[i], swapped, 8);
  }
}

fb_run* fb_run_new(const char* path) {
  fb_run* run = (fb_run*)calloc(1, sizeof *run);
  char* copy = strdup(path);
  if (!run || !copy) {
    free(run);
    free(copy);
    return NULL;
  }
  run->path = copy;
  run->lock = -1;
  return run;
}

static char* copy_column(sqlite3_stmt* statement, int column) {
  const unsigned char* text = sqlite3_column_text(statement, column);
  return strdup(text ? (const char*)text : "");
}

fb_status fb_run_load_signals(fb_run* run, fb_error* error) {
  sqlite3_stmt* statement;
  size_t room = 0;
  int code = SQLITE_DONE;
  fb_status status =
      fb_run_prepare(run, "SELECT name, unit, axes, meaning FROM signal ORDER BY id", &statement, error);
  while (status == FB_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (!fb_grow(&run->signals, (size_t)run->nsignal, 1, &room, sizeof *run->signals)) {
      status = fb_run_no_memory(error);
      break;
    }
    fb_run_signal s = {copy_column(statement, 0), copy_column(statement, 1), copy_column(statement, 2),
                       copy_column(statement, 3)};
    run->signals[run->nsignal++] = s;
    if (!s.name || !s.unit || !s.axes || !s.meaning) status = fb_run_no_memory(error);
  }
  if (status == FB_OK && code != SQLITE_DONE) status = fb_run_fail(run, "read the run's signals", error);
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_run_keep_event(fb_run* run, double t, const char* name, const char* text, fb_error* error) {
  if (!fb_grow(&run->events, run->nevent, 1, &run->event_room, sizeof *run->events))
    return fb_run_no_memory(error);
  fb_run_event event = {t, strdup(name), strdup(text)};
  run->events[run->nevent++] = event;
  return event.name && event.text ? FB_OK : fb_run_no_memory(error);
}

static fb_status load_events(fb_run* run, fb_error* error) {
  sqlite3_stmt* statement;
  int code = SQLITE_DONE;
  fb_status status = fb_run_prepare(run, "SELECT t, name, text FROM event ORDER BY id", &statement, error);
  while (status == FB_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const unsigned char *name = sqlite3_column_text(statement, 1), *text = sqlite3_column_text(statement, 2);
    status = fb_run_keep_event(run, sqlite3_column_double(statement, 0), name ? (const char*)name : "",
                               text ? (const char*)text : "", error);
  }
  if (status == FB_OK && code != SQLITE_DONE) status = fb_run_fail(run, "read the run's events", error);
  sqlite3_finalize(statement);
  return status;
}

/* More than any disk holds; what is computed with a number of samples does not overflow. */
static const long long MOST_SAMPLES = 1LL << 48;

static fb_status load_size(fb_run* run, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_run_prepare(run, "SELECT first, count, t_last FROM block ORDER BY first DESC LIMIT 1",
                                    &statement, error);
  int code = status == FB_OK ? sqlite3_step(statement) : SQLITE_DONE;
  if (code == SQLITE_ROW) {
    long long first = sqlite3_column_int64(statement, 0), count = sqlite3_column_int64(statement, 1);
    run->t_last = sqlite3_column_double(statement, 2);
    if (first < 0 || first > MOST_SAMPLES || count < 1 || count > MOST_SAMPLES)
      status = fb_run_fail_at(run->path, error, FB_ERR_IO,
                              "the run is damaged: its last block holds %lld samples from number %lld on",
                              count, first);
    else
      run->nsample = first + count;
  } else if (status == FB_OK && code != SQLITE_DONE) {
    status = fb_run_fail(run, "read the run's samples", error);
  }
  sqlite3_finalize(statement);
  return status;
}

fb_status fb_run_load(fb_run* run, fb_error* error) {
  fb_status status = load_size(run, error);
  if (status == FB_OK) status = load_events(run, error);
  return status;
}

void fb_run_free(fb_run* run) {
  if (!run) return;
  sqlite3_finalize(run->insert_block);
  sqlite3_close(run->db); /* an open transaction is rolled back */
  if (run->lock >= 0) close(run->lock);
  for (int i = 0; i < run->nsignal; i++) {
    fb_run_signal* s = &run->signals[i];
    free((void*)s->name);
    free((void*)s->unit);
    free((void*)s->axes);
    free((void*)s->meaning);
  }
  for (size_t i = 0; i < run->nevent; i++) {
    free((void*)run->events[i].name);
    free((void*)run->events[i].text);
  }
  for (size_t i = 0; i < run->ntext; i++) {
    free(run->texts[i].key);
    free(run->texts[i].text);
  }
  free(run->signals);
  free(run->events);
  free(run->texts);
  free(run->rows);
  free(run->columns);
  free(run->path);
  free(run);
}
