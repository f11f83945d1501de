/* limit.h -- inside limits and stiction: what limit/limit.c, impact.c and stiction.c share. */
#ifndef FB_LIMIT_LIMIT_H
#define FB_LIMIT_LIMIT_H

#include <math.h>

#include "sim/sim.h"
#include "limit/stops.h"

/* Memory for complementarity problems of up to `room` coordinates; arrays of n x n are row major, with n the number
 * that take part. */
struct fb_stops_work {
  int room;
  int* at;           /* [room] coordinates, or limits, that take part */
  int* subset;       /* [room] */
  fb_row* rows;      /* [room] */
  double* A;         /* [room][room] responses: accelerations for unit forces, velocities for unit impulses */
  double* b;         /* [room] what there is without them */
  double* a;         /* [room] accelerations of gaps; the largest of a tree */
  double *lo, *hi;   /* [room] bounds of the reactions */
  double* tolerance; /* [room] of accelerations */
  double *M, *q, *z, *w, *lcp; /* the problem as the solver takes it: twice as many unknowns */
  int* basis;
  double* dv;                /* [nv] */
  unsigned char* prescribed; /* [nv] */
  int* before;               /* [nv] motions and slides before they are settled */
  void* memory;
};

static inline int fb_limit_is_soft(const fb_limit* l) {
  return l->stiffness > 0;
}

/* How far a coordinate is from its limit, >= 0 inside, and how fast that grows; no limit is met whose joint has gone. */
static inline double fb_limit_gap(const fb_sim* s, int i, const double* y) {
  const fb_limit* l = &s->limits[i];
  if (l->coordinate < 0) return INFINITY;
  return l->side * (s->reach[i] - y[s->m->top.coordinate_q[l->coordinate]]);
}
static inline double fb_limit_rate(const fb_sim* s, int i, const double* v) {
  return s->limits[i].coordinate < 0 ? 0 : -s->limits[i].side * v[s->limits[i].coordinate];
}

/* Whether limit i is rigid and can push its coordinate now. */
static inline int fb_limit_touches(const fb_sim* s, int i) {
  int k = s->limits[i].coordinate;
  return k >= 0 && !fb_limit_is_soft(&s->limits[i]) && fb_sim_gives_way(s, k) &&
         fb_limit_gap(s, i, s->y) <= 0;
}

/* The same of coordinates that forces move, within `reach` at y. */
static inline int fb_limit_is_within(const fb_sim* s, int i, const double* y, double reach) {
  int k = s->limits[i].coordinate;
  return k >= 0 && !fb_limit_is_soft(&s->limits[i]) && s->motion[k] == FB_MOVE_BY_FORCE &&
         fb_limit_gap(s, i, y) <= reach;
}

/* Coulomb's level of coordinate k under stiction; 0 without. */
static inline double fb_stiction(const fb_sim* s, int k) {
  return s->options.friction_law == FB_FRICTION_STICTION && (s->options.passive & FB_PASSIVE_FRICTION)
             ? s->d->par->friction[k]
             : 0;
}

/* The bounds of what holds coordinate k: limits push one way, friction both. */
static inline void fb_hold_bounds(const fb_sim* s, int k, double* lo, double* hi) {
  double level = fb_stiction(s, k);
  int stopped = s->motion[k] == FB_MOTION_STOPPED, side = s->held_side[k];
  *lo = stopped && side <= 0 ? -INFINITY : -level;
  *hi = stopped && side >= 0 ? INFINITY : level;
}

/* What a reaction may be beyond its bounds before the coordinate lets go: rounding of the forces in it. force is the size
 * of the others, heft the inertia that the coordinate moves. */
static inline double fb_hold_tolerance(const fb_sim* s, int k, double force, double heft, double fastest) {
  return 1e-12 * (force + heft * fastest) + 1e-9 * fb_stiction(s, k);
}
/* The largest acceleration in the tree of coordinate k, of the last evaluation of the flow. */
double fb_stops_fastest(const fb_sim* s, int k);

/* impact.c: velocities of coordinates that run into limits are thrown back, all at once. */
fb_status fb_stops_impact(fb_sim* s, fb_error* error);
/* Whether a rigid limit is being run into; and, of those that are, which ones return nothing: they become s->soft. */
int fb_stops_approach(const fb_sim* s);
fb_status fb_stops_find_rebounds(fb_sim* s, fb_error* error);
/* stiction.c: which coordinates that do not move are held, and which way the others begin to move. */
fb_status fb_stops_hold(fb_sim* s, fb_error* error);
/* soft_stop.c: how far the coordinate of a soft stop is beyond its level, and how far the stop is from the end of its
 * phase; for fb_watch. */
fb_status fb_soft_stop_depth(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error);
fb_status fb_soft_stop_margin(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error);
/* One more impact; 1 when there were too many in too short a time. */
int fb_stops_chatters(fb_sim* s);
/* locate.c: the first instant before t1, and before *first, at which what is watched falls below zero; it becomes *first. */
struct fb_watch;
fb_status fb_stops_look_for(fb_sim* s, struct fb_watch watch, double t1, double* first, double* root,
                            fb_error* error);
void fb_stops_set_motion(fb_sim* s, int k, int motion);

#endif
