/* copy_text.h -- copies and joins strings. */
#ifndef FB_BASE_COPY_TEXT_H
#define FB_BASE_COPY_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy of text, "" for NULL; or NULL without memory. free() it. */
static inline char* fb_copy_text(const char* text) {
  size_t size = text ? strlen(text) : 0;
  char* copy = (char*)malloc(size + 1);
  if (copy && size) memcpy(copy, text, size);
  if (copy) copy[size] = 0;
  return copy;
}

/* a, b and c one behind the other; NULL without memory. free() it. */
static inline char* fb_join_texts(const char* a, const char* b, const char* c) {
  size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
  char* text = (char*)malloc(size);
  if (text) snprintf(text, size, "%s%s%s", a, b, c);
  return text;
}

#endif
