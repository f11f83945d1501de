/* mesh_query.c -- the triangles of a mesh within reach of a shape, the nearest to a point, and which side of it a point is on. */

#include "contact/collide/mesh.h"
#include "math/vector3.h"

enum { DEPTH = 64 };

double fb_mesh_bound(const fb_mesh_probe* a, const double q[3]) {
  double u[3], down[3], low[3];
  for (int i = 0; i < 3; i++) u[i] = a->centre[i] - q[i];
  const double distance = norm3(u);
  if (!(distance > 0)) return -INFINITY;
  for (int i = 0; i < 3; i++) u[i] /= distance;
  for (int i = 0; i < 3; i++) down[i] = -u[i];
  fb_convex_support(a->shape, down, low);
  for (int i = 0; i < 3; i++) low[i] -= q[i];
  return dot3(low, u) - a->shape->radius;
}

double fb_mesh_limit(const fb_point_list* list) {
  const double known = list->nearest && list->has_spare > 1 ? list->spare.gap + 1e-9 : INFINITY;
  return fmax(fmin(list->max_gap, known), 0);
}

double fb_mesh_box_distance(const double x[3], const fb_bvh_node* n, const double scale[3], double q[3]) {
  double away[3];
  for (int i = 0; i < 3; i++) {
    const double low = scale[i] * n->low[i], high = scale[i] * n->high[i];
    q[i] = x[i] < low ? low : x[i] > high ? high : x[i];
    away[i] = x[i] - q[i];
  }
  return sqrt(dot3(away, away));
}

/* Whether the box of a node is within reach: by the sphere around the shape, then by the shape. */
static int is_within_reach(const fb_mesh_probe* a, const fb_shape* b, const fb_bvh_node* n,
                           const fb_point_list* list) {
  double q[3];
  const double limit = fb_mesh_limit(list), distance = fb_mesh_box_distance(a->centre, n, b->size, q);
  if (!(distance - a->radius <= limit)) return 0;
  return a->is_ball || distance <= limit || fb_mesh_bound(a, q) <= limit;
}

void fb_mesh_visit(const fb_mesh_probe* a, const fb_shape* b, fb_mesh_visitor* act, fb_point_list* list) {
  const fb_geometry* g = b->geometry;
  int todo[DEPTH], count = 0;
  todo[count++] = 0;
  while (count > 0) {
    const int index = todo[--count];
    const fb_bvh_node* n = &g->node[index];
    if (!is_within_reach(a, b, n, list)) continue;
    for (int i = 0; i < n->count; i++) {
      fb_triangle t;
      fb_triangle_get(b, g->order[n->first + i], &t);
      act(a, b, &t, list);
    }
    if (n->count > 0) continue;
    double q[3];
    const int near = fb_mesh_box_distance(a->centre, &g->node[index + 1], b->size, q) <=
                     fb_mesh_box_distance(a->centre, &g->node[n->first], b->size, q);
    todo[count++] = near ? n->first : index + 1;
    todo[count++] = near ? index + 1 : n->first;
  }
}

static int is_at_border(const fb_shape* b, const fb_triangle* t, fb_region where) {
  const int* across = b->geometry->across + 3 * t->index;
  return (where.count < 3 && across[where.corner] < 0) ||
         (where.count == 1 && across[(where.corner + 2) % 3] < 0);
}

/* feature: the triangle, or -1 at the border of the mesh. */
static void collide_nearest(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                            fb_point_list* list) {
  double point[3], away[3];
  const fb_region where = fb_triangle_nearest(t, a->centre, point);
  for (int i = 0; i < 3; i++) away[i] = a->centre[i] - point[i];
  fb_point_list_add(list, norm3(away), t->m, point, FB_SHARP, is_at_border(b, t, where) ? -1 : t->index);
}

int fb_mesh_nearest(const fb_convex* shape, const fb_shape* b, const double x[3], double max_gap,
                    fb_contact_point* t) {
  const fb_mesh_probe point = {.shape = shape, .is_ball = 1, .centre = {x[0], x[1], x[2]}};
  fb_point_list nearest;
  fb_point_list_clear(&nearest, max_gap);
  nearest.nearest = 1;
  fb_mesh_visit(&point, b, collide_nearest, &nearest);
  *t = nearest.item[0];
  return nearest.count;
}

int fb_mesh_is_in_front(const fb_shape* b, int triangle, const double x[3]) {
  fb_triangle t;
  double point[3], n[3];
  fb_triangle_get(b, triangle, &t);
  const fb_region where = fb_triangle_nearest(&t, x, point);
  for (int i = 0; i < 3; i++) n[i] = x[i] - point[i];
  const double distance = norm3(n);
  if (where.count == 3 || !(distance > 0)) return dot3(n, t.m) > 0;
  for (int i = 0; i < 3; i++) n[i] /= distance;
  return fb_triangle_owns(b, &t, where, n, FB_MESH_SLACK);
}

/* How far behind its surface a mesh is solid for a shape. */
static double solid_depth(const fb_mesh_probe* a, const fb_shape* b) {
  const fb_geometry* g = b->geometry;
  const int is_field = b->kind == FB_COLLIDER_HEIGHTFIELD;
  double size[3];
  for (int i = 0; i < 3; i++) {
    const double low = b->size[i] * g->low[i], high = b->size[i] * g->high[i];
    size[i] = high - low;
    if (!g->closed && !is_field) continue;
    const int below = a->centre[i] < low && !(is_field && i == 2);
    if (below || a->centre[i] > high) return -INFINITY; /* outside, and near nothing */
  }
  return g->closed || is_field ? INFINITY : fmax(a->radius, FB_OPEN_MESH_DEPTH * norm3(size));
}

void fb_mesh_push_out(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  fb_contact_point nearest, *t = &nearest;
  double n[3], low[3], away[3];
  const double depth = solid_depth(a, b);
  if (depth < 0 || !fb_mesh_nearest(a->shape, b, a->centre, depth, t) || t->feature < 0) return;
  for (int i = 0; i < 3; i++) away[i] = t->p_b[i] - a->centre[i];
  const double distance = norm3(away);
  if (fb_mesh_is_in_front(b, t->feature, a->centre)) return;
  for (int i = 0; i < 3; i++) n[i] = distance > 0 ? away[i] / distance : t->normal[i];
  const double down[3] = {-n[0], -n[1], -n[2]};
  fb_convex_support(a->shape, down, low);
  for (int i = 0; i < 3; i++) low[i] -= t->p_b[i];
  const double k = a->is_ball ? 1 / a->radius : INFINITY;
  fb_point_list_add(list, dot3(low, n) - a->shape->radius, n, t->p_b, (const double[2]){k, k},
                    b->geometry->facet[t->feature]);
}
