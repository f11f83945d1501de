/* test_dynamics.c -- identities between the algorithms on random forests with every joint type, up to 200
 * bodies and mass ratios up to 1e6. The worst of each is printed with the condition number it came with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"
#include "kernel/instances.h"
#include "math/vector3.h"
#include "model/data.h"
#include "model/model.h"

/* --- forward dynamics --- */

static record aba_backward, aba_dense, aba_rnea;

static void check_forward(bench* b, int bodies, uint64_t seed) {
  (void)seed;
  const double *q = b->s.q, *v = b->s.v;
  fb_error error;
  fb_forward_dynamics(b->m, b->d, q, v, b->tau, &b->loads, b->x);
  if (fb_model_check_pivots(b->m, b->d, &error)) fail_msg("%s", error.text);
  double backward = backward_error(b, b->x, b->tau);
  double cond = b->nv <= DENSE_LIMIT ? condition(b) : NAN;
  note(&aba_backward, backward / sqrt(bodies), cond, bodies);
  assert_true(backward <= 1e-13 * sqrt(bodies));
  if (!(cond < 1e4)) return;
  assert_int_equal(fb_forward_dynamics_dense(b->m, b->d, q, v, b->tau, &b->loads, b->work, b->y), FB_OK);
  note(&aba_dense, relative_error(0, b->x, b->y, b->nv), cond, bodies);
  assert_near("ABA = dense route", b->x, b->y, b->nv, 1e-11);
  fb_inverse_dynamics(b->m, b->d, q, v, b->x, &b->loads, b->y);
  note(&aba_rnea, relative_error(0, b->y, b->tau, b->nv), cond, bodies);
  assert_near("RNEA of ABA = tau", b->y, b->tau, b->nv, 1e-11);
}

static void forward_dynamics_solves_the_equations_of_motion(void** unused) {
  (void)unused;
  for_random_forests(check_forward);
  show("backward error of ABA / sqrt(n)", &aba_backward);
  show("ABA against the dense route, cond < 1e4", &aba_dense);
  show("RNEA of ABA against tau, cond < 1e4", &aba_rnea);
}

/* --- mixed dynamics --- */

static record mixed_backward;

static void check_mixed(bench* b, int bodies, uint64_t seed) {
  const double *q = b->s.q, *v = b->s.v;
  fb_random r = random_seed(seed + 5);
  unsigned char* prescribed = (unsigned char*)calloc((size_t)b->nv + 1, 1);
  for (int body = 1; body < fb_model_nbody(b->m); body++)
    memset(prescribed + fb_joint_v_index(b->m, body), random_index(&r, 2), (size_t)fb_joint_nv(b->m, body));
  memcpy(b->x, b->s.vdot, (size_t)b->nv * sizeof *b->x);
  memcpy(b->y, b->tau, (size_t)b->nv * sizeof *b->y);
  fb_mixed_dynamics(b->m, b->d, q, v, prescribed, &b->loads, b->x, b->y);
  for (int k = 0; k < b->nv; k++) { /* what was given is left alone */
    if (prescribed[k]) assert_true(b->x[k] == b->s.vdot[k]);
    if (!prescribed[k]) assert_true(b->y[k] == b->tau[k]);
  }
  double backward = backward_error(b, b->x, b->y);
  note(&mixed_backward, backward / sqrt(bodies), b->nv <= DENSE_LIMIT ? condition(b) : NAN, bodies);
  assert_true(backward <= 1e-13 * sqrt(bodies));
  free(prescribed);
}

static void mixed_dynamics_solves_the_equations_of_motion(void** unused) {
  (void)unused;
  for_random_forests(check_mixed);
  show("backward error of mixed / sqrt(n)", &mixed_backward);
}

