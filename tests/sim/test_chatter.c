/* test_chatter.c -- events whose actions turn back what they watch end a run with an error, soon and by every method;
 * switches with hysteresis, however fast, and restores do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"

static const double PUSH = 1, BRAKE = -1; /* [N] */
static int FORWARDS = 0, BACKWARDS = 1;   /* modes */

static fb_status act_force(void* user, const fb_context* context, const double* memory, const double* state,
                           fb_action* action, double* rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += *(const double*)user;
  return FB_OK;
}

static fb_status switch_to(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_set_mode(sim, *(const int*)user, error);
}

static void force_or_fail(fb_sim* sim, const char* name, const double* force, int mode) {
  fb_block block = fb_default_block();
  block.name = name;
  block.act = act_force;
  block.user = (void*)force;
  block.modes = 1u << mode;
  block_or_fail(sim, &block);
}

/* A slider at `speed`, braked while it is faster than `width` and pushed once it is slower than -width. */
static fb_sim* relay(int method, const fb_model* m, double width, double speed) {
  fb_sim_options options = fb_default_sim_options();
  options.nmode = 2;
  fb_sim* sim = sim_by(method, m, 0.01, options);
  force_or_fail(sim, "push", &PUSH, FORWARDS);
  force_or_fail(sim, "brake", &BRAKE, BACKWARDS);
  fb_event slow = {.name = "slow",
                   .kind = FB_TRIGGER_CROSSING,
                   .signal = signal_or_fail(m, "v.s0"),
                   .level = -width,
                   .direction = -1,
                   .act = switch_to,
                   .user = &FORWARDS,
                   .cookie_ = FB_COOKIE};
  fb_event fast = slow;
  fast.name = "fast";
  fast.level = width;
  fast.direction = 1;
  fast.user = &BACKWARDS;
  event_or_fail(sim, &slow);
  event_or_fail(sim, &fast);
  start_or_fail(sim, &(double){0}, &speed);
  return sim;
}

static void events_that_undo_each_other_end_the_run_and_are_named(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = relay(i, m, 0, -0.5);
    fb_error error;
    assert_int_equal(fb_sim_run_until(sim, 3, &error), FB_ERR_NO_SOLUTION);
    assert_true(fabs(fb_sim_time(sim) - 0.5) < 1e-6);
    assert_true(fb_sim_nstep(sim) < 2000);
    assert_non_null(strstr(error.text, "at t = 0.5"));
    assert_non_null(strstr(error.text, "events \"slow\", \"fast\" happen without end"));
    assert_non_null(strstr(error.text, "(\"push\", \"brake\": switched on and off)"));
    assert_non_null(strstr(error.text, "hysteresis"));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A switch at 250 kHz: 1e-6 m/s at 1 m/s^2 takes 2e-6 s either way. */
static void a_fast_switch_with_hysteresis_runs(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = relay(i, m, 1e-6, -1e-6);
    run_or_fail(sim, 1e-3);
    assert_true(fabs(fb_sim_v(sim)[0]) <= 1.01e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* The same event many times at the same instant, once in each of many runs. */
static void runs_that_begin_again_from_a_snapshot_do_not_add_up(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  fb_sim* sim = relay(2, m, 0.1, 0);
  fb_error error;
  size_t size = fb_sim_snapshot_size(sim);
  char* snapshot = (char*)malloc(size);
  assert_non_null(snapshot);
  run_or_fail(sim, 0.09);
  fb_sim_save(sim, snapshot);
  for (int i = 0; i < 500; i++) {
    run_or_fail(sim, 0.15);
    assert_int_equal(fb_sim_mode(sim), BACKWARDS);
    if (fb_sim_restore(sim, snapshot, size, &error)) fail_msg("%s", error.text);
  }
  free(snapshot);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_that_undo_each_other_end_the_run_and_are_named),
      cmocka_unit_test(a_fast_switch_with_hysteresis_runs),
      cmocka_unit_test(runs_that_begin_again_from_a_snapshot_do_not_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
