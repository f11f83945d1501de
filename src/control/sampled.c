/* sampled.c -- a law as a computer runs it: sampled, with noise, delayed and held
 *
 *   at t_n = n period, n = 0, 1, 2 ...:   (q, v) seen = (exp(noise_q z) q, v + noise_v z),   u_n = law(t_n, q, v seen)
 *   in [t_n + delay, t_n + period + delay):   what acts is u_n, and so are the outputs;   before delay nothing does
 *
 * The law's start is given the true state: a reference that it takes there ("where it starts") is not a measurement.
 *
 * z are Gaussian numbers of (seed, n, coordinate): noise.c. What a law with continuous state x holds moves at the ticks
 * by explicit Euler: u_n sees x_n, then x_n+1 = x_n + period x'(t_n, seen, x_n). A law with ticks of its own makes them
 * at the first sample at or after each. After samples that were left out (the block acts in other modes) nothing is
 * held: what was in the line is forgotten, and the law begins again with the next one.
 *
 * Memory: the law's own first, so that parameters keep their places, its state, the counts, the line of outputs
 * (sampled_line.c). Cost: the law once a period, then O(coordinates) a call. */
#include <freebody/control.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "block/kind.h"
#include "block/coordinate.h"
#include "control/noise.h"
#include "control/sampled_line.h"

enum { MOST_PERIODS = 100 };
/* Counts in memory: samples taken, ticks of the law's own. Each is the number of the next one. */
enum { NEXT_SAMPLE, NEXT_TICK, COUNTS };

typedef struct sampled {
  fb_block inner;
  fb_sampling sampling;
  fb_line line; /* of the coordinates of the model that it was made for: */
  const fb_model* original;
  int* now; /* [line.nv] the coordinate that each is in the present one; -1: its joint has gone */
  int nv;   /* of the present model */
  int state_at, counts_at, line_at; /* in memory */
  double *q, *v, *noise;            /* what is seen; [nq], [nv], [nv] */
  double *tau, *vdot, *rate;        /* what the law says: [nv], [nv], [inner.nstate] */
  double* ports;                    /* and its outputs: [line.nport] */
  unsigned char* moved;             /* [nv] */
  fb_wrench* wrenches;              /* [inner.nwrench] */
} sampled;

/* The number of the last multiple of a period up to t. A thousandth early counts: far more than rounding, far less
 * than what sets two of them apart. */
static double multiple_until(double t, double period) {
  return floor(t / period + 1e-3);
}

/* The state as sample n sees it. */
static fb_context measured_context(sampled* s, const fb_context* context, double n) {
  const fb_sampling* g = &s->sampling;
  uint64_t number = n < 0x1p63 ? (uint64_t)n : 0;
  int nv = s->nv;
  fb_context seen = *context;
  if (g->noise_q > 0) {
    for (int k = 0; k < nv; k++) s->noise[k] = g->noise_q * fb_noise(g->seed, number, k, 2 * nv);
    fb_integrate(context->model, context->q, s->noise, 1, s->q);
    seen.q = s->q;
  }
  if (g->noise_v > 0) {
    for (int k = 0; k < nv; k++)
      s->v[k] = context->v[k] + g->noise_v * fb_noise(g->seed, number, nv + k, 2 * nv);
    seen.v = s->v;
  }
  return seen;
}

/* What a checkpoint has left there is used only when it can be. */
static fb_status check_line(const sampled* s, const double* memory, fb_error* error) {
  if (fb_line_is_sound(&s->line, memory + s->line_at)) return FB_OK;
  return fb_fail(error, FB_ERR_STATE,
                 "its memory contains impossible sample counts; was it restored from a damaged snapshot?");
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)state;
  const sampled* s = (const sampled*)user;
  const fb_block* inner = &s->inner;
  return inner->start ? inner->start(inner->user, context, memory, memory + s->state_at, error) : FB_OK;
}

/* When what is wanted at sample n takes effect. The sample may have been taken a rounding error beside its instant:
 * with a delay the sum must not stray from where other multiples of periods are; without one it is at once. */
static double begin_of(const sampled* s, double t, double n) {
  double nominal = n * s->sampling.period;
  if (s->sampling.delay == 0) return t;
  return (fabs(t - nominal) <= 1e-14 * fmax(t, 1e-3) ? nominal : t) + s->sampling.delay;
}

