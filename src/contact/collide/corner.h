/* corner.h -- boxes, hulls and cylinders on the triangles of a mesh, for compliant laws (corner.c). */
#ifndef FB_CONTACT_COLLIDE_CORNER_H
#define FB_CONTACT_COLLIDE_CORNER_H

#include "contact/shape/triangle.h"

enum { FB_UNDER_ROOM = 24, FB_CARRIED_ROOM = 64, FB_RIDGE_ROOM = 96 };

#define FB_CORNER_OUT 0.0625 /* of the radius: farther out of a mesh a corner is not pushed */

/* A face that a point is under. */
typedef struct fb_under {
  double depth, away; /* along its normal; to the face itself, larger where the point is beside it */
  double turned;      /* 1: its normal is one that the point can have, 0: it is not */
  double normal[3];   /* from b to a */
  int face;
} fb_under;

/* A corner of a shape, or a point of a rim, and the triangles that it is under. */
typedef struct fb_corner {
  const fb_convex* a;
  int index; /* of a vertex; of cylinders: the end, 0 or 1 */
  int feature;
  int only;           /* the triangle whose point is wanted; -1: all of them */
  double x[3], share; /* share: weight on flat ground */
  double radius;      /* of the shape */
  double max_gap;     /* triangles farther away are not needed */
  double in, out;     /* how far it is in the mesh, or out of it */
  double air;         /* 1: it is not in contact, out there */
  int count;
  fb_under face[FB_UNDER_ROOM];
} fb_corner;

/* A point on an edge of the mesh. */
typedef struct fb_ridge_point {
  double depth, weight, normal[3], x[3];
  int feature;
} fb_ridge_point;

/* A shape on a mesh. */
typedef struct fb_faced {
  const fb_convex* a;
  double radius;
  int points;             /* 1: a triangle may be within reach */
  double up[3], around;   /* of cylinders: the mean normal of the ground, and how much of it there is; */
  double turn[2], rim[2]; /* where the first quarter of a cap is, and how deep the rims are */
  int ncarried;           /* corners that are pushed, and how deep they are */
  int corner[FB_CARRIED_ROOM];
  double carried[FB_CARRIED_ROOM];
  int count;
  fb_ridge_point point[FB_RIDGE_ROOM];
} fb_faced;

/* 1 to 0 as an edge goes behind a face, by the sine. */
double fb_under_turned(double sine);
/* Adds a face unless the list is full of nearer ones. */
void fb_under_take(fb_under* list, int* count, const fb_under* face);
/* The share of the weight of each; air: that of being outside. */
void fb_under_weigh(const fb_under* face, int count, double air, double weight[FB_UNDER_ROOM]);
/* How much a normal is one that the corner can have: 1 where no edge of the shape that starts there goes far behind it. */
double fb_corner_turned(const fb_corner* v, const double normal[3]);
/* How deep it is under a triangle; 0: that has no part of its weight. */
double fb_corner_depth(const fb_corner* v, const fb_triangle* t);
/* Takes a triangle near the corner. */
void fb_corner_take(fb_corner* v, const fb_triangle* t);
/* Adds its points; how deep it is, by their weights. */
double fb_corner_add_points(fb_corner* v, fb_point_list* list);
/* How deep the quarters of a cap are, interpolated to x: quadratic. */
double fb_faced_cap(const fb_faced* s, int cap, const double x[3]);
/* The edges of a triangle that bend away, in the shape; then the points on all of them. */
void fb_ridge_take(fb_faced* s, const fb_shape* b, const fb_triangle* t);
void fb_ridge_add_points(fb_faced* s, fb_point_list* list);

#endif
