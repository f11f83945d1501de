/* test_cones_bodies.c -- contacts of free bodies, whose A is never formed: the same solutions as with A, by every
 * method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cones_rig.h"
#include "contact/cone/body_matrix.h"

enum { MOST_BLOCKS = 600 };

/* Many rows of bodies may be left with this residual: they are said to be inexact. */
static const double CLOSE = 1e-8;

/* The same problem twice: with A, and as J of bodies. */
typedef struct pair_of_problems {
  cones_rig dense, sparse;
  fb_cone_bodies bodies;
  fb_body_matrix matrix;
  double *J, *numbers, *work;
  int *ends, *ints;
} pair_of_problems;

static void place_contact(fb_random* random, int upwards, double scale_a, double scale_b, double* J) {
  static const double UP[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  double axes[9], at[2][3];
  random_axes(random, axes);
  if (upwards) memcpy(axes, UP, sizeof axes);
  for (int end = 0; end < 2; end++) random_fill(random, -1, 1, 3, at[end]);
  for (int k = 0; k < 3; k++)
    for (int end = 0; end < 2; end++) {
      double* row = J + 12 * k + 6 * end;
      memset(row, 0, 6 * sizeof *row);
      add_row(row, end ? 1 : -1, axes + 3 * k, at[end]);
      for (int i = 0; i < 6; i++) row[i] *= (end ? scale_b : scale_a) * (i < 3 ? 1 : 3);
    }
}

/* Contacts of bodies with the ground or with one another, of masses that differ by `ratio`. */
static pair_of_problems make_pair(uint64_t seed, int count, int nbody, int upwards, double ratio,
                                  double most) {
  fb_random random = random_seed(seed);
  pair_of_problems p = {.dense = cones_new(count), .sparse = cones_new(count)};
  const int n = 3 * count;
  cones_fill(&p.dense, (fb_cone){.kind = FB_CONE_COULOMB});
  p.J = doubles_or_fail(12 * (size_t)n);
  p.ends = (int*)calloc(2 * (size_t)n, sizeof *p.ends);
  p.numbers = doubles_or_fail(fb_body_matrix_doubles(nbody, MOST_BLOCKS));
  p.ints = (int*)calloc(fb_body_matrix_ints(nbody, MOST_BLOCKS, n), sizeof *p.ints);
  p.work = doubles_or_fail(fb_cones_bodies_size(n, nbody));
  assert_true(p.ends && p.ints);
  for (int i = 0; i < count; i++) {
    const int b = random_index(&random, nbody), a = random_index(&random, nbody + 1) - 1;
    const double mass = pow(ratio, random_in(&random, -0.25, 0.25));
    place_contact(&random, upwards, mass, 1 / mass, p.J + 36 * i);
    for (int k = 0; k < 3; k++) {
      p.ends[2 * (3 * i + k)] = a == b ? -1 : a;
      p.ends[2 * (3 * i + k) + 1] = b;
      if (a < 0 || a == b) memset(p.J + 12 * (3 * i + k), 0, 6 * sizeof *p.J);
    }
    p.dense.cones[i].mu = random_in(&random, 0, most);
  }
  p.bodies = (fb_cone_bodies){nbody, p.ends, p.J, NULL};
  for (int i = 0; i < n; i++) {
    p.dense.c[i] = random_in(&random, -1, 1) - (i % 3 == 0);
    for (int j = 0; j < n; j++) p.dense.A[i * n + j] = fb_bodies_response(&p.bodies, i, j);
  }
  memcpy(p.sparse.cones, p.dense.cones, (size_t)count * sizeof *p.sparse.cones);
  memcpy(p.sparse.c, p.dense.c, (size_t)n * sizeof *p.sparse.c);
  p.sparse.problem.n = n;
  p.sparse.problem.A = NULL;
  fb_body_matrix_place(&p.matrix, nbody, MOST_BLOCKS, n, p.numbers, p.ints);
  return p;
}

static fb_cones_result solve_sparse(pair_of_problems* p, fb_cones_method method) {
  p->bodies.matrix = &p->matrix;
  p->sparse.problem.bodies = &p->bodies;
  p->sparse.problem.method = method;
  return fb_cones_solve(&p->sparse.problem, p->sparse.P, p->work, p->sparse.ints);
}

static void free_pair(pair_of_problems* p) {
  cones_free(&p->dense);
  cones_free(&p->sparse);
  free(p->J);
  free(p->ends);
  free(p->numbers);
  free(p->ints);
  free(p->work);
}

static const struct sweep {
  const char* name;
  fb_cones_method method;
  int contacts, bodies, upwards;
  double ratio, friction;
  int seeds, least; /* so many are solved, or nearly */
} SWEEPS[] = {{"one body", FB_CONES_AUTO, 4, 1, 1, 1, 1, 50, 50},
              {"few", FB_CONES_AUTO, 8, 4, 0, 100, 1, 50, 50},
              {"many", FB_CONES_AUTO, 60, 20, 0, 100, 1, 5, 5},
              {"many upwards", FB_CONES_AUTO, 60, 20, 1, 1e4, 1, 5, 5},
              {"Newton", FB_CONES_NEWTON, 6, 4, 0, 1, 0.5, 50, 30},
              {"Gauss-Seidel", FB_CONES_GAUSS_SEIDEL, 6, 4, 0, 1, 1, 50, 48},
              {"ADMM", FB_CONES_ADMM, 6, 4, 0, 100, 1, 50, 48},
              {"interior points", FB_CONES_INTERIOR, 20, 10, 0, 1e4, 1, 50, 48},
              {"pyramid", FB_CONES_LEMKE, 3, 2, 0, 100, 1, 50, 40}};

static void solutions_solve_the_problem_with_A(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof SWEEPS / sizeof *SWEEPS; i++) {
    const struct sweep* s = &SWEEPS[i];
    int solved = 0;
    for (int seed = 1; seed <= s->seeds; seed++) {
      pair_of_problems p =
          make_pair((uint64_t)seed, s->contacts, s->bodies, s->upwards, s->ratio, s->friction);
      const fb_cones_result result = solve_sparse(&p, s->method);
      const double off = fb_cones_residual(&p.dense.problem, p.sparse.P, p.dense.work);
      for (int k = 0; k < p.sparse.problem.n; k++) assert_true(isfinite(p.sparse.P[k]));
      if (result.status == FB_CONES_SOLVED && !(off <= 1e-8 * largest_of(p.dense.c, p.sparse.problem.n)))
        fail_msg("%s %d: solved, but off by %g", s->name, seed, off);
      solved += result.residual <= CLOSE;
      free_pair(&p);
    }
    if (solved < s->least) fail_msg("%s: %d of %d solved", s->name, solved, s->seeds);
  }
}

