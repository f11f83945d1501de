/* frame_task_solve.c -- the damped pseudo-inverse of a small matrix times a vector
 *
 *   y = A^T (A A^T + damping^2 E)^-1 x
 * By Householder reflections: with M = [A^T; damping E] = Q R P^T (columns swapped so that the largest comes first;
 * Golub and Van Loan, 5.4.2), M^T M = A A^T + damping^2 E, and y is the upper part of Q R^-T P^T x: the condition
 * of A is never squared. If that indicates a singular A without damping, or A has more rows than columns, the
 * singular value decomposition decides what to leave out; elsewhere both are the same, and this is several times
 * cheaper. Cost O((n + rows) rows^2). */
#include "control/frame_task/frame_task_solve.h"

#include <math.h>
#include <string.h>

#include "math/array.h"
#include "math/svd.h"

static const double LEFT_OUT = 1e-12; /* of the largest singular value, without damping */
static const double DOUBTFUL = 1e-6;  /* of the largest pivot: only singular values can tell */

static size_t smaller(int a, int b) {
  return (size_t)(a < b ? a : b);
}

/* Reflections: rows columns of n + rows, their pivots, the order, z. Or s, U, V and the work of fb_svd. */
size_t fb_damped_work(int rows, int n) {
  size_t k = smaller(rows, n), r = (size_t)rows, c = (size_t)n;
  size_t reflections = r * (c + r) + 2 * r + (c + r), values = k + r * k + c * k + fb_svd_work(rows, n);
  return reflections > values ? reflections : values;
}

/* b -= (u.b) u / half, half = u.u / 2 */
static void reflect(const double* u, double half, double* b, int n) {
  double share = fb_array_dot(u, b, n) / half;
  for (int i = 0; i < n; i++) b[i] -= share * u[i];
}

/* Puts the longest of columns j .. count-1, from entry j on, first. */
static double choose_column(double* M, double* x, int height, int count, int j) {
  int longest = j;
  double most = -1;
  for (int c = j; c < count; c++) {
    const double* column = M + (size_t)c * (size_t)height + j;
    double square = fb_array_dot(column, column, height - j);
    if (square > most) most = square, longest = c;
  }
  if (longest == j) return sqrt(most);
  double *a = M + (size_t)j * (size_t)height, *b = M + (size_t)longest * (size_t)height, swap = x[j];
  x[j] = x[longest];
  x[longest] = swap;
  for (int i = 0; i < height; i++) {
    swap = a[i];
    a[i] = b[i];
    b[i] = swap;
  }
  return sqrt(most);
}

/* M holds its columns one after the other; x is swapped with them and becomes z = R^-T P^T x. Reflections stay in M, from
 * the diagonal down, with half their squares. Returns 0 where A is singular, or may be. */
static int triangle(double* M, int height, int count, int damped, double* half, double* x) {
  double first = 0;
  for (int j = 0; j < count; j++) {
    double *u = M + (size_t)j * (size_t)height + j, length = choose_column(M, x, height, count, j);
    if (j == 0) first = length;
    if (!(length > 0) || (!damped && length < DOUBTFUL * first)) return 0;
    double pivot = u[0] > 0 ? -length : length;
    u[0] -= pivot;
    half[j] = length * fabs(u[0]);
    for (int c = j + 1; c < count; c++) reflect(u, half[j], M + (size_t)c * (size_t)height + j, height - j);
    /* Row j of R^T is column j of R above the diagonal, which earlier reflections have made. */
    for (int i = 0; i < j; i++) x[j] -= M[(size_t)j * (size_t)height + (size_t)i] * x[i];
    x[j] /= pivot;
  }
  return 1;
}

static int by_reflections(const double* A, int rows, int n, const double* x, double damping, double* y,
                          double* work) {
  int damped = damping > 0, height = n + (damped ? rows : 0);
  if (height < rows || rows == 0) return 0;
  double *M = work, *half = M + (size_t)rows * (size_t)(n + rows), *z = half + rows, *out = z + rows;
  for (int r = 0; r < rows; r++) {
    double* column = M + (size_t)r * (size_t)height;
    memcpy(column, A + (size_t)r * (size_t)n, (size_t)n * sizeof *A);
    for (int i = n; i < height; i++) column[i] = i - n == r ? damping : 0;
  }
  memcpy(z, x, (size_t)rows * sizeof *x);
  if (!triangle(M, height, rows, damped, half, z)) return 0;
  memset(out, 0, (size_t)height * sizeof *out);
  memcpy(out, z, (size_t)rows * sizeof *z);
  for (int j = rows - 1; j >= 0; j--)
    reflect(M + (size_t)j * (size_t)height + j, half[j], out + j, height - j);
  memcpy(y, out, (size_t)n * sizeof *y);
  return 1;
}

/* Nothing is divided by less than `floor_part` of the largest singular value. */
static void by_singular_values(const double* A, int rows, int n, const double* x, double damping,
                               double floor_part, double* y, double* work) {
  size_t k = smaller(rows, n);
  double *s = work, *U = s + k, *V = U + (size_t)rows * k;
  fb_svd(A, rows, n, s, U, V, V + (size_t)n * k);
  for (int i = 0; i < n; i++) y[i] = 0;
  for (size_t c = 0; c < k; c++) {
    if (!(s[c] > 0) || (damping == 0 && s[c] <= LEFT_OUT * s[0])) break;
    double along = 0, divisor = fmax(s[c], floor_part * s[0]);
    for (int r = 0; r < rows; r++) along += U[(size_t)r * k + c] * x[r];
    along *= s[c] / (divisor * divisor + damping * damping);
    for (int i = 0; i < n; i++) y[i] += along * V[(size_t)i * k + c];
  }
}

void fb_damped_solve(const double* A, int rows, int n, const double* x, double damping, double* y,
                     double* work) {
  if (!fb_array_is_finite(A, rows * n) || !fb_array_is_finite(x, rows)) {
    for (int i = 0; i < n; i++) y[i] = NAN;
    return;
  }
  if (!by_reflections(A, rows, n, x, damping, y, work))
    by_singular_values(A, rows, n, x, damping, 0, y, work);
}

void fb_floored_solve(const double* A, int rows, int n, const double* x, double damping, double floor_part,
                      double* y, double* work) {
  if (fb_array_is_finite(A, rows * n) && fb_array_is_finite(x, rows))
    by_singular_values(A, rows, n, x, damping, floor_part, y, work);
  else
    for (int i = 0; i < n; i++) y[i] = NAN;
}
