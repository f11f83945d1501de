/* test_kinematics.c -- kinematics and Jacobians on random forests with every joint type.
 *
 * Second methods: the complex step (exact to round-off, through the same kernels compiled for complex
 * numbers), central differences along the configuration group, sums over bodies, poses by the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "model/joint_kind.h"
#include "model/model.h"
#include "near.h"
#include "random_tree.h"

enum { TREES = 600, MAX_BODIES = 60 };

/* Frames to look at in a model: every kind of frame comes up over the trees. */
static int random_frame(const fb_model* m, fb_random* r) {
  return random_index(r, fb_model_nframe(m) + 2 * fb_model_nbody(m));
}

static void multiply(const double* A, const double* x, int rows, int cols, double* y) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int k = 0; k < cols; k++) y[i] += A[i * cols + k] * x[k];
  }
}

/* Calls check for TREES random forests at a random state, kinematics done to accelerations. */
typedef void (*tree_check)(const fb_model* m, fb_data* d, state* s, fb_random* r);

static void for_random_trees(tree_check check) {
  for (int i = 0; i < TREES; i++) {
    fb_random r = random_seed((uint64_t)i * 1000 + 7);
    fb_model* m = random_model((uint64_t)i, 1 + i % MAX_BODIES);
    fb_data* d = fb_data_new(m);
    assert_non_null(d);
    state s = state_new(m, (uint64_t)i);
    fb_kinematics(m, d, s.q, s.v, s.vdot);
    check(m, d, &s, &r);
    state_free(&s);
    fb_data_free(d);
    fb_model_free(m);
  }
}

/* --- Jacobians against velocities and accelerations --- */

static void check_jacobian_times_v(const fb_model* m, fb_data* d, state* s, fb_random* r) {
  int frame = random_frame(m, r), nv = fb_model_nv(m);
  double got[6], want[6], bias[6], a[6];
  fb_frame_jacobian(m, d, frame, s->J);
  multiply(s->J, s->v, 6, nv, got);
  fb_frame_velocity(m, d, frame, want, want + 3);
  assert_near("J v = velocity", got, want, 6, 1e-12);

  fb_frame_jacobian_rate(m, d, frame, s->Jdot);
  multiply(s->Jdot, s->v, 6, nv, got);
  fb_frame_bias_acceleration(m, d, s->v, frame, bias);
  assert_near("bias = Jdot v", bias, got, 6, 1e-12);
  multiply(s->J, s->vdot, 6, nv, a);
  for (int i = 0; i < 6; i++) a[i] += bias[i];
  fb_frame_acceleration(m, d, frame, want, want + 3);
  assert_near("J vdot + Jdot v = acceleration", a, want, 6, 1e-12);
}

static void jacobian_times_velocity_is_velocity(void** unused) {
  (void)unused;
  for_random_trees(check_jacobian_times_v);
}

static void check_parts(const fb_model* m, fb_data* d, state* s, fb_random* r) {
  int frame = random_frame(m, r), nv = fb_model_nv(m), base = fb_body_base(m, fb_frame_body(m, frame));
  double Jb[36], twist[6], got[6], joints[6], want[6];
  fb_frame_velocity(m, d, base, twist, twist + 3);
  fb_frame_jacobian_parts(m, d, frame, Jb, s->J);
  multiply(Jb, twist, 6, 6, got);
  multiply(s->J, s->v, 6, nv, joints);
  for (int i = 0; i < 6; i++) got[i] += joints[i];
  fb_frame_velocity(m, d, frame, want, want + 3);
  assert_near("Jb twist + Jm v", got, want, 6, 1e-12);

  double Jb_dot[36], twist_rate[6], part[6];
  fb_frame_acceleration(m, d, base, twist_rate, twist_rate + 3);
  fb_frame_jacobian_parts_rate(m, d, frame, Jb_dot, s->Jdot);
  multiply(Jb, twist_rate, 6, 6, got);
  multiply(Jb_dot, twist, 6, 6, part);
  for (int i = 0; i < 6; i++) got[i] += part[i];
  multiply(s->J, s->vdot, 6, nv, part);
  for (int i = 0; i < 6; i++) got[i] += part[i];
  multiply(s->Jdot, s->v, 6, nv, part);
  for (int i = 0; i < 6; i++) got[i] += part[i];
  fb_frame_acceleration(m, d, frame, want, want + 3);
  assert_near("rates of the parts", got, want, 6, 1e-12);
}

