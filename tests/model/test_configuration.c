/* test_configuration.c -- the configuration group: integrate, difference, neutral, normalise, random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "random_tree.h"

enum { MODELS = 100 };

/* Calls check with random models and states q (s->q) and a tangent (s->v). */
typedef void (*group_check)(const fb_model* m, const state* s, double* q, double* v);

static void for_random_models(group_check check) {
  for (int i = 0; i < MODELS; i++) {
    fb_model* m = random_model((uint64_t)i + 300, 1 + i % 50);
    state s = state_new(m, (uint64_t)i);
    double *q = numbers_new(fb_model_nq(m)), *v = numbers_new(fb_model_nv(m));
    check(m, &s, q, v);
    free(q);
    free(v);
    state_free(&s);
    fb_model_free(m);
  }
}

static void check_inverse(const fb_model* m, const state* s, double* q, double* v) {
  for (int i = 0; i < fb_model_nv(m); i++) s->vdot[i] = 1.7 * s->v[i];
  fb_integrate(m, s->q, s->vdot, 1, q);
  fb_difference(m, s->q, q, v);
  assert_near("difference undoes integrate", v, s->vdot, fb_model_nv(m), 1e-13);
}

static void difference_undoes_integrate(void** unused) {
  (void)unused;
  for_random_models(check_inverse);
}

static void check_other_way(const fb_model* m, const state* s, double* q, double* v) {
  double* back = numbers_new(fb_model_nq(m));
  fb_random_q(m, 99, q);
  fb_difference(m, s->q, q, v);
  fb_integrate(m, s->q, v, 1, back);
  fb_difference(m, q, back, v); /* quaternions of either sign are the same attitude */
  for (int i = 0; i < fb_model_nv(m); i++) assert_true(fabs(v[i]) < 1e-13);
  free(back);
}

static void integrate_undoes_difference(void** unused) {
  (void)unused;
  for_random_models(check_other_way);
}

static void check_steps_add(const fb_model* m, const state* s, double* q, double* v) {
  (void)v;
  double* twice = numbers_new(fb_model_nq(m));
  fb_integrate(m, s->q, s->v, 0.3, twice);
  fb_integrate(m, twice, s->v, 0.5, twice); /* in place */
  fb_integrate(m, s->q, s->v, 0.8, q);
  assert_near("0.3 then 0.5 is 0.8", twice, q, fb_model_nq(m), 1e-14);
  free(twice);
}

static void steps_with_the_same_velocity_add_up(void** unused) {
  (void)unused;
  for_random_models(check_steps_add);
}

static void check_random(const fb_model* m, const state* s, double* q, double* v) {
  (void)v;
  fb_error error;
  fb_random_q(m, 5, q);
  assert_int_equal(fb_model_check_state(m, q, s->v, &error), FB_OK);
  double* again = numbers_new(fb_model_nq(m));
  fb_random_q(m, 5, again);
  assert_memory_equal(q, again, (size_t)fb_model_nq(m) * sizeof *q);
  fb_neutral(m, q);
  assert_int_equal(fb_model_check_state(m, q, NULL, &error), FB_OK);
  free(again);
}

static void random_and_neutral_configurations_are_valid_states(void** unused) {
  (void)unused;
  for_random_models(check_random);
}

