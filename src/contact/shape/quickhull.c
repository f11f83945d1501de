/* quickhull.c -- convex hulls in three dimensions [Barber, Dobkin, Huhdanpaa 1996].
 *
 * From a tetrahedron on: each face has a list of the points outside of it. The farthest of them replaces all faces
 * visible from it, which are found from neighbour to neighbour, by a cone over their horizon; their points go to the
 * lists of the new faces. Points within 1e-13 of the size of a face count as on it. About n log n. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "contact/shape/quickhull.h"
#include "math/vector3.h"

static const double ON = 1e-13, THIN = 1e-10; /* of the size */

typedef struct face {
  int v[3], next[3]; /* next[k]: the face across the edge from v[k] to the next corner */
  double n[3], d;    /* n.x = d, outwards, unit */
  int outside;       /* the first point outside, or -1; the farthest is not sorted out */
  int removed;
} face;

typedef struct horizon_edge {
  int from, to, behind; /* behind: the face that stays */
} horizon_edge;

typedef struct hull {
  const double* x;
  int npoint;
  double on;
  face* face;
  size_t nface, face_room;
  int* follow; /* [npoint]: the next point in the same list */
  int* start;  /* [npoint]: the new face that starts at this point, or -1 */
  horizon_edge* edge;
  size_t nedge, edge_room;
  int* stack;
  size_t nstack, stack_room;
} hull;

static const double* at(const hull* h, int point) {
  return h->x + 3 * (size_t)point;
}

static double above(const hull* h, const face* f, int point) {
  return dot3(f->n, at(h, point)) - f->d;
}

/* Its index; -1: out of memory. */
static int add_face(hull* h, int i, int j, int k) {
  if (h->nface >= INT_MAX / 4 || !fb_grow(&h->face, h->nface, 1, &h->face_room, sizeof *h->face)) return -1;
  face* f = &h->face[h->nface];
  double e1[3], e2[3];
  memset(f, 0, sizeof *f);
  f->v[0] = i;
  f->v[1] = j;
  f->v[2] = k;
  f->outside = -1;
  for (int c = 0; c < 3; c++) {
    e1[c] = at(h, j)[c] - at(h, i)[c];
    e2[c] = at(h, k)[c] - at(h, i)[c];
  }
  cross3(e1, e2, f->n);
  const double length = norm3(f->n);
  for (int c = 0; c < 3; c++) f->n[c] = length > 0 ? f->n[c] / length : 0;
  f->d = dot3(f->n, at(h, i));
  return (int)h->nface++;
}

/* Puts a point into the list of the first face from `from` on that it is outside of. */
static void assign(hull* h, int point, size_t from) {
  for (size_t i = from; i < h->nface; i++) {
    face* f = &h->face[i];
    if (f->removed || !(above(h, f, point) > h->on)) continue;
    h->follow[point] = f->outside;
    f->outside = point;
    return;
  }
}

/* --- the first tetrahedron --- */

static int farthest_from_point(const hull* h, const double o[3]) {
  int best = 0;
  double most = -1;
  for (int p = 0; p < h->npoint; p++) {
    double away[3] = {at(h, p)[0], at(h, p)[1], at(h, p)[2]};
    add_scaled3(away, -1, o);
    if (dot3(away, away) > most) {
      most = dot3(away, away);
      best = p;
    }
  }
  return best;
}

/* Farthest from the line through o along u (unit), or with `flat` from the plane across u. */
static int farthest_along(const hull* h, const double o[3], const double u[3], int flat, double* distance) {
  int best = 0;
  *distance = -1;
  for (int p = 0; p < h->npoint; p++) {
    double away[3] = {at(h, p)[0], at(h, p)[1], at(h, p)[2]};
    add_scaled3(away, -1, o);
    const double along = dot3(away, u);
    add_scaled3(away, -along, u);
    const double d = flat ? fabs(along) : norm3(away);
    if (d > *distance) {
      *distance = d;
      best = p;
    }
  }
  return best;
}

/* Four points that span the most; 0: all are in a plane. */
static int find_corners(hull* h, int c[4]) {
  double u[3], v[3], n[3], distance;
  c[0] = farthest_from_point(h, at(h, 0));
  c[1] = farthest_from_point(h, at(h, c[0]));
  for (int i = 0; i < 3; i++) u[i] = at(h, c[1])[i] - at(h, c[0])[i];
  const double size = norm3(u);
  if (!(size > 0)) return 0;
  h->on = ON * size;
  for (int i = 0; i < 3; i++) u[i] /= size;
  c[2] = farthest_along(h, at(h, c[0]), u, 0, &distance);
  if (!(distance > THIN * size)) return 0;
  for (int i = 0; i < 3; i++) v[i] = at(h, c[2])[i] - at(h, c[0])[i];
  cross3(u, v, n);
  const double length = norm3(n);
  for (int i = 0; i < 3; i++) n[i] /= length;
  c[3] = farthest_along(h, at(h, c[0]), n, 1, &distance);
  if (!(distance > THIN * size)) return 0;
  for (int i = 0; i < 3; i++) v[i] = at(h, c[3])[i] - at(h, c[0])[i];
  if (dot3(v, n) < 0) return 1;
  const int keep = c[1];
  c[1] = c[2];
  c[2] = keep;
  return 1;
}

static int start_hull(hull* h, const int c[4]) {
  static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int i = 0; i < 4; i++) {
    const int f = add_face(h, c[corner[i][0]], c[corner[i][1]], c[corner[i][2]]);
    if (f < 0) return 0;
    memcpy(h->face[f].next, next[i], sizeof next[i]);
  }
  for (int p = 0; p < h->npoint; p++) assign(h, p, 0);
  return 1;
}

