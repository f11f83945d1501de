/* test_limit_events.c -- a rigid stop fires its events, acts, and books what it takes, by every method and by moreau. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/cookie.h"
#include "contact_rig.h"

/* Moreau, after all others. */
static int every_method(void) {
  return method_count() + 1;
}

static const char* name_of(int i) {
  return i < method_count() ? NAMES[i] : "moreau";
}

static fb_sim* sim_of(int i, const fb_model* m, double step) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  fb_error error;
  options.nmode = 4;
  if (i < method_count()) return sim_by(i, m, step, options);
  options.method = FB_METHOD_MOREAU;
  options.step = step;
  if (fb_sim_new(m, &options, &sim, &error)) fail_msg("%s", error.text);
  return sim;
}

static fb_status to_mode_3(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_mode(sim, 3, error);
}

static fb_status stop(void* user, fb_sim* sim, fb_error* error) {
  (void)user, (void)error;
  fb_sim_stop(sim);
  return FB_OK;
}

static fb_status lock(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_motion(sim, 0, FB_MOTION_LOCKED, error);
}

static fb_status release(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_motion(sim, 1, FB_MOTION_FORCE, error);
}

static void on_limit(fb_sim* sim, int limit, fb_limit_phase phase,
                     fb_status (*act)(void*, fb_sim*, fb_error*)) {
  static int made;
  char name[24];
  snprintf(name, sizeof name, "event%d", made++);
  event_or_fail(sim, &(fb_event){.name = name,
                                 .kind = FB_TRIGGER_LIMIT,
                                 .limit = limit,
                                 .phase = phase,
                                 .act = act,
                                 .cookie_ = FB_COOKIE});
}

/* How often each of 3 events happened until `until`, and when the first did. */
typedef struct counts {
  int n[8];
  double first[8];
} counts;

static counts run_counting(fb_sim* sim, double until) {
  counts c = {{0}, {0}};
  fb_error error;
  while (fb_sim_time(sim) < until - 1e-12 && !fb_sim_stopped(sim)) {
    int count;
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    const fb_event_record* h = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++)
      if (c.n[h[i].event]++ == 0) c.first[h[i].event] = h[i].t;
  }
  return c;
}

static double impacts_of(fb_sim* sim, double* dissipated) {
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  if (dissipated) *dissipated = l.dissipated;
  return l.impacts;
}