static void base_part_and_joint_part_make_the_motion(void** unused) {
  (void)unused;
  for_random_trees(check_parts);
}

/* --- central differences along the motion --- */

/* Central difference of pose, velocity and Jacobian of a frame over 2 h, along v and vdot. */
static void check_differences(const fb_model* m, fb_data* d, state* s, fb_random* r) {
  static const double h = 1e-5;
  int frame = random_frame(m, r), nq = fb_model_nq(m), nv = fb_model_nv(m);
  double p[2][3], R[2][9], vel[2][6];
  double* J[2] = {numbers_new(6 * nv), numbers_new(6 * nv)};
  double *q = numbers_new(nq), *v = numbers_new(nv), *mean = numbers_new(nv);
  for (int side = 0; side < 2; side++) {
    double dt = side ? h : -h;
    for (int k = 0; k < nv; k++) {
      v[k] = s->v[k] + dt * s->vdot[k];
      mean[k] = s->v[k] + 0.5 * dt * s->vdot[k];
    }
    fb_integrate(m, s->q, mean, dt, q);
    fb_kinematics(m, d, q, v, NULL);
    fb_frame_pose(m, d, frame, p[side], R[side]);
    fb_frame_velocity(m, d, frame, vel[side], vel[side] + 3);
    fb_frame_jacobian(m, d, frame, J[side]);
  }
  fb_kinematics(m, d, s->q, s->v, s->vdot);
  double want[6], got[6], turn[3];
  fb_frame_velocity(m, d, frame, want, want + 3);
  fb_rot_difference(R[1], R[0], turn);
  for (int i = 0; i < 3; i++) {
    got[i] = (p[1][i] - p[0][i]) / (2 * h);
    got[3 + i] = turn[i] / (2 * h);
  }
  assert_near("difference of poses = velocity", got, want, 6, 1e-7);
  fb_frame_acceleration(m, d, frame, want, want + 3);
  for (int i = 0; i < 6; i++) got[i] = (vel[1][i] - vel[0][i]) / (2 * h);
  assert_near("difference of velocities = acceleration", got, want, 6, 1e-7);
  fb_frame_jacobian_rate(m, d, frame, s->Jdot);
  for (int i = 0; i < 6 * nv; i++) J[1][i] = (J[1][i] - J[0][i]) / (2 * h);
  assert_near("difference of J = Jdot", J[1], s->Jdot, 6 * nv, 1e-7);
  free(J[0]);
  free(J[1]);
  free(q);
  free(v);
  free(mean);
}

static void derivatives_match_central_differences(void** unused) {
  (void)unused;
  for_random_trees(check_differences);
}

/* --- the complex step --- */

static const fb_kernels* complex_kernels(void) {
  for (int i = 0; i < fb_kernels_count(); i++)
    if (fb_kernels_get(i)->width == 2) return fb_kernels_get(i);
  fail_msg("no complex instance");
  return NULL;
}

static fb_data* data_of_width(const fb_model* m, int width) {
  fb_data* d = NULL;
  size_t size = fb_data_size_width(m, width);
  assert_int_equal(fb_data_place_width(m, width, aligned_alloc(64, size), size, &d), FB_OK);
  return d;
}

