/* qp.c -- least squares by priority: a primal active-set method in the null space of the levels before
 *
 *   x = x + Z z,  Z an orthonormal basis of what the levels before leave open
 *   working set W, inequalities held as equations:  N = Z null(C_W Z),  step p = N (A N)^+ (b - A x)
 *   up to the first inequality that p would break, which joins W; without one, multipliers
 *   C_W^T y = A^T (b - A x) within Z decide: all y >= 0 is the optimum, else the inequality of the least y leaves
 *
 * (Nocedal and Wright 2006, 16.5; levels as Escande, Mansard and Wieber 2014.) Every x on the way satisfies the
 * inequalities. A N may have any rank: the shortest of the best steps is taken. After many iterations the lowest
 * index leaves and joins (Bland), so that points where many inequalities meet do not cycle. Cost O(n^3) an iteration, and about
 * one for each level and each inequality that becomes active. */
#include "math/qp.h"

#include <math.h>
#include <string.h>

#include "math/array.h"
#include "math/dot.h"
#include "math/span.h"

static const double DEPENDENT =
    1e-9; /* of a level's largest row: rows of which less is left depend on others */
static const double PARALLEL = 1e-11;      /* of the lengths of the step and of the inequality */
static const double NO_MULTIPLIER = 1e-12; /* of the sizes that a multiplier came from */
static const double ROUNDING = 1e-14;      /* of the sizes that a step came from */

typedef struct qp {
  const fb_qp* of;
  const fb_qp_level* level;
  double *x, *Z, *N, *M, *r, *p, *y, *g, *w;
  double size;       /* length of the level's longest row */
  int nz, nn;        /* columns of Z and N */
  int *set, nset;    /* the working set */
  unsigned char* in; /* [nbound] 1: in the working set */
  fb_span span, inner;
  int iterations;
} qp;

static size_t larger(int a, int b) {
  return (size_t)(a > b ? a : b);
}

/* Vectors of n; rows of a level, or the working set, which has at most n. */
size_t fb_qp_work_size(int n, int nbound, int rows) {
  size_t most = larger(n, rows), c = (size_t)n;
  (void)nbound;
  return c + 2 * c * c + most * c + most * most + 9 * most;
}

size_t fb_qp_int_size(int n, int nbound, int rows) {
  size_t most = larger(n, rows);
  return (size_t)n + 2 * most + ((size_t)nbound + sizeof(int) - 1) / sizeof(int) + 1;
}

static void lay_out(qp* s, int rows, double* work, int* ints) {
  size_t most = larger(s->of->n, rows), n = (size_t)s->of->n;
  double** const parts[] = {&s->r,           &s->p,           &s->y,           &s->g,
                            &s->w,           &s->span.pivots, &s->span.halves, &s->inner.pivots,
                            &s->inner.halves};
  s->Z = work;
  s->N = s->Z + n * n;
  s->M = s->N + n * n;
  s->inner.vectors = s->M + most * n;
  work = s->inner.vectors + most * most;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, work += most) *parts[i] = work;
  s->span.vectors = s->M;
  s->set = ints;
  s->span.order = s->set + n;
  s->inner.order = s->span.order + most;
  s->in = (unsigned char*)(s->inner.order + most);
}

static const double* bound(const qp* s, int i) {
  return s->of->C + (size_t)i * (size_t)s->of->n;
}

static const double* row(const qp* s, int i) {
  return s->level->A + (size_t)i * (size_t)s->of->n;
}

/* A row of the problem in the coordinates of a basis, whose vectors follow one another. */
static void project(const double* a, const double* basis, int count, int n, double* out) {
  for (int k = 0; k < count; k++) out[k] = fb_dot(a, basis + (size_t)k * (size_t)n, n);
}

/* The vectors of a basis that are orthogonal to the span, in place of *count of them: out may not be basis. */
static void complement(const qp* s, const double* basis, int* count, double* e, double* out) {
  int n = s->of->n, left = *count - s->span.rank;
  for (int k = 0; k < left; k++) {
    double* to = out + (size_t)k * (size_t)n;
    memset(e, 0, (size_t)*count * sizeof *e);
    e[s->span.rank + k] = 1;
    fb_span_apply(&s->span, e);
    memset(to, 0, (size_t)n * sizeof *to);
    for (int j = 0; j < *count; j++)
      for (int i = 0; i < n; i++) to[i] += e[j] * basis[(size_t)j * (size_t)n + (size_t)i];
  }
  *count = left;
}

