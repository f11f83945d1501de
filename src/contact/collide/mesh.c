/* mesh.c -- shapes against the triangles of meshes and height fields.
 *
 * A tree of boxes finds the triangles within reach (mesh_query.c); each is a convex shape of its own, and points are
 * kept whose normal belongs to the surface as a whole (triangle.c). A shape that has sunk so far in that a triangle's
 * least depth is sideways, over an edge that is not there for the surface, gets the triangle's own normal and the
 * part of its points over the triangle. Where no point remains, because the centre is inside, the nearest triangle
 * pushes it out. Compliant laws: mesh_smooth.c. */
#include <string.h>

#include "contact/collide/mesh.h"
#include "contact/shape/facet.h"
#include "math/vector3.h"

enum { DEPTH = 64 };
static const double MINE =
    0.25; /* of its depth: a point nearer to another triangle than this is not below this one */

static const double EXACT = 1e-10; /* sine: normals of points may be off by this */

static int region_feature(const fb_shape* b, const fb_triangle* t, fb_region where) {
  if (where.count == 3) return b->geometry->facet[t->index];
  const int name = t->name[where.corner], next = where.count == 2 ? t->name[(where.corner + 1) % 3] : -1;
  return fb_feature(name < next || next < 0 ? name : next, name < next || next < 0 ? next : name);
}

/* The triangle that is nearest, or deepest below the shape, in case that none is taken. outward: n is on its front; one that is
 * seen from behind is used only if there is no other. */
static void set_spare(double gap, const double n[3], const double p_b[3], int triangle, int outward,
                      fb_point_list* list) {
  fb_contact_point* spare = &list->spare;
  const int rank = outward ? 2 : 1;
  if (list->has_spare > rank || (list->has_spare == rank && !(gap < spare->gap))) return;
  list->has_spare = rank;
  spare->gap = gap;
  memcpy(spare->normal, n, sizeof spare->normal);
  memcpy(spare->p_b, p_b, sizeof spare->p_b);
  spare->feature = triangle;
}

static void keep_spare(const fb_mesh_probe* a, const fb_triangle* t, const fb_closest* c,
                       fb_point_list* list) {
  double p_b[3] = {0, 0, 0};
  for (int i = 0; i < c->count; i++) add_scaled3(p_b, c->weight[i], c->s[i].b);
  set_spare(c->gap - a->shape->radius, c->n, p_b, t->index, dot3(c->n, t->m) > 0, list);
}

static void collide_ball(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                         fb_point_list* list) {
  double point[3], away[3], n[3];
  const fb_region where = fb_triangle_nearest(t, a->centre, point);
  for (int i = 0; i < 3; i++) away[i] = a->centre[i] - point[i];
  const double distance = norm3(away);
  for (int i = 0; i < 3; i++) n[i] = distance > 0 && where.count < 3 ? away[i] / distance : t->m[i];
  if (where.count == 3 && dot3(away, t->m) < 0) return; /* behind */
  if (!fb_triangle_owns(b, t, where, n, EXACT)) {
    if (dot3(n, t->m) > -1e-6) set_spare(distance - a->radius, n, point, t->index, 1, list);
    return;
  }
  const double k = 1 / a->radius, sharp[2] = {where.count < 3 ? INFINITY : k, where.count < 2 ? INFINITY : k};
  fb_point_list_add(list, distance - a->radius, n, point, sharp, region_feature(b, t, where));
}

static fb_region region_of_bits(unsigned bits) {
  static const fb_region regions[8] = {{3, 0}, {1, 0}, {1, 1}, {2, 0}, {1, 2}, {2, 2}, {2, 1}, {3, 0}};
  return regions[bits & 7];
}

/* The corners of the triangle that the simplex has. */
static fb_region region_of_simplex(const fb_closest* c) {
  unsigned bits = 0;
  for (int i = 0; i < c->count; i++) bits |= 1u << c->s[i].ib;
  return region_of_bits(bits);
}

