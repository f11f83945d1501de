/* test_signal_loop.c -- loop.NAME.force, torque, error and effort: closed forms, names, units, events, inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "random_loops.h"
#include "signal_rig.h"

static const double G = 9.81, LENGTH = 2;

/* --- a floating ball on a rod, and two geared wheels --- */

static int add_part(fb_model_def* def, const char* name, fb_joint_type type, double inertia) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  int id;
  body.name = name;
  body.joint.type = type;
  if (type != FB_JOINT_FREE) body.joint.axis[0] = 1;
  body.mass = 3;
  for (int i = 0; i < 3; i++) body.inertia[i] = inertia;
  if (fb_model_def_add_body(def, &body, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static void add_loop_or_fail(fb_model_def* def, const fb_loop_def* loop) {
  fb_error error;
  if (fb_model_def_add_loop(def, loop, &error)) fail_msg("%s", error.text);
}

static fb_model* ball_and_wheels(void) {
  fb_model_def* def = fb_model_def_new();
  const char* const driven[] = {"large", "slide"};
  const double ratios[] = {-3, 2};
  add_part(def, "ball", FB_JOINT_FREE, 0.1);
  add_part(def, "small", FB_JOINT_REVOLUTE, 2);
  add_part(def, "large", FB_JOINT_REVOLUTE, 5);
  add_part(def, "slide", FB_JOINT_PRISMATIC, 1);
  fb_loop_def rod = fb_default_loop_def(FB_LOOP_DISTANCE), gear = fb_default_loop_def(FB_LOOP_GEAR);
  rod.name = "rod";
  rod.a = "world";
  rod.b = "ball";
  gear.name = "gear";
  gear.a = "small";
  gear.njoint = 1;
  gear.joints = driven;
  gear.ratios = ratios;
  add_loop_or_fail(def, &rod);
  add_loop_or_fail(def, &gear);
  gear.name = "rack";
  gear.a = "slide";
  gear.joints = driven;
  add_loop_or_fail(def, &gear);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static fb_sim* heavy(const fb_model* m) {
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 1e-2);
  options.environment.gravity_w[2] = -G;
  return sim_or_fail(m, &options);
}

/* Starts with the ball at an angle below the origin, swinging at a rate. */
static void swing(fb_sim* sim, const fb_model* m, double angle, double rate) {
  double q[10] = {0}, v[9] = {0};
  fb_neutral(m, q);
  q[0] = LENGTH * sin(angle);
  q[2] = -LENGTH * cos(angle);
  v[0] = LENGTH * rate * cos(angle);
  v[2] = LENGTH * rate * sin(angle);
  start_or_fail(sim, q, v);
}

static void a_rod_pulls_a_swinging_ball_towards_its_end(void** unused) {
  (void)unused;
  static const double cases[][2] = {{0, 0}, {0.7, 0}, {0.3, 1.5}, {-1.2, -2}};
  fb_model* m = ball_and_wheels();
  for (int i = 0; i < 4; i++) {
    double angle = cases[i][0], rate = cases[i][1], x[3];
    fb_sim* sim = heavy(m);
    swing(sim, m, angle, rate);
    double pull = 3 * (G * cos(angle) + rate * rate * LENGTH);
    value(sim, m, "loop.rod.force", 3, x);
    assert_near("force", x, (const double[]){-pull * sin(angle), 0, pull * cos(angle)}, 3, 1e-12);
    value(sim, m, "loop.rod.torque", 3, x);
    assert_near_of(pull, "torque", x, (const double[3]){0}, 3, 1e-15);
    run_or_fail(sim, 1);
    value(sim, m, "loop.rod.error", 1, x);
    assert_true(x[0] >= 0 && x[0] <= 1e-12);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* q_s = -3 q_l and x = -3 q_l: T on the large wheel turns I_l + 9 I_s and 9 masses of the slide. */
static void a_gear_turns_its_joint_a_with_its_effort(void** unused) {
  (void)unused;
  fb_model* m = ball_and_wheels();
  fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block motor;
  const fb_schedule schedule = {2, ALWAYS, (const double[]){10, 0}, 0, .cookie_ = FB_COOKIE};
  int k = fb_joint_v_index(m, fb_model_find_joint(m, "large"));
  assert_int_equal(fb_block_new_joint_schedule(m, "motor", k, &schedule, &motor, NULL), FB_OK);
  block_or_fail(sim, &motor);
  double q[10] = {0}, x[2], acceleration = 10 / (5 + 9 * 2 + 9 * 3.0);
  fb_neutral(m, q);
  q[0] = 1;
  start_or_fail(sim, q, (const double[9]){0});
  value(sim, m, "loop.gear.effort", 1, x);
  value(sim, m, "loop.rack.effort", 1, x + 1);
  assert_near("effort", x, (const double[]){-3 * 2 * acceleration, -3 * 3 * acceleration}, 2, 1e-12);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* What else is read at the same moment, before or after, changes nothing: forces are the flow's, errors those of poses. */
static void loop_signals_do_not_depend_on_what_else_is_read(void** unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    looped x = random_looped(seed);
    fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
    fb_sim* sim = sim_or_fail(x.m, &options);
    enum { ROOM = 2000 };
    fb_signal signals[ROOM];
    double alone[64], together[ROOM], again[ROOM];
    int own, all;
    start_or_fail(sim, x.q, x.v);
    if (x.nloop > 0) {
      assert_int_equal(fb_signal_find(x.m, "loop.*", signals, 64, &own, NULL), FB_OK);
      fb_sim_signal_values(sim, signals, own, alone);
      assert_int_equal(fb_signal_find(x.m, "*", signals, ROOM, &all, NULL), FB_OK);
      assert_true(own <= 64 && all <= ROOM);
      fb_sim_signal_values(sim, signals, all, together);
      int at = 0;
      while (strncmp(fb_signal_name(x.m, signals[at], (char[FB_SIGNAL_NAME_SIZE]){0}), "loop.", 5) != 0) at++;
      assert_memory_equal(alone, together + at, (size_t)own * sizeof *alone);
      fb_sim_signal_values(sim, signals, all, again);
      assert_memory_equal(together, again, (size_t)all * sizeof *again);
    }
    fb_sim_free(sim);
    free_looped(&x);
  }
}

/* --- names --- */

static void names_and_units_are_those_of_the_type_of_loop(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *unit;
    int count;
  } cases[] = {
      {"loop.rod.force.x", "N", 1},
      {"loop.rod.torque", "N m", 3},
      {"loop.rod.error", "m", 1},
      {"loop.gear.effort", "N m", 1},
      {"loop.gear.error", "rad", 1},
      {"loop.rack.effort", "N", 1},
      {"loop.rack.error", "m", 1},
      {"loop.rod", "N", 7},
      {"loop.gear", "rad", 2},
      {"loop.*", "N", 11},
      {"loop", "N", 11},
      {"ledger.loops", "J", 1},
  };
  fb_model* m = ball_and_wheels();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_signal signals[16];
    fb_error error;
    int count;
    if (fb_signal_find(m, cases[i].name, signals, 16, &count, &error)) fail_msg("%s", error.text);
    assert_int_equal(count, cases[i].count);
    assert_string_equal(fb_signal_unit(m, signals[0]), cases[i].unit);
    for (int k = 0; k < count; k++) {
      char name[FB_SIGNAL_NAME_SIZE];
      fb_signal back = signal_or_fail(m, fb_signal_name(m, signals[k], name));
      assert_memory_equal(&back, &signals[k], sizeof back);
    }
  }
  fb_model_free(m);
}

static void signals_that_a_loop_does_not_have_are_explained(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *text;
  } cases[] = {
      {"loop.rod.effort",
       "loop \"rod\" is no gear and acts on frames; its parts are force, torque and error"},
      {"loop.gear.force", "loop \"gear\" is a gear and acts on coordinates; its parts are effort and error"},
      {"loop.gear.force.x", "loop \"gear\" is a gear"},
      {"loop.rot.force", "no loop has that name; did you mean \"loop.rod.force\"?"},
      {"loop.rod.pull", "\"loop.rod\" has no part \"pull\""},
      {"loop.rod.force.w", "\"loop.rod.force\" has the components x, y, z"},
      {"loop.rod.error.x", "is a single number"},
  };
  fb_model *m = ball_and_wheels(), *tree = pendulum();
  fb_error error;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(fb_signal_find(m, cases[i].name, NULL, 0, NULL, &error), FB_ERR_NAME);
    if (!strstr(error.text, cases[i].text)) fail_msg("%s: %s", cases[i].name, error.text);
  }
  assert_int_equal(fb_signal_find(tree, "ledger.loops", NULL, 0, NULL, &error), FB_ERR_NAME);
  assert_non_null(strstr(error.text, "the model has no loops"));
  assert_int_equal(fb_signal_find(tree, "loop.rod.force", NULL, 0, NULL, &error), FB_ERR_NAME);
  assert_non_null(strstr(error.text, "no loop has that name; the model's loops are none"));
  fb_model_free(tree);
  fb_model_free(m);
}

