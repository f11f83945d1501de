/* access.c -- reading a simulation, and parameters that events may set. */
#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "block/kind.h"
#include "contact/pair.h"
#include "sim/sim.h"
#include "element/elements.h"
#include "regroup/change.h"
#include "sim/access.h"

fb_stepper_traits fb_sim_traits(const fb_sim* s) {
  return s->stepper.traits;
}

const fb_model* fb_sim_model(const fb_sim* s) {
  return s->m;
}

const fb_model* fb_sim_original_model(const fb_sim* s) {
  return s->regroup.original;
}

double fb_sim_time(const fb_sim* s) {
  return s->started ? s->head->t : 0;
}

double fb_sim_step_start(const fb_sim* s) {
  return s->step.t0;
}

const double* fb_sim_q(const fb_sim* s) {
  return s->y;
}

const double* fb_sim_v(const fb_sim* s) {
  return s->started ? s->y + s->nq : NULL;
}

const fb_data* fb_sim_kinematics(fb_sim* s) {
  return s->started ? fb_sim_kinematics_at(s, s->y) : NULL;
}

long long fb_sim_nstep(const fb_sim* s) {
  return s->started ? s->head->steps : 0;
}

double fb_sim_stiff_since(const fb_sim* s) {
  return s->error.stiff_since;
}

double fb_sim_refined_since(const fb_sim* s) {
  return s->error.refined_since;
}

long long fb_sim_nrejected(const fb_sim* s) {
  return s->started ? s->head->rejected : 0;
}

long long fb_sim_nevaluation(const fb_sim* s) {
  return s->started ? s->head->evaluations : 0;
}

const fb_event_record* fb_sim_event_records(const fb_sim* s, int* count) {
  *count = s->event.nrecord;
  return s->event.records;
}

int fb_sim_stopped(const fb_sim* s) {
  return s->started && s->head->stopped;
}

void fb_sim_stop(fb_sim* s) {
  if (s->started) s->head->stopped = 1;
}

fb_status fb_sim_set_mode(fb_sim* s, int mode, fb_error* error) {
  if (mode < 0 || mode >= s->options.nmode)
    return fb_fail(error, FB_ERR_ARG, "there is no mode %d; there are 0 to %d", mode, s->options.nmode - 1);
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "modes are set after fb_sim_start");
  s->head->mode = mode;
  s->limit.due = 1;
  fb_sim_forget(s);
  return FB_OK;
}

int fb_sim_mode(const fb_sim* s) {
  return s->started ? s->head->mode : 0;
}

int fb_sim_find_block(const fb_sim* s, const char* name) {
  for (int i = 0; i < s->block.count; i++)
    if (strcmp(s->block.list[i].name, name) == 0) return i;
  return -1;
}

const double* fb_sim_memory(const fb_sim* s, int block) {
  return s->started && block >= 0 && block < s->block.count ? s->block.memory + s->block.memory_offset[block]
                                                            : NULL;
}

int fb_sim_find_parameter(const fb_sim* s, int block, const char* name) {
  const char* const* names = block >= 0 && block < s->block.count ? s->block.list[block].parameters : NULL;
  for (int i = 0; names && names[i]; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

/* Contacts of any law: a value that is invalid at the start is invalid later. */
static fb_status check_contact(const fb_block* block, int parameter, double value, fb_error* error) {
  int named = 0;
  while (block->parameters && block->parameters[named]) named++;
  if (!fb_block_is_contact(block) || parameter >= named) return FB_OK;
  return fb_contact_check_parameter(block->name + sizeof "contact." - 1, block->parameters[parameter], value,
                                    error);
}

fb_status fb_sim_set_parameter(fb_sim* s, int block, int parameter, double value, fb_error* error) {
  if (!s->started || block < 0 || block >= s->block.count || parameter < 0 ||
      parameter >= s->block.list[block].nmemory)
    return fb_fail(error, FB_ERR_ARG, "there is no parameter %d of block %d", parameter, block);
  if (!isfinite(value))
    return fb_fail(error, FB_ERR_NOT_FINITE, "block \"%s\": a parameter cannot be %g",
                   s->block.list[block].name, value);
  fb_status status = fb_block_is(&s->block.list[block], &FB_BLOCK_ELEMENT)
                         ? fb_pairs_set(s, block, parameter, value, error)
                         : FB_OK;
  if (!status) status = check_contact(&s->block.list[block], parameter, value, error);
  if (status) return status;
  s->block.memory[s->block.memory_offset[block] + parameter] = value;
  s->limit.due = 1;
  fb_sim_forget(s);
  return FB_OK;
}

int fb_sim_ny(const fb_sim* s) {
  return s->ny - s->nrest;
}

double fb_sim_longest_step(const fb_sim* s) {
  double longest = s->options.max_step;
  for (int i = 0; i < s->block.count && !(s->options.max_step > 0); i++) {
    double its_limit = s->block.list[i].longest_step;
    if (its_limit > 0 && isfinite(its_limit) && (longest == 0 || its_limit < longest)) longest = its_limit;
  }
  return longest;
}

int fb_sim_ny_motion(const fb_sim* s) {
  return s->nq + s->nv + s->nx;
}

const double* fb_sim_y(const fb_sim* s) {
  return s->y;
}

int fb_sim_is_attitude(const fb_sim* s, int i) {
  for (int r = 0; r < s->chart.nquat; r++)
    if (i >= s->chart.quat_q[r] && i < s->chart.quat_q[r] + 4) return 1;
  return 0;
}

void fb_sim_count_rejected(fb_sim* s, long long steps) {
  s->head->rejected += steps;
}

/* --- for other rooms --- */

int fb_sim_nblock(const fb_sim* s) {
  return s->block.count;
}

const fb_block* fb_sim_block(const fb_sim* s, int block) {
  return &s->block.list[block];
}

int fb_sim_nevent(const fb_sim* s) {
  return s->event.count;
}

const fb_event* fb_sim_event(const fb_sim* s, int event) {
  return &s->event.list[event];
}

double* fb_sim_block_state(fb_sim* s, int block) {
  return fb_y_x(s, s->y) + s->block.state_offset[block];
}

int fb_sim_body_now(const fb_sim* s, int body) {
  return fb_original_body(s, body);
}

void fb_sim_begin_by(fb_sim* s, fb_status (*begin)(const void* user, fb_sim* sim, fb_error* error),
                     const void* user) {
  s->block.take_up = begin;
  s->block.take_up_user = user;
}

void fb_sim_begin_in(fb_sim* s, int mode) {
  s->head->mode = mode;
}
