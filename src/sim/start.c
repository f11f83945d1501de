/* start.c -- the start of a simulation: lays out memory, starts blocks and motions, opens the ledger. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "base/arena.h"
#include "regroup/change.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/accuracy/error_control.h"
#include "sim/part.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"
#include "sim/event/event.h"

/* The core, which belongs to no part. */
static void place_core(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  s->head = (fb_sim_head*)fb_arena_take(state, sizeof *s->head);
  {
    fb_sim* to = s;
    FB_SIM_STATE(FB_FIELD_IN_STATE)
    FB_SIM_SCRATCH(FB_FIELD_IN_SCRATCH)
  }
  {
    fb_step* to = &s->step;
    FB_STEP_STATE(FB_FIELD_IN_STATE)
  }
  {
    fb_wrenches* to = &s->wrench;
    FB_WRENCHES_SCRATCH(FB_FIELD_IN_SCRATCH)
  }
  {
    fb_probe* to = &s->probe;
    FB_PROBE_SCRATCH(FB_FIELD_IN_SCRATCH)
  }
  {
    fb_failures* to = &s->failure;
    FB_FAILURE_SCRATCH(FB_FIELD_IN_SCRATCH)
  }
  {
    fb_chart* to = &s->chart;
    FB_CHART_SCRATCH(FB_FIELD_IN_SCRATCH)
  }
}

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  place_core(s, state, scratch);
  fb_parts_place(s, state, scratch);
}

/* A zeroed block of the measured size. */
static void* make_block(size_t size) {
  void* block = aligned_alloc(FB_ALIGN, size + FB_ALIGN);
  if (block) memset(block, 0, size);
  return block;
}

/* State and scratch; 0: no memory. */
static int make_memory(fb_sim* s) {
  fb_arena state = {0}, scratch = {0};
  place(s, &state, &scratch);
  s->state_size = state.used;
  state = (fb_arena){make_block(state.used), 0};
  scratch = (fb_arena){make_block(scratch.used), 0};
  s->head = (fb_sim_head*)state.base;
  s->scratch = scratch.base;
  if (!state.base || !scratch.base) return 0;
  place(s, &state, &scratch);
  return 1;
}

/* How many numbers y and the blocks have. */
static void count_numbers(fb_sim* s) {
  s->nx = s->block.nmemory = s->wrench.room = s->block.nmoving = s->block.nin = s->block.nout = 0;
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* b = &s->block.list[i];
    s->nx += b->nstate;
    s->block.nmemory += b->nmemory;
    s->wrench.room += b->nwrench;
    s->block.nin += fb_port_width(b->inputs, b->ninput);
    s->block.nout += fb_port_width(b->outputs, b->noutput);
    s->block.nmoving += b->moves != 0;
  }
  s->nz = s->nv + FB_Z_COUNT + s->ledger.nz_trees + (s->m->top.nloop > 0 ? FB_Z_LOOPS_COUNT : 0);
  s->nrest = 3 * s->tree.nfloat;
  s->ny = s->nq + s->nv + s->nx + s->nz + s->nrest;
}

/* For contacts and elements between floating trees. */
static int make_local(fb_sim* s) {
  if (s->tree.nfloat == 0 || s->element.count + s->contact.count == 0 || s->cache.local) return 1;
  s->cache.local = fb_local_frame_new(s->m, s->tree.roots, s->tree.nfloat);
  return s->cache.local && !(s->parameters && fb_data_use(s->cache.local->cache.d, s->parameters));
}

fb_status fb_sim_lay_out(fb_sim* s, fb_error* error) {
  count_numbers(s);
  fb_status status = fb_parts_measure(s, error);
  if (status) return status;
  if (!make_local(s) || !make_memory(s)) return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  s->loads.wrenches = s->wrench.list;
  return fb_parts_start(s, error);
}

static void count_moved(fb_sim* s) {
  memcpy(s->motion.of, s->motion.first, (size_t)s->nv * sizeof *s->motion.of);
  for (int k = 0; k < s->nv; k++) s->motion.head->nmoved += s->motion.of[k] != FB_MOTION_FORCE;
}

static int is_finite(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += 0 * x[i];
  return sum == 0;
}

/* Checks that every joint moves an inertia, or has slopes that the implicit method uses instead. With loops the
 * present pivots are those of closing them, and the check is left to the step. */
static fb_status check_pivots(fb_sim* s, fb_error* error) {
  double t1 = s->options.step > 0 ? s->options.step : 1e-3;
  fb_status status = fb_model_check_pivots(s->m, s->d, error);
  if (!status || !s->stepper.traits.takes_slopes) return status;
  fb_error none;
  fb_status stepped = s->stepper.step(s->stepper.self, s, t1, &t1, s->y1, &none);
  int moves = !stepped && is_finite(s->y1, s->nq + s->nv);
  return moves && !fb_model_check_pivots(s->m, s->d, &none) ? FB_OK : status;
}

/* Everything begins at t = 0. */
static fb_status begin(fb_sim* s, const double* q, const double* v, fb_error* error) {
  const int signature[] = {
      s->nq,          s->nv,          s->nx,          s->block.nmemory,
      s->block.count, s->event.count, s->limit.count, (int)s->options.friction_law ^ s->fingerprint};
  memset(s->head, 0, s->state_size);
  memcpy(s->head->signature, signature, sizeof signature);
  memcpy(s->y, q, (size_t)s->nq * sizeof *q);
  memcpy(s->failure.q_begun, q, (size_t)s->nq * sizeof *q);
  if (v) memcpy(s->y + s->nq, v, (size_t)s->nv * sizeof *v);
  count_moved(s);
  fb_sim_project(s, 0, s->y);
  s->step.t0 = 0;
  s->step.t_left = INFINITY;
  s->step.unsettled = 0;
  fb_status status = fb_parts_begin(s, error);
  fb_sim_forget(s);
  if (!status) status = fb_sim_due(s, error);
  if (!status) status = fb_flow(s, 0, s->y, s->y_stage, error);
  if (!status) status = check_pivots(s, error);
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  memcpy(s->failure.y_ordinary, s->y, (size_t)s->ny * sizeof *s->y);
  s->failure.t_ordinary = 0;
  s->error.stiff_since = s->error.refined_since = INFINITY;
  s->failure.singular = s->failure.singular_begun = (fb_singular){.part = 1};
  if (!status) fb_singular_probe(s, 0, s->y, &s->failure.singular_begun);
  return status;
}

fb_status fb_sim_start(fb_sim* s, const double* q, const double* v, fb_error* error) {
  fb_error_clear(error);
  fb_status status = q ? fb_model_check_state(s->regroup.original, q, v, error) : FB_OK;
  if (!status && s->m != s->regroup.original) status = fb_sim_exchange_first(s, error);
  if (!status && !s->laid_out) {
    free(s->head); /* of a start that failed */
    free(s->scratch);
    s->head = NULL;
    s->scratch = NULL;
    status = fb_sim_lay_out(s, error);
    if (!status && s->stepper.start) status = s->stepper.start(s->stepper.self, s, error);
    s->laid_out = !status;
  }
  if (!status && !q) {
    fb_neutral(s->m, s->y_stage);
    q = s->y_stage;
    status = fb_model_check_state(s->m, q, v, error);
  }
  if (status) return status;
  s->started = 1; /* events may act at t = 0 */
  status = begin(s, q, v, error);
  s->started = !status;
  return status;
}
