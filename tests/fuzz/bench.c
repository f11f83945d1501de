/* bench.c -- harness: the figures of an earlier benchmark. The report that compares with them is printed, and its own
 * JSON can be compared with again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_earlier.h"
#include "bench_own.h"
#include "fuzz.h"

/* Two models with figures made up, beside the earlier ones. */
static void fill(bench_report* report, const bench_earlier* earlier) {
  static const char* const names[2] = {"arm6", "arm6"};
  memset(report, 0, sizeof *report);
  report->earlier = earlier;
  bench_entrant_describe(&report->runner[report->nrunner++], &bench_own);
  for (int i = 0; i < 2; i++) {
    bench_row_result* row = &report->model[report->nmodel++];
    snprintf(row->name, sizeof row->name, "%s", names[i]);
    row->isa = "plain";
    bench_result_clear(&row->result[0]);
    row->result[0].ns[BENCH_FORWARD] = 100;
  }
}

static char* print(const bench_report* report, void (*write)(const bench_report*, FILE*)) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  fuzz_check(out != NULL, "no memory for a stream");
  write(report, out);
  fclose(out);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static bench_earlier earlier, again;
  static bench_report report;
  fb_error error;
  char* text = fuzz_text(data, size);
  if (fuzz_ok(bench_earlier_parse(&earlier, text, "earlier.json", &error), &error)) {
    fuzz_accept();
    fill(&report, &earlier);
    char* table = print(&report, bench_against_text);
    char* json = print(&report, bench_report_json);
    fuzz_check(strstr(table, "arm6") != NULL, "a table without its models: %s", table);
    fuzz_check(bench_earlier_parse(&again, json, "again.json", &error) == FB_OK, "%s in %s", error.text,
               json);
    fuzz_check(again.nmodel == 2 && again.model[1].ns[BENCH_FORWARD] == 100, "other figures read: %s", json);
    free(table);
    free(json);
  }
  free(text);
  return 0;
}
