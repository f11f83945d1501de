/* signal.h -- numbers of a simulation that have a name: to log, to plot, to trigger events.
 *
 *   q.JOINT  v.JOINT  a.JOINT  tau.JOINT        coordinates, rates, accelerations, actuator forces
 *   work.JOINT                                  work of its actuator
 *   p.FRAME  quat.FRAME  rpy.FRAME  vel.FRAME  omega.FRAME  acc.FRAME  alpha.FRAME    world axes
 *   force.FRAME  torque.FRAME                   from outside at a frame, about its origin, world axes: the sum of
 *                                               wrenches there, and of what the joint of a floating base exerts
 *   com.p  com.v                                centre of mass of the scene
 *   momentum.linear  momentum.angular           of the floating trees, about the world's origin
 *   energy.kinetic  energy.potential  energy.total
 *   ledger.work  ledger.external  ledger.dissipated  ledger.impacts  ledger.gross  ledger.peak_kinetic
 *   ledger.residual  ledger.relative            energy that the ledger cannot explain
 *   ledger.worst  ledger.worst_t                the largest ledger.relative of all steps so far, and when;
 *   ledger.momentum_worst  ..._worst_t          the same of momentum
 *   ledger.linear  ledger.angular               momenta that it cannot explain; ledger.linear_scale and
 *                                               ledger.angular_scale to judge them by
 *   ledger.impulse  ledger.angular_impulse      from outside
 *   t
 *   BLOCK.OUTPUT                                what a block of the simulation tells (freebody/block.h)
 *
 * Vectors take a component: p.hand.x, quat.base.w, q.base.3 (a joint of several coordinates). A name without its
 * component stands for all of them, and a stem (q, p, com, energy, ledger) for all that begin with it. Every signal
 * has a unit and says in which axes it is. */
#ifndef FREEBODY_SIGNAL_H
#define FREEBODY_SIGNAL_H

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef struct fb_signal {
  int kind;
  int index; /* body of a joint, or frame; 0 when the name has neither */
  int component;
} fb_signal;

enum { FB_SIGNAL_NAME = 160 };

FB_BEGIN_DECLS

/* The signals that a name stands for, into signals[room] (may be NULL to count); *count (may be NULL) how many there
 * are. Names end in "*" to match all that begin so: "q.*", "p.hand*". FB_ERR_NAME with the nearest known name when
 * there is none. */
FB_API fb_status fb_signal_find(const fb_model* m, const char* name, fb_signal* signals, int room, int* count,
                                fb_error* error);
/* Its full name, "p.hand.x", into buffer; returns buffer. No two signals of a model have the same: where a name is too
 * long for the buffer, or another joint's coordinate reads the same, the number of its joint or frame stands behind
 * what fits, "p.beginning~17.x". fb_signal_find knows these too. */
FB_API char* fb_signal_name(const fb_model* m, fb_signal signal, char buffer[FB_SIGNAL_NAME]);
FB_API const char* fb_signal_unit(const fb_model* m, fb_signal signal); /* "rad", "m/s"; "1" without unit */
FB_API const char* fb_signal_axes(const fb_model* m, fb_signal signal); /* "world", "joint", "" */
FB_API const char* fb_signal_meaning(fb_signal signal);                 /* "position of a frame" */

/* All that there is to say of a signal. */
typedef struct fb_signal_info {
  char name[FB_SIGNAL_NAME];
  const char *unit, *axes, *meaning;
} fb_signal_info;

/* The signals of a simulation: those of its model, which the functions above know too, and the outputs of its blocks.
 * Where a name could be either, it is the model's. */
struct fb_sim;
FB_API fb_status fb_sim_find_signal(const struct fb_sim* sim, const char* name, fb_signal* signals, int room,
                                    int* count, fb_error* error);
FB_API void fb_sim_signal_info(const struct fb_sim* sim, fb_signal signal, fb_signal_info* info);
/* The values of signals at the end of the step last made. */
FB_API void fb_signal_values(struct fb_sim* sim, const fb_signal* signals, int count, double* values);
/* The same inside the step last made. */
FB_API fb_status fb_signal_values_at(struct fb_sim* sim, double t, const fb_signal* signals, int count,
                                     double* values, fb_error* error);

FB_END_DECLS

#endif
