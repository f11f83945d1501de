/* resume.c -- resumes a run from its folder alone, independent of the original input files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/text.h>

#include "document/document.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/scenario.h"
#include "sim/signal_kind.h"

/* What the store says of a run. */
typedef struct stored {
  fb_store* store;
  const char *file, *scenario, *model, *overrides, *status;
  const char* sums; /* of the copies; or NULL */
  double duration;
  int base;
  fb_doc* set_doc;
  const char** set; /* NULL-ended */
} stored;

static void forget(stored* old) {
  fb_store_close(old->store, NULL);
  fb_doc_free(old->set_doc);
  free((void*)old->set);
}

static fb_status recall_overrides(stored* old, fb_error* error) {
  fb_status status =
      fb_doc_parse(old->overrides, strlen(old->overrides), "overrides of the run", &old->set_doc, error);
  if (status != FB_OK) return status;
  const fb_node* list = fb_doc_root(old->set_doc);
  int count = fb_node_count(list);
  old->set = calloc((size_t)count + 1, sizeof *old->set);
  if (!old->set) return fb_store_no_memory(error);
  for (int i = 0; i < count; i++) old->set[i] = fb_node_text(fb_node_item(list, i));
  return FB_OK;
}

static fb_status recall(const char* folder, stored* old, fb_error* error) {
  memset(old, 0, sizeof *old);
  fb_status status = fb_store_open(folder, &old->store, error);
  if (status != FB_OK) return status;
  old->file = fb_store_text(old->store, "file");
  old->scenario = fb_store_text(old->store, "scenario");
  old->model = fb_store_text(old->store, "model");
  old->overrides = fb_store_text(old->store, "overrides");
  old->status = fb_store_text(old->store, "status");
  old->sums = fb_store_text(old->store, "inputs");
  const char *duration = fb_store_text(old->store, "duration"), *base = fb_store_text(old->store, "base");
  if (base) old->base = strcmp(base, "free") == 0 ? FB_BASE_FREE : FB_BASE_FIXED;
  if (!old->file || !old->scenario || !old->model || !old->overrides || !old->status || !duration ||
      !fb_number_parse(duration, &old->duration))
    return fb_store_fail_at(
        folder, error, FB_ERR_CONTENT,
        "this run was ended before it began; run its scenario again, and have this one replaced (--force)");
  return recall_overrides(old, error);
}

static fb_status changed(const char* folder, const char* what, fb_error* error) {
  return fb_store_fail_at(folder, error, FB_ERR_CONTENT,
                          "%s; resume it by its folder alone (freebody run --resume FOLDER), or begin a new "
                          "run in another folder",
                          what);
}

/* --- a scenario that is given, too --- */

static fb_status compare_asked(const char* folder, const stored* old, const fb_scenario* given,
                               fb_error* error) {
  char* overrides;
  fb_status status = fb_run_print_overrides(given->asked.set, &overrides, error);
  if (status != FB_OK) return status;
  int same = !given->asked.set[0] || strcmp(overrides, old->overrides) == 0;
  free(overrides);
  if (!same)
    return changed(folder, "the overrides (--set) are not those that this run was begun with", error);
  if (given->asked.duration >= 0 && given->asked.duration != old->duration)
    return changed(folder, "the duration (--duration) is not the one that this run was begun with", error);
  if (given->asked.base != FB_BASE_AS_FILE && given->asked.base != old->base)
    return changed(folder, "the base (--base) is not the one that this run was begun with", error);
  return FB_OK;
}

/* It must be what the run was made from. */
static fb_status compare_given(const char* folder, const stored* old, const fb_scenario* given,
                               const fb_scenario* copies, fb_error* error) {
  fb_status status = compare_asked(folder, old, given, error);
  if (status != FB_OK) return status;
  /* Without the options repeated, those of the run hold; which models are read may depend on them. */
  int all = given->asked.set[0] || !old->set[0];
  size_t count = all ? given->input_count : 1;
  int same = !all || given->input_count == copies->input_count;
  for (size_t i = 0; same && i < count; i++)
    same = given->inputs[i].size == copies->inputs[i].size &&
           memcmp(given->inputs[i].text, copies->inputs[i].text, given->inputs[i].size) == 0;
  return same ? FB_OK
              : changed(folder, "the scenario or a model of it has changed since this run was begun", error);
}

/* --- the copies --- */

static fb_status check_copies(const char* inputs, const stored* old, const fb_scenario* copies,
                              fb_error* error) {
  char* model = NULL;
  fb_status status = fb_run_print_model(copies, &model, error);
  if (status == FB_OK &&
      (strcmp(copies->inputs[0].text, old->scenario) != 0 || strcmp(model, old->model) != 0))
    status = fb_run_copy_changed(inputs, error);
  if (status == FB_OK && old->sums) status = fb_run_check_inputs(inputs, copies, old->sums, error);
  free(model);
  return status;
}

