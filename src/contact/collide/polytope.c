/* polytope.c -- the signed gap between two polytopes: axes of separation where they penetrate, the distance where they do not.
 *
 * The largest gap along the axes of sat.c is exact where the cores penetrate. Where they are apart it is a lower
 * bound, which is the distance if the two parts that show along the axis are over each other. If not, GJK finds the
 * distance; its two points are an upper bound, and the gap along the line between them a lower one. Where the two
 * differ, because GJK's simplex was thin, all near parts are tested (polytope_near.c). */
#include <string.h>

#include "contact/collide/polytope.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double ROUNDING = 1e-15, EXACT = 1e-14; /* of the size */
static const double APART =
    1e-6; /* of the size: farther apart, the direction of the distance has all its digits */

void fb_polytope_middle(const fb_convex* c, double x[3]) {
  const fb_geometry* g = c->hull;
  for (int i = 0; i < 3; i++) x[i] = 0;
  if (g) {
    for (int i = 0; i < 3; i++) x[i] = c->size[i] * (g->low[i] + g->high[i]) / 2;
  } else if (c->nvertex == 3) {
    for (int i = 0; i < 9; i++) x[i % 3] += c->corners[i] / 3;
  }
  fb_rot_apply(c->R, x, x);
  add_scaled3(x, 1, c->p);
}

/* From its middle to its farthest vertex, or about that. */
static double size_of(const fb_convex* c) {
  if (c->hull) {
    double half[3];
    for (int i = 0; i < 3; i++) half[i] = c->size[i] * (c->hull->high[i] - c->hull->low[i]) / 2;
    return length3(half);
  }
  double most = 0, middle[3];
  fb_polytope_middle(c, middle);
  for (int k = 0; k < c->nvertex; k++) {
    double x[3];
    fb_convex_vertex(c, k, x);
    add_scaled3(x, -1, middle);
    most = fmax(most, length3(x));
    if (c->kind == FB_COLLIDER_BOX) break;
  }
  return most;
}

/* --- parts into the simplex that others read --- */

static void set_simplex(const fb_convex* a, const fb_convex* b, const fb_part* on_a, const fb_part* on_b,
                        fb_closest* c) {
  c->count = 0;
  for (int i = 0; i < on_a->count; i++)
    for (int j = 0; j < on_b->count && c->count < 4; j++) {
      fb_minkowski* s = &c->s[c->count];
      s->ia = on_a->vertex[i];
      s->ib = on_b->vertex[j];
      fb_convex_vertex(a, s->ia, s->a);
      fb_convex_vertex(b, s->ib, s->b);
      for (int k = 0; k < 3; k++) s->w[k] = s->a[k] - s->b[k];
      c->weight[c->count++] = on_a->weight[i] * on_b->weight[j];
    }
}

static fb_part vertex_along(const fb_convex* c, const double d[3]) {
  double x[3];
  fb_part part = {.count = 1, .weight = {1}};
  part.vertex[0] = fb_convex_support(c, d, x);
  return part;
}

/* The part of a face nearest to x: a triangle, with weights that are not negative. */
static fb_part face_at(const fb_convex* c, const int vertex[3], const double x[3]) {
  fb_part part = {.count = 3};
  double p[3][3], e1[3], e2[3], n[3], w[3], turned[3], sum = 0;
  memcpy(part.vertex, vertex, sizeof part.vertex);
  for (int k = 0; k < 3; k++) fb_convex_vertex(c, vertex[k], p[k]);
  for (int i = 0; i < 3; i++) {
    e1[i] = p[1][i] - p[0][i];
    e2[i] = p[2][i] - p[0][i];
    w[i] = x[i] - p[0][i];
  }
  cross3(e1, e2, n);
  const double nn = dot3(n, n);
  cross3(w, e2, turned);
  part.weight[1] = nn > 0 ? fmax(0, dot3(turned, n) / nn) : 0;
  cross3(e1, w, turned);
  part.weight[2] = nn > 0 ? fmax(0, dot3(turned, n) / nn) : 0;
  part.weight[0] = fmax(0, 1 - part.weight[1] - part.weight[2]);
  for (int k = 0; k < 3; k++) sum += part.weight[k];
  for (int k = 0; k < 3; k++) part.weight[k] /= sum;
  return part;
}

/* Three corners of the face of a box that points along d, about the half of it that is nearest to x. */
static void box_corners(const fb_convex* c, const double d[3], const double x[3], int vertex[3]) {
  double away[3], n[3];
  int axis = 0, corner = 0;
  for (int i = 0; i < 3; i++) away[i] = x[i] - c->p[i];
  fb_rot_apply_transpose(c->R, away, away);
  fb_rot_apply_transpose(c->R, d, n);
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) > fabs(n[axis])) axis = i;
  away[axis] = n[axis];
  for (int i = 0; i < 3; i++) corner |= (away[i] > 0) << i;
  vertex[0] = corner;
  vertex[1] = corner ^ 1 << (axis + 1) % 3;
  vertex[2] = corner ^ 1 << (axis + 2) % 3;
}

