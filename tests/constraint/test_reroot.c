/* test_reroot.c -- a tree that hangs by another of its bodies is the same robot: every joint type reversed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "capture_rig.h"
#include "same_def.h"
#include "worst.h"

#include "model/model.h"
#include "model/definition/reroot.h"

enum { TREES = 300 };

/* The same model with the tree of robot a hung by one of its bodies, at the same state. */
static moving hung_by(moving* s, int body) {
  fb_model* m;
  fb_error error;
  fb_joint_def joint = fb_default_joint_def();
  fb_model_def* def = fb_model_def_copy(fb_model_definition(s->m));
  joint.type = FB_JOINT_FREE;
  joint.name = "held";
  assert_int_equal(fb_reroot(def, &s->m->top, fb_body_base(s->m, body), body, &joint, NULL, &error), FB_OK);
  if (fb_rebuild(s->m, def, &m, &error)) fail_msg("%s", error.text);
  fb_model_def_free(def);
  moving other = moving_of(m);
  assert_int_equal(fb_model_state_carry(&(fb_model_state){s->m, s->d, s->q, s->v},
                                        &(fb_model_state){m, other.d, other.q, other.v}, &error),
                   FB_OK);
  return other;
}

/* Poses, velocities and, where they are known, accelerations of all bodies and frames. */
static void compare_motion(const moving* a, const moving* b, int accelerations) {
  for (int f = 0; f < fb_model_nframe(a->m); f++) {
    double p[2][3], R[2][9], v[2][3], w[2][3], x[2][3], y[2][3];
    const moving* s[2] = {a, b};
    for (int i = 0; i < 2; i++) {
      fb_frame_pose(s[i]->m, s[i]->d, f, p[i], R[i]);
      fb_frame_velocity(s[i]->m, s[i]->d, f, v[i], w[i]);
      fb_frame_acceleration(s[i]->m, s[i]->d, f, x[i], y[i]);
    }
    compare_of(1, "positions", p[1], p[0], 3, 1e-13);
    compare_of(1, "attitudes", R[1], R[0], 9, 1e-13);
    compare_of(1, "velocities", v[1], v[0], 3, 1e-12);
    compare_of(1, "angular velocities", w[1], w[0], 3, 1e-12);
    if (!accelerations) continue;
    compare_of(10, "accelerations", x[1], x[0], 3, 1e-10);
    compare_of(10, "angular accelerations", y[1], y[0], 3, 1e-10);
  }
}

/* The same forces on both: by joint where their coordinates are the same numbers, none where they are not. */
static void random_forces(fb_random* r, const moving* a, const moving* b, double* tau_a, double* tau_b) {
  for (int k = 0; k < fb_model_nv(b->m); k++) {
    int was = fb_model_coordinate_from(a->m, b->m, k), body = fb_coordinate_body(b->m, k);
    if (was < 0 || fb_joint_type_quat_index(fb_joint_type_of(b->m, body)) >= 0) continue;
    tau_a[was] = tau_b[k] = random_in(r, -5, 5);
  }
}

static void compare_dynamics(fb_random* r, moving* a, moving* b) {
  moving* s[2] = {a, b};
  double* tau[2] = {numbers_new(fb_model_nv(a->m) + 1), numbers_new(fb_model_nv(b->m) + 1)};
  fb_wrench push = {.frame = random_index(r, fb_model_nframe(a->m)), .in_frame_axes = 1};
  fb_loads loads = fb_default_loads();
  random_fill(r, -3, 3, 3, push.force);
  random_fill(r, -3, 3, 3, push.torque);
  random_fill(r, -9, 9, 3, loads.environment.gravity_w);
  random_forces(r, a, b, tau[0], tau[1]);
  loads.wrenches = &push;
  loads.nwrench = 1;
  for (int i = 0; i < 2; i++) {
    int nv = fb_model_nv(s[i]->m);
    double *vdot = numbers_new(nv + 1), *dense = numbers_new(nv + 1), *work = numbers_new(nv * nv + nv + 1);
    fb_forward_dynamics(s[i]->m, s[i]->d, s[i]->q, s[i]->v, tau[i], &loads, vdot);
    assert_int_equal(
        fb_forward_dynamics_dense(s[i]->m, s[i]->d, s[i]->q, s[i]->v, tau[i], &loads, work, dense), FB_OK);
    compare_of(10, "dense against recursive", dense, vdot, nv, 1e-9);
    fb_kinematics(s[i]->m, s[i]->d, s[i]->q, s[i]->v, vdot);
    free(vdot);
    free(dense);
    free(work);
    free(tau[i]);
  }
  compare_motion(a, b, 1);
}

