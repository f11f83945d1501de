/* notes.c -- notes to the caller, and those that several readers make in the same words. */
#include "format/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <freebody/spatial.h>
#include <freebody/support/words.h>

#include "model/definition/check.h"
#include "model/model.h"

fb_status fb_io_note(const fb_io_options* options, const char* format, ...) {
  if (!options || !options->note) return FB_OK;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  options->note(options->note_user, text);
  return FB_OK;
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

static void note_repair(void* user, fb_place place, const char* text) {
  const fb_io_options* options = (const fb_io_options*)user;
  if (place.line > 0)
    fb_io_note(options, "line %d: %s", place.line, text);
  else
    fb_io_note(options, "%s", text);
}

fb_inertia_policy fb_io_inertia_policy(const fb_io_options* options, fb_inertia_policy by_format) {
  return options && options->inertia != FB_INERTIA_BY_FORMAT ? options->inertia : by_format;
}

void fb_io_apply_inertia(const fb_io_options* options, fb_inertia_policy by_format, fb_model_def* def) {
  fb_inertia_policy policy = fb_io_inertia_policy(options, by_format);
  fb_model_def_set_keeps_inertia(def, policy == FB_INERTIA_KEEP);
  if (policy != FB_INERTIA_REPAIR) return;
  for (int b = 1; b < fb_model_def_nbody(def); b++) fb_model_def_set_repaired(def, b);
  fb_model_def_repair(def, note_repair, (void*)options);
}

void fb_note_kept_inertia(const fb_model_def* def, const fb_io_options* options) {
  int count = 0;
  for (int b = 1; fb_model_def_keeps_inertia(def) && b < fb_model_def_nbody(def); b++) {
    const fb_body_def* body = fb_model_def_body(def, b);
    count += body->mass < 0 || !fb_inertia_is_possible(body->inertia);
  }
  if (count > 0)
    fb_io_note(options,
               "%d bod%s a mass or an inertia that no body can have; the format has no key that keeps it, so "
               "read the file with --inertia keep",
               count, count == 1 ? "y has" : "ies have");
}
