/* polytope.h -- convex cores that have vertices: points, segments, triangles, boxes, hulls. Their axes of separation, and
 * the signed gap between two of them. */
#ifndef FB_CONTACT_COLLIDE_POLYTOPE_H
#define FB_CONTACT_COLLIDE_POLYTOPE_H

#include "contact/shape/convex.h"

/* Part of a core: a vertex, an edge, or a triangle of a face, and the point of it that is nearest to the other core. */
typedef struct fb_part {
  int count; /* 1, 2 or 3 vertices */
  int vertex[3];
  double weight[3]; /* of the point */
} fb_part;

/* Sine above which it is known where two edges cross. Below it the gap is the same at their ends, to this part of their length. */
#define FB_CROSSED 1e-10

/* A direction n, from b to a, with the gap along it, and where it comes from. */
typedef struct fb_axis {
  double gap, n[3];
  enum { FB_AXIS_NONE, FB_AXIS_FACE_B, FB_AXIS_FACE_A, FB_AXIS_EDGES, FB_AXIS_FLAT } of;
  int edge_a[2], edge_b[2]; /* vertices of the edges that n is across */
  int face[3];              /* vertices of a hull's face */
} fb_axis;

/* A search for the axis with the largest gap. */
typedef struct fb_sat {
  const fb_convex *a, *b;
  double slack; /* a later axis must be better by this: rounding */
  double size;  /* of both */
  fb_axis best;
} fb_sat;

/* u x v to unit length, to rounding however parallel they are; 0: they are parallel. */
int fb_polytope_across(const double u[3], const double v[3], double n[3]);
/* Tries the unit vector m both ways; `axis` says where it is from. 1: it is the best so far. */
int fb_sat_try(fb_sat* s, const double m[3], const fb_axis* axis);
/* The largest gap along normals of faces and across edges: the signed gap where two cores penetrate, and a lower bound of
 * the distance where they do not. Ends as soon as it is larger than `limit`. */
void fb_sat_search(fb_sat* s, double limit);
/* The same where one is a hull. */
void fb_sat_hulls(fb_sat* s, double limit);
/* Normals of the faces of a small core (all but hulls). */
void fb_sat_faces(fb_sat* s, const fb_convex* c, double limit);
/* About the middle of a core. */
void fb_polytope_middle(const fb_convex* c, double x[3]);
/* Edges of small cores: how many directions there are, each, and the ends of the edge along direction k that
 * is farthest along d. */
int fb_polytope_directions(const fb_convex* c);
void fb_polytope_direction(const fb_convex* c, int k, double e[3]);
void fb_polytope_edge(const fb_convex* c, int k, const double d[3], int ends[2]);

/* The distance between cores that are apart by `axis`, and at most `most`, by testing all near parts: slow and
 * reliable. */
double fb_polytope_distance(const fb_convex* a, const fb_convex* b, const fb_axis* axis, double most,
                            fb_part* on_a, fb_part* on_b, double n[3]);
/* The signed gap, unless it is larger than `limit`. */
void fb_polytope_closest(const fb_convex* a, const fb_convex* b, double limit, fb_closest* c);

#endif
