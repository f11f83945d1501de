/* test_spatial.c -- spatial vectors, transforms and inertias: the identities of [Carius 2018], each by itself.
 *
 * Numbers in brackets are equations of [Carius 2018] (docs/theory/spatial.md). */
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
#include "random.h"

enum { ROUNDS = 300 };

static const double ULPS = 64 * DBL_EPSILON; /* sums of some thirty products of numbers up to 3 */
static const double SLOPE = 1e-10;           /* five-point differences with h = 1e-3 */

static void random_pose(fb_random* random, fb_pose* pose) {
  double q[4];
  random_quat(random, q);
  fb_rot_from_quat(q, pose->R);
  random_fill(random, -1, 1, 3, pose->p);
}

/* A body of eight particles: physical by construction. */
typedef struct cloud {
  double mass[8], at[8][3];
} cloud;

static cloud random_cloud(fb_random* random) {
  cloud c;
  random_fill(random, 0.1, 1, 8, c.mass);
  for (int k = 0; k < 8; k++) random_fill(random, -1, 1, 3, c.at[k]);
  return c;
}

/* From the definition, sum m (r.r - r rt), with each particle moved by the pose first. */
static void cloud_inertia(const cloud* c, const fb_pose* pose, fb_spatial_inertia* out) {
  memset(out, 0, sizeof *out);
  for (int k = 0; k < 8; k++) {
    double r[3];
    const double m = c->mass[k];
    fb_rot_apply(pose->R, c->at[k], r);
    for (int i = 0; i < 3; i++) r[i] += pose->p[i];
    for (int i = 0; i < 3; i++) out->h[i] += m * r[i];
    out->mass += m;
    out->moments[0] += m * (r[1] * r[1] + r[2] * r[2]);
    out->moments[1] += m * (r[0] * r[0] + r[2] * r[2]);
    out->moments[2] += m * (r[0] * r[0] + r[1] * r[1]);
    out->moments[3] -= m * r[0] * r[1];
    out->moments[4] -= m * r[0] * r[2];
    out->moments[5] -= m * r[1] * r[2];
  }
}

static void random_inertia(fb_random* random, fb_spatial_inertia* out) {
  const cloud c = random_cloud(random);
  const fb_pose here = fb_pose_identity();
  cloud_inertia(&c, &here, out);
}

static void assert_same_inertia(const char* what, const fb_spatial_inertia* got,
                                const fb_spatial_inertia* want, double tol) {
  assert_near(what, &got->mass, &want->mass, 1, tol);
  assert_near(what, got->h, want->h, 3, tol);
  assert_near(what, got->moments, want->moments, 6, tol);
}

/* C = A B, or At B; 6x6. */
static void multiply6(const double A[36], int transposed, const double B[36], double C[36]) {
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      double s = 0;
      for (int k = 0; k < 6; k++) s += (transposed ? A[6 * k + i] : A[6 * i + k]) * B[6 * k + j];
      C[6 * i + j] = s;
    }
  }
}

static void apply6(const double A[36], const double x[6], double y[6]) {
  for (int i = 0; i < 6; i++) {
    y[i] = 0;
    for (int k = 0; k < 6; k++) y[i] += A[6 * i + k] * x[k];
  }
}

static void identity6(double E[36]) {
  memset(E, 0, 36 * sizeof *E);
  for (int i = 0; i < 6; i++) E[7 * i] = 1;
}

/* The matrix of V x, (9). */
static void cross_matrix(const double V[6], double M[36]) {
  for (int j = 0; j < 6; j++) {
    double unit[6] = {0}, column[6];
    unit[j] = 1;
    fb_spatial_motion_cross(V, unit, column);
    for (int i = 0; i < 6; i++) M[6 * i + j] = column[i];
  }
}

static void test_poses_form_a_group(void** state) {
  (void)state;
  fb_random random = random_seed(21);
  const fb_pose one = fb_pose_identity();
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose ab, bc, cd, left, right, back;
    random_pose(&random, &ab);
    random_pose(&random, &bc);
    random_pose(&random, &cd);
    fb_pose_multiply(&ab, &bc, &left);
    fb_pose_multiply(&left, &cd, &left);
    right = cd;
    fb_pose_multiply(&bc, &right, &right);
    fb_pose_multiply(&ab, &right, &right);
    assert_near("associative", left.R, right.R, 9, ULPS);
    assert_near("associative", left.p, right.p, 3, ULPS);
    back = ab;
    fb_pose_inverse(&back, &back);
    fb_pose_multiply(&ab, &back, &back);
    assert_near("inverse", back.R, one.R, 9, ULPS);
    assert_near_of(worst_of(ab.p, 3), "inverse", back.p, one.p, 3, ULPS);
  }
}

