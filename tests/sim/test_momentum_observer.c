/* test_momentum_observer.c -- the momentum-preserving method gives every observer the same motion: drift, place and
 * uniform gravity do nothing to attitudes and joints, and move the centre of mass along its parabola. */
#include "base/cookie.h"
#include "momentum_rig.h"

#include <freebody/kinematics.h>

/* The body that moves by coordinate k. */
static int body_of(const fb_model* m, int k) {
  int b = 1;
  while (k < fb_joint_v_index(m, b) || k >= fb_joint_v_index(m, b) + fb_joint_nv(m, b)) b++;
  return b;
}

/* Whether coordinate k is a translation of a base that floats. */
static int is_drift(const fb_model* m, int k) {
  int b = body_of(m, k);
  return fb_body_parent(m, b) == FB_WORLD && fb_joint_type_of(m, b) == FB_JOINT_FREE &&
         k - fb_joint_v_index(m, b) < 3;
}

/* The largest difference of attitudes, joints and their rates. */
static double inner_distance(const fb_sim* a, const fb_sim* b) {
  const fb_model* m = fb_sim_model(a);
  int nv = fb_model_nv(m);
  double *dq = numbers_new(nv), worst = 0;
  fb_difference(m, fb_sim_q(a), fb_sim_q(b), dq);
  for (int k = 0; k < nv; k++)
    if (!is_drift(m, k))
      worst = worse_of(worse_of(worst, fabs(dq[k])), fabs(fb_sim_v(a)[k] - fb_sim_v(b)[k]));
  free(dq);
  return worst;
}

/* What an observer sees of a scene: how far off all bases are, how fast they drift, uniform gravity. */
typedef struct observer {
  const char* name;
  double place[3], drift[3], gravity[3];
} observer;

static const observer OBSERVERS[] = {
    {"at rest", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {"10 m/s", {0, 0, 0}, {10, -3, 2}, {0, 0, 0}},
    {"7500 m/s, 7000 km", {7e6, -1e5, 3e5}, {-200, 7500, 30}, {0, 0, 0}},
    {"gravity", {0, 0, 0}, {0, 0, 0}, {0.3, -0.2, -9.81}},
    {"all of these", {-3e5, 7e6, 0}, {7500, 0, -100}, {-8, 1, 2}},
};
enum { NOBSERVER = sizeof OBSERVERS / sizeof OBSERVERS[0] };

/* The scene as the observer sees it; joints of bases stand with their axes along the world's. */
static fb_sim* seen_by(const scene* c, const observer* o, fb_method method, double step) {
  scene seen = *c;
  int nq = fb_model_nq(c->m), nv = fb_model_nv(c->m);
  seen.q = numbers_new(nq);
  seen.v = numbers_new(nv);
  memcpy(seen.q, c->q, (size_t)nq * sizeof *c->q);
  memcpy(seen.v, c->v, (size_t)nv * sizeof *c->v);
  memcpy(seen.options.environment.gravity_w, o->gravity, sizeof o->gravity);
  for (int k = 0; k < nv; k++) {
    int b = body_of(c->m, k), j = k - fb_joint_v_index(c->m, b);
    if (!is_drift(c->m, k)) continue;
    seen.q[fb_joint_q_index(c->m, b) + j] += o->place[j];
    seen.v[k] += o->drift[j];
  }
  fb_sim* sim = begin(&seen, method, step);
  free(seen.q);
  free(seen.v);
  return sim;
}

/* Every observer's motion against that of the first. */
static void check_observers(const char* what, const scene* c, double step, double t, double tolerance) {
  fb_sim* still = seen_by(c, &OBSERVERS[0], FB_METHOD_MOMENTUM, step);
  run_to(still, t);
  for (int i = 1; i < NOBSERVER; i++) {
    fb_sim* sim = seen_by(c, &OBSERVERS[i], FB_METHOD_MOMENTUM, step);
    fb_ledger ledger;
    run_to(sim, t);
    fb_sim_ledger(sim, &ledger);
    double off = inner_distance(sim, still);
    print_message("%-28s %-20s off %.1e, ledger %.1e %.1e %.1e\n", what, OBSERVERS[i].name, off,
                  ledger.relative, ledger.linear_residual / ledger.linear_scale,
                  ledger.angular_residual / ledger.angular_scale);
    if (!(off <= tolerance)) fail_msg("%s, %s: off by %g", what, OBSERVERS[i].name, off);
    double drift = hypot(hypot(ledger.linear[0], ledger.linear[1]), ledger.linear[2]); /* rounds with M v */
    assert_true(ledger.linear_residual <= 1e-13 * (ledger.linear_scale + drift));
    /* seen from far away, angular momentum has the rounding of distance times linear momentum */
    double far = 0;
    for (int j = 0; j < 3; j++)
      far += fabs(OBSERVERS[i].place[j]) + fabs(t * OBSERVERS[i].drift[j]) +
             t * t * fabs(OBSERVERS[i].gravity[j]);
    assert_true(ledger.angular_residual <= 1e-13 * (ledger.angular_scale + far * ledger.linear_scale));
    fb_sim_free(sim);
  }
  fb_sim_free(still);
}

/* --- models --- */

static fb_body_def satellite(double mass, double off) {
  fb_body_def b = fb_default_body_def();
  const double inertia[6] = {1, 1.5, 2, 0, 0, 0};
  b.name = "satellite";
  b.joint.type = FB_JOINT_FREE;
  b.mass = mass;
  b.com[0] = off;
  memcpy(b.inertia, inertia, sizeof inertia);
  return b;
}

/* One body, its centre of mass `off` from its origin. */
static fb_model_def* lone_satellite(double off) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def b = satellite(10, off);
  add_body(def, &b);
  return def;
}

