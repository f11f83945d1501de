/* test_floating.c -- free-floating analysis on random trees with every joint type.
 *
 * Second methods: the inertia matrix and Jacobians in joint coordinates, complex steps through them, central
 * differences, forward and mixed dynamics, momentum by sums over bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"
#include "near.h"
#include "random_tree.h"
#include "worst.h"

#include <complex.h> /* last: its macro I is a letter of our headers */

enum { TREES = 400, MAX_BODIES = 40 };

/* --- random floating trees --- */

typedef struct rig {
  const fb_model* m;
  fb_data* d;
  fb_floating* f;
  state s;
  fb_random r;
  int base, nj, nv, frame; /* frame: a random one on the tree */
  const int* joints;
  double *v_m, *J, *J2;
} rig;

static void multiply(const double* A, const double* x, int rows, int cols, double* y) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int k = 0; k < cols; k++) y[i] += A[i * cols + k] * x[k];
  }
}

static int random_frame(rig* g) {
  int frame;
  do {
    frame = random_index(&g->r, fb_model_nframe(g->m) + 2 * fb_model_nbody(g->m));
  } while (fb_body_base(g->m, fb_frame_body(g->m, frame)) != g->base || g->m->top.site_link[frame] == 0);
  return frame;
}

/* The joints' part of v; velocities of other trees zero, so that momentum is this tree's alone. */
static void keep_tree(rig* g) {
  double* v = numbers_new(g->nv);
  int at = fb_joint_v_index(g->m, g->base);
  memcpy(v + at, g->s.v + at, 6 * sizeof *v);
  for (int j = 0; j < g->nj; j++) v[g->joints[j]] = g->v_m[j] = g->s.v[g->joints[j]];
  memcpy(g->s.v, v, (size_t)g->nv * sizeof *v);
  free(v);
}

static void run_rig(const fb_model* m, int base, uint64_t seed, void (*check)(rig*)) {
  rig g = {.m = m, .d = fb_data_new(m), .s = state_new(m, seed), .r = random_seed(seed), .base = base};
  assert_int_equal(fb_floating_new(m, base, &g.f, NULL), FB_OK);
  g.nj = fb_floating_nj(g.f);
  g.nv = fb_model_nv(m);
  g.joints = fb_floating_joints(g.f);
  g.v_m = numbers_new(g.nj);
  g.J = numbers_new(6 * g.nj);
  g.J2 = numbers_new(6 * g.nj);
  keep_tree(&g);
  g.frame = random_frame(&g);
  fb_floating_update(g.f, g.s.q, g.s.v);
  fb_kinematics(m, g.d, g.s.q, g.s.v, NULL);
  check(&g);
  free(g.v_m);
  free(g.J);
  free(g.J2);
  state_free(&g.s);
  fb_data_free(g.d);
  fb_floating_free(g.f);
}

/* Every floating base of every random forest; returns how many there were. */
static int for_random_trees(void (*check)(rig*)) {
  int count = 0;
  for (int i = 0; i < TREES; i++) {
    fb_random r = random_seed((uint64_t)i);
    fb_model_def* def = random_tree(&r, 1 + i % MAX_BODIES);
    fb_build_options options = fb_default_build_options();
    options.merge_fixed = i % 2;
    fb_model* m = build_or_fail(def, &options);
    fb_model_def_free(def);
    for (int b = 1; b < fb_model_nbody(m); b++) {
      if (fb_body_parent(m, b) != FB_WORLD || fb_joint_type_of(m, b) != FB_JOINT_FREE) continue;
      run_rig(m, b, (uint64_t)i, check);
      count++;
    }
    fb_model_free(m);
  }
  assert_true(count > TREES / 2);
  return count;
}

/* --- momentum and velocities --- */

static void check_momentum(rig* g) {
  double L[6], want[6], p_0[3], v_b[6], zero[6] = {0};
  fb_frame_pose(g->m, g->d, g->base, p_0, NULL);
  fb_momentum(g->m, g->d, p_0, want, want + 3);
  fb_floating_momentum(g->f, L);
  compare("momentum", L, want, 6, 1e-12);
  const double before = worst_of(L, 6);

  fb_floating_base_velocity(g->f, g->v_m, L, v_b);
  fb_frame_velocity(g->m, g->d, g->base, want, want + 3);
  compare("base velocity with locked momentum", v_b, want, 6, 1e-11);

  fb_floating_velocity(g->f, g->v_m, NULL, g->s.v);
  fb_kinematics(g->m, g->d, g->s.q, g->s.v, NULL);
  fb_momentum(g->m, g->d, p_0, L, L + 3);
  compare_of(before, "zero momentum", L, zero, 6, 1e-12);
}

