/* test_momenta.c -- canonical momenta and the slope of the kinetic energy (momenta.inl).
 *
 * Second methods: H v by the inertia matrix; the complex step of v^T H v / 2 through the inertia matrix compiled for
 * complex numbers, exact to round-off; fb_momentum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"
#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"

static void momenta_are_the_inertia_matrix_times_velocity(void** unused) {
  (void)unused;
  record worst = {0};
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i, size_of(i), i % 7);
    fb_inertia_matrix(b.m, b.d, b.s.q, b.H);
    b.m->kernels->momenta(&b.m->top, &b.m->par, b.d, b.s.q, b.s.v, b.x, b.y);
    double error = 0, scale = row_norm(b.H, b.nv) * worst_of(b.s.v, b.nv);
    for (int k = 0; k < b.nv; k++) {
      double sum = 0;
      for (int j = 0; j < b.nv; j++) sum += b.H[k * b.nv + j] * b.s.v[j];
      error = worse_of(error, fabs(sum - b.x[k]));
    }
    note(&worst, scale > 0 ? error / scale : error, 0, size_of(i));
    bench_free(&b);
  }
  show("p - H v, of |H| |v|", &worst);
  assert_true(worst.error < 1e-14);
}

/* --- the slope --- */

static const fb_kernels* complex_kernels(void) {
  for (int i = 0; i < fb_kernels_count(); i++)
    if (fb_kernels_get(i)->width == 2) return fb_kernels_get(i);
  fail_msg("no complex instance");
  return NULL;
}

/* dT/dq_k by the imaginary part of T at q (+) i h e_k. */
static double slope_by_complex_step(const bench* b, fb_data* d, int k) {
  static const double h = 1e-30;
  const fb_kernels* kernels = complex_kernels();
  int nq = fb_model_nq(b->m), nv = b->nv;
  double *q = numbers_new(2 * nq), *e = numbers_new(2 * nv), *H = numbers_new(2 * nv * nv), T = 0;
  for (int i = 0; i < nq; i++) q[2 * i] = b->s.q[i];
  e[2 * k + 1] = h;
  kernels->integrate(&b->m->top, q, e, 1, q);
  kernels->crba(&b->m->top, &b->m->par, d, q, 0, H);
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) T += 0.5 * b->s.v[i] * H[2 * (i * nv + j) + 1] * b->s.v[j];
  free(q);
  free(e);
  free(H);
  return T / h;
}

static void the_slope_is_that_of_the_kinetic_energy_along_the_group(void** unused) {
  (void)unused;
  record worst = {0};
  int types[FB_JOINT_TYPE_COUNT] = {0};
  for (int i = 0; i < 60; i++) {
    bench b = bench_new((uint64_t)i + 500, 1 + i % 12, 0);
    size_t size = fb_data_size_width(b.m, 2);
    fb_data* d = NULL;
    assert_int_equal(fb_data_place_width(b.m, 2, aligned_alloc(64, size), size, &d), FB_OK);
    b.m->kernels->momenta(&b.m->top, &b.m->par, b.d, b.s.q, b.s.v, b.x, b.y);
    for (int k = 0; k < b.nv; k++) b.total[k] = slope_by_complex_step(&b, d, k);
    note(&worst, relative_error(worst_of(b.x, b.nv) * worst_of(b.s.v, b.nv), b.y, b.total, b.nv), 0,
         1 + i % 12);
    for (int body = 1; body < fb_model_nbody(b.m); body++)
      types[fb_joint_type_of(b.m, body)] += fb_body_parent(b.m, body) != FB_WORLD;
    free(d);
    bench_free(&b);
  }
  show("slope against the complex step", &worst);
  assert_true(worst.error < 1e-12);
  for (int type = 0; type < FB_JOINT_TYPE_COUNT; type++) assert_true(types[type] > 0);
}

/* --- a floating base --- */

static void momenta_of_a_floating_base_are_those_of_its_tree(void** unused) {
  (void)unused;
  static const double origin[3] = {0, 0, 0};
  int seen = 0;
  for (int i = 0; i < 40; i++) {
    fb_model* m = random_model((uint64_t)i + 40, 1 + i % 8);
    if (fb_model_ntree(m) != 1 || fb_joint_type_of(m, fb_model_traversal(m, 1)) != FB_JOINT_FREE) {
      fb_model_free(m);
      continue;
    }
    seen++;
    int base = fb_model_traversal(m, 1), at = fb_joint_v_index(m, base);
    fb_data* d = fb_data_new(m);
    state s = state_new(m, (uint64_t)i);
    double *p = numbers_new(fb_model_nv(m)), *slope = numbers_new(fb_model_nv(m)), R[9], x[3], P[3], L[3];
    m->kernels->momenta(&m->top, &m->par, d, s.q, s.v, p, slope);
    fb_frame_pose(m, d, fb_model_joint_frame(m, base), NULL, R);
    fb_frame_pose(m, d, base, x, NULL);
    fb_momentum(m, d, x, P, L); /* the kernel leaves poses and velocities as fb_kinematics does */
    fb_rot_apply_transpose(R, P, P);
    fb_rot_apply_transpose(R, L, L);
    assert_near("linear", p + at, P, 3, 1e-13);
    assert_near("angular", p + at + 3, L, 3, 1e-13);
    assert_near("no place is better than another", slope + at, origin, 3, 1e-14);
    free(p);
    free(slope);
    state_free(&s);
    fb_data_free(d);
    fb_model_free(m);
  }
  assert_true(seen > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momenta_are_the_inertia_matrix_times_velocity),
      cmocka_unit_test(the_slope_is_that_of_the_kinetic_energy_along_the_group),
      cmocka_unit_test(momenta_of_a_floating_base_are_those_of_its_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
