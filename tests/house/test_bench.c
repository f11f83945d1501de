/* test_bench.c -- the timed models are what they are said to be; `freebody bench` measures them and a user's
 * own, and says what is wrong. Times themselves are not judged: they depend on the machine. */
#define _XOPEN_SOURCE 700
#include "run_command.h"

#include <math.h>

#include "bench_own.h"
#include "bench_report.h"
#include "document/document.h"

static const char PENDULUM[] =
    "freebody: 1\n"
    "name: pendulum\n"
    "bodies:\n"
    "  - name: bob\n"
    "    joint: {type: revolute, axis: [0, 1, 0]}\n"
    "    mass: 2\n"
    "    com: [0, 0, -1]\n"
    "    inertia: [1, 1, 1, 0, 0, 0]\n";

static int open_scratch(void** state) {
  if (scratch_open(state)) return -1;
  spill("pendulum.yaml", PENDULUM);
  spill("bad.yaml", "freebody: 1\nbodies:\n  - name: base\n    mass: -3\n");
  return 0;
}

/* ---- the registry ------------------------------------------------------------------------------------ */

typedef struct model_case {
  const char* name;
  int nq, nv, njoint;
  double mass;
  const char* end_point;
} model_case;

static const model_case MODELS[] = {
    {"arm6", 13, 12, 6, 2560, "link6"},
    {"arm12", 19, 18, 12, 2620, "link12"},
    {"sat12", 19, 18, 12, 2620, "link6"},
    {"fix7", 7, 7, 7, 70, "link7"},
    {"arm30", 37, 36, 30, 2800, "link30"},
    {"arm100", 107, 106, 100, 3500, "link100"},
    {"arm1000", 1007, 1006, 1000, 12500, "link1000"},
};
enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };

static void registry_holds_the_models_of_the_pages(void** state) {
  (void)state;
  assert_int_equal(bench_model_count(), MODEL_COUNT);
  for (int i = 0; i < MODEL_COUNT; i++) {
    const model_case* want = &MODELS[i];
    bench_model model;
    fb_error error;
    int index = bench_model_find(want->name);
    assert_true(index >= 0);
    assert_true(bench_model_open(index, &model));
    fb_model* m = bench_own_build(&model, &error);
    assert_non_null(m);
    assert_int_equal(model.njoint, want->njoint);
    assert_int_equal(model.nq, want->nq);
    assert_int_equal(model.nv, want->nv);
    assert_int_equal(fb_model_nq(m), want->nq);
    assert_int_equal(fb_model_nv(m), want->nv);
    assert_true(fabs(fb_model_mass(m) - want->mass) < 1e-9 * want->mass);
    assert_string_equal(model.body[model.end_point].name, want->end_point);
    fb_model_free(m);
    bench_model_close(&model);
  }
}

static void names_outside_the_registry_are_not_found(void** state) {
  (void)state;
  assert_int_equal(bench_model_find("arm7"), -1);
  assert_null(bench_model_name(-1));
  assert_null(bench_model_name(MODEL_COUNT));
}

/* Forward dynamics undoes inverse dynamics on the very states that are timed. */
static void timed_states_are_solved(void** state) {
  (void)state;
  bench_model model;
  bench_states states;
  fb_error error;
  assert_true(bench_model_open(bench_model_find("sat12"), &model));
  fb_model* m = bench_own_build(&model, &error);
  assert_non_null(m);
  assert_true(bench_states_open(m, &states));
  double vdot[18], H[18 * 18], J[6 * 18], p[3];
  void* self = bench_own.open(&model, &states, error.text, sizeof error.text);
  assert_non_null(self);
  for (int k = 0; k < states.count; k++) {
    bench_own.call[BENCH_INVERSE](self, k);
    bench_own.read(self, BENCH_INVERSE, k, states.tau + k * states.nv);
    bench_own.call[BENCH_FORWARD](self, k);
    bench_own.read(self, BENCH_FORWARD, k, vdot);
    for (int i = 0; i < states.nv; i++) assert_true(fabs(vdot[i] - states.vdot[k * states.nv + i]) < 1e-10);
  }
  bench_own.call[BENCH_INERTIA](self, 0);
  bench_own.read(self, BENCH_INERTIA, 0, H);
  assert_true(fabs(H[0] - 2620) < 1e-9); /* the mass of the whole satellite */
  bench_own.call[BENCH_JACOBIAN](self, 0);
  bench_own.read(self, BENCH_JACOBIAN, 0, J);
  assert_true(fabs(J[0] - 1) < 1e-15); /* the base carries the end-point along */
  bench_own.read(self, BENCH_POSES, 0, p);
  assert_true(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]));
  bench_own.close(self);
  bench_states_close(&states);
  fb_model_free(m);
  bench_model_close(&model);
}

/* What is compared of a step is its change of velocity, which for this rule is the acceleration. */
static void the_first_euler_step_moves_by_the_acceleration(void** state) {
  (void)state;
  bench_model model;
  bench_states states;
  fb_error error;
  double vdot[18], change[18];
  assert_true(bench_model_open(bench_model_find("sat12"), &model));
  fb_model* m = bench_own_build(&model, &error);
  assert_non_null(m);
  assert_true(bench_states_open(m, &states));
  memset(states.tau, 0, (size_t)states.nv * sizeof(double));
  void* self = bench_own.open(&model, &states, error.text, sizeof error.text);
  assert_non_null(self);
  bench_own.call[BENCH_FORWARD](self, 0);
  bench_own.read(self, BENCH_FORWARD, 0, vdot);
  bench_own.call[BENCH_EULER_STEP](self, 0);
  bench_own.read(self, BENCH_EULER_STEP, 0, change);
  assert_int_equal(bench_result_size(BENCH_EULER_STEP, states.nv), 18);
  /* Rounding of v, which is about 1, is divided by the step of 1e-3. */
  for (int i = 0; i < 18; i++) assert_true(fabs(change[i] - vdot[i]) < 1e-11);
  bench_own.close(self);
  bench_states_close(&states);
  fb_model_free(m);
  bench_model_close(&model);
}

