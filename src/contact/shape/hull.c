/* hull.c -- convex hulls of points: made by quickhull, its triangles merged into flat faces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/shape/facet.h"
#include "contact/collide/polytope.h"
#include "contact/shape/quickhull.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

enum { CORNERS = 24 }; /* of a face that are used at most */

/* Keeps the vertices that triangles name. */
static int compress(fb_geometry* g) {
  int* renamed = calloc((size_t)g->nvertex + 1, sizeof *renamed);
  if (!renamed) return 0;
  int kept = 0;
  for (int i = 0; i < 3 * g->ntriangle; i++) renamed[g->triangle[i]] = 1;
  for (int v = 0; v < g->nvertex; v++) {
    if (!renamed[v]) continue;
    memmove(g->vertex + 3 * kept, g->vertex + 3 * v, 3 * sizeof *g->vertex);
    renamed[v] = kept++;
  }
  for (int i = 0; i < 3 * g->ntriangle; i++) g->triangle[i] = renamed[g->triangle[i]];
  g->nvertex = kept;
  free(renamed);
  return 1;
}

/* The edge k of triangle t is on the border of its face. */
static int is_border(const fb_geometry* g, int t, int k) {
  const int other = g->across[3 * t + k];
  return other < 0 || g->facet[other] != g->facet[t];
}

/* The border edge that follows edge k of triangle t around the face; as 3 triangle + corner. */
static int next_border(const fb_geometry* g, int at) {
  int t = at / 3, k = (at % 3 + 1) % 3;
  for (int turn = 0; turn < g->ntriangle && !is_border(g, t, k); turn++) {
    const int corner = g->triangle[3 * t + k], other = g->across[3 * t + k];
    t = other;
    for (k = 0; k < 2 && g->triangle[3 * t + k] != corner;) k++;
  }
  return 3 * t + k;
}

static void trace_face(fb_geometry* g, int start, char* done) {
  int at = start, count = g->face_first[g->nface];
  memcpy(g->face_normal + 3 * g->nface, g->normal + 3 * g->facet[start / 3], 3 * sizeof *g->normal);
  do {
    done[at] = 1;
    g->face_vertex[count++] = g->triangle[at];
    at = next_border(g, at);
  } while (at != start && !done[at]);
  g->face_first[++g->nface] = count;
}

static void unit_normal(const fb_geometry* g, int triangle, double n[3]) {
  const int* t = g->triangle + 3 * triangle;
  double e1[3], e2[3];
  for (int i = 0; i < 3; i++) {
    e1[i] = g->vertex[3 * t[1] + i] - g->vertex[3 * t[0] + i];
    e2[i] = g->vertex[3 * t[2] + i] - g->vertex[3 * t[0] + i];
  }
  fb_polytope_across(e1, e2, n);
}

static double area_of(const fb_geometry* g, int triangle) {
  double n[3];
  fb_geometry_normal(g, triangle, n);
  return norm3(n);
}

