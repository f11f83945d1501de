/* run.h -- declarations shared by the files of `freebody run`: the request, and the run in progress. */
#ifndef FB_APP_RUN_RUN_H
#define FB_APP_RUN_RUN_H

#include <freebody/plugin.h>
#include <freebody/run.h>

#include "command.h"
#include "live/live.h"

/* What the user requested. */
typedef struct cmd_run_args {
  const char* operand; /* scenario or model; with --resume also the folder of a run */
  const char* output;  /* the folder, or NULL */
  const char* from;    /* "RUN" or "RUN@TIME", whose state it begins with; or NULL */
  const char* replay;  /* the run whose record answers for remote controllers; or NULL */
  const char** set;    /* NULL-ended */
  double duration;     /* < 0: the scenario's [s] */
  cmd_reading reading; /* how models are read */
  double realtime;     /* simulated seconds a second; 0: as fast as it goes; while reading < 0: not said */
  int priority;        /* of SCHED_FIFO; 0: as any program */
  int live;            /* may be watched, at: */
  cmd_live_place place;
  int resume, force, quiet, no_plugins;
  int csv, h5; /* exports at the end */
} cmd_run_args;

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
  long long coarse[FB_RUN_JITTER_BINS]; /* the same, as the summary has it */
  int priority, locked;                 /* what --priority came to */
} cmd_pacer;

/* The line on the terminal. */
typedef struct cmd_progress {
  int on;
  double wall_begin, shown; /* [s]; pauses move wall_begin on */
  int paused;
} cmd_progress;

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
  fb_scenario* scenario; /* the one that was named; or NULL */
  fb_run* run;
  cmd_live* live; /* who serves it to those who watch; or NULL */
  fb_error error; /* when it failed */
  cmd_pacer pacer;
  int printed; /* lines by scripts */
  int notes;   /* about the state of another run */
} cmd_job;

/* ---- app/run/args.c ---- */

extern const cmd_option cmd_run_options[];
/* Fills args, whose `set` has room for argc + 1. An exit code. */
int cmd_run_read_args(cmd_app* app, int argc, char** argv, cmd_run_args* args);

/* ---- app/run/source.c ---- */

/* Reads the scenario that was named, if one was, and finds the folder. An exit code. */
int cmd_job_find_source(cmd_job* job);
/* Whether there is a file or folder of this name. */
int cmd_is_there(const char* name);
/* Prints an error; returns the code. */
int cmd_job_fail(const cmd_job* job, const fb_error* error, int code);

/* ---- app/run/names.c: names for messages and for the shell; free() them ---- */

/* "folder/name". */
char* cmd_job_path(const char* folder, const char* name);
/* The folder as a shell takes it. */
char* cmd_job_shell_name(const char* folder);
/* What is logged and worth a first look, as a word for the shell: energy, or the first signal. */
char* cmd_job_worth_plotting(const fb_run* run);

/* ---- app/run/guard.c: plugins ---- */

/* Runs the job, in a child process when its scenario has plugins. An exit code. */
int cmd_job_guard(cmd_job* job, int (*run)(void* job));
/* What is committed by now, for who outlives the run. */
void cmd_job_watch(cmd_job* job, double t);

/* ---- app/run/loop.c ---- */

/* Advances the run until its end, or until it shall end; fills error. */
void cmd_job_loop(cmd_job* job);

/* ---- app/run/interrupt.c ---- */

/* From now on the first Ctrl-C, SIGTERM or SIGHUP only asks; the second ends the program. */
void cmd_interrupt_watch(void);
void cmd_interrupt_unwatch(void);
int cmd_interrupt_requested(void);

/* ---- app/run/clock.c: the clock on the wall, pacing and progress ---- */

double cmd_wall_now(void);         /* [s], from any moment on */
void cmd_wall_sleep(double until); /* a signal that asks for the end ends it too */
cmd_pacer cmd_pacer_start(double factor, double t);
/* The simulated time at which to wait again. */
double cmd_pacer_next(const cmd_pacer* pacer);
/* Waits until the clock has reached the simulated time t, unless it is too soon after the last wait; for `longest`
 * seconds at most. 0: there is more to wait, call it again. */
int cmd_pacer_wait(cmd_pacer* pacer, double t, double longest);
/* How it went, after `seconds`. */
fb_run_wall cmd_pacer_wall(const cmd_pacer* pacer, double seconds);
cmd_progress cmd_progress_start(int quiet);
void cmd_progress_show(cmd_progress* progress, fb_run* run);
/* A multiple of real time: "0.25", "1270". */
char* cmd_speed_text(double speed, char text[32]);
void cmd_progress_clear(const cmd_progress* progress);

/* ---- app/run/priority.c ---- */

/* Takes the level (0: nothing is requested) and locks memory; says what is not permitted. */
void cmd_priority_take(int level, int* handled, int* locked);
void cmd_priority_drop(int handled, int locked);

/* ---- app/run/summary.c ---- */

void cmd_summary_print(const cmd_job* job, const fb_run_summary* summary);

#endif
