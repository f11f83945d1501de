/* joint_kind.h -- the kinds of joints: properties of a type, from its row in FB_JOINT_LIST.
 *
 * A joint is a chain of links and has what they have together. A new kind is a new row of that list: nothing
 * else names the types one by one, except formats with names of their own for them. */
#ifndef FB_MODEL_JOINT_KIND_H
#define FB_MODEL_JOINT_KIND_H

#include <freebody/model_def.h>

#include "model/link_kind.h"

/* The axis of a link: axis or axis2 of fb_joint_def, or a fixed one. */
typedef enum fb_axis_source {
  FB_FROM_NONE,
  FB_FROM_AXIS,
  FB_FROM_AXIS2,
  FB_FROM_X,
  FB_FROM_Y,
  FB_FROM_Z
} fb_axis_source;

enum { FB_JOINT_MAX_LINKS = 6 };

typedef struct fb_joint_link {
  fb_link_kind kind;
  fb_axis_source axis; /* in the frame after the links before it */
} fb_joint_link;

typedef struct fb_joint_kind {
  const char* name;
  int nq, nv;
  int naxis;   /* 0, 1, or 2: axis and axis2 */
  int lengths; /* how many velocity coordinates are lengths; the others are rates of turning */
  int pitches; /* nonzero: it has a pitch */
  int quats;   /* 1: it has a quaternion, and so neither springs nor limits */
  int is_free; /* 1: position and attitude, the joint of a floating base */
  int nlink;
  fb_joint_link chain[FB_JOINT_MAX_LINKS];
} fb_joint_kind;

/* By fb_joint_type. */
extern FB_API const fb_joint_kind fb_joint_kinds[FB_JOINT_TYPE_COUNT];

/* Where velocity coordinate i of a joint stands in the joint's q; -1 for the rates of a quaternion. */
FB_API int fb_joint_type_q_of(fb_joint_type type, int i);

/* Which velocity coordinate is the rate of entry i of a joint's q; -1 for the entries of a quaternion. */
FB_API int fb_joint_type_v_of(fb_joint_type type, int i);

/* The axis of a link of this joint, of unit length; 0 (and axis zero) when it has none. */
FB_API int fb_joint_link_axis(const fb_joint_def* joint, fb_joint_link link, double axis[3]);

/* --- the same as constants --- */

/* What the links of a chain add up to, four bits each in one number: FB_SUM(FB_JOINT_FREE, NV) is 6. */
enum {
  FB_SUM_NQ = 0,
  FB_SUM_NV = 4,
  FB_SUM_LENGTHS = 8,
  FB_SUM_PITCHES = 12,
  FB_SUM_QUATS = 16,
  FB_SUM_AXIS = 20,
  FB_SUM_AXIS2 = 24,
  FB_SUM_LINKS = 28,
  FB_FROM_NONE_SUM = 0,
  FB_FROM_AXIS_SUM = 1 << FB_SUM_AXIS,
  FB_FROM_AXIS2_SUM = 1 << FB_SUM_AXIS2,
  FB_FROM_X_SUM = 0,
  FB_FROM_Y_SUM = 0,
  FB_FROM_Z_SUM = 0
};
#define FB_SUM(code, what) ((code##_SUM >> FB_SUM_##what) & 15)

#define FB_LINK_AS_SUM(kind, name, nq, nv, lengths, pitches, quats, quat_at)                         \
  FB_LINK_##kind##_SUM = ((nq) << FB_SUM_NQ) + ((nv) << FB_SUM_NV) + ((lengths) << FB_SUM_LENGTHS) + \
                         ((pitches) << FB_SUM_PITCHES) + ((quats) << FB_SUM_QUATS) + (1 << FB_SUM_LINKS),
#define FB_LINK(kind, axis) +FB_LINK_##kind##_SUM + FB_FROM_##axis##_SUM
#define FB_JOINT_AS_SUM(code, name, chain) code##_SUM = 0 chain,
enum { FB_LINK_LIST(FB_LINK_AS_SUM) FB_JOINT_LIST(FB_JOINT_AS_SUM) FB_SUMS_END };
#undef FB_LINK_AS_SUM
#undef FB_LINK
#undef FB_JOINT_AS_SUM

#endif
