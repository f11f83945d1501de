/* test_dh.c -- places by the numbers of Denavit and Hartenberg: against their matrices, and against Craig's closed form of the
 * PUMA 560 (Introduction to Robotics, 3rd edition, (3.14)). */
#include "run_command.h"

#include <math.h>
#include <stdlib.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/io.h>
#include <freebody/kinematics.h>

#include "near.h"

static fb_model* build(const char* yaml) {
  fb_model_def* def = NULL;
  fb_model* model = NULL;
  fb_error error;
  char line[1500];
  if (fb_model_def_parse(yaml, strlen(yaml), "dh.yaml", NULL, &def, &error) ||
      fb_model_build(def, NULL, &model, &error))
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  fb_model_def_free(def);
  return model;
}

static void pose_of(const fb_model* m, const char* body, const double* q, double p[3], double R[9]) {
  fb_data* d = fb_data_new(m);
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, body), p, R);
  fb_data_free(d);
}

#define LINK(name, parent, type, place)                                     \
  "  - {name: " name ", parent: " parent ", joint: {type: " type ", " place \
  "}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"

static void craigs_puma_560_is_where_his_closed_form_says(void** state) {
  (void)state;
  fb_model* m = build("freebody: 1\nbodies:\n" LINK("l1", "world", "revolute", "mdh: [0, 0, 0, 0]")
                          LINK("l2", "l1", "revolute", "mdh: [0, -90 deg, 0, 0]")
                              LINK("l3", "l2", "revolute", "mdh: [431.8 mm, 0, 0.15005, 0]")
                                  LINK("l4", "l3", "revolute", "mdh: [0.0203, -90 deg, 43.18 cm, 0]")
                                      LINK("l5", "l4", "revolute", "mdh: [0, 90 deg, 0, 0]")
                                          LINK("l6", "l5", "revolute", "mdh: [0, -90 deg, 0, 0]"));
  const double a2 = 0.4318, a3 = 0.0203, d3 = 0.15005, d4 = 0.4318;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double q[6], p[3], R[9];
    fb_random_q(m, seed, q);
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]), c23 = cos(q[1] + q[2]),
           s23 = sin(q[1] + q[2]);
    double c4 = cos(q[3]), s4 = sin(q[3]), c5 = cos(q[4]), s5 = sin(q[4]), c6 = cos(q[5]), s6 = sin(q[5]);
    double reach = a2 * c2 + a3 * c23 - d4 * s23;
    double want[3] = {c1 * reach - d3 * s1, s1 * reach + d3 * c1, -a3 * s23 - a2 * s2 - d4 * c23};
    double axes[3] = {c1 * (c23 * (c4 * c5 * c6 - s4 * s6) - s23 * s5 * c6) + s1 * (s4 * c5 * c6 + c4 * s6),
                      -c1 * (c23 * c4 * s5 + s23 * c5) - s1 * s4 * s5, s23 * c4 * s5 - c23 * c5};
    pose_of(m, "l6", q, p, R);
    double got[3] = {R[0], R[2], R[8]};
    assert_near_of(1, "position", p, want, 3, 1e-14);
    assert_near_of(1, "r11, r13, r33", got, axes, 3, 1e-14);
  }
  fb_model_free(m);
}

/* The matrix of a link as textbooks print it, times what is before. */
static void multiply_classic(double T[12], double a, double alpha, double d, double theta) {
  double ct = cos(theta), st = sin(theta), ca = cos(alpha), sa = sin(alpha);
  double A[16] = {ct, -st * ca, st * sa, a * ct, st, ct * ca, -ct * sa, a * st, 0, sa, ca, d, 0, 0, 0, 1},
         P[12];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      P[4 * i + j] = j == 3 ? T[4 * i + 3] : 0;
      for (int k = 0; k < 3; k++) P[4 * i + j] += T[4 * i + k] * A[4 * k + j];
    }
  memcpy(T, P, sizeof P);
}

static void classic_links_are_a_product_of_their_matrices(void** state) {
  (void)state;
  /* Stanford's arm: its third joint slides. The hand is fixed by numbers too. */
  fb_model* m = build("freebody: 1\nbodies:\n" LINK("l1", "world", "revolute", "dh: [0, -90 deg, 0.412, 0]")
                          LINK("l2", "l1", "revolute", "dh: [0, 90 deg, 0.154, 0]")
                              LINK("l3", "l2", "prismatic", "dh: [0.1, 0.2, 0.3, -90 deg]")
                                  LINK("l4", "l3", "cylindrical", "dh: [0, -90 deg, 0.05, 0.4]")
                                      LINK("l5", "l4", "fixed", "dh: [0.1, 0.3, 0.263, 1.2]"));
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double q[5], p[3], R[9], T[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const double half = acos(-1.0) / 2;
    fb_random_q(m, seed, q);
    multiply_classic(T, 0, -half, 0.412, q[0]);
    multiply_classic(T, 0, half, 0.154, q[1]);
    multiply_classic(T, 0.1, 0.2, 0.3 + q[2], -half);
    multiply_classic(T, 0, -half, 0.05 + q[4], 0.4 + q[3]);
    multiply_classic(T, 0.1, 0.3, 0.263, 1.2);
    double want_p[3] = {T[3], T[7], T[11]},
           want_R[9] = {T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]};
    pose_of(m, "l5", q, p, R);
    assert_near_of(1, "position", p, want_p, 3, 1e-14);
    assert_near_of(1, "axes", R, want_R, 9, 1e-14);
  }
  fb_model_free(m);
}

