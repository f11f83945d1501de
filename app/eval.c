/* eval.c -- `freebody eval`: evaluates a model at given states and prints the same JSON with outputs. */
#include <stdlib.h>

#include <freebody/eval.h>

#include "command.h"

typedef struct eval_args {
  const char* file;
  fb_eval_options options;
  cmd_reading reading;
} eval_args;

static int read_only(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  const char** only = (const char**)member;
  (void)option;
  if (*only) cmd_usage_error(app, "give --only once, the names separated by commas");
  if (*only) return 0;
  *only = text;
  return 1;
}

#define AT(member) offsetof(eval_args, member)
static const cmd_option OPTIONS[] = {
    {"only", "NAME,NAME..", "print only these outputs (bodies.p, frames.J, mass), without the model",
     read_only, AT(options.only)},
    {"indent", "N", "spaces per level, 0 to 8; 0 prints one line (default 1)", cmd_read_indent,
     AT(options.indent)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static int run_eval(cmd_app* app, int argc, char** argv) {
  static const cmd_operands OPERANDS = {AT(file), 1, "one FILE at a time",
                                        "which FILE? ('-' is standard input)"};
  eval_args args = {.options = fb_default_eval_options()};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, &args);
  if (code != FB_EXIT_OK) return code;
  cmd_reading_apply(&args.reading, &args.options.io);
  fb_error error;
  char* text;
  size_t size;
  fb_status status = fb_eval_file(args.file, &args.options, &text, &size, &error);
  if (status != FB_OK) return cmd_input_code(app, status, &error);
  cmd_print_text(text, size);
  free(text);
  return FB_EXIT_OK;
}

const cmd_command cmd_command_eval = {
    "eval",
    "evaluate a model at given states and print the results as JSON",
    "[--only NAME,NAME..] [--indent N]\n                    " CMD_READING_USAGE " FILE",
    "Reads one file with a model and cases (states), in the format 'freebody-eval' or 'spacedyn-reference', "
    "and prints the same object with 'outputs' in every case: poses, velocities, accelerations, frames with "
    "their Jacobians, mass and centre of mass. --only selects outputs by name; some large ones (frames.Jdot, "
    "end_points.Je_dot) are printed only if it names them. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody eval --only bodies.p,frames.J states.json",
    run_eval,
};
