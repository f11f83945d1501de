/* test_limits_coupled.c -- stops and stiction in joints that gears and loops couple: who carries the load is not determined
 * by rigid bodies, and yet every run goes on, gains no energy and keeps its ledger closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"
#include "sample.h"
#include "sim/sim.h"

static const fb_method COUPLED[] = {FB_METHOD_RK4, FB_METHOD_DOPRI5, FB_METHOD_IMPLICIT, FB_METHOD_MOREAU};
static const char* const COUPLED_NAMES[] = {"rk4", "dopri5", "implicit", "moreau"};
enum { COUPLED_COUNT = sizeof COUPLED / sizeof COUPLED[0], BY_STEPS = 3, MOST = 8 };

static fb_sim* coupled_sim(int method, const fb_model* m, double step, double gravity) {
  fb_sim_options options = fb_default_sim_options();
  options.method = COUPLED[method];
  options.adaptive = options.method == FB_METHOD_DOPRI5;
  options.step = step;
  options.friction_law = FB_FRICTION_STICTION;
  options.environment.gravity_w[2] = -gravity;
  return sim_or_fail(m, &options);
}

static void gear(fb_model_def* def, const char* name, const char* a, const char* b, double ratio,
                 double offset) {
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_GEAR);
  loop.name = name;
  loop.a = a;
  loop.joints = &b;
  loop.njoint = 1;
  loop.ratios = &ratio;
  loop.offset = offset;
  fb_error error;
  if (fb_model_def_add_loop(def, &loop, &error)) fail_msg("%s", error.text);
}

/* Two sliders of 1 kg whose gear makes them move alike, under a push on the first. */
static fb_sim* geared_pair(int method, fb_model** m, const double friction[2]) {
  fb_model* plain = sliders(2, 0, friction);
  fb_model_def* def = fb_model_def_copy(fb_model_definition(plain));
  gear(def, "gear", "s0", "s1", 1, 0);
  *m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_model_free(plain);
  return coupled_sim(method, *m, 1e-3, 0);
}

