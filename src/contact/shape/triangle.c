/* triangle.c -- which normals at a point of a triangle are normals of the mesh or height field as a whole
 *
 * The nearest point of a triangle need not be the nearest of the surface, since neighbours may be nearer. A normal n is one of
 * the surface, inside the triangle if it points outwards; at an edge if it is normal to it and between the normals of its two
 * sides, that is, if it points into neither triangle; at a corner if it points along none of the edges that start there. */
#include <string.h>

#include "contact/shape/triangle.h"
#include "math/vector3.h"

enum { FAN = 64 }; /* triangles around a corner that are visited, in each direction */

static void difference(const double x[3], const double y[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] - y[i];
}

/* Of a mesh whose scale is the same along all axes the normals are known. */
static void find_normal(const fb_shape* b, fb_triangle* t) {
  double e1[3], e2[3];
  if (b->size[0] == b->size[1] && b->size[1] == b->size[2] && b->size[0] > 0) {
    memcpy(t->m, b->geometry->facing + 3 * t->index, sizeof t->m);
    return;
  }
  difference(t->x[1], t->x[0], e1);
  difference(t->x[2], t->x[0], e2);
  cross3(e1, e2, t->m);
  const double area = norm3(t->m);
  for (int i = 0; i < 3; i++) t->m[i] = area > 0 ? t->m[i] / area : 0;
}

void fb_triangle_get(const fb_shape* b, int index, fb_triangle* t) {
  const fb_geometry* g = b->geometry;
  t->index = index;
  for (int k = 0; k < 3; k++) {
    t->name[k] = g->triangle[3 * index + k];
    for (int i = 0; i < 3; i++) t->x[k][i] = b->size[i] * g->vertex[3 * t->name[k] + i];
  }
  find_normal(b, t);
}

void fb_triangle_inwards(const fb_triangle* t, int k, double out[3]) {
  double e[3];
  difference(t->x[(k + 1) % 3], t->x[k], e);
  cross3(t->m, e, out);
}

fb_region fb_triangle_nearest(const fb_triangle* t, const double x[3], double point[3]) {
  double best = INFINITY, in[3], e[3], away[3];
  fb_region where = {3, 0};
  int inside = 1;
  for (int k = 0; k < 3; k++) {
    fb_triangle_inwards(t, k, in);
    difference(x, t->x[k], away);
    if (dot3(in, away) >= 0) continue;
    inside = 0;
    difference(t->x[(k + 1) % 3], t->x[k], e);
    const double along = dot3(e, away) / dot3(e, e), part = along > 0 ? (along < 1 ? along : 1) : 0;
    add_scaled3(away, -part, e);
    if (!(dot3(away, away) < best)) continue;
    best = dot3(away, away);
    where = part <= 0 ? (fb_region){1, k} : part >= 1 ? (fb_region){1, (k + 1) % 3} : (fb_region){2, k};
    for (int i = 0; i < 3; i++) point[i] = t->x[k][i] + part * e[i];
  }
  if (!inside) return where;
  memcpy(point, x, 3 * sizeof *point);
  difference(x, t->x[0], away);
  add_scaled3(point, -dot3(away, t->m), t->m);
  return where;
}

int fb_triangle_corner(const fb_triangle* t, int name) {
  return t->name[0] == name ? 0 : t->name[1] == name ? 1 : 2;
}

static int owns_edge(const fb_shape* b, const fb_triangle* t, int k, const double n[3], double slack) {
  const int across = b->geometry->across[3 * t->index + k];
  fb_triangle other;
  double in[3], e[3];
  fb_triangle_inwards(t, k, in);
  difference(t->x[(k + 1) % 3], t->x[k], e);
  if (dot3(n, in) > slack * norm3(in) || fabs(dot3(n, e)) > slack * norm3(e)) return 0;
  if (across < 0) return dot3(n, t->m) >= -slack;
  fb_triangle_get(b, across, &other);
  fb_triangle_inwards(&other, fb_triangle_corner(&other, t->name[(k + 1) % 3]), in);
  return dot3(n, in) <= slack * norm3(in) && dot3(n, t->m) + dot3(n, other.m) > 0;
}

/* Goes around a corner; 0 where an edge is along n. *around: the fan is closed. Adds up the normals. */
static int owns_fan(const fb_shape* b, const fb_triangle* t, int corner, const double n[3], double slack,
                    int other_way, double* outwards, int* around) {
  fb_triangle at = *t;
  const int name = t->name[corner];
  *around = 0;
  for (int turn = 0; turn < FAN; turn++) {
    const int k = fb_triangle_corner(&at, name), end = other_way ? (k + 1) % 3 : (k + 2) % 3;
    double e[3];
    difference(at.x[end], at.x[k], e);
    if (dot3(n, e) > slack * norm3(e)) return 0;
    *outwards += dot3(n, at.m);
    const int next = b->geometry->across[3 * at.index + (other_way ? k : (k + 2) % 3)];
    if (next < 0) return 1;
    if (next == t->index) break;
    fb_triangle_get(b, next, &at);
  }
  *around = 1;
  return 1;
}

int fb_triangle_owns(const fb_shape* b, const fb_triangle* t, fb_region where, const double n[3],
                     double slack) {
  double outwards = 0;
  int around;
  if (where.count == 3) return dot3(n, t->m) > 0;
  if (where.count == 2) return owns_edge(b, t, where.corner, n, slack);
  if (!owns_fan(b, t, where.corner, n, slack, 0, &outwards, &around)) return 0;
  if (!around && !owns_fan(b, t, where.corner, n, slack, 1, &outwards, &around)) return 0;
  return outwards > 0;
}

static double lean_of(const double m[3], const double n[3]) {
  double across[3];
  cross3(m, n, across);
  return dot3(m, n) > 0 ? length3(across) : INFINITY;
}

double fb_triangle_lean(const fb_shape* b, const fb_triangle* t, fb_region where, const double n[3],
                        int* first) {
  const int name = t->name[where.corner], passes = where.count == 1 ? 2 : 1;
  double least = lean_of(t->m, n);
  *first = 1;
  for (int pass = 0; pass < passes && where.count < 3; pass++) {
    fb_triangle at = *t;
    for (int turn = 0; turn < FAN; turn++) {
      const int k = fb_triangle_corner(&at, name),
                next = b->geometry->across[3 * at.index + (pass || where.count == 2 ? k : (k + 2) % 3)];
      if (next < 0 || next == t->index) break;
      fb_triangle_get(b, next, &at);
      least = fmin(least, lean_of(at.m, n));
      *first &= next > t->index;
      if (where.count == 2) break;
    }
  }
  return least;
}

unsigned fb_triangle_soft_edges(const fb_shape* b, const fb_triangle* t) {
  unsigned soft = 0;
  for (int k = 0; k < 3; k++) {
    const int across = b->geometry->across[3 * t->index + k];
    if (across < 0) continue;
    fb_triangle other;
    double away[3];
    fb_triangle_get(b, across, &other);
    difference(other.x[(fb_triangle_corner(&other, t->name[k]) + 1) % 3], t->x[k], away);
    if (dot3(away, t->m) > -1e-6 * norm3(away)) soft |= 1u << k;
  }
  return soft;
}
