/* nearest.c -- the point of a shape's surface that is nearest to a given point, signed: closed forms.
 *
 * Points and spheres touch every other shape where this says. Inside a shape the nearest point of the surface counts, with
 * the distance negative, so that the gap goes through zero smoothly. Where several points are equally near (the centre of a
 * sphere, the axis of a cylinder) one is taken, always the same. */
#include <string.h>

#include "contact/shape/shape.h"
#include "math/vector3.h"

static void set_curvature(fb_nearest* n, double large, double small) {
  n->curvature[0] = large;
  n->curvature[1] = small;
}

/* The direction of v, or `otherwise` where it has none; its length. */
static double direction_of(const double v[3], const double otherwise[3], double out[3]) {
  const double length = norm3(v);
  for (int i = 0; i < 3; i++) out[i] = length > 0 ? v[i] / length : otherwise[i];
  return length;
}

/* The surface at a distance `radius` around the point `core`. */
static void near_ball(const double core[3], double radius, const double x[3], const double otherwise[3],
                      fb_nearest* n) {
  const double away[3] = {x[0] - core[0], x[1] - core[1], x[2] - core[2]};
  n->gap = direction_of(away, otherwise, n->normal) - radius;
  memcpy(n->point, core, sizeof n->point);
  add_scaled3(n->point, radius, n->normal);
}

static void near_capsule(double radius, double half, const double x[3], fb_nearest* n) {
  const double core[3] = {0, 0, fmax(-half, fmin(half, x[2]))};
  near_ball(core, radius, x, (const double[3]){1, 0, 0}, n);
  set_curvature(n, 1 / radius, fabs(x[2]) < half ? 0 : 1 / radius);
}

static void near_cap(double half, const double x[3], fb_nearest* n) {
  const double side = x[2] < 0 ? -1 : 1;
  n->gap = fabs(x[2]) - half;
  memcpy(n->normal, (const double[3]){0, 0, side}, sizeof n->normal);
  memcpy(n->point, (const double[3]){x[0], x[1], side * half}, sizeof n->point);
  set_curvature(n, 0, 0);
}

static void near_cylinder(double radius, double half, const double x[3], fb_nearest* n) {
  const double rho = norm2(x[0], x[1]), side = x[2] < 0 ? -1 : 1;
  const double out[3] = {rho > 0 ? x[0] / rho : 1, rho > 0 ? x[1] / rho : 0, 0};
  const double beyond = rho - radius, above = fabs(x[2]) - half;
  if (beyond > 0 && above > 0) { /* the rim */
    const double rim[3] = {radius * out[0], radius * out[1], side * half};
    near_ball(rim, 0, x, out, n);
    set_curvature(n, INFINITY, beyond / (n->gap * rho));
  } else if (above >= beyond) {
    near_cap(half, x, n);
  } else {
    n->gap = beyond;
    memcpy(n->normal, out, sizeof n->normal);
    memcpy(n->point, (const double[3]){radius * out[0], radius * out[1], x[2]}, sizeof n->point);
    set_curvature(n, 1 / radius, 0);
  }
}

static void near_box_inside(const double size[3], const double x[3], fb_nearest* n) {
  int axis = 2;
  for (int i = 1; i >= 0; i--)
    if (size[i] / 2 - fabs(x[i]) < size[axis] / 2 - fabs(x[axis])) axis = i;
  const double side = x[axis] < 0 ? -1 : 1;
  n->gap = fabs(x[axis]) - size[axis] / 2;
  memset(n->normal, 0, sizeof n->normal);
  n->normal[axis] = side;
  memcpy(n->point, x, sizeof n->point);
  n->point[axis] = side * size[axis] / 2;
  set_curvature(n, 0, 0);
}

static void near_box(const double size[3], const double x[3], fb_nearest* n) {
  double core[3];
  int outside = 0, axis = 0;
  for (int i = 0; i < 3; i++) {
    core[i] = fmax(-size[i] / 2, fmin(size[i] / 2, x[i]));
    if (core[i] == x[i]) continue;
    outside++;
    axis = i;
  }
  if (outside == 0) {
    near_box_inside(size, x, n);
  } else {
    double face[3] = {0, 0, 0};
    face[axis] = x[axis] < 0 ? -1 : 1;
    near_ball(core, 0, x, face, n);
    set_curvature(n, outside > 1 ? INFINITY : 0, outside > 2 ? INFINITY : 0);
  }
}

void fb_shape_nearest(const fb_shape* s, const double x[3], fb_nearest* n) {
  const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1}, *size = s->size;
  switch (s->kind) {
    case FB_COLLIDER_CAPSULE:
      near_capsule(size[0], size[1] / 2, x, n);
      break;
    case FB_COLLIDER_CYLINDER:
      near_cylinder(size[0], size[1] / 2, x, n);
      break;
    case FB_COLLIDER_BOX:
      near_box(size, x, n);
      break;
    case FB_COLLIDER_ELLIPSOID:
      fb_ellipsoid_nearest(size, x, n);
      break;
    case FB_COLLIDER_PLANE:
      near_cap(0, (const double[3]){x[0], x[1], fabs(x[2])}, n);
      n->gap = x[2];
      break;
    default: {
      const double radius = s->kind == FB_COLLIDER_SPHERE ? size[0] : 0;
      near_ball(zero, radius, x, up, n);
      set_curvature(n, 1 / radius, 1 / radius);
    }
  }
}
