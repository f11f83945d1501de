/* loop.h -- mechanisms with closed loops: four-bars, parallel robots, two arms that hold one payload, gears.
 *
 *   H v' + bias = tau + passive + J^T wrench + J_l^T f,     J_l v' + J_l' v = 0
 *
 * The loops of a model (fb_model_def_add_loop) are constraints on its tree, given as rows: relative motions of two frames, or
 * of coordinates, that are zero. f are the forces along them. They are found from J_l H^-1 J_l^T, which comes from the
 * articulated inertias of forward dynamics: O(n) for each row, and H is never formed. Redundant rows are detected;
 * their forces are not determined, and those with the least sum of squares (of N and N m) are reported. Without loops these
 * functions are those of the tree, at the same cost.
 *
 * Other functions (fb_forward_dynamics, fb_inertia_matrix, fb_kinematics ...) compute with the tree as if the loops were open.
 * Only fb_loops_close allocates. */
#ifndef FREEBODY_LOOP_H
#define FREEBODY_LOOP_H

#include <freebody/dynamics.h>
#include <freebody/model.h>
#include <freebody/response.h>

/* Loads and actuators of a mechanism, for fb_loop_inverse_dynamics. */
typedef struct fb_loop_inverse_options {
  const fb_loads* loads; /* NULL: none, as in dynamics.h */
  /* [nv] 1: the coordinate has an actuator, 0: it has none; NULL: all have one */
  const unsigned char* actuated;
  /* memory of fb_loop_inverse_dynamics_work_size doubles; NULL: the call allocates and frees it */
  double* work;
  int cookie_; /* set by fb_default_loop_inverse_options */
} fb_loop_inverse_options;

FB_BEGIN_DECLS

/* fb_mixed_dynamics with the loops closed: q and v must satisfy them (fb_loops_close). prescribed: NULL, all by force. Afterwards
 * poses, fb_loop_force, fb_loop_effort and fb_model_check_pivots can be read. */
FB_API void fb_constrained_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                    const unsigned char* prescribed, const fb_loads* loads, double* vdot,
                                    double* tau);

/* fb_response_begin and fb_response_matrix with the loops closed: A = J H^-1 J^T minus the response
 * to the forces of the loops. */
FB_API void fb_constrained_responses(const fb_model* m, fb_data* d, const double* q,
                                     const unsigned char* prescribed, const fb_row* rows, int count,
                                     double* A);

/* The force and torque of a loop on frame b, at its origin, world axes. The opposite acts on a, at the same point. Zero for
 * gears; NaN for an id that does not exist. Either may be NULL. */
FB_API void fb_loop_force(const fb_model* m, fb_data* d, int loop, double force[3], double torque[3]);
/* The force of a gear on the coordinate of joint a; on those of joints b it is -ratio times this. 0 for other loops. */
FB_API double fb_loop_effort(const fb_model* m, fb_data* d, int loop);
/* The generalised forces of all loops, J_l^T f (nv). */
FB_API void fb_loop_forces(const fb_model* m, const fb_data* d, double* tau);

/* How far each loop is open at q: the largest of its violations, in m or rad; [nloop]. */
FB_API void fb_loop_errors(const fb_model* m, fb_data* d, const double* q, double* error);

/* Loops of the kind distance whose length is not given (NAN) get the distance at q as their length, in d. */
FB_API void fb_loops_measure(const fb_model* m, fb_data* d, const double* q);

/* Closes the loops: moves the coordinates of q for which held[k] is 0 (NULL: none is held) until every error is below
 * 1e-12, and then those of v, so that the loops stay closed. Where there is a choice, the sum of the squares of the
 * changes is the least; masses do not matter. For set-up: it allocates. FB_ERR_NO_SOLUTION names the loop that
 * cannot close. v may be NULL. */
FB_API fb_status fb_loops_close(const fb_model* m, fb_data* d, const unsigned char* held, double* q,
                                double* v, fb_error* error);
/* Removes the drift of a step: small errors in q, then in v. Returns the largest error that is left. */
FB_API double fb_loops_project(const fb_model* m, fb_data* d, const unsigned char* prescribed, double* q,
                               double* v);

/* The number of independent motions that the loops allow at q: nv minus the rank of J_l. */
FB_API int fb_loops_mobility(const fb_model* m, fb_data* d, const double* q);
/* Reports each loop with redundant rows at q, whose forces are not determined. Returns the number of such rows. */
FB_API int fb_loops_advise(const fb_model* m, fb_data* d, const double* q, fb_advice_fn advise, void* user);

FB_API fb_loop_inverse_options
fb_default_loop_inverse_options(void); /* no loads, every coordinate actuated */
/* Joint forces for a given vdot, which must keep the loops closed. They are not unique: those with the least sum of
 * squares are returned, and are zero on coordinates without an actuator. options may be NULL. Afterwards fb_loop_force
 * and fb_loop_effort are those of this motion. FB_ERR_NO_SOLUTION when vdot opens a loop, or these actuators cannot produce the
 * motion. Allocates nothing if the options have work memory. */
FB_API fb_status fb_loop_inverse_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                          const double* vdot, const fb_loop_inverse_options* options,
                                          double* tau, fb_error* error);
FB_API size_t fb_loop_inverse_dynamics_work_size(const fb_model* m);

FB_END_DECLS

#endif
