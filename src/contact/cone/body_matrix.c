/* body_matrix.c -- pattern, numbers, factors L D U without pivots between blocks, and solutions. */
#include "contact/cone/body_matrix.h"

#include <math.h>
#include <string.h>

enum { SIX = 6, BLOCK = 36, BITS = 32 };

/* ---- memory ---- */

static size_t words_of(int bodies) {
  return ((size_t)bodies + BITS - 1) / BITS;
}

size_t fb_body_matrix_doubles(int bodies, int blocks) {
  return BLOCK * ((size_t)bodies + 2 * (size_t)blocks);
}

size_t fb_body_matrix_ints(int bodies, int blocks, int cones) {
  return 5 * (size_t)bodies + 1 + (size_t)blocks + 3 * (size_t)cones + (size_t)bodies * words_of(bodies);
}

static int* take(int** ints, size_t count) {
  int* at = *ints;
  *ints += count;
  return at;
}

void fb_body_matrix_place(fb_body_matrix* m, int bodies, int blocks, int cones, double* doubles, int* ints) {
  const size_t n = (size_t)bodies;
  *m = (fb_body_matrix){.room = bodies, .room_blocks = blocks, .room_cones = cones};
  m->order = take(&ints, n);
  m->place = take(&ints, n);
  m->column = take(&ints, n + 1);
  m->degree = take(&ints, n);
  m->where = take(&ints, n);
  m->row = take(&ints, (size_t)blocks);
  m->pairs = take(&ints, 2 * (size_t)cones);
  m->block = take(&ints, (size_t)cones);
  m->adjacent = (unsigned*)ints;
  m->D = doubles;
  m->L = doubles + BLOCK * n;
  m->U = m->L + BLOCK * (size_t)blocks;
}

/* ---- pattern ---- */

static unsigned* neighbours(const fb_body_matrix* m, int body) {
  return m->adjacent + (size_t)body * words_of(m->n);
}

static int has(const unsigned* set, int i) {
  return (int)(set[i / BITS] >> (i % BITS) & 1U);
}

static void put(unsigned* set, int i) {
  set[i / BITS] |= 1U << (i % BITS);
}

static void drop(unsigned* set, int i) {
  set[i / BITS] &= ~(1U << (i % BITS));
}

static int count(const unsigned* set, size_t words) {
  int sum = 0;
  for (size_t w = 0; w < words; w++)
    for (unsigned x = set[w]; x; x &= x - 1) sum++;
  return sum;
}

/* Whether the pairs of bodies between which there are cones are those of the pattern; else they are stored. Cones between the same
 * bodies are adjacent. */
static int are_known(fb_body_matrix* m, const fb_cone_bodies* b, const fb_cone* cones, int ncone) {
  int npair = 0, same = m->n == b->nbody;
  for (int i = 0, row = 0, last[2] = {-1, -1}; i < ncone; row += fb_cone_rows(&cones[i++])) {
    const int* ends = b->ends + 2 * (size_t)row;
    if (ends[0] < 0 || ends[1] < 0 || (ends[0] == last[0] && ends[1] == last[1])) continue;
    int* pair = m->pairs + 2 * (size_t)npair;
    same = same && npair < m->npair && pair[0] == ends[0] && pair[1] == ends[1];
    for (int k = 0; k < 2; k++) last[k] = pair[k] = ends[k];
    npair++;
  }
  same = same && npair == m->npair;
  m->npair = npair;
  m->n = b->nbody;
  return same;
}

static void join_neighbours(fb_body_matrix* m) {
  memset(m->adjacent, 0, (size_t)m->n * words_of(m->n) * sizeof *m->adjacent);
  for (int i = 0; i < m->npair; i++) {
    const int *pair = m->pairs + 2 * (size_t)i, a = pair[0], b = pair[1];
    put(neighbours(m, a), b);
    put(neighbours(m, b), a);
  }
  for (int i = 0; i < m->n; i++) {
    m->degree[i] = count(neighbours(m, i), words_of(m->n));
    m->place[i] = -1;
  }
}

/* Eliminates a body: its neighbours become those of one another. */
static void eliminate(fb_body_matrix* m, int body) {
  const size_t words = words_of(m->n);
  const unsigned* of = neighbours(m, body);
  for (int i = 0; i < m->n; i++) {
    if (!has(of, i)) continue;
    unsigned* set = neighbours(m, i);
    for (size_t w = 0; w < words; w++) set[w] |= of[w];
    drop(set, i);
    drop(set, body);
    m->degree[i] = count(set, words);
  }
}

/* The order of least degree, the first of several; returns the blocks below the diagonal. */
static long long find_order(fb_body_matrix* m) {
  long long blocks = 0;
  for (int k = 0; k < m->n; k++) {
    int best = -1;
    for (int i = 0; i < m->n; i++)
      if (m->place[i] < 0 && (best < 0 || m->degree[i] < m->degree[best])) best = i;
    m->order[k] = best;
    m->place[best] = k;
    blocks += m->degree[best];
    eliminate(m, best);
  }
  return blocks;
}

