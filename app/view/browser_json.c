/* browser_json.c -- just enough JSON to read a browser's replies: finds a value by its path, and decodes strings,
 * which may be pictures of many megabytes. Made for what one trusted program writes, but never reads past the end of
 * a message, and nothing nests in it. */
#include <stdlib.h>
#include <string.h>

#include "view/browser.h"

static const cmd_reply NONE = {NULL, NULL};

static const char* skip_space(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

/* Past the string that begins at `at`; end when it is not closed. */
static const char* skip_string(const char* at, const char* end) {
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\') at++;
  return at < end ? at + 1 : end;
}

/* Past the value that begins at `at`. */
static const char* skip_value(const char* at, const char* end) {
  long depth = 0;
  while (at < end) {
    if (*at == '"') {
      at = skip_string(at, end);
    } else {
      if (depth == 0 && (*at == ',' || *at == '}' || *at == ']')) return at;
      depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
      at++;
    }
    if (depth == 0 && at < end && (*at == ',' || *at == '}' || *at == ']')) return at;
  }
  return end;
}

/* The value of one key of a map. */
static cmd_reply member(cmd_reply map, const char* key, size_t length) {
  const char *at = skip_space(map.at, map.end), *end = map.end;
  if (at >= end || *at != '{') return NONE;
  at = skip_space(at + 1, end);
  while (at < end && *at == '"') {
    const char* name = at + 1;
    at = skip_string(at, end);
    int same = at - name == (ptrdiff_t)length + 1 && memcmp(name, key, length) == 0;
    at = skip_space(at, end);
    if (at >= end || *at != ':') return NONE;
    at = skip_space(at + 1, end);
    const char* value = at;
    at = skip_value(at, end);
    const char* after = at;
    while (after > value && skip_space(after - 1, after) == after) after--;
    if (same) return (cmd_reply){value, after};
    at = skip_space(at, end);
    if (at < end && *at == ',') at = skip_space(at + 1, end);
  }
  return NONE;
}

cmd_reply cmd_reply_find(cmd_reply value, const char* path) {
  while (value.at && *path) {
    size_t length = strcspn(path, "/");
    value = member(value, path, length);
    path += length + (path[length] == '/');
  }
  return value;
}

long cmd_reply_id(cmd_reply value) {
  long id = 0;
  if (!value.at || value.at == value.end) return -1;
  for (const char* at = value.at; at < value.end; at++) {
    if (*at < '0' || *at > '9' || id > 100000000) return -1;
    id = 10 * id + (*at - '0');
  }
  return id;
}

int cmd_reply_is(cmd_reply value, const char* text) {
  size_t length = strlen(text);
  return value.at && value.end - value.at == (ptrdiff_t)length + 2 && *value.at == '"' &&
         memcmp(value.at + 1, text, length) == 0;
}

/* Four hexadecimal digits; -1 where there are none. */
static long read_unit(const char* at, const char* end) {
  long unit = 0;
  if (end - at < 4) return -1;
  for (int i = 0; i < 4; i++) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char* found = at[i] ? strchr(digits, at[i]) : NULL;
    if (!found) return -1;
    unit = 16 * unit + (found - digits) % 16;
  }
  return unit;
}

static char* put_utf8(char* to, long c) {
  if (c < 0x80) {
    *to++ = (char)c;
    return to;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(lead[more] | (int)(c >> (6 * more)));
  while (more-- > 0) *to++ = (char)(0x80 | ((c >> (6 * more)) & 0x3f));
  return to;
}

/* The character of \uXXXX at *from (past the u), with its second half where it has one. */
static long read_escape(const char** from, const char* end) {
  enum { REPLACEMENT = 0xfffd };
  long c = read_unit(*from, end);
  if (c < 0) return '?'; /* no longer than what it stands for */
  *from += 4;
  if (c < 0xd800 || c > 0xdfff) return c > 0 ? c : REPLACEMENT;
  long low = c < 0xdc00 && end - *from >= 6 && (*from)[0] == '\\' && (*from)[1] == 'u'
                 ? read_unit(*from + 2, end)
                 : -1;
  if (low < 0xdc00 || low > 0xdfff) return REPLACEMENT;
  *from += 6;
  return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

char* cmd_reply_text(cmd_reply value, size_t* size) {
  int is_text = value.at && value.end - value.at >= 2 && *value.at == '"';
  const char* from = is_text ? value.at + 1 : "";
  const char* end = is_text ? value.end - 1 : from;
  char* text = malloc((size_t)(end - from) + 1);
  if (!text) return NULL;
  char* to = text;
  while (from < end) {
    if (*from != '\\' || end - from < 2) {
      *to++ = *from++;
      continue;
    }
    static const char escapes[] = "b\bf\fn\nr\rt\t";
    char c = from[1];
    from += 2;
    const char* known = NULL;
    for (int i = 0; escapes[i]; i += 2)
      if (escapes[i] == c) known = &escapes[i + 1];
    if (c == 'u')
      to = put_utf8(to, read_escape(&from, end));
    else
      *to++ = known ? *known : c;
  }
  *to = '\0';
  if (size) *size = (size_t)(to - text);
  return text;
}

long long cmd_base64_decode(char* text, size_t size) {
  int values[256];
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 256; i++) values[i] = -1;
  for (int i = 0; i < 64; i++) values[(unsigned char)alphabet[i]] = i;
  while (size > 0 && text[size - 1] == '=') size--;
  if (size % 4 == 1) return -1;
  unsigned bits = 0;
  int have = 0;
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    int value = values[(unsigned char)text[i]];
    if (value < 0) return -1;
    bits = (bits << 6 | (unsigned)value) & 0xffffffu;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    text[n++] = (char)(bits >> have & 0xffu);
  }
  return (long long)n;
}
