/* test_run_damage.c -- a run store that is damaged, or that a stranger has prepared, is refused with a reason or gives
 * what it always gave; it never gives other numbers, runs SQL of its own, or works for ever. */
#include "run_command.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <freebody/store.h>

#include "base/random.h"
#include "run/store/store.h"

enum { NSIGNAL = 2, SAMPLES = 3000 };
static const fb_store_signal SIGNALS[NSIGNAL] = {{"q.elbow", "rad", "", "coordinate of a joint"},
                                                 {"p.hand.x", "m", "world", "position of a frame"}};

static void sql(const char* text) {
  sqlite3* db;
  assert_int_equal(sqlite3_open("run/run.db", &db), SQLITE_OK);
  char* message = NULL;
  if (sqlite3_exec(db, text, NULL, NULL, &message)) fail_msg("%s: %s", text, message);
  sqlite3_close(db);
}

static void must(fb_status status, const fb_error* error) {
  if (status != FB_OK) fail_msg("%s: %s", error->file, error->text);
}

/* A run with some of everything: blocks, events, texts, a mesh, checkpoints, and a text that changed after the last. */
static void write_run(void) {
  fb_error error;
  fb_store* run;
  static char snapshot[5000];
  memset(snapshot, 7, sizeof snapshot);
  must(fb_store_create("run", SIGNALS, NSIGNAL, 1, &run, &error), &error);
  must(fb_store_set_text(run, "name", "swing", &error), &error);
  must(fb_store_set_text(run, "status", "running", &error), &error);
  must(fb_store_add_mesh(run, "box.stl", "solid box", 9, &error), &error);
  for (int i = 0; i < SAMPLES; i++) {
    double t = 0.01 * i, v[NSIGNAL] = {t * t, 1 - t};
    must(fb_store_append(run, t, v, &error), &error);
    if (i % 300 == 0) must(fb_store_add_event(run, t, "beat", "it beats", &error), &error);
    if (i % 1000 == 900) must(fb_store_add_checkpoint(run, t, snapshot, sizeof snapshot, &error), &error);
  }
  must(fb_store_set_text(run, "status", "finished", &error), &error);
  must(fb_store_close(run, &error), &error);
}

static char* good; /* the bytes of run.db */
static size_t good_size;

