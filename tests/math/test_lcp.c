/* test_lcp.c -- Lemke's method: random problems of the kinds that contacts make, ties, scaling, guesses, problems
 * without solution and strange numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp_rig.h"

/* B B^T with B of n x rank, random: semidefinite when rank < n. */
static void fill_product(fb_random* r, int n, int rank, lcp_problem* p) {
  double* B = lcp_numbers((size_t)(n * rank));
  random_fill(r, -1, 1, n * rank, B);
  lcp_fill_product(p, n, rank, B);
  free(B);
}

static void assert_solved(lcp_problem* p, const char* what, int seed) {
  fb_lcp_result result = lcp_solve(p);
  if (result != FB_LCP_SOLVED)
    fail_msg("%s %d: result %d, residual %g", what, seed, (int)result, p->residual);
  double error = lcp_error(p);
  if (!(error <= 1e-10)) fail_msg("%s %d: error %g, residual %g", what, seed, error, p->residual);
}

static void positive_definite_problems_are_solved(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 500; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    lcp_problem p = lcp_problem_new(1 + random_index(&r, 30));
    fill_product(&r, p.n, p.n, &p);
    for (int i = 0; i < p.n; i++) p.M[i * p.n + i] += 1e-3;
    random_fill(&r, -1, 1, p.n, p.q);
    assert_solved(&p, "definite", seed);
    lcp_problem_free(&p);
  }
}

/* Coordinates held by friction: M = [A 1; -1 0], q = [b - A f; 2 f]. Some levels are equal, so that there are ties. */
static void problems_with_two_bounds_are_solved(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 500; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    int n = 1 + random_index(&r, 15);
    lcp_problem p = lcp_problem_new(2 * n);
    fill_product(&r, n, 1 + random_index(&r, n), &p);
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
    lcp_problem_free(&p);
  }
}

/* Kostreva 1979: least-index rules cycle on it; M is a P-matrix, so there is one solution. */
static void ties_do_not_cycle(void** unused) {
  (void)unused;
  static const double M[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
  lcp_problem p = lcp_problem_new(3);
  memcpy(p.M, M, sizeof M);
  for (int i = 0; i < 3; i++) p.q[i] = -1;
  assert_solved(&p, "Kostreva", 0);
  for (int i = 0; i < 3; i++) assert_true(fabs(p.z[i] - 1.0 / 3) < 1e-14);
  lcp_problem_free(&p);
}

static void sizes_that_differ_by_many_powers_of_ten_are_scaled(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 200; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    lcp_problem p = lcp_problem_new(2 + random_index(&r, 10));
    double d[16];
    fill_product(&r, p.n, p.n + 3, &p);
    random_fill(&r, -1, 1, p.n, p.q);
    for (int i = 0; i < p.n; i++) d[i] = pow(10, random_in(&r, -5, 5));
    for (int i = 0; i < p.n; i++) {
      p.q[i] *= d[i] * 1e-12;
      for (int j = 0; j < p.n; j++) p.M[i * p.n + j] *= d[i] * d[j];
    }
    assert_int_not_equal(lcp_solve(&p), FB_LCP_RAY);
    for (int i = 0; i < p.n; i++) assert_true(p.z[i] >= 0 && isfinite(p.z[i]));
    lcp_problem_free(&p);
  }
}

/* Small problems and strange numbers: what comes out, M, q and z. */
static const struct {
  const char* name;
  int n;
  fb_lcp_result result;
  double M[4], q[2], z[2];
} CASES[] = {
    {"nothing", 0, FB_LCP_SOLVED, {0}, {0}, {0}},
    {"one that rests", 1, FB_LCP_SOLVED, {1}, {2}, {0}},
    {"one that pushes", 1, FB_LCP_SOLVED, {4}, {-2}, {0.5}},
    {"one that cannot", 1, FB_LCP_RAY, {-1}, {-1}, {0}},
    {"one without a matrix", 1, FB_LCP_RAY, {0}, {-1}, {0}},
    {"q without negative entries", 2, FB_LCP_SOLVED, {1, 0, 0, 1}, {0, 2}, {0, 0}},
    {"q zero, M negative", 2, FB_LCP_SOLVED, {-1, 0, 0, -1}, {0, 0}, {0, 0}},
    {"no matrix, q positive", 2, FB_LCP_SOLVED, {0}, {1, 2}, {0, 0}},
    {"no matrix, q negative", 2, FB_LCP_RAY, {0}, {-1, 2}, {0}},
    {"w = -z - 1", 2, FB_LCP_RAY, {-1, 0, 0, -1}, {-1, -1}, {0}},
    {"w = -z - 1, tiny", 2, FB_LCP_RAY, {-1, 0, 0, -1}, {-1e-30, -1e-30}, {0}},
    {"a row that is rounding of zero", 2, FB_LCP_RAY, {1e-33, 1e-17, 1e-17, 1}, {-0.5, -1}, {0}},
    {"huge q", 2, FB_LCP_SOLVED, {2, 0, 0, 1}, {-1e300, -4e300}, {5e299, 4e300}},
    {"tiny q", 2, FB_LCP_SOLVED, {2, 0, 0, 1}, {-1e-300, -4e-300}, {5e-301, 4e-300}},
    {"huge M", 2, FB_LCP_SOLVED, {1e300, 0, 0, 1e300}, {-1, -2}, {1e-300, 2e-300}},
    {"tiny M", 2, FB_LCP_SOLVED, {1e-300, 0, 0, 1e-300}, {-1, -2}, {1e300, 2e300}},
    {"z beyond all numbers", 1, FB_LCP_RAY, {1e-300}, {-1e300}, {0}},
    {"NaN in M", 2, FB_LCP_INEXACT, {NAN, 0, 0, 1}, {-1, -1}, {0}},
    {"NaN off the diagonal", 2, FB_LCP_INEXACT, {1, NAN, 0, 1}, {-1, -1}, {0}},
    {"infinite M", 2, FB_LCP_INEXACT, {INFINITY, 0, 0, 1}, {-1, -1}, {0}},
    {"NaN in q", 2, FB_LCP_INEXACT, {1, 0, 0, 1}, {NAN, -1}, {0}},
    {"NaN in q, nothing negative", 2, FB_LCP_INEXACT, {1, 0, 0, 1}, {NAN, 1}, {0}},
    {"NaN at the end of q", 2, FB_LCP_INEXACT, {1, 0, 0, 1}, {1, NAN}, {0}},
    {"infinite q", 2, FB_LCP_INEXACT, {1, 0, 0, 1}, {-INFINITY, 1}, {0}},
};

