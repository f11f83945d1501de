/* test_floating_loops.c -- free-floating robots with loops: two arms of a satellite that hold one payload. The rates found keep
 * the loop closed, move a frame as wanted, conserve momentum, and leave the base alone where they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/rows.h"
#include "near.h"
#include "random_loops.h"

enum { ARM = 7, NJ = 2 * ARM, NV = NJ + 6, SEEDS = 30 };

/* A satellite with two arms of revolute joints about random axes. The first holds a payload; a frame on it is at the hand of the
 * second, which a loop joins to it. */
typedef struct grip {
  fb_model* m;
  fb_data* d;
  fb_floating* f;
  double q[NV + 1], v[NV];
  int hand; /* a frame on the payload that neither arm touches */
} grip;

static void add_body(fb_random* r, fb_model_def* def, const char* name, const char* parent,
                     fb_joint_type type, double mass) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  if (type == FB_JOINT_REVOLUTE) random_fill(r, -1, 1, 3, body.joint.axis);
  random_fill(r, -0.6, 0.6, 3, body.joint.at);
  body.mass = mass;
  random_fill(r, -0.3, 0.3, 3, body.com);
  random_inertia(r, mass, body.inertia);
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

static fb_model_def* two_arms(fb_random* r) {
  fb_model_def* def = fb_model_def_new();
  fb_frame_def tool = fb_default_frame_def();
  add_body(r, def, "base", NULL, FB_JOINT_FREE, 200);
  for (int arm = 0; arm < 2; arm++)
    for (int i = 0; i < ARM; i++) {
      char name[8], parent[8];
      snprintf(name, sizeof name, "%c%d", 'a' + arm, i);
      snprintf(parent, sizeof parent, "%c%d", 'a' + arm, i - 1);
      add_body(r, def, name, i > 0 ? parent : "base", FB_JOINT_REVOLUTE, 5);
    }
  add_body(r, def, "payload", "a6", FB_JOINT_FIXED, 50);
  tool.name = "tool";
  random_fill(r, -0.5, 0.5, 3, tool.at);
  assert_int_equal(fb_model_def_add_frame(def, 2 * ARM + 2, &tool, NULL), FB_OK);
  return def;
}

static grip grip_new(uint64_t seed, fb_loop_type type, const char* b) {
  fb_random r = {seed, 0};
  fb_model_def* def = two_arms(&r);
  fb_model* tree = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(tree);
  grip g = {0};
  double p[3], R[9];
  fb_error error;
  fb_random_q(tree, seed, g.q);
  fb_kinematics(tree, d, g.q, NULL, NULL);
  fb_frame_pose(tree, d, fb_model_find_frame(tree, b), p, R);
  add_frame_at(def, tree, d, fb_model_find_body(tree, "payload"), "handle", p, R);
  fb_loop_def loop = fb_default_loop_def(type);
  loop.name = "grasp";
  loop.a = "handle";
  loop.b = b;
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  g.m = build_or_fail(def, NULL);
  g.d = fb_data_new(g.m);
  g.hand = fb_model_find_frame(g.m, "tool");
  if (fb_floating_new(g.m, 1, &g.f, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_floating_nj(g.f), NJ);
  fb_data_free(d);
  fb_model_free(tree);
  fb_model_def_free(def);
  return g;
}

static void grip_free(grip* g) {
  fb_floating_free(g->f);
  fb_data_free(g->d);
  fb_model_free(g->m);
}

/* Rates of the loop's rows at v. */
static double opening(grip* g, const double* v) {
  double rate[6];
  fb_kinematics(g->m, g->d, g->q, v, NULL);
  fb_rows_place(g->m, g->d, g->q);
  fb_rows_rates(g->m, g->d, v, rate);
  return worst_of(rate, g->m->top.nrow);
}

/* --- rates --- */

static void resolved_rates_move_the_frame_and_keep_the_loop_closed(void** unused) {
  (void)unused;
  static const double L[6] = {20, -10, 5, 3, 1, -2};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    grip g = grip_new(seed, FB_LOOP_WELD, "b6");
    fb_random r = {seed, 7};
    double wanted[6], v_m[NJ], got[6], basis[NJ * NJ], momentum[6];
    random_fill(&r, -0.1, 0.1, 6, wanted);
    fb_floating_update(g.f, g.q, NULL);
    assert_int_equal(fb_floating_loop_motions(g.f, basis), NJ - 6);
    double least = fb_floating_resolved_rate(g.f, g.hand, wanted, seed % 2 ? L : NULL, 0, v_m);
    fb_floating_velocity(g.f, v_m, seed % 2 ? L : NULL, g.v);
    double scale = worse_of(1, worst_of(g.v, NV));
    assert_true(least > 1e-4 && opening(&g, g.v) < 1e-12 * scale);
    fb_frame_velocity(g.m, g.d, g.hand, got, got + 3);
    assert_near_of(scale, "frame velocity", got, wanted, 6, 1e-11);
    fb_floating_update(g.f, g.q, g.v);
    fb_floating_momentum(g.f, momentum);
    assert_near_of(100 * scale, "momentum", momentum, seed % 2 ? L : (const double[6]){0}, 6, 1e-12);
    grip_free(&g);
  }
}

