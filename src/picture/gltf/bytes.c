/* bytes.c -- the binary part of a glTF file: little-endian numbers, and accessors with their positions. */
#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "picture/gltf/gltf.h"

/* Room for more bytes, zeros, at the end of a part: where they begin, or NULL without memory. */
static unsigned char* extend(fb_gltf_bytes* bytes, size_t size) {
  if (!fb_grow(&bytes->data, bytes->size, size, &bytes->room, 1)) return NULL;
  unsigned char* at = bytes->data + bytes->size;
  memset(at, 0, size);
  bytes->size += size;
  return at;
}

void fb_gltf_put_u16(unsigned char* at, unsigned value) {
  at[0] = (unsigned char)(value & 0xffu);
  at[1] = (unsigned char)(value >> 8 & 0xffu);
}

void fb_gltf_put_u32(unsigned char* at, unsigned value) {
  fb_gltf_put_u16(at, value);
  fb_gltf_put_u16(at + 2, value >> 16);
}

void fb_gltf_put_float(unsigned char* at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  fb_gltf_put_u32(at, bits);
}

float fb_gltf_get_float(const unsigned char* at) {
  uint32_t bits = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

int fb_gltf_add_accessor(fb_gltf* g, int view, int component, int width, size_t count) {
  size_t each = (component == 5123 ? 2 : 4) * (size_t)width;
  fb_gltf_bytes* bytes = &g->views[view];
  if (count > (SIZE_MAX - 4) / each) return -1;
  size_t offset = bytes->size, padded = (count * each + 3) / 4 * 4;
  if (!fb_grow(&g->accessors, g->naccessor, 1, &g->accessor_room, sizeof *g->accessors)) return -1;
  if (!extend(bytes, padded)) return -1;
  g->accessors[g->naccessor] = (fb_gltf_accessor){
      .view = view, .width = width, .component = component, .offset = offset, .count = count};
  return (int)g->naccessor++;
}

unsigned char* fb_gltf_at(fb_gltf* g, int accessor) {
  return g->views[g->accessors[accessor].view].data + g->accessors[accessor].offset;
}

void fb_gltf_bound(fb_gltf* g, int accessor) {
  fb_gltf_accessor* a = &g->accessors[accessor];
  const unsigned char* at = fb_gltf_at(g, accessor);
  a->bounded = 1;
  for (size_t i = 0; i < a->count; i++)
    for (int k = 0; k < a->width; k++, at += 4) {
      float x = fb_gltf_get_float(at);
      if (i == 0) a->min[k] = a->max[k] = x;
      a->min[k] = fminf(a->min[k], x);
      a->max[k] = fmaxf(a->max[k], x);
    }
}