/* Imaginary parts over the step: the derivative along q (+) i h v. */
static void check_complex_step(const fb_model* m, fb_data* d, state* s, fb_random* r) {
  static const double h = 1e-30;
  const fb_kernels* k = complex_kernels();
  int frame = random_frame(m, r), nq = fb_model_nq(m), nv = fb_model_nv(m);
  double *q = numbers_new(2 * nq), *v = numbers_new(2 * nv), *J = numbers_new(12 * nv);
  double pose[24], want[6], got[6];
  fb_data* dc = data_of_width(m, 2);
  for (int i = 0; i < nq; i++) q[2 * i] = s->q[i];
  for (int i = 0; i < nv; i++) v[2 * i + 1] = h * s->v[i];
  k->integrate(&m->top, q, v, 1, q);
  k->kinematics(&m->top, &m->par, dc, q, NULL, NULL);
  k->frame_pose(&m->top, &m->par, dc, frame, pose, NULL);
  fb_frame_velocity(m, d, frame, want, want + 3);
  for (int i = 0; i < 3; i++) got[i] = pose[2 * i + 1] / h;
  assert_near("complex step of position = velocity", got, want, 3, 1e-12);
  k->frame_jacobian(&m->top, &m->par, dc, frame, J);
  for (int i = 0; i < 6 * nv; i++) J[i] = J[2 * i + 1] / h;
  fb_frame_jacobian_rate(m, d, frame, s->Jdot);
  assert_near("complex step of J = Jdot", J, s->Jdot, 6 * nv, 1e-12);
  free(q);
  free(v);
  free(J);
  free(dc);
}

static void derivatives_match_the_complex_step(void** unused) {
  (void)unused;
  for_random_trees(check_complex_step);
}

/* --- which instance is picked --- */

static void an_unknown_instruction_set_is_refused(void** unused) {
  (void)unused;
  fb_random r = random_seed(1);
  fb_model_def* def = random_tree(&r, 3);
  fb_build_options options = fb_default_build_options();
  fb_model* m;
  fb_error error;
  options.isa = "plain";
  assert_int_equal(fb_model_build(def, &options, &m, &error), FB_OK);
  assert_string_equal(fb_model_isa(m), "plain");
  fb_model_free(m);
  options.isa = "v9";
  assert_int_equal(fb_model_build(def, &options, &m, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "\"v9\" (from fb_build_options)"));
  fb_model_def_free(def);
}

/* --- fixed joints, merged or not --- */

static void merging_fixed_joints_changes_no_result(void** unused) {
  (void)unused;
  for (int i = 0; i < 60; i++) {
    fb_random r = random_seed((uint64_t)i + 900);
    fb_model_def* def = random_tree(&r, 2 + i % 40);
    fb_build_options options = fb_default_build_options();
    fb_model* merged = build_or_fail(def, NULL);
    options.merge_fixed = 0;
    fb_model* plain = build_or_fail(def, &options);
    assert_true(fb_model_nlink(merged) <= fb_model_nlink(plain));
    state s = state_new(plain, (uint64_t)i);
    fb_data *dm = fb_data_new(merged), *dp = fb_data_new(plain);
    fb_kinematics(merged, dm, s.q, s.v, s.vdot);
    fb_kinematics(plain, dp, s.q, s.v, s.vdot);
    for (int f = 0; f < fb_model_nframe(plain) + 2 * fb_model_nbody(plain); f++) {
      double a[12], b[12];
      assert_string_equal(fb_frame_name(merged, f), fb_frame_name(plain, f));
      fb_frame_pose(merged, dm, f, a, a + 3);
      fb_frame_pose(plain, dp, f, b, b + 3);
      assert_near("pose", a, b, 12, 1e-13);
      fb_frame_acceleration(merged, dm, f, a, a + 3);
      fb_frame_acceleration(plain, dp, f, b, b + 3);
      assert_near("acceleration", a, b, 6, 1e-12);
    }
    state_free(&s);
    fb_data_free(dm);
    fb_data_free(dp);
    fb_model_free(merged);
    fb_model_free(plain);
    fb_model_def_free(def);
  }
}

