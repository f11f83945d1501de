/* test_allocations.c -- nothing is allocated after set-up: the linker routes the allocation functions through
 * counters (tests/CMakeLists.txt), and ten thousand calls of each hot function leave them at zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "random_tree.h"
#include "sim_rig.h"

enum { CALLS = 10000 };

static int counting, count;

void* __real_malloc(size_t size);
void* __real_calloc(size_t number, size_t size);
void* __real_realloc(void* old, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t number, size_t size);
void* __wrap_realloc(void* old, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size) {
  count += counting;
  return __real_malloc(size);
}
void* __wrap_calloc(size_t number, size_t size) {
  count += counting;
  return __real_calloc(number, size);
}
void* __wrap_realloc(void* old, size_t size) {
  count += counting;
  return __real_realloc(old, size);
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  count += counting;
  return __real_aligned_alloc(alignment, size);
}

typedef struct rig {
  fb_model* m;
  fb_data* d;
  state s;
  double *x, *y, *H, *dense, *reactions;
  unsigned char* prescribed;
  fb_loads loads;
  fb_wrench wrench;
  void* work;
  size_t work_size;
  fb_ik_target target;
  fb_floating* f;
  fb_sim* sims[FB_METHOD_CUSTOM]; /* one a method */
  int base;
} rig;

static void call_kinematics(rig* r) {
  fb_kinematics(r->m, r->d, r->s.q, r->s.v, r->s.vdot);
  fb_frame_jacobian(r->m, r->d, 1, r->s.J);
  fb_frame_jacobian_rate(r->m, r->d, 1, r->s.Jdot);
  fb_centre_of_mass(r->m, r->d);
  fb_integrate(r->m, r->s.q, r->s.v, 0, r->s.q);
}
static void call_forward(rig* r) {
  fb_forward_dynamics(r->m, r->d, r->s.q, r->s.v, r->s.vdot, &r->loads, r->x);
}
static void call_inverse(rig* r) {
  fb_inverse_dynamics(r->m, r->d, r->s.q, r->s.v, r->s.vdot, &r->loads, r->x);
}
static void call_mixed(rig* r) {
  fb_mixed_dynamics(r->m, r->d, r->s.q, r->s.v, r->prescribed, &r->loads, r->x, r->y);
}
static void call_parts(rig* r) {
  fb_bias(r->m, r->d, r->s.q, r->s.v, &r->loads, r->x);
  fb_passive_forces(r->m, r->d, r->s.q, r->s.v, FB_PASSIVE_ALL, r->x);
  fb_wrench_forces(r->m, r->d, &r->wrench, 1, r->x);
  fb_gravity_compensation(r->m, r->d, r->s.q, &r->loads, r->x);
}
static void call_dense(rig* r) {
  fb_forward_dynamics_dense(r->m, r->d, r->s.q, r->s.v, r->s.vdot, &r->loads, r->dense, r->x);
}
static void call_inertia(rig* r) {
  fb_inertia_matrix(r->m, r->d, r->s.q, r->H);
}
static void call_momentum(rig* r) {
  const double origin[3] = {0, 0, 0};
  double linear[3], angular[3];
  fb_momentum(r->m, r->d, origin, linear, angular);
  fb_centroidal_matrix(r->m, r->d, r->s.J);
  fb_centroidal_matrix_rate(r->m, r->d, r->s.Jdot);
  fb_potential_energy(r->m, r->d, r->s.q, &r->loads);
  fb_kinetic_energy(r->m, r->d, r->s.v);
}
static void call_reactions(rig* r) {
  fb_joint_reactions(r->m, r->d, &r->loads, r->reactions);
}
static void call_inverse_kinematics(rig* r) {
  fb_ik_options options = fb_default_ik_options();
  options.max_iterations = 2;
  options.work = r->work;
  options.work_size = r->work_size;
  fb_inverse_kinematics(r->m, r->d, &r->target, 1, &options, r->s.q, NULL, NULL);
}
static void call_floating(rig* r) {
  const double wanted[6] = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3};
  fb_floating_update(r->f, r->s.q, r->s.v);
  fb_floating_jacobian(r->f, r->base, r->s.J);
  fb_floating_jacobian_rate(r->f, r->base, r->s.Jdot);
  fb_floating_resolved_rate(r->f, r->base, wanted, NULL, 0.1, r->x);
  fb_floating_resolved_acceleration(r->f, r->base, wanted, 0.1, r->y);
  fb_floating_velocity(r->f, r->x, NULL, r->s.v);
  fb_floating_reaction_null_space(r->f, 3, r->H);
  fb_floating_manipulability(r->f, r->base, NULL);
  fb_floating_coupling(r->f);
}
static void call_trim(rig* r) {
  fb_trim_options options = fb_default_trim_options();
  options.max_iterations = 1;
  options.work = r->work;
  options.work_size = r->work_size;
  fb_trim(r->m, r->d, NULL, &r->loads, &options, r->s.q, NULL, NULL);
}

