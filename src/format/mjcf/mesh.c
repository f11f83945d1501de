/* mesh.c -- volume and inertia of a mesh, as MuJoCo computes them.
 *
 * The mesh is cut into pyramids over its triangles, with tops at a point c; their volumes are
 *   V_f = (d - c) . (e - c) x (f - c) / 6
 * and the integral of x x^T over one of them, from its top, is V_f/20 (2 (d d^T + e e^T + f f^T) + d e^T + e d^T + ...).
 * Unless the mesh or <compiler> asks for exact inertia, MuJoCo takes |V_f|, first about the centroid of the surface,
 * then about the centre of mass that follows: for convex meshes the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/files.h>
#include <freebody/rotation.h>

#include "format/mesh/mesh.h"
#include "format/mjcf/reader.h"
#include "math/vector3.h"
#include "text/path.h"

static const char* const WAYS[] = {"legacy", "convex", "exact", "shell", NULL};
enum { LEGACY, CONVEX, EXACT, SHELL };

typedef struct triangles {
  int count;
  const unsigned* corner; /* [count][3] */
  double* x;              /* [vertices][3] */
} triangles;

static void corners(const triangles* t, int i, const double c[3], double d[3][3]) {
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++) d[k][j] = t->x[3 * (size_t)t->corner[3 * i + k] + (size_t)j] - c[j];
}

/* Area and, by it, the centre of the surface. */
static double surface(const triangles* t, double centre[3]) {
  static const double zero[3] = {0, 0, 0};
  double total = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < t->count; i++) {
    double d[3][3], a[3], b[3], n[3];
    corners(t, i, zero, d);
    for (int j = 0; j < 3; j++) {
      a[j] = d[1][j] - d[0][j];
      b[j] = d[2][j] - d[0][j];
    }
    cross3(a, b, n);
    double area = length3(n) / 2;
    total += area;
    for (int j = 0; j < 3; j++) sum[j] += area * (d[0][j] + d[1][j] + d[2][j]) / 3;
  }
  for (int j = 0; j < 3; j++) centre[j] = total > 0 ? sum[j] / total : 0;
  return total;
}

static double pyramid(double d[3][3], int is_signed) {
  double n[3];
  cross3(d[1], d[2], n);
  double V = dot3(d[0], n) / 6;
  return is_signed ? V : fabs(V);
}

/* Volume about c; the centre of mass in *com. */
static double volume(const triangles* t, const double c[3], int is_signed, double com[3]) {
  double total = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < t->count; i++) {
    double d[3][3];
    corners(t, i, c, d);
    double V = pyramid(d, is_signed);
    total += V;
    for (int j = 0; j < 3; j++) sum[j] += V * (d[0][j] + d[1][j] + d[2][j]) / 4;
  }
  for (int j = 0; j < 3; j++) com[j] = c[j] + (total != 0 ? sum[j] / total : 0);
  return total;
}

/* Integrals of x_i x_j over the volume (or, of a shell, the surface), about c. */
static void products(const triangles* t, const double c[3], int way, double P[3][3]) {
  memset(P, 0, 9 * sizeof P[0][0]);
  for (int i = 0; i < t->count; i++) {
    double d[3][3], a[3], b[3], n[3], s[3], V;
    corners(t, i, c, d);
    for (int j = 0; j < 3; j++) {
      a[j] = d[1][j] - d[0][j];
      b[j] = d[2][j] - d[0][j];
      s[j] = d[0][j] + d[1][j] + d[2][j];
    }
    cross3(a, b, n);
    V = way == SHELL ? length3(n) / 2 / 12 : pyramid(d, way != LEGACY) / 20;
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        P[j][k] += V * (s[j] * s[k] + d[0][j] * d[0][k] + d[1][j] * d[1][k] + d[2][j] * d[2][k]);
  }
}

