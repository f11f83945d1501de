/* test_growth.c -- the estimated error of a run is that of the run: carried over impacts on stops, whose effect on a floating base
 * depends on the pose; and an event
 * that would not have happened without it is reported. */
#include "base/cookie.h"
#include "momentum_rig.h"

enum { ARMS = 2, SAMPLES = 20 };

/* A base that floats, and an arm that weighs more. */
static fb_model* floating_arm(uint64_t seed, double* q, double* v) {
  fb_random r = random_seed(seed);
  static const char* const NAMES[] = {"base", "a", "b", "c", "d"};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i <= ARMS; i++) {
    fb_body_def b =
        body(NAMES[i], i == 0 ? NULL : NAMES[i - 1], i == 0 ? FB_JOINT_FREE : FB_JOINT_REVOLUTE, 1);
    if (i > 0) random_fill(&r, -1, 1, 3, b.joint.axis);
    add_body(def, &b);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_neutral(m, q);
  for (int k = 0; k < fb_model_nv(m); k++) v[k] = k < 6 ? random_in(&r, -0.5, 0.5) : random_in(&r, -3, 3);
  return m;
}

/* Torques that drive the joints from stop to stop. */
static fb_status act_waves(void* user, const fb_context* context, const double* memory, const double* state,
                           fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  for (int k = 0; k < ARMS; k++) action->tau[6 + k] += 20 * sin((7 + 3 * k) * context->t);
  return FB_OK;
}

static fb_sim* start(const fb_model* m, double accuracy, int stops, double restitution, const double* q,
                     const double* v) {
  fb_sim_options options = fb_default_sim_options();
  fb_error error;
  fb_sim* sim;
  options.method = FB_METHOD_DOPRI5;
  options.adaptive = 1;
  options.accuracy = accuracy;
  options.rtol = 0;
  check(fb_sim_new(m, &options, &sim, &error));
  fb_block block = fb_default_block();
  block.name = "waves";
  block.act = act_waves;
  check(fb_sim_add_block(sim, &block, NULL, &error));
  for (int k = 6; stops && k < 6 + ARMS; k++)
    for (int side = -1; side <= 1; side += 2) {
      fb_limit limit = {.coordinate = k,
                        .side = side,
                        .level = 0.3 * side,
                        .restitution = restitution,
                        .cookie_ = FB_COOKIE};
      check(fb_sim_add_limit(sim, &limit, NULL, &error));
    }
  check(fb_sim_start(sim, q, v, &error));
  return sim;
}

/* The largest difference of coordinates. */
static double run_both(fb_sim* sim, fb_sim* exact, int nq) {
  double worst = 0;
  for (int i = 1; i <= SAMPLES; i++) {
    run_to(sim, 0.1 * i);
    run_to(exact, 0.1 * i);
    for (int k = 0; k < nq; k++) worst = worse_of(worst, fabs(fb_sim_q(sim)[k] - fb_sim_q(exact)[k]));
  }
  return worst;
}

/* Within a factor of five, either way: the truth is seen at 20 instants only, and a twelfth of the steps is sampled. */
static void an_estimate_carried_over_impacts_is_that_of_the_run(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    double q[7 + ARMS], v[6 + ARMS];
    fb_model* m = floating_arm(seed, q, v);
    double restitution = seed % 3 == 0 ? 0 : 0.3 * (double)(seed % 3);
    fb_sim *sim = start(m, 1e-6, 1, restitution, q, v), *exact = start(m, 1e-10, 1, restitution, q, v);
    double truth = run_both(sim, exact, fb_model_nq(m)), estimate = fb_sim_error_estimate(sim, NULL);
    print_message("%d: off by %.1e, estimated %.1e\n", (int)seed, truth, estimate);
    assert_true(estimate < 5 * truth && estimate > truth / 5);
    fb_sim_free(sim);
    fb_sim_free(exact);
    fb_model_free(m);
  }
}

/* Six evaluations for the step, four for the motion beside, five and a half for its own error, less at first, and those of rejected
 * steps, which are many in a short run. */
static void the_estimate_of_a_smooth_motion_is_right_for_less_than_ten_evaluations_a_step(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    double q[7 + ARMS], v[6 + ARMS];
    fb_model* m = floating_arm(seed, q, v);
    fb_sim *sim = start(m, 1e-6, 0, 0, q, v), *exact = start(m, 1e-10, 0, 0, q, v);
    double truth = run_both(sim, exact, fb_model_nq(m)), estimate = fb_sim_error_estimate(sim, NULL);
    double steps = (double)fb_sim_nstep(sim), cost = (double)fb_sim_nevaluation(sim) / steps;
    print_message("%d: off by %.1e, estimated %.1e, %.1f evaluations a step\n", (int)seed, truth, estimate,
                  cost);
    assert_true(estimate < 2 * truth && estimate > truth / 2);
    assert_true(cost < 17);
    fb_sim_free(sim);
    fb_sim_free(exact);
    fb_model_free(m);
  }
}

