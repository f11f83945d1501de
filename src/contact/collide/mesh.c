/* mesh.c -- shapes against the triangles of meshes and height fields.
 *
 * A tree of boxes finds the triangles within reach; each is a convex shape of its own, and touches are kept whose normal
 * belongs to the surface as a whole (triangle.c). A shape that has sunk so far in that a triangle's least depth is sideways,
 * over an edge that is not there for the surface, gets the triangle's own normal and the part of its points over the triangle.
 * Where nothing is left, because the centre is inside, the nearest triangle pushes it out. Under compliant laws round shapes are
 * in round.c, those with faces in corner.c and ridge.c. */
#include <string.h>

#include "contact/collide/corner.h"
#include "contact/shape/facet.h"
#include "contact/collide/round.h"
#include "math/vector3.h"

enum { DEPTH = 64 };
static const double MINE =
    0.25; /* of its depth: what is nearer to another triangle than this is not below this one */

static const double SLACK = 1e-7,
                    EXACT = 1e-10; /* sines: normals of convex pairs and of points may be off by these */

/* What moves against the mesh, in its axes. */
typedef struct probe {
  const fb_convex* shape;
  int is_ball; /* a point or a sphere */
  double centre[3], radius;
  int feature;       /* of a round shape's points on faces */
  double end_gap[2]; /* of a capsule's ends, 0 or less */
  fb_corner* corner; /* of a shape with faces, or NULL */
  fb_faced* faced;
  double rolls; /* of a cylinder: 1 on its rims, 0 on a cap */
} probe;

/* --- one triangle --- */

static int region_feature(const fb_shape* b, const fb_triangle* t, fb_region where) {
  if (where.count == 3) return b->geometry->facet[t->index];
  const int name = t->name[where.corner], next = where.count == 2 ? t->name[(where.corner + 1) % 3] : -1;
  return fb_feature(name < next || next < 0 ? name : next, name < next || next < 0 ? next : name);
}

/* The triangle that is nearest, or deepest below the shape, in case that none is taken. outward: n is on its front; one that is
 * seen from behind is used only if there is no other. */
static void set_spare(double gap, const double n[3], const double p_b[3], int triangle, int outward,
                      fb_touches* list) {
  fb_touch* spare = &list->spare;
  const int rank = outward ? 2 : 1;
  if (list->has_spare > rank || (list->has_spare == rank && !(gap < spare->gap))) return;
  list->has_spare = rank;
  spare->gap = gap;
  memcpy(spare->normal, n, sizeof spare->normal);
  memcpy(spare->p_b, p_b, sizeof spare->p_b);
  spare->feature = triangle;
}

static void keep_spare(const probe* a, const fb_triangle* t, const fb_closest* c, fb_touches* list) {
  double p_b[3] = {0, 0, 0};
  for (int i = 0; i < c->count; i++) add_scaled3(p_b, c->weight[i], c->s[i].b);
  set_spare(c->gap - a->shape->radius, c->n, p_b, t->index, dot3(c->n, t->m) > 0, list);
}

static void touch_ball(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  double point[3], n[3];
  const fb_region where = fb_triangle_nearest(t, a->centre, point);
  for (int i = 0; i < 3; i++) n[i] = a->centre[i] - point[i];
  const double distance = norm3(n);
  for (int i = 0; i < 3; i++) n[i] = distance > 0 && where.count < 3 ? n[i] / distance : t->m[i];
  double away[3];
  for (int i = 0; i < 3; i++) away[i] = a->centre[i] - point[i];
  if (where.count == 3 && dot3(away, t->m) < 0) return; /* behind */
  if (!fb_triangle_owns(b, t, where, n, EXACT)) {
    if (dot3(n, t->m) > -1e-6) set_spare(distance - a->radius, n, point, t->index, 1, list);
    return;
  }
  const double k = 1 / a->radius, sharp[2] = {where.count < 3 ? INFINITY : k, where.count < 2 ? INFINITY : k};
  fb_touches_add(list, distance - a->radius, n, point, sharp, region_feature(b, t, where));
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
  return where.count < 3 && fb_triangle_owns(b, t, where, n, SLACK);
}

