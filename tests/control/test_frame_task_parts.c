/* test_frame_task_parts.c -- frame tasks call by call: forces, parameters, edges, the small system, the answer of the base,
 * and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/frame_task/frame_task_solve.h"
#include "dynamics/base_response.h"
#include "math/svd.h"
#include "model/model.h"
#include "task_rig.h"

/* --- one call of act --- */

static void forces_stay_within_the_effort_and_only_where_they_belong(void** unused) {
  (void)unused;
  task_rig r = chain(FB_JOINT_FREE, 6, 1);
  fb_spline* far_off = constant(3);
  fb_frame_task task = task_along(&r, NULL);
  call free_call, bound_call;
  task.path.position[0] = far_off;
  task.by_motion = 0;
  task.kp = 10;
  fb_block b = task_block(&r, &task);
  call_start(&r, &b, &free_call);
  assert_int_equal(call_act(&r, &b, 0, &free_call, NULL), FB_OK);
  b.free(b.user);
  task.effort = 5;
  b = task_block(&r, &task);
  call_start(&r, &b, &bound_call);
  assert_int_equal(call_act(&r, &b, 0, &bound_call, NULL), FB_OK);
  b.free(b.user);
  int bound = 0;
  for (int k = 0; k < r.nv; k++) {
    int on_way = k >= r.first && k < r.first + 6;
    assert_true(free_call.moved[k] == 0 && (on_way || free_call.tau[k] == 0));
    double want = fmin(fmax(free_call.tau[k], -5), 5);
    assert_near("bounded force", &bound_call.tau[k], &want, 1, 1e-12);
    bound += fabs(free_call.tau[k]) > 5;
  }
  assert_true(bound > 0);
  fb_spline_free(far_off);
  rig_free(&r);
}

static void gains_are_parameters_and_knots_are_edges(void** unused) {
  (void)unused;
  task_rig r = ets7();
  line l = line_new(1, 60);
  fb_spline* turn;
  assert_int_equal(fb_spline_new_cubic(2, (const double[]){1, 2}, (const double[]){0, 0.2}, &turn, NULL),
                   FB_OK);
  fb_frame_task task = task_along(&r, &l);
  task.path.turn = turn;
  task.path.axis_w[2] = 1;
  fb_block b = task_block(&r, &task);
  call c;
  call_start(&r, &b, &c);
  assert_string_equal(b.parameters[0], "kp");
  assert_string_equal(b.parameters[1], "kd");
  assert_null(b.parameters[2]);
  assert_true(c.memory[0] == 1 && c.memory[1] == 2 && b.moves == 1);
  assert_true(b.next_edge(b.user, c.memory, -1) == 0 && b.next_edge(b.user, c.memory, 0) == 1);
  assert_true(b.next_edge(b.user, c.memory, 1) == 2 && b.next_edge(b.user, c.memory, 2) == 60);
  assert_true(isinf(b.next_edge(b.user, c.memory, 60)));
  /* At 30 s the path is 0.25 m on: kp shows alone while the robot stands still. */
  call once = c, twice = c;
  twice.memory[0] = 2;
  call none = c;
  none.memory[0] = 0;
  assert_int_equal(call_act(&r, &b, 30, &none, NULL), FB_OK);
  assert_int_equal(call_act(&r, &b, 30, &once, NULL), FB_OK);
  assert_int_equal(call_act(&r, &b, 30, &twice, NULL), FB_OK);
  for (int k = 0; k < r.nv; k++) {
    double one = once.vdot[k] - none.vdot[k], two = (twice.vdot[k] - none.vdot[k]) / 2;
    assert_int_equal(once.moved[k], k >= 6);
    assert_near("part of kp", &two, &one, 1, 1e-12);
  }
  assert_true(fabs(once.vdot[7] - none.vdot[7]) > 1e-3);
  b.free(b.user);
  fb_spline_free(turn);
  line_free(&l);
  rig_free(&r);
}

