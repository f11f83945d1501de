/* refine.c -- the gap of cylinders and ellipsoids to rounding, from where GJK or EPA stopped.
 *
 * The signed gap is the largest gap(n) = min n.(a - b) of all unit n, so every n gives a lower bound, and the best of
 * several may be taken. The largest value can be:
 *   - alone: normals of flat faces, axes of cylinders, n across two edges or axes;
 *   - on a circle across an edge or the axis of a cylinder: its tangent derivative t.(a - b) changes sign (it may jump);
 *   - anywhere, where both shapes are smooth or one shows a corner: Newton's method on the sphere,
 *       (H_A + H_B + gap 1) step = tangent part of a - b,   H the Hessians of the support functions. */
#include <string.h>

#include "contact/shape/facet.h"
#include "contact/collide/polytope.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

enum { NEWTON_ROUNDS = 60, TOO_FAR = 10, HALVINGS = 60, LINES = 16, ROUNDS = 4 };

typedef struct search {
  const fb_convex *a, *b;
  double gap, n[3];      /* the best so far */
  double slack;          /* rounding of gap */
  int rough;             /* it is where GJK or EPA stopped: anything that is equally good is better */
  double line[LINES][3]; /* directions of edges and axes, unit */
  int nline;
} search;

static int make_unit(double x[3]) {
  const double length = norm3(x);
  if (!(length > 1e-12)) return 0;
  for (int i = 0; i < 3; i++) x[i] /= length;
  return 1;
}

/* Near its largest value gap(n) is flat: it finds n to half of the digits only. All that is tried here comes from closed forms
 * or from where a derivative is zero, and keeps its digits; among equals the first stays. */
static void try_normal(search* s, const double direction[3]) {
  double n[3] = {direction[0], direction[1], direction[2]};
  if (!make_unit(n)) return;
  const double gap = fb_convex_gap_along(s->a, s->b, n);
  if (!(gap > s->gap + (s->rough ? -s->slack : s->slack))) return;
  s->gap = gap;
  s->rough = 0;
  memcpy(s->n, n, sizeof n);
}

static void try_both_ways(search* s, const double direction[3]) {
  const double back[3] = {-direction[0], -direction[1], -direction[2]};
  try_normal(s, direction);
  try_normal(s, back);
}

/* --- what can be touched: edges, faces, axes --- */

static void add_line(search* s, const double direction[3]) {
  if (s->nline == LINES) return;
  memcpy(s->line[s->nline], direction, 3 * sizeof(double));
  if (make_unit(s->line[s->nline])) s->nline++;
}

/* Edges of c; of a hull those between the vertices that the simplex has. */
static void add_edges(search* s, const fb_convex* c, const fb_closest* at, int is_a) {
  double x[4][3], e[3];
  const int count = at->count;
  if (fb_convex_is_smooth(c)) return;
  if (!c->hull) { /* few: all of them, with all their digits */
    for (int k = 0; k < fb_polytope_directions(c); k++) {
      fb_polytope_direction(c, k, e);
      add_line(s, e);
      if (c->kind == FB_COLLIDER_BOX) try_both_ways(s, e);
    }
    return;
  }
  for (int i = 0; i < count; i++) memcpy(x[i], is_a ? at->s[i].a : at->s[i].b, sizeof x[i]);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < 3; k++) e[k] = x[i][k] - x[j][k];
      add_line(s, e);
    }
}

/* Those of a hull at the corner that is first along the best n: where the simplex ended, others may have been. */
static void add_edges_at_best(search* s, const fb_convex* c, int is_a) {
  const double side = is_a ? -1 : 1, d[3] = {side * s->n[0], side * s->n[1], side * s->n[2]};
  double x[3], y[3];
  if (!c->hull) return;
  const int* corner = c->hull->triangle;
  const int first = fb_convex_support(c, d, x);
  for (int k = 0; k < 3 * c->hull->ntriangle; k++) {
    if (corner[k] != first) continue;
    fb_convex_vertex(c, corner[k / 3 * 3 + (k + 1) % 3], y);
    for (int i = 0; i < 3; i++) y[i] -= x[i];
    add_line(s, y);
  }
}

static void add_axis(search* s, const fb_convex* c) {
  double z[3];
  if (c->kind != FB_COLLIDER_CYLINDER) return;
  fb_convex_axis(c, z);
  add_line(s, z);
  try_both_ways(s, z);
}

/* The face of a hull whose normal is closest to n. */
static void try_hull_face(search* s, const fb_convex* c, int is_a) {
  fb_facet f;
  const double side = is_a ? -1 : 1, d[3] = {side * s->n[0], side * s->n[1], side * s->n[2]};
  if (!c->hull) return;
  fb_hull_face(c, d, &f);
  for (int i = 0; i < 3; i++) f.m[i] *= side;
  try_normal(s, f.m);
}

static void try_crossings(search* s) {
  for (int i = 0; i < s->nline; i++)
    for (int j = 0; j < i; j++) {
      double n[3];
      if (fb_polytope_across(s->line[i], s->line[j], n)) try_both_ways(s, n);
    }
}

