/* element.h -- force elements between two frames: springs, tethers and bushings.
 *
 * An element exerts a pair of forces, equal and opposite about one point, on two frames. The frames may belong to the
 * same tree, to different trees, or one of them to the world. The energy that the element stores is part of the
 * potential energy of the simulation; what its dampers lose is part of the dissipated energy. The pair does no work and
 * gives no impulse from outside.
 *
 * An element is a block (block.h): fb_sim_add_block adds it, its stiffness, damping and length are parameters, and its
 * force is an output. docs/theory/elements.md has the equations. */
#ifndef FREEBODY_ELEMENT_H
#define FREEBODY_ELEMENT_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

/* Acts along the line through the origins of its frames, with tension = stiffness (d - length) + damping d', d being
 * their distance. Where the origins coincide, it exerts no force. Parameters in memory: "stiffness", "damping",
 * "length". Outputs: "force", the tension [N]; "length", the distance d [m]. */
typedef struct fb_spring {
  const char* name; /* unique among the blocks; copied */
  int a, b;         /* frames on two different bodies */
  double stiffness; /* >= 0 [N/m] */
  double damping;   /* >= 0 [N s/m] */
  double length;    /* without tension; negative: the distance of the frames at the start [m] */
  int slack;        /* 1: a tether, which pulls when it is longer than `length` and never pushes */
  int cookie_;      /* set by fb_default_spring */
} fb_spring;

/* Six springs and dampers, in the axes of a: along x, y, z the displacement of b's origin from a's, then about x, y, z
 * the rotation vector of b relative to a, which is at most half a turn long. No force where the frames coincide.
 * Parameters in memory: "stiffness.0" to "stiffness.5", "damping.0" to "damping.5". Outputs: "force" [N] and "torque"
 * [N m] on b at its origin, world axes. */
typedef struct fb_bushing {
  const char* name;    /* unique among the blocks; copied */
  int a, b;            /* frames on two different bodies */
  double stiffness[6]; /* >= 0 [N/m], then [N m/rad] */
  double damping[6];   /* >= 0 [N s/m], then [N m s/rad] */
  int cookie_;         /* set by fb_default_bushing */
} fb_bushing;

FB_BEGIN_DECLS

FB_API fb_spring fb_default_spring(void);   /* no name and no frames yet; length: the distance at the start */
FB_API fb_bushing fb_default_bushing(void); /* no name and no frames yet, all stiffness and damping 0 */
FB_API fb_status fb_block_new_spring(const fb_model* m, const fb_spring* spring, fb_block* block,
                                     fb_error* error);
FB_API fb_status fb_block_new_bushing(const fb_model* m, const fb_bushing* bushing, fb_block* block,
                                      fb_error* error);

FB_END_DECLS

#endif