static void small_and_strange_problems_have_these_results(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    lcp_problem p = lcp_problem_new(CASES[i].n);
    memcpy(p.M, CASES[i].M, (size_t)(p.n * p.n) * sizeof *p.M);
    memcpy(p.q, CASES[i].q, (size_t)p.n * sizeof *p.q);
    fb_lcp_result result = lcp_solve(&p);
    if (result != CASES[i].result)
      fail_msg("%s: result %d, residual %g", CASES[i].name, (int)result, p.residual);
    assert_true(result == FB_LCP_SOLVED ? p.residual <= 1e-10 : isinf(p.residual));
    for (int k = 0; k < p.n; k++)
      if (!(fabs(p.z[k] - CASES[i].z[k]) <= 1e-14 * fabs(CASES[i].z[k])))
        fail_msg("%s: z[%d] = %g", CASES[i].name, k, p.z[k]);
    lcp_problem_free(&p);
  }
}

/* From the solution of a problem the one with q changed a little is found by its basis; the same from any guess. */
static void a_guess_helps_and_never_harms(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 200; seed++) {
    fb_random r = random_seed((uint64_t)seed);
    lcp_problem p = lcp_problem_new(1 + random_index(&r, 20)), other = lcp_problem_new(p.n);
    fill_product(&r, p.n, p.n, &p);
    for (int i = 0; i < p.n; i++) p.M[i * p.n + i] += 0.1;
    random_fill(&r, -1, 1, p.n, p.q);
    assert_solved(&p, "cold", seed);
    int kind = seed % 4;
    for (int i = 0; i < p.n; i++) {
      double guesses[4] = {p.z[i] * 2, random_in(&r, -1, 1), 1, NAN};
      other.z[i] = guesses[kind];
    }
    double residual;
    fb_lcp_result result =
        fb_lcp_solve_near(p.n, p.M, p.q, other.z, other.w, other.work, other.basis, &residual);
    assert_int_equal(result, FB_LCP_SOLVED);
    assert_true(residual <= 1e-10);
    /* There is one solution; the smallest eigenvalue is above 0.1, the residuals are near 1e-15. */
    assert_true(worst_difference(p.z, other.z, p.n) <= 1e-12);
    lcp_problem_free(&p);
    lcp_problem_free(&other);
  }
}

/* A guess on a singular block, and on a problem without solution. */
static void a_guess_for_a_singular_problem_is_dropped(void** unused) {
  (void)unused;
  lcp_problem p = lcp_problem_new(2);
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int i = 0; i < 4; i++) p.M[i] = sign;
    for (int i = 0; i < 2; i++) p.q[i] = -1, p.z[i] = 1;
    fb_lcp_result result = fb_lcp_solve_near(2, p.M, p.q, p.z, p.w, p.work, p.basis, NULL);
    assert_int_equal(result, sign > 0 ? FB_LCP_SOLVED : FB_LCP_RAY);
    if (sign > 0) assert_true(lcp_error(&p) <= 1e-15);
  }
  lcp_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positive_definite_problems_are_solved),
      cmocka_unit_test(problems_with_two_bounds_are_solved),
      cmocka_unit_test(ties_do_not_cycle),
      cmocka_unit_test(sizes_that_differ_by_many_powers_of_ten_are_scaled),
      cmocka_unit_test(small_and_strange_problems_have_these_results),
      cmocka_unit_test(a_guess_helps_and_never_harms),
      cmocka_unit_test(a_guess_for_a_singular_problem_is_dropped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
