/* eval.c -- `freebody eval`: evaluates a model at given states and prints the same JSON with outputs. */
#include <stdlib.h>
#include <string.h>

#include <freebody/files.h>
#include <freebody/json.h>

#include "command.h"
#include "eval/eval.h"
#include "document/echo.h"

enum { OPT_ONLY, OPT_INDENT };

static const cmd_option OPTIONS[] = {
    {"only", "NAME,NAME..", "print these outputs only (bodies.p, frames.J, mass), and no model"},
    {"indent", "N", "spaces a level, 0 to 8; 0 prints one line (default 1)"},
    {NULL, NULL, NULL},
};

/* The case as it was read, with its outputs at the end. */
static void write_case(cmd_eval* eval, int index, const char* wanted, fb_json* json) {
  const fb_node* node = fb_node_item(eval->cases, index);
  fb_json_begin_map(json);
  for (int i = 0; i < fb_node_count(node); i++) {
    if (strcmp(fb_map_key(node, i), "outputs") == 0) continue;
    fb_json_key(json, fb_map_key(node, i));
    fb_json_node(json, fb_map_value(node, i));
  }
  fb_json_key(json, "outputs");
  cmd_eval_write(eval, wanted, json);
  fb_json_end_map(json);
}

static fb_status write_cases(cmd_eval* eval, const char* wanted, fb_json* json, fb_error* error) {
  unsigned needs = cmd_eval_needs(eval->format, wanted);
  fb_json_begin_list(json);
  for (int i = 0; i < fb_node_count(eval->cases); i++) {
    fb_status status = cmd_eval_read_case(eval, i, needs, error);
    if (status != FB_OK) return status;
    cmd_eval_compute(eval, needs);
    write_case(eval, i, wanted, json);
  }
  fb_json_end_list(json);
  return FB_OK;
}

/* The file's own object; with --only the model is left out. */
static fb_status write_reply(cmd_eval* eval, const fb_node* root, const char* only, fb_json* json,
                             fb_error* error) {
  char wanted[FB_EVAL_MAX_OUTPUTS];
  fb_status status = cmd_eval_select(eval->format, only, wanted, error);
  fb_json_begin_map(json);
  for (int i = 0; i < fb_node_count(root) && status == FB_OK; i++) {
    const char* key = fb_map_key(root, i);
    if (only && strcmp(key, "model") == 0) continue;
    fb_json_key(json, key);
    if (strcmp(key, "cases") == 0)
      status = write_cases(eval, wanted, json, error);
    else
      fb_json_node(json, fb_map_value(root, i));
  }
  fb_json_end_map(json);
  return status;
}

/* Reads, computes and prints into memory, so that nothing is printed when a later case is bad. */
static fb_status evaluate(const char* file, const char* only, fb_json* json, fb_error* error) {
  char* text = NULL;
  size_t size = 0;
  fb_doc* doc = NULL;
  cmd_eval eval;
  memset(&eval, 0, sizeof eval);
  fb_status status = fb_file_read(file, &text, &size, error);
  if (status == FB_OK && text[strspn(text, " \t\r\n")] == '<') {
    fb_place first = {1, 1};
    status =
        fb_fail(error, FB_ERR_CONTENT,
                "this is XML: a model, not an evaluation file; see freebody info. An evaluation file may "
                "name it as its `model`");
    fb_error_set_place(error, cmd_shown_name(file), NULL, first);
  }
  if (status == FB_OK) status = fb_doc_parse(text, size, cmd_shown_name(file), &doc, error);
  free(text);
  if (status == FB_OK) status = cmd_eval_open(&eval, doc, cmd_shown_name(file), NULL, error);
  if (status == FB_OK) status = write_reply(&eval, fb_doc_root(doc), only, json, error);
  cmd_eval_close(&eval);
  fb_doc_free(doc);
  return status;
}

static int run_eval(cmd_app* app, int argc, char** argv) {
  const char *file = NULL, *only = NULL;
  int indent = 1;
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == OPT_ONLY) {
      if (only) return cmd_usage_error(app, "give --only once, the names separated by commas");
      only = walk.value;
    } else if (o == OPT_INDENT) {
      if (!cmd_option_int(app, "indent", walk.value, 0, 8, &indent)) return FB_EXIT_USAGE;
    } else if (o == FB_OPTION_OPERAND && !file) {
      file = walk.value;
    } else {
      return o == FB_OPTION_BAD ? FB_EXIT_USAGE
                                : cmd_usage_error(app, "one FILE at a time; '%s' is too many", walk.value);
    }
  }
  if (!file) return cmd_usage_error(app, "which FILE? ('-' is standard input)");
  fb_error error;
  memset(&error, 0, sizeof error);
  fb_json* json = fb_json_new(indent);
  fb_status status =
      json ? evaluate(file, only, json, &error) : fb_fail(&error, FB_ERR_MEMORY, "out of memory");
  if (status != FB_OK) {
    cmd_print_error(app, &error);
    fb_json_free(json);
    return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  }
  size_t size = 0;
  char* text = fb_json_finish(json, &size);
  if (!text) {
    fb_fail(&error, FB_ERR_MEMORY, "out of memory while writing the outputs; choose fewer with --only");
    cmd_print_error(app, &error);
    return FB_EXIT_FAILED;
  }
  cmd_print_text(text, size);
  free(text);
  return FB_EXIT_OK;
}

const cmd_command cmd_command_eval = {
    "eval",
    "evaluate a model at given states and print the results as JSON",
    "[--only NAME,NAME..] [--indent N] FILE",
    "Reads one file that holds a model and cases (states), in the format 'freebody-eval' or\n"
    "'spacedyn-reference', and prints the same object with 'outputs' in every case: poses, velocities,\n"
    "accelerations, frames with their Jacobians, mass and centre of mass. --only chooses outputs by name;\n"
    "some large ones (frames.Jdot, end_points.Je_dot) come only when it names them.",
    OPTIONS,
    "  freebody eval --only bodies.p,frames.J states.json",
    run_eval,
};
