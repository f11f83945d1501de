/* test_conserve.c -- the implicit method keeps the linear and angular momentum of what floats, to rounding: random robots with
 * loops in and between them, elements, laws, moved joints, joins and partings, gravity and thrusters.
 *
 * Second method: the momenta are summed body by body from the model's definition, about the world's origin.
 * More seeds: test_conserve COUNT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>
#include <freebody/join.h>

#include "base/cookie.h"
#include "mechanism_rig.h"
#include "capture_rig.h"
#include "random_loops.h"

static uint64_t most_seeds = 24;
static int whole, cut; /* scenes that ran to their ends, and those that could not */

/* Relative to the sum of the magnitudes over the bodies: a thousand steps of rounding. */
static const double ROUNDING = 1e-12;

static momenta momenta_at(const fb_sim* sim) {
  const fb_model* m = fb_sim_model(sim);
  moving now = {(fb_model*)(uintptr_t)m, fb_data_new(m), (double*)(uintptr_t)fb_sim_q(sim),
                (double*)(uintptr_t)fb_sim_v(sim)};
  momenta sum = momenta_of(&now, NULL);
  fb_data_free(now.d);
  return sum;
}

/* The worst change of both momenta from `was`, as parts of what the bodies have. */
static double lost(const fb_sim* sim, const momenta* was) {
  momenta now = momenta_at(sim);
  double linear = relative_error(was->size_p + now.size_p, now.p, was->p, 3),
         angular = relative_error(was->size_L + now.size_L, now.L, was->L, 3);
  return worse_of(linear, angular);
}

/* --- scenes --- */

enum { LOOPS = 1, ELEMENTS = 2, LAW = 4, MOVED = 8, JOIN = 16 };

/* Two robots, and up to two bodies by themselves: all of them float. */
static fb_model* robots(fb_random* r, uint64_t seed, int kinds) {
  fb_model* two = two_robots(r, 2 + random_index(r, 4), 1, 1);
  fb_model_def* def = fb_model_def_copy(fb_model_definition(two));
  moving s = moving_of(build_or_fail(def, NULL));
  fb_model_free(two);
  fb_random_q(s.m, seed, s.q);
  fb_kinematics(s.m, s.d, s.q, NULL, NULL);
  for (int tries = 0, n = 0; kinds & LOOPS && tries < 6 && n < 2; tries++)
    n += add_loop(r, def, s.m, s.d, s.q, n);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  moving_free(&s);
  return m;
}

static void add_elements(fb_random* r, fb_sim* sim) {
  static const char* const NAMES[] = {"first", "second"};
  for (int i = 0; i < 2; i++)
    put_spring(sim, NAMES[i], i ? "a0_grip" : "a1_grip", i ? "b1_grip" : "b0_grip", random_in(r, 5, 50), 1,
               0.5);
}

/* Torques of the joints, that of their bases left out, and a pair of wrenches between the robots. */
static fb_status wriggle(void* user, const fb_context* context, const double* memory, const double* state,
                         fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  const fb_model* m = context->model;
  for (int b = 1; b < fb_model_nbody(m); b++)
    for (int k = fb_joint_v_index(m, b);
         fb_joint_type_of(m, b) != FB_JOINT_FREE && k < fb_joint_v_index(m, b) + fb_joint_nv(m, b); k++)
      action->tau[k] += sin(3 * context->t + k) - 0.3 * context->v[k];
  double p[2][3], R[9];
  const fb_data* d = fb_context_kinematics(context);
  const int frames[2] = {fb_model_find_frame(m, "a0_grip"), fb_model_find_frame(m, "b0_grip")};
  for (int i = 0; i < 2; i++) fb_frame_pose(m, d, frames[i], p[i], R);
  for (int i = 0; i < 2; i++) {
    fb_wrench* w = fb_action_add_wrench(action);
    w->frame = frames[i];
    w->in_frame_axes = 0;
    for (int k = 0; k < 3; k++) w->force[k] = 3 * (p[!i][k] - p[i][k]);
  }
  return FB_OK;
}

static void add_law(fb_sim* sim) {
  fb_block block = fb_default_block();
  block.name = "wriggle";
  block.nwrench = 2;
  block.act = wriggle;
  block_or_fail(sim, &block);
}

