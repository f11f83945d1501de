/* test_elements.c -- springs, tethers and bushings between frames: closed forms, the gradient of their energy, the order of
 * the methods across slack and taut, the ledger of several trees, snapshots, parameters, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"
#include "element/element.h"
#include "signal/signal_kind.h"
#include "signal/signal_value.h"
#include "sim/access.h"

static int spring_or_fail(fb_sim* sim, const fb_spring* spring) {
  int id;
  fb_error error;
  if (fb_sim_add_spring(sim, spring, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static int bushing_or_fail(fb_sim* sim, const fb_bushing* bushing) {
  int id;
  fb_error error;
  if (fb_sim_add_bushing(sim, bushing, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* How far the ledger of the whole scene is from closing in the world's frame, where elements count as potential energy and
 * losses; fb_ledger.residual is of the trees, each by itself. */
static double world_residual(const fb_ledger* l) {
  return l->kinetic + l->potential - l->kinetic_0 - l->potential_0 - l->work - l->external + l->dissipated -
         l->impacts;
}

/* ---- two sliders of 1 kg on a line: reduced mass 0.5 kg ---- */

enum { K = 50 };
static const double LENGTH = 1, RATIO = 0.2, REDUCED = 0.5;

static fb_spring line_spring(double ratio, int slack) {
  return (fb_spring){.name = "line",
                     .a = 1,
                     .b = 2,
                     .stiffness = K,
                     .damping = 2 * ratio * sqrt(K * REDUCED),
                     .length = LENGTH,
                     .slack = slack,
                     .cookie_ = FB_COOKIE};
}

/* The distance of the sliders at the end. */
static double run_line(int method, double step, fb_spring spring, const double q[2], const double v[2],
                       double until, fb_ledger* ledger) {
  fb_model* m = sliders(2, 0, NULL);
  fb_sim* sim = sim_by(method, m, step, fb_default_sim_options());
  spring_or_fail(sim, &spring);
  start_or_fail(sim, q, v);
  run_or_fail(sim, until);
  double x = fb_sim_q(sim)[1] - fb_sim_q(sim)[0];
  if (ledger) fb_sim_ledger(sim, ledger);
  fb_sim_free(sim);
  fb_model_free(m);
  return x;
}

static void two_masses_on_a_spring_swing_as_in_the_textbook(void** unused) {
  (void)unused;
  const double q[] = {0.3, 1.5}, v[] = {0.5, 0.5}, w = sqrt(K / REDUCED), until = 2.5;
  for (int damped = 0; damped < 2; damped++) {
    double a = damped * RATIO * w, wd = sqrt(w * w - a * a);
    double x = 0.2 * exp(-a * until) * (cos(wd * until) + a / wd * sin(wd * until)) + LENGTH;
    for (int i = 0; i < method_count(); i++) {
      fb_ledger l;
      double got = run_line(i, 1e-3, line_spring(damped * RATIO, 0), q, v, until, &l);
      double tolerance = is_coarse(i) ? 5e-2 : is_middling(i) ? 2e-4 : 1e-7;
      assert_near(NAMES[i], &got, &x, 1, tolerance);
      if (is_coarse(i)) continue;
      assert_near_of(1, NAMES[i], &(double){world_residual(&l)}, &(double){0}, 1,
                     is_middling(i) ? 1e-4 : 1e-6);
      assert_true(l.external == 0 && l.worst < (is_middling(i) ? 1e-3 : 1e-6));
    }
  }
}

/* x = sin(wd t) exp(-a t) / wd until its acceleration is zero, as of a soft stop, from 0.5 m of slack at 1 m/s. */
static double tether_at(double ratio, double later, double* until) {
  double w = sqrt(K / REDUCED), a = ratio * w, wd = w * sqrt(1 - ratio * ratio);
  double t = ratio == 0 ? acos(-1) / wd : (acos(-1) - atan2(2 * a * wd, wd * wd - a * a)) / wd;
  double fade = exp(-a * t), speed = fade * (cos(wd * t) - a / wd * sin(wd * t));
  *until = 0.5 + t + later;
  return LENGTH + fade * sin(wd * t) / wd + later * speed;
}

