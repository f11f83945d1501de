/* sat_hull.c -- axes of separation where one or both cores are hulls, of any number of vertices.
 *
 * All faces and edges are visited, but few axes are computed. For any point y of the other core and the outward
 * normals m of a face, or m1 and m2 of the faces at an edge, with p on it,
 *
 *   gap along m <= m.(y - p),        gap along any n between m1 and m2 <= max(m1.(y - p), m2.(y - p))
 *
 * (the latter where it is not positive). Axes that cannot be better than the best so far are skipped; a dozen points
 * y that are extreme along fixed directions and along the best axis leave few. Cost O(faces + edges) with few left,
 * as is usual; the product of the edges at most. */
#include <string.h>

#include "contact/collide/polytope.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

enum { SAMPLES = 15, EDGES = 128 };
static const double BESIDE = 1e-9; /* cosine: how far outside of an arc a direction is tried */
static const double APART =
    1e-6; /* of the size: farther apart, the direction of the distance has all its digits */

/* A hull against another core. */
typedef struct side {
  const fb_convex *hull, *other;
  double y
      [SAMPLES]
      [3]; /* points of the other in the axes and units of the hull's vertices; the first along the best axis */
  int count;
  double sign;  /* the outward normal of the hull is sign n: -1 for a */
  double scale; /* of the hull, where it is the same along all axes, or 0 */
} side;

/* An edge with the outward normals at its sides. */
typedef struct arc {
  double p[3], e[3], m[2][3], cosine;
  int ends[2];
} arc;

/* --- points of the other core --- */

static void take_sample(side* t, const double d[3], double y[3]) {
  const fb_convex* c = t->hull;
  fb_convex_support(t->other, d, y);
  for (int i = 0; i < 3; i++) y[i] -= c->p[i];
  fb_rot_apply_transpose(c->R, y, y);
  for (int i = 0; i < 3; i++) y[i] /= c->size[i];
}

static void take_best(const fb_sat* s, side* t) {
  const double d[3] = {-t->sign * s->best.n[0], -t->sign * s->best.n[1], -t->sign * s->best.n[2]};
  take_sample(t, d, t->y[0]);
}

static void take_samples(const fb_sat* s, side* t) {
  const int few = t->hull->nvertex < 16 ? 2 : 14;
  const double* size = t->hull->size;
  t->scale = size[0] == size[1] && size[1] == size[2] ? size[0] : 0;
  take_best(s, t);
  t->count = 1;
  for (int k = 0; k < few; k++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = k < 6 ? (k / 2 == i) * (k & 1 ? 1 : -1) : (k - 6) >> i & 1 ? 1 : -1;
    take_sample(t, d, t->y[t->count++]);
  }
}

/* How far the sample y is above the plane of a triangle. */
static double above(const side* t, int triangle, const double y[3]) {
  const fb_geometry* g = t->hull->hull;
  const double *m = g->normal + 3 * triangle, *p = g->vertex + 3 * g->triangle[3 * triangle];
  const double away = m[0] * (y[0] - p[0]) + m[1] * (y[1] - p[1]) + m[2] * (y[2] - p[2]);
  if (t->scale > 0) return away * t->scale;
  const double* size = t->hull->size;
  return away / length3((const double[3]){m[0] / size[0], m[1] / size[1], m[2] / size[2]});
}

/* Whether no direction between the normals of two triangles (which may be one) can be better than the best. */
static int is_hopeless(const fb_sat* s, const side* t, int one, int two) {
  for (int k = 0; k < t->count; k++) {
    const double x = above(t, one, t->y[k]);
    if (x > s->best.gap || x > 0) continue;
    if (one == two) return 1;
    const double y = above(t, two, t->y[k]);
    if (y <= s->best.gap && y <= 0) return 1;
  }
  return 0;
}

/* --- parts of a hull --- */

