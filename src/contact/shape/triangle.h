/* triangle.h -- a triangle of a mesh or height field, and whether a normal belongs to the surface there. */
#ifndef FB_CONTACT_SHAPE_TRIANGLE_H
#define FB_CONTACT_SHAPE_TRIANGLE_H

#include "contact/shape/convex.h"

typedef struct fb_triangle {
  int index;
  int name[3];    /* vertices of the mesh */
  double x[3][3]; /* corners, scaled */
  double m[3];    /* outward unit normal */
} fb_triangle;

/* A part of a triangle: a corner, the edge that starts at a corner, or all of it. */
typedef struct fb_region {
  int count; /* 1, 2 or 3 corners */
  int corner;
} fb_region;

void fb_triangle_get(const fb_shape* b, int index, fb_triangle* t);
/* Into the triangle, across the edge that starts at corner k; not of unit length. */
void fb_triangle_inwards(const fb_triangle* t, int k, double out[3]);
/* Which of its corners is the vertex `name` of the mesh. */
int fb_triangle_corner(const fb_triangle* t, int name);
/* The point of a triangle nearest to x, and the region it is on. */
fb_region fb_triangle_nearest(const fb_triangle* t, const double x[3], double point[3]);
/* Whether n can be the normal of the whole surface there: no neighbour would be nearer along it. slack: sine by which n may be
 * off. */
int fb_triangle_owns(const fb_shape* b, const fb_triangle* t, fb_region where, const double n[3],
                     double slack);
/* The least sine between n and the normals of the triangles around an edge or corner of t that point along n, INFINITY where none
 * does; *first: t is the first of them, by its index. */
double fb_triangle_lean(const fb_shape* b, const fb_triangle* t, fb_region where, const double n[3],
                        int* first);
/* Bits of the edges beyond which the surface does not bend away: flat or concave. */
unsigned fb_triangle_soft_edges(const fb_shape* b, const fb_triangle* t);

#endif
