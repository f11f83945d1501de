/* run.h -- what the files of `freebody run` share: what was asked, and the run on its way. */
#ifndef FB_APP_RUN_RUN_H
#define FB_APP_RUN_RUN_H

#include <freebody/store.h>
#include <freebody/scenario.h>
#include <freebody/sim.h>

#include "adapters/plugin/plugin.h"
#include "command.h"
#include "live/live.h"

/* What the user asked for. */
typedef struct cmd_run_args {
  const char* operand; /* scenario or model; with --resume also the folder of a run */
  const char* output;  /* the folder, or NULL */
  const char** set;    /* NULL-ended */
  double duration;     /* < 0: the scenario's [s] */
  int base;            /* an fb_base: how a URDF's base stands */
  double realtime;     /* simulated seconds a second; 0: as fast as it goes; while reading < 0: not said */
  int live;            /* may be watched, at: */
  cmd_live_place place;
  int resume, force, quiet, no_plugins;
  int csv, h5; /* exports at the end */
} cmd_run_args;

typedef enum cmd_job_end { FB_JOB_FINISHED, FB_JOB_STOPPED, FB_JOB_INTERRUPTED, FB_JOB_FAILED } cmd_job_end;

/* Latenesses in bins of an eighth of an octave from 1 ns on: its size does not depend on the run. */
enum { FB_LATE_BINS = 8 * 40 };

/* Pacing by the clock, and how well it went. */
typedef struct cmd_pacer {
  double factor;           /* simulated seconds a second; 0: no pacing */
  double t_begin, t_paced; /* simulated time of the start, and of the last deadline */
  double wall_begin;       /* [s]; pauses move it on */
  int waiting;             /* for the last deadline */
  long long count, missed; /* deadlines; those that had passed before the step was ready */
  double late_max;         /* [s] */
  long long bins[FB_LATE_BINS];
} cmd_pacer;

/* The line on the terminal. */
typedef struct cmd_progress {
  int on;
  double t_begin, duration; /* simulated [s] */
  double wall_begin, shown; /* [s]; pauses move wall_begin on */
  int paused;
} cmd_progress;

/* Residuals of the ledger, each relative to its scale; < 0: not known. */
typedef struct cmd_residuals {
  double energy, momentum;
} cmd_residuals;

/* What is known of a run after its process has died: in memory that its parent shares. */
typedef struct cmd_run_watch {
  fb_plugin_record plugin; /* first: cmd_plugin_guard_new */
  char folder[4096];       /* "": nothing is written yet */
  char signal[256];        /* worth plotting */
  double t;                /* what was computed until then is committed [s] */
  int over;                /* the run has come to its end, and said how */
} cmd_run_watch;

/* A run on its way. */
typedef struct cmd_job {
  cmd_app* app;
  const cmd_run_args* args;
  cmd_run_watch* watch;
  char* text; /* of the scenario, once it is read */
  size_t size;
  char* folder;
  fb_scenario* scenario;
  fb_sim* sim;
  fb_store* store;
  fb_signal* signals; /* to log: the scenario's, and all of the ledger */
  int nsignal;
  double t_begin; /* where this leg of the run began: 0, or a checkpoint [s] */
  double wall;    /* how long this leg took, without pauses [s] */
  cmd_live* live; /* who serves it to those who watch; or NULL */
  cmd_job_end end;
  fb_error error; /* when it failed */
  cmd_pacer pacer;
  int printed; /* lines by scripts */
} cmd_job;

/* ---- app/run/store.c: the folder and the store of a run ---- */

/* "folder/name"; free() it. */
char* cmd_job_path(const char* folder, const char* name);
/* The folder as a shell takes it; free() it. */
char* cmd_job_shell_name(const char* folder);
/* What is logged and worth a first look, as a word for the shell: energy, or the first signal. malloc'd. */
char* cmd_job_worth_plotting(const cmd_job* job);
/* Whether the folder holds a run that has begun. */
int cmd_job_exists(const char* folder);
/* A new run in job->folder, from job->scenario. */
fb_status cmd_job_create(cmd_job* job, fb_error* error);
/* Goes on with the run in job->folder: fills scenario (with the copies in the folder), sim and store. When
 * job->scenario is there already it is the one the user gave, and must be the same. *complete: nothing is left to do,
 * and nothing was opened. */
fb_status cmd_job_resume(cmd_job* job, int* complete, fb_error* error);
const char* cmd_job_end_name(cmd_job_end end); /* "finished": how the store and the summary call it */

/* ---- app/run/inputs.c: copies of what the run was made from ---- */

/* Makes them, in the folder inputs/. */
fb_status cmd_job_copy_inputs(const cmd_job* job, fb_error* error);
/* The CRC-32 of each, as a JSON list; free() it. */
char* cmd_job_print_sums(const fb_scenario* s);
/* Whether the scenario, read from copies in this folder, was read from files with these sums. */
fb_status cmd_job_check_inputs(const char* folder, const fb_scenario* s, const char* sums, fb_error* error);
/* The error about a copy, or a folder of them, that has changed. */
fb_status cmd_job_copy_changed(const char* place, fb_error* error);

/* ---- app/run/guard.c: plugins ---- */

/* Runs the job, in a child process when its scenario has plugins. An exit code. */
int cmd_job_guard(cmd_job* job, int (*run)(cmd_job* job));
/* What is committed by now, for who outlives the run. */
void cmd_job_watch(cmd_job* job, double t);

/* ---- app/run/loop.c ---- */

/* Steps, logs and saves until the end; fills end, error, wall. */
void cmd_job_loop(cmd_job* job);

/* ---- app/run/interrupt.c ---- */

/* From now on the first Ctrl-C, SIGTERM or SIGHUP only asks; the second ends the program. */
void cmd_interrupt_watch(void);
void cmd_interrupt_unwatch(void);
int cmd_interrupt_asked(void);

/* ---- app/run/clock.c: the clock on the wall, pacing and progress ---- */

double cmd_wall_now(void);         /* [s], from any moment on */
void cmd_wall_sleep(double until); /* a signal that asks for the end ends it too */
cmd_pacer cmd_pacer_start(double factor, double t);
/* Waits until the clock has reached the simulated time t, unless it is too soon after the last wait; for `longest`
 * seconds at most. 0: there is more to wait, call it again. */
int cmd_pacer_wait(cmd_pacer* pacer, double t, double longest);
/* The lateness that a part of all deadlines stayed below [s]. */
double cmd_pacer_quantile(const cmd_pacer* pacer, double part);
cmd_progress cmd_progress_start(int quiet, double t, double duration);
void cmd_progress_show(cmd_progress* progress, double t, double wall, cmd_residuals residuals);
/* A multiple of real time: "0.25", "1270". */
char* cmd_speed_text(double speed, char text[32]);
void cmd_progress_clear(const cmd_progress* progress);

/* ---- app/run/summary.c, app/run/summary_json.c ---- */

/* What both summaries tell. */
typedef struct cmd_summary {
  const cmd_job* job;
  fb_ledger ledger;
  double t;
  char warning[480]; /* that the ledger does not close; "" when it does */
} cmd_summary;

cmd_summary cmd_summary_take(const cmd_job* job);
/* Relative residuals of momentum; 0 when nothing floats. */
double cmd_summary_linear(const fb_ledger* ledger);
double cmd_summary_angular(const fb_ledger* ledger);
double cmd_summary_speed(const cmd_job* job, double t); /* multiple of real time */
void cmd_summary_print(const cmd_summary* summary, FILE* out);
fb_status cmd_summary_write(const cmd_summary* summary, fb_error* error); /* FOLDER/summary.json */

#endif
