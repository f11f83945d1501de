/* test_parameters.c -- parameters of one's own give what a model built with those numbers gives, bit for bit; and what
 * the builder refuses is refused with the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/cookie.h"
#include "model/data.h"
#include "model/model.h"
#include "random_tree.h"

/* --- one structure, other numbers --- */

/* Numbers that differ from the body's own wherever its joint allows: some vanish, some appear. */
static void draw_numbers(fb_random* r, fb_body_def* b) {
  fb_joint_def* j = &b->joint;
  b->mass = random_in(r, 0.1, 20);
  random_fill(r, -0.3, 0.3, 3, b->com);
  random_inertia(r, b->mass, b->inertia);
  for (int i = 0; i < fb_joint_type_nv(j->type); i++) {
    j->damping[i] = random_index(r, 2) ? random_in(r, 0, 2) : 0;
    j->friction[i] = random_index(r, 2) ? random_in(r, 0, 1) : 0;
    j->effort[i] = random_in(r, 0.5, 5);
    j->speed[i] = random_in(r, 1, 5);
    if (j->type == FB_JOINT_FREE) continue;
    j->armature[i] = random_in(r, 0, 0.5);
    if (j->type == FB_JOINT_SPHERICAL) continue;
    j->stiffness[i] = random_in(r, 0, 30);
    j->rest[i] = random_in(r, -1, 1);
    j->lower[i] = random_in(r, -3, -2);
    j->upper[i] = random_in(r, 2, 3);
  }
  j->friction_speed = random_in(r, 0.001, 0.1);
}

static fb_model_def* with_other_numbers(const fb_model_def* def, uint64_t seed) {
  fb_random r = random_seed(seed);
  fb_model_def* other = fb_model_def_new();
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    fb_body_def body = *fb_model_def_body(def, b);
    draw_numbers(&r, &body);
    assert_int_equal(fb_model_def_add_body(other, &body, NULL, NULL), FB_OK);
    for (int i = 0; i < fb_model_def_nframe(def, b); i++)
      assert_int_equal(fb_model_def_add_frame(other, b, fb_model_def_frame(def, b, i), NULL), FB_OK);
  }
  return other;
}

static fb_status set_joint(fb_parameters* p, int v, const fb_joint_def* j, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < fb_joint_type_nv(j->type); i++) {
    const struct {
      fb_parameter_kind kind;
      double value;
    } rows[] = {{FB_PARAMETER_LOWER, j->lower[i]},       {FB_PARAMETER_UPPER, j->upper[i]},
                {FB_PARAMETER_ARMATURE, j->armature[i]}, {FB_PARAMETER_STIFFNESS, j->stiffness[i]},
                {FB_PARAMETER_REST, j->rest[i]},         {FB_PARAMETER_DAMPING, j->damping[i]},
                {FB_PARAMETER_FRICTION, j->friction[i]}, {FB_PARAMETER_FRICTION_SPEED, j->friction_speed},
                {FB_PARAMETER_EFFORT, j->effort[i]},     {FB_PARAMETER_SPEED, j->speed[i]}};
    assert_int_equal(sizeof rows / sizeof *rows, FB_PARAMETER_COUNT);
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !status; k++)
      status = fb_parameters_set(p, rows[k].kind, v + i, rows[k].value, error);
  }
  return status;
}

/* Sets every number of p to the definition's. */
static fb_status set_all(fb_parameters* p, const fb_model_def* def, fb_error* error) {
  fb_status status = FB_OK;
  for (int b = 1; b < fb_model_def_nbody(def) && !status; b++) {
    const fb_body_def* body = fb_model_def_body(def, b);
    status = fb_parameters_set_inertia(p, b, body->mass, body->com, body->inertia, error);
    if (!status) status = set_joint(p, fb_joint_v_index(p->model, b), &body->joint, error);
  }
  return status;
}

