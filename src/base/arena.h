/* arena.h -- lays arrays out in one block: measure first, then place.
 *
 *   fb_arena a = {0};            // base NULL: only measures
 *   x = fb_arena_take(&a, n * sizeof *x);
 * Run the same takes twice, with base NULL and with a block of a.used bytes. */
#ifndef FB_BASE_ARENA_H
#define FB_BASE_ARENA_H

#include <stddef.h>

enum { FB_ALIGN = 64 }; /* a cache line, and the widest lanes */

typedef struct fb_arena {
  char* base;
  size_t used;
} fb_arena;

static inline size_t fb_align_up(size_t size) {
  return (size + FB_ALIGN - 1) / FB_ALIGN * FB_ALIGN;
}

static inline void* fb_arena_take(fb_arena* a, size_t size) {
  void* p = a->base ? a->base + a->used : NULL;
  a->used += fb_align_up(size);
  return p;
}

#endif
