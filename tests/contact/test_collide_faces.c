/* test_collide_faces.c -- pairs that touch along faces and edges: how many points, where, and how they are known; and pairs and
 * numbers that invite trouble. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collide_rig.h"

#define PI 3.14159265358979323846
#define BOX FB_COLLIDER_BOX
#define CYLINDER FB_COLLIDER_CYLINDER
#define CAPSULE FB_COLLIDER_CAPSULE
#define ELLIPSOID FB_COLLIDER_ELLIPSOID
static const double NOWHERE[3] = {0, 0, 0};

/* --- points of faces and edges --- */

typedef struct by_hand {
  const char* name;
  fb_collider_kind a, b;
  double size_a[3], size_b[3];
  double p[3], rpy[3]; /* of a; b is at the origin */
  double normal[3];
  int count;
  double low[3], high[3]; /* of the points on b */
} by_hand;

/* clang-format off */
static const by_hand TABLE[] = {
    {"equal boxes", BOX, BOX, {1, 1, 1}, {1, 1, 1}, {0, 0, 1}, {0}, {0, 0, 1}, 4, {-.5, -.5, .5}, {.5, .5, .5}},
    {"a larger box on a box", BOX, BOX, {3, 3, 1}, {1, 1, 1}, {.5, 0, 1}, {0, 0, .3}, {0, 0, 1}, 4, {-.5, -.5, .5},
     {.5, .5, .5}},
    {"a box over an edge", BOX, BOX, {1, 1, 1}, {1, 1, 1}, {.9, .2, 1}, {0}, {0, 0, 1}, 4, {.4, -.3, .5},
     {.5, .5, .5}},
    {"a box across a box", BOX, BOX, {3, 1, 1}, {1, 3, 1}, {0, 0, 1}, {0}, {0, 0, 1}, 4, {-.5, -.5, .5},
     {.5, .5, .5}},
    {"a box on its edge", BOX, BOX, {1, 1, 1}, {3, 3, 1}, {0, 0, 1.2071067811865475}, {PI / 4, 0, 0}, {0, 0, 1}, 2,
     {-.5, 0, .5}, {.5, 0, .5}},
    {"a cylinder that stands", CYLINDER, BOX, {.5, 1}, {3, 3, 1}, {0, 0, 1}, {0}, {0, 0, 1}, 4, {-.5, -.5, .5},
     {.5, .5, .5}},
    {"a cylinder that lies", CYLINDER, BOX, {.5, 1}, {3, 3, 1}, {0, 0, 1}, {PI / 2, 0, 0}, {0, 0, 1}, 2,
     {0, -.5, .5}, {0, .5, .5}},
    {"a cylinder over an edge", CYLINDER, BOX, {.5, 1}, {3, 3, 1}, {0, 1.5, 1}, {PI / 2, 0, 0}, {0, 0, 1}, 2,
     {0, 1, .5}, {0, 1.5, .5}},
    {"a cylinder on a small box", CYLINDER, BOX, {1.5, 1}, {1, 1, 1}, {.1, 0, 1}, {0}, {0, 0, 1}, 4,
     {-.5, -.5, .5}, {.5, .5, .5}},
    {"a capsule that lies", CAPSULE, BOX, {.5, 1}, {3, 3, 1}, {0, 0, 1}, {PI / 2, 0, 0}, {0, 0, 1}, 2,
     {0, -.5, .5}, {0, .5, .5}},
    {"a capsule over an edge", CAPSULE, BOX, {.5, 1}, {3, 3, 1}, {0, 1.5, 1}, {PI / 2, 0, 0}, {0, 0, 1}, 2,
     {0, 1, .5}, {0, 1.5, .5}},
    {"parallel capsules", CAPSULE, CAPSULE, {.5, 1}, {.5, 2}, {1, 0, .2}, {0}, {1, 0, 0}, 2, {.5, 0, -.3},
     {.5, 0, .7}},
    {"crossed capsules", CAPSULE, CAPSULE, {.5, 1}, {.5, 2}, {0, 1, .2}, {0, PI / 2, 0}, {0, 1, 0}, 1, {0, .5, .2},
     {0, .5, .2}},
    {"parallel cylinders", CYLINDER, CYLINDER, {.5, 1}, {.5, 1}, {1, 0, .2}, {0}, {1, 0, 0}, 2, {.5, 0, -.3},
     {.5, 0, .5}},
    {"crossed cylinders", CYLINDER, CYLINDER, {.5, 1}, {.5, 1}, {1, 0, 0}, {PI / 2, 0, 0}, {1, 0, 0}, 1,
     {.5, 0, 0}, {.5, 0, 0}},
    {"a wheel along an edge", CYLINDER, BOX, {.5, 1}, {2, 4, 2}, {1.3, 0, 1.4}, {PI / 2, 0, 0}, {.6, 0, .8}, 2,
     {1, -.5, 1}, {1, .5, 1}},
    {"an ellipsoid", ELLIPSOID, BOX, {1, 2, 3}, {3, 3, 1}, {0, 0, 3.5}, {0}, {0, 0, 1}, 1, {0, 0, .5}, {0, 0, .5}},
    {"an ellipsoid and a cylinder", ELLIPSOID, CYLINDER, {1, 2, 3}, {.5, 1}, {0, 2.5, 0}, {0}, {0, 1, 0}, 1,
     {0, .5, 0}, {0, .5, 0}},
};
/* clang-format on */