/* How a triangle counts: not at all, as it is, or by the part of the shape over it, along its own normal. */
typedef enum verdict { LEAVE, TAKE, OVER } verdict;

/* where: the part that is taken. */
static verdict judge(const fb_shape* b, const fb_triangle* t, const fb_closest* c, fb_region* where) {
  double across[3];
  cross3(c->n, t->m, across);
  const double along = dot3(c->n, t->m);
  if (along > 0 && norm3(across) < 1e-9) return OVER;
  *where = region_of_simplex(c);
  if (owns(b, t, *where, c->n)) return TAKE;
  *where = region_along(t, c->n);
  if (owns(b, t, *where, c->n)) return TAKE;
  return along > 0 || c->gap <= 0 ? OVER : LEAVE;
}

/* A lower bound of the gap to what is on the other side of the plane through q, across the line to the centre. */
static double bound_from(const probe* a, const double q[3]) {
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

/* What is farther than this cannot matter. A shape that is turned out of a triangle may be deeper than its least depth. */
static double limit_of(const fb_touches* list) {
  const double known = list->nearest && list->has_spare > 1 ? list->spare.gap + 1e-9 : INFINITY;
  return fmax(fmin(list->reach, known), 0);
}

/* --- all of them --- */

static double distance_from_box(const double x[3], const fb_bvh_node* n, const double scale[3], double q[3]) {
  double away[3];
  for (int i = 0; i < 3; i++) {
    q[i] = fmax(scale[i] * n->low[i], fmin(scale[i] * n->high[i], x[i]));
    away[i] = x[i] - q[i];
  }
  return sqrt(dot3(away, away));
}

/* Whether the box of a node is within reach: by the sphere around the shape, then by the shape. */
static int is_within_reach(const probe* a, const fb_shape* b, const fb_bvh_node* n, const fb_touches* list) {
  double q[3];
  const double limit = limit_of(list), distance = distance_from_box(a->centre, n, b->size, q);
  if (!(distance - a->radius <= limit)) return 0;
  return a->is_ball || distance <= limit || bound_from(a, q) <= limit;
}

typedef void visitor(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list);

/* Visits the triangles whose boxes are within reach of the probe's sphere, near ones first. */
static void visit(const probe* a, const fb_shape* b, visitor* touch, fb_touches* list) {
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
      touch(a, b, &t, list);
    }
    if (n->count > 0) continue;
    double q[3];
    const int near = distance_from_box(a->centre, &g->node[index + 1], b->size, q) <=
                     distance_from_box(a->centre, &g->node[n->first], b->size, q);
    todo[count++] = near ? n->first : index + 1;
    todo[count++] = near ? index + 1 : n->first;
  }
}

/* --- the nearest triangle to a point --- */

static int is_at_border(const fb_shape* b, const fb_triangle* t, fb_region where) {
  const int* across = b->geometry->across + 3 * t->index;
  return (where.count < 3 && across[where.corner] < 0) ||
         (where.count == 1 && across[(where.corner + 2) % 3] < 0);
}

/* feature: the triangle, or -1 at the border of the mesh. */
static void touch_nearest(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  double point[3], away[3];
  const fb_region where = fb_triangle_nearest(t, a->centre, point);
  for (int i = 0; i < 3; i++) away[i] = a->centre[i] - point[i];
  fb_touches_add(list, norm3(away), t->m, point, FB_SHARP, is_at_border(b, t, where) ? -1 : t->index);
}

/* 0: none within reach. */
static int find_nearest(const fb_convex* shape, const fb_shape* b, const double x[3], double reach,
                        fb_touch* t) {
  const probe point = {.shape = shape, .is_ball = 1, .centre = {x[0], x[1], x[2]}};
  fb_touches nearest;
  fb_touches_clear(&nearest, reach);
  nearest.nearest = 1;
  visit(&point, b, touch_nearest, &nearest);
  *t = nearest.item[0];
  return nearest.count;
}

/* Whether x is in front of the surface, whose nearest triangle is given. At an edge or corner that is for all triangles around
 * it to say: x may be behind the plane of one of them, and yet outside. */
