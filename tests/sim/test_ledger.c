/* test_ledger.c -- the ledger's verdict depends on the motion alone: not on the observer, not on the log, not on the
 * last instant; and work is as accurate as the motion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/sundials.h>

#include "base/cookie.h"
#include "sim_rig.h"

static fb_body_def body_of(const char* name, const char* parent, fb_joint_type type, double mass) {
  fb_body_def body = fb_default_body_def();
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.mass = mass;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.3 * mass;
  return body;
}

static void add_or_fail(fb_model_def* def, const fb_body_def* body) {
  fb_error error;
  if (fb_model_def_add_body(def, body, NULL, &error)) fail_msg("%s", error.text);
}

static fb_model* finish(fb_model_def* def) {
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A hull of 100 kg with a mast on a spring of 2e4 N m/rad, off its centre: some 5 Hz; and a hinge that is free. */
static fb_model* satellite(double damping) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def hull = body_of("hull", NULL, FB_JOINT_FREE, 100),
              mast = body_of("mast", "hull", FB_JOINT_REVOLUTE, 20),
              flap = body_of("flap", "hull", FB_JOINT_REVOLUTE, 3);
  for (int i = 0; i < 6; i++) hull.joint.damping[i] = damping;
  mast.joint.at[0] = 0.5;
  mast.joint.at[2] = 0.4;
  mast.joint.axis[1] = 1;
  mast.joint.stiffness[0] = 2e4;
  mast.com[2] = 0.8;
  flap.joint.axis[2] = 1;
  flap.joint.at[1] = -0.6;
  flap.com[0] = 0.4;
  add_or_fail(def, &hull);
  add_or_fail(def, &mast);
  add_or_fail(def, &flap);
  return finish(def);
}

/* The mast bent by 50 mrad, 25 J, while the hull turns and the flap swings, seen by an observer. */
static void bend(const fb_model* m, double away, double drift, double* q, double* v) {
  fb_neutral(m, q);
  memset(v, 0, (size_t)fb_model_nv(m) * sizeof *v);
  q[0] = away;
  q[1] = -0.5 * away;
  v[1] = drift;
  v[2] = 0.2 * drift;
  v[4] = 0.2;
  v[6] = 0;
  v[7] = 0.7;
  q[7] = 0.05;
}

typedef struct observer {
  const char* name;
  double away, drift;
} observer;

static const observer OBSERVERS[] = {{"at rest", 0, 0},   {"a walk", 0, 1},        {"in orbit", 7e6, 7500},
                                     {"far out", 7e6, 0}, {"going by", 100, 7500}, {"a car", 1e4, 30}};
enum { OBSERVER_COUNT = sizeof OBSERVERS / sizeof OBSERVERS[0] };

/* Thrusters off the centre, fixed to the hull, and a motor at the flap. */
static fb_status thrust(void* user, const fb_context* context, const double* memory, const double* x,
                        fb_action* action, double* xdot, fb_error* error) {
  (void)memory, (void)x, (void)xdot, (void)error;
  const fb_wrench jet = {.frame = fb_model_find_body(context->model, "mast"),
                         .force = {3 * cos(context->t), 1, 2},
                         .torque = {0, 0.2, -0.1},
                         .in_frame_axes = 1};
  if (*(const int*)user) action->wrenches[action->nwrench++] = jet;
  if (*(const int*)user) action->tau[0] += 5 * sin(2 * context->t);
  action->tau[7] += 0.5 * sin(context->t);
  return FB_OK;
}

static void add_thrust(fb_sim* sim, const int* outside) {
  const fb_block block = {
      .name = "jets", .user = (void*)(uintptr_t)outside, .nwrench = 1, .act = thrust, .cookie_ = FB_COOKIE};
  block_or_fail(sim, &block);
}

static fb_ledger observe(const fb_model* m, const fb_sim_options* options, observer who, int pushed,
                         double t) {
  double q[16], v[16];
  fb_sim* sim = sim_or_fail(m, options);
  fb_ledger l;
  if (pushed >= 0) add_thrust(sim, &pushed);
  bend(m, who.away, who.drift, q, v);
  start_or_fail(sim, q, v);
  run_or_fail(sim, t);
  fb_sim_ledger(sim, &l);
  fb_sim_free(sim);
  return l;
}

