/* convex.h -- convex shapes by their support points, and the signed gap between two of them.
 *
 *   gap(n) = min over a, b of n.(a - b) = -h_A(-n) - h_B(n)
 *
 * The signed gap of A and B is the largest gap(n) of all unit n: their distance where they are apart, minus the least depth
 * where they penetrate. A convex shape here is a core (points, a segment, a polytope, a cylinder, an ellipsoid) with a layer
 * of thickness `radius` around it. */
#ifndef FB_CONTACT_SHAPE_CONVEX_H
#define FB_CONTACT_SHAPE_CONVEX_H

#include "contact/shape/geometry.h"
#include "contact/shape/shape.h"

typedef struct fb_convex {
  fb_collider_kind kind; /* FB_COLLIDER_CYLINDER, FB_COLLIDER_ELLIPSOID; all others have vertices */
  double radius;
  double p[3], R[9], size[3]; /* size: of cylinders and ellipsoids; the scale of vertices */
  int nvertex;
  const double* vertex;    /* [nvertex][3]: own, or of the geometry */
  const fb_geometry* hull; /* of hulls */
  double corners[24];      /* corners of boxes and triangles, ends of capsules */
  unsigned soft;           /* bits of a triangle's edges at which the surface continues: they cut no points */
  int name[3];             /* of the corners of triangles: vertices of the mesh */
} fb_convex;

/* `c` contains pointers into itself, and must not be copied. */
void fb_convex_from_shape(const fb_shape* s, fb_convex* c);
/* The shape that a smooth one was made from. */
fb_shape fb_convex_shape(const fb_convex* c);
/* A triangle, in the axes of the pair. */
void fb_convex_triangle(const double corner[3][3], const int name[3], fb_convex* c);
/* How a vertex is known outside: its index, or that in the mesh. */
static inline int fb_convex_name(const fb_convex* c, int index) {
  return c->kind == FB_COLLIDER_MESH && index >= 0 ? c->name[index] : index;
}

static inline int fb_convex_is_smooth(const fb_convex* c) {
  return c->kind == FB_COLLIDER_CYLINDER || c->kind == FB_COLLIDER_ELLIPSOID;
}

/* The point of the core farthest along d (of any length), in the axes of the pair; the index of the vertex, or -1. */
int fb_convex_support(const fb_convex* c, const double d[3], double x[3]);
void fb_convex_vertex(const fb_convex* c, int index, double x[3]);
/* The axis of a cylinder. */
void fb_convex_axis(const fb_convex* c, double z[3]);

/* A point a - b. */
typedef struct fb_minkowski {
  double w[3], a[3], b[3];
  int ia, ib;
} fb_minkowski;

void fb_minkowski_support(const fb_convex* a, const fb_convex* b, const double n[3], fb_minkowski* m);

/* Where two cores are nearest, or least deep: gap(n) is the largest; n from b to a. The simplex spans the features. */
typedef struct fb_closest {
  double gap, n[3];
  int count;
  fb_minkowski s[4];
  double weight[4];
} fb_closest;

/* The simplex reduced to the face nearest to the origin, with weights; v: that point. 1: the origin is inside. */
int fb_simplex_nearest(fb_closest* c, double v[3]);
/* Distance by GJK; 0: they touch or penetrate, and the simplex is where EPA starts. It stops when the distance is known to be
 * larger than `limit`. */
int fb_gjk(const fb_convex* a, const fb_convex* b, double tolerance, double limit, fb_closest* c);
/* Depth by EPA. */
void fb_epa(const fb_convex* a, const fb_convex* b, double tolerance, fb_closest* c);
/* Both, and for smooth shapes refined to rounding, unless the cores are farther apart than `limit`. */
void fb_convex_closest(const fb_convex* a, const fb_convex* b, double limit, fb_closest* c);
double fb_convex_gap_along(const fb_convex* a, const fb_convex* b, const double n[3]);

/* Two convex shapes: their points of contact, */
void fb_collide_convex(const fb_convex* a, const fb_convex* b, fb_point_list* list);
/* where the direction of the gap is known, */
void fb_collide_convex_at(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_point_list* list);
/* how the gap between the parts that come first along c->n curves, */
void fb_convex_curvature(const fb_convex* a, const fb_convex* b, const fb_closest* c, double curvature[2]);
/* the weight with which an inclination of this sine counts as flat: from 1 to 0, */
double fb_flat_share(double sine);
/* or only those of a over the face of b that points along c->n. */
void fb_collide_convex_over(const fb_convex* a, const fb_convex* b, const fb_closest* c, fb_point_list* list);

/* A shape that is not a plane against a mesh or a height field. */
void fb_collide_mesh(const fb_shape* a, const fb_shape* b, fb_point_list* list);

#endif
