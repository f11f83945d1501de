/* test_ownership.c -- what is given to a call is copied or taken over (docs/interface.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

static fb_spline* ramp(double end) {
  const double times[] = {0, 1, 2}, values[] = {0, end / 2, end};
  fb_spline* spline;
  assert_int_equal(fb_spline_new_cubic(3, times, values, &spline, NULL), FB_OK);
  return spline;
}

/* --- paths are copied --- */

static fb_status with_pd(const fb_model* m, const fb_spline* path, fb_sim* sim, fb_error* error) {
  fb_pd_joint joint = {
      .coordinate = 6, .kp = 80, .kd = 30, .path = path, .effort = INFINITY, .cookie_ = FB_COOKIE};
  fb_block block;
  fb_status status = fb_block_new_joint_pd(m, "law", &joint, 1, &block, error);
  return status ? status : fb_sim_add_block(sim, &block, NULL, error);
}

static fb_status with_computed_torque(const fb_model* m, const fb_spline* path, fb_sim* sim,
                                      fb_error* error) {
  fb_pd_joint joint = {
      .coordinate = 6, .kp = 8, .kd = 3, .path = path, .effort = INFINITY, .cookie_ = FB_COOKIE};
  fb_block block;
  fb_status status = fb_block_new_computed_torque(m, "law", &joint, 1, &block, error);
  return status ? status : fb_sim_add_block(sim, &block, NULL, error);
}

static fb_status with_frame_task(const fb_model* m, const fb_spline* path, fb_sim* sim, fb_error* error) {
  fb_frame_task task = fb_default_frame_task();
  task.frame = fb_model_find_frame(m, "a3");
  task.rows = 3;
  task.path = (fb_frame_path){.position = {NULL, path, NULL}, .from_start = 1};
  task.damping = 0.1;
  fb_block block;
  fb_status status = fb_block_new_frame_task(m, "law", &task, &block, error);
  return status ? status : fb_sim_add_block(sim, &block, NULL, error);
}

static fb_status with_attitude(const fb_model* m, const fb_spline* path, fb_sim* sim, fb_error* error) {
  fb_attitude_task task = fb_default_attitude_task();
  task.body = 1;
  task.turn = path;
  task.axis_w[2] = 1;
  fb_block block;
  fb_status status = fb_block_new_attitude(m, "law", &task, &block, error);
  return status ? status : fb_sim_add_block(sim, &block, NULL, error);
}

static fb_status with_motion(const fb_model* m, const fb_spline* path, fb_sim* sim, fb_error* error) {
  (void)m;
  fb_motion motion = {.kind = FB_MOTION_PATH, .path = path, .cookie_ = FB_COOKIE};
  int id;
  fb_status status = fb_sim_add_motion(sim, &motion, &id, error);
  return status ? status : fb_sim_set_motion(sim, 6, id, error);
}

typedef fb_status (*follow)(const fb_model* m, const fb_spline* path, fb_sim* sim, fb_error* error);

/* The robot after a second. When the path is freed at once, others take the memory that it had. */
static void run(const fb_model* m, follow add, int free_at_once, double* q) {
  fb_error error;
  fb_sim* sim;
  fb_spline *path = ramp(0.4), *others[8] = {NULL};
  double v[64] = {0};
  fb_neutral(m, q);
  assert_int_equal(fb_sim_new(m, NULL, &sim, &error), FB_OK);
  if (add(m, path, sim, &error)) fail_msg("%s", error.text);
  if (free_at_once) {
    fb_spline_free(path);
    for (int i = 0; i < 8; i++) others[i] = ramp(-0.7);
  }
  if (fb_sim_start(sim, q, v, &error) || fb_sim_run_until(sim, 1, &error)) fail_msg("%s", error.text);
  memcpy(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
  fb_sim_free(sim);
  for (int i = 0; i < 8; i++) fb_spline_free(others[i]);
  if (!free_at_once) fb_spline_free(path);
}

static void a_path_may_be_freed_when_the_call_that_took_it_returns(void** unused) {
  (void)unused;
  static const follow ways[] = {with_pd, with_computed_torque, with_frame_task, with_attitude, with_motion};
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    double kept[64], freed[64], rest[64];
    fb_neutral(m, rest);
    run(m, ways[i], 0, kept);
    run(m, ways[i], 1, freed);
    assert_memory_not_equal(kept, rest, (size_t)fb_model_nq(m) * sizeof *kept);
    assert_memory_equal(kept, freed, (size_t)fb_model_nq(m) * sizeof *kept);
  }
  fb_model_free(m);
}

