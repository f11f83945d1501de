/* test_floating.c -- free-floating analysis on random trees with every joint type, and on reference models.
 *
 * Second methods: the inertia matrix and Jacobians in joint coordinates, complex steps through them, central
 * differences, forward and mixed dynamics, momentum by sums over bodies, closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/document.h"
#include "io/spacedyn.h"
#include "kernel/instances.h"
#include "model/data.h"
#include "near.h"
#include "random_tree.h"

#include <complex.h> /* last: its macro I is a letter of our headers */

enum { TREES = 400, MAX_BODIES = 40 };

/* --- worst errors, printed at the end --- */

typedef struct worst {
  const char* what;
  double error;
} worst;
static worst table[32];

/* assert_near, and remembers the worst relative error of everything called `what`. */
static void compare(const char* what, const double* got, const double* want, int n, double tol) {
  double scale = 1, error = 0;
  worst* w = table;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
  for (int i = 0; i < n; i++) error = fmax(error, fabs(got[i] - want[i]) / scale);
  while (w->what && strcmp(w->what, what) != 0) w++;
  w->what = what;
  w->error = fmax(w->error, error);
  assert_near(what, got, want, n, tol);
}

static int print_worst(void** unused) {
  (void)unused;
  for (worst* w = table; w->what; w++) print_message("worst error of %-44s %.1e\n", w->what, w->error);
  return 0;
}

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
  int at = fb_joint_v_at(g->m, g->base);
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
      if (fb_body_parent(m, b) != FB_WORLD || fb_joint_get_type(m, b) != FB_JOINT_FREE) continue;
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
  double scale = 1;
  for (int i = 0; i < 6; i++) scale = fmax(scale, fabs(L[i]));

  fb_floating_base_velocity(g->f, g->v_m, L, v_b);
  fb_frame_velocity(g->m, g->d, g->base, want, want + 3);
  compare("base velocity with locked momentum", v_b, want, 6, 1e-11);

  fb_floating_velocity(g->f, g->v_m, NULL, g->s.v);
  fb_kinematics(g->m, g->d, g->s.q, g->s.v, NULL);
  fb_momentum(g->m, g->d, p_0, L, L + 3);
  for (int i = 0; i < 6; i++) L[i] /= scale; /* of what it was before */
  compare("zero momentum", L, zero, 6, 1e-12);
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
  int nq = fb_model_nq(g->m), nv = g->nv, nj = g->nj, at = fb_joint_v_at(g->m, g->base);
  double *q = numbers_new(2 * nq), *v = numbers_new(2 * nv);
  double complex *H = (double complex*)(void*)numbers_new(2 * nv * nv),
                 *J = (double complex*)(void*)numbers_new(12 * nv), Hb[36],
                 *G = (double complex*)(void*)numbers_new(12 * nj);
  fb_data* d = NULL;
  size_t size = fb_data_size_width(g->m, 2);
  assert_int_equal(fb_data_place_width(g->m, 2, aligned_alloc(64, size), size, &d), FB_OK);
  for (int i = 0; i < nq; i++) q[2 * i] = g->s.q[i];
  for (int i = 0; i < nv; i++) v[2 * i + 1] = h * g->s.v[i];
  k->integrate(g->m, q, v, 1, q);
  k->crba(g->m, d, q, (double*)H);
  k->kinematics(g->m, d, q, NULL, NULL);
  k->frame_jacobian(g->m, d, g->frame, (double*)J);
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

/* Determinant by elimination with pivoting; A is overwritten. */
static double determinant(double* A, int n) {
  double det = 1;
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c; i < n; i++) p = fabs(A[n * i + c]) > fabs(A[n * p + c]) ? i : p;
    for (int k = 0; k < n && p != c; k++) {
      double x = A[n * c + k];
      A[n * c + k] = A[n * p + k];
      A[n * p + k] = -x;
    }
    det *= A[n * c + c];
    if (det == 0) return 0;
    for (int i = c + 1; i < n; i++)
      for (int k = n - 1; k >= c; k--) A[n * i + k] -= A[n * i + c] / A[n * c + c] * A[n * c + k];
  }
  return det;
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
  compare("manipulability^2 = det(J* J*^T)", &square, &det, 1, 1e-10);
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
      compare("base rates in the null space", v_b + (6 - rows), zero, rows, 1e-11);
      for (int b = 0; b < count; b++) {
        double sum = 0, want = a == b;
        for (int j = 0; j < g->nj; j++) sum += one[j] * basis[j * g->nj + b];
        compare("null space orthonormal", &sum, &want, 1, 1e-13);
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

/* --- reference models --- */

static fb_doc* read_document(const char* name) {
  char file[512], *text;
  size_t size;
  fb_error error;
  fb_doc* doc = NULL;
  snprintf(file, sizeof file, "%s/reference/spacedyn/%s", FB_TEST_DATA, name);
  if (fb_read_file(file, &text, &size, &error) || fb_doc_parse(text, size, name, &doc, &error))
    fail_msg("%s", error.text);
  free(text);
  return doc;
}

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
  assert_int_equal(fb_model_def_add_body(def, &base, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &link, NULL), FB_OK);
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
      cmocka_unit_test(generalized_jacobians_are_those_of_the_reference_files),
      cmocka_unit_test(coupling_of_two_bodies_has_its_closed_form),
      cmocka_unit_test(a_dynamic_singularity_is_not_a_kinematic_one),
      cmocka_unit_test(wrong_bases_are_refused_with_their_names),
      cmocka_unit_test(what_is_not_known_reads_as_nan),
      cmocka_unit_test(a_point_mass_has_no_attitude_to_conserve),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
