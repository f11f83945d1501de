/* test_cones.c -- contact impulses: the reference problems, single contacts in every mode, symmetric feet, boxes, stacks of
 * unequal masses, and what has no solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <freebody/support/files.h>

#include "cones_rig.h"
#include "document/document.h"

static void numbers(const fb_node* node, int count, double* out) {
  fb_error error;
  assert_int_equal(fb_node_numbers(node, FB_Q_NONE, count, out, &error), FB_OK);
}

static cones_rig read_problem(const fb_node* node, double* expected) {
  int count = fb_node_count(fb_map_get(node, "mu"));
  double mu[8];
  cones_rig r = cones_new(count);
  assert_in_range(count, 1, 8);
  cones_fill(&r, (fb_cone){.kind = FB_CONE_COULOMB});
  numbers(fb_map_get(node, "mu"), count, mu);
  for (int i = 0; i < count; i++) r.cones[i].mu = mu[i];
  for (int i = 0; i < 3 * count; i++)
    numbers(fb_node_item(fb_map_get(node, "D"), i), 3 * count, r.A + 3 * count * i);
  numbers(fb_map_get(node, "c"), 3 * count, r.c);
  numbers(fb_map_get(node, "P"), 3 * count, expected);
  return r;
}

/* Impulses of several contacts need not be unique; those of one contact with one solution are. */
static void the_reference_problems_are_solved_by_every_method(void** unused) {
  (void)unused;
  static const fb_cones_method METHODS[] = {FB_CONES_AUTO, FB_CONES_GAUSS_SEIDEL, FB_CONES_ADMM,
                                            FB_CONES_INTERIOR};
  char* text;
  size_t size;
  fb_error error;
  fb_doc* doc;
  assert_int_equal(fb_file_read(FB_TEST_DATA "/contact/ncp_friction3d_problems.json", &text, &size, &error),
                   FB_OK);
  assert_int_equal(fb_doc_parse(text, size, "ncp", &doc, &error), FB_OK);
  const fb_node* problems = fb_map_get(fb_doc_root(doc), "problems");
  assert_int_equal(fb_node_count(problems), 50);
  for (int i = 0; i < 4 * 50; i++) {
    double expected[24];
    cones_rig r = read_problem(fb_node_item(problems, i / 4), expected);
    const fb_node* all = fb_map_get(fb_node_item(problems, i / 4), "all_solutions");
    int alone = all && fb_node_count(all) == 1;
    fb_cones_result result = cones_run(&r, METHODS[i % 4]);
    double off = cones_off(&r);
    if (result.status != FB_CONES_SOLVED || !(off <= 1e-10) || !(result.residual <= 1e-10))
      fail_msg("problem %d, method %d: status %d, residual %g, by hand %g", i / 4, i % 4, (int)result.status,
               result.residual, off);
    for (int k = 0; k < 3 && alone; k++)
      if (!(fabs(r.P[k] - expected[k]) <= 1e-9))
        fail_msg("problem %d: P %g, not %g", i / 4, r.P[k], expected[k]);
    cones_free(&r);
  }
  fb_doc_free(doc);
  free(text);
}

typedef struct single {
  const char* name;
  double A[9], c[3], mu, offset;
  double P[3];
} single;

/* A ball of 1 kg unless A says otherwise. */
#define UNIT \
  { 1, 0, 0, 0, 1, 0, 0, 0, 1 }
