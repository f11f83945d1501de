/* test_tilted_loops.c -- loops do not depend on how their rows lie to the motion
 *
 * The rows of a loop lie along the axes of frame a. Two planar arms that hold each other's hand turn these axes with their
 * wrists: a row at right angles to the plane responds to nothing, and one at a small angle to that direction by the square of
 * the angle, repeating a row that responds fully. It must not be taken for independent, whether by rounding or because
 * the loop is a little open, as it is inside a step. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/freebody.h>

#include "keep_nan.h"

enum { LINKS = 3, JOINTS = 2 * LINKS };
static const double PI = 3.14159265358979323846;

static void add_link(fb_model_def* def, const char* arm, int i, double turn) {
  static const double x[LINKS] = {0, 0.7, 0.6};
  char name[32], parent[32], hand[32];
  int id;
  fb_body_def link = fb_default_body_def();
  snprintf(name, sizeof name, "%s%d", arm, i);
  snprintf(parent, sizeof parent, "%s%d", arm, i - 1);
  link.name = name;
  if (i > 0) link.parent = parent;
  link.joint.type = FB_JOINT_REVOLUTE;
  memcpy(link.joint.axis, i < 2 ? (double[3]){0, 0, 1} : (double[3]){1, 0, 0}, sizeof link.joint.axis);
  link.joint.at[0] = x[i];
  if (i == 0) link.joint.at[1] = turn > 0 ? 0.62 : -0.62;
  if (i == 0) fb_rot_from_rpy((double[3]){0, 0, turn}, link.joint.R);
  link.mass = 5;
  link.com[0] = 0.3;
  memcpy(link.inertia, (double[6]){0.01, 0.2, 0.2, 0, 0, 0}, sizeof link.inertia);
  assert_int_equal(fb_model_def_add_body(def, &link, &id, NULL), FB_OK);
  if (i < LINKS - 1) return;
  fb_frame_def tip = fb_default_frame_def();
  snprintf(hand, sizeof hand, "%s_hand", arm);
  tip.name = hand;
  tip.at[0] = 0.3;
  if (turn < 0) fb_rot_from_rpy((double[3]){0, 0, PI}, tip.R);
  assert_int_equal(fb_model_def_add_frame(def, id, &tip, NULL), FB_OK);
}

static fb_model* two_arms(void) {
  fb_model_def* def = fb_model_def_new();
  fb_model* m = NULL;
  for (int i = 0; i < LINKS; i++) add_link(def, "left", i, PI / 2);
  for (int i = 0; i < LINKS; i++) add_link(def, "right", i, -PI / 2);
  fb_loop_def loop = fb_default_loop_def(FB_LOOP_WELD);
  loop.name = "grasp";
  loop.a = "right_hand";
  loop.b = "left_hand";
  assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  assert_int_equal(fb_model_build(def, NULL, &m, NULL), FB_OK);
  fb_model_def_free(def);
  return m;
}

/* Accelerations with the wrists turned by `roll` and the loop opened by `open` in one joint. */
static void accelerate(const fb_model* m, double roll, double open, double* vdot) {
  static const unsigned char held[JOINTS] = {1, 0, 1, 0, 0, 0};
  fb_data* d = fb_data_new(m);
  double q[JOINTS] = {-1.13, -2, roll, 1.13, 2, -roll}, v[JOINTS] = {0.3, 0, 0.2};
  double tau[JOINTS] = {3, -2, 0.5, 1, 2, -0.3};
  fb_error error;
  assert_non_null(d);
  if (fb_loops_close(m, d, held, q, v, &error)) fail_msg("%s", error.text);
  q[1] += open;
  fb_constrained_dynamics(m, d, q, v, NULL, NULL, vdot, tau);
  fb_data_free(d);
}

static void test_accelerations_are_smooth_where_a_row_stops_responding(void** state) {
  (void)state;
  static const double rolls[] = {1e-16, 1e-14, 1e-13, 1e-12, 3e-12, 1e-11, 1e-10,
                                 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  4e-5,  1e-4};
  static const double opens[] = {0, 1e-12, 1e-10, 1e-9, 1e-8};
  fb_model* m = two_arms();
  double straight[JOINTS], vdot[JOINTS];
  accelerate(m, 0, 0, straight);
  for (size_t i = 0; i < sizeof rolls / sizeof *rolls; i++)
    for (size_t k = 0; k < sizeof opens / sizeof *opens; k++) {
      accelerate(m, rolls[i], opens[k], vdot);
      double off = worst_difference(vdot, straight, JOINTS);
      /* accelerations of some 10 rad/s^2 change in proportion to the roll and to the opening */
      if (!(off < 1e-10 + 30 * (rolls[i] + opens[k])))
        fail_msg("wrists turned by %g, loop open by %g: accelerations off by %g", rolls[i], opens[k], off);
    }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accelerations_are_smooth_where_a_row_stops_responding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