static const double SLACK_Q[] = {0, 0.5}, SLACK_V[] = {0, 1};

static void a_tether_pulls_only_when_it_is_taut(void** unused) {
  (void)unused;
  for (int damped = 0; damped < 2; damped++) {
    double until, x = tether_at(damped * RATIO, 0.3, &until);
    for (int i = 0; i < method_count(); i++) {
      fb_ledger l;
      double got = run_line(i, 1e-3, line_spring(damped * RATIO, 1), SLACK_Q, SLACK_V, until, &l);
      assert_near(NAMES[i], &got, &x, 1, is_coarse(i) ? 3e-2 : is_middling(i) ? 3e-5 : 1e-7);
      if (damped == 0) assert_true(l.dissipated == 0);
      assert_true(l.potential == 0 && l.external == 0);
      if (is_coarse(i)) continue;
      assert_near_of(1, NAMES[i], &(double){world_residual(&l)}, &(double){0}, 1,
                     is_middling(i) ? 1e-5 : 1e-7);
    }
  }
}

static void a_tether_leaves_a_method_its_order(void** unused) {
  (void)unused;
  static const struct { int method, order; } ROWS[] = {{2, 4}, {3, 4}, {4, 5}, {5, 2}, {6, 2}};
  double until, x = tether_at(RATIO, 0.17, &until);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++)
      error[fine] = fabs(run_line(ROWS[i].method, fine ? 0.0025 : 0.01, line_spring(RATIO, 1), SLACK_Q,
                                  SLACK_V, until, NULL) -
                         x);
    double order = log(error[0] / error[1]) / log(4);
    if (!(order > ROWS[i].order - 0.5)) fail_msg("%s: order %.2f", NAMES[ROWS[i].method], order);
  }
}

static void a_spring_of_no_length_swings_through_the_point_where_its_frames_meet(void** unused) {
  (void)unused;
  const double q[] = {0, 0.2}, v[] = {0, 0}, w = sqrt(K / REDUCED);
  fb_spring spring = line_spring(0, 0);
  spring.length = 0;
  for (int i = 2; i < method_count(); i++) {
    double got = run_line(i, 1e-3, spring, q, v, 1, NULL), x = 0.2 * cos(w);
    assert_near_of(1, NAMES[i], &got, &x, 1, is_middling(i) ? 1e-4 : 1e-7);
  }
  fb_ledger l;
  spring.length = 1; /* no direction at the start, so no force */
  double still = run_line(2, 1e-2, spring, v, v, 1, &l);
  assert_true(still == 0 && l.potential == 0.5 * K);
}

/* ---- random frames on random trees ---- */

static double energy_at(const fb_model* m, fb_data* d, const fb_pair* e, const double* q) {
  fb_pair_push push;
  fb_kinematics(m, d, q, NULL, NULL);
  fb_pair_push_at(m, d, e, e->first, -1, &push);
  return push.energy;
}

/* Sum of the two wrenches about the world's origin. */
static void add_moment(const fb_model* m, const fb_data* d, const fb_wrench* w, double sum[6]) {
  double p[3];
  fb_frame_pose(m, d, w->frame, p, NULL);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] += w->force[i];
    sum[3 + i] += w->torque[i] + p[j] * w->force[k] - p[k] * w->force[j];
  }
}

