/* test_loads.c -- loads at sites and bodies: a field is the wrenches that it exerts at the centroids, and neither fields nor
 * wrenches cost another pass over the poses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"
#include "kernel/instances.h"
#include "model/model.h"

/* A field whose gradient has no symmetry, so that each of its numbers counts by itself. */
static void swirl(void* user, double t, const double p[3], double a[3]) {
  (void)user;
  a[0] = 0.3 * p[1] * p[1] - p[2] + t;
  a[1] = p[0] * p[2] - 0.2 * p[1];
  a[2] = 0.5 * p[0] + 0.1 * p[2] * p[2] - 0.7 * p[1];
}

static void swirl_gradient(void* user, double t, const double p[3], double G[9]) {
  (void)user, (void)t;
  const double rows[9] = {0, 0.6 * p[1], -1, p[2], -0.2, p[0], 0.5, -0.7, 0.2 * p[2]};
  memcpy(G, rows, sizeof rows);
}

/* R I R^T of an inertia xx yy zz xy xz yz. */
static void turn_inertia(const double R[9], const double I[6], double turned[6]) {
  const double A[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    turned[i] = 0;
    for (int k = 0; k < 9; k++) turned[i] += R[3 * ROW[i] + k / 3] * A[k] * R[3 * COLUMN[i] + k % 3];
  }
}

/* The same by the functions of the environment, body by body, as wrenches at the centroids after the two of the bench. */
static fb_wrench* wrenches_of_field(const bench* b) {
  int nbody = fb_model_nbody(b->m);
  fb_wrench* list = (fb_wrench*)calloc((size_t)nbody + 2, sizeof *list);
  memcpy(list, b->wrenches, sizeof b->wrenches);
  fb_kinematics(b->m, b->d, b->s.q, NULL, NULL);
  for (int body = 1; body < nbody; body++) {
    fb_wrench* w = &list[body + 1];
    double p[3], R[9], a[3], mass, com[3], inertia[6], inertia_w[6];
    *w = (fb_wrench){.frame = fb_model_com_frame(b->m, body)};
    fb_frame_pose(b->m, b->d, w->frame, p, R);
    fb_parameters_inertia(fb_data_parameters(b->d), body, &mass, com, inertia);
    fb_environment_acceleration(&b->loads.environment, b->loads.t, body, p, a);
    for (int i = 0; i < 3; i++) w->force[i] = mass * a[i];
    turn_inertia(R, inertia, inertia_w);
    fb_environment_torque(&b->loads.environment, b->loads.t, p, inertia_w, w->torque);
  }
  return list;
}

enum { PER_BODY = 1, FIELD = 2, GRADIENT = 4 };

static void surround(bench* b, int kinds, double* body_gravity, fb_random* r) {
  fb_environment* e = &b->loads.environment;
  int nbody = fb_model_nbody(b->m);
  random_fill(r, -4, 4, 3 * nbody, body_gravity);
  if (kinds & PER_BODY) e->body_gravity_w = body_gravity;
  if (kinds & FIELD) e->acceleration = swirl;
  if (kinds & GRADIENT) e->gradient = swirl_gradient;
  b->loads.t = 0.7;
  b->loads.wrenches = b->wrenches;
}

static void check_field(bench* b, int kinds, fb_random* r) {
  double *body_gravity = numbers_new(3 * fb_model_nbody(b->m)), *want = numbers_new(b->nv);
  const double *q = b->s.q, *v = b->s.v;
  surround(b, kinds, body_gravity, r);
  fb_loads same = fb_default_loads();
  fb_wrench* list = wrenches_of_field(b);
  same.wrenches = list;
  same.nwrench = fb_model_nbody(b->m) + 1;
  fb_inverse_dynamics(b->m, b->d, q, v, b->s.vdot, &b->loads, b->x);
  fb_inverse_dynamics(b->m, b->d, q, v, b->s.vdot, &same, want);
  assert_near_of(10, "inverse dynamics", b->x, want, b->nv, 1e-12);
  fb_forward_dynamics(b->m, b->d, q, v, b->x, &b->loads, b->y);
  assert_near_of(10, "forward dynamics undoes it", b->y, b->s.vdot, b->nv, 1e-9);
  fb_forward_dynamics(b->m, b->d, q, v, b->x, &same, want);
  assert_near_of(10, "forward dynamics", b->y, want, b->nv, 1e-9);
  free(body_gravity);
  free(want);
  free(list);
}

static void a_field_is_its_wrenches_at_the_centroids(void** unused) {
  (void)unused;
  static const int KINDS[] = {PER_BODY, FIELD, FIELD | GRADIENT, PER_BODY | FIELD | GRADIENT};
  fb_random r = random_seed(40);
  for (int i = 0; i < 200; i++) {
    bench b = bench_new(700 + (uint64_t)i, 1 + i % 12, 0);
    check_field(&b, KINDS[i % 4], &r);
    bench_free(&b);
  }
}

/* --- passes --- */

static fb_kernels counting;
static const fb_kernels* model_kernels;
static int sweeps, poses;

static void count_outward(const fb_topology* top, const fb_parameters* par, fb_data* d,
                          const double* gravity_w, const double* q, const double* v, const double* vdot) {
  sweeps++;
  model_kernels->outward(top, par, d, gravity_w, q, v, vdot);
}

static void count_kinematics(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                             const double* v, const double* vdot) {
  poses++;
  model_kernels->kinematics(top, par, d, q, v, vdot);
}

static void loads_take_no_pass_of_their_own(void** unused) {
  (void)unused;
  bench b = bench_new(31, 8, 0);
  fb_random r = random_seed(41);
  double* body_gravity = numbers_new(3 * fb_model_nbody(b.m));
  unsigned char* prescribed = (unsigned char*)calloc((size_t)b.nv + 1, 1);
  prescribed[b.nv - 1] = 1;
  surround(&b, PER_BODY | FIELD | GRADIENT, body_gravity, &r);
  model_kernels = b.m->kernels;
  counting = *model_kernels;
  counting.outward = count_outward;
  counting.kinematics = count_kinematics;
  b.m->kernels = &counting;
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
  fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.x);
  fb_bias(b.m, b.d, b.s.q, b.s.v, &b.loads, b.x);
  fb_mixed_dynamics(b.m, b.d, b.s.q, b.s.v, prescribed, &b.loads, b.x, b.tau);
  assert_int_equal(sweeps, 4);
  assert_int_equal(poses, 0);
  free(body_gravity);
  free(prescribed);
  bench_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_field_is_its_wrenches_at_the_centroids),
      cmocka_unit_test(loads_take_no_pass_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
