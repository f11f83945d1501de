/* test_broad.c -- the sweep over spheres finds the pairs that comparing all of them finds, in order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/broad.h"
#include "math/vector3.h"
#include "random.h"

enum { MOST = 60, ROOM = MOST * MOST };

/* All pairs, compared one by one. */
static int count_all(const fb_spheres* a, const fb_spheres* b, double reach, int (*pairs)[2]) {
  int count = 0;
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      double away[3];
      for (int k = 0; k < 3; k++) away[k] = a->centre[i][k] - b->centre[j][k];
      if (!(norm3(away) <= a->radius[i] + b->radius[j] + reach)) continue;
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_all_pairs_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
