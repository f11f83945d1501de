/* test_sundials.c -- stiff systems by CVODE and ARKODE: closed forms, tolerance, events, locks, snapshots, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/sundials.h>

#include "base/cookie.h"
#include "sim_rig.h"

static const char* const NAMES[] = {"cvode", "arkode"};
enum { SOLVERS = 2 };

static fb_sim* solver_or_fail(const fb_model* m, const char* name, double tolerance, double max_step) {
  fb_stepper stepper;
  fb_error error;
  if (fb_stepper_new_sundials(name, tolerance, tolerance, max_step, &stepper, &error))
    fail_msg("%s", error.text);
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_CUSTOM;
  options.stepper = &stepper;
  return sim_or_fail(m, &options);
}

static fb_sim* dopri5_or_fail(const fb_model* m, double tolerance) {
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.step = 0;
  options.rtol = options.atol = tolerance;
  return sim_or_fail(m, &options);
}

/* --- accuracy --- */

static const double INERTIA = 0.01, STIFFNESS = 1e6, DAMPING = 1e3;

/* One axis that hardly gives way: its times are 10 us and 1 ms. */
static fb_model* stiff_joint(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "rod";
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[0] = body.joint.axis[1] = 0;
  body.joint.axis[2] = 1;
  body.joint.stiffness[0] = STIFFNESS;
  body.joint.damping[0] = DAMPING;
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[i] = INERTIA;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A constant torque on coordinate 0 until t_end. */
static void push(const fb_model* m, fb_sim* sim, double torque, double t_end) {
  const double times[2] = {0, t_end}, values[2] = {torque, 0};
  const fb_schedule schedule = {2, times, values, 0, .cookie_ = FB_COOKIE};
  fb_block block;
  assert_int_equal(fb_block_new_joint_schedule(m, "push", 0, &schedule, &block, NULL), FB_OK);
  block_or_fail(sim, &block);
}

/* I q'' + c q' + k q = torque from q0 at rest: q = torque / k + A exp(s1 t) + B exp(s2 t). */
static void stiff_solution(double q0, double torque, double t, double* q, double* v) {
  double root = sqrt(DAMPING * DAMPING - 4 * INERTIA * STIFFNESS), rest = torque / STIFFNESS;
  double s1 = (-DAMPING + root) / (2 * INERTIA), s2 = (-DAMPING - root) / (2 * INERTIA);
  double A = (q0 - rest) * s2 / (s2 - s1), B = -(q0 - rest) * s1 / (s2 - s1);
  *q = rest + A * exp(s1 * t) + B * exp(s2 * t);
  *v = A * s1 * exp(s1 * t) + B * s2 * exp(s2 * t);
}

static void a_stiff_joint_follows_its_closed_form_in_few_steps(void** unused) {
  (void)unused;
  static const double q0 = 0.1, v0 = 0, torque = 500, tolerance = 1e-8;
  fb_model* m = stiff_joint();
  fb_sim* explicit_sim = dopri5_or_fail(m, tolerance);
  push(m, explicit_sim, torque, 2);
  start_or_fail(explicit_sim, &q0, &v0);
  run_or_fail(explicit_sim, 1);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], tolerance, 0);
    push(m, sim, torque, 2);
    start_or_fail(sim, &q0, &v0);
    double worst = 0;
    for (int k = 1; k <= 25; k++) { /* in the fast part, and long after it */
      double t = k < 13 ? 1e-5 * pow(2, k) : (k - 12) / 13.0, q, v;
      run_or_fail(sim, t);
      stiff_solution(q0, torque, t, &q, &v);
      worst = worse_of(worst, fabs(fb_sim_q(sim)[0] - q));
      worst = worse_of(worst, fabs(fb_sim_v(sim)[0] - v) / 100); /* the speed reaches 100 rad/s */
    }
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    print_message("%s: %lld steps, %lld rates, error %.1e, ledger %.1e; dopri5: %lld, %lld\n", NAMES[i],
                  fb_sim_nstep(sim), fb_sim_nevaluation(sim), worst, ledger.relative,
                  fb_sim_nstep(explicit_sim), fb_sim_nevaluation(explicit_sim));
    assert_true(worst < 10 * tolerance);
    assert_true(ledger.relative < 1e-6);
    assert_true(30 * fb_sim_nstep(sim) < fb_sim_nstep(explicit_sim));
    assert_true(fb_sim_nrejected(sim) < fb_sim_nstep(sim));
    fb_sim_free(sim);
  }
  fb_sim_free(explicit_sim);
  fb_model_free(m);
}

