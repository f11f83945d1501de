/* epa.c -- how deep two convex cores penetrate: the expanding polytope algorithm [van den Bergen 2001].
 *
 * A polytope inside A - B grows at the face that is nearest to the origin until that face is on the surface of A - B:
 * its normal and distance are the least depth. Distances are signed and faces are oriented by how they are joined,
 * not by the origin, so shapes that just touch, or are a hair apart, are no special case. Faces in one plane with a
 * new point are replaced together with those visible from it, which avoids slivers. */
#include <string.h>

#include "contact/shape/convex.h"
#include "math/vector3.h"

enum { VERTEX_ROOM = 96, FACE_ROOM = 256, EDGE_ROOM = 128 };
static const double FLAT = 1e-10; /* of the size: thinner than this has no volume */

typedef struct face {
  int v[3];
  double m[3], d; /* outward unit normal, m.w on it; d = INFINITY: no area */
} face;

typedef struct polytope {
  fb_minkowski vertex[VERTEX_ROOM];
  face face[FACE_ROOM];
  int nvertex, nface;
  double size;
} polytope;

static void edges_of(const fb_minkowski* s, double e1[3], double e2[3], double normal[3]) {
  for (int i = 0; i < 3; i++) {
    e1[i] = s[1].w[i] - s[0].w[i];
    e2[i] = s[2].w[i] - s[0].w[i];
  }
  cross3(e1, e2, normal);
}

static void add_face(polytope* p, int i, int j, int k) {
  face* f = &p->face[p->nface++];
  const fb_minkowski s[3] = {p->vertex[i], p->vertex[j], p->vertex[k]};
  double e1[3], e2[3];
  f->v[0] = i;
  f->v[1] = j;
  f->v[2] = k;
  edges_of(s, e1, e2, f->m);
  const double area = length3(f->m);
  if (!(area > 1e-12 * length3(e1) * length3(e2))) {
    memset(f->m, 0, sizeof f->m);
    f->d = INFINITY;
    return;
  }
  for (int x = 0; x < 3; x++) f->m[x] /= area;
  f->d = dot3(f->m, s[0].w);
}

/* --- a tetrahedron to start from --- */

/* The farthest point along n or against it, if it is off the present points by more than `least`. */
static int extend_along(const fb_convex* a, const fb_convex* b, const double n[3], double least,
                        fb_closest* c) {
  for (int side = 0; side < 2; side++) {
    const double along[3] = {side ? -n[0] : n[0], side ? -n[1] : n[1], side ? -n[2] : n[2]};
    fb_minkowski_support(a, b, along, &c->s[c->count]);
    if (fabs(dot3(along, c->s[c->count].w) - dot3(along, c->s[0].w)) <= least) continue;
    c->count++;
    return 1;
  }
  return 0;
}

/* The next point off the point, line or plane of those there are. 0: A - B has no volume, and n is across it. */
static int extend(const fb_convex* a, const fb_convex* b, double least, fb_closest* c) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double e[3], e2[3], n[2][3];
  if (c->count == 1) {
    memcpy(c->n, axes[2], sizeof c->n);
    for (int i = 0; i < 3; i++)
      if (extend_along(a, b, axes[i], least, c)) return 1;
    return 0;
  }
  for (int i = 0; i < 3; i++) e[i] = c->s[1].w[i] - c->s[0].w[i];
  if (c->count == 3) edges_of(c->s, e, e2, e);
  const double length = length3(e);
  for (int i = 0; i < 3; i++) e[i] /= length;
  if (c->count == 2) {
    fb_across(e, n[0], n[1]);
    memcpy(c->n, n[0], sizeof c->n);
    return extend_along(a, b, n[0], least, c) || extend_along(a, b, n[1], least, c);
  }
  memcpy(c->n, e, sizeof c->n);
  return extend_along(a, b, e, least, c);
}

/* Drops points that span nothing, so that the others can be extended. */
static void drop_slivers(fb_closest* c, double least) {
  double e1[3], e2[3], n[3];
  if (c->count == 4) {
    edges_of(c->s, e1, e2, n);
    const double area = length3(n);
    double up[3];
    for (int i = 0; i < 3; i++) up[i] = c->s[3].w[i] - c->s[0].w[i];
    if (!(area > 0 && fabs(dot3(up, n)) > least * area)) c->count = 3;
  }
  if (c->count == 3) {
    edges_of(c->s, e1, e2, n);
    if (!(length3(n) > least * fmax(length3(e1), length3(e2)))) c->count = 2;
  }
  if (c->count == 2) {
    for (int i = 0; i < 3; i++) e1[i] = c->s[1].w[i] - c->s[0].w[i];
    if (!(length3(e1) > least)) c->count = 1;
  }
}

static double size_of(const fb_convex* c) {
  double x[3], most = 0;
  for (int k = 0; k < 6; k++) {
    double d[3] = {0, 0, 0};
    d[k / 2] = k & 1 ? -1 : 1;
    fb_convex_support(c, d, x);
    for (int i = 0; i < 3; i++) x[i] -= c->p[i];
    most = fmax(most, length3(x));
  }
  return most;
}

