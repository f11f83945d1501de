/* model.h -- inside fb_model: topology (integers) and parameters (numbers), apart, so that a batch may
 * give each robot parameters of its own.
 *
 * The recursions run over links, not bodies. A link is a node that moves in one of six simple ways
 * relative to its parent link; links.c compiles bodies into links:
 *   - the joint axis is turned to the link's z axis, so that kernels know only z;
 *   - cylindrical, universal and planar joints become chains of one-degree links;
 *   - a body on a fixed joint rides on its carrier's link at a constant offset (unless asked not to).
 * Link 0 is the world; parents come before children. A site is a frame at a constant pose on a link:
 * bodies' own frames, named frames, centroids, joint frames. Coordinates keep the order of the file. */
#ifndef FB_MODEL_MODEL_H
#define FB_MODEL_MODEL_H

#include <stddef.h>

#include <freebody/model.h>

typedef enum fb_link_kind {
  FB_LINK_FIXED,     /* only when fixed joints are not merged */
  FB_LINK_REVOLUTE,  /* R(z, q) */
  FB_LINK_PRISMATIC, /* q z */
  FB_LINK_HELICAL,   /* R(z, q), pitch q z */
  FB_LINK_SPHERICAL, /* R(quat); velocity in the axes of the link's place */
  FB_LINK_FREE       /* p, R(quat); linear velocity, then angular, in the axes of the link's place */
} fb_link_kind;

typedef struct fb_topology {
  int nbody, nq, nv, nframe, nsite, nlink, ntree;
  int has_passive;            /* 1: some joint has a spring, damper or friction */
  int first_angle, end_angle; /* the stretch of q that holds all angles of one-degree links */
  int* body_parent;           /* [nbody]; -1 for the world */
  int* body_order;            /* [nbody] parents first */
  int* body_base;             /* [nbody] root of the tree */
  int* body_link;             /* [nbody] the link that carries the body */
  int* body_frame;            /* [nbody] the first of its named frames, if it has any */
  int* body_q;                /* [nbody] first index in q */
  int* body_v;                /* [nbody] first index in v */
  int* joint_type;            /* [nbody] fb_joint_type */
  int* link_parent;           /* [nlink]; -1 for the world */
  int* link_kind;             /* [nlink] fb_link_kind */
  int* link_q;                /* [nlink] */
  int* link_v;                /* [nlink] */
  int* link_from;     /* [nlink][3] place that only permutes axes: the column it takes each from; else -1 */
  int* link_upright;  /* [nlink] 1: its place has its parent's axes */
  int* link_child;    /* [nlink] first child, 0 when none */
  int* link_next;     /* [nlink] next child of the same parent, 0 when none */
  int* link_slot;     /* [nlink] slots: velocity coordinates in the order of the links */
  int* link_slot_end; /* [nlink] past the last slot of the subtree */
  int* slot_v;        /* [nv] the coordinate in each slot */
  int* link_leaf;     /* [nlink] 1: no link hangs on it */
  int* link_first;    /* [nlink] 1: the first child that an inward pass meets */
  int* site_link;     /* [nsite] */
  int* site_body;     /* [nsite] */
} fb_topology;

enum { FB_POSE_SIZE = 12 }; /* R row major, then p */

typedef struct fb_parameters {
  double* link_pose;    /* [nlink][12] the link's place in its parent link, at zero coordinates */
  double* link_sign;    /* [nlink][3] with link_from: the sign of each */
  double* link_pitch;   /* [nlink] helical [m/rad] */
  double* site_pose;    /* [nsite][12] in the link */
  double* body_mass;    /* [nbody] */
  double* subtree_mass; /* [nbody] with all descendants; [0] the whole scene */
  double* lower;        /* [nv] limits; -INFINITY when none */
  double* upper;        /* [nv] */
  double* link_mass;    /* [nlink] with all bodies merged into the link [kg] */
  double* link_h;       /* [nlink][3] mass times centre of mass, link frame [kg m] */
  double* link_I;       /* [nlink][6] about the link's origin, link axes, xx yy zz xy xz yz [kg m^2] */
  double* armature;     /* [nv] */
  double* stiffness;    /* [nv], and so on: passive joint forces */
  double* rest;
  double* damping;
  double* friction;
  double* friction_speed;
} fb_parameters;

typedef struct fb_name {
  const char* text; /* owned by the definition */
  int id;
} fb_name;

/* Whether coordinate i of a joint's velocity is a length (else an angle), and of q where it has one. */
static inline int fb_coordinate_is_length(fb_joint_type type, int i) {
  return type == FB_JOINT_PRISMATIC || (type == FB_JOINT_CYLINDRICAL && i == 1) ||
         (type == FB_JOINT_PLANAR && i < 2) || (type == FB_JOINT_FREE && i < 3);
}

struct fb_kernels;

struct fb_model {
  fb_topology top;
  fb_parameters par;
  const struct fb_kernels* kernels;
  fb_model_def* def;
  fb_name* frame_names; /* [nframe] sorted by name */
  fb_name* joint_names; /* [nbody - 1] sorted by name */
  void* memory;         /* one block behind all arrays above */
};

#endif
