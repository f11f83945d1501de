/* geometry.c -- meshes and height fields prepared for queries: neighbours, flat patches, boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/shape/geometry.h"
#include "math/vector3.h"

static const double FLAT = 1e-6; /* sine between triangles of one patch */

const char* fb_geometry_maker(fb_geometry_kind kind) {
  static const char* const makers[] = {"nothing", "fb_geometry_new_mesh", "fb_geometry_new_hull",
                                       "fb_geometry_new_heights"};
  return makers[kind];
}

double fb_geometry_radius(const fb_geometry* g, const double scale[3]) {
  double most[3];
  for (int i = 0; i < 3; i++) most[i] = scale[i] * fmax(fabs(g->low[i]), fabs(g->high[i]));
  return norm3(most);
}

void fb_geometry_free(fb_geometry* g) {
  if (!g) return;
  free(g->vertex);
  free(g->triangle);
  free(g->across);
  free(g->facing);
  free(g->facet);
  free(g->order);
  free(g->node);
  free(g->face_first);
  free(g->face_vertex);
  free(g->face_normal);
  free(g->normal);
  free(g);
}

fb_geometry* fb_geometry_new(fb_geometry_kind kind, int nvertex, const double* vertices, int ntriangle,
                             const int* triangles) {
  fb_geometry* g = calloc(1, sizeof *g);
  if (!g) return NULL;
  const size_t points = (size_t)nvertex * 3, corners = (size_t)ntriangle * 3;
  g->kind = kind;
  g->nvertex = nvertex;
  g->ntriangle = ntriangle;
  g->vertex = malloc((points + 1) * sizeof *g->vertex);
  g->triangle = calloc(corners + 1, sizeof *g->triangle);
  g->across = malloc((corners + 1) * sizeof *g->across);
  if (!g->vertex || !g->triangle || !g->across) {
    fb_geometry_free(g);
    return NULL;
  }
  if (vertices) memcpy(g->vertex, vertices, points * sizeof *vertices);
  if (triangles) memcpy(g->triangle, triangles, corners * sizeof *triangles);
  return g;
}

