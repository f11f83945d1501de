/* arena.h -- lays arrays out in one block: measure first, then place.
 *
 *   fb_arena a = {0};            // base NULL: only measures
 *   x = fb_arena_take(&a, n * sizeof *x);
 * Run the same takes twice, with base NULL and with a block of a.used bytes. */
#ifndef FB_BASE_ARENA_H
#define FB_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <freebody/status.h>

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

/* Work memory of a call: what its caller gives, which must be aligned and have `needed` bytes, or with NULL memory of its
 * own, *own, which the call frees at its end. */
static inline fb_status fb_work_take(void* given, size_t size, size_t needed, void** work, void** own,
                                     fb_error* error) {
  *own = NULL;
  *work = given;
  if (given && (uintptr_t)given % FB_ALIGN == 0 && size >= needed) return FB_OK;
  if (given)
    return fb_fail(error, FB_ERR_MEMORY, "work memory must have %zu bytes, aligned to %d", needed, FB_ALIGN);
  *work = *own = aligned_alloc(FB_ALIGN, fb_align_up(needed));
  return *own ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory");
}

#endif
