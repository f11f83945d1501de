/* run_db.c -- harness: the store of a run that somebody changed, read, exported, shown and resumed.
 *
 * An input is a change to a run that is made at the start:
 *
 *   @ and records    bytes of the file: an offset (3 bytes, the lowest first), how many (1 byte), and the bytes
 *   anything else    SQL, carried out on the store as another program would
 *
 * So that the changes are small and the file is none of the repository's. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/run.h>
#include <freebody/show.h>

#include "fuzz.h"
#include "io/run_formats.h"
#include "io/run_part.h"

enum { MOST_SAMPLES = 1 << 16 };

static char folder[256], path[300];
static char* original;
static size_t original_size;

/* --- the change --- */

static void patch(char* file, size_t size, const uint8_t* data, size_t left) {
  while (left > 4) {
    size_t at = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16, count = data[3];
    data += 4;
    left -= 4;
    if (count > left) count = left;
    for (size_t i = 0; i < count; i++) file[(at + i) % size] = (char)data[i];
    data += count;
    left -= count;
  }
}

static int stop(void* user) {
  return --*(int*)user < 0;
}

/* What the SQL does is the stranger's affair, only that it ends. */
static void run_sql(const uint8_t* data, size_t size) {
  sqlite3* db = NULL;
  int patience = 100;
  char* sql = fuzz_text(data, size);
  fuzz_check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK, "cannot open %s", path);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler(db, 1000, stop, &patience);
  sqlite3_exec(db, "PRAGMA writable_schema = ON; PRAGMA max_page_count = 256", NULL, NULL, NULL);
  sqlite3_exec(db, sql, NULL, NULL, NULL);
  sqlite3_close(db);
  free(sql);
}

static void remove_beside(const char* end) {
  char name[320];
  snprintf(name, sizeof name, "%s%s", path, end);
  unlink(name);
}

static void change(const uint8_t* data, size_t size) {
  remove_beside("-wal");
  remove_beside("-shm");
  remove_beside("-journal");
  if (size == 0 || data[0] != '@') {
    fuzz_write(path, original, original_size);
    if (size > 0) run_sql(data, size);
    return;
  }
  char* file = (char*)malloc(original_size);
  if (!file) fuzz_fail("out of memory");
  memcpy(file, original, original_size);
  patch(file, original_size, data + 1, size - 1);
  fuzz_write(path, file, original_size);
  free(file);
}

/* --- reading --- */

static void read_texts(fb_run* run) {
  static const char* const keys[] = {"name", "scenario", "model", "view", "status", "freebody", "nothing"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const char* text = fb_run_text(run, keys[i]);
    if (text) fuzz_check(strlen(text) < (1 << 24), "a text without end");
  }
  for (int i = 0; i < fb_run_nevent(run); i++) {
    fb_run_event event = fb_run_event_at(run, i);
    fuzz_check(event.name && event.text, "event %d has no name or text", i);
  }
}

/* Every signal, time first; 0 when it cannot be read. */
static int read_samples(fb_run* run) {
  fb_error error;
  long long count = fb_run_nsample(run);
  fuzz_check(count >= 0, "a run of %lld samples", count);
  if (count > MOST_SAMPLES) count = MOST_SAMPLES;
  double* values = (double*)malloc(((size_t)count + 1) * sizeof *values);
  if (!values) fuzz_fail("out of memory");
  int good = 1;
  for (int i = -1; i < fb_run_nsignal(run) && good; i++) {
    if (i >= 0) {
      fb_run_signal signal = fb_run_signal_at(run, i);
      fuzz_check(signal.name && signal.unit && signal.axes && signal.meaning, "signal %d lacks a text", i);
    }
    good = fuzz_ok(fb_run_read(run, i, 0, count, values, &error), &error);
  }
  free(values);
  return good;
}

static void export_csv(fb_run* run) {
  fb_error error;
  FILE* nowhere = fopen("/dev/null", "wb");
  int n = fb_run_nsignal(run), *signals = (int*)calloc((size_t)n + 1, sizeof *signals);
  if (!nowhere || !signals) fuzz_fail("out of memory");
  for (int i = 0; i < n; i++) signals[i] = i;
  fb_run_part part = {signals, n, 0, fb_run_nsample(run), -1e300, 1e300};
  if (part.count > MOST_SAMPLES) part.count = MOST_SAMPLES;
  fuzz_ok(fb_run_write_csv(run, &part, nowhere, "log.csv", &error), &error);
  free(signals);
  fclose(nowhere);
}

static void show(fb_run* run) {
  fb_error error;
  fb_show_options options = fb_default_show_options();
  options.page_template = FB_TEST_DATA "/view/fake_page.html";
  if (fb_run_nsample(run) > MOST_SAMPLES) return;
  fuzz_ok(fb_page_write(run, fuzz_path("page.html"), &options, &error), &error);
  fuzz_ok(fb_gltf_write(run, fuzz_path("run.glb"), &options, &error), &error);
}

static void read_run(void) {
  fb_run* run = NULL;
  fb_error error;
  if (!fuzz_ok(fb_run_open(folder, &run, &error), &error)) return;
  fuzz_accept();
  read_texts(run);
  read_samples(run);
  export_csv(run);
  show(run);
  fb_run_close(run, &error);
}

/* --- going on --- */

static void restore(const void* snapshot, size_t size) {
  static fb_scenario* s;
  fb_sim* sim = NULL;
  fb_error error;
  if (!s) {
    size_t text_size;
    char* text = (char*)fuzz_read(FB_FUZZ_DATA "/everything.yaml", &text_size);
    text[text_size] = '\0';
    s = fuzz_scenario(text, text_size, NULL);
    free(text);
  }
  fuzz_check(fb_scenario_sim(s, &sim, &error) == FB_OK, "%s", error.text);
  if (fuzz_ok(fb_sim_restore(sim, snapshot, size, &error), &error)) fuzz_steps(sim, 1e3, 5);
  fb_sim_free(sim);
}

/* A run that goes on is one afterwards too. */
static void resume(void) {
  fb_run* run = NULL;
  fb_error error;
  void* snapshot = NULL;
  double t;
  size_t size;
  if (!fuzz_ok(fb_run_resume(folder, &t, &snapshot, &size, &run, &error), &error)) return;
  restore(snapshot, size);
  free(snapshot);
  int n = fb_run_nsignal(run);
  double* values = (double*)calloc((size_t)n + 1, sizeof *values);
  if (!values) fuzz_fail("out of memory");
  fb_status status = fb_run_append(run, t < 0 ? 0 : t, values, &error);
  if (status == FB_OK) status = fb_run_add_event(run, t, "again", "", &error);
  fuzz_ok(status, &error);
  free(values);
  fb_status closed = fb_run_close(run, &error);
  if (!fuzz_ok(closed, &error) || status != FB_OK) return;
  fuzz_check(fb_run_open(folder, &run, &error) == FB_OK, "a resumed run cannot be opened: %s", error.text);
  fb_run_close(run, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!original) {
    snprintf(folder, sizeof folder, "%s", fuzz_path("fuzz.run"));
    snprintf(path, sizeof path, "%s/run.db", folder);
    fuzz_make_run(folder);
    original = (char*)fuzz_read(path, &original_size);
  }
  change(data, size);
  read_run();
  resume();
  return 0;
}
