/* runge_kutta.c -- explicit Runge-Kutta methods on the configuration group
 *
 *   k_i = f(t + c_i h, y_0 + h sum_j a_ij k_j),   y_1 = y_0 + h sum_i b_i k_i
 *
 * Plain coordinates, velocities, block states and the ledger add. Attitudes are integrated in one of two forms:
 *   quaternion   q' = (0, w) q / 2 as four numbers, normalised after every combination: SpaceDyn's f_dyn_rk2
 *   rotation     q = exp(xi) q_0 with xi' = dexp^-1_xi(w): Munthe-Kaas 1999, the order of the tableau is kept and
 *                nothing leaves the group
 * Euler is the tableau of one stage, with the rotation chart: SpaceDyn's int_eu2. */
#include "sim/stepper/runge_kutta.h"

#include <stdint.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/rotation.h>

#include "sim/flow.h"

static const double EULER_B[] = {1}, EULER_C[] = {0};
static const double RK4_A[] = {0.5, 0, 0.5, 0, 0, 1};
static const double RK4_B[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
static const double RK4_C[] = {0, 0.5, 0.5, 1};
static const fb_tableau EULER = {1, FB_CHART_ROTATION, EULER_B, EULER_B, EULER_C}; /* a is not read */
static const fb_tableau SEMI_IMPLICIT = {1, FB_CHART_ROTATION, EULER_B, EULER_B, EULER_C};
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

/* The stages that count in a sum. */
typedef struct terms {
  int count;
  double w[2 * FB_MAX_STAGES];
  const double* k[2 * FB_MAX_STAGES];
} terms;

static void find_terms(const fb_sim* s, const double* w, int stages, terms* of) {
  of->count = 0;
  for (int i = 0; i < stages; i++) {
    if (w[i] == 0) continue;
    of->w[of->count] = w[i];
    of->k[of->count++] = fb_stage(s, i);
  }
}

static void add_two(int count, double a, const double* restrict j, double b, const double* restrict k,
                    double* restrict y) {
  for (int i = 0; i < count; i++) y[i] = y[i] + a * j[i] + b * k[i];
}

static void add_one(int count, double a, const double* restrict k, double* restrict y) {
  for (int i = 0; i < count; i++) y[i] += a * k[i];
}

/* y += h sum w_i k_i */
static void add_terms(const terms* of, double h, int count, double* y) {
  int i = 0;
  for (; i + 2 <= of->count; i += 2)
    add_two(count, h * of->w[i], of->k[i], h * of->w[i + 1], of->k[i + 1], y);
  if (i < of->count) add_one(count, h * of->w[i], of->k[i], y);
}

void fb_stage_sum(const fb_sim* s, double h, const double* w, int stages, int count, double* y) {
  terms of;
  find_terms(s, w, stages, &of);
  memset(y, 0, (size_t)count * sizeof *y);
  add_terms(&of, h, count, y);
}

/* Translations of floating bases, summed with their rounding errors: far from the origin, or at great speed, stiff
 * forces between bodies would show them. */
static void combine_bases(const fb_sim* s, const double* y0, double h, const terms* of, double* y) {
  const double* rest0 = y0 + s->ny - s->nrest;
  for (int j = 0; j < s->nrest; j++) {
    int at = s->tree.roots[j / 3].q_at + j % 3;
    double sum = 0;
    for (int i = 0; i < of->count; i++) sum += of->w[i] * of->k[i][at];
    y[at] = y0[at];
    fb_y_rest(s, y)[j] = rest0[j];
    fb_y_move_base(s, y, j, h * sum);
  }
}

void fb_stage_combine(const fb_sim* s, fb_chart_kind chart, const double* y0, double h, const double* w,
                      int stages, int count, double* y, double* xi) {
  terms of;
  find_terms(s, w, stages, &of);
  memcpy(y, y0, (size_t)count * sizeof *y);
  add_terms(&of, h, count, y);
  combine_bases(s, y0, h, &of, y);
  for (int r = 0; r < s->chart.nquat; r++) {
    int at = s->chart.quat_q[r];
    if (chart == FB_CHART_QUATERNION) {
      fb_quat_normalise(y + at);
      continue;
    }
    double* x = xi + 3 * r;
    double turn[4];
    memset(x, 0, 3 * sizeof *x);
    for (int i = 0; i < of.count; i++)
      for (int j = 0; j < 3; j++) x[j] += h * of.w[i] * of.k[i][at + j];
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
      fb_stage_combine(s, tableau->chart, y0, h, a, i, motion, s->y_stage, s->chart.xi);
      fb_flow_place(s, t + tableau->c[i] * h, s->y_stage);
      y = s->y_stage;
    }
    fb_status status =
        fb_stage_rate(s, tableau->chart, i, t + tableau->c[i] * h, y, i > 0 ? s->chart.xi : NULL, error);
    if (status) return status;
  }
  if (s->error.aside) memcpy(fb_y_z(s, y1), y0 + motion, (size_t)s->nz * sizeof *y1); /* as it was */
  fb_stage_combine(s, tableau->chart, y0, h, tableau->b, tableau->stages, s->error.aside ? motion : s->ny, y1,
                   s->chart.xi);
  fb_flow_close(s, t + h, y1);
  return FB_OK;
}

/* ---- the fixed-step methods ---- */

/* With semi_implicit velocities and block states first; positions and attitudes then move with the new velocities. */
static fb_status step(const fb_tableau* tableau, fb_sim* s, double t, const double* y0, double h, double* y1,
                      fb_error* error) {
  fb_status status = fb_tableau_step(s, tableau, 0, t, y0, h, y1, error);
  if (status || tableau != &SEMI_IMPLICIT) return status;
  fb_integrate(s->m, y0, y1 + s->nq, h, y1);
  fb_flow_move_bases(s, y0, y1 + s->nq, h, y1);
  fb_flow_close(s, t + h, y1);
  return FB_OK;
}

static fb_status advance(void* self, fb_sim* s, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  *t_next = t_limit;
  return step((const fb_tableau*)self, s, s->head->t, s->y, t_limit - s->head->t, y_next, error);
}

/* A shorter step from the same start. */
static fb_status at(void* self, fb_sim* s, double t, double* y, fb_error* error) {
  return step((const fb_tableau*)self, s, s->step.t0, s->y0, t - s->step.t0, y, error);
}

static fb_stepper stepper_of(const fb_tableau* tableau) {
  return (fb_stepper){.self = (void*)(uintptr_t)tableau, .step = advance, .eval = at};
}

fb_stepper fb_stepper_euler(void) {
  return stepper_of(&EULER);
}

fb_stepper fb_stepper_semi_implicit(void) {
  return stepper_of(&SEMI_IMPLICIT);
}

fb_stepper fb_stepper_rk4(void) {
  return stepper_of(&RK4);
}

fb_stepper fb_stepper_rkmk4(void) {
  return stepper_of(&RKMK4);
}
