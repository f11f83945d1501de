/* test_task_qp.c -- tasks by priority: agreement with computed torque and with the closed form of the contact arm, balance of a
 * walker, priorities, cones, efforts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "qp_rig.h"

/* --- agreement --- */

static void posture_alone_is_computed_torque(void** unused) {
  (void)unused;
  static const char* const driven[] = {"a1", "a2", "a3", "b1", "b2"};
  for (int c = 0; c < 4; c++) {
    qp_rig r = {.m = tree6(c % 2 ? FB_JOINT_FREE : FB_JOINT_FIXED, c / 2),
                .environment = fb_default_environment()};
    fb_pd_joint joints[5];
    fb_error error;
    fb_block torque;
    int coordinates[5];
    r.d = fb_data_new(r.m);
    r.nv = fb_model_nv(r.m);
    memcpy(r.environment.gravity_w, (const double[]){1, -2, -9.81}, 3 * sizeof(double));
    fb_random_q(r.m, 11, r.q);
    fb_random_v(r.m, 12, r.v);
    for (int i = 0; i < 5; i++) {
      coordinates[i] = fb_joint_v_index(r.m, fb_model_find_joint(r.m, driven[i]));
      joints[i] = (fb_pd_joint){coordinates[i], 4 + i,    3 - 0.2 * i, 0.2 * i - 0.3,
                                NULL,           INFINITY, 0,           .cookie_ = FB_COOKIE};
    }
    fb_qp_task task = fb_default_qp_task();
    task.kind = FB_QP_TASK_POSTURE;
    task.joints = joints;
    task.count = 5;
    fb_task_qp law = fb_default_task_qp();
    law.tasks = &task;
    law.ntask = 1;
    law.coordinates = coordinates;
    law.ncoordinate = 5;
    fb_block qp = qp_block(&r, &law);
    if (fb_block_new_computed_torque(r.m, "want", joints, 5, &torque, &error)) fail_msg("%s", error.text);
    qp_call got = qp_evaluate(&r, &qp, 0), want = qp_evaluate(&r, &torque, 0);
    assert_near("tau", got.tau, want.tau, r.nv, 1e-11);
    assert_true(got.outputs[1] <= 1e-10); /* missed: that of stance comes first */
    assert_true(got.outputs[2] == 0);
    fb_block_free(&qp);
    fb_block_free(&torque);
    qp_rig_free(&r);
  }
}

/* Tasks of the contact arm: base kept, tip along x and y, the last link's attitude, and the pressing force. */
typedef struct arm_law {
  fb_qp_task tasks[3];
  fb_qp_contact contact;
  fb_task_qp law;
  int coordinates[6];
} arm_law;

static void arm_law_fill(const qp_rig* r, const fb_spline* force, arm_law* l) {
  int tip = fb_model_find_frame(r->m, "tip"), base = fb_model_find_frame(r->m, "base");
  for (int i = 0; i < 3; i++) l->tasks[i] = fb_default_qp_task();
  l->tasks[0].frame = base;
  l->tasks[0].axes = 1 | 2 | 32;
  l->tasks[0].kp = l->tasks[0].kd = 4;
  l->tasks[1].frame = l->tasks[2].frame = tip;
  l->tasks[1].axes = 1 | 32;
  l->tasks[1].kp = 36;
  l->tasks[1].kd = 12;
  l->tasks[2].axes = 2;
  l->tasks[2].kp = 25;
  l->tasks[2].kd = 10;
  l->contact = fb_default_qp_contact();
  l->contact.frame = tip;
  memcpy(l->contact.normal_w, (const double[]){0, 1, 0}, sizeof l->contact.normal_w);
  l->contact.friction = 0;
  l->contact.stance = 0;
  l->contact.force = force;
  l->law = fb_default_task_qp();
  l->law.tasks = l->tasks;
  l->law.ntask = 3;
  l->law.contacts = &l->contact;
  l->law.ncontact = 1;
  l->law.coordinates = l->coordinates;
  l->law.ncoordinate = 6;
  for (int i = 0; i < 6; i++) l->coordinates[i] = i;
}

