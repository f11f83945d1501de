/* dynamics.h -- forces and accelerations: inverse, forward and mixed dynamics, inertia matrix.
 *
 *   H(q) v' + bias(q, v) = tau + passive(q, v) + sum of J^T wrench
 *
 * bias contains velocity products and gravity. tau is power-conjugate to v. Inverse, forward and mixed
 * dynamics, the bias and the inertia matrix compute poses themselves (positions and Jacobians may be
 * read afterwards, velocities may not); the other functions say what they need. Nothing allocates. Cost O(n),
 * except the inertia matrix, O(n depth), and the dense route, O(n^3). A fixed base is a base on a fixed joint;
 * a base with prescribed motion is a mixed problem. */
#ifndef FREEBODY_DYNAMICS_H
#define FREEBODY_DYNAMICS_H

#include <freebody/data.h>
#include <freebody/environment.h>
#include <freebody/export.h>
#include <freebody/model.h>

/* A force and a torque on the body that a frame is attached to, at the frame's origin. If the frame does not exist
 * (-1 from a look-up), or loads were not made by fb_default_loads, every result is NaN. */
typedef struct fb_wrench {
  int frame;
  int in_frame_axes; /* 0: world axes; 1: the frame's own */
  double force[3];   /* [N] */
  double torque[3];  /* [N m] */
} fb_wrench;

/* Which passive joint forces act; combine with |. */
enum {
  FB_PASSIVE_SPRINGS = 1,  /* -stiffness (q - rest) */
  FB_PASSIVE_DAMPERS = 2,  /* -damping v */
  FB_PASSIVE_FRICTION = 4, /* -friction tanh(v / friction_speed) */
  FB_PASSIVE_ALL = 7
};

/* Everything that acts other than the joint forces tau. */
typedef struct fb_loads {
  fb_environment environment; /* gravity */
  double t;                   /* time, for fields that depend on it [s] */
  const fb_wrench* wrenches;  /* wrenches on one frame add up */
  int nwrench;
  int passive; /* FB_PASSIVE_ALL by default */
  int cookie_; /* set by fb_default_loads */
} fb_loads;

/* Rates of the free motion of joints under springs and dampers; 0: none. */
typedef struct fb_stiffness {
  /* magnitude of the fastest root of s^2 + decay s + omega^2: an explicit step takes 2.8 / fastest */
  double fastest;
  int coordinate;   /* the one with the largest part of that motion; -1 when there is none */
  double decay;     /* of the fastest exponential decay [1/s] */
  double vibration; /* of the fastest vibration that is not overdamped [rad/s] */
  /* of the fastest element between frames (element.h), whose slopes FB_METHOD_IMPLICIT does not know; 0 from
   * fb_model_stiffness [1/s] */
  double between;
} fb_stiffness;

FB_BEGIN_DECLS

/* No gravity, no wrenches, all passive forces. Functions that take loads accept NULL for this. */
FB_API fb_loads fb_default_loads(void);

/* tau for a given vdot. The base's entries are the force needed to hold or drive the base. */
FB_API void fb_inverse_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                const double* vdot, const fb_loads* loads, double* tau);

/* vdot for given tau, O(n) by articulated bodies. */
FB_API void fb_forward_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                const double* tau, const fb_loads* loads, double* vdot);

/* Each joint, the base included, is either driven by force or moved with a prescribed acceleration: prescribed[k]
 * is 1 for coordinates whose vdot is given, 0 for those whose tau is given; NULL: all by force.
 * vdot and tau are read where given and filled in elsewhere. SpaceDyn's f_dyn_f0 is: joints prescribed, base
 * tau zero. */
FB_API void fb_mixed_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                              const unsigned char* prescribed, const fb_loads* loads, double* vdot,
                              double* tau);

/* bias (nv): velocity and gravity terms. Only the gravity of loads is read. */
FB_API void fb_bias(const fb_model* m, fb_data* d, const double* q, const double* v, const fb_loads* loads,
                    double* bias);

/* H, nv x nv, row major, both triangles; zero between branches. For a robot with a floating base
 * listed first, its blocks are H_b = H[0:6, 0:6], H_bm = H[0:6, 6:], H_m = H[6:, 6:] ([Yoshida 1999] (18)). */
FB_API void fb_inertia_matrix(const fb_model* m, fb_data* d, const double* q, double* H);

/* The same, but only the lower triangle and the diagonal, H[j][k] with k <= j, are written, for factorisations
 * (fb_inertia_pattern); the upper triangle is left unchanged. */
FB_API void fb_inertia_matrix_lower(const fb_model* m, fb_data* d, const double* q, double* H);

/* The pattern of H: for coordinate k, parent[k] is the next coordinate towards the world on its branch (-1
 * at a root). H[j][k] with j <= k on different branches is zero: only the chain k, parent[k], ... counts. */
FB_API void fb_inertia_pattern(const fb_model* m, int* parent);

/* Forward dynamics by the dense route, H^-1 (tau + passive + J^T wrench - bias): the independent check of
 * fb_forward_dynamics. work has room for nv*nv + nv doubles. Returns FB_ERR_NO_SOLUTION when H is singular. */
FB_API fb_status fb_forward_dynamics_dense(const fb_model* m, fb_data* d, const double* q, const double* v,
                                           const double* tau, const fb_loads* loads, double* work,
                                           double* vdot);

/* Passive joint forces (nv) of the given kinds (FB_PASSIVE_...). */
FB_API void fb_passive_forces(const fb_model* m, const fb_data* d, const double* q, const double* v,
                              int kinds, double* tau);

/* sum of J^T wrench (nv), after fb_kinematics or any dynamics call at the same q. */
FB_API void fb_wrench_forces(const fb_model* m, const fb_data* d, const fb_wrench* wrenches, int nwrench,
                             double* tau);

/* The wrench that each body's parent exerts on it through the joint: [nbody][6], force then torque, world axes, at
 * the joint frame's origin. Row 0 is the sum of the wrenches exerted by the world, at the world's origin (the ground
 * reaction). Includes fixed joints, merged or not; excludes the torque that accelerates rotors (armature), which does
 * not reach the child. Forces of actuators and passive forces are included through vdot. Call after fb_kinematics(q,
 * v, vdot) with the same loads. In simulations: the signals reaction.JOINT (freebody/signal.h). */
FB_API void fb_joint_reactions(const fb_model* m, fb_data* d, const fb_loads* loads, double* wrench);

/* After forward or mixed dynamics: FB_OK, or FB_ERR_NO_SOLUTION naming the joint whose pivot vanished (a
 * joint that moves no inertia). */
FB_API fb_status fb_model_check_pivots(const fb_model* m, const fb_data* d, fb_error* error);

/* The fastest motions at q of the model's own springs, dampers and friction at rest, and of stiffness and damping (nv
 * each, or NULL) that laws add to the coordinates, with loops closed. prescribed as in fb_mixed_dynamics. O(n) for each
 * of some 60 iterations; to about 1 per cent. */
FB_API void fb_model_stiffness(const fb_model* m, fb_data* d, const double* q,
                               const unsigned char* prescribed, const double* stiffness,
                               const double* damping, fb_stiffness* rates);

/* Joint forces that hold the robot still at q under loads: fb_inverse_dynamics at v = vdot = 0. */
FB_API void fb_gravity_compensation(const fb_model* m, fb_data* d, const double* q, const fb_loads* loads,
                                    double* tau);

FB_END_DECLS

#endif
