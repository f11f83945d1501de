/* inverse_kinematics.h -- joint coordinates that bring one or several frames to given poses.
 *
 * Damped least squares (Levenberg-Marquardt) on the configuration group with joint limits; the
 * report contains the remaining errors. */
#ifndef FREEBODY_INVERSE_KINEMATICS_H
#define FREEBODY_INVERSE_KINEMATICS_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_ik_target {
  int frame;
  double p_wf[3];         /* desired origin, world [m] */
  double R_wf[9];         /* desired attitude, frame axes to world axes */
  double position_weight; /* 1 by default; 0: position is free [1/m] */
  double rotation_weight; /* 1 by default; 0: attitude is free [1/rad] */
  int cookie_;            /* set by fb_default_ik_target */
} fb_ik_target;

typedef struct fb_ik_options {
  int max_iterations;        /* per start; 200 */
  int restarts;              /* additional starts from random configurations when the first fails; 0 */
  uint64_t seed;             /* of the random configurations */
  double position_tolerance; /* [m], 1e-10 */
  double rotation_tolerance; /* [rad], 1e-10 */
  int move_base;             /* 0: floating bases stay at their pose in q (default); 1: they move too */
  /* per velocity coordinate: 1 may move; NULL: all, floating bases by move_base */
  const unsigned char* movable;
  int ignore_limits; /* 0 */
  void* work; /* memory of fb_ik_work_size bytes, aligned to 64; NULL: the call allocates and frees it */
  size_t work_size; /* [bytes] */
  int cookie_;      /* set by fb_default_ik_options */
} fb_ik_options;

typedef struct fb_ik_report {
  int solved;            /* every target within tolerance */
  int iterations;        /* in all */
  int starts;            /* 1, or more with restarts */
  int at_limit;          /* coordinates resting at a limit */
  double position_error; /* largest over targets with position_weight > 0 [m] */
  double rotation_error; /* largest angle over targets with rotation_weight > 0 [rad], up to pi */
} fb_ik_report;

FB_BEGIN_DECLS

FB_API fb_ik_options fb_default_ik_options(void);
FB_API fb_ik_target
fb_default_ik_target(void); /* the world's frame at the origin: set the frame and the pose */

/* Bytes of work memory for ntarget targets. */
FB_API size_t fb_ik_work_size(const fb_model* m, int ntarget);

/* Starts from q and stores the best configuration found in q. Returns FB_OK when solved,
 * FB_ERR_NO_SOLUTION when not (q is then the closest found; see report for the errors), or FB_ERR_ARG,
 * FB_ERR_MEMORY, FB_ERR_STATE. options and report may be NULL. Allocates nothing where the options have work memory. */
FB_API fb_status fb_inverse_kinematics(const fb_model* m, fb_data* d, const fb_ik_target* targets,
                                       int ntarget, const fb_ik_options* options, double* q,
                                       fb_ik_report* report, fb_error* error);

FB_END_DECLS

#endif
