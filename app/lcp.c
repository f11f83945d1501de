/* lcp.c -- `freebody lcp`: solves linear complementarity problems and prints the solutions as JSON. */
#include <stdlib.h>

#include <freebody/eval.h>
#include <freebody/support/files.h>

#include "command.h"

typedef struct lcp_args {
  const char* file;
  int indent;
} lcp_args;

static const cmd_option OPTIONS[] = {
    {"indent", "N", "spaces per level, 0 to 8; 0 prints one line (default 1)", cmd_read_indent,
     offsetof(lcp_args, indent)},
    {NULL, NULL, NULL, NULL, 0},
};

static int solve_file(cmd_app* app, const char* file, int indent) {
  fb_error error;
  char *text = NULL, *reply = NULL;
  size_t text_size, size;
  fb_status status = fb_file_read(file, &text, &text_size, &error);
  if (status == FB_OK)
    status = fb_eval_lcp(text, text_size, cmd_shown_name(file), indent, &reply, &size, &error);
  free(text);
  if (status != FB_OK) return cmd_input_code(app, status, &error);
  cmd_print_text(reply, size);
  free(reply);
  return FB_EXIT_OK;
}

static int run_lcp(cmd_app* app, int argc, char** argv) {
  static const cmd_operands OPERANDS = {offsetof(lcp_args, file), 1, "one FILE at a time",
                                        "which FILE? ('-' is standard input)"};
  lcp_args args = {.indent = 1};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, &args);
  if (code != FB_EXIT_OK) return code;
  return solve_file(app, args.file, args.indent);
}

const cmd_command cmd_command_lcp = {
    "lcp",
    "solve linear complementarity problems and print the solutions as JSON",
    "[--indent N] FILE",
    "Solves w = M z + q, w >= 0, z >= 0, w . z = 0 by Lemke's method. FILE is JSON, an object with the list "
    "'problems', whose items have 'id' (a number or a text), 'n', 'M' (a list of rows) and 'q'; other keys "
    "are ignored. For every problem its 'id' and these are printed:\n"
    "  status        'solution', 'ray' (none was found, and there may be none) or 'inexact' (the best\n"
    "                z found has a larger residual than a solution may have)\n"
    "  z, w          lists of numbers; null on a ray\n"
    "  residual      the largest |min(z, w)|; rel_residual: the same over max(1, |q|), at most 1e-10\n"
    "                for a solution",
    OPTIONS,
    "  freebody lcp problems.json",
    run_lcp,
};
