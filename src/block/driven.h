/* driven.h -- forces of joints and wrenches at frames that a host program or another process gives as numbers. */
#ifndef FB_BLOCK_DRIVEN_H
#define FB_BLOCK_DRIVEN_H

#include <freebody/block.h>

#include "base/private_api.h"

/* What the numbers drive, in their order: one for each coordinate, six for each frame, the force first. */
typedef struct fb_driven {
  int ncoordinate, nframe;
  const int* coordinates; /* [ncoordinate] indices in v of the first model */
  const int* frames;      /* [nframe] */
  int in_frame_axes;
} fb_driven;

/* Adds the forces u to the action; now: [ncoordinate] the coordinates in the present model, -1: the joint no longer exists. */
FB_PRIVATE_API void fb_driven_act(const fb_driven* d, const int* now, const double* u, fb_action* action);
/* Finds the coordinates in the next model; a note names the last of those that no longer exist. Returns FB_OK. */
FB_PRIVATE_API fb_status fb_driven_rebind(const fb_driven* d, const fb_model* first, const fb_model* next,
                                          int* now, fb_error* error);

#endif