static const single SINGLES[] = {
    {"open", UNIT, {1, 2, 3}, 0.5, 0, {0, 0, 0}},
    {"at rest", UNIT, {0, 0, 0}, 0.5, 0, {0, 0, 0}},
    {"touching, sliding", UNIT, {0, 1, 0}, 0.5, 0, {0, 0, 0}},
    {"sticks", UNIT, {-2, 0.3, -0.4}, 0.5, 0, {2, -0.3, 0.4}},
    {"slides", UNIT, {-1, 3, -4}, 0.5, 0, {1, -0.3, 0.4}},
    {"no friction", UNIT, {-1, 3, -4}, 0, 0, {1, 0, 0}},
    {"planar: nothing moves along the second tangent",
     {1, 0, 0, 0, 1, 0, 0, 0, 0},
     {-1, 3, 0},
     0.5,
     0,
     {1, -0.5, 0}},
    {"planar, sticks", {1, 0, 0, 0, 1, 0, 0, 0, 0}, {-1, 0.3, 0}, 0.5, 0, {1, -0.3, 0}},
    {"planar, a belt across", {1, 0, 0, 0, 1, 0, 0, 0, 0}, {-1, 0, 2}, 0.5, 0, {1, 0, -0.5}},
    {"only the normal moves", {1, 0, 0, 0, 0, 0, 0, 0, 0}, {-1, 0, 0}, 0.5, 0, {1, 0, 0}},
    {"nothing moves", {0}, {0, 0, 0}, 0.5, 0, {0, 0, 0}},
    {"nothing moves, parting", {0}, {1, 2, 0}, 0.5, 0, {0, 0, 0}},
    {"normal and tangent are one direction", {1, 1, 0, 1, 1, 0, 0, 0, 1}, {-1, -1, 0}, 2, 0, {0.5, 0.5, 0}},
    {"expands, slides", UNIT, {1, 3, -4}, 0.5, 2, {0, -0.6, 0.8}},
    {"expands, sticks", UNIT, {1, 0.3, -0.4}, 0.5, 2, {0, -0.3, 0.4}},
    {"expands too little, slides", UNIT, {-1, 3, -4}, 0.5, 1, {1, -0.6, 0.8}},
    {"expands without load", UNIT, {1, 3, -4}, 0.5, 0, {0, 0, 0}},
};

static void one_contact_is_solved_in_every_mode(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof SINGLES / sizeof *SINGLES; i++) {
    const single* s = &SINGLES[i];
    cones_rig r = cones_new(1);
    cones_fill(&r, (fb_cone){FB_CONE_COULOMB, s->mu, s->offset, 0});
    memcpy(r.A, s->A, sizeof s->A);
    memcpy(r.c, s->c, sizeof s->c);
    fb_cones_result result = cones_run(&r, FB_CONES_AUTO);
    if (result.status != FB_CONES_SOLVED) fail_msg("%s: status %d", s->name, (int)result.status);
    for (int k = 0; k < 3; k++)
      if (!(fabs(r.P[k] - s->P[k]) <= 1e-12))
        fail_msg("%s: P[%d] = %.15g, not %g", s->name, k, r.P[k], s->P[k]);
    cones_free(&r);
  }
}

