/* run.h -- a run: the execution of a scenario, stored in a folder (libfreebody_io).
 *
 *   fb_run_create(scenario, "pendulum.run", NULL, &run, &error);
 *   fb_run_until(run, INFINITY, INFINITY, &error);
 *   fb_run_finish(run, &error);
 *   fb_run_free(run);
 *
 * The folder then contains the same files as after `freebody run`: run.db (freebody/store.h), summary.json, and copies
 * of all input files, so that the command can show, export and resume it. docs/run-store.md describes the files.
 *
 * A run can be advanced in slices of any length; they do not change its results. A run that was interrupted, or whose
 * process has died, resumes from its last checkpoint and ends with the same bits as an uninterrupted one. Samples are
 * taken at multiples of the scenario's log period, checkpoints at multiples of its checkpoint period. A run belongs to
 * one thread at a time; it installs no signal handlers. */
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
  X(FB_RUN_FAILED, "failed", "a step or a write failed; fb_run_until returned the error")

#define FB_RUN_STATE_AS_ENUM(code, name, what) code,
typedef enum fb_run_state { FB_RUN_STATE_LIST(FB_RUN_STATE_AS_ENUM) FB_RUN_STATE_COUNT } fb_run_state;
#undef FB_RUN_STATE_AS_ENUM

typedef struct fb_run_options {
  int replace;     /* fb_run_create: 1 replaces an existing run in the folder, 0 refuses */
  double duration; /* fb_run_resume: extends the run to this simulated time; 0: the run's own duration [s] */
  double commit_period; /* wall time between commits, in addition to those at checkpoints; 1 [s] */
  fb_note_fn note;      /* receives remarks: a missing mesh, a run begun by another version; or NULL */
  fb_note_fn print; /* receives what Lua scripts print, line by line; NULL: the scenario's note function */
  /* Called for each event when it is logged, with a text that says what it did; or NULL. */
  void (*event)(void* user, double t, const char* name, const char* text);
  /* Called after each commit: readers of the store now see everything up to t; or NULL. */
  void (*committed)(void* user, double t);
  int (*ended)(void* user); /* called while waiting for a remote controller: 1 interrupts the run; or NULL */
  void* user;               /* for the functions above */
  /* fb_run_create: the folder of a run whose record answers for remote controllers; or NULL */
  const char* replay;
  int cookie_; /* set by fb_default_run_options */
} fb_run_options;

/* Bins of how late steps were: bin 0 below 1 us, bin i from 2^(i-1) to 2^i us, the last one all that is more. */
enum { FB_RUN_JITTER_BINS = 24 };

/* Wall-clock figures of this leg of a run (from its start, or from a resume). */
typedef struct fb_run_wall {
  double seconds; /* elapsed [s] */
  double factor;  /* pacing: simulated seconds per second of wall time; 0: not paced */
  long long deadlines, missed;
  double jitter_p50, jitter_p99, jitter_max; /* how late steps were [s] */
  long long jitter[FB_RUN_JITTER_BINS];      /* deadlines by how late they were */
  int priority;                              /* real-time priority of the pacing thread; 0: none */
  int locked;                                /* 1: its memory was locked */
  int cookie_;                               /* set by fb_default_run_wall */
} fb_run_wall;

/* Exchanges with a remote controller (freebody/remote.h) in this leg of a run. */
typedef struct fb_run_controller {
  const char* name;
  int realtime;                               /* 1: the simulation does not wait for it */
  long long exchanges;                        /* with the controller; of these, */
  long long replies, timeouts, invalid, lost; /* by outcome; in real time the others were still waiting */
  long long outdated;                         /* replies that came too late */
  long long replayed;                         /* further exchanges, taken from a record */
  double round_trip_p50, round_trip_p99, round_trip_max; /* in lock-step; 0 without replies [s] */
} fb_run_controller;

typedef struct fb_run_summary {
  fb_run_state state;
  double t, duration; /* [s] */
  double t_begin;     /* start of this leg: 0, or the time of the checkpoint that it was resumed from [s] */
  long long steps, rejected, evaluations, samples;
  int signals, events;
  fb_ledger ledger;
  double linear_relative, angular_relative; /* momentum residuals / their scales; 0 when nothing floats */
  double error_estimate;                    /* fb_sim_error_estimate; NAN where it is not estimated */
  /* since when the error may be more than ten times the accuracy; INFINITY: it is not [s] */
  double error_since;
  double speed; /* of this leg: simulated seconds per second */
  fb_run_wall wall;
  char warning
      [480]; /* says why the motion is not to be trusted: the ledger does not close, contacts were not solved or were
              * passed through, errors have grown; else "" */
  char note
      [280]; /* informational: impacts in which friction gave energy, motion that is small against the accuracy; else "" */
} fb_run_summary;

FB_BEGIN_DECLS