/* u = H a + h - J_N^T f_N with a the accelerations that all six rows ask for, solved here by elimination. */
static void arm_forces(const qp_rig* r, const double q0[6], double force, double u[6]) {
  double J[6 * 6], Jb[6 * 6], bias[6], base_bias[6], T[6][7] = {{0}}, p[3], p0[3], v[6], vb[6];
  int tip = fb_model_find_frame(r->m, "tip"), base = fb_model_find_frame(r->m, "base");
  fb_kinematics(r->m, r->d, q0, NULL, NULL);
  fb_frame_pose(r->m, r->d, tip, p0, NULL);
  fb_kinematics(r->m, r->d, r->q, r->v, NULL);
  fb_frame_pose(r->m, r->d, tip, p, NULL);
  fb_frame_velocity(r->m, r->d, tip, v, v + 3);
  fb_frame_velocity(r->m, r->d, base, vb, vb + 3);
  fb_frame_jacobian(r->m, r->d, tip, J);
  fb_frame_jacobian(r->m, r->d, base, Jb);
  fb_frame_bias_acceleration(r->m, r->d, r->v, tip, bias);
  fb_frame_bias_acceleration(r->m, r->d, r->v, base, base_bias);
  double phi = 0, phi0 = 0;
  for (int i = 2; i < 6; i++) phi += r->q[i], phi0 += q0[i];
  const int rows[6] = {0, 1, 5, 0, 1, 5};
  const double wanted[6] = {
      4 * (q0[0] - r->q[0]) - 4 * vb[0] - base_bias[0], 4 * (q0[1] - r->q[1]) - 4 * vb[1] - base_bias[1],
      4 * (q0[2] - r->q[2]) - 4 * vb[5] - base_bias[5], 36 * (p0[0] - p[0]) - 12 * v[0] - bias[0],
      25 * (p0[1] - p[1]) - 10 * v[1] - bias[1],        36 * (phi0 - phi) - 12 * v[5] - bias[5]};
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) T[i][k] = (i < 3 ? Jb : J)[rows[i] * 6 + k];
    T[i][6] = wanted[i];
  }
  double a[6];
  for (int k = 0; k < 6; k++) { /* Gauss-Jordan with row exchange */
    int pivot = k;
    for (int i = k; i < 6; i++)
      if (fabs(T[i][k]) > fabs(T[pivot][k])) pivot = i;
    for (int j = 0; j < 7; j++) {
      double swap = T[k][j];
      T[k][j] = T[pivot][j];
      T[pivot][j] = swap;
    }
    for (int i = 0; i < 6; i++) {
      double f = i == k ? 0 : T[i][k] / T[k][k];
      for (int j = k; j < 7; j++) T[i][j] -= f * T[k][j];
    }
  }
  for (int k = 0; k < 6; k++) a[k] = T[k][6] / T[k][k];
  fb_inverse_dynamics(r->m, r->d, r->q, r->v, a, NULL, u);
  for (int k = 0; k < 6; k++) u[k] -= J[6 + k] * force;
}

static void arm_presses_and_follows_as_in_closed_form(void** unused) {
  (void)unused;
  qp_rig r = planar_arm();
  fb_spline* force = NULL;
  assert_int_equal(fb_spline_new_cubic(1, (const double[]){0}, (const double[]){5}, &force, NULL), FB_OK);
  arm_law l;
  arm_law_fill(&r, force, &l);
  fb_block block = qp_block(&r, &l.law);
  fb_random random = random_seed(3);
  for (int round = 0; round < 20; round++) {
    double q0[6], dq[6], want[6], memory[QP_MEMORY] = {0}, tau[6] = {0}, vdot[6], outputs[QP_OUTPUTS] = {0};
    unsigned char moved[6] = {0};
    memcpy(q0, r.q, sizeof q0);
    fb_context context = qp_context(&r, 0);
    assert_int_equal(block.start(block.user, &context, memory, NULL, NULL), FB_OK);
    random_fill(&random, -0.1, 0.1, 6, dq);
    random_fill(&random, -0.3, 0.3, 6, r.v);
    for (int i = 0; i < 6; i++) r.q[i] += dq[i];
    fb_action action = {tau, vdot, moved, NULL, 0, 0};
    assert_int_equal(block.act(block.user, &context, memory, NULL, &action, NULL, NULL), FB_OK);
    assert_int_equal(block.output(block.user, &context, memory, NULL, outputs, NULL), FB_OK);
    arm_forces(&r, q0, 5, want);
    assert_near("u", tau, want, 6, 1e-10);
    assert_near("force", outputs, (const double[]){0, 5, 0}, 3, 1e-12);
    memcpy(r.q, q0, sizeof q0);
  }
  fb_block_free(&block);
  fb_spline_free(force);
  qp_rig_free(&r);
}