static void a_floating_tree_meets_its_tolerance_within_a_factor_of_ten(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  fb_sim* exact = dopri5_or_fail(m, 1e-14);
  long long rejected[SOLVERS] = {0};
  start_or_fail(exact, q, v);
  run_or_fail(exact, 2);
  for (int i = 0; i < SOLVERS; i++)
    for (double tolerance = 1e-5; tolerance > 1e-12; tolerance /= 100) {
      fb_sim* sim = solver_or_fail(m, NAMES[i], tolerance, 0);
      start_or_fail(sim, q, v);
      run_or_fail(sim, 2);
      double error = distance(m, fb_sim_q(sim), fb_sim_v(sim), fb_sim_q(exact), fb_sim_v(exact));
      print_message("%s at %.0e: error %.1e, %lld steps\n", NAMES[i], tolerance, error, fb_sim_nstep(sim));
      assert_true(error < 10 * tolerance);
      assert_true(error > 1e-3 * tolerance); /* and does not waste steps */
      rejected[i] += fb_sim_nrejected(sim);
      fb_sim_free(sim);
    }
  for (int i = 0; i < SOLVERS; i++) assert_true(rejected[i] > 0);
  fb_sim_free(exact);
  fb_model_free(m);
}

static void states_inside_steps_are_as_good_as_those_at_their_ends(void** unused) {
  (void)unused;
  static const double tolerance = 1e-8;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q0[32], v0[32], q[32], v[32];
  fb_error error;
  fb_random_q(m, 3, q0);
  fb_random_v(m, 4, v0);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim *sim = solver_or_fail(m, NAMES[i], tolerance, 0), *exact = dopri5_or_fail(m, 1e-13);
    start_or_fail(sim, q0, v0);
    start_or_fail(exact, q0, v0);
    double worst = 0;
    for (int k = 0; k < 40; k++) {
      assert_int_equal(fb_sim_step(sim, 1e3, &error), FB_OK);
      double t = fb_sim_step_start(sim) + 0.4 * (fb_sim_time(sim) - fb_sim_step_start(sim));
      assert_int_equal(fb_sim_eval_state(sim, t, q, v, &error), FB_OK);
      run_or_fail(exact, t);
      worst = worse_of(worst, distance(m, q, v, fb_sim_q(exact), fb_sim_v(exact)));
    }
    print_message("%s inside steps: error %.1e\n", NAMES[i], worst);
    assert_true(worst < 10 * tolerance);
    fb_sim_free(sim);
    fb_sim_free(exact);
  }
  fb_model_free(m);
}

static void the_step_obeys_its_bounds(void** unused) {
  (void)unused;
  static const double bound = 0.01;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_error error;
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-4, bound);
    start_or_fail(sim, q, v);
    for (int k = 0; k < 30; k++) {
      assert_int_equal(fb_sim_step(sim, INFINITY, &error), FB_OK);
      assert_true(fb_sim_time(sim) - fb_sim_step_start(sim) <= bound * (1 + 1e-12));
    }
    double limit = fb_sim_time(sim) + 1e-4;
    run_or_fail(sim, limit);
    assert_true(fb_sim_time(sim) == limit);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- what acts --- */

/* Between its edges a pulse is a constant: what it gives is exact. */
static void no_step_straddles_an_edge(void** unused) {
  (void)unused;
  static const double times[2] = {0.3, 0.5}, values[12] = {20, 0, 0, 0, 0, 6};
  static const double still[6] = {0};
  const fb_schedule schedule = {2, times, values, 0, .cookie_ = FB_COOKIE};
  fb_model* m = free_body();
  double q[7];
  fb_neutral(m, q);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-6, 0);
    fb_block block;
    assert_int_equal(fb_block_new_frame_schedule(m, "jet", 1, 0, &schedule, &block, NULL), FB_OK);
    block_or_fail(sim, &block);
    start_or_fail(sim, q, still);
    run_or_fail(sim, 1);
    /* v = F dt / m, w = T dt / I */
    assert_near("after the pulse", fb_sim_v(sim), (const double[]){0.4, 0, 0, 0, 0, 0.4}, 6, 1e-9);
    assert_near("q", fb_sim_q(sim), (const double[]){0.4 * 0.6}, 1, 1e-6);
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    assert_near("impulse", ledger.impulse, (const double[]){4, 0, 0, 0, 0, 1.2}, 6, 1e-9);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A lag of a microsecond between the command and the torque, x' = (command - x) / lag. */
static const double LAG = 1e-6;

