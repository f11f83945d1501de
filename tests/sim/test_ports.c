/* test_ports.c -- outputs of blocks as signals, and as inputs of other blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <freebody/freebody.h>

#include "base/cookie.h"
#include "sim_rig.h"

/* A block for these tests: it tells scale * (first input, else q[0]) + memory[0], and pushes with its last input. */
typedef struct teller {
  double scale;
  int ninput, calls;
} teller;

static fb_status tell(void* user, const fb_context* context, const double* memory, const double* state,
                      double* outputs, fb_error* error) {
  (void)state, (void)error;
  teller* t = (teller*)user;
  t->calls++;
  outputs[0] = t->scale * (t->ninput > 0 ? context->inputs[0] : context->q[0]) + memory[0];
  return FB_OK;
}

static fb_status tell_memory(void* user, const fb_context* context, const double* memory, const double* state,
                             double* outputs, fb_error* error) {
  (void)context, (void)state, (void)error;
  ((teller*)user)->calls++;
  outputs[0] = memory[0];
  return FB_OK;
}

static fb_status count_up(void* user, const fb_context* context, double* memory, double* state,
                          fb_error* error) {
  (void)state, (void)error;
  memory[0] = 1 + ((teller*)user)->scale * (((teller*)user)->ninput > 0 ? context->inputs[0] : memory[0]);
  return FB_OK;
}

static fb_status push(void* user, const fb_context* context, const double* memory, const double* state,
                      fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  action->tau[0] += context->inputs[((const teller*)user)->ninput - 1];
  return FB_OK;
}

static const fb_port VALUE = {"value", "m", "", 1};

static fb_block block_of(const char* name, teller* t, const fb_port* inputs) {
  fb_block block = fb_default_block();
  block.name = name;
  block.user = t;
  block.nmemory = 1;
  block.outputs = &VALUE;
  block.noutput = 1;
  block.output = tell;
  block.inputs = inputs;
  block.ninput = t->ninput;
  return block;
}

static fb_signal found(const fb_sim* sim, const char* name) {
  fb_signal signal;
  fb_error error;
  int count;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  assert_int_equal(count, 1);
  return signal;
}

static double value_of(fb_sim* sim, const char* name) {
  fb_signal signal = found(sim, name);
  double x;
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* --- the laws that tell something --- */

static void laws_tell_their_errors_by_name_and_unit(void** state) {
  (void)state;
  static const struct {
    const char *name, *unit, *axes;
  } cases[] = {{"arm.error.a1", "rad", "joint"},        {"arm.error.b2", "m", "joint"},
               {"hand.position_error.x", "m", "world"}, {"hand.attitude_error.z", "rad", "world"},
               {"hand.singular_value", "1", ""},        {"hand.conditioning", "1", ""},
               {"hull.torque.y", "N m", "base"},        {"q.a1", "rad", "joint"}};
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_sim* sim = sim_or_fail(m, NULL);
  fb_block blocks[3];
  fb_error error;
  int a1 = fb_joint_v_index(m, fb_model_find_body(m, "a1")),
      b2 = fb_joint_v_index(m, fb_model_find_body(m, "b2"));
  const fb_pd_joint joints[] = {{a1, 5, 3, 0.2, NULL, 10, 0, .cookie_ = FB_COOKIE},
                                {b2, 5, 3, 0.1, NULL, 10, 0, .cookie_ = FB_COOKIE}};
  fb_frame_task task = fb_default_frame_task();
  task.frame = fb_model_find_frame(m, "a3");
  fb_attitude_task attitude = fb_default_attitude_task();
  attitude.body = fb_model_find_body(m, "base");
  assert_int_equal(fb_block_new_joint_pd(m, "arm", joints, 2, &blocks[0], &error), FB_OK);
  assert_int_equal(fb_block_new_frame_task(m, "hand", &task, &blocks[1], &error), FB_OK);
  assert_int_equal(fb_block_new_attitude(m, "hull", &attitude, &blocks[2], &error), FB_OK);
  for (int i = 0; i < 3; i++) block_or_fail(sim, &blocks[i]);
  double q[32], v[32] = {0};
  fb_random_q(m, 3, q);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.5);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_signal_info info;
    fb_sim_signal_info(sim, found(sim, cases[i].name), &info);
    assert_string_equal(info.name, cases[i].name);
    assert_string_equal(info.unit, cases[i].unit);
    assert_string_equal(info.axes, cases[i].axes);
    assert_true(info.meaning[0] != '\0');
  }
  double want = 0.2 - fb_sim_q(sim)[fb_joint_q_index(m, fb_model_find_body(m, "a1"))];
  assert_near("error", &(double){value_of(sim, "arm.error.a1")}, &want, 1, 1e-15);
  int count;
  assert_int_equal(fb_sim_find_signal(sim, "hand", NULL, 0, &count, NULL), FB_OK);
  assert_int_equal(count, 8);
  assert_int_equal(fb_sim_find_signal(sim, "arm.err*", NULL, 0, &count, NULL), FB_OK);
  assert_int_equal(count, 2);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* The bits of the motion do not know whether somebody listens. */