/* A model with every joint type in turn, limits on the first, built by calls. */
static fb_model* one_of_each(void) {
  fb_model_def* def = fb_model_def_new();
  for (int t = 0; t < FB_JOINT_TYPE_COUNT; t++) {
    fb_body_def b = fb_default_body_def();
    b.name = fb_joint_type_name((fb_joint_type)t);
    b.mass = 1;
    b.joint.type = (fb_joint_type)t;
    b.joint.axis[0] = b.joint.axis2[1] = 1;
    if (t == FB_JOINT_REVOLUTE) b.joint.lower[0] = 0.2, b.joint.upper[0] = 0.3;
    if (t == FB_JOINT_PRISMATIC) b.joint.lower[0] = 5;
    if (t == FB_JOINT_HELICAL) b.joint.upper[0] = -9;
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void coordinates_are_counted_as_the_table_says(void** unused) {
  (void)unused;
  fb_model* m = one_of_each();
  static const struct {
    const char* name;
    int nq, nv;
  } WANT[] = {{"fixed", 0, 0},     {"revolute", 1, 1},    {"prismatic", 1, 1},
              {"helical", 1, 1},   {"cylindrical", 2, 2}, {"universal", 2, 2},
              {"spherical", 4, 3}, {"planar", 3, 3},      {"free", 7, 6}};
  int q = 0, v = 0;
  for (int b = 1; b < fb_model_nbody(m); b++) {
    assert_string_equal(fb_joint_name(m, b), WANT[b - 1].name);
    assert_int_equal(fb_joint_nq(m, b), WANT[b - 1].nq);
    assert_int_equal(fb_joint_nv(m, b), WANT[b - 1].nv);
    assert_int_equal(fb_joint_q_index(m, b), q);
    assert_int_equal(fb_joint_v_index(m, b), v);
    q += WANT[b - 1].nq;
    v += WANT[b - 1].nv;
  }
  assert_int_equal(fb_model_nq(m), q);
  assert_int_equal(fb_model_nv(m), v);
  fb_model_free(m);
}

static void random_configurations_keep_the_limits(void** unused) {
  (void)unused;
  fb_model* m = one_of_each();
  double* q = numbers_new(fb_model_nq(m));
  for (uint64_t seed = 0; seed < 200; seed++) {
    fb_random_q(m, seed, q);
    assert_true(q[0] >= 0.2 && q[0] <= 0.3);
    assert_true(q[1] >= 5);
    assert_true(q[2] <= -9);
  }
  free(q);
  fb_model_free(m);
}

static void normalise_repairs_quaternions(void** unused) {
  (void)unused;
  fb_model* m = one_of_each();
  double* q = numbers_new(fb_model_nq(m));
  int ball = fb_joint_q_index(m, fb_model_find_body(m, "spherical"));
  fb_neutral(m, q);
  q[ball] = 3;
  q[ball + 1] = 4;
  fb_normalise(m, q);
  assert_near("scaled", q + ball, (const double[4]){0.6, 0.8, 0, 0}, 4, 1e-15);
  for (int i = 0; i < 4; i++) q[ball + i] = 0;
  fb_normalise(m, q);
  assert_near("zero becomes the identity", q + ball, (const double[4]){1, 0, 0, 0}, 4, 0);
  q[ball] = NAN;
  fb_normalise(m, q);
  assert_near("NaN becomes the identity", q + ball, (const double[4]){1, 0, 0, 0}, 4, 0);
  free(q);
  fb_model_free(m);
}

static void bad_states_are_named(void** unused) {
  (void)unused;
  fb_model* m = one_of_each();
  double *q = numbers_new(fb_model_nq(m)), *v = numbers_new(fb_model_nv(m));
  fb_error error;
  fb_neutral(m, q);
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_OK);
  q[1] = NAN;
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "prismatic"));
  q[1] = 0;
  v[2] = INFINITY;
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "helical"));
  v[2] = 0;
  q[fb_joint_q_index(m, fb_model_find_body(m, "free")) + 3] = 1.00001;
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "\"free\" has norm 1.00001"));
  q[fb_joint_q_index(m, fb_model_find_body(m, "free")) + 3] = 1;
  q[0] = 1e13;
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "no digits left"));
  q[0] = 0;
  q[1] = 1e13; /* a length may be */
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_OK);
  v[0] = 1e300;
  assert_int_equal(fb_model_check_state(m, q, v, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "beyond 1e30"));
  free(q);
  free(v);
  fb_model_free(m);
}

/* A free joint turned in place: w acts in joint-frame axes, so a yaw of the parent's z axis turns the
 * body about the joint frame's z whatever its attitude. */
static void increments_act_in_joint_frame_axes(void** unused) {
  (void)unused;
  fb_model* m = one_of_each();
  double *q = numbers_new(fb_model_nq(m)), *v = numbers_new(fb_model_nv(m)), R[9], turn[9], want[9], got[9];
  int body = fb_model_find_body(m, "free"), quat = fb_joint_q_index(m, body) + 3;
  fb_random_q(m, 3, q);
  fb_rot_from_quat(q + quat, R);
  v[fb_joint_v_index(m, body) + 5] = 0.7;
  fb_integrate(m, q, v, 2, q);
  fb_rot_z(1.4, turn);
  fb_rot_multiply(turn, R, want);
  fb_rot_from_quat(q + quat, got);
  assert_near("Rz(1.4) R", got, want, 9, 1e-15);
  free(q);
  free(v);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(difference_undoes_integrate),
      cmocka_unit_test(integrate_undoes_difference),
      cmocka_unit_test(steps_with_the_same_velocity_add_up),
      cmocka_unit_test(random_and_neutral_configurations_are_valid_states),
      cmocka_unit_test(coordinates_are_counted_as_the_table_says),
      cmocka_unit_test(random_configurations_keep_the_limits),
      cmocka_unit_test(normalise_repairs_quaternions),
      cmocka_unit_test(bad_states_are_named),
      cmocka_unit_test(increments_act_in_joint_frame_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
