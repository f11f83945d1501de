/* yaml.h -- what parse.c needs beside libyaml: its error messages translated, and JSON's surrogate pairs
 * ("\ud83d\ude00" for U+1F600), which it refuses. */
#ifndef FB_DOCUMENT_YAML_H
#define FB_DOCUMENT_YAML_H

#include <stddef.h>
#include <yaml.h>

#include <freebody/status.h>

#include "document/document.h"

/* libyaml counts from zero. */
fb_place fb_yaml_place(yaml_mark_t mark);

/* Writes what is wrong and what to do, after the parser has stopped with an error other than lack of memory; `open` is
 * the innermost list or map that has no end yet, or NULL. The text ends with a zero. Returns the place of the mistake. */
fb_place fb_yaml_complaint(const yaml_parser_t* parser, const char* text, size_t size, const fb_node* open,
                           char* message, size_t room);

/* Before parsing: changes each escaped pair, in place and without changing its length, into escapes that libyaml
 * accepts. Returns 0 when nothing was changed. */
int fb_yaml_hide_surrogates(char* text, size_t size);

/* After parsing, when pairs were hidden: restores them in the value of a scalar, in place, and returns its new size. In
 * double quotes a pair becomes its character, elsewhere it becomes the twelve characters of the file again. */
size_t fb_yaml_show_surrogates(char* value, size_t size, int double_quoted);

#endif