/* The part of c's face along d, near x. */
static fb_part face_part(const fb_convex* c, const fb_axis* axis, const double d[3], const double x[3]) {
  int vertex[3] = {0, 1, 2};
  if (c->kind == FB_COLLIDER_BOX) box_corners(c, d, x, vertex);
  if (c->hull) memcpy(vertex, axis->face, sizeof vertex);
  return face_at(c, vertex, x);
}

/* Where two edges, n across both, are nearest, each from its first end to 1; 0: outside of one, or not the parts that come
 * first along n. */
static int crossing(const fb_convex* a, const fb_convex* b, const fb_axis* axis, double part[2]) {
  double p[2][3], q[2][3], u[3], v[3], w[3], n[3], turned[3];
  for (int k = 0; k < 2; k++) {
    fb_convex_vertex(a, axis->edge_a[k], p[k]);
    fb_convex_vertex(b, axis->edge_b[k], q[k]);
  }
  for (int i = 0; i < 3; i++) {
    u[i] = p[1][i] - p[0][i];
    v[i] = q[1][i] - q[0][i];
    w[i] = q[0][i] - p[0][i];
  }
  cross3(u, v, n);
  const double scale = dot3(n, axis->n);
  const int crossed = fabs(scale) > FB_CROSSED * length3(u) * length3(v);
  cross3(w, v, turned);
  part[0] = crossed ? dot3(turned, axis->n) / scale : 0.5;
  cross3(w, u, turned);
  part[1] = crossed ? dot3(turned, axis->n) / scale : 0.5;
  const int first = -dot3(w, axis->n) <= axis->gap + 1e-14 * (fabs(axis->gap) + length3(u) + length3(v)),
            inside = first && crossed && part[0] >= 0 && part[0] <= 1 && part[1] >= 0 && part[1] <= 1;
  for (int k = 0; k < 2; k++) part[k] = fmax(0, fmin(1, part[k]));
  return inside;
}

static fb_part edge_part(const int ends[2], double at) {
  return (fb_part){.count = 2, .vertex = {ends[0], ends[1]}, .weight = {1 - at, at}};
}

static void take_axis(const fb_convex* a, const fb_convex* b, const fb_axis* axis, fb_closest* c) {
  const double *n = axis->n, back[3] = {-n[0], -n[1], -n[2]};
  fb_part on_a = vertex_along(a, back), on_b = vertex_along(b, n);
  double x[3], part[2];
  c->gap = axis->gap;
  memcpy(c->n, n, sizeof c->n);
  if (axis->of == FB_AXIS_FACE_B) {
    fb_convex_vertex(a, on_a.vertex[0], x);
    on_b = face_part(b, axis, n, x);
  } else if (axis->of == FB_AXIS_FACE_A) {
    fb_convex_vertex(b, on_b.vertex[0], x);
    on_a = face_part(a, axis, back, x);
  } else if (axis->of == FB_AXIS_EDGES) {
    crossing(a, b, axis, part);
    on_a = edge_part(axis->edge_a, part[0]);
    on_b = edge_part(axis->edge_b, part[1]);
  }
  set_simplex(a, b, &on_a, &on_b, c);
}

/* --- whether the parts along an axis are over each other --- */

/* Whether x is over the face of c that points along d. */
static int is_over(const fb_convex* c, const double d[3], const double x[3]) {
  double y[3], n[3];
  if (c->kind == FB_COLLIDER_BOX) {
    int axis = 0;
    for (int i = 0; i < 3; i++) y[i] = x[i] - c->p[i];
    fb_rot_apply_transpose(c->R, y, y);
    fb_rot_apply_transpose(c->R, d, n);
    for (int i = 1; i < 3; i++)
      if (fabs(n[i]) > fabs(n[axis])) axis = i;
    const double* half = c->corners + 21;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    return fabs(y[j]) <= half[j] && fabs(y[k]) <= half[k];
  }
  if (c->nvertex != 3) return 0;
  for (int k = 0; k < 3; k++) {
    double e[3], in[3];
    fb_polytope_direction(c, k, e);
    for (int i = 0; i < 3; i++) y[i] = x[i] - c->corners[3 * k + i];
    cross3(d, e, in);
    n[k] = dot3(in, y) < 0 ? -1 : 1;
  }
  return n[0] == n[1] && n[1] == n[2]; /* seen from either side */
}

