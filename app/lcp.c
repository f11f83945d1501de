/* lcp.c -- `freebody lcp`: solves linear complementarity problems and prints the solutions as JSON. */
#include <stdlib.h>

#include <freebody/eval.h>
#include <freebody/files.h>

#include "command.h"

enum { OPT_INDENT };

static const cmd_option OPTIONS[] = {
    {"indent", "N", "spaces per level, 0 to 8; 0 prints one line (default 1)"},
    {NULL, NULL, NULL},
};

static int solve_file(cmd_app* app, const char* file, int indent) {
  fb_error error;
  char *text = NULL, *reply = NULL;
  size_t text_size, size;
  fb_status status = fb_file_read(file, &text, &text_size, &error);
  if (status == FB_OK)
    status = fb_eval_lcp(text, text_size, cmd_shown_name(file), indent, &reply, &size, &error);
  free(text);
  if (status != FB_OK) {
    cmd_print_error(app, &error);
    return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  }
  cmd_print_text(reply, size);
  free(reply);
  return FB_EXIT_OK;
}

static int run_lcp(cmd_app* app, int argc, char** argv) {
  const char* file = NULL;
  int indent = 1;
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_BAD) return FB_EXIT_USAGE;
    if (o == OPT_INDENT && !cmd_option_int(app, "indent", walk.value, 0, 8, &indent)) return FB_EXIT_USAGE;
    if (o != FB_OPTION_OPERAND) continue;
    if (file) return cmd_usage_error(app, "unexpected argument '%s'; one FILE at a time", walk.value);
    file = walk.value;
  }
  if (!file) return cmd_usage_error(app, "which FILE? ('-' is standard input)");
  return solve_file(app, file, indent);
}

const cmd_command cmd_command_lcp = {
    "lcp",
    "solve linear complementarity problems and print the solutions as JSON",
    "[--indent N] FILE",
    "Solves w = M z + q, w >= 0, z >= 0, w . z = 0 by Lemke's method. FILE is JSON, an object with\n"
    "the list 'problems', whose items have 'id' (a number or a text), 'n', 'M' (a list of rows) and\n"
    "'q'; other keys are ignored. For every problem its 'id' and these are printed:\n"
    "  status        'solution', 'ray' (none was found, and there may be none) or 'inexact' (the best\n"
    "                z found has a larger residual than a solution may have)\n"
    "  z, w          lists of numbers; null on a ray\n"
    "  residual      the largest |min(z, w)|; rel_residual: the same over max(1, |q|), at most 1e-10\n"
    "                for a solution",
    OPTIONS,
    "  freebody lcp problems.json",
    run_lcp,
};
