/* convex.c -- convex shapes by their support points. */
#include <string.h>

#include "contact/shape/convex.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static void set_box_corners(const double size[3], double corner[24]) {
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 3; i++) corner[3 * k + i] = (k >> i & 1 ? 0.5 : -0.5) * size[i];
}

/* `count` vertices of its own. */
static void use_corners(fb_convex* c, int count) {
  c->nvertex = count;
  c->vertex = c->corners;
  for (int i = 0; i < 3; i++) c->size[i] = 1;
}

void fb_convex_from_shape(const fb_shape* s, fb_convex* c) {
  c->kind = s->kind;
  c->radius = 0;
  c->nvertex = 0;
  c->hull = NULL;
  c->soft = 0;
  memcpy(c->p, s->p, sizeof c->p);
  memcpy(c->R, s->R, sizeof c->R);
  memcpy(c->size, s->size, sizeof c->size);
  memset(c->corners, 0, sizeof c->corners);
  if (s->kind == FB_COLLIDER_BOX) {
    set_box_corners(s->size, c->corners);
    use_corners(c, 8);
  } else if (s->kind == FB_COLLIDER_CAPSULE) {
    c->radius = s->size[0];
    c->corners[2] = -s->size[1] / 2;
    c->corners[5] = s->size[1] / 2;
    use_corners(c, 2);
  } else if (s->kind == FB_COLLIDER_HULL) {
    c->hull = s->geometry;
    c->nvertex = s->geometry->nvertex;
    c->vertex = s->geometry->vertex;
  } else if (!fb_convex_is_smooth(c)) {
    c->radius = s->kind == FB_COLLIDER_SPHERE ? s->size[0] : 0;
    use_corners(c, 1);
  }
}

fb_shape fb_convex_shape(const fb_convex* c) {
  fb_shape s = {.kind = c->kind};
  memcpy(s.p, c->p, sizeof s.p);
  memcpy(s.R, c->R, sizeof s.R);
  memcpy(s.size, c->size, sizeof s.size);
  return s;
}

void fb_convex_triangle(const double corner[3][3], const int name[3], fb_convex* c) {
  memset(c, 0, sizeof *c);
  c->kind = FB_COLLIDER_MESH;
  fb_rot_identity(c->R);
  memcpy(c->corners, corner, 9 * sizeof(double));
  memcpy(c->name, name, sizeof c->name);
  use_corners(c, 3);
}

void fb_convex_vertex(const fb_convex* c, int index, double x[3]) {
  for (int i = 0; i < 3; i++) x[i] = c->size[i] * c->vertex[3 * index + i];
  fb_rot_apply(c->R, x, x);
  for (int i = 0; i < 3; i++) x[i] += c->p[i];
}

void fb_convex_axis(const fb_convex* c, double z[3]) {
  for (int i = 0; i < 3; i++) z[i] = c->R[3 * i + 2];
}

static int find_farthest(const fb_convex* c, const double d[3]) {
  const double scaled[3] = {c->size[0] * d[0], c->size[1] * d[1], c->size[2] * d[2]};
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < c->nvertex; i++) {
    const double along = dot3(scaled, c->vertex + 3 * i);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

int fb_convex_support(const fb_convex* c, const double direction[3], double x[3]) {
  double d[3];
  fb_rot_apply_transpose(c->R, direction, d);
  if (!fb_convex_is_smooth(c)) {
    const int index = find_farthest(c, d);
    fb_convex_vertex(c, index, x);
    return index;
  }
  const double* r = c->size;
  if (c->kind == FB_COLLIDER_CYLINDER) {
    const double across = norm2(d[0], d[1]);
    for (int i = 0; i < 2; i++) x[i] = across > 0 ? r[0] * d[i] / across : 0;
    x[2] = d[2] == 0 ? 0 : copysign(r[1] / 2, d[2]);
  } else {
    const double h = norm3((const double[3]){r[0] * d[0], r[1] * d[1], r[2] * d[2]});
    for (int i = 0; i < 3; i++) x[i] = h > 0 ? r[i] * r[i] * d[i] / h : 0;
  }
  fb_rot_apply(c->R, x, x);
  for (int i = 0; i < 3; i++) x[i] += c->p[i];
  return -1;
}

void fb_minkowski_support(const fb_convex* a, const fb_convex* b, const double n[3], fb_minkowski* m) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  m->ia = fb_convex_support(a, back, m->a);
  m->ib = fb_convex_support(b, n, m->b);
  for (int i = 0; i < 3; i++) m->w[i] = m->a[i] - m->b[i];
}

double fb_convex_gap_along(const fb_convex* a, const fb_convex* b, const double n[3]) {
  fb_minkowski m;
  fb_minkowski_support(a, b, n, &m);
  return dot3(m.w, n);
}
