/* rotation_rates.c -- rates of every spelling of an attitude from the angular velocity, and back.
 *
 * w is the angular velocity of the body in reference axes:
 *   Rdot = w~ R       qdot = (0, w) q / 2
 *   rpy        w = Rz ( roll' cos p,  pitch',  yaw' - roll' sin p )
 *   euler_xyz  w = Rx ( a' + c' sin b,  b',  c' cos b )
 *   euler_zxz  w = Rz ( theta',  -psi' sin theta,  phi' + psi' cos theta )
 *   rotvec     w = J r',  J = 1 + (1 - cos n)/n^2 r~ + (n - sin n)/n^3 r~ r~,  n = |r|
 *              J^-1 = 1 - r~/2 + (1 - (n/2) cot(n/2))/n^2 r~ r~
 *
 * The three angle sets share one form. In the axes turned by the outer angle the middle rate stands
 * alone; the outer rate o and the inner rate i obey u = i s, v = o + i c, with s the sine that vanishes
 * at the singular attitudes and c = +-1 there. So `pair_solve` serves all of them. */
#include <freebody/rotation.h>

#include <math.h>

#include "math/vector3.h"

void fb_rot_rate(const double R[9], const double w[3], double Rdot[9]) {
  double t[9];
  tilde3(w, t);
  fb_rot_multiply(t, R, Rdot);
}

void fb_quat_rate(const double q[4], const double w[3], double qdot[4]) {
  const double half[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
  fb_quat_multiply(half, q, qdot);
}

void fb_quat_rate_to_w(const double q[4], const double qdot[4], double w[3]) {
  double qc[4], product[4];
  const double square = q[0] * q[0] + dot3(q + 1, q + 1);
  fb_quat_conjugate(q, qc);
  fb_quat_multiply(qdot, qc, product);
  for (int i = 0; i < 3; i++) w[i] = 2 * product[i + 1] / square;
}

/* Outer and inner rate from u = inner s and v = outer + inner c; 1 at s = 0, where u cannot be had and
 * the two of least norm share v. */
static int pair_solve(double s, double c, double u, double v, double* outer, double* inner) {
  if (fabs(s) <= FB_SINGULAR_SINE) {
    *outer = 0.5 * v;
    *inner = c < 0 ? -0.5 * v : 0.5 * v;
    return 1;
  }
  *inner = u / s;
  *outer = v - *inner * c;
  return 0;
}

int fb_rpy_rate(const double rpy[3], const double w[3], double rate[3]) {
  const double cp = cos(rpy[1]), sp = sin(rpy[1]);
  double Z[9], t[3];
  fb_rot_z(rpy[2], Z);
  fb_rot_apply_transpose(Z, w, t);
  rate[1] = t[1];
  return pair_solve(cp, -sp, t[0], t[2], &rate[2], &rate[0]);
}

void fb_rpy_rate_to_w(const double rpy[3], const double rate[3], double w[3]) {
  const double cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double t[3] = {rate[0] * cp, rate[1], rate[2] - rate[0] * sp};
  double Z[9];
  fb_rot_z(rpy[2], Z);
  fb_rot_apply(Z, t, w);
}

int fb_euler_xyz_rate(const double abc[3], const double w[3], double rate[3]) {
  const double cb = cos(abc[1]), sb = sin(abc[1]);
  double X[9], t[3];
  fb_rot_x(abc[0], X);
  fb_rot_apply_transpose(X, w, t);
  rate[1] = t[1];
  return pair_solve(cb, sb, t[2], t[0], &rate[0], &rate[2]);
}

void fb_euler_xyz_rate_to_w(const double abc[3], const double rate[3], double w[3]) {
  const double cb = cos(abc[1]), sb = sin(abc[1]);
  const double t[3] = {rate[0] + rate[2] * sb, rate[1], rate[2] * cb};
  double X[9];
  fb_rot_x(abc[0], X);
  fb_rot_apply(X, t, w);
}

int fb_euler_zxz_rate(const double phi_theta_psi[3], const double w[3], double rate[3]) {
  const double ct = cos(phi_theta_psi[1]), st = sin(phi_theta_psi[1]);
  double Z[9], t[3];
  fb_rot_z(phi_theta_psi[0], Z);
  fb_rot_apply_transpose(Z, w, t);
  rate[1] = t[0];
  return pair_solve(-st, ct, t[1], t[2], &rate[0], &rate[2]);
}

void fb_euler_zxz_rate_to_w(const double phi_theta_psi[3], const double rate[3], double w[3]) {
  const double ct = cos(phi_theta_psi[1]), st = sin(phi_theta_psi[1]);
  const double t[3] = {rate[1], -rate[2] * st, rate[0] + rate[2] * ct};
  double Z[9];
  fb_rot_z(phi_theta_psi[0], Z);
  fb_rot_apply(Z, t, w);
}

/* x + a r~ x + b r~ r~ x */
static void series3(const double r[3], double a, double b, const double x[3], double out[3]) {
  double rx[3], rrx[3];
  cross3(r, x, rx);
  cross3(r, rx, rrx);
  for (int i = 0; i < 3; i++) out[i] = x[i] + a * rx[i] + b * rrx[i];
}

/* Under this angle the power series to n^4 are exact to an ulp, and the closed forms divide zeros. */
static const double SMALL_ANGLE = 5e-3;

void fb_rotvec_rate_to_w(const double rotvec[3], const double rate[3], double w[3]) {
  const double n = norm3(rotvec), n2 = n * n;
  double a = 0.5 - n2 / 24 + n2 * n2 / 720, b = 1.0 / 6 - n2 / 120 + n2 * n2 / 5040;
  if (n > SMALL_ANGLE) {
    const double half = sin(0.5 * n);
    a = 2 * half * half / n2;
    b = (n - sin(n)) / (n2 * n);
  }
  series3(rotvec, a, b, rate, w);
}

void fb_rotvec_rate(const double rotvec[3], const double w[3], double rate[3]) {
  const double n = norm3(rotvec), n2 = n * n;
  double b = 1.0 / 12 + n2 / 720 + n2 * n2 / 30240;
  if (n > SMALL_ANGLE) b = (1 - 0.5 * n / tan(0.5 * n)) / n2;
  series3(rotvec, -0.5, b, w, rate);
}
