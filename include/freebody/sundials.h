/* sundials.h -- steppers for stiff systems, from the SUNDIALS library (libfreebody_io; docs/theory/stiff.md).
 *
 *   fb_stepper stepper;
 *   fb_stepper_new_sundials("cvode", 1e-8, 1e-10, 0, &stepper, &error);
 *   options.method = FB_METHOD_CUSTOM;
 *   options.stepper = &stepper;
 *   fb_sim_new(model, &options, &sim, &error);
 *
 *   cvode    backward differentiation, orders 1 to 5: long smooth stretches
 *   arkode   an L-stable Runge-Kutta method of order 5: many ticks, edges and events, after each of which a
 *            multistep method has to restart at order 1
 */
#ifndef FREEBODY_SUNDIALS_H
#define FREEBODY_SUNDIALS_H

#include <freebody/export.h>
#include <freebody/sim.h>
#include <freebody/status.h>

FB_BEGIN_DECLS

/* 1 if this build has SUNDIALS. */
FB_API int fb_sundials_available(void);

/* Creates a stepper for one simulation. rtol: relative tolerance; atol: absolute tolerance in the units of each
 * coordinate; max_step: the longest step, 0 for no limit [s]. fb_sim_new takes ownership; if it is never called, call
 * stepper->free(stepper->self). FB_ERR_UNSUPPORTED in a build without SUNDIALS. */
FB_API fb_status fb_stepper_new_sundials(const char* name, double rtol, double atol, double max_step,
                                         fb_stepper* stepper, fb_error* error);

FB_END_DECLS

#endif
