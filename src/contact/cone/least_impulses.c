/* least_impulses.c -- the impulses with the least sum of squares among those that give the same velocities: the loads of
 * equal springs under every contact, so that symmetric feet carry equal loads
 *
 * Where A is singular, impulses P and P + B d give the same velocities if B^T A B d = 0. The columns of B are the
 * directions in which the modes let P move: three for a contact that sticks, one along the edge of the cone for a
 * contact that slips, one for a normal or a box that does not move; their lengths undo the scaling, where blocks differ by
 * less than 1e4. With Q = B^T A B and P = B y + fixed,
 *
 *   y' = Q^+ Q y
 *
 * is the least, found as the limit of y' += (Q + e 1)^-1 Q (y - y'). Where it leaves a cone the step ends at its
 * edge; that contact is then fixed and the others continue. Needs a symmetric A. Cost 2 n^3/3 for each round. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "contact/cone/body_matrix.h"
#include "math/lu.h"

/* Columns of B: three numbers each over the rows of their cone, in p->inverse, which is not needed any more; p->list has
 * their cones. p->fixed marks cones that have reached the edge. */

static double* column_of(const fb_cones* p, int j) {
  return p->inverse + 3 * (size_t)j;
}

/* Adds the columns of cone i; returns their new number. largest: of all scales. */
static int add_columns(fb_cones* p, int i, const double* u, double largest, int m) {
  static const double SLOW = 1e-8; /* of the largest velocity: slower than this is at rest */
  const double rest = SLOW * p->size / p->scale[p->first[i]], mu = p->cones[i].mu;
  int coulomb = p->cones[i].kind == FB_CONE_COULOMB;
  if (p->fixed[i] || fabs(u[0]) > rest) return m;
  const double speed = coulomb ? norm2(u[1], u[2]) : 0;
  int count = coulomb && mu > 0 && speed <= rest ? 3 : 1;
  const double length = fmax(0.01, p->scale[p->first[i]] / largest);
  for (int k = 0; k < count; k++) {
    double* column = column_of(p, m + k);
    column[0] = column[1] = column[2] = 0;
    column[k] = length;
    p->list[m + k] = i;
  }
  if (coulomb && count == 1 && mu > 0) {
    double* column = column_of(p, m);
    column[0] = length / norm2(1, mu);
    for (int k = 1; k < 3; k++) column[k] = -mu * u[k] / speed * column[0];
  }
  return m + count;
}

/* b_j . x */
static double along(const fb_cones* p, int j, const double* x) {
  const double* column = column_of(p, j);
  int at = p->first[p->list[j]], rows = fb_cone_rows(&p->cones[p->list[j]]);
  double sum = 0;
  for (int k = 0; k < rows; k++) sum += column[k] * x[at + k];
  return sum;
}

/* x += B y */
static void add_along(const fb_cones* p, int m, const double* y, double* x) {
  for (int j = 0; j < m; j++) {
    int at = p->first[p->list[j]], rows = fb_cone_rows(&p->cones[p->list[j]]);
    for (int k = 0; k < rows; k++) x[at + k] += column_of(p, j)[k] * y[j];
  }
}

/* B^T A B + e 1 */
static void fill(fb_cones* p, int m, double proximal) {
  for (int i = 0; i < m; i++) {
    double* row = p->square + (size_t)i * (size_t)m;
    int at = p->first[p->list[i]], rows = fb_cone_rows(&p->cones[p->list[i]]);
    memset(row, 0, (size_t)m * sizeof *row);
    for (int k = 0; k < rows; k++) {
      const double by = column_of(p, i)[k], *A = p->A + (size_t)(at + k) * (size_t)p->n;
      if (by == 0) continue;
      for (int j = 0; j < m; j++) row[j] += by * along(p, j, A);
    }
    row[i] += proximal;
  }
}

/* B^T A (P - least), into right; least is B y. */
static double miss(const fb_cones* p, int m, const double* wanted, const double* least, double* velocity,
                   double* right) {
  double worst = 0;
  fb_cones_product(p, least, velocity);
  for (int j = 0; j < m; j++) {
    right[j] = wanted[j] - along(p, j, velocity);
    worst = fmax(worst, fabs(right[j]));
  }
  return worst;
}

static const double PROXIMAL = 1e-7;

/* K = B B^T, in p->weight. */
static void weigh_columns(fb_cones* p, int m) {
  memset(p->weight, 0, 9 * (size_t)p->ncone * sizeof *p->weight);
  for (int j = 0; j < m; j++) {
    const double* b = column_of(p, j);
    double* K = p->weight + 9 * (size_t)p->list[j];
    for (int k = 0; k < 9; k++) K[k] += b[k / 3] * b[k % 3];
  }
}

/* The same step over the bodies: Q = C C^T with C = B^T J, and the least is
 *
 *   y' = C (C^T C)^+ C^T y,   the limit of y' += C (C^T C + e 1)^-1 C^T (y - y') */
