/* axis.c -- joint axes.
 *
 * With a = (x, y, z) of unit length the shortest rotation from z to a is, for z > -1,
 *   R = E + w~ + w~w~ / (1 + z),  w = z-axis x a = (-y, x, 0).
 * Near -z that formula loses digits; there the half turn about x comes first: a = Rx(pi) b, and
 * R = Rx(pi) R(b) with b = (x, -y, -z) near +z. */
#include "math/axis.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

int fb_axis_normalise(double axis[3]) {
  double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  if (!(largest > 0) || !isfinite(largest)) return 0;
  double x = axis[0] / largest, y = axis[1] / largest, z = axis[2] / largest;
  double length = sqrt(x * x + y * y + z * z);
  if (fabs(length * largest - 1) <= 4e-16) return 1;
  axis[0] = x / length;
  axis[1] = y / length;
  axis[2] = z / length;
  return 1;
}

double fb_axis_sine(const double a[3], const double b[3]) {
  double x[3], y[3], cross[3];
  memcpy(x, a, sizeof x);
  memcpy(y, b, sizeof y);
  if (!fb_axis_normalise(x) || !fb_axis_normalise(y)) return 0;
  cross3(x, y, cross);
  return norm3(cross);
}

void fb_axis_from_z(const double axis[3], double R[9]) {
  double x = axis[0], y = axis[1], z = axis[2];
  double s = z < 0 ? -1 : 1; /* the half turn about x changes the signs of y and z */
  y *= s;
  z *= s;
  double k = 1 / (1 + z);
  R[0] = 1 - x * x * k;
  R[1] = -x * y * k;
  R[2] = x;
  R[3] = s * (-x * y * k);
  R[4] = s * (1 - y * y * k);
  R[5] = s * y;
  R[6] = s * -x;
  R[7] = s * -y;
  R[8] = s * z;
}
