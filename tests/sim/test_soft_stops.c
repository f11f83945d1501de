/* test_soft_stops.c -- limits that are one-sided springs and dampers: the motion of the textbook, the order of the methods,
 * the ledger, events, snapshots, and what else acts on the same coordinate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"
#include "sim/sim.h"
#include "limit/stops.h"

static int soft_or_fail(fb_sim* sim, int k, double level, int side, double stiffness, double damping) {
  int id;
  fb_error error;
  fb_limit limit = {.coordinate = k,
                    .side = side,
                    .level = level,
                    .stiffness = stiffness,
                    .damping = damping,
                    .cookie_ = FB_COOKIE};
  if (fb_sim_add_limit(sim, &limit, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* ---- 1 kg that runs into a soft stop at 0.1 m with 1 m/s: k = 100 N/m, damping ratio 0.2 ---- */

enum { K = 100 };
static const double LEVEL = 0.1, RATIO = 0.2;

typedef struct textbook {
  double out_t, out_v; /* when the stop lets go, and how fast the mass then is */
  double depth;
} textbook;

/* x = sin(wd t) exp(-a t) / wd until its acceleration is zero: tan(wd t) = 2 a wd / (a^2 - wd^2). */
static textbook solve(double ratio) {
  double w = sqrt(K), a = ratio * w, wd = w * sqrt(1 - ratio * ratio);
  double t = ratio == 0 ? acos(-1) / wd : (acos(-1) - atan2(2 * a * wd, wd * wd - a * a)) / wd;
  double fade = exp(-a * t);
  return (textbook){LEVEL + t, fade * (cos(wd * t) - a / wd * sin(wd * t)), fade * sin(wd * t) / wd};
}

static double run_into(int method, double step, double ratio, double until, fb_ledger* ledger) {
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 1;
  fb_sim* sim = sim_by(method, m, step, fb_default_sim_options());
  soft_or_fail(sim, 0, LEVEL, +1, K, 2 * ratio * sqrt(K));
  start_or_fail(sim, &q, &v);
  run_or_fail(sim, until);
  double x = fb_sim_q(sim)[0];
  if (ledger) fb_sim_ledger(sim, ledger);
  fb_sim_free(sim);
  fb_model_free(m);
  return x;
}

static void a_mass_comes_back_from_a_soft_stop_as_in_the_textbook(void** unused) {
  (void)unused;
  for (int damped = 0; damped < 2; damped++) {
    textbook want = solve(damped * RATIO);
    double until = want.out_t + 0.5, x = LEVEL + want.depth + 0.5 * want.out_v;
    for (int i = 0; i < method_count(); i++) {
      fb_ledger ledger;
      double got = run_into(i, 1e-3, damped * RATIO, until, &ledger), kept = want.out_v * want.out_v;
      double order_tolerance = is_coarse(i) ? 4e-2 : is_middling(i) ? 3e-5 : 1e-7;
      assert_near(NAMES[i], &got, &x, 1, order_tolerance);
      /* What is not kept was dissipated, in the damper and by the spring that the mass outruns. */
      assert_near(NAMES[i], &ledger.dissipated, &(double){0.5 - 0.5 * kept}, 1, order_tolerance);
      assert_true(ledger.potential == 0);
      if (!is_coarse(i)) assert_true(ledger.worst < (is_middling(i) ? 1e-4 : 1e-7));
    }
  }
}

/* The kinks of the force are ends of steps, so that rk4 keeps its order. */
static void a_soft_stop_leaves_a_method_its_order(void** unused) {
  (void)unused;
  static const struct { int method, order; } ROWS[] = {{2, 4}, {3, 4}, {4, 5}, {5, 2}, {6, 2}};
  textbook want = solve(RATIO);
  double until = want.out_t + 0.21, x = LEVEL + want.depth + 0.21 * want.out_v;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    double coarse = fabs(run_into(ROWS[i].method, 0.02, RATIO, until, NULL) - x);
    double fine = fabs(run_into(ROWS[i].method, 0.005, RATIO, until, NULL) - x);
    double order = log(coarse / fine) / log(4);
    if (!(order > ROWS[i].order - 0.5)) fail_msg("%s: order %.2f", NAMES[ROWS[i].method], order);
  }
}