static scene spinning(fb_model_def* def) {
  scene c = scene_new(def, 1);
  const double w[3] = {0.1, 1, 0.05};
  fb_neutral(c.m, c.q);
  memset(c.v, 0, (size_t)fb_model_nv(c.m) * sizeof *c.v);
  memcpy(c.v + 3, w, sizeof w);
  return c;
}

/* A base of this mass under an arm of 45 kg. */
static fb_model_def* on_a_base_of(double mass) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = body("base", NULL, FB_JOINT_FREE, mass), a = body("a", "base", FB_JOINT_REVOLUTE, 40),
              b = body("b", "a", FB_JOINT_SPHERICAL, 5);
  add_body(def, &base);
  add_body(def, &a);
  add_body(def, &b);
  return def;
}

/* All that there is hangs on a base without mass. */
static fb_model_def* on_a_bracket(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = satellite(0, 0), b = satellite(10, 0.1);
  const double at[3] = {0.3, -0.2, 1};
  memset(base.inertia, 0, sizeof base.inertia);
  base.name = "bracket";
  b.parent = "bracket";
  b.joint.type = FB_JOINT_FIXED;
  memcpy(b.joint.at, at, sizeof at);
  add_body(def, &base);
  add_body(def, &b);
  return def;
}

/* Two floating trees and a pendulum on springs, with dampers and rotors. */
static fb_model_def* forest(void) {
  fb_model_def* def = chain_of(FB_JOINT_FREE, FB_JOINT_UNIVERSAL, 1, 4);
  fb_body_def other = body("other", NULL, FB_JOINT_FREE, 7),
              link = body("link", "other", FB_JOINT_PRISMATIC, 3),
              post = body("post", NULL, FB_JOINT_REVOLUTE, 2);
  link.joint.stiffness[0] = 10;
  link.joint.damping[0] = 0.2;
  post.joint.stiffness[0] = 5;
  add_body(def, &other);
  add_body(def, &link);
  add_body(def, &post);
  return def;
}

/* --- drift and gravity --- */

static void attitude_and_joints_do_not_depend_on_drift_place_or_gravity(void** unused) {
  (void)unused;
  /* Not even by rounding, where all trees float and nothing pushes them from outside. */
  scene lone = spinning(lone_satellite(0.1)), centred = spinning(lone_satellite(0)),
        bracket = spinning(on_a_bracket());
  check_observers("one body", &lone, 0.01, 10, 0);
  check_observers("one body, com at its origin", &centred, 0.01, 10, 0);
  scene tree = scene_new(free_flyer(6), 1),
        soft = scene_new(chain_of(FB_JOINT_FREE, FB_JOINT_CYLINDRICAL, 1, 3), 2);
  check_observers("tree", &tree, 0.01, 5, 0);
  check_observers("springs, dampers, rotors", &soft, 0.005, 1, 0);
  scene_free(&lone);
  scene_free(&centred);
  scene_free(&bracket);
  scene_free(&tree);
  scene_free(&soft);
}

static void the_lightest_base_under_the_heaviest_arm_does_not_either(void** unused) {
  (void)unused;
  static const double MASSES[] = {4e7, 40, 4e-3}; /* lighter ones need shorter steps to converge */
  for (size_t i = 0; i < sizeof MASSES / sizeof MASSES[0]; i++) {
    char what[40];
    scene c = scene_new(on_a_base_of(MASSES[i]), 6);
    snprintf(what, sizeof what, "base of %g kg", MASSES[i]);
    check_observers(what, &c, 0.005, 1, 0);
    scene_free(&c);
  }
}

