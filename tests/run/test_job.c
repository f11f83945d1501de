/* test_job.c -- runs made by the library (freebody/run.h): as the command makes them, in any slices, left and resumed. */
#include "run_command.h"
#include "run_scenarios.h"

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <freebody/lua.h>
#include <freebody/run.h>
#include <freebody/support/text.h>

static const char SWING_FILE[] = "swing.yaml";

static int open_with_scenarios(void** state) {
  if (scratch_open(state)) return -1;
  spill(SWING_FILE, SWING);
  spill("floater.yaml", FLOATER);
  return 0;
}

static void must(fb_status status, const fb_error* error) {
  if (status != FB_OK) fail_msg("%s: %s", error->file, error->text);
}

static fb_scenario* read_scenario(const char* file, const char* const* set) {
  fb_error error;
  fb_scenario* s;
  fb_scenario_options options = fb_default_scenario_options();
  options.set = set;
  must(fb_scenario_read(file, &options, &s, &error), &error);
  return s;
}

static fb_run* create(fb_scenario* s, const char* folder) {
  fb_error error;
  fb_run* run;
  fb_run_options options = fb_default_run_options();
  options.replace = 1;
  must(fb_run_create(s, folder, &options, &run, &error), &error);
  return run;
}

static void advance(fb_run* run, double until, double seconds) {
  fb_error error;
  must(fb_run_until(run, until, seconds, &error), &error);
}

static void finish(fb_run* run) {
  fb_error error;
  must(fb_run_finish(run, &error), &error);
  fb_run_free(run);
}

/* The whole of a scenario, in one slice. */
static void make_whole(const char* file, const char* const* set, const char* folder) {
  fb_scenario* s = read_scenario(file, set);
  fb_run* run = create(s, folder);
  advance(run, INFINITY, INFINITY);
  assert_int_equal(fb_run_state_of(run), FB_RUN_FINISHED);
  finish(run);
  fb_scenario_free(s);
}

/* --- what a folder holds, as text --- */

static void add_rows(fb_text* out, sqlite3* db, const char* sql) {
  sqlite3_stmt* statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  while (sqlite3_step(statement) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
      const unsigned char* bytes = (const unsigned char*)sqlite3_column_blob(statement, i);
      int size = sqlite3_column_bytes(statement, i),
          numbers = sqlite3_column_type(statement, i) == SQLITE_BLOB;
      for (int k = 0; numbers && k < size; k++) fb_text_printf(out, "%02x", bytes[k]);
      if (!numbers) fb_text_add(out, size ? (const char*)sqlite3_column_text(statement, i) : "");
      fb_text_add(out, "|");
    }
    fb_text_add(out, "\n");
  }
  assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
}

/* Where a block ends depends on the clock, which commits go by; so samples are taken out of them. */
static void add_samples(fb_text* out, const char* folder) {
  fb_error error;
  fb_store* store;
  must(fb_store_open(folder, &store, &error), &error);
  size_t count = (size_t)fb_store_nsample(store);
  double* values = (double*)malloc(count * sizeof *values);
  assert_non_null(values);
  for (int i = -1; i < fb_store_nsignal(store); i++) {
    must(fb_store_read_signal(store, i, 0, (long long)count, values, &error), &error);
    for (size_t k = 0; k < count; k++) fb_text_printf(out, "%a ", values[k]);
    fb_text_add(out, "\n");
  }
  free(values);
  fb_store_close(store, NULL);
}

static char* dump(const char* folder) {
  static const char* const tables[] = {"meta",       "meta_before", "signal", "event",
                                       "checkpoint", "mesh",        "total"};
  char path[200], sql[80];
  sqlite3* db;
  fb_text out = {0};
  add_samples(&out, folder);
  snprintf(path, sizeof path, "%s/run.db", folder);
  assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    fb_text_printf(&out, "%s\n", tables[i]);
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2", tables[i]);
    add_rows(&out, db, sql);
  }
  sqlite3_close(db);
  snprintf(path, sizeof path, "%s/summary.json", folder);
  char* summary = slurp(path);
  char* wall = strstr(summary, "\"wall\"");
  assert_non_null(wall);
  *wall = '\0';
  fb_text_add(&out, summary);
  free(summary);
  assert_false(out.failed);
  return out.data;
}