/* The neighbours that a body had when it was eliminated are its column; their places in ascending order. */
static void list_columns(fb_body_matrix* m) {
  m->nblock = 0;
  for (int k = 0; k < m->n; k++) {
    const unsigned* of = neighbours(m, m->order[k]);
    const int from = m->column[k] = m->nblock;
    for (int body = 0; body < m->n; body++) {
      if (!has(of, body)) continue;
      int at = m->nblock++;
      for (; at > from && m->row[at - 1] > m->place[body]; at--) m->row[at] = m->row[at - 1];
      m->row[at] = m->place[body];
    }
  }
  m->column[m->n] = m->nblock;
}

static int find_block(const fb_body_matrix* m, int a, int b) {
  const int low = m->place[a] < m->place[b] ? m->place[a] : m->place[b],
            high = m->place[a] + m->place[b] - low;
  for (int at = m->column[low]; at < m->column[low + 1]; at++)
    if (m->row[at] == high) return at;
  return -1;
}

static void find_blocks(fb_body_matrix* m, const fb_cone_bodies* b, const fb_cone* cones, int ncone) {
  for (int i = 0, row = 0, last[2] = {-1, -1}, block = -1; i < ncone; row += fb_cone_rows(&cones[i++])) {
    const int* ends = b->ends + 2 * (size_t)row;
    if (ends[0] != last[0] || ends[1] != last[1])
      block = ends[0] < 0 || ends[1] < 0 ? -1 : find_block(m, ends[0], ends[1]);
    for (int k = 0; k < 2; k++) last[k] = ends[k];
    m->block[i] = block;
  }
}

int fb_body_matrix_shape(fb_body_matrix* m, const fb_cone_bodies* b, const fb_cone* cones, int ncone) {
  if (b->nbody > m->room || ncone > m->room_cones) return 0;
  if (!are_known(m, b, cones, ncone)) {
    join_neighbours(m);
    if (find_order(m) > m->room_blocks) {
      m->n = 0;
      return 0;
    }
    list_columns(m);
  }
  find_blocks(m, b, cones, ncone);
  return 1;
}

/* ---- numbers ---- */

/* C += X^T Y over rows of six numbers at a distance of 12 and 6. */
static void add_outer(double* C, const double* X, const double* Y, int rows) {
  for (int k = 0; k < rows; k++)
    for (int r = 0; r < SIX; r++) {
      const double x = X[12 * k + r];
      for (int c = 0; c < SIX; c++) C[SIX * r + c] += x * Y[SIX * k + c];
    }
}

/* K X, X of that distance. */
static void weigh(const double* K, const double* X, int rows, double* Y) {
  for (int k = 0; k < rows; k++)
    for (int c = 0; c < SIX; c++) {
      double sum = K[3 * k] * X[c];
      for (int l = 1; l < rows; l++) sum += K[3 * k + l] * X[12 * l + c];
      Y[SIX * k + c] = sum;
    }
}

static void add_cone(fb_body_matrix* m, const int ends[2], int block, const double* J, const double* K,
                     int rows) {
  double Y[2][3 * SIX];
  for (int e = 0; e < 2; e++) {
    if (ends[e] < 0) continue;
    weigh(K, J + SIX * e, rows, Y[e]);
    add_outer(m->D + BLOCK * (size_t)m->place[ends[e]], J + SIX * e, Y[e], rows);
  }
  if (block < 0) return;
  const int low = m->place[ends[0]] < m->place[ends[1]] ? 0 : 1, high = 1 - low;
  add_outer(m->L + BLOCK * (size_t)block, J + SIX * high, Y[low], rows);
  add_outer(m->U + BLOCK * (size_t)block, J + SIX * low, Y[high], rows);
}

void fb_body_matrix_fill(fb_body_matrix* m, const fb_cone_bodies* b, const fb_cone* cones, int ncone,
                         const double* J, const double* K, double diagonal) {
  const size_t n = (size_t)m->n, blocks = (size_t)m->nblock;
  memset(m->D, 0, BLOCK * n * sizeof *m->D);
  memset(m->L, 0, BLOCK * blocks * sizeof *m->L);
  memset(m->U, 0, BLOCK * blocks * sizeof *m->U);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < SIX; k++) m->D[BLOCK * i + 7 * k] = diagonal;
  for (int i = 0, row = 0; i < ncone; row += fb_cone_rows(&cones[i++])) {
    const double* of = K + 9 * (size_t)i;
    if (of[0] != 0 || of[4] != 0 || of[8] != 0)
      add_cone(m, b->ends + 2 * (size_t)row, m->block[i], J + 12 * (size_t)row, of, fb_cone_rows(&cones[i]));
  }
}

