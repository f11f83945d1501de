/* echo.h -- a document written out again. */
#ifndef FB_DOCUMENT_ECHO_H
#define FB_DOCUMENT_ECHO_H

#include "document/document.h"
#include "text/json_writer.h"

/* Writes the node and all below it. */
void fb_json_node(fb_json* json, const fb_node* node);

#endif
