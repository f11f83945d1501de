/* test_second_order.c -- the momentum method and the implicit method: second order on every joint type, under every
 * kind of force and with moved coordinates.
 *
 * Second method: dopri5 with tight tolerances, which shares nothing with them but the forces. */
#include "base/cookie.h"
#include "momentum_rig.h"

/* --- the order --- */

/* The distance of two motions at their ends: configurations on the group, velocities. */
static double distance(const fb_sim* a, const fb_sim* b) {
  const fb_model* m = fb_sim_model(a);
  int nv = fb_model_nv(m);
  double *dq = numbers_new(nv), worst = 0;
  fb_difference(m, fb_sim_q(a), fb_sim_q(b), dq);
  for (int k = 0; k < nv; k++)
    worst = worse_of(worst, worse_of(fabs(dq[k]), fabs(fb_sim_v(a)[k] - fb_sim_v(b)[k])));
  free(dq);
  return worst;
}

/* log2 of the errors at h and at h/2; the latter's ledger. */
static double observed_order(const scene* c, fb_method method, double h, double t, fb_ledger* ledger) {
  fb_sim *exact = begin(c, FB_METHOD_DOPRI5, 0), *coarse = begin(c, method, h),
         *fine = begin(c, method, h / 2);
  run_to(exact, t);
  run_to(coarse, t);
  run_to(fine, t);
  double at_h = distance(coarse, exact), at_half = distance(fine, exact);
  if (ledger) fb_sim_ledger(fine, ledger);
  fb_sim_free(exact);
  fb_sim_free(coarse);
  fb_sim_free(fine);
  assert_true(at_half > 1e-13 && at_h < 0.1); /* errors of the method, not of rounding or of another motion */
  return log2(at_h / at_half);
}

static void check_order(const char* what, const scene* c, double h, double t) {
  static const fb_method METHODS[] = {FB_METHOD_MOMENTUM, FB_METHOD_IMPLICIT};
  for (int i = 0; i < 2; i++) {
    fb_ledger ledger;
    double order = observed_order(c, METHODS[i], h, t, &ledger);
    print_message("%-44s %-8s order %.3f, ledger %.1e\n", what, fb_method_name(METHODS[i]), order,
                  ledger.relative);
    if (!(fabs(order - 2) < 0.1))
      fail_msg("%s: the order of %s is %g", what, fb_method_name(METHODS[i]), order);
    assert_true(ledger.relative < 1e-3);
  }
}

static void the_order_on_a_free_flyer_with_six_joints_is_two(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(6), 1);
  check_order("free flyer, 6 joints", &c, 0.004, 1);
  scene_free(&c);
}

static void the_order_is_two_for_every_joint_type(void** unused) {
  (void)unused;
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++)
    for (int fixed = 0; fixed < 2; fixed++) {
      char what[64];
      fb_joint_type root = fixed ? FB_JOINT_FIXED : FB_JOINT_FREE;
      scene c = scene_new(chain_of(root, (fb_joint_type)type, 1, (uint64_t)type + 3), (uint64_t)type + 5);
      snprintf(what, sizeof what, "%s joints on a %s base", fb_joint_type_name((fb_joint_type)type),
               fixed ? "fixed" : "floating");
      c.options.environment.gravity_w[2] = -1.5;
      if (fb_model_nv(c.m) > 0) check_order(what, &c, 0.005, 0.4);
      scene_free(&c);
    }
}

/* All floating bases drift. */
static void let_drift(scene* c, double speed) {
  for (int b = 1; b < fb_model_nbody(c->m); b++)
    if (fb_body_parent(c->m, b) == FB_WORLD && fb_joint_type_of(c->m, b) == FB_JOINT_FREE)
      for (int j = 0; j < 3; j++) c->v[fb_joint_v_index(c->m, b) + j] += (j + 1) * speed;
}

static void the_order_is_two_for_forests_under_blocks_with_states_and_wrenches(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 16; seed++) {
    fb_random r = random_seed(seed % 8 + 300);
    scene c = scene_new(random_forest(&r, 5, 0, 0), seed % 8);
    char what[64];
    snprintf(what, sizeof what, "forest %d, %d trees%s", (int)seed, fb_model_ntree(c.m),
             seed < 8 ? "" : ", drifting");
    c.options.environment.gravity_w[0] = 2;
    c.add = add_push;
    if (seed >= 8) let_drift(&c, 30);
    check_order(what, &c, 0.005, 0.3);
    scene_free(&c);
  }
}

/* Its dampers to the world slow the tree down. */
static void the_order_is_two_for_a_base_with_dampers(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = body("base", NULL, FB_JOINT_FREE, 20), arm = body("arm", "base", FB_JOINT_REVOLUTE, 5);
  for (int i = 0; i < 6; i++) base.joint.damping[i] = 3 + i;
  add_body(def, &base);
  add_body(def, &arm);
  scene c = scene_new(def, 2);
  c.options.environment.gravity_w[2] = -3;
  let_drift(&c, 5);
  check_order("base with dampers", &c, 0.01, 1);
  scene_free(&c);
}

/* --- coordinates that are moved --- */

static fb_spline* wave; /* a path for the tests below */

static void move(fb_sim* sim, int k, const fb_motion* motion) {
  fb_error error;
  int id = FB_MOTION_LOCKED;
  if (motion) check(fb_sim_add_motion(sim, motion, &id, &error));
  check(fb_sim_set_motion(sim, k, id, &error));
}

static void lock_rate_and_path(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.7, NULL, .cookie_ = FB_COOKIE},
                  path = {FB_MOTION_PATH, 0, wave, .cookie_ = FB_COOKIE};
  move(sim, 6, NULL);
  move(sim, 8, &rate);
  move(sim, 10, &path);
}

static void turn_base(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.4, NULL, .cookie_ = FB_COOKIE};
  move(sim, 1, NULL);
  for (int k = 3; k < 6; k++) move(sim, k, &rate);
}

/* One axis of an attitude is given; forces along the others then turn with it. */
static void turn_base_about_one_axis(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.4, NULL, .cookie_ = FB_COOKIE};
  move(sim, 4, &rate);
  add_push(sim);
}

static void the_order_is_two_with_moved_coordinates(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    void (*add)(fb_sim* sim);
  } CASES[] = {{"joints locked, at a rate, on a path", lock_rate_and_path},
               {"base held in part", turn_base},
               {"base turned about one axis", turn_base_about_one_axis}};
  fb_error error;
  const double times[] = {0, 0.4, 1.2}, values[] = {0.3, 0.8, -0.2};
  check(fb_spline_new_cubic(3, times, values, &wave, &error));
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    scene c = scene_new(free_flyer(6), 1);
    c.options.environment.gravity_w[1] = -1;
    c.add = CASES[i].add;
    check_order(CASES[i].name, &c, 0.005, 0.4);
    scene_free(&c);
  }
  fb_spline_free(wave);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_on_a_free_flyer_with_six_joints_is_two),
      cmocka_unit_test(the_order_is_two_for_every_joint_type),
      cmocka_unit_test(the_order_is_two_for_forests_under_blocks_with_states_and_wrenches),
      cmocka_unit_test(the_order_is_two_for_a_base_with_dampers),
      cmocka_unit_test(the_order_is_two_with_moved_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
