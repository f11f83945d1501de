/* trees.h -- what is measured of a tree of links in its own frame (trees.inl). */
#ifndef FB_DYNAMICS_TREES_H
#define FB_DYNAMICS_TREES_H

#include <stddef.h>

/* About its centre of mass when it floats, else in the world's frame. Numbers alone, so that kernels may have as many of
 * each as they have lanes. */
typedef struct fb_tree_local {
  double mass;
  double com[3], com_v[3];   /* from the base's origin, relative to it; world axes; zero on the world */
  double drift[3];           /* velocity of the centre of mass in the world; zero on the world */
  double carried;            /* of its kinetic energy, that of the centres of mass of links */
  double kinetic, potential; /* potential: springs, and gravity of trees on the world */
  double potential_size;     /* sum of the magnitudes of what was summed for it */
  double angular[3];         /* about the centre of mass */
  double spread;             /* sum of m |r|^2 about the centre of mass */
  double inertia[6];         /* about it: xx, yy, zz, xy, xz, yz */
} fb_tree_local;

/* Where they are among the numbers of a tree. */
#define FB_TREE_AT(member) (int)(offsetof(fb_tree_local, member) / sizeof(double))
enum { FB_TREE_SIZE = sizeof(fb_tree_local) / sizeof(double) };

/* What is summed: mass, com and com_v; all but the inertia; all but carried, energies and spread, of floating trees. */
typedef enum fb_tree_sums { FB_TREES_PLACES, FB_TREES_ENERGIES, FB_TREES_MOMENTA } fb_tree_sums;

#endif
