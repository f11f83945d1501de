/* yaml_surrogates.h -- JSON's surrogate pairs ("\ud83d\ude00" for U+1F600), which libyaml refuses. */
#ifndef FB_DOCUMENT_YAML_SURROGATES_H
#define FB_DOCUMENT_YAML_SURROGATES_H

#include <stddef.h>

/* Before parsing: changes each escaped pair, in place and without changing its length, into escapes that libyaml
 * accepts. Returns 0 when nothing was changed. */
int fb_yaml_hide_surrogates(char* text, size_t size);

/* After parsing, when pairs were hidden: restores them in the value of a scalar, in place, and returns its new size. In
 * double quotes a pair becomes its character, elsewhere it becomes the twelve characters of the file again. */
size_t fb_yaml_show_surrogates(char* value, size_t size, int double_quoted);

#endif
