/* sym3.c -- eigenvalues and axes of a symmetric 3x3 matrix by cyclic Jacobi rotations
 *
 *   t = sign(d) / (|d| + sqrt(d^2 + 1)),  d = (a_qq - a_pp) / (2 a_pq)   (Golub and Van Loan, 8.5)
 *
 * zeroes a_pq; a handful of sweeps reaches round-off, and the product of the rotations is that of the axes. The matrix is
 * scaled first, so that neither
 * huge nor tiny inertias overflow. */
#include "math/sym3.h"

#include <math.h>
#include <string.h>

#include "math/array.h"

/* Zeroes a_pq and turns the axes in R along. */
static void rotate(double a[3][3], double R[9], int p, int q) {
  if (a[p][q] == 0) return;
  double d = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (d < 0 ? -1 : 1) / (fabs(d) + sqrt(d * d + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = a[k][p], y = a[k][q], u = R[3 * k + p], w = R[3 * k + q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
    R[3 * k + p] = c * u - s * w;
    R[3 * k + q] = s * u + c * w;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
  }
  a[p][q] = a[q][p] = 0;
}

void fb_sym3_axes(const double A[6], double values[3], double R[9]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double scale = fb_array_largest(A, 6);
  if (scale == 0) scale = 1;
  double a[3][3] = {{A[0] / scale, A[3] / scale, A[4] / scale},
                    {A[3] / scale, A[1] / scale, A[5] / scale},
                    {A[4] / scale, A[5] / scale, A[2] / scale}};
  memcpy(R, unit, sizeof unit);
  for (int sweep = 0; sweep < 8; sweep++) {
    rotate(a, R, 0, 1);
    rotate(a, R, 0, 2);
    rotate(a, R, 1, 2);
  }
  for (int i = 0; i < 3; i++) values[i] = scale * a[i][i];
}

static void sort2(double* a, double* b) {
  if (*a <= *b) return;
  double x = *a;
  *a = *b;
  *b = x;
}

void fb_sym3_eigenvalues(const double A[6], double values[3]) {
  double R[9];
  fb_sym3_axes(A, values, R);
  sort2(&values[0], &values[1]);
  sort2(&values[1], &values[2]);
  sort2(&values[0], &values[1]);
}
