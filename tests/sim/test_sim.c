/* test_sim.c -- the motion: order and tolerance of every method, closed forms, attitudes on the group, moved and
 * locked coordinates, the ledger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

typedef struct final_state {
  double q[32], v[32];
} final_state;

static final_state solve(const fb_model* m, fb_sim_options options, double speed, double t) {
  final_state x;
  double q[32], v[32];
  fb_sim* sim = sim_or_fail(m, &options);
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] *= speed;
  start_or_fail(sim, q, v);
  run_or_fail(sim, t);
  memcpy(x.q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof(double));
  memcpy(x.v, fb_sim_v(sim), (size_t)fb_model_nv(m) * sizeof(double));
  fb_sim_free(sim);
  return x;
}

static final_state exact(const fb_model* m, double speed, double t) {
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.step = 0;
  options.rtol = options.atol = 1e-14;
  return solve(m, options, speed, t);
}

static void every_fixed_step_method_has_its_order(void** unused) {
  (void)unused;
  static const double STEPS[] = {0, 1e-3, 1.0 / 128, 0, 1.0 / 128, 1.0 / 128}; /* by order */
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  const double speed = 4, t = 1;
  final_state want = exact(m, speed, t);
  for (int i = 0; i < METHOD_COUNT; i++) {
    int order = fb_method_traits(METHODS[i]).order;
    double h = STEPS[order], error[2];
    for (int j = 0; j < 2; j++, h /= 2) {
      final_state got = solve(m, options_of(METHODS[i], h), speed, t);
      error[j] = distance(m, got.q, got.v, want.q, want.v);
    }
    double seen = log2(error[0] / error[1]);
    print_message("%-14s order %d, seen %.3f (error %.1e at half the step)\n", fb_method_name(METHODS[i]),
                  order, seen, error[1]);
    if (!(fabs(seen - order) <= 0.1)) fail_msg("%s has order %g", fb_method_name(METHODS[i]), seen);
  }
  fb_model_free(m);
}

static void dopri5_meets_its_tolerance_within_a_factor_of_ten(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  final_state want = exact(m, 1, 1);
  for (double tolerance = 1e-4; tolerance > 1e-13; tolerance /= 100) {
    fb_sim_options options = fb_default_sim_options();
    options.method = FB_METHOD_DOPRI5;
    options.step = 0;
    options.rtol = options.atol = tolerance;
    final_state got = solve(m, options, 1, 1);
    double error = distance(m, got.q, got.v, want.q, want.v);
    print_message("dopri5 at %.0e: error %.1e\n", tolerance, error);
    assert_true(error < 10 * tolerance);
    assert_true(error > 1e-3 * tolerance); /* and does not waste steps */
  }
  fb_model_free(m);
}

static void states_inside_a_step_are_as_good_as_those_at_its_ends(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q0[32], v0[32], q[32], v[32];
  fb_error error;
  fb_random_q(m, 3, q0);
  fb_random_v(m, 4, v0);
  for (int i = 0; i < METHOD_COUNT; i++) {
    if (fb_method_traits(METHODS[i]).order < 2) continue;
    fb_sim_options options = options_of(METHODS[i], 0.01);
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, q0, v0);
    for (int k = 0; k < 3; k++) assert_int_equal(fb_sim_step(sim, 1, &error), FB_OK);
    const double inside = 0.0237;
    final_state want = exact(m, 1, inside);
    assert_int_equal(fb_sim_eval_state(sim, inside, q, v, &error), FB_OK);
    assert_true(distance(m, q, v, want.q, want.v) < (is_second_order(METHODS[i]) ? 1e-4 : 1e-8));
    assert_int_equal(fb_sim_eval_state(sim, fb_sim_time(sim), q, v, &error), FB_OK);
    assert_memory_equal(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
    assert_int_equal(fb_sim_eval_state(sim, 1, q, v, &error), FB_ERR_ARG);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void attitudes_stay_on_the_group(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  int ball = fb_joint_q_index(m, fb_model_find_body(m, "b3"));
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.002);
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 4);
    const int at[2] = {3, ball};
    for (int j = 0; j < 2; j++) {
      const double* x = fb_sim_q(sim) + at[j];
      double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
      assert_true(fabs(square - 1) < 1e-14);
    }
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Period of a pendulum of one metre by the arithmetic-geometric mean. */
static double pendulum_period(double amplitude, double g) {
  double a = 1, b = cos(amplitude / 2);
  for (int i = 0; i < 8; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * acos(-1) / (a * sqrt(g));
}

static void a_pendulum_comes_back_after_its_period(void** unused) {
  (void)unused;
  static const double TOLERANCE[METHOD_COUNT] = {4e-3, 4e-3, 1e-9, 1e-9, 1e-11, 1e-4, 1e-4};
  fb_model* m = pendulum();
  const double q0 = 1.2, v0 = 0, period = pendulum_period(q0, 9.81);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], period / (i < 2 ? 20000 : 1000));
    options.environment.gravity_w[2] = -9.81;
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, &q0, &v0);
    run_or_fail(sim, period);
    if (!(fabs(fb_sim_q(sim)[0] - q0) <= TOLERANCE[i]))
      fail_msg("%s ends at %.12g", fb_method_name(METHODS[i]), fb_sim_q(sim)[0]);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A body that spins about a principal axis keeps doing so, and moves straight on, exactly. */
