/* test_rescue.c -- a few steps by moreau inside an event-driven run: the motion goes on, and all of it is kept and told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

#include "sim/sim.h"

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

static void the_motion_goes_on_and_the_help_is_counted(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  for (int method = 0; method < METHODS_TRIED; method++) {
    fb_sim* sim = sliding_ball(m, method);
    run_or_fail(sim, 0.02); /* it slides */
    assert_int_equal(fb_rescue_ask(sim), 1);
    run_or_fail(sim, 0.3); /* it rolls */
    assert_int_equal(fb_rescue_ask(sim), 1);
    run_or_fail(sim, 0.6);
    fb_solver_doubts doubts = fb_touch_doubts(sim);
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
    assert_int_equal(fb_rescue_ask(sim), 1);
    memcpy(q0, fb_sim_q(sim), sizeof q0);
    if (fb_sim_step(sim, 1, &error)) fail_msg("%s", error.text);
    double h = fb_sim_time(sim) - 0.02;
    assert_near("step", &h, &(double){2.5e-4}, 1, 1e-12);
    if (fb_sim_state_at(sim, 0.02 + 0.5 * h, q, NULL, &error)) fail_msg("%s", error.text);
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
    assert_int_equal(fb_rescue_ask(sim), 1);
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

static void help_without_end_is_refused(void** unused) {
  (void)unused;
  fb_model* m = ball_model();
  fb_sim* sim = sliding_ball(m, RK4);
  int given = 0;
  for (int i = 0; i < 1000 && fb_rescue_ask(sim); i++, given++) run_or_fail(sim, fb_sim_time(sim) + 1.1e-3);
  assert_int_equal(given, 200);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_motion_goes_on_and_the_help_is_counted),
      cmocka_unit_test(a_state_inside_such_a_step_lies_between_its_ends),
      cmocka_unit_test(a_run_restored_in_the_middle_of_it_has_the_same_bits),
      cmocka_unit_test(help_without_end_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
