/* collide.h -- geometry of contact: shapes and surfaces, and the points at which two of them touch.
 *
 * A collider is a shape at a place on a frame, or on the world. fb_collider_contact_points gives the points at which two colliders touch
 * or nearly do: the gap, the normal from b to a, the nearest points, and the curvature of the surfaces there. Pairs of
 * flat faces give several points, which do not depend on each other.
 *
 * Only fb_geometry_..., which prepare meshes, hulls and height fields once, allocate. */
#ifndef FREEBODY_COLLIDE_H
#define FREEBODY_COLLIDE_H

#include <freebody/export.h>
#include <freebody/status.h>

typedef enum fb_collider_kind {
  FB_COLLIDER_POINT,     /* the origin of its place */
  FB_COLLIDER_SPHERE,    /* size[0]: radius */
  FB_COLLIDER_CAPSULE,   /* size[0]: radius, size[1]: length of the straight part, along z */
  FB_COLLIDER_CYLINDER,  /* size[0]: radius, size[1]: length, along z: a wheel turns about z */
  FB_COLLIDER_BOX,       /* size: full edges */
  FB_COLLIDER_ELLIPSOID, /* size: radii */
  FB_COLLIDER_HULL,      /* geometry: the convex hull of its vertices; size: scale factors */
  FB_COLLIDER_MESH,      /* geometry: triangles, counter-clockwise seen from outside; size: scale factors */
  FB_COLLIDER_PLANE,     /* through the origin of its place, outwards along z; all below it is solid */
  FB_COLLIDER_HEIGHTFIELD /* geometry: heights along z over a grid in x and y, all below is solid; size: scale factors */
} fb_collider_kind;

/* Triangles, vertices of a hull, or heights, prepared for queries. Constant; shared by any number of colliders. */
typedef struct fb_geometry fb_geometry;

typedef struct fb_collider {
  fb_collider_kind kind;
  int frame;          /* a frame or body of the model; FB_WORLD */
  double at[3], R[9]; /* its place: the origin in axes of the frame; R takes the collider's axes to them */
  double size[3];     /* see fb_collider_kind [m] */
  /* of hulls, meshes and height fields; borrowed by fb_collider_contact_points; or NULL */
  const fb_geometry* geometry;
  int cookie_; /* set by fb_default_collider */
} fb_collider;

/* The pose of a collider in the world: the pose of its frame times its place in the frame. */
typedef struct fb_placement {
  double p[3], R[9];
} fb_placement;

/* A point of contact, or of least distance. World axes. */
typedef struct fb_contact_point {
  double gap;       /* between the surfaces along the normal; < 0: they penetrate [m] */
  double normal[3]; /* unit, out of b towards a: b pushes a along it */
  double p_a[3];    /* on the surface of a, */
  double p_b[3];    /* and of b: p_a = p_b + gap normal, up to rounding [m] */
  double curvature
      [2]; /* principal, of the gap between the surfaces: both added; INFINITY at a point or corner [1/m] */
  int feature; /* the same for the same pair of corners, edges or faces from one query to the next */
} fb_contact_point;

/* Points that fb_collider_contact_points gives at most for a pair. */
enum { FB_MAX_CONTACT_POINTS = 8 };

FB_BEGIN_DECLS

FB_API fb_collider fb_default_collider(void); /* a point at the origin of the world */

/* vertices: [nvertex][3]; triangles: [ntriangle][3] indices. Both are copied. FB_ERR_ARG or FB_ERR_CONTENT: indices
 * out of range, numbers that are not finite, no volume. */
FB_API fb_status fb_geometry_new_mesh(int nvertex, const double* vertices, int ntriangle,
                                      const int* triangles, fb_geometry** geometry, fb_error* error);
FB_API fb_status fb_geometry_new_hull(int nvertex, const double* vertices, fb_geometry** geometry,
                                      fb_error* error);
/* heights: [ny][nx], x fastest, at x = i dx, y = j dy from the origin of the collider's place; triangles between them.
 * Outside of the grid there is nothing. */
FB_API fb_status fb_geometry_new_heights(int nx, int ny, double dx, double dy, const double* heights,
                                         fb_geometry** geometry, fb_error* error);
FB_API void fb_geometry_free(fb_geometry* geometry); /* NULL is allowed */

/* Checks sizes, rotation and geometry. */
FB_API fb_status fb_collider_check(const fb_collider* collider, fb_error* error);
/* Radius of the bounding sphere about the collider's origin; INFINITY for planes, NAN for one not made by fb_default_collider. */
FB_API double fb_collider_radius(const fb_collider* collider);

/* The points whose gap is at most max_gap, deepest first, at most `room` and FB_MAX_CONTACT_POINTS. Returns their number; -1
 * when a collider was not made by fb_default_collider. Both must be valid (fb_collider_check). */
FB_API int fb_collider_contact_points(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                                      const fb_placement* at_b, double max_gap, fb_contact_point* points,
                                      int room);
/* The least gap, however large; minus the depth where they penetrate. Planes and height fields against each other:
 * INFINITY. NAN when a collider was not made by fb_default_collider. */
FB_API double fb_collider_gap(const fb_collider* a, const fb_placement* at_a, const fb_collider* b,
                              const fb_placement* at_b);

FB_END_DECLS

#endif
