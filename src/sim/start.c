/* start.c -- the start of a simulation: lays out memory, starts blocks and motions, opens the ledger. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "base/arena.h"
#include "sim/chatter.h"
#include "sim/crossing.h"
#include "regroup/change.h"
#include "sim/diagnosis.h"
#include "sim/error_control.h"
#include "contact/dynamics/hard_contact.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "ledger/ledger.h"
#include "sim/flow.h"
#include "sim/event.h"

/* One line an array: `type` fits the field, for compilers that want void* cast. */
#define TAKE(type, field, count) s->field = fb_arena_take(a, (size_t)(count) * sizeof(type))

static void place_state(fb_sim* s, fb_arena* a) {
  TAKE(fb_sim_head, head, 1);
  TAKE(fb_books, books, s->ntree);
  TAKE(double, y, s->ny);
  TAKE(double, momentum, s->nv + 9 * s->nroot);
  TAKE(double, memory, s->nmemory);
  TAKE(double, off, 2 * s->nv + s->nx + s->nmemory);
  TAKE(int, motion, s->nv);
  TAKE(double, begun, s->nv);
  TAKE(double, shift, s->nv);
  TAKE(int, held_side, s->nv);
  TAKE(double, heft, s->nv);
  TAKE(int, slide, s->nv);
  TAKE(double, creep, s->nv);
  TAKE(double, loop_length, s->m->top.nloop);
  TAKE(double, reach, s->nlimit);
  TAKE(int, resting, s->nlimit);
  TAKE(long long, ticks, s->nblock);
  TAKE(int, side, s->nevent);
  TAKE(long long, fired, s->nevent);
  TAKE(fb_touch_memory, touched, fb_touch_room(s));
  if (!s->first.body) return; /* what follows belongs to models that joins and partings made */
  TAKE(double, kept_work, s->first_m->top.nv + 1);
  TAKE(double, kept_quat, 4 * s->first.ngone);
}

static void place_scratch(fb_sim* s, fb_arena* a) {
  TAKE(double, q_begun, s->nq);
  TAKE(double, y0, s->ny);
  TAKE(double, y1, s->ny);
  TAKE(double, y_probe, s->ny);
  TAKE(double, y_stage, s->ny);
  TAKE(double, y_root, s->ny);
  TAKE(double, y_tame, s->ny);
  TAKE(double, y_first, s->ny);
  TAKE(double, rate, s->ny);
  TAKE(double, near[0], s->ny);
  TAKE(double, near[1], s->ny);
  TAKE(double, inside, FB_INSIDE * s->ny);
  TAKE(double, turning, s->m->top.nbody);
  TAKE(double, root, s->nevent);
  TAKE(fb_watch_end, ends, s->nevent);
  TAKE(double, xi, 3 * s->chart.nquat);
  TAKE(double, stages, FB_MAX_STAGES * s->ny);
  TAKE(double, stages_beside, FB_MAX_STAGES * s->ny);
  TAKE(double, y_beside, s->ny);
  TAKE(double, y_beside_1, s->ny);
  TAKE(double, off_state, s->ny);
  TAKE(double, off_next, 2 * s->nv + s->nx + s->nmemory);
  TAKE(double, off_other, 2 * s->nv + s->nx + s->nmemory);
  TAKE(double, off_local, 2 * s->nv + s->nx + s->nmemory);
  TAKE(double, memory_beside, s->nmemory);
  TAKE(double, vdot, s->nv);
  TAKE(double, tau, s->nv);
  TAKE(double, total_tau, s->nv);
  TAKE(double, push, s->nv);
  TAKE(double, field, s->nv);
  TAKE(double, loop_force, s->m->top.nloop > 0 ? s->nv : 0);
  TAKE(double, loose, s->m->top.nloop > 0 ? s->nv : 0);
  TAKE(double, own_v, s->nv);
  TAKE(double, power, s->ntree);
  TAKE(double, link_own, 6 * s->m->top.nlink);
  TAKE(fb_own, own, s->ntree);
  TAKE(fb_conserved, conserved, s->ntree);
  TAKE(double, y_noted, s->nq + s->nv);
  TAKE(double, z_size, s->nz);
  TAKE(double, kinetic_before, s->ntree);
  TAKE(double, drift_before, 3 * s->ntree);
  TAKE(double, angular_before, 3 * s->ntree);
  TAKE(double, friction, s->nv);
  TAKE(double, reaction, s->nv);
  TAKE(double, actuator, s->nv);
  TAKE(double, stop_force, s->nv);
  TAKE(double, margins, FB_LOOKS * s->nv);
  TAKE(unsigned char, stop_phase, s->nlimit);
  TAKE(unsigned char, phases, s->nlimit);
  TAKE(unsigned char, soft, s->nlimit);
  TAKE(unsigned char, reversed, s->nv);
  TAKE(unsigned char, prescribed, s->nv);
  TAKE(unsigned char, moved, s->nv);
  TAKE(double, moved_vdot, s->nv);
  TAKE(unsigned char, by_block, s->nv);
  TAKE(double, carried, 6 * s->m->top.nbody);
  TAKE(fb_wrench, wrenches, s->room_wrenches + 2 * s->m->top.nloop + 2 * fb_touch_room(s));
  TAKE(int, pairs, s->npair);
  TAKE(unsigned char, pair_phase, s->npair);
  TAKE(double, pair_force, s->nv);
  TAKE(unsigned char, due, s->nevent);
  TAKE(unsigned char, happened, s->nevent);
  TAKE(fb_event_record, records, s->nevent);
  TAKE(fb_chatter, chatter, s->nevent);
  TAKE(int, block_memory, s->nblock);
  TAKE(int, block_state, s->nblock);
  TAKE(int, block_wrenches, 2 * s->nblock);
  TAKE(int, block_in, s->nblock);
  TAKE(int, block_out, s->nblock);
  TAKE(int, order, s->nblock);
  TAKE(fb_signal, in_signals, s->nin);
  TAKE(unsigned char, linked, s->nblock);
  TAKE(unsigned char, asked, s->nblock);
  TAKE(double, in, s->nin);
  TAKE(double, out, s->nout);
}
#undef TAKE

