/* test_meeting.c -- bodies with compliant contacts that meet at speed: methods with error control miss no meeting, however
 * short it is compared with their steps, and runs with fixed steps say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

enum { BALL = 1 };
static const double MASS = 1, RADIUS = 0.1, STIFFNESS = 1e7;

/* Methods with error control: dopri5, implicit; cvode and arkode, where they are built in. */
enum { BY_DOPRI5, BY_IMPLICIT, BY_CVODE };
static const char* const METHOD_NAMES[] = {"dopri5", "implicit", "cvode", "arkode"};

static int adaptive_count(void) {
  return fb_sundials_available() ? 4 : 2;
}

static fb_collider at_place(fb_collider c, double x, double y, double z) {
  c.at[0] = x;
  c.at[1] = y;
  c.at[2] = z;
  return c;
}

/* 0.05 m thick, 3 m ahead. */
static fb_collider wall(void) {
  return at_place(shape_on(FB_WORLD, FB_COLLIDER_BOX, 0.05, 4, 4), 3, 0, 0);
}

static fb_sim* adaptive(int method, const fb_model* m, double max_step) {
  fb_sim_options options = fb_default_sim_options();
  fb_stepper stepper;
  fb_error error;
  options.method = method == BY_IMPLICIT ? FB_METHOD_IMPLICIT : FB_METHOD_DOPRI5;
  options.adaptive = 1;
  options.step = options.rtol = 0;
  options.max_step = max_step;
  if (method >= BY_CVODE) {
    const char* name = method == BY_CVODE ? "cvode" : "arkode";
    if (fb_stepper_new_sundials(name, 1e-8, 1e-8, 0, &stepper, &error)) fail_msg("%s", error.text);
    options.method = FB_METHOD_CUSTOM;
    options.stepper = &stepper;
  }
  return sim_or_fail(m, &options);
}

/* A ball that flies along x from 2 m before the origin, y aside, to side b. */
static fb_sim* thrown(fb_sim* sim, fb_contact_law law, const fb_collider* b, int nb, double y, double speed) {
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, RADIUS, 0, 0);
  fb_contact contact = contact_of(&ball, b, law, STIFFNESS, 0, 0);
  const double q[7] = {-2, y, 0, 1, 0, 0, 0}, v[6] = {speed, 0, 0, 0, 0, 3};
  contact.nb = nb;
  contact_or_fail(sim, &contact);
  start_or_fail(sim, q, v);
  return sim;
}

