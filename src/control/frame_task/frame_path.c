/* frame_path.c -- the path of a frame: three positions and a turn about one axis, each a function of time
 *
 *   p = p_i(t), with p_start added when from_start;  p_start where no path is given
 *   R = exp(angle(t) axis~) R_start,   w = angle' axis,   w' = angle'' axis
 * World axes. Cost O(log knots). */
#include "control/frame_task/frame_path.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "math/vector3.h"

static void free_spline(const fb_spline* spline) {
  fb_spline_free((fb_spline*)(uintptr_t)spline); /* a copy of fb_frame_path_copy's */
}

void fb_frame_path_free(fb_frame_path* path) {
  for (int i = 0; i < 3; i++) free_spline(path->position[i]);
  free_spline(path->turn);
  memset(path->position, 0, sizeof path->position);
  path->turn = NULL;
}

fb_status fb_frame_path_copy(const char* block, fb_frame_path* path, fb_error* error) {
  const fb_frame_path given = *path;
  int all = 1;
  for (int i = 0; i < 3; i++) {
    path->position[i] = fb_spline_copy(given.position[i]);
    all = all && !path->position[i] == !given.position[i];
  }
  path->turn = fb_spline_copy(given.turn);
  if (all && !path->turn == !given.turn) return FB_OK;
  fb_frame_path_free(path);
  return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", block);
}

fb_status fb_frame_path_check(const char* block, fb_frame_path* path, fb_error* error) {
  if (!path->turn) return FB_OK;
  double length = norm3(path->axis_w);
  if (!isfinite(length) || !(length > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": its path turns about the axis (%g, %g, %g), which has no direction; give "
                   "three finite numbers that are not all zero",
                   block, path->axis_w[0], path->axis_w[1], path->axis_w[2]);
  for (int i = 0; i < 3; i++) path->axis_w[i] /= length;
  return FB_OK;
}

void fb_frame_path_at(const fb_frame_path* path, const double p_start[3], const double R_start[9], double t,
                      fb_frame_target* target) {
  double angle = 0, rate = 0, acceleration = 0, turned[9];
  for (int i = 0; i < 3; i++) {
    target->p[i] = p_start[i];
    target->v[i] = target->a[i] = 0;
    if (!path->position[i]) continue;
    fb_spline_eval(path->position[i], t, &target->p[i], &target->v[i], &target->a[i]);
    if (path->from_start) target->p[i] += p_start[i];
  }
  memcpy(target->R, R_start, sizeof target->R);
  if (path->turn) {
    fb_spline_eval(path->turn, t, &angle, &rate, &acceleration);
    fb_rot_from_axis_angle(path->axis_w, angle, turned);
    fb_rot_multiply(turned, R_start, target->R);
  }
  for (int i = 0; i < 3; i++) {
    target->w[i] = path->turn ? rate * path->axis_w[i] : 0;
    target->wdot[i] = path->turn ? acceleration * path->axis_w[i] : 0;
  }
}

double fb_frame_path_next_knot(const fb_frame_path* path, double t) {
  double next = path->turn ? fb_spline_next_knot(path->turn, t) : INFINITY;
  for (int i = 0; i < 3; i++)
    if (path->position[i]) next = fmin(next, fb_spline_next_knot(path->position[i], t));
  return next;
}