static void is_same(const char* what, const char* who, double a, double b) {
  if (!(a <= 2 * b && b <= 2 * a)) fail_msg("%s, %s: %.3e and %.3e at rest", what, who, a, b);
}

static fb_sim* adaptive_or_fail(const fb_model* m, const char* method, double rtol) {
  fb_sim_options options = fb_default_sim_options();
  fb_stepper stepper;
  fb_error error;
  options.rtol = rtol;
  options.atol = 1e-12;
  options.step = 0;
  options.environment.gravity_w[2] = -9.81;
  options.method = strcmp(method, "dopri5") == 0 ? FB_METHOD_DOPRI5 : FB_METHOD_CUSTOM;
  options.stepper = &stepper;
  if (options.method == FB_METHOD_CUSTOM &&
      fb_stepper_new_sundials(method, rtol, options.atol, 0, &stepper, &error))
    fail_msg("%s", error.text);
  return sim_or_fail(m, &options);
}

/* ---- the observer ---- */

static void every_observer_finds_the_same_residual(void** unused) {
  (void)unused;
  fb_model* m = satellite(0);
  for (int pushed = -1; pushed < 2; pushed++)
    for (int i = 0; i < METHOD_COUNT; i++) {
      fb_sim_options options = options_of(METHODS[i], METHODS[i] == FB_METHOD_DOPRI5 ? 0.01 : 0.005);
      fb_ledger at_rest = observe(m, &options, OBSERVERS[0], pushed, 3);
      print_message("%-14s %s: energy %.2e, worst %.2e at %.3g s; momentum %.1e\n",
                    fb_method_name(METHODS[i]),
                    pushed < 0 ? "free  "
                    : pushed   ? "pushed"
                               : "motor ",
                    at_rest.relative, at_rest.worst, at_rest.worst_t, at_rest.momentum_worst);
      for (int k = 1; k < OBSERVER_COUNT; k++) {
        fb_ledger l = observe(m, &options, OBSERVERS[k], pushed, 3);
        is_same("relative", OBSERVERS[k].name, l.relative, at_rest.relative);
        is_same("worst", OBSERVERS[k].name, l.worst, at_rest.worst);
        is_same("residual", OBSERVERS[k].name, fabs(l.residual), fabs(at_rest.residual));
        if (at_rest.momentum_worst > 1e-9)
          is_same("momentum", OBSERVERS[k].name, l.momentum_worst, at_rest.momentum_worst);
        else
          assert_true(l.momentum_worst < 1e-6);
      }
    }
  fb_model_free(m);
}

/* With error control the steps differ a little: tolerances of the base go with its place and speed. */
static void error_control_makes_the_same_motion_for_every_observer(void** unused) {
  (void)unused;
  static const char* const methods[] = {"dopri5", "cvode", "arkode"};
  fb_model* m = satellite(0);
  for (int i = 0; i < (fb_sundials_available() ? 3 : 1); i++) {
    double at_rest = 0;
    for (int k = 0; k < OBSERVER_COUNT; k++) {
      fb_sim* sim = adaptive_or_fail(m, methods[i], 1e-6);
      const int pushed = 1;
      double q[16], v[16];
      fb_ledger l;
      add_thrust(sim, &pushed);
      bend(m, OBSERVERS[k].away, OBSERVERS[k].drift, q, v);
      start_or_fail(sim, q, v);
      run_or_fail(sim, 2);
      fb_sim_ledger(sim, &l);
      print_message("%-7s %-8s %lld steps, worst %.2e\n", methods[i], OBSERVERS[k].name, fb_sim_nstep(sim),
                    l.worst);
      if (k == 0) at_rest = l.worst;
      is_same("worst", OBSERVERS[k].name, l.worst, at_rest);
      fb_sim_free(sim);
    }
  }
  fb_model_free(m);
}