/* Those that are farthest along n. */
static fb_region region_along(const fb_triangle* t, const double n[3]) {
  const double x[3] = {dot3(n, t->x[0]), dot3(n, t->x[1]), dot3(n, t->x[2])},
               most = fmax(x[0], fmax(x[1], x[2]));
  unsigned bits = 0;
  for (int k = 0; k < 3; k++)
    if (x[k] >= most - 1e-7 * norm3(t->x[k])) bits |= 1u << k;
  return region_of_bits(bits);
}

static int owns(const fb_shape* b, const fb_triangle* t, fb_region where, const double n[3]) {
  return where.count < 3 && fb_triangle_owns(b, t, where, n, FB_MESH_SLACK);
}

/* Whether a corner that n does not belong to, since it leans along an edge, divides a ridge or border along which a face of the
 * shape lies: n belongs to the edge of this triangle there. */
static int owns_ridge(const fb_shape* b, const fb_triangle* t, fb_region* where, const double n[3]) {
  static const double PARALLEL = 0.05; /* sine of 3 degrees, as of edges that are parallel (clip.c) */
  for (int i = 0; where->count == 1 && i < 2; i++) {
    const fb_region edge = {2, i == 0 ? where->corner : (where->corner + 2) % 3};
    double in[3], e[3], across[3];
    for (int k = 0; k < 3; k++) e[k] = t->x[(edge.corner + 1) % 3][k] - t->x[edge.corner][k];
    const double along = dot3(n, e) / dot3(e, e);
    fb_triangle_inwards(t, edge.corner, in);
    memcpy(across, n, sizeof across);
    add_scaled3(across, -along, e);
    if (fabs(along) * norm3(e) > PARALLEL || dot3(n, in) > -FB_MESH_SLACK * norm3(in) ||
        !owns(b, t, edge, across))
      continue;
    *where = edge;
    return 1;
  }
  return 0;
}

/* How a triangle contributes: not at all, unchanged, or by the part of the shape over it, along its own normal. */
typedef enum verdict { LEAVE, TAKE, OVER } verdict;

/* where: the part that is taken. ridges: also one that n leans along. */
static verdict classify(const fb_shape* b, const fb_triangle* t, const fb_closest* c, int ridges,
                        fb_region* where) {
  double across[3];
  cross3(c->n, t->m, across);
  const double along = dot3(c->n, t->m);
  if (along > 0 && norm3(across) < 1e-9) return OVER;
  *where = region_of_simplex(c);
  if (owns(b, t, *where, c->n)) return TAKE;
  if (ridges && owns_ridge(b, t, where, c->n)) return TAKE;
  *where = region_along(t, c->n);
  if (owns(b, t, *where, c->n)) return TAKE;
  return along > 0 || c->gap <= 0 ? OVER : LEAVE;
}

/* --- a convex shape and a triangle --- */

/* Whether a point of the shape below the triangle is not in the mesh there, or nearer to another side of it. One that
 * is much deeper below it than below another triangle belongs to that: the corner of a box in the top of a table is
 * far behind the table's sides. One in front of another triangle has left the mesh on the other side: a point under a
 * small stone is not in it. */
static int is_elsewhere(const fb_mesh_probe* a, const fb_shape* b, const fb_contact_point* p) {
  static const double ROUNDING =
      1e-12; /* of its coordinates: a smaller depth below its own triangle is none */
  const double depth = -p->gap;
  fb_contact_point nearest;
  if (!(depth > ROUNDING * (norm3(p->p_a) + a->radius))) return 0;
  if (fb_mesh_nearest(a->shape, b, p->p_a, MINE * depth, &nearest)) return 1;
  return fb_mesh_nearest(a->shape, b, p->p_a, (1 - 1e-6) * depth, &nearest) && nearest.feature >= 0 &&
         fb_mesh_is_in_front(b, nearest.feature, p->p_a);
}

