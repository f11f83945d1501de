/* check.c -- `freebody check`: validates models, scenarios and evaluation files, and advises on what looks wrong. */
#include <stdlib.h>
#include <string.h>

#include <freebody/eval.h>
#include <freebody/scenario.h>
#include <freebody/support/text.h>

#include "command.h"
#include "model/check_errors.h"
#include "guard.h"

typedef struct check_run {
  cmd_app* app;
  int strict, quiet;
  fb_io_options options; /* for the readers */
  const char* file;      /* the one at hand */
  const char* source;    /* where its model stands: the same file, or the one that it names */
  fb_text kept;          /* notes of its reader, each ended with a zero */
  int notes;             /* how many */
  int refused;           /* there was advice, and that is strict */
  char* text;            /* of the file */
  size_t size;
  fb_plugin_record* plugins; /* what its plugins do */
  const char** files;        /* NULL-ended */
  int no_plugins;
  cmd_reading reading;
} check_run;

#define AT(member) offsetof(check_run, member)
static const cmd_option OPTIONS[] = {
    {"strict", NULL, "treat advice as errors", NULL, AT(strict)},
    {"quiet", NULL, "print only errors", NULL, AT(quiet)},
    {"no-plugins", NULL, FB_NO_PLUGINS_HELP, NULL, AT(no_plugins)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static void print_advice(void* user, fb_place place, const char* text) {
  const check_run* run = (const check_run*)user;
  if (run->quiet && !run->strict) return;
  fb_error advice;
  fb_fail(&advice, FB_OK, "%s", text);
  fb_error_set_place(&advice, run->source, "advice", place);
  char line[sizeof advice];
  int color = run->app->color_err;
  fflush(stdout);
  fb_error_format(&advice, line, sizeof line);
  fprintf(stderr, "%s%s%s\n", cmd_style_on(color, FB_STYLE_YELLOW), cmd_text_clean(line),
          cmd_style_off(color));
}

/* What the reader passed over or read in another way is advice too. It is kept until it is known in which
 * file the model stands. */
static void keep_note(void* user, const char* text) {
  check_run* run = (check_run*)user;
  if (cmd_note_is_minor(text)) return;
  fb_text_add_bytes(&run->kept, text, strlen(text) + 1);
  run->notes++;
}

static void print_notes(check_run* run) {
  if (run->kept.failed) cmd_out_of_memory();
  const char* text = run->kept.data;
  for (int i = 0; i < run->notes && text; i++, text += strlen(text) + 1) {
    const char* words = strncmp(text, "lost: ", 6) == 0 ? text + 6 : text;
    fb_place place = {0, 0};
    int used = 0;
    if (sscanf(words, "line %d: %n", &place.line, &used) == 1 && used > 0)
      words += used;
    else
      place.line = 0;
    print_advice(run, place, words);
  }
  free(fb_text_take(&run->kept, NULL));
}

/* Says that a file is well; cases < 0 when it is a model; `more_advice` is how much advice there was before. */
static void report(check_run* run, const fb_model* model, int cases, int more_advice) {
  print_notes(run);
  int advice = more_advice + run->notes + fb_model_advise(model, print_advice, run);
  run->refused = advice && run->strict;
  if (run->quiet) return;
  char name[256], more[96] = "";
  snprintf(name, sizeof name, "%s", fb_model_name(model)[0] ? fb_model_name(model) : "no name");
  if (cases >= 0) snprintf(more, sizeof more, ", %d case%s", cases, cases == 1 ? "" : "s");
  size_t used = strlen(more);
  if (advice)
    snprintf(more + used, sizeof more - used, ", %d piece%s of advice", advice, advice == 1 ? "" : "s");
  int nbody = fb_model_nbody(model) - 1, nv = fb_model_nv(model);
  fb_text line = {0};
  fb_text_printf(&line, "%s: %s (%s: %d %s, %d degree%s of freedom%s)", run->file,
                 run->refused ? "not accepted" : "ok", name, nbody, nbody == 1 ? "body" : "bodies", nv,
                 nv == 1 ? "" : "s", more);
  char* text = fb_text_take(&line, NULL);
  if (!text) cmd_out_of_memory();
  puts(cmd_text_clean(text));
  free(text);
}

static const char* source_of(const check_run* run, const fb_model* model) {
  const char* source = fb_model_def_source(fb_model_definition(model));
  return source[0] ? source : run->file;
}

/* Every case of an evaluation file; the first bad one is the error. */
static fb_status check_eval(check_run* run, const char* text, size_t size, fb_error* error) {
  fb_model* model;
  int cases;
  fb_status status = fb_eval_check(text, size, run->file, &run->options, &model, &cases, error);
  if (model) run->source = source_of(run, model);
  if (status == FB_OK) report(run, model, cases, 0);
  fb_model_free(model);
  return status;
}

/* A scenario: its model as any other, then what it will do. */
static fb_status check_scenario(check_run* run, const char* text, size_t size, fb_error* error) {
  fb_scenario* scenario;
  fb_scenario_options options = fb_default_scenario_options();
  options.io = run->options;
  fb_status status = fb_scenario_parse(text, size, run->file, &options, &scenario, error);
  if (status != FB_OK) return status;
  char* words = NULL;
  size_t length = 0;
  int advice = fb_scenario_advise(scenario, print_advice, run);
  run->source = source_of(run, fb_scenario_model(scenario));
  report(run, fb_scenario_model(scenario), -1, advice);
  status = run->quiet ? FB_OK : fb_scenario_explain(scenario, &words, &length, error);
  if (words) cmd_print_text(cmd_text_clean_lines(words), length);
  free(words);
  fb_scenario_free(scenario);
  return status;
}

/* A model may be right and yet be refused by a run of it alone, as one with a joint that has nothing to move: that is advice. */
static fb_status try_run(check_run* run, const fb_model* model, const char* text, size_t size, int* advice,
                         fb_error* error) {
  enum { MOST_ROWS = 6000 };
  fb_scenario* scenario;
  int rows = 0;
  for (int i = 0; i < fb_model_nloop(model); i++) rows += fb_loop_type_nrow(fb_loop_type_of(model, i));
  if (rows > MOST_ROWS) {
    char words[120];
    snprintf(words, sizeof words, "it was not tried whether 'freebody run' begins: the loops have %d rows",
             rows);
    print_advice(run, (fb_place){0, 0}, words);
    *advice = 1;
    return FB_OK;
  }
  fb_error why;
  fb_scenario_options options = fb_default_scenario_options();
  options.io = run->options;
  options.io.note = NULL;
  options.io.complain = NULL;
  fb_status status = fb_scenario_parse(text, size, run->file, &options, &scenario, &why);
  fb_scenario_free(scenario);
  if (status == FB_ERR_MEMORY) *error = why;
  if (status == FB_OK || status == FB_ERR_MEMORY) return status;
  char words[sizeof why.text + 64];
  snprintf(words, sizeof words, "'freebody run' would refuse this model: %s", why.text);
  print_advice(run, why.place, words);
  *advice = 1;
  return FB_OK;
}

static fb_status check_text(check_run* run, const char* text, size_t size, fb_error* error) {
  int is_scenario = 0, is_eval = 0;
  fb_status status = fb_scenario_detect(text, size, &is_scenario, error);
  if (status == FB_OK && !is_scenario) status = fb_eval_detect(text, size, &is_eval, error);
  if (status != FB_OK) fb_error_set_place(error, run->file, NULL, (fb_place){0, 0});
  if (status != FB_OK) return status;
  if (is_scenario) return check_scenario(run, text, size, error);
  if (is_eval) return check_eval(run, text, size, error);
  cmd_loaded loaded;
  status = cmd_load_text(text, size, run->file, &run->options, &loaded, error);
  int advice = 0;
  if (status == FB_OK) status = try_run(run, loaded.model, text, size, &advice, error);
  if (status == FB_OK) report(run, loaded.model, -1, advice);
  cmd_unload(&loaded);
  return status;
}

static int fail(check_run* run, fb_status status, const fb_error* error) {
  print_notes(run);
  cmd_print_error(run->app, error);
  return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
}

/* Reads a file that has an error once more, for all of them; its notes are known. */
static int fail_with_all(check_run* run, const fb_error* first) {
  cmd_errors errors = {.file = run->file};
  fb_io_options options = run->options;
  fb_error last = {0};
  cmd_errors_keep(&errors, first);
  run->options.note = NULL;
  run->options.complain = cmd_errors_keep;
  run->options.complain_user = &errors;
  fb_status status = check_text(run, run->text, run->size, &last);
  if (status && status != FB_ERR_MEMORY) cmd_errors_keep(&errors, &last);
  run->options = options;
  print_notes(run);
  cmd_errors_print(run->app, &errors);
  if (status == FB_ERR_MEMORY) cmd_print_error(run->app, &last);
  return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
}

/* An exit code. What is not said, for plugins are not loaded in this process, is said in the next. */
static int check_here(void* user) {
  check_run* run = (check_run*)user;
  fb_error error = {0};
  run->refused = run->notes = 0;
  fb_status status = check_text(run, run->text, run->size, &error);
  if (status == FB_OK) return run->refused ? FB_EXIT_USAGE : FB_EXIT_OK;
  if (!run->plugins->refused)
    return status == FB_ERR_MEMORY ? fail(run, status, &error) : fail_with_all(run, &error);
  free(fb_text_take(&run->kept, NULL));
  return FB_EXIT_USAGE;
}

/* One file; an exit code. */
static int check_file(check_run* run, const char* file) {
  fb_error error = {0};
  cmd_guard_end end;
  run->notes = 0;
  run->file = run->source = cmd_shown_name(file);
  fb_status status = fb_model_file_read(file, &run->options, &run->text, &run->size, &error);
  if (status != FB_OK) return fail(run, status, &error);
  int whole = cmd_plugin_guard(run->app, run->plugins, check_here, run, &end);
  free(run->text);
  if (whole) return end.code;
  if (!end.child) return FB_EXIT_FAILED;
  if (cmd_guard_ended_on_request(&end)) return cmd_guard_code(&end);
  cmd_plugin_fate(run->plugins, &end, "", &error);
  fb_error_set_place(&error, run->file, NULL, (fb_place){0, 0});
  cmd_print_error(run->app, &error);
  return FB_EXIT_USAGE;
}

static int read_args(cmd_app* app, int argc, char** argv, check_run* run) {
  static const cmd_operands OPERANDS = {AT(files), 0, NULL, "which FILE? ('-' is standard input)"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, run), from_stdin = 0;
  if (code != FB_EXIT_OK) return code;
  for (int i = 0; run->files[i]; i++) from_stdin += strcmp(run->files[i], "-") == 0;
  if (from_stdin > 1) return cmd_usage_error(app, "standard input can be read once; '-' is there twice");
  return FB_EXIT_OK;
}

static int run_check(cmd_app* app, int argc, char** argv) {
  check_run run = {.app = app, .options = fb_default_io_options()};
  run.plugins = cmd_plugin_guard_new(sizeof *run.plugins);
  run.options.note = keep_note;
  run.options.note_user = &run;
  run.files = cmd_take((size_t)argc + 1, sizeof *run.files);
  int code = read_args(app, argc, argv, &run), seen[3] = {0}; /* exit codes */
  run.plugins->forbid = run.options.no_programs = run.no_plugins;
  cmd_reading_apply(&run.reading, &run.options);
  for (int i = 0; code == FB_EXIT_OK && run.files[i]; i++) seen[check_file(&run, run.files[i])] = 1;
  free((void*)run.files);
  if (code != FB_EXIT_OK) return code;
  return seen[FB_EXIT_FAILED] ? FB_EXIT_FAILED : seen[FB_EXIT_USAGE] ? FB_EXIT_USAGE : FB_EXIT_OK;
}

const cmd_command cmd_command_check = {
    "check",
    "validate models, scenarios and evaluation files",
    "[--strict] [--quiet] [--no-plugins]\n                    " CMD_READING_USAGE " FILE...",
    "Reads each file as 'info', 'run' or 'eval' would. Prints 'ok', or on standard error what is wrong, "
    "where (file, line, column, path in the document) and what to do: up to 20 errors of each file. All "
    "files are read; the exit code is 2 if any has errors. Input that is legal but looks wrong is reported "
    "as advice: masses without inertia, limits in degrees, masses that differ a million times, elements and "
    "keys that the reader ignored. For a scenario the output describes what a run will "
    "do.\n" CMD_READING_ABOUT,
    OPTIONS,
    "  freebody check robot.urdf states.json",
    run_check,
};
