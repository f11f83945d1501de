/* test_cones_random.c -- the solvers of contact impulses on random bodies: mass ratios up to 1e6, redundant feet, up to 200
 * contacts, every method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cones_rig.h"

/* Solves and checks by hand; 1 where the solver says solved, else it must say so with a finite answer. */
static int solve_and_check(cones_rig* r, fb_cones_method method, const char* what, int seed) {
  fb_cones_result result = cones_run(r, method);
  double off = cones_off(r), size = largest_of(r->c, r->problem.n) * largest_of(r->P, r->problem.n);
  for (int i = 0; i < r->problem.n; i++) assert_true(isfinite(r->P[i]));
  if (result.status != FB_CONES_SOLVED) {
    if (!(result.residual > 1e-10))
      fail_msg("%s %d: not solved with residual %g", what, seed, result.residual);
    return 0;
  }
  /* Two forms of the same map, which differ by a factor of a few. */
  if (!(off <= fmax(1e-9, 4 * result.residual)))
    fail_msg("%s %d: solved with residual %g, but it is %g", what, seed, result.residual, off);
  if (!(cones_work(r) <= 1e-10 * size)) fail_msg("%s %d: friction drives, %g J", what, seed, cones_work(r));
  return 1;
}

/* Without the energy, which only semidefinite matrices dissipate. */
static void solve_and_check_honest(cones_rig* r, int seed) {
  fb_cones_result result = cones_run(r, FB_CONES_AUTO);
  for (int i = 0; i < r->problem.n; i++) assert_true(isfinite(r->P[i]));
  if (result.status == FB_CONES_NONE) {
    assert_true(largest_of(r->P, r->problem.n) == 0);
  } else if (result.status == FB_CONES_SOLVED && !(fb_cones_residual(&r->problem, r->P, r->work) <= 1.1e-8)) {
    fail_msg("garbage %d: solved, but the residual is %g", seed,
             fb_cones_residual(&r->problem, r->P, r->work));
  }
}

typedef struct sweep {
  const char* name;
  fb_cones_method method;
  cones_place place;
  int contacts;
  double ratio, friction;
  int seeds, least; /* of these so many must be solved */
} sweep;

/* Friction makes some of the worst scaled ones unsolvable for every method here; they are reported as inexact. */
static const sweep SWEEPS[] = {
    {"two", FB_CONES_AUTO, ANYWHERE, 2, 1, 1, 100, 100},
    {"two, heavy and light", FB_CONES_AUTO, UPWARDS, 2, 1e6, 1, 100, 100},
    {"four", FB_CONES_AUTO, ANYWHERE, 4, 1e3, 1, 100, 100},
    {"four feet", FB_CONES_AUTO, ONE_PLANE, 4, 1, 1, 100, 100},
    {"eight", FB_CONES_AUTO, UPWARDS, 8, 1e3, 1, 100, 100},
    {"eight, heavy and light", FB_CONES_AUTO, UPWARDS, 8, 1e6, 1, 100, 97},
    {"sixteen feet", FB_CONES_AUTO, ONE_PLANE, 16, 1, 1, 50, 49},
    {"sixteen", FB_CONES_AUTO, ANYWHERE, 16, 1e6, 1, 50, 49},
    {"without friction", FB_CONES_AUTO, UPWARDS, 16, 1e6, 0, 50, 50},
    {"much friction", FB_CONES_AUTO, ANYWHERE, 8, 10, 2, 50, 48},
    {"many", FB_CONES_AUTO, ANYWHERE, 64, 1e3, 1, 3, 3},
    {"many feet", FB_CONES_AUTO, ONE_PLANE, 40, 1, 1, 3, 3},
    {"200", FB_CONES_AUTO, ANYWHERE, 200, 10, 1, 1, 1},
    {"Gauss-Seidel", FB_CONES_GAUSS_SEIDEL, ANYWHERE, 6, 1, 1, 50, 48},
    {"ADMM", FB_CONES_ADMM, ANYWHERE, 6, 1e3, 1, 50, 49},
    {"interior points", FB_CONES_INTERIOR, ANYWHERE, 6, 1e6, 1, 50, 49},
    {"interior points, without friction", FB_CONES_INTERIOR, UPWARDS, 6, 1e6, 0, 50, 50},
    {"pyramid and Newton", FB_CONES_LEMKE, ANYWHERE, 3, 1e3, 1, 50, 40},
};

