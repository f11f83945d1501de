/* cones_rig.h -- contact problems for the solvers of contact/cone/solver.h: memory, random bodies, checks. Include after
 * cmocka.h. */
#ifndef FB_TESTS_CONES_RIG_H
#define FB_TESTS_CONES_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/cone/solver.h"
#include "random.h"

typedef struct cones_rig {
  fb_cones_problem problem; /* its arrays are those below */
  fb_cone* cones;
  double *A, *c, *P, *work;
  int* ints;
} cones_rig;

static inline double* doubles_or_fail(size_t count) {
  double* out = (double*)calloc(count + 1, sizeof *out);
  assert_non_null(out);
  return out;
}

/* A problem of zeros with room for ncone cones of up to 3 rows; n follows from cones_ready. */
static inline cones_rig cones_new(int ncone) {
  cones_rig r = {0};
  size_t n = 3 * (size_t)ncone;
  r.cones = (fb_cone*)calloc((size_t)ncone + 1, sizeof *r.cones);
  r.ints = (int*)calloc(fb_cones_int_size((int)n) + 1, sizeof *r.ints);
  assert_non_null(r.cones);
  assert_non_null(r.ints);
  r.A = doubles_or_fail(n * n);
  r.c = doubles_or_fail(n);
  r.P = doubles_or_fail(n);
  r.work = doubles_or_fail(fb_cones_work_size((int)n));
  r.problem = (fb_cones_problem){.ncone = ncone, .cones = r.cones, .A = r.A, .c = r.c};
  return r;
}

static inline void cones_free(cones_rig* r) {
  free(r->cones);
  free(r->ints);
  free(r->A);
  free(r->c);
  free(r->P);
  free(r->work);
}

/* Cones of one kind; counts the rows. */
static inline void cones_fill(cones_rig* r, fb_cone cone) {
  r->problem.n = 0;
  for (int i = 0; i < r->problem.ncone; i++) {
    r->cones[i] = cone;
    r->problem.n += fb_cone_rows(&cone);
  }
}

static inline fb_cones_result cones_run(cones_rig* r, fb_cones_method method) {
  r->problem.method = method;
  return fb_cones_solve(&r->problem, r->P, r->work, r->ints);
}

/* A = J M^-1 J^T and c = J v, of n rows of nv numbers. */
static inline void cones_from_rows(cones_rig* r, int nv, const double* J, const double* inverse_mass,
                                   const double* v) {
  int n = r->problem.n;
  for (int i = 0; i < n; i++) {
    r->c[i] = 0;
    for (int k = 0; k < nv; k++) r->c[i] += J[i * nv + k] * v[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < nv; k++) sum += J[i * nv + k] * inverse_mass[k] * J[j * nv + k];
      r->A[i * n + j] = sum;
    }
  }
}

/* The row of a unit force d at the point p of a body: 6 numbers, linear first. */
static inline void add_row(double* row, double sign, const double d[3], const double p[3]) {
  for (int k = 0; k < 3; k++) row[k] += sign * d[k];
  row[3] += sign * (p[1] * d[2] - p[2] * d[1]);
  row[4] += sign * (p[2] * d[0] - p[0] * d[2]);
  row[5] += sign * (p[0] * d[1] - p[1] * d[0]);
}

/* How random contacts are placed. */
typedef enum cones_place {
  ANYWHERE,  /* between random bodies or a body and the world, in random directions */
  UPWARDS,   /* the same with all normals along z: stacks and bridges */
  ONE_PLANE, /* all under one body, on the plane z = -1: redundant feet */
  PLACES
} cones_place;

static inline void random_axes(fb_random* r, double axes[9]) {
  double q[4];
  random_quat(r, q);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(axes, R, sizeof R);
}

