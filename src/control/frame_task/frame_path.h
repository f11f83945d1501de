/* frame_path.h -- the desired pose and motion of a frame at an instant. */
#ifndef FB_CONTROL_FRAME_PATH_H
#define FB_CONTROL_FRAME_PATH_H

#include <freebody/control.h>

/* World axes. */
typedef struct fb_frame_target {
  double p[3], v[3], a[3];
  double R[9], w[3], wdot[3];
} fb_frame_target;

/* Puts copies in the place of the splines; FB_ERR_MEMORY leaves none. */
fb_status fb_frame_path_copy(const char* block, fb_frame_path* path, fb_error* error);
/* Frees the copies. */
void fb_frame_path_free(fb_frame_path* path);
/* Errors name the block. On success the axis has length one, where there is a turn. */
fb_status fb_frame_path_check(const char* block, fb_frame_path* path, fb_error* error);
/* p_start, R_start: the frame's pose at the start; the axis has length one. */
void fb_frame_path_at(const fb_frame_path* path, const double p_start[3], const double R_start[9], double t,
                      fb_frame_target* target);
/* The first knot of its paths after t; INFINITY past the last. */
FB_API double fb_frame_path_next_knot(const fb_frame_path* path, double t);

#endif
