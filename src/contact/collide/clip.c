/* clip.c -- the part of one facet that is over another: Sutherland and Hodgman's clipping, for polygons, segments and points,
 * against the sides of a polygon or against a disc.
 *
 * A point on the border counts as inside, to 1e-9 of the size, so that corners of equal boxes stay corners. New
 * points are identified by the edge that was cut and the side that cut it. */
#include <string.h>

#include "contact/shape/facet.h"
#include "math/vector3.h"

static const double BORDER = 1e-9;

static void put(fb_facet* f, const double x[3], double weight, int id, int edge, int loose, int kind) {
  if (f->count == FB_FACET_ROOM) return;
  memcpy(f->x[f->count], x, sizeof f->x[0]);
  f->weight[f->count] = weight;
  f->id[f->count] = id;
  f->loose[f->count] = (char)loose;
  f->kind[f->count] = (char)kind;
  f->edge[f->count++] = edge;
}

static void between(const double x[3], const double y[3], double part, double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] + part * (y[i] - x[i]);
}

/* The corners of f, which is all that clipping reads. */
static void copy(const fb_facet* f, fb_facet* to) {
  const size_t n = (size_t)f->count;
  to->count = f->count;
  to->soft = f->soft;
  memcpy(to->x, f->x, n * sizeof f->x[0]);
  memcpy(to->id, f->id, n * sizeof f->id[0]);
  memcpy(to->edge, f->edge, n * sizeof f->edge[0]);
  memcpy(to->loose, f->loose, n);
  memcpy(to->kind, f->kind, n);
  memcpy(to->weight, f->weight, n * sizeof f->weight[0]);
}

/* Edges of f: none of a point, one of a segment. */
static int edge_count(const fb_facet* f) {
  return f->count > 2 ? f->count : f->count - 1;
}

/* Keeps what has q.x <= level; soft: the points that it cuts are loose. */
static void clip_side(fb_facet* f, const double q[3], double level, double border, int side, int soft) {
  fb_facet old;
  copy(f, &old);
  const int edges = edge_count(&old);
  f->count = 0;
  for (int i = 0; i < old.count; i++) {
    const int next = (i + 1) % old.count;
    const double here = dot3(q, old.x[i]) - level, there = dot3(q, old.x[next]) - level;
    if (here <= border) put(f, old.x[i], old.weight[i], old.id[i], old.edge[i], old.loose[i], old.kind[i]);
    if (i >= edges || (here <= border) == (there <= border)) continue;
    double x[3];
    /* An end within the border may be outside: the cut is between the ends all the same. */
    between(old.x[i], old.x[next], fmin(1, fmax(0, here / (here - there))), x);
    const int out = here <= border, of_side = old.kind[i] >= FB_EDGE_SIDE,
              soft_edge = old.kind[i] == FB_EDGE_INNER || old.kind[i] == FB_EDGE_SOFT_SIDE,
              loose = of_side ? soft && soft_edge : soft || soft_edge,
              shared = of_side && soft != soft_edge; /* a corner of the face that clips */
    put(f, x,
        old.count < 3 ? 1
        : shared      ? FB_WEIGHT_SHARED
                      : FB_WEIGHT_OPEN,
        fb_feature(old.edge[i], ~side), out ? ~side : old.edge[i], loose,
        out ? (soft ? FB_EDGE_SOFT_SIDE : FB_EDGE_SIDE) : old.kind[i]);
  }
}

static void clip_polygon(fb_facet* f, const fb_facet* on, const double d[3]) {
  for (int k = 0; k < on->count && f->count > 0; k++) {
    double e[3], q[3];
    const double *x = on->x[k], *y = on->x[(k + 1) % on->count];
    for (int i = 0; i < 3; i++) e[i] = y[i] - x[i];
    cross3(e, d, q);
    const double length = norm3(q);
    if (!(length > 0)) continue;
    for (int i = 0; i < 3; i++) q[i] /= length;
    clip_side(f, q, dot3(q, x), BORDER * length, on->edge[k], on->soft >> k & 1);
  }
}

/* From the middle of the disc to where x is on it, seen along d. */
static void radial(const fb_facet* on, const double d[3], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] - on->centre[i];
  add_scaled3(out, -dot3(out, on->m) / dot3(d, on->m), d);
}

static void clip_disc(fb_facet* f, const fb_facet* on, const double d[3]) {
  fb_facet old;
  copy(f, &old);
  const int edges = edge_count(&old);
  const double cut = old.count > 2 ? FB_WEIGHT_OPEN : 1;
  f->count = 0;
  for (int i = 0; i < old.count; i++) {
    const int next = (i + 1) % old.count;
    double u[3], v[3], x[3];
    radial(on, d, old.x[i], u);
    if (norm3(u) <= on->disc * (1 + BORDER))
      put(f, old.x[i], old.weight[i], old.id[i], old.edge[i], old.loose[i], old.kind[i]);
    if (i >= edges) continue;
    radial(on, d, old.x[next], v);
    for (int k = 0; k < 3; k++) v[k] -= u[k];
    const double vv = dot3(v, v), half = dot3(u, v),
                 root = half * half - vv * (dot3(u, u) - on->disc * on->disc);
    if (!(vv > 0 && root > 0)) continue;
    for (int k = 0; k < 2; k++) {
      const double part = (-half + (k ? 1 : -1) * sqrt(root)) / vv;
      if (!(part > BORDER && part < 1 - BORDER)) continue;
      between(old.x[i], old.x[next], part, x);
      put(f, x, cut, fb_feature(old.edge[i], ~k), old.edge[i], old.kind[i] == FB_EDGE_INNER, old.kind[i]);
    }
  }
}

void fb_facet_clip(fb_facet* f, const fb_facet* on, const double d[3]) {
  if (on->disc > 0)
    clip_disc(f, on, d);
  else
    clip_polygon(f, on, d);
}
