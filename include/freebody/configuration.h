/* configuration.h -- operations on the configuration group: q is an element of it, v is in its tangent space.
 *
 * Spherical and free joints have unit quaternions; their angular velocity is in joint-frame axes,
 * which are fixed in the parent, so an increment multiplies from the left: quat' = exp(w dt) quat.
 * All other coordinates add. */
#ifndef FREEBODY_CONFIGURATION_H
#define FREEBODY_CONFIGURATION_H

#include <stdint.h>

#include <freebody/export.h>
#include <freebody/model.h>

FB_BEGIN_DECLS

FB_API void fb_neutral(const fb_model* m, double* q); /* zeros and identity quaternions */
FB_API void fb_integrate(const fb_model* m, const double* q, const double* v, double dt,
                         double* q_next); /* q + v dt; q_next may be q */
FB_API void fb_difference(const fb_model* m, const double* q0, const double* q1,
                          double* dv); /* q1 = integrate(q0, dv, 1) */
FB_API void fb_normalise(const fb_model* m,
                         double* q); /* normalises quaternions; zero or non-finite ones become the identity */
/* A random configuration: within the limits of coordinates that have limits, otherwise angles in [-pi, pi],
 * displacements in [-1, 1] m, uniform rotations. The same seed gives the same q on every machine. */
FB_API void fb_random_q(const fb_model* m, uint64_t seed, double* q);
FB_API void fb_random_v(const fb_model* m, uint64_t seed, double* v); /* uniform in [-1, 1] */

/* Checks a state: finite numbers up to 1e30, angles up to 1e12 rad, quaternion norms within 1e-6 of one. v may be
 * NULL. */
FB_API fb_status fb_model_check_state(const fb_model* m, const double* q, const double* v, fb_error* error);

FB_END_DECLS

#endif
