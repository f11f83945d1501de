/* yaml_text.c -- which texts may be written in YAML without quotes: fewer than YAML allows, so that readers of
 * YAML 1.1 (where `no`, `on` and 1:30 have meanings) agree too; and which characters must be escaped. */
#include "text/check.h"

#include <string.h>

#include "text/number.h"

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_inner(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/';
}

/* Words with a meaning of their own in some version of YAML, in lower case. */
static int has_meaning(const char* text) {
  static const char* const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  char lower[8];
  size_t n = strlen(text);
  if (n >= sizeof lower) return 0;
  for (size_t i = 0; i <= n; i++)
    lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(lower, words[i]) == 0) return 1;
  return 0;
}

int fb_yaml_is_plain(const char* text) {
  if (!is_letter(text[0]) || has_meaning(text) || fb_number_is_not_finite(text)) return 0;
  for (const char* p = text; *p; p++)
    if (!is_inner(*p) && !(*p == ' ' && is_inner(p[1]))) return 0;
  return 1;
}

unsigned fb_yaml_must_escape(const char* character, size_t length) {
  const unsigned char* p = (const unsigned char*)character;
  unsigned code = 0;
  if (length == 2) code = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
  if (length == 3) code = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
  int control = code >= 0x80 && code <= 0x9f;
  int line_end = code == 0x2028 || code == 0x2029;
  int mark = code == 0xfeff || code == 0xfffe || code == 0xffff;
  return control || line_end || mark ? code : 0;
}
