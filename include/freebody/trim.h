/* trim.h -- static equilibrium of a robot under loads and given joint forces.
 *
 * fb_gravity_compensation (dynamics.h) computes the joint forces that hold a given pose; fb_trim finds the pose
 * for given forces: q where passive forces, gravity and wrenches balance tau in every movable coordinate. It first
 * follows the motion of the robot under heavy damping, which leads to a stable equilibrium of lower energy when
 * there is one; failing that it takes the nearest of any kind. The report contains the remaining imbalance. */
#ifndef FREEBODY_TRIM_H
#define FREEBODY_TRIM_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_trim_options {
  int max_iterations; /* per start and method; 200 */
  int restarts;       /* additional starts from random configurations when the first fails; 0 */
  uint64_t seed;      /* of the random configurations */
  double tolerance;   /* relative to the acting forces (fb_trim_report.scale); 1e-10 */
  int leave_unstable; /* 1: leave an unstable equilibrium by a small push instead of accepting it; 0 */
  int move_base;      /* 0: floating bases stay at their pose in q (default); 1: they move too */
  /* per velocity coordinate: 1 may move; NULL: all, floating bases by move_base */
  const unsigned char* movable;
  int ignore_limits; /* 0 */
  void* work; /* memory of fb_trim_work_size bytes, aligned to 64; NULL: the call allocates and frees it */
  size_t work_size; /* [bytes] */
  int cookie_;      /* set by fb_default_trim_options */
} fb_trim_options;

typedef struct fb_trim_report {
  int solved;      /* every movable coordinate balanced */
  int stability;   /* 1 stable, 0 neutral or undecided, -1 unstable: of the movable coordinates, at q */
  int iterations;  /* in all */
  int starts;      /* 1, or more with restarts */
  int at_limit;    /* movable coordinates resting at a limit; a limit carries no force */
  int worst;       /* coordinate of v with the largest residual; -1 when nothing may move */
  double residual; /* that residual [N or N m] */
  double scale;    /* of the acting forces: weight, wrenches, tau and springs [N or N m, arms of 1 m] */
} fb_trim_report;

FB_BEGIN_DECLS

FB_API fb_trim_options fb_default_trim_options(void);

/* Bytes of work memory. */
FB_API size_t fb_trim_work_size(const fb_model* m);

/* Starts from q and stores the equilibrium, or the least unbalanced configuration found, in q. tau (nv, NULL:
 * zero) is read for movable coordinates; the others are held by whatever force is needed. loads as in
 * dynamics.h. Returns FB_OK, FB_ERR_NO_SOLUTION (see report), or FB_ERR_ARG, FB_ERR_MEMORY, FB_ERR_STATE.
 * options and report may be NULL. Allocates nothing where the options have work memory. */
FB_API fb_status fb_trim(const fb_model* m, fb_data* d, const double* tau, const fb_loads* loads,
                         const fb_trim_options* options, double* q, fb_trim_report* report, fb_error* error);

FB_END_DECLS

#endif
