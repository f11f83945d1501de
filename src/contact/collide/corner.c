/* corner.c -- boxes and hulls on the triangles of a mesh, for compliant laws.
 *
 * Corners. A corner x of the shape is pushed by the triangles that it is under, each along its own normal by its own depth. The
 * weights w_t sum to 1 and are larger for nearer triangles: with r_t the distance of x from triangle t,
 *   W_t = c_t product over j of 1 - c_j (1 - g(r_j / r_t)),   w_t = W_t / (sum of W_j + product of 1 - c_j),
 * g(q) from 0 to 1 for q from 1/2 to 1. On flat ground all of them are the same point, which counts 1 as on a plane;
 * across convex and concave edges one is blended into the next within a few depths. c_t is the product of two shares: x is
 * not beside the triangle by more than its depth, and no edge of the shape at x goes far behind the triangle: a body
 * on a table is not pushed by the table's sides. A triangle exerts no force on a corner in front of it.
 *
 * All of these functions of the pose are continuous, and so is their sum. Cost O(corners + triangles near). */
#include <string.h>

#include "contact/collide/corner.h"
#include "math/vector3.h"

static const double STEEP = 0.6, TOO_STEEP = 0.9; /* sines: how far edges may go behind a face */
static const double BESIDE = 0.3,
                    OVER = 0.6; /* depth / distance at which a point is beside a face, and over it */
static const double OUT = 0.1, FAR_OUT = 0.5; /* of its depth: how far a corner may be out of the mesh */

/* The weight that a face leaves to one farther away, by the ratio of their distances. */
static double left_by(const fb_under* nearer, const fb_under* face) {
  return 1 - nearer->turned * (1 - fb_smooth_step(2 * nearer->away / face->away - 1));
}

/* Adds a face unless the list is full of nearer ones. */
void fb_under_take(fb_under* list, int* count, const fb_under* face) {
  int at = *count;
  if (at == FB_UNDER_ROOM)
    for (int i = at = 0; i < *count; i++)
      if (list[i].away > list[at].away) at = i;
  if (*count == FB_UNDER_ROOM && list[at].away < face->away) return;
  list[at] = *face;
  if (*count < FB_UNDER_ROOM) ++*count;
}

/* The share of the weight of each; air: that of being outside. */
void fb_under_weigh(const fb_under* face, int count, double air, double weight[FB_UNDER_ROOM]) {
  double left = 1 - air, sum = air;
  for (int t = 0; t < count; t++) {
    weight[t] = face[t].turned * (1 - air);
    for (int j = 0; j < count; j++)
      if (j != t) weight[t] *= left_by(&face[j], &face[t]);
    sum += weight[t];
    left *= 1 - face[t].turned;
  }
  for (int t = 0; t < count; t++) weight[t] /= sum + left;
}

double fb_under_turned(double sine) {
  return 1 - fb_smooth_step((sine - STEEP) / (TOO_STEEP - STEEP));
}

/* The cosine between a normal and the edge from the corner to the vertex `to`. */
static double along_edge(const fb_corner* v, int to, const double normal[3]) {
  double e[3];
  fb_convex_vertex(v->a, to, e);
  add_scaled3(e, -1, v->x);
  return dot3(e, normal) / length3(e);
}

/* The same of a point of a rim: along the axis, or across it. */
static double along_cylinder(const fb_corner* v, const double normal[3]) {
  double z[3], across[3];
  fb_convex_axis(v->a, z);
  for (int i = 0; i < 3; i++) across[i] = v->a->p[i] - v->x[i];
  const double along = dot3(across, z);
  add_scaled3(across, -along, z);
  return fmin(copysign(1, along) * dot3(z, normal), dot3(across, normal) / length3(across));
}

double fb_corner_turned(const fb_corner* v, const double normal[3]) {
  const fb_geometry* g = v->a->hull;
  double least = 0;
  if (v->a->kind == FB_COLLIDER_CYLINDER) return fb_under_turned(-along_cylinder(v, normal));
  for (int i = 0; !g && i < 3; i++) least = fmin(least, along_edge(v, v->index ^ 1 << i, normal));
  for (int k = 0; g && k < 3 * g->ntriangle; k++)
    if (g->triangle[k] == v->index)
      least = fmin(least, along_edge(v, g->triangle[k / 3 * 3 + (k + 1) % 3], normal));
  return fb_under_turned(-least);
}

/* How far x is under a triangle; 0: it is in front, or beside it. */
static double depth_below(const double x[3], const fb_triangle* t, fb_under* face) {
  double point[3];
  for (int i = 0; i < 3; i++) point[i] = t->x[0][i] - x[i];
  face->depth = dot3(point, t->m);
  if (!(face->depth > 0)) return 0;
  fb_triangle_nearest(t, x, point);
  add_scaled3(point, -1, x);
  face->away = fmax(face->depth, length3(point));
  return fb_smooth_step((face->depth / face->away - BESIDE) / (OVER - BESIDE));
}

double fb_corner_depth(const fb_corner* v, const fb_triangle* t) {
  fb_under face;
  return depth_below(v->x, t, &face) > 0 ? face.depth : 0;
}

void fb_corner_take(fb_corner* v, const fb_triangle* t) {
  fb_under face = {.face = t->index};
  const double under = depth_below(v->x, t, &face);
  if (!(under > 0) || !(face.away <= v->max_gap)) return;
  const double out = v->out / fmin(face.depth, FB_CORNER_OUT / FAR_OUT * v->radius),
               farther = 8 * (face.away - v->in) / v->radius,
               near = (1 - fb_smooth_step((out - OUT) / (FAR_OUT - OUT))) * (1 - fb_smooth_step(farther - 1));
  face.turned = near > 0 ? under * near * fb_corner_turned(v, t->m) : 0;
  if (!(face.turned > 0)) return;
  memcpy(face.normal, t->m, sizeof face.normal);
  fb_under_take(v->face, &v->count, &face);
  if (face.turned >= 1) v->max_gap = fmin(v->max_gap, 2 * face.away);
}

static int is_same_plane(const fb_under* p, const fb_under* q) {
  return dot3(p->normal, q->normal) > 1 - 1e-9 && fabs(p->depth - q->depth) <= 1e-9 * p->away;
}

/* Gives the first of the faces in one plane the weight of all; the least index of those that have any. */
static int join_planes(const fb_corner* v, int first, double weight[FB_UNDER_ROOM]) {
  int least = v->face[first].face;
  for (int j = first + 1; j < v->count; j++)
    if (weight[j] > 0 && is_same_plane(&v->face[first], &v->face[j])) {
      if (v->face[j].face < least) least = v->face[j].face;
      weight[first] += weight[j];
      weight[j] = 0;
    }
  return least;
}

double fb_corner_add_points(fb_corner* v, fb_point_list* list) {
  double weight[FB_UNDER_ROOM], deep = 0;
  fb_under_weigh(v->face, v->count, v->air, weight);
  for (int i = 0; i < v->count; i++) {
    const fb_under* face = &v->face[i];
    if (!(weight[i] > 0)) continue;
    const int triangle = join_planes(v, i, weight);
    if (v->only >= 0 && triangle != v->only) continue;
    list->share = v->share * weight[i];
    fb_point_list_add_a(list, -face->depth, face->normal, v->x, FB_SHARP, v->feature);
    list->share = 1;
    deep += v->share * weight[i] * face->depth;
  }
  return deep;
}
