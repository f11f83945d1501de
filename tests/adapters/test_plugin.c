/* test_plugin.c -- control laws loaded at run time: a sound one, those that go wrong, and the folder that `freebody new`
 * makes. The plugins are built from plugins/odd.c. */
#include "run_command.h"

#include <signal.h>
#include <time.h>

#include "adapters/plugin/plugin.h"
#include "plugins/faults.h"
#include "sim_rig.h"

static const fb_plugin_parameter GAINS[] = {{"kp", 40}, {"ki", 10}, {"kd", 8}};

/* A hinge with its limits far away, under gravity. */
typedef struct rig {
  fb_model* m;
  fb_sim* sim;
} rig;

static fb_block load_or_fail(const fb_model* m, const char* file) {
  fb_block block;
  fb_error error;
  if (fb_block_load_plugin(m, "law", file, GAINS, 3, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* The good plugin, with a fault. */
static fb_status load_faulty(const fb_model* m, fault which, fb_block* block, fb_error* error) {
  const fb_plugin_parameter parameters[] = {GAINS[0], GAINS[1], GAINS[2], {"fault", which}};
  return fb_block_load_plugin(m, "law", FB_PLUGINS "/good.so", parameters, 4, block, error);
}

static fb_block faulty_or_fail(const fb_model* m, fault which) {
  fb_block block;
  fb_error error;
  if (load_faulty(m, which, &block, &error)) fail_msg("fault %d: %s", (int)which, error.text);
  return block;
}

/* The simulation of a block on a pendulum, started at 0.4 rad. */
static rig rig_new(fb_model* m, const fb_block* block) {
  static const double q = 0.4, v = -0.3;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.005);
  options.environment.gravity_w[2] = -9.81;
  rig r = {m, sim_or_fail(m, &options)};
  block_or_fail(r.sim, block);
  start_or_fail(r.sim, &q, &v);
  return r;
}

static void rig_free(rig* r) {
  fb_sim_free(r->sim);
  fb_model_free(r->m);
}

/* --- a sound plugin --- */

/* The same law as its source says, compiled in. */
static fb_status here_act(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)error;
  double zero = 0, weight;
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[2] = -9.81;
  loads.passive = 0;
  fb_inverse_dynamics(context->model, context->data, context->q, context->v, &zero, &loads, &weight);
  action->tau[0] += weight - 40 * context->q[0] - 8 * context->v[0] + state[0];
  state_rate[0] = -10 * context->q[0];
  return FB_OK;
}

static void plugin_does_what_the_same_law_does_here(void** unused) {
  (void)unused;
  fb_block here = fb_default_block();
  here.name = "here";
  here.nstate = 1;
  here.act = here_act;
  fb_model* m = pendulum();
  fb_block there = load_or_fail(m, FB_PLUGINS "/good.so");
  assert_string_equal(there.name, "law"); /* ours, not the plugin's */
  rig a = rig_new(m, &there), b = rig_new(pendulum(), &here);
  assert_int_equal(fb_sim_find_parameter(a.sim, 0, "ki"), 1);
  run_or_fail(a.sim, 2.5);
  run_or_fail(b.sim, 2.5);
  assert_true(fabs(fb_sim_q(a.sim)[0]) < 0.1);
  assert_near("q", fb_sim_q(a.sim), fb_sim_q(b.sim), 1, 1e-13);
  assert_near("v", fb_sim_v(a.sim), fb_sim_v(b.sim), 1, 1e-13);
  assert_true(fb_sim_memory(a.sim, 0)[3] == 3); /* ticks at 0, 1 and 2 s */
  rig_free(&a);
  rig_free(&b);
}

static void runs_with_plugins_resume_with_the_same_bits(void** unused) {
  (void)unused;
  rig rigs[2];
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_model* m = pendulum();
    fb_block block = load_or_fail(m, FB_PLUGINS "/good.so");
    rigs[i] = rig_new(m, &block);
  }
  size_t size = fb_sim_snapshot_size(rigs[0].sim);
  void* snapshot = malloc(size);
  run_or_fail(rigs[0].sim, 0.7);
  fb_sim_save(rigs[0].sim, snapshot);
  run_or_fail(rigs[0].sim, 1.9);
  if (fb_sim_restore(rigs[1].sim, snapshot, size, &error)) fail_msg("%s", error.text);
  run_or_fail(rigs[1].sim, 1.9);
  assert_memory_equal(fb_sim_q(rigs[0].sim), fb_sim_q(rigs[1].sim), sizeof(double));
  assert_memory_equal(fb_sim_v(rigs[0].sim), fb_sim_v(rigs[1].sim), sizeof(double));
  assert_memory_equal(fb_sim_memory(rigs[0].sim, 0), fb_sim_memory(rigs[1].sim, 0), 4 * sizeof(double));
  free(snapshot);
  for (int i = 0; i < 2; i++) rig_free(&rigs[i]);
}

