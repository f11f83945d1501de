/* test_response.c -- rows and responses along them, against the inertia matrix and the Jacobians of random forests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "dynamics_rig.h"

enum { ROWS = 5 };

static fb_row random_row(fb_random* r, const fb_model* m) {
  fb_row row = {.coordinate = -1};
  if (random_index(r, 3) == 0 && fb_model_nv(m) > 0)
    return fb_row_from_coordinate(random_index(r, fb_model_nv(m)));
  for (int end = 0; end < 2; end++) {
    row.body[end] = random_index(r, fb_model_nbody(m));
    random_fill(r, -1, 1, 3, row.arm_w[end]);
  }
  random_fill(r, -1, 1, 3, row.linear);
  random_fill(r, -1, 1, 3, row.angular);
  return row;
}

/* J of a row from the Jacobians of its bodies' frames: linear . (Jv + (Jw) x arm) + angular . Jw, at each end. */
static void dense_row(const bench* b, const fb_row* row, double* J) {
  double* frame = numbers_new(6 * b->nv);
  memset(J, 0, (size_t)b->nv * sizeof *J);
  for (int end = 0; end < 2 && row->coordinate < 0; end++) {
    const double *l = row->linear, *a = row->arm_w[end];
    const double turn[3] = {row->angular[0] + a[1] * l[2] - a[2] * l[1],
                            row->angular[1] + a[2] * l[0] - a[0] * l[2],
                            row->angular[2] + a[0] * l[1] - a[1] * l[0]};
    fb_frame_jacobian(b->m, b->d, row->body[end], frame);
    for (int k = 0; k < b->nv; k++)
      for (int i = 0; i < 3; i++)
        J[k] += (end ? 1 : -1) * (l[i] * frame[i * b->nv + k] + turn[i] * frame[(i + 3) * b->nv + k]);
  }
  if (row->coordinate >= 0) J[row->coordinate] = 1;
  free(frame);
}

typedef struct rows {
  fb_row row[ROWS];
  double* J; /* [ROWS][nv] */
  unsigned char* prescribed;
} rows;

static rows rows_new(const bench* b, uint64_t seed, int some_prescribed) {
  fb_random r = random_seed(seed + 77);
  rows x = {.J = numbers_new(ROWS * b->nv), .prescribed = (unsigned char*)calloc((size_t)b->nv + 1, 1)};
  for (int k = 0; some_prescribed && k < b->nv; k++) x.prescribed[k] = random_index(&r, 3) == 0;
  fb_kinematics(b->m, b->d, b->s.q, b->s.v, NULL);
  for (int i = 0; i < ROWS; i++) {
    x.row[i] = random_row(&r, b->m);
    /* As those of a contact: several between the same points. */
    if (i % 3 == 2 && x.row[i].coordinate < 0 && x.row[i - 1].coordinate < 0) {
      memcpy(x.row[i].body, x.row[i - 1].body, sizeof x.row[i].body);
      memcpy(x.row[i].arm_w, x.row[i - 1].arm_w, sizeof x.row[i].arm_w);
    }
    dense_row(b, &x.row[i], x.J + i * b->nv);
  }
  return x;
}

static void rows_free(rows* x) {
  free(x->J);
  free(x->prescribed);
}

static void the_rate_of_a_row_is_its_jacobian_times_velocity(void** unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i, size_of(i), 0);
    rows x = rows_new(&b, (uint64_t)i, 0);
    for (int j = 0; j < ROWS; j++) {
      double want = 0, got = fb_row_rate(b.m, b.d, &x.row[j], b.s.v);
      for (int k = 0; k < b.nv; k++) want += x.J[j * b.nv + k] * b.s.v[k];
      assert_near_of(10, "rate", &got, &want, 1, 1e-12);
    }
    rows_free(&x);
    bench_free(&b);
  }
}

