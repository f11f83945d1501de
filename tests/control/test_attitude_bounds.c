/* test_attitude_bounds.c -- attitude laws at their bounds: torques in body axes, directions that stay, wheels at their speed
 * limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_rig.h"

enum { MOST_WHEELS = 4, MOST = 32 };

/* A satellite with wheels whose joints turn up to `speed`: as many axes, base axes, of any length. */
typedef struct satellite {
  fb_model* m;
  int wheels[MOST_WHEELS], count;
  int base;
  double axis[MOST_WHEELS][3]; /* of length one */
} satellite;

static satellite satellite_of(const double (*axes)[3], int count, double speed, const double* R_wj) {
  static const char* const names[MOST_WHEELS] = {"w0", "w1", "w2", "w3"};
  satellite s = {.count = count};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = -1; i < count; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i < 0 ? "hull" : names[i];
    body.parent = i < 0 ? NULL : "hull";
    body.joint.type = i < 0 ? FB_JOINT_FREE : FB_JOINT_REVOLUTE;
    if (i < 0 && R_wj) memcpy(body.joint.R, R_wj, sizeof body.joint.R);
    if (i >= 0) memcpy(body.joint.axis, axes[i], sizeof body.joint.axis);
    if (i >= 0) body.joint.speed[0] = speed;
    body.mass = i < 0 ? 100 : 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = i < 0 ? 5 + k : 0.02;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  s.m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  s.base = fb_model_find_body(s.m, "hull");
  for (int i = 0; i < count; i++) {
    double length = sqrt(axes[i][0] * axes[i][0] + axes[i][1] * axes[i][1] + axes[i][2] * axes[i][2]);
    s.wheels[i] = fb_model_find_body(s.m, names[i]);
    for (int k = 0; k < 3; k++) s.axis[i][k] = axes[i][k] / length;
  }
  return s;
}

static const double SQUARE[3][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 1}};
static const double PYRAMID[4][3] = {{1, 0, 1}, {0, 1, 1}, {-1, 0, 1}, {0, -1, 1}};

static fb_attitude_task task_of(const satellite* s, int by_wheels) {
  fb_attitude_task task = fb_default_attitude_task();
  task.body = s->base;
  if (by_wheels) task.wheels = s->wheels, task.nwheel = s->count;
  return task;
}

