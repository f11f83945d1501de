/* test_mechanisms.c -- published benchmarks of mechanisms with closed loops: tests/data/mechanisms/README.md
 *
 * Energies are compared with the bounds that the benchmarks ask for; the runs come to a tenth of them or less. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mechanism_rig.h"

#include <freebody/sundials.h>

static const double QUARTER = 1.5707963267948966, GRAVITY = 9.81;

/* Gravity acts against axis `down`; -1: there is none. */
static fb_sim* simulation(const fb_model* m, fb_method method, double step, double tolerance, int down) {
  fb_sim_options options = fb_default_sim_options();
  options.method = method;
  options.step = step;
  if (tolerance > 0) options.rtol = options.atol = tolerance;
  if (down >= 0) options.environment.gravity_w[down] = -GRAVITY;
  return sim_or_fail(m, &options);
}

/* Runs to t in 100 parts: the largest change of the energy, and the largest opening of a loop. */
static double energy_drift(fb_sim* sim, double t, double* opening) {
  const fb_model* m = fb_sim_model(sim);
  fb_data* d = fb_data_new(m);
  double before = energy_of(sim), worst = 0;
  *opening = 0;
  for (int i = 1; i <= 100; i++) {
    run_or_fail(sim, t * i / 100);
    worst = worse_of(worst, fabs(energy_of(sim) - before));
    *opening = worse_of(*opening, worst_opening(m, d, fb_sim_q(sim)));
  }
  fb_data_free(d);
  return worst;
}

/* --- n four-bars --- */