/* The outward normal of a triangle. */
static void normal_of(const fb_convex* c, int triangle, double m[3]) {
  const double* given = c->hull->normal + 3 * triangle;
  for (int k = 0; k < 3; k++) m[k] = given[k] / c->size[k];
  const double length = length3(m);
  for (int k = 0; k < 3; k++) m[k] /= length;
  fb_rot_apply(c->R, m, m);
}

/* Edge k of a triangle; 0: it is that of a neighbour, between two of one plane, or hopeless. */
static int arc_of(const fb_sat* s, const side* t, int triangle, int k, arc* x) {
  const fb_convex* c = t->hull;
  const fb_geometry* g = c->hull;
  const int other = g->across[3 * triangle + k];
  if (other < triangle) return 0;
  if (memcmp(g->normal + 3 * triangle, g->normal + 3 * other, 3 * sizeof *g->normal) == 0) return 0;
  if (is_hopeless(s, t, triangle, other)) return 0;
  x->ends[0] = g->triangle[3 * triangle + k];
  x->ends[1] = g->triangle[3 * triangle + (k + 1) % 3];
  normal_of(c, triangle, x->m[0]);
  normal_of(c, other, x->m[1]);
  x->cosine = dot3(x->m[0], x->m[1]);
  fb_convex_vertex(c, x->ends[0], x->p);
  const double *p = g->vertex + 3 * x->ends[0], *q = g->vertex + 3 * x->ends[1];
  for (int i = 0; i < 3; i++) x->e[i] = c->size[i] * (q[i] - p[i]);
  fb_rot_apply(c->R, x->e, x->e);
  return 1;
}

/* Whether the unit vector m, across the edge, is between its normals, or beside them by little. */
static int is_between(const arc* x, const double m[3]) {
  const double least = x->cosine - BESIDE;
  return dot3(m, x->m[0]) >= least && dot3(m, x->m[1]) >= least;
}

/* --- faces --- */

static void try_hull_faces(fb_sat* s, side* t, double limit) {
  const fb_geometry* g = t->hull->hull;
  fb_axis axis = {.of = t->hull == s->b ? FB_AXIS_FACE_B : FB_AXIS_FACE_A};
  for (int i = 0; i < g->ntriangle && s->best.gap <= limit; i++) {
    double m[3];
    if (is_hopeless(s, t, i, i)) continue;
    normal_of(t->hull, i, m);
    memcpy(axis.face, g->triangle + 3 * i, sizeof axis.face);
    if (fb_sat_try(s, m, &axis)) take_best(s, t);
  }
}

/* --- edges --- */

/* The direction m out of the hull of t, across its edge and one of the other, which has the point q of it. */
static void try_crossing(fb_sat* s, side* t, const double m[3], const arc* x, const double q[3],
                         const int other[2]) {
  const double away[3] = {q[0] - x->p[0], q[1] - x->p[1], q[2] - x->p[2]};
  if (!(dot3(m, away) > s->best.gap + s->slack)) return;
  fb_axis axis = {.of = FB_AXIS_EDGES};
  const int is_b = t->hull == s->b;
  memcpy(is_b ? axis.edge_b : axis.edge_a, x->ends, sizeof axis.edge_a);
  memcpy(is_b ? axis.edge_a : axis.edge_b, other, sizeof axis.edge_a);
  if (fb_sat_try(s, m, &axis)) take_best(s, t);
}

/* An edge of the hull across the edges of a small core. */
static void try_small(fb_sat* s, side* t, const arc* x) {
  const int count = fb_polytope_directions(t->other);
  for (int k = 0; k < count; k++) {
    double d[3], m[3], q[3];
    int ends[2];
    fb_polytope_direction(t->other, k, d);
    if (!fb_polytope_across(x->e, d, m)) continue;
    if (dot3(m, x->m[0]) + dot3(m, x->m[1]) < 0)
      for (int i = 0; i < 3; i++) m[i] = -m[i];
    if (!is_between(x, m)) continue;
    const double down[3] = {-m[0], -m[1], -m[2]};
    fb_polytope_edge(t->other, k, down, ends);
    fb_convex_vertex(t->other, ends[0], q);
    try_crossing(s, t, m, x, q, ends);
  }
}