static void check_pure_cases(bench* b, int bodies, uint64_t seed) {
  (void)seed;
  const double *q = b->s.q, *v = b->s.v;
  unsigned char* all = (unsigned char*)malloc((size_t)b->nv + 1);
  memset(all, 0, (size_t)b->nv);
  memcpy(b->y, b->tau, (size_t)b->nv * sizeof *b->y);
  fb_mixed_dynamics(b->m, b->d, q, v, all, &b->loads, b->x, b->y);
  assert_memory_equal(b->y, b->tau, (size_t)b->nv * sizeof *b->y);
  assert_true(backward_error(b, b->x, b->tau) <=
              1e-13 * sqrt(bodies)); /* none prescribed = forward dynamics */
  memset(all, 1, (size_t)b->nv);
  memcpy(b->x, b->s.vdot, (size_t)b->nv * sizeof *b->x);
  fb_mixed_dynamics(b->m, b->d, q, v, all, &b->loads, b->x, b->y);
  fb_inverse_dynamics(b->m, b->d, q, v, b->s.vdot, &b->loads, b->x);
  assert_near("all prescribed = inverse dynamics", b->y, b->x, b->nv, 1e-12);
  free(all);
}

static void mixed_dynamics_holds_both_pure_problems(void** unused) {
  (void)unused;
  for_random_forests(check_pure_cases);
}

/* --- inverse dynamics and the inertia matrix --- */

static record crba_rnea;

static void check_inverse(bench* b, int bodies, uint64_t seed) {
  const double *q = b->s.q, *v = b->s.v;
  fb_inverse_dynamics(b->m, b->d, q, v, b->s.vdot, &b->loads, b->x);
  for (int i = 0; i < b->nv; i++) {
    b->y[i] = b->bias[i] - b->total[i];
    for (int k = 0; k < b->nv; k++) b->y[i] += b->H[i * b->nv + k] * b->s.vdot[k];
  }
  assert_near("RNEA = H v' + bias - loads", b->x, b->y, b->nv, 1e-12);
  if (b->nv == 0) return;
  int column = (int)(seed % (uint64_t)b->nv);
  fb_loads none = fb_default_loads();
  none.passive = 0;
  memset(b->work, 0, (size_t)b->nv * sizeof *b->work);
  fb_inverse_dynamics(b->m, b->d, q, b->work, b->work, &none, b->y);
  b->work[column] = 1;
  double* still = b->work + b->nv;
  memset(still, 0, (size_t)b->nv * sizeof *still);
  fb_inverse_dynamics(b->m, b->d, q, still, b->work, &none, b->x);
  for (int i = 0; i < b->nv; i++) b->x[i] -= b->y[i]; /* at rest without loads y is zero, but for round-off */
  for (int i = 0; i < b->nv; i++) b->y[i] = b->H[i * b->nv + column];
  note(&crba_rnea, relative_error(0, b->x, b->y, b->nv), NAN, bodies);
  assert_near("column of CRBA = difference of RNEA", b->x, b->y, b->nv, 1e-12);
}

static void inverse_dynamics_and_inertia_matrix_agree(void** unused) {
  (void)unused;
  for_random_forests(check_inverse);
  show("CRBA column against RNEA difference", &crba_rnea);
}

static void check_pattern(bench* b, int bodies, uint64_t seed) {
  (void)bodies;
  (void)seed;
  int* parent = (int*)malloc(((size_t)b->nv + 1) * sizeof *parent);
  unsigned char* related = (unsigned char*)calloc((size_t)b->nv * (size_t)b->nv + 1, 1);
  fb_inertia_pattern(b->m, parent);
  for (int k = 0; k < b->nv; k++)
    for (int j = k; j >= 0; j = parent[j]) related[j * b->nv + k] = related[k * b->nv + j] = 1;
  for (int i = 0; i < b->nv * b->nv; i++)
    if (!related[i]) assert_true(b->H[i] == 0);
  for (int i = 0; i < b->nv; i++)
    for (int k = 0; k < i; k++) assert_true(b->H[i * b->nv + k] == b->H[k * b->nv + i]);
  free(parent);
  free(related);
}

