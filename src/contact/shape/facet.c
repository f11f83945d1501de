/* facet.c -- the faces of boxes, hulls, triangles and cylinders. */
#include <string.h>

#include "contact/shape/facet.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

int fb_feature(int i, int j) {
  const unsigned mixed = (unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u;
  return (int)(mixed >> 1);
}

static void add_point(fb_facet* f, const double x[3], int id) {
  memcpy(f->x[f->count], x, sizeof f->x[0]);
  f->id[f->count] = id;
  f->loose[f->count] = 0;
  f->kind[f->count] = FB_EDGE_BORDER;
  f->weight[f->count] = FB_WEIGHT_OPEN;
  f->edge[f->count++] = id;
}

void fb_facet_add(fb_facet* f, const fb_convex* c, int index) {
  double x[3];
  fb_convex_vertex(c, index, x);
  add_point(f, x, fb_convex_name(c, index));
}

void fb_facet_clear(fb_facet* f, int face) {
  f->count = 0;
  f->face = face;
  memset(f->m, 0, sizeof f->m);
  f->disc = 0;
  f->soft = 0;
  f->curvature[0] = f->curvature[1] = INFINITY;
}

/* --- boxes: face 2 axis + (side > 0) --- */

static void take_box_face(const fb_convex* c, int axis, int side, fb_facet* f) {
  static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  fb_facet_clear(f, 2 * axis + side);
  for (int k = 0; k < 4; k++) {
    const int* at = turn[side ? k : 3 - k];
    fb_facet_add(f, c, side << axis | at[0] << (axis + 1) % 3 | at[1] << (axis + 2) % 3);
  }
  for (int i = 0; i < 3; i++) f->m[i] = (side ? 1 : -1) * c->R[3 * i + axis];
}

static void box_face(const fb_convex* c, const double d[3], fb_facet* f) {
  double n[3];
  int axis = 0;
  fb_rot_apply_transpose(c->R, d, n);
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) > fabs(n[axis])) axis = i;
  take_box_face(c, axis, n[axis] > 0, f);
}

/* --- triangles: face 0 the side from which they are counter-clockwise, 1 the other --- */

static void triangle_face(const fb_convex* c, const double d[3], fb_facet* f) {
  double e1[3], e2[3];
  for (int i = 0; i < 3; i++) {
    e1[i] = c->corners[3 + i] - c->corners[i];
    e2[i] = c->corners[6 + i] - c->corners[i];
  }
  double m[3];
  cross3(e1, e2, m);
  const double area = norm3(m);
  const int back = dot3(m, d) < 0;
  fb_facet_clear(f, back);
  for (int i = 0; i < 3; i++) f->m[i] = area > 0 ? (back ? -1 : 1) * m[i] / area : d[i];
  for (int k = 0; k < 3; k++) {
    fb_facet_add(f, c, back ? 2 - k : k);
    if (c->soft >> (back ? (4 - k) % 3 : k) & 1) f->soft |= 1u << k;
  }
  for (int k = 0; k < 3; k++) {
    f->kind[k] = f->soft >> k & 1 ? FB_EDGE_INNER : FB_EDGE_BORDER;
    f->loose[k] = (f->soft >> k & 1) && (f->soft >> (k + 2) % 3 & 1);
  }
}

/* --- cylinders: faces 0 and 1 the caps at -z and +z --- */

static void take_cap(const fb_convex* c, int side, fb_facet* f) {
  double z[3];
  fb_convex_axis(c, z);
  f->face = side;
  f->disc = c->size[0];
  memcpy(f->centre, c->p, sizeof f->centre);
  add_scaled3(f->centre, (side ? 0.5 : -0.5) * c->size[1], z);
  for (int i = 0; i < 3; i++) f->m[i] = side ? z[i] : -z[i];
}

static void cylinder_lowest(const fb_convex* c, const double d[3], fb_facet* f) {
  fb_rim rim;
  fb_shape s = fb_convex_shape(c);
  const double up[3] = {-d[0], -d[1], -d[2]};
  fb_cylinder_rim(&s, up, &rim);
  fb_facet_clear(f, 0);
  for (int i = 0; i < rim.count; i++) add_point(f, rim.point[i], rim.feature[i]);
  memcpy(f->curvature, rim.curvature, sizeof f->curvature);
  if (rim.count == 4) take_cap(c, rim.feature[0] >= 6, f);
}

void fb_facet_lowest(const fb_convex* c, const double d[3], fb_facet* f) {
  double x[3];
  if (c->kind == FB_COLLIDER_BOX) {
    box_face(c, d, f);
  } else if (c->kind == FB_COLLIDER_MESH) {
    triangle_face(c, d, f);
  } else if (c->kind == FB_COLLIDER_HULL) {
    fb_hull_face(c, d, f);
  } else if (c->kind == FB_COLLIDER_CYLINDER) {
    cylinder_lowest(c, d, f);
  } else {
    fb_facet_clear(f, 0);
    for (int i = 0; i < c->nvertex; i++) fb_facet_add(f, c, i);
    if (c->nvertex == 0) {
      fb_curvature curvature;
      fb_rot_apply_transpose(c->R, d, x);
      fb_ellipsoid_curvature(c->size, x, &curvature);
      memcpy(f->curvature, curvature.k, sizeof f->curvature);
      fb_convex_support(c, d, x);
      add_point(f, x, 0);
    }
  }
}

double fb_facet_lean(const fb_convex* c, const double d[3], fb_facet* f) {
  if (c->kind == FB_COLLIDER_ELLIPSOID || (c->nvertex > 0 && c->nvertex < 3)) return INFINITY;
  fb_facet_lowest(c, d, f);
  if (f->count < 3 || !(dot3(f->m, d) > 0)) return INFINITY;
  double across[3];
  cross3(f->m, d, across);
  return length3(across);
}

/* From corner k to the next that is not at the same place, seen along d; 0: there is none. Adds up the weights of those that are
 * at the same place. */
static int side_from(const fb_facet* f, int k, int step, const double d[3], double e[3], double* known) {
  const int n = f->count;
  for (int i = 1; i < n; i++) {
    const int other = (k + i * step + n * n) % n;
    const double *x = f->x[k], *y = f->x[other];
    for (int j = 0; j < 3; j++) e[j] = y[j] - x[j];
    add_scaled3(e, -dot3(e, d), d);
    if (dot3(e, e) > 1e-22 * (dot3(x, x) + dot3(y, y))) return 1;
    *known += fmax(0, f->weight[other]);
  }
  return 0;
}

void fb_facet_weigh(fb_facet* f, const double d[3]) {
  static const double RIGHT = 1.57079632679489661923;
  for (int k = 0; k < f->count; k++) {
    double in[3], out[3], turn[3];
    if (f->weight[k] >= 0) continue;
    double known = f->weight[k] == FB_WEIGHT_SHARED; /* the triangle beyond has the rest */
    f->weight[k] = 1;
    if (f->count < 3 || !side_from(f, k, -1, d, in, &known) || !side_from(f, k, 1, d, out, &known)) continue;
    cross3(out, in, turn);
    f->weight[k] = fmax(0, atan2(length3(turn), -dot3(in, out)) / RIGHT - known);
  }
}