/* --- a walker --- */

typedef struct walker_law {
  fb_qp_task tasks[2];
  fb_qp_contact feet[4];
  fb_task_qp law;
} walker_law;

/* The trunk is kept, attitude first; four feet stand. */
static void walker_law_fill(const qp_rig* r, walker_law* l) {
  for (int i = 0; i < 2; i++) {
    l->tasks[i] = fb_default_qp_task();
    l->tasks[i].frame = fb_model_find_frame(r->m, "trunk");
    l->tasks[i].axes = i ? 7 : 56;
    l->tasks[i].priority = 1 + i;
  }
  for (int i = 0; i < 4; i++) {
    l->feet[i] = fb_default_qp_contact();
    l->feet[i].frame = fb_model_find_frame(r->m, FEET[i]);
  }
  l->law = fb_default_task_qp();
  l->law.tasks = l->tasks;
  l->law.ntask = 2;
  l->law.contacts = l->feet;
  l->law.ncontact = 4;
}

/* What the robot does under the forces of a law and those that it plans at the feet. */
static void accelerate(const qp_rig* r, const walker_law* l, const qp_call* c, double* vdot) {
  fb_wrench wrenches[4];
  fb_loads loads = fb_default_loads();
  memset(wrenches, 0, sizeof wrenches);
  loads.environment = r->environment;
  loads.wrenches = wrenches;
  loads.nwrench = 4;
  for (int i = 0; i < 4; i++) {
    wrenches[i].frame = l->feet[i].frame;
    memcpy(wrenches[i].force, c->outputs + 3 * i, sizeof wrenches[i].force);
  }
  fb_forward_dynamics(r->m, r->d, r->q, r->v, c->tau, &loads, vdot);
  fb_kinematics(r->m, r->d, r->q, r->v, vdot);
}

static void assert_in_cones(const walker_law* l, const qp_call* c) {
  for (int i = 0; i < 4; i++) {
    const double* f = c->outputs + 3 * i;
    assert_true(f[2] >= -1e-12);
    assert_true(hypot(f[0], f[1]) <= l->feet[i].friction * f[2] + 1e-9);
  }
}

static void standing_forces_sum_to_the_weight(void** unused) {
  (void)unused;
  qp_rig r = walker();
  walker_law l;
  walker_law_fill(&r, &l);
  fb_block block = qp_block(&r, &l.law);
  qp_call c = qp_evaluate(&r, &block, 0);
  double sum[3] = {0}, vdot[QP_NV], still[QP_NV] = {0}, mass = 20 + 4 * 1.9;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) sum[k] += c.outputs[3 * i + k];
  assert_near("sum", sum, (const double[]){0, 0, mass * 9.81}, 3, 1e-12);
  assert_in_cones(&l, &c);
  accelerate(&r, &l, &c, vdot);
  assert_near_of(9.81, "accelerations", vdot, still, r.nv, 1e-10);
  assert_true(c.outputs[15] == 0); /* status */
  fb_block_free(&block);
  qp_rig_free(&r);
}

static void foot_without_contact_carries_nothing(void** unused) {
  (void)unused;
  qp_rig r = walker();
  walker_law l;
  fb_spline* none = NULL;
  assert_int_equal(fb_spline_new_cubic(1, (const double[]){0}, (const double[]){0}, &none, NULL), FB_OK);
  walker_law_fill(&r, &l);
  l.feet[1].most = none;
  l.tasks[0].axes = 7; /* three feet carry the trunk where it is, and turn it */
  fb_block block = qp_block(&r, &l.law);
  qp_call c = qp_evaluate(&r, &block, 0);
  for (int k = 0; k < 3; k++) assert_true(c.outputs[3 + k] == 0);
  assert_in_cones(&l, &c);
  fb_block_free(&block);
  fb_spline_free(none);
  qp_rig_free(&r);
}

