/* solve.c -- forces along rows that may depend on one another
 *
 *   A = J H^-1 J^T,  S A S = L L^T with S = diag(A)^-1/2,  the largest pivot first, until what is left is rounding
 *
 * The rows met by then are independent; the others repeat them: their forces are not determined, and are zero in the
 * solution L L^T (S^-1 x) = S a. The same accelerations come from x + N c with A N = 0, and the least of these,
 * x - N (N^T N)^-1 N^T x, is what is reported. */
#include "constraint/rows.h"

#include <math.h>
#include <string.h>

#include "math/ldl.h"

/* A row whose angle to all before it is less than the root of this repeats them. */
static const double REPEATED = 1e-10;

/* A row that responds less than this part of the others does not respond: the square of rounding. */
static const double STIFF = 1e-24;

/* The square of rounding in a row, generously. */
static const double ROUNDING = 1e-26;

/* How far loops are open inside a step, at most [m or rad]; further open, they are still being closed. */
static const double MOST_OPEN = 1e-6;

static void swap(double* x, int i, int j) {
  double keep = x[i];
  x[i] = x[j];
  x[j] = keep;
}

/* Row i of L is that of row_order[i]; so far it has `columns`. The remaining diagonal is kept in row_work. */
static void exchange(const fb_model* m, fb_data* d, int i, int j, int columns) {
  swap(d->row_work, i, j);
  swap(d->row_order, i, j);
  for (int c = 0; c < columns; c++) swap(d->row_L + c, m->top.nrow * i, m->top.nrow * j);
}

/* What is left of a diagonal, less what may come from rounding, or from loops that are a little open inside a step: a
 * row that hardly responds, scaled to a unit diagonal, may then look independent of the one that it repeats. */
static double sure_pivot(const fb_data* d, int i, double unsure) {
  double scale = d->row_scale[fb_row_at(d, i)];
  return d->row_work[i] - unsure * scale * scale;
}

/* Brings an independent row to place k, the one that responds most; 0: there is none left. Of two rows along axes of a
 * frame that repeat one another, one may be nearly at right angles to the motion; it must not represent the other. */
static int take_pivot(const fb_model* m, fb_data* d, int k, double unsure) {
  int best = -1;
  double largest = 0;
  for (int i = k; i < d->counted; i++) {
    double scale = d->row_scale[fb_row_at(d, i)];
    if (!(sure_pivot(d, i, unsure) > REPEATED) || !(d->row_work[i] > largest * scale * scale)) continue;
    largest = d->row_work[i] / (scale * scale);
    best = i;
  }
  if (best >= 0) exchange(m, d, k, best, k);
  return best >= 0;
}

/* Column k of L times its pivot. Of many loops few are connected, and most of row k is zero: then column by column. */
static void find_column(const fb_model* m, fb_data* d, int k) {
  static const int MANY = 64;
  int n = m->top.nrow, row = fb_row_at(d, k), zeros = 0;
  double *L = d->row_L, *row_k = L + (size_t)n * (size_t)k;
  for (int c = 0; c < k; c++) zeros += row_k[c] == 0;
  int sparse = k > MANY && zeros > k - k / 8;
  for (int i = k + 1; i < d->counted; i++) {
    int other = fb_row_at(d, i);
    double sum = d->row_A[n * row + other] * d->row_scale[other] * d->row_scale[row];
    for (int c = 0; c < k && !sparse; c++) sum -= L[n * i + c] * row_k[c];
    L[n * i + k] = sum;
  }
  for (int c = 0; c < k && sparse; c++)
    for (int i = k + 1; i < d->counted && row_k[c] != 0; i++) L[n * i + k] -= L[n * i + c] * row_k[c];
}

static void eliminate(const fb_model* m, fb_data* d, int k) {
  int n = m->top.nrow;
  double *L = d->row_L, *left = d->row_work, pivot = sqrt(left[k]);
  L[n * k + k] = pivot;
  find_column(m, d, k);
  for (int i = k + 1; i < d->counted; i++) {
    L[n * i + k] /= pivot;
    left[i] -= L[n * i + k] * L[n * i + k];
  }
}