static fb_block block_of(const fb_model* m, const fb_attitude_task* task) {
  fb_error error;
  fb_block block;
  if (fb_block_new_attitude(m, "keeper", task, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* --- what the law does at a moment --- */

typedef struct moment {
  double q[MOST], v[MOST], tau[MOST], memory[16];
} moment;

static void start_at(const fb_model* m, const fb_block* b, moment* at) {
  fb_context context = {.model = m, .q = at->q, .v = at->v};
  assert_int_equal(b->start(b->user, &context, at->memory, NULL, NULL), FB_OK);
}

static void act_at(const fb_model* m, const fb_block* b, moment* at) {
  fb_context context = {.model = m, .q = at->q, .v = at->v};
  fb_action action = {at->tau, NULL, NULL, NULL, 0, 0};
  memset(at->tau, 0, sizeof at->tau);
  assert_int_equal(b->act(b->user, &context, at->memory, NULL, &action, NULL, NULL), FB_OK);
}

/* The base's attitude at a moment. */
static void attitude_at(const satellite* s, const moment* at, double R_wb[9]) {
  fb_data* d = fb_data_new(s->m);
  fb_kinematics(s->m, d, at->q, NULL, NULL);
  fb_frame_pose(s->m, d, s->base, NULL, R_wb);
  fb_data_free(d);
}

/* The torque on the base in body axes: of thrusters. */
static void thrust_of(const satellite* s, const moment* at, const double* R_wj, double T_b[3]) {
  double R_wb[9];
  attitude_at(s, at, R_wb);
  fb_rot_apply(R_wj, at->tau + 3, T_b);
  fb_rot_apply_transpose(R_wb, T_b, T_b);
}

/* At 45 degrees of yaw a torque along the world's x is one along body x and y: each thruster gives its own. */
static void thrusters_are_bounded_in_body_axes(void** unused) {
  (void)unused;
  double none[9], got[3], c = sqrt(0.5);
  fb_rot_identity(none);
  satellite s = satellite_of(SQUARE, 3, INFINITY, NULL);
  fb_attitude_task task = task_of(&s, 0);
  task.effort = 1;
  task.kp = 0;
  task.kd = 10;
  fb_block b = block_of(s.m, &task);
  moment at = {.q = {0}};
  fb_neutral(s.m, at.q);
  at.q[3] = cos(0.125 * 3.14159265358979324);
  at.q[6] = sin(0.125 * 3.14159265358979324);
  start_at(s.m, &b, &at);
  at.v[3] = -c, at.v[4] = -c; /* turning about body -x: T = 10 N m about body x */
  act_at(s.m, &b, &at);
  thrust_of(&s, &at, none, got);
  assert_near("body x alone", got, (const double[]){1, 0, 0}, 3, 1e-14);
  b.free(b.user);
  fb_model_free(s.m);
}

/* Random attitudes, joint frames and torques: what is within stays, each part by itself, or all by one factor. */
static void bounds_cut_parts_or_scale_the_whole(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 60; seed++) {
    fb_random r = random_seed(seed);
    double R_wj[9], free_torque[MOST_WHEELS], T_b[3];
    random_rotation(&r, R_wj);
    int by_wheels = seed % 2, n = by_wheels ? MOST_WHEELS : 3;
    satellite s = satellite_of(PYRAMID, MOST_WHEELS, INFINITY, R_wj);
    for (int how = 0; how < 2; how++) {
      fb_attitude_task task = task_of(&s, by_wheels);
      task.saturate = (fb_saturation)how;
      fb_block b = block_of(s.m, &task);
      moment at = {.q = {0}};
      fb_random_q(s.m, seed, at.q);
      start_at(s.m, &b, &at);
      fb_random_v(s.m, seed + 100, at.v);
      fb_integrate(s.m, at.q, at.v, 0.7, at.q);
      const double efforts[] = {INFINITY, 0.4, 0.01, 0, -3, NAN};
      for (int e = 0; e < 6; e++) {
        double bound = efforts[e] > 0 ? efforts[e] : 0, largest = 0, want[MOST_WHEELS];
        const double* got = by_wheels ? at.tau + 6 : T_b;
        at.memory[2] = efforts[e]; /* as an event sets it */
        act_at(s.m, &b, &at);
        thrust_of(&s, &at, R_wj, T_b);
        if (e == 0) memcpy(free_torque, got, (size_t)n * sizeof *got);
        for (int i = 0; i < n; i++) largest = worse_of(largest, fabs(free_torque[i]));
        for (int i = 0; i < n; i++)
          want[i] = how == FB_SATURATION_AXIS ? fmin(fmax(free_torque[i], -bound), bound)
                                              : free_torque[i] * fmin(1, bound / largest);
        assert_near(how ? "direction" : "axis", got, want, n, 1e-13);
      }
      b.free(b.user);
    }
    fb_model_free(s.m);
  }
}

static void a_number_that_is_none_does_not_become_a_torque(void** unused) {
  (void)unused;
  satellite s = satellite_of(SQUARE, 3, 100, NULL);
  for (int c = 0; c < 4; c++) {
    fb_attitude_task task = task_of(&s, c % 2);
    task.effort = 1;
    task.saturate = (fb_saturation)(c / 2);
    fb_block b = block_of(s.m, &task);
    moment at = {.q = {0}};
    fb_neutral(s.m, at.q);
    start_at(s.m, &b, &at);
    at.v[3] = NAN;
    act_at(s.m, &b, &at);
    assert_true(isnan(at.tau[c % 2 ? 6 : 3]));
    b.free(b.user);
  }
  fb_model_free(s.m);
}

/* --- wheels at their speed limits --- */

/* The torques of the wheels for 1 N m about a body axis, or the other way, at given wheel speeds. */
static void torques_at(const satellite* s, const double T_b[3], const double* speeds, double* tau) {
  fb_attitude_task task = task_of(s, 1);
  task.kp = 0;
  task.kd = 1;
  fb_block b = block_of(s->m, &task);
  moment at = {.q = {0}};
  fb_neutral(s->m, at.q);
  start_at(s->m, &b, &at);
  for (int k = 0; k < 3; k++) at.v[3 + k] = -T_b[k];
  for (int i = 0; i < s->count; i++) at.v[6 + i] = speeds[i];
  act_at(s->m, &b, &at);
  memcpy(tau, at.tau + 6, (size_t)s->count * sizeof *tau);
  b.free(b.user);
}

static void a_wheel_at_its_speed_limit_is_only_slowed_down(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    double T, speed, part; /* torque about x; part of the wheel's torque -T that acts */
  } cases[] = {
      {"far from it", 1, -98.9, 1},
      {"half-way through the fade", 1, -99.5, 0.9189},
      {"at it", 1, -100, 0},
      {"beyond it", 1, -130, 0},
      {"slowing down at it", 1, 100, 1},
      {"beyond, slowing", 1, 150, 1},
      {"the other way", -1, 100, 0},
      {"and slowing", -1, -100, 1},
      {"at rest", 1, 0, 1},
  };
  satellite s = satellite_of(SQUARE, 3, 100, NULL);
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    /* wheels on y and z go on as they would: T has parts for them too */
    const double T[3] = {cases[c].T, 0.5, -0.25}, speeds[3] = {cases[c].speed, 20, -20};
    double tau[3];
    torques_at(&s, T, speeds, tau);
    /* half-way, h = 0.5, it takes back most of what it lost: 1 - (1 - h) (1 - h^2 / (h + 0.05))^3 */
    assert_near(cases[c].name, tau, (const double[]){-T[0] * cases[c].part, -T[1], -T[2]}, 3, 1e-4);
    if (cases[c].part == 0) assert_true(tau[0] == 0);
  }
  fb_model_free(s.m);
}