static placed first_of(const by_hand* x, double apart) {
  placed a = placed_at(collider_of(x->a, x->size_a[0], x->size_a[1], x->size_a[2]), x->p, x->rpy);
  add_scaled3(a.at.p, apart, x->normal);
  return a;
}

/* Just touching, a hair apart, and a little in: the same points, the same features. */
static void faces_and_edges_give_the_points_that_span_them(void** unused) {
  (void)unused;
  static const double apart[] = {0, 1e-3, 1e-12, -1e-12, -1e-3};
  for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
      const by_hand* x = &TABLE[i];
      const placed a = first_of(x, apart[k]),
                   b = placed_at(collider_of(x->b, x->size_b[0], x->size_b[1], x->size_b[2]), NOWHERE,
                                 NOWHERE);
      double low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
      fb_contact_point t[FB_MAX_CONTACT_POINTS];
      const int count = touch_all(&a, &b, apart[k] + 1e-9, t);
      if (count != x->count) fail_msg("%s, %g apart: %d points", x->name, apart[k], count);
      for (int j = 0; j < count; j++) {
        assert_near_of(1, x->name, &t[j].gap, &apart[k], 1, 1e-14);
        assert_near_of(1, x->name, t[j].normal, x->normal, 3, 1e-12);
        for (int c = 0; c < 3; c++) {
          low[c] = lesser_of(low[c], t[j].p_b[c]);
          high[c] = worse_of(high[c], t[j].p_b[c]);
        }
        for (int l = 0; l < j; l++) assert_true(t[j].feature != t[l].feature);
      }
      assert_near_of(1, x->name, low, x->low, 3, 1e-8);
      assert_near_of(1, x->name, high, x->high, 3, 1e-8);
    }
}

static void move_along(placed* x, const fb_placement* by) {
  fb_rot_apply(by->R, x->at.p, x->at.p);
  for (int i = 0; i < 3; i++) x->at.p[i] += by->p[i];
  fb_rot_multiply(by->R, x->at.R, x->at.R);
}

/* A leaning cylinder or a box with one corner up, with its highest point at x. */
static placed topped_at(fb_collider_kind kind, double lean, double turn, const double x[3]) {
  const double size[3] = {kind == BOX ? 1 : .5, 1, 1}, rpy[3] = {lean, kind == BOX ? .6 * lean : 0, turn};
  placed b = placed_at(collider_of(kind, size[0], size[1], size[2]), NOWHERE, rpy);
  double up[3], top[3] = {0, 0, .5};
  fb_rot_apply_transpose(b.at.R, (const double[]){0, 0, 1}, up);
  for (int i = 0; i < 2; i++) top[i] = kind == BOX ? copysign(.5, up[i]) : .5 * up[i] / hypot(up[0], up[1]);
  fb_rot_apply(b.at.R, top, top);
  for (int i = 0; i < 3; i++) b.at.p[i] = x[i] - top[i];
  return b;
}

