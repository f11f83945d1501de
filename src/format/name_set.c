/* name_set.c -- a hash table of names, FNV-1a and linear probing. See format/name_set.h. */
#include "format/name_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy_text.h"
#include "base/fnv.h"

static size_t slot_of(char* const* slots, size_t room, const char* name) {
  size_t i = fb_fnv_slot(name, room);
  while (slots[i] && strcmp(slots[i], name) != 0) i = (i + 1) & (room - 1);
  return i;
}

/* Keeps at least half of the slots empty. */
static int make_room(fb_name_set* set) {
  if (2 * (set->count + 1) <= set->room) return 1;
  size_t room = set->room ? 2 * set->room : 64;
  char** slots = calloc(room, sizeof *slots);
  if (!slots) return 0;
  for (size_t i = 0; i < set->room; i++)
    if (set->slots[i]) slots[slot_of(slots, room, set->slots[i])] = set->slots[i];
  free(set->slots);
  set->slots = slots;
  set->room = room;
  return 1;
}

const char* fb_name_set_add(fb_name_set* set, const char* name, int* is_new) {
  if (!make_room(set)) return NULL;
  size_t i = slot_of(set->slots, set->room, name);
  *is_new = !set->slots[i];
  if (*is_new) {
    set->slots[i] = fb_copy_text(name);
    set->count += set->slots[i] != NULL;
  }
  return set->slots[i];
}

const char* fb_name_set_make(fb_name_set* set, const char* name) {
  int is_new;
  const char* entry = fb_name_set_add(set, name, &is_new);
  if (!entry || is_new) return entry;
  size_t size = strlen(name) + 24;
  char* text = malloc(size);
  if (!text) return NULL;
  /* Of a name that occurs very often the first numbers are taken: on behind all names that there are. */
  for (unsigned long n = 2; entry && !is_new; n = n == 32 ? set->count + 32 : n + 1) {
    snprintf(text, size, "%s_%lu", name, n);
    entry = fb_name_set_add(set, text, &is_new);
  }
  free(text);
  return entry;
}

const char* fb_name_set_join(fb_name_set* set, const char* a, const char* b, const char* c) {
  char* text = fb_join_texts(a, b, c);
  const char* entry = text ? fb_name_set_make(set, text) : NULL;
  free(text);
  return entry;
}

void fb_name_set_free(fb_name_set* set) {
  for (size_t i = 0; i < set->room; i++) free(set->slots[i]);
  free(set->slots);
  memset(set, 0, sizeof *set);
}
