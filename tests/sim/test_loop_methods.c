/* test_loop_methods.c -- every method on every type of loop, on a floating base: loops stay closed, orders remain. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mechanism_rig.h"
#include "sample.h"

#include <freebody/sundials.h>

enum { MOST = 32 };

/* Coordinates of the arms at which the hands meet. */
static const double BEND[] = {0.4, 0.9, -0.5, -0.6, 0.3};

/* A frame on b3 where a frame on a3 is, at those coordinates, but for `apart`. */
static void put_hands(fb_model_def* def, const fb_model* tree, double apart) {
  int left = fb_model_find_body(tree, "a3"), right = fb_model_find_body(tree, "b3");
  fb_data* d = fb_data_new(tree);
  fb_frame_def hand = fb_default_frame_def();
  fb_error error;
  double q[MOST], p[2][3], R[2][9], Rt[9], away[3];
  fb_neutral(tree, q);
  memcpy(q + 7, BEND, sizeof BEND);
  fb_kinematics(tree, d, q, NULL, NULL);
  fb_frame_pose(tree, d, left, p[0], R[0]);
  fb_frame_pose(tree, d, right, p[1], R[1]);
  for (int i = 0; i < 3; i++) away[i] = p[0][i] - p[1][i] + (i == 0 ? apart : 0);
  fb_rot_transpose(R[1], Rt);
  fb_rot_apply(Rt, away, hand.at);
  fb_rot_multiply(Rt, R[0], hand.R);
  hand.name = "right";
  put_frame(def, left, "left", 0, 0, 0);
  if (fb_model_def_add_frame(def, right, &hand, &error)) fail_msg("%s", error.text);
  fb_data_free(d);
}

/* A satellite with two arms of three joints, a ball among them, whose hands a loop joins; a gear: two joints of one arm. */
static fb_model* held_hands(fb_loop_type type) {
  static const char* const JOINTS[] = {"a2"};
  static const double RATIOS[] = {-1.5};
  fb_model* tree = tree6(FB_JOINT_FREE, 0);
  fb_model_def* def = fb_model_def_copy(fb_model_definition(tree));
  fb_loop_def loop = fb_default_loop_def(type);
  fb_error error;
  put_hands(def, tree, type == FB_LOOP_DISTANCE ? 0.4 : 0);
  loop.name = "hold";
  loop.a = type == FB_LOOP_GEAR ? "a1" : "left";
  loop.b = type == FB_LOOP_GEAR ? NULL : "right";
  loop.njoint = type == FB_LOOP_GEAR;
  loop.joints = JOINTS;
  loop.ratios = RATIOS;
  loop.offset = 0.2;
  if (fb_model_def_add_loop(def, &loop, &error)) fail_msg("%s", error.text);
  fb_model_free(tree);
  return built(def);
}

/* A state in which the loop is closed; d has the length of a distance. */
static void closed_state(const fb_model* m, fb_data* d, double* q, double* v) {
  fb_error error;
  fb_neutral(m, q);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] = 0.3 * sin(3 * k + 1);
  memcpy(q + 7, BEND, sizeof BEND);
  fb_loops_measure(m, d, q);
  if (fb_loops_close(m, d, NULL, q, v, &error)) fail_msg("%s", error.text);
}

typedef struct method_case {
  const char* name; /* of SUNDIALS; or NULL */
  fb_method method;
  int order; /* that it shows; 0: steps are its own */
} method_case;

