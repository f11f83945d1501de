/* test_momentum_method.c -- the variational midpoint rule: its order on every joint type, under every kind of force
 * and with moved coordinates; momentum to round-off; energy that does not drift.
 *
 * Second method: dopri5 with tight tolerances, which shares nothing with it but the forces. The long runs that the
 * docs quote are made by bench/long_run.c. */
#include "momentum_rig.h"

/* --- the order --- */

/* The distance of two motions at their ends: configurations on the group, velocities. */
static double distance(const fb_sim* a, const fb_sim* b) {
  const fb_model* m = fb_sim_model(a);
  int nv = fb_model_nv(m);
  double *dq = numbers_new(nv), worst = 0;
  fb_difference(m, fb_sim_q(a), fb_sim_q(b), dq);
  for (int k = 0; k < nv; k++)
    worst = worse_of(worst, worse_of(fabs(dq[k]), fabs(fb_sim_v(a)[k] - fb_sim_v(b)[k])));
  free(dq);
  return worst;
}

/* log2 of the errors at h and at h/2; the latter's ledger. */
static double observed_order(const scene* c, double h, double t, fb_ledger* ledger) {
  fb_sim *exact = begin(c, FB_METHOD_DOPRI5, 0), *coarse = begin(c, FB_METHOD_MOMENTUM, h),
         *fine = begin(c, FB_METHOD_MOMENTUM, h / 2);
  run_to(exact, t);
  run_to(coarse, t);
  run_to(fine, t);
  double at_h = distance(coarse, exact), at_half = distance(fine, exact);
  if (ledger) fb_sim_ledger(fine, ledger);
  fb_sim_free(exact);
  fb_sim_free(coarse);
  fb_sim_free(fine);
  assert_true(at_half > 1e-13 && at_h < 0.1); /* errors of the method, not of rounding or of another motion */
  return log2(at_h / at_half);
}

static void check_order(const char* what, const scene* c, double h, double t) {
  fb_ledger ledger;
  double order = observed_order(c, h, t, &ledger);
  print_message("%-44s order %.3f, ledger %.1e\n", what, order, ledger.relative);
  if (!(fabs(order - 2) < 0.1)) fail_msg("%s: the order is %g", what, order);
  assert_true(ledger.relative < 1e-3);
}

static void the_order_on_a_free_flyer_with_six_joints_is_two(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(6), 1);
  check_order("free flyer, 6 joints", &c, 0.004, 1);
  scene_free(&c);
}

static void the_order_is_two_for_every_joint_type(void** unused) {
  (void)unused;
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++)
    for (int fixed = 0; fixed < 2; fixed++) {
      char what[64];
      fb_joint_type root = fixed ? FB_JOINT_FIXED : FB_JOINT_FREE;
      scene c = scene_new(chain_of(root, (fb_joint_type)type, 1, (uint64_t)type + 3), (uint64_t)type + 5);
      snprintf(what, sizeof what, "%s joints on a %s base", fb_joint_type_name((fb_joint_type)type),
               fixed ? "fixed" : "floating");
      c.options.environment.gravity_w[2] = -1.5;
      if (fb_model_nv(c.m) > 0) check_order(what, &c, 0.005, 0.4);
      scene_free(&c);
    }
}

/* All floating bases drift. */
static void let_drift(scene* c, double speed) {
  for (int b = 1; b < fb_model_nbody(c->m); b++)
    if (fb_body_parent(c->m, b) == FB_WORLD && fb_joint_type_of(c->m, b) == FB_JOINT_FREE)
      for (int j = 0; j < 3; j++) c->v[fb_joint_v_at(c->m, b) + j] += (j + 1) * speed;
}

static void the_order_is_two_for_forests_under_blocks_with_states_and_wrenches(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 16; seed++) {
    fb_random r = random_seed(seed % 8 + 300);
    scene c = scene_new(random_forest(&r, 5, 0, 0), seed % 8);
    char what[64];
    snprintf(what, sizeof what, "forest %d, %d trees%s", (int)seed, fb_model_ntree(c.m),
             seed < 8 ? "" : ", drifting");
    c.options.environment.gravity_w[0] = 2;
    c.add = add_push;
    if (seed >= 8) let_drift(&c, 30);
    check_order(what, &c, 0.005, 0.3);
    scene_free(&c);
  }
}

/* Its dampers to the world slow the tree down. */
static void the_order_is_two_for_a_base_with_dampers(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = body("base", NULL, FB_JOINT_FREE, 20), arm = body("arm", "base", FB_JOINT_REVOLUTE, 5);
  for (int i = 0; i < 6; i++) base.joint.damping[i] = 3 + i;
  add_body(def, &base);
  add_body(def, &arm);
  scene c = scene_new(def, 2);
  c.options.environment.gravity_w[2] = -3;
  let_drift(&c, 5);
  check_order("base with dampers", &c, 0.01, 1);
  scene_free(&c);
}