/* The span of the working set in Z; inequalities that depend on others leave it. Then N. */
static void factor_set(qp* s) {
  s->span.count = s->nset;
  s->span.n = s->nz;
  for (int i = 0; i < s->nset; i++)
    project(bound(s, s->set[i]), s->Z, s->nz, s->of->n, s->M + (size_t)i * (size_t)s->nz);
  fb_span_factor(&s->span, DEPENDENT);
}

static void fill_basis(qp* s) {
  for (;;) {
    factor_set(s);
    if (s->span.rank == s->nset) break;
    int out = s->set[s->span.order[s->nset - 1]], kept = 0;
    for (int i = 0; i < s->nset; i++)
      if (s->set[i] != out) s->set[kept++] = s->set[i];
    s->in[out] = 0;
    s->nset = kept;
  }
  s->nn = s->nz;
  if (s->nset > 0)
    complement(s, s->Z, &s->nn, s->w, s->N);
  else
    memcpy(s->N, s->Z, (size_t)s->nz * (size_t)s->of->n * sizeof *s->N);
}

static double level_size(const qp* s) {
  double most = 0;
  for (int i = 0; i < s->level->rows; i++) most = fmax(most, fb_dot(row(s, i), row(s, i), s->of->n));
  return sqrt(most);
}

/* r = b - A x */
static void fill_residual(qp* s) {
  for (int i = 0; i < s->level->rows; i++) s->r[i] = s->level->b[i] - fb_dot(row(s, i), s->x, s->of->n);
}

/* The level's rows in a basis, factored. */
static void factor_level(qp* s, const double* basis, int count) {
  s->span.count = s->level->rows;
  s->span.n = count;
  for (int i = 0; i < s->level->rows; i++)
    project(row(s, i), basis, count, s->of->n, s->M + (size_t)i * (size_t)count);
  fb_span_factor(&s->span, DEPENDENT * s->size);
}

static void fill_step(qp* s) {
  int n = s->of->n;
  fill_residual(s);
  factor_level(s, s->N, s->nn);
  fb_span_least_squares(&s->span, s->r, &s->inner, s->w, s->y);
  memset(s->p, 0, (size_t)n * sizeof *s->p);
  for (int k = 0; k < s->nn; k++)
    for (int i = 0; i < n; i++) s->p[i] += s->y[k] * s->N[(size_t)k * (size_t)n + (size_t)i];
}

/* Whether the step brings the level nearer by more than rounding. */
static int step_counts(const qp* s) {
  double gain = 0, size = sqrt(fb_dot(s->x, s->x, s->of->n)) * s->size;
  for (int i = 0; i < s->level->rows; i++) {
    gain = fmax(gain, fabs(fb_dot(row(s, i), s->p, s->of->n)));
    size = fmax(size, fabs(s->level->b[i]));
  }
  return gain > ROUNDING * size;
}

/* How much of the step can be made, at most all of it, and the inequality that ends it; -1: none does. */
static double find_block(const qp* s, int* blocks) {
  double part = 1, length = sqrt(fb_dot(s->p, s->p, s->of->n));
  *blocks = -1;
  for (int i = 0; i < s->of->nbound; i++) {
    if (s->in[i]) continue;
    double towards = fb_dot(bound(s, i), s->p, s->of->n),
           room = s->of->d[i] - fb_dot(bound(s, i), s->x, s->of->n);
    if (!(towards > PARALLEL * length)) continue;
    double fraction = fmax(room, 0) / towards;
    if (fraction < part) part = fraction, *blocks = i;
  }
  return part;
}

/* The place in the working set of the inequality that holds the level back; -1: none, x is the optimum. */
static int find_release(qp* s, int bland) {
  int n = s->of->n, worst = -1;
  double size = 0, least = 0;
  if (s->nset == 0) return -1;
  fill_residual(s);
  memset(s->p, 0, (size_t)n * sizeof *s->p);
  for (int i = 0; i < s->level->rows; i++) {
    size += fabs(s->level->b[i]) * sqrt(fb_dot(row(s, i), row(s, i), n));
    for (int k = 0; k < n; k++) s->p[k] += s->r[i] * row(s, i)[k];
  }
  size = NO_MULTIPLIER * (size + sqrt(fb_dot(s->x, s->x, n)) * s->size * s->size);
  project(s->p, s->Z, s->nz, n, s->g);
  factor_set(s);
  fb_span_combine(&s->span, s->g, s->y);
  for (int i = 0; i < s->nset; i++) {
    if (s->y[i] >= -size || (bland && worst >= 0 && s->set[i] > s->set[worst])) continue;
    if (bland || s->y[i] < least) least = s->y[i], worst = i;
  }
  return worst;
}

