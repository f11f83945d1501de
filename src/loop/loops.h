/* loops.h -- closed loops in a simulation: what a step asks of them. */
#ifndef FB_LOOP_LOOPS_H
#define FB_LOOP_LOOPS_H

#include "sim/sim.h"

/* ---- loops.c ---- */

/* At the start: lengths that are not given, and coordinates and rates that close the loops. */
fb_status fb_sim_close_loops(fb_sim* s, fb_error* error);
/* The loops are as in s->y's snapshot. */
void fb_sim_take_lengths(fb_sim* s);
/* After an evaluation: counts the independent rows of the loops in s->ranks. */
void fb_sim_count_rows(fb_sim* s);
/* How long a fixed step should have been: shorter than h where it met a pose in which the loops have fewer independent rows
 * than elsewhere in the step; 0 where it did not, or has been made again often enough. */
double fb_sim_shorter_step(const fb_sim* s, double h, int attempt);
/* After a step to t: FB_ERR_NO_SOLUTION when the loops did not stay closed. */
fb_status fb_sim_check_loops(const fb_sim* s, double t, fb_error* error);

#endif
