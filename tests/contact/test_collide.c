/* test_collide.c -- shapes against each other: closed forms by hand, an oracle for every convex pair, and what must hold for
 * all pairs: the normal is the gradient of the gap, and neither place nor order matters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide_rig.h"

#define PI 3.14159265358979323846
static const double NO_TURN[3] = {0, 0, 0};

/* --- by hand --- */

typedef struct by_hand {
  const char* name;
  fb_collider_kind a, b;
  double size_a[3], size_b[3];
  double p[3], rpy[3]; /* of a; b is at the origin */
  int count;
  double gap, normal[3], curvature[2];
} by_hand;

/* clang-format off */
static const by_hand TABLE[] = {
    {"a point over a plane", FB_COLLIDER_POINT, FB_COLLIDER_PLANE, {0}, {0}, {1, 2, 0.3}, {0}, 1, 0.3, {0, 0, 1},
     {INFINITY, INFINITY}},
    {"a sphere in a plane", FB_COLLIDER_SPHERE, FB_COLLIDER_PLANE, {0.5}, {0}, {1, 2, 0.3}, {0}, 1, -0.2,
     {0, 0, 1}, {2, 2}},
    {"a capsule that lies", FB_COLLIDER_CAPSULE, FB_COLLIDER_PLANE, {0.5, 2}, {0}, {0, 0, 0.5},
     {0, PI / 2, 0}, 2, 0, {0, 0, 1}, {2, 2}},
    {"a capsule that stands", FB_COLLIDER_CAPSULE, FB_COLLIDER_PLANE, {0.5, 2}, {0}, {0, 0, 1.5}, {0}, 1, 0,
     {0, 0, 1}, {2, 2}},
    {"a wheel that rolls", FB_COLLIDER_CYLINDER, FB_COLLIDER_PLANE, {0.25, 0.1}, {0}, {0, 0, 0.25},
     {PI / 2, 0, 0}, 2, 0, {0, 0, 1}, {4, 0}},
    {"a wheel that leans", FB_COLLIDER_CYLINDER, FB_COLLIDER_PLANE, {0.5, 0.2}, {0},
     {0, 0, 0.25 + 0.086602540378443865}, {PI / 6, 0, 0}, 1, 0, {0, 0, 1}, {INFINITY, 1}},
    {"a cylinder that stands", FB_COLLIDER_CYLINDER, FB_COLLIDER_PLANE, {0.25, 2}, {0}, {0, 0, 1}, {0}, 4, 0,
     {0, 0, 1}, {INFINITY, 0}},
    {"a box on a face", FB_COLLIDER_BOX, FB_COLLIDER_PLANE, {1, 2, 3}, {0}, {0, 0, 1.5}, {0}, 4, 0, {0, 0, 1},
     {INFINITY, INFINITY}},
    {"a box on an edge", FB_COLLIDER_BOX, FB_COLLIDER_PLANE, {1, 1, 1}, {0}, {0, 0, 0.70710678118654752},
     {PI / 4, 0, 0}, 2, 0, {0, 0, 1}, {INFINITY, INFINITY}},
    {"an ellipsoid", FB_COLLIDER_ELLIPSOID, FB_COLLIDER_PLANE, {1, 2, 3}, {0}, {0, 0, 3}, {0}, 1, 0, {0, 0, 1},
     {3, 0.75}},
    {"two spheres", FB_COLLIDER_SPHERE, FB_COLLIDER_SPHERE, {0.5}, {0.25}, {0.75, 0, 0}, {0}, 1, 0, {1, 0, 0},
     {6, 6}},
    {"two spheres about one centre", FB_COLLIDER_SPHERE, FB_COLLIDER_SPHERE, {0.5}, {0.25}, {0}, {0}, 1, -0.75,
     {0, 0, 1}, {6, 6}},
    {"a point in a box", FB_COLLIDER_POINT, FB_COLLIDER_BOX, {0}, {2, 2, 2}, {0.75, 0, 0}, {0}, 1, -0.25,
     {1, 0, 0}, {INFINITY, INFINITY}},
    {"a sphere at a corner", FB_COLLIDER_SPHERE, FB_COLLIDER_BOX, {1}, {2, 2, 2}, {2, 3, 3}, {0}, 1, 2,
     {1. / 3, 2. / 3, 2. / 3}, {INFINITY, INFINITY}},
    {"a sphere on a wheel", FB_COLLIDER_SPHERE, FB_COLLIDER_CYLINDER, {1}, {0.5, 3}, {0, -1.5, 0}, {0}, 1, 0,
     {0, -1, 0}, {3, 1}},
    {"a sphere on a cap", FB_COLLIDER_SPHERE, FB_COLLIDER_CYLINDER, {1}, {0.5, 3}, {0, 0.1, -2}, {0}, 1, -0.5,
     {0, 0, -1}, {1, 1}},
    {"a sphere on a capsule", FB_COLLIDER_SPHERE, FB_COLLIDER_CAPSULE, {1}, {0.5, 3}, {0, -1.5, 0}, {0}, 1, 0,
     {0, -1, 0}, {3, 1}},
    {"a sphere on an ellipsoid", FB_COLLIDER_SPHERE, FB_COLLIDER_ELLIPSOID, {1}, {1, 2, 3}, {0, 0, 4}, {0}, 1, 0,
     {0, 0, 1}, {4, 1.75}},
    {"the centre of an ellipsoid", FB_COLLIDER_POINT, FB_COLLIDER_ELLIPSOID, {0}, {1, 2, 3}, {0}, {0}, 1, -1,
     {1, 0, 0}, {INFINITY, INFINITY}},
};
/* clang-format on */