/* The normal is that of the cap, from which only rounding leans: the place must not follow from its lean. */
static void what_passes_the_border_of_a_cap_touches_where_it_is(void** unused) {
  (void)unused;
  static const double beyond[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9};
  static const fb_collider_kind kinds[] = {CYLINDER, BOX};
  fb_random r = random_seed(91);
  for (int i = 0; i < 2000; i++) {
    const double lean = random_in(&r, .1, .6), at = random_in(&r, -PI, PI);
    const double out = .08 * (1 + beyond[i % 7]), x[3] = {out * cos(at), out * sin(at), -.05};
    placed a = placed_at(collider_of(CYLINDER, .08, .1, 0), NOWHERE, NOWHERE),
           b = topped_at(kinds[i % 2], lean, random_in(&r, -PI, PI), x);
    fb_placement all;
    double there[3];
    place_randomly(&r, 1, &all);
    fb_rot_apply(all.R, x, there);
    for (int k = 0; k < 3; k++) there[k] += all.p[k];
    move_along(&a, &all);
    move_along(&b, &all);
    for (int swapped = 0; swapped < 2; swapped++) {
      fb_contact_point t[FB_MAX_CONTACT_POINTS];
      const int count = swapped ? touch_all(&b, &a, 1e-8, t) : touch_all(&a, &b, 1e-8, t);
      if (count < 1) fail_msg("case %d, %d: no point", i, swapped);
      for (int k = 0; k < count; k++) /* where rims cross at a small angle they do so farther off */
        assert_near("place", t[k].p_b, there, 3, 1e-6);
    }
  }
}

/* A wheel that turns and a box that slides keep the features of their points. */
static void features_stay_while_the_pair_moves(void** unused) {
  (void)unused;
  const placed ground[2] = {placed_at(collider_of(FB_COLLIDER_PLANE, 0, 0, 0), NOWHERE, NOWHERE),
                            placed_at(collider_of(BOX, 8, 8, 2), (const double[]){0, 0, -1}, NOWHERE)};
  for (int g = 0; g < 2; g++) {
    int wheel[2] = {0}, box[4] = {0};
    for (int k = 0; k < 50; k++) {
      const placed a = placed_at(collider_of(CYLINDER, .5, .2, 0), (const double[]){.05 * k, .1, .499},
                                 (const double[]){PI / 2, .1 * k, .01 * k});
      const placed c = placed_at(collider_of(BOX, .5, .4, .3), (const double[]){.05 * k, .1, .149},
                                 (const double[]){1e-4 * sin(k), 1e-4 * cos(k), .1 * k});
      fb_contact_point t[FB_MAX_CONTACT_POINTS];
      int found = 0;
      assert_int_equal(touch_all(&a, &ground[g], .01, t), 2);
      for (int i = 0; i < 2; i++) {
        if (k == 0) wheel[i] = t[i].feature;
        found |= (t[i].feature == wheel[0]) | (t[i].feature == wheel[1]) << 1;
      }
      assert_int_equal(found, 3);
      assert_int_equal(touch_all(&c, &ground[g], .01, t), 4);
      for (int i = found = 0; i < 4; i++) {
        if (k == 0) box[i] = t[i].feature;
        for (int j = 0; j < 4; j++) found |= (t[i].feature == box[j]) << j;
      }
      if (k > 0) assert_int_equal(found, 15);
    }
  }
}

/* A box that tips over the edge of another, by less and less, at gaps that rounding leaves: its face touches along the edge,
 * though the line between the two is too short to have a direction. */
