/* solid.c -- volume and inertia of a mesh, as MuJoCo 3 computes them (its user_mesh.cc).
 *
 * The mesh is cut into pyramids over its triangles, with tops at a point c; their volumes are
 *   V_f = (d - c) . (e - c) x (f - c) / 6
 * and the integral of x x^T over one of them, from its top, is V_f/20 (2 (d d^T + e e^T + f f^T) + d e^T + e d^T + ...).
 * Unless inertia is exact, MuJoCo takes |V_f|. The centre of mass follows from pyramids about the centroid of the
 * surface, volume and inertia then from pyramids about this centre: the volume is not the one that gave the centre unless
 * the mesh is convex. Of a shell, areas take the place of volumes. One pass each over the triangles.
 *
 * Principal axes are MuJoCo's too, by Jacobi's rotations that end where products of inertia are below 1e-12. */
#include "format/mjcf/solid.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "math/vector3.h"

static const double LEAST_PRODUCT = 1e-12; /* mjuu_eig3 */

static void corners(const fb_mjcf_triangles* t, int i, const double c[3], double d[3][3]) {
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++) d[k][j] = t->x[3 * (size_t)t->corner[3 * i + k] + (size_t)j] - c[j];
}

static double area(double d[3][3]) {
  double a[3], b[3], n[3];
  for (int j = 0; j < 3; j++) {
    a[j] = d[1][j] - d[0][j];
    b[j] = d[2][j] - d[0][j];
  }
  cross3(a, b, n);
  return length3(n) / 2;
}

/* Area and, by it, the centre of the surface. */
static double surface(const fb_mjcf_triangles* t, double centre[3]) {
  static const double zero[3] = {0, 0, 0};
  double total = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < t->ntriangle; i++) {
    double d[3][3];
    corners(t, i, zero, d);
    double A = area(d);
    total += A;
    for (int j = 0; j < 3; j++) sum[j] += A * (d[0][j] + d[1][j] + d[2][j]) / 3;
  }
  for (int j = 0; j < 3; j++) centre[j] = total > 0 ? sum[j] / total : 0;
  return total;
}

static double pyramid(double d[3][3], fb_mjcf_mass_rule rule) {
  double n[3];
  cross3(d[1], d[2], n);
  double V = dot3(d[0], n) / 6;
  return rule == FB_MJCF_LEGACY ? fabs(V) : V;
}

/* The centre of mass of pyramids about c, and their volume. */
static double centre_of_mass(const fb_mjcf_triangles* t, const double c[3], fb_mjcf_mass_rule rule,
                             double com[3]) {
  double total = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < t->ntriangle; i++) {
    double d[3][3];
    corners(t, i, c, d);
    double V = pyramid(d, rule);
    total += V;
    for (int j = 0; j < 3; j++) sum[j] += V * (d[0][j] + d[1][j] + d[2][j]) / 4;
  }
  for (int j = 0; j < 3; j++) com[j] = c[j] + (total != 0 ? sum[j] / total : 0);
  return total;
}

/* Integrals of x_i x_j over the volume or the surface, about c; returns its size. */
static double products(const fb_mjcf_triangles* t, const double c[3], fb_mjcf_mass_rule rule,
                       double P[3][3]) {
  double total = 0;
  memset(P, 0, 9 * sizeof P[0][0]);
  for (int i = 0; i < t->ntriangle; i++) {
    double d[3][3], s[3];
    corners(t, i, c, d);
    for (int j = 0; j < 3; j++) s[j] = d[0][j] + d[1][j] + d[2][j];
    double V = rule == FB_MJCF_SHELL ? area(d) : pyramid(d, rule),
           part = V / (rule == FB_MJCF_SHELL ? 12 : 20);
    total += V;
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        P[j][k] += part * (s[j] * s[k] + d[0][j] * d[0][k] + d[1][j] * d[1][k] + d[2][j] * d[2][k]);
  }
  return total;
}

/* --- principal axes --- */

/* R^T I R of a symmetric I. */
static void turned(const double I[9], const double R[9], double D[9]) {
  double Rt[9];
  fb_rot_transpose(R, Rt);
  fb_rot_multiply(Rt, I, D);
  fb_rot_multiply(D, R, D);
}

