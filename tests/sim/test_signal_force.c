/* test_signal_force.c -- force.FRAME and torque.FRAME are what acts from outside at a frame: they sum, they turn with the
 * frame, thrusters are among them, they explain the motion, events can watch them, and reading them disturbs nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "signal_rig.h"

/* A free body of 10 kg with moments 1, 2, 3 about its origin, a turned joint frame, and a frame "tip" that is off the
 * centre and turned. */
static fb_model* hull_with_tip(void) {
  static const double rpy[3] = {0.3, -0.8, 1.9}, joint_rpy[3] = {-1.1, 0.4, 0.7};
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_frame_def tip = fb_default_frame_def();
  body.name = "hull";
  body.joint.type = FB_JOINT_FREE;
  fb_rot_from_rpy(joint_rpy, body.joint.R);
  body.joint.at[1] = 0.5;
  body.mass = 10;
  for (int i = 0; i < 3; i++) body.inertia[i] = i + 1;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  tip.name = "tip";
  tip.at[0] = 0.4;
  tip.at[2] = -0.2;
  fb_rot_from_rpy(rpy, tip.R);
  assert_int_equal(fb_model_def_add_frame(def, 1, &tip, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static const double SPIN[6] = {0.1, -0.2, 0.3, 0.9, -0.5, 0.7};
static fb_sim* start(const fb_model* m, void (*add)(fb_sim* sim, const fb_model* m)) {
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  double q[7];
  fb_neutral(m, q);
  if (add) add(sim, m);
  start_or_fail(sim, q, SPIN);
  return sim;
}

/* --- sums and axes --- */

static const double IN_WORLD[6] = {1, -2, 3, 0.4, 0.5, -0.6}, IN_FRAME[6] = {-4, 0.5, 2, 0.1, -0.2, 0.3},
                    ON_HULL[6] = {0.7, 0.8, 0.9, 0.05, 0.06, 0.07};

static void add_pushes(fb_sim* sim, const fb_model* m) {
  push(sim, m, "world", "tip", 0, IN_WORLD);
  push(sim, m, "frame", "tip", 1, IN_FRAME);
  push(sim, m, "hull", "hull", 1, ON_HULL);
}

static void wrenches_at_a_frame_add_up_in_world_axes_while_it_tumbles(void** unused) {
  (void)unused;
  fb_model* m = hull_with_tip();
  fb_sim* sim = start(m, add_pushes);
  for (int i = 0; i < 3; i++) {
    run_or_fail(sim, 0.4 * i);
    double quat[4], R[9], turned[6], x[6];
    value(sim, m, "quat.tip", 4, quat);
    fb_rot_from_quat(quat, R);
    fb_rot_apply(R, IN_FRAME, turned);
    fb_rot_apply(R, IN_FRAME + 3, turned + 3);
    for (int k = 0; k < 6; k++) turned[k] += IN_WORLD[k];
    value(sim, m, "force.tip", 3, x);
    value(sim, m, "torque.tip", 3, x + 3);
    assert_near("at the tip", x, turned, 6, 1e-14);
    value(sim, m, "quat.hull", 4, quat);
    fb_rot_from_quat(quat, R);
    fb_rot_apply(R, ON_HULL, turned);
    value(sim, m, "force.hull", 3, x);
    assert_near("at the hull", x, turned, 3, 1e-14);
    value(sim, m, "torque.hull.z", 1, x);
    fb_rot_apply(R, ON_HULL + 3, turned);
    assert_near("one component", x, turned + 2, 1, 1e-14);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- thrusters --- */

/* m a of the centre, and I w' + w x I w, in world axes. */
static void check_newton_and_euler(fb_sim* sim, const fb_model* m) {
  double a[3], w[3], alpha[3], quat[4], R[9], spin[3], rate[3], gyro[3], force[3], torque[3];
  value(sim, m, "acc.hull", 3, a);
  value(sim, m, "omega.hull", 3, w);
  value(sim, m, "alpha.hull", 3, alpha);
  value(sim, m, "quat.hull", 4, quat);
  fb_rot_from_quat(quat, R);
  fb_rot_apply_transpose(R, w, w);
  fb_rot_apply_transpose(R, alpha, alpha);
  for (int i = 0; i < 3; i++) {
    spin[i] = (i + 1) * w[i];
    rate[i] = (i + 1) * alpha[i];
    a[i] *= 10;
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    gyro[i] = rate[i] + w[j] * spin[k] - w[k] * spin[j];
  }
  fb_rot_apply(R, gyro, gyro);
  value(sim, m, "force.hull", 3, force);
  value(sim, m, "torque.hull", 3, torque);
  assert_near("m a", a, force, 3, 1e-12);
  assert_near_of(worst_of(rate, 3), "rate of spin", gyro, torque, 3, 1e-12);
}

static void add_keeper(fb_sim* sim, const fb_model* m) {
  fb_attitude_task task = fb_default_attitude_task();
  fb_block block;
  fb_error error;
  task.body = 1;
  task.kp = 3;
  task.kd = 2;
  if (fb_block_new_attitude(m, "keeper", &task, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
}

static void add_keeper_and_jet(fb_sim* sim, const fb_model* m) {
  add_keeper(sim, m);
  push(sim, m, "jet", "hull", 1, ON_HULL);
}

static void thrusters_of_an_attitude_law_are_a_torque_at_its_body(void** unused) {
  (void)unused;
  fb_model* m = hull_with_tip();
  void (*const laws[])(fb_sim*, const fb_model*) = {NULL, add_keeper, add_keeper_and_jet};
  for (int i = 0; i < 3; i++) {
    double torque[3];
    fb_sim* sim = start(m, laws[i]);
    run_or_fail(sim, 0.3);
    value(sim, m, "torque.hull", 3, torque);
    assert_int_equal(fabs(torque[0]) + fabs(torque[1]) + fabs(torque[2]) > 0.1, i > 0);
    check_newton_and_euler(sim, m);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- events --- */

static void add_turning_push(fb_sim* sim, const fb_model* m) {
  push(sim, m, "jet", "hull", 1, (const double[]){1, 0, 0, 0, 0, 0});
}

/* A jet along x of a body that turns about z at 2 rad/s: its force along the world's x is cos 2t. */
static void an_event_finds_where_a_force_crosses_a_level(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0.01);
  options.adaptive = 1;
  fb_sim* sim = sim_or_fail(m, &options);
  add_turning_push(sim, m);
  fb_event event = {.name = "across",
                    .kind = FB_TRIGGER_CROSSING,
                    .level = 0.5,
                    .direction = -1,
                    .once = 1,
                    .cookie_ = FB_COOKIE};
  int count;
  assert_int_equal(fb_signal_find(m, "force.hull.x", &event.signal, 1, &count, NULL), FB_OK);
  event_or_fail(sim, &event);
  double q[7], v[6] = {0, 0, 0, 0, 0, 2}, found = -1;
  fb_error error;
  fb_neutral(m, q);
  start_or_fail(sim, q, v);
  while (fb_sim_time(sim) < 2) {
    if (fb_sim_step(sim, 2, &error)) fail_msg("%s", error.text);
    int n;
    const fb_event_record* happened = fb_sim_event_records(sim, &n);
    for (int i = 0; i < n; i++) found = happened[i].t;
  }
  assert_near("when", &found, (const double[]){acos(0.5) / 2}, 1, 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- looking --- */

static void looking_at_forces_changes_nothing(void** unused) {
  (void)unused;
  fb_model* m = hull_with_tip();
  for (int method = 0; method < METHOD_COUNT; method++) {
    fb_sim* sims[2];
    for (int i = 0; i < 2; i++) {
      fb_sim_options options = options_of(METHODS[method], 0.01);
      double q[7];
      fb_neutral(m, q);
      sims[i] = sim_or_fail(m, &options);
      add_keeper_and_jet(sims[i], m);
      start_or_fail(sims[i], q, SPIN);
      for (int k = 1; k <= 20; k++) {
        double x[6];
        if (i == 1) value(sims[i], m, "force", 6, x);
        run_or_fail(sims[i], 0.01 * k);
        if (i == 1) value(sims[i], m, "torque", 6, x);
        if (i == 1) value(sims[i], m, "reaction", 6, x);
      }
    }
    assert_memory_equal(fb_sim_q(sims[0]), fb_sim_q(sims[1]), 7 * sizeof(double));
    assert_memory_equal(fb_sim_v(sims[0]), fb_sim_v(sims[1]), 6 * sizeof(double));
    assert_true(fb_sim_nevaluation(sims[0]) == fb_sim_nevaluation(sims[1]));
    fb_sim_free(sims[0]);
    fb_sim_free(sims[1]);
  }
  fb_model_free(m);
}

static fb_status swing_up(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  action->moved[0] = 1;
  action->vdot[0] = 2;
  return FB_OK;
}

/* The force that a moved joint takes follows from its acceleration, whether that is asked for or not. */
static void the_force_of_a_joint_that_a_block_moves_is_known(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block block = fb_default_block();
  block.name = "swing";
  block.moves = 1;
  block.act = swing_up;
  block_or_fail(sim, &block);
  start_or_fail(sim, (const double[]){0.3}, (const double[]){0});
  double tau;
  value(sim, m, "tau.bob", 1, &tau);
  assert_near("tau", &tau, (const double[]){2 + 9.81 * sin(0.3)}, 1, 1e-14);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrenches_at_a_frame_add_up_in_world_axes_while_it_tumbles),
      cmocka_unit_test(thrusters_of_an_attitude_law_are_a_torque_at_its_body),
      cmocka_unit_test(an_event_finds_where_a_force_crosses_a_level),
      cmocka_unit_test(looking_at_forces_changes_nothing),
      cmocka_unit_test(the_force_of_a_joint_that_a_block_moves_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
