/* parts.h -- what the files of the report page share; viewer/src/format.ts says the same of it in TypeScript. */
#ifndef FB_PICTURE_PAGE_PARTS_H
#define FB_PICTURE_PAGE_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include <freebody/picture.h>
#include <freebody/status.h>
#include <freebody/support/json.h>

#include "picture/scene/scene.h"

enum {
  FB_PAGE_BLOCK = 4096, /* samples a block: unpacked when one of them is displayed */
  FB_PAGE_BUCKET = 64   /* samples a bucket of the pyramid, from which curves are drawn */
};

/* The check sums of the elements so far, and the one that is being written. */
typedef struct fb_page_sums {
  fb_json* list;
  char id[48];
  unsigned long crc;
} fb_page_sums;

/* Where a page is written to. Errors of the stream are checked now and then by fb_page_check. */
typedef struct fb_page_out {
  FILE* stream;
  const char* shown;  /* as messages name it */
  const char* beside; /* the file's own name, beside which there is room for another; NULL: it is none */
  fb_page_sums* sums;
} fb_page_out;

static inline fb_status fb_page_no_memory(fb_error* error) {
  fb_fail(error, FB_ERR_MEMORY, "out of memory while a page was written");
  return FB_ERR_MEMORY;
}

/* ---- page.c ---- */

/* FB_ERR_ARG for options that did not come from fb_default_picture_options. */
fb_status fb_picture_options_check(const fb_picture_options* options, fb_error* error);

/* FB_ERR_IO when a write to the stream has failed: a full disk is noticed before all is packed. */
fb_status fb_page_check(const fb_page_out* out, fb_error* error);

/* ---- picture/page/element.c: elements and their check sums ---- */

/* An element: begin it, put what is in it, which holds no '<', and end it. */
void fb_page_begin(const fb_page_out* out, const char* type, const char* id);
void fb_page_put(const fb_page_out* out, const char* text, size_t size);
void fb_page_end(const fb_page_out* out);
/* Before the first element; 0 when out of memory. After it fb_page_sums_free is due. */
int fb_page_sums_begin(fb_page_sums* sums);
/* The element freebody-sums, behind all others: a JSON map of their ids and CRC-32, in hexadecimal digits. */
fb_status fb_page_sums_end(const fb_page_out* out, fb_error* error);
void fb_page_sums_free(fb_page_sums* sums);

/* ---- picture/page/pack.c: numbers and bytes as lines of text ---- */

/* Bytes that `count` numbers take at most when packed. */
size_t fb_page_packed_room(size_t count);
/* XORs each number with the one before it, parts the bytes into planes and compresses them: *size bytes of packed.
 * planes holds 8 * count bytes. */
fb_status fb_page_pack(const double* numbers, size_t count, unsigned char* planes, unsigned char* packed,
                       size_t* size, fb_error* error);
/* Writes bytes as base64. */
void fb_page_put_base64(const fb_page_out* out, const unsigned char* bytes, size_t size);
/* Writes words of 32 bits, little-endian, compressed, as base64. */
fb_status fb_page_put_words(const fb_page_out* out, const void* words, size_t count, fb_error* error);

/* ---- picture/page/columns.c ---- */

/* The elements freebody-R-C: time, and all signals. */
fb_status fb_page_put_columns(const fb_page_out* out, fb_store* run, int number, fb_error* error);

/* ---- picture/page/header.c ---- */

/* The element freebody-R. run: NULL for a model alone. live: a path, or NULL for a page with its samples in it. */
fb_status fb_page_put_header(const fb_page_out* out, fb_store* run, int number, const fb_scene* scene,
                             const char* const* notes, int nnote, const char* live, fb_error* error);

/* ---- picture/page/bodies.c ---- */

/* The header's "bodies". */
void fb_page_put_bodies(fb_json* json, const fb_scene* scene);

#endif