/* --- coordinates that are moved --- */

static fb_spline* wave; /* a path for the tests below */

static void move(fb_sim* sim, int k, const fb_motion* motion) {
  fb_error error;
  int id = FB_MOVE_LOCKED;
  if (motion) check(fb_sim_add_motion(sim, motion, &id, &error));
  check(fb_sim_move(sim, k, id, &error));
}

static void lock_rate_and_path(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.7, NULL}, path = {FB_MOTION_PATH, 0, wave};
  move(sim, 6, NULL);
  move(sim, 8, &rate);
  move(sim, 10, &path);
}

static void turn_base(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.4, NULL};
  move(sim, 1, NULL);
  for (int k = 3; k < 6; k++) move(sim, k, &rate);
}

/* One axis of an attitude is given; forces along the others then turn with it. */
static void turn_base_about_one_axis(fb_sim* sim) {
  const fb_motion rate = {FB_MOTION_RATE, 0.4, NULL};
  move(sim, 4, &rate);
  add_push(sim);
}

static void the_order_is_two_with_moved_coordinates(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    void (*add)(fb_sim* sim);
  } CASES[] = {{"joints locked, at a rate, on a path", lock_rate_and_path},
               {"base held in part", turn_base},
               {"base turned about one axis", turn_base_about_one_axis}};
  fb_error error;
  const double times[] = {0, 0.4, 1.2}, values[] = {0.3, 0.8, -0.2};
  check(fb_spline_cubic(3, times, values, &wave, &error));
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    scene c = scene_new(free_flyer(6), 1);
    c.options.environment.gravity_w[1] = -1;
    c.add = CASES[i].add;
    check_order(CASES[i].name, &c, 0.005, 0.4);
    scene_free(&c);
  }
  fb_spline_free(wave);
}

/* --- momentum and energy over many turns --- */

typedef struct drift {
  double linear, angular;         /* worst residuals, of sum m |v| and sum |L_i| */
  double energy, first_half;      /* worst residual of energy, of peak kinetic energy */
  double mean_first, mean_second; /* its means over both halves */
} drift;

static drift watch(fb_sim* sim, double t_end, int samples) {
  drift d = {0};
  fb_ledger l;
  for (int i = 1; i <= samples; i++) {
    run_to(sim, t_end * i / samples);
    fb_sim_ledger(sim, &l);
    double energy = l.residual / l.peak_kinetic;
    double speed =
        hypot(hypot(l.linear[0], l.linear[1]), l.linear[2]); /* of what falls: it has the rounding of that */
    if (l.linear_scale > 0) d.linear = worse_of(d.linear, l.linear_residual / (l.linear_scale + speed));
    if (l.angular_scale > 0) d.angular = worse_of(d.angular, l.angular_residual / l.angular_scale);
    d.energy = worse_of(d.energy, fabs(energy));
    if (2 * i <= samples) d.first_half = d.energy;
    *(2 * i <= samples ? &d.mean_first : &d.mean_second) += 2 * energy / samples;
  }
  return d;
}

static void print_drift(const char* what, const drift* d) {
  print_message("%-28s momentum %.1e %.1e, energy %.1e (first half %.1e), means %.1e %.1e\n", what, d->linear,
                d->angular, d->energy, d->first_half, d->mean_first, d->mean_second);
}

/* Energy may swing by `swing`, and its mean may not wander by more than a tenth of that. */
static void check_drift(const char* what, const drift* d, double swing) {
  print_drift(what, d);
  assert_true(d->linear <= 1e-13 && d->angular <= 1e-13);
  assert_true(d->energy <= swing);
  assert_true(fabs(d->mean_second - d->mean_first) <= 0.1 * swing);
}

static void a_tumbling_free_flyer_keeps_momentum_to_round_off_and_energy_without_drift(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(6), 1);
  for (int k = 0; k < 6; k++) c.v[k] *= 0.5;
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  drift d = watch(sim, 30, 300);
  check_drift("free flyer", &d, 2e-4);
  fb_sim_free(sim);
  scene_free(&c);
}

/* Four minutes of a body that spins about its middle axis, which turns over in space at every flip. */
static int count_flips(fb_sim* sim, drift* worst) {
  int flips = 0, side = 1;
  for (int i = 1; i <= 960; i++) {
    double R[9];
    fb_ledger l;
    run_to(sim, 0.25 * i);
    fb_rot_from_quat(fb_sim_q(sim) + 3, R);
    fb_sim_ledger(sim, &l);
    worst->angular = worse_of(worst->angular, l.angular_residual / l.angular_scale);
    worst->energy = worse_of(worst->energy, fabs(l.residual) / l.peak_kinetic);
    if (side * R[4] > -0.5) continue;
    side = -side;
    flips++;
  }
  return flips;
}