/* The points of the shape over the triangle. all: also those that are elsewhere. */
static void collide_over(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                         const fb_convex* shape, int all, fb_point_list* list) {
  fb_point_list over;
  fb_closest c = {.count = 1};
  fb_point_list_clear(&over, list->max_gap);
  over.smooth = list->smooth;
  memcpy(c.n, t->m, sizeof c.n);
  fb_minkowski_support(a->shape, shape, c.n, &c.s[0]);
  c.gap = dot3(c.s[0].w, c.n);
  fb_collide_convex_over(a->shape, shape, &c, &over);
  for (int i = 0; i < over.count; i++) {
    const fb_contact_point* p = &over.item[i];
    if (!all && is_elsewhere(a, b, p)) continue;
    list->share = over.weight[i];
    fb_point_list_add(list, p->gap, p->normal, p->p_b, p->curvature, p->feature);
    list->share = 1;
  }
}

/* Of two meshes, for compliant laws: a triangle that points along n counts by the points over it, less so as n leans; an edge or corner, whose
 * n is between the normals of the triangles around it, counts as much as n leans from the nearest of them, and once. */
static void collide_smooth(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                           const fb_closest* c, const fb_convex* shape, fb_point_list* list) {
  double across[3];
  fb_region where;
  int first = 1;
  cross3(c->n, t->m, across);
  const double flat = dot3(c->n, t->m) > 0 ? fb_flat_share(length3(across)) : 0;
  list->scale = flat;
  if (flat > 0) collide_over(a, b, t, shape, 1, list);
  const verdict v = flat < 1 ? classify(b, t, c, 0, &where) : LEAVE;
  list->scale = 1 - flat;
  if (v == TAKE) list->scale = 1 - fb_flat_share(fb_triangle_lean(b, t, where, c->n, &first));
  if (v == TAKE && first && list->scale > 0) fb_collide_convex_at(a->shape, shape, c, list);
  if (v == OVER) collide_over(a, b, t, shape, 0, list);
  list->scale = 1;
}

static void collide_convex(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                           fb_point_list* list) {
  fb_convex shape;
  fb_closest c;
  double q[3];
  fb_triangle_nearest(t, a->centre, q);
  if (fb_mesh_bound(a, q) > fb_mesh_limit(list)) return;
  fb_convex_triangle(t->x, t->name, &shape);
  fb_convex_closest(a->shape, &shape, fb_mesh_limit(list) + a->shape->radius, &c);
  if (c.gap - a->shape->radius > fb_mesh_limit(list)) return;
  keep_spare(a, t, &c, list);
  fb_region where;
  const verdict v = list->smooth ? TAKE : classify(b, t, &c, 1, &where);
  if (v == LEAVE) return;
  shape.soft = fb_triangle_soft_edges(b, t);
  /* The same corner of a shape may touch several triangles, each at its own point. */
  list->named = !list->smooth;
  if (list->named) list->name = region_feature(b, t, v == TAKE ? where : (fb_region){3, 0});
  if (list->smooth)
    collide_smooth(a, b, t, &c, &shape, list);
  else if (v == TAKE)
    fb_collide_convex_at(a->shape, &shape, &c, list);
  else
    collide_over(a, b, t, &shape, 0, list);
  list->named = 0;
}

/* The triangle that was set aside is needed where no other was taken, or only clearly farther or less deep ones. For
 * compliant laws it counts more and more as the others are less deep. */
static void use_spare(fb_point_list* list, int before) {
  const fb_contact_point spare = list->spare;
  double least = INFINITY;
  if (!list->has_spare || (list->has_spare == 1 && list->count > before)) return;
  for (int i = before; i < list->count; i++) least = fmin(least, list->item[i].gap);
  const double same = 1e-10 * (norm3(spare.p_b) + fabs(spare.gap));
  if (!(spare.gap + fmax(same, -0.1 * spare.gap) < least)) return;
  if (list->smooth) list->share = fb_smooth_step(((fmin(0, least) - spare.gap) / -spare.gap - 0.1) / 0.4);
  fb_point_list_add(list, spare.gap, spare.normal, spare.p_b, FB_SHARP, fb_feature(spare.feature, -1));
  list->share = 1;
}

static void collide_probe(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list) {
  const int before = list->count;
  fb_mesh_visit(a, b, a->is_ball ? collide_ball : collide_convex, list);
  if (list->count == before) fb_mesh_push_out(a, b, list);
  use_spare(list, before);
}

