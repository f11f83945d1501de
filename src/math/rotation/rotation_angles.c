/* rotation_angles.c -- rotation matrix from three angles, and back, for every attitude.
 *
 *   rpy        R = Rz(yaw) Ry(pitch) Rx(roll)     fixed x, y, z   (URDF)
 *   euler_xyz  R = Rx(a) Ry(b) Rz(c)              moving x, y, z  (SpaceDyn's rpy2dc, transposed)
 *   euler_zxz  R = Rz(phi) Rx(theta) Rz(psi)      moving z, x, z  (SpaceDyn's eul2dc, transposed)
 *
 * Back: the angle of the rotation that acts first on a body vector (roll, c, psi) comes from the row
 * that it shares with the middle angle, and is undone. The outer angle is read from what is left, so
 * when the first is badly determined, close to a singular attitude, the outer one makes up for it and
 * the three together still give R to a few ulp. Reading all three from R itself loses half of the
 * digits there. Where the first is not determined at all it is zero. */
#include <freebody/rotation.h>

#include <math.h>

#include "math/vector3.h"

/* R = first second third, turns by three angles about the axes named. */
static void product(const char axes[3], double first, double second, double third, double R[9]) {
  static void (*const turn[])(double angle, double R[9]) = {fb_rot_x, fb_rot_y, fb_rot_z};
  const double angles[3] = {first, second, third};
  double next[9];
  turn[axes[0] - 'x'](first, R);
  for (int i = 1; i < 3; i++) {
    turn[axes[i] - 'x'](angles[i], next);
    fb_rot_multiply(R, next, R);
  }
}

void fb_rot_from_rpy(const double rpy[3], double R[9]) {
  product("zyx", rpy[2], rpy[1], rpy[0], R);
}

void fb_rot_from_euler_xyz(const double abc[3], double R[9]) {
  product("xyz", abc[0], abc[1], abc[2], R);
}

void fb_rot_from_euler_zxz(const double phi_theta_psi[3], double R[9]) {
  product("zxz", phi_theta_psi[0], phi_theta_psi[1], phi_theta_psi[2], R);
}

/* atan2 within (-pi, pi]: adding zero turns -0 into +0, so that no half turn comes out as -pi. */
static double angle_of(double y, double x) {
  return atan2(y + 0.0, x + 0.0);
}

/* The direction of a pair that shrinks to zero at the singular attitudes: its angle and its length. */
typedef struct pair {
  double angle, sine, cosine, length;
} pair;

static pair pair_of(double y, double x) {
  pair d = {0, 0, 1, hypot(y, x)};
  if (d.length > FB_SINGULAR_SINE) {
    d.angle = angle_of(y, x);
    d.sine = y / d.length;
    d.cosine = x / d.length;
  }
  return d;
}

void fb_rot_to_rpy(const double R[9], double rpy[3]) {
  const pair roll = pair_of(R[7], R[8]); /* last row: -sin pitch, cos pitch sin roll, cos pitch cos roll */
  /* Second column of R Rx(-roll) = Rz Ry: -sin yaw, cos yaw, 0. */
  const double x = roll.cosine * R[1] - roll.sine * R[2];
  const double y = roll.cosine * R[4] - roll.sine * R[5];
  const double pitch = angle_of(-R[6], roll.length);
  rpy[0] = roll.angle;
  rpy[1] = pitch;
  rpy[2] = angle_of(-x, y);
}

void fb_rot_to_euler_xyz(const double R[9], double abc[3]) {
  const pair c = pair_of(-R[1], R[0]); /* first row: cos b cos c, -cos b sin c, sin b */
  /* Second column of R Rz(-c) = Rx Ry: 0, cos a, sin a. */
  const double y = c.sine * R[3] + c.cosine * R[4];
  const double z = c.sine * R[6] + c.cosine * R[7];
  const double b = angle_of(R[2], c.length);
  abc[0] = angle_of(z, y);
  abc[1] = b;
  abc[2] = c.angle;
}

void fb_rot_to_euler_zxz(const double R[9], double phi_theta_psi[3]) {
  const pair psi = pair_of(R[6], R[7]); /* last row: sin theta sin psi, sin theta cos psi, cos theta */
  /* First column of R Rz(-psi) = Rz Rx: cos phi, sin phi, 0. */
  const double x = psi.cosine * R[0] - psi.sine * R[1];
  const double y = psi.cosine * R[3] - psi.sine * R[4];
  const double theta = angle_of(psi.length, R[8]);
  phi_theta_psi[0] = angle_of(y, x);
  phi_theta_psi[1] = theta;
  phi_theta_psi[2] = psi.angle;
}
