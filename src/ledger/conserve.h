/* conserve.h -- momenta of floating trees, corrected to rounding for methods that do not conserve them (conserve.c). */
#ifndef FB_LEDGER_CONSERVE_H
#define FB_LEDGER_CONSERVE_H

#include "sim/sim.h"

/* The tree of a body or a frame; -1: it is fixed to the world. */
static inline int fb_tree_of(const fb_sim* s, int frame) {
  return s->m->top.link_tree[s->m->top.site_link[frame]];
}

/* The groups of trees, once the trees are known. */
void fb_conserve_start(fb_sim* s);
/* The trees of two frames form one group from now on, as where a contact acts between them. */
void fb_conserve_unite(fb_sim* s, int a, int b);
/* After fb_trees_measure at y: stores the momenta at which the next step may begin. */
void fb_conserve_note(fb_sim* s, const double* y);
/* In a step of length h from y0: at its start; at its middle y, right after fb_flow_ledger has found the rates zdot
 * of the ledger there, which are used over its whole length; at its end, after fb_flow_close: corrects y1, its ledger
 * included. */
void fb_conserve_begin(fb_sim* s, const double* y0);
void fb_conserve_middle(fb_sim* s, const double* y, const double* zdot);
/* The forces were found at another instant, `time` before the middle. */
void fb_conserve_move_middle(fb_sim* s, double time);
void fb_conserve_end(fb_sim* s, double h, const double* y0, double* y1);
/* Corrects y, the sum of `levels` ends of the same step, each of them corrected, with these weights. */
void fb_conserve_extrapolate(fb_sim* s, const double* const* ends, const double* weights, int levels,
                             double* y);

#endif