/* Pushes that every observer sees alike: torques of joints, a torque and a force that stay with a far link. */
static fb_status thrust(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  (void)user;
  (void)memory;
  (void)error;
  const fb_model* m = context->model;
  for (int k = 0; k < fb_model_nv(m); k++)
    if (fb_joint_type_of(m, body_of(m, k)) != FB_JOINT_FREE)
      action->tau[k] += sin(2 * context->t + k) - 0.1 * context->v[k];
  fb_wrench* w = fb_action_add_wrench(action);
  w->frame = fb_model_nbody(m) - 1;
  w->in_frame_axes = 1;
  w->force[0] = 20 * cos(context->t) + state[0];
  w->force[2] = 3;
  w->torque[1] = 0.5;
  w = fb_action_add_wrench(action);
  w->frame = 1;
  w->force[1] = 4;
  state_rate[0] = cos(3 * context->t) - 2 * state[0];
  return FB_OK;
}

static void add_thrust(fb_sim* sim) {
  fb_error error;
  fb_block block = fb_default_block();
  block.name = "thrust";
  block.nstate = 1;
  block.nwrench = 2;
  block.act = thrust;
  check(fb_sim_add_block(sim, &block, NULL, &error));
}

static void nor_do_they_under_thrust_on_a_forest(void** unused) {
  (void)unused;
  scene tree = scene_new(free_flyer(6), 2), trees = scene_new(forest(), 3);
  tree.add = trees.add = add_thrust;
  check_observers("tree under thrust", &tree, 0.01, 3, 1e-12);
  /* The pendulum of the forest feels gravity: compare drift alone, then with gravity. */
  for (int g = 0; g < 2; g++) {
    observer still = OBSERVERS[0], far = OBSERVERS[2];
    still.gravity[2] = far.gravity[2] = -9.81 * g;
    fb_sim *a = seen_by(&trees, &still, FB_METHOD_MOMENTUM, 0.01),
           *b = seen_by(&trees, &far, FB_METHOD_MOMENTUM, 0.01);
    run_to(a, 2);
    run_to(b, 2);
    double off = inner_distance(a, b);
    print_message("forest under thrust, gravity %g: off %.1e\n", 9.81 * g, off);
    assert_true(off <= 1e-12);
    fb_sim_free(a);
    fb_sim_free(b);
  }
  scene_free(&tree);
  scene_free(&trees);
}

/* Gravity on a forest with a pendulum goes through the forces: what it does to the others is rounding. */
static void trees_at_rest_fall_without_turning(void** unused) {
  (void)unused;
  scene c = scene_new(forest(), 3);
  fb_neutral(c.m, c.q);
  memset(c.v, 0, (size_t)fb_model_nv(c.m) * sizeof *c.v);
  c.options.passive = 0;
  fb_sim* still = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  c.options.environment.gravity_w[0] = 1;
  c.options.environment.gravity_w[2] = -9.81;
  fb_sim* sim = begin(&c, FB_METHOD_MOMENTUM, 0.01);
  run_to(still, 2);
  run_to(sim, 2);
  int post = fb_joint_v_index(c.m, fb_model_find_body(c.m, "post")), nv = fb_model_nv(c.m);
  double *dq = numbers_new(nv), worst = 0;
  fb_difference(c.m, fb_sim_q(sim), fb_sim_q(still), dq);
  for (int k = 0; k < nv; k++)
    if (k != post && !is_drift(c.m, k)) worst = worse_of(worst, fabs(dq[k]));
  print_message("falling forest: turned by %.1e, the pendulum by %.1e\n", worst, fabs(dq[post]));
  assert_true(worst <= 1e-13);
  assert_true(fabs(dq[post]) > 0.1);
  free(dq);
  fb_sim_free(still);
  fb_sim_free(sim);
  scene_free(&c);
}

