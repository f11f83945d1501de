/* test_impact_ledger.c -- steps of moreau in which velocities jump: what depends on the velocities, as the forces of loops and of moved
 * joints do, is taken and booked before an impact with the velocities before, after it with those after, so that the ledger of
 * every tree closes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "base/cookie.h"
#include "mechanism_rig.h"

/* Three boxes in a row, each on a joint of its own to the world, and loops between neighbours. */
typedef struct row {
  const char* name;
  fb_joint_type last; /* joint of the third; the others float */
  fb_loop_type loops[2];
} row;

static const row ROWS[] = {{"welded", FB_JOINT_FREE, {FB_LOOP_WELD, FB_LOOP_WELD}},
                           {"weld and point", FB_JOINT_FREE, {FB_LOOP_WELD, FB_LOOP_POINT}},
                           {"hinges", FB_JOINT_FREE, {FB_LOOP_REVOLUTE, FB_LOOP_REVOLUTE}},
                           {"slider and hinge", FB_JOINT_FREE, {FB_LOOP_PRISMATIC, FB_LOOP_REVOLUTE}},
                           {"the last on the world", FB_JOINT_REVOLUTE, {FB_LOOP_REVOLUTE, FB_LOOP_POINT}}};

static const double ALONG = 0.4, HEIGHT = 0.45; /* from box to box; of the row at the start [m] */

static fb_model* build_row(const row* r) {
  static const char *const NAMED[] = {"b0", "b1", "b2"}, *const ENDS[] = {"e0", "e1", "e2"};
  fb_model_def* def = fb_model_def_new();
  const double slant[3] = {0.5, 1, 0.2}, none[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    fb_joint_type type = i < 2 ? FB_JOINT_FREE : r->last;
    const double at[3] = {i * ALONG, 0, HEIGHT};
    int id = put_body(def, NAMED[i], NULL, type, slant, type == FB_JOINT_FREE ? none : at, 1 + i,
                      (const double[3]){0.02, 0.01, -0.02}, (const double[3]){0.02, 0.015, 0.03});
    put_frame(def, id, ENDS[i], ALONG, 0, 0);
  }
  for (int i = 0; i < 2; i++)
    put_loop(def, r->loops[i], i ? "second" : "first", ENDS[i], NAMED[i + 1], AXIS_Y);
  return built(def);
}

/* Falls on the plane z = 0, turning; the trees may be of any joint, and the start closes the loops. */
static fb_sim* falling(const fb_model* m, int nbody, double restitution, double friction) {
  fb_sim_options options = heavy_options(0, -G);
  fb_sim* sim;
  fb_error error;
  const fb_collider plane = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_collider balls[3];
  for (int i = 0; i < nbody; i++) balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, 0.1 + 0.02 * i, 0, 0);
  fb_contact contact = contact_of(balls, &plane, FB_CONTACT_HARD, 0, 0, friction);
  contact.na = nbody;
  contact.restitution = restitution;
  options.method = FB_METHOD_MOREAU;
  options.friction_law = FB_FRICTION_STICTION;
  options.step = 1e-3;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
    fail_msg("%s", error.text);
  return sim;
}

static void throw_bodies(const fb_model* m, fb_sim* sim, int nbody) {
  double q[24], v[24] = {0};
  fb_neutral(m, q);
  for (int i = 0; i < nbody; i++) {
    int at = fb_joint_q_index(m, i + 1), rate = fb_joint_v_index(m, i + 1);
    if (fb_joint_nv(m, i + 1) < 6) continue;
    q[at] = i * ALONG;
    q[at + 2] = HEIGHT;
    v[rate + 3] = 1;
    v[rate + 4] = 2;
    v[rate + 2] = -2 * i * ALONG;
  }
  start_or_fail(sim, q, v);
}

