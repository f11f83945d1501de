/* elements.h -- elements between frames: functions for the step loop and other parts. Internals: element.h. */
#ifndef FB_ELEMENT_ELEMENTS_H
#define FB_ELEMENT_ELEMENTS_H

#include "sim/sim.h"

/* ---- element.c ---- */

/* Adds the wrenches of all elements at y to an action, and finds s->element.loss. */
fb_status fb_pairs_push(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                        fb_error* error);
/* Energy stored at the poses in d [J]. */
double fb_pairs_energy(const fb_sim* s, const fb_data* d);
/* Sets a parameter of an element; the change of energy counts as external work. */
fb_status fb_pairs_set(fb_sim* s, int block, int parameter, double value, fb_error* error);
/* Phases of all elements at s->y; 1 when one has changed. */
int fb_pairs_update(fb_sim* s);
/* The same after a step or a jump: resets the integrator when a phase has changed. */
void fb_pairs_follow(fb_sim* s);
/* Whether element i is a tether, whose phases end; its length; whether its pull may pass zero. */
int fb_pair_is_watched(const fb_sim* s, int i);
double fb_pair_length(const fb_sim* s, int i);
int fb_pair_has_margin(const fb_sim* s, int i);
/* How far tether i is from becoming taut or loose, and its pull from changing sign; for fb_watch. */
fb_status fb_pair_gap(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error);
fb_status fb_pair_margin(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error);

#endif
