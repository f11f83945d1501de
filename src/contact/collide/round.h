/* round.h -- spheres, capsules and ellipsoids on the triangles of a mesh, for compliant laws. */
#ifndef FB_CONTACT_COLLIDE_ROUND_H
#define FB_CONTACT_COLLIDE_ROUND_H

#include "contact/shape/triangle.h"

/* Adds the points at which the triangle, its edges and its corners touch a sphere or ellipsoid. feature: of those on faces. */
void fb_round_add_points(const fb_convex* a, const fb_shape* b, const fb_triangle* t, int feature,
                         fb_point_list* list);
/* Weighs those from item `first` on: points of one shape with the same normal are one. */
void fb_round_weigh(fb_point_list* list, int first);
/* Adds the points at which edges and corners touch a capsule between its ends, whose gaps are given: as much as the ends lack. */
void fb_round_add_side_points(const fb_convex* a, const fb_shape* b, const fb_triangle* t,
                              const double end_gap[2], fb_point_list* list);
/* Weighs those from item `first` on: points that are close are one. */
void fb_round_weigh_side(fb_point_list* list, int first, double radius);

#endif