/* Residuals of first order in the step were 3 to 400 times as large. */
static void check(fb_sim* sim, const char* name, double tolerance) {
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  assert_true(l.normal < -0.1); /* it has bounced */
  if (!(l.worst < tolerance && l.momentum_worst < tolerance &&
        fabs(l.world_residual) < tolerance * l.peak_kinetic))
    fail_msg("%s: energy is off by %.2e, momentum by %.2e, %.2e J in the world", name, l.worst,
             l.momentum_worst, l.world_residual);
  for (int k = 0; k < 3; k++) {
    double linear = l.linear[k] - l.linear_0[k] - l.impulse[k];
    if (!(fabs(linear) < tolerance * l.linear_scale))
      fail_msg("%s: momentum in the world is off by %.2e", name, linear);
  }
}

static void the_ledger_of_trees_that_loops_join_closes_over_impacts(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_model* m = build_row(&ROWS[i]);
    fb_sim* sim = falling(m, 3, 0.5, 0);
    throw_bodies(m, sim, 3);
    run_or_fail(sim, 0.6);
    check(sim, ROWS[i].name, 1e-4);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* One ball after the other comes to the ground, while those before stay there: such steps are not divided. */
static void it_closes_where_other_points_last(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_model* m = build_row(&ROWS[i]);
    fb_sim* sim = falling(m, 3, 0, 0.5);
    throw_bodies(m, sim, 3);
    run_or_fail(sim, 0.6);
    check(sim, ROWS[i].name, 1e-4);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* A hull with an arm. */
static fb_model* build_arm(double friction) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def arm = fb_default_body_def();
  fb_error error;
  put_body(def, "hull", NULL, FB_JOINT_FREE, AXIS_X, (const double[3]){0, 0, 0}, 2,
           (const double[3]){0.02, 0.01, -0.02}, (const double[3]){0.02, 0.015, 0.03});
  arm.name = "arm";
  arm.parent = "hull";
  arm.joint.type = FB_JOINT_REVOLUTE;
  memcpy(arm.joint.axis, AXIS_Y, sizeof arm.joint.axis);
  arm.joint.at[0] = 0.1;
  arm.joint.friction[0] = friction;
  arm.mass = 1;
  arm.com[0] = 0.3;
  memcpy(arm.inertia, (const double[6]){0.01, 0.02, 0.02, 0, 0, 0}, sizeof arm.inertia);
  if (fb_model_def_add_body(def, &arm, NULL, &error)) fail_msg("%s", error.text);
  return built(def);
}

/* The arm turns at a given rate, whatever the hull does. */
static void what_moves_a_joint_is_booked_before_and_after_impacts(void** unused) {
  (void)unused;
  fb_model* m = build_arm(0);
  const fb_motion rate = {FB_MOTION_RATE, 5, NULL, .cookie_ = FB_COOKIE};
  fb_sim* sim = falling(m, 1, 0.5, 0);
  fb_error error;
  int id;
  if (fb_sim_add_motion(sim, &rate, &id, &error) || fb_sim_set_joint_motion(sim, 2, id, &error))
    fail_msg("%s", error.text);
  throw_bodies(m, sim, 1);
  run_or_fail(sim, 0.6);
  check(sim, "arm", 3e-5);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* The arm runs into its stops and sticks: stiction of any joint keeps steps from being divided. */
static void it_closes_with_stops_and_stiction(void** unused) {
  (void)unused;
  for (int sticks = 0; sticks < 2; sticks++) {
    fb_model* m = build_arm(sticks ? 0.5 : 0);
    fb_sim* sim = falling(m, 1, 0.5, 0);
    fb_error error;
    for (int side = -1; side <= 1; side += 2) {
      const fb_limit stop = {
          .coordinate = 6, .side = side, .level = 0.2 * side, .restitution = 0.5, .cookie_ = FB_COOKIE};
      if (fb_sim_add_limit(sim, &stop, NULL, &error)) fail_msg("%s", error.text);
    }
    throw_bodies(m, sim, 1);
    run_or_fail(sim, 0.6);
    check(sim, sticks ? "stiction" : "stops", 3e-5);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ledger_of_trees_that_loops_join_closes_over_impacts),
      cmocka_unit_test(it_closes_where_other_points_last),
      cmocka_unit_test(what_moves_a_joint_is_booked_before_and_after_impacts),
      cmocka_unit_test(it_closes_with_stops_and_stiction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