static void boxes_that_all_but_touch_do_so_along_the_edge(void** unused) {
  (void)unused;
  static const double GAPS[] = {1e-12, 1e-13, 1e-14, 0, -1e-14, -1e-12};
  const placed low = placed_at(collider_of(BOX, .2, .2, .2), (const double[]){.07, .035, .3}, NOWHERE);
  fb_random r = random_seed(17);
  for (int k = 0; k < 3000; k++) {
    const double lean = pow(10, random_in(&r, -8, -3)), gap = GAPS[k % 6];
    /* the middle of the high box's face is over a point of the edge x = 0.17, z = 0.4, or behind it */
    const double back = random_in(&r, 0, .05), side = random_in(&r, -.1, .1);
    const double p[3] = {.17 + back * cos(lean) + (.1 + gap) * sin(lean), .035 + side,
                         .4 - back * sin(lean) + (.1 + gap) * cos(lean)};
    const placed high = placed_at(collider_of(BOX, .2, .2, .2), p, (const double[]){0, lean, 0});
    fb_contact_point t[FB_MAX_CONTACT_POINTS];
    const int count = touch_all(&high, &low, 1e-9, t);
    if (count < 2 || fabs(t[0].gap - gap) > 1e-15 || fabs(t[0].normal[1]) > 1e-12)
      fail_msg("lean %g, gap %g: %d points, the first with gap %g and normal %g %g %g at %g %g", lean, gap,
               count, t[0].gap, t[0].normal[0], t[0].normal[1], t[0].normal[2], t[0].p_b[0], t[0].p_b[1]);
  }
}

/* --- trouble --- */

static const fb_collider_kind ALL[] = {FB_COLLIDER_POINT, FB_COLLIDER_SPHERE, CAPSULE, CYLINDER, BOX,
                                       ELLIPSOID,         FB_COLLIDER_PLANE};
enum { NALL = sizeof ALL / sizeof *ALL };

static void assert_sound(const char* what, const placed* a, const placed* b) {
  fb_contact_point t[FB_MAX_CONTACT_POINTS];
  const int count = touch_all(a, b, INFINITY, t);
  for (int k = 0; k < count; k++) {
    const double one = norm3(t[k].normal);
    if (!isfinite(t[k].gap) || !(fabs(one - 1) < 1e-12) || !isfinite(norm3(t[k].p_a)) ||
        !isfinite(norm3(t[k].p_b)) || isnan(t[k].curvature[0]) || isnan(t[k].curvature[1]))
      fail_msg("%s: kinds %d and %d: gap %g, normal %g %g %g, curvature %g %g", what, (int)a->c.kind,
               (int)b->c.kind, t[k].gap, t[k].normal[0], t[k].normal[1], t[k].normal[2], t[k].curvature[0],
               t[k].curvature[1]);
  }
  if (count == 0 && !(a->c.kind == FB_COLLIDER_PLANE && b->c.kind == FB_COLLIDER_PLANE))
    fail_msg("%s: kinds %d and %d: nothing", what, (int)a->c.kind, (int)b->c.kind);
}

/* Coincident, along an axis, aligned, turned by right angles: everything that ties. */
static void pairs_that_tie_are_sound(void** unused) {
  (void)unused;
  static const double places[][3] = {{0, 0, 0}, {1, 0, 0},     {0, 0, 1},   {.5, .5, .5}, {1e-300, 0, 0},
                                     {0, 1, 1}, {0, 0, 1e-17}, {0, -.5, 0}, {1e9, 0, 0},  {0, 3e-9, -2e-9}};
  static const double turns[][3] = {{0, 0, 0},  {PI / 2, 0, 0}, {0, PI / 2, 0},
                                    {PI, 0, 0}, {PI / 4, 0, 0}, {1e-9, 0, 1e-12}};
  for (int i = 0; i < NALL; i++)
    for (int j = 0; j < NALL; j++)
      for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t r = 0; r < sizeof turns / sizeof *turns; r++) {
          const placed a = placed_at(collider_of(ALL[i], 1, 1, 1), places[p], turns[r]),
                       b = placed_at(collider_of(ALL[j], 1, 1, 1), NOWHERE, NOWHERE);
          assert_sound("tied", &a, &b);
        }
}