/* |H x - J^T| over |H| |x| + |J| on the coordinates that respond. */
static double backward(const bench* b, const rows* r, const double* J, const double* x) {
  double error = 0;
  for (int k = 0; k < b->nv; k++) {
    double sum = -J[k];
    if (r->prescribed[k]) continue;
    for (int j = 0; j < b->nv; j++) sum += b->H[k * b->nv + j] * x[j];
    error = worse_of(error, fabs(sum));
  }
  double scale = row_norm(b->H, b->nv) * worst_of(x, b->nv) + worst_of(J, b->nv);
  return scale > 0 ? error / scale : error;
}

static void a_response_solves_the_inertia_matrix_where_coordinates_respond(void** unused) {
  (void)unused;
  record worst = {0};
  for (int i = 0; i < 400; i++) {
    bench b = bench_new((uint64_t)i, size_of(i), i % 4);
    rows r = rows_new(&b, (uint64_t)i, i % 2);
    fb_inertia_matrix(b.m, b.d, b.s.q, b.H);
    fb_response_begin(b.m, b.d, b.s.q, i % 2 ? r.prescribed : NULL);
    for (int j = 0; j < ROWS; j++) {
      fb_response_row(b.m, b.d, i % 2 ? r.prescribed : NULL, &r.row[j], b.x);
      for (int k = 0; k < b.nv; k++)
        if (r.prescribed[k]) assert_true(b.x[k] == 0);
      note(&worst, backward(&b, &r, r.J + j * b.nv, b.x), 0, size_of(i));
    }
    rows_free(&r);
    bench_free(&b);
  }
  show("H x - J^T", &worst);
  assert_true(worst.error < 1e-11);
}

static void the_matrix_of_responses_is_symmetric_and_made_of_them(void** unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i, size_of(i), 0);
    rows r = rows_new(&b, (uint64_t)i, i % 2);
    double A[ROWS * ROWS], want[ROWS * ROWS], turned[ROWS * ROWS];
    fb_response_begin(b.m, b.d, b.s.q, r.prescribed);
    fb_response_matrix(b.m, b.d, r.prescribed, r.row, ROWS, A);
    for (int j = 0; j < ROWS; j++) {
      fb_response_row(b.m, b.d, r.prescribed, &r.row[j], b.x);
      for (int c = 0; c < ROWS; c++) {
        want[c * ROWS + j] = 0;
        for (int k = 0; k < b.nv; k++) want[c * ROWS + j] += r.J[c * b.nv + k] * b.x[k];
        turned[c * ROWS + j] = A[j * ROWS + c];
      }
    }
    assert_near_of(1e-3, "J x", A, want, ROWS * ROWS, 1e-9);
    assert_near_of(1e-3, "symmetric", A, turned, ROWS * ROWS, 1e-9);
    rows_free(&r);
    bench_free(&b);
  }
}

