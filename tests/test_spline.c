/* test_spline.c -- splines: closed forms, smoothness, both ends, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <freebody/spline.h>

#include "near.h"
#include "random.h"

static fb_spline* spline_or_fail(int count, const double* t, const double* x) {
  fb_error error = {.status = FB_OK};
  fb_spline* s = NULL;
  if (fb_spline_new(count, t, x, &s, &error)) fail_msg("%s", error.text);
  return s;
}

static void two_points_are_the_cubic_blend(void** unused) {
  (void)unused;
  static const double t[2] = {2, 5}, x[2] = {-1, 3};
  fb_spline* s = spline_or_fail(2, t, x);
  for (int i = 0; i <= 30; i++) {
    double u = i / 30.0, got[3];
    const double want[3] = {-1 + 4 * (3 - 2 * u) * u * u, 4 * 6 * u * (1 - u) / 3,
                            i < 30 ? 4 * 6 * (1 - 2 * u) / 9 : 0};
    fb_spline_at(s, 2 + 3 * u, &got[0], &got[1], &got[2]);
    assert_near("blend", got, want, 3, 1e-14);
  }
  fb_spline_free(s);
}

/* Slopes of the inner knots by hand: h s- + 2 (h- + h) s + h- s+ = 3 (h d- + h- d). */
static void inner_slopes_solve_the_tridiagonal_system(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int count;
    double t[4], x[4], slopes[4];
  } cases[] = {
      {"a ramp of two", 3, {0, 1, 2}, {0, 1, 2}, {0, 1.5, 0}},
      {"a hat", 3, {0, 1, 2}, {0, 1, 0}, {0, 0, 0}},
      {"unequal steps", 3, {0, 1, 3}, {0, 1, 2}, {0, 3 * (2 * 1 + 1 * 0.5) / 6, 0}},
      {"a ramp of three", 4, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1.2, 1.2, 0}},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    fb_spline* s = spline_or_fail(cases[c].count, cases[c].t, cases[c].x);
    for (int i = 0; i < cases[c].count; i++) {
      double x, slope;
      fb_spline_at(s, cases[c].t[i], &x, &slope, NULL);
      assert_near(cases[c].name, &x, &cases[c].x[i], 1, 1e-14);
      assert_near(cases[c].name, &slope, &cases[c].slopes[i], 1, 1e-14);
    }
    fb_spline_free(s);
  }
}

enum { KNOTS = 25 };

static fb_spline* random_spline(uint64_t seed, double* t, double* x) {
  fb_random r = random_seed(seed);
  t[0] = random_in(&r, -5, 5);
  for (int i = 1; i < KNOTS; i++) t[i] = t[i - 1] + random_in(&r, 0.1, 2);
  random_fill(&r, -3, 3, KNOTS, x);
  return spline_or_fail(KNOTS, t, x);
}

/* Value, rate and acceleration that the cubic through t + h and t + 2 h continues to at t. */
static void continued(const fb_spline* s, double t, double h, double limit[3]) {
  double near[3], far[3];
  fb_spline_at(s, t + h, &near[0], &near[1], &near[2]);
  fb_spline_at(s, t + 2 * h, &far[0], &far[1], &far[2]);
  double third = (far[2] - near[2]) / h;
  limit[0] = near[0] - h * (near[1] - h * (near[2] / 2 - h * third / 6));
  limit[1] = near[1] - h * (near[2] - h * third / 2);
  limit[2] = near[2] - h * third;
}

static void inner_knots_are_passed_twice_smoothly(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 50; seed++) {
    double t[KNOTS], x[KNOTS];
    fb_spline* s = random_spline(seed, t, x);
    for (int i = 1; i < KNOTS - 1; i++) {
      double left[3], right[3], at[3];
      continued(s, t[i], -0.04, left);
      continued(s, t[i], 0.04, right);
      fb_spline_at(s, t[i], &at[0], &at[1], &at[2]);
      assert_near("value at a knot", at, &x[i], 1, 1e-13);
      assert_near("from the left", left, at, 3, 1e-10);
      assert_near("from the right", right, at, 3, 1e-10);
    }
    fb_spline_free(s);
  }
}

static void rates_are_the_differences_of_values(void** unused) {
  (void)unused;
  for (uint64_t seed = 100; seed < 110; seed++) {
    static const double h = 1e-5;
    double t[KNOTS], x[KNOTS];
    fb_spline* s = random_spline(seed, t, x);
    for (int i = 0; i < KNOTS - 1; i++) {
      double at = 0.3 * t[i] + 0.7 * t[i + 1], low[2], high[2], got[2], want[2];
      fb_spline_at(s, at - h, &low[0], &low[1], NULL);
      fb_spline_at(s, at + h, &high[0], &high[1], NULL);
      fb_spline_at(s, at, NULL, &got[0], &got[1]);
      for (int k = 0; k < 2; k++) want[k] = (high[k] - low[k]) / (2 * h);
      assert_near("rates", got, want, 2, 1e-6);
    }
    fb_spline_free(s);
  }
}

