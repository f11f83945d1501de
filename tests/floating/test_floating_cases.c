/* test_floating_cases.c -- free-floating analysis of reference models, closed forms, and what cannot be answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "document/document.h"
#include "format/spacedyn/spacedyn.h"
#include "near.h"
#include "random_tree.h"
#include "spacedyn_files.h"
#include "worst.h"

/* --- reference models --- */

static fb_model* model_of(const fb_doc* doc) {
  fb_model_def* def;
  fb_error error;
  if (fb_spacedyn_read(fb_map_get(fb_doc_root(doc), "model"), NULL, &def, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void read_numbers(const fb_node* map, const char* key, int count, double* out) {
  fb_error error;
  if (fb_node_numbers(fb_map_get(map, key), FB_Q_NONE, count, out, &error)) fail_msg("%s", error.text);
}

/* Files with the dimensions of their null spaces at a generic state: attitude, all of the base. */
static const struct {
  const char* file;
  int base_still[2];
} REFERENCE[] = {
    {"m1_single_body.json", {0, 0}},         {"m2_planar_2link.json", {1, 0}},
    {"m3_ets7_6dof.json", {3, 0}},           {"m4_dual_arm_paddle.json", {-1, -1}},
    {"m5_chain_rp.json", {-1, -1}},          {"m6_random_tree_12.json", {9, 6}},
    {"m7_gravity_tree_7.json", {-1, -1}},    {"m8_gravity_ets7.json", {3, 0}},
    {"m9_gravity_single_body.json", {0, 0}}, {"m10_one_prismatic.json", {0, 0}},
};

static int check_case(const fb_model* m, fb_floating* f, const fb_node* c) {
  const fb_node *in = fb_map_get(c, "inputs"), *ends = fb_map_get(fb_map_get(c, "outputs"), "end_points");
  int n = fb_floating_nj(f), link;
  double A0[9], *q = numbers_new(n + 7), *want = numbers_new(6 * n), *got = numbers_new(6 * n);
  fb_error error;
  read_numbers(in, "R0", 3, q);
  assert_int_equal(fb_node_matrix(fb_map_get(in, "A0"), 3, 3, A0, &error), FB_OK);
  fb_rot_to_quat(A0, q + 3);
  read_numbers(in, "q", n, q + 7);
  fb_floating_update(f, q, NULL);
  for (int e = 0; e < fb_node_count(ends); e++) {
    const fb_node* end = fb_node_item(ends, e);
    char name[16];
    assert_int_equal(fb_node_int(fb_map_get(end, "link"), &link, &error), FB_OK);
    snprintf(name, sizeof name, "end%d", link);
    assert_int_equal(fb_node_matrix(fb_map_get(end, "GJ"), 6, n, want, &error), FB_OK);
    fb_floating_jacobian(f, fb_model_find_frame(m, name), got);
    compare("GJ of the reference files", got, want, 6 * n, 1e-11);
  }
  free(q);
  free(want);
  free(got);
  return fb_node_count(ends);
}

static void generalized_jacobians_are_those_of_the_reference_files(void** unused) {
  (void)unused;
  int count = 0;
  for (size_t i = 0; i < sizeof REFERENCE / sizeof REFERENCE[0]; i++) {
    fb_doc* doc = read_document(REFERENCE[i].file);
    const fb_node* cases = fb_map_get(fb_doc_root(doc), "cases");
    fb_model* m = model_of(doc);
    fb_floating* f;
    assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
    for (int c = 0; c < fb_node_count(cases); c++) count += check_case(m, f, fb_node_item(cases, c));
    int nj = fb_floating_nj(f);
    double *q = numbers_new(nj + 7), *basis = numbers_new(nj * nj + 1);
    fb_random_q(m, 11, q);
    fb_floating_update(f, q, NULL);
    for (int k = 0; k < 2; k++) {
      int dim = fb_floating_reaction_null_space(f, k ? 6 : 3, basis);
      if (REFERENCE[i].base_still[k] >= 0) assert_int_equal(dim, REFERENCE[i].base_still[k]);
    }
    free(q);
    free(basis);
    fb_floating_free(f);
    fb_model_free(m);
    fb_doc_free(doc);
  }
  assert_true(count >= 50);
}

/* --- closed forms --- */

/* A base of m0, I0 about its centroid, which is its origin, and a link of m1, I1 whose joint about z is at a on x
 * of the base, and its centroid at b on its own x. */
static fb_model* two_bodies(double m0, double I0, double m1, double I1, double a, double b) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = fb_default_body_def(), link = fb_default_body_def();
  base.name = "base";
  base.joint.type = FB_JOINT_FREE;
  base.mass = m0;
  for (int i = 0; i < 3; i++) base.inertia[i] = I0;
  link.name = "link";
  link.parent = "base";
  link.joint.type = FB_JOINT_REVOLUTE;
  link.joint.axis[2] = 1;
  link.joint.at[0] = a;
  link.mass = m1;
  link.com[0] = b;
  for (int i = 0; i < 3; i++) link.inertia[i] = I1;
  assert_int_equal(fb_model_def_add_body(def, &base, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &link, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void coupling_of_two_bodies_has_its_closed_form(void** unused) {
  (void)unused;
  const double m0 = 100, I0 = 20, m1 = 15, I1 = 2, a = 0.7, b = 0.9, mu = m0 * m1 / (m0 + m1);
  fb_model* m = two_bodies(m0, I0, m1, I1, a, b);
  fb_floating* f;
  assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
  for (double angle = -3; angle <= 3; angle += 0.5) {
    const double q[8] = {1, 2, 3, 1, 0, 0, 0, angle};
    fb_floating_update(f, q, NULL);
    double got = fb_floating_coupling(f);
    double want =
        (I1 + mu * (b * b + a * b * cos(angle))) / (I0 + I1 + mu * (a * a + b * b + 2 * a * b * cos(angle)));
    compare("coupling factor, closed form", &got, &want, 1, 1e-14);
  }
  fb_floating_free(f);
  fb_model_free(m);
}

/* det J* of the hand of a six-joint arm, and det J_m of the same arm with its base held. */
static double hand_determinants(const fb_model* m, fb_floating* f, fb_data* d, const double* q,
                                double* held) {
  int hand = fb_model_find_frame(m, "end6"), nv = fb_model_nv(m);
  double Jstar[36], J[6 * 12], Jm[36];
  assert_int_equal(nv, 12);
  fb_floating_update(f, q, NULL);
  fb_floating_jacobian(f, hand, Jstar);
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_jacobian(m, d, hand, J);
  for (int i = 0; i < 36; i++) Jm[i] = J[i / 6 * nv + 6 + i % 6];
  *held = determinant(Jm, 6);
  return determinant(Jstar, 6);
}

/* On a line through joint space the two determinants change sign at different places: between them the
 * free-floating arm is singular where the same arm on a held base is not (Papadopoulos, Dubowsky 1993). */
static void a_dynamic_singularity_is_not_a_kinematic_one(void** unused) {
  (void)unused;
  fb_doc* doc = read_document("m3_ets7_6dof.json");
  fb_model* m = model_of(doc);
  fb_data* d = fb_data_new(m);
  fb_floating* f;
  int found = 0;
  assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
  for (uint64_t seed = 0; seed < 20; seed++) {
    double ends[2][13], q[13], held, singular[6];
    fb_random_q(m, seed, ends[0]);
    fb_random_q(m, seed + 100, ends[1]);
    memcpy(ends[1], ends[0], 7 * sizeof(double));
    double low = 0, high = 1, at_low = hand_determinants(m, f, d, ends[0], &held);
    if (at_low * hand_determinants(m, f, d, ends[1], &held) > 0) continue;
    for (int i = 0; i < 60; i++) {
      double mid = 0.5 * (low + high);
      for (int k = 0; k < 13; k++) q[k] = ends[0][k] + mid * (ends[1][k] - ends[0][k]);
      if (at_low * hand_determinants(m, f, d, q, &held) > 0)
        low = mid;
      else
        high = mid;
    }
    fb_floating_manipulability(f, fb_model_find_frame(m, "end6"), singular);
    assert_true(singular[5] < 1e-12 * singular[0]);
    found += fabs(held) > 1e-6;

    double want[6] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, v_m[6], norm = 0;
    fb_floating_resolved_rate(f, fb_model_find_frame(m, "end6"), want, NULL, 0.1, v_m);
    for (int j = 0; j < 6; j++) norm += v_m[j] * v_m[j];
    assert_true(sqrt(norm) <= sqrt(0.06) / (2 * 0.1)); /* s / (s^2 + damping^2) <= 1 / (2 damping) */
  }
  assert_true(found >= 3);
  fb_floating_free(f);
  fb_data_free(d);
  fb_model_free(m);
  fb_doc_free(doc);
}

/* --- what cannot be answered --- */

static void wrong_bases_are_refused_with_their_names(void** unused) {
  (void)unused;
  fb_model* m = two_bodies(1, 1, 1, 1, 1, 1);
  fb_floating* f;
  fb_error error;
  assert_int_equal(fb_floating_new(m, 2, &f, &error), FB_ERR_ARG);
  assert_null(f);
  assert_non_null(strstr(error.text, "\"link\""));
  assert_non_null(strstr(error.text, "revolute"));
  assert_int_equal(fb_floating_new(m, 0, &f, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "no body 0"));
  assert_int_equal(fb_floating_new(m, 3, &f, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "from 1 to 2"));
  fb_model_free(m);
}

static void what_is_not_known_reads_as_nan(void** unused) {
  (void)unused;
  fb_model* m = two_bodies(1, 1, 1, 1, 1, 1);
  fb_floating* f;
  const double q[8] = {0, 0, 0, 1}, v[7] = {0}, want[6] = {0};
  double J[6], x[6], v_m[1];
  assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
  fb_floating_update(f, q, NULL);
  fb_floating_jacobian(f, 2, J);
  assert_true(isfinite(J[0]));
  fb_floating_jacobian(f, -1, J);
  assert_true(isnan(J[0]));
  fb_floating_jacobian(f, FB_WORLD, J);
  assert_true(isnan(J[0]) && isnan(fb_floating_manipulability(f, FB_WORLD, NULL)));
  assert_true(isnan(fb_floating_resolved_rate(f, FB_WORLD, want, NULL, 0, v_m)) && isnan(v_m[0]));
  fb_floating_jacobian_rate(f, 2, J);
  fb_floating_momentum(f, x);
  assert_true(isnan(J[0]) && isnan(x[0]));
  fb_floating_base_acceleration(f, v_m, x);
  assert_true(isnan(x[0]) && isnan(fb_floating_resolved_acceleration(f, 2, want, 0, v_m)));
  fb_floating_update(f, q, v);
  fb_floating_jacobian_rate(f, 2, J);
  assert_true(isfinite(J[0]));
  fb_floating_free(f);
  fb_model_free(m);
}

static void a_point_mass_has_no_attitude_to_conserve(void** unused) {
  (void)unused;
  fb_model* m = two_bodies(1, 0, 1, 0, 0, 0);
  fb_floating* f;
  const double q[8] = {0, 0, 0, 1};
  double J[6], basis[1];
  assert_int_equal(fb_floating_new(m, 1, &f, NULL), FB_OK);
  fb_floating_update(f, q, NULL);
  fb_floating_jacobian(f, 2, J);
  assert_true(isnan(J[0]) && isnan(fb_floating_coupling(f)));
  assert_int_equal(fb_floating_reaction_null_space(f, 6, basis), 0);
  fb_floating_free(f);
  fb_model_free(m);
}

/* A slider whose axis goes through both centroids turns nothing, so its motion is in the null space. */
static void a_slider_through_the_centres_of_mass_leaves_the_attitude_alone(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = fb_default_body_def(), mass = fb_default_body_def();
  base.name = "base";
  base.mass = 10;
  base.inertia[0] = base.inertia[1] = base.inertia[2] = 2;
  base.joint.type = FB_JOINT_FREE;
  mass.name = "mass";
  mass.parent = "base";
  mass.mass = 3;
  mass.inertia[0] = mass.inertia[1] = mass.inertia[2] = 0.1;
  mass.joint.type = FB_JOINT_PRISMATIC;
  mass.joint.axis[0] = 0.3, mass.joint.axis[1] = -0.7, mass.joint.axis[2] = 0.2;
  assert_int_equal(fb_model_def_add_body(def, &base, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &mass, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_floating* f;
  fb_error error;
  assert_int_equal(fb_floating_new(m, 1, &f, &error), FB_OK);
  for (uint64_t seed = 0; seed < 50; seed++) {
    double q[8], basis[1];
    fb_random_q(m, seed, q);
    fb_floating_update(f, q, NULL);
    assert_int_equal(fb_floating_reaction_null_space(f, 3, basis), 1);
    assert_int_equal(fb_floating_reaction_null_space(f, 6, basis), 0);
  }
  fb_floating_free(f);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generalized_jacobians_are_those_of_the_reference_files),
      cmocka_unit_test(coupling_of_two_bodies_has_its_closed_form),
      cmocka_unit_test(a_dynamic_singularity_is_not_a_kinematic_one),
      cmocka_unit_test(wrong_bases_are_refused_with_their_names),
      cmocka_unit_test(what_is_not_known_reads_as_nan),
      cmocka_unit_test(a_point_mass_has_no_attitude_to_conserve),
      cmocka_unit_test(a_slider_through_the_centres_of_mass_leaves_the_attitude_alone),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
