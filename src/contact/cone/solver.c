/* solver.c -- contact impulses: checks and scales the problem, and chooses the method.
 *
 *   few rows, or free bodies, and a guess: Newton's method
 *   normals and boxes, few    Lemke's method, exact
 *   else                      Gauss-Seidel, while it makes progress; Newton's method from there; interior points;
 *                             ADMM with Newton's method; for few contacts a pyramid by Lemke and Newton's method;
 *                             Gauss-Seidel to the end
 *
 * The best point of all is the answer, with its residual. docs/theory/cones.md. */
#include "contact/cone/solver.h"

#include <math.h>
#include <string.h>

#include "contact/cone/cones.h"
#include "math/dot.h"

enum {
  VECTORS = 11, /* [n] arrays of fb_cones in work */
  FEW_ROWS = 48 /* up to here a step of Newton's method costs no more than a few sweeps */
};

size_t fb_cones_work_size(int n) {
  size_t rows = (size_t)n;
  return rows * rows * 2 + rows * (VECTORS + 18) + fb_cones_lemke_size(n);
}

/* Of bodies, A is formed for few rows only. */
static int most_formed(int n) {
  return n < FEW_ROWS ? n : FEW_ROWS;
}

size_t fb_cones_bodies_size(int n, int nbody) {
  const size_t rows = (size_t)n, formed = (size_t)most_formed(n);
  return formed * formed * 2 + rows * (VECTORS + 18 + 39) + 18 * (size_t)nbody + fb_cones_lemke_size(n);
}

size_t fb_cones_int_size(int n) {
  return 4 * (size_t)n + fb_cones_lemke_ints(n);
}

static double* take(double** work, size_t count) {
  double* at = *work;
  *work += count;
  return at;
}

static void divide_work(fb_cones* p, double* work, int* ints) {
  const int n = p->n;
  const size_t rows = (size_t)n, formed = (size_t)(p->bodies ? most_formed(n) : n);
  double** vectors[VECTORS] = {&p->c,    &p->lo,    &p->hi,   &p->scale, &p->best, &p->u,
                               &p->step, &p->trial, &p->kept, &p->dual,  &p->other};
  for (int i = 0; i < VECTORS; i++) *vectors[i] = take(&work, rows);
  p->inverse = take(&work, 9 * rows);
  p->A = take(&work, formed * formed);
  p->square = take(&work, formed * formed);
  p->path = take(&work, 9 * rows);
  if (p->bodies) {
    p->J = take(&work, 12 * rows);
    p->weight = take(&work, 9 * rows);
    p->metric = take(&work, 9 * rows);
    p->block = take(&work, 9 * rows);
    p->dv = take(&work, 6 * (size_t)p->bodies->nbody);
    p->push = take(&work, 6 * (size_t)p->bodies->nbody);
    p->motion = take(&work, 6 * (size_t)p->bodies->nbody);
  }
  p->lemke = work;
  p->rows = ints + n;
  p->list = ints + 2 * n;
  p->fixed = ints + 3 * n;
  p->basis = ints + 4 * n;
}

static int is_sound(const fb_cones_problem* problem, const double* P) {
  int rows = 0;
  for (int i = 0; i < problem->ncone; i++) {
    const fb_cone* cone = &problem->cones[i];
    rows += fb_cone_rows(cone);
    if (cone->kind == FB_CONE_COULOMB && !(cone->mu >= 0 && isfinite(cone->mu))) return 0;
    if (cone->kind == FB_CONE_COULOMB && !(cone->lo >= 0 && isfinite(cone->lo))) return 0;
    if (cone->kind == FB_CONE_BOX && !(cone->lo <= 0 && cone->hi >= 0)) return 0;
  }
  if (rows != problem->n) return 0;
  const size_t numbers = problem->bodies ? 12 * (size_t)rows : (size_t)rows * (size_t)rows;
  const double* of = problem->bodies ? problem->bodies->J : problem->A;
  for (size_t i = 0; i < numbers; i++)
    if (!isfinite(of[i])) return 0;
  for (int i = 0; i < rows; i++)
    if (!isfinite(problem->c[i]) || !isfinite(P[i])) return 0;
  return 1;
}

static double diagonal(const fb_cones_problem* problem, int row) {
  return problem->bodies ? fb_bodies_own_response(problem->bodies, row)
                         : problem->A[(size_t)row * (size_t)problem->n + (size_t)row];
}