static void closed_forms_by_hand(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
    const by_hand* x = &TABLE[i];
    placed a = placed_at(collider_of(x->a, x->size_a[0], x->size_a[1], x->size_a[2]), x->p, x->rpy);
    placed b = placed_at(collider_of(x->b, x->size_b[0], x->size_b[1], x->size_b[2]), NO_TURN, NO_TURN);
    fb_contact_point t[FB_MAX_CONTACT_POINTS];
    const int count = touch_all(&a, &b, x->gap + 1e-9, t);
    if (count != x->count) fail_msg("%s: %d points", x->name, count);
    for (int k = 0; k < count; k++) {
      assert_near_of(1, x->name, &t[k].gap, &x->gap, 1, 1e-15);
      assert_near_of(1, x->name, t[k].normal, x->normal, 3, 1e-15);
      for (int j = 0; j < 2; j++)
        if (isinf(x->curvature[j]))
          assert_true(isinf(t[k].curvature[j]));
        else
          assert_near_of(1, x->name, &t[k].curvature[j], &x->curvature[j], 1, 1e-14);
    }
  }
}

/* --- every convex pair --- */

static const fb_collider_kind CONVEX[] = {FB_COLLIDER_POINT,    FB_COLLIDER_SPHERE, FB_COLLIDER_CAPSULE,
                                          FB_COLLIDER_CYLINDER, FB_COLLIDER_BOX,    FB_COLLIDER_ELLIPSOID};
enum { NCONVEX = sizeof CONVEX / sizeof *CONVEX, ROUNDS = 60 };

/* Sizes from 0.3 to 1.5, at places up to `within`. */
static placed any_shape(fb_random* r, fb_collider_kind kind, double within) {
  placed s;
  s.c = fb_default_collider();
  s.c.kind = kind;
  random_fill(r, 0.3, 1.5, 3, s.c.size);
  place_randomly(r, within, &s.at);
  return s;
}

static void describe(const char* what, const placed* a, const placed* b) {
  print_error("%s: kinds %d and %d, a at %.17g %.17g %.17g\n", what, (int)a->c.kind, (int)b->c.kind,
              a->at.p[0], a->at.p[1], a->at.p[2]);
}

