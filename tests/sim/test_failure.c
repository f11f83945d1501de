/* test_failure.c -- steps that come to nothing: the message names the joint, the law or the field that did it, with its time
 * and what to do, and not the floating base that is thrown about with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>

#include "sim_rig.h"

/* A satellite with an arm of three joints, "a1" "a2" "a3"; the middle one is stiff, as its row says. */
static fb_model* satellite(double damping, double stiffness) {
  static const double AXES[][3] = {{0, 0, 1}, {0, 1, 0}, {1, 2, -1}}, ORIGIN[3] = {0, 0, 0},
                      NEXT[3] = {0.1, 0.05, 0.6};
  static const char* const NAMES[] = {"base", "a1", "a2", "a3"};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 4; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = NAMES[i];
    body.parent = i > 0 ? NAMES[i - 1] : NULL;
    body.joint.type = i > 0 ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    memcpy(body.joint.axis, AXES[i > 0 ? i - 1 : 0], sizeof body.joint.axis);
    memcpy(body.joint.at, i > 0 ? NEXT : ORIGIN, sizeof body.joint.at);
    body.mass = i > 0 ? 2 : 20;
    body.com[2] = 0.3;
    body.inertia[0] = body.inertia[1] = 0.2;
    body.inertia[2] = 0.1;
    body.joint.damping[0] = i == 2 ? damping : 0;
    body.joint.stiffness[0] = i == 2 ? stiffness : 0;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* Runs until it fails; the message must contain all words. */
static void fails_with(fb_sim* sim, const char* const* words) {
  const fb_model* m = fb_sim_model(sim);
  double q[16], v[16];
  fb_error error;
  fb_neutral(m, q);
  memset(v, 0, sizeof v);
  v[fb_model_nv(m) - 1] = 0.3;
  v[7] = 0.1;
  start_or_fail(sim, q, v);
  if (!fb_sim_run_until(sim, 100, &error)) fail_msg("it went well, and should not");
  print_message("%s\n", error.text);
  for (int i = 0; words[i]; i++)
    if (!strstr(error.text, words[i])) fail_msg("no '%s' in: %s", words[i], error.text);
}

static void what_is_stiff_is_named(void** unused) {
  (void)unused;
  static const struct {
    double damping, stiffness;
    fb_method method;
    const char* words[6];
  } CASES[] = {
      {1e4,
       0,
       FB_METHOD_RK4,
       {"after t = ", "\"a2\" moves without bound", "10 ms", "its damper", "implicit or cvode"}},
      {1e4, 0, FB_METHOD_EULER, {"\"a2\" moves without bound", "its damper"}},
      {0, 1e6, FB_METHOD_RK4, {"\"a2\" moves without bound", "its spring"}},
      {0, 1e6, FB_METHOD_SEMI_IMPLICIT, {"\"a2\" moves without bound", "its spring"}},
      {400, 0, FB_METHOD_RKMK4, {"\"a2\" moves without bound", "its damper"}}, /* just beyond its reach */
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    fb_model* m = satellite(CASES[i].damping, CASES[i].stiffness);
    fb_sim_options options = options_of(CASES[i].method, 0.01);
    fb_sim* sim = sim_or_fail(m, &options);
    fails_with(sim, CASES[i].words);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* A step that was halved in vain was whole while the motion went wrong. */
static void what_is_stiff_is_named_where_steps_were_halved(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  body.name = "slider";
  body.joint.type = FB_JOINT_PRISMATIC;
  body.joint.axis[0] = 1;
  body.joint.damping[0] = 1e4;
  body.mass = 1;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  options.refine = 1;
  fb_sim* sim = sim_or_fail(m, &options);
  fails_with(sim, (const char* const[]){"\"slider\" moves without bound", "10 ms", "its damper", NULL});
  fb_sim_free(sim);
  fb_model_free(m);
  fb_model_def_free(def);
}

static void a_joint_that_is_locked_is_not_named(void** unused) {
  (void)unused;
  fb_model* m = satellite(1e6, 0);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_pd_joint joint = fb_default_pd_joint();
  fb_block servo;
  fb_error error;
  joint.coordinate = 8;
  joint.kp = 1e5;
  assert_int_equal(fb_block_new_joint_pd(m, "servo", &joint, 1, &servo, &error), FB_OK);
  block_or_fail(sim, &servo);
  assert_int_equal(fb_sim_set_motion(sim, 7, FB_MOTION_LOCKED, &error), FB_OK);
  fails_with(sim, (const char* const[]){"\"a3\" moves without bound", "block \"servo\"", NULL});
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_law_that_is_stiff_is_named(void** unused) {
  (void)unused;
  fb_model* m = satellite(0.1, 0);
  fb_pd_joint joint = fb_default_pd_joint();
  fb_block servo, gentle;
  fb_error error;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  joint.coordinate = 8;
  joint.kp = 1e6;
  assert_int_equal(fb_block_new_joint_pd(m, "servo", &joint, 1, &servo, &error), FB_OK);
  joint.coordinate = 6;
  joint.kp = 1;
  assert_int_equal(fb_block_new_joint_pd(m, "gentle", &joint, 1, &gentle, &error), FB_OK);
  block_or_fail(sim, &gentle);
  block_or_fail(sim, &servo);
  fails_with(sim, (const char* const[]){"joint \"a3\" moves without bound", "block \"servo\"",
                                        "smaller gains", NULL});
  fb_sim_free(sim);
  fb_model_free(m);
}

/* A joint that hardly moves is not said to be too fast. */
static void a_law_that_gives_a_force_beyond_all_measure_is_named(void** unused) {
  (void)unused;
  fb_model* m = satellite(0.1, 0);
  fb_pd_joint joint = fb_default_pd_joint();
  fb_block servo;
  fb_error error;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  joint.coordinate = 6;
  joint.kp = 1;
  joint.target = 1e308;
  assert_int_equal(fb_block_new_joint_pd(m, "servo", &joint, 1, &servo, &error), FB_OK);
  block_or_fail(sim, &servo);
  fails_with(sim,
             (const char* const[]){"block \"servo\": it gives joint \"a1\" a force of 1e+308; that is beyond "
                                   "what can be computed with",
                                   NULL});
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- numbers that are none --- */

/* NaN from 0.503 s on, inside a step and at none of its ends. */
static fb_status broken(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  const int* kind = (const int*)user;
  (void)memory, (void)state, (void)error;
  if (context->t < 0.503) return FB_OK;
  if (*kind == 0) action->tau[7] += sqrt(-context->t);
  if (*kind == 1) {
    fb_wrench* w = fb_action_add_wrench(action);
    w->frame = 2;
    w->force[1] = NAN;
  }
  if (*kind == 2) action->tau[8] += 1 / (context->t - context->t);
  if (*kind == 3) state_rate[0] = NAN;
  return FB_OK;
}

static void a_law_that_gives_nan_is_named_under_every_method(void** unused) {
  (void)unused;
  static const char* const WORDS[][6] = {
      {"at t = 0.5", "block \"bad\"", "joint \"a2\"", "nan", "division by zero", NULL},
      {"block \"bad\"", "wrench on", "not finite", NULL},
      {"block \"bad\"", "joint \"a3\"", "inf", NULL},
      {"at t = 0.5", "block \"bad\"", "its state 0", "nan", NULL},
  };
  fb_model* m = satellite(0.5, 1);
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int adaptive = 0; adaptive <= (METHODS[i] == FB_METHOD_DOPRI5); adaptive++)
      for (int kind = 0; kind < 4; kind++) {
        fb_sim_options options = options_of(METHODS[i], 0.01);
        options.adaptive = adaptive;
        fb_sim* sim = sim_or_fail(m, &options);
        fb_block block = fb_default_block(), good;
        fb_pd_joint joint = fb_default_pd_joint();
        fb_error error;
        joint.coordinate = 6;
        joint.kp = 1;
        assert_int_equal(fb_block_new_joint_pd(m, "good", &joint, 1, &good, &error), FB_OK);
        block.name = "bad";
        block.user = &kind;
        block.act = broken;
        block.nwrench = 1;
        block.nstate = 1;
        block_or_fail(sim, &block);
        block_or_fail(sim, &good);
        print_message("%-14s", fb_method_name(METHODS[i]));
        fails_with(sim, WORDS[kind]);
        fb_sim_free(sim);
      }
  fb_model_free(m);
}

static void hole(void* user, double t, const double p_w[3], double a_w[3]) {
  (void)user, (void)p_w;
  a_w[0] = a_w[1] = 0;
  a_w[2] = t > 0.2 ? NAN : -1;
}

static void a_field_that_gives_nan_is_named(void** unused) {
  (void)unused;
  fb_model* m = satellite(0.5, 1);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  options.environment.acceleration = hole;
  fb_sim* sim = sim_or_fail(m, &options);
  fails_with(sim, (const char* const[]){"at t = 0.2", "gravity field", "nan", "body \"", NULL});
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- dopri5 notices --- */

static double stiff_since(double damping, double t) {
  fb_model* m = satellite(damping, 0);
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0);
  options.adaptive = 1;
  options.rtol = options.atol = 1e-6;
  fb_sim* sim = sim_or_fail(m, &options);
  double q[16], v[16] = {0};
  fb_neutral(m, q);
  v[7] = 0.3;
  start_or_fail(sim, q, v);
  run_or_fail(sim, t);
  double since = fb_sim_stiff_since(sim);
  fb_sim_free(sim);
  fb_model_free(m);
  return since;
}

static void dopri5_notices_that_stability_bounds_its_steps(void** unused) {
  (void)unused;
  double stiff = stiff_since(1e4, 0.2), smooth = stiff_since(0.1, 20);
  print_message("stiff since %g s\n", stiff);
  assert_true(stiff > 0 && stiff < 0.1 && isinf(smooth));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_stiff_is_named),
      cmocka_unit_test(what_is_stiff_is_named_where_steps_were_halved),
      cmocka_unit_test(a_joint_that_is_locked_is_not_named),
      cmocka_unit_test(a_law_that_is_stiff_is_named),
      cmocka_unit_test(a_law_that_gives_a_force_beyond_all_measure_is_named),
      cmocka_unit_test(a_law_that_gives_nan_is_named_under_every_method),
      cmocka_unit_test(a_field_that_gives_nan_is_named),
      cmocka_unit_test(dopri5_notices_that_stability_bounds_its_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
