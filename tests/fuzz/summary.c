/* summary.c -- harness: summary.json beside a run, as the page shows it and as two runs are compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/compare.h>
#include <freebody/picture.h>
#include <freebody/store.h>

#include "fuzz.h"

static char folder[256], file[300];

static void show(fb_store* run) {
  fb_error error;
  fb_picture_options options = fb_default_picture_options();
  options.page_template = FB_TEST_DATA "/view/fake_page.html";
  if (fuzz_ok(fb_store_write_page(run, fuzz_path("page.html"), &options, &error), &error)) fuzz_accept();
}

static void compare(fb_store* run) {
  fb_error error;
  fb_comparison* c = NULL;
  char* text = NULL;
  size_t size;
  if (!fuzz_ok(fb_store_compare(run, run, NULL, &c, &error), &error)) return;
  for (int i = 0; i < c->nnumber; i++) fuzz_check(c->numbers[i].name, "number %d has no name", i);
  if (fuzz_ok(fb_comparison_print(c, &text, &size, &error), &error))
    fuzz_check(strlen(text) == size, "a short text");
  fb_free(text);
  fb_comparison_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_store* run = NULL;
  fb_error error;
  if (!folder[0]) {
    snprintf(folder, sizeof folder, "%s", fuzz_path("summary.run"));
    snprintf(file, sizeof file, "%s/summary.json", folder);
    fuzz_make_run(folder);
  }
  fuzz_write(file, data, size);
  fuzz_check(fb_store_open(folder, &run, &error) == FB_OK, "%s", error.text);
  show(run);
  compare(run);
  fb_store_close(run, &error);
  return 0;
}