FB_API fb_run_options fb_default_run_options(void);
FB_API fb_run_wall fb_default_run_wall(void); /* nothing measured */
FB_API const char* fb_run_state_name(fb_run_state state);

/* ---- creating ---- */

/* Creates a run, and its folder if necessary; folder NULL: nothing is written. The scenario must outlive the run.
 * options may be NULL. FB_ERR_IO when the folder already contains a run (see fb_run_options.replace), or cannot be
 * written. */
FB_API fb_status fb_run_create(fb_scenario* s, const char* folder, const fb_run_options* options,
                               fb_run** run, fb_error* error);
/* Makes the scenario begin with the state of the run in the folder at a time t (INFINITY: its last sample): q and v
 * of joints, states of blocks, and the mode, each by its name; what the run does not have is taken from the scenario,
 * and the time of the new run begins at 0. The state is computed again from the last checkpoint before t. Call it
 * before fb_run_create or fb_sim_build. The first note lists what was used, further ones what was not; note may be
 * NULL. FB_ERR_ARG when the run has no such time, FB_ERR_CONTENT when no joint has the name of one of the scenario. */
FB_API fb_status fb_scenario_start_from(fb_scenario* s, const char* folder, double t, fb_note_fn note,
                                        void* user, fb_error* error);
/* Resumes the run in the folder from its last checkpoint, using the copies of its input files in the folder. If `given`
 * is not NULL, it must be the scenario that the run was created with. *run is NULL when the run is already complete.
 * With a longer duration (fb_run_options.duration, or that of `given`) a run that is complete or not is extended to it,
 * with its log and checkpoint periods unchanged; FB_ERR_ARG for a shorter one, and for a run that an event stopped.
 * FB_ERR_CONTENT when the run cannot be continued because files, options or signals have changed. */
FB_API fb_status fb_run_resume(const char* folder, const fb_scenario* given, const fb_run_options* options,
                               fb_run** run, fb_error* error);
/* The scenario of the run in the folder, read from the copies there, with the settings and the duration that the run has:
 * to run it again. fb_scenario_free it. */
FB_API fb_status fb_run_read_scenario(const char* folder, fb_scenario** scenario, fb_error* error);
/* 1 if the folder contains a run that has begun, or a run.db that cannot be read. */
FB_API int fb_run_exists(const char* folder);
/* Commits and closes. If fb_run_finish was not called, the run is left as if its process had died. run may be NULL. */
FB_API void fb_run_free(fb_run* run);

/* ---- advancing ---- */

/* Steps, logs, saves checkpoints and commits until a step ends at `until` or later, `seconds` of wall time have passed
 * (both may be INFINITY), or the run is over. At least one step is made unless the run is over. After a failure the
 * state is FB_RUN_FAILED, and every further call returns the same error. */
FB_API fb_status fb_run_until(fb_run* run, double until, double seconds, fb_error* error);
/* Makes everything logged so far visible to readers. Optional: fb_run_until commits periodically, and fb_run_finish
 * at the end. */
FB_API fb_status fb_run_commit(fb_run* run, fb_error* error);
/* For programs that pace a run, before fb_run_finish: the wall-clock figures for the summary, instead of the time spent
 * in fb_run_until. */
FB_API fb_status fb_run_set_wall(fb_run* run, const fb_run_wall* wall, fb_error* error);
/* Sets the final state (a run that is not over is interrupted), writes it and summary.json, and commits. The run cannot
 * be advanced afterwards. The summary is written even if writing the store fails; the first error is returned. */
FB_API fb_status fb_run_finish(fb_run* run, fb_error* error);

/* ---- inspecting ---- */

FB_API fb_run_state fb_run_state_of(const fb_run* run);
FB_API double fb_run_time(const fb_run* run); /* simulated [s] */
FB_API const fb_scenario* fb_run_scenario(const fb_run* run);
/* The store being written: signals, texts, counts, the first 1000 events. NULL for a run without a folder. */
FB_API const fb_store* fb_run_store(const fb_run* run);
/* The last sample of this leg, its time in *t; values in the order of the store's signals. NULL before the first. */
FB_API const double* fb_run_sample(const fb_run* run, double* t);
/* Remote controllers that were contacted in this leg: fills *out and returns 1, or 0 when there is no index-th. */
FB_API int fb_run_get_controller(const fb_run* run, int index, fb_run_controller* out);
/* Joins and partings so far, and the index-th of them; see fb_sim_get_change. */
FB_API int fb_run_epoch(const fb_run* run);
FB_API fb_status fb_run_get_change(const fb_run* run, int index, fb_sim_change* change, fb_error* error);
/* The summary so far, or of the finished run. */
FB_API void fb_run_summarise(fb_run* run, fb_run_summary* summary);
/* 1 if run.db is still at its original path: not removed, renamed or replaced. */
FB_API int fb_run_in_place(const fb_run* run);

FB_END_DECLS

#endif