static void a_principal_spin_stays(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  double q[7] = {1, 2, 3, 1, 0, 0, 0}, v[6] = {0.1, -0.2, 0.3, 0, 0, 2}, R[9];
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 1);
    const double want_p[3] = {1.1, 1.8, 3.3}, want_R[9] = {cos(2), -sin(2), 0, sin(2), cos(2), 0, 0, 0, 1};
    fb_rot_from_quat(fb_sim_q(sim) + 3, R);
    assert_near("position", fb_sim_q(sim), want_p, 3, 1e-13);
    assert_near("attitude", R, want_R, 9, METHODS[i] == FB_METHOD_RK4 ? 1e-9 : 1e-12);
    assert_near("velocity", fb_sim_v(sim), v, 6, 1e-13);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_model_without_coordinates_may_be_stepped(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  static const double ZERO[3] = {0, 0, 0};
  add_body(def, "rock", NULL, FB_JOINT_FIXED, 1, ZERO, ZERO, 0);
  fb_model* m = build_or_fail(def, NULL);
  double none = 0;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_ledger ledger;
    start_or_fail(sim, &none, &none);
    run_or_fail(sim, 0.1);
    fb_sim_ledger(sim, &ledger);
    assert_true(fb_sim_time(sim) == 0.1 && ledger.residual == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
  fb_model_def_free(def);
}

/* ---- moved coordinates ---- */

static void a_locked_base_is_a_bolted_one(void** unused) {
  (void)unused;
  fb_model *floating = tree6(FB_JOINT_FREE, 0), *bolted = tree6(FB_JOINT_FIXED, 0);
  double q[32], v[32] = {0};
  fb_error error;
  fb_neutral(floating, q);
  fb_random_v(bolted, 4, v + 6);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    options.environment.gravity_w[1] = -3;
    fb_sim *a = sim_or_fail(floating, &options), *b = sim_or_fail(bolted, &options);
    assert_int_equal(
        fb_sim_set_joint_motion(a, fb_model_find_body(floating, "base"), FB_MOTION_LOCKED, &error), FB_OK);
    start_or_fail(a, q, v);
    start_or_fail(b, q + 7, v + 6);
    run_or_fail(a, 0.3);
    run_or_fail(b, 0.3);
    assert_near("q", fb_sim_q(a) + 7, fb_sim_q(b), fb_model_nq(bolted), 1e-11);
    assert_near("v", fb_sim_v(a) + 6, fb_sim_v(b), fb_model_nv(bolted), 1e-11);
    assert_near("the base", fb_sim_q(a), q, 7, 0);
    fb_sim_free(a);
    fb_sim_free(b);
  }
  fb_model_free(floating);
  fb_model_free(bolted);
}