static void a_robot_by_classic_numbers_is_written_to_urdf_and_back(void** state) {
  (void)state;
  static const char yaml[] =
      "freebody: 1\nname: arm\nbodies:\n" LINK("l1", "world", "revolute", "dh: [0.2, 1, 0.4, 0.1]")
          LINK("l2", "l1", "revolute", "dh: [0.3, -1, 0, 0]") "    frames: [{name: tool, at: [0, 0, 0.1]}]\n";
  static const char with_frame[] =
      "freebody: 1\nname: arm\nbodies:\n" LINK("l1", "world", "revolute", "dh: [0.2, 1, 0.4, 0.1]")
      "  - {name: l2, parent: l1, joint: {type: revolute, dh: [0.3, -1, 0, 0]}, mass: 1, com: [0.1, 0, 0], inertia: [1, "
      "1.1, 1.2, 0, 0, 0], frames: [{name: tool, at: [0, 0, 0.1]}]}\n";
  (void)yaml;
  fb_model* m = build(with_frame);
  fb_model* back = NULL;
  char* text = NULL;
  size_t size;
  fb_error error;
  fb_model_def* def = NULL;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_URDF;
  if (fb_model_def_print(fb_model_definition(m), &options, &text, &size, &error)) fail_msg("%s", error.text);
  options.format = FB_FORMAT_AUTO;
  if (fb_model_def_parse(text, size, "back.urdf", &options, &def, &error) ||
      fb_model_build(def, NULL, &back, &error))
    fail_msg("%s", error.text);
  double q[2] = {0.7, -0.4}, p[3], R[9], p2[3], R2[9], H[4], H2[4];
  pose_of(m, "tool", q, p, R);
  pose_of(back, "tool", q, p2, R2);
  assert_near_of(1, "tool", p, p2, 3, 1e-14);
  assert_near_of(1, "tool's axes", R, R2, 9, 1e-14);
  fb_data *d = fb_data_new(m), *d2 = fb_data_new(back);
  fb_inertia_matrix(m, d, q, H);
  fb_inertia_matrix(back, d2, q, H2);
  assert_near_of(1, "H", H, H2, 4, 1e-13);
  fb_data_free(d);
  fb_data_free(d2);
  fb_free(text);
  fb_model_def_free(def);
  fb_model_free(m);
  fb_model_free(back);
}

static void wrong_numbers_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *joint, *message;
  } cases[] = {
      {"type: revolute, dh: [0, 1, 0]",
       "expected a list of 4 numbers, [a, alpha, d, theta], but found a list of 3"},
      {"type: revolute, dh: [0, 1, 0, 1 m]", "'1 m' is a length, but an angle is expected"},
      {"type: revolute, dh: [1 deg, 1, 0, 1]", "a length is expected"},
      {"type: revolute, dh: [0, 1, 0, 0], at: [0, 0, 1]", "'dh' and 'at' both place the joint"},
      {"type: revolute, mdh: [0, 1, 0, 0], rpy: [0, 0, 1]", "'mdh' and 'rpy' both place the joint"},
      {"type: revolute, dh: [0, 1, 0, 0], axis: [0, 0, 1]", "'dh' and 'axis' both place the joint"},
      {"type: revolute, dh: [0, 1, 0, 0], mdh: [0, 0, 0, 0]", "'dh' and 'mdh' both place the joint"},
      {"type: spherical, dh: [0, 1, 0, 0]", "a spherical joint cannot have 'dh'"},
      {"type: revolute, dh: [0, .nan, 0, 0]", "not finite"},
      {"type: revolute", "needs the key 'axis'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    fb_model_def* def = NULL;
    fb_error error = {0};
    snprintf(text, sizeof text,
             "freebody: 1\nbodies:\n  - {name: a, joint: {%s}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n",
             cases[i].joint);
    assert_int_not_equal(fb_model_def_parse(text, strlen(text), "dh.yaml", NULL, &def, &error), FB_OK);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
    assert_int_equal(error.place.line, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(craigs_puma_560_is_where_his_closed_form_says),
      cmocka_unit_test(classic_links_are_a_product_of_their_matrices),
      cmocka_unit_test(a_robot_by_classic_numbers_is_written_to_urdf_and_back),
      cmocka_unit_test(wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
