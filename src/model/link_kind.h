/* link_kind.h -- the kinds of links, one row each: the simple motions of which joints are chains.
 *
 * Kernels switch on the kind; all other code reads its row. A link's velocity coordinates begin with its lengths, and
 * the rest are rates of turning. A quaternion has the same first index in the link's q as its rates have in v. */
#ifndef FB_MODEL_LINK_KIND_H
#define FB_MODEL_LINK_KIND_H

#include <freebody/export.h>

/*  kind, name, nq, nv, how many lengths, pitches and quaternions, where the quaternion begins; motion */
#define FB_LINK_LIST(ROW)                                                                               \
  ROW(FIXED, "fixed", 0, 0, 0, 0, 0, 0)         /* none: only when fixed joints are not merged */       \
  ROW(REVOLUTE, "revolute", 1, 1, 0, 0, 0, 0)   /* R(z, q) */                                           \
  ROW(PRISMATIC, "prismatic", 1, 1, 1, 0, 0, 0) /* q z */                                               \
  ROW(HELICAL, "helical", 1, 1, 0, 1, 0, 0)     /* R(z, q), pitch q z */                                \
  ROW(SPHERICAL, "spherical", 4, 3, 0, 0, 1, 0) /* R(quat); velocity in the axes of the link's place */ \
  ROW(FREE, "free", 7, 6, 3, 0, 1, 3) /* p, R(quat); linear velocity, then angular, in the same axes */

#define FB_LINK_AS_ENUM(kind, name, nq, nv, lengths, pitches, quats, quat_at) FB_LINK_##kind,
typedef enum fb_link_kind { FB_LINK_LIST(FB_LINK_AS_ENUM) FB_LINK_KIND_COUNT } fb_link_kind;
#undef FB_LINK_AS_ENUM

typedef struct fb_link_row {
  const char* name;
  int nq, nv;
  int lengths; /* so many of the first velocity coordinates are lengths */
  int pitches; /* 1: it turns and advances */
  int quats;   /* 1: it has a quaternion */
  int quat_at; /* where that begins in the link's q, and its rates in v */
} fb_link_row;

/* Whether a link of this kind turns about its z axis, slides along it or both, by one coordinate. */
static inline int fb_link_is_axial(int kind) {
  return kind == FB_LINK_REVOLUTE || kind == FB_LINK_PRISMATIC || kind == FB_LINK_HELICAL;
}

/* By fb_link_kind. */
extern FB_API const fb_link_row fb_link_rows[FB_LINK_KIND_COUNT];

#endif