/* A step of each method; every hundredth time a lock or a release, and a snapshot kept. */
static void call_steps(rig* r) {
  for (int i = 0; i < FB_METHOD_CUSTOM; i++) {
    fb_ledger ledger;
    assert_int_equal(fb_sim_step(r->sims[i], 1e9, NULL), FB_OK);
    if (fb_sim_nstep(r->sims[i]) % 100 != 0) continue;
    int motion = fb_sim_motion(r->sims[i], 0) == FB_MOTION_LOCKED ? FB_MOTION_FORCE : FB_MOTION_LOCKED;
    assert_int_equal(fb_sim_set_motion(r->sims[i], 0, motion, NULL), FB_OK);
    fb_sim_ledger(r->sims[i], &ledger);
    fb_sim_save(r->sims[i], r->work);
  }
}

static const struct {
  const char* name;
  void (*call)(rig* r);
} HOT[] = {{"kinematics", call_kinematics},
           {"forward dynamics", call_forward},
           {"inverse dynamics", call_inverse},
           {"mixed dynamics", call_mixed},
           {"bias, passive, wrenches, gravity", call_parts},
           {"dense route", call_dense},
           {"inertia matrix", call_inertia},
           {"kinematics again", call_kinematics},
           {"momentum", call_momentum},
           {"reactions", call_reactions},
           {"inverse kinematics", call_inverse_kinematics},
           {"free-floating analysis", call_floating},
           {"trim", call_trim},
           {"steps", call_steps}};

static int floating_base(const fb_model* m) {
  for (int b = 1; b < fb_model_nbody(m); b++)
    if (fb_body_parent(m, b) == FB_WORLD && fb_joint_type_of(m, b) == FB_JOINT_FREE) return b;
  return -1;
}

static void open_sims(rig* r) {
  for (int i = 0; i < FB_METHOD_CUSTOM; i++) {
    fb_sim_options options = fb_default_sim_options();
    options.method = (fb_method)i;
    options.step = 1e-4;
    assert_int_equal(fb_sim_new(r->m, &options, &r->sims[i], NULL), FB_OK);
    assert_int_equal(fb_sim_start(r->sims[i], r->s.q, r->s.v, NULL), FB_OK);
    if (fb_sim_snapshot_size(r->sims[i]) > r->work_size) r->work_size = fb_sim_snapshot_size(r->sims[i]);
  }
}

