/* text.c -- words, lines and numbers of mesh files that are text. The text need not end with a zero. */
#include <math.h>
#include <string.h>

#include <freebody/support/text.h>

#include "format/mesh/build.h"

fb_mesh_words fb_mesh_words_start(const fb_mesh_build* b) {
  fb_mesh_words words = {0};
  words.at = b->data;
  words.end = b->data + b->size;
  words.line = 1;
  return words;
}

static int is_blank(unsigned char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Copies the word at `at`, in lower case. */
static int take_word(fb_mesh_words* w) {
  size_t n = 0;
  for (; w->at < w->end && !is_blank(*w->at) && *w->at != '\n'; w->at++)
    if (n + 1 < sizeof w->word)
      w->word[n++] = (char)(*w->at >= 'A' && *w->at <= 'Z' ? *w->at - 'A' + 'a' : *w->at);
  w->word[n] = '\0';
  return 1;
}

int fb_mesh_word(fb_mesh_words* w) {
  for (; w->at < w->end && (is_blank(*w->at) || *w->at == '\n'); w->at++) w->line += *w->at == '\n';
  return w->at < w->end ? take_word(w) : 0;
}

/* Over a backslash at the end of a line; 0 when there is none. */
static int continue_line(fb_mesh_words* w) {
  const unsigned char* p = w->at + 1;
  if (*w->at != '\\') return 0;
  if (p < w->end && *p == '\r') p++;
  if (p >= w->end || *p != '\n') return 0;
  w->at = p + 1;
  w->line++;
  return 1;
}

int fb_mesh_word_of_line(fb_mesh_words* w) {
  while (w->at < w->end && (is_blank(*w->at) || *w->at == '\\')) {
    if (is_blank(*w->at))
      w->at++;
    else if (!continue_line(w))
      break;
  }
  return w->at < w->end && *w->at != '\n' ? take_word(w) : 0;
}

int fb_mesh_next_line(fb_mesh_words* w) {
  const void* end = memchr(w->at, '\n', (size_t)(w->end - w->at));
  if (!end) {
    w->at = w->end;
    return 0;
  }
  w->at = (const unsigned char*)end + 1;
  w->line++;
  return w->at < w->end;
}

fb_status fb_mesh_coordinate(const fb_mesh_build* b, const fb_mesh_words* w, float* out) {
  double x;
  const char* rest = fb_number_parse(w->word, &x);
  if (!rest || *rest)
    return fb_mesh_fail(b, w->line, "a coordinate must be a number; '%.40s' is not a number", w->word);
  *out = (float)x;
  if (isfinite(*out)) return FB_OK;
  return fb_mesh_fail(b, w->line, "the coordinate %.40s is too large", w->word);
}
