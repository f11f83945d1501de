/* test_loop_simulation.c -- mechanisms with loops in time: they stay closed, keep their energy, and every method takes them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

/* A rod of 1 m and 1 kg along its x axis, turning about its y axis. */
static int add_rod(fb_model_def* def, const char* name, const char* parent, double at, double x_of_joint) {
  fb_body_def rod = fb_default_body_def();
  fb_frame_def tip = fb_default_frame_def();
  char tip_name[32];
  int id;
  rod.name = name;
  rod.parent = parent;
  rod.joint.type = FB_JOINT_REVOLUTE;
  rod.joint.axis[1] = 1;
  rod.joint.at[0] = parent ? at : x_of_joint;
  rod.mass = 1;
  rod.com[0] = 0.5;
  rod.inertia[1] = rod.inertia[2] = 1.0 / 12;
  assert_int_equal(fb_model_def_add_body(def, &rod, &id, NULL), FB_OK);
  snprintf(tip_name, sizeof tip_name, "%s_tip", name);
  tip.name = tip_name;
  tip.at[0] = 1;
  assert_int_equal(fb_model_def_add_frame(def, id, &tip, NULL), FB_OK);
  return id;
}

/* A parallelogram of rods on the world: two cranks 1 m apart and a coupler, closed at the second crank's tip. */
static fb_model* four_bar(fb_loop_type type) {
  fb_model_def* def = fb_model_def_new();
  fb_model* m = NULL;
  add_rod(def, "crank", NULL, 0, 0);
  add_rod(def, "coupler", "crank", 1, 0);
  add_rod(def, "rocker", NULL, 0, 1);
  fb_loop_def loop = fb_default_loop_def(type);
  loop.name = "close";
  loop.a = "rocker_tip";
  loop.b = "coupler_tip";
  memcpy(loop.axis, (double[3]){0, 1, 0}, sizeof loop.axis);
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  assert_int_equal(fb_model_build(def, NULL, &m, NULL), FB_OK);
  fb_model_def_free(def);
  return m;
}

static fb_sim* simulation(const fb_model* m, fb_method method, double step) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim = NULL;
  options.method = method;
  options.step = step;
  options.environment.gravity_w[2] = -9.81;
  assert_int_equal(fb_sim_new(m, &options, &sim, NULL), FB_OK);
  return sim;
}

/* The crank stands up, at rest: gravity pulls it over. */
static const double START[3] = {-1.2, 1.2, -1.2};

static double worst_opening(fb_sim* sim) {
  const fb_model* m = fb_sim_model(sim);
  fb_data* d = fb_data_new(m);
  double error[4], worst = 0;
  fb_loops_measure(m, d, fb_sim_q(sim));
  fb_loop_errors(m, d, fb_sim_q(sim), error);
  for (int i = 0; i < fb_model_nloop(m); i++) worst = fmax(worst, error[i]);
  fb_data_free(d);
  return worst;
}

static void a_four_bar_under_rk4_stays_closed_and_keeps_its_energy(void** state) {
  (void)state;
  fb_model* m = four_bar(FB_LOOP_REVOLUTE);
  fb_sim* sim = simulation(m, FB_METHOD_RK4, 1e-3);
  fb_error error = {0};
  fb_ledger ledger;
  if (fb_sim_start(sim, START, NULL, &error)) fail_msg("%s", error.text);
  fb_sim_ledger(sim, &ledger);
  double before = ledger.kinetic + ledger.potential, worst = 0;
  for (int i = 1; i <= 100; i++) {
    if (fb_sim_run_until(sim, i * 0.1, &error)) fail_msg("%s", error.text);
    worst = fmax(worst, worst_opening(sim));
  }
  fb_sim_ledger(sim, &ledger);
  double drift = fabs(ledger.kinetic + ledger.potential - before) / ledger.peak_kinetic;
  if (worst > 1e-12 || drift > 1e-8) fail_msg("open by %g, energy off by %g", worst, drift);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* The four-bar with Coulomb friction in so many of its joints. */
static fb_model* rubbing_four_bar(int joints) {
  fb_model* smooth = four_bar(FB_LOOP_REVOLUTE);
  fb_model_def* def = fb_model_def_copy(fb_model_definition(smooth));
  fb_model* m = NULL;
  for (int b = 1; b <= joints; b++) {
    fb_joint_def joint = fb_model_def_body(def, b)->joint;
    joint.friction[0] = 12;
    assert_int_equal(fb_model_def_set_joint(def, b, &joint, NULL), FB_OK);
  }
  assert_int_equal(fb_model_build(def, NULL, &m, NULL), FB_OK);
  fb_model_def_free(def);
  fb_model_free(smooth);
  return m;
}

static fb_sim* sticking(const fb_model* m) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim = NULL;
  options.step = 1e-3;
  options.friction_law = FB_FRICTION_STICTION;
  options.environment.gravity_w[2] = -9.81;
  assert_int_equal(fb_sim_new(m, &options, &sim, NULL), FB_OK);
  return sim;
}

static void joints_of_a_loop_may_stick_one_or_all(void** state) {
  (void)state;
  for (int joints = 1; joints <= 3; joints++) {
    fb_model* m = rubbing_four_bar(joints);
    fb_sim* sim = sticking(m);
    fb_error error = {0};
    if (fb_sim_start(sim, START, NULL, &error) || fb_sim_run_until(sim, 5, &error))
      fail_msg("%s", error.text);
    for (int k = 0; k < joints; k++) assert_true(fb_sim_rests(sim, k)); /* it has swung to rest */
    assert_true(worst_opening(sim) < 1e-12);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_four_bar_under_rk4_stays_closed_and_keeps_its_energy),
      cmocka_unit_test(joints_of_a_loop_may_stick_one_or_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
