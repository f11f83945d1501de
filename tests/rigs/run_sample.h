/* run_sample.h -- a small run to export and to draw: a swing of `n` samples, 10 ms apart, with two events. */
#ifndef FB_TESTS_RUN_SAMPLE_H
#define FB_TESTS_RUN_SAMPLE_H

#include "run_command.h"

#include <math.h>

#include <freebody/store.h>

enum { SAMPLE_SIGNALS = 6 };
static const fb_store_signal SAMPLE_NAMES[SAMPLE_SIGNALS] = {
    {"q.elbow", "rad", "joint", "coordinate of a joint"},
    {"q.shoulder_1", "rad", "joint", "coordinate of a joint"},
    {"p.hand.x", "m", "world", "position of a frame"},
    {"p.hand.y", "m", "world", "position of a frame"},
    {"p.hand.z", "m", "world", "position of a frame"},
    {"energy.total", "J", "", "energy of the scene"},
};

static inline void sample_values(long long i, double v[SAMPLE_SIGNALS]) {
  double t = 0.01 * (double)i;
  v[0] = sin(t);
  v[1] = 0.1 * (double)i;
  v[2] = cos(t) / 3;
  v[3] = i == 5 ? NAN : -0.25;
  v[4] = i == 6 ? INFINITY : 1e-9 * (double)i;
  v[5] = 3;
}

static inline void sample_run(const char* folder, long long n) {
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_create(folder, SAMPLE_NAMES, SAMPLE_SIGNALS, 1, &run, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_store_set_text(run, "name", "swing", &error), FB_OK);
  for (long long i = 0; i < n; i++) {
    double v[SAMPLE_SIGNALS];
    sample_values(i, v);
    if (fb_store_append(run, 0.01 * (double)i, v, &error)) fail_msg("%s", error.text);
  }
  assert_int_equal(fb_store_add_event(run, 0.02, "touch", "the hand touches the wall", &error), FB_OK);
  assert_int_equal(fb_store_add_event(run, 0.05, "let_go {50%} $x", "the hand \"lets\" go", &error), FB_OK);
  if (fb_store_close(run, &error)) fail_msg("%s", error.text);
}

#endif