static fb_status motor(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)error;
  state_rate[0] = (sin(context->t) - state[0]) / LAG;
  action->tau[0] += state[0];
  return FB_OK;
}

static void stiff_states_of_blocks_are_followed(void** unused) {
  (void)unused;
  static const double zero[1] = {0};
  fb_model* m = pendulum();
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-8, 0);
    fb_block block = fb_default_block();
    block.name = "motor";
    block.nstate = 1;
    block.act = motor;
    block_or_fail(sim, &block);
    start_or_fail(sim, zero, zero);
    run_or_fail(sim, 1);
    /* No gravity, one kg at one metre: q'' = x, and x follows sin t one lag behind. */
    assert_near("speed", fb_sim_v(sim), (const double[]){1 - cos(1) - LAG * sin(1)}, 1, 1e-7);
    double x = fb_sim_y(sim)[fb_sim_ny_motion(sim) - 1];
    assert_near("state", &x, (const double[]){sin(1) - LAG * cos(1)}, 1, 1e-7);
    assert_true(fb_sim_nstep(sim) < 2000);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void moved_coordinates_are_where_they_belong(void** unused) {
  (void)unused;
  static const double times[3] = {0, 0.7, 1.5}, values[3] = {0.2, 0.5, -0.1};
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  fb_spline* path = NULL;
  double q[32], v[32], x, rate;
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  assert_int_equal(fb_spline_new_cubic(3, times, values, &path, NULL), FB_OK);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim *sim = solver_or_fail(m, NAMES[i], 1e-8, 0), *exact = dopri5_or_fail(m, 1e-12);
    fb_sim* both[2] = {sim, exact};
    for (int k = 0; k < 2; k++) {
      const fb_motion along = {FB_MOTION_PATH, 0, path, .cookie_ = FB_COOKIE},
                      turning = {FB_MOTION_RATE, 0.3, NULL, .cookie_ = FB_COOKIE};
      int id[2];
      assert_int_equal(fb_sim_add_motion(both[k], &along, &id[0], NULL), FB_OK);
      assert_int_equal(fb_sim_add_motion(both[k], &turning, &id[1], NULL), FB_OK);
      assert_int_equal(fb_sim_set_joint_motion(both[k], fb_model_find_joint(m, "a1"), id[0], NULL), FB_OK);
      assert_int_equal(fb_sim_set_joint_motion(both[k], fb_model_find_joint(m, "b1"), id[1], NULL), FB_OK);
      assert_int_equal(fb_sim_set_joint_motion(both[k], fb_model_find_joint(m, "b3"), FB_MOTION_LOCKED, NULL),
                       FB_OK);
      start_or_fail(both[k], q, v);
      run_or_fail(both[k], 1.2);
    }
    fb_spline_eval(path, 1.2, &x, &rate, NULL);
    int a1 = fb_model_find_joint(m, "a1"), b3 = fb_model_find_joint(m, "b3");
    assert_near("path", fb_sim_q(sim) + fb_joint_q_index(m, a1), &x, 1, 0);
    assert_near("its rate", fb_sim_v(sim) + fb_joint_v_index(m, a1), &rate, 1, 0);
    assert_near("locked", fb_sim_v(sim) + fb_joint_v_index(m, b3), (const double[]){0, 0, 0}, 3, 0);
    double error = distance(m, fb_sim_q(sim), fb_sim_v(sim), fb_sim_q(exact), fb_sim_v(exact));
    assert_true(error < 1e-7);
    fb_sim_free(sim);
    fb_sim_free(exact);
  }
  fb_spline_free(path);
  fb_model_free(m);
}