static void try_small_edges(fb_sat* s, side* t, double limit) {
  const fb_geometry* g = t->hull->hull;
  arc x;
  for (int i = 0; i < 3 * g->ntriangle && s->best.gap <= limit; i++)
    if (arc_of(s, t, i / 3, i % 3, &x)) try_small(s, t, &x);
}

/* Edges of the hull from number `from` on that may be better; *from: where to continue. */
static int gather(const fb_sat* s, const side* t, int* from, arc arcs[EDGES]) {
  const int all = 3 * t->hull->hull->ntriangle;
  int count = 0;
  for (; *from < all && count < EDGES; ++*from) count += arc_of(s, t, *from / 3, *from % 3, &arcs[count]);
  return count;
}

static void try_arcs(fb_sat* s, side* t, const arc* x, const arc* others, int count) {
  for (int k = 0; k < count; k++) {
    const arc* y = &others[k];
    double m[3], back[3];
    if (!fb_polytope_across(x->e, y->e, m)) continue;
    if (dot3(m, x->m[0]) + dot3(m, x->m[1]) < 0)
      for (int i = 0; i < 3; i++) m[i] = -m[i];
    for (int i = 0; i < 3; i++) back[i] = -m[i];
    if (is_between(x, m) && is_between(y, back)) try_crossing(s, t, m, x, y->p, y->ends);
  }
}

static void try_hull_edges(fb_sat* s, side* ta, side* tb, double limit) {
  arc on_a[EDGES], on_b[EDGES];
  const int all = 3 * tb->hull->hull->ntriangle;
  for (int from_b = 0; from_b < all && s->best.gap <= limit;) {
    const int nb = gather(s, tb, &from_b, on_b);
    for (int from_a = 0; nb > 0 && from_a < 3 * ta->hull->hull->ntriangle && s->best.gap <= limit;) {
      const int na = gather(s, ta, &from_a, on_a);
      for (int i = 0; i < na; i++) try_arcs(s, ta, &on_a[i], on_b, nb);
    }
  }
}

/* --- all of it --- */

/* Something to begin with: from one middle to the other. */
static void begin(fb_sat* s) {
  double n[3], x[3], y[3];
  const fb_axis axis = {.of = FB_AXIS_FLAT};
  fb_polytope_middle(s->a, x);
  fb_polytope_middle(s->b, y);
  for (int i = 0; i < 3; i++) n[i] = x[i] - y[i];
  const double length = norm3(n);
  for (int i = 0; i < 3; i++) n[i] = length > 0 ? n[i] / length : i == 2;
  fb_sat_try(s, n, &axis);
  s->best.gap -= s->slack; /* a face that is as good is better */
}

void fb_sat_hulls(fb_sat* s, double limit) {
  side ta = {.hull = s->a, .other = s->b, .sign = -1}, tb = {.hull = s->b, .other = s->a, .sign = 1};
  begin(s);
  if (s->best.gap > limit) return;
  if (s->b->hull) take_samples(s, &tb);
  if (s->a->hull) take_samples(s, &ta);
  if (s->b->hull)
    try_hull_faces(s, &tb, limit);
  else
    fb_sat_faces(s, s->b, limit);
  if (s->a->hull)
    try_hull_faces(s, &ta, limit);
  else
    fb_sat_faces(s, s->a, limit);
  if (s->best.gap > limit || s->best.gap > APART * s->size) return;
  if (s->a->hull) take_best(s, &ta);
  if (s->b->hull) take_best(s, &tb);
  if (s->a->hull && s->b->hull)
    try_hull_edges(s, &ta, &tb, limit);
  else
    try_small_edges(s, s->a->hull ? &ta : &tb, limit);
}
