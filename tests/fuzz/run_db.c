/* run_db.c -- harness: the store of a run that somebody changed, read, exported, shown and resumed.
 *
 * An input is a change to a run that is made at the start, so that inputs are small and the file is none of the
 * repository's:
 *
 *   @ and records    bytes of the file, as fuzz_store_patch has them: an accident
 *   ! and SQL        rows, with checksums that are left as they are: another one
 *   SQL              rows, with checksums that fit: somebody who means it
 *
 * What an accident left must be refused, or be what it was before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/store.h>
#include <freebody/picture.h>

#include "base/checksum.h"
#include "fuzz.h"
#include "fuzz_store.h"
#include "run/export/formats.h"

enum { MOST_SAMPLES = 1 << 16 };

static char folder[256], path[300];
static char* original;
static size_t original_size;
static uint64_t original_digest;

/* --- the change --- */

static void remove_beside(const char* end) {
  char name[320];
  snprintf(name, sizeof name, "%s%s", path, end);
  unlink(name);
}

/* Whether it is an accident. */
static int change(const uint8_t* data, size_t size) {
  char kind = size > 0 ? (char)data[0] : '!';
  char* file = (char*)malloc(original_size);
  char* sql = fuzz_text(data + (kind == '!' && size > 0), size - (kind == '!' && size > 0));
  if (!file) fuzz_fail("out of memory");
  remove_beside("-wal");
  remove_beside("-shm");
  remove_beside("-journal");
  memcpy(file, original, original_size);
  if (kind == '@') fuzz_store_patch(file, original_size, data + 1, size - 1);
  fuzz_write(path, file, original_size);
  if (kind != '@') fuzz_store_sql(path, sql, kind != '!');
  free(file);
  free(sql);
  return kind == '@' || kind == '!';
}

/* --- reading --- */

static void digest_text(uint64_t* digest, const char* text) {
  *digest = fb_checksum(*digest, text ? text : "?", text ? strlen(text) + 1 : 1);
}

