/* diagnosis.h -- what is wrong with a motion, and why: steps that came to nothing (trouble.c), singular laws (singular.c), laws that are
 * asked for their stiffness (probe.c), what the ledger and the contacts say (doubt.c). */
#ifndef FB_SIM_DIAGNOSIS_H
#define FB_SIM_DIAGNOSIS_H

#include "sim/sim.h"

/* ---- trouble.c: why a step came to nothing ---- */

/* FB_OK when all of y is finite. */
int fb_sim_is_finite(const fb_sim* s, const double* y);
/* The stepper failed with `status`, or made numbers that are not finite (status FB_OK): names what did it, a law, a joint,
 * a field, and says what to do. The step is tried again for that, up to `limit`. */
fb_status fb_trouble(fb_sim* s, double limit, fb_status status, fb_error* error);
/* No step is short enough: FB_ERR_NOT_FINITE when a law near a singular pose is the cause, else FB_OK. */
fb_status fb_trouble_stuck(fb_sim* s, fb_error* error);
/* After every step, and at the start: keeps the state, if it looks ordinary. */
void fb_trouble_remember(fb_sim* s);
/* While s->watching: FB_ERR_NOT_FINITE when a block gives something that is not finite, at a state that is. */
fb_status fb_trouble_watch(fb_sim* s, const fb_block* block, const fb_context* context,
                           const fb_action* action, int first_wrench, const double* rates, fb_error* error);

/* ---- singular.c ---- */

/* Keeps the nearest of all laws at (t, y) in *found, where it is nearer than that. */
void fb_singular_look(fb_sim* s, double t, const double* y, fb_singular* found);
/* The same at both ends of the step last made, which went wrong, in s->singular. */
void fb_singular_note(fb_sim* s);
static const double FB_SINGULAR_PART = 0.03; /* below that a law is called singular */

/* ---- probe.c ---- */

/* What block i adds to the forces on the coordinates at (t, y), by wrenches too, into tau, and which accelerations it asks for into
 * vdot (nv each); 0 when it fails there. Uses s->d. */
int fb_probe_ask(fb_sim* s, int i, double t, const double* y, double* tau, double* vdot);
/* The rate of the fastest motion that a block causes at the present state, found by asking it [1/s]; 0: none, or its forces jump.
 * *coordinate: which one moves most in it. Allocates. */
FB_API double fb_sim_probe_rate(fb_sim* s, int block, int* coordinate);
/* The same of the blocks that are marked (nblock) and the springs, dampers and friction of all joints, taken together; NAN where it
 * cannot be said. */
FB_API double fb_sim_probe_whole(fb_sim* s, const unsigned char* with);

/* ---- doubt.c ---- */

/* fb_sim_doubt; by_keys: of a scenario, whose keys are named. */
FB_API int fb_sim_judge(fb_sim* s, int by_keys, char* text, size_t size);

#endif
