/* solid.h -- volume, inertia and principal box of a closed mesh, as MuJoCo computes them. */
#ifndef FB_FORMAT_MJCF_SOLID_H
#define FB_FORMAT_MJCF_SOLID_H

#include <freebody/spatial.h>

/* Values of the attribute `inertia` of <mesh>. */
typedef enum fb_mjcf_mass_rule {
  FB_MJCF_LEGACY, /* pyramids count positive */
  FB_MJCF_CONVEX, /* the convex hull */
  FB_MJCF_EXACT,  /* pyramids count by their sign */
  FB_MJCF_SHELL   /* the surface */
} fb_mjcf_mass_rule;

typedef struct fb_mjcf_triangles {
  int ntriangle, nvertex;
  const unsigned* corner; /* [ntriangle][3], counter-clockwise seen from outside */
  const double* x;        /* [nvertex][3] */
} fb_mjcf_triangles;

typedef struct fb_mjcf_solid {
  /* for a density of 1, in the frame of the vertices; mass 0: there is no volume */
  fb_spatial_inertia inertia;
  fb_pose axes;           /* principal axes at the centre of mass, largest moment first */
  double box[3];          /* half lengths along them of the box of the same inertia */
  double low[3], high[3]; /* bounds of the vertices along them */
} fb_mjcf_solid;

void fb_mjcf_integrate(const fb_mjcf_triangles* t, fb_mjcf_mass_rule rule, fb_mjcf_solid* out);

#endif
