/* test_sampled.c -- laws as computers run them: sampled, noisy, delayed, held; and within effort limits.
 *
 * The plant of most tests is a cart of one kilogram on a rail. Under a force that is held its motion is a parabola, so
 * what a sampled law does to it is known exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "control/noise.h"
#include "sim_rig.h"

enum { MOST_SAMPLES = 4000 };

/* A law of one coordinate, and what its block has seen. */
typedef struct law {
  double (*force)(double t, double q, double v);
  int freed, asked, ticks;
  double seen_t, seen_q[32], seen_v[32];
} law;

static fb_status law_act(void* user, const fb_context* context, const double* memory, const double* state,
                         fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  law* l = (law*)user;
  l->asked++;
  l->seen_t = context->t;
  memcpy(l->seen_q, context->q, (size_t)fb_model_nq(context->model) * sizeof(double));
  memcpy(l->seen_v, context->v, (size_t)fb_model_nv(context->model) * sizeof(double));
  if (l->force) action->tau[0] += l->force(context->t, context->q[0], context->v[0]);
  return FB_OK;
}

static void law_free(void* user) {
  ((law*)user)->freed++;
}

static fb_block law_block(law* l) {
  fb_block block = fb_default_block();
  block.name = "law";
  block.user = l;
  block.act = law_act;
  block.free = law_free;
  return block;
}