/* A zeroed block for what `place` takes, and its size. */
static void* lay_out(fb_sim* s, void (*place)(fb_sim* s, fb_arena* a), size_t* size) {
  fb_arena a = {0};
  place(s, &a);
  *size = a.used;
  a = (fb_arena){aligned_alloc(FB_ALIGN, a.used + FB_ALIGN), 0};
  if (!a.base) return NULL;
  memset(a.base, 0, *size);
  place(s, &a);
  return a.base;
}

/* For contacts and elements between what floats. */
static int make_local(fb_sim* s) {
  if (s->nfloat == 0 || s->npair + s->ncontact == 0 || s->cache.local) return 1;
  s->cache.local = fb_local_frame_new(s->m, s->roots, s->nfloat);
  return s->cache.local && !(s->parameters && fb_data_use(s->cache.local->cache.d, s->parameters));
}

fb_status fb_sim_lay_out(fb_sim* s, fb_error* error) {
  s->nx = s->nmemory = s->room_wrenches = s->nmoving = s->nin = s->nout = 0;
  for (int i = 0; i < s->nblock; i++) {
    s->nx += s->blocks[i].nstate;
    s->nmemory += s->blocks[i].nmemory;
    s->room_wrenches += s->blocks[i].nwrench;
    s->nin += fb_ports_width(s->blocks[i].inputs, s->blocks[i].ninput);
    s->nout += fb_ports_width(s->blocks[i].outputs, s->blocks[i].noutput);
    s->nmoving += s->blocks[i].moves != 0;
    if (s->blocks[i].moves && !s->stepper.traits.takes_moved)
      return fb_fail(
          error, FB_ERR_UNSUPPORTED,
          "block \"%s\" moves joints by accelerations, which the %s method cannot take; use another "
          "method, or let the law give forces",
          s->blocks[i].name, s->stepper.name);
  }
  fb_pairs_count(s);
  s->nz = s->nv + FB_Z_COUNT + s->nz_trees + (s->m->top.nloop > 0 ? FB_Z_LOOPS_COUNT : 0);
  s->nrest = 3 * s->nfloat;
  s->ny = s->nq + s->nv + s->nx + s->nz + s->nrest;
  if (!make_local(s)) return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  fb_status touches = fb_touch_check(s, error);
  if (!touches) touches = fb_touch_start(s, error);
  if (touches) return touches;
  size_t scratch_size;
  void *state = lay_out(s, place_state, &s->state_size), *scratch = lay_out(s, place_scratch, &scratch_size);
  s->head = (fb_sim_head*)state;
  s->scratch = scratch;
  if (!state || !scratch) return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  for (int i = 0, memory = 0, x = 0; i < s->nblock; i++) {
    s->block_memory[i] = memory;
    s->block_state[i] = x;
    memory += s->blocks[i].nmemory;
    x += s->blocks[i].nstate;
  }
  s->loads.wrenches = s->wrenches;
  fb_pairs_start(s);
  fb_status status = fb_ports_start(s, error);
  return status ? status : fb_stops_start(s, error);
}

