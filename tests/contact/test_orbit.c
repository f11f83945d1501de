/* test_orbit.c -- compliant contacts and elements between bodies in orbit: 7000 km from the origin, where positions are
 * rounded to 1e-9 m, and at 7.5 km/s, they do what they do at rest at the origin, in as many steps, and nothing is warned of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "base/cookie.h"

enum { A = 1, B, Q_B = 7, V_B = 6 };
static const double RADIUS = 0.1;
static const double FAR[3] = {7e6, 1e5, -2e5}, FAST[3] = {7500, 300, -200};

static void no_contact(fb_sim* sim) {
  (void)sim;
}

static fb_model* two_balls(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.joint.type = FB_JOINT_FREE;
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.4 * RADIUS * RADIUS;
  for (int i = 0; i < 2; i++) {
    body.name = i ? "b" : "a";
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* What acts between the two. */
typedef void tie(fb_sim* sim);

static void touch_by(fb_sim* sim, fb_contact_law law, double k, double c, double friction,
                     fb_friction_model friction_model) {
  const fb_collider a = shape_on(A, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    b = shape_on(B, FB_COLLIDER_SPHERE, RADIUS, 0, 0);
  fb_contact contact = contact_of(&a, &b, law, k, c, friction);
  contact.friction_model = friction_model;
  contact_or_fail(sim, &contact);
}

static void hertz(fb_sim* sim) {
  touch_by(sim, FB_CONTACT_HERTZ, 1e6, 0, 0, FB_FRICTION_MODEL_REGULARISED);
}
static void spring(fb_sim* sim) {
  touch_by(sim, FB_CONTACT_SPRING, 1e5, 0, 0, FB_FRICTION_MODEL_REGULARISED);
}
static void hunt_crossley(fb_sim* sim) {
  touch_by(sim, FB_CONTACT_HUNT_CROSSLEY, 1e6, 0.3, 0, FB_FRICTION_MODEL_REGULARISED);
}
static void rubs(fb_sim* sim) {
  touch_by(sim, FB_CONTACT_HERTZ, 1e6, 0, 0.3, FB_FRICTION_MODEL_REGULARISED);
}
static void bristle(fb_sim* sim) {
  touch_by(sim, FB_CONTACT_HERTZ, 1e6, 0, 0.3, FB_FRICTION_MODEL_BRISTLE);
}

static void element(fb_sim* sim) {
  fb_error error;
  const fb_spring line = {
      .name = "line", .a = A, .b = B, .stiffness = 1e5, .damping = 1, .length = 0.6, .cookie_ = FB_COOKIE};
  if (fb_sim_add_spring(sim, &line, NULL, &error)) fail_msg("%s", error.text);
}

static void bushing(fb_sim* sim) {
  fb_error error;
  fb_bushing mount = {.name = "mount", .a = A, .b = B, .cookie_ = FB_COOKIE};
  for (int i = 0; i < 6; i++) mount.stiffness[i] = i < 3 ? 1e4 : 10;
  if (fb_sim_add_bushing(sim, &mount, NULL, &error)) fail_msg("%s", error.text);
}

/* Towards each other at 2 m/s, 5 cm off their line; `far` and `fast` for all. */
static fb_sim* run_two(const fb_model* m, tie* acts, const double far[3], const double fast[3],
                       double until) {
  fb_sim_options options = fb_default_sim_options();
  double q[14] = {-0.3, 0, 0, 1, 0, 0, 0, 0.3, 0.05, 0, 1, 0, 0, 0}, v[12] = {1, 0, 0, 0, 0, 0, -1};
  options.method = FB_METHOD_DOPRI5;
  options.rtol = 0;
  fb_sim* sim = sim_or_fail(m, &options);
  acts(sim);
  for (int i = 0; i < 3; i++) {
    q[i] += far[i];
    q[Q_B + i] += far[i];
    v[i] += fast[i];
    v[V_B + i] += fast[i];
  }
  start_or_fail(sim, q, v);
  run_or_fail(sim, until);
  return sim;
}

static void bodies_in_orbit_do_to_each_other_what_they_do_at_the_origin(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    tie* acts;
    double until, tolerance; /* of the runs, whose accuracy is 1e-6 of 0.1 m */
  } ROWS[] = {{"free", no_contact, 0.5, 1e-8}, {"hertz", hertz, 0.5, 2e-8},
              {"spring", spring, 0.5, 2e-8},   {"hunt_crossley", hunt_crossley, 0.5, 2e-7},
              {"rubs", rubs, 0.4, 5e-8},       {"bristle", bristle, 0.4, 2e-7},
              {"element", element, 0.3, 2e-7}, {"bushing", bushing, 0.3, 2e-7}};
  static const double HERE[3] = {0, 0, 0};
  fb_model* m = two_balls();
  for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
    fb_sim *near = run_two(m, ROWS[r].acts, HERE, HERE, ROWS[r].until),
           *away = run_two(m, ROWS[r].acts, FAR, FAST, ROWS[r].until);
    double apart[6], want[6], since;
    for (int i = 0; i < 3; i++) {
      want[i] = fb_sim_q(near)[Q_B + i] - fb_sim_q(near)[i];
      apart[i] = fb_sim_q(away)[Q_B + i] - fb_sim_q(away)[i];
      want[3 + i] = fb_sim_v(near)[V_B + i] - fb_sim_v(near)[i];
      apart[3 + i] = fb_sim_v(away)[V_B + i] - fb_sim_v(away)[i];
    }
    assert_near_of(1, ROWS[r].name, apart, want, 3, ROWS[r].tolerance);
    assert_near_of(1, ROWS[r].name, apart + 3, want + 3, 3, 10 * ROWS[r].tolerance);
    assert_true(fb_sim_error_estimate(away, &since) < 1e-5 && isinf(since));
    if ((double)fb_sim_nstep(away) > 1.15 * (double)fb_sim_nstep(near) + 5)
      fail_msg("%s: %lld steps in orbit, %lld at the origin", ROWS[r].name, fb_sim_nstep(away),
               fb_sim_nstep(near));
    fb_sim_free(near);
    fb_sim_free(away);
  }
  fb_model_free(m);
}

