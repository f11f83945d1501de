/* ridge.c -- convex edges of a mesh in boxes, hulls and cylinders, for compliant laws.
 *
 * The part of an edge that is in the shape has two points, near its ends. Each is pushed out of the faces of the shape, by the
 * weights of corner.c, as much as the corners of the face lack of its depth D,
 *   w = smooth_step((1 - d / D - 0.1) / 0.4) smooth_step(2 l / D - 1),
 * with d the depth of the corners, interpolated over the face, and l the length of the part: parts come and go without
 * force. Points that are close together share their weight: w_i <- w_i^2 / sum of w_j over those close to i.
 * Those at the same vertex of the mesh and face of the shape are then given as one, their mean: forces and torques are the same. */
#include <string.h>

#include "contact/collide/corner.h"
#include "contact/shape/facet.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double NEAR_END = 1. / 16; /* of the part of an edge in the shape */
static const double CLOSE = 0.2;        /* of the radius: points that share their weight */

/* --- faces of the shape --- */

/* Of a cylinder: the caps at -z and +z, and its side. */
static int is_cylinder(const fb_convex* a) {
  return a->kind == FB_COLLIDER_CYLINDER;
}

static int face_count(const fb_convex* a) {
  return is_cylinder(a) ? 3 : a->hull ? a->hull->nface : 6;
}

/* The corners of a face: how many, and each. */
static int corner_count(const fb_convex* a, int face) {
  return a->hull ? a->hull->face_first[face + 1] - a->hull->face_first[face] : 4;
}

static int corner_at(const fb_convex* a, int face, int k) {
  static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  if (a->hull) return a->hull->face_vertex[a->hull->face_first[face] + k];
  const int axis = face / 2;
  return (face & 1) << axis | turn[k][0] << (axis + 1) % 3 | turn[k][1] << (axis + 2) % 3;
}

/* The point x in the axes of a cylinder. */
static void in_cylinder(const fb_convex* a, const double x[3], double y[3]) {
  double away[3] = {x[0], x[1], x[2]};
  add_scaled3(away, -1, a->p);
  fb_rot_apply_transpose(a->R, away, y);
}

static double behind_cylinder(const fb_convex* a, int face, const double x[3], double n[3]) {
  double y[3], out[3] = {0, 0, face ? 1 : -1};
  in_cylinder(a, x, y);
  const double across = norm2(y[0], y[1]);
  if (face == 2) {
    out[0] = across > 0 ? y[0] / across : 1;
    out[1] = across > 0 ? y[1] / across : 0;
    out[2] = 0;
  }
  fb_rot_apply(a->R, out, n);
  return face == 2 ? a->size[0] - across : a->size[1] / 2 - out[2] * y[2];
}

/* How far x is behind a face, whose outward normal is n. */
static double behind_face(const fb_convex* a, int face, const double x[3], double n[3]) {
  double y[3] = {0, 0, 0}, p[3];
  if (is_cylinder(a)) return behind_cylinder(a, face, x, n);
  if (a->hull)
    for (int i = 0; i < 3; i++) y[i] = a->hull->face_normal[3 * face + i] / a->size[i];
  else
    y[face / 2] = face & 1 ? 1 : -1;
  fb_rot_apply(a->R, y, n);
  const double length = length3(n);
  fb_convex_vertex(a, corner_at(a, face, 0), p);
  for (int i = 0; i < 3; i++) {
    n[i] /= length;
    p[i] -= x[i];
  }
  return dot3(p, n);
}

static double carried_at(const fb_faced* s, int corner) {
  for (int i = 0; i < s->ncarried; i++)
    if (s->corner[i] == corner) return s->carried[i];
  return 0;
}

/* The parts that three corners of a face have in the point x, seen along n; the least of them. */
static double parts_of(const double corner[3][3], const double x[3], const double n[3], double part[3]) {
  double e[3][3], c[3], sum = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) e[k][i] = corner[k][i] - x[i];
  for (int k = 0; k < 3; k++) {
    cross3(e[(k + 1) % 3], e[(k + 2) % 3], c);
    sum += part[k] = dot3(c, n);
  }
  for (int k = 0; k < 3; k++) part[k] /= sum;
  return fmin(part[0], fmin(part[1], part[2]));
}

double fb_faced_cap(const fb_faced* s, int cap, const double x[3]) {
  double y[3], deep = 0;
  in_cylinder(s->a, x, y);
  const double p = (y[0] * s->turn[0] + y[1] * s->turn[1]) / s->a->size[0],
               q = (y[1] * s->turn[0] - y[0] * s->turn[1]) / s->a->size[0];
  const double part[4] = {1 + 2 * p + p * p - q * q, 1 + 2 * q + q * q - p * p, 1 - 2 * p + p * p - q * q,
                          1 - 2 * q + q * q - p * p};
  for (int k = 0; k < 4; k++) deep += fmax(0, part[k]) / 4 * carried_at(s, 4 * cap + k);
  return deep;
}