static void momentum_is_the_sum_over_bodies_and_is_conserved(void** unused) {
  (void)unused;
  for_random_trees(check_momentum);
}

static void check_frame_velocity(rig* g) {
  double L[6], locked[6], Jb[36], got[6], base[6], want[6];
  fb_floating_momentum(g->f, L);
  fb_floating_base_velocity(g->f, NULL, L, locked);
  fb_frame_jacobian_parts(g->m, g->d, g->frame, Jb, NULL);
  multiply(Jb, locked, 6, 6, base);
  fb_floating_jacobian(g->f, g->frame, g->J);
  multiply(g->J, g->v_m, 6, g->nj, got);
  for (int i = 0; i < 6; i++) got[i] += base[i];
  fb_frame_velocity(g->m, g->d, g->frame, want, want + 3);
  compare("J* v_m + Jb Hb^-1 L = frame velocity", got, want, 6, 1e-11);
}

static void generalized_jacobian_gives_the_frame_velocity(void** unused) {
  (void)unused;
  for_random_trees(check_frame_velocity);
}

/* --- rates --- */

static const fb_kernels* complex_kernels(void) {
  for (int i = 0; i < fb_kernels_count(); i++)
    if (fb_kernels_get(i)->width == 2) return fb_kernels_get(i);
  fail_msg("no complex instance");
  return NULL;
}

/* Solves A X = B for a 6 x 6 complex A and n right sides by elimination with pivoting; both overwritten. */
static void solve_complex(double complex A[36], double complex* B, int n) {
  for (int c = 0; c < 6; c++) {
    int p = c;
    for (int i = c; i < 6; i++) p = cabs(A[6 * i + c]) > cabs(A[6 * p + c]) ? i : p;
    for (int k = 0; k < 6; k++) {
      double complex x = A[6 * c + k];
      A[6 * c + k] = A[6 * p + k];
      A[6 * p + k] = x;
    }
    for (int k = 0; k < n && p != c; k++) {
      double complex x = B[c * n + k];
      B[c * n + k] = B[p * n + k];
      B[p * n + k] = x;
    }
    for (int i = 0; i < 6; i++) {
      if (i == c) continue;
      double complex factor = A[6 * i + c] / A[6 * c + c];
      for (int k = c; k < 6; k++) A[6 * i + k] -= factor * A[6 * c + k];
      for (int k = 0; k < n; k++) B[i * n + k] -= factor * B[c * n + k];
    }
  }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < n; k++) B[i * n + k] /= A[7 * i];
}

/* J* at q (+) i h v from the inertia matrix and the Jacobian in joint coordinates: its real part is J*, its
 * imaginary part over h the rate. Any axes of the base's coordinates give the same J*. */
static void complex_jacobian(rig* g, double h, double* Jstar, double* Jstar_dot) {
  const fb_kernels* k = complex_kernels();
  int nq = fb_model_nq(g->m), nv = g->nv, nj = g->nj, at = fb_joint_v_index(g->m, g->base);
  double *q = numbers_new(2 * nq), *v = numbers_new(2 * nv);
  double complex *H = (double complex*)(void*)numbers_new(2 * nv * nv),
                 *J = (double complex*)(void*)numbers_new(12 * nv), Hb[36],
                 *G = (double complex*)(void*)numbers_new(12 * nj);
  fb_data* d = NULL;
  size_t size = fb_data_size_width(g->m, 2);
  assert_int_equal(fb_data_place_width(g->m, 2, aligned_alloc(64, size), size, &d), FB_OK);
  for (int i = 0; i < nq; i++) q[2 * i] = g->s.q[i];
  for (int i = 0; i < nv; i++) v[2 * i + 1] = h * g->s.v[i];
  k->integrate(&g->m->top, q, v, 1, q);
  k->crba(&g->m->top, &g->m->par, d, q, 0, (double*)H);
  k->kinematics(&g->m->top, &g->m->par, d, q, NULL, NULL);
  k->frame_jacobian(&g->m->top, &g->m->par, d, g->frame, (double*)J);
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b < 6; b++) Hb[6 * a + b] = H[(at + a) * nv + at + b];
    for (int j = 0; j < nj; j++) G[a * nj + j] = H[(at + a) * nv + g->joints[j]];
  }
  solve_complex(Hb, G, nj);
  for (int row = 0; row < 6; row++)
    for (int j = 0; j < nj; j++) {
      double complex x = J[row * nv + g->joints[j]];
      for (int a = 0; a < 6; a++) x -= J[row * nv + at + a] * G[a * nj + j];
      Jstar[row * nj + j] = creal(x);
      Jstar_dot[row * nj + j] = cimag(x) / h;
    }
  free(q);
  free(v);
  free(H);
  free(J);
  free(G);
  free(d);
}

