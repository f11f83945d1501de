/* complaint.h -- translates libyaml's error messages. */
#ifndef FB_DOCUMENT_COMPLAINT_H
#define FB_DOCUMENT_COMPLAINT_H

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

#endif
