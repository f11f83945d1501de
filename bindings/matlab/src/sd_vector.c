/* sd_vector.c -- 3-vectors, 3 x 3 matrices by columns, and attitudes as SpaceDyn writes them
 *
 * Direction cosines C take inertial axes to link axes; A = C^T. A matrix by columns is the transpose of one by rows, so
 * C by columns is Freebody's R = A by rows (freebody/rotation.h). Quaternions here are x y z w of C. */
#include "sd.h"

#include <math.h>
#include <string.h>

void sd_cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

void sd_add_cross(double s, const double a[3], const double b[3], double c[3]) {
  c[0] += s * (a[1] * b[2] - a[2] * b[1]);
  c[1] += s * (a[2] * b[0] - a[0] * b[2]);
  c[2] += s * (a[0] * b[1] - a[1] * b[0]);
}

void sd_mul(const double A[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

void sd_mul_transpose(const double A[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

void sd_mat_mul(const double A[9], const double B[9], double C[9]) {
  for (int j = 0; j < 3; j++) sd_mul(A, B + 3 * j, C + 3 * j);
}

void sd_rotate_inertia(const double A[9], const double I[9], double A_I_At[9]) {
  double At[9], AI[9];
  fb_rot_transpose(A, At);
  sd_mat_mul(A, I, AI);
  sd_mat_mul(AI, At, A_I_At);
}

void sd_rpy2dc(const double angles[3], double C[9]) {
  fb_rot_from_euler_xyz(angles, C); /* by rows: A; by columns: C */
}

void sd_aw(const double w[3], double dt, double E[9]) {
  double rotation[3] = {w[0] * dt, w[1] * dt, w[2] * dt}, R[9];
  fb_rot_from_rotvec(rotation, R);
  fb_rot_transpose(R, E);
}

void sd_dc2qtn(const double C[9], double qtn[4]) {
  double q[4];
  fb_rot_to_quat(C, q);
  qtn[0] = q[1], qtn[1] = q[2], qtn[2] = q[3], qtn[3] = q[0];
}

/* Of any norm, as SpaceDyn's: a quaternion that is not of unit length gives a matrix that is scaled. */
void sd_qtn2dc(const double qtn[4], double C[9]) {
  double x = qtn[0], y = qtn[1], z = qtn[2], w = qtn[3];
  double by_columns[9] = {
      x * x - y * y - z * z + w * w,  2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w),
      -x * x + y * y - z * z + w * w, 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
      -x * x - y * y + z * z + w * w};
  memcpy(C, by_columns, sizeof by_columns);
}

void sd_w2dqtn(const double w[3], const double qtn[4], double rate[4]) {
  double x = qtn[0], y = qtn[1], z = qtn[2], s = qtn[3];
  rate[0] = (s * w[0] + z * w[1] - y * w[2]) / 2;
  rate[1] = (-z * w[0] + s * w[1] + x * w[2]) / 2;
  rate[2] = (y * w[0] - x * w[1] + s * w[2]) / 2;
  rate[3] = -(x * w[0] + y * w[1] + z * w[2]) / 2;
}

double sd_nearest_rotation(double A[9]) {
  double M[9];
  memcpy(M, A, sizeof M);
  return fb_rot_nearest(M, A); /* that of the transpose is the transpose */
}
