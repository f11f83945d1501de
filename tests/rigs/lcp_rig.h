/* lcp_rig.h -- a linear complementarity problem with its memory, solved and checked from M, q and z alone. */
#ifndef FB_TESTS_LCP_RIG_H
#define FB_TESTS_LCP_RIG_H

#include <math.h>
#include <stdlib.h>

#include <freebody/lcp.h>

#include "keep_nan.h"
#include "random.h"

typedef struct lcp_problem {
  int n;
  double *M, *q, *z, *w, *work;
  int* basis;
  double residual; /* as the solver says */
} lcp_problem;

static inline double* lcp_numbers(size_t count) {
  double* x = (double*)calloc(count + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline lcp_problem lcp_problem_new(int n) {
  size_t size = (size_t)n;
  lcp_problem p = {.n = n};
  p.M = lcp_numbers(size * size);
  p.q = lcp_numbers(size);
  p.z = lcp_numbers(size);
  p.w = lcp_numbers(size);
  p.work = lcp_numbers(fb_lcp_work_size(n));
  p.basis = (int*)calloc(fb_lcp_basis_size(n) + 1, sizeof(int));
  assert_non_null(p.basis);
  return p;
}

static inline void lcp_problem_free(lcp_problem* p) {
  free(p->M);
  free(p->q);
  free(p->z);
  free(p->w);
  free(p->work);
  free(p->basis);
}

static inline fb_lcp_result lcp_solve(lcp_problem* p) {
  double residual;
  fb_lcp_result result = fb_lcp_solve(p->n, p->M, p->q, p->z, p->w, p->work, p->basis, &residual);
  p->residual = residual;
  return result;
}

/* max |min(z, M z + q)| over max(1, |q|), from the problem itself; infinite when w is not M z + q. */
static inline double lcp_error(const lcp_problem* p) {
  double worst = 0, size = worse_of(1, worst_of(p->q, p->n));
  for (int i = 0; i < p->n; i++) {
    double w = p->q[i], terms = fabs(w);
    for (int j = 0; j < p->n; j++) {
      double term = p->M[i * p->n + j] * p->z[j];
      w += term;
      terms += fabs(term);
    }
    if (!(fabs(w - p->w[i]) <= 1e-13 * terms)) return INFINITY; /* rounding of up to 100 terms */
    worst = worse_of(worst, fabs(lesser_of(p->z[i], w)));
  }
  return worst / size;
}

/* B B^T into the upper left corner of M; B is n x rank. */
static inline void lcp_fill_product(lcp_problem* p, int n, int rank, const double* B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += B[i * rank + k] * B[j * rank + k];
      p->M[i * p->n + j] = sum;
    }
}

#endif