/* --- centres of mass --- */

static int is_in_subtree(const fb_model* m, int body, int root) {
  while (body != root && body > FB_WORLD) body = fb_body_parent(m, body);
  return body == root;
}

static void check_com(const fb_model* m, fb_data* d, state* s, fb_random* r) {
  (void)s;
  int root = random_index(r, fb_model_nbody(m));
  double mass = 0, want[9] = {0}, got[9];
  fb_centre_of_mass(m, d);
  for (int b = 1; b < fb_model_nbody(m); b++) {
    double x[9];
    if (!is_in_subtree(m, b, root)) continue;
    fb_frame_pose(m, d, fb_model_com_frame(m, b), x, NULL);
    fb_frame_velocity(m, d, fb_model_com_frame(m, b), x + 3, NULL);
    fb_frame_acceleration(m, d, fb_model_com_frame(m, b), x + 6, NULL);
    mass += fb_body_mass(m, b);
    for (int i = 0; i < 9; i++) want[i] += fb_body_mass(m, b) * x[i];
  }
  for (int i = 0; i < 9; i++) want[i] /= mass;
  double total = fb_subtree_com(m, d, root, got, got + 3, got + 6);
  assert_near("mass", &total, &mass, 1, 1e-13);
  assert_near("subtree com", got, want, 9, 1e-12);
}

static void subtree_com_is_the_weighted_mean(void** unused) {
  (void)unused;
  for_random_trees(check_com);
}

/* --- what is not computed is NaN --- */

static void what_was_not_computed_reads_as_nan(void** unused) {
  (void)unused;
  fb_model* m = random_model(3, 5);
  fb_data* d = fb_data_new(m);
  state s = state_new(m, 1);
  double x[9], y[9];
  fb_frame_pose(m, d, 1, x, y);
  assert_true(isnan(x[0]) && isnan(y[8]));
  fb_kinematics(m, d, s.q, NULL, NULL);
  fb_frame_pose(m, d, 1, x, y);
  assert_true(isfinite(x[0]) && isfinite(y[8]));
  fb_frame_velocity(m, d, 1, x, NULL);
  assert_true(isnan(x[0]));
  fb_kinematics(m, d, s.q, s.v, NULL);
  fb_frame_velocity(m, d, 1, x, NULL);
  fb_frame_acceleration(m, d, 1, y, NULL);
  assert_true(isfinite(x[0]) && isnan(y[0]));
  fb_subtree_com(m, d, 0, x, NULL, NULL);
  assert_true(isnan(x[0]));
  static const int BAD[] = {-1, -2, 1000};
  for (int i = 0; i < 3; i++) {
    fb_frame_pose(m, d, BAD[i], x, y);
    assert_true(isnan(x[0]) && isnan(y[0]));
    fb_frame_jacobian_parts(m, d, BAD[i], NULL, s.J);
    assert_true(isnan(s.J[0]));
    assert_true(isnan(fb_subtree_com(m, d, BAD[i], NULL, NULL, NULL)));
    assert_null(fb_frame_name(m, BAD[i]));
    assert_null(fb_body_name(m, BAD[i]));
    assert_int_equal(fb_frame_body(m, BAD[i]), -1);
    assert_int_equal(fb_body_parent(m, BAD[i]), -1);
  }
  state_free(&s);
  fb_data_free(d);
  fb_model_free(m);
}

/* --- edges --- */

