/* mesh.c -- normals for the triangles of a mesh file. At each corner of a triangle the normals of the triangles
 * that share the vertex and lean less than CREASE are added, weighed by area; corners that come out the same share a
 * vertex again. Costs O(triangles * triangles at a vertex), the latter at most CROWD: a vertex with more is flat. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/gltf/gltf.h"
#include "math/vector3.h"

static const double CREASE = 0.766; /* cosine of 40 degrees */
enum { CROWD = 64 };

typedef struct work {
  const fb_mesh* mesh;
  double sign[3];
  double (*normal)[3]; /* [ntriangle], as long as twice the area; 0 0 0 where it has none and is left out */
  int *first, *around; /* the triangles at vertex v: around[first[v]] .. around[first[v + 1] - 1] */
} work;

static void position_of(const work* w, unsigned vertex, double p[3]) {
  for (int i = 0; i < 3; i++) p[i] = w->sign[i] * (double)w->mesh->position[3 * (size_t)vertex + (size_t)i];
}

static void find_normals(work* w) {
  double flip = w->sign[0] * w->sign[1] * w->sign[2];
  for (int t = 0; t < w->mesh->ntriangle; t++) {
    const unsigned* v = w->mesh->triangle + 3 * (size_t)t;
    double a[3], b[3], c[3], *n = w->normal[t];
    position_of(w, v[0], a);
    position_of(w, v[1], b);
    position_of(w, v[2], c);
    for (int i = 0; i < 3; i++) {
      b[i] -= a[i];
      c[i] -= a[i];
    }
    cross3(b, c, n);
    for (int i = 0; i < 3; i++) n[i] *= flip;
    double length = norm3(n);
    if (!(length > 0) || !isfinite(length)) n[0] = n[1] = n[2] = 0;
  }
}

/* Which triangles each vertex has. */
static void find_neighbours(work* w) {
  const fb_mesh* m = w->mesh;
  for (size_t i = 0; i < 3 * (size_t)m->ntriangle; i++) w->first[m->triangle[i] + 1]++;
  for (int v = 0; v < m->nvertex; v++) w->first[v + 1] += w->first[v];
  /* Filled from the back, each list's end moves to its beginning. */
  for (size_t i = 3 * (size_t)m->ntriangle; i-- > 0;)
    w->around[--w->first[m->triangle[i] + 1]] = (int)(i / 3);
  memmove(w->first, w->first + 1, (size_t)m->nvertex * sizeof(int));
  w->first[m->nvertex] = 3 * m->ntriangle;
}

/* The normal of triangle t at a vertex, of length 1. */
static void corner_normal(const work* w, int vertex, int t, double out[3]) {
  const double* flat = w->normal[t];
  int begin = w->first[vertex], end = w->first[vertex + 1];
  memcpy(out, flat, 3 * sizeof(double));
  double length = norm3(flat);
  for (int i = begin; i < end && end - begin <= CROWD; i++) {
    const double* other = w->normal[w->around[i]];
    if (w->around[i] == t || dot3(flat, other) < CREASE * length * norm3(other)) continue;
    for (int k = 0; k < 3; k++) out[k] += other[k];
  }
  length = norm3(out);
  for (int k = 0; k < 3; k++) out[k] /= length;
}

/* The vertex with this normal among those from `made` on, or a new one. */
static unsigned share_vertex(fb_gltf_surface* s, size_t made, const double p[3], const double n[3]) {
  for (size_t i = made; i < s->nvertex; i++)
    if (s->normal[3 * i] == (float)n[0] && s->normal[3 * i + 1] == (float)n[1] &&
        s->normal[3 * i + 2] == (float)n[2])
      return (unsigned)i;
  return fb_gltf_add_vertex(s, p, n);
}

/* Makes the vertices: corner[3 t + k] is the k-th of triangle t. */
static void make_vertices(const work* w, fb_gltf_surface* s, unsigned* corner) {
  for (int v = 0; v < w->mesh->nvertex; v++) {
    size_t made = s->nvertex;
    double p[3], n[3];
    position_of(w, (unsigned)v, p);
    for (int i = w->first[v]; i < w->first[v + 1]; i++) {
      int t = w->around[i];
      if (is_zero3(w->normal[t])) continue;
      corner_normal(w, v, t, n);
      if (s->nvertex - made > CROWD) made = s->nvertex;
      unsigned vertex = share_vertex(s, made, p, n);
      for (size_t k = 0; k < 3; k++)
        if (w->mesh->triangle[3 * (size_t)t + k] == (unsigned)v) corner[3 * (size_t)t + k] = vertex;
    }
  }
}

void fb_gltf_make_mesh(fb_gltf_surface* s, const fb_mesh* mesh, int mirrored) {
  size_t n = (size_t)mesh->ntriangle;
  work w = {.mesh = mesh};
  for (int i = 0; i < 3; i++) w.sign[i] = mirrored >> i & 1 ? -1 : 1;
  w.normal = (double(*)[3])malloc((n + 1) * sizeof *w.normal);
  w.first = calloc((size_t)mesh->nvertex + 2, sizeof(int));
  w.around = malloc((3 * n + 1) * sizeof(int));
  unsigned* corner = malloc((3 * n + 1) * sizeof *corner);
  if (w.normal && w.first && w.around && corner && n <= INT_MAX / 3) {
    find_normals(&w);
    find_neighbours(&w);
    make_vertices(&w, s, corner);
    int flip = w.sign[0] * w.sign[1] * w.sign[2] < 0;
    for (size_t t = 0; t < n; t++)
      if (!is_zero3(w.normal[t]))
        fb_gltf_add_triangle(s, corner[3 * t], corner[3 * t + (flip ? 2 : 1)],
                             corner[3 * t + (flip ? 1 : 2)]);
  } else {
    s->failed = 1;
  }
  free(w.normal);
  free(w.first);
  free(w.around);
  free(corner);
}
