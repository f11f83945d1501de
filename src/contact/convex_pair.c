/* convex_pair.c -- the points at which two convex shapes touch, once the direction of the gap is known.
 *
 * Where that is the normal of a flat face, the points of the other shape over the face are taken, each with its own gap from
 * the plane of the face: corners, ends, rim points, and where its edges leave the face. Two edges that are nearly parallel
 * give the two ends of their overlap. Otherwise there is one point. */
#include <string.h>

#include "contact/facet.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double PARALLEL = 0.05; /* sine: edges that give two points */
static const double TIE = 1e-9;      /* of the size: vertices equally far along a direction */

/* --- the part of a core that comes first along a direction: a point, a segment, or more --- */

typedef struct tip {
  int count; /* 3: a face, or not clear */
  double x[2][3];
  int id[2];
} tip;

static void cylinder_tip(const fb_convex* c, const double d[3], tip* t) {
  double z[3];
  fb_convex_axis(c, z);
  fb_convex_support(c, d, t->x[0]);
  t->id[0] = dot3(z, d) > 0;
  if (fabs(dot3(z, d)) > 1e-7) return;
  double middle[3] = {t->x[0][0], t->x[0][1], t->x[0][2]};
  for (int i = 0; i < 3; i++) middle[i] -= c->p[i];
  const double along = dot3(middle, z);
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 3; i++) t->x[end][i] = c->p[i] + middle[i];
    add_scaled3(t->x[end], (end ? 0.5 : -0.5) * c->size[1] - along, z);
    t->id[end] = end;
  }
  t->count = 2;
}

static double size_of(const fb_closest* c) {
  double most = 0;
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(c->s[i].a[k]), fabs(c->s[i].b[k])));
  return most;
}

static void vertex_tip(const fb_convex* c, const fb_closest* at, int is_a, const double d[3], tip* t) {
  double x[3];
  int seen[4], count = 0;
  const int first = fb_convex_support(c, d, x);
  const double level = dot3(d, x) - TIE * size_of(at);
  for (int i = 0; i < at->count; i++) {
    const int index = is_a ? at->s[i].ia : at->s[i].ib;
    int known = 0;
    for (int k = 0; k < count; k++) known |= seen[k] == index;
    if (known || dot3(d, is_a ? at->s[i].a : at->s[i].b) < level) continue;
    seen[count++] = index;
  }
  if (count == 0) seen[count++] = first;
  t->count = count < 3 ? count : 3;
  for (int k = 0; k < t->count && k < 2; k++) {
    fb_convex_vertex(c, seen[k], t->x[k]);
    t->id[k] = fb_convex_name(c, seen[k]);
  }
  if (t->count != 2 || t->id[0] < t->id[1]) return;
  const tip old = *t;
  for (int k = 0; k < 2; k++) {
    memcpy(t->x[k], old.x[1 - k], sizeof t->x[k]);
    t->id[k] = old.id[1 - k];
  }
}

static void find_tip(const fb_convex* c, const fb_closest* at, int is_a, tip* t) {
  const double side = is_a ? -1 : 1, d[3] = {side * at->n[0], side * at->n[1], side * at->n[2]};
  t->count = 1;
  t->id[0] = 0;
  if (c->kind == FB_COLLIDER_CYLINDER)
    cylinder_tip(c, d, t);
  else if (c->kind == FB_COLLIDER_ELLIPSOID)
    fb_convex_support(c, d, t->x[0]);
  else
    vertex_tip(c, at, is_a, d, t);
}

static int tip_feature(const tip* t) {
  return t->count == 2 ? fb_feature(t->id[0], t->id[1]) : t->count == 1 ? t->id[0] : -1;
}

/* --- curvature --- */

static void rim_bend(const fb_convex* c, const double n[3], fb_bend* bend) {
  double z[3];
  fb_convex_axis(c, z);
  const double up = dot3(z, n), lean = sqrt(fmax(0, 1 - up * up));
  cross3(z, n, bend->t[1]); /* along the rim */
  const double length = norm3(bend->t[1]);
  if (length < 1e-9) return; /* a cap */
  for (int i = 0; i < 3; i++) bend->t[1][i] /= length;
  cross3(bend->t[1], n, bend->t[0]);
  bend->k[0] = INFINITY;
  bend->k[1] = lean / c->size[0];
}

static void side_bend(const fb_convex* c, const tip* t, const double n[3], fb_bend* bend) {
  double e[3];
  for (int i = 0; i < 3; i++) e[i] = t->x[1][i] - t->x[0][i];
  const double length = norm3(e);
  if (!(length > 0)) return;
  for (int i = 0; i < 3; i++) bend->t[1][i] = e[i] / length;
  cross3(bend->t[1], n, bend->t[0]);
  bend->k[0] = c->kind == FB_COLLIDER_CYLINDER ? 1 / c->size[0] : INFINITY;
  bend->k[1] = 0;
}

