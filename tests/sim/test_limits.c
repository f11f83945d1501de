/* test_limits.c -- stops that coordinates cannot pass: they hold what is pushed, let go what is pulled, and are solved
 * together; by every method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"
#include "sample.h"

/* What happened to a limit: as many letters, h(it), r(ests), l(eaves). */
typedef struct record {
  int first; /* event id of limit 0's hit */
  char text[64];
} record;

static void watch_or_fail(fb_sim* sim, int limit, record* r) {
  static const char* const phases[] = {"hit", "rests", "leaves"};
  for (int i = 0; i < 3; i++) {
    int id = event_or_fail(sim, &(fb_event){.name = phases[i],
                                            .kind = FB_TRIGGER_LIMIT,
                                            .limit = limit,
                                            .phase = (fb_limit_phase)i,
                                            .cookie_ = FB_COOKIE});
    if (i == 0) *r = (record){id, ""};
  }
}

static void write_down(const fb_sim* sim, record* r) {
  int count;
  const fb_event_record* h = fb_sim_event_records(sim, &count);
  for (int i = 0; i < count; i++) {
    size_t n = strlen(r->text);
    if (h[i].event < r->first || h[i].event >= r->first + 3 || n + 1 >= sizeof r->text) continue;
    char c = "hrl"[h[i].event - r->first];
    if (n == 0 || r->text[n - 1] != c) r->text[n] = c; /* bounces in a row count once */
  }
}

static void run_recording(fb_sim* sim, double until, record* r) {
  fb_error error;
  if (fb_sim_time(sim) == 0) write_down(sim, r);
  while (fb_sim_time(sim) < until - 1e-12) {
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    write_down(sim, r);
  }
}

/* ---- one stop ---- */