/* One level from x, which is feasible; 0 at the limit of iterations. */
static int solve_level(qp* s) {
  int n = s->of->n, limit = 4 * (n + s->of->nbound) + 20;
  s->size = level_size(s);
  for (int round = 0; round < limit; round++) {
    int bland = round > limit / 2, blocks = -1;
    s->iterations++;
    fill_basis(s);
    if (s->nn > 0) {
      fill_step(s);
      double part = step_counts(s) ? find_block(s, &blocks) : 0;
      for (int i = 0; i < n; i++) s->x[i] += part * s->p[i];
    }
    if (blocks >= 0) {
      s->set[s->nset++] = blocks;
      s->in[blocks] = 1;
      continue;
    }
    int release = find_release(s, bland);
    if (release < 0) return 1;
    s->in[s->set[release]] = 0;
    s->set[release] = s->set[--s->nset];
  }
  return 0;
}

/* Z without the directions that this level determines. */
static void leave_level(qp* s) {
  factor_level(s, s->Z, s->nz);
  complement(s, s->Z, &s->nz, s->w, s->N);
  double* swap = s->Z;
  s->Z = s->N;
  s->N = swap;
}

static int all_finite(const fb_qp* p, const double* x) {
  int good = fb_array_is_finite(x, p->n) && fb_array_is_finite(p->C, p->n * p->nbound) &&
             fb_array_is_finite(p->d, p->nbound);
  for (int i = 0; i < p->nlevel; i++)
    good = good && fb_array_is_finite(p->levels[i].A, p->n * p->levels[i].rows) &&
           fb_array_is_finite(p->levels[i].b, p->levels[i].rows);
  return good;
}

static fb_qp_result solve_levels(const fb_qp* problem, int rows, double* x, double* work, int* ints) {
  fb_qp_result result = {.solved = 1};
  qp s = {.of = problem, .x = x, .nz = problem->n};
  lay_out(&s, rows, work, ints);
  memset(s.Z, 0, (size_t)s.nz * (size_t)s.nz * sizeof *s.Z);
  for (size_t i = 0; i < (size_t)s.nz; i++) s.Z[i * (size_t)s.nz + i] = 1;
  memset(s.in, 0, (size_t)problem->nbound);
  for (int i = 0; i < problem->nlevel && s.nz > 0; i++) {
    s.level = &problem->levels[i];
    if (s.level->rows == 0) continue;
    result.solved = solve_level(&s) && result.solved;
    if (i + 1 < problem->nlevel) leave_level(&s);
  }
  result.iterations = s.iterations;
  result.active = s.nset;
  return result;
}

static int is_feasible(const fb_qp* p, const double* x) {
  for (int i = 0; i < p->nbound; i++)
    if (!(fb_dot(p->C + (size_t)i * (size_t)p->n, x, p->n) <= p->d[i])) return 0;
  return 1;
}

/* First as if there were no inequalities: where that breaks none, it is the solution, and found in one step a level. */
fb_qp_result fb_qp_solve(const fb_qp* problem, double* x, double* work, int* ints) {
  fb_qp unbounded = *problem;
  double* y = work;
  int rows = 0;
  if (!all_finite(problem, x)) return (fb_qp_result){0};
  for (int i = 0; i < problem->nlevel; i++)
    rows = problem->levels[i].rows > rows ? problem->levels[i].rows : rows;
  unbounded.nbound = 0;
  work += problem->n;
  memcpy(y, x, (size_t)problem->n * sizeof *y);
  fb_qp_result result = solve_levels(&unbounded, rows, y, work, ints), full;
  if (is_feasible(problem, y)) {
    memcpy(x, y, (size_t)problem->n * sizeof *x);
    return result;
  }
  full = solve_levels(problem, rows, x, work, ints);
  full.iterations += result.iterations;
  return full;
}
