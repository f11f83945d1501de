/* join.h -- joining two trees at a joint, parting a tree at one, and the state across the change.
 *
 * A capture makes a new const model: bodies, frames and shapes keep their ids, order and names; only parents, joints
 * and coordinates change. Body frames do not move in their bodies. A joint keeps its name, its coordinates and their
 * signs when re-rooting reverses it (fb_joint_def.reversed); only the attitude of a spherical joint, and the pose of
 * a free joint within a tree, are then those of the parent seen from the child.
 *
 *   fb_model_join(m, &how, q, &joined, &error);                                   the model
 *   fb_model_state a = {m, d, q, v}, b = {joined, d2, q2, v2};
 *   fb_model_state_join(&a, &b, "grasp", NULL, &impulse, &error);                 the state after the impact
 *   ...
 *   fb_model_part(joined, "grasp", &parted, &error);                              the trees as they were
 *   fb_model_state_carry(&b, &c, &error);                                         the state, which does not jump
 *
 * Every function leaves its outputs as they were when it fails, except that a model is NULL. */
#ifndef FREEBODY_JOIN_H
#define FREEBODY_JOIN_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

/* How two trees are joined. The joint stands at `to` and moves `frame`. The tree of `frame` is re-rooted if it floats,
 * otherwise that of `to`; this does not change the meaning of the joint. */
typedef struct fb_join_def {
  const char* name;   /* of the new joint; no other joint may have it */
  const char* frame;  /* a frame or body of one tree */
  const char* to;     /* a frame or body of the other tree, or "world" */
  fb_joint_type type; /* any except free; fixed is a weld */
  double axis[3];     /* in the axes of `to` and of `frame` alike; z by default */
  double axis2[3];    /* universal: in the axes of `frame`; y by default */
  double pitch;       /* helical [m/rad] */
  int force;   /* 1: the frames may be apart and their axes not aligned; their offset at the join is kept */
  int cookie_; /* set by fb_default_join_def */
} fb_join_def;

/* The impulse through the joint at the instant of the join, and the energy lost. */
typedef struct fb_join_impulse {
  double point[3];   /* at which the impulse is stated: the origin of `to`, world axes [m] */
  double linear[3];  /* on the tree of `frame`, world axes [N s] */
  double angular[3]; /* about the point, likewise [N m s] */
  double energy;     /* kinetic energy lost, >= 0 [J] */
} fb_join_impulse;

/* A state of a model, and data of the model: the source or the destination of a transfer between models. */
typedef struct fb_model_state {
  const fb_model* model;
  fb_data* data; /* of the model, for scratch */
  double* q;     /* [nq] read from the source, written to the destination */
  double* v;     /* [nv] likewise */
} fb_model_state;

FB_BEGIN_DECLS

FB_API fb_join_def fb_default_join_def(void); /* a weld; names are NULL */

/* The model after a join at configuration q. Positions do not jump: the new joint's coordinates are those that the
 * geometry gives, and the remaining offset, within 1e-6 m and 1e-6 rad or larger with `force`, becomes a constant
 * part of the joint. Errors: FB_ERR_NAME (a name that does not exist, or is taken), FB_ERR_TREE (both frames on one
 * tree, which would close a loop; neither tree floats), FB_ERR_JOINT (free; axis; frames apart). */
FB_API fb_status fb_model_join(const fb_model* m, const fb_join_def* how, const double* q, fb_model** joined,
                               fb_error* error);

/* The model with a joint opened. A joint made by fb_model_join is undone: the tree that was re-rooted gets its former
 * parents and its former free joint back. Otherwise the child floats by a new free joint on the world, which has the
 * name of the body, or that of the opened joint if another joint has the name of the body. */
FB_API fb_status fb_model_part(const fb_model* m, const char* joint, fb_model** parted, fb_error* error);

/* The same state in another model of the same bodies. Coordinates that continue (fb_model_coordinate_from) are copied
 * bit for bit, all others follow from poses and velocities of the bodies. Where the joints of `to` do not allow a velocity,
 * the part that they allow is taken. Both v may be NULL. */
FB_API fb_status fb_model_state_carry(const fb_model_state* from, const fb_model_state* to, fb_error* error);

/* The state of the joined model just after the impact, q (as by fb_model_state_carry) and v: linear and angular momentum
 * are conserved, and only the relative motion that `joint` does not allow is lost. Coordinates of `to` with
 * prescribed[k] = 1 (NULL: none) keep their rate: a lock or a drive exerts whatever impulse is needed. impulse may be
 * NULL. FB_ERR_NO_SOLUTION when a joint moves no inertia (fb_model_check_pivots). */
FB_API fb_status fb_model_state_join(const fb_model_state* from, const fb_model_state* to, const char* joint,
                                     const unsigned char* prescribed, fb_join_impulse* impulse,
                                     fb_error* error);

/* The index in `from`'s v of the coordinate that coordinate k of `to`'s v continues: that of the same joint between the
 * same two bodies, with the same meaning and sign; -1 when there is none. Indices in q: fb_coordinate_q_index; for quaternions,
 * those of their three angular rates. */
FB_API int fb_model_coordinate_from(const fb_model* from, const fb_model* to, int k);

FB_END_DECLS

#endif