/* Feet under one body share its load as with A. There is one least solution, unless the edge of a cone is on the way to it. */
static void redundant_feet_share_as_with_A(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 20; seed++) {
    pair_of_problems p = make_pair((uint64_t)seed, 6, 1, 1, 1, 1);
    const int n = p.sparse.problem.n;
    for (int i = 0; i < n; i++) p.dense.c[i] = p.sparse.c[i] = i % 3 == 0 ? -1 : 0;
    for (int i = 0; i < p.sparse.problem.ncone; i++) p.dense.cones[i].mu = p.sparse.cones[i].mu = 4;
    if (cones_run(&p.dense, FB_CONES_AUTO).status == FB_CONES_SOLVED) {
      assert_int_equal(solve_sparse(&p, FB_CONES_AUTO).status, FB_CONES_SOLVED);
      for (int i = 0; i < n; i++)
        if (!(fabs(p.sparse.P[i] - p.dense.P[i]) <= 1e-7 * largest_of(p.dense.P, n)))
          fail_msg("%d: P[%d] = %.12g, with A %.12g", seed, i, p.sparse.P[i], p.dense.P[i]);
    }
    free_pair(&p);
  }
}

static void the_pattern_of_an_earlier_problem_changes_no_bit(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 10; seed++) {
    pair_of_problems a = make_pair((uint64_t)seed, 30, 12, 0, 10, 1),
                     b = make_pair((uint64_t)seed, 30, 12, 0, 10, 1);
    pair_of_problems other = make_pair((uint64_t)seed + 100, 40, 12, 0, 10, 1);
    solve_sparse(&a, FB_CONES_AUTO);
    other.matrix = b.matrix;
    solve_sparse(&other, FB_CONES_AUTO);
    b.matrix = other.matrix;
    solve_sparse(&b, FB_CONES_AUTO);
    assert_memory_equal(a.sparse.P, b.sparse.P, (size_t)a.sparse.problem.n * sizeof(double));
    free_pair(&a);
    free_pair(&b);
    free_pair(&other);
  }
}

static void a_pattern_without_room_leaves_the_other_methods(void** unused) {
  (void)unused;
  pair_of_problems p = make_pair(3, 12, 6, 0, 1, 0.5);
  fb_body_matrix_place(&p.matrix, 6, 1, 36, p.numbers, p.ints);
  const fb_cones_result result = solve_sparse(&p, FB_CONES_AUTO);
  for (int i = 0; i < 36; i++) assert_true(isfinite(p.sparse.P[i]));
  assert_true(result.status != FB_CONES_NONE);
  free_pair(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_solve_the_problem_with_A),
                                     cmocka_unit_test(redundant_feet_share_as_with_A),
                                     cmocka_unit_test(the_pattern_of_an_earlier_problem_changes_no_bit),
                                     cmocka_unit_test(a_pattern_without_room_leaves_the_other_methods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
