/* notes.c -- notes to the caller, and those that several readers make in the same words. */
#include "format/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <freebody/words.h>

#include "model/check.h"

void fb_io_note(const fb_io_options* options, const char* format, ...) {
  if (!options || !options->note) return;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  options->note(options->note_user, text);
}

int fb_io_go_on(const fb_io_options* options, fb_status status, const fb_error* error) {
  if (!options || !options->complain || status == FB_ERR_MEMORY) return 0;
  return options->complain(options->complain_user, error);
}

void fb_complain_bodies(const fb_model_def* def, const fb_io_options* options) {
  fb_error error;
  if (!options || !options->complain) return;
  for (int i = 1; i < fb_model_def_nbody(def); i++) {
    fb_status status = fb_check_body(def, i, &error);
    if (status && !fb_io_go_on(options, status, &error)) return;
  }
}

void fb_note_base(const fb_io_options* options) {
  if (!options || options->base == FB_BASE_AS_FILE) return;
  fb_io_note(options,
             "the base is attached as the file says; only a URDF does not specify whether it floats");
}

void fb_note_unread_keys(const fb_node* map, const char* const* known, const fb_io_options* options) {
  if (!options || !options->note) return;
  for (int i = 0; i < fb_node_count(map); i++) {
    const char* key = fb_map_key(map, i);
    int k = 0;
    while (known[k] && strcmp(key, known[k]) != 0) k++;
    if (known[k]) continue;
    char near[FB_SUGGESTION_SIZE];
    fb_io_note(options, "lost: line %d: '%.60s' is not read%s", fb_map_key_place(map, i).line, key,
               fb_suggestion(key, known, near));
  }
}