static void coordinates_follow_paths_and_rates_exactly_and_the_ledger_knows_their_work(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  const double times[] = {0, 0.4, 1}, values[] = {0.2, 1, -0.3};
  int elbow = fb_joint_v_index(m, fb_model_find_body(m, "a2")),
      wrist = fb_joint_v_index(m, fb_model_find_body(m, "a3"));
  double q[32], v[32] = {0};
  fb_spline* path;
  fb_error error;
  assert_int_equal(fb_spline_new_cubic(3, times, values, &path, &error), FB_OK);
  fb_neutral(m, q);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_motion along = {FB_MOTION_PATH, 0, path, .cookie_ = FB_COOKIE},
              turning = {FB_MOTION_RATE, 1.5, NULL, .cookie_ = FB_COOKIE};
    int id[2];
    fb_ledger ledger;
    assert_int_equal(fb_sim_add_motion(sim, &along, &id[0], &error), FB_OK);
    assert_int_equal(fb_sim_add_motion(sim, &turning, &id[1], &error), FB_OK);
    assert_int_equal(fb_sim_set_motion(sim, elbow, id[0], &error), FB_OK);
    assert_int_equal(fb_sim_set_motion(sim, wrist, id[1], &error), FB_OK);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.7);
    double x, xdot;
    fb_spline_eval(path, 0.7, &x, &xdot, NULL);
    assert_true(fb_sim_q(sim)[elbow + 1] == x && fb_sim_v(sim)[elbow] == xdot);
    assert_near("turned", &fb_sim_q(sim)[wrist + 1], &(double){0.7 * 1.5}, 1, 1e-12);
    run_or_fail(sim, 1.3); /* past the end of the path, where its acceleration jumps */
    fb_sim_ledger(sim, &ledger);
    assert_true(fabs(ledger.work) > 0);
    int first_order = fb_method_traits(METHODS[i]).order < 2;
    double bound = first_order ? 2e-2 : is_second_order(METHODS[i]) ? 1e-4 : 1e-9;
    if (!(ledger.relative <= bound && ledger.linear_residual <= bound * ledger.linear_scale))
      fail_msg("%s: residual %g of %g J, %g of %g kg m/s", fb_method_name(METHODS[i]), ledger.residual,
               ledger.gross, ledger.linear_residual, ledger.linear_scale);
    fb_sim_free(sim);
  }
  fb_spline_free(path);
  fb_model_free(m);
}

static void a_lock_keeps_momentum_and_takes_energy(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_error error;
  fb_random_q(m, 5, q);
  fb_random_v(m, 6, v);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_ledger before, after, later;
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.1);
    fb_sim_ledger(sim, &before);
    int arm = fb_model_find_body(m, "a1"), ball = fb_model_find_body(m, "b3"), k = fb_joint_v_index(m, arm);
    assert_int_equal(fb_sim_set_joint_motion(sim, arm, FB_MOTION_LOCKED, &error), FB_OK);
    assert_int_equal(fb_sim_set_joint_motion(sim, ball, FB_MOTION_LOCKED, &error), FB_OK);
    fb_sim_ledger(sim, &after);
    double held = fb_sim_q(sim)[k + 1];
    assert_near("linear momentum", after.linear, before.linear, 3, 1e-12);
    assert_near("angular momentum", after.angular, before.angular, 3, 1e-12);
    assert_true(after.impacts < 0 && after.kinetic < before.kinetic);
    assert_true(fabs(after.residual - before.residual) < 1e-12 * before.kinetic);
    run_or_fail(sim, 0.2);
    if (fb_sim_q(sim)[k + 1] != held || fb_sim_v(sim)[k] != 0)
      fail_msg("%s: moved by %g, at %g", fb_method_name(METHODS[i]), fb_sim_q(sim)[k + 1] - held,
               fb_sim_v(sim)[k]);
    assert_int_equal(fb_sim_motion(sim, k), FB_MOTION_LOCKED);
    assert_int_equal(fb_sim_set_joint_motion(sim, arm, FB_MOTION_FORCE, &error), FB_OK);
    run_or_fail(sim, 0.3);
    assert_true(fabs(fb_sim_v(sim)[k]) > 0);
    fb_sim_ledger(sim, &later);
    double bound = fb_method_traits(METHODS[i]).order < 2 ? 1e-2 : is_second_order(METHODS[i]) ? 1e-5 : 1e-10;
    assert_true(later.relative < bound);
    assert_true(later.angular_residual <
                (METHODS[i] == FB_METHOD_MOMENTUM ? 1e-12 : bound) * later.angular_scale);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A path that is taken up in motion counts its time from there and begins where the joint is. */