static void test_transform_matrices_are_those_of_the_paper(void** state) {
  (void)state;
  fb_random random = random_seed(22);
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose ab;
    double X[36], Xs[36], want[36] = {0}, E[36], product[36];
    random_pose(&random, &ab);
    fb_spatial_motion_matrix(&ab, X);
    fb_spatial_force_matrix(&ab, Xs);
    /* (11): R_ba on the diagonal, -R_ba p~ below. */
    const double* p = ab.p;
    double Rba[9], low[9];
    const double minus_p[9] = {0, p[2], -p[1], -p[2], 0, p[0], p[1], -p[0], 0};
    fb_rot_transpose(ab.R, Rba);
    fb_rot_multiply(Rba, minus_p, low);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        want[6 * i + j] = want[6 * i + j + 21] = Rba[3 * i + j];
        want[6 * i + j + 18] = low[3 * i + j];
      }
    }
    assert_near("(11)", X, want, 36, ULPS);
    /* (14): X* = X^-T, that is Xt X* = 1. */
    multiply6(X, 1, Xs, product);
    identity6(E);
    assert_near("(14)", product, E, 36, ULPS);
  }
}

typedef void change(const fb_pose* ab, const double in[6], double out[6]);

static void check_in_place(change* map, const fb_pose* ab, const double in[6]) {
  double apart[6], same[6];
  map(ab, in, apart);
  memcpy(same, in, sizeof same);
  map(ab, same, same);
  assert_near("in place", same, apart, 6, 0);
}

static void test_changes_of_frame_invert_compose_and_keep_power(void** state) {
  (void)state;
  fb_random random = random_seed(23);
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose ab, bc, ac;
    double M[6], F[6], Mb[6], Fb[6], Mc[6], Fc[6], back[6], want[6], X[36];
    random_pose(&random, &ab);
    random_pose(&random, &bc);
    fb_pose_multiply(&ab, &bc, &ac);
    random_fill(&random, -1, 1, 6, M);
    random_fill(&random, -1, 1, 6, F);
    fb_spatial_motion_to_child(&ab, M, Mb);
    fb_spatial_force_to_child(&ab, F, Fb);
    fb_spatial_motion_matrix(&ab, X);
    apply6(X, M, want);
    assert_near("(12)", Mb, want, 6, ULPS);
    fb_spatial_motion_to_parent(&ab, Mb, back);
    assert_near("(13) motion", back, M, 6, ULPS);
    fb_spatial_force_to_parent(&ab, Fb, back);
    assert_near("(13) force", back, F, 6, ULPS);
    const double power_a = fb_spatial_dot(M, F), power_b = fb_spatial_dot(Mb, Fb);
    assert_near_of(1, "power", &power_b, &power_a, 1, ULPS); /* of its products */
    fb_spatial_motion_to_child(&bc, Mb, Mc);
    fb_spatial_motion_to_child(&ac, M, want);
    assert_near("motion by way of b", Mc, want, 6, ULPS);
    fb_spatial_force_to_child(&bc, Fb, Fc);
    fb_spatial_force_to_child(&ac, F, want);
    assert_near("force by way of b", Fc, want, 6, ULPS);
    check_in_place(fb_spatial_motion_to_child, &ab, M);
    check_in_place(fb_spatial_motion_to_parent, &ab, M);
    check_in_place(fb_spatial_force_to_child, &ab, F);
    check_in_place(fb_spatial_force_to_parent, &ab, F);
  }
}

