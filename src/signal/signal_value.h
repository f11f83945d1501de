/* signal_value.h -- values of signals and joint reactions at an instant of the simulation. */
#ifndef FB_SIGNAL_SIGNAL_VALUE_H
#define FB_SIGNAL_SIGNAL_VALUE_H

#include "sim/sim.h"

/* ---- signal_value.c ---- */

/* Whether a signal is one that fb_signal_find could have given. */
int fb_signal_exists(const fb_model* m, fb_signal signal);
/* fb_signal_eval, but for outputs of blocks, which are read as they stand in s->block.out. */
fb_status fb_signal_read(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         double* values, fb_error* error);

/* ---- reaction.c ---- */

/* Fills s->wrench.carried, as fb_joint_reactions does. After fb_flow_drive and fb_flow_accelerate at (t, y), and fb_kinematics
 * of s->d at that state with s->vdot. */
void fb_sim_reactions(fb_sim* s);

#endif
