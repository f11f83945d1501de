/* polytope_rig.h -- the signed gap of two convex polytopes by brute force, in long double, from their corners alone: the
 * oracle for collisions. Include after cmocka.h.
 *
 * No list of faces or edges is needed: every unit n gives a lower bound gap(n), and every pair of points of the two shapes an
 * upper bound of the distance. All planes through three corners and all pairs of lines through two contain those that count;
 * the others do no harm. A radius around each shape makes capsules and spheres. Cost O(n^4) for n corners each. */
#ifndef FB_TESTS_POLYTOPE_RIG_H
#define FB_TESTS_POLYTOPE_RIG_H

#include <math.h>

typedef long double wide;
enum { CORNERS_MOST = 12 };

typedef struct polytope {
  int count;
  wide x[CORNERS_MOST][3];
  wide radius;
} polytope;

static inline wide wide_dot(const wide a[3], const wide b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void wide_cross(const wide a[3], const wide b[3], wide out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void wide_minus(const wide a[3], const wide b[3], wide out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* min over a, b of n.(a - b); n of unit length. */
static inline wide polytope_gap_along(const polytope* a, const polytope* b, const wide n[3]) {
  wide low = INFINITY, high = -INFINITY;
  for (int i = 0; i < a->count; i++) low = fminl(low, wide_dot(n, a->x[i]));
  for (int i = 0; i < b->count; i++) high = fmaxl(high, wide_dot(n, b->x[i]));
  return low - high;
}

static inline wide try_both_ways(const polytope* a, const polytope* b, const wide along[3], wide best) {
  const wide length = sqrtl(wide_dot(along, along));
  wide n[3];
  if (!(length > 0)) return best;
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 3; i++) n[i] = (side ? -along[i] : along[i]) / length;
    best = fmaxl(best, polytope_gap_along(a, b, n));
  }
  return best;
}

/* Edge of a corner pair, by its number. */
static inline int pair_of(const polytope* p, int number, int ends[2], wide e[3]) {
  for (int i = 1, at = 0; i < p->count; at += i, i++) {
    if (number >= at + i) continue;
    ends[0] = i;
    ends[1] = number - at;
    wide_minus(p->x[ends[0]], p->x[ends[1]], e);
    return 1;
  }
  return 0;
}

static inline wide try_planes(const polytope* p, const polytope* a, const polytope* b, wide best) {
  wide e1[3], e2[3], n[3], flat[3];
  for (int i = 0; i < p->count; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        wide_minus(p->x[i], p->x[k], e1);
        wide_minus(p->x[j], p->x[k], e2);
        wide_cross(e1, e2, n);
        best = try_both_ways(a, b, n, best);
        if (p->count > 3) continue;
        wide_cross(n, e1, flat); /* a triangle's edges, in its plane */
        best = try_both_ways(a, b, flat, best);
        wide_cross(n, e2, flat);
        best = try_both_ways(a, b, flat, best);
      }
  return best;
}

/* --- distances: each is that of two points which the shapes have --- */

static inline wide point_segment(const wide x[3], const wide p[3], const wide e[3]) {
  wide away[3];
  wide_minus(x, p, away);
  const wide ee = wide_dot(e, e), part = ee > 0 ? fmaxl(0, fminl(1, wide_dot(away, e) / ee)) : 0;
  for (int i = 0; i < 3; i++) away[i] -= part * e[i];
  return sqrtl(wide_dot(away, away));
}

/* Inside of both: along the normal of the two; INFINITY where they do not pass over each other. */
static inline wide line_line(const wide p[3], const wide u[3], const wide q[3], const wide v[3]) {
  wide n[3], w[3], c[3];
  wide_cross(u, v, n);
  wide_minus(q, p, w);
  const wide nn = wide_dot(n, n);
  if (!(nn > 0)) return INFINITY;
  wide_cross(w, v, c);
  const wide s = wide_dot(c, n) / nn;
  wide_cross(w, u, c);
  const wide t = wide_dot(c, n) / nn;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fabsl(wide_dot(w, n)) / sqrtl(nn) : INFINITY;
}

static inline wide segment_segment(const wide p[3], const wide u[3], const wide q[3], const wide v[3]) {
  wide p2[3], q2[3];
  for (int i = 0; i < 3; i++) {
    p2[i] = p[i] + u[i];
    q2[i] = q[i] + v[i];
  }
  wide least = line_line(p, u, q, v);
  least = fminl(least, fminl(point_segment(p, q, v), point_segment(p2, q, v)));
  return fminl(least, fminl(point_segment(q, p, u), point_segment(q2, p, u)));
}

static inline wide point_triangle(const wide x[3], const wide p[3], const wide e1[3], const wide e2[3]) {
  wide n[3], w[3], c[3];
  wide_cross(e1, e2, n);
  wide_minus(x, p, w);
  const wide nn = wide_dot(n, n);
  if (!(nn > 0)) return INFINITY;
  wide_cross(w, e2, c);
  const wide s = wide_dot(c, n) / nn;
  wide_cross(e1, w, c);
  const wide t = wide_dot(c, n) / nn;
  return s >= 0 && t >= 0 && s + t <= 1 ? fabsl(wide_dot(w, n)) / sqrtl(nn) : INFINITY;
}

static inline wide points_from_planes(const polytope* a, const polytope* p, wide least) {
  wide e1[3], e2[3];
  for (int i = 0; i < p->count; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        wide_minus(p->x[i], p->x[k], e1);
        wide_minus(p->x[j], p->x[k], e2);
        for (int m = 0; m < a->count; m++) least = fminl(least, point_triangle(a->x[m], p->x[k], e1, e2));
      }
  return least;
}

static inline wide polytope_distance(const polytope* a, const polytope* b) {
  wide least = INFINITY, u[3], v[3], away[3];
  int ea[2], eb[2];
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      wide_minus(a->x[i], b->x[j], away);
      least = fminl(least, sqrtl(wide_dot(away, away)));
    }
  for (int i = 0; pair_of(a, i, ea, u); i++)
    for (int j = 0; j < b->count; j++) least = fminl(least, point_segment(b->x[j], a->x[ea[1]], u));
  for (int i = 0; pair_of(b, i, eb, v); i++) {
    for (int j = 0; j < a->count; j++) least = fminl(least, point_segment(a->x[j], b->x[eb[1]], v));
    for (int j = 0; pair_of(a, j, ea, u); j++)
      least = fminl(least, segment_segment(a->x[ea[1]], u, b->x[eb[1]], v));
  }
  return points_from_planes(a, b, points_from_planes(b, a, least));
}

/* The largest gap(n) of all planes and crossings: the signed gap where the shapes penetrate, > 0 where they do not. */
static inline wide polytope_separation(const polytope* a, const polytope* b) {
  wide u[3], v[3], n[3], best = -INFINITY;
  int ends[2];
  best = try_planes(a, a, b, best);
  best = try_planes(b, a, b, best);
  for (int i = 0; pair_of(a, i, ends, u); i++)
    for (int j = 0; pair_of(b, j, ends, v); j++) {
      wide_cross(u, v, n);
      best = try_both_ways(a, b, n, best);
    }
  return best;
}

/* Whether a corner, edge or triangle is all there is of a shape: two of these may have a difference without volume. */
static inline wide polytope_gap(const polytope* a, const polytope* b) {
  const int flat = a->count < 4 && b->count < 4;
  const wide separation = flat ? 0 : polytope_separation(a, b);
  const wide core = separation > 0 || flat ? polytope_distance(a, b) : separation;
  return core - a->radius - b->radius;
}

#endif