static void move_a_joint(fb_sim* sim) {
  const fb_model* m = fb_sim_model(sim);
  const fb_motion rate = {FB_MOTION_RATE, 0.7, NULL, .cookie_ = FB_COOKIE};
  fb_error error;
  int id;
  if (fb_sim_add_motion(sim, &rate, &id, &error)) fail_msg("%s", error.text);
  for (int b = 1; b < fb_model_nbody(m); b++)
    if (fb_joint_nv(m, b) == 1) {
      if (fb_sim_set_motion(sim, fb_joint_v_index(m, b), id, &error)) fail_msg("%s", error.text);
      return;
    }
}

/* step: 0 for error control. */
static fb_sim* scene(const fb_model* m, fb_random* r, uint64_t seed, int kinds, fb_method method, double step,
                     const double g[3]) {
  fb_sim_options options = options_of(method, step);
  double *q = numbers_new(fb_model_nq(m)), *v = numbers_new(fb_model_nv(m));
  options.adaptive = step == 0;
  if (options.adaptive) options.rtol = 0;
  options.accuracy = 1e-3;
  memcpy(options.environment.gravity_w, g, 3 * sizeof *g);
  fb_sim* sim = sim_or_fail(m, &options);
  if (kinds & ELEMENTS) add_elements(r, sim);
  if (kinds & LAW) add_law(sim);
  if (kinds & MOVED) move_a_joint(sim);
  fb_random_q(m, seed, q);
  fb_random_v(m, seed, v);
  fb_error error;
  if (fb_sim_start(sim, q, v, &error)) {
    fb_sim_free(sim);
    sim = NULL; /* a moved joint that the loops do not allow */
  }
  free(q);
  free(v);
  return sim;
}

/* The last body of b, by its grip, wherever the two are: a weld has no place of its own. */
static fb_status join(fb_sim* sim) {
  fb_join_def how = fb_default_join_def();
  fb_error error;
  how.name = "grasp";
  how.frame = "b1_grip";
  how.to = "a1_grip";
  how.type = FB_JOINT_FIXED;
  how.force = 1;
  return fb_sim_join(sim, &how, &error);
}

static void check_scene(uint64_t seed, int kinds, double step) {
  static const double NONE[3] = {0, 0, 0};
  fb_random r = random_seed(seed + 900);
  fb_model* m = robots(&r, seed, kinds);
  fb_sim* sim = scene(m, &r, seed, kinds, FB_METHOD_IMPLICIT, step, NONE);
  fb_error error;
  double worst = 0;
  int n;
  if (!sim) {
    fb_model_free(m);
    return;
  }
  momenta was = momenta_at(sim);
  for (n = 1; n <= 20; n++) {
    if (n == 8 && kinds & JOIN && join(sim)) break; /* loops and moved joints do not allow it */
    if (n == 15 && kinds & JOIN && fb_sim_part(sim, "grasp", &error)) fail_msg("%s", error.text);
    if (fb_sim_run_until(sim, 0.05 * n, &error)) break; /* joints that are moved where loops end */
    if (!(momenta_at(sim).kinetic < 1e6)) break;        /* elements too stiff for the step */
    worst = worse_of(worst, lost(sim, &was));
  }
  n > 20 ? whole++ : cut++;
  if (!(worst < ROUNDING))
    fail_msg("seed %d, kinds %d: %.1e of the momentum is lost", (int)seed, kinds, worst);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void implicit_keeps_the_momenta_of_random_robots(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < most_seeds; seed++)
    for (int kinds = 0; kinds < 2 * JOIN; kinds += seed % 3 ? 3 : 1) check_scene(seed, kinds, 0.01);
  print_message("%d scenes, and %d that their loops ended early\n", whole, cut);
  assert_true(whole > 4 * cut);
}

static void implicit_with_error_control_keeps_them_too(void** unused) {
  (void)unused;
  whole = cut = 0;
  for (uint64_t seed = 0; seed < most_seeds; seed++) check_scene(seed, (int)(seed * 5 % (2 * JOIN)), 0);
  print_message("%d scenes, and %d that their loops ended early\n", whole, cut);
  assert_true(whole > 4 * cut);
}

/* --- what acts from outside --- */

