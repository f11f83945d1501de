/* native.h -- the native model format (docs/model-format.md) as a document node and back. */
#ifndef FB_FORMAT_NATIVE_NATIVE_H
#define FB_FORMAT_NATIVE_NATIVE_H

#include <freebody/io.h>
#include <freebody/support/json.h>
#include <freebody/model_def.h>

#include "document/document.h"
#include "format/native/schema.h"

/* Reads the native model that is this map (in eval files it stands under `model`). */
fb_status fb_native_read(const fb_node* map, const fb_io_options* options, fb_model_def** def,
                         fb_error* error);

/* Writes it as a map with a writer of JSON or YAML. */
void fb_native_write(const fb_model_def* def, fb_json* json);

#endif
