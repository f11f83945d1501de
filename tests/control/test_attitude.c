/* test_attitude.c -- attitude of a floating base: closed forms, large turns, wheels against thrusters, bounds, signs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_rig.h"

static const double X[3] = {1, 0, 0}, SKEW[3] = {2, -1, 3};

static void body_or_fail(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                         const double* R, const double axis[3], double moment) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  memcpy(body.joint.axis, axis, sizeof body.joint.axis);
  if (R) memcpy(body.joint.R, R, sizeof body.joint.R);
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[i] = moment;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

static fb_block block_of(const fb_model* m, const fb_attitude_task* task) {
  fb_error error;
  fb_block block;
  if (fb_block_new_attitude(m, "keeper", task, &block, &error)) fail_msg("%s", error.text);
  return block;
}

static fb_sim* sim_with(const fb_model* m, const fb_attitude_task* task, const double* q, const double* v) {
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.rtol = 1e-11;
  options.atol = 1e-13;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block block = block_of(m, task);
  block_or_fail(sim, &block);
  start_or_fail(sim, q, v);
  return sim;
}

/* A constant angle: asked for from the first moment on. */
static fb_spline* step_of(double angle) {
  static const double time = 0;
  fb_spline* s = NULL;
  assert_int_equal(fb_spline_new_cubic(1, &time, &angle, &s, NULL), FB_OK);
  return s;
}

/* --- closed forms --- */

/* Turning at w0 about a principal axis of moment I: the angle a obeys I a'' + kd a' + kp a = 0 from (0, w0), however
 * large it is. With the joint's frame turned too: then axes of the joint and the world differ. */