/* The same cases by the methods for many contacts. */
static void every_method_agrees_on_one_contact(void** unused) {
  (void)unused;
  static const fb_cones_method METHODS[] = {FB_CONES_LEMKE, FB_CONES_ADMM, FB_CONES_INTERIOR};
  for (int seed = 1; seed <= 100; seed++) {
    cones_rig exact = cones_random((uint64_t)seed, 1, ANYWHERE, 1, 1);
    assert_int_equal(cones_run(&exact, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    for (int i = 0; i < 3; i++) {
      cones_rig r = cones_random((uint64_t)seed, 1, ANYWHERE, 1, 1);
      if (cones_run(&r, METHODS[i]).status == FB_CONES_SOLVED)
        for (int k = 0; k < 3; k++) assert_true(fabs(r.P[k] - exact.P[k]) <= 1e-8);
      else if (METHODS[i] != FB_CONES_LEMKE)
        fail_msg("seed %d: method %d does not solve one contact", seed, (int)METHODS[i]);
      cones_free(&r);
    }
    cones_free(&exact);
  }
}

/* A table of 1 kg on feet at the corners of a rectangle, or on a ring, that falls by v. */
static cones_rig table(int feet, double mu, fb_cone_kind kind, double along) {
  static const double AXES[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, INVERSE[6] = {1, 1, 1, 6, 6, 3};
  const double v[6] = {along, 0, -1, 0, 0, 0};
  cones_rig r = cones_new(feet);
  cones_fill(&r, (fb_cone){kind, mu, 0, 0});
  double* J = doubles_or_fail((size_t)(18 * feet));
  int rows = r.problem.n / feet;
  for (int i = 0; i < feet; i++) {
    const double angle = 2 * acos(-1.0) * (i + 0.5) / feet, at[3] = {cos(angle), 0.6 * sin(angle), -0.5};
    for (int k = 0; k < rows; k++) add_row(J + 6 * (rows * i + k), 1, AXES + 3 * k, at);
  }
  cones_from_rows(&r, 6, J, INVERSE, v);
  free(J);
  return r;
}

static void symmetric_feet_carry_equal_loads(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    fb_cone_kind kind;
    int feet;
    double mu, along;
  } CASES[] = {
      {"four feet", FB_CONE_COULOMB, 4, 0.5, 0},  {"four feet without friction", FB_CONE_COULOMB, 4, 0, 0},
      {"four normals", FB_CONE_NORMAL, 4, 0, 0},  {"twelve normals", FB_CONE_NORMAL, 12, 0, 0},
      {"twelve feet", FB_CONE_COULOMB, 12, 1, 0}, {"sixty feet", FB_CONE_COULOMB, 60, 1, 0}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    cones_rig r = table(CASES[i].feet, CASES[i].mu, CASES[i].kind, CASES[i].along);
    int rows = r.problem.n / CASES[i].feet;
    double sum = 0;
    /* A crooked guess leaves no trace. */
    r.P[0] = 0.7;
    assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    for (int k = 0; k < r.problem.n; k++) {
      double load = k % rows == 0 ? 1.0 / CASES[i].feet : 0;
      if (!(fabs(r.P[k] - load) <= 1e-6)) fail_msg("%s: P[%d] = %g, not %g", CASES[i].name, k, r.P[k], load);
      if (k % rows == 0) sum += r.P[k];
    }
    if (!(fabs(sum - 1) <= 1e-12)) fail_msg("%s: together %.15g", CASES[i].name, sum);
    cones_free(&r);
  }
}

/* Two legs of four carry the table: a solution, but not the least. */
static void only_a_settled_guess_or_a_rough_answer_is_left_as_it_is(void** unused) {
  (void)unused;
  static const struct {
    int settled, rough;
    double load; /* of the first foot */
  } CASES[] = {{0, 0, 0.25}, {1, 0, 0.5}, {0, 1, 0.5}, {1, 1, 0.5}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    cones_rig r = table(4, 0, FB_CONE_NORMAL, 0);
    r.problem.settled = CASES[i].settled;
    r.problem.rough = CASES[i].rough;
    r.P[0] = r.P[2] = 0.5;
    assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    if (!(fabs(r.P[0] - CASES[i].load) <= 1e-6)) fail_msg("case %d: P[0] = %g", (int)i, r.P[0]);
    r.P[0] = r.P[2] = 0.1; /* no solution: the least is found again */
    assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    if (!CASES[i].rough && !(fabs(r.P[0] - 0.25) <= 1e-6))
      fail_msg("case %d: then P[0] = %g", (int)i, r.P[0]);
    cones_free(&r);
  }
}

/* Which makes `at` a solution: c = -A at. Random, inside of its cones. */
static void make_possible(cones_rig* r, fb_random* random, double* at) {
  int n = r->problem.n;
  for (int i = 0; i < r->problem.ncone; i++) {
    double* Q = at + 3 * i;
    Q[0] = random_in(random, 0.1, 2);
    for (int k = 1; k < 3; k++) Q[k] = random_in(random, -0.7, 0.7) * r->cones[i].mu * Q[0];
  }
  for (int i = 0; i < n; i++) {
    r->c[i] = 0;
    for (int j = 0; j < n; j++) r->c[i] -= r->A[i * n + j] * at[j];
  }
}

/* |x - y|^2, blocks scaled as the solvers do. */
static double apart(const cones_rig* r, const double* x, const double* y) {
  double sum = 0;
  for (int i = 0; i < r->problem.n; i++) {
    int n = r->problem.n, first = i / 3 * 3;
    double diagonal = 0;
    for (int k = first; k < first + 3; k++) diagonal += r->A[k * (n + 1)] / 3;
    sum += diagonal * (x[i] - y[i]) * (x[i] - y[i]);
  }
  return sum;
}

/* Feet of a body at rest, from loads that are outside of their cones. No other loads on the way to known ones are closer. */
static void closest_loads_are_in_their_cones_and_leave_nothing(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 300; seed++) {
    int count = 3 + (int)(seed % 6);
    cones_rig r = cones_random(seed, count, ONE_PLANE, 1, 1);
    fb_random random = random_seed(seed + 1);
    double known[24], from[24], between[24];
    make_possible(&r, &random, known);
    for (int i = 0; i < r.problem.n; i++) r.P[i] = from[i] = known[i] + random_in(&random, -1, 1);
    if (!fb_cones_closest(&r.problem, r.P, r.work, r.ints)) fail_msg("%d: not found", (int)seed);
    for (int i = 0; i < r.problem.n; i++) {
      double u = r.c[i];
      for (int j = 0; j < r.problem.n; j++) u += r.A[i * r.problem.n + j] * r.P[j];
      if (!(fabs(u) <= 1e-8 * largest_of(r.c, r.problem.n))) fail_msg("%d: velocity %g", (int)seed, u);
      between[i] = r.P[i] + 1e-3 * (known[i] - r.P[i]);
    }
    for (int i = 0; i < count; i++)
      assert_true(hypot(r.P[3 * i + 1], r.P[3 * i + 2]) <= r.cones[i].mu * r.P[3 * i] * (1 + 1e-12) + 1e-15);
    if (!(apart(&r, r.P, from) <= apart(&r, between, from) * (1 + 1e-9)))
      fail_msg("%d: not closest", (int)seed);
    cones_free(&r);
  }
}

static void loads_beyond_all_cones_have_no_closest(void** unused) {
  (void)unused;
  cones_rig r = table(4, 0.3, FB_CONE_COULOMB, 2); /* friction of 0.3 does not stop it */
  r.P[0] = 1;
  assert_false(fb_cones_closest(&r.problem, r.P, r.work, r.ints));
  cones_free(&r);
}

/* Friction at the feet tips the table: the front pair carries more, left and right the same. */
static void a_sliding_table_is_symmetric_about_its_way(void** unused) {
  (void)unused;
  cones_rig r = table(4, 0.3, FB_CONE_COULOMB, 2);
  assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
  assert_true(cones_off(&r) <= 1e-10);
  assert_true(fabs(r.P[0] - r.P[9]) <= 1e-6 && fabs(r.P[3] - r.P[6]) <= 1e-6);
  assert_true(r.P[0] > r.P[3] + 1e-3);
  for (int i = 0; i < 4; i++) assert_true(fabs(r.P[3 * i + 1] + 0.3 * r.P[3 * i]) <= 1e-9);
  cones_free(&r);
}

/* Boxes of which each carries those above; the heavy one on top. P is the weight above each contact, as exactly as the
 * condition of A, about ratio n^2, allows. */
static void stacks_of_unequal_masses_are_solved(void** unused) {
  (void)unused;
  static const fb_cones_method METHODS[] = {FB_CONES_AUTO, FB_CONES_LEMKE, FB_CONES_ADMM, FB_CONES_INTERIOR};
  for (int i = 0; i < 4 * 16; i++) {
    static const int HEIGHTS[] = {2, 5, 10, 40};
    static const double RATIOS[] = {1, 1e2, 1e4, 1e6};
    int n = HEIGHTS[i / 4 % 4];
    double heavy = RATIOS[i / 16], inverse[40], v[40], J[1600] = {0}, above = heavy;
    cones_rig r = cones_new(n);
    cones_fill(&r, (fb_cone){.kind = FB_CONE_NORMAL});
    for (int k = 0; k < n; k++) {
      inverse[k] = 1 / (k == n - 1 ? heavy : 1);
      v[k] = -9.81e-3;
      J[n * k + k] = 1;
      if (k > 0) J[n * k + k - 1] = -1;
    }
    cones_from_rows(&r, n, J, inverse, v);
    fb_cones_result result = cones_run(&r, METHODS[i % 4]);
    if (result.status != FB_CONES_SOLVED)
      fail_msg("%d boxes, ratio %g, method %d: status %d, residual %g", n, heavy, i % 4, (int)result.status,
               result.residual);
    for (int k = n - 1; k >= 0; k--, above += 1)
      if (!(fabs(r.P[k] / (9.81e-3 * above) - 1) <= fmax(1e-9, 1e-16 * heavy * n * n)))
        fail_msg("%d boxes, ratio %g, method %d: P[%d] = %.15g, not %.15g", n, heavy, i % 4, k, r.P[k],
                 9.81e-3 * above);
    cones_free(&r);
  }
}

static void boxes_hold_until_their_bound(void** unused) {
  (void)unused;
  static const struct {
    double lo, hi, c, P;
  } CASES[] = {{-1, 1, -0.5, 0.5},
               {-1, 1, -3, 1},
               {-1, 1, 3, -1},
               {-1, 1, 0, 0},
               {0, 0, 3, 0},
               {0, 1, 2, 0},
               {-INFINITY, INFINITY, 7, -7},
               {-1, INFINITY, -7, 7}};
  static const fb_cones_method METHODS[] = {FB_CONES_AUTO, FB_CONES_GAUSS_SEIDEL, FB_CONES_ADMM,
                                            FB_CONES_INTERIOR};
  for (int i = 0; i < 8 * 4; i++) {
    cones_rig r = cones_new(2);
    cones_fill(&r, (fb_cone){FB_CONE_BOX, 0, CASES[i / 4].lo, CASES[i / 4].hi});
    r.cones[1] = (fb_cone){FB_CONE_BOX, 0, -1, 1};
    r.A[0] = r.A[3] = 1;
    r.c[0] = CASES[i / 4].c;
    fb_cones_result result = cones_run(&r, METHODS[i % 4]);
    if (result.status != FB_CONES_SOLVED || !(fabs(r.P[0] - CASES[i / 4].P) <= 1e-9) ||
        !(fabs(r.P[1]) <= 1e-9))
      fail_msg("case %d, method %d: status %d, P %g, %g", i / 4, i % 4, (int)result.status, r.P[0], r.P[1]);
    cones_free(&r);
  }
}

/* Random boxes, normals and Coulomb contacts in one problem. */
static void kinds_of_cones_can_be_mixed(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 100; seed++) {
    fb_random random = random_seed((uint64_t)seed);
    cones_rig r = cones_new(6), full = cones_random((uint64_t)seed, 6, ANYWHERE, 100, 1);
    int rows[18], n = 0;
    for (int i = 0; i < 6; i++) {
      int kind = random_index(&random, 3);
      r.cones[i] = (fb_cone){(fb_cone_kind)kind, 0.4, 0, 0};
      if (kind == FB_CONE_BOX) r.cones[i].lo = -0.3, r.cones[i].hi = 0.5;
      for (int k = 0; k < fb_cone_rows(&r.cones[i]); k++) rows[n++] = 3 * i + k;
    }
    r.problem.n = n;
    for (int i = 0; i < n; i++) {
      r.c[i] = full.c[rows[i]];
      for (int j = 0; j < n; j++) r.A[i * n + j] = full.A[rows[i] * 18 + rows[j]];
    }
    fb_cones_result result = cones_run(&r, FB_CONES_AUTO);
    if (result.status != FB_CONES_SOLVED || !(cones_off(&r) <= 1e-9))
      fail_msg("seed %d: status %d, residual %g", seed, (int)result.status, cones_off(&r));
    cones_free(&r);
    cones_free(&full);
  }
}

