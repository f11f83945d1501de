/* dynamics_rig.h -- a random forest at a random state under random loads, with room for everything the tests
 * of dynamics compute; and the record of the worst error. Include after cmocka.h. */
#ifndef FB_TESTS_DYNAMICS_RIG_H
#define FB_TESTS_DYNAMICS_RIG_H

#include "math/ldl.h"
#include "near.h"
#include "random_tree.h"

enum { FORESTS = 1000, DENSE_LIMIT = 80 };

/* A model at a random state with room for everything the checks need. */
typedef struct bench {
  fb_model* m;
  fb_data* d;
  state s;
  int nv;
  double *H, *bias, *passive, *push, *tau, *total, *x, *y, *work;
  fb_loads loads;
  fb_wrench wrenches[2];
} bench;

/* Of a def, which it frees. */
static inline bench bench_of(fb_model_def* def, fb_random r, uint64_t seed) {
  bench b = {.m = build_or_fail(def, NULL), .loads = fb_default_loads()};
  fb_model_def_free(def);
  b.d = fb_data_new(b.m);
  b.nv = fb_model_nv(b.m);
  b.s = state_new(b.m, seed);
  double** arrays[] = {&b.bias, &b.passive, &b.push, &b.tau, &b.total, &b.x, &b.y};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) *arrays[i] = numbers_new(b.nv);
  b.H = numbers_new(b.nv * b.nv);
  b.work = numbers_new(b.nv * b.nv + b.nv);
  random_fill(&r, -5, 5, b.nv, b.tau);
  random_fill(&r, -5, 5, 3, b.loads.environment.gravity_w);
  b.loads.nwrench = 2;
  for (int i = 0; i < 2; i++) {
    b.wrenches[i].frame =
        random_index(&r, fb_model_nframe(b.m) + 2 * fb_model_nbody(b.m)); /* centroids and joints too */
    b.wrenches[i].in_frame_axes = i;
    random_fill(&r, -3, 3, 3, b.wrenches[i].force);
    random_fill(&r, -3, 3, 3, b.wrenches[i].torque);
  }
  return b;
}

static inline bench bench_new(uint64_t seed, int nbody, double decades) {
  fb_random r = random_seed(seed);
  fb_model_def* def = random_forest(&r, nbody, decades, 1);
  return bench_of(def, r, seed);
}

static inline bench bench_new_arms(uint64_t seed, int nbody, double decades) {
  fb_random r = random_seed(seed);
  fb_model_def* def = random_arms(&r, nbody, decades);
  return bench_of(def, r, seed);
}

static inline void bench_free(bench* b) {
  double* arrays[] = {b->H, b->bias, b->passive, b->push, b->tau, b->total, b->x, b->y, b->work};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
  state_free(&b->s);
  fb_data_free(b->d);
  fb_model_free(b->m);
}

/* H, bias, and total = passive + J^T wrench, by the dense route's parts; what of H is not written reads as NaN. */
static inline void dense_parts(bench* b) {
  const double *q = b->s.q, *v = b->s.v;
  b->loads.wrenches = b->wrenches;
  fb_bias(b->m, b->d, q, v, &b->loads, b->bias);
  fb_passive_forces(b->m, b->d, q, v, b->loads.passive, b->passive);
  for (int i = 0; i < b->nv * b->nv; i++) b->H[i] = NAN;
  fb_inertia_matrix(b->m, b->d, q, b->H);
  fb_wrench_forces(b->m, b->d, b->wrenches, b->loads.nwrench, b->push);
  for (int k = 0; k < b->nv; k++) b->total[k] = b->passive[k] + b->push[k];
}

static inline double row_norm(const double* H, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += fabs(H[i * n + k]);
    worst = worse_of(worst, sum);
  }
  return worst;
}

/* || H v' + bias - tau - total || / (||H|| ||v'|| + ||bias|| + ||tau||) */
static inline double backward_error(const bench* b, const double* vdot, const double* tau) {
  double worst = 0;
  for (int i = 0; i < b->nv; i++) {
    double sum = b->bias[i] - tau[i] - b->total[i];
    for (int k = 0; k < b->nv; k++) sum += b->H[i * b->nv + k] * vdot[k];
    worst = worse_of(worst, fabs(sum));
  }
  double scale = row_norm(b->H, b->nv) * worst_of(vdot, b->nv) + worst_of(b->bias, b->nv) +
                 worst_of(tau, b->nv) + worst_of(b->total, b->nv);
  return scale == 0 ? worst : worst / scale;
}

/* ||H|| ||H^-1||, by solving for every column. */
static inline double condition(const bench* b) {
  int n = b->nv;
  double *factors = numbers_new(n * n), *inverse = numbers_new(n * n), cond = INFINITY;
  memcpy(factors, b->H, (size_t)(n * n) * sizeof *factors);
  if (fb_ldl_factor(factors, n) == 0) {
    for (int k = 0; k < n; k++) {
      inverse[k * n + k] = 1;
      fb_ldl_solve(factors, n, inverse + k * n);
    }
    cond = row_norm(b->H, n) * row_norm(inverse, n);
  }
  free(factors);
  free(inverse);
  return cond;
}

typedef struct record { /* the worst so far, and where */
  double error, cond;
  int bodies;
} record;

static inline void note(record* r, double error, double cond, int bodies) {
  if (worse_of(r->error, error) != r->error && !isnan(r->error)) *r = (record){error, cond, bodies};
}

static inline void show(const char* what, const record* r) {
  print_message("worst %-44s %.2e  (%d bodies, cond %.1e)\n", what, r->error, r->bodies, r->cond);
}

/* Sizes 1 .. 40, now and then up to 200. */
static inline int size_of(int i) {
  return i % 25 == 24 ? 40 + i % 161 : 1 + i % 40;
}

/* Calls check on FORESTS forests, every fifth of them robots with long arms, masses over 0 to 6 decades. */
typedef void (*bench_check)(bench* b, int bodies, uint64_t seed);

static inline void for_random_forests(bench_check check) {
  for (int i = 0; i < FORESTS; i++) {
    bench b = i % 5 == 4 ? bench_new_arms((uint64_t)i, size_of(i), i % 7)
                         : bench_new((uint64_t)i, size_of(i), i % 7);
    dense_parts(&b);
    check(&b, size_of(i), (uint64_t)i);
    bench_free(&b);
  }
}

#endif