static void needles_plates_and_specks_are_sound(void** unused) {
  (void)unused;
  static const double sizes[][3] = {{1e-6, 1, 1},      {1, 1e-6, 1},    {1, 1, 1e-6},
                                    {1e-6, 1e-6, 1e3}, {1e6, 1e6, 1e6}, {1e-9, 1e-9, 1e-9}};
  fb_random r = random_seed(31);
  for (int i = 0; i < NALL; i++)
    for (int j = 0; j < NALL; j++)
      for (int k = 0; k < 60; k++) {
        const double *x = sizes[random_index(&r, 6)], *y = sizes[random_index(&r, 6)];
        placed a = placed_at(collider_of(ALL[i], x[0], x[1], x[2]), NOWHERE, NOWHERE),
               b = placed_at(collider_of(ALL[j], y[0], y[1], y[2]), NOWHERE, NOWHERE);
        place_randomly(&r, k % 2 ? 0.1 : 1, &a.at);
        place_randomly(&r, k % 2 ? 0.1 : 1, &b.at);
        assert_sound("odd sizes", &a, &b);
      }
}

/* What is not a number is no contact, and nothing hangs. */
static void numbers_that_are_not_finite_touch_nothing(void** unused) {
  (void)unused;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < NALL; i++)
    for (int j = 0; j < NALL; j++)
      for (int k = 0; k < 3 * 12; k++) {
        placed a = placed_at(collider_of(ALL[i], 1, 1, 1), NOWHERE, NOWHERE),
               b = placed_at(collider_of(ALL[j], 1, 1, 1), NOWHERE, NOWHERE);
        fb_contact_point t[FB_MAX_CONTACT_POINTS];
        *(k % 12 < 3 ? &a.at.p[k % 12] : &a.at.R[k % 12 - 3]) = bad[k / 12];
        const int count = touch_all(&a, &b, 1, t);
        for (int n = 0; n < count; n++) assert_true(!isnan(t[n].gap));
        gap_of(&a, &b);
      }
}

/* The same pair a million times larger or smaller. */
static void gaps_scale_with_the_pair(void** unused) {
  (void)unused;
  fb_random r = random_seed(33);
  for (int i = 0; i < NALL - 1; i++)
    for (int j = 0; j < NALL - 1; j++)
      for (int k = 0; k < 12; k++) {
        const double scale = k % 2 ? 1e6 : 1e-6;
        placed a = placed_at(collider_of(ALL[i], .9, .7, .8), NOWHERE, NOWHERE),
               b = placed_at(collider_of(ALL[j], .6, .8, .7), NOWHERE, NOWHERE);
        place_randomly(&r, 1.2, &a.at);
        const double gap = gap_of(&a, &b);
        for (int c = 0; c < 3; c++) {
          a.c.size[c] *= scale;
          b.c.size[c] *= scale;
          a.at.p[c] *= scale;
        }
        const double scaled = gap_of(&a, &b) / scale;
        if (gap > -0.2) assert_near_of(1, "scaled", &scaled, &gap, 1, 1e-12);
      }
}

/* --- checks --- */

static void colliders_that_make_no_sense_are_refused(void** unused) {
  (void)unused;
  fb_error e;
  fb_collider c = collider_of(FB_COLLIDER_SPHERE, -1, 1, 1);
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_ARG);
  assert_string_equal(e.text, "the radius of a sphere is -1; it must be finite and larger than zero");
  c = collider_of(CAPSULE, 1, 0, 0);
  assert_int_equal(fb_collider_check(&c, &e), FB_OK);
  c = collider_of(CAPSULE, 1, NAN, 0);
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_ARG);
  assert_string_equal(e.text, "the length of a capsule is nan; it must be finite and zero or more");
  c = collider_of(BOX, 1, 1, 1);
  c.R[0] = 2;
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_ARG);
  assert_non_null(strstr(e.text, "the axes of a box are not a rotation"));
  c = collider_of(BOX, 1, 1, 1);
  c.at[1] = INFINITY;
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_NOT_FINITE);
  c = collider_of(FB_COLLIDER_HULL, 1, 1, 1);
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_ARG);
  assert_string_equal(e.text, "a hull needs a geometry made by fb_geometry_new_hull");
  c.kind = (fb_collider_kind)77;
  assert_int_equal(fb_collider_check(&c, &e), FB_ERR_ARG);
  c = fb_default_collider();
  assert_int_equal(fb_collider_check(&c, &e), FB_OK);
}

/* The face of a box lies along the border of a height field, or along its ridge, and is rolled a little: no point of the edge has the
 * normal of the ground beside it. Where the box penetrates the depth is least across the edge, off by the roll. */
