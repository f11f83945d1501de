/* test_lcp.c -- Lemke's method: random problems of the kinds that contacts make, ties, scaling, and problems without
 * solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/lcp.h"
#include "random.h"

typedef struct problem {
  int n;
  double *M, *q, *z, *w, *work;
  int* basis;
} problem;

static problem problem_new(int n) {
  problem p = {.n = n};
  p.M = (double*)calloc((size_t)(n * n), sizeof(double));
  p.q = (double*)calloc((size_t)n, sizeof(double));
  p.z = (double*)calloc((size_t)n, sizeof(double));
  p.w = (double*)calloc((size_t)n, sizeof(double));
  p.work = (double*)calloc(fb_lcp_work_size(n), sizeof(double));
  p.basis = (int*)calloc(fb_lcp_basis_size(n), sizeof(int));
  assert_true(p.M && p.q && p.z && p.w && p.work && p.basis);
  return p;
}

static void problem_free(problem* p) {
  free(p->M);
  free(p->q);
  free(p->z);
  free(p->w);
  free(p->work);
  free(p->basis);
}

/* B B^T with B of n x rank: semidefinite when rank < n. */
static void fill_product(fb_random* r, int n, int rank, int size, double* M) {
  double* B = (double*)malloc((size_t)(n * rank) * sizeof *B);
  random_fill(r, -1, 1, n * rank, B);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      M[i * size + j] = 0;
      for (int k = 0; k < rank; k++) M[i * size + j] += B[i * rank + k] * B[j * rank + k];
    }
  free(B);
}

static void assert_solved(problem* p, const char* what, int seed) {
  double residual;
  fb_lcp_result result = fb_lcp_solve(p->n, p->M, p->q, p->z, p->w, p->work, p->basis, &residual);
  if (result != FB_LCP_SOLVED) fail_msg("%s %d: result %d, residual %g", what, seed, (int)result, residual);
  for (int i = 0; i < p->n; i++) {
    double w = p->q[i], size = fabs(p->q[i]);
    for (int j = 0; j < p->n; j++) {
      w += p->M[i * p->n + j] * p->z[j];
      size += fabs(p->M[i * p->n + j] * p->z[j]);
    }
    if (!(p->z[i] >= 0 && w >= -1e-9 * size && fmin(p->z[i], w) <= 1e-9 * (size + 1)))
      fail_msg("%s %d: z[%d] = %g, w = %g", what, seed, i, p->z[i], w);
  }
}

static void positive_definite_problems_are_solved(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 500; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    problem p = problem_new(1 + random_index(&r, 30));
    fill_product(&r, p.n, p.n, p.n, p.M);
    for (int i = 0; i < p.n; i++) p.M[i * p.n + i] += 1e-3;
    random_fill(&r, -1, 1, p.n, p.q);
    assert_solved(&p, "definite", seed);
    problem_free(&p);
  }
}

/* Coordinates held by friction: M = [A 1; -1 0], q = [b - A f; 2 f]. Some levels are equal, so that there are ties. */
static void problems_with_two_bounds_are_solved(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 500; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    int n = 1 + random_index(&r, 15);
    problem p = problem_new(2 * n);
    fill_product(&r, n, 1 + random_index(&r, n), p.n, p.M);
    for (int i = 0; i < n; i++) {
      double level = random_index(&r, 2) ? 1 : random_in(&r, 0, 1);
      p.M[i * p.n + n + i] = 1;
      p.M[(n + i) * p.n + i] = -1;
      p.q[n + i] = 2 * level;
    }
    for (int i = 0; i < n; i++) {
      p.q[i] = random_index(&r, 3) ? random_in(&r, -3, 3) : 0;
      for (int j = 0; j < n; j++) p.q[i] -= 0.5 * p.M[i * p.n + j] * p.q[n + j];
    }
    assert_solved(&p, "bounds", seed);
    problem_free(&p);
  }
}

/* Kostreva 1979: least-index rules cycle on it; M is a P-matrix, so there is one solution. */
static void ties_do_not_cycle(void** unused) {
  (void)unused;
  static const double M[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
  problem p = problem_new(3);
  memcpy(p.M, M, sizeof M);
  for (int i = 0; i < 3; i++) p.q[i] = -1;
  assert_solved(&p, "Kostreva", 0);
  for (int i = 0; i < 3; i++) assert_true(fabs(p.z[i] - 1.0 / 3) < 1e-14);
  problem_free(&p);
}

static void sizes_that_differ_by_many_powers_of_ten_are_scaled(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 200; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    problem p = problem_new(2 + random_index(&r, 10));
    double d[16];
    fill_product(&r, p.n, p.n + 3, p.n, p.M);
    random_fill(&r, -1, 1, p.n, p.q);
    for (int i = 0; i < p.n; i++) d[i] = pow(10, random_in(&r, -5, 5));
    for (int i = 0; i < p.n; i++) {
      p.q[i] *= d[i] * 1e-12;
      for (int j = 0; j < p.n; j++) p.M[i * p.n + j] *= d[i] * d[j];
    }
    fb_lcp_result result = fb_lcp_solve(p.n, p.M, p.q, p.z, p.w, p.work, p.basis, NULL);
    assert_int_not_equal(result, FB_LCP_RAY);
    for (int i = 0; i < p.n; i++) assert_true(p.z[i] >= 0 && isfinite(p.z[i]));
    problem_free(&p);
  }
}

/* w = -z - 1 is never positive. */
static void a_problem_without_solution_ends_on_a_ray(void** unused) {
  (void)unused;
  problem p = problem_new(2);
  double residual;
  p.M[0] = p.M[3] = -1;
  p.q[0] = p.q[1] = -1;
  assert_int_equal(fb_lcp_solve(2, p.M, p.q, p.z, p.w, p.work, p.basis, &residual), FB_LCP_RAY);
  assert_true(isinf(residual));
  problem_free(&p);
}

static void a_right_hand_side_without_negative_entries_needs_nothing(void** unused) {
  (void)unused;
  problem p = problem_new(2);
  p.M[0] = p.M[3] = 1;
  p.q[1] = 2;
  assert_solved(&p, "nothing", 0);
  assert_true(p.z[0] == 0 && p.z[1] == 0 && p.w[1] == 2);
  problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positive_definite_problems_are_solved),
      cmocka_unit_test(problems_with_two_bounds_are_solved),
      cmocka_unit_test(ties_do_not_cycle),
      cmocka_unit_test(sizes_that_differ_by_many_powers_of_ten_are_scaled),
      cmocka_unit_test(a_problem_without_solution_ends_on_a_ray),
      cmocka_unit_test(a_right_hand_side_without_negative_entries_needs_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
