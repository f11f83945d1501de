/* yaml_text.h -- texts in YAML: which may be written without quotes, which characters must be escaped. */
#ifndef FB_TEXT_YAML_TEXT_H
#define FB_TEXT_YAML_TEXT_H

#include <stddef.h>

/* Nonzero when the text may be written without quotes. */
int fb_yaml_is_plain(const char* text);

/* The code point of a UTF-8 character that must be written as an escape, or 0. `length` is that of
 * fb_utf8_length(). These are the characters that YAML 1.1, YAML 1.2 and JSON treat differently: the controls U+0080 to
 * U+009F, the line ends U+0085, U+2028 and U+2029, the byte order mark, and U+FFFE and U+FFFF. */
unsigned fb_yaml_must_escape(const char* character, size_t length);

#endif
