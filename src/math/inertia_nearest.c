/* inertia_nearest.c -- the possible inertia that is nearest to a given one
 *
 * A symmetric I is the inertia of some body about its centre of mass just when none of its principal moments exceeds
 * the sum of the other two:
 *   e1 <= e2 <= e3:   e3 <= e1 + e2,   and so e1 >= 0
 * That set is convex and does not depend on the axes. So the nearest matrix in the sense of the sum of squares of all
 * nine elements has the same principal axes, and its moments are those nearest to (e1, e2, e3) in the cone:
 *   inside                                        e
 *   above the face e3 = e1 + e2                   e + (d, d, -d),  d = (e3 - e1 - e2) / 3
 *   where that leaves e1 below zero, on the edge  (0, t, t),  t = (e2 + e3) / 2, and zero when that is negative
 * (A. S. Lewis 1996, spectral functions: the projection acts on the eigenvalues.) */
#include <freebody/spatial.h>

#include <math.h>
#include <string.h>

#include "math/sym3.h"

/* The nearest point of the cone; e ascends. */
static void project(double e[3]) {
  double d = (e[2] - e[0] - e[1]) / 3;
  if (!(d > 0)) return;
  if (e[0] + d >= 0) {
    e[0] += d;
    e[1] += d;
    e[2] = e[0] + e[1];
    return;
  }
  e[0] = 0;
  e[1] = e[2] = fmax(0, 0.5 * (e[1] + e[2]));
}

/* The places of three numbers in ascending order. */
static void order(const double x[3], int at[3]) {
  for (int i = 0; i < 3; i++) {
    int k = i;
    for (; k > 0 && x[at[k - 1]] > x[i]; k--) at[k] = at[k - 1];
    at[k] = i;
  }
}

/* R diag(e) R^T */
static void compose(const double R[9], const double e[3], double out[6]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    out[i] = 0;
    for (int k = 0; k < 3; k++) out[i] += e[k] * R[3 * row[i] + k] * R[3 * column[i] + k];
  }
}

int fb_inertia_is_possible(const double inertia[6]) {
  double e[3];
  fb_sym3_eigenvalues(inertia, e);
  return e[0] + e[1] >= e[2] - 1e-9 * fmax(fabs(e[0]), fabs(e[2]));
}

void fb_inertia_moments(const double inertia[6], double moments[3]) {
  fb_sym3_eigenvalues(inertia, moments);
  double rounding = 1e-15 * fmax(fabs(moments[0]), fabs(moments[2]));
  for (int i = 0; i < 3; i++)
    if (fabs(moments[i]) < rounding) moments[i] = 0;
}

void fb_inertia_nearest(const double inertia[6], double nearest[6]) {
  double values[3], R[9], e[3];
  int at[3];
  fb_sym3_axes(inertia, values, R);
  order(values, at);
  for (int i = 0; i < 3; i++) e[i] = values[at[i]];
  if (e[0] + e[1] >= e[2]) {
    memmove(nearest, inertia, 6 * sizeof *nearest);
    return;
  }
  project(e);
  for (int i = 0; i < 3; i++) values[at[i]] = e[i];
  compose(R, values, nearest);
}

/* The others keep their bits where their axes are those of the matrix. */
void fb_inertia_raise(const double inertia[6], double least, double raised[6]) {
  double values[3], R[9], more[6];
  fb_sym3_axes(inertia, values, R);
  for (int k = 0; k < 3; k++) values[k] = fmax(0, least - values[k]);
  compose(R, values, more);
  for (int i = 0; i < 6; i++) raised[i] = inertia[i] + more[i];
}
