/* eval.c -- `freebody eval`: evaluates a model at given states and prints the same JSON with outputs. */
#include <stdlib.h>

#include <freebody/eval.h>

#include "command.h"

enum { OPT_ONLY, OPT_INDENT };

static const cmd_option OPTIONS[] = {
    {"only", "NAME,NAME..", "print only these outputs (bodies.p, frames.J, mass), without the model"},
    {"indent", "N", "spaces per level, 0 to 8; 0 prints one line (default 1)"},
    CMD_READING_OPTIONS,
    {NULL, NULL, NULL},
};

static int run_eval(cmd_app* app, int argc, char** argv) {
  const char* file = NULL;
  fb_eval_options options = fb_default_eval_options();
  cmd_reading reading = {0};
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    int taken = cmd_reading_take(&walk, o, &reading);
    if (taken < 0) return FB_EXIT_USAGE;
    if (taken) continue;
    if (o == OPT_ONLY) {
      if (options.only) return cmd_usage_error(app, "give --only once, the names separated by commas");
      options.only = walk.value;
    } else if (o == OPT_INDENT) {
      if (!cmd_option_int(app, "indent", walk.value, 0, 8, &options.indent)) return FB_EXIT_USAGE;
    } else if (o == FB_OPTION_OPERAND && !file) {
      file = walk.value;
    } else {
      return o == FB_OPTION_BAD
                 ? FB_EXIT_USAGE
                 : cmd_usage_error(app, "unexpected argument '%s'; one FILE at a time", walk.value);
    }
  }
  if (!file) return cmd_usage_error(app, "which FILE? ('-' is standard input)");
  cmd_reading_apply(&reading, &options.io);
  fb_error error;
  char* text;
  size_t size;
  fb_status status = fb_eval_file(file, &options, &text, &size, &error);
  if (status != FB_OK) {
    cmd_print_error(app, &error);
    return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  }
  cmd_print_text(text, size);
  free(text);
  return FB_EXIT_OK;
}

const cmd_command cmd_command_eval = {
    "eval",
    "evaluate a model at given states and print the results as JSON",
    "[--only NAME,NAME..] [--indent N]\n                    " CMD_READING_USAGE " FILE",
    "Reads one file with a model and cases (states), in the format 'freebody-eval' or\n"
    "'spacedyn-reference', and prints the same object with 'outputs' in every case: poses,\n"
    "velocities, accelerations, frames with their Jacobians, mass and centre of mass. --only selects\n"
    "outputs by name; some large ones (frames.Jdot, end_points.Je_dot) are printed only if it names\n"
    "them. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody eval --only bodies.p,frames.J states.json",
    run_eval,
};
