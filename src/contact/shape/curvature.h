/* curvature.h -- the curvature of a surface at a contact point. */
#ifndef FB_CONTACT_SHAPE_CURVATURE_H
#define FB_CONTACT_SHAPE_CURVATURE_H

/* Curvature k[0] >= k[1] along the unit tangents t[0] and t[1]; INFINITY across edges and at corners. */
typedef struct fb_curvature {
  double k[2], t[2][3];
} fb_curvature;

/* Principal curvatures of the gap between two surfaces that share a tangent plane; larger first. */
void fb_curvature_add(const fb_curvature* a, const fb_curvature* b, double curvature[2]);

#endif