static void compare_sums(const moving* a, const moving* b) {
  momenta x = momenta_of(a, NULL), y = momenta_of(b, NULL);
  compare_of(x.size_p, "linear momentum", y.p, x.p, 3, 1e-13);
  compare_of(x.size_L, "angular momentum", y.L, x.L, 3, 1e-13);
  assert_near("kinetic", &y.kinetic, &x.kinetic, 1, 1e-12);
}

static void count_reversed(const fb_model* m, int* count) {
  for (int b = 1; b < fb_model_nbody(m); b++)
    count[fb_joint_type_of(m, b)] += fb_model_def_body(fb_model_definition(m), b)->joint.reversed;
}

static void a_tree_hung_by_another_body_moves_as_before(void** unused) {
  (void)unused;
  int reversed[FB_JOINT_TYPE_COUNT] = {0};
  for (uint64_t seed = 0; seed < TREES; seed++) {
    fb_random r = random_seed(seed);
    moving a = moving_of(two_robots(&r, 8, 2, 1));
    fb_random_q(a.m, seed, a.q);
    fb_random_v(a.m, seed, a.v);
    moving b = hung_by(&a, 1 + random_index(&r, 8));
    fb_kinematics(b.m, b.d, b.q, b.v, NULL);
    compare_motion(&a, &b, 0);
    compare_sums(&a, &b);
    compare_dynamics(&r, &a, &b);
    double *q = numbers_new(fb_model_nq(a.m)), *v = numbers_new(fb_model_nv(a.m));
    assert_int_equal(
        fb_model_state_carry(&(fb_model_state){b.m, b.d, b.q, b.v}, &(fb_model_state){a.m, a.d, q, v}, NULL),
        FB_OK);
    double none = 0, distance = state_distance(a.m, q, v, a.q, a.v);
    compare_of(1, "states there and back", &distance, &none, 1, 1e-12);
    count_reversed(b.m, reversed);
    free(q);
    free(v);
    moving_free(&a);
    moving_free(&b);
  }
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++)
    if (reversed[type] < 5)
      fail_msg("only %d %s joints were reversed", reversed[type], fb_joint_type_name((fb_joint_type)type));
}

static void joints_that_have_nothing_to_do_with_it_keep_every_bit(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 50; seed++) {
    fb_random r = random_seed(seed);
    moving a = moving_of(two_robots(&r, 6, 2, 1));
    fb_random_q(a.m, seed, a.q);
    fb_random_v(a.m, seed, a.v);
    moving b = hung_by(&a, 6);
    int kept = 0;
    for (int k = 0; k < fb_model_nv(b.m); k++) {
      int was = fb_model_coordinate_from(a.m, b.m, k);
      if (was < 0) continue;
      int q = fb_coordinate_q_index(b.m, k);
      assert_true(b.v[k] == a.v[was]);
      assert_true(q < 0 || b.q[q] == a.q[fb_coordinate_q_index(a.m, was)]);
      kept++;
    }
    assert_true(kept >= 6); /* the other robot's base, at least */
    moving_free(&a);
    moving_free(&b);
  }
}

static void hanging_it_by_its_first_root_again_restores_every_number(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 50; seed++) {
    fb_random r = random_seed(seed);
    moving a = moving_of(two_robots(&r, 7, 2, 1));
    fb_random_q(a.m, seed, a.q);
    moving b = hung_by(&a, 7);
    fb_model_def* def = fb_model_def_copy(fb_model_definition(b.m));
    const fb_joint_def* first = &fb_model_def_body(fb_model_definition(a.m), 1)->joint;
    assert_int_equal(fb_reroot(def, &b.m->top, 7, 1, first, NULL, NULL), FB_OK);
    assert_same_def(fb_model_definition(a.m), def, 0);
    fb_model_def_free(def);
    moving_free(&a);
    moving_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tree_hung_by_another_body_moves_as_before),
      cmocka_unit_test(joints_that_have_nothing_to_do_with_it_keep_every_bit),
      cmocka_unit_test(hanging_it_by_its_first_root_again_restores_every_number),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
