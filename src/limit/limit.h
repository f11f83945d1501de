/* limit.h -- joint limits, soft stops and stiction: shared by the files of this folder. What a step calls: stops.h. */
#ifndef FB_LIMIT_LIMIT_H
#define FB_LIMIT_LIMIT_H

#include <math.h>

#include "sim/sim.h"
#include "limit/stops.h"

/* Memory for complementarity problems of up to n coordinates; matrices are row major, of as many rows as take part. */
#define FB_STOPS_WORK(FIELD)                                                                       \
  FIELD(int, at, n, "coordinates, or limits, that take part")                                      \
  FIELD(int, subset, n, "")                                                                        \
  FIELD(fb_row, rows, n, "")                                                                       \
  FIELD(double, b, n, "accelerations or velocities without reactions")                             \
  FIELD(double, a, n, "accelerations of gaps; the largest of a tree")                              \
  FIELD(double, lo, n, "bounds of the reactions")                                                  \
  FIELD(double, hi, n, "")                                                                         \
  FIELD(double, tolerance, n, "of accelerations")                                                  \
  FIELD(double, q, 2 * n, "the problem in the form of the solver: twice as many unknowns")         \
  FIELD(double, z, 2 * n, "")                                                                      \
  FIELD(double, w, 2 * n, "")                                                                      \
  FIELD(double, unit, 2 * n, "powers of two that put them in one unit")                            \
  FIELD(int, basis, fb_lcp_basis_size((int)(2 * n)), "")                                           \
  FIELD(double, dv, nv, "")                                                                        \
  FIELD(unsigned char, prescribed, nv, "")                                                         \
  FIELD(int, before, 2 * nv, "motions and slides before they are settled")                         \
  FIELD(int, bound, n, "-1, +1: the reaction is at its lower or upper bound")                      \
  FIELD(double, r, n, "reactions")                                                                 \
  FIELD(double, slack, n, "accelerations that are rounding")                                       \
  FIELD(double, root, n, "square roots of responses")                                              \
  FIELD(double, x, n, "reactions times those (load_share.c)")                                      \
  FIELD(int, sharer, n, "coordinates that share a load")                                           \
  FIELD(double, sharer_root, n, "")                                                                \
  FIELD(double, share, nv, "reactions that are not those of prescribed coordinates")               \
  FIELD(double, escape, nv, "accelerations that these leave")                                      \
  FIELD(double, null, n* n, "[nnull][nsharer] orthonormal")                                        \
  FIELD(double, A, n* n, "responses: accelerations for unit forces, velocities for unit impulses") \
  FIELD(double, M, 4 * n * n, "of the solver, as q, z and w")                                      \
  FIELD(double, lcp, fb_lcp_work_size((int)(2 * n)), "")

struct fb_stops_work {
  int room;           /* n */
  int nsharer, nnull; /* of this step: coordinates that share a load; their null space */
  void* memory;
  FB_STOPS_WORK(FB_FIELD_DECLARE)
};

static inline int fb_limit_is_soft(const fb_limit* l) {
  return l->stiffness > 0;
}

/* Distance of a coordinate from its limit, >= 0 inside, and its rate; infinite where the joint no longer exists. */
static inline double fb_limit_gap(const fb_sim* s, int i, const double* y) {
  const fb_limit* l = &s->limit.list[i];
  if (l->coordinate < 0) return INFINITY;
  return l->side * (s->limit.stop_position[i] - y[s->m->top.coordinate_q[l->coordinate]]);
}
static inline double fb_limit_rate(const fb_sim* s, int i, const double* v) {
  return s->limit.list[i].coordinate < 0 ? 0 : -s->limit.list[i].side * v[s->limit.list[i].coordinate];
}

/* Whether limit i is rigid and can push its coordinate now. */
static inline int fb_limit_can_push(const fb_sim* s, int i) {
  int k = s->limit.list[i].coordinate;
  return k >= 0 && !fb_limit_is_soft(&s->limit.list[i]) && fb_sim_coordinate_responds(s, k) &&
         fb_limit_gap(s, i, s->y) <= 0;
}

/* The same of coordinates that forces move, within `reach` at y. */
static inline int fb_limit_is_within(const fb_sim* s, int i, const double* y, double max_gap) {
  int k = s->limit.list[i].coordinate;
  return k >= 0 && !fb_limit_is_soft(&s->limit.list[i]) && s->motion.of[k] == FB_MOTION_FORCE &&
         fb_limit_gap(s, i, y) <= max_gap;
}

