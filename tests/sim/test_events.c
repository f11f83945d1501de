/* test_events.c -- events, ticks, edges, modes and snapshots of a simulation, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

/* ---- crossings ---- */

/* The times at which a simulation's events happened. */
typedef struct diary {
  int count;
  int event[64];
  double t[64];
} diary;

static diary keep(fb_sim* sim, double until) {
  diary d = {0, {0}, {0}};
  fb_error error;
  while (fb_sim_time(sim) < until - 1e-12 && !fb_sim_stopped(sim)) {
    int count;
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    const fb_event_record* h = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++) {
      assert_true(d.count < 64);
      d.event[d.count] = h[i].event;
      d.t[d.count++] = h[i].t;
    }
  }
  return d;
}

static void a_crossing_is_found_on_the_steps_own_solution(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0.7, 0, 0, 0, 0, 0};
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.04);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_event passes = {.name = "passes",
                       .kind = FB_TRIGGER_CROSSING,
                       .signal = signal_or_fail(m, "p.hull.x"),
                       .level = 0.3,
                       .cookie_ = FB_COOKIE};
    event_or_fail(sim, &passes);
    start_or_fail(sim, q, v);
    diary d = keep(sim, 1);
    assert_int_equal(d.count, 1);
    if (!(fabs(d.t[0] - 0.3 / 0.7) <= 1e-12)) fail_msg("%s: at %.15g", fb_method_name(METHODS[i]), d.t[0]);
    assert_true(d.t[0] >= 0.3 / 0.7 - 1e-15); /* just past, never before */
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* The step ends at the root: one step more from the same start, of that length, is where the simulation is. */
static void fixed_steps_are_made_again_to_the_event(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double q = 0.4, v = 0;
  for (int i = 0; i < METHOD_COUNT; i++) {
    if (METHODS[i] == FB_METHOD_DOPRI5) continue; /* dense output */
    fb_sim_options options = options_of(METHODS[i], 0.05);
    options.environment.gravity_w[2] = -9.81;
    fb_sim *sim = sim_or_fail(m, &options), *again = sim_or_fail(m, &options);
    fb_event bottom = {.name = "bottom",
                       .kind = FB_TRIGGER_CROSSING,
                       .signal = signal_or_fail(m, "q.bob"),
                       .cookie_ = FB_COOKIE};
    fb_error error;
    event_or_fail(sim, &bottom);
    start_or_fail(sim, &q, &v);
    start_or_fail(again, &q, &v);
    int count = 0;
    while (count == 0) {
      assert_int_equal(fb_sim_step(sim, 9, &error), FB_OK);
      fb_sim_event_records(sim, &count);
    }
    run_or_fail(again, fb_sim_step_start(sim));
    assert_int_equal(fb_sim_step(again, fb_sim_time(sim), &error), FB_OK);
    assert_true(fb_sim_time(again) == fb_sim_time(sim));
    assert_near("q", fb_sim_q(sim), fb_sim_q(again), 1, 1e-15);
    assert_near("v", fb_sim_v(sim), fb_sim_v(again), 1, 1e-14);
    assert_true(fb_sim_q(sim)[0] <= 0 && fb_sim_q(sim)[0] > -1e-11);
    fb_sim_free(sim);
    fb_sim_free(again);
  }
  fb_model_free(m);
}

static void directions_and_once_choose_among_crossings(void** unused) {
  (void)unused;
  static const struct {
    int direction, once, count;
  } CASES[] = {{0, 0, 6}, {1, 0, 3}, {-1, 0, 3}, {0, 1, 1}, {1, 1, 1}};
  fb_model* m = pendulum();
  const double q = 0.1, v = 0; /* about 2 s a period: six passages in 6 s */
  for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0.02);
      options.environment.gravity_w[2] = -9.81;
      options.adaptive = adaptive;
      fb_sim* sim = sim_or_fail(m, &options);
      fb_event e = {.name = "bottom",
                    .kind = FB_TRIGGER_CROSSING,
                    .signal = signal_or_fail(m, "q.bob"),
                    .direction = CASES[c].direction,
                    .once = CASES[c].once,
                    .cookie_ = FB_COOKIE};
      event_or_fail(sim, &e);
      start_or_fail(sim, &q, &v);
      diary d = keep(sim, 6);
      assert_int_equal(d.count, CASES[c].count);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