/* --- events --- */

static fb_status lock_arm(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_joint_motion(sim, fb_model_find_joint(fb_sim_model(sim), "a1"), FB_MOTION_LOCKED, error);
}

static fb_status release_arm(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_joint_motion(sim, fb_model_find_joint(fb_sim_model(sim), "a1"), FB_MOTION_FORCE, error);
}

/* When an angle passes a level the joint locks; half a second later it is free again. Returns when it locked. */
static double run_events(fb_sim* sim, const double* q, const double* v, double t_end) {
  const fb_model* m = fb_sim_model(sim);
  fb_event lock = {.name = "lock",
                   .kind = FB_TRIGGER_CROSSING,
                   .direction = 1,
                   .once = 1,
                   .act = lock_arm,
                   .cookie_ = FB_COOKIE};
  fb_event release = {.name = "release",
                      .kind = FB_TRIGGER_TIME,
                      .time = 1.5,
                      .once = 1,
                      .act = release_arm,
                      .cookie_ = FB_COOKIE};
  int count;
  assert_int_equal(fb_signal_find(m, "q.a1", &lock.signal, 1, &count, NULL), FB_OK);
  lock.level = q[fb_joint_q_index(m, fb_model_find_joint(m, "a1"))] + 0.3;
  event_or_fail(sim, &lock);
  event_or_fail(sim, &release);
  start_or_fail(sim, q, v);
  fb_error error;
  double locked = NAN;
  while (fb_sim_time(sim) < t_end) {
    if (fb_sim_step(sim, t_end, &error)) fail_msg("%s", error.text);
    const fb_event_record* happened = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++)
      if (happened[i].event == 0) locked = happened[i].t;
    if (fb_sim_time(sim) > locked && fb_sim_time(sim) < 1.5)
      assert_true(fb_sim_v(sim)[fb_joint_v_index(m, fb_model_find_joint(m, "a1"))] == 0);
  }
  return locked;
}

static void events_lock_and_release_where_dopri5_does(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  v[fb_joint_v_index(m, fb_model_find_joint(m, "a1"))] = 0.8;
  fb_sim* exact = dopri5_or_fail(m, 1e-13);
  double want = run_events(exact, q, v, 2);
  assert_true(want > 0 && want < 1.5);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-9, 0);
    double got = run_events(sim, q, v, 2);
    double error = distance(m, fb_sim_q(sim), fb_sim_v(sim), fb_sim_q(exact), fb_sim_v(exact));
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    print_message("%s: locked at %.12g s (%.1e off), state off by %.1e at the end\n", NAMES[i], got,
                  got - want, error);
    assert_true(fabs(got - want) < 1e-8 && error < 1e-7);
    assert_true(ledger.linear_residual < 1e-7 * ledger.linear_scale);
    assert_true(ledger.angular_residual < 1e-7 * ledger.angular_scale);
    assert_true(ledger.relative < 1e-6 && ledger.impacts < 0);
    fb_sim_free(sim);
  }
  fb_sim_free(exact);
  fb_model_free(m);
}

/* A state may be looked at inside a step that a tick has ended. */
static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  (void)user, (void)state, (void)error;
  memory[0] = -2 * context->v[0] - 10 * context->q[0];
  return FB_OK;
}

static fb_status hold(void* user, const fb_context* context, const double* memory, const double* state,
                      fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)context, (void)state, (void)state_rate, (void)error;
  action->tau[0] += memory[0];
  return FB_OK;
}

static void add_sampled_law(fb_sim* sim) {
  fb_block law = fb_default_block();
  law.name = "law";
  law.period = 0.05;
  law.nmemory = 1;
  law.tick = tick;
  law.act = hold;
  block_or_fail(sim, &law);
}