/* Coulomb contacts of friction up to `most` among count / 2 + 1 bodies of masses that differ by up to `ratio`. */
static inline cones_rig cones_random(uint64_t seed, int count, cones_place place, double ratio, double most) {
  static const double UP[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  fb_random random = random_seed(seed * 7919 + (uint64_t)count);
  int bodies = place == ONE_PLANE ? 1 : 1 + count / 2, nv = 6 * bodies;
  cones_rig r = cones_new(count);
  cones_fill(&r, (fb_cone){.kind = FB_CONE_COULOMB});
  double *J = doubles_or_fail((size_t)(r.problem.n * nv)), *inverse = doubles_or_fail((size_t)nv);
  double* v = doubles_or_fail((size_t)nv);
  for (int i = 0; i < nv; i++) {
    static double mass;
    if (i % 6 == 0) mass = pow(ratio, random_in(&random, -0.5, 0.5));
    inverse[i] = (i % 6 < 3 ? 1 : random_in(&random, 2, 20)) / mass;
    v[i] = random_in(&random, -1, 1) - (i % 6 == 2);
  }
  for (int i = 0; i < count; i++) {
    int a = random_index(&random, bodies), b = random_index(&random, bodies + 1) - 1;
    double axes[9], at[2][3];
    random_axes(&random, axes);
    random_fill(&random, -1, 1, 3, at[0]);
    random_fill(&random, -1, 1, 3, at[1]);
    if (place != ANYWHERE) memcpy(axes, UP, sizeof axes);
    if (place == ONE_PLANE) at[0][2] = -1;
    for (int k = 0; k < 3; k++) {
      add_row(J + (3 * i + k) * nv + 6 * a, 1, axes + 3 * k, at[0]);
      if (b >= 0 && b != a) add_row(J + (3 * i + k) * nv + 6 * b, -1, axes + 3 * k, at[1]);
    }
    r.cones[i].mu = random_in(&random, 0, most);
  }
  cones_from_rows(&r, nv, J, inverse, v);
  free(J);
  free(inverse);
  free(v);
  return r;
}

static inline double largest_of(const double* x, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* The residual of r->P by hand, relative to |c|: not by the solver's own code. */
static inline double cones_off(const cones_rig* r) {
  int n = r->problem.n, at = 0;
  double worst = 0;
  for (int i = 0; i < r->problem.ncone; i++) {
    const fb_cone* cone = &r->cones[i];
    int rows = fb_cone_rows(cone);
    double u[3], diagonal = 0, off = 0, *P = r->P + at;
    for (int k = 0; k < rows; k++) {
      u[k] = r->c[at + k];
      for (int j = 0; j < n; j++) u[k] += r->A[(at + k) * n + j] * r->P[j];
      diagonal += r->A[(at + k) * n + at + k] / rows;
    }
    if (!(diagonal > 0)) diagonal = 1;
    const double lo = cone->kind == FB_CONE_BOX ? cone->lo : 0;
    const double hi = cone->kind == FB_CONE_BOX ? cone->hi : INFINITY;
    off = fabs(P[0] - fmin(hi, fmax(lo, P[0] - u[0] / diagonal))) * diagonal;
    if (rows == 3) {
      /* Friction as Alart and Curnier have it. */
      const double most = cone->mu * (P[0] + cone->lo),
                   y[2] = {P[1] - u[1] / diagonal, P[2] - u[2] / diagonal};
      const double along = hypot(y[0], y[1]), part = along > most ? most / along : 1;
      for (int k = 0; k < 2; k++) off = fmax(off, fabs(P[1 + k] - part * y[k]) * diagonal);
    }
    if (!(off <= worst)) worst = off;
    at += rows;
  }
  return worst / fmax(1e-300, largest_of(r->c, n));
}

/* The work of the impulses, P . (u + c) / 2. */
static inline double cones_work(const cones_rig* r) {
  int n = r->problem.n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double u = r->c[i];
    for (int j = 0; j < n; j++) u += r->A[i * n + j] * r->P[j];
    sum += 0.5 * r->P[i] * (u + r->c[i]);
  }
  return sum;
}

#endif
