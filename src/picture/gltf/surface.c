/* surface.c -- triangles with normals for the plain shapes: a cube, and profiles turned about z. Triangles run
 * counter-clockwise seen from outside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "picture/gltf/gltf.h"

enum { AROUND = 32, QUARTER = 8 }; /* steps round the axis, and from the equator to a pole */

unsigned fb_gltf_add_vertex(fb_gltf_surface* s, const double position[3], const double normal[3]) {
  size_t n = 3 * s->nvertex;
  if (s->failed || s->nvertex >= UINT32_MAX ||
      !fb_grow(&s->position, n, 3, &s->position_room, sizeof(float)) ||
      !fb_grow(&s->normal, n, 3, &s->normal_room, sizeof(float))) {
    s->failed = 1;
    return 0;
  }
  for (int i = 0; i < 3; i++) {
    s->position[n + (size_t)i] = (float)position[i];
    s->normal[n + (size_t)i] = (float)normal[i];
  }
  return (unsigned)s->nvertex++;
}

void fb_gltf_add_triangle(fb_gltf_surface* s, unsigned a, unsigned b, unsigned c) {
  if (s->failed || !fb_grow(&s->index, s->nindex, 3, &s->index_room, sizeof *s->index)) {
    s->failed = 1;
    return;
  }
  s->index[s->nindex++] = a;
  s->index[s->nindex++] = b;
  s->index[s->nindex++] = c;
}

void fb_gltf_free_surface(fb_gltf_surface* s) {
  free(s->position);
  free(s->normal);
  free(s->index);
  memset(s, 0, sizeof *s);
}

void fb_gltf_make_box(fb_gltf_surface* s) {
  for (int face = 0; face < 6; face++) {
    int x = face / 2, y = (x + 1) % 3, z = (x + 2) % 3;
    double side = face % 2 ? -1 : 1;
    unsigned corner[4];
    for (int i = 0; i < 4; i++) {
      double p[3], n[3] = {0, 0, 0};
      n[x] = side;
      p[x] = 0.5 * side;
      p[y] = (i == 1 || i == 2 ? 0.5 : -0.5) * side;
      p[z] = i >= 2 ? 0.5 : -0.5;
      corner[i] = fb_gltf_add_vertex(s, p, n);
    }
    fb_gltf_add_triangle(s, corner[0], corner[1], corner[2]);
    fb_gltf_add_triangle(s, corner[0], corner[2], corner[3]);
  }
}

/* A point of a profile: distance from the axis, height, and the normal there. */
typedef struct point {
  double r, z, nr, nz;
} point;

/* Turns a profile, from its top down, about z. Two points in one place make a sharp edge. */
static void revolve(fb_gltf_surface* s, const point* profile, int count) {
  unsigned before = 0;
  for (int i = 0; i < count; i++) {
    unsigned row = 0;
    for (int k = 0; k < AROUND; k++) {
      double angle = 2 * 3.14159265358979323846 * k / AROUND, c = cos(angle), d = sin(angle);
      point p = profile[i];
      double position[3] = {p.r * c, p.r * d, p.z}, normal[3] = {p.nr * c, p.nr * d, p.nz};
      unsigned vertex = fb_gltf_add_vertex(s, position, normal);
      if (k == 0) row = vertex;
    }
    point a = profile[i > 0 ? i - 1 : 0], b = profile[i];
    int apart = i > 0 && (a.r != b.r || a.z != b.z);
    for (unsigned k = 0; k < AROUND && apart; k++) {
      unsigned next = (k + 1) % AROUND;
      if (b.r > 0) fb_gltf_add_triangle(s, before + k, row + k, row + next);
      if (a.r > 0) fb_gltf_add_triangle(s, before + k, row + next, before + next);
    }
    before = row;
  }
}

void fb_gltf_make_cylinder(fb_gltf_surface* s) {
  static const point profile[] = {{0, 0.5, 0, 1},  {1, 0.5, 0, 1},   {1, 0.5, 1, 0},
                                  {1, -0.5, 1, 0}, {1, -0.5, 0, -1}, {0, -0.5, 0, -1}};
  revolve(s, profile, 6);
}

/* Two half spheres, so far apart. */
void fb_gltf_make_capsule(fb_gltf_surface* s, double length) {
  point profile[2 * QUARTER + 2];
  int n = 0;
  for (int i = 0; i <= 2 * QUARTER; i++) {
    double angle = 3.14159265358979323846 * i / (2 * QUARTER);
    double nr = i == 0 || i == 2 * QUARTER ? 0 : sin(angle), nz = i == QUARTER ? 0 : cos(angle);
    if (i <= QUARTER) profile[n++] = (point){nr, nz + length / 2, nr, nz};
    if (i > QUARTER || (i == QUARTER && length > 0)) profile[n++] = (point){nr, nz - length / 2, nr, nz};
  }
  revolve(s, profile, n);
}

void fb_gltf_make_sphere(fb_gltf_surface* s) {
  fb_gltf_make_capsule(s, 0);
}
