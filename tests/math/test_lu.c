/* test_lu.c -- factors of dense matrices: A x = b is solved, singular matrices are recognised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "keep_nan.h"
#include "math/lu.h"
#include "random.h"

enum { MOST = 40 };

static void random_systems_are_solved(void** unused) {
  (void)unused;
  for (int n = 1; n <= MOST; n++) {
    fb_random r = random_seed((uint64_t)n);
    double A[MOST * MOST], F[MOST * MOST], x[MOST], b[MOST], work[MOST], worst = 0;
    int rows[MOST];
    random_fill(&r, -1, 1, n * n, A);
    random_fill(&r, -1, 1, n, x);
    A[0] = 0; /* a pivot that must be exchanged */
    if (n == 1) A[0] = -3;
    for (int i = 0; i < n; i++) {
      b[i] = 0;
      for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
    }
    memcpy(F, A, sizeof A);
    assert_true(fb_lu_factor(F, n, rows) > 0);
    fb_lu_solve(F, n, rows, b, work);
    for (int i = 0; i < n; i++) worst = worse_of(worst, fabs(b[i] - x[i]));
    /* Random matrices of this size have condition numbers up to 1e4. */
    assert_true(worst <= 1e-10);
  }
}

static void what_has_no_inverse_is_recognised(void** unused) {
  (void)unused;
  static const double MATRICES[][4] = {
      {0, 0, 0, 0}, {1, 2, 2, 4}, {0, 1, 0, 1}, {NAN, 0, 0, 1}, {1, 0, 0, INFINITY}};
  for (size_t i = 0; i < sizeof MATRICES / sizeof *MATRICES; i++) {
    double A[4];
    int rows[2];
    memcpy(A, MATRICES[i], sizeof A);
    assert_true(fb_lu_factor(A, 2, rows) == 0);
  }
}

/* The least pivot over the largest entry. */
static void nearness_to_singular_is_returned(void** unused) {
  (void)unused;
  double A[9] = {4, 0, 0, 0, 1e-6, 0, 0, 0, 2};
  int rows[3];
  assert_true(fabs(fb_lu_factor(A, 3, rows) / 0.25e-6 - 1) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_are_solved),
      cmocka_unit_test(what_has_no_inverse_is_recognised),
      cmocka_unit_test(nearness_to_singular_is_returned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