static void read_texts(fb_store* run, uint64_t* digest) {
  static const char* const keys[] = {"name", "scenario", "model", "view", "status", "freebody", "nothing"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    digest_text(digest, fb_store_get_text(run, keys[i]));
  for (int i = 0; i < fb_store_nevent(run); i++) {
    fb_store_event event = fb_store_get_event(run, i);
    fuzz_check(event.name && event.text, "event %d has no name or text", i);
    *digest = fb_checksum(*digest, &event.t, sizeof event.t);
    digest_text(digest, event.name);
    digest_text(digest, event.text);
  }
}

static void read_signal(const fb_store* run, int index, uint64_t* digest) {
  fb_store_signal signal = fb_store_get_signal(run, index);
  fuzz_check(signal.name && signal.unit && signal.axes && signal.meaning, "signal %d lacks a text", index);
  digest_text(digest, signal.name);
  digest_text(digest, signal.unit);
  digest_text(digest, signal.axes);
}

/* Every signal, time first; 0 when it cannot be read. */
static int read_samples(fb_store* run, uint64_t* digest) {
  fb_error error;
  long long count = fb_store_nsample(run);
  fuzz_check(count >= 0, "a run of %lld samples", count);
  if (count > MOST_SAMPLES) count = MOST_SAMPLES;
  double* values = (double*)malloc(((size_t)count + 1) * sizeof *values);
  if (!values) fuzz_fail("out of memory");
  int good = 1;
  for (int i = -1; i < fb_store_nsignal(run) && good; i++) {
    if (i >= 0) read_signal(run, i, digest);
    good = fuzz_ok(fb_store_read_signal(run, i, 0, count, values, &error), &error);
    if (good) *digest = fb_checksum(*digest, values, (size_t)count * sizeof *values);
  }
  free(values);
  return good;
}

static void export_csv(fb_store* run) {
  fb_error error;
  FILE* nowhere = fopen("/dev/null", "wb");
  int n = fb_store_nsignal(run), *signals = (int*)calloc((size_t)n + 1, sizeof *signals);
  if (!nowhere || !signals) fuzz_fail("out of memory");
  for (int i = 0; i < n; i++) signals[i] = i;
  fb_store_part part = {signals, n, 0, fb_store_nsample(run), -1e300, 1e300};
  if (part.count > MOST_SAMPLES) part.count = MOST_SAMPLES;
  fuzz_ok(fb_store_write_csv(run, &part, nowhere, "log.csv", &error), &error);
  free(signals);
  fclose(nowhere);
}

static void show(fb_store* run) {
  fb_error error;
  fb_picture_options options = fb_default_picture_options();
  options.page_template = FB_TEST_DATA "/view/fake_page.html";
  if (fb_store_nsample(run) > MOST_SAMPLES) return;
  fuzz_ok(fb_store_write_page(run, fuzz_path("page.html"), &options, &error), &error);
  fuzz_ok(fb_store_write_gltf(run, fuzz_path("run.glb"), &options, &error), &error);
}

/* What is in the run; 0 when something cannot be read. */
static uint64_t read_run(void) {
  fb_store* run = NULL;
  fb_error error;
  uint64_t digest = 1;
  if (!fuzz_ok(fb_store_open(folder, &run, &error), &error)) return 0;
  fuzz_accept();
  read_texts(run, &digest);
  if (!read_samples(run, &digest)) digest = 0;
  export_csv(run);
  show(run);
  fb_store_close(run, &error);
  return digest;
}

/* --- going on --- */

/* Where that leads is the harness `checkpoint`'s affair. */
static void restore(const void* snapshot, size_t size) {
  static fb_scenario* s;
  static fb_sim* sim;
  fb_error error;
  if (!s) {
    size_t text_size;
    char* text = (char*)fuzz_read(FB_FUZZ_DATA "/everything.yaml", &text_size);
    text[text_size] = '\0';
    s = fuzz_scenario(text, text_size, NULL);
    free(text);
  }
  if (!sim) fuzz_check(fb_sim_build(s, &sim, &error) == FB_OK, "%s", error.text);
  fuzz_ok(fb_sim_restore(sim, snapshot, size, &error), &error);
}

/* A run that goes on is one afterwards too. */
static void resume(void) {
  fb_store* run = NULL;
  fb_error error;
  void* snapshot = NULL;
  double t;
  size_t size;
  if (!fuzz_ok(fb_store_resume(folder, &t, &snapshot, &size, &run, &error), &error)) return;
  restore(snapshot, size);
  free(snapshot);
  int n = fb_store_nsignal(run);
  double* values = (double*)calloc((size_t)n + 1, sizeof *values);
  if (!values) fuzz_fail("out of memory");
  fb_status status = fb_store_append(run, t < 0 ? 0 : t, values, &error);
  if (status == FB_OK) status = fb_store_add_event(run, t, "again", "", &error);
  fuzz_ok(status, &error);
  free(values);
  fb_status closed = fb_store_close(run, &error);
  if (!fuzz_ok(closed, &error) || status != FB_OK) return;
  fuzz_check(fb_store_open(folder, &run, &error) == FB_OK, "a resumed run cannot be opened: %s", error.text);
  fb_store_close(run, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!original) {
    snprintf(folder, sizeof folder, "%s", fuzz_path("fuzz.run"));
    snprintf(path, sizeof path, "%s/run.db", folder);
    fuzz_make_run(folder);
    original = (char*)fuzz_read(path, &original_size);
    original_digest = read_run();
    fuzz_check(original_digest, "the run cannot be read as it is");
  }
  int accident = change(data, size);
  uint64_t digest = read_run();
  fuzz_check(!accident || digest == 0 || digest == original_digest, "an accident went unseen");
  resume();
  return 0;
}