/* One rotation of Jacobi, about the axis of the largest product; 0 where there is nothing left to do. */
static int rotate(const double D[9], double R[9]) {
  int row = 1, column = 2, about = 0;
  if (fabs(D[1]) > fabs(D[2]) && fabs(D[1]) > fabs(D[5])) {
    row = 0, column = 1, about = 2;
  } else if (fabs(D[2]) > fabs(D[5])) {
    row = 0, about = 1;
  }
  double product = D[3 * row + column];
  if (fabs(product) < LEAST_PRODUCT) return 0;
  double ratio = (D[4 * column] - D[4 * row]) / (2 * product);
  double tangent = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
  if (1 / sqrt(1 + tangent * tangent) > 1 - LEAST_PRODUCT) return 0;
  double axis[3] = {0, 0, 0}, step[9];
  axis[about] = 1;
  fb_rot_from_axis_angle(axis, about == 1 ? atan(tangent) : -atan(tangent), step);
  fb_rot_multiply(R, step, R);
  return 1;
}

/* Moments in falling order and the rotation to their axes. */
static void find_axes(const double I[9], double moments[3], double R[9]) {
  enum { MOST_ROTATIONS = 500 };
  double D[9];
  fb_rot_identity(R);
  for (int i = 0; i < MOST_ROTATIONS; i++) {
    turned(I, R, D);
    if (!rotate(D, R)) break;
  }
  turned(I, R, D);
  for (int j = 0; j < 3; j++) moments[j] = D[4 * j];
  for (int j = 0; j < 3; j++) { /* 0 with 1, 1 with 2, 0 with 1 */
    int k = j % 2;
    double axis[3] = {0, 0, 0}, step[9], kept = moments[k];
    if (moments[k] + LEAST_PRODUCT >= moments[k + 1]) continue;
    moments[k] = moments[k + 1];
    moments[k + 1] = kept;
    axis[(k + 2) % 3] = 1;
    fb_rot_from_axis_angle(axis, acos(0.0), step);
    fb_rot_multiply(R, step, R);
  }
}

static void find_bounds(const fb_mjcf_triangles* t, fb_mjcf_solid* out) {
  for (int j = 0; j < 3; j++) {
    out->low[j] = HUGE_VAL;
    out->high[j] = -HUGE_VAL;
  }
  for (int i = 0; i < t->nvertex; i++) {
    double x[3];
    for (int j = 0; j < 3; j++) x[j] = t->x[3 * (size_t)i + (size_t)j] - out->axes.p[j];
    fb_rot_apply_transpose(out->axes.R, x, x);
    for (int j = 0; j < 3; j++) {
      out->low[j] = fmin(out->low[j], x[j]);
      out->high[j] = fmax(out->high[j], x[j]);
    }
  }
}

void fb_mjcf_integrate(const fb_mjcf_triangles* t, fb_mjcf_mass_rule rule, fb_mjcf_solid* out) {
  double centre[3], P[3][3], moments[3];
  memset(out, 0, sizeof *out);
  out->axes = fb_pose_identity();
  double size = surface(t, centre), *com = out->axes.p;
  memcpy(com, centre, sizeof centre);
  if (rule != FB_MJCF_SHELL) size = centre_of_mass(t, centre, rule, com);
  if (!(size > 0)) return;
  size = products(t, com, rule, P);
  if (!(size > 0) || !isfinite(size)) return;
  double I[6] = {P[1][1] + P[2][2], P[0][0] + P[2][2], P[0][0] + P[1][1], -P[0][1], -P[0][2], -P[1][2]};
  double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  fb_spatial_inertia_from_com(size, com, I, &out->inertia);
  find_axes(full, moments, out->axes.R);
  for (int j = 0; j < 3; j++) {
    double rest = moments[(j + 1) % 3] + moments[(j + 2) % 3] - moments[j];
    out->box[j] = sqrt(fmax(6 * rest / size, 0)) / 2;
  }
  find_bounds(t, out);
}