static void a_model_without_bodies_or_joints_works(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  double p[3], R[9], one[9], com[9], none = 0;
  fb_rot_identity(one);
  fb_kinematics(m, d, &none, &none, &none);
  fb_centre_of_mass(m, d);
  fb_frame_pose(m, d, FB_WORLD, p, R);
  assert_near("world", p, (const double[3]){0}, 3, 0);
  assert_near("world", R, one, 9, 0);
  assert_true(fb_subtree_com(m, d, FB_WORLD, com, com + 3, com + 6) == 0);
  assert_near("no com", com, (const double[9]){0}, 9, 0);
  assert_int_equal(fb_model_nv(m), 0);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Moves R and p along one of the simple motions that a joint is made of; returns what follows of its q. */
static const double* follow(const fb_joint_def* joint, fb_joint_link link, const double* q, double R[9],
                            double p[3]) {
  const int turns = link.kind == FB_LINK_REVOLUTE || link.kind == FB_LINK_HELICAL;
  const double slide = link.kind == FB_LINK_PRISMATIC ? q[0]
                       : link.kind == FB_LINK_HELICAL ? joint->pitch * q[0]
                                                      : 0;
  double axis[3], step[3], turn[9];
  fb_rot_identity(turn);
  fb_joint_link_axis(joint, link, axis);
  for (int k = 0; k < 3; k++) step[k] = link.kind == FB_LINK_FREE ? q[k] : slide * axis[k];
  if (turns) fb_rot_from_axis_angle(axis, q[0], turn);
  if (fb_link_rows[link.kind].quats) fb_rot_from_quat(q + fb_link_rows[link.kind].quat_at, turn);
  fb_rot_apply(R, step, step);
  fb_rot_multiply(R, turn, R);
  for (int k = 0; k < 3; k++) p[k] += step[k];
  return q + fb_link_rows[link.kind].nq;
}

/* R and p of a body, [12], from those of its parent. */
static void place_body(const fb_model* m, int body, const double* q, double* pose) {
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(m), body)->joint;
  const double* parent = pose + 12 * fb_body_parent(m, body);
  double *R = pose + 12 * body, *p = R + 9;
  fb_rot_apply(parent, joint->at, p);
  for (int k = 0; k < 3; k++) p[k] += parent[9 + k];
  fb_rot_multiply(parent, joint->R, R);
  q += fb_joint_q_index(m, body);
  for (int i = 0; i < fb_joint_kinds[joint->type].nlink; i++)
    q = follow(joint, fb_joint_kinds[joint->type].chain[i], q, R, p);
}

static void bodies_stand_where_their_joints_put_them(void** unused) {
  (void)unused;
  int types[FB_JOINT_TYPE_COUNT] = {0};
  for (int i = 0; i < 200; i++) {
    fb_random r = random_seed((uint64_t)i + 900);
    fb_model_def* def = i % 2 ? random_arms(&r, 1 + i % MAX_BODIES, 0) : random_tree(&r, 1 + i % MAX_BODIES);
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    state s = state_new(m, (uint64_t)i);
    double *pose = numbers_new(12 * fb_model_nbody(m)), got[12];
    fb_rot_identity(pose);
    fb_kinematics(m, d, s.q, NULL, NULL);
    for (int k = 1; k < fb_model_nbody(m); k++) {
      const int body = fb_model_traversal(m, k);
      place_body(m, body, s.q, pose);
      fb_frame_pose(m, d, body, got + 9, got);
      assert_near("axes", got, pose + 12 * body, 9, 1e-13);
      assert_near_of(1, "origin", got + 9, pose + 12 * body + 9, 3, 1e-13);
      types[fb_joint_type_of(m, body)]++;
    }
    free(pose);
    state_free(&s);
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++) assert_true(types[type] > 0);
}