static void plugins_can_be_sampled_and_limited(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block = load_or_fail(m, FB_PLUGINS "/good.so");
  fb_error error;
  if (fb_block_new_sampled(m, &block, NULL, &block, &error)) fail_msg("%s", error.text);
  if (fb_block_new_limited(m, &block, &block, &error)) fail_msg("%s", error.text);
  rig r = rig_new(m, &block);
  run_or_fail(r.sim, 2.5);
  assert_true(fabs(fb_sim_q(r.sim)[0]) < 0.1);
  rig_free(&r);
}

/* An edge that is not ahead would keep the clock where it is. */
static void edges_that_are_not_ahead_do_not_stop_the_clock(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block = load_or_fail(m, FB_PLUGINS "/stuck_edge.so");
  rig r = rig_new(m, &block);
  run_or_fail(r.sim, 1);
  assert_true(fb_sim_nstep(r.sim) <= 202);
  rig_free(&r);
}

static void edges_an_instant_ahead_are_none(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block = faulty_or_fail(m, EDGE_NEXT);
  for (double t = 0; t < 1e4; t = 3 * t + 0.01) assert_true(isinf(block.next_edge(block.user, NULL, t)));
  rig r = rig_new(m, &block);
  run_or_fail(r.sim, 1);
  assert_true(fb_sim_nstep(r.sim) <= 202);
  rig_free(&r);
}

/* An edge told twice but for rounding does not hide those that follow. */
static void edges_that_are_one_but_for_rounding_are_passed_together(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block = faulty_or_fail(m, EDGE_CLOSE_PAIRS);
  assert_true(block.next_edge(block.user, NULL, 0.25) == 3 * 0.1);
  assert_true(block.next_edge(block.user, NULL, 3 * 0.1) == 4 * 0.1);
  block.free(block.user);
  fb_model_free(m);
}

/* --- what is refused when it is loaded --- */