/* A shove that friction and motors cannot stop: bounds hold, and the first priority has what it would have alone. */
static void bounds_hold_and_priorities_are_strict(void** unused) {
  (void)unused;
  fb_random random = random_seed(5);
  int reached = 0;
  for (int round = 0; round < 40; round++) {
    qp_rig r = walker();
    walker_law l;
    double effort = round % 2 ? 25 : 200, vdot[QP_NV], a[2][3];
    walker_law_fill(&r, &l);
    random_fill(&random, -1.5, 1.5, r.nv, r.v);
    l.law.effort = effort;
    for (int i = 0; i < 4; i++) l.feet[i].stance = 0;
    l.tasks[0].kp = l.tasks[0].kd = l.tasks[1].kp = l.tasks[1].kd = 40;
    for (int alone = 0; alone < 2; alone++) {
      l.law.ntask = alone ? 1 : 2;
      fb_block block = qp_block(&r, &l.law);
      qp_call c = qp_evaluate(&r, &block, 0);
      for (int k = 6; k < r.nv; k++) assert_true(fabs(c.tau[k]) <= effort * (1 + 1e-12));
      for (int k = 6; k < r.nv; k++) reached += fabs(c.tau[k]) >= effort * (1 - 1e-9);
      assert_in_cones(&l, &c);
      accelerate(&r, &l, &c, vdot);
      fb_frame_acceleration(r.m, r.d, l.tasks[0].frame, NULL, a[alone]);
      fb_block_free(&block);
    }
    assert_near_of(1, "first priority", a[0], a[1], 3, 1e-9);
    qp_rig_free(&r);
  }
  assert_true(reached > 100);
}

static void efforts_of_the_model_are_kept(void** unused) {
  (void)unused;
  qp_rig r = planar_arm();
  arm_law l;
  arm_law_fill(&r, NULL, &l);
  l.law.coordinates = l.coordinates + 3;
  l.law.ncoordinate = 3;
  r.v[3] = 20;
  const double efforts[2] = {NAN, 0};
  for (int i = 0; i < 2; i++) {
    l.law.effort = efforts[i];
    fb_block block = qp_block(&r, &l.law);
    qp_call c = qp_evaluate(&r, &block, 0);
    for (int k = 0; k < 3; k++) assert_true(c.tau[k] == 0); /* the base is not driven */
    for (int k = 3; k < 6 && i == 1; k++) assert_true(c.tau[k] == 0);
    assert_true(c.outputs[fb_port_width(block.outputs, block.noutput) - 3] == 1); /* not all tasks are met */
    fb_block_free(&block);
  }
  qp_rig_free(&r);
}

static void state_that_is_not_finite_gives_no_force(void** unused) {
  (void)unused;
  qp_rig r = walker();
  walker_law l;
  walker_law_fill(&r, &l);
  fb_block block = qp_block(&r, &l.law);
  r.v[3] = NAN;
  qp_call c = qp_evaluate(&r, &block, 0);
  for (int k = 0; k < r.nv; k++) assert_true(c.tau[k] == 0);
  assert_true(c.outputs[15] == 2);
  fb_block_free(&block);
  qp_rig_free(&r);
}

/* --- in a simulation --- */

/* The centre of mass follows its path while another frame has the first priority. */
static void centre_of_mass_follows_its_path(void** unused) {
  (void)unused;
  qp_rig r = planar_arm();
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_spline* path = NULL;
  double com[3], start[3];
  assert_int_equal(fb_spline_new_cubic(2, (const double[]){0, 2}, (const double[]){0, 0.1}, &path, NULL),
                   FB_OK);
  fb_qp_task tasks[2] = {fb_default_qp_task(), fb_default_qp_task()};
  tasks[0].frame = fb_model_find_frame(r.m, "tip");
  tasks[0].axes = 3;
  tasks[1].kind = FB_QP_TASK_CENTRE_OF_MASS;
  tasks[1].frame = fb_model_find_body(r.m, "base");
  tasks[1].axes = 3;
  tasks[1].priority = 2;
  tasks[1].path.from_start = 1;
  tasks[1].path.position[0] = path;
  arm_law l;
  arm_law_fill(&r, NULL, &l);
  l.law.tasks = tasks;
  l.law.ntask = 2;
  l.law.ncontact = 0;
  fb_block block = qp_block(&r, &l.law);
  fb_sim* sim = sim_or_fail(r.m, &options);
  block_or_fail(sim, &block);
  start_or_fail(sim, r.q, r.v);
  for (int end = 0; end < 2; end++) {
    run_or_fail(sim, 2 * end);
    fb_kinematics(r.m, r.d, fb_sim_q(sim), NULL, NULL);
    fb_centre_of_mass(r.m, r.d);
    fb_subtree_com(r.m, r.d, 0, end ? com : start, NULL, NULL);
  }
  com[0] -= 0.1;
  assert_near_of(1, "centre of mass", com, start, 3, 1e-7); /* fourth order, steps of 10 ms */
  fb_sim_free(sim);
  fb_spline_free(path);
  qp_rig_free(&r);
}