/* The vertices of the simplex against the smooth shape s, whose nearest point has a closed form. */
static void try_corners(search* s, const fb_convex* smooth, const fb_closest* at, int smooth_is_a) {
  if (!fb_convex_is_smooth(smooth) || fb_convex_is_smooth(smooth_is_a ? s->b : s->a)) return;
  const fb_shape shape = fb_convex_shape(smooth);
  for (int i = 0; i < at->count; i++) {
    fb_nearest nearest;
    double x[3], n[3];
    fb_shape_in(&shape, smooth_is_a ? at->s[i].b : at->s[i].a, x);
    fb_shape_nearest(&shape, x, &nearest);
    fb_rot_apply(shape.R, nearest.normal, n);
    for (int k = 0; k < 3; k++) n[k] = smooth_is_a ? -n[k] : n[k];
    try_normal(s, n);
  }
}

/* --- circles --- */

static double slope_at(const search* s, const double u[3], const double w[3], double angle, double n[3]) {
  fb_minkowski m;
  double t[3];
  for (int i = 0; i < 3; i++) {
    n[i] = cos(angle) * u[i] + sin(angle) * w[i];
    t[i] = -sin(angle) * u[i] + cos(angle) * w[i];
  }
  fb_minkowski_support(s->a, s->b, n, &m);
  return dot3(t, m.w);
}

/* Secant and halving in turn: smooth slopes end early, jumps are halved. */
static void find_zero(search* s, const double u[3], const double w[3], double low, double f_low, double high,
                      double f_high) {
  double n[3];
  slope_at(s, u, w, low, n);
  for (int k = 0; k < 2 * HALVINGS && fabs(high - low) > 1e-16; k++) {
    const double secant = low - f_low * (high - low) / (f_high - f_low);
    const double middle = k & 1 ? (low + high) / 2 : secant;
    if (middle == low || middle == high) {
      if (k & 1) break;
      continue;
    }
    const double f = slope_at(s, u, w, middle, n);
    if (f == 0) break;
    const int below = (f > 0) == (f_low > 0);
    low = below ? middle : low;
    f_low = below ? f : f_low;
    high = below ? high : middle;
    f_high = below ? f_high : f;
  }
  try_normal(s, n);
}

/* The largest gap on the circle across `axis`, near n. */
static void try_circle(search* s, const double axis[3], const double near[3]) {
  double u[3] = {near[0], near[1], near[2]}, w[3], n[3];
  add_scaled3(u, -dot3(near, axis), axis);
  if (!make_unit(u)) return;
  cross3(axis, u, w);
  double low = 0, f_low = slope_at(s, u, w, 0, n);
  const double side = f_low > 0 ? 1 : -1;
  if (f_low == 0) try_normal(s, n);
  for (double step = 1e-4; step < 2 && f_low != 0; step *= 4) {
    const double high = side * step, f_high = slope_at(s, u, w, high, n);
    if (f_high == 0 || (f_high > 0) != (f_low > 0)) {
      find_zero(s, u, w, low, f_low, high, f_high);
      return;
    }
    low = high;
    f_low = f_high;
  }
}

/* --- the whole sphere --- */

/* H of a support function at the unit direction d, between two tangents: added to M. */
static void add_hessian(const fb_convex* c, const double d[3], const double u[2][3], double M[2][2]) {
  double n[3], t[2][3], r2[3] = {0, 0, 0}, g[3], h;
  if (!fb_convex_is_smooth(c)) return;
  fb_rot_apply_transpose(c->R, d, n);
  for (int i = 0; i < 2; i++) fb_rot_apply_transpose(c->R, u[i], t[i]);
  for (int i = 0; i < 3; i++)
    if (c->kind == FB_COLLIDER_ELLIPSOID || i < 2)
      r2[i] = c->kind == FB_COLLIDER_ELLIPSOID ? c->size[i] * c->size[i] : c->size[0] * c->size[0];
  h = sqrt(r2[0] * n[0] * n[0] + r2[1] * n[1] * n[1] + r2[2] * n[2] * n[2]);
  if (!(h > 0)) return;
  for (int i = 0; i < 3; i++) g[i] = r2[i] * n[i] / h;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double sum = -dot3(g, t[i]) * dot3(g, t[j]);
      for (int k = 0; k < 3; k++) sum += t[i][k] * r2[k] * t[j][k];
      M[i][j] += sum / h;
    }
}