static void a_path_taken_up_later_begins_where_the_joint_is(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  const double times[] = {0, 0.2, 0.55}, values[] = {0, 0.5, 0.3};
  int elbow = fb_joint_v_index(m, fb_model_find_body(m, "a2"));
  double q[32], v[32];
  fb_spline* path;
  fb_error error;
  assert_int_equal(fb_spline_new_cubic(3, times, values, &path, &error), FB_OK);
  fb_random_q(m, 5, q);
  fb_random_v(m, 6, v);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_motion along = {FB_MOTION_PATH, 0, path, .cookie_ = FB_COOKIE};
    fb_ledger before, after;
    int id;
    assert_int_equal(fb_sim_add_motion(sim, &along, &id, &error), FB_OK);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.3337);
    fb_sim_ledger(sim, &before);
    double here = fb_sim_q(sim)[elbow + 1], x;
    assert_int_equal(fb_sim_set_motion(sim, elbow, id, &error), FB_OK);
    assert_true(fb_sim_q(sim)[elbow + 1] == here && fb_sim_v(sim)[elbow] == 0);
    run_or_fail(sim, 0.3337 + 0.1);
    fb_spline_eval(path, 0.1, &x, NULL, NULL);
    assert_near("on its way", &fb_sim_q(sim)[elbow + 1], &(double){here + x}, 1, 1e-12);
    run_or_fail(sim, 1.2); /* past the knots, where accelerations bend and jump */
    fb_sim_ledger(sim, &after);
    double bound = fb_method_traits(METHODS[i]).order < 2 ? 2e-2 : is_second_order(METHODS[i]) ? 1e-4 : 1e-8;
    assert_true(after.relative < bound && after.linear_residual < bound * after.linear_scale);
    fb_sim_free(sim);
  }
  fb_spline_free(path);
  fb_model_free(m);
}

/* A floating base that is stopped takes an impulse from outside, which the ledger knows. */
static void jumps_of_a_base_are_in_the_ledger(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_error error;
  fb_random_q(m, 5, q);
  fb_random_v(m, 6, v);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_ledger before, after;
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.05);
    fb_sim_ledger(sim, &before);
    assert_int_equal(fb_sim_bounce(sim, 1, 0.7, &error), FB_OK);
    assert_int_equal(fb_sim_set_joint_motion(sim, fb_model_find_body(m, "base"), FB_MOTION_LOCKED, &error),
                     FB_OK);
    fb_sim_ledger(sim, &after);
    assert_true(fabs(after.linear_residual - before.linear_residual) < 1e-12 * after.linear_scale);
    assert_true(fabs(after.angular_residual - before.angular_residual) < 1e-12 * after.angular_scale);
    assert_true(after.linear_scale > 1 && fabs(after.impulse[1] - before.impulse[1]) > 1);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* In orbit, 7000 km out at 7.5 km/s, a slow spin stays what it is. */
static void spin_far_from_the_origin_stays(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32] = {0};
  fb_error error;
  fb_neutral(m, q);
  q[0] = 7e6;
  v[1] = 7500;
  v[3] = v[4] = v[5] = 1e-3;
  for (int i = 0; i < METHOD_COUNT; i++) {
    if (fb_method_traits(METHODS[i]).order < 2) continue;
    fb_sim_options options = options_of(METHODS[i], 0.01);
    fb_sim* sim = sim_or_fail(m, &options);
    for (int b = 2; b < fb_model_nbody(m); b++)
      assert_int_equal(fb_sim_set_joint_motion(sim, b, FB_MOTION_LOCKED, &error), FB_OK);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 100);
    double spin = sqrt(pow(fb_sim_v(sim)[3], 2) + pow(fb_sim_v(sim)[4], 2) + pow(fb_sim_v(sim)[5], 2));
    if (!(fabs(spin - sqrt(3) * 1e-3) <= 3e-5)) fail_msg("%s: %g rad/s", fb_method_name(METHODS[i]), spin);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- the ledger ---- */

static fb_status shake(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  int nv = fb_model_nv(context->model);
  for (int k = 0; k < nv; k++) action->tau[k] += 3 * sin(5 * context->t + k); /* the base too: thrusters */
  fb_wrench* w = fb_action_add_wrench(action);
  w->frame = fb_model_find_frame(context->model, "a3");
  w->in_frame_axes = 1;
  w->force[0] = 2;
  w->torque[1] = cos(context->t);
  return FB_OK;
}

