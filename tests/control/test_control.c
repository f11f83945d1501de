/* test_control.c -- the ready-made blocks: the PD and PID law, schedules, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/cookie.h"
#include "near.h"
#include "random_tree.h"

enum { NV = 14 }; /* of the rig's model */

/* A free body; on it an arm, a slide, a two-axis gimbal and a ball joint. */
typedef struct rig {
  fb_model* m;
  double q[20], v[NV], tau[NV], memory[32], state[2], state_rate[2];
  fb_wrench wrenches[2];
} rig;

static void add_body(fb_model_def* def, const char* name, const char* parent, fb_joint_type type) {
  fb_body_def b = fb_default_body_def();
  b.name = name;
  b.parent = parent;
  b.joint.type = type;
  b.joint.axis[2] = b.joint.axis2[0] = 1;
  b.joint.axis[0] = b.joint.axis[1] = b.joint.axis2[1] = b.joint.axis2[2] = 0;
  b.mass = 1;
  b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
  assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
}

/* v: base 0 .. 5, arm 6, slide 7, gimbal 8 9, ball 10 .. 12, wheel 13; q: one entry more up to the ball. */
static rig rig_new(void) {
  rig r = {0};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "base", NULL, FB_JOINT_FREE);
  add_body(def, "arm", "base", FB_JOINT_REVOLUTE);
  add_body(def, "slide", "arm", FB_JOINT_PRISMATIC);
  add_body(def, "gimbal", "base", FB_JOINT_UNIVERSAL);
  add_body(def, "ball", "base", FB_JOINT_SPHERICAL);
  add_body(def, "wheel", "base", FB_JOINT_REVOLUTE);
  r.m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  assert_int_equal(fb_model_nv(r.m), NV);
  fb_random_q(r.m, 3, r.q);
  fb_random_v(r.m, 3, r.v);
  return r;
}

/* Starts a block on zeroed memory, as a simulation does. */
static void start(rig* r, const fb_block* b) {
  fb_context context = {.model = r->m, .q = r->q, .v = r->v};
  assert_true(b->nmemory <= 32);
  memset(r->memory, 0, sizeof r->memory);
  if (b->start) assert_int_equal(b->start(b->user, &context, r->memory, r->state, NULL), FB_OK);
}

/* What the block does at t: r->tau, r->wrenches; returns how many wrenches. */
static int act(rig* r, const fb_block* b, double t) {
  fb_context context = {.model = r->m, .t = t, .q = r->q, .v = r->v};
  fb_action action = {r->tau, NULL, NULL, r->wrenches, 0, b->nwrench};
  memset(r->tau, 0, sizeof r->tau);
  assert_int_equal(b->act(b->user, &context, r->memory, r->state, &action, r->state_rate, NULL), FB_OK);
  return action.nwrench;
}

static fb_block pd_or_fail(const rig* r, const fb_pd_joint* joints, int count) {
  fb_error error;
  fb_block block;
  if (fb_block_new_joint_pd(r->m, "pd", joints, count, &block, &error)) fail_msg("%s", error.text);
  return block;
}

static int parameter(const fb_block* b, const char* name) {
  for (int i = 0; b->parameters[i]; i++)
    if (strcmp(b->parameters[i], name) == 0) return i;
  return -1;
}

/* --- the PD law --- */

static void pd_follows_its_formula(void** unused) {
  (void)unused;
  rig r = rig_new();
  const fb_pd_joint joints[] = {
      {6, 100, 20, 0.5, NULL, INFINITY, 0, .cookie_ = FB_COOKIE}, /* arm */
      {7, -3, 2, -0.1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE},  /* slide */
      {9, 7, 0, 0.2, NULL, INFINITY, 0, .cookie_ = FB_COOKIE},    /* second axis of the gimbal */
      {1, 50, 5, 1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE}};    /* y of the base */
  fb_block b = pd_or_fail(&r, joints, 4);
  double want[NV] = {0};
  want[6] = 100 * (0.5 - r.q[7]) - 20 * r.v[6];
  want[7] = -3 * (-0.1 - r.q[8]) - 2 * r.v[7];
  want[9] = 7 * (0.2 - r.q[10]);
  want[1] = 50 * (1 - r.q[1]) - 5 * r.v[1];
  start(&r, &b);
  assert_int_equal(act(&r, &b, 0), 0);
  assert_near("tau", r.tau, want, NV, 1e-14);
  assert_true(isinf(b.next_edge(b.user, r.memory, 0)));
  b.free(b.user);
  fb_model_free(r.m);
}

