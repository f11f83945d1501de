/* test_rescue.c -- a few steps by moreau inside an event-driven run: the motion goes on, and all of it is kept and told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

#include "sim/sim.h"
#include "contact/dynamics/step_contact.h"
#include "sim/access.h"

static const double RADIUS = 0.1, MU = 0.3, SPEED = 1;
enum { RK4, DOPRI5, METHODS_TRIED };

/* A ball that slides, from t = v / (7/2 mu g) on rolls. */
static fb_sim* sliding_ball(const fb_model* m, int method) {
  const double q[] = {0, 0, RADIUS, 1, 0, 0, 0}, v[] = {SPEED, 0, 0, 0, 0, 0};
  fb_sim_options options = heavy_options(0, -G);
  fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
              plane = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &plane, FB_CONTACT_HARD, 0, 0, MU);
  fb_sim* sim;
  fb_error error;
  options.method = method == RK4 ? FB_METHOD_RK4 : FB_METHOD_DOPRI5;
  options.adaptive = method == DOPRI5;
  options.step = method == RK4 ? 1e-3 : 0;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error) ||
      fb_sim_start(sim, q, v, &error))
    fail_msg("%s", error.text);
  return sim;
}

static fb_model* ball_model(void) {
  return one_body(FB_JOINT_FREE, 2, 0.4 * 2 * RADIUS * RADIUS);
}

/* Where a ball is that slid and then rolls, after 0.6 s. */
static double exact_place(double t) {
  double slides = SPEED / (3.5 * MU * G), there = SPEED * slides - 0.5 * MU * G * slides * slides;
  return there + 5.0 / 7 * SPEED * (t - slides);
}

