/* test_loop_ledger.c -- the ledger of mechanisms with loops: what loops do to each tree is booked, so that the residuals are those
 * of the method alone, and the work of all loops together is zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanism_rig.h"
#include "random_loops.h"

/* --- two chains of five boxes, whose ends are joined --- */

typedef struct scene {
  const char* name;
  fb_joint_type bases[2]; /* of the chains; FB_JOINT_FIXED: the second begins at the first chain's base */
  const char* a;          /* the end of the second chain is joined to this body */
  fb_loop_type type;
} scene;

static const scene SCENES[] = {
    {"on the world", {FB_JOINT_REVOLUTE, FB_JOINT_REVOLUTE}, "a4", FB_LOOP_POINT},
    {"floating, closed in itself", {FB_JOINT_FREE, FB_JOINT_FIXED}, "a4", FB_LOOP_REVOLUTE},
    {"two floating trees, one loop", {FB_JOINT_FREE, FB_JOINT_FREE}, "a4", FB_LOOP_REVOLUTE},
    {"two floating trees, welded", {FB_JOINT_FREE, FB_JOINT_FREE}, "a4", FB_LOOP_WELD},
    {"two floating trees, a rod", {FB_JOINT_FREE, FB_JOINT_FREE}, "a0", FB_LOOP_DISTANCE},
    {"one floats, one on the world", {FB_JOINT_REVOLUTE, FB_JOINT_FREE}, "a4", FB_LOOP_POINT},
    {"floating, tied to the world", {FB_JOINT_FREE, FB_JOINT_FIXED}, "world", FB_LOOP_DISTANCE},
    {"floating, on a plane", {FB_JOINT_FREE, FB_JOINT_FIXED}, "world", FB_LOOP_PLANAR},
};
enum { NSCENE = sizeof SCENES / sizeof *SCENES };

static void add_box(fb_model_def* def, const char* name, const char* parent, fb_joint_type type, int turn,
                    const double at[3]) {
  fb_body_def box = fb_default_body_def();
  fb_error error;
  box.name = name;
  box.parent = parent;
  box.joint.type = type;
  if (type == FB_JOINT_REVOLUTE) box.joint.axis[turn % 2 ? 1 : 2] = 1;
  memcpy(box.joint.at, at, sizeof box.joint.at);
  box.mass = 2;
  box.com[0] = 0.25;
  box.com[2] = 0.05;
  memcpy(box.inertia, (const double[6]){0.02, 0.06, 0.05, 0.001, 0, 0}, sizeof box.inertia);
  if (fb_model_def_add_body(def, &box, NULL, &error)) fail_msg("%s", error.text);
}