static fb_parameters* parameters_of(const fb_model* m, const fb_model_def* def) {
  fb_error error;
  fb_parameters* p = fb_parameters_new(m);
  assert_non_null(p);
  if (set_all(p, def, &error)) fail_msg("%s", error.text);
  return p;
}

static void assert_same_bits(const char* what, const double* got, const double* want, int count) {
  if (memcmp(got, want, (size_t)count * sizeof *got) != 0) fail_msg("%s differs", what);
}

/* --- every number, and what follows from it --- */

static void assert_same_parameters(const fb_parameters* p, const fb_model* built) {
  const fb_topology* top = &built->top;
#define X(name, rows, cols, unit, meaning) assert_same_bits(#name, p->name, built->par.name, (rows) * (cols));
  FB_PARAMETER_FIELDS(X)
#undef X
}

/* Everything that a model and its data are asked, one number after the other. */
static int results_of(const fb_model* m, fb_data* d, const state* s, double* x) {
  static const double POINT[3] = {1, 2, 3};
  int nv = fb_model_nv(m), nbody = fb_model_nbody(m), base = 1;
  double* at = x;
  fb_loads loads = fb_default_loads();
  fb_wrench push = {.frame = fb_model_com_frame(m, nbody - 1), .force = {1, 2, 3}, .torque = {3, 2, 1}};
  loads.wrenches = &push;
  loads.nwrench = 1;
  loads.environment.gravity_w[2] = -9.81;
  fb_forward_dynamics(m, d, s->q, s->v, s->vdot, &loads, at), at += nv;
  fb_inverse_dynamics(m, d, s->q, s->v, s->vdot, &loads, at), at += nv;
  fb_bias(m, d, s->q, s->v, &loads, at), at += nv;
  fb_passive_forces(m, d, s->q, s->v, FB_PASSIVE_ALL, at), at += nv;
  fb_inertia_matrix(m, d, s->q, at), at += nv * nv;
  fb_kinematics(m, d, s->q, s->v, s->vdot);
  fb_centre_of_mass(m, d);
  at[9] = fb_subtree_com(m, d, base, at, at + 3, at + 6), at += 10;
  fb_momentum(m, d, POINT, at, at + 3), at += 6;
  fb_centroidal_matrix(m, d, at), at += 6 * nv;
  fb_centroidal_matrix_rate(m, d, at), at += 6 * nv;
  *at++ = fb_kinetic_energy(m, d, s->v);
  *at++ = fb_potential_energy(m, d, s->q, &loads);
  fb_joint_reactions(m, d, &loads, at), at += 6 * nbody;
  return (int)(at - x);
}

static int floating_of(const fb_model* m, const fb_parameters* p, const state* s, double* x) {
  int count = 0;
  for (int b = 1; b < fb_model_nbody(m); b++) {
    fb_floating* f;
    if (fb_floating_new(m, b, &f, NULL)) continue;
    assert_int_equal(fb_floating_use(f, p), FB_OK);
    fb_floating_update(f, s->q, s->v);
    fb_floating_momentum(f, x + count);
    fb_floating_jacobian(f, b, x + count + 6);
    count += 6 + 6 * fb_floating_nj(f);
    fb_floating_free(f);
  }
  return count;
}

/* Where inverse kinematics within the limits and static equilibrium end, restarts within the limits too. */
static int searches_of(const fb_model* m, fb_data* d, const state* s, double* x) {
  int nq = fb_model_nq(m);
  fb_ik_options ik = fb_default_ik_options();
  fb_ik_target target = fb_default_ik_target();
  fb_trim_options trim = fb_default_trim_options();
  ik.max_iterations = trim.max_iterations = 10;
  ik.restarts = trim.restarts = 1;
  target.frame = fb_model_com_frame(m, fb_model_nbody(m) - 1);
  memcpy(x, s->q, (size_t)nq * sizeof *x);
  memcpy(x + nq, s->q, (size_t)nq * sizeof *x);
  fb_inverse_kinematics(m, d, &target, 1, &ik, x, NULL, NULL);
  fb_trim(m, d, s->vdot, NULL, &trim, x + nq, NULL, NULL);
  return 2 * nq;
}