static void a_load_rests_where_the_spring_carries_it(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 0, times[] = {0}, force = 10;
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 5e-3, fb_default_sim_options());
    fb_ledger ledger;
    soft_or_fail(sim, 0, LEVEL, +1, K, 20);
    push_or_fail(sim, 0, 1, times, &force);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 2); /* twenty time constants, so that e^-20 is left */
    fb_sim_ledger(sim, &ledger);
    assert_near(NAMES[i], fb_sim_q(sim), &(double){0.2}, 1, 1e-6);
    assert_near(NAMES[i], &ledger.potential, &(double){0.5}, 1, 1e-5);
    assert_near(NAMES[i], &ledger.work, &(double){2}, 1, is_coarse(i) ? 5e-2 : 1e-4);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- events ---- */

static void a_soft_stop_records_when_it_is_hit_and_left(void** unused) {
  (void)unused;
  textbook want = solve(RATIO);
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 1;
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 1e-3, fb_default_sim_options());
    double at[3] = {NAN, NAN, NAN};
    int id = soft_or_fail(sim, 0, LEVEL, +1, K, 2 * RATIO * sqrt(K)), count;
    fb_error error;
    static const char* const PHASES[] = {"hit", "rests", "leaves"};
    for (int p = 0; p < 3; p++)
      event_or_fail(sim, &(fb_event){.name = PHASES[p],
                                     .kind = FB_TRIGGER_LIMIT,
                                     .limit = id,
                                     .phase = (fb_limit_phase)p,
                                     .cookie_ = FB_COOKIE});
    start_or_fail(sim, &q, &v);
    while (fb_sim_time(sim) < 2) {
      if (fb_sim_step(sim, 2, &error)) fail_msg("%s", error.text);
      const fb_event_record* record = fb_sim_event_records(sim, &count);
      for (int k = 0; k < count; k++) {
        assert_true(isnan(at[record[k].event])); /* each once */
        at[record[k].event] = record[k].t;
      }
    }
    double back = want.out_t - want.depth / want.out_v; /* from where it goes at a constant speed */
    assert_near(NAMES[i], &at[0], &LEVEL, 1, 1e-7);
    assert_near(NAMES[i], &at[2], &back, 1, is_middling(i) ? 1e-5 : 1e-6);
    assert_true(isnan(at[1]));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- snapshots ---- */

static fb_sim* busy_sim(int method, const fb_model* m) {
  fb_sim_options options = fb_default_sim_options();
  options.friction_law = FB_FRICTION_STICTION;
  fb_sim* sim = sim_by(method, m, 0.01, options);
  for (int k = 6; k < 11; k++)
    for (int side = -1; side <= 1; side += 2)
      soft_or_fail(sim, k, 0.05 * side, side, k == 10 ? 4000 : 400, k % 2 ? 20 : 0);
  return sim;
}

static void a_run_restored_amid_soft_stops_ends_with_the_same_bits(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  double q[32], v[32];
  fb_neutral(m, q);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] = k < 6 ? 0 : k % 2 ? 1 : -1.5;
  for (int i = 0; i < method_count(); i++) {
    fb_sim *sim = busy_sim(i, m), *other = busy_sim(i, m);
    start_or_fail(sim, q, v);
    start_or_fail(other, q, v);
    assert_restores(sim, other, 0.055);
    fb_sim_free(sim);
    fb_sim_free(other);
  }
  fb_model_free(m);
}

/* ---- together with other things ---- */

