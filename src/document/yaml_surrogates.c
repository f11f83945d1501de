/* yaml_surrogates.c -- JSON's surrogate pairs, which libyaml rejects. See document/yaml.h.
 *
 * A pair \uD83D\uDE00 is changed to \uE83D\uEE00: one letter of each escape, so no place in the file moves. The parser
 * makes two characters of the private area U+E800 to U+EFFF of it, which are recognized afterwards. A file that uses
 * that area itself is left alone; the parser then refuses its surrogates, which is better than a wrong text. */
#include "document/yaml.h"

#include <string.h>

enum { ESCAPE = 6, PAIR = 2 * ESCAPE };

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The number in the escape \uXXXX at p, or -1. */
static int escape_value(const char* p, const char* end) {
  if (end - p < ESCAPE || p[0] != '\\' || p[1] != 'u') return -1;
  int value = 0;
  for (int i = 2; i < ESCAPE; i++) {
    if (hex(p[i]) < 0) return -1;
    value = 16 * value + hex(p[i]);
  }
  return value;
}

static int is_pair(const char* p, const char* end) {
  int high = escape_value(p, end);
  if (high < 0xd800 || high > 0xdbff) return 0;
  int low = escape_value(p + ESCAPE, end);
  return low >= 0xdc00 && low <= 0xdfff;
}

/* The character U+E800 to U+EFFF at p, or 0. */
static unsigned private_character(const char* p, const char* end) {
  const unsigned char* c = (const unsigned char*)p;
  if (end - p < 3 || c[0] != 0xee || c[1] < 0xa0) return 0;
  return 0xe000u | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
}

/* Nonzero when the private area is used at p, as a character or as an escape \uE8XX or \U0000E8XX. */
static int uses_private_area(const char* p, const char* end) {
  if (private_character(p, end)) return 1;
  if (end - p < ESCAPE || p[0] != '\\') return 0;
  if (p[1] == 'U' && end - p >= 10 && memcmp(p + 2, "0000", 4) == 0)
    p += 4;
  else if (p[1] != 'u')
    return 0;
  return hex(p[2]) == 0xe && hex(p[3]) >= 8;
}

int fb_yaml_hide_surrogates(char* text, size_t size) {
  char* end = text + size;
  for (char* p = text; p < end; p++)
    if (uses_private_area(p, end)) return 0;
  int hidden = 0;
  for (char* p = text; p < end; p++) {
    if (p[0] != '\\') continue;
    if (is_pair(p, end)) {
      p[2]++, p[2 + ESCAPE]++; /* d to e, D to E */
      p += PAIR - 1;
      hidden = 1;
    } else if (p + 1 < end && p[1] == '\\') {
      p++; /* an escaped backslash begins no other escape */
    }
  }
  return hidden;
}

static size_t put_character(char* out, unsigned code) {
  out[0] = (char)(0xf0 | code >> 18);
  out[1] = (char)(0x80 | (code >> 12 & 0x3f));
  out[2] = (char)(0x80 | (code >> 6 & 0x3f));
  out[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

static size_t join_pairs(char* value, size_t size) {
  char *out = value, *end = value + size;
  for (char* p = value; p < end;) {
    unsigned high = private_character(p, end), low = high ? private_character(p + 3, end) : 0;
    if (low) {
      out += put_character(out, 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff));
      p += 6;
    } else {
      *out++ = *p++;
    }
  }
  return (size_t)(out - value);
}

size_t fb_yaml_show_surrogates(char* value, size_t size, int double_quoted) {
  if (double_quoted) return join_pairs(value, size);
  for (char *p = value, *end = value + size; p < end; p++)
    if (*p == '\\' && uses_private_area(p, end)) p[2]--;
  return size;
}