/* P = P_0 + M g t, and c is on a parabola: L = L_0 + (c_0 t + P_0 t^2 / (2 M)) x M g. */
static void gravity_gives_the_momenta_of_a_parabola(void** unused) {
  (void)unused;
  static const double G[3] = {0.3, -1.2, -9.81};
  for (uint64_t seed = 0; seed < most_seeds; seed++) {
    fb_random r = random_seed(seed + 500);
    int kinds = (int)seed % 8;
    fb_model* m = robots(&r, seed, kinds);
    fb_sim* sim = scene(m, &r, seed, kinds, FB_METHOD_IMPLICIT, 0.01, G);
    momenta was = momenta_at(sim);
    fb_data* d = fb_data_new(m);
    double c[3], t = 1, arm[3], moment[3];
    fb_kinematics(m, d, fb_sim_q(sim), NULL, NULL);
    fb_centre_of_mass(m, d);
    double mass = fb_subtree_com(m, d, FB_WORLD, c, NULL, NULL);
    run_or_fail(sim, t);
    for (int k = 0; k < 3; k++) arm[k] = mass * c[k] * t + was.p[k] * t * t / 2;
    cross3(arm, G, moment);
    for (int k = 0; k < 3; k++) {
      was.p[k] += mass * G[k] * t;
      was.L[k] += moment[k];
    }
    double off = lost(sim, &was);
    if (!(off < ROUNDING)) fail_msg("seed %d: off by %.1e", (int)seed, off);
    fb_data_free(d);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Thrusters on the bases, fixed to them, and dampers to the world. */
static fb_status thrust(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  fb_wrench* w = fb_action_add_wrench(action);
  w->frame = fb_model_find_frame(context->model, "a1_grip");
  w->in_frame_axes = 1;
  w->force[0] = 8;
  w->torque[2] = sin(context->t);
  for (int k = 0; k < 6; k++) action->tau[k] -= 0.4 * context->v[k];
  return FB_OK;
}

static void thrusters_change_the_momenta_by_the_impulse_that_is_booked(void** unused) {
  (void)unused;
  static const double G[3] = {0, 0, -1.6};
  uint64_t ended = 0;
  for (uint64_t seed = 0; seed < most_seeds; seed++) {
    fb_random r = random_seed(seed + 700);
    fb_model* m = robots(&r, seed, (int)seed % 2);
    fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0.01);
    memcpy(options.environment.gravity_w, G, sizeof G);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_block block = fb_default_block();
    double *q = numbers_new(fb_model_nq(m)), *v = numbers_new(fb_model_nv(m));
    block.name = "thrust";
    block.nwrench = 1;
    block.act = thrust;
    block_or_fail(sim, &block);
    if (seed % 4 < 2) add_elements(&r, sim);
    fb_random_q(m, seed, q);
    fb_random_v(m, seed, v);
    start_or_fail(sim, q, v);
    momenta was = momenta_at(sim);
    fb_error error;
    fb_ledger l;
    if (fb_sim_run_until(sim, 1,
                         &error)) { /* a mechanism came to its end, or thrust made it too fast for the step */
      if (seed < 24) fail_msg("seed %d: %s", (int)seed, error.text);
      ended++;
    }
    fb_sim_ledger(sim, &l);
    for (int k = 0; k < 3; k++) {
      was.p[k] += l.impulse[k];
      was.L[k] += l.impulse[3 + k];
    }
    double off = momenta_at(sim).kinetic < 1e6 ? lost(sim, &was) : 0;
    if (!(off < ROUNDING)) fail_msg("seed %d: off by %.1e", (int)seed, off);
    free(q);
    free(v);
    fb_sim_free(sim);
    fb_model_free(m);
  }
  assert_true(20 * ended <= most_seeds);
}

/* --- stiff joints and many steps --- */

/* h lambda from 1 to 1e8: the correction does not excite what the slopes bring to rest. */
static void stiff_joints_on_a_floating_base_come_to_rest_and_the_momenta_stay(void** unused) {
  (void)unused;
  static const double DAMPING[] = {1e2, 1e6, 1e10};
  for (int i = 0; i < 3; i++) {
    fb_model_def* def = fb_model_def_new();
    const double none[3] = {0, 0, 0}, com[3] = {0.2, 0.1, 0.3}, moments[3] = {2, 3, 4}, at[3] = {0.5, 0, 0.2};
    put_body(def, "hull", NULL, FB_JOINT_FREE, AXIS_Y, none, 10, com, moments);
    fb_body_def flap = fb_default_body_def();
    fb_error error;
    flap.name = "flap";
    flap.parent = "hull";
    flap.joint.type = FB_JOINT_REVOLUTE;
    memcpy(flap.joint.axis, AXIS_X, sizeof AXIS_X);
    memcpy(flap.joint.at, at, sizeof at);
    flap.joint.damping[0] = DAMPING[i];
    flap.joint.stiffness[0] = 10 * DAMPING[i];
    flap.mass = 2;
    memcpy(flap.com, com, sizeof com);
    memcpy(flap.inertia, moments, sizeof moments);
    if (fb_model_def_add_body(def, &flap, NULL, &error)) fail_msg("%s", error.text);
    fb_model* m = built(def);
    double *q = numbers_new(fb_model_nq(m)), v[7] = {1, 2, -1, 0.7, -0.4, 1.1, 3}, worst = 0;
    fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0.01);
    fb_neutral(m, q);
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, q, v);
    momenta was = momenta_at(sim);
    for (int n = 1; n <= 20; n++) {
      run_or_fail(sim, 5.0 * n); /* ten thousand steps */
      worst = worse_of(worst, lost(sim, &was));
    }
    print_message("damping %.0e: %.1e of the momentum is lost in 1e4 steps, the joint moves at %.1e rad/s\n",
                  DAMPING[i], worst, fb_sim_v(sim)[6]);
    assert_true(worst < ROUNDING);
    assert_true(fabs(fb_sim_v(sim)[6]) < 0.2);
    fb_sim_free(sim);
    free(q);
    fb_model_free(m);
  }
}