/* In place, by Gauss and Jordan with pivots; 0: singular. */
static int invert(double* A) {
  double B[BLOCK] = {0};
  for (int k = 0; k < SIX; k++) B[7 * k] = 1;
  for (int k = 0; k < SIX; k++) {
    int pivot = k;
    for (int r = k + 1; r < SIX; r++)
      if (fabs(A[SIX * r + k]) > fabs(A[SIX * pivot + k])) pivot = r;
    for (int c = 0; c < SIX && pivot != k; c++) {
      const double a = A[SIX * k + c], b = B[SIX * k + c];
      A[SIX * k + c] = A[SIX * pivot + c], A[SIX * pivot + c] = a;
      B[SIX * k + c] = B[SIX * pivot + c], B[SIX * pivot + c] = b;
    }
    if (!(fabs(A[7 * k]) > 1e-200)) return 0;
    const double by = 1 / A[7 * k];
    for (int c = 0; c < SIX; c++) A[SIX * k + c] *= by, B[SIX * k + c] *= by;
    for (int r = 0; r < SIX; r++) {
      const double f = A[SIX * r + k];
      for (int c = 0; c < SIX && r != k; c++) {
        A[SIX * r + c] -= f * A[SIX * k + c];
        B[SIX * r + c] -= f * B[SIX * k + c];
      }
    }
  }
  memcpy(A, B, sizeof B);
  return 1;
}

/* C -= X Y */
static void subtract_product(double* C, const double* X, const double* Y) {
  for (int r = 0; r < SIX; r++) {
    double row[SIX];
    memcpy(row, C + SIX * r, sizeof row);
    for (int k = 0; k < SIX; k++)
      for (int c = 0; c < SIX; c++) row[c] -= X[SIX * r + k] * Y[SIX * k + c];
    memcpy(C + SIX * r, row, sizeof row);
  }
}

/* X <- X Y */
static void multiply(double* X, const double* Y) {
  double Z[BLOCK] = {0};
  for (int r = 0; r < SIX; r++)
    for (int k = 0; k < SIX; k++)
      for (int c = 0; c < SIX; c++) Z[SIX * r + c] += X[SIX * r + k] * Y[SIX * k + c];
  memcpy(X, Z, sizeof Z);
}

/* What the elimination of place j takes from the blocks (i, k) and (k, i) of the rows of its column. */
static void update(fb_body_matrix* m, int j) {
  const int from = m->column[j], to = m->column[j + 1];
  for (int q = from; q < to; q++) {
    const int k = m->row[q];
    const double *Lq = m->L + BLOCK * (size_t)q, *Uq = m->U + BLOCK * (size_t)q;
    subtract_product(m->D + BLOCK * (size_t)k, Lq, Uq);
    for (int p = q + 1, at = m->column[k]; p < to; p++) {
      while (m->row[at] != m->row[p]) at++; /* columns ascend, and k's has all of these rows */
      subtract_product(m->L + BLOCK * (size_t)at, m->L + BLOCK * (size_t)p, Uq);
      subtract_product(m->U + BLOCK * (size_t)at, Lq, m->U + BLOCK * (size_t)p);
    }
  }
}

int fb_body_matrix_factor(fb_body_matrix* m) {
  for (int j = 0; j < m->n; j++) {
    const double* D = m->D + BLOCK * (size_t)j;
    if (!invert(m->D + BLOCK * (size_t)j)) return 0;
    for (int p = m->column[j]; p < m->column[j + 1]; p++) multiply(m->L + BLOCK * (size_t)p, D);
    update(m, j);
  }
  return 1;
}

/* x -= A y */
static void subtract_times(double* x, const double* A, const double* y) {
  for (int r = 0; r < SIX; r++) {
    double sum = A[SIX * r] * y[0];
    for (int c = 1; c < SIX; c++) sum += A[SIX * r + c] * y[c];
    x[r] -= sum;
  }
}

static double* of_place(const fb_body_matrix* m, double* x, int place) {
  return x + SIX * (size_t)m->order[place];
}

void fb_body_matrix_solve(const fb_body_matrix* m, double* x) {
  for (int j = 0; j < m->n; j++)
    for (int p = m->column[j]; p < m->column[j + 1]; p++)
      subtract_times(of_place(m, x, m->row[p]), m->L + BLOCK * (size_t)p, of_place(m, x, j));
  for (int j = m->n - 1; j >= 0; j--) {
    double *at = of_place(m, x, j), right[SIX];
    for (int p = m->column[j]; p < m->column[j + 1]; p++)
      subtract_times(at, m->U + BLOCK * (size_t)p, of_place(m, x, m->row[p]));
    for (int k = 0; k < SIX; k++) {
      right[k] = -at[k];
      at[k] = 0;
    }
    subtract_times(at, m->D + BLOCK * (size_t)j, right);
  }
}
