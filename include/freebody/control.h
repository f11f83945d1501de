/* control.h -- ready-made blocks. Each call fills a block to be handed to fb_sim_add_block, and copies what it
 * needs; the block frees its copy. */
#ifndef FREEBODY_CONTROL_H
#define FREEBODY_CONTROL_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/spline.h>

/* One coordinate of a PD law: tau = kp (target - q) + kd (target' - v), within +-effort.
 * Parameters in memory: "NAME.kp", "NAME.kd", "NAME.effort" and, when path is NULL, "NAME.target", NAME the
 * joint's; of a joint of several coordinates "NAME.0.kp" and so on. */
typedef struct fb_pd_joint {
  int coordinate; /* index in v, of a coordinate that is a plain angle or length */
  double kp, kd;
  double target;         /* used when path is NULL */
  const fb_spline* path; /* or a path in time; must outlive the block */
  double effort;         /* INFINITY: no bound */
} fb_pd_joint;

/* A force or torque that is a given function of time: rows of (time, value); between rows the value holds
 * (interpolate 0) or runs straight (1); before the first row and after the last it is zero, so a pulse is two
 * rows: (1 s, 10 N), (2 s, 0). At a row's own time it is what comes after. */
typedef struct fb_schedule {
  int count;
  const double* times;
  const double* values; /* [count] for a coordinate; [count][6] force, torque for a frame */
  int interpolate;
} fb_schedule;

FB_BEGIN_DECLS

FB_API fb_status fb_block_joint_pd(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                                   fb_block* block, fb_error* error);
/* tau of one coordinate. */
FB_API fb_status fb_block_joint_schedule(const fb_model* m, const char* name, int coordinate,
                                         const fb_schedule* schedule, fb_block* block, fb_error* error);
/* A wrench at a frame's origin. */
FB_API fb_status fb_block_frame_schedule(const fb_model* m, const char* name, int frame, int in_frame_axes,
                                         const fb_schedule* schedule, fb_block* block, fb_error* error);

FB_END_DECLS

#endif
