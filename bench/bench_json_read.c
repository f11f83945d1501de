/* bench_json_read.c -- a pull reader for JSON: a stack of open lists and maps, no recursion, no allocation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_json_read.h"

static int fail(bench_json* j, const char* problem) {
  j->problem = problem;
  return 0;
}

static void skip_space(bench_json* j) {
  for (; *j->at && strchr(" \t\r\n", *j->at); j->at++) j->line += *j->at == '\n';
}

/* The character after a backslash. Control characters and what is beyond ASCII become '?': names end on a terminal. */
static int read_escape(bench_json* j, char* out) {
  char digits[5] = "", *end = NULL;
  if (*j->at && strchr("\"\\/bfnrt", *j->at)) {
    *out = strchr("bfnrt", *j->at) ? '?' : *j->at;
    j->at++;
    return 1;
  }
  if (*j->at != 'u') return fail(j, "a backslash is followed by none of \"\\/bfnrtu");
  snprintf(digits, sizeof digits, "%.4s", j->at + 1);
  if (strspn(digits, "0123456789abcdefABCDEF") != 4) return fail(j, "\\u is not followed by four hex digits");
  unsigned long code = strtoul(digits, &end, 16);
  *out = code >= 0x20 && code < 0x7f ? (char)code : '?';
  j->at += 5;
  return 1;
}

static int read_string(bench_json* j, char* out, size_t size) {
  size_t used = 0;
  if (*j->at != '"') return fail(j, "a text in quotes is missing");
  j->at++;
  while (*j->at != '"') {
    char c = *j->at;
    if ((unsigned char)c < 0x20) return fail(j, "a text is not closed by a quote");
    j->at++;
    if (c == '\\' && !read_escape(j, &c)) return 0;
    if (used + 1 < size) out[used++] = c;
  }
  out[used] = 0;
  j->at++;
  return 1;
}

/* The key or index of the value that follows. */
static int read_place(bench_json* j) {
  bench_json_level* level = &j->level[j->depth - 1];
  level->index++;
  if (level->close == ']') return 1;
  if (!read_string(j, level->key, sizeof level->key)) return 0;
  skip_space(j);
  if (*j->at != ':') return fail(j, "a colon is missing");
  j->at++;
  skip_space(j);
  return 1;
}

static int open_level(bench_json* j) {
  if (j->depth == BENCH_JSON_DEPTH) return fail(j, "lists and maps are nested too deeply");
  bench_json_level* level = &j->level[j->depth++];
  level->close = *j->at == '{' ? '}' : ']';
  level->index = -1;
  j->at++;
  skip_space(j);
  j->after = *j->at == level->close;
  return 1;
}

/* After a value: on to the next one, or out of its list or map; 0 at the end of the text. */
static int go_on(bench_json* j) {
  if (j->depth == 0) return *j->at ? fail(j, "something follows the end of the object") : 0;
  if (*j->at == j->level[j->depth - 1].close) {
    j->depth--;
  } else if (*j->at == ',') {
    j->after = 0;
  } else {
    return fail(j, *j->at ? "a comma is missing" : "the text ends too early");
  }
  j->at++;
  return 1;
}

static void write_path(bench_json* j) {
  size_t used = 0;
  j->path[0] = 0;
  for (int i = 0; i < j->depth && used < sizeof j->path; i++) {
    const bench_json_level* level = &j->level[i];
    const char* dot = i ? "." : "";
    size_t room = sizeof j->path - used;
    int length = level->close == '}' ? snprintf(j->path + used, room, "%s%s", dot, level->key)
                                     : snprintf(j->path + used, room, "%s%d", dot, level->index);
    used += (size_t)length;
  }
}

static int read_value(bench_json* j) {
  write_path(j);
  j->after = 1;
  if (!*j->at) return fail(j, "the text ends too early");
  if (*j->at == '"') return read_string(j, j->text, sizeof j->text);
  char* end = NULL;
  size_t length = strspn(j->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  snprintf(j->text, sizeof j->text, "%.*s", (int)(length < 64 ? length : 64), j->at);
  j->at += length;
  if (strcmp(j->text, "true") == 0 || strcmp(j->text, "false") == 0 || strcmp(j->text, "null") == 0) return 1;
  strtod(j->text, &end);
  if (length == 0 || length > 64 || *end) return fail(j, "a value is neither a text nor a number");
  return 1;
}

int bench_json_next(bench_json* j) {
  while (!j->problem) {
    skip_space(j);
    if (j->after) {
      if (!go_on(j)) return 0;
      continue;
    }
    if (j->depth > 0 && !read_place(j)) return 0;
    if (*j->at != '{' && *j->at != '[') return read_value(j);
    if (!open_level(j)) return 0;
  }
  return 0;
}
