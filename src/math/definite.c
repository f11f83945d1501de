/* definite.c -- whether an inertia is positive by more than rounding
 *
 * By elimination that takes the coordinate with the largest pivot first, each measured by its scale, so that nothing is
 * divided by a small one before a large one. In a fixed order the pivots of a rod near a coordinate axis are small one
 * after another, and the last is rounding, magnified by all before it. Cost n^3/6. */
#include "math/definite.h"

#include <math.h>
#include <string.h>

/* Element (i, j) of the lower triangle. */
static double* element(double* A, int n, int i, int j) {
  return i > j ? A + i * n + j : A + j * n + i;
}

/* The largest pivot of those that are left, by its scale. */
static int choose(double* A, int n, const double* scale, const int* left, int count) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (*element(A, n, left[i], left[i]) * scale[left[best]] >
        *element(A, n, left[best], left[best]) * scale[left[i]])
      best = i;
  return best;
}

int fb_definite(double* A, int n, const double* scale, double* least) {
  int left[FB_DEFINITE_MOST] = {0, 1, 2, 3, 4, 5};
  *least = INFINITY;
  for (int count = n; count > 0; count--) {
    int at = choose(A, n, scale, left, count), p = left[at];
    double pivot = *element(A, n, p, p);
    if (!(pivot >= *least)) *least = pivot;
    if (!(isfinite(pivot) && pivot > FB_ROUNDING * scale[p])) return 0;
    left[at] = left[count - 1];
    for (int i = 0; i < count - 1; i++)
      for (int j = 0; j <= i; j++)
        *element(A, n, left[i], left[j]) -= *element(A, n, left[i], p) * *element(A, n, left[j], p) / pivot;
  }
  return 1;
}

int fb_definite6(const double M[36], double* least) {
  double A[36], scale[6];
  memcpy(A, M, sizeof A);
  for (int i = 0; i < 6; i++) {
    const double* part = M + (i < 3 ? 0 : 21);
    scale[i] = part[0] + part[7] + part[14];
  }
  return fb_definite(A, 6, scale, least);
}
