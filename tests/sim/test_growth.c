/* test_growth.c -- the estimated error of a run is that of the run: carried over impacts on stops, whose effect on a floating base
 * depends on the pose. */
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

static fb_sim* start(const fb_model* m, double accuracy, double restitution, const double* q,
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
  for (int k = 6; k < 6 + ARMS; k++)
    for (int side = -1; side <= 1; side += 2) {
      fb_limit limit = {.coordinate = k, .side = side, .level = 0.3 * side, .restitution = restitution};
      check(fb_sim_add_limit(sim, &limit, NULL, &error));
    }
  check(fb_sim_start(sim, q, v, &error));
  return sim;
}

/* Within a factor of five, either way: the truth is seen at 20 instants only, and a twelfth of the steps is sampled. */
static void an_estimate_carried_over_impacts_is_that_of_the_run(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    double q[7 + ARMS], v[6 + ARMS], truth = 0;
    fb_model* m = floating_arm(seed, q, v);
    double restitution = seed % 3 == 0 ? 0 : 0.3 * (double)(seed % 3);
    fb_sim *sim = start(m, 1e-6, restitution, q, v), *exact = start(m, 1e-10, restitution, q, v);
    for (int i = 1; i <= SAMPLES; i++) {
      run_to(sim, 0.1 * i);
      run_to(exact, 0.1 * i);
      for (int k = 0; k < fb_model_nq(m); k++)
        truth = worse_of(truth, fabs(fb_sim_q(sim)[k] - fb_sim_q(exact)[k]));
    }
    double estimate = fb_sim_error_estimate(sim, NULL);
    print_message("%d: off by %.1e, estimated %.1e\n", (int)seed, truth, estimate);
    assert_true(estimate < 5 * truth && estimate > truth / 5);
    fb_sim_free(sim);
    fb_sim_free(exact);
    fb_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_estimate_carried_over_impacts_is_that_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
