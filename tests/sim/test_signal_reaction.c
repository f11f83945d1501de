/* test_signal_reaction.c -- reaction.JOINT is what a joint carries: closed forms, Newton's and Euler's laws on every body
 * of random trees with the momenta differenced, and events that watch it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "random_loops.h"
#include "signal_rig.h"

static const double G = 9.81, ORIGIN[3] = {0, 0, 0}, BELOW[3] = {0, 0, -1};

/* A point mass one metre below its joint. */
static void add_bob(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                    double mass) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis[1] = type == FB_JOINT_FIXED ? 0 : 1;
  memcpy(body.joint.at, parent ? BELOW : ORIGIN, sizeof body.joint.at);
  body.mass = mass;
  body.com[2] = -1;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

/* Masses of 1, 2 and 4 kg on hinges about y, one metre apart, and 8 kg fixed to the last. */
static fb_model* chain(int merged) {
  fb_model_def* def = fb_model_def_new();
  add_bob(def, "one", NULL, FB_JOINT_REVOLUTE, 1);
  add_bob(def, "two", "one", FB_JOINT_REVOLUTE, 2);
  add_bob(def, "four", "two", FB_JOINT_REVOLUTE, 4);
  add_bob(def, "eight", "four", FB_JOINT_FIXED, 8);
  fb_build_options options = fb_default_build_options();
  options.merge_fixed = merged;
  fb_model* m = build_or_fail(def, &options);
  fb_model_def_free(def);
  return m;
}

static fb_sim* heavy(const fb_model* m, fb_method method) {
  fb_sim_options options = options_of(method, 1e-3);
  options.environment.gravity_w[2] = -G;
  return sim_or_fail(m, &options);
}

static void check_reaction(fb_sim* sim, const fb_model* m, const char* joint, const double want[6]) {
  double got[6];
  char name[64];
  snprintf(name, sizeof name, "reaction.%s", joint);
  value(sim, m, name, 6, got);
  assert_near_of(1, joint, got, want, 6, 1e-12);
}

/* --- closed forms --- */