/* How far the corners of a triangle are off the plane of another. */
static double off_plane(const fb_geometry* g, int triangle, int of) {
  const double *m = g->normal + 3 * of, *p = g->vertex + 3 * g->triangle[3 * of];
  double most = 0;
  for (int k = 0; k < 3; k++) {
    const double* x = g->vertex + 3 * g->triangle[3 * triangle + k];
    const double away[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    most = fmax(most, fabs(dot3(m, away)));
  }
  return most;
}

/* Of all triangles; those in one plane with the largest of their patch have its normal. facet: that largest one. */
static int find_normals(fb_geometry* g) {
  static const double SAME_PLANE = 1e-14; /* of the size */
  const double size =
      norm3((const double[3]){g->high[0] - g->low[0], g->high[1] - g->low[1], g->high[2] - g->low[2]});
  int* largest = malloc((size_t)g->ntriangle * sizeof *largest);
  g->normal = malloc(3 * (size_t)g->ntriangle * sizeof *g->normal);
  if (!largest || !g->normal) {
    free(largest);
    return 0;
  }
  for (int t = 0; t < g->ntriangle; t++) largest[t] = t;
  for (int t = 0; t < g->ntriangle; t++) {
    int* most = &largest[g->facet[t]];
    unit_normal(g, t, g->normal + 3 * t);
    if (area_of(g, t) > area_of(g, *most)) *most = t;
  }
  for (int t = 0; t < g->ntriangle; t++) {
    const int of = largest[g->facet[t]];
    if (off_plane(g, t, of) <= SAME_PLANE * size)
      memcpy(g->normal + 3 * t, g->normal + 3 * of, 3 * sizeof *g->normal);
  }
  for (int t = 0; t < g->ntriangle; t++) g->facet[t] = largest[g->facet[t]];
  free(largest);
  return 1;
}

static int find_faces(fb_geometry* g) {
  const size_t edges = 3 * (size_t)g->ntriangle;
  char* done = calloc(edges, 1);
  g->face_first = calloc(edges + 1, sizeof *g->face_first);
  g->face_vertex = malloc(edges * sizeof *g->face_vertex);
  g->face_normal = malloc(edges * sizeof *g->face_normal);
  const int ready = done && g->face_first && g->face_vertex && g->face_normal;
  for (int t = 0; ready && t < g->ntriangle; t++)
    for (int k = 0; k < 3; k++)
      if (is_border(g, t, k) && !done[3 * t + k]) trace_face(g, 3 * t + k, done);
  free(done);
  return ready;
}

static fb_status make_hull(int nvertex, const double* vertices, const int* triangles, int ntriangle,
                           fb_geometry** geometry, fb_error* error) {
  fb_geometry* g = fb_geometry_new(FB_GEOMETRY_HULL, nvertex, vertices, ntriangle, triangles);
  if (!g) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a hull of %d vertices", nvertex);
  fb_status status = compress(g) ? fb_geometry_prepare(g, error) : FB_ERR_MEMORY;
  if (!status && !(find_normals(g) && find_faces(g))) status = FB_ERR_MEMORY;
  if (status == FB_ERR_MEMORY) fb_fail(error, status, "out of memory for a hull of %d vertices", nvertex);
  if (status) fb_geometry_free(g);
  *geometry = status ? NULL : g;
  return status;
}

fb_status fb_geometry_new_hull(int nvertex, const double* vertices, fb_geometry** geometry, fb_error* error) {
  int count, *triangles;
  *geometry = NULL;
  fb_status status = fb_geometry_check_points("hull", nvertex, vertices, 4, error);
  if (status) return status;
  const int failed = fb_quickhull(nvertex, vertices, &count, &triangles);
  if (failed == 1)
    return fb_fail(error, FB_ERR_CONTENT,
                   "the %d vertices of a hull have no volume: all are in a plane; use a box, or a mesh",
                   nvertex);
  if (failed) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a hull of %d vertices", nvertex);
  status = make_hull(nvertex, vertices, triangles, count, geometry, error);
  free(triangles);
  return status;
}

void fb_hull_face(const fb_convex* c, const double d[3], fb_facet* f) {
  const fb_geometry* g = c->hull;
  double local[3], most = -INFINITY;
  int best = 0;
  fb_rot_apply_transpose(c->R, d, local);
  for (int i = 0; i < g->nface; i++) {
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = g->face_normal[3 * i + k] / c->size[k];
    const double along = dot3(n, local) / norm3(n);
    if (!(along > most)) continue;
    most = along;
    best = i;
  }
  fb_facet_clear(f, best);
  for (int k = 0; k < 3; k++) f->m[k] = g->face_normal[3 * best + k] / c->size[k];
  const double length = norm3(f->m);
  for (int k = 0; k < 3; k++) f->m[k] /= length;
  fb_rot_apply(c->R, f->m, f->m);
  const int first = g->face_first[best], count = g->face_first[best + 1] - first;
  const int used = count < CORNERS ? count : CORNERS;
  for (int k = 0; k < used; k++) fb_facet_add(f, c, g->face_vertex[first + (int)((long)k * count / used)]);
}