static void put_run(const char* bytes, size_t size) {
  unlink("run/run.db-wal");
  unlink("run/run.db-shm");
  FILE* f = fopen("run/run.db", "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, size, f), size);
  assert_int_equal(fclose(f), 0);
}

/* Written once, then copied. */
static void make_run(void) {
  struct stat info;
  if (!good) {
    write_run();
    assert_int_equal(stat("run/run.db", &info), 0);
    good_size = (size_t)info.st_size;
    good = slurp("run/run.db");
  }
  mkdir("run", 0777);
  put_run(good, good_size);
}

/* --- all that a reader can learn, and all that going on learns, in one text --- */

typedef struct account {
  char* text;
  size_t size;
} account;

static fb_status tell_samples(fb_store* run, FILE* out, fb_error* error) {
  long long n = fb_store_nsample(run);
  double* x = (double*)malloc(((size_t)n + 1) * sizeof *x);
  assert_non_null(x);
  fb_status status = FB_OK;
  for (int j = -1; j < NSIGNAL && status == FB_OK; j++) {
    status = fb_store_read_signal(run, j, 0, n, x, error);
    for (long long i = 0; status == FB_OK && i < n; i++) fprintf(out, "%.17g\n", x[i]);
  }
  free(x);
  return status;
}

static fb_status tell_mesh(fb_store* run, FILE* out, fb_error* error) {
  void* data;
  size_t size;
  fb_status status = fb_store_read_mesh(run, "box.stl", &data, &size, error);
  fprintf(out, "%zu %.*s\n", size, (int)size, data ? (const char*)data : "");
  free(data);
  return status;
}

static void tell_texts(fb_store* run, FILE* out) {
  static const char* const keys[] = {"freebody", "name", "status", "nothing"};
  for (int i = 0; i < 4; i++) {
    const char* text = fb_store_get_text(run, keys[i]);
    fprintf(out, "%s: %s\n", keys[i], text ? text : "(none)");
  }
  for (int i = 0; i < fb_store_nsignal(run); i++) {
    fb_store_signal s = fb_store_get_signal(run, i);
    fprintf(out, "%s %s %s %s\n", s.name, s.unit, s.axes, s.meaning);
  }
  for (int i = 0; i < fb_store_nevent(run); i++) {
    fb_store_event e = fb_store_get_event(run, i);
    fprintf(out, "%.17g %s %s\n", e.t, e.name, e.text);
  }
}

/* FB_OK with all that a reader finds. */
static fb_status read_all(account* a, fb_error* error) {
  fb_store* run;
  fb_status status = fb_store_open("run", &run, error);
  a->text = NULL;
  if (status != FB_OK) return status;
  FILE* out = open_memstream(&a->text, &a->size);
  assert_non_null(out);
  tell_texts(run, out);
  status = tell_samples(run, out, error);
  if (status == FB_OK) status = tell_mesh(run, out, error);
  fclose(out);
  fb_error ignored;
  fb_store_close(run, &ignored);
  return status;
}

/* FB_OK with all that going on with the run finds. */
static fb_status resume_all(account* a, fb_error* error) {
  fb_store* run;
  double t;
  void* snapshot;
  size_t size;
  fb_status status = fb_store_resume("run", &t, &snapshot, &size, &run, error);
  a->text = NULL;
  if (status != FB_OK) return status;
  FILE* out = open_memstream(&a->text, &a->size);
  assert_non_null(out);
  fprintf(out, "%.17g %zu\n", t, size);
  fwrite(snapshot, 1, size, out);
  tell_texts(run, out);
  status = tell_samples(run, out, error);
  fclose(out);
  free(snapshot);
  fb_error ignored;
  fb_store_close(run, &ignored);
  return status;
}

/* --- random damage --- */

/* Pages that hold zeros only are not worth the tries. */
static size_t random_byte(fb_random* random, const char* bytes, size_t size) {
  for (;;) {
    size_t at = fb_random_bits(random) % size;
    if (bytes[at] != 0 || fb_random_bits(random) % 4 == 0) return at;
  }
}

typedef fb_status (*telling)(account* a, fb_error* error);

static void change_single_bytes(telling tell, int tries, uint64_t seed) {
  make_run();
  account should_be, is;
  fb_error error;
  must(tell(&should_be, &error), &error);
  fb_random random = {seed, 0};
  int refused = 0;
  for (int i = 0; i < tries; i++) {
    size_t at = random_byte(&random, good, good_size);
    char before = good[at], change = (char)(1 + fb_random_bits(&random) % 255);
    good[at] = (char)(before ^ change);
    put_run(good, good_size);
    fb_status status = tell(&is, &error);
    if (status == FB_OK && (is.size != should_be.size || memcmp(is.text, should_be.text, is.size) != 0))
      fail_msg("byte %zu changed by 0x%02x: other numbers, and nothing is said", at, (unsigned char)change);
    if (status != FB_OK && (!error.text[0] || !error.file[0]))
      fail_msg("byte %zu changed by 0x%02x: refused without a reason", at, (unsigned char)change);
    refused += status != FB_OK;
    free(is.text);
    good[at] = before;
  }
  assert_true(refused > tries / 3); /* or the damage hit nothing */
  free(should_be.text);
}

static void a_changed_byte_is_noticed_by_readers_or_harmless(void** state) {
  (void)state;
  change_single_bytes(read_all, 400, 1);
}

static void a_changed_byte_is_noticed_by_resuming_or_harmless(void** state) {
  (void)state;
  change_single_bytes(resume_all, 150, 2);
}

/* --- rows that are wrong --- */

/* A change to the database, and what must be said of it. */
typedef struct damage {
  const char *change, *words;
} damage;

static void check_said(const char* words, const char* change, const fb_error* error) {
  if (!strstr(error->text, words)) fail_msg("%s: '%s' is not in '%s'", change, words, error->text);
  assert_string_equal(error->file, "run/run.db");
}

/* After the change `tell` is refused with the words. */
static void check_refused(const damage* d, telling tell) {
  fb_error error;
  account a;
  make_run();
  sql(d->change);
  if (tell(&a, &error) != FB_ERR_IO) fail_msg("%s: it is taken", d->change);
  check_said(d->words, d->change, &error);
  free(a.text);
}

static void damaged_rows_are_refused_with_their_place(void** state) {
  (void)state;
  static const damage rows[] = {
      {"UPDATE block SET count = count + (1 << 61) WHERE first = 901", "row '901' of its table 'block'"},
      {"UPDATE block SET count = -5", "row '0' of its table 'block' does not fit its checksum"},
      {"UPDATE block SET t_first = 'soon' WHERE first = 0",
       "row '0' of its table 'block' contains a value of the wrong type"},
      {"UPDATE block SET data = zeroblob(length(data)) WHERE first = 901",
       "samples from number 901 on are damaged"},
      {"UPDATE block SET data = x'00'", "samples from number 0 on are damaged"},
      {"DELETE FROM block WHERE first = 901", "the samples from number 901 on are missing"},
      {"DELETE FROM block WHERE first = (SELECT max(first) FROM block)", "samples and should have 3000"},
      {"UPDATE event SET t = 0 WHERE id = 3", "row '3' of its table 'event'"},
      {"DELETE FROM event WHERE id = 3", "event 3 is missing"},
      {"DELETE FROM event WHERE id = 9", "it has 9 events and should have 10"},
      {"UPDATE meta SET text = 'running' WHERE key = 'status'", "row 'status' of its table 'meta'"},
      {"DELETE FROM meta WHERE key = 'name'", "it has 2 texts and should have 3"},
      {"UPDATE signal SET unit = 'deg' WHERE id = 0", "row '0' of its table 'signal'"},
      {"UPDATE mesh SET data = x'00'", "its mesh 'box.stl' does not fit its checksum"},
      {"DELETE FROM mesh", "it has 0 meshes and should have 1"},
      {"DELETE FROM total", "the row of its table 'total' is gone"},
      {"UPDATE total SET samples = 5", "row '0' of its table 'total'"},
      {"DROP TABLE mesh", "its table 'mesh' is gone"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_refused(&rows[i], read_all);
}

static void a_damaged_checkpoint_is_refused_and_the_run_still_read(void** state) {
  (void)state;
  static const damage rows[] = {
      {"UPDATE checkpoint SET data = zeroblob(length(data))",
       "its checkpoint 3 at t = 29 s does not fit its checksum"},
      {"UPDATE checkpoint SET t = 1", "row '3' of its table 'checkpoint'"},
      {"UPDATE checkpoint SET samples = 77", "row '3' of its table 'checkpoint'"},
      {"DELETE FROM checkpoint WHERE id = 3", "its checkpoint 3 is gone"},
      {"UPDATE meta_before SET text = 'x'", "of its table 'meta_before'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error error;
    account a;
    check_refused(&rows[i], resume_all);
    must(read_all(&a, &error), &error);
    free(a.text);
  }
}

/* --- databases that strangers have prepared --- */

static void what_is_not_a_plain_table_of_ours_is_refused(void** state) {
  (void)state;
  static const damage rows[] = {
      {"DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 "
       "FROM n) "
       "SELECT id, 0.0 AS t, 'x' AS name, 'x' AS text, 0 AS epoch, 0 AS sum FROM n",
       "the view 'event'"},
      {"CREATE TRIGGER act AFTER INSERT ON event BEGIN DELETE FROM block; END", "the trigger 'act'"},
      {"CREATE TABLE more(x)", "the table 'more'"},
      {"CREATE VIEW more AS SELECT 1", "the view 'more'"},
      {"CREATE INDEX by_time ON event(t)", "the index 'by_time'"},
      {"DROP TABLE event; CREATE TABLE event(id INTEGER PRIMARY KEY, t REAL AS (id / 0.0), name TEXT, text "
       "TEXT,"
       " epoch INTEGER, sum INTEGER)",
       "the table 'event'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    check_refused(&rows[i], read_all);
    check_refused(&rows[i], resume_all);
  }
}

/* SQLite would undo what it says, and remove the file that it names. */
static void a_rollback_journal_beside_the_run_is_not_acted_on(void** state) {
  (void)state;
  fb_error error;
  account a;
  make_run();
  spill("run/run.db-journal", "x");
  assert_int_equal(read_all(&a, &error), FB_ERR_IO);
  check_said("run.db-journal", "read", &error);
  assert_int_equal(resume_all(&a, &error), FB_ERR_IO);
  check_said("run.db-journal", "resume", &error);
  assert_int_equal(access("run/run.db-journal", F_OK), 0);
}

/* With sums that fit, as a stranger can make them. */
static void forge(const char* statement_sql, int count, void (*fill)(fb_store_row* row, int index)) {
  sqlite3* db;
  sqlite3_stmt* statement;
  fb_error error;
  fb_store owner = {.path = (char*)"run/run.db"};
  assert_int_equal(sqlite3_open("run/run.db", &db), SQLITE_OK);
  owner.db = db;
  assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, statement_sql, -1, &statement, NULL), SQLITE_OK);
  for (int i = 0; i < count; i++) {
    fb_store_row row = fb_store_row_begin(statement);
    fill(&row, i);
    must(fb_store_row_write(&owner, &row, NULL, 0, "forge", &error), &error);
  }
  sqlite3_finalize(statement);
  assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static const char PUT_TOTAL[] =
    "INSERT OR REPLACE INTO total(id, signals, samples, events, texts, meshes, checkpoint, sum)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?)";

enum { VERY_MANY = 200000 };

/* Texts are not copied, so that each needs a place of its own until it is written. */
static char word[32];

static void fill_text(fb_store_row* row, int index) {
  snprintf(word, sizeof word, "k%d", index);
  fb_store_row_text(row, word);
  fb_store_row_text(row, "");
}

static void fill_mesh(fb_store_row* row, int index) {
  snprintf(word, sizeof word, "m%d", index);
  fb_store_row_text(row, word);
  fb_store_row_int(row, 0);
}

static void put_totals(fb_store_row* row, long long texts, long long meshes, long long checkpoint) {
  const long long counts[] = {0, NSIGNAL, SAMPLES, 10, texts, meshes, checkpoint};
  for (int i = 0; i < 7; i++) fb_store_row_int(row, counts[i]);
}

static void fill_many(fb_store_row* row, int index) {
  (void)index;
  put_totals(row, VERY_MANY + 3, VERY_MANY + 1, 3);
}

/* Looking for each among all others took minutes for a file of some MB. */
static void a_store_of_very_many_texts_and_meshes_is_opened(void** state) {
  (void)state;
  fb_error error;
  account a;
  make_run();
  forge("INSERT INTO meta(key, text, sum) VALUES(?, ?, ?)", VERY_MANY, fill_text);
  forge("INSERT INTO mesh(name, data_sum, sum, data) VALUES(?, ?, ?, x'')", VERY_MANY, fill_mesh);
  forge(PUT_TOTAL, 1, fill_many);
  must(read_all(&a, &error), &error);
  assert_non_null(strstr(a.text, "name: swing\n"));
  assert_non_null(strstr(a.text, "9 solid box\n"));
  free(a.text);
}

static void fill_last(fb_store_row* row, int index) {
  (void)index;
  put_totals(row, 3, 1, INT64_MAX);
}

static void fill_below(fb_store_row* row, int index) {
  (void)index;
  put_totals(row, 3, 1, -5);
}

static void fill_early(fb_store_row* row, int index) {
  (void)index;
  fb_store_row_int(row, 3);
  fb_store_row_real(row, -1);
  for (int i = 0; i < 4; i++) fb_store_row_int(row, 0);
}

/* The next checkpoint has the number after the last. */
static void numbers_and_times_of_checkpoints_are_bounded(void** state) {
  (void)state;
  static const struct {
    const char* put;
    void (*fill)(fb_store_row* row, int index);
    const char* words;
  } rows[] = {
      {PUT_TOTAL, fill_last, "its last checkpoint has the number 9223372036854775807"},
      {PUT_TOTAL, fill_below, "its last checkpoint has the number -5"},
      {"INSERT OR REPLACE INTO checkpoint(id, t, samples, events, epoch, data_sum, sum, data)"
       " VALUES(?, ?, ?, ?, ?, ?, ?, x'')",
       fill_early, "its checkpoint 3 is at the time -1 s"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error error;
    account a;
    make_run();
    forge(rows[i].put, 1, rows[i].fill);
    if (resume_all(&a, &error) != FB_ERR_IO) fail_msg("%s: it is taken", rows[i].words);
    if (!strstr(error.text, rows[i].words)) fail_msg("'%s' is not in '%s'", rows[i].words, error.text);
  }
}

static char* long_text;

static void fill_long(fb_store_row* row, int index) {
  enum { LENGTH = 1 << 20 };
  snprintf(word, sizeof word, "l%d", index);
  if (!long_text) {
    long_text = (char*)malloc(LENGTH + 1);
    assert_non_null(long_text);
    memset(long_text, 'x', LENGTH);
    long_text[LENGTH] = '\0';
  }
  fb_store_row_text(row, word);
  fb_store_row_text(row, index == 0 ? long_text : "");
}

static unsigned at(const unsigned char* p, int bytes) {
  unsigned x = 0;
  for (int i = 0; i < bytes; i++) x = x << 8 | p[i];
  return x;
}

/* Every page of the table `meta` becomes its first: the texts on it are met again and again. */
static void repeat_first_page(void) {
  enum { PAGE = 16384, INTERIOR = 5, HEAD = 12 };
  sqlite3* db;
  sqlite3_stmt* statement;
  assert_int_equal(sqlite3_open("run/run.db", &db), SQLITE_OK);
  sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = 'meta'", -1, &statement, NULL);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  long root = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  unsigned char page[PAGE];
  FILE* f = fopen("run/run.db", "r+b");
  assert_non_null(f);
  assert_int_equal(fseek(f, (root - 1) * PAGE, SEEK_SET), 0);
  assert_int_equal(fread(page, 1, PAGE, f), PAGE);
  assert_int_equal(page[0], INTERIOR);
  unsigned cells = at(page + 3, 2), first = at(page + HEAD, 2);
  assert_true(cells > 150);
  for (unsigned i = 0; i < cells; i++) memcpy(page + at(page + HEAD + 2 * i, 2), page + first, 4);
  assert_int_equal(fseek(f, (root - 1) * PAGE, SEEK_SET), 0);
  assert_int_equal(fwrite(page, 1, PAGE, f), PAGE);
  assert_int_equal(fclose(f), 0);
}

static void texts_that_a_small_file_repeats_do_not_fill_the_memory(void** state) {
  (void)state;
  fb_error error;
  account a;
  make_run();
  sql("DELETE FROM meta");
  forge("INSERT INTO meta(key, text, sum) VALUES(?, ?, ?)", VERY_MANY, fill_long);
  free(long_text);
  repeat_first_page();
  assert_int_equal(read_all(&a, &error), FB_ERR_IO);
  if (!strstr(error.text, "its table 'meta' claims more than a file of its size can"))
    fail_msg("%s", error.text);
}

/* What a journal says goes into run.db, and so into a file of which run.db is a second name. */
static void a_journal_is_not_written_into_a_file_with_two_names(void** state) {
  (void)state;
  fb_error error;
  fb_store* run;
  account a;
  must(fb_store_create("run", SIGNALS, NSIGNAL, 1, &run, &error), &error);
  must(fb_store_set_text(run, "name", "swing", &error), &error);
  must(fb_store_commit(run, &error), &error);
  assert_int_equal(system("cp run/run.db-wal kept-wal"), 0);
  must(fb_store_close(run, &error), &error);
  spill("precious", "this is no database");
  unlink("run/run.db");
  assert_int_equal(link("precious", "run/run.db"), 0);
  assert_int_equal(rename("kept-wal", "run/run.db-wal"), 0);
  assert_int_equal(read_all(&a, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "has a second name"));
  char* after = slurp("precious");
  assert_string_equal(after, "this is no database");
  free(after);
  unlink("run/run.db");
}

/* --- the command --- */

static void the_command_says_what_is_damaged_and_fails(void** state) {
  (void)state;
  make_run();
  sql("UPDATE meta SET text = 'x' WHERE key = 'name'");
  const shell_case cases[] = {
      {"$FB export run -o out.csv", 2, "", "row 'name' of its table 'meta' does not fit its checksum"},
      {"$FB view run -o out.html", 2, "", "run/run.db"},
      {"$FB plot run q -o out.svg", 2, "", "run/run.db"},
      {"ls out.csv out.html out.svg", 2, "", NULL},
  };
  CHECK_CASES(cases);
}

/* --- many events --- */

static void a_writer_counts_all_events_and_remembers_the_first(void** state) {
  (void)state;
  fb_error error;
  fb_store* run;
  enum { MANY = 5000 };
  must(fb_store_create("run", SIGNALS, NSIGNAL, 1, &run, &error), &error);
  for (int i = 0; i < MANY; i++) must(fb_store_add_event(run, i, "beat", "it beats", &error), &error);
  assert_int_equal(fb_store_nevent(run), MANY);
  assert_true(fb_store_get_event(run, 999).t == 999);
  assert_string_equal(fb_store_get_event(run, 1000).name, "");
  must(fb_store_close(run, &error), &error);
  must(fb_store_open("run", &run, &error), &error);
  assert_int_equal(fb_store_nevent(run), MANY);
  assert_true(fb_store_get_event(run, MANY - 1).t == MANY - 1);
  must(fb_store_close(run, &error), &error);
}

#define T(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(a_changed_byte_is_noticed_by_readers_or_harmless),
      T(a_changed_byte_is_noticed_by_resuming_or_harmless),
      T(damaged_rows_are_refused_with_their_place),
      T(a_damaged_checkpoint_is_refused_and_the_run_still_read),
      T(what_is_not_a_plain_table_of_ours_is_refused),
      T(a_rollback_journal_beside_the_run_is_not_acted_on),
      T(a_journal_is_not_written_into_a_file_with_two_names),
      T(a_store_of_very_many_texts_and_meshes_is_opened),
      T(numbers_and_times_of_checkpoints_are_bounded),
      T(texts_that_a_small_file_repeats_do_not_fill_the_memory),
      T(the_command_says_what_is_damaged_and_fails),
      T(a_writer_counts_all_events_and_remembers_the_first),
  };
  int code = cmocka_run_group_tests(tests, NULL, NULL);
  free(good);
  return code;
}
