/* lemke.c -- Lemke's method for  w = M z + q,  0 <= w _|_ z >= 0
 *
 *   w - M z - c z0 = q,   z0 enters for the most negative q_i / c_i and the complement of what left enters next, until z0
 *   itself leaves.
 *
 * Ties in the ratio test are broken lexicographically, on the rows of the inverse basis, so that no problem cycles;
 * but where z0 is among them it leaves, since that ends the path: without it most problems with friction end on a
 * ray that is none. The columns of the inverse basis are those of w: a stored column while w_j is nonbasic, a unit
 * vector while it is basic. So ties cost something only where there are any.
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, 4.4, 4.9. Cost n (n + 2) multiplications a
 * pivot, about n pivots. */
#include "math/complementarity/lemke.h"

#include <math.h>

static const double ROUNDING = 1e-15; /* of numbers of size one, as the entries of the scaled matrix are */

size_t fb_lemke_double_size(int n) {
  return (size_t)n * (size_t)fb_lemke_stride(n);
}

size_t fb_lemke_int_size(int n) {
  return 5 * (size_t)n + 2;
}

/* Where z0 enters: b over the cover is most negative. Of equal rows, which are those of the identity, the last is
 * lexicographically least. */
static int find_first(fb_lemke* t, const double* q, const double* d, const double* cover) {
  int first = 0;
  double least = INFINITY, largest = 0;
  for (int i = 0; i < t->n; i++) {
    double b = d[i] * q[i], ratio = cover ? b / cover[i] : b;
    if (fabs(b) > largest) largest = fabs(b);
    if (!(ratio <= least)) continue;
    least = ratio;
    first = i;
  }
  t->size = largest;
  return first;
}

static void name_variables(fb_lemke* t, int first) {
  int n = t->n;
  for (int i = 0; i < n; i++) {
    t->row_of[i] = i;
    t->place[i] = -1 - i;
    t->column_of[i] = n + i;
    t->place[n + i] = i;
  }
  t->row_of[first] = 2 * n;
  t->place[2 * n] = -1 - first;
  t->column_of[n] = first;
  t->place[first] = n;
}

/* row = scale from D + factor other */
static void fill_row(double* restrict row, const double* restrict from, const double* restrict d, int n,
                     double scale, const double* restrict other, double factor) {
  for (int j = 0; j < n; j++) row[j] = scale * from[j] * d[j] + factor * other[j];
}

void fb_lemke_fill(fb_lemke* t, const double* M, const double* q, const double* d, const double* cover) {
  int n = t->n, stride = fb_lemke_stride(n), first = find_first(t, q, d, cover);
  double *lead = fb_lemke_row(t, first), *row = t->rows, part = cover ? 1 / cover[first] : 1;
  const double* from = M + (size_t)first * (size_t)n;
  for (int j = 0; j < n; j++) lead[j] = d[first] * part * from[j] * d[j];
  lead[n] = -part;
  lead[n + 1] = -part * d[first] * q[first];
  from = M;
  for (int i = 0; i < n; i++, row += stride, from += n) {
    double c = cover ? cover[i] : 1;
    if (stride > n + 2) row[n + 2] = 0;
    if (i == first) continue;
    fill_row(row, from, d, n, -d[i], lead, c);
    row[n] = -c * part;
    row[n + 1] = d[i] * q[i] + c * lead[n + 1];
  }
  name_variables(t, first);
}

/* Four at a time, which compilers turn into vectors. */
static void subtract(double* restrict row, const double* restrict from, double factor, int count) {
  int j = 0;
  for (; j + 4 <= count; j += 4) {
    row[j] -= factor * from[j];
    row[j + 1] -= factor * from[j + 1];
    row[j + 2] -= factor * from[j + 2];
    row[j + 3] -= factor * from[j + 3];
  }
  if (j == count) return;
  row[j] -= factor * from[j];
  row[j + 1] -= factor * from[j + 1];
}

static void multiply(double* row, double factor, int count) {
  for (int j = 0; j < count; j += 2) {
    row[j] *= factor;
    row[j + 1] *= factor;
  }
}

static void pivot(fb_lemke* t, int leaving, int at) {
  int n = t->n, stride = fb_lemke_stride(n);
  double *from = fb_lemke_row(t, leaving), *row = t->rows;
  double reciprocal = 1 / from[at];
  multiply(from, reciprocal, stride);
  for (int i = 0; i < n; i++, row += stride) {
    double factor = row[at];
    if (i == leaving || factor == 0) continue;
    subtract(row, from, factor, stride);
    row[at] = -factor * reciprocal;
  }
  from[at] = reciprocal;
  int out = t->row_of[leaving], in = t->column_of[at];
  t->row_of[leaving] = in;
  t->column_of[at] = out;
  t->place[in] = -1 - leaving;
  t->place[out] = at;
}