/* Of the core's part t, with the layer around it. */
static void bend_of(const fb_convex* c, const tip* t, const double n[3], fb_bend* bend) {
  fb_across(n, bend->t[0], bend->t[1]);
  bend->k[0] = bend->k[1] = t->count < 3 ? INFINITY : 0;
  if (c->kind == FB_COLLIDER_ELLIPSOID) {
    double local[3];
    fb_rot_apply_transpose(c->R, n, local);
    fb_ellipsoid_bend(c->size, local, bend);
    for (int i = 0; i < 2; i++) fb_rot_apply(c->R, bend->t[i], bend->t[i]);
  } else if (t->count == 2) {
    side_bend(c, t, n, bend);
  } else if (c->kind == FB_COLLIDER_CYLINDER) {
    bend->k[0] = bend->k[1] = 0;
    rim_bend(c, n, bend);
  }
  for (int i = 0; i < 2 && c->radius > 0; i++) bend->k[i] = 1 / (1 / bend->k[i] + c->radius);
}

static void curvature_of(const fb_convex* a, const fb_convex* b, const tip* ta, const tip* tb,
                         const double n[3], double curvature[2]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  fb_bend ba, bb;
  bend_of(a, ta, back, &ba);
  bend_of(b, tb, n, &bb);
  fb_bend_add(&ba, &bb, curvature);
}

/* --- one point, or two of parallel edges --- */

/* The parts of two lines where they are nearest, each from its first point; clamped to the segments. */
static void nearest_parts(const tip* ta, const tip* tb, double part[2]) {
  double u[3], v[3], w[3];
  for (int i = 0; i < 3; i++) {
    u[i] = ta->x[1][i] - ta->x[0][i];
    v[i] = tb->x[1][i] - tb->x[0][i];
    w[i] = ta->x[0][i] - tb->x[0][i];
  }
  const double uu = dot3(u, u), uv = dot3(u, v), vv = dot3(v, v), det = uu * vv - uv * uv;
  const double s = det > 0 ? (uv * dot3(v, w) - vv * dot3(u, w)) / det : 0;
  part[0] = fmax(0, fmin(1, s));
  part[1] = fmax(0, fmin(1, (dot3(v, w) + part[0] * uv) / vv));
}

static void point_on(const tip* t, double part, double x[3]) {
  for (int i = 0; i < 3; i++) x[i] = t->x[0][i] + part * (t->x[1][i] - t->x[0][i]);
}

static void add_single(const fb_convex* a, const fb_convex* b, const fb_closest* c, const tip* ta,
                       const tip* tb, fb_touches* list) {
  double p[3] = {0, 0, 0}, curvature[2], part[2];
  int from_a = 0;
  if (ta->count == 1) {
    memcpy(p, ta->x[0], sizeof p);
    from_a = 1;
  } else if (tb->count == 1) {
    memcpy(p, tb->x[0], sizeof p);
  } else if (ta->count == 2 && tb->count == 2) {
    nearest_parts(ta, tb, part);
    point_on(tb, part[1], p);
  } else {
    for (int i = 0; i < c->count; i++) add_scaled3(p, c->weight[i], c->s[i].b);
  }
  add_scaled3(p, from_a ? -c->gap + b->radius : b->radius, c->n);
  curvature_of(a, b, ta, tb, c->n, curvature);
  fb_touches_add(list, c->gap - a->radius - b->radius, c->n, p, curvature,
                 fb_feature(tip_feature(ta), tip_feature(tb)));
}

/* The sections of a at which the overlap with b ends; 0: the edges are not parallel, or do not overlap. */
static int overlap(const tip* ta, const tip* tb, double part[2]) {
  double u[3], v[3], w[3], across[3];
  for (int i = 0; i < 3; i++) {
    u[i] = ta->x[1][i] - ta->x[0][i];
    v[i] = tb->x[1][i] - tb->x[0][i];
    w[i] = tb->x[0][i] - ta->x[0][i];
  }
  cross3(u, v, across);
  const double uu = dot3(u, u);
  if (!(uu > 0) || !(norm3(across) < PARALLEL * norm3(u) * norm3(v))) return 0;
  const double s = dot3(w, u) / uu, t = s + dot3(v, u) / uu;
  part[0] = fmax(0, fmin(s, t));
  part[1] = fmin(1, fmax(s, t));
  return part[1] - part[0] > 1e-9;
}

