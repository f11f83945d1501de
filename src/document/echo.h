/* echo.h -- a document written out again. */
#ifndef FB_DOCUMENT_ECHO_H
#define FB_DOCUMENT_ECHO_H

#include <freebody/json.h>

#include "document/document.h"

/* Writes the node and all below it. */
void fb_json_node(fb_json* json, const fb_node* node);

#endif
