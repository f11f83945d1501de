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

static const by_hand TABLE[] = {
    {"a point over a plane",
     FB_COLLIDER_POINT,
     FB_COLLIDER_PLANE,
     {0},
     {0},
     {1, 2, 0.3},
     {0},
     1,
     0.3,
     {0, 0, 1},
     {INFINITY, INFINITY}},
    {"a sphere in a plane",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_PLANE,
     {0.5},
     {0},
     {1, 2, 0.3},
     {0},
     1,
     -0.2,
     {0, 0, 1},
     {2, 2}},
    {"a capsule that lies",
     FB_COLLIDER_CAPSULE,
     FB_COLLIDER_PLANE,
     {0.5, 2},
     {0},
     {0, 0, 0.5},
     {0, PI / 2, 0},
     2,
     0,
     {0, 0, 1},
     {2, 2}},
    {"a capsule that stands",
     FB_COLLIDER_CAPSULE,
     FB_COLLIDER_PLANE,
     {0.5, 2},
     {0},
     {0, 0, 1.5},
     {0},
     1,
     0,
     {0, 0, 1},
     {2, 2}},
    {"a wheel that rolls",
     FB_COLLIDER_CYLINDER,
     FB_COLLIDER_PLANE,
     {0.25, 0.1},
     {0},
     {0, 0, 0.25},
     {PI / 2, 0, 0},
     2,
     0,
     {0, 0, 1},
     {4, 0}},
    {"a wheel that leans",
     FB_COLLIDER_CYLINDER,
     FB_COLLIDER_PLANE,
     {0.5, 0.2},
     {0},
     {0, 0, 0.25 + 0.086602540378443865},
     {PI / 6, 0, 0},
     1,
     0,
     {0, 0, 1},
     {INFINITY, 1}},
    {"a cylinder that stands",
     FB_COLLIDER_CYLINDER,
     FB_COLLIDER_PLANE,
     {0.25, 2},
     {0},
     {0, 0, 1},
     {0},
     4,
     0,
     {0, 0, 1},
     {INFINITY, 0}},
    {"a box on a face",
     FB_COLLIDER_BOX,
     FB_COLLIDER_PLANE,
     {1, 2, 3},
     {0},
     {0, 0, 1.5},
     {0},
     4,
     0,
     {0, 0, 1},
     {INFINITY, INFINITY}},
    {"a box on an edge",
     FB_COLLIDER_BOX,
     FB_COLLIDER_PLANE,
     {1, 1, 1},
     {0},
     {0, 0, 0.70710678118654752},
     {PI / 4, 0, 0},
     2,
     0,
     {0, 0, 1},
     {INFINITY, INFINITY}},
    {"an ellipsoid",
     FB_COLLIDER_ELLIPSOID,
     FB_COLLIDER_PLANE,
     {1, 2, 3},
     {0},
     {0, 0, 3},
     {0},
     1,
     0,
     {0, 0, 1},
     {3, 0.75}},
    {"two spheres",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_SPHERE,
     {0.5},
     {0.25},
     {0.75, 0, 0},
     {0},
     1,
     0,
     {1, 0, 0},
     {6, 6}},
    {"two spheres about one centre",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_SPHERE,
     {0.5},
     {0.25},
     {0},
     {0},
     1,
     -0.75,
     {0, 0, 1},
     {6, 6}},
    {"a point in a box",
     FB_COLLIDER_POINT,
     FB_COLLIDER_BOX,
     {0},
     {2, 2, 2},
     {0.75, 0, 0},
     {0},
     1,
     -0.25,
     {1, 0, 0},
     {INFINITY, INFINITY}},
    {"a sphere at a corner",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_BOX,
     {1},
     {2, 2, 2},
     {2, 3, 3},
     {0},
     1,
     2,
     {1. / 3, 2. / 3, 2. / 3},
     {INFINITY, INFINITY}},
    {"a sphere on a wheel",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_CYLINDER,
     {1},
     {0.5, 3},
     {0, -1.5, 0},
     {0},
     1,
     0,
     {0, -1, 0},
     {3, 1}},
    {"a sphere on a cap",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_CYLINDER,
     {1},
     {0.5, 3},
     {0, 0.1, -2},
     {0},
     1,
     -0.5,
     {0, 0, -1},
     {1, 1}},
    {"a sphere on a capsule",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_CAPSULE,
     {1},
     {0.5, 3},
     {0, -1.5, 0},
     {0},
     1,
     0,
     {0, -1, 0},
     {3, 1}},
    {"a sphere on an ellipsoid",
     FB_COLLIDER_SPHERE,
     FB_COLLIDER_ELLIPSOID,
     {1},
     {1, 2, 3},
     {0, 0, 4},
     {0},
     1,
     0,
     {0, 0, 1},
     {4, 1.75}},
    {"the centre of an ellipsoid",
     FB_COLLIDER_POINT,
     FB_COLLIDER_ELLIPSOID,
     {0},
     {1, 2, 3},
     {0},
     {0},
     1,
     -1,
     {1, 0, 0},
     {INFINITY, INFINITY}},
};

static void closed_forms_by_hand(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
    const by_hand* x = &TABLE[i];
    placed a = placed_at(collider_of(x->a, x->size_a[0], x->size_a[1], x->size_a[2]), x->p, x->rpy);
    placed b = placed_at(collider_of(x->b, x->size_b[0], x->size_b[1], x->size_b[2]), NO_TURN, NO_TURN);
    fb_touch t[FB_MAX_TOUCHES];
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
  fb_touch t[FB_MAX_TOUCHES];
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms_by_hand),
      cmocka_unit_test(each_convex_pair_has_the_gap_that_no_direction_exceeds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
