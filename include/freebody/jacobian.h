/* jacobian.h -- Jacobians of any frame and their time derivatives, after fb_kinematics.
 *
 * J is 6 x nv, row major, linear rows first, world axes: [v; w] = J v. The time derivative Jdot is
 * taken along v on the configuration group and needs fb_kinematics with v. */
#ifndef FREEBODY_JACOBIAN_H
#define FREEBODY_JACOBIAN_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>

FB_BEGIN_DECLS

FB_API void fb_frame_jacobian(const fb_model* m, const fb_data* d, int frame, double* J);
FB_API void fb_frame_jacobian_rate(const fb_model* m, const fb_data* d, int frame, double* Jdot);

/* Jdot v (6), the frame's acceleration at vdot = 0; v is the one given to fb_kinematics. */
FB_API void fb_frame_bias_acceleration(const fb_model* m, const fb_data* d, const double* v, int frame,
                                       double a[6]);

/* Base part and joint part ([Yoshida 1999] (16)): [v; w]_frame = Jb [v; w]_base + Jm v. Jb is 6 x 6, for the
 * motion of the tree's base body origin in world axes, [E, -(p_f - p_0)~; 0, E], for any type of base joint.
 * Jm is 6 x nv with the base's own columns zero. Either may be NULL. */
FB_API void fb_frame_jacobian_parts(const fb_model* m, const fb_data* d, int frame, double Jb[36],
                                    double* Jm);
FB_API void fb_frame_jacobian_parts_rate(const fb_model* m, const fb_data* d, int frame, double Jb_dot[36],
                                         double* Jm_dot);

FB_END_DECLS

#endif