/* The root of the mean diagonal of each block, into all its rows; blocks of zeros get that of the largest. */
static void find_scale(const fb_cones_problem* problem, double* scale) {
  double largest = 0;
  for (int i = 0, at = 0; i < problem->ncone; i++) {
    int rows = fb_cone_rows(&problem->cones[i]);
    double sum = 0;
    for (int k = at; k < at + rows; k++) sum += fabs(diagonal(problem, k));
    for (int k = at; k < at + rows; k++) scale[k] = sqrt(sum / rows);
    largest = fmax(largest, scale[at]);
    at += rows;
  }
  for (int i = 0; i < problem->n; i++)
    if (!(scale[i] > 0)) scale[i] = largest > 0 ? largest : 1;
}

/* A cone in the form of the projections: with the bounds of a normal, scaled. */
static fb_cone scaled_cone(const fb_cone* cone, double scale) {
  fb_cone out = *cone;
  out.lo = cone->kind == FB_CONE_NORMAL ? 0 : cone->lo * scale;
  out.hi = cone->kind == FB_CONE_BOX ? cone->hi * scale : INFINITY;
  return out;
}

static void scale_matrix(const fb_cones_problem* problem, fb_cones* p) {
  const size_t n = (size_t)p->n;
  double skew = 0;
  double* by = p->step;
  for (size_t i = 0; i < n; i++) by[i] = 1 / p->scale[i];
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) p->A[i * n + j] = problem->A[i * n + j] * (by[i] * by[j]);
    for (size_t j = 0; j < i; j++) skew = fmax(skew, fabs(p->A[i * n + j] - p->A[j * n + i]));
  }
  p->symmetric = skew <= 1e-12;
}

static void scale_problem(const fb_cones_problem* problem, fb_cones* p) {
  p->symmetric = 1;
  if (p->bodies)
    fb_cones_scale_bodies(problem, p);
  else
    scale_matrix(problem, p);
  for (int i = 0; i < p->n; i++) p->c[i] = problem->c[i] / p->scale[i];
  for (int i = 0; i < p->ncone; i++) {
    const fb_cone cone = scaled_cone(&p->cones[i], p->scale[p->first[i]]);
    p->lo[i] = cone.lo;
    p->hi[i] = cone.hi;
  }
}

/* What residuals are relative to. */
static double size_of(const fb_cones_problem* problem) {
  const double size = fmax(problem->size, fb_array_largest(problem->c, problem->n));
  return size > 0 ? size : 1;
}

static const double GOAL = 0.01; /* of the tolerance: better than what was requested */

static double tolerance_of(const fb_cones_problem* problem) {
  return problem->tolerance > 0 ? problem->tolerance : 1e-10;
}

static fb_cones set_up(const fb_cones_problem* problem, double* work, int* ints) {
  fb_cones p = {.ncone = problem->ncone,
                .n = problem->n,
                .cones = problem->cones,
                .bodies = problem->bodies,
                .first = ints};
  divide_work(&p, work, ints);
  p.tolerance = tolerance_of(problem);
  p.goal = GOAL * p.tolerance;
  p.limit = problem->limit > 0 ? problem->limit : 20000;
  p.best_residual = INFINITY;
  p.size = size_of(problem);
  find_scale(problem, p.scale);
  for (int i = 0, at = 0; i < p.ncone; at += fb_cone_rows(&p.cones[i]), i++) ints[i] = at;
  scale_problem(problem, &p);
  return p;
}

static int has_friction(const fb_cones* p) {
  for (int i = 0; i < p->ncone; i++)
    if (p->cones[i].kind == FB_CONE_COULOMB) return 1;
  return 0;
}

/* Newton's method from the best so far. */
static void polish(fb_cones* p, double* P, int steps) {
  if (fb_cones_done(p)) return;
  memcpy(P, p->best, (size_t)p->n * sizeof *P);
  fb_cones_newton(p, P, steps);
}

/* Where a step of Newton's method is cheap, on to the end of the digits: sums of loads are then right to rounding. */
static void refine(fb_cones* p, double* P) {
  const double goal = p->goal, floor = p->best_floor;
  if (p->n > FEW_ROWS || p->best_residual <= 0.5 * floor) return; /* twice the rounding of u */
  p->goal = p->best_floor = 0;
  polish(p, P, 2);
  p->goal = goal;
  p->best_floor = fmax(p->best_floor, floor);
}

static int by_lemke(fb_cones* p, double* P) {
  p->method = FB_CONES_LEMKE;
  if (p->bodies && p->n <= FEW_ROWS) fb_cones_form(p);
  int arrived = fb_cones_lemke(p, P);
  if (arrived > 0) fb_cones_newton(p, P, 30);
  return arrived;
}

