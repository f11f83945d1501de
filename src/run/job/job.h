/* job.h -- internals of a run in progress, shared by the files of this folder. */
#ifndef FB_RUN_JOB_JOB_H
#define FB_RUN_JOB_JOB_H

#include <sys/types.h>

#include <freebody/run.h>
#include <freebody/status.h>

#include "document/document.h"

typedef struct fb_run_channel fb_run_channel; /* of a remote controller: exchanges.c */

struct fb_run {
  fb_run_options options;
  const fb_scenario* scenario;
  fb_scenario* copies; /* of a resumed run, read from the copies; or NULL */
  char* folder;        /* NULL: nothing is written */
  fb_store* store;     /* likewise */
  fb_sim* sim;
  fb_signal* signals; /* logged: the scenario's, and all of the ledger */
  int nsignal;
  double* values;   /* [nsignal] of the last sample */
  double t_sampled; /* its time; < 0: none in this leg */
  long long nsample;
  int nevent;
  int epoch;   /* joins and partings that the store knows of, */
  int nchange; /* and that were told with their events */
  void* snapshot;
  size_t snapshot_size;
  double t_begin;                         /* where this leg began: 0, or a checkpoint [s] */
  int begun;                              /* the first sample and what happened at the start are logged */
  int exact;                              /* samples fall inside steps */
  long long next_sample, next_checkpoint; /* in periods */
  int contacts_noted;                     /* that their events take long */
  pid_t process;                          /* that made it */
  double began;                           /* when the leg began, at the wall clock [s] */
  int stiffness_noted, refinement_noted;  /* those of fb_sim_stiff_since and fb_sim_refined_since */
  double looked, committed;               /* at the wall clock [s] */
  int steps_between_checks, steps_since_check;
  fb_run_channel* channels; /* [nchannel] */
  int nchannel;
  fb_store* tape;     /* a record that answers for remote controllers; or NULL */
  char* tape_folder;  /* where it is */
  int tape_is_of_run; /* it is the run's, from an earlier leg: what it has is not recorded again */
  int tape_alone;     /* where it ends nobody is asked */
  int tape_is_lent;
  int given_up; /* waiting for a controller was: the run is interrupted */
  fb_run_wall wall;
  fb_run_state state;
  fb_error error; /* when it failed */
};

/* ---- job.c ---- */

fb_status fb_run_check_options(const fb_run_options* given, fb_run_options* options, fb_error* error);
/* A run without a store and a simulation; NULL without memory. */
fb_run* fb_run_new(const fb_scenario* s, const char* folder, const fb_run_options* options);
/* Its simulation, whose scripts print where the options say. */
fb_status fb_run_make_sim(fb_run* run, fb_scenario* s, fb_error* error);
/* What cannot be looked at may be there: a run that exists must not be taken for one that does not. */
int fb_run_has_file(const char* folder, const char* name);
/* Reports to who runs it, if there is a function for that. */
void fb_run_note(const fb_run* run, const char* format, ...) FB_PRINTF(2, 3);
/* Refuses a child that was made by fork: files, locks and connections are its parent's. */
fb_status fb_run_check_process(const fb_run* run, fb_error* error);
/* Frees it; nothing is committed. */
void fb_run_drop(fb_run* run);

/* ---- advance.c ---- */

/* Everything is there: the leg may begin, at t_begin. */
fb_status fb_run_begin_leg(fb_run* run, double t_begin, fb_error* error);

/* ---- exchanges.c: remote controllers ---- */

/* While a simulation of s is made: its remote controllers are the run's; and after that. */
void fb_run_use_remote(fb_run* run, fb_scenario* s);
void fb_run_leave_remote(fb_scenario* s);
/* Opens the record of the run in the folder, which answers for them: its own, or alone that of another run. */
fb_status fb_run_open_tape(fb_run* run, const char* folder, int is_of_run, fb_error* error);
/* A checkpoint was restored: what the start of the simulation took from the record is not of this leg. */
void fb_run_restart_channels(fb_run* run);
/* What they have sent goes into the store. */
fb_status fb_run_flush_exchanges(fb_run* run, fb_error* error);
void fb_run_free_channels(fb_run* run);

/* ---- changes.c: joins and partings ---- */

/* After a step: the store gets the models of epochs that are new. */
fb_status fb_run_store_changes(fb_run* run, fb_error* error);
struct fb_text;
/* "; impulse 3.2 N s and 0.1 N m s, 2.5 J lost" of what an event has joined or parted. */
void fb_run_add_changes(struct fb_text* out, fb_run* run, int event);

/* ---- create.c: texts of a run, that a resumed one is compared with; free() them ---- */

fb_status fb_run_print_overrides(const char* const* set, char** text, fb_error* error);
fb_status fb_run_print_model(const fb_scenario* s, char** text, fb_error* error);

/* ---- inputs.c: copies of what the run was made from ---- */

/* Makes them, in the folder inputs/. */
fb_status fb_run_copy_inputs(const fb_run* run, fb_error* error);
/* The CRC-32 of each, as a JSON list; free() it. */
fb_status fb_run_print_sums(const fb_scenario* s, char** text, fb_error* error);
/* Refuses a copy whose bytes have changed since; so that not the file it was made of is found at fault. One that is gone
 * is left to the reader. */
fb_status fb_run_check_copies(const char* inputs, const char* sums, fb_error* error);
/* Whether the scenario, read from copies in this folder, was read from files with these sums. */
fb_status fb_run_check_inputs(const char* folder, const fb_scenario* s, const char* sums, fb_error* error);
/* The error about a copy, or a folder of them, that has changed. */
fb_status fb_run_copy_changed(const char* place, fb_error* error);

/* ---- summary_json.c ---- */

/* FOLDER/summary.json. */
fb_status fb_run_write_summary(fb_run* run, fb_error* error);

/* ---- recall.c: what a run folder says of its run ---- */

typedef struct fb_run_stored {
  fb_store* store;
  const char *file, *scenario, *model, *overrides, *status;
  const char* sums;         /* of the copies; or NULL */
  const char* start;        /* the state of another run that it began with; or NULL */
  double duration, planned; /* now, and when the run was begun: shorter if it was extended since [s] */
  fb_base base;
  fb_inertia_policy inertia;
  fb_mimic mimic;
  fb_doc* set_doc;
  const char** set; /* NULL-ended */
} fb_run_stored;

/* Fills *old, also after an error; fb_run_forget it. */
fb_status fb_run_recall(const char* folder, fb_run_stored* old, fb_error* error);
void fb_run_forget(fb_run_stored* old);
/* The scenario for this duration, as the copies have it, checked against what the store knows of it. *out is to be freed
 * after an error, too. */
fb_status fb_run_read_copies(const char* folder, const fb_run_stored* old, double duration, fb_scenario** out,
                             fb_error* error);

#endif
