/* hard_block.c -- hard contacts as blocks, and the block "solver": parameters, outputs
 *
 * The simulation itself solves for their forces (hard_contact.h); the blocks store the results, so that they can be
 * logged, used by laws, saved and resumed. A law reads the values of the last step, as from a sensor. */
#include <stdio.h>
#include <string.h>

#include <freebody/status.h>

#include "contact/dynamics/hard_block.h"
#include "contact/dynamics/hard_contact.h"

static const char* const PARAMETERS[] = {"friction", "restitution", NULL};
static const fb_port SOLVER_OUTPUTS[] = {
    {"residual", "1", "", 1}, {"iterations", "1", "", 1}, {"gains", "1", "", 1}, {"projection", "J", "", 1}};

static fb_status contact_start(void* user, const fb_context* context, double* memory, double* state,
                               fb_error* error) {
  (void)context, (void)state, (void)error;
  const fb_contact_block* c = (const fb_contact_block*)user;
  memory[FB_HARD_FRICTION] = c->how.friction;
  memory[FB_HARD_RESTITUTION] = c->how.restitution;
  return FB_OK;
}

static fb_status contact_output(void* user, const fb_context* context, const double* memory,
                                const double* state, double* outputs, fb_error* error) {
  (void)error;
  const fb_contact_block* c = (const fb_contact_block*)user;
  memcpy(outputs, memory + FB_HARD_OUTPUTS, FB_CONTACT_OUT_COUNT * sizeof *outputs);
  outputs[FB_CONTACT_OUT_GAP] = fb_contact_least_gap(context->model, fb_context_kinematics(context), c);
  outputs[FB_CONTACT_OUT_NORMAL_WORK] = state[FB_CONTACT_X_NORMAL];
  outputs[FB_CONTACT_OUT_FRICTION_WORK] = state[FB_CONTACT_X_FRICTION];
  return FB_OK;
}

static fb_status solver_output(void* user, const fb_context* context, const double* memory,
                               const double* state, double* outputs, fb_error* error) {
  (void)user, (void)context, (void)error;
  memcpy(outputs, memory, FB_SOLVER_PROJECTION * sizeof *outputs);
  outputs[FB_SOLVER_PROJECTION] = state[0];
  return FB_OK;
}

fb_status fb_hard_block(const fb_model* m, const fb_contact* contact, fb_block* block, fb_error* error) {
  fb_contact_block* c = NULL;
  fb_status status = fb_contact_block_new(m, contact, &c, error);
  if (status) return status;
  *block = fb_default_block();
  block->name = c->block_name;
  block->user = c;
  block->kind_ = &FB_BLOCK_HARD_CONTACT;
  block->nmemory = FB_HARD_MEMORY;
  block->nstate = FB_CONTACT_X_COUNT;
  block->parameters = PARAMETERS;
  block->outputs = fb_contact_outputs;
  block->noutput = FB_CONTACT_NOUTPUT;
  block->held = 1;
  block->start = contact_start;
  block->output = contact_output;
  block->free = fb_contact_block_free;
  return FB_OK;
}

fb_block fb_hard_solver_block(void) {
  fb_block block = fb_default_block();
  block.name = "solver";
  block.kind_ = &FB_BLOCK_CONTACT_SOLVER;
  block.nmemory = FB_SOLVER_MEMORY;
  block.nstate = 1; /* energy of projections */
  block.outputs = SOLVER_OUTPUTS;
  block.noutput = FB_SOLVER_COUNT;
  block.held = 1;
  block.output = solver_output;
  return block;
}

static fb_status idle_output(void* user, const fb_context* context, const double* memory, const double* state,
                             double* outputs, fb_error* error) {
  (void)user, (void)context, (void)memory, (void)state, (void)error;
  memset(outputs, 0, FB_SOLVER_COUNT * sizeof *outputs);
  return FB_OK;
}

fb_block fb_hard_idle_solver_block(void) {
  fb_block block = fb_hard_solver_block();
  block.kind_ = NULL;
  block.nmemory = block.nstate = 0;
  block.output = idle_output;
  return block;
}

static fb_status add_hard(fb_sim* s, const fb_contact* contact, int* id, fb_error* error) {
  fb_block block;
  fb_status status = fb_hard_block(s->m, contact, &block, error);
  return status ? status : fb_sim_add_block(s, &block, id, error);
}

/* Once, before the first hard contact. */
static fb_status add_solver(fb_sim* s, fb_error* error) {
  for (int i = 0; i < s->block.count; i++)
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_CONTACT_SOLVER)) return FB_OK;
  const fb_block block = fb_hard_solver_block();
  return fb_sim_add_block(s, &block, NULL, error);
}

/* Its events are recorded. */
static fb_status add_events(fb_sim* s, int block, fb_error* error) {
  static const char* const NAMES[] = {"hits", "opens", "slips", "sticks"};
  fb_status status = FB_OK;
  for (int i = 0; i < FB_CONTACT_CHANGES && !status; i++) {
    char name[FB_SIGNAL_NAME_SIZE];
    snprintf(name, sizeof name, "%.140s.%s", s->block.list[block].name, NAMES[i]);
    fb_event event = fb_default_event();
    event.name = name;
    event.kind = FB_TRIGGER_CONTACT;
    event.contact = block;
    event.change = (fb_contact_change)i;
    status = fb_sim_add_event(s, &event, NULL, error);
  }
  return status;
}

fb_status fb_sim_add_contact(fb_sim* s, const fb_contact* contact, int* id, fb_error* error) {
  if (contact->law == FB_CONTACT_HARD) {
    int block = 0;
    fb_status status = add_solver(s, error);
    if (!status) status = add_hard(s, contact, &block, error);
    if (!status) status = add_events(s, block, error);
    if (id) *id = block;
    return status;
  }
  fb_block block;
  fb_status status = fb_block_new_contact(s->m, contact, &block, error);
  return status ? status : fb_sim_add_block(s, &block, id, error);
}
