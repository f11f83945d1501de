/* round.c -- spheres, capsules and ellipsoids on the triangles of a mesh, for compliant laws.
 *
 * Each face, convex edge and convex corner of the surface has a cone of normals, and touches where
 *   gap(n) = n.(a(n) - x) - r,   a(n) the point of the core that is farthest against n, x on the feature,
 * is largest on it. A face has one normal m, and the point if a(m) is over the triangle. An edge has those between the normals of
 * its two sides, n(p) = m cos p + o sin p with o out of the first, and the point where the slope n'(p).(a - x) is zero within. A
 * corner has those that do not point along any of its edges. As a(m) leaves a triangle over an edge that bends away, the slope of
 * the edge passes through zero at m: exactly one of the two has the point, with the same gap and normal, and it counts 1.
 *
 * Over a concave edge both sides may have a point, and the less deep one ends at the edge, in the plane of the other. Point i
 * therefore counts as far as it stands out of the tangent planes at those that are deeper by d_ij = gap_i - gap_j:
 *   w_i = product over j of 1 - smooth_step(10 w_j) smooth_step(d_ij / (d_ij + e_ij)),   e_ij = (x_i - x_j).n_j.
 * Two with the same normal, to 1 degree, are one point and share its weight.
 *
 * A capsule is two spheres. Between them edges and corners count as much as the two spheres lack of their depth; those closer
 * than half of the radius share their weight, since around a corner several edges have the same point. */
#include <string.h>

#include "contact/shape/facet.h"
#include "contact/collide/round.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

enum { ROUNDS = 60 };

/* From x to the core's first point against n; the gap along n. */
static double first_from(const fb_convex* a, const double n[3], const double x[3], double away[3]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  fb_convex_support(a, back, away);
  for (int i = 0; i < 3; i++) away[i] -= x[i];
  return dot3(away, n) - a->radius;
}

/* How far the point x + away is on the triangle's side of the edge k, which x is on. */
static double side_of(const fb_triangle* t, int k, const double away[3]) {
  double in[3];
  fb_triangle_inwards(t, k, in);
  return dot3(away, in) / length3(in);
}

/* The same of the first point against the triangle's normal. */
static double side_of_first(const fb_convex* a, const fb_triangle* t, int k) {
  double away[3];
  first_from(a, t->m, t->x[k], away);
  return side_of(t, k, away);
}

static void add(const fb_convex* a, const fb_triangle* t, double gap, const double n[3],
                const double point[3], double share, int feature, fb_point_list* list) {
  fb_convex shape;
  fb_closest c = {.gap = gap + a->radius, .count = 1};
  double curvature[2], p_b[3] = {point[0], point[1], point[2]};
  add_scaled3(p_b, -c.gap, n);
  memcpy(c.n, n, sizeof c.n);
  memcpy(c.s[0].a, point, sizeof c.s[0].a);
  memcpy(c.s[0].b, p_b, sizeof p_b);
  fb_convex_triangle(t->x, t->name, &shape);
  fb_convex_curvature(a, &shape, &c, curvature);
  list->share = share;
  fb_point_list_add(list, gap, n, p_b, curvature, feature);
  list->share = 1;
}

/* --- faces --- */

static void collide_face(const fb_convex* a, const fb_triangle* t, int feature, fb_point_list* list) {
  double point[3];
  const double gap = first_from(a, t->m, t->x[0], point);
  if (gap > list->max_gap) return;
  for (int k = 0; k < 3; k++)
    if (side_of_first(a, t, k) < 0) return;
  for (int i = 0; i < 3; i++) point[i] += t->x[0][i];
  add(a, t, gap, t->m, point, 1, feature, list);
}

/* --- edges --- */

/* The normals of an edge from corner k on: n(p), p from 0 to `end`. */
typedef struct fan {
  const double *x, *m;
  double o[3], end;
} fan;