/* The cranks pass the pose in which everything lies flat, and the four-bars may leave the parallelogram, some ten times. */
static void four_bars_pass_their_singular_pose(void** state) {
  (void)state;
  static const struct {
    int n;
    fb_method method;
    double step, tolerance, t, allowed; /* [s], [J] */
  } CASES[] = {
      {2, FB_METHOD_RK4, 1e-3, 0, 10, 1e-9},     {2, FB_METHOD_RKMK4, 5e-3, 0, 10, 1e-6},
      {2, FB_METHOD_DOPRI5, 0, 1e-9, 10, 1e-6},  {2, FB_METHOD_DOPRI5, 0, 1e-10, 10, 1e-6},
      {2, FB_METHOD_DOPRI5, 0, 1e-11, 10, 1e-6}, {40, FB_METHOD_RK4, 5e-3, 0, 10, 1e-6},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_model* m = n_four_bar(CASES[i].n, FB_LOOP_REVOLUTE);
    fb_sim* sim = simulation(m, CASES[i].method, CASES[i].step, CASES[i].tolerance, 2);
    double q[81], v[81], opening;
    n_four_bar_start(m, QUARTER, 1, q, v);
    start_or_fail(sim, q, v);
    double worst = energy_drift(sim, CASES[i].t, &opening), apart = 0;
    for (int k = 1; k <= CASES[i].n; k++) apart = worse_of(apart, fabs(fb_sim_q(sim)[k] - fb_sim_q(sim)[0]));
    if (!(worst <= CASES[i].allowed && opening <= 1e-13 && apart <= 1e-9))
      fail_msg("case %d: energy off by %.3g J, open by %.3g, cranks apart by %.3g rad", (int)i, worst,
               opening, apart);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Start positions from which a stage of the second step comes as near to the pose as this: rows that are small there must
 * neither blow up rounding nor let the four-bars go. */
static void four_bars_come_near_their_singular_pose(void** state) {
  (void)state;
  fb_model* m = n_four_bar(2, FB_LOOP_REVOLUTE);
  fb_data* d = fb_data_new(m);
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[2] = -GRAVITY;
  for (double x = 1e-2; x > 1e-16; x /= 10) {
    double q[5], v[5], vdot[5], tau[5] = {0};
    n_four_bar_start(m, x, 6, q, v);
    q[1] += 1e-15; /* rounding */
    assert_true(fb_loops_project(m, d, NULL, q, v) <= 1e-14);
    fb_constrained_dynamics(m, d, q, v, NULL, &loads, vdot, tau);
    for (int k = 0; k < 5; k++) {
      double want = k < 3 ? 11.445 : -11.445; /* 7/6 g, and all turn alike */
      if (!(fabs(vdot[k] - want) <= 3 && fabs(v[k]) <= 6.001))
        fail_msg("at %g rad: acceleration %d is %.9g, wanted %.9g", x, k, vdot[k], want);
    }
  }
  fb_data_free(d);
  fb_model_free(m);
}

/* --- Bricard --- */

typedef struct notes {
  int count;
  char text[512];
} notes;

static void take_note(void* user, fb_place place, const char* text) {
  notes* n = (notes*)user;
  (void)place;
  n->count++;
  snprintf(n->text, sizeof n->text, "%s", text);
}

static void bricard_moves_though_its_count_is_zero(void** state) {
  (void)state;
  fb_model* m = mechanism("bricard");
  fb_data* d = fb_data_new(m);
  double q[5] = {0}, opening;
  notes n = {0};
  assert_int_equal(fb_model_nv(m), fb_loop_type_nrow(FB_LOOP_REVOLUTE)); /* Gruebler: none is left */
  assert_int_equal(fb_loops_mobility(m, d, q), 1);
  assert_int_equal(fb_loops_advise(m, d, q, take_note, &n), 1);
  assert_int_equal(n.count, 1);
  assert_non_null(strstr(n.text, "loop \"hinge6\": 1 of its 5 conditions"));
  fb_sim* sim = simulation(m, FB_METHOD_RK4, 2e-3, 0, 1);
  start_or_fail(sim, q, NULL);
  double worst = energy_drift(sim, 10, &opening);
  if (!(worst <= 1e-8 && opening <= 1e-13)) fail_msg("energy off by %.3g J, open by %.3g", worst, opening);
  fb_sim_free(sim);
  fb_data_free(d);
  fb_model_free(m);
}

/* --- Andrews' squeezer --- */

static fb_status drive(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += 0.033;
  return FB_OK;
}

/* beta, theta, gamma, delta, phi, epsilon, omega */
static const double SQUEEZER_START[7] = {-0.0617138900142764496358948458001, 0,
                                         0.455279819163070380255912382449,   0.487364979543842550225598953530,
                                         0.222668390165885884674473185609,   1.23054744454982119249735015568,
                                         -0.222668390165885884674473185609};
static const double SQUEEZER_END[7] = {15.81077119629904,  -15.75637105984298,  0.04082224013073101,
                                       0.5244099658805304, -0.5347301163226948, 1.048080741042263,
                                       0.5347301163226948};

static void the_squeezer_has_the_published_angles(void** state) {
  (void)state;
  static const struct {
    fb_method method;
    double step, tolerance;
  } CASES[] = {{FB_METHOD_RKMK4, 1e-5, 0}, {FB_METHOD_DOPRI5, 0, 1e-12}};
  fb_model* m = mechanism("squeezer");
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_sim* sim = simulation(m, CASES[i].method, CASES[i].step, CASES[i].tolerance, -1);
    fb_block block = fb_default_block();
    fb_ledger ledger;
    block.name = "drive";
    block.act = drive;
    block_or_fail(sim, &block);
    put_spring(sim, "spring", "bracket", "spring_end", 4530, 0, 0.07785);
    start_or_fail(sim, SQUEEZER_START, NULL);
    run_or_fail(sim, 0.03);
    for (int k = 0; k < 7; k++) /* nine digits; the published ones are right to ten */
      if (!(fabs(fb_sim_q(sim)[k] / SQUEEZER_END[k] - 1) <= 1e-9))
        fail_msg("case %d: angle %d is %.15g, published %.15g", (int)i, k, fb_sim_q(sim)[k], SQUEEZER_END[k]);
    fb_sim_ledger(sim, &ledger); /* four trees, which pass on work through the loops */
    if (!(ledger.worst <= 1e-9)) fail_msg("case %d: the ledger is off by %.3g", (int)i, ledger.worst);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- the flyball governor --- */

static void run_governor(fb_sim* sim, double end[4]) {
  const double q[4] = {0, 0.5, QUARTER / 3, -QUARTER / 3}, v[4] = {4 * QUARTER, 0, 0, 0};
  put_spring(sim, "right_rod", "face_right", "middle_right", 8e5, 4e4, 0.5);
  put_spring(sim, "left_rod", "face_left", "middle_left", 8e5, 4e4, 0.5);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 10);
  memcpy(end, fb_sim_q(sim) + 1, 3 * sizeof *end);
  end[3] = fb_sim_v(sim)[0];
  fb_sim_free(sim);
}

static void stiff_and_explicit_methods_agree_on_the_governor(void** state) {
  (void)state;
  static const char* const STIFF[] = {"cvode", "arkode"};
  fb_model* m = mechanism("governor");
  double by_explicit[4], end[4];
  run_governor(simulation(m, FB_METHOD_DOPRI5, 0, 1e-8, 2), by_explicit);
  assert_near("the slider and the speed of the shaft", (double[2]){by_explicit[0], by_explicit[3]},
              (double[2]){0.6196229171, 5.548203623}, 2, 1e-8);
  for (int i = 0; i < 2 && fb_sundials_available(); i++) {
    fb_sim_options options = fb_default_sim_options();
    fb_stepper stepper;
    fb_error error;
    if (fb_stepper_new_sundials(STIFF[i], 1e-8, 1e-8, 0, &stepper, &error)) fail_msg("%s", error.text);
    options.method = FB_METHOD_CUSTOM;
    options.stepper = &stepper;
    options.environment.gravity_w[2] = -GRAVITY;
    run_governor(sim_or_fail(m, &options), end);
    assert_near(STIFF[i], end, by_explicit, 4, 1e-7); /* ten times the tolerance */
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bars_pass_their_singular_pose),
      cmocka_unit_test(four_bars_come_near_their_singular_pose),
      cmocka_unit_test(bricard_moves_though_its_count_is_zero),
      cmocka_unit_test(the_squeezer_has_the_published_angles),
      cmocka_unit_test(stiff_and_explicit_methods_agree_on_the_governor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