/* A floating satellite whose joints are thrown about between soft stops, several of them touched at once. */
static void the_ledger_of_a_floating_robot_amid_soft_stops_closes(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_neutral(m, q);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] = k < 6 ? 0 : k % 2 ? 1 : -1.5;
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 1e-3, fb_default_sim_options());
    fb_ledger ledger;
    int most = 0;
    for (int k = 6; k < 11; k++)
      for (int side = -1; side <= 1; side += 2) soft_or_fail(sim, k, 0.05 * side, side, 800, 2);
    start_or_fail(sim, q, v);
    for (int n = 1; n <= 200; n++) {
      run_or_fail(sim, 0.01 * n);
      int touched = 0;
      for (int l = 0; l < sim->limit.count; l++) touched += sim->limit.stop_phase[l] != FB_STOP_CLEAR;
      if (touched > most) most = touched;
    }
    fb_sim_ledger(sim, &ledger);
    assert_true(most >= 2 && ledger.dissipated > 0.01);
    if (!(ledger.worst < (is_middling(i) ? 1e-3 : 1e-6) &&
          ledger.momentum_worst < (is_middling(i) ? 1e-5 : 1e-6)))
      fail_msg("%s: %g %g", NAMES[i], ledger.worst, ledger.momentum_worst);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A motion pushes through; its work is what the spring stores and the damper takes. */
static void what_moves_a_joint_works_against_its_soft_stop(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 1e-3, fb_default_sim_options());
    fb_ledger ledger;
    fb_error error;
    int motion;
    const fb_motion steady = {.kind = FB_MOTION_RATE, .rate = 1, .cookie_ = FB_COOKIE};
    soft_or_fail(sim, 0, LEVEL, +1, K, 5);
    if (fb_sim_add_motion(sim, &steady, &motion, &error)) fail_msg("%s", error.text);
    if (fb_sim_set_motion(sim, 0, motion, &error)) fail_msg("%s", error.text);
    start_or_fail(sim, NULL, NULL);
    run_or_fail(sim, 0.3);
    fb_sim_ledger(sim, &ledger);
    const double want[] = {0.3, 0.5 * K * 0.04, 5 * 0.2, 0.5 * K * 0.04 + 5 * 0.2};
    const double got[] = {fb_sim_q(sim)[0], ledger.potential, ledger.dissipated, ledger.work};
    assert_near(NAMES[i], got, want, 4, is_coarse(i) ? 2e-2 : 1e-7);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Friction of 1 N holds a joint on its way back out of the stop, and the reaction knows of the spring. */
static void a_joint_may_stick_inside_a_soft_stop(void** unused) {
  (void)unused;
  const double friction = 1, q = 0, v = 1;
  fb_model* m = sliders(1, 0, &friction);
  fb_sim_options options = fb_default_sim_options();
  options.friction_law = FB_FRICTION_STICTION;
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 1e-3, options);
    fb_ledger ledger;
    soft_or_fail(sim, 0, LEVEL, +1, 20, 20);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 5);
    fb_sim_ledger(sim, &ledger);
    double depth = fb_sim_q(sim)[0] - LEVEL;
    assert_true(fb_sim_rests(sim, 0) && depth > 0 && 20 * depth < friction);
    assert_near(NAMES[i], &ledger.potential, &(double){10 * depth * depth}, 1, 1e-12);
    assert_true(ledger.worst < (is_middling(i) ? 1e-4 : 1e-6));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_start_beyond_a_soft_stop_is_pushed_back(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = LEVEL + 0.1, v = 0;
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 1e-3, fb_default_sim_options());
    fb_ledger ledger;
    soft_or_fail(sim, 0, LEVEL, +1, K, 0);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 1);
    fb_sim_ledger(sim, &ledger);
    assert_near(NAMES[i], fb_sim_v(sim), &(double){-1}, 1, 1e-5);
    assert_near(NAMES[i], &ledger.potential_0, &(double){0.5}, 1, 1e-15);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Implicit methods ask for the slopes of the force. */