static void a_face_along_a_divided_edge_has_its_own_normal(void** unused) {
  (void)unused;
  static const double ROLLS[] = {0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  const double flat[10] = {0}, roof[15] = {-.1, 0, -.1, -.1, 0, -.1, -.1, 0, -.1, -.1, 0, -.1, -.1, 0, -.1};
  for (int k = 0; k < 4 * 2 * 8; k++) {
    const int is_roof = k & 1, side = k & 2 ? 1 : -1;
    const double tilt = (k & 4 ? 0.016 : 0.04), roll = side * ROLLS[k / 8], apart = 1e-9;
    placed a = placed_at(collider_of(BOX, .2, .2, .2), NOWHERE, (double[3]){roll, tilt, 0}),
           b = placed_at(collider_of(FB_COLLIDER_HEIGHTFIELD, 1, 1, 1), (double[3]){-.5, -.5, 0}, NOWHERE);
    fb_contact_point found[FB_MAX_CONTACT_POINTS];
    fb_geometry* g;
    fb_error e;
    assert_int_equal(fb_geometry_new_heights(is_roof ? 3 : 2, 5, .5, .25, is_roof ? roof : flat, &g, &e),
                     FB_OK);
    b.c.geometry = g;
    const double n[3] = {a.at.R[2], a.at.R[5], a.at.R[8]}, x[3] = {a.at.R[0], a.at.R[3], a.at.R[6]};
    a.at.p[1] = .055;
    add_scaled3(a.at.p, .1 + apart, n);
    add_scaled3(a.at.p, .03, x);
    int n_found = fb_collider_contact_points(&a.c, &a.at, &b.c, &b.at, 1e-2, found, FB_MAX_CONTACT_POINTS),
        count = 0;
    for (int i = 0; i < n_found; i++) {
      const fb_contact_point* p = &found[i];
      double off[3], above[3] = {a.at.p[0] - p->p_b[0], a.at.p[1] - p->p_b[1], a.at.p[2] - p->p_b[2]};
      if (fabs(p->p_b[0]) > 1e-9) continue;
      count++;
      cross3(p->normal, n, off);
      if (!(norm3(off) <= 1.01 * fabs(roll) + 1e-9))
        fail_msg("roof %d, roll %g: the normal is off by %g", is_roof, roll, norm3(off));
      assert_true(fabs(p->gap - (dot3(above, n) - .1)) < 1e-4 * fabs(p->gap) + 1e-12);
    }
    if (count < 2) fail_msg("roof %d, roll %g: %d points on the edge", is_roof, roll, count);
    fb_geometry_free(g);
  }
}

static void the_sphere_around_a_collider_holds_it(void** unused) {
  (void)unused;
  fb_random r = random_seed(34);
  for (int i = 0; i < NALL - 1; i++)
    for (int k = 0; k < 200; k++) {
      fb_collider c = collider_of(ALL[i], 1, 1, 1);
      double n[3];
      random_fill(&r, 0.1, 3, 3, c.size);
      random_direction(&r, n);
      assert_true(extent(&c, NULL, n) <= fb_collider_radius(&c) * (1 + 1e-14));
    }
  const fb_collider plane = collider_of(FB_COLLIDER_PLANE, 0, 0, 0);
  assert_true(isinf(fb_collider_radius(&plane)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(faces_and_edges_give_the_points_that_span_them),
                                     cmocka_unit_test(what_passes_the_border_of_a_cap_touches_where_it_is),
                                     cmocka_unit_test(features_stay_while_the_pair_moves),
                                     cmocka_unit_test(boxes_that_all_but_touch_do_so_along_the_edge),
                                     cmocka_unit_test(a_face_along_a_divided_edge_has_its_own_normal),
                                     cmocka_unit_test(pairs_that_tie_are_sound),
                                     cmocka_unit_test(needles_plates_and_specks_are_sound),
                                     cmocka_unit_test(numbers_that_are_not_finite_touch_nothing),
                                     cmocka_unit_test(gaps_scale_with_the_pair),
                                     cmocka_unit_test(colliders_that_make_no_sense_are_refused),
                                     cmocka_unit_test(the_sphere_around_a_collider_holds_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