static void check_tree(uint64_t seed, int nbody, int merge_fixed) {
  fb_random r = random_seed(seed);
  fb_build_options options = fb_default_build_options();
  options.merge_fixed = merge_fixed;
  fb_model_def *def = random_forest(&r, nbody, 0, (int)(seed % 2)),
               *other = with_other_numbers(def, seed + 7);
  fb_model *m = build_or_fail(def, &options), *built = build_or_fail(other, &options);
  fb_parameters* p = parameters_of(m, other);
  assert_same_parameters(p, built);

  int nv = fb_model_nv(m), room = nv * nv + 16 * nv + 6 * nbody + 100 + (6 + 6 * nv) * nbody;
  state s = state_new(m, seed);
  double *got = numbers_new(room), *want = numbers_new(room);
  fb_data *d = fb_data_new(m), *e = fb_data_new(built);
  assert_int_equal(fb_data_use(d, p), FB_OK);
  int count = results_of(built, e, &s, want);
  assert_int_equal(results_of(m, d, &s, got), count);
  assert_same_bits("a result", got, want, count);
  count = floating_of(built, NULL, &s, want);
  assert_int_equal(floating_of(m, p, &s, got), count);
  assert_same_bits("an analysis of a floating base", got, want, count);
  count = searches_of(built, e, &s, want);
  assert_int_equal(searches_of(m, d, &s, got), count);
  assert_same_bits("a search", got, want, count);

  assert_int_equal(fb_data_use(d, NULL), FB_OK); /* and back */
  fb_data* own = fb_data_new(m);
  count = results_of(m, own, &s, want);
  results_of(m, d, &s, got);
  assert_same_bits("a result of the model's own", got, want, count);
  fb_data_free(d), fb_data_free(e), fb_data_free(own);
  free(got), free(want);
  state_free(&s);
  fb_parameters_free(p);
  fb_model_free(m), fb_model_free(built);
  fb_model_def_free(def), fb_model_def_free(other);
}

static void own_parameters_equal_a_model_built_with_them(void** unused) {
  (void)unused;
  for (int i = 0; i < 60; i++) check_tree(100 + (uint64_t)i, 1 + i % 20, i % 3 != 0);
}

/* --- simulations --- */

enum { MOST = 200 };

typedef struct job {
  const fb_model* m;
  const fb_parameters* parameters;
  fb_method method;
  fb_friction_law friction_law;
  const double *q, *v;
  fb_status status;
  fb_error error;
  double result[MOST]; /* q, v and the ledger's numbers */
} job;

/* The first coordinate that is an angle or a length; -1 when there is none. */
static int first_plain(const fb_model* m) {
  for (int b = 1; b < fb_model_nbody(m); b++)
    if (fb_joint_nv(m, b) > 0 && fb_joint_type_of(m, b) != FB_JOINT_FREE &&
        fb_joint_type_of(m, b) != FB_JOINT_SPHERICAL)
      return fb_joint_v_index(m, b);
  return -1;
}

/* Computed torque, which knows the masses, within the joints' effort. */
static fb_status add_law(fb_sim* sim, const fb_model* m, fb_error* error) {
  fb_pd_joint joint = {.coordinate = first_plain(m),
                       .kp = 40,
                       .kd = 4,
                       .target = 0.5,
                       .effort = INFINITY,
                       .cookie_ = FB_COOKIE};
  fb_block law;
  fb_status status = fb_block_new_computed_torque(m, "law", &joint, 1, &law, error);
  if (!status) status = fb_block_new_limited(m, &law, &law, error);
  return status ? status : fb_sim_add_block(sim, &law, NULL, error);
}

