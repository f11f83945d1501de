/* test_frame_task.c -- frames that follow paths: the law against closed forms, and what each option does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/svd.h"
#include "task_rig.h"

/* --- the line --- */

/* What a run along the line showed, at samples of 0.1 s. */
typedef struct seen {
  double off, hand_turn, base_turn; /* the most [m], [rad] */
  double linear, angular;           /* momentum at the end, of its scale */
} seen;

static seen run_line(const task_rig* r, const line* l, const fb_frame_task* task, double step, double T) {
  seen s = {0};
  double p0[3], R0[9], B0[9];
  fb_sim_options options = options_of(FB_METHOD_RK4, step);
  fb_sim* sim = task_sim(r, task, &options);
  fb_ledger ledger = {0};
  pose_at(r, r->q, r->hand, p0, R0);
  pose_at(r, r->q, 1, NULL, B0);
  for (int i = 1; i <= (int)(T * 10 + 0.5); i++) {
    run_or_fail(sim, 0.1 * i);
    s.off = worse_of(s.off, off_line(r, l, p0, fb_sim_q(sim), fb_sim_time(sim)));
    s.hand_turn = worse_of(s.hand_turn, turned(r, fb_sim_q(sim), r->hand, R0));
    s.base_turn = worse_of(s.base_turn, turned(r, fb_sim_q(sim), 1, B0));
    fb_sim_ledger(sim, &ledger);
  }
  s.linear = length3(ledger.linear) / ledger.linear_scale;
  s.angular = length3(ledger.angular) / ledger.angular_scale;
  fb_sim_free(sim);
  return s;
}

static void print_seen(const char* what, const seen* s) {
  print_message(
      "%s: off the line %.2g m, hand turned %.2g, base %.2g rad; momentum %.2g, %.2g of its scale\n", what,
      s->off, s->hand_turn, s->base_turn, s->linear, s->angular);
}

static void the_hand_stays_on_a_line_while_the_base_floats(void** unused) {
  (void)unused;
  task_rig r = ets7();
  line l = line_new(1, 60);
  fb_frame_task task = task_along(&r, &l);
  seen s = run_line(&r, &l, &task, 0.01, 62);
  print_seen("J*, rk4 10 ms, 62 s", &s);
  assert_true(s.off < 1e-6 && s.hand_turn < 1e-6);
  assert_true(s.base_turn > 1e-3); /* it did float */
  assert_true(s.linear < 1e-12 && s.angular < 1e-12);
  line_free(&l);
  rig_free(&r);
}

static void other_joints_may_ring_and_the_hand_stays_on_its_line(void** unused) {
  (void)unused;
  for (int by_motion = 0; by_motion < 2; by_motion++) {
    task_rig r = chain(FB_JOINT_FREE, 6, 1);
    line l = line_new(0.4, 5);
    fb_frame_task task = task_along(&r, &l);
    task.by_motion = by_motion;
    r.q[7] = 0.7; /* a paddle bent against its spring, and let go */
    seen s = run_line(&r, &l, &task, 0.005, 6);
    print_seen("with paddles", &s);
    assert_true(s.off < 1e-6 && s.hand_turn < 1e-6 && s.base_turn > 1e-3);
    assert_true(s.linear < 1e-9 && s.angular < 1e-9); /* rk4 on paddles of 0.7 Hz */
    line_free(&l);
    rig_free(&r);
  }
}

/* --- closed form: e'' + kd e' + kp e = 0 --- */

static double second_order(double kp, double kd, double e0, double rate0, double t) {
  double half = kd / 2, inside = half * half - kp, c, s;
  if (inside < 0) {
    double w = sqrt(-inside);
    c = cos(w * t);
    s = sin(w * t) / w;
  } else {
    double w = sqrt(inside);
    c = cosh(w * t);
    s = w > 0 ? sinh(w * t) / w : t;
  }
  return exp(-half * t) * (e0 * c + (rate0 + half * e0) * s);
}

/* The robot wants its hand 5 cm off, on a moving line, and, with six rows, turned and turning; the errors must be those of the
 * closed form at every sample. */