static void by_gauss_seidel(fb_cones* p, double* P, int sweeps, int may_give_up) {
  p->method = FB_CONES_GAUSS_SEIDEL;
  fb_cones_gauss_seidel(p, P, sweeps, may_give_up);
}

static void by_interior(fb_cones* p, double* P) {
  p->method = FB_CONES_INTERIOR;
  fb_cones_interior(p, P);
  polish(p, P, 30);
}

static void by_admm(fb_cones* p, double* P, int steps) {
  p->method = FB_CONES_ADMM;
  fb_cones_admm(p, P, steps);
  polish(p, P, 30);
}

/* Of bodies, many rows, the methods that follow are tried only where the ones before leave more than this: a step has a bounded
 * cost. */
static const double CLOSE = 1e-8, FAR = 1e-6;

static int is_within(const fb_cones* p, double residual) {
  return fb_cones_done(p) || (p->bodies && p->n > FEW_ROWS && p->best_residual <= residual);
}

/* From one method to the next until one converges. */
static void by_any(fb_cones* p, double* P) {
  const size_t size = (size_t)p->n * sizeof *P;
  int plain = !has_friction(p);
  if ((p->bodies || p->n <= FEW_ROWS) && fb_array_largest(P, p->n) > 0) {
    /* The modes of the guess are often the right ones. */
    fb_cones_newton(p, P, p->bodies ? 10 : 4);
    if (fb_cones_done(p)) return;
    memcpy(P, p->best, size);
  }
  if (plain) p->ray = by_lemke(p, P) == 0;
  if (fb_cones_done(p)) return;
  by_gauss_seidel(p, P, 300, 1);
  polish(p, P, 30);
  if (is_within(p, p->tolerance)) return;
  by_interior(p, P);
  if (is_within(p, CLOSE)) return;
  memcpy(P, p->best, size);
  by_admm(p, P, 400);
  if (is_within(p, CLOSE)) return;
  if (!plain) by_lemke(p, P);
  if (is_within(p, FAR)) return;
  memcpy(P, p->best, size);
  by_gauss_seidel(p, P, p->n < 100 && !p->bodies ? 2000 : 200, 0);
  polish(p, P, 30);
}

static void run(fb_cones* p, fb_cones_method method, double* P) {
  fb_cones_keep(p, P, p->u, 0);
  if (fb_cones_done(p)) return;
  if (method == FB_CONES_LEMKE)
    p->ray = by_lemke(p, P) == 0 && !has_friction(p);
  else if (method == FB_CONES_GAUSS_SEIDEL)
    by_gauss_seidel(p, P, p->limit, 0);
  else if (method == FB_CONES_INTERIOR)
    by_interior(p, P);
  else if (method == FB_CONES_ADMM)
    by_admm(p, P, 2000);
  else if (method == FB_CONES_NEWTON)
    fb_cones_newton(p, P, p->limit);
  else
    by_any(p, P);
}

/* Whether impulses along the normals exist that cause no motion and oppose the velocities: then not all gaps can stay
 * open, whatever the impulses. y: [n] their direction. */
static int proves_impossible(const fb_cones* p, const double* y, double* scratch) {
  const double length = fb_array_largest(y, p->n), speed = fb_array_largest(p->c, p->n);
  double power = 0;
  for (int i = 0; i < p->n; i++) power += y[i] * p->c[i];
  fb_cones_product(p, y, scratch);
  return fb_array_largest(scratch, p->n) <= 1e-10 * length && power < -1e-6 * length * speed;
}

/* Gauss-Seidel diverges along such a direction. */
static int is_impossible(fb_cones* p, double* P) {
  enum { SWEEPS = 100 };
  double *y = p->step, *before = p->other;
  memset(P, 0, (size_t)p->n * sizeof *P);
  fb_cones_gauss_seidel(p, P, SWEEPS, 0);
  memcpy(before, P, (size_t)p->n * sizeof *P);
  fb_cones_gauss_seidel(p, P, SWEEPS, 0);
  memset(y, 0, (size_t)p->n * sizeof *y);
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    if (p->cones[i].kind == FB_CONE_BOX) continue;
    y[at] = fmax(0, P[at] - before[at]);
    /* A row of zeros is one by itself. */
    if (!p->bodies && p->A[(size_t)at * (size_t)p->n + (size_t)at] == 0 && p->c[at] < 0)
      y[at] = fmax(y[at], 1);
  }
  return proves_impossible(p, y, p->u);
}