void fb_rows_factor(const fb_model* m, fb_data* d, const unsigned char* prescribed) {
  int n = m->top.nrow;
  double most = 0, open = 0;
  d->counted = 0;
  fb_rows_find_responses(m, d, prescribed);
  for (int i = 0; i < n; i++) {
    most = fmax(most, d->row_A[n * i + i]);
    open = fmax(open, fabs(d->row_error[i])); /* fmax passes over the NAN of a length that is not known yet */
  }
  for (int i = 0; i < n; i++) {
    double diagonal = d->row_A[n * i + i];
    int counts = d->row_scale[i] != 0 && diagonal > STIFF * most && !isnan(d->row_error[i]);
    d->row_scale[i] = counts ? 1 / sqrt(diagonal) : 0;
    d->row_work[i] = counts;
    d->row_order[i] = i;
    if (counts) exchange(m, d, i, d->counted++, 0);
  }
  open = fmin(open, MOST_OPEN);
  double unsure = (ROUNDING + open * open) * most;
  for (d->rank = 0; d->rank < d->counted; d->rank++) {
    if (!take_pivot(m, d, d->rank, unsure)) break;
    eliminate(m, d, d->rank);
  }
  d->forces_are_least = 0;
}

void fb_rows_solve(const fb_model* m, const fb_data* d, const double* x, double* force) {
  int n = m->top.nrow, rank = d->rank;
  double* z = d->row_work;
  for (int i = 0; i < rank; i++) {
    double sum = x[fb_row_at(d, i)] * d->row_scale[fb_row_at(d, i)];
    for (int c = 0; c < i; c++) sum -= d->row_L[n * i + c] * z[c];
    z[i] = sum / d->row_L[n * i + i];
  }
  for (int i = rank - 1; i >= 0; i--) {
    for (int r = i + 1; r < rank; r++) z[i] -= d->row_L[n * r + i] * z[r];
    z[i] /= d->row_L[n * i + i];
  }
  memset(force, 0, (size_t)n * sizeof *force);
  for (int i = 0; i < rank; i++) force[fb_row_at(d, i)] = z[i] * d->row_scale[fb_row_at(d, i)];
}

/* Column c of N: what forces along independent rows undo a unit force along row_order[rank + c]. Overwrites that row of L
 * from its beginning with the entries of the independent rows, in their order. */
static void find_null(const fb_model* m, fb_data* d, int c) {
  int n = m->top.nrow, rank = d->rank, row_c = fb_row_at(d, rank + c);
  double* z = d->row_L + n * (rank + c);
  for (int i = rank - 1; i >= 0; i--) {
    for (int r = i + 1; r < rank; r++) z[i] -= d->row_L[n * r + i] * z[r];
    z[i] /= d->row_L[n * i + i];
  }
  for (int i = 0; i < rank; i++) z[i] *= -d->row_scale[fb_row_at(d, i)] / d->row_scale[row_c];
}

/* N^T N and N^T force. */
static void make_normal(const fb_model* m, const fb_data* d, const double* force, double* normal, double* x) {
  int n = m->top.nrow, rank = d->rank, count = d->counted - rank;
  for (int i = 0; i < count; i++) {
    const double* one = d->row_L + n * (rank + i);
    x[i] = force[fb_row_at(d, rank + i)];
    for (int r = 0; r < rank; r++) x[i] += one[r] * force[fb_row_at(d, r)];
    for (int j = 0; j <= i; j++) {
      double sum = i == j;
      for (int r = 0; r < rank; r++) sum += one[r] * d->row_L[n * (rank + j) + r];
      normal[count * i + j] = sum;
    }
  }
}

void fb_rows_take_least(const fb_model* m, fb_data* d, double* force) {
  int n = m->top.nrow, rank = d->rank, count = d->counted - rank;
  double *normal = d->row_A, *x = d->row_work; /* A is no longer needed */
  for (int c = 0; c < count; c++) find_null(m, d, c);
  make_normal(m, d, force, normal, x);
  if (count == 0 || fb_ldl_factor(normal, count)) return;
  fb_ldl_solve(normal, count, x);
  for (int c = 0; c < count; c++) {
    for (int r = 0; r < rank; r++) force[fb_row_at(d, r)] -= d->row_L[n * (rank + c) + r] * x[c];
    force[fb_row_at(d, rank + c)] -= x[c];
  }
}
