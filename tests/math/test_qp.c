/* test_qp.c -- least squares by priority: against Lemke's method, priorities, and problems on which active sets fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/lcp.h>

#include "math/qp.h"
#include "near.h"
#include "random.h"

enum { MOST = 24, MOST_BOUND = 40, MOST_ROWS = 30, MOST_LEVEL = 4 };

typedef struct problem {
  fb_qp qp;
  fb_qp_level levels[MOST_LEVEL];
  double A[MOST_LEVEL][MOST_ROWS * MOST], b[MOST_LEVEL][MOST_ROWS], C[MOST_BOUND * MOST], d[MOST_BOUND],
      x[MOST];
} problem;

/* Random levels of the given rows; bounds with the origin inside, some of them close. */
static problem* problem_new(fb_random* r, int n, int nbound, int nlevel, const int* rows) {
  problem* p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->qp = (fb_qp){n, nlevel, nbound, p->levels, p->C, p->d};
  for (int i = 0; i < nlevel; i++) {
    random_fill(r, -1, 1, rows[i] * n, p->A[i]);
    random_fill(r, -3, 3, rows[i], p->b[i]);
    p->levels[i] = (fb_qp_level){rows[i], p->A[i], p->b[i]};
  }
  random_fill(r, -1, 1, nbound * n, p->C);
  random_fill(r, 0.01, 1, nbound, p->d);
  return p;
}

static fb_qp_result solve(problem* p) {
  double* work = calloc(fb_qp_work_size(p->qp.n, p->qp.nbound, MOST_ROWS), sizeof *work);
  int* ints = calloc(fb_qp_int_size(p->qp.n, p->qp.nbound, MOST_ROWS), sizeof *ints);
  assert_true(work && ints);
  fb_qp_result result = fb_qp_solve(&p->qp, p->x, work, ints);
  free(work);
  free(ints);
  return result;
}

static double row_times(const double* row, const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += row[i] * x[i];
  return sum;
}

static double cost(const problem* p, int level, const double* x) {
  double sum = 0;
  for (int i = 0; i < p->levels[level].rows; i++) {
    double off = row_times(p->A[level] + i * p->qp.n, x, p->qp.n) - p->b[level][i];
    sum += off * off;
  }
  return sum;
}

static double worst_bound(const problem* p, const double* x) {
  double worst = -INFINITY;
  for (int i = 0; i < p->qp.nbound; i++)
    worst = fmax(worst, row_times(p->C + i * p->qp.n, x, p->qp.n) - p->d[i]);
  return worst;
}

/* --- Lemke on the dual: x = G^-1 (A^T b - C^T y), C x <= d, y >= 0, G = A^T A --- */

/* Columns of B (n x m) become G^-1 B, by elimination; G is lost. */
static void eliminate(int n, double* G, int m, double* B) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      double f = G[i * n + k] / G[k * n + k];
      for (int j = k; j < n; j++) G[i * n + j] -= f * G[k * n + j];
      for (int j = 0; j < m; j++) B[i * m + j] -= f * B[k * m + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) B[i * m + j] /= G[i * n + i];
}

static void solve_by_lemke(const problem* p, double* x) {
  int n = p->qp.n, m = p->qp.nbound;
  const double *A = p->A[0], *b = p->b[0];
  double G[MOST * MOST] = {0}, B[MOST * (MOST_BOUND + 1)] = {0}, M[MOST_BOUND * MOST_BOUND], q[MOST_BOUND],
                  y[MOST_BOUND], w[MOST_BOUND], *work = calloc(fb_lcp_work_size(m), sizeof *work);
  int* basis = calloc(fb_lcp_basis_size(m), sizeof *basis);
  assert_true(basis && work);
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < p->levels[0].rows; r++) {
      for (int j = 0; j < n; j++) G[i * n + j] += A[r * n + i] * A[r * n + j];
      B[i * (m + 1) + m] += A[r * n + i] * b[r];
    }
    for (int j = 0; j < m; j++) B[i * (m + 1) + j] = p->C[j * n + i];
  }
  eliminate(n, G, m + 1, B);
  for (int i = 0; i < m; i++) {
    q[i] = p->d[i];
    for (int k = 0; k < n; k++) q[i] -= p->C[i * n + k] * B[k * (m + 1) + m];
    for (int j = 0; j < m; j++) {
      M[i * m + j] = 0;
      for (int k = 0; k < n; k++) M[i * m + j] += p->C[i * n + k] * B[k * (m + 1) + j];
    }
  }
  assert_int_equal(fb_lcp_solve(m, M, q, y, w, work, basis, NULL), FB_LCP_SOLVED);
  for (int k = 0; k < n; k++) {
    x[k] = B[k * (m + 1) + m];
    for (int j = 0; j < m; j++) x[k] -= B[k * (m + 1) + j] * y[j];
  }
  free(basis);
  free(work);
}

static void one_level_is_what_lemke_finds(void** state) {
  (void)state;
  fb_random r = random_seed(17);
  for (int round = 0; round < 300; round++) {
    int n = 1 + random_index(&r, 12), rows = n + random_index(&r, 8), m = random_index(&r, 30);
    problem* p = problem_new(&r, n, m, 1, &rows);
    double want[MOST];
    if (m > 0) solve_by_lemke(p, want);
    fb_qp_result result = solve(p);
    assert_int_equal(result.solved, 1);
    /* The normal equations square the condition of the oracle's matrix, hence 1e-6. */
    if (m > 0) assert_near_of(1, "x", p->x, want, n, 1e-6);
    assert_true(worst_bound(p, p->x) <= 1e-12);
    free(p);
  }
}