/* The trajectory itself: the error of a drifting tree is that of a tree at rest. */
static void a_drifting_body_is_as_exact_as_one_at_rest(void** unused) {
  (void)unused;
  scene c = spinning(lone_satellite(0.1));
  fb_sim *exact = seen_by(&c, &OBSERVERS[0], FB_METHOD_DOPRI5, 0),
         *still = seen_by(&c, &OBSERVERS[0], FB_METHOD_MOMENTUM, 0.01),
         *far = seen_by(&c, &OBSERVERS[4], FB_METHOD_MOMENTUM, 0.01);
  run_to(exact, 10);
  run_to(still, 10);
  run_to(far, 10);
  double at_rest = inner_distance(still, exact), drifting = inner_distance(far, exact);
  print_message("error %.2e rad at rest, %.2e drifting\n", at_rest, drifting);
  assert_true(at_rest < 1e-5);
  assert_true(fabs(drifting - at_rest) < 1e-12);
  fb_sim_free(exact);
  fb_sim_free(still);
  fb_sim_free(far);
  scene_free(&c);
}

static void centre_of_mass(const fb_sim* sim, fb_data* d, double com[3]) {
  fb_kinematics(fb_sim_model(sim), d, fb_sim_q(sim), NULL, NULL);
  fb_centre_of_mass(fb_sim_model(sim), d);
  fb_subtree_com(fb_sim_model(sim), d, 1, com, NULL, NULL);
}

/* However long the step is. */
static void the_centre_of_mass_flies_along_its_parabola(void** unused) {
  (void)unused;
  for (int i = 0; i < NOBSERVER; i++) {
    const observer* o = &OBSERVERS[i];
    scene c = scene_new(free_flyer(6), 1);
    for (int k = 0; k < fb_model_nv(c.m); k++) c.v[k] *= 0.2;
    fb_sim* sim = seen_by(&c, o, FB_METHOD_MOMENTUM, 0.02);
    fb_data* d = fb_data_new(c.m);
    fb_ledger ledger;
    double com_0[3], com[3], want[3], mass = fb_model_mass(c.m);
    fb_sim_ledger(sim, &ledger);
    centre_of_mass(sim, d, com_0);
    run_to(sim, 20);
    centre_of_mass(sim, d, com);
    for (int j = 0; j < 3; j++) want[j] = com_0[j] + 20 * ledger.linear[j] / mass + 200 * o->gravity[j];
    assert_near(o->name, com, want, 3, 4e-15);
    fb_data_free(d);
    fb_sim_free(sim);
    scene_free(&c);
  }
}

/* --- blocks and motions in the world --- */

typedef struct station_def {
  const observer* seen_by;
  double stiffness; /* [N/m] */
} station_def;

static station_def station;

/* Keeps the base where it was, on springs and dampers to the world: those see place and speed as they are. */
static fb_status keep_station(void* user, const fb_context* context, const double* memory,
                              const double* state, fb_action* action, double* state_rate, fb_error* error) {
  const station_def* def = (const station_def*)user;
  const observer* o = def->seen_by;
  (void)memory;
  (void)state;
  (void)state_rate;
  (void)error;
  for (int j = 0; j < 3; j++)
    action->tau[j] -= def->stiffness * (context->q[j] - o->place[j] - context->t * o->drift[j]) +
                      40 * (context->v[j] - o->drift[j]);
  return FB_OK;
}

static void add_station(fb_sim* sim) {
  fb_error error;
  fb_block block = fb_default_block();
  block.name = "station";
  block.act = keep_station;
  block.user = &station;
  check(fb_sim_add_block(sim, &block, NULL, &error));
}

/* 7000 km out positions are a nanometre coarse, of which the springs make up to 1e-4 N. */
static void a_block_holds_its_station_seven_thousand_kilometres_out(void** unused) {
  (void)unused;
  static const struct {
    double stiffness, speed;
    double near, far; /* [rad], [rad/s] */
  } CASES[] = {{100, 1, 1e-12, 1e-8}, {1e5, 1, 1e-12, 1e-6}, {1e5, 1e-9, 1e-12, 1e-6}};
  for (size_t n = 0; n < sizeof CASES / sizeof CASES[0]; n++) {
    fb_sim* sims[3];
    scene c = scene_new(free_flyer(6), 2);
    c.add = add_station;
    memset(c.q, 0, 3 * sizeof *c.q);
    for (int k = 0; k < fb_model_nv(c.m); k++) c.v[k] *= CASES[n].speed;
    for (int i = 0; i < 3; i++) {
      station = (station_def){&OBSERVERS[i], CASES[n].stiffness};
      sims[i] = seen_by(&c, station.seen_by, FB_METHOD_MOMENTUM, 0.01);
      run_to(sims[i], 2);
    }
    double near = inner_distance(sims[1], sims[0]), far = inner_distance(sims[2], sims[0]);
    print_message("station on %g N/m, %g of the speed: off %.1e at 10 m/s, %.1e 7000 km out\n",
                  CASES[n].stiffness, CASES[n].speed, near, far);
    assert_true(near <= CASES[n].near && far <= CASES[n].far);
    for (int i = 0; i < 3; i++) fb_sim_free(sims[i]);
    scene_free(&c);
  }
}

