/* create.c -- how a run begins: the folder with run.db and inputs/, and in run.db all that pages and a resumed run need.
 *
 *   inputs/      the scenario and its models, byte for byte
 *   run.db       samples, events, checkpoints, meshes, and texts that say what the run is */
#include <stdlib.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>
#include <freebody/version.h>

#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/build/build.h"
#include "scenario/explain/explain.h"

/* --- texts --- */

/* ["a.b=1", "c=2"] */
fb_status fb_run_print_overrides(const char* const* set, char** text, fb_error* error) {
  *text = NULL;
  fb_json* json = fb_json_new(0);
  if (!json) return fb_store_no_memory(error);
  fb_json_begin_list(json);
  for (int i = 0; set && set[i]; i++) fb_json_string(json, set[i]);
  fb_json_end_list(json);
  *text = fb_json_finish(json, NULL);
  return *text ? FB_OK : fb_store_no_memory(error);
}

fb_status fb_run_print_model(const fb_scenario* s, char** text, fb_error* error) {
  size_t size;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  return fb_model_def_print(fb_model_definition(fb_scenario_model(s)), &options, text, &size, error);
}

/* The file comes last: a run that has it has all that it begins with (fb_run_exists). */
static fb_status set_printed(fb_run* run, const char* model, const char* view, const char* overrides,
                             const char* sums, fb_error* error) {
  const fb_scenario* s = run->scenario;
  char duration[32];
  const fb_scenario_reading* r = &s->reading;
  const char* base = r->base == FB_BASE_AS_FILE ? NULL : r->base == FB_BASE_FREE ? "free" : "fixed";
  int by_format = r->inertia == FB_INERTIA_BY_FORMAT;
  const char* inertia = by_format ? NULL : fb_inertia_policy_name((fb_inertia_policy)r->inertia);
  const char* mimic = r->mimic == FB_MIMIC_DEFAULT ? NULL : fb_scenario_mimics[r->mimic - FB_MIMIC_FREE];
  /* NULL: not said. */
  const char* const texts[][2] = {{"base", base},
                                  {"inertia", inertia},
                                  {"start", s->other_run_text},
                                  {"mimic", mimic},
                                  {"name", fb_scenario_name(s)},
                                  {"scenario", s->inputs[0].text},
                                  {"inputs", sums},
                                  {"overrides", overrides},
                                  {"model", model},
                                  {"view", view},
                                  {"integrator", fb_scenario_integrator(s)},
                                  {"duration", fb_number_format(fb_scenario_duration(s), duration)},
                                  {"version", fb_version()},
                                  {"status", fb_run_state_name(FB_RUN_RUNNING)},
                                  {"file", r->file}};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == FB_OK; i++)
    if (texts[i][1]) status = fb_store_set_text(run->store, texts[i][0], texts[i][1], error);
  return status;
}

static fb_status set_texts(fb_run* run, fb_error* error) {
  const fb_scenario* s = run->scenario;
  char *model = NULL, *view = NULL, *overrides = NULL, *sums = NULL;
  fb_status status = fb_run_print_model(s, &model, error);
  if (status == FB_OK) status = fb_scenario_print_view(s, &view, error);
  if (status == FB_OK) status = fb_run_print_overrides(s->reading.set, &overrides, error);
  if (status == FB_OK) status = fb_run_print_sums(s, &sums, error);
  if (status == FB_OK) status = set_printed(run, model, view, overrides, sums, error);
  free(model);
  free(view);
  free(overrides);
  free(sums);
  return status;
}

/* --- meshes --- */

static fb_status add_mesh(fb_run* run, const char* name, int body, fb_error* error) {
  char *data, *path = fb_scenario_mesh_path(run->scenario, name);
  size_t size;
  fb_error why;
  if (!path) return fb_store_no_memory(error);
  fb_status status = fb_scenario_read_mesh(path, &data, &size, &why);
  free(path);
  if (status == FB_ERR_CONTENT) { /* a model may name a file that is no mesh */
    fb_run_note(
        run,
        "mesh '%.150s' of body '%.60s' %s; the run does without it, and the viewer will draw the body "
        "from its inertia",
        name, fb_body_name(fb_scenario_model(run->scenario), body), why.text);
    return FB_OK;
  }
  if (status != FB_OK) return fb_fail(error, status, "the mesh '%.150s' %s", name, why.text);
  status = fb_store_add_mesh(run->store, name, data, size, error);
  free(data);
  return status;
}

