/* runge_kutta.c -- explicit Runge-Kutta methods on the configuration group
 *
 *   k_i = f(t + c_i h, y_0 + h sum_j a_ij k_j),   y_1 = y_0 + h sum_i b_i k_i
 *
 * Plain coordinates, velocities, block states and the ledger add. Attitudes go one of two ways:
 *   quaternion   q' = (0, w) q / 2 as four numbers, normalised after every combination: SpaceDyn's f_dyn_rk2
 *   rotation     q = exp(xi) q_0 with xi' = dexp^-1_xi(w): Munthe-Kaas 1999, the order of the tableau is kept and
 *                nothing leaves the group
 * Euler is the tableau of one stage, with the rotation chart: SpaceDyn's int_eu2. */
#include "sim/stepper/runge_kutta.h"

#include <stdint.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/rotation.h>

#include "math/two_sum.h"
#include "sim/flow.h"

static const double EULER_B[] = {1}, EULER_C[] = {0};
static const double RK4_A[] = {0.5, 0, 0.5, 0, 0, 1};
static const double RK4_B[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
static const double RK4_C[] = {0, 0.5, 0.5, 1};
static const fb_tableau EULER = {1, FB_CHART_ROTATION, EULER_B, EULER_B, EULER_C}; /* a is not read */
static const fb_tableau RK4 = {4, FB_CHART_QUATERNION, RK4_A, RK4_B, RK4_C};
static const fb_tableau RKMK4 = {4, FB_CHART_ROTATION, RK4_A, RK4_B, RK4_C};

void fb_stage_q_rate(const fb_sim* s, fb_chart_kind chart, const double* q, const double* v, const double* xi,
                     double* k) {
  const fb_chart* c = &s->chart;
  for (int r = 0; r < c->nrun; r++)
    memcpy(k + c->run_q[r], v + c->run_v[r], (size_t)c->run_count[r] * sizeof *k);
  for (int r = 0; r < c->nquat; r++) {
    double* rate = k + c->quat_q[r];
    if (chart == FB_CHART_QUATERNION) {
      fb_quat_rate(q + c->quat_q[r], v + c->quat_v[r], rate);
    } else if (xi) {
      fb_rotvec_rate(xi + 3 * r, v + c->quat_v[r], rate);
    } else {
      memcpy(rate, v + c->quat_v[r], 3 * sizeof *rate);
    }
  }
}

fb_status fb_stage_rate(fb_sim* s, fb_chart_kind chart, int i, double t, const double* y, const double* xi,
                        fb_error* error) {
  double* k = fb_stage(s, i);
  fb_stage_q_rate(s, chart, y, y + s->nq, xi, k);
  return fb_flow(s, t, y, k, error);
}

/* Translations of floating bases, summed with what rounding leaves of them: far from the origin, or at great speed, stiff
 * forces between bodies would show it. */
static void combine_bases(const fb_sim* s, const double* y0, double h, const double* w, int stages,
                          double* y) {
  const double* rest0 = y0 + s->ny - s->nrest;
  double* rest = fb_y_rest(s, y);
  for (int j = 0; j < s->nrest; j++) {
    int at = s->roots[j / 3].q_at + j % 3;
    double sum = 0;
    for (int i = 0; i < stages; i++) sum += w[i] * fb_stage(s, i)[at];
    y[at] = y0[at];
    rest[j] = rest0[j] + h * sum;
    fb_add_with_rest(&y[at], &rest[j]);
  }
}

void fb_stage_combine(const fb_sim* s, fb_chart_kind chart, const double* y0, double h, const double* w,
                      int stages, int count, double* y, double* xi) {
  memcpy(y, y0, (size_t)count * sizeof *y);
  for (int i = 0; i < stages; i++) {
    if (w[i] == 0) continue;
    const double* k = fb_stage(s, i);
    double hw = h * w[i];
    for (int j = 0; j < count; j++) y[j] += hw * k[j];
  }
  combine_bases(s, y0, h, w, stages, y);
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    if (chart == FB_CHART_QUATERNION) {
      fb_quat_normalise(y + at);
      continue;
    }
    double* x = xi + 3 * r;
    double turn[4];
    memset(x, 0, 3 * sizeof *x);
    for (int i = 0; i < stages; i++)
      for (int j = 0; j < 3; j++) x[j] += h * w[i] * fb_stage(s, i)[at + j];
    fb_quat_from_rotvec(x, turn);
    fb_quat_multiply(turn, y0 + at, y + at);
    fb_quat_normalise(y + at);
  }
}

fb_status fb_tableau_step(fb_sim* s, const fb_tableau* tableau, int first, double t, const double* y0,
                          double h, double* y1, fb_error* error) {
  int motion = s->nq + s->nv + s->nx;
  const double* a = tableau->a;
  for (int i = 0; i < tableau->stages; a += i, i++) {
    if (i < first) continue;
    const double* y = y0;
    if (i > 0) {
      fb_stage_combine(s, tableau->chart, y0, h, a, i, motion, s->y_stage, s->xi);
      fb_flow_place(s, t + tableau->c[i] * h, s->y_stage);
      y = s->y_stage;
    }
    fb_status status =
        fb_stage_rate(s, tableau->chart, i, t + tableau->c[i] * h, y, i > 0 ? s->xi : NULL, error);
    if (status) return status;
  }
  fb_stage_combine(s, tableau->chart, y0, h, tableau->b, tableau->stages, s->ny, y1, s->xi);
  fb_flow_close(s, t + h, y1);
  return FB_OK;
}

/* ---- the fixed-step methods ---- */

static fb_status tableau_advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                                 fb_error* error) {
  *t_next = t_limit;
  return fb_tableau_step(s, (const fb_tableau*)self, 0, s->head->t, s->y, t_limit - s->head->t, y_next,
                         error);
}

/* A shorter step from the same start. */
static fb_status tableau_at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  return fb_tableau_step(s, (const fb_tableau*)self, 0, s->t0, s->y0, t - s->t0, y, error);
}

/* Velocities and block states first; positions and attitudes then move with the new velocities. */
static fb_status semi_implicit_step(fb_sim* s, double t, const double* y0, double h, double* y1,
                                    fb_error* error) {
  fb_status status = fb_tableau_step(s, &EULER, 0, t, y0, h, y1, error);
  if (status) return status;
  fb_integrate(s->m, y0, y1 + s->nq, h, y1);
  memcpy(fb_y_rest(s, y1), y0 + s->ny - s->nrest, (size_t)s->nrest * sizeof *y1); /* of no sum made here */
  fb_flow_close(s, t + h, y1);
  return FB_OK;
}

static fb_status semi_implicit_advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                                       fb_error* error) {
  (void)self;
  *t_next = t_limit;
  return semi_implicit_step(s, s->head->t, s->y, t_limit - s->head->t, y_next, error);
}

static fb_status semi_implicit_at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  (void)self;
  return semi_implicit_step(s, s->t0, s->y0, t - s->t0, y, error);
}

static fb_stepper stepper_of(const fb_tableau* tableau) {
  return (fb_stepper){.self = (void*)(uintptr_t)tableau, .advance = tableau_advance, .at = tableau_at};
}

fb_stepper fb_stepper_euler(void) {
  return stepper_of(&EULER);
}

fb_stepper fb_stepper_semi_implicit(void) {
  return (fb_stepper){.advance = semi_implicit_advance, .at = semi_implicit_at};
}

fb_stepper fb_stepper_rk4(void) {
  return stepper_of(&RK4);
}

fb_stepper fb_stepper_rkmk4(void) {
  return stepper_of(&RKMK4);
}