static void a_vibration_that_is_eaten_is_seen_from_orbit(void** unused) {
  (void)unused;
  fb_model* m = satellite(0);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.03); /* a fifth of its period: strongly damped */
  for (int k = 0; k < OBSERVER_COUNT; k++) {
    fb_ledger l = observe(m, &options, OBSERVERS[k], -1, 20);
    print_message("%-8s relative %.3g, worst %.3g at %.3g s\n", OBSERVERS[k].name, l.relative, l.worst,
                  l.worst_t);
    assert_true(l.relative > 0.5 && l.worst > 0.5 && l.worst < 10);
  }
  fb_model_free(m);
}

/* ---- the theorem, whatever acts ---- */

/* Steps that are short enough leave rounding: the energies about the centre of mass follow from the forces. */
static void the_books_of_a_tree_close_whatever_acts_on_it(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    double damping, gravity;
    int pushed, base; /* base: 0 free, 1 moved at a rate, 2 locked */
  } cases[] = {{"dampers at the base", 0.8, 0, 0, 0},
               {"falling, pushed", 0, 9.81, 1, 0},
               {"all of it", 0.3, 3, 1, 0},
               {"a base that is moved", 0, 9.81, 1, 1},
               {"a base that is locked", 0.2, 9.81, 1, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int k = 0; k < OBSERVER_COUNT; k++) {
      fb_model* m = satellite(cases[i].damping);
      double q[16], v[16];
      fb_sim_options options = options_of(FB_METHOD_RKMK4, 0.0005);
      options.environment.gravity_w[2] = -cases[i].gravity;
      fb_sim* sim = sim_or_fail(m, &options);
      fb_motion glide = {FB_MOTION_RATE, OBSERVERS[k].drift, NULL, .cookie_ = FB_COOKIE};
      fb_error error;
      fb_ledger l;
      int id;
      add_thrust(sim, &cases[i].pushed);
      assert_int_equal(fb_sim_add_motion(sim, &glide, &id, &error), FB_OK);
      if (cases[i].base == 1) assert_int_equal(fb_sim_set_motion(sim, 1, id, &error), FB_OK);
      if (cases[i].base == 2)
        assert_int_equal(fb_sim_set_joint_motion(sim, 1, FB_MOTION_LOCKED, &error), FB_OK);
      bend(m, OBSERVERS[k].away, OBSERVERS[k].drift, q, v);
      start_or_fail(sim, q, v);
      run_or_fail(sim, 0.5);
      fb_sim_ledger(sim, &l);
      if (k == 2)
        print_message("%-24s energy %.1e, momentum %.1e of %.3g J\n", cases[i].name, l.worst,
                      l.momentum_worst, l.scale);
      if (!(l.worst < 1e-8 && l.momentum_worst < 1e-8))
        fail_msg("%s, %s: energy %.1e, momentum %.1e", cases[i].name, OBSERVERS[k].name, l.worst,
                 l.momentum_worst);
      fb_sim_free(sim);
      fb_model_free(m);
    }
}

/* What does not move inside has nothing to lose: rounding must not be judged by rounding. */
static fb_status through_centre(void* user, const fb_context* context, const double* memory, const double* x,
                                fb_action* action, double* xdot, fb_error* error) {
  (void)user, (void)memory, (void)x, (void)xdot, (void)error;
  const fb_wrench jet = {
      .frame = fb_model_com_frame(context->model, 1), .force = {30, -10, 70}, .in_frame_axes = 1};
  action->wrenches[action->nwrench++] = jet;
  return FB_OK;
}

