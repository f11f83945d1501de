/* color.h -- "#rrggbb" and "#rrggbbaa" as numbers. */
#ifndef FB_FORMAT_COLOR_H
#define FB_FORMAT_COLOR_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static inline int fb_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* "#rrggbb" or "#rrggbbaa" as numbers from 0 to 1; 0 when it is neither, or NULL. */
static inline int fb_color_parse(const char* color, double rgba[4]) {
  size_t n = color ? strlen(color) : 0;
  if ((n != 7 && n != 9) || color[0] != '#') return 0;
  rgba[3] = 1;
  for (size_t i = 1; i < n; i += 2) {
    int high = fb_hex_digit(color[i]), low = fb_hex_digit(color[i + 1]);
    if (high < 0 || low < 0) return 0;
    rgba[i / 2] = (16 * high + low) / 255.0;
  }
  return 1;
}

/* The same as text, without alpha where it is opaque. */
static inline void fb_color_print(const double rgba[4], char color[10]) {
  int byte[4];
  for (int i = 0; i < 4; i++) byte[i] = (int)lround(255 * fmin(fmax(rgba[i], 0), 1)) & 0xff;
  int n = snprintf(color, 10, "#%02x%02x%02x", byte[0] & 0xff, byte[1] & 0xff, byte[2] & 0xff);
  if (byte[3] != 255) snprintf(color + n, 10 - (size_t)n, "%02x", byte[3] & 0xff);
}

/* Whether the numbers give back the same text: readers write small letters, and no alpha where it is opaque. */
static inline int fb_color_is_canonical(const char* color) {
  for (const char* c = color; *c; c++)
    if (*c >= 'A' && *c <= 'F') return 0;
  return strlen(color) == 7 || strcmp(color + 7, "ff") != 0;
}

#endif
