/* test_force_control.c -- impedance and force_position: the equation of the frame, equilibria, walls, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "task_rig.h"

static const double GRAVITY[3] = {0.5, -1, -9.81};

/* --- one call: what the frame does under the law and a wrench --- */

typedef struct frame_motion {
  double p[3], R[9], v[6], a[6];
} frame_motion;

/* Starts the law at the neutral state of the rig, moves the robot, and lets a force act on its hand. */
static frame_motion respond(task_rig* r, fb_block* law, const double force[3], fb_random* random) {
  fb_environment environment = fb_default_environment();
  double memory[64] = {0}, state[8] = {0}, rate[8], tau[RIG_NV] = {0}, vdot[RIG_NV] = {0}, dq[RIG_NV];
  unsigned char moved[RIG_NV] = {0};
  fb_context context = {.model = r->m, .data = r->d, .q = r->q, .v = r->v, .environment = &environment};
  fb_action action = {tau, vdot, moved, NULL, 0, 0};
  fb_wrench wrench = {.frame = r->hand};
  frame_motion out;
  assert_true(law->nmemory <= 64 && law->nstate <= 8);
  memcpy(environment.gravity_w, GRAVITY, sizeof GRAVITY);
  assert_int_equal(law->start(law->user, &context, memory, state, NULL), FB_OK);
  random_fill(random, -0.05, 0.05, r->nv, dq);
  random_fill(random, -0.3, 0.3, r->nv, r->v);
  fb_integrate(r->m, r->q, dq, 1, r->q);
  assert_int_equal(law->act(law->user, &context, memory, state, &action, rate, NULL), FB_OK);
  fb_loads loads = fb_context_loads(&context);
  memcpy(wrench.force, force, sizeof wrench.force);
  loads.wrenches = &wrench;
  loads.nwrench = 1;
  fb_forward_dynamics(r->m, r->d, r->q, r->v, tau, &loads, vdot);
  fb_kinematics(r->m, r->d, r->q, r->v, vdot);
  fb_frame_pose(r->m, r->d, r->hand, out.p, out.R);
  fb_frame_velocity(r->m, r->d, r->hand, out.v, out.v + 3);
  fb_frame_acceleration(r->m, r->d, r->hand, out.a, out.a + 3);
  return out;
}

/* J H^-1 J^T times a wrench: what the frame does by it. */
static void answer(const task_rig* r, const double f[6], double a[6]) {
  double A[36];
  fb_row rows[6];
  memset(rows, 0, sizeof rows);
  for (int i = 0; i < 6; i++) {
    rows[i].coordinate = -1;
    rows[i].body[1] = r->hand; /* hands of these rigs are bodies */
    (i < 3 ? rows[i].linear : rows[i].angular)[i % 3] = 1;
  }
  fb_response_begin(r->m, r->d, r->q, NULL);
  fb_response_matrix(r->m, r->d, NULL, rows, 6, A);
  for (int i = 0; i < 6; i++) {
    a[i] = 0;
    for (int k = 0; k < 6; k++) a[i] += A[6 * i + k] * f[k];
  }
}

