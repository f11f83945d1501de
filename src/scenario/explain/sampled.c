/* sampled.c -- sampled laws of joints and attitudes whose period and delay are too long for their gains
 *
 *   I v' = u - b v,   u = -kp q_n - kd v_n - ki x_n   from t_n + delay on until the next one,   x_n+1 = x_n + T q_n
 *
 * of one joint, with its damping b and the inertia I that it moves at the start, other joints with laws held, the rest following.
 * From q = 1 the recursion is exact; where it has grown after many periods, no step and no method makes the motion stable.
 * A satellite is taken to be rigid, and to turn about the axis of its base with the least inertia: joints that move freely leave
 * it less. Where the law has an effort, or wheels with their speeds, the motion is bounded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/parameters.h>
#include <freebody/response.h>

#include "model/data.h"
#include "model/model.h"
#include "scenario/build/build.h"
#include "scenario/explain/explain.h"
#include "scenario/kinds/kinds.h"

enum { PERIODS = 400, MOST_DELAY = 101 };

typedef struct joint_state {
  double q, v;
} joint_state;

/* Under a constant force for a time h: a = u / I, c = b / I. */
static joint_state coast(joint_state x, double a, double c, double h) {
  if (c * h < 1e-6) return (joint_state){x.q + h * x.v + 0.5 * h * h * a, x.v + h * (a - c * x.v)};
  double end = a / c, left = exp(-c * h);
  return (joint_state){x.q + end * h + (x.v - end) * (1 - left) / c, end + (x.v - end) * left};
}

/* Whether what is left of q = 1 grows, with gains per inertia. */
static int grows(double kp, double kd, double ki, double c, double period, double delay) {
  static const double MUCH = 1.5;
  double line[MOST_DELAY + 1] = {0}, sum = 0, early = 0, late = 0;
  int whole = (int)floor(delay / period);
  double part = delay - whole * period;
  joint_state x = {1, 0};
  for (int n = 0; n < PERIODS; n++) {
    double size = hypot(x.q, period * x.v), *seen = n < PERIODS / 2 ? &early : &late;
    if (!(size < 1e100)) return 1;
    *seen = fmax(*seen, size);
    memmove(line + 1, line, MOST_DELAY * sizeof *line);
    line[0] = -kp * x.q - kd * x.v - ki * sum;
    sum += period * x.q;
    x = coast(x, line[whole + 1], c, part);
    x = coast(x, line[whole], c, period - part);
  }
  return late > MUCH * early;
}

/* The inertia that joint k moves; 0: none is known. held: the coordinates of laws. */
static double inertia_of(const fb_scenario* s, fb_data* d, unsigned char* held, int k) {
  held[k] = 0;
  fb_response_begin(s->model, d, s->q, held);
  held[k] = 1;
  return d->D[k] > 0 && isfinite(d->D[k]) ? 1 / d->D[k] : 0;
}

static void mark_held(const fb_scenario* s, unsigned char* held) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_joint_law* law = (const fb_joint_law*)s->blocks[i].settings;
    for (int j = 0; s->blocks[i].kind->gains && j < law->count; j++) held[law->joints[j].coordinate] = 1;
  }
}

/* The first joint of a block that grows; -1: none. */
static int find_growing(const fb_scenario* s, const fb_scenario_block* block, fb_data* d, unsigned char* held,
                        double* inertia) {
  const fb_joint_law* law = (const fb_joint_law*)block->settings;
  const fb_sampling* by = &block->sampling;
  int accelerates = block->kind == &fb_kind_control_computed_torque;
  for (int j = 0; by->delay < (MOST_DELAY - 1) * by->period && j < law->count; j++) {
    const fb_pd_joint* x = &law->joints[j];
    double damping = accelerates ? 0 : d->par->damping[x->coordinate];
    *inertia = accelerates ? 1 : inertia_of(s, d, held, x->coordinate);
    double ease = *inertia > 0 ? 1 / *inertia : 0;
    if (grows(x->kp * ease, x->kd * ease, x->ki * ease, damping * ease, by->period, by->delay)) return j;
  }
  return -1;
}

