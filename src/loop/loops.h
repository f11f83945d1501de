/* loops.h -- closed loops in a simulation: functions for the step loop and other parts. */
#ifndef FB_LOOP_LOOPS_H
#define FB_LOOP_LOOPS_H

#include "sim/sim.h"

/* ---- loops.c ---- */

/* After an evaluation: counts the independent rows of the loops in s->loop.ranks. */
void fb_sim_count_rows(fb_sim* s);
/* The length that a fixed step should have: shorter than h where it reached a pose in which the loops have fewer
 * independent rows than elsewhere in the step; 0 where it did not, or after enough repetitions. */
double fb_sim_shorter_step(const fb_sim* s, double h, int attempt);
/* After a step to t: FB_ERR_NO_SOLUTION when the loops did not stay closed. */
fb_status fb_sim_check_loops(const fb_sim* s, double t, fb_error* error);

#endif