static void two_blocks_may_not_move_one_joint(void** unused) {
  (void)unused;
  task_rig r = ets7();
  fb_frame_task task = task_along(&r, NULL);
  fb_block b = task_block(&r, &task);
  fb_error error;
  call c;
  call_start(&r, &b, &c);
  c.moved[8] = 1;
  assert_int_equal(call_act(&r, &b, 0, &c, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "\"joint3\" is moved by another block"));
  b.free(b.user);
  rig_free(&r);
}

static void a_state_that_is_not_finite_gives_accelerations_that_are_not(void** unused) {
  (void)unused;
  for (int fixed = 0; fixed < 2; fixed++) {
    task_rig r = chain(fixed ? FB_JOINT_FIXED : FB_JOINT_FREE, 6, 0);
    fb_frame_task task = task_along(&r, NULL);
    fb_block b = task_block(&r, &task);
    call c;
    call_start(&r, &b, &c);
    r.q[r.nq - 1] = NAN; /* a trial step gone wrong: the integrator makes it again, shorter */
    assert_int_equal(call_act(&r, &b, 0, &c, NULL), FB_OK);
    assert_true(isnan(c.vdot[r.nv - 1]));
    b.free(b.user);
    rig_free(&r);
  }
}

static void a_base_without_inertia_is_named(void** unused) {
  (void)unused;
  static const double x_axis[3] = {1, 0, 0};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 2; i++) { /* two points on the axis of the joint between them */
    fb_body_def body = fb_default_body_def();
    body.name = i ? "tip" : "hub";
    body.parent = i ? "hub" : NULL;
    body.joint.type = i ? FB_JOINT_PRISMATIC : FB_JOINT_FREE;
    memcpy(body.joint.axis, x_axis, sizeof x_axis);
    body.mass = 1;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  task_rig r = rig_of(build_or_fail(def, NULL), "tip");
  fb_model_def_free(def);
  fb_frame_task task = task_along(&r, NULL);
  fb_block b = task_block(&r, &task);
  fb_error error;
  call c;
  r.q[7] = 1;
  call_start(&r, &b, &c);
  assert_int_equal(call_act(&r, &b, 0, &c, &error), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(error.text, "the base \"hub\""));
  b.free(b.user);
  rig_free(&r);
}

/* At a singular pose itself the answer is bounded by |x| / (2 damping), and without damping leaves out what cannot be. */
static void a_stretched_arm_is_left_alone_where_it_cannot_go(void** unused) {
  (void)unused;
  static const double damping[2] = {0, 0.05};
  for (int i = 0; i < 2; i++) {
    task_rig r = chain(FB_JOINT_FIXED, 6, 0);
    memset(r.q, 0, sizeof r.q);
    double p0[3], most = 0;
    pose_at(&r, r.q, r.hand, p0, NULL);
    fb_spline* out = constant(p0[2] + 0.5);
    fb_frame_task task = task_along(&r, NULL);
    task.path.from_start = 0;
    task.path.position[2] = out;
    task.damping = damping[i];
    fb_block b = task_block(&r, &task);
    call c;
    call_start(&r, &b, &c);
    assert_int_equal(call_act(&r, &b, 0, &c, NULL), FB_OK);
    for (int k = 0; k < r.nv; k++) most = worse_of(most, fabs(c.vdot[k]));
    assert_true(isfinite(most) && (i == 0 || most <= 0.5 / (2 * damping[i])));
    b.free(b.user);
    fb_spline_free(out);
    rig_free(&r);
  }
}

/* --- the parts --- */

static void singular_solution(const double* A, int rows, int n, const double* x, double damping, double* y) {
  double s[10], U[100], V[100], work[200];
  int k = rows < n ? rows : n;
  fb_svd(A, rows, n, s, U, V, work);
  for (int j = 0; j < n; j++) {
    y[j] = 0;
    for (int c = 0; c < k; c++) {
      double along = 0;
      if (damping == 0 && s[c] <= 1e-12 * s[0]) break;
      for (int i = 0; i < rows; i++) along += U[i * k + c] * x[i];
      y[j] += V[j * k + c] * along * s[c] / (s[c] * s[c] + damping * damping);
    }
  }
}