static void a_ball_does_not_fly_through_a_thin_wall(void** unused) {
  (void)unused;
  static const double SPEEDS[] = {0.1, 10, 60};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  const fb_collider b = wall();
  for (int i = 0; i < adaptive_count(); i++)
    for (int k = 0; k < 3; k++) {
      fb_sim* sim = thrown(adaptive(i, m, 0), FB_CONTACT_HERTZ, &b, 1, 0, SPEEDS[k]);
      run_or_fail(sim, 60 / SPEEDS[k]);
      assert_near(METHOD_NAMES[i], fb_sim_v(sim), &(double){-SPEEDS[k]}, 1, 1e-5);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* The ball flies by a post: from a graze of a thousandth of its radius to a full hit. */
static void a_ball_that_grazes_a_post_is_deflected_as_with_tiny_steps(void** unused) {
  (void)unused;
  static const double ASIDE[] = {0.3999, 0.39, 0.3, 0};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  const fb_collider post = at_place(shape_on(FB_WORLD, FB_COLLIDER_SPHERE, 0.3, 0, 0), 3, 0, 0);
  for (int k = 0; k < 4; k++) {
    fb_sim* reference = thrown(adaptive(BY_DOPRI5, m, 1e-4), FB_CONTACT_HERTZ, &post, 1, ASIDE[k], 30);
    run_or_fail(reference, 0.5);
    for (int i = 0; i < adaptive_count(); i++) {
      fb_sim* sim = thrown(adaptive(i, m, 0), FB_CONTACT_HERTZ, &post, 1, ASIDE[k], 30);
      run_or_fail(sim, 0.5);
      assert_near(METHOD_NAMES[i], fb_sim_v(sim), fb_sim_v(reference), 3, 1e-5);
      fb_sim_free(sim);
    }
    fb_sim_free(reference);
  }
  fb_model_free(m);
}

/* Without gravity, in touch with a floor all the time: the floor does not hide the wall. */
static void what_touches_already_does_not_hide_what_is_ahead(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  const fb_collider floor = at_place(shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0), 0, 0, -RADIUS),
                    b[2] = {floor, wall()};
  for (int i = 0; i < adaptive_count(); i++) {
    fb_sim* sim = thrown(adaptive(i, m, 0), FB_CONTACT_HERTZ, b, 2, 0, 20);
    run_or_fail(sim, 1);
    assert_near(METHOD_NAMES[i], fb_sim_v(sim), &(double){-20}, 1, 2e-4);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A swinging arm dips into the ground at the bottom of its swing only. */
static void a_pendulum_that_dips_into_the_ground_loses_what_its_damper_takes(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_REVOLUTE, MASS, 1);
  const fb_collider tip = at_place(shape_on(BALL, FB_COLLIDER_SPHERE, 0.01, 0, 0), 1, 0, 0),
                    post = at_place(shape_on(FB_WORLD, FB_COLLIDER_SPHERE, 0.01, 0, 0), 0, 1.0195, 0);
  fb_contact contact = contact_of(&tip, &post, FB_CONTACT_HUNT_CROSSLEY, STIFFNESS, 0.5, 0);
  double v[2];
  for (int exact = 0; exact < 2; exact++) {
    fb_sim* sim = adaptive(BY_DOPRI5, m, exact ? 1e-4 : 0);
    contact_or_fail(sim, &contact);
    start_or_fail(sim, (double[]){0}, (double[]){1});
    run_or_fail(sim, 2);
    v[exact] = fb_sim_v(sim)[0];
    fb_sim_free(sim);
  }
  assert_true(v[1] != 1);
  assert_near("rate", &v[0], &v[1], 1, 1e-5);
  fb_model_free(m);
}

/* A light ball at 30 m/s, through a wall that is too soft to stop it: the force changes sides in the middle. */
static fb_sim* piercing(fb_sim* sim, fb_contact_law law, double radius, double stiffness) {
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, radius, 0, 0), b = wall();
  const fb_contact contact = contact_of(&ball, &b, law, stiffness, 0, 0);
  contact_or_fail(sim, &contact);
  start_or_fail(sim, (double[7]){-2, 0, 0, 1}, (double[6]){30});
  return sim;
}

/* It leaves as fast as it came, since each half of the wall is a spring. implicit was off by up to 1.5 cm, and silent. */
static void a_ball_that_pierces_a_soft_wall_leaves_it_where_it_should(void** unused) {
  (void)unused;
  static const double RADII[] = {0.005, 0.02, 0.05, 0.1}, STIFFNESSES[] = {1e3, 1e4, 3e4};
  static const fb_contact_law LAWS[] = {FB_CONTACT_SPRING, FB_CONTACT_HERTZ};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  for (int i = 0; i < 24; i++) {
    const double radius = RADII[i % 4], stiffness = STIFFNESSES[i / 4 % 3];
    double x[2], v[2];
    for (int method = 0; method < 2; method++) {
      fb_sim* sim = piercing(adaptive(method, m, 0), LAWS[i / 12], radius, stiffness);
      run_or_fail(sim, 0.4);
      x[method] = fb_sim_q(sim)[0];
      v[method] = fb_sim_v(sim)[0];
      fb_sim_free(sim);
    }
    assert_near("speed, implicit", &v[BY_IMPLICIT], &(double){30}, 1, 1e-6);
    assert_near_of(1, "place, implicit", &x[BY_IMPLICIT], &x[BY_DOPRI5], 1, 2e-6);
  }
  fb_model_free(m);
}

static void a_run_with_fixed_steps_says_that_a_force_changed_sides(void** unused) {
  (void)unused;
  static const fb_method FIXED[] = {FB_METHOD_RK4, FB_METHOD_IMPLICIT, FB_METHOD_MOREAU,
                                    FB_METHOD_SEMI_IMPLICIT};
  static const double STEPS[] = {1e-3, 1e-4};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  char text[400];
  for (int i = 0; i < 8; i++) {
    fb_sim_options options = options_of(FIXED[i / 2], STEPS[i % 2]);
    fb_sim* sim = piercing(sim_or_fail(m, &options), FB_CONTACT_SPRING, 0.02, 1e3);
    run_or_fail(sim, 0.4);
    const int warned = fb_sim_warning(sim, text, sizeof text);
    if (i % 2 == 0 && !strstr(text, "its force changed sides within a step of 0.001 s")) fail_msg("%s", text);
    if (warned && i % 2 == 1) fail_msg("step %g: %s", STEPS[1], text);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_run_with_fixed_steps_says_what_it_passed_through(void** unused) {
  (void)unused;
  static const fb_method FIXED[] = {FB_METHOD_RK4, FB_METHOD_MOREAU, FB_METHOD_SEMI_IMPLICIT};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  const fb_collider b = wall();
  char text[400];
  for (int i = 0; i < 3; i++) {
    fb_sim_options options = options_of(FIXED[i], 0.1);
    fb_sim* sim = thrown(sim_or_fail(m, &options), FB_CONTACT_HERTZ, &b, 1, 0, 30);
    run_or_fail(sim, 0.1);
    assert_int_equal(fb_sim_warning(sim, text, sizeof text), 0);
    run_or_fail(sim, 0.3);
    assert_true(fb_sim_v(sim)[0] > 29);
    assert_int_equal(fb_sim_warning(sim, text, sizeof text), 1);
    if (!strstr(text, "met and parted")) fail_msg("%s", text);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A ball slides on hard ground into an elastic wall, which it touches for 3 ms. */
static void a_step_of_moreau_that_is_long_for_an_elastic_contact_is_named(void** unused) {
  (void)unused;
  static const double STEPS[] = {1e-3, 1e-5};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.004);
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, RADIUS, 0, 0), bumper = wall(),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  const double q[7] = {2.5, 0, RADIUS, 1, 0, 0, 0}, v[6] = {1};
  char text[400];
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_sim_options options = heavy_options(0, -G);
    options.method = FB_METHOD_MOREAU;
    options.step = STEPS[i];
    fb_sim* sim = sim_or_fail(m, &options);
    fb_contact hard = contact_of(&ball, &ground, FB_CONTACT_HARD, 0, 0, 0),
               soft = contact_of(&ball, &bumper, FB_CONTACT_HERTZ, STIFFNESS, 0, 0);
    soft.name = "bumper";
    if (fb_sim_add_contact(sim, &hard, NULL, &error)) fail_msg("%s", error.text);
    contact_or_fail(sim, &soft);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.6);
    assert_true(fb_sim_v(sim)[0] < -0.5);
    int warned = fb_sim_warning(sim, text, sizeof text);
    if (warned != (i == 0)) fail_msg("step %g: %s", STEPS[i], text);
    if (warned && !strstr(text, "long for these contacts")) fail_msg("%s", text);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_does_not_fly_through_a_thin_wall),
      cmocka_unit_test(a_ball_that_grazes_a_post_is_deflected_as_with_tiny_steps),
      cmocka_unit_test(what_touches_already_does_not_hide_what_is_ahead),
      cmocka_unit_test(a_pendulum_that_dips_into_the_ground_loses_what_its_damper_takes),
      cmocka_unit_test(a_ball_that_pierces_a_soft_wall_leaves_it_where_it_should),
      cmocka_unit_test(a_run_with_fixed_steps_says_that_a_force_changed_sides),
      cmocka_unit_test(a_step_of_moreau_that_is_long_for_an_elastic_contact_is_named),
      cmocka_unit_test(a_run_with_fixed_steps_says_what_it_passed_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