fb_status fb_geometry_check_points(const char* what, int count, const double* points, int least,
                                   fb_error* error) {
  if (count < least)
    return fb_fail(error, FB_ERR_ARG, "a %s has %d vertices; it needs at least %d", what, count, least);
  for (int i = 0; i < 3 * count; i++)
    if (!isfinite(points[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "vertex %d of a %s is not finite: %g, %g, %g", i / 3, what,
                     points[i / 3 * 3], points[i / 3 * 3 + 1], points[i / 3 * 3 + 2]);
  return FB_OK;
}

void fb_geometry_normal(const fb_geometry* g, int triangle, double normal[3]) {
  const int* t = g->triangle + 3 * triangle;
  double e1[3], e2[3];
  for (int i = 0; i < 3; i++) {
    e1[i] = g->vertex[3 * t[1] + i] - g->vertex[3 * t[0] + i];
    e2[i] = g->vertex[3 * t[2] + i] - g->vertex[3 * t[0] + i];
  }
  cross3(e1, e2, normal);
}

/* --- vertices at the same place --- */

typedef struct spot {
  double x[3];
  int index;
} spot;

static int by_place(const void* a, const void* b) {
  const spot *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
  return p->index < q->index ? -1 : 1;
}

static int same_place(const spot* p, const spot* q) {
  return p->x[0] == q->x[0] && p->x[1] == q->x[1] && p->x[2] == q->x[2];
}

/* STL files repeat every vertex: triangles get the first of those at one place. */
static int weld(fb_geometry* g) {
  spot* spots = calloc((size_t)g->nvertex + 1, sizeof *spots);
  int* first = calloc((size_t)g->nvertex + 1, sizeof *first);
  const int ready = spots && first;
  for (int i = 0; ready && i < g->nvertex; i++) {
    for (int k = 0; k < 3; k++) spots[i].x[k] = g->vertex[3 * i + k];
    spots[i].index = i;
  }
  if (ready) qsort(spots, (size_t)g->nvertex, sizeof *spots, by_place);
  for (int i = 0; ready && i < g->nvertex; i++) {
    const int again = i > 0 && same_place(&spots[i], &spots[i - 1]);
    first[spots[i].index] = again ? first[spots[i - 1].index] : spots[i].index;
  }
  for (int i = 0; ready && i < 3 * g->ntriangle; i++) g->triangle[i] = first[g->triangle[i]];
  free(spots);
  free(first);
  return ready;
}

/* --- neighbours --- */

typedef struct edge {
  int low, high, at; /* at: 3 triangle + corner */
} edge;

static int by_ends(const void* a, const void* b) {
  const edge *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->at < q->at ? -1 : 1;
}

/* Neighbours alone. 0: out of memory. */
static int join_neighbours(fb_geometry* g) {
  const int count = 3 * g->ntriangle;
  edge* edges = malloc(((size_t)count + 1) * sizeof *edges);
  if (!edges) return 0;
  for (int i = 0; i < count; i++) {
    const int from = g->triangle[i], to = g->triangle[i / 3 * 3 + (i + 1) % 3];
    edges[i] = (edge){from < to ? from : to, from < to ? to : from, i};
    g->across[i] = -1;
  }
  qsort(edges, (size_t)count, sizeof *edges, by_ends);
  g->closed = count > 0;
  for (int i = 0, run; i < count; i += run) {
    for (run = 1;
         i + run < count && edges[i + run].low == edges[i].low && edges[i + run].high == edges[i].high;)
      run++;
    if (run == 2) { /* edges that three triangles share have no neighbours */
      g->across[edges[i].at] = edges[i + 1].at / 3;
      g->across[edges[i + 1].at] = edges[i].at / 3;
    } else {
      g->closed = 0;
    }
  }
  free(edges);
  return 1;
}

/* --- flat patches --- */

static int is_flat_with(const double m[3], const double n[3]) {
  double c[3];
  cross3(m, n, c);
  return dot3(m, n) > 0 && norm3(c) <= FLAT * norm3(m) * norm3(n);
}

/* Triangles that are joined and parallel to the first of their patch. */
static int find_patches(fb_geometry* g) {
  g->facet = malloc(((size_t)g->ntriangle + 1) * sizeof *g->facet);
  int* todo = malloc(((size_t)g->ntriangle + 1) * sizeof *todo);
  const int done = g->facet && todo;
  for (int i = 0; done && i < g->ntriangle; i++) g->facet[i] = -1;
  for (int seed = 0; done && seed < g->ntriangle; seed++) {
    if (g->facet[seed] >= 0) continue;
    double m[3], n[3];
    int count = 0;
    fb_geometry_normal(g, seed, m);
    g->facet[seed] = seed;
    todo[count++] = seed;
    while (count > 0) {
      const int t = todo[--count];
      for (int k = 0; k < 3; k++) {
        const int next = g->across[3 * t + k];
        if (next < 0 || g->facet[next] >= 0) continue;
        fb_geometry_normal(g, next, n);
        if (!is_flat_with(m, n)) continue;
        g->facet[next] = seed;
        todo[count++] = next;
      }
    }
  }
  free(todo);
  return done;
}

static void drop_empty(fb_geometry* g) {
  int kept = 0;
  for (int t = 0; t < g->ntriangle; t++) {
    double n[3];
    fb_geometry_normal(g, t, n);
    if (!(norm3(n) > 0)) continue;
    memmove(g->triangle + 3 * kept++, g->triangle + 3 * t, 3 * sizeof *g->triangle);
  }
  g->ntriangle = kept;
}

static void find_bounds(fb_geometry* g) {
  for (int i = 0; i < 3; i++) {
    g->low[i] = INFINITY;
    g->high[i] = -INFINITY;
  }
  for (int v = 0; v < g->nvertex; v++)
    for (int i = 0; i < 3; i++) {
      g->low[i] = fmin(g->low[i], g->vertex[3 * v + i]);
      g->high[i] = fmax(g->high[i], g->vertex[3 * v + i]);
    }
}

static int find_facings(fb_geometry* g) {
  g->facing = malloc(3 * (size_t)g->ntriangle * sizeof *g->facing);
  for (int t = 0; g->facing && t < g->ntriangle; t++) {
    double* n = g->facing + 3 * t;
    fb_geometry_normal(g, t, n);
    const double area = norm3(n);
    for (int i = 0; i < 3; i++) n[i] = area > 0 ? n[i] / area : 0;
  }
  return g->facing != NULL;
}

fb_status fb_geometry_prepare(fb_geometry* g, fb_error* error) {
  find_bounds(g);
  if (!weld(g)) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a mesh of %d vertices", g->nvertex);
  drop_empty(g);
  if (g->ntriangle == 0)
    return fb_fail(error, FB_ERR_CONTENT,
                   "none of the triangles of a mesh has an area; check its vertices and indices");
  if (!find_facings(g) || !join_neighbours(g) || !find_patches(g) || !fb_bvh_build(g))
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for a mesh of %d triangles", g->ntriangle);
  return FB_OK;
}

/* --- the public makers --- */

/* Frees g unless status is FB_OK. */
static fb_status give(fb_geometry* g, fb_status status, fb_geometry** geometry) {
  if (status) fb_geometry_free(g);
  *geometry = status ? NULL : g;
  return status;
}

fb_status fb_geometry_new_mesh(int nvertex, const double* vertices, int ntriangle, const int* triangles,
                               fb_geometry** geometry, fb_error* error) {
  *geometry = NULL;
  fb_status status = fb_geometry_check_points("mesh", nvertex, vertices, 3, error);
  if (status) return status;
  if (ntriangle < 1 || ntriangle > FB_GEOMETRY_MOST || nvertex > FB_GEOMETRY_MOST)
    return fb_fail(error, FB_ERR_ARG,
                   "a mesh has %d triangles and %d vertices; it needs a triangle at least and %d at most",
                   ntriangle, nvertex, FB_GEOMETRY_MOST);
  for (int i = 0; i < 3 * ntriangle; i++)
    if (triangles[i] < 0 || triangles[i] >= nvertex)
      return fb_fail(error, FB_ERR_CONTENT,
                     "triangle %d of a mesh names vertex %d; there are %d, counted from 0", i / 3,
                     triangles[i], nvertex);
  fb_geometry* g = fb_geometry_new(FB_GEOMETRY_MESH, nvertex, vertices, ntriangle, triangles);
  if (!g) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a mesh of %d triangles", ntriangle);
  return give(g, fb_geometry_prepare(g, error), geometry);
}

static fb_status check_grid(int nx, int ny, double dx, double dy, const double* heights, fb_error* error) {
  if (nx < 2 || ny < 2 || nx > FB_GEOMETRY_MOST / 2 / ny)
    return fb_fail(error, FB_ERR_ARG,
                   "a height field has %d x %d heights; it needs at least 2 x 2 and %d in all at most", nx,
                   ny, FB_GEOMETRY_MOST / 2);
  if (!(dx > 0 && dx < INFINITY && dy > 0 && dy < INFINITY))
    return fb_fail(error, FB_ERR_ARG,
                   "the steps of a height field are %g and %g m; both must be larger than zero", dx, dy);
  for (int i = 0; i < nx * ny; i++)
    if (!isfinite(heights[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "height %d, %d of a height field is %g; it must be finite",
                     i % nx, i / nx, heights[i]);
  return FB_OK;
}

static void fill_grid(fb_geometry* g, int nx, int ny, double dx, double dy, const double* heights) {
  for (int i = 0; i < nx * ny; i++) {
    const int column = i % nx, row = i / nx;
    const double x[3] = {column * dx, row * dy, heights[i]};
    memcpy(g->vertex + 3 * i, x, sizeof x);
  }
  int* t = g->triangle;
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) {
      const int at = j * nx + i, corner[6] = {at, at + 1, at + nx + 1, at, at + nx + 1, at + nx};
      memcpy(t, corner, sizeof corner);
      t += 6;
    }
}

fb_status fb_geometry_new_heights(int nx, int ny, double dx, double dy, const double* heights,
                                  fb_geometry** geometry, fb_error* error) {
  *geometry = NULL;
  fb_status status = check_grid(nx, ny, dx, dy, heights, error);
  if (status) return status;
  fb_geometry* g = fb_geometry_new(FB_GEOMETRY_HEIGHTS, nx * ny, NULL, 2 * (nx - 1) * (ny - 1), NULL);
  if (!g) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a height field of %d x %d", nx, ny);
  g->nx = nx;
  fill_grid(g, nx, ny, dx, dy, heights);
  return give(g, fb_geometry_prepare(g, error), geometry);
}
