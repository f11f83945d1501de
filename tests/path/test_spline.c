/* test_spline.c -- paths: cubic, quintic, trapezoid, shaped: closed forms, smoothness, both ends, what is refused. */
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
  if (fb_spline_new_cubic(count, t, x, &s, &error)) fail_msg("%s", error.text);
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
    fb_spline_eval(s, 2 + 3 * u, &got[0], &got[1], &got[2]);
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
      fb_spline_eval(s, cases[c].t[i], &x, &slope, NULL);
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
  fb_spline_eval(s, t + h, &near[0], &near[1], &near[2]);
  fb_spline_eval(s, t + 2 * h, &far[0], &far[1], &far[2]);
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
      fb_spline_eval(s, t[i], &at[0], &at[1], &at[2]);
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
      fb_spline_eval(s, at - h, &low[0], &low[1], NULL);
      fb_spline_eval(s, at + h, &high[0], &high[1], NULL);
      fb_spline_eval(s, at, NULL, &got[0], &got[1]);
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
    fb_spline_eval(s, cases[i].t, &got[0], &got[1], &got[2]);
    assert_near("value", got, &cases[i].x, 1, 0);
    assert_near("rate", got + 1, zero, 1, 0);
    if (i != 2) assert_near("acceleration", got + 2, zero, 1, 0); /* the first knot belongs to the curve */
  }
  fb_spline_eval(s, t[KNOTS - 1] - 1e-9, &got[0], &got[1], NULL);
  assert_true(fabs(got[0] - x[KNOTS - 1]) < 1e-12 && fabs(got[1]) < 1e-6);
  fb_spline_free(s);
}

