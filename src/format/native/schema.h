/* schema.h -- the one table of the native model format: every object, key, kind of value, unit, default
 * and meaning. */
#ifndef FB_FORMAT_NATIVE_SCHEMA_H
#define FB_FORMAT_NATIVE_SCHEMA_H

#include <freebody/model_def.h>

#include "document/schema/schema.h"

enum { FB_NATIVE_VERSION = 1 };

typedef enum fb_native_object {
  FB_NATIVE_MODEL,
  FB_NATIVE_BODY,
  FB_NATIVE_JOINT,
  FB_NATIVE_ROTOR,
  FB_NATIVE_CHILD,
  FB_NATIVE_FRAME,
  FB_NATIVE_SHAPE,
  FB_NATIVE_LOOP,
  FB_NATIVE_OBJECT_COUNT
} fb_native_object;

/* How many of `axis` and `axis2` a type of loop has. */
static inline int fb_loop_naxis(fb_loop_type type) {
  return type == FB_LOOP_UNIVERSAL ? 2 : type == FB_LOOP_REVOLUTE || type == FB_LOOP_PRISMATIC;
}

extern const fb_schema fb_native_schema;
extern const char* const fb_shape_kinds[]; /* names of fb_shape_kind, NULL-ended */

#endif