static void a_hull_without_motion_inside_is_not_warned_about(void** unused) {
  (void)unused;
  const fb_block jets = {.name = "jets", .nwrench = 1, .act = through_centre, .cookie_ = FB_COOKIE};
  double q[7] = {7e6, -3e6, 2e5, 0.5, 0.5, -0.5, 0.5}, v[6] = {1, 7500, -300, 0, 0, 0}, still[6] = {0};
  for (int i = 0; i < METHOD_COUNT; i++)
    for (int pushed = 0; pushed < 2; pushed++)
      for (int fast = 0; fast < 2; fast++) {
        fb_model_def* def = fb_model_def_new();
        static const double X[3] = {1, 0, 0}, ORIGIN[3] = {0, 0, 0};
        add_body(def, "hull", NULL, FB_JOINT_FREE, 37, X, ORIGIN, 0);
        fb_model* m = finish(def);
        fb_sim_options options = options_of(METHODS[i], 0.05);
        options.environment.gravity_w[0] = -8.7;
        fb_sim* sim = sim_or_fail(m, &options);
        if (pushed) block_or_fail(sim, &jets);
        start_or_fail(sim, q, fast ? v : still);
        run_or_fail(sim, 200);
        fb_ledger l;
        fb_sim_ledger(sim, &l);
        if (!(l.worst < 1e-6 && l.momentum_worst < 1e-4))
          fail_msg("%s: energy %.1e, momentum %.1e", fb_method_name(METHODS[i]), l.worst, l.momentum_worst);
        fb_sim_free(sim);
        fb_model_free(m);
      }
}

static void rest_on_a_spring_or_far_away_is_not_warned_about(void** unused) {
  (void)unused;
  for (int far = 0; far < 2; far++) {
    fb_model_def* def = fb_model_def_new();
    fb_body_def rod = body_of("rod", NULL, FB_JOINT_REVOLUTE, 3);
    rod.joint.axis[1] = 1;
    rod.joint.stiffness[0] = 1e4;
    rod.joint.at[2] = far ? 7e6 : 0;
    rod.com[0] = 0.7;
    add_or_fail(def, &rod);
    fb_model* m = finish(def);
    const double g = 9.81;
    double q = 0, v = 0;
    for (int i = 0; i < 20; i++) q = 3 * g * 0.7 * cos(q) / 1e4; /* where it hangs still */
    for (int i = 0; i < METHOD_COUNT; i++) {
      fb_sim_options options = options_of(METHODS[i], METHODS[i] == FB_METHOD_EULER ? 1e-4 : 1e-3);
      options.environment.gravity_w[2] = -g;
      fb_sim* sim = sim_or_fail(m, &options);
      start_or_fail(sim, &q, &v);
      run_or_fail(sim, 0.3);
      fb_ledger l;
      fb_sim_ledger(sim, &l);
      if (!(l.worst < 1e-4)) fail_msg("%s: %.1e of %.1e J", fb_method_name(METHODS[i]), l.worst, l.scale);
      fb_sim_free(sim);
    }
    fb_model_free(m);
  }
}

/* ---- forests ---- */