static void energy_and_momentum_close_under_forces_of_every_kind(void** unused) {
  (void)unused;
  double q[32], v[32];
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  fb_random_q(m, 7, q);
  fb_random_v(m, 8, v);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.002);
    options.environment.gravity_w[2] = -1.6;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_block block = fb_default_block();
    fb_ledger ledger;
    block.name = "shake";
    block.act = shake;
    block.nwrench = 1;
    block_or_fail(sim, &block);
    start_or_fail(sim, q, v);
    for (int k = 1; k <= 10; k++) {
      run_or_fail(sim, 0.1 * k);
      fb_sim_ledger(sim, &ledger);
    }
    double bound = fb_method_traits(METHODS[i]).order < 2 ? 3e-2 : is_second_order(METHODS[i]) ? 1e-4 : 1e-8;
    assert_true(fabs(ledger.work) > 0 && fabs(ledger.external) > 0 && ledger.dissipated > 0);
    if (!(ledger.relative <= bound && ledger.linear_residual <= bound * ledger.linear_scale &&
          ledger.angular_residual <= bound * ledger.angular_scale))
      fail_msg("%s: energy %.2e, linear %.2e, angular %.2e", fb_method_name(METHODS[i]), ledger.relative,
               ledger.linear_residual / ledger.linear_scale, ledger.angular_residual / ledger.angular_scale);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_start_without_a_state_is_neutral_and_at_rest(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_sim* sim = sim_or_fail(m, NULL);
  fb_error error;
  double q[64], v[64] = {0};
  int nq = fb_model_nq(m), nv = fb_model_nv(m);
  fb_neutral(m, q);
  start_or_fail(sim, NULL, NULL);
  assert_memory_equal(fb_sim_q(sim), q, (size_t)nq * sizeof *q);
  assert_memory_equal(fb_sim_v(sim), v, (size_t)nv * sizeof *v);
  v[6] = 0.3;
  start_or_fail(sim, NULL, v);
  assert_memory_equal(fb_sim_q(sim), q, (size_t)nq * sizeof *q);
  assert_memory_equal(fb_sim_v(sim), v, (size_t)nv * sizeof *v);
  v[6] = NAN;
  assert_int_equal(fb_sim_start(sim, NULL, v, &error), FB_ERR_STATE);
  q[7] = 0.2;
  start_or_fail(sim, q, NULL);
  assert_true(fb_sim_q(sim)[7] == 0.2 && fb_sim_v(sim)[6] == 0);
  fb_sim_free(sim);
  fb_model_free(m);
}

static fb_status refuse(void* user, const fb_context* context, double* memory, double* state,
                        fb_error* error) {
  (void)context, (void)memory, (void)state;
  return *(const int*)user ? fb_fail(error, FB_ERR_ARG, "not yet") : FB_OK;
}

/* Its memory would be that of others. */
static void nothing_is_added_after_a_start_that_a_block_refused(void** state) {
  (void)state;
  int refuses = 1;
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  fb_block block = fb_default_block(), late = fb_default_block();
  block.name = "block";
  block.user = &refuses;
  block.start = refuse;
  late.name = "late";
  late.nmemory = late.nstate = 40;
  const fb_limit limit = {.coordinate = 0, .side = 1, .level = 0.5, .cookie_ = FB_COOKIE};
  const fb_event event = {.name = "late", .time = 0.5, .cookie_ = FB_COOKIE};
  block_or_fail(sim, &block);
  assert_int_equal(fb_sim_start(sim, NULL, NULL, NULL), FB_ERR_ARG);
  assert_int_equal(fb_sim_add_block(sim, &late, NULL, NULL), FB_ERR_ARG);
  assert_int_equal(fb_sim_add_limit(sim, &limit, NULL, NULL), FB_ERR_ARG);
  assert_int_equal(fb_sim_add_event(sim, &event, NULL, NULL), FB_ERR_ARG);
  refuses = 0;
  start_or_fail(sim, NULL, NULL);
  run_or_fail(sim, 0.1);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_start_without_a_state_is_neutral_and_at_rest),
      cmocka_unit_test(every_fixed_step_method_has_its_order),
      cmocka_unit_test(dopri5_meets_its_tolerance_within_a_factor_of_ten),
      cmocka_unit_test(states_inside_a_step_are_as_good_as_those_at_its_ends),
      cmocka_unit_test(attitudes_stay_on_the_group),
      cmocka_unit_test(a_pendulum_comes_back_after_its_period),
      cmocka_unit_test(a_principal_spin_stays),
      cmocka_unit_test(a_model_without_coordinates_may_be_stepped),
      cmocka_unit_test(a_locked_base_is_a_bolted_one),
      cmocka_unit_test(coordinates_follow_paths_and_rates_exactly_and_the_ledger_knows_their_work),
      cmocka_unit_test(a_lock_keeps_momentum_and_takes_energy),
      cmocka_unit_test(a_path_taken_up_later_begins_where_the_joint_is),
      cmocka_unit_test(jumps_of_a_base_are_in_the_ledger),
      cmocka_unit_test(nothing_is_added_after_a_start_that_a_block_refused),
      cmocka_unit_test(spin_far_from_the_origin_stays),
      cmocka_unit_test(energy_and_momentum_close_under_forces_of_every_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