static int find_direction_of_bodies(fb_cones* p, int m, const double* P) {
  double *least = p->step, *wanted = p->kept, *left = p->dual, *rates = p->u, *moving = p->other;
  double start = 0, before = INFINITY;
  weigh_columns(p, m);
  if (m <= 0 || !fb_cones_condense(p, PROXIMAL)) return 0;
  for (int j = 0; j < m; j++) {
    const double* b = column_of(p, j);
    wanted[j] = along(p, j, P) / (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    left[j] = wanted[j];
  }
  memset(moving, 0, (size_t)p->n * sizeof *moving);
  add_along(p, m, wanted, moving);
  for (int i = 0; i < 40; i++) {
    memset(p->trial, 0, (size_t)p->n * sizeof *p->trial);
    add_along(p, m, left, p->trial);
    fb_cones_push_bodies(p, p->trial, p->push);
    const double off = fb_array_largest(p->push, 6 * p->bodies->nbody);
    if (i == 0) start = off;
    if (off <= 1e-16 * start || off >= before) break;
    before = off;
    fb_body_matrix_solve(p->bodies->matrix, p->push);
    fb_cones_rates_of_bodies(p, p->push, rates);
    for (int j = 0; j < m; j++) left[j] -= along(p, j, rates);
  }
  memset(least, 0, (size_t)p->n * sizeof *least);
  for (int j = 0; j < m; j++) left[j] = -left[j];
  add_along(p, m, left, least); /* y' - y */
  fb_cones_product(p, least, rates);
  return fb_array_largest(rates, p->n) <=
         fmax(1e-12 * fb_array_largest(least, p->n), 1e-15 * fb_array_largest(moving, p->n));
}

/* The step from P to the least, into p->step; 0 where it is zero. */
static int find_direction(fb_cones* p, int m, const double* P) {
  static const double SINGULAR = 1e-5;
  double *least = p->step, *wanted = p->kept, *right = p->dual, *velocity = p->u, *moving = p->other;
  if (m <= 0) return 0;
  fill(p, m, PROXIMAL);
  double pivot = fb_lu_factor(p->square, m, p->rows);
  if (pivot == 0 || pivot > SINGULAR) return 0;
  for (int j = 0; j < m; j++) {
    const double* b = column_of(p, j);
    right[j] = along(p, j, P) / (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
  }
  memset(moving, 0, (size_t)p->n * sizeof *moving);
  add_along(p, m, right, moving);
  memset(wanted, 0, (size_t)m * sizeof *wanted);
  memset(least, 0, (size_t)p->n * sizeof *least);
  double start = miss(p, m, wanted, moving, velocity, right), before = INFINITY;
  for (int j = 0; j < m; j++) wanted[j] = -right[j];
  for (int i = 0; i < 40; i++) {
    double off = miss(p, m, wanted, least, velocity, right);
    if (off <= 1e-16 * start || off >= before) break;
    before = off;
    fb_lu_solve(p->square, m, p->rows, right, p->trial);
    add_along(p, m, right, least);
  }
  for (int i = 0; i < p->n; i++) p->step[i] = least[i] - moving[i];
  /* Unless that moves nothing, to rounding, A is not singular but badly scaled, and has one solution. */
  fb_cones_product(p, p->step, velocity);
  return fb_array_largest(velocity, p->n) <= 1e-12 * fb_array_largest(p->step, p->n);
}

static int is_inside(const fb_cones* p, int i, const double* P, double t) {
  int at = p->first[i], rows = fb_cone_rows(&p->cones[i]);
  double x[3], projected[3], size = 0, off = 0;
  for (int k = 0; k < rows; k++) {
    x[k] = P[at + k] + t * p->step[at + k];
    size = fmax(size, fmax(fabs(P[at + k]), fabs(p->step[at + k])));
  }
  fb_cones_project(p, i, x, projected);
  for (int k = 0; k < rows; k++) off = fmax(off, fabs(x[k] - projected[k]));
  return off <= 1e-14 * size;
}

/* The longest step of P within cone i. */
static double step_limit(const fb_cones* p, int i, const double* P) {
  double inside = 0, outside = 1;
  if (is_inside(p, i, P, 1)) return 1;
  while (outside - inside > 1e-15 + 1e-12 * inside) {
    double middle = 0.5 * (inside + outside);
    if (is_inside(p, i, P, middle))
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

/* One round; 0 when it was the last. */
static int go(fb_cones* p, double* P) {
  int m = 0;
  const double largest = fb_array_largest(p->scale, p->n);
  double t = 1;
  fb_cones_velocity(p, P, p->u);
  for (int i = 0; i < p->ncone; i++) m = add_columns(p, i, p->u + p->first[i], largest, m);
  if (!(p->bodies ? find_direction_of_bodies : find_direction)(p, m, P)) return 0;
  for (int i = 0; i < p->ncone; i++) t = fmin(t, step_limit(p, i, P));
  for (int i = 0; i < p->ncone && t < 1; i++)
    if (!is_inside(p, i, P, t + 1e-9)) p->fixed[i] = 1;
  for (int i = 0; i < p->n; i++) P[i] += t * p->step[i];
  for (int i = 0; i < p->ncone; i++) fb_cones_project(p, i, P + p->first[i], P + p->first[i]);
  return t < 1;
}

void fb_cones_least(fb_cones* p, double* P) {
  enum { ROUNDS = 8 };
  if (!p->symmetric || p->ncone < 2) return;
  p->inverted = 0;
  memset(p->fixed, 0, (size_t)p->ncone * sizeof *p->fixed);
  memcpy(P, p->best, (size_t)p->n * sizeof *P);
  for (int i = 0; i < ROUNDS && go(p, P); i++) continue;
  fb_cones_velocity(p, P, p->u);
  double residual = fb_cones_natural(p, P, p->u);
  if (!(residual <= fmax(p->goal, p->best_residual))) return;
  p->best_residual = residual;
  memcpy(p->best, P, (size_t)p->n * sizeof *P);
}
