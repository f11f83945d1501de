/* text.h -- text utilities: growing buffers, numbers read and written independent of the locale, and UTF-8
 * (libfreebody_support). */
#ifndef FREEBODY_SUPPORT_TEXT_H
#define FREEBODY_SUPPORT_TEXT_H

#include <stddef.h>

#include <freebody/export.h>

/* A growing text buffer. Start with fb_text text = {0}. A failed allocation is recorded, so one check at the end is
 * enough: fb_text_take returns NULL. */
typedef struct fb_text {
  char* data; /* zero-terminated once anything was added */
  size_t size, room;
  int failed; /* 1: an allocation failed; text added since is missing */
} fb_text;

FB_BEGIN_DECLS

FB_API void fb_text_add(fb_text* text, const char* string);
FB_API void fb_text_add_bytes(fb_text* text, const char* bytes, size_t count);
FB_API void fb_text_add_repeat(fb_text* text, char c, int count);
FB_API void fb_text_printf(fb_text* text, const char* format, ...) FB_PRINTF(2, 3);
/* Inserts string before the byte at `position`; behind the text when it is shorter. */
FB_API void fb_text_insert(fb_text* text, size_t position, const char* string);
/* Returns the text (free it with fb_free) and empties *text; NULL when an allocation failed. size may be NULL. */
FB_API char* fb_text_take(fb_text* text, size_t* size);

/* Reads a decimal number at the beginning of `text`: [+-] digits [. digits] [e [+-] digits]. Returns a pointer to the
 * character after it, or NULL when there is no number. A number that is too large becomes infinite. */
FB_API const char* fb_number_parse(const char* text, double* out);
/* Writes the fewest digits that read back as the same double into buffer[32]; returns buffer. */
FB_API char* fb_number_format(double x, char buffer[32]);
/* The same for a time, but a multiple of a period is written as the decimal that it stands for: 0.3 instead of
 * 0.30000000000000004. The text has at most 13 digits then and reads back within 1 ulp; other times are exact. */
FB_API char* fb_time_format(double t, char buffer[32]);
/* Reads a time with or without a unit, "20", "20 s", "5min", in seconds. Returns 0 when text is not a finite time. */
FB_API int fb_time_parse(const char* text, double* seconds);

/* The length in bytes of the UTF-8 character at the beginning of text, which has `left` bytes; 0 when it is not valid
 * (RFC 3629). Does not read beyond the first invalid byte. */
FB_API size_t fb_utf8_length(const char* text, size_t left);

FB_END_DECLS

#endif
