/* check.h -- whether a text is UTF-8 that our parsers can be given. */
#ifndef FB_TEXT_CHECK_H
#define FB_TEXT_CHECK_H

#include <stddef.h>

#include <freebody/status.h>

/* The line and column after the first `size` bytes. */
fb_place fb_text_place(const char* text, size_t size);
/* Checks that text is UTF-8 without control characters, and says where it is not. */
fb_status fb_text_check(const char* text, size_t size, const char* name, fb_error* error);
/* Refuses, in UTF-8 text, the characters of fb_yaml_must_escape() and lines that begin with %TAG. */
fb_status fb_text_check_yaml(const char* text, size_t size, const char* name, fb_error* error);

/* Refuses a text with more than `most` open brackets, quoted ones counted too: a quick guard, before a parser
 * looks far ahead. */
fb_status fb_text_check_brackets(const char* text, size_t size, int most, const char* name, fb_error* error);

#endif
