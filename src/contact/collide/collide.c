/* collide.c -- two colliders against each other: which method for which pair, and results in world axes.
 *
 * The pair is put in the order of RANK, so that a is the simpler shape for each method, and solved in the axes of b. */
#include <string.h>

#include "base/cookie.h"
#include "contact/shape/convex.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const int RANK[] = {
    [FB_COLLIDER_POINT] = 0,    [FB_COLLIDER_SPHERE] = 1,    [FB_COLLIDER_CAPSULE] = 2,
    [FB_COLLIDER_CYLINDER] = 3, [FB_COLLIDER_ELLIPSOID] = 4, [FB_COLLIDER_BOX] = 5,
    [FB_COLLIDER_HULL] = 6,     [FB_COLLIDER_MESH] = 7,      [FB_COLLIDER_HEIGHTFIELD] = 8,
    [FB_COLLIDER_PLANE] = 9};

void fb_shape_out(const fb_shape* s, const double y[3], double x[3]) {
  fb_rot_apply(s->R, y, x);
  for (int i = 0; i < 3; i++) x[i] += s->p[i];
}

void fb_shape_in(const fb_shape* s, const double x[3], double y[3]) {
  const double away[3] = {x[0] - s->p[0], x[1] - s->p[1], x[2] - s->p[2]};
  fb_rot_apply_transpose(s->R, away, y);
}

/* The collider, its place in the axes of `of`. */
static fb_shape shape_at(const fb_collider* c, const fb_placement* at, const fb_placement* of) {
  fb_shape s = {.kind = c->kind, .geometry = c->geometry};
  double Rt[9], away[3];
  for (int i = 0; i < 3; i++) away[i] = at->p[i] - of->p[i];
  memcpy(s.size, c->size, sizeof s.size);
  fb_rot_transpose(of->R, Rt);
  fb_rot_multiply(Rt, at->R, s.R);
  fb_rot_apply(Rt, away, s.p);
  return s;
}

/* A point or a sphere against a shape that has a nearest point. */
static void collide_ball(const fb_shape* a, const fb_shape* b, fb_point_list* list) {
  const double radius = a->kind == FB_COLLIDER_SPHERE ? a->size[0] : 0;
  fb_nearest n;
  fb_shape_nearest(b, a->p, &n);
  const double curvature[2] = {n.curvature[0] + 1 / radius, n.curvature[1] + 1 / radius};
  fb_point_list_add(list, n.gap - radius, n.normal, n.point, curvature, 0);
}

static void collide_convex(const fb_shape* a, const fb_shape* b, fb_point_list* list) {
  fb_convex ca, cb;
  fb_convex_from_shape(a, &ca);
  fb_convex_from_shape(b, &cb);
  fb_collide_convex(&ca, &cb, list);
}

static void collide_shapes(const fb_shape* a, const fb_shape* b, fb_point_list* list) {
  if (b->kind == FB_COLLIDER_PLANE)
    fb_collide_plane(a, list);
  else if (RANK[a->kind] <= 1 && RANK[b->kind] <= 5)
    collide_ball(a, b, list);
  else if (RANK[b->kind] <= 6)
    collide_convex(a, b, list);
  else
    fb_collide_mesh(a, b, list);
}

/* From the axes of b to the world; swapped: a and b have changed places. */
static void finish(fb_contact_point* t, const fb_placement* at_b, int swapped) {
  double p_a[3], p_b[3];
  fb_rot_apply(at_b->R, t->p_a, p_a);
  fb_rot_apply(at_b->R, t->p_b, p_b);
  fb_rot_apply(at_b->R, t->normal, t->normal);
  for (int i = 0; i < 3; i++) {
    t->p_a[i] = at_b->p[i] + (swapped ? p_b : p_a)[i];
    t->p_b[i] = at_b->p[i] + (swapped ? p_a : p_b)[i];
    if (swapped) t->normal[i] = -t->normal[i];
  }
}

static void collide(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                    const fb_placement* at_b, fb_point_list* list) {
  const int swapped = RANK[a->kind] > RANK[b->kind];
  const fb_placement* of = swapped ? at_a : at_b;
  const fb_shape sa = swapped ? shape_at(b, at_b, of) : shape_at(a, at_a, of);
  const fb_shape sb = swapped ? shape_at(a, at_a, of) : shape_at(b, at_b, of);
  collide_shapes(&sa, &sb, list);
  if (!list->smooth) fb_point_list_thin(list, list->nearest ? 1 : FB_MAX_CONTACT_POINTS);
  for (int i = 0; i < list->count; i++) finish(&list->item[i], of, swapped);
}

int fb_collider_contact_points(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                               const fb_placement* at_b, double max_gap, fb_contact_point* points, int room) {
  fb_point_list list;
  if (a->cookie_ != FB_COOKIE || b->cookie_ != FB_COOKIE) return -1;
  fb_point_list_clear(&list, max_gap);
  collide(a, at_a, b, at_b, &list);
  const int count = list.count < room ? list.count : room;
  for (int i = 0; i < count; i++) points[i] = list.item[i];
  return count < 0 ? 0 : count;
}

int fb_collide_smooth(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                      const fb_placement* at_b, int most, fb_contact_point points[FB_POINT_LIST_ROOM],
                      double weights[FB_POINT_LIST_ROOM]) {
  fb_point_list list;
  fb_point_list_clear(&list, 0);
  list.smooth = 1;
  collide(a, at_a, b, at_b, &list);
  fb_point_list_thin(&list, most);
  memcpy(points, list.item, (size_t)list.count * sizeof *points);
  memcpy(weights, list.weight, (size_t)list.count * sizeof *weights);
  return list.count;
}

double fb_collider_gap(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                       const fb_placement* at_b) {
  fb_point_list list;
  if (a->cookie_ != FB_COOKIE || b->cookie_ != FB_COOKIE) return NAN;
  fb_point_list_clear(&list, INFINITY);
  list.nearest = 1;
  collide(a, at_a, b, at_b, &list);
  return list.count ? list.item[0].gap : INFINITY;
}