static void loads_of_an_expansion_are_solved_together(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 100; seed++) {
    cones_rig r = cones_random((uint64_t)seed, 4, UPWARDS, 10, 1);
    for (int i = 0; i < 4; i++) r.cones[i].lo = 0.05 * i;
    fb_cones_result result = cones_run(&r, FB_CONES_AUTO);
    if (result.status != FB_CONES_SOLVED || !(cones_off(&r) <= 1e-9))
      fail_msg("seed %d: status %d, residual %g", seed, (int)result.status, cones_off(&r));
    cones_free(&r);
  }
}

/* Impulses of zero and FB_CONES_NONE, whatever the guess was. */
static void assert_none(cones_rig* r, const char* what) {
  fb_cones_result result = cones_run(r, FB_CONES_AUTO);
  if (result.status != FB_CONES_NONE)
    fail_msg("%s: status %d, residual %g", what, (int)result.status, result.residual);
  for (int i = 0; i < r->problem.n; i++) assert_true(r->P[i] == 0);
  cones_free(r);
}

static void what_is_not_finite_has_no_solution(void** unused) {
  (void)unused;
  static const double BAD[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3 * 4; i++) {
    cones_rig r = cones_random(1, 3, ANYWHERE, 1, 1);
    double* places[4] = {&r.A[40], &r.c[4], &r.P[8], &r.cones[1].mu};
    *places[i % 4] = BAD[i / 4];
    assert_none(&r, "not finite");
  }
}

