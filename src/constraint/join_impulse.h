/* join_impulse.h -- the impulse of a join and the energy that it costs, from the trees before it. */
#ifndef FB_CONSTRAINT_JOIN_IMPULSE_H
#define FB_CONSTRAINT_JOIN_IMPULSE_H

#include <freebody/join.h>

/* body: the one in `to` whose joint is new; q_to: the state of `to`; prescribed: its coordinates that are held, or NULL. */
fb_status fb_join_find_impulse(const fb_model* from, fb_data* d, const double* q, const double* v,
                               const fb_model* to, int body, const double* q_to,
                               const unsigned char* prescribed, fb_join_impulse* out, fb_error* error);

#endif