/* --- growing --- */

static int farthest_outside(const hull* h, const face* f) {
  int best = f->outside;
  for (int p = f->outside; p >= 0; p = h->follow[p])
    if (above(h, f, p) > above(h, f, best)) best = p;
  return best;
}

static int push(hull* h, int f) {
  if (!fb_grow(&h->stack, h->nstack, 1, &h->stack_room, sizeof *h->stack)) return 0;
  h->stack[h->nstack++] = f;
  return 1;
}

static int add_horizon(hull* h, int from, int to, int behind) {
  if (!fb_grow(&h->edge, h->nedge, 1, &h->edge_room, sizeof *h->edge)) return 0;
  h->edge[h->nedge++] = (horizon_edge){from, to, behind};
  return 1;
}

/* The faces visible from the point, marked as removed and kept on the stack, and the edges around them. */
static int find_horizon(hull* h, int first, int point) {
  h->nedge = h->nstack = 0;
  h->face[first].removed = 1;
  if (!push(h, first)) return 0;
  for (size_t i = 0; i < h->nstack; i++) {
    const face f = h->face[h->stack[i]];
    for (int k = 0; k < 3; k++) {
      face* g = &h->face[f.next[k]];
      if (g->removed) continue;
      if (above(h, g, point) > h->on) {
        g->removed = 1;
        if (!push(h, f.next[k])) return 0;
      } else if (!add_horizon(h, f.v[k], f.v[(k + 1) % 3], f.next[k])) {
        return 0;
      }
    }
  }
  return 1;
}

/* 1 where the horizon is one loop without a point that comes twice; rounding can spoil it. */
static int horizon_is_simple(hull* h) {
  int simple = h->nedge >= 3;
  for (size_t i = 0; i < h->nedge; i++) {
    int* start = &h->start[h->edge[i].from];
    simple = simple && *start < 0;
    *start = 0;
  }
  for (size_t i = 0; i < h->nedge; i++) h->start[h->edge[i].from] = -1;
  return simple;
}

static void link_behind(face* behind, int from, int to, int new_face) {
  for (int k = 0; k < 3; k++)
    if (behind->v[k] == to && behind->v[(k + 1) % 3] == from) behind->next[k] = new_face;
}

static int add_cone(hull* h, int point) {
  const size_t first = h->nface;
  for (size_t i = 0; i < h->nedge; i++) {
    const horizon_edge e = h->edge[i];
    const int f = add_face(h, e.from, e.to, point);
    if (f < 0) return 0;
    h->face[f].next[0] = e.behind;
    h->start[e.from] = f;
    link_behind(&h->face[e.behind], e.from, e.to, f);
  }
  for (size_t i = first; i < h->nface; i++) {
    face* f = &h->face[i];
    f->next[1] = h->start[f->v[1]];
    h->face[f->next[1]].next[2] = (int)i;
  }
  for (size_t i = 0; i < h->nedge; i++) h->start[h->edge[i].from] = -1;
  return 1;
}

/* Moves the points of removed faces to the new faces. */
static void reassign(hull* h, int point, size_t first) {
  for (size_t i = 0; i < h->nstack; i++)
    for (int p = h->face[h->stack[i]].outside, next; p >= 0; p = next) {
      next = h->follow[p];
      if (p != point) assign(h, p, first);
    }
}

/* Removes a point from the list of its face, because rounding prevents its insertion. */
static void forget(hull* h, face* f, int point) {
  int* link = &f->outside;
  while (*link != point) link = &h->follow[*link];
  *link = h->follow[point];
  for (size_t i = 0; i < h->nstack; i++) h->face[h->stack[i]].removed = 0;
}

static int grow_hull(hull* h) {
  for (size_t i = 0; i < h->nface; i++)
    while (!h->face[i].removed && h->face[i].outside >= 0) {
      const int point = farthest_outside(h, &h->face[i]);
      if (!find_horizon(h, (int)i, point)) return 0;
      if (!horizon_is_simple(h)) {
        forget(h, &h->face[i], point);
        continue;
      }
      const size_t first = h->nface;
      if (!add_cone(h, point)) return 0;
      reassign(h, point, first);
    }
  return 1;
}

static int take_triangles(const hull* h, int* count, int** triangles) {
  *triangles = malloc((h->nface + 1) * 3 * sizeof **triangles);
  *count = 0;
  for (size_t i = 0; *triangles && i < h->nface; i++)
    if (!h->face[i].removed) memcpy(*triangles + 3 * (*count)++, h->face[i].v, sizeof h->face[i].v);
  return *triangles != NULL;
}

int fb_quickhull(int npoint, const double* points, int* count, int** triangles) {
  hull h = {.x = points, .npoint = npoint};
  int corner[4];
  h.follow = malloc(((size_t)npoint + 1) * sizeof *h.follow);
  h.start = malloc(((size_t)npoint + 1) * sizeof *h.start);
  for (int i = 0; h.start && i < npoint; i++) h.start[i] = -1;
  int result = h.follow && h.start ? 0 : 2;
  if (!result && !find_corners(&h, corner)) result = 1;
  if (!result && !(start_hull(&h, corner) && grow_hull(&h) && take_triangles(&h, count, triangles)))
    result = 2;
  free(h.follow);
  free(h.start);
  free(h.face);
  free(h.edge);
  free(h.stack);
  return result;
}