static double slope_at(const fb_convex* a, const fan* f, double p, double n[3], double away[3]) {
  double turn[3];
  for (int i = 0; i < 3; i++) {
    n[i] = cos(p) * f->m[i] + sin(p) * f->o[i];
    turn[i] = -sin(p) * f->m[i] + cos(p) * f->o[i];
  }
  first_from(a, n, f->x, away);
  return dot3(turn, away);
}

/* Where the slope, which is positive at 0 and negative at the end, is zero: secants and halves in turn. */
static void find_top(const fb_convex* a, const fan* f, double n[3], double away[3]) {
  double low = 0, high = f->end, s_low = slope_at(a, f, low, n, away), s_high = slope_at(a, f, high, n, away);
  for (int k = 0; k < ROUNDS && high - low > 1e-16; k++) {
    const double p = k & 1 ? (low + high) / 2 : low + (high - low) * s_low / (s_low - s_high);
    const double s = slope_at(a, f, p, n, away);
    if (s == 0 || p == low || p == high) return;
    if (s > 0) {
      low = p;
      s_low = s;
    } else {
      high = p;
      s_high = s;
    }
  }
}

/* The other side of an edge; of a border the plane across the triangle. */
static fan fan_of(const fb_triangle* t, int k, const fb_triangle* other) {
  fan f = {.x = t->x[k], .m = t->m, .end = 1.57079632679489661923};
  fb_triangle_inwards(t, k, f.o);
  const double length = length3(f.o);
  for (int i = 0; i < 3; i++) f.o[i] /= -length;
  if (other) f.end = atan2(dot3(other->m, f.o), dot3(other->m, t->m));
  return f;
}

static int edge_feature(const fb_triangle* t, int k) {
  const int from = t->name[k], to = t->name[(k + 1) % 3];
  return fb_feature(from < to ? from : to, from < to ? to : from);
}

/* The edge from corner k, of two triangles by the one with the lower index. */
static void collide_edge(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int k,
                         fb_point_list* list) {
  const int across = b->geometry->across[3 * t->index + k];
  fb_triangle other;
  double n[3], away[3], e[3], point[3];
  if (across >= 0 && across < t->index) return;
  if (!(side_of_first(a, t, k) < 0)) return;
  if (across >= 0) fb_triangle_get(b, across, &other);
  const fan f = fan_of(t, k, across >= 0 ? &other : NULL);
  if (!(f.end > 0)) return;
  if (across < 0 && !(slope_at(a, &f, f.end, n, away) < 0)) return;
  if (across >= 0 && !(side_of_first(a, &other, fb_triangle_corner(&other, t->name[(k + 1) % 3])) < 0))
    return;
  find_top(a, &f, n, away);
  const double gap = dot3(away, n) - a->radius;
  if (gap > list->max_gap) return;
  for (int i = 0; i < 3; i++) {
    e[i] = t->x[(k + 1) % 3][i] - t->x[k][i];
    point[i] = away[i] + t->x[k][i];
  }
  const double part = dot3(away, e) / dot3(e, e);
  if (part < 0 || part > 1) return;
  add(a, t, gap, n, point, 1, edge_feature(t, k), list);
}

/* --- corners --- */

/* The normal and gap of a shape at a point x in it or near. */
static double gap_at(const fb_convex* a, const double x[3], double n[3]) {
  if (fb_convex_is_smooth(a)) {
    fb_shape shape = fb_convex_shape(a);
    fb_nearest nearest;
    double y[3];
    fb_shape_in(&shape, x, y);
    fb_shape_nearest(&shape, y, &nearest);
    fb_rot_apply(a->R, nearest.normal, n);
    for (int i = 0; i < 3; i++) n[i] = -n[i];
    return nearest.gap;
  }
  for (int i = 0; i < 3; i++) n[i] = a->p[i] - x[i];
  const double distance = norm3(n);
  for (int i = 0; i < 3; i++) n[i] = distance > 0 ? n[i] / distance : 0;
  return distance - a->radius;
}

static void collide_corner(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int k,
                           fb_point_list* list) {
  double n[3], point[3];
  const double gap = gap_at(a, t->x[k], n);
  if (gap > list->max_gap || !fb_triangle_owns(b, t, (fb_region){1, k}, n, 1e-10)) return;
  memcpy(point, t->x[k], sizeof point);
  add_scaled3(point, gap + a->radius, n);
  add(a, t, gap, n, point, 1, fb_feature(t->name[k], -1), list);
}

