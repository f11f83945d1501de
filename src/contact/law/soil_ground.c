/* soil_ground.c -- the ground under a wheel, as a plane
 *
 * Of a height field it is the plane of least squares through nine heights around the point where the rim touches it: a
 * radius long and as wide as the wheel. Heights are continuous, and so are the plane and the forces while the wheel
 * rolls from triangle to triangle, which the normals of single triangles are not. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "contact/shape/geometry.h"
#include "contact/law/soil.h"
#include "math/vector3.h"

/* Half the length of the patch, over the radius. */
static const double HALF_PATCH = 0.5;

/* A height field: cells a step apart along x and y. */
typedef struct grid {
  int nx, ny;
  double step[2], per_step[2], scale; /* per_step = 1 / step */
  const double* vertex;
} grid;

static grid grid_of(const fb_collider* field) {
  const fb_geometry* g = field->geometry;
  grid f = {.nx = g->nx, .ny = g->nvertex / g->nx, .scale = field->size[2], .vertex = g->vertex};
  f.step[0] = field->size[0] * g->vertex[3];
  f.step[1] = field->size[1] * g->vertex[3 * g->nx + 1];
  for (int i = 0; i < 2; i++) f.per_step[i] = 1 / f.step[i];
  return f;
}

/* Where x, in steps, is in a row of `count` places: the cell, and how far into it, 0 .. 1. Outside: the nearest. */
static int cell_of(double x, int count, double* within) {
  const double last = count - 1, at = x > last ? last : (x > 0 ? x : 0);
  const int cell = at < count - 2 ? (int)at : count - 2;
  *within = at - cell;
  return cell;
}

/* On the triangles of the field. */
static double height_at(const grid* f, double x, double y) {
  double u, v;
  const int i = cell_of(x * f->per_step[0], f->nx, &u), j = cell_of(y * f->per_step[1], f->ny, &v);
  const double* z = f->vertex + 3 * (j * f->nx + i) + 2;
  const double z00 = z[0], z10 = z[3], z01 = z[3 * f->nx], z11 = z[3 * f->nx + 3];
  return f->scale *
         (u >= v ? z00 + u * (z10 - z00) + v * (z11 - z10) : z00 + v * (z01 - z00) + u * (z11 - z01));
}

static int is_over(const grid* f, const double p[2]) {
  return p[0] >= 0 && p[0] <= (f->nx - 1) * f->step[0] && p[1] >= 0 && p[1] <= (f->ny - 1) * f->step[1];
}

/* z = height + slope (x - centre), in the axes of the field. */
typedef struct patch {
  double centre[2], height, slope[2];
} patch;

/* Over a rectangle along the unit vector `along`. */
static patch fit(const grid* field, const double centre[2], const double along[2], double half_length,
                 double half_width) {
  patch p = {.centre = {centre[0], centre[1]}};
  double forwards = 0, sideways = 0;
  for (int i = -1; i <= 1; i++)
    for (int k = -1; k <= 1; k++) {
      const double x = i * half_length, y = k * half_width;
      const double z =
          height_at(field, centre[0] + along[0] * x - along[1] * y, centre[1] + along[1] * x + along[0] * y);
      p.height += z / 9;
      forwards += i * z / (6 * half_length);
      sideways += k * z / (6 * half_width);
    }
  p.slope[0] = along[0] * forwards - along[1] * sideways;
  p.slope[1] = along[1] * forwards + along[0] * sideways;
  return p;
}

static void normal_of(const patch* p, double normal[3]) {
  const double length = sqrt(1 + p->slope[0] * p->slope[0] + p->slope[1] * p->slope[1]);
  normal[0] = -p->slope[0] / length;
  normal[1] = -p->slope[1] / length;
  normal[2] = 1 / length;
}

/* The field's plane in its own axes, for a wheel with its hub and axle there. */
static int fit_field(const fb_collider* field, const double hub[3], const double axle[3],
                     const double size[2], double normal[3], double point[3]) {
  const grid f = grid_of(field);
  const double length = norm2(axle[0], axle[1]);
  const double along[2] = {length > 0 ? axle[1] / length : 1, length > 0 ? -axle[0] / length : 0};
  double centre[2] = {hub[0], hub[1]};
  patch p = fit(&f, centre, along, HALF_PATCH * size[0], 0.5 * size[1]);
  normal_of(&p, normal);
  for (int i = 0; i < 2; i++) centre[i] -= size[0] * normal[i]; /* where the rim is lowest over that slope */
  if (!is_over(&f, centre)) return 0;
  p = fit(&f, centre, along, HALF_PATCH * size[0], 0.5 * size[1]);
  normal_of(&p, normal);
  memcpy(point, p.centre, sizeof p.centre);
  point[2] = p.height;
  return 1;
}

int fb_soil_ground(const fb_collider* wheel, const fb_placement* at_wheel, const fb_collider* ground,
                   const fb_placement* at_ground, double normal[3], double* level) {
  const double *R = at_ground->R, axle_w[3] = {at_wheel->R[2], at_wheel->R[5], at_wheel->R[8]};
  double n[3] = {0, 0, 1}, point[3] = {0, 0, 0}, hub[3], axle[3];
  if (ground->kind == FB_COLLIDER_HEIGHTFIELD) {
    memcpy(hub, at_wheel->p, sizeof hub);
    add_scaled3(hub, -1, at_ground->p);
    fb_rot_apply_transpose(R, hub, hub);
    fb_rot_apply_transpose(R, axle_w, axle);
    if (!fit_field(ground, hub, axle, wheel->size, n, point)) return 0;
  }
  fb_rot_apply(R, n, normal);
  fb_rot_apply(R, point, point);
  *level = dot3(normal, at_ground->p) + dot3(normal, point);
  return 1;
}