static const method_case CASES[] = {
    {NULL, FB_METHOD_EULER, 1},     {NULL, FB_METHOD_SEMI_IMPLICIT, 1}, {NULL, FB_METHOD_RK4, 4},
    {NULL, FB_METHOD_RKMK4, 4},     {NULL, FB_METHOD_DOPRI5, 0},        {NULL, FB_METHOD_IMPLICIT, 2},
    {"cvode", FB_METHOD_CUSTOM, 0}, {"arkode", FB_METHOD_CUSTOM, 0},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static fb_sim* simulation(const fb_model* m, const method_case* c, double step, double tolerance) {
  fb_sim_options options = fb_default_sim_options();
  fb_stepper stepper;
  fb_error error;
  options.method = c->method;
  options.step = c->order ? step : 0;
  options.rtol = options.atol = tolerance;
  if (c->name) {
    if (fb_stepper_new_sundials(c->name, tolerance, tolerance, 0, &stepper, &error))
      fail_msg("%s", error.text);
    options.stepper = &stepper;
  }
  return sim_or_fail(m, &options);
}

static void loops_stay_closed_under_every_method(void** state) {
  (void)state;
  for (int type = 0; type < FB_LOOP_TYPE_COUNT; type++) {
    fb_model* m = held_hands((fb_loop_type)type);
    fb_data* d = fb_data_new(m);
    double q[MOST], v[MOST];
    closed_state(m, d, q, v);
    for (int i = 0; i < CASE_COUNT; i++) {
      if (CASES[i].name && !fb_sundials_available()) continue;
      fb_sim* sim = simulation(m, &CASES[i], 5e-3, 1e-8);
      fb_ledger ledger;
      fb_error error;
      double worst = 0;
      start_or_fail(sim, q, v);
      while (fb_sim_time(sim) < 1) {
        if (fb_sim_step(sim, 1, &error)) fail_msg("%s", error.text);
        worst = worse_of(worst, worst_opening(m, d, fb_sim_q(sim)));
      }
      fb_sim_ledger(sim, &ledger);
      if (!(worst <= 1e-10)) fail_msg("type %d, method %d: open by %.3g", type, i, worst);
      if (CASES[i].order != 1 && !(ledger.worst <= 1e-4 && ledger.momentum_worst <= 1e-4))
        fail_msg("type %d, method %d: energy off by %.3g, momentum by %.3g", type, i, ledger.worst,
                 ledger.momentum_worst);
      fb_sim_free(sim);
    }
    fb_data_free(d);
    fb_model_free(m);
  }
}

static void end_of_run(const fb_model* m, const method_case* c, double step, double tolerance, double* q,
                       double* v) {
  fb_sim* sim = simulation(m, c, step, tolerance);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.5);
  memcpy(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
  memcpy(v, fb_sim_v(sim), (size_t)fb_model_nv(m) * sizeof *v);
  fb_sim_free(sim);
}

static void orders_remain(void** state) {
  (void)state;
  static const method_case EXACT = {NULL, FB_METHOD_DOPRI5, 0};
  for (int type = 0; type < FB_LOOP_TYPE_COUNT; type++) {
    fb_model* m = held_hands((fb_loop_type)type);
    fb_data* d = fb_data_new(m);
    double q0[MOST], v0[MOST], q[3][MOST], v[3][MOST];
    closed_state(m, d, q0, v0);
    for (int i = 0; i < CASE_COUNT; i++) {
      if (CASES[i].order == 0) continue;
      double step = CASES[i].order == 4 ? 0.02 : 0.002;
      for (int j = 0; j < 3; j++) {
        memcpy(q[j], q0, sizeof q0);
        memcpy(v[j], v0, sizeof v0);
      }
      end_of_run(m, &EXACT, 0, 1e-13, q[0], v[0]);
      end_of_run(m, &CASES[i], step, 1e-9, q[1], v[1]);
      end_of_run(m, &CASES[i], step / 2, 1e-9, q[2], v[2]);
      double order = log2(distance(m, q[1], v[1], q[0], v[0]) / distance(m, q[2], v[2], q[0], v[0]));
      if (!(fabs(order - CASES[i].order) <= 0.3))
        fail_msg("type %d, method %d: order %.3f, wanted %d", type, i, order, CASES[i].order);
    }
    fb_data_free(d);
    fb_model_free(m);
  }
}

static void the_momentum_method_refuses_loops_and_says_why(void** state) {
  (void)state;
  fb_model* m = held_hands(FB_LOOP_POINT);
  fb_sim_options options = options_of(FB_METHOD_MOMENTUM, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  double q[MOST], v[MOST];
  fb_data* d = fb_data_new(m);
  fb_error error;
  closed_state(m, d, q, v);
  assert_int_equal(fb_sim_start(sim, q, v, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "the momentum method cannot take loops"));
  assert_non_null(strstr(error.text, "loop \"hold\""));
  fb_sim_free(sim);
  fb_data_free(d);
  fb_model_free(m);
}

static void a_massless_rod_in_a_loop_is_refused_by_its_joint(void** state) {
  (void)state;
  static const double NONE[3] = {0, 0, 0};
  fb_model_def* def = fb_model_def_new();
  put_rod(def, "crank", NULL, AXIS_Y, NONE, AXIS_X);
  put_frame(def, put_body(def, "coupler", "crank", FB_JOINT_REVOLUTE, AXIS_Y, AXIS_X, 0, NONE, NONE), "end",
            1, 0, 0);
  put_rod(def, "rocker", NULL, AXIS_Y, AXIS_X, AXIS_X);
  put_loop(def, FB_LOOP_POINT, "pin", "end", "rocker_tip", NULL);
  fb_model* m = built(def);
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_error error;
  assert_int_equal(fb_sim_start(sim, (const double[]){-0.7, 0.7, -0.7}, NONE, &error), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(error.text, "joint \"coupler\" has nothing to move: its pivot is 0;"));
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Two satellites on a rigid tether, `far` from the origin, where rounding keeps the tether from closing better. */
static void cvode_advances_far_from_the_origin(void** state) {
  (void)state;
  static const method_case CVODE = {"cvode", FB_METHOD_CUSTOM, 0};
  static const double FAR[] = {0, 7e4, 7e6};
  if (!fb_sundials_available()) return;
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 2; i++)
    put_body(def, i ? "second" : "first", NULL, FB_JOINT_FREE, AXIS_X, (double[3]){0, 0, 0}, 100,
             (double[3]){i ? 0.5 : -0.5, 0.1, 0}, (double[3]){10, 20, 15});
  put_loop(def, FB_LOOP_DISTANCE, "tether", "first", "second", NULL);
  fb_model* m = built(def);
  for (int i = 0; i < 3; i++) {
    fb_sim* sim = simulation(m, &CVODE, 0, 1e-12);
    double q[14], v[12] = {0, 0.3, 0, 0.1, 0.2, 0.1};
    fb_error error;
    fb_neutral(m, q);
    q[0] = FAR[i];
    q[7] = FAR[i] + 10;
    start_or_fail(sim, q, v);
    while (fb_sim_time(sim) < 0.2 && fb_sim_nstep(sim) < 20000)
      if (fb_sim_step(sim, 0.2, &error)) fail_msg("%g m: %s", FAR[i], error.text);
    if (fb_sim_time(sim) < 0.2) fail_msg("%g m: at t = %g s after 20000 steps", FAR[i], fb_sim_time(sim));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- long runs --- */

/* The loop and the energy of a four-bar that swings. */
static void run_long(fb_method method, double step, int steps, double drift) {
  fb_model* m = n_four_bar(1, FB_LOOP_REVOLUTE);
  fb_data* d = fb_data_new(m);
  fb_sim_options options = options_of(method, step);
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  double q[3], v[3], worst = 0;
  n_four_bar_start(m, 1.2, 0, q, v);
  start_or_fail(sim, q, v);
  double before = energy_of(sim);
  fb_ledger ledger;
  for (int i = 1; i <= 200; i++) {
    run_or_fail(sim, step * steps / 200 * i);
    worst = worse_of(worst, worst_opening(m, d, fb_sim_q(sim)));
  }
  fb_sim_ledger(sim, &ledger);
  assert_true(fb_sim_nstep(sim) >= steps);
  double off = fabs(energy_of(sim) - before) / ledger.peak_kinetic;
  if (!(worst <= 1e-10 && off <= drift)) fail_msg("open by %.3g, energy off by %.3g", worst, off);
  fb_sim_free(sim);
  fb_data_free(d);
  fb_model_free(m);
}

/* A million steps with FB_FULL=1. */
static void long_runs_leave_the_loop_closed(void** state) {
  (void)state;
  run_long(FB_METHOD_SEMI_IMPLICIT, 1e-4, sample(100000, 1000000), 1e-3);
}

static void rk4_keeps_the_energy_of_a_four_bar(void** state) {
  (void)state;
  run_long(FB_METHOD_RK4, 1e-3, sample(30000, 100000), 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_stay_closed_under_every_method),
      cmocka_unit_test(orders_remain),
      cmocka_unit_test(the_momentum_method_refuses_loops_and_says_why),
      cmocka_unit_test(a_massless_rod_in_a_loop_is_refused_by_its_joint),
      cmocka_unit_test(cvode_advances_far_from_the_origin),
      cmocka_unit_test(long_runs_leave_the_loop_closed),
      cmocka_unit_test(rk4_keeps_the_energy_of_a_four_bar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
