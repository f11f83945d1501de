/* test_svd.c -- singular values and orthogonal complements against what defines them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/svd.h"
#include "near.h"
#include "random_tree.h"

enum { MOST = 40 };

typedef struct matrix_case {
  const char* name;
  int rows, cols, rank;
  double spread; /* factor r scales the r-th of the rank-one parts by spread^r */
} matrix_case;

static const matrix_case CASES[] = {
    {"a number", 1, 1, 1, 1},
    {"a row", 1, 7, 1, 1},
    {"a column", 5, 1, 1, 1},
    {"square", 6, 6, 6, 1},
    {"tall", 12, 6, 6, 1},
    {"wide", 6, 40, 6, 1},
    {"square of rank 3", 6, 6, 3, 1},
    {"wide of rank 2", 6, 30, 2, 1},
    {"tall of rank 1", 30, 6, 1, 1},
    {"graded over twelve decades", 6, 9, 5, 1e-3},
    {"zero", 4, 6, 0, 1},
};
enum { NCASE = sizeof CASES / sizeof CASES[0] };

/* A sum of `rank` random rank-one matrices. */
static void fill(const matrix_case* c, fb_random* r, double* A) {
  double part = 1;
  memset(A, 0, sizeof(double) * (size_t)(c->rows * c->cols));
  for (int k = 0; k < c->rank; k++, part *= c->spread) {
    double a[MOST], b[MOST];
    random_fill(r, -1, 1, c->rows, a);
    random_fill(r, -1, 1, c->cols, b);
    for (int i = 0; i < c->rows; i++)
      for (int j = 0; j < c->cols; j++) A[i * c->cols + j] += part * a[i] * b[j];
  }
}

/* Columns first .. count-1 of Q (n rows, k columns) are orthonormal. */
static void check_orthonormal(const char* what, const double* Q, int n, int k, int count) {
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      double sum = 0, want = a == b;
      for (int i = 0; i < n; i++) sum += Q[i * k + a] * Q[i * k + b];
      assert_near_of(1, what, &sum, &want, 1, 1e-14);
    }
}

static void check_decomposition(const matrix_case* c, const double* A) {
  int k = c->rows < c->cols ? c->rows : c->cols;
  double s[MOST], U[MOST * MOST], V[MOST * MOST], got[MOST * MOST] = {0};
  double* work = numbers_new((int)fb_svd_work(c->rows, c->cols));
  fb_svd(A, c->rows, c->cols, s, U, V, work);
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->cols; j++)
      for (int v = 0; v < k; v++) got[i * c->cols + j] += U[i * k + v] * s[v] * V[j * k + v];
  assert_near(c->name, got, A, c->rows * c->cols, 1e-14);
  for (int v = 0; v + 1 < k; v++) assert_true(s[v] >= s[v + 1]);
  for (int v = 0; v < k; v++) assert_true(s[v] >= 0 && (v < c->rank) == (s[v] > 1e-14 * s[0]));
  check_orthonormal(c->name, U, c->rows, k, c->rows < c->cols ? k : c->rank);
  check_orthonormal(c->name, V, c->cols, k, c->cols <= c->rows ? k : c->rank);
  free(work);
}

static void factors_multiply_to_the_matrix_and_are_orthonormal(void** unused) {
  (void)unused;
  fb_random r = random_seed(5);
  double A[MOST * MOST];
  for (int round = 0; round < 50; round++)
    for (int i = 0; i < NCASE; i++) {
      fill(&CASES[i], &r, A);
      check_decomposition(&CASES[i], A);
    }
}

/* Huge and tiny numbers: squares would overflow or vanish. */
static void scale_does_not_matter(void** unused) {
  (void)unused;
  const double A[6] = {3, 0, 0, 4, 0, 0};
  for (int e = -200; e <= 200; e += 100) {
    double B[6], s[2], U[6], V[4], work[10], scale = pow(10, e);
    for (int i = 0; i < 6; i++) B[i] = A[i] * scale;
    fb_svd(B, 3, 2, s, U, V, work);
    assert_near("values", (const double[2]){s[0] / scale, s[1] / scale}, (const double[2]){4, 3}, 2, 1e-15);
  }
}

static void complement_is_orthonormal_and_orthogonal(void** unused) {
  (void)unused;
  fb_random r = random_seed(6);
  for (int n = 1; n <= MOST; n++) {
    int rank = random_index(&r, n < 6 ? n + 1 : 7);
    const matrix_case c = {"random", rank, n, rank, 1};
    double A[6 * MOST], s[6], U[36], V[6 * MOST], basis[MOST * MOST], work[7 * MOST + 36];
    fill(&c, &r, A);
    fb_svd(A, rank, n, s, U, V, work);
    fb_orthogonal_complement(V, rank, n, rank, basis, n, work);
    check_orthonormal("complement", basis, n, n, n - rank);
    for (int a = 0; a < n - rank; a++)
      for (int row = 0; row < rank; row++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += A[row * n + j] * basis[j * n + a];
        assert_near_of(worst_of(A, rank * n), "A basis = 0", &sum, (const double[1]){0}, 1, 1e-13);
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_multiply_to_the_matrix_and_are_orthonormal),
      cmocka_unit_test(scale_does_not_matter),
      cmocka_unit_test(complement_is_orthonormal_and_orthogonal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
