/* test_stepper.c -- what the table says of each method is what it does, and a stepper of the caller's own, written with
 * the public header alone, is treated by the traits that it declares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim/sim.h"
#include "sim_rig.h"

/* ---- Heun's method, order 2, on coordinates ---- */

typedef struct heun {
  double *rate0, *rate1, *y; /* [ny] */
  double t0, *y0;            /* the step last made began here */
} heun;

static fb_status heun_start(void* self, fb_sim* sim, fb_error* error) {
  (void)error;
  heun* o = (heun*)self;
  size_t ny = (size_t)fb_sim_ny(sim);
  o->rate0 = (double*)calloc(4 * ny, sizeof(double));
  o->rate1 = o->rate0 + ny;
  o->y = o->rate1 + ny;
  o->y0 = o->y + ny;
  return o->rate0 ? FB_OK : FB_ERR_MEMORY;
}

static fb_status heun_step(heun* o, fb_sim* sim, double t1, double* y1, fb_error* error) {
  int ny = fb_sim_ny(sim);
  double h = t1 - o->t0;
  fb_status status = fb_sim_rate(sim, o->t0, o->y0, o->rate0, error);
  for (int i = 0; i < ny; i++) o->y[i] = o->y0[i] + h * o->rate0[i];
  if (!status) status = fb_sim_rate(sim, t1, o->y, o->rate1, error);
  for (int i = 0; i < ny; i++) y1[i] = o->y0[i] + h / 2 * (o->rate0[i] + o->rate1[i]);
  fb_sim_project(sim, t1, y1);
  return status;
}

static fb_status heun_advance(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                              fb_error* error) {
  heun* o = (heun*)self;
  o->t0 = fb_sim_time(sim);
  memcpy(o->y0, fb_sim_y(sim), (size_t)fb_sim_ny(sim) * sizeof(double));
  *t_next = t_limit;
  return heun_step(o, sim, t_limit, y_next, error);
}

static fb_status heun_at(void* self, fb_sim* sim, double t, double* y, fb_error* error) {
  return heun_step((heun*)self, sim, t, y, error);
}

static void heun_free(void* self) {
  free(((heun*)self)->rate0);
  free(self);
}

static fb_stepper heun_stepper(int takes_moved) {
  return (fb_stepper){.name = "heun",
                      .traits = {.order = 2, .takes_moved = takes_moved},
                      .self = calloc(1, sizeof(heun)),
                      .start = heun_start,
                      .step = heun_advance,
                      .eval = heun_at,
                      .free = heun_free,
                      .cookie_ = FB_COOKIE};
}

/* ---- tests ---- */

static void only_methods_that_choose_their_own_step_go_without_one(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      fb_sim_options options = options_of(METHODS[i], 0);
      fb_sim* sim = NULL;
      fb_error error;
      options.adaptive = adaptive;
      /* implicit makes its steps twice then (stepper/extrapolation.c) */
      int chooses = (fb_method_traits(METHODS[i]).adaptive || METHODS[i] == FB_METHOD_IMPLICIT) && adaptive;
      assert_int_equal(fb_sim_options_traits(&options).adaptive, chooses);
      assert_int_equal(fb_sim_new(m, &options, &sim, &error), chooses ? FB_OK : FB_ERR_ARG);
      if (sim) assert_int_equal(fb_sim_traits(sim).adaptive, 1);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

static fb_status stand_still(void* user, const fb_context* context, const double* memory, const double* state,
                             fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  action->moved[0] = 1;
  action->vdot[0] = 0;
  return FB_OK;
}

/* Starts a pendulum whose hinge a block moves. */
static fb_status start_moved(const fb_sim_options* options, fb_error* error) {
  const double q = 0.3, v = 0;
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, options);
  fb_block block = fb_default_block();
  block.name = "still";
  block.moves = 1;
  block.act = stand_still;
  if (fb_sim_add_block(sim, &block, NULL, error)) fail_msg("%s", error->text);
  fb_status status = fb_sim_start(sim, &q, &v, error);
  fb_sim_free(sim);
  fb_model_free(m);
  return status;
}