/* The place of a contact is given in the world, as everything. */
static void the_point_of_a_contact_in_orbit_is_in_the_world(void** unused) {
  (void)unused;
  static const double AT_REST[3] = {0, 0, 0};
  fb_model* m = two_balls();
  fb_sim* sim = run_two(m, hertz, FAR, AT_REST, 0.205);
  const double* q = fb_sim_q(sim);
  double middle[3] = {(q[0] + q[Q_B]) / 2, (q[1] + q[Q_B + 1]) / 2, (q[2] + q[Q_B + 2]) / 2};
  assert_true(read_signal(sim, "contact.foot.normal") > 0);
  const double point[3] = {read_signal(sim, "contact.foot.point.x"), read_signal(sim, "contact.foot.point.y"),
                           read_signal(sim, "contact.foot.point.z")};
  for (int i = 0; i < 3; i++) assert_true(fabs(point[i] - middle[i]) < 0.01); /* the depth */
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Two bodies apart drift towards each other at 0.3 mm/s. The sum of 20 000 rounded steps would be off by up to 1e-5 m. */
static void rounding_of_steps_in_orbit_does_not_add_up(void** unused) {
  (void)unused;
  const double until = 20, q[14] = {7e6, 0, 0, 1, 0, 0, 0, 7e6 + 1, 0.1, 0.05, 1, 0, 0, 0},
               v[12] = {0, 7500, 0, 0, 0, 0, -3e-4, 7500, 1e-4, 0, 0, 0};
  fb_model* m = two_balls();
  for (int i = 0; i <= METHOD_COUNT; i++) {
    fb_sim_options options = options_of(i < METHOD_COUNT ? METHODS[i] : FB_METHOD_MOREAU, 1e-3);
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, q, v);
    run_or_fail(sim, until);
    for (int k = 0; k < 3; k++) {
      double apart = fb_sim_q(sim)[Q_B + k] - fb_sim_q(sim)[k],
             want = q[Q_B + k] - q[k] + until * (v[V_B + k] - v[k]);
      if (!(fabs(apart - want) < 3e-9)) /* two roundings */
        fail_msg("%s: %g of %g m", fb_method_name(options.method), apart - want, want);
    }
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_in_orbit_do_to_each_other_what_they_do_at_the_origin),
      cmocka_unit_test(rounding_of_steps_in_orbit_does_not_add_up),
      cmocka_unit_test(the_point_of_a_contact_in_orbit_is_in_the_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
