/* check.c -- checks that a file is text: UTF-8 (RFC 3629), no control characters but tab and line ends.
 *
 * Runs before the YAML parser, so that binary files get a plain message and the parser sees clean text. */
#include <limits.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/support/text.h>

#include "text/check.h"

size_t fb_utf8_length(const char* text, size_t left) {
  const unsigned char* p = (const unsigned char*)text;
  if (left == 0) return 0;
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

fb_place fb_text_place(const char* text, size_t size) {
  fb_place place = {1, 1};
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)text[i];
    int ends_line = c == '\n' || (c == '\r' && !(i + 1 < size && text[i + 1] == '\n'));
    if (ends_line)
      place = (fb_place){place.line + 1, 1};
    else if ((c & 0xc0) != 0x80 && place.column < INT_MAX)
      place.column++;
  }
  return place;
}

static fb_status fail_after(const char* text, size_t size, const char* name, fb_error* error) {
  fb_error_set_place(error, name, NULL, fb_text_place(text, size));
  return FB_ERR_SYNTAX;
}

fb_status fb_text_check_brackets(const char* text, size_t size, int most, const char* name, fb_error* error) {
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    char c = text[i];
    if (c == '[' || c == '{') depth++;
    if (depth > 0 && (c == ']' || c == '}')) depth--;
    if (depth > most) {
      fb_fail(error, FB_ERR_SYNTAX, "more than %d brackets are open here; no model is that deep", most);
      return fail_after(text, i, name, error);
    }
  }
  return FB_OK;
}

fb_status fb_text_check(const char* text, size_t size, const char* name, fb_error* error) {
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    size_t n = is_control(c) ? 0 : fb_utf8_length(text + i, size - i);
    if (n == 0) {
      fb_fail(error, FB_ERR_SYNTAX,
              "this is not a text file: the byte 0x%02x is %s; models are text in UTF-8", (unsigned)c,
              is_control(c) ? "a control character" : "not valid UTF-8");
      return fail_after(text, i, name, error);
    }
    i += n;
  }
  return FB_OK;
}

/* Declarations of tags, each of which libyaml compares with all that came before. */
static int declares_tag(const char* text, size_t size, size_t at) {
  int line_start = at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
  return line_start && size - at >= 4 && memcmp(text + at, "%TAG", 4) == 0;
}

fb_status fb_text_check_yaml(const char* text, size_t size, const char* name, fb_error* error) {
  for (size_t i = 0; i < size;) {
    size_t n = fb_utf8_length(text + i, size - i);
    unsigned code = fb_yaml_must_escape(text + i, n);
    if (code) {
      fb_fail(error, FB_ERR_SYNTAX,
              "the character U+%04X is read differently by different programs; leave it out, or write "
              "\\u%04x in double quotes",
              code, code);
      return fail_after(text, i, name, error);
    }
    if (declares_tag(text, size, i)) {
      fb_fail(error, FB_ERR_SYNTAX, "this line declares a tag, and tags are not used here; leave it out");
      return fail_after(text, i, name, error);
    }
    i += n;
  }
  return FB_OK;
}