/* One wheel of a pyramid is at its limit: the other three make the torque that is asked for. */
static void other_wheels_take_over_for_one_at_its_limit(void** unused) {
  (void)unused;
  fb_random r = random_seed(8);
  satellite s = satellite_of(PYRAMID, MOST_WHEELS, 50, NULL);
  int taken_over = 0;
  for (int round = 0; round < 200; round++) {
    double T[3], tau[MOST_WHEELS], unlimited[MOST_WHEELS], speeds[MOST_WHEELS] = {0, 10, -20, 30},
                                                           made[3] = {0};
    random_fill(&r, -1, 1, 3, T);
    torques_at(&s, T, speeds, unlimited);
    speeds[0] = round % 2 ? 50 : -50;
    torques_at(&s, T, speeds, tau);
    if (unlimited[0] * speeds[0] <= 0) { /* slowed down: nothing changes */
      assert_near("slowed down", tau, unlimited, MOST_WHEELS, 1e-14);
      continue;
    }
    taken_over++;
    assert_true(tau[0] == 0);
    for (int i = 0; i < s.count; i++)
      for (int k = 0; k < 3; k++) made[k] -= tau[i] * s.axis[i][k];
    assert_near("torque on the base", made, T, 3, 1e-2); /* three rounds, each short by a tenth or so */
  }
  assert_true(taken_over > 50);
  fb_model_free(s.m);
}

/* The torque is a continuous function of the wheels' speeds: no step of one millionth of the limit changes it by more than
 * the fade allows. */
static void torques_do_not_jump_at_the_limit(void** unused) {
  (void)unused;
  satellite s = satellite_of(PYRAMID, MOST_WHEELS, 50, NULL);
  const double T[3] = {0.3, -0.8, 0.5};
  double last[MOST_WHEELS], tau[MOST_WHEELS];
  for (int i = 0; i <= 40000; i++) {
    double x = 49 + 1.5 * i / 40000, speeds[MOST_WHEELS] = {-x, 0.9 * x, x - 0.2, -x + 0.4};
    torques_at(&s, T, speeds, tau);
    for (int k = 0; k < MOST_WHEELS && i > 0; k++) assert_true(fabs(tau[k] - last[k]) < 1e-3);
    memcpy(last, tau, sizeof tau);
  }
  fb_model_free(s.m);
}

/* --- in motion --- */

/* A constant torque from outside, which the wheels must take up until they cannot. */
static fb_status push_act(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  for (int k = 0; k < 3; k++) action->tau[3 + k] += ((const double*)user)[k];
  return FB_OK;
}

