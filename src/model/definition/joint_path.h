/* joint_path.h -- a joint as it leads from its parent to its body, whichever of the two it is written from.
 *
 *   T_pb = place M_1(q) ... M_n(q) tail        p: parent body frame, b: body frame
 *
 * A joint is defined by P, the links M and O, which is the identity except after a capture. Reversed, it is
 * (P M O)^-1 = O^-1 M^-1 P^-1: the links come in the opposite order, each about or along its axis negated, with the same
 * coordinate. The links of a quaternion have no axis to negate: their coordinates are those of the inverse motion. */
#ifndef FB_MODEL_JOINT_PATH_H
#define FB_MODEL_JOINT_PATH_H

#include <freebody/model_def.h>
#include <freebody/spatial.h>

#include "model/joint_kind.h"

typedef struct fb_path_link {
  fb_link_kind kind;
  fb_axis_source source;
  double axis[3]; /* in the frame after the links before it, of unit length; zero when it has none */
  int q, v;       /* its first coordinate among those of the joint */
} fb_path_link;

typedef struct fb_joint_path {
  fb_pose place; /* joint frame in the parent's */
  fb_pose tail;  /* body frame in the frame after the last link */
  int has_tail;  /* 0: the identity */
  double pitch;  /* helical [m/rad] */
  int nlink;
  fb_path_link link[FB_JOINT_MAX_LINKS];
} fb_joint_path;

FB_API fb_joint_path fb_joint_path_of(const fb_joint_def* joint);

/* The coordinates of the joint at which the path leads as near to T_pb as it can: a turn takes the part of the rotation
 * about its axis, a slide the part of the offset along it. Exact for a pose that the joint can have. */
FB_API void fb_joint_path_fit(const fb_joint_path* path, const fb_pose* T_pb, double* q);

/* M_1(q) ... M_n(q). */
FB_API void fb_joint_path_motion(const fb_joint_path* path, const double* q, fb_pose* M);

/* The motion of the frame after the last link by a unit of each velocity, angular, then linear at its origin, relative to the
 * parent in the axes of the joint frame. Returns the number of velocities. */
FB_API int fb_joint_path_columns(const fb_joint_path* path, const double* q, double S[FB_JOINT_MAX_NV][6]);

/* The velocities of the joint nearest to the motion w, v of the frame after the last link, at its origin, relative to the
 * parent, both in the axes of the joint frame. */
FB_API void fb_joint_path_fit_rates(const fb_joint_path* path, const double* q, const double w[3],
                                    const double v[3], double* rates);

#endif
