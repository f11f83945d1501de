/* test_islands.c -- contacts of trees that do not act on each other are problems of their own, with the same numbers as in one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

/* Towers of balls on the ground, which stand apart. */
enum { TOWERS = 3, FLOORS = 2, BALLS = TOWERS * FLOORS };

static void add_ball(fb_model_def* def, int i) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  char name[8];
  snprintf(name, sizeof name, "b%d", i);
  body.name = name;
  body.mass = 1 + 0.1 * i;
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.004;
  body.joint.type = FB_JOINT_FREE;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
}

typedef struct towers {
  fb_model_def* def;
  fb_model* m;
  fb_sim* sim;
  fb_collider balls[BALLS], ground;
} towers;

/* Those from `first` to before `end`. */
static void raise_towers(towers* t, int first, int end) {
  const int count = (end - first) * FLOORS;
  double q[7 * BALLS] = {0}, v[6 * BALLS] = {0};
  fb_error error;
  t->def = fb_model_def_new();
  for (int i = 0; i < count; i++) {
    const int tower = first + i / FLOORS, level = i % FLOORS;
    add_ball(t->def, first * FLOORS + i);
    t->balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
    q[7 * i] = tower;
    q[7 * i + 2] = 0.1 + 0.2 * level;
    q[7 * i + 3] = 1;
    v[6 * i] = level == 0 ? 0.2 * (tower + 1) : 0; /* the lower one is pushed away under the upper one */
  }
  t->m = build_or_fail(t->def, NULL);
  t->ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact floor = fb_default_contact(), pile = fb_default_contact();
  floor.name = "floor";
  floor.a = t->balls;
  floor.na = count;
  floor.b = &t->ground;
  floor.nb = 1;
  pile.name = "pile";
  pile.a = pile.b = t->balls;
  pile.na = pile.nb = count;
  floor.friction = pile.friction = 0.3;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  options.environment.gravity_w[2] = -9.81;
  assert_int_equal(fb_sim_new(t->m, &options, &t->sim, &error), FB_OK);
  if (fb_sim_add_contact(t->sim, &floor, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_add_contact(t->sim, &pile, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_start(t->sim, q, v, &error)) fail_msg("%s", error.text);
}

static void run_towers(towers* t, double end) {
  fb_error error;
  if (fb_sim_run_until(t->sim, end, &error)) fail_msg("%s", error.text);
}

/* Rows of the last step: the projection at its end had others. */
static void pose_rows(fb_sim* s) {
  fb_hard_kinematics(s, s->y, s->y + s->nq);
  fb_hard_pose(s, 0);
  fb_hard_responses(s, s->y);
}

static void raze(towers* t) {
  fb_sim_free(t->sim);
  fb_model_free(t->m);
  fb_model_def_free(t->def);
}

static void every_tower_is_an_island(void** unused) {
  (void)unused;
  towers t;
  raise_towers(&t, 0, TOWERS);
  run_towers(&t, 2e-3);
  pose_rows(t.sim);
  const fb_hard_contacts* w = t.sim->contact.hard;
  assert_int_equal(w->nisland, TOWERS);
  assert_int_equal(w->nrow, 3 * 2 * TOWERS);
  for (int i = 0; i < w->nisland; i++) {
    assert_int_equal(w->islands[i].n, 6);
    assert_int_equal(w->islands[i].ncone, 2);
    assert_int_equal(w->islands[i].nv, 6 * FLOORS);
  }
  raze(&t);
}

/* A and X of the islands, and zeros elsewhere, against H^-1 J^T of the whole scene. */
static void responses_are_those_of_the_whole_scene(void** unused) {
  (void)unused;
  towers t;
  raise_towers(&t, 0, TOWERS);
  run_towers(&t, 0.05);
  fb_sim* s = t.sim;
  pose_rows(s);
  const fb_hard_contacts* w = s->contact.hard;
  const int n = w->nrow;
  double A[18 * 18], x[6 * BALLS], one[18] = {0}, of_island[6 * BALLS];
  assert_true(n > 0 && n <= 18);
  fb_response_begin(s->m, s->d, s->y, NULL);
  fb_response_matrix(s->m, s->d, NULL, w->rows, n, A);
  for (int j = 0; j < n; j++) {
    fb_response_row(s->m, s->d, NULL, &w->rows[j], x);
    one[j] = 1;
    fb_hard_respond(s, one, of_island);
    one[j] = 0;
    for (int i = 0; i < n; i++) {
      const double along = fb_response_along(s->m, s->d, &w->rows[i], x);
      assert_true(fabs(fb_hard_response(w, i, j) - along) <= 1e-15 * fmax(1, fabs(along)));
      assert_true(fabs(A[i * n + j] - along) <= 1e-15);
    }
    for (int k = 0; k < s->nv; k++) assert_true(fabs(of_island[k] - x[k]) <= 1e-15 * fmax(1, fabs(x[k])));
  }
  raze(&t);
}

static void towers_fall_as_if_they_were_alone(void** unused) {
  (void)unused;
  towers all;
  raise_towers(&all, 0, TOWERS);
  run_towers(&all, 0.05);
  for (int i = 0; i < TOWERS; i++) {
    towers one;
    raise_towers(&one, i, i + 1);
    run_towers(&one, 0.05);
    for (int k = 0; k < 6 * FLOORS; k++)
      assert_true(fabs(fb_sim_v(one.sim)[k] - fb_sim_v(all.sim)[6 * FLOORS * i + k]) < 1e-10);
    raze(&one);
  }
  raze(&all);
}

/* More points than a matrix of all rows has room for, in more islands than there are points in one. */
static void a_thousand_balls_lie_side_by_side(void** unused) {
  (void)unused;
  enum { MANY = 1000, STEPS = 20 };
  static fb_collider balls[MANY];
  static double q[7 * MANY];
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < MANY; i++) {
    add_ball(def, i);
    balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
    q[7 * i] = i % 40;
    q[7 * i + 1] = i / 40;
    q[7 * i + 2] = 0.1;
    q[7 * i + 3] = 1;
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_collider ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact floor = fb_default_contact();
  floor.name = "floor";
  floor.a = balls;
  floor.na = MANY;
  floor.b = &ground;
  floor.nb = 1;
  floor.friction = 0.5;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_MOREAU;
  options.step = 2e-3;
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim;
  assert_int_equal(fb_sim_new(m, &options, &sim, &error), FB_OK);
  if (fb_sim_add_contact(sim, &floor, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_start(sim, q, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_run_until(sim, STEPS * options.step, &error)) fail_msg("%s", error.text);
  assert_int_equal(sim->contact.hard->npoint, MANY);
  for (int i = 0; i < MANY; i++) {
    assert_true(fabs(fb_sim_q(sim)[7 * i + 2] - 0.1) < 1e-9);
    assert_true(fabs(fb_sim_v(sim)[6 * i + 2]) < 1e-9);
  }
  fb_sim_free(sim);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_tower_is_an_island),
                                     cmocka_unit_test(responses_are_those_of_the_whole_scene),
                                     cmocka_unit_test(towers_fall_as_if_they_were_alone),
                                     cmocka_unit_test(a_thousand_balls_lie_side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
