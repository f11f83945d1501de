/* test_conventions.c -- the conventions of docs/conventions.md, asserted on cases small enough to check in
 * the head. A change that breaks one of these changes what every number of the library means. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "near.h"

static const double HALF_PI = 1.57079632679489661923;
static const double ULPS = 8 * DBL_EPSILON;

static const double EX[3] = {1, 0, 0}, EY[3] = {0, 1, 0}, EZ[3] = {0, 0, 1};

static void assert_takes(const char* what, const double R[9], const double from[3], const double to[3]) {
  double got[3];
  fb_rot_apply(R, from, got);
  assert_near(what, got, to, 3, ULPS);
}

static void test_rotations_are_right_handed(void** state) {
  (void)state;
  double R[9];
  fb_rot_x(HALF_PI, R);
  assert_takes("about x: y to z", R, EY, EZ);
  fb_rot_y(HALF_PI, R);
  assert_takes("about y: z to x", R, EZ, EX);
  fb_rot_z(HALF_PI, R);
  assert_takes("about z: x to y", R, EX, EY);
}

static void test_R_wb_takes_body_axes_to_world_axes_row_major(void** state) {
  (void)state;
  /* A body turned by 90 degrees about z has its x axis along the world's y: the first column of R. */
  const double want[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  const double world_y_in_body[3] = {1, 0, 0};
  double R_wb[9], got[3];
  fb_rot_z(HALF_PI, R_wb);
  assert_near("row major", R_wb, want, 9, ULPS);
  fb_rot_apply_transpose(R_wb, EY, got);
  assert_near("world to body", got, world_y_in_body, 3, ULPS);
}

static void test_rpy_is_about_fixed_x_then_y_then_z(void** state) {
  (void)state;
  const double roll_then_yaw[3] = {HALF_PI, 0, HALF_PI}, rpy[3] = {0.3, -0.4, 0.5};
  double R[9], X[9], Y[9], Z[9];
  fb_rot_from_rpy(roll_then_yaw, R);
  /* Roll carries y to z, and yaw about the fixed z leaves it there. */
  assert_takes("y", R, EY, EZ);
  assert_takes("x", R, EX, EY);
  fb_rot_from_rpy(rpy, R);
  fb_rot_x(rpy[0], X);
  fb_rot_y(rpy[1], Y);
  fb_rot_z(rpy[2], Z);
  fb_rot_multiply(Z, Y, Y);
  fb_rot_multiply(Y, X, X);
  assert_near("R = Rz Ry Rx", R, X, 9, ULPS);
}

static void test_euler_xyz_is_about_moving_x_then_y_then_z(void** state) {
  (void)state;
  const double a_then_c[3] = {HALF_PI, 0, HALF_PI}, abc[3] = {0.3, -0.4, 0.5};
  double R[9], X[9], Y[9], Z[9];
  fb_rot_from_euler_xyz(a_then_c, R);
  /* The third turn is about the body's own z, which the first laid along -y: x goes to z. */
  assert_takes("x", R, EX, EZ);
  assert_takes("y", R, EY, (const double[]){-1, 0, 0});
  fb_rot_from_euler_xyz(abc, R);
  fb_rot_x(abc[0], X);
  fb_rot_y(abc[1], Y);
  fb_rot_z(abc[2], Z);
  fb_rot_multiply(X, Y, Y);
  fb_rot_multiply(Y, Z, Z);
  assert_near("R = Rx Ry Rz", R, Z, 9, ULPS);
}

static void test_euler_zxz_is_about_moving_z_then_x_then_z(void** state) {
  (void)state;
  const double angles[3] = {0.3, 0.4, 0.5};
  double R[9], Z1[9], X[9], Z2[9];
  fb_rot_from_euler_zxz(angles, R);
  fb_rot_z(angles[0], Z1);
  fb_rot_x(angles[1], X);
  fb_rot_z(angles[2], Z2);
  fb_rot_multiply(Z1, X, X);
  fb_rot_multiply(X, Z2, Z2);
  assert_near("R = Rz Rx Rz", R, Z2, 9, ULPS);
}

static void test_undetermined_angles_are_zero(void** state) {
  (void)state;
  const double up[3] = {0.1, HALF_PI, 0.2}, flat[3] = {0.1, 0, 0.2};
  double R[9], got[3];
  fb_rot_from_rpy(up, R);
  fb_rot_to_rpy(R, got);
  assert_true(got[0] == 0);
  fb_rot_from_euler_xyz(up, R);
  fb_rot_to_euler_xyz(R, got);
  assert_true(got[2] == 0);
  fb_rot_from_euler_zxz(flat, R);
  fb_rot_to_euler_zxz(R, got);
  assert_true(got[2] == 0);
}

