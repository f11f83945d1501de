/* facet.h -- the flat parts of convex cores, and their overlap. */
#ifndef FB_CONTACT_SHAPE_FACET_H
#define FB_CONTACT_SHAPE_FACET_H

#include "contact/shape/convex.h"

enum { FB_FACET_ROOM = 64 };

/* Weights of corners that are not known yet; shared: with the triangle beyond a soft side. */
enum { FB_WEIGHT_OPEN = -1, FB_WEIGHT_SHARED = -2 };

/* Edges of a facet that is clipped: its own, on the border of its surface or within, or along a side that clipped it. */
typedef enum fb_facet_edge { FB_EDGE_BORDER, FB_EDGE_INNER, FB_EDGE_SIDE, FB_EDGE_SOFT_SIDE } fb_facet_edge;

/* A point, a segment, or a convex polygon, counter-clockwise about m; or the disc of a cylinder's cap with some points of
 * its rim. */
typedef struct fb_facet {
  int count;
  double x[FB_FACET_ROOM][3];
  int id[FB_FACET_ROOM];        /* of each point, */
  int edge[FB_FACET_ROOM];      /* and of the edge that follows it */
  double weight[FB_FACET_ROOM]; /* of each corner by how far the border turns there, a right angle 1 */
  char loose[FB_FACET_ROOM];    /* a point that was cut where the surface continues: no contact */
  char kind[FB_FACET_ROOM];     /* of the edge that follows: an fb_facet_edge */
  unsigned soft;                /* bits of edges beyond which the surface continues */
  int face;                     /* which face of its shape */
  double m[3];                  /* outward normal of polygons and discs */
  double disc;                  /* radius of a disc, or 0 */
  double centre[3];             /* of it */
  double curvature[2];          /* at its points, of the core */
} fb_facet;

/* The face of c whose normal is closest to d (unit), and the sine of the angle between; INFINITY: there is none. */
double fb_facet_lean(const fb_convex* c, const double d[3], fb_facet* f);
/* The points that come first along d: the face whose normal is closest to it, the ends of a capsule, rim points of a cylinder. */
void fb_facet_lowest(const fb_convex* c, const double d[3], fb_facet* f);
/* No points yet, of corners that are sharp. */
void fb_facet_clear(fb_facet* f, int face);
void fb_facet_add(fb_facet* f, const fb_convex* c, int vertex);
/* The same of a hull. */
void fb_hull_face(const fb_convex* c, const double d[3], fb_facet* f);
/* Weighs the corners of f that are not known yet, seen along d. Those of points and segments count 1. */
void fb_facet_weigh(fb_facet* f, const double d[3]);
/* The part of f over the facet `on`, seen along d. */
void fb_facet_clip(fb_facet* f, const fb_facet* on, const double d[3]);
/* One number for two. */
int fb_feature(int i, int j);

#endif
