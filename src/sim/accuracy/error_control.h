/* error_control.h -- the size of errors and their growth: functions of tolerance.c and growth.c for methods with
 * error control. */
#ifndef FB_SIM_ERROR_CONTROL_H
#define FB_SIM_ERROR_CONTROL_H

#include <math.h>

#include "sim/sim.h"

/* ---- tolerance.c: the norm of error control ---- */

/* The larger of two errors; NaN counts as larger than all numbers. */
static inline double fb_worse(double a, double b) {
  return b <= a || isnan(a) ? a : b;
}

/* At the start, and when options have changed. */
void fb_tolerance_begin(fb_sim* s);
/* The largest of |x_j| in units of its tolerance at y0 and y1 (either may be the same), attitudes as rotation
 * vectors. Velocities and plain coordinates of prescribed motions do not count. */
double fb_weigh(const fb_sim* s, const double* x, const double* y0, const double* y1);
/* The same for the quadratures of the ledger; jumps: the step was rejected before with an error of more than FB_JUMPS. */
double fb_weigh_ledger(fb_sim* s, const double* x, const double* y0, const double* y1, int jumps);
/* The largest estimated error at y (growth.c), relative to the sizes of the motion. */
double fb_weigh_off(const fb_sim* s, const double* off, const double* y, int positions_only);

/* Whether a stage that failed with this status may succeed in a shorter step: a trial step may reach a state in which
 * a law has no solution. */
static inline int fb_is_too_long(fb_status status) {
  return status == FB_ERR_NO_SOLUTION || status == FB_ERR_NOT_FINITE;
}

/* ---- growth.c: growth of errors ---- */

enum { FB_JUMPS = 10 };    /* times the tolerance: an error that suggests a jump within the step */
enum { FB_PROMISED = 10 }; /* times the accuracy: runs with larger errors are reported */
int fb_growth_follows(const fb_sim* s);
/* The error beyond which a run is reported. With moreau it is a hundredth of the sizes. */
double fb_growth_promise(const fb_sim* s);
/* Ends the estimate: the error is unknown from here on. */
void fb_growth_lose(fb_sim* s);
/* e has changed, at (t, y). */
void fb_growth_keep_worst(fb_sim* s, double t, const double* y);
/* After a step of length h from (t, y0) to y1, by a stepper that has set s->error.growth. 1: the same step has been
 * made from the neighbouring state s->error.y_neighbour; its stages are in s->error.stages_neighbour. err: the error that
 * controls the step, in units of the tolerance; rejected: 1: it was tried with a longer h before; 2: and the error then
 * suggested a jump. */
int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y1, double err,
                   int rejected);
/* The step from s->step.t0 ends at t1, with s->y1; cut: before the end of the stepper's step. */
void fb_growth_accept(fb_sim* s, double t1, int cut);
/* Around the events at the end of a step that s->error.zero may have ended. */
void fb_growth_event_begin(fb_sim* s);
void fb_growth_event_end(fb_sim* s);
/* Whether a value x at the present state is larger than its estimated error. */
int fb_growth_is_sure(fb_sim* s, const fb_zero* value, double x);
/* Records that an event has changed the motion, and might not have happened in the true motion within the estimated
 * error. */
void fb_growth_doubt_event(fb_sim* s, int event);
/* Velocities jump: returns sigma, the neighbouring state in s->error.y_neighbour, and its prescribed jumps, from those
 * in dv; 0: none. Afterwards, with all jumps of both. */
double fb_growth_jump_begin(fb_sim* s, const unsigned char* prescribed, const double* dv, double* neighbour);
void fb_growth_jump_end(fb_sim* s, double sigma, const double* dv, const double* neighbour);
/* Returns sigma: the neighbouring state is in s->error.y_neighbour, s->error.memory_neighbour, unless it is 0. */
double fb_growth_neighbour(fb_sim* s);
/* After ticks, which have changed the neighbouring state too, unless they failed. */
void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status);
/* After a join or a parting, with the neighbouring state after it; sigma as above, or NAN: it could not be made. */
void fb_growth_carry(fb_sim* s, const fb_sim* old, const double* q, const double* v, double sigma);

#endif
