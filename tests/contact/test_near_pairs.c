/* test_near_pairs.c -- the broad phase of all contacts finds the pairs, in the order, that contacts find one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/near_pairs.h"
#include "random.h"

enum { BALLS = 24, CONTACTS = 3, POINTS = 2000 };

typedef struct scene {
  fb_model* m;
  fb_model_def* def;
  fb_data* d;
  fb_collider balls[BALLS], ground[2];
  fb_contact_block* contacts[CONTACTS];
} scene;

static void add_contact(scene* s, int i, const fb_collider* a, int na, const fb_collider* b, int nb) {
  fb_contact contact = fb_default_contact();
  fb_error error;
  contact.name = "contact";
  contact.a = a;
  contact.na = na;
  contact.b = b;
  contact.nb = nb;
  if (fb_contact_block_new(s->m, &contact, &s->contacts[i], &error)) fail_msg("%s", error.text);
}

/* A floor for all balls, every pair of balls, and the first ball against the others, a wall and a second shape on itself. */
static void make(scene* s) {
  fb_error error;
  memset(s, 0, sizeof *s);
  s->def = fb_model_def_new();
  for (int i = 0; i < BALLS; i++) {
    fb_body_def body = fb_default_body_def();
    char name[8];
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.01;
    body.joint.type = FB_JOINT_FREE;
    assert_int_equal(fb_model_def_add_body(s->def, &body, NULL, &error), FB_OK);
    s->balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, 0.1 + 0.01 * i, 0, 0);
  }
  s->m = build_or_fail(s->def, NULL);
  s->d = fb_data_new(s->m);
  s->ground[0] = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  s->ground[1] = shape_on(FB_WORLD, FB_COLLIDER_BOX, 0.2, 2, 2);
  add_contact(s, 0, s->balls, BALLS, s->ground, 2);
  add_contact(s, 1, s->balls, BALLS, s->balls, BALLS);
  add_contact(s, 2, s->balls + 1, BALLS - 1, s->balls, 1);
}

static void drop(scene* s) {
  for (int i = 0; i < CONTACTS; i++) fb_contact_block_free(s->contacts[i]);
  fb_data_free(s->d);
  fb_model_free(s->m);
  fb_model_def_free(s->def);
}

static int find_one_by_one(scene* s, const unsigned char* acts, double max_gap, fb_pair_point* points) {
  int n = 0;
  for (int c = 0; c < CONTACTS; c++)
    if (acts[c]) n += fb_contact_find_points(s->m, s->d, s->contacts[c], max_gap, points + n, POINTS - n);
  return n;
}

static void check_pairs(scene* s, fb_near_pairs* near, const unsigned char* acts, double max_gap) {
  static fb_pair_point expected[POINTS];
  const fb_near_pair* pairs;
  const int n = find_one_by_one(s, acts, max_gap, expected);
  const int count = fb_near_pairs_find(near, s->m, s->d, acts, max_gap, &pairs);
  int at = 0;
  assert_true(count >= 0);
  for (int i = 0; i < count; i++) {
    fb_contact_point found[FB_MAX_CONTACT_POINTS];
    const fb_near_pair* p = &pairs[i];
    const int points = fb_contact_points_at(s->m, s->contacts[p->contact], p->a, p->b,
                                            fb_near_pairs_place(near, p->contact, 0, p->a),
                                            fb_near_pairs_place(near, p->contact, 1, p->b), max_gap, found);
    for (int k = 0; k < points; k++, at++) {
      assert_true(at < n);
      assert_int_equal(expected[at].a, p->a);
      assert_int_equal(expected[at].b, p->b);
      assert_memory_equal(expected[at].point.p_a, found[k].p_a, sizeof found[k].p_a);
      assert_true(expected[at].point.gap == found[k].gap);
    }
  }
  assert_int_equal(at, n);
}

static void pairs_are_those_of_contacts_one_by_one(void** unused) {
  (void)unused;
  scene s;
  make(&s);
  fb_near_pairs* near = fb_near_pairs_new((const fb_contact_block* const*)s.contacts, CONTACTS);
  assert_non_null(near);
  fb_random random = random_seed(7);
  for (int round = 0; round < 100; round++) {
    double q[7 * BALLS];
    const double size = random_in(&random, 0.3, 3);
    const unsigned char acts[CONTACTS] = {1, (unsigned char)(round % 3 != 0),
                                          (unsigned char)(round % 4 != 0)};
    for (int i = 0; i < BALLS; i++) {
      random_fill(&random, -size, size, 3, q + 7 * i);
      random_quat(&random, q + 7 * i + 3);
    }
    if (round == 50) q[7] = NAN; /* of no pair, and no harm to others */
    fb_kinematics(s.m, s.d, q, NULL, NULL);
    if (round != 50) check_pairs(&s, near, acts, round % 2 ? 0.05 : 0);
  }
  fb_near_pairs_free(near);
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_those_of_contacts_one_by_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