/* The best, unscaled; one that overflows is no solution either. */
static fb_cones_result finish(const fb_cones_problem* problem, const fb_cones* p, int hopeless, double* P) {
  fb_cones_result result = {FB_CONES_NONE, p->found, p->used, 0};
  const double enough = fmax(p->tolerance, p->best_floor);
  for (int i = 0; i < p->n; i++) {
    P[i] = p->best[i] / p->scale[i];
    if (!isfinite(P[i])) hopeless = 1;
  }
  if (hopeless) memset(P, 0, (size_t)p->n * sizeof *P);
  result.residual = fb_cones_residual(problem, P, p->step) / p->size;
  if (!hopeless) result.status = result.residual <= enough ? FB_CONES_SOLVED : FB_CONES_INEXACT;
  return result;
}

/* The residual of the guess, where that is to be kept if it is a solution, and neither refined nor replaced by the least of several:
 * in bodies at rest nearly always, at the cost of one product. Numbers that are not finite are no solution. */
static double residual_of_guess(const fb_cones_problem* problem, const double* P, double* work) {
  const int may_stay =
      problem->method == FB_CONES_AUTO && (problem->rough || (problem->settled && problem->n > FEW_ROWS));
  return may_stay ? fb_cones_residual(problem, P, work) / size_of(problem) : INFINITY;
}

fb_cones_result fb_cones_solve(const fb_cones_problem* problem, double* P, double* work, int* ints) {
  fb_cones_result result = {FB_CONES_NONE, problem->method, 0, residual_of_guess(problem, P, work)};
  if (result.residual <= GOAL * tolerance_of(problem)) {
    result.status = FB_CONES_SOLVED;
    return result;
  }
  if (!is_sound(problem, P)) {
    if (problem->n > 0) memset(P, 0, (size_t)problem->n * sizeof *P);
    return result;
  }
  fb_cones p = set_up(problem, work, ints);
  for (int i = 0; i < p.n; i++) P[i] *= p.scale[i];
  for (int i = 0; i < p.ncone; i++) fb_cones_project(&p, i, P + p.first[i], P + p.first[i]);
  run(&p, problem->method, P);
  if (p.best_residual <= fmax(p.tolerance, p.best_floor) && !problem->rough) {
    int kept = p.used == 0 && problem->settled;
    refine(&p, P);
    if (!kept) fb_cones_least(&p, P);
  }
  const int thorough = problem->method != FB_CONES_NEWTON;
  int hopeless =
      !isfinite(p.best_residual) ||
      (p.best_residual > 1e-6 && (p.ray || (thorough && p.best_residual > 1e-3 && is_impossible(&p, P))));
  return finish(problem, &p, hopeless, P);
}

int fb_cones_closest(const fb_cones_problem* problem, double* P, double* work, int* ints) {
  if (!is_sound(problem, P)) return 0;
  fb_cones p = set_up(problem, work, ints);
  for (int i = 0; i < p.n; i++) P[i] *= p.scale[i];
  int found = fb_cones_find_closest(&p, P);
  for (int i = 0; i < p.n; i++) P[i] /= p.scale[i];
  return found;
}

int fb_bodies_move(const fb_cones_problem* problem, double* dv, double* work, int* ints) {
  fb_cones p = set_up(problem, work, ints);
  fb_cones_follow(&p, dv);
  return fb_array_is_finite(dv, 6 * problem->bodies->nbody);
}

double fb_cones_residual(const fb_cones_problem* problem, const double* P, double* work) {
  const fb_cone_bodies* bodies = problem->bodies;
  double worst = 0, *scale = work, *rates = work + problem->n;
  find_scale(problem, scale);
  if (bodies) fb_bodies_product(bodies, problem->n, P, rates + problem->n, rates);
  for (int i = 0, at = 0; i < problem->ncone; at += fb_cone_rows(&problem->cones[i]), i++) {
    const fb_cone cone = scaled_cone(&problem->cones[i], scale[at]);
    double u[3], x[3];
    for (int k = 0; k < fb_cone_rows(&cone); k++) {
      const size_t row = (size_t)(at + k), n = (size_t)problem->n;
      const double rate = bodies ? rates[row] : fb_dot(problem->A + row * n, P, problem->n);
      u[k] = (rate + problem->c[row]) / scale[at];
      x[k] = P[at + k] * scale[at];
    }
    double off = scale[at] * fb_cone_natural(&cone, x, u);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}