static void the_inertia_matrix_is_symmetric_and_zero_between_branches(void** unused) {
  (void)unused;
  for_random_forests(check_pattern);
}

static int matrices_in_order, matrices_out_of_order;

static void check_lower(bench* b, int bodies, uint64_t seed) {
  (void)bodies;
  (void)seed;
  for (int i = 0; i < b->nv * b->nv; i++) b->work[i] = 7;
  fb_inertia_matrix_lower(b->m, b->d, b->s.q, b->work);
  for (int j = 0; j < b->nv; j++)
    for (int k = 0; k < b->nv; k++) assert_true(b->work[j * b->nv + k] == (k <= j ? b->H[j * b->nv + k] : 7));
  if (b->m->top.in_order)
    matrices_in_order++;
  else
    matrices_out_of_order++;
}

static void the_lower_triangle_alone_is_that_of_the_whole_matrix(void** unused) {
  (void)unused;
  for_random_forests(check_lower);
  assert_true(matrices_in_order > 100 && matrices_out_of_order > 100);
}

/* --- fixed joints, merged or not --- */

static void merging_fixed_joints_changes_no_dynamics(void** unused) {
  (void)unused;
  fb_build_options apart = fb_default_build_options();
  apart.merge_fixed = 0;
  for (int i = 0; i < 100; i++) {
    bench b = bench_new((uint64_t)i + 10000, 1 + i % 40, 0);
    fb_model* plain = build_or_fail(fb_model_definition(b.m), &apart);
    fb_data* d = fb_data_new(plain);
    double* H = numbers_new(b.nv * b.nv);
    unsigned char* prescribed =
        (unsigned char*)malloc((size_t)b.nv); /* exactly nv: reading past it is an error */
    for (int k = 0; k < b.nv; k++) prescribed[k] = 1;
    dense_parts(&b);
    fb_inertia_matrix(plain, d, b.s.q, H);
    assert_near("inertia matrix", H, b.H, b.nv * b.nv, 1e-13);
    fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.x);
    fb_inverse_dynamics(plain, d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.y);
    assert_near("inverse dynamics", b.y, b.x, b.nv, 1e-12);
    memcpy(b.y, b.s.vdot, (size_t)b.nv * sizeof *b.y);
    fb_mixed_dynamics(plain, d, b.s.q, b.s.v, prescribed, &b.loads, b.y, b.tau);
    assert_near("mixed dynamics", b.tau, b.x, b.nv, 1e-12);
    free(prescribed);
    free(H);
    fb_data_free(d);
    fb_model_free(plain);
    bench_free(&b);
  }
}

/* --- edges --- */

/* A pendulum of length l and mass m: m l^2 q'' = -m g l sin q + tau. */
static void a_pendulum_moves_as_the_closed_form_says(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def rod = fb_default_body_def();
  rod.name = "rod";
  rod.mass = 2;
  rod.com[2] = -0.5;
  rod.joint.type = FB_JOINT_REVOLUTE;
  rod.joint.axis[1] = 1;
  fb_model_def_add_body(def, &rod, NULL, NULL);
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[2] = -9.81;
  double q = 0.7, v = 1.3, tau = 0.4, vdot, hold;
  fb_forward_dynamics(m, d, &q, &v, &tau, &loads, &vdot);
  double want = (tau - 2 * 9.81 * 0.5 * sin(q)) / (2 * 0.25);
  assert_near("acceleration", &vdot, &want, 1, 1e-14);
  fb_gravity_compensation(m, d, &q, &loads, &hold);
  want = 2 * 9.81 * 0.5 * sin(q);
  assert_near("holding torque", &hold, &want, 1, 1e-14);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

static void bad_loads_read_as_nan(void** unused) {
  (void)unused;
  bench b = bench_new(21, 6, 0);
  b.loads.wrenches = b.wrenches;
  static const int BAD[] = {-1, 100000};
  for (int i = 0; i < 2; i++) {
    b.wrenches[0].frame = BAD[i];
    fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
    fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.y);
    assert_true(isnan(b.x[0]) && isnan(b.y[0]));
    fb_wrench_forces(b.m, b.d, b.wrenches, 2, b.push);
    assert_true(isnan(b.push[0]));
  }
  fb_loads blank;
  memset(&blank, 0, sizeof blank);
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &blank, b.x);
  assert_true(isnan(b.x[0]));
  bench_free(&b);
}