static void a_hanging_chain_carries_the_weight_below_each_joint(void** unused) {
  (void)unused;
  static const char* const joints[] = {"one", "two", "four", "eight"};
  static const double below[] = {15, 14, 12, 8}, side[6] = {3, 0, 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    int merged = i & 1, pulled = i >> 1;
    fb_model* m = chain(merged);
    fb_sim* sim = heavy(m, FB_METHOD_RK4);
    if (pulled)
      push(sim, m, "side", "eight", 0, side); /* at the joint of the last mass, three below the first */
    start_or_fail(sim, (const double[]){0, 0, 0}, (const double[]){0, 0, 0});
    for (int k = 0; k < 3; k++)
      assert_int_equal(fb_sim_set_joint_motion(sim, k + 1, FB_MOTION_LOCKED, NULL), FB_OK);
    for (int k = 0; k < 4; k++) {
      double arm = 3 - k, origin[3];
      char name[32];
      check_reaction(sim, m, joints[k],
                     (const double[]){pulled ? -3 : 0, 0, below[k] * G, 0, pulled ? 3 * arm : 0, 0});
      snprintf(name, sizeof name, "joint.%s", joints[k]);
      value(sim, m, name, 3, origin);
      assert_near_of(1, name, origin, (const double[]){0, 0, -k}, 3, 1e-15);
      snprintf(name, sizeof name, "com.%s", joints[k]);
      value(sim, m, name, 3, origin);
      assert_near_of(1, name, origin, (const double[]){0, 0, -k - 1}, 3, 1e-15);
    }
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* The bob is pulled towards the hinge with m w^2 r. */
static void a_mass_that_is_swung_around_pulls_with_m_w2_r(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, (const double[]){0}, (const double[]){3});
  for (int i = 0; i < 4; i++) {
    run_or_fail(sim, 0.3 * i);
    double angle = 0.9 * i;
    check_reaction(sim, m, "bob", (const double[]){9 * sin(angle), 0, 9 * cos(angle), 0, 0, 0});
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_locked_joint_carries_the_moment_of_the_weight(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim* sim = heavy(m, FB_METHOD_RK4);
  start_or_fail(sim, (const double[]){0.3}, (const double[]){0});
  double swings[6] = {
      -G * sin(0.3) * cos(0.3), 0, G * cos(0.3) * cos(0.3), 0, 0, 0}; /* free: along the rod */
  swings[0] = -swings[2] * tan(-0.3);
  check_reaction(sim, m, "bob", swings);
  assert_int_equal(fb_sim_set_joint_motion(sim, 1, FB_MOTION_LOCKED, NULL), FB_OK);
  check_reaction(sim, m, "bob", (const double[]){0, 0, G, 0, G * sin(0.3), 0});
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Rotor inertia J on a wheel of inertia I: the motor's torque accelerates both, the joint carries the wheel's share. */
static void the_torque_that_a_rotor_takes_does_not_pass_through_the_joint(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "wheel";
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[2] = 1;
  body.joint.armature[0] = 3;
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[i] = 2;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block motor;
  const fb_schedule schedule = {2, ALWAYS, (const double[]){10, 0}, 0, .cookie_ = FB_COOKIE};
  assert_int_equal(fb_block_new_joint_schedule(m, "motor", 0, &schedule, &motor, NULL), FB_OK);
  block_or_fail(sim, &motor);
  start_or_fail(sim, (const double[]){0}, (const double[]){0});
  check_reaction(sim, m, "wheel", (const double[]){0, 0, 0, 0, 0, 4}); /* 10 I / (I + J) */
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Nothing holds a free flyer, whatever its joints do. */
static void the_joint_of_a_floating_base_carries_nothing(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  state s = state_new(m, 3);
  fb_block motor;
  const fb_schedule schedule = {2, ALWAYS, (const double[]){5, 0}, 0, .cookie_ = FB_COOKIE};
  int k = fb_joint_v_index(m, fb_model_find_joint(m, "a1"));
  assert_int_equal(fb_block_new_joint_schedule(m, "motor", k, &schedule, &motor, NULL), FB_OK);
  block_or_fail(sim, &motor);
  start_or_fail(sim, s.q, s.v);
  run_or_fail(sim, 0.1);
  double base[6], arm[6];
  value(sim, m, "reaction.base", 6, base);
  value(sim, m, "reaction.a1", 6, arm);
  assert_true(worst_of(arm, 6) > 1);
  assert_near_of(worst_of(arm, 6), "base", base, (const double[6]){0}, 6, 1e-13);
  fb_sim_free(sim);
  state_free(&s);
  fb_model_free(m);
}

/* --- Newton's and Euler's laws on every body --- */

/* Momenta of a body, linear and about its centre of mass, world axes, at a state that fb_kinematics was given. */
static void momenta_of(const fb_model* m, const fb_data* d, int b, double h[6]) {
  const fb_body_def* body = fb_model_def_body(fb_model_definition(m), b);
  const double* I = body->inertia;
  double R[9], w[3], L[3];
  fb_frame_pose(m, d, fb_model_com_frame(m, b), NULL, R);
  fb_frame_velocity(m, d, fb_model_com_frame(m, b), h, w);
  fb_rot_apply_transpose(R, w, w);
  L[0] = I[0] * w[0] + I[3] * w[1] + I[4] * w[2];
  L[1] = I[3] * w[0] + I[1] * w[1] + I[5] * w[2];
  L[2] = I[4] * w[0] + I[5] * w[1] + I[2] * w[2];
  fb_rot_apply(R, L, h + 3);
  for (int i = 0; i < 3; i++) h[i] *= body->mass;
}

/* Adds a force and a torque at a point to the sum about `centre`. */
static void add_at(const double point[3], const double* wrench, double sign, const double centre[3],
                   double sum[6]) {
  const double* f = wrench;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] += sign * f[i];
    sum[3 + i] += sign * (wrench[3 + i] + (point[j] - centre[j]) * f[k] - (point[k] - centre[k]) * f[j]);
  }
}

/* Adds what joint b carries to the sum, and its size to *scale. */
static void add_joint(fb_sim* sim, const fb_model* m, int b, double sign, const double centre[3],
                      double sum[6], double* scale) {
  double wrench[6], at[3];
  char name[FB_SIGNAL_NAME_SIZE];
  snprintf(name, sizeof name, "reaction.%s", fb_joint_name(m, b));
  value(sim, m, name, 6, wrench);
  snprintf(name, sizeof name, "joint.%s", fb_joint_name(m, b));
  value(sim, m, name, 3, at);
  add_at(at, wrench, sign, centre, sum);
  *scale = worse_of(*scale, worst_of(wrench, 6));
}

/* Adds what the loops do to body b: on frame b of each at its origin, on frame a the opposite at the same point. */
static void add_loops(fb_sim* sim, const fb_model* m, int b, const double centre[3], double sum[6],
                      double* scale) {
  for (int i = 0; i < fb_model_nloop(m); i++) {
    const fb_loop_def* loop = fb_model_def_loop(fb_model_definition(m), i);
    double wrench[6], at[3];
    char name[FB_SIGNAL_NAME_SIZE];
    if (loop->type == FB_LOOP_GEAR) continue; /* it acts inside joints */
    snprintf(name, sizeof name, "loop.%s.force", loop->name);
    value(sim, m, name, 3, wrench);
    snprintf(name, sizeof name, "loop.%s.torque", loop->name);
    value(sim, m, name, 3, wrench + 3);
    snprintf(name, sizeof name, "p.%s", loop->b);
    value(sim, m, name, 3, at);
    for (int end = 0; end < 2; end++)
      if (fb_frame_body(m, fb_model_find_frame(m, end ? loop->b : loop->a)) == b)
        add_at(at, wrench, end ? 1 : -1, centre, sum);
    *scale = worse_of(*scale, worst_of(wrench, 6));
  }
}

/* Rates of all momenta [nbody][6] by differences, along the motion with the accelerations that the simulation has. */
static void rates_of(fb_sim* sim, const fb_model* m, double* rates) {
  const double h = 3e-6;
  int nv = fb_model_nv(m), nbody = fb_model_nbody(m);
  double *vdot = numbers_new(nv), *v = numbers_new(nv), *q = numbers_new(fb_model_nq(m));
  fb_data* d = fb_data_new(m);
  if (nv > 0) {
    fb_signal* signals = (fb_signal*)malloc((size_t)nv * sizeof *signals);
    assert_int_equal(fb_signal_find(m, "a", signals, nv, NULL, NULL), FB_OK);
    fb_sim_signal_values(sim, signals, nv, vdot);
    free(signals);
  }
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k < nv; k++) v[k] = fb_sim_v(sim)[k] + 0.5 * side * h * vdot[k];
    fb_integrate(m, fb_sim_q(sim), v, side * h, q);
    for (int k = 0; k < nv; k++) v[k] = fb_sim_v(sim)[k] + side * h * vdot[k];
    fb_kinematics(m, d, q, v, NULL);
    for (int b = 1; b < nbody; b++) {
      double now[6];
      momenta_of(m, d, b, now);
      for (int i = 0; i < 6; i++) rates[6 * b + i] += side * now[i] / (2 * h);
    }
  }
  fb_data_free(d);
  free(vdot);
  free(v);
  free(q);
}

static const double PUSH[6] = {4, -3, 2, 0.3, 0.2, -0.1};

static void check_bodies(fb_sim* sim, const fb_model* m, int pushed) {
  int nbody = fb_model_nbody(m);
  double* rates = numbers_new(6 * nbody);
  rates_of(sim, m, rates);
  for (int b = 1; b < nbody; b++) {
    double sum[6] = {0}, centre[3], scale = 1;
    char name[FB_SIGNAL_NAME_SIZE];
    snprintf(name, sizeof name, "com.%s", fb_body_name(m, b));
    value(sim, m, name, 3, centre);
    add_joint(sim, m, b, 1, centre, sum, &scale);
    for (int child = 1; child < nbody; child++)
      if (fb_body_parent(m, child) == b) add_joint(sim, m, child, -1, centre, sum, &scale);
    add_loops(sim, m, b, centre, sum, &scale);
    sum[2] -= G * fb_model_def_body(fb_model_definition(m), b)->mass;
    if (b == pushed) {
      double at[3];
      snprintf(name, sizeof name, "p.%s", fb_body_name(m, b));
      value(sim, m, name, 3, at);
      add_at(at, PUSH, 1, centre, sum);
    }
    /* Differences of momenta lose half of the digits. */
    assert_near_of(worse_of(scale, worst_of(rates, 6 * nbody)), name, sum, rates + 6 * b, 6, 1e-7);
  }
  free(rates);
}

static void reactions_weight_and_wrenches_are_the_rates_of_momentum_of_every_body(void** unused) {
  (void)unused;
  for (int i = 0; i < 60; i++) {
    fb_model* m = random_model((uint64_t)i + 500, 1 + i % 15);
    fb_sim* sim = heavy(m, FB_METHOD_RK4);
    state s = state_new(m, (uint64_t)i + 500);
    int pushed = 1 + i % (fb_model_nbody(m) - 1);
    push(sim, m, "push", fb_body_name(m, pushed), 0, PUSH);
    start_or_fail(sim, s.q, s.v);
    check_bodies(sim, m, pushed);
    fb_sim_free(sim);
    state_free(&s);
    fb_model_free(m);
  }
}

/* Loops of every type, redundant ones too, and gears. */
static void reactions_and_loops_are_the_rates_of_momentum_of_every_body(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    looped x = random_looped(seed);
    fb_sim* sim = heavy(x.m, FB_METHOD_RK4);
    int pushed = 1 + (int)seed % (fb_model_nbody(x.m) - 1);
    push(sim, x.m, "push", fb_body_name(x.m, pushed), 0, PUSH);
    start_or_fail(sim, x.q, x.v);
    check_bodies(sim, x.m, pushed);
    fb_sim_free(sim);
    free_looped(&x);
  }
}