static void check_closed_form(task_rig* r, fb_frame_task task, double gravity, double turn, double step,
                              double tolerance) {
  static const double e0[3] = {0.05, -0.02, 0.03}, axis[3] = {2, -1, 2};
  double p0[3], R0[9], rate0[3];
  fb_spline *position[3], *angle;
  fb_sim_options options = options_of(FB_METHOD_RK4, step);
  options.environment.gravity_w[2] = gravity;
  fb_kinematics(r->m, r->d, r->q, r->v, NULL);
  fb_frame_pose(r->m, r->d, r->hand, p0, R0);
  fb_frame_velocity(r->m, r->d, r->hand, rate0, NULL);
  for (int i = 0; i < 3; i++) {
    const double t[2] = {0, 3}, x[2] = {p0[i] + e0[i], p0[i] + e0[i] + 0.1 * (i - 1)};
    assert_int_equal(fb_spline_new_cubic(2, t, x, &position[i], NULL), FB_OK);
    task.path.position[i] = position[i];
  }
  assert_int_equal(
      fb_spline_new_cubic(2, (const double[]){0, 3}, (const double[]){turn, turn - 0.4}, &angle, NULL),
      FB_OK);
  task.path.from_start = 0;
  task.path.turn = task.rows == 6 ? angle : NULL;
  memcpy(task.path.axis_w, axis, sizeof axis);
  fb_sim* sim = task_sim(r, &task, &options);
  for (int i = 1; i <= 10; i++) {
    double t = 0.4 * i, p[3], R[9], e[6], want[6], wanted[9], target;
    run_or_fail(sim, t);
    pose_at(r, fb_sim_q(sim), r->hand, p, R);
    fb_spline_eval(angle, t, &target, NULL, NULL);
    fb_rot_from_axis_angle(axis, target, wanted);
    fb_rot_multiply(wanted, R0, wanted);
    fb_rot_difference(wanted, R, e + 3);
    for (int k = 0; k < 3; k++) {
      fb_spline_eval(position[k], t, &target, NULL, NULL);
      e[k] = target - p[k];
      want[k] = second_order(task.kp, task.kd, e0[k], -rate0[k], t);
      want[3 + k] = second_order(task.kp, task.kd, turn, 0, t) * axis[k] / 3;
    }
    /* RK4's error grows with the motion: about half a radian in all */
    assert_near_of(0.5, "error of the hand", e, want, task.rows, tolerance);
  }
  fb_sim_free(sim);
  fb_spline_free(angle);
  for (int i = 0; i < 3; i++) fb_spline_free(position[i]);
}

static const struct { double kp, kd; } gains[] = {{4, 2}, {1, 2}, {1, 5}, {2, 0}};
enum { GAINS = sizeof gains / sizeof gains[0] };

static void errors_die_out_as_the_gains_say(void** unused) {
  (void)unused;
  for (int i = 0; i < 2 * GAINS; i++) {
    task_rig r = ets7();
    fb_frame_task task = task_along(&r, NULL);
    task.kp = gains[i / 2].kp;
    task.kd = gains[i / 2].kd;
    task.by_motion = i % 2;
    check_closed_form(&r, task, 0, 0.3, 0.01, 1e-9);
    rig_free(&r);
  }
}

static void errors_die_out_on_a_satellite_that_tumbles_and_rings(void** unused) {
  (void)unused;
  for (int i = 0; i < 2 * GAINS; i++) {
    task_rig r = chain(FB_JOINT_FREE, 6, 1);
    fb_random_v(r.m, 7, r.v);
    for (int k = 0; k < r.nv; k++) r.v[k] *= 0.03;
    fb_frame_task task = task_along(&r, NULL);
    task.rows = 3;
    task.kp = gains[i / 2].kp;
    task.kd = gains[i / 2].kd;
    task.by_motion = i % 2;
    check_closed_form(&r, task, 0.003, 0, 0.01, 1e-8);
    rig_free(&r);
  }
}

static void errors_die_out_on_a_fixed_base_under_gravity(void** unused) {
  (void)unused;
  for (int i = 0; i < 2 * GAINS; i++) {
    task_rig r = chain(FB_JOINT_FIXED, 6, 1);
    fb_frame_task task = task_along(&r, NULL);
    task.kp = gains[i / 2].kp;
    task.kd = gains[i / 2].kd;
    task.by_motion = i % 2;
    check_closed_form(&r, task, -9.81, 0.3, 0.01, 1e-9);
    rig_free(&r);
  }
}

/* --- a law that believes the base to be still --- */

/* Base pose (p, quaternion) rate for joint rates, from the momentum that stays zero. */
static void base_rate(fb_floating* f, const double base[7], const double* q_arm, const double* v_arm,
                      double rate[7]) {
  double q[7 + ARM], v_b[6], unit[4];
  memcpy(unit, base + 3, sizeof unit);
  fb_quat_normalise(unit);
  memcpy(q, base, 3 * sizeof *q);
  memcpy(q + 3, unit, sizeof unit);
  memcpy(q + 7, q_arm, ARM * sizeof *q);
  fb_floating_update(f, q, NULL);
  fb_floating_base_velocity(f, v_arm, NULL, v_b);
  memcpy(rate, v_b, 3 * sizeof *rate);
  fb_quat_rate(base + 3, v_b + 3, rate + 3);
}

