/* bench_earlier.h -- Freebody's figures of an earlier run, read from its JSON, and this run compared with them. */
#ifndef FB_BENCH_EARLIER_H
#define FB_BENCH_EARLIER_H

#include <stdio.h>

#include <freebody/status.h>

#include "bench_report.h"

typedef struct bench_earlier_model {
  char name[64];
  char isa[16];                /* kernels that were used, "v3" */
  double ns[BENCH_QUANTITIES]; /* NaN: not measured then */
} bench_earlier_model;

struct bench_earlier {
  const char* file; /* its name, not copied */
  char version[32], date[32], cpu[128], compiler[160];
  char optimised[8]; /* "false": a build for debugging */
  char unknown[200]; /* quantities that this version does not measure, separated by ", " */
  int nmodel;
  bench_earlier_model model[BENCH_MAX_MODELS];
};

/* Reads what `freebody bench --json` or bench_race --json wrote. The error says how to make such a file. */
fb_status bench_earlier_read(bench_earlier* earlier, const char* file, fb_error* error);
/* The same from text. */
fb_status bench_earlier_parse(bench_earlier* earlier, const char* text, const char* file, fb_error* error);

/* The earlier figures of the report's model `index`, or NULL. Of models with one name the first stands for the first. */
const bench_earlier_model* bench_earlier_find(const bench_report* report, int index);

/* The report beside its report->earlier: the table, and the object "against" of the JSON. */
void bench_against_text(const bench_report* report, FILE* out);
void bench_against_json(const bench_report* report, FILE* out);

#endif
