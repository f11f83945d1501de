/* text_check.c -- is this a text file at all? UTF-8 (RFC 3629), no control characters but tab and line ends.
 *
 * Runs before the YAML parser, so that binary files get a plain message and the parser sees clean text. */
#include <string.h>

#include "io/document.h"

size_t fb_text_character(const char* text, size_t left) {
  const unsigned char* p = (const unsigned char*)text;
  size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : 4;
  if (n == 1) return 1;
  if (p[0] < 0xc2 || p[0] > 0xf4 || left < n) return 0;
  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  int too_short = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  int surrogate = p[0] == 0xed && p[1] > 0x9f;
  int too_large = p[0] == 0xf4 && p[1] > 0x8f;
  return too_short || surrogate || too_large ? 0 : n;
}

static int is_control(unsigned char c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

fb_status fb_text_check_brackets(const char* text, size_t size, int most, const char* name, fb_error* error) {
  fb_place place = {1, 1};
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    char c = text[i];
    if (c == '[' || c == '{') depth++;
    if (depth > 0 && (c == ']' || c == '}')) depth--;
    if (depth > most) {
      fb_fail(error, FB_ERR_SYNTAX, "more than %d brackets are open here; no model is that deep", most);
      fb_error_set_place(error, name, NULL, place);
      return FB_ERR_SYNTAX;
    }
    place.column++;
    if (c == '\n') place = (fb_place){place.line + 1, 1};
  }
  return FB_OK;
}

fb_status fb_text_check(const char* text, size_t size, const char* name, fb_error* error) {
  fb_place place = {1, 1};
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    size_t n = is_control(c) ? 0 : fb_text_character(text + i, size - i);
    if (n == 0) {
      fb_status status = fb_fail(error, FB_ERR_SYNTAX,
                                 "this is not a text file: the byte 0x%02x is %s; models are text in UTF-8",
                                 (unsigned)c, is_control(c) ? "a control character" : "not valid UTF-8");
      fb_error_set_place(error, name, NULL, place);
      return status;
    }
    place.column++;
    if (c == '\n') place = (fb_place){place.line + 1, 1};
    i += n;
  }
  return FB_OK;
}