/* Nothing along any direction is larger than the gap found, and along the normal it is just that. */
static void check_oracle(fb_random* r, const placed* a, const placed* b) {
  fb_contact_point t[FB_MAX_CONTACT_POINTS];
  const int count = touch_all(a, b, INFINITY, t);
  assert_true(count > 0);
  const double found = gap_along(a, b, NULL, t[0].normal), gap = gap_of(a, b);
  if (!(fabs(t[0].gap - found) < 1e-11) || !(fabs(t[0].gap - gap) < 1e-13)) {
    describe("not the gap along the normal", a, b);
    fail_msg("gap %.17g, along the normal %.17g, least %.17g", t[0].gap, found, gap);
  }
  for (int k = 0; k < 300; k++) {
    double n[3], shift[3];
    random_direction(r, shift);
    memcpy(n, t[0].normal, sizeof n);
    add_scaled3(n, k < 150 ? 2 : pow(10, -k / 30.), shift);
    const double length = norm3(n);
    for (int i = 0; i < 3; i++) n[i] /= length;
    const double other = gap_along(a, b, NULL, n);
    if (!(other <= t[0].gap + 1e-11)) {
      describe("not the largest", a, b);
      fail_msg("gap %.17g, but %.17g along %g %g %g (normal %g %g %g)", t[0].gap, other, n[0], n[1], n[2],
               t[0].normal[0], t[0].normal[1], t[0].normal[2]);
    }
  }
}

static void each_convex_pair_has_the_gap_that_no_direction_exceeds(void** unused) {
  (void)unused;
  fb_random r = random_seed(17);
  for (int i = 0; i < NCONVEX; i++)
    for (int j = 0; j < NCONVEX; j++)
      for (int k = 0; k < ROUNDS; k++) {
        const double within = k % 3 == 0 ? 2 : k % 3 == 1 ? 1 : 0.3;
        placed a = any_shape(&r, CONVEX[i], within), b = any_shape(&r, CONVEX[j], within);
        if (a.c.kind == FB_COLLIDER_POINT && b.c.kind == FB_COLLIDER_POINT) continue;
        check_oracle(&r, &a, &b);
      }
}

/* --- what holds for all pairs --- */

enum { NALL = NCONVEX + 1 };
/* Deeper than this, two ways out of a smooth shape may be equally short to 1e-6. */
static const double DEEP = -0.2;

/* One of the convex kinds, or a plane. */
static placed shape_number(fb_random* r, int i, double within) {
  placed s = any_shape(r, i < NCONVEX ? CONVEX[i] : FB_COLLIDER_PLANE, within);
  return s;
}

static int has_no_gap(const placed* a, const placed* b) {
  return a->c.kind == FB_COLLIDER_PLANE && b->c.kind == FB_COLLIDER_PLANE;
}

/* Calls `check` for pairs of all kinds at random places. */
static void for_all_pairs(uint64_t seed, void (*check)(fb_random*, const placed*, const placed*)) {
  fb_random r = random_seed(seed);
  for (int i = 0; i < NALL; i++)
    for (int j = 0; j < NALL; j++)
      for (int k = 0; k < 20; k++) {
        const placed a = shape_number(&r, i, 0.8), b = shape_number(&r, j, 0.8);
        if (has_no_gap(&a, &b)) continue;
        check(&r, &a, &b);
      }
}

/* Central differences over 1e-5: truncation 1e-10 times curvatures of up to 1e2, rounding 1e-16 / 1e-5. */
static void check_gradient(fb_random* r, const placed* a, const placed* b) {
  fb_contact_point t[FB_MAX_CONTACT_POINTS];
  double d[3], slope;
  const int count = touch_all(a, b, INFINITY, t);
  assert_true(count > 0);
  if (t[0].gap < DEEP) return;
  if (count > 1 && t[1].gap - t[0].gap < 1e-3) return; /* the least changes hands */
  random_direction(r, d);
  placed plus = *a, minus = *a;
  add_scaled3(plus.at.p, 1e-5, d);
  add_scaled3(minus.at.p, -1e-5, d);
  slope = (gap_of(&plus, b) - gap_of(&minus, b)) / 2e-5;
  if (fabs(slope - dot3(d, t[0].normal)) < 1e-6) return;
  /* Two features may be equally deep: then one of the sides agrees. */
  const double here = t[0].gap, up = (gap_of(&plus, b) - here) / 1e-5,
               down = (here - gap_of(&minus, b)) / 1e-5;
  const double want = dot3(d, t[0].normal);
  if (fabs(up - want) < 1e-3 || fabs(down - want) < 1e-3) return;
  describe("the gradient is not the normal", a, b);
  fail_msg("slope %.12g (%.6g, %.6g), normal %.12g, gap %g", slope, up, down, want, here);
}

