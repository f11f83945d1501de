/* test_soil_ground.c -- wheels on height fields of soft ground: as on a plane where they are plane, without jolts
 * elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wheel_rig.h"

enum { SIDE = 40 };
static const double CELL = 0.05;

/* Heights a + slope x + wave sin(6 x) cos(5 y), about the origin. */
static fb_geometry* field_of(double slope, double wave) {
  double heights[SIDE * SIDE];
  fb_geometry* geometry;
  fb_error error;
  for (int i = 0; i < SIDE * SIDE; i++) {
    const double x = (i % SIDE - SIDE / 2) * CELL, y = (double)(i / SIDE - SIDE / 2) * CELL;
    heights[i] = slope * x + wave * sin(6 * x) * cos(5 * y);
  }
  if (fb_geometry_new_heights(SIDE, SIDE, CELL, CELL, heights, &geometry, &error)) fail_msg("%s", error.text);
  return geometry;
}

static const double AS_IT_IS[3] = {1, 1, 1};

/* Driven over a field with scale factors, or over a plane of the same slope. */
static fb_sim* terrain_sim(const fb_model* m, const fb_geometry* field, const double scale[3], double slope) {
  const fb_collider wheel = wheel_collider();
  fb_collider ground =
      shape_on(FB_WORLD, field ? FB_COLLIDER_HEIGHTFIELD : FB_COLLIDER_PLANE, scale[0], scale[1], scale[2]);
  const double c = 1 / sqrt(1 + slope * slope), s = slope * c;
  const double tilted[9] = {c, 0, -s, 0, 1, 0, s, 0, c};
  for (int i = 0; field && i < 2; i++) ground.at[i] = -SIDE / 2 * CELL * scale[i];
  if (!field) memcpy(ground.R, tilted, sizeof tilted);
  ground.geometry = field;
  const fb_contact contact = soil_contact(&wheel, &ground, "lunar_simulant");
  fb_sim* sim = sim_by(2, m, 1e-3, heavy_options(0, -G));
  contact_or_fail(sim, &contact);
  move(sim, ACROSS, FB_MOTION_LOCKED);
  turn_at(sim, 2);
  start_at(sim, RADIUS - 0.015);
  return sim;
}

static void a_field_of_one_slope_is_a_plane(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  for (int i = 0; i < 3; i++) {
    static const double SCALES[][3] = {{1, 1, 1}, {2, 3, 0.5}, {1.5, 1, 2}};
    const double slope = 0.1 * (i - 1), *scale = SCALES[i];
    fb_geometry* field = field_of(slope * scale[0] / scale[2], 0);
    fb_sim *on_field = terrain_sim(m, field, scale, slope), *on_plane = terrain_sim(m, NULL, scale, slope);
    run_or_fail(on_field, 2);
    run_or_fail(on_plane, 2);
    assert_true(fb_sim_q(on_plane)[ALONG] > 0.2);
    assert_near("q", fb_sim_q(on_field), fb_sim_q(on_plane), NV, 1e-10);
    assert_near("sinkage", &(double){reading(on_field, "sinkage")}, &(double){reading(on_plane, "sinkage")},
                1, 1e-9);
    fb_sim_free(on_field);
    fb_sim_free(on_plane);
    fb_geometry_free(field);
  }
  fb_model_free(m);
}

/* Triangles of 5 cm under a wheel of 9 cm: from one to the next the forces of a millisecond differ by little. */
static void a_wheel_rolls_over_the_edges_of_a_field_without_jolts(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_geometry* field = field_of(0, 0.02);
  fb_sim* sim = terrain_sim(m, field, AS_IT_IS, 0);
  double before[2] = {0, 0}, jolt = 0;
  run_or_fail(sim, 0.5);
  for (int i = 0; i < 2500; i++) {
    const double now[2] = {reading(sim, "force.x"), reading(sim, "normal")};
    if (i > 0) jolt = worse_of(jolt, worst_difference(now, before, 2));
    memcpy(before, now, sizeof now);
    run_or_fail(sim, 0.5 + (i + 1) * 1e-3);
  }
  assert_true(fb_sim_q(sim)[ALONG] > 0.3);
  assert_true(jolt < 1e-3 * WEIGHT);
  fb_sim_free(sim);
  fb_geometry_free(field);
  fb_model_free(m);
}

static void where_the_field_ends_the_wheel_falls(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_geometry* field = field_of(0, 0);
  fb_sim* sim = terrain_sim(m, field, AS_IT_IS, 0);
  const double q[NV] = {-2, 0, RADIUS, 0};
  start_or_fail(sim, q, NULL);
  run_or_fail(sim, 0.1);
  assert_true(isinf(reading(sim, "gap")) && reading(sim, "normal") == 0);
  assert_near("falls", &fb_sim_q(sim)[UP], &(double){RADIUS - 0.005 * G}, 1, 1e-9);
  fb_sim_free(sim);
  fb_geometry_free(field);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_field_of_one_slope_is_a_plane),
      cmocka_unit_test(a_wheel_rolls_over_the_edges_of_a_field_without_jolts),
      cmocka_unit_test(where_the_field_ends_the_wheel_falls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
