/* variation.c -- the neighbouring motion in a step of dopri5, at the cost of four stages
 *
 *   e' = J(t) e,   J e as (f(Y + sigma e) - f(Y)) / sigma, where Y and f(Y) are stages that the step has made
 *
 * A Runge-Kutta method of its own carries the difference: c = 0, 3/10, 4/5, 1, which are stages 1, 3, 4 and 7 of dopri5, weights and
 * rows such that it is of order three, and of order four where J is constant:
 *
 *   b.1 = 1, b.c = 1/2, b.c^2 = 1/3, b.Ac = 1/6, b.AAc = 1/24
 *
 * Its stability is that of rk4. The difference is accurate enough where h |lambda| is small: in each step correct to
 * order four in it. Where stability bounds the steps it is not: there the difference is propagated by dopri5 itself,
 * whose error is that of the motion as well, so that a shift along the motion stays one. In the chart of the step a
 * neighbouring stage is y_0 + sigma e_0, moved by h (sum a_ij k_j + sum a'_ij (k'_j - k_j)): one sum of stages of the
 * motion (k) and of the neighbouring motion (k').
 *
 * The stages of either also give (h J)^3 e_0 and (h J)^4 e_0, as if J were constant, and so the rate of a stiff
 * decay, long before the motion shows it. */
#include "sim/stepper/variation.h"

#include <math.h>
#include <string.h>

#include "sim/flow.h"
#include "sim/stepper/runge_kutta.h"

enum { STAGES = FB_VARIATION_STAGES };
static const double A[STAGES][STAGES] = {
    {0}, {3.0 / 10}, {-4.0 / 15, 16.0 / 15}, {27.0 / 202, 0, 175.0 / 202}};
static const double B[STAGES] = {11.0 / 1152, 325.0 / 504, 25.0 / 128, 101.0 / 672};

enum { OF_MOTION = FB_MAX_STAGES, ALL = 2 * FB_MAX_STAGES }; /* where the stages of the motion begin, aside */

/* Weights of all stages: of_motion, for count stages of the motion, and `row` for the differences. */
static void weigh(const fb_variation* o, const double* of_motion, int count, const double* row,
                  double w[ALL]) {
  memset(w, 0, ALL * sizeof *w);
  for (int j = 0; j < count; j++) w[OF_MOTION + j] = of_motion[j];
  for (int j = 0; j < STAGES; j++) {
    w[j] = row[j];
    w[OF_MOTION + o->at[j]] -= row[j];
  }
}

fb_status fb_variation_step(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                            fb_error* error) {
  const fb_variation* o = (const fb_variation*)self;
  const fb_tableau* of = o->tableau;
  int motion = s->nq + s->nv + s->nx;
  double w[ALL];
  for (int i = 0; i < STAGES; i++) {
    int at = o->at[i];
    const double* y = y0;
    if (i > 0) {
      weigh(o, of->a + at * (at - 1) / 2, at, A[i], w);
      fb_stage_combine(s, of->chart, y0, h, w, OF_MOTION + at, motion, s->y_stage, s->chart.xi);
      fb_flow_place(s, t + of->c[at] * h, s->y_stage);
      y = s->y_stage;
    }
    fb_status status =
        fb_stage_rate(s, of->chart, i, t + of->c[at] * h, y, i > 0 ? s->chart.xi : NULL, error);
    if (status) return status;
  }
  weigh(o, of->b, of->stages, B, w);
  memcpy(fb_y_z(s, y1), y0 + motion, (size_t)s->nz * sizeof *y1);
  fb_stage_combine(s, of->chart, y0, h, w, OF_MOTION + of->stages, motion, y1, s->chart.xi);
  fb_flow_close(s, t + h, y1);
  return FB_OK;
}

double fb_powers_rate(const fb_powers* o, const fb_sim* s, double h) {
  static const double STANDS_OUT = 0.03; /* of the cube of h |lambda| */
  size_t ny = (size_t)s->ny;
  double rates = 0, states = 0, off = 0;
  for (int j = s->nq; j < s->nq + s->nv; j++) {
    double x = 0, rate = 0, e = s->error.y_neighbour[j] - s->y[j];
    for (size_t i = 0; i < STAGES; i++) {
      double of_stage =
          h * (s->error.stages_neighbour[i * ny + (size_t)j] - s->stages[(size_t)o->at[i] * ny + (size_t)j]);
      x += o->third[i] * of_stage;
      rate += o->fourth[i] * of_stage;
    }
    rates += rate * rate;
    states += x * x;
    off += e * e;
  }
  return states > STANDS_OUT * STANDS_OUT * off ? sqrt(rates / states) / h : 0;
}