static void a_light_tree_is_not_hidden_by_a_heavy_one(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def table = body_of("table", NULL, FB_JOINT_FIXED, 1000),
              wheel = body_of("wheel", "table", FB_JOINT_REVOLUTE, 4e3),
              bob = body_of("bob", NULL, FB_JOINT_PRISMATIC, 0.01),
              probe = body_of("probe", "table", FB_JOINT_FREE, 0.02),
              mast = body_of("mast", "probe", FB_JOINT_PRISMATIC, 0.01);
  wheel.joint.axis[2] = bob.joint.axis[0] = mast.joint.axis[0] = 1;
  bob.joint.stiffness[0] = mast.joint.stiffness[0] = 1;
  add_or_fail(def, &table);
  add_or_fail(def, &wheel);
  add_or_fail(def, &bob);
  add_or_fail(def, &probe);
  add_or_fail(def, &mast);
  fb_model* m = finish(def);
  for (int who = 0; who < 2; who++) {
    fb_sim_options options =
        options_of(FB_METHOD_RK4, 0.12); /* a tenth of a second or so is a radian of it */
    fb_sim* sim = sim_or_fail(m, &options);
    double q[16], v[16] = {0};
    fb_ledger l;
    fb_neutral(m, q);
    v[fb_joint_v_index(m, fb_model_find_body(m, "wheel"))] = 30;
    v[fb_joint_v_index(m, fb_model_find_body(m, "probe"))] = 7500;
    q[fb_joint_q_index(m, fb_model_find_body(m, who ? "mast" : "bob"))] = 0.1;
    start_or_fail(sim, q, v);
    run_or_fail(sim, 20);
    fb_sim_ledger(sim, &l);
    print_message("%s: worst %.2g of %.2g J, peak of all %.2g J\n", fb_body_name(m, l.worst_body), l.worst,
                  l.scale, l.peak_kinetic);
    assert_string_equal(fb_body_name(m, l.worst_body), who ? "probe" : "bob");
    assert_true(l.worst > 0.01 && l.relative > 0.01 && l.scale < 0.01 && l.peak_kinetic > 1e5);
    assert_string_equal(fb_body_name(m, l.momentum_body),
                        "probe"); /* it floats, on a body that does not move */
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- jumps, snapshots ---- */

static void a_lock_at_7500_m_s_is_booked_to_the_last_digits(void** unused) {
  (void)unused;
  fb_model* m = satellite(0);
  double jumped[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    fb_sim_options options = options_of(FB_METHOD_RKMK4, 0.001);
    fb_sim* sim = sim_or_fail(m, &options);
    double q[16], v[16];
    fb_error error;
    fb_ledger l;
    bend(m, 7e6 * k, 7500 * k, q, v);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.1);
    assert_int_equal(fb_sim_set_joint_motion(sim, 2, FB_MOTION_LOCKED, &error), FB_OK);
    run_or_fail(sim, 0.2);
    fb_sim_ledger(sim, &l);
    jumped[k] = l.impacts;
    assert_true(l.worst < 1e-6 && l.momentum_worst < 1e-6 && l.impacts < -1);
    fb_sim_free(sim);
  }
  /* The centre of mass keeps its speed to rounding, 1e-12 m/s of 7500: M v dv is 1e-6 J of what the world sees. */
  assert_near("jumped", &jumped[1], &jumped[0], 1, 1e-5);
  fb_model_free(m);
}

/* The flap runs into a stop, bounces, and is pressed against it; and friction holds the hull of another at rest. */
static void limits_and_stiction_leave_the_books_closed(void** unused) {
  (void)unused;
  for (int held = 0; held < 2; held++)
    for (int i = 0; i < METHOD_COUNT; i++) {
      fb_model_def* def = fb_model_def_new();
      fb_body_def hull = body_of("hull", NULL, FB_JOINT_FREE, 100),
                  flap = body_of("flap", "hull", FB_JOINT_REVOLUTE, 3);
      for (int k = 0; held && k < 6; k++) hull.joint.friction[k] = 50;
      hull.joint.friction_speed = 0.1;
      hull.com[2] = -0.3;
      flap.joint.axis[2] = 1;
      flap.joint.at[1] = -0.6;
      flap.com[0] = 0.4;
      add_or_fail(def, &hull);
      add_or_fail(def, &flap);
      fb_model* m = finish(def);
      fb_sim_options options = options_of(METHODS[i], fb_method_traits(METHODS[i]).order < 2 ? 2e-5 : 1e-3);
      options.friction_law = held ? FB_FRICTION_STICTION : FB_FRICTION_SMOOTH;
      fb_sim* sim = sim_or_fail(m, &options);
      const fb_limit stop = {
          .coordinate = 6, .level = 0.5, .side = 1, .restitution = 0.4, .cookie_ = FB_COOKIE};
      double q[8] = {0, 0, 0, 1, 0, 0, 0, 0}, v[7] = {0, held ? 0 : 7500, 0, 0, 0, 0, 1.5};
      fb_error error;
      fb_ledger l;
      if (fb_sim_add_limit(sim, &stop, NULL, &error)) fail_msg("%s", error.text);
      start_or_fail(sim, q, v);
      run_or_fail(sim, 1);
      fb_sim_ledger(sim, &l);
      print_message("%-14s %s: energy %.1e at %.3g s, momentum %.1e at %.3g s, jumped %.3g J\n",
                    fb_method_name(METHODS[i]), held ? "held" : "free", l.worst, l.worst_t, l.momentum_worst,
                    l.momentum_worst_t, l.impacts);
      double bound = fb_method_traits(METHODS[i]).order < 2 ? 2e-3
                     : is_second_order(METHODS[i])          ? 1e-4
                                                            : 1e-7;
      assert_true(l.impacts < -0.01 && l.worst < bound && l.momentum_worst < bound);
      fb_sim_free(sim);
      fb_model_free(m);
    }
}

static void the_books_go_with_a_snapshot(void** unused) {
  (void)unused;
  fb_model* m = satellite(0.1);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.002);
    fb_sim *a = sim_or_fail(m, &options), *b = sim_or_fail(m, &options);
    double q[16], v[16];
    fb_error error;
    fb_ledger la, lb;
    memset(&la, 0, sizeof la);
    memset(&lb, 0, sizeof lb);
    bend(m, 100, 7500, q, v);
    start_or_fail(a, q, v);
    run_or_fail(a, 0.5);
    size_t size = fb_sim_snapshot_size(a);
    void* snapshot = malloc(size);
    fb_sim_save(a, snapshot);
    fb_neutral(m, q);
    memset(v, 0, sizeof v);
    start_or_fail(b, q, v);
    assert_int_equal(fb_sim_restore(b, snapshot, size - 8, &error), FB_ERR_STATE); /* as of an older layout */
    assert_non_null(strstr(error.text, "is of another simulation"));
    assert_int_equal(fb_sim_restore(b, snapshot, size, &error), FB_OK);
    run_or_fail(a, 1);
    run_or_fail(b, 1);
    fb_sim_ledger(a, &la);
    fb_sim_ledger(b, &lb);
    assert_memory_equal(&la, &lb, sizeof la);
    free(snapshot);
    fb_sim_free(a);
    fb_sim_free(b);
  }
  fb_model_free(m);
}