static void one_point_is_a_constant(void** unused) {
  (void)unused;
  static const double t[1] = {3}, x[1] = {-2}, want[3] = {-2, 0, 0}, at[] = {-1e9, 2.9, 3, 3.1, 1e9};
  fb_spline* s = spline_or_fail(1, t, x);
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    double got[3];
    fb_spline_eval(s, at[i], &got[0], &got[1], &got[2]);
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

/* --- quintic --- */

enum { LEGS = 3 };
static const double LEG_T[LEGS + 1] = {-1, 0.5, 2.5, 3}, LEG_X[LEGS + 1] = {2, -1, 1.5, 1.5};

static fb_spline* quintic_or_fail(int count, const double* t, const double* x) {
  fb_error error = {.status = FB_OK};
  fb_spline* s = NULL;
  if (fb_spline_new_quintic(count, t, x, &s, &error)) fail_msg("%s", error.text);
  return s;
}

static void a_quintic_follows_its_formula_and_rests_at_every_knot(void** unused) {
  (void)unused;
  fb_spline* s = quintic_or_fail(LEGS + 1, LEG_T, LEG_X);
  for (int leg = 0; leg < LEGS; leg++)
    for (int i = 0; i <= 20; i++) {
      double u = i / 20.0, h = LEG_T[leg + 1] - LEG_T[leg], d = LEG_X[leg + 1] - LEG_X[leg], got[3];
      const double want[3] = {LEG_X[leg] + d * u * u * u * (10 + u * (6 * u - 15)),
                              d / h * 30 * u * u * (1 - u) * (1 - u),
                              d / h / h * 60 * u * (1 - u) * (1 - 2 * u)};
      fb_spline_eval(s, LEG_T[leg] + u * h, &got[0], &got[1], &got[2]);
      assert_near("quintic", got, want, 3, 1e-13);
    }
  for (int i = 0; i <= LEGS; i++) {
    double got[3];
    const double want[3] = {LEG_X[i], 0, 0};
    fb_spline_eval(s, LEG_T[i], &got[0], &got[1], &got[2]);
    assert_near("at a knot", got, want, 3, 0);
    continued(s, LEG_T[i], -1e-5, got);
    assert_near("before a knot", got, want, 2, 1e-9);
  }
  fb_spline_free(s);
}

/* The jerk at t: central differences of fourth order are exact for the cubic that the acceleration is. */
static double jerk_at(const fb_spline* s, double t, double e) {
  double a[4];
  for (int i = 0; i < 4; i++) fb_spline_eval(s, t + e * (i < 2 ? i - 2 : i - 1), NULL, NULL, &a[i]);
  return (8 * (a[2] - a[1]) - (a[3] - a[0])) / (12 * e);
}

/* The least integral of jerk^2 from rest to rest is 720 d^2 / h^5; and its first variation along s^3 (1 - s)^3, which
 * keeps both ends, vanishes. Gauss-Legendre with three points is exact for both. */
static void a_quintic_has_the_least_jerk(void** unused) {
  (void)unused;
  static const double t[2] = {1, 3}, x[2] = {0, 0.7}, node = 0.77459666924148337704;
  fb_spline* s = quintic_or_fail(2, t, x);
  double square = 0, variation = 0;
  for (int i = -1; i <= 1; i++) {
    double u = 0.5 * (1 + i * node), weight = i == 0 ? 8 / 9.0 : 5 / 9.0; /* h / 2 = 1 */
    double jerk = jerk_at(s, 1 + 2 * u, 0.05);
    square += weight * jerk * jerk;
    variation += weight * jerk * (6 - 72 * u + 180 * u * u - 120 * u * u * u);
  }
  double want = 720 * 0.7 * 0.7 / 32;
  assert_near("integral of squared jerk", &square, &want, 1, 1e-12);
  assert_true(fabs(variation) < 1e-11);
  fb_spline_free(s);
}

/* --- trapezoid --- */

static fb_spline* trapezoid_or_fail(int count, const double* t, const double* x, double ramp) {
  fb_error error = {.status = FB_OK};
  fb_spline* s = NULL;
  if (fb_spline_new_trapezoid(count, t, x, ramp, &s, &error)) fail_msg("%s", error.text);
  return s;
}

/* Rate and acceleration of a trapezoid at the part u of a leg; the value by area under the rate. */
static void trapezoid_want(double u, double ramp, double h, double d, double want[3]) {
  double top = d / h / (1 - ramp), from_end = 1 - u, r = ramp;
  if (u < r) {
    want[1] = top * u / r, want[2] = top / (r * h), want[0] = h * top * u * u / (2 * r);
  } else if (from_end > r) {
    want[1] = top, want[2] = 0, want[0] = h * top * (u - r / 2);
  } else {
    want[1] = top * from_end / r, want[2] = -top / (r * h);
    want[0] = d - h * top * from_end * from_end / (2 * r);
  }
}

static void a_trapezoid_speeds_up_holds_and_slows_down(void** unused) {
  (void)unused;
  static const double ramps[] = {0.01, 0.25, 1 / 3.0, 0.499, 0.5};
  for (size_t c = 0; c < sizeof ramps / sizeof ramps[0]; c++) {
    double ramp = ramps[c];
    fb_spline* s = trapezoid_or_fail(LEGS + 1, LEG_T, LEG_X, ramp);
    for (int leg = 0; leg < LEGS; leg++) {
      double h = LEG_T[leg + 1] - LEG_T[leg], d = LEG_X[leg + 1] - LEG_X[leg], peak = 0;
      for (int i = 0; i < 97; i++) { /* no multiple of it falls on a knot */
        double u = (i + 0.5) / 97, got[3], want[3];
        if (fabs(u - 0.5) < 1e-9) continue;
        trapezoid_want(u, ramp, h, d, want);
        want[0] += LEG_X[leg];
        fb_spline_eval(s, LEG_T[leg] + u * h, &got[0], &got[1], &got[2]);
        assert_near("trapezoid", got, want, 3, 1e-12);
      }
      fb_spline_eval(s, LEG_T[leg] + h / 2, NULL, &peak, NULL);
      assert_near("top speed", &peak, (const double[]){d / h / (1 - ramp)}, 1, 1e-12);
    }
    double t = LEG_T[0] - 1;
    int knots = 0;
    while (!isinf(t = fb_spline_next_knot(s, t))) knots++;
    assert_int_equal(knots, ramp < 0.5 ? 3 * LEGS + 1 : 2 * LEGS + 1);
    fb_spline_free(s);
  }
}

static void trapezoids_and_quintics_rest_outside_and_pass_their_points(void** unused) {
  (void)unused;
  fb_spline* made[] = {quintic_or_fail(LEGS + 1, LEG_T, LEG_X),
                       trapezoid_or_fail(LEGS + 1, LEG_T, LEG_X, 0.2), quintic_or_fail(1, LEG_T, LEG_X),
                       trapezoid_or_fail(1, LEG_T, LEG_X, 0.2)};
  for (int i = 0; i < 4; i++) {
    static const double outside[] = {-INFINITY, -1.5, 3, 4, INFINITY};
    for (int k = 0; k < 5; k++) {
      double got[3];
      const double want[3] = {k < 2 || i >= 2 ? 2 : 1.5, 0, 0};
      fb_spline_eval(made[i], outside[k], &got[0], &got[1], &got[2]);
      assert_near("outside", got, want, 3, 0);
    }
    for (int k = 0; k <= LEGS && i < 2; k++) {
      double x, rate;
      fb_spline_eval(made[i], LEG_T[k], &x, &rate, NULL);
      assert_near("point", &x, &LEG_X[k], 1, 0);
      assert_near("rate at a point", &rate, (const double[]){0}, 1, 0);
    }
    fb_spline_free(made[i]);
  }
}

/* --- input shaping --- */

static const double PI = 3.14159265358979323846;

static fb_spline* shaped_or_fail(const fb_spline* path, double frequency, double damping, int robust) {
  fb_error error = {.status = FB_OK};
  fb_spline* s = NULL;
  if (fb_spline_new_shaped(path, frequency, damping, robust, &s, &error)) fail_msg("%s", error.text);
  return s;
}

/* What is left of the vibration of x'' + 2 zeta w x' + w^2 (x - path) = 0 at `end`, at rest before: its amplitude, by
 * Runge and Kutta's method from knot to knot. */
static double left_over(const fb_spline* path, double frequency, double zeta, double end) {
  double w = 2 * PI * frequency, t = 0, x, v = 0, goal;
  fb_spline_eval(path, -1, &x, NULL, NULL);
  while (t < end) {
    double h = fmin(fmin(fb_spline_next_knot(path, t), end) - t, 2e-3 / frequency);
    double k[4][2];
    for (int i = 0; i < 4; i++) {
      double part = i == 0 ? 0 : i < 3 ? h / 2 : h, at;
      double xi = x + (i ? part * k[i - 1][0] : 0), vi = v + (i ? part * k[i - 1][1] : 0);
      fb_spline_eval(path, t + part, &at, NULL, NULL);
      k[i][0] = vi;
      k[i][1] = -2 * zeta * w * vi - w * w * (xi - at);
    }
    x += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
    v += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    t += h;
  }
  fb_spline_eval(path, end, &goal, NULL, NULL);
  return hypot(x - goal, (v + zeta * w * (x - goal)) / (w * sqrt(1 - zeta * zeta)));
}

/* Three kinds of path, of 0.9 s. */
static fb_spline* path_of(int kind) {
  static const double t[3] = {0, 0.4, 0.9}, x[3] = {0, 0.8, -0.3};
  return kind == 0   ? spline_or_fail(3, t, x)
         : kind == 1 ? quintic_or_fail(3, t, x)
                     : trapezoid_or_fail(3, t, x, 0.3);
}

static void a_shaped_path_leaves_no_vibration(void** unused) {
  (void)unused;
  static const double frequency = 1.3, dampings[] = {0, 0.02, 0.3};
  for (int kind = 0; kind < 3; kind++)
    for (int robust = 0; robust < 2; robust++)
      for (int c = 0; c < 3; c++) {
        double zeta = dampings[c], half = 0.5 / frequency / sqrt(1 - zeta * zeta);
        double end = 0.9 + (robust ? 2 : 1) * half + 1e-9;
        fb_spline *path = path_of(kind), *shaped = shaped_or_fail(path, frequency, zeta, robust);
        double plain = left_over(path, frequency, zeta, end), got = left_over(shaped, frequency, zeta, end);
        if (!(plain > 1e-3 && got < 1e-6 * plain))
          fail_msg("path %d, damping %g: vibration %.3g, shaped %.3g", kind, zeta, plain, got);
        fb_spline_free(path);
        fb_spline_free(shaped);
      }
}

/* Undamped, f instead of f0: |sum of A_j exp(i w T_j)| = |cos(pi f / 2 f0)| for ZV, its square for ZVD. */
static void a_wrong_frequency_leaves_what_theory_says(void** unused) {
  (void)unused;
  static const double frequency = 1.3, factors[] = {0.95, 1.05, 0.8};
  for (int robust = 0; robust < 2; robust++)
    for (int c = 0; c < 3; c++) {
      fb_spline *path = path_of(1), *shaped = shaped_or_fail(path, frequency, 0, robust);
      double f = factors[c] * frequency, end = 0.9 + (robust ? 2 : 1) * 0.5 / frequency + 1e-9;
      double got = left_over(shaped, f, 0, end) / left_over(path, f, 0, end);
      double zv = fabs(cos(PI / 2 * factors[c])), want = robust ? zv * zv : zv;
      assert_near("what is left", &got, &want, 1, 1e-7);
      if (robust && c < 2) assert_true(got < 0.0063); /* the known 0.6 % for 5 % */
      fb_spline_free(path);
      fb_spline_free(shaped);
    }
}

static void a_shaped_path_is_the_sum_of_delayed_copies(void** unused) {
  (void)unused;
  static const double frequency = 0.7, zeta = 0.1;
  double root = sqrt(1 - zeta * zeta), K = exp(-zeta * PI / root), T = 0.5 / frequency / root;
  for (int kind = 0; kind < 3; kind++) {
    fb_spline *path = path_of(kind), *s = shaped_or_fail(path, frequency, zeta, 1);
    const double A[3] = {1 / (1 + K) / (1 + K), 2 * K / (1 + K) / (1 + K), K * K / (1 + K) / (1 + K)};
    for (int i = 0; i < 400; i++) {
      double t = -0.1 + 0.00701 * i, want[3] = {0}, got[3];
      for (int j = 0; j < 3; j++) {
        double x[3];
        fb_spline_eval(path, t - j * T, &x[0], &x[1], &x[2]);
        for (int k = 0; k < 3; k++) want[k] += A[j] * x[k];
      }
      fb_spline_eval(s, t, &got[0], &got[1], &got[2]);
      assert_near("sum", got, want, 3, 1e-12);
    }
    double end, rate, acceleration;
    fb_spline_eval(s, 0.9 + 2 * T + 1e-9, &end, &rate, &acceleration);
    assert_near("end", &end, (const double[]){-0.3}, 1, 0);
    assert_true(rate == 0 && acceleration == 0);
    fb_spline_free(path);
    fb_spline_free(s);
  }
}

/* Knots at 0, 0.1, ... and a half period of 0.3 s: copies have knots in common up to rounding. */
static void knots_that_copies_share_are_counted_once(void** unused) {
  (void)unused;
  double t[11], x[11];
  for (int i = 0; i <= 10; i++) t[i] = 0.1 * i, x[i] = i % 3;
  fb_spline *path = spline_or_fail(11, t, x), *s = shaped_or_fail(path, 0.5 / 0.3, 0, 1);
  double at = -1;
  int knots = 0;
  for (double next; !isinf(next = fb_spline_next_knot(s, at)); at = next, knots++)
    assert_true(knots == 0 || next - at > 0.09);
  assert_int_equal(knots, 17); /* 0 to 1.6 s */
  fb_spline_free(path);
  fb_spline_free(s);
}

static void a_constant_stays_one_when_shaped(void** unused) {
  (void)unused;
  static const double t = 2, x = 0.1;
  fb_spline *path = spline_or_fail(1, &t, &x), *s = shaped_or_fail(path, 3, 0.2, 1);
  for (int i = -3; i < 4; i++) {
    double got[3];
    const double want[3] = {0.1, 0, 0};
    fb_spline_eval(s, 2 + 0.1 * i, &got[0], &got[1], &got[2]);
    assert_near("constant", got, want, 3, 0);
  }
  fb_spline_free(path);
  fb_spline_free(s);
}

/* --- what is refused --- */

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
    fb_status status = fb_spline_new_cubic(cases[i].count, cases[i].t, cases[i].x, &s, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(s);
  }
}

