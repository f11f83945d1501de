/* page_parse.h -- reads a report page back: its elements, and the numbers in them, as a browser does. */
#ifndef FB_TESTS_PAGE_PARSE_H
#define FB_TESTS_PAGE_PARSE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The content of the element with this id, its length in *size; NULL when there is none. It must be there once. */
static inline const char* page_element(const char* page, const char* id, size_t* size) {
  char mark[80];
  snprintf(mark, sizeof mark, " id=\"%s\">", id);
  const char* at = strstr(page, mark);
  *size = 0;
  if (!at) return NULL;
  at += strlen(mark);
  if (strstr(at, mark)) fail_msg("element %s stands there twice", id);
  const char* end = strstr(at, "</script>");
  assert_non_null(end);
  *size = (size_t)(end - at);
  return at;
}

/* Line n of an element, not ended with a zero; NULL when it has fewer lines. */
static inline const char* page_line(const char* text, size_t size, int n, size_t* length) {
  const char* end = text + size;
  *length = 0;
  for (; n > 0; n--) {
    text = (const char*)memchr(text, '\n', (size_t)(end - text));
    if (!text) return NULL;
    text++;
  }
  const char* stop = (const char*)memchr(text, '\n', (size_t)(end - text));
  *length = (size_t)((stop ? stop : end) - text);
  return text;
}

static inline unsigned page_digit(char c) {
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 26;
  if (c >= '0' && c <= '9') return (unsigned)(c - '0') + 52;
  if (c != '+' && c != '/') fail_msg("'%c' is no digit of base64", c);
  return c == '+' ? 62 : 63;
}

static inline size_t page_base64(const char* text, size_t length, unsigned char* bytes) {
  size_t n = 0;
  assert_int_equal(length % 4, 0);
  for (size_t i = 0; i < length; i += 4) {
    size_t padding = text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    if (padding) assert_int_equal(i + 4, length);
    unsigned word = page_digit(text[i]) << 18 | page_digit(text[i + 1]) << 12;
    if (padding < 2) word |= page_digit(text[i + 2]) << 6;
    if (padding < 1) word |= page_digit(text[i + 3]);
    for (size_t k = 0; k < 3 - padding; k++) bytes[n++] = (unsigned char)(word >> (16 - 8 * k));
  }
  return n;
}

/* Undoes base64 and zlib: exactly `size` bytes, malloc'd. */
static inline unsigned char* page_unpack(const char* text, size_t length, size_t size) {
  unsigned char *packed = (unsigned char*)malloc(length + 1), *bytes = (unsigned char*)malloc(size + 1);
  assert_true(packed && bytes);
  uLongf got = (uLongf)size + 1;
  assert_int_equal(uncompress(bytes, &got, packed, (uLong)page_base64(text, length, packed)), Z_OK);
  assert_int_equal(got, size);
  free(packed);
  return bytes;
}

/* The words of `count` numbers of one line of a column, malloc'd. */
static inline uint64_t* page_words(const char* text, size_t length, size_t count) {
  unsigned char* planes = page_unpack(text, length, 8 * count);
  uint64_t *words = (uint64_t*)malloc(8 * count + 1), before = 0;
  assert_non_null(words);
  for (size_t i = 0; i < count; i++) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8; k++) word |= (uint64_t)planes[k * count + i] << (8 * k);
    before = words[i] = word ^ before;
  }
  free(planes);
  return words;
}

#endif
