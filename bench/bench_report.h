/* bench_report.h -- timing, and the figures of one run: as tables for people, as JSON for programs. */
#ifndef FB_BENCH_REPORT_H
#define FB_BENCH_REPORT_H

#include <stdio.h>

#include "bench_runner.h"

enum { BENCH_MAX_RUNNERS = 12, BENCH_MAX_MODELS = 64 };

/* Of one runner on one model. NaN: not measured, not compared. */
typedef struct bench_result {
  double ns[BENCH_QUANTITIES];         /* least time of a call */
  double difference[BENCH_QUANTITIES]; /* largest, relative, from the first runner's numbers */
  char skipped[240];                   /* why the model was not run at all; "" */
  char failed[240];                    /* how the peer's process ended before its time; "" */
} bench_result;

/* A runner as the report names it. */
typedef struct bench_entrant {
  char name[32];
  char version[32];
  char calls[BENCH_QUANTITIES][120]; /* functions that are timed; "": not offered */
} bench_entrant;

typedef struct bench_row_result {
  char name[64];
  char about[96];
  int nv, njoint;
  const char* isa;
  bench_result result[BENCH_MAX_RUNNERS];
} bench_row_result;

typedef struct bench_earlier bench_earlier; /* bench_earlier.h */

/* The first runner is Freebody, the others peers. */
typedef struct bench_report {
  double seconds;               /* time spent on each figure */
  const bench_earlier* earlier; /* figures to compare with, or NULL */
  int nrunner, nmodel;
  bench_entrant runner[BENCH_MAX_RUNNERS];
  bench_row_result model[BENCH_MAX_MODELS];
} bench_report;

/* A peer whose numbers differ more than this (relative) computes something else. */
#define BENCH_AGREEMENT 1e-6

const char* bench_quantity_key(bench_quantity quantity);    /* "inertia_matrix" */
const char* bench_quantity_column(bench_quantity quantity); /* "inertia" */

void bench_entrant_describe(bench_entrant* entrant, const bench_runner* runner);

void bench_result_clear(bench_result* result);
/* How many numbers a runner's `read` gives. */
/* Whether the numbers of peers must agree with ours. */
int bench_is_compared(bench_quantity quantity);
size_t bench_result_size(bench_quantity quantity, int nv);

/* Calls over and over, for `seconds` and one batch at least, and lowers *best to the least time per call of a batch
 * [ns]. A batch goes once over the states; where a call takes a millisecond, over the first eight. */
void bench_time(bench_call* call, void* self, int states, double seconds, double* best);

/* As tables; as one JSON object. */
void bench_report_text(const bench_report* report, FILE* out);
void bench_report_json(const bench_report* report, FILE* out);
/* Width of the column of model names. */
int bench_name_width(const bench_report* report);
/* A text in quotes, escaped. */
void bench_json_text(FILE* out, const char* text);
/* Peers' results that differ from ours by more than BENCH_AGREEMENT. */
int bench_report_differences(const bench_report* report);

/* ---- bench_machine.c ---- */

typedef struct bench_machine {
  char cpu[128];      /* as the system calls it; "unknown" */
  char compiler[160]; /* of this program and, in the same build, of the library */
  char date[32];      /* UTC, "2026-11-15T12:00:00Z" */
  double load;        /* of the last minute; NaN when not known */
  int optimised;      /* 0: a build for debugging, whose times say nothing */
} bench_machine;

void bench_machine_read(bench_machine* machine);

#endif
