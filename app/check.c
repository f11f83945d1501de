/* check.c -- `freebody check`: validates models and evaluation files, and advises on what looks wrong. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "eval.h"
#include "lint.h"

enum { OPT_STRICT, OPT_QUIET };

static const fb_option OPTIONS[] = {
    {"strict", NULL, "advice counts as an error"},
    {"quiet", NULL, "print errors only"},
    {NULL, NULL, NULL},
};

typedef struct check_run {
  fb_app* app;
  int strict, quiet;
  const char* file; /* the one at hand */
  int bad;          /* files with errors, or with advice when strict */
} check_run;

static void print_advice(void* user, fb_place place, const char* text) {
  const check_run* run = (const check_run*)user;
  if (run->quiet && !run->strict) return;
  fb_error advice;
  fb_fail(&advice, FB_OK, "%s", text);
  fb_error_set_place(&advice, run->file, "advice", place);
  char line[sizeof advice];
  int color = run->app->color_err;
  fflush(stdout);
  fb_error_format(&advice, line, sizeof line);
  fprintf(stderr, "%s%s%s\n", fb_style_on(color, FB_STYLE_YELLOW), fb_text_clean(line), fb_style_off(color));
}

/* Says that a file is well; cases < 0 when it is a model. */
static void report(check_run* run, const fb_model* model, int cases) {
  int advice = fb_lint_model(model, print_advice, run);
  if (advice && run->strict) run->bad++;
  if (run->quiet) return;
  char name[256], more[96] = "";
  snprintf(name, sizeof name, "%s", fb_model_name(model)[0] ? fb_model_name(model) : "no name");
  if (cases >= 0) snprintf(more, sizeof more, ", %d case%s", cases, cases == 1 ? "" : "s");
  size_t used = strlen(more);
  if (advice)
    snprintf(more + used, sizeof more - used, ", %d piece%s of advice", advice, advice == 1 ? "" : "s");
  int nbody = fb_model_nbody(model) - 1, nv = fb_model_nv(model);
  printf("%s: %s (%s: %d %s, %d degree%s of freedom%s)\n", run->file,
         advice && run->strict ? "not accepted" : "ok", fb_text_clean(name), nbody,
         nbody == 1 ? "body" : "bodies", nv, nv == 1 ? "" : "s", more);
}

/* Every case of an evaluation file; the first bad one is the error. */
static fb_status check_eval(check_run* run, const fb_doc* doc, fb_error* error) {
  fb_eval eval;
  fb_status status = fb_eval_open(&eval, doc, run->file, error);
  int cases = status == FB_OK ? fb_node_count(eval.cases) : 0;
  for (int i = 0; i < cases && status == FB_OK; i++) status = fb_eval_read_case(&eval, i, FB_NEEDS_V, error);
  if (status == FB_OK) report(run, eval.model, cases);
  fb_eval_close(&eval);
  return status;
}

/* Tries the text as an evaluation file. *found stays 0 when it is something else. */
static fb_status try_eval(check_run* run, const char* text, size_t size, int* found, fb_error* error) {
  /* A cheap look first: parsing twice would double the time of large models. */
  if (!strstr(text, "cases") || !strstr(text, "format")) return FB_OK;
  fb_doc* doc = NULL;
  fb_error ignored;
  if (fb_doc_parse(text, size, run->file, &doc, &ignored) != FB_OK) return FB_OK;
  fb_status status = FB_OK;
  if (fb_eval_is(doc)) {
    *found = 1;
    status = check_eval(run, doc, error);
  }
  fb_doc_free(doc);
  return status;
}

static fb_status check_text(check_run* run, const char* text, size_t size, fb_error* error) {
  int found = 0;
  fb_status status = try_eval(run, text, size, &found, error);
  if (status != FB_OK || found) return status;
  fb_loaded loaded;
  status = fb_load_text(text, size, run->file, NULL, &loaded, error);
  if (status == FB_OK) report(run, loaded.model, -1);
  fb_unload(&loaded);
  return status;
}

static void check_file(check_run* run, const char* file) {
  fb_error error;
  memset(&error, 0, sizeof error);
  char* text = NULL;
  size_t size = 0;
  run->file = fb_shown_name(file);
  fb_status status = fb_read_file(file, &text, &size, &error);
  if (status == FB_OK) status = check_text(run, text, size, &error);
  free(text);
  if (status == FB_OK) return;
  run->bad++;
  fb_print_error(run->app, &error);
}

static int run_check(fb_app* app, int argc, char** argv) {
  check_run run = {app, 0, 0, NULL, 0};
  const char** files = (const char**)fb_take((size_t)argc, sizeof *files);
  int count = 0, usage = FB_EXIT_OK;
  fb_option_walk walk = fb_option_start(app, argc, argv);
  for (int o; usage == FB_EXIT_OK && (o = fb_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_BAD) usage = FB_EXIT_USAGE;
    if (o == OPT_STRICT) run.strict = 1;
    if (o == OPT_QUIET) run.quiet = 1;
    if (o == FB_OPTION_OPERAND) files[count++] = walk.value;
  }
  if (usage == FB_EXIT_OK && count == 0) usage = fb_usage_error(app, "which FILE? ('-' is standard input)");
  for (int i = 0; i < count && usage == FB_EXIT_OK; i++) check_file(&run, files[i]);
  free((void*)files);
  if (usage != FB_EXIT_OK) return usage;
  return run.bad ? FB_EXIT_USAGE : FB_EXIT_OK;
}

const fb_command fb_command_check = {
    "check",
    "validate models and evaluation files; explain what is wrong",
    "[--strict] [--quiet] FILE...",
    "Reads each file as 'info' or 'eval' would and says 'ok', or on standard error what is wrong, where\n"
    "(file, line, column, path in the document) and what to do. Goes on to the next file; exit code 2 if\n"
    "any is bad. Beyond errors it advises on what is legal but looks wrong: masses without inertia, limits\n"
    "in degrees, masses that differ a million times.",
    OPTIONS,
    "  freebody check robot.urdf states.json",
    run_check,
};
