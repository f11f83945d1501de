/* geometry.h -- what fb_geometry_... prepare: triangles with their neighbours and boxes around them, hulls, heights.
 *
 * Meshes and hulls are both triangles: those of a hull are its surface. All of it is in the units of the file; colliders
 * scale it by their size along x, y and z, which leaves indices, neighbours and facets as they are. */
#ifndef FB_CONTACT_GEOMETRY_H
#define FB_CONTACT_GEOMETRY_H

#include <freebody/collide.h>

typedef enum fb_geometry_kind {
  FB_GEOMETRY_NONE,
  FB_GEOMETRY_MESH,
  FB_GEOMETRY_HULL,
  FB_GEOMETRY_HEIGHTS
} fb_geometry_kind;

/* A box around some triangles: order[first .. first + count) of a leaf; of others count = 0, the children are the next node
 * and `first`. */
typedef struct fb_bvh_node {
  double low[3], high[3];
  int first, count;
} fb_bvh_node;

struct fb_geometry {
  fb_geometry_kind kind;
  double low[3], high[3];
  int nvertex, ntriangle;
  double* vertex; /* [nvertex][3] */
  int* triangle;  /* [ntriangle][3] */
  int*
      across; /* [ntriangle][3]: the triangle at the other side of the edge from corner k to the next; -1: none */
  int* facet; /* [ntriangle]: the first triangle of the flat patch it belongs to */
  int* order; /* [ntriangle]: triangles as the leaves list them */
  fb_bvh_node* node;
  int nnode;
  int nx, ny; /* of heights */
  double dx, dy;
  double* height; /* [ny][nx] */
};

/* The function that makes a geometry of this kind. */
const char* fb_geometry_maker(fb_geometry_kind kind);
/* Of a sphere about the origin that holds all of it, scaled. */
double fb_geometry_radius(const fb_geometry* g, const double scale[3]);

#endif
