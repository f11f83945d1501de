/* test_limits_odd.c -- limits and stiction where nobody had looked: tiny accelerations, starts beyond a stop, forces that
 * change while nothing moves, stops beside events, trees of very different weight. By every method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"

/* A force on the first coordinate as a function of time. */
typedef struct wave {
  double mean, size, speed;
} wave;

static fb_status act_wave(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)memory, (void)state, (void)rate, (void)error;
  const wave* w = (const wave*)user;
  action->tau[0] += w->mean + w->size * sin(w->speed * context->t);
  return FB_OK;
}

static void wave_or_fail(fb_sim* sim, wave* w) {
  fb_block block = fb_default_block();
  block.name = "wave";
  block.act = act_wave;
  block.user = w;
  block_or_fail(sim, &block);
}

static int count_until(fb_sim* sim, double until, int event) {
  fb_error error;
  int total = 0;
  while (fb_sim_time(sim) < until) {
    int count;
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    const fb_event_record* h = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++) total += event < 0 || h[i].event == event;
  }
  return total;
}

/* The hops end where they are lost in the rounding of the level: 1e-7 m/s^2 at 10 m. */
static void bounces_end_also_where_next_to_nothing_presses(void** unused) {
  (void)unused;
  static const double LEVELS[] = {0, 1, 10, 1e6}, PRESSES[] = {1e-3, 1e-5, 1e-7};
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 2; i < method_count(); i++)
    for (int c = 0; c < 12; c++) {
      double level = LEVELS[c / 3], press = PRESSES[c % 3], q = level - 1e-3, v = 0, times[] = {0};
      double until = 4 * sqrt(2e-3 / press);
      fb_sim* sim = sim_by(i, m, until / 2000, fb_default_sim_options());
      int limit = limit_or_fail(sim, 0, level, +1, 0.5);
      event_or_fail(
          sim, &(fb_event){.name = "hit", .kind = FB_TRIGGER_LIMIT, .limit = limit, .cookie_ = FB_COOKIE});
      push_or_fail(sim, 0, 1, times, &press);
      start_or_fail(sim, &q, &v);
      assert_in_range(count_until(sim, until, 0), 1, 60);
      if (level < 1e6) assert_true(fb_sim_q(sim)[0] == level && fb_sim_rests(sim, 0));
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* Started 0.1 beyond its stop and moving inwards it finds the stop at its level when it comes back. */
static void a_stop_is_at_its_level_again_once_the_joint_has_come_in(void** unused) {
  (void)unused;
  const double q = 0.2, v = -1, times[] = {0}, press = 0.5;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    fb_error error;
    double most = 0;
    limit_or_fail(sim, 0, 0.1, +1, 0.5);
    push_or_fail(sim, 0, 1, times, &press);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 1);
    while (fb_sim_time(sim) < 20) {
      if (fb_sim_step(sim, 20, &error)) fail_msg("%s", error.text);
      most = worse_of(most, fb_sim_q(sim)[0]);
    }
    assert_near(NAMES[i], &most, &(double){0.1}, 1, 1e-9);
    assert_true(fb_sim_rests(sim, 0));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Started at 1, beyond its stop at 0, and pushed outwards by 0.5, it comes in at 0.3 and turns at 0.91 after 0.6 s: there
 * the stop that follows it is met, with nothing to throw back. Methods of order one are off by the acceleration times a
 * step and the time, over two. */
static void a_stop_that_follows_a_joint_back_is_met_where_the_joint_turns(void** unused) {
  (void)unused;
  const double q = 1, v = -0.3, times[] = {0}, press = 0.5, step = 0.07, turned = 0.91;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, step, fb_default_sim_options());
    limit_or_fail(sim, 0, 0, +1, 0.5);
    push_or_fail(sim, 0, 1, times, &press);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 2);
    assert_near(NAMES[i], fb_sim_q(sim), &turned, 1, i < 2 ? 0.5 * press * step * 0.6 + 1e-3 : 1e-9);
    assert_true(fb_sim_v(sim)[0] == 0 && fb_sim_rests(sim, 0));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* 1 + 2 sin(t) presses and pulls; while it presses nothing moves, and error control sees no reason for short steps. */