/* --- the cases that were reported --- */

/* A square of rods, hinged, on a rod that floats; thrown so that it folds. */
static void a_floating_four_bar_keeps_its_momentum(void** unused) {
  (void)unused;
  const double none[3] = {0, 0, 0}, half[3] = {0.5, 0, 0}, up[3] = {0, 0, 1};
  const double thin[3] = {1e-3, 1.0 / 12, 1.0 / 12};
  fb_model_def* def = fb_model_def_new();
  int ground = put_body(def, "ground", NULL, FB_JOINT_FREE, AXIS_Y, none, 1, half, thin);
  put_frame(def, ground, "ground_tip", 1, 0, 0);
  put_rod(def, "crank", "ground", AXIS_Y, none, up);
  put_rod(def, "coupler", "crank", AXIS_Y, up, AXIS_X);
  put_rod(def, "rocker", "coupler", AXIS_Y, AXIS_X, (double[3]){0, 0, -1});
  put_loop(def, FB_LOOP_REVOLUTE, "close", "ground_tip", "rocker_tip", AXIS_Y);
  fb_model* m = built(def);
  double *q = numbers_new(fb_model_nq(m)), v[9] = {0.4, -0.2, 0.3, 0.1, 2, -0.3, 6, -6, 6}, worst = 0;
  fb_sim_options options = options_of(FB_METHOD_IMPLICIT, 0.01);
  fb_neutral(m, q);
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, q, v);
  momenta was = momenta_at(sim);
  for (int n = 1; n <= 100; n++) {
    run_or_fail(sim, 0.05 * n);
    worst = worse_of(worst, lost(sim, &was));
  }
  print_message("floating four-bar: %.1e of its momentum is lost in 5 s\n", worst);
  assert_true(worst < ROUNDING);
  fb_sim_free(sim);
  free(q);
  fb_model_free(m);
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(implicit_keeps_the_momenta_of_random_robots),
      cmocka_unit_test(implicit_with_error_control_keeps_them_too),
      cmocka_unit_test(gravity_gives_the_momenta_of_a_parabola),
      cmocka_unit_test(thrusters_change_the_momenta_by_the_impulse_that_is_booked),
      cmocka_unit_test(stiff_joints_on_a_floating_base_come_to_rest_and_the_momenta_stay),
      cmocka_unit_test(a_floating_four_bar_keeps_its_momentum),
  };
  if (argc > 1) most_seeds = strtoull(argv[1], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
