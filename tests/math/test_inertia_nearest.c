/* test_inertia_nearest.c -- the possible inertia nearest to a given one: examples by hand, the conditions that hold at a
 * nearest point of a convex cone and nowhere else, and a search that finds nothing nearer. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "near.h"
#include "random.h"

static const double ULPS = 64 * DBL_EPSILON; /* eigenvalues, then sums of three products */

typedef struct example {
  const char* name;
  double given[6], want[6], moments[3];
} example;

static const example EXAMPLES[] = {
    {"a ball", {2, 2, 2, 0, 0, 0}, {2, 2, 2, 0, 0, 0}, {2, 2, 2}},
    {"a plate, on the face", {1, 2, 3, 0, 0, 0}, {1, 2, 3, 0, 0, 0}, {1, 2, 3}},
    {"a rod, on the edge", {0, 1, 1, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {0, 1, 1}},
    {"a point", {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0}},
    {"a moment too large", {1, 1, 5, 0, 0, 0}, {2, 2, 4, 0, 0, 0}, {2, 2, 4}},
    {"the same in another order", {5, 1, 1, 0, 0, 0}, {4, 2, 2, 0, 0, 0}, {2, 2, 4}},
    {"a negative moment", {-1, 4, 4, 0, 0, 0}, {0, 4, 4, 0, 0, 0}, {0, 4, 4}},
    {"slightly negative",
     {-1, 2, 8, 0, 0, 0},
     {4. / 3, 13. / 3, 17. / 3, 0, 0, 0},
     {4. / 3, 13. / 3, 17. / 3}},
    {"two negative moments", {-3, -1, 2, 0, 0, 0}, {0, 0.5, 0.5, 0, 0, 0}, {0, 0.5, 0.5}},
    {"all negative", {-1, -1, -1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0}},
    /* Moments 0, 0, 3 about (1, 1, 1): a disc normal to it. */
    {"six equal entries", {1, 1, 1, 1, 1, 1}, {4. / 3, 4. / 3, 4. / 3, 1. / 3, 1. / 3, 1. / 3}, {1, 1, 2}},
    {"six equal entries, tiny",
     {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9},
     {4e-9 / 3, 4e-9 / 3, 4e-9 / 3, 1e-9 / 3, 1e-9 / 3, 1e-9 / 3},
     {1e-9, 1e-9, 2e-9}},
    {"enormous", {1e30, 1e30, 5e30, 0, 0, 0}, {2e30, 2e30, 4e30, 0, 0, 0}, {2e30, 2e30, 4e30}},
};

static void examples_by_hand(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    const example* x = &EXAMPLES[i];
    double got[6], moments[3];
    fb_inertia_nearest(x->given, got);
    fb_inertia_moments(got, moments);
    assert_near_of(worst_of(x->given, 6), x->name, got, x->want, 6, ULPS);
    assert_near_of(worst_of(x->given, 6), x->name, moments, x->moments, 3, ULPS);
    assert_int_equal(fb_inertia_is_possible(got), 1);
  }
}

/* <A, B>, the sum over all nine elements. */
static double inner(const double A[6], const double B[6]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += A[i] * B[i] + 2 * A[3 + i] * B[3 + i];
  return sum;
}

/* m (r.r - r rt) of a particle: all possible inertias are sums of these, and only those. */
static void particle(const double r[3], double out[6]) {
  const double s = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const double I[6] = {s - r[0] * r[0], s - r[1] * r[1], s - r[2] * r[2],
                       -r[0] * r[1],    -r[0] * r[2],    -r[1] * r[2]};
  memcpy(out, I, sizeof I);
}

/* X is the nearest point of a convex cone to A just when <X - A, X> = 0 and <X - A, P> >= 0 for every P of the cone. */
static void the_conditions_of_a_nearest_point_hold(void** unused) {
  (void)unused;
  fb_random r = random_seed(15);
  int moved = 0, inside = 0;
  for (int i = 0; i < 3000; i++) {
    double A[6], X[6], gap[6], again[6];
    random_fill(&r, -1, 1, 6, A);
    if (i % 3 == 0)
      for (int k = 0; k < 3; k++) A[k] = fabs(A[k]) + 2; /* many of these are possible */
    fb_inertia_nearest(A, X);
    for (int k = 0; k < 6; k++) gap[k] = X[k] - A[k];
    moved += worst_of(gap, 6) > 0;
    inside += worst_of(gap, 6) == 0;
    assert_true(fb_inertia_is_possible(X));
    assert_true(fabs(inner(gap, X)) <= 1e-13); /* some ulp of products of size 10 */
    fb_inertia_nearest(X, again);
    assert_near_of(1, "again", again, X, 6, ULPS);
    for (int k = 0; k < 30; k++) {
      double at[3], P[6];
      random_fill(&r, -1, 1, 3, at);
      particle(at, P);
      assert_true(inner(gap, P) >= -1e-13);
    }
  }
  assert_true(moved > 500 && inside > 500);
}

/* Whatever possible inertia is tried, of particles at random or near the answer, it is no nearer. */
static void no_search_finds_a_nearer_one(void** unused) {
  (void)unused;
  fb_random r = random_seed(16);
  for (int i = 0; i < 200; i++) {
    double A[6], X[6], gap[6];
    random_fill(&r, -1, 1, 6, A);
    fb_inertia_nearest(A, X);
    for (int k = 0; k < 6; k++) gap[k] = X[k] - A[k];
    const double least = inner(gap, gap);
    for (int k = 0; k < 300; k++) {
      double at[3], P[6], share[1];
      const double sizes[3] = {1, 1e-2, 1e-4};
      random_fill(&r, -1, 1, 3, at);
      random_fill(&r, 0.9, 1, 1, share);
      for (int c = 0; c < 3; c++) at[c] *= sizes[k % 3];
      particle(at, P);
      for (int c = 0; c < 6; c++) gap[c] = (k % 2 ? X[c] * share[0] : X[c]) + P[c] - A[c];
      assert_true(inner(gap, gap) >= least - 1e-13);
    }
  }
}

static void axes_turn_along_and_moments_stay(void** unused) {
  (void)unused;
  fb_random r = random_seed(17);
  for (size_t i = 0; i < 300; i++) {
    const example* x = &EXAMPLES[i % (sizeof EXAMPLES / sizeof *EXAMPLES - 1)];
    double q[4], got[6];
    fb_pose pose = fb_pose_identity();
    fb_spatial_inertia given = {0}, want = {0};
    random_quat(&r, q);
    fb_rot_from_quat(q, pose.R);
    memcpy(given.moments, x->given, sizeof x->given);
    memcpy(want.moments, x->want, sizeof x->want);
    fb_spatial_inertia_to_parent(&pose, &given, &given);
    fb_spatial_inertia_to_parent(&pose, &want, &want);
    fb_inertia_nearest(given.moments, got);
    assert_near_of(worst_of(x->given, 6), x->name, got, want.moments, 6, ULPS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_by_hand),
      cmocka_unit_test(the_conditions_of_a_nearest_point_hold),
      cmocka_unit_test(no_search_finds_a_nearer_one),
      cmocka_unit_test(axes_turn_along_and_moments_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
