/* element.c -- the elements of the page, and the check sums of what is in them.
 *
 * The sum of an element is the CRC-32 of its content: it differs after every change of a single byte, and after others
 * but for one in 2^32. The sums stand in an element of their own behind all others, so a page that was cut off has
 * none. The viewer takes nothing from an element whose sum does not fit (viewer/src/data/parts.ts). */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "picture/page/parts.h"

static const char SUMS_ID[] = "freebody-sums";

int fb_page_sums_begin(fb_page_sums* sums) {
  memset(sums, 0, sizeof *sums);
  sums->list = fb_json_new(0);
  if (!sums->list) return 0;
  fb_json_begin_map(sums->list);
  return 1;
}

void fb_page_begin(const fb_page_out* out, const char* type, const char* id) {
  fb_page_sums* sums = out->sums;
  snprintf(sums->id, sizeof sums->id, "%s", id);
  sums->crc = crc32(0, NULL, 0);
  fprintf(out->stream, "<script type=\"%s\" id=\"%s\">", type, id);
}

void fb_page_put(const fb_page_out* out, const char* text, size_t size) {
  out->sums->crc = crc32_z(out->sums->crc, (const unsigned char*)text, size);
  fwrite(text, 1, size, out->stream);
}

void fb_page_end(const fb_page_out* out) {
  char hex[16];
  fputs("</script>\n", out->stream);
  snprintf(hex, sizeof hex, "%08lx", out->sums->crc);
  fb_json_put_string(out->sums->list, out->sums->id, hex);
}

fb_status fb_page_sums_end(const fb_page_out* out, fb_error* error) {
  fb_json* list = out->sums->list;
  out->sums->list = NULL;
  fb_json_end_map(list);
  char* text = fb_json_finish(list, NULL);
  if (!text) return fb_page_no_memory(error);
  fprintf(out->stream, "<script type=\"application/json\" id=\"%s\">%s</script>\n", SUMS_ID, text);
  free(text);
  return FB_OK;
}

void fb_page_sums_free(fb_page_sums* sums) {
  fb_json_free(sums->list);
}
