/* fnv.h -- the hash FNV-1a of bytes, 64 bits (Fowler, Noll, Vo): for tables of names and marks of texts, not for secrets. */
#ifndef FB_BASE_FNV_H
#define FB_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t fb_fnv(const char* bytes, size_t size) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash;
}

/* Where to begin in a table with so many slots, a power of two. */
static inline size_t fb_fnv_slot(const char* text, size_t room) {
  uint64_t hash = fb_fnv(text, strlen(text));
  return (size_t)(hash ^ hash >> 32) & (room - 1);
}

#endif