/* --- what is public here --- */

static double radius_of(const fb_shape* s) {
  fb_collider c = fb_default_collider();
  c.kind = s->kind;
  c.geometry = s->geometry;
  memcpy(c.size, s->size, sizeof c.size);
  return fb_collider_radius(&c);
}

/* A triangle of a, in the axes of b. */
static void collide_triangle(const fb_shape* a, int index, const fb_shape* b, fb_point_list* list) {
  fb_triangle t;
  fb_convex shape;
  fb_mesh_probe p = {.shape = &shape, .centre = {0, 0, 0}};
  fb_triangle_get(a, index, &t);
  const unsigned soft = list->smooth ? fb_triangle_soft_edges(a, &t) : 0;
  for (int k = 0; k < 3; k++) {
    fb_shape_out(a, t.x[k], t.x[k]);
    add_scaled3(p.centre, 1. / 3, t.x[k]);
  }
  for (int k = 0; k < 3; k++) {
    double away[3] = {t.x[k][0], t.x[k][1], t.x[k][2]};
    add_scaled3(away, -1, p.centre);
    p.radius = fmax(p.radius, norm3(away));
  }
  fb_convex_triangle((const double(*)[3])t.x, t.name, &shape);
  if (list->smooth) shape.soft = soft;
  fb_mesh_visit(&p, b, collide_convex, list);
}

/* The triangles of one mesh against those of another: those of a within reach of the box around all of b. */
static void collide_meshes(const fb_shape* a, const fb_shape* b, fb_point_list* list) {
  const fb_geometry* g = a->geometry;
  const int before = list->count;
  int todo[DEPTH], count = 0;
  todo[count++] = 0;
  while (count > 0) {
    const int index = todo[--count];
    const fb_bvh_node* n = &g->node[index];
    double centre[3], half[3], q[3];
    for (int i = 0; i < 3; i++) {
      centre[i] = a->size[i] * (n->low[i] + n->high[i]) / 2;
      half[i] = a->size[i] * (n->high[i] - n->low[i]) / 2;
    }
    fb_shape_out(a, centre, centre);
    if (!(fb_mesh_box_distance(centre, b->geometry->node, b->size, q) - norm3(half) <= fb_mesh_limit(list)))
      continue;
    for (int i = 0; i < n->count; i++) collide_triangle(a, g->order[n->first + i], b, list);
    if (n->count > 0) continue;
    todo[count++] = n->first;
    todo[count++] = index + 1;
  }
  int sunk = list->smooth;
  for (int i = before; i < list->count; i++) sunk |= list->item[i].gap < 0;
  if (list->has_spare > 1 && !sunk) use_spare(list, before);
}

void fb_collide_mesh(const fb_shape* a, const fb_shape* b, fb_point_list* list) {
  fb_convex shape;
  if (a->kind == FB_COLLIDER_MESH) {
    collide_meshes(a, b, list);
    return;
  }
  if (a->kind == FB_COLLIDER_HEIGHTFIELD) return; /* two height fields have no distance */
  fb_convex_from_shape(a, &shape);
  fb_mesh_probe p = {.shape = &shape, .radius = radius_of(a)};
  p.is_ball = a->kind == FB_COLLIDER_POINT || a->kind == FB_COLLIDER_SPHERE;
  memcpy(p.centre, a->p, sizeof p.centre);
  if (list->smooth && a->kind == FB_COLLIDER_CAPSULE)
    fb_mesh_add_capsule(&p, b, list);
  else if (list->smooth && (a->kind == FB_COLLIDER_SPHERE || a->kind == FB_COLLIDER_ELLIPSOID))
    fb_mesh_add_round(&p, b, list);
  else if (list->smooth &&
           (a->kind == FB_COLLIDER_BOX || a->kind == FB_COLLIDER_HULL || a->kind == FB_COLLIDER_CYLINDER))
    fb_mesh_add_faced(&p, b, list);
  else
    collide_probe(&p, b, list);
}
