/* mesh.h -- shared by shapes on meshes: triangles within reach, and the side of the surface on which a point is. */
#ifndef FB_CONTACT_COLLIDE_MESH_H
#define FB_CONTACT_COLLIDE_MESH_H

#include "contact/collide/corner.h"

#define FB_MESH_SLACK 1e-7 /* sine: normals of convex pairs may be off by this */

/* What moves against the mesh, in its axes. */
typedef struct fb_mesh_probe {
  const fb_convex* shape;
  int is_ball; /* a point or a sphere */
  double centre[3], radius;
  int feature;       /* of a round shape's points on faces */
  double end_gap[2]; /* of a capsule's ends, 0 or less */
  fb_corner* corner; /* of a shape with faces, or NULL */
  fb_faced* faced;
  double rolls; /* of a cylinder: 1 on its rims, 0 on a cap */
} fb_mesh_probe;

typedef void fb_mesh_visitor(const fb_mesh_probe* a, const fb_shape* b, const fb_triangle* t,
                             fb_point_list* list);

/* ---- mesh_query.c ---- */

/* A lower bound of the gap to points on the other side of the plane through q, across the line to the centre. */
double fb_mesh_bound(const fb_mesh_probe* a, const double q[3]);
/* Farther triangles cannot contribute. A shape that is turned out of a triangle may be deeper than its least depth. */
double fb_mesh_limit(const fb_point_list* list);
/* From x to the box of a node, whose nearest point is q. */
double fb_mesh_box_distance(const double x[3], const fb_bvh_node* n, const double scale[3], double q[3]);
/* Visits the triangles whose boxes are within reach of the probe's sphere, near ones first. */
void fb_mesh_visit(const fb_mesh_probe* a, const fb_shape* b, fb_mesh_visitor* act, fb_point_list* list);
/* The place nearest to x; its feature is the triangle, or -1 at the border of the mesh. 0: none within reach. */
int fb_mesh_nearest(const fb_convex* shape, const fb_shape* b, const double x[3], double max_gap,
                    fb_contact_point* t);
/* Whether x is in front of the surface, whose nearest triangle is given. At an edge or corner all triangles around it
 * decide: x may be behind the plane of one of them, and yet outside. */
int fb_mesh_is_in_front(const fb_shape* b, int triangle, const double x[3]);
/* The nearest triangle pushes out what has its centre behind it. */
void fb_mesh_push_out(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list);

/* ---- mesh_smooth.c: for compliant laws ---- */

/* A sphere or ellipsoid; the least of its gaps, or 0. */
double fb_mesh_add_round(const fb_mesh_probe* a, const fb_shape* b, fb_point_list* list);
/* A capsule: its ends, and what touches it between them. */
void fb_mesh_add_capsule(fb_mesh_probe* a, const fb_shape* b, fb_point_list* list);
/* A box, hull or cylinder: its corners, and what touches it between them. */
void fb_mesh_add_faced(fb_mesh_probe* a, const fb_shape* b, fb_point_list* list);

#endif
