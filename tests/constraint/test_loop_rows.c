/* test_loop_rows.c -- the rows of loops: errors change at the rates of their rows, and loops that are open close. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/rows.h"
#include "near.h"
#include "random_loops.h"

/* Errors of all rows at q moved by v dt. */
static void errors_at(const looped* x, double dt, double* error) {
  double q[128];
  fb_integrate(x->m, x->q, x->v, dt, q);
  fb_kinematics(x->m, x->d, q, NULL, NULL);
  fb_rows_place(x->m, x->d, q);
  memcpy(error, x->d->row_error, (size_t)x->m->top.nrow * sizeof *error);
}

static void errors_change_at_the_rates_of_their_rows(void** state) {
  (void)state;
  const double h = 1e-5;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    looped x = random_looped(seed);
    double before[MOST_ROWS], after[MOST_ROWS], rate[MOST_ROWS];
    errors_at(&x, -h, before);
    errors_at(&x, h, after);
    fb_kinematics(x.m, x.d, x.q, x.v, NULL);
    fb_rows_place(x.m, x.d, x.q);
    fb_rows_rates(x.m, x.d, x.v, rate);
    for (int i = 0; i < x.m->top.nrow; i++) after[i] = (after[i] - before[i]) / (2 * h);
    assert_near_of(10, "rates of errors", after, rate, x.m->top.nrow, 1e-8);
    free_looped(&x);
  }
}

/* Opened by a tenth of a radian or metre in every coordinate. */
static void loops_of_every_type_close_from_near_by(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    looped x = random_looped(seed);
    double q[128], v[128], error[MOST_LOOPS];
    fb_error text;
    assert_true(fb_model_nq(x.m) <= 128);
    fb_random_v(x.m, seed + 1000, v);
    fb_integrate(x.m, x.q, v, 0.1, q);
    if (fb_loops_close(x.m, x.d, NULL, q, v, &text)) fail_msg("seed %d: %s", (int)seed, text.text);
    fb_loop_errors(x.m, x.d, q, error);
    for (int i = 0; i < x.nloop; i++) assert_true(error[i] <= 1e-12);
    free_looped(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_change_at_the_rates_of_their_rows),
      cmocka_unit_test(loops_of_every_type_close_from_near_by),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