static fb_model* build(const scene* s) {
  fb_model_def* def = fb_model_def_new();
  char names[2][5][4];
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 5; i++) {
      int fixed = s->bases[c] == FB_JOINT_FIXED && i == 0;
      snprintf(names[c][i], sizeof names[c][i], "%c%d", 'a' + c, i);
      add_box(def, names[c][i],
              i > 0   ? names[c][i - 1]
              : fixed ? "a0"
                      : NULL,
              i > 0 ? FB_JOINT_REVOLUTE : s->bases[c], i,
              (const double[3]){i > 0 ? 0.5 : 0, 0.3 * c * (i == 0), 0});
    }
  fb_loop_def loop = fb_default_loop_def(s->type);
  fb_error error;
  loop.name = "close";
  loop.a = s->a;
  loop.b = "b4";
  if (fb_model_def_add_loop(def, &loop, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* The simulation of a scene, set in motion; the start closes the loop. */
static fb_sim* moving(const fb_model* m, fb_method method, double step) {
  fb_sim_options options = options_of(method, step);
  options.environment.gravity_w[2] = -1.5;
  fb_sim* sim = sim_or_fail(m, &options);
  state s = state_new(m, 5);
  fb_neutral(m, s.q);
  for (int i = 1; i < fb_model_nbody(m); i++)
    if (fb_joint_nv(m, i) == 1) s.q[fb_joint_q_index(m, i)] = 0.4;
  start_or_fail(sim, s.q, s.v);
  state_free(&s);
  return sim;
}

static void check(fb_sim* sim, const char* name, double tolerance) {
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  if (!(l.worst < tolerance && l.momentum_worst < tolerance &&
        fabs(l.loops) < 10 * tolerance * l.peak_kinetic))
    fail_msg("%s: worst residual of energy %.2e, of momentum %.2e; work of loops %.2e J", name, l.worst,
             l.momentum_worst, l.loops);
  for (int k = 0; k < 3; k++) { /* in the world, where loops between floating trees are inner forces */
    double linear = l.linear[k] - l.linear_0[k] - l.impulse[k];
    double angular = l.angular[k] - l.angular_0[k] - l.impulse[3 + k];
    if (fabs(linear) > 10 * tolerance * l.linear_scale || fabs(angular) > 10 * tolerance * l.angular_scale)
      fail_msg("%s: momentum in the world is off by %.2e and %.2e", name, linear, angular);
  }
}

static void the_ledger_of_loops_closes_with_every_method(void** unused) {
  (void)unused;
  static const struct {
    fb_method method;
    double step, tolerance;
  } methods[] = {{FB_METHOD_RK4, 1e-3, 1e-10},
                 {FB_METHOD_RKMK4, 1e-3, 1e-10},
                 {FB_METHOD_DOPRI5, 1e-2, 1e-8},
                 {FB_METHOD_SEMI_IMPLICIT, 1e-4, 2e-3},
                 {FB_METHOD_IMPLICIT, 1e-3, 1e-4}};
  for (int i = 0; i < NSCENE; i++) {
    fb_model* m = build(&SCENES[i]);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      fb_sim* sim = moving(m, methods[k].method, methods[k].step);
      run_or_fail(sim, 1);
      check(sim, SCENES[i].name, methods[k].tolerance);
      fb_sim_free(sim);
    }
    fb_model_free(m);
  }
}

/* What a lock does to a tree passes through the loop to the other. */
static void a_lock_in_one_tree_is_booked_in_the_tree_that_a_loop_joins_to_it(void** unused) {
  (void)unused;
  for (int i = 0; i < NSCENE; i++) {
    fb_model* m = build(&SCENES[i]);
    fb_sim* sim = moving(m, FB_METHOD_RK4, 1e-3);
    fb_error error;
    run_or_fail(sim, 0.1);
    int body = fb_model_find_body(m, "b1");
    if (fb_sim_set_joint_motion(sim, body, FB_MOTION_LOCKED, &error)) fail_msg("%s", error.text);
    fb_ledger l;
    fb_sim_ledger(sim, &l);
    assert_true(l.impacts < 0);
    run_or_fail(sim, 0.2);
    check(sim, SCENES[i].name, 1e-10);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Two floating trees that a rod ties together become one, in which the rod is a loop; later they part. */
static void the_work_of_loops_goes_on_when_trees_join_and_part(void** unused) {
  (void)unused;
  const scene rod = {"joined", {FB_JOINT_FREE, FB_JOINT_FREE}, "a0", FB_LOOP_DISTANCE};
  fb_model* m = build(&rod);
  fb_sim* sim = moving(m, FB_METHOD_RK4, 1e-3);
  fb_join_def how = fb_default_join_def();
  fb_ledger before, after;
  fb_error error;
  how.name = "catch";
  how.frame = "a2";
  how.to = "b2";
  how.type = FB_JOINT_SPHERICAL;
  how.force = 1;
  for (int i = 0; i < 2; i++) {
    run_or_fail(sim, 0.2 * (i + 1));
    fb_sim_ledger(sim, &before);
    if (i == 0 ? fb_sim_join(sim, &how, &error) : fb_sim_part(sim, "catch", &error))
      fail_msg("%s", error.text);
    fb_sim_ledger(sim, &after);
    assert_true(before.loops != 0 && after.loops == before.loops);
    fb_signal signals[] = {signal_or_fail(m, "loop.close.error"), signal_or_fail(m, "loop.close.force.x")};
    double x[2];
    fb_sim_signal_values(sim, signals, 2, x);
    assert_true(x[0] < 1e-12 && isfinite(x[1]) && x[1] != 0);
  }
  run_or_fail(sim, 0.6);
  check(sim, rod.name, 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- random trees --- */

static void the_ledger_of_random_looped_trees_closes(void** unused) {
  (void)unused;
  int count = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    looped x = random_looped_with(seed, 0);
    char name[32];
    snprintf(name, sizeof name, "seed %d", (int)seed);
    if (x.nloop > 0) {
      fb_sim_options options = options_of(FB_METHOD_RK4, 1e-4);
      fb_sim* sim = sim_or_fail(x.m, &options);
      start_or_fail(sim, x.q, x.v);
      run_or_fail(sim, 0.02);
      check(sim, name, 1e-12);
      fb_sim_free(sim);
      count++;
    }
    free_looped(&x);
  }
  assert_true(count > 30);
}

/* --- at rest --- */

/* Rods that gears hold level at height 0, in gravity; a parallelogram on a floating hull. Closing the loops leaves rates of
 * rounding, which are no motion that the ledger should judge. */
static fb_model* level_rods(void) {
  static const char* const OUTER[] = {"outer"};
  fb_model_def* def = fb_model_def_new();
  put_rod(def, "inner", NULL, AXIS_Y, (double[3]){0, 0, 0}, AXIS_X);
  put_rod(def, "outer", "inner", AXIS_Y, AXIS_X, AXIS_X);
  for (int i = 0; i < 2; i++) {
    fb_loop_def gear = fb_default_loop_def(FB_LOOP_GEAR);
    fb_error error;
    double ratio = i == 0 ? 2 : 3;
    gear.name = i == 0 ? "first" : "second";
    gear.a = "inner";
    gear.joints = OUTER;
    gear.ratios = &ratio;
    gear.njoint = 1;
    if (fb_model_def_add_loop(def, &gear, &error)) fail_msg("%s", error.text);
  }
  return built(def);
}

static fb_model* floating_parallelogram(void) {
  fb_model_def* def = fb_model_def_new();
  put_body(def, "hull", NULL, FB_JOINT_FREE, AXIS_X, (double[3]){0, 0, 0}, 10, (double[3]){0.1, 0.2, 0.3},
           (double[3]){3, 4, 5});
  put_rod(def, "crank", "hull", AXIS_Y, (double[3]){0, 0, 0}, AXIS_X);
  put_rod(def, "coupler", "crank", AXIS_Y, AXIS_X, AXIS_X);
  put_rod(def, "rocker", "hull", AXIS_Y, AXIS_X, AXIS_X);
  put_loop(def, FB_LOOP_REVOLUTE, "close", "coupler_tip", "rocker_tip", AXIS_Y);
  return built(def);
}

/* A law on the joints of the parallelogram, near where they close. */
static void hold(fb_sim* sim, const double* target) {
  fb_pd_joint joints[3];
  fb_block law;
  fb_error error;
  for (int i = 0; i < 3; i++) {
    joints[i] = fb_default_pd_joint();
    joints[i].coordinate = 6 + i;
    joints[i].kp = 300;
    joints[i].kd = 40;
    joints[i].target = target[i];
  }
  if (fb_block_new_joint_pd(fb_sim_model(sim), "hold", joints, 3, &law, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &law);
}

static void the_ledger_of_what_is_at_rest_closes(void** state) {
  (void)state;
  for (int floats = 0; floats < 2; floats++) {
    fb_model* m = floats ? floating_parallelogram() : level_rods();
    fb_sim_options options = options_of(FB_METHOD_RK4, 2e-3);
    double q[16], v[16] = {0};
    fb_ledger ledger;
    options.environment.gravity_w[2] = floats ? 0 : -9.81;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_neutral(m, q);
    if (floats) {
      q[7] = -0.7, q[8] = 0.7, q[9] = -0.7;
      hold(sim, q + 7);
    }
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.2);
    fb_sim_ledger(sim, &ledger);
    if (!(ledger.worst <= 1e-4 && ledger.momentum_worst <= 1e-4))
      fail_msg("floats %d: energy %g, momentum %g", floats, ledger.worst, ledger.momentum_worst);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ledger_of_loops_closes_with_every_method),
      cmocka_unit_test(a_lock_in_one_tree_is_booked_in_the_tree_that_a_loop_joins_to_it),
      cmocka_unit_test(the_work_of_loops_goes_on_when_trees_join_and_part),
      cmocka_unit_test(the_ledger_of_what_is_at_rest_closes),
      cmocka_unit_test(the_ledger_of_random_looped_trees_closes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
