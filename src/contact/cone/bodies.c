/* bodies.c -- A = J J^T of free bodies: products, blocks, and solutions with the matrix of bodies
 *
 *   (A + K^-1)^-1 = K - K J (1 + J^T K J)^-1 J^T K
 *
 * K has a block for each cone. So every method that adds such blocks to A needs no more than 6 x 6 blocks over the bodies. The cost
 * of a product is that of the rows, that of a factorisation follows from the pairs of bodies (body_matrix.h). */
#include <math.h>
#include <string.h>

#include "contact/cone/body_matrix.h"
#include "contact/cone/cones.h"

enum { SIX = 6, ROW = 12 };

/* Two partial sums, so that they fit a vector. */
static double dot6(const double* x, const double* y) {
  double sum[2] = {x[0] * y[0], x[1] * y[1]};
  for (int k = 2; k < SIX; k += 2)
    for (int l = 0; l < 2; l++) sum[l] += x[k + l] * y[k + l];
  return sum[0] + sum[1];
}

static void push(const int* ends, const double* J, double x, double* dv) {
  for (int e = 0; e < 2; e++) {
    double* on = dv + SIX * (ptrdiff_t)ends[e];
    for (int k = 0; ends[e] >= 0 && k < SIX; k++) on[k] += x * J[SIX * e + k];
  }
}

static double rate(const int* ends, const double* J, const double* dv) {
  double sum = 0;
  for (int e = 0; e < 2; e++)
    if (ends[e] >= 0) sum += dot6(J + SIX * e, dv + SIX * (size_t)ends[e]);
  return sum;
}

static void push_all(const fb_cone_bodies* b, const double* J, int n, const double* x, double* dv) {
  memset(dv, 0, SIX * (size_t)b->nbody * sizeof *dv);
  for (int i = 0; i < n; i++)
    if (x[i] != 0) push(b->ends + 2 * (size_t)i, J + ROW * (size_t)i, x[i], dv);
}

static void rate_all(const fb_cone_bodies* b, const double* J, int n, const double* dv, double* out) {
  for (int i = 0; i < n; i++) out[i] = rate(b->ends + 2 * (size_t)i, J + ROW * (size_t)i, dv);
}

void fb_cones_push_bodies(const fb_cones* p, const double* x, double* dv) {
  push_all(p->bodies, p->J, p->n, x, dv);
}

void fb_cones_rates_of_bodies(const fb_cones* p, const double* dv, double* out) {
  rate_all(p->bodies, p->J, p->n, dv, out);
}

void fb_cones_push_row(const fb_cones* p, int row, double x, double* dv) {
  push(p->bodies->ends + 2 * (size_t)row, p->J + ROW * (size_t)row, x, dv);
}

double fb_cones_rate_of_bodies(const fb_cones* p, int row, const double* dv) {
  return rate(p->bodies->ends + 2 * (size_t)row, p->J + ROW * (size_t)row, dv);
}

void fb_bodies_product(const fb_cone_bodies* b, int n, const double* x, double* dv, double* out) {
  push_all(b, b->J, n, x, dv);
  rate_all(b, b->J, n, dv, out);
}

void fb_bodies_push(const fb_cone_bodies* b, int n, const double* x, double* dv) {
  push_all(b, b->J, n, x, dv);
}

/* J_i . J_j */
static double response(const fb_cone_bodies* b, const double* J, int i, int j) {
  const int *of = b->ends + 2 * (size_t)i, *other = b->ends + 2 * (size_t)j;
  double sum = 0;
  for (int e = 0; e < 2; e++)
    for (int f = 0; f < 2; f++)
      if (of[e] >= 0 && of[e] == other[f])
        sum += dot6(J + ROW * (size_t)i + SIX * e, J + ROW * (size_t)j + SIX * f);
  return sum;
}

/* Rows without a second body have zeros there. */
double fb_bodies_own_response(const fb_cone_bodies* b, int row) {
  const double* J = b->J + ROW * (size_t)row;
  return dot6(J, J) + dot6(J + SIX, J + SIX);
}

double fb_bodies_response(const fb_cone_bodies* b, int i, int j) {
  return response(b, b->J, i, j);
}

void fb_cones_scale_bodies(const fb_cones_problem* problem, fb_cones* p) {
  for (int i = 0; i < p->n; i++) {
    const double by = 1 / p->scale[i];
    for (size_t k = ROW * (size_t)i; k < ROW * (size_t)i + ROW; k++) p->J[k] = by * problem->bodies->J[k];
  }
}

void fb_cones_form(fb_cones* p) {
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      p->A[(size_t)i * (size_t)p->n + (size_t)j] = response(p->bodies, p->J, i, j);
}

void fb_cones_find_blocks(fb_cones* p) {
  for (int i = 0; i < p->ncone && p->bodies && !p->blocked; i++) {
    const int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
    for (int k = 0; k < rows; k++)
      for (int l = 0; l < rows; l++)
        p->block[9 * i + rows * k + l] = response(p->bodies, p->J, at + k, at + l);
  }
  p->blocked = 1;
}

void fb_cones_block(const fb_cones* p, int i, double W[9]) {
  const int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  if (p->bodies) {
    memcpy(W, p->block + 9 * (size_t)i, (size_t)(rows * rows) * sizeof *W);
    return;
  }
  for (int k = 0; k < rows; k++)
    for (int l = 0; l < rows; l++) W[rows * k + l] = p->A[(size_t)(at + k) * (size_t)p->n + (size_t)(at + l)];
}

int fb_cones_condense(fb_cones* p, double diagonal) {
  fb_body_matrix* m = p->bodies->matrix;
  if (!p->shaped) p->shaped = fb_body_matrix_shape(m, p->bodies, p->cones, p->ncone) ? 1 : -1;
  if (p->shaped < 0) return 0;
  fb_body_matrix_fill(m, p->bodies, p->cones, p->ncone, p->J, p->weight, diagonal);
  return fb_body_matrix_factor(m);
}

void fb_cones_pass_bodies(fb_cones* p, const double* x, double* out) {
  fb_cones_push_bodies(p, x, p->push);
  fb_body_matrix_solve(p->bodies->matrix, p->push);
  fb_cones_rates_of_bodies(p, p->push, out);
}

/* dv += (J^T J + e 1)^-1 J^T (c - J dv) */
void fb_cones_follow(fb_cones* p, double* dv) {
  enum { ROUNDS = 40 };
  static const double PROXIMAL = 1e-7;
  const int size = SIX * p->bodies->nbody;
  double start = 0, before = INFINITY;
  memset(dv, 0, (size_t)size * sizeof *dv);
  memset(p->weight, 0, 9 * (size_t)p->ncone * sizeof *p->weight);
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) p->weight[9 * i + 4 * k] = 1;
  if (!fb_cones_condense(p, PROXIMAL)) return;
  for (int i = 0; i < ROUNDS; i++) {
    fb_cones_rates_of_bodies(p, dv, p->trial);
    for (int k = 0; k < p->n; k++) p->trial[k] = p->c[k] - p->trial[k];
    fb_cones_push_bodies(p, p->trial, p->push);
    const double off = fb_array_largest(p->push, size);
    if (i == 0) start = off;
    if (off <= 1e-16 * start || off >= before) return;
    before = off;
    fb_body_matrix_solve(p->bodies->matrix, p->push);
    for (int k = 0; k < size; k++) dv[k] += p->push[k];
  }
}
