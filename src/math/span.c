/* span.c -- Householder reflections of a set of vectors, longest first (Golub and Van Loan, 5.4.2)
 *
 * Vector i, as ordered, keeps R above the diagonal in its entries 0 .. i-1 and the i-th reflection, u, in the rest:
 * x -= (u . x) u / half, half = u . u / 2. Vectors beyond the rank keep their `rank` entries of R. The condition of the
 * vectors is never squared. Cost O(n count rank). */
#include "math/dot.h"
#include "math/span.h"

#include <math.h>
#include <string.h>

#include "math/array.h"

static double* vector(const fb_span* s, int i) {
  return s->vectors + (size_t)i * (size_t)s->n;
}

static void reflect(const double* u, double half, double* x, int n) {
  double share = fb_dot(u, x, n) / half;
  for (int i = 0; i < n; i++) x[i] -= share * u[i];
}

static void swap(fb_span* s, int i, int j) {
  int order = s->order[i];
  s->order[i] = s->order[j];
  s->order[j] = order;
  fb_array_swap(vector(s, i), vector(s, j), s->n);
}

/* Puts the vector with the most left from entry j on at place j; how much that is. */
static double choose(fb_span* s, int j) {
  int longest = j;
  double most = -1;
  for (int i = j; i < s->count; i++) {
    double square = fb_dot(vector(s, i) + j, vector(s, i) + j, s->n - j);
    if (square > most) most = square, longest = i;
  }
  if (longest != j) swap(s, longest, j);
  return sqrt(most);
}

void fb_span_factor(fb_span* s, double least) {
  for (int i = 0; i < s->count; i++) s->order[i] = i;
  for (s->rank = 0; s->rank < s->count && s->rank < s->n; s->rank++) {
    int j = s->rank;
    double length = choose(s, j), *u = vector(s, j) + j;
    if (!(length > least) || !(length > 0)) return;
    s->pivots[j] = u[0] > 0 ? -length : length;
    u[0] -= s->pivots[j];
    s->halves[j] = length * fabs(u[0]);
    for (int i = j + 1; i < s->count; i++) reflect(u, s->halves[j], vector(s, i) + j, s->n - j);
  }
}

void fb_span_apply(const fb_span* s, double* x) {
  for (int j = s->rank - 1; j >= 0; j--) reflect(vector(s, j) + j, s->halves[j], x + j, s->n - j);
}

static void apply_transpose(const fb_span* s, double* x) {
  for (int j = 0; j < s->rank; j++) reflect(vector(s, j) + j, s->halves[j], x + j, s->n - j);
}

/* Entry j of vector i in Q's axes: R. */
static double entry(const fb_span* s, int i, int j) {
  return i == j ? s->pivots[j] : i < j ? 0 : vector(s, i)[j];
}

/* R^T u = b where all vectors are independent: forward substitution. */
static void forward(const fb_span* s, const double* b, double* u) {
  for (int i = 0; i < s->rank; i++) {
    u[i] = b[s->order[i]];
    for (int j = 0; j < i; j++) u[i] -= entry(s, i, j) * u[j];
    u[i] /= s->pivots[i];
  }
}

void fb_span_combine(const fb_span* s, double* x, double* y) {
  apply_transpose(s, x);
  memset(y, 0, (size_t)s->count * sizeof *y);
  for (int j = s->rank - 1; j >= 0; j--) {
    for (int i = j + 1; i < s->rank; i++) x[j] -= entry(s, i, j) * y[s->order[i]];
    y[s->order[j]] = x[j] / s->pivots[j];
  }
}

/* More equations than unknowns: the columns of R^T are combined to come nearest to b. */
static void nearest(const fb_span* s, const double* b, fb_span* inner, double* work, double* u) {
  inner->count = s->rank;
  inner->n = s->count;
  for (int j = 0; j < s->rank; j++)
    for (int i = 0; i < s->count; i++) vector(inner, j)[i] = entry(s, i, j);
  fb_span_factor(inner, 0);
  for (int i = 0; i < s->count; i++) work[i] = b[s->order[i]];
  fb_span_combine(inner, work, u);
}

void fb_span_least_squares(const fb_span* s, const double* b, fb_span* inner, double* work, double* x) {
  memset(x, 0, (size_t)s->n * sizeof *x);
  if (s->rank == s->count)
    forward(s, b, x);
  else
    nearest(s, b, inner, work, x);
  fb_span_apply(s, x);
}