static void a_single_step_is_judged(void** unused) {
  (void)unused;
  fb_model* m = satellite(0);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim_options options = options_of(METHODS[i], 0.002);
    fb_ledger l = observe(m, &options, OBSERVERS[2], 1, 0.002);
    assert_true(l.worst_t == 0.002 && l.worst == l.relative && l.worst > 0 && isfinite(l.worst));
    l = observe(m, &options, OBSERVERS[2], 1, 0);
    assert_true(l.worst == 0 && l.relative == 0 && l.momentum_worst == 0);
  }
  fb_model_free(m);
}

/* ---- work ---- */

/* A rod turned at a constant rate against gravity: its path is exact, so its work alone asks for steps. */
static void the_work_of_a_motion_that_needs_no_steps_is_right(void** unused) {
  (void)unused;
  static const struct {
    const char* method;
    double rate, t, rtol;
  } cases[] = {{"dopri5", 1, 10, 1e-9},   {"dopri5", 1, 1000, 1e-9}, {"dopri5", 7, 100, 1e-6},
               {"cvode", 1, 10, 1e-9},    {"cvode", 3, 100, 1e-6},   {"arkode", 1, 10, 1e-9},
               {"arkode", 1, 1000, 1e-9}, {"arkode", 3, 100, 1e-6}};
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(cases[i].method, "dopri5") != 0 && !fb_sundials_available()) continue;
    fb_sim* sim = adaptive_or_fail(m, cases[i].method, cases[i].rtol);
    fb_motion turning = {FB_MOTION_RATE, cases[i].rate, NULL, .cookie_ = FB_COOKIE};
    double q = 0, v = cases[i].rate;
    int id;
    fb_error error;
    fb_ledger l;
    assert_int_equal(fb_sim_add_motion(sim, &turning, &id, &error), FB_OK);
    assert_int_equal(fb_sim_set_motion(sim, 0, id, &error), FB_OK);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, cases[i].t);
    fb_sim_ledger(sim, &l);
    double wanted = 9.81 * (1 - cos(cases[i].rate * cases[i].t)), off = fabs(l.work - wanted);
    print_message(
        "%-7s %2g rad/s for %4g s at %.0e: %5lld steps, work off by %.1e of %.1f J exchanged, worst %.1e\n",
        cases[i].method, cases[i].rate, cases[i].t, cases[i].rtol, fb_sim_nstep(sim), off, l.gross, l.worst);
    assert_true(off < 20 * cases[i].rtol * l.gross); /* errors of the steps add up */
    assert_true(l.worst < 20 * cases[i].rtol);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- the log and the last instant ---- */

