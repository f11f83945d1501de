/* clip.c -- the part of one facet that is over another: Sutherland and Hodgman's clipping, for polygons, segments and points,
 * against the sides of a polygon or against a disc.
 *
 * A point on the border counts as inside, to 1e-9 of the size, so that corners of equal boxes stay corners. New points are
 * known by the edge that was cut and the side that cut it. */
#include <string.h>

#include "contact/facet.h"
#include "math/vector3.h"

static const double BORDER = 1e-9;

static void put(fb_facet* f, const double x[3], int id, int edge, int loose) {
  if (f->count == FB_FACET_ROOM) return;
  memcpy(f->x[f->count], x, sizeof f->x[0]);
  f->id[f->count] = id;
  f->loose[f->count] = (char)loose;
  f->edge[f->count++] = edge;
}

static void between(const double x[3], const double y[3], double part, double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] + part * (y[i] - x[i]);
}

/* Edges of f: none of a point, one of a segment. */
static int edge_count(const fb_facet* f) {
  return f->count > 2 ? f->count : f->count - 1;
}

/* Keeps what has q.x <= level; soft: the points that it cuts are loose. */
static void clip_side(fb_facet* f, const double q[3], double level, double border, int side, int soft) {
  const fb_facet old = *f;
  const int edges = edge_count(&old);
  f->count = 0;
  for (int i = 0; i < old.count; i++) {
    const int next = (i + 1) % old.count;
    const double here = dot3(q, old.x[i]) - level, there = dot3(q, old.x[next]) - level;
    if (here <= border) put(f, old.x[i], old.id[i], old.edge[i], old.loose[i]);
    if (i >= edges || (here <= border) == (there <= border)) continue;
    double x[3];
    between(old.x[i], old.x[next], here / (here - there), x);
    put(f, x, fb_feature(old.edge[i], ~side), here <= border ? ~side : old.edge[i], soft);
  }
}

static void clip_polygon(fb_facet* f, const fb_facet* on) {
  for (int k = 0; k < on->count && f->count > 0; k++) {
    double e[3], q[3];
    const double *x = on->x[k], *y = on->x[(k + 1) % on->count];
    for (int i = 0; i < 3; i++) e[i] = y[i] - x[i];
    cross3(e, on->m, q);
    const double length = norm3(q);
    if (!(length > 0)) continue;
    for (int i = 0; i < 3; i++) q[i] /= length;
    clip_side(f, q, dot3(q, x), BORDER * length, on->edge[k], on->soft >> k & 1);
  }
}

/* From the axis of the disc. */
static void radial(const fb_facet* on, const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] - on->centre[i];
  add_scaled3(out, -dot3(out, on->m), on->m);
}

static void clip_disc(fb_facet* f, const fb_facet* on) {
  const fb_facet old = *f;
  const int edges = edge_count(&old);
  f->count = 0;
  for (int i = 0; i < old.count; i++) {
    const int next = (i + 1) % old.count;
    double u[3], v[3], x[3];
    radial(on, old.x[i], u);
    if (norm3(u) <= on->disc * (1 + BORDER)) put(f, old.x[i], old.id[i], old.edge[i], old.loose[i]);
    if (i >= edges) continue;
    radial(on, old.x[next], v);
    for (int k = 0; k < 3; k++) v[k] -= u[k];
    const double vv = dot3(v, v), half = dot3(u, v),
                 root = half * half - vv * (dot3(u, u) - on->disc * on->disc);
    if (!(vv > 0 && root > 0)) continue;
    for (int k = 0; k < 2; k++) {
      const double part = (-half + (k ? 1 : -1) * sqrt(root)) / vv;
      if (!(part > BORDER && part < 1 - BORDER)) continue;
      between(old.x[i], old.x[next], part, x);
      put(f, x, fb_feature(old.edge[i], ~k), old.edge[i], old.soft >> i & 1);
    }
  }
}

void fb_facet_clip(fb_facet* f, const fb_facet* on) {
  if (on->disc > 0)
    clip_disc(f, on);
  else
    clip_polygon(f, on);
}
