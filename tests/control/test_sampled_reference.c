/* test_sampled_reference.c -- the references of sampled laws: the true start, not a noisy sample of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

static fb_status switch_mode(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_set_mode(sim, *(int*)user, error);
}

static fb_block keeper(const fb_model* m, double kp, double kd) {
  fb_attitude_task task = fb_default_attitude_task();
  fb_block block;
  fb_error error;
  task.body = 1;
  task.kp = kp;
  task.kd = kd;
  if (fb_block_new_attitude(m, "keeper", &task, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* All laws that take a reference from the start, on the satellite of two arms. */
static fb_block referring_block(const fb_model* m, int which) {
  if (which == 0) return keeper(m, 30, 60);
  fb_frame_task task = fb_default_frame_task();
  fb_block block;
  fb_error error;
  task.frame = fb_model_find_frame(m, which < 4 ? "a3" : "b3");
  task.by_motion = which > 1;
  task.assume_still = which == 2;
  task.keep_base = which == 3;
  task.rows = task.keep_base ? 3 : 6;
  task.path.from_start = 1;
  if (fb_block_new_frame_task(m, "hand", &task, &block, &error)) fail_msg("%s", error.text);
  return block;
}
enum { REFERRING = 5, MOST_MEMORY = 1000 };

static void references_are_the_true_start_whatever_the_noise(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_data* d = fb_data_new(m);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  fb_context context = {.model = m, .data = d, .q = q, .v = v};
  for (int which = 0; which < REFERRING; which++)
    for (int wrapped = 0; wrapped < 2; wrapped++) {
      double want[MOST_MEMORY] = {0}, got[MOST_MEMORY] = {0};
      fb_sampling sampling = sampling_of(0.01, 0.03);
      sampling.noise_q = sampling.noise_v = 0.1;
      fb_block block = referring_block(m, which);
      int count = block.nmemory;
      assert_int_equal(block.start(block.user, &context, want, NULL, NULL), FB_OK);
      if (wrapped) assert_int_equal(fb_block_new_limited(m, &block, &block, NULL), FB_OK);
      block = sampled_or_fail(m, block, &sampling);
      assert_true(block.nmemory <= MOST_MEMORY);
      assert_int_equal(block.start(block.user, &context, got, NULL, NULL), FB_OK);
      assert_memory_equal(got, want, (size_t)count * sizeof *want);
      block.free(block.user);
    }
  fb_data_free(d);
  fb_model_free(m);
}

/* Two minutes under noise of 0.05 rad, the law on from the start, or from a mode that is entered at 1 s: the mean of the
 * attitude is that of the start. One noisy reference would be off by 0.05 or so for ever; the mean of what is left of 1200
 * samples a period of 0.1 s apart is below a tenth of that. */
static void noise_does_not_move_the_attitude_that_is_kept(void** unused) {
  (void)unused;
  static int on = 1;
  fb_model* m = free_body();
  for (int later = 0; later < 2; later++) {
    fb_sampling sampling = sampling_of(0.1, 0.02);
    sampling.noise_q = 0.05;
    sampling.seed = 11;
    fb_block block = sampled_or_fail(m, keeper(m, 1, 4), &sampling);
    block.modes = later ? 2 : 0;
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.05);
    options.nmode = 2;
    fb_sim* sim = sim_or_fail(m, &options);
    const fb_event event = {.name = "on",
                            .kind = FB_TRIGGER_TIME,
                            .time = 1,
                            .once = 1,
                            .act = switch_mode,
                            .user = &on,
                            .cookie_ = FB_COOKIE};
    block_or_fail(sim, &block);
    event_or_fail(sim, &event);
    double q[7], v[6] = {0, 0, 0, 0.02, -0.01, 0.01}, R0[9], R[9], e[3], mean[3] = {0};
    fb_random_q(m, 5, q);
    fb_rot_from_quat(q + 3, R0);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 30);
    for (int i = 1; i <= 1200; i++) {
      run_or_fail(sim, 30 + 0.1 * i);
      fb_rot_from_quat(fb_sim_q(sim) + 3, R);
      fb_rot_difference(R, R0, e);
      for (int k = 0; k < 3; k++) mean[k] += e[k] / 1200;
    }
    print_message("mean attitude error %.2g %.2g %.2g rad\n", mean[0], mean[1], mean[2]);
    assert_near_of(1, "mean", mean, (const double[]){0, 0, 0}, 3, 0.005);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(references_are_the_true_start_whatever_the_noise),
      cmocka_unit_test(noise_does_not_move_the_attitude_that_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
