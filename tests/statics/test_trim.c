/* test_trim.c -- poses of static equilibrium: closed forms, random chains, and honest reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "random_tree.h"

static const double PI = 3.14159265358979323846;
enum { G = 10 }; /* [m/s^2] */

typedef struct rig {
  fb_model* m;
  fb_data* d;
  fb_loads loads;
  fb_trim_options options;
  fb_trim_report report;
  fb_error error;
  void* work;
  size_t size;
  double* q;
} rig;

static rig rig_new(fb_model_def* def) {
  rig r = {.m = build_or_fail(def, NULL), .loads = fb_default_loads(), .options = fb_default_trim_options()};
  fb_model_def_free(def);
  r.d = fb_data_new(r.m);
  r.size = fb_trim_work_size(r.m);
  r.work = aligned_alloc(64, r.size);
  r.q = numbers_new(fb_model_nq(r.m));
  r.loads.environment.gravity_w[2] = -G;
  fb_neutral(r.m, r.q);
  return r;
}

static void rig_free(rig* r) {
  free(r->work);
  free(r->q);
  fb_data_free(r->d);
  fb_model_free(r->m);
}

static fb_status trim(rig* r, const double* tau) {
  r->options.work = r->work;
  r->options.work_size = r->size;
  return fb_trim(r->m, r->d, tau, &r->loads, &r->options, r->q, &r->report, &r->error);
}

static fb_body_def one_body(fb_joint_type type, double mass) {
  fb_body_def b = fb_default_body_def();
  b.name = "arm";
  b.mass = mass;
  b.joint.type = type;
  for (int i = 0; i < 3; i++) b.inertia[i] = 0.1;
  return b;
}

static fb_model_def* def_of(const fb_body_def* b) {
  fb_model_def* def = fb_model_def_new();
  assert_int_equal(fb_model_def_add_body(def, b, NULL, NULL), FB_OK);
  return def;
}

/* Mass 2 at 0.5 m from a joint about -y; q from hanging down: the gravity torque is -10 sin q. */
static fb_body_def pendulum(void) {
  fb_body_def b = one_body(FB_JOINT_REVOLUTE, 2);
  b.joint.axis[1] = -1;
  b.com[2] = -0.5;
  return b;
}

static void a_pendulum_hangs_down(void** unused) {
  (void)unused;
  fb_body_def b = pendulum();
  rig r = rig_new(def_of(&b));
  for (double start = -3.1; start <= 3.1; start += 0.2) {
    r.q[0] = start;
    assert_int_equal(trim(&r, NULL), FB_OK);
    assert_near_of(1, "straight down", r.q, (const double[1]){0}, 1, 1e-12); /* rad */
    assert_true(r.report.solved && r.report.stability == 1 && r.report.starts == 1);
    assert_true(r.report.residual <= 1e-10 * r.report.scale);
  }
  rig_free(&r);
}

static void an_upright_pendulum_is_unstable_and_may_be_left(void** unused) {
  (void)unused;
  fb_body_def b = pendulum();
  rig r = rig_new(def_of(&b));
  r.q[0] = PI;
  assert_int_equal(trim(&r, NULL), FB_OK);
  assert_near("stays upright", r.q, &PI, 1, 1e-12);
  assert_int_equal(r.report.stability, -1);
  r.options.leave_unstable = 1;
  assert_int_equal(trim(&r, NULL), FB_OK);
  assert_int_equal(r.report.stability, 1);
  assert_near("hangs", &(double){remainder(r.q[0], 2 * PI)}, (const double[1]){0}, 1, 1e-12);
  rig_free(&r);
}

static void a_given_torque_holds_the_pendulum_at_its_angle(void** unused) {
  (void)unused;
  fb_body_def b = pendulum();
  rig r = rig_new(def_of(&b));
  for (double torque = -9.9; torque < 10; torque += 1.1) {
    double want = asin(torque / 10);
    r.q[0] = 0.3;
    assert_int_equal(trim(&r, &torque), FB_OK);
    assert_near("sin q = tau / m g l", &(double){remainder(r.q[0], 2 * PI)}, &want, 1, 1e-10);
    assert_int_equal(r.report.stability, 1);
  }
  rig_free(&r);
}

