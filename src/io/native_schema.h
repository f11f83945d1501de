/* native_schema.h -- the one table of the native model format: every object, key, kind of value, unit, default
 * and meaning. The reader follows it; the documentation and the JSON Schema are printed from it. */
#ifndef FB_IO_NATIVE_SCHEMA_H
#define FB_IO_NATIVE_SCHEMA_H

#include "io/document.h"

enum { FB_NATIVE_VERSION = 1, FB_NATIVE_MAX_KEYS = 24 };

typedef enum fb_native_object {
  FB_NATIVE_MODEL,
  FB_NATIVE_BODY,
  FB_NATIVE_JOINT,
  FB_NATIVE_ROTOR,
  FB_NATIVE_FRAME,
  FB_NATIVE_SHAPE,
  FB_NATIVE_OBJECT_COUNT
} fb_native_object;

typedef enum fb_field_kind {
  FB_FIELD_VERSION,
  FB_FIELD_TEXT,
  FB_FIELD_NUMBER,
  FB_FIELD_VECTOR,      /* 3 numbers */
  FB_FIELD_INERTIA,     /* 6 numbers */
  FB_FIELD_AXIS,        /* 3 numbers, not all zero */
  FB_FIELD_ANGLES,      /* rotation as 3 angles */
  FB_FIELD_QUATERNION,  /* rotation as 4 numbers */
  FB_FIELD_MATRIX,      /* rotation as 3 rows of 3 */
  FB_FIELD_WORD,        /* one of `words` */
  FB_FIELD_COORDINATES, /* a number, or a list with one for each velocity coordinate */
  FB_FIELD_LIMITS,      /* a pair, or a list of pairs */
  FB_FIELD_COLOR,
  FB_FIELD_SCALE, /* a number or 3 numbers */
  FB_FIELD_MAP,   /* another object */
  FB_FIELD_LIST   /* a list of another object */
} fb_field_kind;

typedef enum fb_field_range { FB_RANGE_ANY, FB_RANGE_NOT_NEGATIVE, FB_RANGE_POSITIVE } fb_field_range;

/* Masks over the variants of an object: joint types, shape kinds; objects without variants have variant 0. */
enum { FB_ALL_VARIANTS = 0xffff };

typedef struct fb_native_field {
  fb_native_object object;
  const char* key;
  fb_field_kind kind;
  fb_quantity quantity;
  fb_quantity angular; /* of FB_FIELD_COORDINATES and FB_FIELD_LIMITS: for coordinates that are angles */
  fb_field_range range;
  unsigned allowed; /* variants that may have the key */
  unsigned needed;  /* variants that must have it */
  int offset;       /* in the struct it is read into; -1 when a reader of its own takes it */
  fb_native_object inner;
  const char* const* words; /* NULL-ended */
  const char* fallback;     /* the default in words */
  const char* help;
} fb_native_field;

const char* fb_native_object_name(fb_native_object object); /* "joint" */
/* The rows of an object, in order; *count of them. */
const fb_native_field* fb_native_fields(fb_native_object object, int* count);
/* The name of a variant: "revolute", "box"; "" where the object has none. */
const char* fb_native_variant_name(fb_native_object object, int variant);

/* The table as the key tables of docs/model-format.md, and as a JSON Schema. malloc'd; NULL without memory. */
char* fb_native_schema_markdown(size_t* size);
char* fb_native_schema_json(size_t* size);

#endif