static fb_status simulate(job* j) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  options.method = j->method;
  options.friction_law = j->friction_law;
  options.step = 0.002;
  options.environment.gravity_w[2] = -1;
  options.parameters = j->parameters;
  fb_status status = fb_sim_new(j->m, &options, &sim, &j->error);
  if (!status && first_plain(j->m) >= 0) status = add_law(sim, j->m, &j->error);
  if (!status) status = fb_sim_start(sim, j->q, j->v, &j->error);
  if (!status) status = fb_sim_run_until(sim, 0.1, &j->error);
  if (!status) {
    fb_ledger ledger;
    int nq = fb_model_nq(j->m), nv = fb_model_nv(j->m);
    fb_sim_ledger(sim, &ledger);
    memcpy(j->result, fb_sim_q(sim), (size_t)nq * sizeof(double));
    memcpy(j->result + nq, fb_sim_v(sim), (size_t)nv * sizeof(double));
    memcpy(j->result + nq + nv, &ledger, offsetof(fb_ledger, worst_body));
  }
  fb_sim_free(sim);
  return status;
}

static void* work(void* argument) {
  job* j = (job*)argument;
  j->status = simulate(j);
  return NULL;
}

static void check_jobs(const job* own, const job* built) {
  if (own->status) fail_msg("%s", own->error.text);
  if (built->status) fail_msg("%s", built->error.text);
  assert_same_bits("the end of a simulation", own->result, built->result, MOST);
}

static void simulations_of_one_model_in_two_threads_equal_two_models(void** unused) {
  (void)unused;
  static const fb_method METHODS[] = {FB_METHOD_RK4, FB_METHOD_DOPRI5, FB_METHOD_MOMENTUM};
  for (int i = 0; i < 12; i++) {
    fb_random r = random_seed(500 + (uint64_t)i);
    fb_model_def *def = random_forest(&r, 2 + i % 5, 0, i % 2), *others[2];
    fb_model *m = build_or_fail(def, NULL), *built[2];
    fb_parameters* p[2];
    pthread_t threads[2];
    job own[2], want[2];
    state s = state_new(m, 1);
    memset(own, 0, sizeof own);
    for (int k = 0; k < 2; k++) {
      others[k] = with_other_numbers(def, 1000 * (uint64_t)(k + 1) + (uint64_t)i);
      built[k] = build_or_fail(others[k], NULL);
      p[k] = parameters_of(m, others[k]);
      own[k] = (job){.m = m, .parameters = p[k], .method = METHODS[i % 3], .q = s.q, .v = s.v};
      if (i % 4 == 0) own[k].friction_law = FB_FRICTION_STICTION;
      want[k] = own[k];
      want[k].m = built[k];
      want[k].parameters = NULL;
    }
    for (int k = 0; k < 2; k++) assert_int_equal(pthread_create(&threads[k], NULL, work, &own[k]), 0);
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < 2; k++) {
      work(&want[k]);
      check_jobs(&own[k], &want[k]);
    }
    assert_memory_not_equal(own[0].result, own[1].result, sizeof own[0].result);
    for (int k = 0; k < 2; k++) {
      fb_parameters_free(p[k]);
      fb_model_free(built[k]);
      fb_model_def_free(others[k]);
    }
    state_free(&s);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* A simulation of the model, started at rest; parameters may be NULL. */
static fb_sim* started(const fb_model* m, const fb_parameters* p) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  state s = state_new(m, 3);
  options.parameters = p;
  assert_int_equal(fb_sim_new(m, &options, &sim, NULL), FB_OK);
  assert_int_equal(fb_sim_start(sim, s.q, s.v, NULL), FB_OK);
  state_free(&s);
  return sim;
}