/* Friction of 1 N and a stop hold 5 N: as equal springs they would take half each, so friction takes all it can. */
static void a_stop_takes_what_friction_behind_a_gear_cannot_hold(void** unused) {
  (void)unused;
  static const double friction[] = {1, 0}, q[] = {0, 0}, times[] = {0}, push[] = {5};
  for (int method = 0; method < COUPLED_COUNT; method++) {
    fb_model* m;
    fb_sim* sim = geared_pair(method, &m, friction);
    limit_or_fail(sim, 1, 0, +1, 0);
    push_or_fail(sim, 0, 1, times, push);
    start_or_fail(sim, q, q);
    run_or_fail(sim, 0.1);
    assert_true(fabs(fb_sim_q(sim)[0]) < 1e-12 && fb_sim_rests(sim, 1));
    assert_in_range(fb_sim_nstep(sim), 1, 200);
    if (method != BY_STEPS) {
      assert_near("friction", &sim->limit.reaction[0], &(double){-1}, 1, 1e-9);
      assert_near("stop", &sim->limit.reaction[1], &(double){-4}, 1, 1e-9);
    }
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Friction of 1 and 3 N: half each while the first can, then the second takes the rest, and beyond 4 N both move. */
static void joints_that_stick_share_a_load_within_what_each_can_hold(void** unused) {
  (void)unused;
  static const double friction[] = {1, 3}, q[] = {0, 0}, times[] = {0, 0.1, 0.2}, push[] = {1.5, 3, 4.5};
  static const double shares[2][2] = {{-0.75, -0.75}, {-1, -2}}, moved = 0.5 * 0.25 * 0.01;
  for (int method = 0; method < COUPLED_COUNT; method++) {
    fb_model* m;
    fb_sim* sim = geared_pair(method, &m, friction);
    push_or_fail(sim, 0, 3, times, push);
    start_or_fail(sim, q, q);
    for (int i = 0; i < 2; i++) {
      run_or_fail(sim, 0.05 + 0.1 * i);
      if (method != BY_STEPS) assert_near("shares", sim->limit.reaction, shares[i], 2, 1e-9);
      assert_true(fabs(fb_sim_q(sim)[0]) < 1e-12);
    }
    run_or_fail(sim, 0.3);
    assert_near(COUPLED_NAMES[method], fb_sim_q(sim), (double[]){moved, moved}, 2,
                method == BY_STEPS ? 2e-5 : 1e-8);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* A push that grows from 0 to 3 N: what each carries goes with it, and goes on from a snapshot with the same bits. */
static fb_status act_ramp(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += 3 * context->t;
  return FB_OK;
}

static void shares_follow_the_load_and_snapshots_restore_them(void** unused) {
  (void)unused;
  static const double friction[] = {2, 2}, q[] = {0, 0};
  fb_block block = fb_default_block();
  block.name = "ramp";
  block.act = act_ramp;
  for (int method = 0; method < BY_STEPS; method++) {
    fb_model *m, *same;
    fb_sim *sim = geared_pair(method, &m, friction), *other = geared_pair(method, &same, friction);
    block_or_fail(sim, &block);
    block_or_fail(other, &block);
    start_or_fail(sim, q, q);
    start_or_fail(other, q, q);
    run_or_fail(sim, 1);
    assert_near(COUPLED_NAMES[method], sim->limit.reaction, (double[]){-1.5, -1.5}, 2,
                0.1); /* of the last evaluation */
    assert_near(COUPLED_NAMES[method], &sim->limit.reaction[0], &sim->limit.reaction[1], 1, 1e-12);
    start_or_fail(sim, q, q);
    assert_restores(sim, other, 0.15);
    fb_sim_free(sim);
    fb_sim_free(other);
    fb_model_free(m);
    fb_model_free(same);
  }
}

/* The first slider is moved; its gear drives the second into its stop. */
static void a_stop_in_the_way_of_a_moved_joint_behind_a_gear_is_an_error(void** unused) {
  (void)unused;
  static const double friction[] = {0, 0}, q[] = {0, 0};
  for (int method = 0; method < COUPLED_COUNT; method++) {
    fb_model* m;
    fb_sim* sim = geared_pair(method, &m, friction);
    fb_motion rate = {.kind = FB_MOTION_RATE, .rate = 1, .cookie_ = FB_COOKIE};
    fb_error error = {0};
    int motion;
    limit_or_fail(sim, 1, 0.1, +1, 0.5);
    assert_int_equal(fb_sim_add_motion(sim, &rate, &motion, NULL), FB_OK);
    assert_int_equal(fb_sim_set_motion(sim, 0, motion, NULL), FB_OK);
    start_or_fail(sim, q, q);
    assert_int_equal(fb_sim_run_until(sim, 1, &error), FB_ERR_NO_SOLUTION);
    if (method != BY_STEPS) assert_non_null(strstr(error.text, "the stop of joint \"s1\" is in the way"));
    assert_true(fb_sim_time(sim) < 0.11);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* ---- random mechanisms ---- */

typedef struct pushes {
  int nv;
  double size[MOST], speed[MOST], phase[MOST];
} pushes;

static fb_status push_all(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)memory, (void)state, (void)rate, (void)error;
  const pushes* p = (const pushes*)user;
  for (int k = 0; k < p->nv; k++) action->tau[k] += p->size[k] * sin(p->speed[k] * context->t + p->phase[k]);
  return FB_OK;
}

static const char* const JOINTS[MOST] = {"j0", "j1", "j2", "j3", "j4", "j5", "j6", "j7"};

/* A slider along x, or a rod of 1 m that turns about y; hinged to the world or to the tip of the rod before. */
static void add_part(fb_random* r, fb_model_def* def, int i, int turns, const char* parent, double x) {
  fb_body_def body = fb_default_body_def();
  fb_frame_def tip = fb_default_frame_def();
  char name[16];
  int id;
  body.name = JOINTS[i];
  body.parent = parent;
  body.joint.type = turns ? FB_JOINT_REVOLUTE : FB_JOINT_PRISMATIC;
  body.joint.axis[turns ? 1 : 0] = 1;
  body.joint.at[0] = parent && turns ? 1 : x;
  body.joint.friction[0] = random_index(r, 5) < 3 ? random_in(r, 0, 6) : 0;
  body.joint.friction_speed = 0.1;
  body.mass = random_in(r, 0.5, 2);
  body.com[0] = turns ? 0.5 : 0;
  body.inertia[1] = body.inertia[2] = body.mass / 12;
  assert_int_equal(fb_model_def_add_body(def, &body, &id, NULL), FB_OK);
  snprintf(name, sizeof name, "tip%d", i);
  tip.name = name;
  tip.at[0] = 1;
  assert_int_equal(fb_model_def_add_frame(def, id, &tip, NULL), FB_OK);
}

static void close_bar(fb_model_def* def, int a, int b) {
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_REVOLUTE);
  char tip_a[16], tip_b[16];
  snprintf(tip_a, sizeof tip_a, "tip%d", a);
  snprintf(tip_b, sizeof tip_b, "tip%d", b);
  loop.name = "bar";
  loop.a = tip_a;
  loop.b = tip_b;
  loop.axis[0] = loop.axis[2] = 0;
  loop.axis[1] = 1;
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
}

/* Sliders, a chain of rods, or a four-bar with a rod or two on its coupler; up to three gears; q: where it begins. */
static fb_model* random_mechanism(fb_random* r, double* q) {
  fb_model_def* def = fb_model_def_new();
  int kind = random_index(r, 3), n = 2 + random_index(r, 4), gears = 1 + random_index(r, 3);
  if (kind == 2) {
    add_part(r, def, 0, 1, NULL, 0);
    add_part(r, def, 1, 1, JOINTS[0], 0);
    add_part(r, def, 2, 1, NULL, random_index(r, 2) ? 1 : random_in(r, 0.8, 1.3));
    close_bar(def, 2, 1);
    n = 3 + random_index(r, 3);
    for (int i = 3; i < n; i++) add_part(r, def, i, 1, JOINTS[i - 2], 0);
    gears = random_index(r, 3);
    q[0] = q[2] = random_in(r, -2, -0.8);
    q[1] = -q[0];
  } else {
    for (int i = 0; i < n; i++)
      add_part(r, def, i, kind, kind == 1 && i > 0 && random_index(r, 3) ? JOINTS[i - 1] : NULL, i);
  }
  for (int k = kind == 2 ? 3 : 0; k < n; k++) q[k] = random_in(r, -0.5, 0.5);
  for (int g = 0; g < gears; g++) {
    int a = random_index(r, n), b = (a + 1 + random_index(r, n - 1)) % n;
    double ratio = (random_index(r, 2) ? 1 : -1) * (random_index(r, 2) ? 1 : random_in(r, 0.4, 2.5));
    char name[16];
    snprintf(name, sizeof name, "gear%d", g);
    gear(def, name, JOINTS[a], JOINTS[b], ratio, q[a] - ratio * q[b]);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* The closed configuration near q, with rates v. */
static int close_near(const fb_model* m, double* q, double* v) {
  fb_sim* sim = coupled_sim(0, m, 1e-3, 0);
  int good = !fb_sim_start(sim, q, v, NULL);
  for (int k = 0; good && k < fb_model_nv(m); k++) {
    q[k] = fb_sim_q(sim)[k];
    v[k] = fb_sim_v(sim)[k];
  }
  fb_sim_free(sim);
  return good;
}

typedef struct outcome {
  int ended; /* with an error */
  long long steps;
  double gained, residual, beyond;
} outcome;

static outcome run_coupled(uint64_t seed, int method) {
  fb_random r = random_seed(seed);
  outcome o = {.steps = 0};
  double q[MOST] = {0}, v[MOST] = {0}, lower[MOST], upper[MOST];
  fb_model* m = random_mechanism(&r, q);
  pushes p = {.nv = fb_model_nv(m)};
  fb_block block = fb_default_block();
  fb_error error = {0};
  int moves = random_index(&r, 2);
  for (int k = 0; moves && k < p.nv; k++) v[k] = random_in(&r, -1, 1);
  fb_sim* sim = coupled_sim(method, m, random_in(&r, 1e-3, 4e-3), random_index(&r, 2) * 9.81);
  double strong = random_index(&r, 3) ? random_in(&r, 0, 12) : 0;
  int lock = random_index(&r, 4) == 0 ? random_index(&r, p.nv) : -1;
  int drive = random_index(&r, 4) == 0 ? random_index(&r, p.nv) : -1;
  int brake = random_index(&r, 3) == 0 ? random_index(&r, p.nv) : -1, motion = -1;
  o.ended = !close_near(m, q, v);
  for (int k = 0; k < p.nv; k++) {
    double e = random_index(&r, 2) ? 0 : random_in(&r, 0, 0.9);
    lower[k] = -INFINITY;
    upper[k] = INFINITY;
    if (random_index(&r, 3) == 0) lower[k] = q[k] - (random_index(&r, 2) ? random_in(&r, 0.01, 0.3) : 0);
    if (random_index(&r, 3) == 0) upper[k] = q[k] + (random_index(&r, 2) ? random_in(&r, 0.01, 0.3) : 0);
    if (isfinite(lower[k])) limit_or_fail(sim, k, lower[k], -1, e);
    if (isfinite(upper[k])) limit_or_fail(sim, k, upper[k], +1, e);
    p.size[k] = random_in(&r, 0, strong);
    p.speed[k] = random_in(&r, 0, 12);
    p.phase[k] = random_in(&r, 0, 6);
  }
  block.name = "pushes";
  block.act = push_all;
  block.user = &p;
  block_or_fail(sim, &block);
  fb_motion rate = {.kind = FB_MOTION_RATE,
                    .rate = random_index(&r, 2) ? 0 : random_in(&r, -0.3, 0.3),
                    .cookie_ = FB_COOKIE};
  assert_int_equal(fb_sim_add_motion(sim, &rate, &motion, NULL), FB_OK);
  if (lock >= 0) assert_int_equal(fb_sim_set_motion(sim, lock, FB_MOTION_LOCKED, NULL), FB_OK);
  if (drive >= 0) assert_int_equal(fb_sim_set_motion(sim, drive, motion, NULL), FB_OK);
  o.ended |= fb_sim_start(sim, q, v, &error) != FB_OK;
  double jumped = 0, most = 0;
  static const double TIMES[] = {0.15, 0.3, 0.5};
  for (int i = 0; i < 3 && !o.ended; i++) {
    while (!o.ended && fb_sim_time(sim) < TIMES[i] - 1e-12) {
      fb_ledger ledger;
      o.ended = fb_sim_step(sim, TIMES[i], &error) != FB_OK;
      fb_sim_ledger(sim, &ledger);
      most = worse_of(most, ledger.kinetic);
      if (drive < 0) o.gained = worse_of(o.gained, (ledger.impacts - jumped) / fmax(most, 1e-3));
      o.residual = worse_of(o.residual, ledger.relative);
      jumped = ledger.impacts;
      for (int k = 0; k < p.nv; k++)
        if (k != lock && k != drive && k != brake)
          o.beyond = worse_of(o.beyond, worse_of(lower[k] - fb_sim_q(sim)[k], fb_sim_q(sim)[k] - upper[k]));
      if (fb_sim_nstep(sim) > 4000)
        fail_msg("seed %d, %s: it chatters at t = %.12g", (int)seed, COUPLED_NAMES[method], fb_sim_time(sim));
    }
    if (brake >= 0 && i < 2 && !o.ended)
      o.ended = fb_sim_set_motion(sim, brake, i == 0 ? FB_MOTION_LOCKED : FB_MOTION_FORCE, &error) != FB_OK;
  }
  o.steps = fb_sim_nstep(sim);
  fb_sim_free(sim);
  fb_model_free(m);
  return o;
}

/* Some contradict themselves: gears or rates at the start, motions and locks against stops. These end with an error. */
static void random_couplings_go_on_and_gain_no_energy(void** unused) {
  (void)unused;
  static const double CLOSES[COUPLED_COUNT] = {1e-2, 1e-2, 1,
                                               1}; /* of the energies: few, long steps by method */
  int count = sample(40, 1000);
  for (int method = 0; method < COUPLED_COUNT; method++) {
    outcome worst = {.ended = 0};
    for (int i = 0; i < count; i++) {
      outcome o = run_coupled((uint64_t)(1 + i), method);
      worst.ended += o.ended;
      worst.gained = worse_of(worst.gained, o.gained);
      worst.residual = worse_of(worst.residual, o.residual);
      worst.beyond = worse_of(worst.beyond, o.ended ? 0 : o.beyond);
      if (o.steps > worst.steps) worst.steps = o.steps;
    }
    print_message(
        "%-9s %d runs, %d end with an error: ledger %.1e, gained at impacts %.1e, beyond %.1e, %lld steps\n",
        COUPLED_NAMES[method], count, worst.ended, worst.residual, worst.gained, worst.beyond, worst.steps);
    /* moreau finds in the step after that loops drive a joint through its stop. */
    assert_true(worst.gained <= 1e-9 && worst.residual <= CLOSES[method]);
    assert_true(worst.beyond <= (method == BY_STEPS ? 1e-3 : 1e-9));
    assert_true(worst.ended <= count / 5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_takes_what_friction_behind_a_gear_cannot_hold),
      cmocka_unit_test(joints_that_stick_share_a_load_within_what_each_can_hold),
      cmocka_unit_test(shares_follow_the_load_and_snapshots_restore_them),
      cmocka_unit_test(a_stop_in_the_way_of_a_moved_joint_behind_a_gear_is_an_error),
      cmocka_unit_test(random_couplings_go_on_and_gain_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
