/* signal.h -- named quantities of a simulation, for logging, plotting and triggering events.
 *
 *   q.JOINT  v.JOINT  a.JOINT  tau.JOINT        coordinates, rates, accelerations, actuator forces
 *   work.JOINT                                  work of its actuator
 *   p.FRAME  quat.FRAME  rpy.FRAME  vel.FRAME  omega.FRAME  acc.FRAME  alpha.FRAME    world axes
 *   force.FRAME  torque.FRAME                   external, at a frame, about its origin, world axes: the sum of the
 *                                               wrenches there, and of the force of a floating base's joint
 *   reaction.JOINT.force  reaction.JOINT.torque  what the joint transmits: by the parent on the child, at the origin of
 *                                               the joint frame, world axes; of fixed joints too. Forces of actuators,
 *                                               springs, dampers, friction, limits and locks are included; the torque
 *                                               that accelerates a rotor (armature) is not: it is what a sensor
 *                                               between the joint and the child measures
 *                                               what loops exert on frames acts on the bodies, gears act inside joints
 *   loop.NAME.force  loop.NAME.torque           of a loop on its frame b, at its origin, world axes; a is acted on by the
 *                                               opposite at the same point. Of gears there is neither, but
 *   loop.NAME.effort                            of a gear, on the coordinate of its joint a
 *   loop.NAME.error                             the largest violation of a loop, in m or rad
 *   joint.JOINT                                 origin of the joint frame, which is fixed in the parent, world axes
 *   com.p  com.v                                centre of mass of the scene, its velocity
 *   com.BODY                                    centre of mass of a body, world axes
 *   momentum.linear  momentum.angular           of the floating trees, about the world's origin
 *   energy.kinetic  energy.potential  energy.total
 *   ledger.work  ledger.external  ledger.dissipated  ledger.impacts  ledger.gross  ledger.peak_kinetic
 *   ledger.normal  ledger.friction  ledger.projection   of contacts, where there are some: work of normal and of tangential
 *                                               forces, impacts included, and energy gained where bodies were moved out of
 *                                               penetration
 *   ledger.loops                                work of the forces of loops, of models that have some: zero but for the
 *                                               error of the method
 *   ledger.residual  ledger.relative            energy that the ledger cannot account for
 *   ledger.worst  ledger.worst_t                the largest ledger.relative of all steps so far, and its time;
 *   ledger.momentum_worst  ..._worst_t          the same for momentum
 *   ledger.linear  ledger.angular               momenta that it cannot account for; ledger.linear_scale and
 *                                               ledger.angular_scale to compare them with
 *   ledger.impulse  ledger.angular_impulse      of external forces
 *   t
 *   contact.NAME.gap  .force  .normal  .tangential  .slip  .state  .impulse  .normal_work  .friction_work
 *                                               of a contact (freebody/contact.h): least gap, force on a in world axes,
 *                                               sums of forces, largest slip speed, 0 open 1 slips 2 sticks, impulse on a
 *                                               of the last impact; works since the start
 *   solver.residual  .iterations  .gains  .projection   of hard contacts: how well the last problem was solved, impacts in
 *                                               which friction did positive work, energy of projections
 *   BLOCK.OUTPUT                                an output of a block of the simulation (freebody/block.h)
 *
 * Vectors take a component: p.hand.x, quat.base.w, q.base.3 (a joint of several coordinates). A name without a
 * component means all of them, and a stem (q, p, energy, ledger) all signals that begin with it; com alone means com.p
 * and com.v. These two are always the scene's: the centre of mass of a body called p is com.p~3, 3 being its number.
 * Every signal has a unit and, where it applies, axes. */
#ifndef FREEBODY_SIGNAL_H
#define FREEBODY_SIGNAL_H

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef struct fb_signal {
  int kind;
  int index; /* body, or the body of a joint, or frame, or loop; 0 when the name has none of these */
  int component;
} fb_signal;

enum { FB_SIGNAL_NAME_SIZE = 160 };

FB_BEGIN_DECLS

/* Finds the signals that a name refers to: stores them in signals[room] (NULL: only count) and their number in *count
 * (may be NULL). A name ending in "*" matches all signals with that prefix: "q.*", "p.hand*". FB_ERR_NAME with the
 * nearest known name when there is none. */
FB_API fb_status fb_signal_find(const fb_model* m, const char* name, fb_signal* signals, int room, int* count,
                                fb_error* error);
/* Writes its full name, "p.hand.x", into buffer; returns buffer. Names are unique within a model: a name that is too
 * long for the buffer, or that could mean another signal too, is cut and followed by the number of its joint, frame or
 * body: "p.beginning~17.x". fb_signal_find accepts these too. */
FB_API char* fb_signal_name(const fb_model* m, fb_signal signal, char buffer[FB_SIGNAL_NAME_SIZE]);
FB_API const char* fb_signal_unit(const fb_model* m, fb_signal signal); /* "rad", "m/s"; "1" without unit */
FB_API const char* fb_signal_axes(const fb_model* m, fb_signal signal); /* "world", "joint", "" */
FB_API const char* fb_signal_meaning(fb_signal signal);                 /* "position of a frame" */

/* Everything known about a signal. */
typedef struct fb_signal_info {
  char name[FB_SIGNAL_NAME_SIZE];
  const char *unit, *axes, *meaning;
} fb_signal_info;

/* The signals of a simulation: those of its model, as above, and the outputs of its blocks. If a name could be either,
 * it is the model's. */
struct fb_sim;
FB_API fb_status fb_sim_find_signal(const struct fb_sim* sim, const char* name, fb_signal* signals, int room,
                                    int* count, fb_error* error);
FB_API void fb_sim_signal_info(const struct fb_sim* sim, fb_signal signal, fb_signal_info* info);
/* The values of signals at the end of the last step. */
FB_API void fb_sim_signal_values(struct fb_sim* sim, const fb_signal* signals, int count, double* values);
/* The same at a time t inside the last step. */
FB_API fb_status fb_sim_eval_signals(struct fb_sim* sim, double t, const fb_signal* signals, int count,
                                     double* values, fb_error* error);

FB_END_DECLS

#endif