static int is_in_front(const fb_shape* b, int triangle, const double x[3]) {
  fb_triangle t;
  double point[3], n[3];
  fb_triangle_get(b, triangle, &t);
  const fb_region where = fb_triangle_nearest(&t, x, point);
  for (int i = 0; i < 3; i++) n[i] = x[i] - point[i];
  const double distance = norm3(n);
  if (where.count == 3 || !(distance > 0)) return dot3(n, t.m) > 0;
  for (int i = 0; i < 3; i++) n[i] /= distance;
  return fb_triangle_owns(b, &t, where, n, SLACK);
}

/* --- a convex shape and a triangle --- */

/* Whether a point of the shape below the triangle is not in the mesh there, or nearer to another side of it. One that is much
 * deeper below it than it is below another triangle belongs to
 * that: the corner of a box in the top of a table is far behind the table's sides. One that is in front of another triangle has
 * come out of the mesh on the other side: what is under a small stone is not in it. */
static int is_elsewhere(const probe* a, const fb_shape* b, const fb_touch* p) {
  static const double ROUNDING =
      1e-12; /* of its coordinates: by so little it is below its own triangle, and in none */
  const double depth = -p->gap;
  fb_touch nearest;
  if (!(depth > ROUNDING * (norm3(p->p_a) + a->radius))) return 0;
  if (find_nearest(a->shape, b, p->p_a, MINE * depth, &nearest)) return 1;
  return find_nearest(a->shape, b, p->p_a, (1 - 1e-6) * depth, &nearest) && nearest.feature >= 0 &&
         is_in_front(b, nearest.feature, p->p_a);
}

/* The points of the shape over the triangle. all: also those that are elsewhere. */
static void touch_over(const probe* a, const fb_shape* b, const fb_triangle* t, const fb_convex* shape,
                       int all, fb_touches* list) {
  fb_touches over;
  fb_closest c = {.count = 1};
  fb_touches_clear(&over, list->reach);
  over.smooth = list->smooth;
  memcpy(c.n, t->m, sizeof c.n);
  fb_minkowski_support(a->shape, shape, c.n, &c.s[0]);
  c.gap = dot3(c.s[0].w, c.n);
  fb_collide_convex_over(a->shape, shape, &c, &over);
  for (int i = 0; i < over.count; i++) {
    const fb_touch* p = &over.item[i];
    if (!all && is_elsewhere(a, b, p)) continue;
    list->share = over.weight[i];
    fb_touches_add(list, p->gap, p->normal, p->p_b, p->curvature, p->feature);
    list->share = 1;
  }
}

/* Of two meshes, for compliant laws: a triangle that looks along n counts by the points over it, less so as n leans; an edge or corner, whose
 * n is between the normals of the triangles around it, counts as much as n leans from the nearest of them, and once. */
static void touch_smooth(const probe* a, const fb_shape* b, const fb_triangle* t, const fb_closest* c,
                         const fb_convex* shape, fb_touches* list) {
  double across[3];
  fb_region where;
  int first = 1;
  cross3(c->n, t->m, across);
  const double flat = dot3(c->n, t->m) > 0 ? fb_flat_share(length3(across)) : 0;
  list->scale = flat;
  if (flat > 0) touch_over(a, b, t, shape, 1, list);
  const verdict v = flat < 1 ? judge(b, t, c, &where) : LEAVE;
  list->scale = 1 - flat;
  if (v == TAKE) list->scale = 1 - fb_flat_share(fb_triangle_lean(b, t, where, c->n, &first));
  if (v == TAKE && first && list->scale > 0) fb_collide_convex_at(a->shape, shape, c, list);
  if (v == OVER) touch_over(a, b, t, shape, 0, list);
  list->scale = 1;
}

static void touch_convex(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  fb_convex shape;
  fb_closest c;
  double q[3];
  fb_triangle_nearest(t, a->centre, q);
  if (bound_from(a, q) > limit_of(list)) return;
  fb_convex_triangle(t->x, t->name, &shape);
  fb_convex_closest(a->shape, &shape, limit_of(list) + a->shape->radius, &c);
  if (c.gap - a->shape->radius > limit_of(list)) return;
  keep_spare(a, t, &c, list);
  fb_region where;
  const verdict v = list->smooth ? TAKE : judge(b, t, &c, &where);
  if (v == LEAVE) return;
  shape.soft = fb_triangle_soft_edges(b, t);
  /* The same corner of a shape may touch several triangles, each at its own point. */
  list->named = !list->smooth;
  if (list->named) list->name = region_feature(b, t, v == TAKE ? where : (fb_region){3, 0});
  if (list->smooth)
    touch_smooth(a, b, t, &c, &shape, list);
  else if (v == TAKE)
    fb_collide_convex_at(a->shape, &shape, &c, list);
  else
    touch_over(a, b, t, &shape, 0, list);
  list->named = 0;
}

