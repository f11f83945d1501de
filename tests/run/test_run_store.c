/* test_run_store.c -- a run keeps what was committed, gives it back bit for bit, and says clearly what it
 * cannot do. */
#define _GNU_SOURCE /* mount, seteuid */
#include "run_command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <freebody/store.h>

enum { NSIGNAL = 3 };
static const fb_store_signal SIGNALS[NSIGNAL] = {
    {"q.elbow", "rad", "", "coordinate of a joint"},
    {"p.hand.x", "m", "world", "position of a frame"},
    {"p.hand.y", "m", "world", "position of a frame"},
};

static void sample(long long i, double* t, double v[NSIGNAL]) {
  *t = 0.01 * (double)i;
  v[0] = sin((double)i) / 3;
  v[1] = i % 7 == 0 ? NAN : -(double)i;
  v[2] = i % 11 == 0 ? -0.0 : 1e-300 / (double)(i + 1);
}

static void append(fb_store* run, long long from, long long to) {
  fb_error error;
  for (long long i = from; i < to; i++) {
    double t, v[NSIGNAL];
    sample(i, &t, v);
    if (fb_store_append(run, t, v, &error)) fail_msg("sample %lld: %s", i, error.text);
  }
}

static fb_store* create(const char* folder, int replace) {
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_create(folder, SIGNALS, NSIGNAL, replace, &run, &error))
    fail_msg("%s: %s", error.file, error.text);
  return run;
}

static fb_store* open_run(const char* folder) {
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_open(folder, &run, &error)) fail_msg("%s: %s", error.file, error.text);
  return run;
}

static void close_run(fb_store* run) {
  fb_error error;
  if (fb_store_close(run, &error)) fail_msg("%s: %s", error.file, error.text);
}

/* Samples from .. to-1 are those of `sample`, to the last bit. */
static void check_samples(fb_store* run, long long from, long long to) {
  size_t n = (size_t)(to - from);
  double* x = (double*)malloc((n + 1) * sizeof *x);
  assert_non_null(x);
  fb_error error;
  for (int j = -1; j < NSIGNAL; j++) {
    if (fb_store_read_signal(run, j, from, to - from, x, &error)) fail_msg("%s", error.text);
    for (size_t i = 0; i < n; i++) {
      double t, v[NSIGNAL];
      sample(from + (long long)i, &t, v);
      assert_memory_equal(&x[i], j < 0 ? &t : &v[j], sizeof(double));
    }
  }
  free(x);
}

#define REFUSED(call, error, words)                                                         \
  do {                                                                                      \
    assert_int_equal(call, FB_ERR_IO);                                                      \
    if (!strstr((error).text, words)) fail_msg("'%s' is not in '%s'", words, (error).text); \
  } while (0)

static void sql(const char* file, const char* text) {
  sqlite3* db;
  assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
  char* message = NULL;
  if (sqlite3_exec(db, text, NULL, NULL, &message)) fail_msg("%s: %s", text, message);
  sqlite3_close(db);
}

static long long sql_number(const char* file, const char* text) {
  sqlite3* db;
  sqlite3_stmt* statement;
  assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  long long x = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return x;
}

/* --- what is written is read --- */