static void a_snapshot_belongs_to_its_parameters(void** unused) {
  (void)unused;
  fb_model* m = random_model(11, 4);
  fb_parameters *same = fb_parameters_new(m), *other = fb_parameters_new(m);
  fb_error error;
  double mass, com[3], inertia[6];
  fb_parameters_inertia(other, 1, &mass, com, inertia);
  assert_int_equal(fb_parameters_set_inertia(other, 1, 2 * mass, com, inertia, NULL), FB_OK);
  fb_sim *own = started(m, NULL), *a = started(m, same), *b = started(m, other), *b2 = started(m, other);
  size_t size = fb_sim_snapshot_size(own);
  void* snapshot = malloc(size);
  fb_sim_save(own, snapshot);
  assert_int_equal(fb_sim_restore(a, snapshot, size, NULL), FB_OK);
  assert_int_equal(fb_sim_restore(b, snapshot, size, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "other parameters"));
  fb_sim_save(b, snapshot);
  assert_int_equal(fb_sim_restore(b2, snapshot, size, NULL), FB_OK);
  assert_int_equal(fb_sim_restore(own, snapshot, size, NULL), FB_ERR_STATE);
  free(snapshot);
  fb_sim_free(own), fb_sim_free(a), fb_sim_free(b), fb_sim_free(b2);
  fb_parameters_free(same), fb_parameters_free(other);
  fb_model_free(m);
}

/* --- what is refused --- */

enum { HULL = 1, BALL, ARM, TIP, BODIES };

/* A free hull, a ball on it; an arm on the hull whose one mass is at its tip. */
static fb_model_def* small_robot(void) {
  static const struct {
    const char *name, *parent;
    fb_joint_type type;
    double mass, armature;
  } rows[] = {{"hull", NULL, FB_JOINT_FREE, 10, 0},
              {"ball", "hull", FB_JOINT_SPHERICAL, 1, 0},
              {"arm", "hull", FB_JOINT_REVOLUTE, 0, 0},
              {"tip", "arm", FB_JOINT_PRISMATIC, 2, 0.1}};
  fb_model_def* def = fb_model_def_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_body_def b = fb_default_body_def();
    b.name = rows[i].name;
    b.parent = rows[i].parent;
    b.joint.type = rows[i].type;
    b.joint.axis[2] = 1;
    b.joint.armature[0] = rows[i].armature;
    b.mass = rows[i].mass;
    for (int k = 0; k < 3; k++) b.inertia[k] = rows[i].mass * 0.1;
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
  }
  return def;
}

enum { MASS = -3, COM, INERTIA };

/* One number of one body, in a definition and in parameters. */
typedef struct change {
  int body;
  int of; /* MASS, COM, INERTIA, or an fb_parameter_kind */
  double value;
} change;

static double* number_in(fb_body_def* b, const change* c) {
  switch (c->of) {
    case MASS:
      return &b->mass;
    case COM:
      return &b->com[1];
    case INERTIA:
      return &b->inertia[2];
#define X(code, name) \
  case code:          \
    return &b->joint.name[0];
      FB_COORDINATE_PARAMETERS(X)
#undef X
    default:
      return &b->joint.friction_speed;
  }
}

static fb_status build_changed(const fb_model_def* def, const change* c, fb_error* error) {
  fb_model* m;
  fb_model_def* changed = fb_model_def_new();
  for (int i = 1; i < BODIES; i++) {
    fb_body_def b = *fb_model_def_body(def, i);
    if (i == c->body) *number_in(&b, c) = c->value;
    assert_int_equal(fb_model_def_add_body(changed, &b, NULL, NULL), FB_OK);
  }
  fb_status status = fb_model_build(changed, NULL, &m, error);
  fb_model_free(m);
  fb_model_def_free(changed);
  return status;
}

static fb_status set_changed(fb_parameters* p, const fb_model_def* def, const change* c, fb_error* error) {
  if (c->of >= 0)
    return fb_parameters_set(p, (fb_parameter_kind)c->of, fb_joint_v_index(p->model, c->body), c->value,
                             error);
  fb_body_def b = *fb_model_def_body(def, c->body);
  *number_in(&b, c) = c->value;
  return fb_parameters_set_inertia(p, c->body, b.mass, b.com, b.inertia, error);
}

