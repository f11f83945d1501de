/* axis.c -- joint axes.
 *
 * With a = (x, y, z) of unit length the shortest rotation from z to a is, for z > -1,
 *   R = E + w~ + k w~w~,  w = z-axis x a = (-y, x, 0),  k = 1 / (1 + z) = (1 - z) / (x^2 + y^2).
 * The second form of k keeps its digits where z < 0. At -z every axis in the x-y plane would do; ours is x. */
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
  double x = axis[0], y = axis[1], z = axis[2], xx, xy, yy; /* k x^2, k x y, k y^2 */
  if (z < 0) {
    /* Not by hypot, whose last bit differs from one C library to another. */
    double most = fmax(fabs(x), fabs(y)), u = most > 0 ? x / most : 0, v = most > 0 ? y / most : 1;
    double r = sqrt(u * u + v * v), c = u / r, s = v / r;
    xx = (1 - z) * c * c;
    xy = (1 - z) * c * s;
    yy = (1 - z) * s * s;
  } else {
    double k = 1 / (1 + z);
    xx = x * x * k;
    xy = x * y * k;
    yy = y * y * k;
  }
  R[0] = 1 - xx;
  R[1] = R[3] = -xy;
  R[2] = x;
  R[4] = 1 - yy;
  R[5] = y;
  R[6] = -x;
  R[7] = -y;
  R[8] = z;
}
