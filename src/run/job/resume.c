/* resume.c -- resumes a run from its folder alone, independent of the original input files, and extends it where a
 * longer duration is requested. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/text.h>

#include "run/job/job.h"
#include "run/store/folder.h"
#include "scenario/build/build.h"
#include "text/files.h"

static fb_status changed(const char* folder, const char* what, fb_error* error) {
  return fb_file_fail(folder, error, FB_ERR_CONTENT,
                      "%s; resume it by its folder alone (freebody run --resume FOLDER), or begin a new "
                      "run in another folder",
                      what);
}

/* --- a scenario that is given, too --- */

static fb_status compare_settings(const char* folder, const fb_run_stored* old, const fb_scenario* given,
                                  fb_error* error) {
  char* overrides;
  fb_status status = fb_run_print_overrides(given->reading.set, &overrides, error);
  if (status != FB_OK) return status;
  int same = !given->reading.set[0] || strcmp(overrides, old->overrides) == 0;
  free(overrides);
  const fb_scenario_reading* r = &given->reading;
  const struct {
    int differs;
    const char* what;
  } rows[] = {{!same, "the overrides (--set) are not those that this run was begun with"},
              {given->other_run_text && (!old->start || strcmp(given->other_run_text, old->start) != 0),
               "the state to begin with (--from) is not the one that this run was begun with"},
              {r->base != FB_BASE_AS_FILE && r->base != old->base,
               "the base (--base) is not the one that this run was begun with"},
              {r->inertia != FB_INERTIA_BY_FORMAT && r->inertia != old->inertia,
               "the inertias (--inertia) are not read as when this run was begun"},
              {r->mimic != FB_MIMIC_DEFAULT && r->mimic != old->mimic,
               "joints that mimic others (--mimic) are not read as when this run was begun"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].differs) return changed(folder, rows[i].what, error);
  return FB_OK;
}

/* It must be what the run was made from. */
static fb_status compare_given(const char* folder, const fb_run_stored* old, const fb_scenario* given,
                               const fb_scenario* copies, fb_error* error) {
  fb_status status = compare_settings(folder, old, given, error);
  if (status != FB_OK) return status;
  /* Without the options repeated, those of the run hold; which models are read may depend on them. */
  int all = given->reading.set[0] || !old->set[0];
  size_t count = all ? given->input_count : 1;
  int same = !all || given->input_count == copies->input_count;
  for (size_t i = 0; same && i < count; i++)
    same = given->inputs[i].size == copies->inputs[i].size &&
           memcmp(given->inputs[i].text, copies->inputs[i].text, given->inputs[i].size) == 0;
  return same ? FB_OK
              : changed(folder, "the scenario or a model of it has changed since this run was begun", error);
}

/* --- going on --- */

/* A run continues with the signals that it has. */
static fb_status recall_signals(fb_run* run, const fb_store* old, fb_error* error) {
  fb_status status = fb_scenario_logged(run->scenario, &run->signals, &run->nsignal, error);
  if (status != FB_OK) return status;
  int count = fb_store_nsignal(old), same = count == run->nsignal;
  for (int i = 0; same && i < count; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(run->scenario, run->signals[i], &info);
    same = strcmp(fb_store_get_signal(old, i).name, info.name) == 0;
  }
  return same ? FB_OK
              : changed(run->folder,
                        "this run logs other signals than this Freebody would log of its scenario", error);
}

/* A summary belongs to the end; the one of an earlier leg would say that this one came to it. */
static fb_status remove_summary(const fb_run* run, fb_error* error) {
  char* summary = fb_store_path(run->folder, "summary.json");
  if (!summary) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  if (unlink(summary) != 0 && errno != ENOENT)
    status = fb_file_fail(summary, error, FB_ERR_IO,
                          "cannot remove the summary of what the run was before: %s", strerror(errno));
  free(summary);
  return status;
}

/* What a checkpoint has of the duration is that of the time when it was saved. */
static fb_status write_duration(const fb_run* run, double planned, fb_error* error) {
  char text[32];
  const struct {
    const char* key;
    double value;
  } rows[] = {{"duration", run->scenario->duration}, {"planned", planned}};
  fb_status status = FB_OK;
  for (int i = 0; i < (planned < run->scenario->duration ? 2 : 1) && status == FB_OK; i++) {
    const char* before = fb_store_get_text(run->store, rows[i].key);
    fb_number_format(rows[i].value, text);
    if (!before || strcmp(before, text) != 0)
      status = fb_store_set_text(run->store, rows[i].key, text, error);
  }
  return status;
}

/* How a run is gone on with. */
typedef struct extension {
  double planned; /* the duration that it was begun with [s] */
  int is_longer;  /* it continues to a longer one than before */
} extension;