static void check_complex_step(rig* g) {
  double* got = numbers_new(6 * g->nj);
  complex_jacobian(g, 1e-30, g->J, g->J2);
  fb_floating_jacobian(g->f, g->frame, got);
  compare("J* by the inertia matrix", got, g->J, 6 * g->nj, 1e-11);
  fb_floating_jacobian_rate(g->f, g->frame, got);
  compare("J*' by the complex step", got, g->J2, 6 * g->nj, 1e-11);
  free(got);
}

static void jacobian_and_rate_match_the_inertia_matrix_and_its_complex_step(void** unused) {
  (void)unused;
  for_random_trees(check_complex_step);
}

static void check_differences(rig* g) {
  static const double h = 1e-5;
  double *q = numbers_new(fb_model_nq(g->m)), *got = numbers_new(6 * g->nj);
  for (int side = 0; side < 2; side++) {
    fb_integrate(g->m, g->s.q, g->s.v, side ? h : -h, q);
    fb_floating_update(g->f, q, NULL);
    fb_floating_jacobian(g->f, g->frame, side ? g->J : g->J2);
  }
  for (int i = 0; i < 6 * g->nj; i++) g->J[i] = (g->J[i] - g->J2[i]) / (2 * h);
  fb_floating_update(g->f, g->s.q, g->s.v);
  fb_floating_jacobian_rate(g->f, g->frame, got);
  compare("J*' by differences", got, g->J, 6 * g->nj, 1e-7);
  free(q);
  free(got);
}

static void rate_of_the_jacobian_matches_differences(void** unused) {
  (void)unused;
  for_random_trees(check_differences);
}

/* --- accelerations of free motion --- */

/* vdot when joint forces act and the base is left alone; poses, velocities and accelerations in d. */
static void move_freely(rig* g) {
  double* tau = numbers_new(g->nv);
  for (int j = 0; j < g->nj; j++) tau[g->joints[j]] = random_in(&g->r, -1, 1);
  fb_forward_dynamics(g->m, g->d, g->s.q, g->s.v, tau, NULL, g->s.vdot);
  fb_kinematics(g->m, g->d, g->s.q, g->s.v, g->s.vdot);
  free(tau);
}

static void check_free_motion(rig* g) {
  double *vdot_m = numbers_new(g->nj), got[6], rate[6], want[6];
  move_freely(g);
  for (int j = 0; j < g->nj; j++) vdot_m[j] = g->s.vdot[g->joints[j]];
  fb_floating_base_acceleration(g->f, vdot_m, got);
  fb_frame_acceleration(g->m, g->d, g->base, want, want + 3);
  compare("base acceleration with momentum", got, want, 6, 1e-10);

  /* Without momentum J* alone tells the acceleration. */
  fb_floating_velocity(g->f, g->v_m, NULL, g->s.v);
  fb_floating_update(g->f, g->s.q, g->s.v);
  move_freely(g);
  for (int j = 0; j < g->nj; j++) vdot_m[j] = g->s.vdot[g->joints[j]];
  fb_floating_jacobian(g->f, g->frame, g->J);
  fb_floating_jacobian_rate(g->f, g->frame, g->J2);
  multiply(g->J, vdot_m, 6, g->nj, got);
  multiply(g->J2, g->v_m, 6, g->nj, rate);
  for (int i = 0; i < 6; i++) got[i] += rate[i];
  fb_frame_acceleration(g->m, g->d, g->frame, want, want + 3);
  compare("J* vdot_m + J*' v_m = frame acceleration", got, want, 6, 1e-10);
  free(vdot_m);
}

static void free_motion_accelerates_as_the_jacobian_and_its_rate_say(void** unused) {
  (void)unused;
  for_random_trees(check_free_motion);
}

/* --- resolved motion --- */

static int resolved_count;

