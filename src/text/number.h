/* number.h -- decimal numbers as text and back, the same in every locale. */
#ifndef FB_TEXT_NUMBER_H
#define FB_TEXT_NUMBER_H

#include <stddef.h>

/* Reads the decimal number that `text` begins with: [+-] digits [. digits] [e [+-] digits]. Returns the
 * first character after it, or NULL when there is none. A number too large becomes an infinity. */
const char* fb_number_parse(const char* text, double* out);

/* Nonzero when text is one of the spellings of infinity and not-a-number: .nan, .inf, NaN, -Infinity ... */
int fb_number_is_not_finite(const char* text);

/* The fewest digits that read back the same double, into buffer[32]; returns buffer. */
char* fb_number_text(double x, char buffer[32]);

#endif