static fb_status bounce(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_bounce(sim, 0, *(const double*)user, error);
}

/* A ball on a slide: heights after each bounce are e^2 of those before, and it comes to rest. */
static void a_ball_bounces_and_comes_to_rest(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "ball";
  body.joint.type = FB_JOINT_PRISMATIC;
  body.joint.axis[2] = 1;
  body.mass = 2;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  double e = 0.5, q = 1, v = 0, g = 10;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], i < 2 ? 1e-4 : 0.01);
    options.environment.gravity_w[2] = -g;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_event floor = {.name = "floor",
                      .kind = FB_TRIGGER_CROSSING,
                      .signal = signal_or_fail(m, "q.ball"),
                      .direction = -1,
                      .act = bounce,
                      .user = &e,
                      .cookie_ = FB_COOKIE};
    event_or_fail(sim, &floor);
    start_or_fail(sim, &q, &v);
    diary d = keep(sim, 3);
    double fall = sqrt(2 / g), tolerance = i < 2 ? 1e-3 : 1e-9;
    assert_true(d.count > 3);
    assert_near("first bounce", &d.t[0], &fall, 1, tolerance);
    assert_near("second", &d.t[1], &(double){2 * fall}, 1, tolerance);
    assert_near("third", &d.t[2], &(double){2.5 * fall}, 1, tolerance);
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    assert_int_equal(fb_sim_rests(sim, 0), 1);
    assert_true(fabs(fb_sim_q(sim)[0]) < 1e-6 && fb_sim_v(sim)[0] == 0);
    if (i >= 2)
      assert_in_range(d.count, 16, 19); /* hops halve until they are 1e-5 s short, by every method */
    assert_near("all energy is gone", &ledger.impacts, &(double){-2 * g}, 1, i < 2 ? 1e-2 : 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Let go, it would begin to move, or not, as rounding makes the event happen. */
static void a_bounce_of_a_joint_at_rest_leaves_it_at_rest(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double q = 0.5, v = 0.1;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    options.environment.gravity_w[0] = -5; /* presses towards larger angles */
    fb_sim* sim = sim_or_fail(m, &options);
    fb_error error;
    start_or_fail(sim, &q, &v);
    assert_int_equal(fb_sim_bounce(sim, 0, 0, &error), FB_OK);
    assert_int_equal(fb_sim_rests(sim, 0), 1);
    assert_int_equal(fb_sim_bounce(sim, 0, 0, &error), FB_OK);
    assert_int_equal(fb_sim_rests(sim, 0), 1);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A joint that starts on its stop and is pressed against it is held by it. */
static void a_start_on_the_level_counts(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double q = 0.5, v = 0;
  double e = 0;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    options.environment.gravity_w[0] = -5; /* presses towards larger angles */
    fb_sim* sim = sim_or_fail(m, &options);
    fb_event stop_at = {.name = "limit",
                        .kind = FB_TRIGGER_CROSSING,
                        .signal = signal_or_fail(m, "q.bob"),
                        .level = 0.5,
                        .direction = 1,
                        .act = bounce,
                        .user = &e,
                        .cookie_ = FB_COOKIE};
    event_or_fail(sim, &stop_at);
    start_or_fail(sim, &q, &v);
    diary d = keep(sim, 1);
    assert_int_equal(d.count, 1);
    assert_true(fabs(fb_sim_q(sim)[0] - 0.5) < 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A jump over the level is a passage too: by an edge of a schedule, by another event. */
static void jumps_over_a_level_are_crossings(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0}, times[2] = {0.25, 0.5}, rows[2] = {10, 0};
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.02);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_schedule pulse = {2, times, rows, 0, .cookie_ = FB_COOKIE};
    fb_block block;
    fb_error error;
    assert_int_equal(fb_block_new_joint_schedule(m, "pulse", 0, &pulse, &block, &error), FB_OK);
    block_or_fail(sim, &block);
    fb_event thrust = {.name = "thrust",
                       .kind = FB_TRIGGER_CROSSING,
                       .signal = signal_or_fail(m, "tau.hull.0"),
                       .level = 5,
                       .cookie_ = FB_COOKIE};
    event_or_fail(sim, &thrust);
    start_or_fail(sim, q, v);
    diary d = keep(sim, 1);
    assert_int_equal(d.count, 2);
    assert_true(d.t[0] == 0.25 && d.t[1] == 0.5);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- time events, ticks, edges ---- */

static fb_status stop(void* user, fb_sim* sim, fb_error* error) {
  (void)user, (void)error;
  fb_sim_stop(sim);
  return FB_OK;
}

static void time_events_fall_on_their_instants(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.03);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_event at_start = {.name = "start", .kind = FB_TRIGGER_TIME, .cookie_ = FB_COOKIE};
    fb_event beat = {
        .name = "beat", .kind = FB_TRIGGER_TIME, .time = 0.1, .period = 0.1, .cookie_ = FB_COOKIE};
    fb_event end = {.name = "end", .kind = FB_TRIGGER_TIME, .time = 0.55, .act = stop, .cookie_ = FB_COOKIE};
    event_or_fail(sim, &at_start);
    event_or_fail(sim, &beat);
    event_or_fail(sim, &end);
    start_or_fail(sim, q, v);
    int count;
    assert_int_equal(fb_sim_event_records(sim, &count)[0].event, 0);
    assert_int_equal(count, 1);
    diary d = keep(sim, 1);
    assert_int_equal(d.count, 6);
    for (int k = 0; k < 5; k++) assert_near("beat", &d.t[k], &(double){0.1 * (k + 1)}, 1, 1e-15);
    assert_true(d.t[5] == 0.55 && fb_sim_time(sim) == 0.55 && fb_sim_stopped(sim));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A pulse that begins and ends inside steps gives the momentum that it should, by every method. */
static void no_step_straddles_an_edge(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  const double times[2] = {0.123, 0.457}, rows[12] = {5};
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      fb_sim_options options = options_of(METHODS[i], 0.1);
      options.adaptive = adaptive;
      fb_sim* sim = sim_or_fail(m, &options);
      fb_schedule pulse = {2, times, rows, 0, .cookie_ = FB_COOKIE};
      fb_block block;
      fb_error error;
      fb_ledger ledger;
      if (fb_block_new_frame_schedule(m, "pulse", fb_model_find_frame(m, "hull"), 0, &pulse, &block, &error))
        fail_msg("%s", error.text);
      block_or_fail(sim, &block);
      start_or_fail(sim, q, v);
      run_or_fail(sim, 1);
      double speed = 5 * (times[1] - times[0]) / 10;
      if (!(fabs(fb_sim_v(sim)[0] - speed) <= 1e-14))
        fail_msg("%s: %.17g instead of %.17g", fb_method_name(METHODS[i]), fb_sim_v(sim)[0], speed);
      fb_sim_ledger(sim, &ledger);
      assert_true(ledger.linear_residual < 1e-13);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

static fb_status tick_only(void* user, const fb_context* context, double* memory, double* state,
                           fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)error;
  return FB_OK;
}

/* Ticks every 0.7 s fall at 2.0999999999999996, the pulse begins at 2.1: one instant. Limits likewise. */
static void edges_a_rounding_after_a_tick_are_seen_from_the_right(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0}, times[2] = {2.1, 2.3}, rows[2] = {10, 0};
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      fb_sim_options options = options_of(METHODS[i], 0.1);
      options.adaptive = adaptive;
      fb_sim* sim = sim_or_fail(m, &options);
      fb_schedule pulse = {2, times, rows, 0, .cookie_ = FB_COOKIE};
      fb_block block, clock = fb_default_block();
      fb_error error;
      assert_int_equal(fb_block_new_joint_schedule(m, "pulse", 0, &pulse, &block, &error), FB_OK);
      block_or_fail(sim, &block);
      clock.name = "clock";
      clock.period = 0.7;
      clock.tick = tick_only;
      block_or_fail(sim, &clock);
      start_or_fail(sim, q, v);
      for (double t = 0.1; t < 3.05; t += 0.1) run_or_fail(sim, t); /* sums, with their roundings */
      assert_near("momentum", fb_sim_v(sim), &(double){10 * 0.2 / 10}, 1, 1e-13);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* A sampled law with memory and state: counts its ticks, holds the position it saw, and integrates it. */
static fb_status sample(void* user, const fb_context* context, double* memory, double* state,
                        fb_error* error) {
  (void)user, (void)state, (void)error;
  memory[0] += 1;
  memory[1] = context->q[0];
  return FB_OK;
}

static fb_status hold(void* user, const fb_context* context, const double* memory, const double* state,
                      fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)error;
  action->tau[0] += -30 * memory[1] - 0.5 * state[0];
  state_rate[0] = context->q[0];
  return FB_OK;
}

static fb_block sampled_law(void) {
  fb_block block = fb_default_block();
  block.name = "law";
  block.period = 0.07;
  block.nmemory = 2;
  block.nstate = 1;
  block.tick = sample;
  block.act = hold;
  return block;
}

static void ticks_fall_on_their_instants_and_are_held(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0.2, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  double want[2] = {0, 0};
  for (int i = 0; i < METHOD_COUNT; i++) {
    if (fb_method_traits(METHODS[i]).order < 2) continue;
    fb_sim_options options = options_of(METHODS[i], 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    fb_block law = sampled_law();
    int id = block_or_fail(sim, &law);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.7);
    assert_true(fb_sim_memory(sim, id)[0] == 11); /* at 0, 0.07, ... 0.7 */
    if (want[0] == 0) memcpy(want, fb_sim_q(sim), sizeof want);
    assert_near("q", fb_sim_q(sim), want, 1, 1e-7);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- modes and parameters ---- */

static fb_status next_mode(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_mode(sim, fb_sim_mode(sim) + 1, error);
}

static fb_status set_parameter(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  int block = fb_sim_find_block(sim, "pd"), at = fb_sim_find_parameter(sim, block, "bob.target");
  assert_true(block >= 0 && at >= 0);
  return fb_sim_set_parameter(sim, block, at, 0.25, error);
}

static fb_status constant_push(void* user, const fb_context* context, const double* memory,
                               const double* state, fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)state_rate, (void)error;
  action->tau[0] += *(const double*)user;
  return FB_OK;
}

static void modes_choose_which_blocks_act(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  double push = 10, pull = -10, always = 1;
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.01);
    options.nmode = 3;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_block blocks[3] = {fb_default_block(), fb_default_block(), fb_default_block()};
    const char* names[3] = {"push", "pull", "always"};
    double* users[3] = {&push, &pull, &always};
    for (int b = 0; b < 3; b++) {
      blocks[b].name = names[b];
      blocks[b].user = users[b];
      blocks[b].act = constant_push;
      blocks[b].modes = b < 2 ? 1u << b : 0;
      block_or_fail(sim, &blocks[b]);
    }
    fb_event change = {.name = "next",
                       .kind = FB_TRIGGER_TIME,
                       .time = 0.305,
                       .period = 0.2,
                       .act = next_mode,
                       .cookie_ = FB_COOKIE};
    fb_event end = {.name = "end", .kind = FB_TRIGGER_TIME, .time = 0.6, .act = stop, .cookie_ = FB_COOKIE};
    event_or_fail(sim, &change);
    event_or_fail(sim, &end);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 1);
    assert_int_equal(fb_sim_mode(sim), 2);
    /* push until 0.305, pull until 0.505, neither until 0.6; always all the time; 10 kg */
    assert_near("speed", fb_sim_v(sim), &(double){0.305 - 0.2 + 0.06}, 1, 1e-13);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void events_set_parameters(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double q = 0, v = 0;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_pd_joint joint = {0, 100, 20, 0, NULL, INFINITY, 0, .cookie_ = FB_COOKIE};
  fb_block pd;
  fb_error error;
  assert_int_equal(fb_block_new_joint_pd(m, "pd", &joint, 1, &pd, &error), FB_OK);
  block_or_fail(sim, &pd);
  fb_event change = {
      .name = "target", .kind = FB_TRIGGER_TIME, .time = 1, .act = set_parameter, .cookie_ = FB_COOKIE};
  event_or_fail(sim, &change);
  start_or_fail(sim, &q, &v);
  run_or_fail(sim, 1);
  assert_true(fb_sim_q(sim)[0] == 0);
  run_or_fail(sim, 6);
  assert_near("follows", fb_sim_q(sim), &(double){0.25}, 1, 1e-6);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Between the two parts of a step, its inside is as it was made: with the mode before the event that ends it. */
static void a_step_is_looked_into_before_what_ends_it_happens(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  double push = 10;
  fb_signal tau = signal_or_fail(m, "tau.hull.0");
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0);
  options.adaptive = 1;
  options.nmode = 2;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block block = fb_default_block();
  block.name = "push";
  block.user = &push;
  block.act = constant_push;
  block.modes = 1;
  block_or_fail(sim, &block);
  fb_event change = {
      .name = "next", .kind = FB_TRIGGER_TIME, .time = 0.3, .act = next_mode, .cookie_ = FB_COOKIE};
  event_or_fail(sim, &change);
  start_or_fail(sim, q, v);
  double before, after, x[7];
  fb_error error;
  while (fb_sim_time(sim) < 0.3) {
    assert_int_equal(fb_sim_end_step(sim, &error), FB_OK);
    assert_int_equal(fb_sim_begin_step(sim, 1, &error), FB_OK);
  }
  double inside = 0.5 * (fb_sim_step_start(sim) + 0.3);
  assert_int_equal(fb_sim_eval_signals(sim, inside, &tau, 1, &before, &error), FB_OK);
  assert_int_equal(fb_sim_end_step(sim, &error), FB_OK);
  fb_sim_signal_values(sim, &tau, 1, &after);
  assert_true(before == 10 && after == 0);
  assert_int_equal(fb_sim_eval_state(sim, inside, x, NULL, &error), FB_OK); /* states stay as they were */
  assert_near("inside", x, &(double){0.5 * inside * inside}, 1, 1e-12);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* ---- snapshots ---- */

static fb_status lock_arm(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_joint_motion(sim, fb_model_find_body(fb_sim_model(sim), "a1"), FB_MOTION_LOCKED, error);
}

static fb_sim* busy_sim(const fb_model* m, fb_method method, int adaptive) {
  fb_sim_options options = options_of(method, 0.01);
  options.adaptive = adaptive;
  options.environment.gravity_w[0] = 0.4;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block law = sampled_law();
  block_or_fail(sim, &law);
  fb_event lock = {
      .name = "lock", .kind = FB_TRIGGER_TIME, .time = 0.515, .act = lock_arm, .cookie_ = FB_COOKIE};
  fb_event passes = {.name = "passes",
                     .kind = FB_TRIGGER_CROSSING,
                     .signal = signal_or_fail(m, "v.a2"),
                     .cookie_ = FB_COOKIE};
  event_or_fail(sim, &lock);
  event_or_fail(sim, &passes);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  start_or_fail(sim, q, v);
  return sim;
}

static void a_restored_simulation_ends_bit_identical(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      fb_sim *one = busy_sim(m, METHODS[i], adaptive), *two = busy_sim(m, METHODS[i], adaptive);
      size_t size = fb_sim_snapshot_size(one);
      void *saved = malloc(size), *end[2] = {malloc(size), malloc(size)};
      fb_error error;
      assert_true(saved && end[0] && end[1]);
      for (int k = 1; k <= 10;
           k++) { /* two is restored at every checkpoint of one, and makes the rest alone */
        run_or_fail(one, 0.1 * k);
        fb_sim_save(one, saved);
        if (k == 3 || k == 7) assert_int_equal(fb_sim_restore(two, saved, size, &error), FB_OK);
        if (k < 4) continue;
        run_or_fail(two, 0.1 * k);
        fb_sim_save(two, end[1]);
        memcpy(end[0], saved, size);
        if (memcmp(end[0], end[1], size) != 0)
          fail_msg("%s (adaptive %d) differs at %g s", fb_method_name(METHODS[i]), adaptive, 0.1 * k);
      }
      free(saved);
      free(end[0]);
      free(end[1]);
      fb_sim_free(one);
      fb_sim_free(two);
    }
  fb_model_free(m);
}

static void a_snapshot_of_another_simulation_is_refused(void** unused) {
  (void)unused;
  fb_model *m = tree6(FB_JOINT_FREE, 0), *other = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim *one = busy_sim(m, FB_METHOD_RK4, 0), *two = sim_or_fail(other, &options);
  void* saved = malloc(fb_sim_snapshot_size(one));
  fb_error error;
  assert_true(saved != NULL);
  fb_sim_save(one, saved);
  assert_int_equal(fb_sim_restore(two, saved, fb_sim_snapshot_size(one), &error), FB_ERR_ARG);
  start_or_fail(two, q, v);
  assert_int_equal(fb_sim_restore(two, saved, fb_sim_snapshot_size(one), &error), FB_ERR_STATE);
  free(saved);
  fb_sim_free(one);
  fb_sim_free(two);
  fb_model_free(m);
  fb_model_free(other);
}

/* ---- what is refused ---- */

static fb_status break_down(void* user, const fb_context* context, const double* memory, const double* state,
                            fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)action;
  if (context->t < 0.1) return FB_OK;
  if (error) snprintf(error->text, sizeof error->text, "the valve is stuck");
  return FB_ERR_NO_SOLUTION;
}

static fb_status give_nan(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  if (context->t > 0.1) action->tau[4] = NAN;
  return FB_OK;
}

static void faults_of_blocks_come_with_time_and_name(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int kind = 0; kind < 2; kind++) {
      fb_sim_options options = options_of(METHODS[i], 0.01);
      fb_sim* sim = sim_or_fail(m, &options);
      fb_block block = fb_default_block();
      fb_error error;
      block.name = "thruster";
      block.act = kind ? give_nan : break_down;
      block_or_fail(sim, &block);
      start_or_fail(sim, q, v);
      assert_true(fb_sim_run_until(sim, 1, &error) != FB_OK);
      assert_non_null(strstr(error.text, "t = 0."));
      assert_non_null(strstr(error.text, kind ? "hull" : "\"thruster\": the valve is stuck"));
      assert_true(fb_sim_time(sim) < 0.12 && isfinite(fb_sim_v(sim)[4])); /* what was reached stays */
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

static void bad_options_are_refused(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  fb_sim* sim;
  fb_error error;
  fb_sim_options good = fb_default_sim_options(), bad;
#define REFUSED(field, value)                                     \
  bad = good;                                                     \
  bad.field = value;                                              \
  assert_int_not_equal(fb_sim_new(m, &bad, &sim, &error), FB_OK); \
  assert_null(sim)
  REFUSED(step, 0);
  REFUSED(step, -1);
  REFUSED(step, NAN);
  REFUSED(step, INFINITY);
  REFUSED(rtol, -1); /* 0 leaves it to the accuracy */
  REFUSED(rtol, NAN);
  REFUSED(accuracy, 0);
  REFUSED(accuracy, NAN);
  REFUSED(accuracy, 1);
  REFUSED(atol, -1);
  REFUSED(max_step, NAN);
  REFUSED(nmode, 0);
  REFUSED(nmode, 33);
  REFUSED(method, FB_METHOD_COUNT);
  REFUSED(method, FB_METHOD_CUSTOM);
  REFUSED(cookie_, 0);
  REFUSED(environment.gravity_w[1], INFINITY);
#undef REFUSED
  sim = sim_or_fail(m, &good);
  double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  assert_int_equal(fb_sim_step(sim, 1, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_run_until(sim, 1, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_eval_state(sim, 0, q, v, &error), FB_ERR_ARG);
  const double time = 0, place = 0.5;
  fb_spline* path;
  int far;
  assert_int_equal(fb_spline_new_cubic(1, &time, &place, &path, &error), FB_OK);
  fb_motion along = {FB_MOTION_PATH, 0, path, .cookie_ = FB_COOKIE};
  assert_int_equal(fb_sim_add_motion(sim, &along, &far, &error), FB_OK);
  q[3] = 5;
  assert_int_not_equal(fb_sim_start(sim, q, v, &error), FB_OK);
  q[3] = 1;
  start_or_fail(sim, q, v);
  fb_block late = fb_default_block();
  late.name = "late";
  assert_int_equal(fb_sim_add_block(sim, &late, NULL, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_set_motion(sim, 99, FB_MOTION_LOCKED, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_set_motion(sim, 0, 7, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_bounce(sim, 0, 2, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_set_motion(sim, 3, far, &error), FB_ERR_ARG); /* an attitude */
  assert_int_equal(fb_sim_set_motion(sim, 0, far, &error), FB_OK);
  assert_int_equal(fb_sim_bounce(sim, 0, 0.5, &error), FB_ERR_STATE); /* what is moved does not bounce */
  fb_event copy = {.name = "twin", .kind = FB_TRIGGER_TIME, .cookie_ = FB_COOKIE},
           lost = {.name = "lost", .kind = FB_TRIGGER_CROSSING, .cookie_ = FB_COOKIE};
  lost.signal.kind = 999;
  fb_motion odd = {(fb_motion_kind)9, 0, NULL, .cookie_ = FB_COOKIE};
  fb_sim* fresh = sim_or_fail(m, &good);
  assert_int_equal(fb_sim_add_event(fresh, &copy, NULL, &error), FB_OK);
  assert_int_equal(fb_sim_add_event(fresh, &copy, NULL, &error), FB_ERR_NAME);
  assert_int_equal(fb_sim_add_event(fresh, &lost, NULL, &error), FB_ERR_NAME);
  assert_int_equal(fb_sim_add_motion(fresh, &odd, NULL, &error), FB_ERR_ARG);
  assert_int_equal(fb_sim_bounce(fresh, 0, 0.5, &error), FB_ERR_ARG); /* not started */
  fb_sim_save(fresh, NULL);
  fb_sim_free(fresh);
  assert_int_equal(fb_sim_set_mode(sim, 1, &error), FB_ERR_ARG);
  fb_sim_free(sim);
  fb_spline_free(path);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crossing_is_found_on_the_steps_own_solution),
      cmocka_unit_test(fixed_steps_are_made_again_to_the_event),
      cmocka_unit_test(directions_and_once_choose_among_crossings),
      cmocka_unit_test(a_ball_bounces_and_comes_to_rest),
      cmocka_unit_test(a_bounce_of_a_joint_at_rest_leaves_it_at_rest),
      cmocka_unit_test(a_start_on_the_level_counts),
      cmocka_unit_test(jumps_over_a_level_are_crossings),
      cmocka_unit_test(edges_a_rounding_after_a_tick_are_seen_from_the_right),
      cmocka_unit_test(time_events_fall_on_their_instants),
      cmocka_unit_test(no_step_straddles_an_edge),
      cmocka_unit_test(ticks_fall_on_their_instants_and_are_held),
      cmocka_unit_test(modes_choose_which_blocks_act),
      cmocka_unit_test(events_set_parameters),
      cmocka_unit_test(a_step_is_looked_into_before_what_ends_it_happens),
      cmocka_unit_test(a_restored_simulation_ends_bit_identical),
      cmocka_unit_test(a_snapshot_of_another_simulation_is_refused),
      cmocka_unit_test(faults_of_blocks_come_with_time_and_name),
      cmocka_unit_test(bad_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
