/* signal_rig.h -- wrenches on frames and values of signals, for the tests of signals. Include after cmocka.h. */
#ifndef FB_TESTS_SIGNAL_RIG_H
#define FB_TESTS_SIGNAL_RIG_H

#include "base/cookie.h"
#include "sim_rig.h"

static const double ALWAYS[2] = {0, 100};

/* A constant wrench on a frame: force, torque. */
static inline void push(fb_sim* sim, const fb_model* m, const char* name, const char* frame,
                        int in_frame_axes, const double wrench[6]) {
  double rows[12] = {0};
  fb_block block;
  fb_error error;
  memcpy(rows, wrench, 6 * sizeof *rows);
  const fb_schedule schedule = {2, ALWAYS, rows, 0, .cookie_ = FB_COOKIE};
  if (fb_block_new_frame_schedule(m, name, fb_model_find_frame(m, frame), in_frame_axes, &schedule, &block,
                                  &error))
    fail_msg("%s", error.text);
  block_or_fail(sim, &block);
}

/* The values of a name, which must be `count`, at the present moment. */
static inline void value(fb_sim* sim, const fb_model* m, const char* name, int count, double* x) {
  fb_signal signals[16];
  fb_error error;
  int found;
  if (fb_signal_find(m, name, signals, 16, &found, &error)) fail_msg("%s", error.text);
  assert_int_equal(found, count);
  fb_sim_signal_values(sim, signals, count, x);
}

/* Runs until an event occurs, which must be one, before `end`. */
static inline void run_to_event(fb_sim* sim, double end) {
  int n = 0;
  fb_error error;
  while (n == 0 && fb_sim_time(sim) < end) {
    if (fb_sim_step(sim, end, &error)) fail_msg("%s", error.text);
    fb_sim_event_records(sim, &n);
  }
  assert_int_equal(n, 1);
}

#endif
