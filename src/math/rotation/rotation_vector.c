/* rotation_vector.c -- exponential and logarithm: rotation vectors, axis and angle, updates, errors.
 *
 *   exp(r~) = cos n + (sin n / n) r~ + ((1 - cos n) / n^2) r rt,   n = |r|      (Rodrigues)
 *   log: the quaternion (w, v) of R; angle = 2 atan2(|v|, w), axis = v / |v|
 *
 * atan2 of the half-angle is well conditioned everywhere, where acos((trace - 1)/2) loses half of the
 * digits near 0 and pi and the antisymmetric part of R loses the axis near pi. */
#include <freebody/rotation.h>

#include <math.h>
#include <string.h>

#include "math/vector3.h"

/* Below this the next term of sin n / n = 1 - n^2/6 + ... is under half an ulp. */
static const double TINY_ANGLE = 1e-8;

/* c + a r~ + b r rt */
static void rodrigues(const double r[3], double c, double a, double b, double R[9]) {
  double m[9];
  tilde3(r, m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[3 * i + j] = a * m[3 * i + j] + b * r[i] * r[j] + (i == j ? c : 0);
  memcpy(R, m, sizeof m);
}

void fb_rot_from_axis_angle(const double axis[3], double angle, double R[9]) {
  const double length = norm3(axis);
  if (!(length > 0)) {
    fb_rot_identity(R);
    return;
  }
  const double k[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const double half = sin(0.5 * angle);
  rodrigues(k, cos(angle), sin(angle), 2 * half * half, R);
}

void fb_rot_from_rotvec(const double rotvec[3], double R[9]) {
  const double n = norm3(rotvec);
  if (n < TINY_ANGLE) {
    rodrigues(rotvec, 1, 1, 0.5, R);
    return;
  }
  fb_rot_from_axis_angle(rotvec, n, R);
}

void fb_quat_from_rotvec(const double rotvec[3], double q[4]) {
  const double quick = length3(rotvec), n = quick < 1e150 ? quick : norm3(rotvec);
  const double factor = n < TINY_ANGLE ? 0.5 : sin(0.5 * n) / n;
  const double t[4] = {cos(0.5 * n), factor * rotvec[0], factor * rotvec[1], factor * rotvec[2]};
  memcpy(q, t, sizeof t);
}

/* q and -q are one rotation: takes the one of half-angle at most pi/2. The axis is v / |v|. */
static double half_angle(const double q[4], double v[3], double* length) {
  const double sign = q[0] < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) v[i] = sign * q[i + 1];
  *length = norm3(v);
  return atan2(*length, fabs(q[0]));
}

void fb_quat_to_rotvec(const double q[4], double rotvec[3]) {
  double v[3], length;
  const double half = half_angle(q, v, &length);
  /* Direction first, then length: a quotient half/|v| would overflow when v is subnormal. */
  for (int i = 0; i < 3; i++) rotvec[i] = length > 0 ? v[i] / length * (2 * half) : 0;
}

void fb_rot_to_rotvec(const double R[9], double rotvec[3]) {
  double q[4];
  fb_rot_to_quat(R, q);
  fb_quat_to_rotvec(q, rotvec);
}

void fb_rot_to_axis_angle(const double R[9], double axis[3], double* angle) {
  double q[4], v[3], length;
  fb_rot_to_quat(R, q);
  *angle = 2 * half_angle(q, v, &length);
  for (int i = 0; i < 3; i++) axis[i] = length > 0 ? v[i] / length : (i == 0);
}

void fb_rot_update(const double R[9], const double w[3], double dt, double R_next[9]) {
  const double r[3] = {w[0] * dt, w[1] * dt, w[2] * dt};
  double E[9];
  fb_rot_from_rotvec(r, E);
  fb_rot_multiply(E, R, R_next);
}

/* A Bt */
static void relative(const double A[9], const double B[9], double E[9]) {
  double Bt[9];
  fb_rot_transpose(B, Bt);
  fb_rot_multiply(A, Bt, E);
}

void fb_rot_small_difference(const double A[9], const double B[9], double diff[3]) {
  double E[9];
  relative(A, B, E);
  diff[0] = 0.5 * (E[7] - E[5]);
  diff[1] = 0.5 * (E[2] - E[6]);
  diff[2] = 0.5 * (E[3] - E[1]);
}

void fb_rot_difference(const double A[9], const double B[9], double diff[3]) {
  double E[9];
  relative(A, B, E);
  fb_rot_to_rotvec(E, diff);
}