static void hot_functions_allocate_nothing(void** unused) {
  (void)unused;
  fb_random random = random_seed(4);
  fb_model_def* def = random_forest(&random, 8, 0, 1);
  rig r = {.m = build_or_fail(def, NULL), .loads = fb_default_loads(), .target = fb_default_ik_target()};
  fb_model_def_free(def);
  int nv = fb_model_nv(r.m);
  r.d = fb_data_new(r.m);
  r.s = state_new(r.m, 3);
  r.x = numbers_new(nv);
  r.y = numbers_new(nv);
  r.H = numbers_new(nv * nv);
  r.dense = numbers_new(nv * nv + nv);
  r.reactions = numbers_new(6 * fb_model_nbody(r.m));
  r.prescribed = (unsigned char*)calloc((size_t)nv, 1);
  r.wrench.frame = r.target.frame = 2;
  r.loads.wrenches = &r.wrench;
  r.loads.nwrench = 1;
  r.work_size = fb_ik_work_size(r.m, 1) + fb_trim_work_size(r.m); /* either's is enough */
  r.base = floating_base(r.m);
  assert_int_equal(fb_floating_new(r.m, r.base, &r.f, NULL), FB_OK);
  open_sims(&r);
  r.work = aligned_alloc(64, (r.work_size + 63) / 64 * 64);
  for (size_t i = 0; i < sizeof HOT / sizeof HOT[0]; i++) {
    count = 0;
    counting = 1;
    for (int k = 0; k < CALLS; k++) HOT[i].call(&r);
    counting = 0;
    if (count != 0) fail_msg("%s: %d allocations in %d calls", HOT[i].name, count, CALLS);
  }
  counting = 1; /* the counters do count */
  fb_data_free(fb_data_new(r.m));
  counting = 0;
  assert_true(count > 0);
  free(r.x);
  free(r.y);
  free(r.H);
  free(r.dense);
  free(r.reactions);
  free(r.prescribed);
  free(r.work);
  state_free(&r.s);
  for (int i = 0; i < FB_METHOD_CUSTOM; i++) fb_sim_free(r.sims[i]);
  fb_floating_free(r.f);
  fb_data_free(r.d);
  fb_model_free(r.m);
}

/* Takes what another law tells. */
static fb_status listen(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  action->tau[0] += 1e-3 * (context->inputs[0] + context->inputs[3]);
  return FB_OK;
}

/* One block of each kind around a satellite with two arms. */
static void add_laws(const fb_model* m, fb_sim* sim) {
  fb_block blocks[6];
  fb_error error;
  int a1 = fb_joint_v_index(m, fb_model_find_body(m, "a1")),
      b1 = fb_joint_v_index(m, fb_model_find_body(m, "b1"));
  const fb_pd_joint pid = {b1, 5, 3, 0.2, NULL, 10, 0.5, .cookie_ = FB_COOKIE},
                    ct = {b1 + 1, 4, 4, 0.1, NULL, INFINITY, 0, .cookie_ = FB_COOKIE};
  const double times[2] = {0, 1}, push[12] = {1, 2, 3, 0.1, 0.2, 0.3};
  const fb_schedule schedule = {2, times, push, 1, .cookie_ = FB_COOKIE};
  fb_frame_task task = fb_default_frame_task();
  task.frame = fb_model_find_frame(m, "a3");
  task.rows = 3;
  task.damping = 0.3;
  fb_attitude_task attitude = fb_default_attitude_task();
  attitude.body = fb_model_find_body(m, "base");
  fb_sampling sampling = fb_default_sampling();
  sampling.delay = 0.013;
  sampling.noise_q = sampling.noise_v = 1e-6;
  fb_status status = fb_block_new_joint_pd(m, "pid", &pid, 1, &blocks[0], &error);
  if (!status) status = fb_block_new_computed_torque(m, "ct", &ct, 1, &blocks[1], &error);
  if (!status) status = fb_block_new_frame_task(m, "task", &task, &blocks[2], &error);
  if (!status) status = fb_block_new_attitude(m, "attitude", &attitude, &blocks[3], &error);
  if (!status) status = fb_block_new_frame_schedule(m, "push", task.frame, 1, &schedule, &blocks[4], &error);
  const fb_pd_joint pd = {a1, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE};
  fb_block inner;
  if (!status) status = fb_block_new_joint_pd(m, "sampled", &pd, 1, &inner, &error);
  if (!status) status = fb_block_new_sampled(m, &inner, &sampling, &blocks[5], &error);
  if (status) fail_msg("%s", error.text);
  static const fb_port inputs[] = {{"task.position_error", "m", "world", 3},
                                   {"sampled.error.a1", "rad", "joint", 1}};
  fb_block listener = fb_default_block();
  listener.name = "listener";
  listener.inputs = inputs;
  listener.ninput = 2;
  listener.act = listen;
  block_or_fail(sim, &listener);
  for (int i = 0; i < 6; i++) block_or_fail(sim, &blocks[i]);
}