/* Two bodies of 1 kg and 3 kg, free in space, pushed apart along the line between their centres: 1/m1 + 1/m2. */
static void two_free_bodies_respond_with_the_sum_of_their_inverse_masses(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "b" : "a";
    body.mass = i ? 3 : 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    body.joint.type = FB_JOINT_FREE;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_data* d = fb_data_new(m);
  fb_row row = {.coordinate = -1, .body = {1, 2}, .linear = {1, 0, 0}};
  const double want = 1 + 1 / 3.0;
  double q[14], A, none;
  fb_neutral(m, q);
  q[7] = 2;
  fb_response_begin(m, d, q, NULL);
  fb_response_matrix(m, d, NULL, &row, 1, &A);
  assert_near("response", &A, &want, 1, 1e-15);
  row.body[1] = 3;
  fb_response_matrix(m, d, NULL, &row, 1, &none);
  assert_true(isnan(none) && isnan(fb_row_rate(m, d, &row, q)));
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* --- far out --- */

enum { ARM = 3, MOST_NV = 12 };
static const double PLANET = 6.4e6; /* [m] */

/* An arm whose first joint is of the given type: on the world, or on a planet that turns, at its surface. */
static fb_model* arm_on(int planet, fb_joint_type first) {
  static const char* const names[ARM] = {"shoulder", "elbow", "wrist"};
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "planet";
  body.mass = 1000;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1000;
  body.joint.type = FB_JOINT_SPHERICAL;
  if (planet) fb_model_def_add_body(def, &body, NULL, NULL);
  for (int i = 0; i < ARM; i++) {
    body = fb_default_body_def();
    body.name = names[i];
    body.parent = i > 0 ? names[i - 1] : planet ? "planet" : NULL;
    body.mass = 2;
    for (int k = 0; k < 3; k++) {
      body.com[k] = 0.1 * (k + 1);
      body.inertia[k] = 0.3 + 0.1 * k;
      body.joint.at[k] = i > 0 ? 0.4 : planet ? PLANET / (k + 1) : 0;
    }
    body.joint.type = i > 0 ? FB_JOINT_REVOLUTE : first;
    body.joint.axis[i] = body.joint.axis2[i + 1 - 3 * (i == 2)] = 1;
    body.joint.pitch = 0.2;
    fb_model_def_add_body(def, &body, NULL, NULL);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* v' under some forces, and the responses of some rows; the planet is held. */
static void answers_of_arm(int planet, fb_joint_type first, double* vdot, double A[9]) {
  fb_model* m = arm_on(planet, first);
  fb_data* d = fb_data_new(m);
  double q[MOST_NV + 4], v[MOST_NV] = {0}, tau[MOST_NV] = {0}, all[MOST_NV] = {0};
  unsigned char held[MOST_NV] = {0};
  const int nv = fb_model_nv(m), skip = planet ? 3 : 0;
  fb_row row[3] = {fb_row_from_coordinate(nv - 1), fb_row_from_coordinate(skip), {.coordinate = -1}};
  fb_neutral(m, q);
  for (int k = 0; k < skip; k++) held[k] = 1;
  for (int k = skip; k < nv; k++) {
    tau[k] = 1 - 0.3 * (k - skip);
    v[k] = 0.5 - 0.2 * (k - skip);
    if (fb_coordinate_q_index(m, k) >= 0) q[fb_coordinate_q_index(m, k)] = 0.3 + 0.1 * (k - skip);
  }
  fb_mixed_dynamics(m, d, q, v, held, NULL, all, tau);
  memcpy(vdot, all + skip, (size_t)(nv - skip) * sizeof *vdot);
  row[2].body[0] = fb_model_find_body(m, "shoulder");
  row[2].body[1] = fb_model_find_body(m, "wrist");
  row[2].linear[0] = row[2].angular[1] = row[2].arm_w[1][2] = 1;
  fb_response_begin(m, d, q, held);
  fb_response_matrix(m, d, held, row, 3, A);
  fb_data_free(d);
  fb_model_free(m);
}

static void an_arm_far_out_on_a_planet_responds_as_at_home(void** unused) {
  (void)unused;
  for (int type = FB_JOINT_REVOLUTE; type < FB_JOINT_TYPE_COUNT; type++) {
    double here[MOST_NV], there[MOST_NV], A[9], B[9];
    answers_of_arm(0, (fb_joint_type)type, here, A);
    answers_of_arm(1, (fb_joint_type)type, there, B);
    assert_near("v'", there, here, ARM - 1 + fb_joint_type_nv((fb_joint_type)type), 1e-13);
    assert_near("response", B, A, 9, 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rate_of_a_row_is_its_jacobian_times_velocity),
      cmocka_unit_test(a_response_solves_the_inertia_matrix_where_coordinates_respond),
      cmocka_unit_test(the_matrix_of_responses_is_symmetric_and_made_of_them),
      cmocka_unit_test(two_free_bodies_respond_with_the_sum_of_their_inverse_masses),
      cmocka_unit_test(an_arm_far_out_on_a_planet_responds_as_at_home),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