static void an_output_changes_nothing_and_costs_nothing_unasked(void** state) {
  (void)state;
  fb_model* m = pendulum();
  double q = 0.3, v = 0, end[2];
  teller t = {2, 0, 0};
  for (int with = 0; with < 2; with++) {
    fb_sim* sim = sim_or_fail(m, NULL);
    fb_block block = block_of("teller", &t, NULL);
    if (with) block_or_fail(sim, &block);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 1);
    end[with] = fb_sim_q(sim)[0];
    assert_int_equal(t.calls, 0);
    if (with) assert_near("value", &(double){value_of(sim, "teller.value")}, &(double){2 * end[with]}, 1, 0);
    if (with) assert_int_equal(t.calls, 1);
    fb_sim_free(sim);
  }
  assert_true(end[0] == end[1]);
  fb_model_free(m);
}

static void an_event_watches_an_output(void** state) {
  (void)state;
  fb_model* m = pendulum();
  fb_sim_options options = fb_default_sim_options();
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  teller t = {1, 0, 0};
  fb_block block = block_of("teller", &t, NULL);
  block_or_fail(sim, &block);
  fb_event event = {.name = "down",
                    .kind = FB_TRIGGER_CROSSING,
                    .signal = found(sim, "teller.value"),
                    .direction = -1,
                    .cookie_ = FB_COOKIE};
  event_or_fail(sim, &event);
  double q = 0.3, v = 0;
  start_or_fail(sim, &q, &v);
  for (int count = 0; count == 0;) {
    fb_error error;
    if (fb_sim_step(sim, 1, &error)) fail_msg("%s", error.text);
    fb_sim_event_records(sim, &count);
    assert_true(fb_sim_time(sim) < 1);
  }
  assert_true(fabs(fb_sim_q(sim)[0]) < 1e-2);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- from block to block --- */

/* In whichever order they are added: c pushes with 3 b, b = 5 a, a = 2 q. */
static void who_gives_is_asked_before_who_takes(void** state) {
  (void)state;
  static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  const fb_port from_a = {"a.value", "m", NULL, 1}, from_b[] = {{"t", "s", NULL, 1}, {"b.value", "m", "", 1}};
  fb_model* m = pendulum();
  double q = 0.25, v = 0, first = 0;
  for (size_t i = 0; i < 3; i++) {
    teller a = {2, 0, 0}, b = {5, 1, 0}, c = {0, 2, 0};
    fb_block blocks[3] = {block_of("a", &a, NULL), block_of("b", &b, &from_a), block_of("c", &c, from_b)};
    blocks[2].noutput = 0;
    blocks[2].act = push;
    fb_sim* sim = sim_or_fail(m, NULL);
    for (int k = 0; k < 3; k++) block_or_fail(sim, &blocks[orders[i][k]]);
    start_or_fail(sim, &q, &v);
    assert_near("tau", &(double){value_of(sim, "tau.bob")}, &(double){2.5}, 1, 0);
    run_or_fail(sim, 0.5);
    if (i == 0) first = fb_sim_q(sim)[0];
    assert_true(fb_sim_q(sim)[0] == first);
    assert_near("tau", &(double){value_of(sim, "tau.bob")}, &(double){10 * first}, 1, 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* x ticks to 1 + y, y to 1 + x: a loop, but through memory. Both tick in the order in which they were added. */
static void a_loop_through_held_outputs_is_a_delay(void** state) {
  (void)state;
  const fb_port from_x = {"x.value", NULL, NULL, 1}, from_y = {"y.value", NULL, NULL, 1};
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  teller x = {1, 1, 0}, y = {1, 1, 0};
  fb_block blocks[2] = {block_of("x", &x, &from_y), block_of("y", &y, &from_x)};
  for (int i = 0; i < 2; i++) {
    blocks[i].output = tell_memory;
    blocks[i].tick = count_up;
    blocks[i].period = 0.1;
    blocks[i].held = 1;
    block_or_fail(sim, &blocks[i]);
  }
  start_or_fail(sim, &(double){0}, &(double){0});
  run_or_fail(sim, 0.25); /* ticks at 0, 0.1, 0.2 */
  assert_near("x", &(double){value_of(sim, "x.value")}, &(double){5}, 1, 0);
  assert_near("y", &(double){value_of(sim, "y.value")}, &(double){6}, 1, 0);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void what_cannot_be_joined_is_refused_at_the_start(void** state) {
  (void)state;
  static const struct {
    fb_port of_a, of_b;
    const char* words;
  } cases[] = {
      {{"b.value", NULL, NULL, 1},
       {"a.value", NULL, NULL, 1},
       "wait for one another, an algebraic loop: \"a\", \"b\"; sample one of them"},
      {{"a.value", NULL, NULL, 1}, {"t", NULL, NULL, 1}, "an algebraic loop: \"a\""},
      {{"t", NULL, NULL, 1},
       {"a.valu", NULL, NULL, 1},
       "block \"a\" has no such output; did you mean 'value'?"},
      {{"t", NULL, NULL, 1}, {"aa.value", NULL, NULL, 1}, "block \"b\": there is no signal \"aa.value\""},
      {{"t", NULL, NULL, 1}, {"a.value", "rad", NULL, 1}, "with the unit \"rad\", but it has \"m\""},
      {{"t", NULL, NULL, 1}, {"a.value", NULL, "world", 1}, "with the axes \"world\", but it has \"\""},
      {{"t", NULL, NULL, 1}, {"p.bob", NULL, NULL, 1}, "takes 1 number from \"p.bob\", which has 3"},
      {{"t", NULL, NULL, 1}, {"tau.bob", NULL, NULL, 1}, "which depends on what blocks do"},
      {{"t", NULL, NULL, 1}, {"reaction.bob.force", "N", "world", 3}, "which depends on what blocks do"},
      {{"t", NULL, NULL, 1}, {"com.bob", "m", NULL, 1}, "takes 1 number from \"com.bob\", which has 3"},
      {{"t", NULL, NULL, 1}, {"joint.bob.x", "rad", NULL, 1}, "with the unit \"rad\", but it has \"m\""},
      {{"t", NULL, NULL, 1}, {"momentum.linear", NULL, NULL, 3}, "which depends on what blocks do"},
  };
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_sim* sim = sim_or_fail(m, NULL);
    fb_error error;
    teller t = {1, 1, 0};
    fb_block blocks[2] = {block_of("a", &t, &cases[i].of_a), block_of("b", &t, &cases[i].of_b)};
    for (int k = 0; k < 2; k++) block_or_fail(sim, &blocks[k]);
    if (!fb_sim_start(sim, &(double){0}, &(double){0}, &error)) fail_msg("case %zu is not refused", i);
    if (!strstr(error.text, cases[i].words)) fail_msg("case %zu: %s", i, error.text);
    fb_sim_free(sim);
  }
  fb_sim* sim = sim_or_fail(m, NULL);
  teller t = {1, 0, 0};
  fb_block block = block_of("a", &t, NULL);
  block.output = NULL;
  assert_int_equal(fb_sim_add_block(sim, &block, NULL, NULL), FB_ERR_ARG);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void ports_that_cannot_be_are_refused_with_their_block(void** state) {
  (void)state;
  static const fb_port twice[] = {{"value", "m", "", 1}, {"value", "m", "", 1}},
                       nameless = {NULL, "m", "", 1}, empty = {"value", "m", "", 0};
  static const struct {
    const fb_port *outputs, *inputs;
    int noutput, ninput;
    fb_status status;
  } cases[] = {
      {twice, NULL, 2, 0, FB_ERR_NAME},     {&nameless, NULL, 1, 0, FB_ERR_ARG},
      {&empty, NULL, 1, 0, FB_ERR_ARG},     {NULL, NULL, 1, 0, FB_ERR_ARG},
      {NULL, NULL, 0, 1, FB_ERR_ARG},       {NULL, NULL, -1, 0, FB_ERR_ARG},
      {&nameless, NULL, 1, -1, FB_ERR_ARG},
  };
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    teller t = {1, cases[i].ninput, 0};
    fb_block block = block_of("a", &t, cases[i].inputs);
    block.outputs = cases[i].outputs;
    block.noutput = cases[i].noutput;
    assert_int_equal(fb_sim_add_block(sim, &block, NULL, NULL), cases[i].status);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

/* As fb_signal_find does. */
static void outputs_are_looked_for_without_a_count(void** state) {
  (void)state;
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  teller t = {1, 0, 0};
  fb_block block = block_of("a", &t, NULL);
  fb_signal signal;
  block_or_fail(sim, &block);
  assert_int_equal(fb_sim_find_signal(sim, "a.value", &signal, 1, NULL, NULL), FB_OK);
  assert_int_equal(fb_sim_find_signal(sim, "a.other", NULL, 0, NULL, NULL), FB_ERR_NAME);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- sampled --- */

/* An error of 0.3 - q is sampled at 0, 0.1 ... and told 0.03 s later; before that there is nothing. */
static void sampled_outputs_are_held_as_late_as_the_action(void** state) {
  (void)state;
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  const fb_pd_joint joint = {0, 0, 0, 0.3, NULL, INFINITY, 0, .cookie_ = FB_COOKIE};
  const fb_sampling sampling = sampling_of(0.1, 0.03);
  fb_block block;
  fb_error error;
  assert_int_equal(fb_block_new_joint_pd(m, "arm", &joint, 1, &block, &error), FB_OK);
  block = sampled_or_fail(m, block, &sampling);
  block_or_fail(sim, &block);
  start_or_fail(sim, &(double){0}, &(double){1}); /* q = t */
  static const double cases[][2] = {{0.02, 0},   {0.05, 0.3}, {0.12, 0.3},
                                    {0.14, 0.2}, {0.22, 0.2}, {0.24, 0.1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_or_fail(sim, cases[i][0]);
    assert_near("error", &(double){value_of(sim, "arm.error.bob")}, &cases[i][1], 1, 1e-12);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_tell_their_errors_by_name_and_unit),
      cmocka_unit_test(an_output_changes_nothing_and_costs_nothing_unasked),
      cmocka_unit_test(an_event_watches_an_output),
      cmocka_unit_test(who_gives_is_asked_before_who_takes),
      cmocka_unit_test(a_loop_through_held_outputs_is_a_delay),
      cmocka_unit_test(what_cannot_be_joined_is_refused_at_the_start),
      cmocka_unit_test(ports_that_cannot_be_are_refused_with_their_block),
      cmocka_unit_test(outputs_are_looked_for_without_a_count),
      cmocka_unit_test(sampled_outputs_are_held_as_late_as_the_action),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
