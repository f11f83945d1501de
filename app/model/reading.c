/* reading.c -- --base, --inertia, --mimic and --package: how models are read, the same in every command that reads one. */
#include <string.h>

#include "command.h"

int cmd_read_base(const cmd_app* app, const cmd_option* option, const char* text, void* reading) {
  static const char* const words[] = {"free", "fixed", NULL};
  const int word = cmd_option_word(app, option, text, words);
  if (word >= 0) ((cmd_reading*)reading)->base = (fb_base)(FB_BASE_FREE + word);
  return word >= 0;
}

int cmd_read_inertia(const cmd_app* app, const cmd_option* option, const char* text, void* reading) {
  static const char* const words[] = {"strict", "repair", "keep", NULL};
  const int word = cmd_option_word(app, option, text, words);
  if (word >= 0) ((cmd_reading*)reading)->inertia = (fb_inertia_policy)(FB_INERTIA_STRICT + word);
  return word >= 0;
}

int cmd_read_mimic(const cmd_app* app, const cmd_option* option, const char* text, void* reading) {
  static const char* const words[] = {"free", "fixed", "coupled", NULL};
  const int word = cmd_option_word(app, option, text, words);
  if (word >= 0) ((cmd_reading*)reading)->mimic = (fb_mimic)(FB_MIMIC_FREE + word);
  return word >= 0;
}

int cmd_read_package(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  cmd_reading* reading = (cmd_reading*)member;
  const char* equals = strchr(text, '=');
  (void)option;
  if (!equals || equals == text || !equals[1])
    return cmd_refuse(app, "--package takes NAME=DIR, not '%s'", text);
  if (reading->npackage == CMD_MAX_PACKAGES)
    return cmd_refuse(app, "more than %d --package options", (int)CMD_MAX_PACKAGES);
  reading->packages[reading->npackage++] = text;
  return 1;
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
