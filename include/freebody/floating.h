/* floating.h -- free-floating analysis: what an arm does to the base it hangs on.
 *
 * For one tree whose base has a free joint (the "floating base"). Joint coordinates are all velocity
 * coordinates of the tree but the base's six, in the order of v: nj of them, listed by fb_floating_joints.
 * The field's three modes: fixed (base held), free-flying (base driven by thrusters or wheels: a mixed or
 * forward problem with base forces), free-floating (no external force: momentum is conserved).
 *   [H_b  H_bm] [v_b]   [L]
 *                [v_m] =      momentum (linear; angular about the base origin)      seed 000 (15)-(20)
 */
#ifndef FREEBODY_FLOATING_H
#define FREEBODY_FLOATING_H

#include <stddef.h>

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef struct fb_floating fb_floating;

FB_BEGIN_DECLS

/* The analysis of the tree that body `base` roots. Allocates once; NULL and an error when the base's joint is
 * not free, or its body is not a root. One for each thread. */
FB_API fb_status fb_floating_new(const fb_model* m, int base, fb_floating** f, fb_error* error);
FB_API void fb_floating_free(fb_floating* f);
FB_API int fb_floating_nj(const fb_floating* f);            /* joint coordinates */
FB_API const int* fb_floating_joints(const fb_floating* f); /* their indices in v */

/* Sets the state; everything below is at it. v may be NULL where no rate is asked. Uses d. */
FB_API void fb_floating_update(fb_floating* f, const fb_model* m, fb_data* d, const double* q,
                               const double* v);

/* Generalized Jacobian J* (6 x nj): frame velocity = J* v_m + Jb Hb^-1 L. (seed 000; Umetani, Yoshida 1989) */
FB_API void fb_floating_jacobian(const fb_floating* f, int frame, double* Jstar);
/* Its time derivative along v (needs v in the update). */
FB_API void fb_floating_jacobian_rate(const fb_floating* f, int frame, double* Jstar_dot);

/* Base velocity [v; w] (6, world axes at the base origin) for joint rates v_m and a total momentum L (linear;
 * angular about the base origin; NULL: zero): v_b = Hb^-1 (L - H_bm v_m). */
FB_API void fb_floating_base_velocity(const fb_floating* f, const double* v_m, const double L[6],
                                      double v_b[6]);
/* The momentum at the state: L of the tree (6, angular about the base origin); needs v. */
FB_API void fb_floating_momentum(const fb_floating* f, double L[6]);

/* Resolved motion rate: joint rates for a wanted frame velocity [v; w], with locked momentum L (NULL: zero);
 * damped pseudo-inverse of J*, damping >= 0. Returns the smallest singular value of J*. */
FB_API double fb_floating_resolved_rate(const fb_floating* f, int frame, const double velocity[6],
                                        const double L[6], double damping, double* v_m);
/* Resolved acceleration: joint accelerations for a wanted frame acceleration at v; momentum constant. */
FB_API double fb_floating_resolved_acceleration(const fb_floating* f, int frame, const double acceleration[6],
                                                double damping, double* vdot_m);

/* Reaction null space of the base: an orthonormal basis of the joint rates that leave the base's motion
 * alone. rows: 3 its attitude only, 6 all of it. basis is nj x nj, vector c in column c (basis[i*nj + c]);
 * returns how many vectors there are. */
FB_API int fb_floating_reaction_null_space(const fb_floating* f, int rows, double* basis);

/* Dynamic manipulability sqrt(det(J* J*^T)) and the singular values of J* (largest first, min(6, nj) of them). A
 * dynamic singularity is a vanishing last one. singular may be NULL. */
FB_API double fb_floating_manipulability(const fb_floating* f, int frame, double* singular);

/* Coupling factor between arm and base: the largest singular value of Hb^-1 H_bm (attitude rows), base
 * angular rate per unit joint rate [rad/s per unit]. */
FB_API double fb_floating_coupling(const fb_floating* f);

FB_END_DECLS

#endif
