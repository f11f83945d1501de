/* error_control.h -- the size of errors, and what becomes of them: what tolerance.c and growth.c give to methods with error
 * control. */
#ifndef FB_SIM_ERROR_CONTROL_H
#define FB_SIM_ERROR_CONTROL_H

#include "sim/sim.h"

/* ---- tolerance.c: the norm of error control ---- */

/* At the start, and when options have changed. */
void fb_tolerance_begin(fb_sim* s);
/* The largest of |x_j| in units of its tolerance at y0 and y1 (either may be the same), attitudes as rotation vectors.
 * Velocities and plain coordinates of motions are given, not found: they do not count. */
double fb_weigh(const fb_sim* s, const double* x, const double* y0, const double* y1);
/* The same for the quadratures of the ledger. */
double fb_weigh_ledger(const fb_sim* s, const double* x, const double* y0, const double* y1);
/* The largest of what is off at y (growth.c), relative to the sizes of the motion. */
double fb_weigh_off(const fb_sim* s, const double* off, const double* y, int positions_only);

/* ---- growth.c: what errors become ---- */

enum { FB_PROMISED = 10 }; /* times the accuracy: beyond it a run is reported */
/* A step of a method, from (t, y0); its stages are in s->stages. */
typedef fb_status (*fb_growth_map)(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                                   fb_error* error);
/* At the start, and after a join; the state is zero, or carried. */
void fb_growth_begin(fb_sim* s);
void fb_growth_carry(fb_sim* s);
int fb_growth_follows(const fb_sim* s);
/* After a step of length h from (t, y0) to y1, made by `map`, with the error err (ny entries, attitudes as rotation
 * vectors). 1: the same step has been made beside, from s->y_beside; its stages are in s->stages_beside. */
int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y1, fb_growth_map map,
                   void* self, const double* err);
/* Around ticks: the state beside is in s->y_beside, s->memory_beside, unless sigma is 0. */
double fb_growth_tick_begin(fb_sim* s);
void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status);

#endif
