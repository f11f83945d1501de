/* store.c -- the folder and the store of a run: how it is begun, and how it is taken up again.
 *
 *   inputs/      the scenario and its models, byte for byte
 *   run.db       samples, events, checkpoints, and texts that say what the run is
 *
 * A run is taken up from what the folder holds, whatever became of the files it was made from. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/json.h>
#include <freebody/text.h>
#include <freebody/version.h>

#include "document/document.h"
#include "run/store/store.h"
#include "scenario/scenario.h"
#include "run/run.h"

static const char* const END_NAMES[] = {"finished", "stopped", "interrupted", "failed"};

const char* cmd_job_end_name(cmd_job_end end) {
  return END_NAMES[end];
}

char* cmd_job_path(const char* folder, const char* name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char* path = (char*)cmd_take(size, 1);
  size_t n = strlen(folder);
  snprintf(path, size, "%s%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/", name);
  return path;
}

/* Between single quotes a shell looks for nothing but the closing one; one inside ends them, stands escaped, and
 * begins them again. */
char* cmd_job_shell_name(const char* folder) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%-";
  fb_text text = {0};
  int quoted = folder[strspn(folder, plain)] != '\0';
  if (quoted) fb_text_add(&text, "'");
  if (folder[0] == '-') fb_text_add(&text, "./"); /* no option */
  for (const char* c = folder; *c; c++)
    if (*c == '\'')
      fb_text_add(&text, "'\\''");
    else
      fb_text_add_bytes(&text, c, 1);
  if (quoted) fb_text_add(&text, "'");
  char* name = fb_text_take(&text, NULL);
  if (!name) cmd_out_of_memory();
  return cmd_text_clean(name);
}

char* cmd_job_worth_plotting(const cmd_job* job) {
  const fb_model* m = fb_scenario_model(job->scenario);
  char name[FB_SIGNAL_NAME] = "ledger.residual";
  for (int i = job->nsignal - 1; i >= 0; i--) {
    fb_signal_name(m, job->signals[i], name);
    if (strncmp(name, "energy.", 7) == 0) return cmd_job_shell_name("energy");
  }
  return cmd_job_shell_name(name);
}

/* What Lua scripts print, on standard error; a script that prints at every stage must not flood it. */
static void print_note(void* user, const char* text) {
  enum { MOST = 1000 };
  int* printed = &((cmd_job*)user)->printed;
  if (++*printed <= MOST) cmd_tell_lines(text);
  if (*printed == MOST) fprintf(stderr, "freebody run: scripts print no more here after %d lines\n", MOST);
}

static fb_status make_sim(cmd_job* job, fb_error* error) {
  fb_scenario_set_note(job->scenario, job->args->quiet ? NULL : print_note, job);
  return fb_scenario_sim(job->scenario, &job->sim, error);
}

/* What cannot be looked at may be there: a run that exists must not be taken for one that does not. */
static int has_file(const char* folder, const char* name) {
  struct stat info;
  char* path = cmd_job_path(folder, name);
  int found = stat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
  free(path);
  return found;
}

/* --- texts --- */

/* ["a.b=1", "c=2"]; free() it. */
static char* print_overrides(const char* const* set) {
  size_t size;
  fb_json* json = fb_json_new(0);
  if (!json) cmd_out_of_memory();
  fb_json_begin_list(json);
  for (int i = 0; set && set[i]; i++) fb_json_string(json, set[i]);
  fb_json_end_list(json);
  char* text = fb_json_finish(json, &size);
  if (!text) cmd_out_of_memory();
  return text;
}

static fb_status print_model(const fb_scenario* s, char** text, fb_error* error) {
  size_t size;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  return fb_model_def_print(fb_model_definition(fb_scenario_model(s)), &options, text, &size, error);
}