void fb_round_add_points(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int feature,
                         fb_point_list* list) {
  double away[3];
  for (int i = 0; i < 3; i++) away[i] = a->p[i] - t->x[0][i];
  if (dot3(away, t->m) < 0) return; /* its centre is behind */
  collide_face(a, t, feature, list);
  for (int k = 0; k < 3; k++) {
    collide_edge(a, b, t, k, list);
    collide_corner(a, b, t, k, list);
  }
}

/* --- weights --- */

/* How much of p the deeper q covers: all of it where p is in the tangent plane at q. */
static double covered_by(const fb_contact_point* p, const fb_contact_point* q) {
  const double deeper = p->gap - q->gap;
  double away[3];
  for (int i = 0; i < 3; i++) away[i] = p->p_b[i] - q->p_b[i];
  return deeper > 0 ? fb_smooth_step(deeper / (deeper + fmax(0, dot3(away, q->normal)))) : 0;
}

/* The deepest first, since what is all but covered covers nothing. */
static void uncover(fb_point_list* list, int first) {
  int order[FB_POINT_LIST_ROOM];
  for (int i = first; i < list->count; i++) {
    int k = i;
    for (; k > first && list->item[order[k - 1]].gap > list->item[i].gap; k--) order[k] = order[k - 1];
    order[k] = i;
  }
  for (int i = first; i < list->count; i++)
    for (int j = first; j < i; j++) {
      const int p = order[i], q = order[j];
      list->weight[p] *=
          1 - fb_smooth_step(10 * list->weight[q]) * covered_by(&list->item[p], &list->item[q]);
    }
}

/* 1 where two normals are the same, and q is as deep as p. */
static double likeness(const fb_contact_point* p, const fb_contact_point* q) {
  double across[3];
  cross3(p->normal, q->normal, across);
  const double depth = p == q ? 1 : fb_smooth_step(q->gap / p->gap);
  return dot3(p->normal, q->normal) > 0 ? depth * fb_flat_share(length3(across)) : 0;
}

void fb_round_weigh(fb_point_list* list, int first) {
  double sum[FB_POINT_LIST_ROOM];
  uncover(list, first);
  for (int i = first; i < list->count; i++) {
    sum[i] = 0;
    for (int j = first; j < list->count; j++)
      sum[i] += list->weight[j] * likeness(&list->item[i], &list->item[j]);
  }
  for (int i = first; i < list->count; i++) list->weight[i] /= fmax(1, sum[i]);
}

/* --- between the ends of a capsule --- */

/* How much a point counts that is `part` of the way from one end to the other: as much as they lack, and as the axis is not
 * behind it. */
static double lack_at(double part, double gap, double radius, const double end_gap[2]) {
  const double line = (1 - part) * end_gap[0] + part * end_gap[1];
  if (!(gap < 0 && gap > -radius)) return 0;
  return fb_smooth_step(((line - gap) / -gap - 0.1) / 0.4) * fb_smooth_step(5 * (gap + radius) / radius);
}

/* Adds the point of the axis at `part` that is over x. */
static void add_side(const fb_convex* a, const fb_triangle* t, const double end[2][3], double part,
                     const double x[3], const double n[3], double share, const double end_gap[2], int feature,
                     fb_point_list* list) {
  double point[3], away[3];
  for (int i = 0; i < 3; i++) {
    point[i] = end[0][i] + part * (end[1][i] - end[0][i]);
    away[i] = point[i] - x[i];
  }
  const double gap = dot3(away, n) - a->radius, weight = share * lack_at(part, gap, a->radius, end_gap);
  if (weight > 0) add(a, t, gap, n, point, weight, feature, list);
}