/* --- priorities --- */

static void later_levels_cost_the_first_nothing(void** state) {
  (void)state;
  fb_random r = random_seed(18);
  for (int round = 0; round < 300; round++) {
    const int rows[3] = {1 + random_index(&r, 6), 1 + random_index(&r, 9), MOST};
    int n = 4 + random_index(&r, 14), m = random_index(&r, 30);
    problem* p = problem_new(&r, n, m, 3, rows);
    double alone[3];
    for (int k = 1; k <= 3; k++) {
      p->qp.nlevel = k;
      memset(p->x, 0, sizeof p->x);
      assert_int_equal(solve(p).solved, 1);
      alone[k - 1] = cost(p, k - 1, p->x);
      for (int j = 0; j < k; j++) assert_true(fabs(cost(p, j, p->x) - alone[j]) <= 1e-9);
    }
    assert_true(worst_bound(p, p->x) <= 1e-12); /* -inf without bounds */
    free(p);
  }
}

/* Steps in any direction that keeps level 1 and the bounds do not improve level 2. */
static void second_level_is_the_best_that_the_first_leaves(void** state) {
  (void)state;
  fb_random r = random_seed(19);
  const int rows[2] = {1, 6};
  for (int round = 0; round < 200; round++) {
    problem* p = problem_new(&r, 5, 12, 2, rows);
    assert_int_equal(solve(p).solved, 1);
    double best = cost(p, 1, p->x);
    for (int trial = 0; trial < 200; trial++) {
      double y[MOST], e[MOST], along, square = row_times(p->A[0], p->A[0], 5);
      random_fill(&r, -1, 1, 5, e);
      along = row_times(p->A[0], e, 5) / square;
      for (int i = 0; i < 5; i++) y[i] = p->x[i] + 1e-3 * (e[i] - along * p->A[0][i]);
      if (worst_bound(p, y) <= 0) assert_true(cost(p, 1, y) >= best - 1e-9);
    }
    free(p);
  }
}

/* --- where active sets fail --- */

/* A force in a pyramid of k sides about z, asked to be below its apex: zero, where all sides meet. */
static void apex_of_a_pyramid_is_reached(void** state) {
  (void)state;
  for (int k = 3; k <= 16; k++) {
    problem* p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->qp = (fb_qp){3, 1, k, p->levels, p->C, p->d};
    p->levels[0] = (fb_qp_level){3, p->A[0], p->b[0]};
    for (int i = 0; i < 3; i++) p->A[0][i * 4] = 1;
    memcpy(p->b[0], (const double[]){0.2, -0.1, -5}, 3 * sizeof(double));
    for (int i = 0; i < k; i++) {
      double angle = 6.283185307179586 * i / k;
      memcpy(p->C + 3 * i, (const double[]){cos(angle), sin(angle), -0.5}, 3 * sizeof(double));
    }
    for (int inside = 0; inside < 2; inside++) {
      memcpy(p->x, (const double[]){0, 0, inside}, 3 * sizeof(double));
      assert_int_equal(solve(p).solved, 1);
      assert_near_of(1, "apex", p->x, (const double[]){0, 0, 0}, 3, 1e-12);
    }
    free(p);
  }
}

static void repeated_rows_and_bounds_do_no_harm(void** state) {
  (void)state;
  fb_random r = random_seed(20);
  for (int round = 0; round < 100; round++) {
    const int rows[2] = {6, 6};
    problem* p = problem_new(&r, 6, 20, 2, rows);
    memcpy(p->A[0] + 18, p->A[0], 18 * sizeof(double)); /* rows twice, with other wishes */
    memcpy(p->A[1], p->A[0], 18 * sizeof(double));
    memcpy(p->C + 60, p->C, 60 * sizeof(double));
    memcpy(p->d + 10, p->d, 10 * sizeof(double));
    assert_int_equal(solve(p).solved, 1);
    assert_true(worst_bound(p, p->x) <= 1e-12);
    free(p);
  }
}

static void what_is_not_finite_is_reported_and_x_stays(void** state) {
  (void)state;
  fb_random r = random_seed(21);
  const int rows = 3;
  for (int where = 0; where < 3; where++) {
    problem* p = problem_new(&r, 3, 2, 1, &rows);
    double* spoiled[] = {p->A[0], p->b[0], p->C};
    spoiled[where][1] = where == 1 ? INFINITY : NAN;
    assert_int_equal(solve(p).solved, 0);
    assert_near_of(1, "x", p->x, (const double[]){0, 0, 0}, 3, 0);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_level_is_what_lemke_finds),
      cmocka_unit_test(later_levels_cost_the_first_nothing),
      cmocka_unit_test(second_level_is_the_best_that_the_first_leaves),
      cmocka_unit_test(apex_of_a_pyramid_is_reached),
      cmocka_unit_test(repeated_rows_and_bounds_do_no_harm),
      cmocka_unit_test(what_is_not_finite_is_reported_and_x_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
