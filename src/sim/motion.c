/* motion.c -- prescribed coordinates: position, rate and acceleration at t
 *
 *   locked   rate 0        by rate   rate given        by path   x = path(t - begun) + shift
 *   held by a limit or by friction   rate 0, x = shift
 *
 * A path taken up at the start stands as it is given. One that an event takes up counts its time from there, and is
 * shifted so that it begins where the coordinate is: positions never jump. */
#include <math.h>

#include "sim/sim.h"
#include "limit/stops.h"

static const fb_spline* path_of(const fb_sim* s, int k) {
  int id = s->motion[k];
  return id >= 0 && s->motions[id].kind == FB_MOTION_PATH ? s->motions[id].path : NULL;
}

/* The path's own time. t - begun may miss a knot by a rounding; on a knot its right side counts. */
static double path_time(const fb_sim* s, int k, const fb_spline* path, double t) {
  double own = t - s->begun[k];
  if (s->begun[k] == 0) return own;
  double knot = fb_spline_next_knot(path, own);
  return knot - own <= 0.5 * fb_time_slack(t) ? knot : own;
}

void fb_motion_at(const fb_sim* s, int k, double t, double* x, double* rate, double* acceleration) {
  const fb_spline* path = path_of(s, k);
  int id = s->motion[k];
  if (path) {
    fb_spline_at(path, path_time(s, k, path, t), x, rate, acceleration);
    if (x) *x += s->shift[k];
    return;
  }
  if (x && fb_is_held(id) && s->m->top.coordinate_q[k] >= 0)
    *x = s->shift[k]; /* attitudes have no such number */
  if (rate) *rate = id >= 0 ? s->motions[id].rate : 0;
  if (acceleration) *acceleration = 0;
}

double fb_motion_next_knot(const fb_sim* s, int k, double t) {
  const fb_spline* path = path_of(s, k);
  return path ? s->begun[k] + fb_spline_next_knot(path, path_time(s, k, path, t)) : INFINITY;
}
