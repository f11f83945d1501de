/* notes.c -- notes that several readers make in the same words. */
#include "io/notes.h"

#include <stdio.h>
#include <string.h>

void fb_note_base(const fb_io_options* options) {
  if (!options || !options->note || options->base == FB_BASE_AS_FILE) return;
  options->note(options->note_user,
                "the base stands as the file says; only a URDF leaves open whether it floats");
}

void fb_note_unread_keys(const fb_node* map, const char* const* known, const fb_io_options* options) {
  if (!options || !options->note) return;
  for (int i = 0; i < fb_node_count(map); i++) {
    const char* key = fb_map_key(map, i);
    int k = 0;
    while (known[k] && strcmp(key, known[k]) != 0) k++;
    if (known[k]) continue;
    const char* near = fb_nearest_word(key, known);
    char text[256];
    snprintf(text, sizeof text, "lost: line %d: '%.60s' is not read%s%s%s", fb_map_key_place(map, i).line,
             key, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    options->note(options->note_user, text);
  }
}