static void what_quintics_and_trapezoids_cannot_do_is_refused(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int count;
    double t[3], x[3], ramp;
    fb_status status;
    const char* text;
  } cases[] = {
      {"no points", 0, {0}, {0}, 0.2, FB_ERR_ARG, "at least one point"},
      {"times that fall", 2, {1, 0}, {0}, 0.2, FB_ERR_ARG, "must rise"},
      {"a value", 3, {0, 1, 2}, {0, 1, NAN}, 0.2, FB_ERR_NOT_FINITE, "point 3 of 3"},
      {"too steep", 3, {0, 1, 1 + 1e-15}, {0, 0, 1e300}, 0.2, FB_ERR_NOT_FINITE, "points 2 and 3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int kind = 0; kind < 2; kind++) {
      fb_error error = {.status = FB_OK};
      fb_spline* s = (fb_spline*)&error;
      fb_status status =
          kind ? fb_spline_new_trapezoid(cases[i].count, cases[i].t, cases[i].x, cases[i].ramp, &s, &error)
               : fb_spline_new_quintic(cases[i].count, cases[i].t, cases[i].x, &s, &error);
      if (status != cases[i].status || !strstr(error.text, cases[i].text))
        fail_msg("%s, %d: %s, \"%s\"", cases[i].name, kind, fb_status_name(status), error.text);
      assert_null(s);
    }
  static const double t[2] = {0, 1}, x[2] = {0, 1}, ramps[] = {0, -0.1, 0.51, NAN, 1e-300};
  for (size_t i = 0; i < sizeof ramps / sizeof ramps[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_spline* s = (fb_spline*)&error;
    assert_int_equal(fb_spline_new_trapezoid(2, t, x, ramps[i], &s, &error), FB_ERR_ARG);
    assert_non_null(strstr(error.text, "the ramp of a trapezoid"));
    assert_null(s);
  }
}

static void shaping_for_what_does_not_vibrate_is_refused(void** unused) {
  (void)unused;
  static const struct {
    double frequency, damping;
    const char* text;
  } cases[] = {{0, 0, "0 Hz"},         {-1, 0, "-1 Hz"},  {NAN, 0, "nan Hz"},      {INFINITY, 0, "inf Hz"},
               {1e-310, 0, "-310 Hz"}, {1, 1, "ratio 1"}, {1, -0.1, "ratio -0.1"}, {1, NAN, "ratio nan"}};
  fb_spline* path = path_of(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_spline* s = (fb_spline*)&error;
    assert_int_equal(fb_spline_new_shaped(path, cases[i].frequency, cases[i].damping, 0, &s, &error),
                     FB_ERR_ARG);
    if (!strstr(error.text, cases[i].text)) fail_msg("%s", error.text);
    assert_null(s);
  }
  fb_spline_free(path);
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
      cmocka_unit_test(a_quintic_follows_its_formula_and_rests_at_every_knot),
      cmocka_unit_test(a_quintic_has_the_least_jerk),
      cmocka_unit_test(a_trapezoid_speeds_up_holds_and_slows_down),
      cmocka_unit_test(trapezoids_and_quintics_rest_outside_and_pass_their_points),
      cmocka_unit_test(a_shaped_path_leaves_no_vibration),
      cmocka_unit_test(a_wrong_frequency_leaves_what_theory_says),
      cmocka_unit_test(a_shaped_path_is_the_sum_of_delayed_copies),
      cmocka_unit_test(knots_that_copies_share_are_counted_once),
      cmocka_unit_test(a_constant_stays_one_when_shaped),
      cmocka_unit_test(points_that_make_no_curve_are_refused),
      cmocka_unit_test(what_quintics_and_trapezoids_cannot_do_is_refused),
      cmocka_unit_test(shaping_for_what_does_not_vibrate_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