/* Where the axis crosses an edge: n is across both, or as near to it as the edge has normals; less so as the axis leans from it. */
static void collide_crossing(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int k,
                             const double end[2][3], const double end_gap[2], fb_point_list* list) {
  const int across = b->geometry->across[3 * t->index + k];
  fb_triangle other;
  double u[3], e[3], n[3], plane[3], x[3];
  if (across >= 0 && across < t->index) return;
  if (across >= 0) fb_triangle_get(b, across, &other);
  const fan f = fan_of(t, k, across >= 0 ? &other : NULL);
  if (!(f.end > 0)) return;
  for (int i = 0; i < 3; i++) {
    u[i] = end[1][i] - end[0][i];
    e[i] = t->x[(k + 1) % 3][i] - t->x[k][i];
  }
  /* u.n(p) = 0, p from -pi/2 + end/2 to pi/2 + end/2 */
  double p = atan2(-dot3(u, f.m), dot3(u, f.o));
  if (p > f.end / 2 + 1.57079632679489661923) p -= 3.14159265358979323846;
  if (p < f.end / 2 - 1.57079632679489661923) p += 3.14159265358979323846;
  const double within = fmax(0, fmin(f.end, p)), lean = sin(fmin(1, fabs(p - within)));
  for (int i = 0; i < 3; i++) n[i] = cos(within) * f.m[i] + sin(within) * f.o[i];
  cross3(e, n, plane);
  const double rate = dot3(u, plane);
  for (int i = 0; i < 3; i++) x[i] = t->x[k][i] - end[0][i];
  const double part = dot3(x, plane) / rate;
  if (!(part >= 0 && part <= 1)) return;
  for (int i = 0; i < 3; i++) x[i] = part * u[i] - x[i];
  const double along = dot3(x, e) / dot3(e, e);
  if (!(along >= 0 && along <= 1)) return;
  /* An edge that the axis leans from need not continue beyond its corners. */
  const double inside = fb_smooth_step(10 * fmin(along, 1 - along)),
               share = fb_flat_share(lean) * (1 - fb_smooth_step(100 * lean) * (1 - inside));
  add_side(a, t, end, part, t->x[k], n, share, end_gap, edge_feature(t, k), list);
}

static void collide_side_corner(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int k,
                                const double end[2][3], const double end_gap[2], fb_point_list* list) {
  double u[3], n[3];
  for (int i = 0; i < 3; i++) {
    u[i] = end[1][i] - end[0][i];
    n[i] = t->x[k][i] - end[0][i];
  }
  const double part = dot3(n, u) / dot3(u, u);
  for (int i = 0; i < 3; i++) n[i] = part * u[i] - n[i];
  const double distance = norm3(n);
  if (!(part > 0 && part < 1 && distance > 0 && distance < a->radius)) return;
  for (int i = 0; i < 3; i++) n[i] /= distance;
  if (!fb_triangle_owns(b, t, (fb_region){1, k}, n, 1e-10)) return;
  add_side(a, t, end, part, t->x[k], n, 1, end_gap, fb_feature(t->name[k], -1), list);
}

void fb_round_weigh_side(fb_point_list* list, int first, double radius) {
  double sum[FB_POINT_LIST_ROOM];
  for (int i = first; i < list->count; i++) {
    sum[i] = 0;
    for (int j = first; j < list->count; j++) {
      double away[3];
      for (int k = 0; k < 3; k++) away[k] = list->item[i].p_b[k] - list->item[j].p_b[k];
      sum[i] += list->weight[j] * (1 - fb_smooth_step(2 * length3(away) / radius));
    }
  }
  for (int i = first; i < list->count; i++) list->weight[i] /= fmax(1, sum[i]);
}

void fb_round_add_side_points(const fb_convex* a, const fb_shape* b, const fb_triangle* t,
                              const double end_gap[2], fb_point_list* list) {
  double end[2][3];
  for (int i = 0; i < 2; i++) fb_convex_vertex(a, i, end[i]);
  for (int k = 0; k < 3; k++) {
    collide_crossing(a, b, t, k, (const double(*)[3])end, end_gap, list);
    collide_side_corner(a, b, t, k, (const double(*)[3])end, end_gap, list);
  }
}
