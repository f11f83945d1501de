/* test_compliant.c -- the normal force of compliant contacts: closed forms under every method, restitution, the gradient of
 * the energy stored between random shapes, works and ledger, snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/law/compliant.h"

enum { BALL = 1 };
static const double MASS = 2, RADIUS = 0.1;

static double ball_inertia(void) {
  return 0.4 * MASS * RADIUS * RADIUS;
}

/* A ball at height z of its centre with a vertical speed, on the ground; damped as given, without friction. */
static fb_sim* ball_sim(const fb_model* m, int method, double step, fb_contact_law law, double k, double c,
                        double z, double speed) {
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, law, k, c, 0);
  fb_sim* sim = sim_by(method, m, step, heavy_options(0, -G));
  double q[7] = {0, 0, z, 1, 0, 0, 0}, v[6] = {0, 0, speed, 0, 0, 0};
  contact_or_fail(sim, &contact);
  start_or_fail(sim, q, v);
  return sim;
}

/* Let go where it touches the ground: z = r - m g / k (1 - cos(w t)), which never leaves it. */
static void a_ball_swings_on_a_spring_about_m_g_over_k(void** unused) {
  (void)unused;
  const double k = 800, w = sqrt(k / MASS), sag = MASS * G / k, until = 2.3 * acos(-1) / w;
  fb_model* m = one_body(FB_JOINT_FREE, MASS, ball_inertia());
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = ball_sim(m, i, 1e-3, FB_CONTACT_SPRING, k, 0, RADIUS, 0);
    fb_ledger l;
    run_or_fail(sim, until);
    double z = fb_sim_q(sim)[2], want = RADIUS - sag * (1 - cos(w * until));
    double stored = k * pow(RADIUS - z, 2) / 2, work = read_signal(sim, "contact.foot.normal_work");
    assert_near_of(sag, NAMES[i], &z, &want, 1, is_coarse(i) ? 2e-2 : is_middling(i) ? 1e-4 : 1e-7);
    assert_near_of(sag * MASS * G, NAMES[i], &work, &(double){-stored}, 1,
                   is_coarse(i)     ? 5e-2
                   : is_middling(i) ? 1e-3
                                    : 1e-6);
    fb_sim_ledger(sim, &l);
    if (!is_coarse(i)) assert_true(l.worst < (is_middling(i) ? 1e-3 : 1e-6));
    assert_true(fb_sim_q(sim)[0] == 0 && fb_sim_v(sim)[3] == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_ball_comes_to_rest_where_its_weight_is_borne(void** unused) {
  (void)unused;
  static const struct {
    fb_contact_law law;
    double k, c, power;
  } ROWS[] = {{FB_CONTACT_SPRING, 2e3, 60, 1}, {FB_CONTACT_HUNT_CROSSLEY, 1e5, 5, 2 / 3.0}};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, ball_inertia());
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    for (int fixed = 0; fixed < 2; fixed++) {
      fb_sim* sim =
          ball_sim(m, fixed ? 2 : METHOD_COUNT, 1e-3, ROWS[i].law, ROWS[i].k, ROWS[i].c, 2 * RADIUS, 0);
      double depth = pow(MASS * G / ROWS[i].k, ROWS[i].power);
      run_or_fail(sim, 20);
      assert_near("gap", &(double){read_signal(sim, "contact.foot.gap")}, &(double){-depth}, 1, 1e-5);
      assert_near("normal", &(double){read_signal(sim, "contact.foot.normal")}, &(double){MASS * G}, 1, 1e-5);
      assert_near("force", &(double){read_signal(sim, "contact.foot.force.z")}, &(double){MASS * G}, 1, 1e-5);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* The depth at which a Hertzian contact bears the weight is no motion at all, and stays so. */
static void a_ball_rests_on_a_hertzian_contact_at_its_depth(void** unused) {
  (void)unused;
  const double k = 1e6, depth = pow(MASS * G / k, 2 / 3.0);
  fb_model* m = one_body(FB_JOINT_FREE, MASS, ball_inertia());
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = ball_sim(m, i, 1e-3, FB_CONTACT_HERTZ, k, 0, RADIUS - depth, 0);
    run_or_fail(sim, 0.5);
    assert_near_of(depth, NAMES[i], &(double){fb_sim_q(sim)[2]}, &(double){RADIUS - depth}, 1, 1e-7);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Without gravity: a ball that comes at 1 m/s goes at e. [Hunt 1975]: e = 1 - 2/3 c v for small c v; a spring and damper
 * that do not pull: the closed form below; Hertz: 1. */
static double speed_after(fb_contact_law law, double k, double c) {
  fb_model* m = one_body(FB_JOINT_PRISMATIC, MASS, 1);
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, law, k, c, 0);
  fb_sim* sim = sim_by(METHOD_COUNT, m, 0, fb_default_sim_options());
  contact_or_fail(sim, &contact);
  start_or_fail(sim, (double[]){2 * RADIUS}, (double[]){-1});
  run_or_fail(sim, 1);
  double speed = fb_sim_v(sim)[0], work = read_signal(sim, "contact.foot.normal_work");
  assert_true(read_signal(sim, "contact.foot.gap") > 0);
  assert_near_of(MASS, "work", &work, &(double){MASS * (speed * speed - 1) / 2}, 1, 1e-6);
  assert_true(work < 1e-6);
  fb_sim_free(sim);
  fb_model_free(m);
  return speed;
}

static void balls_bounce_as_the_laws_say(void** unused) {
  (void)unused;
  const double k = 2e5, ratio = 0.2, w = sqrt(k / MASS), c = 2 * ratio * MASS * w;
  double bend = sqrt(1 - ratio * ratio), until = atan2(2 * ratio * bend, 2 * ratio * ratio - 1);
  double spring = exp(-ratio / bend * until); /* until its force is zero */
  assert_near("hertz", &(double){speed_after(FB_CONTACT_HERTZ, k, 0)}, &(double){1}, 1, 1e-6);
  assert_near("spring", &(double){speed_after(FB_CONTACT_SPRING, k, c)}, &spring, 1, 1e-5);
  static const double SMALL[] = {0.01, 0.02, 0.04};
  for (int i = 0; i < 3; i++)
    assert_near("hunt_crossley", &(double){speed_after(FB_CONTACT_HUNT_CROSSLEY, k, SMALL[i])},
                &(double){1 - 2 * SMALL[i] / 3}, 1, SMALL[i] * SMALL[i]);
}

/* A slider on a contact of 1e8 N/m, a little too deep at first: steps of 10 ms, ten times its
 * period, are stable by the declared slopes. */
static void the_implicit_method_takes_steps_far_longer_than_a_stiff_contact(void** unused) {
  (void)unused;
  const double k = 1e8;
  fb_model* m = one_body(FB_JOINT_PRISMATIC, MASS, 1);
  const fb_collider ball = shape_on(BALL, FB_COLLIDER_SPHERE, RADIUS, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, FB_CONTACT_SPRING, k, 1e3, 0);
  fb_sim_options options = heavy_options(0, -G);
  options.method = FB_METHOD_IMPLICIT;
  options.step = 1e-2;
  fb_sim* sim = sim_or_fail(m, &options);
  contact_or_fail(sim, &contact);
  start_or_fail(sim, (double[]){RADIUS - 1.2 * MASS * G / k}, NULL);
  run_or_fail(sim, 2);
  assert_near("force", &(double){read_signal(sim, "contact.foot.normal")}, &(double){MASS * G}, 1, 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* The mobility of a corner of a free cube is 1/m + r^2/I, r from the centre to the line of the force. */
static void the_rate_of_a_contact_is_known_before_it_touches(void** unused) {
  (void)unused;
  static const struct {
    fb_contact_law law;
    double x, k, c, want;
  } ROWS[] = {{FB_CONTACT_SPRING, 0, 800, 0, 20},
              {FB_CONTACT_SPRING, 0, 800, 100, 50},
              {FB_CONTACT_SPRING, 0.3, 800, 0, 40},
              {FB_CONTACT_HERTZ, 0, 800, 0, 0}};
  fb_model* m = one_body(FB_JOINT_FREE, MASS, 0.06);
  fb_data* d = fb_data_new(m);
  const double q[7] = {1, 2, 3, 1, 0, 0, 0};
  const fb_collider ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_collider point = shape_on(BALL, FB_COLLIDER_POINT, 0, 0, 0);
    fb_contact contact = contact_of(&point, &ground, ROWS[i].law, ROWS[i].k, ROWS[i].c, 0);
    point.at[0] = ROWS[i].x;
    fb_kinematics(m, d, q, NULL, NULL);
    fb_response_begin(m, d, q, NULL);
    assert_near("rate", &(double){fb_contact_rate(m, d, NULL, &contact)}, &ROWS[i].want, 1, 1e-12);
  }
  fb_data_free(d);
  fb_model_free(m);
}

/* ---- random shapes ---- */

/* Energy stored by all points at q. */
static double energy_at(const fb_model* m, fb_data* d, const fb_contact_block* c, const double* q) {
  fb_pair_point points[64];
  double energy = 0;
  fb_kinematics(m, d, q, NULL, NULL);
  int count = fb_contact_find_points(m, d, c, 0, points, 64);
  for (int i = 0; i < count; i++) {
    double depth = -points[i].point.gap, k = c->how.stiffness;
    energy += c->how.law == FB_CONTACT_SPRING ? k * depth * depth / 2 : 0.4 * k * pow(depth, 2.5);
  }
  return energy;
}

/* What the block exerts at rest, as forces of the coordinates. */
static void forces_at(const fb_model* m, fb_data* d, const fb_block* block, const double* q, double* tau) {
  double memory[8] = {0}, state[8] = {0}, rate[8], v[64] = {0};
  fb_wrench wrenches[8];
  fb_action action = {.wrenches = wrenches, .room = block->nwrench};
  fb_context context = {.model = m, .data = d, .q = q, .v = v};
  assert_true(block->nwrench <= 8 && block->nstate <= 8 && fb_model_nv(m) <= 64);
  block->start(block->user, &context, memory, state, NULL);
  assert_int_equal(block->act(block->user, &context, memory, state, &action, rate, NULL), FB_OK);
  assert_true(rate[0] == 0 && rate[1] == 0);
  fb_wrench_forces(m, d, wrenches, action.nwrench, tau);
}

/* -dE/dq by central differences along coordinate i of v. */
static double slope_of(const fb_model* m, fb_data* d, const fb_contact_block* c, const double* q, int i) {
  static const double STEP = 1e-5;
  double energy[2], dv[64] = {0}, q1[64];
  for (int side = 0; side < 2; side++) {
    dv[i] = side ? STEP : -STEP;
    fb_integrate(m, q, dv, 1, q1);
    energy[side] = energy_at(m, d, c, q1);
  }
  return -(energy[1] - energy[0]) / (2 * STEP);
}

static void forces_are_the_gradient_of_the_energy_stored(void** unused) {
  (void)unused;
  static const fb_collider_kind KINDS[] = {FB_COLLIDER_POINT, FB_COLLIDER_SPHERE, FB_COLLIDER_CAPSULE,
                                           FB_COLLIDER_ELLIPSOID, FB_COLLIDER_BOX};
  int touched = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    fb_model* m = random_model(seed, 4);
    fb_random r = random_seed(seed);
    fb_data* d = fb_data_new(m);
    double *q = numbers_new(fb_model_nq(m)), *tau = numbers_new(fb_model_nv(m)), p[3];
    fb_random_q(m, seed, q);
    fb_kinematics(m, d, q, NULL, NULL);
    fb_collider a = shape_on(3, KINDS[seed % 5], random_in(&r, 0.2, 0.5), random_in(&r, 0.2, 0.5),
                             random_in(&r, 0.2, 0.5)),
                b = shape_on(seed % 2 ? FB_WORLD : 1, seed % 5 > 1 ? FB_COLLIDER_PLANE : FB_COLLIDER_SPHERE,
                             0.6, 0, 0);
    fb_frame_pose(m, d, b.frame, p, NULL);
    fb_contact contact = contact_of(&a, &b, seed % 3 ? FB_CONTACT_SPRING : FB_CONTACT_HERTZ, 1e3, 0, 0.5);
    fb_block block;
    fb_error error;
    if (fb_block_new_contact(m, &contact, &block, &error)) { /* all of it fixed */
      assert_int_equal(error.status, FB_ERR_ARG);
    } else {
      const fb_contact_block* c = (const fb_contact_block*)block.user;
      touched += energy_at(m, d, c, q) > 0;
      double size = 1 + energy_at(m, d, c, q);
      forces_at(m, d, &block, q, tau);
      for (int i = 0; i < fb_model_nv(m); i++)
        assert_near_of(1e3 * size, "force", &tau[i], &(double){slope_of(m, d, c, q, i)}, 1, 1e-6);
    }
    fb_block_free(&block);
    free(q);
    free(tau);
    fb_data_free(d);
    fb_model_free(m);
  }
  assert_true(touched >= 20);
}

/* ---- snapshots ---- */

/* A ball that falls, bounces and rubs on a damped spring, in units of its mass: where it is after 0.4 s, and in how many steps. */
static long long run_heavy(fb_method method, double mass, fb_friction_model friction_model, double q_end[7]) {
  const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.2, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, FB_CONTACT_SPRING, 1e5 * mass, 60 * mass, 0.2);
  contact.friction_model = friction_model;
  fb_model* m = one_body(FB_JOINT_FREE, mass, 0.016 * mass);
  fb_sim_options options = heavy_options(0, -G);
  options.method = method;
  options.step = options.rtol = 0; /* the accuracy */
  fb_sim* sim = sim_or_fail(m, &options);
  const double q[7] = {0, 0, 0.3, 1, 0, 0, 0}, v[6] = {0.3, 0, 0, 0, 0, 0};
  contact_or_fail(sim, &contact);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.4);
  memcpy(q_end, fb_sim_q(sim), 7 * sizeof *q_end);
  long long steps = fb_sim_nstep(sim);
  fb_sim_free(sim);
  fb_model_free(m);
  return steps;
}

static void masses_and_stiffnesses_scaled_together_change_nothing(void** unused) {
  (void)unused;
  static const double MASSES[] = {1e-6, 1e-3, 1e6, 1e9};
  for (int friction_model = 0; friction_model < 2; friction_model++)
    for (int k = 0; k < 2; k++) {
      fb_method method = k ? FB_METHOD_IMPLICIT : FB_METHOD_DOPRI5;
      double want[7], q[7];
      long long usual = run_heavy(method, 1, (fb_friction_model)friction_model, want);
      for (size_t i = 0; i < sizeof MASSES / sizeof *MASSES; i++) {
        double ratio =
            (double)run_heavy(method, MASSES[i], (fb_friction_model)friction_model, q) / (double)usual;
        if (!(ratio > 0.8 && ratio < 1.25)) fail_msg("%g kg: %g times the steps of 1 kg", MASSES[i], ratio);
        assert_near_of(1, "q", q, want, 7, 1e-5);
      }
    }
}

/* The last stage of an extrapolated step is at 5/6 of it: in free fall, steps become so long that the ground is first met
 * after it. */
static void nothing_falls_through_a_contact_that_begins_late_in_a_step(void** unused) {
  (void)unused;
  static const struct {
    fb_contact_law law;
    double stiffness, damping;
  } LAWS[] = {{FB_CONTACT_SPRING, 2e4, 0},
              {FB_CONTACT_SPRING, 2e4, 60},
              {FB_CONTACT_HERTZ, 2e6, 0},
              {FB_CONTACT_HUNT_CROSSLEY, 2e6, 0.3}};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.004);
  const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++)
    for (int drop = 0; drop < 10; drop++) {
      double ends[2];
      for (int k = 0; k < 2; k++) {
        fb_contact contact = contact_of(&ball, &ground, LAWS[i].law, LAWS[i].stiffness, LAWS[i].damping, 0);
        fb_sim_options options = heavy_options(0, -G);
        options.method = k ? FB_METHOD_IMPLICIT : FB_METHOD_DOPRI5;
        options.step = 0;
        options.rtol = k ? 0 : 1e-10;
        fb_sim* sim = sim_or_fail(m, &options);
        const double q[7] = {0, 0, 0.4 + 0.07 * drop, 1, 0, 0, 0}, v[6] = {0};
        contact_or_fail(sim, &contact);
        start_or_fail(sim, q, v);
        run_or_fail(sim, 1);
        ends[k] = fb_sim_q(sim)[2];
        fb_sim_free(sim);
      }
      assert_near_of(1, "height", &ends[1], &ends[0], 1, 1e-5); /* ten times the accuracy */
    }
  fb_model_free(m);
}