static void what_was_written_is_read_back_bit_for_bit(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = create("deep/er/run", 0);
  assert_int_equal(fb_store_set_text(run, "scenario", "name: \xc3\xa4\n", &error), FB_OK);
  assert_int_equal(fb_store_set_text(run, "status", "running", &error), FB_OK);
  append(run, 0, 3000);
  assert_int_equal(fb_store_add_event(run, 12.5, "touch", "the hand touches", &error), FB_OK);
  assert_int_equal(fb_store_commit(run, &error), FB_OK);
  append(run, 3000, 3010);
  assert_int_equal(fb_store_set_text(run, "status", "done", &error), FB_OK);
  assert_int_equal(fb_store_nsample(run), 3010);
  check_samples(run, 2990, 3010); /* the writer reads its own too */
  close_run(run);
  assert_int_equal(access("deep/er/run/run.db-wal", F_OK), -1);

  static const char* const names[] = {"deep/er/run", "deep/er/run/", "deep/er/run/run.db"};
  for (int i = 0; i < 3; i++) {
    run = open_run(names[i]);
    assert_int_equal(fb_store_nsignal(run), NSIGNAL);
    assert_int_equal(fb_store_nsample(run), 3010);
    for (int j = 0; j < NSIGNAL; j++) {
      fb_store_signal s = fb_store_get_signal(run, j);
      assert_string_equal(s.name, SIGNALS[j].name);
      assert_string_equal(s.unit, SIGNALS[j].unit);
      assert_string_equal(s.axes, SIGNALS[j].axes);
      assert_string_equal(s.meaning, SIGNALS[j].meaning);
      assert_int_equal(fb_store_find(run, s.name), j);
    }
    assert_int_equal(fb_store_find(run, "p.hand"), -1);
    check_samples(run, 0, 3010);
    check_samples(run, 1000, 1100);
    check_samples(run, 3009, 3010);
    check_samples(run, 1024, 1024);
    const char* status = fb_store_get_text(run, "status");
    assert_string_equal(fb_store_get_text(run, "scenario"), "name: \xc3\xa4\n");
    assert_string_equal(status, "done");
    assert_ptr_equal(fb_store_get_text(run, "status"), status);
    assert_null(fb_store_get_text(run, "nothing"));
    assert_int_equal(fb_store_nevent(run), 1);
    assert_true(fb_store_get_event(run, 0).t == 12.5);
    assert_string_equal(fb_store_get_event(run, 0).name, "touch");
    assert_string_equal(fb_store_get_event(run, 0).text, "the hand touches");
    close_run(run);
  }
}

static void blocks_are_little_endian_columns_of_at_most_1024_samples(void** state) {
  (void)state;
  fb_store* run = create("run", 0);
  append(run, 0, 2500);
  close_run(run);
  assert_int_equal(sql_number("run/run.db", "SELECT count(*) FROM block"), 3);
  assert_int_equal(sql_number("run/run.db", "SELECT max(count) FROM block"), 1024);
  assert_int_equal(sql_number("run/run.db", "SELECT sum(length(data)) FROM block"), 2500 * 8 * (NSIGNAL + 1));
  assert_int_equal(sql_number("run/run.db", "SELECT count(*) FROM block WHERE epoch = 0"), 3);
  /* p.hand.x is -1 at the second sample: bf f0 00 .. in big endian, at column 2. */
  assert_int_equal(sql_number("run/run.db",
                              "SELECT hex(substr(data, (2 * count + 1) * 8 + 1, 8)) = "
                              "'000000000000F0BF' FROM block WHERE first = 0"),
                   1);
  assert_int_equal(sql_number("run/run.db", "PRAGMA user_version"), 3);
  assert_int_equal(sql_number("run/run.db", "PRAGMA application_id"), 0x4662726e);
}

static void a_reader_sees_what_is_committed_while_another_writes(void** state) {
  (void)state;
  fb_error error;
  fb_store* writer = create("run", 0);
  append(writer, 0, 100);
  fb_store* reader = open_run("run");
  assert_int_equal(fb_store_nsample(reader), 0);
  close_run(reader);
  assert_int_equal(fb_store_commit(writer, &error), FB_OK);
  append(writer, 100, 5000); /* whole blocks in the open transaction */
  reader = open_run("run");
  assert_int_equal(fb_store_nsample(reader), 100);
  check_samples(reader, 0, 100);
  assert_int_equal(fb_store_commit(writer, &error), FB_OK);
  append(writer, 5000, 6000);
  check_samples(reader, 0, 100);
  double x[200];
  assert_int_equal(fb_store_read_signal(reader, 0, 0, 200, x, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "200 samples from number 0 on, of a run that has 100"));
  assert_int_equal(fb_store_read_signal(reader, 0, 1LL << 62, 1LL << 62, x, &error), FB_ERR_ARG);
  fb_store* second = open_run("run");
  check_samples(second, 0, 5000);
  close_run(second);
  close_run(writer);
  check_samples(reader, 0, 100);
  close_run(reader);
}

