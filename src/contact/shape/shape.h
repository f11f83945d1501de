/* shape.h -- shared by the files of the geometry: a collider at a place, and the list of contact points of a pair.
 *
 * A pair is solved in the axes of b, about b's origin, so that results do not lose digits far from the world's origin and
 * b's shape is aligned with the axes. normals point out of b towards a. */
#ifndef FB_CONTACT_SHAPE_SHAPE_H
#define FB_CONTACT_SHAPE_SHAPE_H

#include <math.h>

#include <freebody/collide.h>

#include "contact/shape/curvature.h"

/* A collider and its place. */
typedef struct fb_shape {
  fb_collider_kind kind;
  double size[3];
  const fb_geometry* geometry;
  double p[3], R[9];
} fb_shape;

/* Candidates are kept up to FB_POINT_LIST_ROOM, then thinned out to those that span the contact. */
enum { FB_POINT_LIST_ROOM = 32 };

typedef struct fb_point_list {
  double max_gap; /* points with larger gaps are dropped */
  int nearest;    /* 1: only the least gap is wanted, reach follows the least so far */
  int count;
  fb_contact_point item[FB_POINT_LIST_ROOM];
  double weight[FB_POINT_LIST_ROOM]; /* of each point in compliant laws */
  double share, scale;               /* weight of those to be added, and a factor to it */
  int smooth;                        /* 1: for compliant laws, whose forces must be continuous in the pose */
  int once;                          /* 1: points at the same place are one, whatever their features */
  /* 1: features are those of convex shapes, by themselves; name: that of the part of a mesh on which they are */
  int named, name;
  int has_spare; /* spare: of mesh.c */
  fb_contact_point spare;
} fb_point_list;

/* An empty list. */
void fb_point_list_clear(fb_point_list* list, double max_gap);
/* Adds the point with p_b = point on b's surface; p_a follows. */
void fb_point_list_add(fb_point_list* list, double gap, const double normal[3], const double p_b[3],
                       const double curvature[2], int feature);
/* The same from the point on a's surface. */
void fb_point_list_add_a(fb_point_list* list, double gap, const double normal[3], const double p_a[3],
                         const double curvature[2], int feature);
/* Thins out to at most `most`: the deepest, then those farthest from all that are kept. Deepest first. */
void fb_point_list_thin(fb_point_list* list, int most);

/* Where the surface of a shape is nearest to a point, signed. In the shape's own axes. */
typedef struct fb_nearest {
  double gap; /* < 0: the point is inside */
  double normal[3], point[3];
  double curvature[2]; /* of the shape, larger first */
} fb_nearest;

/* Of a sphere, capsule, cylinder, box, ellipsoid or plane; a point is a sphere of no size. */
void fb_shape_nearest(const fb_shape* s, const double x[3], fb_nearest* n);
/* An ellipsoid with these radii about the origin, axes along x, y, z. */
void fb_ellipsoid_nearest(const double radii[3], const double x[3], fb_nearest* n);
/* Its curvature where the outward normal is n. */
void fb_ellipsoid_curvature(const double radii[3], const double n[3], fb_curvature* curvature);
/* From 0 to 1 as x goes from 0 to 1, smoothly. */
double fb_smooth_step(double x);
/* Two unit vectors across the unit vector n. */
void fb_across(const double n[3], double u[3], double v[3]);

/* The points with gap <= 0 as compliant laws use them, deepest first, each with a weight, so that the sum of their forces is
 * continuous in the pose. At most `most` <= FB_POINT_LIST_ROOM; their number. */
int fb_collide_smooth(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                      const fb_placement* at_b, int most, fb_contact_point points[FB_POINT_LIST_ROOM],
                      double weights[FB_POINT_LIST_ROOM]);

/* a against the half-space z <= 0. */
void fb_collide_plane(const fb_shape* a, fb_point_list* list);

/* x = p + R y, and back. */
void fb_shape_out(const fb_shape* s, const double y[3], double x[3]);
void fb_shape_in(const fb_shape* s, const double x[3], double y[3]);

/* The rim points of a cylinder that lie farthest along -up (unit): its two rims where the axis leans, or four points of the
 * cap that faces down, each with the cap's index and feature. */
typedef struct fb_rim {
  int count;
  double point[4][3];
  int feature[4];
  double curvature[2]; /* along a plane normal to up */
} fb_rim;
#define FB_RIM_ERROR 1e-4 /* error of the gap with the four points of a flat cap, over the radius (rim.c) */
void fb_cylinder_rim(const fb_shape* s, const double up[3], fb_rim* rim);
/* For compliant laws: the weight of the lowest points of both rims, from 0 to 1 as the axis leans from up; the rest
 * is that of four points of the cap that faces down. turn: cosine and sine from the x axis of the body to one of
 * these. */
double fb_cylinder_rolls(const double R[9], const double up[3]);
void fb_cylinder_ends(const fb_shape* s, const double up[3], fb_rim* rim);
void fb_cylinder_quarters(const fb_shape* s, const double up[3], double turn[2], fb_rim* rim);

#define FB_SHARP ((const double[2]){INFINITY, INFINITY}) /* curvature of points and corners */

#endif
