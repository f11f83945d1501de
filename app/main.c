/* main.c -- the `freebody` command: the table of subcommands, help and version. */
#include <stdio.h>
#include <string.h>

#include <freebody/version.h>
#include <freebody/support/words.h>

#include "command.h"

/* One row a subcommand; its name, help and code stand in the file of that name. */
static const cmd_command* const COMMANDS[] = {
    &cmd_command_run,    &cmd_command_view, &cmd_command_info,    &cmd_command_check, &cmd_command_convert,
    &cmd_command_export, &cmd_command_plot, &cmd_command_compare, &cmd_command_eval,  &cmd_command_lcp,
    &cmd_command_bench,  &cmd_command_new,  &cmd_command_schema,  &cmd_command_fmu,   &cmd_command_sfunction,
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const cmd_command* find_command(const char* name) {
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
  return NULL;
}

static void print_overview(FILE* out, int color) {
  const char *bold = cmd_style_on(color, FB_STYLE_BOLD), *off = cmd_style_off(color);
  fprintf(out, "%sfreebody%s %s -- the motion of articulated bodies on a moving base\n\n", bold, off,
          fb_version());
  fprintf(out, "Usage: freebody COMMAND [OPTION]... FILE...\n\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "  %s%-11s%s%s\n", bold, COMMANDS[i]->name, off, COMMANDS[i]->summary);
  fprintf(out, "  %s%-11s%s%s\n", bold, "help", off, "describe a command: freebody help COMMAND");
  fprintf(
      out,
      "\nThe FILE '-' is standard input. Exit codes: 0 success, 1 failure, 2 wrong usage or bad input.\n");
  fprintf(out,
          "'freebody COMMAND --help' lists a command's options and an example; 'freebody --version' prints "
          "the version.\n");
}

/* Paragraphs in lines of at most 98 characters; those that begin with a blank stay as they are. */
static void print_wrapped(const char* text) {
  enum { WIDTH = 98 };
  int column = 0, kept = 0;
  for (const char* p = text; *p;) {
    int length = (int)strcspn(p, " \n"), breaks = (int)strspn(p + length, "\n");
    const char* next = p + length + (breaks ? breaks : p[length] == ' ');
    if (column > 0 && !kept && column + 1 + length > WIDTH) column = putchar('\n') - '\n';
    printf("%s%.*s", column > 0 ? " " : "", length, p);
    column += length + (column > 0);
    int indented = breaks && *next == ' ';
    if (breaks > 1 || indented || (breaks && kept)) {
      for (int i = 0; i < breaks; i++) putchar('\n');
      column = 0;
      kept = indented;
      for (; indented && *next == ' '; next++) putchar(' ');
    }
    p = next;
  }
  putchar('\n');
}

static void print_help(const cmd_app* app, const cmd_command* command) {
  const char *bold = cmd_style_on(app->color_out, FB_STYLE_BOLD), *off = cmd_style_off(app->color_out);
  printf("%sfreebody %s%s -- %s\n\n", bold, command->name, off, command->summary);
  printf("Usage: freebody %s %s\n\n", command->name, command->usage);
  print_wrapped(command->about);
  printf("\nOptions:\n");
  for (const cmd_option* o = command->options; o->name; o++) {
    char head[64];
    snprintf(head, sizeof head, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    printf("  %-22s %s\n", head, o->help);
  }
  printf("  %-22s %s\n", "--color WHEN", "always, never or auto (a terminal, and NO_COLOR unset)");
  printf("  %-22s %s\n", "--help", "this text");
  printf("\nExample:\n%s\n", command->example);
}

static int unknown_command(const char* name) {
  const char* names[COMMAND_COUNT + 2];
  for (int i = 0; i < COMMAND_COUNT; i++) names[i] = COMMANDS[i]->name;
  names[COMMAND_COUNT] = "help";
  names[COMMAND_COUNT + 1] = NULL;
  const char* near = fb_nearest_word(name, names);
  char shown[64];
  snprintf(shown, sizeof shown, "%s", name);
  cmd_text_clean(shown);
  if (near)
    fprintf(stderr, "freebody: there is no command '%s'; did you mean '%s'?\n", shown, near);
  else
    fprintf(stderr, "freebody: there is no command '%s'. 'freebody --help' lists them.\n", shown);
  return FB_EXIT_USAGE;
}

/* Whether --help stands among the options (not after "--"). */
static int is_help_request(int argc, char** argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
  return 0;
}

static int run_help(cmd_app* app, int argc, char** argv) {
  if (argc == 0 || is_help_request(argc, argv)) {
    print_overview(stdout, app->color_out);
    return FB_EXIT_OK;
  }
  const cmd_command* command = find_command(argv[0]);
  if (!command) return unknown_command(argv[0]);
  print_help(app, command);
  return FB_EXIT_OK;
}

/* Words that --color takes before the subcommand: 1, 2, 0 when it is something else, -1 when it is wrong. */
static int take_color(cmd_app* app, int argc, char** argv) {
  if (strncmp(argv[0], "--color=", 8) == 0) return cmd_option_color(app, argv[0] + 8) ? 1 : -1;
  if (strcmp(argv[0], "--color") != 0) return 0;
  return cmd_option_color(app, argc > 1 ? argv[1] : NULL) ? 2 : -1;
}

static int dispatch(cmd_app* app, int argc, char** argv) {
  if (argc < 1) {
    print_overview(stderr, app->color_err);
    return FB_EXIT_USAGE;
  }
  for (int used; argc > 0 && (used = take_color(app, argc, argv)) != 0; argc -= used, argv += used)
    if (used < 0) return FB_EXIT_USAGE;
  if (argc < 1) return cmd_usage_error(app, "which COMMAND?");
  const char* word = argv[0];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return run_help(app, 0, NULL);
  if (strcmp(word, "help") == 0) return run_help(app, argc - 1, argv + 1);
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("freebody %s\n", fb_version());
    return FB_EXIT_OK;
  }
  if (word[0] == '-' && word[1]) {
    static const char* const known[] = {"--help", "--version", "--color", NULL};
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    char near[FB_SUGGESTION_SIZE];
    return cmd_usage_error(app, "unknown option '%s'%s", word, fb_suggestion(name, known, near));
  }
  app->command = find_command(word);
  if (!app->command) return unknown_command(word);
  if (is_help_request(argc - 1, argv + 1)) {
    print_help(app, app->command);
    return FB_EXIT_OK;
  }
  return app->command->run(app, argc - 1, argv + 1);
}

int main(int argc, char** argv) {
  cmd_app app = {.color_out = cmd_terminal_color(stdout), .color_err = cmd_terminal_color(stderr)};
  int code = dispatch(&app, argc > 0 ? argc - 1 : 0, argv + 1);
  return cmd_finish_output(&app, code);
}