static void a_slider_that_came_to_rest_is_held_when_it_is_pushed_again(void** unused) {
  (void)unused;
  const double times[] = {2, 3}, forces[] = {1, 0}, q = 0, v = 1;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    record r;
    int upper = limit_or_fail(sim, 0, 1, +1, 0);
    limit_or_fail(sim, 0, -1, -1, 0);
    watch_or_fail(sim, upper, &r);
    push_or_fail(sim, 0, 2, times, forces);
    start_or_fail(sim, &q, &v);
    run_recording(sim, 5, &r);
    assert_true(fb_sim_q(sim)[0] == 1 && fb_sim_v(sim)[0] == 0);
    assert_string_equal(r.text, "hr");
    assert_int_equal(fb_sim_rests(sim, 0), 1);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static fb_status release(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_motion(sim, 0, FB_MOTION_FORCE, error);
}

static void a_pressed_slider_stays_when_it_is_released(void** unused) {
  (void)unused;
  const double times[] = {0}, forces[] = {1}, q = 0, v = 0;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    limit_or_fail(sim, 0, 1, +1, 0.3);
    push_or_fail(sim, 0, 1, times, forces);
    event_or_fail(
        sim,
        &(fb_event){.name = "let", .kind = FB_TRIGGER_TIME, .time = 6, .act = release, .cookie_ = FB_COOKIE});
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 8);
    assert_true(fb_sim_q(sim)[0] == 1 && fb_sim_v(sim)[0] == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Pushed for 6 s, then pulled: x = 1 - (t - 6)^2 / 2 until it meets the other stop at t = 8. */
static void a_slider_leaves_its_stop_when_it_is_pulled(void** unused) {
  (void)unused;
  const double times[] = {0, 6}, forces[] = {1, -1}, q = 0, v = 0;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.005, fb_default_sim_options());
    record r;
    int upper = limit_or_fail(sim, 0, 1, +1, 0.3);
    int lower = limit_or_fail(sim, 0, -1, -1, 0.3);
    watch_or_fail(sim, upper, &r);
    push_or_fail(sim, 0, 2, times, forces);
    start_or_fail(sim, &q, &v);
    run_recording(sim, 7, &r);
    assert_string_equal(r.text, "hrl");
    assert_near(NAMES[i], fb_sim_q(sim), &(double){0.5}, 1, is_coarse(i) ? 0.01 : 1e-8);
    run_recording(sim, 12, &r);
    assert_string_equal(r.text, "hrl");
    assert_true(fb_sim_q(sim)[0] == -1 && fb_sim_rests(sim, 0));
    (void)lower;
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A spring pulls smoothly: the reaction passes zero inside a step. Slider of 1 kg, force 2 cos(t) presses until pi/2. */
static fb_status cosine(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += 2 * cos(context->t);
  return FB_OK;
}

static void a_stop_lets_go_at_the_instant_at_which_its_reaction_vanishes(void** unused) {
  (void)unused;
  const double q = 1, v = 0, pi = 3.14159265358979323846, t = 2.5;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    fb_block block = fb_default_block();
    record r;
    block.name = "cosine";
    block.act = cosine;
    watch_or_fail(sim, limit_or_fail(sim, 0, 1, +1, 0), &r);
    block_or_fail(sim, &block);
    start_or_fail(sim, &q, &v);
    run_recording(sim, t, &r);
    /* x'' = 2 cos t from pi/2 on */
    double want = 1 + 2 * (-cos(t)) - 2 * (t - pi / 2);
    assert_near(NAMES[i], fb_sim_q(sim), &want, 1, is_coarse(i) ? 0.02 : is_middling(i) ? 1e-4 : 1e-6);
    assert_true(strncmp(r.text, "rl", 2) == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* With restitution e the hops of a ball under gravity get shorter by e each time: all is over at a time that is known. */
static void bounces_come_to_rest_in_bounded_work(void** unused) {
  (void)unused;
  static const double RESTITUTIONS[] = {0, 0.3, 0.5, 0.8, 0.95};
  fb_model* m = sliders(1, 0, NULL);
  const double q = 1, v = 0, g = 10;
  for (int i = 0; i < method_count(); i++)
    for (size_t c = 0; c < sizeof RESTITUTIONS / sizeof RESTITUTIONS[0]; c++) {
      double e = RESTITUTIONS[c], fall = sqrt(2 / g), over = fall * (1 + e) / (1 - e);
      fb_sim_options options = fb_default_sim_options();
      options.environment.gravity_w[0] = -g;
      fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.01, options);
      limit_or_fail(sim, 0, 0, -1, e);
      start_or_fail(sim, &q, &v);
      run_or_fail(sim, over * (is_coarse(i) ? 1.2 : 1.001) + 1e-3);
      assert_true(fb_sim_q(sim)[0] == 0 && fb_sim_v(sim)[0] == 0 && fb_sim_rests(sim, 0));
      fb_ledger ledger;
      fb_sim_ledger(sim, &ledger);
      assert_near("all energy is gone", &ledger.impacts, &(double){-g}, 1, is_coarse(i) ? 0.1 : 1e-6);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* ---- several stops ---- */

static void two_stops_met_at_once_hold_both(void** unused) {
  (void)unused;
  static const struct {
    double apart, restitution; /* the second stop is so much farther: met later by that many seconds */
  } CASES[] = {{0, 0.5}, {0, 0}, {1e-6, 0}, {1e-6, 0.5}, {1e-9, 1}, {0, 1}, {0.1, 0.9}};
  fb_model* m = sliders(2, 1, NULL);
  const double q[2] = {0, 0}, v[2] = {1, 1}, times[] = {3, 9}, forces[] = {2, -2};
  for (int i = 0; i < method_count(); i++)
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
      fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
      fb_error error;
      for (int k = 0; k < 2; k++) {
        limit_or_fail(sim, k, 1 + k * CASES[c].apart, +1, CASES[c].restitution);
        limit_or_fail(sim, k, -1, -1, CASES[c].restitution);
      }
      push_or_fail(sim, 0, 2, times, forces);
      start_or_fail(sim, q, v);
      double jumped = 0;
      while (fb_sim_time(sim) < 15) {
        fb_ledger ledger;
        if (fb_sim_step(sim, 15, &error)) fail_msg("%s", error.text);
        for (int k = 0; k < 2; k++)
          if (!(fabs(fb_sim_q(sim)[k]) <= 1 + k * CASES[c].apart + 1e-9))
            fail_msg("%s, case %d: q[%d] is %.12g at t = %.12g", NAMES[i], (int)c, k, fb_sim_q(sim)[k],
                     fb_sim_time(sim));
        fb_sim_ledger(sim, &ledger);
        assert_true(ledger.impacts <= jumped + 1e-12);
        jumped = ledger.impacts;
      }
      assert_true(fb_sim_nstep(sim) < 20000);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* Four blocks in a row on one slide are pressed into a corner: all rest, and leave together when they are pulled. */
static void a_chain_at_its_stops_leaves_as_one(void** unused) {
  (void)unused;
  fb_model* m = sliders(4, 1, NULL);
  const double q[4] = {0.9, 0.8, 0.7, 0.6}, v[4] = {0}, times[] = {0, 5}, press[] = {20, -8};
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    for (int k = 0; k < 4; k++) {
      limit_or_fail(sim, k, 1, +1, 0.2);
      push_or_fail(sim, k, 2, times, press);
    }
    start_or_fail(sim, q, v);
    run_or_fail(sim, 5);
    for (int k = 0; k < 4; k++) assert_true(fb_sim_q(sim)[k] == 1 && fb_sim_v(sim)[k] == 0);
    run_or_fail(sim, 5.1);
    for (int k = 0; k < 4; k++)
      assert_true(fb_sim_q(sim)[k] <= 1 && !(fb_sim_rests(sim, k) && fb_sim_v(sim)[k] != 0));
    assert_true(fb_sim_q(sim)[3] < 1); /* the last in the chain: pulled with nothing behind it */
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A joint that rests on its stop takes up what a brake on another does without being thrown back. */
static fb_status brake(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_motion(sim, 1, FB_MOTION_LOCKED, error);
}

static void a_stop_at_rest_takes_up_the_impulse_of_a_brake(void** unused) {
  (void)unused;
  fb_model* m = sliders(2, 1, NULL);
  const double q[2] = {1, 0}, v[2] = {0, 3}, times[] = {0}, press[] = {5};
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0.01, fb_default_sim_options());
    limit_or_fail(sim, 0, 1, +1, 0.9);
    push_or_fail(sim, 0, 1, times, press);
    event_or_fail(
        sim, &(fb_event){
                 .name = "brake", .kind = FB_TRIGGER_TIME, .time = 0.1, .act = brake, .cookie_ = FB_COOKIE});
    start_or_fail(sim, q, v);
    run_or_fail(sim, 1);
    assert_true(fb_sim_q(sim)[0] == 1 && fb_sim_v(sim)[0] == 0 && fb_sim_v(sim)[1] == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- random trees ---- */

typedef struct pushes {
  int nv;
  double size[64], speed[64], phase[64];
} pushes;

static fb_status push_all(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)memory, (void)state, (void)rate, (void)error;
  const pushes* p = (const pushes*)user;
  for (int k = 0; k < p->nv; k++) action->tau[k] += p->size[k] * sin(p->speed[k] * context->t + p->phase[k]);
  return FB_OK;
}

/* Each gives its own coordinate up to 20 m/s^2 or rad/s^2. */
static void scale_pushes(const fb_model* m, const double* q, fb_random* r, pushes* p) {
  fb_data* d = fb_data_new(m);
  double *tau = numbers_new(p->nv), *v = numbers_new(p->nv), *vdot = numbers_new(p->nv);
  for (int k = 0; k < p->nv; k++) {
    tau[k] = 1;
    fb_forward_dynamics(m, d, q, v, tau, NULL, vdot);
    tau[k] = 0;
    p->size[k] = random_in(r, 0, 20) / vdot[k];
  }
  free(tau);
  free(v);
  free(vdot);
  fb_data_free(d);
}

typedef struct fence {
  int k, at;
  double lower, upper;
} fence;

/* Limits around the start on all plain coordinates. */
static int fence_in(fb_random* r, fb_sim* sim, const double* q, fence* fences) {
  const fb_model* m = fb_sim_model(sim);
  int n = 0;
  for (int b = 1; b < fb_model_nbody(m); b++) {
    fb_joint_type type = fb_joint_type_of(m, b);
    if (type == FB_JOINT_FREE || type == FB_JOINT_SPHERICAL) continue;
    for (int i = 0; i < fb_joint_nv(m, b); i++) {
      fence f = {fb_joint_v_index(m, b) + i, fb_joint_q_index(m, b) + i, 0, 0};
      double same = random_index(r, 4) ? random_in(r, 0, 1) : random_index(r, 2); /* often exactly 0 or 1 */
      f.lower = q[f.at] - (random_index(r, 5) ? random_in(r, 0.01, 0.3) : 0);
      f.upper = q[f.at] + (random_index(r, 5) ? random_in(r, 0.01, 0.3) : 0);
      limit_or_fail(sim, f.k, f.lower, -1, same);
      limit_or_fail(sim, f.k, f.upper, +1, random_index(r, 2) ? same : random_in(r, 0, 1));
      fences[n++] = f;
    }
  }
  return n;
}

/* Every other joint rubs. No springs and dampers: on light bodies these are too stiff for explicit steps. */
static void rub(fb_random* r, const fb_body_def* body) {
  fb_joint_def* joint = &((fb_body_def*)(uintptr_t)body)->joint; /* the definition is the test's own */
  joint->friction_speed = 2;
  for (int i = 0; random_index(r, 2) && i < fb_joint_type_nv(joint->type); i++)
    joint->friction[i] = random_in(r, 0, 0.3) * body->mass;
}

typedef struct toll {
  double beyond, gained;
  long long steps;
} toll;

/* How far any coordinate was beyond its limits, the most energy that an impact gave, steps. */
static toll run_random(uint64_t seed, int method, fb_friction_law law) {
  fb_random r = random_seed(seed);
  int bodies = 2 + random_index(&r, 7);
  fb_model_def* def = random_forest(&r, bodies, random_index(&r, 3), 0);
  for (int b = 1; b <= bodies; b++) rub(&r, fb_model_def_body(def, b));
  fb_model* m = build_or_fail(def, NULL);
  state x = state_new(m, seed);
  fb_sim_options options = fb_default_sim_options();
  options.friction_law = law;
  random_fill(&r, -6, 6, 3, options.environment.gravity_w);
  fb_sim* sim = sim_by(method, m, is_coarse(method) ? 1e-3 : is_middling(method) ? 2e-3 : 0.01, options);
  fence fences[64];
  pushes p = {.nv = fb_model_nv(m)};
  fb_block block = fb_default_block();
  fb_error error;
  toll result = {0, 0, 0};
  assert_true(p.nv <= 64);
  scale_pushes(m, x.q, &r, &p);
  random_fill(&r, 0, 12, p.nv, p.speed);
  random_fill(&r, 0, 6, p.nv, p.phase);
  block.name = "pushes";
  block.act = push_all;
  block.user = &p;
  int n = fence_in(&r, sim, x.q, fences);
  block_or_fail(sim, &block);
  start_or_fail(sim, x.q, x.v);
  double jumped = 0, most = 0;
  while (fb_sim_time(sim) < 0.3) {
    fb_ledger ledger;
    if (fb_sim_step(sim, 0.3, &error)) fail_msg("seed %d, %s: %s", (int)seed, NAMES[method], error.text);
    fb_sim_ledger(sim, &ledger);
    most = worse_of(most, ledger.kinetic);
    result.gained = worse_of(result.gained, (ledger.impacts - jumped) / fmax(most, 1e-3));
    jumped = ledger.impacts;
    for (int i = 0; i < n; i++) {
      double q = fb_sim_q(sim)[fences[i].at], beyond = worse_of(fences[i].lower - q, q - fences[i].upper);
      result.beyond = worse_of(result.beyond, beyond);
    }
    if (fb_sim_nstep(sim) > 100000)
      fail_msg("seed %d, %s: it chatters at t = %g", (int)seed, NAMES[method], fb_sim_time(sim));
  }
  result.steps = fb_sim_nstep(sim);
  fb_sim_free(sim);
  state_free(&x);
  fb_model_free(m);
  fb_model_def_free(def);
  return result;
}

#ifndef FB_TREES
#define FB_TREES 120
#endif

static void random_trees_stay_within_their_limits(void** unused) {
  (void)unused;
  for (int method = 0; method < method_count(); method++) {
    toll worst = {0, 0, 0};
    int trees = sample(30, FB_TREES);
    if (method > METHOD_COUNT) trees /= 10; /* SUNDIALS starts anew at every impact */
    for (int i = 0; i < trees; i++) {
      toll t = run_random((uint64_t)(i + 1), method, i % 2 ? FB_FRICTION_STICTION : FB_FRICTION_SMOOTH);
      worst.beyond = worse_of(worst.beyond, t.beyond);
      worst.gained = worse_of(worst.gained, t.gained);
      if (t.steps > worst.steps) worst.steps = t.steps;
    }
    print_message("%-13s %d trees: at most %.1e beyond a limit, energy gained at impacts %.1e, %lld steps\n",
                  NAMES[method], trees, worst.beyond, worst.gained, worst.steps);
    assert_true(worst.beyond <= 1e-9);
    assert_true(worst.gained <= 1e-10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slider_that_came_to_rest_is_held_when_it_is_pushed_again),
      cmocka_unit_test(a_pressed_slider_stays_when_it_is_released),
      cmocka_unit_test(a_slider_leaves_its_stop_when_it_is_pulled),
      cmocka_unit_test(a_stop_lets_go_at_the_instant_at_which_its_reaction_vanishes),
      cmocka_unit_test(bounces_come_to_rest_in_bounded_work),
      cmocka_unit_test(two_stops_met_at_once_hold_both),
      cmocka_unit_test(a_chain_at_its_stops_leaves_as_one),
      cmocka_unit_test(a_stop_at_rest_takes_up_the_impulse_of_a_brake),
      cmocka_unit_test(random_trees_stay_within_their_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