static fb_status reopen(fb_run* run, const extension* e, fb_error* error) {
  double t;
  void* snapshot;
  size_t size;
  fb_status status = fb_store_resume(run->folder, &t, &snapshot, &size, &run->store, error);
  if (status != FB_OK) return status;
  if (t >= 0) status = fb_sim_restore(run->sim, snapshot, size, error);
  if (t >= 0) fb_run_restart_channels(run);
  double now = fb_sim_time(run->sim), end = run->scenario->duration;
  if (status == FB_OK && now >= end) /* another process may have gone on with it since it was looked at */
    status =
        fb_file_fail(run->folder, error, FB_ERR_IO,
                     "the run has reached t = %.9g s meanwhile, beyond %.9g s; look at it again", now, end);
  free(snapshot);
  run->nsample = fb_store_nsample(run->store);
  run->nevent = fb_store_nevent(run->store);
  if (status == FB_OK) status = fb_run_begin_leg(run, t >= 0 ? fb_sim_time(run->sim) : 0, error);
  if (status == FB_OK) status = write_duration(run, e->planned, error);
  if (status == FB_OK)
    status = fb_store_set_text(run->store, "status", fb_run_state_name(FB_RUN_RUNNING), error);
  /* A complete run that cannot be written stays complete. */
  if (status == FB_OK && e->is_longer) status = fb_store_commit(run->store, error);
  return status == FB_OK ? remove_summary(run, error) : status;
}

static int has_status(const fb_run_stored* old, fb_run_state state) {
  return strcmp(old->status, fb_run_state_name(state)) == 0;
}

static int is_over(const char* folder, const fb_run_stored* old) {
  return (has_status(old, FB_RUN_FINISHED) || has_status(old, FB_RUN_STOPPED)) &&
         fb_run_has_file(folder, "summary.json");
}

/* The run's own, or a longer one that is requested. */
static fb_status choose_duration(const char* folder, const fb_run_stored* old, const fb_scenario* given,
                                 const fb_run_options* options, double* duration, fb_error* error) {
  *duration = old->duration;
  if (given && given->reading.duration >= 0) *duration = given->reading.duration;
  if (options->duration > 0) *duration = options->duration;
  if (*duration < old->duration)
    return fb_file_fail(folder, error, FB_ERR_ARG,
                        "this run has a duration of %.9g s and cannot be shortened to %.9g s; export, "
                        "plot and view take a part of it (--to)",
                        old->duration, *duration);
  if (*duration == old->duration || !has_status(old, FB_RUN_STOPPED)) return FB_OK;
  return fb_file_fail(folder, error, FB_ERR_ARG,
                      "an event stopped this run, and would stop it again: it cannot be extended to %.9g "
                      "s; begin a new run with its last state (freebody run SCENARIO --from %.200s)",
                      *duration, folder);
}

/* The run without its store: all that can be known before something is written. *out stays NULL when it is complete. */
static fb_status take_up(const char* folder, const fb_scenario* given, const fb_run_options* options,
                         extension* e, fb_run** out, fb_error* error) {
  fb_run_stored old;
  fb_scenario* copies = NULL;
  double duration = 0;
  fb_status status = fb_run_recall(folder, &old, error);
  if (status == FB_OK) status = choose_duration(folder, &old, given, options, &duration, error);
  if (status == FB_OK) status = fb_run_read_copies(folder, &old, duration, &copies, error);
  if (status == FB_OK && given) status = compare_given(folder, &old, given, copies, error);
  if (status == FB_OK && given) fb_scenario_set_setup(copies, given->setup, given->setup_user);
  if (status == FB_OK && (duration > old.duration || !is_over(folder, &old))) {
    fb_run* run = *out = fb_run_new(copies, folder, options);
    status = run ? recall_signals(run, old.store, error) : fb_store_no_memory(error);
  }
  if (*out)
    (*out)->copies = copies;
  else
    fb_scenario_free(copies);
  *e = (extension){old.planned, duration > old.duration};
  fb_run_forget(&old);
  return status;
}

fb_status fb_run_resume(const char* folder, const fb_scenario* given, const fb_run_options* options,
                        fb_run** out, fb_error* error) {
  fb_run_options chosen;
  fb_error unused;
  fb_run* run = NULL;
  extension e = {0, 0};
  *out = NULL;
  if (!error) error = &unused;
  fb_status status = fb_run_check_options(options, &chosen, error);
  if (status == FB_OK && chosen.replay)
    status =
        fb_fail(error, FB_ERR_ARG, "a run that is resumed has its own record; it cannot replay another one");
  if (status == FB_OK) status = take_up(folder, given, &chosen, &e, &run, error);
  if (status == FB_OK && run && run->copies->remote) status = fb_run_open_tape(run, folder, 1, error);
  if (status == FB_OK && run) status = fb_run_make_sim(run, run->copies, error);
  if (status == FB_OK && run) status = reopen(run, &e, error);
  if (status == FB_OK)
    *out = run;
  else if (run)
    fb_run_drop(run); /* without a commit, which would drop what came after the checkpoint */
  return status;
}