static void random_contacts_are_solved_or_reported(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof SWEEPS / sizeof *SWEEPS; i++) {
    const sweep* s = &SWEEPS[i];
    int solved = 0;
    for (int seed = 1; seed <= s->seeds; seed++) {
      cones_rig r = cones_random((uint64_t)seed, s->contacts, s->place, s->ratio, s->friction);
      solved += solve_and_check(&r, s->method, s->name, seed);
      cones_free(&r);
    }
    if (solved < s->least) fail_msg("%s: %d of %d solved", s->name, solved, s->seeds);
  }
}

static void a_solution_as_guess_takes_no_iterations(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 20; seed++) {
    cones_rig r = cones_random((uint64_t)seed, 6, ANYWHERE, 10, 1);
    assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    fb_cones_result again = cones_run(&r, FB_CONES_AUTO);
    assert_int_equal(again.status, FB_CONES_SOLVED);
    assert_in_range(again.iterations, 0, 2);
    cones_free(&r);
  }
}

static void the_same_problem_gives_the_same_bits(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 10; seed++) {
    cones_rig a = cones_random((uint64_t)seed, 12, UPWARDS, 1e6, 1);
    cones_rig b = cones_random((uint64_t)seed, 12, UPWARDS, 1e6, 1);
    for (size_t i = 0; i < fb_cones_work_size(36); i++) b.work[i] = NAN;
    cones_run(&a, FB_CONES_AUTO);
    cones_run(&b, FB_CONES_AUTO);
    assert_memory_equal(a.P, b.P, 36 * sizeof(double));
    cones_free(&a);
    cones_free(&b);
  }
}

/* A problem in other units, and slower, has the same solution in those units. */
static void units_do_not_matter(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 20; seed++) {
    cones_rig a = cones_random((uint64_t)seed, 5, ANYWHERE, 100, 1);
    cones_rig b = cones_random((uint64_t)seed, 5, ANYWHERE, 100, 1);
    const double mass = seed % 2 ? 1e-9 : 1e9, speed = seed % 3 ? 1e-6 : 1e3;
    for (int i = 0; i < 15 * 15; i++) b.A[i] /= mass;
    for (int i = 0; i < 15; i++) b.c[i] *= speed;
    assert_int_equal(cones_run(&a, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    assert_int_equal(cones_run(&b, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    for (int i = 0; i < 15; i++)
      if (!(fabs(b.P[i] / (mass * speed) - a.P[i]) <= 1e-7 * largest_of(a.P, 15)))
        fail_msg("%d: P[%d] = %.12g, expected %.12g", seed, i, b.P[i] / (mass * speed), a.P[i]);
    cones_free(&a);
    cones_free(&b);
  }
}

static void the_limit_of_iterations_is_kept(void** unused) {
  (void)unused;
  static const int LIMITS[] = {1, 5, 20, 100};
  for (int i = 0; i < 4; i++) {
    cones_rig r = cones_random(29, 32, UPWARDS, 1e6, 1);
    r.problem.limit = LIMITS[i];
    fb_cones_result result = cones_run(&r, FB_CONES_AUTO);
    assert_in_range(result.iterations, 0, LIMITS[i] + 10);
    cones_free(&r);
  }
}

/* Matrices that no bodies have: unsymmetric, indefinite, rows of zeros, sizes from 1e-150 to 1e150, enormous friction. */
static void garbage_is_solved_or_reported(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 400; seed++) {
    fb_random random = random_seed((uint64_t)seed);
    int count = 1 + random_index(&random, 5);
    cones_rig r = cones_new(count);
    const double size = pow(10, random_in(&random, -150, 150) * random_index(&random, 2));
    for (int i = 0; i < count; i++) {
      r.cones[i] =
          (fb_cone){(fb_cone_kind)random_index(&random, 3), pow(10, random_in(&random, -12, 12)), 0, 0};
      if (r.cones[i].kind == FB_CONE_BOX) r.cones[i].hi = random_index(&random, 2) ? INFINITY : 1;
      r.problem.n += fb_cone_rows(&r.cones[i]);
    }
    for (int i = 0; i < r.problem.n * r.problem.n; i++)
      r.A[i] = random_index(&random, 3) ? size * random_in(&random, -1, 1) : 0;
    random_fill(&random, -1, 1, r.problem.n, r.c);
    solve_and_check_honest(&r, seed);
    cones_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_contacts_are_solved_or_reported),
      cmocka_unit_test(a_solution_as_guess_takes_no_iterations),
      cmocka_unit_test(the_same_problem_gives_the_same_bits),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(the_limit_of_iterations_is_kept),
      cmocka_unit_test(garbage_is_solved_or_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
