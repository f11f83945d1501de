/* run.h -- what the files of `freebody run` share: what was asked, and the run on its way. */
#ifndef FB_APP_RUN_RUN_H
#define FB_APP_RUN_RUN_H

#include <freebody/run.h>
#include <freebody/scenario.h>
#include <freebody/sim.h>

#include "adapters/plugin/plugin.h"
#include "command.h"
#include "live/live.h"

/* What the user asked for. */
typedef struct fb_run_args {
  const char* operand; /* scenario or model; with --resume also the folder of a run */
  const char* output;  /* the folder, or NULL */
  const char** set;    /* NULL-ended */
  double duration;     /* < 0: the scenario's [s] */
  int base;            /* an fb_base: how a URDF's base stands */
  double realtime;     /* simulated seconds a second; 0: as fast as it goes; while reading < 0: not said */
  int live;            /* may be watched, at: */
  fb_live_place place;
  int resume, force, quiet, no_plugins;
  int csv, h5; /* exports at the end */
} fb_run_args;

typedef enum fb_job_end { FB_JOB_FINISHED, FB_JOB_STOPPED, FB_JOB_INTERRUPTED, FB_JOB_FAILED } fb_job_end;

/* Latenesses in bins of an eighth of an octave from 1 ns on: its size does not depend on the run. */
enum { FB_LATE_BINS = 8 * 40 };

/* Pacing by the clock, and how well it went. */
typedef struct fb_pacer {
  double factor;           /* simulated seconds a second; 0: no pacing */
  double t_begin, t_paced; /* simulated time of the start, and of the last deadline */
  double wall_begin;       /* [s]; pauses move it on */
  int waiting;             /* for the last deadline */
  long long count, missed; /* deadlines; those that had passed before the step was ready */
  double late_max;         /* [s] */
  long long bins[FB_LATE_BINS];
} fb_pacer;

/* The line on the terminal. */
typedef struct fb_progress {
  int on;
  double t_begin, duration; /* simulated [s] */
  double wall_begin, shown; /* [s]; pauses move wall_begin on */
  int paused;
} fb_progress;

/* Residuals of the ledger, each relative to its scale; < 0: not known. */
typedef struct fb_residuals {
  double energy, momentum;
} fb_residuals;

/* What is known of a run after its process has died: in memory that its parent shares. */
typedef struct fb_run_watch {
  fb_plugin_record plugin; /* first: fb_plugin_guard_new */
  char folder[4096];       /* "": nothing is written yet */
  char signal[256];        /* worth plotting */
  double t;                /* what was computed until then is committed [s] */
  int over;                /* the run has come to its end, and said how */
} fb_run_watch;

/* A run on its way. */
typedef struct fb_job {
  fb_app* app;
  const fb_run_args* args;
  fb_run_watch* watch;
  char* text; /* of the scenario, once it is read */
  size_t size;
  char* folder;
  fb_scenario* scenario;
  fb_sim* sim;
  fb_run* store;
  fb_signal* signals; /* to log: the scenario's, and all of the ledger */
  int nsignal;
  double t_begin; /* where this leg of the run began: 0, or a checkpoint [s] */
  double wall;    /* how long this leg took, without pauses [s] */
  fb_live* live;  /* who serves it to those who watch; or NULL */
  fb_job_end end;
  fb_error error; /* when it failed */
  fb_pacer pacer;
  int printed; /* lines by scripts */
} fb_job;

/* ---- app/run/store.c: the folder and the store of a run ---- */

/* "folder/name"; free() it. */
char* fb_job_path(const char* folder, const char* name);
/* The folder as a shell takes it; free() it. */
char* fb_job_shell_name(const char* folder);
/* What is logged and worth a first look, as a word for the shell: energy, or the first signal. malloc'd. */
char* fb_job_worth_plotting(const fb_job* job);
/* Whether the folder holds a run that has begun. */
int fb_job_exists(const char* folder);
/* A new run in job->folder, from job->scenario. */
fb_status fb_job_create(fb_job* job, fb_error* error);
/* Goes on with the run in job->folder: fills scenario (with the copies in the folder), sim and store. When
 * job->scenario is there already it is the one the user gave, and must be the same. *complete: nothing is left to do,
 * and nothing was opened. */
fb_status fb_job_resume(fb_job* job, int* complete, fb_error* error);
const char* fb_job_end_name(fb_job_end end); /* "finished": how the store and the summary call it */

/* ---- app/run/inputs.c: copies of what the run was made from ---- */

/* Makes them, in the folder inputs/. */
fb_status fb_job_copy_inputs(const fb_job* job, fb_error* error);
/* The CRC-32 of each, as a JSON list; free() it. */
char* fb_job_print_sums(const fb_scenario* s);
/* Whether the scenario, read from copies in this folder, was read from files with these sums. */
fb_status fb_job_check_inputs(const char* folder, const fb_scenario* s, const char* sums, fb_error* error);
/* The error about a copy, or a folder of them, that has changed. */
fb_status fb_job_copy_changed(const char* place, fb_error* error);

/* ---- app/run/guard.c: plugins ---- */

/* Runs the job, in a child process when its scenario has plugins. An exit code. */
int fb_job_guard(fb_job* job, int (*run)(fb_job* job));
/* What is committed by now, for who outlives the run. */
void fb_job_watch(fb_job* job, double t);

/* ---- app/run/loop.c ---- */

/* Steps, logs and saves until the end; fills end, error, wall. */
void fb_job_loop(fb_job* job);

/* ---- app/run/interrupt.c ---- */

/* From now on the first Ctrl-C, SIGTERM or SIGHUP only asks; the second ends the program. */
void fb_interrupt_watch(void);
void fb_interrupt_unwatch(void);
int fb_interrupt_asked(void);

/* ---- app/run/clock.c: the clock on the wall, pacing and progress ---- */

double fb_wall_now(void);         /* [s], from any moment on */
void fb_wall_sleep(double until); /* a signal that asks for the end ends it too */
fb_pacer fb_pacer_start(double factor, double t);
/* Waits until the clock has reached the simulated time t, unless it is too soon after the last wait; for `longest`
 * seconds at most. 0: there is more to wait, call it again. */
int fb_pacer_wait(fb_pacer* pacer, double t, double longest);
/* The lateness that a part of all deadlines stayed below [s]. */
double fb_pacer_quantile(const fb_pacer* pacer, double part);
fb_progress fb_progress_start(int quiet, double t, double duration);
void fb_progress_show(fb_progress* progress, double t, double wall, fb_residuals residuals);
/* A multiple of real time: "0.25", "1270". */
char* fb_speed_text(double speed, char text[32]);
void fb_progress_clear(const fb_progress* progress);

/* ---- app/run/summary.c, app/run/summary_json.c ---- */

/* What both summaries tell. */
typedef struct fb_summary {
  const fb_job* job;
  fb_ledger ledger;
  double t;
  char warning[480]; /* that the ledger does not close; "" when it does */
} fb_summary;

fb_summary fb_summary_take(const fb_job* job);
/* Relative residuals of momentum; 0 when nothing floats. */
double fb_summary_linear(const fb_ledger* ledger);
double fb_summary_angular(const fb_ledger* ledger);
double fb_summary_speed(const fb_job* job, double t); /* multiple of real time */
void fb_summary_print(const fb_summary* summary, FILE* out);
fb_status fb_summary_write(const fb_summary* summary, fb_error* error); /* FOLDER/summary.json */

#endif
