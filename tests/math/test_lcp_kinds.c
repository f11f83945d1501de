/* test_lcp_kinds.c -- random complementarity problems of every kind that contacts make, and of those that are hard for
 * Lemke's method: each is solved to 1e-10, or reported as a ray where a certificate says that there is no solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "lcp_rig.h"

#ifndef SEEDS
#define SEEDS 60
#endif

/* ---- the kinds: each fills a problem of about n unknowns ------------------------------------------------- */

/* q such that z solves it with w: every z or w that is not zero is in 0 .. 1. */
static void make_feasible(fb_random* r, lcp_problem* p) {
  for (int i = 0; i < p->n; i++) {
    p->z[i] = random_index(r, 2) ? random_in(r, 0, 1) : 0;
    p->q[i] = p->z[i] > 0 || random_index(r, 3) == 0 ? 0 : random_in(r, 0, 1);
  }
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) p->q[i] -= p->M[i * p->n + j] * p->z[j];
}

static lcp_problem make_definite(fb_random* r, int n) {
  lcp_problem p = lcp_problem_new(n);
  double* B = lcp_numbers((size_t)(n * n));
  random_fill(r, -1, 1, n * n, B);
  lcp_fill_product(&p, n, n, B);
  random_fill(r, -2, 2, n, p.q);
  free(B);
  return p;
}

static lcp_problem make_semidefinite(fb_random* r, int n) {
  lcp_problem p = lcp_problem_new(n);
  int rank = 1 + random_index(r, n);
  double* B = lcp_numbers((size_t)(n * n));
  random_fill(r, -1, 1, n * rank, B);
  lcp_fill_product(&p, n, rank, B);
  make_feasible(r, &p);
  free(B);
  return p;
}

/* Entries of B in {-1, 0, 1}: many ties. */
static lcp_problem make_integer(fb_random* r, int n) {
  lcp_problem p = lcp_problem_new(n);
  int rank = 1 + random_index(r, n);
  double* B = lcp_numbers((size_t)(n * n));
  for (int i = 0; i < n * rank; i++) B[i] = random_index(r, 3) - 1;
  lcp_fill_product(&p, n, rank, B);
  for (int i = 0; i < n; i++) p.z[i] = random_index(r, 3);
  for (int i = 0; i < n; i++) {
    p.q[i] = p.z[i] > 0 ? 0 : random_index(r, 3);
    for (int j = 0; j < n; j++) p.q[i] -= p.M[i * n + j] * p.z[j];
  }
  free(B);
  return p;
}

/* Definite plus skew: a P-matrix. */
static lcp_problem make_unsymmetric(fb_random* r, int n) {
  lcp_problem p = make_definite(r, n);
  for (int i = 0; i < n; i++) {
    p.M[i * n + i] += 0.1;
    for (int j = 0; j < i; j++) {
      double skew = random_in(r, -2, 2);
      p.M[i * n + j] += skew;
      p.M[j * n + i] -= skew;
    }
  }
  return p;
}

/* Optimality of  min c x + x Q x / 2,  A x >= b,  x >= 0:  [Q -A^T; A 0], [c; -b]; feasible, and bounded since c >= 0. */
static lcp_problem make_program(fb_random* r, int n) {
  int m = n / 3, k = n - m;
  lcp_problem p = lcp_problem_new(n);
  double* B = lcp_numbers((size_t)(n * n));
  int rank = random_index(r, k + 1);
  random_fill(r, -1, 1, k * rank, B);
  lcp_fill_product(&p, k, rank, B);
  for (int i = 0; i < k; i++) {
    p.q[i] = random_in(r, 0, 1);
    p.z[i] = random_in(r, 0, 1);
  }
  for (int i = 0; i < m; i++) {
    double* row = p.M + (k + i) * n;
    random_fill(r, -1, 1, k, row);
    p.q[k + i] = random_in(r, 0, 0.2);
    for (int j = 0; j < k; j++) {
      p.M[j * n + k + i] = -row[j];
      p.q[k + i] -= row[j] * p.z[j];
    }
  }
  free(B);
  return p;
}

/* Problems on which Lemke's method takes 2^n pivots: Murty 1978, Fathi 1979. */
static lcp_problem make_exponential(fb_random* r, int n) {
  if (n > 20) n = 3 + n % 18;
  lcp_problem p = lcp_problem_new(n);
  int fathi = random_index(r, 2), steep = random_index(r, 2);
  for (int i = 0; i < n; i++) {
    p.q[i] = steep ? -ldexp(1, n - i) : -1;
    for (int j = 0; j < n; j++) {
      int low = i < j ? i : j;
      if (fathi)
        p.M[i * n + j] = i == j ? 4 * i + 1 : 4 * low + 2;
      else
        p.M[i * n + j] = i == j ? 1 : j < i ? 2 : 0;
    }
  }
  return p;
}

