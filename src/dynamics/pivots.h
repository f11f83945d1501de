/* pivots.h -- finding the joint that has nothing to move. */
#ifndef FB_DYNAMICS_PIVOTS_H
#define FB_DYNAMICS_PIVOTS_H

#include <freebody/data.h>
#include <freebody/model.h>

#include "base/private_api.h"

/* After forward or mixed dynamics: the outermost body whose joint has nothing to move, and its least pivot; FB_WORLD when
 * all have. The pivot is NaN where the state itself was beyond numbers. */
FB_PRIVATE_API int fb_pivots_find_idle(const fb_model* m, const fb_data* d, double* pivot);

#endif