static void test_cross_products_are_dual_and_keep_their_meaning_in_any_frame(void** state) {
  (void)state;
  fb_random random = random_seed(24);
  const double zero[6] = {0};
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose ab;
    double V[6], M[6], F[6], VM[6], VF[6], Vb[6], Mb[6], Fb[6], got[6], want[6];
    random_pose(&random, &ab);
    random_fill(&random, -1, 1, 6, V);
    random_fill(&random, -1, 1, 6, M);
    random_fill(&random, -1, 1, 6, F);
    fb_spatial_motion_cross(V, M, VM);
    fb_spatial_force_cross(V, F, VF);
    const double a = fb_spatial_dot(VM, F), b = -fb_spatial_dot(M, VF);
    assert_near_of(1, "(V x M).F = -M.(V x* F)", &a, &b, 1, ULPS); /* of its products */
    fb_spatial_motion_cross(V, V, got);
    assert_near("V x V = 0", got, zero, 6, 0);
    fb_spatial_motion_to_child(&ab, V, Vb);
    fb_spatial_motion_to_child(&ab, M, Mb);
    fb_spatial_force_to_child(&ab, F, Fb);
    fb_spatial_motion_to_child(&ab, VM, want);
    fb_spatial_motion_cross(Vb, Mb, got);
    assert_near("X(V x M) = XV x XM", got, want, 6, ULPS);
    fb_spatial_force_to_child(&ab, VF, want);
    fb_spatial_force_cross(Vb, Fb, got);
    assert_near("X*(V x* F) = XV x* X*F", got, want, 6, ULPS);
    fb_spatial_motion_cross(V, M, M);
    assert_near("in place", M, VM, 6, 0);
    fb_spatial_force_cross(V, F, F);
    assert_near("in place", F, VF, 6, 0);
  }
}

/* A frame that passes through `start` at t = 0 with spatial velocity V in its own axes. */
static void moved(const fb_pose* start, const double V[6], double t, fb_pose* out) {
  const double turn[3] = {V[0] * t, V[1] * t, V[2] * t}, shift[3] = {V[3] * t, V[4] * t, V[5] * t};
  fb_pose step;
  fb_rot_from_rotvec(turn, step.R);
  memcpy(step.p, shift, sizeof shift);
  fb_pose_multiply(start, &step, out);
}

/* Weights of the five-point first difference, at t = -2h, -h, h, 2h. */
static const double STEP = 1e-3, AT[4] = {-2, -1, 1, 2},
                    WEIGHT[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

static void test_derivative_of_a_transform_is_a_cross_product(void** state) {
  (void)state;
  fb_random random = random_seed(25);
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose wa, wb, ab, a, b;
    double Va[6], Vb[6], relative[6], X[36], V[36], want[36], got[36] = {0};
    random_pose(&random, &wa);
    random_pose(&random, &wb);
    random_fill(&random, -1, 1, 6, Va);
    random_fill(&random, -1, 1, 6, Vb);
    for (int j = 0; j < 4; j++) {
      moved(&wa, Va, AT[j] * STEP, &a);
      moved(&wb, Vb, AT[j] * STEP, &b);
      fb_pose_inverse(&a, &a);
      fb_pose_multiply(&a, &b, &ab);
      fb_spatial_motion_matrix(&ab, X);
      for (int i = 0; i < 36; i++) got[i] += WEIGHT[j] / STEP * X[i];
    }
    /* (16): d/dt bX_a = b(V_a - V_b) x bX_a */
    fb_pose_inverse(&wa, &a);
    fb_pose_multiply(&a, &wb, &ab);
    fb_spatial_motion_matrix(&ab, X);
    fb_spatial_motion_to_child(&ab, Va, relative);
    for (int i = 0; i < 6; i++) relative[i] -= Vb[i];
    cross_matrix(relative, V);
    multiply6(V, 0, X, want);
    assert_near("(16)", got, want, 36, SLOPE);
  }
}

static void test_vectors_fixed_in_a_moving_frame_change_by_the_cross_product(void** state) {
  (void)state;
  fb_random random = random_seed(26);
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose wb, b;
    double V[6], M[6], F[6], x[6], dM[6] = {0}, dF[6] = {0}, want[6];
    random_pose(&random, &wb);
    random_fill(&random, -1, 1, 6, V);
    random_fill(&random, -1, 1, 6, M);
    random_fill(&random, -1, 1, 6, F);
    for (int j = 0; j < 4; j++) {
      moved(&wb, V, AT[j] * STEP, &b);
      fb_spatial_motion_to_parent(&b, M, x);
      for (int i = 0; i < 6; i++) dM[i] += WEIGHT[j] / STEP * x[i];
      fb_spatial_force_to_parent(&b, F, x);
      for (int i = 0; i < 6; i++) dF[i] += WEIGHT[j] / STEP * x[i];
    }
    /* (5) with no componentwise change; the derivative is taken in the resting frame w. */
    fb_spatial_motion_cross(V, M, want);
    fb_spatial_motion_to_parent(&wb, want, want);
    assert_near("(5) motion", dM, want, 6, SLOPE);
    fb_spatial_force_cross(V, F, want);
    fb_spatial_force_to_parent(&wb, want, want);
    assert_near("(5) force", dF, want, 6, SLOPE);
  }
}

