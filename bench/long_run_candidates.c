/* long_run_candidates.c -- the implicit midpoint rule in (q, v), and RKMK4 with the momentum put back
 *
 *   midpoint:   v_1 = v_0 + h a,  q_1 = q_0 + h v_mid,   a = v'(q_0 + h/2 v_mid, v_mid),  v_mid = v_0 + h/2 a
 *   reduction:  H_b v_b = (P, L - x cross P) - H_bm v_m  after every step, P and L those of the start
 *
 * on the group. Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1 and IV.4. */
#include "long_run_candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/dynamics.h>
#include <freebody/kinematics.h>
#include <freebody/momentum.h>
#include <freebody/rotation.h>

enum { STAGES = 4, PAST = 5, MAX_ROUNDS = 60, BASE = 6 };

typedef struct candidate {
  double step;
  int nq, nv, ny, z; /* sizes, and where the ledger begins in y */
  double *y, *rate[STAGES], *v, *a, *xi;
  double* past[PAST]; /* accelerations, newest first */
  int npast;
  fb_data* d; /* for the momentum that is put back */
  double P[3], L[3];
  unsigned char* prescribed;
} candidate;

static fb_status candidate_start(void* self, fb_sim* sim, fb_error* error) {
  candidate* c = (candidate*)self;
  (void)error;
  c->nq = fb_model_nq(fb_sim_model(sim));
  c->nv = fb_model_nv(fb_sim_model(sim));
  c->ny = fb_sim_ny(sim);
  c->z = fb_sim_ny_motion(sim);
  c->y = (double*)calloc((size_t)c->ny, sizeof(double));
  for (int i = 0; i < STAGES; i++) c->rate[i] = (double*)calloc((size_t)c->ny, sizeof(double));
  for (int i = 0; i < PAST; i++) c->past[i] = (double*)calloc((size_t)c->nv, sizeof(double));
  c->v = (double*)calloc((size_t)c->nv, sizeof(double));
  c->a = (double*)calloc((size_t)c->nv, sizeof(double));
  c->xi = (double*)calloc((size_t)c->nv, sizeof(double));
  c->prescribed = (unsigned char*)calloc((size_t)c->nv, 1);
  c->d = fb_data_new(fb_sim_model(sim));
  return c->d && c->prescribed && c->xi ? FB_OK : FB_ERR_MEMORY;
}

static void candidate_free(void* self) {
  candidate* c = (candidate*)self;
  for (int i = 0; i < STAGES; i++) free(c->rate[i]);
  for (int i = 0; i < PAST; i++) free(c->past[i]);
  free(c->y);
  free(c->v);
  free(c->a);
  free(c->xi);
  free(c->prescribed);
  fb_data_free(c->d);
  free(c);
}

static void candidate_reset(void* self, fb_sim* sim) {
  (void)sim;
  ((candidate*)self)->npast = 0;
}

/* Outside steppers choose their own step: to the next multiple of it. */
static double end_of_step(const candidate* c, double t, double t_limit) {
  double next = (nearbyint(t / c->step) + 1) * c->step;
  return next > t_limit - 1e-9 * c->step ? t_limit : next;
}

/* ---- implicit midpoint ---- */

