/* turning.h -- unbalanced rotating parts, and the steps that resolve their rotation (turning.c). */
#ifndef FB_SIM_TURNING_H
#define FB_SIM_TURNING_H

#include "sim/sim.h"

/* Finds the unbalance of every link. s->d holds the neutral configuration; 0: no memory. */
int fb_turning_make(fb_sim* s);
/* The longest step from y, h or less, in which no unbalanced part turns by more than a radian; *coordinate, which may
 * be NULL: that of the joint that bounds it, or -1. */
double fb_turning_bound(fb_sim* s, const double* y, double h, int* coordinate);

#endif