/* ---- timing and report ------------------------------------------------------------------------------- */

static void count_call(void* self, int state) {
  int* calls = (int*)self;
  calls[0]++;
  if (state > calls[1]) calls[1] = state;
}

static void a_batch_goes_over_all_states_and_keeps_the_least_time(void** state) {
  (void)state;
  int calls[2] = {0, 0};
  double best = NAN, least = 0;
  bench_time(count_call, calls, 64, 0, &best);
  /* Two to see how long a call takes, then all states; eight of them when both were interrupted. */
  assert_int_equal(calls[0], 2 + calls[1] + 1);
  assert_true(calls[1] == 63 || calls[1] == 7);
  assert_true(best > 0);
  bench_time(count_call, calls, 64, 0, &least);
  assert_true(least == 0);
}

static void peers_that_compute_something_else_are_counted(void** state) {
  (void)state;
  static bench_report report;
  report.nrunner = 2;
  report.nmodel = 1;
  bench_result_clear(&report.model[0].result[1]);
  assert_int_equal(bench_report_differences(&report), 0);
  report.model[0].result[1].ns[BENCH_FORWARD] = 100;
  report.model[0].result[1].difference[BENCH_FORWARD] = 1e-9;
  assert_int_equal(bench_report_differences(&report), 0);
  report.model[0].result[1].difference[BENCH_FORWARD] = 1e-3;
  assert_int_equal(bench_report_differences(&report), 1);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const fb_node* member(const fb_node* map, const char* key) {
  const fb_node* node = fb_map_get(map, key);
  if (!node) fail_msg("no '%s' in what bench printed", key);
  return node;
}

static void json_has_a_time_for_every_quantity(void** state) {
  (void)state;
  outcome o = run("$FB bench --seconds 0 --json arm6 pendulum.yaml");
  assert_int_equal(o.code, 0);
  fb_doc* doc = NULL;
  fb_error error;
  assert_int_equal(fb_doc_parse(o.out, strlen(o.out), "bench", &doc, &error), FB_OK);
  const fb_node* models = member(fb_doc_root(doc), "models");
  assert_int_equal(fb_node_count(models), 2);
  static const char* const names[2] = {"arm6", "pendulum"};
  for (int i = 0; i < 2; i++) {
    const fb_node* model = fb_node_item(models, i);
    assert_string_equal(fb_node_text(member(model, "name")), names[i]);
    const fb_node* result = fb_node_item(member(model, "results"), 0);
    assert_string_equal(fb_node_text(member(result, "runner")), "Freebody");
    for (int q = 0; q < BENCH_QUANTITIES; q++) {
      const fb_node* ns = member(member(result, "ns"), bench_quantity_key((bench_quantity)q));
      assert_true(strtod(fb_node_text(ns), NULL) > 0);
    }
  }
  assert_string_equal(fb_node_text(member(fb_doc_root(doc), "format")), "freebody-bench");
  assert_true(fb_node_text(member(member(fb_doc_root(doc), "machine"), "cpu"))[0] != 0);
  fb_doc_free(doc);
  outcome_free(&o);
}

typedef struct command_case {
  const char* line;
  int code;
  const char *out, *err; /* must be there */
} command_case;

static void the_command_prints_tables_and_says_what_is_wrong(void** state) {
  (void)state;
  static const command_case cases[] = {
      {"$FB bench --seconds 0 fix7", 0, "fix7         7 ", ""},
      {"$FB bench --seconds 0 arm30 arm1000", 0, "Forward dynamics per joint", ""},
      {"$FB bench --seconds 0 - <pendulum.yaml", 0, "pendulum", ""},
      {"$FB bench --help", 0, "Example:", ""},
      {"$FB bench arm7", 2, "", "neither a file nor a built-in model; those are: arm6"},
      {"$FB bench arm7.yaml", 2, "", "arm7.yaml"},
      {"$FB bench bad.yaml", 2, "", "bad.yaml:4"},
      {"$FB bench --seconds soon arm6", 2, "", "a number from 0 to 3600, not 'soon'"},
      {"$FB bench --seconds -1 arm6", 2, "", "a number from 0 to 3600"},
      {"$FB bench --jsn arm6", 2, "", "did you mean '--json'"},
      {"$FB bench --seconds 0 $(yes pendulum.yaml | head -n 65)", 2, "", "more than 64 models"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome o = run(cases[i].line);
    if (o.code != cases[i].code || !strstr(o.out, cases[i].out) || !strstr(o.err, cases[i].err))
      fail_msg("%s: exit %d, printed '%.800s' '%.800s'", cases[i].line, o.code, o.out, o.err);
    outcome_free(&o);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registry_holds_the_models_of_the_pages),
      cmocka_unit_test(names_outside_the_registry_are_not_found),
      cmocka_unit_test(timed_states_are_solved),
      cmocka_unit_test(the_first_euler_step_moves_by_the_acceleration),
      cmocka_unit_test(a_batch_goes_over_all_states_and_keeps_the_least_time),
      cmocka_unit_test(peers_that_compute_something_else_are_counted),
      cmocka_unit_test(json_has_a_time_for_every_quantity),
      cmocka_unit_test(the_command_prints_tables_and_says_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, open_scratch, scratch_close);
}