/* Kostreva 1979, blocks of three: rules of least index cycle. */
static lcp_problem make_cycling(fb_random* r, int n) {
  static const double BLOCK[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
  n = 3 * (n / 3 + 1);
  lcp_problem p = lcp_problem_new(n);
  int* order = (int*)calloc((size_t)n, sizeof *order);
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = random_index(r, i + 1), swap = order[i];
    order[i] = order[k];
    order[k] = swap;
  }
  for (int i = 0; i < n; i++) {
    p.q[order[i]] = -1;
    for (int j = 0; j < 3; j++) p.M[order[i] * n + order[i / 3 * 3 + j]] = BLOCK[i % 3 * 3 + j];
  }
  free(order);
  return p;
}

/* Time stepping with friction: z = impulses N (nc), D (nc nd), speeds (nc). */
typedef struct friction_kind {
  int directions; /* of a pyramid; 2: planar */
  int doubled;    /* every other contact is the one before once more */
  int bodies; /* 0: every contact moves every coordinate; else it is between two bodies of three, or the world */
  double decades; /* masses range over so many powers of ten */
} friction_kind;

/* What a contact moves: all coordinates, or those of two bodies. */
static void fill_part(fb_random* r, const friction_kind* kind, int nv, const int body[2], double* row) {
  for (int j = 0; j < nv; j++)
    row[j] = !kind->bodies || j / 3 == body[0] || j / 3 == body[1] ? random_in(r, -1, 1) : 0;
}

static void fill_rows(fb_random* r, const friction_kind* kind, int nc, int nv, double* W) {
  int nd = kind->directions;
  double* T = lcp_numbers((size_t)(2 * nv));
  for (int c = 0; c < nc; c++) {
    int copied = kind->doubled && c % 2, body[2] = {random_index(r, nv / 3), random_index(r, nv / 3 + 1)};
    double* N = W + c * nv;
    fill_part(r, kind, nv, body, N);
    fill_part(r, kind, nv, body, T);
    fill_part(r, kind, nv, body, T + nv);
    if (copied) memcpy(N, N - nv, (size_t)nv * sizeof *N);
    for (int k = 0; k < nd; k++) {
      double *D = W + (nc + c * nd + k) * nv, angle = 2 * 3.14159265358979323846 * k / nd;
      for (int j = 0; j < nv; j++) D[j] = cos(angle) * T[j] + sin(angle) * T[nv + j];
      if (copied) memcpy(D, D - nd * nv, (size_t)nv * sizeof *D);
    }
  }
  free(T);
}

static lcp_problem make_friction(fb_random* r, int n, const friction_kind* kind) {
  int nd = kind->directions, nc = n / (nd + 2) + 1, rows = nc * (nd + 1),
      nv = 3 * (1 + random_index(r, nc + 2));
  lcp_problem p = lcp_problem_new(rows + nc);
  double *W = lcp_numbers((size_t)(rows * nv)), *v = lcp_numbers((size_t)nv);
  fill_rows(r, kind, nc, nv, W);
  random_fill(r, -1, 1, nv, v);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < nv; j++) p.q[i] += W[i * nv + j] * v[j];
  double factor = 1;
  for (int j = 0; j < nv; j++) {
    if (j % 3 == 0) factor = pow(10, kind->decades * random_in(r, -0.25, 0.25)); /* of M^-1/2 */
    for (int i = 0; i < rows; i++) W[i * nv + j] *= factor;
  }
  lcp_fill_product(&p, rows, nv, W);
  for (int c = 0; c < nc; c++) {
    p.M[(rows + c) * p.n + c] = random_index(r, 8) ? random_in(r, 0, 1) : 0;
    for (int k = 0; k < nd; k++) {
      p.M[(nc + c * nd + k) * p.n + rows + c] = 1;
      p.M[(rows + c) * p.n + nc + c * nd + k] = -1;
    }
  }
  free(W);
  free(v);
  return p;
}

static lcp_problem make_planar(fb_random* r, int n) {
  return make_friction(r, n, &(friction_kind){2, 0, random_index(r, 2), 2});
}

static lcp_problem make_pyramid(fb_random* r, int n) {
  return make_friction(r, n, &(friction_kind){random_index(r, 2) ? 4 : 8, 0, random_index(r, 2), 2});
}

static lcp_problem make_doubled(fb_random* r, int n) {
  return make_friction(r, n, &(friction_kind){random_index(r, 2) ? 2 : 4, 1, random_index(r, 2), 2});
}

static lcp_problem make_scaled(fb_random* r, int n) {
  return make_friction(r, n, &(friction_kind){random_index(r, 2) ? 2 : 4, random_index(r, 2), 1, 6});
}

/* ---- without solution: y >= 0 with y M <= 0 and y q < 0 -------------------------------------------------- */

