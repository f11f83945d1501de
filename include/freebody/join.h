/* join.h -- joining two trees at a joint, parting a tree at one, and the state across the change.
 *
 * A capture makes a new const model: bodies, frames and shapes keep their ids, order and names; only parents, joints and
 * coordinates change. Body frames do not move in their bodies. A joint keeps its name, its coordinates and their signs
 * when re-rooting turns it round (fb_joint_def.reversed); only the attitude of a spherical joint, and the pose of a free
 * joint within a tree, are then those of the parent seen from the child.
 *
 *   fb_model_join(m, &how, q, &joined, &error);                                   the model
 *   fb_join_velocities(m, d, q, v, joined, d2, "grasp", NULL, q2, v2, &blow, &error);   the state after the impact
 *   ...
 *   fb_model_part(joined, "grasp", &parted, &error);                              the trees as they were
 *   fb_model_carry(joined, d2, q2, v2, parted, d3, q3, v3, &error);               the state, which does not jump
 *
 * Every function leaves its outputs as they were when it fails, except that a model is NULL. */
#ifndef FREEBODY_JOIN_H
#define FREEBODY_JOIN_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

/* How two trees are joined. The joint is placed at `to` and moves `frame`, whichever of the two trees is re-rooted: that of
 * `frame` when it floats, else that of `to`. */
typedef struct fb_join_def {
  const char* name;   /* of the new joint; no other joint may have it */
  const char* frame;  /* a frame or body of one tree */
  const char* to;     /* one of another, or "world" */
  fb_joint_type type; /* any except free; fixed is a weld */
  double axis[3];     /* in the axes of `to` and of `frame` alike; z by default */
  double axis2[3];    /* universal: in the axes of `frame`; y by default */
  double pitch;       /* helical [m/rad] */
  int force;          /* 1: the frames may be apart and their axes askew; the offset of the instant is kept */
  int cookie_;        /* set by fb_default_join_def */
} fb_join_def;

/* What passed through the joint at the instant of the join, and what it cost. */
typedef struct fb_join_impulse {
  double point[3];   /* where it is stated: the origin of `to`, world axes [m] */
  double linear[3];  /* on the side of `frame`, world axes [N s] */
  double angular[3]; /* about the point, likewise [N m s] */
  double energy;     /* kinetic energy lost, >= 0 [J] */
} fb_join_impulse;

FB_BEGIN_DECLS

FB_API fb_join_def fb_default_join_def(void); /* a weld; names are NULL */

/* The model after a join at configuration q. Positions do not jump: the new joint's coordinates are those that the
 * geometry gives, and what they leave over, within the tolerances of 1e-6 m and 1e-6 rad or more with `force`, is a
 * constant part of the joint. Errors: FB_ERR_NAME (a name that does not exist, or is taken), FB_ERR_TREE (both frames on
 * one tree, which would close a loop; neither tree floats), FB_ERR_JOINT (free; axis; frames apart). */
FB_API fb_status fb_model_join(const fb_model* m, const fb_join_def* how, const double* q, fb_model** joined,
                               fb_error* error);

/* The model with a joint opened. One made by fb_model_join is undone: the tree that was re-rooted floats again by the
 * joint that it floated by, with its former parents. For others the child floats, by a free joint on the world that has
 * the body's name (the opened joint's where another joint has that). */
FB_API fb_status fb_model_part(const fb_model* m, const char* joint, fb_model** parted, fb_error* error);

/* The same state in another model of the same bodies. Coordinates that continue (fb_model_coordinate_from) are copied
 * bit for bit, all others follow from poses and velocities of the bodies; of velocities that the joints of `to` do not
 * allow, the part that they do allow. v and v_to may both be NULL. */
FB_API fb_status fb_model_carry(const fb_model* from, fb_data* d_from, const double* q, const double* v,
                                const fb_model* to, fb_data* d_to, double* q_to, double* v_to,
                                fb_error* error);

/* The state of the joined model just after the impact, q_to (as by fb_model_carry) and v_to: linear and angular momentum
 * are those before, and only the motion across `joint` that it does not allow is lost. Coordinates of `to` with
 * prescribed[k] = 1 (NULL: none) keep their rate: a lock or a drive exerts whatever impulse is needed. impulse may be
 * NULL. FB_ERR_NO_SOLUTION when a joint moves no inertia (fb_check_pivots). */
FB_API fb_status fb_join_velocities(const fb_model* from, fb_data* d_from, const double* q, const double* v,
                                    const fb_model* to, fb_data* d_to, const char* joint,
                                    const unsigned char* prescribed, double* q_to, double* v_to,
                                    fb_join_impulse* impulse, fb_error* error);

/* The index in `from`'s v of the coordinate that coordinate k of `to`'s v continues: that of the same joint between the
 * same two bodies, with the same meaning and sign; -1 when there is none. Indices in q: fb_coordinate_q_at; for quaternions,
 * those of their three angular rates. */
FB_API int fb_model_coordinate_from(const fb_model* from, const fb_model* to, int k);

FB_END_DECLS

#endif