/* Every subset of a free joint's six coordinates may be prescribed. */
static void a_free_joint_may_be_prescribed_in_part(void** unused) {
  (void)unused;
  for (int mask = 0; mask < 64; mask++) {
    bench b = bench_new((uint64_t)mask, 4, 0);
    unsigned char* prescribed = (unsigned char*)calloc((size_t)b.nv + 1, 1);
    for (int body = 1; body < fb_model_nbody(b.m); body++)
      for (int k = 0; k < 6 && fb_joint_type_of(b.m, body) == FB_JOINT_FREE; k++)
        prescribed[fb_joint_v_index(b.m, body) + k] = mask >> k & 1;
    dense_parts(&b);
    memcpy(b.x, b.s.vdot, (size_t)b.nv * sizeof *b.x);
    fb_mixed_dynamics(b.m, b.d, b.s.q, b.s.v, prescribed, &b.loads, b.x, b.tau);
    for (int k = 0; k < b.nv; k++) assert_true(!prescribed[k] || b.x[k] == b.s.vdot[k]);
    assert_true(backward_error(&b, b.x, b.tau) <= 1e-13);
    free(prescribed);
    bench_free(&b);
  }
}

/* A robot 7000 km away moves as it does at home: moments are local. */
static void far_from_the_origin_nothing_is_lost(void** unused) {
  (void)unused;
  for (uint64_t i = 0; i < 50; i++) {
    bench b = bench_new(i + 300, 6, 0);
    double *near = numbers_new(b.nv), *J = numbers_new(6 * b.nv);
    int frame = fb_model_nframe(b.m) - 1;
    b.loads.wrenches = b.wrenches;
    fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, near);
    fb_frame_jacobian(b.m, b.d, frame, J);
    for (int body = 1; body < fb_model_nbody(b.m); body++)
      if (fb_joint_type_of(b.m, body) == FB_JOINT_FREE && fb_body_parent(b.m, body) == FB_WORLD)
        b.s.q[fb_joint_q_index(b.m, body)] += 7e6;
    fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
    fb_frame_jacobian(b.m, b.d, frame, b.s.J);
    assert_near("accelerations", b.x, near, b.nv, 1e-12);
    assert_near("Jacobian", b.s.J, J, 6 * b.nv, 1e-13);
    free(near);
    free(J);
    bench_free(&b);
  }
}

static void a_thousand_bodies_work(void** unused) {
  (void)unused;
  bench b = bench_new(77, 1000, 6);
  dense_parts(&b);
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
  assert_true(backward_error(&b, b.x, b.tau) <= 1e-13 * sqrt(1000));
  bench_free(&b);
}