/* One period of a pendulum of one metre, by the arithmetic-geometric mean. */
static double period_of(double amplitude) {
  double a = 1, b = cos(amplitude / 2);
  for (int i = 0; i < 8; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * acos(-1) / (a * sqrt(9.81));
}

static fb_sim* swing(const fb_model* m, fb_method method, double amplitude, int steps) {
  fb_sim_options options = options_of(method, period_of(amplitude) / steps);
  options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = sim_or_fail(m, &options);
  start_or_fail(sim, &amplitude, &(double){0});
  return sim;
}

static void a_run_looked_at_once_is_judged_like_one_looked_at_often(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double amplitude = 1.2, period = period_of(amplitude);
  for (int i = 0; i < METHOD_COUNT; i++) {
    fb_sim *once = swing(m, METHODS[i], amplitude, 500), *often = swing(m, METHODS[i], amplitude, 500);
    fb_ledger a, b;
    run_or_fail(once, period);
    fb_sim_ledger(once, &a);
    for (int k = 1; k <= 100; k++) {
      run_or_fail(often, k < 100 ? period * 5 * k / 500 : period);
      fb_sim_ledger(often, &b);
    }
    print_message("%-14s relative %.1e, worst %.1e at %.3g s\n", fb_method_name(METHODS[i]), a.relative,
                  a.worst, a.worst_t);
    assert_true(a.relative < (fb_method_traits(METHODS[i]).order < 2 ? 0.1
                              : is_second_order(METHODS[i])          ? 1e-4
                                                                     : 1e-7));
    assert_true(a.scale > 0.9 * 9.81 * (1 - cos(amplitude)));
    is_same("relative", "often", b.relative + 1e-14, a.relative + 1e-14); /* steps end an ulp apart */
    is_same("worst", "often", b.worst, a.worst);
    fb_sim_free(once);
    fb_sim_free(often);
  }
  fb_model_free(m);
}

/* The midpoint rule comes back to its energy after each swing: the end says nothing about what was in between. */
static void the_worst_residual_is_kept_and_when_it_was(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  const double amplitude = 2.5, period = period_of(amplitude);
  fb_sim* sim = swing(m, FB_METHOD_MOMENTUM, amplitude, 40);
  fb_ledger l;
  double worst = 0, worst_t = 0, end = 0;
  fb_error error;
  while (fb_sim_time(sim) < 0.999 * period) {
    assert_int_equal(fb_sim_step(sim, period, &error), FB_OK);
    fb_sim_ledger(sim, &l);
    end = fabs(l.residual);
    if (end <= worst) continue;
    worst = end;
    worst_t = fb_sim_time(sim);
  }
  print_message("relative %.1e at the end, worst %.1e at %.3g s of %.3g s\n", l.relative, l.worst, l.worst_t,
                period);
  assert_true(l.worst > 10 * l.relative && l.worst > 1e-3);
  assert_true(l.worst_t == worst_t && fabs(l.worst - worst / l.scale) < 0.2 * l.worst);
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_observer_finds_the_same_residual),
      cmocka_unit_test(error_control_makes_the_same_motion_for_every_observer),
      cmocka_unit_test(a_vibration_that_is_eaten_is_seen_from_orbit),
      cmocka_unit_test(the_books_of_a_tree_close_whatever_acts_on_it),
      cmocka_unit_test(a_hull_without_motion_inside_is_not_warned_about),
      cmocka_unit_test(rest_on_a_spring_or_far_away_is_not_warned_about),
      cmocka_unit_test(a_light_tree_is_not_hidden_by_a_heavy_one),
      cmocka_unit_test(a_lock_at_7500_m_s_is_booked_to_the_last_digits),
      cmocka_unit_test(limits_and_stiction_leave_the_books_closed),
      cmocka_unit_test(the_books_go_with_a_snapshot),
      cmocka_unit_test(a_single_step_is_judged),
      cmocka_unit_test(the_work_of_a_motion_that_needs_no_steps_is_right),
      cmocka_unit_test(a_run_looked_at_once_is_judged_like_one_looked_at_often),
      cmocka_unit_test(the_worst_residual_is_kept_and_when_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