/* n + step across it, to unit length; 0 where there is none. damping: of the largest curvature, for a shorter step uphill. */
static int newton_step(const search* s, const double n[3], double damping, double next[3]) {
  fb_minkowski m;
  double u[2][3], M[2][2] = {{0, 0}, {0, 0}};
  const double back[3] = {-n[0], -n[1], -n[2]};
  fb_minkowski_support(s->a, s->b, n, &m);
  fb_across(n, u[0], u[1]);
  add_hessian(s->a, back, (const double(*)[3])u, M);
  add_hessian(s->b, n, (const double(*)[3])u, M);
  const double gap = dot3(n, m.w), f0 = dot3(u[0], m.w), f1 = dot3(u[1], m.w);
  /* Where the matrix is not positive, more of the unit matrix makes it so. */
  const double mean = (M[0][0] + M[1][1]) / 2, spread = norm2((M[0][0] - M[1][1]) / 2, M[0][1]);
  const double least = mean - spread + gap, most = mean + spread + fabs(gap);
  const double more = (least > 0 ? 0 : 0.1 * (mean + spread) - least) + damping * most;
  M[0][0] += gap + more;
  M[1][1] += gap + more;
  const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  if (!(det > 0 && M[0][0] > 0)) return 0;
  memcpy(next, n, 3 * sizeof *next);
  add_scaled3(next, (M[1][1] * f0 - M[0][1] * f1) / det, u[0]);
  add_scaled3(next, (M[0][0] * f1 - M[1][0] * f0) / det, u[1]);
  return make_unit(next);
}

/* Steps until they are as short as rounding: Levenberg's method, with more damping after a step that was too long,
 * and less after others. Where a small shape is deep in a large one the gap is flat, EPA stops far from its largest
 * value, and only short steps go uphill at first. With a cylinder the largest value may be at a kink, and a few are
 * enough. */
static void try_newton(search* s, const double from[3]) {
  double n[3] = {from[0], from[1], from[2]}, next[3], gap = fb_convex_gap_along(s->a, s->b, n), damping = 0;
  const int round = s->a->kind == FB_COLLIDER_ELLIPSOID && s->b->kind == FB_COLLIDER_ELLIPSOID,
            most = round ? NEWTON_ROUNDS : TOO_FAR;
  int missed = 0;
  for (int k = 0; k < NEWTON_ROUNDS && missed < most && newton_step(s, n, damping, next); k++) {
    const double g = fb_convex_gap_along(s->a, s->b, next);
    const double moved = fabs(next[0] - n[0]) + fabs(next[1] - n[1]) + fabs(next[2] - n[2]);
    if (!(moved > 1e-15)) break;
    if (g < gap - s->slack) { /* too far */
      damping = damping > 0 ? 8 * damping : 1e-3;
      missed++;
      continue;
    }
    damping = damping > 1e-4 ? damping / 8 : 0;
    gap = g;
    memcpy(n, next, sizeof n);
  }
  try_normal(s, n);
}

/* At a deep penetration along the thin side of one, the depth towards its back may be the same, and EPA does not
 * distinguish them. */
static void try_opposite(search* s) {
  const double back[3] = {-s->n[0], -s->n[1], -s->n[2]};
  if (s->gap < 0) try_newton(s, back);
}

/* Everything that may be better, near n. */
static void climb(search* s, const double n[3]) {
  try_hull_face(s, s->a, 1);
  try_hull_face(s, s->b, 0);
  try_crossings(s);
  for (int i = 0; i < s->nline; i++) try_circle(s, s->line[i], n);
  try_newton(s, n);
}

/* The largest gap(n) near c for shapes that are smooth. */
static void refine(const fb_convex* a, const fb_convex* b, fb_closest* c) {
  search s = {
      .a = a, .b = b, .nline = 0, .rough = 1, .slack = 4e-16 * norm3(c->s[0].a) + 4e-16 * norm3(c->s[0].b)};
  memcpy(s.n, c->n, sizeof s.n);
  s.gap = fb_convex_gap_along(a, b, s.n);
  try_corners(&s, a, c, 1);
  try_corners(&s, b, c, 0);
  add_axis(&s, a);
  add_axis(&s, b);
  add_edges(&s, a, c, 1);
  add_edges(&s, b, c, 0);
  climb(&s, c->n);
  try_opposite(&s);
  for (int round = 0; round < ROUNDS; round++) {
    const double before = s.gap, n[3] = {s.n[0], s.n[1], s.n[2]};
    s.nline = 0;
    add_axis(&s, a);
    add_axis(&s, b);
    add_edges_at_best(&s, a, 1);
    add_edges_at_best(&s, b, 0);
    climb(&s, n);
    if (!(s.gap > before)) break;
  }
  c->gap = s.gap;
  memcpy(c->n, s.n, sizeof c->n);
}

void fb_convex_closest(const fb_convex* a, const fb_convex* b, double limit, fb_closest* c) {
  if (!fb_convex_is_smooth(a) && !fb_convex_is_smooth(b)) {
    fb_polytope_closest(a, b, limit, c);
    return;
  }
  const int apart = fb_gjk(a, b, 1e-8, limit, c);
  if (!apart) fb_epa(a, b, 1e-6, c);
  /* GJK stops within 1e-8 of the size: of the shapes, since the simplex shrinks as they come near. */
  const double size = norm3(c->s[0].a) + norm3(c->s[0].b);
  if (!(apart && c->gap > limit * (1 + 1e-6) + 1e-6 * size)) refine(a, b, c);
}
