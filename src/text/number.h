/* number.h -- spellings of infinity and not-a-number; <freebody/support/text.h> has the rest. */
#ifndef FB_TEXT_NUMBER_H
#define FB_TEXT_NUMBER_H

#include <freebody/export.h>

/* Nonzero when text is one of the spellings of infinity and not-a-number: .nan, .inf, NaN, -Infinity ... */
FB_API int fb_number_is_not_finite(const char* text);

#endif
