/* rotation.c -- rotation matrices: about one axis, products, and products with vectors.
 *
 * R_wb is row major and takes body axes to reference axes, x_w = R_wb x_b. Active right-handed
 * rotations: Rz(angle) turns x towards y. SpaceDyn's cx, cy, cz are the transposes. */
#include <freebody/rotation.h>

#include <math.h>
#include <string.h>

void fb_rot_identity(double R[9]) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(R, identity, sizeof identity);
}

/* About axis `i`, where (i, j, k) is a cyclic order of the axes: R turns j towards k. */
static void rotate_about(int i, double angle, double R[9]) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double c = cos(angle), s = sin(angle);
  fb_rot_identity(R);
  R[3 * j + j] = c;
  R[3 * j + k] = -s;
  R[3 * k + j] = s;
  R[3 * k + k] = c;
}

void fb_rot_x(double angle, double R[9]) {
  rotate_about(0, angle, R);
}

void fb_rot_y(double angle, double R[9]) {
  rotate_about(1, angle, R);
}

void fb_rot_z(double angle, double R[9]) {
  rotate_about(2, angle, R);
}

void fb_rot_transpose(const double R[9], double Rt[9]) {
  const double t[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
  memcpy(Rt, t, sizeof t);
}

void fb_rot_multiply(const double A[9], const double B[9], double AB[9]) {
  double t[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      t[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
  }
  memcpy(AB, t, sizeof t);
}

void fb_rot_apply(const double R[9], const double x[3], double Rx[3]) {
  const double t[3] = {R[0] * x[0] + R[1] * x[1] + R[2] * x[2], R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
                       R[6] * x[0] + R[7] * x[1] + R[8] * x[2]};
  memcpy(Rx, t, sizeof t);
}

void fb_rot_apply_transpose(const double R[9], const double x[3], double Rtx[3]) {
  const double t[3] = {R[0] * x[0] + R[3] * x[1] + R[6] * x[2], R[1] * x[0] + R[4] * x[1] + R[7] * x[2],
                       R[2] * x[0] + R[5] * x[1] + R[8] * x[2]};
  memcpy(Rtx, t, sizeof t);
}