static void bad_plugins_are_refused_with_a_word_on_what_to_do(void** unused) {
  (void)unused;
  static const struct {
    const char* file;
    fb_status status;
    const char* text;
  } cases[] = {
      {"", FB_ERR_ARG, "a plugin needs the name of its file"},
      {"nowhere/law.so", FB_ERR_IO, "plugin 'nowhere/law.so': there is no such file, nor its folder"},
      {FB_PLUGINS "/goood.so", FB_ERR_IO, "there is no such file; did you mean 'good.so'?"},
      {FB_PLUGINS "/good", FB_ERR_IO, "there is no such file; did you mean '" FB_PLUGINS "/good.so'?"},
      {FB_PLUGINS "/completely_other.so", FB_ERR_IO, "there is no such file; build it first"},
      {FB_SOURCE_DIR "/tests/adapters/plugins/odd.so", FB_ERR_IO, "odd.c' is there: build it"},
      {FB_SOURCE_DIR "/tests/adapters/plugins/odd.c", FB_ERR_IO, "this is source code; build it first"},
      {FB_SOURCE_DIR "/README.md", FB_ERR_IO, "this is not a shared library"},
      {FB_PLUGINS, FB_ERR_IO, "this is a folder"},
      {FB_PLUGINS "/undefined.so", FB_ERR_IO,
       "fb_no_such_function. It calls what neither it nor this program"},
      {FB_PLUGINS "/no_version.so", FB_ERR_CONTENT, "it has no fb_plugin_version"},
      {FB_PLUGINS "/old.so", FB_ERR_UNSUPPORTED,
       "built for version 7 of the plugin interface, and this is Freebody"},
      {FB_PLUGINS "/no_function.so", FB_ERR_CONTENT, "the plugin has no function fb_plugin_block"},
      {FB_PLUGINS "/crash.so", FB_ERR_CONTENT,
       "it crashed in fb_plugin_block: signal 11, Segmentation fault"},
      {FB_PLUGINS "/crash_loading.so", FB_ERR_CONTENT, "it crashed while it was loaded: signal 11"},
      {FB_PLUGINS "/crash_act.so", FB_ERR_CONTENT, "it crashed in the block's act: signal 6, Aborted"},
      {FB_PLUGINS "/exit.so", FB_ERR_CONTENT, "it ended that with exit code 3 in fb_plugin_block"},
      {FB_PLUGINS "/refuse.so", FB_ERR_ARG,
       "refuse.so': block \"law\": the spring constant is -2; it must be greater than 0"},
      {FB_PLUGINS "/silent.so", FB_ERR_ARG,
       "fb_plugin_block gave FB_ERR_ARG (argument out of range) and no text"},
      {FB_PLUGINS "/empty.so", FB_ERR_CONTENT, "has filled neither act nor tick"},
      {FB_PLUGINS "/names.so", FB_ERR_CONTENT, "block \"law\" names 5 parameters"},
      {FB_PLUGINS "/overrun.so", FB_ERR_CONTENT,
       "in the block's start it writes past the end of memory, which has nmemory = 4 numbers"},
  };
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_block block;
    fb_error error;
    fb_status status = fb_block_load_plugin(m, "law", cases[i].file, NULL, 0, &block, &error);
    if (status != cases[i].status || error.status != status || !strstr(error.text, cases[i].text))
      fail_msg("%s: expected %s '%s', found %s '%s'", cases[i].file, fb_status_name(cases[i].status),
               cases[i].text, fb_status_name(status), error.text);
    assert_null(block.free);
    assert_int_equal(fb_block_load_plugin(m, "law", cases[i].file, NULL, 0, &block, NULL), status);
  }
  fb_model_free(m);
}

static void plugins_that_declare_nonsense_are_refused(void** unused) {
  (void)unused;
  static const struct {
    fault which;
    const char* text;
  } cases[] = {
      {SIZE_MEMORY, "block \"law\": its nmemory is 1073741824; it must be from 0 to 10000000"},
      {SIZE_STATE, "block \"law\": its nstate is 10000001"},
      {SIZE_WRENCH, "block \"law\": its nwrench is -5"},
      {PERIOD_NEGATIVE, "block \"law\": its period is -0.5 s; it must be"},
      {PERIOD_NAN, "block \"law\": its period is nan s; it must be"},
      {PERIOD_ZERO, "block \"law\": it has a tick, but its period is 0 s; set period"},
      {WRENCHES_MANY_AT_ONCE, "its act leaves action->nwrench at 2; it was 0, and may grow to 1"},
      {WRENCHES_NEGATIVE_AT_ONCE, "its act leaves action->nwrench at -1"},
      {MOVES_AT_ONCE,
       "its act fills action->vdot or action->moved for joint \"bob\", but its block has moves = 0"},
  };
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_block block;
    fb_error error;
    fb_status status = load_faulty(m, cases[i].which, &block, &error);
    if (status != FB_ERR_CONTENT || !strstr(error.text, cases[i].text) || !strstr(error.text, "good.so"))
      fail_msg("expected '%s', found %s '%s'", cases[i].text, fb_status_name(status), error.text);
    assert_null(block.free);
  }
  fb_model_free(m);
}

static void plugin_that_hangs_is_given_up(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block;
  fb_error error;
  time_t before = time(NULL);
  const fb_plugin_request request = {m, "law", FB_PLUGINS "/hang.so", NULL, 0};
  assert_int_equal(fb_plugin_load_within(&request, 0.3, &block, &error), FB_ERR_CONTENT);
  assert_true(time(NULL) - before < 4);
  assert_non_null(strstr(error.text, "it did not come back within 0.3 s in fb_plugin_block"));
  assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
  fb_model_free(m);
}

