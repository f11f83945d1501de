/* text.h -- text that grows. A failed allocation is remembered, so that callers ask once, at the end. */
#ifndef FB_TEXT_TEXT_H
#define FB_TEXT_TEXT_H

#include <stddef.h>

#include "base/error.h"

typedef struct fb_text {
  char* data; /* ended with a zero once anything was added */
  size_t size, room;
  int failed;
} fb_text;

void fb_text_add(fb_text* text, const char* string);
void fb_text_add_bytes(fb_text* text, const char* bytes, size_t count);
void fb_text_add_repeat(fb_text* text, char c, int count);
void fb_text_printf(fb_text* text, const char* format, ...) FB_PRINTF(2, 3);
/* Puts string before the byte at `position`. */
void fb_text_insert(fb_text* text, size_t position, const char* string);
/* Hands the memory over (free() it); NULL when memory ran out on the way. */
char* fb_text_take(fb_text* text, size_t* size);

#endif
