/* svd.c -- singular value decomposition by one-sided Jacobi rotations
 *
 * The longer side's k vectors w_0 .. w_{k-1} (columns of A, or its rows when there are fewer of them) are
 * rotated in pairs until all are orthogonal; the rotations gather in an orthogonal k x k matrix, the lengths
 * are the singular values (Hestenes 1958; Golub and Van Loan, 8.6.3). Small singular values come out with high
 * relative accuracy. Cost O(max(rows, cols) k^2) a sweep, about six sweeps. */
#include "math/svd.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/array.h"

enum { MAX_SWEEPS = 60 };
static const double VANISHED = 1e-14;

typedef struct jacobi {
  int n, k;  /* k vectors of n numbers, n >= k */
  double* w; /* [k][n] */
  double* z; /* [k][k] row i: what rotations made of unit vector i */
} jacobi;

size_t fb_svd_work(int rows, int cols) {
  size_t n = (size_t)(rows > cols ? rows : cols), k = (size_t)(rows > cols ? cols : rows);
  return n * k + k * k;
}

static void rotate(double* a, double* b, int n, double c, double s) {
  for (int i = 0; i < n; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

/* Makes vectors i < j orthogonal, the longer one first; returns whether they were not. */
static int rotate_pair(jacobi* t, int i, int j) {
  double *a = t->w + (size_t)i * (size_t)t->n, *b = t->w + (size_t)j * (size_t)t->n;
  double aa = fb_array_dot(a, a, t->n), bb = fb_array_dot(b, b, t->n), ab = fb_array_dot(a, b, t->n);
  if (aa < bb) {
    fb_array_swap(a, b, t->n);
    fb_array_swap(t->z + i * t->k, t->z + j * t->k, t->k);
    double x = aa;
    aa = bb;
    bb = x;
  }
  if (fabs(ab) <= DBL_EPSILON * sqrt(aa) * sqrt(bb)) return 0;
  double zeta = (bb - aa) / (2 * ab);
  double tangent = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double c = 1 / sqrt(1 + tangent * tangent), s = c * tangent;
  rotate(a, b, t->n, c, s);
  rotate(t->z + i * t->k, t->z + j * t->k, t->k, c, s);
  return 1;
}

static void orthogonalise(jacobi* t) {
  for (int sweep = 0, turned = 1; turned && sweep < MAX_SWEEPS; sweep++) {
    turned = 0;
    for (int i = 0; i < t->k; i++)
      for (int j = i + 1; j < t->k; j++) turned |= rotate_pair(t, i, j);
  }
}

/* Loads the vectors, scaled so that squares neither overflow nor vanish. */
static void load(jacobi* t, const double* A, int rows, int cols, double scale) {
  for (int v = 0; v < t->k; v++)
    for (int i = 0; i < t->n; i++)
      t->w[(size_t)v * (size_t)t->n + (size_t)i] = (rows >= cols ? A[i * cols + v] : A[v * cols + i]) / scale;
  memset(t->z, 0, (size_t)t->k * (size_t)t->k * sizeof *t->z);
  for (int v = 0; v < t->k; v++) t->z[v * t->k + v] = 1;
}

void fb_svd(const double* A, int rows, int cols, double* s, double* U, double* V, double* work) {
  jacobi t = {.n = rows > cols ? rows : cols, .k = rows > cols ? cols : rows, .w = work};
  t.z = work + (size_t)t.n * (size_t)t.k;
  double* tall = rows >= cols ? U : V;
  double* square = rows >= cols ? V : U;
  double scale = fb_array_largest(A, rows * cols);
  load(&t, A, rows, cols, scale > 0 ? scale : 1);
  orthogonalise(&t);
  for (int v = 0; v < t.k; v++) {
    const double* w = t.w + (size_t)v * (size_t)t.n;
    double length = sqrt(fb_array_dot(w, w, t.n));
    s[v] = length * scale;
    int vanished = v > 0 ? s[v] <= VANISHED * s[0] : !(length > 0);
    for (int i = 0; i < t.n; i++) tall[i * t.k + v] = vanished ? 0 : w[i] / length;
    for (int i = 0; i < t.k; i++) square[i * t.k + v] = t.z[v * t.k + i];
  }
}

/* --- orthogonal complement, by Householder reflections --- */

/* x <- (E - 2 u u^T / u^T u) x over entries from .. n-1 */
static void reflect(const double* u, double half_square, int from, int n, double* x, int stride) {
  double sum = 0;
  for (int i = from; i < n; i++) sum += u[i] * x[i * stride];
  sum /= half_square;
  for (int i = from; i < n; i++) x[i * stride] -= sum * u[i];
}

void fb_orthogonal_complement(const double* V, int v_stride, int n, int r, double* basis, int basis_stride,
                              double* work) {
  double* half = work + (size_t)r * (size_t)n; /* u^T u / 2 of each reflection */
  for (int c = 0; c < r; c++) {
    double* u = work + (size_t)c * (size_t)n;
    for (int i = 0; i < n; i++) u[i] = V[i * v_stride + c];
    for (int k = 0; k < c; k++) reflect(work + (size_t)k * (size_t)n, half[k], k, n, u, 1);
    double length = sqrt(fb_array_dot(u + c, u + c, n - c));
    u[c] += copysign(length, u[c]);
    half[c] = 0.5 * fb_array_dot(u + c, u + c, n - c);
  }
  /* The last n - r columns of the product of all reflections. */
  for (int c = r; c < n; c++) {
    double* x = basis + (c - r);
    for (int i = 0; i < n; i++) x[i * basis_stride] = i == c ? 1 : 0;
    for (int k = r - 1; k >= 0; k--) reflect(work + (size_t)k * (size_t)n, half[k], k, n, x, basis_stride);
  }
}