static void the_normal_is_the_gradient_of_the_gap(void** unused) {
  (void)unused;
  for_all_pairs(5, check_gradient);
}

static void check_frame(fb_random* r, const placed* a, const placed* b) {
  fb_placement by;
  placed x = *a, y = *b;
  place_randomly(r, 10, &by);
  fb_rot_apply(by.R, a->at.p, x.at.p);
  fb_rot_apply(by.R, b->at.p, y.at.p);
  fb_rot_multiply(by.R, a->at.R, x.at.R);
  fb_rot_multiply(by.R, b->at.R, y.at.R);
  for (int i = 0; i < 3; i++) {
    x.at.p[i] += by.p[i];
    y.at.p[i] += by.p[i];
  }
  const double here = gap_of(a, b), there = gap_of(&x, &y);
  if (here < DEEP) return;
  assert_near_of(10, "moved", &there, &here, 1, 1e-13);
}

static void the_gap_does_not_depend_on_where_the_pair_is(void** unused) {
  (void)unused;
  for_all_pairs(6, check_frame);
}

static void check_order(fb_random* r, const placed* a, const placed* b) {
  fb_contact_point t[FB_MAX_CONTACT_POINTS], u[FB_MAX_CONTACT_POINTS];
  (void)r;
  const int count = touch_all(a, b, INFINITY, t), swapped = touch_all(b, a, INFINITY, u);
  assert_true(count > 0 && swapped > 0);
  for (int i = 0; i < 3; i++) u[0].normal[i] = -u[0].normal[i];
  assert_near_of(1, "gap", &t[0].gap, &u[0].gap, 1, 1e-12);
  if (dot3(t[0].normal, u[0].normal) < 1 - 1e-9) {
    describe("another normal", a, b);
    fail_msg("%g %g %g, swapped %g %g %g", t[0].normal[0], t[0].normal[1], t[0].normal[2], u[0].normal[0],
             u[0].normal[1], u[0].normal[2]);
  }
}

static void swapping_the_two_only_turns_the_normal(void** unused) {
  (void)unused;
  for_all_pairs(7, check_order);
}

static void check_points(fb_random* r, const placed* a, const placed* b) {
  fb_contact_point t[FB_MAX_CONTACT_POINTS];
  (void)r;
  const int count = touch_all(a, b, 0.5, t);
  for (int k = 0; k < count; k++) {
    double sum[3] = {t[k].p_b[0], t[k].p_b[1], t[k].p_b[2]}, one = norm3(t[k].normal);
    add_scaled3(sum, t[k].gap, t[k].normal);
    assert_near_of(3, "p_b + gap normal", sum, t[k].p_a, 3, 1e-14);
    assert_near("a unit normal", &one, (const double[]){1}, 1, 1e-14);
    assert_true(t[k].gap <= 0.5 && (k == 0 || t[k - 1].gap <= t[k].gap));
    assert_true(t[k].curvature[0] >= t[k].curvature[1] && t[k].curvature[1] >= 0);
  }
}

static void points_are_sorted_within_reach_and_consistent(void** unused) {
  (void)unused;
  for_all_pairs(8, check_points);
}

/* a approaches b along the normal from 1e-3 to -1e-3 and through 1e-12: the gap follows, and the normal stays. */
static void check_passage(fb_random* r, const placed* a, const placed* b) {
  static const double wanted[] = {1e-3,   1e-6,   1e-9,   1e-10, 1e-12, 1e-14, 0,
                                  -1e-14, -1e-12, -1e-10, -1e-9, -1e-6, -1e-3};
  fb_contact_point t[FB_MAX_CONTACT_POINTS], first;
  (void)r;
  if (touch_all(a, b, INFINITY, t) == 0 || t[0].gap < 1e-3) return;
  first = t[0];
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    placed at = *a;
    add_scaled3(at.at.p, wanted[i] - first.gap, first.normal);
    assert_true(touch_all(&at, b, INFINITY, t) > 0);
    /* Corners and edges have a normal of their own only while they are apart, and it loses digits when they are near. */
    const int flat = isfinite(first.curvature[0]);
    if (!(fabs(t[0].gap - wanted[i]) < (flat             ? 1e-13
                                        : wanted[i] >= 0 ? 1e-11
                                                         : 2e-2)) ||
        (flat && dot3(t[0].normal, first.normal) < 1 - 1e-12)) {
      describe("not through zero", a, b);
      fail_msg("gap %.17g, wanted %g; normal %g %g %g, first %g %g %g", t[0].gap, wanted[i], t[0].normal[0],
               t[0].normal[1], t[0].normal[2], first.normal[0], first.normal[1], first.normal[2]);
    }
  }
}