static void frame_is_a_mass_on_a_spring_and_a_damper(void** unused) {
  (void)unused;
  static const double K[6] = {300, 200, 500, 20, 30, 10}, D[6] = {40, 30, 60, 4, 5, 2}, force[3] = {3, -4, 5};
  fb_random random = random_seed(1);
  for (int c = 0; c < 8; c++) {
    task_rig r = chain(c & 1 ? FB_JOINT_FREE : FB_JOINT_FIXED, 7, 0);
    fb_impedance given = fb_default_impedance();
    fb_block law;
    fb_error error;
    double p0[3], R0[9], e[6], f[6], want[6];
    given.task.frame = r.hand;
    given.task.rows = c & 2 ? 3 : 6;
    given.in_frame_axes = c & 4;
    memcpy(given.stiffness, K, sizeof K);
    memcpy(given.damping, D, sizeof D);
    pose_at(&r, r.q, r.hand, p0, R0);
    if (fb_block_new_impedance(r.m, "law", &given, &law, &error)) fail_msg("%s", error.text);
    frame_motion got = respond(&r, &law, force, &random);
    for (int i = 0; i < 3; i++) e[i] = p0[i] - got.p[i];
    fb_rot_difference(R0, got.R, e + 3);
    for (int half = 0; half < 2; half++) {
      double x[3], v[3];
      memcpy(x, e + 3 * half, sizeof x);
      memcpy(v, got.v + 3 * half, sizeof v);
      if (given.in_frame_axes) fb_rot_apply_transpose(got.R, x, x), fb_rot_apply_transpose(got.R, v, v);
      for (int i = 0; i < 3; i++) x[i] = K[3 * half + i] * x[i] - D[3 * half + i] * v[i];
      if (given.in_frame_axes) fb_rot_apply(got.R, x, x);
      for (int i = 0; i < 3; i++)
        f[3 * half + i] = half ? (given.task.rows == 6 ? x[i] : 0) : x[i] + force[i];
    }
    answer(&r, f, want);
    assert_near("acceleration", got.a, want, given.task.rows, 1e-9);
    fb_block_free(&law);
    rig_free(&r);
  }
}

static void desired_reaction_leaves_the_motion_that_is_asked_for(void** unused) {
  (void)unused;
  fb_random random = random_seed(2);
  fb_spline* five = constant(5);
  for (int c = 0; c < 4; c++) {
    task_rig r = chain(c & 1 ? FB_JOINT_FREE : FB_JOINT_FIXED, 7, 0);
    fb_force_axis press = fb_default_force_axis();
    fb_force_position given = fb_default_force_position();
    fb_block law;
    fb_error error;
    double n[3] = {2, -1, 0.5}, R0[9], p0[3], want[3], length = length3(n);
    memcpy(press.direction, n, sizeof n);
    press.force = five;
    press.axes_of = c & 2 ? r.hand : 0;
    given.force_axes = &press;
    given.count = 1;
    given.task.frame = r.hand;
    given.task.kp = 9;
    given.task.kd = 6;
    pose_at(&r, r.q, r.hand, p0, R0);
    if (fb_block_new_force_position(r.m, "law", &given, &law, &error)) fail_msg("%s", error.text);
    fb_random again = random;
    task_rig copy = r;
    frame_motion free = respond(&copy, &law, (const double[]){0, 0, 0}, &again); /* where it is then */
    if (press.axes_of) fb_rot_apply(free.R, n, n);
    for (int i = 0; i < 3; i++) n[i] /= length;
    frame_motion got = respond(&r, &law, (const double[]){-5 * n[0], -5 * n[1], -5 * n[2]}, &random);
    double along = 0, vn = 0;
    for (int i = 0; i < 3; i++) {
      want[i] = 9 * (p0[i] - got.p[i]) - 6 * got.v[i];
      along += want[i] * n[i];
      vn += got.v[i] * n[i];
    }
    for (int i = 0; i < 3; i++) want[i] += (-along - 6 * vn) * n[i];
    assert_near("acceleration", got.a, want, 3, 1e-9);
    fb_block_free(&law);
    rig_free(&r);
  }
  fb_spline_free(five);
}

/* --- at rest --- */

static fb_sim* gravity_sim(const task_rig* r) {
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.005);
  memcpy(options.environment.gravity_w, GRAVITY, sizeof GRAVITY);
  return sim_or_fail(r->m, &options);
}

