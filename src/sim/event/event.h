/* event.h -- events and ports of a simulation. */
#ifndef FB_SIM_EVENT_H
#define FB_SIM_EVENT_H

#include "sim/sim.h"

/* ---- event.c ---- */

/* The next instant of a time event after t (at or after, when it has not happened there). */
double fb_event_next_time(const fb_sim* s, int event);
/* Searches for crossings between s->y0 at s->step.t0 and s->y1 at *t1; shortens the step to the first. */
fb_status fb_events_locate(fb_sim* s, double* t1, fb_error* error);
/* Lets the events that are due at s->head->t happen, those that have not yet; *acted is set when one of them did
 * something. */
fb_status fb_events_act(fb_sim* s, int* acted, fb_error* error);

/* ---- ports.c ---- */

/* Finds the inputs of all blocks and the order of the blocks. */
fb_status fb_ports_start(fb_sim* s, fb_error* error);
/* Fills s->block.in at (t, y): before blocks act or tick. */
fb_status fb_ports_fill(fb_sim* s, double t, const double* y, fb_error* error);
/* Fills s->block.out, of the blocks that these signals are of. */
fb_status fb_ports_probe(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         fb_error* error);

#endif
