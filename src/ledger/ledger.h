/* ledger.h -- the ledger of a simulation, and its trees in their own frames. */
#ifndef FB_LEDGER_LEDGER_H
#define FB_LEDGER_LEDGER_H

#include "sim/sim.h"

/* ---- tree.c: trees in their own frames ---- */

/* Finds trees and roots; 0: no memory. s->d is used. */
int fb_trees_make(fb_sim* s);
void fb_trees_free(fb_sim* s);
/* mass, com, com_v of s->ledger.local at y. d holds the poses and angular velocities at y. */
void fb_trees_locate(fb_sim* s, const fb_data* d, const double* y);
/* All of s->ledger.local, in the same way. */
void fb_trees_measure(fb_sim* s, const fb_data* d, const double* y);
/* Of floating trees: mass, com, com_v, drift, angular and inertia. */
void fb_trees_momenta(fb_sim* s, const fb_data* d, const double* y);
/* Adds the inertia of a mass at r (xx, yy, zz, xy, xz, yz). */
void fb_inertia_shift(double mass, const double r[3], double J[6]);
/* Adds a force and a moment on the base of a floating tree, or impulses, to the tree's part of z: about its centre of
 * mass, and their magnitudes. After fb_trees_locate or fb_trees_measure. */
void fb_tree_push(const fb_sim* s, int tree, const double base[6], double* z);

/* ---- ledger.c ---- */

void fb_ledger_begin(fb_sim* s); /* stores the energies and momenta of the start */
/* A step has been made: peaks and worst residuals. */
void fb_ledger_step(fb_sim* s);
/* The largest residual of any tree at y, relative to its scale. */
double fb_ledger_off(fb_sim* s, const double* y);
/* The ledger at an instant. */
void fb_ledger_at(fb_sim* s, const double* y, fb_ledger* ledger);
/* Around any jump of the velocities in s->y: records the change of kinetic energy. External impulses are recorded
 * between the two by fb_ledger_push, as an impulse on every coordinate. */
void fb_ledger_jump_begin(fb_sim* s);
void fb_ledger_push(fb_sim* s, const double* impulse);
/* The same of the impulses of loops, which fb_constrained_dynamics has just found. */
void fb_ledger_push_loops(fb_sim* s);
void fb_ledger_jump_end(fb_sim* s);
/* Around a displacement of y without time: stores energy and momentum of the scene before, then records the energy
 * gained. The gain of each tree counts as work and impulse on it; for the whole scene it is an external impulse, with
 * only_outside except for groups whose momentum is conserved (conserve.c). */
typedef struct fb_scene_totals {
  double energy, momentum[6]; /* in the world; linear, angular about its origin, of floating trees */
  int only_outside;
} fb_scene_totals;
void fb_ledger_move_begin(fb_sim* s, const double* y, int only_outside, fb_scene_totals* before);
double fb_ledger_move_end(fb_sim* s, double* y, const fb_scene_totals* before);
/* The sizes by which error control measures the quadratures z between z0 and z1, the ends of a step or twice the same
 * (nz); < 0: they do not count. */
void fb_ledger_sizes(const fb_sim* s, const double* z0, const double* z1, double* size);
/* Fixes the worst residuals in a copy of tree i's account relative to the present scales: after a change the tree and
 * its scales are different. After fb_trees_measure at s->y. */
void fb_ledger_close(const fb_sim* s, int i, fb_accounts* accounts);

#endif
