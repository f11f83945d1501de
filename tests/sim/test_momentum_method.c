/* test_momentum_method.c -- the variational midpoint rule: momentum to round-off, energy that does not drift. Its order
 * is measured in test_second_order.c; the long runs that the docs quote are made by bench/long_run.c. */
#include "base/cookie.h"
#include "momentum_rig.h"

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
  fb_event beat = {
      .name = "beat", .kind = FB_TRIGGER_TIME, .time = 0.0371, .period = 0.0371, .cookie_ = FB_COOKIE};
  fb_event crossing = {.name = "crossing", .kind = FB_TRIGGER_CROSSING, .level = 0.1, .cookie_ = FB_COOKIE};
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
  assert_true(fb_sim_nevaluation(a) > 0);
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
  check(fb_sim_eval_state(a, 0.093, q, v, &error));
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
  assert_int_equal(fb_sim_run_until(sim, 1, &error), FB_ERR_NO_SOLUTION);
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