static void check_pair(const fb_model* m, fb_data* d, const fb_pair* e, const state* s, const char* what) {
  static const double H = 1e-5;
  fb_pair_push push;
  int nv = fb_model_nv(m);
  double *q = numbers_new(fb_model_nq(m)), *force = numbers_new(nv), slope = 0, power = 0, sum[6] = {0};
  for (int side = -1; side <= 1; side += 2) {
    fb_integrate(m, s->q, s->v, side * H, q);
    slope += side * energy_at(m, d, e, q) / (2 * H);
  }
  fb_kinematics(m, d, s->q, s->v, NULL);
  fb_pair_push_at(m, d, e, e->first, -1, &push);
  fb_wrench w[2] = {{.frame = e->b}, {.frame = e->a}};
  memcpy(w[0].force, push.force, sizeof push.force);
  memcpy(w[0].torque, push.torque, sizeof push.torque);
  fb_pair_reaction(&push, w[1].force, w[1].torque);
  fb_wrench_forces(m, d, w, 2, force);
  for (int k = 0; k < nv; k++) power += force[k] * s->v[k];
  for (int i = 0; i < 2; i++) add_moment(m, d, &w[i], sum);
  double size = fabs(slope) + push.loss + push.energy + 1;
  assert_true(push.loss >= 0 && push.energy >= 0);
  assert_near_of(size, what, &power, &(double){-slope - push.loss}, 1, 1e-7); /* of central differences */
  assert_near_of(worst_of(push.force, 3) * 10 + worst_of(push.torque, 3), what, sum, (double[6]){0}, 6,
                 1e-13);
  free(q);
  free(force);
}

static void the_power_of_a_pair_is_what_it_stores_and_loses(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 150; seed++) {
    fb_model* m = random_model((uint64_t)seed, 6);
    fb_data* d = fb_data_new(m);
    state s = state_new(m, (uint64_t)seed);
    fb_random r = random_seed((uint64_t)seed + 1000);
    int frames = fb_model_nframe(m) + 2 * fb_model_nbody(m);
    for (int kind = 0; kind < 3; kind++) {
      fb_pair e = {.is_bushing = kind == 0, .slack = kind == 1, .a = random_index(&r, frames)};
      e.b = random_index(&r, frames); /* also twice the same body: then nothing happens */
      random_fill(&r, 0, 20, FB_BUSHING_MEMORY, e.first);
      if (kind > 0) e.first[FB_SPRING_LENGTH] = random_in(&r, 0, 2);
      check_pair(m, d, &e, &s, kind == 0 ? "bushing" : kind == 1 ? "tether" : "spring");
    }
    state_free(&s);
    fb_data_free(d);
    fb_model_free(m);
  }
}

/* ---- several trees ---- */

/* Two floating satellites, one with an arm, and a pendulum on the world. */
static fb_model* three_trees(void) {
  static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, ORIGIN[3] = {0, 0, 0}, NEXT[3] = {0.2, 0.1, 0.5};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "hull", NULL, FB_JOINT_FREE, 20, X, ORIGIN, 0);
  add_body(def, "arm", "hull", FB_JOINT_REVOLUTE, 3, Y, NEXT, 0);
  add_body(def, "hand", "arm", FB_JOINT_SPHERICAL, 2, Y, NEXT, 0);
  add_body(def, "target", NULL, FB_JOINT_FREE, 8, X, ORIGIN, 0);
  add_body(def, "mast", NULL, FB_JOINT_REVOLUTE, 5, X, NEXT, 0);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A tether from the hand to the target, a bushing from the mast to the hull, and springs to the world. */
static fb_sim* tied(int method, const fb_model* m, double step) {
  fb_sim* sim = sim_by(method, m, step, fb_default_sim_options());
  int hull = fb_model_find_body(m, "hull"), hand = fb_model_find_body(m, "hand"),
      target = fb_model_find_body(m, "target"), mast = fb_model_find_body(m, "mast");
  spring_or_fail(sim, &(fb_spring){.name = "tether",
                                   .a = hand,
                                   .b = target,
                                   .stiffness = 150,
                                   .damping = 4,
                                   .length = 1.6,
                                   .slack = 1,
                                   .cookie_ = FB_COOKIE});
  bushing_or_fail(sim, &(fb_bushing){.name = "mount",
                                     .a = mast,
                                     .b = hull,
                                     .stiffness = {90, 70, 50, 20, 30, 25},
                                     .damping = {3, 2, 1, 0.5, 1, 0.7},
                                     .cookie_ = FB_COOKIE});
  spring_or_fail(
      sim,
      &(fb_spring){
          .name = "stay", .a = target, .b = FB_WORLD, .stiffness = 5, .length = -1, .cookie_ = FB_COOKIE});
  return sim;
}

