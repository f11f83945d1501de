/* error_control.h -- the size of errors, and what becomes of them: what tolerance.c and growth.c give to methods with error
 * control. */
#ifndef FB_SIM_ERROR_CONTROL_H
#define FB_SIM_ERROR_CONTROL_H

#include <math.h>

#include "sim/sim.h"

/* ---- tolerance.c: the norm of error control ---- */

/* The larger of two errors; a number that is none is larger than all. */
static inline double fb_worse(double a, double b) {
  return b <= a || isnan(a) ? a : b;
}

/* At the start, and when options have changed. */
void fb_tolerance_begin(fb_sim* s);
/* The largest of |x_j| in units of its tolerance at y0 and y1 (either may be the same), attitudes as rotation vectors.
 * Velocities and plain coordinates of motions are given, not found: they do not count. */
double fb_weigh(const fb_sim* s, const double* x, const double* y0, const double* y1);
/* The same for the quadratures of the ledger; jumps: the step was rejected before with an error of more than FB_JUMPS. */
double fb_weigh_ledger(fb_sim* s, const double* x, const double* y0, const double* y1, int jumps);
/* The largest of what is off at y (growth.c), relative to the sizes of the motion. */
double fb_weigh_off(const fb_sim* s, const double* off, const double* y, int positions_only);

/* Whether a stage that failed so may succeed in a shorter step: a trial step may lead far off, to where a law has no solution. */
static inline int fb_is_too_long(fb_status status) {
  return status == FB_ERR_NO_SOLUTION || status == FB_ERR_NOT_FINITE;
}

/* ---- growth.c: what errors become ---- */

enum { FB_JUMPS = 10 };    /* times the tolerance: an error that suggests a jump within the step */
enum { FB_PROMISED = 10 }; /* times the accuracy: beyond it a run is reported */
/* At the start; the state is zero. */
void fb_growth_begin(fb_sim* s);
/* After a join or a parting. */
void fb_growth_carry(fb_sim* s, const fb_sim* old);
int fb_growth_follows(const fb_sim* s);
/* After a step of length h from (t, y0), by a stepper that has set s->growth: to y_map by the map that is followed, to y1 by
 * the one that is sampled. 1: the same step has been made beside, from s->y_beside; its stages are in s->stages_beside. err:
 * what controls the step, in units of the tolerance; rejected: it was tried with a longer h before. */
int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y_map, const double* y1,
                   double err, int rejected);
/* The step from s->t0 ends at t1, with s->y1; cut: earlier than the stepper said. */
void fb_growth_accept(fb_sim* s, double t1, int cut);
/* Around what happens at the end of a step that s->zero may have ended. */
void fb_growth_event_begin(fb_sim* s);
void fb_growth_event_end(fb_sim* s);
/* Velocities jump: sigma, the state beside in s->y_beside, and those of its jumps that are given, from those in dv; 0: none.
 * Then, with all of both. */
double fb_growth_jump_begin(fb_sim* s, const unsigned char* prescribed, const double* dv, double* beside);
void fb_growth_jump_end(fb_sim* s, double sigma, const double* dv, const double* beside);
/* Around ticks: the state beside is in s->y_beside, s->memory_beside, unless sigma is 0. */
double fb_growth_tick_begin(fb_sim* s);
void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status);

#endif
