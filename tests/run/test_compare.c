/* test_compare.c -- `freebody compare`, and fb_store_compare: differences are found where they are, whatever the runs. */
#include "run_sample.h"

#include <freebody/compare.h>

/* A run of two signals with samples at n multiples of a period; the values come from a function of time. */
static void write_run(const char* folder, double period, int n, void (*value)(double t, double x[3])) {
  static const fb_store_signal names[] = {
      {"q.pin", "rad", "joint", ""}, {"p.tip.x", "m", "world", ""}, {"p.tip.y", "m", "world", ""}};
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_create(folder, names, 3, 1, &run, &error)) fail_msg("%s", error.text);
  for (int i = 0; i < n; i++) {
    double x[3];
    value(i * period, x);
    if (fb_store_append(run, i * period, x, &error)) fail_msg("%s", error.text);
  }
  assert_int_equal(fb_store_add_event(run, 0.5, "hit", "", &error), FB_OK);
  if (fb_store_close(run, &error)) fail_msg("%s", error.text);
}

static void straight(double t, double x[3]) {
  x[0] = 2 * t;
  x[1] = 100 + t;
  x[2] = 0;
}

static void bumped(double t, double x[3]) {
  straight(t, x);
  if (t > 0.295 && t < 0.305) x[0] += 0.25;
  x[2] = 1e-12;
}

static void holed(double t, double x[3]) {
  straight(t, x);
  if (t > 0.295 && t < 0.305) x[0] = NAN;
  if (t > 0.395 && t < 0.405) x[1] = INFINITY;
}

static fb_comparison* compare(const char* a, const char* b, const fb_compare_options* options) {
  fb_error error;
  fb_store* runs[2];
  fb_comparison* c = NULL;
  if (fb_store_open(a, &runs[0], &error) || fb_store_open(b, &runs[1], &error)) fail_msg("%s", error.text);
  if (fb_store_compare(runs[0], runs[1], options, &c, &error)) fail_msg("%s", error.text);
  for (int k = 0; k < 2; k++) fb_store_close(runs[k], NULL);
  return c;
}

static void the_greatest_difference_is_found_with_its_time(void** state) {
  (void)state;
  write_run("a", 0.01, 5000, straight); /* more than one piece */
  write_run("b", 0.01, 5000, bumped);
  fb_comparison* c = compare("a", "b", NULL);
  assert_int_equal(c->times, FB_COMPARE_SAME_TIMES);
  assert_int_equal(c->instants, 5000);
  assert_int_equal(c->nsignal, 3);
  const fb_compared_signal* s = c->signals;
  assert_string_equal(s[0].name, "q.pin");
  assert_true(fabs(s[0].difference - 0.25) < 1e-12 && fabs(s[0].t - 0.3) < 1e-12);
  assert_true(s[0].a == 0.6 && s[0].b == 0.85 && s[0].end == 0);
  assert_true(fabs(s[0].relative - 0.25 / 99.98) < 1e-12);
  /* Components of a vector share their scale: rounding around zero is none of 100 m. */
  assert_string_equal(s[1].name, "p.tip.y");
  assert_true(s[1].difference == 1e-12 && s[1].relative < 1e-14 && s[1].end == 1e-12);
  assert_true(s[2].difference == 0 && s[2].relative == 0);
  assert_true(!c->is_beyond && c->nevent == 0 && c->nonly[0] == 0 && c->nonly[1] == 0);
  fb_comparison_free(c);
}

static void runs_with_other_sample_times_are_compared_where_they_overlap(void** state) {
  (void)state;
  static const struct {
    double period;
    int n;
    fb_compare_times times;
    long long instants;
  } rows[] = {
      {0.01, 101, FB_COMPARE_SAME_TIMES, 101},    {0.01, 201, FB_COMPARE_COMMON, 101}, /* longer */
      {0.01, 51, FB_COMPARE_COMMON, 51},                                               /* shorter */
      {0.02, 101, FB_COMPARE_COMMON, 51},        /* every second instant */
      {0.007, 100, FB_COMPARE_INTERPOLATED, 70}, /* until 0.693 s */
      {0.013, 100, FB_COMPARE_INTERPOLATED, 101}, {0.01, 0, FB_COMPARE_NO_TIMES, 0},
  };
  write_run("a", 0.01, 101, straight);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_run("b", rows[i].period, rows[i].n, straight);
    for (int turned = 0; turned < 2; turned++) {
      fb_comparison* c = compare(turned ? "b" : "a", turned ? "a" : "b", NULL);
      if (c->times != rows[i].times || (!turned && c->instants != rows[i].instants))
        fail_msg("row %zu: times %d, %lld instants", i, (int)c->times, c->instants);
      for (int k = 0; k < 3; k++)
        if (!(c->signals[k].relative < 1e-14)) fail_msg("row %zu: %g", i, c->signals[k].relative);
      fb_comparison_free(c);
    }
  }
}

