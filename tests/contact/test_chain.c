/* test_chain.c -- balls in a row that strike one another in turn, several of them within a step of moreau: every impact has its own
 * restitution.
 *
 * Second method: the impacts of balls on a line, one after the other at the instants at which they meet. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "random.h"
#include "sample.h"
#include "keep_nan.h"

enum { MOST = 5 };
static const double RADIUS = 0.1, TIME = 0.5;

typedef struct chain {
  int count;
  double mass[MOST], gap[MOST], e[MOST]; /* between a ball and the next */
} chain;

/* Centres and velocities after TIME: the first comes with 1 m/s. */
static void strike_in_turn(const chain* c, double* x, double* v) {
  for (double t = 0; t < TIME;) {
    double first = TIME - t;
    int at = -1;
    for (int i = 0; i + 1 < c->count; i++) {
      const double apart = fmax(0, x[i + 1] - x[i] - 2 * RADIUS), closing = v[i] - v[i + 1];
      if (!(closing > 1e-9 && apart < closing * first)) continue;
      first = apart / closing;
      at = i;
    }
    for (int i = 0; i < c->count; i++) x[i] += first * v[i];
    t += first;
    if (at < 0) return;
    const double a = c->mass[at], b = c->mass[at + 1];
    const double P = (1 + c->e[at]) * (v[at] - v[at + 1]) * a * b / (a + b);
    v[at] -= P / a;
    v[at + 1] += P / b;
  }
}

static fb_model* balls_of(const chain* c) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < c->count; i++) {
    fb_body_def body = fb_default_body_def();
    char name[8];
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.mass = c->mass[i];
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.004 * c->mass[i];
    body.joint.type = FB_JOINT_FREE;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A ground under them where `weight` is not zero. */
static fb_sim* chain_sim(const chain* c, const fb_model* m, double weight, double step) {
  static const char* const NAMES[MOST] = {"k0", "k1", "k2", "k3", "ground"};
  fb_collider balls[MOST], plane = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_sim_options options = heavy_options(0, -weight);
  fb_error error;
  options.method = FB_METHOD_MOREAU;
  options.step = step;
  fb_sim* sim = sim_or_fail(m, &options);
  plane.at[2] = -RADIUS;
  for (int i = 0; i < c->count; i++) balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, RADIUS, 0, 0);
  for (int i = 0; i + 1 < c->count; i++) {
    fb_contact contact = contact_of(&balls[i], &balls[i + 1], FB_CONTACT_HARD, 0, 0, 0);
    contact.name = NAMES[i];
    contact.restitution = c->e[i];
    if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_contact ground = contact_of(balls, &plane, FB_CONTACT_HARD, 0, 0, 0);
  ground.name = NAMES[MOST - 1];
  ground.na = c->count;
  if (weight > 0 && fb_sim_add_contact(sim, &ground, NULL, &error)) fail_msg("%s", error.text);
  return sim;
}

/* The largest difference of velocities from those of impacts in turn. */
static double miss_of(const chain* c, double weight, double step) {
  double q[7 * MOST] = {0}, v[6 * MOST] = {0}, x[MOST], speed[MOST] = {1}, worst = 0;
  fb_model* m = balls_of(c);
  fb_sim* sim = chain_sim(c, m, weight, step);
  v[0] = 1;
  for (int i = 0; i < c->count; i++) {
    x[i] = q[7 * i] = i > 0 ? x[i - 1] + 2 * RADIUS + c->gap[i - 1] : 0;
    q[7 * i + 3] = 1;
  }
  start_or_fail(sim, q, v);
  run_or_fail(sim, TIME);
  strike_in_turn(c, x, speed);
  for (int i = 0; i < c->count; i++) worst = worse_of(worst, fabs(fb_sim_v(sim)[6 * i] - speed[i]));
  fb_sim_free(sim);
  fb_model_free(m);
  return worst;
}

static chain equal_balls(int count, double gap, double e) {
  chain c = {.count = count};
  for (int i = 0; i < count; i++) {
    c.mass[i] = 1;
    c.gap[i] = i > 0 ? gap : 0.0503;
    c.e[i] = e;
  }
  return c;
}

static void equal_balls_pass_all_of_the_speed_on(void** unused) {
  (void)unused;
  static const double GAPS[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3}, STEPS[] = {1e-3, 2e-4, 1e-5};
  for (int count = 3; count <= MOST; count++)
    for (int i = 0; i < 5 * 2 * sample(2, 3); i++) {
      const chain c = equal_balls(count, GAPS[i % 5], 1);
      const double step = STEPS[i / 10], weight = i / 5 % 2 ? G : 0, off = miss_of(&c, weight, step);
      if (off > 1e-9)
        fail_msg("%d balls, gaps of %g m, steps of %g s, %g m/s^2: %g m/s", count, c.gap[1], step, weight,
                 off);
    }
}

/* With steps of 1 ms 4 of 2000 differ by up to 0.11 m/s, where more impacts follow than a step is divided by, or their order
 * depends on less than their instants are off. */
static void every_impact_of_a_chain_has_its_own_restitution(void** unused) {
  (void)unused;
  fb_random r = random_seed(3);
  int n = sample(40, 400), off = 0;
  for (int k = 0; k < n; k++) {
    chain c = {.count = 3 + random_index(&r, MOST - 2)};
    for (int i = 0; i < c.count; i++) {
      c.mass[i] = random_in(&r, 0.5, 2);
      c.e[i] = random_in(&r, 0.6, 1);
      c.gap[i] = i > 0 ? pow(10, random_in(&r, -6, -3)) : random_in(&r, 0.05, 0.051);
    }
    const double fine = miss_of(&c, 0, 1e-4);
    if (fine > 1e-9) fail_msg("case %d: %g m/s", k, fine);
    off += miss_of(&c, 0, 1e-3) > 1e-9;
  }
  if (off > n / 50) fail_msg("%d of %d with steps of 1 ms", off, n);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_balls_pass_all_of_the_speed_on),
      cmocka_unit_test(every_impact_of_a_chain_has_its_own_restitution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