/* Runs into the limit; returns how many steps that took and the most that a wheel turned. */
static double run_into_limit(double speed, fb_method method, int adaptive, const fb_sampling* sampling,
                             double* fastest) {
  static double torque[3] = {0.02, 0.005, -0.01};
  satellite s = satellite_of(PYRAMID, MOST_WHEELS, speed, NULL);
  fb_sim_options options = options_of(method, 0.02);
  fb_error error;
  double q[MOST], v[MOST] = {0};
  options.adaptive = adaptive;
  options.rtol = 1e-8;
  options.atol = 1e-10;
  fb_sim* sim = sim_or_fail(s.m, &options);
  fb_attitude_task task = task_of(&s, 1);
  task.kp = 2;
  task.kd = 6;
  task.effort = 0.05;
  fb_block b = block_of(s.m, &task), push = fb_default_block();
  if (sampling && fb_block_new_sampled(s.m, &b, sampling, &b, &error)) fail_msg("%s", error.text);
  push.name = "push";
  push.user = torque;
  push.act = push_act;
  block_or_fail(sim, &b);
  block_or_fail(sim, &push);
  fb_neutral(s.m, q);
  start_or_fail(sim, q, v);
  *fastest = 0;
  for (int i = 1; i <= 600; i++) {
    run_or_fail(sim, 0.1 * i);
    for (int k = 0; k < s.count; k++) *fastest = worse_of(*fastest, fabs(fb_sim_v(sim)[6 + k]));
  }
  double steps = (double)fb_sim_nstep(sim);
  fb_sim_free(sim);
  fb_model_free(s.m);
  return steps;
}

static void wheels_come_to_their_limit_and_stay_without_chatter(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    fb_method method;
    int adaptive;
  } ways[] = {{"rk4", FB_METHOD_RK4, 0},
              {"euler", FB_METHOD_EULER, 0},
              {"dopri5", FB_METHOD_DOPRI5, 1},
              {"momentum", FB_METHOD_MOMENTUM, 0}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    double fastest, unlimited, steps = run_into_limit(10, ways[i].method, ways[i].adaptive, NULL, &fastest);
    double usual = run_into_limit(INFINITY, ways[i].method, ways[i].adaptive, NULL, &unlimited);
    print_message("%s: %g steps, %g without a limit; fastest %.6g, %.3g rad/s\n", ways[i].name, steps, usual,
                  fastest, unlimited);
    assert_true(unlimited > 20);
    /* a joint's rate also changes when the hull turns: not by the law, and slowly */
    assert_true(fastest > 9.9 && fastest < 10.5);
    if (ways[i].adaptive) assert_true(steps < 3 * usual);
  }
  fb_sampling sampling = fb_default_sampling();
  double fastest;
  sampling.period = 0.05;
  sampling.delay = 0.02;
  sampling.noise_q = sampling.noise_v = 1e-4;
  run_into_limit(10, FB_METHOD_RK4, 0, &sampling, &fastest);
  assert_true(fastest > 9.9 && fastest < 10.5);
}

static void bounds_that_make_no_sense_are_refused(void** unused) {
  (void)unused;
  satellite s = satellite_of(SQUARE, 3, 0, NULL);
  fb_attitude_task task = task_of(&s, 1);
  fb_error error;
  fb_block b;
  assert_int_equal(fb_block_new_attitude(s.m, "keeper", &task, &b, &error), FB_ERR_JOINT);
  assert_non_null(strstr(error.text, "\"keeper\": the model limits the speed of joint \"w0\" to 0 rad/s"));
  task = task_of(&s, 0);
  task.saturate = (fb_saturation)7;
  assert_int_equal(fb_block_new_attitude(s.m, "keeper", &task, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "saturate is 7"));
  fb_model_free(s.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thrusters_are_bounded_in_body_axes),
      cmocka_unit_test(bounds_cut_parts_or_scale_the_whole),
      cmocka_unit_test(a_number_that_is_none_does_not_become_a_torque),
      cmocka_unit_test(a_wheel_at_its_speed_limit_is_only_slowed_down),
      cmocka_unit_test(other_wheels_take_over_for_one_at_its_limit),
      cmocka_unit_test(torques_do_not_jump_at_the_limit),
      cmocka_unit_test(wheels_come_to_their_limit_and_stay_without_chatter),
      cmocka_unit_test(bounds_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