/* stiffness (q - rest) = force: a slider's spring, closed form; a pendulum's, the root of one equation. */
static void springs_are_stretched_as_their_closed_form_says(void** unused) {
  (void)unused;
  fb_body_def slider = one_body(FB_JOINT_PRISMATIC, 3);
  slider.joint.axis[2] = 1;
  slider.joint.stiffness[0] = 200;
  slider.joint.rest[0] = 40;
  rig r = rig_new(def_of(&slider));
  assert_int_equal(trim(&r, NULL), FB_OK);
  assert_near("rest - m g / k", r.q, (const double[1]){40 - 3 * G / 200.0}, 1, 1e-12);
  assert_int_equal(r.report.stability, 1);
  rig_free(&r);

  fb_body_def b = pendulum();
  b.joint.stiffness[0] = 12;
  b.joint.rest[0] = 1.2;
  r = rig_new(def_of(&b));
  assert_int_equal(trim(&r, NULL), FB_OK);
  double low = 0, high = 1.2; /* 12 (q - 1.2) + 10 sin q rises between them */
  for (int i = 0; i < 60; i++) {
    double q = 0.5 * (low + high);
    if (12 * (q - 1.2) + 10 * sin(q) > 0)
      high = q;
    else
      low = q;
  }
  assert_near("12 (1.2 - q) = 10 sin q", r.q, &low, 1, 1e-12);
  r.loads.passive = 0; /* without its spring it hangs */
  assert_int_equal(trim(&r, NULL), FB_OK);
  assert_near_of(1, "hangs", r.q, (const double[1]){0}, 1, 1e-12); /* rad */
  rig_free(&r);
}

static void no_equilibrium_is_reported_with_what_is_lacking(void** unused) {
  (void)unused;
  const double torque = 15; /* gravity can balance 10 */
  fb_body_def b = pendulum();
  rig r = rig_new(def_of(&b));
  r.options.restarts = 3;
  assert_int_equal(trim(&r, &torque), FB_ERR_NO_SOLUTION);
  assert_false(r.report.solved);
  assert_int_equal(r.report.starts, 4);
  assert_int_equal(r.report.worst, 0);
  assert_near("lacks 5 N m", &r.report.residual, (const double[1]){5}, 1, 1e-6);
  assert_near("best at a right angle", &(double){sin(r.q[0])}, (const double[1]){1}, 1, 1e-6);
  assert_non_null(strstr(r.error.text, "\"arm\" still lacks 5 N"));
  rig_free(&r);

  fb_body_def free_body = one_body(FB_JOINT_FREE, 4);
  r = rig_new(def_of(&free_body));
  assert_int_equal(trim(&r, NULL), FB_OK); /* held: nothing may move */
  assert_int_equal(r.report.worst, -1);
  r.options.move_base = 1;
  assert_int_equal(trim(&r, NULL), FB_ERR_NO_SOLUTION);
  assert_near("lacks its weight", &r.report.residual, (const double[1]){4 * G}, 1, 1e-12);
  rig_free(&r);
}

static void limits_leave_only_what_lies_between_them(void** unused) {
  (void)unused;
  fb_body_def b = pendulum();
  b.joint.lower[0] = 2;
  b.joint.upper[0] = 4;
  rig r = rig_new(def_of(&b));
  assert_int_equal(trim(&r, NULL), FB_OK); /* the start is brought inside; upright is the only one */
  assert_near("upright", r.q, &PI, 1, 1e-10);
  assert_int_equal(r.report.stability, -1);
  r.options.leave_unstable = 1;
  assert_int_equal(trim(&r, NULL), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(r.error.text, "unstable"));
  rig_free(&r);

  b.joint.lower[0] = 1;
  b.joint.upper[0] = 2;
  r = rig_new(def_of(&b));
  assert_int_equal(trim(&r, NULL), FB_ERR_NO_SOLUTION);
  assert_true(r.q[0] >= 1 && r.q[0] <= 2 && r.report.residual > 8);
  assert_int_equal(r.report.at_limit, 1);
  r.options.ignore_limits = 1;
  assert_int_equal(trim(&r, NULL), FB_OK);
  assert_near("beyond the limit", r.q, (const double[1]){0}, 1, 1e-10);
  rig_free(&r);
}

/* A free body lifted at a point by its own weight turns until its centre of mass is below the point. */
static void a_lifted_body_turns_its_centre_of_mass_down(void** unused) {
  (void)unused;
  fb_body_def b = one_body(FB_JOINT_FREE, 4);
  fb_frame_def hook = fb_default_frame_def();
  fb_model_def* def = def_of(&b);
  hook.name = "hook";
  hook.at[0] = 0.4;
  hook.at[1] = 0.3;
  assert_int_equal(fb_model_def_add_frame(def, 1, &hook, NULL), FB_OK);
  rig r = rig_new(def);
  const fb_wrench lift = {.frame = fb_model_find_frame(r.m, "hook"), .force = {0, 0, 4 * G}};
  double p[3], com[3];
  r.loads.wrenches = &lift;
  r.loads.nwrench = 1;
  r.options.move_base = 1;
  assert_int_equal(trim(&r, NULL), FB_OK);
  fb_kinematics(r.m, r.d, r.q, NULL, NULL);
  fb_frame_pose(r.m, r.d, lift.frame, p, NULL);
  fb_frame_pose(r.m, r.d, fb_model_com_frame(r.m, 1), com, NULL);
  assert_near("half a metre below", (const double[3]){p[0] - com[0], p[1] - com[1], p[2] - com[2]},
              (const double[3]){0, 0, 0.5}, 3, 1e-9);
  assert_int_equal(r.report.stability, 0); /* it may stand anywhere, and turn about the vertical */
  rig_free(&r);
}

