/* rotation_nearest.c -- the rotation nearest to a matrix: the orthogonal factor of M = R P.
 *
 *   X <- (g X + X^-T / g) / 2,   g = (|X^-1|_F / |X|_F)^(1/2),   X_0 = M
 *
 * Newton's iteration with Frobenius scaling (Higham, Functions of Matrices, 2008, 8.6): quadratic near
 * the end and nine steps or so for any matrix that is not singular in double. det M > 0 makes the
 * factor proper. */
#include <freebody/rotation.h>

#include <math.h>
#include <string.h>

#include "math/array.h"
#include "math/vector3.h"

enum { MOST_STEPS = 40 };

static double norm(const double M[9]) {
  return sqrt(fb_array_dot(M, M, 9));
}

/* Rows of the cofactor matrix are cross products of the rows of X; X^-T = cof / det. */
static double cofactors(const double X[9], double cof[9]) {
  cross3(X + 3, X + 6, cof);
  cross3(X + 6, X, cof + 3);
  cross3(X, X + 3, cof + 6);
  return dot3(X, cof);
}

/* One step; returns the largest change of an element, or -1 when X has no positive determinant. */
static double newton_step(double X[9]) {
  double cof[9], change = 0;
  const double det = cofactors(X, cof);
  if (!(det > 0)) return -1;
  const double g = sqrt(norm(cof) / (det * norm(X)));
  for (int i = 0; i < 9; i++) {
    const double next = 0.5 * (g * X[i] + cof[i] / (det * g));
    change = fmax(change, fabs(next - X[i]));
    X[i] = next;
  }
  return change;
}

/* Fails when det X <= 0. */
static int polar_factor(double X[9]) {
  for (int k = 0; k < MOST_STEPS; k++) {
    const double change = newton_step(X);
    if (change < 0) return 0;
    if (change < 1e-9) break; /* what is left is the square of this */
  }
  return defect3x3(X) < 1e-12;
}

double fb_rot_nearest(const double M[9], double R[9]) {
  double X[9];
  const double before = defect3x3(M), scale = fb_array_largest(M, 9);
  int good = fb_array_is_finite(M, 9) && scale > 0;
  if (good) {
    /* The factor of a multiple is the same, and the determinant of a huge or tiny M is out of range. */
    for (int i = 0; i < 9; i++) X[i] = M[i] / scale;
    good = polar_factor(X);
  }
  if (!good) {
    fb_rot_identity(R);
    return -1;
  }
  memcpy(R, X, sizeof X);
  return before;
}
