/* polytope_near.c -- the distance between two polytopes that are apart, by trying every vertex against every face and every
 * edge against every edge that can be near enough.
 *
 * With n an axis along which the gap is g > 0, and a distance `most` that is known to be reached, only parts of a
 * whose n.x is within most - g of the least matter, and of b likewise. Each candidate is the distance between two
 * points of the cores, so rounding cannot make the result too small; it is exact to rounding because the relevant
 * pair is among them. Slow where many parts are near; called where GJK does not converge. */
#include <string.h>

#include "contact/collide/polytope.h"
#include "math/vector3.h"

typedef struct near_search {
  const fb_convex *a, *b;
  const double* n;
  double low_a, high_b, gap; /* along n */
  double most;               /* the least distance so far */
  fb_part on_a, on_b;
  double v[3]; /* unit, from b to a */
} near_search;

/* --- parts by number --- */

/* A point counts as an edge of no length. */
static int edges_of(const fb_convex* c) {
  return c->hull ? 3 * c->hull->ntriangle : c->kind == FB_COLLIDER_BOX ? 12 : c->nvertex > 2 ? 3 : 1;
}

static int take_edge(const fb_convex* c, int k, int ends[2]) {
  if (c->hull) {
    if (c->hull->across[k] < k / 3) return 0;
    ends[0] = c->hull->triangle[k];
    ends[1] = c->hull->triangle[k / 3 * 3 + (k + 1) % 3];
  } else if (c->kind == FB_COLLIDER_BOX) {
    const int axis = k / 4, i = (axis + 1) % 3, j = (axis + 2) % 3;
    ends[0] = (k & 1) << i | (k >> 1 & 1) << j;
    ends[1] = ends[0] | 1 << axis;
  } else {
    ends[0] = k;
    ends[1] = (k + 1) % c->nvertex;
  }
  return 1;
}

static int triangles_of(const fb_convex* c) {
  return c->hull ? c->hull->ntriangle : c->kind == FB_COLLIDER_BOX ? 12 : c->nvertex == 3;
}

static void take_triangle(const fb_convex* c, int k, int corner[3]) {
  static const int quads[3][4] = {{0, 2, 6, 4}, {0, 1, 5, 4}, {0, 1, 3, 2}};
  const int plain[3] = {0, 1, 2};
  memcpy(corner, plain, sizeof plain);
  if (c->hull) memcpy(corner, c->hull->triangle + 3 * k, sizeof plain);
  if (c->kind != FB_COLLIDER_BOX) return;
  const int axis = k / 4, side = k >> 1 & 1, half = k & 1;
  const int order[2][3] = {{0, 1, 2}, {0, 2, 3}};
  for (int i = 0; i < 3; i++) corner[i] = quads[axis][order[half][i]] | side << axis;
}

/* --- candidates --- */

static int is_far_a(const near_search* s, const double x[3]) {
  return dot3(s->n, x) - s->low_a > s->most - s->gap;
}

static int is_far_b(const near_search* s, const double x[3]) {
  return s->high_b - dot3(s->n, x) > s->most - s->gap;
}

static void take(near_search* s, double distance, const double v[3], const fb_part* on_a,
                 const fb_part* on_b) {
  if (!(distance < s->most)) return;
  s->most = distance;
  memcpy(s->v, v, sizeof s->v);
  s->on_a = *on_a;
  s->on_b = *on_b;
}

/* The points of two parts by their weights. */
static void take_points(near_search* s, const fb_part* on_a, const fb_part* on_b) {
  double v[3] = {0, 0, 0}, x[3];
  for (int k = 0; k < on_a->count; k++) {
    fb_convex_vertex(s->a, on_a->vertex[k], x);
    add_scaled3(v, on_a->weight[k], x);
  }
  for (int k = 0; k < on_b->count; k++) {
    fb_convex_vertex(s->b, on_b->vertex[k], x);
    add_scaled3(v, -on_b->weight[k], x);
  }
  const double distance = norm3(v);
  for (int i = 0; i < 3 && distance > 0; i++) v[i] /= distance;
  take(s, distance, v, on_a, on_b);
}

static double part_along(const double x[3], const double p[3], const double q[3]) {
  double e[3], w[3];
  for (int i = 0; i < 3; i++) {
    e[i] = q[i] - p[i];
    w[i] = x[i] - p[i];
  }
  const double ee = dot3(e, e);
  return ee > 0 ? fmax(0, fmin(1, dot3(w, e) / ee)) : 0;
}

/* A part with weights of no use left out. */
static fb_part edge_part(const int ends[2], double at) {
  if (at <= 0 || at >= 1) return (fb_part){.count = 1, .vertex = {ends[at >= 1]}, .weight = {1}};
  return (fb_part){.count = 2, .vertex = {ends[0], ends[1]}, .weight = {1 - at, at}};
}

/* The insides of two edges, along the normal of both; 0: they do not pass over each other. */
static int try_insides(near_search* s, const int ea[2], const double p[2][3], const int eb[2],
                       const double q[2][3]) {
  double u[3], v[3], w[3], n[3], turned[3];
  for (int i = 0; i < 3; i++) {
    u[i] = p[1][i] - p[0][i];
    v[i] = q[1][i] - q[0][i];
    w[i] = q[0][i] - p[0][i];
  }
  if (!fb_polytope_across(u, v, n)) return 0;
  cross3(u, v, turned);
  const double scale = dot3(turned, n);
  if (!(scale > FB_CROSSED * length3(u) * length3(v))) return 0; /* the ends are as near */
  cross3(w, v, turned);
  const double at_a = dot3(turned, n) / scale;
  cross3(w, u, turned);
  const double at_b = dot3(turned, n) / scale;
  if (!(at_a > 0 && at_a < 1 && at_b > 0 && at_b < 1)) return 0;
  const double up = -dot3(w, n);
  for (int i = 0; i < 3 && up < 0; i++) n[i] = -n[i];
  const fb_part on_a = edge_part(ea, at_a), on_b = edge_part(eb, at_b);
  take(s, fabs(up), n, &on_a, &on_b);
  return 1;
}