static void loaded_frame_gives_way_by_force_over_stiffness(void** unused) {
  (void)unused;
  static const double times[2] = {0, 1000}, load[12] = {4, -6, 8, 0, 0, 0, 4, -6, 8},
                      K[6] = {200, 300, 400, 30, 30, 30};
  task_rig r = chain(FB_JOINT_FIXED, 6, 0);
  fb_impedance given = fb_default_impedance();
  fb_schedule schedule = {2, times, load, 0, .cookie_ = FB_COOKIE};
  fb_sim* sim = gravity_sim(&r);
  fb_block law, force;
  fb_error error;
  double p0[3], p[3], want[3];
  given.task.frame = r.hand;
  memcpy(given.stiffness, K, sizeof K);
  for (int i = 0; i < 6; i++) given.damping[i] = i < 3 ? 80 : 8;
  if (fb_block_new_impedance(r.m, "hand", &given, &law, &error)) fail_msg("%s", error.text);
  if (fb_block_new_frame_schedule(r.m, "load", r.hand, 0, &schedule, &force, &error))
    fail_msg("%s", error.text);
  block_or_fail(sim, &law);
  block_or_fail(sim, &force);
  start_or_fail(sim, r.q, r.v);
  pose_at(&r, r.q, r.hand, p0, NULL);
  run_or_fail(sim, 12);
  pose_at(&r, fb_sim_q(sim), r.hand, p, NULL);
  for (int i = 0; i < 3; i++) want[i] = p0[i] + load[i] / K[i];
  assert_near_of(1, "equilibrium", p, want, 3, 1e-6); /* 12 s of a motion that dies out within 1 s */
  fb_sim_free(sim);
  rig_free(&r);
}

/* A wall below the hand without friction: a spring of 5000 N/m with a damper, which never pulls; it measures its force. */
typedef struct wall {
  int hand;
  double z;
} wall;

static double wall_force(const wall* w, const fb_context* context) {
  double p[3], v[3];
  const fb_data* d = fb_context_kinematics(context);
  fb_frame_pose(context->model, d, w->hand, p, NULL);
  fb_frame_velocity(context->model, d, w->hand, v, NULL);
  return p[2] < w->z ? fmax(5000 * (w->z - p[2]) - 200 * v[2], 0) : 0;
}

static fb_status wall_act(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  fb_wrench* wrench = fb_action_add_wrench(action);
  wrench->frame = ((wall*)user)->hand;
  wrench->force[2] = wall_force((const wall*)user, context);
  return FB_OK;
}

static fb_status wall_output(void* user, const fb_context* context, const double* memory, const double* state,
                             double* outputs, fb_error* error) {
  (void)memory, (void)state, (void)error;
  outputs[0] = wall_force((const wall*)user, context);
  return FB_OK;
}

/* Pressed on the wall while it moves along it; with feedback also where a load is not known. */
static void wall_is_pressed_with_the_desired_force(void** unused) {
  (void)unused;
  static const fb_port output = {"normal", "N", "", 1};
  static const double two[2] = {0, 1000}, load[12] = {0, 0, 3, 0, 0, 0, 0, 0, 3, 0, 0, 0};
  for (int feedback = 0; feedback < 2; feedback++) {
    task_rig r = chain(FB_JOINT_FIXED, 6, 0);
    fb_sim* sim = gravity_sim(&r);
    line path = line_new(0.3, 4);
    fb_spline* ten = constant(10);
    fb_force_axis press = fb_default_force_axis();
    fb_force_position given = fb_default_force_position();
    fb_block law, force, surface = fb_default_block();
    fb_schedule schedule = {2, two, load, 0, .cookie_ = FB_COOKIE};
    fb_error error;
    double p0[3], got;
    pose_at(&r, r.q, r.hand, p0, NULL);
    wall w = {r.hand, p0[2] - 0.01};
    surface.name = "wall";
    surface.user = &w;
    surface.nwrench = 1;
    surface.act = wall_act;
    surface.output = wall_output;
    surface.outputs = &output;
    surface.noutput = 1;
    press.force = ten;
    press.ki = feedback ? 4 : 0;
    press.measured = feedback ? "wall.normal" : NULL;
    given.force_axes = &press;
    given.count = 1;
    given.task = task_along(&r, &path);
    given.task.by_motion = 0;
    given.task.kp = 100;
    given.task.kd = 20;
    if (fb_block_new_force_position(r.m, "hand", &given, &law, &error)) fail_msg("%s", error.text);
    if (fb_block_new_frame_schedule(r.m, "load", r.hand, 0, &schedule, &force, &error))
      fail_msg("%s", error.text);
    block_or_fail(sim, &law);
    block_or_fail(sim, &surface);
    if (feedback) block_or_fail(sim, &force);
    if (!feedback) fb_block_free(&force);
    start_or_fail(sim, r.q, r.v);
    run_or_fail(sim, 10);
    fb_signal signal;
    int count;
    assert_int_equal(fb_sim_find_signal(sim, "wall.normal", &signal, 1, &count, &error), FB_OK);
    fb_sim_signal_values(sim, &signal, 1, &got);
    assert_near("force", &got, (const double[]){10}, 1, 1e-6); /* settled */
    double p[3], want[2] = {p0[0] + 0.3 * LINE[0], p0[1] + 0.3 * LINE[1]};
    pose_at(&r, fb_sim_q(sim), r.hand, p, NULL);
    assert_near_of(1, "place", p, want, 2, 1e-6);
    fb_sim_free(sim);
    fb_spline_free(ten);
    line_free(&path);
    rig_free(&r);
  }
}

