/* run.h -- a run: a scenario from its start to its end, kept in a folder (libfreebody_io).
 *
 *   fb_run_create(scenario, "pendulum.run", NULL, &run, &error);
 *   fb_run_advance(run, INFINITY, INFINITY, &error);
 *   fb_run_finish(run, &error);
 *   fb_run_free(run);
 *
 * The folder then holds what `freebody run` leaves: run.db (freebody/store.h), summary.json, and copies of all that was
 * read, so that the command shows, exports and resumes it. docs/run-store.md describes the files.
 *
 * A run is advanced in slices of any length, which do not change its results. One that was left before its end, or
 * whose process has died, is resumed from its last checkpoint and ends with the same bits as one that was never left.
 * Samples fall on multiples of the scenario's log period, checkpoints on multiples of its checkpoint period. A run
 * belongs to one thread at a time; it installs no signal handlers. */
#ifndef FREEBODY_RUN_H
#define FREEBODY_RUN_H

#include <freebody/export.h>
#include <freebody/io.h>
#include <freebody/scenario.h>
#include <freebody/sim.h>
#include <freebody/status.h>
#include <freebody/store.h>

typedef struct fb_run fb_run;

/* The names are those of the store's text "status" and of summary.json. */
#define FB_RUN_STATE_LIST(X)                                                           \
  X(FB_RUN_RUNNING, "running", "not over yet")                                         \
  X(FB_RUN_FINISHED, "finished", "reached the scenario's duration")                    \
  X(FB_RUN_STOPPED, "stopped", "ended by an event")                                    \
  X(FB_RUN_INTERRUPTED, "interrupted", "fb_run_finish came before the end: resume it") \
  X(FB_RUN_FAILED, "failed", "a step or a write failed; fb_run_advance returned the error")

#define FB_RUN_STATE_AS_ENUM(code, name, what) code,
typedef enum fb_run_state { FB_RUN_STATE_LIST(FB_RUN_STATE_AS_ENUM) FB_RUN_STATE_COUNT } fb_run_state;
#undef FB_RUN_STATE_AS_ENUM

typedef struct fb_run_options {
  int replace;          /* fb_run_create: 1 replaces a run that is in the folder, 0 refuses */
  double commit_period; /* wall time between commits, besides those at checkpoints; 1 [s] */
  fb_note_fn note;      /* remarks: a mesh that is left out, a run begun by another version; or NULL */
  fb_note_fn print; /* what Lua scripts print, line by line; NULL: the scenario's own note function stays */
  /* Each event as it is logged, with what it did; or NULL. */
  void (*event)(void* user, double t, const char* name, const char* text);
  /* All that was computed until t is committed, and readers of the store see it; or NULL. */
  void (*committed)(void* user, double t);
  void* user;  /* for the functions above */
  int cookie_; /* set by fb_default_run_options */
} fb_run_options;

/* The wall clock, of this leg of a run. */
typedef struct fb_run_wall {
  double seconds; /* how long it took [s] */
  double factor;  /* simulated seconds a second that it was paced to; 0: not paced */
  long long deadlines, missed;
  double jitter_p50, jitter_p99, jitter_max; /* how late steps were [s] */
} fb_run_wall;

typedef struct fb_run_summary {
  fb_run_state state;
  double t, duration; /* [s] */
  double t_begin;     /* where this leg began: 0, or the checkpoint that it was resumed from [s] */
  long long steps, rejected, evaluations, samples;
  int signals, events;
  fb_ledger ledger;
  double linear_relative, angular_relative; /* residuals of momentum by their scales; 0 when nothing floats */
  double speed;                             /* of this leg: simulated seconds a second */
  fb_run_wall wall;
  char warning[480]; /* that the ledger does not close; "" when it does */
} fb_run_summary;

FB_BEGIN_DECLS

FB_API fb_run_options fb_default_run_options(void);
FB_API const char* fb_run_state_name(fb_run_state state);

/* ---- making ---- */

/* A new run, in a folder that is made where it is missing; NULL: nothing is written. The scenario must outlive the run.
 * options may be NULL. FB_ERR_IO when the folder holds a run already (see fb_run_options.replace), or cannot be
 * written. */
FB_API fb_status fb_run_create(fb_scenario* s, const char* folder, const fb_run_options* options,
                               fb_run** run, fb_error* error);
/* Goes on with the run in the folder from its last checkpoint, by the copies of its files that are there. `given`, if not
 * NULL, is a scenario that must be the one the run was begun with. *run is NULL when the run is complete: it has come to
 * its end, and nothing was opened. FB_ERR_CONTENT when the run cannot go on as it was begun: files, options or signals
 * have changed. */
FB_API fb_status fb_run_resume(const char* folder, const fb_scenario* given, const fb_run_options* options,
                               fb_run** run, fb_error* error);
/* Whether the folder holds a run that has begun, or something that cannot be read. */
FB_API int fb_run_exists(const char* folder);
/* Commits and closes. Without fb_run_finish before, the run looks as if its process had died. run may be NULL. */
FB_API void fb_run_free(fb_run* run);

/* ---- going on ---- */

/* Steps, logs, saves checkpoints and commits, until the first step that ends at `until` or later, or `seconds` of wall
 * time have passed (both may be INFINITY), or the run is over. At least one step is made, unless it is over. After a
 * failure the state is FB_RUN_FAILED, and every further call returns the same error. */
FB_API fb_status fb_run_advance(fb_run* run, double until, double seconds, fb_error* error);
/* Makes all that was logged visible for readers. Not needed: fb_run_advance commits by the clock, fb_run_finish too. */
FB_API fb_status fb_run_commit(fb_run* run, fb_error* error);
/* For who paces a run, before fb_run_finish: what the summary says of the wall clock, instead of the time that was spent
 * in fb_run_advance. */
FB_API void fb_run_set_wall(fb_run* run, const fb_run_wall* wall);
/* Settles the state (a run that is not over is interrupted), writes it and summary.json, and commits. Nothing can be
 * advanced after it. The summary is written also when the store can no longer be; the first error is returned. */
FB_API fb_status fb_run_finish(fb_run* run, fb_error* error);

/* ---- looking ---- */

FB_API fb_run_state fb_run_state_of(const fb_run* run);
FB_API double fb_run_time(const fb_run* run); /* simulated [s] */
FB_API const fb_scenario* fb_run_scenario(const fb_run* run);
/* What is being written: signals, texts, counts, the first 1000 events. NULL for a run without a folder. */
FB_API const fb_store* fb_run_store(const fb_run* run);
/* The last sample of this leg, its time in *t; values in the order of the store's signals. NULL before the first. */
FB_API const double* fb_run_sample(const fb_run* run, double* t);
/* How it stands, or went. */
FB_API void fb_run_summarise(fb_run* run, fb_run_summary* summary);
/* Whether run.db is still where it was made: not removed, renamed or replaced. */
FB_API int fb_run_in_place(const fb_run* run);

FB_END_DECLS

#endif