/* Those of surfaces are inputs of the scenario, and known to be meshes. */
static fb_status add_surface_meshes(fb_run* run, fb_error* error) {
  const fb_scenario* s = run->scenario;
  fb_status status = FB_OK;
  for (int i = 0; i < s->nsurface && status == FB_OK; i++) {
    if (!s->surfaces[i].stored) continue; /* no mesh */
    const fb_scenario_input* input = &s->inputs[s->meshes[s->surfaces[i].mesh].input];
    status = fb_store_add_mesh(run->store, s->surfaces[i].stored, input->text, input->size, error);
  }
  return status;
}

/* The run keeps what its pictures need, and no file that is not a mesh, whatever the model names. What is not there is
 * missing in pictures and nowhere else. */
static fb_status add_meshes(fb_run* run, fb_error* error) {
  int body = 1, index = -1;
  fb_status status = FB_OK;
  for (const char* name;
       status == FB_OK && (name = fb_scenario_next_mesh(run->scenario, &body, &index)) != NULL;)
    status = add_mesh(run, name, body, error);
  return status == FB_OK ? add_surface_meshes(run, error) : status;
}

/* --- the store --- */

static fb_status create_store(fb_run* run, fb_error* error) {
  size_t count = (size_t)run->nsignal;
  fb_store_signal* rows = calloc(count + 1, sizeof *rows);
  fb_signal_info* infos = calloc(count + 1, sizeof *infos);
  fb_status status = rows && infos ? FB_OK : fb_store_no_memory(error);
  for (size_t i = 0; status == FB_OK && i < count; i++) {
    fb_scenario_signal_info(run->scenario, run->signals[i], &infos[i]);
    rows[i] = (fb_store_signal){infos[i].name, infos[i].unit, infos[i].axes, infos[i].meaning};
  }
  if (status == FB_OK)
    status = fb_store_create(run->folder, rows, run->nsignal, run->options.replace, &run->store, error);
  free(infos);
  free(rows);
  return status;
}

static fb_status fill_folder(fb_run* run, fb_error* error) {
  fb_status status = create_store(run, error);
  if (status == FB_OK) status = fb_run_copy_inputs(run, error);
  if (status == FB_OK) status = add_meshes(run, error);
  if (status == FB_OK) status = set_texts(run, error);
  return status == FB_OK ? fb_store_commit(run->store, error) : status;
}

/* What the run will do otherwise than its user may expect; `freebody check` says the same. */
static void note_surprises(const fb_run* run) {
  char text[400];
  if (!run->options.note) return;
  for (int i = 0; fb_sim_start_remark(run->sim, i, text, sizeof text) != FB_REMARK_NONE; i++)
    fb_run_note(run, "%s", text);
  if (run->scenario->locked) fb_run_note(run, "%s", run->scenario->locked);
  if (fb_scenario_stiffness(run->scenario, text, sizeof text)) fb_run_note(run, "%s", text);
  if (fb_scenario_sampled_advice(run->scenario, text, sizeof text)) fb_run_note(run, "%s", text);
}

fb_status fb_run_create(fb_scenario* s, const char* folder, const fb_run_options* given, fb_run** out,
                        fb_error* error) {
  fb_run_options options;
  *out = NULL;
  fb_status status = fb_run_check_options(given, &options, error);
  if (status != FB_OK) return status;
  fb_run* run = fb_run_new(s, folder, &options);
  if (!run) return fb_store_no_memory(error);
  if (options.replay && !run->scenario->remote)
    status =
        fb_fail(error, FB_ERR_ARG, "the scenario has no remote controllers, so there is nothing to replay");
  else if (options.replay)
    status = fb_run_open_tape(run, run->options.replay, 0, error);
  if (status == FB_OK) status = fb_run_make_sim(run, s, error);
  if (status == FB_OK) status = fb_scenario_logged(s, &run->signals, &run->nsignal, error);
  if (status == FB_OK && folder) status = fill_folder(run, error);
  if (status == FB_OK) note_surprises(run);
  if (status == FB_OK) status = fb_run_begin_leg(run, 0, error);
  if (status == FB_OK)
    *out = run;
  else
    fb_run_free(run);
  return status;
}