/* --- what is refused --- */

static void definitions_that_cannot_work_are_refused(void** unused) {
  (void)unused;
  task_rig r = chain(FB_JOINT_FIXED, 6, 0);
  fb_spline* five = constant(5);
  for (int c = 0; c < 13; c++) {
    fb_force_axis force_axes[2] = {fb_default_force_axis(), fb_default_force_axis()};
    fb_force_position press = fb_default_force_position();
    fb_impedance spring = fb_default_impedance();
    fb_block block;
    fb_error error;
    const char* want = "";
    fb_status status;
    force_axes[0].force = force_axes[1].force = five;
    force_axes[1].direction[0] = 1;
    force_axes[1].direction[2] = 0;
    press.force_axes = force_axes;
    press.count = 2;
    press.task.frame = spring.task.frame = r.hand;
    switch (c) {
      case 0:
        spring.stiffness[4] = -1, want = "stiffness -1 and damping 0 about y";
        break;
      case 1:
        spring.damping[2] = NAN, want = "damping nan along z";
        break;
      case 2:
        spring.decay = -2, want = "decay is -2";
        break;
      case 3:
        spring.task.by_motion = 1, want = "by force on the true state";
        break;
      case 4:
        spring.task.frame = 999, want = "frame 999 does not exist";
        break;
      case 5:
        press.count = 0, want = "0 directions of force; give 1 to 3";
        break;
      case 6:
        force_axes[1].direction[2] = 0.1, want = "presses 0 and 1 must be at right angles";
        break;
      case 7:
        force_axes[0].direction[2] = 0, want = "press 0: its direction (0, 0, 0) has no length";
        break;
      case 8:
        force_axes[0].force = NULL, want = "press 0: give it a force";
        break;
      case 9:
        force_axes[1].ki = 2, want = "press 1: ki and the measured force belong together";
        break;
      case 10:
        force_axes[1].axes_of = 400, want = "press 1: frame 400 does not exist";
        break;
      case 11:
        force_axes[1].ki = -2, want = "press 1: ki is -2";
        break;
      default:
        press.task.assume_still = 1, want = "by force on the true state";
        break;
    }
    status = c < 5 ? fb_block_new_impedance(r.m, "law", &spring, &block, &error)
                   : fb_block_new_force_position(r.m, "law", &press, &block, &error);
    assert_int_not_equal(status, FB_OK);
    if (!strstr(error.text, want)) fail_msg("case %d: \"%s\" lacks \"%s\"", c, error.text, want);
  }
  fb_spline_free(five);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frame_is_a_mass_on_a_spring_and_a_damper),
      cmocka_unit_test(desired_reaction_leaves_the_motion_that_is_asked_for),
      cmocka_unit_test(loaded_frame_gives_way_by_force_over_stiffness),
      cmocka_unit_test(wall_is_pressed_with_the_desired_force),
      cmocka_unit_test(definitions_that_cannot_work_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