/* What the law requests goes into the line, and its state is advanced by a period. */
static fb_status sample_law(sampled* s, const fb_context* seen, double n, double* memory, fb_error* error) {
  const fb_block* inner = &s->inner;
  double* state = memory + s->state_at;
  size_t nv = (size_t)s->nv;
  fb_action action = {s->tau, s->vdot, s->moved, s->wrenches, 0, inner->nwrench};
  memset(s->tau, 0, nv * sizeof *s->tau);
  memset(s->vdot, 0, nv * sizeof *s->vdot);
  memset(s->moved, 0, nv);
  for (int i = 0; i < inner->nstate; i++) s->rate[i] = 0;
  fb_status status =
      inner->act ? inner->act(inner->user, seen, memory, state, &action, s->rate, error) : FB_OK;
  for (int i = 0; i < s->line.nport; i++) s->ports[i] = 0;
  if (!status && s->line.nport > 0) status = inner->output(inner->user, seen, memory, state, s->ports, error);
  if (status) return status;
  fb_line_put(&s->line, memory + s->line_at, begin_of(s, seen->t, n), &action, s->now, s->ports);
  for (int i = 0; i < inner->nstate; i++) state[i] += s->sampling.period * s->rate[i];
  return FB_OK;
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  (void)state;
  sampled* s = (sampled*)user;
  const fb_block* inner = &s->inner;
  double* counts = memory + s->counts_at;
  double n = multiple_until(context->t, s->sampling.period);
  if (n != counts[NEXT_SAMPLE]) fb_line_empty(memory + s->line_at);
  fb_status status = check_line(s, memory, error);
  if (status) return status;
  counts[NEXT_SAMPLE] = n + 1;
  fb_context seen = measured_context(s, context, n);
  if (inner->tick && multiple_until(context->t, inner->period) >= counts[NEXT_TICK]) {
    counts[NEXT_TICK] = multiple_until(context->t, inner->period) + 1;
    status = inner->tick(inner->user, &seen, memory, memory + s->state_at, error);
    if (status) return status;
  }
  return sample_law(s, &seen, n, memory, error);
}

/* Past the next sample it has missed that one: what was held before is stale. */
static int is_fresh(const sampled* s, const double* memory, double t) {
  return t <= (memory[s->counts_at + NEXT_SAMPLE] + 1e-3) * s->sampling.period;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate;
  const sampled* s = (const sampled*)user;
  fb_status status = check_line(s, memory, error);
  if (!status && is_fresh(s, memory, context->t))
    fb_line_drive(&s->line, memory + s->line_at, context->t, s->now, action);
  return status;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state;
  const sampled* s = (const sampled*)user;
  fb_status status = check_line(s, memory, error);
  if (!status && is_fresh(s, memory, context->t))
    fb_line_outputs(&s->line, memory + s->line_at, context->t, outputs);
  return status;
}

static double next_edge(void* user, const double* memory, double t) {
  const sampled* s = (const sampled*)user;
  const double* line = memory + s->line_at;
  return fb_line_is_sound(&s->line, line) ? fb_line_next(&s->line, line, t) : INFINITY; /* act says so */
}

/* --- set-up --- */

fb_sampling fb_default_sampling(void) {
  return (fb_sampling){.period = 0.01, .cookie_ = FB_COOKIE};
}

static fb_status check(const char* name, const fb_block* inner, const fb_sampling* g, fb_error* error) {
  if (fb_block_is(inner, &FB_BLOCK_ELEMENT))
    return fb_fail(
        error, FB_ERR_ARG,
        "block \"%s\" is an element between two frames, which acts all the time and is not sampled", name);
  if (fb_cookie_check_of_block(name, g->cookie_, "sampling", error)) return FB_ERR_ARG;
  if (!(g->period > 0) || isinf(g->period))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": it is sampled with a period of %g s; give one greater than 0", name,
                   g->period);
  if (!(g->delay >= 0) || g->delay > MOST_PERIODS * g->period * (1 + 1e-9))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": its delay is %g s; it must be 0 or more and at most %d periods, %g s", name,
                   g->delay, MOST_PERIODS, MOST_PERIODS * g->period);
  if (!(g->noise_q >= 0 && g->noise_v >= 0) || isinf(g->noise_q) || isinf(g->noise_v))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": its noise is %g on positions and %g on velocities; standard deviations are "
                   "finite and not negative",
                   name, g->noise_q, g->noise_v);
  if (inner->tick && inner->period < g->period * (1 - 1e-9))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\" ticks every %g s, so it cannot be sampled every %g s only; sample it every "
                   "%g s or more often",
                   name, inner->period, g->period, inner->period);
  return FB_OK;
}