/* One step of the classical Runge-Kutta rule over three samples of the arm, a (start), b (middle), c (end). */
static void base_step(fb_floating* f, double h, const double arm[3][2 * ARM], double base[7]) {
  static const double ahead[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  static const int sample[4] = {0, 1, 1, 2};
  double rate[7] = {0}, sum[7] = {0}, at[7];
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 7; i++) at[i] = base[i] + h * ahead[stage] * rate[i];
    base_rate(f, at, arm[sample[stage]], arm[sample[stage]] + ARM, rate);
    for (int i = 0; i < 7; i++) sum[i] += weight[stage] * rate[i];
  }
  for (int i = 0; i < 7; i++) base[i] += h / 6 * sum[i];
  fb_quat_normalise(base + 3);
}

static void sample_arm(const fb_sim* sim, double arm[2 * ARM]) {
  memcpy(arm, fb_sim_q(sim) + 7, ARM * sizeof *arm);
  memcpy(arm + ARM, fb_sim_v(sim) + 6, ARM * sizeof *arm);
}

static void who_believes_the_base_still_misses_by_what_theory_says(void** unused) {
  (void)unused;
  task_rig r = ets7();
  line l = line_new(1, 60);
  fb_frame_task task = task_along(&r, &l);
  fb_floating* f;
  task.assume_still = 1;
  assert_int_equal(fb_floating_new(r.m, 1, &f, NULL), FB_OK);
  double p0[3], q[7 + ARM], p[3], predicted[3], believed = 0, off = 0, missed = 0, base[7], arm[3][2 * ARM];
  memcpy(base, r.q, sizeof base);
  pose_at(&r, r.q, r.hand, p0, NULL);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = task_sim(&r, &task, &options);
  for (int i = 0; i < 3000; i++) {
    for (int k = 0; k < 3; k++) {
      run_or_fail(sim, 0.01 * (2 * i + k));
      sample_arm(sim, arm[k]);
    }
    base_step(f, 0.02, (const double(*)[2 * ARM]) arm, base);
    memcpy(q + 7, arm[2], ARM * sizeof *q);
    memcpy(q, r.q, 7 * sizeof *q);
    believed = worse_of(believed, off_line(&r, &l, p0, q, fb_sim_time(sim)));
    memcpy(q, base, 7 * sizeof *q);
    pose_at(&r, q, r.hand, predicted, NULL);
    pose_at(&r, fb_sim_q(sim), r.hand, p, NULL);
    missed = worse_of(missed, apart3(p, predicted));
    off = worse_of(off, off_line(&r, &l, p0, fb_sim_q(sim), fb_sim_time(sim)));
  }
  print_message("plain Jacobian: off the line %.4g m; from what theory says %.2g m; it believes %.2g m\n",
                off, missed, believed);
  assert_true(off > 0.01 && missed < 1e-9 && believed < 1e-9);
  fb_sim_free(sim);
  fb_floating_free(f);
  line_free(&l);
  rig_free(&r);
}

/* --- reaction null motion --- */

static void the_base_keeps_its_attitude_when_asked_to(void** unused) {
  (void)unused;
  task_rig r = ets7();
  line l = line_new(1, 60);
  fb_frame_task task = task_along(&r, &l);
  seen pose = run_line(&r, &l, &task, 0.05, 60);
  task.rows = 3;
  seen position = run_line(&r, &l, &task, 0.05, 60);
  task.keep_base = 1;
  seen kept = run_line(&r, &l, &task, 0.05, 60);
  print_seen("pose", &pose);
  print_seen("position", &position);
  print_seen("position, base kept", &kept);
  assert_true(pose.off < 1e-6 && position.off < 1e-6 && kept.off < 1e-6);
  assert_true(kept.base_turn * 1e6 < pose.base_turn && kept.base_turn * 1e6 < position.base_turn);
  line_free(&l);
  rig_free(&r);
}