/* Of a cylinder: between the quarters of a cap, along the axis between the rims. */
static double carried_in_cylinder(const fb_faced* s, int face, const double x[3]) {
  double y[3];
  if (face < 2) return fb_faced_cap(s, face, x) + s->rim[face];
  in_cylinder(s->a, x, y);
  const double up = y[2] / s->a->size[1] + 0.5;
  return (1 - up) * s->rim[0] + up * s->rim[1];
}

/* How deep the corners of a face are, interpolated to x: linear on the triangles from its first corner. */
static double carried_over(const fb_faced* s, int face, const double x[3], const double n[3]) {
  const int count = is_cylinder(s->a) ? 0 : corner_count(s->a, face);
  double best = -INFINITY, deep = 0;
  if (is_cylinder(s->a)) return carried_in_cylinder(s, face, x);
  for (int k = 1; k + 1 < count; k++) {
    const int corner[3] = {corner_at(s->a, face, 0), corner_at(s->a, face, k), corner_at(s->a, face, k + 1)};
    double p[3][3], part[3], sum = 0, there = 0;
    for (int i = 0; i < 3; i++) fb_convex_vertex(s->a, corner[i], p[i]);
    const double least = parts_of((const double(*)[3])p, x, n, part);
    if (!(least > best)) continue;
    best = least;
    for (int i = 0; i < 3; i++) {
      there += fmax(0, part[i]) * carried_at(s, corner[i]);
      sum += fmax(0, part[i]);
    }
    deep = there / sum;
  }
  return deep;
}

/* --- ridges --- */

/* An edge of the mesh, its direction and those into the triangles beside it. */
typedef struct ridge {
  double x[3], e[3], length, in[2][3];
  int name[2]; /* vertices of the mesh */
} ridge;

static double ridge_turned(const ridge* r, const double normal[3]) {
  const double along = fabs(dot3(r->e, normal)), into = fmax(dot3(r->in[0], normal), dot3(r->in[1], normal));
  return fb_under_turned(fmax(along, into));
}

/* |x + t e| <= r seen along the axis of a cylinder. */
static void clip_round(const fb_convex* a, const ridge* r, double part[2]) {
  double x[3], e[3];
  in_cylinder(a, r->x, x);
  fb_rot_apply_transpose(a->R, r->e, e);
  const double ee = e[0] * e[0] + e[1] * e[1], xe = x[0] * e[0] + x[1] * e[1],
               c = x[0] * x[0] + x[1] * x[1] - a->size[0] * a->size[0], root = xe * xe - ee * c;
  if (!(root > 0)) {
    if (c > 0) part[1] = -1;
    return;
  }
  part[0] = fmax(part[0], (-xe - sqrt(root)) / ee / r->length);
  part[1] = fmin(part[1], (-xe + sqrt(root)) / ee / r->length);
}

/* The part of the edge in the shape; 0: none. */
static int clip_ridge(const fb_convex* a, const ridge* r, double part[2]) {
  double end[3] = {r->x[0], r->x[1], r->x[2]}, n[3];
  add_scaled3(end, r->length, r->e);
  part[0] = 0;
  part[1] = 1;
  if (is_cylinder(a)) clip_round(a, r, part);
  for (int f = 0; f < (is_cylinder(a) ? 2 : face_count(a)); f++) {
    const double from = behind_face(a, f, r->x, n), to = behind_face(a, f, end, n);
    if (from < 0 && to < 0) return 0;
    if (from < 0) part[0] = fmax(part[0], from / (from - to));
    if (to < 0) part[1] = fmin(part[1], from / (from - to));
  }
  return part[1] > part[0];
}

static void add_ridge_point(fb_faced* s, const double x[3], const fb_under* face, double weight, int name) {
  const double deep = carried_over(s, face->face, x, face->normal);
  weight *= fb_smooth_step((1 - deep / face->depth - 0.1) / 0.4);
  if (!(weight > 0) || s->count == FB_RIDGE_ROOM) return;
  fb_ridge_point* p = &s->point[s->count++];
  p->depth = face->depth;
  p->weight = weight;
  memcpy(p->normal, face->normal, sizeof p->normal);
  memcpy(p->x, x, sizeof p->x);
  p->feature = fb_feature(name, 128 + face->face);
}