static void a_killed_writer_keeps_what_it_committed(void** state) {
  (void)state;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    fb_error error;
    fb_store* run = create("run", 0);
    append(run, 0, 3000);
    fb_store_commit(run, &error);
    append(run, 3000, 6000);
    kill(getpid(), SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  fb_store* run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 3000);
  check_samples(run, 0, 3000);
  close_run(run);
}

static void an_empty_run_and_one_without_signals_are_runs(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  assert_int_equal(fb_store_create("none", NULL, 0, 0, &run, &error), FB_OK);
  assert_int_equal(fb_store_append(run, 0, NULL, &error), FB_OK);
  close_run(run);
  run = open_run("none");
  assert_int_equal(fb_store_nsignal(run), 0);
  assert_int_equal(fb_store_nsample(run), 1);
  close_run(run);
  close_run(create("empty", 0));
  run = open_run("empty");
  assert_int_equal(fb_store_nsample(run), 0);
  check_samples(run, 0, 0);
  close_run(run);
  close_run(NULL);
}

/* --- resuming --- */

static fb_store* resume(const char* folder, double t, const char* snapshot) {
  fb_error error;
  fb_store* run = NULL;
  double found = 0;
  void* data = NULL;
  size_t size = 0;
  if (fb_store_resume(folder, &found, &data, &size, &run, &error)) fail_msg("%s: %s", error.file, error.text);
  assert_true(found == t);
  assert_int_equal(size, strlen(snapshot));
  assert_memory_equal(data ? data : "", snapshot, size);
  free(data);
  return run;
}

static void a_resumed_run_goes_on_from_its_last_checkpoint(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = create("run", 0);
  fb_store_set_text(run, "status", "running", &error);
  fb_store_set_text(run, "model", "m", &error);
  append(run, 0, 1500);
  fb_store_add_event(run, 1, "first", "", &error);
  assert_int_equal(fb_store_add_checkpoint(run, 15, "one", 3, &error), FB_OK);
  append(run, 1500, 1700);
  fb_store_set_text(run, "status", "later", &error);
  assert_int_equal(fb_store_add_checkpoint(run, 17, "two", 3, &error), FB_OK);
  append(run, 1700, 1800);
  assert_int_equal(fb_store_add_checkpoint(run, 18, "three", 5, &error), FB_OK);
  append(run, 1800, 4000);
  fb_store_add_event(run, 30, "second", "", &error);
  fb_store_set_text(run, "status", "stopped", &error);
  fb_store_set_text(run, "status", "stopped twice", &error);
  fb_store_set_text(run, "note", "new", &error);
  close_run(run);
  assert_int_equal(sql_number("run/run.db", "SELECT count(*) FROM checkpoint"), 2);

  run = resume("run", 18, "three");
  assert_int_equal(fb_store_nsample(run), 1800);
  assert_int_equal(fb_store_nevent(run), 1);
  assert_string_equal(fb_store_get_text(run, "status"), "later");
  assert_string_equal(fb_store_get_text(run, "model"), "m");
  assert_null(fb_store_get_text(run, "note"));
  /* Until the first commit the run is what it was. */
  fb_store* reader = open_run("run");
  assert_int_equal(fb_store_nsample(reader), 4000);
  assert_string_equal(fb_store_get_text(reader, "note"), "new");
  close_run(reader);
  append(run, 1800, 2000);
  fb_store_add_event(run, 19, "other", "", &error);
  assert_int_equal(fb_store_add_checkpoint(run, 20, "four", 4, &error), FB_OK);
  close_run(run);

  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 2000);
  check_samples(run, 0, 2000);
  assert_int_equal(fb_store_nevent(run), 2);
  assert_string_equal(fb_store_get_event(run, 1).name, "other");
  assert_string_equal(fb_store_get_text(run, "status"), "later");
  close_run(run);
  run = resume("run/run.db", 20, "four");
  close_run(run);
}