static void what_the_builder_refuses_is_refused_with_the_same_words(void** unused) {
  (void)unused;
  static const change rows[] = {{HULL, MASS, -1},
                                {HULL, MASS, NAN},
                                {HULL, MASS, 1e31},
                                {HULL, COM, INFINITY},
                                {HULL, INERTIA, -1},
                                {HULL, INERTIA, 100},
                                {TIP, INERTIA, NAN},
                                {ARM, INERTIA, 1},
                                {ARM, FB_PARAMETER_LOWER, NAN},
                                {ARM, FB_PARAMETER_LOWER, INFINITY},
                                {ARM, FB_PARAMETER_UPPER, -1e31},
                                {ARM, FB_PARAMETER_STIFFNESS, NAN},
                                {ARM, FB_PARAMETER_REST, INFINITY},
                                {ARM, FB_PARAMETER_DAMPING, -1},
                                {ARM, FB_PARAMETER_FRICTION, -1},
                                {ARM, FB_PARAMETER_ARMATURE, -1},
                                {ARM, FB_PARAMETER_EFFORT, -1},
                                {ARM, FB_PARAMETER_EFFORT, NAN},
                                {ARM, FB_PARAMETER_SPEED, -1},
                                {ARM, FB_PARAMETER_FRICTION_SPEED, 0},
                                {BALL, FB_PARAMETER_LOWER, 0},
                                {BALL, FB_PARAMETER_STIFFNESS, 1},
                                {BALL, FB_PARAMETER_REST, 1},
                                {HULL, FB_PARAMETER_ARMATURE, 1},
                                {HULL, FB_PARAMETER_UPPER, 1},
                                {BALL, FB_PARAMETER_ARMATURE, -1}};
  fb_model_def* def = small_robot();
  fb_model* m = build_or_fail(def, NULL);
  fb_parameters* p = fb_parameters_new(m);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error want, got;
    fb_status status = build_changed(def, &rows[i], &want);
    if (!status) fail_msg("row %zu: the builder takes it", i);
    assert_int_equal(set_changed(p, def, &rows[i], &got), status);
    assert_string_equal(got.text, want.text);
    assert_int_equal(fb_parameters_fingerprint(p), 0); /* nothing has changed */
  }
  fb_parameters_free(p);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Whether a branch without mass can move is for the dynamics to say. */
static void a_branch_may_lose_its_mass_and_the_joint_is_named(void** unused) {
  (void)unused;
  static const double ZERO[6] = {0};
  fb_model_def* def = small_robot();
  fb_model* m = build_or_fail(def, NULL);
  fb_parameters* p = fb_parameters_new(m);
  fb_data* d = fb_data_new(m);
  fb_error error;
  double q[64], zero[64] = {0}, vdot[64];
  int arm = fb_joint_v_index(m, ARM);
  fb_neutral(m, q);
  assert_int_equal(fb_parameters_set_inertia(p, TIP, 0, ZERO, ZERO, NULL), FB_OK);
  assert_int_equal(fb_data_use(d, p), FB_OK);
  fb_forward_dynamics(m, d, q, zero, zero, NULL, vdot);
  assert_int_equal(fb_model_check_pivots(m, d, &error), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(error.text, "has nothing to move: its pivot is 0"));
  assert_int_equal(fb_parameters_set(p, FB_PARAMETER_ARMATURE, arm, 0.2, NULL), FB_OK);
  fb_forward_dynamics(m, d, q, zero, zero, NULL, vdot);
  assert_int_equal(fb_model_check_pivots(m, d, &error), FB_OK);
  fb_data_free(d);
  fb_parameters_free(p);
  fb_model_free(m);
  fb_model_def_free(def);
}