/* --- events --- */

/* A pendulum let go at 0.8 rad: the rod pulls with g (3 cos q - 2 cos 0.8) for each kilogram, along itself. */
static void an_event_finds_where_a_reaction_crosses_a_level(void** unused) {
  (void)unused;
  static const fb_method methods[] = {FB_METHOD_DOPRI5, FB_METHOD_RK4};
  const double level = 10;
  fb_model* m = pendulum();
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = heavy(m, methods[i]);
    fb_event event = {.name = "taut",
                      .kind = FB_TRIGGER_CROSSING,
                      .level = level,
                      .direction = 1,
                      .once = 1,
                      .cookie_ = FB_COOKIE};
    event.signal = signal_or_fail(m, "reaction.bob.force.z");
    event_or_fail(sim, &event);
    start_or_fail(sim, (const double[]){0.8}, (const double[]){0});
    run_to_event(sim, 2);
    double q = fb_sim_q(sim)[0], pull = G * (3 * cos(q) - 2 * cos(0.8)) * cos(q);
    assert_near("there", &pull, &level, 1, 1e-9);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hanging_chain_carries_the_weight_below_each_joint),
      cmocka_unit_test(a_mass_that_is_swung_around_pulls_with_m_w2_r),
      cmocka_unit_test(a_locked_joint_carries_the_moment_of_the_weight),
      cmocka_unit_test(the_torque_that_a_rotor_takes_does_not_pass_through_the_joint),
      cmocka_unit_test(the_joint_of_a_floating_base_carries_nothing),
      cmocka_unit_test(reactions_weight_and_wrenches_are_the_rates_of_momentum_of_every_body),
      cmocka_unit_test(reactions_and_loops_are_the_rates_of_momentum_of_every_body),
      cmocka_unit_test(an_event_finds_where_a_reaction_crosses_a_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