static void the_loop_has_the_frequency_and_damping_of_its_gains(void** unused) {
  (void)unused;
  static const double kp = 5, kd = 0.8, w0 = 2, turned[3] = {0.4, -1.1, 0.7};
  for (int c = 0; c < 6; c++) {
    double R_wj[9], v[6] = {0}, q[7];
    int axis = c % 3;
    if (c < 3)
      fb_rot_identity(R_wj);
    else
      fb_rot_from_rpy(turned, R_wj);
    fb_model_def* def = fb_model_def_new();
    fb_body_def body = fb_default_body_def();
    body.name = "hull";
    body.joint.type = FB_JOINT_FREE;
    memcpy(body.joint.R, R_wj, sizeof R_wj);
    body.mass = 10;
    for (int i = 0; i < 3; i++) body.inertia[i] = 2 + i;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
    fb_model* m = build_or_fail(def, NULL);
    fb_attitude_task task = fb_default_attitude_task();
    task.body = 1;
    task.kp = kp;
    task.kd = kd;
    fb_neutral(m, q); /* body axes are the joint's */
    v[3 + axis] = w0;
    fb_sim* sim = sim_with(m, &task, q, v);
    double I = 2 + axis, s = kd / I / 2, root = sqrt(kp / I - s * s);
    for (int k = 1; k <= 5; k++) {
      double t = 0.5 * k, got[3], want[3] = {0};
      run_or_fail(sim, t);
      fb_quat_to_rotvec(fb_sim_q(sim) + 3, got);
      want[axis] = w0 / root * exp(-s * t) * sin(root * t);
      assert_near("angle", got, want, 3, 1e-9);
      assert_near("place", fb_sim_q(sim), (const double[]){0, 0, 0}, 3, 1e-12);
    }
    fb_sim_free(sim);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* How far the base of a simulation is from R_wanted. */
static double angle_from(const fb_sim* sim, const double R_wanted[9]) {
  double R[9], e[3];
  fb_rot_from_quat(fb_sim_q(sim) + 3, R);
  fb_rot_difference(R_wanted, R, e);
  return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
}

static void a_large_turn_ends_where_it_should(void** unused) {
  (void)unused;
  static const double angles[] = {3.1, -2, 0.5}, times[2] = {0.5, 4}, values[2] = {0, 3};
  fb_model* m = free_body();
  double q[7], v[6] = {0}, R_start[9], R_wanted[9];
  fb_random_q(m, 8, q);
  fb_rot_from_quat(q + 3, R_start);
  for (int c = 0; c < 4; c++) {
    fb_spline* turn = c < 3 ? step_of(angles[c]) : NULL;
    if (c == 3) assert_int_equal(fb_spline_new_quintic(2, times, values, &turn, NULL), FB_OK);
    fb_attitude_task task = fb_default_attitude_task();
    task.body = 1;
    task.kp = task.kd = 6;
    task.turn = turn;
    memcpy(task.axis_w, SKEW, sizeof SKEW);
    fb_rot_from_axis_angle(SKEW, c < 3 ? angles[c] : 3, R_wanted);
    fb_rot_multiply(R_wanted, R_start, R_wanted);
    fb_sim* sim = sim_with(m, &task, q, v);
    run_or_fail(sim, 60);
    assert_true(angle_from(sim, R_wanted) < 1e-8);
    fb_sim_free(sim);
    fb_spline_free(turn);
  }
  fb_model_free(m);
}

/* --- wheels --- */

enum { NWHEEL = 4 };

/* A hull with isotropic inertia; three wheels on its axes, or four on a pyramid that is turned on a bracket. */
static fb_model* wheeled(int count, int wheels[NWHEEL]) {
  static const char* const names[NWHEEL] = {"w0", "w1", "w2", "w3"};
  static const double turned[3] = {0.3, 0.2, -0.9};
  double R[9];
  fb_rot_from_rpy(turned, R);
  fb_model_def* def = fb_model_def_new();
  body_or_fail(def, "hull", NULL, FB_JOINT_FREE, NULL, X, 5);
  body_or_fail(def, "bracket", "hull", FB_JOINT_FIXED, count == 3 ? NULL : R, X, 1);
  for (int i = 0; i < count; i++) {
    const double square[3] = {i == 0, i == 1, i == 2};
    /* corners of a tetrahedron: the sum of a a^T is a multiple of one, so the hull stays isotropic */
    const double corner[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, (i & 1) ^ (i >> 1) ? 1 : -1};
    body_or_fail(def, names[i], "bracket", FB_JOINT_REVOLUTE, NULL, count == 3 ? square : corner, 0.1);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  for (int i = 0; i < count; i++) wheels[i] = fb_model_find_body(m, names[i]);
  return m;
}

/* With spherical inertia and no momentum to begin with, hulls turn alike; but wheels take up the momentum that thrusters
 * leave the whole with. */
static void wheels_turn_the_base_as_thrusters_do_and_keep_momentum(void** unused) {
  (void)unused;
  for (int count = 3; count <= 4; count++) {
    int bodies[NWHEEL];
    fb_model* m = wheeled(count, bodies);
    fb_data* d = fb_data_new(m);
    double q[20], v[20] = {0}, R_start[9], R_wanted[9];
    fb_neutral(m, q);
    q[3] = 0.6, q[4] = 0.8;
    fb_rot_from_quat(q + 3, R_start);
    fb_spline* turn = step_of(2);
    fb_attitude_task task = fb_default_attitude_task();
    task.body = 1;
    task.turn = turn;
    task.kp = task.kd = 4;
    memcpy(task.axis_w, SKEW, sizeof SKEW);
    fb_sim* pushed = sim_with(m, &task, q, v);
    task.wheels = bodies;
    task.nwheel = count;
    fb_sim* spun = sim_with(m, &task, q, v);
    for (int k = 1; k <= 6; k++) {
      static const double origin[3] = {0, 0, 0}, zero[6] = {0};
      double momentum[6];
      run_or_fail(pushed, 0.5 * k);
      run_or_fail(spun, 0.5 * k);
      assert_near("pose of the base", fb_sim_q(spun), fb_sim_q(pushed), 7, 1e-8);
      assert_near("velocity of the base", fb_sim_v(spun), fb_sim_v(pushed), 6, 1e-8);
      fb_kinematics(m, d, fb_sim_q(spun), fb_sim_v(spun), NULL);
      fb_momentum(m, d, origin, momentum, momentum + 3);
      /* of what the wheels took up, a few N m s */
      assert_near_of(1, "momentum with wheels", momentum, zero, 6, 1e-11);
      fb_kinematics(m, d, fb_sim_q(pushed), fb_sim_v(pushed), NULL);
      fb_momentum(m, d, origin, momentum, momentum + 3);
      if (k == 1) assert_true(fabs(momentum[3]) > 0.1);
    }
    run_or_fail(spun, 60);
    fb_rot_from_axis_angle(SKEW, 2, R_wanted);
    fb_rot_multiply(R_wanted, R_start, R_wanted);
    assert_true(angle_from(spun, R_wanted) < 1e-8);
    fb_sim_free(pushed);
    fb_sim_free(spun);
    fb_spline_free(turn);
    fb_data_free(d);
    fb_model_free(m);
  }
}

/* --- what the law does at a moment --- */

typedef struct moment {
  double q[32], v[32], tau[32], memory[16];
} moment;

static void start_at(const fb_model* m, const fb_block* b, moment* at) {
  fb_context context = {.model = m, .q = at->q, .v = at->v};
  assert_true(b->nmemory <= 16);
  assert_int_equal(b->start(b->user, &context, at->memory, NULL, NULL), FB_OK);
}

static void act_at(const fb_model* m, const fb_block* b, moment* at) {
  fb_context context = {.model = m, .q = at->q, .v = at->v};
  fb_action action = {at->tau, NULL, NULL, NULL, 0, 0};
  memset(at->tau, 0, sizeof at->tau);
  assert_int_equal(b->act(b->user, &context, at->memory, NULL, &action, NULL, NULL), FB_OK);
}

/* On a robot whose base's joint frame is turned: what kinematics and the wrench of that torque say. */
static void thrusters_are_a_torque_on_the_base_in_world_axes(void** unused) {
  (void)unused;
  static const double turned[3] = {0.4, -1.1, 0.7};
  double R_wj[9];
  fb_rot_from_rpy(turned, R_wj);
  fb_model_def* def = fb_model_def_new();
  body_or_fail(def, "stand", NULL, FB_JOINT_FIXED, NULL, X, 1);
  body_or_fail(def, "hull", NULL, FB_JOINT_FREE, R_wj, X, 2);
  body_or_fail(def, "arm", "hull", FB_JOINT_REVOLUTE, R_wj, SKEW, 1);
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  fb_spline* turn = step_of(1.2);
  fb_attitude_task task = fb_default_attitude_task();
  task.body = fb_model_find_body(m, "hull");
  task.turn = turn;
  task.kp = 3;
  task.kd = 0.7;
  memcpy(task.axis_w, SKEW, sizeof SKEW);
  fb_block b = block_of(m, &task);
  moment at = {.q = {0}};
  double R_wanted[9], R[9], e[3], w[3], want[7];
  fb_random_q(m, 21, at.q);
  start_at(m, &b, &at);
  fb_kinematics(m, d, at.q, NULL, NULL);
  fb_frame_pose(m, d, task.body, NULL, R_wanted);
  fb_rot_from_axis_angle(SKEW, 1.2, R);
  fb_rot_multiply(R, R_wanted, R_wanted);
  fb_random_v(m, 22, at.v);
  fb_integrate(m, at.q, at.v, 0.3, at.q);
  fb_kinematics(m, d, at.q, at.v, NULL);
  fb_frame_pose(m, d, task.body, NULL, R);
  fb_frame_velocity(m, d, task.body, NULL, w);
  fb_rot_difference(R_wanted, R, e);
  fb_wrench wrench = {.frame = task.body};
  for (int i = 0; i < 3; i++) wrench.torque[i] = 3 * e[i] - 0.7 * w[i];
  fb_wrench_forces(m, d, &wrench, 1, want);
  act_at(m, &b, &at);
  assert_near("tau", at.tau, want, 7, 1e-13);
  b.free(b.user);
  fb_spline_free(turn);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Still and half a radian short about x: the base is pushed along +x, the wheel on x the other way. */
static void signs_bounds_and_parameters(void** unused) {
  (void)unused;
  int bodies[NWHEEL];
  fb_model* m = wheeled(3, bodies);
  fb_spline* turn = step_of(0.5);
  for (int by_wheels = 0; by_wheels < 2; by_wheels++) {
    int at_v = by_wheels ? fb_joint_v_index(m, bodies[0]) : 3, sign = by_wheels ? -1 : 1;
    static const struct {
      const char* name;
      double kp, kd, effort, rate, want;
    } cases[] = {{"wanted angle", 4, 3, INFINITY, 0, 2}, {"rate", 0, 3, INFINITY, 0.2, -0.6},
                 {"upper bound", 40, 0, 1.5, 0, 1.5},    {"lower bound", -40, 0, 1.5, 0, -1.5},
                 {"within", 1, 0, 1.5, 0, 0.5},          {"no torque", 1, 1, 0, 1, 0}};
    fb_attitude_task task = fb_default_attitude_task();
    task.body = 1;
    task.turn = turn;
    task.axis_w[0] = 7; /* any length */
    if (by_wheels) task.wheels = bodies, task.nwheel = 3;
    fb_block b = block_of(m, &task);
    assert_string_equal(b.parameters[0], "kp");
    assert_string_equal(b.parameters[1], "kd");
    assert_string_equal(b.parameters[2], "effort");
    assert_null(b.parameters[3]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      moment at = {.q = {0}};
      double want[32] = {0};
      fb_neutral(m, at.q);
      start_at(m, &b, &at);
      assert_true(at.memory[0] == 1 && at.memory[1] == 2 && isinf(at.memory[2]));
      at.v[3] = cases[i].rate;
      at.memory[0] = cases[i].kp;
      at.memory[1] = cases[i].kd;
      at.memory[2] = cases[i].effort;
      want[at_v] = sign * cases[i].want;
      act_at(m, &b, &at);
      assert_near(cases[i].name, at.tau, want, fb_model_nv(m), 1e-14);
    }
    assert_true(b.next_edge(b.user, NULL, -1) == 0 && isinf(b.next_edge(b.user, NULL, 0)));
    b.free(b.user);
  }
  fb_spline_free(turn);
  fb_model_free(m);
}

/* Half-way through a turn of 1.6 rad in 2 s: on the path there is nothing to do; at rest there the rate is missing. */
static void the_rate_of_the_path_is_wanted_too(void** unused) {
  (void)unused;
  static const double times[2] = {-1, 1}, values[2] = {0, 1.6}, top = 15 / 8.0 * 0.8,
                      length = 3.7416573867739413;
  fb_model* m = free_body();
  fb_spline* turn = NULL;
  assert_int_equal(fb_spline_new_quintic(2, times, values, &turn, NULL), FB_OK);
  fb_attitude_task task = fb_default_attitude_task();
  task.body = 1;
  task.turn = turn;
  task.kp = 9;
  task.kd = 0.5;
  memcpy(task.axis_w, SKEW, sizeof SKEW);
  fb_block b = block_of(m, &task);
  moment at = {.q = {0}};
  double turned[6] = {0}, want[6] = {0};
  fb_random_q(m, 31, at.q);
  start_at(m, &b, &at);
  for (int i = 0; i < 3; i++) turned[3 + i] = 0.8 * SKEW[i] / length;
  fb_integrate(m, at.q, turned, 1, at.q);
  for (int i = 0; i < 3; i++) at.v[3 + i] = top * SKEW[i] / length;
  act_at(m, &b, &at);
  assert_near_of(9, "on the path", at.tau, want, 6, 1e-13); /* of kp times 1 rad */
  for (int i = 0; i < 3; i++) want[3 + i] = 0.5 * at.v[3 + i], at.v[3 + i] = 0;
  act_at(m, &b, &at);
  assert_near("at rest", at.tau, want, 6, 1e-13);
  assert_true(b.next_edge(b.user, NULL, -2) == -1 && b.next_edge(b.user, NULL, 0) == 1);
  b.free(b.user);
  fb_spline_free(turn);
  fb_model_free(m);
}

/* One to five wheels with random axes on turned joints: what they leave of T has no part along any of them, and their
 * torques are the least that do it (orthogonal to all that turn nothing: in the span of the rows). */
static void wheels_answer_in_the_least_squares_sense(void** unused) {
  (void)unused;
  enum { MOST = 5 };
  static const char* const names[MOST] = {"r0", "r1", "r2", "r3", "r4"};
  for (uint64_t seed = 0; seed < 30; seed++) {
    fb_random r = random_seed(seed);
    int count = 1 + (int)(seed % MOST), bodies[MOST];
    fb_model_def* def = fb_model_def_new();
    double R[9], axis[3], a[MOST][3], T[3];
    random_rotation(&r, R);
    body_or_fail(def, "hull", NULL, FB_JOINT_FREE, R, X, 5);
    for (int i = 0; i < count; i++) {
      random_rotation(&r, R);
      random_fill(&r, -2, 2, 3, axis);
      body_or_fail(def, names[i], "hull", FB_JOINT_REVOLUTE, R, axis, 0.1);
      bodies[i] = i + 2;
    }
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    fb_attitude_task task = fb_default_attitude_task();
    task.body = 1;
    task.wheels = bodies;
    task.nwheel = count;
    fb_block b = block_of(m, &task);
    moment at = {.q = {0}};
    fb_random_q(m, seed, at.q);
    start_at(m, &b, &at);
    fb_random_v(m, seed, at.v);
    act_at(m, &b, &at);
    fb_kinematics(m, d, at.q, at.v, NULL);
    fb_frame_velocity(m, d, 1, NULL, T);
    for (int k = 0; k < 3; k++) T[k] *= -2; /* no error yet: T = -kd w */
    for (int i = 0; i < count; i++) {
      const double* own = fb_model_def_body(def, bodies[i])->joint.axis;
      fb_frame_pose(m, d, fb_model_joint_frame(m, bodies[i]), NULL, R);
      fb_rot_apply(R, own, a[i]);
      double length = sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
      for (int k = 0; k < 3; k++) a[i][k] /= length;
    }
    double left[3] = {T[0], T[1], T[2]};
    for (int i = 0; i < count; i++)
      for (int k = 0; k < 3; k++) left[k] += at.tau[6 + i] * a[i][k];
    for (int i = 0; i < count; i++)
      assert_true(fabs(left[0] * a[i][0] + left[1] * a[i][1] + left[2] * a[i][2]) < 1e-12);
    if (count >= 3)
      assert_near_of(worst_of(T, 3), "nothing is left", left, (const double[]){0, 0, 0}, 3, 1e-12);
    /* a turn among four wheels that turns nothing: minors of their axes */
    if (count == 4) {
      double product = 0;
      for (int i = 0; i < 4; i++) {
        const double *p = a[i == 0], *q = a[i <= 1 ? 2 : 1], *s = a[i <= 2 ? 3 : 2];
        double det = p[0] * (q[1] * s[2] - q[2] * s[1]) - p[1] * (q[0] * s[2] - q[2] * s[0]) +
                     p[2] * (q[0] * s[1] - q[1] * s[0]);
        product += (i % 2 ? -det : det) * at.tau[6 + i];
      }
      assert_true(fabs(product) < 1e-12);
    }
    b.free(b.user);
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* The start's attitude lives in the simulation: coming back to a snapshot goes on as before, bit for bit. */
static void a_snapshot_remembers_the_attitude_to_keep(void** unused) {
  (void)unused;
  fb_model* m = free_body();
  double q[7], v[6] = {0}, once[7], elsewhere[7];
  fb_random_q(m, 8, q);
  fb_random_q(m, 9, elsewhere);
  v[4] = 0.8;
  fb_attitude_task task = fb_default_attitude_task();
  task.body = 1;
  fb_sim* sim = sim_with(m, &task, q, v);
  size_t size = fb_sim_snapshot_size(sim);
  void* snapshot = malloc(size);
  run_or_fail(sim, 1);
  fb_sim_save(sim, snapshot);
  run_or_fail(sim, 3);
  memcpy(once, fb_sim_q(sim), sizeof once);
  fb_sim* again = sim_with(m, &task, elsewhere, v);
  assert_int_equal(fb_sim_restore(again, snapshot, size, NULL), FB_OK);
  run_or_fail(again, 3);
  assert_memory_equal(fb_sim_q(again), once, sizeof once);
  free(snapshot);
  fb_sim_free(sim);
  fb_sim_free(again);
  fb_model_free(m);
}

static void what_makes_no_sense_is_refused(void** unused) {
  (void)unused;
  int bodies[NWHEEL];
  fb_model_def* def = fb_model_def_new();
  body_or_fail(def, "hull", NULL, FB_JOINT_FREE, NULL, X, 5);
  body_or_fail(def, "arm", "hull", FB_JOINT_REVOLUTE, NULL, X, 1);
  body_or_fail(def, "far", "arm", FB_JOINT_REVOLUTE, NULL, X, 1);
  body_or_fail(def, "slide", "hull", FB_JOINT_PRISMATIC, NULL, X, 1);
  body_or_fail(def, "other", NULL, FB_JOINT_REVOLUTE, NULL, X, 1);
  fb_model* m = build_or_fail(def, NULL);
  static const struct {
    const char* name;
    const char* block;
    int body;
    double kp, effort;
    int nwheel, wheels[2];
    int turns;
    fb_status status;
    const char* text;
  } cases[] = {
      {"no name", "", 1, 1, 1, -1, {0}, 0, FB_ERR_NAME, "an attitude block needs a name"},
      {"no body", "keeper", -1, 1, 1, -1, {0}, 0, FB_ERR_ARG, "\"keeper\": body -1 does not exist"},
      {"past the last", "keeper", 6, 1, 1, -1, {0}, 0, FB_ERR_ARG, "1 to 5"},
      {"an arm",
       "keeper",
       2,
       1,
       1,
       -1,
       {0},
       0,
       FB_ERR_JOINT,
       "\"arm\" is no floating base: it is on a revolute"},
      {"a gain", "keeper", 1, NAN, 1, -1, {0}, 0, FB_ERR_NOT_FINITE, "kp nan"},
      {"an effort", "keeper", 1, 1, -1, -1, {0}, 0, FB_ERR_ARG, "effort is -1"},
      {"no axis", "keeper", 1, 1, 1, -1, {0}, 1, FB_ERR_ARG, "(0, 0, 0)"},
      {"no wheels", "keeper", 1, 1, 1, 0, {0}, 0, FB_ERR_ARG, "at least one wheel"},
      {"no such wheel", "keeper", 1, 1, 1, 1, {9}, 0, FB_ERR_ARG, "wheel 1 is body 9"},
      {"a slide", "keeper", 1, 1, 1, 1, {4}, 0, FB_ERR_JOINT, "\"slide\" is on a prismatic joint"},
      {"on an arm", "keeper", 1, 1, 1, 1, {3}, 0, FB_ERR_JOINT, "the revolute joint \"arm\""},
      {"elsewhere", "keeper", 1, 1, 1, 1, {5}, 0, FB_ERR_TREE, "\"other\" is not mounted on body \"hull\""},
      {"twice", "keeper", 1, 1, 1, 2, {2, 2}, 0, FB_ERR_ARG, "wheel \"arm\" twice"},
  };
  fb_spline* turn = step_of(1);
  fb_error error = {.status = FB_OK};
  fb_block b;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_attitude_task task = fb_default_attitude_task();
    task.body = cases[i].body;
    task.kp = cases[i].kp;
    task.effort = cases[i].effort;
    if (cases[i].turns) task.turn = turn;
    memcpy(bodies, cases[i].wheels, sizeof cases[i].wheels);
    if (cases[i].nwheel >= 0) task.wheels = bodies, task.nwheel = cases[i].nwheel;
    fb_status status = fb_block_new_attitude(m, cases[i].block, &task, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(b.user);
  }
  const fb_attitude_task blank = {.body = 1};
  assert_int_equal(fb_block_new_attitude(m, "keeper", &blank, &b, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "fb_default_attitude_task"));
  fb_spline_free(turn);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_loop_has_the_frequency_and_damping_of_its_gains),
      cmocka_unit_test(a_large_turn_ends_where_it_should),
      cmocka_unit_test(wheels_turn_the_base_as_thrusters_do_and_keep_momentum),
      cmocka_unit_test(thrusters_are_a_torque_on_the_base_in_world_axes),
      cmocka_unit_test(signs_bounds_and_parameters),
      cmocka_unit_test(the_rate_of_the_path_is_wanted_too),
      cmocka_unit_test(wheels_answer_in_the_least_squares_sense),
      cmocka_unit_test(a_snapshot_remembers_the_attitude_to_keep),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
