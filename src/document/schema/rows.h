/* rows.h -- macros for the rows of tables of keys. For files that define such a table, after they have defined
 * FB_ROW_OBJECT(object), the enumerator of an object of their schema. */
#ifndef FB_DOCUMENT_SCHEMA_ROWS_H
#define FB_DOCUMENT_SCHEMA_ROWS_H

#include <stddef.h>

#include "document/schema/schema.h"

#define BIT(variant) (1u << (variant))
enum {
  EVERY = FB_ALL_VARIANTS,
  NEVER = 0,
  BY_KIND = FB_BY_KIND,          /* the kinds list the key */
  BY_KIND_INTO = FB_BY_KIND_INTO /* likewise, and it is read to its offset */
};

#define FB_ROWS(rows) \
  { rows, sizeof(rows) / sizeof *(rows) }

#define AT(type, member) (int)offsetof(type, member)
#define ROW(object, key, kind, linear, angular, range, allowed, needed, offset, inner, words, fallback,    \
            help)                                                                                          \
  {                                                                                                        \
    FB_ROW_OBJECT(object), key, FB_FIELD_##kind, FB_Q_##linear, FB_Q_##angular, FB_RANGE_##range, allowed, \
        needed, offset, inner, words, fallback, help                                                       \
  }
/* A value without unit; an object; a number with unit; one whose unit depends on the coordinate; a word. */
#define PLAIN(object, key, kind, allowed, needed, offset, fallback, help) \
  ROW(object, key, kind, NONE, NONE, ANY, allowed, needed, offset, 0, NULL, fallback, help)
#define INNER_OF(object, key, kind, inner, allowed, fallback, help) \
  ROW(object, key, kind, NONE, NONE, ANY, allowed, NEVER, -1, FB_ROW_OBJECT(inner), NULL, fallback, help)
#define INNER(object, key, kind, inner, fallback, help) \
  INNER_OF(object, key, kind, inner, EVERY, fallback, help)
#define UNIT(object, key, kind, quantity, range, allowed, needed, offset, fallback, help) \
  ROW(object, key, kind, quantity, NONE, range, allowed, needed, offset, 0, NULL, fallback, help)
#define BOTH(object, key, kind, linear, angular, range, allowed, needed, fallback, help) \
  ROW(object, key, kind, linear, angular, range, allowed, needed, -1, 0, NULL, fallback, help)
#define WORD(object, key, words, allowed, fallback, help) \
  ROW(object, key, WORD, NONE, NONE, ANY, allowed, NEVER, -1, 0, words, fallback, help)
/* The word that names a kind; what its words mean the kinds say, unless `help` does. */
#define KIND_WORD(object, key, words, needed, fallback, help) \
  ROW(object, key, WORD, NONE, NONE, ANY, EVERY, needed, -1, FB_ROW_OBJECT(object), words, fallback, help)
#define TURN(object, key, kind, quantity, fallback, help) \
  UNIT(object, key, kind, quantity, ANY, EVERY, NEVER, -1, fallback, "rotation: " help)
#define PLACE(object, offset, no_move, no_turn, in)                                                        \
  UNIT(object, "at", VECTOR, LENGTH, ANY, EVERY, NEVER, offset, no_move, "origin in " in),                 \
      TURN(object, "rpy", ANGLES, ANGLE, no_turn, "roll, pitch, yaw about fixed x, y, z; R = Rz Ry Rx"),   \
      TURN(object, "euler_xyz", ANGLES, ANGLE, no_turn, "angles about moving x, y, z; R = Rx Ry Rz"),      \
      TURN(object, "quat", QUATERNION, NONE, no_turn, "quaternion w, x, y, z, of any length except zero"), \
      TURN(object, "dcm", MATRIX, NONE, no_turn, "matrix R as three rows, orthonormal to 1e-6")

#endif
