/* pivots.h -- finding the joint that has nothing to move. */
#ifndef FB_DYNAMICS_PIVOTS_H
#define FB_DYNAMICS_PIVOTS_H

#include <freebody/data.h>
#include <freebody/model.h>
#include <freebody/status.h>

#include "base/private_api.h"

/* After forward or mixed dynamics: the outermost body whose joint has nothing to move, and its least pivot; FB_WORLD when
 * all have. The pivot is NaN where the state itself was beyond numbers. */
FB_PRIVATE_API int fb_pivots_find_idle(const fb_model* m, const fb_data* d, double* pivot);

/* Of a joint that has nothing to move; *go_on: 0 ends the search and leaves the joint as it is. */
typedef fb_status (*fb_pivots_hold)(void* user, int body, int* go_on);

/* Prescribes joints with nothing to move, at rest at q, outermost first, until all that is left has something to move.
 * Cost O(n). */
FB_PRIVATE_API fb_status fb_pivots_hold_idle(const fb_model* m, fb_data* d, const double* q,
                                             unsigned char* prescribed, fb_pivots_hold hold, void* user);

#endif