/* --- what is refused --- */

/* A number of the law that is changed, and a phrase of the message. */
static const struct {
  size_t at;
  int whole; /* it is an int */
  double value;
  const char* want;
} SPOILED[] = {
    {offsetof(walker_law, law.cookie_), 1, 0, "fb_default_task_qp"},
    {offsetof(walker_law, law.ntask), 1, 0, "at least one task"},
    {offsetof(walker_law, law.effort), 0, -1, "effort is -1"},
    {offsetof(walker_law, law.decay), 0, NAN, "decay is nan"},
    {offsetof(walker_law, tasks[1].weight), 0, 0, "task 1: weight is 0"},
    {offsetof(walker_law, tasks[0].priority), 1, -1, "task 0: priority is -1"},
    {offsetof(walker_law, tasks[1].priority), 1, INT32_MAX, "task 1: priority is 2147483647"},
    {offsetof(walker_law, tasks[0].frame), 1, 999, "task 0: frame 999 does not exist"},
    {offsetof(walker_law, tasks[0].axes), 1, 64, "task 0: axes is 64"},
    {offsetof(walker_law, tasks[0].kp), 0, INFINITY, "task 0: kp inf"},
    {offsetof(walker_law, tasks[0].kind), 1, FB_QP_TASK_POSTURE, "a posture needs joints"},
    {offsetof(walker_law, tasks[0].kind), 1, 7, "its kind is 7"},
    {offsetof(walker_law, tasks[0].kind), 1, FB_QP_TASK_CENTRE_OF_MASS,
     "axes is 56; set bits 0 to 2 for x, y, z"},
    {offsetof(walker_law, feet[1].normal_w[2]), 0, 0, "contact 1: its normal (0, 0, 0) has no direction"},
    {offsetof(walker_law, feet[1].friction), 0, -0.1, "contact 1: friction -0.1"},
    {offsetof(walker_law, feet[3].sides), 1, 2, "contact 3: a pyramid of 2 sides"},
    {offsetof(walker_law, feet[3].frame), 1, 0, "contact 3: frame 0 does not exist"},
    {offsetof(walker_law, feet[3].weight), 0, NAN, "contact 3: weight is nan"},
};

static void assert_law_refused(const qp_rig* r, const fb_task_qp* law, const char* want) {
  fb_block block;
  fb_error error;
  assert_int_not_equal(fb_block_new_task_qp(r->m, "law", law, &block, &error), FB_OK);
  if (!strstr(error.text, want)) fail_msg("\"%s\" lacks \"%s\"", error.text, want);
}

static void definitions_that_cannot_work_are_refused(void** unused) {
  (void)unused;
  const int twice[2] = {7, 7};
  qp_rig r = walker();
  walker_law l;
  for (size_t i = 0; i < sizeof SPOILED / sizeof *SPOILED; i++) {
    walker_law_fill(&r, &l);
    const int whole = SPOILED[i].whole ? (int)SPOILED[i].value : 0;
    if (SPOILED[i].whole)
      memcpy((char*)&l + SPOILED[i].at, &whole, sizeof whole);
    else
      memcpy((char*)&l + SPOILED[i].at, &SPOILED[i].value, sizeof SPOILED[i].value);
    assert_law_refused(&r, &l.law, SPOILED[i].want);
  }
  walker_law_fill(&r, &l);
  l.feet[2].frame = l.feet[0].frame;
  assert_law_refused(&r, &l.law, "contacts 0 and 2 have the same frame");
  walker_law_fill(&r, &l);
  l.law.coordinates = twice;
  l.law.ncoordinate = 2;
  assert_law_refused(&r, &l.law, "twice");
  l.law.ncoordinate = 0;
  assert_law_refused(&r, &l.law, "no coordinate is driven");
  qp_rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(posture_alone_is_computed_torque),
      cmocka_unit_test(arm_presses_and_follows_as_in_closed_form),
      cmocka_unit_test(standing_forces_sum_to_the_weight),
      cmocka_unit_test(foot_without_contact_carries_nothing),
      cmocka_unit_test(bounds_hold_and_priorities_are_strict),
      cmocka_unit_test(efforts_of_the_model_are_kept),
      cmocka_unit_test(state_that_is_not_finite_gives_no_force),
      cmocka_unit_test(centre_of_mass_follows_its_path),
      cmocka_unit_test(definitions_that_cannot_work_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