/* The section of b at x. */
static double part_at(const tip* t, const double x[3]) {
  double v[3], w[3];
  for (int i = 0; i < 3; i++) {
    v[i] = t->x[1][i] - t->x[0][i];
    w[i] = x[i] - t->x[0][i];
  }
  return fmax(0, fmin(1, dot3(v, w) / dot3(v, v)));
}

static double add_section(const fb_convex* a, const fb_convex* b, const fb_closest* c, const tip* ta,
                          const tip* tb, double part, int feature, fb_touches* list) {
  double x[3], y[3], away[3], n[3], curvature[2];
  point_on(ta, part, x);
  point_on(tb, part_at(tb, x), y);
  for (int i = 0; i < 3; i++) away[i] = x[i] - y[i];
  memcpy(n, c->n, sizeof n);
  double gap = dot3(n, away);
  if (a->radius > 0 && b->radius > 0 && c->gap > 0) { /* round: each section has its own normal */
    gap = norm3(away);
    for (int i = 0; i < 3; i++) n[i] = away[i] / gap;
  }
  gap -= a->radius + b->radius;
  add_scaled3(y, b->radius, n);
  curvature_of(a, b, ta, tb, n, curvature);
  fb_touches_add(list, gap, n, y, curvature, feature);
  return gap;
}

static void collide_edges(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_touches* list) {
  tip ta, tb;
  double part[2], least = INFINITY;
  find_tip(a, c, 1, &ta);
  find_tip(b, c, 0, &tb);
  if (ta.count == 2 && tb.count == 2 && overlap(&ta, &tb, part))
    for (int k = 0; k < 2; k++) least = fmin(least, add_section(a, b, c, &ta, &tb, part[k], k, list));
  if (least > c->gap - a->radius - b->radius + 1e-12 * size_of(c)) add_single(a, b, c, &ta, &tb, list);
}

/* --- several points, over a face --- */

/* Points of f over the face `on`, which is b's, or a's where flip is 1; the least gap. radius: of both layers; own: of f's. */
static double add_points(const fb_facet* f, const fb_facet* on, double radius, double own, int flip,
                         fb_touches* list) {
  double normal[3], curvature[2], least = INFINITY;
  for (int i = 0; i < 3; i++) normal[i] = flip ? -on->m[i] : on->m[i];
  for (int i = 0; i < 2; i++) curvature[i] = own > 0 ? 1 / (1 / f->curvature[i] + own) : f->curvature[i];
  for (int k = 0; k < f->count; k++) {
    if (f->loose[k]) continue;
    double away[3], p[3];
    for (int i = 0; i < 3; i++) away[i] = f->x[k][i] - on->x[0][i];
    const double gap = dot3(away, on->m) - radius;
    memcpy(p, f->x[k], sizeof p);
    add_scaled3(p, -own, on->m); /* the surface of the shape that has f */
    const int feature = fb_feature(f->id[k], 64 + 2 * on->face + flip);
    if (flip)
      fb_touches_add(list, gap, normal, p, curvature, feature);
    else
      fb_touches_add_a(list, gap, normal, p, curvature, feature);
    least = fmin(least, gap);
  }
  return least;
}

static int collide_face(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_touches* list) {
  const double back[3] = {-c->n[0], -c->n[1], -c->n[2]};
  fb_facet on, f;
  int flip = 0;
  if (fb_facet_flat(b, c->n, &on)) {
    fb_facet_lowest(a, back, &f);
  } else if (fb_facet_flat(a, back, &on)) {
    fb_facet_lowest(b, c->n, &f);
    flip = 1;
  } else {
    return 0;
  }
  const fb_convex* other = flip ? b : a;
  const fb_facet whole = f;
  fb_facet_clip(&f, &on);
  const double radius = a->radius + b->radius;
  double least = add_points(&f, &on, radius, other->radius, flip, list);
  if (whole.disc > 0 &&
      dot3(whole.m, on.m) < -1 + 1e-12) { /* a cap flat on a face: the face's corners under it too */
    f = on;
    fb_facet_clip(&f, &whole);
    least = fmin(least, add_points(&f, &whole, radius, flip ? a->radius : b->radius, !flip, list));
  }
  return least <= c->gap - radius + TIE * size_of(c) + FB_RIM_ERROR * whole.disc;
}

void fb_collide_convex_at(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_touches* list) {
  if (!collide_face(a, b, c, list)) collide_edges(a, b, c, list);
}

void fb_collide_convex_over(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_touches* list) {
  collide_face(a, b, c, list);
}

void fb_collide_convex(const fb_convex* a, const fb_convex* b, fb_touches* list) {
  fb_closest c;
  fb_convex_closest(a, b, fmax(0, list->reach) + a->radius + b->radius, &c);
  if (c.gap - a->radius - b->radius <= list->reach) fb_collide_convex_at(a, b, &c, list);
}
