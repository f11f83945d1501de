/* long_run_candidates.h -- two other ways to keep momentum, to be compared with the method of the library. They are
 * steppers of a caller's own, for a model of one floating tree whose base is listed first and whose other joints are
 * plain. */
#ifndef FB_BENCH_LONG_RUN_CANDIDATES_H
#define FB_BENCH_LONG_RUN_CANDIDATES_H

#include <freebody/sim.h>

/* Implicit midpoint rule in (q, v) on the group, solved to round-off. */
fb_stepper candidate_midpoint(double step);

/* Reduction: RKMK4, then the base's velocity from the momentum that the run began with. */
fb_stepper candidate_reduction(double step);

#endif
