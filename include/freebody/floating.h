/* floating.h -- free-floating analysis: the reaction of a floating base to the motion of its arms.
 *
 * For one tree whose base has a free joint; other trees of the model are ignored. Joint coordinates are all
 * velocity coordinates of the tree except the base's six, in the order of v: nj of them, v_m, listed by
 * fb_floating_joints. The base moves with v_b = [v; w] of its origin, and everything is in world axes, linear
 * part first. L is the tree's momentum: linear, and angular about the base origin.
 *
 *   H_b v_b + H_bm v_m = L          [v; w] of a frame = J_b v_b + J_m v_m        ([Yoshida 1999] (16)-(22))
 *
 * Three modes are usual: fixed (the base is held), free-flying (thrusters or wheels control it: forward or mixed
 * dynamics with base forces), free-floating (no external forces: momentum is conserved). docs/theory/floating.md
 * lists the functions for each.
 *
 * Loops within the tree (freebody/loop.h), as of two arms that hold one payload, restrict the joint rates: those that the
 * functions below return keep them closed, and singular values count such rates only. q and v must satisfy the loops. J* and
 * its rate are those of the tree; they hold for any rates.
 *
 * Results are NaN when H_b is singular (the whole tree is a point or a rod), when a frame is not on the tree, and
 * for rates when v was not given. */
#ifndef FREEBODY_FLOATING_H
#define FREEBODY_FLOATING_H

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/parameters.h>
#include <freebody/status.h>

typedef struct fb_floating fb_floating;

FB_BEGIN_DECLS

/* The analysis of the tree whose root is body `base`. Allocates once, with its own fb_data; m must outlive it.
 * On failure *f is NULL: FB_ERR_ARG when the body is not a root or its joint is not free, FB_ERR_UNSUPPORTED when a loop ties
 * the tree to the world or to another tree. Use one per thread. */
FB_API fb_status fb_floating_new(const fb_model* m, int base, fb_floating** f, fb_error* error);
FB_API void fb_floating_free(fb_floating* f);
/* As fb_data_use: parameters must live as long as they are in use; NULL: the model's own. Call fb_floating_update
 * afterwards. */
FB_API fb_status fb_floating_use(fb_floating* f, const fb_parameters* p);
FB_API int fb_floating_nj(const fb_floating* f);            /* joint coordinates */
FB_API const int* fb_floating_joints(const fb_floating* f); /* [nj] their indices in v */

/* Sets the state of the whole model at which the functions below are evaluated. v may be NULL when no rates are needed.
 * Cost O(n). */
FB_API void fb_floating_update(fb_floating* f, const double* q, const double* v);

/* Generalized Jacobian J* = J_m - J_b H_b^-1 H_bm (6 x nj, row major):
 * frame velocity = J* v_m + J_b H_b^-1 L. (Umetani, Yoshida 1989) */
FB_API void fb_floating_jacobian(const fb_floating* f, int frame, double* Jstar);
/* Its time derivative along v. */
FB_API void fb_floating_jacobian_rate(const fb_floating* f, int frame, double* Jstar_dot);

/* Base velocity for joint rates v_m and momentum L: v_b = H_b^-1 (L - H_bm v_m). Either may be NULL, for zero. */
FB_API void fb_floating_base_velocity(const fb_floating* f, const double* v_m, const double L[6],
                                      double v_b[6]);
/* The same, stored in v: the base's six entries in its joint's axes, and v_m. Other entries of v are unchanged. */
FB_API void fb_floating_velocity(const fb_floating* f, const double* v_m, const double L[6], double* v);
/* Base acceleration for joint accelerations (NULL: zero) without external forces; needs v in the update. */
FB_API void fb_floating_base_acceleration(const fb_floating* f, const double* vdot_m, double vdot_b[6]);
/* L at the current state; needs v in the update. */
FB_API void fb_floating_momentum(const fb_floating* f, double L[6]);

/* An orthonormal basis of the joint rates that keep the loops closed, as fb_floating_reaction_null_space has one; without loops
 * all. Returns the number of vectors. */
FB_API int fb_floating_loop_motions(const fb_floating* f, double* basis);

/* Resolved motion rate: joint rates for a desired frame velocity [v; w], with constant momentum L (NULL:
 * zero), by the damped pseudo-inverse of J*: singular values s are inverted as s / (s^2 + damping^2). Without damping
 * those below 1e-12 of the largest are dropped. Returns the smallest singular value of J*, which is zero where loops leave fewer
 * than six motions. */
FB_API double fb_floating_resolved_rate(const fb_floating* f, int frame, const double velocity[6],
                                        const double L[6], double damping, double* v_m);
/* Resolved acceleration: joint accelerations for a desired frame acceleration at v, without external forces; needs v in
 * the update. */
FB_API double fb_floating_resolved_acceleration(const fb_floating* f, int frame, const double acceleration[6],
                                                double damping, double* vdot_m);

/* Reaction null space: an orthonormal basis of the joint rates that do not disturb the base. rows: 3 for its
 * attitude only, 6 for attitude and position. basis is nj x nj, vector c in column c (basis[i*nj + c]). Returns the
 * number of vectors: nj minus the rank (singular values above 1e-10 of the largest). */
FB_API int fb_floating_reaction_null_space(const fb_floating* f, int rows, double* basis);

/* Manipulability of a free-floating end-effector: the product of the singular values of J*, which is sqrt(det(J*
 * J*^T)) when nj >= 6. singular (min(6, nj), largest first) may be NULL. At a dynamic singularity the last
 * singular value is zero. */
FB_API double fb_floating_manipulability(const fb_floating* f, int frame, double* singular);

/* Coupling factor of arm and base: the largest singular value of the attitude rows of H_b^-1 H_bm, that is, the
 * largest base angular rate caused by joint rates of norm one [rad/s per unit]. */
FB_API double fb_floating_coupling(const fb_floating* f);

FB_END_DECLS

#endif