static void check_resolved(rig* g) {
  double L[6], want[6], got[6], singular[6];
  if (g->nj < 6 || fb_floating_manipulability(g->f, g->frame, singular) == 0 || singular[5] < 1e-2) return;
  resolved_count++;
  fb_floating_momentum(g->f, L);
  random_fill(&g->r, -1, 1, 6, want);
  double smallest = fb_floating_resolved_rate(g->f, g->frame, want, L, 0, g->v_m);
  compare("smallest singular value", &smallest, singular + 5, 1, 1e-15);
  fb_floating_velocity(g->f, g->v_m, L, g->s.v);
  fb_kinematics(g->m, g->d, g->s.q, g->s.v, NULL);
  fb_frame_velocity(g->m, g->d, g->frame, got, got + 3);
  compare("resolved rate", got, want, 6, 1e-10);

  fb_floating_update(g->f, g->s.q, g->s.v);
  random_fill(&g->r, -1, 1, 6, want);
  double *vdot = numbers_new(g->nv), *tau = numbers_new(g->nv), *vdot_m = numbers_new(g->nj);
  unsigned char* prescribed = (unsigned char*)calloc((size_t)g->nv, 1);
  fb_floating_resolved_acceleration(g->f, g->frame, want, 0, vdot_m);
  for (int j = 0; j < g->nj; j++) {
    vdot[g->joints[j]] = vdot_m[j];
    prescribed[g->joints[j]] = 1;
  }
  fb_mixed_dynamics(g->m, g->d, g->s.q, g->s.v, prescribed, NULL, vdot, tau);
  fb_kinematics(g->m, g->d, g->s.q, g->s.v, vdot);
  fb_frame_acceleration(g->m, g->d, g->frame, got, got + 3);
  compare("resolved acceleration", got, want, 6, 1e-9);
  free(vdot);
  free(tau);
  free(vdot_m);
  free(prescribed);
}

static void resolved_motion_gives_what_is_wanted(void** unused) {
  (void)unused;
  for_random_trees(check_resolved);
  assert_true(resolved_count > 100);
}

static void check_manipulability(rig* g) {
  double A[36] = {0}, singular[6], product = 1;
  if (g->nj < 6) return;
  double measure = fb_floating_manipulability(g->f, g->frame, singular);
  fb_floating_jacobian(g->f, g->frame, g->J);
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      for (int j = 0; j < g->nj; j++) A[6 * a + b] += g->J[a * g->nj + j] * g->J[b * g->nj + j];
  for (int i = 0; i < 6; i++) product *= singular[i];
  compare("manipulability = product", &measure, &product, 1, 1e-14);
  double square = measure * measure, det = determinant(A, 6);
  /* round-off of A of eps s_0^2, and s_5^2 may be as small */
  double scale = product * singular[0] / singular[5];
  compare_of(scale * scale, "manipulability^2 = det(J* J*^T)", &square, &det, 1, 1e-13);
}

static void manipulability_is_the_root_of_the_determinant(void** unused) {
  (void)unused;
  for_random_trees(check_manipulability);
}

/* --- reaction null space --- */

static void check_null_space(rig* g) {
  double *basis = numbers_new(g->nj * g->nj), *one = numbers_new(g->nj), v_b[6], zero[6] = {0};
  for (int rows = 3; rows <= 6; rows += 3) {
    int count = fb_floating_reaction_null_space(g->f, rows, basis);
    assert_true(count >= g->nj - rows && count <= g->nj);
    for (int a = 0; a < count; a++) {
      for (int j = 0; j < g->nj; j++) one[j] = basis[j * g->nj + a];
      fb_floating_base_velocity(g->f, one, NULL, v_b);
      compare_of(1, "base rates in the null space", v_b + (6 - rows), zero, rows, 1e-11); /* |one| = 1 */
      for (int b = 0; b < count; b++) {
        double sum = 0, want = a == b;
        for (int j = 0; j < g->nj; j++) sum += one[j] * basis[j * g->nj + b];
        compare_of(1, "null space orthonormal", &sum, &want, 1, 1e-13);
      }
    }
  }
  free(basis);
  free(one);
}

static void null_space_leaves_the_base_alone(void** unused) {
  (void)unused;
  for_random_trees(check_null_space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_is_the_sum_over_bodies_and_is_conserved),
      cmocka_unit_test(generalized_jacobian_gives_the_frame_velocity),
      cmocka_unit_test(jacobian_and_rate_match_the_inertia_matrix_and_its_complex_step),
      cmocka_unit_test(rate_of_the_jacobian_matches_differences),
      cmocka_unit_test(free_motion_accelerates_as_the_jacobian_and_its_rate_say),
      cmocka_unit_test(resolved_motion_gives_what_is_wanted),
      cmocka_unit_test(manipulability_is_the_root_of_the_determinant),
      cmocka_unit_test(null_space_leaves_the_base_alone),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
