/* convex_pair.c -- the points at which two convex shapes touch, once the direction n of the gap is known.
 *
 * Where the normal of a face is along n, to 3 degrees, the face, edge or rim of the other that comes first is clipped
 * to it, seen along n: corners, ends, rim points, and where edges cross, each with its own gap along n. Two edges
 * that are parallel to 3 degrees give the two ends of their overlap. Otherwise there is one point.
 *
 * Weights, for compliant laws: a corner of a polygon counts as much as its border turns there, a right angle 1, so
 * that they count 4 in all, and the same before and after a corner is cut into two. Between 1 and 3 degrees one kind
 * of points is blended into the next. */
#include <string.h>

#include "contact/shape/facet.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double FLAT = 0.02, LEANING = 0.05; /* sines: what is flat or parallel, and what is not */
static const double TIE = 1e-9;                  /* of the size: vertices equally far along a direction */

double fb_flat_share(double sine) {
  return sine < FLAT ? 1 : 1 - fb_smooth_step((sine - FLAT) / (LEANING - FLAT));
}

/* --- the part of a core that comes first along a direction: a point, a segment, or more --- */

typedef struct tip {
  int count; /* 3: a face, or not clear */
  double x[2][3];
  int id[2];
} tip;

/* The line along the side of a cylinder that is farthest along d. */
static void side_line(const fb_convex* c, const double d[3], tip* t) {
  double z[3], out[3] = {d[0], d[1], d[2]};
  fb_convex_axis(c, z);
  add_scaled3(out, -dot3(out, z), z);
  const double length = norm3(out);
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 3; i++) t->x[end][i] = c->p[i] + (length > 0 ? c->size[0] * out[i] / length : 0);
    add_scaled3(t->x[end], (end ? 0.5 : -0.5) * c->size[1], z);
    t->id[end] = end;
  }
  t->count = 2;
}

static void cylinder_tip(const fb_convex* c, const double d[3], tip* t) {
  double z[3];
  fb_convex_axis(c, z);
  fb_convex_support(c, d, t->x[0]);
  t->id[0] = dot3(z, d) > 0;
  if (fabs(dot3(z, d)) <= 1e-7) side_line(c, d, t);
}

static double size_of(const fb_closest* c) {
  double most = 0;
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(c->s[i].a[k]), fabs(c->s[i].b[k])));
  return most;
}

