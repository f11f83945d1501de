/* pack.c -- numbers for the page: each XORed with the one before it, so that what stays the same becomes zero; the
 * bytes of equal weight together, so that what changes slowly stands in long runs; compressed by zlib; base64.
 *
 * Level 6 of zlib: of a million samples of 16 signals level 9 makes 0.2 % less in a quarter more of the time. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "picture/page/parts.h"

enum { LEVEL = 6, BASE64_CHUNK = 3 * 4096 };

size_t fb_page_packed_room(size_t count) {
  return (size_t)compressBound((uLong)(8 * count));
}

static void part_planes(const double* numbers, size_t count, unsigned char* planes) {
  uint64_t before = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, &numbers[i], sizeof word);
    uint64_t change = word ^ before;
    before = word;
    for (size_t k = 0; k < 8; k++) planes[k * count + i] = (unsigned char)(change >> (8 * k));
  }
}

static fb_status squeeze(const unsigned char* bytes, size_t count, unsigned char* packed, size_t room,
                         size_t* size, fb_error* error) {
  uLongf used = (uLongf)room;
  if (compress2(packed, &used, bytes, (uLong)count, LEVEL) != Z_OK) return fb_page_no_memory(error);
  *size = (size_t)used;
  return FB_OK;
}

fb_status fb_page_pack(const double* numbers, size_t count, unsigned char* planes, unsigned char* packed,
                       size_t* size, fb_error* error) {
  part_planes(numbers, count, planes);
  return squeeze(planes, 8 * count, packed, fb_page_packed_room(count), size, error);
}

static size_t encode(const unsigned char* bytes, size_t size, char* text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char* p = text;
  for (size_t i = 0; i < size; i += 3) {
    unsigned left = size - i < 3 ? (unsigned)(size - i) : 3;
    unsigned word = (unsigned)bytes[i] << 16;
    if (left > 1) word |= (unsigned)bytes[i + 1] << 8;
    if (left > 2) word |= bytes[i + 2];
    *p++ = digits[word >> 18];
    *p++ = digits[word >> 12 & 63];
    *p++ = left > 1 ? digits[word >> 6 & 63] : '=';
    *p++ = left > 2 ? digits[word & 63] : '=';
  }
  return (size_t)(p - text);
}

void fb_page_put_base64(const fb_page_out* out, const unsigned char* bytes, size_t size) {
  char text[BASE64_CHUNK / 3 * 4];
  for (size_t i = 0; i < size; i += BASE64_CHUNK) {
    size_t part = size - i < BASE64_CHUNK ? size - i : BASE64_CHUNK;
    fb_page_put(out, text, encode(bytes + i, part, text));
  }
}

fb_status fb_page_put_words(const fb_page_out* out, const void* words, size_t count, fb_error* error) {
  unsigned char* bytes = malloc(4 * count + 1);
  size_t room = (size_t)compressBound((uLong)(4 * count)), size = 0;
  unsigned char* packed = malloc(room);
  fb_status status = bytes && packed ? FB_OK : fb_page_no_memory(error);
  if (status == FB_OK) {
    for (size_t i = 0; i < count; i++) {
      uint32_t word;
      memcpy(&word, (const char*)words + 4 * i, sizeof word);
      for (size_t k = 0; k < 4; k++) bytes[4 * i + k] = (unsigned char)(word >> (8 * k));
    }
    status = squeeze(bytes, 4 * count, packed, room, &size, error);
  }
  if (status == FB_OK) fb_page_put_base64(out, packed, size);
  free(bytes);
  free(packed);
  return status;
}
