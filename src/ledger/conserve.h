/* conserve.h -- momenta of floating trees, kept to rounding for methods that do not conserve them by themselves (conserve.c). */
#ifndef FB_LEDGER_CONSERVE_H
#define FB_LEDGER_CONSERVE_H

#include "sim/sim.h"

/* The groups of trees, once the trees are known. */
void fb_conserve_start(fb_sim* s);
/* The trees of two frames move together until then, as where a contact pushes them apart. */
void fb_conserve_unite(fb_sim* s, int a, int b);
/* After fb_trees_measure at y: keeps the momenta there, from where the next step may begin. */
void fb_conserve_note(fb_sim* s, const double* y);
/* In a step of length h from y0: at its start; at its middle y, right after fb_flow_ledger has found the rates zdot of the
 * ledger there, which the step books over its whole length; at its end, after fb_flow_close: corrects y1, its ledger
 * included. */
void fb_conserve_begin(fb_sim* s, const double* y0);
void fb_conserve_middle(fb_sim* s, const double* y, const double* zdot);
/* The forces were found at another instant, `time` before the middle. */
void fb_conserve_move_middle(fb_sim* s, double time);
void fb_conserve_end(fb_sim* s, double h, const double* y0, double* y1);
/* Corrects y, extrapolated from the ends of a whole step and of two halves, all of which were corrected. */
void fb_conserve_extrapolate(fb_sim* s, const double* whole, const double* halves, double* y);

#endif