/* 1 kg at 1 m/s between stops at -1 and 1 m, e = 0.5: it hits at t = 1, 5 and 13 s, and loses 3/8, 3/32 and 3/128 J. */
static void each_impact_fires_once_and_its_loss_is_one_of_impacts(void** unused) {
  (void)unused;
  const double q = 0, v = 1;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < every_method(); i++) {
    double dissipated, loss = -0.375 * (1 + 0.25 + 0.0625);
    fb_sim* sim = sim_of(i, m, 0.01);
    int upper = limit_or_fail(sim, 0, 1, +1, 0.5), lower = limit_or_fail(sim, 0, -1, -1, 0.5);
    on_limit(sim, upper, FB_LIMIT_HIT, to_mode_3);
    on_limit(sim, lower, FB_LIMIT_HIT, NULL);
    on_limit(sim, upper, FB_LIMIT_RESTS, NULL);
    on_limit(sim, upper, FB_LIMIT_LEAVES, NULL);
    start_or_fail(sim, &q, &v);
    counts c = run_counting(sim, 14);
    if (c.n[0] != 2 || c.n[1] != 1 || c.n[2] + c.n[3] != 0)
      fail_msg("%s: %d %d %d %d events", name_of(i), c.n[0], c.n[1], c.n[2], c.n[3]);
    assert_int_equal(fb_sim_mode(sim), 3);
    /* moreau: at the end of the step in which it falls */
    assert_true(c.first[0] > 1 - 1e-9 && c.first[0] < 1 + 0.0201);
    assert_near(name_of(i), &(double){impacts_of(sim, &dissipated)}, &loss, 1, 1e-9);
    assert_near(name_of(i), &dissipated, &(double){0}, 1, 1e-12);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_stop_ends_the_run_at_its_first_impact(void** unused) {
  (void)unused;
  const double q = 0, v = 1;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < every_method(); i++) {
    fb_sim* sim = sim_of(i, m, 0.01);
    on_limit(sim, limit_or_fail(sim, 0, 1, +1, 0.5), FB_LIMIT_HIT, stop);
    start_or_fail(sim, &q, &v);
    run_counting(sim, 5);
    if (!fb_sim_stopped(sim) || fb_sim_time(sim) > 1.0201) fail_msg("%s runs on", name_of(i));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_coordinate_is_locked_and_another_released_at_an_impact(void** unused) {
  (void)unused;
  const double q[2] = {0, 0}, v[2] = {1, 0}, times[] = {0}, forces[] = {1};
  fb_model* m = sliders(2, 0, NULL);
  for (int i = 0; i < every_method(); i++) {
    fb_sim* sim = sim_of(i, m, 0.01);
    fb_error error;
    int upper = limit_or_fail(sim, 0, 1, +1, 0.5);
    on_limit(sim, upper, FB_LIMIT_HIT, lock);
    on_limit(sim, upper, FB_LIMIT_HIT, release);
    push_or_fail(sim, 1, 1, times, forces);
    if (fb_sim_set_motion(sim, 1, FB_MOTION_LOCKED, &error)) fail_msg("%s", error.text);
    start_or_fail(sim, q, v);
    run_counting(sim, 3);
    assert_near(name_of(i), fb_sim_q(sim), &(double){1}, 1, 0.011);
    assert_true(fb_sim_v(sim)[0] == 0);
    assert_near(name_of(i), fb_sim_q(sim) + 1, &(double){2}, 1, is_coarse(i) ? 0.03 : 0.041);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Pushed by 1 N to the stop at 1 m, e = 0.3; from t = 6 s on pulled by 1 N. */
static void rest_and_leaving_are_told_once(void** unused) {
  (void)unused;
  const double times[] = {0, 6}, forces[] = {1, -1}, q = 0, v = 0;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < every_method(); i++) {
    fb_sim* sim = sim_of(i, m, 0.005);
    int upper = limit_or_fail(sim, 0, 1, +1, 0.3);
    for (int phase = 0; phase < 3; phase++) on_limit(sim, upper, (fb_limit_phase)phase, NULL);
    push_or_fail(sim, 0, 2, times, forces);
    start_or_fail(sim, &q, &v);
    counts c = run_counting(sim, 5);
    if (c.n[1] != 1 || c.n[2] != 0 || c.n[0] < 3 || c.n[0] > 20 || !fb_sim_rests(sim, 0))
      fail_msg("%s: %d hits, %d rests, %d leaves", name_of(i), c.n[0], c.n[1], c.n[2]);
    c = run_counting(sim, 7);
    if (c.n[0] != 0 || c.n[1] != 0 || c.n[2] != 1 || fb_sim_rests(sim, 0))
      fail_msg("%s, pulled: %d hits, %d rests, %d leaves", name_of(i), c.n[0], c.n[1], c.n[2]);
    assert_near(name_of(i), &(double){impacts_of(sim, NULL)}, &(double){-1}, 1,
                is_coarse(i) || i == method_count() ? 0.02 : 2e-3); /* coarse: methods of first order */
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Looking for where a signal passes a level makes other steps; what the whole step did counts. */
static void an_impact_counts_once_where_a_signal_is_watched_too(void** unused) {
  (void)unused;
  const double q = 0, v = 1;
  fb_model* m = sliders(1, 0, NULL);
  for (int i = 0; i < every_method(); i++) {
    fb_sim* sim = sim_of(i, m, 0.01);
    on_limit(sim, limit_or_fail(sim, 0, 1, +1, 0.5), FB_LIMIT_HIT, NULL);
    on_limit(sim, limit_or_fail(sim, 0, -1, -1, 0.5), FB_LIMIT_HIT, NULL);
    static const char* const near[] = {"a", "b", "c", "d", "e"};
    for (int k = 0; k < 5; k++) { /* near the stop, and just beyond what is reached */
      fb_event e = {
          .name = near[k], .kind = FB_TRIGGER_CROSSING, .level = 0.99 + 0.005 * k, .cookie_ = FB_COOKIE};
      fb_error error;
      int count;
      if (fb_signal_find(fb_sim_model(sim), "q.s0", &e.signal, 1, &count, &error)) fail_msg("%s", error.text);
      event_or_fail(sim, &e);
    }
    start_or_fail(sim, &q, &v);
    counts c = run_counting(sim, 14);
    if (c.n[0] != 2 || c.n[1] != 1) fail_msg("%s: %d and %d hits", name_of(i), c.n[0], c.n[1]);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_impact_fires_once_and_its_loss_is_one_of_impacts),
      cmocka_unit_test(a_stop_ends_the_run_at_its_first_impact),
      cmocka_unit_test(a_coordinate_is_locked_and_another_released_at_an_impact),
      cmocka_unit_test(rest_and_leaving_are_told_once),
      cmocka_unit_test(an_impact_counts_once_where_a_signal_is_watched_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
