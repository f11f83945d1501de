/* flow.h -- the right-hand side of the motion, and the slopes of its forces. */
#ifndef FB_SIM_FLOW_H
#define FB_SIM_FLOW_H

#include "sim/sim.h"

/* ---- flow.c: the right-hand side ---- */

/* Sets the moved coordinates of y to their values at t. */
void fb_flow_place(const fb_sim* s, double t, double* y);
/* The same at the end of a step, and removes the drift of the loops (loop/loops.c). */
void fb_flow_close(fb_sim* s, double t, double* y);
/* The context of a block at (t, y). */
fb_context fb_flow_context(fb_sim* s, double t, const double* y);
/* Forces and motions at (t, y): s->tau, s->wrench.list from the blocks, s->motion.prescribed and s->vdot of moved
 * coordinates. xdot (nx) is filled. */
fb_status fb_flow_drive(fb_sim* s, double t, const double* y, double* xdot, fb_error* error);
/* Finds the coordinates that blocks move at present: s->motion.by_block. Uses s->tau, s->vdot, s->wrench.list and
 * s->y_probe as scratch. */
fb_status fb_flow_find_moved(fb_sim* s, fb_error* error);
/* Then the accelerations: s->vdot whole, s->tau of moved coordinates too. `more` (nv, or NULL) are further forces on
 * the other coordinates, not of actuators. */
void fb_flow_accelerate(fb_sim* s, const double* y, const double* more);
/* Then the rates of the ledger at y (nz). s->d must hold the poses and angular velocities at y. */
void fb_flow_ledger(fb_sim* s, const double* y, double* zdot);
/* Adds the powers of forces on the coordinates, at the velocities in y, to those of the trees; after fb_kinematics there. Returns
 * the power in the world. */
double fb_flow_ledger_forces(fb_sim* s, const double* forces, const double* y, double* zdot);
/* Adds the powers and moments of contacts, each by its magnitude, to the integrals that serve as scales (ledger_contact.c). */
void fb_ledger_scale_contacts(fb_sim* s, const double* v, double* zdot);
/* All of it. ydot is filled from its v part on; its q part belongs to the charts. */
fb_status fb_flow(fb_sim* s, double t, const double* y, double* ydot, fb_error* error);
/* The translations of floating bases from y0 by h v, with what rounding leaves, into y1. A sum of rounded steps would go
 * astray far from the origin: 1e6 steps at 7e6 m by 0.1 mm. */
void fb_flow_move_bases(const fb_sim* s, const double* y0, const double* v, double h, double* y1);
/* Adds the effect of forces on the joints of floating bases to an impulse: forces, then moments about the world's
 * origin. tau may be an impulse itself. */
void fb_flow_base_push(const fb_sim* s, const double* q, const double* tau, double impulse[6]);
/* Adds the impulse of loops between floating and other trees, by the forces last found along their rows. */
void fb_flow_loop_push(const fb_sim* s, double impulse[6]);
/* Whether a body belongs to a tree whose base floats. */
int fb_sim_floats(const fb_sim* s, int body);
/* Adds the time and the block's name to an error of its own; returns status. */
fb_status fb_block_failed(const fb_block* block, double t, fb_status status, fb_error* error);

/* Whether block i acts in the present mode. */
static inline int fb_block_acts(const fb_sim* s, int i) {
  return !s->block.list[i].modes || s->block.list[i].modes >> s->head->mode & 1;
}

/* ---- slopes.c ---- */

/* [nv] each. Zero on free joints and on moved coordinates. */
typedef struct fb_slopes {
  double *stiffness, *damping;
} fb_slopes;

/* Of springs and dampers, except compensated ones (nv; may be NULL), and of soft stops. */
void fb_slopes_passive(const fb_sim* s, const unsigned char* compensated, fb_slopes* slopes);
/* Of the laws that declare gains, after fb_flow_drive at the same (t, y); adds to the slopes. */
void fb_slopes_blocks(fb_sim* s, double t, const double* y, fb_slopes* slopes);
/* Marks the coordinates (nv) whose passive forces laws compensate, likewise. */
void fb_slopes_compensated(fb_sim* s, double t, const double* y, unsigned char* compensated);

#endif
