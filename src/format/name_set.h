/* name_set.h -- names that a reader has given, so that those that it makes up are new: "leg", "leg_2", "leg_3". */
#ifndef FB_FORMAT_NAME_SET_H
#define FB_FORMAT_NAME_SET_H

#include "base/text_set.h"

typedef struct fb_name_set {
  fb_text_set names; /* owned */
} fb_name_set;

/* The set's own copy of a name; *is_new says whether it was not there before. NULL when out of memory. */
const char* fb_name_set_add(fb_name_set* set, const char* name, int* is_new);
/* A copy of the name, or where it is taken of name_2 and so on. NULL when out of memory. */
const char* fb_name_set_make(fb_name_set* set, const char* name);
/* The same for a name of three parts. */
const char* fb_name_set_join(fb_name_set* set, const char* a, const char* b, const char* c);
void fb_name_set_free(fb_name_set* set);

#endif