static void sampled_free(void* user) {
  sampled* s = (sampled*)user;
  if (!s) return;
  fb_block_free(&s->inner);
  free(s->q);
  free(s->moved);
  free(s->wrenches);
  free(s->now);
  free(s);
}

/* Scratch for a look and an answer with a model; what there was stays when there is no memory: 0. */
static int take_scratch(sampled* s, const fb_model* m) {
  size_t nq = (size_t)fb_model_nq(m), nv = (size_t)fb_model_nv(m);
  double* q = calloc(nq + 4 * nv + (size_t)s->inner.nstate + (size_t)s->line.nport + 1, sizeof *q);
  unsigned char* moved = calloc(nv + 1, 1);
  if (!q || !moved) {
    free(q);
    free(moved);
    return 0;
  }
  free(s->q);
  free(s->moved);
  s->q = q;
  s->moved = moved;
  s->nv = (int)nv;
  for (int k = 0; k < s->line.nv; k++) s->now[k] = fb_coordinate_in(s->original, k, m);
  s->v = s->q + nq;
  s->noise = s->v + nv;
  s->tau = s->noise + nv;
  s->vdot = s->tau + nv;
  s->rate = s->vdot + nv;
  s->ports = s->rate + s->inner.nstate;
  return 1;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  sampled* s = (sampled*)user;
  if (!take_scratch(s, m)) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  return s->inner.rebind ? s->inner.rebind(s->inner.user, m, error) : FB_OK;
}

/* Numbers of memory, in total; 0 when they are too many to count. */
static int lay_memory(sampled* s) {
  /* As many as are under way at once, the one that acts, and one for rounding. */
  s->line.room = (int)ceil(s->sampling.delay / s->sampling.period) + 2;
  long long at = s->inner.nmemory, size;
  s->state_at = (int)at;
  s->counts_at = (int)(at += s->inner.nstate);
  s->line_at = (int)(at += COUNTS);
  size = at + fb_line_size(&s->line);
  return size <= INT_MAX ? (int)size : 0;
}

static fb_status make(const fb_model* m, sampled* s, fb_block* block, fb_error* error) {
  const char* name = s->inner.name ? s->inner.name : "";
  fb_status status = check(name, &s->inner, &s->sampling, error);
  if (status) return status;
  s->line.nv = fb_model_nv(m);
  s->line.moves = s->inner.moves;
  s->line.nwrench = s->inner.nwrench;
  s->line.nport = fb_port_width(s->inner.outputs, s->inner.noutput);
  s->original = m;
  s->now = calloc((size_t)s->line.nv + 1, sizeof *s->now);
  s->wrenches = calloc((size_t)s->inner.nwrench + 1, sizeof *s->wrenches);
  int nmemory = lay_memory(s);
  if (nmemory == 0 || !s->now || !s->wrenches || !take_scratch(s, m))
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for the samples of block \"%s\"", name);
  *block = s->inner;
  block->period = s->sampling.period;
  block->nmemory = nmemory;
  block->nstate = 0;
  block->start = start;
  block->tick = tick;
  block->tick_aside_ = !s->inner.tick || s->inner.tick_aside_;
  block->act = act;
  block->gains = NULL; /* between samples the force does not follow the state */
  block->compensates_ = NULL;
  block->longest_step = 0;
  block->output = s->line.nport > 0 ? output : NULL;
  block->held = 1;
  block->next_edge = next_edge;
  block->rebind = rebind;
  block->free = sampled_free;
  return FB_OK;
}

fb_status fb_block_new_sampled(const fb_model* m, fb_block* inner, const fb_sampling* sampling,
                               fb_block* block, fb_error* error) {
  fb_block inner_block = *inner;
  *inner = *block = fb_default_block(); /* may be one and the same */
  if (fb_cookie_check(inner_block.cookie_, "block", error)) return FB_ERR_ARG;
  sampled* s = calloc(1, sizeof *s);
  if (!s) {
    fb_block_free(&inner_block);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for a sampled block");
  }
  s->inner = inner_block;
  s->sampling = sampling ? *sampling : fb_default_sampling();
  fb_status status = make(m, s, block, error);
  if (status)
    sampled_free(s);
  else
    block->user = s;
  return status;
}
