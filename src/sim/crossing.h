/* crossing.h -- the first instant of a step at which a number passes zero. */
#ifndef FB_SIM_CROSSING_H
#define FB_SIM_CROSSING_H

#include "sim/sim.h"

/* What is watched: a number of the simulation that passes zero. */
typedef struct fb_watch {
  fb_status (*value)(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error);
  int index; /* handed to value */
  int side; /* on which side of zero it was at the start of the step: -1, +1; 0: on it, any departure counts */
  int direction; /* crossings that count: +1 rising, -1 falling, 0 either */
} fb_watch;

/* The first instant in (s->t0, t1] at which the value has passed zero in a direction that counts: the far end of a
 * bracket no wider than max(4 ulp(t), 1e-12 s); INFINITY when there is none. The step's end state is s->y1. */
fb_status fb_crossing_find(fb_sim* s, const fb_watch* watch, double t1, double* root, fb_error* error);

#endif
