/* contact_rig.h -- sliders, pushes and every method, for the tests of limits and stiction. Include after cmocka.h. */
#ifndef FB_TESTS_CONTACT_RIG_H
#define FB_TESTS_CONTACT_RIG_H

#include <freebody/sundials.h>

#include "base/cookie.h"
#include "sim_rig.h"

/* Every method, those of SUNDIALS last, where they are built in. */
enum { EVERY_METHOD = METHOD_COUNT + 3 };
static const char* const NAMES[EVERY_METHOD] = {"euler",         "semi_implicit", "rk4",      "rkmk4",
                                                "dopri5, fixed", "momentum",      "implicit", "dopri5",
                                                "cvode",         "arkode"};

static inline int method_count(void) {
  return fb_sundials_available() ? EVERY_METHOD : EVERY_METHOD - 2;
}

static inline int is_coarse(int method) {
  return method < 2;
}

static inline int is_middling(int method) {
  return method < METHOD_COUNT && is_second_order(METHODS[method]);
}

static inline fb_sim* sim_by(int method, const fb_model* m, double step, fb_sim_options options) {
  fb_stepper stepper;
  fb_error error;
  fb_sim* sim;
  options.method = method < METHOD_COUNT    ? METHODS[method]
                   : method == METHOD_COUNT ? FB_METHOD_DOPRI5
                                            : FB_METHOD_CUSTOM;
  options.step = step;
  options.adaptive = method >= METHOD_COUNT;
  options.rtol = options.atol = 1e-8;
  if (options.method == FB_METHOD_CUSTOM) {
    if (fb_stepper_new_sundials(NAMES[method], 1e-8, 1e-8, 0, &stepper, &error)) fail_msg("%s", error.text);
    options.stepper = &stepper;
  }
  if (fb_sim_new(m, &options, &sim, &error)) fail_msg("%s", error.text);
  return sim;
}

/* `count` sliders of 1 kg along x, each on the one before when they are coupled. */
static inline fb_model* sliders(int count, int coupled, const double* friction) {
  static const char* const names[] = {"s0", "s1", "s2", "s3", "s4", "s5"};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < count; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = names[i];
    body.parent = coupled && i > 0 ? names[i - 1] : NULL;
    body.joint.type = FB_JOINT_PRISMATIC;
    body.joint.axis[0] = 1;
    if (friction) body.joint.friction[0] = friction[i];
    body.mass = 1;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static inline int limit_or_fail(fb_sim* sim, int k, double level, int side, double restitution) {
  int id;
  fb_error error;
  fb_limit limit = {
      .coordinate = k, .side = side, .level = level, .restitution = restitution, .cookie_ = FB_COOKIE};
  if (fb_sim_add_limit(sim, &limit, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* Pushes: constant from each time on, the last for good. */
static inline void push_or_fail(fb_sim* sim, int k, int count, const double* times, const double* forces) {
  fb_block block;
  fb_error error;
  char name[16];
  double t[8] = {0}, f[8] = {0};
  for (int i = 0; i < count; i++) {
    t[i] = times[i];
    f[i] = forces[i];
  }
  t[count] = 1e6;
  fb_schedule schedule = {count + 1, t, f, 0, .cookie_ = FB_COOKIE};
  snprintf(name, sizeof name, "push%d", k);
  if (fb_block_new_joint_schedule(fb_sim_model(sim), name, k, &schedule, &block, &error))
    fail_msg("%s", error.text);
  block_or_fail(sim, &block);
}

/* Saves `sim` at 8 instants, a period apart; restored into `other`, each goes on for a period to the same bits. */
static inline void assert_restores(fb_sim* sim, fb_sim* other, double period) {
  size_t size = fb_sim_snapshot_size(sim), ny = (size_t)fb_sim_ny(sim) * sizeof(double);
  char *snapshot = (char*)malloc(size), *y = (char*)malloc(ny);
  assert_non_null(snapshot);
  assert_non_null(y);
  for (int cut = 1; cut <= 8; cut++) {
    run_or_fail(sim, period * cut);
    fb_sim_save(sim, snapshot);
    fb_error error;
    if (fb_sim_restore(other, snapshot, size, &error)) fail_msg("%s", error.text);
    run_or_fail(other, period * (cut + 1));
    fb_sim_save(other, snapshot);
    memcpy(y, fb_sim_y(other), ny);
    run_or_fail(sim, period * (cut + 1));
    assert_memory_equal(y, fb_sim_y(sim), ny);
  }
  free(snapshot);
  free(y);
}

#endif