static fb_status lock_base(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_joint_motion(sim, 1, FB_MOTION_LOCKED, error);
}

static fb_status release_base(void* user, fb_sim* sim, fb_error* error) {
  (void)user;
  return fb_sim_set_joint_motion(sim, 1, FB_MOTION_FORCE, error);
}

/* Docks the base for a while; a crossing cuts steps short, before and after. */
static void add_docking(fb_sim* sim) {
  fb_error error;
  int count;
  const fb_event events[] = {
      {.name = "dock", .kind = FB_TRIGGER_TIME, .time = 0.1013, .act = lock_base, .cookie_ = FB_COOKIE},
      {.name = "undock", .kind = FB_TRIGGER_TIME, .time = 0.2531, .act = release_base, .cookie_ = FB_COOKIE},
      {.name = "crossing", .kind = FB_TRIGGER_CROSSING, .level = 0.1, .cookie_ = FB_COOKIE}};
  for (int i = 0; i < 3; i++) {
    fb_event event = events[i];
    if (i == 2) check(fb_signal_find(fb_sim_model(sim), "v.j3", &event.signal, 1, &count, &error));
    check(fb_sim_add_event(sim, &event, NULL, &error));
  }
}

static double docked_error(const scene* c, double step, const fb_sim* exact) {
  fb_sim* sim = begin(c, FB_METHOD_MOMENTUM, step);
  fb_ledger ledger;
  run_to(sim, 0.4);
  double off = inner_distance(sim, exact);
  fb_sim_ledger(sim, &ledger);
  assert_true(ledger.linear_residual <=
              1e-3 * ledger.linear_scale); /* the dock's own impulse is of order 2 */
  fb_sim_free(sim);
  return off;
}

static void a_base_that_docks_and_lets_go_keeps_the_order(void** unused) {
  (void)unused;
  scene c = scene_new(free_flyer(6), 5);
  c.add = add_docking;
  c.options.environment.gravity_w[1] = -1;
  c.v[0] += 1;
  fb_sim* exact = begin(&c, FB_METHOD_DOPRI5, 0);
  run_to(exact, 0.4);
  double coarse = docked_error(&c, 0.002, exact), fine = docked_error(&c, 0.001, exact);
  print_message("docking: errors %.1e %.1e\n", coarse, fine);
  assert_true(fine > 1e-12 && coarse < 1e-2);
  assert_true(fabs(log2(coarse / fine) - 2) < 0.15);
  fb_sim_free(exact);
  scene_free(&c);
}

/* A snapshot in the middle of all this goes on bit for bit. */
static void a_snapshot_far_out_goes_on_bit_for_bit(void** unused) {
  (void)unused;
  fb_error error;
  scene c = scene_new(free_flyer(6), 5);
  c.add = add_thrust;
  fb_sim *a = seen_by(&c, &OBSERVERS[4], FB_METHOD_MOMENTUM, 0.01),
         *b = seen_by(&c, &OBSERVERS[4], FB_METHOD_MOMENTUM, 0.01);
  size_t size = fb_sim_snapshot_size(a);
  void* snapshot = malloc(size);
  run_to(a, 0.5);
  fb_sim_save(a, snapshot);
  run_to(a, 1);
  check(fb_sim_restore(b, snapshot, size, &error));
  run_to(b, 1);
  assert_memory_equal(fb_sim_y(a), fb_sim_y(b), (size_t)fb_sim_ny(a) * sizeof(double));
  free(snapshot);
  fb_sim_free(a);
  fb_sim_free(b);
  scene_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attitude_and_joints_do_not_depend_on_drift_place_or_gravity),
      cmocka_unit_test(the_lightest_base_under_the_heaviest_arm_does_not_either),
      cmocka_unit_test(nor_do_they_under_thrust_on_a_forest),
      cmocka_unit_test(trees_at_rest_fall_without_turning),
      cmocka_unit_test(a_drifting_body_is_as_exact_as_one_at_rest),
      cmocka_unit_test(the_centre_of_mass_flies_along_its_parabola),
      cmocka_unit_test(a_block_holds_its_station_seven_thousand_kilometres_out),
      cmocka_unit_test(a_base_that_docks_and_lets_go_keeps_the_order),
      cmocka_unit_test(a_snapshot_far_out_goes_on_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
