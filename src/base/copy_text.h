/* copy_text.h -- copies a string. */
#ifndef FB_BASE_COPY_TEXT_H
#define FB_BASE_COPY_TEXT_H

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

#endif