static void a_body_flips_about_its_middle_axis_again_and_again(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def b = body("top", NULL, FB_JOINT_FREE, 5);
  const double inertia[6] = {1, 2, 3, 0, 0, 0}, v[6] = {0.03, 0, -0.01, 0.02, 2, 0};
  memcpy(b.inertia, inertia, sizeof inertia);
  add_body(def, &b);
  scene c = scene_new(def, 1);
  fb_neutral(c.m, c.q);
  memcpy(c.v, v, sizeof v);
  fb_sim *sim = begin(&c, FB_METHOD_MOMENTUM, 0.01), *exact = begin(&c, FB_METHOD_DOPRI5, 0);
  drift worst = {0}, unread = {0};
  int flips = count_flips(sim, &worst), wanted = count_flips(exact, &unread);
  print_message("%d flips of %d, angular momentum %.1e, energy %.1e\n", flips, wanted, worst.angular,
                worst.energy);
  assert_true(wanted > 20 && abs(flips - wanted) <= 1);
  assert_true(worst.angular < 1e-13); /* the place itself has rounding of this size by then */
  assert_true(worst.energy < 3e-5);
  fb_sim_free(sim);
  fb_sim_free(exact);
  scene_free(&c);
}

static void energy_does_not_drift_in_a_field_on_springs_or_on_any_base(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    fb_joint_type root, type;
    double stiffness, gravity, swing;
  } CASES[] = {{"triple pendulum", FB_JOINT_FIXED, FB_JOINT_REVOLUTE, 0, -3, 2e-4},
               {"spherical pendulum", FB_JOINT_FIXED, FB_JOINT_SPHERICAL, 0, -3, 2e-4},
               {"planar joints on springs", FB_JOINT_FREE, FB_JOINT_PLANAR, 20, 0, 5e-3},
               {"springs on a sled", FB_JOINT_PRISMATIC, FB_JOINT_UNIVERSAL, 20, 0, 2e-3},
               {"falling tree", FB_JOINT_FREE, FB_JOINT_SPHERICAL, 0, -3, 2e-5}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static const char* const NAMES[] = {"base", "a", "b", "c"};
    fb_model_def* def = fb_model_def_new();
    for (int k = 0; k < 4; k++) {
      fb_body_def b = body(NAMES[k], k == 0 ? NULL : NAMES[k - 1], k == 0 ? CASES[i].root : CASES[i].type, 5);
      const double axis[3] = {k == 1, k != 1, 0}, axis2[3] = {0, 0, 1};
      memcpy(b.joint.axis, axis, sizeof axis);
      memcpy(b.joint.axis2, axis2, sizeof axis2);
      if (b.joint.type != FB_JOINT_FREE && b.joint.type != FB_JOINT_SPHERICAL &&
          b.joint.type != FB_JOINT_FIXED)
        for (int j = 0; j < fb_joint_type_nv(b.joint.type); j++) b.joint.stiffness[j] = CASES[i].stiffness;
      add_body(def, &b);
    }
    scene c = scene_new(def, 4);
    c.options.environment.gravity_w[2] = CASES[i].gravity;
    fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
    drift d = watch(sim, 8, 160);
    check_drift(CASES[i].name, &d, CASES[i].swing);
    fb_sim_free(sim);
    scene_free(&c);
  }
}

/* --- as an integrator among others --- */

static void impulses_from_outside_are_all_that_momentum_gains(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(4), 2);
  c.options.environment.gravity_w[0] = 0.5;
  c.add = add_push;
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  drift d = watch(sim, 5, 50);
  print_drift("pushed", &d);
  assert_true(d.linear <= 1e-13 && d.angular <= 1e-13);
  fb_sim_free(sim);
  scene_free(&c);
}

static void add_events(fb_sim* sim) {
  fb_error error;
  int count;
  fb_event beat = {.name = "beat", .kind = FB_TRIGGER_TIME, .time = 0.0371, .period = 0.0371};
  fb_event crossing = {.name = "crossing", .kind = FB_TRIGGER_CROSSING, .level = 0.1};
  check(fb_signal_find(fb_sim_model(sim), "v.j3", &crossing.signal, 1, &count, &error));
  check(fb_sim_add_event(sim, &beat, NULL, &error));
  check(fb_sim_add_event(sim, &crossing, NULL, &error));
}

