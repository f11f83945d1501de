/* schema.h -- the description of a document type: its objects, their keys, kinds of values, units, defaults and
 * meanings, in one table. The reader follows it (fields.h); the documentation and the JSON Schema are
 * printed from it. */
#ifndef FB_DOCUMENT_SCHEMA_SCHEMA_H
#define FB_DOCUMENT_SCHEMA_SCHEMA_H

#include "document/document.h"

enum { FB_SCHEMA_MAX_KEYS = 64 };

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
  FB_FIELD_SCALE,    /* a number or 3 numbers */
  FB_FIELD_MAP,      /* another object */
  FB_FIELD_LIST,     /* a list of another object */
  FB_FIELD_BOOL,     /* true or false; an int */
  FB_FIELD_INDEX,    /* a whole number from 0; an int */
  FB_FIELD_NAMES,    /* text, or a list of texts */
  FB_FIELD_NUMBERS,  /* a list of numbers, of any length */
  FB_FIELD_VECTORS,  /* a list of lists of 3 numbers */
  FB_FIELD_BY_NAME,  /* a map from a name to a number or list */
  FB_FIELD_TARGETS,  /* a list of numbers, or a map from a name to a number */
  FB_FIELD_MAPS,     /* a map from a name to another object */
  FB_FIELD_OR_NONE,  /* 3 numbers, or the word none */
  FB_FIELD_JOINT,    /* a joint of the model format, as a map */
  FB_FIELD_LOOPS,    /* loops of the model format, as a list of maps */
  FB_FIELD_DOCUMENT, /* the name of a file, or what would stand in it as a map */
  FB_FIELD_GRID,     /* rows of numbers, all of the same length */
  FB_FIELD_NAMED,    /* a name, or another object */
  FB_FIELD_DH, /* a place and an axis by Denavit and Hartenberg: a length, an angle, a length, an angle */
  FB_FIELD_KIND_COUNT
} fb_field_kind;

typedef enum fb_field_range { FB_RANGE_ANY, FB_RANGE_NOT_NEGATIVE, FB_RANGE_POSITIVE } fb_field_range;

/* Masks over the variants of an object: joint types, shape kinds; objects without variants have variant 0. */
enum { FB_ALL_VARIANTS = 0xffff, FB_BY_KIND = 0, FB_BY_KIND_INTO = 0x10000 };

typedef struct fb_field {
  int object;
  const char* key;
  fb_field_kind kind;
  fb_quantity quantity;
  fb_quantity angular; /* where coordinates may be lengths or angles: for those that are angles */
  fb_field_range range;
  unsigned allowed; /* variants that may have the key; FB_BY_KIND: those whose kind lists it, which its reader
                               asks for; FB_BY_KIND_INTO: likewise, but it is read to its offset */
  unsigned needed;  /* variants that must have it */
  int offset;       /* in the struct it is read into; -1 when a reader of its own takes it */
  int inner;        /* FB_FIELD_MAP, _LIST, _MAPS, _NAMED: the other object; of a word that names a
                               kind: the object that has kinds */
  const char* const* words; /* NULL-ended */
  const char* fallback;     /* the default in words */
  const char* help;         /* NULL: what the kinds say that the word names */
} fb_field;

typedef struct fb_schema_object {
  const char* name;            /* "joint" */
  const char* const* variants; /* NULL-ended: "revolute" ...; NULL where it has none */
  int stands_alone;            /* 1: a variant's name says it all ("a box"); 0: "a revolute joint" */
} fb_schema_object;

/* A table of rows. */
typedef struct fb_schema_rows {
  const fb_field* fields;
  int count;
} fb_schema_rows;

/* A variant that lists its keys itself, so that a new one needs no change in the rows of the others. */
typedef struct fb_schema_kind {
  const char* help; /* one line: "rigid"; or NULL */
  const char* keys; /* "frame! kp damping": those it may have; ! marks what it must have */
  /* rows that it brings along, after those of the table; their keys are in no other row */
  const fb_field* fields;
  int field_count;
} fb_schema_kind;

/* An object whose variants are kinds, in the order of their words. */
typedef struct fb_schema_registry {
  int object;
  const fb_schema_kind* const* kinds; /* NULL-ended */
} fb_schema_registry;

typedef struct fb_schema {
  const char* title; /* of the JSON Schema */
  int version;
  const fb_schema_object* objects; /* the first is the document itself */
  int object_count;
  const fb_schema_rows* const* tables;  /* NULL-ended */
  const fb_schema_registry* registries; /* any number, ended by one without kinds; or NULL */
} fb_schema;

/* The rows of an object, in order from index 0; NULL after the last. */
const fb_field* fb_schema_field(const fb_schema* schema, int object, int index);
/* Whether the kinds of its object list the key. */
int fb_field_is_by_kind(const fb_field* field);
/* Whether a variant may have the key of a row, and whether it must. */
int fb_schema_allows(const fb_schema* schema, const fb_field* field, int variant);
int fb_schema_needs(const fb_schema* schema, const fb_field* field, int variant);
enum { FB_SCHEMA_HELP = 800 };
/* What a row means; of a word that names a kind "rigid: ..., soil: ...". buffer: room for it, which may be used. */
const char* fb_schema_help(const fb_schema* schema, const fb_field* field, char buffer[FB_SCHEMA_HELP]);
/* The name of a variant: "revolute", "box"; "" where the object has none. */
const char* fb_schema_variant(const fb_schema* schema, int object, int variant);

/* Reports all errors of a map and of the maps in it that can be told by the table alone: keys that are not in it or
 * missing, values of the wrong kind or unit. It ends when `complain` returns 0. Returns 0 when memory ran out. */
int fb_schema_complain(const fb_node* map, const fb_schema* schema, int object,
                       int (*complain)(void* user, const fb_error* error), void* user);

/* The table as the key tables of a page, and as a JSON Schema. malloc'd; NULL without memory. */
char* fb_schema_markdown(const fb_schema* schema, size_t* size);
char* fb_schema_json(const fb_schema* schema, size_t* size);

#endif