static void say_joint(const fb_scenario* s, const fb_scenario_block* block, const fb_pd_joint* x,
                      double inertia, char* text, size_t size) {
  char period[32], delay[32];
  snprintf(text, size,
           "law '%.60s' is sampled every %s with a delay of %s, which is too slow for kp %.3g and kd %.3g "
           "at joint '%.60s', that moves %.3g %s: the motion will grow without bound; give smaller gains, "
           "or a shorter period or delay",
           block->name, fb_scenario_format_time(block->sampling.period, period),
           fb_scenario_format_time(block->sampling.delay, delay), x->kp, x->kd,
           fb_coordinate_joint_name(s->model, x->coordinate), inertia,
           fb_coordinate_is_length(s->model, x->coordinate) ? "kg" : "kg m^2");
}

/* Whether an attitude by thrusters without bounds grows. held: as many as coordinates, for work. */
static int attitude_grows(const fb_scenario* s, const fb_scenario_block* block, fb_data* d,
                          unsigned char* held, double* inertia) {
  const fb_attitude_task* task = (const fb_attitude_task*)block->settings;
  const fb_sampling* by = &block->sampling;
  int first = fb_joint_v_index(s->model, task->body) + 3;
  if (task->nwheel > 0 || isfinite(task->effort) || by->delay >= (MOST_DELAY - 1) * by->period) return 0;
  double A[9], ease = 0;
  fb_row rows[3];
  memset(held, 1, (size_t)fb_model_nv(s->model));
  memset(held + first - 3, 0, 6);
  for (int i = 0; i < 3; i++) rows[i] = fb_row_from_coordinate(first + i);
  fb_response_begin(s->model, d, s->q, held);
  fb_response_matrix(s->model, d, held, rows, 3, A);
  for (int i = 0; i < 3; i++) ease = fmax(ease, A[4 * i]);
  *inertia = ease > 0 ? 1 / ease : 0;
  return ease > 0 && isfinite(ease) && grows(task->kp * ease, task->kd * ease, 0, 0, by->period, by->delay);
}

static void say_attitude(const fb_scenario* s, const fb_scenario_block* block, double inertia, char* text,
                         size_t size) {
  const fb_attitude_task* task = (const fb_attitude_task*)block->settings;
  char period[32], delay[32];
  snprintf(
      text, size,
      "law '%.60s' is sampled every %s with a delay of %s, which is too slow for kp %.3g and kd %.3g "
      "on '%.60s', of %.3g kg m^2: it will swing ever more, and tumble; give smaller gains, or a shorter "
      "period or delay",
      block->name, fb_scenario_format_time(block->sampling.period, period),
      fb_scenario_format_time(block->sampling.delay, delay), task->kp, task->kd,
      fb_body_name(s->model, task->body), inertia);
}

/* held: twice as many as coordinates. */
static int advise(const fb_scenario* s, const fb_scenario_block* block, fb_data* d, unsigned char* held,
                  char* text, size_t size) {
  double inertia;
  if (block->kind == &fb_kind_control_attitude) {
    if (!attitude_grows(s, block, d, held + fb_model_nv(s->model), &inertia)) return 0;
    say_attitude(s, block, inertia, text, size);
    return 1;
  }
  int found = block->kind->gains ? find_growing(s, block, d, held, &inertia) : -1;
  if (found >= 0)
    say_joint(s, block, &((const fb_joint_law*)block->settings)->joints[found], inertia, text, size);
  return found >= 0;
}

int fb_scenario_sampled_advice(const fb_scenario* s, char* text, size_t size) {
  fb_data* d = fb_data_new(s->model);
  unsigned char* held = calloc(2 * (size_t)fb_model_nv(s->model) + 1, 1);
  int found = 0;
  text[0] = '\0';
  if (d && s->options.parameters) fb_data_use(d, s->options.parameters);
  if (d && held) mark_held(s, held);
  for (int i = 0; d && held && !found && i < s->nblock; i++)
    if (s->blocks[i].sampled) found = advise(s, &s->blocks[i], d, held, text, size);
  free(held);
  fb_data_free(d);
  return found;
}