/* Steps end where held rates drift by 1e-6 m/s: forces bring such a point back from 1e-13 m. What parts faster does open. */
static void rates_that_drift_leaves_do_not_open_a_point(void** unused) {
  (void)unused;
  static const struct {
    double rate; /* [m/s] */
    int closed;
  } CASES[] = {{1.5e-6, 1}, {1e-4, 0}};
  fb_model* m = ball_model();
  for (int i = 0; i < 2; i++) {
    fb_error error;
    fb_sim* sim = sliding_ball(m, RK4);
    run_or_fail(sim, 0.02);
    sim->y[sim->nq + 2] = CASES[i].rate;
    if (fb_hard_settle(sim, &error)) fail_msg("%s", error.text);
    assert_int_equal(sim->contact.head->nclosed, CASES[i].closed);
    assert_true(!CASES[i].closed || fabs(sim->y[sim->nq + 2]) < 1e-15);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void the_motion_goes_on_and_the_help_is_counted(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  for (int method = 0; method < METHODS_TRIED; method++) {
    fb_sim* sim = sliding_ball(m, method);
    run_or_fail(sim, 0.02); /* it slides */
    assert_int_equal(fb_rescue_request(sim), 1);
    run_or_fail(sim, 0.3); /* it rolls */
    assert_int_equal(fb_rescue_request(sim), 1);
    run_or_fail(sim, 0.6);
    fb_solver_doubts doubts = fb_hard_doubts(sim);
    assert_int_equal(doubts.rescues, 2);
    assert_near("first", &doubts.rescued_t, &(double){0.02}, 1, 1e-9);
    /* One millisecond of a method of second order within a phase. */
    assert_near("x", fb_sim_q(sim), &(double){exact_place(0.6)}, 1, 1e-6);
    assert_near("z", fb_sim_q(sim) + 2, &RADIUS, 1, 1e-9);
    fb_ledger l;
    fb_sim_ledger(sim, &l);
    assert_true(l.worst < 1e-6 && l.momentum_worst < 1e-6);
    assert_true(l.friction < 0 && fabs(l.normal) < 1e-9);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_state_inside_such_a_step_lies_between_its_ends(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  for (int method = 0; method < METHODS_TRIED; method++) {
    fb_sim* sim = sliding_ball(m, method);
    double q0[7], q[7];
    fb_error error;
    run_or_fail(sim, 0.02);
    assert_int_equal(fb_rescue_request(sim), 1);
    memcpy(q0, fb_sim_q(sim), sizeof q0);
    if (fb_sim_step(sim, 1, &error)) fail_msg("%s", error.text);
    double h = fb_sim_time(sim) - 0.02;
    assert_near("step", &h, &(double){2.5e-4}, 1, 1e-12);
    if (fb_sim_eval_state(sim, 0.02 + 0.5 * h, q, NULL, &error)) fail_msg("%s", error.text);
    assert_near("middle", q, &(double){0.5 * (q0[0] + fb_sim_q(sim)[0])}, 1, 1e-9);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_run_restored_in_the_middle_of_it_has_the_same_bits(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  for (int method = 0; method < METHODS_TRIED; method++) {
    fb_sim *sim = sliding_ball(m, method), *other = sliding_ball(m, method);
    fb_error error;
    run_or_fail(sim, 0.02);
    assert_int_equal(fb_rescue_request(sim), 1);
    if (fb_sim_step(sim, 1, &error) || fb_sim_step(sim, 1, &error))
      fail_msg("%s", error.text); /* two of four */
    size_t size = fb_sim_snapshot_size(sim);
    char* snapshot = malloc(size);
    assert_non_null(snapshot);
    fb_sim_save(sim, snapshot);
    if (fb_sim_restore(other, snapshot, size, &error)) fail_msg("%s", error.text);
    run_or_fail(sim, 0.1);
    run_or_fail(other, 0.1);
    assert_memory_equal(fb_sim_y(sim), fb_sim_y(other), (size_t)fb_sim_ny(sim) * sizeof(double));
    free(snapshot);
    fb_sim_free(sim);
    fb_sim_free(other);
  }
  fb_model_free(m);
}

/* A ball on hard ground is hit by another through a stiff spring, while moreau helps. */
static void stiff_compliant_contacts_gain_nothing_by_it(void** unused) {
  (void)unused;
  static const double STIFF = 1e7;
  const double q[] = {0, 0, RADIUS, 1, 0, 0, 0, 0, 0, 3 * RADIUS + 1e-4, 1, 0, 0, 0}, v[12] = {[8] = -2};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "b" : "a";
    body.joint.type = FB_JOINT_FREE;
    body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.4 * RADIUS * RADIUS;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  const fb_collider a = shape_on(1, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    b = shape_on(2, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    plane = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact ground = contact_of(&a, &plane, FB_CONTACT_HARD, 0, 0, 0),
             between = contact_of(&b, &a, FB_CONTACT_SPRING, STIFF, 0, 0);
  fb_sim_options options = heavy_options(0, -G);
  fb_sim* sim;
  fb_ledger l;
  between.name = "between";
  options.method = FB_METHOD_DOPRI5;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &ground, NULL, &error) ||
      fb_sim_add_contact(sim, &between, NULL, &error) || fb_sim_start(sim, q, v, &error))
    fail_msg("%s", error.text);
  assert_int_equal(fb_rescue_request(sim), 1);
  run_or_fail(sim, 5e-3);
  fb_sim_ledger(sim, &l);
  /* The spring gives back what it took; with steps of a quarter of a millisecond it gave 800 times as much. */
  double change = l.kinetic + l.potential - l.kinetic_0 - l.potential_0;
  if (!(fabs(change) < 0.02 * l.kinetic_0)) fail_msg("%g J of %g J", change, l.kinetic_0);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void help_without_end_is_refused(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  fb_sim* sim = sliding_ball(m, RK4);
  int given = 0;
  for (int i = 0; i < 1000 && fb_rescue_request(sim); i++, given++)
    run_or_fail(sim, fb_sim_time(sim) + 1.1e-3);
  assert_int_equal(given, 200);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_that_drift_leaves_do_not_open_a_point),
      cmocka_unit_test(the_motion_goes_on_and_the_help_is_counted),
      cmocka_unit_test(a_state_inside_such_a_step_lies_between_its_ends),
      cmocka_unit_test(a_run_restored_in_the_middle_of_it_has_the_same_bits),
      cmocka_unit_test(stiff_compliant_contacts_gain_nothing_by_it),
      cmocka_unit_test(help_without_end_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