/* Joint accelerations found, mixed dynamics moves the base by itself, and the frame accelerates as wanted. */
static void resolved_accelerations_move_the_frame_and_keep_the_loop_closed(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    grip g = grip_new(seed, FB_LOOP_WELD, "b6");
    fb_random r = {seed, 7};
    double wanted[6], rate[6], v_m[NJ], vdot_m[NJ], vdot[NV] = {0}, tau[NV] = {0}, got[6], rows[6];
    unsigned char prescribed[NV] = {0};
    random_fill(&r, -0.1, 0.1, 6, rate);
    random_fill(&r, -0.1, 0.1, 6, wanted);
    fb_floating_update(g.f, g.q, NULL);
    fb_floating_resolved_rate(g.f, g.hand, rate, NULL, 0, v_m);
    fb_floating_velocity(g.f, v_m, NULL, g.v);
    fb_floating_update(g.f, g.q, g.v);
    fb_floating_resolved_acceleration(g.f, g.hand, wanted, 0, vdot_m);
    for (int j = 0; j < NJ; j++) {
      prescribed[fb_floating_joints(g.f)[j]] = 1;
      vdot[fb_floating_joints(g.f)[j]] = vdot_m[j];
    }
    fb_mixed_dynamics(g.m, g.d, g.q, g.v, prescribed, NULL, vdot, tau);
    fb_rows_place(g.m, g.d, g.q);
    fb_rows_accelerations(g.m, g.d, g.v, vdot, rows);
    double scale = worse_of(1, worst_of(vdot, NV));
    assert_near_of(scale, "rows", rows, (const double[6]){0}, 6, 1e-11);
    fb_kinematics(g.m, g.d, g.q, g.v, vdot);
    fb_frame_acceleration(g.m, g.d, g.hand, got, got + 3);
    assert_near_of(scale, "frame acceleration", got, wanted, 6, 1e-10);
    grip_free(&g);
  }
}

/* --- the null space --- */

static void rates_in_the_null_space_leave_the_base_and_the_loop_alone(void** unused) {
  (void)unused;
  static const struct {
    fb_loop_type type;
    int left; /* motions that the loop leaves */
  } loops[] = {{FB_LOOP_WELD, NJ - 6}, {FB_LOOP_POINT, NJ - 3}};
  for (uint64_t seed = 1; seed <= SEEDS; seed++)
    for (int rows = 3; rows <= 6; rows += 3) {
      int i = (int)(seed % 2);
      grip g = grip_new(seed, loops[i].type, "b6");
      double basis[NJ * NJ], v_m[NJ], v_b[6];
      fb_floating_update(g.f, g.q, NULL);
      int count = fb_floating_reaction_null_space(g.f, rows, basis);
      assert_int_equal(count, loops[i].left - rows);
      for (int c = 0; c < count; c++) {
        double square = 0;
        for (int j = 0; j < NJ; j++) v_m[j] = basis[j * NJ + c];
        for (int j = 0; j < NJ; j++) square += v_m[j] * v_m[j];
        assert_near("length", &square, &(double){1}, 1, 1e-13);
        fb_floating_base_velocity(g.f, v_m, NULL, v_b);
        assert_near_of(1, "base", v_b + 6 - rows, (const double[6]){0}, rows, 1e-13);
        fb_floating_velocity(g.f, v_m, NULL, g.v);
        assert_true(opening(&g, g.v) < 1e-12);
      }
      grip_free(&g);
    }
}

/* The coupling factor is reached by a rate that keeps the loop closed, and no such rate turns the base faster. */
static void the_coupling_factor_bounds_what_closed_motions_do_to_the_base(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    grip g = grip_new(seed, FB_LOOP_WELD, "b6");
    fb_random r = {seed, 8};
    double basis[NJ * NJ], v_b[6], most = 0;
    fb_floating_update(g.f, g.q, NULL);
    double factor = fb_floating_coupling(g.f);
    int count = fb_floating_loop_motions(g.f, basis);
    for (int i = 0; i < 2000; i++) {
      double u[NJ], v_m[NJ] = {0}, square = 0;
      random_fill(&r, -1, 1, count, u);
      for (int j = 0; j < NJ; j++)
        for (int c = 0; c < count; c++) v_m[j] += basis[j * NJ + c] * u[c];
      for (int j = 0; j < NJ; j++) square += v_m[j] * v_m[j];
      fb_floating_base_velocity(g.f, v_m, NULL, v_b);
      most = fmax(most, sqrt(dot3(v_b + 3, v_b + 3) / square));
    }
    assert_true(most <= factor * (1 + 1e-12) && most > 0.6 * factor);
    grip_free(&g);
  }
}

/* --- in time --- */