/* The scenario as the copies have it, checked against what the store knows of it. */
static fb_status read_copies(const char* folder, const stored* old, fb_scenario** out, fb_error* error) {
  char* inputs = fb_store_path(folder, "inputs");
  if (!inputs) return fb_store_no_memory(error);
  fb_scenario_options options = fb_default_scenario_options();
  options.inputs = inputs;
  options.set = (const char* const*)old->set;
  options.duration = old->duration;
  options.io.base = old->base;
  fb_status status = fb_scenario_read(old->file, &options, out, error);
  if (status == FB_OK) status = check_copies(inputs, old, *out, error);
  /* A copy that is gone is a folder whose content is not right. */
  if (status == FB_ERR_IO) status = error->status = FB_ERR_CONTENT;
  free(inputs);
  return status;
}

/* --- going on --- */

/* A run goes on with the signals that it has; one begun by an older Freebody may have fewer. */
static fb_status recall_signals(fb_run* run, const fb_store* old, fb_error* error) {
  fb_status status = fb_scenario_logged(run->scenario, &run->signals, &run->nsignal, error);
  if (status != FB_OK) return status;
  int count = fb_store_nsignal(old), same = count <= run->nsignal;
  for (int i = 0; same && i < count; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(run->scenario, run->signals[i], &info);
    same = strcmp(fb_signal_present_name(fb_store_signal_at(old, i).name), info.name) == 0;
  }
  run->nsignal = count;
  return same ? FB_OK
              : changed(run->folder,
                        "this run logs other signals than this Freebody would log of its scenario", error);
}

/* A summary belongs to the end; the one of an earlier leg would say that this one came to it. */
static fb_status remove_summary(const fb_run* run, fb_error* error) {
  char* summary = fb_store_path(run->folder, "summary.json");
  if (!summary) return fb_store_no_memory(error);
  unlink(summary);
  free(summary);
  return FB_OK;
}

static fb_status reopen(fb_run* run, fb_error* error) {
  double t;
  void* snapshot;
  size_t size;
  fb_status status = fb_store_resume(run->folder, &t, &snapshot, &size, &run->store, error);
  if (status != FB_OK) return status;
  if (t >= 0) status = fb_sim_restore(run->sim, snapshot, size, error);
  free(snapshot);
  run->nsample = fb_store_nsample(run->store);
  run->nevent = fb_store_nevent(run->store);
  if (status == FB_OK) status = fb_run_begin_leg(run, t >= 0 ? fb_sim_time(run->sim) : 0, error);
  if (status == FB_OK) status = remove_summary(run, error);
  return status == FB_OK ? fb_store_set_text(run->store, "status", fb_run_state_name(FB_RUN_RUNNING), error)
                         : status;
}

static int is_complete(const char* folder, const stored* old) {
  int over = strcmp(old->status, fb_run_state_name(FB_RUN_FINISHED)) == 0 ||
             strcmp(old->status, fb_run_state_name(FB_RUN_STOPPED)) == 0;
  return over && fb_run_has_file(folder, "summary.json");
}

/* The run without its store: all that can be known before something is written. *out stays NULL when it is complete. */
static fb_status take_up(const char* folder, const fb_scenario* given, const fb_run_options* options,
                         fb_run** out, fb_error* error) {
  stored old;
  fb_scenario* copies = NULL;
  fb_status status = recall(folder, &old, error);
  if (status == FB_OK) status = read_copies(folder, &old, &copies, error);
  if (status == FB_OK && given) status = compare_given(folder, &old, given, copies, error);
  if (status == FB_OK && !is_complete(folder, &old)) {
    fb_run* run = *out = fb_run_new(copies, folder, options);
    status = run ? recall_signals(run, old.store, error) : fb_store_no_memory(error);
  }
  if (*out)
    (*out)->own = copies;
  else
    fb_scenario_free(copies);
  forget(&old);
  return status;
}

fb_status fb_run_resume(const char* folder, const fb_scenario* given, const fb_run_options* options,
                        fb_run** out, fb_error* error) {
  fb_run_options chosen;
  fb_error unused;
  fb_run* run = NULL;
  *out = NULL;
  if (!error) error = &unused;
  fb_status status = fb_run_check_options(options, &chosen, error);
  if (status == FB_OK) status = take_up(folder, given, &chosen, &run, error);
  if (status == FB_OK && run) status = fb_run_make_sim(run, run->own, error);
  if (status == FB_OK && run) status = reopen(run, error);
  if (status == FB_OK)
    *out = run;
  else if (run)
    fb_run_drop(run); /* without a commit, which would drop what came after the checkpoint */
  return status;
}
