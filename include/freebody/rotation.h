/* rotation.h -- attitude representations, conversions between them, and their rates.
 *
 * A rotation matrix R[9] is row major and takes body axes to reference axes: x_w = R_wb x_b. It is
 * SpaceDyn's A; SpaceDyn's direction cosines C are the transpose. Angles in rad, rates in rad/s.
 *   rpy        URDF's: about fixed x, y, z            R = Rz(yaw) Ry(pitch) Rx(roll)
 *   euler_xyz  SpaceDyn's Q, rpy2dc: moving x, y, z   R = Rx(a) Ry(b) Rz(c)
 *   euler_zxz  3-1-3, eul2dc: moving z, x, z          R = Rz(phi) Rx(theta) Rz(psi)
 *   quat       Hamilton, scalar first: w x y z        (SpaceDyn: x y z w of C)
 *   rotvec     rotation vector: axis times angle      R = exp(rotvec~)
 * Conversions to angles are also valid at singular attitudes: there one angle (roll, c or psi:
 * see each function) is set to zero and the others represent the whole rotation. */
#ifndef FREEBODY_ROTATION_H
#define FREEBODY_ROTATION_H

#include <freebody/export.h>

FB_BEGIN_DECLS

FB_API void fb_rot_identity(double R[9]);
FB_API void fb_rot_x(double angle, double R[9]);
FB_API void fb_rot_y(double angle, double R[9]);
FB_API void fb_rot_z(double angle, double R[9]);
FB_API void fb_rot_transpose(const double R[9], double Rt[9]);
FB_API void fb_rot_multiply(const double A[9], const double B[9], double AB[9]); /* AB may be A or B */
FB_API void fb_rot_apply(const double R[9], const double x[3], double Rx[3]);    /* Rx may be x */
FB_API void fb_rot_apply_transpose(const double R[9], const double x[3], double Rtx[3]); /* Rtx may be x */

/* The rotation nearest to M (polar decomposition). Returns the largest |element| of M Mt - 1, or a negative
 * number when det M <= 0 or M is not finite (R is then the identity). */
FB_API double fb_rot_nearest(const double M[9], double R[9]);

FB_API void fb_rot_from_rpy(const double rpy[3], double R[9]);
FB_API void fb_rot_from_euler_xyz(const double abc[3], double R[9]);
FB_API void fb_rot_from_euler_zxz(const double phi_theta_psi[3], double R[9]);
FB_API void fb_rot_from_quat(const double q[4], double R[9]); /* q of any norm except zero */
FB_API void fb_rot_from_axis_angle(const double axis[3], double angle,
                                   double R[9]); /* axis of any length except zero */
FB_API void fb_rot_from_rotvec(const double rotvec[3], double R[9]);

FB_API void fb_rot_to_rpy(const double R[9], double rpy[3]);                 /* |pitch| = pi/2: roll = 0 */
FB_API void fb_rot_to_euler_xyz(const double R[9], double abc[3]);           /* |b| = pi/2: c = 0 */
FB_API void fb_rot_to_euler_zxz(const double R[9], double phi_theta_psi[3]); /* theta = 0, pi: psi = 0 */
FB_API void fb_rot_to_quat(const double R[9], double q[4]); /* unit; the largest component is positive */
FB_API void fb_rot_to_axis_angle(const double R[9], double axis[3],
                                 double* angle);                   /* 0 <= angle <= pi; axis x at angle 0 */
FB_API void fb_rot_to_rotvec(const double R[9], double rotvec[3]); /* norm <= pi, exact near 0 and pi */

/* Rates. `w` is the angular velocity of the body in reference (w) axes. */
FB_API void fb_rot_rate(const double R[9], const double w[3], double Rdot[9]);  /* w~ R */
FB_API void fb_quat_rate(const double q[4], const double w[3], double qdot[4]); /* (0, w) q / 2 */
FB_API void fb_quat_rate_to_w(const double q[4], const double qdot[4], double w[3]);
/* Angle rates from w and back. The first group returns 0 when the rates are well defined, and 1 at a singular
 * attitude, with the least-norm rates that give the nearest w. */
FB_API int fb_rpy_rate(const double rpy[3], const double w[3], double rate[3]);
FB_API int fb_euler_xyz_rate(const double abc[3], const double w[3], double rate[3]);
FB_API int fb_euler_zxz_rate(const double phi_theta_psi[3], const double w[3], double rate[3]);
FB_API void fb_rotvec_rate(const double rotvec[3], const double w[3], double rate[3]); /* |rotvec| < 2 pi */
FB_API void fb_rpy_rate_to_w(const double rpy[3], const double rate[3], double w[3]);
FB_API void fb_euler_xyz_rate_to_w(const double abc[3], const double rate[3], double w[3]);
FB_API void fb_euler_zxz_rate_to_w(const double phi_theta_psi[3], const double rate[3], double w[3]);
FB_API void fb_rotvec_rate_to_w(const double rotvec[3], const double rate[3], double w[3]);

/* Rodrigues update with a constant w over dt (SpaceDyn's aw): R_next = exp(w~ dt) R. */
FB_API void fb_rot_update(const double R[9], const double w[3], double dt, double R_next[9]);
/* Small-rotation error sin(angle) axis of A Bt, reference axes (SpaceDyn's tr2diff). */
FB_API void fb_rot_small_difference(const double A[9], const double B[9], double diff[3]);
/* The rotation vector that takes B to A, reference axes: A = exp(diff~) B. */
FB_API void fb_rot_difference(const double A[9], const double B[9], double diff[3]);

/* Quaternions, scalar first. */
FB_API void fb_quat_multiply(const double a[4], const double b[4], double ab[4]);
FB_API void fb_quat_conjugate(const double q[4], double qc[4]);
FB_API double fb_quat_normalise(
    double q[4]); /* returns the previous norm; zero or not finite: q becomes the identity */
FB_API void fb_quat_from_rotvec(const double rotvec[3], double q[4]); /* exp */
FB_API void fb_quat_to_rotvec(const double q[4], double rotvec[3]);   /* log, norm <= pi */

FB_END_DECLS

#endif