static void integrate(const triangles* t, int way, fb_spatial_inertia* out) {
  double centre[3], com[3], P[3][3], I[6];
  double mass = surface(t, centre);
  memcpy(com, centre, sizeof com);
  if (way != SHELL) mass = volume(t, centre, way != LEGACY, com);
  if (!(mass > 0)) return;
  products(t, com, way, P);
  for (int i = 0; i < 3; i++) I[i] = P[(i + 1) % 3][(i + 1) % 3] + P[(i + 2) % 3][(i + 2) % 3];
  I[3] = -P[0][1];
  I[4] = -P[0][2];
  I[5] = -P[1][2];
  fb_spatial_inertia_from_com(mass, com, I, out);
}

/* Vertices from the file's frame to the geom's: x = scale R_ref^T (v - p_ref). */
static fb_status place_vertices(fb_mjcf_reader* r, int asset, const fb_mesh* mesh, const double scale[3],
                                double* x) {
  double p[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0}, R[9];
  fb_status status = fb_mjcf_numbers(r, asset, "mesh", "refpos", 3, p, NULL);
  if (!status) status = fb_mjcf_numbers(r, asset, "mesh", "refquat", 4, q, NULL);
  fb_quat_normalise(q);
  fb_rot_from_quat(q, R);
  for (int i = 0; i < mesh->nvertex; i++) {
    double* v = x + 3 * (size_t)i;
    for (int j = 0; j < 3; j++) v[j] = (double)mesh->position[3 * i + j] - p[j];
    fb_rot_apply_transpose(R, v, v);
    for (int j = 0; j < 3; j++) v[j] *= scale[j];
  }
  return status;
}

static fb_status from_file(fb_mjcf_reader* r, int asset, const char* path, const double scale[3],
                           fb_spatial_inertia* out) {
  char* text = NULL;
  size_t size = 0;
  int way = LEGACY;
  fb_mesh mesh = {0};
  fb_error reason = {0};
  fb_status status = fb_mjcf_word(r, asset, "mesh", "inertia", WAYS, &way);
  if (status) return status;
  if (r->set.exact_meshes && way == LEGACY) way = EXACT;
  if (way == CONVEX) {
    fb_mjcf_pass(r, asset,
                 "the inertia of a mesh with inertia=\"convex\" is that of the mesh, not of its hull");
    way = EXACT;
  }
  r->read_mesh = 1;
  status = fb_file_read(path, &text, &size, &reason);
  if (!status) status = fb_mesh_parse(text, size, path, &mesh, &reason);
  free(text);
  if (status == FB_ERR_MEMORY) return fb_mjcf_no_memory(r);
  if (status) {
    fb_mjcf_pass(r, asset, "lost: the mass of a geom whose mesh cannot be read (%.70s)", reason.text);
    return FB_OK;
  }
  double* x = calloc((size_t)mesh.nvertex + 1, 3 * sizeof *x);
  if (!x) {
    fb_mesh_free(&mesh);
    return fb_mjcf_no_memory(r);
  }
  status = place_vertices(r, asset, &mesh, scale, x);
  triangles t = {mesh.ntriangle, mesh.triangle, x};
  if (!status) integrate(&t, way, out);
  if (!status && !(out->mass > 0))
    fb_mjcf_pass(r, asset, "lost: the mass of a geom whose mesh has no volume");
  free(x);
  fb_mesh_free(&mesh);
  return status;
}

fb_status fb_mjcf_mesh_inertia(fb_mjcf_reader* r, int asset, fb_spatial_inertia* out) {
  double scale[3];
  char* name;
  memset(out, 0, sizeof *out);
  fb_status status = fb_mjcf_mesh_file(r, asset, &name, scale);
  if (status) return status;
  if (!name || strcmp(name, "-") == 0) {
    fb_mjcf_pass(r, asset, "lost: the mass of a geom whose mesh has no file");
    free(name);
    return FB_OK;
  }
  char* path = fb_path_beside(r->file, name);
  status = path ? from_file(r, asset, path, scale, out) : fb_mjcf_no_memory(r);
  free(path);
  free(name);
  return status;
}