static void reflections_and_singular_values_agree(void** unused) {
  (void)unused;
  static const struct {
    int rows, n, rank;
    double damping, tolerance;
  } cases[] = {{6, 6, 6, 0, 1e-11},   {6, 6, 6, 0.1, 1e-12}, {3, 6, 3, 0, 1e-12},   {6, 9, 6, 0, 1e-12},
               {9, 6, 6, 0, 1e-12},   {9, 6, 6, 0.2, 1e-12}, {6, 6, 4, 0, 1e-9},    {6, 6, 4, 0.1, 1e-12},
               {6, 9, 3, 0.01, 1e-9}, {3, 2, 2, 0, 1e-12},   {3, 1, 1, 0.5, 1e-12}, {6, 6, 0, 0, 1e-15},
               {6, 6, 0, 0.1, 1e-13}};
  fb_random random = {.seed = 11};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int round = 0; round < 20; round++) {
      int rows = cases[i].rows, n = cases[i].n;
      double A[81] = {0}, x[9], y[9], want[9], *work = numbers_new((int)fb_damped_work(rows, n));
      for (int rank = 0; rank < cases[i].rank; rank++) {
        double left[9], right[9];
        random_fill(&random, -1, 1, rows, left);
        random_fill(&random, -1, 1, n, right);
        for (int a = 0; a < rows; a++)
          for (int b = 0; b < n; b++) A[a * n + b] += left[a] * right[b];
      }
      random_fill(&random, -1, 1, rows, x);
      fb_damped_solve(A, rows, n, x, cases[i].damping, y, work);
      singular_solution(A, rows, n, x, cases[i].damping, want);
      assert_near_of(worst_of(x, rows), "solution", y, want, n, cases[i].tolerance);
      free(work);
    }
}

/* The answer of the base against mixed dynamics with one unit acceleration after the other, at rest. */
static void check_response(const task_rig* r, const int* links, int count, const int* coordinates, int n) {
  double G[6 * 9], vdot[RIG_NV] = {0}, tau[RIG_NV] = {0}, rest[RIG_NV] = {0}, got[6], want[6];
  unsigned char prescribed[RIG_NV] = {0};
  fb_loads loads = fb_default_loads();
  loads.passive = 0;
  for (int j = 0; j < n; j++) prescribed[coordinates[j]] = 1;
  fb_mixed_dynamics(r->m, r->d, r->q, rest, prescribed, &loads, vdot, tau);
  assert_true(fb_base_response(r->m, r->d, links, 1, count, 1, NULL, n, G));
  for (int j = 0; j < n; j++) {
    memset(vdot, 0, sizeof vdot);
    memset(tau, 0, sizeof tau);
    vdot[coordinates[j]] = 1;
    fb_mixed_dynamics(r->m, r->d, r->q, rest, prescribed, &loads, vdot, tau);
    fb_kinematics(r->m, r->d, r->q, rest, vdot);
    fb_frame_acceleration(r->m, r->d, 1, want, want + 3);
    for (int i = 0; i < 6; i++) got[i] = G[i * n + j];
    assert_near("answer of the base", got, want, 6, 1e-12);
  }
}

static void the_answer_of_the_base_is_that_of_mixed_dynamics(void** unused) {
  (void)unused;
  for (int round = 0; round < 40; round++) {
    task_rig r = chain(FB_JOINT_FREE, 1 + round % 9, round % 2);
    fb_random_q(r.m, (uint64_t)round, r.q);
    int links[10], coordinates[9], n = 1 + round % 9, body = r.hand;
    for (int i = n; i >= 0; i--, body = fb_body_parent(r.m, body)) {
      links[i] = r.m->top.body_link[body];
      if (i > 0) coordinates[i - 1] = fb_joint_v_index(r.m, body);
    }
    check_response(&r, links, n + 1, coordinates, n);
    rig_free(&r);
  }
}

/* --- what is refused --- */

typedef void (*spoil)(const task_rig* r, fb_frame_task* task);

