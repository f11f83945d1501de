/* vector3.h -- what the plain-double rotation and spatial code needs of 3-vectors and 3x3 matrices.
 *
 * Matrices are row major. Results come last; unless a line says otherwise they may not overlap inputs. */
#ifndef FB_MATH_VECTOR3_H
#define FB_MATH_VECTOR3_H

#include <float.h>
#include <math.h>
#include <string.h>

/* Below this sine (or cosine) an attitude counts as singular: a matrix that is meant to be singular
 * carries rounding of this size, so the direction of such a small pair says nothing. */
#define FB_SINGULAR_SINE (4.0 * DBL_EPSILON)

static inline double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* May overlap. */
static inline void cross3(const double a[3], const double b[3], double out[3]) {
  const double x = a[1] * b[2] - a[2] * b[1];
  const double y = a[2] * b[0] - a[0] * b[2];
  const double z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* x + by y, in place. */
static inline void add_scaled3(double x[3], double by, const double y[3]) {
  for (int i = 0; i < 3; i++) x[i] += by * y[i];
}

/* Whether a sum of squares has neither overflowed nor lost digits by underflow. */
static inline int is_safe_square(double square) {
  return square > 1e-280 && square < 1e280;
}

/* Neither overflow nor underflow on the way; hypot, which is ten times slower, is called only for numbers that need it. */
static inline double norm2(double x, double y) {
  const double square = x * x + y * y;
  return is_safe_square(square) ? sqrt(square) : hypot(x, y);
}
static inline double norm3(const double a[3]) {
  const double square = dot3(a, a);
  return is_safe_square(square) ? sqrt(square) : hypot(hypot(a[0], a[1]), a[2]);
}

/* The same where squares neither overflow nor vanish, in a fraction of the time. */
static inline double length3(const double a[3]) {
  return sqrt(dot3(a, a));
}

static inline int is_zero3(const double a[3]) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

static inline int is_identity3x3(const double M[9]) {
  for (int i = 0; i < 9; i++)
    if (M[i] != (i % 4 == 0)) return 0;
  return 1;
}

static inline double det3x3(const double M[9]) {
  double c[3];
  cross3(M + 3, M + 6, c);
  return dot3(M, c);
}

/* Largest |element| of M Mt - 1: how far M is from orthonormal. NaN or infinite when M is. */
static inline double defect3x3(const double M[9]) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      const double off = fabs(dot3(M + 3 * i, M + 3 * j) - (i == j));
      if (!(off <= worst)) worst = off;
    }
  return worst;
}

/* a~, so that a~ b = a x b. */
static inline void tilde3(const double a[3], double out[9]) {
  const double m[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  memcpy(out, m, sizeof m);
}

#endif
