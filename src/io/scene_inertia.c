/* scene_inertia.c -- what inertia tells of the look of a body: principal axes, and the box and the ellipsoid of uniform
 * density with the same mass and inertia.
 *
 *   box        (2 h_i)^2 = 6 (I_j + I_k - I_i) / m       ellipsoid   r_i^2 = 5 (I_j + I_k - I_i) / (2 m)
 *
 * The axes by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, 8.5): their product is a rotation, and
 * a matrix that is diagonal already is left as it is, so that boxes keep the axes their model gave them. */
#include <math.h>
#include <string.h>

#include "io/scene_inside.h"

/* Zeroes a_pq and turns the axes in V along. */
static void rotate(double a[3][3], double V[9], int p, int q) {
  if (a[p][q] == 0) return;
  double d = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (d < 0 ? -1 : 1) / (fabs(d) + hypot(d, 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = a[k][p], y = a[k][q], u = V[3 * k + p], w = V[3 * k + q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
    V[3 * k + p] = c * u - s * w;
    V[3 * k + q] = s * u + c * w;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
  }
  a[p][q] = a[q][p] = 0;
}

void fb_principal_axes(const double inertia[6], fb_principal* out) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double scale = 0;
  for (int i = 0; i < 6; i++) scale = fmax(scale, fabs(inertia[i]));
  if (scale == 0) scale = 1;
  double A[6];
  for (int i = 0; i < 6; i++) A[i] = inertia[i] / scale;
  double a[3][3] = {{A[0], A[3], A[4]}, {A[3], A[1], A[5]}, {A[4], A[5], A[2]}};
  memcpy(out->R, unit, sizeof unit);
  for (int sweep = 0; sweep < 8; sweep++) {
    rotate(a, out->R, 0, 1);
    rotate(a, out->R, 0, 2);
    rotate(a, out->R, 1, 2);
  }
  for (int i = 0; i < 3; i++) out->moments[i] = scale * a[i][i];
}

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
