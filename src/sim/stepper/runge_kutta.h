/* runge_kutta.h -- explicit Runge-Kutta steps on the configuration group. */
#ifndef FB_SIM_STEPPER_RUNGE_KUTTA_H
#define FB_SIM_STEPPER_RUNGE_KUTTA_H

#include "sim/sim.h"

/* Representation of attitudes inside a step. */
typedef enum fb_chart_kind {
  FB_CHART_QUATERNION, /* as four numbers, normalised after every combination (SpaceDyn) */
  FB_CHART_ROTATION    /* as the rotation vector from the start of the step (Munthe-Kaas) */
} fb_chart_kind;

typedef struct fb_tableau {
  int stages;
  fb_chart_kind chart;
  const double* a; /* rows of the lower triangle, one after another */
  const double* b;
  const double* c;
} fb_tableau;

extern const fb_tableau fb_order_8;

/* In a step made aside, from FB_MAX_STAGES on: the stages of the motion (growth.c). */
static inline double* fb_stage(const fb_sim* s, int i) {
  double* from = i < FB_MAX_STAGES ? s->stages : s->error.of_motion;
  return from + (size_t)(i % FB_MAX_STAGES) * (size_t)s->ny;
}

/* The rate of q at velocities v, in the chart, into the q part of k. */
void fb_stage_q_rate(const fb_sim* s, fb_chart_kind chart, const double* q, const double* v, const double* xi,
                     double* k);
/* The rate at (t, y) into stage i; xi: rotation vectors from the start of the step, 3 for each quaternion. */
fb_status fb_stage_rate(fb_sim* s, fb_chart_kind chart, int i, double t, const double* y, const double* xi,
                        fb_error* error);
/* y = h sum w_i stage_i, as plain numbers. */
void fb_stage_sum(const fb_sim* s, double h, const double* w, int stages, int count, double* y);
/* y0 moved by h sum w_i stage_i, on the group; xi as above is filled. count entries of y are written: all, or all
 * but the ledger. */
void fb_stage_combine(const fb_sim* s, fb_chart_kind chart, const double* y0, double h, const double* w,
                      int stages, int count, double* y, double* xi);
/* Stages first .. of a step of length h from (t, y0), and its end in y1. Stage 0 is known when first is 1. */
fb_status fb_tableau_step(fb_sim* s, const fb_tableau* tableau, int first, double t, const double* y0,
                          double h, double* y1, fb_error* error);

#endif