static void assert_same(const char* a, const char* b) {
  char *x = dump(a), *y = dump(b);
  size_t i = 0;
  while (x[i] && x[i] == y[i]) i++;
  if (x[i] != y[i]) fail_msg("%s and %s differ: '%.300s' and '%.300s'", a, b, x + i, y + i);
  free(x);
  free(y);
}

/* --- tests --- */

static void three_calls_leave_what_the_command_leaves(void** state) {
  (void)state;
  static const char* const set[] = {"integrator.method=dopri5", "integrator.step=null", NULL};
  const struct {
    const char *name, *options;
    const char* const* set;
  } cases[] = {{SWING_FILE, "", NULL},
               {SWING_FILE, "--set integrator.method=dopri5 --set integrator.step=null", set},
               {"floater.yaml", "", NULL},
               {FB_SOURCE_DIR "/scenarios/inspector/inspector.yaml", "", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char line[500];
    snprintf(line, sizeof line, "$FB run %s -o command --force --quiet %s", cases[i].name, cases[i].options);
    const shell_case command = {line, 0, "", ""};
    check_cases(&command, 1);
    make_whole(cases[i].name, cases[i].set, "library");
    assert_same("command", "library");
    check_cases(&(shell_case){"diff -r command/inputs library/inputs", 0, "", ""}, 1);
  }
}

static void the_command_works_with_runs_of_the_library(void** state) {
  (void)state;
  make_whole(SWING_FILE, NULL, "made");
  fb_scenario* s = read_scenario(SWING_FILE, NULL);
  fb_run* run = create(s, "left");
  advance(run, 1.3, INFINITY);
  finish(run);
  fb_scenario_free(s);
  const shell_case cases[] = {
      {"$FB export made -o made.csv", 0, "", NULL},
      {"$FB plot made energy -o made.svg", 0, NULL, NULL},
      /* one line stands for the page built from viewer/ */
      {"echo '<!--freebody-data-->' > page && FREEBODY_VIEWER=page $FB view made -o made.html", 0, NULL,
       NULL},
      {"$FB run --resume made", 0, "this run is complete", ""},
      {"grep status left/summary.json", 0, "interrupted", ""},
      {"$FB run --resume left --quiet", 0, "", ""},
      {"$FB export left -o left.csv; cmp made.csv left.csv", 0, NULL, NULL},
  };
  CHECK_CASES(cases);
  assert_same("made", "left");
}

static void slices_of_any_length_give_the_same_run(void** state) {
  (void)state;
  const struct {
    const char* name;
    double every, seconds, commit_period;
  } cases[] = {{"0.013 s of simulated time", 0.013, INFINITY, 1},
               {"one step", INFINITY, 0, 1},
               {"0.7 s, committed at each look", 0.7, 0, 1e-9}};
  static const char* const files[] = {SWING_FILE, "floater.yaml"};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
    fb_error error;
    fb_run* run;
    fb_scenario* s = read_scenario(files[i % 2], NULL);
    fb_run_options options = fb_default_run_options();
    options.replace = 1;
    options.commit_period = cases[i / 2].commit_period;
    must(fb_run_create(s, "sliced", &options, &run, &error), &error);
    int slices = 0;
    for (; fb_run_state_of(run) == FB_RUN_RUNNING; slices++)
      advance(run, fb_run_time(run) + cases[i / 2].every, cases[i / 2].seconds);
    assert_true(slices > 3);
    finish(run);
    fb_scenario_free(s);
    make_whole(files[i % 2], NULL, "whole");
    assert_same("whole", "sliced");
  }
}