/* The file comes last: a run that has it has all that it begins with (cmd_job_exists). */
static fb_status set_texts(cmd_job* job, fb_error* error) {
  const fb_scenario* s = job->scenario;
  char duration[32], *model = NULL, *view = NULL,
                     *overrides = print_overrides((const char*const*)job->args->set),
                     *sums = cmd_job_print_sums(s);
  fb_status status = print_model(s, &model, error);
  if (status == FB_OK) status = fb_scenario_print_view(s, &view, error);
  const char* const texts[][2] = {{"name", fb_scenario_name(s)},
                                  {"scenario", s->inputs[0].text},
                                  {"inputs", sums},
                                  {"overrides", overrides},
                                  {"model", model},
                                  {"view", view},
                                  {"integrator", fb_scenario_integrator(s)},
                                  {"duration", fb_number_text(fb_scenario_duration(s), duration)},
                                  {"version", fb_version()},
                                  {"status", "running"},
                                  {"file", job->args->operand}};
  if (status == FB_OK && job->args->base != FB_BASE_AS_FILE)
    status = fb_store_set_text(job->store, "base", job->args->base == FB_BASE_FREE ? "free" : "fixed", error);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == FB_OK; i++)
    status = fb_store_set_text(job->store, texts[i][0], texts[i][1], error);
  free(overrides);
  free(sums);
  free(view);
  free(model);
  return status;
}

/* --- meshes --- */

/* Why a file is not stored: a model may name one that is no mesh. */
static void say_refused(const cmd_job* job, const char* name, int body, const fb_error* why) {
  if (job->args->quiet) return;
  cmd_tell(
      "freebody run: mesh '%.150s' of body '%.60s' %s; the run does without it, and the viewer will draw the "
      "body "
      "from its inertia",
      name, fb_body_name(fb_scenario_model(job->scenario), body), why->text);
}

static fb_status add_mesh(cmd_job* job, const char* name, int body, fb_error* error) {
  char *data, *path = fb_scenario_mesh_path(job->scenario, name);
  size_t size;
  fb_error why;
  if (!path) cmd_out_of_memory();
  fb_status status = fb_scenario_read_mesh(path, &data, &size, &why);
  free(path);
  if (status == FB_ERR_MEMORY) cmd_out_of_memory();
  if (status == FB_ERR_CONTENT) {
    say_refused(job, name, body, &why);
    return FB_OK;
  }
  if (status != FB_OK) return fb_fail(error, status, "the mesh '%.150s' %s", name, why.text);
  status = fb_store_add_mesh(job->store, name, data, size, error);
  free(data);
  return status;
}

/* The run keeps what its pictures need, and no file that is not a mesh, whatever the model names. What is not there is
 * missing in pictures and nowhere else. */
static fb_status add_meshes(cmd_job* job, fb_error* error) {
  const fb_scenario* s = job->scenario;
  int body = 1, index = -1;
  fb_status status = FB_OK;
  for (const char* name; status == FB_OK && (name = fb_scenario_next_mesh(s, &body, &index)) != NULL;)
    status = add_mesh(job, name, body, error);
  return status;
}

/* --- beginning --- */

