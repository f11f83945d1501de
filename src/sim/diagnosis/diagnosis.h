/* diagnosis.h -- what is wrong with a motion, and why: failed steps (failure.c), laws near singular poses
 * (singular.c), the stiffness of laws by differences (probe.c), results of the ledger and of contacts (warnings.c). */
#ifndef FB_SIM_DIAGNOSIS_H
#define FB_SIM_DIAGNOSIS_H

#include "sim/sim.h"

/* ---- failure.c: why a step failed ---- */

/* FB_OK when all of y is finite. */
int fb_sim_is_finite(const fb_sim* s, const double* y);
/* The stepper failed with `status`, or made numbers that are not finite (status FB_OK): names the cause, a law, a
 * joint or a field, and says what to do. The step is repeated for that, up to `limit`. */
fb_status fb_failure_explain(fb_sim* s, double limit, fb_status status, fb_error* error);
/* No step is short enough: FB_ERR_NOT_FINITE when a law near a singular pose is the cause, else FB_OK. */
fb_status fb_failure_stuck(fb_sim* s, fb_error* error);
/* After every step, and at the start: keeps the state, if its speeds are ordinary. */
void fb_failure_remember(fb_sim* s);
/* While s->failure.watching: FB_ERR_NOT_FINITE when a block gives a number that is not finite, at a finite state. */
fb_status fb_failure_watch(fb_sim* s, const fb_block* block, const fb_context* context,
                           const fb_action* action, int first_wrench, const double* rates, fb_error* error);

/* ---- runaway.c ---- */

/* Whether a joint, or a floating base, is so fast that a step of length h is a fraction of a turn of it. */
int fb_runaway_is_fast(const fb_sim* s, double h);
/* 1 if a joint has become faster than that of any robot, or a sampled law has made a floating base so; text names it and the
 * law. */
int fb_runaway_say(fb_sim* s, char* text, size_t size);
/* The same of what fb_runaway_is_fast has found, which ends the run. */
int fb_runaway_ends(fb_sim* s, char* text, size_t size);

/* ---- singular.c ---- */

/* Keeps the nearest of all laws at (t, y) in *found, where it is nearer than that. */
void fb_singular_probe(fb_sim* s, double t, const double* y, fb_singular* found);
/* The same at both ends of the last step, after which the ledger did not close, in s->failure.singular. */
void fb_singular_note(fb_sim* s);
static const double FB_SINGULAR_PART = 0.03; /* below that a law is called singular */

/* ---- probe.c ---- */

/* The forces of block i on the coordinates at (t, y), wrenches included, into tau, and the accelerations that it
 * prescribes into vdot (nv each); 0 when it fails there. Uses s->d. */
int fb_probe_forces(fb_sim* s, int i, double t, const double* y, double* tau, double* vdot);
#endif