static int is_reached(const fb_sat* s) {
  const fb_axis* axis = &s->best;
  const int on_b = axis->of == FB_AXIS_FACE_B;
  double part[2];
  if (axis->of == FB_AXIS_EDGES) return crossing(s->a, s->b, axis, part);
  if (!on_b && axis->of != FB_AXIS_FACE_A) return 0;
  const fb_convex *face = on_b ? s->b : s->a, *other = on_b ? s->a : s->b;
  const double d[3] = {on_b ? axis->n[0] : -axis->n[0], on_b ? axis->n[1] : -axis->n[1],
                       on_b ? axis->n[2] : -axis->n[2]};
  const double down[3] = {-d[0], -d[1], -d[2]};
  double x[3];
  fb_convex_support(other, down, x);
  return is_over(face, d, x);
}

/* --- the distance --- */

/* The two points of GJK's simplex. */
static double points_apart(const fb_closest* c, double v[3]) {
  memset(v, 0, 3 * sizeof *v);
  for (int i = 0; i < c->count; i++) add_scaled3(v, c->weight[i], c->s[i].w);
  return norm3(v);
}

/* By GJK: 0 where its two points are farther apart than the gap along the line between them; *most: how far. */
static int try_gjk(fb_sat* s, double limit, double exact, double* most, fb_closest* c) {
  double v[3];
  *most = INFINITY;
  if (!fb_gjk(s->a, s->b, ROUNDING, limit, c)) return 0;
  c->gap = fb_convex_gap_along(s->a, s->b, c->n);
  *most = points_apart(c, v);
  return c->gap > limit || *most - c->gap <= exact;
}

static void find_distance(fb_sat* s, double limit, fb_closest* c) {
  const double exact = EXACT * s->size;
  double most;
  fb_part on_a, on_b;
  if (!try_gjk(s, limit, exact, &most, c)) {
    c->gap = fb_polytope_distance(s->a, s->b, &s->best, most + exact, &on_a, &on_b, c->n);
    set_simplex(s->a, s->b, &on_a, &on_b, c);
  }
  /* The distance is flat about its least value, and finds n to half of the digits: where an axis bounds it better, that is n. */
  if (s->best.gap >= c->gap - exact ||
      (c->gap > APART * s->size && s->best.gap > fb_convex_gap_along(s->a, s->b, c->n)))
    take_axis(s->a, s->b, &s->best, c);
}

/* Cores without faces: only their distance is needed. Where it is zero, n is across both. */
static void take_lines(fb_sat* s, fb_closest* c) {
  fb_part on_a, on_b;
  double e[3] = {0, 0, 0}, w[3];
  s->best.gap = -INFINITY;
  for (int i = 0; i < 3; i++) s->best.n[i] = i == 2;
  c->gap = fb_polytope_distance(s->a, s->b, &s->best, INFINITY, &on_a, &on_b, c->n);
  if (!(c->gap > 0)) {
    const fb_convex* longer = s->a->nvertex > 1 ? s->a : s->b;
    double f[3] = {0, 0, 0};
    if (longer->nvertex > 1) fb_polytope_direction(longer, 0, e);
    if (s->a->nvertex > 1 && s->b->nvertex > 1) fb_polytope_direction(s->b, 0, f);
    if (longer->nvertex < 2)
      c->n[0] = c->n[1] = 0, c->n[2] = 1;
    else if (!fb_polytope_across(e, f, c->n))
      fb_across(e, c->n, w);
    c->gap = 0;
  }
  set_simplex(s->a, s->b, &on_a, &on_b, c);
}

/* Of both together: rounding is of this size. */
static double size_of_pair(const fb_convex* a, const fb_convex* b) {
  double x[3], y[3];
  fb_polytope_middle(a, x);
  fb_polytope_middle(b, y);
  add_scaled3(x, -1, y);
  return size_of(a) + size_of(b) + length3(x);
}

void fb_polytope_closest(const fb_convex* a, const fb_convex* b, double limit, fb_closest* c) {
  fb_sat s = {.a = a, .b = b, .size = size_of_pair(a, b)};
  s.slack = ROUNDING * s.size;
  if (a->nvertex < 3 && b->nvertex < 3) {
    take_lines(&s, c);
    return;
  }
  if (a->hull || b->hull || limit == INFINITY) {
    double most; /* GJK is faster than all axes, unless one of them ends the search early */
    if (try_gjk(&s, limit, EXACT * s.size, &most, c) && c->gap > APART * s.size) return;
  }
  fb_sat_search(&s, limit);
  if (s.best.gap > limit || s.best.gap <= 0 || is_reached(&s))
    take_axis(a, b, &s.best, c);
  else
    find_distance(&s, limit, c);
}