static void blocks_that_move_joints_are_refused_where_the_traits_say_so(void** unused) {
  (void)unused;
  fb_error error;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    int takes = fb_method_traits(METHODS[i]).takes_moved;
    assert_int_equal(start_moved(&options, &error), takes ? FB_OK : FB_ERR_UNSUPPORTED);
  }
  for (int takes = 0; takes < 2; takes++) {
    fb_stepper stepper = heun_stepper(takes);
    fb_sim_options options = options_of(FB_METHOD_CUSTOM, 0.01);
    options.stepper = &stepper;
    assert_int_equal(start_moved(&options, &error), takes ? FB_OK : FB_ERR_UNSUPPORTED);
    if (!takes) assert_non_null(strstr(error.text, "the heun method cannot take"));
  }
}

static double swing(double step, double t, double* inside) {
  const double q = 1, v = 0;
  fb_model* m = pendulum();
  fb_stepper stepper = heun_stepper(1);
  fb_sim_options options = options_of(FB_METHOD_CUSTOM, step);
  fb_error error;
  options.environment.gravity_w[2] = -9.81;
  options.stepper = &stepper;
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, &q, &v);
  for (int i = 1; fb_sim_time(sim) < t; i++) {
    if (fb_sim_step(sim, t, &error)) fail_msg("%s", error.text);
    if (i < (int)(t / step)) assert_true(fabs(fb_sim_time(sim) - i * step) < 1e-12); /* on whole steps */
  }
  double middle = (fb_sim_step_start(sim) + fb_sim_time(sim)) / 2, end = fb_sim_q(sim)[0];
  if (fb_sim_eval_state(sim, middle, inside, NULL, &error)) fail_msg("%s", error.text);
  fb_sim_free(sim);
  fb_model_free(m);
  return end;
}

static void a_stepper_of_the_callers_own_makes_the_steps_it_declares(void** unused) {
  (void)unused;
  double inside, before, exact = swing(1e-4, 1, &inside);
  double order = log2((swing(0.005, 1, &inside) - exact) / (swing(0.0025, 1, &inside) - exact));
  print_message("order %.3f\n", order);
  assert_true(fabs(order - 2) < 0.1);
  before = swing(0.02, 0.99, &inside); /* the last step is half as long, and ends where the next one looks */
  (void)swing(0.02, 1, &inside);
  assert_true(inside == before);
}