/* Two edges: if not their insides, the ends of each on the other. */
static void try_edge_pair(near_search* s, const int ea[2], const double p[2][3], const int eb[2],
                          const double q[2][3]) {
  if (try_insides(s, ea, p, eb, q)) return;
  for (int k = 0; k < 2; k++) {
    const fb_part end_a = {.count = 1, .vertex = {ea[k]}, .weight = {1}},
                  end_b = {.count = 1, .vertex = {eb[k]}, .weight = {1}};
    const fb_part along_b = edge_part(eb, part_along(p[k], q[0], q[1])),
                  along_a = edge_part(ea, part_along(q[k], p[0], p[1]));
    take_points(s, &end_a, &along_b);
    take_points(s, &along_a, &end_b);
  }
}

/* A vertex over the inside of a triangle. flip: the vertex is b's. */
static void try_face(near_search* s, int vertex, const double x[3], const int corner[3], const double p[3][3],
                     int flip) {
  double e1[3], e2[3], n[3], w[3], turned[3];
  for (int i = 0; i < 3; i++) {
    e1[i] = p[1][i] - p[0][i];
    e2[i] = p[2][i] - p[0][i];
    w[i] = x[i] - p[0][i];
  }
  if (!fb_polytope_across(e1, e2, n)) return;
  cross3(e1, e2, turned);
  const double area = dot3(turned, n);
  cross3(w, e2, turned);
  const double s1 = dot3(turned, n) / area;
  cross3(e1, w, turned);
  const double s2 = dot3(turned, n) / area;
  if (!(s1 >= 0 && s2 >= 0 && s1 + s2 <= 1)) return;
  const double up = dot3(w, n);
  for (int i = 0; i < 3; i++) n[i] = (up < 0) != flip ? -n[i] : n[i];
  const fb_part point = {.count = 1, .vertex = {vertex}, .weight = {1}};
  fb_part face = {.count = 3, .weight = {1 - s1 - s2, s1, s2}};
  memcpy(face.vertex, corner, sizeof face.vertex);
  take(s, fabs(up), n, flip ? &face : &point, flip ? &point : &face);
}

static void try_edges(near_search* s) {
  const int na = edges_of(s->a), nb = edges_of(s->b);
  int ea[2], eb[2];
  for (int i = 0; i < na; i++) {
    double p[2][3], q[2][3];
    if (!take_edge(s->a, i, ea)) continue;
    for (int k = 0; k < 2; k++) fb_convex_vertex(s->a, ea[k], p[k]);
    if (is_far_a(s, p[0]) && is_far_a(s, p[1])) continue;
    for (int j = 0; j < nb; j++) {
      if (!take_edge(s->b, j, eb)) continue;
      for (int k = 0; k < 2; k++) fb_convex_vertex(s->b, eb[k], q[k]);
      if (is_far_b(s, q[0]) && is_far_b(s, q[1])) continue;
      try_edge_pair(s, ea, (const double(*)[3])p, eb, (const double(*)[3])q);
    }
  }
}

/* Vertices of one core over the faces of the other. */
static void try_faces(near_search* s, const fb_convex* c, const fb_convex* other, int flip) {
  const int count = triangles_of(c);
  for (int t = 0; t < count; t++) {
    int corner[3], far = 1;
    double p[3][3], x[3];
    take_triangle(c, t, corner);
    for (int k = 0; k < 3; k++) {
      fb_convex_vertex(c, corner[k], p[k]);
      far &= flip ? is_far_a(s, p[k]) : is_far_b(s, p[k]);
    }
    for (int v = 0; v < other->nvertex && !far; v++) {
      fb_convex_vertex(other, v, x);
      if (flip ? is_far_b(s, x) : is_far_a(s, x)) continue;
      try_face(s, v, x, corner, (const double(*)[3])p, flip);
    }
  }
}

/* Where the support points along n are: a distance that is reached. */
static void start(near_search* s) {
  const double back[3] = {-s->n[0], -s->n[1], -s->n[2]};
  double x[3], y[3];
  const fb_part on_a = {.count = 1, .vertex = {fb_convex_support(s->a, back, x)}, .weight = {1}},
                on_b = {.count = 1, .vertex = {fb_convex_support(s->b, s->n, y)}, .weight = {1}};
  s->low_a = dot3(s->n, x);
  s->high_b = dot3(s->n, y);
  s->gap = s->low_a - s->high_b;
  take_points(s, &on_a, &on_b);
}

double fb_polytope_distance(const fb_convex* a, const fb_convex* b, const fb_axis* axis, double most,
                            fb_part* on_a, fb_part* on_b, double n[3]) {
  near_search s = {.a = a, .b = b, .n = axis->n, .most = INFINITY};
  start(&s);
  s.most = fmin(s.most, most);
  try_edges(&s);
  try_faces(&s, b, a, 0);
  try_faces(&s, a, b, 1);
  *on_a = s.on_a;
  *on_b = s.on_b;
  memcpy(n, s.v, sizeof s.v);
  return s.most;
}