/* Errors of steps are found by twos, and a snapshot may lie between them. */
static void an_estimate_is_the_same_to_the_bit_when_every_step_begins_from_a_snapshot(void** unused) {
  (void)unused;
  double q[7 + ARMS], v[6 + ARMS];
  fb_error error;
  fb_model* m = floating_arm(1, q, v);
  fb_sim *plain = start(m, 1e-6, 0, 0, q, v), *saved = start(m, 1e-6, 0, 0, q, v),
         *next = start(m, 1e-6, 0, 0, q, v);
  size_t size = fb_sim_snapshot_size(saved);
  void* snapshot = malloc(size);
  assert_non_null(snapshot);
  while (fb_sim_time(plain) < 1) {
    check(fb_sim_step(plain, 1, &error));
    check(fb_sim_step(saved, 1, &error));
    fb_sim_save(saved, snapshot);
    check(fb_sim_restore(next, snapshot, size, &error));
    fb_sim* last = saved;
    saved = next;
    next = last;
  }
  assert_true(fb_sim_error_estimate(plain, NULL) > 0);
  assert_true(fb_sim_error_estimate(plain, NULL) == fb_sim_error_estimate(saved, NULL));
  assert_memory_equal(fb_sim_q(plain), fb_sim_q(saved), (size_t)fb_model_nq(m) * sizeof(double));
  fb_sim_free(plain);
  fb_sim_free(saved);
  fb_sim_free(next);
  free(snapshot);
  fb_model_free(m);
}

/* Two trees that spin, each with an arm. */
static fb_model* two_arms(uint64_t seed, double* q, double* v) {
  fb_random r = random_seed(seed);
  static const char* const NAMES[] = {"base", "a", "target", "b"};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 4; i++) {
    fb_body_def b = body(NAMES[i], i % 2 ? NAMES[i - 1] : NULL, i % 2 ? FB_JOINT_REVOLUTE : FB_JOINT_FREE,
                         i < 2 ? 10 : 1);
    if (i % 2) random_fill(&r, -1, 1, 3, b.joint.axis);
    add_body(def, &b);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_neutral(m, q);
  q[8] = 3;
  for (int k = 0; k < fb_model_nv(m); k++)
    v[k] = k % 7 < 3 ? 0 : random_in(&r, -0.5, 0.5); /* errors are in lengths of about 1 m */
  return m;
}

/* What is off, the largest until now. */
static double go_on_both(fb_sim* sim, fb_sim* exact, double until, double worst) {
  while (fb_sim_time(sim) < until - 1e-9) {
    double next = fb_sim_time(sim) + 0.1;
    run_to(sim, next);
    run_to(exact, next);
    for (int k = 0; k < fb_model_nq(fb_sim_model(sim)); k++)
      worst = worse_of(worst, fabs(fb_sim_q(sim)[k] - fb_sim_q(exact)[k]));
  }
  return worst;
}

static void an_estimate_carried_over_a_join_and_a_parting_is_that_of_the_run(void** unused) {
  (void)unused;
  static const fb_joint_type TYPES[] = {FB_JOINT_FIXED, FB_JOINT_REVOLUTE, FB_JOINT_SPHERICAL};
  for (uint64_t seed = 1; seed <= 12; seed++) {
    double q[16], v[14], truth = 0;
    fb_error error;
    fb_model* m = two_arms(seed, q, v);
    fb_sim* sims[] = {start(m, 1e-6, 0, 0, q, v), start(m, 1e-10, 0, 0, q, v)};
    fb_join_def how = fb_default_join_def();
    how.name = "grasp", how.frame = "target", how.to = "a", how.type = TYPES[seed % 3], how.force = 1;
    truth = go_on_both(sims[0], sims[1], 1, truth);
    for (int i = 0; i < 2; i++) check(fb_sim_join(sims[i], &how, &error));
    truth = go_on_both(sims[0], sims[1], 2, truth);
    for (int i = 0; i < 2; i++) check(fb_sim_part(sims[i], "grasp", &error));
    truth = go_on_both(sims[0], sims[1], 3, truth);
    double estimate = fb_sim_error_estimate(sims[0], NULL);
    print_message("%d: off by %.1e, estimated %.1e\n", (int)seed, truth, estimate);
    assert_true(estimate < 3 * truth && estimate > truth / 3);
    for (int i = 0; i < 2; i++) fb_sim_free(sims[i]);
    fb_model_free(m);
  }
}

