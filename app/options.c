/* options.c -- the small option parser shared by all subcommands: --name, --name=value, --name value, -o for
 * --output, "--" before operands that begin with a dash, "-" as an operand. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/text.h>
#include <freebody/support/words.h>

#include "command.h"

enum { MAX_OPTIONS = 24 };
/* What is found besides an index into the command's options; OPTION_HANDLED: a common one, already dealt with. */
enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_BAD = -3, OPTION_HANDLED = -4 };

typedef struct walk_state {
  cmd_app* app;
  int argc;
  char** argv;
  int at;
  int operands_only; /* after "--" */
  const char* value; /* of the option or operand last found */
} walk_state;

int cmd_usage_error(const cmd_app* app, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const char* name = app->command ? app->command->name : "";
  const char* space = app->command ? " " : "";
  fprintf(stderr, "freebody%s%s: %s\nTry 'freebody%s%s --help'.\n", space, name, cmd_text_clean(text), space,
          name);
  return FB_EXIT_USAGE;
}

/* The index of the option called name[0 .. length), or -1. */
static int find_option(const cmd_option* options, const char* name, size_t length) {
  for (int i = 0; options[i].name; i++)
    if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) return i;
  return -1;
}

static int unknown_option(const walk_state* walk, const char* name, size_t length) {
  const char* names[MAX_OPTIONS + 3];
  int n = 0;
  const cmd_option* options = walk->app->command->options;
  for (; options[n].name && n < MAX_OPTIONS; n++) names[n] = options[n].name;
  names[n++] = "help";
  names[n++] = "color";
  names[n] = NULL;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
  const char* near = fb_nearest_word(word, names);
  if (near)
    cmd_usage_error(walk->app, "unknown option '--%s'; did you mean '--%s'?", word, near);
  else
    cmd_usage_error(walk->app, "unknown option '--%s'", word);
  return OPTION_BAD;
}

/* The value after '=' or in the next word; NULL when there is none. */
static const char* take_value(walk_state* walk, const char* equals) {
  if (equals) return equals + 1;
  return walk->at < walk->argc ? walk->argv[walk->at++] : NULL;
}

/* A value that may be left out stands after '=', or is the next word when that begins as a number and names no
 * file: 0.5s is a number that somebody gave a unit, 2nd.yaml an operand. */
static const char* take_optional(walk_state* walk, const char* equals) {
  double number;
  if (equals) return equals + 1;
  const char* next = walk->at < walk->argc ? walk->argv[walk->at] : "";
  const char* rest = fb_number_parse(next, &number);
  if (!rest || (*rest && access(next, F_OK) == 0)) return NULL;
  return walk->argv[walk->at++];
}

int cmd_option_color(cmd_app* app, const char* when) {
  if (when && strcmp(when, "always") == 0)
    app->color_out = app->color_err = 1;
  else if (when && strcmp(when, "never") == 0)
    app->color_out = app->color_err = 0;
  else if (!when || strcmp(when, "auto") != 0)
    return cmd_refuse(app, "--color takes always, never or auto%s%s%s", when ? ", not '" : "",
                      when ? when : "", when ? "'" : "");
  return 1;
}

static int read_long_option(walk_state* walk, const char* name) {
  const char* equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  if (length == 5 && strncmp(name, "color", 5) == 0)
    return cmd_option_color(walk->app, take_value(walk, equals)) ? OPTION_HANDLED : OPTION_BAD;
  const cmd_option* options = walk->app->command->options;
  int index = find_option(options, name, length);
  if (index < 0) return unknown_option(walk, name, length);
  if (!options[index].value) {
    walk->value = NULL;
    if (!equals) return index;
    cmd_usage_error(walk->app, "--%s takes no value", options[index].name);
    return OPTION_BAD;
  }
  if (options[index].value[0] == '[') {
    walk->value = take_optional(walk, equals);
    return index;
  }
  walk->value = take_value(walk, equals);
  if (walk->value && walk->value[0]) return index;
  cmd_usage_error(walk->app, "--%s needs a value (%s)", options[index].name, options[index].value);
  return OPTION_BAD;
}