/* --- a centre inside --- */

/* How far behind its surface a mesh is solid for a shape. */
static double solid_depth(const probe* a, const fb_shape* b) {
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

/* The nearest triangle pushes out what has its centre behind it. */
static void push_out(const probe* a, const fb_shape* b, fb_touches* list) {
  fb_touch nearest, *t = &nearest;
  double n[3], low[3], away[3];
  const double depth = solid_depth(a, b);
  if (depth < 0 || !find_nearest(a->shape, b, a->centre, depth, t) || t->feature < 0) return;
  for (int i = 0; i < 3; i++) away[i] = t->p_b[i] - a->centre[i];
  const double distance = norm3(away);
  if (is_in_front(b, t->feature, a->centre)) return;
  for (int i = 0; i < 3; i++) n[i] = distance > 0 ? away[i] / distance : t->normal[i];
  const double down[3] = {-n[0], -n[1], -n[2]};
  fb_convex_support(a->shape, down, low);
  for (int i = 0; i < 3; i++) low[i] -= t->p_b[i];
  const double k = a->is_ball ? 1 / a->radius : INFINITY;
  fb_touches_add(list, dot3(low, n) - a->shape->radius, n, t->p_b, (const double[2]){k, k},
                 b->geometry->facet[t->feature]);
}

/* The triangle that was set aside is needed where nothing was taken, or only what is clearly less near, or less deep. For compliant
 * laws it counts more and more as the others are less deep. */
static void use_spare(fb_touches* list, int before) {
  const fb_touch spare = list->spare;
  double least = INFINITY;
  if (!list->has_spare || (list->has_spare == 1 && list->count > before)) return;
  for (int i = before; i < list->count; i++) least = fmin(least, list->item[i].gap);
  const double same = 1e-10 * (norm3(spare.p_b) + fabs(spare.gap));
  if (!(spare.gap + fmax(same, -0.1 * spare.gap) < least)) return;
  if (list->smooth) list->share = fb_smooth_step(((fmin(0, least) - spare.gap) / -spare.gap - 0.1) / 0.4);
  fb_touches_add(list, spare.gap, spare.normal, spare.p_b, FB_SHARP, fb_feature(spare.feature, -1));
  list->share = 1;
}

/* --- round shapes, for compliant laws --- */

static void touch_round(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  fb_round_touch(a->shape, b, t, a->feature, list);
}

/* A sphere or ellipsoid; the least of its gaps, or 0. */
static double collide_round(const probe* a, const fb_shape* b, fb_touches* list) {
  const int before = list->count;
  double least = 0;
  list->once = 1;
  visit(a, b, touch_round, list);
  list->once = 0;
  fb_round_weigh(list, before);
  if (list->count == before) push_out(a, b, list);
  for (int i = before; i < list->count; i++) least = fmin(least, list->item[i].gap);
  return least;
}

static void touch_side(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  fb_round_touch_side(a->shape, b, t, a->end_gap, list);
}

/* A capsule: its ends, and what touches it between them. */
static void collide_capsule(probe* a, const fb_shape* b, fb_touches* list) {
  for (int end = 0; end < 2; end++) {
    fb_shape ball = {
        .kind = FB_COLLIDER_SPHERE, .size = {a->shape->radius}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    fb_convex core;
    fb_convex_vertex(a->shape, end, ball.p);
    fb_convex_from_shape(&ball, &core);
    probe p = {.shape = &core, .is_ball = 1, .radius = core.radius, .feature = end};
    memcpy(p.centre, ball.p, sizeof p.centre);
    a->end_gap[end] = collide_round(&p, b, list);
  }
  const int before = list->count;
  list->once = 1;
  visit(a, b, touch_side, list);
  list->once = 0;
  fb_round_weigh_side(list, before, a->shape->radius);
}

/* --- boxes, hulls and cylinders, for compliant laws --- */

static void touch_under(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  (void)b;
  fb_corner_take(a->corner, t);
  list->reach = a->corner->reach;
}

static void touch_ridges(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  (void)list;
  fb_ridge_take(a->faced, b, t);
}

/* Whether a corner is out of the mesh: how far, and whether it can be where it is out. */
static void look_around(const fb_shape* b, const fb_touch* nearest, fb_corner* v) {
  double away[3] = {v->x[0], v->x[1], v->x[2]};
  add_scaled3(away, -1, nearest->p_b);
  if (nearest->feature < 0) { /* beyond a border */
    add_scaled3(away, -dot3(away, nearest->normal), nearest->normal);
    v->out = length3(away);
  } else if (is_in_front(b, nearest->feature, v->x)) {
    v->out = length3(away);
    for (int i = 0; i < 3; i++) away[i] /= v->out;
    v->air = fb_corner_turned(v, away);
  } else {
    v->in = length3(away);
  }
}

/* How deep a corner is, by the weights of its points, which are added. */
static double collide_corner(const probe* a, const fb_shape* b, fb_corner* v, fb_touches* list) {
  probe point = {.shape = a->shape, .is_ball = 1, .corner = v};
  fb_touches near;
  fb_touch nearest;
  memcpy(point.centre, v->x, sizeof point.centre);
  if (!find_nearest(a->shape, b, v->x, a->radius, &nearest)) return 0;
  look_around(b, &nearest, v);
  if (!(v->air < 1) || v->out > FB_CORNER_OUT * a->radius) return 0;
  v->reach = v->in + a->radius / 4;
  fb_touches_clear(&near, v->reach);
  visit(&point, b, touch_under, &near);
  return fb_corner_touch(v, list);
}

static void carry(fb_faced* s, int corner, double deep) {
  if (!(deep > 0) || s->ncarried == FB_CARRIED_ROOM) return;
  s->corner[s->ncarried] = corner;
  s->carried[s->ncarried++] = deep;
}

static void collide_vertices(const probe* a, const fb_shape* b, fb_touches* list) {
  for (int k = 0; k < a->shape->nvertex; k++) {
    fb_corner v = {
        .a = a->shape, .index = k, .feature = fb_feature(k, 64), .only = -1, .share = 1, .radius = a->radius};
    fb_convex_vertex(a->shape, k, v.x);
    carry(a->faced, k, collide_corner(a, b, &v, list));
  }
}

/* --- cylinders: four points of a cap that is flat on the ground around, the first points of both rims on each triangle --- */

/* Adds to the mean normal of the triangles around, in front of which the centre is, and that a cap may stand on. */
static void add_normal(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
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
static double find_up(const probe* a, const fb_shape* b, fb_touches* list) {
  double* up = a->faced->up;
  list->reach = a->radius / 4;
  visit(a, b, add_normal, list);
  list->reach = 0;
  const double length = norm3(up);
  if (!(length > 0)) return 1;
  for (int i = 0; i < 3; i++) up[i] /= length;
  const double stands = fb_smooth_step(4 * length / a->faced->around);
  return 1 - stands * (1 - fb_cylinder_rolls(a->shape->R, up));
}

static void collide_quarters(const probe* a, const fb_shape* b, double share, fb_touches* list) {
  fb_shape shape = {.kind = a->shape->kind};
  fb_rim rim;
  memcpy(shape.p, a->shape->p, sizeof shape.p);
  memcpy(shape.R, a->shape->R, sizeof shape.R);
  memcpy(shape.size, a->shape->size, sizeof shape.size);
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
static double rim_share(const probe* a, const fb_triangle* t, int cap, const double x[3], double lean,
                        double depth) {
  const double stands = 1 - a->rolls, rolls = fb_cylinder_rolls(a->shape->R, t->m);
  if (!(stands > 0)) return fb_smooth_step(20 * lean);
  const double lack = 1 - fb_faced_cap(a->faced, cap, x) / (stands * depth);
  return a->rolls * fb_smooth_step(20 * lean) + stands * rolls * fb_smooth_step((lack - 0.1) / 0.4);
}

/* The first points of the rims along the triangle's normal. */
static void touch_rims(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
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

static void collide_cylinder(probe* a, const fb_shape* b, fb_touches* list) {
  a->rolls = find_up(a, b, list);
  if (a->rolls < 1) collide_quarters(a, b, 1 - a->rolls, list);
  list->reach = a->radius / 4;
  visit(a, b, touch_rims, list);
  list->reach = 0;
}

/* Whether a triangle is within reach at all. */
static void touch_any(const probe* a, const fb_shape* b, const fb_triangle* t, fb_touches* list) {
  (void)b, (void)list;
  double q[3];
  fb_triangle_nearest(t, a->centre, q);
  if (bound_from(a, q) <= 0) a->faced->touches = 1;
}

/* Its corners, and what touches it between them. */
static void collide_faced(probe* a, const fb_shape* b, fb_touches* list) {
  fb_faced s = {.a = a->shape, .radius = a->radius};
  const int before = list->count;
  a->faced = &s;
  visit(a, b, touch_any, list);
  if (s.touches && a->shape->kind == FB_COLLIDER_CYLINDER)
    collide_cylinder(a, b, list);
  else if (s.touches)
    collide_vertices(a, b, list);
  if (s.touches) visit(a, b, touch_ridges, list);
  fb_ridge_touch(&s, list);
  a->faced = NULL;
  if (list->count == before) push_out(a, b, list);
}

static void collide_probe(const probe* a, const fb_shape* b, fb_touches* list) {
  const int before = list->count;
  visit(a, b, a->is_ball ? touch_ball : touch_convex, list);
  if (list->count == before) push_out(a, b, list);
  use_spare(list, before);
}

/* --- what is public here --- */

static double radius_of(const fb_shape* s) {
  fb_collider c = {.kind = s->kind, .geometry = s->geometry};
  memcpy(c.size, s->size, sizeof c.size);
  return fb_collider_radius(&c);
}

/* A triangle of a, in the axes of b. */
static void collide_triangle(const fb_shape* a, int index, const fb_shape* b, fb_touches* list) {
  fb_triangle t;
  fb_convex shape;
  probe p = {.shape = &shape, .centre = {0, 0, 0}};
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
  visit(&p, b, touch_convex, list);
}

/* The triangles of one mesh against those of another: those of a within reach of the box around all of b. */
static void collide_meshes(const fb_shape* a, const fb_shape* b, fb_touches* list) {
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
    if (!(distance_from_box(centre, b->geometry->node, b->size, q) - norm3(half) <= limit_of(list))) continue;
    for (int i = 0; i < n->count; i++) collide_triangle(a, g->order[n->first + i], b, list);
    if (n->count > 0) continue;
    todo[count++] = n->first;
    todo[count++] = index + 1;
  }
  int sunk = list->smooth;
  for (int i = before; i < list->count; i++) sunk |= list->item[i].gap < 0;
  if (list->has_spare > 1 && !sunk) use_spare(list, before);
}

void fb_collide_mesh(const fb_shape* a, const fb_shape* b, fb_touches* list) {
  fb_convex shape;
  if (a->kind == FB_COLLIDER_MESH) {
    collide_meshes(a, b, list);
    return;
  }
  if (a->kind == FB_COLLIDER_HEIGHTFIELD) return; /* two height fields have no distance */
  fb_convex_from_shape(a, &shape);
  probe p = {.shape = &shape, .radius = radius_of(a)};
  p.is_ball = a->kind == FB_COLLIDER_POINT || a->kind == FB_COLLIDER_SPHERE;
  memcpy(p.centre, a->p, sizeof p.centre);
  if (list->smooth && a->kind == FB_COLLIDER_CAPSULE)
    collide_capsule(&p, b, list);
  else if (list->smooth && (a->kind == FB_COLLIDER_SPHERE || a->kind == FB_COLLIDER_ELLIPSOID))
    collide_round(&p, b, list);
  else if (list->smooth &&
           (a->kind == FB_COLLIDER_BOX || a->kind == FB_COLLIDER_HULL || a->kind == FB_COLLIDER_CYLINDER))
    collide_faced(&p, b, list);
  else
    collide_probe(&p, b, list);
}