/* --- events and inputs --- */

/* Let go at 1 rad, the rod pulls with m g (3 cos q - 2 cos 1); its z component passes 20 N once on the way down. */
static void an_event_finds_where_the_force_of_a_loop_crosses_a_level(void** unused) {
  (void)unused;
  fb_model* m = ball_and_wheels();
  fb_event event = {.name = "taut",
                    .kind = FB_TRIGGER_CROSSING,
                    .level = 20,
                    .direction = 1,
                    .once = 1,
                    .cookie_ = FB_COOKIE};
  event.signal = signal_or_fail(m, "loop.rod.force.z");
  fb_sim* sim = heavy(m);
  event_or_fail(sim, &event);
  swing(sim, m, 1, 0);
  run_to_event(sim, 2);
  double cosine = -fb_sim_q(sim)[2] / LENGTH, pull = 3 * G * (3 * cosine - 2 * cos(1)) * cosine;
  assert_near("there", &pull, &(double){20}, 1, 1e-8);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void errors_of_loops_can_be_inputs_of_blocks_and_forces_cannot(void** unused) {
  (void)unused;
  static const char* const names[] = {"loop.rod.error", "loop.rod.force.x", "loop.gear.effort",
                                      "ledger.loops"};
  fb_model* m = ball_and_wheels();
  for (int i = 0; i < 4; i++) {
    fb_sim_options options = options_of(FB_METHOD_RK4, 1e-3);
    fb_sim* sim = sim_or_fail(m, &options);
    const fb_port input = {.name = names[i], .count = 1};
    fb_block block = {.name = "taker", .inputs = &input, .ninput = 1, .cookie_ = FB_COOKIE};
    fb_error error = {0};
    block_or_fail(sim, &block);
    double q[10] = {0};
    fb_neutral(m, q);
    q[0] = 1;
    fb_status status = fb_sim_start(sim, q, (const double[9]){0}, &error);
    assert_int_equal(status, i == 0 ? FB_OK : FB_ERR_ARG);
    if (i > 0) assert_non_null(strstr(error.text, "depends on what blocks do"));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_pulls_a_swinging_ball_towards_its_end),
      cmocka_unit_test(a_gear_turns_its_joint_a_with_its_effort),
      cmocka_unit_test(loop_signals_do_not_depend_on_what_else_is_read),
      cmocka_unit_test(names_and_units_are_those_of_the_type_of_loop),
      cmocka_unit_test(signals_that_a_loop_does_not_have_are_explained),
      cmocka_unit_test(an_event_finds_where_the_force_of_a_loop_crosses_a_level),
      cmocka_unit_test(errors_of_loops_can_be_inputs_of_blocks_and_forces_cannot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