/* A chain of n bodies on the world, joints of all kinds that cannot fall without end. */
static fb_model_def* random_chain(fb_random* random, int n) {
  static const fb_joint_type TYPES[] = {FB_JOINT_REVOLUTE,  FB_JOINT_UNIVERSAL,   FB_JOINT_SPHERICAL,
                                        FB_JOINT_PRISMATIC, FB_JOINT_CYLINDRICAL, FB_JOINT_PLANAR};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < n; i++) {
    char name[16], parent[16];
    fb_body_def b = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", i - 1);
    b.joint = random_joint(random, 0);
    b.joint.type = TYPES[random_index(random, 6)];
    for (int k = 0; k < 3 && b.joint.type != FB_JOINT_SPHERICAL; k++)
      b.joint.stiffness[k] = b.joint.type >= FB_JOINT_PRISMATIC ? 500 : 2;
    b.name = name;
    b.parent = i ? parent : NULL;
    b.mass = random_in(random, 0.1, 20);
    random_fill(random, -0.3, 0.3, 3, b.com);
    random_inertia(random, b.mass, b.inertia);
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
  }
  return def;
}

static void random_chains_come_to_rest(void** unused) {
  (void)unused;
  int stable = 0, iterations = 0;
  double worst = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    fb_random random = random_seed(seed);
    rig r = rig_new(random_chain(&random, 1 + (int)(seed % 8)));
    double* tau = numbers_new(fb_model_nv(r.m));
    fb_random_q(r.m, seed, r.q);
    if (trim(&r, NULL) != FB_OK) fail_msg("seed %d: %s", (int)seed, r.error.text);
    fb_gravity_compensation(r.m, r.d, r.q, &r.loads, tau);
    for (int k = 0; k < fb_model_nv(r.m); k++) worst = worse_of(worst, fabs(tau[k]) / r.report.scale);
    stable += r.report.stability >= 0;
    iterations += r.report.iterations;
    free(tau);
    rig_free(&r);
  }
  print_message("200 chains: worst residual %.1e of the loads, %d stable or neutral, %d iterations each\n",
                worst, stable, iterations / 200);
  assert_true(worst <= 1e-10);
  assert_true(stable >= 198);
}

static void wrong_arguments_are_told(void** unused) {
  (void)unused;
  fb_body_def b = pendulum();
  rig r = rig_new(def_of(&b));
  r.options.cookie_ = 0;
  assert_int_equal(trim(&r, NULL), FB_ERR_ARG);
  assert_non_null(strstr(r.error.text, "fb_default_trim_options"));
  r.options = fb_default_trim_options();
  r.options.tolerance = 0;
  assert_int_equal(trim(&r, NULL), FB_ERR_ARG);
  assert_non_null(strstr(r.error.text, "tolerance (0) must be above zero"));
  r.options = fb_default_trim_options();
  r.size--;
  assert_int_equal(trim(&r, NULL), FB_ERR_MEMORY);
  assert_non_null(strstr(r.error.text, "work memory must have"));
  r.size++;
  r.q[0] = NAN;
  assert_int_not_equal(trim(&r, NULL), FB_OK);
  r.q[0] = 1;
  assert_int_equal(fb_trim(r.m, r.d, NULL, NULL, NULL, r.q, NULL, NULL), FB_OK); /* weightless: anywhere */
  assert_near("stays", r.q, (const double[1]){1}, 1, 0);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_hangs_down),
      cmocka_unit_test(an_upright_pendulum_is_unstable_and_may_be_left),
      cmocka_unit_test(a_given_torque_holds_the_pendulum_at_its_angle),
      cmocka_unit_test(springs_are_stretched_as_their_closed_form_says),
      cmocka_unit_test(no_equilibrium_is_reported_with_what_is_lacking),
      cmocka_unit_test(limits_leave_only_what_lies_between_them),
      cmocka_unit_test(a_lifted_body_turns_its_centre_of_mass_down),
      cmocka_unit_test(random_chains_come_to_rest),
      cmocka_unit_test(wrong_arguments_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
