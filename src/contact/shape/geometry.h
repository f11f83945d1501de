/* geometry.h -- data prepared by fb_geometry_...: triangles with their neighbours and boxes around them, hulls,
 * heights.
 *
 * Meshes and hulls are both triangles: those of a hull are its surface. All of it is in the units of the file; colliders
 * scale it by their size along x, y and z, which leaves indices, neighbours and facets as they are. */
#ifndef FB_CONTACT_SHAPE_GEOMETRY_H
#define FB_CONTACT_SHAPE_GEOMETRY_H

#include <freebody/collide.h>

typedef enum fb_geometry_kind {
  FB_GEOMETRY_NONE,
  FB_GEOMETRY_MESH,
  FB_GEOMETRY_HULL,
  FB_GEOMETRY_HEIGHTS
} fb_geometry_kind;

/* How far behind its surface a mesh that is not closed is solid, as part of its size. */
#define FB_OPEN_MESH_DEPTH 0.05

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
  int* triangle;  /* [ntriangle][3]; vertices at the same place have one index, the first */
  /* [ntriangle][3]: the triangle at the other side of the edge from corner k to the next; -1: none */
  int* across;
  double* facing;    /* [ntriangle][3]: unit normal of each, outward */
  int* facet;        /* [ntriangle]: one of the triangles of its flat patch, the same for all of them */
  int closed;        /* every edge has two sides */
  int* order;        /* [ntriangle]: triangles as the leaves list them */
  fb_bvh_node* node; /* boxes around them, the first around all */
  int nnode;
  int nx;          /* of height fields: heights along x; vertices are in their order */
  int nface;       /* of hulls: flat faces, polygons */
  int* face_first; /* [nface + 1]: where each starts in face_vertex */
  int* face_vertex;
  double* face_normal; /* [nface][3], outward, unit */
  double* normal;      /* [ntriangle][3] of hulls, outward, unit; the same of all in one plane */
};

enum { FB_GEOMETRY_MOST = 100000000 }; /* vertices, and triangles: three times as many are still an int */

/* A geometry with room for vertices and triangles, copied where they are not NULL; the rest is empty. NULL: out of memory. */
fb_geometry* fb_geometry_new(fb_geometry_kind kind, int nvertex, const double* vertices, int ntriangle,
                             const int* triangles);
/* Bounds, neighbours, flat patches and boxes. Triangles without area are left out. */
fb_status fb_geometry_prepare(fb_geometry* g, fb_error* error);
/* Boxes around triangles. 0: out of memory. */
int fb_bvh_build(fb_geometry* g);
/* The normal of a triangle, of twice its area as length. */
void fb_geometry_normal(const fb_geometry* g, int triangle, double normal[3]);
/* FB_ERR_ARG or FB_ERR_NOT_FINITE unless there are at least `least` points, all finite. */
fb_status fb_geometry_check_points(const char* what, int count, const double* points, int least,
                                   fb_error* error);

/* The function that makes a geometry of this kind. */
const char* fb_geometry_maker(fb_geometry_kind kind);
/* Radius of the bounding sphere about the origin, scaled. */
double fb_geometry_radius(const fb_geometry* g, const double scale[3]);

#endif