/* The polynomial through past accelerations, one step on. */
static void guess(candidate* c) {
  static const double WEIGHT[PAST + 1][PAST] = {
      {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
  memset(c->a, 0, (size_t)c->nv * sizeof *c->a);
  for (int i = 0; i < c->npast; i++)
    for (int k = 0; k < c->nv; k++) c->a[k] += WEIGHT[c->npast][i] * c->past[i][k];
}

static void remember(candidate* c) {
  double* oldest = c->past[PAST - 1];
  memmove(c->past + 1, c->past, (PAST - 1) * sizeof *c->past);
  c->past[0] = oldest;
  memcpy(oldest, c->a, (size_t)c->nv * sizeof *oldest);
  if (c->npast < PAST) c->npast++;
}

static fb_status midpoint_advance(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                                  fb_error* error) {
  candidate* c = (candidate*)self;
  double t = fb_sim_time(sim), before = INFINITY, *ydot = c->rate[0];
  const double* y0 = fb_sim_y(sim);
  *t_next = end_of_step(c, t, t_limit);
  double h = *t_next - t;
  guess(c);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    double change = 0, size = 0;
    memcpy(c->y, y0, (size_t)c->ny * sizeof *c->y);
    for (int k = 0; k < c->nv; k++) c->v[k] = c->y[c->nq + k] = y0[c->nq + k] + 0.5 * h * c->a[k];
    fb_integrate(fb_sim_model(sim), y0, c->v, 0.5 * h, c->y);
    fb_status status = fb_sim_rate(sim, t + 0.5 * h, c->y, ydot, error);
    if (status) return status;
    for (int k = 0; k < c->nv; k++) {
      change += h * fabs(ydot[c->nq + k] - c->a[k]);
      size += fabs(c->v[k]);
      c->a[k] = ydot[c->nq + k];
    }
    if (change <= 1e-16 * size || (round > 0 && change * change <= 1e-16 * size * before)) break;
    if (change <= 1e-9 * size && change >= before) break;
    before = change;
  }
  remember(c);
  memcpy(y_next, y0, (size_t)c->ny * sizeof *y_next);
  for (int k = 0; k < c->nv; k++) {
    c->v[k] = y0[c->nq + k] + 0.5 * h * c->a[k];
    y_next[c->nq + k] += h * c->a[k];
  }
  fb_integrate(fb_sim_model(sim), y0, c->v, h, y_next);
  for (int i = c->z; i < c->ny; i++) y_next[i] += h * ydot[i];
  return FB_OK;
}

/* ---- reduction ---- */

static void find_momentum(candidate* c, fb_sim* sim) {
  static const double ORIGIN[3] = {0, 0, 0};
  fb_kinematics(fb_sim_model(sim), c->d, fb_sim_q(sim), fb_sim_v(sim), NULL);
  fb_momentum(fb_sim_model(sim), c->d, ORIGIN, c->P, c->L);
  c->npast = 1; /* known */
  for (int k = BASE; k < c->nv; k++) c->prescribed[k] = 1;
}

/* The base's velocity that has the momentum of the start: mixed dynamics at rest. */
static void put_back(candidate* c, const fb_model* m, double* y) {
  double *p = c->a, *v = c->v, *rest = c->xi;
  memset(rest, 0, (size_t)c->nv * sizeof *rest);
  memset(p, 0, (size_t)c->nv * sizeof *p);
  memcpy(v, y + c->nq, (size_t)c->nv * sizeof *v);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    p[i] = c->P[i];
    p[3 + i] = c->L[i] - (y[j] * c->P[k] - y[k] * c->P[j]);
  }
  fb_mixed_dynamics(m, c->d, y, rest, c->prescribed, NULL, v, p);
  memcpy(y + c->nq, v, BASE * sizeof *v);
}

static fb_status reduction_advance(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                                   fb_error* error) {
  static const double C[STAGES] = {0, 0.5, 0.5, 1}, B[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  candidate* c = (candidate*)self;
  const fb_model* m = fb_sim_model(sim);
  const double* y0 = fb_sim_y(sim);
  double t = fb_sim_time(sim);
  if (!c->npast) find_momentum(c, sim);
  *t_next = end_of_step(c, t, t_limit);
  double h = *t_next - t;
  memcpy(y_next, y0, (size_t)c->ny * sizeof *y_next);
  memset(c->v, 0, (size_t)c->nv * sizeof *c->v); /* the increment from q_0 */
  for (int i = 0; i < STAGES; i++) {
    /* rate[i - 1] holds the rate of the increment in its first nv entries */
    memcpy(c->y, y0, (size_t)c->ny * sizeof *c->y);
    for (int k = 0; k < c->nv; k++) {
      c->xi[k] = i == 0 ? 0 : C[i] * h * c->rate[i - 1][k];
      c->y[c->nq + k] += i == 0 ? 0 : C[i] * h * c->rate[i - 1][c->nq + k];
    }
    fb_integrate(m, y0, c->xi, 1, c->y);
    fb_status status = fb_sim_rate(sim, t + C[i] * h, c->y, c->rate[i], error);
    if (status) return status;
    memcpy(c->rate[i], c->y + c->nq, (size_t)c->nv * sizeof(double));
    fb_rotvec_rate(c->xi + 3, c->y + c->nq + 3, c->rate[i] + 3);
    for (int k = 0; k < c->nv; k++) c->v[k] += h * B[i] * c->rate[i][k];
    for (int k = c->nq; k < c->ny; k++) y_next[k] += h * B[i] * c->rate[i][k];
  }
  fb_integrate(m, y0, c->v, 1, y_next);
  put_back(c, m, y_next);
  return FB_OK;
}

static fb_status candidate_at(void* self, fb_sim* sim, double t, double* y, fb_error* error) {
  (void)self;
  (void)sim;
  (void)t;
  (void)y;
  (void)error;
  return FB_ERR_UNSUPPORTED; /* nothing here looks inside a step */
}

static fb_stepper candidate_new(const char* name, double step) {
  candidate* c = (candidate*)calloc(1, sizeof *c);
  if (c) c->step = step;
  fb_stepper stepper = fb_default_stepper();
  stepper.name = name;
  stepper.traits = (fb_stepper_traits){.adaptive = 1, .dense = 1, .takes_moved = 1};
  stepper.self = c;
  stepper.start = candidate_start;
  stepper.reset = candidate_reset;
  stepper.eval = candidate_at;
  stepper.free = candidate_free;
  return stepper;
}

fb_stepper candidate_midpoint(double step) {
  fb_stepper stepper = candidate_new("midpoint", step);
  stepper.step = midpoint_advance;
  return stepper;
}

fb_stepper candidate_reduction(double step) {
  fb_stepper stepper = candidate_new("reduction", step);
  stepper.step = reduction_advance;
  return stepper;
}