/* A base that turns at the start comes to rest: w' = -kd w, by the joints alone. */
static void a_base_that_turns_is_slowed_down_by_the_arm(void** unused) {
  (void)unused;
  task_rig r = chain(FB_JOINT_FREE, 8, 0);
  fb_frame_task task = task_along(&r, NULL);
  task.rows = 3;
  task.keep_base = 1;
  double w0[3] = {0.02, -0.03, 0.01}, w[3], want[3];
  memcpy(r.v + 3, w0, sizeof w0);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.002);
  fb_sim* sim = task_sim(&r, &task, &options);
  for (int i = 1; i <= 5; i++) {
    double t = 0.3 * i;
    run_or_fail(sim, t);
    fb_kinematics(r.m, r.d, fb_sim_q(sim), fb_sim_v(sim), NULL);
    fb_frame_velocity(r.m, r.d, 1, NULL, w);
    for (int k = 0; k < 3; k++) want[k] = w0[k] * exp(-task.kd * t);
    assert_near("base rate", w, want, 3, 1e-10);
  }
  fb_sim_free(sim);
  rig_free(&r);
}

static double output_of(fb_sim* sim, const char* name) {
  fb_signal signal;
  int count;
  double x;
  fb_error error;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* Of six joints the position and the attitude of the base use all: four joints, of six rows, always miss some, which does not
 * count. Where the rows are dependent the plain ones of the position are not: found by a search over poses. */
static void a_pose_in_which_joints_cannot_keep_the_base_is_singular(void** unused) {
  (void)unused;
  task_rig r = chain(FB_JOINT_FREE, 6, 0);
  fb_frame_task task = task_along(&r, NULL);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  double least = 1, plain = 0, q[32];
  task.rows = 3;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    double part[2];
    fb_random_q(r.m, seed, r.q);
    for (int keep = 0; keep < 2; keep++) {
      task.keep_base = keep;
      fb_sim* sim = task_sim(&r, &task, &options);
      part[keep] = output_of(sim, "hand.conditioning");
      fb_sim_free(sim);
    }
    if (!(part[1] < least)) continue;
    least = part[1];
    plain = part[0];
    memcpy(q, r.q, (size_t)fb_model_nq(r.m) * sizeof *q);
  }
  print_message("conditioning %.1e, of the position alone %.1e\n", least, plain);
  assert_true(least < 0.01 && plain > 0.05);
  rig_free(&r);
}

/* --- motion and force --- */

static void forces_give_the_motion_that_accelerations_give(void** unused) {
  (void)unused;
  for (int still = 0; still < 2; still++)
    for (int keep = 0; keep < 2 - still; keep++) {
      task_rig r = ets7();
      line l = line_new(0.3, 5);
      fb_frame_task task = task_along(&r, &l);
      task.rows = keep ? 3 : 6;
      task.keep_base = keep;
      task.assume_still = still;
      fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
      fb_sim* by_motion = task_sim(&r, &task, &options);
      task.by_motion = 0;
      fb_sim* by_force = task_sim(&r, &task, &options);
      run_or_fail(by_motion, 6);
      run_or_fail(by_force, 6);
      double apart =
          distance(r.m, fb_sim_q(by_motion), fb_sim_v(by_motion), fb_sim_q(by_force), fb_sim_v(by_force));
      if (!(apart < 1e-8)) fail_msg("still %d, keep %d: motions are %g apart", still, keep, apart);
      fb_sim_free(by_motion);
      fb_sim_free(by_force);
      line_free(&l);
      rig_free(&r);
    }
}

/* --- redundancy and singular poses --- */

/* A y = x is met, and y + kd v has no part that the frame does not see. */
static void redundant_joints_move_as_little_as_they_can(void** unused) {
  (void)unused;
  enum { N = 9 };
  task_rig r = chain(FB_JOINT_FREE, N, 0);
  line l = line_new(0.4, 4);
  fb_frame_task task = task_along(&r, &l);
  seen s = run_line(&r, &l, &task, 0.005, 5);
  print_seen("nine joints", &s);
  assert_true(s.off < 1e-6 && s.hand_turn < 1e-6);

  fb_floating* f;
  double J[6 * N], sv[6], U[36], V[N * 6], y[N], a[6], work[6 * N + 36];
  call c;
  assert_int_equal(fb_floating_new(r.m, 1, &f, NULL), FB_OK);
  fb_random_v(r.m, 5, r.v);
  fb_block b = task_block(&r, &task);
  call_start(&r, &b, &c);
  assert_int_equal(call_act(&r, &b, 1, &c, NULL), FB_OK);
  fb_floating_update(f, r.q, r.v);
  fb_floating_jacobian(f, r.hand, J);
  fb_svd(J, 6, N, sv, U, V, work);
  double left = 0;
  for (int j = 0; j < N; j++) y[j] = c.vdot[6 + j] + task.kd * r.v[6 + j];
  for (int k = 0; k < 6; k++) {
    a[k] = 0;
    for (int j = 0; j < N; j++) a[k] += V[j * 6 + k] * y[j];
  }
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < 6; k++) y[j] -= V[j * 6 + k] * a[k];
    left = worse_of(left, fabs(y[j]));
  }
  assert_true(left < 1e-10);
  b.free(b.user);
  fb_floating_free(f);
  line_free(&l);
  rig_free(&r);
}