/* A step is nearly a radian of a small vibration, whose errors add up for 10 s. */
static void an_estimate_of_a_fast_vibration_by_implicit_is_that_of_the_run(void** unused) {
  (void)unused;
  fb_error error;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_IMPLICIT;
  options.adaptive = 1;
  options.accuracy = 1e-6;
  options.rtol = options.step = 0;
  const double rate = 1000, inertia[6] = {1, 1, 1, 0, 0, 0};
  fb_model_def* def = fb_model_def_new();
  fb_body_def wheel = body("wheel", NULL, FB_JOINT_REVOLUTE, 1);
  memset(wheel.com, 0, sizeof wheel.com);
  memcpy(wheel.inertia, inertia, sizeof inertia);
  wheel.joint.stiffness[0] = rate * rate;
  add_body(def, &wheel);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_sim* sim;
  check(fb_sim_new(m, &options, &sim, &error));
  check(fb_sim_start(sim, &(double){0}, &(double){0.1}, &error));
  double truth = 0;
  while (fb_sim_time(sim) < 10) {
    check(fb_sim_step(sim, 10, &error));
    truth = worse_of(truth, fabs(fb_sim_q(sim)[0] - 0.1 / rate * sin(rate * fb_sim_time(sim))));
  }
  double estimate = fb_sim_error_estimate(sim, NULL);
  print_message("off by %.1e, estimated %.1e, in %ld steps\n", truth, estimate, (long)fb_sim_nstep(sim));
  assert_true(estimate < 2 * truth && estimate > truth / 2);
  fb_sim_free(sim);
  fb_model_free(m);
}

static fb_status throw_back(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_bounce(sim, 0, 0.5, error);
}

/* A pendulum that is locked for a while on its way up, below -0.5 rad, and then swings back; an event at a level throws it back.
 * Gives the angle where it was locked, and what is said of the run. */
static double hold_and_let_go(double level, char* text, size_t size) {
  fb_error error;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.adaptive = 1;
  options.accuracy = 1e-6;
  options.rtol = 0;
  options.environment.gravity_w[2] = -9.81;
  fb_model_def* def = fb_model_def_new();
  fb_body_def rod = body("rod", NULL, FB_JOINT_REVOLUTE, 1);
  rod.joint.axis[0] = rod.joint.axis[2] = 0, rod.joint.axis[1] = 1;
  rod.com[0] = rod.com[1] = 0, rod.com[2] = -0.5;
  add_body(def, &rod);
  fb_model* m = build_or_fail(def, NULL);
  fb_sim* sim;
  check(fb_sim_new(m, &options, &sim, &error));
  fb_event e = {.name = "floor",
                .kind = FB_TRIGGER_CROSSING,
                .level = level,
                .direction = 1,
                .act = throw_back,
                .cookie_ = FB_COOKIE};
  int count;
  check(fb_signal_find(m, "q.rod", &e.signal, 1, &count, &error));
  check(fb_sim_add_event(sim, &e, NULL, &error));
  check(fb_sim_start(sim, &(double){1}, &(double){0}, &error));
  while (fb_sim_q(sim)[0] > -0.5) run_to(sim, fb_sim_time(sim) + 0.1);
  double held = fb_sim_q(sim)[0];
  check(fb_sim_set_motion(sim, 0, FB_MOTION_LOCKED, &error));
  run_to(sim, fb_sim_time(sim) + 0.1);
  check(fb_sim_set_motion(sim, 0, FB_MOTION_FORCE, &error));
  run_to(sim, fb_sim_time(sim) + 0.1);
  fb_sim_warning(sim, text, size);
  assert_int_equal(isnan(fb_sim_error_estimate(sim, NULL)), text[0] != '\0');
  fb_sim_free(sim);
  fb_model_free(m);
  fb_model_def_free(def);
  return held;
}

/* It is locked 1e-12 rad below the level, and may as well have been above: then it would not have passed. */
static void an_event_that_an_error_may_have_caused_is_reported(void** unused) {
  (void)unused;
  char text[400];
  double held = hold_and_let_go(10, text, sizeof text);
  assert_string_equal(text, "");
  assert_true(hold_and_let_go(held + 1e-3, text, sizeof text) == held);
  assert_string_equal(text, "");
  assert_true(hold_and_let_go(held + 1e-12, text, sizeof text) == held);
  print_message("%s\n", text);
  assert_non_null(strstr(text, "the event \"floor\" at t = "));
  assert_non_null(strstr(text, "happened because of an error of this run"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_estimate_carried_over_impacts_is_that_of_the_run),
      cmocka_unit_test(the_estimate_of_a_smooth_motion_is_right_for_less_than_ten_evaluations_a_step),
      cmocka_unit_test(an_estimate_is_the_same_to_the_bit_when_every_step_begins_from_a_snapshot),
      cmocka_unit_test(an_estimate_carried_over_a_join_and_a_parting_is_that_of_the_run),
      cmocka_unit_test(an_estimate_of_a_fast_vibration_by_implicit_is_that_of_the_run),
      cmocka_unit_test(an_event_that_an_error_may_have_caused_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
