/* response.h -- how a floating base answers to accelerations of some joints while all others give way. */
#ifndef FB_FLOATING_RESPONSE_H
#define FB_FLOATING_RESPONSE_H

#include "model/data.h"

/* After fb_mixed_dynamics in which the coordinates of links[1] .. links[count-1] were prescribed and those of links[0],
 * a free base, were not; each link is the child of the one before. Fills G (6 x n, row major, n coordinates in the order
 * of the links): [v'; w'] of the base origin, world axes, for a unit acceleration of each. Returns 0, and NaN, where the
 * base has no inertia about some axis. */
int fb_base_response(const fb_model* m, const fb_data* d, const int* links, int count, int n, double* G);

#endif