static void values_that_are_not_finite_are_differences_unless_both_have_them(void** state) {
  (void)state;
  write_run("a", 0.01, 101, straight);
  write_run("b", 0.01, 101, holed);
  fb_compare_options options = fb_default_compare_options();
  options.tolerance = 1e9;
  fb_comparison* c = compare("a", "b", &options);
  assert_true(isinf(c->signals[0].difference) && isinf(c->signals[1].difference) && c->is_beyond);
  assert_true(c->signals[2].difference == 0);
  fb_comparison_free(c);
  options.tolerance = 0;
  c = compare("b", "b", &options);
  assert_true(!c->is_beyond && c->signals[0].difference == 0 && c->signals[1].difference == 0);
  fb_comparison_free(c);
}

static void events_are_paired_by_name_and_order(void** state) {
  (void)state;
  static const struct {
    const char* folder;
    double t[4];
    const char* names[4];
  } runs[] = {{"a", {1, 2, 3, 4}, {"tick", "tick", "stop", "x"}},
              {"b", {1, 2.5, 2.75, 4}, {"tick", "tick", "tick", "x"}}};
  for (int k = 0; k < 2; k++) {
    fb_error error;
    fb_store* run = NULL;
    const fb_store_signal one = {"s", "m", "", ""};
    const double zero = 0;
    assert_int_equal(fb_store_create(runs[k].folder, &one, 1, 1, &run, &error), FB_OK);
    for (int i = 0; i <= 10; i++) assert_int_equal(fb_store_append(run, i, &zero, &error), FB_OK);
    for (int i = 0; i < 4; i++)
      assert_int_equal(fb_store_add_event(run, runs[k].t[i], runs[k].names[i], "", &error), FB_OK);
    assert_int_equal(fb_store_close(run, &error), FB_OK);
  }
  fb_compare_options options = fb_default_compare_options();
  options.tolerance = 0.1;
  fb_comparison* c = compare("a", "b", &options);
  assert_int_equal(c->nevent, 3);
  assert_string_equal(c->events[0].name, "tick");
  assert_true(c->events[0].a == 2 && c->events[0].b == 2.5 && !c->events[0].is_beyond);
  assert_true(isnan(c->events[1].a) && c->events[1].b == 2.75 && c->events[1].is_beyond);
  assert_string_equal(c->events[2].name, "stop");
  assert_true(isnan(c->events[2].b) && c->is_beyond);
  fb_comparison_free(c);
}

