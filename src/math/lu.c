/* lu.c -- P A = L U by rows, with the largest pivot of each column (Golub and Van Loan, 3.4). Cost 2 n^3/3 and 2 n^2; zeros
 * of L cost nothing, so that a banded matrix is cheap. */
#include "math/lu.h"

#include <math.h>
#include <string.h>

static double* row_of(double* A, int n, int i) {
  return A + (size_t)i * (size_t)n;
}

static void exchange(double* A, int n, int i, int j, int* rows) {
  if (i == j) return;
  double *a = row_of(A, n, i), *b = row_of(A, n, j);
  for (int k = 0; k < n; k++) {
    double kept = a[k];
    a[k] = b[k];
    b[k] = kept;
  }
  int kept = rows[i];
  rows[i] = rows[j];
  rows[j] = kept;
}

static int largest_below(double* A, int n, int column) {
  int best = column;
  for (int i = column + 1; i < n; i++)
    if (fabs(row_of(A, n, i)[column]) > fabs(row_of(A, n, best)[column])) best = i;
  return best;
}

/* row += by from, over the columns after `column`. */
static void add_row(double* restrict row, const double* restrict from, double by, int column, int n) {
  for (int k = column + 1; k < n; k++) row[k] += by * from[k];
}

double fb_lu_factor(double* A, int n, int* rows) {
  double largest = 0, least = INFINITY;
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
    if (!isfinite(A[i])) return 0;
    largest = fmax(largest, fabs(A[i]));
  }
  for (int i = 0; i < n; i++) rows[i] = i;
  for (int j = 0; j < n; j++) {
    exchange(A, n, j, largest_below(A, n, j), rows);
    const double* from = row_of(A, n, j);
    if (!(fabs(from[j]) > 0) || !isfinite(from[j])) return 0;
    least = fmin(least, fabs(from[j]));
    for (int i = j + 1; i < n; i++) {
      double* row = row_of(A, n, i);
      if (row[j] == 0) continue;
      row[j] /= from[j];
      add_row(row, from, -row[j], j, n);
    }
  }
  return n > 0 ? least / largest : 1;
}

void fb_lu_solve(const double* A, int n, const int* rows, double* b, double* work) {
  for (int i = 0; i < n; i++) {
    const double* row = A + (size_t)i * (size_t)n;
    work[i] = b[rows[i]];
    for (int k = 0; k < i; k++) work[i] -= row[k] * work[k];
  }
  for (int i = n - 1; i >= 0; i--) {
    const double* row = A + (size_t)i * (size_t)n;
    for (int k = i + 1; k < n; k++) work[i] -= row[k] * work[k];
    work[i] /= row[i];
  }
  memcpy(b, work, (size_t)n * sizeof *b);
}