/* Laws of frames in contact, and tasks by priority: the which-th of three. */
static void add_force_law(const fb_model* m, fb_sim* sim, int which) {
  fb_block block = fb_default_block();
  fb_error error;
  fb_spline* force = NULL;
  fb_impedance soft = fb_default_impedance();
  fb_force_position press = fb_default_force_position();
  fb_force_axis down = fb_default_force_axis();
  fb_qp_task task = fb_default_qp_task();
  fb_qp_contact foot = fb_default_qp_contact();
  fb_task_qp plan = fb_default_task_qp();
  fb_status status = fb_spline_new_cubic(2, (const double[]){0, 2}, (const double[]){0, 1}, &force, &error);
  down.force = force;
  press.force_axes = &down;
  press.count = 1;
  task.frame = soft.task.frame = press.task.frame = fb_model_find_frame(m, "a3");
  soft.task.rows = press.task.rows = 3;
  soft.task.damping = press.task.damping = 0.3;
  foot.frame = fb_model_find_frame(m, "b3");
  foot.force = foot.most = force;
  plan.tasks = &task;
  plan.ntask = 1;
  plan.contacts = &foot;
  plan.ncontact = 1;
  plan.effort = 0.5;
  if (!status && which == 0) status = fb_block_new_impedance(m, "law", &soft, &block, &error);
  if (!status && which == 1) status = fb_block_new_force_position(m, "law", &press, &block, &error);
  if (!status && which == 2) status = fb_block_new_task_qp(m, "law", &plan, &block, &error);
  if (status) fail_msg("%s", error.text);
  fb_spline_free(force);
  block_or_fail(sim, &block);
}

static void control_laws_allocate_nothing(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  double q[32], v[32] = {0};
  fb_random_q(m, 3, q);
  fb_sim_options options = fb_default_sim_options();
  options.step = 1e-3;
  for (int i = 0; i < 4; i++) {
    fb_sim* sim = sim_or_fail(m, &options);
    if (i < 3)
      add_force_law(m, sim, i);
    else
      add_laws(m, sim);
    start_or_fail(sim, q, v);
    count = 0;
    counting = 1;
    run_or_fail(sim, i < 3 ? 0.3 : 2);
    counting = 0;
    assert_int_equal(count, 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void limits_and_stiction_allocate_nothing(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FIXED, 1);
  for (int method = 0; method < METHOD_COUNT; method++) {
    double q[32], v[32];
    fb_sim_options options = options_of(METHODS[method], 1e-3);
    options.friction_law = FB_FRICTION_STICTION;
    options.environment.gravity_w[1] = -9.81;
    fb_sim* sim = sim_or_fail(m, &options);
    fb_random_q(m, 3, q);
    fb_random_v(m, 3, v);
    for (int k = 0; k < 5; k++)
      for (int side = -1; side <= 1; side += 2)
        assert_int_equal(
            fb_sim_add_limit(sim, &(fb_limit){k, side, q[k] + 0.05 * side, 0.4, 0, 0, .cookie_ = FB_COOKIE},
                             NULL, NULL),
            FB_OK);
    start_or_fail(sim, q, v);
    count = 0;
    counting = 1;
    run_or_fail(sim, 1);
    counting = 0;
    assert_int_equal(count, 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hot_functions_allocate_nothing),
                                     cmocka_unit_test(control_laws_allocate_nothing),
                                     cmocka_unit_test(limits_and_stiction_allocate_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
