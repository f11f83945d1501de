/* exchange.c -- harness: rows of what a remote controller sent to a run, changed, and read as a resumed run does.
 *
 * An input is SQL, after which checksums are made to fit; after '!' they are left as they are, and must find what was changed
 * in a row that is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "fuzz.h"
#include "fuzz_store.h"
#include "run/store/store.h"

enum { ROWS = 3, COUNT = 5, INPUTS = 2, WIDTH = INPUTS + FB_EXCHANGE_INPUTS };

static char folder[256], path[300];
static char* original;
static size_t original_size;
static uint64_t originals[ROWS * COUNT]; /* of each exchange */

static void must(fb_status status, const fb_error* error) {
  fuzz_check(status == FB_OK, "the run cannot be made: %s", error->text);
}

static void make_run(void) {
  fb_store* run = NULL;
  fb_error error;
  const fb_store_signal signal = {"q", "rad", "", "angle"};
  must(fb_store_create(folder, &signal, 1, 1, &run, &error), &error);
  for (int r = 0; r < ROWS; r++) {
    double numbers[COUNT * WIDTH];
    for (int i = 0; i < COUNT * WIDTH; i++) numbers[i] = i % WIDTH == 1 ? i % 5 : 0.1 * (r * COUNT + i);
    fb_store_exchanges e = {(long long)r * COUNT, COUNT, INPUTS, numbers};
    must(fb_store_add_exchanges(run, "arm", &e, &error), &error);
  }
  must(fb_store_close(run, &error), &error);
}

/* All exchanges, as long as they can be read; how many. sums: of each, to be filled, or to be compared with. */
static int read_all(uint64_t* sums, int fill) {
  fb_store* run = NULL;
  fb_error error;
  fb_store_exchanges e = {0};
  int found = 0;
  if (!fuzz_ok(fb_store_open(folder, &run, &error), &error)) return 0;
  for (long long n = 0; n < ROWS * COUNT + 2; n++) {
    uint64_t digest = 1;
    if (!fuzz_ok(fb_store_read_exchanges(run, "arm", n, &e, &error), &error)) break;
    fuzz_check(e.count >= 0 && e.count <= FB_STORE_EXCHANGES, "%d exchanges", e.count);
    fuzz_check(e.count == 0 || (e.first <= n && n < e.first + e.count), "another row than asked for");
    if (e.count > 0) fuzz_accept();
    size_t width = (size_t)e.ninput + FB_EXCHANGE_INPUTS;
    for (size_t k = 0; k < width && e.count > 0; k++) /* within its memory */
      digest = fb_checksum(digest, &e.numbers[(size_t)(n - e.first) * width + k], sizeof(double));
    if (e.count == 0) continue;
    found++;
    if (fill && n < ROWS * COUNT) sums[n] = digest;
    fuzz_check(fill || !sums || (n < ROWS * COUNT && sums[n] == digest), "an accident went unseen");
  }
  free(e.numbers);
  fb_store_close(run, &error);
  return found;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!original) {
    snprintf(folder, sizeof folder, "%s", fuzz_path("exchange.run"));
    snprintf(path, sizeof path, "%s/run.db", folder);
    make_run();
    original = (char*)fuzz_read(path, &original_size);
    fuzz_check(read_all(originals, 1) == ROWS * COUNT, "the run cannot be read as it is");
  }
  int accident = size > 0 && data[0] == '!';
  char beside[320], *sql = fuzz_text(data + accident, size - (size_t)accident);
  static const char* const ends[] = {"-wal", "-shm", "-journal"};
  for (int i = 0; i < 3; i++) {
    snprintf(beside, sizeof beside, "%s%s", path, ends[i]);
    unlink(beside);
  }
  fuzz_write(path, original, original_size);
  fuzz_store_sql(path, sql, !accident);
  read_all(accident ? originals : NULL, 0);
  free(sql);
  return 0;
}
