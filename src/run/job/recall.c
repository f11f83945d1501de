/* recall.c -- what a run folder says of its run: the texts of the store, and the scenario as the copies in inputs/ have
 * it, checked against them. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "document/document.h"
#include "run/job/job.h"
#include "run/store/folder.h"
#include "scenario/build/build.h"
#include "text/files.h"

void fb_run_forget(fb_run_stored* old) {
  fb_store_close(old->store, NULL);
  fb_doc_free(old->set_doc);
  free((void*)old->set);
}

static fb_status recall_overrides(fb_run_stored* old, fb_error* error) {
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

fb_status fb_run_recall(const char* folder, fb_run_stored* old, fb_error* error) {
  memset(old, 0, sizeof *old);
  fb_status status = fb_store_open(folder, &old->store, error);
  if (status != FB_OK) return status;
  old->file = fb_store_get_text(old->store, "file");
  old->scenario = fb_store_get_text(old->store, "scenario");
  old->model = fb_store_get_text(old->store, "model");
  old->overrides = fb_store_get_text(old->store, "overrides");
  old->status = fb_store_get_text(old->store, "status");
  old->sums = fb_store_get_text(old->store, "inputs");
  old->start = fb_store_get_text(old->store, "start");
  const char *duration = fb_store_get_text(old->store, "duration"),
             *base = fb_store_get_text(old->store, "base"),
             *planned = fb_store_get_text(old->store, "planned");
  if (base) old->base = strcmp(base, "free") == 0 ? FB_BASE_FREE : FB_BASE_FIXED;
  const char* inertia = fb_store_get_text(old->store, "inertia");
  if (inertia) old->inertia = (fb_inertia_policy)fb_inertia_policy_find(inertia);
  const char* mimic = fb_store_get_text(old->store, "mimic");
  for (int i = 0; mimic && fb_scenario_mimics[i]; i++)
    if (strcmp(mimic, fb_scenario_mimics[i]) == 0) old->mimic = (fb_mimic)(FB_MIMIC_FREE + i);
  if (!old->file || !old->scenario || !old->model || !old->overrides || !old->status || !duration ||
      !fb_number_parse(duration, &old->duration) ||
      !fb_number_parse(planned ? planned : duration, &old->planned))
    return fb_file_fail(
        folder, error, FB_ERR_CONTENT,
        "this run was ended before it began; run its scenario again, and have this one replaced (--force)");
  return recall_overrides(old, error);
}

/* --- the copies --- */

/* Whether two models as JSON are the same but for the names of mesh files, which depend on where packages are today; the
 * run has its meshes itself. */
static int is_same_model(const char* a, const char* b) {
  static const char key[] = "\"file\": \"";
  while (*a && *a == *b) {
    if (strncmp(a, key, sizeof key - 1) != 0 || strncmp(b, key, sizeof key - 1) != 0) {
      a++, b++;
      continue;
    }
    a += sizeof key - 1, b += sizeof key - 1;
    while (*a && *a != '"') a += a[0] == '\\' && a[1] ? 2 : 1;
    while (*b && *b != '"') b += b[0] == '\\' && b[1] ? 2 : 1;
  }
  return *a == *b;
}

static fb_status check_copies(const char* inputs, const fb_run_stored* old, const fb_scenario* copies,
                              fb_error* error) {
  char* model = NULL;
  fb_status status = fb_run_print_model(copies, &model, error);
  if (status == FB_OK &&
      (strcmp(copies->inputs[0].text, old->scenario) != 0 || !is_same_model(model, old->model)))
    status = fb_run_copy_changed(inputs, error);
  if (status == FB_OK && old->sums) status = fb_run_check_inputs(inputs, copies, old->sums, error);
  free(model);
  return status;
}

static fb_status read_for(const char* inputs, const fb_run_stored* old, double duration, fb_scenario** out,
                          fb_error* error) {
  fb_scenario_options options = fb_default_scenario_options();
  options.inputs = inputs;
  options.set = (const char* const*)old->set;
  options.duration = duration;
  options.io.base = old->base;
  options.io.inertia = old->inertia;
  options.io.mimic = old->mimic;
  fb_status status = fb_scenario_read(old->file, &options, out, error);
  if (status == FB_OK && old->start) status = fb_scenario_use_state(*out, old->start, NULL, NULL, error);
  return status;
}

/* A longer run than was planned logs and saves as often as before, whatever periods its duration would give it. */
static fb_status read_longer(const char* inputs, const fb_run_stored* old, double duration, fb_scenario** out,
                             fb_error* error) {
  fb_scenario* planned = *out;
  fb_status status = read_for(inputs, old, duration, out, error);
  if (status == FB_OK) {
    (*out)->log_period = planned->log_period;
    (*out)->checkpoint = planned->checkpoint;
  }
  fb_scenario_free(planned);
  return status;
}

fb_status fb_run_read_copies(const char* folder, const fb_run_stored* old, double duration, fb_scenario** out,
                             fb_error* error) {
  *out = NULL;
  char* inputs = fb_store_path(folder, "inputs");
  if (!inputs) return fb_store_no_memory(error);
  fb_status status = old->sums ? fb_run_check_copies(inputs, old->sums, error) : FB_OK;
  if (status == FB_OK) status = read_for(inputs, old, old->planned, out, error);
  if (status == FB_OK) status = check_copies(inputs, old, *out, error);
  if (status == FB_OK && duration != old->planned) status = read_longer(inputs, old, duration, out, error);
  /* A copy that is gone is a folder whose content is not right. */
  if (status == FB_ERR_IO) status = error->status = FB_ERR_CONTENT;
  free(inputs);
  return status;
}

fb_status fb_run_read_scenario(const char* folder, fb_scenario** scenario, fb_error* error) {
  fb_run_stored old;
  fb_error unused;
  *scenario = NULL;
  fb_status status = fb_run_recall(folder, &old, error ? error : &unused);
  if (status == FB_OK)
    status = fb_run_read_copies(folder, &old, old.duration, scenario, error ? error : &unused);
  if (status != FB_OK) fb_scenario_free(*scenario);
  if (status != FB_OK) *scenario = NULL;
  fb_run_forget(&old);
  return status;
}
