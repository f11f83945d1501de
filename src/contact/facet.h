/* facet.h -- the flat parts of convex cores, and their overlap. */
#ifndef FB_CONTACT_FACET_H
#define FB_CONTACT_FACET_H

#include "contact/convex.h"

enum { FB_FACET_ROOM = 64 };

/* A point, a segment, or a convex polygon, counter-clockwise about m; or the disc of a cylinder's cap with some points of
 * its rim. */
typedef struct fb_facet {
  int count;
  double x[FB_FACET_ROOM][3];
  int id[FB_FACET_ROOM];     /* of each point, */
  int edge[FB_FACET_ROOM];   /* and of the edge that follows it */
  char loose[FB_FACET_ROOM]; /* a point that was cut where the surface goes on: no contact */
  unsigned soft;             /* bits of edges beyond which the surface goes on */
  int face;                  /* which face of its shape */
  double m[3];               /* outward normal of polygons and discs */
  double disc;               /* radius of a disc, or 0 */
  double centre[3];          /* of it */
  double curvature[2];       /* at its points, of the core */
} fb_facet;

/* A face of c whose normal is along d (unit) to 1e-6; 0: there is none. */
int fb_facet_flat(const fb_convex* c, const double d[3], fb_facet* f);
/* The points that come first along d: the face that looks along it most, the ends of a capsule, rim points of a cylinder. */
void fb_facet_lowest(const fb_convex* c, const double d[3], fb_facet* f);
/* No points yet, of corners that are sharp. */
void fb_facet_clear(fb_facet* f, int face);
void fb_facet_add(fb_facet* f, const fb_convex* c, int vertex);
/* The same of a hull. */
void fb_hull_face(const fb_convex* c, const double d[3], fb_facet* f);
/* The part of f over the facet `on`, along its normal. */
void fb_facet_clip(fb_facet* f, const fb_facet* on);
/* One number for two. */
int fb_feature(int i, int j);

#endif