/* The largest ratio that ties with this one. */
static double with_slack(double ratio, double slack) {
  static const double SAME = 2e-12;
  return ratio + SAME * fabs(ratio) + slack;
}

/* An entry of the inverse basis. */
static double inverse_entry(const fb_lemke* t, int row, int column) {
  int place = t->place[column];
  return place >= 0 ? fb_lemke_row(t, row)[place] : -1 - place == row;
}

/* The lexicographically least of the rows that tie. */
static int break_tie(const fb_lemke* t, int count, int at) {
  int* tied = t->tied;
  for (int j = 0; j < t->n && count > 1; j++) {
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
      double ratio = inverse_entry(t, tied[k], j) / fb_lemke_row(t, tied[k])[at];
      if (ratio < least) least = ratio;
    }
    double bound = with_slack(least, ROUNDING);
    int left = 0;
    for (int k = 0; k < count; k++)
      if (inverse_entry(t, tied[k], j) / fb_lemke_row(t, tied[k])[at] <= bound) tied[left++] = tied[k];
    count = left;
  }
  return tied[0];
}

/* The row that leaves when the variable of a column grows; -1 on a ray. */
static int find_leaving(const fb_lemke* t, int at) {
  int n = t->n, stride = fb_lemke_stride(n), count = 0;
  double least = INFINITY, bound = INFINITY, slack = ROUNDING * t->size;
  const double* row = t->rows;
  for (int i = 0; i < n; i++, row += stride) {
    if (!(row[at] > t->small)) continue;
    double ratio = row[n + 1] / row[at];
    if (!(ratio <= bound)) continue;
    if (ratio < least) {
      bound = with_slack(ratio, slack);
      if (least > bound) count = 0; /* those before no longer tie */
      least = ratio;
    }
    t->tied[count++] = i;
  }
  if (count <= 1) return count ? t->tied[0] : -1;
  /* The bound may have come down since a row was taken. */
  int left = 0;
  for (int k = 0; k < count; k++) {
    row = fb_lemke_row(t, t->tied[k]);
    if (!(row[n + 1] / row[at] <= bound)) continue;
    if (t->row_of[t->tied[k]] == 2 * n) return t->tied[k];
    t->tied[left++] = t->tied[k];
  }
  return left > 1 ? break_tie(t, left, at) : t->tied[0];
}

/* z0 is zero, but for rounding: the basis is that of a solution, whether z0 can leave it or not. */
static int has_arrived(const fb_lemke* t, int row) {
  enum { PIVOTS = 20 }; /* that have rounded the same number */
  return fb_lemke_row(t, row)[t->n + 1] <= PIVOTS * ROUNDING * t->size;
}

fb_lemke_end fb_lemke_follow(fb_lemke* t, int limit) {
  int n = t->n, left = t->column_of[n];
  t->last_row = -1;
  t->last_column = 0;
  for (int i = 0; i < limit; i++) {
    int column = t->place[left < n ? left + n : left - n], z0 = -1 - t->place[2 * n], leaving = z0;
    if (has_arrived(t, z0)) {
      if (!(fb_lemke_row(t, z0)[column] > t->small)) return FB_LEMKE_DONE;
    } else {
      leaving = find_leaving(t, column);
    }
    t->last_column = column;
    if (leaving < 0) return FB_LEMKE_RAY;
    if (leaving == z0) {
      t->last_row = leaving;
      return FB_LEMKE_DONE;
    }
    left = t->row_of[leaving];
    pivot(t, leaving, column);
  }
  return FB_LEMKE_LIMIT;
}

void fb_lemke_read(const fb_lemke* t, double* z) {
  int n = t->n, stride = fb_lemke_stride(n), at = t->last_column;
  const double* row = t->rows;
  double value = 0;
  for (int i = 0; i < n; i++) z[i] = 0;
  if (t->last_row >= 0) {
    const double* last = fb_lemke_row(t, t->last_row);
    value = last[n + 1] / last[at];
    int k = t->column_of[at] - n;
    if (k >= 0 && value > 0) z[k] = value;
  }
  for (int i = 0; i < n; i++, row += stride) {
    double x = row[n + 1] - row[at] * value;
    int k = t->row_of[i] - n;
    if (k >= 0 && k < n && x > 0) z[k] = x;
  }
}

void fb_lemke_read_ray(const fb_lemke* t, double* z) {
  int n = t->n, grows = t->column_of[t->last_column] - n;
  for (int i = 0; i < n; i++) z[i] = i == grows;
  for (int i = 0; i < n; i++) {
    int k = t->row_of[i] - n;
    double x = -fb_lemke_row(t, i)[t->last_column];
    if (k >= 0 && k < n && x > 0) z[k] = x;
  }
}

void fb_lemke_finish(fb_lemke* t) {
  if (t->last_row >= 0) pivot(t, t->last_row, t->last_column);
}