static void a_stop_lets_go_in_steps_that_nothing_makes_short(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 1, v = 0;
  for (int speed = 1; speed <= 10; speed += 9) {
    int first = -1;
    for (int i = 2; i < method_count(); i++) {
      wave w = {1, 2, speed};
      fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
      int limit = limit_or_fail(sim, 0, 1, +1, 0);
      event_or_fail(sim, &(fb_event){.name = "off",
                                     .kind = FB_TRIGGER_LIMIT,
                                     .limit = limit,
                                     .phase = FB_LIMIT_LEAVES,
                                     .cookie_ = FB_COOKIE});
      wave_or_fail(sim, &w);
      start_or_fail(sim, &q, &v);
      int count = count_until(sim, 100, 0);
      if (first < 0) first = count;
      assert_int_equal(count, first);
      assert_true(count >= 15 * speed);
      fb_sim_free(sim);
    }
  }
  fb_model_free(m);
}

/* The same for friction: what slides in every half wave is the same by all methods. */
static void friction_lets_go_in_steps_that_nothing_makes_short(void** unused) {
  (void)unused;
  const double friction = 1, q = 0, v = 0;
  double want = 0;
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 2; i < method_count(); i++) {
    wave w = {0, 1.2, 1};
    fb_sim_options options = fb_default_sim_options();
    fb_ledger ledger;
    options.friction_law = FB_FRICTION_STICTION;
    fb_sim* sim = sim_by(i, m, 0.01, options);
    wave_or_fail(sim, &w);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 200);
    fb_sim_ledger(sim, &ledger);
    if (i == 2) want = ledger.dissipated;
    assert_near(NAMES[i], &ledger.dissipated, &want, 1, is_middling(i) ? 1e-4 : 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A step of force sets a stuck slider in motion: a solver's first step must not stop it again by its rounding. */
static void a_slider_that_begins_to_move_goes_on(void** unused) {
  (void)unused;
  const double friction = 3.53274, q = 0.81951, v = 0, times[] = {0, 1.21789}, forces[] = {0, 6.36859};
  double t = 3 - times[1], want = q + (forces[1] - friction) * t * t / 2;
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim_options options = fb_default_sim_options();
    options.friction_law = FB_FRICTION_STICTION;
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-4 : 0.01, options);
    push_or_fail(sim, 0, 2, times, forces);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 3);
    assert_near(NAMES[i], fb_sim_q(sim), &want, 1, is_coarse(i) ? 1e-3 : 1e-7);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* q'' = c (2 T^2 - 12 T t + 12 t^2): out to 1 m and back to rest within one step of 4 s, exact for dopri5. */
static fb_status out_and_back(void* user, const fb_context* context, const double* memory,
                              const double* state, fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  const double T = 4, c = 0.0625, t = context->t;
  action->tau[0] += c * (2 * T * T - 12 * T * t + 12 * t * t);
  return FB_OK;
}