static int read_word(walk_state* walk, const char* word) {
  if (!walk->operands_only && strcmp(word, "--") == 0) {
    walk->operands_only = 1;
    return OPTION_HANDLED;
  }
  if (walk->operands_only || word[0] != '-' || !word[1]) {
    walk->value = word;
    if (word[0]) return OPTION_OPERAND;
    cmd_usage_error(walk->app, "an empty file name was given");
    return OPTION_BAD;
  }
  if (word[1] == '-') return read_long_option(walk, word + 2);
  if (strcmp(word, "-o") == 0 && find_option(walk->app->command->options, "output", 6) >= 0)
    return read_long_option(walk, "output");
  cmd_usage_error(walk->app, "unknown option '%s'; options are written with two dashes", word);
  return OPTION_BAD;
}

static int find_next(walk_state* walk) {
  while (walk->at < walk->argc) {
    int found = read_word(walk, walk->argv[walk->at++]);
    if (found != OPTION_HANDLED) return found;
  }
  return OPTION_END;
}

static int read_into(cmd_app* app, int index, const char* text, void* args) {
  const cmd_option* option = &app->command->options[index];
  char* member = (char*)args + option->at;
  app->given |= 1u << index;
  if (option->read) return option->read(app, option, text, member);
  if (option->value)
    *(const char**)(void*)member = text;
  else
    *(int*)(void*)member = 1;
  return 1;
}

int cmd_options_read(cmd_app* app, int argc, char** argv, const cmd_operands* operands, void* args) {
  walk_state walk = {app, argc, argv, 0, 0, NULL};
  char* member = (char*)args + operands->at;
  const char** list = operands->most > 0 ? (const char**)(void*)member : *(const char***)(void*)member;
  int n = 0;
  for (int found; (found = find_next(&walk)) != OPTION_END;) {
    if (found == OPTION_BAD || (found >= 0 && !read_into(app, found, walk.value, args))) return FB_EXIT_USAGE;
    if (found >= 0) continue;
    if (n == operands->most && n > 0)
      return cmd_usage_error(app, "unexpected argument '%s'; %s", walk.value, operands->too_many);
    list[n++] = walk.value;
  }
  if (n == 0 && operands->which) return cmd_usage_error(app, "%s", operands->which);
  return FB_EXIT_OK;
}

int cmd_option_is_given(const cmd_app* app, const char* name) {
  return (int)(app->given >> find_option(app->command->options, name, strlen(name)) & 1);
}

/* ---- values ---- */

int cmd_option_int(const cmd_app* app, const char* option, const char* text, int lo, int hi, int* out) {
  char* end = NULL;
  long x = strtol(text, &end, 10);
  if (end != text && !*end && x >= lo && x <= hi) {
    *out = (int)x;
    return 1;
  }
  return cmd_refuse(app, "--%s takes a whole number from %d to %d, not '%s'", option, lo, hi, text);
}

int cmd_option_word(const cmd_app* app, const cmd_option* option, const char* text,
                    const char* const* words) {
  char list[80] = "";
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return i;
  for (int i = 0; words[i]; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  cmd_usage_error(app, "--%s takes %s, not '%s'", option->name, list, text);
  return -1;
}

int cmd_option_time(const cmd_app* app, const char* option, const char* text, double* out) {
  if (fb_time_parse(text, out)) return 1;
  return cmd_refuse(app, "--%s takes a time, as 20, 20s or 5min, not '%s'", option, text);
}

int cmd_read_time(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  return cmd_option_time(app, option->name, text, (double*)member);
}

int cmd_read_duration(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  const double* x = (const double*)member;
  if (!cmd_read_time(app, option, text, member)) return 0;
  if (*x > 0 && *x <= 1e12) return 1;
  return cmd_refuse(app, "--duration takes a time of more than 0 and at most 1e12 s, not '%s'", text);
}

int cmd_read_indent(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  return cmd_option_int(app, option->name, text, 0, 8, (int*)member);
}

int cmd_read_text(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  (void)app, (void)option;
  const char** list = *(const char***)member;
  while (*list) list++;
  *list = text;
  return 1;
}

int cmd_read_set(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  if (strchr(text, '=')) return cmd_read_text(app, option, text, member);
  return cmd_refuse(app, "--set takes KEY=VALUE, not '%s'", text);
}
