/* broad_phase.h -- which of many shapes on two sides may touch, by the spheres around them. */
#ifndef FB_CONTACT_SHAPE_BROAD_PHASE_H
#define FB_CONTACT_SHAPE_BROAD_PHASE_H

/* A side of a contact: where its spheres are, world axes, and their radii; INFINITY: it may touch everything. */
typedef struct fb_spheres {
  int count;
  const double (*centre)[3];
  const double* radius;
} fb_spheres;

/* The pairs of a sphere of a and one of b that are within `reach` of each other, ordered by a, then b. order: scratch for
 * a->count + b->count ints. Returns how many there are; if they are more than `room`, some are missing. About n log n for
 * spheres that are spread out. A centre that is not finite has no pairs. */
int fb_broad_pairs(const fb_spheres* a, const fb_spheres* b, double max_gap, int* order, int (*pairs)[2],
                   int room);

#endif