static void start_tied(fb_sim* sim) {
  const fb_model* m = fb_sim_model(sim);
  double q[32], v[32] = {0};
  fb_neutral(m, q);
  int target = fb_joint_q_index(m, fb_model_find_body(m, "target")),
      at = fb_joint_v_index(m, fb_model_find_body(m, "target"));
  q[target] = 1.5;
  q[target + 1] = 0.8;
  v[at] = 1.2;
  v[at + 4] = 0.6;
  v[fb_joint_v_index(m, fb_model_find_body(m, "hand"))] = 0.5;
  start_or_fail(sim, q, v);
}

static void the_ledger_of_trees_tied_to_each_other_closes(void** unused) {
  (void)unused;
  fb_model* m = three_trees();
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = tied(i, m, 1e-3);
    fb_ledger l;
    unsigned phases = 0;
    start_tied(sim);
    for (int n = 1; n <= 60; n++) {
      run_or_fail(sim, 0.05 * n);
      phases |= 1u << sim->element.phase[0];
    }
    fb_sim_ledger(sim, &l);
    assert_true((phases & 1) && (phases & 2)); /* it was loose and taut */
    assert_true(l.external == 0 && l.dissipated > 0.5);
    assert_near_of(l.peak_kinetic, NAMES[i], &(double){world_residual(&l)}, &(double){0}, 1,
                   is_middling(i) ? 1e-4 : 1e-6);
    for (int k = 0; k < 3; k++) /* what holds on to the world takes an impulse from there */
      assert_near_of(20, NAMES[i], &(double){l.linear[k] - l.linear_0[k]}, &l.impulse[k], 1,
                     is_middling(i) ? 1e-5 : 1e-7);
    if (!(l.worst < (is_middling(i) ? 1e-3 : 1e-6) && l.momentum_worst < (is_middling(i) ? 1e-3 : 1e-6)))
      fail_msg("%s: %g %g", NAMES[i], l.worst, l.momentum_worst);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Pairs are inner forces: what floats keeps its momentum, with the momentum method to rounding. */
static void two_floating_bodies_on_a_tether_keep_their_momentum(void** unused) {
  (void)unused;
  fb_model* m = three_trees();
  int hull = fb_model_find_body(m, "hull"), target = fb_model_find_body(m, "target");
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 2e-3, fb_default_sim_options());
    fb_ledger l;
    spring_or_fail(sim, &(fb_spring){.name = "tether",
                                     .a = hull,
                                     .b = target,
                                     .stiffness = 100,
                                     .slack = 1,
                                     .length = 1.8,
                                     .cookie_ = FB_COOKIE});
    start_tied(sim);
    run_or_fail(sim, 2);
    fb_sim_ledger(sim, &l);
    assert_near_of(1, NAMES[i], l.linear, l.linear_0, 3, i == 5 ? 1e-13 : is_middling(i) ? 1e-4 : 1e-8);
    assert_near_of(1, NAMES[i], l.angular, l.angular_0, 3, i == 5 ? 1e-11 : is_middling(i) ? 1e-4 : 1e-6);
    assert_near_of(1, NAMES[i], l.impulse, (double[6]){0}, 6, 1e-15);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_run_restored_between_slack_and_taut_ends_with_the_same_bits(void** unused) {
  (void)unused;
  fb_model* m = three_trees();
  for (int i = 0; i < method_count(); i++) {
    fb_sim *sim = tied(i, m, 0.01), *other = tied(i, m, 0.01);
    start_tied(sim);
    start_or_fail(other, NULL, NULL); /* with another length of the stay */
    assert_restores(sim, other, 0.155);
    fb_sim_free(sim);
    fb_sim_free(other);
  }
  fb_model_free(m);
}

/* ---- parameters and outputs ---- */

static void winding_a_tether_is_work_from_outside(void** unused) {
  (void)unused;
  fb_model* m = sliders(2, 0, NULL);
  fb_sim* sim = sim_by(2, m, 1e-3, fb_default_sim_options());
  fb_ledger l;
  fb_error error;
  const double q[] = {0, 1.5}, v[] = {0, 0};
  fb_spring spring = line_spring(0, 1);
  spring.length = -1;
  int id = spring_or_fail(sim, &spring);
  start_or_fail(sim, q, v);
  assert_true(fb_sim_memory(sim, id)[FB_SPRING_LENGTH] == 1.5);
  run_or_fail(sim, 0.1);
  assert_int_equal(fb_sim_set_parameter(sim, id, FB_SPRING_LENGTH, 1.3, &error), FB_OK);
  run_or_fail(sim, 1);
  assert_int_equal(fb_sim_set_parameter(sim, id, fb_sim_find_parameter(sim, id, "stiffness"), 10, &error),
                   FB_OK);
  run_or_fail(sim, 2);
  fb_sim_ledger(sim, &l);
  assert_true(l.external > 0 && l.external < 0.5 * K * 0.04);
  assert_near_of(1, "energy", &(double){world_residual(&l)}, &(double){0}, 1, 1e-9);
  assert_int_equal(fb_sim_set_parameter(sim, id, 0, -1, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "spring \"line\": its stiffness is -1; it must be finite, and 0 or more");
  fb_sim_free(sim);
  fb_model_free(m);
}

static double read_output(fb_sim* sim, int component) {
  fb_signal signal = {.kind = FB_SIGNAL_OUTPUT, .index = 0, .component = component};
  fb_error error;
  double x;
  if (fb_signal_eval(sim, fb_sim_time(sim), sim->y, &signal, 1, &x, &error)) fail_msg("%s", error.text);
  return x;
}

static void a_spring_gives_its_tension_and_its_length(void** unused) {
  (void)unused;
  static const struct {
    double x, tension;
    int slack;
  } ROWS[] = {{1.2, 0.2 * K, 0}, {0.8, -0.2 * K, 0}, {1.2, 0.2 * K, 1}, {0.8, 0, 1}};
  fb_model* m = sliders(2, 0, NULL);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_sim* sim = sim_by(2, m, 1e-3, fb_default_sim_options());
    const double q[] = {0, ROWS[i].x};
    fb_spring spring = line_spring(0, ROWS[i].slack);
    spring_or_fail(sim, &spring);
    start_or_fail(sim, q, NULL);
    const double got[] = {read_output(sim, 0), read_output(sim, 1)}, want[] = {ROWS[i].tension, ROWS[i].x};
    assert_near_of(K, "outputs", got, want, 2, 1e-14);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void the_rate_of_an_element_is_that_of_the_masses_it_moves(void** unused) {
  (void)unused;
  fb_model* m = sliders(2, 0, NULL);
  fb_data* d = fb_data_new(m);
  const double q[] = {0, 1};
  double x[2];
  int k;
  fb_pair e = {.a = 1, .b = 2};
  const double soft[] = {K, 1, 1}, damped[] = {K, 100, 1};
  fb_kinematics(m, d, q, NULL, NULL);
  fb_response_begin(m, d, q, NULL);
  assert_near("spring", &(double){fb_pair_rate(m, d, NULL, &e, soft, x, &k)}, &(double){sqrt(K / REDUCED)}, 1,
              1e-12);
  assert_near("damper", &(double){fb_pair_rate(m, d, NULL, &e, damped, x, &k)}, &(double){100 / REDUCED}, 1,
              1e-12);
  fb_pair six = {.a = 1, .b = 2, .is_bushing = 1};
  const double along[FB_BUSHING_MEMORY] = {K, 9, 9, 9, 9, 9};
  assert_near("bushing", &(double){fb_pair_rate(m, d, NULL, &six, along, x, &k)},
              &(double){sqrt(K / REDUCED)}, 1, 1e-9);
  fb_data_free(d);
  fb_model_free(m);
}

/* ---- what is refused ---- */

static void what_no_element_can_be_is_refused_with_its_name(void** unused) {
  (void)unused;
  static const struct {
    fb_spring spring;
    fb_status status;
    const char* says;
  } ROWS[] = {
      {{"s", 1, 2, -5, 0, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_ARG,
       "spring \"s\": its stiffness is -5; it must be finite, and 0 or more"},
      {{"s", 1, 2, 5, -1, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_ARG,
       "spring \"s\": its damping is -1; it must be finite, and 0 or more"},
      {{"s", 1, 2, NAN, 0, 1, 0, .cookie_ = FB_COOKIE}, FB_ERR_NOT_FINITE, "its stiffness is nan"},
      {{"s", 1, 2, 5, INFINITY, 1, 0, .cookie_ = FB_COOKIE}, FB_ERR_NOT_FINITE, "its damping is inf"},
      {{"s", 1, 2, 5, 0, NAN, 0, .cookie_ = FB_COOKIE}, FB_ERR_NOT_FINITE, "its length is nan"},
      {{"s", 1, 2, 5, 0, -INFINITY, 0, .cookie_ = FB_COOKIE}, FB_ERR_NOT_FINITE, "its length is -inf"},
      {{"s", 1, 1, 5, 0, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_ARG,
       "its frames \"s0\" and \"s0\" are on the same body"},
      {{"s", -1, 1, 5, 0, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_NAME,
       "spring \"s\": its frame a is -1, which does not exist"},
      {{"s", 1, 999, 5, 0, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_NAME,
       "its frame b is 999, which does not exist"},
      {{NULL, 1, 2, 5, 0, 1, 0, .cookie_ = FB_COOKIE}, FB_ERR_NAME, "a spring needs a name"}};
  fb_model* m = sliders(2, 0, NULL);
  fb_sim* sim = sim_by(2, m, 1e-3, fb_default_sim_options());
  fb_error error;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    assert_int_equal(fb_sim_add_spring(sim, &ROWS[i].spring, NULL, &error), ROWS[i].status);
    if (!strstr(error.text, ROWS[i].says)) fail_msg("%s", error.text);
  }
  fb_bushing bushing = fb_default_bushing();
  bushing.name = "b";
  bushing.a = 1;
  bushing.b = 2;
  bushing.damping[4] = -1;
  assert_int_equal(fb_sim_add_bushing(sim, &bushing, NULL, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "bushing \"b\": its damping.4 is -1; it must be finite, and 0 or more");
  fb_block block;
  bushing.damping[4] = 0;
  if (fb_block_new_bushing(m, &bushing, &block, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_block_new_sampled(m, &block, NULL, &block, &error), FB_ERR_ARG);
  assert_string_equal(
      error.text, "block \"b\" is an element between two frames, which acts all the time and is not sampled");
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_step_too_long_for_a_spring_is_blamed_on_it(void** unused) {
  (void)unused;
  fb_model* m = sliders(2, 0, NULL);
  fb_sim* sim = sim_by(2, m, 0.1, fb_default_sim_options());
  fb_spring spring = line_spring(0, 0);
  spring.stiffness = 1e6;
  const double q[] = {0, 1.1};
  fb_error error;
  spring_or_fail(sim, &spring);
  start_or_fail(sim, q, NULL);
  assert_int_equal(fb_sim_run_until(sim, 1e3, &error), FB_ERR_NOT_FINITE);
  if (!strstr(error.text,
              "too long for element \"line\", which acts within 0.707 ms; use cvode, or a shorter step"))
    fail_msg("%s", error.text);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_masses_on_a_spring_swing_as_in_the_textbook),
      cmocka_unit_test(a_tether_pulls_only_when_it_is_taut),
      cmocka_unit_test(a_tether_leaves_a_method_its_order),
      cmocka_unit_test(a_spring_of_no_length_swings_through_the_point_where_its_frames_meet),
      cmocka_unit_test(the_power_of_a_pair_is_what_it_stores_and_loses),
      cmocka_unit_test(the_ledger_of_trees_tied_to_each_other_closes),
      cmocka_unit_test(two_floating_bodies_on_a_tether_keep_their_momentum),
      cmocka_unit_test(a_run_restored_between_slack_and_taut_ends_with_the_same_bits),
      cmocka_unit_test(winding_a_tether_is_work_from_outside),
      cmocka_unit_test(a_spring_gives_its_tension_and_its_length),
      cmocka_unit_test(the_rate_of_an_element_is_that_of_the_masses_it_moves),
      cmocka_unit_test(what_no_element_can_be_is_refused_with_its_name),
      cmocka_unit_test(a_step_too_long_for_a_spring_is_blamed_on_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