static void pd_stays_within_its_effort(void** unused) {
  (void)unused;
  rig r = rig_new();
  static const struct {
    double target, effort, want;
  } cases[] = {{10, 3, 3}, {-10, 3, -3}, {0.002, 3, 2}, {10, 0, 0}, {-10, INFINITY, -10000}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const fb_pd_joint joint = {6, 1000, 0, cases[i].target, NULL, cases[i].effort, 0, .cookie_ = FB_COOKIE};
    fb_block b = pd_or_fail(&r, &joint, 1);
    r.q[7] = 0;
    start(&r, &b);
    act(&r, &b, 0);
    assert_near("tau", &r.tau[6], &cases[i].want, 1, 1e-14);
    b.free(b.user);
  }
  fb_model_free(r.m);
}

static void pd_follows_a_path_with_its_rate(void** unused) {
  (void)unused;
  static const double t[3] = {1, 2, 4}, x[3] = {0, 1, -1};
  rig r = rig_new();
  fb_spline* path = NULL;
  assert_int_equal(fb_spline_new_cubic(3, t, x, &path, NULL), FB_OK);
  const fb_pd_joint joint = {13, 8, 3, 99, path, INFINITY, 0, .cookie_ = FB_COOKIE};
  fb_block b = pd_or_fail(&r, &joint, 1);
  start(&r, &b);
  for (int i = 0; i < 14; i++) {
    double at = 0.37 * i, target, rate;
    fb_spline_eval(path, at, &target, &rate, NULL);
    double want = 8 * (target - r.q[15]) + 3 * (rate - r.v[13]);
    act(&r, &b, at);
    assert_near("tau on a path", &r.tau[13], &want, 1, 1e-14);
  }
  assert_true(b.next_edge(b.user, r.memory, 0) == 1);
  assert_true(b.next_edge(b.user, r.memory, 1) == 2);
  assert_true(b.next_edge(b.user, r.memory, 3.9) == 4);
  assert_true(isinf(b.next_edge(b.user, r.memory, 4)));
  assert_int_equal(parameter(&b, "wheel.target"), -1);
  assert_int_equal(b.nmemory, 3);
  b.free(b.user);
  fb_spline_free(path);
  fb_model_free(r.m);
}

static void pd_parameters_have_names_and_act_when_set(void** unused) {
  (void)unused;
  rig r = rig_new();
  const fb_pd_joint joints[] = {{6, 1, 2, 3, NULL, 4, 0, .cookie_ = FB_COOKIE},
                                {9, 5, 6, 7, NULL, 8, 0, .cookie_ = FB_COOKIE}};
  fb_block b = pd_or_fail(&r, joints, 2);
  static const struct {
    const char* name;
    double value;
  } known[] = {{"arm.kp", 1},      {"arm.kd", 2},      {"arm.target", 3},      {"arm.effort", 4},
               {"gimbal.1.kp", 5}, {"gimbal.1.kd", 6}, {"gimbal.1.target", 7}, {"gimbal.1.effort", 8}};
  start(&r, &b);
  assert_int_equal(b.nmemory, 8);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    int at = parameter(&b, known[i].name);
    assert_true(at >= 0 && at < b.nmemory);
    assert_near(known[i].name, &r.memory[at], &known[i].value, 1, 0);
  }
  r.memory[parameter(&b, "arm.kp")] = 10;
  r.memory[parameter(&b, "arm.kd")] = 0;
  r.memory[parameter(&b, "arm.target")] = -1;
  r.memory[parameter(&b, "arm.effort")] = 1e9;
  double want = 10 * (-1 - r.q[7]);
  act(&r, &b, 0);
  assert_near("tau with new parameters", &r.tau[6], &want, 1, 1e-14);
  b.free(b.user);
  fb_model_free(r.m);
}