/* Coulomb's level of coordinate k under stiction; 0 without. */
static inline double fb_stiction(const fb_sim* s, int k) {
  return s->options.friction_law == FB_FRICTION_STICTION && (s->options.passive & FB_PASSIVE_FRICTION)
             ? s->d->par->friction[k]
             : 0;
}

/* The bounds of the reaction on coordinate k: limits act in one direction, friction in both. */
static inline void fb_hold_bounds(const fb_sim* s, int k, double* lo, double* hi) {
  double level = fb_stiction(s, k);
  int stopped = s->motion.of[k] == FB_MOTION_STOPPED, side = s->limit.held_side[k];
  *lo = stopped && side <= 0 ? -INFINITY : -level;
  *hi = stopped && side >= 0 ? INFINITY : level;
}

/* By how much a reaction may exceed its bounds before the coordinate is released: the rounding of the forces in it.
 * force: magnitude of the other forces; effective_inertia: that of the coordinate. */
static inline double fb_hold_tolerance(const fb_sim* s, int k, double force, double effective_inertia,
                                       double fastest) {
  return 1e-12 * (force + effective_inertia * fastest) + 1e-9 * fb_stiction(s, k);
}
/* The largest force at any joint in the last evaluation: loops transmit its rounding to others. 0 without loops. */
double fb_hold_around(const fb_sim* s);
/* The largest acceleration in the tree of coordinate k, of the last evaluation of the flow. */
double fb_stops_fastest(const fb_sim* s, int k);

/* impact.c: impacts of all coordinates that reach limits, solved simultaneously. */
fb_status fb_stops_impact(fb_sim* s, fb_error* error);
/* Whether a coordinate approaches a rigid limit with zero gap; those without restitution are marked in s->limit.soft. */
int fb_stops_approach(const fb_sim* s);
fb_status fb_stops_find_rebounds(fb_sim* s, fb_error* error);
/* stiction.c: which coordinates at rest are held, and in which direction the others begin to move. */
fb_status fb_stops_hold(fb_sim* s, fb_error* error);
/* soft_stop.c: distance of a soft stop's coordinate beyond its level, and of the stop from the end of its phase; for
 * fb_watch. */
fb_status fb_soft_stop_depth(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error);
fb_status fb_soft_stop_margin(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error);
/* Counts an impact; 1 when there were too many within a short time. */
int fb_stops_chatters(fb_sim* s);
/* locate.c: the first instant before t1, and before *first, at which what is watched falls below zero; it becomes *first. */
struct fb_watch;
fb_status fb_stops_search(fb_sim* s, struct fb_watch watch, double t1, double* first, double* root,
                          fb_error* error);
/* stiction.c: the bounds that coordinate k would be held with; 0 when nothing can hold it. */
int fb_stops_find_bounds(fb_sim* s, int k, double* lo, double* hi);
void fb_stops_set_motion(fb_sim* s, int k, int motion);
/* Coordinates at rest that can be held: into w->at, with their bounds, and released for now. Returns their number.
 * Then, for each: it is held, or begins to move in this direction with this acceleration. */
int fb_stops_find_candidates(fb_sim* s);
void fb_stops_place_candidate(fb_sim* s, int i, int direction, double acceleration, double response);

/* load_share.c: by its response, no force on coordinate k causes motion: loops couple it to moved or held coordinates. */
int fb_share_is_idle(const fb_sim* s, int k, double response);
/* Of coordinates w->at[held[i]], which of them carry the load; by w->A, [n][n], w->r, w->bound, which it changes. */
void fb_share_choose(fb_sim* s, int* held, int count, int n);
void fb_share_idle(fb_sim* s, int k);
/* The error for a stop that is reached by a coordinate that no force can stop; rates below this are rounding. */
fb_status fb_share_say_blocked(const fb_sim* s, int k, fb_error* error);
#define FB_IDLE_RATE 1e-9 /* [m/s] or [rad/s] */
/* How far a coordinate that carries no load is from being moved by others; the part of that which is rounding. */
double fb_share_margin(const fb_sim* s, int k);
double fb_share_slack(const fb_sim* s, int k);
/* Rates that are zero but for rounding, as those that they depend on. */
void fb_share_rest(fb_sim* s);

#endif
