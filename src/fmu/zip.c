/* zip.c -- writes zip archives: each file deflated, or stored where that is no longer, then the central directory
 *
 * The format is APPNOTE 6.3 of PKWARE, without its extensions for more than 4 GiB or 65535 files. All times are 1980-01-01,
 * so that the same files make the same archive. Cost: that of deflate. */
#include "fmu/fmu.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  LOCAL = 0x04034b50,
  CENTRAL = 0x02014b50,
  END = 0x06054b50,
  NEEDED = 20,       /* version 2.0: deflate */
  MADE_BY = 3 << 8,  /* Unix: permissions are those of stat */
  UTF8 = 1 << 11,    /* names are UTF-8 */
  DATE = 1 << 5 | 1, /* 1980-01-01 */
  MOST = 1 << 30
};

static void put16(fb_text* out, unsigned x) {
  char bytes[2] = {(char)(x & 255), (char)(x >> 8 & 255)};
  fb_text_add_bytes(out, bytes, 2);
}

static void put32(fb_text* out, uint32_t x) {
  put16(out, x & 65535);
  put16(out, x >> 16);
}

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory for the archive");
}

/* The deflated bytes, without a header of their own; *out NULL when they are no shorter. */
static fb_status deflate_bytes(const void* bytes, size_t size, char** out, size_t* packed, fb_error* error) {
  z_stream z = {0};
  *out = NULL;
  if (size == 0) return FB_OK;
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return no_memory(error);
  char* room = malloc(size);
  if (room) {
    z.next_in = (Bytef*)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = (Bytef*)room;
    z.avail_out = (uInt)(size - 1);
    if (deflate(&z, Z_FINISH) == Z_STREAM_END) {
      *out = room;
      *packed = z.total_out;
      room = NULL;
    }
  }
  deflateEnd(&z);
  if (!room && !*out) return no_memory(error);
  free(room);
  return FB_OK;
}

/* What both headers have. */
static void put_facts(fb_text* out, int deflated, uint32_t sum, size_t packed, size_t size, size_t name) {
  put16(out, UTF8);
  put16(out, deflated ? Z_DEFLATED : 0);
  put16(out, 0); /* the time */
  put16(out, DATE);
  put32(out, sum);
  put32(out, (uint32_t)packed);
  put32(out, (uint32_t)size);
  put16(out, (unsigned)name);
  put16(out, 0); /* no further fields */
}

fb_status fb_zip_add(fb_zip* zip, const char* name, const void* bytes, size_t size, int executable,
                     fb_error* error) {
  size_t length = strlen(name), packed = size, at = zip->data.size;
  char* deflated;
  if (size > MOST || at > MOST || length > 65535 || zip->count == 65535)
    return fb_fail(error, FB_ERR_UNSUPPORTED, "%.200s is too much for the archive: 1 GiB is the most", name);
  fb_status status = deflate_bytes(bytes, size, &deflated, &packed, error);
  if (status) return status;
  uint32_t sum = (uint32_t)crc32(0, (const Bytef*)bytes, (uInt)size);
  int is_deflated = deflated != NULL;
  put32(&zip->data, LOCAL);
  put16(&zip->data, NEEDED);
  put_facts(&zip->data, is_deflated, sum, packed, size, length);
  fb_text_add_bytes(&zip->data, name, length);
  fb_text_add_bytes(&zip->data, deflated ? deflated : (const char*)bytes, packed);
  free(deflated);
  put32(&zip->directory, CENTRAL);
  put16(&zip->directory, MADE_BY | NEEDED);
  put16(&zip->directory, NEEDED);
  put_facts(&zip->directory, is_deflated, sum, packed, size, length);
  put16(&zip->directory, 0); /* no comment */
  put16(&zip->directory, 0); /* the first disk */
  put16(&zip->directory, 0); /* no text that wants other line ends */
  put32(&zip->directory, (executable ? 0100755u : 0100644u) << 16);
  put32(&zip->directory, (uint32_t)at);
  fb_text_add_bytes(&zip->directory, name, length);
  zip->count++;
  return zip->data.failed || zip->directory.failed ? no_memory(error) : FB_OK;
}

void fb_zip_drop(fb_zip* zip) {
  free(zip->data.data);
  free(zip->directory.data);
  memset(zip, 0, sizeof *zip);
}

fb_status fb_zip_finish(fb_zip* zip, char** bytes, size_t* size, fb_error* error) {
  size_t at = zip->data.size, length = zip->directory.size;
  fb_text_add_bytes(&zip->data, zip->directory.data, length);
  put32(&zip->data, END);
  put16(&zip->data, 0);
  put16(&zip->data, 0);
  put16(&zip->data, (unsigned)zip->count);
  put16(&zip->data, (unsigned)zip->count);
  put32(&zip->data, (uint32_t)length);
  put32(&zip->data, (uint32_t)at);
  put16(&zip->data, 0);
  *bytes = fb_text_take(&zip->data, size);
  fb_zip_drop(zip);
  return *bytes ? FB_OK : no_memory(error);
}
