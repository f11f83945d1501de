/* pool.h -- memory that is freed together: what a thing holds is taken piece by piece while the thing is made, and given
 * back in one call. Begin with zeros. That a piece could not be had is remembered, so one look at the end is enough where
 * nothing is written into pieces before. */
#ifndef FB_BASE_POOL_H
#define FB_BASE_POOL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/export.h>

typedef struct fb_pool_piece {
  struct fb_pool_piece* before;
  max_align_t data[];
} fb_pool_piece;

typedef struct fb_pool {
  fb_pool_piece* last;
  int failed; /* a piece could not be had */
} fb_pool;

/* Zeros; NULL without memory. */
static inline void* fb_pool_take(fb_pool* pool, size_t count, size_t size) {
  int fits = !size || count <= (SIZE_MAX - sizeof(fb_pool_piece) - 1) / size;
  fb_pool_piece* piece = fits ? (fb_pool_piece*)calloc(1, sizeof *piece + count * size + 1) : NULL;
  pool->failed |= !piece;
  if (!piece) return NULL;
  piece->before = pool->last;
  pool->last = piece;
  return piece->data;
}

static inline void* fb_pool_copy(fb_pool* pool, const void* from, size_t count, size_t size) {
  void* copy = fb_pool_take(pool, count, size);
  if (copy && count > 0) memcpy(copy, from, count * size);
  return copy;
}

/* A copy of text; NULL for NULL. */
static inline char* fb_pool_text(fb_pool* pool, const char* text) {
  return text ? (char*)fb_pool_copy(pool, text, strlen(text) + 1, 1) : NULL;
}

static inline char* fb_pool_print(fb_pool* pool, const char* format, ...) FB_PRINTF(2, 3);
static inline char* fb_pool_print(fb_pool* pool, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  char* text = (char*)fb_pool_take(pool, (size_t)size + 1, 1);
  if (text) vsnprintf(text, (size_t)size + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

static inline void fb_pool_free(fb_pool* pool) {
  while (pool->last) {
    fb_pool_piece* piece = pool->last;
    pool->last = piece->before;
    free(piece);
  }
}

#endif
