/* name_set.c -- names of its own in a set of texts (base/text_set.h). See format/name_set.h. */
#include "format/name_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy_text.h"

const char* fb_name_set_add(fb_name_set* set, const char* name, int* is_new) {
  *is_new = !fb_text_set_has(&set->names, name);
  if (!*is_new) return set->names.slots[fb_text_set_slot(set->names.slots, set->names.room, name)];
  char* copy = fb_copy_text(name);
  if (copy && fb_text_set_add(&set->names, copy)) return copy;
  free(copy);
  return NULL;
}

const char* fb_name_set_make(fb_name_set* set, const char* name) {
  int is_new;
  const char* entry = fb_name_set_add(set, name, &is_new);
  if (!entry || is_new) return entry;
  size_t size = strlen(name) + 24;
  char* text = malloc(size);
  if (!text) return NULL;
  /* Of a name that occurs very often the first numbers are taken: on behind all names that there are. */
  for (unsigned long n = 2; entry && !is_new; n = n == 32 ? set->names.count + 32 : n + 1) {
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
  for (size_t i = 0; i < set->names.room; i++) free((void*)set->names.slots[i]);
  free((void*)set->names.slots);
  memset(set, 0, sizeof *set);
}
