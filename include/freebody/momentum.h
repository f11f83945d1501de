/* momentum.h -- momentum, the centroidal momentum matrix, energy and power.
 *
 * Momenta exclude armature (a rotor's spin is internal to its joint); kinetic energy includes it. All in world
 * axes, SI, for the whole scene. */
#ifndef FREEBODY_MOMENTUM_H
#define FREEBODY_MOMENTUM_H

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/export.h>
#include <freebody/model.h>

FB_BEGIN_DECLS

/* After fb_kinematics with v: linear momentum [kg m/s] and angular momentum about point_w [kg m^2/s]. */
FB_API void fb_momentum(const fb_model* m, const fb_data* d, const double point_w[3], double linear[3],
                        double angular[3]);

/* After fb_kinematics: the centroidal momentum matrix A (6 x nv, linear rows first, angular about the
 * centre of mass): [linear; angular] = A v. Needs fb_centre_of_mass. */
FB_API void fb_centroidal_matrix(const fb_model* m, const fb_data* d, double* A);
/* Its time derivative along v; after fb_kinematics with v and fb_centre_of_mass. */
FB_API void fb_centroidal_matrix_rate(const fb_model* m, const fb_data* d, double* Adot);

/* After fb_kinematics with v. */
FB_API double fb_kinetic_energy(const fb_model* m, const fb_data* d, const double* v); /* = v^T H v / 2 */
/* After fb_kinematics: sum of m fb_environment_potential + spring energy (when loads have springs). */
FB_API double fb_potential_energy(const fb_model* m, const fb_data* d, const double* q,
                                  const fb_loads* loads);
/* Power of every coordinate's force, tau v [W]; returns the sum. power may be NULL. */
FB_API double fb_joint_power(const fb_model* m, const double* tau, const double* v, double* power);

FB_END_DECLS

#endif