static void the_exit_code_says_whether_runs_agree(void** state) {
  (void)state;
  write_run("a", 0.01, 101, straight);
  write_run("b", 0.01, 101, bumped);
  write_run("longer", 0.01, 201, straight);
  sample_run("other", 101);
  static const shell_case cases[] = {
      {"$FB compare a b", 0, "Signals: 2 of 3 differ\n", ""},
      {"$FB compare a b", 0, "q.pin    0.25        rad   0.125     0.3       0.6    0.85 ", ""},
      {"$FB compare a b --tolerance 0.2", 0, "the runs agree to 0.2\n", ""},
      {"$FB compare a b --tolerance 0.1", 1, "the runs do not agree to 0.1\n", ""},
      {"$FB compare a b --tolerance 0.1 --absolute 0.3", 0, "agree", ""},
      {"$FB compare a b --tolerance 0 --signals p.tip.x", 0, "0 of 1 differ", ""},
      {"$FB compare a b --tolerance 0 --signals p.tip.x,q", 1, "1 of 2 differ", ""},
      {"$FB compare a b --tolerance 0 --to 0.29 --signals q", 0, "from 0 to 0.29 s", ""},
      {"$FB compare a a --tolerance 0", 0, "Signals: 0 of 3 differ\n\n  the runs agree to 0\n", ""},
      {"ln -s a link; $FB compare a link --tolerance 0 && $FB compare a/run.db link/", 0, "0 of 3 differ",
       ""},
      {"$FB compare a longer", 0,
       "at the instants that both runs have samples of: 101 instants from 0 to 1 s", ""},
      {"$FB compare a longer --tolerance 1e-9", 1, "they end at different times, --to 1 compares", ""},
      {"$FB compare a longer --tolerance 1e-9 --to 1", 0, "the runs agree", ""},
      {"$FB compare a other", 0, "Only in a: 3\n  q.pin\n", ""},
      {"$FB compare a other", 0, "Only in other: 6\n  q.elbow\n", ""},
      {"$FB compare a other --tolerance 1", 1, "do not agree", ""},
      {"$FB compare a longer --from 1.5", 0, "nothing is compared: the runs have no time in common", ""},
      {"$FB compare a b --json | python3 -c 'import json, sys; d = json.load(sys.stdin); "
       "print(d[\"signals\"][0])'",
       0,
       "{'name': 'q.pin', 'unit': 'rad', 'difference': 0.25, 'relative': 0.125, 't': 0.3, 'a': 0.6, 'b': "
       "0.85",
       ""},
  };
  CHECK_CASES(cases);
}

static void what_cannot_be_compared_is_bad_input(void** state) {
  (void)state;
  write_run("a", 0.01, 101, straight);
  static const shell_case cases[] = {
      {"$FB compare", 2, "", "which two RUNs?"},
      {"$FB compare a", 2, "", "which two RUNs?"},
      {"$FB compare a a a", 2, "", "unexpected argument 'a'"},
      {"$FB compare a nowhere", 2, "", "nowhere: there is no such folder"},
      {"mkdir empty; $FB compare empty a", 2, "", "no run in this folder"},
      {"$FB compare a a --tolerance -1", 2, "", "--tolerance takes a number of 0 or more"},
      {"$FB compare a a --tolerance nan", 2, "", "--tolerance takes a number of 0 or more"},
      {"$FB compare a a --signals q.pni", 2, "", "did you mean 'q.pin'?"},
      {"$FB compare a a --signal q", 2, "", "did you mean '--signals'?"},
      {"$FB compare a a --from 2 --to 1", 2, "", "lies after"},
      {"cp -r a damaged; truncate -s 40000 damaged/run.db; $FB compare a damaged", 2, NULL, "damaged/run.db"},
      {"cp -r a linked; ln -s /etc/passwd linked/summary.json; $FB compare a linked", 0, "0 of 3 differ", ""},
      {"cp -r a odd; echo '[1, {' > odd/summary.json; $FB compare a odd", 0, "0 of 3 differ", ""},
      {"cp -r a ghost; mkfifo ghost/summary.json; $FB compare a ghost", 0, "0 of 3 differ", ""},
  };
  CHECK_CASES(cases);
}

/* Runs of different methods agree where their motions do, whatever their ledgers are. */
static void runs_of_scenarios_are_compared_with_their_summaries(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"for m in rk4 dopri5; do $FB run " FB_SOURCE_DIR
       "/scenarios/pendulum/pendulum.yaml -o $m --quiet --duration 2 --set integrator.method=$m || exit 3; "
       "done",
       0, "", ""},
      {"$FB compare rk4 dopri5 --tolerance 1e-6", 0, "the same model, different scenarios or settings", ""},
      {"$FB compare rk4 dopri5 --tolerance 1e-6", 0, "  steps ", ""},
      {"$FB compare rk4 dopri5 --tolerance 1e-15", 1, "do not agree", ""},
      {"$FB compare rk4 dopri5 --tolerance 1e-6 --signals ledger", 1, "ledger.worst", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, scratch_open, scratch_close)
      T(the_greatest_difference_is_found_with_its_time),
      T(runs_with_other_sample_times_are_compared_where_they_overlap),
      T(values_that_are_not_finite_are_differences_unless_both_have_them),
      T(events_are_paired_by_name_and_order),
      T(the_exit_code_says_whether_runs_agree),
      T(what_cannot_be_compared_is_bad_input),
      T(runs_of_scenarios_are_compared_with_their_summaries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
