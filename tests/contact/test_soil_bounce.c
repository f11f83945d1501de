/* test_soil_bounce.c -- wheels that bounce on soil without damping never get more energy from it than they gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "contact/law/soil.h"
#include "sample.h"
#include "wheel_rig.h"

static const double MASS = 5;

/* A free wheel, by dopri5 with error control, or by rk4 with steps of 0.1 ms. */
static fb_sim* loose_wheel(const fb_model* m, const char* soil, double damping, int fixed) {
  const fb_collider ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_collider wheel = wheel_collider();
  fb_sim_options options = heavy_options(0, -G);
  wheel.frame = 1;
  fb_contact contact = soil_contact(&wheel, &ground, soil);
  contact.soil.damping = damping;
  options.method = fixed ? FB_METHOD_RK4 : FB_METHOD_DOPRI5;
  options.step = fixed ? 1e-4 : 0;
  fb_sim* sim = sim_or_fail(m, &options);
  contact_or_fail(sim, &contact);
  return sim;
}

static fb_model* wheel_model(void) {
  return one_body(FB_JOINT_FREE, MASS, 0.5 * MASS * RADIUS * RADIUS);
}

static double work_of(fb_sim* sim) {
  return reading(sim, "normal_work") + reading(sim, "friction_work");
}

static double energy_of(fb_sim* sim) {
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  return l.kinetic + l.potential;
}

/* Runs for a second: the works since the start are never positive, and no flight has more energy than the one before. */
static void bounce(fb_sim* sim, const char* soil, double scale) {
  double flight = energy_of(sim), most = 0, more = 0;
  for (int i = 1; i <= 400; i++) {
    run_or_fail(sim, 2.5e-3 * i);
    most = worse_of(most, work_of(sim));
    if (reading(sim, "gap") <= 0) continue;
    more = worse_of(more, energy_of(sim) - flight);
    flight = energy_of(sim);
  }
  if (!(most < 1e-6 * scale)) fail_msg("%s gave %.3g J of %.3g J", soil, most, scale);
  if (!(more < 1e-6 * scale)) fail_msg("a bounce on %s gave %.3g J of %.3g J", soil, more, scale);
}

static void a_bouncing_wheel_gets_no_energy_from_the_soil(void** unused) {
  (void)unused;
  fb_model* m = wheel_model();
  fb_random r = random_seed(7);
  for (int i = 0; i < sample(18, 240); i++) {
    const char* soil = fb_soil_preset_name(i % 6);
    fb_sim* sim = loose_wheel(m, soil, i % 4 == 3 ? 20 : 0, i / 6 % 2);
    const double drop = random_in(&r, 0.02, 1), spin = random_in(&r, -40, 40);
    const double v[6] = {random_in(&r, -2, 2), random_in(&r, -1, 1), 0, 0, spin, 0};
    start_or_fail(sim, (double[7]){0, 0, RADIUS + drop, 1, 0, 0, 0}, v);
    bounce(sim, soil, energy_of(sim));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Dropped by 0.5 m onto dry sand while turning at 20 rad/s: from 36 J it went to 70 J. */
static void the_wheel_of_the_known_error_loses_energy(void** unused) {
  (void)unused;
  fb_model* m = wheel_model();
  fb_sim* sim = loose_wheel(m, "dry_sand", 0, 0);
  start_or_fail(sim, (double[7]){0, 0, RADIUS + 0.5, 1, 0, 0, 0}, (double[6]){0, 0, 0, 0, 20});
  bounce(sim, "dry_sand", energy_of(sim));
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Without slip the soil is a spring, and stays one: dropped, or released in the soil, the wheel comes back to where it
 * started. */
static void a_wheel_that_does_not_slip_bounces_without_loss(void** unused) {
  (void)unused;
  static const double STARTS[] = {RADIUS + 0.1, RADIUS - 0.02};
  static const double NEAR = 1e-5; /* of the radius: it is sampled every millisecond */
  fb_model* m = wheel_model();
  for (int i = 0; i < 12; i++) {
    const char* soil = fb_soil_preset_name(i % 6);
    const double from = STARTS[i / 6];
    fb_sim* sim = loose_wheel(m, soil, 0, 0);
    start_or_fail(sim, (double[7]){0, 0, from, 1}, NULL);
    double low = INFINITY, high = 0;
    for (int k = 200; k <= 1000; k++) {
      run_or_fail(sim, 1e-3 * k);
      low = fmin(low, fb_sim_q(sim)[2]);
      high = worse_of(high, fb_sim_q(sim)[2]);
    }
    const double turns = fabs(high - from) < fabs(low - from) ? high : low;
    assert_near_of(RADIUS, soil, &turns, &from, 1, NEAR);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Which limits the energy that soil keeps. */
static void the_bearing_of_a_wheel_is_its_load_without_slip(void** unused) {
  (void)unused;
  fb_error error;
  fb_soil soil;
  for (int i = 0; fb_soil_preset_name(i); i++)
    for (double depth = 1e-4; depth < 0.3 * RADIUS; depth *= 2) {
      const fb_wheel wheel = {RADIUS, WIDTH, depth, G, {0, 0, 0}};
      double load[FB_WHEEL_LOAD_COUNT];
      if (fb_soil_preset(fb_soil_preset_name(i), &soil, &error)) fail_msg("%s", error.text);
      fb_soil_load(&soil, &wheel, load);
      const double bearing = fb_soil_bearing(&soil, &wheel);
      if (!(bearing > load[2] && bearing < 1.7 * load[2]))
        fail_msg("%s: %g N, load %g N", fb_soil_preset_name(i), bearing, load[2]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bouncing_wheel_gets_no_energy_from_the_soil),
      cmocka_unit_test(the_wheel_of_the_known_error_loses_energy),
      cmocka_unit_test(a_wheel_that_does_not_slip_bounces_without_loss),
      cmocka_unit_test(the_bearing_of_a_wheel_is_its_load_without_slip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