static void no_cookie(const task_rig* r, fb_frame_task* task) {
  (void)r, task->cookie_ = 0;
}
static void no_frame(const task_rig* r, fb_frame_task* task) {
  (void)r, task->frame = -1;
}
static void on_base(const task_rig* r, fb_frame_task* task) {
  (void)r, task->frame = 1;
}
static void on_world(const task_rig* r, fb_frame_task* task) {
  (void)r, task->frame = 0;
}
static void odd_rows(const task_rig* r, fb_frame_task* task) {
  (void)r, task->rows = 4;
}
static void gain(const task_rig* r, fb_frame_task* task) {
  (void)r, task->kd = INFINITY;
}
static void damp(const task_rig* r, fb_frame_task* task) {
  (void)r, task->damping = -1;
}
static void weak(const task_rig* r, fb_frame_task* task) {
  (void)r, task->effort = -1, task->by_motion = 0;
}
static void bound(const task_rig* r, fb_frame_task* task) {
  (void)r, task->effort = 5;
}
static void both(const task_rig* r, fb_frame_task* task) {
  (void)r, task->keep_base = task->assume_still = 1;
}

static void tasks_that_make_no_sense_are_refused(void** unused) {
  (void)unused;
  static const struct {
    spoil how;
    fb_status status;
    const char* text;
  } cases[] = {{no_cookie, FB_ERR_ARG, "fb_default_frame_task"},
               {no_frame, FB_ERR_NAME, "frame -1 does not exist"},
               {on_base, FB_ERR_ARG, "no joint lies between frame \"base\" and its floating base"},
               {on_world, FB_ERR_ARG, "frame \"world\""},
               {odd_rows, FB_ERR_ARG, "rows is 4"},
               {gain, FB_ERR_NOT_FINITE, "kd inf"},
               {damp, FB_ERR_ARG, "damping is -1"},
               {weak, FB_ERR_ARG, "effort is -1"},
               {bound, FB_ERR_ARG, "effort is 5, but by_motion"},
               {both, FB_ERR_ARG, "assume_still excludes it"}};
  task_rig r = ets7(), fixed = chain(FB_JOINT_FIXED, 3, 0);
  fb_error error;
  fb_block b;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_frame_task task = task_along(&r, NULL);
    cases[i].how(&r, &task);
    fb_status status = fb_block_new_frame_task(r.m, "grip", &task, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text) || !strstr(error.text, "\"grip\""))
      fail_msg("%s: %s", fb_status_name(status), error.text);
    assert_null(b.user);
  }
  fb_frame_task task = task_along(&fixed, NULL);
  task.keep_base = 1;
  assert_int_equal(fb_block_new_frame_task(fixed.m, "grip", &task, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "\"base\" does not float"));
  assert_int_equal(fb_block_new_frame_task(fixed.m, "", &task, &b, &error), FB_ERR_NAME);
  fb_spline* turn = constant(1);
  task.keep_base = 0;
  task.path.turn = turn;
  assert_int_equal(fb_block_new_frame_task(fixed.m, "grip", &task, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "has no direction"));
  task.path.axis_w[0] = 1;
  task.rows = 3;
  assert_int_equal(fb_block_new_frame_task(fixed.m, "grip", &task, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "rows 3"));
  fb_spline_free(turn);
  rig_free(&r);
  rig_free(&fixed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_stay_within_the_effort_and_only_where_they_belong),
      cmocka_unit_test(gains_are_parameters_and_knots_are_edges),
      cmocka_unit_test(two_blocks_may_not_move_one_joint),
      cmocka_unit_test(a_state_that_is_not_finite_gives_accelerations_that_are_not),
      cmocka_unit_test(a_base_without_inertia_is_named),
      cmocka_unit_test(a_stretched_arm_is_left_alone_where_it_cannot_go),
      cmocka_unit_test(reflections_and_singular_values_agree),
      cmocka_unit_test(the_answer_of_the_base_is_that_of_mixed_dynamics),
      cmocka_unit_test(tasks_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
