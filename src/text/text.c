/* text.c -- text that grows by doubling. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "base/grow.h"

/* Room for `more` bytes and the closing zero; 0 when memory ran out. */
static int make_room(fb_text* text, size_t more) {
  if (text->failed) return 0;
  text->failed = !fb_grow(&text->data, text->size, more + 1, &text->room, 1);
  return !text->failed;
}

void fb_text_add_bytes(fb_text* text, const char* bytes, size_t count) {
  if (!make_room(text, count)) return;
  if (count > 0) memcpy(text->data + text->size, bytes, count);
  text->size += count;
  text->data[text->size] = '\0';
}

void fb_text_add(fb_text* text, const char* string) {
  fb_text_add_bytes(text, string, strlen(string));
}

void fb_text_add_repeat(fb_text* text, char c, int count) {
  if (count <= 0 || !make_room(text, (size_t)count)) return;
  memset(text->data + text->size, c, (size_t)count);
  text->size += (size_t)count;
  text->data[text->size] = '\0';
}

void fb_text_printf(fb_text* text, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0 || !make_room(text, (size_t)n)) return;
  va_start(args, format);
  vsnprintf(text->data + text->size, (size_t)n + 1, format, args);
  va_end(args);
  text->size += (size_t)n;
}

void fb_text_insert(fb_text* text, size_t position, const char* string) {
  size_t count = strlen(string);
  if (!make_room(text, count)) return;
  if (position > text->size) position = text->size;
  memmove(text->data + position + count, text->data + position, text->size - position);
  memcpy(text->data + position, string, count);
  text->size += count;
  text->data[text->size] = '\0';
}

char* fb_text_take(fb_text* text, size_t* size) {
  fb_text_add_bytes(text, "", 0);
  char* data = text->data;
  if (text->failed) {
    free(data);
    data = NULL;
  }
  if (size) *size = data ? text->size : 0;
  *text = (fb_text){0};
  return data;
}
