/* compare.h -- compares two runs: signals over time, events, and the numbers of their summaries (libfreebody_io).
 *
 *   fb_store_compare(a, b, NULL, &comparison, &error);
 *   for (int i = 0; i < comparison->nsignal; i++) puts(comparison->signals[i].name);
 *   fb_comparison_free(comparison);
 *
 * Signals are paired by name, so the runs may be of different models. They are compared over the time that both runs
 * have: at the instants that both have samples of, or, if neither run has all its samples at instants of the other, at
 * those of run a, with run b interpolated linearly. Values that are not finite are equal if they are the same.
 *
 * The relative difference of a signal is its greatest difference divided by the largest magnitude that the signal has in
 * either run. Components of a vector (.x .y .z, .0 .1 ...) share the largest of all. So that rounding of a signal that is
 * zero does not count, the divisor is at least 1e-3 of the largest magnitude of any signal of the same unit, and at
 * least 1 for signals without a unit. */
#ifndef FREEBODY_COMPARE_H
#define FREEBODY_COMPARE_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/status.h>
#include <freebody/store.h>

typedef enum fb_compare_times {
  FB_COMPARE_NO_TIMES,    /* the runs have no time in common */
  FB_COMPARE_SAME_TIMES,  /* all samples are at the same instants */
  FB_COMPARE_COMMON,      /* at the instants that both runs have samples of */
  FB_COMPARE_INTERPOLATED /* at those of run a; run b is interpolated linearly */
} fb_compare_times;

typedef struct fb_compare_options {
  const char* const* signals; /* only these, named as for fb_store_select, NULL-terminated; NULL: all */
  double from, to;            /* only this time span [s]; infinite by default */
  double tolerance;           /* relative difference that is allowed; < 0: no judgement */
  double absolute;            /* differences up to this are allowed as well, in the unit of the signal; 0 */
  int cookie_;                /* set by fb_default_compare_options */
} fb_compare_options;

typedef struct fb_compared_signal {
  const char *name, *unit;
  double difference; /* the greatest; INFINITY where only one value is finite */
  double t, a, b;    /* when, and the values then */
  double relative;
  double end;    /* difference at the last instant */
  int is_beyond; /* more than the tolerance allows */
} fb_compared_signal;

/* An event that the runs do not have in common at the same time. The k-th event of a name is paired with the k-th of
 * the same name. */
typedef struct fb_compared_event {
  const char* name;
  double a, b; /* its times; NAN: the run does not have it [s] */
  int is_beyond;
} fb_compared_event;

/* A number of summary.json, "energy.end"; NAN: the run has none. */
typedef struct fb_compared_number {
  const char* name;
  double a, b;
} fb_compared_number;

/* What is compared; strings belong to the comparison. */
typedef struct fb_comparison {
  fb_compare_times times;
  long long instants;   /* at which signals were compared */
  double from, to;      /* the first and the last of them [s] */
  double end[2];        /* when each run ends: its last sample; NAN: it has none [s] */
  long long samples[2]; /* of each run */
  /* [nsignal] those that both have, the greatest relative difference first, the ledger last */
  fb_compared_signal* signals;
  int nsignal;
  const char** only[2]; /* [nonly[i]] signals that only one of the runs has */
  int nonly[2];
  fb_compared_event* events; /* [nevent] those that differ, by time */
  int nevent;
  fb_compared_number* numbers; /* [nnumber] of the summaries */
  int nnumber;
  /* 1: the runs have the same model; the same scenario with the same overrides */
  int same_model, same_scenario;
  /* 1: beyond the tolerance. A signal is beyond it, unless it is one of the ledger, which measures the accuracy of a run,
   * and was not requested by name; or an event exists in one run only or differs in time by more than
   * tolerance * (to - from); or the ends of the runs differ by more, unless `to` was given; or nothing was compared. */
  int is_beyond;
  void* memory_; /* private */
} fb_comparison;

FB_BEGIN_DECLS

FB_API fb_compare_options fb_default_compare_options(void);
/* Compares two runs, also while they are written; options may be NULL. FB_ERR_NAME when a signal of the options is in
 * neither run. Memory does not grow with the length of the runs. */
FB_API fb_status fb_store_compare(fb_store* a, fb_store* b, const fb_compare_options* options,
                                  fb_comparison** comparison, fb_error* error);
FB_API void fb_comparison_free(fb_comparison* comparison); /* may be NULL */
/* The comparison as a JSON object (docs/command.md#compare); free *text with fb_free. */
FB_API fb_status fb_comparison_print(const fb_comparison* comparison, char** text, size_t* size,
                                     fb_error* error);

FB_END_DECLS

#endif
