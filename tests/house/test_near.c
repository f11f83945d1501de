/* test_near.c -- the tests' own comparisons: what is not a number, not finite or small and wrong does not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"
#include "near.h"
#include "worst.h"

static void a_nan_is_worse_than_every_number_and_stays(void** unused) {
  (void)unused;
  static const double numbers[] = {-INFINITY, -1, 0, 1, INFINITY};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    assert_true(isnan(worse_of(NAN, numbers[i])) && isnan(worse_of(numbers[i], NAN)));
    assert_true(isnan(lesser_of(NAN, numbers[i])) && isnan(lesser_of(numbers[i], NAN)));
  }
  assert_true(isnan(worse_of(NAN, NAN)) && isnan(lesser_of(NAN, NAN)));
  assert_true(worse_of(1, 2) == 2 && worse_of(2, 1) == 2 && lesser_of(1, 2) == 1 && lesser_of(2, 1) == 1);
  for (int at = 0; at < 5; at++) {
    double x[5] = {1, -2, 3, -4, 5};
    const double y[5] = {0};
    assert_true(worst_of(x, 5) == 5 && worst_difference(x, y, 5) == 5 && worst_difference(y, x, 5) == 5);
    x[at] = NAN;
    assert_true(isnan(worst_of(x, 5)) && isnan(worst_difference(x, y, 5)));
    assert_true(isnan(relative_error(0, x, y, 5)) && isnan(relative_error(0, y, x, 5)));
  }
  assert_true(worst_of(NULL, 0) == 0 && relative_error(0, NULL, NULL, 0) == 0);
}

static void what_is_not_finite_is_near_nothing(void** unused) {
  (void)unused;
  static const double odd[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++)
    for (int at = 0; at < 5; at++) {
      double x[5] = {1, 2, 3, 4, 5}, allowed;
      const double y[5] = {1, 2, 3, 4, 5};
      assert_int_equal(near_find(0, x, y, 5, 0, &allowed), 0);
      x[at] = odd[i];
      assert_int_equal(near_find(0, x, y, 5, 1e9, &allowed), at + 1);
      assert_true(near_find(0, y, x, 5, 1e9, &allowed) > 0);
      assert_true(near_find(0, x, x, 5, 1e9, &allowed) > 0);
    }
}

static void small_quantities_are_compared_as_sharply_as_large_ones(void** unused) {
  (void)unused;
  static const double sizes[] = {1e-200, 1e-9, 1, 1e9, 1e200};
  double allowed;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const double s = sizes[i], want[2] = {s, s / 8}, off[2] = {s, s / 8 + 2e-12 * s},
                 in[2] = {s, s / 8 + 5e-13 * s};
    assert_int_equal(near_find(0, off, want, 2, 1e-12, &allowed), 2);
    assert_int_equal(near_find(0, in, want, 2, 1e-12, &allowed), 0);
    assert_int_equal(near_find(3 * s, off, want, 2, 1e-12, &allowed), 0); /* of a scale that the test gave */
  }
  assert_int_equal(near_find(0, (const double[]){1e-300}, (const double[]){0}, 1, 1, &allowed), 1);
  assert_int_equal(near_find(1, (const double[]){1e-13}, (const double[]){0}, 1, 1e-12, &allowed), 0);
}

static void a_nan_in_any_row_spoils_the_backward_error(void** unused) {
  (void)unused;
  bench b = bench_new(3, 4, 0);
  record r = {0};
  dense_parts(&b);
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
  assert_true(b.nv >= 3 && backward_error(&b, b.x, b.tau) <= 1e-13);
  for (int k = 0; k < b.nv; k++) {
    double* inputs[] = {b.x, b.tau, b.bias, b.total, b.H + k * b.nv};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
      double kept = inputs[i][k];
      inputs[i][k] = NAN;
      assert_true(isnan(backward_error(&b, b.x, b.tau)));
      inputs[i][k] = kept;
    }
  }
  note(&r, 1, 0, 1);
  note(&r, NAN, 0, 2);
  note(&r, 2, 0, 3);
  assert_true(isnan(r.error) && r.bodies == 2);
  bench_free(&b);
}

static void the_worst_error_of_a_kind_is_remembered(void** unused) {
  (void)unused;
  const double want[2] = {4, -8}, near[2] = {4, -8 + 1e-6}, nearer[2] = {4 + 1e-9, -8};
  compare("test of the table", near, want, 2, 1e-6);
  compare("test of the table", nearer, want, 2, 1e-6);
  assert_string_equal(table[0].what, "test of the table");
  assert_true(fabs(table[0].error - 1e-6 / 8) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_nan_is_worse_than_every_number_and_stays),
      cmocka_unit_test(what_is_not_finite_is_near_nothing),
      cmocka_unit_test(small_quantities_are_compared_as_sharply_as_large_ones),
      cmocka_unit_test(a_nan_in_any_row_spoils_the_backward_error),
      cmocka_unit_test(the_worst_error_of_a_kind_is_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