static void plugin_needs_a_name_for_its_block(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_block block;
  fb_error error;
  assert_int_equal(fb_block_load_plugin(m, "", FB_PLUGINS "/good.so", NULL, 0, &block, &error), FB_ERR_NAME);
  fb_model_free(m);
}

/* --- what ends a run --- */

static void runs_end_where_a_plugin_goes_wrong(void** unused) {
  (void)unused;
  static const struct {
    const char *file, *text;
    fb_status status;
  } cases[] = {
      {FB_PLUGINS "/act_nan.so", "block \"law\": its act makes the force of joint \"bob\"",
       FB_ERR_NOT_FINITE},
      {FB_PLUGINS "/state_nan.so", "its act makes number 0 of 1 of its state", FB_ERR_NOT_FINITE},
      {FB_PLUGINS "/wrench_nan.so", "its act makes a wrench that is not finite", FB_ERR_NOT_FINITE},
      {FB_PLUGINS "/act_refuse.so", "block \"law\": the oil is at 130 degrees", FB_ERR_STATE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_model* m = pendulum();
    fb_block block = load_or_fail(m, cases[i].file);
    rig r = rig_new(m, &block);
    fb_error error;
    assert_int_equal(fb_sim_run_until(r.sim, 1, &error), cases[i].status);
    if (!strstr(error.text, cases[i].text) || strncmp(error.text, "at t = 0.1", 10) != 0)
      fail_msg("expected '%s' in '%s'", cases[i].text, error.text);
    assert_true(fabs(fb_sim_time(r.sim) - 0.1) < 0.006);
    rig_free(&r);
  }
}

static void runs_end_where_a_plugin_does_more_than_it_declares(void** unused) {
  (void)unused;
  static const struct {
    fault which;
    const char* text;
  } cases[] = {
      {EDGE_DENSE, "good.so': its next_edge gives 10001 instants from 0.1"},
      {WRENCHES_MANY, "block \"law\": its act leaves action->nwrench at 2; it was 0, and may grow to 1"},
      {WRENCHES_NEGATIVE, "block \"law\": its act leaves action->nwrench at -1; it was 0"},
      {MOVES, "block \"law\": its act fills action->vdot or action->moved for joint \"bob\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_model* m = pendulum();
    fb_block block = faulty_or_fail(m, cases[i].which);
    rig r = rig_new(m, &block);
    fb_error error;
    assert_int_equal(fb_sim_run_until(r.sim, 1, &error), FB_ERR_CONTENT);
    if (!strstr(error.text, cases[i].text) || strncmp(error.text, "at t = 0.1", 10) != 0)
      fail_msg("expected '%s' in '%s'", cases[i].text, error.text);
    assert_int_equal(fb_sim_run_until(r.sim, 1, NULL), FB_ERR_CONTENT);
    rig_free(&r);
  }
}

static void plugins_cannot_take_drive_away(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_data* d = fb_data_new(m);
  fb_block block = faulty_or_fail(m, DRIVE_REPLACED);
  double tau = 0, vdot = 0, q = 0.4, v = -0.3, memory[4] = {0}, state = 0, rate;
  unsigned char moved = 0;
  fb_wrench wrench;
  const fb_context context = {.model = m, .data = d, .t = 0.2, .q = &q, .v = &v};
  fb_action action = {&tau, &vdot, &moved, &wrench, 0, 1};
  assert_int_equal(block.act(block.user, &context, memory, &state, &action, &rate, NULL), FB_OK);
  assert_ptr_equal(action.tau, &tau);
  assert_ptr_equal(action.vdot, &vdot);
  assert_int_equal(action.room, 1);
  block.free(block.user);
  fb_data_free(d);
  fb_model_free(m);
}

/* --- the template --- */

static void template_builds_and_holds_a_joint(void** unused) {
  (void)unused;
  const shell_case cases[] = {
      {"$FB new --plugin pid", 0, "pid is ready; look at pid/plugin.c, and build it with: make -C pid", ""},
      {"$FB new --plugin pid", 1, "", "pid/plugin.c: this file is there already"},
      {"$FB new --plugin \"it's\"", 0, "build it with: make -C 'it'\\''s'\n", ""},
      {"$FB new --plugin --force pid", 0, "ready", ""},
      {"test $(ls pid | wc -l) = 3 && grep -q 'type: plugin' pid/README.md", 0, "", ""},
      {"unset MAKEFLAGS MFLAGS; make -C pid CC='" FB_CC "' FREEBODY='" FB_SOURCE_DIR
       "' CFLAGS='-Wall -Wextra -Wpedantic -Wconversion -Werror " FB_USER_CFLAGS "'",
       0, NULL, ""},
      /* what its README shows, on the pendulum of `freebody new`: a run whose ledger closes, and one that goes on */
      {"$FB new swing && { printf 'scenario: 1\\nmodel: swing/rods.yaml\\nduration: 2 s\\nintegrator: {step: "
       "5 ms}\\ncheckpoint: 0.5 "
       "s\\n'; sed -n "
       "'/^    control:/,/parameters:/s/^    //p' pid/README.md | sed s=plugin.so=pid/plugin.so=; } "
       ">held.yaml",
       0, NULL, ""},
      {"$FB check --strict held.yaml", 0, "the plugin pid/plugin.so", ""},
      {"$FB run held.yaml -o held --quiet", 0, "", ""},
      {"timeout -s INT 0.4 $FB run held.yaml -o part --quiet --realtime 4; "
       "$FB run held.yaml -o part --quiet --resume && "
       "$FB export held -o - >a && $FB export part -o - >b && cmp a b",
       0, "", NULL},
  };
  check_cases(cases, sizeof cases / sizeof cases[0]);
  static const fb_plugin_parameter gains[] = {{"kp", 60}, {"ki", 60}, {"kd", 15}, {"target", 0.3}};
  fb_model* m = pendulum();
  fb_block block;
  fb_error error;
  if (fb_block_load_plugin(m, "pid", "pid/plugin.so", gains, 4, &block, &error)) fail_msg("%s", error.text);
  rig r = rig_new(m, &block);
  run_or_fail(r.sim, 12);
  double want = 0.3; /* under gravity: the integral takes the weight */
  assert_near("the joint", fb_sim_q(r.sim), &want, 1, 1e-3);
  static const fb_plugin_parameter wrong[][1] = {{{"gain", 1}}, {{"joint", 2}}, {{"joint", 0.5}}};
  static const char* const texts[] = {"block \"pid\": there is no parameter \"gain\"", "joint is 2; give",
                                      "joint is 0.5; give"};
  for (int i = 0; i < 3; i++) {
    assert_true(fb_block_load_plugin(m, "pid", "pid/plugin.so", wrong[i], 1, &block, &error) != FB_OK);
    assert_non_null(strstr(error.text, texts[i]));
  }
  /* A bare name is a file here, not a system library. */
  assert_int_equal(chdir("pid"), 0);
  fb_status status = fb_block_load_plugin(m, "pid", "plugin.so", NULL, 0, &block, &error);
  assert_int_equal(chdir(".."), 0);
  if (status) fail_msg("%s", error.text);
  block.free(block.user);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plugin_does_what_the_same_law_does_here),
      cmocka_unit_test(runs_with_plugins_resume_with_the_same_bits),
      cmocka_unit_test(plugins_can_be_sampled_and_limited),
      cmocka_unit_test(edges_that_are_not_ahead_do_not_stop_the_clock),
      cmocka_unit_test(edges_an_instant_ahead_are_none),
      cmocka_unit_test(edges_that_are_one_but_for_rounding_are_passed_together),
      cmocka_unit_test(bad_plugins_are_refused_with_a_word_on_what_to_do),
      cmocka_unit_test(plugins_that_declare_nonsense_are_refused),
      cmocka_unit_test(plugin_that_hangs_is_given_up),
      cmocka_unit_test(plugin_needs_a_name_for_its_block),
      cmocka_unit_test(runs_end_where_a_plugin_goes_wrong),
      cmocka_unit_test(runs_end_where_a_plugin_does_more_than_it_declares),
      cmocka_unit_test(plugins_cannot_take_drive_away),
      cmocka_unit_test(template_builds_and_holds_a_joint),
  };
  return cmocka_run_group_tests_name("plugin", tests, scratch_open, scratch_close);
}
