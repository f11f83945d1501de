/* plane.c -- shapes against a plane: their lowest points, each with its own gap. Closed forms.
 *
 * The plane is z = 0, and all below is solid. Corners, ends and rims are points of their own, so that a box that lies on a
 * face touches at four, one that is tilted about an edge at two; gap = z of the point. */

#include "contact/shape/geometry.h"
#include "contact/shape/shape.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double UP[3] = {0, 0, 1};

static void add_low(fb_point_list* list, const double p[3], const double curvature[2], int feature) {
  fb_point_list_add_a(list, p[2], UP, p, curvature, feature);
}

static void add_ball(fb_point_list* list, const double centre[3], double radius, int feature) {
  const double low[3] = {centre[0], centre[1], centre[2] - radius};
  add_low(list, low, (const double[2]){1 / radius, 1 / radius}, feature);
}

static void add_ends(const fb_shape* a, fb_point_list* list) {
  for (int end = 0; end < 2; end++) {
    double centre[3];
    fb_shape_out(a, (const double[3]){0, 0, (end ? 0.5 : -0.5) * a->size[1]}, centre);
    add_ball(list, centre, a->size[0], end);
  }
}

static void add_corners(const fb_shape* a, fb_point_list* list) {
  for (int corner = 0; corner < 8; corner++) {
    double y[3], x[3];
    for (int i = 0; i < 3; i++) y[i] = (corner >> i & 1 ? 0.5 : -0.5) * a->size[i];
    fb_shape_out(a, y, x);
    add_low(list, x, FB_SHARP, corner);
  }
}

/* The lowest point of all; the four of a cap that is almost flat may lack a little of it. */
static void add_lowest(const fb_shape* a, fb_point_list* list) {
  double n[3], x[3];
  fb_rot_apply_transpose(a->R, UP, n);
  const double lean = norm2(n[0], n[1]);
  for (int i = 0; i < 2; i++) x[i] = lean > 0 ? -a->size[0] * n[i] / lean : 0;
  x[2] = n[2] > 0 ? -a->size[1] / 2 : a->size[1] / 2;
  fb_shape_out(a, x, x);
  add_low(list, x, FB_SHARP, n[2] < 0);
}

static void add_rim_points(const fb_shape* a, double share, const fb_rim* rim, fb_point_list* list) {
  const double up = fabs(a->R[8]), lean = sqrt(fmax(0, 1 - up * up)),
               curvature[2] = {INFINITY, lean / a->size[0]};
  list->share = share;
  for (int i = 0; i < rim->count; i++) add_low(list, rim->point[i], curvature, rim->feature[i]);
  list->share = 1;
}

/* For compliant laws: four points of a cap fade into the lowest of both rims. */
static void add_rim_smoothly(const fb_shape* a, fb_point_list* list) {
  const double rolls = fb_cylinder_rolls(a->R, UP);
  double turn[2];
  fb_rim rim;
  if (rolls < 1) {
    fb_cylinder_quarters(a, UP, turn, &rim);
    add_rim_points(a, 1 - rolls, &rim, list);
  }
  if (rolls > 0) {
    fb_cylinder_ends(a, UP, &rim);
    add_rim_points(a, rolls, &rim, list);
  }
}

static void add_rim(const fb_shape* a, fb_point_list* list) {
  fb_rim rim;
  if (list->nearest) {
    add_lowest(a, list);
    return;
  }
  if (list->smooth) {
    add_rim_smoothly(a, list);
    return;
  }
  fb_cylinder_rim(a, UP, &rim);
  for (int i = 0; i < rim.count; i++) add_low(list, rim.point[i], rim.curvature, rim.feature[i]);
}

static void add_ellipsoid(const fb_shape* a, fb_point_list* list) {
  const double* r = a->size;
  double n[3], low[3];
  fb_curvature curvature;
  fb_rot_apply_transpose(a->R, UP, n);
  const double h = norm3((const double[3]){r[0] * n[0], r[1] * n[1], r[2] * n[2]});
  for (int i = 0; i < 3; i++) low[i] = -r[i] * r[i] * n[i] / h;
  fb_ellipsoid_curvature(r, n, &curvature);
  fb_shape_out(a, low, low);
  low[2] = a->p[2] - h;
  add_low(list, low, curvature.k, 0);
}

static void add_vertices(const fb_shape* a, fb_point_list* list) {
  for (int v = 0; v < a->geometry->nvertex; v++) {
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = a->size[i] * a->geometry->vertex[3 * v + i];
    fb_shape_out(a, x, x);
    add_low(list, x, FB_SHARP, v);
  }
}

void fb_collide_plane(const fb_shape* a, fb_point_list* list) {
  if (a->kind == FB_COLLIDER_POINT)
    add_low(list, a->p, FB_SHARP, 0);
  else if (a->kind == FB_COLLIDER_SPHERE)
    add_ball(list, a->p, a->size[0], 0);
  else if (a->kind == FB_COLLIDER_CAPSULE)
    add_ends(a, list);
  else if (a->kind == FB_COLLIDER_CYLINDER)
    add_rim(a, list);
  else if (a->kind == FB_COLLIDER_BOX)
    add_corners(a, list);
  else if (a->kind == FB_COLLIDER_ELLIPSOID)
    add_ellipsoid(a, list);
  else if (a->kind == FB_COLLIDER_HULL || a->kind == FB_COLLIDER_MESH)
    add_vertices(a, list); /* planes and height fields have no distance from each other */
}