static fb_status start_blocks(fb_sim* s, fb_error* error) {
  fb_context context = fb_flow_context(s, 0, s->y);
  for (int i = 0; i < s->nblock; i++) {
    const fb_block* b = &s->blocks[i];
    fb_status status = b->start ? b->start(b->user, &context, s->memory + s->block_memory[i],
                                           fb_y_x(s, s->y) + s->block_state[i], error)
                                : FB_OK;
    if (status) return fb_block_failed(b, 0, status, error);
  }
  return FB_OK;
}

static void count_moved(fb_sim* s) {
  memcpy(s->motion, s->first_motion, (size_t)s->nv * sizeof *s->motion);
  for (int k = 0; k < s->nv; k++) s->head->nmoved += s->motion[k] != FB_MOVE_BY_FORCE;
}

static int is_finite(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += 0 * x[i];
  return sum == 0;
}

/* Every joint moves something, or has slopes that the implicit method puts in the place of an inertia. With loops the
 * pivots at hand are those by which they were closed, and the step itself tells. */
static fb_status check_pivots(fb_sim* s, fb_error* error) {
  double t1 = s->options.step > 0 ? s->options.step : 1e-3;
  fb_status status = fb_check_pivots(s->m, s->d, error);
  if (!status || !s->stepper.traits.takes_slopes) return status;
  fb_error none;
  fb_status stepped = s->stepper.advance(s->stepper.self, s, t1, &t1, s->y1, &none);
  int moves = !stepped && is_finite(s->y1, s->nq + s->nv);
  return moves && !fb_check_pivots(s->m, s->d, &none) ? FB_OK : status;
}

/* Everything begins at t = 0. */
static fb_status begin(fb_sim* s, const double* q, const double* v, fb_error* error) {
  const int signature[] = {s->nq,     s->nv,     s->nx,     s->nmemory,
                           s->nblock, s->nevent, s->nlimit, (int)s->options.friction_law ^ s->fingerprint};
  memset(s->head, 0, s->state_size);
  memcpy(s->head->signature, signature, sizeof signature);
  memcpy(s->y, q, (size_t)s->nq * sizeof *q);
  memcpy(s->q_begun, q, (size_t)s->nq * sizeof *q);
  if (v) memcpy(s->y + s->nq, v, (size_t)s->nv * sizeof *v);
  count_moved(s);
  fb_sim_project(s, 0, s->y);
  fb_status closed = fb_sim_close_loops(s, error);
  if (closed) return closed;
  s->t0 = 0;
  s->t_left = INFINITY;
  s->nrecord = s->unsettled = 0;
  fb_chatter_begin(s);
  s->stops_due = 1;
  fb_stops_begin(s);
  if (s->touch && fb_touch_project(s, 0, s->y)) /* a start in penetration: the ledger begins after it */
    memset(fb_y_x(s, s->y), 0, (size_t)(s->nx + s->nz) * sizeof *s->y);
  fb_status status = s->touch ? fb_touch_check_overlap(s, error) : FB_OK;
  if (!status) status = start_blocks(s, error);
  if (!status && s->take_up) status = s->take_up(s->take_up_user, s, error);
  fb_pairs_update(s);
  fb_ledger_begin(s);
  fb_growth_begin(s);
  fb_sim_forget(s);
  if (!status) status = fb_sim_due(s, error);
  if (!status) status = fb_flow(s, 0, s->y, s->y_stage, error);
  if (!status) status = check_pivots(s, error);
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  memcpy(s->y_tame, s->y, (size_t)s->ny * sizeof *s->y);
  s->t_tame = 0;
  s->stiff_since = s->refined_since = INFINITY;
  s->singular = s->singular_begun = (fb_singular){.part = 1};
  if (!status) fb_singular_look(s, 0, s->y, &s->singular_begun);
  return status;
}

fb_status fb_sim_start(fb_sim* s, const double* q, const double* v, fb_error* error) {
  fb_error_clear(error);
  fb_status status = q ? fb_check_state(s->first_m, q, v, error) : FB_OK;
  if (!status && s->m != s->first_m) status = fb_sim_exchange_first(s, error);
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
    status = fb_check_state(s->m, q, v, error);
  }
  if (status) return status;
  s->started = 1; /* events may act at t = 0 */
  status = begin(s, q, v, error);
  s->started = !status;
  return status;
}