static void vertex_tip(const fb_convex* c, const fb_closest* at, const double d[3], tip* t) {
  double x[3];
  int seen[3] = {0}, count = 0;
  const int first = fb_convex_support(c, d, x);
  const double level = dot3(d, x) - TIE * size_of(at);
  for (int i = 0; i < c->nvertex && count < 3; i++) {
    fb_convex_vertex(c, i, x);
    if (dot3(d, x) >= level) seen[count++] = i;
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
    vertex_tip(c, at, d, t);
}

/* --- the edge that is first along a direction, or leans from it by little --- */

/* Takes the edge from vertex `from` to `to` if its inclination is less than that of the one in t. */
static void take_edge(const fb_convex* c, const double d[3], int from, int to, tip* t, double* lean) {
  double x[3], y[3], e[3];
  fb_convex_vertex(c, from, x);
  fb_convex_vertex(c, to, y);
  for (int i = 0; i < 3; i++) e[i] = y[i] - x[i];
  const double length = length3(e), sine = length > 0 ? fabs(dot3(e, d)) / length : INFINITY;
  if (!(sine < *lean)) return;
  const int turned = fb_convex_name(c, from) > fb_convex_name(c, to);
  *lean = sine;
  t->count = 2;
  memcpy(t->x[turned], x, sizeof x);
  memcpy(t->x[!turned], y, sizeof y);
  t->id[turned] = fb_convex_name(c, from);
  t->id[!turned] = fb_convex_name(c, to);
}

/* The sine of its lean; 1 or more: there is none. */
static double find_edge(const fb_convex* c, const double d[3], tip* t) {
  double x[3], lean = 1;
  if (c->kind == FB_COLLIDER_ELLIPSOID || c->nvertex == 1) return lean;
  if (c->kind == FB_COLLIDER_CYLINDER) {
    double z[3];
    fb_convex_axis(c, z);
    side_line(c, d, t);
    return fabs(dot3(z, d));
  }
  const int first = fb_convex_support(c, d, x);
  if (c->hull) {
    const fb_geometry* g = c->hull;
    for (int k = 0; k < 3 * g->ntriangle; k++)
      if (g->triangle[k] == first) take_edge(c, d, first, g->triangle[k / 3 * 3 + (k + 1) % 3], t, &lean);
    return lean;
  }
  for (int k = 0; k < c->nvertex; k++)
    if (k != first && (c->nvertex < 4 || ((k ^ first) & ((k ^ first) - 1)) == 0))
      take_edge(c, d, first, k, t, &lean);
  return lean;
}

static int tip_feature(const tip* t) {
  return t->count == 2 ? fb_feature(t->id[0], t->id[1]) : t->count == 1 ? t->id[0] : -1;
}

/* --- curvature --- */

static void rim_curvature(const fb_convex* c, const double n[3], fb_curvature* curvature) {
  double z[3];
  fb_convex_axis(c, z);
  const double up = dot3(z, n), lean = sqrt(fmax(0, 1 - up * up));
  cross3(z, n, curvature->t[1]); /* along the rim */
  const double length = norm3(curvature->t[1]);
  if (length < 1e-9) return; /* a cap */
  for (int i = 0; i < 3; i++) curvature->t[1][i] /= length;
  cross3(curvature->t[1], n, curvature->t[0]);
  curvature->k[0] = INFINITY;
  curvature->k[1] = lean / c->size[0];
}

static void side_curvature(const fb_convex* c, const tip* t, const double n[3], fb_curvature* curvature) {
  double e[3];
  for (int i = 0; i < 3; i++) e[i] = t->x[1][i] - t->x[0][i];
  const double length = norm3(e);
  if (!(length > 0)) return;
  for (int i = 0; i < 3; i++) curvature->t[1][i] = e[i] / length;
  cross3(curvature->t[1], n, curvature->t[0]);
  curvature->k[0] = c->kind == FB_COLLIDER_CYLINDER ? 1 / c->size[0] : INFINITY;
  curvature->k[1] = 0;
}

/* Of the core's part t, with the layer around it. */
static void surface_curvature(const fb_convex* c, const tip* t, const double n[3], fb_curvature* curvature) {
  fb_across(n, curvature->t[0], curvature->t[1]);
  curvature->k[0] = curvature->k[1] = t->count < 3 ? INFINITY : 0;
  if (c->kind == FB_COLLIDER_ELLIPSOID) {
    double local[3];
    fb_rot_apply_transpose(c->R, n, local);
    fb_ellipsoid_curvature(c->size, local, curvature);
    for (int i = 0; i < 2; i++) fb_rot_apply(c->R, curvature->t[i], curvature->t[i]);
  } else if (t->count == 2) {
    side_curvature(c, t, n, curvature);
  } else if (c->kind == FB_COLLIDER_CYLINDER) {
    curvature->k[0] = curvature->k[1] = 0;
    rim_curvature(c, n, curvature);
  }
  for (int i = 0; i < 2 && c->radius > 0; i++) curvature->k[i] = 1 / (1 / curvature->k[i] + c->radius);
}

static void curvature_of(const fb_convex* a, const fb_convex* b, const tip* ta, const tip* tb,
                         const double n[3], double curvature[2]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  fb_curvature ba, bb;
  surface_curvature(a, ta, back, &ba);
  surface_curvature(b, tb, n, &bb);
  fb_curvature_add(&ba, &bb, curvature);
}

void fb_convex_curvature(const fb_convex* a, const fb_convex* b, const fb_closest* c, double curvature[2]) {
  tip ta, tb;
  find_tip(a, c, 1, &ta);
  find_tip(b, c, 0, &tb);
  curvature_of(a, b, &ta, &tb, c->n, curvature);
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

/* The sine between n and the axis of a cylinder: where it is small, rounding decides which point of the rim is first. */
static double cap_lean(const fb_convex* c, const double n[3]) {
  double z[3], across[3];
  if (c->kind != FB_COLLIDER_CYLINDER) return INFINITY;
  fb_convex_axis(c, z);
  cross3(z, n, across);
  return norm3(across);
}

/* Whether of two single points that of a is the better known. */
static int is_clearer(const fb_convex* a, const fb_convex* b, const double n[3]) {
  const double lean = cap_lean(a, n);
  return lean >= FLAT || lean >= cap_lean(b, n);
}

static void add_single(const fb_convex* a, const fb_convex* b, const fb_closest* c, const tip* ta,
                       const tip* tb, fb_point_list* list) {
  double p[3] = {0, 0, 0}, curvature[2], part[2];
  int from_a = 0;
  if (!fb_convex_is_smooth(a) && !fb_convex_is_smooth(b)) {
    for (int i = 0; i < c->count; i++) add_scaled3(p, c->weight[i], c->s[i].b);
  } else if (ta->count == 1 && (tb->count != 1 || is_clearer(a, b, c->n))) {
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
  fb_point_list_add(list, c->gap - a->radius - b->radius, c->n, p, curvature,
                    fb_feature(tip_feature(ta), tip_feature(tb)));
}

/* The sections of a at which the overlap with b ends, and the weight of each; 0: the edges are not parallel, or do not
 * overlap. A short overlap counts half: two points that come together are one. */
static double overlap(const tip* ta, const tip* tb, double part[2]) {
  double u[3], v[3], w[3], across[3];
  for (int i = 0; i < 3; i++) {
    u[i] = ta->x[1][i] - ta->x[0][i];
    v[i] = tb->x[1][i] - tb->x[0][i];
    w[i] = tb->x[0][i] - ta->x[0][i];
  }
  cross3(u, v, across);
  const double uu = dot3(u, u), vv = dot3(v, v), sine = norm3(across) / sqrt(uu * vv);
  if (!(uu > 0) || !(sine < LEANING)) return 0;
  const double s = dot3(w, u) / uu, t = s + dot3(v, u) / uu;
  part[0] = fmax(0, fmin(s, t));
  part[1] = fmin(1, fmax(s, t));
  const double shared = part[1] - part[0], most = fmin(1, sqrt(vv / uu));
  return shared > 1e-9 ? fb_flat_share(sine) * (1 + fb_smooth_step(10 * shared / most)) / 2 : 0;
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
                          const tip* tb, double part, int feature, fb_point_list* list) {
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
  fb_point_list_add(list, gap, n, y, curvature, feature);
  return gap;
}

static void collide_edges(const fb_convex* a, const fb_convex* b, const fb_closest* c, double share,
                          fb_point_list* list) {
  const double *n = c->n, back[3] = {-n[0], -n[1], -n[2]};
  tip ta, tb;
  double part[2], least = INFINITY, lean_a = find_edge(a, back, &ta), lean_b = find_edge(b, n, &tb),
                  twice = 0;
  if (lean_a < LEANING && lean_b < LEANING) {
    const double flat = fb_flat_share(lean_a) * fb_flat_share(lean_b), each = flat * overlap(&ta, &tb, part);
    twice = each > 0 ? flat : 0;
    list->share = share * each;
    for (int k = 0; k < 2 && each > 0; k++)
      least = fmin(least, add_section(a, b, c, &ta, &tb, part[k], k, list));
  }
  list->share = share * (1 - twice);
  if (least > c->gap - a->radius - b->radius + 1e-12 * size_of(c) || twice < 1) {
    find_tip(a, c, 1, &ta);
    find_tip(b, c, 0, &tb);
    add_single(a, b, c, &ta, &tb, list);
  }
  list->share = 1;
}

/* --- several points, over a face --- */

/* A face that f is over, along n from b to a. */
typedef struct below {
  const fb_facet* on; /* b's, or a's where flip is 1 */
  int flip;
  const double* n;
  double radius, layer; /* of both layers, of that around f */
  double share;         /* of all weights */
  int of_mesh;          /* f is a triangle of a mesh */
} below;

/* Points of f over the face; the least gap. */
static double add_points(const fb_facet* f, const below* face, fb_point_list* list) {
  const fb_facet* on = face->on;
  const double side = face->flip ? -1 : 1, layer = face->layer, facing = side * dot3(face->n, on->m);
  double curvature[2], least = INFINITY;
  for (int i = 0; i < 2; i++) curvature[i] = layer > 0 ? 1 / (1 / f->curvature[i] + layer) : f->curvature[i];
  for (int k = 0; k < f->count; k++) {
    if (f->loose[k]) continue;
    double away[3], p[3];
    for (int i = 0; i < 3; i++) away[i] = f->x[k][i] - on->x[0][i];
    const double gap = dot3(away, on->m) / facing - face->radius;
    memcpy(p, f->x[k], sizeof p);
    add_scaled3(p, -side * layer, face->n); /* the surface of the shape that has f */
    const int feature = fb_feature(f->id[k], 64 + 2 * on->face + face->flip);
    list->share = face->share * f->weight[k];
    if (face->flip)
      fb_point_list_add(list, gap, face->n, p, curvature, feature);
    else
      fb_point_list_add_a(list, gap, face->n, p, curvature, feature);
    least = fmin(least, gap);
  }
  list->share = 1;
  return least;
}

/* Corners of a face that leans, and those of triangles, are points of their own, and count 1. */
static void weigh_corners(fb_facet* f, const double d[3], int is_triangle) {
  double across[3];
  fb_facet_weigh(f, f->m);
  cross3(f->m, d, across);
  const double flat = dot3(f->m, d) < 0 && !is_triangle ? fb_flat_share(length3(across)) : 0;
  for (int k = 0; k < f->count; k++) f->weight[k] = 1 + flat * (f->weight[k] - 1);
}

/* f over the face, clipped to it. */
static double add_clipped(fb_facet* f, const below* face, fb_point_list* list) {
  const double side = face->flip ? -1 : 1, d[3] = {side * face->n[0], side * face->n[1], side * face->n[2]};
  if (list->smooth) weigh_corners(f, d, face->of_mesh);
  fb_facet_clip(f, face->on, d);
  if (list->smooth) fb_facet_weigh(f, f->m);
  return add_points(f, face, list);
}

/* A cap over a face: corners of the face that are under the disc but not between the points of its rim. They have no
 * weight where those have. */
static double add_under_cap(const fb_facet* cap, const fb_facet* on, const below* over, fb_point_list* list) {
  below face = *over;
  fb_facet f = *on;
  face.on = cap;
  face.flip = !over->flip;
  face.layer = over->radius - over->layer;
  face.share = list->count > 0 ? 0 : over->share;
  return add_clipped(&f, &face, list);
}

/* The share of the points over a face: 1 where its normal is along n, 0: there is no such face. lacks: how much of
 * the least gap they lack, 0 or 1; for compliant laws from one to the other as the points over the face are less
 * deep. */
static double collide_face(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_point_list* list,
                           double* lacks) {
  const double *n = c->n, back[3] = {-n[0], -n[1], -n[2]};
  fb_facet on_a, on_b, cap;
  double lean_b = fb_facet_lean(b, n, &on_b), lean_a = INFINITY;
  *lacks = 0;
  if (lean_b < FLAT)
    fb_facet_lowest(a, back, &on_a);
  else if ((lean_a = fb_facet_lean(a, back, &on_a)) >= LEANING && lean_b >= LEANING)
    return 0;
  else if (lean_a == INFINITY)
    fb_facet_lowest(a, back, &on_a);
  const int flip = lean_b >= LEANING;
  if (flip) fb_facet_lowest(b, n, &on_b);
  fb_facet *on = flip ? &on_a : &on_b, *f = flip ? &on_b : &on_a;
  const double radius = a->radius + b->radius, much = fb_flat_share(fmin(lean_a, lean_b)), disc = f->disc;
  const fb_convex* upper = flip ? b : a;
  const below face = {on, flip, n, radius, upper->radius, much, upper->kind == FB_COLLIDER_MESH};
  if (disc > 0) cap = *f;
  double least = add_clipped(f, &face, list);
  if (disc > 0 && on->disc == 0) least = fmin(least, add_under_cap(&cap, on, &face, list));
  const double gap = c->gap - radius;
  *lacks = least > gap + TIE * size_of(c) + FB_RIM_ERROR * disc;
  if (list->smooth && gap < 0) *lacks = fb_smooth_step(((fmin(0, least) - gap) / -gap - 0.1) / 0.4);
  return much;
}

void fb_collide_convex_at(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_point_list* list) {
  if (list->nearest) { /* the gap is known */
    tip ta, tb;
    find_tip(a, c, 1, &ta);
    find_tip(b, c, 0, &tb);
    add_single(a, b, c, &ta, &tb, list);
    return;
  }
  double lacks;
  const double much = collide_face(a, b, c, list, &lacks);
  if (much < 1 || lacks > 0) collide_edges(a, b, c, 1 - much + much * lacks, list);
}

void fb_collide_convex_over(const fb_convex* a, const fb_convex* b, const fb_closest* c,
                            fb_point_list* list) {
  double lacks;
  collide_face(a, b, c, list, &lacks);
}

void fb_collide_convex(const fb_convex* a, const fb_convex* b, fb_point_list* list) {
  fb_closest c;
  fb_convex_closest(a, b, fmax(0, list->max_gap) + a->radius + b->radius, &c);
  if (c.gap - a->radius - b->radius <= list->max_gap) fb_collide_convex_at(a, b, &c, list);
}