static void impossible_inertias_are_taken_by_a_model_that_keeps_them(void** unused) {
  (void)unused;
  static const double ZERO[3] = {0}, LONG[6] = {1, 1, 5, 0, 0, 0};
  for (int keeps = 0; keeps < 2; keeps++) {
    fb_model_def* def = small_robot();
    fb_model_def_set_keeps_inertia(def, keeps);
    fb_model* m = build_or_fail(def, NULL);
    fb_parameters* p = fb_parameters_new(m);
    assert_int_equal(fb_parameters_set_inertia(p, TIP, 1, ZERO, LONG, NULL), keeps ? FB_OK : FB_ERR_INERTIA);
    fb_parameters_free(p);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

static void what_does_not_exist_is_refused(void** unused) {
  (void)unused;
  static const double ZERO[6] = {0};
  fb_model_def* def = small_robot();
  fb_model *m = build_or_fail(def, NULL), *copy = build_or_fail(def, NULL);
  fb_parameters* p = fb_parameters_new(m);
  fb_data* d = fb_data_new(copy);
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  fb_error error;
  double mass;
  assert_int_equal(fb_parameters_set_inertia(p, 0, 1, ZERO, ZERO, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "there is no body 0; bodies count from 1 to 4");
  assert_int_equal(fb_parameters_set(p, FB_PARAMETER_REST, 11, 1, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "there is no coordinate 11; they count from 0 to 10");
  assert_int_equal(fb_parameters_set(p, FB_PARAMETER_COUNT, 0, 1, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "parameter 10 is not one of fb_parameter_kind");
  assert_true(isnan(fb_parameters_get(p, FB_PARAMETER_REST, -1)));
  assert_true(isnan(fb_parameters_get(p, FB_PARAMETER_COUNT, 0)));
  fb_parameters_inertia(p, BODIES, &mass, NULL, NULL);
  assert_true(isnan(mass));
  assert_int_equal(fb_data_use(d, p), FB_ERR_ARG); /* of another model */
  assert_ptr_equal(fb_data_parameters(d), &copy->par);
  options.parameters = p;
  assert_int_equal(fb_sim_new(copy, &options, &sim, &error), FB_ERR_ARG);
  assert_string_equal(error.text, "the parameters of the simulation are of another model");
  fb_data_free(d);
  fb_parameters_free(p);
  fb_model_free(m), fb_model_free(copy);
  fb_model_def_free(def);
}

/* Every number of every lane, and the model's where nobody has set any. */
static void lanes_hold_the_parameters_of_one_robot_each(void** unused) {
  (void)unused;
  enum { LANES = 4 };
  fb_model* m = random_model(8, 6);
  fb_data* d = fb_data_new(m);
  const double inertia[6] = {1, 2, 2.5, 0.1, 0.2, -0.1}, com[3] = {0.1, -0.2, 0.3};
  fb_parameters *wide = fb_parameters_new_wide(m, LANES), *heavy = fb_parameters_new(m);
  assert_int_equal(fb_parameters_set_inertia(heavy, 2, 7, com, inertia, NULL), FB_OK);
  fb_parameters_set_lane(wide, 2, heavy);
#define X(name, rows, cols, unit, meaning)                                                   \
  for (int i = 0; i < (rows) * (cols); i++)                                                  \
    for (int lane = 0; lane < LANES; lane++) {                                               \
      double want = (lane == 2 ? heavy : &m->par)->name[i];                                  \
      assert_memory_equal(&wide->name[i * LANES + lane], &want, sizeof want); /* NaNs too */ \
    }
  const fb_topology* top = &m->top;
  FB_PARAMETER_FIELDS(X)
#undef X
  assert_int_equal(fb_data_use(d, wide), FB_ERR_ARG); /* the data have one robot */
  fb_parameters_free(wide);
  fb_parameters_free(heavy);
  fb_data_free(d);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_parameters_equal_a_model_built_with_them),
      cmocka_unit_test(simulations_of_one_model_in_two_threads_equal_two_models),
      cmocka_unit_test(a_snapshot_belongs_to_its_parameters),
      cmocka_unit_test(what_the_builder_refuses_is_refused_with_the_same_words),
      cmocka_unit_test(a_branch_may_lose_its_mass_and_the_joint_is_named),
      cmocka_unit_test(impossible_inertias_are_taken_by_a_model_that_keeps_them),
      cmocka_unit_test(what_does_not_exist_is_refused),
      cmocka_unit_test(lanes_hold_the_parameters_of_one_robot_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