static void it_rests_at_both_ends_and_beyond(void** unused) {
  (void)unused;
  static const double zero[2] = {0, 0};
  double t[KNOTS], x[KNOTS], got[3];
  fb_spline* s = random_spline(7, t, x);
  const struct {
    double t, x;
  } cases[] = {{-INFINITY, x[0]},
               {t[0] - 1, x[0]},
               {t[0], x[0]},
               {t[KNOTS - 1], x[KNOTS - 1]},
               {t[KNOTS - 1] + 1, x[KNOTS - 1]},
               {INFINITY, x[KNOTS - 1]}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_spline_at(s, cases[i].t, &got[0], &got[1], &got[2]);
    assert_near("value", got, &cases[i].x, 1, 0);
    assert_near("rate", got + 1, zero, 1, 0);
    if (i != 2) assert_near("acceleration", got + 2, zero, 1, 0); /* the first knot belongs to the curve */
  }
  fb_spline_at(s, t[KNOTS - 1] - 1e-9, &got[0], &got[1], NULL);
  assert_true(fabs(got[0] - x[KNOTS - 1]) < 1e-12 && fabs(got[1]) < 1e-6);
  fb_spline_free(s);
}

static void one_point_is_a_constant(void** unused) {
  (void)unused;
  static const double t[1] = {3}, x[1] = {-2}, want[3] = {-2, 0, 0}, at[] = {-1e9, 2.9, 3, 3.1, 1e9};
  fb_spline* s = spline_or_fail(1, t, x);
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    double got[3];
    fb_spline_at(s, at[i], &got[0], &got[1], &got[2]);
    assert_near("constant", got, want, 3, 0);
  }
  assert_true(fb_spline_next_knot(s, 2.9) == 3);
  assert_true(isinf(fb_spline_next_knot(s, 3)));
  fb_spline_free(s);
}

static void the_next_knot_is_the_first_after_t(void** unused) {
  (void)unused;
  double t[KNOTS], x[KNOTS];
  fb_spline* s = random_spline(3, t, x);
  assert_true(fb_spline_next_knot(s, t[0] - 10) == t[0]);
  for (int i = 0; i < KNOTS; i++) {
    double after = i + 1 < KNOTS ? t[i + 1] : INFINITY;
    assert_true(fb_spline_next_knot(s, nextafter(t[i], -INFINITY)) == t[i]);
    assert_true(fb_spline_next_knot(s, t[i]) == after);
    assert_true(fb_spline_next_knot(s, nextafter(t[i], INFINITY)) == after);
  }
  fb_spline_free(s);
}

static void points_that_make_no_curve_are_refused(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int count;
    double t[3], x[3];
    fb_status status;
    const char* text;
  } cases[] = {
      {"no points", 0, {0}, {0}, FB_ERR_ARG, "at least one point"},
      {"fewer than none", -3, {0}, {0}, FB_ERR_ARG, "given -3"},
      {"equal times", 3, {0, 1, 1}, {0}, FB_ERR_ARG, "point 2 is at 1 s, point 3 at 1 s"},
      {"times that fall", 2, {1, 0}, {0}, FB_ERR_ARG, "must rise"},
      {"a time that is no number", 2, {0, NAN}, {0}, FB_ERR_NOT_FINITE, "point 2 of 2"},
      {"a value without bound", 2, {0, 1}, {INFINITY, 0}, FB_ERR_NOT_FINITE, "point 1 of 2"},
      {"too steep", 2, {0, 1e-300}, {0, 1e30}, FB_ERR_NOT_FINITE, "too steep"},
      {"too steep inside", 3, {0, 1, 1 + 1e-15}, {0, 1e308, -1e308}, FB_ERR_NOT_FINITE, "too steep"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_spline* s = (fb_spline*)&error;
    fb_status status = fb_spline_new(cases[i].count, cases[i].t, cases[i].x, &s, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_points_are_the_cubic_blend),
      cmocka_unit_test(inner_slopes_solve_the_tridiagonal_system),
      cmocka_unit_test(inner_knots_are_passed_twice_smoothly),
      cmocka_unit_test(rates_are_the_differences_of_values),
      cmocka_unit_test(it_rests_at_both_ends_and_beyond),
      cmocka_unit_test(one_point_is_a_constant),
      cmocka_unit_test(the_next_knot_is_the_first_after_t),
      cmocka_unit_test(points_that_make_no_curve_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