static fb_block limited_or_fail(const fb_model* m, fb_block block) {
  fb_error error;
  if (fb_block_new_limited(m, &block, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* One kilogram on a rail along x, whose motor gives up to `effort`. */
static fb_model* cart(double effort) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "cart";
  body.joint.type = FB_JOINT_PRISMATIC;
  body.joint.axis[0] = 1;
  body.joint.effort[0] = effort;
  body.mass = 1;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static const double CART_Q = 0.3, CART_V = -0.2;

/* Runs a block on the cart and gives back where it is at `end`. */
static void run_cart(const fb_model* m, const fb_sim_options* options, const fb_block* block, double end,
                     double at[2]) {
  fb_sim* sim = sim_or_fail(m, options);
  block_or_fail(sim, block);
  start_or_fail(sim, &CART_Q, &CART_V);
  run_or_fail(sim, end);
  at[0] = fb_sim_q(sim)[0];
  at[1] = fb_sim_v(sim)[0];
  fb_sim_free(sim);
}

/* The same by hand: parabolas from instant to instant, of samples and of their effects. */
static void cart_by_hand(double (*force)(double, double, double), double period, double delay, double end,
                         double at[2]) {
  static double u[MOST_SAMPLES];
  double t = 0, q = CART_Q, v = CART_V, acting = 0;
  int taken = 0, begun = 0;
  while (t < end) {
    if (taken * period <= t) {
      assert_true(taken < MOST_SAMPLES);
      u[taken] = force(t, q, v);
      taken++;
    }
    if (begun < taken && begun * period + delay <= t) acting = u[begun++];
    double next = fmin(end, taken * period);
    if (begun < taken) next = fmin(next, begun * period + delay);
    double h = next - t;
    q += h * v + h * h / 2 * acting;
    v += h * acting;
    t = next;
  }
  at[0] = q;
  at[1] = v;
}

static double swell(double t, double q, double v) {
  (void)q, (void)v;
  return sin(7 * t) + 2 * t;
}
static double bang(double t, double q, double v) {
  (void)t;
  return q + 0.3 * v > 0 ? -1 : 1;
}
static double spring(double t, double q, double v) {
  (void)t;
  return -30 * q - 4 * v;
}

/* --- hold and delay --- */

static void what_acts_is_the_law_some_time_ago(void** unused) {
  (void)unused;
  double (*const forces[])(double, double, double) = {swell, bang, spring};
  static const double delays[] = {0, 0.3, 0.999, 1, 2, 2.5, 7, 99.5, 100}; /* periods */
  static const fb_method methods[] = {FB_METHOD_RK4, FB_METHOD_RKMK4, FB_METHOD_DOPRI5, FB_METHOD_MOMENTUM};
  fb_model* m = cart(INFINITY);
  for (size_t f = 0; f < 3; f++)
    for (size_t d = 0; d < sizeof delays / sizeof delays[0]; d++)
      for (size_t k = 0; k < (f == 2 ? sizeof methods / sizeof methods[0] : 1); k++) {
        law l = {.force = forces[f]};
        double period = 0.013, delay = delays[d] * period, got[2], want[2];
        fb_sim_options options = options_of(methods[k], 0.005); /* no divisor of anything here */
        options.adaptive = k == 2;
        options.max_step = 0.1;
        fb_sampling sampling = sampling_of(period, delay);
        fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
        run_cart(m, &options, &block, 1.5, got);
        cart_by_hand(forces[f], period, delay, 1.5, want);
        /* the parabolas are exact in every method; the rest is rounding, and the loop's own growth of it */
        assert_near("cart", got, want, 2, 1e-11);
        assert_int_equal(l.freed, 1);
        assert_int_equal(l.asked, 116); /* 0 .. 115 periods in 1.5 s, and never between */
      }
  fb_model_free(m);
}

static void nothing_acts_before_the_first_delay_is_over(void** unused) {
  (void)unused;
  fb_model* m = cart(INFINITY);
  law l = {.force = swell};
  fb_sampling sampling = sampling_of(0.1, 0.25);
  fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
  double at[2];
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  run_cart(m, &options, &block, 0.25, at);
  assert_near("drift", at, (const double[]){CART_Q + 0.25 * CART_V, CART_V}, 2, 1e-15);
  fb_model_free(m);
}

static void steps_end_where_outputs_take_effect(void** unused) {
  (void)unused;
  fb_model* m = cart(INFINITY);
  law l = {.force = swell};
  fb_sampling sampling = sampling_of(0.1, 0.25);
  fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
  fb_sim_options options = options_of(FB_METHOD_RK4, 10);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_error error;
  block_or_fail(sim, &block);
  start_or_fail(sim, &CART_Q, &CART_V);
  static const double ends[] = {0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    assert_int_equal(fb_sim_step(sim, 5, &error), FB_OK);
    double t = fb_sim_time(sim);
    assert_near("end of the step", &t, &ends[i], 1, 1e-15);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Delays of whole periods put edges on ticks, but for rounding; no step may be a sliver. */
static void whole_periods_of_delay_make_no_slivers(void** unused) {
  (void)unused;
  static const double periods[] = {0.1, 0.01, 0.003, 1.0 / 3, 0.07};
  fb_model* m = cart(INFINITY);
  for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++)
    for (int n = 0; n <= 12; n += 3) {
      law l = {.force = swell};
      fb_sampling sampling = sampling_of(periods[p], n * periods[p]);
      fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
      fb_sim_options options = options_of(FB_METHOD_RK4, 1000);
      fb_sim* sim = sim_or_fail(m, &options);
      block_or_fail(sim, &block);
      start_or_fail(sim, &CART_Q, &CART_V);
      run_or_fail(sim, 500.5 * periods[p]);
      assert_int_equal(fb_sim_nstep(sim), 501);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* --- what the result does not depend on --- */

typedef struct closed_loop {
  fb_model* m;
  double q[32], v[32];
} closed_loop;

static closed_loop loop_new(void) {
  closed_loop c = {.m = tree6(FB_JOINT_FREE, 0)};
  fb_neutral(c.m, c.q);
  fb_random_v(c.m, 5, c.v);
  return c;
}

/* A satellite whose first arm is held by a sampled law, late and with noise. */
static fb_sim* loop_start(const closed_loop* c, const fb_sim_options* options) {
  const fb_pd_joint joints[] = {{6, 40, 8, 0.5, NULL, 30, 0, .cookie_ = FB_COOKIE},
                                {7, 30, 6, -0.7, NULL, INFINITY, 0, .cookie_ = FB_COOKIE}};
  fb_sampling sampling = sampling_of(0.02, 0.013);
  sampling.noise_q = 1e-3;
  sampling.noise_v = 1e-2;
  sampling.seed = 9;
  fb_block block;
  fb_error error;
  if (fb_block_new_joint_pd(c->m, "hold", joints, 2, &block, &error)) fail_msg("%s", error.text);
  block = sampled_or_fail(c->m, block, &sampling);
  fb_sim* sim = sim_or_fail(c->m, options);
  block_or_fail(sim, &block);
  start_or_fail(sim, c->q, c->v);
  return sim;
}

static void results_converge_with_the_order_of_the_method(void** unused) {
  (void)unused;
  closed_loop c = loop_new();
  fb_sim_options tight = fb_default_sim_options();
  tight.method = FB_METHOD_DOPRI5;
  tight.rtol = 1e-12;
  tight.atol = 1e-13;
  fb_sim* best = loop_start(&c, &tight);
  run_or_fail(best, 1);
  double error[2];
  for (int i = 0; i < 2; i++) {
    fb_sim_options options = options_of(FB_METHOD_RKMK4, i ? 0.005 : 0.01);
    fb_sim* sim = loop_start(&c, &options);
    run_or_fail(sim, 1);
    error[i] = distance(c.m, fb_sim_q(sim), fb_sim_v(sim), fb_sim_q(best), fb_sim_v(best));
    fb_sim_free(sim);
  }
  assert_true(error[0] < 1e-5);
  assert_true(error[0] / error[1] > 10); /* 16 at order 4 */
  fb_sim_free(best);
  fb_model_free(c.m);
}

static void results_do_not_depend_on_the_logging_rate(void** unused) {
  (void)unused;
  closed_loop c = loop_new();
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    fb_sim_options options = options_of(adaptive ? FB_METHOD_DOPRI5 : FB_METHOD_RK4, 0.005);
    options.adaptive = adaptive;
    fb_sim *quiet = loop_start(&c, &options), *logged = loop_start(&c, &options),
           *halting = loop_start(&c, &options);
    fb_error error;
    run_or_fail(quiet, 1);
    /* samples taken inside the steps, as the run loop does: the same bits */
    while (fb_sim_time(logged) < 1) {
      assert_int_equal(fb_sim_begin_step(logged, 1, &error), FB_OK);
      for (int i = 0; i <= 3; i++) {
        double q[32], t0 = fb_sim_step_start(logged), t = t0 + (fb_sim_time(logged) - t0) * i / 3;
        assert_int_equal(fb_sim_eval_state(logged, fmin(t, fb_sim_time(logged)), q, NULL, &error), FB_OK);
      }
      assert_int_equal(fb_sim_end_step(logged, &error), FB_OK);
    }
    assert_memory_equal(fb_sim_q(quiet), fb_sim_q(logged), (size_t)fb_model_nq(c.m) * sizeof(double));
    assert_memory_equal(fb_sim_v(quiet), fb_sim_v(logged), (size_t)fb_model_nv(c.m) * sizeof(double));
    /* steps cut at odd times: the same within the method's error */
    for (int i = 1; i < 300; i++) run_or_fail(halting, i / 300.0);
    run_or_fail(halting, 1);
    assert_true(distance(c.m, fb_sim_q(quiet), fb_sim_v(quiet), fb_sim_q(halting), fb_sim_v(halting)) < 1e-6);
    fb_sim_free(quiet);
    fb_sim_free(logged);
    fb_sim_free(halting);
  }
  fb_model_free(c.m);
}

/* --- noise --- */

static void noise_is_gaussian_and_each_number_its_own(void** unused) {
  (void)unused;
  enum { N = 40000 };
  double sum[4] = {0}, beside[4] = {0}; /* moments; products with neighbours in tick, index, seed */
  for (int n = 0; n < N; n++) {
    int tick = n / 8, index = n % 8;
    double z = fb_noise(7, (uint64_t)tick, index, 8);
    double power = 1;
    for (int i = 0; i < 4; i++) sum[i] += power *= z;
    beside[0] += z * fb_noise(7, (uint64_t)tick + 1, index, 8);
    beside[1] += z * fb_noise(7, (uint64_t)tick, (index + 1) % 8, 8);
    beside[2] += z * fb_noise(8, (uint64_t)tick, index, 8);
    beside[3] += z * fb_noise(6, (uint64_t)tick + 1, index, 8);
    assert_true(z == fb_noise(7, (uint64_t)tick, index, 8));
  }
  /* five standard errors of moments 1 .. 4 of a Gaussian: variances 1, 2, 15, 96 over N */
  static const double want[4] = {0, 1, 0, 3}, variance[4] = {1, 2, 15, 96};
  for (int i = 0; i < 4; i++) {
    assert_true(fabs(sum[i] / N - want[i]) < 5 * sqrt(variance[i] / N));
    assert_true(fabs(beside[i] / N) < 5 / sqrt((double)N));
  }
}

/* What the law sees is the truth with noise of the deviation asked for, rotations turned by it. */
static void law_sees_noise_of_the_given_size(void** unused) {
  (void)unused;
  enum { TICKS = 2000 };
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  int nv = fb_model_nv(m);
  double q[32], v[32], d[32], square_q = 0, square_v = 0, square_turn = 0;
  law l = {0};
  fb_sampling sampling = sampling_of(0.01, 0);
  sampling.noise_q = 0.02;
  sampling.noise_v = 0.5;
  fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
  double* memory = numbers_new(block.nmemory);
  memset(memory, 0, (size_t)block.nmemory * sizeof *memory);
  fb_random_q(m, 1, q);
  fb_random_v(m, 1, v);
  for (int n = 0; n < TICKS; n++) {
    fb_context context = {.model = m, .t = n * 0.01, .q = q, .v = v};
    assert_int_equal(block.tick(block.user, &context, memory, NULL, NULL), FB_OK);
    fb_difference(m, q, l.seen_q, d);
    for (int k = 0; k < nv; k++) {
      square_q += d[k] * d[k] / (TICKS * nv);
      square_v += (l.seen_v[k] - v[k]) * (l.seen_v[k] - v[k]) / (TICKS * nv);
    }
    for (int k = 3; k < 6; k++) square_turn += d[k] * d[k] / (TICKS * 3);
    assert_int_equal(fb_model_check_state(m, l.seen_q, l.seen_v, NULL), FB_OK);
  }
  assert_true(fabs(sqrt(square_q) / 0.02 - 1) < 0.02);
  assert_true(fabs(sqrt(square_v) / 0.5 - 1) < 0.02);
  assert_true(fabs(sqrt(square_turn) / 0.02 - 1) < 0.05);
  block.free(block.user);
  free(memory);
  fb_model_free(m);
}

/* The position that the law sees at the last of some sample times. */
static double seen_after(const fb_model* m, unsigned long long seed, const double* times, int count) {
  law l = {0};
  double memory[64] = {0}, q = 1, v = 0;
  fb_sampling sampling = sampling_of(0.01, 0);
  sampling.noise_q = 1;
  sampling.seed = seed;
  fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
  assert_true(block.nmemory <= 64);
  for (int i = 0; i < count; i++) {
    fb_context context = {.model = m, .t = times[i], .q = &q, .v = &v};
    assert_int_equal(block.tick(block.user, &context, memory, NULL, NULL), FB_OK);
  }
  block.free(block.user);
  return l.seen_q[0];
}

static void noise_depends_on_seed_and_tick_alone(void** unused) {
  (void)unused;
  fb_model* m = cart(INFINITY);
  static const double all[] = {0, 0.01, 0.02, 0.03}, last[] = {0.03}, shaky[] = {0.03 * (1 - 3e-16)};
  double seen = seen_after(m, 4, all, 4);
  assert_true(seen == seen_after(m, 4, last, 1));
  assert_true(seen == seen_after(m, 4, shaky, 1));
  assert_true(seen != seen_after(m, 5, last, 1));
  assert_true(seen != seen_after(m, 4, all, 3));
  assert_true(seen_after(m, ~0ull, last, 1) == seen_after(m, ~0ull, all, 4));
  fb_model_free(m);
}

/* --- laws with memory, state, ticks, wrenches, accelerations --- */

/* x' = 1 + q seen; force x + gain, a push along x in the frame of the cart as large as memory says. */
static fb_status rich_start(void* user, const fb_context* context, double* memory, double* state,
                            fb_error* error) {
  (void)user, (void)context, (void)error;
  memory[0] = 0.5;
  state[0] = 0.1;
  return FB_OK;
}
static fb_status rich_tick(void* user, const fb_context* context, double* memory, double* state,
                           fb_error* error) {
  (void)context, (void)state, (void)error;
  ((law*)user)->ticks++;
  memory[1] += 0.01;
  return FB_OK;
}
static fb_status rich_act(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)error;
  action->tau[0] += state[0] + memory[0];
  state_rate[0] = 1 + context->q[0];
  fb_wrench* wrench = fb_action_add_wrench(action);
  wrench->frame = 1;
  wrench->force[0] = memory[1];
  if (action->moved && fb_model_nv(context->model) > 1) {
    action->vdot[7] = -context->v[7];
    action->moved[7] = 1;
  }
  return FB_OK;
}

static fb_block rich_block(law* l, double period, int moves) {
  static const char* const names[] = {"gain", NULL};
  fb_block block = law_block(l);
  block.name = "rich";
  block.period = period;
  block.nmemory = 2;
  block.nstate = 1;
  block.nwrench = 1;
  block.moves = moves;
  block.parameters = names;
  block.start = rich_start;
  block.tick = rich_tick;
  block.act = rich_act;
  return block;
}

/* State by explicit Euler, ticks of its own every third sample: against the same by hand. */
static void state_moves_by_euler_and_ticks_come_when_due(void** unused) {
  (void)unused;
  enum { SAMPLES = 100 };
  const double period = 0.02, delay = 0.5 * period;
  fb_model* m = cart(INFINITY);
  law l = {0};
  fb_sampling sampling = sampling_of(period, delay);
  fb_block block = sampled_or_fail(m, rich_block(&l, 3 * period, 0), &sampling);
  double got[2], q = CART_Q, v = CART_V, x = 0.1, push = 0, u = 0;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.005);
  run_cart(m, &options, &block, SAMPLES * period, got);
  for (int n = 0; n < SAMPLES; n++) {
    if (n % 3 == 0) push += 0.01;
    double wanted = x + 0.5 + push;
    x += period * (1 + q);
    for (int half = 0; half < 2; half++) {
      q += delay * v + delay * delay / 2 * u;
      v += delay * u;
      u = wanted;
    }
  }
  assert_near("cart", got, (const double[]){q, v}, 2, 1e-12);
  assert_int_equal(l.ticks, 34);
  fb_model_free(m);
}

static void parameters_keep_their_places_and_act_from_the_next_sample(void** unused) {
  (void)unused;
  fb_model* m = cart(INFINITY);
  law l = {0};
  fb_error error;
  fb_sampling sampling = sampling_of(0.1, 0);
  fb_block block = sampled_or_fail(m, rich_block(&l, 10, 0), &sampling);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  int id = block_or_fail(sim, &block);
  const double still[2] = {-1, 0}; /* its state does not move there at first */
  start_or_fail(sim, &still[0], &still[1]);
  assert_int_equal(fb_sim_find_parameter(sim, id, "gain"), 0);
  run_or_fail(sim, 0.05);
  assert_int_equal(fb_sim_set_parameter(sim, id, 0, 100, &error), FB_OK);
  run_or_fail(sim, 0.1);
  double v = fb_sim_v(sim)[0], want = 0.1 * (0.1 + 0.5 + 0.01);
  assert_near("before", &v, &want, 1, 1e-14);
  run_or_fail(sim, 0.2);
  v = fb_sim_v(sim)[0] - v;
  assert_true(v > 10 && v < 10.1);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Forces, wrenches and accelerations under way, noise, state: all come back. */
static void resumed_runs_have_the_same_bits(void** unused) {
  (void)unused;
  closed_loop c = loop_new();
  size_t nq = (size_t)fb_model_nq(c.m) * sizeof(double), nv = (size_t)fb_model_nv(c.m) * sizeof(double);
  static const fb_method methods[] = {FB_METHOD_RK4, FB_METHOD_DOPRI5, FB_METHOD_SEMI_IMPLICIT};
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
    fb_sim* sims[2];
    law laws[2] = {{0}};
    for (int i = 0; i < 2; i++) {
      fb_sim_options options = options_of(methods[k], 0.004);
      options.adaptive = 1;
      sims[i] = sim_or_fail(c.m, &options);
      fb_sampling sampling = sampling_of(0.02, 0.075);
      sampling.noise_q = sampling.noise_v = 0.01;
      fb_block block = sampled_or_fail(c.m, rich_block(&laws[i], 0.04, 1), &sampling);
      block_or_fail(sims[i], &block);
      start_or_fail(sims[i], c.q, c.v);
    }
    size_t size = fb_sim_snapshot_size(sims[0]);
    void* snapshot = malloc(size);
    fb_error error;
    run_or_fail(sims[0], 0.487);
    fb_sim_save(sims[0], snapshot);
    run_or_fail(sims[0], 1);
    if (fb_sim_restore(sims[1], snapshot, size, &error)) fail_msg("%s", error.text);
    run_or_fail(sims[1], 1);
    assert_memory_equal(fb_sim_q(sims[0]), fb_sim_q(sims[1]), nq);
    assert_memory_equal(fb_sim_v(sims[0]), fb_sim_v(sims[1]), nv);
    free(snapshot);
    for (int i = 0; i < 2; i++) fb_sim_free(sims[i]);
  }
  fb_model_free(c.m);
}

static fb_status coast_act(void* user, const fb_context* context, const double* memory, const double* state,
                           fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  action->vdot[0] = ((law*)user)->force(context->t, context->q[0], context->v[0]);
  action->moved[0] = 1;
  return FB_OK;
}

static void accelerations_are_held_too(void** unused) {
  (void)unused;
  fb_model* m = cart(INFINITY);
  law l = {.force = spring};
  fb_block block = law_block(&l);
  block.act = coast_act;
  block.moves = 1;
  fb_sampling sampling = sampling_of(0.013, 0.02);
  block = sampled_or_fail(m, block, &sampling);
  assert_int_equal(block.moves, 1);
  double got[2], want[2];
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.005);
  run_cart(m, &options, &block, 1.5, got);
  cart_by_hand(spring, 0.013, 0.02, 1.5, want); /* one kilogram: forces are accelerations */
  assert_near("cart", got, want, 2, 1e-12);
  fb_model_free(m);
}

static fb_status switch_mode(void* user, fb_sim* sim, fb_error* error) {
  return fb_sim_set_mode(sim, *(int*)user, error);
}

/* On in [0, 0.33), off for a while, on again: samples at 0 .. 0.3 and from the first after it, nothing stale between.
 * The shorter pause misses one sample only. */
static void nothing_stale_acts_after_a_pause(void** unused) {
  (void)unused;
  static int off = 1, on = 0;
  static const double cases[][2] = {{0.73, 0.8}, {0.43, 0.5}}; /* on again, the first new sample */
  fb_model* m = cart(INFINITY);
  for (int c = 0; c < 2; c++) {
    law l = {.force = swell};
    fb_sampling sampling = sampling_of(0.1, 0.05);
    fb_block block = sampled_or_fail(m, law_block(&l), &sampling);
    block.modes = 1;
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
    options.nmode = 2;
    fb_sim* sim = sim_or_fail(m, &options);
    const fb_event events[] = {{.name = "off",
                                .kind = FB_TRIGGER_TIME,
                                .time = 0.33,
                                .once = 1,
                                .act = switch_mode,
                                .user = &off,
                                .cookie_ = FB_COOKIE},
                               {.name = "on",
                                .kind = FB_TRIGGER_TIME,
                                .time = cases[c][0],
                                .once = 1,
                                .act = switch_mode,
                                .user = &on,
                                .cookie_ = FB_COOKIE}};
    block_or_fail(sim, &block);
    for (int i = 0; i < 2; i++) event_or_fail(sim, &events[i]);
    start_or_fail(sim, &CART_Q, &CART_V);
    run_or_fail(sim, 0.33);
    double left = fb_sim_v(sim)[0], first = cases[c][1];
    run_or_fail(sim, first + 0.05);
    assert_near("no force", fb_sim_v(sim), &left, 1, 1e-15);
    run_or_fail(sim, first + 0.15);
    double want = left + 0.1 * swell(first, 0, 0);
    assert_near("the first new sample", fb_sim_v(sim), &want, 1, 1e-14);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- limits, and wrappers in wrappers --- */

static double strong(double t, double q, double v) {
  (void)q, (void)v;
  return t < 1 ? 5 : t < 2 ? -5 : t < 3 ? 0.5 : NAN;
}

static void limits_hold_for_what_the_block_itself_adds(void** unused) {
  (void)unused;
  static const double cases[][2] = {{0, 2}, {1, -2}, {2, 0.5}}; /* time, within +-2 */
  fb_model* m = cart(2);
  law l = {.force = strong};
  double q = 0, v = 0, tau;
  fb_block block = limited_or_fail(m, law_block(&l));
  fb_action action = {&tau, NULL, NULL, NULL, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    fb_context context = {.model = m, .t = cases[i][0], .q = &q, .v = &v};
    tau = 100; /* of another block */
    assert_int_equal(block.act(block.user, &context, NULL, NULL, &action, NULL, NULL), FB_OK);
    assert_true(tau == 100 + cases[i][1]);
    assert_ptr_equal(action.tau, &tau);
  }
  fb_context context = {.model = m, .t = 3, .q = &q, .v = &v};
  assert_int_equal(block.act(block.user, &context, NULL, NULL, &action, NULL, NULL), FB_OK);
  assert_true(isnan(tau)); /* not hidden behind a limit */
  block.free(block.user);
  assert_int_equal(l.freed, 1);
  fb_model_free(m);
}

/* Every coordinate has the limit of its own joint; joints without one none. */
static void limits_are_those_of_each_coordinate(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  body.joint.axis[2] = body.joint.axis2[0] = 1;
  static const char* const names[] = {"slide", "gimbal", "arm"};
  static const fb_joint_type types[] = {FB_JOINT_PRISMATIC, FB_JOINT_UNIVERSAL, FB_JOINT_REVOLUTE};
  static const double effort[][2] = {{3, 0}, {INFINITY, 7}, {0, 0}};
  for (int i = 0; i < 3; i++) {
    body.name = names[i];
    body.parent = i ? names[i - 1] : NULL;
    body.joint.type = types[i];
    memcpy(body.joint.effort, effort[i], sizeof effort[i]);
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  const fb_pd_joint joints[] = {{0, 100, 0, -1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE},
                                {1, 100, 0, 1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE},
                                {2, 100, 0, 1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE},
                                {3, 100, 0, 1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE}};
  fb_block block;
  fb_error error;
  if (fb_block_new_joint_pd(m, "pd", joints, 4, &block, &error)) fail_msg("%s", error.text);
  block = limited_or_fail(m, block);
  double memory[32] = {0}, q[4] = {0}, v[4] = {0}, tau[4] = {0};
  fb_context context = {.model = m, .q = q, .v = v};
  fb_action action = {tau, NULL, NULL, NULL, 0, 0};
  assert_true(block.nmemory <= 32);
  assert_int_equal(block.start(block.user, &context, memory, NULL, NULL), FB_OK);
  assert_int_equal(block.act(block.user, &context, memory, NULL, &action, NULL, NULL), FB_OK);
  assert_near("tau", tau, (const double[]){-3, 100, 7, 0}, 4, 1e-15);
  block.free(block.user);
  fb_model_free(m);
}

static double clipped(double t, double q, double v) {
  return fmax(-0.2, fmin(0.2, spring(t, q, v)));
}

static void wrappers_wrap_wrappers(void** unused) {
  (void)unused;
  fb_model* m = cart(0.2);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.003);
  double got[2], want[2];
  cart_by_hand(clipped, 0.02, 0.013, 2, want);
  for (int way = 0; way < 3; way++) {
    law l = {.force = spring};
    fb_block block = law_block(&l);
    /* sampled every 20 ms, 5 ms late; seen 5 ms later by a bus of 10 ms that is 3 ms late: 13 ms */
    fb_sampling slow = sampling_of(0.02, way == 2 ? 0.013 : 0.005), bus = sampling_of(0.01, 0.003);
    if (way == 1) block = limited_or_fail(m, block);
    block = sampled_or_fail(m, block, &slow);
    if (way < 2) block = sampled_or_fail(m, block, &bus);
    if (way != 1) block = limited_or_fail(m, block);
    run_cart(m, &options, &block, 2, got);
    assert_near("cart", got, want, 2, 1e-12);
    assert_int_equal(l.freed, 1);
    assert_int_equal(l.asked, 101);
  }
  fb_model_free(m);
}

/* --- refusals --- */

static void bad_sampling_is_refused_and_the_block_freed(void** unused) {
  (void)unused;
  static const struct {
    double period, delay, noise_q, noise_v, ticks;
    const char* text;
  } cases[] = {
      {0, 0, 0, 0, 0, "block \"law\": it is sampled with a period of 0 s; give one greater than 0"},
      {-1, 0, 0, 0, 0, "period of -1 s"},
      {NAN, 0, 0, 0, 0, "period of nan s"},
      {INFINITY, 0, 0, 0, 0, "period of inf s"},
      {0.01, -0.1, 0, 0, 0, "its delay is -0.1 s; it must be 0 or more and at most 100 periods, 1 s"},
      {0.01, 1.01, 0, 0, 0, "its delay is 1.01 s"},
      {0.01, NAN, 0, 0, 0, "its delay is nan s"},
      {0.01, 0, -1, 0, 0, "its noise is -1 on positions and 0 on velocities"},
      {0.01, 0, 0, NAN, 0, "its noise is 0 on positions and nan on velocities"},
      {0.01, 0, 0, INFINITY, 0, "inf on velocities"},
      {0.01, 0, 0, 0, 0.004, "ticks every 0.004 s, so it cannot be sampled every 0.01 s only"},
  };
  fb_model* m = cart(INFINITY);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    law l = {0};
    fb_block inner = law_block(&l), block;
    fb_sampling sampling = sampling_of(cases[i].period, cases[i].delay);
    fb_error error;
    sampling.noise_q = cases[i].noise_q;
    sampling.noise_v = cases[i].noise_v;
    inner.period = cases[i].ticks;
    inner.tick = cases[i].ticks > 0 ? rich_tick : NULL;
    assert_int_equal(fb_block_new_sampled(m, &inner, &sampling, &block, &error), FB_ERR_ARG);
    if (!strstr(error.text, cases[i].text)) fail_msg("expected '%s' in '%s'", cases[i].text, error.text);
    assert_int_equal(l.freed, 1);
    assert_null(inner.free);
    assert_null(block.free);
  }
  law l = {0};
  fb_sampling raw = {.period = 0.01};
  fb_block block = law_block(&l);
  fb_error error;
  assert_int_equal(fb_block_new_sampled(m, &block, &raw, &block, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "fb_default_sampling"));
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_acts_is_the_law_some_time_ago),
      cmocka_unit_test(nothing_acts_before_the_first_delay_is_over),
      cmocka_unit_test(steps_end_where_outputs_take_effect),
      cmocka_unit_test(whole_periods_of_delay_make_no_slivers),
      cmocka_unit_test(results_converge_with_the_order_of_the_method),
      cmocka_unit_test(results_do_not_depend_on_the_logging_rate),
      cmocka_unit_test(noise_is_gaussian_and_each_number_its_own),
      cmocka_unit_test(law_sees_noise_of_the_given_size),
      cmocka_unit_test(noise_depends_on_seed_and_tick_alone),
      cmocka_unit_test(state_moves_by_euler_and_ticks_come_when_due),
      cmocka_unit_test(parameters_keep_their_places_and_act_from_the_next_sample),
      cmocka_unit_test(resumed_runs_have_the_same_bits),
      cmocka_unit_test(accelerations_are_held_too),
      cmocka_unit_test(nothing_stale_acts_after_a_pause),
      cmocka_unit_test(limits_hold_for_what_the_block_itself_adds),
      cmocka_unit_test(limits_are_those_of_each_coordinate),
      cmocka_unit_test(wrappers_wrap_wrappers),
      cmocka_unit_test(bad_sampling_is_refused_and_the_block_freed),
  };
  return cmocka_run_group_tests_name("sampled", tests, NULL, NULL);
}
