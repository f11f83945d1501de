/* number.h -- numbers that are none; <freebody/text.h> has the rest. */
#ifndef FB_TEXT_NUMBER_H
#define FB_TEXT_NUMBER_H

/* Nonzero when text is one of the spellings of infinity and not-a-number: .nan, .inf, NaN, -Infinity ... */
int fb_number_is_not_finite(const char* text);

#endif