static void a_step_that_a_tick_ends_can_be_looked_into(void** unused) {
  (void)unused;
  static const double q0 = 0.3, v0 = 0;
  fb_model* m = pendulum();
  fb_error error;
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-8, 0);
    add_sampled_law(sim);
    start_or_fail(sim, &q0, &v0);
    while (fb_sim_time(sim) < 0.2) {
      double t0 = fb_sim_time(sim), start = fb_sim_q(sim)[0], speed = fb_sim_v(sim)[0],
             torque = fb_sim_memory(sim, 0)[0];
      assert_int_equal(fb_sim_step(sim, 0.2, &error), FB_OK);
      double t1 = fb_sim_time(sim), half = 0.5 * (t1 - t0), got;
      assert_int_equal(fb_sim_eval_state(sim, t0 + half, &got, NULL, &error), FB_OK);
      double want = start + half * (speed + 0.5 * half * torque); /* 1 kg m^2 under a constant torque */
      assert_near("inside", &got, &want, 1, 1e-7);
    }
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- snapshots --- */

static void resuming_is_the_same_to_the_bit(void** unused) {
  (void)unused;
  static const double saves[] = {0.11, 0.4, 0.77};
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* whole = solver_or_fail(m, NAMES[i], 1e-6, 0);
    add_sampled_law(whole);
    start_or_fail(whole, q, v);
    size_t size = fb_sim_snapshot_size(whole), ny = (size_t)fb_sim_ny(whole) * sizeof(double);
    void* snapshots[3];
    for (int k = 0; k < 3; k++) {
      snapshots[k] = malloc(size);
      run_or_fail(whole, saves[k]);
      fb_sim_save(whole, snapshots[k]);
    }
    run_or_fail(whole, 1);
    for (int k = 0; k < 3; k++) {
      fb_sim* again = solver_or_fail(m, NAMES[i], 1e-6, 0);
      add_sampled_law(again);
      start_or_fail(again, q, v);
      if (k == 1) run_or_fail(again, 0.03); /* whatever it did before */
      assert_int_equal(fb_sim_restore(again, snapshots[k], size, NULL), FB_OK);
      for (int l = k + 1; l < 3; l++) { /* checkpoints fall at the same instants */
        run_or_fail(again, saves[l]);
        void* same = malloc(size);
        fb_sim_save(again, same);
        assert_memory_equal(same, snapshots[l], size);
        free(same);
      }
      run_or_fail(again, 1);
      assert_memory_equal(fb_sim_y(again), fb_sim_y(whole), ny);
      assert_true(fb_sim_nstep(again) == fb_sim_nstep(whole));
      fb_sim_free(again);
    }
    for (int k = 0; k < 3; k++) free(snapshots[k]);
    fb_sim_free(whole);
  }
  fb_model_free(m);
}

