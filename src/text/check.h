/* check.h -- whether a text is UTF-8 that our parsers can be given, and how it is written in YAML: which texts without quotes,
 * which characters escaped. */
#ifndef FB_TEXT_CHECK_H
#define FB_TEXT_CHECK_H

#include <stddef.h>

#include <freebody/status.h>

/* The line and column after the first `size` bytes. */
FB_API fb_place fb_text_place(const char* text, size_t size);
/* Checks that text is UTF-8 without control characters, and says where it is not. */
FB_API fb_status fb_text_check(const char* text, size_t size, const char* name, fb_error* error);
/* Refuses, in UTF-8 text, the characters of fb_yaml_must_escape() and lines that begin with %TAG. */
FB_API fb_status fb_text_check_yaml(const char* text, size_t size, const char* name, fb_error* error);

/* Refuses a text with more than `most` open brackets, quoted ones counted too: a quick guard, before a parser
 * looks far ahead. */
FB_API fb_status fb_text_check_brackets(const char* text, size_t size, int most, const char* name,
                                        fb_error* error);

/* Nonzero when the text may be written without quotes. */
int fb_yaml_is_plain(const char* text);

/* The code point of a UTF-8 character that must be written as an escape, or 0. `length` is that of
 * fb_utf8_length(). These are the characters that YAML 1.1, YAML 1.2 and JSON treat differently: the controls U+0080 to
 * U+009F, the line ends U+0085, U+2028 and U+2029, the byte order mark, and U+FFFE and U+FFFF. */
unsigned fb_yaml_must_escape(const char* character, size_t length);

#endif
