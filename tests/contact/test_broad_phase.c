/* test_broad_phase.c -- the sweep over spheres finds the pairs that comparing all of them finds, in order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/shape/broad_phase.h"
#include "contact/pair.h"
#include "math/vector3.h"
#include "random.h"

enum { MOST = 60, ROOM = MOST * MOST };

/* All pairs, compared one by one. */
static int count_all(const fb_spheres* a, const fb_spheres* b, double max_gap, int (*pairs)[2]) {
  int count = 0;
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      double away[3];
      for (int k = 0; k < 3; k++) away[k] = a->centre[i][k] - b->centre[j][k];
      if (!(norm3(away) <= a->radius[i] + b->radius[j] + max_gap)) continue;
      pairs[count][0] = i;
      pairs[count++][1] = j;
    }
  return count;
}

typedef struct scene {
  double ca[MOST][3], cb[MOST][3], ra[MOST], rb[MOST];
  fb_spheres a, b;
} scene;

static void fill(fb_random* r, scene* s) {
  s->a = (fb_spheres){1 + random_index(r, MOST), (const double(*)[3])s->ca, s->ra};
  s->b = (fb_spheres){random_index(r, MOST), (const double(*)[3])s->cb, s->rb};
  random_fill(r, -3, 3, 3 * MOST, s->ca[0]);
  random_fill(r, -3, 3, 3 * MOST, s->cb[0]);
  random_fill(r, 0, 0.7, MOST, s->ra);
  random_fill(r, 0, 0.7, MOST, s->rb);
  if (random_index(r, 4) == 0) s->rb[0] = INFINITY; /* a plane */
  if (random_index(r, 4) == 0) s->ca[0][1] = NAN;
}

static void finds_all_pairs_in_order(void** unused) {
  (void)unused;
  static int want[ROOM][2], got[ROOM][2], order[2 * MOST];
  fb_random r = random_seed(11);
  for (int k = 0; k < 300; k++) {
    scene s;
    fill(&r, &s);
    const int wanted = count_all(&s.a, &s.b, 0.1, want),
              found = fb_broad_pairs(&s.a, &s.b, 0.1, order, got, ROOM);
    assert_int_equal(found, wanted);
    assert_memory_equal(got, want, (size_t)wanted * sizeof *want);
    assert_int_equal(fb_broad_pairs(&s.a, &s.b, 0.1, order, got, 3),
                     wanted); /* too little room: the number all the same */
  }
}

/* Balls of one body among balls of the world, by the sweep and one pair after the other. */
static void a_contact_of_many_shapes_has_the_points_of_all_its_pairs(void** unused) {
  (void)unused;
  enum { COUNT = 30, POINTS = COUNT * COUNT };
  fb_model* m = one_body(FB_JOINT_FREE, 1, 1);
  fb_data* d = fb_data_new(m);
  fb_random r = random_seed(5);
  fb_collider a[COUNT], b[COUNT];
  static fb_pair_point got[POINTS];
  const double q[7] = {0, 0, 0, 1, 0, 0, 0};
  fb_kinematics(m, d, q, NULL, NULL);
  for (int i = 0; i < COUNT; i++) {
    a[i] = shape_on(1, FB_COLLIDER_SPHERE, random_in(&r, 0.1, 0.4), 0, 0);
    b[i] = shape_on(FB_WORLD, FB_COLLIDER_SPHERE, random_in(&r, 0.1, 0.4), 0, 0);
    random_fill(&r, -1, 1, 3, a[i].at);
    random_fill(&r, -1, 1, 3, b[i].at);
  }
  b[7] = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(a, b, FB_CONTACT_HARD, 0, 0, 0);
  fb_contact_block* c;
  fb_error error;
  contact.na = contact.nb = COUNT;
  if (fb_contact_block_new(m, &contact, &c, &error)) fail_msg("%s", error.text);
  assert_non_null(c->centres);
  const int count = fb_contact_find_points(m, d, c, 0.01, got, POINTS);
  int n = 0;
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      fb_contact_point touches[FB_MAX_CONTACT_POINTS];
      const int found = fb_contact_pair_points(m, d, c, i, j, 0.01, touches);
      for (int k = 0; k < found; k++, n++) {
        assert_true(n < count && got[n].a == i && got[n].b == j);
        assert_memory_equal(&got[n].point, &touches[k], offsetof(fb_contact_point, feature));
      }
    }
  assert_int_equal(n, count);
  assert_true(count > COUNT);
  fb_contact_block_free(c);
  fb_data_free(d);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_all_pairs_in_order),
      cmocka_unit_test(a_contact_of_many_shapes_has_the_points_of_all_its_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