static void a_simulation_can_be_started_again(void** unused) {
  (void)unused;
  static const double q0 = 0.1, v0 = 0;
  fb_model* m = stiff_joint();
  for (int i = 0; i < SOLVERS; i++) {
    fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-8, 0);
    start_or_fail(sim, &q0, &v0);
    run_or_fail(sim, 0.01);
    double first = fb_sim_q(sim)[0];
    start_or_fail(sim, &q0, &v0);
    run_or_fail(sim, 0.01);
    assert_true(fb_sim_q(sim)[0] == first);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* --- errors --- */

/* What a block does wrong after half a second. */
enum { REFUSES, DIVIDES_BY_ZERO, BLOWS_UP };

static fb_status go_wrong(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate;
  int how = *(const int*)user;
  if (how == BLOWS_UP) action->tau[0] += 10 * context->v[0] * context->v[0] * context->v[0] + 1;
  if (how == DIVIDES_BY_ZERO) action->tau[0] += context->t > 0.5 ? NAN : 0;
  if (how != REFUSES || context->t < 0.5) return FB_OK;
  if (error) snprintf(error->text, sizeof error->text, "the motor is off");
  return FB_ERR_STATE;
}

static void failures_say_where_and_what_to_do(void** unused) {
  (void)unused;
  static const struct {
    int how;
    fb_status status;
    const char* text;
  } cases[] = {{REFUSES, FB_ERR_STATE, "block \"motor\": the motor is off"},
               {DIVIDES_BY_ZERO, FB_ERR_NOT_FINITE, "block \"motor\": it gives joint \"bob\" a force of"},
               {BLOWS_UP, FB_ERR_NO_SOLUTION, "loosen rtol"}};
  static const double q0 = 0, v0 = 0;
  fb_model* m = pendulum();
  for (int i = 0; i < SOLVERS; i++)
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      int how = cases[k].how;
      fb_sim* sim = solver_or_fail(m, NAMES[i], 1e-8, 0);
      fb_block block = fb_default_block();
      block.name = "motor";
      block.act = go_wrong;
      block.user = &how;
      block_or_fail(sim, &block);
      start_or_fail(sim, &q0, &v0);
      fb_error error = {.status = FB_OK};
      fb_status status = fb_sim_run_until(sim, 10, &error);
      print_message("%s\n", error.text);
      if (status != cases[k].status || !strstr(error.text, cases[k].text) || !strstr(error.text, "t = "))
        fail_msg("%s, case %zu: %s, \"%s\"", NAMES[i], k, fb_status_name(status), error.text);
      assert_true(isfinite(fb_sim_q(sim)[0]) && fb_sim_time(sim) < 1);
      assert_int_equal(fb_sim_run_until(sim, 10, NULL),
                       cases[k].status); /* again, without a place for the text */
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

static void arguments_out_of_range_are_refused(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    double rtol, atol, max_step;
    fb_status status;
    const char* text;
  } cases[] = {
      {"cvod", 1e-8, 1e-8, 0, FB_ERR_NAME, "did you mean 'cvode'?"},
      {"ida", 1e-8, 1e-8, 0, FB_ERR_NAME, "there are cvode, arkode"},
      {"cvode", 0, 1e-8, 0, FB_ERR_ARG, "rtol is 0"},
      {"cvode", 1, 1e-8, 0, FB_ERR_ARG, "rtol less than 1"},
      {"arkode", 1e-8, NAN, 0, FB_ERR_ARG, "atol nan"},
      {"arkode", 1e-8, INFINITY, 0, FB_ERR_ARG, "atol inf"},
      {"cvode", 1e-8, 1e-8, -1, FB_ERR_ARG, "max_step is -1 s"},
      {"cvode", 1e-8, 1e-8, NAN, FB_ERR_ARG, "max_step is nan s"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_stepper stepper;
    fb_status status = fb_stepper_new_sundials(cases[i].name, cases[i].rtol, cases[i].atol, cases[i].max_step,
                                               &stepper, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%zu: %s, \"%s\"", i, fb_status_name(status), error.text);
    assert_null(stepper.self);
  }
}

static void a_build_without_sundials_says_so(void** unused) {
  (void)unused;
  for (int i = 0; i < SOLVERS; i++) {
    fb_error error = {.status = FB_OK};
    fb_stepper stepper;
    fb_status status = fb_stepper_new_sundials(NAMES[i], 1e-8, 1e-8, 0, &stepper, &error);
    assert_int_equal(status, fb_sundials_available() ? FB_OK : FB_ERR_UNSUPPORTED);
    if (status) {
      assert_non_null(strstr(error.text, "libsundials-dev"));
      assert_null(stepper.free);
    } else {
      stepper.free(stepper.self); /* never used */
    }
  }
}

int main(void) {
  const struct CMUnitTest doors[] = {
      cmocka_unit_test(arguments_out_of_range_are_refused),
      cmocka_unit_test(a_build_without_sundials_says_so),
  };
  const struct CMUnitTest solvers[] = {
      cmocka_unit_test(a_stiff_joint_follows_its_closed_form_in_few_steps),
      cmocka_unit_test(a_floating_tree_meets_its_tolerance_within_a_factor_of_ten),
      cmocka_unit_test(states_inside_steps_are_as_good_as_those_at_their_ends),
      cmocka_unit_test(the_step_obeys_its_bounds),
      cmocka_unit_test(no_step_straddles_an_edge),
      cmocka_unit_test(stiff_states_of_blocks_are_followed),
      cmocka_unit_test(moved_coordinates_are_where_they_belong),
      cmocka_unit_test(events_lock_and_release_where_dopri5_does),
      cmocka_unit_test(a_step_that_a_tick_ends_can_be_looked_into),
      cmocka_unit_test(resuming_is_the_same_to_the_bit),
      cmocka_unit_test(a_simulation_can_be_started_again),
      cmocka_unit_test(failures_say_where_and_what_to_do),
  };
  int failed = cmocka_run_group_tests(doors, NULL, NULL);
  return fb_sundials_available() ? failed + cmocka_run_group_tests(solvers, NULL, NULL) : failed;
}
