/* trim.h -- static equilibrium: where a robot rests under loads and given joint forces.
 *
 * fb_gravity_compensation (dynamics.h) gives the joint forces that hold a given pose; fb_trim seeks the pose
 * for given forces: q where passive forces, gravity and wrenches balance tau in every movable coordinate. It
 * follows the motion of the robot under heavy damping first, so that it ends at a stable equilibrium
 * when there is one below; failing that it takes the nearest of any kind. The report is honest about what
 * was not balanced. */
#ifndef FREEBODY_TRIM_H
#define FREEBODY_TRIM_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_trim_options {
  int max_iterations; /* for each start and method; 200 */
  int restarts;       /* further starts from random configurations when the first fails; 0 */
  uint64_t seed;      /* of those */
  double tolerance;   /* of the forces that act (fb_trim_report.scale); 1e-10 */
  int leave_unstable; /* 1: an unstable equilibrium is left by a small push and not accepted; 0 */
  int move_base;      /* 0: floating bases stay where q puts them (default); 1: they move too */
  const unsigned char*
      movable;       /* per velocity coordinate: 1 may move; NULL: all, floating bases by move_base */
  int ignore_limits; /* 0 */
  int cookie_;       /* set by fb_default_trim_options */
} fb_trim_options;

typedef struct fb_trim_report {
  int solved;     /* every movable coordinate balanced */
  int stability;  /* 1 stable, 0 neutral or too soft to tell, -1 unstable: of the movable coordinates, at q */
  int iterations; /* in all */
  int starts;     /* 1, or more with restarts */
  int at_limit;   /* movable coordinates resting at a limit; a limit carries no force */
  int worst;      /* coordinate of v with the largest residual; -1 when nothing may move */
  double residual; /* that residual [N or N m] */
  double scale;    /* the forces that act: weight, wrenches, tau and springs [N or N m, arms of 1 m] */
} fb_trim_report;

FB_BEGIN_DECLS

FB_API fb_trim_options fb_default_trim_options(void);

/* Bytes of work memory, aligned to 64. */
FB_API size_t fb_trim_work_size(const fb_model* m);

/* Starts from q and leaves the equilibrium, or the least unbalanced configuration found, in q. tau (nv, NULL:
 * zero) is read where coordinates are movable; the others are held by whatever it takes. loads as in
 * dynamics.h. Returns FB_OK, FB_ERR_NO_SOLUTION (see report), or FB_ERR_ARG, FB_ERR_MEMORY, FB_ERR_STATE.
 * options and report may be NULL. Allocates nothing. */
FB_API fb_status fb_trim(const fb_model* m, fb_data* d, const double* tau, const fb_loads* loads,
                         const fb_trim_options* options, void* work, size_t work_size, double* q,
                         fb_trim_report* report, fb_error* error);

FB_END_DECLS

#endif
