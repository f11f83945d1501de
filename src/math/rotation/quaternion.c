/* quaternion.c -- quaternions (Hamilton, scalar first) and their conversions.
 *
 *   R(q) x = q x q*,   q = (cos(angle/2), sin(angle/2) axis)
 *
 * From R by Shepperd's choice (J. Guidance and Control 1, 1978, p. 223): divide by the largest of the
 * four components, which is at least 1/2, so no attitude loses digits. */
#include <freebody/rotation.h>

#include <math.h>
#include <string.h>

#include "math/array.h"
#include "math/vector3.h"

void fb_quat_multiply(const double a[4], const double b[4], double ab[4]) {
  const double t[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                       a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                       a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
                       a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
  memcpy(ab, t, sizeof t);
}

void fb_quat_conjugate(const double q[4], double qc[4]) {
  qc[0] = q[0];
  for (int i = 1; i < 4; i++) qc[i] = -q[i];
}

static double norm4(const double q[4]) {
  return sqrt(q[0] * q[0] + dot3(q + 1, q + 1));
}

double fb_quat_normalise(double q[4]) {
  static const double identity[4] = {1, 0, 0, 0};
  double norm = norm4(q), scale = 1;
  if (!(norm > 1e-150 && norm < 1e150)) {
    /* The squares left the range of double, or there is no direction. */
    scale = fb_array_largest(q, 4);
    if (!(scale > 0) || !fb_array_is_finite(q, 4)) {
      memcpy(q, identity, sizeof identity);
      return norm;
    }
    for (int i = 0; i < 4; i++) q[i] /= scale;
    norm = norm4(q);
  }
  for (int i = 0; i < 4; i++) q[i] /= norm;
  return scale * norm;
}

void fb_rot_from_quat(const double q[4], double R[9]) {
  double u[4];
  memcpy(u, q, sizeof u);
  fb_quat_normalise(u);
  const double w = u[0], x = u[1], y = u[2], z = u[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - w * z);
  R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y);
  R[7] = 2 * (y * z + w * x);
  R[8] = 1 - 2 * (x * x + y * y);
}

/* Scalar part the largest: 4 w^2 = 1 + trace. */
static void from_trace(const double R[9], double q[4]) {
  const double d = 1 + R[0] + R[4] + R[8];
  q[0] = d;
  q[1] = R[7] - R[5];
  q[2] = R[2] - R[6];
  q[3] = R[3] - R[1];
}

/* Vector component i the largest, (i, j, k) cyclic: 4 q_i^2 = 1 + R_ii - R_jj - R_kk. */
static void from_diagonal(const double R[9], int i, double q[4]) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  q[0] = R[3 * k + j] - R[3 * j + k];
  q[1 + i] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
  q[1 + j] = R[3 * j + i] + R[3 * i + j];
  q[1 + k] = R[3 * k + i] + R[3 * i + k];
}

void fb_rot_to_quat(const double R[9], double q[4]) {
  double found[4];
  int i = 0;
  if (R[4] > R[4 * i]) i = 1;
  if (R[8] > R[4 * i]) i = 2;
  /* Each gives four times q times its largest component; normalising leaves q. */
  if (R[0] + R[4] + R[8] >= R[4 * i]) {
    from_trace(R, found);
  } else {
    from_diagonal(R, i, found);
  }
  memcpy(q, found, sizeof found);
  fb_quat_normalise(q);
}