static void pd_refuses_what_it_cannot_drive(void** unused) {
  (void)unused;
  rig r = rig_new();
  static const struct {
    const char* name;
    const char* block;
    int count;
    fb_pd_joint joints[2];
    fb_status status;
    const char* text;
  } cases[] = {
      {"no name", "", 1, {{6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}}, FB_ERR_NAME, "needs a name"},
      {"no joints", "pd", 0, {{6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}}, FB_ERR_ARG, "at least one"},
      {"past the last",
       "pd",
       1,
       {{NV, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_ARG,
       "coordinate 14 does not exist"},
      {"negative",
       "pd",
       1,
       {{-1, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_ARG,
       "the model has 14"},
      {"an attitude",
       "pd",
       1,
       {{11, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_JOINT,
       "spherical joint \"ball\""},
      {"a base's attitude",
       "pd",
       1,
       {{3, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_JOINT,
       "free joint \"base\""},
      {"a gain",
       "pd",
       1,
       {{6, NAN, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_NOT_FINITE,
       "joint \"arm\": kp nan"},
      {"an integral gain",
       "pd",
       1,
       {{6, 1, 1, 0, NULL, 1, NAN, .cookie_ = FB_COOKIE}},
       FB_ERR_NOT_FINITE,
       "ki nan"},
      {"a target",
       "pd",
       1,
       {{6, 1, 1, INFINITY, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_NOT_FINITE,
       "target inf"},
      {"an effort", "pd", 1, {{6, 1, 1, 0, NULL, -2, 0, .cookie_ = FB_COOKIE}}, FB_ERR_ARG, "effort is -2"},
      {"twice",
       "pd",
       2,
       {{6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}, {6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}},
       FB_ERR_ARG,
       "joint \"arm\", twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_block b;
    fb_status status =
        fb_block_new_joint_pd(r.m, cases[i].block, cases[i].joints, cases[i].count, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(b.user);
  }
  fb_model_free(r.m);
}

/* --- the integral --- */

static void pid_adds_the_integral_of_the_error(void** unused) {
  (void)unused;
  rig r = rig_new();
  const fb_pd_joint joints[] = {
      {6, 3, 2, 0.5, NULL, INFINITY, 7, .cookie_ = FB_COOKIE}, /* arm */
      {7, 4, 1, 0.1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE}, /* slide, without */
      {9, 5, 6, 0.2, NULL, 1e9, -2, .cookie_ = FB_COOKIE}};    /* second axis of the gimbal */
  fb_block b = pd_or_fail(&r, joints, 3);
  assert_int_equal(b.nstate, 2);
  assert_int_equal(b.nmemory, 5 + 4 + 5);
  assert_int_equal(parameter(&b, "slide.ki"), -1);
  start(&r, &b);
  assert_true(r.state[0] == 0 && r.state[1] == 0);
  assert_true(r.memory[parameter(&b, "arm.ki")] == 7 && r.memory[parameter(&b, "gimbal.1.ki")] == -2);
  assert_true(r.memory[parameter(&b, "arm.target")] == 0.5 && r.memory[parameter(&b, "slide.target")] == 0.1);
  r.state[0] = 0.3;
  r.state[1] = -0.4;
  r.memory[parameter(&b, "arm.ki")] = 70;
  double want[NV] = {0};
  const double rates[2] = {0.5 - r.q[7], 0.2 - r.q[10]};
  want[6] = 3 * rates[0] - 2 * r.v[6] + 70 * 0.3;
  want[7] = 4 * (0.1 - r.q[8]) - r.v[7];
  want[9] = 5 * rates[1] - 6 * r.v[9] - 2 * -0.4;
  act(&r, &b, 0);
  assert_near("tau", r.tau, want, NV, 1e-14);
  assert_near("rates of the integrals", r.state_rate, rates, 2, 1e-14);
  b.free(b.user);
  fb_model_free(r.m);
}

static void the_integral_stands_still_at_the_bound(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    double ki, error, integral, effort, tau, rate;
  } cases[] = {
      {"far from the bound", 10, 0.1, 0, 5, 0.1, 0.1},
      {"at the upper one, further", 10, 0.1, 0.6, 5, 5, 0},
      {"at the upper one, back", 10, -0.1, 0.6, 5, 5, -0.1},
      {"at the lower one, further", 10, -0.1, -0.6, 5, -5, 0},
      {"at the lower one, back", 10, 0.1, -0.6, 5, -5, 0.1},
      {"a negative gain, further", -10, 0.1, 0.6, 5, -5, 0},
      {"a negative gain, back", -10, -0.1, 0.6, 5, -5, -0.1},
      {"half a hundredth before it", 10, 0.1, 0.4875, 5, 4.975, 0.05},
      {"no bound", 10, 0.1, 1e6, INFINITY, 1e7 + 0.1, 0.1},
      {"no force at all", 10, 0.1, 0, 0, 0, 0},
  };
  rig r = rig_new();
  r.q[7] = r.v[6] = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const fb_pd_joint joint = {
        6, 1, 0, cases[i].error, NULL, cases[i].effort, cases[i].ki, .cookie_ = FB_COOKIE};
    fb_block b = pd_or_fail(&r, &joint, 1);
    start(&r, &b);
    r.state[0] = cases[i].integral;
    act(&r, &b, 0);
    assert_near(cases[i].name, &r.tau[6], &cases[i].tau, 1, 1e-14);
    /* the rate is cut by what the force is over its bound */
    assert_near_of(fabs(cases[i].tau), cases[i].name, &r.state_rate[0], &cases[i].rate, 1, 1e-14);
    b.free(b.user);
  }
  fb_model_free(r.m);
}

/* A wheel of 1 kg m^2 with a PID law and a load of so many N m from 1 s on; the load ends at `until`. */
static fb_sim* loaded_wheel(fb_model** m, fb_pd_joint joint, double load, double until, double rtol) {
  fb_model_def* def = fb_model_def_new();
  add_body(def, "wheel", NULL, FB_JOINT_REVOLUTE);
  *m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  const double times[2] = {1, until}, loads[2] = {load, 0}, zero = 0;
  const fb_schedule schedule = {2, times, loads, 0, .cookie_ = FB_COOKIE};
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.rtol = rtol;
  fb_sim* sim = NULL;
  fb_block pid, push;
  fb_error error;
  if (fb_sim_new(*m, &options, &sim, &error) || fb_block_new_joint_pd(*m, "pid", &joint, 1, &pid, &error) ||
      fb_sim_add_block(sim, &pid, NULL, &error) ||
      fb_block_new_joint_schedule(*m, "push", 0, &schedule, &push, &error) ||
      fb_sim_add_block(sim, &push, NULL, &error) || fb_sim_start(sim, &zero, &zero, &error))
    fail_msg("%s", error.text);
  return sim;
}

static void run_to(fb_sim* sim, double t) {
  fb_error error;
  if (fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
}

/* kp 12, kd 7, ki 6 on 1 kg m^2. Without the integral a load of 3 N m leaves 3 / 12 rad. */
static void pid_takes_up_a_steady_load(void** unused) {
  (void)unused;
  for (int with = 0; with < 2; with++) {
    fb_model* m;
    const fb_pd_joint joint = {0, 12, 7, 0.4, NULL, INFINITY, with ? 6 : 0, .cookie_ = FB_COOKIE};
    fb_sim* sim = loaded_wheel(&m, joint, -3, 1e9, 1e-10);
    run_to(sim, 60);
    double want = with ? 0.4 : 0.4 - 3 / 12.0;
    assert_near("place under load", fb_sim_q(sim), &want, 1, 1e-9);
    assert_near_of(1, "it rests", fb_sim_v(sim), (const double[]){0}, 1, 1e-9); /* of its swing */
    if (with) assert_near("integral", fb_sim_y(sim) + 2, (const double[]){3 / 6.0}, 1, 1e-8);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* For 20 s the load is more than the effort. The integral has not wound up: when the load ends, the wheel comes back
 * without running on past its target for long; and no step is wasted on chattering. */
static void a_bound_that_is_hit_winds_nothing_up(void** unused) {
  (void)unused;
  fb_model* m;
  const fb_pd_joint joint = {0, 12, 7, 0, NULL, 2, 6, .cookie_ = FB_COOKIE};
  fb_sim* sim = loaded_wheel(&m, joint, -2.01, 21, 1e-8);
  run_to(sim, 21);
  double wound = fb_sim_y(sim)[2];
  if (!(fb_sim_q(sim)[0] < -1 && wound > 0 && wound < 2.0 / 6)) fail_msg("integral %g", wound);
  run_to(sim, 40);
  assert_near_of(1, "back", fb_sim_q(sim), (const double[]){0}, 1, 1e-4); /* of the 1 rad it was away */
  if (fb_sim_nstep(sim) > 3000) fail_msg("%lld steps", fb_sim_nstep(sim));
  fb_sim_free(sim);
  fb_model_free(m);
}

/* --- schedules --- */

static void a_schedule_holds_or_runs_straight(void** unused) {
  (void)unused;
  static const double times[] = {1, 2, 4}, values[] = {10, -20, 0};
  static const struct {
    double t, held, straight;
  } cases[] = {{0, 0, 0},     {0.999, 0, 0},  {1, 10, 10}, {1.5, 10, -5}, {2, -20, -20},
               {3, -20, -10}, {3.5, -20, -5}, {4, 0, 0},   {1e9, 0, 0}};
  rig r = rig_new();
  for (int straight = 0; straight < 2; straight++) {
    const fb_schedule schedule = {3, times, values, straight, .cookie_ = FB_COOKIE};
    fb_block b;
    assert_int_equal(fb_block_new_joint_schedule(r.m, "push", 11, &schedule, &b, NULL), FB_OK);
    start(&r, &b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      double want[NV] = {0};
      want[11] = straight ? cases[i].straight : cases[i].held;
      act(&r, &b, cases[i].t);
      assert_near("scheduled tau", r.tau, want, NV, 1e-14);
    }
    assert_true(b.next_edge(b.user, NULL, 0) == 1);
    assert_true(b.next_edge(b.user, NULL, 1) == 2);
    assert_true(b.next_edge(b.user, NULL, 2.5) == 4);
    assert_true(isinf(b.next_edge(b.user, NULL, 4)));
    b.free(b.user);
  }
  fb_model_free(r.m);
}

static void a_frame_schedule_adds_one_wrench_while_it_lasts(void** unused) {
  (void)unused;
  static const double times[] = {0, 2}, values[] = {1, 2, 3, 4, 5, 6, 3, 2, 1, 0, -1, -2};
  static const double want[] = {2, 2, 2, 2, 2, 2};
  const fb_schedule schedule = {2, times, values, 1, .cookie_ = FB_COOKIE};
  rig r = rig_new();
  int frame = fb_model_com_frame(r.m, 2);
  for (int own_axes = 0; own_axes < 2; own_axes++) {
    fb_block b;
    assert_int_equal(fb_block_new_frame_schedule(r.m, "jet", frame, own_axes, &schedule, &b, NULL), FB_OK);
    assert_int_equal(act(&r, &b, 1), 1);
    assert_int_equal(r.wrenches[0].frame, frame);
    assert_int_equal(r.wrenches[0].in_frame_axes, own_axes);
    assert_near("force", r.wrenches[0].force, want, 3, 1e-14);
    assert_near("torque", r.wrenches[0].torque, want + 3, 3, 1e-14);
    assert_int_equal(act(&r, &b, 2), 0);
    assert_int_equal(act(&r, &b, -1), 0);
    b.free(b.user);
  }
  fb_model_free(r.m);
}

static void a_schedule_keeps_its_own_copy(void** unused) {
  (void)unused;
  double times[] = {0, 1}, values[] = {5, 0};
  char name[] = "push";
  const fb_schedule schedule = {2, times, values, 0, .cookie_ = FB_COOKIE};
  rig r = rig_new();
  fb_block b;
  assert_int_equal(fb_block_new_joint_schedule(r.m, name, 6, &schedule, &b, NULL), FB_OK);
  times[0] = values[0] = 77;
  name[0] = 'X';
  act(&r, &b, 0.5);
  assert_near("tau", &r.tau[6], (const double[]){5}, 1, 0);
  assert_string_equal(b.name, "push");
  b.free(b.user);
  fb_model_free(r.m);
}

static void schedules_refuse_rows_that_make_no_sense(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int count, coordinate;
    double times[2], values[2];
    fb_status status;
    const char* text;
  } cases[] = {
      {"no rows", 0, 6, {0}, {0}, FB_ERR_ARG, "needs rows"},
      {"times that fall", 2, 6, {2, 1}, {0}, FB_ERR_ARG, "row 1 is at 2 s, row 2 at 1 s"},
      {"equal times", 2, 6, {1, 1}, {0}, FB_ERR_ARG, "must rise"},
      {"a time", 2, 6, {0, NAN}, {0}, FB_ERR_NOT_FINITE, "row 2"},
      {"a value", 2, 6, {0, 1}, {INFINITY, 0}, FB_ERR_NOT_FINITE, "row 1"},
      {"no such coordinate", 1, 14, {0}, {0}, FB_ERR_ARG, "coordinate 14 does not exist"},
  };
  rig r = rig_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const fb_schedule schedule = {cases[i].count, cases[i].times, cases[i].values, 0, .cookie_ = FB_COOKIE};
    fb_error error = {.status = FB_OK};
    fb_block b;
    fb_status status = fb_block_new_joint_schedule(r.m, "push", cases[i].coordinate, &schedule, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text) || !strstr(error.text, "\"push\""))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(b.user);
  }
  static const double row[6] = {0};
  const fb_schedule one = {1, row, row, 0, .cookie_ = FB_COOKIE};
  fb_error error = {.status = FB_OK};
  fb_block b;
  assert_int_equal(fb_block_new_frame_schedule(r.m, "jet", 1000, 0, &one, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "frame 1000 does not exist"));
  assert_int_equal(fb_block_new_frame_schedule(r.m, "jet", -1, 0, &one, &b, &error), FB_ERR_ARG);
  assert_int_equal(fb_block_new_frame_schedule(r.m, NULL, 0, 0, &one, &b, &error), FB_ERR_NAME);
  fb_model_free(r.m);
}

/* --- what every block uses --- */

static void a_default_block_does_nothing(void** unused) {
  (void)unused;
  fb_block b = fb_default_block();
  assert_true(!b.name && !b.user && !b.start && !b.tick && !b.act && !b.next_edge && !b.free &&
              !b.parameters);
  assert_true(b.period == 0 && b.modes == 0 && b.nmemory == 0 && b.nstate == 0 && b.nwrench == 0);
}

static void wrenches_come_zeroed_until_the_room_is_used(void** unused) {
  (void)unused;
  fb_wrench room[3];
  memset(room, 0x55, sizeof room);
  fb_action action = {NULL, NULL, NULL, room, 0, 2};
  for (int i = 0; i < 2; i++) {
    fb_wrench* w = fb_action_add_wrench(&action);
    assert_ptr_equal(w, &room[i]);
    assert_true(w->frame == FB_WORLD && w->in_frame_axes == 0);
    for (int k = 0; k < 3; k++) assert_true(w->force[k] == 0 && w->torque[k] == 0);
  }
  assert_null(fb_action_add_wrench(&action));
  assert_int_equal(action.nwrench, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pd_follows_its_formula),
      cmocka_unit_test(pd_stays_within_its_effort),
      cmocka_unit_test(pd_follows_a_path_with_its_rate),
      cmocka_unit_test(pd_parameters_have_names_and_act_when_set),
      cmocka_unit_test(pd_refuses_what_it_cannot_drive),
      cmocka_unit_test(pid_adds_the_integral_of_the_error),
      cmocka_unit_test(the_integral_stands_still_at_the_bound),
      cmocka_unit_test(pid_takes_up_a_steady_load),
      cmocka_unit_test(a_bound_that_is_hit_winds_nothing_up),
      cmocka_unit_test(a_schedule_holds_or_runs_straight),
      cmocka_unit_test(a_frame_schedule_adds_one_wrench_while_it_lasts),
      cmocka_unit_test(a_schedule_keeps_its_own_copy),
      cmocka_unit_test(schedules_refuse_rows_that_make_no_sense),
      cmocka_unit_test(a_default_block_does_nothing),
      cmocka_unit_test(wrenches_come_zeroed_until_the_room_is_used),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