static void a_limit_is_met_in_a_step_that_ends_inside_again(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 0;
  fb_sim* sim = sim_by(METHOD_COUNT, m, 4, fb_default_sim_options());
  fb_block block = fb_default_block();
  block.name = "out and back";
  block.act = out_and_back;
  block_or_fail(sim, &block);
  int limit = limit_or_fail(sim, 0, 0.5, +1, 0.5);
  int hit = event_or_fail(
      sim, &(fb_event){.name = "hit", .kind = FB_TRIGGER_LIMIT, .limit = limit, .cookie_ = FB_COOKIE});
  start_or_fail(sim, &q, &v);
  assert_int_equal(count_until(sim, 4, hit), 1);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* An event of the coordinate at the level of its stop happens, although the stop puts the joint back onto the level. */
static void an_event_at_the_level_of_a_stop_happens(void** unused) {
  (void)unused;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 0, v = 1;
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    limit_or_fail(sim, 0, 1, +1, 0.5);
    int passes = event_or_fail(sim, &(fb_event){.name = "passes",
                                                .kind = FB_TRIGGER_CROSSING,
                                                .signal = signal_or_fail(m, "q.s0"),
                                                .level = 1,
                                                .direction = 1,
                                                .cookie_ = FB_COOKIE});
    start_or_fail(sim, &q, &v);
    assert_int_equal(count_until(sim, 2, passes), 1);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static fb_status lock(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_set_motion(sim, 0, *(const int*)user, error);
}

static void a_lock_on_a_stop_is_no_leave(void** unused) {
  (void)unused;
  static int locked = FB_MOTION_LOCKED, loose = FB_MOTION_FORCE;
  fb_model* m = sliders(1, 0, NULL);
  const double q = 1, v = 0, times[] = {0}, press = 1;
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    int limit = limit_or_fail(sim, 0, 1, +1, 0.5);
    int off = event_or_fail(sim, &(fb_event){.name = "off",
                                             .kind = FB_TRIGGER_LIMIT,
                                             .limit = limit,
                                             .phase = FB_LIMIT_LEAVES,
                                             .cookie_ = FB_COOKIE});
    event_or_fail(sim, &(fb_event){.name = "lock",
                                   .kind = FB_TRIGGER_TIME,
                                   .time = 1,
                                   .act = lock,
                                   .user = &locked,
                                   .cookie_ = FB_COOKIE});
    event_or_fail(sim, &(fb_event){.name = "free",
                                   .kind = FB_TRIGGER_TIME,
                                   .time = 2,
                                   .act = lock,
                                   .user = &loose,
                                   .cookie_ = FB_COOKIE});
    push_or_fail(sim, 0, 1, times, &press);
    start_or_fail(sim, &q, &v);
    assert_int_equal(count_until(sim, 3, off), 0);
    assert_true(fb_sim_q(sim)[0] == 1);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* 1e6 kg at rest on a stop, pulled off by 0.4 N; beside it, in a tree of its own, 1e-6 kg pushed by 1 N. */
static void a_heavy_joint_leaves_whatever_a_light_one_elsewhere_does(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  const double masses[] = {1e6, 1e-6}, q[2] = {0, 0}, v[2] = {0, 0}, times[] = {0}, pulls[] = {0.4, 1};
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "light" : "heavy";
    body.joint.type = FB_JOINT_PRISMATIC;
    body.joint.axis[0] = 1;
    body.mass = masses[i];
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  for (int i = 2; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    limit_or_fail(sim, 0, 0, -1, 0);
    for (int k = 0; k < 2; k++) push_or_fail(sim, k, 1, times, &pulls[k]);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 10);
    assert_near(NAMES[i], fb_sim_q(sim), &(double){2e-5}, 1, 1e-3);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Three sliders with e = 1, 0, 1 under gravity: what rests stays to the bit on its stop, so that all methods see the
 * same impacts. */
static void what_rests_stays_on_its_stop_to_the_bit(void** unused) {
  (void)unused;
  fb_model* m = sliders(3, 1, NULL);
  const double q[3] = {0, 0, 0}, v[3] = {0, 0, 0};
  for (int i = 2; i < method_count(); i++) {
    fb_sim_options options = fb_default_sim_options();
    fb_error error;
    options.environment.gravity_w[0] = 3;
    fb_sim* sim = sim_by(i, m, 1e-3, options);
    for (int k = 0; k < 3; k++)
      for (int side = -1; side <= 1; side += 2) limit_or_fail(sim, k, 0.5 * side, side, k == 1 ? 0 : 1);
    start_or_fail(sim, q, v);
    while (fb_sim_time(sim) < 10) {
      if (fb_sim_step(sim, 10, &error)) fail_msg("%s", error.text);
      for (int k = 0; k < 3; k++) assert_true(!fb_sim_rests(sim, k) || fabs(fb_sim_q(sim)[k]) == 0.5);
    }
    assert_near(NAMES[i], fb_sim_q(sim), &(double){0.4566}, 1, 2e-3);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_end_also_where_next_to_nothing_presses),
      cmocka_unit_test(a_stop_is_at_its_level_again_once_the_joint_has_come_in),
      cmocka_unit_test(a_stop_that_follows_a_joint_back_is_met_where_the_joint_turns),
      cmocka_unit_test(a_stop_lets_go_in_steps_that_nothing_makes_short),
      cmocka_unit_test(friction_lets_go_in_steps_that_nothing_makes_short),
      cmocka_unit_test(a_slider_that_begins_to_move_goes_on),
      cmocka_unit_test(a_limit_is_met_in_a_step_that_ends_inside_again),
      cmocka_unit_test(an_event_at_the_level_of_a_stop_happens),
      cmocka_unit_test(a_lock_on_a_stop_is_no_leave),
      cmocka_unit_test(a_heavy_joint_leaves_whatever_a_light_one_elsewhere_does),
      cmocka_unit_test(what_rests_stays_on_its_stop_to_the_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