static void a_squeeze_between_walls_has_no_solution(void** unused) {
  (void)unused;
  /* A body between two walls that both approach: u_1 = -u_2 whatever the impulses. */
  for (int kind = 0; kind < 2; kind++) {
    cones_rig r = cones_new(2);
    cones_fill(&r, (fb_cone){(fb_cone_kind)kind, 0.5, 0, 0});
    int step = r.problem.n / 2, n = r.problem.n;
    for (int k = 0; k < step; k++) {
      r.A[k * n + k] = r.A[(step + k) * n + step + k] = 1;
      r.A[k * n + step + k] = r.A[(step + k) * n + k] = -1;
    }
    r.c[0] = r.c[step] = -1;
    assert_none(&r, kind ? "squeezed with friction" : "squeezed");
  }
  cones_rig fixed = cones_new(1);
  cones_fill(&fixed, (fb_cone){FB_CONE_COULOMB, 0.5, 0, 0});
  fixed.c[0] = -1;
  assert_none(&fixed, "two fixed bodies that approach");
}

/* Painleve: friction along a given slip turns the normal row negative; the impulse then makes it worse. */
static void a_normal_that_pulls_itself_in_has_no_solution(void** unused) {
  (void)unused;
  cones_rig r = cones_new(1);
  cones_fill(&r, (fb_cone){.kind = FB_CONE_NORMAL});
  r.A[0] = -1;
  r.c[0] = -1;
  assert_none(&r, "Painleve");
  /* Two solutions, 0 and 1: one of them is found. */
  r = cones_new(1);
  cones_fill(&r, (fb_cone){.kind = FB_CONE_NORMAL});
  r.A[0] = -1;
  r.c[0] = 1;
  assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
  assert_true(r.P[0] == 0 || fabs(r.P[0] - 1) < 1e-12);
  cones_free(&r);
}

