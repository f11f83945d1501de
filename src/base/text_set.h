/* text_set.h -- texts that have been met, to find the second of a name in constant time: a hash table, FNV-1a and linear
 * probing. It keeps pointers, so the texts must stay where they are. Begin with zeros; free(set.slots) ends it. */
#ifndef FB_BASE_TEXT_SET_H
#define FB_BASE_TEXT_SET_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

typedef struct fb_text_set {
  const char** slots;
  size_t count, room; /* room: a power of two, at least twice the count; or 0 */
} fb_text_set;

static inline size_t fb_text_set_slot(const char* const* slots, size_t room, const char* text) {
  size_t i = fb_fnv_slot(text, room);
  while (slots[i] && strcmp(slots[i], text) != 0) i = (i + 1) & (room - 1);
  return i;
}

static inline int fb_text_set_has(const fb_text_set* set, const char* text) {
  return set->room && set->slots[fb_text_set_slot(set->slots, set->room, text)];
}

/* 0 when there is no room for it. */
static inline int fb_text_set_add(fb_text_set* set, const char* text) {
  if (2 * (set->count + 1) > set->room) {
    size_t room = set->room ? 2 * set->room : 64;
    const char** slots = (const char**)calloc(room, sizeof *slots);
    if (!slots) return 0;
    for (size_t i = 0; i < set->room; i++)
      if (set->slots[i]) slots[fb_text_set_slot(slots, room, set->slots[i])] = set->slots[i];
    free((void*)set->slots);
    set->slots = slots;
    set->room = room;
  }
  size_t at = fb_text_set_slot(set->slots, set->room, text);
  set->count += !set->slots[at];
  set->slots[at] = text;
  return 1;
}

#endif
