/* reading.c -- --base, --inertia, --mimic and --package: how models are read, the same in every command that reads one. */
#include <string.h>

#include "command.h"

/* The index of a word in a list that ends with NULL; -1 after a usage error. */
static int find_word(const cmd_app* app, const char* option, const char* text, const char* const* words) {
  char list[80] = "";
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return i;
  for (int i = 0; words[i]; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  cmd_usage_error(app, "--%s takes %s, not '%s'", option, list, text);
  return -1;
}

static int add_package(const cmd_app* app, const char* text, cmd_reading* reading) {
  const char* equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1]) {
    cmd_usage_error(app, "--package takes NAME=DIR, not '%s'", text);
    return -1;
  }
  if (reading->npackage == CMD_MAX_PACKAGES) {
    cmd_usage_error(app, "more than %d --package options", (int)CMD_MAX_PACKAGES);
    return -1;
  }
  reading->packages[reading->npackage++] = text;
  return 1;
}

int cmd_reading_take(const cmd_option_walk* walk, int option, cmd_reading* reading) {
  static const char *const bases[] = {"free", "fixed", NULL},
                           *const mimics[] = {"free", "fixed", "coupled", NULL},
                           *const inertias[] = {"strict", "repair", "keep", NULL};
  static const struct {
    const char* name;
    const char* const* words;
    size_t offset; /* in cmd_reading */
    int first;     /* what the first word stands for */
  } rows[] = {
      {"base", bases, offsetof(cmd_reading, base), FB_BASE_FREE},
      {"inertia", inertias, offsetof(cmd_reading, inertia), FB_INERTIA_STRICT},
      {"mimic", mimics, offsetof(cmd_reading, mimic), FB_MIMIC_FREE},
  };
  if (option < 0) return 0;
  const char* name = walk->app->command->options[option].name;
  if (strcmp(name, "package") == 0) return add_package(walk->app, walk->value, reading);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(name, rows[i].name) != 0) continue;
    int word = find_word(walk->app, name, walk->value, rows[i].words);
    if (word < 0) return -1;
    *(int*)(void*)((char*)reading + rows[i].offset) = rows[i].first + word;
    return 1;
  }
  return 0;
}

void cmd_reading_apply(const cmd_reading* reading, fb_io_options* io) {
  io->base = reading->base;
  io->inertia = reading->inertia;
  io->mimic = reading->mimic;
  io->packages = reading->npackage ? reading->packages : NULL;
}

int cmd_reading_is_given(const cmd_reading* reading) {
  return reading->base != FB_BASE_AS_FILE || reading->inertia != FB_INERTIA_BY_FORMAT ||
         reading->mimic != FB_MIMIC_DEFAULT || reading->npackage > 0;
}
