/* bench.c -- `freebody bench`: how long dynamics and kinematics take on this machine, for the built-in models
 * or for a user's own. The comparison with other libraries is bench/race.c. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_earlier.h"
#include "bench_own.h"
#include "bench_report.h"
#include "command.h"

/* Times one model and adds its row; end_point is the frame whose Jacobian is taken. */
static fb_status time_model(bench_report* report, const fb_model* m, int end_point, fb_error* error) {
  bench_row_result* row = &report->model[report->nmodel];
  bench_result_clear(&row->result[0]);
  bench_states states;
  if (!bench_states_open(m, &states)) return fb_fail(error, FB_ERR_MEMORY, "out of memory for random states");
  void* self = bench_own_open(m, end_point, &states);
  for (int i = 0; self && i < BENCH_QUANTITIES; i++)
    if (i != BENCH_INERTIA || states.nv <= BENCH_DENSE_NV)
      bench_time(bench_own.call[i], self, states.count, report->seconds, &row->result[0].ns[i]);
  if (self) bench_own.close(self);
  row->nv = states.nv;
  row->isa = fb_model_isa(m);
  bench_states_close(&states);
  if (!self) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the model's dynamics");
  report->nmodel++;
  return FB_OK;
}

static fb_status time_builtin(bench_report* report, int index, fb_error* error) {
  bench_row_result* row = &report->model[report->nmodel];
  bench_model model;
  if (!bench_model_open(index, &model)) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a model");
  snprintf(row->name, sizeof row->name, "%s", model.name);
  snprintf(row->about, sizeof row->about, "%s", model.about);
  row->njoint = model.njoint;
  fb_model* m = bench_own_build(&model, error);
  fb_status status = m ? time_model(report, m, model.end_point + 1, error) : error->status;
  fb_model_free(m);
  bench_model_close(&model);
  return status;
}

static fb_status time_file(bench_report* report, const char* file, const fb_io_options* options,
                           fb_error* error) {
  bench_row_result* row = &report->model[report->nmodel];
  cmd_loaded loaded;
  fb_status status = cmd_load(file, options, &loaded, error);
  if (status == FB_OK) {
    const char* name = fb_model_name(loaded.model);
    snprintf(row->name, sizeof row->name, "%s", name[0] ? name : cmd_shown_name(file));
    cmd_text_clean(row->name);
    snprintf(row->about, sizeof row->about, "%s", loaded.format);
    row->njoint = fb_model_nbody(loaded.model) - 1;
    /* The end point: the last named frame, or the last body where nobody named one. */
    status = time_model(report, loaded.model, fb_model_nframe(loaded.model) - 1, error);
  }
  cmd_unload(&loaded);
  return status;
}

static int no_such_model(const cmd_app* app, const char* word) {
  char names[256] = "";
  for (int i = 0; i < bench_model_count(); i++) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, " %s", bench_model_name(i));
  }
  return cmd_usage_error(app, "'%s' is neither a file nor a built-in model; those are:%s", word, names);
}

typedef struct bench_run {
  bench_report report;
  bench_earlier earlier;
  fb_io_options options;
  cmd_reading reading;
  int json;
  const char* against; /* the file of an earlier run; or NULL */
  const char** words;  /* models, NULL-ended */
} bench_run;

static int add_model(const cmd_app* app, bench_run* run, const char* word) {
  fb_error error = {0};
  int index = bench_model_find(word);
  if (run->report.nmodel == BENCH_MAX_MODELS)
    return cmd_usage_error(app, "more than %d models at a time; '%s' is too many", BENCH_MAX_MODELS, word);
  /* A word without a dot or slash that is no file was meant as the name of a built-in model. */
  int may_be_file = strpbrk(word, "./\\") || strcmp(word, "-") == 0 || access(word, F_OK) == 0;
  if (index < 0 && !may_be_file) return no_such_model(app, word);
  fb_status status = index >= 0 ? time_builtin(&run->report, index, &error)
                                : time_file(&run->report, word, &run->options, &error);
  return cmd_input_code(app, status, &error);
}

static int read_seconds(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  char* end = NULL;
  double* seconds = (double*)member;
  (void)option;
  *seconds = strtod(text, &end);
  if (!*end && end != text && *seconds >= 0 && *seconds <= 3600) return 1;
  return cmd_refuse(app, "--seconds takes a number from 0 to 3600, not '%s'", text);
}

#define AT(member) offsetof(bench_run, member)
static const cmd_option OPTIONS[] = {
    {"json", NULL, "print one JSON object instead of the table", NULL, AT(json)},
    {"seconds", "S", "time spent on each figure, 0 to 3600; 0.3 by default, 0 measures one batch",
     read_seconds, AT(report.seconds)},
    {"against", "FILE", "compare with an earlier run, the output of bench --json, in one table", NULL,
     AT(against)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static int read_earlier(const cmd_app* app, bench_run* run) {
  fb_error error = {0};
  if (!run->against) return FB_EXIT_OK;
  run->report.earlier = &run->earlier;
  fb_status status = bench_earlier_read(&run->earlier, run->against, &error);
  return cmd_input_code(app, status, &error);
}

static int time_words(const cmd_app* app, bench_run* run) {
  int code = FB_EXIT_OK;
  const char** words = run->words;
  for (int i = 0; words[i] && code == FB_EXIT_OK; i++) code = add_model(app, run, words[i]);
  for (int i = 0; i < bench_model_count() && !words[0] && code == FB_EXIT_OK; i++)
    code = add_model(app, run, bench_model_name(i));
  if (code != FB_EXIT_OK) return code;
  if (run->json)
    bench_report_json(&run->report, stdout);
  else
    bench_report_text(&run->report, stdout);
  return FB_EXIT_OK;
}

static int run_bench(cmd_app* app, int argc, char** argv) {
  static const cmd_operands OPERANDS = {.at = AT(words)};
  bench_run* run = cmd_take(1, sizeof *run);
  run->words = cmd_take((size_t)argc + 1, sizeof *run->words);
  run->options = fb_default_io_options();
  run->report.seconds = 0.3;
  bench_entrant_describe(&run->report.runner[run->report.nrunner++], &bench_own);
  int code = cmd_options_read(app, argc, argv, &OPERANDS, run);
  cmd_reading_apply(&run->reading, &run->options);
  if (code == FB_EXIT_OK) code = read_earlier(app, run);
  if (code == FB_EXIT_OK) code = time_words(app, run);
  free((void*)run->words);
  free(run);
  return code;
}

const cmd_command cmd_command_bench = {
    "bench",
    "measure how long dynamics and kinematics take on this machine",
    "[--json] [--seconds S] [--against FILE]\n                    " CMD_READING_USAGE " [MODEL]...",
    "Prints nanoseconds per call on one core: forward dynamics, inverse dynamics, inertia matrix, poses with "
    "the Jacobian of the end-point, poses of all bodies, poses with velocities and accelerations, and a step "
    "of a simulation by RK4 and by semi-implicit Euler. Each figure is the least of many batches over 64 "
    "random states. A MODEL is a file of any format, whose last named frame is the end-point, or the name of "
    "a built-in one: arm6, arm12, arm30, arm100, arm1000 (arms on a free base), sat12 (a satellite of three "
    "branches), fix7 (an arm on the ground). By default all built-in models are measured. The machine should "
    "be idle; compare only figures of the same machine. --against FILE shows for each model and quantity the "
    "new time, the one in FILE and their ratio.\n" CMD_READING_ABOUT,
    OPTIONS,
    "  freebody bench robot.urdf",
    run_bench,
};