/* A planar chain of n links of length 1, each turned by a/n: its end lies on a circle's chord. */
static void a_long_chain_ends_where_the_closed_form_says(void** unused) {
  (void)unused;
  enum { N = 3000 };
  fb_model_def* def = fb_model_def_new();
  char name[16], parent[16] = "";
  for (int i = 0; i < N; i++) {
    fb_body_def b = fb_default_body_def();
    snprintf(name, sizeof name, "l%d", i);
    b.name = name;
    b.parent = i ? parent : NULL;
    b.joint.type = FB_JOINT_REVOLUTE;
    b.joint.axis[2] = 1;
    b.joint.at[0] = i ? 1 : 0;
    b.mass = 1;
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
    memcpy(parent, name, sizeof parent);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  double* q = numbers_new(N);
  const double a = 2.0 / N;
  for (int i = 0; i < N; i++) q[i] = a;
  fb_kinematics(m, d, q, NULL, NULL);
  double p[3], scale = 1 / (2 * sin(a / 2));
  fb_frame_pose(m, d, N, p, NULL);
  /* sum over k = 1 .. N-1 of (cos k a, sin k a) */
  const double want[3] = {scale * (sin((N - 0.5) * a) - sin(0.5 * a)),
                          scale * (cos(0.5 * a) - cos((N - 0.5) * a)), 0};
  assert_near("end of the chain", p, want, 3, 1e-12);
  free(q);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Joints turned by little more than nothing, of which the cosine is 1: for every kind, on the world and on another body. */
static void a_joint_turned_by_a_billionth_stands_turned(void** unused) {
  (void)unused;
  static const double angle = 1e-9;
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++)
    for (int axis = 0; axis < 3; axis++) {
      fb_model_def* def = fb_model_def_new();
      fb_body_def body = fb_default_body_def();
      body.mass = 1;
      body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
      body.joint.type = (fb_joint_type)type;
      body.joint.axis[2] = body.joint.axis2[0] = body.joint.pitch = 1;
      body.joint.R[3 * ((axis + 2) % 3) + (axis + 1) % 3] = angle;
      body.joint.R[3 * ((axis + 1) % 3) + (axis + 2) % 3] = -angle;
      body.name = "first";
      fb_model_def_add_body(def, &body, NULL, NULL);
      body.name = "second";
      body.parent = "first";
      fb_model_def_add_body(def, &body, NULL, NULL);
      fb_model* m = build_or_fail(def, NULL);
      fb_data* d = fb_data_new(m);
      double q[2 * FB_JOINT_MAX_NQ], R[9];
      fb_neutral(m, q);
      fb_kinematics(m, d, q, NULL, NULL);
      fb_frame_pose(m, d, fb_model_find_frame(m, "second"), NULL, R);
      assert_near("turn", &R[3 * ((axis + 2) % 3) + (axis + 1) % 3], (const double[]){2 * angle}, 1, 1e-15);
      fb_data_free(d);
      fb_model_free(m);
      fb_model_def_free(def);
    }
}

static void data_takes_only_memory_that_fits(void** unused) {
  (void)unused;
  fb_model* m = random_model(4, 4);
  size_t size = fb_data_size(m);
  char* memory = (char*)aligned_alloc(64, size + 64);
  fb_data* d;
  assert_int_equal(fb_data_place(m, memory, size - 1, &d), FB_ERR_MEMORY);
  assert_null(d);
  assert_int_equal(fb_data_place(m, memory + 8, size, &d), FB_ERR_ARG);
  assert_int_equal(fb_data_place(m, memory, size, &d), FB_OK);
  assert_non_null(d);
  free(memory);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_times_velocity_is_velocity),
      cmocka_unit_test(base_part_and_joint_part_make_the_motion),
      cmocka_unit_test(derivatives_match_central_differences),
      cmocka_unit_test(derivatives_match_the_complex_step),
      cmocka_unit_test(an_unknown_instruction_set_is_refused),
      cmocka_unit_test(merging_fixed_joints_changes_no_result),
      cmocka_unit_test(subtree_com_is_the_weighted_mean),
      cmocka_unit_test(what_was_not_computed_reads_as_nan),
      cmocka_unit_test(a_model_without_bodies_or_joints_works),
      cmocka_unit_test(bodies_stand_where_their_joints_put_them),
      cmocka_unit_test(a_long_chain_ends_where_the_closed_form_says),
      cmocka_unit_test(a_joint_turned_by_a_billionth_stands_turned),
      cmocka_unit_test(data_takes_only_memory_that_fits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