/* Left in order (finished early), and as if the process had died. */
static void a_run_that_was_left_goes_on_to_the_same_end(void** state) {
  (void)state;
  const struct {
    double t;
    int in_order;
  } cases[] = {{0.04, 0}, {1.2345, 0}, {1.25, 1}, {2.95, 1}};
  make_whole(SWING_FILE, NULL, "whole");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error;
    fb_scenario* s = read_scenario(SWING_FILE, NULL);
    fb_run* run = create(s, "left");
    advance(run, cases[i].t, INFINITY);
    assert_int_equal(fb_run_state_of(run), FB_RUN_RUNNING);
    if (cases[i].in_order) must(fb_run_finish(run, &error), &error);
    fb_run_free(run);
    must(fb_run_resume("left", i % 2 ? s : NULL, NULL, &run, &error), &error);
    fb_scenario_free(s);
    assert_true(fb_run_time(run) <= cases[i].t);
    advance(run, INFINITY, INFINITY);
    finish(run);
    assert_same("whole", "left");
    must(fb_run_resume("left", NULL, NULL, &run, &error), &error);
    assert_null(run); /* it is complete */
  }
}

typedef struct heard {
  int events, commits;
  double t_committed;
  char last[80];
} heard;

static void hear_event(void* user, double t, const char* name, const char* text) {
  heard* h = (heard*)user;
  snprintf(h->last, sizeof h->last, "%g %s %s", t, name, text);
  h->events++;
}

static void hear_commit(void* user, double t) {
  heard* h = (heard*)user;
  h->commits++;
  h->t_committed = t;
}