static void no_cones_are_solved(void** unused) {
  (void)unused;
  cones_rig r = cones_new(0);
  assert_int_equal(cones_run(&r, FB_CONES_AUTO).status, FB_CONES_SOLVED);
  cones_free(&r);
}

/* Contacts at the same point share the load; the sum is that of one. */
static void coincident_contacts_share_their_load(void** unused) {
  (void)unused;
  for (int seed = 1; seed <= 20; seed++) {
    cones_rig one = cones_random((uint64_t)seed, 1, ANYWHERE, 1, 1), many = cones_new(7);
    cones_fill(&many, one.cones[0]);
    for (int i = 0; i < 21; i++) {
      many.c[i] = one.c[i % 3];
      for (int j = 0; j < 21; j++) many.A[i * 21 + j] = one.A[i % 3 * 3 + j % 3];
    }
    assert_int_equal(cones_run(&one, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    assert_int_equal(cones_run(&many, FB_CONES_AUTO).status, FB_CONES_SOLVED);
    for (int i = 0; i < 21; i++)
      if (!(fabs(many.P[i] * 7 - one.P[i % 3]) <= 1e-5))
        fail_msg("%d: P[%d] %g", seed, i, many.P[i] * 7 - one.P[i % 3]);
    cones_free(&one);
    cones_free(&many);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reference_problems_are_solved_by_every_method),
      cmocka_unit_test(one_contact_is_solved_in_every_mode),
      cmocka_unit_test(every_method_agrees_on_one_contact),
      cmocka_unit_test(symmetric_feet_carry_equal_loads),
      cmocka_unit_test(only_a_settled_guess_or_a_rough_answer_is_left_as_it_is),
      cmocka_unit_test(closest_loads_are_in_their_cones_and_leave_nothing),
      cmocka_unit_test(loads_beyond_all_cones_have_no_closest),
      cmocka_unit_test(a_sliding_table_is_symmetric_about_its_way),
      cmocka_unit_test(stacks_of_unequal_masses_are_solved),
      cmocka_unit_test(boxes_hold_until_their_bound),
      cmocka_unit_test(kinds_of_cones_can_be_mixed),
      cmocka_unit_test(loads_of_an_expansion_are_solved_together),
      cmocka_unit_test(what_is_not_finite_has_no_solution),
      cmocka_unit_test(a_squeeze_between_walls_has_no_solution),
      cmocka_unit_test(a_normal_that_pulls_itself_in_has_no_solution),
      cmocka_unit_test(no_cones_are_solved),
      cmocka_unit_test(coincident_contacts_share_their_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