/* q after `steps` steps of the midpoint rule along the rates that move the frame at `wanted`, momentum zero. */
static void follow(grip* g, const double wanted[6], double duration, int steps) {
  double h = duration / steps, v_m[NJ], half[NV + 1];
  for (int i = 0; i < steps; i++) {
    fb_floating_update(g->f, g->q, NULL);
    fb_floating_resolved_rate(g->f, g->hand, wanted, NULL, 0, v_m);
    fb_floating_velocity(g->f, v_m, NULL, g->v);
    fb_integrate(g->m, g->q, g->v, h / 2, half);
    fb_floating_update(g->f, half, NULL);
    fb_floating_resolved_rate(g->f, g->hand, wanted, NULL, 0, v_m);
    fb_floating_velocity(g->f, v_m, NULL, g->v);
    fb_integrate(g->m, g->q, g->v, h, g->q);
  }
}

/* What is left of the way and of the loop after a second is the error of the midpoint rule: a quarter with twice the steps. */
static void a_payload_held_by_two_arms_goes_where_it_is_wanted(void** unused) {
  (void)unused;
  const double wanted[6] = {0.02, -0.01, 0.03, 0, 0, 0};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    double off[2], open[2];
    for (int i = 0; i < 2; i++) {
      grip g = grip_new(seed, FB_LOOP_WELD, "b6");
      double from[3], to[3];
      fb_kinematics(g.m, g.d, g.q, NULL, NULL);
      fb_frame_pose(g.m, g.d, g.hand, from, NULL);
      follow(&g, wanted, 1, 200 << i);
      fb_kinematics(g.m, g.d, g.q, NULL, NULL);
      fb_frame_pose(g.m, g.d, g.hand, to, NULL);
      for (int k = 0; k < 3; k++) to[k] -= from[k];
      off[i] = worst_difference(to, wanted, 3);
      fb_loop_errors(g.m, g.d, g.q, &open[i]);
      grip_free(&g);
    }
    if (!(off[1] < 1e-5 && off[1] < 0.3 * off[0] && open[1] < 1e-5 && open[1] < 0.3 * open[0]))
      fail_msg("seed %d: off by %.2e, then %.2e m; open by %.2e, then %.2e", (int)seed, off[0], off[1],
               open[0], open[1]);
  }
}

/* A simulation that starts with these rates starts without a correction, and the frame moves on as it was predicted. */
static void a_simulation_starts_with_these_rates_as_they_are(void** unused) {
  (void)unused;
  const double wanted[6] = {0.05, 0.02, -0.03, 0.01, 0, 0.02};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    grip g = grip_new(seed, FB_LOOP_WELD, "b6");
    fb_sim_options options = fb_default_sim_options();
    fb_sim* sim;
    fb_error error;
    double v_m[NJ], got[6];
    options.method = FB_METHOD_RK4;
    options.step = 1e-4;
    fb_floating_update(g.f, g.q, NULL);
    fb_floating_resolved_rate(g.f, g.hand, wanted, NULL, 0, v_m);
    fb_floating_velocity(g.f, v_m, NULL, g.v);
    assert_int_equal(fb_sim_new(g.m, &options, &sim, NULL), FB_OK);
    if (fb_sim_start(sim, g.q, g.v, &error)) fail_msg("%s", error.text);
    assert_near_of(1, "rates", fb_sim_v(sim), g.v, NV, 1e-12);
    if (fb_sim_run_until(sim, 1e-3, &error)) fail_msg("%s", error.text);
    fb_kinematics(g.m, g.d, fb_sim_q(sim), fb_sim_v(sim), NULL);
    fb_frame_velocity(g.m, g.d, g.hand, got, got + 3);
    assert_near_of(1, "frame", got, wanted, 6, 2e-3 * worse_of(1, worst_of(g.v, NV)));
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    assert_near_of(100, "momentum", ledger.linear, (const double[3]){0}, 3, 1e-12);
    fb_sim_free(sim);
    grip_free(&g);
  }
}

/* --- loops that leave the tree --- */

static void a_tree_that_a_loop_ties_to_the_world_is_refused(void** unused) {
  (void)unused;
  fb_random r = {1, 0};
  fb_model_def* def = two_arms(&r);
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_POINT);
  fb_floating* f;
  fb_error error;
  loop.name = "anchor";
  loop.a = "world";
  loop.b = "b6";
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  assert_int_equal(fb_floating_new(m, 1, &f, &error), FB_ERR_UNSUPPORTED);
  assert_null(f);
  assert_non_null(strstr(error.text, "loop \"anchor\" ties it to the world or to another tree"));
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resolved_rates_move_the_frame_and_keep_the_loop_closed),
      cmocka_unit_test(resolved_accelerations_move_the_frame_and_keep_the_loop_closed),
      cmocka_unit_test(rates_in_the_null_space_leave_the_base_and_the_loop_alone),
      cmocka_unit_test(the_coupling_factor_bounds_what_closed_motions_do_to_the_base),
      cmocka_unit_test(a_payload_held_by_two_arms_goes_where_it_is_wanted),
      cmocka_unit_test(a_simulation_starts_with_these_rates_as_they_are),
      cmocka_unit_test(a_tree_that_a_loop_ties_to_the_world_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