static void the_slopes_of_a_soft_stop_are_there_while_it_pushes(void** unused) {
  (void)unused;
  fb_model* m = sliders(2, 0, NULL);
  const double q[] = {0, LEVEL + 0.1}, v[] = {0, 0};
  double stiffness[] = {1, 1}, damping[] = {2, 2};
  fb_sim* sim = sim_by(2, m, 1e-3, fb_default_sim_options());
  for (int k = 0; k < 2; k++) soft_or_fail(sim, k, LEVEL, +1, K, 5);
  start_or_fail(sim, q, v);
  fb_soft_stops_add_gains(sim, stiffness, damping);
  assert_memory_equal(stiffness, ((double[]){1, 1 + K}), sizeof stiffness);
  assert_memory_equal(damping, ((double[]){2, 7}), sizeof damping);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* A stop that acts within 0.1 ms, at steps of 10 ms. */
static void the_implicit_method_takes_stiff_stops_in_long_steps(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 1, times[] = {0}, press = 1;
  fb_sim* sim = sim_by(6, m, 0.01, fb_default_sim_options());
  fb_ledger ledger;
  soft_or_fail(sim, 0, LEVEL, +1, 1e6, 1e4);
  push_or_fail(sim, 0, 1, times, &press);
  start_or_fail(sim, &q, &v);
  run_or_fail(sim, 0.5);
  fb_sim_ledger(sim, &ledger);
  assert_near("q", fb_sim_q(sim), &(double){LEVEL + press / 1e6}, 1, 1e-5);
  assert_true(ledger.worst < 0.05);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void soft_stops_that_cannot_be_are_refused(void** unused) {
  (void)unused;
  static const struct {
    fb_limit limit;
    const char* text;
  } ROWS[] = {
      {{6, 1, 0, 0, -1, 0, .cookie_ = FB_COOKIE}, "the limit of joint \"a1\" has a stiffness of -1"},
      {{6, 1, 0, 0, 1, NAN, .cookie_ = FB_COOKIE}, "both must be finite, and 0 or more"},
      {{6, 1, 0, 0, INFINITY, 0, .cookie_ = FB_COOKIE}, "both must be finite"},
      {{6, 1, 0, 0, 0, 3, .cookie_ = FB_COOKIE}, "damping and no stiffness"},
      {{6, 1, 0, 0.5, 10, 3, .cookie_ = FB_COOKIE}, "leave the restitution 0"},
      {{2, 1, 0, 0, 10, 3, .cookie_ = FB_COOKIE}, "joint \"base\" is free"},
  };
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_sim* sim = sim_by(2, m, 0.01, fb_default_sim_options());
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_error error = {0};
    assert_int_not_equal(fb_sim_add_limit(sim, &ROWS[i].limit, NULL, &error), FB_OK);
    if (!strstr(error.text, ROWS[i].text)) fail_msg("%s", error.text);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_comes_back_from_a_soft_stop_as_in_the_textbook),
      cmocka_unit_test(a_soft_stop_leaves_a_method_its_order),
      cmocka_unit_test(a_load_rests_where_the_spring_carries_it),
      cmocka_unit_test(a_soft_stop_records_when_it_is_hit_and_left),
      cmocka_unit_test(a_run_restored_amid_soft_stops_ends_with_the_same_bits),
      cmocka_unit_test(the_ledger_of_a_floating_robot_amid_soft_stops_closes),
      cmocka_unit_test(what_moves_a_joint_works_against_its_soft_stop),
      cmocka_unit_test(a_joint_may_stick_inside_a_soft_stop),
      cmocka_unit_test(a_start_beyond_a_soft_stop_is_pushed_back),
      cmocka_unit_test(the_slopes_of_a_soft_stop_are_there_while_it_pushes),
      cmocka_unit_test(the_implicit_method_takes_stiff_stops_in_long_steps),
      cmocka_unit_test(soft_stops_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