static void a_run_without_a_folder_is_the_same_but_for_the_files(void** state) {
  (void)state;
  fb_error error;
  fb_run_summary with, without;
  for (int folder = 0; folder < 2; folder++) {
    fb_run* run;
    heard h = {0};
    fb_scenario* s = read_scenario(SWING_FILE, NULL);
    fb_run_options options = fb_default_run_options();
    options.event = hear_event;
    options.committed = hear_commit;
    options.user = &h;
    must(fb_run_create(s, folder ? "kept" : NULL, &options, &run, &error), &error);
    assert_null(fb_run_sample(run, NULL));
    advance(run, INFINITY, INFINITY);
    must(fb_run_finish(run, &error), &error);
    double t = -1;
    const double* values = fb_run_sample(run, &t);
    assert_non_null(values);
    assert_float_equal(t, 3, 0);
    assert_true(h.events >= 3 && h.commits >= 29 && h.t_committed >= 2.9);
    assert_string_equal(fb_run_store(run) ? "kept" : "none", folder ? "kept" : "none");
    assert_int_equal(fb_run_in_place(run), folder);
    fb_run_summarise(run, folder ? &with : &without);
    assert_int_equal(h.events, without.events);
    with.wall.seconds = without.wall.seconds = with.speed = without.speed = 0;
    fb_run_free(run);
    fb_scenario_free(s);
  }
  assert_memory_equal(&with, &without, sizeof with);
  assert_int_equal(with.samples, 151);
  assert_float_equal(with.duration, 3, 0);
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  fb_error error;
  fb_run* run;
  fb_scenario* s = read_scenario(SWING_FILE, NULL);
  fb_run_options bad = {0}, often = fb_default_run_options();
  often.commit_period = 0;
  make_whole(SWING_FILE, NULL, "there");
  spill("file", "not a folder");
  const struct {
    const char* folder;
    const fb_run_options* options;
    fb_status status;
    const char* text;
  } cases[] = {{"there", NULL, FB_ERR_IO, "this folder already contains a run"},
               {"file", NULL, FB_ERR_IO, "this is a file"},
               {"file/below", NULL, FB_ERR_IO, "this is a file, or lies under one"},
               {"", NULL, FB_ERR_ARG, "the name of a folder"},
               {"new", &bad, FB_ERR_ARG, "fb_default_run_options"},
               {"new", &often, FB_ERR_ARG, "commit period"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(fb_run_create(s, cases[i].folder, cases[i].options, &run, &error), cases[i].status);
    assert_null(run);
    if (!strstr(error.text, cases[i].text)) fail_msg("%s: %s", cases[i].text, error.text);
  }
  assert_int_equal(fb_run_exists("there"), 1);
  assert_int_equal(fb_run_exists("new"), 0);
  fb_scenario_options none = fb_default_scenario_options();
  fb_scenario* nothing;
  none.duration = 0;
  assert_int_equal(fb_scenario_read(SWING_FILE, &none, &nothing, &error), FB_ERR_ARG);
  fb_scenario_free(s);
}

static void a_run_is_not_resumed_as_another(void** state) {
  (void)state;
  static const char* const other[] = {"start.joints.hinge=50 deg", NULL};
  fb_error error;
  fb_run* run;
  fb_scenario *s = read_scenario(SWING_FILE, NULL), *changed = read_scenario(SWING_FILE, other);
  fb_run* writer = create(s, "mine");
  assert_int_equal(fb_run_resume("mine", NULL, NULL, &run, &error), FB_ERR_IO); /* it is being written */
  assert_null(run);
  assert_non_null(strstr(error.text, "another process is writing this run"));
  fb_run_free(writer);
  run = create(s, "other");
  advance(run, 1, INFINITY);
  fb_run_free(run);
  assert_int_equal(fb_run_resume("other", changed, NULL, &run, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "not those that this run was begun with"));
  assert_int_equal(fb_run_resume("gone", NULL, NULL, &run, &error), FB_ERR_IO);
  unlink("other/inputs/0-swing.yaml");
  assert_int_equal(fb_run_resume("other", NULL, NULL, &run, &error), FB_ERR_CONTENT);
  assert_null(run);
  fb_scenario_free(changed);
  fb_scenario_free(s);
}

static void a_step_that_fails_fails_the_run(void** state) {
  (void)state;
  static const char* const set[] = {"integrator.method=euler", "control[0].kp=1e7", NULL};
  fb_error error, again;
  fb_scenario* s = read_scenario("floater.yaml", set);
  fb_run* run = create(s, "burst");
  assert_int_not_equal(fb_run_until(run, INFINITY, INFINITY, &error), FB_OK);
  assert_int_equal(fb_run_state_of(run), FB_RUN_FAILED);
  assert_non_null(strstr(error.text, "t = "));
  assert_int_equal(fb_run_until(run, INFINITY, INFINITY, &again), error.status);
  assert_string_equal(again.text, error.text);
  must(fb_run_finish(run, &error), &error);
  assert_memory_equal(fb_store_get_text(fb_run_store(run), "status"), "failed: ", 8);
  fb_run_free(run);
  fb_scenario_free(s);
}

/* Not a row of NaN in the log. */
static void an_output_that_fails_at_the_start_fails_the_run(void** state) {
  (void)state;
  static const char* const set[] = {"control=[{name: law, type: lua, file: late.lua}]",
                                    "log.signals=[law.late]", NULL};
  if (!fb_lua_available()) return;
  spill("late.lua",
        "outputs = {late = {\"1\", 1}}\n"
        "function act(t, q, v) return nil end\n"
        "function output(t, q, v) if t == 0 then error(\"too early\") end return {late = t} end\n");
  fb_error error;
  fb_scenario* s = read_scenario(SWING_FILE, set);
  fb_run* run = create(s, "late");
  assert_int_not_equal(fb_run_until(run, INFINITY, INFINITY, &error), FB_OK);
  assert_non_null(strstr(error.text, "too early"));
  assert_int_equal(fb_run_state_of(run), FB_RUN_FAILED);
  assert_null(fb_run_sample(run, NULL));
  fb_run_free(run);
  fb_scenario_free(s);
}

/* Where files may not grow the disk seems full. */
static void a_full_disk_is_told_and_the_run_can_go_on(void** state) {
  (void)state;
  fb_error error, again;
  struct rlimit before, tight;
  fb_scenario* s = read_scenario(SWING_FILE, NULL);
  fb_run* run = create(s, "tight");
  advance(run, 0.35, INFINITY);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  tight = before;
  tight.rlim_cur = 4096;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  fb_status status = fb_run_until(run, INFINITY, INFINITY, &error);
  fb_status closed = fb_run_finish(run, &again);
  fb_run_free(run);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(status, FB_ERR_IO);
  assert_int_equal(closed, FB_ERR_IO);
  assert_non_null(strstr(error.text, "the disk is full"));
  must(fb_run_resume("tight", NULL, NULL, &run, &error), &error);
  advance(run, INFINITY, INFINITY);
  finish(run);
  fb_scenario_free(s);
  make_whole(SWING_FILE, NULL, "wide");
  assert_same("wide", "tight");
}

/* Forks; the child answers with its exit code. */
static int in_child(int (*child)(fb_run*), fb_run* run) {
  int code;
  pid_t pid = fork();
  if (pid == 0) _exit(child(run));
  assert_true(pid > 0);
  assert_int_equal(waitpid(pid, &code, 0), pid);
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static int is_refused(fb_status status, const fb_error* error) {
  return status == FB_ERR_STATE && strstr(error->text, "the run belongs to process ") &&
         strstr(error->text, ", is a copy of that and cannot go on with it");
}

static int use_copy(fb_run* run) {
  fb_error error;
  if (!is_refused(fb_run_until(run, 2, INFINITY, &error), &error)) return 1;
  if (!is_refused(fb_run_commit(run, &error), &error)) return 2;
  if (!is_refused(fb_run_finish(run, &error), &error)) return 3;
  fb_run_free(run);
  return 0;
}

/* What a child has of a run is a copy in memory; files, locks and connections are the parent's. */
static void a_child_made_by_fork_cannot_use_a_run_and_leaves_it_whole(void** state) {
  (void)state;
  fb_error error;
  fb_scenario* s = read_scenario(SWING_FILE, NULL);
  make_whole(SWING_FILE, NULL, "unforked");
  fb_run *whole = create(s, "forked"), *other;
  advance(whole, 1, INFINITY);
  assert_int_equal(in_child(use_copy, whole), 0);
  assert_int_equal(fb_run_resume("forked", NULL, NULL, &other, &error), FB_ERR_IO); /* it is still locked */
  advance(whole, INFINITY, INFINITY);
  finish(whole);
  fb_scenario_free(s);
  outcome o = run("$FB compare forked unforked --tolerance 0");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
}

/* It has the descriptor of the lock, too. */
static void a_finished_run_is_unlocked_while_a_child_made_by_fork_lives(void** state) {
  (void)state;
  int ends[2];
  char byte;
  fb_error error;
  fb_scenario* s = read_scenario(SWING_FILE, NULL);
  fb_run *run = create(s, "left"), *resumed = NULL;
  advance(run, 1, INFINITY);
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) != 0);
  }
  finish(run);
  fb_status status = fb_run_resume("left", NULL, NULL, &resumed, &error);
  close(ends[0]);
  close(ends[1]);
  waitpid(pid, NULL, 0);
  must(status, &error);
  fb_run_free(resumed);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_calls_leave_what_the_command_leaves),
      cmocka_unit_test(the_command_works_with_runs_of_the_library),
      cmocka_unit_test(slices_of_any_length_give_the_same_run),
      cmocka_unit_test(a_run_that_was_left_goes_on_to_the_same_end),
      cmocka_unit_test(a_run_without_a_folder_is_the_same_but_for_the_files),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(a_run_is_not_resumed_as_another),
      cmocka_unit_test(a_step_that_fails_fails_the_run),
      cmocka_unit_test(an_output_that_fails_at_the_start_fails_the_run),
      cmocka_unit_test(a_full_disk_is_told_and_the_run_can_go_on),
      cmocka_unit_test(a_child_made_by_fork_cannot_use_a_run_and_leaves_it_whole),
      cmocka_unit_test(a_finished_run_is_unlocked_while_a_child_made_by_fork_lives),
  };
  return cmocka_run_group_tests(tests, open_with_scenarios, scratch_close);
}