/* One of its two points. */
static void collide_ridge_at(fb_faced* s, const ridge* r, double part, double in, int end) {
  fb_under faces[FB_UNDER_ROOM];
  double x[3] = {r->x[0], r->x[1], r->x[2]}, weight[FB_UNDER_ROOM], max_gap = INFINITY;
  int count = 0;
  add_scaled3(x, part * r->length, r->e);
  for (int f = 0; f < face_count(s->a); f++) {
    fb_under face = {.face = f};
    face.depth = face.away = behind_face(s->a, f, x, face.normal);
    for (int i = 0; i < 3; i++) face.normal[i] = -face.normal[i];
    if (!(face.depth > 0)) return;
    if (face.depth > max_gap) continue;
    face.turned = ridge_turned(r, face.normal);
    if (face.turned >= 1) max_gap = fmin(max_gap, 2 * face.depth);
    if (face.turned > 0) fb_under_take(faces, &count, &face);
  }
  fb_under_weigh(faces, count, 0, weight);
  for (int i = 0; i < count; i++)
    if (weight[i] > 0) {
      const double share = fb_smooth_step(2 * in * r->length / faces[i].depth - 1);
      add_ridge_point(s, x, &faces[i], share * weight[i], r->name[end]);
    }
}

static void set_ridge(const fb_triangle* t, int k, const fb_triangle* other, ridge* r) {
  r->name[0] = t->name[k];
  r->name[1] = t->name[(k + 1) % 3];
  memcpy(r->x, t->x[k], sizeof r->x);
  for (int i = 0; i < 3; i++) r->e[i] = t->x[(k + 1) % 3][i] - t->x[k][i];
  r->length = length3(r->e);
  for (int i = 0; i < 3; i++) r->e[i] /= r->length;
  cross3(t->m, r->e, r->in[0]);
  for (int i = 0; i < 3; i++) r->in[1][i] = -t->m[i]; /* at a border: down */
  if (other) cross3(r->e, other->m, r->in[1]);
}

void fb_ridge_take(fb_faced* s, const fb_shape* b, const fb_triangle* t) {
  const unsigned soft = fb_triangle_soft_edges(b, t);
  for (int k = 0; k < 3; k++) {
    const int across = b->geometry->across[3 * t->index + k];
    fb_triangle other;
    ridge r;
    double part[2];
    if (soft >> k & 1 || (across >= 0 && across < t->index)) continue;
    if (across >= 0) fb_triangle_get(b, across, &other);
    set_ridge(t, k, across >= 0 ? &other : NULL, &r);
    if (!clip_ridge(s->a, &r, part)) continue;
    const double in = part[1] - part[0];
    collide_ridge_at(s, &r, part[0] + NEAR_END * in, in, 0);
    collide_ridge_at(s, &r, part[1] - NEAR_END * in, in, 1);
  }
}

/* The weight of a point after sharing with those close to it. */
static double share_of(const fb_faced* s, const fb_ridge_point* p) {
  double sum = 0;
  for (int j = 0; j < s->count; j++) {
    const fb_ridge_point* q = &s->point[j];
    double away[3] = {p->x[0], p->x[1], p->x[2]};
    add_scaled3(away, -1, q->x);
    const double depth = p == q ? 1 : fb_smooth_step(q->depth / p->depth);
    sum += q->weight * depth * (1 - fb_smooth_step(length3(away) / (CLOSE * s->radius)));
  }
  return p->weight * p->weight / sum;
}

/* One point for all with the same feature: the mean, by weight and depth. */
static void add_mean(const fb_faced* s, int first, const double share[FB_RIDGE_ROOM], fb_point_list* list) {
  double weight = 0, deep = 0, x[3] = {0, 0, 0}, n[3] = {0, 0, 0};
  for (int j = first; j < s->count; j++) {
    const fb_ridge_point* p = &s->point[j];
    if (p->feature != s->point[first].feature) continue;
    weight += share[j];
    deep += share[j] * p->depth;
    add_scaled3(x, share[j] * p->depth, p->x);
    add_scaled3(n, share[j] * p->depth, p->normal);
  }
  const double length = length3(n);
  if (!(deep > 0) || !(length > 0)) return;
  for (int i = 0; i < 3; i++) {
    x[i] /= deep;
    n[i] /= length;
  }
  list->share = weight * length / deep;
  fb_point_list_add(list, -deep / weight, n, x, FB_SHARP, s->point[first].feature);
  list->share = 1;
}

void fb_ridge_add_points(fb_faced* s, fb_point_list* list) {
  double share[FB_RIDGE_ROOM];
  for (int i = 0; i < s->count; i++) share[i] = share_of(s, &s->point[i]);
  for (int i = 0; i < s->count; i++) {
    int first = 0;
    while (s->point[first].feature != s->point[i].feature) first++;
    if (first == i) add_mean(s, i, share, list);
  }
}