static void start(polytope* p, const fb_closest* c) {
  double e1[3], e2[3], n[3], up[3];
  memcpy(p->vertex, c->s, 4 * sizeof *p->vertex);
  p->nvertex = 4;
  p->nface = 0;
  edges_of(c->s, e1, e2, n);
  for (int i = 0; i < 3; i++) up[i] = c->s[3].w[i] - c->s[0].w[i];
  const int flip = dot3(n, up) > 0; /* the first face points away from the fourth point */
  const int j = flip ? 2 : 1, k = flip ? 1 : 2;
  add_face(p, 0, j, k);
  add_face(p, 0, 3, j);
  add_face(p, j, 3, k);
  add_face(p, k, 3, 0);
}

/* --- growing --- */

typedef struct rim {
  int edge[EDGE_ROOM][2];
  int count;
} rim;

/* Edges that two removed faces share cancel; 0: no room. */
static int add_edge(rim* r, int i, int j) {
  for (int k = 0; k < r->count; k++)
    if (r->edge[k][0] == j && r->edge[k][1] == i) {
      r->count--;
      r->edge[k][0] = r->edge[r->count][0];
      r->edge[k][1] = r->edge[r->count][1];
      return 1;
    }
  if (r->count == EDGE_ROOM) return 0;
  r->edge[r->count][0] = i;
  r->edge[r->count++][1] = j;
  return 1;
}

static int nearest_face(const polytope* p) {
  int best = 0;
  for (int i = 1; i < p->nface; i++)
    if (p->face[i].d < p->face[best].d) best = i;
  return best;
}

/* Takes the vertex in; 0: no room. */
static int grow(polytope* p, const fb_minkowski* m) {
  rim r = {.count = 0};
  int kept = 0;
  face* removed = p->face;
  for (int i = 0; i < p->nface; i++) {
    const face f = p->face[i];
    if (dot3(f.m, m->w) - (f.d < INFINITY ? f.d : 0) < -1e-13 * p->size) {
      removed[kept++] = f;
      continue;
    }
    for (int k = 0; k < 3; k++)
      if (!add_edge(&r, f.v[k], f.v[(k + 1) % 3])) return 0;
  }
  if (kept + r.count > FACE_ROOM || r.count == 0) return 0;
  p->nface = kept;
  p->vertex[p->nvertex] = *m;
  for (int i = 0; i < r.count; i++) add_face(p, r.edge[i][0], r.edge[i][1], p->nvertex);
  p->nvertex++;
  return 1;
}

static void take_face(const polytope* p, const face* f, fb_closest* c) {
  double v[3];
  c->count = 3;
  for (int i = 0; i < 3; i++) {
    c->s[i] = p->vertex[f->v[i]];
    c->n[i] = -f->m[i];
  }
  c->gap = -f->d;
  /* Weights of the origin's projection: move it into the origin. */
  fb_closest moved = *c;
  for (int i = 0; i < 3; i++) add_scaled3(moved.s[i].w, -f->d, f->m);
  fb_simplex_nearest(&moved, v);
  for (int i = 0; i < moved.count; i++) add_scaled3(moved.s[i].w, f->d, f->m);
  c->count = moved.count;
  memcpy(c->s, moved.s, sizeof c->s);
  memcpy(c->weight, moved.weight, sizeof c->weight);
}

/* A - B is flat: across it, away from b's centre. */
static void take_flat(const fb_convex* a, const fb_convex* b, fb_closest* c) {
  double v[3], away[3];
  for (int i = 0; i < 3; i++) away[i] = a->p[i] - b->p[i];
  if (dot3(away, c->n) < 0)
    for (int i = 0; i < 3; i++) c->n[i] = -c->n[i];
  c->gap = dot3(c->n, c->s[0].w);
  const double n[3] = {c->n[0], c->n[1], c->n[2]};
  for (int k = c->count; k > 0; k--) {
    c->count = k;
    if (!fb_simplex_nearest(c, v)) break;
  }
  memcpy(c->n, n, sizeof n);
}

void fb_epa(const fb_convex* a, const fb_convex* b, double tolerance, fb_closest* c) {
  polytope p;
  p.size = size_of(a) + size_of(b);
  drop_slivers(c, FLAT * p.size);
  while (c->count < 4)
    if (!extend(a, b, FLAT * p.size, c)) {
      take_flat(a, b, c);
      return;
    }
  start(&p, c);
  face best = p.face[nearest_face(&p)];
  while (p.nvertex < VERTEX_ROOM && best.d < INFINITY) {
    fb_minkowski m;
    const double n[3] = {-best.m[0], -best.m[1], -best.m[2]};
    fb_minkowski_support(a, b, n, &m);
    if (dot3(best.m, m.w) - best.d <= tolerance * p.size || !grow(&p, &m)) break;
    best = p.face[nearest_face(&p)];
  }
  take_face(&p, &best, c);
}
