/* schema.c -- the tables of run.db: making them, and whether a database has these and nothing else.
 *
 * A database from a stranger may hold views, triggers, or tables that only look like ours, which SQL would then run. So
 * what it declares must be, word for word, what we declare; docs/run-store.md says what the tables are for.
 *
 * Blocks are keyed by their first sample; `data` is last, so that the rest is read without it. meta_before holds what
 * texts were at a checkpoint (NULL: none), for those that changed since. */
#include <stdio.h>
#include <string.h>

#include "run/store/store.h"
#include "text/files.h"

/* What SQLite keeps of a declaration: its text, without the closing semicolon. */
static const struct {
  const char *name, *declared;
} TABLES[] = {
    {"meta", "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL)"},
    {"meta_before",
     "CREATE TABLE meta_before(checkpoint INTEGER NOT NULL, key TEXT NOT NULL, text TEXT, sum INTEGER NOT "
     "NULL, PRIMARY KEY(checkpoint, key))"},
    {"signal",
     "CREATE TABLE signal(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, axes TEXT "
     "NOT NULL, meaning TEXT NOT NULL, epoch INTEGER NOT NULL, sum INTEGER NOT NULL)"},
    {"block",
     "CREATE TABLE block(first INTEGER PRIMARY KEY, count INTEGER NOT NULL, t_first REAL NOT NULL, t_last "
     "REAL NOT NULL, epoch INTEGER NOT NULL, data_sums BLOB NOT NULL, sum INTEGER NOT NULL, data BLOB NOT "
     "NULL)"},
    {"event",
     "CREATE TABLE event(id INTEGER PRIMARY KEY, t REAL NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, "
     "epoch INTEGER NOT NULL, sum INTEGER NOT NULL)"},
    {"checkpoint",
     "CREATE TABLE checkpoint(id INTEGER PRIMARY KEY, t REAL NOT NULL, samples INTEGER NOT NULL, events "
     "INTEGER NOT NULL, epoch INTEGER NOT NULL, data_sum INTEGER NOT NULL, sum INTEGER NOT NULL, data BLOB "
     "NOT NULL)"},
    {"mesh",
     "CREATE TABLE mesh(name TEXT PRIMARY KEY NOT NULL, data_sum INTEGER NOT NULL, sum INTEGER NOT NULL, "
     "data BLOB NOT NULL)"},
    {"total",
     "CREATE TABLE total(id INTEGER PRIMARY KEY, signals INTEGER NOT NULL, samples INTEGER NOT NULL, events "
     "INTEGER NOT NULL, texts INTEGER NOT NULL, meshes INTEGER NOT NULL, checkpoint INTEGER NOT NULL, sum "
     "INTEGER NOT NULL)"},
    {"exchange",
     "CREATE TABLE exchange(controller TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, inputs "
     "INTEGER NOT NULL, t_first REAL NOT NULL, t_last REAL NOT NULL, data_sum INTEGER NOT NULL, sum INTEGER "
     "NOT NULL, data BLOB NOT NULL, PRIMARY KEY(controller, first))"},
};
enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0] };

/* --- making them --- */

fb_status fb_store_make_tables(fb_store* run, fb_error* error) {
  char version[96];
  snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
           (int)FB_STORE_APPLICATION, (int)FB_STORE_VERSION);
  fb_status status = fb_store_exec(run, version, "make the run", error);
  for (int i = 0; i < TABLE_COUNT && status == FB_OK; i++)
    status = fb_store_exec(run, TABLES[i].declared, "make the run", error);
  return status;
}

/* --- checking them --- */

static fb_status read_pragma(fb_store* run, const char* sql, int* value, fb_error* error) {
  sqlite3_stmt* statement;
  fb_status status = fb_store_prepare(run, sql, &statement, error);
  if (status == FB_OK && sqlite3_step(statement) != SQLITE_ROW)
    status = fb_store_fail(run, "read the run", error);
  if (status == FB_OK) *value = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return status;
}

static fb_status check_version(fb_store* run, fb_error* error) {
  int application = 0, version = 0;
  fb_status status = read_pragma(run, "PRAGMA application_id", &application, error);
  if (status == FB_OK) status = read_pragma(run, "PRAGMA user_version", &version, error);
  if (status != FB_OK) return status;
  if (application != FB_STORE_APPLICATION)
    return fb_file_fail(run->path, error, FB_ERR_IO,
                        "this database is not a run of Freebody; name the folder that 'freebody run' made");
  if (version < FB_STORE_VERSION)
    return fb_file_fail(run->path, error, FB_ERR_IO,
                        "an older Freebody wrote this run (store version %d, this one has %d); read it "
                        "with that Freebody, or run the scenario again",
                        version, (int)FB_STORE_VERSION);
  if (version > FB_STORE_VERSION)
    return fb_file_fail(
        run->path, error, FB_ERR_IO,
        "a newer Freebody wrote this run (store version %d, this one has %d); update Freebody to read it",
        version, (int)FB_STORE_VERSION);
  return FB_OK;
}

/* One declaration: a table of ours, or what SQLite adds to tables by itself. */
static fb_status check_declared(fb_store* run, sqlite3_stmt* statement, int* found, fb_error* error) {
  const char* texts[3];
  for (int i = 0; i < 3; i++) {
    texts[i] = (const char*)sqlite3_column_text(statement, i);
    if (!texts[i] && sqlite3_column_type(statement, i) != SQLITE_NULL) return fb_store_no_memory(error);
    if (!texts[i]) texts[i] = "";
  }
  const char *type = texts[0], *name = texts[1], *declared = texts[2];
  if (strcmp(type, "index") == 0 && strncmp(name, "sqlite_autoindex_", 17) == 0 && !declared[0]) return FB_OK;
  for (int i = 0; i < TABLE_COUNT; i++) {
    if (strcmp(type, "table") != 0 || strcmp(name, TABLES[i].name) != 0) continue;
    if (strcmp(declared, TABLES[i].declared) != 0) break;
    found[i]++;
    return FB_OK;
  }
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "this database contains the %.20s '%.60s', which is not as Freebody makes it, so "
                      "it is not read; restore it from a copy, or run the scenario again",
                      type, name);
}

static fb_status check_declarations(fb_store* run, fb_error* error) {
  sqlite3_stmt* statement;
  int found[TABLE_COUNT] = {0}, code = SQLITE_DONE;
  fb_status status = fb_store_prepare(run, "SELECT type, name, sql FROM sqlite_master", &statement, error);
  while (status == FB_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
    status = check_declared(run, statement, found, error);
  if (status == FB_OK && code != SQLITE_DONE) status = fb_store_fail(run, "read the run", error);
  sqlite3_finalize(statement);
  for (int i = 0; i < TABLE_COUNT && status == FB_OK; i++)
    if (found[i] != 1) status = fb_store_damaged(run, error, "its table '%s' is gone", TABLES[i].name);
  return status;
}

fb_status fb_store_check_tables(fb_store* run, fb_error* error) {
  fb_status status = check_version(run, error);
  return status == FB_OK ? check_declarations(run, error) : status;
}