static fb_status create_store(cmd_job* job, fb_error* error) {
  const fb_model* m = fb_scenario_model(job->scenario);
  size_t count = (size_t)job->nsignal;
  fb_store_signal* rows = (fb_store_signal*)cmd_take(count, sizeof *rows);
  char(*names)[FB_SIGNAL_NAME] = (char(*)[FB_SIGNAL_NAME])cmd_take(count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    rows[i] =
        (fb_store_signal){fb_signal_name(m, job->signals[i], names[i]), fb_signal_unit(m, job->signals[i]),
                          fb_signal_axes(m, job->signals[i]), fb_signal_meaning(job->signals[i])};
  /* One that never began holds nothing to keep. */
  int replace = job->args->force || job->args->resume;
  fb_status status = fb_store_create(job->folder, rows, job->nsignal, replace, &job->store, error);
  free(names);
  free(rows);
  return status;
}

fb_status cmd_job_create(cmd_job* job, fb_error* error) {
  fb_status status = make_sim(job, error);
  if (status == FB_OK) status = fb_scenario_logged(job->scenario, &job->signals, &job->nsignal, error);
  if (status == FB_OK) status = create_store(job, error);
  if (status == FB_OK) status = cmd_job_copy_inputs(job, error);
  if (status == FB_OK) status = add_meshes(job, error);
  if (status == FB_OK) status = set_texts(job, error);
  return status == FB_OK ? fb_store_commit(job->store, error) : status;
}

/* --- taking up --- */

/* What the store says of a run. */
typedef struct stored {
  fb_store* run;
  const char *file, *scenario, *model, *overrides, *status, *version;
  const char* sums; /* of the copies; or NULL */
  double duration;
  int base; /* --base */
  fb_doc* set_doc;
  const char** set; /* NULL-ended */
} stored;

static void forget(stored* old) {
  fb_error ignored;
  fb_store_close(old->run, &ignored);
  fb_doc_free(old->set_doc);
  free((void*)old->set);
}

static fb_status recall_overrides(stored* old, fb_error* error) {
  fb_status status =
      fb_doc_parse(old->overrides, strlen(old->overrides), "overrides of the run", &old->set_doc, error);
  if (status != FB_OK) return status;
  const fb_node* list = fb_doc_root(old->set_doc);
  int count = fb_node_count(list);
  old->set = (const char**)cmd_take((size_t)count + 1, sizeof *old->set);
  for (int i = 0; i < count; i++) old->set[i] = fb_node_text(fb_node_item(list, i));
  return FB_OK;
}

static fb_status recall(const char* folder, stored* old, fb_error* error) {
  memset(old, 0, sizeof *old);
  fb_status status = fb_store_open(folder, &old->run, error);
  if (status != FB_OK) return status;
  old->file = fb_store_text(old->run, "file");
  old->scenario = fb_store_text(old->run, "scenario");
  old->model = fb_store_text(old->run, "model");
  old->overrides = fb_store_text(old->run, "overrides");
  old->status = fb_store_text(old->run, "status");
  old->version = fb_store_text(old->run, "version");
  old->sums = fb_store_text(old->run, "inputs");
  const char *duration = fb_store_text(old->run, "duration"), *base = fb_store_text(old->run, "base");
  if (base) old->base = strcmp(base, "free") == 0 ? FB_BASE_FREE : FB_BASE_FIXED;
  if (!old->file || !old->scenario || !old->model || !old->overrides || !old->status || !old->version ||
      !duration || !fb_number_parse(duration, &old->duration)) {
    fb_fail(
        error, FB_ERR_IO,
        "this run was ended before it began; run its scenario again, with --output this folder and --force");
    fb_error_set_place(error, folder, NULL, (fb_place){0, 0});
    return FB_ERR_IO;
  }
  return recall_overrides(old, error);
}

int cmd_job_exists(const char* folder) {
  fb_error ignored;
  fb_store* run;
  if (!has_file(folder, "run.db")) return 0;
  /* What cannot be read is there, too. */
  if (fb_store_open(folder, &run, &ignored) != FB_OK) return 1;
  int begun = fb_store_text(run, "file") != NULL;
  fb_store_close(run, &ignored);
  return begun;
}

static fb_status changed(const char* folder, const char* what, fb_error* error) {
  fb_fail(
      error, FB_ERR_CONTENT,
      "%s; go on without naming it (freebody run --resume FOLDER), or begin a new run (--force, or another "
      "--output)",
      what);
  fb_error_set_place(error, folder, NULL, (fb_place){0, 0});
  return FB_ERR_CONTENT;
}

/* The scenario beside --resume must be what the run was made from. */
static fb_status compare_given(cmd_job* job, const stored* old, const fb_scenario* copies, fb_error* error) {
  const cmd_run_args* args = job->args;
  const fb_scenario* given = job->scenario;
  char* overrides = print_overrides((const char* const*)args->set);
  int same = !args->set[0] || strcmp(overrides, old->overrides) == 0;
  free(overrides);
  if (!same)
    return changed(job->folder, "the --set options are not those that this run was begun with", error);
  if (args->duration >= 0 && args->duration != old->duration)
    return changed(job->folder, "the --duration is not that which this run was begun with", error);
  if (args->base != FB_BASE_AS_FILE && args->base != old->base)
    return changed(job->folder, "the --base is not that which this run was begun with", error);
  /* Without the options repeated, those of the run hold; which models are read may depend on them. */
  int all = args->set[0] || !old->set[0];
  size_t count = all ? given->input_count : 1;
  same = !all || given->input_count == copies->input_count;
  for (size_t i = 0; same && i < count; i++)
    same = given->inputs[i].size == copies->inputs[i].size &&
           memcmp(given->inputs[i].text, copies->inputs[i].text, given->inputs[i].size) == 0;
  return same ? FB_OK
              : changed(job->folder, "the scenario or a model of it has changed since this run was begun",
                        error);
}

/* The scenario as the copies have it, checked against what the store knows of it. */
static fb_status read_copies(const cmd_job* job, const stored* old, fb_scenario** out, fb_error* error) {
  char* inputs = cmd_job_path(job->folder, "inputs");
  fb_scenario_options options = fb_default_scenario_options();
  options.inputs = inputs;
  options.set = (const char* const*)old->set;
  options.duration = old->duration;
  options.io.base = old->base;
  char* model = NULL;
  fb_status status = fb_scenario_read(old->file, &options, out, error);
  if (status == FB_OK) status = print_model(*out, &model, error);
  if (status == FB_OK &&
      (strcmp((*out)->inputs[0].text, old->scenario) != 0 || strcmp(model, old->model) != 0))
    status = cmd_job_copy_changed(inputs, error);
  if (status == FB_OK && old->sums) status = cmd_job_check_inputs(inputs, *out, old->sums, error);
  free(model);
  free(inputs);
  return status;
}

/* A run goes on with the signals that it has; one begun by an older Freebody may have fewer. */
static fb_status recall_signals(cmd_job* job, const stored* old, fb_error* error) {
  const fb_model* m = fb_scenario_model(job->scenario);
  fb_status status = fb_scenario_logged(job->scenario, &job->signals, &job->nsignal, error);
  if (status != FB_OK) return status;
  int count = fb_store_nsignal(old->run), same = count <= job->nsignal;
  for (int i = 0; same && i < count; i++) {
    char name[FB_SIGNAL_NAME];
    same = strcmp(fb_store_signal_at(old->run, i).name, fb_signal_name(m, job->signals[i], name)) == 0;
  }
  job->nsignal = count;
  return same ? FB_OK
              : changed(job->folder,
                        "this run logs other signals than this Freebody would log of its scenario", error);
}

static fb_status reopen(cmd_job* job, fb_error* error) {
  double t;
  void* snapshot;
  size_t size;
  fb_status status = fb_store_resume(job->folder, &t, &snapshot, &size, &job->store, error);
  if (status != FB_OK) return status;
  if (t >= 0) status = fb_sim_restore(job->sim, snapshot, size, error);
  free(snapshot);
  if (status != FB_OK) { /* without a commit, which would drop what came after the checkpoint */
    fb_store_free(job->store);
    job->store = NULL;
    return status;
  }
  if (t >= 0) job->t_begin = fb_sim_time(job->sim);
  /* A summary belongs to the end; the one of an earlier leg would say that this one came to it. */
  char* summary = cmd_job_path(job->folder, "summary.json");
  unlink(summary);
  free(summary);
  return fb_store_set_text(job->store, "status", "running", error);
}

static int is_complete(const char* folder, const stored* old) {
  int over = strcmp(old->status, END_NAMES[FB_JOB_FINISHED]) == 0 ||
             strcmp(old->status, END_NAMES[FB_JOB_STOPPED]) == 0;
  return over && has_file(folder, "summary.json");
}

fb_status cmd_job_resume(cmd_job* job, int* complete, fb_error* error) {
  stored old;
  fb_scenario* copies = NULL;
  fb_status status = recall(job->folder, &old, error);
  if (status == FB_OK) status = read_copies(job, &old, &copies, error);
  if (status == FB_OK && job->scenario) status = compare_given(job, &old, copies, error);
  fb_scenario_free(job->scenario);
  job->scenario = copies;
  *complete = status == FB_OK && is_complete(job->folder, &old);
  if (status == FB_OK && !*complete) status = recall_signals(job, &old, error);
  if (status == FB_OK && strcmp(old.version, fb_version()) != 0)
    cmd_tell(
        "freebody run: this run was begun by version %s, this is %s: results may differ in the last digits",
        old.version, fb_version());
  forget(&old);
  if (status != FB_OK || *complete) return status;
  status = make_sim(job, error);
  return status == FB_OK ? reopen(job, error) : status;
}