static void gaps_go_through_zero_smoothly(void** unused) {
  (void)unused;
  for_all_pairs(9, check_passage);
}

/* Impacts are located where gaps are zero, and then looked for within 1e-8 m. */
static void what_touches_is_found_however_short_the_reach(void** unused) {
  (void)unused;
  static const fb_collider_kind KINDS[] = {FB_COLLIDER_CYLINDER, FB_COLLIDER_ELLIPSOID, FB_COLLIDER_BOX};
  fb_random r = random_seed(29);
  for (int k = 0; k < 2000; k++) {
    placed a = {.c = collider_of(KINDS[k % 3], 0, 0, 0)},
           b = {.c = collider_of(FB_COLLIDER_ELLIPSOID, 0, 0, 0)};
    fb_contact_point t[FB_MAX_CONTACT_POINTS];
    random_fill(&r, 0.05, 0.4, 3, a.c.size);
    random_fill(&r, 1, 3, 3, b.c.size);
    place_randomly(&r, 4, &a.at);
    place_randomly(&r, 0.1, &b.at);
    for (int i = 0; i < 20 && touch_all(&a, &b, INFINITY, t) > 0 && fabs(t[0].gap) > 1e-13; i++)
      add_scaled3(a.at.p, -t[0].gap, t[0].normal);
    if (!(touch_all(&a, &b, 1e-8, t) > 0)) fail_msg("%d: nothing within 1e-8", k);
  }
}

/* Where EPA stops, 1e-6 of the size short, is far from a small ellipsoid's normal in a large one. Each of the two calls bounds the
 * other: along any n the gap is at most the largest. */
static void ellipsoids_of_any_sizes_have_one_gap_in_either_order(void** unused) {
  (void)unused;
  static const double PLACES[] = {.9, .98, .999, 1, 1.001, 1.1, 2}; /* of the distance at which they touch */
  fb_random r = random_seed(31);
  for (int k = 0; k < 5000; k++) {
    placed a = {.c = collider_of(FB_COLLIDER_ELLIPSOID, 0, 0, 0)}, b = a;
    const double ratio = pow(10, random_in(&r, -3, 0));
    double n[3];
    for (int i = 0; i < 3; i++) {
      a.c.size[i] = pow(10, random_in(&r, -1.5, 0));
      b.c.size[i] = ratio * pow(10, random_in(&r, -1.5, 0));
    }
    place_randomly(&r, 0, &a.at);
    place_randomly(&r, 0, &b.at);
    random_direction(&r, n);
    const double distance = -gap_along(&b, &a, NULL, n) * PLACES[k % 7];
    for (int i = 0; i < 3; i++) b.at.p[i] = distance * n[i];
    fb_contact_point t[FB_MAX_CONTACT_POINTS];
    const double gap = gap_of(&a, &b), turned = gap_of(&b, &a);
    assert_int_equal(touch_all(&b, &a, INFINITY, t), 1);
    if (fabs(gap - turned) > 1e-13 || gap_along(&b, &a, NULL, t[0].normal) > gap + 1e-13)
      fail_msg("%d: gap %.15g, in the other order %.15g", k, gap, turned);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms_by_hand),
                                     cmocka_unit_test(each_convex_pair_has_the_gap_that_no_direction_exceeds),
                                     cmocka_unit_test(the_normal_is_the_gradient_of_the_gap),
                                     cmocka_unit_test(the_gap_does_not_depend_on_where_the_pair_is),
                                     cmocka_unit_test(swapping_the_two_only_turns_the_normal),
                                     cmocka_unit_test(points_are_sorted_within_reach_and_consistent),
                                     cmocka_unit_test(gaps_go_through_zero_smoothly),
                                     cmocka_unit_test(what_touches_is_found_however_short_the_reach),
                                     cmocka_unit_test(ellipsoids_of_any_sizes_have_one_gap_in_either_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