static void test_inertia_moves_between_frames_as_its_particles_do(void** state) {
  (void)state;
  fb_random random = random_seed(27);
  for (int k = 0; k < ROUNDS; k++) {
    const cloud c = random_cloud(&random);
    const fb_pose here = fb_pose_identity();
    fb_pose ab;
    fb_spatial_inertia Ib, Ia, got;
    double X[36], M[36], MX[36], want[36], Ma[36];
    random_pose(&random, &ab);
    cloud_inertia(&c, &here, &Ib);
    cloud_inertia(&c, &ab, &Ia);
    fb_spatial_inertia_to_parent(&ab, &Ib, &got);
    assert_same_inertia("particles moved", &got, &Ia, ULPS);
    fb_spatial_motion_matrix(&ab, X);
    fb_spatial_inertia_matrix(&Ib, M);
    multiply6(M, 0, X, MX);
    multiply6(X, 1, MX, want);
    fb_spatial_inertia_matrix(&got, Ma);
    assert_near("(20)", Ma, want, 36, ULPS);
    fb_spatial_inertia_to_child(&ab, &got, &got);
    assert_same_inertia("back", &got, &Ib, ULPS);
  }
}

static void test_inertia_of_joined_bodies_is_the_sum(void** state) {
  (void)state;
  fb_random random = random_seed(28);
  for (int k = 0; k < ROUNDS; k++) {
    fb_spatial_inertia a, b, sum;
    double A[36], B[36], S[36], com[3], central[6], mass;
    random_inertia(&random, &a);
    random_inertia(&random, &b);
    fb_spatial_inertia_add(&a, &b, &sum);
    fb_spatial_inertia_matrix(&a, A);
    fb_spatial_inertia_matrix(&b, B);
    fb_spatial_inertia_matrix(&sum, S);
    for (int i = 0; i < 36; i++) A[i] += B[i];
    assert_near("(19)", S, A, 36, ULPS);
    fb_spatial_inertia_to_com(&sum, &mass, com, central);
    for (int i = 0; i < 3; i++) com[i] *= a.mass + b.mass;
    const double first[3] = {a.h[0] + b.h[0], a.h[1] + b.h[1], a.h[2] + b.h[2]};
    assert_near("joint centre of mass", com, first, 3, ULPS);
    fb_spatial_inertia_add(&a, &b, &a);
    assert_same_inertia("in place", &a, &sum, 0);
  }
}

static void test_inertia_about_the_centre_of_mass_returns(void** state) {
  (void)state;
  fb_random random = random_seed(29);
  for (int k = 0; k < ROUNDS; k++) {
    fb_spatial_inertia I, back, central;
    double mass, com[3], I_com[6], M[36];
    fb_pose shift = fb_pose_identity();
    random_inertia(&random, &I);
    fb_spatial_inertia_to_com(&I, &mass, com, I_com);
    fb_spatial_inertia_from_com(mass, com, I_com, &back);
    assert_same_inertia("(18) there and back", &back, &I, ULPS);
    /* Moving the origin into the centre of mass leaves I_com and no first moment. */
    for (int i = 0; i < 3; i++) shift.p[i] = com[i];
    fb_spatial_inertia_to_child(&shift, &I, &central);
    assert_near("central", central.moments, I_com, 6, ULPS);
    assert_near_of(worst_of(I.h, 3), "no first moment", central.h, (const double[]){0, 0, 0}, 3, ULPS);
    fb_spatial_inertia_matrix(&I, M);
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) assert_true(M[6 * i + j] == M[6 * j + i]);
    }
  }
}

