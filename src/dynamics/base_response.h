/* base_response.h -- the response of a base, floating or on joints, to accelerations of some joints. */
#ifndef FB_DYNAMICS_BASE_RESPONSE_H
#define FB_DYNAMICS_BASE_RESPONSE_H

#include "model/data.h"

/* After fb_mixed_dynamics in which the coordinates of links[ncarrier] .. links[count-1] were prescribed; the links
 * before carry body `base` (the last of them is its own link), and of their coordinates those with prescribed[k] do
 * not yield (NULL: all do); each link is the child of the one before. Fills G (6 x n, row major, n coordinates in
 * the order of the links): [v'; w'] of the base's origin, world axes, for a unit acceleration of each. Returns 0, and
 * NaN, where the base has no inertia about some axis, or a joint that carries it has none. */
int fb_base_response(const fb_model* m, const fb_data* d, const int* links, int ncarrier, int count, int base,
                     const unsigned char* prescribed, int n, double* G);

#endif