static void a_stepper_that_lacks_a_function_is_refused(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_stepper stepper = heun_stepper(1);
  fb_sim_options options = options_of(FB_METHOD_CUSTOM, 0.01);
  fb_sim* sim;
  fb_error error;
  options.stepper = &stepper;
  stepper.eval = NULL;
  assert_int_equal(fb_sim_new(m, &options, &sim, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "stepper \"heun\" lacks step or eval; fill both");
  fb_model_free(m);
}

static fb_status step_to(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  (void)t_limit, (void)error;
  *t_next = *(const double*)self;
  memcpy(y_next, fb_sim_y(sim), (size_t)fb_sim_ny(sim) * sizeof *y_next);
  return FB_OK;
}

/* Simulations would never end, or end somewhere else. */
static void a_step_that_ends_where_it_must_not_is_refused(void** unused) {
  (void)unused;
  static const double ends[] = {0, -1, 0.02, NAN, INFINITY};
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    double end = ends[i];
    fb_stepper stepper = {.self = &end, .step = step_to, .eval = heun_at, .cookie_ = FB_COOKIE};
    fb_sim_options options = options_of(FB_METHOD_CUSTOM, 0.01);
    fb_error error;
    options.stepper = &stepper;
    fb_sim* sim = sim_or_fail(m, &options);
    start_or_fail(sim, NULL, NULL);
    assert_int_equal(fb_sim_step(sim, 1, &error), FB_ERR_ARG);
    assert_non_null(strstr(error.text, "stepper \"custom\" made a step from 0 to "));
    assert_true(fb_sim_time(sim) == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Bounds for stability come from the motion beside; a bound that outlives it made a run of 100 s take 13 million steps. */
static void where_errors_are_no_longer_followed_no_rate_bounds_the_steps(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0);
  options.adaptive = 1;
  options.rtol = 0;
  options.accuracy = 1e-6;
  fb_sim* sim = sim_or_fail(m, &options);
  const double q[] = {1};
  fb_error error;
  start_or_fail(sim, q, NULL);
  assert_int_equal(fb_sim_run_until(sim, 0.5, &error), FB_OK);
  sim->error.head->error = 1; /* as large as the motion */
  sim->error.head->step_rate = 5000;
  long long before = sim->head->steps;
  assert_int_equal(fb_sim_run_until(sim, 1.5, &error), FB_OK);
  assert_true(sim->head->steps - before < 1000);
  fb_sim_free(sim);
  fb_model_free(m);
}

static fb_sim* sim_with_error_control(fb_model* m, fb_method method) {
  fb_sim_options options = options_of(method, 0);
  options.adaptive = 1;
  options.rtol = 0;
  options.accuracy = 1e-6;
  return sim_or_fail(m, &options);
}

/* A law that has no solution at speeds that the motion does not reach, nor after *user. */
static fb_status narrow(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)action, (void)state_rate;
  if (fabs(context->v[0]) < 5 && context->t < *(const double*)user) return FB_OK;
  return fb_fail(error, FB_ERR_NO_SOLUTION, "it has no solution");
}

/* As after an event that releases a joint: the step to try is far too long, and its stages lead far off. */
static void a_trial_step_that_leads_where_a_law_fails_is_shortened(void** unused) {
  (void)unused;
  static const fb_method METHODS_WITH_CONTROL[] = {FB_METHOD_DOPRI5, FB_METHOD_IMPLICIT};
  fb_model* m = pendulum();
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = sim_with_error_control(m, METHODS_WITH_CONTROL[i]);
    fb_block law = fb_default_block();
    double q[] = {1}, until = 1.25;
    fb_error error;
    law.name = "law";
    law.user = &until;
    law.act = narrow;
    block_or_fail(sim, &law);
    start_or_fail(sim, q, NULL);
    assert_int_equal(fb_sim_run_until(sim, 0.1, &error), FB_OK);
    sim->error.head->step_next = 10;
    if (fb_sim_run_until(sim, 1, &error)) fail_msg("%s", error.text);
    /* One that fails in every step, however short, ends the run, and is named. */
    assert_int_equal(fb_sim_run_until(sim, 2, &error), FB_ERR_NO_SOLUTION);
    print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, "block \"law\": it has no solution"));
    assert_true(fabs(fb_sim_time(sim) - until) < 0.01); /* stages of implicit end before the step */
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* The estimate may be half of the truth, so the warning comes at half of what is promised, and says so. */
static void the_warning_of_large_errors_gives_the_estimate_and_what_it_is_worth(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim* sim = sim_with_error_control(m, FB_METHOD_DOPRI5);
  const double q[] = {1};
  char text[400];
  fb_error error;
  start_or_fail(sim, q, NULL);
  assert_int_equal(fb_sim_run_until(sim, 0.1, &error), FB_OK);
  assert_int_equal(fb_sim_warning(sim, text, sizeof text), 0);
  sim->error.head->error = 5.5e-6;
  sim->error.head->error_t = 0.05;
  assert_int_equal(fb_sim_warning(sim, text, sizeof text), 1);
  assert_non_null(strstr(text,
                         "from t = 0.05 s on positions may be off by more than ten times the accuracy of "
                         "1e-06: the estimate reaches 5.5e-06, and the error may be twice that"));
  sim->error.head->error = 2;
  assert_int_equal(fb_sim_warning(sim, text, sizeof text), 1);
  assert_non_null(strstr(text, "in the end they are off by as much as they move"));
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_methods_that_choose_their_own_step_go_without_one),
      cmocka_unit_test(blocks_that_move_joints_are_refused_where_the_traits_say_so),
      cmocka_unit_test(a_stepper_of_the_callers_own_makes_the_steps_it_declares),
      cmocka_unit_test(a_step_that_ends_where_it_must_not_is_refused),
      cmocka_unit_test(a_stepper_that_lacks_a_function_is_refused),
      cmocka_unit_test(where_errors_are_no_longer_followed_no_rate_bounds_the_steps),
      cmocka_unit_test(a_trial_step_that_leads_where_a_law_fails_is_shortened),
      cmocka_unit_test(the_warning_of_large_errors_gives_the_estimate_and_what_it_is_worth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