static void test_quaternions_are_hamilton_scalar_first(void** state) {
  (void)state;
  const double i[4] = {0, 1, 0, 0}, j[4] = {0, 0, 1, 0}, k[4] = {0, 0, 0, 1};
  const double quarter_z[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
  double got[4], R[9];
  fb_quat_multiply(i, j, got);
  assert_near("i j = k", got, k, 4, 0);
  fb_rot_from_quat(quarter_z, R);
  assert_takes("scalar first, same sense as the matrix", R, EX, EY);
  fb_rot_to_quat(R, got);
  assert_near("back", got, quarter_z, 4, ULPS);
}

static void test_angular_velocity_is_in_world_axes(void** state) {
  (void)state;
  /* The body's x points along the world's y; it turns about the world's x, so its x axis moves to z. */
  const double w[3] = {1, 0, 0}, want[3] = {0, 0, 1};
  double R_wb[9], Rdot[9], got[3], q[4], qdot[4], back[3];
  fb_rot_z(HALF_PI, R_wb);
  fb_rot_rate(R_wb, w, Rdot);
  fb_rot_apply(Rdot, EX, got);
  assert_near("Rdot = w~ R", got, want, 3, ULPS);
  fb_rot_to_quat(R_wb, q);
  fb_quat_rate(q, w, qdot);
  assert_near("qdot = (0, w) q / 2", qdot, (const double[]){0, sqrt(0.125), -sqrt(0.125), 0}, 4, ULPS);
  fb_quat_rate_to_w(q, qdot, back);
  assert_near("world axes", back, w, 3, ULPS);
}

static void test_updates_and_differences_are_in_world_axes(void** state) {
  (void)state;
  const double w[3] = {HALF_PI, 0, 0};
  double R_wb[9], next[9], diff[3];
  fb_rot_z(HALF_PI, R_wb);
  fb_rot_update(R_wb, w, 1, next);
  assert_takes("body x: y, then z", next, EX, EZ);
  fb_rot_difference(next, R_wb, diff);
  assert_near("from R_wb to next", diff, w, 3, ULPS);
}

/* Frame b stands 2 m along a's x and is turned by 90 degrees about z. */
static fb_pose example_pose(void) {
  fb_pose ab = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {2, 0, 0}};
  return ab;
}

static void test_pose_is_of_the_child_in_the_parent(void** state) {
  (void)state;
  const fb_pose ab = example_pose();
  fb_pose bc = fb_pose_identity(), ac;
  bc.p[0] = 1; /* 1 m along b's x, which is a's y */
  fb_pose_multiply(&ab, &bc, &ac);
  assert_near("p_ac", ac.p, (const double[]){2, 1, 0}, 3, 0);
}

static void test_motion_vectors_are_angular_first_at_the_origin(void** state) {
  (void)state;
  /* Turning about a's z through a's origin, b's origin moves along a's y, which is b's x. */
  const fb_pose ab = example_pose();
  const double spin_a[6] = {0, 0, 1, 0, 0, 0};
  double b[6];
  fb_spatial_motion_to_child(&ab, spin_a, b);
  assert_near("(w, v) in b", b, (const double[]){0, 0, 1, 2, 0, 0}, 6, 0);
}

static void test_force_vectors_are_moment_first_at_the_origin(void** state) {
  (void)state;
  /* A force along a's y through b's origin has a moment 2 about a's z. */
  const fb_pose ab = example_pose();
  const double push_b[6] = {0, 0, 0, 1, 0, 0};
  double a[6];
  fb_spatial_force_to_parent(&ab, push_b, a);
  assert_near("(n, f) in a", a, (const double[]){0, 0, 2, 0, 1, 0}, 6, 0);
}

static void test_inertia_elements_are_those_of_the_tensor(void** state) {
  (void)state;
  /* Half a kilogram at (1, 1, 0) and at (-1, -1, 0): the product element is -sum m x y = -1. */
  const double com[3] = {0, 0, 0}, I_com[6] = {1, 1, 2, -1, 0, 0}, about_x[6] = {1, 0, 0, 0, 0, 0};
  fb_spatial_inertia I;
  double h[6];
  fb_spatial_inertia_from_com(1, com, I_com, &I);
  fb_spatial_inertia_apply(&I, about_x, h);
  assert_near("xx yy zz xy xz yz", h, (const double[]){1, -1, 0, 0, 0, 0}, 6, 0);
}

static void test_inertia_is_at_the_origin_with_mass_times_centre(void** state) {
  (void)state;
  const double com[3] = {3, 0, 0}, none[6] = {0, 0, 0, 0, 0, 0};
  fb_spatial_inertia I;
  fb_spatial_inertia_from_com(2, com, none, &I);
  assert_near("h = m c", I.h, (const double[]){6, 0, 0}, 3, 0);
  assert_near("about the origin", I.moments, (const double[]){0, 18, 18, 0, 0, 0}, 6, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rotations_are_right_handed),
      cmocka_unit_test(test_R_wb_takes_body_axes_to_world_axes_row_major),
      cmocka_unit_test(test_rpy_is_about_fixed_x_then_y_then_z),
      cmocka_unit_test(test_euler_xyz_is_about_moving_x_then_y_then_z),
      cmocka_unit_test(test_euler_zxz_is_about_moving_z_then_x_then_z),
      cmocka_unit_test(test_undetermined_angles_are_zero),
      cmocka_unit_test(test_quaternions_are_hamilton_scalar_first),
      cmocka_unit_test(test_angular_velocity_is_in_world_axes),
      cmocka_unit_test(test_updates_and_differences_are_in_world_axes),
      cmocka_unit_test(test_pose_is_of_the_child_in_the_parent),
      cmocka_unit_test(test_motion_vectors_are_angular_first_at_the_origin),
      cmocka_unit_test(test_force_vectors_are_moment_first_at_the_origin),
      cmocka_unit_test(test_inertia_elements_are_those_of_the_tensor),
      cmocka_unit_test(test_inertia_is_at_the_origin_with_mass_times_centre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
