/* kinematics.h -- poses, velocities and accelerations of every frame, and centres of mass.
 *
 * Call fb_kinematics, then read. Everything is in world axes, SI. Frame ids: see model.h (bodies'
 * own frames, named frames, centroids, joint frames). Results are NaN for quantities that were not computed
 * (velocities after a call without v) and for a frame that does not exist (-1 from a look-up). */
#ifndef FREEBODY_KINEMATICS_H
#define FREEBODY_KINEMATICS_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>

FB_BEGIN_DECLS

/* Poses from q; velocities too when v is given; accelerations too when vdot is given. v and vdot may
 * be NULL. Cost O(n). */
FB_API void fb_kinematics(const fb_model* m, fb_data* d, const double* q, const double* v,
                          const double* vdot);

/* Motion of a frame; any output may be NULL. p_wf: origin [m]; R_wf: frame axes to world axes (row major);
 * v: velocity of the origin; w: angular velocity; a: time derivative of v (without gravity). */
FB_API void fb_frame_pose(const fb_model* m, const fb_data* d, int frame, double p_wf[3], double R_wf[9]);
FB_API void fb_frame_velocity(const fb_model* m, const fb_data* d, int frame, double v_w[3], double w_w[3]);
FB_API void fb_frame_acceleration(const fb_model* m, const fb_data* d, int frame, double a_w[3],
                                  double wdot_w[3]);

/* Centre of mass of a body and all its descendants, position, velocity, acceleration; any output may
 * be NULL. body 0: the whole scene, including bodies fixed to the world. The com of a massless subtree is
 * its body's origin. Returns the mass. Call fb_centre_of_mass after fb_kinematics, then read. */
FB_API void fb_centre_of_mass(const fb_model* m, fb_data* d);
FB_API double fb_subtree_com(const fb_model* m, const fb_data* d, int body, double com_w[3], double v_w[3],
                             double a_w[3]);

FB_END_DECLS

#endif
