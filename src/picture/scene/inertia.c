/* inertia.c -- the shape of a body estimated from its inertia: the box and the ellipsoid of uniform density with the
 * same mass and principal moments,
 *
 *   box        (2 h_i)^2 = 6 (I_j + I_k - I_i) / m       ellipsoid   r_i^2 = 5 (I_j + I_k - I_i) / (2 m) */
#include <math.h>

#include "picture/scene/parts.h"

static void half_sizes(double mass, const double I[3], double factor, double half[3]) {
  for (int i = 0; i < 3; i++) {
    double second = I[(i + 1) % 3] + I[(i + 2) % 3] - I[i];
    half[i] = mass > 0 && second > 0 ? sqrt(factor * (second / mass)) : 0;
  }
}

void fb_equal_box(double mass, const double moments[3], double half[3]) {
  half_sizes(mass, moments, 1.5, half);
}

void fb_equal_ellipsoid(double mass, const double moments[3], double radii[3]) {
  half_sizes(mass, moments, 2.5, radii);
}