static void a_run_in_contact_goes_on_from_a_snapshot_to_the_same_bits(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, MASS, ball_inertia());
  for (int i = 0; i < METHOD_COUNT + 1; i++) {
    fb_sim* sims[2];
    for (int k = 0; k < 2; k++)
      sims[k] = ball_sim(m, i, 1e-3, FB_CONTACT_HUNT_CROSSLEY, 1e5, 0.3, 1.3 * RADIUS, 0);
    assert_restores(sims[0], sims[1], 0.051);
    for (int k = 0; k < 2; k++) fb_sim_free(sims[k]);
  }
  fb_model_free(m);
}

/* ---- steps that are too long ---- */

/* A ball between two plates comes back faster and faster. */
static void a_contact_that_is_too_stiff_for_the_step_is_named(void** unused) {
  (void)unused;
  static const struct {
    fb_contact_law law;
    double stiffness, damping, step;
  } CASES[] = {{FB_CONTACT_HERTZ, 1e9, 0, 1e-3},
               {FB_CONTACT_HERTZ, 1e9, 0, 1e-2},
               {FB_CONTACT_SPRING, 1e8, 1e5, 1e-3}};
  fb_model* m = one_body(FB_JOINT_PRISMATIC, 1, 0.004);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
    fb_collider plate = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
    fb_contact contact = contact_of(&ball, &plate, CASES[i].law, CASES[i].stiffness, CASES[i].damping, 0);
    fb_sim* sim = sim_by(2, m, CASES[i].step, fb_default_sim_options());
    fb_error error;
    contact_or_fail(sim, &contact);
    contact.name = "ceiling";
    plate.at[2] = 0.21;
    plate.R[4] = plate.R[8] = -1; /* upside down */
    contact_or_fail(sim, &contact);
    start_or_fail(sim, &(double){0.095}, NULL);
    assert_int_equal(fb_sim_run_until(sim, 20, &error), FB_ERR_NOT_FINITE);
    assert_non_null(strstr(error.text, "is too long for block \"contact."));
    assert_non_null(strstr(error.text, "softer contact"));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_swings_on_a_spring_about_m_g_over_k),
      cmocka_unit_test(a_ball_comes_to_rest_where_its_weight_is_borne),
      cmocka_unit_test(a_ball_rests_on_a_hertzian_contact_at_its_depth),
      cmocka_unit_test(balls_bounce_as_the_laws_say),
      cmocka_unit_test(the_implicit_method_takes_steps_far_longer_than_a_stiff_contact),
      cmocka_unit_test(the_rate_of_a_contact_is_known_before_it_touches),
      cmocka_unit_test(forces_are_the_gradient_of_the_energy_stored),
      cmocka_unit_test(masses_and_stiffnesses_scaled_together_change_nothing),
      cmocka_unit_test(nothing_falls_through_a_contact_that_begins_late_in_a_step),
      cmocka_unit_test(a_run_in_contact_goes_on_from_a_snapshot_to_the_same_bits),
      cmocka_unit_test(a_contact_that_is_too_stiff_for_the_step_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
