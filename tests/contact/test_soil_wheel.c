/* test_soil_wheel.c -- a wheel on soft ground in a simulation: driven, braked, parked, lifted and turned back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "contact/law/soil.h"
#include "sample.h"
#include "wheel_rig.h"

/* ---- rest ---- */

static void a_wheel_that_is_put_down_settles_where_the_soil_bears_its_weight(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  for (int i = 0; fb_soil_preset_name(i); i++) {
    fb_sim* sim = bed_sim(m, fb_soil_preset_name(i), 0);
    start_at(sim, RADIUS);
    run_or_fail(sim, 4);
    const double normal = reading(sim, "normal"), x = fb_sim_q(sim)[ALONG];
    assert_near(fb_soil_preset_name(i), &normal, &WEIGHT, 1, 1e-9);
    assert_near_of(WEIGHT, "drawbar", &(double){reading(sim, "drawbar")}, &(double){0}, 1, 1e-12);
    assert_near("sinkage", &(double){reading(sim, "sinkage")}, &(double){-reading(sim, "gap")}, 1, 1e-12);
    assert_true(fabs(x) < 1e-12 && reading(sim, "state") == FB_CONTACT_STICKS);
    assert_true(reading(sim, "sinkage") > 0.002 && reading(sim, "sinkage") < 0.05);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A braked wheel gives way by millimetres, then stays where it is. */
static void a_parked_wheel_does_not_creep_down_a_slope(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "lunar_simulant", 12 * acos(-1) / 180);
  double places[3];
  move(sim, SPIN, FB_MOTION_LOCKED);
  start_at(sim, RADIUS - 0.015);
  for (int i = 0; i < 3; i++) {
    run_or_fail(sim, sample(10, 20) * (i + 1));
    places[i] = fb_sim_q(sim)[ALONG];
  }
  assert_true(places[0] < 0 && places[0] > -0.03);
  assert_true(fabs(places[2] - places[1]) < 1e-9);
  assert_near("holds", &(double){reading(sim, "drawbar")}, &(double){WEIGHT * sin(12 * acos(-1) / 180)}, 1,
              1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void on_too_steep_a_slope_a_parked_wheel_slides(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "lunar_simulant", 45 * acos(-1) / 180);
  move(sim, SPIN, FB_MOTION_LOCKED);
  start_at(sim, RADIUS - 0.015);
  run_or_fail(sim, 2);
  assert_true(fb_sim_q(sim)[ALONG] < -0.5);
  assert_near("locked", &(double){reading(sim, "slip_ratio")}, &(double){1}, 1, 1e-12);
  assert_true(reading(sim, "state") == FB_CONTACT_SLIPS);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* ---- driving ---- */

/* What the equations give for a slip ratio, at the depth that bears the weight. */
static double pull_at(const fb_soil* soil, double ratio, double weight, double* depth) {
  double low = 0, high = RADIUS, load[FB_WHEEL_LOAD_COUNT];
  for (int i = 0; i < 60; i++) {
    const fb_wheel w = {RADIUS, WIDTH, 0.5 * (low + high), G, {1, 1 - ratio, 0}};
    fb_soil_load(soil, &w, load);
    *(load[2] < weight ? &low : &high) = w.depth;
  }
  *depth = low;
  return load[0];
}

static void a_driven_wheel_climbs_with_the_slip_at_which_it_pulls_its_weight(void** unused) {
  (void)unused;
  const double slope = 8 * acos(-1) / 180, rate = 1;
  fb_model* m = test_bed();
  fb_soil soil;
  fb_error error;
  fb_sim* sim = bed_sim(m, "lunar_simulant", slope);
  fb_ledger l;
  double depth;
  turn_at(sim, rate);
  start_at(sim, RADIUS - 0.015);
  run_or_fail(sim, 20);
  assert_int_equal(fb_soil_preset("lunar_simulant", &soil, &error), FB_OK);
  const double ratio = reading(sim, "slip_ratio"), v = fb_sim_v(sim)[ALONG];
  const double pull = pull_at(&soil, ratio, WEIGHT * cos(slope), &depth);
  assert_near("ratio", &ratio, &(double){1 - v / (rate * RADIUS)}, 1, 1e-9);
  assert_near("pull", &pull, &(double){WEIGHT * sin(slope)}, 1, 1e-6);
  assert_near("drawbar", &(double){reading(sim, "drawbar")}, &pull, 1, 1e-6);
  assert_near("sinkage", &(double){reading(sim, "sinkage")}, &depth, 1, 1e-6);
  assert_true(ratio > 0.05 && ratio < 0.5 && reading(sim, "slip_angle") == 0);
  assert_true(reading(sim, "friction_work") < 0);
  fb_sim_ledger(sim, &l);
  assert_near("friction", &(double){reading(sim, "friction_work")}, &l.friction, 1, 1e-9);
  assert_near("normal", &(double){reading(sim, "normal_work")}, &l.normal, 1, 1e-9);
  assert_true(l.worst < 1e-6);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Up a slope of 6 degrees by every method, against the last of them: their errors, not the law's. */
static void every_method_drives_the_same_way(void** unused) {
  (void)unused;
  const double slope = 0.1;
  fb_model* m = test_bed();
  double want = 0;
  for (int i = method_count() - 1; i >= 0; i--) {
    const fb_collider wheel = wheel_collider(), ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
    const fb_contact contact = soil_contact(&wheel, &ground, "lunar_simulant");
    fb_sim* sim = sim_by(i, m, 1e-3, heavy_options(-G * sin(slope), -G * cos(slope)));
    contact_or_fail(sim, &contact);
    turn_at(sim, 1);
    start_at(sim, RADIUS - 0.01);
    run_or_fail(sim, 2);
    const double x = fb_sim_q(sim)[ALONG];
    if (want == 0) want = x;
    assert_near(NAMES[i], &x, &want, 1, is_coarse(i) ? 2e-3 : is_middling(i) ? 1e-5 : 1e-6);
    fb_sim_free(sim);
  }
  assert_true(want > 0.05);
  fb_model_free(m);
}

static void turned_backwards_it_does_the_same_backwards(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  double x[2], force[2];
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = bed_sim(m, "mars_sand", 0);
    turn_at(sim, i ? -0.7 : 0.7);
    start_at(sim, RADIUS);
    run_or_fail(sim, 3);
    x[i] = fb_sim_q(sim)[ALONG];
    force[i] = reading(sim, "force.x");
    fb_sim_free(sim);
  }
  assert_true(x[0] > 0.05);
  assert_near("x", &x[1], &(double){-x[0]}, 1, 1e-12);
  assert_near_of(WEIGHT, "force", &force[1], &(double){-force[0]}, 1, 1e-12);
  fb_model_free(m);
}

static void a_wheel_that_turns_on_the_spot_digs_in_and_pulls(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "mars_regolith", 0);
  move(sim, ALONG, FB_MOTION_LOCKED);
  turn_at(sim, 2);
  start_at(sim, RADIUS - 0.02);
  const double at_rest = 0.02;
  run_or_fail(sim, 5);
  assert_near("ratio", &(double){reading(sim, "slip_ratio")}, &(double){1}, 1, 1e-12);
  assert_true(reading(sim, "drawbar") > 0 && reading(sim, "torque") > 1);
  assert_true(reading(sim, "sinkage") > 1.5 * at_rest);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_wheel_dragged_sideways_is_held_back_sideways(void** unused) {
  (void)unused;
  const double v[NV] = {0, 0.05, 0, 0}, q[NV] = {0, 0, RADIUS - 0.015, 0};
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "lunar_simulant", 0);
  move(sim, SPIN, FB_MOTION_LOCKED);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.03);
  assert_true(reading(sim, "force.y") < -3);
  assert_near_of(WEIGHT, "straight", &(double){reading(sim, "force.x")}, &(double){0}, 1, 1e-12);
  run_or_fail(sim, 3);
  assert_true(fabs(fb_sim_v(sim)[ACROSS]) < 1e-3 && fb_sim_q(sim)[ACROSS] < 0.01);
  assert_true(reading(sim, "friction_work") < 0);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* ---- energy ---- */

/* Thrown along and across, then turned, braked or free: it gets nothing back from friction that it has not paid. */
static void the_soil_takes_energy_whatever_the_wheel_does(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_random r = random_seed(19);
  for (int i = 0; i < 18; i++) {
    fb_sim* sim = bed_sim(m, fb_soil_preset_name(i % 6), random_in(&r, -0.25, 0.25));
    const double q[NV] = {0, 0, RADIUS - 0.01, 0},
                 v[NV] = {random_in(&r, -0.3, 0.3), random_in(&r, -0.3, 0.3), random_in(&r, -0.5, 0.5), 0};
    double most = 0;
    if (i < 6)
      turn_at(sim, random_in(&r, -4, 4));
    else if (i < 12)
      move(sim, SPIN, FB_MOTION_LOCKED);
    start_or_fail(sim, q, v);
    for (int k = 1; k <= 50; k++) {
      run_or_fail(sim, 0.02 * k);
      most = worse_of(most, reading(sim, "friction_work"));
    }
    assert_true(most <= 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_wheel_resumes_with_the_same_bits(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  double y[2][NV * 2];
  void* snapshot = NULL;
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = bed_sim(m, "mars_sand", 0.1);
    fb_error error;
    turn_at(sim, 1);
    start_at(sim, RADIUS);
    if (i == 0) {
      run_or_fail(sim, 0.5);
      snapshot = malloc(fb_sim_snapshot_size(sim));
      fb_sim_save(sim, snapshot);
    } else if (fb_sim_restore(sim, snapshot, fb_sim_snapshot_size(sim), &error))
      fail_msg("%s", error.text);
    run_or_fail(sim, 1);
    memcpy(y[i], fb_sim_q(sim), NV * sizeof(double));
    memcpy(y[i] + NV, fb_sim_v(sim), NV * sizeof(double));
    fb_sim_free(sim);
  }
  assert_memory_equal(y[0], y[1], sizeof y[0]);
  free(snapshot);
  fb_model_free(m);
}

/* ---- through rest, and off the ground ---- */

/* To and fro, slower and slower through zero: nothing jumps from one millisecond to the next, and soil gives no
 * energy. */
static void a_wheel_that_reverses_feels_no_jumps_and_gains_no_energy(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "lunar_simulant", 0);
  const double times[] = {0, 1, 2, 3, 4, 5, 6}, angles[] = {0, 2, 0, 1, 0, 0.2, 0};
  fb_spline* path = NULL;
  fb_error error;
  double before = 0, jump = 0, work = 0;
  if (fb_spline_new_cubic(7, times, angles, &path, &error)) fail_msg("%s", error.text);
  const fb_motion motion = {.kind = FB_MOTION_PATH, .path = path, .cookie_ = FB_COOKIE};
  int id;
  if (fb_sim_add_motion(sim, &motion, &id, &error)) fail_msg("%s", error.text);
  move(sim, SPIN, id);
  start_at(sim, RADIUS - 0.0152);
  for (int i = 1; i <= 6000; i++) {
    run_or_fail(sim, i * 1e-3);
    const double force = reading(sim, "force.x");
    jump = worse_of(jump, fabs(force - before));
    work = worse_of(work, reading(sim, "friction_work"));
    before = force;
  }
  assert_true(jump < 0.03 * WEIGHT);
  assert_true(work < 1e-6);
  fb_spline_free(path);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Thrown onto the ground at 100 m/s, spinning backwards; a wheel that falls on its side; steps of 10 ms. */
static void wheels_that_no_rover_has_stay_finite(void** unused) {
  (void)unused;
  static const double THROWN[2][6] = {{100, -30, -5, 3, -800, 2}, {0.2, 0, -1, 0, 0, 0}};
  static const double POSES[2][7] = {{0, 0, 0.12, 1, 0, 0, 0},
                                     {0, 0, 0.07, 0.7071067811865476, 0.7071067811865476, 0, 0}};
  fb_model* m = one_body(FB_JOINT_FREE, WEIGHT / G, 0.03);
  for (int i = 0; i < 2; i++) {
    fb_collider wheel = wheel_collider(), ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
    wheel.frame = 1;
    const fb_contact contact = soil_contact(&wheel, &ground, "dry_sand");
    fb_sim* sim = sim_by(2, m, i ? 1e-2 : 1e-3, heavy_options(0, -G));
    contact_or_fail(sim, &contact);
    start_or_fail(sim, POSES[i], THROWN[i]);
    run_or_fail(sim, 2);
    assert_true(isfinite(worst_of(fb_sim_q(sim), 7)) && worst_of(fb_sim_v(sim), 3) < 110);
    assert_true(reading(sim, "friction_work") <= 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_lifted_wheel_feels_nothing(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  fb_sim* sim = bed_sim(m, "dry_sand", 0);
  const double q[NV] = {0, 0, RADIUS + 0.5, 0}, v[NV] = {1, -1, 0.3, 40};
  move(sim, UP, FB_MOTION_LOCKED);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.1);
  static const char* const NONE[] = {"normal",  "tangential", "slip",   "state",
                                     "sinkage", "slip_ratio", "drawbar"};
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) assert_true(reading(sim, NONE[i]) == 0);
  assert_near("gap", &(double){reading(sim, "gap")}, &(double){0.5}, 1, 1e-12);
  assert_true(fb_sim_v(sim)[SPIN] == 40);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* At the surface the memory of slip begins, without a jump that steps would have to resolve. */
static void a_wheel_that_begins_at_the_surface_takes_no_more_steps_than_others(void** unused) {
  (void)unused;
  static const double ABOVE[] = {0, 1e-16, -1e-16, 1e-9, -1e-9, 1e-4, -1e-4};
  const double mass = 6.6;
  fb_model* m = one_body(FB_JOINT_FREE, mass, 0.5 * mass * RADIUS * RADIUS);
  for (size_t i = 0; i < sizeof ABOVE / sizeof *ABOVE; i++) {
    const fb_collider ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
    fb_collider wheel = wheel_collider();
    wheel.frame = 1;
    const fb_contact contact = soil_contact(&wheel, &ground, "lunar_simulant");
    fb_sim_options options = heavy_options(0, -G);
    options.method = FB_METHOD_DOPRI5;
    fb_error error;
    fb_sim* sim;
    if (fb_sim_new(m, &options, &sim, &error)) fail_msg("%s", error.text);
    contact_or_fail(sim, &contact);
    start_or_fail(sim, (double[7]){0, 0, RADIUS + ABOVE[i], 1, 0, 0, 0}, (double[6]){0.3});
    run_or_fail(sim, 0.5);
    assert_true(fb_sim_nstep(sim) + fb_sim_nrejected(sim) < 2000);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- what it is made of ---- */

static void what_is_no_wheel_and_no_ground_is_refused(void** unused) {
  (void)unused;
  fb_model* m = test_bed();
  const fb_collider wheel = wheel_collider(), ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  const fb_collider ball = shape_on(WHEEL, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    box = shape_on(FB_WORLD, FB_COLLIDER_BOX, 1, 1, 1);
  fb_contact rows[] = {soil_contact(&ball, &ground, "dry_sand"), soil_contact(&wheel, &box, "dry_sand"),
                       contact_of(&wheel, &ground, FB_CONTACT_SOIL, 0, 0, 0),
                       soil_contact(&wheel, &ground, "dry_sand")};
  static const char* const WANT[] = {"collider 0 of side a is no cylinder",
                                     "neither a plane nor a height field", "its soil.exponent is 0",
                                     "is -7.26382e+06 for a wheel 0.11 m wide"};
  rows[3].soil.k_c = -9.671e5;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_block block;
    fb_error error;
    assert_int_not_equal(fb_block_new_contact(m, &rows[i], &block, &error), FB_OK);
    if (!strstr(error.text, WANT[i])) fail_msg("%s", error.text);
  }
  fb_model_free(m);
}

/* Wheel and ground on two free bodies: what one gets the other gives, about every point. */
static void the_ground_gets_what_the_wheel_gives(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "wheel" : "rock";
    body.joint.type = FB_JOINT_FREE;
    body.mass = i ? 2 : 500;
    for (int k = 0; k < 3; k++) body.inertia[k] = i ? 0.01 : 50;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_collider wheel = wheel_collider(), ground = shape_on(1, FB_COLLIDER_PLANE, 0, 0, 0);
  wheel.frame = 2;
  ground.at[2] = 0.4;
  const fb_contact contact = soil_contact(&wheel, &ground, "lunar_simulant");
  fb_sim* sim = sim_by(2, m, 1e-4, heavy_options(0, 0));
  const double q[14] = {0, 0, 0, 1, 0, 0, 0, 0.3, 0.1, 0.4 + RADIUS - 0.004, 1, 0, 0, 0};
  const double v[12] = {0.1, 0, 0, 0.05, 0.02, -0.03, 0.4, 0.05, -0.2, 0.1, 8, 0.3};
  fb_ledger l;
  contact_or_fail(sim, &contact);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.1);
  fb_sim_ledger(sim, &l);
  for (int i = 0; i < 3; i++) {
    assert_near_of(1, "linear", &l.linear[i], &l.linear_0[i], 1, 1e-10);
    assert_near_of(1, "angular", &l.angular[i], &l.angular_0[i], 1, 1e-10);
  }
  const double work =
      read_signal(sim, "contact.foot.normal_work") + read_signal(sim, "contact.foot.friction_work");
  assert_near("energy", &(double){l.kinetic - l.kinetic_0}, &work, 1, 1e-8);
  assert_true(work < 0);
  fb_sim_free(sim);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wheel_that_is_put_down_settles_where_the_soil_bears_its_weight),
      cmocka_unit_test(a_parked_wheel_does_not_creep_down_a_slope),
      cmocka_unit_test(on_too_steep_a_slope_a_parked_wheel_slides),
      cmocka_unit_test(a_driven_wheel_climbs_with_the_slip_at_which_it_pulls_its_weight),
      cmocka_unit_test(every_method_drives_the_same_way),
      cmocka_unit_test(turned_backwards_it_does_the_same_backwards),
      cmocka_unit_test(a_wheel_that_turns_on_the_spot_digs_in_and_pulls),
      cmocka_unit_test(a_wheel_dragged_sideways_is_held_back_sideways),
      cmocka_unit_test(the_soil_takes_energy_whatever_the_wheel_does),
      cmocka_unit_test(a_wheel_resumes_with_the_same_bits),
      cmocka_unit_test(a_wheel_that_reverses_feels_no_jumps_and_gains_no_energy),
      cmocka_unit_test(wheels_that_no_rover_has_stay_finite),
      cmocka_unit_test(a_lifted_wheel_feels_nothing),
      cmocka_unit_test(a_wheel_that_begins_at_the_surface_takes_no_more_steps_than_others),
      cmocka_unit_test(what_is_no_wheel_and_no_ground_is_refused),
      cmocka_unit_test(the_ground_gets_what_the_wheel_gives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