static lcp_problem make_hopeless_row(fb_random* r, int n) {
  lcp_problem p = make_unsymmetric(r, n);
  int row = random_index(r, n);
  random_fill(r, -1, 0, n, p.M + row * n);
  p.q[row] = random_in(r, -1, -0.1);
  return p;
}

static lcp_problem make_hopeless_semidefinite(fb_random* r, int n) {
  n = n < 3 ? 3 : n;
  lcp_problem p = lcp_problem_new(n);
  int rank = 1 + random_index(r, n);
  double *B = lcp_numbers((size_t)(n * n)), *y = lcp_numbers((size_t)n), square = 0, along = 0;
  random_fill(r, -1, 1, n * rank, B);
  random_fill(r, -1, 1, n, p.q);
  for (int i = 0; i < n; i++) y[i] = i < 2 || random_index(r, 2) ? random_in(r, 0.1, 1) : 0;
  for (int i = 0; i < n; i++) square += y[i] * y[i];
  for (int i = 0; i < n; i++) along += y[i] * p.q[i];
  for (int i = 0; i < n; i++) p.q[i] -= y[i] * (along + random_in(r, 0.1, 1)) / square;
  for (int k = 0; k < rank; k++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i] * B[i * rank + k];
    for (int i = 0; i < n; i++) B[i * rank + k] -= y[i] * sum / square;
  }
  lcp_fill_product(&p, n, rank, B);
  free(B);
  free(y);
  return p;
}

/* A program whose first condition, a x >= b with a <= 0 and b > 0, nothing meets. */
static lcp_problem make_hopeless_program(fb_random* r, int n) {
  lcp_problem p = make_program(r, n < 3 ? 3 : n);
  int k = p.n - p.n / 3;
  for (int j = 0; j < k; j++) {
    p.M[k * p.n + j] = -random_in(r, 0, 1);
    p.M[j * p.n + k] = -p.M[k * p.n + j];
  }
  p.q[k] = random_in(r, -1, -0.1);
  return p;
}

/* Any matrix: there may be solutions or none. */
static lcp_problem make_any(fb_random* r, int n) {
  lcp_problem p = lcp_problem_new(n);
  random_fill(r, -1, 1, n * n, p.M);
  random_fill(r, -1, 1, n, p.q);
  return p;
}

/* ---- tests ----------------------------------------------------------------------------------------------- */

typedef enum expected { SOLUTION, NONE, EITHER } expected;

static const struct {
  const char* name;
  lcp_problem (*make)(fb_random* r, int n);
  expected expected;
} KINDS[] = {
    {"definite", make_definite, SOLUTION},
    {"semidefinite", make_semidefinite, SOLUTION},
    {"integer", make_integer, SOLUTION},
    {"unsymmetric", make_unsymmetric, SOLUTION},
    {"program", make_program, SOLUTION},
    {"exponential", make_exponential, SOLUTION},
    {"cycling", make_cycling, SOLUTION},
    {"planar friction", make_planar, SOLUTION},
    {"friction with pyramids", make_pyramid, SOLUTION},
    {"friction, contacts doubled", make_doubled, SOLUTION},
    {"friction, badly scaled", make_scaled, SOLUTION},
    {"a row without solution", make_hopeless_row, NONE},
    {"semidefinite without solution", make_hopeless_semidefinite, NONE},
    {"program without solution", make_hopeless_program, NONE},
    {"any", make_any, EITHER},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* Small ones often, since they are degenerate more often; one in ten is large. */
static int choose_size(fb_random* r) {
  return random_index(r, 10) == 0 ? 60 + random_index(r, 60)
                                  : 1 + random_index(r, random_index(r, 2) ? 8 : 60);
}

static int kinds_failed;

static void try_kind(int kind, int seed) {
  fb_random r = random_seed((uint64_t)(1000003 * (kind + 1) + seed));
  lcp_problem p = KINDS[kind].make(&r, choose_size(&r));
  fb_lcp_result result = lcp_solve(&p);
  double error = result == FB_LCP_SOLVED ? lcp_error(&p) : 0;
  expected expected = KINDS[kind].expected;
  int fine =
      error <= 1e-10 && (expected == EITHER ? result != FB_LCP_INEXACT
                                            : result == (expected == NONE ? FB_LCP_RAY : FB_LCP_SOLVED));
  if (!fine) {
    print_message("%s %d: n = %d, result %d, residual %g, error %g\n", KINDS[kind].name, seed, p.n,
                  (int)result, p.residual, error);
    kinds_failed++;
  }
  lcp_problem_free(&p);
}

static void every_kind_is_solved_or_ends_on_a_ray(void** unused) {
  (void)unused;
  for (int kind = 0; kind < KIND_COUNT; kind++)
    for (int seed = 1; seed <= SEEDS; seed++) try_kind(kind, seed);
  assert_int_equal(kinds_failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_solved_or_ends_on_a_ray),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