static void without_a_checkpoint_a_resumed_run_begins_anew_with_its_texts(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = create("run", 0);
  fb_store_set_text(run, "scenario", "s", &error);
  append(run, 0, 100);
  fb_store_add_event(run, 1, "e", "", &error);
  close_run(run);
  run = resume("run", -1, "");
  assert_int_equal(fb_store_nsample(run), 0);
  assert_int_equal(fb_store_nevent(run), 0);
  assert_string_equal(fb_store_get_text(run, "scenario"), "s");
  append(run, 0, 50);
  close_run(run);
  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 50);
  close_run(run);
}

/* --- what is refused --- */

static void a_run_is_replaced_only_when_asked_and_other_files_stay(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = create("run", 0);
  append(run, 0, 10);
  close_run(run);
  assert_int_equal(
      system("mkdir -p run/inputs/more && echo x >run/inputs/more/m.yaml && echo x >run/summary.json && "
             "echo x >run/log.csv && echo x >run/log.h5 && echo x >run/notes.txt && mkdir run/mine && "
             "echo x >run/mine/y && ln -s ../mine run/inputs/link"),
      0);
  REFUSED(fb_store_create("run", SIGNALS, NSIGNAL, 0, &run, &error), error,
          "this folder already contains a run");
  assert_string_equal(error.file, "run/run.db");
  assert_null(run);
  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 10);
  close_run(run);
  assert_int_equal(access("run/summary.json", F_OK), 0);

  run = create("run", 1);
  static const char* const gone[] = {"run/inputs", "run/summary.json", "run/log.csv", "run/log.h5",
                                     "run/run.db.tmp"};
  for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) assert_int_equal(access(gone[i], F_OK), -1);
  assert_int_equal(access("run/notes.txt", F_OK), 0);
  assert_int_equal(access("run/mine/y", F_OK), 0);
  close_run(run);
  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 0);
  close_run(run);
}

static void a_folder_with_other_files_takes_a_new_run_and_keeps_them(void** state) {
  (void)state;
  assert_int_equal(system("mkdir run run/inputs && echo x >run/summary.json && echo x >run/run.db-wal"), 0);
  fb_store* run = create("run", 1);
  append(run, 0, 10);
  close_run(run);
  assert_int_equal(access("run/summary.json", F_OK), 0);
  assert_int_equal(access("run/inputs", F_OK), 0);
  run = open_run("run");
  check_samples(run, 0, 10);
  close_run(run);
}