/* The hand is asked for a place 1 m beyond its reach: it ends stretched towards it, without racing. */
static void a_damped_arm_bears_what_it_cannot_reach(void** unused) {
  (void)unused;
  for (int base = 0; base < 2; base++) {
    task_rig r = chain(base ? FB_JOINT_FREE : FB_JOINT_FIXED, 6, 0);
    fb_frame_task task = task_along(&r, NULL);
    double p0[3], p[3], fastest = 0;
    pose_at(&r, r.q, r.hand, p0, NULL);
    fb_spline* height = constant(p0[2] + 3);
    task.path.from_start = 0;
    task.path.position[2] = height;
    task.rows = 3;
    task.damping = 0.1;
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
    fb_sim* sim = task_sim(&r, &task, &options);
    for (int i = 1; i <= 60; i++) {
      run_or_fail(sim, 0.5 * i);
      for (int k = r.first; k < r.nv; k++) fastest = worse_of(fastest, fabs(fb_sim_v(sim)[k]));
    }
    pose_at(&r, fb_sim_q(sim), r.hand, p, NULL);
    print_message("out of reach, %s base: fastest joint %.3g rad/s\n", base ? "floating" : "fixed", fastest);
    assert_true(fastest < 20);
    for (int k = r.first; k < r.nv; k++) assert_true(isfinite(fb_sim_v(sim)[k]));
    assert_true(p[2] > p0[2]);
    fb_sim_free(sim);
    fb_spline_free(height);
    rig_free(&r);
  }
}

/* --- resume --- */

static void a_run_taken_up_again_goes_on_bit_for_bit(void** unused) {
  (void)unused;
  static const fb_method methods[] = {FB_METHOD_RK4, FB_METHOD_DOPRI5};
  for (int i = 0; i < 8; i++) {
    task_rig r = ets7();
    line l = line_new(1, 8);
    fb_frame_task task = task_along(&r, &l);
    task.by_motion = i & 1;
    task.assume_still = i >> 1 & 1;
    fb_sim_options options = fb_default_sim_options();
    options.method = methods[i >> 2];
    fb_sim *first = task_sim(&r, &task, &options), *second = task_sim(&r, &task, &options);
    run_or_fail(first, 3);
    assert_int_equal(fb_sim_set_parameter(first, 0, fb_sim_find_parameter(first, 0, "kp"), 1.5, NULL), FB_OK);
    size_t size = fb_sim_snapshot_size(first);
    void* snapshot = malloc(size);
    assert_non_null(snapshot);
    fb_sim_save(first, snapshot);
    run_or_fail(second, 1); /* elsewhere, to be sure */
    assert_int_equal(fb_sim_restore(second, snapshot, size, NULL), FB_OK);
    run_or_fail(first, 9);
    run_or_fail(second, 9);
    assert_memory_equal(fb_sim_q(first), fb_sim_q(second), (size_t)r.nq * sizeof(double));
    assert_memory_equal(fb_sim_v(first), fb_sim_v(second), (size_t)r.nv * sizeof(double));
    free(snapshot);
    fb_sim_free(first);
    fb_sim_free(second);
    line_free(&l);
    rig_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hand_stays_on_a_line_while_the_base_floats),
      cmocka_unit_test(other_joints_may_ring_and_the_hand_stays_on_its_line),
      cmocka_unit_test(errors_die_out_as_the_gains_say),
      cmocka_unit_test(errors_die_out_on_a_satellite_that_tumbles_and_rings),
      cmocka_unit_test(errors_die_out_on_a_fixed_base_under_gravity),
      cmocka_unit_test(who_believes_the_base_still_misses_by_what_theory_says),
      cmocka_unit_test(the_base_keeps_its_attitude_when_asked_to),
      cmocka_unit_test(a_base_that_turns_is_slowed_down_by_the_arm),
      cmocka_unit_test(a_pose_in_which_joints_cannot_keep_the_base_is_singular),
      cmocka_unit_test(forces_give_the_motion_that_accelerations_give),
      cmocka_unit_test(redundant_joints_move_as_little_as_they_can),
      cmocka_unit_test(a_damped_arm_bears_what_it_cannot_reach),
      cmocka_unit_test(a_run_taken_up_again_goes_on_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