/* Nothing is written where there is nothing, whatever loads there are, and everything that sums bodies is zero. */
static void a_model_without_bodies_has_no_dynamics_and_no_energy(void** unused) {
  (void)unused;
  static const double untouched = 0.25;
  fb_model_def* def = fb_model_def_new();
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  fb_loads loads = fb_default_loads();
  fb_wrench push = {.frame = FB_WORLD, .force = {1, 2, 3}, .torque = {4, 5, 6}};
  fb_error error;
  double q = untouched, v = untouched, tau = untouched, out = untouched, work[4] = {0}, com[3];
  double linear[3], angular[3];
  loads.environment.gravity_w[2] = -9.81;
  loads.wrenches = &push;
  loads.nwrench = 1;
  assert_int_equal(fb_model_nq(m) + fb_model_nv(m), 0);
  fb_forward_dynamics(m, d, &q, &v, &tau, &loads, &out);
  fb_inverse_dynamics(m, d, &q, &v, &v, &loads, &out);
  fb_mixed_dynamics(m, d, &q, &v, (const unsigned char*)"", &loads, &out, &tau);
  fb_bias(m, d, &q, &v, &loads, &out);
  fb_inertia_matrix(m, d, &q, &out);
  fb_wrench_forces(m, d, &push, 1, &out);
  m->kernels->momenta(&m->top, &m->par, d, &q, &v, &out, &out);
  fb_integrate(m, &q, &v, 1, &out);
  assert_int_equal(fb_forward_dynamics_dense(m, d, &q, &v, &tau, &loads, work, &out), FB_OK);
  assert_int_equal(fb_model_check_pivots(m, d, &error), FB_OK);
  assert_true(q == untouched && v == untouched && tau == untouched && out == untouched);
  fb_kinematics(m, d, &q, &v, &v);
  fb_centre_of_mass(m, d);
  assert_true(fb_subtree_com(m, d, FB_WORLD, com, NULL, NULL) == 0);
  fb_momentum(m, d, com, linear, angular);
  assert_near("momentum", linear, (const double[3]){0}, 3, 0);
  assert_near("angular momentum", angular, (const double[3]){0}, 3, 0);
  assert_true(fb_kinetic_energy(m, d, &v) == 0 && fb_potential_energy(m, d, &q, &loads) == 0);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* A point mass on its own axis, however the axis lies. */
static void a_joint_that_moves_nothing_is_named(void** unused) {
  (void)unused;
  fb_random r = random_seed(8);
  for (int i = 0; i < 100; i++) {
    fb_model_def* def = fb_model_def_new();
    fb_body_def point = fb_default_body_def();
    point.name = "bead";
    point.mass = 1;
    point.joint.name = "spindle";
    point.joint.type = FB_JOINT_REVOLUTE;
    random_fill(&r, -1, 1, 3, point.joint.axis);
    for (int k = 0; k < 3; k++) point.com[k] = 2 * point.joint.axis[k];
    fb_model_def_add_body(def, &point, NULL, NULL);
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    fb_error error;
    double q = 0.3, v = 0, tau = 1, vdot;
    fb_forward_dynamics(m, d, &q, &v, &tau, NULL, &vdot);
    assert_int_equal(fb_model_check_pivots(m, d, &error), FB_ERR_NO_SOLUTION);
    assert_non_null(strstr(error.text, "\"spindle\""));
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* A body that cannot resist turning about some axis, a rod or a point, on a free or a spherical joint. Attitudes near
 * the axes are tried in test_pivots.c. */
static void a_body_without_inertia_about_an_axis_is_named(void** unused) {
  (void)unused;
  fb_random r = random_seed(9);
  uint64_t seed = 0;
  for (int i = 0; i < 200; i++) {
    fb_model_def* def = fb_model_def_new();
    fb_body_def body = fb_default_body_def();
    body.name = i % 2 ? "rod" : "point";
    body.mass = 1;
    body.joint.type = i < 100 ? FB_JOINT_FREE : FB_JOINT_SPHERICAL;
    random_fill(&r, -1, 1, i % 2 ? 1 : 3, body.com); /* on the rod's own axis, which is x */
    body.inertia[1] = body.inertia[2] = i % 2;
    fb_model_def_add_body(def, &body, NULL, NULL);
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    fb_error error;
    double q[7], vdot[6];
    const double v[6] = {0}, tau[6] = {1, 1, 1, 1, 1, 1};
    fb_random_q(m, seed++, q);
    fb_forward_dynamics(m, d, q, v, tau, NULL, vdot);
    assert_int_equal(fb_model_check_pivots(m, d, &error), FB_ERR_NO_SOLUTION);
    assert_non_null(strstr(error.text, body.name));
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* What fb_model_check_pivots measures a pivot against: the trace of what can turn, of what can slide, or of both, with all
 * coordinates of the joint still in it. For a link at the end of a branch. */
static void a_pivot_is_measured_against_the_inertia_it_came_from(void** unused) {
  (void)unused;
  int seen[FB_LINK_FREE + 1] = {0};
  for (int i = 0; i < 60; i++) {
    bench b = bench_new((uint64_t)i + 400, 1 + i % 12, 0);
    fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, NULL, b.x);
    for (int link = 1; link < b.m->top.nlink; link++) {
      const double turn = *fb_link_parameter(&b.m->par, link, FB_PAR_I) +
                          *fb_link_parameter(&b.m->par, link, FB_PAR_I + 1) +
                          *fb_link_parameter(&b.m->par, link, FB_PAR_I + 2);
      const double slide = 3 * *fb_link_parameter(&b.m->par, link, FB_PAR_MASS);
      const int kind = b.m->top.link_kind[link], first = b.m->top.link_v[link];
      if (b.m->top.link_child[link] > 0) continue;
      const double want = kind == FB_LINK_PRISMATIC ? slide : kind == FB_LINK_HELICAL ? turn + slide : turn;
      if (kind == FB_LINK_FIXED || kind == FB_LINK_FREE) continue;
      for (int k = first; k < first + (kind == FB_LINK_SPHERICAL ? 3 : 1); k++)
        assert_near("scale", &b.d->D_scale[k], &want, 1, 1e-13);
      seen[kind]++;
    }
    bench_free(&b);
  }
  for (int kind = FB_LINK_REVOLUTE; kind <= FB_LINK_SPHERICAL; kind++) assert_true(seen[kind] > 0);
}

static void results_are_the_same_bits_from_call_to_call(void** unused) {
  (void)unused;
  bench b = bench_new(5, 60, 3), other = bench_new(6, 60, 3);
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, NULL, b.x);
  fb_forward_dynamics(other.m, other.d, other.s.q, other.s.v, other.tau, NULL, other.x);
  fb_inertia_matrix(b.m, b.d, b.s.q, b.H);
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, NULL, b.y);
  assert_memory_equal(b.x, b.y, (size_t)b.nv * sizeof *b.x);
  bench_free(&b);
  bench_free(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_dynamics_solves_the_equations_of_motion),
      cmocka_unit_test(mixed_dynamics_solves_the_equations_of_motion),
      cmocka_unit_test(mixed_dynamics_holds_both_pure_problems),
      cmocka_unit_test(inverse_dynamics_and_inertia_matrix_agree),
      cmocka_unit_test(the_inertia_matrix_is_symmetric_and_zero_between_branches),
      cmocka_unit_test(the_lower_triangle_alone_is_that_of_the_whole_matrix),
      cmocka_unit_test(merging_fixed_joints_changes_no_dynamics),
      cmocka_unit_test(a_pendulum_moves_as_the_closed_form_says),
      cmocka_unit_test(bad_loads_read_as_nan),
      cmocka_unit_test(a_free_joint_may_be_prescribed_in_part),
      cmocka_unit_test(far_from_the_origin_nothing_is_lost),
      cmocka_unit_test(a_thousand_bodies_work),
      cmocka_unit_test(a_model_without_bodies_has_no_dynamics_and_no_energy),
      cmocka_unit_test(a_joint_that_moves_nothing_is_named),
      cmocka_unit_test(a_body_without_inertia_about_an_axis_is_named),
      cmocka_unit_test(a_pivot_is_measured_against_the_inertia_it_came_from),
      cmocka_unit_test(results_are_the_same_bits_from_call_to_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
