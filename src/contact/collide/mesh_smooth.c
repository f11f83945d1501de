/* mesh_smooth.c -- shapes on the triangles of meshes for compliant laws, whose forces must be continuous in the pose: spheres,
 * ellipsoids and capsules with the points of round.c, shapes with faces with those of corner.c and ridge.c. */
#include <string.h>

#include "contact/collide/mesh.h"
#include "contact/collide/round.h"
#include "contact/shape/facet.h"
#include "math/vector3.h"

/* --- round shapes --- */

static void collide_round(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                          fb_point_list* list) {
  fb_round_add_points(a->shape, b, t, a->feature, list);
}

double fb_mesh_add_round(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  const int before = list->count;
  double least = 0;
  list->once = 1;
  fb_mesh_visit(a, b, collide_round, list);
  list->once = 0;
  fb_round_weigh(list, before);
  if (list->count == before) fb_mesh_push_out(a, b, list);
  for (int i = before; i < list->count; i++) least = fmin(least, list->item[i].gap);
  return least;
}

static void collide_side(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                         fb_point_list* list) {
  fb_round_add_side_points(a->shape, b, t, a->end_gap, list);
}

void fb_mesh_add_capsule(fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  for (int end = 0; end < 2; end++) {
    fb_shape ball = {
        .kind = FB_COLLIDER_SPHERE, .size = {a->shape->radius}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    fb_convex core;
    fb_convex_vertex(a->shape, end, ball.p);
    fb_convex_from_shape(&ball, &core);
    fb_mesh_probe p = {.shape = &core, .is_ball = 1, .radius = core.radius, .feature = end};
    memcpy(p.centre, ball.p, sizeof p.centre);
    a->end_gap[end] = fb_mesh_add_round(&p, b, list);
  }
  const int before = list->count;
  list->once = 1;
  fb_mesh_visit(a, b, collide_side, list);
  list->once = 0;
  fb_round_weigh_side(list, before, a->shape->radius);
}

/* --- corners of boxes, hulls and cylinders --- */

static void collide_under(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                          fb_point_list* list) {
  (void)b;
  fb_corner_take(a->corner, t);
  list->max_gap = a->corner->max_gap;
}

static void collide_ridges(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                           fb_point_list* list) {
  (void)list;
  fb_ridge_take(a->faced, b, t);
}

/* Whether a corner is out of the mesh: how far, and whether it can be where it is out. */
static void find_outside(const fb_shape* b, const fb_contact_point* nearest, fb_corner* v) {
  double away[3] = {v->x[0], v->x[1], v->x[2]};
  add_scaled3(away, -1, nearest->p_b);
  if (nearest->feature < 0) { /* beyond a border */
    add_scaled3(away, -dot3(away, nearest->normal), nearest->normal);
    v->out = length3(away);
  } else if (fb_mesh_is_in_front(b, nearest->feature, v->x)) {
    v->out = length3(away);
    for (int i = 0; i < 3; i++) away[i] /= v->out;
    v->air = fb_corner_turned(v, away);
  } else {
    v->in = length3(away);
  }
}

/* How deep a corner is, by the weights of its points, which are added. */
static double collide_corner(const fb_mesh_probe* a, const fb_shape* b, fb_corner* v, fb_point_list* list) {
  fb_mesh_probe point = {.shape = a->shape, .is_ball = 1, .corner = v};
  fb_point_list near;
  fb_contact_point nearest;
  memcpy(point.centre, v->x, sizeof point.centre);
  if (!fb_mesh_nearest(a->shape, b, v->x, a->radius, &nearest)) return 0;
  find_outside(b, &nearest, v);
  if (!(v->air < 1) || v->out > FB_CORNER_OUT * a->radius) return 0;
  v->max_gap = v->in + a->radius / 4;
  fb_point_list_clear(&near, v->max_gap);
  fb_mesh_visit(&point, b, collide_under, &near);
  return fb_corner_add_points(v, list);
}

static void carry(fb_faced* s, int corner, double deep) {
  if (!(deep > 0) || s->ncarried == FB_CARRIED_ROOM) return;
  s->corner[s->ncarried] = corner;
  s->carried[s->ncarried++] = deep;
}

static void collide_vertices(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  for (int k = 0; k < a->shape->nvertex; k++) {
    fb_corner v = {
        .a = a->shape, .index = k, .feature = fb_feature(k, 64), .only = -1, .share = 1, .radius = a->radius};
    fb_convex_vertex(a->shape, k, v.x);
    carry(a->faced, k, collide_corner(a, b, &v, list));
  }
}

/* --- cylinders: four points of a cap that is flat on the ground around, the first points of both rims on each triangle --- */

/* Adds to the mean normal of the surrounding triangles, in front of which the centre is, and on which a cap may
 * stand. */
static void add_normal(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t, fb_point_list* list) {
  (void)b, (void)list;
  double z[3], away[3], point[3];
  fb_convex_axis(a->shape, z);
  fb_triangle_nearest(t, a->centre, point);
  for (int i = 0; i < 3; i++) away[i] = a->centre[i] - point[i];
  const double near = 1 - fb_smooth_step(length3(away) / (1.25 * a->radius)),
               front = near * fb_smooth_step(2 * dot3(away, t->m) / a->shape->size[1]),
               flat = front * fb_smooth_step((fabs(dot3(z, t->m)) - 0.6) / 0.3);
  add_scaled3(a->faced->up, flat, t->m);
  a->faced->around += front;
}

/* How much it rolls on its rims instead of standing on a cap. */
static double find_up(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  double* up = a->faced->up;
  list->max_gap = a->radius / 4;
  fb_mesh_visit(a, b, add_normal, list);
  list->max_gap = 0;
  const double length = norm3(up);
  if (!(length > 0)) return 1;
  for (int i = 0; i < 3; i++) up[i] /= length;
  const double stands = fb_smooth_step(4 * length / a->faced->around);
  return 1 - stands * (1 - fb_cylinder_rolls(a->shape->R, up));
}

static void collide_quarters(const fb_mesh_probe* a, const fb_shape* b, double share, fb_point_list* list) {
  fb_shape shape = fb_convex_shape(a->shape);
  fb_rim rim;
  fb_cylinder_quarters(&shape, a->faced->up, a->faced->turn, &rim);
  for (int k = 0; k < rim.count; k++) {
    const int quarter = rim.feature[k] - 2;
    fb_corner v = {.a = a->shape,
                   .index = quarter / 4,
                   .feature = fb_feature(rim.feature[k], 64),
                   .only = -1,
                   .share = share,
                   .radius = a->radius};
    memcpy(v.x, rim.point[k], sizeof v.x);
    carry(a->faced, quarter, collide_corner(a, b, &v, list));
  }
}

/* How much the first point of a rim counts: where a cap is flat on the ground around, what its quarters lack; nothing where it is
 * flat on this triangle. */
static double rim_share(const fb_mesh_probe* a, const fb_triangle* t, int cap, const double x[3], double lean,
                        double depth) {
  const double stands = 1 - a->rolls, rolls = fb_cylinder_rolls(a->shape->R, t->m);
  if (!(stands > 0)) return fb_smooth_step(20 * lean);
  const double lack = 1 - fb_faced_cap(a->faced, cap, x) / (stands * depth);
  return a->rolls * fb_smooth_step(20 * lean) + stands * rolls * fb_smooth_step((lack - 0.1) / 0.4);
}

/* The first points of the rims along the triangle's normal. */
static void collide_rims(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                         fb_point_list* list) {
  const fb_convex* c = a->shape;
  double z[3], out[3] = {t->m[0], t->m[1], t->m[2]};
  fb_convex_axis(c, z);
  add_scaled3(out, -dot3(t->m, z), z);
  const double lean = length3(out);
  if (!(lean > 0)) return;
  for (int end = 0; end < 2; end++) {
    fb_corner v = {
        .a = c, .index = end, .feature = fb_feature(end, 64), .only = t->index, .radius = a->radius};
    memcpy(v.x, c->p, sizeof v.x);
    add_scaled3(v.x, (end ? 0.5 : -0.5) * c->size[1], z);
    add_scaled3(v.x, -c->size[0] / lean, out);
    const double depth = fb_corner_depth(&v, t);
    if (!(depth > 0)) continue;
    v.share = rim_share(a, t, end, v.x, lean, depth);
    if (v.share > 0) a->faced->rim[end] += collide_corner(a, b, &v, list);
  }
}

static void collide_cylinder(fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  a->rolls = find_up(a, b, list);
  if (a->rolls < 1) collide_quarters(a, b, 1 - a->rolls, list);
  list->max_gap = a->radius / 4;
  fb_mesh_visit(a, b, collide_rims, list);
  list->max_gap = 0;
}

/* Whether a triangle is within reach at all. */
static void collide_any(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                        fb_point_list* list) {
  (void)b, (void)list;
  double q[3];
  fb_triangle_nearest(t, a->centre, q);
  if (fb_mesh_bound(a, q) <= 0) a->faced->points = 1;
}

void fb_mesh_add_faced(fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  fb_faced s = {.a = a->shape, .radius = a->radius};
  const int before = list->count;
  a->faced = &s;
  fb_mesh_visit(a, b, collide_any, list);
  if (s.points && a->shape->kind == FB_COLLIDER_CYLINDER)
    collide_cylinder(a, b, list);
  else if (s.points)
    collide_vertices(a, b, list);
  if (s.points) fb_mesh_visit(a, b, collide_ridges, list);
  fb_ridge_add_points(&s, list);
  a->faced = NULL;
  if (list->count == before) fb_mesh_push_out(a, b, list);
}
