/* test_singular.c -- a stretched arm under a law of its hand: the law is named with its smallest singular value, not the step; the
 * value is a signal. Second method: singular values of an arm of two links in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>

#include "mechanism_rig.h"

/* Links of 1 m in the x-y plane, "hand" at the end; `more` has a third one, of whose joints none is needed. */
static fb_model* arm(int more) {
  static const double AXIS_Z[3] = {0, 0, 1};
  fb_model_def* def = fb_model_def_new();
  put_rod(def, "l1", NULL, AXIS_Z, (double[3]){0, 0, 0}, AXIS_X);
  int last = put_rod(def, "l2", "l1", AXIS_Z, AXIS_X, AXIS_X);
  if (more) last = put_rod(def, "l3", "l2", AXIS_Z, AXIS_X, AXIS_X);
  put_frame(def, last, "hand", 1, 0, 0);
  return built(def);
}

/* Pulls the hand by dx from where it starts. */
static fb_sim* pulled(const fb_model* m, fb_method method, double step, double dx) {
  const double times[2] = {0, 2}, values[2] = {0, dx};
  fb_sim_options options = options_of(method, step);
  options.adaptive = method == FB_METHOD_DOPRI5;
  options.rtol = options.atol = 1e-9;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_frame_task task = fb_default_frame_task();
  fb_spline* path = NULL;
  fb_block block;
  fb_error error;
  if (fb_spline_new_quintic(2, times, values, &path, &error)) fail_msg("%s", error.text);
  task.frame = fb_model_find_frame(m, "hand");
  task.rows = 3;
  task.kp = 25;
  task.kd = 10;
  task.path.from_start = 1;
  task.path.position[0] = path;
  if (fb_block_new_frame_task(m, "tracker", &task, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
  fb_spline_free(path);
  return sim;
}

static double signal_of(fb_sim* sim, const char* name) {
  fb_signal signal;
  int count;
  double x;
  fb_error error;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* Of [-s1 - s12, -s12; c1 + c12, c12]: the product is |sin q2|, the sum of squares 3 + 2 cos q2. */
static void the_signal_is_the_smallest_singular_value(void** unused) {
  (void)unused;
  static const double ANGLES[] = {1.3, 0.4, 1e-2, 1e-5, 0};
  for (int more = 0; more < 2; more++) {
    fb_model* m = arm(more);
    for (size_t i = 0; i < 5 && !more; i++) {
      const double q[2] = {0.3, ANGLES[i]};
      double sum = 3 + 2 * cos(q[1]), product = fabs(sin(q[1])),
             root = sqrt(sum * sum - 4 * product * product);
      double large = sqrt((sum + root) / 2), small = product / large;
      fb_sim* sim = pulled(m, FB_METHOD_RK4, 0.01, 0);
      start_or_fail(sim, q, NULL);
      assert_true(fabs(signal_of(sim, "tracker.singular_value") - small) < 1e-14);
      assert_true(fabs(signal_of(sim, "tracker.conditioning") - small / large) < 1e-14);
      fb_sim_free(sim);
    }
    if (more) { /* what vanishes in every pose, the height, does not count */
      const double q[3] = {0.3, 0.9, 0.7};
      fb_sim* sim = pulled(m, FB_METHOD_RK4, 0.01, 0);
      start_or_fail(sim, q, NULL);
      assert_true(signal_of(sim, "tracker.conditioning") > 0.1);
      fb_sim_free(sim);
    }
    fb_model_free(m);
  }
}

static void a_stretched_arm_is_blamed_on_its_law(void** unused) {
  (void)unused;
  static const struct {
    fb_method method;
    double step, angle;
  } CASES[] = {{FB_METHOD_RK4, 0.01, 0},      {FB_METHOD_RK4, 0.01, 1e-3},   {FB_METHOD_RK4, 0.01, 0.5},
               {FB_METHOD_RKMK4, 0.002, 0.5}, {FB_METHOD_IMPLICIT, 0.01, 0}, {FB_METHOD_DOPRI5, 0, 1e-3},
               {FB_METHOD_DOPRI5, 0, 0.5}};
  fb_model* m = arm(0);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double q[2] = {0.2, CASES[i].angle};
    fb_sim* sim = pulled(m, CASES[i].method, CASES[i].step, 0.4);
    fb_error error;
    start_or_fail(sim, q, NULL);
    if (!fb_sim_run_until(sim, 5, &error)) fail_msg("case %d went well, and should not", (int)i);
    print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, "law \"tracker\" is near a singular pose"));
    assert_non_null(strstr(error.text, "smallest singular value"));
    assert_null(strstr(error.text, "too long"));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_ledger_that_a_singular_law_spoils_names_it(void** unused) {
  (void)unused;
  const double q[2] = {0.2, 1e-3}, v[2] = {0, 0};
  fb_model* m = arm(0);
  fb_sim* sim = pulled(m, FB_METHOD_RK4, 0.01, -0.4);
  char text[480];
  start_or_fail(sim, q, v);
  assert_false(fb_sim_warning(sim, text, sizeof text));
  run_or_fail(sim, 3);
  assert_true(fb_sim_warning(sim, text, sizeof text));
  print_message("%s\n", text);
  assert_non_null(strstr(text, "law \"tracker\" is near a singular pose"));
  assert_non_null(strstr(text, "do not trust this motion"));
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_law_that_starts_in_a_singular_pose_is_remarked_on(void** unused) {
  (void)unused;
  const double STRAIGHT[2] = {0, 0}, BENT[2] = {0.3, 1};
  fb_model* m = arm(0);
  fb_sim* sim = pulled(m, FB_METHOD_RK4, 1e-3, -0.3);
  char text[320];
  start_or_fail(sim, STRAIGHT, NULL);
  assert_int_equal(fb_sim_start_remark(sim, 0, text, sizeof text), FB_REMARK_LAW);
  assert_non_null(strstr(text, "law \"tracker\" starts in a singular pose"));
  assert_int_equal(fb_sim_start_remark(sim, 1, text, sizeof text), FB_REMARK_NONE);
  start_or_fail(sim, BENT, NULL);
  assert_int_equal(fb_sim_start_remark(sim, 0, text, sizeof text), FB_REMARK_NONE);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* The same pull by task_qp. */
static fb_sim* pulled_by_tasks(const fb_model* m, double dx) {
  const double times[2] = {0, 2}, values[2] = {0, dx};
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_qp_task task = fb_default_qp_task();
  fb_task_qp law = fb_default_task_qp();
  fb_spline* path = NULL;
  fb_block block;
  fb_error error;
  if (fb_spline_new_quintic(2, times, values, &path, &error)) fail_msg("%s", error.text);
  task.frame = fb_model_find_frame(m, "hand");
  task.kp = 25;
  task.kd = 10;
  task.path.from_start = 1;
  task.path.position[0] = path;
  law.tasks = &task;
  law.ntask = 1;
  law.effort = 1e6;
  if (fb_block_new_task_qp(m, "tasks", &law, &block, &error)) fail_msg("%s", error.text);
  block_or_fail(sim, &block);
  fb_spline_free(path);
  return sim;
}

static void a_singular_task_qp_is_named_too(void** unused) {
  (void)unused;
  const double q[2] = {0.2, 1e-3}, bent[2] = {0.3, 0.4};
  fb_model* m = arm(0);
  fb_sim* sim = pulled_by_tasks(m, -0.4);
  char text[480];
  double sum = 3 + 2 * cos(0.4), product = sin(0.4), root = sqrt(sum * sum - 4 * product * product);
  double large = sqrt((sum + root) / 2), small = product / large;
  start_or_fail(sim, bent, NULL);
  assert_true(fabs(signal_of(sim, "tasks.singular_value") - small) < 1e-14);
  assert_true(fabs(signal_of(sim, "tasks.conditioning") - small / large) < 1e-14);
  assert_int_equal(fb_sim_start_remark(sim, 0, text, sizeof text), FB_REMARK_NONE);
  start_or_fail(sim, q, NULL);
  assert_int_equal(fb_sim_start_remark(sim, 0, text, sizeof text), FB_REMARK_LAW);
  assert_non_null(strstr(text, "law \"tasks\" starts in a singular pose"));
  run_or_fail(sim, 3);
  assert_true(fb_sim_warning(sim, text, sizeof text));
  print_message("%s\n", text);
  assert_non_null(strstr(text, "law \"tasks\" is near a singular pose"));
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_signal_is_the_smallest_singular_value),
      cmocka_unit_test(a_stretched_arm_is_blamed_on_its_law),
      cmocka_unit_test(a_ledger_that_a_singular_law_spoils_names_it),
      cmocka_unit_test(a_law_that_starts_in_a_singular_pose_is_remarked_on),
      cmocka_unit_test(a_singular_task_qp_is_named_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