static void events_that_cut_steps_short_leave_momentum_alone(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(6), 1);
  c.add = add_events;
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  drift d = watch(sim, 10, 100);
  print_drift("with events", &d);
  assert_true(d.linear <= 1e-13 && d.angular <= 1e-13);
  fb_sim_free(sim);
  scene_free(&c);
}

static void a_snapshot_goes_on_bit_for_bit(void** unused) {
  (void)unused;
  fb_error error;
  scene c = scene_new(free_flyer(6), 3);
  c.add = add_push;
  fb_sim *a = begin(&c, FB_METHOD_MOMENTUM, 0.01), *b = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  size_t size = fb_sim_snapshot_size(a);
  void* snapshot = malloc(size);
  run_to(a, 0.5);
  fb_sim_save(a, snapshot);
  run_to(a, 1);
  run_to(b, 0.1);
  check(fb_sim_restore(b, snapshot, size, &error));
  run_to(b, 1);
  assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)fb_sim_ny(a) * sizeof(double));
  assert_true(fb_sim_evaluations(a) > 0);
  free(snapshot);
  fb_sim_free(a);
  fb_sim_free(b);
  scene_free(&c);
}

static void looking_inside_a_step_changes_nothing_and_finds_the_shorter_step(void** unused) {
  (void)unused;
  fb_error error;
  scene c = scene_new(free_flyer(6), 3);
  fb_sim *a = begin(&c, FB_METHOD_MOMENTUM, 0.01), *b = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  int nq = fb_model_nq(c.m), nv = fb_model_nv(c.m);
  double *q = numbers_new(nq), *v = numbers_new(nv);
  run_to(a, 0.1);
  run_to(b, 0.1);
  check(fb_sim_state_at(a, 0.093, q, v, &error));
  run_to(a, 0.2);
  run_to(b, 0.2);
  assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)fb_sim_ny(a) * sizeof(double));
  fb_sim* shorter = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  run_to(shorter, 0.09);
  run_to(shorter, 0.093);
  assert_near("q", q, fb_sim_q(shorter), nq, 1e-14);
  assert_near("v", v, fb_sim_v(shorter), nv, 1e-14);
  free(q);
  free(v);
  fb_sim_free(a);
  fb_sim_free(b);
  fb_sim_free(shorter);
  scene_free(&c);
}

static void a_step_too_long_is_refused_with_the_joint_and_what_to_do(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def b = body("swing", NULL, FB_JOINT_REVOLUTE, 1);
  b.joint.name = "hinge";
  b.joint.stiffness[0] = 1e6;
  add_body(def, &b);
  scene c = scene_new(def, 1);
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.1);
  fb_error error;
  assert_int_equal(fb_sim_run_to(sim, 1, &error), FB_ERR_NO_SOLUTION);
  print_message("%s\n", error.text);
  assert_non_null(strstr(error.text, "hinge"));
  assert_non_null(strstr(error.text, "0.1 s did not converge"));
  assert_non_null(strstr(error.text, "shorten the step"));
  fb_sim_free(sim);
  scene_free(&c);
}

static void rest_stays_rest(void** unused) {
  (void)unused;
  scene c = scene_new(lone_body(FB_JOINT_SPHERICAL), 1);
  memset(c.v, 0, 3 * sizeof *c.v);
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  run_to(sim, 1);
  for (int k = 0; k < 3; k++) assert_true(fb_sim_v(sim)[k] == 0);
  assert_near("q", fb_sim_q(sim), c.q, 4, 1e-15);
  fb_sim_free(sim);
  scene_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_on_a_free_flyer_with_six_joints_is_two),
      cmocka_unit_test(the_order_is_two_for_every_joint_type),
      cmocka_unit_test(the_order_is_two_for_forests_under_blocks_with_states_and_wrenches),
      cmocka_unit_test(the_order_is_two_for_a_base_with_dampers),
      cmocka_unit_test(the_order_is_two_with_moved_coordinates),
      cmocka_unit_test(a_tumbling_free_flyer_keeps_momentum_to_round_off_and_energy_without_drift),
      cmocka_unit_test(a_body_flips_about_its_middle_axis_again_and_again),
      cmocka_unit_test(energy_does_not_drift_in_a_field_on_springs_or_on_any_base),
      cmocka_unit_test(impulses_from_outside_are_all_that_momentum_gains),
      cmocka_unit_test(events_that_cut_steps_short_leave_momentum_alone),
      cmocka_unit_test(a_snapshot_goes_on_bit_for_bit),
      cmocka_unit_test(looking_inside_a_step_changes_nothing_and_finds_the_shorter_step),
      cmocka_unit_test(a_step_too_long_is_refused_with_the_joint_and_what_to_do),
      cmocka_unit_test(rest_stays_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
