/* sat.c -- axes of separation of two polytopes: normals of faces, and directions across two edges.
 *
 *   gap(n) = min n.a - max n.b,     signed gap = max gap(n) over these n where the cores penetrate
 *
 * [Gottschalk, Lin, Manocha 1996]. Any n gives a lower bound, so an inexact axis is harmless, but a missing one is
 * not. Across almost parallel edges, u x v must keep its digits: it is computed by differences of products without
 * cancellation [Kahan 2004], so that n is exact for the u and v at hand. */

#include "contact/collide/polytope.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

/* a b - c d to 1.5 units in the last place. */
static double difference_of_products(double a, double b, double c, double d) {
  const double cd = c * d, error = fma(-c, d, cd), difference = fma(a, b, -cd);
  return difference + error;
}

int fb_polytope_across(const double u[3], const double v[3], double n[3]) {
  cross3(u, v, n);
  double length2 = dot3(n, n);
  if (!(length2 > 1e-6 * dot3(u, u) * dot3(v, v))) {
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      n[i] = difference_of_products(u[j], v[k], u[k], v[j]);
    }
    length2 = dot3(n, n);
  }
  const double length = length2 > 1e-280 ? sqrt(length2) : norm3(n);
  if (!(length > 0 && length < INFINITY)) return 0;
  for (int i = 0; i < 3; i++) n[i] /= length;
  return 1;
}

/* The range of n.x over a core. */
static void find_range(const fb_convex* c, const double n[3], double* low, double* high) {
  const double middle = dot3(c->p, n);
  double d[3];
  fb_rot_apply_transpose(c->R, n, d);
  if (c->kind == FB_COLLIDER_BOX) {
    const double* half = c->corners + 21; /* the last corner */
    const double most = fabs(d[0]) * half[0] + fabs(d[1]) * half[1] + fabs(d[2]) * half[2];
    *low = middle - most;
    *high = middle + most;
    return;
  }
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < 3; i++) d[i] *= c->size[i];
  for (int i = 0; i < c->nvertex; i++) {
    const double along = dot3(d, c->vertex + 3 * i);
    *low = along < *low ? along : *low;
    *high = along > *high ? along : *high;
  }
  *low += middle;
  *high += middle;
}

int fb_sat_try(fb_sat* s, const double m[3], const fb_axis* axis) {
  double low_a, high_a, low_b, high_b;
  find_range(s->a, m, &low_a, &high_a);
  find_range(s->b, m, &low_b, &high_b);
  const double forth = low_a - high_b, back = low_b - high_a, gap = forth > back ? forth : back;
  if (!(gap > s->best.gap + s->slack)) return 0;
  s->best = *axis;
  s->best.gap = gap;
  for (int i = 0; i < 3; i++) s->best.n[i] = forth > back ? m[i] : -m[i];
  return 1;
}

int fb_polytope_directions(const fb_convex* c) {
  return c->nvertex > 2 ? 3 : c->nvertex - 1;
}

void fb_polytope_direction(const fb_convex* c, int k, double e[3]) {
  if (c->kind == FB_COLLIDER_BOX || c->nvertex == 2) {
    const int column = c->nvertex == 2 ? 2 : k;
    for (int i = 0; i < 3; i++) e[i] = c->R[3 * i + column];
    return;
  }
  for (int i = 0; i < 3; i++) e[i] = c->corners[(k + 1) % 3 * 3 + i] - c->corners[3 * k + i];
}

void fb_polytope_edge(const fb_convex* c, int k, const double d[3], int ends[2]) {
  ends[0] = c->nvertex == 3 ? k : 0;
  ends[1] = c->nvertex == 3 ? (k + 1) % 3 : 1;
  if (c->kind != FB_COLLIDER_BOX) return;
  double local[3];
  int corner = 0;
  fb_rot_apply_transpose(c->R, d, local);
  for (int i = 0; i < 3; i++)
    if (i != k && local[i] > 0) corner |= 1 << i;
  ends[0] = corner;
  ends[1] = corner | 1 << k;
}

void fb_sat_faces(fb_sat* s, const fb_convex* c, double limit) {
  const fb_axis axis = {.of = c == s->b ? FB_AXIS_FACE_B : FB_AXIS_FACE_A};
  double e1[3], e2[3], n[3];
  if (c->kind == FB_COLLIDER_BOX) {
    for (int k = 0; k < 3 && s->best.gap <= limit; k++) {
      fb_polytope_direction(c, k, n);
      fb_sat_try(s, n, &axis);
    }
  } else if (c->nvertex == 3) {
    fb_polytope_direction(c, 0, e1);
    fb_polytope_direction(c, 1, e2);
    if (fb_polytope_across(e1, e2, n)) fb_sat_try(s, n, &axis);
  }
}

static void try_edges(fb_sat* s, double limit) {
  const int na = fb_polytope_directions(s->a), nb = fb_polytope_directions(s->b);
  const fb_axis axis = {.of = FB_AXIS_EDGES};
  double u[3], v[3], n[3];
  for (int i = 0; i < na && s->best.gap <= limit; i++)
    for (int j = 0; j < nb && s->best.gap <= limit; j++) {
      fb_polytope_direction(s->a, i, u);
      fb_polytope_direction(s->b, j, v);
      if (!fb_polytope_across(u, v, n) || !fb_sat_try(s, n, &axis)) continue;
      const double back[3] = {-s->best.n[0], -s->best.n[1], -s->best.n[2]};
      fb_polytope_edge(s->a, i, back, s->best.edge_a);
      fb_polytope_edge(s->b, j, s->best.n, s->best.edge_b);
    }
}

/* Two cores in one plane are separated by the lines along their edges. `normal`: across the plane. */
static void try_in_plane(fb_sat* s, const fb_convex* c, const double normal[3]) {
  const fb_axis axis = {.of = FB_AXIS_FLAT};
  const int count = fb_polytope_directions(c);
  double e[3], n[3];
  for (int k = 0; k < count; k++) {
    fb_polytope_direction(c, k, e);
    if (fb_polytope_across(e, normal, n)) fb_sat_try(s, n, &axis);
  }
}

/* A - B may be flat where neither has a volume. */
static void try_flat(fb_sat* s) {
  double e1[3], e2[3], n[3];
  const fb_convex* c = s->b->nvertex == 3 ? s->b : s->a;
  if (c->nvertex != 3 || s->a->nvertex > 3 || s->b->nvertex > 3) return;
  fb_polytope_direction(c, 0, e1);
  fb_polytope_direction(c, 1, e2);
  if (!fb_polytope_across(e1, e2, n)) return;
  try_in_plane(s, s->a, n);
  try_in_plane(s, s->b, n);
}

void fb_sat_search(fb_sat* s, double limit) {
  s->best = (fb_axis){.gap = -INFINITY, .of = FB_AXIS_NONE};
  if (s->a->hull || s->b->hull) {
    fb_sat_hulls(s, limit);
    return;
  }
  fb_sat_faces(s, s->b, limit);
  if (s->best.gap <= limit) fb_sat_faces(s, s->a, limit);
  if (s->best.gap <= limit) try_edges(s, limit);
  if (s->best.gap <= limit) try_flat(s);
}
