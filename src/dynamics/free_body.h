/* free_body.h -- trees that are one free link, in coordinates in which their inertia is one
 *
 *   H = L L^T,   J' = J L^-T,   J H^-1 J^T = J' J'^T
 *
 * over the motion of the link, [v; w] of its origin, world axes. */
#ifndef FB_DYNAMICS_FREE_BODY_H
#define FB_DYNAMICS_FREE_BODY_H

#include <freebody/response.h>

/* L^-1 of a tree, after fb_response_begin with the same `prescribed`; 0 where it is no free body, or has no inertia about an axis. */
int fb_free_body_whiten(const fb_model* m, const fb_data* d, const unsigned char* prescribed, int tree,
                        double inverse[36]);
/* J' of one end of a row between bodies. */
void fb_free_body_row(const fb_model* m, const fb_data* d, const fb_row* row, int end,
                      const double inverse[36], double J[6]);
/* The rates x of the coordinates of a tree where it moves by dv. */
void fb_free_body_rates(const fb_model* m, const fb_data* d, int tree, const double inverse[36],
                        const double dv[6], double* x);

#endif
