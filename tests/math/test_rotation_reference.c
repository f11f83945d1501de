/* test_rotation_reference.c -- attitude conversions against the SpaceDyn reference vectors.
 *
 * data/reference/spacedyn/attitude.json holds SpaceDyn's C, which is the transpose of our R, and its
 * quaternions of C, scalar last, which are ours with the scalar moved. Every section is checked within
 * 1e-11 relative to max(1, max|ref|), both ways where there are two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/support/files.h>
#include <freebody/rotation.h>

#include "document/document.h"
#include "near.h"

static const double TOLERANCE = 1e-11;

static fb_doc* document;

static int load(void** state) {
  (void)state;
  char* text = NULL;
  size_t size = 0;
  fb_error error;
  const char* file = FB_TEST_DATA "/reference/spacedyn/attitude.json";
  if (fb_file_read(file, &text, &size, &error) != FB_OK) return -1;
  const fb_status status = fb_doc_parse(text, size, "attitude.json", &document, &error);
  free(text);
  return status == FB_OK ? 0 : -1;
}

static int unload(void** state) {
  (void)state;
  fb_doc_free(document);
  return 0;
}

/* The entries of a section; their number is asserted, so that no section is passed over empty. */
static const fb_node* section(const char* name, int count) {
  const fb_node* list = fb_map_get(fb_doc_root(document), name);
  assert_non_null(list);
  assert_int_equal(fb_node_count(list), count);
  return list;
}

static void numbers(const fb_node* entry, const char* key, int n, double* out) {
  fb_error error;
  assert_int_equal(fb_node_numbers(fb_map_get(entry, key), FB_Q_NONE, n, out, &error), FB_OK);
}

static double number(const fb_node* entry, const char* key) {
  fb_error error;
  double x = NAN;
  assert_int_equal(fb_node_number(fb_map_get(entry, key), FB_Q_NONE, &x, &error), FB_OK);
  return x;
}

static void matrix(const fb_node* entry, const char* key, double out[9]) {
  fb_error error;
  assert_int_equal(fb_node_matrix(fb_map_get(entry, key), 3, 3, out, &error), FB_OK);
}

/* R of a stored C. */
static void attitude(const fb_node* entry, const char* key, double R[9]) {
  matrix(entry, key, R);
  fb_rot_transpose(R, R);
}

/* Scalar last -> scalar first. */
static void quaternion(const fb_node* entry, const char* key, double q[4]) {
  double xyzw[4];
  numbers(entry, key, 4, xyzw);
  q[0] = xyzw[3];
  memcpy(q + 1, xyzw, 3 * sizeof *xyzw);
}

static void test_cx_cy_cz_are_the_transposed_axis_rotations(void** state) {
  (void)state;
  const fb_node* list = section("cx_cy_cz", 5);
  for (int i = 0; i < fb_node_count(list); i++) {
    const fb_node* entry = fb_node_item(list, i);
    const double angle = number(entry, "angle");
    double R[9], want[9];
    fb_rot_x(angle, R);
    attitude(entry, "cx", want);
    assert_near("cx", R, want, 9, TOLERANCE);
    fb_rot_y(angle, R);
    attitude(entry, "cy", want);
    assert_near("cy", R, want, 9, TOLERANCE);
    fb_rot_z(angle, R);
    attitude(entry, "cz", want);
    assert_near("cz", R, want, 9, TOLERANCE);
  }
}

typedef void from_angles(const double* angles, double R[9]);
typedef void to_angles(const double R[9], double* angles);

/* Angles -> C and back; all the stored angles are principal ones. */
static void check_angles(const fb_node* list, const char* key, from_angles* from, to_angles* to) {
  for (int i = 0; i < fb_node_count(list); i++) {
    double angles[3], back[3], R[9], want[9];
    numbers(fb_node_item(list, i), key, 3, angles);
    attitude(fb_node_item(list, i), "C", want);
    from(angles, R);
    assert_near("matrix of the angles", R, want, 9, TOLERANCE);
    to(want, back);
    assert_near("angles of the matrix", back, angles, 3, TOLERANCE);
  }
}

static void test_rpy2dc_and_dc2rpy_are_euler_xyz(void** state) {
  (void)state;
  check_angles(section("rpy2dc", 14), "rpy", fb_rot_from_euler_xyz, fb_rot_to_euler_xyz);
}

static void test_eul2dc_and_dc2eul_are_euler_zxz(void** state) {
  (void)state;
  check_angles(section("eul2dc", 12), "euler_313", fb_rot_from_euler_zxz, fb_rot_to_euler_zxz);
}