static void a_copy_of_a_spline_is_that_spline(void** unused) {
  (void)unused;
  fb_spline *path = ramp(3), *copy = fb_spline_copy(path);
  for (double t = -1; t < 3; t += 0.125) {
    double a[3], b[3];
    fb_spline_eval(path, t, &a[0], &a[1], &a[2]);
    fb_spline_eval(copy, t, &b[0], &b[1], &b[2]);
    assert_memory_equal(a, b, sizeof a);
    assert_true(fb_spline_next_knot(path, t) == fb_spline_next_knot(copy, t));
  }
  assert_null(fb_spline_copy(NULL));
  fb_spline_free(copy);
  fb_spline_free(path);
}

/* --- blocks and steppers are taken over --- */

static void count_call(void* user) {
  ++*(int*)user;
}

static fb_block counted(const char* name, int* freed) {
  fb_block block = fb_default_block();
  block.name = name;
  block.user = freed;
  block.free = count_call;
  return block;
}

static void a_block_is_freed_once_whether_it_is_taken_or_refused(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  int taken = 0, refused = 0, alone = 0;
  fb_block one = counted("law", &taken), same = counted("law", &refused), other = counted("other", &alone);
  fb_sim* sim = sim_or_fail(m, NULL);
  assert_int_equal(fb_sim_add_block(sim, &one, NULL, NULL), FB_OK);
  assert_int_equal(fb_sim_add_block(sim, &same, NULL, NULL), FB_ERR_NAME);
  assert_int_equal(taken, 0);
  assert_int_equal(refused, 1);
  fb_sim_free(sim);
  assert_int_equal(taken, 1);
  fb_block_free(&other);
  fb_block_free(&other); /* it does nothing by now */
  assert_int_equal(alone, 1);
  fb_model_free(m);
}

static fb_status refuse(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                        fb_error* error) {
  (void)self, (void)sim, (void)t_limit, (void)t_next, (void)y_next, (void)error;
  return FB_ERR_NO_SOLUTION;
}

static fb_status nowhere(void* self, fb_sim* sim, double t, double* y, fb_error* error) {
  (void)self, (void)sim, (void)t, (void)y, (void)error;
  return FB_ERR_NO_SOLUTION;
}

static void a_stepper_is_freed_once_whether_it_is_taken_or_refused(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  for (int good = 0; good < 2; good++) {
    int freed = 0;
    fb_stepper stepper = {.name = "own",
                          .self = &freed,
                          .step = refuse,
                          .eval = nowhere,
                          .free = count_call,
                          .cookie_ = FB_COOKIE};
    fb_sim_options options = fb_default_sim_options();
    fb_sim* sim;
    options.method = FB_METHOD_CUSTOM;
    options.stepper = &stepper;
    options.rtol = good ? options.rtol : -1;
    assert_int_equal(fb_sim_new(m, &options, &sim, NULL), good ? FB_OK : FB_ERR_ARG);
    assert_int_equal(freed, !good);
    fb_sim_free(sim);
    assert_int_equal(freed, 1);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_path_may_be_freed_when_the_call_that_took_it_returns),
      cmocka_unit_test(a_copy_of_a_spline_is_that_spline),
      cmocka_unit_test(a_block_is_freed_once_whether_it_is_taken_or_refused),
      cmocka_unit_test(a_stepper_is_freed_once_whether_it_is_taken_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
