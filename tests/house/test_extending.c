/* test_extending.c -- what docs/extending.md adds works: its files are compiled into this program, with their rows in the
 * table of kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/scenario.h>

#include "near.h"

static double value_of(fb_sim* sim, const char* name) {
  fb_signal signal;
  fb_error error;
  int count;
  double x;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

static fb_scenario* read_or_fail(const char* file) {
  fb_scenario* s;
  fb_error error;
  if (fb_scenario_read(file, NULL, &s, &error))
    fail_msg("%s:%d: %s", error.file, error.place.line, error.text);
  return s;
}

static void the_law_brakes_by_what_the_gyro_measures(void** state) {
  (void)state;
  fb_scenario* s = read_or_fail(FB_EXTENDED "/detumble.yaml");
  fb_error error;
  fb_sim* sim;
  char* text;
  size_t size;
  assert_int_equal(fb_scenario_explain(s, &text, &size, &error), FB_OK);
  assert_non_null(strstr(text, "gyro: measures the rates of hub every 0.1 s, with noise of"));
  assert_non_null(
      strstr(text, "damper: the rotation of hub is braked by 0.5 N m s/rad, as gyro.rate measures it"));
  free(text);
  fb_signal_info info;
  fb_scenario_signal_info(s, fb_scenario_signals(s)[2], &info);
  assert_string_equal(info.name, "gyro.rate.z");
  assert_string_equal(info.unit, "rad/s");
  assert_string_equal(info.axes, "hub");
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  if (fb_sim_run_until(sim, 0.15, &error)) fail_msg("%s", error.text);
  double rate = value_of(sim, "gyro.rate.x"), torque = value_of(sim, "damper.torque.x");
  assert_true(fabs(rate - 3 * 0.0174533) < 2e-3 && rate != value_of(sim, "omega.hub.x"));
  assert_near("torque", &torque, &(double){fmax(-0.5 * rate, -0.02)}, 1, 1e-15);
  assert_near("wrench", &(double){value_of(sim, "torque.hub.x")}, &torque, 1,
              1e-2); /* world axes; it has turned */
  int events = 0;
  while (fb_sim_time(sim) < 60) {
    int count;
    if (fb_sim_step(sim, 60, &error)) fail_msg("%s", error.text);
    fb_sim_event_records(sim, &count);
    events += count;
  }
  assert_true(events >= 1);
  for (const char* name = "xyz"; *name; name++) {
    char signal[] = "omega.hub.?";
    signal[10] = *name;
    assert_true(fabs(value_of(sim, signal)) < 1e-3);
  }
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void their_keys_are_checked_as_others_are(void** state) {
  (void)state;
  static const struct {
    const char *set, *words, *file;
  } cases[] = {
      {"control.gyro.interval=null", "a rate_gyro controller needs the key 'interval'", "/detumble.yaml"},
      {"control.gyro.brake=1", "a rate_gyro controller cannot have 'brake'; it belongs to rate_damper",
       "/detumble.yaml"},
      {"control.damper.brake=1 N", "angular damping", "/detumble.yaml"},
      {"control.damper.measured=gyro.rat", "block \"gyro\" has no such output; did you mean 'rate'?",
       "/detumble.yaml"},
      {"control.damper.measured=omega.hub", "with the axes \"hub\", but it has \"world\"", "/detumble.yaml"},
      {"forces.chute.coefficient=-1", "'coefficient' is -1, but must not be negative", "/asteroid.yaml"},
      {"forces.chute.type=spring", "a spring force cannot have 'frame'; it belongs to drag, frame",
       "/asteroid.yaml"},
      {"surfaces.rock.length=null", "a cylinder surface needs the key 'length'", "/asteroid.yaml"},
      {"environment.mu=null", "a point_mass environment needs the key 'mu'", "/asteroid.yaml"},
      {"environment.type=uniform", "a uniform environment cannot have 'mu'; it belongs to point_mass",
       "/asteroid.yaml"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char* set[] = {cases[i].set, NULL};
    fb_scenario_options options = fb_default_scenario_options();
    options.set = set;
    fb_scenario* s;
    fb_error error;
    char file[sizeof FB_EXTENDED + 32];
    snprintf(file, sizeof file, "%s%s", FB_EXTENDED, cases[i].file);
    if (!fb_scenario_read(file, &options, &s, &error)) fail_msg("%s is not refused", set[0]);
    if (!strstr(error.text, cases[i].words)) fail_msg("%s: %s", set[0], error.text);
  }
}

static void a_force_a_surface_and_an_environment_act_as_the_page_says(void** state) {
  (void)state;
  fb_scenario* s = read_or_fail(FB_EXTENDED "/asteroid.yaml");
  fb_error error;
  fb_sim* sim;
  char* text;
  size_t size;
  assert_int_equal(fb_scenario_explain(s, &text, &size, &error), FB_OK);
  assert_non_null(strstr(text, "gravity     none, and that of a point mass, mu 4 m^3/s^2\n"));
  assert_non_null(strstr(text, "force       chute: drag on probe, 1 N s^2/m^2\n"));
  free(text);
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  double pull = value_of(sim, "a.probe.2");
  assert_near("acceleration", &pull, &(double){-4.0 / (2 * 2)}, 1, 1e-12);
  if (fb_sim_run_until(sim, 10, &error)) fail_msg("%s", error.text);
  double z = value_of(sim, "p.probe.z"), normal = value_of(sim, "contact.feet.normal");
  assert_near("height", &z, &(double){1}, 1, 1e-6); /* the radii of both */
  assert_near("weight", &normal, &(double){2 * 4.0}, 1, 1e-3);
  assert_true(fabs(value_of(sim, "v.probe.2")) < 1e-6);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_law_brakes_by_what_the_gyro_measures),
      cmocka_unit_test(their_keys_are_checked_as_others_are),
      cmocka_unit_test(a_force_a_surface_and_an_environment_act_as_the_page_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