/* At the singular attitudes the convention for the undetermined angle is part of the reference. */
static void check_singular(const fb_node* list, const char* key, to_angles* to) {
  for (int i = 0; i < fb_node_count(list); i++) {
    double R[9], got[3], want[3];
    attitude(fb_node_item(list, i), "C", R);
    numbers(fb_node_item(list, i), key, 3, want);
    to(R, got);
    assert_near(key, got, want, 3, TOLERANCE);
    assert_true(got[2] == 0);
  }
}

static void test_singular_attitudes_have_the_third_angle_zero(void** state) {
  (void)state;
  check_singular(section("dc2rpy_singular", 2), "rpy", fb_rot_to_euler_xyz);
  check_singular(section("dc2eul_singular", 2), "euler_313", fb_rot_to_euler_zxz);
}

static void test_aw_is_the_rodrigues_update(void** state) {
  (void)state;
  const fb_node* list = section("aw", 9);
  for (int i = 0; i < fb_node_count(list); i++) {
    const fb_node* entry = fb_node_item(list, i);
    double w[3], want[9], R[9];
    numbers(entry, "w0", 3, w);
    matrix(entry, "E0", want);
    fb_rot_identity(R);
    fb_rot_update(R, w, number(entry, "dt"), R);
    assert_near("aw", R, want, 9, TOLERANCE);
  }
}

static void test_qtn2dc_is_the_matrix_of_the_quaternion(void** state) {
  (void)state;
  const fb_node* list = section("qtn2dc", 12);
  for (int i = 0; i < fb_node_count(list); i++) {
    double q[4], R[9], want[9];
    quaternion(fb_node_item(list, i), "qtn", q);
    attitude(fb_node_item(list, i), "C", want);
    fb_rot_from_quat(q, R);
    assert_near("qtn2dc", R, want, 9, TOLERANCE);
  }
}

static void test_dc2qtn_is_the_quaternion_with_its_sign(void** state) {
  (void)state;
  const fb_node* list = section("dc2qtn", 17);
  for (int i = 0; i < fb_node_count(list); i++) {
    double R[9], q[4], want[4];
    attitude(fb_node_item(list, i), "C", R);
    quaternion(fb_node_item(list, i), "qtn", want);
    fb_rot_to_quat(R, q);
    assert_near("dc2qtn", q, want, 4, TOLERANCE);
  }
}

static void test_w2dQtn_is_the_quaternion_rate(void** state) {
  (void)state;
  const fb_node* list = section("w2dQtn", 12);
  for (int i = 0; i < fb_node_count(list); i++) {
    double w[3], q[4], want[4], qdot[4], back[3];
    numbers(fb_node_item(list, i), "w0_inertial", 3, w);
    quaternion(fb_node_item(list, i), "qtn", q);
    quaternion(fb_node_item(list, i), "dqtn", want);
    fb_quat_rate(q, w, qdot);
    assert_near("w2dQtn", qdot, want, 4, TOLERANCE);
    fb_quat_rate_to_w(q, want, back);
    assert_near("back to w", back, w, 3, TOLERANCE);
  }
}

static void test_tr2diff_is_the_small_difference(void** state) {
  (void)state;
  const fb_node* list = section("tr2diff", 6);
  for (int i = 0; i < fb_node_count(list); i++) {
    double A[9], B[9], got[3], want[3];
    matrix(fb_node_item(list, i), "AA1", A);
    matrix(fb_node_item(list, i), "AA2", B);
    numbers(fb_node_item(list, i), "diff", 3, want);
    fb_rot_small_difference(A, B, got);
    assert_near("tr2diff", got, want, 3, TOLERANCE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cx_cy_cz_are_the_transposed_axis_rotations),
      cmocka_unit_test(test_rpy2dc_and_dc2rpy_are_euler_xyz),
      cmocka_unit_test(test_eul2dc_and_dc2eul_are_euler_zxz),
      cmocka_unit_test(test_singular_attitudes_have_the_third_angle_zero),
      cmocka_unit_test(test_aw_is_the_rodrigues_update),
      cmocka_unit_test(test_qtn2dc_is_the_matrix_of_the_quaternion),
      cmocka_unit_test(test_dc2qtn_is_the_quaternion_with_its_sign),
      cmocka_unit_test(test_w2dQtn_is_the_quaternion_rate),
      cmocka_unit_test(test_tr2diff_is_the_small_difference),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