static void test_massless_inertia_has_its_centre_at_the_origin(void** state) {
  (void)state;
  const fb_spatial_inertia none = {0, {0, 0, 0}, {1, 2, 3, 0, 0, 0}};
  double mass = 1, com[3] = {1, 1, 1}, I_com[6];
  fb_spatial_inertia_to_com(&none, &mass, com, I_com);
  assert_true(mass == 0);
  assert_near("com", com, (const double[]){0, 0, 0}, 3, 0);
  assert_near("I_com", I_com, none.moments, 6, 0);
}

static void test_momentum_is_inertia_times_velocity_and_energy_keeps_its_value(void** state) {
  (void)state;
  fb_random random = random_seed(30);
  for (int k = 0; k < ROUNDS; k++) {
    fb_pose ab;
    fb_spatial_inertia Ib, Ia;
    double V[6], Va[6], h[6], ha[6], M[36], want[6];
    random_pose(&random, &ab);
    random_inertia(&random, &Ib);
    random_fill(&random, -1, 1, 6, V);
    fb_spatial_inertia_apply(&Ib, V, h);
    fb_spatial_inertia_matrix(&Ib, M);
    apply6(M, V, want);
    assert_near("(17)", h, want, 6, ULPS);
    fb_spatial_inertia_to_parent(&ab, &Ib, &Ia);
    fb_spatial_motion_to_parent(&ab, V, Va);
    fb_spatial_inertia_apply(&Ia, Va, ha);
    fb_spatial_force_to_parent(&ab, h, want);
    assert_near("momentum is a force vector", ha, want, 6, ULPS);
    const double energy_b = fb_spatial_dot(V, h) / 2, energy_a = fb_spatial_dot(Va, ha) / 2;
    assert_near("energy", &energy_a, &energy_b, 1, ULPS);
    assert_true(energy_b > 0);
    fb_spatial_inertia_apply(&Ib, V, V);
    assert_near("in place", V, h, 6, 0);
  }
}

static void test_derivative_of_an_inertia_is_the_paper_s(void** state) {
  (void)state;
  fb_random random = random_seed(31);
  for (int k = 0; k < 100; k++) {
    fb_pose wb, b;
    fb_spatial_inertia Ib, Iw;
    double V[6], Vw[6], M[36], cross[36], got[36] = {0}, want[36], right[36];
    random_pose(&random, &wb);
    random_inertia(&random, &Ib);
    random_fill(&random, -1, 1, 6, V);
    for (int j = 0; j < 4; j++) {
      moved(&wb, V, AT[j] * STEP, &b);
      fb_spatial_inertia_to_parent(&b, &Ib, &Iw);
      fb_spatial_inertia_matrix(&Iw, M);
      for (int i = 0; i < 36; i++) got[i] += WEIGHT[j] / STEP * M[i];
    }
    /* (21) in w: V x* I - I V x, and V x* = -(V x)t */
    fb_spatial_inertia_to_parent(&wb, &Ib, &Iw);
    fb_spatial_inertia_matrix(&Iw, M);
    fb_spatial_motion_to_parent(&wb, V, Vw);
    cross_matrix(Vw, cross);
    multiply6(cross, 1, M, want);
    multiply6(M, 0, cross, right);
    for (int i = 0; i < 36; i++) want[i] = -want[i] - right[i];
    assert_near("(21)", got, want, 36, SLOPE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_poses_form_a_group),
      cmocka_unit_test(test_transform_matrices_are_those_of_the_paper),
      cmocka_unit_test(test_changes_of_frame_invert_compose_and_keep_power),
      cmocka_unit_test(test_cross_products_are_dual_and_keep_their_meaning_in_any_frame),
      cmocka_unit_test(test_derivative_of_a_transform_is_a_cross_product),
      cmocka_unit_test(test_vectors_fixed_in_a_moving_frame_change_by_the_cross_product),
      cmocka_unit_test(test_inertia_moves_between_frames_as_its_particles_do),
      cmocka_unit_test(test_inertia_of_joined_bodies_is_the_sum),
      cmocka_unit_test(test_inertia_about_the_centre_of_mass_returns),
      cmocka_unit_test(test_massless_inertia_has_its_centre_at_the_origin),
      cmocka_unit_test(test_momentum_is_inertia_times_velocity_and_energy_keeps_its_value),
      cmocka_unit_test(test_derivative_of_an_inertia_is_the_paper_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