static void a_run_that_is_being_written_is_left_alone(void** state) {
  (void)state;
  fb_error error;
  fb_store *run = create("run", 0), *other = NULL;
  double t;
  void* data;
  size_t size;
  append(run, 0, 10);
  fb_store_commit(run, &error);
  REFUSED(fb_store_create("run", SIGNALS, NSIGNAL, 1, &other, &error), error,
          "another process is writing this run");
  REFUSED(fb_store_resume("run", &t, &data, &size, &other, &error), error,
          "another process is writing this run");
  assert_null(other);
  append(run, 10, 20);
  close_run(run);
  run = open_run("run");
  check_samples(run, 0, 20);
  close_run(run);

  /* A tool that holds the database is waited for, then named. */
  sqlite3* db;
  assert_int_equal(sqlite3_open("run/run.db", &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
  REFUSED(fb_store_resume("run", &t, &data, &size, &other, &error), error,
          "another process is writing this run");
  sqlite3_close(db);
}

static void what_is_no_run_is_named_for_what_it_is(void** state) {
  (void)state;
  static const struct {
    const char *line, *name, *words;
  } rows[] = {
      {"true", "absent", "there is no such folder"},
      {"mkdir empty", "empty", "there is no run in this folder: it has no run.db"},
      {"mkdir folder folder/run.db", "folder", "it has no run.db"},
      {"mkdir text; echo 'this is a text, no database, and long enough' >text/run.db", "text",
       "this file is not a database"},
      {"echo 'name: robot' >robot.yaml", "robot.yaml", "this file is not a database"},
      {"mkdir void; : >void/run.db", "void", "this database is not a run of Freebody"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fb_error error;
    fb_store* run = NULL;
    double t;
    void* data;
    size_t size;
    assert_int_equal(system(rows[i].line), 0);
    REFUSED(fb_store_open(rows[i].name, &run, &error), error, rows[i].words);
    assert_true(error.file[0] != 0);
    assert_null(run);
    REFUSED(fb_store_resume(rows[i].name, &t, &data, &size, &run, &error), error, rows[i].words);
    assert_null(run);
  }
}

static void a_store_of_another_version_is_refused_and_not_touched(void** state) {
  (void)state;
  static const struct {
    const char *pragma, *words;
  } rows[] = {
      {"PRAGMA user_version = 2", "an older Freebody wrote this run (store version 2, this one has 3)"},
      {"PRAGMA user_version = 4",
       "a newer Freebody wrote this run (store version 4, this one has 3); update"},
      {"PRAGMA user_version = 3; PRAGMA application_id = 7", "this database is not a run of Freebody"},
  };
  close_run(create("run", 0));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fb_error error;
    fb_store* run = NULL;
    double t;
    void* data;
    size_t size;
    sql("run/run.db", rows[i].pragma);
    REFUSED(fb_store_open("run", &run, &error), error, rows[i].words);
    REFUSED(fb_store_resume("run", &t, &data, &size, &run, &error), error, rows[i].words);
  }
}

static void a_folder_that_cannot_be_made_is_explained(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  spill("file", "x");
  REFUSED(fb_store_create("file", SIGNALS, NSIGNAL, 1, &run, &error), error,
          "this is a file, or lies under one");
  REFUSED(fb_store_create("file/run", SIGNALS, NSIGNAL, 1, &run, &error), error,
          "this is a file, or lies under one");
  char* text = slurp("file");
  assert_string_equal(text, "x");
  free(text);
  assert_int_equal(fb_store_create("", SIGNALS, NSIGNAL, 1, &run, &error), FB_ERR_ARG);
}

/* As a user without privileges, who may read all of it and write none; root becomes one for a moment. */
static void be_nobody(int on) {
  if (getuid() == 0) assert_int_equal(seteuid(on ? 65534 : 0), 0);
}

static void a_read_only_folder_is_read_and_refuses_to_be_written(void** state) {
  (void)state;
  char folder[] = "/tmp/freebody-run-XXXXXX", name[64], deeper[64];
  fb_error error, made_error, below_error;
  fb_store* other = NULL;
  double t;
  void* data;
  size_t size;
  assert_non_null(mkdtemp(folder));
  snprintf(name, sizeof name, "%s/a #1%%?", folder);
  snprintf(deeper, sizeof deeper, "%s/b/c", folder);
  fb_store* run = create(name, 0);
  append(run, 0, 10);
  close_run(run);
  char line[200];
  snprintf(line, sizeof line, "chmod -R a+rX,a-w %s", folder);
  assert_int_equal(system(line), 0);
  be_nobody(1);
  fb_status read = fb_store_open(name, &run, &error);
  fb_status made = fb_store_create(folder, SIGNALS, NSIGNAL, 0, &other, &made_error);
  fb_status resumed = fb_store_resume(name, &t, &data, &size, &other, &error);
  fb_status below = fb_store_create(deeper, SIGNALS, NSIGNAL, 1, &other, &below_error);
  be_nobody(0);
  assert_int_equal(read, FB_OK);
  check_samples(run, 0, 10);
  close_run(run);
  assert_int_equal(made, FB_ERR_IO);
  assert_int_equal(resumed, FB_ERR_IO);
  assert_int_equal(below, FB_ERR_IO);
  if (!strstr(made_error.text, "no permission to write")) fail_msg("%s", made_error.text);
  if (!strstr(error.text, "no permission to write")) fail_msg("%s", error.text);
  if (!strstr(below_error.text, "no permission to make")) fail_msg("%s", below_error.text);
  snprintf(line, sizeof line, "chmod -R u+w %s && rm -r %s", folder, folder);
  assert_int_equal(system(line), 0);
}

/* --- a full disk --- */

/* Writes until the disk is full; what was committed before must be there after. */
static void fill(const char* folder) {
  fb_error error;
  fb_store* run = create(folder, 0);
  long long committed = 0, i = 0;
  fb_status status = FB_OK;
  while (status == FB_OK && i < 1000000) {
    double t, v[NSIGNAL];
    sample(i, &t, v);
    status = fb_store_append(run, t, v, &error);
    if (++i % 3000 == 0 && status == FB_OK) {
      status = fb_store_commit(run, &error);
      if (status == FB_OK) committed = i;
    }
  }
  assert_int_equal(status, FB_ERR_IO);
  if (!strstr(error.text, "the disk is full")) fail_msg("%s", error.text);
  assert_non_null(strstr(error.text, "resume"));
  assert_true(committed > 0);
  double v[NSIGNAL] = {0};
  assert_int_equal(fb_store_append(run, 1e9, v, &error), FB_ERR_IO); /* a failed run stays failed */
  assert_int_equal(fb_store_commit(run, &error), FB_ERR_IO);
  assert_int_equal(fb_store_close(run, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "the disk is full"));
  run = open_run(folder);
  assert_int_equal(fb_store_nsample(run), committed);
  check_samples(run, 0, committed);
  close_run(run);
}

static void limit_files(rlim_t most) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_loses_nothing_that_was_committed(void** state) {
  (void)state;
  limit_files(2 << 20);
  fill("run");
  limit_files(RLIM_INFINITY);
  /* With room again the run goes on. */
  fb_store* run = resume("run", -1, "");
  append(run, 0, 10);
  close_run(run);
  run = open_run("run");
  check_samples(run, 0, 10);
  close_run(run);
  /* A run that has no room to begin leaves what was there. */
  limit_files(8192);
  fb_error error;
  fb_status status = fb_store_create("run", SIGNALS, NSIGNAL, 1, &run, &error);
  limit_files(RLIM_INFINITY);
  assert_int_equal(status, FB_ERR_IO);
  assert_non_null(strstr(error.text, "the disk is full"));
  assert_string_equal(error.file, "run/run.db");
  assert_int_equal(system("test \"$(ls run)\" = run.db"), 0);
  run = open_run("run");
  check_samples(run, 0, 10);
  close_run(run);
}

/* Where mounting is allowed, a disk of its own that is really full. */
static void a_full_tmpfs_loses_nothing_that_was_committed(void** state) {
  (void)state;
  assert_int_equal(mkdir("disk", 0777), 0);
  if (mount("none", "disk", "tmpfs", 0, "size=2m") != 0) {
    print_message("no mount here; the limit on file sizes stands for it\n");
    return;
  }
  pid_t child = fork(); /* so that a failed assertion still unmounts */
  if (child == 0) {
    fill("disk/run");
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  assert_int_equal(umount("disk"), 0);
  assert_int_equal(status, 0);
}

/* --- arguments --- */

static void wrong_arguments_are_refused_with_a_reason(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  fb_store_signal twice[] = {SIGNALS[0], SIGNALS[1], SIGNALS[0]};
  assert_int_equal(fb_store_create("run", twice, 3, 0, &run, &error), FB_ERR_NAME);
  assert_non_null(strstr(error.text, "'q.elbow'"));
  fb_store_signal nameless[] = {{"", "", "", ""}};
  assert_int_equal(fb_store_create("run", nameless, 1, 0, &run, &error), FB_ERR_NAME);
  assert_int_equal(fb_store_create("run", NULL, 3, 0, &run, &error), FB_ERR_ARG);
  assert_int_equal(access("run", F_OK), -1);

  run = create("run", 0);
  double v[NSIGNAL] = {0};
  assert_int_equal(fb_store_append(run, 1, v, &error), FB_OK);
  assert_int_equal(fb_store_append(run, 1, v, &error), FB_OK); /* before and after an event */
  assert_int_equal(fb_store_append(run, 0.5, v, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "time must not go back"));
  assert_int_equal(fb_store_append(run, NAN, v, &error), FB_ERR_NOT_FINITE);
  assert_int_equal(fb_store_add_event(run, INFINITY, "e", "", &error), FB_ERR_NOT_FINITE);
  assert_int_equal(fb_store_add_checkpoint(run, -1, "x", 1, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_set_text(run, NULL, "x", &error), FB_ERR_ARG);
  close_run(run);
  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 2);
  assert_int_equal(fb_store_append(run, 2, v, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_commit(run, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_read_signal(run, 7, 0, 1, v, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_read_signal(run, 0, -1, 1, v, &error), FB_ERR_ARG);
  assert_string_equal(fb_store_get_signal(run, 99).name, "");
  assert_string_equal(fb_store_get_event(run, 99).name, "");
  close_run(run);
}

/* --- meshes --- */

static void check_mesh(fb_store* run, const char* name, const void* expected, size_t n) {
  fb_error error;
  void* data;
  size_t size;
  if (fb_store_read_mesh(run, name, &data, &size, &error)) fail_msg("%s: %s", name, error.text);
  if (!expected) {
    assert_null(data);
    assert_int_equal(size, 0);
    return;
  }
  assert_non_null(data);
  assert_int_equal(size, n);
  assert_memory_equal(data, expected, n);
  free(data);
}

static void meshes_are_kept_byte_for_byte_and_outlast_a_resumption(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = create("run", 0);
  static const char box[] = "solid\0box", nothing[] = "";
  assert_int_equal(fb_store_add_mesh(run, "a/box.stl", box, sizeof box, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "empty.stl", NULL, 0, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "again.stl", box, 3, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "again.stl", box, 5, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "", box, 3, &error), FB_ERR_ARG);
  check_mesh(run, "a/box.stl", box, sizeof box); /* the writer reads its own too */
  append(run, 0, 5);
  assert_int_equal(fb_store_add_checkpoint(run, 0.04, "abc", 3, &error), FB_OK);
  append(run, 5, 8);
  close_run(run);

  double t;
  void* snapshot;
  size_t size;
  assert_int_equal(fb_store_resume("run", &t, &snapshot, &size, &run, &error), FB_OK);
  free(snapshot);
  close_run(run);
  run = open_run("run");
  assert_int_equal(fb_store_nsample(run), 5);
  check_mesh(run, "a/box.stl", box, sizeof box);
  check_mesh(run, "empty.stl", nothing, 0);
  check_mesh(run, "again.stl", box, 5);
  check_mesh(run, "A/box.stl", NULL, 0);
  assert_int_equal(fb_store_add_mesh(run, "late.stl", box, 3, &error), FB_ERR_ARG); /* opened for reading */
  close_run(run);
}

#define T(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(what_was_written_is_read_back_bit_for_bit),
      T(blocks_are_little_endian_columns_of_at_most_1024_samples),
      T(a_reader_sees_what_is_committed_while_another_writes),
      T(a_killed_writer_keeps_what_it_committed),
      T(an_empty_run_and_one_without_signals_are_runs),
      T(a_resumed_run_goes_on_from_its_last_checkpoint),
      T(without_a_checkpoint_a_resumed_run_begins_anew_with_its_texts),
      T(a_run_is_replaced_only_when_asked_and_other_files_stay),
      T(a_folder_with_other_files_takes_a_new_run_and_keeps_them),
      T(a_run_that_is_being_written_is_left_alone),
      T(what_is_no_run_is_named_for_what_it_is),
      T(a_store_of_another_version_is_refused_and_not_touched),
      T(a_folder_that_cannot_be_made_is_explained),
      T(a_read_only_folder_is_read_and_refuses_to_be_written),
      T(a_full_disk_loses_nothing_that_was_committed),
      T(a_full_tmpfs_loses_nothing_that_was_committed),
      T(wrong_arguments_are_refused_with_a_reason),
      T(meshes_are_kept_byte_for_byte_and_outlast_a_resumption),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
