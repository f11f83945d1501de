/* bend.h -- how a surface curves where it touches. */
#ifndef FB_CONTACT_SHAPE_BEND_H
#define FB_CONTACT_SHAPE_BEND_H

/* Curvature k[0] >= k[1] along the unit tangents t[0] and t[1]; INFINITY across edges and at corners. */
typedef struct fb_bend {
  double k[2], t[2][3];
} fb_bend;

/* Principal curvatures of the gap between two surfaces that share a tangent plane; larger first. */
void fb_bend_add(const fb_bend* a, const fb_bend* b, double curvature[2]);

#endif
